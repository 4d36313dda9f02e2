//! The games of the program that are files: every rule set is one that can be played, and those of
//! `data/games/readings.csv` and `data/games/catalogue.csv` have the rules, the boards, and the
//! numbers of positions as they were read from the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anser_core::hunt::{Condition, Description, EndRule, Position, side_word};
use anser_core::{Hunt, LayerIndex, Next, Outcome, Probe, Side, Value, validate};
use anser_games::{GameInfo, Registry, describe, parse_file};
use anser_retrograde::{Limits, Solution};
use serde_json::Value as Json;

use crate::common::compare;

/// A line of `data/games/catalogue.csv`: a hunt of the Ludii catalogue.
struct Entry {
    name: String,
    /// The game in the program; `None` if it is left out.
    game: Option<Entered>,
    /// Why it is left out.
    left_out: String,
}

/// A game of the program.
struct Entered {
    game: String,
    /// The rule sets; the first one has the numbers of the line.
    rule_sets: Vec<String>,
    points: usize,
    symmetries: usize,
    /// As [`arrangements`] counts.
    positions: u64,
}

fn catalogue(registry: &Registry) -> Vec<Entry> {
    let text = include_str!("../../../../data/games/catalogue.csv");
    let mut lines = text.lines();
    let head = "name,game,rule_sets,points,symmetries,positions,left_out";
    assert_eq!(lines.next(), Some(head));
    let entry = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let &[name, game, rule_sets, points, symmetries, positions, left_out] = &cells[..] else {
            panic!("{line}")
        };
        let number = |cell: &str| cell.parse().unwrap_or_else(|_| panic!("{line}"));
        let game = (!game.is_empty()).then(|| {
            let (info, _) = registry.find(game).unwrap_or_else(|error| panic!("{error}"));
            // The default comes first.
            let all = || info.rule_sets.iter().map(|rules| rules.id.clone()).collect();
            Entered {
                game: game.to_owned(),
                rule_sets: match rule_sets {
                    "*" => all(),
                    ids => ids.split(' ').map(str::to_owned).collect(),
                },
                points: number(points),
                symmetries: number(symmetries),
                positions: positions.parse().unwrap_or_else(|_| panic!("{line}")),
            }
        });
        Entry { name: name.to_owned(), game, left_out: left_out.to_owned() }
    };
    lines.map(entry).collect()
}

