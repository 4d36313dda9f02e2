//! Compares the Hexapawn solver with the oracle and with the rules.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use anser_core::hexapawn::BoardSize;
use anser_core::hunt::PointSet;
use anser_core::{BLOCKED, BySide, Dtw, Hunt, Observer, Outcome, Side};
use anser_oracle::Graph;
use anser_retrograde::hexapawn::{HexapawnReport, HexapawnScope, HexapawnSolver};
use anser_retrograde::{AnalyseError, Limits, Tally};

fn board(size: &str) -> BoardSize {
    size.parse().expect("a size")
}

fn game(size: &str) -> Hunt {
    Hunt::hexapawn(board(size))
}

fn solver(size: &str) -> HexapawnSolver {
    HexapawnSolver::new(&game(size)).expect("a size of Hexapawn")
}

fn plain(size: &str) -> anser_oracle::hexapawn::Hexapawn {
    let board = board(size);
    anser_oracle::hexapawn::Hexapawn { columns: board.columns(), rows: board.rows() }
}

fn solved(size: &str, scope: HexapawnScope) -> HexapawnReport {
    solver(size).solve(scope, &Limits::default()).expect("there is memory")
}

/// Compares values, and numbers of reachable positions and of games, from at most `count` of the
/// positions of a graph, or all if there are fewer.
fn compare_positions(
    game: &Hunt,
    plain: anser_oracle::hexapawn::Hexapawn,
    graph: &Graph<anser_oracle::hexapawn::Position>,
    count: usize,
) {
    let (values, games) = (graph.values(), graph.games());
    for at in (0..graph.len()).step_by(1 + graph.len() / count) {
        let text = anser_oracle::Game::notation(&plain, &graph.positions[at]);
        let position = game.parse_position(&text).expect("both write positions alike");
        let solver = HexapawnSolver::from_position(game, &position).expect("it is a position");
        let solve = |scope| solver.solve(scope, &Limits::default()).expect("there is memory");
        let report = solve(HexapawnScope::Games);
        // Unless the position is symmetric, its reachable positions are not closed under
        // reflection.
        let reachable = Graph::reachable(&plain, &graph.positions[at]).len() as u64;
        assert_eq!(
            (report.start, report.census.positions()),
            (dtw(values[at]), reachable),
            "{}: {text}",
            game.name()
        );
        assert_eq!(report.games, Some(tally(&games[at])), "{text}");
        assert_eq!(solve(HexapawnScope::Winner).start, dtw(values[at]), "{}: {text}", game.name());
    }
}

fn side(side: anser_oracle::Side) -> Side {
    if side == anser_oracle::Side::First { Side::First } else { Side::Second }
}

fn dtw(value: anser_oracle::Value) -> Dtw {
    Dtw::win(side(value.winner.expect("there are no draws")), value.plies as u16)
}

/// Converts the numbers of games of the oracle; no game is drawn.
fn tally(games: &anser_oracle::plain::Games) -> Tally {
    Tally::won_by(BySide::new(games.first.clone(), games.second.clone()))
}

/// Boards that the plain program solves in no time.
const SMALL: [&str; 11] =
    ["1x3", "1x4", "2x3", "3x3", "4x3", "3x4", "2x6", "5x3", "3x5", "4x4", "2x8"];

#[test]
#[ignore = "takes minutes"]
fn every_position_of_small_boards_is_solved_as_by_the_plain_program() {
    for size in SMALL {
        let plain = plain(size);
        let graph = Graph::reachable(&plain, &anser_oracle::Game::start(&plain));
        compare_positions(&game(size), plain, &graph, usize::MAX);
    }
}

#[test]
fn values_counts_and_numbers_of_games_are_those_of_the_plain_program() {
    for size in SMALL {
        let game = game(size);
        let plain = plain(size);
        let graph = Graph::reachable(&plain, &anser_oracle::Game::start(&plain));
        let (values, games) = (graph.values(), graph.games());
        let HexapawnReport { start, census, games: found, .. } = solved(size, HexapawnScope::Games);
        assert_eq!(start, dtw(values[0]), "{size}");
        assert_eq!(found, Some(tally(&games[0])), "{size}");
        compare_positions(&game, plain, &graph, 200);
        for (to_move, winners) in graph.census(&values) {
            for (winner, plies) in winners {
                let winner = side(winner.expect("there are no draws"));
                let expected =
                    plies.into_iter().map(|(plies, count)| (plies as u16, count)).collect();
                assert_eq!(census.to_move(side(to_move)).depths(winner), &expected, "{size}");
            }
        }
        assert_eq!(census.positions(), graph.len() as u64);
        for to_move in Side::BOTH {
            let ends = [("through", "far row"), ("no pawns", "no pawns"), ("blocked", BLOCKED)]
                .map(|(rule, kind)| {
                    let ended = graph.ended_by(rule);
                    let count =
                        ended.iter().filter(|&&at| side(graph.to_move[at]) == to_move).count()
                            as u64;
                    (kind, Outcome::Win(to_move.other()), count)
                });
            let expected: BTreeSet<_> = ends.into_iter().filter(|&(.., count)| count > 0).collect();
            assert_eq!(census.to_move(to_move).ends().collect::<BTreeSet<_>>(), expected, "{size}");
        }
    }
}

#[test]
fn games_from_any_position_are_those_of_the_plain_program() {
    for size in ["3x3", "3x4"] {
        let plain = plain(size);
        let graph = Graph::reachable(&plain, &anser_oracle::Game::start(&plain));
        compare_positions(&game(size), plain, &graph, 1000);
    }
}

