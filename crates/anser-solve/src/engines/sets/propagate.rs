//! Recomputes the values of an orbit by the kernels, or by propagating changes.
//!
//! The kernels compute every set of a run. If the last pass changed few values of the other side,
//! it is faster to go back from each of these along every move, and to look at single positions. In
//! the first round all values count as draws, so the kernels read none of them either: what follows
//! if every move leads to a draw is set, and the values of the other side that are no draws are
//! propagated like changes.

use std::slice;

use anser_retrograde::isa::{Isa, Kernel, Level, dispatch, prefetch};

use super::captures::{CaptureRounds, Captures, Due};
use super::frontier::{Frontier, Settled, runs_that_read};
use super::layout::{Orbit, Runs};
use super::maps::{Buffers, Look, PropagateBuffers};
use super::moves::{Change, Image, Move};
use super::rules::Ends;
use super::scores::Score;
use super::settle::{Held, Plain, Rule, is_over, settle};

/// Values that the kernels take for a move in the time in which a change is followed back along
/// one.
pub(crate) const PER_CHANGE: usize = 16;

/// Changes that are followed back at a time.
const FOLLOWED: usize = 256;

/// Sets whose values changed that are collected at a time. In tests small games have more.
const COLLECTED: usize = if cfg!(test) { 8 } else { 1 << 18 };

/// The bytes that these take in a vector that has grown.
pub(super) const BYTES_OF_COLLECTED: u64 = 2 * (COLLECTED * size_of::<u64>()) as u64;

/// Sets for which the kernels compute values at a time: so many that the lists of each move take
/// little of the time, and so few that the memory of many threads is small beside the values. In
/// tests small games have more.
pub(super) const STRETCH: usize = if cfg!(test) { 1 << 6 } else { 1 << 24 };

/// Which values are recomputed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// All.
    All,
    /// All. So far they count as draws, as do those of the other side outside of the frontiers.
    FromDraws,
    /// Those that read a value in a frontier.
    Changed,
}

/// How the values of an orbit are recomputed.
pub(super) enum Plan {
    /// They stay: the game is over, or nothing that they follow from has changed.
    Keep,
    /// What follows if every move leads to a draw, and then as in [`Plan::Propagate`].
    FromDraws,
    /// Changes are propagated one by one, and these captures.
    Propagate(Due),
    /// The kernels compute these runs.
    Compute(Runs),
}

/// The moves that leave the layer.
pub(super) enum Leaving<'a, S> {
    /// The values hold them.
    Held(Captures<'a, S>),
    /// The scores of the best ones, by place. Empty if there are none, or if they are taken with
    /// the moves that stay, which is right if the kernels compute all values.
    Known(&'a [S], Plain<S>),
}

impl<'a, S: Score> Leaving<'a, S> {
    /// Returns those of the few of an orbit in a round. `known` has the best ones, if none is held.
    pub(super) fn of_few(
        orbit: usize,
        (held, known): (Option<&'a CaptureRounds>, &'a [S]),
        (round, scope): (u64, Scope),
        ends: &Ends,
    ) -> Leaving<'a, S> {
        let Some(rounds) = held else {
            return Leaving::Known(known, Plain { greatest: S::LONGEST_LOSS });
        };
        let held = Held::in_round(round, scope == Scope::FromDraws, !ends.has_blocked());
        Leaving::Held(rounds.in_round(orbit, round, held))
    }
}

/// What the values of an orbit with one side to move follow from.
pub(super) struct Reader<'a, S> {
    pub(super) orbits: &'a [Orbit],
    pub(super) images: &'a [Image],
    /// The orbit.
    pub(super) number: usize,
    /// The moves that stay in the layer.
    pub(super) moves: &'a [Move],
    pub(super) leaving: Leaving<'a, S>,
    /// Whether a side that can leave the layer must.
    pub(super) compulsory: bool,
    pub(super) ends: &'a Ends,
    /// Changes are propagated one by one if there is at most one for so many values that would be
    /// computed: by default [`PER_CHANGE`].
    pub(super) per_change: usize,
    /// Sets for which the kernels compute values at a time: by default [`STRETCH`].
    pub(super) at_a_time: usize,
    /// The sets with values here; `None` if those are all.
    pub(super) own: Option<Own<'a>>,
}

