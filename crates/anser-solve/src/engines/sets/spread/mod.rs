//! The engine of sets on many ranks.
//!
//! Each rank has all arrangements of the few and some of the sets of the many ([`shares`]), in the
//! same order as the [engine alone](super) but for the points. A round is two passes: the values
//! with the many to move follow from those with the few to move, here and of neighbors, which arrive
//! for the next orbits while some are recomputed ([`part`], [`exchange`]); those with the few to move
//! follow from values of the same rank. One call ends a round.
//!
//! Values of lower layers are read by all ranks, each some orbits, and given to those that need them
//! ([`below`]); tables are written by all ranks, each some pages of one file ([`output`]). Rank 0
//! also does everything that a run does beside: the others only wait for layers ([`assist`]).
//!
//! An error of one rank is an error of all at the next call that all make. So no rank waits for one
//! that has failed.

mod arrangements;
mod below;
mod exchange;
mod output;
mod part;
mod rows;
mod shares;

#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

use anser_core::hunt::HuntIndex;
use anser_core::{BySide, Hunt, LayerIndex, Side};
use anser_table::{Metric, Tablebase};

use self::part::{Part, rules_and_shares};
pub(crate) use self::rows::agree;
use super::frontier::bytes_of_frontiers;
use super::layer::NAME;
use super::layout::{Layout, PADDING, bytes_of_parts};
use super::rules::{Numbers, Rules};
use super::scores::Score;
use super::{PASSES, SECONDS_PER_VALUE, disk, effort, solve_with_bits};
use crate::checkpoint::{Checkpoint, Checkpoints};
use crate::cluster::Cluster;
use crate::engines::engine::{Effort, Engine, Filled, Needs, Spilled, Task};
use crate::observer::RunObserver;
use crate::reports::Traffic;
use crate::run::metrics::Metrics;
use crate::{Event, LayerOf, SolveError};

/// The engine, on rank 0.
pub(crate) struct Spread {
    ranks: usize,
    /// `None` if layers are only planned.
    cluster: Option<Arc<dyn Cluster>>,
    /// Whether the other ranks wait for a layer.
    others_wait: AtomicBool,
}

/// How long a table may remain unseen by other machines.
const UNSEEN: Duration = Duration::from_secs(90);

/// Words that announce a layer: whether there is one, its number, its metrics, and the bits of its
/// scores.
type Announced = [u64; 4];

impl Spread {
    pub(crate) fn of(cluster: Arc<dyn Cluster>) -> Spread {
        let ranks = cluster.size();
        Spread { ranks, cluster: Some(cluster), others_wait: AtomicBool::new(true) }
    }

    /// Returns an engine that only plans layers, for this number of ranks.
    pub(crate) fn planned(ranks: usize) -> Spread {
        Spread { ranks, cluster: None, others_wait: AtomicBool::new(false) }
    }

    /// Announces to the other ranks that there are no more layers, if they wait for one.
    pub(crate) fn end(&self) {
        if let Some(cluster) = &self.cluster
            && self.others_wait.swap(false, SeqCst)
        {
            cluster.gather(&Announced::default());
        }
    }

    /// Returns the memory of one rank. Scores have `bits` bits.
    fn memory_of_rank(&self, game: &Hunt, index: &HuntIndex, bits: u32) -> u64 {
        if index.len(Side::First) == 0 {
            return 0;
        }
        let Ok((shares, rules)) = rules_and_shares(game, index, self.ranks) else {
            return 0;
        };
        let numbers = Numbers::of(index);
        let [few, many] = numbers.on_board;
        let sets = Layout::sets(rules.points, few, many).unwrap_or(usize::MAX) as u64;
        // Every arrangement has all sets, also where the table has one entry for several.
        let orbits = arrangements::ranges_of_few(index).len() as u64;
        let share = (orbits as f64 * sets as f64 * shares.largest / self.ranks as f64) as u64;
        // Low parts, which all layers share, and places of this layer and of a lower one.
        let of_rank = sets / self.ranks as u64;
        let tables =
            bytes_of_parts(&rules, few, orbits, 12) + bytes_of_frontiers(&rules, orbits, of_rank);
        // For each thread the best moves and values of an orbit, with those of other ranks; and an
        // orbit with all sets, on its way from or to entries.
        let threads = rayon::current_num_threads() as u64;
        let of_threads = threads * (5 * of_rank + 3 * PADDING as u64);
        u64::from(bits / 8) * (3 * share + of_threads + 4 * sets) + tables
    }

