//! State shared by all requests, and the work of a request.

use std::sync::Arc;

use anser_games::answers::ErrorKind;
use axum::http::HeaderName;

use crate::assets::Assets;
use crate::clients::Client;
use crate::gate::{Gate, Lane};
use crate::metrics::Metrics;
use crate::openapi;
use crate::options::{Limits, Log, Options};
use crate::problem::Problem;
use crate::solving::Solver;
use crate::store::{Set, Store};
use crate::tasks::Tasks;

/// Number of tasks that one answer may need, a layer each at most.
const MOST_TASKS: usize = 256;

/// State shared by all requests.
pub(crate) struct App {
    pub(crate) store: Arc<Store>,
    /// The gates of quick requests and of slow ones.
    gates: [Gate; 2],
    pub(crate) tasks: Arc<Tasks>,
    /// Solves missing layers, if it may.
    pub(crate) solver: Option<Arc<Solver>>,
    pub(crate) trusted_header: Option<HeaderName>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) limits: Limits,
    pub(crate) log: Option<Log>,
    /// The description of the API as a page.
    pub(crate) api_page: String,
    pub(crate) assets: Assets,
}

impl App {
    pub(crate) fn new(store: Store, options: &Options) -> App {
        let (store, metrics) = (Arc::new(store), Arc::new(Metrics::default()));
        let assets = Assets::new();
        App {
            gates: [Lane::Quick, Lane::Slow].map(|lane| Gate::new(&options.limits, lane)),
            tasks: Arc::new(Tasks::new(&store, &metrics, options)),
            solver: options
                .solving
                .clone()
                .map(|solving| Arc::new(Solver::new(solving, &options.limits, &store, &metrics))),
            trusted_header: options.trusted_header.clone(),
            limits: options.limits,
            log: options.log.clone(),
            api_page: assets.document("Anser: API", &openapi::page()),
            assets,
            store,
            metrics,
        }
    }

    /// Answers from the values of a game under a rule set. If a table was replaced meanwhile, opens
    /// the tables again and answers from them.
    pub(crate) fn with_set<T>(
        &self,
        game: &str,
        rules: Option<&str>,
        work: impl Fn(&Arc<Set>) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let set = self.store.set(game, rules)?;
        let mut answer = work(&set);
        if let Err(problem) = &answer {
            self.failed(&set, problem);
            if problem.is_stale {
                answer = work(&self.store.set(game, rules)?);
            }
        }
        answer
    }

    /// Counts a damaged table, and forgets tables that were replaced.
    pub(crate) fn failed(&self, set: &Arc<Set>, problem: &Problem) {
        if problem.error.kind == ErrorKind::Corrupt {
            self.metrics.damaged.add(1);
        }
        if problem.is_stale {
            self.store.close(set);
        }
    }

    /// Whether a proxy names the clients.
    pub(crate) fn is_behind_proxy(&self) -> bool {
        self.trusted_header.is_some()
    }

    /// Runs the work of a client on a thread that may block, once there is room. If it needs a task, it
    /// gives the room back, waits for the task, and starts again.
    pub(crate) async fn work<T: Send + 'static>(
        self: &Arc<App>,
        client: Client,
        lane: Lane,
        work: impl Fn(&App) -> Result<T, Problem> + Send + Sync + 'static,
    ) -> Result<T, Problem> {
        let work = Arc::new(work);
        for _ in 0..MOST_TASKS {
            let gate = &self.gates[lane as usize];
            let permit = gate.enter(client).await.inspect_err(|_| self.metrics.shed.add(1))?;
            let (app, work) = (self.clone(), work.clone());
            let worked = tokio::task::spawn_blocking(move || {
                // Held until the work is done, also if the client has left.
                let _permit = permit;
                work(&app)
            });
            match worked.await.unwrap_or_else(|_| Err(Problem::defect())) {
                Err(Problem { needs: Some(task), .. }) => {
                    self.tasks.wait_for(client, &task).await?;
                }
                worked => return worked,
            }
        }
        Err(Problem::busy("the server has no memory for all that the answer needs"))
    }
}
