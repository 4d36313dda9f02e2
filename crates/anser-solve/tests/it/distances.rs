//! Distances: engines and oracle agree at every position; runs, files, and checks of distances.

use std::collections::HashMap;
use std::fs;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::Path;

use anser_core::fox_geese::{Base, FoxGeese, Point, PointSet, Position, RuleSet};
use anser_core::prelude::*;
use anser_core::{BySide, Dtw, Next, Outcome, Side};
use anser_oracle::fox_geese as oracle;
use anser_solve::{
    PackOptions, Problem, SolveError, SolveOptions, Unobserved, UnpackOptions, Verified,
    VerifyOptions, pack, solve, unpack, verify,
};
use anser_table::format::{HEADER_LEN, Header};
use anser_table::{Kind, Metric, PositionedReads, TableName, Tablebase};
use rayon::prelude::*;

use crate::support::files::{self, forge_distances, remove_manifest};
use crate::support::oracle_rules;
use crate::support::runs::{Stopper, tables};
use crate::support::toy::{self, Toy};

fn options(dir: &Path, layers: RangeInclusive<u16>) -> SolveOptions {
    SolveOptions {
        layers: Some(layers),
        threads: Some(2),
        metrics: Metric::Dtw.into(),
        ..SolveOptions::new(dir)
    }
}

/// Compares every position of layers 1 to `top` with the oracle; layers up to 4 also without
/// symmetries. Returns the plies of the longest win of each side.
fn compare(rules: RuleSet, top: u16) -> BySide<u16> {
    compare_layers(rules, 1..=top)
}

fn compare_layers(rules: RuleSet, layers: RangeInclusive<u16>) -> BySide<u16> {
    let (first, top) = (*layers.start(), *layers.end());
    let tables: Vec<_> = [FoxGeese::new(rules), FoxGeese::new(rules).without_symmetry()]
        .into_iter()
        .zip([top, top.min(first.max(4))])
        .map(|(game, top)| {
            let dir = tempfile::tempdir().unwrap();
            solve(&game, &options(dir.path(), first..=top), &Unobserved).unwrap();
            let tables = Tablebase::open(game, [dir.path()]).unwrap();
            (dir, tables, top)
        })
        .collect();
    let (rules_of_oracle, mut lower, mut lower_plies) =
        (oracle_rules(rules), Vec::new(), Vec::new());
    let mut longest = BySide::<u16>::default();
    for layer in layers {
        let solved = oracle::solve_skipping(rules_of_oracle, usize::from(layer), &lower);
        let plies = oracle::plies(rules_of_oracle, &solved, &lower, &lower_plies);
        let positions: Vec<_> = solved.positions().zip(&plies).collect();
        let of_parts = positions.par_chunks(1 << 14).map(|positions| {
            let mut longest = BySide::<u16>::default();
            for &((fox, geese, geese_to_move, value), &plies) in positions {
                let expected = match value {
                    oracle::FOX => Dtw::win(Side::First, plies),
                    oracle::GEESE => Dtw::win(Side::Second, plies),
                    _ => Dtw::DRAW,
                };
                let side = if geese_to_move { Side::Second } else { Side::First };
                let fox = Point::new(fox as u8).unwrap();
                let position = Position::new(fox, PointSet::from_bits(geese), side).unwrap();
                for (_, tables, _) in tables.iter().filter(|(.., top)| *top >= layer) {
                    assert_eq!(
                        tables.probe_distance(&position).unwrap(),
                        expected,
                        "{rules}: {position}"
                    );
                }
                if let Some(winner) = expected.winner() {
                    longest[winner] = plies.max(longest[winner]);
                }
            }
            longest
        });
        let there = of_parts.reduce(BySide::default, most);
        longest = most(longest, there);
        for (_, tables, _) in tables.iter().filter(|(.., top)| *top >= layer) {
            let counts = tables.table_of(layer, Metric::Dtw).unwrap().header().counts();
            let won = solved.won_for_geese() as u64;
            assert_eq!(
                counts.iter().map(|(_, counts)| counts[2]).sum::<u64>(),
                won,
                "{rules}, layer {layer}"
            );
        }
        lower.push(solved);
        lower_plies.push(plies);
    }
    longest
}

/// Larger of both numbers of each side.
fn most(a: BySide<u16>, b: BySide<u16>) -> BySide<u16> {
    BySide::from_fn(|side| a[side].max(b[side]))
}

fn compare_all(base: Base) {
    let rule_sets: Vec<RuleSet> = RuleSet::all().filter(|rules| rules.base() == base).collect();
    rule_sets.into_par_iter().for_each(|rules| {
        // Rule sets without switches are compared up to layer 5 below.
        if ![RuleSet::FREE, RuleSet::FIRST_CAPTURE, RuleSet::FORWARD].contains(&rules) {
            compare(rules, 4);
        }
    });
}

