//! The general engine of outcomes: any game, by its rules and index alone.
//!
//! Retrograde analysis as a least fixpoint. The fill looks at every position once, for terminal
//! positions and moves to lower layers. Then steps alternate between the sides. A step decides all
//! positions of one side that follow from the decided positions of the other side: won if one move
//! wins, lost if all moves lose. Wins and losses are each found in the cheaper of two ways: by a
//! *sweep* over the moves of all undecided positions, or by going *back* from the frontier, the
//! positions decided last, along un-moves. Both ways decide the same positions, so the number of
//! rounds, of two steps each, is a property of the game, not of threads or interruptions. Positions
//! that are never decided are draws.
//!
//! Values change only from undecided to decided. A step writes the values of one side and reads
//! those of the other, so threads need no order. Every decided value is final, so a copy of the
//! values at any moment is a valid checkpoint, also within the fill and within a step.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use anser_core::hunt::{HuntIndex, Position};
use anser_core::{BySide, Dtw, Hunt, LayerIndex, Next, Outcome, Side};
use anser_retrograde::bits::{clear, count, for_each_bit};
use anser_retrograde::layer::{FirstLook, Scan, first_look};
use anser_retrograde::parallel;
use anser_table::format::{ENTRIES_PER_PAIR, pairs, payload_len};
use anser_table::{Metric, Tablebase};

use super::engine::{Effort, Engine, Filled, Task};
use super::planes::Planes;
use crate::checkpoint::Checkpoint;
use crate::run::metrics::Metrics;
use crate::{Event, SolveError};

/// Number of pairs of words that a thread takes at a time: 16,384 entries.
const CHUNK: usize = 256;

/// Cost of going back from a lost position of the frontier, in looks of a sweep: both go through
/// all moves of one position.
const BACK_FROM_LOSS: u64 = 1;

/// Cost of going back from a won position of the frontier, in looks of a sweep: each predecessor is
/// looked at, and a look of a sweep mostly ends at the first move, which does not lose.
const BACK_FROM_WIN: u64 = 16;

/// Positions examined, with all their moves, per class, in all rounds together. Measured: 1.5 to
/// 2.8 in layers 6 to 9 of `first-capture`, half of that under `free`. Layers with more rounds take
/// more.
const LOOKS_PER_CLASS: f64 = 1.5;

/// See the module.
pub(crate) struct General {
    /// Number of chunks between two moments at which a checkpoint may be written.
    segment: usize,
}

impl General {
    pub(crate) fn new() -> General {
        General { segment: 1024 }
    }
}

impl Engine for General {
    fn name(&self) -> &'static str {
        "general"
    }

    fn fills(&self, metrics: Metrics) -> bool {
        metrics == Metrics::from(Metric::Wdl)
    }

    fn memory(&self, game: &Hunt, layer: u16, index: &HuntIndex) -> u64 {
        let entries = Side::BOTH.map(|side| index.len(side));
        // The lower layers are mapped during the fill, the frontier is kept after it.
        let frontier: u64 = entries.iter().map(|&n| n.div_ceil(ENTRIES_PER_PAIR) * 8).sum();
        let lower = game.lower_layers(layer).into_iter().map(|lower| {
            let index = game.index(lower);
            payload_len(Side::BOTH.map(|side| index.len(side)))
        });
        payload_len(entries)
            .saturating_add(held_len(entries))
            .saturating_add(lower.fold(0, u64::saturating_add).max(frontier))
    }

    fn disk(&self, _game: &Hunt, _layer: u16, index: &HuntIndex, tables: u64) -> u64 {
        let entries = Side::BOTH.map(|side| index.len(side));
        let checkpoint = payload_len(entries).saturating_add(held_len(entries));
        // A checkpoint is written beside the one before, later the table is.
        tables.max(checkpoint).saturating_add(checkpoint)
    }

    fn effort(&self, _game: &Hunt, _layer: u16, index: &HuntIndex) -> Effort {
        let classes: u64 = Side::BOTH.iter().map(|&side| index.len(side)).sum();
        Effort { alone: 0.0, shared: LOOKS_PER_CLASS * classes as f64 }
    }

    fn solve(&self, task: &Task<'_>) -> Result<Filled, SolveError> {
        let values = Values::new(Side::BOTH.map(|side| task.index.len(side)));
        let mut reached = match task.checkpoints.take_found() {
            Some(found) => values.restore(found)?,
            None => StepsDone::default(),
        };
        let solved = self.values(task, &values, &mut reached);
        // Every decided value is final, also within a step.
        if matches!(solved, Err(SolveError::Interrupted)) && reached.filled > 0 {
            values.save(task, reached)?;
        }
        solved?;
        let table = task.outcomes()?;
        for side in Side::BOTH {
            let pairs = values.planes().pairs(side).as_flattened();
            let chunks =
                table.groups(side).chunks(parallel::CHUNK).zip(pairs.chunks(parallel::CHUNK));
            parallel::for_each(chunks, &|(to, words)| {
                for (to, word) in to.iter().zip(words) {
                    to.store(word.load(Relaxed), Relaxed);
                }
            });
        }
        Ok(Filled { tables: vec![table], rounds: reached.useful.div_ceil(2) })
    }
}

