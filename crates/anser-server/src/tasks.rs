//! Long work: solving a game, or a question about a whole one. One task runs at a time, and beside it
//! a brief one. Equal requests share a task, which stops when no client waits for it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anser_core::Observer;
use anser_retrograde::Limits;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::api::{count, find_longest_wins};
use crate::clients::{Client, Share, Shares};
use crate::http::{App, defect};
use crate::options::Limits as ServerLimits;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::store::{Set, Solved};

/// Time that a task continues without clients, so that one that was answered 503 can retry.
const GRACE: Duration = Duration::from_secs(2);

/// A task for a game under a rule set. Its result is kept in the store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Task {
    pub(crate) game: String,
    pub(crate) rules: String,
    pub(crate) work: Work,
    /// Whether it takes at most a tenth of a second. Brief tasks do not wait for long ones.
    pub(crate) is_brief: bool,
}

/// Work of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Work {
    Solve(Solved),
    Census,
    Hardest { all: bool },
}

/// The tasks that run or wait for their turn.
pub(crate) struct Tasks {
    turn: Arc<Semaphore>,
    brief_turn: Arc<Semaphore>,
    /// Limit of tasks per client.
    shares: Arc<Shares>,
    begun: Mutex<HashMap<Task, Arc<Begun>>>,
}

/// A task that has begun.
struct Begun {
    /// Number of requests that wait for it.
    waiting: AtomicUsize,
    stop: AtomicBool,
    result: watch::Sender<Option<Result<(), Problem>>>,
}

impl Observer for Begun {
    fn interrupted(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

/// A request that waits for a task, until it is dropped.
struct Waiting {
    app: Arc<App>,
    task: Task,
    begun: Arc<Begun>,
}

impl Tasks {
    pub(crate) fn new(limits: &ServerLimits) -> Tasks {
        let [turn, brief_turn] = [0, 1].map(|_| Arc::new(Semaphore::new(1)));
        let shares = Shares::new(limits.client_tasks);
        Tasks { turn, brief_turn, shares, begun: Mutex::default() }
    }

    /// The turn for work of up to a second, if no task runs.
    pub(crate) fn turn(&self) -> Option<OwnedSemaphorePermit> {
        self.turn.clone().try_acquire_owned().ok()
    }

    /// Stops all tasks.
    pub(crate) fn stop(&self) {
        for begun in self.lock().values() {
            begun.stop.store(true, Relaxed);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Task, Arc<Begun>>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets a task, unless another one has taken its place.
    fn forget(&self, task: &Task, begun: &Arc<Begun>) {
        let mut all = self.lock();
        if all.get(task).is_some_and(|other| Arc::ptr_eq(other, begun)) {
            all.remove(task);
        }
    }
}

/// Waits until a task is done. Begins it, if no other request has.
pub(crate) async fn wait_for(app: &Arc<App>, client: Client, task: &Task) -> Result<(), Problem> {
    let begun = match app.tasks.lock().entry(task.clone()) {
        Entry::Occupied(begun) => {
            begun.get().waiting.fetch_add(1, Relaxed);
            begun.get().clone()
        }
        Entry::Vacant(place) => {
            let share = app.tasks.shares.take(client).ok_or_else(|| {
                Problem::too_many(format!(
                    "{} questions about whole games from your address are worked on or wait, and \
                     more are not accepted",
                    app.tasks.shares.most
                ))
            })?;
            let begun = Arc::new(Begun {
                waiting: AtomicUsize::new(1),
                stop: AtomicBool::new(false),
                result: watch::Sender::new(None),
            });
            tokio::spawn(perform(app.clone(), task.clone(), begun.clone(), share));
            place.insert(begun).clone()
        }
    };
    let waiting = Waiting { app: app.clone(), task: task.clone(), begun };
    let mut result = waiting.begun.result.subscribe();
    let result = result.wait_for(Option::is_some).await;
    result.ok().and_then(|result| result.clone()).unwrap_or_else(|| Err(defect()))
}

/// Performs a task when it is its turn. The client who began it has its share until it is done.
async fn perform(app: Arc<App>, task: Task, begun: Arc<Begun>, _share: Share) {
    let turn = if task.is_brief { &app.tasks.brief_turn } else { &app.tasks.turn };
    let turn = turn.clone().acquire_owned().await;
    let (worker, asked, observer) = (app.clone(), task.clone(), begun.clone());
    let performed = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        if observer.interrupted() {
            return Err(Problem::busy("nobody waits any more"));
        }
        worker.metrics.began_task();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(worker.task_threads).build();
        let pool = pool.map_err(|_| Problem::busy("the server cannot start a thread"))?;
        pool.install(|| asked.perform(&worker, &*observer))
    });
    let result = performed.await.unwrap_or_else(|_| Err(defect()));
    app.tasks.forget(&task, &begun);
    begun.result.send_replace(Some(result));
}

impl Task {
    fn perform(&self, app: &App, observer: &dyn Observer) -> Result<(), Problem> {
        let set = app.store.set(&self.game, Some(&self.rules))?;
        let limits = Limits { memory: app.memory / 2, observer };
        match self.work {
            Work::Solve(part) => drop(app.store.solve(&set, part, &limits)?),
            Work::Census => self.keep(&set, &count(&set, &limits)?),
            Work::Hardest { all } => self.keep(&set, &find_longest_wins(app, &set, all, &limits)?),
        }
        Ok(())
    }

    fn keep(&self, set: &Set, answer: &Reply) {
        set.keep(self.work.name(), answer);
    }
}

impl Work {
    /// The name under which the answer is kept.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Work::Solve(_) => "solution",
            Work::Census => "census",
            Work::Hardest { all: false } => "hardest",
            Work::Hardest { all: true } => "hardest of all",
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if self.begun.waiting.fetch_sub(1, Relaxed) > 1 || self.begun.result.borrow().is_some() {
            return;
        }
        let (app, task, begun) = (self.app.clone(), self.task.clone(), self.begun.clone());
        // Without a runtime the server has ended.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            tokio::time::sleep(GRACE).await;
            {
                let mut all = app.tasks.lock();
                let is_here = all.get(&task).is_some_and(|other| Arc::ptr_eq(other, &begun));
                if !is_here || begun.waiting.load(Relaxed) > 0 {
                    return;
                }
                // Later requests begin it again.
                all.remove(&task);
            }
            begun.stop.store(true, Relaxed);
            app.metrics.abandoned_task();
        });
    }
}
