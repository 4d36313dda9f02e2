//! Engines and oracle agree on the outcome of every position.

use std::ops::RangeInclusive;

use anser_core::fox_geese::{Base, FoxGeese, Point, PointSet, Position, RuleSet};
use anser_core::prelude::*;
use anser_core::{Outcome, Side, orbit_members};
use anser_oracle::fox_geese as oracle;
use anser_solve::{SolveOptions, Unobserved, solve};
use anser_table::Tablebase;
use anser_table::format::{Counts, count_slot};
use rayon::prelude::*;

use crate::support::oracle_rules;

fn outcome(value: u8) -> Outcome {
    match value {
        oracle::FOX => Outcome::Win(Side::First),
        oracle::GEESE => Outcome::Win(Side::Second),
        _ => Outcome::Draw,
    }
}

/// Returns every set of `geese` points, in ascending order of the bits.
fn goose_sets(geese: u16) -> impl Iterator<Item = PointSet> {
    let first = (1u64 << geese) - 1;
    std::iter::successors(Some(first), |&bits| {
        // The top bit of the lowest run of ones moves up; the other bits of the run move to the
        // bottom.
        let lowest = bits & bits.wrapping_neg();
        let moved = bits + lowest;
        Some((((moved ^ bits) >> 2) / lowest) | moved)
    })
    .take_while(|&bits| bits < 1 << 33)
    .map(PointSet::from_bits)
}

/// Solves layers into a new directory.
fn solved(
    game: &FoxGeese,
    layers: RangeInclusive<u16>,
) -> (tempfile::TempDir, Tablebase<FoxGeese>) {
    let dir = tempfile::tempdir().unwrap();
    let options =
        SolveOptions { layers: Some(layers), threads: Some(2), ..SolveOptions::new(dir.path()) };
    solve(game, &options, &Unobserved).unwrap();
    // SAFETY: the directory is this test's own.
    let tables = unsafe { Tablebase::open_mapped(game.clone(), [dir.path()]) }.unwrap();
    (dir, tables)
}

/// Compares every position of a layer, and the counts in the header.
fn compare_layer(rules: RuleSet, expected: &oracle::Layer, tables: &Tablebase<FoxGeese>) {
    let layer = expected.geese as u16;
    let mut counts = Counts::default();
    for (_, _, geese_to_move, value) in expected.positions() {
        counts[Side::BOTH[usize::from(geese_to_move)]][count_slot(outcome(value))] += 1;
    }
    assert_eq!(tables.table(layer).unwrap().header().counts(), counts, "{rules}, layer {layer}");
    if layer >= BY_CLASS {
        compare_classes(rules, expected, tables);
        return;
    }
    Point::all().collect::<Vec<_>>().into_par_iter().for_each(|fox| {
        for geese in goose_sets(layer).filter(|geese| !geese.contains(fox)) {
            for to_move in Side::BOTH {
                let position = Position::new(fox, geese, to_move).unwrap();
                let value = expected.get(fox.number(), geese.bits(), to_move == Side::Second);
                assert_eq!(
                    tables.probe_outcome(&position).unwrap(),
                    outcome(value),
                    "{rules}: {position}"
                );
            }
        }
    });
}

/// Layers from this one on are compared class by class, which takes a third of the time.
const BY_CLASS: u16 = 6;