#[test]
fn free_and_its_switches_to_layer_4() {
    compare_all(Base::Free);
}

#[test]
fn first_capture_and_its_switches_to_layer_4() {
    compare_all(Base::FirstCapture);
}

#[test]
fn forward_and_its_switches_to_layer_4() {
    compare_all(Base::Forward);
}

#[test]
fn free_to_layer_5() {
    let longest = compare(RuleSet::FREE, 5);
    // Four or five geese trap only a fox that already stands in the trap. The fox may need a long
    // detour.
    assert!(longest[Side::First] > 10 && longest[Side::Second] == 1, "{longest:?}");
}

#[test]
fn first_capture_to_layer_5() {
    compare(RuleSet::FIRST_CAPTURE, 5);
}

#[test]
fn forward_to_layer_5() {
    compare(RuleSet::FORWARD, 5);
}

#[test]
fn first_capture_in_its_highest_layers() {
    // Each of these layers depends on no other, and the geese need many plies to trap the fox.
    assert_eq!(compare_layers(RuleSet::FIRST_CAPTURE, 29..=31), BySide::new(3, 12));
}

/// Returns the values of a toy from its moves alone: the least fixpoint, one ply per round.
fn toy_values(game: Toy) -> HashMap<toy::Position, Dtw> {
    let positions: Vec<toy::Position> = game
        .layers()
        .flat_map(|layer| Side::BOTH.map(|side| (layer, side)))
        .flat_map(|(layer, side)| (0..8).map(move |rank| game.index(layer).unrank(side, rank)))
        .collect();
    let mut values: HashMap<toy::Position, Dtw> = HashMap::new();
    for round in 0..200 {
        let mut found = Vec::new();
        for position in positions.iter().filter(|position| !values.contains_key(position)) {
            let side = game.side_to_move(position);
            let mut next: Vec<Option<Dtw>> = Vec::new();
            let _ = game.visit_moves(position, |_, after| {
                next.push(match after {
                    Next::End(outcome) => Some(Dtw::ended(outcome)),
                    Next::Position(after) => values.get(&after).copied(),
                });
                ControlFlow::<()>::Continue(())
            });
            let wins =
                |value: &Option<Dtw>, side| value.is_some_and(|value| value.winner() == Some(side));
            let value = match game.terminal(position) {
                Some(outcome) => Dtw::ended(outcome),
                None if next.iter().any(|value| wins(value, side)) => Dtw::win(side, round),
                None if next.iter().all(|value| wins(value, side.other())) => {
                    Dtw::win(side.other(), round)
                }
                None => continue,
            };
            found.push((*position, value));
        }
        values.extend(found);
    }
    positions
        .into_iter()
        .map(|position| (position, values.get(&position).copied().unwrap_or(Dtw::DRAW)))
        .collect()
}

#[test]
fn a_layer_that_is_not_loopy_is_solved_in_one_pass_for_each_side() {
    let mut seen = std::collections::HashSet::new();
    for (waits, tells) in [(false, true), (false, false), (true, true), (true, false)] {
        let game = Toy { waits, tells };
        let dir = tempfile::tempdir().unwrap();
        let solved = solve(&game, &options(dir.path(), 0..=9), &Unobserved).unwrap();
        // One pass for each side is one round.
        assert_eq!(solved.finished.iter().all(|report| report.run.rounds == 1), !waits && tells);
        let tables = Tablebase::open(game, [dir.path()]).unwrap();
        for (position, value) in toy_values(game) {
            assert_eq!(
                tables.probe_distance(&position).unwrap(),
                value,
                "{waits} {tells}: {position:?}"
            );
            seen.insert((waits, value));
        }
        let problems: Vec<Problem> =
            check(&game, dir.path()).into_iter().flat_map(|table| table.problems).collect();
        assert!(problems.is_empty(), "{problems:?}");
    }
    // Draws, and wins of both sides in many plies.
    assert!(seen.len() > 20, "{seen:?}");
    assert!(seen.contains(&(true, Dtw::DRAW)));
}

#[test]
fn the_bytes_are_the_same_for_one_thread_and_two() {
    for rules in [RuleSet::FREE, RuleSet::FORWARD] {
        let game = FoxGeese::new(rules);
        let [one, two] = [1, 2].map(|threads| {
            let dir = tempfile::tempdir().unwrap();
            let options = SolveOptions { threads: Some(threads), ..options(dir.path(), 1..=5) };
            let solved = solve(&game, &options, &Unobserved).unwrap();
            let rounds: Vec<u64> = solved.finished.iter().map(|report| report.run.rounds).collect();
            (rounds, tables(dir.path()))
        });
        assert_eq!(one.1.len(), 5);
        assert!(one == two, "{rules}");
    }
}

