//! Ranks write the same bytes as one process, for every number of them.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Barrier, Condvar, Mutex};

use anser_core::hunt::{Condition, Description, FOX_GEESE_RULES, Layering};
use anser_core::{Hunt, Side, Unobserved};
use anser_table::Metric;

use super::arrangements::ranges_of_few;
use super::check;
use super::shares::Shares;
use crate::engines::sets::propagate::PER_CHANGE;
use crate::engines::sets::tests::{
    StopAfter, WideRounds, changed, compare, end, games, held_goal, hunt, long_walk, placing,
    with_metrics,
};
use crate::run::cluster::solve_with_ranks;
use crate::{
    Cluster, EngineChoice, Event, Metrics, Observer, RunObserver, SolveError, SolveOptions, solve,
    solve_in_cluster,
};

/// The ranks of a cluster as threads of one process.
struct Shared {
    barrier: Barrier,
    words: Mutex<Vec<Vec<u64>>>,
    bytes: Mutex<Vec<u8>>,
    /// By sender and receiver: the messages on their way.
    messages: Mutex<HashMap<(usize, usize), Vec<u8>>>,
    sent: Condvar,
}

/// One of the threads.
struct Thread {
    rank: usize,
    size: usize,
    shared: Arc<Shared>,
}

impl Cluster for Thread {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn size_here(&self) -> usize {
        self.size
    }

    fn gather(&self, words: &[u64]) -> Vec<u64> {
        self.shared.words.lock().unwrap()[self.rank] = words.to_vec();
        self.shared.barrier.wait();
        let all = self.shared.words.lock().unwrap().clone();
        assert!(all.iter().all(|other| other.len() == words.len()), "as many of each");
        self.shared.barrier.wait();
        all.concat()
    }

    fn broadcast(&self, bytes: &mut Vec<u8>) {
        if self.rank == 0 {
            self.shared.bytes.lock().unwrap().clone_from(bytes);
        }
        self.shared.barrier.wait();
        self.shared.bytes.lock().unwrap().clone_into(bytes);
        self.shared.barrier.wait();
    }

    fn exchange(
        &self,
        send: &[(usize, &[u8])],
        receive: &mut [(usize, &mut [u8])],
        meanwhile: &mut dyn FnMut(),
    ) {
        for (to, values) in send {
            let mut messages = self.shared.messages.lock().unwrap();
            // The last message of this rank may not have arrived.
            while messages.contains_key(&(self.rank, *to)) {
                messages = self.shared.sent.wait(messages).unwrap();
            }
            messages.insert((self.rank, *to), values.to_vec());
            self.shared.sent.notify_all();
        }
        meanwhile();
        for (from, values) in receive {
            let mut messages = self.shared.messages.lock().unwrap();
            let message = loop {
                match messages.remove(&(*from, self.rank)) {
                    Some(message) => break message,
                    None => messages = self.shared.sent.wait(messages).unwrap(),
                }
            };
            self.shared.sent.notify_all();
            values.copy_from_slice(&message);
        }
    }
}

/// Calls `work` with each of `size` ranks, on a thread each.
fn with_ranks<T: Send>(size: usize, work: impl Fn(Arc<dyn Cluster>) -> T + Sync) -> Vec<T> {
    let shared = Arc::new(Shared {
        barrier: Barrier::new(size),
        words: Mutex::new(vec![Vec::new(); size]),
        bytes: Mutex::default(),
        messages: Mutex::default(),
        sent: Condvar::new(),
    });
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..size)
            .map(|rank| {
                let thread = Thread { rank, size, shared: Arc::clone(&shared) };
                let work = &work;
                scope.spawn(move || work(Arc::new(thread)))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no rank panics")).collect()
    })
}

fn options(dir: &Path) -> SolveOptions {
    SolveOptions {
        threads: Some(1),
        metrics: Metrics::from_iter([Metric::Wdl, Metric::Dtw]),
        ..SolveOptions::new(dir)
    }
}

/// Compares the tables of these numbers of ranks with those of one process. Odd numbers of ranks
/// have three threads each, even ones have one.
fn same_bytes(game: &Hunt, layers: Option<&RangeInclusive<u16>>, ranks: &[usize]) {
    let runs: Vec<_> = ranks.iter().map(|&size| (PER_CHANGE, size)).collect();
    same_bytes_with(game, layers, &runs);
}

