//! Values for play, with notes on tables that are missing.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use anser_analyse::Advisor;
use anser_core::{Hunt, Outcome, Probe, Value, hunt};
use anser_games::{Scope, Size, Sources, Values, solve_command};
use anser_retrograde::{AnalyseError, Solution};
use anser_table::{Metric, ProbeError, Tablebase};

use crate::args::{AccessMode, ResourceArgs, TablesArgs};
use crate::failure::{Failure, words};
use crate::games;
use crate::offer::{Offer, Offered};
use crate::output::note;
use crate::progress::Progress;
use crate::tables;
use crate::temporary::TemporaryDir;
use crate::values;

/// Largest number of classes of a game without loops that is solved in memory if it has no tables.
const LARGE: u64 = 400_000_000;

/// Source of values for players and records.
pub(crate) type PlayAdvisor<'a> = dyn Advisor<Error = AnalyseError> + 'a;

/// Values of a game, with a record of the notes written about missing ones.
pub(crate) struct PlayValues {
    values: Values,
    /// Layers with a table.
    layers: BTreeSet<u16>,
    /// Highest missing layer reported; its advice covers the layers below.
    missing: Cell<Option<u16>>,
    /// Layers reported as unusable.
    unusable: RefCell<BTreeSet<u16>>,
    /// Why the first of the files cannot be used that cannot.
    failure: RefCell<Option<Failure>>,
    /// The directory of tables that were solved for these values alone.
    _temporary: Option<TemporaryDir>,
}

impl PlayValues {
    fn new(values: Values) -> PlayValues {
        PlayValues {
            layers: values.tables().into_iter().flat_map(Tablebase::layers).collect(),
            values,
            missing: Cell::default(),
            unusable: RefCell::default(),
            failure: RefCell::default(),
            _temporary: None,
        }
    }

    /// Solves a small game from `root` in memory, also if there are tables of it; none if tables
    /// are named, or if the game is not small and no memory is allowed.
    pub(crate) fn solve(
        game: &Hunt,
        root: &hunt::Position,
        resources: &ResourceArgs,
        args: &TablesArgs,
    ) -> Result<Option<PlayValues>, Failure> {
        let (scope, progress) = (Scope::Position(*root), Progress::of_answer()?);
        let sources =
            values::sources(args, &AccessMode::Read, resources, Size::is_small, &progress);
        if !sources.solves(scope.size(game)) {
            return Ok(None);
        }
        let solution = sources.solve(game, &scope)?;
        progress.finish();
        Ok(Some(PlayValues::new(Values::Solution(solution))))
    }

    /// Finds the values of the positions reachable from `root`, as far as they are available.
    /// Solves missing tables that take seconds, and offers to solve others.
    pub(crate) fn find(
        game: &Hunt,
        root: &hunt::Position,
        resources: &ResourceArgs,
        offer: &Offer<'_>,
    ) -> Result<PlayValues, Failure> {
        let layer = game.layer(root);
        let mut args = offer.tables.clone();
        let find = |args: &TablesArgs| {
            let is_small =
                |size: Size| size.is_small() || (!size.is_loopy && size.classes <= LARGE);
            let (scope, from) = (Scope::Position(*root), (args, AccessMode::Read));
            let values = values::find(game, &scope, Metric::Dtw, from, resources, is_small)?;
            Ok::<_, Failure>(PlayValues::new(values))
        };
        let mut found = find(&args)?;
        let brief = |metric, args: &mut TablesArgs| {
            let progress = Progress::of_answer()?;
            let layers = game.first_needed(layer)..=layer;
            let dir = offer.solve_briefly(game, layers, metric, &progress)?;
            progress.finish();
            let Some(dir) = dir else { return Ok(None) };
            args.temporary = Some(dir.path().to_owned());
            Ok::<_, Failure>(Some(PlayValues { _temporary: Some(dir), ..find(args)? }))
        };
        let has_distances = |tables: &Tablebase| tables.has_values(layer, Metric::Dtw);
        if game.terminal(root).is_none()
            && !found.values.tables().is_none_or(has_distances)
            && let Some(solved) = brief(Metric::Dtw, &mut args)?
        {
            found = solved;
        }
        loop {
            let Some(tables) = found.values.tables() else { return Ok(found) };
            match tables.probe(root) {
                Ok(_) => {
                    if let Some(failure) = tables::unusable(tables, game.descent([layer])) {
                        note(failure.message());
                        found.failure.replace(Some(failure));
                    }
                    return Ok(found);
                }
                Err(ProbeError::MissingLayer(missing)) => match offer.make(game, &missing)? {
                    Offered::Solved => found = find(&args)?,
                    Offered::Declined(how) => {
                        if let Some(solved) = brief(Metric::Wdl, &mut args)? {
                            return Ok(solved);
                        }
                        let error = ProbeError::MissingLayer(missing);
                        found.report(game, root, &error, how.as_deref());
                        return Ok(found);
                    }
                },
                Err(error) => {
                    found.report(game, root, &error, None);
                    return Ok(found);
                }
            }
        }
    }

    /// The solution in memory that the values come from, if they do.
    pub(crate) fn solution(&self) -> Option<&Solution> {
        match &self.values {
            Values::Solution(solution) => Some(solution),
            Values::Tables(_) => None,
        }
    }

    /// Fails if a file was there and could not be used.
    pub(crate) fn check_usable(&self) -> Result<(), Failure> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Advice for a won position without a distance: the command that computes distances.
    pub(crate) fn advice(&self, position: &hunt::Position) -> Option<String> {
        let tables = self.values.tables()?;
        match (self.value(position).ok()?, tables.probe_distance(position)) {
            (
                Value { outcome: Outcome::Win(_), plies: None },
                Err(ProbeError::MissingLayer(missing)),
            ) => Some(format!(
                "the outcome is known, but not the distance, so the computer may not convert a won \
                 position; `{}` computes the distances",
                solve_command(games::registry(), &missing, missing.metric)
            )),
            _ => None,
        }
    }

    /// Notes why the value of a position is not known, once per cause.
    fn report(
        &self,
        game: &Hunt,
        position: &hunt::Position,
        error: &ProbeError,
        how: Option<&str>,
    ) {
        let is_new = match error {
            ProbeError::MissingLayer(missing) => {
                let higher = self.missing.get().is_none_or(|reported| reported < missing.layer);
                self.missing.set(self.missing.get().max(Some(missing.layer)));
                higher
            }
            ProbeError::Table(error) => {
                self.failure.borrow_mut().get_or_insert_with(|| error.clone().into());
                self.unusable.borrow_mut().insert(game.layer(position))
            }
        };
        if is_new {
            let how = how.map(|how| format!(" ({how})")).unwrap_or_default();
            note(format_args!(
                "{}{how}; until then the values of its positions are not known",
                words(error)
            ));
        }
    }
}

impl Probe for PlayValues {
    type Error = AnalyseError;

    fn value(&self, position: &hunt::Position) -> Result<Value, AnalyseError> {
        let tables = match &self.values {
            Values::Solution(solution) => return solution.value(position),
            Values::Tables(tables) => tables,
        };
        let game = tables.game();
        let unknown = || AnalyseError::unknown(game, position);
        // A search probes many positions of missing layers.
        let layer = game.layer(position);
        if self.missing.get() >= Some(layer) && !self.layers.contains(&layer) {
            return game.terminal(position).map(Value::ended).ok_or_else(unknown);
        }
        tables.probe(position).map_err(|error| {
            self.report(game, position, &error, None);
            unknown()
        })
    }
}

impl Advisor for PlayValues {}