/// Compares the value of every class with those of all its members. The members of all classes are
/// all positions of the layer.
fn compare_classes(rules: RuleSet, expected: &oracle::Layer, tables: &Tablebase<FoxGeese>) {
    /// Classes per task.
    const CHUNK: u64 = 1 << 12;
    let (game, layer) = (tables.game(), expected.geese as u16);
    let (index, table) = (game.index(layer), tables.table(layer).unwrap());
    for side in Side::BOTH {
        let classes = index.len(side);
        let chunks = (0..classes.div_ceil(CHUNK)).into_par_iter().map(|chunk| {
            let ranks = chunk * CHUNK..classes.min((chunk + 1) * CHUNK);
            let compared = ranks.map(|rank| {
                let found = table.outcome(side, rank, tables.cache()).unwrap().unwrap();
                let members = orbit_members(game, &index.unrank(side, rank));
                for position in &members {
                    let geese_to_move = position.to_move() == Side::Second;
                    let (fox, geese) = (position.fox().number(), position.geese().bits());
                    let value = expected.get(fox, geese, geese_to_move);
                    assert_eq!(found, outcome(value), "{rules}: {position}");
                }
                members.len()
            });
            compared.sum::<usize>()
        });
        assert_eq!(chunks.sum::<usize>(), expected.value.len() / 2, "{rules}, layer {layer}");
    }
}

/// Compares each game up to its layer. Returns the number of wins of the geese in each layer.
fn compare(rules: RuleSet, games: &[(FoxGeese, u16)]) -> Vec<usize> {
    let tables: Vec<_> = games.iter().map(|(game, top)| (solved(game, 1..=*top), *top)).collect();
    let mut lower = Vec::new();
    for layer in 1..=tables.iter().map(|&(_, top)| top).max().unwrap_or(0) {
        lower.push(oracle::solve_skipping(oracle_rules(rules), usize::from(layer), &lower));
        for ((_dir, tables), _) in tables.iter().filter(|&&(_, top)| top >= layer) {
            compare_layer(rules, lower.last().unwrap(), tables);
        }
    }
    lower.iter().map(oracle::Layer::won_for_geese).collect()
}

fn compare_all(rule_sets: impl Iterator<Item = RuleSet>) {
    rule_sets.collect::<Vec<_>>().into_par_iter().for_each(|rules| {
        let game = FoxGeese::new(rules);
        // Three of them are compared up to layer 6 below, with the known answers.
        let top = if [RuleSet::FREE, RuleSet::FIRST_CAPTURE, RuleSet::FORWARD].contains(&rules) {
            5
        } else {
            6
        };
        compare(rules, &[(game.clone(), top), (game.without_symmetry(), 5)]);
    });
}

/// Compares sweeps over all positions with sweeps that skip positions without decided neighbors, in
/// layers 1 to `top`.
fn compare_sweeps(rules: RuleSet, top: usize) {
    let mut lower = Vec::new();
    for layer in 1..=top {
        let all = oracle::solve(oracle_rules(rules), layer, &lower);
        let skipping = oracle::solve_skipping(oracle_rules(rules), layer, &lower);
        assert_eq!(
            (&all.value, all.rounds),
            (&skipping.value, skipping.rounds),
            "{rules}, layer {layer}"
        );
        lower.push(all);
    }
}

#[test]
fn skipping_positions_without_decided_neighbors_changes_no_value_and_no_number_of_sweeps() {
    RuleSet::all().collect::<Vec<_>>().into_par_iter().for_each(|rules| compare_sweeps(rules, 4));
}

#[test]
#[ignore = "takes half a minute"]
fn skipping_positions_changes_nothing_in_layer_5() {
    for rules in [RuleSet::FREE, RuleSet::FIRST_CAPTURE, RuleSet::FORWARD] {
        compare_sweeps(rules, 5);
    }
}

#[test]
fn free_and_its_switches_to_layer_6_and_without_symmetry_to_layer_5() {
    compare_all(RuleSet::all().filter(|rules| rules.base() == Base::Free));
}

#[test]
fn first_capture_and_its_switches_to_layer_6_and_without_symmetry_to_layer_5() {
    compare_all(RuleSet::all().filter(|rules| rules.base() == Base::FirstCapture));
}

#[test]
fn forward_and_its_switches_to_layer_6_and_without_symmetry_to_layer_5() {
    compare_all(RuleSet::all().filter(|rules| rules.base() == Base::Forward));
}

