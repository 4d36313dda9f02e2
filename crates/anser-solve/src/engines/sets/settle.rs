//! Sets the values of an orbit from the best moves and the ends of the game.

use std::ops::Range;

use anser_retrograde::isa::{Isa, Kernel, Level, dispatch};

use super::arrays::view;
use super::frontier::Settled;
use super::layout::{Orbit, Run};
use super::maps::Buffers;
use super::rules::{Ends, Known, Verdict};
use super::scores::Score;

/// Runs that are set at a time.
pub(super) const STRETCH: usize = 16;

/// How the values of a side follow from those of the other, and which count.
pub(super) trait Rule<S>: Copy {
    /// Returns the value of a position, and whether there may be no score for its distance. `old`
    /// is the value so far, `other` that with the other side to move, `best` the score of the best
    /// move, and `over` that of the end of the game.
    fn value(self, old: S, other: S, best: S, over: Option<S>) -> (S, bool);

    /// Whether the side to move cannot move, if `best` is the score of its best move that is not
    /// held.
    fn is_blocked(self, old: S, best: S) -> bool;

    /// Returns a value from before this pass as far as it counted.
    fn before(self, old: S) -> S;

    /// Returns a value of this pass as far as it counts.
    fn after(self, new: S) -> S;
}

/// Values that follow from the best moves alone.
#[derive(Clone, Copy)]
pub(super) struct Plain<S> {
    /// The greatest score of a loss of the other side that counts.
    pub(super) greatest: S,
}

/// Values that hold captures; see [`captures`](super::captures).
#[derive(Clone, Copy)]
pub(super) struct Held<S> {
    /// The greatest scores of a loss that count in the round before, and in this one.
    pub(super) greatest: [S; 2],
    /// Whether no value has counted before.
    is_first: bool,
    /// Whether the side passes if it cannot move. Then the best move of a position with a capture
    /// has at least the score of a lost game, and otherwise [`Score::NONE`].
    passes: bool,
}

impl<S: Score> Held<S> {
    /// Returns how values of a round are held, of which none counted before if the round
    /// `is_first`.
    pub(super) fn in_round(round: u64, is_first: bool, passes: bool) -> Held<S> {
        let greatest = [round.saturating_sub(1), round].map(S::greatest_loss);
        Held { greatest, is_first, passes }
    }

    /// Returns the first value of a position whose best capture has this score, and whether there
    /// may be no score for its distance: 16 bits are then taken even if a step is better, which is
    /// rare.
    #[inline(always)]
    fn first(best: S) -> (S, bool) {
        if best == S::NONE { (S::UNDECIDED, false) } else { (best.before(), best.is_last()) }
    }
}

impl<S: Score> Rule<S> for Plain<S> {
    #[inline(always)]
    fn value(self, _: S, other: S, best: S, over: Option<S>) -> (S, bool) {
        // A side that cannot move, and has not lost by that, passes.
        let best = if best == S::NONE { other.opposite() } else { best };
        // The best of the scores that count is the best score, as far as it counts.
        let best = best.opposite().counted(self.greatest).opposite();
        (over.unwrap_or(best.before()), over.is_none() && best.is_last())
    }

    #[inline(always)]
    fn is_blocked(self, _: S, best: S) -> bool {
        best == S::NONE
    }

    #[inline(always)]
    fn before(self, old: S) -> S {
        old
    }

    #[inline(always)]
    fn after(self, new: S) -> S {
        new
    }
}

impl<S: Score> Rule<S> for Held<S> {
    #[inline(always)]
    fn value(self, old: S, other: S, best: S, over: Option<S>) -> (S, bool) {
        let draw = S::default();
        let best = if best == S::NONE && self.passes { other.opposite() } else { best };
        let by_steps = best.before();
        debug_assert!(
            best == S::NONE || by_steps >= draw || by_steps <= self.greatest[1],
            "losses are found in the rounds of their distances"
        );
        // Of a capture, and of what was found before.
        let held = if old == S::UNDECIDED { S::NONE } else { old.counted(self.greatest[1]) };
        let new = if best == S::NONE { held } else { held.max(by_steps) };
        // A capture that has just begun to count does not matter beside a draw.
        let as_draw = if old <= self.greatest[1] { S::UNDECIDED } else { old };
        let new = over.unwrap_or(if new == draw { as_draw } else { new });
        // A loss stays, and so does a game that is over: whether a side is blocked is known at
        // first.
        let stays = old <= self.greatest[0] || old == S::WON;
        let is_last = over.is_none() && best.is_last() && new == by_steps;
        (if stays { old } else { new }, is_last && !stays)
    }

