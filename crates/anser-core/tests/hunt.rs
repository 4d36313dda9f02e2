//! The games as descriptions are the games in their own types: positions, moves, ends, layers,
//! notation, and drawings.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use anser_core::fox_geese::{self, FoxGeese};
use anser_core::fox_hounds::{self, FoxHounds};
use anser_core::hare_hounds::{self, HareHounds};
use anser_core::hasenspiel::{self, Hasenspiel};
use anser_core::hexapawn::{BoardSize, Hexapawn};
use anser_core::hunt::{self, Description, Hunt};
use anser_core::prelude::*;
use anser_core::{Next, Side, validate};

fn hunt(description: Description) -> Hunt {
    Hunt::new(description).unwrap()
}

/// The result of a move in words.
fn result<G: Game>(game: &G, next: &Next<G::Position>) -> String {
    let text = game.format_position(next.position());
    let ended = matches!(next, Next::End(_));
    format!("{text} {ended} {:?} {:?}", game.outcome_after(next), game.ending_after(next))
}

/// Everything that a game says about a position.
fn facts<G: Game>(game: &G, position: &G::Position) -> Vec<String> {
    let mut facts: Vec<String> = game
        .moves(position)
        .iter()
        .map(|(mv, next)| {
            let text = game.format_move(mv);
            assert_eq!(game.parse_move(position, &text).as_ref(), Ok(mv));
            let inner: Vec<String> = game
                .inner_positions(position, mv)
                .iter()
                .map(|inner| game.format_position(inner))
                .collect();
            format!("{text} {} {inner:?}", result(game, next))
        })
        .collect();
    let mut unmoves = BTreeSet::new();
    let _ = game.visit_unmoves(position, |mv, from| {
        unmoves.insert(format!("{} {}", game.format_move(&mv), game.format_position(&from)));
        ControlFlow::<()>::Continue(())
    });
    facts.extend(unmoves);
    let passed = game.passed(position).map(|passed| game.format_position(&passed));
    facts.push(format!(
        "{:?} {:?} {:?} {passed:?} {:?} {:?}",
        game.side_to_move(position),
        game.terminal(position),
        game.ending(position),
        game.static_outcome(position),
        game.material(position),
    ));
    facts
}

/// Compares up to `samples` classes of each layer and side, with all their images.
fn compare<G: Game>(known: &G, game: &Hunt, layers: impl IntoIterator<Item = u16>, samples: u64) {
    assert_eq!((known.name(), known.rules_id()), (game.name(), game.rules_id()));
    assert_eq!(known.format_position(&known.start()), game.format_position(&game.start()));
    assert_eq!(known.has_chains(), game.has_chains());
    for side in Side::BOTH {
        assert_eq!(known.side_name(side), game.side_name(side));
        assert_eq!(known.noun(side), game.noun(side));
    }
    for layer in layers {
        let index = known.index(layer);
        for side in Side::BOTH {
            let len = index.len(side);
            for sample in 0..samples.min(len) {
                let rank = u128::from(sample) * u128::from(len) / u128::from(samples.min(len));
                let position = index.unrank(side, rank as u64);
                for symmetry in 0..known.symmetries() {
                    let position = known.image(&position, symmetry);
                    let text = known.format_position(&position);
                    let ours = game.parse_position(&text).unwrap();
                    assert_eq!(game.format_position(&ours), text);
                    assert_eq!(facts(game, &ours), facts(known, &position), "{text}");
                }
                let ours = game.parse_position(&known.format_position(&position)).unwrap();
                assert_eq!(game.diagram(&ours), known.diagram(&position));
                assert_eq!(game.picture(&ours), known.picture(&position));
            }
        }
    }
}

/// Compares the layers themselves: their numbers, where they lead, and how many positions they have.
fn compare_layers<G: Game>(known: &G, game: &Hunt) {
    assert_eq!(known.layers(), game.layers());
    for layer in known.layers() {
        assert_eq!(known.lower_layers(layer), game.lower_layers(layer), "layer {layer}");
        for side in Side::BOTH {
            assert_eq!(known.positions(layer, side), game.positions(layer, side), "layer {layer}");
            assert_eq!(known.stays_in_layer(layer, side), game.stays_in_layer(layer, side));
        }
    }
}

/// Checks layers by the contracts of games.
fn check(game: &Hunt, layers: impl IntoIterator<Item = u16>, samples: u64) {
    for layer in layers {
        validate(game, layer, samples).unwrap();
    }
}

#[test]
fn fox_and_geese_is_its_description_under_every_rule_set() {
    for rules in fox_geese::RuleSet::all() {
        let (known, game) = (FoxGeese::new(rules), hunt(hunt::fox_geese(rules)));
        compare(&known, &game, 1..=31, 8);
        compare_layers(&known, &game);
        check(&game, [1, 4, 5, 13, 31], 8);
    }
    let (known, game) = (FoxGeese::default(), hunt(hunt::fox_geese(fox_geese::RuleSet::FREE)));
    compare(&known, &game, 1..=3, u64::MAX);
}

#[test]
fn fox_and_hounds_is_its_description_in_every_size() {
    for rules in fox_hounds::RuleSet::all() {
        for size in [2, 4, 6, 8, 10, 12] {
            let known = FoxHounds::new(size, rules).unwrap();
            let game = hunt(hunt::fox_hounds(size, rules).unwrap());
            let samples = if size < 8 { u64::MAX } else { 16 };
            compare(&known, &game, known.layers(), samples);
            check(&game, game.layers(), if size < 6 { u64::MAX } else { 16 });
        }
    }
}

#[test]
fn hasenspiel_is_its_description_in_every_size() {
    for rules in hasenspiel::RuleSet::all() {
        for size in [2, 4, 6, 8, 10, 12] {
            for pawns in 1..=size / 2 {
                let known = Hasenspiel::sized(size, pawns, rules).unwrap();
                let game = hunt(hunt::hasenspiel(size, pawns, rules).unwrap());
                let samples = if size < 6 { u64::MAX } else { 8 };
                compare(&known, &game, known.layers(), samples);
                check(&game, game.layers(), 8);
            }
        }
    }
}

#[test]
fn hare_and_hounds_is_its_description_under_every_rule_set() {
    for rules in [1, 2, 60, 200].map(Some).into_iter().chain([None]) {
        let known_rules = rules.map_or(hare_hounds::RuleSet::UNLIMITED, |plies| {
            hare_hounds::RuleSet::with_budget(plies).unwrap()
        });
        let (known, game) = (HareHounds::new(known_rules), hunt(hunt::hare_hounds(rules)));
        let samples = if rules == Some(200) { 20 } else { u64::MAX };
        compare(&known, &game, known.layers(), samples);
        compare_layers(&known, &game);
        check(&game, game.layers(), samples);
    }
}

#[test]
fn hexapawn_is_its_description_in_every_size() {
    for size in BoardSize::all() {
        let (known, game) = (Hexapawn::new(size), hunt(hunt::hexapawn(size)));
        let samples = if size.squares() < 12 { u64::MAX } else { 8 };
        compare(&known, &game, known.layers(), samples);
        // On one column nothing can be captured, so a move goes down one layer at most.
        if size.squares() <= 12 && size.columns() > 1 {
            compare_layers(&known, &game);
            check(&game, game.layers(), 200);
        }
    }
}
