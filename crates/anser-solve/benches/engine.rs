//! The engine against the oracle, side by side in one run: `cargo bench -p anser-solve --bench engine`.
//!
//! Both solve a layer of `first-capture`, which rests on no other layer, and must find the same number of positions won
//! for the geese. What is compared is positions of the whole layer, symmetric ones counted apart, per second.

#[path = "../tests/support/oracle.rs"]
mod oracle;

use std::time::Instant;

use anser_core::fox_geese::{FoxGeese, RuleSet};
use anser_core::{Game, Side};
use anser_solve::{SolveOptions, Unobserved, solve};

/// How often each of the two runs; the best time counts, the machine may be busy.
const RUNS: usize = 3;

fn main() {
    // `cargo test --benches` and the like only want to see that it starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    println!("layer  engine s  threads  oracle s  engine Mpos/s  oracle Mpos/s  ratio");
    for layer in [5, 6] {
        let game = FoxGeese::new(RuleSet::FIRST_CAPTURE);
        let positions: u64 = Side::BOTH.iter().map(|&side| game.positions(layer, side)).sum();
        let rules = oracle::Rules { first_capture_wins: true, ..oracle::Rules::default() };
        let (mut engine, mut plain) = (f64::INFINITY, f64::INFINITY);
        let mut threads = 0;
        for _ in 0..RUNS {
            let started = Instant::now();
            let expected = oracle::solve(&rules, usize::from(layer), &[]).won_for_geese();
            plain = plain.min(started.elapsed().as_secs_f64());

            let dir = tempfile::tempdir().expect("a temporary directory");
            let options = SolveOptions { layers: Some(layer..=layer), ..SolveOptions::new(dir.path()) };
            let started = Instant::now();
            let solved = solve(&game, &options, &Unobserved).expect("the layer is solved");
            // The whole run: file, values, checksums and manifest.
            engine = engine.min(started.elapsed().as_secs_f64());
            let report = &solved.finished[0];
            assert_eq!(report.counts[0][2] + report.counts[1][2], expected as u64);
            threads = report.run.threads;
        }
        let rate = |seconds: f64| positions as f64 / seconds / 1e6;
        println!(
            "{layer:>5}  {engine:>8.3}  {threads:>7}  {plain:>8.2}  {:>13.1}  {:>13.2}  {:>5.0}",
            rate(engine),
            rate(plain),
            plain / engine
        );
    }
}
