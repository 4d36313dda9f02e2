//! Hare-and-Hounds: rules, notation and index hold together, and every evaluation that the document
//! prints comes out of a plain search.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use anser_core::hare_hounds::{HareHounds, Move, Position, RuleSet};
use anser_core::prelude::*;
use anser_core::{Dtw, Next, Outcome, Side, validate};

const HARE: Side = Side::First;
const HOUNDS: Side = Side::Second;

fn unlimited() -> HareHounds {
    HareHounds::new(RuleSet::UNLIMITED)
}

/// The moves of a position and where they lead; no move of this game ends it by itself.
fn moves(game: &HareHounds, position: Position) -> Vec<(Move, Position)> {
    let mut list = Vec::new();
    let _ = game.visit_moves(&position, |mv, next| {
        let Next::Position(next) = next else { panic!("{mv} ends the game") };
        list.push((mv, next));
        ControlFlow::<()>::Continue(())
    });
    list
}

/// The plain search, for rules under which no position can come up twice.
struct Search {
    game: HareHounds,
    values: HashMap<Position, Dtw>,
}

impl Search {
    fn new(game: HareHounds) -> Search {
        Search { game, values: HashMap::new() }
    }

    fn value(&mut self, position: Position) -> Dtw {
        if let Some(&value) = self.values.get(&position) {
            return value;
        }
        let value = if let Some(outcome) = self.game.terminal(&position) {
            Dtw::ended(outcome)
        } else {
            let after =
                moves(&self.game, position).into_iter().map(|(_, next)| self.value(next).before());
            after.max_by_key(|value| value.score(position.to_move())).unwrap()
        };
        self.values.insert(position, value);
        value
    }

    fn of(&mut self, hounds: [u8; 3], hare: u8, to_move: Side) -> Dtw {
        self.value(self.game.position(hounds, hare, to_move).unwrap())
    }
}

/// Every arrangement with either side to move, from the points alone.
fn arrangements(game: &HareHounds) -> Vec<Position> {
    let mut list = Vec::new();
    for a in 1..=11 {
        for b in a + 1..=11 {
            for c in b + 1..=11 {
                for hare in (1..=11).filter(|hare| ![a, b, c].contains(hare)) {
                    list.extend(
                        Side::BOTH.map(|side| game.position([a, b, c], hare, side).unwrap()),
                    );
                }
            }
        }
    }
    list
}

#[test]
fn there_are_2640_arrangements() {
    assert_eq!(arrangements(&unlimited()).len(), 2640);
    let positions = |game: &HareHounds, layer: u16| {
        Side::BOTH.map(|side| game.positions(layer, side)).iter().sum::<u64>()
    };
    assert_eq!(unlimited().layers().map(|layer| positions(&unlimited(), layer)).sum::<u64>(), 2640);
    let budget = HareHounds::default();
    assert_eq!(budget.layers(), 0..=60);
    assert!(budget.layers().all(|layer| positions(&budget, layer) == 2640));
}

#[test]
fn every_layer_holds_together() {
    for game in [HareHounds::default(), unlimited(), HareHounds::new("budget-1".parse().unwrap())] {
        for layer in game.layers() {
            validate(&game, layer, u64::MAX)
                .unwrap_or_else(|e| panic!("{}, layer {layer}: {e}", game.rules()));
        }
    }
}

#[test]
fn the_index_numbers_the_classes_of_every_layer_without_a_gap() {
    let (free, budget) = (unlimited(), HareHounds::default());
    for (game, layers) in [(&free, 0..=8), (&budget, 60..=60)] {
        for layer in layers {
            let index = game.index(layer);
            for side in Side::BOTH {
                let members: Vec<Position> = arrangements(game)
                    .into_iter()
                    .filter(|position| position.to_move() == side && game.layer(position) == layer)
                    .collect();
                assert_eq!(members.len() as u64, game.positions(layer, side));
                let mut classes: HashMap<u64, Vec<Position>> = HashMap::new();
                for position in members {
                    classes.entry(index.rank(&position)).or_default().push(position);
                }
                assert_eq!(classes.len() as u64, index.len(side), "layer {layer}");
                for (rank, class) in classes {
                    assert!(rank < index.len(side));
                    assert_eq!(class.len() as u64, index.orbit(side, rank));
                    assert!(class.contains(&index.unrank(side, rank)));
                    assert!(class.iter().all(|position| class.contains(&game.image(position, 1))));
                }
            }
        }
    }
}

