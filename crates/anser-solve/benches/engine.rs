//! Compares the engines in one run: `cargo bench -p anser-solve --bench engine`, about ten minutes.
//!
//! Times whole runs on layers of `first-capture`, which depend on no other layer: file, values,
//! checksums, and manifest. Rates are positions of the layer (symmetric ones are counted
//! separately) or symmetry classes, per second. All engines must find the same number of positions
//! won for the geese.

use std::time::Instant;

use anser_core::{Hunt, Side};
use anser_oracle::fox_geese as oracle;
use anser_solve::{EngineChoice, SolveOptions, Unobserved, solve};

/// Number of times that a short run is repeated. The best time counts, because the machine may be
/// busy.
const RUNS: usize = 3;

fn main() {
    // `cargo test --benches` only checks that it starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    println!("the oracle (one thread) and the engine");
    println!("layer  threads  oracle s  engine s  oracle Mpos/s  engine Mpos/s  ratio");
    for layer in [6, 7] {
        against_the_oracle(layer);
    }
    println!("\nthe general engine and the best one, all threads");
    println!("layer  general s  best s  ratio");
    for layer in [8, 9] {
        let general = best_of(1, || run(layer, EngineChoice::General, None));
        let best = best_of(RUNS, || run(layer, EngineChoice::Best, None));
        assert_eq!(general.won, best.won);
        println!(
            "{layer:>5}  {:>9.2}  {:>6.2}  {:>5.1}",
            general.seconds,
            best.seconds,
            general.seconds / best.seconds
        );
    }
    println!("\nthe best engine by threads");
    println!("layer  threads  seconds  M classes/s  M classes/s and thread  times one thread");
    let cores = std::thread::available_parallelism().map_or(1, Into::into);
    for layer in [10, 11] {
        let mut alone = None;
        for threads in
            std::iter::successors(Some(1), |&threads| Some(2 * threads)).take_while(|&n| n <= cores)
        {
            let run = best_of(RUNS, || run(layer, EngineChoice::Best, Some(threads)));
            let alone = *alone.get_or_insert(run.seconds);
            let rate = run.classes as f64 / run.seconds / 1e6;
            println!(
                "{layer:>5}  {threads:>7}  {:>7.2}  {rate:>11.0}  {:>22.0}  {:>16.2}",
                run.seconds,
                rate / threads as f64,
                alone / run.seconds
            );
        }
    }
}

struct Run {
    seconds: f64,
    classes: u64,
    won: u64,
    threads: usize,
}

fn run(layer: u16, engine: EngineChoice, threads: Option<usize>) -> Run {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let options = SolveOptions {
        layers: Some(layer..=layer),
        engine,
        threads,
        ..SolveOptions::new(dir.path())
    };
    let started = Instant::now();
    let solved = solve(&Hunt::fox_geese("first-capture").unwrap(), &options, &Unobserved)
        .expect("the layer is solved");
    let seconds = started.elapsed().as_secs_f64();
    let report = &solved.finished[0];
    let won = report.counts.iter().map(|(_, counts)| counts[2]).sum();
    Run { seconds, classes: report.classes, won, threads: report.run.threads }
}

fn best_of(runs: usize, mut run: impl FnMut() -> Run) -> Run {
    (0..runs)
        .map(|_| run())
        .min_by(|a, b| a.seconds.total_cmp(&b.seconds))
        .expect("it runs at least once")
}

fn against_the_oracle(layer: u16) {
    let game = Hunt::fox_geese("first-capture").unwrap();
    let positions: u64 = Side::BOTH.iter().map(|&side| game.positions(layer, side)).sum();
    let rules = oracle::Rules { first_capture_wins: true, ..oracle::Rules::default() };
    let engine = best_of(RUNS, || run(layer, EngineChoice::Best, None));
    let started = Instant::now();
    let (values, _) = oracle::sweep(rules, usize::from(layer), &[]);
    let plain = started.elapsed().as_secs_f64();
    assert_eq!(engine.won, oracle::won_for_geese(&values) as u64);
    let rate = |seconds: f64| positions as f64 / seconds / 1e6;
    println!(
        "{layer:>5}  {:>7}  {plain:>8.1}  {:>8.3}  {:>13.2}  {:>13.1}  {:>5.0}",
        engine.threads,
        engine.seconds,
        rate(plain),
        rate(engine.seconds),
        plain / engine.seconds
    );
}
