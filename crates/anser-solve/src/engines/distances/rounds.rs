//! Distances of a layer in which play goes round, by rounds: round d decides exactly the positions whose distance is d.
//!
//! First every position is looked at once, see `seed.rs`; where the game is over the distance is 0. Then, round after round:
//! a position is won in d if a move leads to one that is lost in d - 1, or a move out of the layer wins in d. It is lost in
//! d if all moves lose, and the last of them to do so does it now: those in the layer were decided by round d - 1, and what
//! the moves out of the layer delay is d at most. Lower layers have a say in every round, so a round without news is not
//! the last one while distances of lower layers are still to come. What is never decided is a draw.
//!
//! As in the engine of outcomes, what follows is found in whichever way is cheaper at the moment: by a *sweep* over all
//! undecided positions, or by going *back* from the positions that the round before decided. Either way a round decides
//! exactly the same positions.

use std::mem;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use anser_core::{Dtw, Game, LayerIndex, Next, Side};
use anser_table::Tablebase;
use rayon::prelude::*;

use super::seed::{FirstLook, Seed, first_look};
use crate::bits::{count, for_each_bit};
use crate::engines::engine::{Filled, Task};
use crate::{Event, SolveError};

/// Words of 64 entries that a thread takes at a time.
const CHUNK: usize = 256;

/// Going back from a position that is lost takes as long as a sweep's look at one position.
const BACK_FROM_LOSS: u64 = 1;

/// Going back from a position that is won takes a look at each of those that lead to it, and a sweep's look ends early.
const BACK_FROM_WIN: u64 = 16;

/// The work on a layer.
pub(super) struct Rounds<'t, 'a, G: Game> {
    task: &'t Task<'a, G>,
    /// By side to move and rank: the code of the value where it is decided, of the [`Seed`] elsewhere.
    codes: [Vec<AtomicU16>; 2],
    /// Sets of ranks, a bit each: what is decided,
    decided: [Vec<AtomicU64>; 2],
    /// what the round before decided,
    fresh: [Vec<AtomicU64>; 2],
    /// and what this one does.
    next: [Vec<AtomicU64>; 2],
    /// By side to move and distance: the number of seeds, decided since or not.
    seeds: [Vec<u64>; 2],
    /// The number of decided entries.
    counts: [u64; 2],
}

/// What a pass over a side looks for.
#[derive(Clone, Copy)]
struct Look {
    wins: bool,
    losses: bool,
    /// Positions whose seed speaks in this round.
    seeds: bool,
}

impl<'t, 'a, G: Game> Rounds<'t, 'a, G> {
    /// The memory in bytes that the sets take.
    pub(super) fn sets_len(entries: [u64; 2]) -> u64 {
        entries.into_iter().map(|entries| 3 * 8 * entries.div_ceil(64)).fold(0, u64::saturating_add)
    }

    /// Takes the first look at every position.
    pub(super) fn new(task: &'t Task<'a, G>, lower: &Tablebase<G>) -> Result<Self, SolveError> {
        let entries = Side::BOTH.map(|side| task.index.len(side));
        let set = || {
            entries.map(|entries| {
                let words = 0..entries.div_ceil(64) as usize;
                words.into_par_iter().map(|_| AtomicU64::new(0)).collect::<Vec<_>>()
            })
        };
        let codes = entries.map(|entries| (0..entries as usize).into_par_iter().map(|_| AtomicU16::new(0)).collect());
        let (decided, fresh, next) = (set(), set(), set());
        let mut rounds = Rounds { task, codes, decided, fresh, next, seeds: [Vec::new(), Vec::new()], counts: [0; 2] };
        task.begin("ends and moves to lower layers", entries.iter().sum());
        for side in Side::BOTH {
            rounds.seeds[side.index()] = rounds.first_looks(lower, side)?;
        }
        Ok(rounds)
    }

