//! Sound hosts: what is fetched is what was packed.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Mutex;

use anser_core::{Hunt, Unobserved};
use anser_fetch::{FetchError, Options, Plan, Selection};
use anser_games::Registry;
use anser_games::answers::FetchOrigin as Origin;
use anser_solve::{LockedDir, SolveOptions, solve};
use anser_table::manifest::{FileDigest, Manifest};
use anser_table::{TableName, Tablebase};
use tempfile::TempDir;

use crate::host::{Host, file, write};
use crate::tables::{
    LARGEST, MANIFEST, assert_fetched, copy, directory, edit, fetch, names, options, site,
};

#[test]
fn directories_and_sites_are_fetched_byte_for_byte_from_hosts_and_disks() {
    let of_site = site(|_| {});
    let served = of_site.path().to_owned();
    let hosts = [
        Host::new(|request, stream| file(directory(), request, stream, true)),
        Host::new(move |request, stream| file(&served, request, stream, true)),
    ];
    let mut addresses: Vec<String> =
        [directory(), of_site.path()].map(|dir| dir.display().to_string()).to_vec();
    addresses.push(format!("file://{}", directory().display()));
    addresses.push(of_site.path().join("index.html").display().to_string());
    addresses.push(directory().join(MANIFEST).display().to_string());
    for host in &hosts {
        addresses.extend([host.address.clone(), format!("{}/#a/position", host.address)]);
    }
    addresses.push(format!("{}/{MANIFEST}", hosts[0].address));
    addresses.push(format!("{}/index.html", hosts[1].address));
    for address in addresses {
        let root = TempDir::new().unwrap();
        let out = root.path().join("new/out");
        let fetched = fetch(&address, &out).unwrap_or_else(|error| panic!("{address}: {error}"));
        assert_eq!(fetched.len(), 5);
        assert!(fetched.iter().all(|table| !table.kept && table.fetched > 0), "{fetched:?}");
        assert_fetched(&out);
        let manifest = Manifest::load(&out.join(MANIFEST)).unwrap().unwrap();
        for (name, entry) in manifest.tables() {
            assert_eq!(entry.file, FileDigest::of_file(&out.join(name)).unwrap());
        }
        let game = Hunt::fox_geese("first-capture").unwrap();
        let tables = Tablebase::open(game.clone(), [&out]).unwrap();
        tables.probe_outcome(&game.parse_position("ggg/g2/7/3F3/3g3/3/3 f").unwrap()).unwrap();
        // Again: everything is kept, and no table is requested.
        let before = hosts.iter().map(|host| host.requests_of(".anserz").len()).sum::<usize>();
        let parts = hosts[1].requests_of(".bin").len();
        let again = fetch(&address, &out).unwrap();
        assert!(again.iter().all(|table| table.kept && table.fetched == 0), "{again:?}");
        assert_fetched(&out);
        let after = hosts.iter().map(|host| host.requests_of(".anserz").len()).sum::<usize>();
        assert_eq!((after, hosts[1].requests_of(".bin").len()), (before, parts));
    }
    // The run that solved a layer is known from a manifest, and not from a site.
    let out = TempDir::new().unwrap();
    fetch(directory().to_str().unwrap(), out.path()).unwrap();
    let lists = [out.path(), directory()].map(|dir| fs::read(dir.join(MANIFEST)).unwrap());
    assert!(lists[0] == lists[1]);
}

#[test]
fn a_selection_is_fetched_beside_tables_that_exist_and_the_manifests_are_merged() {
    let registry = Registry::standard();
    let out = TempDir::new().unwrap();
    let of_site = site(|_| {});
    let plan = |address: &std::path::Path, wanted: &Selection| {
        let address = address.to_str().unwrap();
        Plan::new(address, wanted, &registry, out.path(), &options(), &Unobserved)
    };
    let two = Selection { layers: Some(2..=3), ..Selection::default() };
    let planned = plan(directory(), &two).unwrap();
    assert_eq!((planned.origin(), planned.tables().len()), (Origin::Directory, 2));
    assert_eq!(planned.left(), planned.tables().iter().map(|table| table.bytes).sum::<u64>());
    planned.run(&Unobserved).unwrap();
    let all = plan(of_site.path(), &Selection::default()).unwrap();
    assert_eq!(all.origin(), Origin::Site);
    let left: Vec<bool> = all.tables().iter().map(|table| table.left > 0).collect();
    assert_eq!(left, [true, false, false, true, true]);
    all.run(&Unobserved).unwrap();
    assert_fetched(out.path());
    let manifest = Manifest::load(&out.path().join(MANIFEST)).unwrap().unwrap();
    assert_eq!(manifest.tables().count(), 5);
    assert!(
        manifest.tables().all(|(_, entry)| entry.run.is_some() == (2..=3).contains(&entry.layer))
    );
    for wanted in [
        Selection { layers: Some(9..=9), ..Selection::default() },
        Selection { rules: vec!["free".into()], ..Selection::default() },
        Selection { metric: Some(anser_table::Metric::Dtw), ..Selection::default() },
    ] {
        for place in [directory(), of_site.path()] {
            let error = plan(place, &wanted).unwrap_err();
            assert!(matches!(&error, FetchError::NotListed { .. }), "{error}");
            assert!(error.to_string().contains("fox-geese --rules first-capture"), "{error}");
        }
    }
}

