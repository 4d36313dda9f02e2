//! The check by blocks finds the same problems, in the same words, as the check of one position at
//! a time.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anser_core::hunt::FOX_GEESE_RULES;
use anser_core::{BySide, Hunt, LayerIndex, Moves, Outcome, Side};
use anser_solve::{Problem, SolveOptions, Unobserved, VerifyOptions, solve, verify};
use anser_table::format::code_of;
use anser_table::{Kind, PositionedReads};

use crate::support::files::{outcomes, path, remove_manifest};
use crate::support::tables::{Codes, Options, Random, packed_table, raw_table};

/// Returns the problems of the table of a layer, checked one position at a time and by blocks.
fn both(game: &Hunt, dir: &Path, layer: u16) -> [Vec<String>; 2] {
    let options = VerifyOptions {
        layers: Some(layer..=layer),
        full: true,
        threads: Some(2),
        ..Default::default()
    };
    let dirs = [dir.to_owned()];
    let found = [
        verify(&game.without_shortcuts(), &dirs, &options, &PositionedReads, &Unobserved).unwrap(),
        verify(game, &dirs, &options, &PositionedReads, &Unobserved).unwrap(),
    ];
    found.map(|mut found| {
        let table = found.pop().unwrap();
        assert!(
            found.is_empty()
                && table.full
                && table.not_recomputed.is_none()
                && table.unreadable.is_none()
        );
        table.problems.iter().map(Problem::to_string).collect()
    })
}

/// Returns values under which mostly a single move decides: nearly all positions are won for the
/// side to move, so bad for the side that moves there. Terminal positions have their values,
/// because a check of single positions takes them from the rules.
fn noise(game: &Hunt, layer: u16, seed: u64) -> Codes {
    let index = game.index(layer);
    let mut random = Random(seed);
    BySide::from_fn(|side| {
        let bad = code_of(Outcome::Win(side));
        (0..index.len(side))
            .map(|rank| match (random.below(40), game.terminal(&index.unrank(side, rank))) {
                (_, Some(outcome)) => code_of(outcome),
                (0, None) => 3 - bad,
                (1, None) => 0,
                _ => bad,
            })
            .collect()
    })
}

/// Returns games with these rule sets.
fn games(rules: &[&str]) -> impl Iterator<Item = Hunt> {
    rules.iter().map(|rules| Hunt::fox_geese(rules).unwrap())
}

/// Rule sets with every base and every switch.
pub(crate) const SOME_RULES: [&str; 5] = [
    "free",
    "first-capture",
    "first-capture+orthogonal",
    "forward",
    "free+orthogonal+chain+compulsory",
];

/// Compares both checks on values at random, which are wrong nearly everywhere.
fn compare_noise(games: impl Iterator<Item = Hunt>) {
    for game in games {
        // With eight symmetries, layer 4 is a single chunk of the check, and layer 5 is several.
        let is_base = !game.rules_id().contains('+');
        let low: &[u16] = if game.symmetries() == 8 && is_base { &[2, 4, 5] } else { &[2, 4] };
        // A chain of captures leads through all lower layers.
        let high: &[u16] = if game.has_chains() { &[] } else { &[29, 31] };
        for &layer in low.iter().chain(high) {
            let dir = tempfile::tempdir().unwrap();
            for layer in game.lower_layers(layer).into_iter().chain([layer]) {
                let (bytes, _) = raw_table(&game, layer, &noise(&game, layer, u64::from(layer)));
                fs::write(path(&game, dir.path(), layer, Kind::Raw), bytes).unwrap();
            }
            let [general, blocks] = both(&game, dir.path(), layer);
            assert_eq!(general, blocks, "{}, layer {layer}", game.rules_id());
            // With fewer than four geese the game is over, so there is no noise.
            assert_eq!(general.len(), if layer < 4 { 0 } else { 11 }, "{general:?}");
        }
    }
}

#[test]
fn both_checks_agree_on_noise_in_low_and_high_layers() {
    compare_noise(games(&SOME_RULES).chain([Hunt::default().without_symmetry()]));
}

#[test]
#[ignore = "takes ten seconds"]
fn both_checks_agree_on_noise_under_every_rule_set() {
    compare_noise(games(&FOX_GEESE_RULES));
}