#[test]
fn the_hounds_win_from_the_start_whoever_moves_first() {
    let mut search = Search::new(HareHounds::default());
    assert_eq!(search.value(search.game.start()), Dtw::win(HOUNDS, 23));
    assert_eq!(search.of([1, 4, 9], 8, HARE), Dtw::win(HOUNDS, 24));
}

#[test]
fn the_hounds_win_wherever_the_hare_starts() {
    let mut search = Search::new(HareHounds::default());
    let printed = [
        (2, 23, 24),
        (3, 23, 24),
        (5, 27, 24),
        (6, 23, 28),
        (7, 23, 24),
        (8, 23, 24),
        (10, 23, 24),
        (11, 23, 24),
    ];
    for (hare, hounds_first, hare_first) in printed {
        assert_eq!(
            search.of([1, 4, 9], hare, HOUNDS),
            Dtw::win(HOUNDS, hounds_first),
            "hare on {hare}"
        );
        assert_eq!(
            search.of([1, 4, 9], hare, HARE),
            Dtw::win(HOUNDS, hare_first),
            "hare on {hare}"
        );
    }
}

#[test]
fn hounds_on_1_6_9_and_a_hare_on_2_are_in_zugzwang() {
    let mut search = Search::new(HareHounds::default());
    // Sixty plies: not within the budget.
    assert_eq!(search.of([1, 6, 9], 2, HOUNDS), Dtw::win(HARE, 60));
    assert_eq!(search.of([1, 6, 9], 2, HARE), Dtw::win(HOUNDS, 18));
}

#[test]
fn the_perfect_game_of_the_document_has_these_23_moves() {
    let mut search = Search::new(HareHounds::default());
    let mut position = search.game.start();
    let mut line = Vec::new();
    loop {
        let side = position.to_move();
        let rated: Vec<(Move, Position, i32)> = moves(&search.game, position)
            .into_iter()
            .map(|(mv, next)| (mv, next, search.value(next).before().score(side)))
            .collect();
        let Some(best) = rated.iter().map(|entry| entry.2).max() else { break };
        let mut best_moves = rated.iter().filter(|entry| entry.2 == best);
        // Among equals the hounds take the first, the hare the last.
        let chosen = if side == HOUNDS { best_moves.next() } else { best_moves.next_back() };
        let &(mv, next, _) = chosen.unwrap();
        line.push(mv.to_string());
        position = next;
    }
    let printed = "1-6 8-11 4-5 11-10 5-1 10-11 1-2 11-8 6-11 8-7 2-6 7-3 9-5 3-7 5-1 7-3 1-2 3-8 6-3 8-7 2-6 7-8 6-7";
    assert_eq!(line.join(" "), printed);
    assert_eq!(line.len(), 23);
    assert_eq!(search.game.terminal(&position), Some(Outcome::Win(HOUNDS)));
    assert_eq!(position.left(), Some(37));
}

#[test]
fn the_perfect_game_passes_through_the_zugzwang_upside_down() {
    let game = HareHounds::default();
    let mut position = game.start();
    for text in ["1-6", "8-11", "4-5", "11-10", "5-1"] {
        let mv = game.parse_move(&position, text).unwrap();
        position = moves(&game, position).into_iter().find(|entry| entry.0 == mv).unwrap().1;
    }
    assert_eq!(game.format_position(&position), "h2/2h2/hR1 r 55");
    let mirrored = game.image(&position, 1);
    assert_eq!((mirrored.hounds(), mirrored.hare()), ([1, 6, 9], 2));
}