/// The sets of a rank, in a layer that ranks share.
#[derive(Clone, Copy)]
pub(super) struct Own<'a> {
    /// By pattern of the separator, which is the highest bits of a set: whether the sets are of
    /// this rank.
    pub(super) patterns: &'a [bool],
    /// Number of the lower bits.
    pub(super) shift: u32,
}

impl Own<'_> {
    #[inline(always)]
    fn has(self, set: u64) -> bool {
        self.patterns[(set >> self.shift) as usize]
    }
}

impl<S: Score> Reader<'_, S> {
    /// Returns how to recompute the values of the orbit.
    pub(super) fn plan(&self, scope: Scope, changed: &[Frontier], values: &[S::Cell]) -> Plan {
        let (orbit, is_over) = (&self.orbits[self.number], is_over(self.ends));
        let changes = self.changes(changed);
        match scope {
            Scope::FromDraws if !is_over && self.is_propagated(changes, orbit.sets()) => {
                Plan::FromDraws
            }
            Scope::All | Scope::FromDraws => Plan::Compute(Runs::all(orbit)),
            Scope::Changed if is_over => Plan::Keep,
            Scope::Changed => {
                let due = match &self.leaving {
                    Leaving::Held(captures) => captures.due(orbit, values),
                    Leaving::Known(..) => Due::default(),
                };
                let changes = changes.map(|changes| changes + due.captures);
                if changes == Some(0) {
                    return Plan::Keep;
                }
                // A look at a run for each move takes about as long as the value of a set.
                if self.is_propagated(changes, orbit.high.runs.len()) {
                    return Plan::Propagate(due);
                }
                let runs = self.runs(changed).with(&due.runs);
                if self.is_propagated(changes, runs.sets(orbit)) {
                    Plan::Propagate(due)
                } else if runs.is_empty() {
                    Plan::Keep
                } else {
                    Plan::Compute(runs)
                }
            }
        }
    }

    /// Recomputes the values of the orbit by a [plan](Reader::plan). `changed` has the frontiers of
    /// the orbits with the other side to move, and `other` the values there, from the first of each
    /// orbit on. `take_moves` takes the best moves of the runs that are computed, of one stretch
    /// after the other.
    pub(super) fn recompute<E>(
        &self,
        plan: &Plan,
        changed: &[Frontier],
        other: &[&[S::Cell]],
        values: &mut [S::Cell],
        buffers: &mut Buffers<S>,
        mut take_moves: impl FnMut(&mut Buffers<S>) -> Result<(), E>,
    ) -> Result<Settled, E> {
        let (orbit, other_here) = (&self.orbits[self.number], other[self.number]);
        let mut settled = Settled::none(orbit.sets());
        let due = match plan {
            Plan::Keep => return Ok(settled),
            Plan::Compute(runs) => {
                buffers.runs = runs.clone();
                for stretch in orbit.stretches(self.at_a_time) {
                    buffers.start(orbit, self.known(), stretch);
                    if !is_over(self.ends) {
                        take_moves(buffers)?;
                    }
                    self.settle(other_here, values, buffers, &mut settled);
                }
                return Ok(settled);
            }
            Plan::FromDraws => {
                for stretch in orbit.stretches(self.at_a_time) {
                    buffers.start(orbit, self.known(), stretch);
                    self.settle_draws(other_here, values, buffers, &mut settled);
                }
                None
            }
            Plan::Propagate(due) => Some(due),
        };
        let buffers = &mut buffers.propagate;
        let reader = self;
        let kernel =
            Propagate { reader, changed, due, other, values, buffers, settled: &mut settled };
        dispatch(Level::best(), kernel);
        Ok(settled)
    }

    /// Returns the scores of the best moves that leave the layer, if they are not held.
    fn known(&self) -> &[S] {
        match self.leaving {
            Leaving::Held(_) => &[],
            Leaving::Known(scores, _) => scores,
        }
    }

    /// Sets the values of runs from the best moves; see [`settle`].
    fn settle(
        &self,
        other: &[S::Cell],
        values: &mut [S::Cell],
        buffers: &mut Buffers<S>,
        settled: &mut Settled,
    ) {
        let of = (&self.orbits[self.number], self.ends);
        match &self.leaving {
            Leaving::Held(captures) => settle(of, captures.held, other, values, buffers, settled),
            Leaving::Known(_, plain) => settle(of, *plain, other, values, buffers, settled),
        }
    }

    /// Sets the values that follow if each move within the layer leads to a draw.
    fn settle_draws(
        &self,
        other: &[S::Cell],
        values: &mut [S::Cell],
        buffers: &mut Buffers<S>,
        settled: &mut Settled,
    ) {
        let orbit = &self.orbits[self.number];
        let low_mask = (1 << orbit.low.points) - 1;
        // Moves that do not depend on the low points are possible in whole runs.
        let of_run = |change: &Change| change.within(low_mask) == Change::default();
        let of_runs: Vec<Change> = self.moves.iter().map(|mv| mv.change).filter(of_run).collect();
        buffers.runs = Runs::all(orbit);
        self.take(buffers, |buffers| {
            let mut others = Runs::default();
            for run in &orbit.high.runs[buffers.stretch.clone()] {
                let set = u64::from(run.high) << orbit.low.points;
                if of_runs.iter().any(|change| change.applies_to(set)) {
                    let start = run.start as usize - buffers.first;
                    for best in &mut buffers.best[start..start + orbit.low.len(*run)] {
                        *best = (*best).max(S::default());
                    }
                } else {
                    others.insert(run.high);
                }
            }
            buffers.runs = others;
            for mv in self.moves {
                buffers.take_value(orbit, mv.change, S::default());
            }
            buffers.runs = Runs::all(orbit);
        });
        self.settle(other, values, buffers, settled);
    }

    /// Takes the best of the moves, beside the best ones so far, which leave the layer.
    pub(super) fn take_moves(&self, other: &[&[S::Cell]], buffers: &mut Buffers<S>) {
        self.take(buffers, |buffers| {
            for mv in self.moves {
                let to = (other[mv.orbit as usize], &self.orbits[mv.orbit as usize]);
                buffers.take_move(&self.orbits[self.number], mv, to, self.images);
            }
        });
    }

    /// Takes moves that stay, except where moves that leave are possible and compulsory.
    fn take(&self, buffers: &mut Buffers<S>, take_moves: impl FnOnce(&mut Buffers<S>)) {
        if let Leaving::Held(captures) = &self.leaving {
            for &change in captures.changes {
                buffers.take_value(&self.orbits[self.number], change, -S::WON);
            }
        }
        if !self.compulsory {
            return take_moves(buffers);
        }
        buffers.forced.clear();
        buffers.forced.extend_from_slice(&buffers.best);
        take_moves(buffers);
        for (best, &forced) in buffers.best.iter_mut().zip(&buffers.forced) {
            if forced != S::NONE {
                *best = forced;
            }
        }
    }

    /// Returns the runs that read a changed value.
    fn runs(&self, changed: &[Frontier]) -> Runs {
        let moves = self.moves.iter().map(|mv| {
            let image = &self.images[usize::from(mv.symmetry)];
            (mv.change, image, &changed[mv.orbit as usize].runs)
        });
        runs_that_read(&self.orbits[self.number], &changed[self.number].runs, moves)
    }

    /// Returns the number of changes that moves lead to, those of an orbit once for each move
    /// there; `None` if they are too many to be listed.
    fn changes(&self, changed: &[Frontier]) -> Option<usize> {
        let read = self.moves.iter().map(|mv| mv.orbit as usize).chain([self.number]);
        read.map(|number| changed[number].len()).sum()
    }

    /// Whether it is faster to propagate these changes one by one than to compute this number of
    /// values.
    fn is_propagated(&self, changes: Option<usize>, values: usize) -> bool {
        changes.is_some_and(|changes| {
            self.per_change.saturating_mul(changes) < values * self.moves.len()
        })
    }

    /// Returns the symmetry that takes the pieces after a move back to where it leads from.
    #[inline(always)]
    fn back(&self, mv: &Move) -> &Image {
        &self.images[self.images[usize::from(mv.symmetry)].inverse]
    }

    /// Whether a set has a value here.
    #[inline(always)]
    fn has(&self, set: u64) -> bool {
        self.own.is_none_or(|own| own.has(set))
    }

    /// Returns the score of the best move that leaves the layer, if it is not held. That of a held
    /// one is at least that of a lost game, which is the result where it matters whether there is
    /// one.
    #[inline(always)]
    fn leaving(&self, set: u64, place: usize) -> S {
        match &self.leaving {
            Leaving::Held(captures) if captures.is_any(set) => -S::WON,
            Leaving::Held(_) => S::NONE,
            Leaving::Known(scores, _) => scores.get(place).copied().unwrap_or(S::NONE),
        }
    }

    /// Whether only moves that leave the layer are allowed.
    #[inline(always)]
    fn is_forced(&self, set: u64, place: usize) -> bool {
        self.compulsory && self.leaving(set, place) != S::NONE
    }

    /// Whether a value may become another loss if a move loses.
    #[inline(always)]
    fn may_be_lost(&self, value: S) -> bool {
        match &self.leaving {
            Leaving::Held(_) => value == S::UNDECIDED,
            Leaving::Known(..) => value <= S::default(),
        }
    }

    /// Whether a value counts as a draw.
    #[inline(always)]
    fn is_draw(&self, value: S) -> bool {
        let greatest = match &self.leaving {
            Leaving::Held(captures) => captures.held.greatest[1],
            Leaving::Known(..) => S::LONGEST_LOSS,
        };
        value.counted(greatest) == S::default()
    }

    /// Returns the first move from number `from` on that applies to a set, with the place of the
    /// value that it leads to.
    #[inline(always)]
    fn next_move(&self, set: u64, from: u32) -> Option<(u32, usize)> {
        let mut moves = (from..).zip(&self.moves[from as usize..]);
        let (number, mv) = moves.find(|(_, mv)| mv.change.applies_to(set))?;
        let after = self.images[usize::from(mv.symmetry)].of(set ^ mv.change.flip);
        Some((number, self.orbits[mv.orbit as usize].place(after)))
    }
}