/// The games that are files of the program.
fn shipped(registry: &Registry) -> impl Iterator<Item = &GameInfo> {
    registry.games().filter(|info| Path::new(&format!("games/{}.toml", info.name)).exists())
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

/// What `data/games/readings.csv` has of a rule set, by column; `start` is compared on its own.
fn facts(game: &Hunt) -> Vec<(&'static str, String)> {
    let description = game.description();
    let [few, many] = &description.sides;
    let ends = || description.ends.iter();
    // What becomes of a side that is blocked while the many have pieces in hand, or have none.
    let blocked = |side, in_placement: bool| {
        let end = ends().find(|end| end.condition == Condition::Blocked(side));
        match end.filter(|end| !(in_placement && end.after_placement)) {
            None => "passes",
            Some(end) if end.winner == side => "wins",
            Some(_) => "loses",
        }
    };
    let captured = ends().find_map(|end| match end.condition {
        Condition::Fewer(Side::Second, least) => Some(many.number[1] + 1 - least),
        _ => None,
    });
    let of_goal = |end: &EndRule| match &end.condition {
        Condition::Reached(Side::First, points) | Condition::Arrived(Side::First, points) => {
            points.len()
        }
        _ => 0,
    };
    let goal =
        |winner| ends().filter(|end| end.winner == winner).map(of_goal).sum::<usize>().to_string();
    let except_start = ends().any(|end| end.except_start);
    vec![
        ("points", description.points.len().to_string()),
        ("lines", description.lines.len().to_string()),
        ("jumps", few.jumps.len().to_string()),
        ("symmetries", game.symmetries().to_string()),
        ("positions", arrangements(game).to_string()),
        ("few", few.number[1].to_string()),
        ("few_hand", few.hand.to_string()),
        ("many", many.number[1].to_string()),
        ("many_hand", many.hand.to_string()),
        ("first", side_word(description.first_to_move).into()),
        ("few_steps", few.steps.len().to_string()),
        ("many_steps", many.steps.len().to_string()),
        ("captured", captured.unwrap_or(0).to_string()),
        ("chain", few.chain.to_string()),
        ("compulsory", few.compulsory.to_string()),
        ("region", few.region.len().to_string()),
        ("reach", goal(Side::First)),
        ("except_start", except_start.to_string()),
        ("lose_on", goal(Side::Second)),
        ("blocked_few", blocked(Side::First, false).into()),
        ("blocked_few_in_placement", blocked(Side::First, many.hand > 0).into()),
        ("blocked_many", blocked(Side::Second, false).into()),
        ("endless", description.endless.map_or("draw", side_word).into()),
    ]
}

#[test]
fn rule_sets_are_those_of_their_readings() {
    let registry = Registry::standard();
    let (mut seen, mut compared) = (BTreeSet::new(), 0);
    let mut lines = include_str!("../../../../data/games/readings.csv").lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), head.len(), "{line}");
        let reading: BTreeMap<&str, &str> = head.iter().copied().zip(cells).collect();
        let (name, rules) = (reading["game"], reading["rules"]);
        assert!(seen.insert((name, rules)), "{name} {rules} is there twice");
        let game = registry.game(name, Some(rules)).unwrap_or_else(|error| panic!("{error}"));
        assert!(game.description().sides[1].jumps.is_empty(), "{name} {rules}");
        // Empty cells do not apply, or were not kept.
        for (column, fact) in facts(&game).iter().filter(|fact| !reading[fact.0].is_empty()) {
            assert_eq!(fact, reading[column], "{name} {rules}: {column}");
            compared += 1;
        }
        // Of several starts a reading has all points that any of them uses.
        for (side, column) in game.description().sides.iter().zip(["few_start", "many_start"]) {
            let points: Vec<&str> = reading[column].split(' ').collect();
            let name_of = |&point: &u8| &game.description().points[usize::from(point)].name[..];
            assert_eq!(side.start.len(), usize::from(side.number[1] - side.hand));
            assert!(
                reading["few"].is_empty()
                    || side.start.iter().map(name_of).all(|point| points.contains(&point)),
                "{name} {rules}: {column}"
            );
        }
    }
    assert_eq!((seen.len(), compared), (208, 4560));
}

/// Counts as the readings do: with either side to move and all of the few on the board.
fn arrangements(game: &Hunt) -> u64 {
    let [few, many] = &game.description().sides;
    // If all pieces of the many can be captured, arrangements without one of them are positions
    // only if the many are to move: they have just been captured.
    let empty = if many.number[0] > 0 {
        0
    } else {
        binomial(game.description().points.len() as u64, few.number[1].into())
    };
    positions(game) + empty
}

