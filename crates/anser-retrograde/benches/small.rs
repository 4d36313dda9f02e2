//! The solvers of the small games beside the plain programs of `anser-oracle`, in one run:
//! `cargo bench -p anser-retrograde --bench small`, under a minute.
//!
//! Timed are the reachable set, the exact values, and the number of games. Both must find the same
//! number of positions, the same value of the start, and the same number of games.

use std::time::Instant;

use anser_core::Hunt;
use anser_oracle::{Game, Graph};
use anser_retrograde::Limits;
use anser_retrograde::hexapawn::{HexapawnScope, HexapawnSolver};
use anser_retrograde::hounds::{HoundsOptions, HoundsSolver};

/// How often what is short runs; the best time counts, the machine may be busy.
const RUNS: usize = 5;

/// What both have to find: positions, plies of the start, and games, in decimal.
type Found = (u64, Option<u16>, String);

fn main() {
    // `cargo test --benches` and the like only want to see that it starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    println!("the plain program (one thread) and the solver (all threads)");
    println!(
        "{:<24} {:>10} {:>10} {:>10} {:>8}",
        "game", "positions", "plain s", "solver s", "ratio"
    );
    for size in [6, 8] {
        let game = Hunt::fox_hounds(size, "escape").expect("there is such a board");
        let plain = anser_oracle::fox_hounds::FoxHounds::new(size as u8);
        compare(
            &format!("fox-hounds:{size}"),
            || plainly(&plain),
            || hounds(&HoundsSolver::new(&game).expect("the pack only goes up")),
        );
    }
    let game = Hunt::hasenspiel(8, 4, "author").expect("there is such a board");
    let plain = anser_oracle::hasenspiel::Hasenspiel::Author;
    compare(
        "hasenspiel, author",
        || plainly(&plain),
        || hounds(&HoundsSolver::new(&game).expect("the pack only goes up")),
    );
    for (columns, rows) in [(4, 4), (5, 4)] {
        let game =
            Hunt::hexapawn(format!("{columns}x{rows}").parse().expect("there is such a board"));
        let plain = anser_oracle::hexapawn::Hexapawn { columns, rows };
        compare(&format!("hexapawn:{columns}x{rows}"), || plainly(&plain), || hexapawn(&game));
    }
}

fn compare(name: &str, plain: impl FnOnce() -> Found, solver: impl Fn() -> Found) {
    let started = Instant::now();
    let expected = plain();
    let slow = started.elapsed().as_secs_f64();
    let mut quick = f64::INFINITY;
    for _ in 0..RUNS {
        let started = Instant::now();
        let found = solver();
        quick = quick.min(started.elapsed().as_secs_f64());
        assert_eq!(found, expected, "{name}");
    }
    println!("{name:<24} {:>10} {slow:>10.3} {quick:>10.4} {:>8.0}", expected.0, slow / quick);
}

fn plainly<G: Game>(game: &G) -> Found {
    let graph = Graph::reachable(game, &game.start());
    let (values, games) = (graph.values(), graph.games());
    let plies = values[0].winner.map(|_| u16::try_from(values[0].plies).expect("a short game"));
    (graph.len() as u64, plies, games[0].total.to_string())
}

fn hounds(solver: &HoundsSolver) -> Found {
    let options = HoundsOptions { all: false, games: true };
    let report = solver.analyse(options, &Limits::default()).expect("there is memory");
    let games = report.games.expect("the games are counted").games();
    (report.reachable.positions(), report.start.plies(), games.to_string())
}

fn hexapawn(game: &Hunt) -> Found {
    let solver = HexapawnSolver::new(game).expect("the game is Hexapawn");
    let report = solver.solve(HexapawnScope::Games, &Limits::default()).expect("there is memory");
    let games = report.games.expect("the games are counted").games();
    (report.census.positions(), report.start.plies(), games.to_string())
}
