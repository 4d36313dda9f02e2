//! Small hunts with every feature of a description: tables hold the values of the plain program,
//! and layers that play cannot return to are solved in one pass.

use std::collections::BTreeSet;
use std::path::Path;

use anser_core::hunt::{Condition, Description, EndRule, Hunt, hare_hounds};
use anser_core::{Dtw, Side};
use anser_oracle::{Game as _, Graph, plain};
use anser_solve::{
    EngineChoice, Metrics, PackOptions, SolveOptions, Solved, Unobserved, VerifyOptions, pack,
    plan, solve, verify,
};
use anser_table::{Metric, PositionedReads, Tablebase};
use tempfile::TempDir;

use crate::support::runs::tables;
use crate::support::{hunts, random_hunts};

fn options(dir: &Path, metrics: impl Into<Metrics>) -> SolveOptions {
    SolveOptions { metrics: metrics.into(), threads: Some(2), ..SolveOptions::new(dir) }
}

fn both() -> Metrics {
    Metrics::from_iter(Metric::ALL)
}

fn passes(solved: &Solved) -> BTreeSet<(Metric, &str)> {
    let reports = solved.finished.iter();
    reports.map(|report| (report.metric, &*report.run.engine)).collect()
}

/// Solves a game with both engines, packs it, compares every value with the plain program, and
/// returns by layer whether play can return to a position.
fn compare(description: &Description) -> BTreeSet<bool> {
    let text = description.to_string();
    let plain = anser_oracle::hunt::Hunt::read(&text);
    let game = Hunt::new(description.clone()).expect("a game");
    let [dir, outcomes, general, packed] =
        [(); 4].map(|()| tempfile::tempdir().expect("a temporary directory"));
    let solved = solve(&game, &options(dir.path(), both()), &Unobserved).expect("it is solved");
    for report in &solved.finished {
        let loopy = game.is_loopy(report.layer);
        // The engine of sets sees in a second round that nothing changes if one side can stay.
        let most = if report.run.engine == "sets" { 2 } else { 1 };
        assert!(loopy || report.run.rounds <= most, "{}, layer {}", game.name(), report.layer);
    }
    let in_memory =
        SolveOptions { engine: EngineChoice::General, ..options(general.path(), both()) };
    solve(&game, &in_memory, &Unobserved).expect("it is solved");
    assert!(tables(dir.path()) == tables(general.path()), "{}: the engines differ", game.name());
    // Outcomes alone are solved by values of their own.
    solve(&game, &options(outcomes.path(), Metric::Wdl), &Unobserved).expect("it is solved");
    let mut with_distances = tables(dir.path());
    with_distances.retain(|name, _| name.ends_with(".wdl.anser"));
    assert!(tables(outcomes.path()) == with_distances, "{}: outcomes alone differ", game.name());
    let smaller = PackOptions {
        from: vec![dir.path().to_owned()],
        out: packed.path().to_owned(),
        metric: None,
        threads: Some(2),
        ..PackOptions::default()
    };
    pack(&game, &smaller, &Unobserved).expect("it is packed");
    let full = VerifyOptions { full: true, well_founded: true, ..VerifyOptions::default() };
    for dir in [&dir, &packed] {
        let dirs = [dir.path().to_owned()];
        let verified = verify(&game, &dirs, &full, &PositionedReads, &Unobserved).expect("sound");
        assert!(verified.iter().all(|table| table.problems.is_empty()), "{verified:?}");
    }

    let read =
        |dir: &TempDir| Tablebase::open(game.clone(), [dir.path()]).expect("there are tables");
    let bases = [&dir, &packed].map(read);
    let mut positions = plain.arrangements();
    positions.retain(|position| game.parse_position(&plain.notation(position)).is_ok());
    let graph = Graph::of(&plain, positions);
    let values = graph.values_by_rounds();
    let mut compared = 0;
    for (position, &plain::Value { winner, plies }) in graph.positions.iter().zip(&values) {
        // A position after a capture that ends the game is no position of its own.
        if position.captured.is_some() {
            continue;
        }
        let text = plain.notation(position);
        let position = game.parse_position(&text).expect("a position");
        let expected = match winner {
            Some(side) => Dtw::win(Side::BOTH[side as usize], plies as u16),
            None => Dtw::DRAW,
        };
        let name = game.name();
        for base in &bases {
            let found = base.probe_distance(&position).expect("it is there");
            assert_eq!(found, expected, "{name} {text}");
            let outcome = base.probe_outcome(&position).expect("it is there");
            assert_eq!(outcome, expected.outcome(), "{name} {text}");
        }
        // In a layer without tables the game is over everywhere, and the rules answered.
        let is_solved = game.layers().contains(&game.layer(&position));
        assert!(is_solved || game.terminal(&position).is_some(), "{name} {text}");
        compared += u64::from(is_solved);
    }
    let positions = |layer| Side::BOTH.map(|side| game.positions(layer, side));
    assert_eq!(game.layers().flat_map(positions).sum::<u64>(), compared, "{}", game.name());
    game.layers().map(|layer| game.is_loopy(layer)).collect()
}