/// Progress of the values.
#[derive(Clone, Copy, Default)]
struct StepsDone {
    /// The number of pairs of words that are filled, those of the first side first.
    filled: u64,
    /// The number of complete steps. A round has two steps.
    steps: u64,
    /// The last step that decided a class.
    useful: u64,
    /// The number of classes that were decided after it; `None` during the fill.
    decided: Option<u64>,
}

impl General {
    /// Computes the final values.
    fn values(
        &self,
        task: &Task<'_>,
        values: &Values,
        reached: &mut StepsDone,
    ) -> Result<(), SolveError> {
        if reached.decided.is_none() {
            self.fill(task, values, reached)?;
        }
        let mut rounds = Rounds::new(self, task, values, *reached);
        let done = rounds.run();
        *reached = rounds.reached;
        done?;
        if task.index.has_gaps() {
            copy_classes(task.index, values);
        }
        Ok(())
    }

    /// Decides terminal positions, and positions that moves to lower layers decide. Maps the lower
    /// layers.
    fn fill(
        &self,
        task: &Task<'_>,
        values: &Values,
        reached: &mut StepsDone,
    ) -> Result<(), SolveError> {
        let planes = values.planes();
        let lower = task.open_lower()?;
        task.begin("ends and captures", values.entries.iter().sum());
        let mut before = 0;
        for side in Side::BOTH {
            let len = planes.pairs(side).len();
            let filled = (reached.filled.saturating_sub(before) as usize).min(len);
            task.advance((filled as u64 * ENTRIES_PER_PAIR).min(planes.entries(side)));
            for first in (filled..len).step_by(self.segment * CHUNK) {
                let segment = first..len.min(first + self.segment * CHUNK);
                fill_segment(task, values, &lower, side, segment.clone())?;
                reached.filled = before + segment.end as u64;
                if task.checkpoints.is_due() {
                    values.save(task, *reached)?;
                }
            }
            before += len as u64;
        }
        task.release_lower(lower);
        let decided = |side| count(&decided_bits(planes, side));
        reached.decided = Some(Side::BOTH.into_iter().map(decided).sum());
        // A run that resumes from here does not need the lower layers.
        values.save(task, *reached)
    }
}

/// The values of a layer in memory. Checkpoints are copies.
struct Values {
    words: Vec<AtomicU64>,
    /// One bit per entry: undecided, but the side to move has a draw by a move to a lower layer, so
    /// it can win and not lose.
    held: Vec<AtomicU64>,
    entries: [u64; 2],
}

/// Gives every copy of a class the outcome of the class. Repeated, this changes nothing.
fn copy_classes(index: &impl LayerIndex, values: &Values) {
    let planes = values.planes();
    for side in Side::BOTH {
        let pairs = planes.pairs(side);
        let len = index.len(side);
        parallel::for_each((0..len).step_by(parallel::CHUNK), &|first| {
            for rank in first..len.min(first + parallel::CHUNK as u64) {
                let Some(of_class) = index.copy_of(side, rank) else { continue };
                let place =
                    |rank: u64| ((rank / ENTRIES_PER_PAIR) as usize, rank % ENTRIES_PER_PAIR);
                let ((from, from_bit), (to, to_bit)) = (place(of_class), place(rank));
                for (from, to) in pairs[from].iter().zip(&pairs[to]) {
                    to.fetch_or((from.load(Relaxed) >> from_bit & 1) << to_bit, Relaxed);
                }
            }
        });
    }
}

