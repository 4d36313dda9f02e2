//! What every engine has in common: it fills one layer in place.

use std::any::Any;
use std::path::Path;

use anser_core::Game;
use anser_core::fox_geese::FoxGeese;
use anser_table::{Metric, Tablebase};

use crate::checkpoint::progress::Progress;
use crate::checkpoint::work_file::WorkFile;
use crate::engines::cross::Cross;
use crate::engines::distances::{DistanceEngine, GeneralDistances};
use crate::engines::general::General;
use crate::engines::hunts::{of_fox_hounds, of_hasenspiel};
use crate::observer::Observer;
use crate::run::options::EngineChoice;
use crate::{Event, SolveError};

/// What an algorithm takes for a layer.
pub(crate) trait Cost<G: Game>: Send + Sync {
    /// The name that reports show.
    fn name(&self) -> &'static str;

    /// The memory in bytes that solving a layer takes at most, its values and what is read of lower layers included.
    fn memory(&self, game: &G, layer: u16, index: &G::Index) -> u64;

    /// What solving a layer takes if everything is kept in scratch files that can be. `None` if the engine makes none.
    fn spilled(&self, _game: &G, _layer: u16, _index: &G::Index) -> Option<Spilled> {
        None
    }

    /// The lengths in bytes of what the engine keeps in every checkpoint beside the values, multiples of 8.
    fn sections(&self, _index: &G::Index) -> Vec<u64> {
        Vec::new()
    }

    /// Roughly how much a layer takes, in units that the engine chooses. How long a unit takes is measured, here or in layers
    /// that were solved before.
    fn effort(&self, game: &G, layer: u16, index: &G::Index) -> Effort;

    /// Seconds that one thread of this machine takes for a unit, told by something short in this layer.
    fn measure(&self, game: &G, layer: u16, index: &G::Index) -> f64;
}

/// What a layer takes, in units of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Effort {
    /// What one thread does alone.
    pub(crate) alone: f64,
    /// What is divided among the threads.
    pub(crate) shared: f64,
}

impl Effort {
    /// Units one after the other, with so many threads at work.
    pub(crate) fn with(self, threads: usize) -> f64 {
        self.alone + self.shared / threads.max(1) as f64
    }
}

/// An algorithm that solves a layer for its outcomes.
///
/// Engines differ in speed and memory alone: the values they leave are the same to the last bit.
pub(crate) trait Engine<G: Game>: Cost<G> {
    /// Solves the layer, from the newest checkpoint of `task.work` if it has one. Writes checkpoints when they are due and
    /// before it returns because of an interruption; the last one has the final values, and [`Phase::Finish`] as progress.
    ///
    /// [`Phase::Finish`]: crate::checkpoint::progress::Phase::Finish
    fn solve(&self, task: &Task<'_, G>) -> Result<(), SolveError>;
}

/// What a layer takes that is solved with scratch files, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spilled {
    /// The memory that it can not do without. Beyond that there is what the system keeps of the files in memory.
    pub(crate) memory: u64,
    /// What the scratch files take on the disk at most.
    pub(crate) scratch: u64,
}

/// One layer to be solved.
pub(crate) struct Task<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) layer: u16,
    pub(crate) index: &'a G::Index,
    /// The file of the layer, with its checkpoints.
    pub(crate) work: &'a WorkFile,
    pub(crate) lower: &'a dyn Lower<G>,
    /// Where scratch files go; `None` if everything fits into memory.
    pub(crate) scratch: Option<&'a Path>,
    pub(crate) observer: &'a dyn Observer,
}

/// The layers below, there while the moves that leave the layer are folded in.
pub(crate) trait Lower<G: Game>: Sync {
    /// Maps them.
    fn open(&self) -> Result<Tablebase<G>, SolveError>;
    /// Lets them go again, and reports what that did to the memory.
    fn release(&self, tables: Tablebase<G>);
}

impl<'a, G: Game> Task<'a, G> {
    /// How far the work is.
    pub(crate) fn progress(&self) -> &'a Progress {
        self.work.progress()
    }

    /// An error if somebody asked to stop.
    pub(crate) fn check_interrupt(&self) -> Result<(), SolveError> {
        if self.observer.interrupted() { Err(SolveError::Interrupted) } else { Ok(()) }
    }

    pub(crate) fn announce(&self, what: String, units: u64) {
        self.observer.event(&Event::Work { what, units });
    }
}

/// The engines that a run may use for a metric: `dyn Engine` for outcomes, `dyn DistanceEngine` for distances.
pub(crate) struct Engines<E: ?Sized> {
    /// The fastest first; the last one solves everything.
    engines: Vec<Box<E>>,
    /// In bytes.
    memory: Option<u64>,
}

