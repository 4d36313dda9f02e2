//! A game chosen at run time is the game itself.

use anser_analyse::{Limits, Solution, WholeGame, census};
use anser_core::prelude::*;
use anser_core::{Side, fox_geese::FoxGeese, hare_hounds::HareHounds, validate};
use anser_games::answers::CensusPart;
use anser_games::{AnyGame, NameError, Registry, START};
use anser_solve::Solvable;

/// Games of the registry that have few enough layers to look at each.
const GAMES: [(&str, &str); 7] = [
    ("fox-geese", "free"),
    ("fox-geese", "first-capture"),
    ("fox-hounds:6", "escape"),
    ("hasenspiel", "author"),
    ("hare-hounds", "unlimited"),
    ("hare-hounds", "budget-20"),
    ("hexapawn:4x4", "standard"),
];

#[test]
fn a_game_chosen_at_run_time_fits_together() {
    for (name, rules) in GAMES {
        let game = Registry::standard().game(name, Some(rules)).unwrap();
        for layer in game.layers() {
            validate(&game, layer, 8)
                .unwrap_or_else(|error| panic!("{name}, layer {layer}: {error}"));
        }
    }
}

#[test]
fn positions_inside_a_chain_are_those_of_the_game() {
    let game = Registry::standard().game("fox-geese", Some("free+chain")).unwrap();
    let position = game.parse_position("gg1/3/7/Fg1g1g1/7/3/ggg f").unwrap();
    let inner = |text| {
        let mv = game.parse_move(&position, text).unwrap();
        let inner = game.inner_positions(&position, &mv);
        inner.iter().map(|inner| game.format_position(inner)).collect::<Vec<_>>()
    };
    let [first, second] = ["gg1/3/7/2Fg1g1/7/3/ggg f", "gg1/3/7/4Fg1/7/3/ggg f"];
    assert_eq!(inner("a4xc4xe4xg4"), [first, second]);
    assert_eq!(inner("a4xc4xe4"), [first]);
    assert!(inner("a4xc4").is_empty() && inner("a4-a3").is_empty());
}

/// Plays along the `pick`th moves and compares everything the rules, layers, and notation say.
fn same<G: WholeGame + Solvable>(game: &G) {
    let any = AnyGame::new(game.clone());
    assert_eq!(
        (any.name(), any.rules_id(), any.fingerprint()),
        (game.name(), game.rules_id(), game.fingerprint())
    );
    assert_eq!((any.layers(), any.symmetries()), (game.layers(), game.symmetries()));
    assert_eq!(any.has_chains(), game.has_chains());
    assert_eq!(
        Side::BOTH.map(|side| any.side_name(side)),
        Side::BOTH.map(|side| game.side_name(side))
    );
    assert_eq!(Side::BOTH.map(|side| any.noun(side)), Side::BOTH.map(|side| game.noun(side)));
    for pick in 0..20 {
        let (mut position, mut at) = (game.start(), any.start());
        for ply in 0..60 {
            assert_eq!(any.encode(&at), game.encode(&position));
            assert_eq!(any.decode(game.encode(&position)), Some(at));
            assert_eq!(any.format_position(&at), game.format_position(&position));
            assert_eq!(any.parse_position(&game.format_position(&position)).as_ref(), Ok(&at));
            assert_eq!(
                (any.diagram(&at), any.picture(&at)),
                (game.diagram(&position), game.picture(&position))
            );
            assert_eq!(
                (any.terminal(&at), any.ending(&at)),
                (game.terminal(&position), game.ending(&position))
            );
            assert_eq!(any.static_outcome(&at), game.static_outcome(&position));
            assert_eq!(any.material(&at), game.material(&position));
            assert_eq!(any.side_to_move(&at), game.side_to_move(&position));
            assert_eq!(
                any.passed(&at).map(|p| any.encode(&p)),
                game.passed(&position).map(|p| game.encode(&p))
            );
            let layer = game.layer(&position);
            assert_eq!(
                (any.layer(&at), any.lower_layers(layer)),
                (layer, game.lower_layers(layer))
            );
            assert_eq!(any.is_loopy(layer), game.is_loopy(layer));
            assert_eq!(any.index(layer).rank(&at), game.index(layer).rank(&position));
            let (moves, expected) = (any.moves(&at), game.moves(&position));
            assert_eq!(moves.len(), expected.len());
            for ((mv, next), (other, other_next)) in moves.iter().zip(&expected) {
                let text = game.format_move(other);
                assert_eq!(any.format_move(mv), text);
                assert_eq!(any.parse_move(&at, &text).as_ref(), Ok(mv));
                let inner = game.inner_positions(&position, other);
                assert!(
                    any.inner_positions(&at, mv)
                        .iter()
                        .map(|inner| any.encode(inner))
                        .eq(inner.iter().map(|inner| game.encode(inner)))
                );
                assert_eq!(
                    format!("{:?}", next_code(&any, next)),
                    format!("{:?}", next_code(game, other_next))
                );
            }
            assert!(any.parse_move(&at, "no move").is_err());
            let steps: Vec<_> = expected.iter().zip(&moves).collect();
            if steps.is_empty() {
                break;
            }
            let ((_, next), (_, any_next)) = steps[(pick * 7 + ply) % steps.len()];
            match (next, any_next) {
                (anser_core::Next::Position(next), anser_core::Next::Position(any_next)) => {
                    (position, at) = (*next, *any_next);
                }
                _ => break,
            }
        }
    }
    assert!(any.parse_position("nonsense").is_err());
    assert_eq!(any.decode(u128::MAX), None);
}

