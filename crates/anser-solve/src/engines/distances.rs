//! The general engine of distances: any game, in memory, by
//! [retrograde analysis](anser_retrograde::layer).

use anser_core::hunt::Position;
use anser_core::{BySide, Dtw, LayerIndex, Side};
use anser_retrograde::RankedSet;
use anser_retrograde::layer::{self, Context, Layer, Round, Saved};
use anser_table::Tablebase;

use super::engine::{Effort, Engine, Filled, Needs, Task};
use crate::checkpoint::Checkpoint;
use crate::io::codes::ASSUMED_BITS;
use crate::run::metrics::Metrics;
use crate::{Event, LayerOf, SolveError, check_interrupt};

/// Positions examined, with all their moves, per class of a loopy layer, in all rounds together.
/// Measured: 1 to 3 in layers 6 and 7 of Fox-and-Geese under every rule set.
const LOOKS_PER_CLASS: f64 = 2.0;

/// See the module.
pub(crate) struct GeneralDistances;

impl Engine for GeneralDistances {
    fn name(&self) -> &'static str {
        "general-distances"
    }

    fn fills(&self, metrics: Metrics) -> bool {
        metrics.need_distances()
    }

    fn needs(&self, of: LayerOf<'_>, _: Metrics) -> Needs {
        let lower = of.lower_outcomes() / 2 * u64::from(ASSUMED_BITS);
        let memory = layer::memory(of.game.is_loopy(of.layer), of.entries()).saturating_add(lower);
        let checkpoint = layer::saved_len(of.game.is_loopy(of.layer), of.entries());
        Needs { memory, checkpoint, ..Needs::default() }
    }

    fn effort(&self, of: LayerOf<'_>) -> Effort {
        let looks = if of.game.is_loopy(of.layer) { LOOKS_PER_CLASS } else { 1.0 };
        Effort { alone: 0.0, shared: looks * of.classes() as f64 }
    }

    fn solve(&self, task: &Task<'_>) -> Result<Filled, SolveError> {
        let lower = task.lower.open()?;
        let all = BySide::from_fn(|side| RankedSet::All(task.index.len(side)));
        let layer =
            Layer { game: task.game, number: task.layer, index: task.index, classes: all.as_ref() };
        let mut solved = layer::solve(&layer, &Lower { task, lower })?;
        if task.index.has_gaps() {
            for side in Side::BOTH {
                let codes = &mut solved.codes[side];
                for rank in 0..codes.len() {
                    if let Some(of_class) = task.index.copy_of(side, rank as u64) {
                        codes[rank] = codes[of_class as usize];
                    }
                }
            }
        }
        Filled::of_codes(task, self.name(), &solved.codes, solved.rounds)
    }
}

/// The task, and the tables of lower layers.
struct Lower<'t, 'a> {
    task: &'t Task<'a>,
    lower: Tablebase,
}

impl Context for Lower<'_, '_> {
    type Error = SolveError;

    fn below(&self, position: &Position) -> Result<Dtw, SolveError> {
        Ok(self.lower.probe_distance(position)?)
    }

    fn check_interrupt(&self) -> Result<(), SolveError> {
        check_interrupt(self.task.observer)
    }

    fn begin(&self, what: &str, units: u64) {
        self.task.begin(what, units);
    }

    fn advance(&self, units: u64) {
        self.task.advance(units);
    }

    fn round_done(&self, round: &Round) {
        let Round { distance, new, decided, classes, took } = *round;
        self.task.observer.event(&Event::Step {
            round: u64::from(distance),
            new,
            decided,
            classes,
            took,
        });
    }

    fn is_due(&self) -> bool {
        self.task.checkpoints.is_due()
    }

    fn save(
        &self,
        distance: u16,
        state: &[u64],
        words: &mut dyn Iterator<Item = u64>,
    ) -> Result<(), SolveError> {
        self.task.checkpoints.save(distance.into(), state, words)
    }

    fn take_saved(&self) -> Option<Box<dyn Saved<SolveError> + '_>> {
        Some(Box::new(self.task.checkpoints.take_found()?))
    }
}

impl Saved<SolveError> for Checkpoint {
    fn state(&self) -> &[u64] {
        &self.state
    }

    fn read(&mut self, words: &mut [u64]) -> Result<(), SolveError> {
        Checkpoint::read(self, words)
    }

    fn finish(self: Box<Self>) -> Result<(), SolveError> {
        Checkpoint::finish(*self)
    }
}
