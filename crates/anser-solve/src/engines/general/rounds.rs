//! The rounds of the fixpoint: sweeps, and steps back from the frontier.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use anser_core::hunt::Position;
use anser_core::{BySide, LayerIndex, Next, Side};
use anser_retrograde::bits::{clear, count, for_each_bit};
use anser_retrograde::parallel;
use anser_table::format::ENTRIES_PER_PAIR;

use super::{CHUNK, General, StepsDone, Values, decided_bits};
use crate::engines::engine::Task;
use crate::{Event, SolveError, check_interrupt};

/// Cost of going back from a lost position of the frontier, in looks of a sweep: both go through
/// all moves of one position.
const BACK_FROM_LOSS: u64 = 1;

/// Cost of going back from a won position of the frontier, in looks of a sweep: each predecessor is
/// looked at, and a look of a sweep mostly ends at the first move, which does not lose.
const BACK_FROM_WIN: u64 = 16;

/// The fixpoint.
pub(super) struct Rounds<'t, 'a> {
    engine: &'t General,
    task: &'t Task<'a>,
    values: &'t Values,
    /// One bit per entry, by side to move: decided, and not yet propagated to the other side.
    frontier: BySide<Vec<AtomicU64>>,
    /// Number of decided entries by side to move.
    decided: BySide<u64>,
    pub(super) reached: StepsDone,
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
    pub(super) fn new(
        engine: &'t General,
        task: &'t Task<'a>,
        values: &'t Values,
        reached: StepsDone,
    ) -> Self {
        // After the fill, and after an interruption, the frontier is everything that is decided.
        let frontier = BySide::from_fn(|side| decided_bits(values, side));
        let decided = frontier.as_ref().map(|words| count(words));
        Rounds { engine, task, values, frontier, decided, reached }
    }

    pub(super) fn run(&mut self) -> Result<(), SolveError> {
        let classes = self.task.of().classes();
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
        let undecided = self.values.entries[side] - self.decided[side];
        let (lost, won) = lost_and_won(&self.frontier[side.other()], self.values, side.other());
        let back = Look {
            wins: lost * BACK_FROM_LOSS <= undecided,
            losses: won * BACK_FROM_WIN <= undecided,
        };
        let sweep = Look { wins: !back.wins, losses: !back.losses };
        let back = Look { wins: back.wins && lost > 0, losses: back.losses && won > 0 };
        let units =
            |side: Side, look: Look| if look.nothing() { 0 } else { self.values.entries[side] };
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
        let Rounds { task: Task { index, .. }, values, .. } = self;
        let frontier = &self.frontier[side];
        self.for_each_chunk(frontier, |pair| {
            let mut new = 0;
            for_each_bit(values.valid(side, pair) & !values.decided(side, pair), |bit| {
                let entry = pair as u64 * ENTRIES_PER_PAIR + bit;
                let position = index.unrank(side, entry);
                let wins = |rank: u64| values.is_won(side.other(), rank, side);
                let winner = if look.wins && self.some_move(&position, wins) {
                    side
                } else if look.losses
                    && !values.is_held(side, entry)
                    && self.all_moves_lose(&position, side)
                {
                    side.other()
                } else {
                    return;
                };
                values.decide(side, entry, winner);
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
        let Rounds { task: Task { game, index, .. }, values, .. } = self;
        let other = side.other();
        let frontier = &self.frontier[side];
        let sources = &self.frontier[other];
        self.for_each_chunk(sources, |pair| {
            for_each_bit(sources[pair].load(Relaxed), |bit| {
                let entry = pair as u64 * ENTRIES_PER_PAIR + bit;
                let wins = values.is_won(other, entry, side);
                if !(if wins { look.wins } else { look.losses }) {
                    return;
                }
                let _ = game.visit_predecessors(&index.unrank(other, entry), |from| {
                    let rank = index.rank(&from);
                    let follows = !values.is_decided(side, rank)
                        && (wins
                            || (!values.is_held(side, rank) && self.all_moves_lose(&from, side)));
                    if follows {
                        values.decide(side, rank, if wins { side } else { other });
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
                check_interrupt(self.task.observer)?;
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

    /// Returns whether all moves within the layer lead to positions that are decided as won for the
    /// other side.
    fn all_moves_lose(&self, position: &Position, side: Side) -> bool {
        !self.some_move(position, |rank| !self.values.is_won(side.other(), rank, side.other()))
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

/// Returns the numbers of lost and won positions among those of `bits` with `side` to move.
fn lost_and_won(bits: &[AtomicU64], values: &Values, side: Side) -> (u64, u64) {
    let chunks = bits.chunks(parallel::CHUNK).zip(values.pairs[side].chunks(parallel::CHUNK));
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