    #[inline(always)]
    fn is_blocked(self, old: S, best: S) -> bool {
        best == S::NONE && old == S::UNDECIDED
    }

    #[inline(always)]
    fn before(self, old: S) -> S {
        if self.is_first { S::default() } else { old.counted(self.greatest[0]) }
    }

    #[inline(always)]
    fn after(self, new: S) -> S {
        new.counted(self.greatest[1])
    }
}

/// Replaces the values of the runs of a stretch for which moves were taken by those that follow
/// from the best moves and the ends of the game, and adds the changes to `settled`. `other` has the
/// values of the same positions with the other side to move.
pub(super) fn settle<S: Score>(
    (orbit, ends): (&Orbit, &Ends),
    rule: impl Rule<S>,
    other: &[S::Cell],
    values: &mut [S::Cell],
    buffers: &mut Buffers<S>,
    settled: &mut Settled,
) {
    let Buffers { best, first, stretch, runs, before, after, copy, .. } = buffers;
    let (best, first): (&[S], usize) = (best, *first);
    // Sets values of sets of which this is known, if it is enough to know whether the game is over.
    // The values are given from the first place on.
    let set_all = |set: Known, places: Range<usize>, other: &[S], values: &mut [S]| {
        let if_blocked = match [false, true].map(|is_blocked| ends.verdict(set, is_blocked)) {
            [Verdict::GoesOn, Verdict::GoesOn] => None,
            [Verdict::GoesOn, Verdict::Over(has_won)] => Some(S::over(has_won)),
            _ => return None,
        };
        let best = &best[places.start - first..places.end - first];
        Some(dispatch(Level::best(), SetValues { best, other, values, if_blocked, rule }))
    };
    let low_points = orbit.low.points;
    let possible = ((1 << low_points) - 1) & !orbit.few;
    let set_run = |run: Run, other: &[S], values: &mut [S]| {
        let (Run { high, low, .. }, places) = (run, orbit.places(run));
        let set = Known { sure: u64::from(high) << low_points, possible, more: low.into() };
        set_all(set, places.clone(), other, values).unwrap_or_else(|| {
            let mut found = Found::default();
            orbit.for_each_set(run, |place, set| {
                let at = place - places.start;
                let (value, best) = (&mut values[at], best[place - first]);
                let over = ends.score(set, rule.is_blocked(*value, best));
                found.set(rule, value, other[at], best, over);
            });
            found
        })
    };
    let of_stretch = &orbit.high.runs[stretch.clone()];
    let chosen = of_stretch.chunk_by(|a, b| runs.has(a.high) == runs.has(b.high));
    let chosen = chosen.filter(|stretch| runs.has(stretch[0].high));
    for stretch in chosen.flat_map(|stretch| stretch.chunks(STRETCH)) {
        let all = orbit.places(stretch[0]).start..orbit.places(stretch[stretch.len() - 1]).end;
        let of_run = |run: Run| {
            let places = orbit.places(run);
            places.start - all.start..places.end - all.start
        };
        before.clear();
        before.extend_from_slice(&view(values, all.clone(), copy)[..all.len()]);
        after.clone_from(before);
        let other = &view(other, all.clone(), copy)[..all.len()];
        let found = set_all(Known::NOTHING, all.clone(), other, after).unwrap_or_else(|| {
            let of_runs = stretch.iter().map(|&run| {
                let places = of_run(run);
                set_run(run, &other[places.clone()], &mut after[places])
            });
            of_runs.collect()
        });
        settled.too_long |= found.too_long;
        // Captures that do not matter any longer change what values hold.
        if before != after {
            S::put(values, all.start, after);
        }
        if found.changed {
            dispatch(Level::best(), CountAll { before, after, rule });
            for &run in stretch {
                let places = of_run(run);
                settled.insert(run, &before[places.clone()], &after[places]);
            }
        }
    }
}

