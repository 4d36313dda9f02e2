//! The counts of another program that certified tables (`data/results/certified.csv`) are those of
//! the kept results of full runs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the greatest distance of a side's wins; -1 if there are none.
fn longest(depths: &Value) -> i64 {
    let depths = depths.as_object().expect("the distances of a side");
    depths.keys().map(|plies| plies.parse().expect("a number of plies")).max().unwrap_or(-1)
}

#[test]
fn certified_counts_are_those_of_the_kept_results() {
    let record = fs::read_to_string(root().join("data/results/certified.csv")).unwrap();
    let mut lines = record.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let columns = lines.next().expect("the names of the columns");
    let mut layers: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for line in lines {
        assert_eq!(line.len(), columns.len(), "{line:?}");
        let text = |column: &str| line[columns.iter().position(|&name| name == column).unwrap()];
        let number = |column: &str| text(column).parse::<i64>().expect("a number");
        assert_eq!(text("verdict"), "certified");

        let rules = format!("{} {}", text("game"), text("rules"));
        let (path, few, many) = match &*rules {
            "bagh-chal standard" => {
                ("crates/anser-games/results/bagh-chal-standard-dtw.json", "tigers", "goats")
            }
            "fox-geese free" => {
                ("crates/anser-games/results/fox-geese-free-dtw.json", "fox", "geese")
            }
            "fox-geese first-capture" => {
                ("crates/anser-games/results/fox-geese-first-capture-dtw.json", "fox", "geese")
            }
            rules => panic!("{rules}: no kept results"),
        };
        let kept = fs::read_to_string(root().join(path)).unwrap();
        let kept: Value = serde_json::from_str(&kept).unwrap();
        let layer = number("layer") as u64;
        let kept = kept["layers"].as_array().unwrap().iter().find(|kept| kept["layer"] == layer);
        let kept = &kept.expect("a kept layer")["to_move"];
        let mut positions = 0;
        for (to_move, side) in [("few", few), ("many", many)] {
            let kept = &kept[side];
            for (winner, outcome) in [("few", few), ("draw", "draw"), ("many", many)] {
                let counted = number(&format!("{to_move}_to_move_{winner}"));
                assert_eq!(
                    kept["outcomes"][outcome], counted,
                    "{rules} {layer}: {to_move} {winner}"
                );
                positions += counted;
                if winner != "draw" {
                    let counted = number(&format!("{to_move}_to_move_longest_{winner}"));
                    assert_eq!(longest(&kept["depths"][outcome]), counted, "{rules} {layer}");
                }
            }
        }
        assert_eq!(positions, number("positions"));
        layers.entry(rules).or_default().push(layer);
    }
    // A certificate presupposes those of the layers below.
    assert!(!layers.is_empty());
    for (rules, layers) in layers {
        let first = layers[0];
        assert!(first == if rules.starts_with("bagh-chal") { 16 } else { 1 }, "{rules}: {first}");
        assert!(
            layers.iter().copied().eq(first..first + layers.len() as u64),
            "{rules}: {layers:?}"
        );
    }
}
