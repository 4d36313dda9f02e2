//! Sets the values of an orbit from the best moves and the ends of the game.

use std::ops::Range;

use anser_retrograde::isa::{Isa, Kernel, Level, dispatch};

use super::frontier::Settled;
use super::layout::{Orbit, Run};
use super::maps::Buffers;
use super::rules::{Ends, Known, Verdict};
use super::scores::Score;

/// Runs that are set at a time.
const STRETCH: usize = 16;

/// Replaces the values of the runs of an orbit for which moves were taken by those that follow from the
/// best moves and the ends of the game. `other` has the values of the same positions with the other side
/// to move.
pub(super) fn settle<S: Score>(
    orbit: &Orbit,
    ends: &Ends,
    other: &[S],
    values: &mut [S],
    buffers: &mut Buffers<S>,
) -> Settled {
    let Buffers { best, runs, before, .. } = buffers;
    let best: &[S] = best;
    // Sets values of sets of which this is known, if it is enough to know whether the game is over.
    let set_all = |set: Known, places: Range<usize>, values: &mut [S]| {
        let if_blocked = match [false, true].map(|is_blocked| ends.verdict(set, is_blocked)) {
            [Verdict::GoesOn, Verdict::GoesOn] => None,
            [Verdict::GoesOn, Verdict::Over(has_won)] => Some(S::over(has_won)),
            _ => return None,
        };
        let [best, other] = [best, other].map(|scores| &scores[places.clone()]);
        let values = &mut values[places];
        Some(dispatch(Level::best(), SetValues { best, other, values, if_blocked }))
    };
    let low_points = orbit.low.points;
    let possible = ((1 << low_points) - 1) & !orbit.few;
    let set_run = |run: Run, values: &mut [S]| {
        let Run { high, low, .. } = run;
        let set = Known { sure: u64::from(high) << low_points, possible, more: low.into() };
        set_all(set, orbit.places(run), values).unwrap_or_else(|| {
            let mut found = Found::default();
            orbit.for_each_set(run, |place, set| {
                let best = best[place];
                let over = ends.score(set, best == S::NONE);
                found.set(&mut values[place], other[place], best, over);
            });
            found
        })
    };
    let mut settled = Settled::none(values.len());
    let chosen = orbit.high.runs.chunk_by(|a, b| runs.has(a.high) == runs.has(b.high));
    let chosen = chosen.filter(|stretch| runs.has(stretch[0].high));
    for stretch in chosen.flat_map(|stretch| stretch.chunks(STRETCH)) {
        let all = orbit.places(stretch[0]).start..orbit.places(stretch[stretch.len() - 1]).end;
        before.clear();
        before.extend_from_slice(&values[all.clone()]);
        let found = set_all(Known::NOTHING, all.clone(), values)
            .unwrap_or_else(|| stretch.iter().map(|&run| set_run(run, values)).collect());
        settled.too_long |= found.too_long;
        if found.changed {
            for &run in stretch {
                let places = orbit.places(run);
                let before = &before[places.start - all.start..places.end - all.start];
                settled.insert(run, before, &values[places]);
            }
        }
    }
    settled
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

/// Returns the value of a position, from its best move or from the end of the game, and whether there
/// may be no score for its distance. `other` is the value with the other side to move.
#[inline(always)]
pub(super) fn value_of<S: Score>(other: S, best: S, over: Option<S>) -> (S, bool) {
    // A side that cannot move, and has not lost by that, passes.
    let best = if best == S::NONE { other.opposite() } else { best };
    (over.unwrap_or(best.before()), over.is_none() && best.is_last())
}

impl Found {
    /// Sets the value of a position; see [`value_of`].
    #[inline(always)]
    fn set<S: Score>(&mut self, value: &mut S, other: S, best: S, over: Option<S>) {
        let (new, is_last) = value_of(other, best, over);
        self.too_long |= is_last;
        self.changed |= *value != new;
        *value = new;
    }
}

/// Sets values in which no end of the game depends on the set of the many, but for a block.
struct SetValues<'v, S> {
    best: &'v [S],
    other: &'v [S],
    values: &'v mut [S],
    if_blocked: Option<S>,
}

impl<S: Score> Kernel for SetValues<'_, S> {
    type Output = Found;

    #[inline(always)]
    fn run(self, _: impl Isa) -> Found {
        let SetValues { best, other, values, if_blocked } = self;
        let mut found = Found::default();
        for ((value, &other), &best) in values.iter_mut().zip(other).zip(best) {
            found.set(value, other, best, if_blocked.filter(|_| best == S::NONE));
        }
        found
    }
}

/// Whether the game is over in all positions with these ends, with the same score.
pub(super) fn is_over(ends: &Ends) -> bool {
    let verdicts = [false, true].map(|is_blocked| ends.verdict(Known::NOTHING, is_blocked));
    matches!(verdicts, [Verdict::Over(a), Verdict::Over(b)] if a == b)
}