#[test]
fn the_hounds_are_stalemated_in_four_arrangements() {
    let game = unlimited();
    let stuck: BTreeSet<([u8; 3], u8)> = arrangements(&game)
        .into_iter()
        .filter(|p| p.to_move() == HOUNDS && p.hare() != 4 && game.terminal(p).is_some())
        .map(|p| (p.hounds(), p.hare()))
        .collect();
    // Hounds and hare fill the right end. With the hare on 8 it is no game's end: the hare could
    // not have come there.
    assert_eq!(
        stuck,
        BTreeSet::from([([3, 7, 8], 11), ([3, 7, 11], 8), ([3, 8, 11], 7), ([7, 8, 11], 3)])
    );
    let position = game.position([7, 8, 11], 3, HOUNDS).unwrap();
    assert_eq!(game.terminal(&position), Some(Outcome::Win(HARE)));
}

#[test]
fn the_goal_and_the_end_of_the_budget_come_before_a_side_that_cannot_move() {
    let game = HareHounds::default();
    let trapped = game.parse_position("2h/3hR/2h r 1").unwrap();
    assert_eq!(game.terminal(&trapped), Some(Outcome::Win(HOUNDS)));
    let too_late = game.parse_position("2h/3hR/2h r 0").unwrap();
    assert_eq!(game.terminal(&too_late), Some(Outcome::Win(HARE)));
    assert!(moves(&game, too_late).is_empty());
    let home = game.parse_position("h2/Rh3/h2 r").unwrap();
    assert_eq!(game.terminal(&home), Some(Outcome::Win(HARE)));
    assert_eq!(
        unlimited().terminal(&unlimited().parse_position("h2/Rh3/h2 r").unwrap()),
        Some(Outcome::Win(HARE))
    );
}

/// The values of unlimited play, the plain way: a win in n plies is found in sweep n, what is never
/// found is a draw.
fn unlimited_values() -> HashMap<Position, Dtw> {
    let game = unlimited();
    let mut values = HashMap::new();
    let mut open: Vec<Position> = arrangements(&game);
    for plies in 0.. {
        let mut found = Vec::new();
        for &position in &open {
            let side = position.to_move();
            let after: Vec<Option<Dtw>> =
                moves(&game, position).iter().map(|(_, next)| values.get(next).copied()).collect();
            if let Some(Outcome::Win(winner)) = game.terminal(&position) {
                assert_eq!(plies, 0);
                found.push((position, Dtw::win(winner, 0)));
            } else if after.iter().flatten().any(|value: &Dtw| value.winner() == Some(side)) {
                found.push((position, Dtw::win(side, plies)));
            } else if after.iter().all(Option::is_some) {
                found.push((position, Dtw::win(side.other(), plies)));
            }
            if plies == 0 {
                found.retain(|entry| {
                    entry.1.plies() == Some(0) && game.terminal(&entry.0).is_some()
                });
            }
        }
        if found.is_empty() {
            break;
        }
        values.extend(found);
        open.retain(|position| !values.contains_key(position));
    }
    values.extend(open.into_iter().map(|position| (position, Dtw::DRAW)));
    values
}

#[test]
fn sixty_plies_are_enough_for_every_win_of_the_hounds() {
    let values = unlimited_values();
    let mut search = Search::new(HareHounds::default());
    let (mut draws, mut longest) = (0, 0);
    for (position, value) in values {
        let limited = search.of(position.hounds(), position.hare(), position.to_move());
        match value.winner() {
            Some(HOUNDS) => assert_eq!(limited, value, "{position:?}"),
            Some(HARE) => {
                assert_eq!(limited.winner(), Some(HARE));
                assert_eq!(limited.plies(), value.plies(), "{position:?}");
            }
            None => {
                draws += 1;
                assert_eq!(limited, Dtw::win(HARE, 60), "{position:?}");
            }
        }
        longest = longest.max(value.plies().unwrap_or(0));
    }
    assert!(longest < 60, "{longest}");
    assert!(draws > 0);
}

