//! `anser fetch`: what `anser pack` and `anser site` write is fetched, and a killed run is resumed.
//! `anser-fetch` tests hosts that are broken or hostile.

#[cfg(feature = "fetch")]
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::support::{Ran, anser};

/// Runs `anser fetch` into a directory.
fn fetch(from: &str, out: &Path, more: &[&str]) -> Ran {
    let mut command = anser(["fetch", from, "--out"]);
    Ran::new(&command.arg(out).args(more).output().expect("anser runs"))
}

#[test]
#[cfg(not(feature = "fetch"))]
fn a_build_without_it_says_how_to_build_it() {
    let out = TempDir::new().unwrap();
    for more in [&["--json"][..], &["--no-such-option"]] {
        let ran = fetch("https://example.org", out.path(), more);
        ran.fails_in_a_line(
            2,
            &["has no `fetch`", "cargo build --release -p anser --features fetch"],
        );
    }
}

#[cfg(feature = "fetch")]
mod built {
    use std::io::{BufRead, BufReader, Write};
    use std::net::{TcpListener, TcpStream};
    use std::process::{Command, Stdio};
    use std::sync::{Arc, Mutex};
    use std::thread;
    use std::time::{Duration, Instant};

    use anser_games::answers::{FetchAnswer, Versioned};
    use serde_json::json;

    use super::*;
    use crate::schema::Schema;
    use crate::support::{CAPTURE, binary, probe, skip, tables};

    /// Packs the tables of the tests into a directory.
    fn packed() -> TempDir {
        let dir = TempDir::new().unwrap();
        let mut command = anser(["pack", "--rules", "free", "--tables"]);
        Ran::new(&command.arg(tables()).arg("--out").arg(dir.path()).output().unwrap()).text();
        dir
    }

    /// Asserts that the tables of a directory are those that were packed.
    #[track_caller]
    fn assert_same(out: &Path, packed: &Path) {
        for layer in 1..=5 {
            let name = format!("fox-geese.free.L{layer:02}.wdl.anserz");
            assert!(fs::read(out.join(&name)).unwrap() == fs::read(packed.join(&name)).unwrap());
        }
    }

    #[test]
    fn packed_tables_are_fetched_and_answer() {
        let (packed, out) = (packed(), TempDir::new().unwrap());
        let from = packed.path().to_str().unwrap();
        let planned = fetch(from, out.path(), &["--dry-run", "--json"]).json();
        assert_eq!(planned["tables"][4]["state"], "missing");
        assert_eq!(fs::read_dir(out.path()).unwrap().count(), 0);
        let answer = fetch(from, out.path(), &["--json"]).json();
        for answer in [&planned, &answer] {
            Schema::of_answers().check("fetch", answer).unwrap();
            let read: Versioned<FetchAnswer> = serde_json::from_value(answer.clone()).unwrap();
            assert_eq!(serde_json::to_value(&read).unwrap(), *answer);
        }
        assert_eq!((&answer["origin"], &answer["bytes"]), (&json!("directory"), &planned["bytes"]));
        assert_eq!(answer["tables"][4]["state"], "fetched");
        assert_same(out.path(), packed.path());
        probe(CAPTURE, out.path(), &[]).text();
        let text = fetch(from, out.path(), &[]);
        assert!(text.text().contains("0 B fetched in 0 tables, 5 kept"), "{}", text.out);
        // The SHA-256 of the answer is that which --sha256 compares.
        let sha256 = answer["lists"][0]["sha256"].as_str().unwrap();
        fetch(from, out.path(), &["--sha256", sha256]).text();
        fetch(from, out.path(), &["--sha256", &"0".repeat(64)]).fails_in_a_line(3, &["SHA-256"]);
        fetch(from, out.path(), &["--sha256", "0"]).fails(2, &["64 hexadecimal digits"]);
        fetch(from, out.path(), &["--layers", "9"])
            .fails_in_a_line(1, &["has fox-geese --rules free"]);
        let empty = TempDir::new().unwrap();
        let from = empty.path().to_str().unwrap();
        fetch(from, out.path(), &[]).fails_in_a_line(1, &["no manifest of tables", "anser pack"]);
        fetch("gopher://h/", out.path(), &[]).fails_in_a_line(2, &["http:, https:, and file:"]);
        fetch("http://127.0.0.1:1/", out.path(), &[]).fails_in_a_line(4, &["connection failed"]);
    }

    #[test]
    fn a_site_gives_its_tables_back_byte_for_byte() {
        let Ok(package) = std::env::var("ANSER_FZSTD") else {
            return skip("no site is made: ANSER_FZSTD names no package of fzstd");
        };
        let (packed, site, out) = (packed(), TempDir::new().unwrap(), TempDir::new().unwrap());
        let mut command = anser(["site", "--fzstd", &package, "--tables"]);
        command.arg(packed.path()).arg("--out").arg(site.path());
        Ran::new(&command.output().expect("anser runs")).text();
        let answer = fetch(site.path().to_str().unwrap(), out.path(), &["--json"]).json();
        assert_eq!(answer["origin"], "site");
        assert_same(out.path(), packed.path());
        let verified = Ran::new(&anser(["verify", "--tables"]).arg(out.path()).output().unwrap());
        verified.text();
    }

