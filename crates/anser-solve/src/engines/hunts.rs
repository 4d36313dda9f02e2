//! Values of the games of a lone man against a pack, by the solver of whole rows: distances, and outcomes as the signs of
//! distances.
//!
//! For outcomes the rows of the layer below may come from a table of outcomes, each win as one in no plies. What follows from
//! them then has distances that are too short, and the same outcomes: whether a move keeps a win does not depend on how long
//! the win takes.

use std::sync::{Mutex, OnceLock, PoisonError};

use anser_core::fox_hounds::FoxHounds;
use anser_core::hasenspiel::Hasenspiel;
use anser_core::hounds::HoundsIndex;
use anser_core::{Dtw, Game, LayerIndex, Side};
use anser_table::format::{ENTRIES_PER_PAIR, get, outcome_of, pairs};
use anser_table::{Metric, Table};

use crate::SolveError;
use crate::engines::distances::{DistanceEngine, DistanceTask, Distances};
use crate::engines::engine::{Cost, Effort};
use crate::error::metric_words;
use anser_analyse::hounds::{HoundsSolver, LoneRows};

/// Values that are read from a table at a time.
const READ: usize = 1 << 16;

/// Seconds that a thread takes for an entry: measured on 8 x 8 to 12 x 12, writing the codes included.
const SECONDS_PER_ENTRY: f64 = 8e-9;

/// See the module.
pub(crate) struct HuntDistances {
    /// What is computed, and read of the layer below.
    metric: Metric,
    solver: OnceLock<HoundsSolver>,
    /// The rows of the layer solved last, which the layer above rests on.
    rows: Mutex<Option<(u16, LoneRows)>>,
}

impl<G> Cost<G> for HuntDistances
where
    G: Game<Index = HoundsIndex>,
    for<'g> HoundsSolver: From<&'g G>,
{
    fn name(&self) -> &'static str {
        "rows"
    }

    fn memory(&self, game: &G, layer: u16, index: &HoundsIndex) -> u64 {
        let codes: u64 = Side::BOTH.iter().map(|&side| 2 * index.len(side)).sum();
        let solver = self.solver(game);
        let below: u64 = game.lower_layers(layer).into_iter().map(|lower| solver.rows_len(lower)).sum();
        codes + solver.rows_len(layer) + below
    }

    fn effort(&self, _game: &G, _layer: u16, index: &HoundsIndex) -> Effort {
        let entries: u64 = Side::BOTH.iter().map(|&side| index.len(side)).sum();
        Effort { alone: 0.0, shared: entries as f64 }
    }

    fn measure(&self, _game: &G, _layer: u16, _index: &HoundsIndex) -> f64 {
        SECONDS_PER_ENTRY
    }
}

impl<G> DistanceEngine<G> for HuntDistances
where
    G: Game<Index = HoundsIndex>,
    for<'g> HoundsSolver: From<&'g G>,
{
    fn solve(&self, task: &DistanceTask<'_, G>) -> Result<Distances, SolveError> {
        let solver = self.solver(task.game);
        let lower = match task.game.lower_layers(task.layer).first() {
            Some(&lower) => Some(self.rows(task, solver, lower)?),
            None => None,
        };
        task.check_interrupt()?;
        let entries = Side::BOTH.map(|side| task.index.len(side));
        task.announce("rows".into(), entries.iter().sum());
        let mut codes = entries.map(|entries| vec![0_u16; entries as usize]);
        let [first, second] = &mut codes;
        let rows = solver.fill(task.layer, lower.as_ref(), [first, second], Dtw::code);
        task.observer.advance(entries.iter().sum());
        *self.rows.lock().unwrap_or_else(PoisonError::into_inner) = Some((task.layer, rows));
        // The pack's moves leave the layer, the lone man's lead to positions with the pack to move: a pass for each.
        Ok(Distances { codes, rounds: 1 })
    }
}

impl HuntDistances {
    fn new(metric: Metric) -> HuntDistances {
        HuntDistances { metric, solver: OnceLock::new(), rows: Mutex::new(None) }
    }

    fn solver<G: Game>(&self, game: &G) -> &HoundsSolver
    where
        for<'g> HoundsSolver: From<&'g G>,
    {
        self.solver.get_or_init(|| HoundsSolver::from(game))
    }

    /// The rows of the layer below: still there, or from its table.
    fn rows<G: Game>(
        &self,
        task: &DistanceTask<'_, G>,
        solver: &HoundsSolver,
        lower: u16,
    ) -> Result<LoneRows, SolveError> {
        let kept = self.rows.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((_, rows)) = kept.filter(|&(layer, _)| layer == lower) {
            return Ok(rows);
        }
        let table = task.lower.table_of(lower, self.metric)?;
        let len = task.game.index(lower).len(Side::First);
        task.announce(format!("layer {lower}"), len);
        let mut codes = vec![0; len as usize];
        for (chunk, codes) in codes.chunks_mut(READ).enumerate() {
            task.check_interrupt()?;
            read(table, (chunk * READ) as u64, codes, self.metric)?;
            task.observer.advance(codes.len() as u64);
        }
        let value = |entry: u64| codes.get(entry as usize).and_then(|&code| Dtw::from_code(code)).unwrap_or(Dtw::DRAW);
        // A draw is no value of such a game, so that neither is a code that is none.
        let rows = solver.rows(lower, value);
        rows.ok_or_else(|| SolveError::Wrong {
            path: table.path().to_owned(),
            problem: "it holds a value that no position of this game has".into(),
            command: format!(
                "anser solve {} --rules {} --layers {lower}{}",
                task.game.name(),
                task.game.rules_id(),
                metric_words(self.metric)
            ),
        })
    }
}

/// Reads the codes with the lone man to move from `first` on, a multiple of 64.
fn read(table: &Table, first: u64, codes: &mut [u16], metric: Metric) -> Result<(), SolveError> {
    let stored = if metric == Metric::Dtw {
        table.read_codes(Side::First, first, codes)?
    } else {
        let mut words = vec![0; 2 * pairs(codes.len() as u64) as usize];
        let stored = table.read_pairs(Side::First, first / ENTRIES_PER_PAIR, &mut words)?;
        for (entry, code) in (0..).zip(codes) {
            *code = outcome_of(get(&words, entry)).map_or(u16::MAX, |outcome| Dtw::ended(outcome).code());
        }
        stored
    };
    debug_assert!(stored, "raw tables, and those of distances, hold both sides");
    Ok(())
}

/// The engine of a metric as one of Fox-and-Hounds.
pub(crate) fn of_fox_hounds(metric: Metric) -> Box<dyn DistanceEngine<FoxHounds>> {
    Box::new(HuntDistances::new(metric))
}

/// The engine of a metric as one of Hasenspiel.
pub(crate) fn of_hasenspiel(metric: Metric) -> Box<dyn DistanceEngine<Hasenspiel>> {
    Box::new(HuntDistances::new(metric))
}