/// Sets the first values of a stretch of an orbit, given by the numbers of its runs. They hold the
/// best captures, which are given from the first place of the stretch on. Returns whether there may
/// be no score for a distance. `of_run` is a buffer.
pub(super) fn hold<S: Score>(
    (orbit, ends): (&Orbit, &Ends),
    stretch: Range<usize>,
    best: &[S],
    values: &mut [S::Cell],
    of_run: &mut Vec<S>,
) -> bool {
    let first = orbit.places_of(stretch.clone()).start;
    let goes_on = ends.verdict(Known::NOTHING, false) == Verdict::GoesOn;
    let mut too_long = false;
    for &run in &orbit.high.runs[stretch] {
        let places = orbit.places(run);
        let best = &best[places.start - first..places.end - first];
        of_run.clear();
        if goes_on {
            of_run.resize(best.len(), S::default());
            too_long |= dispatch(Level::best(), HoldAll { best, values: of_run });
        } else {
            orbit.for_each_set(run, |_, set| {
                let best = best[of_run.len()];
                // Where the game is over, a capture only tells that the side is not blocked.
                let is_over = best != S::NONE && ends.score::<S>(set, false).is_some();
                let (first, is_last) = Held::first(if is_over { S::default() } else { best });
                of_run.push(first);
                too_long |= is_last;
            });
        }
        S::put(values, places.start, of_run);
    }
    too_long
}

struct HoldAll<'v, S> {
    best: &'v [S],
    values: &'v mut [S],
}

impl<S: Score> Kernel for HoldAll<'_, S> {
    type Output = bool;

    #[inline(always)]
    fn run(self, _: impl Isa) -> bool {
        let mut too_long = false;
        for (value, &best) in self.values.iter_mut().zip(self.best) {
            let (first, is_last) = Held::first(best);
            *value = first;
            too_long |= is_last;
        }
        too_long
    }
}

/// Leaves of values before and after a pass what counts.
struct CountAll<'v, S, R> {
    before: &'v mut [S],
    after: &'v mut [S],
    rule: R,
}

impl<S: Score, R: Rule<S>> Kernel for CountAll<'_, S, R> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Isa) {
        let CountAll { before, after, rule } = self;
        for old in before {
            *old = rule.before(*old);
        }
        for new in after {
            *new = rule.after(*new);
        }
    }
}

/// Result of setting the values of a stretch of positions.
#[derive(Clone, Copy, Default)]
struct Found {
    /// Whether a value was another before.
    changed: bool,
    /// Whether there may be no score for a distance.
    too_long: bool,
}

impl FromIterator<Found> for Found {
    fn from_iter<T: IntoIterator<Item = Found>>(found: T) -> Found {
        found.into_iter().fold(Found::default(), |all, of| Found {
            changed: all.changed | of.changed,
            too_long: all.too_long | of.too_long,
        })
    }
}

impl Found {
    /// Sets the value of a position; see [`Rule::value`].
    #[inline(always)]
    fn set<S: Score>(
        &mut self,
        rule: impl Rule<S>,
        value: &mut S,
        other: S,
        best: S,
        over: Option<S>,
    ) {
        let (new, is_last) = rule.value(*value, other, best, over);
        self.too_long |= is_last;
        self.changed |= rule.before(*value) != rule.after(new);
        *value = new;
    }
}

/// Sets values in which no end of the game depends on the set of the many, but for a block.
struct SetValues<'v, S, R> {
    best: &'v [S],
    other: &'v [S],
    values: &'v mut [S],
    if_blocked: Option<S>,
    rule: R,
}

impl<S: Score, R: Rule<S>> Kernel for SetValues<'_, S, R> {
    type Output = Found;

    #[inline(always)]
    fn run(self, _: impl Isa) -> Found {
        let SetValues { best, other, values, if_blocked, rule } = self;
        let mut found = Found::default();
        for ((value, &other), &best) in values.iter_mut().zip(other).zip(best) {
            let over = if_blocked.filter(|_| rule.is_blocked(*value, best));
            found.set(rule, value, other, best, over);
        }
        found
    }
}

/// Whether the game is over in all positions with these ends, with the same score.
pub(super) fn is_over(ends: &Ends) -> bool {
    let verdicts = [false, true].map(|is_blocked| ends.verdict(Known::NOTHING, is_blocked));
    matches!(verdicts, [Verdict::Over(a), Verdict::Over(b)] if a == b)
}