#[test]
fn larger_boards_have_the_positions_that_another_program_counted() {
    for (size, reachable) in [("5x4", 359_894), ("4x5", 118_133)] {
        let report = solved(size, HexapawnScope::Games);
        assert_eq!(report.census.positions(), reachable, "{size}");
        assert!(
            report.classes > reachable / 2 && report.classes < reachable / 2 + reachable / 20,
            "{size}"
        );
    }
}

#[test]
fn the_winner_alone_takes_fewer_positions_and_no_other_value() {
    for size in ["3x3", "4x3", "3x5", "4x4", "5x4", "4x5"] {
        let full = solved(size, HexapawnScope::Positions);
        let winner = solved(size, HexapawnScope::Winner);
        assert_eq!(winner.start, full.start, "{size}");
        assert!(winner.census.positions() < full.census.positions(), "{size}");
    }
}

#[test]
fn games_change_nothing_else() {
    let [full, plain] =
        [HexapawnScope::Games, HexapawnScope::Positions].map(|scope| solved("4x4", scope));
    assert_eq!((full.start, full.census), (plain.start, plain.census));
    assert_eq!(plain.games, None);
}

#[test]
fn the_largest_boards_are_solved_from_late_positions() {
    for (size, text) in [
        ("8x4", "p1p4p/1P1p2p1/2p3P1/P2P3P w"),
        ("6x6", "p1p3/1P1p2/2p3/3P1P/P5/1P4 b"),
        ("7x5", "p1p3p/1P1p3/2p3p/3P1P1/P5P w"),
        ("5x7", "p1p2/1P1p1/2p2/3P1/P4/1P3/4P b"),
        ("4x8", "p1p1/4/1P1p/2p1/3P/P3/1P2/4 w"),
    ] {
        let game = game(size);
        let position = game.parse_position(text).expect("a position");
        let plain = plain(size);
        let pawn = |at: u8| {
            let of = |pawns: PointSet, side| pawns.contains(at).then_some(side);
            of(position.few(), anser_oracle::Side::First)
                .or(of(position.many(), anser_oracle::Side::Second))
        };
        let to_move = if position.to_move() == Side::First {
            anser_oracle::Side::First
        } else {
            anser_oracle::Side::Second
        };
        let from = anser_oracle::hexapawn::Position {
            board: (0..board(size).squares()).map(pawn).collect(),
            to_move,
        };
        assert_eq!(anser_oracle::Game::notation(&plain, &from), text);
        let graph = Graph::reachable(&plain, &from);
        compare_positions(&game, plain, &graph, 50);
    }
}

#[test]
fn positions_of_other_boards_are_refused() {
    let other = game("4x4").start();
    assert!(HexapawnSolver::from_position(&game("3x3"), &other).is_none());
}

#[test]
fn too_little_memory_is_an_error_that_says_what_is_needed() {
    for (size, budget) in [("5x4", 1 << 20), ("6x6", 64 << 20)] {
        let limits = Limits { memory: budget, ..Limits::default() };
        let solved = solver(size).solve(HexapawnScope::Games, &limits);
        let error = solved.expect_err("there is none");
        let AnalyseError::Memory { needed, allowed, .. } = error else { panic!("{error}") };
        assert!(needed > budget && allowed == budget);
        assert!(error.to_string().contains("allow more"), "{error}");
    }
}

#[test]
fn what_is_said_to_be_needed_suffices() {
    for size in ["5x3", "4x4", "5x4", "4x5", "6x4"] {
        let solver = solver(size);
        let with =
            |memory| solver.solve(HexapawnScope::Games, &Limits { memory, ..Limits::default() });
        let Err(AnalyseError::Memory { needed, .. }) = with(1 << 10) else {
            panic!("{size}: no board gets by with a kibibyte");
        };
        let peak = with(needed).unwrap_or_else(|error| panic!("{error}")).peak_memory;
        assert!(peak <= needed && needed < 3 * peak, "{size}: {needed}");
    }
}

/// Counts units of work, and interrupts after `stop_after` of them.
struct Watcher {
    announced: AtomicU64,
    done: AtomicU64,
    stop_after: u64,
}

impl Watcher {
    fn stopping_after(units: u64) -> Watcher {
        Watcher { announced: AtomicU64::new(0), done: AtomicU64::new(0), stop_after: units }
    }
}

impl Observer for Watcher {
    fn begin(&self, _: &str, units: u64) {
        self.announced.fetch_add(units, Ordering::Relaxed);
    }

    fn advance(&self, units: u64) {
        self.done.fetch_add(units, Ordering::Relaxed);
    }

    fn interrupted(&self) -> bool {
        self.done.load(Ordering::Relaxed) >= self.stop_after
    }
}

#[test]
fn a_run_tells_how_far_it_is_and_stops_when_asked_to() {
    let solver = solver("4x4");
    let watcher = Watcher::stopping_after(u64::MAX);
    let solve = |watcher: &Watcher| {
        solver.solve(HexapawnScope::Games, &Limits { observer: watcher, ..Limits::default() })
    };
    let solution = solve(&watcher).expect("nobody asked to stop");
    let (announced, done) = (watcher.announced.into_inner(), watcher.done.into_inner());
    assert_eq!(announced, done);
    assert!(done > solution.classes);
    for units in [0, 5, done / 2] {
        assert!(matches!(solve(&Watcher::stopping_after(units)), Err(AnalyseError::Interrupted)));
    }
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let in_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let report = pool.install(|| solved("4x4", HexapawnScope::Games));
        (report.start, report.census, report.games)
    };
    assert_eq!(in_threads(1), in_threads(3));
}
