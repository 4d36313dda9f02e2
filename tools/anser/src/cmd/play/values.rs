//! Where the values come from: a solution in memory, or tables.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use anser_analyse::{Solution, Source, Worth};
use anser_core::{Dtw, Game};
use anser_table::{ProbeError, Tablebase};

use crate::args::TablesArgs;
use crate::asking::{AboutArgs, Watch};
use crate::failure::Failure;
use crate::output::note;
use crate::tables;
use crate::values::Size;

/// Games with no more classes than this are solved in memory where there are no tables and no play goes round.
const LARGE: u64 = 400_000_000;

/// See the module.
pub(super) enum Values<G: Game> {
    Solution(Solution<G>),
    Tables(Tables<G>),
}

impl<G: Game> Values<G> {
    /// The values of everything that can be reached from the position in question, as far as they are to be had.
    ///
    /// Tables that were named are used, and so is memory that was allowed. Otherwise games that are small enough are solved;
    /// for others there are the tables that usually are there.
    pub(super) fn find(game: &G, about: &AboutArgs, args: &TablesArgs) -> Result<Values<G>, Failure> {
        let watch = Watch::new()?;
        let root = about.position(game)?;
        let size = Size::below(game, &root);
        let named = !args.dirs.is_empty();
        let solve = !named && (about.effort.says_memory() || size.is_small());
        let values = if solve {
            Values::Solution(about.solution(game, &watch)?)
        } else {
            let tables = Tables::new(tables::open(game, args)?);
            if named || size.goes_round || size.classes > LARGE || tables.has(&root) {
                // What is missing is told by the highest layer.
                let _ = tables.worth(&root);
                Values::Tables(tables)
            } else {
                Values::Solution(about.solution(game, &watch)?)
            }
        };
        watch.finish();
        Ok(values)
    }

    pub(super) fn source(&self) -> &dyn Source<G> {
        match self {
            Values::Solution(solution) => solution,
            Values::Tables(tables) => tables,
        }
    }
}

/// Tables, with what was told about those that are missing.
pub(super) struct Tables<G: Game> {
    files: Tablebase<G>,
    /// The highest layer of those that are missing: the advice about it covers those below.
    missing: Cell<Option<u16>>,
    /// The layers whose tables cannot be used.
    unusable: RefCell<BTreeSet<u16>>,
}

impl<G: Game> Tables<G> {
    fn new(files: Tablebase<G>) -> Tables<G> {
        Tables { files, missing: Cell::default(), unusable: RefCell::default() }
    }

    /// Whether the layer of a position has a table.
    fn has(&self, position: &G::Position) -> bool {
        self.files.layers().any(|layer| layer == self.files.game().layer(position))
    }

    /// Tells why a position is not known, once.
    fn tell(&self, position: &G::Position, error: &ProbeError) {
        let is_new = match error {
            ProbeError::MissingLayer(missing) => {
                let higher = self.missing.get().is_none_or(|told| told < missing.layer);
                self.missing.set(self.missing.get().max(Some(missing.layer)));
                higher
            }
            ProbeError::Table(_) => self.unusable.borrow_mut().insert(self.files.game().layer(position)),
        };
        if is_new {
            note(format_args!("{error}; until then the computer does not know the positions of that layer"));
        }
    }
}

impl<G: Game> Source<G> for Tables<G> {
    fn worth(&self, position: &G::Position) -> Option<Worth> {
        match self.files.probe_value(position) {
            Ok(value) => Some(Worth { outcome: value.outcome, plies: value.dtw.and_then(Dtw::plies) }),
            Err(error) => {
                self.tell(position, &error);
                None
            }
        }
    }
}
