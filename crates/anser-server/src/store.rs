//! Sources of values: tables of the search path, opened on first use, and solutions of small games
//! in memory.

use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use anser_core::hunt::HuntIndex;
use anser_core::{Hunt, LayerIndex, Next, Probe, RatedMove, Side, Value, hunt};
use anser_games::{
    ON_THE_SPOT, Registry, Scope, SearchPath, Size, Sources, TableFile, ValueError, Values,
    missing_among,
};
use anser_retrograde::{Limits, Solution};
use anser_table::{Kind, Metric, MissingLayer, ProbeError, TableError, TableName, Tablebase};

use crate::options::{Options, Solving};
use crate::problem::Problem;
use crate::reply::Reply;
use crate::task::{Task, Work};

/// Number of games under a rule set that are held at a time.
const MOST_SETS: usize = 64;

/// Bytes of a solution per symmetry class, about.
const SOLUTION_BYTES: u64 = 16;

/// Symmetry classes of the largest task that is brief: it takes a tenth of a second.
const BRIEF: u64 = 1 << 18;

/// Symmetry classes of the largest game that is counted from its raw tables: it takes about ten
/// seconds.
const COUNTED: u64 = 1 << 29;

/// Interval at which open tables are compared with their files.
const CHECKED_EVERY: Duration = Duration::from_secs(1);

/// The values of all games.
pub(crate) struct Store {
    pub(crate) registry: Registry,
    pub(crate) options: Options,
    /// The only tables that are used, if not all of the search path are.
    only: Option<Vec<TableFile>>,
    sets: RwLock<Sets>,
    began: Instant,
}

/// The sets that are held, and when each was used.
#[derive(Default)]
struct Sets {
    /// Games, as in file names, and rule sets that have tables.
    with_tables: BTreeSet<(String, String)>,
    open: HashMap<(String, String), (Arc<Set>, AtomicU64)>,
    uses: AtomicU64,
    /// Number of times that tables were added or listed again.
    changes: u64,
    /// Blocks that were needed for sets that are no longer held.
    before: Blocks,
}

impl Sets {
    /// Forgets a set.
    fn close(&mut self, key: &(String, String)) {
        if let Some((set, _)) = self.open.remove(key) {
            self.before.add(&set);
        }
    }
}

/// A game under a rule set.
pub(crate) struct Set {
    pub(crate) game: Hunt,
    /// The tables, with no layer at all where there are none.
    pub(crate) tables: Arc<Tablebase>,
    /// Milliseconds after which the tables are compared with their files again.
    check_at: AtomicU64,
    /// By the layers that were solved.
    solutions: Mutex<HashMap<RangeInclusive<u16>, Arc<Solution>>>,
    indexes: Mutex<HashMap<u16, Arc<HuntIndex>>>,
    /// Answers that take long, by their endpoint.
    kept: Mutex<HashMap<&'static str, Reply>>,
}

/// Numbers of blocks of tables that were needed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Blocks {
    /// Blocks that were decoded or checked.
    pub(crate) read: u64,
    /// Blocks that were in the cache.
    pub(crate) cached: u64,
}

impl Blocks {
    fn add(&mut self, set: &Set) {
        let cache = set.tables.cache();
        self.read += cache.decoded();
        self.cached += cache.hits();
    }
}

/// A position with its moves, as far as they are known.
pub(crate) struct Probed {
    pub(crate) value: Option<Value>,
    pub(crate) moves: Vec<RatedMove>,
    pub(crate) missing: Vec<MissingLayer>,
    /// Layers and metrics whose files cannot be used, with the error of the first file.
    pub(crate) lost: Vec<(u16, Metric, TableError)>,
}

impl Store {
    /// Lists the tables of the search path, or takes `only` these of them.
    pub(crate) fn new(
        registry: Registry,
        options: &Options,
        only: Option<Vec<TableFile>>,
    ) -> Result<Store, TableError> {
        let store = Store {
            registry,
            options: options.clone(),
            only,
            sets: RwLock::default(),
            began: Instant::now(),
        };
        store.rescan()?;
        Ok(store)
    }

