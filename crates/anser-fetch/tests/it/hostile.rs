//! Hosts that are broken or hostile: an error that says what is wrong, and no table.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anser_core::{Observer, Unobserved};
use anser_fetch::{FetchError, Options, Problem};
use anser_table::TableName;
use serde_json::Value;
use tempfile::TempDir;

use crate::host::{Host, Request, file, write};
use crate::tables::{
    LARGEST, MANIFEST, copy, directory, edit, fetch, fetch_with, names, options, site,
};

/// Fetches, and asserts an error with these parts, after which there is nothing with the name of
/// the table, and nothing outside of the directory.
#[track_caller]
fn fails(address: &str, table: &str, says: &[&str]) -> FetchError {
    let root = TempDir::new().unwrap();
    let out = root.path().join("out");
    let started = Instant::now();
    let error = fetch(address, &out).expect_err("it fails");
    let text = error.to_string();
    for part in says {
        assert!(text.contains(part), "{part:?} is not in {text:?}");
    }
    assert!(!text.contains("Error(") && !text.contains("Some("), "{text}");
    assert!(started.elapsed() < Duration::from_secs(20), "{text}: {:?}", started.elapsed());
    assert!(names(root.path()).iter().all(|name| name == "out"), "{:?}", names(root.path()));
    let left = names(&out);
    assert!(!left.iter().any(|name| name == table), "{left:?}");
    let known = |name: &String| {
        TableName::parse(name).is_some() || name.starts_with(".fetch-") || name == MANIFEST
    };
    assert!(left.iter().all(known), "{left:?}");
    error
}

/// A host of the directory whose answer for one file is another.
fn except(
    name: &'static str,
    answer: impl Fn(&Request, &[u8], &mut TcpStream) -> std::io::Result<()> + Send + Sync + 'static,
) -> Host {
    Host::new(move |request, stream| {
        if request.path != name {
            return file(directory(), request, stream, true);
        }
        answer(request, &fs::read(directory().join(name)).unwrap_or_default(), stream)
    })
}

fn length(bytes: usize) -> String {
    format!("Content-Length: {bytes}")
}

/// Asserts that a table is not fetched from such a host.
#[track_caller]
fn table_fails(
    says: &[&str],
    answer: impl Fn(&Request, &[u8], &mut TcpStream) -> std::io::Result<()> + Send + Sync + 'static,
) -> FetchError {
    let host = except(LARGEST, answer);
    fails(&host.address, LARGEST, &[&[LARGEST], says].concat())
}

#[test]
fn wrong_lengths() {
    table_fails(&["states", "are expected"], |_, bytes, stream| {
        write(stream, "200 OK", &[length(bytes.len() - 1)], bytes)
    });
    table_fails(&["states", "are expected"], |_, bytes, stream| {
        write(stream, "200 OK", &[length(bytes.len() + 1)], bytes)
    });
    table_fails(&["connection failed"], |_, bytes, stream| {
        write(stream, "200 OK", &[length(bytes.len())], &bytes[..5000])
    });
    // Without a length the end of the connection is that of the body.
    table_fails(&["ended after"], |_, bytes, stream| {
        write(stream, "200 OK", &[], &bytes[..bytes.len() - 1])
    });
    let endless = |first: &[u8], stream: &mut TcpStream| {
        write(stream, "200 OK", &[], first)?;
        loop {
            stream.write_all(&[0; 1 << 12])?;
        }
    };
    table_fails(&["more than the expected"], move |_, bytes, stream| endless(bytes, stream));
    let host = except(MANIFEST, move |_, _, stream| endless(b"{", stream));
    fails(&host.address, LARGEST, &[MANIFEST, "more than the expected 16777216 bytes"]);
    let host = except("index.html", move |_, _, stream| endless(b"<html>", stream));
    // Such a page is not that of a site.
    fetch(&host.address, TempDir::new().unwrap().path()).unwrap();
}