#[test]
fn tables_of_hunts_with_every_feature_hold_the_values_of_the_plain_program() {
    let mut kinds = BTreeSet::new();
    let hares = ["unlimited", "budget-9"].map(|rules| hare_hounds(rules).expect("a rule set"));
    for description in hunts::small().iter().chain(&hares) {
        kinds.insert(compare(description));
    }
    // Games with loops, without, and with both.
    assert_eq!(kinds.len(), 3, "{kinds:?}");
}

#[test]
fn tables_of_random_hunts_hold_the_values_of_the_plain_program() {
    random_hunts::random(400..500).for_each(|description| drop(compare(&description)));
}

/// Whether the engine of sets solves a layer of a game.
fn suits_sets(description: &Description) -> bool {
    let game = Hunt::new(description.clone()).expect("a game");
    let dir = tempfile::tempdir().expect("a temporary directory");
    let planned = plan(&game, &options(dir.path(), both())).expect("it can be planned");
    planned.engines().iter().any(|(engine, _)| *engine == "sets")
}

#[test]
fn the_engine_of_sets_solves_random_hunts_as_the_plain_program_does() {
    let mut solved = 0;
    for description in random_hunts::random(500..800).filter(suits_sets) {
        compare(&description);
        solved += 1;
    }
    assert!(solved > 10, "{solved} games");
}

#[test]
#[ignore = "takes minutes"]
fn tables_of_thousands_of_random_hunts_hold_the_values_of_the_plain_program() {
    random_hunts::random(20_000..24_000).for_each(|description| drop(compare(&description)));
}

#[test]
#[ignore = "takes minutes"]
fn the_engine_of_sets_solves_thousands_of_random_hunts_as_the_plain_program_does() {
    let suited = random_hunts::random(40_000..80_000).filter(suits_sets);
    suited.for_each(|description| drop(compare(&description)));
}

/// Returns a small game by its name.
fn small(name: &str) -> Description {
    let mut all = hunts::small().into_iter();
    all.find(|description| description.name == name).expect("it is there")
}

#[test]
fn entries_that_are_no_positions_have_no_longest_wins() {
    // After the last goat is lost the game is over: the tigers are never to move then.
    let mut gone = small("tigers");
    gone.sides[1].number = [0, 4];
    let none_left = Condition::Fewer(Side::Second, 1);
    gone.ends[0] = EndRule {
        after_placement: true,
        ..EndRule::new(none_left, Side::First, "no goat is left")
    };
    compare(&gone);
    gone.ends[0].after_placement = false;
    gone.ends[0].except_start = true;
    compare(&gone);
}

