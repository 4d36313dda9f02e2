//! State shared by all requests, and the work of a request.

use std::sync::Arc;

use anser_games::answers::ErrorKind;
use anser_games::{Registry, TableFile};
use anser_table::TableError;

use crate::assets::Assets;
use crate::clients::Client;
use crate::gate::{Gate, Lane};
use crate::metrics::Metrics;
use crate::openapi;
use crate::options::Options;
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
    pub(crate) metrics: Arc<Metrics>,
    /// The description of the API as a page.
    pub(crate) api_page: String,
    pub(crate) assets: Assets,
}

impl App {
    /// Lists the tables of the search path, or takes `only` these of them.
    pub(crate) fn new(
        registry: Registry,
        options: &Options,
        only: Option<Vec<TableFile>>,
    ) -> Result<App, TableError> {
        let store = Arc::new(Store::new(registry, options, only)?);
        let metrics = Arc::new(Metrics::default());
        let assets = Assets::new();
        Ok(App {
            gates: [Lane::Quick, Lane::Slow].map(|lane| Gate::new(&options.limits, lane)),
            tasks: Arc::new(Tasks::new(&store, &metrics)),
            solver: options.solving.clone().map(|it| Solver::new(it, &store, &metrics).into()),
            api_page: assets.document("Anser: API", &openapi::page()),
            assets,
            store,
            metrics,
        })
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

    /// Runs the work of a client on a thread that may block, once there is room. If it needs a
    /// task, it gives the room back, waits for the task, and starts again.
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
