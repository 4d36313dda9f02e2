//! Estimates of the memory of a board, from narrower boards with the same number of rows.
//!
//! Each further column multiplies the number of reachable positions by a factor that decreases. The
//! logarithm of the factor falls by about 0.16 from the fourth column to the fifth, on four, five,
//! and six rows alike, and by half as much with each further column. Extrapolated from four
//! columns, this is within a tenth of the known numbers.

use anser_core::Hunt;
use anser_core::hexapawn::BoardSize;
use anser_core::{Observer, Unobserved};

use super::forward::{Stop, forward};
use super::lists::List;
use super::meter::Meter;
use super::{HexapawnScope, HexapawnSolver};

/// Decrease of the logarithm of the factor from the fourth column to the fifth.
const FALL: f64 = 0.16;

/// Number of columns of the widest boards counted for an estimate: at most 4 million positions,
/// half a second.
fn widest(rows: u8) -> u8 {
    if rows == BoardSize::FEWEST_ROWS { BoardSize::MOST } else { 4 }
}

/// Whether an estimate is much less work than the board itself.
pub(super) fn is_quick(size: BoardSize) -> bool {
    size.columns() > widest(size.rows())
}

/// Returns the approximate peak memory of both passes in bytes, slightly more than measured.
pub(super) fn bytes(classes: f64, scope: HexapawnScope) -> u64 {
    // A key, a byte of plies, one of the directory, and what waits to be sorted.
    let class = 12.0 + if scope == HexapawnScope::Games { 6.0 } else { 0.0 };
    (classes * class) as u64 + (16 << 10)
}

/// Estimates the number of classes of a scope that the start reaches.
pub(super) fn classes(
    size: BoardSize,
    scope: HexapawnScope,
    observer: &dyn Observer,
) -> Result<f64, Stop> {
    let widest = widest(size.rows()).min(size.columns());
    let mut logarithms = [0.0; 2];
    for (logarithm, columns) in logarithms.iter_mut().zip([widest - 1, widest]) {
        if observer.interrupted() {
            return Err(Stop::Interrupted);
        }
        // No columns: one position, that nobody can move in.
        let Ok(narrow) = BoardSize::new(columns, size.rows()) else { continue };
        let Some(solver) = HexapawnSolver::new(&Hunt::hexapawn(narrow)) else { continue };
        let layers = forward(&solver, scope, &Meter::new(u64::MAX), &Unobserved)?;
        let board = &solver.board;
        let keys = layers.iter().flatten().flat_map(List::keys);
        // Of a wide board nearly every class has two positions, so halves follow more closely than
        // classes.
        let positions: u64 = keys.map(|&key| board.orbit(&board.of_key(key))).sum();
        *logarithm = (positions as f64 / 2.0).ln();
    }
    let [before, mut logarithm] = logarithms;
    let (mut step, mut fall) = (logarithm - before, FALL);
    for _ in widest..size.columns() {
        step -= fall;
        fall /= 2.0;
        logarithm += step;
    }
    Ok(logarithm.exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_come_within_a_tenth_of_what_there_is() {
        // The classes are half of the positions, nearly.
        for (size, positions) in [
            ("4x4", 20_286),
            ("5x4", 359_894),
            ("6x4", 5_901_150),
            ("7x4", 92_794_362),
            ("6x5", 80_857_107),
        ] {
            let size = size.parse().expect("a size");
            let estimate =
                classes(size, HexapawnScope::Positions, &Unobserved).expect("nobody asked to stop");
            let ratio = 2.0 * estimate / f64::from(positions);
            assert!((0.9..1.1).contains(&ratio), "{size}: {ratio}");
        }
    }
}
