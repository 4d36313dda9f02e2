//! Ranks write the same bytes as one process, for every number of them.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Barrier, Condvar, Mutex};

use anser_core::hunt::Description;
use anser_core::{Hunt, Unobserved};
use anser_table::Metric;

use crate::engines::sets::tests::{hunt, placing};
use crate::{Cluster, Metrics, SolveError, SolveOptions, solve, solve_in_cluster};

/// The ranks of a cluster as threads of one process.
struct Shared {
    barrier: Barrier,
    words: Mutex<Vec<Vec<u64>>>,
    bytes: Mutex<Vec<u8>>,
    /// By sender and receiver: the messages on their way.
    messages: Mutex<HashMap<(usize, usize), Vec<i16>>>,
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
        send: &[(usize, &[i16])],
        receive: &mut [(usize, &mut [i16])],
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

fn same_bytes(game: &Hunt, layers: Option<std::ops::RangeInclusive<u16>>, ranks: &[usize]) {
    let dir = tempfile::tempdir().unwrap();
    let alone = dir.path().join("alone");
    let options = |dir: &Path| SolveOptions { layers: layers.clone(), ..options(dir) };
    solve(game, &options(&alone), &Unobserved).unwrap();
    for &size in ranks {
        let together = dir.path().join(size.to_string());
        let solved = with_ranks(size, |cluster| {
            solve_in_cluster(game, &options(&together), &Unobserved, cluster)
        });
        for solved in solved {
            solved.unwrap();
        }
        let mut compared = 0;
        for entry in std::fs::read_dir(&alone).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "anser") {
                let name = path.file_name().unwrap();
                let other = std::fs::read(together.join(name)).unwrap();
                assert!(std::fs::read(&path).unwrap() == other, "{name:?} of {size} ranks");
                compared += 1;
            }
        }
        assert!(compared > 0);
    }
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_ranks() {
    for description in [hunt(&[4], &[0, 1, 2, 5]), hunt(&[9, 11], &[0, 1, 2, 4]), placing(&[4], 4)]
    {
        same_bytes(&Hunt::new(description).unwrap(), None, &[1, 2, 3, 4, 8]);
    }
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
    same_bytes(&Hunt::new(regions()).unwrap(), None, &[2, 3]);
}

#[test]
fn the_bytes_of_the_cross_are_those_of_its_own_engine() {
    for rules in ["free", "first-capture", "forward"] {
        same_bytes(&Hunt::fox_geese(rules).unwrap(), Some(1..=5), &[3]);
    }
}

#[test]
fn a_game_that_the_engine_does_not_know_is_an_error_on_all_ranks() {
    let dir = tempfile::tempdir().unwrap();
    let game = Hunt::fox_hounds(8, "strict").unwrap();
    let solved = with_ranks(2, |cluster| {
        solve_in_cluster(&game, &options(dir.path()), &Unobserved, cluster)
    });
    for solved in solved {
        assert!(matches!(solved, Err(SolveError::NoCluster { .. })));
    }
}