/// Propagates changes to the positions that read them, and adds the sets whose values these change
/// to `settled`.
///
/// Values only get better for the side that wins. So if a position is now lost for the side to move
/// there, a move to it wins, and is the best one or not. If it is now won for that side, it matters
/// only where no move wins: there all moves are looked at, unless the value cannot become a loss.
///
/// The values lie anywhere, so those of up to [`FOLLOWED`] changes are prefetched before the first
/// of them is read.
struct Propagate<'p, 'a, S: Score> {
    reader: &'p Reader<'a, S>,
    changed: &'p [Frontier],
    due: Option<&'p Due>,
    other: &'p [&'p [S::Cell]],
    values: &'p mut [S::Cell],
    buffers: &'p mut PropagateBuffers<S>,
    settled: &'p mut Settled,
}

impl<S: Score> Kernel for Propagate<'_, '_, S> {
    type Output = ();

    #[inline(always)]
    fn run(mut self, isa: impl Isa) {
        let Reader { orbits, moves, number, ends, .. } = *self.reader;
        self.buffers.sets.clear();
        // Before a loss is found that would look like a capture that is due.
        if let Some(due) = self.due {
            self.take_due(isa, &due.runs);
        }
        for moves in moves.chunk_by(|a, b| a.orbit == b.orbit) {
            let to = moves[0].orbit as usize;
            let mut sets = self.changed[to].sets(&orbits[to]);
            loop {
                let some = sets.by_ref().take(FOLLOWED);
                let (changes, other) = (&mut self.buffers.changes, self.other[to]);
                changes.clear();
                changes.extend(some.map(|(place, after)| (after, S::get(other, place).opposite())));
                if changes.is_empty() {
                    break;
                }
                self.find_reads(isa, moves);
                self.take_reads(isa);
                self.look_at_moves(isa, false);
            }
        }
        // A side that cannot move passes, unless the game is over then.
        if !ends.has_blocked() {
            let sets = self.changed[number].sets(&orbits[number]);
            let mut sets = sets.filter(|&(_, set)| self.reader.has(set));
            loop {
                let some = sets.by_ref().take(FOLLOWED);
                self.buffers.undecided.clear();
                self.buffers.undecided.extend(some.map(|(place, set)| (set, place as u32)));
                if self.buffers.undecided.is_empty() {
                    break;
                }
                self.look_at_moves(isa, false);
            }
        }
        self.insert_sets(0);
    }
}

