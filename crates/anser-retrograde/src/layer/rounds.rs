//! A loopy layer, by rounds: round d decides exactly the positions whose distance is d.
//!
//! First every position is examined once; see [`seed`](super::seed). Where the game is over, the
//! distance is 0. Then each round decides:
//! - wins in d plies: a move leads to a position lost in d - 1, or a move out of the layer wins in
//!   d;
//! - losses in d plies: all moves lose, those in the layer to positions decided before, those out
//!   of the layer in at most d, and none of this was so before.
//!
//! Because of lower layers, a round that decides nothing need not be the last one. Positions that
//! are never decided are drawn.
//!
//! The *frontier* is what the last round decided. A round finds what follows from it in the cheaper
//! of two ways, which decide the same positions: it *sweeps* over all undecided positions, or it
//! goes *back* from the frontier along un-moves.
//!
//! The state can be saved at any moment between passes, also within a round: what a round decides
//! does not depend on what else it has decided.

use std::mem;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use anser_core::hunt::Position;
use anser_core::{BySide, Dtw, LayerIndex, Next, Side};

use super::seed::{Seed, Start, start};
use super::task::{Context, Layer, LayerCodes, Round, Saved, TooLong};
use crate::bits::{self, count, for_each_bit};
use crate::parallel::{self, ranges};
use crate::ranked_set::RankedSet;

/// Words of 64 slots that a thread takes at a time.
const CHUNK: usize = 256;

/// Cost of going back from a lost position, in positions examined by a sweep.
const BACK_FROM_LOSS: u64 = 1;

/// Cost of going back from a won position, in positions examined by a sweep. Each of its
/// predecessors is examined, and a sweep stops early at most positions.
const BACK_FROM_WIN: u64 = 16;

/// Number of sets of slots with each side to move: decided, frontier, and next.
pub(super) const SETS: u64 = 3;

/// A set of slots, one bit each.
type Slots = Vec<AtomicU64>;

/// State of the rounds.
pub(super) struct Rounds<'a, C> {
    layer: &'a Layer<'a>,
    context: &'a C,
    /// By side to move and slot: the code of the value if it is decided, otherwise of the [`Seed`].
    codes: BySide<Vec<AtomicU16>>,
    decided: BySide<Slots>,
    /// The slots that the last round decided.
    frontier: BySide<Slots>,
    /// The slots that this round decides.
    next: BySide<Slots>,
    /// By side to move and distance: the number of seeds, whether decided by now or not.
    seeds: BySide<Vec<u64>>,
    /// The number of decided positions.
    counts: BySide<u64>,
    /// The distance of the last round that was begun.
    distance: u16,
    /// The greatest distance that a complete round decided.
    last: u64,
    /// Whether the last round is not complete.
    in_round: bool,
    /// When the round began.
    begun: Instant,
}

/// Values that a pass over a side searches for.
#[derive(Clone, Copy)]
struct Look {
    wins: bool,
    losses: bool,
    /// Positions that their seed may decide in this round.
    seeds: bool,
}

impl<'a, C: Context> Rounds<'a, C> {
    /// Returns the state before the first look.
    pub(super) fn new(layer: &'a Layer<'a>, context: &'a C) -> Self {
        let lens = layer.classes.map(RankedSet::len);
        let set = || lens.map(|len| parallel::defaults(len.div_ceil(64)));
        let codes = lens.map(parallel::defaults);
        let (decided, frontier, next) = (set(), set(), set());
        Rounds {
            layer,
            context,
            codes,
            decided,
            frontier,
            next,
            seeds: BySide::default(),
            counts: BySide::default(),
            distance: 0,
            last: 0,
            in_round: false,
            begun: Instant::now(),
        }
    }

    /// Takes the first look at every position, or restores the state that was saved.
    fn begin(&mut self) -> Result<(), C::Error> {
        if let Some(saved) = self.context.take_saved() {
            return self.restore(saved);
        }
        self.context.begin("ends and moves to lower layers", self.classes());
        for side in Side::BOTH {
            self.seeds[side] = self.first_looks(side)?;
        }
        Ok(())
    }