impl Values {
    fn new(entries: [u64; 2]) -> Values {
        Values {
            words: parallel::defaults((payload_len(entries) / 8) as usize),
            held: parallel::defaults((held_len(entries) / 8) as usize),
            entries,
        }
    }

    /// Writes a checkpoint.
    fn save(&self, task: &Task<'_>, reached: StepsDone) -> Result<(), SolveError> {
        let StepsDone { filled, steps, useful, decided } = reached;
        let state = [filled, steps, useful, decided.map_or(0, |decided| decided + 1)];
        let words = self.words.iter().chain(&self.held).map(|word| word.load(Relaxed));
        task.checkpoints.save(steps / 2, &state, words)
    }

    /// Reads a checkpoint.
    fn restore(&self, mut found: Checkpoint) -> Result<StepsDone, SolveError> {
        let [filled, steps, useful, decided] =
            found.state[..].try_into().expect("the layout of the checkpoint is this one");
        found.read_shared(&self.words)?;
        found.read_shared(&self.held)?;
        found.finish()?;
        Ok(StepsDone { filled, steps, useful, decided: decided.checked_sub(1) })
    }

    fn planes(&self) -> Planes<'_> {
        Planes::new(&self.words, self.entries)
    }

    /// Returns the held positions with `side` to move.
    fn held(&self, side: Side) -> &[AtomicU64] {
        let (first, second) = self.held.split_at(pairs(self.entries[0]) as usize);
        BySide::new(first, second)[side]
    }

    /// Returns whether the side to move has a draw by a move to a lower layer.
    #[inline]
    fn is_held(&self, side: Side, entry: u64) -> bool {
        let word = &self.held(side)[(entry / ENTRIES_PER_PAIR) as usize];
        word.load(Relaxed) >> (entry % ENTRIES_PER_PAIR) & 1 != 0
    }
}

/// Returns the length of the bits of held positions, in bytes.
fn held_len(entries: [u64; 2]) -> u64 {
    entries.into_iter().map(|entries| pairs(entries).saturating_mul(8)).fold(0, u64::saturating_add)
}

/// Returns one bit per entry: the position is decided.
fn decided_bits(planes: Planes<'_>, side: Side) -> Vec<AtomicU64> {
    let bits: Vec<AtomicU64> = parallel::defaults(planes.pairs(side).len());
    let chunks = bits.chunks(parallel::CHUNK).zip((0..).step_by(parallel::CHUNK));
    parallel::for_each(chunks, &|(bits, first)| {
        for (bits, pair) in bits.iter().zip(first..) {
            bits.store(planes.decided(side, pair), Relaxed);
        }
    });
    bits
}

/// Returns the numbers of lost and won positions among those of `bits` with `side` to move.
fn lost_and_won(bits: &[AtomicU64], planes: Planes<'_>, side: Side) -> (u64, u64) {
    let chunks = bits.chunks(parallel::CHUNK).zip(planes.pairs(side).chunks(parallel::CHUNK));
    let counts = parallel::map(chunks, &|(bits, pairs)| {
        let (mut lost, mut won) = (0, 0);
        for (bits, pair) in bits.iter().zip(pairs) {
            let (bits, winner) = (bits.load(Relaxed), pair[side.index()].load(Relaxed));
            lost += u64::from((bits & !winner).count_ones());
            won += u64::from((bits & winner).count_ones());
        }
        (lost, won)
    });
    counts.into_iter().fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
}