impl<S: Score> Propagate<'_, '_, S> {
    /// Finds the sets from which one of the moves leads to a change.
    #[inline(always)]
    fn find_reads(&mut self, isa: impl Isa, moves: &[Move]) {
        let Propagate { reader, values, buffers, .. } = self;
        let PropagateBuffers { changes, reads, .. } = &mut **buffers;
        let orbit = &reader.orbits[reader.number];
        reads.clear();
        let mut found = [(0, S::default()); FOLLOWED];
        for mv in moves {
            let (back, Change { has, lacks, flip }) = (reader.back(mv), mv.change);
            let looked_at = has | lacks | orbit.few;
            // Whether a move applies cannot be predicted, so it is no branch.
            let mut count = 0;
            for &(after, score) in &*changes {
                let set = back.of(after) ^ flip;
                found[count] = (set, score);
                count += usize::from(set & looked_at == has);
            }
            for &(set, score) in found[..count].iter().filter(|(set, _)| reader.has(*set)) {
                let place = orbit.place(set);
                prefetch(isa, slice::from_ref(&values[place / S::PER_CELL]));
                reads.push((set, place as u32, score));
            }
        }
    }

    /// Looks at the positions of these runs with captures that count from this round on.
    #[inline(always)]
    fn take_due(&mut self, isa: impl Isa, runs: &Runs) {
        let Reader { orbits, number, leaving, .. } = self.reader;
        let (orbit, Leaving::Held(captures)) = (&orbits[*number], leaving) else { return };
        let mut due = std::mem::take(&mut self.buffers.due);
        let mut copy = Vec::new();
        for &run in orbit.high.runs.iter().filter(|run| runs.has(run.high)) {
            captures.add_due(orbit, run, self.values, &mut copy, &mut due);
            for due in due.chunks(FOLLOWED) {
                self.buffers.undecided.clear();
                self.buffers.undecided.extend_from_slice(due);
                self.look_at_moves(isa, true);
            }
            due.clear();
        }
        self.buffers.due = due;
    }