#[test]
fn entries_that_are_no_positions_have_values_that_their_table_can_store() {
    // With the tiger in hand and no goat left, the tiger would win in one ply. Play never gets
    // there, and the other values of the layer take two bits, in which this win has no code.
    let mut placed = small("placed");
    placed.ends[1].after_placement = false;
    placed.ends[2].winner = Side::Second;
    (placed.sides[1].number, placed.sides[1].hand) = ([0, 1], 0);
    placed.sides[1].start = vec![4];
    let none_left = Condition::Fewer(Side::Second, 1);
    placed.ends[0] = EndRule {
        after_placement: true,
        ..EndRule::new(none_left, Side::First, "no goat is left")
    };
    compare(&placed);
}

#[test]
fn a_capture_ends_the_game_whichever_end_is_tested_first() {
    for (condition, winner) in [
        (Condition::Blocked(Side::Second), Side::First),
        (Condition::Reached(Side::First, vec![4]), Side::Second),
    ] {
        let mut first = small("first");
        first.sides[1].number = [0, 5];
        let captured = first.ends.remove(0);
        assert_eq!(captured.condition, Condition::Captured(Side::First));
        let blocked = EndRule::new(Condition::Blocked(Side::Second), Side::First, "blocked");
        first.ends = vec![EndRule::new(condition, winner, "another end"), captured, blocked];
        compare(&first);
    }
}

#[test]
fn outcomes_and_distances_of_one_run_are_those_of_two() {
    for description in hunts::small() {
        let game = Hunt::new(description).expect("a game");
        let [once, twice] = [(); 2].map(|()| tempfile::tempdir().expect("a temporary directory"));
        let solved =
            solve(&game, &options(once.path(), both()), &Unobserved).expect("it is solved");
        assert!(
            passes(&solved)
                .iter()
                .all(|&(_, engine)| ["general-distances", "sets"].contains(&engine)),
            "one pass for each layer"
        );
        for metric in Metric::ALL {
            solve(&game, &options(twice.path(), metric), &Unobserved).expect("it is solved");
        }
        let once = tables(once.path());
        assert_eq!(once.len(), 2 * game.layers().count());
        assert!(once == tables(twice.path()), "{}", game.name());
    }
}

#[test]
fn an_engine_of_the_board_fills_both_metrics_in_one_pass_and_writes_the_bytes_of_the_general_ones()
{
    let game = Hunt::fox_hounds(4, "escape").expect("there is such a board");
    let layers = game.layers().count();
    let [own, general, forgot] =
        [(); 3].map(|()| tempfile::tempdir().expect("a temporary directory"));
    let planned = plan(&game, &options(own.path(), both())).expect("it can be planned");
    assert_eq!(planned.engines(), [("rows", layers)]);
    assert!(planned.passes.iter().all(|pass| pass.metrics == both()));
    let solved = solve(&game, &options(own.path(), both()), &Unobserved).expect("it is solved");
    assert!(passes(&solved).into_iter().eq([(Metric::Wdl, "rows"), (Metric::Dtw, "rows")]));
    for metric in Metric::ALL {
        let options =
            SolveOptions { engine: EngineChoice::General, ..options(general.path(), metric) };
        solve(&game, &options, &Unobserved).expect("it is solved");
    }
    let unknown = game.without_shortcuts();
    let solved =
        solve(&unknown, &options(forgot.path(), both()), &Unobserved).expect("it is solved");
    assert!(passes(&solved).iter().all(|&(_, engine)| engine == "general-distances"));
    let tables = [&own, &general, &forgot].map(|dir| tables(dir.path()));
    assert_eq!(tables[0].len(), 2 * layers);
    assert!(tables[0] == tables[1] && tables[0] == tables[2]);
}

#[test]
fn only_what_is_missing_is_solved() {
    let game = Hunt::hare_hounds("budget-5").expect("a rule set");
    let dir = tempfile::tempdir().expect("a temporary directory");
    let solve =
        |metrics| solve(&game, &options(dir.path(), metrics), &Unobserved).expect("it is solved");
    assert!(passes(&solve(Metric::Wdl.into())).into_iter().eq([(Metric::Wdl, "general")]));
    assert!(passes(&solve(both())).into_iter().eq([(Metric::Dtw, "general-distances")]));
    let solved = solve(both());
    assert!(solved.finished.is_empty() && solved.kept.len() == game.layers().count());
}
