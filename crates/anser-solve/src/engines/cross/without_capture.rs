//! Positions in which the fox cannot capture.

use crate::engines::store::{Store, Words};
use anser_core::fox_geese::{Cross, Point};
use anser_retrograde::parallel;

use super::kernels::fill_rows;
use super::moves::Fox;
use super::sets::{ARM, PointBit, RING, SETS};
use super::shape::Shape;
use crate::SolveError;

/// Points that must be occupied, and points that must be empty, as bits of a goose set: a key of
/// half 0, and an arm set of half 1 above it.
#[derive(Clone, Copy)]
struct Condition {
    occupied: u32,
    empty: u32,
}

/// The bit of a goose set above a key.
const ABOVE_KEY: usize = ARM + RING;

impl Condition {
    /// Returns whether the bits of a goose set within `part` satisfy their part of the condition.
    fn holds(self, set: u32, part: u32) -> bool {
        let occupied = self.occupied & part;
        set & occupied == occupied && set & self.empty & part == 0
    }
}

/// Returns the condition of each jump of the fox on `fox`.
fn jumps(game: &Cross, fox: Point) -> Vec<Condition> {
    let bit = |p: Point| match SETS.bit_of(if p == Point::CENTER { fox } else { p }) {
        PointBit::Arm { half: 0, bit } => 1 << bit,
        PointBit::Arm { bit, .. } => 1 << (ABOVE_KEY + bit),
        PointBit::Ring { bit } => 1 << (ARM + bit),
        // Only with the fox on d4, where no goose can be.
        PointBit::Center => 0,
    };
    let jumps = game.jumps(fox).into_iter();
    jumps.map(|[over, to]| Condition { occupied: bit(over), empty: bit(to) }).collect()
}

/// Returns the positions with the fox to move in which it cannot capture, by class in orientation
/// 0.
pub(super) fn without_capture(
    store: Store<'_>,
    game: &Cross,
    shape: &Shape,
    foxes: &[Fox],
) -> Result<Vec<Words>, SolveError> {
    parallel::try_map(foxes, &|fox| without_jump(store, shape, &jumps(game, fox.point)))
}

fn without_jump(store: Store<'_>, shape: &Shape, jumps: &[Condition]) -> Result<Words, SolveError> {
    const KEY: u32 = (1 << ABOVE_KEY) - 1;
    let mut field = store.zeros(shape.words)?;
    let masks: [Vec<Vec<u64>>; ARM + 1] =
        std::array::from_fn(|points| jumps.iter().map(|jump| bits_of(*jump, points)).collect());
    for (block, rows) in shape.blocks.iter().zip(shape.split(&mut field)) {
        fill_rows(block, rows);
        let masks = &masks[block.bit_points];
        let ring = u32::from(block.ring) << ARM;
        for (&arm, row) in
            SETS.arm[block.row_points].iter().zip(rows.chunks_exact_mut(block.width()))
        {
            let key = ring | u32::from(arm);
            for (_, mask) in jumps.iter().zip(masks).filter(|(jump, _)| jump.holds(key, KEY)) {
                for (word, mask) in row.iter_mut().zip(mask) {
                    *word &= !mask;
                }
            }
        }
    }
    Ok(field)
}

/// Returns which arm sets of half 1 satisfy their part of a condition, as the bits of a row.
fn bits_of(condition: Condition, points: usize) -> Vec<u64> {
    let sets = &SETS.arm[points];
    let mut bits = vec![0; sets.len().div_ceil(64)];
    for (at, &set) in sets.iter().enumerate() {
        if condition.holds(u32::from(set) << ABOVE_KEY, u32::MAX << ABOVE_KEY) {
            bits[at / 64] |= 1 << (at % 64);
        }
    }
    bits
}
