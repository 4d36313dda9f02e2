//! The two passes over the blocks of one orbit: the unit of work of a thread.

use super::bound::Bound;
use super::delta::Changes;
use super::kernels::{intersect_step, replace, unite_moves};
use super::moves::Fox;
use super::shape::Shape;
use super::symmetry::{fill_orbit, resized, symmetrize};
use super::transpose::transpose;
use crate::engines::store::Words;
use anser_retrograde::isa::{Isa, Kernel};

/// Fields of every fox class: by class and orientation, empty where an orientation is not kept.
pub(super) type Fields = Vec<[Words; 2]>;

/// Buffers of a thread.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) a: Vec<u64>,
    pub(super) b: Vec<u64>,
    pub(super) orbit: Vec<Vec<u64>>,
}

/// Computes the geese to move in the blocks of one orbit from the fox to move.
///
/// The moves of the geese are symmetric, so the result is invariant under the symmetries of the
/// fox, as the input is. Therefore one block is computed and the others are its images, which cost
/// two transpositions instead of some forty unions of rows.
pub(super) struct GeesePass<'a> {
    pub(super) shape: &'a Shape,
    pub(super) fox: &'a Fox,
    pub(super) field: &'a [Words; 2],
    pub(super) bound: Bound,
    pub(super) orbit: &'a [usize],
    pub(super) out: Vec<[Option<&'a mut [u64]>; 2]>,
    /// The recorded block of the orbit in the planes that receive the changes; see
    /// [`codes`](super::codes).
    pub(super) record: Vec<&'a mut [u64]>,
    pub(super) scratch: &'a mut Scratch,
}

impl Kernel for GeesePass<'_> {
    /// Number of positions that changed, per block.
    type Output = Vec<u64>;
    const HAS_AVX512: bool = true;

    #[inline(always)]
    fn run(self, isa: impl Isa) -> Vec<u64> {
        let GeesePass { shape, fox, field, bound, orbit, out, mut record, scratch } = self;
        let Scratch { a, b: _, orbit: rows } = scratch;
        // From above, a block without good positions is final, and so are its images.
        if bound == Bound::Greatest && out[0].iter().flatten().any(|block| is_empty(block)) {
            return vec![0; orbit.len()];
        }
        if rows.len() < orbit.len() {
            rows.resize(orbit.len(), Vec::new());
        }
        let block = &shape.blocks[orbit[0]];
        let transposed = shape.transposed(block);
        let (sum, other) = (resized(&mut rows[0], block.len()), resized(a, transposed.len()));
        other.fill(0);
        unite_moves(shape, &fox.goose[1], &field[1], transposed, other);
        transpose(isa, other, (transposed.rows(), transposed.bits()), None, sum);
        unite_moves(shape, &fox.goose[0], &field[0], block, sum);
        fill_orbit(isa, shape, fox, orbit, rows, a);
        let blocks = orbit.iter().zip(rows).zip(out);
        blocks
            .map(|((&number, rows), [out, out_transposed])| {
                let block = &shape.blocks[number];
                let rows = &rows[..block.len()];
                // Of the first block, in the first orientation.
                let mut record = std::mem::take(&mut record);
                let mut changed = 0;
                if let Some(out) = out {
                    record_changes(&mut std::mem::take(&mut record), out, rows);
                    changed = replace(out, rows);
                }
                if let Some(out) = out_transposed {
                    let other = resized(a, shape.transposed(block).len());
                    transpose(isa, rows, (block.rows(), block.bits()), None, other);
                    record_changes(&mut record, out, other);
                    changed = replace(out, other);
                }
                changed
            })
            .collect()
    }
}

/// Adds the bits in which `old` and `new` differ to every block.
#[inline(always)]
fn record_changes(blocks: &mut [&mut [u64]], old: &[u64], new: &[u64]) {
    for block in blocks {
        for (word, (old, new)) in block.iter_mut().zip(old.iter().zip(new)) {
            *word |= old ^ new;
        }
    }
}

fn is_empty(words: &[u64]) -> bool {
    words.iter().all(|&word| word == 0)
}

/// Changes of a block in one pass.
pub(super) struct Changed {
    /// Number of changed bits.
    pub(super) bits: u64,
    /// The changed bits, if there are any and few enough to propagate one by one.
    pub(super) delta: Option<Changes>,
}

impl Changed {
    #[inline(always)]
    fn between(old: &[u64], new: &[u64], words_per_change: u64) -> Changed {
        let most = old.len() as u64 / words_per_change;
        let (mut bits, mut delta) = (0, Vec::new());
        for (at, (old, new)) in old.iter().zip(new).enumerate() {
            let changed = old ^ new;
            if changed != 0 {
                bits += u64::from(changed.count_ones());
                if bits <= most {
                    delta.push((at as u32, changed));
                }
            }
        }
        delta.shrink_to_fit();
        Changed { bits, delta: (bits > 0 && bits <= most).then_some(delta) }
    }
}