    /// Saves the state within a round.
    fn save(&self) -> Result<(), C::Error> {
        let Rounds { codes, seeds, counts, distance, last, .. } = self;
        let seeds_len = seeds.as_ref().map(|seeds| seeds.len() as u64);
        let [[first, second], [a, b]] = [counts.into_array(), seeds_len.into_array()];
        let state = [u64::from(*distance), *last, first, second, a, b];
        let seeds = seeds.iter().flat_map(|(_, seeds)| seeds.iter().copied());
        let codes = codes.iter().flat_map(|(_, codes)| {
            codes.chunks(4).map(|codes| {
                let code = |at: usize| codes.get(at).map_or(0, |code| code.load(Relaxed));
                (0..4).fold(0, |word, at| word | u64::from(code(at)) << (16 * at))
            })
        });
        let sets = [&self.decided, &self.frontier, &self.next].into_iter();
        let sets = sets
            .flat_map(|set| set.iter().flat_map(|(_, words)| words))
            .map(|word| word.load(Relaxed));
        self.context.save(*distance, &state, &mut seeds.chain(codes).chain(sets))
    }

    /// Restores the state within a round.
    fn restore(&mut self, mut saved: Box<dyn Saved<C::Error> + '_>) -> Result<(), C::Error> {
        /// Words that are read at a time.
        const WORDS: usize = 1 << 17;
        let [distance, last, first, second, a, b] =
            saved.state().try_into().expect("the state is one that was saved");
        (self.distance, self.last, self.in_round) = (distance as u16, last, true);
        self.counts = BySide::new(first, second);
        let mut seeds = [a, b].map(|len| vec![0; len as usize]);
        seeds.iter_mut().try_for_each(|seeds| saved.read(seeds))?;
        self.seeds = seeds.into();
        let mut words = vec![0; WORDS];
        for (_, codes) in self.codes.iter() {
            for codes in codes.chunks(4 * WORDS) {
                let words = &mut words[..codes.len().div_ceil(4)];
                saved.read(words)?;
                for (codes, word) in codes.chunks(4).zip(words) {
                    for (at, code) in codes.iter().enumerate() {
                        code.store((*word >> (16 * at)) as u16, Relaxed);
                    }
                }
            }
        }
        for set in [&self.decided, &self.frontier, &self.next] {
            for (_, set) in set.iter() {
                for set in set.chunks(WORDS) {
                    let words = &mut words[..set.len()];
                    saved.read(words)?;
                    set.iter().zip(words).for_each(|(to, word)| to.store(*word, Relaxed));
                }
            }
        }
        saved.finish()
    }

    /// Returns the number of classes of the layer.
    fn classes(&self) -> u64 {
        self.codes.iter().map(|(_, codes)| codes.len() as u64).sum()
    }

