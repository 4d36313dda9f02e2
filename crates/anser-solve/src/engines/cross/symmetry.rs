//! Images of blocks and fields under symmetries.

use crate::engines::store::{Store, Words};

use anser_core::Symmetry;

use super::moves::Fox;
use super::sets::{SETS, swaps_halves};
use super::shape::{Block, Shape};
use super::transpose::transpose;
use crate::SolveError;
use anser_retrograde::isa::{Isa, Kernel, Level, dispatch};
use anser_retrograde::parallel::{self, Buffers};

/// A layer as the fields have it, with its fox classes.
#[derive(Clone, Copy)]
pub(super) struct Space<'a> {
    pub(super) shape: &'a Shape,
    pub(super) foxes: &'a [Fox],
    /// The orbits of the blocks, by class.
    pub(super) orbits: &'a [Vec<Vec<usize>>],
    /// The instruction set of the kernels.
    pub(super) level: Level,
}

/// Returns the number of the block that a symmetry maps a block to, both in orientation 0.
fn image_number(shape: &Shape, symmetry: Symmetry, block: &Block) -> usize {
    let points = if swaps_halves(symmetry) { block.bit_points } else { block.row_points };
    shape
        .number(SETS.ring_image(symmetry, block.ring), points)
        .expect("symmetries keep the number of geese")
}

/// Returns the [orbits of the blocks](block_orbits) of every class.
pub(super) fn all_block_orbits(shape: &Shape, foxes: &[Fox]) -> Vec<Vec<Vec<usize>>> {
    parallel::map(foxes, &|fox| block_orbits(shape, fox))
}

/// Returns the orbits of the blocks under the symmetries of a fox. Each block after the first is
/// the image of an earlier one under a generator, and the blocks are in the order in which this
/// search finds them.
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

/// Returns the first `len` words of a buffer, which is extended if necessary; their values are
/// unspecified.
pub(super) fn resized(buffer: &mut Vec<u64>, len: usize) -> &mut [u64] {
    if buffer.len() < len {
        buffer.resize(len, 0);
    }
    &mut buffer[..len]
}

/// Intersects the blocks of an orbit, one buffer per block, with all their images under the
/// symmetries of the fox.
#[inline(always)]
pub(super) fn symmetrize(
    isa: impl Isa,
    shape: &Shape,
    fox: &Fox,
    orbit: &[usize],
    rows: &mut [Vec<u64>],
    [scratch, image]: [&mut Vec<u64>; 2],
) {
    // Applying the generators one after the other gives the whole group: the two mirrors commute,
    // and the diagonal one exchanges them.
    for &symmetry in &fox.generators {
        for at in 0..orbit.len() {
            let block = &shape.blocks[orbit[at]];
            let partner_number = image_number(shape, symmetry, block);
            let partner = &shape.blocks[partner_number];
            let other = orbit
                .iter()
                .position(|&number| number == partner_number)
                .expect("an orbit is closed");
            if other < at {
                continue;
            }
            let image_rows = resized(image, block.len());
            map_block(isa, symmetry, 0, partner, &rows[other], scratch, image_rows);
            for (word, image) in rows[at].iter_mut().zip(&*image_rows) {
                *word &= image;
            }
            if other > at {
                let image_rows = resized(image, partner.len());
                map_block(isa, symmetry, 0, block, &rows[at], scratch, image_rows);
                rows[other][..image_rows.len()].copy_from_slice(image_rows);
            }
        }
    }
}

/// Fills the blocks of an orbit, one buffer per block, with the images of the first block under the
/// symmetries of the fox.
#[inline(always)]
pub(super) fn fill_orbit(
    isa: impl Isa,
    shape: &Shape,
    fox: &Fox,
    orbit: &[usize],
    rows: &mut [Vec<u64>],
    scratch: &mut Vec<u64>,
) {
    let mut filled = 1;
    // The orbit was found in this order, so a block is filled before its images are.
    for at in 0..orbit.len() {
        for &symmetry in &fox.generators {
            if filled == orbit.len() {
                return;
            }
            let block = &shape.blocks[orbit[at]];
            let image = image_number(shape, symmetry, block);
            if image != orbit[filled] {
                continue;
            }
            let [from, to] =
                rows.get_disjoint_mut([at, filled]).expect("no block is its own source");
            let to = resized(to, shape.blocks[image].len());
            map_block(isa, symmetry, 0, block, &from[..block.len()], scratch, to);
            filled += 1;
        }
    }
}

