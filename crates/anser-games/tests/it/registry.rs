//! Games by name, and what the registry says about them.

use anser_core::{Hunt, LayerIndex, Next, Side, key, key_position, orbit_members};
use anser_games::answers::CensusPart;
use anser_games::{NameError, Position, Registry, START};
use anser_retrograde::{Solution, census};

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

#[test]
fn codes_tell_positions_apart_and_read_back() {
    for (name, rules) in
        GAMES.into_iter().chain([("fox-hounds:12", "escape"), ("hexapawn:6x6", "standard")])
    {
        let game = Registry::standard().game(name, Some(rules)).unwrap();
        let layers: Vec<u16> = game.layers().collect();
        for layer in layers.iter().step_by(layers.len() / 6 + 1) {
            let index = game.index(*layer);
            for side in Side::BOTH {
                let step = (index.len(side) / 50 + 1) as usize;
                for rank in (0..index.len(side)).step_by(step) {
                    let position = index.unrank(side, rank);
                    if index.orbit(side, rank) > 0 {
                        assert_eq!(game.decode(game.encode(&position)), Some(position), "{name}");
                    }
                }
            }
        }
        assert_eq!(game.decode(u128::MAX), None);
    }
}

/// Plays along the `pick`th moves. Everything that is written reads back, and ranks, layers, and
/// ends are those of the moves.
fn play_along(game: &Hunt) {
    for pick in 0..20 {
        let mut position = game.start();
        for ply in 0..60 {
            let text = game.format_position(&position);
            assert_eq!(game.parse_position(&text), Ok(position));
            assert_eq!(game.decode(game.encode(&position)), Some(position), "{text}");
            let (layer, side) = (game.layer(&position), position.to_move());
            let index = game.index(layer);
            let rank = index.rank(&position);
            let unranked = index.unrank(side, rank);
            let images = 0..game.symmetries();
            assert!(images.clone().any(|image| game.image(&unranked, image) == position), "{text}");
            let members = orbit_members(game, &position);
            for image in images {
                let image = game.image(&position, image);
                assert_eq!(index.rank(&image), rank, "{text}");
                let place = members.iter().position(|member| *member == image).expect("a member");
                let key = key(game, &image, rank);
                assert_eq!(key, rank * game.symmetries() as u64 + place as u64, "{text}");
                assert_eq!(key_position(game, &index, side, key), image, "{text}");
            }
            if let Some(passed) = game.passed(&position) {
                assert_eq!(passed.to_move(), side.other(), "{text}");
                assert_eq!(game.passed(&passed), Some(position), "{text}");
            }
            let is_over = game.terminal(&position).is_some();
            assert_eq!(game.ending(&position).is_some(), is_over, "{text}");
            let moves = game.moves(&position);
            assert_eq!(moves.is_empty(), is_over, "{text}");
            for (mv, next) in &moves {
                let mv_text = game.format_move(mv);
                assert_eq!(game.parse_move(&position, &mv_text), Ok(*mv), "{text}, {mv_text}");
                let inner = game.inner_positions(&position, mv);
                assert!(game.has_chains() || inner.is_empty(), "{text}, {mv_text}");
                match next {
                    Next::Position(next) => {
                        let to = game.layer(next);
                        assert!(to == layer || game.lower_layers(layer).contains(&to), "{text}");
                        assert!(to != layer || game.stays_in_layer(layer, side), "{text}");
                    }
                    Next::End(end) => {
                        assert_eq!(game.decode(game.encode(&end.position)), Some(end.position));
                    }
                }
            }
            assert!(game.parse_move(&position, "no move").is_err());
            let steps = moves.len();
            let next = moves.into_iter().nth((pick * 7 + ply) % steps.max(1));
            let Some((_, Next::Position(next))) = next else { break };
            position = next;
        }
    }
    assert!(game.parse_position("nonsense").is_err());
}

#[test]
fn a_name_stands_for_the_game_of_its_constructor_and_plays_read_back() {
    let games = [
        ("fox-geese", "free", Hunt::default()),
        ("fox-geese", "first-capture", Hunt::fox_geese("first-capture").unwrap()),
        ("fox-geese", "free+chain", Hunt::fox_geese("free+chain").unwrap()),
        ("fox-hounds:8", "escape", Hunt::fox_hounds(8, "escape").unwrap()),
        ("hasenspiel", "literal", Hunt::hasenspiel(8, 4, "literal").unwrap()),
        ("hare-hounds", "budget-20", Hunt::hare_hounds("budget-20").unwrap()),
        ("hare-hounds", "unlimited", Hunt::hare_hounds("unlimited").unwrap()),
        ("hexapawn:4x5", "standard", Hunt::hexapawn("4x5".parse().unwrap())),
    ];
    for (name, rules, made) in games {
        let game = Registry::standard().game(name, Some(rules)).unwrap();
        assert_eq!(game.rules_id(), rules);
        assert_eq!(game.description(), made.description());
        assert_eq!(game.fingerprint(), made.fingerprint());
        play_along(&game);
    }
}

