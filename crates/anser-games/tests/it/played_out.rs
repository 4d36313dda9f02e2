//! Games that players play out from tables. From tables of distances the perfect player wins in as
//! many plies as the table promises, against sampled defences; in draws it keeps its pieces.

use anser_analyse::{Random, Strategy, Style, hardest_of_layer, known_moves};
use anser_core::{
    BySide, Dtw, Hunt, LayerIndex, Next, Outcome, Probe, RatedMove, Side, Unobserved, Value, hunt,
};
use anser_games::{Registry, SearchPath, Values, read_file};
use anser_retrograde::Solution;
use anser_solve::SolveOptions;
use anser_table::{Metric, PositionedReads};

/// Choice of moves by the loser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Defence {
    /// Any of the moves that delay the loss longest.
    Best,
    /// Any move.
    Random,
    /// One or the other.
    Mixed,
}

/// Games played, and what happened in them.
#[derive(Default)]
struct Played {
    /// Games by winner.
    games: BySide<u32>,
    /// Captures into a lower layer.
    captures: u32,
    /// Games that a bad defence made shorter.
    shortened: u32,
}

/// Plays a won position to its end.
fn play_out(
    game: &Hunt,
    tables: &Values,
    start: &hunt::Position,
    (style, defence): (Style, Defence),
    random: &mut Random,
    played: &mut Played,
) {
    let promised = tables.value(start).expect("a value").dtw().expect("a distance");
    let (winner, plies) = (promised.winner().expect("a win"), promised.plies().expect("a win"));
    let strategy = Strategy { style, ..Strategy::default() };
    let (mut here, mut seen, mut value) = (*start, Vec::new(), promised);
    let end = loop {
        if let Some(outcome) = game.terminal(&here) {
            break outcome;
        }
        let side = here.to_move();
        let optimal = side == winner
            || match defence {
                Defence::Best => true,
                Defence::Random => false,
                Defence::Mixed => random.bits().is_multiple_of(2),
            };
        let chosen: RatedMove = if optimal {
            strategy.choose(game, tables, &here, &seen, random).expect("a move")
        } else {
            let mut moves = known_moves(game, tables, &here);
            moves.swap_remove((random.bits() % moves.len() as u64) as usize)
        };
        let after = chosen.value.and_then(Value::dtw).expect("distances in every layer");
        let text = game.format_position(&here);
        assert_eq!(after.winner(), Some(winner), "{text}: {}", game.format_move(&chosen.mv));
        if optimal {
            assert_eq!(after.before(), value, "{text}: {}", game.format_move(&chosen.mv));
        } else {
            assert!(after.before().plies() <= value.plies(), "{text}");
        }
        seen.push(here);
        value = after;
        match chosen.next {
            Next::End(end) => break end.outcome,
            Next::Position(next) => {
                played.captures += u32::from(game.layer(&next) != game.layer(&here));
                here = next;
            }
        }
    };
    assert_eq!(end, Outcome::Win(winner));
    assert_eq!(value, Dtw::win(winner, 0));
    let lasted = u16::try_from(seen.len()).expect("a short game");
    match defence {
        Defence::Best => assert_eq!(lasted, plies, "{}", game.format_position(start)),
        _ => assert!(lasted <= plies, "{}", game.format_position(start)),
    }
    played.shortened += u32::from(lasted < plies);
    played.games[winner] += 1;
}

/// Solves layers, and plays out the longest wins and sampled wins of each.
fn games_last_as_promised(rules: &str, first: u16, last: u16) -> Played {
    let registry = Registry::standard();
    let game = registry.game("fox-geese", Some(rules)).expect("a rule set");
    let dir = tempfile::tempdir().expect("a directory");
    let options = SolveOptions {
        layers: Some(first..=last),
        metrics: Metric::Dtw.into(),
        ..SolveOptions::new(dir.path())
    };
    anser_solve::solve(&game, &options, &Unobserved).expect("solved");
    let path = SearchPath::directories([dir.path()]);
    let tables = path.open(&registry, &game, &PositionedReads).expect("tables");
    let tables = Values::Tables(tables.into());
    let mut random = Random::new(1);
    let mut played = Played::default();
    for layer in first..=last {
        let longest = hardest_of_layer(&game, &tables, layer, 3, &Unobserved).expect("an answer");
        let longest = longest.iter().flat_map(|(_, by_winner)| {
            by_winner.iter().flat_map(|(_, found)| found).flat_map(|found| &found.positions.first)
        });
        let mut starts: Vec<hunt::Position> = longest.map(|(position, _)| *position).collect();
        let index = game.index(layer);
        for side in Side::BOTH {
            for _ in 0..200 {
                let position = index.unrank(side, random.bits() % index.len(side));
                let value = tables.value(&position).expect("a value");
                // Most wins of a small layer are over in a ply or two.
                if value.winner().is_some() && value.plies > Some(2) {
                    starts.push(position);
                }
            }
        }
        for start in &starts {
            for defence in [Defence::Best, Defence::Best, Defence::Random, Defence::Mixed] {
                for style in [Style::Hard, Style::Quick] {
                    play_out(&game, &tables, start, (style, defence), &mut random, &mut played);
                }
            }
        }
    }
    assert!(played.games.iter().all(|(_, &games)| games > 20), "{:?}", played.games);
    assert!(played.shortened > 0, "no defence was bad");
    played
}

