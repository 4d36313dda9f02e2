//! A file of every format version ever written stays readable, and says what it always said.

use std::path::{Path, PathBuf};

use anser_core::fox_geese::{FoxGeese, RuleSet};
use anser_core::prelude::*;
use anser_core::{BySide, Dtw, Outcome, Side};
use anser_table::{Kind, Metric, PositionedReads, Table, Tablebase};

fn fixtures(version: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/fixtures").join(version)
}

/// File, and counts of positions by side to move and outcome, which are the oracle's.
const V1: [(&str, [[u64; 3]; 2]); 4] = [
    ("fox-geese.first-capture.L03.wdl.anser", [[163_680, 0, 0], [163_680, 0, 0]]),
    ("fox-geese.first-capture.L04.wdl.anser", [[473_325, 713_351, 4], [69_361, 1_117_283, 36]]),
    ("fox-geese.first-capture.L04.wdl.anserz", [[473_325, 713_351, 4], [69_361, 1_117_283, 36]]),
    ("fox-geese.free.L05.wdl.anserz", [[169_584, 6_475_704, 120], [28, 6_644_220, 1_160]]),
];

/// Only packed tables can be of version 2.
const V2: [(&str, [[u64; 3]; 2]); 2] = [V1[2], V1[3]];

/// Distances; the longest wins in plies are the oracle's too, 3 and 12 with the fox to move, 2 and
/// 11 with the geese.
const V3: [(&str, [[u64; 3]; 2]); 2] = [
    ("fox-geese.first-capture.L29.dtw.anser", [[41_412, 0, 122_268], [2_880, 0, 160_800]]),
    ("fox-geese.first-capture.L29.dtw.anserz", [[41_412, 0, 122_268], [2_880, 0, 160_800]]),
];

/// Distances with one side to move.
const V4: [(&str, [[u64; 3]; 2]); 1] = [V3[1]];

#[test]
fn every_version_is_read() {
    for (number, files) in [(1, &V1[..]), (2, &V2), (3, &V3), (4, &V4)] {
        for (name, counts) in files {
            let table =
                Table::open(fixtures(&format!("v{number}")).join(name), &PositionedReads).unwrap();
            table.verify().unwrap();
            assert_eq!(table.header().format_version(), number);
            assert_eq!(table.header().counts().into_array(), *counts, "{name}");
            assert!(table.header().is_complete());
        }
    }
}

/// The tables that were shipped while format 1 was the newest, as far as they are small. Those of
/// today are packed anew.
const SHIPPED_BEFORE: [&str; 11] = [
    "fox-geese.free.L01.wdl.anserz",
    "fox-geese.free.L02.wdl.anserz",
    "fox-geese.free.L03.wdl.anserz",
    "fox-geese.free.L04.wdl.anserz",
    "fox-geese.free.L05.wdl.anserz",
    "fox-geese.free.L06.wdl.anserz",
    "fox-geese.free.L07.wdl.anserz",
    "fox-geese.first-capture.L04.wdl.anserz",
    "fox-geese.first-capture.L05.wdl.anserz",
    "fox-geese.forward.L03.wdl.anserz",
    "fox-geese.forward.L04.wdl.anserz",
];

#[test]
fn shipped_tables_have_the_present_format_and_the_values_of_those_shipped_before() {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../anser-games/tables");
    for name in SHIPPED_BEFORE {
        let [old, new] = [fixtures("v1"), shipped.clone()]
            .map(|dir| Table::open(dir.join(name), &PositionedReads).unwrap());
        old.verify().unwrap();
        new.verify().unwrap();
        assert_eq!(
            (old.header().format_version(), new.header().format_version()),
            (1, 2),
            "{name}"
        );
        assert_eq!(old.header().payload_digest(), new.header().payload_digest(), "{name}");
        assert_eq!(old.header().counts(), new.header().counts(), "{name}");
        assert!(new.header().layout().file_len() <= old.header().layout().file_len(), "{name}");
    }
}

#[test]
fn raw_and_packed_tables_of_every_version_give_every_position_the_same_value() {
    let game = FoxGeese::new(RuleSet::FIRST_CAPTURE);
    let open = |version: &str, name: &str| {
        let table = Table::open(fixtures(version).join(name), &PositionedReads).unwrap();
        Tablebase::from_tables(game.clone(), [table])
    };
    let raw = open("v1", "fox-geese.first-capture.L04.wdl.anser");
    let packed =
        ["v1", "v2"].map(|version| open(version, "fox-geese.first-capture.L04.wdl.anserz"));
    assert_eq!(raw.table(4).unwrap().header().kind(), Kind::Raw);
    assert!(packed.iter().all(|packed| packed.table(4).unwrap().header().kind() == Kind::Packed));
    let index = game.index(4);
    let mut won_for_the_geese = 0;
    for side in Side::BOTH {
        for rank in 0..index.len(side) {
            let position = index.unrank(side, rank);
            let outcome = raw.probe_outcome(&position).unwrap();
            for packed in &packed {
                assert_eq!(packed.probe_outcome(&position).unwrap(), outcome, "{position}");
            }
            if outcome == Outcome::Win(Side::Second) {
                won_for_the_geese += index.orbit(side, rank);
            }
        }
    }
    assert_eq!(won_for_the_geese, 40);
}

#[test]
fn raw_and_packed_tables_of_distances_give_every_position_the_same_value() {
    let game = FoxGeese::new(RuleSet::FIRST_CAPTURE);
    let [raw, both, packed] =
        [("v3", V3[0]), ("v3", V3[1]), ("v4", V4[0])].map(|(of, (name, _))| {
            let table = Table::open(fixtures(of).join(name), &PositionedReads).unwrap();
            assert_eq!(table.header().metric(), Metric::Dtw);
            assert_eq!(
                table.header().longest(),
                Some(BySide::new(BySide::new(Some(3), Some(12)), BySide::new(Some(2), Some(11))))
            );
            Tablebase::from_tables(game.clone(), [table])
        });
    assert!(both.table(29).unwrap().stores(Side::Second));
    assert!(!packed.table(29).unwrap().stores(Side::Second));
    let index = game.index(29);
    let mut longest = 0;
    for side in Side::BOTH {
        for rank in 0..index.len(side) {
            let position = index.unrank(side, rank);
            let value = raw.probe_distance(&position).unwrap();
            assert_eq!(both.probe_distance(&position).unwrap(), value, "{position}");
            assert_eq!(packed.probe_distance(&position).unwrap(), value, "{position}");
            if value == Dtw::win(Side::Second, 12) {
                longest += index.orbit(side, rank);
            }
        }
    }
    assert!(longest > 0);
}