#[test]
fn an_interrupted_run_resumes_in_its_layer_and_leaves_only_finished_tables() {
    let game = FoxGeese::default();
    let whole = tempfile::tempdir().unwrap();
    solve(&game, &options(whole.path(), 1..=5), &Unobserved).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let (mut patience, mut stopped) = (10, 0);
    let last = loop {
        match solve(&game, &options(dir.path(), 1..=5), &Stopper::after(patience)) {
            Ok(solved) => break solved,
            Err(SolveError::Interrupted) => stopped += 1,
            Err(error) => panic!("{error}"),
        }
        for (name, bytes) in tables(dir.path()) {
            assert!(bytes == tables(whole.path())[&name], "{name}");
        }
        patience *= 2;
    };
    assert!(stopped > 3 && !last.kept.is_empty(), "stopped {stopped} times");
    assert!(tables(dir.path()) == tables(whole.path()));
    let again = solve(&game, &options(dir.path(), 1..=5), &Unobserved).unwrap();
    assert_eq!((again.kept, again.finished.len()), (vec![1, 2, 3, 4, 5], 0));
}

fn check<G: Game>(game: &G, dir: &Path) -> Vec<Verified> {
    let options = VerifyOptions {
        full: true,
        threads: Some(2),
        metric: Some(Metric::Dtw),
        ..Default::default()
    };
    files::check(game, dir, &options)
}

#[test]
fn tables_of_both_metrics_in_one_directory_verify() {
    for rules in [RuleSet::FREE, RuleSet::FORWARD] {
        let (dir, game) = (tempfile::tempdir().unwrap(), FoxGeese::new(rules));
        for metric in Metric::ALL {
            solve(
                &game,
                &SolveOptions { metrics: metric.into(), ..options(dir.path(), 1..=5) },
                &Unobserved,
            )
            .unwrap();
        }
        let packed = tempfile::tempdir().unwrap();
        let pack_options = PackOptions {
            from: vec![dir.path().into()],
            out: packed.path().into(),
            ..PackOptions::default()
        };
        assert_eq!(pack(&game, &pack_options, &Unobserved).unwrap().len(), 10);
        let all = VerifyOptions { full: true, ..VerifyOptions::default() };
        for dir in [dir.path(), packed.path()] {
            let verified =
                verify(&game, &[dir.to_owned()], &all, &PositionedReads, &Unobserved).unwrap();
            assert_eq!(verified.len(), 10);
            assert!(
                verified.iter().all(|table| table.problems.is_empty() && table.entries > 0),
                "{verified:?}"
            );
            assert_eq!(
                verified.iter().filter(|table| table.metric() == Some(Metric::Dtw)).count(),
                5
            );
            assert_eq!(check(&game, dir).len(), 5);
            let tables = Tablebase::open(game.clone(), [dir]).unwrap();
            for layer in 1..=5 {
                let [wdl, dtw] = Metric::ALL
                    .map(|metric| tables.table_of(layer, metric).unwrap().header().counts());
                assert_eq!(wdl, dtw);
            }
        }
    }
}

#[test]
fn packed_distances_answer_as_raw_ones_do_and_unpack_to_the_same_bytes() {
    for rules in [RuleSet::FREE, RuleSet::FORWARD] {
        let (dir, game) = (tempfile::tempdir().unwrap(), FoxGeese::new(rules));
        let [raw, packed, back] = ["raw", "packed", "back"].map(|name| dir.path().join(name));
        solve(&game, &options(&raw, 1..=5), &Unobserved).unwrap();
        let pack_options =
            PackOptions { from: vec![raw.clone()], out: packed.clone(), ..PackOptions::default() };
        let made = pack(&game, &pack_options, &Unobserved).unwrap();
        assert!(
            made.iter().all(|table| table.metric == Metric::Dtw && table.bytes <= table.raw_bytes)
        );
        let unpack_options = UnpackOptions {
            from: vec![packed.clone()],
            out: back.clone(),
            ..UnpackOptions::default()
        };
        assert_eq!(unpack(&game, &unpack_options, &Unobserved).unwrap().len(), 5);
        assert!(tables(&back) == tables(&raw));
        // Outcomes were not solved, so no table of theirs is packed.
        let outcomes = PackOptions { metric: Some(Metric::Wdl), ..pack_options.clone() };
        assert_eq!(pack(&game, &outcomes, &Unobserved).unwrap().len(), 0);
        let again = pack(&game, &pack_options, &Unobserved).unwrap();
        assert!(again.iter().all(|table| table.kept));
        let [raw, packed] = [raw, packed].map(|dir| Tablebase::open(game.clone(), [dir]).unwrap());
        let index = game.index(5);
        for side in Side::BOTH {
            for rank in 0..index.len(side) {
                let position = index.unrank(side, rank);
                let value = raw.probe_distance(&position).unwrap();
                assert_eq!(packed.probe_distance(&position).unwrap(), value, "{position}");
                assert_eq!(packed.probe_outcome(&position).unwrap(), value.outcome());
            }
        }
    }
}