    /// The directories of tables, with that of the tables to be solved if it exists: what cleans
    /// temporary files may have removed it, and solving creates it again.
    fn path(&self) -> SearchPath {
        let mut path = self.options.path.clone();
        if let Some(Solving { dir, .. }) = &self.options.solving {
            if !dir.try_exists().unwrap_or(true) {
                path.directories.retain(|other| other != dir);
            } else if !path.directories.contains(dir) {
                path.directories.push(dir.clone());
            }
        }
        path
    }

    /// Lists the tables again, and opens them again on their next use.
    pub(crate) fn rescan(&self) -> Result<(), TableError> {
        let tables = if let Some(tables) = &self.only {
            tables.clone()
        } else {
            let listed = self.path().list(&self.registry)?;
            listed.into_iter().flat_map(|directory| directory.tables).collect()
        };
        let with_tables = tables.into_iter().map(|file| (file.name.game, file.name.rules));
        let with_tables: BTreeSet<_> = with_tables.collect();
        let mut sets = self.sets.write().unwrap_or_else(PoisonError::into_inner);
        let (changes, mut before) = (sets.changes + 1, sets.before);
        sets.open.values().for_each(|(set, _)| before.add(set));
        *sets = Sets { with_tables, changes, before, ..Sets::default() };
        Ok(())
    }

    /// Opens the tables of a game again on its next use, because there are new ones.
    pub(crate) fn refresh(&self, game: &Hunt) {
        let name = TableName::new(game.name(), game.rules_id(), 0, Metric::Wdl, Kind::Raw);
        let mut sets = self.sets.write().unwrap_or_else(PoisonError::into_inner);
        sets.changes += 1;
        sets.with_tables.insert((name.game, name.rules));
        sets.close(&key_of(game));
    }

    /// Games with tables, as on the command line, and rule sets.
    pub(crate) fn with_tables(&self) -> Vec<(String, String)> {
        let sets = self.sets.read().unwrap_or_else(PoisonError::into_inner);
        let names = sets.with_tables.iter();
        names.map(|(game, rules)| (self.registry.name_in_files(game), rules.clone())).collect()
    }

    /// Blocks of tables that were needed.
    pub(crate) fn blocks(&self) -> Blocks {
        let sets = self.sets.read().unwrap_or_else(PoisonError::into_inner);
        let mut all = sets.before;
        sets.open.values().for_each(|(set, _)| all.add(set));
        all
    }

    /// Statistics of the tables of a game.
    pub(crate) fn statistics(&self, game: &Hunt) -> Result<anser_games::Statistics, TableError> {
        let mut found = self.path().statistics(&self.registry, game, |_| true)?;
        if let Some(tables) = &self.only {
            let has =
                |layer: u16| tables.iter().any(|file| file.is_of(game) && file.name.layer == layer);
            found.layers.retain(|counted| has(counted.layer));
        }
        Ok(found)
    }

    /// Opens the tables of a game.
    fn open(&self, game: &Hunt) -> Result<Tablebase, TableError> {
        let Some(tables) = &self.only else {
            return self.path().open(&self.registry, game, &*self.options.access);
        };
        let of_game = tables.iter().filter(|file| file.is_of(game)).map(TableFile::open);
        Ok(Tablebase::from_tables(game.clone(), of_game.collect::<Result<Vec<_>, _>>()?))
    }