/// Fills some pairs of words.
fn fill_segment(
    task: &Task<'_>,
    values: &Values,
    lower: &Tablebase,
    side: Side,
    segment: Range<usize>,
) -> Result<(), SolveError> {
    let planes = values.planes();
    let pairs = planes.pairs(side);
    parallel::try_for_each(0..segment.len().div_ceil(CHUNK), &|chunk| {
        task.check_interrupt()?;
        let first = segment.start + chunk * CHUNK;
        let range = first..segment.end.min(first + CHUNK);
        let visited = range.len() as u64 * ENTRIES_PER_PAIR;
        for pair in range {
            let (mut words, mut held) = ([0, 0], 0);
            let first = pair as u64 * ENTRIES_PER_PAIR;
            for entry in first..planes.entries(side).min(first + ENTRIES_PER_PAIR) {
                let bit = 1 << (entry - first);
                match seed(task, lower, side, entry)? {
                    Seed::Won(winner) => words[winner.index()] |= bit,
                    Seed::Held => held |= bit,
                    Seed::Nothing => {}
                }
            }
            pairs[pair][0].store(words[0], Relaxed);
            pairs[pair][1].store(words[1], Relaxed);
            values.held(side)[pair].store(held, Relaxed);
        }
        task.advance(visited);
        Ok(())
    })
}

/// Contribution of terminal positions and lower layers to a position.
enum Seed {
    Nothing,
    /// The side to move has a draw.
    Held,
    Won(Side),
}

fn seed(task: &Task<'_>, lower: &Tablebase, side: Side, entry: u64) -> Result<Seed, SolveError> {
    let position = task.index.unrank(side, entry);
    let below =
        |position: &Position| Ok::<_, SolveError>(Dtw::ended(lower.probe_outcome(position)?));
    Ok(match first_look(task.game, task.layer, side, &position, Scan::UntilWon, below)? {
        FirstLook::Over(Outcome::Draw) => Seed::Held,
        FirstLook::Over(Outcome::Win(winner)) => Seed::Won(winner),
        FirstLook::Open { best: None, .. } => Seed::Nothing,
        FirstLook::Open { best: Some(best), stays } => match best.outcome() {
            Outcome::Draw => Seed::Held,
            Outcome::Win(winner) if winner == side || !stays => Seed::Won(winner),
            Outcome::Win(_) => Seed::Nothing,
        },
    })
}

/// The fixpoint.
struct Rounds<'t, 'a> {
    engine: &'t General,
    task: &'t Task<'a>,
    values: &'t Values,
    planes: Planes<'t>,
    /// One bit per entry, by side to move: decided, and not yet propagated to the other side.
    frontier: BySide<Vec<AtomicU64>>,
    /// Number of decided entries by side to move.
    decided: BySide<u64>,
    reached: StepsDone,
}

/// Values that a pass searches for.
#[derive(Clone, Copy)]
struct Look {
    wins: bool,
    losses: bool,
}

impl Look {
    fn nothing(self) -> bool {
        !self.wins && !self.losses
    }
}

impl<'t, 'a> Rounds<'t, 'a> {
    fn new(
        engine: &'t General,
        task: &'t Task<'a>,
        values: &'t Values,
        reached: StepsDone,
    ) -> Self {
        let planes = values.planes();
        // After the fill, and after an interruption, the frontier is everything that is decided.
        let frontier = BySide::from_fn(|side| decided_bits(planes, side));
        let decided = frontier.as_ref().map(|words| count(words));
        Rounds { engine, task, values, planes, frontier, decided, reached }
    }

    fn run(&mut self) -> Result<(), SolveError> {
        let classes: u64 = Side::BOTH.iter().map(|&side| self.planes.entries(side)).sum();
        while self.frontier.iter().any(|(_, frontier)| count(frontier) > 0) {
            let started = Instant::now();
            let steps = self.reached.steps;
            let side = if steps.is_multiple_of(2) { Side::Second } else { Side::First };
            let round = steps / 2 + 1;
            let known = count(&self.frontier[side]);
            self.step(side, round)?;
            clear(&self.frontier[side.other()]);
            let new = count(&self.frontier[side]) - known;
            self.decided[side] += new;
            let decided = self.decided.iter().map(|(_, decided)| decided).sum();
            self.reached.steps += 1;
            if Some(decided) > self.reached.decided {
                self.reached.useful = self.reached.steps;
            }
            self.reached.decided = Some(decided);
            self.task.observer.event(&Event::Step {
                round,
                new,
                decided,
                classes,
                took: started.elapsed(),
            });
            self.save_if_due()?;
        }
        Ok(())
    }

