//! Captures, computed before the rounds of a fixpoint begin.
//!
//! Whether all captures of a position are good for the geese depends on the lower layers alone. A
//! jump from `x` over `y` to `z` is undone in two parts, each within one half and the ring: from
//! `z` to `y` as a fox step in the layer below, and from `y` to `x`, which puts the goose back on
//! `y`. If `z` is not a representative, its field is an image of its representative's field. Of the
//! jumps that are images of each other under the symmetries of `x` only one is undone, and the
//! result is made symmetric at the end.

use crate::engines::store::Words;
use anser_core::Symmetry;
use anser_core::fox_geese::{Cross, Point};

use super::kernels::{fill_rows, intersect_runs, intersect_step, ones, with_width};
use super::layer::Layer;
use super::moves::{Fox, FoxStep, arm_of, key_bit, ring_of, step_between};
use super::releases::{ReleasePlanes, take_smaller, take_smaller_words};
use super::report::Report;
use super::rows::{RowMap, row_map};
use super::shape::{Block, Shape};
use super::symmetry::{block_orbits, image_field, resized, symmetrize_field, transpose_field};
use super::transpose::transpose;
use crate::{SolveError, check_interrupt};
use anser_retrograde::isa::{Isa, Kernel, Level, dispatch};
use anser_retrograde::parallel::{self, Buffers, CHUNK};

impl Layer<'_, '_> {
    /// Returns the positions with the fox to move in which all captures are good, by class in
    /// orientation 0, one plane each. `landed` holds the good positions of the layer below after a
    /// jump, likewise by class in orientation 0.
    pub(super) fn after_captures(
        &self,
        shape: &Shape,
        lower: &Shape,
        landed: &[ReleasePlanes],
    ) -> Result<Vec<ReleasePlanes>, SolveError> {
        let (store, level) = (self.store(), self.level);
        let of_fox = |fox: &Fox| {
            let mut allowed = [ones(store, shape)?, Words::default()];
            for jump in jumps_up_to_symmetry(&self.cross, fox.point) {
                let between = self.uncaptured(lower, (landed, 0), &jump)?;
                let Jump { half, .. } = jump;
                if allowed[half].is_empty() {
                    allowed[half] = ones(store, shape)?;
                }
                let uncapture = Uncapture::new(&jump);
                for_blocks(level, shape, &mut allowed[half], |block, rows| {
                    intersect_uncapture(&uncapture, lower, &between, block, rows);
                });
            }
            let [mut allowed, transposed] = allowed;
            if !transposed.is_empty() {
                let transposed = transpose_field(store, shape, level, &transposed)?;
                let chunks = allowed.chunks_mut(CHUNK).zip(transposed.chunks(CHUNK));
                parallel::for_each(chunks, &|(words, other)| {
                    words.iter_mut().zip(other).for_each(|(word, other)| *word &= other);
                });
            }
            symmetrize_field(shape, level, fox, &block_orbits(shape, fox), &mut allowed);
            Ok(vec![allowed])
        };
        self.foxes.iter().map(of_fox).collect()
    }

    /// Returns the numbers of the captures that are best for the fox, by class in orientation 0;
    /// see [`releases`](super::releases). `landed` holds the numbers of the positions of the layer
    /// below after a jump, likewise by class in orientation 0.
    pub(super) fn best_captures(
        &self,
        shape: &Shape,
        lower: &Shape,
        landed: &[ReleasePlanes],
    ) -> Result<Vec<ReleasePlanes>, SolveError> {
        let (store, level, observer) = (self.store(), self.level, self.task.observer);
        let planes = landed.first().map_or(0, Vec::len);
        let jumps = |fox: &Fox| jumps_up_to_symmetry(&self.cross, fox.point);
        let number: usize = self.foxes.iter().map(|fox| jumps(fox).len()).sum();
        let report = Report::new(observer, "captures".to_owned());
        report.begin((number * planes * shape.words) as u64);
        let of_fox = |fox: &Fox| {
            let mut best =
                (0..planes).map(|_| ones(store, shape)).collect::<Result<ReleasePlanes, _>>()?;
            for jump in jumps(fox) {
                let between = (0..planes).map(|plane| {
                    check_interrupt(observer)?;
                    self.uncaptured(lower, (landed, plane), &jump)
                });
                let between = between.collect::<Result<ReleasePlanes, _>>()?;
                take_captures(level, shape, &jump, lower, &between, &mut best);
                report.advance((planes * shape.words) as u64);
            }
            // The other jumps are images of these.
            for &symmetry in &fox.generators {
                let image = best.iter().map(|plane| {
                    let image = image_field(store, shape, level, symmetry, plane, 0)?;
                    Ok::<_, SolveError>(image.expect("a generator is not the identity"))
                });
                let image = image.collect::<Result<ReleasePlanes, _>>()?;
                let image: Vec<&[u64]> = image.iter().map(|plane| &**plane).collect();
                take_smaller(&mut best, &image);
            }
            Ok(best)
        };
        self.foxes.iter().map(of_fox).collect()
    }

