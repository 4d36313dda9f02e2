//! What every engine has in common: it fills one layer in place.

use std::any::Any;

use anser_core::Game;
use anser_core::fox_geese::FoxGeese;
use anser_table::Tablebase;

use crate::cross::Cross;
use crate::general::General;
use crate::observer::Observer;
use crate::planes::Planes;
use crate::progress::Progress;
use crate::{Event, SolveError};

/// An algorithm that solves a layer.
///
/// Engines differ in speed and memory alone: the values they leave are the same to the last bit.
pub(crate) trait Engine<G: Game>: Sync {
    /// The name that reports show.
    fn name(&self) -> &'static str;

    /// The memory in bytes that a layer needs besides its values: `classes` for each side to move.
    fn extra_memory(&self, classes: [u64; 2]) -> u64;

    /// Solves the layer. What an earlier run left in `task.planes` and `task.progress` is gone on with.
    fn solve(&self, task: &Task<'_, G>) -> Result<(), SolveError>;
}

/// One layer to be solved.
pub(crate) struct Task<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) layer: u16,
    pub(crate) index: &'a G::Index,
    pub(crate) planes: Planes<'a>,
    /// How far the work is; kept in the same file as the values.
    pub(crate) progress: Progress<'a>,
    pub(crate) lower: &'a dyn Lower<G>,
    pub(crate) observer: &'a dyn Observer,
}

/// The layers below, there while the moves that leave the layer are folded in.
pub(crate) trait Lower<G: Game>: Sync {
    /// Maps them.
    fn open(&self) -> Result<Tablebase<G>, SolveError>;
    /// Lets them go again, and reports what that did to the memory.
    fn release(&self, tables: Tablebase<G>);
    /// Sees to it that everything written so far would survive a loss of power.
    fn make_durable(&self) -> Result<(), SolveError>;
}

impl<G: Game> Task<'_, G> {
    /// An error if somebody asked to stop.
    pub(crate) fn check_interrupt(&self) -> Result<(), SolveError> {
        if self.observer.interrupted() { Err(SolveError::Interrupted) } else { Ok(()) }
    }

    pub(crate) fn announce(&self, what: String, units: u64) {
        self.observer.event(&Event::Work { what, units });
    }
}

/// The fastest engine for a game.
pub(crate) fn best<G: Game>() -> Box<dyn Engine<G>> {
    let cross: Box<dyn Engine<FoxGeese>> = Box::new(Cross::new());
    // The same type if `G` is Fox-and-Geese, and that is all that is asked here.
    let cross: Box<dyn Any> = Box::new(cross);
    if std::env::var_os("GENERAL").is_none()
        && let Ok(engine) = cross.downcast::<Box<dyn Engine<G>>>()
    {
        return *engine;
    }
    Box::new(General)
}
