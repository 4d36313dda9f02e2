//! Hexapawn: rules, notation and index hold together on boards of every shape, and the known
//! winners come out of a plain search.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;

use anser_core::hexapawn::BoardSize;
use anser_core::hunt::{Move, PointSet, Position};
use anser_core::{Dtw, Hunt, LayerIndex, Next, Outcome, Side, validate};

const WHITE: Side = Side::First;
const BLACK: Side = Side::Second;

fn on(size: &str) -> Hunt {
    Hunt::hexapawn(size.parse().unwrap())
}

/// The moves of a position and where they lead; no move of this game ends it by itself.
fn moves(game: &Hunt, position: &Position) -> Vec<(Move, Position)> {
    let mut list = Vec::new();
    let _ = game.visit_moves(position, |mv, next| {
        let Next::Position(next) = next else { panic!("{mv:?} ends the game") };
        list.push((mv, next));
        ControlFlow::<()>::Continue(())
    });
    list
}

fn names(game: &Hunt, text: &str) -> Vec<String> {
    moves(game, &game.parse_position(text).unwrap())
        .iter()
        .map(|(mv, _)| game.format_move(mv))
        .collect()
}

/// The plain search; what it has seen in the end are the positions that play can reach.
fn value(game: &Hunt, position: Position, seen: &mut HashMap<Position, Dtw>) -> Dtw {
    if let Some(&value) = seen.get(&position) {
        return value;
    }
    let value = if let Some(outcome) = game.terminal(&position) {
        Dtw::ended(outcome)
    } else {
        let after =
            moves(game, &position).into_iter().map(|(_, next)| value(game, next, seen).before());
        after.max_by_key(|value| value.score(position.to_move())).unwrap()
    };
    seen.insert(position, value);
    value
}

fn solve(size: &str) -> (Dtw, usize) {
    let game = on(size);
    let mut seen = HashMap::new();
    let start = value(&game, game.start(), &mut seen);
    (start, seen.len())
}

#[test]
fn black_wins_on_3x3_in_six_plies_over_135_positions() {
    assert_eq!(solve("3x3"), (Dtw::win(BLACK, 6), 135));
}

#[test]
fn white_wins_on_4x4() {
    assert_eq!(solve("4x4").0.winner(), Some(WHITE));
}

#[test]
fn another_program_found_the_same_on_larger_boards() {
    // Values and numbers of reachable positions, from a search over bit sets that shares nothing
    // with this crate.
    for (size, winner, plies, reachable) in [
        ("4x4", WHITE, 11, 20_286),
        ("4x5", BLACK, 16, 118_133),
        ("5x4", BLACK, 14, 359_894),
        ("3x8", BLACK, 22, 43_963),
    ] {
        assert_eq!(solve(size), (Dtw::win(winner, plies), reachable), "{size}");
    }
}

#[test]
fn a_single_column_is_decided_by_who_runs_out_of_squares() {
    // On three rows White steps up to Black's pawn; on four Black does.
    assert_eq!(solve("1x3"), (Dtw::win(WHITE, 1), 2));
    assert_eq!(solve("1x4"), (Dtw::win(BLACK, 2), 3));
    assert_eq!(solve("1x8"), (Dtw::win(BLACK, 6), 7));
}

#[test]
fn at_every_end_the_side_to_move_has_lost() {
    let game = on("3x3");
    for (text, kind) in [
        ("P1p/3/3 b", "a pawn on the far row"),
        ("3/3/P1p w", "a pawn on the far row"),
        ("3/1P1/3 b", "no pawns"),
        ("p2/P2/3 w", "no moves"),
        ("p2/P2/3 b", "no moves"),
    ] {
        let position = game.parse_position(text).unwrap();
        assert_eq!(
            game.terminal(&position),
            Some(Outcome::Win(position.to_move().other())),
            "{kind}: {text}"
        );
        assert!(moves(&game, &position).is_empty());
    }
}

#[test]
fn pawns_step_forward_and_capture_diagonally_without_going_round_the_board() {
    let game = on("4x4");
    assert_eq!(names(&game, "pppp/4/4/PPPP w"), ["a1-a2", "b1-b2", "c1-c2", "d1-d2"]);
    assert_eq!(names(&game, "pppp/4/4/PPPP b"), ["a4-a3", "b4-b3", "c4-c3", "d4-d3"]);
    assert_eq!(names(&game, "4/ppp1/1P2/4 w"), ["b2xa3", "b2xc3"]);
    assert_eq!(names(&game, "4/1p2/PPP1/4 b"), ["b3xa2", "b3xc2"]);
    // A pawn on the edge does not capture round it.
    assert_eq!(names(&game, "3p/p3/P2P/4 w"), ["d2-d3"]);
    assert_eq!(names(&game, "4/3p/p2P/P3 b"), Vec::<String>::new());
    assert_eq!(names(&game, "4/2pp/p2P/P3 b"), ["c3-c2", "c3xd2"]);
}

