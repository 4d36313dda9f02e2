//! Files of the format stay readable, and say what they always said. Their games follow from the
//! files alone.

use std::path::{Path, PathBuf};

use anser_core::{BySide, Dtw, Hunt, LayerIndex, Outcome, Side};
use anser_table::{Kind, PositionedReads, Table, Tablebase};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/fixtures/v1")
}

fn open(name: &str) -> Table {
    Table::open(fixtures().join(name), &PositionedReads).unwrap()
}

/// Opens a table as one of the game that it describes.
fn tablebase(name: &str) -> Tablebase {
    let table = open(name);
    Tablebase::from_tables(table.hunt().unwrap(), [table])
}

/// File, and counts of positions by side to move and outcome. Those of Fox-and-Geese are the
/// oracle's.
const FILES: [(&str, [[u64; 3]; 2]); 9] = [
    ("fox-geese.first-capture.L04.wdl.anser", [[473_325, 713_351, 4], [69_361, 1_117_283, 36]]),
    ("fox-geese.first-capture.L04.wdl.anserz", [[473_325, 713_351, 4], [69_361, 1_117_283, 36]]),
    ("fox-geese.first-capture.L29.dtw.anser", [[41_412, 0, 122_268], [2_880, 0, 160_800]]),
    ("fox-geese.first-capture.L29.dtw.anserz", [[41_412, 0, 122_268], [2_880, 0, 160_800]]),
    ("fox-geese.free.L05.wdl.anserz", [[169_584, 6_475_704, 120], [28, 6_644_220, 1_160]]),
    ("hare-hounds.budget-60.L30.dtw.anser", [[1_198, 0, 122], [1_004, 0, 316]]),
    ("hare-hounds.budget-60.L30.dtw.anserz", [[1_198, 0, 122], [1_004, 0, 316]]),
    ("hexapawn-3x3.standard.L08.wdl.anser", [[138, 0, 162], [162, 0, 138]]),
    ("hexapawn-3x3.standard.L08.wdl.anserz", [[138, 0, 162], [162, 0, 138]]),
];

#[test]
fn every_file_is_sound_and_has_its_counts() {
    let mut names: Vec<_> = std::fs::read_dir(fixtures())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, FILES.map(|(name, _)| name));
    for (name, counts) in FILES {
        let table = open(name);
        table.verify().unwrap();
        assert_eq!(table.header().counts().into_array(), counts, "{name}");
        assert!(table.header().is_complete());
    }
}

#[test]
fn every_file_describes_a_game_that_is_built_in() {
    let known = [
        Hunt::fox_geese("free").unwrap(),
        Hunt::fox_geese("first-capture").unwrap(),
        Hunt::hare_hounds("budget-60").unwrap(),
        Hunt::hexapawn("3x3".parse().unwrap()),
    ];
    for (name, _) in FILES {
        let game = open(name).hunt().unwrap();
        let is_same = |known: &&Hunt| known.fingerprint() == game.fingerprint();
        let known = known.iter().find(is_same).unwrap_or_else(|| panic!("{name}"));
        assert_eq!((known.name(), known.rules_id()), (game.name(), game.rules_id()));
    }
}

#[test]
fn raw_and_packed_tables_give_every_position_the_same_value() {
    for name in FILES.map(|(name, _)| name).into_iter().filter(|name| name.ends_with("anser")) {
        let (raw, packed) = (tablebase(name), tablebase(&format!("{name}z")));
        let layer = raw.layers().next().unwrap();
        assert_eq!(raw.table(layer).unwrap().header().kind(), Kind::Raw);
        assert_eq!(packed.table(layer).unwrap().header().kind(), Kind::Packed);
        let index = raw.game().index(layer);
        for side in Side::BOTH {
            let positions: Vec<_> =
                (0..index.len(side)).map(|rank| index.unrank(side, rank)).collect();
            let [raw, packed] = [&raw, &packed].map(|tables| {
                let values = tables.probe_many(&positions).into_iter();
                values.collect::<Result<Vec<_>, _>>().unwrap()
            });
            assert_eq!(raw, packed, "{name}");
        }
    }
}

#[test]
fn some_values_are_known() {
    let tables = tablebase("fox-geese.first-capture.L04.wdl.anserz");
    let index = tables.game().index(4);
    let mut won_for_the_geese = 0;
    for side in Side::BOTH {
        for rank in 0..index.len(side) {
            let outcome = tables.probe_outcome(&index.unrank(side, rank)).unwrap();
            if outcome == Outcome::Win(Side::Second) {
                won_for_the_geese += index.orbit(side, rank);
            }
        }
    }
    assert_eq!(won_for_the_geese, 40);
}

#[test]
fn distances_are_stored_with_one_side_to_move_and_have_their_longest_wins() {
    let tables = tablebase("fox-geese.first-capture.L29.dtw.anserz");
    let table = tables.table(29).unwrap();
    assert!(table.stores(Side::First) && !table.stores(Side::Second));
    // The oracle's: 3 and 12 plies with the fox to move, 2 and 11 with the geese.
    let longest = BySide::new(BySide::new(Some(3), Some(12)), BySide::new(Some(2), Some(11)));
    assert_eq!(table.header().longest(), Some(longest));
    let index = tables.game().index(29);
    let longest = (0..index.len(Side::First)).filter(|&rank| {
        let position = index.unrank(Side::First, rank);
        tables.probe_distance(&position).unwrap() == Dtw::win(Side::Second, 12)
    });
    assert!(longest.count() > 0);
}