#[test]
fn manifests_of_a_host_are_found_by_sums_or_by_the_names_of_games() {
    let registry = Registry::standard();
    let out = TempDir::new().unwrap();
    let copied = copy();
    let served = copied.path().to_owned();
    let host = Host::new(move |request, stream| file(&served, request, stream, true));
    let plan = || {
        let wanted = Selection::default();
        Plan::new(&host.address, &wanted, &registry, out.path(), &options(), &Unobserved)
    };
    assert_eq!(plan().unwrap().tables().len(), 5);
    let sought = host.requests_of(".manifest.json").len();
    assert!(sought > 20, "{sought}");
    let sums = format!("{:064x}  ./{MANIFEST}\n{:064x}  {LARGEST}\n", 0, 0);
    fs::write(copied.path().join("SHA256SUMS"), sums).unwrap();
    assert_eq!(plan().unwrap().tables().len(), 5);
    assert_eq!(host.requests_of(".manifest.json").len(), sought + 1);
}

#[test]
fn tables_that_exist_are_kept_replaced_or_left_alone() {
    let address = directory().to_str().unwrap();
    let out = TempDir::new().unwrap();
    fetch(address, out.path()).unwrap();
    // Damaged: the table is fetched again.
    let largest = out.path().join(LARGEST);
    let mut bytes = fs::read(&largest).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&largest, &bytes).unwrap();
    let fetched = fetch(address, out.path()).unwrap();
    assert_eq!(fetched.iter().filter(|table| !table.kept).count(), 1);
    assert_fetched(out.path());
    // Not a table: it is left alone.
    fs::write(&largest, "notes").unwrap();
    let error = fetch(address, out.path()).unwrap_err().to_string();
    assert!(error.contains(LARGEST), "{error}");
    assert_eq!(fs::read(&largest).unwrap(), b"notes");
    // Sound, with other values than the manifest says: it is left alone.
    fs::copy(directory().join(LARGEST), &largest).unwrap();
    let other = copy();
    edit(&other.path().join(MANIFEST), |manifest| {
        manifest["tables"][LARGEST]["payload_blake3"] = "0".repeat(64).into();
    });
    let error = fetch(other.path().to_str().unwrap(), out.path()).unwrap_err();
    assert!(matches!(error, FetchError::OtherValues { .. }), "{error}");
    assert_fetched(out.path());
    // Sound, and of another layer than its name says: it is left alone.
    let smaller = LARGEST.replace("L05", "L04");
    assert_ne!(smaller, LARGEST);
    let smaller = fs::read(directory().join(smaller)).unwrap();
    fs::write(&largest, &smaller).unwrap();
    let error = fetch(address, out.path()).unwrap_err();
    assert!(matches!(error, FetchError::Directory(_)), "{error}");
    assert!(error.to_string().contains(LARGEST), "{error}");
    assert!(fs::read(&largest).unwrap() == smaller, "it was changed");
}

#[test]
fn runs_of_the_solver_keep_unfinished_tables() {
    let out = TempDir::new().unwrap();
    let name = TableName::parse(LARGEST).unwrap();
    let unfinished = LockedDir::unfinished(out.path(), &name, 7);
    fs::write(&unfinished, "half a table").unwrap();
    let options = SolveOptions { layers: Some(1..=1), ..SolveOptions::new(out.path()) };
    solve(&Hunt::default(), &options, &Unobserved).unwrap();
    assert_eq!(fs::read(&unfinished).unwrap(), b"half a table");
}

#[test]
fn hosts_that_fail_once_are_asked_again() {
    let of_site = site(|_| {});
    for dir in [directory().to_owned(), of_site.path().to_owned()] {
        let failed = Mutex::new(BTreeSet::new());
        let host = Host::new(move |request, stream| {
            if failed.lock().unwrap().insert(request.path.clone()) {
                let length = ["Content-Length: 0".to_owned()];
                return write(stream, "503 Service Unavailable", &length, b"");
            }
            file(&dir, request, stream, true)
        });
        let out = TempDir::new().unwrap();
        fetch(&host.address, out.path()).unwrap();
        assert_fetched(out.path());
    }
}

#[test]
fn the_digest_of_a_manifest_is_compared() {
    let sha256 = FileDigest::of_file(&directory().join(MANIFEST)).unwrap().sha256;
    let registry = Registry::standard();
    let of_site = site(|_| {});
    let plan = |place: &std::path::Path, sha256: &str| {
        let options = Options { sha256: Some(sha256.to_owned()), ..options() };
        let (address, wanted) = (place.to_str().unwrap(), Selection::default());
        Plan::new(address, &wanted, &registry, "none", &options, &Unobserved).map(|plan| {
            assert_eq!(plan.lists()[0].sha256, sha256.to_lowercase());
        })
    };
    plan(directory(), &sha256).unwrap();
    plan(directory(), &sha256.to_uppercase()).unwrap();
    let error = plan(directory(), &"0".repeat(64)).unwrap_err();
    assert!(matches!(error, FetchError::Digest { what: "SHA-256", .. }), "{error}");
    let error = plan(of_site.path(), &sha256).unwrap_err();
    assert!(matches!(error, FetchError::Address { .. }), "{error}");
}

#[test]
fn a_directory_that_another_process_writes_to_is_left_alone() {
    let out = TempDir::new().unwrap();
    let _locked = anser_solve::LockedDir::lock(out.path()).unwrap();
    let error = fetch(directory().to_str().unwrap(), out.path()).unwrap_err();
    assert!(error.to_string().contains("another process writes tables"), "{error}");
    assert!(names(out.path()).iter().all(|name| TableName::parse(name).is_none()));
}
