//! Values for play: a solution in memory, or tables.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use anser_analyse::{Advisor, AnalyseError, Solution};
use anser_core::{Hunt, Outcome, Probe, Value, hunt};
use anser_games::{Size, solve_command};
use anser_table::{ProbeError, Tablebase};

use crate::args::ResourceArgs;
use crate::args::{AccessMode, TablesArgs};
use crate::failure::{Failure, words};
use crate::offer::{Offer, Offered};
use crate::output::note;
use crate::progress::Progress;
use crate::tables;

/// Largest number of classes of a game without loops that is solved in memory if it has no tables.
const LARGE: u64 = 400_000_000;

/// Source of values for players and records.
pub(crate) type PlayAdvisor<'a> = dyn Advisor<Error = AnalyseError> + 'a;

/// Values of a game.
pub(crate) enum PlayValues {
    Solution(Solution),
    Tables(Tables),
}

impl PlayValues {
    /// Finds the values of the positions reachable from `root`, as far as they are available.
    ///
    /// Uses the tables given with --tables, or solves in memory if --memory is given or the game is
    /// small. Otherwise uses the tables of the default directories, and offers to solve missing
    /// ones.
    pub(crate) fn find(
        game: &Hunt,
        root: &hunt::Position,
        resources: &ResourceArgs,
        args: &TablesArgs,
        offer: &Offer<'_>,
    ) -> Result<PlayValues, Failure> {
        let progress = Progress::of_answer()?;
        let size = Size::below(game, root);
        let named = !args.dirs.is_empty();
        let solve = !named && (resources.given_memory().is_some() || size.is_small());
        let values = if solve {
            solved(game, root, resources, &progress)?
        } else {
            let tables = Tables::new(tables::open(game, args, AccessMode::Read)?);
            if named || size.is_loopy || size.classes > LARGE || tables.has(root) {
                PlayValues::Tables(tables.completed(root, args, offer)?)
            } else {
                solved(game, root, resources, &progress)?
            }
        };
        progress.finish();
        Ok(values)
    }

    /// Tables that the values come from, if any.
    pub(crate) fn tables(&self) -> Option<&Tables> {
        match self {
            PlayValues::Solution(_) => None,
            PlayValues::Tables(tables) => Some(tables),
        }
    }

    pub(crate) fn source(&self) -> &PlayAdvisor<'_> {
        match self {
            PlayValues::Solution(solution) => solution,
            PlayValues::Tables(tables) => tables,
        }
    }
}

fn solved(
    game: &Hunt,
    root: &hunt::Position,
    resources: &ResourceArgs,
    progress: &Progress,
) -> Result<PlayValues, Failure> {
    Ok(PlayValues::Solution(Solution::reachable_within(game, root, &resources.limits(progress))?))
}

/// Tables, with a record of the notes written about missing ones.
pub(crate) struct Tables {
    files: Tablebase,
    /// Layers with a table.
    layers: BTreeSet<u16>,
    /// Highest missing layer reported; its advice covers the layers below.
    missing: Cell<Option<u16>>,
    /// Layers reported as unusable.
    unusable: RefCell<BTreeSet<u16>>,
    /// Why the first of the files cannot be used that cannot.
    failure: RefCell<Option<Failure>>,
}

impl Tables {
    fn new(files: Tablebase) -> Tables {
        Tables {
            layers: files.layers().collect(),
            files,
            missing: Cell::default(),
            unusable: RefCell::default(),
            failure: RefCell::default(),
        }
    }

    /// Fails if a file was there and could not be used.
    pub(crate) fn check_usable(&self) -> Result<(), Failure> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Whether the layer of a position has a table.
    fn has(&self, position: &hunt::Position) -> bool {
        self.layers.contains(&self.files.game().layer(position))
    }

    /// Offers to solve the tables that `root` lacks, and adds them.
    fn completed(
        self,
        root: &hunt::Position,
        args: &TablesArgs,
        offer: &Offer<'_>,
    ) -> Result<Tables, Failure> {
        let mut tables = self;
        loop {
            let missing = match tables.files.probe(root) {
                Ok(_) => {
                    let (game, files) = (tables.files.game(), &tables.files);
                    if let Some(failure) = tables::unusable(files, game.descent(game.layer(root))) {
                        note(failure.message());
                        tables.failure.replace(Some(failure));
                    }
                    return Ok(tables);
                }
                Err(ProbeError::MissingLayer(missing)) => missing,
                Err(error) => {
                    tables.report(root, &error, None);
                    return Ok(tables);
                }
            };
            match offer.make(tables.files.game(), &missing)? {
                Offered::Solved => {
                    tables =
                        Tables::new(tables::open(tables.files.game(), args, AccessMode::Read)?);
                }
                Offered::Declined(how) => {
                    tables.report(root, &ProbeError::MissingLayer(missing), how.as_deref());
                    return Ok(tables);
                }
            }
        }
    }

    /// Advice for a won position without a distance: the command that computes distances.
    pub(crate) fn advice(&self, position: &hunt::Position) -> Option<String> {
        match (self.value(position).ok()?, self.files.probe_distance(position)) {
            (
                Value { outcome: Outcome::Win(_), plies: None },
                Err(ProbeError::MissingLayer(missing)),
            ) => Some(format!(
                "the outcome is known, but not the distance, so the computer may not convert a won position; `{}` \
                 computes the distances",
                solve_command(&missing, missing.metric)
            )),
            _ => None,
        }
    }

    /// Notes why the value of a position is not known, once per cause.
    fn report(&self, position: &hunt::Position, error: &ProbeError, how: Option<&str>) {
        let is_new = match error {
            ProbeError::MissingLayer(missing) => {
                let higher = self.missing.get().is_none_or(|reported| reported < missing.layer);
                self.missing.set(self.missing.get().max(Some(missing.layer)));
                higher
            }
            ProbeError::Table(error) => {
                self.failure.borrow_mut().get_or_insert_with(|| error.clone().into());
                self.unusable.borrow_mut().insert(self.files.game().layer(position))
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

impl Probe for Tables {
    type Error = AnalyseError;

    fn value(&self, position: &hunt::Position) -> Result<Value, AnalyseError> {
        let game = self.files.game();
        let unknown = || AnalyseError::Unknown { position: game.format_position(position) };
        // A search probes many positions of missing layers.
        if self.missing.get() >= Some(game.layer(position)) && !self.has(position) {
            return game.terminal(position).map(Value::ended).ok_or_else(unknown);
        }
        self.files.probe(position).map_err(|error| {
            self.report(position, &error, None);
            unknown()
        })
    }
}

impl Advisor for Tables {}