#[test]
fn redirects() {
    let to = |target: String| {
        except(MANIFEST, move |_, _, stream| {
            write(stream, "302 Found", &[format!("Location: {target}"), length(0)], b"")
        })
    };
    let secret = directory().join(MANIFEST);
    for target in [format!("file://{}", secret.display()), "ftp://127.0.0.1/x".to_owned()] {
        fails(&to(target).address, LARGEST, &[MANIFEST, "redirect refused"]);
    }
    let host = to(format!("/{MANIFEST}"));
    fails(&host.address, LARGEST, &[MANIFEST, "redirect refused", "more than 8"]);
    assert!(host.requests_of(MANIFEST).len() < 12);
    // A redirect to another path or host is followed.
    let other = Host::new(|request, stream| file(directory(), request, stream, true));
    let host = to(format!("{}/{MANIFEST}", other.address));
    fetch(&host.address, TempDir::new().unwrap().path()).unwrap();
}

#[test]
fn silent_and_slow_hosts() {
    let silent = Host::new(|_, _| {
        sleep(Duration::from_secs(20));
        Ok(())
    });
    let error = fails(&silent.address, LARGEST, &["nothing came for 1.5 s"]);
    assert!(matches!(error, FetchError::Request { problem: Problem::Silence(_), .. }));
    table_fails(&["nothing came for 1.5 s"], |_, bytes, stream| {
        write(stream, "200 OK", &[length(bytes.len())], &bytes[..4097])?;
        sleep(Duration::from_secs(20));
        Ok(())
    });
    // Each byte comes in time, and all of them never.
    let drip = |bytes: usize, stream: &mut TcpStream| {
        write(stream, "200 OK", &[length(bytes)], b"")?;
        for _ in 0..bytes {
            stream.write_all(b" ")?;
            sleep(Duration::from_millis(100));
        }
        Ok(())
    };
    let options = Options { timeout: Duration::from_millis(400), attempts: 1, ..options() };
    let slow = |host: &Host, says: &str| {
        let out = TempDir::new().unwrap();
        let error = fetch_with(&host.address, out.path(), &options, &Unobserved).unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
        assert!(!out.path().join(LARGEST).exists());
    };
    let host = except("index.html", move |_, _, stream| drip(500, stream));
    slow(&host, "too slow: the body took more than 1.6 s");
    let of_site = site(|_| {});
    let served = of_site.path().to_owned();
    let host = Host::new(move |request, stream| {
        if request.path.starts_with("parts/") {
            let bytes = fs::read(served.join(&request.path))?;
            return drip(bytes.len(), stream);
        }
        file(&served, request, stream, true)
    });
    slow(&host, "too slow: the body took more than");
}

#[test]
fn an_interruption_ends_requests_that_wait_for_the_host() {
    /// Interrupts after a moment.
    struct Moment(Instant);
    impl Observer for Moment {
        fn interrupted(&self) -> bool {
            self.0.elapsed() > Duration::from_millis(300)
        }
    }
    let silent = |name: &'static str| {
        except(name, |_, _, stream| {
            write(stream, "200 OK", &[], b"x")?;
            sleep(Duration::from_secs(20));
            Ok(())
        })
    };
    for name in ["index.html", MANIFEST, LARGEST] {
        let (host, out) = (silent(name), TempDir::new().unwrap());
        let options = Options { timeout: Duration::from_secs(15), ..options() };
        let started = Instant::now();
        let stopped = fetch_with(&host.address, out.path(), &options, &Moment(started));
        assert!(matches!(stopped, Err(FetchError::Interrupted)));
        assert!(started.elapsed() < Duration::from_secs(5), "{name}: {:?}", started.elapsed());
    }
}

#[test]
fn other_content() {
    let error = table_fails(&["BLAKE3 differs"], |_, bytes, stream| {
        let mut changed = bytes.to_vec();
        changed[5000] ^= 1;
        write(stream, "200 OK", &[length(changed.len())], &changed)
    });
    assert!(matches!(error, FetchError::Digest { .. }));
    table_fails(&["coding \"gzip\""], |_, bytes, stream| {
        let coded = "Content-Encoding: gzip".to_owned();
        write(stream, "200 OK", &[length(bytes.len()), coded], bytes)
    });
    table_fails(&["status 500"], |_, _, stream| {
        write(stream, "500 Internal Server Error", &[length(0)], b"")
    });
    let error = table_fails(&["status 404"], |_, _, stream| {
        write(stream, "404 Not Found", &[length(0)], b"")
    });
    assert!(matches!(&error, FetchError::Request { problem, .. } if problem.is_absence()));
    let page = b"\n<!doctype html><title>Welcome</title>";
    let host =
        except(MANIFEST, move |_, _, stream| write(stream, "200 OK", &[length(page.len())], page));
    fails(&host.address, LARGEST, &[MANIFEST, "a page of HTML, and not a manifest"]);
    let host = Host::new(move |_, stream| write(stream, "200 OK", &[length(page.len())], page));
    fails(&host.address, LARGEST, &[MANIFEST, "a page of HTML"]);
    let host = Host::new(|_, stream| write(stream, "404 Not Found", &[length(0)], b""));
    let error = fails(&host.address, LARGEST, &["no site of anser, and no manifest"]);
    assert!(matches!(&error, FetchError::NoTables { sought, .. } if sought[..] == [MANIFEST]));
    let host = Host::new(|_, stream| stream.write_all(b"SSH-2.0-OpenSSH_9.2\r\n"));
    fails(&host.address, LARGEST, &["index.html"]);
}

