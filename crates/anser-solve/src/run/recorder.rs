//! Puts files in place, and adds finished tables to the manifest, while the engine goes on.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, Scope};

use anser_retrograde::parallel::lock;

use crate::SolveError;
use crate::checkpoint::Committer;
use crate::io::files::AtomicFile;
use crate::system::threads::has_space_for;

/// Most jobs that are not done when another one comes. A run that is killed loses the tables of
/// these.
pub(super) const PENDING: usize = 2;

type Done = Result<(), SolveError>;
type Job<'s> = Box<dyn FnOnce() -> Done + Send + 's>;

/// A thread that works on one job after the other.
///
/// The disk takes seconds for the tables of a large layer, and jobs wait for the digests of their
/// tables. A run that is killed before a table has its name leaves its last checkpoint.
pub(super) struct Recorder<'s> {
    jobs: Sender<Job<'s>>,
    /// `None` if the system did not give the thread.
    results: Option<Mutex<Results>>,
}

struct Results {
    done: Receiver<Done>,
    /// The number of jobs whose results were not received yet.
    open: usize,
}

impl Results {
    /// Waits until at most `most` jobs are open. Returns the first error of the others.
    fn wait(&mut self, most: usize) -> Done {
        let mut done = Ok(());
        while self.open > most {
            // If the thread has panicked, the scope passes the panic on.
            done = done.and(self.done.recv().unwrap_or(Ok(())));
            self.open -= 1;
        }
        // An error is to end the run soon.
        for result in self.done.try_iter() {
            done = done.and(result);
            self.open -= 1;
        }
        done
    }
}

impl<'s> Recorder<'s> {
    /// Starts the thread.
    pub(super) fn start(scope: &'s Scope<'s, '_>) -> Recorder<'s> {
        let (jobs, to_do) = channel::<Job<'s>>();
        let (results, done) = channel();
        let work = move || {
            for job in to_do {
                // After an error of the run nobody waits for the result.
                let _ = results.send(job());
            }
        };
        let has_thread = has_space_for(1)
            && Builder::new().name("manifest".into()).spawn_scoped(scope, work).is_ok();
        Recorder { jobs, results: has_thread.then(|| Mutex::new(Results { done, open: 0 })) }
    }

    /// Does a job while the caller goes on, or at once if there is no thread. Waits until at most
    /// [`PENDING`] jobs are before it, and returns the first error of those that are done. The job
    /// is done also then: it may complete a table.
    pub(super) fn record(&self, job: impl FnOnce() -> Done + Send + 's) -> Done {
        let Some(results) = &self.results else { return job() };
        let mut results = lock(results);
        let before = results.wait(PENDING);
        match self.jobs.send(Box::new(job)) {
            Ok(()) => {
                results.open += 1;
                before
            }
            // The thread has ended, which only a panic does.
            Err(job) => before.and((job.0)()),
        }
    }

    /// Waits until all jobs are done, and returns the first error that was not returned before.
    pub(super) fn wait(&self) -> Done {
        let Some(results) = &self.results else { return Ok(()) };
        lock(results).wait(0)
    }
}

impl Committer for Recorder<'_> {
    fn commit(&self, file: AtomicFile) -> Done {
        self.record(|| file.commit())
    }

    fn wait(&self) -> Done {
        Recorder::wait(self)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use super::*;

    #[test]
    fn jobs_are_done_in_order_and_their_errors_returned() {
        let done = AtomicUsize::new(0);
        let in_turn = |turn, result| {
            let done = &done;
            move || {
                assert_eq!(done.fetch_add(1, SeqCst), turn);
                result
            }
        };
        std::thread::scope(|scope| {
            let recorder = Recorder::start(scope);
            recorder.wait().unwrap();
            let jobs = PENDING + 3;
            let result = |turn| if turn == 1 { Err(SolveError::Level(23)) } else { Ok(()) };
            let results = (0..jobs).map(|turn| recorder.record(in_turn(turn, result(turn))));
            let errors: Vec<SolveError> = results.filter_map(Result::err).collect();
            assert!(matches!(errors[..], [SolveError::Level(23)]), "{errors:?}");
            recorder.wait().unwrap();
            assert_eq!(done.load(SeqCst), jobs, "also after an error");
            recorder.record(in_turn(jobs, Err(SolveError::Interrupted))).unwrap();
            assert!(matches!(recorder.wait(), Err(SolveError::Interrupted)));
            recorder.wait().unwrap();
        });
    }

    #[test]
    fn a_job_nobody_waits_for_is_done() {
        let done = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let recorder = Recorder::start(scope);
            let job = || {
                done.fetch_add(1, SeqCst);
                Ok(())
            };
            recorder.record(job).unwrap();
        });
        assert_eq!(done.load(SeqCst), 1);
    }
}