/// Every position with either side to move by layer, found square by square from what is said of
/// positions alone.
fn arrangements(game: &Hunt) -> BTreeMap<(u16, Side), Vec<Position>> {
    let points = game.description().points.len() as u32;
    let columns = u32::from(game.description().sides[0].number[1]);
    let rows = points / columns;
    let mut layers: BTreeMap<_, Vec<Position>> = BTreeMap::new();
    for number in 0..3u64.pow(columns * rows) {
        let (mut rest, mut pawns, mut on_far_row, mut layer) = (number, [0u64; 2], [0; 2], 0);
        for square in 0..columns * rows {
            let row = square / columns;
            let to_go = [rows - 1 - row, row];
            if let Some(side) = (rest % 3).checked_sub(1) {
                let side = side as usize;
                pawns[side] |= 1 << square;
                on_far_row[side] += u32::from(to_go[side] == 0);
                layer += to_go[side] as u16;
            }
            rest /= 3;
        }
        for mover in Side::BOTH {
            let (m, o) = (mover.index(), mover.other().index());
            let sound = pawns.iter().all(|set| set.count_ones() <= columns)
                && pawns[o] != 0
                && on_far_row[m] == 0
                && on_far_row[o] <= 1;
            let position =
                game.position(pawns.map(|set| PointSet::from_bits(set.into())), [0; 2], mover);
            assert_eq!(position.is_some(), sound, "{pawns:?}");
            if let Some(position) = position {
                layers.entry((layer, mover)).or_default().push(position);
            }
        }
    }
    layers
}

#[test]
fn the_index_numbers_the_classes_of_every_layer_without_a_gap() {
    for size in ["1x3", "1x8", "2x3", "2x4", "3x3", "2x5", "3x4", "4x3"] {
        let game = on(size);
        let mut layers = arrangements(&game);
        for layer in game.layers() {
            let index = game.index(layer);
            for side in Side::BOTH {
                let members = layers.remove(&(layer, side)).unwrap_or_default();
                assert_eq!(
                    members.len() as u64,
                    game.positions(layer, side),
                    "{size}, layer {layer}, {side:?}"
                );
                let mut orbits = vec![0; index.len(side) as usize];
                for position in members {
                    assert_eq!(game.layer(&position), layer);
                    let rank = index.rank(&position);
                    orbits[rank as usize] += 1;
                    let canonical = index.unrank(side, rank);
                    assert!(
                        canonical == position || canonical == game.image(&position, 1),
                        "{size}: {position:?}"
                    );
                }
                for (rank, orbit) in orbits.into_iter().enumerate() {
                    assert_eq!(
                        orbit,
                        index.orbit(side, rank as u64),
                        "{size}, layer {layer}, rank {rank}"
                    );
                }
            }
        }
        assert!(layers.is_empty(), "{size}: layers {:?} are not among the game's", layers.keys());
    }
}

#[test]
fn ranks_follow_the_order_of_the_specification() {
    // By the rows from the bottom: numbers of white and of black pawns, its own image first, then
    // the word.
    let game = on("3x4");
    let word = |bits: u64| {
        (0..3).map(|c| 3u64.pow(c) * ((bits >> c & 1) + 2 * (bits >> (c + 12) & 1))).sum::<u64>()
    };
    let key = |position: &Position| {
        let mut symmetric = true;
        (0..4)
            .map(|row| {
                let (white, black) = (
                    position.few().bits() as u64 >> (3 * row) & 7,
                    position.many().bits() as u64 >> (3 * row) & 7,
                );
                let own_image = [white, black].iter().all(|set| set & 1 == set >> 2);
                let first = symmetric && own_image;
                symmetric = first;
                (white.count_ones(), black.count_ones(), !first, word(white | black << 12))
            })
            .collect::<Vec<_>>()
    };
    for layer in [5, 9, 12] {
        let index = game.index(layer);
        for side in Side::BOTH {
            let keys: Vec<_> =
                (0..index.len(side)).map(|rank| key(&index.unrank(side, rank))).collect();
            assert!(keys.is_sorted() && !keys.is_empty());
        }
    }
}

#[test]
fn small_boards_hold_together_everywhere() {
    for size in ["1x3", "1x5", "2x3", "2x4", "3x3"] {
        let game = on(size);
        for layer in game.layers() {
            validate(&game, layer, u64::MAX)
                .unwrap_or_else(|e| panic!("{size}, layer {layer}: {e}"));
        }
    }
}

#[test]
fn boards_of_every_size_hold_together() {
    for size in BoardSize::all() {
        let game = Hunt::hexapawn(size);
        for layer in game.layers() {
            validate(&game, layer, 40).unwrap_or_else(|e| panic!("{size}, layer {layer}: {e}"));
        }
    }
}

#[test]
fn no_play_leaves_the_positions() {
    for size in ["3x3", "4x3", "3x4", "2x6"] {
        let game = on(size);
        let mut seen = HashSet::new();
        let mut open = vec![game.start()];
        while let Some(position) = open.pop() {
            if seen.insert(position) {
                assert_eq!(
                    game.position([position.few(), position.many()], [0; 2], position.to_move()),
                    Some(position)
                );
                open.extend(moves(&game, &position).into_iter().map(|(_, next)| next));
            }
        }
    }
}