    /// Returns which positions of the layer below are good, in a plane of `landed`, with the fox on
    /// the point jumped over, as if it had stepped there from where it landed: all in which a goose
    /// where it landed blocks that step, and those with a good position after the jump. The field
    /// is in the orientation of the jump, in which rows are mapped to rows if the captured goose is
    /// put back and the fox moves back.
    fn uncaptured(
        &self,
        lower: &Shape,
        (landed, plane): (&[ReleasePlanes], usize),
        &Jump { over, to, half, .. }: &Jump,
    ) -> Result<Words, SolveError> {
        struct Uncaptured<'a> {
            lower: &'a Shape,
            step: &'a FoxStep,
            landed: &'a [u64],
            block: &'a Block,
            /// The block of the same sets in the orientation of the step, if that is the other one.
            transposed: Option<&'a Block>,
            rows: &'a mut [u64],
            scratch: &'a mut Vec<u64>,
        }
        impl Kernel for Uncaptured<'_> {
            type Output = ();
            const HAS_AVX512: bool = true;
            #[inline(always)]
            fn run(self, isa: impl Isa) {
                let Uncaptured { lower, step, landed, block, transposed, rows, scratch } = self;
                match transposed {
                    None => {
                        fill_rows(block, rows);
                        intersect_step(lower, step, landed, block, rows);
                    }
                    Some(of_step) => {
                        let stepped = resized(scratch, of_step.len());
                        fill_rows(of_step, stepped);
                        intersect_step(lower, step, landed, of_step, stepped);
                        transpose(isa, stepped, (of_step.rows(), of_step.bits()), None, rows);
                    }
                }
            }
        }
        let step = step_between(over, to, 0).expect("no line joins the halves");
        let found = self.cross.symmetry().members().find_map(|s| {
            self.foxes.iter().position(|fox| fox.point.image(s) == to).map(|class| (class, s))
        });
        let (class, symmetry) = found.expect("every point is the image of a representative");
        let (store, level, landed) = (self.store(), self.level, &landed[class][plane]);
        let image = image_field(store, lower, level, symmetry, landed, step.half)?;
        let (step, landed) = (&step, image.as_deref().unwrap_or(landed));
        let mut between = store.zeros(lower.words)?;
        let (buffers, blocks) = (Buffers::default(), lower.blocks.iter());
        parallel::for_each(blocks.zip(lower.split(&mut between)), &|(block, rows)| {
            let transposed = (half != step.half).then(|| lower.transposed(block));
            buffers.with(|scratch| {
                dispatch(
                    level,
                    Uncaptured { lower, step, landed, block, transposed, rows, scratch },
                );
            });
        });
        Ok(between)
    }
}

/// Replaces the numbers of `best` by those of a jump where these are smaller. `between` has the
/// numbers of the jump as [`Layer::uncaptured`] returns them. This goes block by block, so that the
/// numbers of a block stay in the cache.
fn take_captures(
    level: Level,
    shape: &Shape,
    jump: &Jump,
    lower: &Shape,
    between: &[Words],
    best: &mut [Words],
) {
    struct Capture<'a> {
        uncapture: &'a Uncapture,
        lower: &'a Shape,
        between: &'a [Words],
        /// The block, and the block of the same sets in the orientation of the jump.
        blocks: [&'a Block; 2],
        transposed: bool,
        best: Vec<&'a mut [u64]>,
        buffers: &'a mut (Vec<Vec<u64>>, Vec<u64>),
    }
    impl Kernel for Capture<'_> {
        type Output = ();
        const HAS_AVX512: bool = true;
        #[inline(always)]
        fn run(self, isa: impl Isa) {
            let Capture { uncapture, lower, between, blocks, transposed, mut best, buffers } = self;
            let (planes, scratch) = buffers;
            planes.resize(between.len(), Vec::new());
            let [block, of_jump] = blocks;
            let capture: Vec<&[u64]> = between
                .iter()
                .zip(planes)
                .map(|(between, plane)| {
                    let plane = resized(plane, block.len());
                    // All ones where the jump is not possible: the largest number.
                    if transposed {
                        let rows = resized(scratch, of_jump.len());
                        fill_rows(of_jump, rows);
                        intersect_uncapture(uncapture, lower, between, of_jump, rows);
                        transpose(isa, rows, (of_jump.rows(), of_jump.bits()), None, plane);
                    } else {
                        fill_rows(block, plane);
                        intersect_uncapture(uncapture, lower, between, block, plane);
                    }
                    &*plane
                })
                .collect();
            take_smaller_words(&mut best, &capture);
        }
    }
    let (uncapture, transposed) = (&Uncapture::new(jump), jump.half != 0);
    let mut by_block: Vec<Vec<&mut [u64]>> =
        shape.blocks.iter().map(|_| Vec::with_capacity(between.len())).collect();
    for plane in best {
        for (block, rows) in by_block.iter_mut().zip(shape.split(plane)) {
            block.push(rows);
        }
    }
    let buffers = Buffers::default();
    parallel::for_each(shape.blocks.iter().zip(by_block), &|(block, best)| {
        let blocks = [block, if transposed { shape.transposed(block) } else { block }];
        buffers.with(|buffers| {
            let capture = Capture { uncapture, lower, between, blocks, transposed, best, buffers };
            dispatch(level, capture);
        });
    });
}

