//! The engines that a run may use, and which of them takes a layer.

use std::iter;
use std::sync::Arc;

use anser_core::Hunt;
use anser_table::Metric;

use super::cross::Cross;
use super::distances::GeneralDistances;
use super::engine::{Engine, Needs};
use super::general::General;
use super::rows::Rows;
use super::sets::Sets;
use crate::LayerOf;
use crate::reports::Traffic;
use crate::run::metrics::Metrics;
use crate::run::options::EngineChoice;

/// The engines of a run.
pub(crate) struct Engines {
    /// Fastest first; those at the end solve every game.
    list: Vec<Arc<dyn Engine>>,
    /// The memory that may be used, in bytes; `None` if there is no limit.
    memory: Option<u64>,
    /// Why there are only the general engines, if nobody chose that.
    general_because: Option<&'static str>,
}

/// One pass of an engine over a layer.
pub(crate) struct Plan<'e> {
    pub(crate) engine: &'e dyn Engine,
    /// The metrics that the pass fills.
    pub(crate) metrics: Metrics,
    /// The memory that the pass takes, in bytes.
    pub(crate) memory: u64,
    /// The disk space of scratch files, in bytes; `None` without such files.
    pub(crate) scratch: Option<u64>,
    /// The disk space of a checkpoint, in bytes; 0 without checkpoints.
    pub(crate) checkpoint: u64,
    /// What processes send each other; `None` for one process.
    pub(crate) traffic: Option<Traffic>,
}

/// Returns the engines of a game with some structure, fastest first, by what its description says.
/// The general ones solve the rest.
///
/// # Errors
/// Why there are none, to be read after "because of".
fn of_structure(game: &Hunt) -> Result<Vec<Arc<dyn Engine>>, &'static str> {
    if game.cross().is_some() {
        return Ok(vec![Arc::new(Cross::new(Metric::Wdl)), Arc::new(Cross::new(Metric::Dtw))]);
    }
    if game.rows().is_some() {
        return Ok(vec![Arc::new(Rows::default())]);
    }
    Ok(vec![Arc::new(Sets::of(game)?)])
}

impl Engines {
    pub(crate) fn new(game: &Hunt, choice: EngineChoice, memory: Option<u64>) -> Engines {
        let (mut engines, general_because) = match choice {
            EngineChoice::Best => match of_structure(game) {
                Ok(engines) => (engines, None),
                Err(what) => (Vec::new(), Some(what)),
            },
            EngineChoice::General => (Vec::new(), None),
        };
        engines.push(Arc::new(General::new()));
        engines.push(Arc::new(GeneralDistances));
        Engines { list: engines, memory, general_because }
    }

    /// Returns a list of one engine.
    pub(crate) fn only(engine: Arc<dyn Engine>, memory: Option<u64>) -> Engines {
        Engines { list: vec![engine], memory, general_because: None }
    }

    /// Returns the memory that may be used, in bytes; `None` if there is no limit.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// Returns what the faster engines do not know of the game, to be read after "because of".
    pub(crate) fn general_because(&self) -> Option<&'static str> {
        self.general_because
    }

    /// Plans the pass that fills `metrics` of a layer: by the fastest engine that fits into memory,
    /// with scratch files if necessary. If none fits, by the one that needs the least memory.
    pub(crate) fn plan(&self, of: LayerOf<'_>, metrics: Metrics) -> Plan<'_> {
        let mut least: Option<Plan<'_>> = None;
        for engine in self.list.iter().filter(|engine| engine.fills(metrics)) {
            let Needs { memory, spilled, checkpoint, traffic } = engine.needs(of, metrics);
            let spilled = spilled.map(|needs| (needs.memory, Some(needs.scratch)));
            for (memory, scratch) in iter::once((memory, None)).chain(spilled) {
                let engine = &**engine;
                let plan = Plan { engine, metrics, memory, scratch, checkpoint, traffic };
                if self.memory.is_none_or(|limit| memory <= limit) {
                    return plan;
                }
                if least.as_ref().is_none_or(|least| plan.memory <= least.memory) {
                    least = Some(plan);
                }
            }
        }
        least.expect("the last engine fills distances, and the one before it outcomes")
    }
}
