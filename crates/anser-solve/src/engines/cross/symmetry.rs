//! What symmetries do to blocks and fields.

use anser_core::Symmetry;
use rayon::prelude::*;

use super::moves::Fox;
use super::sets::{SETS, swaps_halves};
use super::shape::{Block, Shape};
use super::store::{Store, Words};
use super::transpose::transpose;
use crate::SolveError;
use anser_analyse::isa::{Isa, Kernel, Level, dispatch};

/// The number of the block that a symmetry takes a block to, both in orientation 0.
fn image_number(shape: &Shape, symmetry: Symmetry, block: &Block) -> usize {
    let points = if swaps_halves(symmetry) { block.bit_points } else { block.row_points };
    shape.number(SETS.ring_image(symmetry, block.ring), points).expect("symmetries keep the number of geese")
}

/// The blocks that the symmetries of a fox take to each other: after the first one, each is the image under a generator of
/// one before it, in the order of these and of the generators.
pub(super) fn block_orbits(shape: &Shape, fox: &Fox) -> Vec<Vec<usize>> {
    let mut seen = vec![false; shape.blocks.len()];
    let mut orbits = Vec::new();
    for number in 0..shape.blocks.len() {
        if seen[number] {
            continue;
        }
        let mut orbit = vec![number];
        seen[number] = true;
        let mut at = 0;
        while at < orbit.len() {
            for &symmetry in &fox.generators {
                let image = image_number(shape, symmetry, &shape.blocks[orbit[at]]);
                if !seen[image] {
                    seen[image] = true;
                    orbit.push(image);
                }
            }
            at += 1;
        }
        orbits.push(orbit);
    }
    orbits
}

/// The first `len` words of a buffer, grown if need be; what is in them is left over from before.
pub(super) fn take(buffer: &mut Vec<u64>, len: usize) -> &mut [u64] {
    if buffer.len() < len {
        buffer.resize(len, 0);
    }
    &mut buffer[..len]
}

/// Intersects the rows of an orbit of blocks, one buffer a block, with all their images under the symmetries of the fox.
#[inline(always)]
pub(super) fn symmetrise(
    isa: impl Isa,
    shape: &Shape,
    fox: &Fox,
    orbit: &[usize],
    rows: &mut [Vec<u64>],
    [scratch, image]: [&mut Vec<u64>; 2],
) {
    // The generators one after the other give the whole group: the two mirrors commute, and the diagonal one exchanges them.
    for &symmetry in &fox.generators {
        for at in 0..orbit.len() {
            let block = &shape.blocks[orbit[at]];
            let partner_number = image_number(shape, symmetry, block);
            let partner = &shape.blocks[partner_number];
            let other = orbit.iter().position(|&number| number == partner_number).expect("an orbit is closed");
            if other < at {
                continue;
            }
            let image_rows = take(image, block.len());
            map_block(isa, symmetry, 0, partner, &rows[other], scratch, image_rows);
            for (word, image) in rows[at].iter_mut().zip(&*image_rows) {
                *word &= image;
            }
            if other > at {
                let image_rows = take(image, partner.len());
                map_block(isa, symmetry, 0, block, &rows[at], scratch, image_rows);
                rows[other][..image_rows.len()].copy_from_slice(image_rows);
            }
        }
    }
}

/// Makes all rows of an orbit of blocks, one buffer a block, the images of those of its first one under the symmetries of the
/// fox.
#[inline(always)]
pub(super) fn spread(
    isa: impl Isa,
    shape: &Shape,
    fox: &Fox,
    orbit: &[usize],
    rows: &mut [Vec<u64>],
    scratch: &mut Vec<u64>,
) {
    let mut made = 1;
    // In this order the orbit was found, so a block is made before it is the turn of its images.
    for at in 0..orbit.len() {
        for &symmetry in &fox.generators {
            if made == orbit.len() {
                return;
            }
            let block = &shape.blocks[orbit[at]];
            let image = image_number(shape, symmetry, block);
            if image != orbit[made] {
                continue;
            }
            let [from, to] = rows.get_disjoint_mut([at, made]).expect("no block is made from itself");
            let to = take(to, shape.blocks[image].len());
            map_block(isa, symmetry, 0, block, &from[..block.len()], scratch, to);
            made += 1;
        }
    }
}

/// The image of a block under a generator, code 1, 2 or 4, as the rows of the block it is taken to, in the same orientation;
/// for code 4 that is what transposes it.
#[inline(always)]
fn map_block(
    isa: impl Isa,
    symmetry: Symmetry,
    orientation: usize,
    block: &Block,
    rows: &[u64],
    scratch: &mut Vec<u64>,
    to: &mut [u64],
) {
    let size = (block.rows(), block.bits());
    if swaps_halves(symmetry) {
        // The bits of the halves are named so that nothing else changes.
        transpose(isa, rows, size, None, to);
        return;
    }
    let turned = take(scratch, block.bits() * block.rows().div_ceil(64));
    transpose(isa, rows, size, Some(SETS.mirrored(symmetry, orientation, block.row_points)), turned);
    let order = SETS.mirrored(symmetry, 1 - orientation, block.bit_points);
    transpose(isa, turned, (size.1, size.0), Some(order), to);
}