    /// Decides the positions of `side` that follow from the frontier of the other side.
    fn step(&self, side: Side, round: u64) -> Result<(), SolveError> {
        let undecided = self.planes.entries(side) - self.decided[side];
        let (lost, won) = lost_and_won(&self.frontier[side.other()], self.planes, side.other());
        let back = Look {
            wins: lost * BACK_FROM_LOSS <= undecided,
            losses: won * BACK_FROM_WIN <= undecided,
        };
        let sweep = Look { wins: !back.wins, losses: !back.losses };
        let back = Look { wins: back.wins && lost > 0, losses: back.losses && won > 0 };
        let units =
            |side: Side, look: Look| if look.nothing() { 0 } else { self.planes.entries(side) };
        self.task.begin(format!("round {round}"), units(side.other(), back) + units(side, sweep));
        if !back.nothing() {
            self.go_back(side, back)?;
        }
        if !sweep.nothing() {
            self.sweep(side, sweep)?;
        }
        Ok(())
    }

    /// Examines the moves of every undecided position of `side`.
    fn sweep(&self, side: Side, look: Look) -> Result<(), SolveError> {
        let Rounds { task: Task { index, .. }, planes, .. } = self;
        let frontier = &self.frontier[side];
        self.for_each_chunk(frontier, |pair| {
            let mut new = 0;
            for_each_bit(planes.valid(side, pair) & !planes.decided(side, pair), |bit| {
                let entry = pair as u64 * ENTRIES_PER_PAIR + bit;
                let position = index.unrank(side, entry);
                let winner = if look.wins && self.some_move_wins(&position, side) {
                    side
                } else if look.losses
                    && !self.values.is_held(side, entry)
                    && self.all_moves_lose(&position, side)
                {
                    side.other()
                } else {
                    return;
                };
                planes.decide(side, entry, winner);
                new |= 1 << bit;
            });
            // No other thread writes this word.
            if new != 0 {
                frontier[pair].store(frontier[pair].load(Relaxed) | new, Relaxed);
            }
        })
    }

    /// Goes back from the frontier of the other side to the positions of `side` that lead there.
    fn go_back(&self, side: Side, look: Look) -> Result<(), SolveError> {
        let Rounds { task: Task { game, index, .. }, planes, .. } = self;
        let other = side.other();
        let frontier = &self.frontier[side];
        let sources = &self.frontier[other];
        self.for_each_chunk(sources, |pair| {
            for_each_bit(sources[pair].load(Relaxed), |bit| {
                let entry = pair as u64 * ENTRIES_PER_PAIR + bit;
                let wins = planes.is_won(other, entry, side);
                if !(if wins { look.wins } else { look.losses }) {
                    return;
                }
                let _ = game.visit_predecessors(&index.unrank(other, entry), |from| {
                    let rank = index.rank(&from);
                    let follows = !planes.is_decided(side, rank)
                        && (wins
                            || (!self.values.is_held(side, rank)
                                && self.all_moves_lose(&from, side)));
                    if follows {
                        planes.decide(side, rank, if wins { side } else { other });
                        let word = &frontier[(rank / ENTRIES_PER_PAIR) as usize];
                        word.fetch_or(1 << (rank % ENTRIES_PER_PAIR), Relaxed);
                    }
                    ControlFlow::<()>::Continue(())
                });
            });
        })
    }

    /// Calls `visit` with the number of every pair, in parallel, and writes checkpoints that become
    /// due.
    fn for_each_chunk(
        &self,
        words: &[AtomicU64],
        visit: impl Fn(usize) + Sync,
    ) -> Result<(), SolveError> {
        let chunks = words.len().div_ceil(CHUNK);
        for first in (0..chunks).step_by(self.engine.segment) {
            let segment = self.engine.segment.min(chunks - first);
            parallel::try_for_each(0..segment, &|chunk| {
                self.task.check_interrupt()?;
                let first = (first + chunk) * CHUNK;
                let pairs = first..words.len().min(first + CHUNK);
                let visited = pairs.len() as u64 * ENTRIES_PER_PAIR;
                pairs.for_each(&visit);
                self.task.advance(visited);
                Ok::<_, SolveError>(())
            })?;
            self.save_if_due()?;
        }
        Ok(())
    }

    /// Writes a checkpoint if one is due, also within a step. A run that resumes from it repeats
    /// the step.
    fn save_if_due(&self) -> Result<(), SolveError> {
        if self.task.checkpoints.is_due() {
            self.values.save(self.task, self.reached)
        } else {
            Ok(())
        }
    }