fn next_code<G: Game>(game: &G, next: &anser_core::Next<G::Position>) -> anser_core::Next<u128> {
    next.map(|position| game.encode(&position))
}

#[test]
fn every_answer_is_that_of_the_game() {
    same(&FoxGeese::default());
    same(&FoxGeese::new("first-capture".parse().unwrap()));
    same(&FoxGeese::new("free+chain".parse().unwrap()));
    same(&anser_core::fox_hounds::FoxHounds::default());
    same(&anser_core::hasenspiel::Hasenspiel::new("literal".parse().unwrap()));
    same(&HareHounds::default());
    same(&HareHounds::new("unlimited".parse().unwrap()));
    same(&anser_core::hexapawn::Hexapawn::new("4x5".parse().unwrap()));
}

#[test]
fn a_solution_is_that_of_the_game() {
    for (name, rules) in
        [("hexapawn:4x4", "standard"), ("hare-hounds", "unlimited"), ("fox-hounds:6", "escape")]
    {
        let any = Registry::standard().game(name, Some(rules)).unwrap();
        let fast = any.solution(&any.start(), &Limits::default()).unwrap();
        // Solved in the erased type, position by position through virtual calls.
        let slow = Solution::reachable(&any, &any.start()).unwrap();
        assert_eq!(fast.len(), slow.len());
        assert_eq!(format!("{:?}", census(&fast)), format!("{:?}", census(&slow)));
        for layer in any.layers() {
            let of = |solution: &Solution<AnyGame>| solution.positions(layer).collect::<Vec<_>>();
            assert_eq!(of(&fast), of(&slow), "{name}, layer {layer}");
        }
    }
}

#[test]
fn entries_are_true_of_their_games() {
    let registry = Registry::standard();
    for info in registry.games() {
        let game = registry.game(info.name, None).expect("the default game can be made");
        assert_eq!(
            (game.name(), game.rules_id()),
            (info.default_name(), info.default_rules.to_owned())
        );
        assert_eq!(
            registry.name_in_files(&info.default_name().replace(':', "-")),
            info.default_name()
        );
        assert!(info.rule_sets.iter().any(|rules| rules.id == info.default_rules));
        for rules in &info.rule_sets {
            assert_eq!(registry.game(info.name, Some(&rules.id)).unwrap().rules_id(), rules.id);
        }
        for family in info.families {
            let [least, most] = family.range;
            let make = |number: u32| {
                registry.game(info.name, Some(&family.pattern.replace('N', &number.to_string())))
            };
            assert!(make(least.into()).is_ok() && make(most.into()).is_ok(), "{}", family.pattern);
            assert!(make(u32::from(least) - 1).is_err() && make(u32::from(most) + 1).is_err());
        }
        for other in info.no_rule_sets {
            let error = registry.game(info.name, Some(other.name)).expect_err("it is no rule set");
            assert!(matches!(error, NameError::NoRules { name, .. } if name == other.name));
        }
        for opening in info.openings {
            let position = info.opening(&game, opening.name).unwrap();
            assert_eq!(game.format_position(&position), opening.position);
        }
        assert_eq!(info.opening(&game, START), Ok(game.start()));
        assert!(matches!(info.opening(&game, "none"), Err(NameError::Opening { .. })));
    }
}

#[test]
fn unknown_names_are_errors_that_say_what_there_is() {
    let registry = Registry::standard();
    let message = |name: &str, rules| registry.game(name, rules).unwrap_err().to_string();
    assert!(
        message("chess", None).contains("fox-geese, fox-hounds, hasenspiel, hare-hounds, hexapawn")
    );
    assert!(message("fox-geese:7", None).contains("write fox-geese"));
    assert!(message("fox-hounds:7", None).contains('7'));
    assert!(message("fox-hounds:x", None).contains("\"x\""));
    assert!(message("hexapawn:99x99", None).contains("99"));
    assert!(message("fox-geese", Some("nonsense")).contains("nonsense"));
}

#[test]
fn the_census_is_written_with_the_names_of_the_sides_in_order() {
    let game = Registry::standard().game("hexapawn:3x3", None).unwrap();
    let census = census(&game.solution(&game.start(), &Limits::default()).unwrap());
    let text =
        serde_json::to_string(&CensusPart::new(&game, &census)).expect("a census can be written");
    assert!(text.starts_with(r#"{"to_move":{"white":{"outcomes":{"white":"#), "{text}");
    let json: serde_json::Value = serde_json::from_str(&text).expect("it reads back");
    let ends = &json["to_move"]["white"]["ends"];
    // At every end of Hexapawn the side to move has lost.
    assert!(ends["far row"]["black"].as_u64() > Some(0));
    assert!(ends["far row"]["white"].is_null());
    let zero = &json["to_move"]["white"]["depths"]["black"]["0"];
    let ended: u64 =
        ends.as_object().into_iter().flatten().filter_map(|(_, by)| by["black"].as_u64()).sum();
    assert_eq!(zero.as_u64(), Some(ended));
}
