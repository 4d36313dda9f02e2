//! Lower layers of the layer that is being solved.

use anser_table::Tablebase;

use super::directory::Run;
use super::recorder::Recorder;
use crate::SolveError;
use crate::engines::engine::Lower;
use crate::observer::Event;
use crate::system::memory::resident_memory;

/// The tables of the layers that moves of one layer lead to.
pub(super) struct LowerTables<'r, 's> {
    pub(super) run: &'r Run<'r>,
    pub(super) recorder: &'r Recorder<'s>,
    pub(super) layer: u16,
}

impl Lower for LowerTables<'_, '_> {
    fn open(&self) -> Result<Tablebase, SolveError> {
        let Run { game, dir, .. } = *self.run;
        // Before the directory is read: a table that gets its name now is found there.
        let unnamed = match self.run.open_unnamed() {
            Ok(tables) => tables,
            Err(_) => self.recorder.wait().map(|()| Vec::new())?,
        };
        // SAFETY: the directory is locked, and this run does not change complete tables.
        let tables = unsafe { Tablebase::open_mapped(game.clone(), [dir]) }?;
        Ok(if unnamed.is_empty() { tables } else { tables.with_tables(dir, unnamed) })
    }

    fn release(&self, tables: Tablebase) {
        let before = resident_memory();
        drop(tables);
        let resident = before.zip(resident_memory());
        let layers = self.run.game.lower_layers(self.layer);
        if !layers.is_empty() {
            self.run.observer.event(&Event::Released { layers, resident });
        }
    }
}