impl<G: Game> Engines<dyn Engine<G>> {
    /// Those of a choice. A layer that a fast engine has too little memory for is solved by it with scratch files, or, if even
    /// that needs more, left to the general one, which needs less in small layers; whether that suffices is for the estimate
    /// to say.
    pub(crate) fn of_outcomes(choice: EngineChoice, memory: Option<u64>) -> Self {
        let mut engines: Vec<Box<dyn Engine<G>>> = Vec::new();
        if choice == EngineChoice::Best {
            let cross: Box<dyn Engine<FoxGeese>> = Box::new(Cross::new());
            engines.extend(if_of(cross));
        }
        engines.push(Box::new(General::new()));
        Engines { engines, memory }
    }
}

impl<G: Game> Engines<dyn DistanceEngine<G>> {
    /// Those of a choice, as in [`Engines::of_outcomes`].
    pub(crate) fn of_distances(choice: EngineChoice, memory: Option<u64>) -> Self {
        let mut engines: Vec<Box<dyn DistanceEngine<G>>> = Vec::new();
        if choice == EngineChoice::Best {
            engines.extend(of_hunts(Metric::Dtw));
        }
        engines.push(Box::new(GeneralDistances));
        Engines { engines, memory }
    }

    /// Those that solve a layer for its outcomes in memory, as the signs of distances. `None` if the game has none, or if the
    /// choice is another.
    pub(crate) fn of_outcomes_in_memory(choice: EngineChoice, memory: Option<u64>) -> Option<Self> {
        let engines = of_hunts(Metric::Wdl);
        (choice == EngineChoice::Best && !engines.is_empty()).then_some(Engines { engines, memory })
    }
}

/// The engines for games of a lone man against a pack, if the game is one of those.
fn of_hunts<G: Game>(metric: Metric) -> Vec<Box<dyn DistanceEngine<G>>> {
    [if_of(of_fox_hounds(metric)), if_of(of_hasenspiel(metric))].into_iter().flatten().collect()
}

/// An engine of one game as one of another, if the two are the same.
fn if_of<A: ?Sized + 'static, B: ?Sized + 'static>(engine: Box<A>) -> Option<Box<B>> {
    let engine: Box<dyn Any> = Box::new(engine);
    engine.downcast().ok().map(|engine| *engine)
}

impl<E: ?Sized> Engines<E> {
    /// One engine alone, as long as it gets by with the memory.
    #[cfg(test)]
    pub(crate) fn only(engine: Box<E>, memory: Option<u64>) -> Engines<E> {
        Engines { engines: vec![engine], memory }
    }

    /// How to solve a layer.
    pub(crate) fn of<G: Game>(&self, game: &G, layer: u16, index: &G::Index) -> Plan<'_, E>
    where
        E: Cost<G>,
    {
        let last = self.engines.last().expect("there is an engine for everything");
        let mut least = self.plan(&**last, last.memory(game, layer, index));
        for engine in &self.engines {
            let plan = self.plan(&**engine, engine.memory(game, layer, index));
            if plan.fits {
                return plan;
            }
            let Some(Spilled { memory, scratch }) = engine.spilled(game, layer, index) else { continue };
            let plan = Plan { scratch: Some(scratch), ..self.plan(&**engine, memory) };
            if plan.fits {
                return plan;
            }
            // Nothing may do; then what comes nearest is what to speak of.
            if !least.fits && plan.memory < least.memory {
                least = plan;
            }
        }
        least
    }

    fn plan<'e>(&self, engine: &'e E, memory: u64) -> Plan<'e, E> {
        Plan { engine, memory, scratch: None, fits: self.memory.is_none_or(|budget| memory <= budget) }
    }
}

/// How a layer is to be solved.
pub(crate) struct Plan<'e, E: ?Sized> {
    pub(crate) engine: &'e E,
    /// The memory that it takes, in bytes.
    pub(crate) memory: u64,
    /// The disk space that scratch files take, in bytes; `None` without such files.
    pub(crate) scratch: Option<u64>,
    /// Whether that memory may be used.
    pub(crate) fits: bool,
}

impl<'e, E: ?Sized> Plan<'e, E> {
    /// The plan with its engine seen as something more general.
    pub(crate) fn seen_as<F: ?Sized>(self, view: impl FnOnce(&'e E) -> &'e F) -> Plan<'e, F> {
        Plan { engine: view(self.engine), memory: self.memory, scratch: self.scratch, fits: self.fits }
    }
}
