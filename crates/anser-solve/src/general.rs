//! The general engine: any game, through nothing but its trait.
//!
//! First every position is looked at once: ends of the game and moves that leave the layer are folded in. Then steps
//! alternate between the sides: a step decides all positions of one side that follow from what is known of the other
//! side's. A position is won if one move wins, lost if all moves lose, and each of the two is found in whichever way is
//! cheaper at the moment: by a *sweep* over all undecided positions, looking at their moves, or by going *back* from the
//! positions decided last, along the un-moves. Either way a step decides exactly the same positions, so the number of
//! rounds (two steps each) is a property of the game, not of threads or of a run being killed (after a loss of power it
//! may come out otherwise, the values never). What is never decided is a draw.
//!
//! Values are changed in place and only from undecided to decided. A step writes one side's values and reads the other's,
//! so threads need no order among each other.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use anser_core::{Game, LayerIndex, Next, Outcome, Side};
use anser_table::{ENTRIES_PER_PAIR, Tablebase, payload_len};
use rayon::prelude::*;

use crate::engine::{Cost, Engine, Task};
use crate::planes::Planes;
use crate::progress::Phase;
use crate::words::{count, for_each_bit};
use crate::{Event, SolveError};

/// Pairs of words that a thread takes at a time: 16,384 entries.
const CHUNK: usize = 256;

/// To go back from a fresh position to the positions it wins takes as long as a sweep's full look at one position: both go
/// through all moves.
const BACK_FROM_LOSS: u64 = 1;

/// To go back from a fresh position to those it may lose takes a look at each of them, and a sweep's look ends at the first
/// move that does not lose, mostly at once.
const BACK_FROM_WIN: u64 = 16;

/// Looks at positions, with all their moves, that the general engine spends on a class, all rounds together: measured, 1.5 to
/// 1.8 in layers 7 to 9 of `first-capture`, a third of that under `free`. Layers with more rounds take more.
const LOOKS_PER_CLASS: f64 = 2.0;

/// See the module.
pub(crate) struct General;

impl<G: Game> Cost<G> for General {
    fn name(&self) -> &'static str {
        "general"
    }

    fn memory(&self, game: &G, layer: u16, index: &G::Index) -> u64 {
        let entries = Side::BOTH.map(|side| index.len(side));
        // While the moves that leave the layer are folded in, the lower layers are there and the fresh bits are not.
        let fresh: u64 = entries.iter().map(|&n| n.div_ceil(ENTRIES_PER_PAIR) * 8).sum();
        let lower = game.lower_layers(layer).into_iter().map(|lower| {
            let index = game.index(lower);
            payload_len(Side::BOTH.map(|side| index.len(side)))
        });
        payload_len(entries)
            .saturating_add(Planes::held_len(entries))
            .saturating_add(lower.fold(0, u64::saturating_add).max(fresh))
    }

    fn seconds(&self, game: &G, layer: u16, index: &G::Index) -> f64 {
        let classes: u64 = Side::BOTH.iter().map(|&side| index.len(side)).sum();
        seconds_per_look(game, layer, index) * LOOKS_PER_CLASS * classes as f64
    }
}

impl<G: Game> Engine<G> for General {
    fn solve(&self, task: &Task<'_, G>) -> Result<(), SolveError> {
        if task.progress.phase() == Phase::Fill {
            // What another engine has noted goes with the values that it noted it of.
            task.progress.forget();
            task.lower.make_durable()?;
            fill(task)?;
        }
        if task.progress.phase() == Phase::Rounds {
            Rounds::new(task).run()?;
            // The values must be on disk before anything there says that they are final.
            task.lower.make_durable()?;
            task.progress.set_phase(Phase::Finish);
        }
        Ok(())
    }
}