#[test]
fn wrong_ranges() {
    // The first answer is cut off, and the rest has another range than the requested one.
    for range in ["bytes 0-99/100", "bytes 5000-6000/99999999", "nonsense", ""] {
        table_fails(
            &["sent the range", "instead of \"bytes 5000-"],
            move |request, bytes, stream| {
                if request.from.is_none() {
                    return write(stream, "200 OK", &[length(bytes.len())], &bytes[..5000]);
                }
                let rest = &bytes[5000..];
                let range = format!("Content-Range: {range}");
                write(stream, "206 Partial Content", &[length(rest.len()), range], rest)
            },
        );
    }
    table_fails(&["sent the range"], |_, bytes, stream| {
        write(stream, "206 Partial Content", &[length(bytes.len())], bytes)
    });
}

/// The entry of the largest table.
fn entry(manifest: &mut Value) -> &mut Value {
    &mut manifest["tables"][LARGEST]
}

/// Gives the entry of the largest table another name.
fn rename(manifest: &mut Value, name: &str) {
    let entry = entry(manifest).take();
    manifest["tables"].as_object_mut().unwrap().remove(LARGEST);
    manifest["tables"][name] = entry;
}
const NAMED: &str = "is not the name of a table of fox-geese (rules first-capture)";

#[test]
fn manifests_that_lie() {
    let changed = |change: fn(&mut Value)| {
        let dir = copy();
        edit(&dir.path().join(MANIFEST), change);
        dir
    };
    let fails = |change: fn(&mut Value), says: &[&str]| {
        let dir = changed(change);
        let served = dir.path().to_owned();
        let host = Host::new(move |request, stream| file(&served, request, stream, true));
        fails(&host.address, LARGEST, says);
        fails(dir.path().to_str().unwrap(), LARGEST, says);
    };
    fails(|it| rename(it, "../fox-geese.first-capture.L05.wdl.anserz"), &[NAMED]);
    fails(|it| rename(it, "/tmp/fox-geese.first-capture.L05.wdl.anserz"), &[NAMED]);
    fails(|it| rename(it, "fox-geese.first-capture.L05.wdl.anserz/"), &[NAMED]);
    fails(|it| rename(it, "fox-geese.first-capture.L05.wdl.anserz\u{0}"), &[NAMED]);
    fails(|it| rename(it, "fox-geese.free.L05.wdl.anserz"), &[NAMED]);
    fails(|it| rename(it, "fox-geese.first-capture.L06.wdl.anserz"), &["of another table"]);
    fails(|it| it["game"] = "../fox-geese".into(), &["unlike its name"]);
    fails(|it| it["rules"] = "a/b".into(), &["unlike its name"]);
    fails(|it| it["format"] = 7.into(), &["format 7 is not known"]);
    fails(|it| it["tables"] = Value::Null, &[MANIFEST]);
    fails(|it| entry(it)["sha256"] = "0".repeat(64).into(), &["SHA-256 differs"]);
    fails(|it| entry(it)["payload_blake3"] = "0".repeat(64).into(), &["BLAKE3 of the values"]);
    fails(|it| entry(it)["bytes"] = (1_u64 << 60).into(), &["more of disk", "are free"]);
    fails(|it| entry(it)["bytes"] = 5000.into(), &["5000 are expected"]);
    // Sound digests of a file that is no sound table.
    let dir = copy();
    let path = dir.path().join(LARGEST);
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let digest = anser_table::manifest::FileDigest::of_file(&path).unwrap();
    edit(&dir.path().join(MANIFEST), |manifest| {
        entry(manifest)["blake3"] = digest.blake3.into();
        entry(manifest)["sha256"] = digest.sha256.into();
    });
    let address = dir.path().to_str().unwrap();
    let error = self::fails(address, LARGEST, &["the table is not usable"]);
    assert!(matches!(error, FetchError::Table { .. }));
}

