//! Engines and oracle agree on the outcome and the distance of every position.

use std::ops::RangeInclusive;
use std::time::Instant;

use anser_core::hunt::{FOX_GEESE_RULES, PointSet, Position};
use anser_core::{BySide, Dtw, Hunt, LayerIndex, Side};
use anser_oracle::fox_geese as oracle;
use anser_solve::{EngineChoice, Metrics, SolveOptions, Unobserved, solve};
use anser_table::format::{Counts, Longest, count_slot, pairs};
use anser_table::{Metric, Tablebase};
use rayon::prelude::*;

use crate::support::oracle_rules;
use crate::support::runs;

/// Returns the number of the fox's point.
fn fox_of(position: &Position) -> usize {
    position.few().first().map_or(0, usize::from)
}

fn distance((value, plies): (u8, u16)) -> Dtw {
    match value {
        oracle::FOX => Dtw::win(Side::First, plies),
        oracle::GEESE => Dtw::win(Side::Second, plies),
        _ => Dtw::DRAW,
    }
}

/// Solves layers into a new directory.
fn solved_by(
    game: &Hunt,
    layers: RangeInclusive<u16>,
    metrics: Metrics,
    engine: EngineChoice,
) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let options = SolveOptions {
        layers: Some(layers),
        threads: Some(2),
        metrics,
        engine,
        ..SolveOptions::new(dir.path())
    };
    solve(game, &options, &Unobserved).unwrap();
    dir
}

/// Solves layers for outcomes and distances into a new directory, in one run of the engine for
/// distances. The engine for outcomes gives the same bytes, and so does the general engine, which
/// is not run without symmetry because that takes too long.
fn solved(game: &Hunt, layers: RangeInclusive<u16>) -> (tempfile::TempDir, Tablebase) {
    let both = Metrics::from_iter(Metric::ALL);
    let dir = solved_by(game, layers.clone(), both, EngineChoice::Best);
    let mut found = runs::tables(dir.path());
    assert_eq!(found.len(), 2 * layers.len());
    if game.symmetries() > 1 {
        let general = solved_by(game, layers.clone(), both, EngineChoice::General);
        assert!(runs::tables(general.path()) == found, "{}: general engine", game.rules_id());
    }
    let outcomes = solved_by(game, layers, Metric::Wdl.into(), EngineChoice::Best);
    found.retain(|name, _| name.contains(".wdl."));
    assert!(runs::tables(outcomes.path()) == found, "{}: outcomes alone", game.rules_id());
    // SAFETY: the directory is this test's own.
    let tables = unsafe { Tablebase::open_mapped(game.clone(), [dir.path()]) }.unwrap();
    (dir, tables)
}

/// Layers from this one on are compared class by class, which takes a third of the time.
const BY_CLASS: u16 = 4;

/// Compares every position of a layer, and what the headers state of them.
fn compare_layer(rules: &str, expected: &oracle::Layer, tables: &Tablebase) {
    let layer = expected.geese() as u16;
    let (mut counts, mut longest) = (Counts::default(), Longest::default());
    for (_, _, geese_to_move, value, plies) in expected.positions() {
        let (side, value) = (Side::BOTH[usize::from(geese_to_move)], distance((value, plies)));
        counts[side][count_slot(value.outcome())] += 1;
        if let Some(winner) = value.winner() {
            longest[side][winner] = longest[side][winner].max(value.plies());
        }
    }
    for metric in Metric::ALL {
        let header = tables.table_of(layer, metric).unwrap().header();
        assert_eq!(header.counts(), counts, "{rules}, layer {layer}, {}", metric.id());
        let found = header.longest();
        assert_eq!(found, (metric == Metric::Dtw).then_some(longest), "{rules}, layer {layer}");
    }
    if layer >= BY_CLASS {
        compare_classes(rules, expected, tables);
        return;
    }
    let positions: Vec<_> = expected.positions().collect();
    let game = tables.game();
    positions.into_par_iter().for_each(|(fox, geese, geese_to_move, value, plies)| {
        let (point, side) = (PointSet::of(fox as u8), [Side::First, Side::Second]);
        let side = side[usize::from(geese_to_move)];
        let pieces = [point, PointSet::from_bits(geese.into())];
        let position = game.position(pieces, [0; 2], side).unwrap();
        let value = distance((value, plies));
        assert_eq!(tables.probe_distance(&position).unwrap(), value, "{rules}: {position:?}");
        assert_eq!(tables.probe_outcome(&position).unwrap(), value.outcome());
    });
}