/// Folds in ends and moves that leave the layer, with the lower layers mapped meanwhile.
fn fill<G: Game>(task: &Task<'_, G>) -> Result<(), SolveError> {
    let lower = task.lower.open()?;
    let entries: u64 = Side::BOTH.iter().map(|&side| task.planes.entries(side)).sum();
    task.announce("ends and captures".into(), entries);
    let mut decided = 0;
    for side in Side::BOTH {
        let pairs = task.planes.pairs(side);
        decided += (0..pairs.len().div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                task.check_interrupt()?;
                let mut decided = 0;
                let range = chunk * CHUNK..pairs.len().min((chunk + 1) * CHUNK);
                let visited = range.len() as u64 * ENTRIES_PER_PAIR;
                for pair in range {
                    let (mut words, mut held) = ([0, 0], 0);
                    let first = pair as u64 * ENTRIES_PER_PAIR;
                    for entry in first..task.planes.entries(side).min(first + ENTRIES_PER_PAIR) {
                        let bit = 1 << (entry - first);
                        match first_look(task, &lower, side, entry)? {
                            FirstLook::Won(winner) => words[winner.index()] |= bit,
                            FirstLook::Held => held |= bit,
                            FirstLook::Nothing => {}
                        }
                    }
                    pairs[pair][0].store(words[0], Relaxed);
                    pairs[pair][1].store(words[1], Relaxed);
                    task.planes.held(side)[pair].store(held, Relaxed);
                    decided += u64::from((words[0] | words[1]).count_ones());
                }
                task.observer.advance(visited);
                Ok(decided)
            })
            .sum::<Result<u64, SolveError>>()?;
    }
    task.lower.release(lower);
    // From here on the lower layers are not needed again: before that is noted, what they gave must be safe.
    task.lower.make_durable()?;
    task.progress.filled(decided);
    task.progress.set_phase(Phase::Rounds);
    task.lower.make_durable()
}

/// What ends and moves that leave the layer say of a position.
enum FirstLook {
    Nothing,
    /// The side to move has a draw in hand.
    Held,
    Won(Side),
}

fn first_look<G: Game>(
    task: &Task<'_, G>,
    lower: &Tablebase<G>,
    side: Side,
    entry: u64,
) -> Result<FirstLook, SolveError> {
    let position = task.index.unrank(side, entry);
    if let Some(outcome) = task.game.terminal(&position) {
        return Ok(match outcome {
            Outcome::Win(winner) => FirstLook::Won(winner),
            Outcome::Draw => FirstLook::Held,
        });
    }
    let mut stays = false;
    let mut best = -1;
    let found = task.game.visit_moves(&position, |_, next| {
        let outcome = match next {
            Next::End(outcome) => outcome,
            Next::Position(next) if task.game.layer(&next) == task.layer => {
                stays = true;
                return ControlFlow::Continue(());
            }
            Next::Position(next) => match lower.probe(&next) {
                Ok(outcome) => outcome,
                Err(error) => return ControlFlow::Break(Err(error)),
            },
        };
        best = best.max(outcome.score(side));
        // Nothing is better than a win.
        if best == 1 { ControlFlow::Break(Ok(())) } else { ControlFlow::Continue(()) }
    });
    if let ControlFlow::Break(Err(error)) = found {
        return Err(error.into());
    }
    Ok(match (best, stays) {
        (1, _) => FirstLook::Won(side),
        (0, _) => FirstLook::Held,
        (_, true) => FirstLook::Nothing,
        (_, false) => FirstLook::Won(side.other()),
    })
}

/// The fixpoint.
struct Rounds<'t, 'a, G: Game> {
    task: &'t Task<'a, G>,
    /// By side to move, a bit an entry: decided, and the other side's positions have not been told yet.
    fresh: [Vec<AtomicU64>; 2],
    /// Entries decided so far.
    decided: [u64; 2],
}

/// What a pass looks for.
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