/// Computes the image of a block under a generator, code 1, 2, or 4, in the same orientation. For
/// code 4 the image is the transpose.
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
        // The diagonal mirror maps each bit of half 0 to the same bit of half 1, so it exchanges
        // rows and bits.
        transpose(isa, rows, size, None, to);
        return;
    }
    let transposed = resized(scratch, block.bits() * block.rows().div_ceil(64));
    transpose(
        isa,
        rows,
        size,
        Some(SETS.mirrored(symmetry, orientation, block.row_points)),
        transposed,
    );
    let order = SETS.mirrored(symmetry, 1 - orientation, block.bit_points);
    transpose(isa, transposed, (size.1, size.0), Some(order), to);
}

/// Intersects a field of orientation 0 with all its images under the symmetries of the fox.
pub(super) fn symmetrize_field(
    shape: &Shape,
    level: Level,
    fox: &Fox,
    orbits: &[Vec<usize>],
    field: &mut [u64],
) {
    struct Orbit<'a>(&'a Shape, &'a Fox, &'a [usize], Vec<&'a mut [u64]>);
    impl Kernel for Orbit<'_> {
        type Output = ();
        const HAS_AVX512: bool = true;
        #[inline(always)]
        fn run(self, isa: impl Isa) {
            let Orbit(shape, fox, orbit, blocks) = self;
            let mut rows: Vec<Vec<u64>> = blocks.iter().map(|block| block.to_vec()).collect();
            symmetrize(isa, shape, fox, orbit, &mut rows, [&mut Vec::new(), &mut Vec::new()]);
            for (block, rows) in blocks.into_iter().zip(rows) {
                block.copy_from_slice(&rows[..block.len()]);
            }
        }
    }
    if fox.generators.is_empty() {
        return;
    }
    let tasks = orbits.iter().zip(shape.split_orbits(field, orbits));
    parallel::for_each(tasks, &|(orbit, blocks)| dispatch(level, Orbit(shape, fox, orbit, blocks)));
}

/// Returns a field of orientation 0 that is invariant under the symmetries of a class, from one
/// block of every orbit: `block(orbit)` is the first block of an orbit, in the given orientation,
/// with its number there. `None` stands for blocks of zeros.
pub(super) fn fill_field<'b>(
    store: Store<'_>,
    Space { shape, foxes, orbits, level }: Space<'_>,
    class: usize,
    orientation: usize,
    block: impl Fn(usize) -> Option<(usize, &'b [u64])> + Sync,
) -> Result<Words, SolveError> {
    struct Fill<'a> {
        shape: &'a Shape,
        fox: &'a Fox,
        orbit: &'a [usize],
        /// The first block, if it has to be transposed.
        transposed: Option<&'a Block>,
        from: &'a [u64],
        to: Vec<&'a mut [u64]>,
        buffers: &'a mut (Vec<Vec<u64>>, Vec<u64>),
    }
    impl Kernel for Fill<'_> {
        type Output = ();
        const HAS_AVX512: bool = true;
        #[inline(always)]
        fn run(self, isa: impl Isa) {
            let Fill { shape, fox, orbit, transposed, from, to, buffers: (rows, scratch) } = self;
            if rows.len() < orbit.len() {
                rows.resize(orbit.len(), Vec::new());
            }
            let first = resized(&mut rows[0], shape.blocks[orbit[0]].len());
            match transposed {
                None => first.copy_from_slice(from),
                Some(block) => transpose(isa, from, (block.rows(), block.bits()), None, first),
            }
            fill_orbit(isa, shape, fox, orbit, rows, scratch);
            for (to, rows) in to.into_iter().zip(rows) {
                to.copy_from_slice(&rows[..to.len()]);
            }
        }
    }
    let (fox, orbits) = (&foxes[class], &orbits[class][..]);
    let mut field = store.zeros(shape.words)?;
    let (buffers, tasks) = (Buffers::default(), shape.split_orbits(&mut field, orbits));
    parallel::for_each(tasks.into_iter().enumerate(), &|(number, to)| {
        let Some((of_first, from)) = block(number) else { return };
        let transposed = (orientation == 1).then(|| &shape.blocks[of_first]);
        let orbit = &orbits[number];
        buffers.with(|buffers| {
            dispatch(level, Fill { shape, fox, orbit, transposed, from, to, buffers });
        });
    });
    Ok(field)
}