/// The same, with a [`per_change`](crate::engines::sets::propagate::Reader) for each number of ranks.
fn same_bytes_with(game: &Hunt, layers: Option<&RangeInclusive<u16>>, runs: &[(usize, usize)]) {
    let dir = tempfile::tempdir().unwrap();
    let alone = dir.path().join("alone");
    let options = |dir: &Path| SolveOptions { layers: layers.cloned(), ..options(dir) };
    solve(game, &options(&alone), &Unobserved).unwrap();
    for &(per_change, size) in runs {
        let together = dir.path().join(format!("{size}-{per_change}"));
        let of_rank = SolveOptions { threads: Some([1, 3][size % 2]), ..options(&together) };
        let solved = with_ranks(size, |cluster| {
            solve_with_ranks(game, &of_rank, &Unobserved, cluster, per_change)
        });
        for solved in solved {
            solved.unwrap();
        }
        compare(&alone, &together, &format!("{size} ranks"));
    }
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_ranks() {
    for description in [hunt(&[4], &[0, 1, 2, 5]), hunt(&[9, 11], &[0, 1, 2, 4]), placing(&[4], 4)]
    {
        same_bytes(&Hunt::new(description).unwrap(), None, &[1, 2, 3, 4, 8]);
    }
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_ranks_in_any_hunt() {
    let mut compared = 0;
    for (name, description) in games() {
        let game = Hunt::new(description).unwrap();
        if check(&game).is_ok() {
            // Also with every change propagated, and with none.
            same_bytes_with(&game, None, &[(PER_CHANGE, 3), (0, 2), (usize::MAX, 2)]);
            compared += 1;
        } else {
            assert_eq!(name, "goats get home");
        }
    }
    assert_eq!(compared, games().len() - 1);
}

/// Tigers and goats that are placed: layers with both in hand.
fn placed_tigers() -> Description {
    let mut description = hunt(&[], &[]);
    description.sides[0].number = [2, 2];
    description.sides[0].hand = 2;
    description.sides[1].number = [1, 3];
    description.sides[1].hand = 3;
    description.layers = Layering::Placement;
    description
}

/// Two tigers that cannot leave the lower rows, against goats that can go anywhere.
fn regions() -> Description {
    let mut description = hunt(&[9, 11], &[0, 1, 2, 4]);
    let lower = |point: &u8| *point >= 3;
    let few = &mut description.sides[0];
    few.region = (0..12).filter(lower).collect();
    few.steps.retain(|[from, to]| lower(from) && lower(to));
    few.jumps.retain(|[from, _, to]| lower(from) && lower(to));
    description
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_ranks_in_a_game_with_a_region() {
    same_bytes(&Hunt::new(regions()).unwrap(), None, &[1, 2, 3, 4, 8]);
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_ranks_where_both_sides_place() {
    let game = Hunt::new(placed_tigers()).unwrap();
    same_bytes(&game, None, &[1, 3]);
}

#[test]
fn ranks_with_different_games_and_a_rank_that_cannot_begin_are_errors_on_all() {
    let dir = tempfile::tempdir().unwrap();
    let games = [&[4][..], &[9, 11]].map(|tigers| Hunt::new(hunt(tigers, &[0, 1, 2])).unwrap());
    for solved in with_ranks(2, |cluster| {
        let game = &games[cluster.rank()];
        solve_in_cluster(game, &options(dir.path()), &Unobserved, cluster)
    }) {
        assert!(matches!(solved, Err(SolveError::OtherGame { rank: 1 })));
    }
    let solved = with_ranks(2, |cluster| {
        let engine = [EngineChoice::Best, EngineChoice::General][cluster.rank()];
        let options = SolveOptions { engine, ..options(dir.path()) };
        solve_in_cluster(&games[0], &options, &Unobserved, cluster)
    });
    assert!(matches!(solved[0], Err(SolveError::Rank { rank: 1 })));
    assert!(matches!(solved[1], Err(SolveError::NoCluster { .. })));
}

/// Compares the rule sets of Fox-and-Geese that the engine knows, in these layers, with the engine
/// of the cross.
fn same_bytes_of_the_cross(layers: RangeInclusive<u16>, ranks: usize) {
    let mut compared = 0;
    for rules in FOX_GEESE_RULES {
        let game = Hunt::fox_geese(rules).unwrap();
        match check(&game) {
            Ok(()) => {
                same_bytes(&game, Some(&layers), &[ranks]);
                compared += 1;
            }
            Err(what) => assert_eq!(what, "chains of compulsory jumps", "{rules}"),
        }
    }
    assert_eq!(compared, 14);
}

#[test]
fn the_bytes_of_the_cross_are_those_of_its_own_engine() {
    same_bytes(&Hunt::default(), Some(&(1..=5)), &[3]);
    same_bytes_of_the_cross(1..=4, 2);
}

#[test]
#[ignore = "takes many minutes"]
fn the_bytes_of_nine_layers_of_the_cross_are_those_of_its_own_engine() {
    same_bytes_of_the_cross(1..=9, 1);
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_ranks_where_scores_have_16_bits() {
    same_bytes(&Hunt::new(held_goal()).unwrap(), None, &[1, 3]);
}

#[test]
fn ranks_go_on_with_16_bits_after_the_distances_that_8_bits_tell() {
    let game = Hunt::new(long_walk(38, 4)).unwrap();
    let [alone, together] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    solve(&game, &options(alone.path()), &Unobserved).unwrap();
    let first = with_ranks(2, |cluster| {
        let watch = WideRounds::default();
        solve_in_cluster(&game, &options(together.path()), &watch, cluster).unwrap();
        watch.first.into_inner()
    });
    // Rank 0 tells. The first rounds are not repeated.
    assert!((100..150).contains(&first[0]), "{first:?}");
    compare(alone.path(), together.path(), "16 bits after 8");
}

/// Interrupts in the second round that a run begins, and counts layers that were resumed.
#[derive(Default)]
struct StopInSecondRound {
    rounds: AtomicU64,
    resumed: AtomicU64,
}

impl Observer for StopInSecondRound {
    fn begin(&self, what: &str, _: u64) {
        if what.starts_with("round") {
            self.rounds.fetch_add(1, Relaxed);
        }
    }

    fn interrupted(&self) -> bool {
        self.rounds.load(Relaxed) > 1
    }
}

impl RunObserver for StopInSecondRound {
    fn event(&self, event: &Event) {
        if matches!(event, Event::Layer { resumed: Some(_), .. }) {
            self.resumed.fetch_add(1, Relaxed);
        }
    }
}

#[test]
fn a_layer_is_resumed_by_any_number_of_ranks_and_by_one_process() {
    let descriptions = [hunt(&[4], &[0, 1, 2, 5]), placing(&[0, 11], 4), held_goal()];
    for (description, metrics) in with_metrics(descriptions) {
        let game = Hunt::new(description).unwrap();
        let options = |dir: &Path| SolveOptions { metrics, ..options(dir) };
        let dir = tempfile::tempdir().unwrap();
        let [alone, together] = ["alone", "together"].map(|name| dir.path().join(name));
        solve(&game, &options(&alone), &Unobserved).unwrap();
        let mut resumed = 0;
        // The number of ranks of each run, none for one process.
        for (run, size) in [3, 2, 0, 4, 1].into_iter().cycle().enumerate() {
            assert!(run < 1_000, "it makes progress");
            let results: Vec<_> = if size == 0 {
                let watch = StopInSecondRound::default();
                let result = solve(&game, &options(&together), &watch).map(drop);
                vec![(result, watch.resumed.into_inner())]
            } else {
                with_ranks(size, |cluster| {
                    let watch = StopInSecondRound::default();
                    let result = solve_in_cluster(&game, &options(&together), &watch, cluster);
                    (result.map(drop), watch.resumed.into_inner())
                })
            };
            let is_done = results.iter().all(|(result, _)| result.is_ok());
            for (result, of_rank) in results {
                assert!(matches!(result, Ok(()) | Err(SolveError::Interrupted)), "{result:?}");
                resumed += of_rank;
            }
            if is_done {
                break;
            }
        }
        assert!(resumed > 2, "{resumed} runs resumed a layer");
        compare(&alone, &together, "runs that were interrupted");
    }
}

/// One process may stop in the first round of a layer, when some of its values are there.
#[test]
fn ranks_resume_a_layer_from_any_instant_of_one_process() {
    let goal = |it: &mut Description| {
        it.ends.push(end(Condition::Reached(Side::First, vec![9, 11]), Side::First));
    };
    for (description, metrics) in with_metrics([changed(hunt(&[4], &[0, 1, 2]), goal)]) {
        let game = Hunt::new(description).unwrap();
        let options = |dir: &Path| SolveOptions { metrics, ..options(dir) };
        let dir = tempfile::tempdir().unwrap();
        let alone = dir.path().join("alone");
        solve(&game, &options(&alone), &Unobserved).unwrap();
        let mut stopped = 0;
        for looks in (0..400).step_by(5) {
            let together = dir.path().join(looks.to_string());
            let watch = StopAfter { left: AtomicU64::new(looks), ..StopAfter::default() };
            match solve(&game, &options(&together), &watch) {
                Ok(_) => break,
                Err(error) => assert!(matches!(error, SolveError::Interrupted), "{error:?}"),
            }
            stopped += 1;
            for solved in with_ranks(1, |cluster| {
                solve_in_cluster(&game, &options(&together), &Unobserved, cluster)
            }) {
                solved.unwrap();
            }
            compare(&alone, &together, &format!("stopped after {looks} looks"));
        }
        assert!(stopped > 20, "{stopped}");
    }
}

/// The patterns of a layer are dealt evenly, and only to as many ranks as there are patterns.
#[test]
fn shares_are_even_in_large_layers() {
    let game = Hunt::new(hunt(&[4], &[0, 1, 2, 5])).unwrap();
    for ranks in [1, 2, 3, 8, 1000] {
        let few: Vec<_> = ranges_of_few(&game.index(4)).into_iter().map(|(few, _)| few).collect();
        let (shares, order) = Shares::new(&game, &few, 4, ranks);
        assert_eq!(order.len(), 12);
        assert!(shares.owners.iter().all(|&owner| usize::from(owner) < ranks));
        let owned: usize = (0..ranks).map(|rank| shares.of(rank).len()).sum();
        assert_eq!(owned, shares.owners.len(), "every pattern has one owner");
        assert!(shares.largest >= 1.0 && (ranks > 8 || shares.largest < 1.6), "{}", shares.largest);
    }
}

/// In large layers of a game like Asalto, on the cross with one mirror, no rank has more than 1.15
/// times an equal share of the positions.
#[test]
fn shares_of_up_to_sixteen_ranks_are_even_for_two_foxes_on_the_cross() {
    let mut description = Hunt::fox_geese("free").unwrap().description().clone();
    let foxes = &mut description.sides[0];
    foxes.number = [2, 2];
    foxes.start.push(32);
    // Foxes cannot enter d7, so the other symmetries of the cross are none of the game.
    foxes.steps.retain(|&[_, to]| to != 31);
    let game = Hunt::new(description).unwrap();
    assert_eq!(game.symmetries(), 2);
    for geese in 7..=12 {
        let few: Vec<_> =
            ranges_of_few(&game.index(geese)).into_iter().map(|(few, _)| few).collect();
        for ranks in [2, 4, 8, 16] {
            let (shares, _) = Shares::new(&game, &few, usize::from(geese), ranks);
            let largest = shares.largest;
            assert!((1.0..1.15).contains(&largest), "{geese} geese, {ranks} ranks: {largest}");
        }
    }
}

/// No rank waits for one that never began.
#[test]
fn options_that_are_refused_are_an_error_of_the_first_rank() {
    let dir = tempfile::tempdir().unwrap();
    let game = Hunt::new(hunt(&[4], &[0, 1, 2])).expect("a game");
    let options = SolveOptions { packed: Some(0), ..options(dir.path()) };
    let solved = with_ranks(2, |cluster| solve_in_cluster(&game, &options, &Unobserved, cluster));
    assert!(matches!(solved[0], Err(SolveError::Level(0))), "{:?}", solved[0]);
    assert!(!matches!(solved[1], Ok(Some(_))), "{:?}", solved[1]);
}

#[test]
fn a_game_that_the_engine_does_not_know_is_an_error_on_all_ranks() {
    let dir = tempfile::tempdir().unwrap();
    let game = Hunt::fox_hounds(8, "strict").unwrap();
    let solved = with_ranks(2, |cluster| {
        solve_in_cluster(&game, &options(dir.path()), &Unobserved, cluster)
    });
    assert!(matches!(solved[0], Err(SolveError::NoCluster { .. })));
    assert!(matches!(solved[1], Err(SolveError::Rank { rank: 0 })));
}