impl<'t, 'a, G: Game> Rounds<'t, 'a, G> {
    fn new(task: &'t Task<'a, G>) -> Self {
        // After the fill, and likewise after an interruption, everything that is decided counts as news.
        let fresh: [Vec<AtomicU64>; 2] = Side::BOTH.map(|side| {
            let pairs = task.planes.pairs(side).len();
            (0..pairs).into_par_iter().map(|pair| AtomicU64::new(task.planes.decided(side, pair))).collect()
        });
        let decided = [count(&fresh[0]), count(&fresh[1])];
        Rounds { task, fresh, decided }
    }

    fn run(&mut self) -> Result<(), SolveError> {
        let task = self.task;
        let classes: u64 = Side::BOTH.iter().map(|&side| task.planes.entries(side)).sum();
        while self.fresh.iter().any(|fresh| count(fresh) > 0) {
            let started = Instant::now();
            let side = if task.progress.steps().is_multiple_of(2) { Side::Second } else { Side::First };
            let (own, other) = (side.index(), side.other().index());
            let round = task.progress.steps() / 2 + 1;
            let known = count(&self.fresh[own]);
            self.step(side, round)?;
            self.fresh[other].par_iter().for_each(|word| word.store(0, Relaxed));
            let new = count(&self.fresh[own]) - known;
            self.decided[own] += new;
            let decided = self.decided.iter().sum();
            task.progress.step_done(decided);
            task.observer.event(&Event::Step { round, new, decided, classes, took: started.elapsed() });
        }
        Ok(())
    }

    /// Decides what follows for `side` from the other side's fresh positions.
    fn step(&self, side: Side, round: u64) -> Result<(), SolveError> {
        let undecided = self.task.planes.entries(side) - self.decided[side.index()];
        let (lost, won) = self.fresh_lost_and_won(side.other());
        let back = Look { wins: lost * BACK_FROM_LOSS <= undecided, losses: won * BACK_FROM_WIN <= undecided };
        let sweep = Look { wins: !back.wins, losses: !back.losses };
        let back = Look { wins: back.wins && lost > 0, losses: back.losses && won > 0 };
        let units = |side: Side, look: Look| if look.nothing() { 0 } else { self.task.planes.entries(side) };
        self.task.announce(format!("round {round}"), units(side.other(), back) + units(side, sweep));
        if !back.nothing() {
            self.go_back(side, back)?;
        }
        if !sweep.nothing() {
            self.sweep(side, sweep)?;
        }
        Ok(())
    }

    /// The numbers of fresh positions that `side`, to move there, has lost and won.
    fn fresh_lost_and_won(&self, side: Side) -> (u64, u64) {
        let pairs = self.task.planes.pairs(side);
        self.fresh[side.index()]
            .par_iter()
            .zip(pairs)
            .map(|(fresh, pair)| {
                let fresh = fresh.load(Relaxed);
                let won = fresh & pair[side.index()].load(Relaxed);
                (u64::from((fresh ^ won).count_ones()), u64::from(won.count_ones()))
            })
            .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
    }

    /// Looks at the moves of every undecided position of `side`.
    fn sweep(&self, side: Side, look: Look) -> Result<(), SolveError> {
        let Task { planes, index, .. } = self.task;
        let fresh = &self.fresh[side.index()];
        self.for_each_chunk(fresh, |pair| {
            let mut new = 0;
            for_each_bit(planes.valid(side, pair) & !planes.decided(side, pair), |bit| {
                let entry = pair as u64 * ENTRIES_PER_PAIR + bit;
                let position = index.unrank(side, entry);
                let winner = if look.wins && self.some_move_wins(&position, side) {
                    side
                } else if look.losses && !planes.is_held(side, entry) && self.all_moves_lose(&position, side) {
                    side.other()
                } else {
                    return;
                };
                planes.decide(side, entry, winner);
                new |= 1 << bit;
            });
            // Only this thread has this word.
            if new != 0 {
                fresh[pair].store(fresh[pair].load(Relaxed) | new, Relaxed);
            }
        })
    }