/// Compares the values of every class with those of all its members. The members of all classes are
/// all positions of the layer.
fn compare_classes(rules: &str, expected: &oracle::Layer, tables: &Tablebase) {
    /// Classes per task.
    const CHUNK: u64 = 1 << 12;
    let (game, layer) = (tables.game(), expected.geese() as u16);
    let index = game.index(layer);
    let [outcomes, distances] =
        [Metric::Wdl, Metric::Dtw].map(|metric| tables.table_of(layer, metric).unwrap());
    for side in Side::BOTH {
        let classes = index.len(side);
        let chunks = (0..classes.div_ceil(CHUNK)).into_par_iter().map(|chunk| {
            let ranks = chunk * CHUNK..classes.min((chunk + 1) * CHUNK);
            let mut codes = vec![0; (ranks.end - ranks.start) as usize];
            assert!(distances.read_codes(side, ranks.start, &mut codes).unwrap());
            let pairs = [outcomes, distances].map(|table| {
                let mut words = vec![0; 2 * pairs(codes.len() as u64) as usize];
                assert!(table.read_pairs(side, ranks.start / 64, &mut words).unwrap());
                words
            });
            assert!(pairs[0] == pairs[1], "{rules}: outcomes are those of the distances");
            let compared = ranks.zip(codes).map(|(rank, code)| {
                let found = Dtw::from_code(code).unwrap();
                let position = index.unrank(side, rank);
                let mut fixing = 0;
                for symmetry in 0..game.symmetries() {
                    let member = game.image(&position, symmetry);
                    let (fox, geese) = (fox_of(&member), member.many().bits() as u64);
                    let value = distance(expected.get(fox, geese, side == Side::Second));
                    assert_eq!(found, value, "{rules}: {member:?}");
                    fixing += usize::from(member == position);
                }
                // The members of the class, each of which was compared as often as the others.
                game.symmetries() / fixing
            });
            compared.sum::<usize>()
        });
        assert_eq!(chunks.sum::<usize>(), expected.values().len() / 2, "{rules}, layer {layer}");
    }
}

/// Compares each game up to its layer. Returns the number of wins of the geese in each layer.
fn compare(rules: &str, games: &[(Hunt, u16)]) -> Vec<usize> {
    let tables: Vec<_> = games.iter().map(|(game, top)| (solved(game, 1..=*top), *top)).collect();
    let mut lower = Vec::new();
    for layer in 1..=tables.iter().map(|&(_, top)| top).max().unwrap_or(0) {
        lower.push(oracle::solve(oracle_rules(rules), usize::from(layer), &lower));
        for ((_dir, tables), _) in tables.iter().filter(|&&(_, top)| top >= layer) {
            compare_layer(rules, lower.last().unwrap(), tables);
        }
    }
    lower.iter().map(|layer| oracle::won_for_geese(layer.values())).collect()
}

/// Edelkamp and Messerschmidt, "Strongly Solving Fox-and-Geese on Multi-core CPU" (KI 2010), Table
/// 1.
const WON_FOR_THE_GEESE: [usize; 6] = [0, 0, 0, 40, 1_280, 21_380];

/// Rule sets that are also compared without symmetry: every base, and every switch.
const WITHOUT_SYMMETRY: [&str; 5] = [
    "free",
    "free+orthogonal+chain+compulsory",
    "first-capture+orthogonal",
    "forward",
    "forward+chain+compulsory",
];

/// Compares a base up to a layer, and the base with switches up to another. Some are compared up to
/// layer 4 without symmetry as well: `asymmetric`.
fn compare_all(base: &str, top: u16, top_of_switches: u16, asymmetric: &[&str]) {
    let rule_sets = FOX_GEESE_RULES.into_par_iter().filter(|rules| rules.starts_with(base));
    rule_sets.for_each(|rules| {
        let game = Hunt::fox_geese(rules).unwrap();
        let mut games = vec![(game.clone(), if rules == base { top } else { top_of_switches })];
        if asymmetric.contains(&rules) {
            games.push((game.without_symmetry(), 4));
        }
        let won = compare(rules, &games);
        if ["free", "first-capture"].contains(&rules) {
            assert_eq!(won, WON_FOR_THE_GEESE[..won.len()], "{rules}");
        }
    });
}

#[test]
fn free_to_layer_5_and_its_switches_to_layer_4() {
    compare_all("free", 5, 4, &WITHOUT_SYMMETRY);
}

#[test]
fn first_capture_to_layer_5_and_its_switches_to_layer_4() {
    compare_all("first-capture", 5, 4, &WITHOUT_SYMMETRY);
}

#[test]
fn forward_to_layer_5_and_its_switches_to_layer_4() {
    compare_all("forward", 5, 4, &WITHOUT_SYMMETRY);
}