#[test]
fn a_forged_distance_is_found_wherever_it_is_and_so_is_a_damaged_file() {
    let (dir, game) = (tempfile::tempdir().unwrap(), FoxGeese::new(RuleSet::FIRST_CAPTURE));
    solve(&game, &options(dir.path(), 4..=4), &Unobserved).unwrap();
    remove_manifest(&game, dir.path());
    let path = dir
        .path()
        .join(TableName::new("fox-geese", "first-capture", 4, Metric::Dtw, Kind::Raw).to_string());
    let sound = fs::read(&path).unwrap();
    assert!(check(&game, dir.path())[0].problems.is_empty());
    let largest = Header::decode(&sound).unwrap().largest_code();
    for side in Side::BOTH {
        for entry in [0, 1, 64, 12_345, 148_944] {
            for change in [0, 1, 2, 3, largest] {
                fs::write(&path, &sound).unwrap();
                let mut changed = false;
                forge_distances(&path, |codes| {
                    let code = &mut codes[side][entry];
                    (changed, *code) = (*code != change, change);
                });
                let problems = check(&game, dir.path()).pop().unwrap().problems;
                assert_eq!(
                    problems.is_empty(),
                    !changed,
                    "{side:?} {entry} {change}: {problems:?}"
                );
                assert!(
                    !changed || problems[0].to_string().contains("its moves say"),
                    "{problems:?}"
                );
            }
        }
    }
    let mut damaged = sound.clone();
    damaged[HEADER_LEN + 50_000] ^= 4;
    fs::write(&path, &damaged).unwrap();
    assert!(!check(&game, dir.path())[0].problems.is_empty());
    let tables = Tablebase::open(game.clone(), [dir.path()]).unwrap();
    let index = game.index(4);
    let errors = (0..index.len(Side::First))
        .filter(|&rank| tables.probe_distance(&index.unrank(Side::First, rank)).is_err());
    assert!(errors.count() > 0);
    let pack_options = PackOptions {
        from: vec![dir.path().into()],
        out: dir.path().join("packed"),
        ..PackOptions::default()
    };
    assert!(matches!(pack(&game, &pack_options, &Unobserved), Err(SolveError::Table(_))));
}

#[test]
fn obstacles_to_a_run_are_reported_before_it_begins() {
    let (dir, game) = (tempfile::tempdir().unwrap(), FoxGeese::default());
    let outcomes = SolveOptions { metrics: Metric::Wdl.into(), ..options(dir.path(), 1..=5) };
    solve(&game, &outcomes, &Unobserved).unwrap();
    // Outcomes of lower layers are not enough for distances.
    let error = solve(&game, &options(dir.path(), 5..=5), &Unobserved).unwrap_err();
    assert!(error.to_string().contains("depends on layer 4"), "{error}");
    assert!(
        matches!(error, SolveError::MissingLower { first: 1, last: 5, metric: Metric::Dtw, .. }),
        "{error:?}"
    );
    let memory = SolveOptions { memory: Some(1 << 20), ..options(dir.path(), 1..=6) };
    assert!(matches!(solve(&game, &memory, &Unobserved), Err(SolveError::Memory { .. })));
}

#[test]
fn four_geese_that_trap_the_fox_do_so_in_as_many_plies_as_it_takes() {
    let (dir, game) = (tempfile::tempdir().unwrap(), FoxGeese::default());
    solve(&game, &options(dir.path(), 4..=4), &Unobserved).unwrap();
    let tables = Tablebase::open(game.clone(), [dir.path()]).unwrap();
    let value = |text: &str| tables.probe_distance(&game.parse_position(text).unwrap()).unwrap();
    assert_eq!(value("gFg/1g1/3g3/7/7/3/3 f"), Dtw::win(Side::Second, 0));
    assert_eq!(value("gFg/1g1/7/3g3/7/3/3 g"), Dtw::win(Side::Second, 1));
    assert_eq!(value("3/3/7/3F3/3gg2/1g1/1g1 f").outcome(), Outcome::Draw);
}