    /// Whether several passes are necessary for a layer.
    fn repeats(game: &Hunt, index: &HuntIndex) -> bool {
        index.len(Side::First) > 0
            && Rules::of(game).is_ok_and(|rules| rules.many_stay(Numbers::of(index)))
    }
}

/// Fails if layers of a game cannot be solved on many ranks.
///
/// # Errors
/// The feature that the engine does not support, to be read after "because of".
pub(crate) fn check(game: &Hunt) -> Result<(), &'static str> {
    super::layers_suit(game, &Rules::of(game)?)
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
) -> Result<(), SolveError> {
    loop {
        let announced = cluster.gather(&Announced::default());
        let [is_layer, layer, metrics, bits] = std::array::from_fn(|word| announced[word]);
        if is_layer == 0 {
            return Ok(());
        }
        let metrics = Metrics::from_bits(metrics as u8);
        let part = Part::new((game, dir), layer as u16, metrics, cluster, observer);
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
fn solve<S: Score>(
    part: &Part<'_>,
    task: Option<&Task<'_>>,
    found: Option<Checkpoint>,
    open_lower: impl FnOnce() -> Result<Tablebase, SolveError>,
) -> Result<Option<Filled>, SolveError> {
    let has_lower = !part.game.lower_layers(part.number).is_empty();
    let lower = part.check(if has_lower { open_lower().map(Some) } else { Ok(None) })?;
    let below = part.below::<S>(lower.as_ref())?;
    if let (Some(task), Some(lower)) = (task, lower) {
        task.lower.release(lower);
    }
    let mut values = [(); 2].map(|()| part.draws::<S>());
    let checkpoints = task.map(|task| task.checkpoints);
    let done = part.restore(found, &mut values)?;
    let is_due = || checkpoints.is_some_and(Checkpoints::is_due);
    let save = |round, values: &_| part.save(checkpoints, round, values);
    let rounds = part.rounds(&below, &mut values, done, is_due, save)?;
    drop(below);
    let (traffic, waiting) = part.traffic();
    part.observer.event(&Event::Exchanged { layer: part.number, traffic, waiting });
    part.write(task, values, rounds)
}

impl Engine for Spread {
    fn name(&self) -> &'static str {
        NAME
    }

    /// The memory is that of one rank.
    fn needs(&self, LayerOf { game, layer, index }: LayerOf<'_>) -> Needs {
        let mut traffic = Traffic { ranks: self.ranks, bytes: 0 };
        if index.len(Side::First) > 0
            && let Ok(sent) = part::sent_in_a_round(game, layer, self.ranks)
        {
            let rounds = if Spread::repeats(game, index) { PASSES } else { 1.0 };
            traffic.bytes = (sent as f64 * rounds) as u64;
        }
        let memory = self.memory_of_rank(game, index, i8::BITS);
        Needs { memory, spilled: None, traffic: Some(traffic) }
    }

    fn disk(&self, of: LayerOf<'_>, tables: u64) -> u64 {
        disk(Spread::repeats(of.game, of.index), of.index, tables)
    }

    fn effort(&self, of: LayerOf<'_>) -> Effort {
        effort(Spread::repeats(of.game, of.index), of.index, self.ranks)
    }

    fn measure(&self, _: LayerOf<'_>) -> f64 {
        SECONDS_PER_VALUE
    }

    fn solve(&self, task: &Task<'_>) -> Result<Filled, SolveError> {
        if task.index.len(Side::First) == 0 {
            return Filled::of_codes(task, NAME, &BySide::default(), 0);
        }
        // The other ranks open the tables by their names.
        task.checkpoints.settle()?;
        let cluster = &**self.cluster.as_ref().expect("plans are not run");
        let of = (task.game, task.dir);
        let part = Part::new(of, task.layer, task.metrics, cluster, task.observer);
        let part = part.expect("an engine for many ranks takes no other game");
        let filled = solve_with_bits(task, |bits, found| {
            if bits > i8::BITS {
                let memory = self.memory_of_rank(task.game, task.index, bits);
                self.others_wait.store(true, SeqCst);
                task.with_needs(Spilled { memory, scratch: 0 })?;
            }
            self.others_wait.store(false, SeqCst);
            cluster.gather(&[1, task.layer.into(), task.metrics.bits().into(), bits.into()]);
            let open_lower = || task.lower.open();
            let filled = if bits == i8::BITS {
                solve::<i8>(&part, Some(task), found, open_lower)
            } else {
                solve::<i16>(&part, Some(task), found, open_lower)
            };
            Ok(filled?.expect("rank 0 has the tables"))
        })?;
        self.others_wait.store(true, SeqCst);
        Ok(filled)
    }
}
