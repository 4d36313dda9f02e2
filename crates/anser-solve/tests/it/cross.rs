//! Fox-and-Geese in the numbering of any hunt: the engine of sets finds the values that the engine
//! of the cross finds, at every position, alone as well as on ranks (whose tests are in the crate).

use std::collections::BTreeSet;

use anser_core::hunt::FOX_GEESE_RULES;
use anser_core::{BySide, Hunt, LayerIndex};
use anser_solve::{SolveOptions, Unobserved, solve};
use anser_table::{Metric, PositionedReads, Table};
use rayon::prelude::*;
use tempfile::TempDir;

use crate::support::files::outcomes;
use crate::support::runs::table_of;

/// Returns Fox-and-Geese on a board twice as large, which is no cross to the program.
fn enlarged(rules: &str) -> Hunt {
    let mut description = Hunt::fox_geese(rules).unwrap().description().clone();
    for point in &mut description.points {
        (point.x, point.y) = (2 * point.x, 2 * point.y);
    }
    let game = Hunt::new(description).unwrap();
    assert_eq!(game.index(1).scheme().name, "hunt");
    game
}

/// Solves the layers up to one, by this engine.
fn solve_by(engine: &str, game: &Hunt, last: u16, metric: Metric) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let options = SolveOptions {
        layers: Some(*game.layers().start()..=last),
        metrics: metric.into(),
        threads: Some(2),
        ..SolveOptions::new(dir.path())
    };
    let solved = solve(game, &options, &Unobserved).unwrap();
    let engines: BTreeSet<&str> = solved.finished.iter().map(|of| &*of.run.engine).collect();
    assert_eq!(engines, BTreeSet::from([engine]), "{}", game.rules_id());
    dir
}

/// Reads the values of a layer.
fn codes(game: &Hunt, dir: &TempDir, layer: u16, metric: Metric) -> BySide<Vec<u16>> {
    let path = dir.path().join(table_of(game, layer, metric));
    if metric == Metric::Wdl {
        return outcomes(&path).map(|codes| codes.into_iter().map(u16::from).collect());
    }
    let table = Table::open(&path, &PositionedReads).unwrap();
    BySide::from_fn(|side| {
        let mut codes = vec![0; table.header().entries()[side] as usize];
        assert!(table.read_codes(side, 0, &mut codes).unwrap());
        codes
    })
}

/// Compares both engines at every position up to a layer, under rule sets that the engine of sets
/// knows.
fn same_values(last: u16, rules: &[&str]) {
    for (rules, metric) in rules.iter().flat_map(|rules| Metric::ALL.map(|metric| (rules, metric)))
    {
        let (cross, enlarged) = (Hunt::fox_geese(rules).unwrap(), enlarged(rules));
        let by_cross = if metric == Metric::Wdl { "cross" } else { "cross-distances" };
        let of_cross = solve_by(by_cross, &cross, last, metric);
        let of_sets = solve_by("sets", &enlarged, last, metric);
        for layer in *enlarged.layers().start()..=last {
            let (index, other) = (cross.index(layer), enlarged.index(layer));
            let expected = codes(&cross, &of_cross, layer, metric);
            let found = codes(&enlarged, &of_sets, layer, metric);
            for (side, expected) in expected.iter() {
                let differs = |&rank: &usize| {
                    let position = index.unrank(side, rank as u64);
                    found[side][other.rank(&position) as usize] != expected[rank]
                };
                let wrong = (0..expected.len()).into_par_iter().find_first(differs);
                assert_eq!(wrong, None, "{rules}, layer {layer}, {metric}, {side:?}");
            }
        }
        println!("{rules}, {metric}: layers up to {last} have the same values");
    }
}

/// Returns the rule sets that the engine of sets knows.
fn known() -> Vec<&'static str> {
    let suits = |rules: &&str| !(rules.contains("chain") && rules.contains("compulsory"));
    let known: Vec<&str> = FOX_GEESE_RULES.into_iter().filter(suits).collect();
    assert_eq!(known.len(), 14);
    known
}

#[test]
fn the_engine_of_sets_finds_the_values_of_that_of_the_cross() {
    let mut some = known();
    some.retain(|rules| !rules.contains("orthogonal"));
    same_values(4, &some);
}

#[test]
#[ignore = "takes many minutes"]
fn the_engine_of_sets_finds_nine_layers_of_the_cross() {
    same_values(9, &known());
}
