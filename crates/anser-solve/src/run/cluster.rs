//! Runs on many ranks.

use std::sync::Arc;

use anser_core::Hunt;
use xxhash_rust::xxh3::xxh3_64;

use super::directory::Run;
use super::options::SolveOptions;
use super::{Solved, check_for_cluster};
use crate::SolveError;
use crate::cluster::Cluster;
use crate::engines::choice::Engines;
use crate::engines::sets::propagate::PER_CHANGE;
use crate::engines::sets::spread::Spread;
use crate::engines::sets::spread::rows::agree;
use crate::engines::sets::spread::run::assist;
use crate::observer::RunObserver;
use crate::system::memory::memory_budget;
use crate::system::threads::make_pool;

/// Solves layers of a game as [`solve`](super::solve) does, on all ranks of a cluster together.
/// Every rank calls it with the same game, and with the same directory on a file system that they
/// share.
///
/// Rank 0 reports what was solved; the others return `None`. The options but for the directory and
/// the number of threads are those of rank 0, and a limit of memory is one for each rank. Without
/// such a limit, the ranks of a machine share its memory. The tables
/// have the same bytes as those of one process, and a run resumes with any number of ranks.
///
/// # Errors
/// Those of [`solve`](super::solve), on all ranks: [`SolveError::Rank`] names the one that has the
/// cause. [`SolveError::NoCluster`] if the engine for clusters does not know the game, and
/// [`SolveError::OtherGame`] if ranks have different games or versions.
pub fn solve_in_cluster(
    game: &Hunt,
    options: &SolveOptions,
    observer: &dyn RunObserver,
    cluster: Arc<dyn Cluster>,
) -> Result<Option<Solved>, SolveError> {
    solve_with_ranks(game, options, observer, cluster, PER_CHANGE)
}

/// Solves as [`solve_in_cluster`] does. `per_change` says which changes are
/// [propagated](crate::engines::sets::propagate::Reader).
pub(crate) fn solve_with_ranks(
    game: &Hunt,
    options: &SolveOptions,
    observer: &dyn RunObserver,
    cluster: Arc<dyn Cluster>,
    per_change: usize,
) -> Result<Option<Solved>, SolveError> {
    let ready = check_for_cluster(game, options).and_then(|()| make_pool(options.threads));
    // Nobody announces a layer before all ranks are ready for it.
    let pool = agree(&*cluster, ready)?;
    let what = format!("{} {}", env!("CARGO_PKG_VERSION"), game.fingerprint());
    let identity = xxh3_64(what.as_bytes());
    let identities = cluster.gather(&[identity]);
    if let Some(rank) = identities.iter().position(|&other| other != identities[0]) {
        return Err(SolveError::OtherGame { rank });
    }
    // The ranks of a machine share its memory.
    let memory = match options.memory {
        None => memory_budget(None).map(|bytes| bytes / cluster.size_here() as u64),
        limit => limit,
    };
    pool.install(|| {
        if cluster.rank() > 0 {
            return assist(game, &options.dir, &*cluster, observer, per_change).map(|()| None);
        }
        let engine = Arc::new(Spread::of(cluster, per_change));
        let engines = Engines::only(engine.clone(), memory);
        // The other ranks wait until it ends, also after an error.
        let solved =
            Run::new(game, options, observer).and_then(|run| Run { engines, ..run }.run(options));
        engine.end();
        solved.map(Some)
    })
}
