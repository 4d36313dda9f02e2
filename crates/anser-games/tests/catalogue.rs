//! The games of the program that are files: every rule set is one that can be played, and those of
//! `data/games/readings.csv` have the boards and numbers of positions of the rules as they were read
//! from the sources.

mod common;

use std::collections::BTreeSet;

use anser_core::hunt::Description;
use anser_core::{Hunt, LayerIndex, Outcome, Side, validate};
use anser_games::{GameInfo, Registry, describe, parse_file};

use common::compare;

/// A line of `data/games/readings.csv`.
struct Reading {
    game: String,
    rules: String,
    points: usize,
    lines: usize,
    jumps: usize,
    symmetries: usize,
    /// The positions with either side to move and all of the few on the board, those after the last
    /// capture included.
    positions: u64,
}

fn readings() -> Vec<Reading> {
    let text = include_str!("../../../data/games/readings.csv");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("id,game,rules,points,lines,jumps,symmetries,positions"));
    let reading = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let &[_id, game, rules, points, lines, jumps, symmetries, positions] = &cells[..] else {
            panic!("{line}")
        };
        let number = |cell: &str| cell.parse().unwrap_or_else(|_| panic!("{line}"));
        Reading {
            game: game.to_owned(),
            rules: rules.to_owned(),
            points: number(points),
            lines: number(lines),
            jumps: number(jumps),
            symmetries: number(symmetries),
            positions: positions.parse().unwrap_or_else(|_| panic!("{line}")),
        }
    };
    lines.map(reading).collect()
}

/// The games that are files of the program.
fn shipped(registry: &Registry) -> impl Iterator<Item = &GameInfo> {
    registry.games().filter(|info| info.origin.title.is_some())
}

/// Whether all of the few are on the board in a layer.
fn few_are_placed(game: &Hunt, layer: u16) -> bool {
    let index = game.index(layer);
    index.len(Side::First) > 0 && index.unrank(Side::First, 0).in_hand(Side::First) == 0
}

/// Counts the positions with all of the few on the board, also those of layers that need no tables,
/// because the game is over in every position.
fn positions(game: &Hunt) -> u64 {
    let placed = (0..=*game.layers().end()).filter(|&layer| few_are_placed(game, layer));
    placed.flat_map(|layer| Side::BOTH.map(|side| game.positions(layer, side))).sum()
}

fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

#[test]
fn rule_sets_have_the_numbers_of_their_readings() {
    let registry = Registry::standard();
    let mut seen = BTreeSet::new();
    for reading in readings() {
        let name = format!("{} {}", reading.game, reading.rules);
        assert!(seen.insert(name.clone()), "{name} is there twice");
        let game = registry.game(&reading.game, Some(&reading.rules));
        let game = game.unwrap_or_else(|error| panic!("{error}"));
        let description = game.description();
        let [few, many] = &description.sides;
        let counted =
            [description.points.len(), description.lines.len(), few.jumps.len(), game.symmetries()];
        let expected = [reading.points, reading.lines, reading.jumps, reading.symmetries];
        assert_eq!(counted, expected, "{name}: points, lines, jumps, symmetries");
        assert!(many.jumps.is_empty(), "{name}");
        // The readings count every arrangement. Where all pieces of the many can be captured, those
        // without one of them are positions only if the many are to move: they have just been
        // captured.
        let empty = if many.number[0] > 0 {
            0
        } else {
            binomial(description.points.len() as u64, few.number[1].into())
        };
        assert_eq!(positions(&game) + empty, reading.positions, "{name}: positions");
    }
    assert_eq!(seen.len(), 208);
    // Every game of a file has a reading.
    for info in shipped(&registry) {
        let name = format!("{} {}", info.name, info.default_rules);
        assert!(seen.contains(&name), "{name}");
    }
}