    /// Moves the collected sets to the frontier, if they are more than a number.
    #[inline(always)]
    fn insert_sets(&mut self, most: usize) {
        let Reader { orbits, number, .. } = *self.reader;
        if self.buffers.sets.len() > most {
            self.settled.frontier.insert_all(&orbits[number], &mut self.buffers.sets);
            self.buffers.sets.clear();
        }
    }

    /// Takes the changes that make a move win, and collects the sets for which others matter.
    #[inline(always)]
    fn take_reads(&mut self, isa: impl Isa) {
        let reads = std::mem::take(&mut self.buffers.reads);
        self.buffers.undecided.clear();
        for &(set, place, score) in &reads {
            let at = place as usize;
            let value = S::get(self.values, at);
            // A lost position may be one in which the game is over.
            if score > S::default() && value > -S::WON && !self.reader.is_forced(set, at) {
                if score.before() > value {
                    self.set_value(set, at, (score.before(), score.is_last()), false);
                }
            } else if self.reader.may_be_lost(value) {
                if let Leaving::Known(scores, _) = self.reader.leaving {
                    prefetch(isa, scores.get(at..=at).unwrap_or_default());
                }
                self.buffers.undecided.push((set, place));
            }
        }
        self.buffers.reads = reads;
    }

    /// Sets the values of the collected sets by all their moves. Of a draw that stays one, only
    /// some are looked at. All sets are at their first move, then at their second one, and so on.
    /// `are_due` tells that a capture of each set counts from this round on; none is listed twice
    /// then.
    #[inline(always)]
    fn look_at_moves(&mut self, isa: impl Isa, are_due: bool) {
        let mut looks = std::mem::take(&mut self.buffers.looks);
        let undecided = std::mem::take(&mut self.buffers.undecided);
        let reader = self.reader;
        looks.clear();
        for &(set, place) in &undecided {
            let at = place as usize;
            let best = reader.leaving(set, at);
            let first = if reader.is_forced(set, at) { reader.moves.len() } else { 0 };
            let look = Look { set, place, best, mv: first as u32, to: 0 };
            self.look_further(isa, look, are_due, |look| looks.push(look));
        }
        while !looks.is_empty() {
            let mut kept = 0;
            for number in 0..looks.len() {
                let mut look = looks[number];
                let to = reader.moves[look.mv as usize].orbit as usize;
                look.best = look.best.max(S::get(self.other[to], look.to as usize).opposite());
                look.mv += 1;
                // Moves to a win are taken from the changes that they lead to.
                let at = look.place as usize;
                let is_open = are_due || reader.is_draw(S::get(self.values, at));
                if is_open && look.best >= S::default() {
                    // The capture does not matter any longer.
                    if are_due {
                        S::set(self.values, at, S::UNDECIDED);
                    }
                    continue;
                }
                self.look_further(isa, look, are_due, |look| {
                    looks[kept] = look;
                    kept += 1;
                });
            }
            looks.truncate(kept);
        }
        (self.buffers.looks, self.buffers.undecided) = (looks, undecided);
        self.insert_sets(COLLECTED);
    }