#[test]
fn every_hunt_of_the_catalogue_is_there_or_left_out_for_a_reason() {
    let registry = Registry::standard();
    let entries = catalogue(&registry);
    let names: BTreeSet<&str> = entries.iter().map(|entry| &entry.name[..]).collect();
    assert_eq!((entries.len(), names.len()), (77, 77));
    let mut entered = BTreeSet::new();
    for Entry { name, game, left_out } in &entries {
        assert_eq!(game.is_none(), !left_out.is_empty(), "{name}");
        let Some(of) = game else { continue };
        for rules in &of.rule_sets {
            let game = registry.game(&of.game, Some(rules));
            game.unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        let game = registry.game(&of.game, Some(&of.rule_sets[0])).expect("a game");
        let counted = (game.description().points.len(), game.symmetries(), arrangements(&game));
        assert_eq!(counted, (of.points, of.symmetries, of.positions), "{name}");
        entered.insert(of.game.clone());
    }
    // Every game of a file is one of the catalogue.
    let files: BTreeSet<String> = shipped(&registry).map(|info| info.name.clone()).collect();
    assert_eq!(entered, files);
    assert_eq!(entries.iter().filter(|entry| entry.game.is_some()).count(), 45);
}

#[test]
fn every_file_is_right_under_every_rule_set() {
    let registry = Registry::standard();
    assert_eq!(shipped(&registry).count(), 41);
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
    assert_eq!(rule_sets, 409);
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

/// Compares games with at most so many positions, under the default rule set and under others.
/// Returns the number of games and rule sets.
fn compare_small(of_default: u64, of_others: u64) -> u32 {
    let registry = Registry::standard();
    let mut compared = 0;
    for info in shipped(&registry) {
        for rules in &info.rule_sets {
            let game = info.make("", &rules.id).expect("a rule set");
            let sum: u64 = game
                .layers()
                .flat_map(|layer| Side::BOTH.map(|side| game.positions(layer, side)))
                .fold(0, u64::saturating_add);
            let most = if rules.id == info.default_rules { of_default } else { of_others };
            if sum <= most {
                compare(&game);
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn small_games_are_those_of_the_plain_program() {
    assert_eq!(compare_small(200_000, 50_000), 164);
}

#[test]
#[ignore = "takes a minute"]
fn games_with_700_000_positions_are_those_of_the_plain_program() {
    assert_eq!(compare_small(700_000, 100_000), 187);
}

/// Returns a description with fewer pieces on the same board: two of the few at most, and `most` of
/// the many. Goals that name a number of pieces are adapted: as many captures win as before, or the
/// first if there are too few pieces.
fn with_fewer_pieces(description: &Description, most: u8) -> Description {
    let mut fewer = description.clone();
    for (side, most) in fewer.sides.iter_mut().zip([2, most]) {
        if side.number[1] > most {
            side.hand = side.hand.min(most);
            side.start.truncate(usize::from(most - side.hand));
            side.hand = most - side.start.len() as u8;
        }
        side.number = side.number.map(|number| number.min(most));
    }
    let mut least = 0;
    for end in &mut fewer.ends {
        match &mut end.condition {
            Condition::Fewer(Side::Second, number) => {
                let spared = description.sides[1].number[1] - *number;
                *number =
                    if spared < most { (*number).min(most - spared) } else { (*number).min(most) };
                least = *number - 1;
            }
            Condition::Filled(Side::Second, points) => points.truncate(most.into()),
            _ => {}
        }
    }
    if !fewer.sides[0].jumps.is_empty() {
        fewer.sides[1].number[0] = least;
    }
    fewer
}

/// Compares games with more than 700,000 arrangements, under every rule set, with as many of their
/// pieces as have up to `most_arrangements`; returns the number of rule sets.
fn compare_with_fewer_pieces(most_arrangements: u64) -> usize {
    let registry = Registry::standard();
    let mut compared = 0;
    for info in shipped(&registry) {
        let game = info.make("", &info.default_rules).expect("the default rule set");
        if arrangements(&game) <= 700_000 {
            continue;
        }
        // Rule sets that differ only where there are more pieces are compared once.
        let mut seen = BTreeSet::new();
        for rules in &info.rule_sets {
            let game = info.make("", &rules.id).expect("a rule set");
            let smaller = (1..=4).map_while(|most| {
                let fewer = Hunt::new(with_fewer_pieces(game.description(), most));
                let fewer = fewer.unwrap_or_else(|error| panic!("{}: {error}", info.name));
                (most == 1 || arrangements(&fewer) <= most_arrangements).then_some(fewer)
            });
            let smaller = smaller.last().expect("one of the many");
            if seen.insert((smaller.fingerprint(), smaller.endless())) {
                compare(&smaller);
            }
            compared += 1;
        }
    }
    compared
}

#[test]
fn large_games_with_fewer_pieces_are_those_of_the_plain_program() {
    assert_eq!(compare_with_fewer_pieces(20_000), 99);
}

#[test]
#[ignore = "takes a minute"]
fn large_games_with_60_000_arrangements_are_those_of_the_plain_program() {
    assert_eq!(compare_with_fewer_pieces(60_000), 99);
}

#[test]
fn the_page_lists_every_file_with_its_source() {
    let page = include_str!("../../../../docs/games.md");
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

/// The plies of `docs/games.md`, and those of Üxrijn ever.
#[test]
fn hunted_animals_last_as_long_as_the_page_says() {
    let registry = Registry::standard();
    for (name, rules, longest) in [
        ("gioco-dell-orso", "standard", 22),
        ("gioco-dell-orso", "text", 24),
        ("to-kinegi", "standard", 34),
        ("uxrijn-ever", "standard", 111),
    ] {
        let game = registry.game(name, Some(rules)).expect("a rule set");
        let solution = Solution::of_layers(&game, game.layers(), &Limits::default());
        let value = solution.expect("there is memory").value(&game.start());
        let Value { outcome, plies } = value.expect("it is solved");
        let expected = (Outcome::Win(Side::Second), Some(longest));
        assert_eq!((outcome, plies.map(u32::from)), expected, "{name} {rules}");
    }
}

/// The start of To kynígi tou lagoú is the best choice of the hunters: no other three points of the
/// circle win sooner.
#[test]
fn the_hunters_of_to_kinegi_start_where_they_win_soonest() {
    let game = Registry::standard().game("to-kinegi", None).expect("a game");
    let solution = Solution::of_layers(&game, game.layers(), &Limits::default());
    let solution = solution.expect("there is memory");
    let circle = ["e3", "d4", "f4", "c5", "g5", "d6", "f6", "e7"].map(|name| {
        let points = &game.description().points;
        points.iter().position(|point| point.name == name).expect("a point") as u8
    });
    let mut plies = Vec::new();
    for first in 0..8 {
        for second in 0..first {
            for third in 0..second {
                let mut description = game.description().clone();
                description.sides[1].start = [third, second, first].map(|at| circle[at]).to_vec();
                let other = Hunt::new(description).expect("as before");
                let value = solution.value(&other.start()).expect("it is solved");
                plies.push(value.plies.map(u32::from).expect("a win"));
            }
        }
    }
    assert_eq!((plies.len(), plies.iter().min(), plies.iter().max()), (56, Some(&34), Some(&44)));
}

/// Writes a number as the pages do.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let parts = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    parts.collect::<Vec<_>>().join(",")
}

/// A line of `data/results/bagh-chal.csv`: one layer with one side to move.
struct Counts {
    captured: u64,
    on_board: u64,
    outcomes: [u64; 3],
    /// The longest win of either side; `None` if there is none.
    longest: [Option<u64>; 2],
    digest: &'static str,
}

/// Returns the lines of `data/results/bagh-chal.csv`.
fn counts_of_bagh_chal() -> BTreeMap<(u16, Side), Counts> {
    let text = include_str!("../../../../data/results/bagh-chal.csv");
    let counts = |line: &'static str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |at: usize| cells[at].parse::<u64>().ok();
        let expected = |at| number(at).unwrap_or_else(|| panic!("{line}"));
        let side = if cells[3] == "tigers" { Side::First } else { Side::Second };
        let counts = Counts {
            captured: expected(1),
            on_board: expected(2),
            outcomes: [4, 5, 6].map(expected),
            longest: [7, 8].map(number),
            digest: cells[9],
        };
        ((expected(0) as u16, side), counts)
    };
    text.lines().skip(1).map(counts).collect()
}

/// The results that are kept have the numbers of positions of the game, and the page quotes them.
#[test]
fn the_results_of_bagh_chal_are_those_of_all_positions_and_of_the_page() {
    let game = Registry::standard().game("bagh-chal", None).expect("a game");
    let page = include_str!("../../../../docs/bagh-chal.md");
    let mut layers = BTreeSet::new();
    // By captured goats and side to move: positions by outcome.
    let mut sums = [[[0_u64; 3]; 2]; 5];
    let (mut longest, mut placed, mut classes, mut all) = ([0_u64; 2], 0, 0, 0);
    for ((layer, side), counts) in counts_of_bagh_chal() {
        let here = format!("layer {layer}, {side:?}");
        let index = game.index(layer);
        let start = index.unrank(side, 0);
        let hand = u64::from(start.in_hand(Side::Second));
        assert_eq!(start.many().len() as u64, counts.on_board, "{here}");
        assert_eq!(hand, 20 - counts.captured - counts.on_board, "{here}");
        let positions: u64 = counts.outcomes.iter().sum();
        assert_eq!(game.positions(layer, side), positions, "{here}");
        let of_captured = &mut sums[counts.captured as usize][side.index()];
        for (sum, count) in of_captured.iter_mut().zip(counts.outcomes) {
            *sum += count;
        }
        for (longest, plies) in longest.iter_mut().zip(counts.longest) {
            *longest = (*longest).max(plies.unwrap_or(0));
        }
        all += positions;
        classes += index.classes(side);
        if hand == 0 {
            placed += index.classes(side);
        }
        layers.insert(layer);
    }
    assert!(layers.iter().copied().eq(game.layers()), "every layer is there");
    // As Lim and Nievergelt counted in 2009.
    assert_eq!(placed, 88_260_972);
    for (captured, sides) in sums.iter().enumerate() {
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

/// Plays the moves of a line, which must be legal. Returns the outcome of the last one; `None` if
/// the game is not over then.
fn played(game: &Hunt, start: &Position, line: &str) -> Option<Outcome> {
    let (mut here, mut end) = (*start, game.terminal(start));
    for text in line.split_whitespace() {
        assert_eq!(end, None, "{line}: over before {text}");
        let mv = game.parse_move(&here, text).unwrap_or_else(|error| panic!("{line}: {error}"));
        let next = game.after(&here, &mv).expect("a legal move");
        end = game.outcome_after(&next);
        if let Next::Position(position) = next {
            here = position;
        }
    }
    end
}

#[test]
fn the_goats_that_tigers_can_force_are_those_of_the_page() {
    let page = include_str!("../../../../docs/bagh-chal.md");
    let text = include_str!("../../../../data/results/bagh-chal-captures.csv");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("rules,goats,outcome,plies,line"));
    let registry = Registry::standard();
    let (mut goats_before, mut plies_before) = (0, Some(0));
    for row in lines {
        let cells: Vec<&str> = row.split(',').collect();
        let &[rules, goats, outcome, plies, line] = &cells[..] else { panic!("{row}") };
        let game = registry.game("bagh-chal", Some(rules)).expect("a rule set");
        let goats: u8 = goats.parse().expect("a number");
        let least = game.description().sides[1].number;
        assert_eq!(least[1] - least[0], goats, "{row}");
        let end = played(&game, &game.start(), line);
        let verdict = if outcome == "tigers" {
            assert_eq!(end, Some(Outcome::Win(Side::First)), "{row}");
            assert_eq!(line.split_whitespace().count(), plies.parse::<usize>().expect("a number"));
            assert_eq!(line.matches('x').count(), usize::from(goats), "{row}");
            format!("won for the tigers in {plies} plies")
        } else {
            assert_eq!((outcome, plies, line), ("draw", "", ""), "{row}");
            outcome.to_owned()
        };
        // More goats take longer, and what is drawn stays drawn.
        assert!(goats > goats_before, "{row}");
        let plies: Option<u32> = plies.parse().ok();
        assert!(
            plies.is_none() || plies_before.is_some_and(|before| plies > Some(before)),
            "{row}"
        );
        (goats_before, plies_before) = (goats, plies);
        let row = format!("| {goats} | {verdict} |");
        assert!(page.contains(&row), "{row}");
    }
    assert!(goats_before >= 5, "{goats_before} goats");
}

/// The distances that are kept add up to the counts, their longest wins can be played, and the page
/// quotes them.
#[test]
fn the_distances_of_bagh_chal_are_those_of_its_counts_and_of_the_page() {
    let page = include_str!("../../../../docs/bagh-chal.md");
    let quoted = |text: &str| assert!(page.contains(text), "{text}");
    let text = include_str!("../../results/bagh-chal-standard-dtw.json");
    let kept: Json = serde_json::from_str(text).expect("JSON");
    let counts = counts_of_bagh_chal();
    let list = |json: &Json| json.as_array().expect("a list").clone();
    let number = |json: &Json| json.as_u64().unwrap_or_else(|| panic!("{json}"));
    let string = |json: &Json| json.as_str().unwrap_or_else(|| panic!("{json}")).to_owned();
    let registry = Registry::standard();
    let game = registry.game("bagh-chal", None).expect("a game");
    let names = ["tigers", "goats"];

    // By distance and winner, by captured goats and winner, by captured goats and kind.
    let mut wins: BTreeMap<u64, [u64; 2]> = BTreeMap::new();
    let mut longest = [[0_u64; 2]; 5];
    let mut zugzwangs = [[0_u64; 3]; 5];
    let mut seen = BTreeSet::new();
    for layer in list(&kept["layers"]) {
        let id = number(&layer["layer"]) as u16;
        let captured = number(&layer["captured"]) as usize;
        for (side, name) in Side::BOTH.into_iter().zip(names) {
            let here = format!("layer {id}, {name}");
            let counts = &counts[&(id, side)];
            assert_eq!(number(&layer["captured"]), counts.captured, "{here}");
            assert_eq!(number(&layer["on_board"]), counts.on_board, "{here}");
            assert_eq!(string(&layer["table"]["blake3"]), counts.digest, "{here}");
            let of = &layer["to_move"][name];
            let outcomes = ["tigers", "draw", "goats"].map(|it| number(&of["outcomes"][it]));
            assert_eq!(outcomes, counts.outcomes, "{here}");
            for (winner, of_winner) in [0, 2].into_iter().enumerate() {
                let depths = of["depths"][names[winner]].as_object().expect("a histogram");
                let mut sum = 0;
                let mut deepest = None;
                for (plies, positions) in depths {
                    let plies: u64 = plies.parse().expect("plies");
                    sum += number(positions);
                    deepest = deepest.max(Some(plies));
                    wins.entry(plies).or_default()[winner] += number(positions);
                }
                assert_eq!(sum, outcomes[of_winner], "{here}");
                assert_eq!(deepest, counts.longest[winner], "{here}");
                longest[captured][winner] = longest[captured][winner].max(deepest.unwrap_or(0));
            }
            for win in list(&layer["longest"][name]) {
                let winner = usize::from(win["outcome"] == "goats");
                let plies = number(&win["dtw"]);
                assert_eq!(Some(plies), counts.longest[winner], "{here}");
                assert_eq!(
                    number(&win["positions"]),
                    number(&of["depths"][names[winner]][plies.to_string()]),
                    "{here}"
                );
                let position = game.parse_position(&string(&win["position"])).expect("a position");
                assert_eq!((game.layer(&position), position.to_move()), (id, side), "{here}");
                let line = string(&win["line"]);
                assert_eq!(line.split_whitespace().count() as u64, plies, "{here}");
                let winner = Side::BOTH[winner];
                assert_eq!(played(&game, &position, &line), Some(Outcome::Win(winner)), "{here}");
            }
        }
        // Only positions without goats in hand are searched for zugzwangs.
        let placed = captured as u64 + number(&layer["on_board"]) == 20;
        assert_eq!(placed, layer["zugzwangs"].is_array(), "layer {id}");
        if placed {
            for (sum, kind) in zugzwangs[captured].iter_mut().zip(list(&layer["zugzwangs"])) {
                *sum += number(&kind["positions"]);
            }
        }
        seen.insert(id);
    }
    assert!(seen.iter().copied().eq(game.layers()), "every layer is there");

    // The rule sets are those of the table, and the page has the values of all first moves.
    let rows = include_str!("../../../../data/results/bagh-chal-captures.csv");
    let far = [&["c3"][..], &["c2", "b3", "d3", "c4"], &["c1", "a3", "e3", "c5"]];
    for of in list(&kept["captures"]) {
        let plies = of["dtw"].as_u64().map_or(String::new(), |plies| plies.to_string());
        let [rules, outcome, line] = ["rules", "outcome", "line"].map(|key| string(&of[key]));
        let goats = number(&of["goats"]);
        let row = format!("{rules},{goats},{outcome},{plies},{line}");
        assert!(rows.lines().any(|kept| kept == row), "{row}");
        // By place: the points beside a tiger come first.
        let mut cells = vec![BTreeSet::new(); 4];
        for first in list(&of["first_moves"]) {
            let mv = string(&first["move"]);
            let place = far.iter().position(|points| points.contains(&&mv[..]));
            // Counted from the start.
            let cell = first["dtw"].as_u64().map_or(string(&first["outcome"]), |plies| {
                assert_eq!(first["outcome"], "tigers");
                (plies + 1).to_string()
            });
            cells[place.map_or(0, |place| place + 1)].insert(cell);
            if rules == "standard" {
                let replies = list(&first["replies"]);
                assert_eq!(replies.len(), 12);
                assert!(replies.iter().all(|reply| reply["outcome"] == "draw"), "{mv}");
            }
        }
        assert_eq!(list(&of["first_moves"]).len(), 21, "{rules}");
        let best = if outcome == "draw" { &outcome } else { &plies };
        assert!(cells[3].contains(best), "{rules}");
        assert!(cells.iter().all(|values| values.len() == 1), "{rules}: {cells:?}");
        let cells: Vec<String> = cells.into_iter().flatten().collect();
        quoted(&format!("| {goats} | {} |", cells.join(" | ")));
    }

    let last = *wins.keys().next_back().expect("wins");
    for least in (0..=last).step_by(20) {
        let most = last.min(least + 19);
        let [tigers, goats] =
            [0, 1].map(|winner| grouped(wins.range(least..=most).map(|(_, of)| of[winner]).sum()));
        quoted(&format!("| {least} to {most} | {tigers} | {goats} |"));
    }
    for (captured, [tigers, goats]) in longest.into_iter().enumerate() {
        quoted(&format!("| {captured} | {tigers} | {goats} |"));
    }
    for (captured, kinds) in zugzwangs.into_iter().enumerate() {
        let [full, tigers, goats] = kinds.map(grouped);
        quoted(&format!("| {captured} | {full} | {tigers} | {goats} |"));
    }
}

/// The results of Asalto that are kept have the numbers of positions of the game, the lowest layers
/// are solved again, and the page quotes the results.
#[test]
fn the_results_of_asalto_are_those_of_the_lowest_layers_and_of_the_page() {
    /// The layers that are solved again.
    const SOLVED: u16 = 2;
    let page = include_str!("../../../../docs/asalto.md");
    let text = include_str!("../../../../data/results/asalto.csv");
    let mut lines = text.lines();
    let head = "rules,soldiers,classes,to_move,officers,draw,soldiers_win,longest_officers,\
                longest_soldiers,raw_blake3";
    assert_eq!(lines.next(), Some(head));
    let registry = Registry::standard();
    let mut solved: BTreeMap<&str, Solution> = BTreeMap::new();
    let mut outcomes_of = BTreeMap::<&str, BTreeSet<_>>::new();
    for row in lines {
        let cells: Vec<&str> = row.split(',').collect();
        let &[rules, layer, classes, to_move, officers, draw, soldiers, .., _digest] = &cells[..]
        else {
            panic!("{row}")
        };
        let number = |cell: &str| cell.parse::<u64>().unwrap_or_else(|_| panic!("{row}"));
        let side = if to_move == "officers" { Side::First } else { Side::Second };
        let layer = number(layer) as u16;
        let outcomes = [officers, draw, soldiers].map(number);
        let longest = [7, 8].map(|at| cells[at].parse::<u64>().ok());
        let game = registry.game("asalto", Some(rules)).expect("a rule set");
        assert_eq!(game.positions(layer, side), outcomes.iter().sum::<u64>(), "{row}");
        assert_eq!([outcomes[0] > 0, outcomes[2] > 0], longest.map(|it| it.is_some()), "{row}");

        let all = game.positions(layer, side) as f64;
        let counts = outcomes
            .map(|count| format!("{} ({:.1} %)", grouped(count), 100.0 * count as f64 / all));
        let plies = longest.map(|plies| plies.map_or("-".to_owned(), |plies| plies.to_string()));
        let classes = number(classes);
        let (grouped_classes, counts, plies) =
            (grouped(classes), counts.join(" | "), plies.join(" | "));
        let quoted = format!("| {layer} | {grouped_classes} | {to_move} | {counts} | {plies} |");
        // The page says how compulsory jumps differ.
        let is_quoted = rules != "standard+all+compulsory";
        assert!(page.contains(&quoted) || !is_quoted, "{quoted}");
        outcomes_of.entry(rules).or_default().insert((layer, side, outcomes));
        if layer > SOLVED {
            continue;
        }

        let index = game.index(layer);
        let of_layer: u64 = Side::BOTH.iter().map(|&side| index.classes(side)).sum();
        assert_eq!(of_layer, classes, "{row}");
        let solution = solved.entry(rules).or_insert_with(|| {
            let solution = Solution::of_layers(&game, 1..=SOLVED, &Limits::default());
            solution.expect("there is memory")
        });
        let mut found = ([0; 3], [None; 2]);
        for (position, value) in solution.positions(layer) {
            if position.to_move() != side {
                continue;
            }
            let Value { outcome, plies } = value.into();
            match outcome {
                Outcome::Draw => found.0[1] += 1,
                Outcome::Win(winner) => {
                    found.0[2 * winner.index()] += 1;
                    let longest = &mut found.1[winner.index()];
                    *longest = (*longest).max(plies.map(u64::from));
                }
            }
        }
        assert_eq!(found, (outcomes, longest), "{row}");
    }
    // Both sides to move of layers 1 to 7, and of higher ones under two rule sets.
    let rows: BTreeMap<&str, usize> =
        outcomes_of.iter().map(|(rules, rows)| (*rules, rows.len())).collect();
    let expected = [("approach+all", 18), ("standard+all", 20), ("standard+all+compulsory", 14)];
    assert_eq!(rows, BTreeMap::from(expected));
    let [free, compulsory] = ["standard+all", "standard+all+compulsory"].map(|id| &outcomes_of[id]);
    let differing = free.difference(compulsory).map(|row| row.0);
    let differing: BTreeSet<u16> = differing.filter(|&layer| layer < 8).collect();
    assert_eq!(differing, BTreeSet::from([3, 4]));
}

/// Who wins where play starts, as it is kept: small games are solved again, and the page quotes the
/// values under the default rule sets.
#[test]
fn the_kept_values_of_starts_are_those_of_small_games_and_of_the_page() {
    /// Most positions of a game that is solved again.
    const MOST: u64 = 50_000;
    let page = include_str!("../../../../docs/games.md");
    let text = include_str!("../../results/games.csv");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("game,rules,positions,position,to_move,outcome,plies"));
    let registry = Registry::standard();
    let (mut kept, mut solved) = (BTreeSet::new(), 0);
    for row in lines {
        let cells: Vec<&str> = row.split(',').collect();
        let &[name, rules, positions, start, to_move, outcome, plies] = &cells[..] else {
            panic!("{row}")
        };
        assert!(kept.insert((name, rules)), "{row}");
        let game = registry.game(name, Some(rules)).expect("a rule set");
        // Layers in which the game is over have no table.
        let layers = game.layers().filter(|&layer| game.index(layer).len(Side::First) > 0);
        let all = layers.flat_map(|layer| Side::BOTH.map(|side| game.positions(layer, side)));
        let positions: u64 = positions.parse().expect("a number");
        assert_eq!(all.sum::<u64>(), positions, "{row}");
        assert_eq!(game.format_position(&game.start()), start, "{row}");
        assert_eq!(game.side_name(game.start().to_move()), to_move, "{row}");
        if registry.game(name, None).is_ok_and(|default| default.rules_id() == rules) {
            let value = match (outcome, plies) {
                ("draw", _) => "drawn".to_owned(),
                (winner, "") if game.endless().is_some() => {
                    format!("won for the {winner}, who cannot force an end")
                }
                // Solved for outcomes alone.
                (winner, "") => format!("won for the {winner}"),
                (winner, plies) => format!("won for the {winner} in {plies} plies"),
            };
            let quoted = format!("| `{name}` | {} | {value} |", grouped(positions));
            assert!(page.contains(&quoted), "{quoted}");
        }
        if positions > MOST {
            continue;
        }
        solved += 1;
        let solution = Solution::of_layers(&game, game.layers(), &Limits::default());
        let value = solution.expect("there is memory").value(&game.start());
        let Value { outcome: found, plies: found_plies } = value.expect("it is solved");
        let winner = game.winner(found).map_or("draw", |winner| game.side_name(winner));
        let found_plies = found_plies.map_or(String::new(), |plies| plies.to_string());
        assert_eq!((winner, &*found_plies), (outcome, plies), "{row}");
    }
    assert!(solved > 120 && kept.len() > 250, "{solved} of {}", kept.len());
    let all: usize = shipped(&registry).map(|info| info.rule_sets.len()).sum();
    let number = format!("has the {} of {all} rule sets that are solved;", kept.len());
    let missing =
        shipped(&registry).filter(|info| !kept.contains(&(&*info.name, &*info.default_rules)));
    let names: Vec<String> = missing.map(|info| format!("`{}`", info.name)).collect();
    let names = format!("Not in the table are {}.", names.join(", "));
    let words: Vec<&str> = page.split_whitespace().collect();
    for sentence in [number, names] {
        assert!(words.join(" ").contains(&sentence), "{sentence}");
    }
}
