//! Solves missing layers while the server answers: one at a time, on threads of low priority, into
//! a directory of tables.

use std::collections::{HashMap, VecDeque};
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anser_core::{Hunt, Observer};
use anser_games::tables_command;
use anser_solve::{Bytes, Estimate, Event, RunObserver, SolveError, SolveOptions};
use anser_table::{Metric, MissingLayer};

use crate::answers::{SolvingAnswer, SolvingLayer, SolvingState};
use crate::clients::{Client, Share, Shares};
use crate::metrics::Metrics;
use crate::options::Solving;
use crate::store::{Store, is_small, set_text};

mod refusal;
mod work;

use refusal::Refusal;
use work::{Running, Target, Work, layers_text, metric_text, time_text};

/// Number of layers that may wait.
const MOST_WAITING: usize = 64;

/// Number of refusals that are remembered.
const MOST_REFUSED: usize = 256;

/// Time for which a layer is refused after an error.
const ERRORS_HOLD: Duration = Duration::from_mins(1);

/// Time after which a directory is tried again that another process has locked.
const LOCK_HOLDS: Duration = Duration::from_secs(5);

/// Least time that a target is worked on before it gives way to another one.
const TURN: Duration = Duration::from_secs(10);

/// Longest time for which a target is worked on, as a multiple of the limit of its estimated time.
const LATE: u32 = 10;

/// Why a layer cannot wait.
pub(crate) const FULL: &str = "too many other layers wait to be solved";

/// Number of steps of a run after which it has a checkpoint that an earlier run had not.
const STEPS: u64 = 3;

/// The layers that are solved, wait, or are refused.
pub(crate) struct Solver {
    options: Solving,
    store: Arc<Store>,
    metrics: Arc<Metrics>,
    /// Limit of waiting layers per client.
    shares: Shares,
    state: Mutex<State>,
    woken: Condvar,
    stopped: AtomicBool,
}

#[derive(Default)]
struct State {
    /// The layers that clients wait for, in the order in which they are solved.
    waiting: VecDeque<Waiting>,
    running: Option<Running>,
    refused: HashMap<Target, Refusal>,
    /// Whether another process has had the lock of the directory since the last run.
    is_locked: bool,
}

/// A target that clients wait for.
struct Waiting {
    target: Target,
    /// The client that requested it first, and the share that it holds; none if the work on it has
    /// begun.
    held: Option<(Client, Share)>,
    /// Time for which it was worked on.
    spent: Duration,
}

/// Interrupts a run when the server stops, when the run takes much longer than estimated, and when
/// another target waits and this one has made progress.
struct Watch<'a> {
    solver: &'a Solver,
    began: Instant,
    /// Time for which the target was worked on before.
    spent: Duration,
    steps: AtomicU64,
}

impl Watch<'_> {
    /// Time for which the target was worked on.
    fn time(&self) -> Duration {
        self.spent + self.began.elapsed()
    }

    fn is_late(&self) -> bool {
        self.time() >= self.solver.options.time.saturating_mul(LATE)
    }
}

impl Observer for Watch<'_> {
    fn interrupted(&self) -> bool {
        let gives_way = || {
            self.began.elapsed() >= TURN
                && self.steps.load(Relaxed) >= STEPS
                && !self.solver.lock().waiting.is_empty()
        };
        self.solver.stopped.load(Relaxed) || self.is_late() || gives_way()
    }
}

impl RunObserver for Watch<'_> {
    fn event(&self, event: &Event) {
        match event {
            Event::Step { .. } => self.steps.fetch_add(1, Relaxed),
            Event::Finished(_) => self.steps.fetch_add(STEPS, Relaxed),
            _ => 0,
        };
    }
}

