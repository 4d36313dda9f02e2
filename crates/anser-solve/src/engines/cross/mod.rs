//! The bit-parallel engine for Fox-and-Geese.
//!
//! Sets of positions are bit arrays; positions are never ranked while a layer is solved. The points
//! other than d4 are partitioned into two *halves* of twelve points and the *ring* of eight points
//! around d4, and no line joins the halves ([`sets`]). For each fox class and ring set, the goose
//! sets form bit matrices with one row per set of one half and one bit per set of the other
//! ([`shape`]). A goose moves within one half and the ring, so in one of the two orientations its
//! move maps whole rows to whole rows; so does a fox step ([`moves`]). The inner loops are
//! therefore unions and intersections of rows ([`kernels`]). A transposition changes the
//! orientation ([`transpose`]), and the mirrors of the board are composed of transpositions
//! ([`symmetry`]).
//!
//! The least fixpoint of one operator is what the geese win, and its greatest fixpoint is what the
//! fox does not win ([`fixpoint`]). For each fixpoint, captures are folded in first, from the
//! lower layers, which are released before the rounds begin ([`captures`]). The result is converted
//! to the order of the table ([`order`]).
//!
//! Fields are allocated in memory or in scratch files ([`store`]).
//!
//! A checkpoint does not hold fields but the values known after a round: for the least fixpoint the
//! positions found to be in it, for the greatest those found not to be in it.

#![expect(
    clippy::inline_always,
    reason = "a kernel is compiled for an instruction set by being inlined into a function that has it"
)]

mod bits;
mod bound;
mod captures;
mod codes;
mod delta;
mod distances;
mod fixpoint;
mod kernels;
mod layer;
mod moves;
mod order;
mod passes;
mod releases;
mod report;
mod rows;
mod runs;
mod sets;
mod shape;
mod store;
mod symmetry;
mod transpose;
mod vector;

use std::sync::atomic::Ordering::Relaxed;

use anser_core::fox_geese::{Base, CrossIndex, FEWEST_GEESE, FoxGeese, Point};
use anser_core::prelude::*;
use anser_core::{BySide, Dtw, Side};
use anser_table::Metric;
use anser_table::format::payload_len;

use crate::SolveError;
use crate::checkpoint::progress::Phase;
use crate::engines::engine::{Effort, Engine, Filled, Sections, Spilled, Task};
use crate::run::metrics::Metrics;
use anser_analyse::isa::Level;
use layer::Layer;
use moves::Foxes;
use shape::Shape;

/// Time to solve a layer, in full geese passes. Measured: 30 to 65 in layers 8 to 16 of
/// `first-capture`.
const PASSES_PER_LAYER: f64 = 43.0;

/// Time that does not depend on the size of the layer, in words of a pass of a small layer.
/// Measured: 0.03 s in layer 4, where a word takes 76 ns.
const FIXED_WORDS: f64 = 0.5e6;

/// Time to fold in the captures of one lower layer, in full passes.
const PASSES_PER_FOLD: f64 = 10.0;

/// Time to solve a layer for distances, as a multiple of that for outcomes. Measured: 1.6 in layers
/// 10 to 12 of `first-capture`.
const DISTANCES_PER_OUTCOMES: f64 = 1.6;

/// Maximum number of fields in use at the same time, without masks, if classes are processed one
/// after the other: the fox to move in both orientations, and the geese to move in the at most four
/// classes that its steps lead to. Folding in captures uses no more.
const HOT_FIELDS: u64 = 6;

/// Buffers per thread, in blocks: eight for an orbit, and four to transpose it.
const BLOCKS_PER_THREAD: u64 = 12;

/// Memory that does not depend on the size of a layer, in bytes: the program, and the tables of the
/// game and of the orders.
const FIXED_BYTES: u64 = 12 << 20;

/// The engine; see the [module](self).
pub(crate) struct Cross {
    level: Level,
    foxes: Foxes,
}

/// Number of planes that the rounds of a layer are taken to need before it is solved: distances of
/// up to 254 plies.
const ROUND_PLANES: u64 = 7;

/// Planes of the codes of one side to move beside those of the rounds: one tells the winner, and
/// one whether there is a winner.
const OTHER_PLANES: u64 = 2;

/// Memory needs of a layer, in bytes.
struct MemoryNeeds {
    /// Size of one field.
    field: u64,
    /// Number of masks per class: fields that hold captures.
    masks: u64,
    /// Maximum total size of the fields that exist at the same time.
    fields: u64,
    /// Maximum size of the deltas of a pass.
    deltas: u64,
}