    /// Notes what a first look at the positions of `side` says, and counts the seeds by their distances.
    fn first_looks(&self, lower: &Tablebase<G>, side: Side) -> Result<Vec<u64>, SolveError> {
        let task = self.task;
        let add = |mut a: Vec<u64>, mut b: Vec<u64>| {
            if a.len() < b.len() {
                mem::swap(&mut a, &mut b);
            }
            for (a, b) in a.iter_mut().zip(b) {
                *a += b;
            }
            Ok(a)
        };
        let entries = self.codes[side.index()].len();
        self.codes[side.index()]
            .par_chunks(CHUNK * 64)
            .enumerate()
            .map(|(chunk, codes)| {
                task.check_interrupt()?;
                let mut seeds = Vec::new();
                for (rank, code) in (chunk * CHUNK * 64..entries).zip(codes) {
                    match first_look(task, lower, side, &task.index.unrank(side, rank as u64))? {
                        FirstLook::Over(winner) => {
                            self.decide(side, rank as u64, Dtw::win(winner, 0));
                        }
                        FirstLook::Open(seed) => {
                            code.store(seed.code(side), Relaxed);
                            if let Some(plies) = seed.plies() {
                                let plies = usize::from(plies);
                                seeds.resize(seeds.len().max(plies + 1), 0);
                                seeds[plies] += 1;
                            }
                        }
                    }
                }
                task.advance(codes.len() as u64);
                Ok(seeds)
            })
            .try_reduce(Vec::new, add)
    }

    /// Plays the rounds.
    pub(super) fn run(mut self) -> Result<Filled, SolveError> {
        let classes: u64 = self.codes.iter().map(|codes| codes.len() as u64).sum();
        let (mut distance, mut rounds) = (0, 0);
        loop {
            let started = Instant::now();
            let new: u64 = self.turn_over().iter().sum();
            if new > 0 {
                rounds = u64::from(distance);
            }
            let (round, decided) = (u64::from(distance), self.counts.iter().sum());
            self.task.observer.event(&Event::Step { round, new, decided, classes, took: started.elapsed() });
            let Some(next) = self.next_distance(distance, new > 0) else { break };
            distance = next;
            if distance > Dtw::LONGEST {
                return Err(self.task.too_long());
            }
            for side in Side::BOTH {
                self.round(side, distance)?;
            }
        }
        self.finish(rounds)
    }

    /// Makes what was decided last the news, and says how much that is.
    fn turn_over(&mut self) -> [u64; 2] {
        mem::swap(&mut self.fresh, &mut self.next);
        self.next.iter().for_each(|words| words.par_iter().for_each(|word| word.store(0, Relaxed)));
        let new = [count(&self.fresh[0]), count(&self.fresh[1])];
        self.counts = [self.counts[0] + new[0], self.counts[1] + new[1]];
        new
    }

    /// The next distance that anything may be decided at.
    fn next_distance(&self, distance: u16, news: bool) -> Option<u16> {
        let next = distance.checked_add(1)?;
        let seeded = |plies: &usize| self.seeds.iter().any(|seeds| seeds.get(*plies).is_some_and(|&count| count > 0));
        if news {
            return Some(next);
        }
        let last = self.seeds.iter().map(Vec::len).max().unwrap_or(0);
        (usize::from(next)..last).find(seeded).map(|plies| plies as u16)
    }

    /// Decides the positions of `side` whose distance is `distance`.
    fn round(&self, side: Side, distance: u16) -> Result<(), SolveError> {
        let (lost, won) = self.fresh_lost_and_won(side.other());
        let undecided = self.codes[side.index()].len() as u64 - self.counts[side.index()];
        let seeds = self.seeds[side.index()].get(usize::from(distance)).is_some_and(|&count| count > 0);
        let back = Look { wins: lost * BACK_FROM_LOSS <= undecided, losses: won * BACK_FROM_WIN <= undecided, seeds };
        let sweep = Look { wins: !back.wins, losses: !back.losses, seeds };
        let back = Look { wins: back.wins && lost > 0, losses: back.losses && won > 0, seeds: false };
        let units = |side: Side, does: bool| if does { self.codes[side.index()].len() as u64 } else { 0 };
        let goes_back = back.wins || back.losses;
        let sweeps = sweep.wins || sweep.losses || sweep.seeds;
        self.task.begin(format!("distance {distance}"), units(side.other(), goes_back) + units(side, sweeps));
        if goes_back {
            self.go_back(side, distance, back)?;
        }
        if sweeps {
            self.sweep(side, distance, sweep)?;
        }
        Ok(())
    }