/// Calls `work` with each block of `from` and the block of `to` with the number that `target`
/// returns.
fn map_blocks(
    shape: &Shape,
    from: &[u64],
    to: &mut [u64],
    target: impl Fn(&Block) -> usize,
    work: impl Fn(&Block, &[u64], &mut [u64]) + Sync,
) {
    let targets: Vec<usize> = shape.blocks.iter().map(target).collect();
    let to = shape.split_orbits(to, &[targets]).into_iter().flatten();
    parallel::for_each(shape.blocks.iter().zip(to), &|(block, to)| {
        work(block, block.of(from), to);
    });
}

/// Computes the image of a block under a generator, in an orientation.
struct Mirror<'a>(Symmetry, usize, &'a Block, &'a [u64], &'a mut [u64]);
impl Kernel for Mirror<'_> {
    type Output = ();
    const HAS_AVX512: bool = true;
    #[inline(always)]
    fn run(self, isa: impl Isa) {
        map_block(isa, self.0, self.1, self.2, self.3, &mut Vec::new(), self.4);
    }
}

/// Returns a field in the other orientation.
pub(super) fn transpose_field(
    store: Store<'_>,
    shape: &Shape,
    level: Level,
    field: &[u64],
) -> Result<Words, SolveError> {
    let mut transposed = store.zeros(field.len())?;
    let target = |block: &Block| shape.transposed_number(block);
    map_blocks(shape, field, &mut transposed, target, |block, from, to| {
        // The diagonal mirror transposes every block.
        dispatch(level, Mirror(Symmetry::new(4), 0, block, from, to));
    });
    Ok(transposed)
}

/// Returns the image of a field of orientation 0 under a symmetry, in either orientation. `None` if
/// that is the field itself.
pub(super) fn image_field(
    store: Store<'_>,
    shape: &Shape,
    level: Level,
    symmetry: Symmetry,
    field: &[u64],
    orientation: usize,
) -> Result<Option<Words>, SolveError> {
    let diagonal = Symmetry::new(4);
    let (mut image, mut current) = (None, 0);
    // A symmetry exchanges the coordinates first, then negates them.
    if swaps_halves(symmetry) {
        // The rows of half 0 are the rows of half 1 now, so only the ring sets change.
        let mut swapped = store.zeros(field.len())?;
        let target = |block: &Block| {
            shape
                .number(SETS.ring_image(diagonal, block.ring), block.row_points)
                .expect("a symmetry keeps the numbers of points")
        };
        map_blocks(shape, field, &mut swapped, target, |_, from, to| to.copy_from_slice(from));
        (image, current) = (Some(swapped), 1);
    }
    for mirror in [1, 2].map(Symmetry::new).into_iter().filter(|m| symmetry.code() & m.code() != 0)
    {
        let mut mirrored = store.zeros(field.len())?;
        let target = |block: &Block| image_number(shape, mirror, block);
        map_blocks(
            shape,
            image.as_deref().unwrap_or(field),
            &mut mirrored,
            target,
            |block, from, to| {
                dispatch(level, Mirror(mirror, current, block, from, to));
            },
        );
        image = Some(mirrored);
    }
    if current != orientation {
        image = Some(transpose_field(store, shape, level, image.as_deref().unwrap_or(field))?);
    }
    Ok(image)
}