#[test]
fn every_file_is_right_under_every_rule_set() {
    let registry = Registry::standard();
    assert_eq!(shipped(&registry).count(), 19);
    let mut rule_sets = 0;
    for info in shipped(&registry) {
        let text = std::fs::read_to_string(format!("games/{}.toml", info.name));
        let text = text.expect("the file has the name of the game");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{}: wide", info.name);
        // Unlike the registry, this checks every rule set that is listed.
        let path = format!("{}.toml", info.name);
        let parsed = parse_file(path.as_ref(), &text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((&parsed.name, &parsed.about), (&info.name, &info.about));
        assert_eq!(parsed.rule_sets, info.rule_sets);
        assert_eq!(
            (&parsed.layer_unit, &parsed.layer_unit_one),
            (&info.layer_unit, &info.layer_unit_one)
        );
        let origin = &info.origin;
        assert!(origin.region.is_some() && origin.source.is_some(), "{}", info.name);
        for opening in &info.openings {
            let game = registry.game(&info.name, None).expect("the default rule set");
            assert!(game.parse_position(&opening.position).is_ok(), "{}", opening.name);
        }
        for rules in &info.rule_sets {
            assert!(rules.meaning.ends_with('.'), "{} {}", info.name, rules.id);
            let game = info.make("", &rules.id).unwrap_or_else(|error| panic!("{error}"));
            in_rows(game.description());
            names_are_shown(&game);
            let text = game.description_text();
            assert_eq!(Description::from_text(&text).as_ref(), Ok(game.description()));
            let again = parse_file("it.toml".as_ref(), &describe(&game, "as before"));
            let again = again.unwrap_or_else(|error| panic!("{error}"));
            let again = again.make("", &rules.id).expect("the same id");
            assert_eq!(again.description(), game.description());
            for layer in [*game.layers().start(), game.layer(&game.start())] {
                let valid = validate(&game, layer, 4);
                valid.unwrap_or_else(|error| panic!("{} {}: {error}", info.name, rules.id));
            }
            rule_sets += 1;
        }
    }
    assert_eq!(rule_sets, 272);
}

/// Each point of a picture has a name of its own, or the one of its column and row.
fn names_are_shown(game: &Hunt) {
    let picture = game.picture(&game.start());
    for (point, of) in picture.points.iter().zip(&game.description().points) {
        let by_grid = || format!("{}{}", picture.columns[point.x], picture.rows[point.y]);
        let shown = point.name.clone().unwrap_or_else(by_grid);
        assert_eq!(shown, of.name, "{}", game.name());
    }
}

/// Points are numbered row by row from the bottom, from left to right: all at once, or in two parts
/// of which each is kept by the symmetries.
fn in_rows(description: &Description) {
    let places: Vec<(i32, i32)> =
        description.points.iter().map(|point| (point.y, point.x)).collect();
    let parts = places.chunk_by(|a, b| a < b).count();
    assert!(parts <= 2, "{}", description.name);
}

#[test]
fn small_games_are_those_of_the_plain_program() {
    let registry = Registry::standard();
    let mut compared = 0;
    for info in shipped(&registry) {
        for rules in &info.rule_sets {
            let game = info.make("", &rules.id).expect("a rule set");
            let sum: u64 = game
                .layers()
                .flat_map(|layer| Side::BOTH.map(|side| game.positions(layer, side)))
                .fold(0, u64::saturating_add);
            let most = if rules.id == info.default_rules { 700_000 } else { 100_000 };
            if sum <= most {
                compare(&game);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 134);
}

#[test]
fn the_page_lists_every_file_with_its_source() {
    let page = include_str!("../../../docs/games.md");
    for info in shipped(&Registry::standard()) {
        let origin = &info.origin;
        let [title, source] =
            [&origin.title, &origin.source].map(|text| text.as_deref().unwrap_or(""));
        let row =
            page.lines().find(|line| line.starts_with(&format!("| `{}` | {title} |", info.name)));
        assert!(row.is_some_and(|row| row.ends_with(&format!("| {source} |"))), "{}", info.name);
    }
}

#[test]
fn endless_play_is_won_where_the_rules_say_so() {
    let registry = Registry::standard();
    let winner = |game: &str, rules: &str| {
        let game = registry.game(game, Some(rules)).expect("a rule set");
        game.winner(Outcome::Draw)
    };
    assert_eq!(winner("thy", "standard"), None);
    assert_eq!(winner("thy", "hare-wins"), Some(Side::First));
    assert_eq!(winner("ludus-coriovalli", "3-1-j0"), Some(Side::First));
    assert_eq!(winner("ludus-coriovalli", "block4-j0"), None);
}

/// The results that are kept have the numbers of positions of the game, and the page quotes them.
#[test]
fn the_results_of_bagh_chal_are_those_of_all_positions_and_of_the_page() {
    let game = Registry::standard().game("bagh-chal", None).expect("a game");
    let page = include_str!("../../../docs/bagh-chal.md");
    let text = include_str!("../../../data/results/bagh-chal.csv");
    let mut layers = BTreeSet::new();
    // By captured goats and side to move: positions by outcome.
    let mut counts = [[[0_u64; 3]; 2]; 5];
    let (mut longest, mut placed, mut classes, mut all) = ([0_u16; 2], 0, 0, 0);
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |at: usize| cells[at].parse::<u64>().expect("a number");
        let (layer, captured, on_board) = (number(0) as u16, number(1) as usize, number(2));
        let side = if cells[3] == "tigers" { Side::First } else { Side::Second };
        let index = game.index(layer);
        let start = index.unrank(side, 0);
        assert_eq!(start.many().len() as u64, on_board, "{line}");
        assert_eq!(
            u64::from(start.in_hand(Side::Second)),
            20 - captured as u64 - on_board,
            "{line}"
        );
        let outcomes = [4, 5, 6].map(number);
        assert_eq!(outcomes.iter().sum::<u64>(), game.positions(layer, side), "{line}");
        for (sum, count) in counts[captured][side.index()].iter_mut().zip(outcomes) {
            *sum += count;
        }
        for (longest, cell) in longest.iter_mut().zip([7, 8]) {
            *longest = (*longest).max(cells[cell].parse().unwrap_or(0));
        }
        all += outcomes.iter().sum::<u64>();
        classes += index.classes(side);
        if start.in_hand(Side::Second) == 0 {
            placed += index.classes(side);
        }
        layers.insert(layer);
    }
    assert!(layers.iter().copied().eq(game.layers()), "every layer is there");
    // As Lim and Nievergelt counted in 2009.
    assert_eq!(placed, 88_260_972);
    let grouped = |number: u64| {
        let digits = number.to_string();
        let parts = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
        parts.collect::<Vec<_>>().join(",")
    };
    for (captured, sides) in counts.iter().enumerate() {
        for (name, outcomes) in ["tigers", "goats"].into_iter().zip(sides) {
            let total: u64 = outcomes.iter().sum();
            let cell = |&count: &u64| {
                format!("{} ({:.1} %)", grouped(count), 100.0 * count as f64 / total as f64)
            };
            let cells: Vec<String> = outcomes.iter().map(cell).collect();
            let row = format!("| {captured} | {name} | {} |", cells.join(" | "));
            assert!(page.contains(&row), "{row}");
        }
    }
    let quoted = [grouped(all), grouped(classes), grouped(placed)];
    let plies = format!("takes {} plies, that of the goats {}", longest[0], longest[1]);
    for text in quoted.iter().chain([&plies]) {
        assert!(page.contains(text), "{text}");
    }
}