/// Intersects a field of orientation 0 with all its images under the symmetries of the fox.
pub(super) fn symmetrise_field(shape: &Shape, level: Level, fox: &Fox, orbits: &[Vec<usize>], field: &mut [u64]) {
    struct Orbit<'a>(&'a Shape, &'a Fox, &'a [usize], Vec<&'a mut [u64]>);
    impl Kernel for Orbit<'_> {
        type Output = ();
        #[inline(always)]
        fn run(self, isa: impl Isa) {
            let Orbit(shape, fox, orbit, blocks) = self;
            let mut rows: Vec<Vec<u64>> = blocks.iter().map(|block| block.to_vec()).collect();
            symmetrise(isa, shape, fox, orbit, &mut rows, [&mut Vec::new(), &mut Vec::new()]);
            for (block, rows) in blocks.into_iter().zip(rows) {
                block.copy_from_slice(&rows[..block.len()]);
            }
        }
    }
    if fox.generators.is_empty() {
        return;
    }
    let mut blocks: Vec<Option<&mut [u64]>> = shape.split(field).into_iter().map(Some).collect();
    let tasks: Vec<_> = orbits
        .iter()
        .map(|orbit| {
            let blocks = orbit.iter().map(|&number| blocks[number].take().expect("a block is in one orbit"));
            Orbit(shape, fox, orbit, blocks.collect())
        })
        .collect();
    tasks.into_par_iter().for_each(|task| dispatch(level, task));
}

/// Applies `work` to pairs of blocks: each block of `from`, and the block of `to` that `target` names.
fn map_blocks(
    shape: &Shape,
    from: &[u64],
    to: &mut [u64],
    target: impl Fn(&Block) -> usize,
    work: impl Fn(&Block, &[u64], &mut [u64]) + Sync,
) {
    let mut out: Vec<Option<&mut [u64]>> = shape.split(to).into_iter().map(Some).collect();
    let tasks: Vec<_> =
        shape.blocks.iter().map(|block| (block, out[target(block)].take().expect("the map is one to one"))).collect();
    tasks.into_par_iter().for_each(|(block, to)| work(block, block.of(from), to));
}

/// A field in the other orientation.
pub(super) fn turn_field(store: Store<'_>, shape: &Shape, level: Level, field: &[u64]) -> Result<Words, SolveError> {
    struct Turn<'a>(&'a Block, &'a [u64], &'a mut [u64]);
    impl Kernel for Turn<'_> {
        type Output = ();
        #[inline(always)]
        fn run(self, isa: impl Isa) {
            transpose(isa, self.1, (self.0.rows(), self.0.bits()), None, self.2);
        }
    }
    let mut turned = store.zeros(field.len())?;
    let target = |block: &Block| shape.number(block.ring, block.bit_points).expect("a block has its other half");
    map_blocks(shape, field, &mut turned, target, |block, from, to| dispatch(level, Turn(block, from, to)));
    Ok(turned)
}

/// The image of a field of orientation 0 under a symmetry, in any orientation.
pub(super) fn image_field(
    store: Store<'_>,
    shape: &Shape,
    level: Level,
    symmetry: Symmetry,
    field: &[u64],
    orientation: usize,
) -> Result<Words, SolveError> {
    struct Mirror<'a>(Symmetry, usize, &'a Block, &'a [u64], &'a mut [u64]);
    impl Kernel for Mirror<'_> {
        type Output = ();
        #[inline(always)]
        fn run(self, isa: impl Isa) {
            map_block(isa, self.0, self.1, self.2, self.3, &mut Vec::new(), self.4);
        }
    }
    let diagonal = Symmetry::new(4);
    let mut image = store.copy(field)?;
    let mut have = 0;
    // A symmetry exchanges the coordinates first and negates them then.
    if swaps_halves(symmetry) {
        // What was a row of half 0 is a row of half 1 now, and nothing else changes but the ring.
        let mut swapped = store.zeros(field.len())?;
        let target = |block: &Block| {
            shape.number(SETS.ring_image(diagonal, block.ring), block.row_points).expect("the numbers stay")
        };
        map_blocks(shape, field, &mut swapped, target, |_, from, to| to.copy_from_slice(from));
        (image, have) = (swapped, 1);
    }
    for mirror in [1, 2].map(Symmetry::new).into_iter().filter(|m| symmetry.code() & m.code() != 0) {
        let mut mirrored = store.zeros(field.len())?;
        let target = |block: &Block| {
            shape.number(SETS.ring_image(mirror, block.ring), block.row_points).expect("the numbers stay")
        };
        map_blocks(shape, &image, &mut mirrored, target, |block, from, to| {
            dispatch(level, Mirror(mirror, have, block, from, to));
        });
        image = mirrored;
    }
    if have == orientation { Ok(image) } else { turn_field(store, shape, level, &image) }
}