    /// Goes back from every fresh position of the other side to the positions of `side` that lead to it.
    fn go_back(&self, side: Side, look: Look) -> Result<(), SolveError> {
        let Task { game, planes, index, .. } = self.task;
        let other = side.other();
        let fresh = &self.fresh[side.index()];
        let sources = &self.fresh[other.index()];
        self.for_each_chunk(sources, |pair| {
            for_each_bit(sources[pair].load(Relaxed), |bit| {
                let entry = pair as u64 * ENTRIES_PER_PAIR + bit;
                let wins = planes.is_won(other, entry, side);
                if !(if wins { look.wins } else { look.losses }) {
                    return;
                }
                let _ = game.visit_unmoves(&index.unrank(other, entry), |_, from| {
                    let rank = index.rank(&from);
                    let follows = !planes.is_decided(side, rank)
                        && (wins || (!planes.is_held(side, rank) && self.all_moves_lose(&from, side)));
                    if follows {
                        planes.decide(side, rank, if wins { side } else { other });
                        let word = &fresh[(rank / ENTRIES_PER_PAIR) as usize];
                        word.fetch_or(1 << (rank % ENTRIES_PER_PAIR), Relaxed);
                    }
                    ControlFlow::<()>::Continue(())
                });
            });
        })
    }

    /// Calls `visit` with the number of every pair, in parallel and chunk by chunk.
    fn for_each_chunk(&self, words: &[AtomicU64], visit: impl Fn(usize) + Sync) -> Result<(), SolveError> {
        (0..words.len().div_ceil(CHUNK)).into_par_iter().try_for_each(|chunk| {
            self.task.check_interrupt()?;
            let pairs = chunk * CHUNK..words.len().min((chunk + 1) * CHUNK);
            let visited = pairs.len() as u64 * ENTRIES_PER_PAIR;
            pairs.for_each(&visit);
            self.task.observer.advance(visited);
            Ok(())
        })
    }

    /// Whether some move within the layer leads to a position that `side`, to move now, is known to win.
    fn some_move_wins(&self, position: &G::Position, side: Side) -> bool {
        self.some_move(position, |rank| self.task.planes.is_won(side.other(), rank, side))
    }

    /// Whether all moves within the layer lead to positions that the other side is known to win.
    fn all_moves_lose(&self, position: &G::Position, side: Side) -> bool {
        !self.some_move(position, |rank| !self.task.planes.is_won(side.other(), rank, side.other()))
    }

    /// Whether some move within the layer leads to a rank that `test` accepts.
    fn some_move(&self, position: &G::Position, test: impl Fn(u64) -> bool) -> bool {
        let Task { game, index, layer, .. } = self.task;
        game.visit_moves(position, |_, next| match next {
            Next::Position(next) if game.layer(&next) == *layer && test(index.rank(&next)) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
        .is_break()
    }
}

/// How long one thread of this machine takes to look at a position and all its moves.
pub(crate) fn seconds_per_look<G: Game>(game: &G, layer: u16, index: &G::Index) -> f64 {
    // The first time round tables are made and caches filled.
    look_around(game, layer, index);
    let started = Instant::now();
    let looks = look_around(game, layer, index);
    started.elapsed().as_secs_f64() / looks.max(1) as f64
}

/// Looks at positions all over a layer, and says at how many.
fn look_around<G: Game>(game: &G, layer: u16, index: &G::Index) -> u64 {
    const LOOKS: u64 = 20_000;
    let mut looks = 0;
    for side in Side::BOTH {
        let len = index.len(side);
        let count = LOOKS.min(len);
        for look in 0..count {
            let position = index.unrank(side, (u128::from(look) * u128::from(len) / u128::from(count)) as u64);
            let _ = game.visit_moves(&position, |_, next| {
                if let Next::Position(next) = next
                    && game.layer(&next) == layer
                {
                    black_box(index.rank(&next));
                }
                ControlFlow::<()>::Continue(())
            });
        }
        looks += count;
    }
    looks
}