#[test]
#[ignore = "takes minutes"]
fn every_rule_set_to_layer_6() {
    for base in ["free", "first-capture", "forward"] {
        compare_all(base, 6, 6, &FOX_GEESE_RULES);
    }
}

/// Compares the values of the oracle with those of sweeps over all positions, in layers 1 to `top`.
fn compare_sweeps(rules: &str, top: usize) {
    let mut lower = Vec::new();
    for geese in 1..=top {
        let layer = oracle::solve(oracle_rules(rules), geese, &lower);
        let (values, _) = oracle::sweep(oracle_rules(rules), geese, &lower);
        assert!(values == layer.values(), "{rules}, layer {geese}");
        lower.push(layer);
    }
}

#[test]
fn the_oracle_by_distance_has_the_values_of_sweeps_over_all_positions() {
    FOX_GEESE_RULES.into_par_iter().for_each(|rules| {
        compare_sweeps(rules, if rules.contains('+') { 3 } else { 4 });
    });
}

#[test]
#[ignore = "takes half a minute"]
fn the_oracle_by_distance_has_the_values_of_sweeps_in_layer_5() {
    for rules in ["free", "first-capture", "forward"] {
        compare_sweeps(rules, 5);
    }
}

#[test]
fn first_capture_in_its_highest_layers() {
    // Each of these layers depends on no other, and the geese need many plies to trap the fox.
    let rules = "first-capture";
    let (_dir, tables) = solved(&Hunt::fox_geese(rules).unwrap(), 28..=31);
    for layer in 28..=31 {
        compare_layer(rules, &oracle::solve(oracle_rules(rules), layer, &[]), &tables);
    }
    let longest = tables.table_of(28, Metric::Dtw).unwrap().header().longest().unwrap();
    assert_eq!(longest[Side::First], BySide::new(Some(5), Some(18)));
}

/// Prints the rows of `data/results/oracle.csv`; see `scripts/oracle.sh`.
fn compare_layers_7_and_8(rules: &str) {
    let game = Hunt::fox_geese(rules).unwrap();
    let (_dir, tables) = solved(&game, 1..=8);
    let mut lower = Vec::new();
    for layer in 1..=8 {
        let started = Instant::now();
        lower.push(oracle::solve(oracle_rules(rules), layer, &lower));
        let (seconds, layer) = (started.elapsed().as_secs(), &lower[layer - 1]);
        if layer.geese() < 7 {
            continue;
        }
        compare_layer(rules, layer, &tables);
        let header = tables.table_of(layer.geese() as u16, Metric::Dtw).unwrap().header();
        let longest = header.longest().unwrap();
        let longest = Side::BOTH.map(|winner| {
            Side::BOTH.iter().filter_map(|&side| longest[side][winner]).max().unwrap_or(0)
        });
        let counts = header.counts();
        let counts = [0, 1, 2].map(|slot| Side::BOTH.map(|side| counts[side][slot]).iter().sum());
        let [fox, draw, geese]: [u64; 3] = counts;
        println!(
            "{rules},{},{},{fox},{draw},{geese},{},{},{seconds}",
            layer.geese(),
            layer.values().len(),
            longest[0],
            longest[1]
        );
    }
}

#[test]
#[ignore = "takes minutes"]
fn free_in_layers_7_and_8() {
    compare_layers_7_and_8("free");
}

#[test]
#[ignore = "takes minutes"]
fn first_capture_in_layers_7_and_8() {
    compare_layers_7_and_8("first-capture");
}

#[test]
#[ignore = "takes minutes"]
fn forward_in_layers_7_and_8() {
    compare_layers_7_and_8("forward");
}

/// Readers in other languages, such as `scripts/read_table.py`, are compared with the same file.
#[test]
fn the_known_positions_have_the_outcomes_that_oracle_and_engine_give_them() {
    let game = Hunt::fox_geese("first-capture").unwrap();
    let expected = oracle::solve(oracle_rules("first-capture"), 4, &[]);
    let (_dir, tables) = solved(&game, 4..=4);
    let known = include_str!("../../../../data/known/fox-geese.first-capture.L04.csv");
    let rows = known.lines().filter(|line| !line.starts_with('#') && *line != "position,outcome");
    let mut count = 0;
    for row in rows {
        let (text, known) = row.split_once(',').unwrap();
        let position = game.parse_position(text).unwrap();
        let geese_to_move = position.to_move() == Side::Second;
        let (value, plies) =
            expected.get(fox_of(&position), position.many().bits() as u64, geese_to_move);
        assert_eq!(["draw", "fox", "geese"][usize::from(value)], known, "{text}");
        assert_eq!(tables.probe_distance(&position).unwrap(), distance((value, plies)), "{text}");
        count += 1;
    }
    assert_eq!(count, 482);
}
