//! Positions in which the fox cannot capture.

use crate::engines::store::{Store, Words};
use anser_core::fox_geese::{Cross, Point};
use anser_retrograde::parallel;

use super::kernels::fill_rows;
use super::moves::Fox;
use super::sets::{ARM, PointBit, SETS};
use super::shape::Shape;
use crate::SolveError;

/// Points that must be occupied, and points that must be empty.
#[derive(Clone, Copy, Default)]
struct Condition {
    occupied: Bits,
    empty: Bits,
}

/// A set of points: a key of half 0, and an arm set of half 1.
#[derive(Clone, Copy, Default)]
struct Bits {
    key: u32,
    arm: u16,
}

impl Bits {
    fn add(&mut self, point: PointBit) {
        match point {
            PointBit::Arm { half: 0, bit } => self.key |= 1 << bit,
            PointBit::Arm { bit, .. } => self.arm |= 1 << bit,
            PointBit::Ring { bit } => self.key |= 1 << (ARM + bit),
            // Only with the fox on d4, where no goose can be.
            PointBit::Center => {}
        }
    }
}

/// Returns the condition of each jump of the fox on `fox`.
fn jumps(game: &Cross, fox: Point) -> Vec<Condition> {
    let label = |p: Point| SETS.bit_of(if p == Point::CENTER { fox } else { p });
    game.jumps(fox)
        .into_iter()
        .map(|[over, to]| {
            let mut condition = Condition::default();
            condition.occupied.add(label(over));
            condition.empty.add(label(to));
            condition
        })
        .collect()
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
    let mut field = store.zeros(shape.words)?;
    let masks: [Vec<Vec<u64>>; ARM + 1] =
        std::array::from_fn(|points| jumps.iter().map(|jump| bits_of(jump, points)).collect());
    for (block, rows) in shape.blocks.iter().zip(shape.split(&mut field)) {
        fill_rows(block, rows);
        let masks = &masks[block.bit_points];
        let ring = u32::from(block.ring) << ARM;
        for (&arm, row) in
            SETS.arm[block.row_points].iter().zip(rows.chunks_exact_mut(block.width()))
        {
            let key = ring | u32::from(arm);
            for (jump, mask) in jumps.iter().zip(masks) {
                if key & jump.occupied.key == jump.occupied.key && key & jump.empty.key == 0 {
                    for (word, mask) in row.iter_mut().zip(mask) {
                        *word &= !mask;
                    }
                }
            }
        }
    }
    Ok(field)
}

/// Returns which arm sets of half 1 satisfy their part of a condition, as the bits of a row.
fn bits_of(condition: &Condition, points: usize) -> Vec<u64> {
    let sets = &SETS.arm[points];
    let mut bits = vec![0; sets.len().div_ceil(64)];
    for (at, &set) in sets.iter().enumerate() {
        if set & condition.occupied.arm == condition.occupied.arm && set & condition.empty.arm == 0
        {
            bits[at / 64] |= 1 << (at % 64);
        }
    }
    bits
}
