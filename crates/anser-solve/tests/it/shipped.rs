//! The shipped tables are sound and complete, and every value follows from the rules.

use std::path::{Path, PathBuf};

use anser_core::{Hunt, Side};
use anser_solve::{Unobserved, Verified, VerifyOptions, verify};
use anser_table::manifest::Manifest;
use anser_table::{PositionedReads, Tablebase};

fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../anser-games/tables")
}

fn check(rules: &str) {
    let game = Hunt::fox_geese(rules).unwrap();
    let options = VerifyOptions { well_founded: true, ..VerifyOptions::default() };
    let verified = verify(&game, &[shipped()], &options, &PositionedReads, &Unobserved).unwrap();
    assert_eq!(
        verified.iter().filter_map(Verified::layer).collect::<Vec<_>>(),
        [1, 2, 3, 4, 5, 6, 7]
    );
    for table in verified {
        assert!(table.problems.is_empty() && table.file.id() == "packed", "{rules}: {table:?}");
        assert!(table.full && table.rounds.is_some());
    }
    let manifest =
        Manifest::load(&shipped().join(Manifest::file_name("fox-geese", rules))).unwrap().unwrap();
    assert_eq!(manifest.tables().count(), 7);
    assert!(manifest.tables().all(|(_, table)| table.run.is_some()));

    let tables = Tablebase::open(game.clone(), [shipped()]).unwrap();
    for layer in tables.layers() {
        let header = tables.table(layer).unwrap().header();
        let counts = header.counts();
        for side in Side::BOTH {
            assert_eq!(counts[side].iter().sum::<u64>(), game.positions(layer, side));
            // All eight symmetries can fix a position only if the fox is on d4 and four divides the
            // number of geese.
            let even = game.symmetries() == 8 && layer % 4 != 0;
            assert!(
                !even || counts[side].iter().all(|count| count % 2 == 0),
                "{rules}, layer {layer}"
            );
        }
    }
}

#[test]
fn shipped_tables_of_free_are_sound_to_the_last_value() {
    check("free");
}

#[test]
fn shipped_tables_of_first_capture_are_sound_to_the_last_value() {
    check("first-capture");
}

#[test]
fn shipped_tables_of_forward_are_sound_to_the_last_value() {
    check("forward");
}