#[test]
fn both_checks_agree_on_values_that_a_packed_table_omits() {
    for (rules, layer) in
        [("free", 5), ("first-capture", 4), ("forward+compulsory", 4), ("free+chain", 4)]
    {
        let game = Hunt::fox_geese(rules).unwrap();
        for stored in [BySide::new(true, true), BySide::new(true, false), BySide::new(false, true)]
        {
            let dir = tempfile::tempdir().unwrap();
            for layer in game.lower_layers(layer).into_iter().chain([layer]) {
                let codes = noise(&game, layer, 100 + u64::from(layer));
                let (_, header) = raw_table(&game, layer, &codes);
                let options = Options { stored, ..Options::default() };
                let bytes = packed_table(&game, &header, &codes, &options);
                fs::write(path(&game, dir.path(), layer, Kind::Packed), bytes).unwrap();
            }
            let [general, blocks] = both(&game, dir.path(), layer);
            assert_eq!(general, blocks, "{rules}, {stored:?} stored");
            assert!(general.len() > 10, "{general:?}");
        }
    }
}

/// Returns ranks at the edges of blocks of every kind: all moves in tables or not, and every
/// length.
fn edges(game: &Hunt, layer: u16) -> Vec<u64> {
    let index = game.index(layer);
    let moves = game.block_moves(layer, &index).unwrap();
    let (mut seen, mut ranks, mut at) = (BTreeSet::new(), Vec::new(), 0);
    while at < index.len(Side::First) {
        let block = moves.block(at);
        assert_eq!((block.start, moves.block(block.end - 1)), (at, block.clone()));
        let mut listed = true;
        moves.visit(Side::Second, at, &mut |moves| listed &= !matches!(moves, Moves::Unlisted(_)));
        at = block.end;
        if seen.insert((listed, block.end - block.start)) {
            ranks.extend([block.start, block.end - 1]);
        }
    }
    ranks.extend([at - 1, at / 2, 262_143, 262_144]);
    ranks.retain(|&rank| rank < at);
    ranks
}

/// Solves layers up to `layer`, then changes values at the edges of its blocks, `at_a_time`
/// together.
fn plant(game: &Hunt, layer: u16, at_a_time: usize) {
    let dir = tempfile::tempdir().unwrap();
    let first = if game.lower_layers(layer).is_empty() { layer } else { 1 };
    solve(
        game,
        &SolveOptions { layers: Some(first..=layer), ..SolveOptions::new(dir.path()) },
        &Unobserved,
    )
    .unwrap();
    for layer in first..=layer {
        assert_eq!(
            both(game, dir.path(), layer),
            [(); 2].map(|()| Vec::<String>::new()),
            "{}, layer {layer}",
            game.rules_id()
        );
    }
    remove_manifest(game, dir.path());
    let path = path(game, dir.path(), layer, Kind::Raw);
    let sound = outcomes(&path);
    for side in Side::BOTH {
        for (turn, ranks) in edges(game, layer).chunks(at_a_time).enumerate() {
            let mut forged = sound.clone();
            for &rank in ranks {
                let code = &mut forged[side][rank as usize];
                *code = (*code + 1 + (turn % 2) as u8) % 3;
            }
            fs::write(&path, raw_table(game, layer, &forged).0).unwrap();
            let [general, blocks] = both(game, dir.path(), layer);
            assert_eq!(general, blocks, "{}, layer {layer}: {ranks:?}", game.rules_id());
            if at_a_time == 1 {
                let index = game.index(layer);
                let text = game.format_position(&index.unrank(side, ranks[0]));
                assert!(
                    general.len() > 10 || general.iter().any(|problem| problem.starts_with(&text)),
                    "{text} in {general:?}"
                );
            }
            assert!(!general.is_empty());
        }
    }
}

#[test]
fn both_checks_find_a_wrong_value_at_the_edge_of_a_block() {
    plant(&Hunt::fox_geese("first-capture").unwrap(), 29, 1);
}

#[test]
fn both_checks_find_wrong_values_at_the_edges_of_blocks() {
    for game in games(&SOME_RULES) {
        plant(&game, 4, 200);
    }
}

/// The same in layers 4 to 6, under the rule sets with this base.
fn plant_in_layer_6(base: &str) {
    for game in
        games(&FOX_GEESE_RULES).filter(|game| game.rules_id().split('+').next() == Some(base))
    {
        plant(&game, 4, 200);
        plant(&game, 5, 200);
        plant(&game, 6, 200);
    }
}

#[test]
#[ignore = "takes minutes"]
fn both_checks_find_wrong_values_in_layer_6_under_free() {
    plant_in_layer_6("free");
}

#[test]
#[ignore = "takes minutes"]
fn both_checks_find_wrong_values_in_layer_6_under_first_capture() {
    plant_in_layer_6("first-capture");
}

#[test]
#[ignore = "takes minutes"]
fn both_checks_find_wrong_values_in_layer_6_under_forward() {
    plant_in_layer_6("forward");
}
