//! Wins must be well-founded: wins that only support each other pass the full check and fail this
//! one.

use std::fs;
use std::ops::RangeInclusive;

use anser_core::hunt::FOX_GEESE_RULES;
use anser_core::{Hunt, Outcome, Side, Value};
use anser_solve::{
    EngineChoice, Problem, SolveOptions, Unobserved, Verified, VerifyOptions, solve,
};
use anser_table::Kind;

use crate::blocks::SOME_RULES;
use crate::support::files::{check, outcomes, path, remove_manifest, solved};
use crate::support::tables::raw_table;

const WELL_FOUNDED: VerifyOptions =
    VerifyOptions { layers: None, full: false, well_founded: true, threads: Some(2), metric: None };
const FULL: VerifyOptions = VerifyOptions { full: true, well_founded: false, ..WELL_FOUNDED };

fn texts(table: &Verified) -> Vec<String> {
    table.problems.iter().map(Problem::to_string).collect()
}

/// Solves layers and checks that all values follow and all wins are well-founded. With the general
/// engine, also that this takes as many rounds as that engine, and without shortcuts.
fn solved_wins_are_well_founded(game: &Hunt, layers: RangeInclusive<u16>, engine: EngineChoice) {
    let dir = tempfile::tempdir().unwrap();
    let options = SolveOptions { layers: Some(layers), engine, ..SolveOptions::new(dir.path()) };
    let solved = solve(game, &options, &Unobserved).unwrap();
    let of_layers = |tables: Vec<Verified>, is_general: bool| {
        assert_eq!(tables.len(), solved.finished.len());
        for (layer, table) in solved.finished.iter().zip(tables) {
            let name = format!("{}, layer {}", game.rules_id(), layer.layer);
            assert!(table.full && table.problems.is_empty(), "{name}");
            assert_eq!(table.layer(), Some(layer.layer), "{name}");
            assert!(!is_general || table.rounds == Some(layer.run.rounds), "{name}");
        }
    };
    let is_general = engine == EngineChoice::General;
    of_layers(check(game, dir.path(), &WELL_FOUNDED), is_general);
    if is_general {
        of_layers(check(&game.without_shortcuts(), dir.path(), &WELL_FOUNDED), true);
    }
}

#[test]
fn the_wins_of_solved_tables_are_well_founded_under_every_rule_set() {
    for rules in FOX_GEESE_RULES {
        let game = Hunt::fox_geese(rules).unwrap();
        let top = if ["free", "first-capture"].contains(&rules) { 5 } else { 4 };
        solved_wins_are_well_founded(&game, 1..=top, EngineChoice::Best);
    }
    for rules in SOME_RULES {
        let game = Hunt::fox_geese(rules).unwrap();
        solved_wins_are_well_founded(&game, 1..=4, EngineChoice::General);
    }
}

#[test]
#[ignore = "takes minutes"]
fn the_wins_of_layer_6_are_well_founded_under_every_rule_set() {
    for rules in FOX_GEESE_RULES {
        let game = Hunt::fox_geese(rules).unwrap();
        solved_wins_are_well_founded(&game, 1..=6, EngineChoice::General);
    }
}

#[test]
fn draws_changed_to_wins_that_support_each_other_pass_the_full_check_and_are_not_well_founded() {
    // In a draw each side can only keep the draw or lose. If all draws become wins of one side,
    // every value still follows from its successors, although that side never wins. No move leaves
    // this layer.
    let (dir, game) = solved("first-capture", 4..=4);
    remove_manifest(&game, dir.path());
    let path = path(&game, dir.path(), 4, Kind::Raw);
    let sound = outcomes(&path);
    let draws = sound.as_array().iter().flatten().filter(|&&code| code == 0).count();
    assert!(draws > 1000);
    for (side, code) in [(Side::First, 1), (Side::Second, 2)] {
        let forged = sound
            .as_ref()
            .map(|codes| codes.iter().map(|&c| if c == 0 { code } else { c }).collect());
        fs::write(&path, raw_table(&game, 4, &forged).0).unwrap();
        let full = check(&game, dir.path(), &FULL).remove(0);
        assert_eq!((full.full, full.rounds, full.problems.len()), (true, None, 0));
        let table = check(&game, dir.path(), &WELL_FOUNDED).remove(0);
        assert_eq!((table.full, table.rounds, table.problems.len()), (true, None, 11));
        let says = format!(
            "is won for the {} in the table, but not in any number of moves",
            game.side_name(side)
        );
        let problems = texts(&table);
        assert!(problems[..10].iter().all(|problem| problem.ends_with(&says)), "{problems:?}");
        assert_eq!(problems[10], format!("and {} more", draws - 10));
        assert_eq!(
            texts(&check(&game.without_shortcuts(), dir.path(), &WELL_FOUNDED).remove(0)),
            problems
        );
        let value = |problem: &Problem| match problem {
            Problem::NotForced { stored, .. } => stored.value,
            _ => None,
        };
        let won = Value::from(Outcome::Win(side));
        assert!(
            table.problems[..10].iter().all(|problem| value(problem) == Some(won)),
            "{:?}",
            table.problems
        );
    }
}

#[test]
fn values_that_do_not_follow_are_reported_before_well_foundedness_is_checked() {
    let (dir, game) = solved("first-capture", 4..=4);
    remove_manifest(&game, dir.path());
    let path = path(&game, dir.path(), 4, Kind::Raw);
    let mut forged = outcomes(&path);
    forged[Side::First][1000] = (forged[Side::First][1000] + 1) % 3;
    fs::write(&path, raw_table(&game, 4, &forged).0).unwrap();
    let [full, well_founded] =
        [FULL, WELL_FOUNDED].map(|options| check(&game, dir.path(), &options).remove(0));
    assert!(texts(&full)[0].contains("its moves say"));
    assert_eq!((texts(&full), well_founded.rounds), (texts(&well_founded), None));
}
