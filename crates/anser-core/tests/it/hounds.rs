//! Fox-and-Hounds and Hasenspiel: the rules, and that plain searches find the published figures.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use anser_core::hunt::Position;
use anser_core::{Dtw, Hunt, Next, Outcome, Side};

fn fox_hounds(size: usize, rules: &str) -> Hunt {
    Hunt::fox_hounds(size, rules).unwrap_or_else(|e| panic!("{e}"))
}

/// Hasenspiel on the chessboard.
fn hasenspiel(rules: &str) -> Hunt {
    Hunt::hasenspiel(8, 4, rules).unwrap_or_else(|e| panic!("{e}"))
}

fn read(game: &Hunt, text: &str) -> Position {
    game.parse_position(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn moves(game: &Hunt, position: &Position) -> String {
    let mut list = Vec::new();
    let _ = game.visit_moves(position, |mv, _| {
        list.push(game.format_move(&mv));
        ControlFlow::<()>::Continue(())
    });
    list.join(" ")
}

fn successors(game: &Hunt, position: &Position) -> Vec<Position> {
    let mut list = Vec::new();
    let _ = game.visit_moves(position, |_, next| {
        match next {
            Next::Position(next) => list.push(next),
            Next::End(_) => panic!("no move of these games decides by itself"),
        }
        ControlFlow::<()>::Continue(())
    });
    list
}

/// All positions that play from the start leads to, in breadth-first order.
fn reachable(game: &Hunt) -> Vec<Position> {
    let mut found = vec![game.start()];
    let mut seen: HashSet<_> = found.iter().copied().collect();
    let mut at = 0;
    while at < found.len() {
        for next in successors(game, &found[at]) {
            if seen.insert(next) {
                found.push(next);
            }
        }
        at += 1;
    }
    found
}

/// Result of a search from a position: its value, the number of games from it, and of those that
/// the second side wins.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Found {
    value: Dtw,
    games: u128,
    second_wins: u128,
}

/// The search, which remembers what it has found.
fn search(game: &Hunt, position: Position, memory: &mut HashMap<Position, Found>) -> Found {
    if let Some(&found) = memory.get(&position) {
        return found;
    }
    let found = if let Some(outcome) = game.terminal(&position) {
        let second_wins = u128::from(outcome == Outcome::Win(Side::Second));
        Found { value: Dtw::ended(outcome), games: 1, second_wins }
    } else {
        let mover = position.to_move();
        let all: Vec<Found> = successors(game, &position)
            .into_iter()
            .map(|next| search(game, next, memory))
            .collect();
        let best =
            all.iter().map(|next| next.value.before()).max_by_key(|value| value.score(mover));
        Found {
            value: best.expect("the game is not over, so there is a move"),
            games: all.iter().map(|next| next.games).sum(),
            second_wins: all.iter().map(|next| next.second_wins).sum(),
        }
    };
    memory.insert(position, found);
    found
}

fn solved(game: &Hunt) -> (Found, HashMap<Position, Found>) {
    let mut memory = HashMap::new();
    let found = search(game, game.start(), &mut memory);
    (found, memory)
}

#[test]
fn the_fox_and_the_hounds_reach_as_many_positions_as_published() {
    let counts = [2, 4, 6, 8].map(|size| reachable(&fox_hounds(size, "escape")).len());
    assert_eq!(counts, [1, 83, 8_175, 709_868]);
}

#[test]
fn on_8x8_the_hounds_win_in_44_plies_and_on_6x6_the_fox_in_21() {
    let found = [2, 4, 6, 8].map(|size| solved(&fox_hounds(size, "escape")).0);
    let [hounds, fox] = [Side::Second, Side::First];
    let values =
        [Dtw::win(hounds, 0), Dtw::win(hounds, 8), Dtw::win(fox, 21), Dtw::win(hounds, 44)];
    assert_eq!(found.map(|start| start.value), values);
    // For 6 x 6 only the power of ten is printed.
    let games = found.map(|start| start.games);
    assert_eq!([games[0], games[1], games[3]], [1, 178, 360_552_037_329_667_882_019_232_833_884]);
    assert_eq!(games[2].ilog10(), 11);
}

#[test]
fn whoever_wins_under_the_escape_rule_wins_under_the_strict_one_and_needs_no_fewer_plies() {
    for size in [2, 4, 6] {
        let (_, escape) = solved(&fox_hounds(size, "escape"));
        let (_, strict) = solved(&fox_hounds(size, "strict"));
        for (position, found) in &escape {
            let other = strict[position];
            assert_eq!(found.value.outcome(), other.value.outcome(), "{position:?}");
            if found.value.winner() == Some(Side::First) {
                assert!(found.value.plies() <= other.value.plies(), "{position:?}");
            }
        }
    }
}

#[test]
fn the_first_position_that_is_lost_for_the_hounds_is_the_opposite_position() {
    let game = fox_hounds(8, "escape");
    let (_, memory) = solved(&game);
    let opposite =
        reachable(&game).into_iter().find(|p| memory[p].value.winner() == Some(Side::First));
    let opposite = opposite.expect("the fox wins somewhere");
    assert_eq!(game.format_position(&opposite), "4/1F2/4/4/4/4/3h/hh1h f");
    assert_eq!(memory[&opposite].value, Dtw::win(Side::First, 29));
}

#[test]
fn the_positions_drawn_in_the_document_end_as_it_says() {
    let games = ["escape", "strict"];
    let games = games.map(|rules| fox_hounds(8, rules));
    let ends = |text: &str| games.each_ref().map(|game| game.terminal(&read(game, text)));
    let [fox, hounds] = Side::BOTH.map(|side| Some(Outcome::Win(side)));
    assert_eq!(ends("2F1/4/4/4/4/4/4/hhhh f"), [None, None]);
    // The fox is trapped, but only if it is to move.
    assert_eq!(ends("1Fh1/hh2/2h1/4/4/4/4/4 f"), [hounds, hounds]);
    assert_eq!(ends("1Fh1/hh2/2h1/4/4/4/4/4 h"), [None, None]);
    // No hound can move.
    assert_eq!(ends("h1hh/4/4/4/3F/3h/4/4 h"), [fox, fox]);
    // The fox has escaped, whoever is to move.
    assert_eq!(ends("4/4/4/h1h1/4/Fhh1/4/4 h"), [fox, None]);
    assert_eq!(ends("4/4/4/h1h1/4/Fhh1/4/4 f"), [fox, None]);
    // The opposite position, and those drawn as boxes.
    for text in [
        "4/1F2/4/4/4/4/3h/hh1h f",
        "4/1F2/4/4/2hh/hh2/4/4 f",
        "2h1/F3/2h1/hh2/4/4/4/4 f",
        "h1hF/2h1/3h/4/4/4/4/4 h",
    ] {
        assert_eq!(ends(text), [None, None], "{text}");
    }
}

#[test]
fn a_fox_that_has_only_its_own_square_out_of_reach_has_not_escaped() {
    let game = fox_hounds(4, "escape");
    // The fox is in the corner d1; the hound on b1 can come to c2, the only square next to it.
    assert_eq!(game.terminal(&read(&game, "1h/2/2/hF f")), None);
    assert_eq!(game.terminal(&read(&game, "1h/2/h1/1F f")), Some(Outcome::Win(Side::First)));
}

#[test]
fn moves_come_in_generation_order() {
    let game = Hunt::fox_hounds(8, "escape").unwrap();
    assert_eq!(moves(&game, &game.start()), "e8-d7 e8-f7");
    assert_eq!(moves(&game, &read(&game, "4/4/4/2F1/4/4/4/hhhh f")), "f5-e4 f5-g4 f5-e6 f5-g6");
    // Column by column: the hound on c4 comes before the one on d1.
    let position = read(&game, "4/4/4/2F1/1h2/4/4/hh1h h");
    assert_eq!(moves(&game, &position), "b1-a2 b1-c2 c4-b5 c4-d5 d1-c2 d1-e2 h1-g2");
}

#[test]
fn the_pawns_of_hasenspiel_win_in_44_plies_under_either_rule_set() {
    for (rules, positions) in [("author", 776_247), ("literal", 895_280)] {
        let (start, memory) = solved(&hasenspiel(rules));
        assert_eq!((start.value, memory.len()), (Dtw::win(Side::Second, 44), positions), "{rules}");
    }
}

#[test]
fn the_games_of_hasenspiel_are_1101_octillions_and_the_pawns_win_few_of_them() {
    let (start, memory) = solved(&hasenspiel("author"));
    // Printed are 1101.23 x 10^27, which is the number with a slip of the document's program as
    // well as without it.
    assert_eq!(start.games, 1_101_226_120_421_767_687_787_600_873_400);
    assert_eq!(start.second_wins, 37_932_955_183_470_230_204_539_097_063);
    let won = memory.values().filter(|found| found.value.winner() == Some(Side::Second)).count();
    assert_eq!(won, 59_114);
}

#[test]
fn play_from_the_start_never_shuts_in_a_rabbit_that_has_got_through() {
    for rules in ["literal", "author"] {
        let game = hasenspiel(rules);
        let board = game.rows().expect("the pawns only go up").board;
        let shut_in = |p: &Position| {
            let next_to_it = board.neighbors(p.few().first().expect("there is a rabbit"));
            p.to_move() == Side::First && (next_to_it - p.many()).is_empty()
        };
        let all = reachable(&game);
        assert!(all.iter().any(shut_in));
        assert!(
            all.iter()
                .filter(|p| shut_in(p))
                .all(|p| game.terminal(p) == Some(Outcome::Win(Side::Second)))
        );
    }
}

#[test]
fn the_rabbit_wins_on_the_bottom_row_and_by_the_authors_test_before_it() {
    let games = ["literal", "author"].map(hasenspiel);
    let ends = |text: &str| games.each_ref().map(|game| game.terminal(&read(game, text)));
    let [rabbit, pawns] = Side::BOTH.map(|side| Some(Outcome::Win(side)));
    assert_eq!(ends("1W2/4/4/4/4/4/4/bbbb w"), [None, None]);
    // Past all pawns: square 8 is below 7 + 3, square 10 is not.
    assert_eq!(ends("4/4/4/4/b3/Wbb1/3b/4 b"), [None, rabbit]);
    assert_eq!(ends("4/4/4/4/b3/bbW1/3b/4 b"), [None, None]);
    // On the bottom row in the corner g1, square 3, which is not below 0 + 3: the author's test
    // does not see it.
    assert_eq!(ends("4/4/4/4/bb2/b3/4/b2W b"), [rabbit, None]);
    // Shut in on the bottom row: through by the words, and lost by the author's test with a pawn on
    // a1.
    assert_eq!(ends("4/4/4/4/4/b3/2bb/b2W w"), [rabbit, pawns]);
    assert_eq!(ends("4/4/4/4/4/bb2/2bb/3W w"), [rabbit, rabbit]);
    // Shut in above it.
    assert_eq!(ends("W3/bb2/4/4/4/4/4/bb2 w"), [pawns, pawns]);
    assert_eq!(ends("W3/bb2/4/4/4/4/4/bb2 b"), [None, None]);
    // Pawns that cannot move have lost.
    assert_eq!(ends("bbbb/4/4/4/4/W3/4/4 b"), [rabbit, rabbit]);
}

#[test]
fn pawns_move_by_the_numbers_of_their_squares() {
    let game = hasenspiel("literal");
    assert_eq!(moves(&game, &game.start()), "d8-c7 d8-e7");
    // By rows, not by columns: c1 and g1 come before b4.
    let position = read(&game, "4/4/4/2W1/b3/4/4/bb1b b");
    assert_eq!(moves(&game, &position), "a1-b2 c1-b2 c1-d2 g1-f2 g1-h2 b4-a5 b4-c5");
    assert_eq!(moves(&game, &read(&game, "4/4/4/2W1/4/4/4/bbbb w")), "e5-d4 e5-f4 e5-d6 e5-f6");
}