#[test]
fn positions_and_moves_read_back_what_is_written() {
    let game = on("3x3");
    for (text, written) in [
        ("ppp/3/PPP w", "ppp/3/PPP w"),
        ("ppp/111/PPP_b", "ppp/3/PPP b"),
        ("1p1/12/PP1 w", "1p1/3/PP1 w"),
        ("3/1p1/3 w", "3/1p1/3 w"),
    ] {
        let position = game.parse_position(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(game.format_position(&position), written);
    }
    let mut seen = HashMap::new();
    value(&game, game.start(), &mut seen);
    for position in seen.keys() {
        for (mv, _) in moves(&game, position) {
            assert_eq!(game.parse_move(position, &game.format_move(&mv)), Ok(mv));
        }
    }
}

#[test]
fn a_wrong_position_is_answered_with_the_column_where_it_goes_wrong() {
    let game = on("3x3");
    for (text, column, problem) in [
        ("", 1, "row 3 has 3 squares, only 0 are given"),
        ("ppp/3", 6, "the position ends after row 2, there are 3"),
        ("ppp/3/PPP", 10, "the side to move is missing"),
        ("ppp/3/PPP ", 11, "the side to move is missing: w (white) or b (black)"),
        ("ppp/3/PPP x", 11, "'x' is no side to move"),
        ("ppp/3/PPP W", 11, "'W' is no side to move"),
        ("ppp/3/PPP w ", 12, "' ' follows where the position is complete"),
        ("pppp/3/PPP w", 4, "row 3 has more than 3 squares"),
        ("pp/3/PPP w", 3, "row 3 has 3 squares, only 2 are given"),
        ("ppp/4/PPP w", 5, "row 2 has more than 3 squares"),
        ("ppp/0/PPP w", 5, "a digit from 1 to 3 (empty squares) and /"),
        ("ppp/3/PPP/3 w", 10, "there are only 3 rows"),
        ("ppp/3/PPK w", 9, "'K' is none of P (white pawn), p (black pawn)"),
        // A board without missing points has no `*`.
        ("ppp/*3/PPP w", 5, "'*' is none of"),
        // Four pawns of one side.
        ("ppp/1p1/PPP w", 6, "4 pieces of black are too many; a position has at most 3"),
        ("3/P1P/PP1 w", 8, "4 pieces of white are too many; a position has at most 3"),
        // Far rows: White to move with a pawn there, Black likewise, two of the side that moved.
        ("Pp1/3/PP1 w", 1, "with a white pawn on a3 the game was over, so white is not to move"),
        ("pp1/3/PPp b", 9, "with a black pawn on c1 the game was over, so black is not to move"),
        ("P1P/3/3 b", 3, "a second white pawn on c3: the one on a3 had ended the game"),
        ("3/3/p1p w", 7, "a second black pawn on c1: the one on a1 had ended the game"),
        // Who moved last has a pawn.
        ("3/3/PP1 w", 1, "black has no piece and cannot have moved last, so white is not to move"),
        ("ppp/3/3 b", 1, "white has no piece and cannot have moved last, so black is not to move"),
        ("3/3/3 w", 1, "black has no piece"),
    ] {
        let error = game.parse_position(text).unwrap_err();
        assert_eq!(error.column(), column, "{text:?}: {error}");
        assert!(error.problem().contains(problem), "{text:?}: {error}");
        assert_eq!(error.example(), "ppp/3/PPP w");
    }
    for size in BoardSize::all() {
        let game = Hunt::hexapawn(size);
        let error = game.parse_position("9").unwrap_err();
        assert_eq!(game.parse_position(error.example()), Ok(game.start()), "{size}");
    }
}

#[test]
fn a_wrong_move_is_answered_with_the_column_where_it_goes_wrong() {
    let game = on("3x3");
    for (text, column, problem) in [
        ("", 1, "not complete"),
        ("d1-a2", 1, "the board has no square d1; columns are a to c, rows 1 to 3"),
        ("a4-a2", 2, "the board has no square a4; columns are a to c, rows 1 to 3"),
        ("a1+a2", 3, "'+' cannot follow here; points are separated by - or x"),
        ("a1-d2", 4, "the board has no square d2"),
        ("a1-a0", 5, "the board has no square a0"),
        ("a1-a2 ", 6, "' ' follows where the move is complete"),
        ("a1", 3, "not complete"),
        ("a1-", 4, "not complete"),
        // Right in form: blocked, not a capture, nobody there.
        ("a1-a3", 1, "not a legal move"),
        ("a1xb2", 1, "a1xb2 is not a legal move in ppp/3/PPP w under standard"),
        ("a2-a3", 1, "not a legal move"),
    ] {
        let error = game.parse_move(&game.start(), text).unwrap_err();
        assert_eq!(error.column(), column, "{text:?}: {error}");
        assert!(error.problem().contains(problem), "{text:?}: {error}");
    }
}

#[test]
fn the_diagram_has_coordinates() {
    let game = on("4x3");
    assert_eq!(game.diagram(&game.start()), "3  p p p p\n2  . . . .\n1  P P P P\n   a b c d\n");
}