/// Edelkamp and Messerschmidt, "Strongly Solving Fox-and-Geese on Multi-core CPU" (KI 2010), Table
/// 1.
const WON_FOR_THE_GEESE: [usize; 6] = [0, 0, 0, 40, 1_280, 21_380];

#[test]
fn free_to_layer_6_with_the_known_answers() {
    assert_eq!(compare(RuleSet::FREE, &[(FoxGeese::default(), 6)]), WON_FOR_THE_GEESE);
}

#[test]
fn first_capture_to_layer_6_with_the_known_answers() {
    let game = FoxGeese::new(RuleSet::FIRST_CAPTURE);
    assert_eq!(compare(RuleSet::FIRST_CAPTURE, &[(game, 6)]), WON_FOR_THE_GEESE);
}

#[test]
fn first_capture_in_its_highest_layers() {
    // Each of these layers depends on no other.
    let rules = RuleSet::FIRST_CAPTURE;
    let (_dir, tables) = solved(&FoxGeese::new(rules), 28..=31);
    for layer in 28..=31 {
        compare_layer(rules, &oracle::solve_skipping(oracle_rules(rules), layer, &[]), &tables);
    }
}

/// See `scripts/oracle.sh`.
fn first_capture_in_layer(layer: usize) {
    let rules = RuleSet::FIRST_CAPTURE;
    let (_dir, tables) = solved(&FoxGeese::new(rules), layer as u16..=layer as u16);
    let expected = oracle::solve_skipping(oracle_rules(rules), layer, &[]);
    compare_layer(rules, &expected, &tables);
    println!(
        "layer {layer}: {} positions won for the geese, every position equal",
        expected.won_for_geese()
    );
}

#[test]
#[ignore = "takes minutes"]
fn first_capture_in_layer_7() {
    first_capture_in_layer(7);
}

#[test]
#[ignore = "takes minutes"]
fn first_capture_in_layer_8() {
    first_capture_in_layer(8);
}

#[test]
fn forward_to_layer_6() {
    compare(RuleSet::FORWARD, &[(FoxGeese::new(RuleSet::FORWARD), 6)]);
}

/// Readers in other languages, such as `scripts/read_table.py`, are compared with the same file.
#[test]
fn the_known_positions_have_the_outcomes_that_oracle_and_engine_give_them() {
    let game = FoxGeese::new(RuleSet::FIRST_CAPTURE);
    let expected = oracle::solve(oracle_rules(RuleSet::FIRST_CAPTURE), 4, &[]);
    let (_dir, tables) = solved(&game, 4..=4);
    let known = include_str!("../../../../data/known/fox-geese.first-capture.L04.csv");
    let rows = known.lines().filter(|line| !line.starts_with('#') && *line != "position,outcome");
    let mut count = 0;
    for row in rows {
        let (text, known) = row.split_once(',').unwrap();
        let position = game.parse_position(text).unwrap();
        let geese_to_move = position.to_move() == Side::Second;
        let value = expected.get(position.fox().number(), position.geese().bits(), geese_to_move);
        assert_eq!(["draw", "fox", "geese"][usize::from(value)], known, "{text}");
        assert_eq!(tables.probe_outcome(&position).unwrap(), outcome(value), "{text}");
        count += 1;
    }
    assert_eq!(count, 482);
}

#[test]
fn counts_have_the_parity_that_the_symmetries_allow() {
    // All eight symmetries can fix a position only if the fox is on d4 and four divides the number
    // of geese.
    for rules in [RuleSet::FREE, RuleSet::FIRST_CAPTURE] {
        let game = FoxGeese::new(rules);
        let (_dir, tables) = solved(&game, 1..=6);
        for layer in 1..=6 {
            let counts = tables.table(layer).unwrap().header().counts();
            for side in Side::BOTH {
                assert_eq!(counts[side].iter().sum::<u64>(), game.positions(layer, side));
                assert!(layer % 4 == 0 || counts[side].iter().all(|count| count % 2 == 0));
            }
        }
    }
}
