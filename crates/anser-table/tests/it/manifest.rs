//! Manifests keep what they are given, and digests are those that common tools print.

use std::fs;

use anser_table::manifest::{FileDigest, Manifest, ManifestEntry, RunInfo};
use anser_table::{ErrorClass, Kind, Metric};

#[test]
fn digests_are_the_published_ones() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("abc");
    fs::write(&path, "abc").unwrap();
    let digest = FileDigest::of_file(&path).unwrap();
    assert_eq!(digest.bytes, 3);
    assert_eq!(digest.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_eq!(digest.blake3, "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85");
    let error = FileDigest::of_file(&directory.path().join("missing")).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Io);
}

#[test]
fn a_manifest_is_read_as_it_was_written() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(Manifest::file_name("hexapawn:3x3", "standard"));
    assert_eq!(Manifest::load(&path).unwrap(), None);

    let mut manifest = Manifest::new("hexapawn:3x3", "standard");
    let run = RunInfo { engine: "parallel".into(), rounds: 31, seconds: 12.5, threads: 2 };
    for (file, kind, run) in [("b.anserz", Kind::Packed, None), ("a.anser", Kind::Raw, Some(run))] {
        fs::write(directory.path().join(file), file).unwrap();
        let entry = ManifestEntry {
            layer: 6,
            metric: Metric::Wdl,
            kind,
            file: FileDigest::of_file(&directory.path().join(file)).unwrap(),
            payload_blake3: "00".repeat(32),
            run,
        };
        manifest.insert(file, entry);
    }
    fs::write(&path, manifest.to_json()).unwrap();
    let mut again = Manifest::load(&path).unwrap().unwrap();
    assert_eq!(again, manifest);
    assert_eq!(again.to_json(), manifest.to_json());
    assert_eq!(again.tables().map(|(file, _)| file).collect::<Vec<_>>(), ["a.anser", "b.anserz"]);
    assert_eq!(again.get("a.anser").unwrap().run.as_ref().unwrap().rounds, 31);
    assert!(again.remove("a.anser").is_some());
    assert!(again.get("a.anser").is_none());
}

#[test]
fn a_manifest_that_is_none_is_an_error_that_names_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("fox-geese.free.manifest.json");
    for text in
        ["", "{}", "[]", "{\"format\":1", r#"{"format":2,"game":"a","rules":"b","tables":{}}"#]
    {
        fs::write(&path, text).unwrap();
        let error = Manifest::load(&path).unwrap_err();
        assert_eq!(error.class(), ErrorClass::Corrupt);
        assert!(error.to_string().contains("fox-geese.free.manifest.json"), "{error}");
    }
}