    /// Returns whether some move within the layer leads to a position that is decided as won for
    /// `side`, which is to move.
    fn some_move_wins(&self, position: &Position, side: Side) -> bool {
        self.some_move(position, |rank| self.planes.is_won(side.other(), rank, side))
    }

    /// Returns whether all moves within the layer lead to positions that are decided as won for the
    /// other side.
    fn all_moves_lose(&self, position: &Position, side: Side) -> bool {
        !self.some_move(position, |rank| !self.planes.is_won(side.other(), rank, side.other()))
    }

    /// Returns whether some move within the layer leads to a rank that `test` accepts.
    fn some_move(&self, position: &Position, test: impl Fn(u64) -> bool) -> bool {
        let Task { game, index, layer, .. } = self.task;
        game.visit_successors(position, |kind, next| match &next {
            Next::Position(next)
                if game.layer_after(*layer, kind, next) == *layer && test(index.rank(next)) =>
            {
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        })
        .is_break()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::SeqCst;
    use std::time::Duration;

    use anser_core::Hunt;

    use super::*;
    use crate::run::solve_with;
    use crate::{Observer, RunObserver, SolveOptions, Unobserved};

    /// Stops after `left` chunks, and counts the chunks of the fill.
    struct Watch {
        left: AtomicU64,
        filling: std::sync::atomic::AtomicBool,
        filled: AtomicU64,
        resumed: std::sync::atomic::AtomicBool,
    }

    impl Observer for Watch {
        fn begin(&self, what: &str, _: u64) {
            self.filling.store(what == "ends and captures", SeqCst);
        }

        fn interrupted(&self) -> bool {
            let stop = self.left.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1)).is_err();
            if !stop && self.filling.load(SeqCst) {
                self.filled.fetch_add(1, SeqCst);
            }
            stop
        }
    }

    impl RunObserver for Watch {
        fn event(&self, event: &Event) {
            if let Event::Layer { resumed, .. } = event {
                self.resumed.store(resumed.is_some(), SeqCst);
            }
        }
    }

    #[test]
    fn an_interrupted_fill_and_an_interrupted_step_are_resumed_where_they_were() {
        let game = Hunt::default();
        let [whole, dir] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let options = |dir: &std::path::Path, layers| SolveOptions {
            layers: Some(layers),
            checkpoint_every: Duration::ZERO,
            threads: Some(1),
            ..SolveOptions::new(dir)
        };
        let engine = || Box::new(General { segment: 1 });
        let solved =
            solve_with(&game, &options(whole.path(), 1..=4), &Unobserved, engine()).unwrap();
        solve_with(&game, &options(dir.path(), 1..=3), &Unobserved, engine()).unwrap();
        let (mut filled, mut runs, mut resumed) = (0, 0, 0);
        let last = loop {
            // Fewer chunks than the fill has at first, later enough to complete a step.
            let watch = Watch {
                left: AtomicU64::new(7 + runs),
                filling: false.into(),
                filled: 0.into(),
                resumed: false.into(),
            };
            let result = solve_with(&game, &options(dir.path(), 4..=4), &watch, engine());
            filled += watch.filled.into_inner();
            resumed += u64::from(watch.resumed.into_inner());
            runs += 1;
            match result {
                Ok(solved) => break solved,
                Err(SolveError::Interrupted) => assert!(runs < 10_000, "it makes progress"),
                Err(error) => panic!("{error}"),
            }
        };
        let index = game.index(4);
        let chunks: u64 = Side::BOTH
            .map(|side| index.len(side).div_ceil(ENTRIES_PER_PAIR * CHUNK as u64))
            .iter()
            .sum();
        assert!(chunks > 7 && filled == chunks, "no chunk is filled twice: {filled} of {chunks}");
        assert_eq!(resumed, runs - 1);
        assert_eq!(last.finished[0].run.rounds, solved.finished[3].run.rounds);
        let name = crate::io::manifest::table_name(
            &game,
            4,
            anser_table::Metric::Wdl,
            anser_table::Kind::Raw,
        )
        .to_string();
        assert!(
            std::fs::read(dir.path().join(&name)).unwrap()
                == std::fs::read(whole.path().join(&name)).unwrap()
        );
    }
}