impl Solver {
    pub(crate) fn new(options: Solving, store: &Arc<Store>, metrics: &Arc<Metrics>) -> Solver {
        Solver {
            options,
            store: store.clone(),
            metrics: metrics.clone(),
            shares: Shares::new(store.options.limits.client_tasks),
            state: Mutex::default(),
            woken: Condvar::new(),
            stopped: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the work at the next opportunity; unfinished layers resume in a later run.
    pub(crate) fn stop(&self) {
        let _state = self.lock();
        self.stopped.store(true, Relaxed);
        self.woken.notify_all();
    }

    /// Forgets refusals: the tables or the disk have changed.
    pub(crate) fn reconsider(&self) {
        self.lock().refused.clear();
        self.woken.notify_all();
    }

    /// Requests the missing layers of an answer, outcomes first. Returns the state of the work;
    /// `None` if nothing is missing.
    pub(crate) fn request(
        &self,
        client: Client,
        game: &Hunt,
        missing: &[MissingLayer],
    ) -> Option<SolvingAnswer> {
        let highest = |metric| {
            let of_metric = missing.iter().filter(|missing| missing.metric == metric);
            Some((of_metric.map(|missing| missing.layer).max()?, metric))
        };
        let (layer, metric) = Metric::ALL.into_iter().find_map(highest)?;
        let busy = || Refusal::failed(FULL, LOCK_HOLDS).answer(&Target::new(game, layer, metric));
        Some(self.request_layer(client, game, layer, metric).unwrap_or_else(busy))
    }

    /// Requests a layer. Returns the state of the work; `None` if too many other layers wait. Beyond
    /// its limit, a client gives up the first of its layers that wait, and the new one takes its
    /// place.
    pub(crate) fn request_layer(
        &self,
        client: Client,
        game: &Hunt,
        layer: u16,
        metric: Metric,
    ) -> Option<SolvingAnswer> {
        let target = Target::new(game, layer, metric);
        let mut state = self.lock();
        let includes = |running: &&Running| {
            let other = &running.target;
            let reaches = || game.descent([other.layer]).contains(&layer);
            other.is_of(game) && other.metric == metric && reaches()
        };
        if let Some(running) = state.running.as_ref().filter(includes) {
            return Some(running.answer());
        }
        if let Some(refusal) = state.refused.get(&target) {
            if Instant::now() < refusal.until {
                return Some(refusal.answer(&target));
            }
            state.refused.remove(&target);
        }
        if state.waiting.iter().any(|waiting| waiting.target == target) {
            return Some(target.answer(SolvingState::Queued));
        }
        let mut place = state.waiting.len();
        let room = place < MOST_WAITING;
        let share = room.then(|| self.shares.take(client)).flatten().or_else(|| {
            let is_its = |waiting: &Waiting| waiting.held.as_ref().is_some_and(|it| it.0 == client);
            place = state.waiting.iter().position(is_its)?;
            state.waiting.remove(place);
            self.shares.take(client)
        })?;
        let answer = target.answer(SolvingState::Queued);
        let held = Some((client, share));
        state.waiting.insert(place, Waiting { target, held, spent: Duration::ZERO });
        self.woken.notify_all();
        Some(answer)
    }

    /// The layer that is being solved, and those that wait, in their order.
    pub(crate) fn list(&self) -> Vec<SolvingLayer> {
        let state = self.lock();
        let describe = |target: &Target, solving| SolvingLayer {
            game: target.game.clone(),
            rules: target.rules.clone(),
            solving,
        };
        let running =
            state.running.iter().map(|running| describe(&running.target, running.answer()));
        let waiting = state
            .waiting
            .iter()
            .map(|Waiting { target, .. }| describe(target, target.answer(SolvingState::Queued)));
        running.chain(waiting).collect()
    }

    /// Gauges in the text format of Prometheus.
    pub(crate) fn metrics(&self) -> String {
        let state = self.lock();
        let work = state.running.as_ref().and_then(|running| running.work.as_ref());
        let mut text = String::new();
        for (name, help, value) in [
            ("anser_solving", "Whether a layer is being solved.", f64::from(work.is_some())),
            (
                "anser_solving_progress",
                "Share of the current work that is done, from 0 to 1.",
                work.map_or(0.0, Work::progress),
            ),
            (
                "anser_solving_seconds_left",
                "Estimated seconds until the current work is done.",
                work.map_or(0.0, Work::seconds_left),
            ),
            ("anser_solving_waiting", "Layers that wait.", state.waiting.len() as f64),
        ] {
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}");
        }
        text
    }

    /// Solves what is requested, and with [`Solving::ahead`] more, until the server stops.
    pub(crate) fn run(&self) {
        lower_priority();
        loop {
            let Ok(next) = catch_unwind(AssertUnwindSafe(|| self.next())) else {
                // The next call may panic, too.
                self.wait(self.lock());
                continue;
            };
            let Some((target, spent)) = next else { return };
            let worked = catch_unwind(AssertUnwindSafe(|| self.perform(&target, spent)));
            self.lock().running = None;
            let defect = "solving ended because of a defect of the program";
            let worked = worked.unwrap_or_else(|_| Err(Refusal::failed(defect, ERRORS_HOLD)));
            if let Err(refusal) = worked {
                self.refuse(target, refusal);
            }
        }
    }

    /// Waits for a request, or for a while, unless the server stops.
    fn wait(&self, state: MutexGuard<'_, State>) {
        if !self.stopped.load(Relaxed) {
            let waited = self.woken.wait_timeout(state, LOCK_HOLDS);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
        }
    }

    fn refuse(&self, target: Target, refusal: Refusal) {
        match refusal.state {
            SolvingState::Refused => self.metrics.refused_layers.add(1),
            _ => self.metrics.failed_layers.add(1),
        }
        let mut state = self.lock();
        if state.refused.len() >= MOST_REFUSED {
            state.refused.clear();
        }
        state.refused.insert(target, refusal);
    }

    /// Waits for the next target; returns also the time for which it was worked on, if a client
    /// requested it. `None` when the server stops.
    fn next(&self) -> Option<(Target, Option<Duration>)> {
        loop {
            let ahead = if self.options.ahead && self.lock().waiting.is_empty() {
                self.ahead()
            } else {
                None
            };
            let mut state = self.lock();
            if self.stopped.load(Relaxed) {
                return None;
            }
            let waiting = state.waiting.pop_front();
            let requested = waiting.map(|waiting| (waiting.target, Some(waiting.spent)));
            if let Some((target, spent)) = requested.or(ahead.map(|target| (target, None))) {
                state.running = Some(Running { target: target.clone(), work: None });
                return Some((target, spent));
            }
            self.wait(state);
        }
    }

    /// The lowest missing layer up to the start of Fox-and-Geese and of the other large games that
    /// have tables, each under its default rules; outcomes first.
    fn ahead(&self) -> Option<Target> {
        let store = &self.store;
        let with_tables = store.with_tables();
        let usual = Hunt::default();
        let games: Vec<(String, &str)> = store
            .registry
            .games()
            .map(|info| (info.default_name(), &*info.default_rules))
            .filter(|(name, rules)| {
                name == usual.name()
                    || with_tables.iter().any(|(game, of)| game == name && of == rules)
            })
            .collect();
        for metric in Metric::ALL {
            for (name, rules) in &games {
                let Ok(set) = store.set(name, Some(rules)) else { continue };
                if is_small(&set.game) {
                    continue;
                }
                let start = set.game.layer(&set.game.start());
                let mut layers = *set.game.layers().start()..=start;
                let Some(layer) = layers.find(|&layer| !set.tables.has_values(layer, metric))
                else {
                    continue;
                };
                let target = Target::new(&set.game, layer, metric);
                let state = self.lock();
                let is_refused = |refusal: &Refusal| Instant::now() < refusal.until;
                // The layers above depend on it.
                if !state.refused.get(&target).is_some_and(is_refused) {
                    return Some(target);
                }
            }
        }
        None
    }

    /// Solves the layers that a target lacks, as far as the limits allow all of them. `spent` is
    /// the time for which it was worked on before; `None` if no client requested it.
    fn perform(&self, target: &Target, spent: Option<Duration>) -> Result<(), Refusal> {
        let store = &self.store;
        let defect = |_| Refusal::failed("the game is not known any more", ERRORS_HOLD);
        let game = store.registry.game(&target.game, Some(&target.rules)).map_err(defect)?;
        let layers = game.first_needed(target.layer)..=target.layer;
        let options = SolveOptions {
            layers: Some(layers.clone()),
            memory: self.options.memory,
            threads: self.options.threads,
            metrics: target.metric.into(),
            ..SolveOptions::new(&self.options.dir)
        };
        let (name, rules) = (game.name(), game.rules_id());
        let command = tables_command(&store.registry, "solve", name, rules, layers, target.metric);
        let failed = |error: SolveError| self.refusal(&game, target, &error, &command);
        let estimate = anser_solve::plan(&game, &options).map_err(failed)?;
        self.check(&estimate, &command)?;
        estimate.check(&options.dir).map_err(failed)?;
        if let Some(running) = &mut self.lock().running {
            running.work = Some(Work::new(&estimate));
        }
        let watch = Watch {
            solver: self,
            began: Instant::now(),
            spent: spent.unwrap_or_default(),
            steps: AtomicU64::new(0),
        };
        let mut classes: Vec<(u16, u64)> =
            estimate.passes.iter().map(|pass| (pass.layer, pass.classes)).collect();
        classes.dedup();
        for (layer, classes) in classes {
            if let Some(Running { work: Some(work), .. }) = &mut self.lock().running {
                work.begin(classes);
            }
            let options = SolveOptions { layers: Some(layer..=layer), ..options.clone() };
            match self.solve_layer(&game, layer, &options, &watch) {
                Ok(()) => {}
                Err(SolveError::Interrupted) => {
                    return self.interrupted(target, spent, &watch, &estimate, command);
                }
                Err(error) => {
                    // The run that has the lock may have solved some layers.
                    store.refresh(&game);
                    return Err(failed(error));
                }
            }
            store.refresh(&game);
            // With more tables, less is to be solved for the others.
            self.lock().refused.retain(|other, _| !other.is_of(&game));
        }
        store.refresh(&game);
        let served = store.set(game.name(), Some(game.rules_id()));
        if served.is_ok_and(|set| set.tables.has_values(target.layer, target.metric)) {
            return Ok(());
        }
        Err(Refusal::failed("the table of the layer cannot be used", ERRORS_HOLD))
    }

    /// Refuses a target that took far too long; otherwise queues it again if a client requested it.
    fn interrupted(
        &self,
        target: &Target,
        spent: Option<Duration>,
        watch: &Watch<'_>,
        estimate: &Estimate,
        command: String,
    ) -> Result<(), Refusal> {
        if watch.is_late() && !self.stopped.load(Relaxed) {
            let reason = format!(
                "solving {} did not end in {}, {LATE} times the limit of this server",
                layers_text(estimate),
                time_text(self.options.time.saturating_mul(LATE))
            );
            return Err(Refusal::limit(reason, command));
        }
        if spent.is_some() {
            let waiting = Waiting { target: target.clone(), held: None, spent: watch.time() };
            self.lock().waiting.push_back(waiting);
        }
        Ok(())
    }

    /// Solves a layer into files, and reports them.
    fn solve_layer(
        &self,
        game: &Hunt,
        layer: u16,
        options: &SolveOptions,
        watch: &Watch<'_>,
    ) -> Result<(), SolveError> {
        let solved = anser_solve::solve(game, options, watch);
        if !matches!(solved, Err(SolveError::Locked { .. })) {
            self.lock().is_locked = false;
        }
        for report in solved?.finished {
            self.metrics.solved_layers.add(1);
            self.report(&format!(
                "{}: {} of layer {layer} solved in {:.1} s, {}",
                set_text(game),
                metric_text(report.metric),
                report.run.seconds,
                Bytes(report.bytes)
            ));
        }
        Ok(())
    }

    fn report(&self, line: &str) {
        if let Some(report) = &self.options.report {
            report(line);
        }
    }
}

/// Gives this thread and those that it starts the lowest priority, where threads have their own.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    // Without it, answers are slower while a layer is solved.
    let _ = rustix::process::setpriority_process(None, 19);
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use anser_games::{Registry, SearchPath};
    use anser_table::{PositionedReads, ProbeError};