impl MemoryNeeds {
    fn new(game: &FoxGeese, layer: u16, index: &CrossIndex) -> MemoryNeeds {
        let field_of = |layer: u16| 8 * Shape::new(usize::from(layer)).words as u64;
        let points: Vec<Point> = index.representatives().collect();
        let (field, classes) = (field_of(layer), points.len() as u64);
        let rules = game.rules();
        // Compulsory captures need a second mask.
        let masks = if rules.compulsory() { 2 } else { 1 };
        // The fox to move in both orientations, the masks, and the geese to move as far as it is
        // read.
        let rounds = (classes * (2 + masks) + moves::reads(game, &points)) * field;
        let lower = match (rules.base(), rules.chain()) {
            (Base::FirstCapture, _) => layer..layer,
            (_, false) => layer - 1..layer,
            (_, true) => FEWEST_GEESE as u16..layer,
        };
        let folding = lower.map(|lower| {
            // The lower layer with its masks, one plane of its table, and a few fields for the
            // layer above it.
            let plane = game.index(lower).len(Side::Second) / 8;
            let kept = if rules.chain() { 1 + masks } else { 1 };
            classes * kept * field_of(lower)
                + plane
                + 4 * field_of(lower)
                + (classes + 2) * field_of(lower + 1)
        });
        // A change takes two words.
        let deltas = classes * field * 2 / fixpoint::WORDS_PER_CHANGE;
        MemoryNeeds { field, masks, fields: rounds.max(folding.max().unwrap_or(0)), deltas }
    }
}

/// Memory needs of a layer that is solved for distances, in bytes.
struct DistanceNeeds {
    /// Size of one field.
    field: u64,
    /// Size of the recorded codes.
    codes: u64,
    /// Maximum total size of fields and recorded codes that exist at the same time.
    fields: u64,
    /// Maximum size of the deltas of a pass.
    deltas: u64,
}

impl DistanceNeeds {
    fn new(game: &FoxGeese, layer: u16, index: &CrossIndex) -> DistanceNeeds {
        let rules = game.rules();
        let geese = usize::from(layer);
        let words = |geese: usize| 8 * Shape::new(geese).words as u64;
        let points: Vec<Point> = index.representatives().collect();
        let (field, classes) = (words(geese), points.len() as u64);
        // One block of each orbit. Blocks that are images of themselves are kept whole, which is
        // less than an eighth more.
        let recorded: u64 = points
            .iter()
            .map(|&point| {
                field
                    / game.symmetry().members().filter(|&s| point.image(s) == point).count() as u64
            })
            .sum();
        let codes = recorded * 9 / 8 * 2 * (ROUND_PLANES + OTHER_PLANES);
        let masks = if rules.compulsory() { 2 } else { 1 };
        let released = rules.base() != Base::FirstCapture && geese > FEWEST_GEESE;
        let releases = if released { (ROUND_PLANES + 1) * classes * field } else { 0 };
        // The fox to move in both orientations, the masks, the geese to move as far as it is read,
        // and a field of ones.
        let rounds =
            (classes * (2 + masks) + moves::reads(game, &points) + 1) * field + releases + codes;
        let writing = codes + (ROUND_PLANES + OTHER_PLANES + 2) * field;
        let folding = if released {
            let lower = words(geese - 1);
            // The numbers of the lower layer, those of the captures, and those of two jumps.
            (ROUND_PLANES + 1) * (classes * (lower + field) + 3 * field) + 4 * field
        } else {
            0
        };
        // A change takes two words.
        let deltas = classes * field * 2 / fixpoint::WORDS_PER_CHANGE;
        DistanceNeeds { field, codes, fields: rounds.max(writing).max(folding), deltas }
    }
}

impl Cross {
    /// Returns the engine for the fastest instruction set of the processor.
    pub(crate) fn new() -> Cross {
        Cross::at(Level::best())
    }

    /// Returns the engine for an instruction set.
    fn at(level: Level) -> Cross {
        Cross { level, foxes: Foxes::default() }
    }
}

impl Engine<FoxGeese> for Cross {
    fn name(&self) -> &'static str {
        "cross"
    }

    fn fills(&self, metrics: Metrics) -> bool {
        metrics == Metrics::from(Metric::Wdl)
    }

    fn memory(&self, game: &FoxGeese, layer: u16, index: &CrossIndex) -> u64 {
        let values = payload_len(Side::BOTH.map(|side| index.len(side)));
        if usize::from(layer) < FEWEST_GEESE {
            return values;
        }
        let MemoryNeeds { fields, deltas, .. } = MemoryNeeds::new(game, layer, index);
        // The values of the class that is being written; no class has more than a quarter of them.
        let writing = if index.representatives().count() > 7 { values / 16 } else { values / 4 };
        fields + deltas + writing
    }

    fn spilled(&self, game: &FoxGeese, layer: u16, index: &CrossIndex) -> Option<Spilled> {
        if usize::from(layer) < FEWEST_GEESE {
            return None;
        }
        let MemoryNeeds { field, masks, fields, deltas } = MemoryNeeds::new(game, layer, index);
        let threads = thread_buffers(layer);
        // With less memory, a pass would read every file several times.
        Some(Spilled {
            memory: FIXED_BYTES + threads + deltas + (HOT_FIELDS + masks) * field,
            scratch: fields,
        })
    }

    fn sections(&self, _index: &CrossIndex) -> Option<Sections> {
        Some(Sections(Vec::new()))
    }

    fn effort(&self, game: &FoxGeese, layer: u16, index: &CrossIndex) -> Effort {
        if usize::from(layer) < FEWEST_GEESE {
            return Effort::default();
        }
        let classes = index.representatives().count();
        let words = |layer: usize| (Shape::new(layer).words * classes) as f64;
        let folded: f64 = if game.rules().chain() {
            (FEWEST_GEESE..usize::from(layer)).map(words).sum()
        } else {
            0.0
        };
        Effort {
            alone: FIXED_WORDS,
            shared: words(usize::from(layer)) * PASSES_PER_LAYER + folded * PASSES_PER_FOLD,
        }
    }

    fn measure(&self, game: &FoxGeese, layer: u16, _index: &CrossIndex) -> f64 {
        layer::seconds_per_word(game, self.level, layer, &self.foxes).unwrap_or_default()
    }

    fn solve(&self, task: &Task<'_, FoxGeese>) -> Result<Filled, SolveError> {
        if usize::from(task.layer) < FEWEST_GEESE {
            fill_with_fox_wins(task)?;
        } else {
            Layer::new(task, self.level, &self.foxes).solve()?;
        }
        Ok(Filled::in_checkpoint(task.progress().rounds()))
    }
}