#[test]
fn entries_are_true_of_their_games() {
    let registry = Registry::standard();
    for info in registry.games() {
        let game = registry.game(&info.name, None).expect("the default game can be made");
        assert_eq!(
            (game.name().to_owned(), game.rules_id().to_owned()),
            (info.default_name(), info.default_rules.clone())
        );
        play_along(&game);
        assert_eq!(
            registry.name_in_files(&info.default_name().replace(':', "-")),
            info.default_name()
        );
        assert!(info.rule_sets.iter().any(|rules| rules.id == info.default_rules));
        for rules in &info.rule_sets {
            assert_eq!(registry.game(&info.name, Some(&rules.id)).unwrap().rules_id(), rules.id);
        }
        for family in &info.families {
            let (least, most) = (family.least, family.greatest);
            let make = |number: u32| {
                registry.game(&info.name, Some(&family.pattern.replace('N', &number.to_string())))
            };
            assert!(make(least.into()).is_ok() && make(most.into()).is_ok(), "{}", family.pattern);
            assert!(make(u32::from(least) - 1).is_err() && make(u32::from(most) + 1).is_err());
        }
        for other in &info.no_rule_sets {
            let error =
                registry.game(&info.name, Some(&other.name)).expect_err("it is no rule set");
            assert!(matches!(error, NameError::NoRules { name, .. } if name == other.name));
        }
        for opening in &info.openings {
            let position = info.opening(&game, &opening.name).unwrap();
            assert_eq!(game.format_position(&position), opening.position);
        }
        assert_eq!(info.opening(&game, START), Ok(game.start()));
        assert!(matches!(info.opening(&game, "none"), Err(NameError::Opening { .. })));
    }
}

#[test]
fn sizes_of_hasenspiel_have_one_name() {
    for (size, name) in [(":8", ""), (":8-4", ""), (":8-2", ":8-2"), (":10-5", ":10"), ("", "")] {
        let game = Registry::standard().game(&format!("hasenspiel{size}"), None).unwrap();
        assert_eq!(game.name(), format!("hasenspiel{name}"));
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
    for wrong in
        ["7", "0", "14", "8-5", "8-0", "10x10", "8-", "-4", "+8", "08", "99999999999999999999"]
    {
        let error = message(&format!("hasenspiel:{wrong}"), None);
        assert!(error.contains("hasenspiel:10-3"), "{wrong}: {error}");
    }
    for wrong in ["", "Standard", "standard ", "free"] {
        assert!(message("hexapawn", Some(wrong)).contains("the rule set of Hexapawn is standard"));
    }
    assert!(message("fox-geese", Some("nonsense")).contains("nonsense"));
}

#[test]
fn the_census_is_written_with_the_names_of_the_sides_in_order() {
    let game = Registry::standard().game("hexapawn:3x3", None).unwrap();
    let census = census(&Solution::reachable(&game, &game.start()).unwrap());
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

/// The first two positions are the examples of the specification of the exchange.
#[test]
fn positions_of_the_baghchal_exchange_are_read() {
    let game = Registry::standard().game("bagh-chal", None).expect("a game");
    let read = |text: &str| Position::parse(&game, text).map(|it| it.to_string());
    for (text, ours) in [
        ("GGGGG/GTTTG/GXTXG/GXXXG/GGGGG t c1 mC5 -", "ggggg/gTTTg/g1T1g/g3g/ggggg t 3 1"),
        ("GGGGG/GTTTG/GXTXG/GXXXG/GGGGG g c2 mA3B3 12", "ggggg/gTTTg/g1T1g/g3g/ggggg g 2 2"),
        ("TXXXT/XXXXX/XXXXX/XXXXX/TXXXT g c0 - 0", "T3T/5/5/5/T3T g 20 0"),
        ("TXXXT/XXXXX/XXGXX/XXXXX/TXXXT t c0", "T3T/5/2g2/5/T3T t 19 0"),
        ("txxxt/xxxxx/xxgxx/xxxxx/txxxt_T_c0_mC3", "T3T/5/2g2/5/T3T t 19 0"),
    ] {
        assert_eq!(read(text).expect(text), ours, "{text}");
        assert_eq!(read(ours).expect(ours), ours);
    }
    for (text, column, problem) in [
        ("TXXXT/XXXXX/XXGXX/XXXXX/TXXXT t c300", 33, "a c and the number of captured pieces"),
        ("TXXXT/XXXXX/XXGXX/XXXXX/TXXXT t c0 C3 -", 36, "the last move is expected"),
        ("TXXXT/XXXXX/XXGXX/XXXXX/TXXXT t c0 mC3 x", 40, "the number of the move"),
        ("TXXXT/XXXXX/XXGXX/XXXXX/TXXXT t c0 mC3 1 2", 42, "where the position is complete"),
        ("TXXXT/XXXXX/XXGXX/XXXX/TXXXT t c0 - -", 23, ""),
        ("TXXXT/XXXXX/XXSXX/XXXXX/TXXXT t c0 - -", 15, "S"),
        ("TXXXT/XXXXX/XXGXX/XXXXX/XXXXT t c0 - -", 1, "tigers"),
        ("GGGGG/GTTTG/GGTGG/GGGGG/GGXXX g c4 - -", 1, "are more than 20"),
    ] {
        let error = Position::parse(&game, text).expect_err(text);
        let text_of = error.to_string();
        assert!(text_of.contains(problem), "{text}: {text_of}");
        assert!(column == 0 || error.column() == column, "{text}: {text_of}");
    }
}