    /// Goes on with the next move of a set, or sets its value if there is none.
    #[inline(always)]
    fn look_further(
        &mut self,
        isa: impl Isa,
        mut look: Look<S>,
        is_due: bool,
        goes_on: impl FnOnce(Look<S>),
    ) {
        let reader = self.reader;
        if let Some((mv, to)) = reader.next_move(look.set, look.mv) {
            let other = self.other[reader.moves[mv as usize].orbit as usize];
            prefetch(isa, slice::from_ref(&other[to / S::PER_CELL]));
            (look.mv, look.to) = (mv, to as u32);
            return goes_on(look);
        }
        let (set, at, best) = (look.set, look.place as usize, look.best);
        let (old, other) = (S::get(self.values, at), S::get(self.other[reader.number], at));
        let new = match &reader.leaving {
            Leaving::Held(captures) => by_rule(captures.held, reader.ends, set, old, other, best),
            Leaving::Known(_, plain) => by_rule(*plain, reader.ends, set, old, other, best),
        };
        self.set_value(set, at, new, is_due);
    }

    /// Sets a value, and notes whether there may be no score for its distance. `is_due` tells that
    /// the value holds a capture that counts from this round on.
    #[inline(always)]
    fn set_value(&mut self, set: u64, place: usize, (new, is_last): (S, bool), is_due: bool) {
        self.settled.too_long |= is_last;
        let old = S::get(self.values, place);
        S::set(self.values, place, new);
        if (old != new || is_due) && !self.reader.is_draw(new) {
            self.settled.decided += u64::from(is_due || self.reader.is_draw(old));
            self.buffers.sets.push(set);
        }
    }
}

/// Returns the value of a set by a rule.
#[inline(always)]
fn by_rule<S: Score>(
    rule: impl Rule<S>,
    ends: &Ends,
    set: u64,
    old: S,
    other: S,
    best: S,
) -> (S, bool) {
    rule.value(old, other, best, ends.score(set, rule.is_blocked(old, best)))
}
