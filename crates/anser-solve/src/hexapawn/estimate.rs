//! How much memory a board will take, from narrower boards of as many rows.
//!
//! A further column multiplies the positions that play can reach, by a little less each time: from four columns to five, six
//! and seven by 17.7, 16.4 and 15.7 with four rows. So the factor is carried on, its logarithm falling by half as much each
//! time as the time before. That comes within a tenth of the true numbers where these are known.

use anser_core::hexapawn::{BoardSize, Hexapawn};

use super::HexapawnSolver;
use super::backward::Task;
use super::forward::{Scope, Stop, forward};
use super::meter::Meter;
use crate::{Observer, Unobserved};

/// The widest boards that are counted for an estimate: at most 4 million positions, half a second.
fn widest(rows: u8) -> u8 {
    if rows < 8 { 4 } else { 3 }
}

/// Whether an estimate is much less work than the board itself.
pub(super) fn is_quick(size: BoardSize) -> bool {
    size.columns() > widest(size.rows())
}

/// About the memory that both passes take at a time for so many classes, in bytes: a little more than was measured.
pub(super) fn bytes(classes: f64, task: Task) -> u64 {
    // A key, a byte of plies, one of the directory, and what waits to be sorted.
    let class = 12.0 + if task.games { 6.0 } else { 0.0 };
    (classes * class) as u64 + (16 << 10)
}

/// About how many classes of positions of a scope can be reached from the start.
pub(super) fn classes(size: BoardSize, scope: Scope, observer: &dyn Observer) -> Result<f64, Stop> {
    let widest = widest(size.rows()).min(size.columns());
    let mut logarithms = Vec::new();
    for columns in widest.saturating_sub(2).max(1)..=widest {
        if observer.interrupted() {
            return Err(Stop::Interrupted);
        }
        let Ok(narrow) = BoardSize::new(columns, size.rows()) else { continue };
        let solver = HexapawnSolver::new(&Hexapawn::new(narrow));
        let meter = Meter::new(u64::MAX);
        let layers = forward(&solver.board, &solver.start, solver.top, scope, &meter, &Unobserved)?;
        let classes: usize = layers.iter().flatten().map(|list| list.keys().len()).sum();
        logarithms.push((classes as f64).ln());
    }
    Ok(carried_on(&logarithms, size.columns() - widest).exp())
}

/// The last of a row of numbers that would follow after so many more, if differences of differences halve each time.
fn carried_on(numbers: &[f64], more: u8) -> f64 {
    let last = |back: usize| numbers.len().checked_sub(back).map_or(0.0, |at| numbers[at]);
    let mut number = last(1);
    let mut step = number - last(2);
    let mut bend = if numbers.len() > 2 { step - (last(2) - last(3)) } else { 0.0 };
    for _ in 0..more {
        bend /= 2.0;
        step += bend;
        number += step;
    }
    number
}
