//! The bit-parallel engine for Fox-and-Geese.
//!
//! Sets of positions are bit arrays, and no position is ever ranked while a layer is solved. The points other than d4 fall
//! into three parts, two *halves* of twelve points and the *ring* of eight around d4, such that no line joins the halves
//! ([`sets`]). For each fox class and ring set the goose sets form bit matrices with a row for each set of one half and a bit
//! for each set of the other ([`shape`]). A goose moves within one half and the ring, so in the right one of the two
//! orientations a move is a move of whole rows, and a fox step is one as well ([`moves`]): the inner loops are unions and
//! intersections of rows ([`kernels`]). Between the orientations lies a transposition ([`transpose`]), and what the mirrors of
//! the board do to a matrix is made of transpositions too ([`symmetry`]).
//!
//! A layer takes five steps: captures are folded in from the layer below ([`captures`]), the least fixpoint gives what the
//! geese win and the greatest one what the fox does not win ([`fixpoint`]), and both are put into the order of the table
//! ([`order`]).
//!
//! Every value that is written is true by itself, whenever the run is killed: of the least fixpoint what was found to be in it,
//! of the greatest what was found not to be. So a checkpoint is written into the table itself, as the values that are known.

mod captures;
mod fixpoint;
mod isa;
mod kernels;
mod layer;
mod moves;
mod news;
mod order;
mod sets;
mod shape;
mod symmetry;
mod transpose;

use std::sync::atomic::Ordering::Relaxed;

use anser_core::Side;
use anser_core::fox_geese::{FEWEST_GEESE, FoxGeese};

use crate::SolveError;
use crate::engine::{Engine, Task};
use crate::progress::Phase;
use isa::Level;
use layer::Layer;

/// See the module.
pub(crate) struct Cross {
    level: Level,
}

impl Cross {
    /// The engine with the best instructions that the processor has.
    pub(crate) fn new() -> Cross {
        Cross { level: Level::best() }
    }
}

impl Engine<FoxGeese> for Cross {
    fn name(&self) -> &'static str {
        "cross"
    }

    fn extra_memory(&self, _classes: [u64; 2]) -> u64 {
        0
    }

    fn solve(&self, task: &Task<'_, FoxGeese>) -> Result<(), SolveError> {
        if task.progress.phase() == Phase::Finish {
            return Ok(());
        }
        if usize::from(task.layer) < FEWEST_GEESE {
            win_everything(task);
        } else {
            Layer::new(task, self.level).solve()?;
        }
        // The values must be on disk before anything there says that they are final.
        task.lower.make_durable()?;
        task.progress.set_phase(Phase::Finish);
        Ok(())
    }
}

/// With so few geese the fox has won.
fn win_everything(task: &Task<'_, FoxGeese>) {
    for side in Side::BOTH {
        for (number, pair) in task.planes.pairs(side).iter().enumerate() {
            pair[Side::First.index()].store(task.planes.valid(side, number), Relaxed);
        }
    }
}

#[cfg(test)]
mod speed {
    use super::isa::*;
    use super::kernels::*;
    use super::transpose::transpose;
    use super::*;
    use anser_core::{Game, fox_geese::RuleSet};
    struct K<'a, F>(&'a F);
    impl<F: Fn()> Kernel for K<'_, F> {
        type Output = ();
        #[inline(always)]
        fn run(self, _: impl Isa) {
            (self.0)()
        }
    }
    struct T<'a>(&'a shape::Block, &'a [u64], &'a mut [u64]);
    impl Kernel for T<'_> {
        type Output = ();
        #[inline(always)]
        fn run(self, isa: impl Isa) {
            transpose(isa, self.1, (self.0.rows(), self.0.bits()), None, self.2)
        }
    }
    struct U<'a>(&'a shape::Shape, &'a moves::GooseMoves, &'a [u64], &'a shape::Block, &'a mut [u64]);
    impl Kernel for U<'_> {
        type Output = ();
        #[inline(always)]
        fn run(self, _: impl Isa) {
            unite_moves(self.0, self.1, self.2, self.3, self.4)
        }
    }
    #[test]
    #[ignore]
    fn speed() {
        let game = FoxGeese::new(RuleSet::FIRST_CAPTURE);
        let p = 11;
        let index = game.index(p);
        let shape = shape::Shape::new(p as usize);
        let foxes = moves::Fox::all(&game, &index);
        let field = captures::without_capture(&game, &shape, &foxes);
        let fox = &foxes[4];
        let mut a = vec![0u64; 13860];
        let mut b = vec![0u64; 13860];
        for level in Level::available() {
            for rep in 0..2 {
                let mut t = [0.0; 4];
                for block in &shape.blocks {
                    let turned = shape.turned(block);
                    let s = std::time::Instant::now();
                    dispatch(level, U(&shape, &fox.goose[1], &field[4], turned, &mut a[..turned.len()]));
                    t[0] += s.elapsed().as_secs_f64();
                    let s = std::time::Instant::now();
                    dispatch(level, T(turned, &a[..turned.len()], &mut b[..block.len()]));
                    t[1] += s.elapsed().as_secs_f64();
                    let s = std::time::Instant::now();
                    dispatch(level, U(&shape, &fox.goose[0], &field[4], block, &mut b[..block.len()]));
                    t[2] += s.elapsed().as_secs_f64();
                    let s = std::time::Instant::now();
                    replace(&mut a[..block.len()], &b[..block.len()]);
                    t[3] += s.elapsed().as_secs_f64();
                }
                eprintln!(
                    "{level:?} {rep} ns/word: unite1 {:.2} transpose {:.2} unite0 {:.2} replace {:.2}",
                    t[0] * 1e9 / shape.words as f64,
                    t[1] * 1e9 / shape.words as f64,
                    t[2] * 1e9 / shape.words as f64,
                    t[3] * 1e9 / shape.words as f64
                );
            }
        }
    }
}