    /// The numbers of fresh positions that `side`, to move there, has lost and won.
    fn fresh_lost_and_won(&self, side: Side) -> (u64, u64) {
        let codes = &self.codes[side.index()];
        self.fresh[side.index()]
            .par_iter()
            .enumerate()
            .map(|(word, fresh)| {
                let (mut lost, mut won) = (0, 0);
                for_each_bit(fresh.load(Relaxed), |bit| {
                    let code = codes[word * 64 + bit as usize].load(Relaxed);
                    if is_won(code, side) { won += 1 } else { lost += 1 }
                });
                (lost, won)
            })
            .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
    }

    /// Looks at every undecided position of `side`.
    fn sweep(&self, side: Side, distance: u16, look: Look) -> Result<(), SolveError> {
        let (codes, decided) = (&self.codes[side.index()], &self.decided[side.index()]);
        self.for_each_chunk(decided, |word| {
            let first = word * 64;
            let used = codes.len() - first;
            let used = if used >= 64 { u64::MAX } else { (1 << used) - 1 };
            for_each_bit(!decided[word].load(Relaxed) & used, |bit| {
                let rank = first as u64 + bit;
                let seed = Seed::of_code(codes[rank as usize].load(Relaxed), side);
                if look.seeds && seed == Seed::Win(distance) {
                    self.decide(side, rank, Dtw::win(side, distance));
                    return;
                }
                // What may be lost now: in a sweep for seeds alone, only where the seed speaks.
                let may_lose = match seed {
                    Seed::Nothing => look.losses,
                    Seed::Loss(plies) => plies == distance && look.seeds || plies < distance && look.losses,
                    Seed::Held | Seed::Win(_) => false,
                };
                if !look.wins && !may_lose {
                    return;
                }
                let position = self.task.index.unrank(side, rank);
                if look.wins && self.some_move_wins(&position, side, distance) {
                    self.decide(side, rank, Dtw::win(side, distance));
                } else if may_lose && self.all_moves_lose(&position, side, distance) {
                    self.decide(side, rank, Dtw::win(side.other(), distance));
                }
            });
        })
    }

    /// Goes back from every fresh position of the other side to the positions of `side` that lead to it.
    fn go_back(&self, side: Side, distance: u16, look: Look) -> Result<(), SolveError> {
        let Task { game, index, .. } = self.task;
        let other = side.other();
        let (codes, sources) = (&self.codes[side.index()], &self.fresh[other.index()]);
        self.for_each_chunk(sources, |word| {
            for_each_bit(sources[word].load(Relaxed), |bit| {
                let source = word as u64 * 64 + bit;
                let wins = is_won(self.codes[other.index()][source as usize].load(Relaxed), side);
                if !(if wins { look.wins } else { look.losses }) {
                    return;
                }
                let _ = game.visit_unmoves(&index.unrank(other, source), |_, from| {
                    let rank = index.rank(&from);
                    let follows = !self.is_decided(side, rank)
                        && (wins
                            || (may_be_lost(codes[rank as usize].load(Relaxed), side, distance)
                                && self.all_moves_lose(&from, side, distance)));
                    if follows {
                        self.decide(side, rank, Dtw::win(if wins { side } else { other }, distance));
                    }
                    ControlFlow::<()>::Continue(())
                });
            });
        })
    }