/// Changes all files of a folder of a site.
fn each(site: &Path, folder: &str, change: fn(&mut Vec<u8>)) {
    for name in names(&site.join(folder)) {
        let path = site.join(folder).join(name);
        let mut bytes = fs::read(&path).unwrap();
        change(&mut bytes);
        fs::write(path, bytes).unwrap();
    }
}

#[test]
fn sites_that_lie() {
    let fails = |change: fn(&mut Value), says: &[&str]| {
        let site = site(change);
        let served = site.path().to_owned();
        let host = Host::new(move |request, stream| file(&served, request, stream, true));
        fails(&host.address, LARGEST, says);
        fails(site.path().to_str().unwrap(), LARGEST, says);
    };
    fails(|it| it["tables"][4]["name"] = "../x.first-capture.L05.wdl.anserz".into(), &[NAMED]);
    fails(
        |it| it["tables"][4]["name"] = "fox-geese.first-capture.L04.wdl.anserz".into(),
        &["twice"],
    );
    fails(|it| it["tables"][4]["header"] = "00".into(), &["the header is malformed"]);
    fails(|it| it["tables"][4]["header"] = "ff".repeat(50).into(), &["not a table"]);
    fails(|it| it["tables"][4]["parts"][1][0] = 1.into(), &["bytes"]);
    fails(|it| it["tables"][4]["parts"][1][0] = u64::MAX.into(), &["the parts are too long"]);
    fails(
        |it| it["tables"][4]["parts"][1][1] = "../../etc/passwd".into(),
        &["a part is malformed"],
    );
    fails(
        |it| it["tables"][4]["parts"][1][1] = "0123456789abcdef".into(),
        &["parts/0123456789abcdef.bin"],
    );
    fails(|it| it["game"] = "hexapawn:3x3".into(), &["it is of hexapawn:3x3"]);
    // The header of another layer.
    fails(|it| it["tables"][4] = Value::Null, &["not an index that this version reads"]);
    fails(
        |it| {
            let mut other = it["tables"][3].clone();
            other["name"] = LARGEST.into();
            it["tables"] = [other].into();
        },
        &["the table is not usable", "layer"],
    );
    let broken = |change: fn(&Path), says: &[&str]| {
        let site = site(|_| {});
        change(site.path());
        self::fails(site.path().to_str().unwrap(), LARGEST, says);
    };
    broken(|site| each(site, "parts", |bytes| bytes[0] ^= 1), &["the xxh3-64 differs"]);
    broken(|site| each(site, "parts", |bytes| bytes.push(0)), &["are expected"]);
    broken(|site| each(site, "data", |bytes| bytes[0] = b'['), &["the xxh3-64 differs"]);
    broken(|site| fs::remove_dir_all(site.join("data")).unwrap(), &["the site names it"]);
    broken(|site| fs::remove_dir_all(site.join("parts")).unwrap(), &[".bin"]);
    broken(
        |site| {
            let page = "<meta name=\"anser-site\" content=\"../../secrets\">";
            fs::write(site.join("index.html"), page).unwrap();
        },
        &["names no index"],
    );
}

#[test]
fn addresses() {
    for (address, says) in [
        ("", "an address or a directory is expected"),
        ("ftp://example.org/tables", "http:, https:, and file:"),
        ("file://example.org/tables", "names no host"),
        ("https:///tables", "the host is missing"),
        ("no/such/directory", "no/such/directory"),
        ("http://no-such-host.invalid/", "http://no-such-host.invalid/index.html"),
    ] {
        fails(address, LARGEST, &[says]);
    }
    // A password is not repeated in messages.
    let error =
        fails("http://me:secret@127.0.0.1:9/tables", LARGEST, &["http://127.0.0.1:9/tables/"]);
    assert!(!error.to_string().contains("secret"));
    let error = fails("ftp://me:secret@example.org/tables", LARGEST, &["ftp://example.org/tables"]);
    assert!(!error.to_string().contains("secret"));
}
