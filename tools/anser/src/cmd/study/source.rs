//! The values for a study: those of tables, or of a solution in memory.

use anser_core::{Hunt, ProbeLayer, Side};
use anser_games::{Files, Scope, Size, ValueError, Values};
use anser_retrograde::{AnalyseError, Limits};
use anser_table::Metric;

use super::StudyArgs;
use crate::args::{AccessMode, OfferArgs};
use crate::cost::Cost;
use crate::failure::Failure;
use crate::offer::Offer;
use crate::output::note;
use crate::progress::Progress;
use crate::temporary::TemporaryDir;
use crate::text::grouped;
use crate::values;

/// Greatest number of classes in tables, each of which is visited with its moves: an hour on two
/// cores.
const MOST_IN_TABLES: u64 = 4_000_000_000;

/// The values of a game, or of the positions that play can reach.
pub(super) struct Found {
    pub(super) values: Values,
    /// Whether they are those of all positions.
    pub(super) is_whole: bool,
    /// The directory of the tables, if they were solved for these values alone.
    _temporary: Option<TemporaryDir>,
}

impl StudyArgs {
    /// Finds the values of all positions of a game or, if they are too many or not requested, of
    /// those that play from the start can reach.
    pub(super) fn values(
        &self,
        game: &Hunt,
        mode: AccessMode,
        progress: &Progress,
        limits: Limits<'_>,
    ) -> Result<Found, Failure> {
        let mut tables = self.tables.clone();
        let temporary = self.solved_into_tables(game, mode, progress)?;
        tables.temporary = temporary.as_ref().map(|dir| dir.path().to_owned());
        let find = |scope: &Scope| {
            let cost = Cost(scope.size(game));
            // Here the size decides what is solved, also with --memory.
            let is_tried = self.tables.dirs.is_empty() && cost.is_allowed(&self.resources);
            let solves: fn(Size) -> bool = if is_tried { |_| true } else { |_| false };
            let sources = values::sources(&tables, &mode, &self.resources, solves, progress);
            Values::find(game, scope, Metric::Dtw, &Files { limits, solves, ..sources })
        };
        let start = game.layer(&game.start());
        let needed = game.descent([start]);
        if !self.reachable {
            let (scope, layers) = (Scope::Layers(game.layers()), game.layers().collect::<Vec<_>>());
            match find(&scope) {
                Ok(values) if is_held(&values, &layers) => {
                    self.check_tables(game, &values, scope.size(game))?;
                    return Ok(Found { values, is_whole: true, _temporary: temporary });
                }
                // Fewer positions may be reachable.
                Ok(_) | Err(ValueError::Analyse(AnalyseError::Memory { .. })) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let scope = Scope::Position(game.start());
        let values = find(&scope)?;
        if is_held(&values, &needed) {
            self.check_tables(game, &values, scope.size(game))?;
            if !self.reachable {
                note(format_args!(
                    "rules {}: only positions that play can reach are studied, because all \
                     positions do not fit into the memory, and have no tables",
                    game.rules_id()
                ));
            }
            return Ok(Found { values, is_whole: false, _temporary: temporary });
        }
        if !self.tables.dirs.is_empty() {
            // The error names the highest missing layer; its advice covers those below.
            let read = |&layer: &u16| values.read_distances(layer, Side::First, 0, &mut []);
            needed.iter().rev().try_for_each(read)?;
        }
        let (word, rules, cost) = (self.name()?, game.rules_id(), Cost(scope.size(game)));
        Err(Failure::usage(format!(
            "play from the start can reach up to {}",
            cost.refusal(game.name(), &self.resources)
        ))
        .advice(format_args!(
            "`anser solve {word} --rules {rules} --metric wdl,dtw` makes tables, which this command \
             reads; or {}",
            cost.advice(&self.resources)
        )))
    }

    /// Solves a game that is not small into tables, if that takes seconds and it has none: engines
    /// that make tables are faster than the one that solves in memory. Where only the positions
    /// that play can reach are requested, these may be few.
    fn solved_into_tables(
        &self,
        game: &Hunt,
        mode: AccessMode,
        progress: &Progress,
    ) -> Result<Option<TemporaryDir>, Failure> {
        let scope = Scope::Layers(game.layers());
        if self.reachable || !self.tables.dirs.is_empty() || scope.size(game).is_small() {
            return Ok(None);
        }
        let never = |_| false;
        let sources = values::sources(&self.tables, &mode, &self.resources, never, progress);
        let found = Values::find(game, &scope, Metric::Dtw, &Files { solves: never, ..sources })?;
        if is_held(&found, &game.layers().collect::<Vec<_>>()) {
            return Ok(None);
        }
        let (args, resources) = (OfferArgs { solve: false }, Some(&self.resources));
        let offer = Offer { args: &args, json: self.json, tables: &self.tables, resources };
        offer.solve_briefly(game, game.layers(), Metric::Dtw, progress)
    }

    /// Fails if there are too many positions in tables to visit each.
    fn check_tables(&self, game: &Hunt, values: &Values, size: Size) -> Result<(), Failure> {
        if values.tables().is_none()
            || size.classes <= MOST_IN_TABLES
            || self.resources.given_memory().is_some()
        {
            return Ok(());
        }
        let (word, rules) = (self.name()?, game.rules_id());
        Err(Failure::usage(format!(
            "{} has {} positions, symmetric ones counted once, and a study visits each with its \
             moves: at most {} without --memory",
            game.name(),
            grouped(size.classes),
            grouped(MOST_IN_TABLES)
        ))
        .advice(format_args!(
            "`anser stats {word} --rules {rules}` counts wins from the tables; census, hardest, and \
             zugzwang answer about layers"
        )))
    }
}

/// Whether the values include the distances of these layers.
fn is_held(values: &Values, layers: &[u16]) -> bool {
    let tables = values.tables();
    tables.is_none_or(|tables| layers.iter().all(|&layer| tables.has_values(layer, Metric::Dtw)))
}