/// The engine for distances, with or without outcomes; see the [module](self).
pub(crate) struct CrossDistances {
    level: Level,
    foxes: Foxes,
}

impl CrossDistances {
    /// Returns the engine for the fastest instruction set of the processor.
    pub(crate) fn new() -> CrossDistances {
        CrossDistances::at(Level::best())
    }

    /// Returns the engine for an instruction set.
    fn at(level: Level) -> CrossDistances {
        CrossDistances { level, foxes: Foxes::default() }
    }
}

impl Engine<FoxGeese> for CrossDistances {
    fn name(&self) -> &'static str {
        "cross-distances"
    }

    fn fills(&self, metrics: Metrics) -> bool {
        // A distance implies an outcome, so the outcomes cost nothing more.
        metrics.contains(Metric::Dtw)
            && Metrics::from_iter([Metric::Wdl, Metric::Dtw]).contains_all(metrics)
    }

    fn memory(&self, game: &FoxGeese, layer: u16, index: &CrossIndex) -> u64 {
        if usize::from(layer) < FEWEST_GEESE {
            return Side::BOTH.iter().map(|&side| 2 * index.len(side)).sum();
        }
        let DistanceNeeds { fields, deltas, .. } = DistanceNeeds::new(game, layer, index);
        fields + deltas
    }

    fn spilled(&self, game: &FoxGeese, layer: u16, index: &CrossIndex) -> Option<Spilled> {
        if usize::from(layer) < FEWEST_GEESE {
            return None;
        }
        let DistanceNeeds { field, fields, deltas, .. } = DistanceNeeds::new(game, layer, index);
        let hot = HOT_FIELDS + 2 + 2 * ROUND_PLANES;
        Some(Spilled {
            memory: FIXED_BYTES + thread_buffers(layer) + deltas + hot * field,
            scratch: fields,
        })
    }

    fn snapshot_layout(&self, _index: &CrossIndex) -> Option<String> {
        Some(format!("{} 1", Engine::<FoxGeese>::name(self)))
    }

    fn snapshot_len(&self, game: &FoxGeese, layer: u16, index: &CrossIndex) -> u64 {
        if usize::from(layer) < FEWEST_GEESE {
            0
        } else {
            DistanceNeeds::new(game, layer, index).codes
        }
    }

    fn effort(&self, game: &FoxGeese, layer: u16, index: &CrossIndex) -> Effort {
        let Effort { alone, shared } = Cross::at(self.level).effort(game, layer, index);
        Effort { alone, shared: shared * DISTANCES_PER_OUTCOMES }
    }

    fn measure(&self, game: &FoxGeese, layer: u16, _index: &CrossIndex) -> f64 {
        layer::seconds_per_word(game, self.level, layer, &self.foxes).unwrap_or_default()
    }

    fn solve(&self, task: &Task<'_, FoxGeese>) -> Result<Filled, SolveError> {
        if usize::from(task.layer) < FEWEST_GEESE {
            let code = Dtw::win(Side::First, 0).code();
            let codes = BySide::from_fn(|side| vec![code; task.index.len(side) as usize]);
            return Ok(Filled::new(codes, 0));
        }
        Layer::new(task, self.level, &self.foxes).solve_distances()
    }
}

/// Returns the size of the buffers of all threads, in bytes.
fn thread_buffers(layer: u16) -> u64 {
    let largest =
        Shape::new(usize::from(layer)).blocks.iter().map(|block| block.len() as u64 * 8).max();
    rayon::current_num_threads() as u64 * BLOCKS_PER_THREAD * largest.unwrap_or(0)
}

/// Fills a layer that the fox has won because too few geese are left.
fn fill_with_fox_wins(task: &Task<'_, FoxGeese>) -> Result<(), SolveError> {
    let staged = task.work().stage()?;
    let planes = staged.planes();
    for side in Side::BOTH {
        for (number, pair) in planes.pairs(side).iter().enumerate() {
            pair[Side::First.index()].store(planes.valid(side, number), Relaxed);
        }
    }
    task.progress().set_phase(Phase::Finish);
    staged.commit()
}

#[cfg(test)]
mod tests;
