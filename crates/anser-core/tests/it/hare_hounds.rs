//! Hare-and-Hounds: rules, notation and index hold together, and every evaluation that the document
//! prints comes out of a plain search.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use anser_core::hunt::{Move, PointSet, Position};
use anser_core::{Dtw, Hunt, LayerIndex, Next, Outcome, Side, validate};

const HARE: Side = Side::First;
const HOUNDS: Side = Side::Second;

fn unlimited() -> Hunt {
    Hunt::hare_hounds("unlimited").unwrap()
}

/// The moves of a position and where they lead; no move of this game ends it by itself.
fn moves(game: &Hunt, position: Position) -> Vec<(Move, Position)> {
    let mut list = Vec::new();
    let _ = game.visit_moves(&position, |mv, next| {
        let Next::Position(next) = next else { panic!("{mv:?} ends the game") };
        list.push((mv, next));
        ControlFlow::<()>::Continue(())
    });
    list
}

/// The position with these points, numbered from 1.
fn at(game: &Hunt, hounds: [u8; 3], hare: u8, to_move: Side) -> Position {
    let hounds = hounds.into_iter().map(|point| point - 1).collect();
    game.position([PointSet::of(hare - 1), hounds], [0; 2], to_move).unwrap()
}

/// The points of the hounds and of the hare, numbered from 1.
fn numbers(position: &Position) -> ([u8; 3], u8) {
    let points = |set: PointSet| set.iter().map(|point| point + 1).collect::<Vec<_>>();
    (points(position.many()).try_into().unwrap(), points(position.few())[0])
}

/// The plain search, for rules under which no position can come up twice.
struct Search {
    game: Hunt,
    values: HashMap<Position, Dtw>,
}

impl Search {
    fn new(game: Hunt) -> Search {
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
        self.value(at(&self.game, hounds, hare, to_move))
    }
}

/// Every arrangement with either side to move, from the points alone.
fn arrangements(game: &Hunt) -> Vec<Position> {
    let mut list = Vec::new();
    for a in 1..=11 {
        for b in a + 1..=11 {
            for c in b + 1..=11 {
                for hare in (1..=11).filter(|hare| ![a, b, c].contains(hare)) {
                    list.extend(Side::BOTH.map(|side| at(game, [a, b, c], hare, side)));
                }
            }
        }
    }
    list
}

#[test]
fn there_are_2640_arrangements() {
    assert_eq!(arrangements(&unlimited()).len(), 2640);
    let positions = |game: &Hunt, layer: u16| {
        Side::BOTH.map(|side| game.positions(layer, side)).iter().sum::<u64>()
    };
    assert_eq!(unlimited().layers().map(|layer| positions(&unlimited(), layer)).sum::<u64>(), 2640);
    let budget = Hunt::hare_hounds("budget-60").unwrap();
    assert_eq!(budget.layers(), 0..=60);
    assert!(budget.layers().all(|layer| positions(&budget, layer) == 2640));
}

#[test]
fn every_layer_holds_together() {
    for game in [
        Hunt::hare_hounds("budget-60").unwrap(),
        unlimited(),
        Hunt::hare_hounds("budget-1").unwrap(),
    ] {
        for layer in game.layers() {
            validate(&game, layer, u64::MAX)
                .unwrap_or_else(|e| panic!("{}, layer {layer}: {e}", game.rules_id()));
        }
    }
}

#[test]
fn every_class_has_a_rank_and_every_other_entry_is_the_copy_of_a_class() {
    let (free, budget) = (unlimited(), Hunt::hare_hounds("budget-60").unwrap());
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
                assert!(classes.keys().all(|&rank| rank < index.len(side)), "layer {layer}");
                let mut copies = 0;
                for rank in 0..index.len(side) {
                    let position = index.unrank(side, rank);
                    let class = &classes[&index.rank(&position)];
                    assert!(class.contains(&position));
                    assert!(class.iter().all(|position| class.contains(&game.image(position, 1))));
                    if index.rank(&position) == rank {
                        assert_eq!(class.len() as u64, index.orbit(side, rank));
                    } else {
                        copies += 1;
                        assert_eq!(index.orbit(side, rank), 0, "layer {layer}, rank {rank}");
                        // Only sets of hounds that the mirror moves under a hare that it does not.
                        assert_eq!(class.len(), 2);
                        assert_eq!(game.image(&position, 1).few(), position.few());
                    }
                }
                assert_eq!(classes.len() as u64 + copies, index.len(side), "layer {layer}");
            }
        }
    }
}