    /// Returns the values of a game under a rule set, or under its default one.
    pub(crate) fn set(&self, game: &str, rules: Option<&str>) -> Result<Arc<Set>, Problem> {
        // In a query a plus sign stands for a space, and no rule set has a space.
        let rules = rules.map(|rules| rules.replace(' ', "+"));
        let game = self.registry.game(game, rules.as_deref())?;
        let key = key_of(&game);
        if let Some(set) = self.held(&key) {
            if !self.is_stale(&set) {
                return Ok(set);
            }
            self.close(&set);
        }
        let (tables, mut sets) = loop {
            let changes = self.sets.read().unwrap_or_else(PoisonError::into_inner).changes;
            let tables = self.open(&game)?;
            let sets = self.sets.write().unwrap_or_else(PoisonError::into_inner);
            // Tables that were added meanwhile may not be among those opened.
            if sets.changes == changes {
                break (tables, sets);
            }
        };
        let share = self.options.memory / 2 / (sets.with_tables.len().max(1) as u64);
        let set = Arc::new(Set {
            game,
            tables: Arc::new(tables.with_cache_bytes(share)),
            check_at: AtomicU64::new(self.millis() + CHECKED_EVERY.as_millis() as u64),
            solutions: Mutex::default(),
            indexes: Mutex::default(),
            kept: Mutex::default(),
        });
        if sets.open.len() >= MOST_SETS {
            let oldest = sets.open.iter().min_by_key(|(_, (_, used))| used.load(Relaxed));
            if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                sets.close(&oldest);
            }
        }
        let now = sets.uses.fetch_add(1, Relaxed);
        let held = sets.open.entry(key).or_insert((set, AtomicU64::new(now)));
        Ok(held.0.clone())
    }

    fn held(&self, key: &(String, String)) -> Option<Arc<Set>> {
        let sets = self.sets.read().unwrap_or_else(PoisonError::into_inner);
        let (set, used) = sets.open.get(key)?;
        used.store(sets.uses.fetch_add(1, Relaxed), Relaxed);
        Some(set.clone())
    }

    fn millis(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    /// Whether a table of the set was replaced; looks at most once per [`CHECKED_EVERY`].
    fn is_stale(&self, set: &Set) -> bool {
        let (now, at) = (self.millis(), set.check_at.load(Relaxed));
        let next = now + CHECKED_EVERY.as_millis() as u64;
        let checks = now >= at && set.check_at.compare_exchange(at, next, Relaxed, Relaxed).is_ok();
        checks && set.tables.check_unchanged().is_err()
    }

    /// Forgets a set, so that its tables are opened again on the next use.
    pub(crate) fn close(&self, set: &Arc<Set>) {
        let mut sets = self.sets.write().unwrap_or_else(PoisonError::into_inner);
        let key = key_of(&set.game);
        if sets.open.get(&key).is_some_and(|(held, _)| Arc::ptr_eq(held, set)) {
            sets.close(&key);
        }
    }

    /// Solves layers of a game, unless they are solved.
    pub(crate) fn solve(
        &self,
        set: &Set,
        layers: RangeInclusive<u16>,
        limits: &Limits<'_>,
    ) -> Result<Arc<Solution>, Problem> {
        if let Some(solution) = set.solution(&layers) {
            return Ok(solution);
        }
        self.make_room(set, layers.clone());
        let solution = Arc::new(Solution::of_layers(&set.game, layers.clone(), limits)?);
        set.solutions().insert(layers, solution.clone());
        Ok(solution)
    }

    /// Forgets solutions until another one fits.
    fn make_room(&self, set: &Set, layers: RangeInclusive<u16>) {
        let needed = Size::of_layers(&set.game, layers).classes * SOLUTION_BYTES;
        let room = (self.options.memory / 2).saturating_sub(needed);
        let size = |solution: &Arc<Solution>| solution.len() * SOLUTION_BYTES;
        let sets = self.sets.read().unwrap_or_else(PoisonError::into_inner);
        let mut others: Vec<(u64, &Arc<Set>)> = sets
            .open
            .values()
            .filter(|(other, _)| !std::ptr::eq(Arc::as_ptr(other), set))
            .map(|(other, used)| (used.load(Relaxed), other))
            .collect();
        others.sort_by_key(|(used, _)| *used);
        let of = |set: &Set| set.solutions().values().map(size).sum::<u64>();
        let mut held = of(set) + others.iter().map(|(_, other)| of(other)).sum::<u64>();
        for set in others.iter().map(|(_, other)| &***other).chain([set]) {
            if held <= room {
                return;
            }
            held = held.saturating_sub(of(set));
            set.solutions().clear();
        }
    }
}