/// A jump of the fox.
struct Jump {
    from: Point,
    over: Point,
    to: Point,
    /// A half that has the first two points, or has one where the other is in the ring.
    half: usize,
}

/// Returns the jumps of the fox on `fox`, one of each set of images under the symmetries that fix
/// the fox.
fn jumps_up_to_symmetry(game: &Cross, fox: Point) -> Vec<Jump> {
    let mut done: Vec<Jump> = Vec::new();
    for [over, to] in game.jumps(fox) {
        let known =
            |s: Symmetry| done.iter().any(|of| (of.over, of.to) == (over.image(s), to.image(s)));
        if !game.symmetry().members().any(|s| fox.image(s) == fox && known(s)) {
            let has_both = |&half: &usize| [fox, over].iter().all(|&p| key_bit(p, half).is_some());
            let half = (0..2).find(has_both).expect("no line joins the halves");
            done.push(Jump { from: fox, over, to, half });
        }
    }
    done
}

/// Calls `work` for every block of a field, in parallel.
fn for_blocks(
    level: Level,
    shape: &Shape,
    field: &mut [u64],
    work: impl Fn(&Block, &mut [u64]) + Sync,
) {
    struct Work<'a, F>(&'a F, &'a Block, &'a mut [u64]);
    impl<F: Fn(&Block, &mut [u64])> Kernel for Work<'_, F> {
        type Output = ();
        #[inline(always)]
        fn run(self, _: impl Isa) {
            self.0(self.1, self.2);
        }
    }
    let blocks = shape.blocks.iter().zip(shape.split(field));
    parallel::for_each(blocks, &|(block, rows)| dispatch(level, Work(&work, block, rows)));
}

/// Intersects every row of `rows`, with the fox on `x` in this layer, with the row of `field`, with
/// the fox on `y` in the layer below, that capturing the goose on `y` leads to. Rows without a
/// goose on `y` do not change.
#[inline(always)]
fn intersect_uncapture(
    uncapture: &Uncapture,
    lower: &Shape,
    field: &[u64],
    block: &Block,
    rows: &mut [u64],
) {
    with_width!(block.width(), intersect_uncapture_of(uncapture, lower, field, block, rows));
}

#[inline(always)]
fn intersect_uncapture_of<const W: usize>(
    uncapture: &Uncapture,
    lower: &Shape,
    field: &[u64],
    block: &Block,
    rows: &mut [u64],
) {
    let rows = rows.as_chunks_mut::<W>().0;
    for (bits, map) in &uncapture.cases {
        let [set, clear, flip] = bits.map(ring_of);
        let points = block.row_points.checked_sub(arm_of(bits[2]).count_ones() as usize);
        if block.ring & set == set
            && block.ring & clear == 0
            && let Some(start) = points.and_then(|points| lower.start(block.ring ^ flip, points))
        {
            intersect_runs(&map[block.row_points], &field[start..], rows);
        }
    }
}

/// Map from the rows of this layer to the rows that capturing the goose leads to.
struct Uncapture {
    /// Bits of keys that must be set, bits that must be clear, and bits that differ; and the map of
    /// rows with these.
    cases: Vec<([u32; 3], RowMap)>,
}

impl Uncapture {
    /// Returns the map for a jump, in its orientation.
    fn new(&Jump { from, over, half, .. }: &Jump) -> Uncapture {
        // Bits, 0 for d4.
        let [x, y] = [from, over].map(|p| key_bit(p, half).expect("no line joins the halves"));
        let case = |set: u32, clear: u32, flip: u32| {
            ([set, clear, flip], row_map(arm_of(set), arm_of(clear), arm_of(flip)))
        };
        let cases = match (x, y) {
            // The captured goose is on d4, so it is stored at the bit of x.
            (x, 0) => vec![case(x, 0, x)],
            (0, y) => vec![case(y, 0, y)],
            // With another goose on d4, the bit of y stands for d4 after the jump, and that bit is
            // set already.
            (x, y) => vec![case(y, x, y), case(x | y, 0, x)],
        };
        Uncapture { cases }
    }
}