#[test]
fn the_hounds_win_from_the_start_whoever_moves_first() {
    let mut search = Search::new(Hunt::hare_hounds("budget-60").unwrap());
    assert_eq!(search.value(search.game.start()), Dtw::win(HOUNDS, 23));
    assert_eq!(search.of([1, 4, 9], 8, HARE), Dtw::win(HOUNDS, 24));
}

#[test]
fn the_hounds_win_wherever_the_hare_starts() {
    let mut search = Search::new(Hunt::hare_hounds("budget-60").unwrap());
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
    let mut search = Search::new(Hunt::hare_hounds("budget-60").unwrap());
    // Sixty plies: not within the budget.
    assert_eq!(search.of([1, 6, 9], 2, HOUNDS), Dtw::win(HARE, 60));
    assert_eq!(search.of([1, 6, 9], 2, HARE), Dtw::win(HOUNDS, 18));
}

#[test]
fn the_perfect_game_of_the_document_has_these_23_moves() {
    let mut search = Search::new(Hunt::hare_hounds("budget-60").unwrap());
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
        line.push(search.game.format_move(&mv));
        position = next;
    }
    let printed = "1-6 8-11 4-5 11-10 5-1 10-11 1-2 11-8 6-11 8-7 2-6 7-3 9-5 3-7 5-1 7-3 1-2 3-8 \
                   6-3 8-7 2-6 7-8 6-7";
    assert_eq!(line.join(" "), printed);
    assert_eq!(line.len(), 23);
    assert_eq!(search.game.terminal(&position), Some(Outcome::Win(HOUNDS)));
    assert_eq!(position.plies_left(), Some(37));
}

#[test]
fn the_perfect_game_passes_through_the_zugzwang_upside_down() {
    let game = Hunt::hare_hounds("budget-60").unwrap();
    let mut position = game.start();
    for text in ["1-6", "8-11", "4-5", "11-10", "5-1"] {
        let mv = game.parse_move(&position, text).unwrap();
        position = moves(&game, position).into_iter().find(|entry| entry.0 == mv).unwrap().1;
    }
    assert_eq!(game.format_position(&position), "h2/2h2/hR1 r 55");
    let mirrored = game.image(&position, 1);
    assert_eq!(numbers(&mirrored), ([1, 6, 9], 2));
}

#[test]
fn the_hounds_are_stalemated_in_four_arrangements() {
    let game = unlimited();
    let stuck: BTreeSet<([u8; 3], u8)> = arrangements(&game)
        .into_iter()
        .filter(|p| p.to_move() == HOUNDS && numbers(p).1 != 4 && game.terminal(p).is_some())
        .map(|p| numbers(&p))
        .collect();
    // Hounds and hare fill the right end. With the hare on 8 it is no game's end: the hare could
    // not have come there.
    assert_eq!(
        stuck,
        BTreeSet::from([([3, 7, 8], 11), ([3, 7, 11], 8), ([3, 8, 11], 7), ([7, 8, 11], 3)])
    );
    let position = at(&game, [7, 8, 11], 3, HOUNDS);
    assert_eq!(game.terminal(&position), Some(Outcome::Win(HARE)));
}