    /// Calls `visit` with the number of every word, in parallel and chunk by chunk.
    fn for_each_chunk(&self, words: &[AtomicU64], visit: impl Fn(usize) + Sync) -> Result<(), SolveError> {
        (0..words.len().div_ceil(CHUNK)).into_par_iter().try_for_each(|chunk| {
            self.task.check_interrupt()?;
            let words = chunk * CHUNK..words.len().min((chunk + 1) * CHUNK);
            let visited = words.len() as u64 * 64;
            words.for_each(&visit);
            self.task.advance(visited);
            Ok(())
        })
    }

    /// Whether some move within the layer leads to a position that the other side has lost in one ply less.
    fn some_move_wins(&self, position: &G::Position, side: Side, distance: u16) -> bool {
        let lost = Dtw::win(side, distance - 1).code();
        self.some_move(position, |rank| self.decided_code(side.other(), rank) == Some(lost))
    }

    /// Whether all moves within the layer lead to positions that the other side wins in fewer plies.
    fn all_moves_lose(&self, position: &G::Position, side: Side, distance: u16) -> bool {
        // Codes of one winner rise with the plies.
        let (least, most) = (Dtw::win(side.other(), 0).code(), Dtw::win(side.other(), distance - 1).code());
        let loses = |code: u16| (least..=most).contains(&code) && is_won(code, side.other());
        !self.some_move(position, |rank| !self.decided_code(side.other(), rank).is_some_and(loses))
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

    fn is_decided(&self, side: Side, rank: u64) -> bool {
        self.decided[side.index()][(rank / 64) as usize].load(Relaxed) >> (rank % 64) & 1 != 0
    }

    /// The code of the value of an entry, if it is decided.
    fn decided_code(&self, side: Side, rank: u64) -> Option<u16> {
        self.is_decided(side, rank).then(|| self.codes[side.index()][rank as usize].load(Relaxed))
    }

    /// Decides an entry, unless another thread was faster, which then found the same.
    ///
    /// Threads of a pass read values of the other side only, and of their own side whether something is decided and its seed. A
    /// seed that is read while its value is being written is taken for one that says what the value says, and what follows
    /// from it is not written again.
    fn decide(&self, side: Side, rank: u64, value: Dtw) {
        let (word, bit) = ((rank / 64) as usize, 1 << (rank % 64));
        if self.decided[side.index()][word].fetch_or(bit, Relaxed) & bit == 0 {
            self.codes[side.index()][rank as usize].store(value.code(), Relaxed);
            self.next[side.index()][word].fetch_or(bit, Relaxed);
        }
    }

    /// The values, once nothing more can be decided.
    fn finish(self, rounds: u64) -> Result<Filled, SolveError> {
        self.task.check_interrupt()?;
        let codes = Side::BOTH.map(|side| &self.codes[side.index()]);
        for (codes, decided) in codes.into_iter().zip(&self.decided) {
            codes.par_chunks(64).zip(decided).for_each(|(codes, decided)| {
                let decided = decided.load(Relaxed);
                for (bit, code) in codes.iter().enumerate() {
                    if decided >> bit & 1 == 0 {
                        code.store(Dtw::DRAW.code(), Relaxed);
                    }
                }
            });
        }
        let codes = self.codes.map(|codes| codes.into_iter().map(AtomicU16::into_inner).collect());
        Ok(Filled::new(codes, rounds))
    }
}

/// Whether the moves that leave the layer let an undecided position of this code be lost by now.
fn may_be_lost(code: u16, side: Side, distance: u16) -> bool {
    match Seed::of_code(code, side) {
        Seed::Nothing => true,
        Seed::Loss(plies) => plies <= distance,
        Seed::Held | Seed::Win(_) => false,
    }
}

/// Whether the code of a decided entry says that `side` wins.
fn is_won(code: u16, side: Side) -> bool {
    Dtw::from_code(code).and_then(Dtw::winner) == Some(side)
}