    #[test]
    fn a_file_that_is_not_there_is_reported_with_what_to_check() {
        let (packed, out) = (packed(), TempDir::new().unwrap());
        let advice = "check the path, or whether the copy there is complete";
        fetch("no/such/directory", out.path(), &[]).fails_in_a_line(1, &["No such file", advice]);
        std::fs::remove_file(packed.path().join("fox-geese.free.L05.wdl.anserz")).unwrap();
        let from = packed.path().to_str().unwrap();
        fetch(from, out.path(), &[]).fails(1, &["free.L05", "No such file", advice]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_disk_that_is_too_small_is_refused_before_anything_is_written() {
        let (packed, out) = (packed(), TempDir::new().unwrap());
        let path = out.path().to_str().unwrap();
        let script = format!(
            "mount -t tmpfs -o size=32k none {path} || exit 77
             {anser} fetch {from} --out {path}; echo full $?; ls {path} | wc -l
             mount -o remount,size=8m {path}
             {anser} fetch {from} --out {path} > /dev/null; echo after $?
             cat {path}/*.L05.wdl.anserz | cmp - {from}/fox-geese.free.L05.wdl.anserz; echo same $?",
            anser = binary(),
            from = packed.path().display(),
        );
        let Ok(output) = Command::new("unshare").args(["-rm", "sh", "-c", &script]).output() else {
            return skip("unshare is not installed");
        };
        let ran = Ran::new(&output);
        if ran.code != 0 || !ran.out.contains("full") {
            return skip(&format!("file systems cannot be mounted: {}", ran.err));
        }
        assert_eq!(ran.out, "full 4\n0\nafter 0\nsame 0\n", "{}", ran.err);
        assert!(ran.err.contains("more of disk") && ran.err.contains("--layers"), "{}", ran.err);
    }

    /// The requests of a host: paths, and offsets of ranges.
    type Requests = Arc<Mutex<Vec<(String, usize)>>>;

    /// Serves a directory with 2 KiB every 20 ms; returns the address and the requests.
    fn slow_host(dir: &Path) -> (String, Requests) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let requests = Requests::default();
        let (log, dir) = (Arc::clone(&requests), dir.to_owned());
        let answer = move |mut stream: TcpStream, log: &Mutex<Vec<(String, usize)>>, dir: &Path| {
            let lines = BufReader::new(stream.try_clone()?).lines().map_while(Result::ok);
            let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            let name = head[0].split(' ').nth(1).unwrap()[1..].to_owned();
            let range = head.iter().find_map(|line| {
                line.to_lowercase().strip_prefix("range: bytes=")?.strip_suffix('-')?.parse().ok()
            });
            let from = range.unwrap_or(0);
            log.lock().unwrap().push((name.clone(), from));
            let Ok(bytes) = fs::read(dir.join(name)) else {
                return stream.write_all(
                    b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                );
            };
            let (all, rest) = (bytes.len(), &bytes[from..]);
            let status = match from {
                0 => "200 OK".to_owned(),
                _ => {
                    format!("206 Partial Content\r\nContent-Range: bytes {from}-{}/{all}", all - 1)
                }
            };
            let length = rest.len();
            write!(
                stream,
                "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
            )?;
            for some in rest.chunks(2048) {
                stream.write_all(some)?;
                thread::sleep(Duration::from_millis(20));
            }
            Ok(())
        };
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (log, dir) = (Arc::clone(&log), dir.clone());
                thread::spawn(move || answer(stream.unwrap(), &log, &dir));
            }
        });
        (address, requests)
    }

    #[test]
    fn a_killed_run_leaves_complete_tables_alone_and_is_resumed() {
        let (packed, out) = (packed(), TempDir::new().unwrap());
        let (address, requests) = slow_host(packed.path());
        let mut child = Command::new(binary())
            .args(["fetch", &address, "--game", "fox-geese", "--rules", "free", "--out"])
            .arg(out.path())
            .args(["--connections", "1"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The first table is complete, and another has begun.
        let started = Instant::now();
        let tables = |requests: &[(String, usize)]| {
            requests.iter().filter(|(name, _)| name.ends_with(".anserz")).count()
        };
        while tables(&requests.lock().unwrap()) < 3 {
            assert!(started.elapsed() < Duration::from_mins(1), "{:?}", requests.lock().unwrap());
            thread::sleep(Duration::from_millis(5));
        }
        thread::sleep(Duration::from_millis(45));
        child.kill().unwrap();
        child.wait().unwrap();
        for name in fs::read_dir(out.path()).unwrap() {
            let name = name.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".anserz") && !name.starts_with('.') {
                let [fetched, made] =
                    [out.path(), packed.path()].map(|dir| fs::read(dir.join(&name)));
                assert!(fetched.unwrap() == made.unwrap(), "{name}");
            }
        }
        // Other commands see complete tables alone.
        let info = Ran::new(&anser(["info", "--json"]).arg(out.path()).output().unwrap()).json();
        assert!(!info.to_string().contains(".part"), "{info}");
        let before = requests.lock().unwrap().len();
        let answer =
            fetch(&address, out.path(), &["--game", "fox-geese", "--rules", "free", "--json"]);
        let answer = answer.json();
        assert_same(out.path(), packed.path());
        let states: Vec<&str> = answer["tables"]
            .as_array()
            .unwrap()
            .iter()
            .map(|table| table["state"].as_str().unwrap())
            .collect();
        assert_eq!(&states[..2], ["kept", "kept"], "{states:?}");
        let again = requests.lock().unwrap()[before..].to_vec();
        assert_eq!(tables(&again), states.iter().filter(|&&state| state == "fetched").count());
        assert!(again.iter().any(|(name, from)| name.contains("L03") && *from > 0), "{again:?}");
    }
}
