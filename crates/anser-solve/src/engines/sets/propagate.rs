//! Recomputes the values of an orbit by the kernels, or by propagating changes.
//!
//! The kernels compute every set of a run. If the last pass changed few values of the other side, it is
//! faster to go back from each of these along every move, and to look at single positions. In the first
//! round all values are draws, so the kernels read none of them either: what follows if every move leads
//! to a draw is set, and the values of the other side that are no draws are propagated like changes.

use anser_retrograde::isa::{Isa, Kernel, Level, dispatch, prefetch};

use super::captures::{Captures, Due};
use super::frontier::{Frontier, Settled, runs_that_read};
use super::layout::{Orbit, Runs};
use super::maps::{Buffers, Look, PropagateBuffers};
use super::moves::{Change, Image, Move};
use super::rules::Ends;
use super::scores::Score;
use super::settle::{is_over, settle, value_of};

/// Values that the kernels take for a move in the time in which a change is followed back along one.
pub(crate) const PER_CHANGE: usize = 16;

/// Changes that are followed back at a time.
const FOLLOWED: usize = 256;

/// Which values are recomputed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// All.
    All,
    /// All. So far they are draws, as are those of the other side outside of the frontiers.
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

/// What the values of an orbit with one side to move follow from.
///
/// While values of the layer change, moves that leave it must be in `captures`, except in
/// [`Scope::All`].
pub(super) struct Reader<'a, S> {
    pub(super) orbits: &'a [Orbit],
    pub(super) images: &'a [Image],
    /// The orbit.
    pub(super) number: usize,
    /// The moves that stay in the layer.
    pub(super) moves: &'a [Move],
    pub(super) captures: Captures<'a, S>,
    pub(super) compulsory: bool,
    pub(super) ends: &'a Ends,
    /// Changes are propagated one by one if there is at most one for so many values that would be
    /// computed: by default [`PER_CHANGE`].
    pub(super) per_change: usize,
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
    /// Returns how to recompute the `sets` values of the orbit.
    pub(super) fn plan(&self, scope: Scope, changed: &[Frontier], sets: usize) -> Plan {
        let (orbit, is_over) = (&self.orbits[self.number], is_over(self.ends));
        let changes = self.changes(changed);
        match scope {
            Scope::FromDraws if !is_over && self.is_propagated(changes, sets) => Plan::FromDraws,
            Scope::All | Scope::FromDraws => Plan::Compute(Runs::all(orbit)),
            Scope::Changed if is_over => Plan::Keep,
            Scope::Changed => {
                let due = self.captures.due(orbit);
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

    /// Recomputes the values of the orbit by a [plan](Reader::plan). `changed` has the frontiers of the
    /// orbits with the other side to move, and `other` the values there, from the first of each orbit
    /// on. `take_moves` takes the best moves of the runs that are computed.
    pub(super) fn recompute<E>(
        &self,
        plan: &Plan,
        changed: &[Frontier],
        other: &[&[S]],
        values: &mut [S],
        buffers: &mut Buffers<S>,
        take_moves: impl FnOnce(&mut Buffers<S>) -> Result<(), E>,
    ) -> Result<Settled, E> {
        let orbit = &self.orbits[self.number];
        let (mut settled, due) = match plan {
            Plan::Keep => return Ok(Settled::none(values.len())),
            Plan::Compute(runs) => {
                self.captures.start(buffers, values.len(), runs.clone());
                if !is_over(self.ends) {
                    take_moves(buffers)?;
                }
                return Ok(settle(orbit, self.ends, other[self.number], values, buffers));
            }
            Plan::FromDraws => (self.settle_draws(other[self.number], values, buffers), None),
            Plan::Propagate(due) => (Settled::none(values.len()), Some(due)),
        };
        let buffers = &mut buffers.propagate;
        let reader = self;
        let kernel =
            Propagate { reader, changed, due, other, values, buffers, settled: &mut settled };
        dispatch(Level::best(), kernel);
        Ok(settled)
    }

    /// Sets the values that follow if each move within the layer leads to a draw.
    fn settle_draws(&self, other: &[S], values: &mut [S], buffers: &mut Buffers<S>) -> Settled {
        let orbit = &self.orbits[self.number];
        let low_mask = (1 << orbit.low.points) - 1;
        // Moves that do not depend on the low points are possible in whole runs.
        let of_run = |change: &Change| change.within(low_mask) == Change::default();
        let of_runs: Vec<Change> = self.moves.iter().map(|mv| mv.change).filter(of_run).collect();
        let mut others = Runs::default();
        self.captures.start(buffers, values.len(), Runs::default());
        for run in &orbit.high.runs {
            let set = u64::from(run.high) << orbit.low.points;
            if of_runs.iter().any(|change| change.applies_to(set)) {
                for best in &mut buffers.best[orbit.places(*run)] {
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
        if self.compulsory {
            self.captures.force(&mut buffers.best);
        }
        buffers.runs = Runs::all(orbit);
        settle(orbit, self.ends, other, values, buffers)
    }

    /// Takes the best of the moves.
    pub(super) fn take_moves(&self, other: &[&[S]], buffers: &mut Buffers<S>) {
        for mv in self.moves {
            let to = (other[mv.orbit as usize], &self.orbits[mv.orbit as usize]);
            buffers.take_move(&self.orbits[self.number], mv, to, self.images);
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

    /// Whether only captures are allowed.
    #[inline(always)]
    fn is_forced(&self, place: usize) -> bool {
        self.compulsory && self.captures.is_any(place)
    }

    /// Returns the first move from number `from` on that applies to a set, with the place of the value
    /// that it leads to.
    #[inline(always)]
    fn next_move(&self, set: u64, from: u32) -> Option<(u32, usize)> {
        let mut moves = (from..).zip(&self.moves[from as usize..]);
        let (number, mv) = moves.find(|(_, mv)| mv.change.applies_to(set))?;
        let after = self.images[usize::from(mv.symmetry)].of(set ^ mv.change.flip);
        Some((number, self.orbits[mv.orbit as usize].place(after)))
    }
}

/// Propagates changes to the positions that read them, and adds the sets whose values these change to
/// `settled`.
///
/// Values only get better for the side that wins. So if a position is now lost for the side to move
/// there, a move to it wins, and is the best one or not. If it is now won for that side, it matters only
/// where no move wins: there all moves are looked at.
///
/// The values lie anywhere, so those of up to [`FOLLOWED`] changes are prefetched before the first of
/// them is read.
struct Propagate<'p, 'a, S> {
    reader: &'p Reader<'a, S>,
    changed: &'p [Frontier],
    due: Option<&'p Due>,
    other: &'p [&'p [S]],
    values: &'p mut [S],
    buffers: &'p mut PropagateBuffers<S>,
    settled: &'p mut Settled,
}

impl<S: Score> Kernel for Propagate<'_, '_, S> {
    type Output = ();

    #[inline(always)]
    fn run(mut self, isa: impl Isa) {
        let Reader { orbits, moves, number, ends, .. } = *self.reader;
        self.buffers.sets.clear();
        for moves in moves.chunk_by(|a, b| a.orbit == b.orbit) {
            let to = moves[0].orbit as usize;
            let mut sets = self.changed[to].sets(&orbits[to]);
            loop {
                let some = sets.by_ref().take(FOLLOWED);
                let changes = &mut self.buffers.changes;
                changes.clear();
                changes
                    .extend(some.map(|(place, after)| (after, self.other[to][place].opposite())));
                if changes.is_empty() {
                    break;
                }
                self.find_reads(isa, moves);
                self.take_reads(isa);
                self.look_at_moves(isa);
            }
        }
        if let Some(due) = self.due {
            self.take_due(isa, &due.runs);
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
                self.look_at_moves(isa);
            }
        }
        self.settled.frontier.insert_all(&orbits[number], &mut self.buffers.sets);
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
                prefetch(isa, &values[place..=place]);
                reads.push((set, place as u32, score));
            }
        }
    }

    /// Takes the captures of these runs that count from this round on.
    #[inline(always)]
    fn take_due(&mut self, isa: impl Isa, runs: &Runs) {
        let Reader { orbits, number, captures, .. } = *self.reader;
        let orbit = &orbits[number];
        let runs = orbit.high.runs.iter().filter(|run| runs.has(run.high));
        let mut due = runs.flat_map(|&run| captures.due_in(orbit, run));
        loop {
            let reads = &mut self.buffers.reads;
            reads.clear();
            let some = due.by_ref().take(FOLLOWED);
            reads.extend(some.map(|(place, set, score)| (set, place as u32, score)));
            if reads.is_empty() {
                return;
            }
            self.take_reads(isa);
            self.look_at_moves(isa);
        }
    }

    /// Takes the changes that make a move win, and collects the sets for which others matter.
    #[inline(always)]
    fn take_reads(&mut self, isa: impl Isa) {
        let reads = std::mem::take(&mut self.buffers.reads);
        self.buffers.undecided.clear();
        for &(set, place, score) in &reads {
            let at = place as usize;
            let value = self.values[at];
            // A lost position may be one in which the game is over.
            if score > S::default() && value > -S::WON && !self.reader.is_forced(at) {
                if score.before() > value {
                    self.set_value(set, at, (score.before(), score.is_last()));
                }
            } else if value <= S::default() {
                prefetch(isa, self.reader.captures.memory(at));
                self.buffers.undecided.push((set, place));
            }
        }
        self.buffers.reads = reads;
    }

    /// Sets the values of the collected sets by all their moves. Of a draw that stays one, only some
    /// are looked at. All sets are at their first move, then at their second one, and so on.
    #[inline(always)]
    fn look_at_moves(&mut self, isa: impl Isa) {
        let mut looks = std::mem::take(&mut self.buffers.looks);
        let undecided = std::mem::take(&mut self.buffers.undecided);
        let Reader { moves, captures, .. } = *self.reader;
        looks.clear();
        for &(set, place) in &undecided {
            let at = place as usize;
            let best = captures.at(at);
            let first = if self.reader.is_forced(at) { moves.len() } else { 0 };
            self.look_further(isa, Look { set, place, best, mv: first as u32, to: 0 }, |look| {
                looks.push(look);
            });
        }
        while !looks.is_empty() {
            let mut kept = 0;
            for number in 0..looks.len() {
                let mut look = looks[number];
                let to = moves[look.mv as usize].orbit as usize;
                look.best = look.best.max(self.other[to][look.to as usize].opposite());
                look.mv += 1;
                // Moves to a win are taken from the changes that they lead to.
                let known = self.values[look.place as usize];
                if known == S::default() && look.best >= S::default() {
                    continue;
                }
                self.look_further(isa, look, |look| {
                    looks[kept] = look;
                    kept += 1;
                });
            }
            looks.truncate(kept);
        }
        (self.buffers.looks, self.buffers.undecided) = (looks, undecided);
    }

    /// Goes on with the next move of a set, or sets its value if there is none.
    #[inline(always)]
    fn look_further(&mut self, isa: impl Isa, mut look: Look<S>, goes_on: impl FnOnce(Look<S>)) {
        let reader = self.reader;
        if let Some((mv, to)) = reader.next_move(look.set, look.mv) {
            prefetch(isa, &self.other[reader.moves[mv as usize].orbit as usize][to..=to]);
            (look.mv, look.to) = (mv, to as u32);
            return goes_on(look);
        }
        let (set, at, best) = (look.set, look.place as usize, look.best);
        let over = reader.ends.score(set, best == S::NONE);
        self.set_value(set, at, value_of(self.other[reader.number][at], best, over));
    }

    /// Sets a value, and notes whether there may be no score for its distance.
    #[inline(always)]
    fn set_value(&mut self, set: u64, place: usize, (new, is_last): (S, bool)) {
        let value = &mut self.values[place];
        self.settled.too_long |= is_last;
        if *value != new {
            self.settled.decided += u64::from(*value == S::default());
            *value = new;
            self.buffers.sets.push(set);
        }
    }
}
