//! Hunts as data: every position, move, and value is that of the plain program for any description.

use std::collections::{BTreeSet, HashMap};

use anser_core::hunt::{self, Condition, Description, EndRule, Hunt, Layering};
use anser_core::{LayerIndex, Next, Outcome, Probe, Side, validate};
use anser_oracle::{Game as _, Graph, plain};
use anser_retrograde::{Limits, Reachable, Solution};

use crate::support::{brute_force, hunts, random_hunts};

fn of(side: anser_oracle::Side) -> Side {
    Side::BOTH[side as usize]
}

/// Compares all positions of a game: its moves, ends, layers, and values.
fn compare(description: Description) {
    let text = description.to_string();
    assert_eq!(Description::from_text(&text).as_ref(), Ok(&description));
    let plain = anser_oracle::hunt::Hunt::read(&text);
    let name = format!("{} {}", description.name, description.rules);
    let game = Hunt::new(description).unwrap_or_else(|problem| panic!("{name}: {problem}"));
    for layer in game.layers() {
        validate(&game, layer, 50).unwrap_or_else(|violation| panic!("{name}: {violation}"));
    }
    let mut positions = plain.arrangements();
    positions.retain(|position| game.parse_position(&plain.notation(position)).is_ok());
    let all: u64 =
        game.layers().flat_map(|layer| Side::BOTH.map(|side| game.positions(layer, side))).sum();
    // The others are those of layers in which the game is over everywhere.
    let is_in_layer = |position: &&anser_oracle::hunt::Position| {
        let read = game.parse_position(&plain.notation(position)).expect("it was read before");
        let is_in_layer = game.layers().contains(&game.layer(&read));
        assert!(is_in_layer || game.terminal(&read).is_some(), "{name}");
        is_in_layer
    };
    let found = positions.iter().filter(is_in_layer).count();
    assert_eq!(all, found as u64, "{name}: number of positions");
    let graph = Graph::of(&plain, positions);
    let values = graph.values_by_rounds();
    let solution = Solution::of_layers(&game, game.layers(), &Limits::default()).unwrap();
    let mut found = HashMap::new();
    for (at, plain_position) in graph.positions.iter().enumerate() {
        // A position after a capture that ends the game is no position of its own.
        if plain_position.captured.is_some() {
            continue;
        }
        let text = plain.notation(plain_position);
        let position = game.parse_position(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(game.format_position(&position), text);
        assert!(found.insert(position, at).is_none(), "{name}: {text} twice");
        let end = graph.ended[at];
        assert_eq!(game.ending(&position), end.map(|end| end.by), "{name}: {text}");
        let won = end.and_then(|end| end.winner).map(|side| Outcome::Win(of(side)));
        assert_eq!(game.terminal(&position), won, "{name}: {text}");
        let moves = if end.is_some() { Vec::new() } else { plain.moves(plain_position) };
        let ours = game.moves(&position);
        assert_eq!(ours.len(), moves.len(), "{name}: {text}");
        for ((mv, next), (plain_mv, plain_next)) in ours.iter().zip(&moves) {
            assert_eq!(game.format_move(mv), plain_mv.to_string(), "{name}: {text}");
            assert_eq!(
                game.format_position(next.position()),
                plain.notation(plain_next),
                "{name}: {text} {plain_mv}"
            );
            if let Next::End(end) = next {
                let by = plain.ended(plain_next).expect("the plain program ends the game as well");
                assert_eq!(game.reason_text(end.reason), by.by, "{name}: {text} {plain_mv}");
                assert_eq!(Some(end.outcome), by.winner.map(|side| Outcome::Win(of(side))));
            }
        }
        let value = solution.value(&position).unwrap();
        let plain::Value { winner, plies } = values[at];
        let expected = winner.map_or(Outcome::Draw, |side| Outcome::Win(of(side)));
        assert_eq!(value.outcome, expected, "{name}: {text}");
        if winner.is_some() {
            assert_eq!(value.plies.map(u32::from), Some(plies), "{name}: {text}");
        }
    }
}

#[test]
fn the_games_of_the_documents_are_those_of_the_plain_program() {
    for rules in ["unlimited", "budget-3"] {
        compare(hunt::hare_hounds(rules).unwrap());
    }
    for size in [2, 4] {
        for rules in ["escape", "strict"] {
            compare(hunt::fox_hounds(size, rules).unwrap());
        }
        for rules in ["literal", "author"] {
            compare(hunt::hasenspiel(size, size / 2, rules).unwrap());
        }
    }
    for size in ["1x3", "2x3", "3x3", "2x4", "3x4"] {
        compare(hunt::hexapawn(size.parse().unwrap()));
    }
}

#[test]
fn hunts_with_hands_captures_goals_and_passes_are_those_of_the_plain_program() {
    for description in hunts::small() {
        compare(description);
    }
}

#[test]
fn a_chain_stops_where_too_few_pieces_are_left() {
    let mut all = hunts::small().into_iter();
    let mut geese = all.find(|description| description.name == "geese").expect("it is there");
    (geese.sides[0].chain, geese.sides[0].compulsory) = (true, false);
    assert_eq!(geese.ends[0].condition, Condition::Fewer(Side::Second, 3));
    compare(geese.clone());
    geese.ends.push(EndRule::new(Condition::OutOfPlies, Side::Second, "out of plies"));
    (geese.plies, geese.layers) = (Some(3), Layering::Plies);
    compare(geese);
}

/// The features of a description that matter for moves and ends, in words.
fn features(description: &Description) -> Vec<String> {
    let mut all: Vec<String> = vec![format!("layers by {}", description.layers.word())];
    for side in Side::BOTH {
        let of = description.side(side);
        let sized = [
            ("jumps", of.jumps.len()),
            ("captures", of.captures.len()),
            ("hand", of.hand.into()),
            ("region", of.region.len()),
            ("order", of.order.len()),
            ("chain", of.chain.into()),
            ("compulsory", of.compulsory.into()),
            ("several", usize::from(of.number[1]) - 1),
            ("none left", usize::from(of.number[0] == 0)),
        ];
        let there = sized.iter().filter(|(_, size)| *size > 0);
        all.extend(there.map(|(word, _)| format!("{word} of {side:?}")));
    }
    for end in &description.ends {
        let words = end.condition.words(|_| String::new());
        all.extend(words.split(' ').next().map(str::to_owned));
        all.extend(end.to_move.map(|side| format!("{side:?} to move")));
        all.extend(end.after_placement.then(|| "after placement".to_owned()));
        all.extend(end.except_start.then(|| "except start".to_owned()));
    }
    all.extend(description.endless.map(|side| format!("endless for {side:?}")));
    all
}

#[test]
fn random_hunts_are_those_of_the_plain_program() {
    let mut seen = BTreeSet::new();
    for description in random_hunts::random(0..400) {
        seen.extend(features(&description));
        compare(description);
    }
    // Every layering, every end, and what each side can have.
    assert_eq!(seen.len(), 37, "{seen:?}");
}

#[test]
#[ignore = "takes minutes"]
fn thousands_of_random_hunts_are_those_of_the_plain_program() {
    random_hunts::random(10_000..20_000).for_each(compare);
}

/// Symmetries that keep the root are used; the others are not.
#[test]
fn play_reaches_what_a_plain_search_reaches_from_roots_of_every_symmetry() {
    let mut kept_by = BTreeSet::new();
    for description in hunts::small() {
        let game = Hunt::new(description).unwrap();
        for side in Side::BOTH {
            let mut seen = BTreeSet::new();
            for layer in game.layers() {
                let index = game.index(layer);
                for rank in (0..index.len(side)).filter(|&rank| index.orbit(side, rank) > 0) {
                    let root = index.unrank(side, rank);
                    let keeps = |&symmetry: &usize| game.image(&root, symmetry) == root;
                    let keeping = (0..game.symmetries()).filter(keeps).count();
                    if game.terminal(&root).is_some() || !seen.insert((layer, keeping)) {
                        continue;
                    }
                    let found = Reachable::from(&game, &root, &Limits::default()).unwrap();
                    let plain = brute_force::reachable(&game, root);
                    let text = game.format_position(&root);
                    assert_eq!(found.len(), plain.len() as u64, "{}: {text}", game.name());
                    assert!(plain.iter().all(|position| found.contains(position)));
                    kept_by.insert(keeping);
                }
            }
        }
    }
    assert!(kept_by.len() > 2, "{kept_by:?}");
}