#[test]
fn wins_from_tables_last_as_long_as_promised_across_captures() {
    let played = games_last_as_promised("free", 1, 6);
    // The fox captures on its way to a win; six geese win in a ply or two.
    assert!(played.captures > 20, "{} captures", played.captures);
}

#[test]
fn wins_from_tables_last_as_long_as_promised_if_the_first_capture_wins() {
    let played = games_last_as_promised("first-capture", 4, 6);
    assert_eq!(played.captures, 0);
}

/// Plays a drawn position with geese that know the outcomes, against a fox that captures whenever
/// it can and otherwise moves at random. Returns the number of geese after the plies, or at the
/// end.
fn geese_left(game: &Hunt, tables: &Values, start: &hunt::Position, seed: u64) -> u16 {
    let (strategy, mut random) = (Strategy::default(), Random::new(seed));
    let (mut here, mut seen) = (*start, Vec::new());
    for _ in 0..200 {
        let mv = if here.to_move() == Side::First {
            let moves = game.moves(&here);
            let takes = |(mv, _): &(hunt::Move, Next)| f64::from(u8::from(mv.is_capture()));
            let captures: Vec<f64> = moves.iter().map(takes).collect();
            let number = random.weighted(&captures).unwrap_or_else(|| random.below(moves.len()));
            moves[number].1
        } else {
            strategy.choose(game, tables, &here, &seen, &mut random).expect("a move").next
        };
        seen.push(here);
        here = *mv.position();
        if game.outcome_after(&mv).is_some() {
            break;
        }
    }
    game.layer(&here)
}

#[test]
fn seven_geese_hold_a_draw_without_losing_their_pieces() {
    let registry = Registry::standard();
    let game = registry.game("fox-geese", Some("free")).expect("a rule set");
    // Shipped tables of layers 1 to 7.
    let path = SearchPath::directories(["tables"]);
    let tables = path.open(&registry, &game, &PositionedReads).expect("tables");
    let tables = Values::Tables(tables.into());
    let start = game.parse_position("3/3/3F3/7/1gg1g2/ggg/1g1 g").expect("a position");
    let left: Vec<u16> = (1..=3).map(|seed| geese_left(&game, &tables, &start, seed)).collect();
    // Geese that choose among draws at random lose all but four.
    assert!(left.iter().all(|&left| left >= 6), "{left:?}");
}

#[test]
fn goats_in_hand_are_not_placed_where_they_are_taken() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/hunts/placing.toml");
    let info = read_file(path.as_ref()).expect("a description");
    let game = info.make("", &info.default_rules).expect("the rules");
    let solution = Solution::reachable(&game, &game.start()).expect("solved");
    let drawn = solution.layers().flat_map(|layer| solution.positions(layer));
    let drawn = drawn.filter(|(here, value)| {
        value.outcome() == Outcome::Draw
            && here.to_move() == Side::Second
            && here.in_hand(Side::Second) > 0
    });
    let mut compared = 0;
    for (here, _) in drawn.step_by(10) {
        // Whether the leopard can take a goat at once.
        let is_safe = |rated: &RatedMove| {
            let replies = game.moves(rated.next.position());
            !replies.iter().any(|(reply, _)| reply.is_capture())
        };
        let moves = known_moves(&game, &solution, &here);
        let best = Strategy::default().best(&game, &solution, &here, &moves, &[]);
        let best: Vec<&RatedMove> =
            moves.iter().zip(best).filter(|(_, best)| *best).map(|(rated, _)| rated).collect();
        let draws = |rated: &&RatedMove| rated.value.is_some_and(|it| it.outcome == Outcome::Draw);
        assert!(!best.is_empty() && best.iter().all(draws), "{}", game.format_position(&here));
        if moves.iter().filter(draws).any(is_safe) && !moves.iter().filter(draws).all(is_safe) {
            compared += 1;
            let text = game.format_position(&here);
            assert!(best.iter().all(|rated| is_safe(rated)), "{text}");
        }
    }
    assert!(compared > 10, "{compared}");
}
