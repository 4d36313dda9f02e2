//! Solves layers on many ranks.
//!
//! A round is two passes: the values with the many to move follow from those with the few to move,
//! here and of neighbors, which arrive for the next orbits while some are recomputed
//! ([`part`](super::part), [`changes`](super::changes), [`exchange`](super::exchange)); those with
//! the few to move follow from values of the same rank. One call ends a round.
//!
//! Values of lower layers are read by all ranks, each some orbits, and given to those that need
//! them ([`below`](super::below)); tables are written by all ranks, each some pages of one file
//! ([`output`](super::output)). Rank 0 also does everything that a run does beside: the others only
//! wait for layers ([`assist`]).
//!
//! An error of one rank is an error of all at the next call that all make. So no rank waits for one
//! that has failed.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

use anser_core::{BySide, Hunt, LayerIndex, Side};
use anser_table::{Metric, Tablebase};

use super::Spread;
use super::part::Part;
use crate::checkpoint::Checkpoint;
use crate::cluster::Cluster;
use crate::engines::engine::{Filled, Spilled, Task};
use crate::engines::sets::layer::NAME;
use crate::engines::sets::scores::WholeScore;
use crate::engines::sets::solve_with_bits;
use crate::observer::RunObserver;
use crate::run::metrics::Metrics;
use crate::{Event, SolveError};

/// How long a table may remain unseen by other machines.
const UNSEEN: Duration = Duration::from_secs(90);

/// Words that announce a layer: whether there is one, its number, its metrics, and the bits of its
/// scores.
type Announced = [u64; 4];

/// What the engine has when layers are solved.
pub(super) struct Running {
    cluster: Arc<dyn Cluster>,
    /// Whether the other ranks wait for a layer.
    others_wait: AtomicBool,
    /// See [`Reader`](crate::engines::sets::propagate::Reader).
    per_change: usize,
}

impl Spread {
    pub(crate) fn of(cluster: Arc<dyn Cluster>, per_change: usize) -> Spread {
        let (ranks, others_wait) = (cluster.size(), AtomicBool::new(true));
        Spread { ranks, running: Some(Running { cluster, others_wait, per_change }) }
    }

    /// Announces to the other ranks that there are no more layers, if they wait for one.
    pub(crate) fn end(&self) {
        if let Some(Running { cluster, others_wait, .. }) = &self.running
            && others_wait.swap(false, SeqCst)
        {
            cluster.gather(&Announced::default());
        }
    }
}

impl Running {
    /// Solves a layer on all ranks.
    pub(super) fn solve(&self, engine: &Spread, task: &Task<'_>) -> Result<Filled, SolveError> {
        let Running { cluster, others_wait, per_change } = self;
        let cluster = &**cluster;
        if task.index.len(Side::First) == 0 {
            return Filled::of_codes(task, NAME, &BySide::default(), 0);
        }
        // The other ranks open the tables by their names.
        task.checkpoints.settle()?;
        let of = (task.game, task.dir);
        let part = Part::new(of, task.layer, task.metrics, cluster, task.observer, *per_change);
        let part = part.expect("an engine for many ranks takes no other game");
        let filled = solve_with_bits(task, |bits, found| {
            // Outcomes take as many bits as distances here.
            let bits = bits.max(i8::BITS);
            if bits > i8::BITS {
                let memory = engine.memory_of_rank(task.game, task.index, bits);
                others_wait.store(true, SeqCst);
                task.with_needs(Spilled { memory, scratch: 0 })?;
            }
            others_wait.store(false, SeqCst);
            cluster.gather(&[1, task.layer.into(), task.metrics.bits().into(), bits.into()]);
            let open_lower = || task.lower.open();
            let filled = if bits == i8::BITS {
                solve::<i8>(&part, Some(task), found, open_lower)
            } else {
                solve::<i16>(&part, Some(task), found, open_lower)
            };
            if bits == i8::BITS && matches!(filled, Err(SolveError::TooLong { .. })) {
                // The other ranks wait for the layer to be announced once more.
                others_wait.store(true, SeqCst);
            }
            Ok(filled?.expect("rank 0 has the tables"))
        })?;
        others_wait.store(true, SeqCst);
        Ok(filled)
    }
}

/// Solves the layers that rank 0 announces, together with the other ranks.
///
/// # Errors
/// The error of this rank or of another one.
pub(crate) fn assist(
    game: &Hunt,
    dir: &Path,
    cluster: &dyn Cluster,
    observer: &dyn RunObserver,
    per_change: usize,
) -> Result<(), SolveError> {
    loop {
        let announced = cluster.gather(&Announced::default());
        let [is_layer, layer, metrics, bits] = std::array::from_fn(|word| announced[word]);
        if is_layer == 0 {
            return Ok(());
        }
        let metrics = Metrics::from_bits(metrics as u8);
        let part = Part::new((game, dir), layer as u16, metrics, cluster, observer, per_change);
        let part = part.expect("rank 0 found no obstacle");
        let of = (layer as u16, part.metric());
        if bits == u64::from(i8::BITS) {
            match solve::<i8>(&part, None, None, || open_lower(game, dir, of)) {
                // Rank 0 announces the layer once more.
                Err(SolveError::TooLong { .. }) => {}
                solved => drop(solved?),
            }
        } else {
            solve::<i16>(&part, None, None, || open_lower(game, dir, of))?;
        }
    }
}

/// Maps the tables of the layers below `layer`. Other machines may see a table only a while after
/// rank 0 has given it its name.
fn open_lower(
    game: &Hunt,
    dir: &Path,
    (layer, metric): (u16, Metric),
) -> Result<Tablebase, SolveError> {
    let started = Instant::now();
    loop {
        // SAFETY: rank 0 has locked the directory, and no rank changes complete tables.
        let tables = unsafe { Tablebase::open_mapped(game.clone(), [dir]) }?;
        let missing = game
            .lower_layers(layer)
            .into_iter()
            .find_map(|lower| tables.table_of(lower, metric).err());
        match missing {
            None => return Ok(tables),
            Some(error) if started.elapsed() > UNSEEN => return Err(error.into()),
            Some(_) => std::thread::sleep(Duration::from_millis(200)),
        }
    }
}

/// Solves a layer. Rank 0 has the task, and the checkpoint of an earlier run.
fn solve<S: WholeScore>(
    part: &Part<'_>,
    task: Option<&Task<'_>>,
    found: Option<Checkpoint>,
    open_lower: impl FnOnce() -> Result<Tablebase, SolveError>,
) -> Result<Option<Filled>, SolveError> {
    let has_lower = !part.game.lower_layers(part.number).is_empty();
    let lower = part.check(if has_lower { open_lower().map(Some) } else { Ok(None) })?;
    let mut below = part.below::<S>(lower.as_ref())?;
    if let (Some(task), Some(lower)) = (task, lower) {
        task.lower.release(lower);
    }
    let few = if part.holds { part.hold(std::mem::take(&mut below[0])) } else { part.draws() };
    let held = part.capture_rounds(&few);
    let mut values = [few, part.draws()];
    let restored = part.restore(found, &mut values)?;
    let checkpoints = task.map(|task| task.checkpoints);
    let rounds = part.rounds(&below, held.as_ref(), &mut values, restored, checkpoints)?;
    drop(below);
    let filled = part.write(task, values, rounds)?;
    let (traffic, waiting) = part.traffic();
    part.observer.event(&Event::Exchanged { layer: part.number, traffic, waiting });
    Ok(filled)
}