#[test]
fn the_goal_and_the_end_of_the_budget_come_before_a_side_that_cannot_move() {
    let game = Hunt::hare_hounds("budget-60").unwrap();
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
    let mut search = Search::new(Hunt::hare_hounds("budget-60").unwrap());
    let (mut draws, mut longest) = (0, 0);
    for (position, value) in values {
        let (hounds, hare) = numbers(&position);
        let limited = search.of(hounds, hare, position.to_move());
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
    let game = Hunt::hare_hounds("budget-60").unwrap();
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
    let list: Vec<String> =
        moves(&game, start).iter().map(|(mv, _)| game.format_move(mv)).collect();
    assert_eq!(list, ["1-2", "1-5", "1-6", "4-5", "9-5", "9-6", "9-10"]);
}

#[test]
fn a_wrong_position_is_answered_with_the_column_where_it_goes_wrong() {
    let game = Hunt::hare_hounds("budget-60").unwrap();
    for (text, column, problem) in [
        ("", 1, "row 1 from the top has 3 points, only 0 are given"),
        ("h2", 3, "the position ends after row 1 from the top, there are 3"),
        ("h1/h3R/h2 h", 3, "only 2 are given"),
        ("h3/h3R/h2 h", 2, "row 1 from the top has more than 3 points"),
        ("h2/h4R/h2 h", 6, "row 2 from the top has more than 5 points"),
        ("h2/hxR2/h2 h", 5, "'x' is none of R (hare), h (hound), a digit"),
        ("h2/h3R h", 7, "row 3 from the top is missing, there are 3"),
        ("h2/h3R/h2/3 h", 10, "there are only 3 rows"),
        ("h2/h3R/h2", 10, "the side to move is missing"),
        ("h2/h3R/h2 ", 11, "the side to move is missing: r (hare) or h (hounds)"),
        ("h2/h3R/h2 H", 11, "'H' is no side to move"),
        ("h2/h3R/h2 x", 11, "'x' is no side to move"),
        ("R2/h3R/h2 h", 6, "there is a second hare, the first is on 1"),
        ("hh1/h3R/h2 h", 9, "4 hounds are too many; a position has 3"),
        ("h2/h4/h2 h", 1, "there is no hare (R)"),
        ("h2/4R/h2 h", 1, "a position has 3 hounds (h), not 2"),
        ("h2/h3R/h2 hx", 12, "only a space and the number of plies left (0 to 60) can"),
        ("h2/h3R/h2 h ", 13, "the number of plies left (0 to 60) is missing"),
        ("h2/h3R/h2 h  6", 13, "' ' is no digit of the number of plies left"),
        ("h2/h3R/h2 h 1x", 14, "'x' follows where the position is complete"),
        ("h2/h3R/h2 h 61", 14, "under budget-60 no more than 60 plies are left"),
        ("h2/h3R/h2 h 99999999999999", 14, "no more than 60"),
        ("h2/h3R/h2 h 6 6", 14, "' ' follows where the position is complete"),
        ("h0/h3R/h2 h", 2, "'0' is none of"),
    ] {
        let error = game.parse_position(text).unwrap_err();
        assert_eq!(error.column(), column, "{text:?}: {error}");
        assert!(error.problem().contains(problem), "{text:?}: {error}");
        assert!(game.parse_position(error.example()).is_ok());
    }
    assert_eq!(unlimited().parse_position("h2/h3R/h2 h 12").unwrap_err().column(), 12);
}

#[test]
fn a_wrong_move_is_answered_with_the_column_where_it_goes_wrong() {
    let game = Hunt::hare_hounds("budget-60").unwrap();
    let start = game.start();
    for (text, column, problem) in [
        ("", 1, "not complete"),
        ("x-6", 1, "'x' is not the name of a point"),
        ("0-6", 1, "the board has no point 0; points are called 1, ..., 11"),
        ("1", 2, "not complete"),
        ("1x6", 2, "'x' cannot follow here; points are separated by -"),
        ("12-6", 2, "the board has no point 12"),
        ("1-", 3, "not complete"),
        ("1-12", 4, "the board has no point 12"),
        ("1-99999999999", 4, "the board has no point 99999999999"),
        ("1-6 ", 4, "' ' follows where the move is complete"),
        ("10-1x", 5, "'x' follows where the move is complete"),
        // Right in form: there is no hound on 2, a hound does not go back, a point is taken.
        ("2-3", 1, "2-3 is not a legal move in h2/h3R/h2 h under budget-60"),
        ("1-4", 1, "not a legal move"),
        ("4-1", 1, "not a legal move"),
    ] {
        let error = game.parse_move(&start, text).unwrap_err();
        assert_eq!(error.column(), column, "{text:?}: {error}");
        assert!(error.problem().contains(problem), "{text:?}: {error}");
        assert!(game.parse_move(&start, error.example()).is_ok());
    }
}

#[test]
fn the_diagram_shows_the_lines_of_the_board() {
    let game = Hunt::hare_hounds("budget-60").unwrap();
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
    let ids = (1..=200).map(|plies| format!("budget-{plies}")).chain(["unlimited".into()]);
    let prints: BTreeSet<String> = ids
        .map(|id| {
            let game = Hunt::hare_hounds(&id).unwrap();
            assert_eq!(game.rules_id(), id);
            game.fingerprint()
        })
        .collect();
    assert_eq!(prints.len(), 201);
    let print = Hunt::hare_hounds("budget-60").unwrap().fingerprint();
    for line in ["many number 3 3", "end few reached few 3", "plies 60", "layers plies"] {
        assert!(print.lines().any(|of_print| of_print == line), "{line}: {print}");
    }
}

#[test]
fn wrong_ids_say_what_a_right_one_is() {
    let wrong = [
        "",
        "budget",
        "budget-",
        "budget-0",
        "budget-201",
        "budget-999",
        "budget-060",
        "budget-+60",
        "none",
    ];
    for id in wrong {
        let error = Hunt::hare_hounds(id).unwrap_err().to_string();
        assert!(error.contains("budget-60"), "{error}");
    }
}