/// The values that an answer lacks because the files that have them cannot be used.
fn lost(
    game: &Hunt,
    values: &Values,
    position: &hunt::Position,
    moves: &[RatedMove],
) -> Vec<(u16, Metric, TableError)> {
    let Some(tables) = values.tables() else { return Vec::new() };
    if game.terminal(position).is_some() {
        return Vec::new();
    }
    let after = moves.iter().filter_map(|rated| match &rated.next {
        Next::Position(next) => Some(game.layer(next)),
        Next::End(_) => None,
    });
    let layers: BTreeSet<u16> = after.chain([game.layer(position)]).collect();
    let of_layer =
        |layer| tables.lost(layer).map(move |(metric, error)| (layer, metric, error.clone()));
    layers.into_iter().flat_map(of_layer).collect()
}

impl Set {
    /// Whether files that have the names of tables cannot be used.
    pub(crate) fn has_lost(&self) -> bool {
        self.tables.rejected().next().is_some()
    }

    /// Layers with values in tables.
    pub(crate) fn layers_with(&self, metric: Metric) -> Vec<u16> {
        self.game.layers().filter(|&layer| self.tables.has_values(layer, metric)).collect()
    }

    /// The source of answers about the whole game, if they are found on the spot.
    pub(crate) fn whole(&self) -> Option<WholeSource> {
        if is_solved_in_memory(&self.game) {
            return Some(WholeSource::Memory);
        }
        // Packed tables omit a side to move, which takes hundreds of times as long.
        let has_distances = |layer| {
            self.game.index(layer).len(Side::First) == 0
                || self
                    .tables
                    .table_of(layer, Metric::Dtw)
                    .is_ok_and(|table| table.header().kind() == Kind::Raw)
        };
        let is_counted = Size::of_layers(&self.game, self.game.layers()).classes <= COUNTED
            && self.game.layers().all(has_distances);
        is_counted.then_some(WholeSource::Tables)
    }

    /// Layers that are solved in memory on demand.
    pub(crate) fn solved_layers(&self) -> Vec<u16> {
        small_layers(&self.game)
            .into_iter()
            .filter(|&layer| !self.tables.has_values(layer, Metric::Wdl))
            .collect()
    }

    /// The index of a layer.
    pub(crate) fn index(&self, layer: u16) -> Arc<HuntIndex> {
        let mut indexes = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        indexes.entry(layer).or_insert_with(|| self.game.index(layer).into()).clone()
    }

    fn solutions(&self) -> MutexGuard<'_, HashMap<RangeInclusive<u16>, Arc<Solution>>> {
        self.solutions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn solution(&self, layers: &RangeInclusive<u16>) -> Option<Arc<Solution>> {
        self.solutions().get(layers).cloned()
    }

    /// Finds the values of all positions of a layer, as [`Values::find`] does.
    pub(crate) fn find(&self, layer: u16, metric: Metric) -> Result<Values, Problem> {
        Values::find(&self.game, &Scope::Layers(layer..=layer), metric, self)
    }

