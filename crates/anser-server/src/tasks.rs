//! Tasks in their turn. One runs at a time, and beside it a brief one. Equal requests share a task,
//! which stops when no client waits for it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anser_core::Observer;
use anser_retrograde::Limits;
use anser_retrograde::parallel::install;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::clients::{Client, Share, Shares};
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::store::Store;
use crate::task::{Task, Work};
use crate::whole::{count, find_longest_wins};

/// Time that a task continues without clients, so that one that was answered 503 can retry.
const GRACE: Duration = Duration::from_secs(2);

/// The tasks that run or wait for their turn.
pub(crate) struct Tasks {
    turn: Arc<Semaphore>,
    brief_turn: Arc<Semaphore>,
    /// Limit of tasks per client.
    shares: Shares,
    begun: Mutex<HashMap<Task, Arc<Begun>>>,
    store: Arc<Store>,
    metrics: Arc<Metrics>,
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
    tasks: Arc<Tasks>,
    task: Task,
    begun: Arc<Begun>,
}

impl Tasks {
    pub(crate) fn new(store: &Arc<Store>, metrics: &Arc<Metrics>) -> Tasks {
        let [turn, brief_turn] = [0, 1].map(|_| Arc::new(Semaphore::new(1)));
        Tasks {
            turn,
            brief_turn,
            shares: Shares::new(store.options.limits.client_tasks),
            begun: Mutex::default(),
            store: store.clone(),
            metrics: metrics.clone(),
        }
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

    /// Waits until a task is done. Begins it, if no other request has.
    pub(crate) async fn wait_for(
        self: &Arc<Tasks>,
        client: Client,
        task: &Task,
    ) -> Result<(), Problem> {
        let begun = match self.lock().entry(task.clone()) {
            Entry::Occupied(begun) => {
                begun.get().waiting.fetch_add(1, Relaxed);
                begun.get().clone()
            }
            Entry::Vacant(place) => {
                let share = self.shares.take(client).ok_or_else(|| {
                    Problem::too_many(format!(
                        "{} questions about whole games from your address are worked on or wait, \
                         and more are not accepted",
                        self.shares.most
                    ))
                })?;
                let begun = Arc::new(Begun {
                    waiting: AtomicUsize::new(1),
                    stop: AtomicBool::new(false),
                    result: watch::Sender::new(None),
                });
                tokio::spawn(self.clone().perform(task.clone(), begun.clone(), share));
                place.insert(begun).clone()
            }
        };
        let waiting = Waiting { tasks: self.clone(), task: task.clone(), begun };
        let mut result = waiting.begun.result.subscribe();
        let result = result.wait_for(Option::is_some).await;
        result.ok().and_then(|result| result.clone()).unwrap_or_else(|| Err(Problem::defect()))
    }

    /// Performs a task when it is its turn. The client who began it has its share until it is done.
    async fn perform(self: Arc<Tasks>, task: Task, begun: Arc<Begun>, _share: Share) {
        let turn = if task.is_brief { &self.brief_turn } else { &self.turn };
        let turn = turn.clone().acquire_owned().await;
        let (tasks, asked, observer) = (self.clone(), task.clone(), begun.clone());
        let performed = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            if observer.interrupted() {
                return Err(Problem::busy("nobody waits any more"));
            }
            tasks.metrics.tasks.add(1);
            let threads = tasks.store.options.task_threads.max(1);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.map_err(|_| Problem::busy("the server cannot start a thread"))?;
            install(&pool, || tasks.work(&asked, &*observer))
        });
        let result = performed.await.unwrap_or_else(|_| Err(Problem::defect()));
        self.forget(&task, &begun);
        begun.result.send_replace(Some(result));
    }

    /// Does the work of a task, and keeps its result in the store.
    fn work(&self, task: &Task, observer: &dyn Observer) -> Result<(), Problem> {
        let store = &*self.store;
        let set = store.set(&task.game, Some(&task.rules))?;
        let limits = Limits { memory: store.options.memory / 2, observer };
        let answer = match &task.work {
            Work::Solve(layers) => return store.solve(&set, layers.clone(), &limits).map(drop),
            Work::Census => count(&set, &limits)?,
            Work::Hardest { all } => find_longest_wins(store, &set, *all, &limits)?,
        };
        set.keep(task.work.name(), answer);
        Ok(())
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if self.begun.waiting.fetch_sub(1, Relaxed) > 1 || self.begun.result.borrow().is_some() {
            return;
        }
        let (tasks, task, begun) = (self.tasks.clone(), self.task.clone(), self.begun.clone());
        // Without a runtime the server has ended.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            tokio::time::sleep(GRACE).await;
            {
                let mut all = tasks.lock();
                let is_here = all.get(&task).is_some_and(|other| Arc::ptr_eq(other, &begun));
                if !is_here || begun.waiting.load(Relaxed) > 0 {
                    return;
                }
                // Later requests begin it again.
                all.remove(&task);
            }
            begun.stop.store(true, Relaxed);
            tasks.metrics.abandoned.add(1);
        });
    }
}
