//! The two passes on a block: what a thread does at a time.

use super::bound::Bound;
use super::delta::Changes;
use super::fixpoint::Field;
use super::kernels::{intersect_step, replace, unite_moves};
use super::moves::Fox;
use super::shape::Shape;
use super::store::Words;
use super::symmetry::{spread, symmetrise, take};
use super::transpose::transpose;
use anser_analyse::isa::{Isa, Kernel};

/// Memory of a thread.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) a: Vec<u64>,
    pub(super) b: Vec<u64>,
    pub(super) orbit: Vec<Vec<u64>>,
}

/// The geese to move in the blocks of one orbit, from the fox to move.
///
/// What the symmetries of the fox do not change with the fox to move they do not change with the geese to move either: the
/// moves of the geese are symmetric. So one block is made anew and the others are its images, which cost two transpositions
/// instead of some forty unions of rows.
pub(super) struct GeesePass<'a> {
    pub(super) shape: &'a Shape,
    pub(super) fox: &'a Fox,
    pub(super) field: &'a [Words; 2],
    pub(super) bound: Bound,
    pub(super) orbit: &'a [usize],
    pub(super) out: Vec<[Option<&'a mut [u64]>; 2]>,
    pub(super) scratch: &'a mut Scratch,
}

impl Kernel for GeesePass<'_> {
    /// How many positions changed in each block.
    type Output = Vec<u64>;

    #[inline(always)]
    fn run(self, isa: impl Isa) -> Vec<u64> {
        let GeesePass { shape, fox, field, bound, orbit, out, scratch: Scratch { a, b: _, orbit: rows } } = self;
        // From above, a block in which nothing is good any more stays so, and its images are likewise.
        if bound == Bound::Greatest && out[0].iter().flatten().any(|block| is_empty(block)) {
            return vec![0; orbit.len()];
        }
        if rows.len() < orbit.len() {
            rows.resize(orbit.len(), Vec::new());
        }
        let block = &shape.blocks[orbit[0]];
        let turned = shape.turned(block);
        let (sum, other) = (take(&mut rows[0], block.len()), take(a, turned.len()));
        other.fill(0);
        unite_moves(shape, &fox.goose[1], &field[1], turned, other);
        transpose(isa, other, (turned.rows(), turned.bits()), None, sum);
        unite_moves(shape, &fox.goose[0], &field[0], block, sum);
        spread(isa, shape, fox, orbit, rows, a);
        let blocks = orbit.iter().zip(rows).zip(out);
        blocks
            .map(|((&number, rows), [out, out_turned])| {
                let block = &shape.blocks[number];
                let rows = &rows[..block.len()];
                let mut changed = 0;
                if let Some(out) = out {
                    changed = replace(out, rows);
                }
                if let Some(out) = out_turned {
                    let other = take(a, shape.turned(block).len());
                    transpose(isa, rows, (block.rows(), block.bits()), None, other);
                    changed = replace(out, other);
                }
                changed
            })
            .collect()
    }
}

fn is_empty(words: &[u64]) -> bool {
    words.iter().all(|&word| word == 0)
}

/// What a pass changed in a block.
pub(super) struct Changed {
    pub(super) bits: u64,
    /// The changes one by one, if there are any and few.
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

/// The fox to move in the blocks of one orbit, from the geese to move.
pub(super) struct FoxPass<'a> {
    pub(super) shape: &'a Shape,
    pub(super) fox: &'a Fox,
    pub(super) geese: &'a Field,
    pub(super) bound: Bound,
    pub(super) words_per_change: u64,
    pub(super) allowed: &'a [u64],
    pub(super) forced: Option<&'a [u64]>,
    pub(super) orbit: &'a [usize],
    pub(super) out: Vec<[&'a mut [u64]; 2]>,
    pub(super) scratch: &'a mut Scratch,
}

impl Kernel for FoxPass<'_> {
    /// What changed in each block.
    type Output = Vec<Changed>;

    #[inline(always)]
    fn run(self, isa: impl Isa) -> Vec<Changed> {
        let FoxPass { shape, fox, geese, bound, words_per_change, allowed, forced, orbit, out, scratch } = self;
        let Scratch { a, b, orbit: rows } = scratch;
        if rows.len() < orbit.len() {
            rows.resize(orbit.len(), Vec::new());
        }
        for ((&number, rows), [own, _]) in orbit.iter().zip(&mut *rows).zip(&out) {
            let block = &shape.blocks[number];
            let rows = take(rows, block.len());
            // Only what may still change: from below what is not good yet, from above what still is.
            match bound {
                Bound::Least => {
                    let allowed = block.of(allowed).iter().zip(&**own);
                    rows.iter_mut().zip(allowed).for_each(|(word, (allowed, own))| *word = allowed & !own);
                }
                Bound::Greatest => rows.copy_from_slice(own),
            }
            // The images of the block are decided as well.
            if is_empty(rows) {
                return orbit.iter().map(|_| Changed { bits: 0, delta: None }).collect();
            }
            if fox.steps.iter().any(|step| step.half == 1) {
                let turned = shape.turned(block);
                let other = take(a, turned.len());
                transpose(isa, rows, (block.rows(), block.bits()), None, other);
                for step in fox.steps.iter().filter(|step| step.half == 1) {
                    intersect_step(shape, step, &geese[step.to][1], turned, other);
                }
                transpose(isa, other, (turned.rows(), turned.bits()), None, rows);
            }
            for step in fox.steps.iter().filter(|step| step.half == 0) {
                intersect_step(shape, step, &geese[step.to][0], block, rows);
            }
        }
        // The steps that are no steps to representatives are images of these.
        symmetrise(isa, shape, fox, orbit, rows, [a, b]);
        let mut changed = Vec::with_capacity(orbit.len());
        for ((&number, rows), [own, turned]) in orbit.iter().zip(rows).zip(out) {
            let block = &shape.blocks[number];
            let rows = &mut rows[..block.len()];
            if let Some(forced) = forced {
                // A fox that has to capture has no steps.
                let forced = block.of(forced).iter().zip(block.of(allowed)).zip(&*own);
                for (word, ((forced, allowed), own)) in rows.iter_mut().zip(forced) {
                    *word |= match bound {
                        Bound::Least => forced & allowed,
                        Bound::Greatest => forced & own,
                    };
                }
            }
            if bound == Bound::Least {
                rows.iter_mut().zip(&*own).for_each(|(word, own)| *word |= own);
            }
            let mut now = Changed::between(own, rows, words_per_change);
            if now.bits > 0 {
                own.copy_from_slice(rows);
                let size = (block.rows(), block.bits());
                if fox.first_read() == 0 {
                    transpose(isa, own, size, None, turned);
                } else {
                    let rows = take(a, turned.len());
                    transpose(isa, own, size, None, rows);
                    now = Changed::between(turned, rows, words_per_change);
                    turned.copy_from_slice(rows);
                }
            }
            changed.push(now);
        }
        changed
    }
}