    use super::*;
    use crate::options::Options;

    #[test]
    fn a_run_gives_way_to_requests_when_it_has_made_progress() {
        let solver = solver(Solving::on_demand("."));
        let watch = |age, steps| {
            let began = Instant::now().checked_sub(age).expect("the clock is older");
            Watch { solver: &solver, began, spent: Duration::ZERO, steps: AtomicU64::new(steps) }
        };
        let long = TURN + Duration::from_secs(1);
        assert!(!watch(long, STEPS).interrupted(), "nobody waits");
        let (game, missing) = (Hunt::default(), [missing(13)]);
        let client = Client::from(IpAddr::from(Ipv4Addr::LOCALHOST));
        let asked = solver.request(client, &game, &missing).expect("it is missing");
        assert_eq!((asked.layer, asked.state), (13, SolvingState::Queued));
        assert!(watch(long, STEPS).interrupted());
        assert!(!watch(long, STEPS - 1).interrupted(), "no progress would be kept");
        assert!(!watch(Duration::ZERO, STEPS).interrupted());
        // Without a request it ends, too, when it takes ten times the limit of the estimate.
        assert!(watch(solver.options.time * LATE, 0).is_late());
        // The same request waits once.
        solver.request(client, &game, &missing);
        assert_eq!(solver.list().len(), 1);
        solver.stop();
        assert!(watch(Duration::ZERO, 0).interrupted());
    }

