//! The engine of games of one piece against a pack that only moves forward, as Fox-and-Hounds and
//! Hasenspiel.
//!
//! It computes distances by whole rows, one for each arrangement of the pack. If only outcomes are
//! requested, the layer below may come from a table of outcomes, each win as one in 0 plies. The
//! distances that follow are too short, but the outcomes are right: they do not depend on
//! distances.

use std::sync::{Mutex, OnceLock};

use anser_core::{BySide, Dtw, Hunt, LayerIndex, Side};
use anser_table::Metric;

use super::engine::{Engine, Filled, Needs, Task, read_codes};
use crate::error::{TableFault, WrongTable};
use crate::run::metrics::Metrics;
use crate::{LayerOf, SolveError, check_interrupt};
use anser_retrograde::hounds::{HoundsSolver, LoneRows};
use anser_retrograde::parallel::lock;

/// Number of values read from a table at a time, a multiple of 64.
const READ: usize = 1 << 16;

/// Seconds per entry of one thread, with writing the codes. Measured on 8 x 8 to 12 x 12.
const SECONDS_PER_ENTRY: f64 = 8e-9;

/// See the module.
#[derive(Default)]
pub(crate) struct Rows {
    solver: OnceLock<HoundsSolver>,
    /// The layer solved last, which the layer above depends on.
    last: Mutex<Option<RowsOfLayer>>,
}

/// The rows of a solved layer.
struct RowsOfLayer {
    layer: u16,
    /// [`Metric::Dtw`] if the distances in the rows are right, [`Metric::Wdl`] if only the outcomes
    /// are.
    holds: Metric,
    rows: LoneRows,
}

impl Engine for Rows {
    fn name(&self) -> &'static str {
        "rows"
    }

    fn needs(&self, of: LayerOf<'_>, _: Metrics) -> Needs {
        let solver = self.solver(of.game);
        let lower = of.game.lower_layers(of.layer);
        let below: u64 = lower.into_iter().map(|lower| solver.rows_len(lower)).sum();
        let memory = 2 * of.classes() + solver.rows_len(of.layer) + below;
        Needs { memory, ..Needs::default() }
    }

    fn measure(&self, _: LayerOf<'_>) -> f64 {
        SECONDS_PER_ENTRY
    }

    fn solve(&self, task: &Task<'_>) -> Result<Filled, SolveError> {
        let solver = self.solver(task.game);
        let holds = if task.metrics.contains(Metric::Dtw) { Metric::Dtw } else { Metric::Wdl };
        let lower = match task.game.lower_layers(task.layer).first() {
            Some(&lower) => Some(self.rows(task, solver, lower, holds)?),
            None => None,
        };
        check_interrupt(task.observer)?;
        let entries = Side::BOTH.map(|side| task.index.len(side));
        task.begin("rows", entries.iter().sum());
        let mut codes = entries.map(|entries| vec![0_u16; entries as usize]);
        let [first, second] = &mut codes;
        let rows = solver.fill(task.layer, lower.as_ref(), [first, second], Dtw::code);
        task.advance(entries.iter().sum());
        *lock(&self.last) = Some(RowsOfLayer { layer: task.layer, holds, rows });
        // All moves of the pack leave the layer, so one round is enough.
        Filled::of_codes(task, self.name(), &BySide::from(codes), 1)
    }
}

impl Rows {
    fn solver(&self, game: &Hunt) -> &HoundsSolver {
        self.solver.get_or_init(|| {
            HoundsSolver::new(game).expect("the engine of rows is chosen for games in rows")
        })
    }

    /// Returns the rows of the layer below: kept from the layer solved last, or read from its
    /// table.
    fn rows(
        &self,
        task: &Task<'_>,
        solver: &HoundsSolver,
        lower: u16,
        holds: Metric,
    ) -> Result<LoneRows, SolveError> {
        let last = lock(&self.last).take();
        if let Some(last) = last.filter(|last| (last.layer, last.holds) == (lower, holds)) {
            return Ok(last.rows);
        }
        let tables = task.lower.open()?;
        let table = tables.table_of(lower, holds)?;
        let len = task.game.index(lower).len(Side::First);
        task.begin(format!("layer {lower}"), len);
        let mut codes = vec![0; len as usize];
        for (chunk, codes) in codes.chunks_mut(READ).enumerate() {
            check_interrupt(task.observer)?;
            let of = (lower, Side::First);
            read_codes(&tables, holds, of, (chunk * READ) as u64, codes)?;
            task.advance(codes.len() as u64);
        }
        // These games have no draws, so `DRAW` stands for a code without a value.
        let value = |entry: u64| {
            codes.get(entry as usize).and_then(|&code| Dtw::from_code(code)).unwrap_or(Dtw::DRAW)
        };
        let rows = solver.rows(lower, value);
        rows.ok_or_else(|| {
            let of = (lower, table.header().metric(), table.header().kind());
            WrongTable::error(task.game, table.path(), of, TableFault::ImpossibleValue)
        })
    }
}