    /// Looks up a position with its moves.
    pub(crate) fn probe(&self, position: &hunt::Position) -> Result<Probed, Problem> {
        let game = &self.game;
        let values = self.find(game.layer(position), Metric::Wdl)?;
        let mut missing: Vec<MissingLayer> = Vec::new();
        let is_unusable =
            |error: &ProbeError| values.tables().is_some_and(|tables| tables.is_rejected(error));
        let value = match (game.terminal(position), values.value(position)) {
            (Some(outcome), _) => Some(Value::ended(outcome)),
            (None, Ok(value)) => Some(value),
            (None, Err(ValueError::Probe(ProbeError::MissingLayer(layer)))) => {
                missing.push(*layer);
                None
            }
            (None, Err(ValueError::Probe(error))) if is_unusable(&error) => None,
            (None, Err(error)) => return Err(error.into()),
        };
        let moves = values.probe_moves(game, position)?;
        if let Some(tables) = values.tables() {
            if value.is_some_and(|value| value.dtw().is_none())
                && let Err(ProbeError::MissingLayer(layer)) = tables.probe_distance(position)
            {
                missing.push(*layer);
            }
            for layer in missing_among(tables, position, &moves) {
                if missing.iter().all(|other| other.layer != layer.layer) {
                    missing.push(layer);
                }
            }
        }
        let lost = lost(game, &values, position, &moves);
        Ok(Probed { value, moves, missing, lost })
    }

    /// A task for this game.
    pub(crate) fn task(&self, work: Work) -> Task {
        let game = &self.game;
        let layers = match &work {
            Work::Solve(layers) => layers.clone(),
            Work::Census | Work::Hardest { .. } => game.layers(),
        };
        let is_brief = Size::of_layers(game, layers).classes <= BRIEF;
        Task { game: game.name().into(), rules: game.rules_id().into(), work, is_brief }
    }

    /// Returns a long answer, which is computed once and then kept.
    pub(crate) fn kept(
        &self,
        name: &'static str,
        find: impl FnOnce() -> Result<Reply, Problem>,
    ) -> Result<Reply, Problem> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        if let Some(reply) = kept {
            return Ok(reply);
        }
        let reply = find()?;
        self.keep(name, reply.clone());
        Ok(reply)
    }

    /// Keeps an answer.
    pub(crate) fn keep(&self, name: &'static str, answer: Reply) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert(name, answer);
    }
}

/// Tables that are open, and solutions that are held: to make one is a task.
impl Sources for Set {
    type Error = Problem;

    fn tables(&self, _: &Hunt) -> Result<Arc<Tablebase>, Problem> {
        Ok(self.tables.clone())
    }

    fn solves(&self, size: Size) -> bool {
        size.is_small()
    }

    fn solve(&self, game: &Hunt, scope: &Scope) -> Result<Arc<Solution>, Problem> {
        let highest = *scope.layers(game).end();
        let layers = if is_small(&self.game) { game.layers() } else { highest..=highest };
        let solution = self.solution(&layers);
        solution.ok_or_else(|| Problem::needs(self.task(Work::Solve(layers))))
    }
}

/// Source of answers about a whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WholeSource {
    /// The game is solved in memory for the answer.
    Memory,
    /// The raw tables of distances of all layers.
    Tables,
}

/// Whether all of a game is solved in memory for a question about the whole of it.
pub(crate) fn is_solved_in_memory(game: &Hunt) -> bool {
    Size::of_layers(game, game.layers()).time() <= ON_THE_SPOT
}

/// Whether all of a game is solved in memory when a position is looked up.
pub(crate) fn is_small(game: &Hunt) -> bool {
    Size::of_layers(game, game.layers()).is_small()
}

/// Layers of a game that are solved in memory on demand where no tables are.
pub(crate) fn small_layers(game: &Hunt) -> Vec<u16> {
    // If the whole game is small, so are its layers.
    if is_small(game) {
        return game.layers().collect();
    }
    let mut small = Vec::new();
    for layer in game.layers() {
        // A layer is larger with those below it than each of them is.
        let is_small = game.lower_layers(layer).iter().all(|lower| small.contains(lower))
            && Size::of_layers(game, layer..=layer).is_small();
        if is_small {
            small.push(layer);
        }
    }
    small
}

/// A game under a rule set, in words.
pub(crate) fn set_text(game: &Hunt) -> String {
    format!("{} (rules {})", game.name(), game.rules_id())
}

/// The name of a game and the id of its rules.
fn key_of(game: &Hunt) -> (String, String) {
    (game.name().to_owned(), game.rules_id().to_owned())
}