#[test]
fn positions_and_moves_read_back_what_is_written() {
    let game = HareHounds::default();
    for (text, written) in [
        ("h2/h3R/h2 h", "h2/h3R/h2 h"),
        ("h2/h3R/h2_h", "h2/h3R/h2 h"),
        ("h11/h21R/h2 h", "h2/h3R/h2 h"),
        ("h2/h3R/h2 r 60", "h2/h3R/h2 r"),
        ("3/4h/Rhh_r_0", "3/4h/Rhh r 0"),
        ("Rhh/1h3/3 r 07", "Rhh/1h3/3 r 7"),
    ] {
        let read = game.parse_position(text).map(|position| game.format_position(&position));
        assert_eq!(read.unwrap_or_default(), written, "{text}");
    }
    for position in arrangements(&game) {
        for (mv, _) in moves(&game, position) {
            assert_eq!(game.parse_move(&position, &game.format_move(&mv)), Ok(mv));
        }
    }
    let start = game.start();
    assert_eq!(game.parse_position("h2/h3R/h2 h"), Ok(start));
    let list: Vec<String> = moves(&game, start).iter().map(|(mv, _)| mv.to_string()).collect();
    assert_eq!(list, ["1-2", "1-5", "1-6", "4-5", "9-5", "9-6", "9-10"]);
}

#[test]
fn a_wrong_position_is_answered_with_the_column_where_it_goes_wrong() {
    let game = HareHounds::default();
    for (text, column) in [
        ("", 1),
        ("h2", 3),
        ("h1/h3R/h2 h", 3),
        ("h3/h3R/h2 h", 2),
        ("h2/h4R/h2 h", 6),
        ("h2/hxR2/h2 h", 5),
        ("h2/h3R h", 7),
        ("h2/h3R/h2/3 h", 10),
        ("h2/h3R/h2", 10),
        ("h2/h3R/h2 ", 11),
        ("h2/h3R/h2 H", 11),
        ("h2/h3R/h2 x", 11),
        ("R2/h3R/h2 h", 6),
        ("hh1/h3R/h2 h", 9),
        ("h2/h4/h2 h", 1),
        ("h2/4R/h2 h", 1),
        ("h2/h3R/h2 hx", 12),
        ("h2/h3R/h2 h ", 13),
        ("h2/h3R/h2 h 1x", 14),
        ("h2/h3R/h2 h 61", 14),
        ("h2/h3R/h2 h 99999999999999", 14),
        ("h0/h3R/h2 h", 2),
    ] {
        let error = game.parse_position(text).unwrap_err();
        assert_eq!(error.column(), column, "{text:?}: {error}");
        assert!(game.parse_position(error.example()).is_ok());
    }
    assert_eq!(unlimited().parse_position("h2/h3R/h2 h 12").unwrap_err().column(), 12);
}

#[test]
fn a_wrong_move_is_answered_with_the_column_where_it_goes_wrong() {
    let game = HareHounds::default();
    let start = game.start();
    for (text, column) in [
        ("", 1),
        ("x-6", 1),
        ("0-6", 1),
        ("1", 2),
        ("1x6", 2),
        ("12-6", 1),
        ("1-", 3),
        ("1-12", 3),
        ("1-99999999999", 3),
        ("1-6 ", 4),
        ("10-1x", 5),
        // Right in form: there is no hound on 2, a hound does not go back, a point is taken.
        ("2-3", 1),
        ("1-4", 1),
        ("4-1", 1),
    ] {
        let error = game.parse_move(&start, text).unwrap_err();
        assert_eq!(error.column(), column, "{text:?}: {error}");
    }
}

#[test]
fn the_diagram_shows_the_lines_of_the_board() {
    let game = HareHounds::default();
    let expected = "    \
    h---.---.               1---2---3
   /|\\  |  /|\\             /|\\  |  /|\\
  / | \\ | / | \\           / | \\ | / | \\
 /  |  \\|/  |  \\         /  |  \\|/  |  \\
h---.---.---.---R       4---5---6---7---8
 \\  |  /|\\  |  /         \\  |  /|\\  |  /
  \\ | / | \\ | /           \\ | / | \\ | /
   \\|/  |  \\|/             \\|/  |  \\|/
    h---.---.               9---10--11
";
    assert_eq!(game.diagram(&game.start()), expected);
}

#[test]
fn rule_sets_are_told_apart_by_their_fingerprints() {
    let prints: BTreeSet<String> =
        RuleSet::all().map(|rules| HareHounds::new(rules).fingerprint()).collect();
    assert_eq!(prints.len(), RuleSet::all().count());
}