    /// A solver beside a store of embedded tables.
    fn solver(options: Solving) -> Solver {
        let embedded = Options::new(SearchPath::embedded());
        let store = Store::new(Registry::standard(), &embedded, None).expect("they are embedded");
        Solver::new(options, &Arc::new(store), &Arc::default())
    }

    /// A missing layer of Fox-and-Geese.
    fn missing(layer: u16) -> MissingLayer {
        let (registry, game) = (Registry::standard(), Hunt::default());
        let tables = SearchPath::embedded().open(&registry, &game, &PositionedReads);
        match tables.expect("they are embedded").probe(&game.start()) {
            Err(ProbeError::MissingLayer(mut missing)) => {
                missing.layer = layer;
                *missing
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_full_queue_takes_no_other_layer_until_one_is_begun() {
        let solver = solver(Solving::on_demand("."));
        let game = Registry::standard().game("bagh-chal", None).expect("it is registered");
        let client = |layer| Client::from(IpAddr::from(Ipv4Addr::new(192, 0, 2, layer)));
        let request =
            |layer: u8| solver.request_layer(client(layer), &game, layer.into(), Metric::Wdl);
        let most = MOST_WAITING as u8;
        for layer in 0..most {
            assert_eq!(request(layer).expect("there is room").state, SolvingState::Queued);
        }
        assert!(request(most).is_none());
        let other = solver.request(client(most), &Hunt::default(), &[missing(13)]);
        let other = other.expect("it is missing");
        assert_eq!((other.state, other.reason.as_deref()), (SolvingState::Failed, Some(FULL)));
        // One that waits already, and the next one when the first is begun.
        assert!(request(most - 1).is_some());
        assert!(solver.next().is_some());
        assert!(request(most).is_some());
    }

    #[test]
    fn beyond_its_limit_a_client_gives_up_the_layer_that_is_next() {
        let (solver, game) = (solver(Solving::on_demand(".")), Hunt::default());
        let clients = [1, 2].map(|it| Client::from(IpAddr::from(Ipv4Addr::new(192, 0, 2, it))));
        let [one, other] = clients;
        let most = solver.shares.most as u16;
        for (client, layer) in [(other, 30)].into_iter().chain((8..=8 + most).map(|it| (one, it))) {
            let asked = solver.request_layer(client, &game, layer, Metric::Wdl);
            assert_eq!(asked.expect("there is room").state, SolvingState::Queued);
        }
        let waiting: Vec<u16> = solver.list().iter().map(|it| it.solving.layer).collect();
        let [newest, others] = [8 + most, 9];
        assert_eq!(waiting, [30, newest].into_iter().chain(others..newest).collect::<Vec<_>>());
    }

    #[test]
    fn a_lock_is_reported_once() {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let reported = lines.clone();
        let mut options = Solving::on_demand(".");
        options.report = Some(Arc::new(move |line| {
            reported.lock().expect("not poisoned").push(line.to_owned());
        }));
        let (solver, game) = (solver(options), Hunt::default());
        let target = Target::new(&game, 8, Metric::Wdl);
        // Errors of plans in between do not show that the lock is free.
        for is_locked in [true, true, false, true] {
            let error = if is_locked {
                SolveError::Locked { path: ".".into() }
            } else {
                SolveError::Memory { layer: 8, needed: 2, budget: 1 }
            };
            solver.refusal(&game, &target, &error, "anser solve");
        }
        let lines = lines.lock().expect("not poisoned");
        let memory: Vec<bool> = lines.iter().map(|line| line.contains("memory")).collect();
        assert_eq!(memory, [false, true], "{lines:?}");
    }

    #[test]
    fn the_oldest_request_comes_first_and_what_gave_way_last() {
        let game = Hunt::default();
        let solver = solver(Solving::on_demand("."));
        for (client, layer) in [(1, 9), (2, 8), (1, 10)] {
            let client = Client::from(IpAddr::from(Ipv4Addr::new(192, 0, 2, client)));
            solver.request(client, &game, &[missing(layer)]);
        }
        let next = || solver.next().map(|(target, spent)| (target.layer, spent));
        let listed: Vec<u16> = solver.list().iter().map(|layer| layer.solving.layer).collect();
        assert_eq!(listed, [9, 8, 10]);
        assert_eq!(next(), Some((9, Some(Duration::ZERO))));
        assert_eq!(next(), Some((8, Some(Duration::ZERO))));
        solver.stop();
        assert_eq!(next(), None);
    }

    #[test]
    fn a_run_that_takes_much_longer_than_the_limit_is_refused() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let game = Hunt::default();
        let solver = solver(Solving::on_demand(dir.path()));
        let target = Target::new(&game, 4, Metric::Wdl);
        let late = solver.options.time * LATE;
        let refusal = solver.perform(&target, Some(late));
        let refusal = refusal.expect_err("it is late");
        assert_eq!(refusal.state, SolvingState::Refused);
        assert_eq!(
            refusal.reason,
            "solving layer 4 did not end in 5 min, 10 times the limit of this server"
        );
        let command = refusal.command.expect("a limit has one");
        assert!(command.starts_with("anser solve fox-geese --rules free --layers "), "{command}");
        assert!(solver.lock().waiting.is_empty());
        assert!(solver.perform(&target, Some(Duration::ZERO)).is_ok());
    }
}
