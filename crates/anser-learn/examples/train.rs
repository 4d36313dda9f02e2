//! Trains on a board of Hexapawn, and prints the grade after every few iterations.
//!
//!     cargo run --release -p anser-learn --example train -- 3x3 [SEED [THREADS [EVERY [SETTINGS]]]]
//!
//! SETTINGS is JSON with some of the fields of `Settings`, which replace the standard ones.

use std::time::Instant;

use anser_analyse::Solution;
use anser_core::Unobserved;
use anser_core::hexapawn::{BoardSize, Hexapawn};
use anser_core::prelude::*;
use anser_learn::{HexapawnEncoding, Learner, NetworkEvaluator, Searcher, Settings, grade};
use serde_json::Value;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let size: Vec<u8> = arguments[0].split('x').map(str::parse).collect::<Result<_, _>>()?;
    let number = |at: usize, default: u64| arguments.get(at).map_or(Ok(default), |it| it.parse());
    let (seed, threads, every) = (number(1, 1)?, number(2, 2)? as usize, number(3, 10)?);
    let game = Hexapawn::new(BoardSize::new(size[0], size[1])?);
    let solution = Solution::reachable(&game, &game.start())?;
    let positions: Vec<_> = solution
        .layers()
        .flat_map(|layer| solution.positions(layer))
        .map(|(position, _)| position)
        .collect();
    let encoding = HexapawnEncoding::new(&game);
    let mut settings = serde_json::to_value(Settings::standard(solution.len()))?;
    if let Some(changes) = arguments.get(4) {
        merge(&mut settings, serde_json::from_str(changes)?);
    }
    let settings: Settings = serde_json::from_value(settings)?;
    let (symmetric, search) = (settings.play.symmetric, settings.play.search);
    let mut learner = Learner::new(&game, &encoding, settings, seed, &positions)?;
    println!(
        "{} positions, {} parameters",
        positions.len(),
        learner.network().shape().parameters()
    );
    let begun = Instant::now();
    while !learner.is_done() {
        let iteration = learner.iterate(threads, &Unobserved)?.clone();
        let count = learner.history().len() as u64;
        if count.is_multiple_of(every) || learner.is_done() {
            let mut wrong = Vec::new();
            for search in [None, Some(search)] {
                let evaluator =
                    NetworkEvaluator::new(&game, &encoding, learner.network(), symmetric);
                let grade =
                    grade(&solution, &mut Searcher::new(&game, evaluator, search), &Unobserved)?;
                wrong.push(grade.all.wrong);
            }
            println!(
                "{count} {:.1} s, loss {:.3}, {} plies, {} evaluated, wrong {wrong:?}",
                begun.elapsed().as_secs_f64(),
                iteration.loss,
                iteration.plies,
                iteration.evaluated,
            );
        }
    }
    Ok(())
}

/// Replaces the fields of an object by those of another.
fn merge(settings: &mut Value, changes: Value) {
    match (settings, changes) {
        (Value::Object(settings), Value::Object(changes)) => {
            for (name, change) in changes {
                merge(settings.entry(name).or_insert(Value::Null), change);
            }
        }
        (settings, change) => *settings = change,
    }
}