    /// Stores the results of the first looks at the positions of `side`. Returns the number of
    /// seeds by distance.
    fn first_looks(&self, side: Side) -> Result<Vec<u64>, C::Error> {
        let Rounds { layer, context, .. } = *self;
        let add = |mut a: Vec<u64>, b: Vec<u64>| {
            a.resize(a.len().max(b.len()), 0);
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        let codes = &self.codes[side];
        let look = |slots: Range<usize>| {
            context.check_interrupt()?;
            let mut seeds = Vec::new();
            for (slot, rank) in slots.clone().zip(layer.classes[side].members(slots.clone())) {
                match start(layer, context, side, &layer.index.unrank(side, rank))? {
                    Start::Won(winner) => self.decide(side, slot, Dtw::win(winner, 0)),
                    Start::Open(seed) => {
                        codes[slot].store(seed.code(side), Relaxed);
                        if let Some(plies) = seed.plies() {
                            let plies = usize::from(plies);
                            seeds.resize(seeds.len().max(plies + 1), 0);
                            seeds[plies] += 1;
                        }
                    }
                }
            }
            context.advance(slots.len() as u64);
            Ok::<_, C::Error>(seeds)
        };
        let seeds = parallel::try_reduce(ranges(codes.len(), CHUNK * 64), &look, &add)?;
        Ok(seeds.unwrap_or_default())
    }

    /// Runs all rounds.
    pub(super) fn run(mut self) -> Result<LayerCodes, C::Error> {
        self.begin()?;
        while self.in_round || self.next_round()? {
            for side in Side::BOTH {
                let done = self.round(side, self.distance);
                let interrupted = self.context.check_interrupt().is_err();
                if interrupted || (done.is_ok() && self.context.is_due()) {
                    self.save()?;
                }
                done?;
            }
            self.in_round = false;
        }
        self.finish()
    }

    /// Ends a round, and begins the next one. Returns whether there is one.
    fn next_round(&mut self) -> Result<bool, C::Error> {
        let distance = self.distance;
        let took = mem::replace(&mut self.begun, Instant::now()).elapsed();
        let new = self.advance_frontier();
        if new > 0 {
            self.last = u64::from(distance);
        }
        self.context.round_done(&Round {
            distance,
            new,
            decided: self.counts.iter().map(|(_, count)| count).sum(),
            classes: self.classes(),
            took,
        });
        let Some(next) = self.next_distance(distance, new > 0) else { return Ok(false) };
        if next > Dtw::LONGEST {
            return Err(TooLong { layer: self.layer.number }.into());
        }
        (self.distance, self.in_round) = (next, true);
        Ok(true)
    }

    /// Makes what the last round decided the frontier. Returns the number of its positions.
    fn advance_frontier(&mut self) -> u64 {
        mem::swap(&mut self.frontier, &mut self.next);
        for (_, words) in self.next.iter() {
            bits::clear(words);
        }
        let new = self.frontier.as_ref().map(|words| count(words));
        for (side, new) in new {
            self.counts[side] += new;
        }
        new[Side::First] + new[Side::Second]
    }

    /// Returns the next distance at which a position may be decided, if there is one.
    fn next_distance(&self, distance: u16, has_frontier: bool) -> Option<u16> {
        let next = distance.checked_add(1)?;
        if has_frontier {
            return Some(next);
        }
        let seeded = |plies: &usize| {
            self.seeds.iter().any(|(_, seeds)| seeds.get(*plies).is_some_and(|&n| n > 0))
        };
        let end = self.seeds.iter().map(|(_, seeds)| seeds.len()).max().unwrap_or(0);
        (usize::from(next)..end).find(seeded).map(|plies| plies as u16)
    }

    /// Decides the positions of `side` whose distance is `distance`.
    fn round(&self, side: Side, distance: u16) -> Result<(), C::Error> {
        let other = side.other();
        let (lost, won) = lost_and_won(&self.frontier[other], &self.codes[other], other);
        let undecided = self.codes[side].len() as u64 - self.counts[side];
        let seeds = self.seeds[side].get(usize::from(distance)).is_some_and(|&count| count > 0);
        let back = Look {
            wins: lost * BACK_FROM_LOSS <= undecided,
            losses: won * BACK_FROM_WIN <= undecided,
            seeds,
        };
        let sweep = Look { wins: !back.wins, losses: !back.losses, seeds };
        let back =
            Look { wins: back.wins && lost > 0, losses: back.losses && won > 0, seeds: false };
        let units = |side: Side, does: bool| if does { self.codes[side].len() as u64 } else { 0 };
        let goes_back = back.wins || back.losses;
        let sweeps = sweep.wins || sweep.losses || sweep.seeds;
        let units = units(other, goes_back) + units(side, sweeps);
        self.context.begin(&format!("distance {distance}"), units);
        if goes_back {
            self.go_back(side, distance, back)?;
        }
        if sweeps {
            self.sweep(side, distance, sweep)?;
        }
        Ok(())
    }

    /// Examines every undecided position of `side`.
    fn sweep(&self, side: Side, distance: u16, look: Look) -> Result<(), C::Error> {
        let (codes, decided, classes) =
            (&self.codes[side], &self.decided[side], self.layer.classes[side]);
        self.for_each_chunk(decided, |word| {
            let used = codes.len() - word * 64;
            let used = if used >= 64 { u64::MAX } else { (1 << used) - 1 };
            classes.visit_word(word, !decided[word].load(Relaxed) & used, |slot, rank| {
                let seed = Seed::of_code(codes[slot].load(Relaxed), side);
                if look.seeds && seed == Seed::Win(distance) {
                    self.decide(side, slot, Dtw::win(side, distance));
                    return;
                }
                // A sweep for seeds alone looks for losses only where the seed allows one just now.
                let may_lose = match seed {
                    Seed::Nothing => look.losses,
                    Seed::Loss(plies) => {
                        plies == distance && look.seeds || plies < distance && look.losses
                    }
                    Seed::Held | Seed::Win(_) => false,
                };
                if !look.wins && !may_lose {
                    return;
                }
                let position = self.layer.index.unrank(side, rank);
                if look.wins && self.some_move_wins(&position, side, distance) {
                    self.decide(side, slot, Dtw::win(side, distance));
                } else if may_lose && self.all_moves_lose(&position, side, distance) {
                    self.decide(side, slot, Dtw::win(side.other(), distance));
                }
            });
        })
    }

    /// Goes back from every frontier position of the other side to its predecessors.
    fn go_back(&self, side: Side, distance: u16, look: Look) -> Result<(), C::Error> {
        let Layer { game, classes, .. } = *self.layer;
        let other = side.other();
        let (codes, sources) = (&self.codes[side], &self.frontier[other]);
        self.for_each_chunk(sources, |word| {
            classes[other].visit_word(word, sources[word].load(Relaxed), |source, rank| {
                let wins = is_won(self.codes[other][source].load(Relaxed), side);
                if !(if wins { look.wins } else { look.losses }) {
                    return;
                }
                let _ = game.visit_predecessors(&self.layer.index.unrank(other, rank), |from| {
                    // Predecessors that cannot be reached are not among the classes.
                    let Some(slot) = self.layer.slot(side, &from) else {
                        return ControlFlow::Continue(());
                    };
                    let follows = !self.is_decided(side, slot)
                        && (wins
                            || (may_be_lost(codes[slot].load(Relaxed), side, distance)
                                && self.all_moves_lose(&from, side, distance)));
                    if follows {
                        self.decide(
                            side,
                            slot,
                            Dtw::win(if wins { side } else { other }, distance),
                        );
                    }
                    ControlFlow::<()>::Continue(())
                });
            });
        })
    }

    /// Calls `visit` with the number of every word, in parallel and chunk by chunk.
    fn for_each_chunk(
        &self,
        words: &[AtomicU64],
        visit: impl Fn(usize) + Sync,
    ) -> Result<(), C::Error> {
        parallel::try_for_each(ranges(words.len(), CHUNK), &|words| {
            self.context.check_interrupt()?;
            let visited = words.len() as u64 * 64;
            words.for_each(&visit);
            self.context.advance(visited);
            Ok(())
        })
    }

    /// Whether a move within the layer leads to a position that the other side has lost in one ply
    /// less.
    fn some_move_wins(&self, position: &Position, side: Side, distance: u16) -> bool {
        let lost = Dtw::win(side, distance - 1).code();
        self.some_move(position, |next| self.decided_code(side.other(), next) == Some(lost))
    }

    /// Whether all moves within the layer lead to positions that the other side wins in fewer
    /// plies.
    fn all_moves_lose(&self, position: &Position, side: Side, distance: u16) -> bool {
        // Codes of one winner rise with the plies.
        let (least, most) =
            (Dtw::win(side.other(), 0).code(), Dtw::win(side.other(), distance - 1).code());
        let loses = |code: u16| (least..=most).contains(&code) && is_won(code, side.other());
        !self.some_move(position, |next| !self.decided_code(side.other(), next).is_some_and(loses))
    }

    /// Whether a move within the layer leads to a position that `test` accepts.
    fn some_move(&self, position: &Position, test: impl Fn(&Position) -> bool) -> bool {
        let Layer { game, number, .. } = *self.layer;
        game.visit_successors(position, |kind, next| match &next {
            Next::Position(next)
                if game.layer_after(number, kind, next) == number && test(next) =>
            {
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        })
        .is_break()
    }

    fn is_decided(&self, side: Side, slot: usize) -> bool {
        self.decided[side][slot / 64].load(Relaxed) >> (slot % 64) & 1 != 0
    }

    /// Returns the code of the value of a position of the layer, if it is decided.
    fn decided_code(&self, side: Side, position: &Position) -> Option<u16> {
        let slot = self.layer.slot(side, position)?;
        self.is_decided(side, slot).then(|| self.codes[side][slot].load(Relaxed))
    }

    /// Decides a position, unless another thread has done so, with the same value.
    ///
    /// Threads of a pass read values of the other side only. Of their own side they read seeds, and
    /// whether a position is decided. A seed that is read while the value is written may be that
    /// value; then it leads to the same value, which is not written again.
    fn decide(&self, side: Side, slot: usize, value: Dtw) {
        let (word, bit) = (slot / 64, 1 << (slot % 64));
        if self.decided[side][word].fetch_or(bit, Relaxed) & bit == 0 {
            self.codes[side][slot].store(value.code(), Relaxed);
            self.next[side][word].fetch_or(bit, Relaxed);
        }
    }

    /// Returns the values, once no more positions can be decided.
    fn finish(self) -> Result<LayerCodes, C::Error> {
        self.context.check_interrupt()?;
        for (side, codes) in self.codes.iter() {
            draw_undecided(codes, &self.decided[side]);
        }
        let codes = self.codes.map(|codes| codes.into_iter().map(AtomicU16::into_inner).collect());
        Ok(LayerCodes { codes, rounds: self.last })
    }
}

/// Returns the numbers of frontier positions that `side`, to move there, has lost and won.
fn lost_and_won(frontier: &[AtomicU64], codes: &[AtomicU16], side: Side) -> (u64, u64) {
    let of_chunk = |(frontier, codes): (&[AtomicU64], &[AtomicU16])| {
        let (mut lost, mut won) = (0, 0);
        for (frontier, codes) in frontier.iter().zip(codes.chunks(64)) {
            for_each_bit(frontier.load(Relaxed), |bit| {
                let code = codes[bit as usize].load(Relaxed);
                if is_won(code, side) { won += 1 } else { lost += 1 }
            });
        }
        (lost, won)
    };
    let chunks = frontier.chunks(CHUNK).zip(codes.chunks(CHUNK * 64));
    let counts = parallel::map(chunks, &of_chunk);
    counts.into_iter().fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
}

/// Makes the positions that are not decided drawn.
fn draw_undecided(codes: &[AtomicU16], decided: &[AtomicU64]) {
    let chunks = codes.chunks(CHUNK * 64).zip(decided.chunks(CHUNK));
    parallel::for_each(chunks, &|(codes, decided)| {
        for (codes, decided) in codes.chunks(64).zip(decided) {
            let decided = decided.load(Relaxed);
            for (bit, code) in codes.iter().enumerate() {
                if decided >> bit & 1 == 0 {
                    code.store(Dtw::DRAW.code(), Relaxed);
                }
            }
        }
    });
}

/// Whether the moves that leave the layer allow that an undecided position of this code is lost by
/// now.
fn may_be_lost(code: u16, side: Side, distance: u16) -> bool {
    match Seed::of_code(code, side) {
        Seed::Nothing => true,
        Seed::Loss(plies) => plies <= distance,
        Seed::Held | Seed::Win(_) => false,
    }
}

/// Whether the code of a decided position is a win of `side`.
fn is_won(code: u16, side: Side) -> bool {
    Dtw::from_code(code).and_then(Dtw::winner) == Some(side)
}
