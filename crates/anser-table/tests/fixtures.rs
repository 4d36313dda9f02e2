//! A file of every format version ever written stays readable, and says what it always said.

use std::path::{Path, PathBuf};

use anser_core::fox_geese::{FoxGeese, RuleSet};
use anser_core::{Game, LayerIndex, Outcome, Side};
use anser_table::{Kind, PositionedReads, Table, Tablebase};

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

#[test]
fn version_1_is_read() {
    for (name, counts) in V1 {
        let table = Table::open(fixtures("v1").join(name), &PositionedReads).unwrap();
        table.verify().unwrap();
        assert_eq!(table.header().counts(), counts, "{name}");
        assert!(table.header().is_complete());
    }
}

#[test]
fn version_1_raw_and_packed_give_every_position_the_same_value() {
    let game = FoxGeese::new(RuleSet::FIRST_CAPTURE);
    let open = |name: &str| {
        let table = Table::open(fixtures("v1").join(name), &PositionedReads).unwrap();
        Tablebase::from_tables(game.clone(), [table])
    };
    let raw = open("fox-geese.first-capture.L04.wdl.anser");
    let packed = open("fox-geese.first-capture.L04.wdl.anserz");
    assert_eq!(raw.table(4).unwrap().header().kind(), Kind::Raw);
    assert_eq!(packed.table(4).unwrap().header().kind(), Kind::Packed);
    let index = game.index(4);
    let mut won_for_the_geese = 0;
    for side in Side::BOTH {
        for rank in 0..index.len(side) {
            let position = index.unrank(side, rank);
            let outcome = raw.probe(&position).unwrap();
            assert_eq!(packed.probe(&position).unwrap(), outcome, "{position}");
            if outcome == Outcome::Win(Side::Second) {
                won_for_the_geese += index.orbit(side, rank);
            }
        }
    }
    assert_eq!(won_for_the_geese, 40);
}