/// Computes the fox to move in the blocks of one orbit from the geese to move.
pub(super) struct FoxPass<'a> {
    pub(super) shape: &'a Shape,
    pub(super) fox: &'a Fox,
    pub(super) geese: &'a Fields,
    pub(super) bound: Bound,
    pub(super) words_per_change: u64,
    /// Whether captures take effect in the rounds of their distances, so that `allowed` changes.
    pub(super) timed: bool,
    pub(super) allowed: &'a [u64],
    pub(super) forced: Option<&'a [u64]>,
    pub(super) orbit: &'a [usize],
    pub(super) out: Vec<[&'a mut [u64]; 2]>,
    /// The recorded block of the orbit in the planes that receive the changes; see
    /// [`codes`](super::codes).
    pub(super) record: Vec<&'a mut [u64]>,
    pub(super) scratch: &'a mut Scratch,
}

impl Kernel for FoxPass<'_> {
    /// Changes, per block.
    type Output = Vec<Changed>;
    const HAS_AVX512: bool = true;

    #[inline(always)]
    fn run(self, isa: impl Isa) -> Vec<Changed> {
        let FoxPass {
            shape,
            fox,
            geese,
            bound,
            words_per_change,
            timed,
            allowed,
            forced,
            orbit,
            out,
            ..
        } = self;
        let (mut record, scratch) = (self.record, self.scratch);
        let Scratch { a, b, orbit: rows } = scratch;
        if rows.len() < orbit.len() {
            rows.resize(orbit.len(), Vec::new());
        }
        for ((&number, rows), [own, _]) in orbit.iter().zip(&mut *rows).zip(&out) {
            let block = &shape.blocks[number];
            let rows = resized(rows, block.len());
            // Only positions that can still change: from below those not yet good, from above those
            // still good.
            let allowed = block.of(allowed).iter().zip(&**own);
            match bound {
                Bound::Least => {
                    rows.iter_mut()
                        .zip(allowed)
                        .for_each(|(word, (allowed, own))| *word = allowed & !own);
                }
                // Captures of the last rounds may have made positions not good.
                Bound::Greatest if timed => {
                    rows.iter_mut()
                        .zip(allowed)
                        .for_each(|(word, (allowed, own))| *word = allowed & own);
                }
                Bound::Greatest => rows.copy_from_slice(own),
            }
            // The images of a decided block are decided as well.
            if is_empty(rows) && (bound == Bound::Least || is_empty(own)) {
                return orbit.iter().map(|_| Changed { bits: 0, delta: None }).collect();
            }
            if fox.steps.iter().any(|step| step.half == 1) {
                let transposed = shape.transposed(block);
                let other = resized(a, transposed.len());
                transpose(isa, rows, (block.rows(), block.bits()), None, other);
                for step in fox.steps.iter().filter(|step| step.half == 1) {
                    intersect_step(shape, step, &geese[step.to][1], transposed, other);
                }
                transpose(isa, other, (transposed.rows(), transposed.bits()), None, rows);
            }
            for step in fox.steps.iter().filter(|step| step.half == 0) {
                intersect_step(shape, step, &geese[step.to][0], block, rows);
            }
        }
        // Steps to points that are not representatives are images of the steps above.
        symmetrize(isa, shape, fox, orbit, rows, [a, b]);
        let mut changed = Vec::with_capacity(orbit.len());
        for ((&number, rows), [own, transposed]) in orbit.iter().zip(rows).zip(out) {
            let block = &shape.blocks[number];
            let rows = &mut rows[..block.len()];
            if let Some(forced) = forced {
                // If the fox must capture, its steps do not count.
                let forced = block.of(forced).iter().zip(block.of(allowed)).zip(&*own);
                for (word, ((forced, allowed), own)) in rows.iter_mut().zip(forced) {
                    *word |= match bound {
                        Bound::Least => forced & allowed,
                        Bound::Greatest => forced & allowed & own,
                    };
                }
            }
            if bound == Bound::Least {
                rows.iter_mut().zip(&*own).for_each(|(word, own)| *word |= own);
            }
            let mut now = Changed::between(own, rows, words_per_change);
            // Of the first block.
            let mut record = std::mem::take(&mut record);
            if now.bits > 0 {
                record_changes(&mut record, own, rows);
                own.copy_from_slice(rows);
                let size = (block.rows(), block.bits());
                if fox.first_read() == 0 {
                    transpose(isa, own, size, None, transposed);
                } else {
                    let rows = resized(a, transposed.len());
                    transpose(isa, own, size, None, rows);
                    now = Changed::between(transposed, rows, words_per_change);
                    transposed.copy_from_slice(rows);
                }
            }
            changed.push(now);
        }
        changed
    }
}
