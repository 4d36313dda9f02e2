//! Captures of the few, of which those that lose count from the round of their distance on.
//!
//! In round `n`, losses of the few in up to `2 n - 1` plies are found. So a capture that loses in
//! more plies does not count yet: until the round of its distance it leads to a draw. If it counted
//! from the first round on, a position that is lost late would have that value until a sooner loss
//! is found, and so would all that follow from it: each would change several times. A capture that
//! wins counts at once, because it is mostly the shortest way.
//!
//! So a loss of the few is right as soon as it is found: wins of the many follow from losses of the
//! few and ends of the game alone, and these from wins of the many, all in the round of their
//! distance. (In runs for outcomes alone captures count as ends, and that is the distance meant.)
//! That saves an array for the captures, since a value *holds* what is still needed of them. In
//! round `n` a value of the few is
//!
//! - a win: it may still get shorter, by a step;
//! - a loss with a score that counts in round `n`: it stays;
//! - a loss with a greater score: a draw so far. A capture loses so, and will count;
//! - 0: a draw so far. A capture leads to a draw, so this is never a loss. (Before the first pass
//!   also that the game is over where the side could move.)
//! - [`Score::UNDECIDED`]: a draw so far, and no capture matters. There is none, or it lost in a
//!   round in which a step led to a draw: later losses by steps take longer.
//!
//! Values of the few are read with [`Score::counted`], or, since the scores of moves are compared
//! first, the best of these is; see [`settle`](super::settle).

use anser_retrograde::isa::{Isa, Kernel, Level, dispatch};
use anser_retrograde::parallel;

use super::arrays::view;
use super::layout::{Orbit, Run, Runs};
use super::moves::Change;
use super::scores::Score;
use super::settle::Held;

/// The most groups of runs of an orbit.
const GROUPS: usize = 64;

/// Scores, or runs of them, that are looked at together.
const TOGETHER: usize = 64;

/// The rounds in which captures that lose begin to count.
#[derive(Default)]
pub(super) struct CaptureRounds {
    /// By orbit and group of runs: the first and the last one. 0 if no capture there loses.
    groups: Vec<Vec<[u16; 2]>>,
    /// The last one of all.
    pub(super) last: u64,
    /// By orbit: see [`Rules::held_captures`](super::rules::Rules::held_captures).
    changes: Vec<Vec<Change>>,
}

/// The captures beside an arrangement of the few that values hold, in a round.
#[derive(Clone, Copy)]
pub(super) struct Captures<'a, S> {
    /// As in [`CaptureRounds`]. Empty if all have counted before.
    groups: &'a [[u16; 2]],
    round: u64,
    pub(super) held: Held<S>,
    /// As in [`CaptureRounds`].
    pub(super) changes: &'a [Change],
}

/// Captures that count from a round on.
#[derive(Default)]
pub(super) struct Due {
    /// The runs with any.
    pub(super) runs: Runs,
    /// Their number.
    pub(super) captures: usize,
}

/// Returns the greatest score of a loss that counts after a round, by side to move. Values of the
/// few may hold captures.
pub(super) fn greatest_losses<S: Score>(holds: bool, round: u64) -> [S; 2] {
    [if holds { S::greatest_loss(round) } else { S::LONGEST_LOSS }, S::LONGEST_LOSS]
}

/// Whether a value holds a capture that loses, before the first round.
fn is_loss<S: Score>(score: S) -> bool {
    score <= S::LONGEST_LOSS
}

/// Returns the number of runs in a group.
fn group_len(orbit: &Orbit) -> usize {
    orbit.high.runs.len().div_ceil(GROUPS).max(1)
}

impl CaptureRounds {
    /// Looks at the values of each orbit, which hold captures, before the first round.
    pub(super) fn of<S: Score>(
        orbits: &[Orbit],
        values: &[&[S::Cell]],
        changes: Vec<Vec<Change>>,
    ) -> CaptureRounds {
        let both: Vec<_> = orbits.iter().zip(values).collect();
        let groups = parallel::map(&both, &|&(orbit, values)| {
            let mut copy = Vec::new();
            let group = |first: usize| {
                let end = orbit.high.runs.len().min(first + group_len(orbit));
                let mut rounds = [0, 0];
                for first in (first..end).step_by(TOGETHER) {
                    let places = orbit.places_of(first..end.min(first + TOGETHER));
                    let len = places.len();
                    let scores: &[S] = &view(values, places, &mut copy)[..len];
                    let losses = scores.iter().filter(|score| is_loss(**score));
                    let of_losses = losses.map(|score| score.round_of_loss());
                    rounds = of_losses.fold(rounds, |[first, last], round| {
                        [if first == 0 { round } else { first.min(round) }, last.max(round)]
                    });
                }
                rounds
            };
            let groups = (0..orbit.high.runs.len()).step_by(group_len(orbit));
            groups.map(group).collect::<Vec<_>>()
        });
        let last = groups.iter().flatten().map(|&[_, last]| last.into()).max().unwrap_or(0);
        CaptureRounds { groups, last, changes }
    }

    /// Returns the captures of an orbit in a round.
    pub(super) fn in_round<S: Score>(
        &self,
        orbit: usize,
        round: u64,
        held: Held<S>,
    ) -> Captures<'_, S> {
        let groups = if round > self.last { &[][..] } else { &self.groups[orbit] };
        let changes = self.changes.get(orbit).map_or(&[][..], Vec::as_slice);
        Captures { groups, round, held, changes }
    }
}

impl<S: Score> Captures<'_, S> {
    /// Finds the captures that count from this round on, among the values after the round before.
    pub(super) fn due(&self, orbit: &Orbit, values: &[S::Cell]) -> Due {
        let is_due =
            |[first, last]: &[u16; 2]| (u64::from(*first)..=u64::from(*last)).contains(&self.round);
        let (mut due, mut copy) = (Due::default(), Vec::new());
        let groups = orbit.high.runs.chunks(group_len(orbit)).zip(self.groups);
        for run in groups.filter(|(_, rounds)| is_due(rounds)).flat_map(|(runs, _)| runs) {
            let (places, greatest) = (orbit.places(*run), self.held.greatest);
            let len = places.len();
            let scores = &view(values, places, &mut copy)[..len];
            let found = dispatch(Level::best(), CountDue { scores, greatest });
            if found > 0 {
                due.runs.insert(run.high);
                due.captures += found;
            }
        }
        due
    }

    /// Adds the sets and places of the captures of a run that count from this round on.
    #[inline(always)]
    pub(super) fn add_due(
        &self,
        orbit: &Orbit,
        run: Run,
        values: &[S::Cell],
        copy: &mut Vec<S>,
        found: &mut Vec<(u64, u32)>,
    ) {
        let greatest = self.held.greatest;
        let high = u64::from(run.high) << orbit.low.points;
        let low = &orbit.low.by_size[usize::from(run.low)];
        let places = (run.start..).step_by(TOGETHER);
        let scores = &view(values, orbit.places(run), copy)[..low.len()];
        let stretches = scores.chunks(TOGETHER).zip(low.chunks(TOGETHER));
        for ((scores, low), first) in stretches.zip(places) {
            if scores.iter().fold(false, |any, score| any | score.counts_first(greatest)) {
                let sets = low.iter().zip(first..).zip(scores);
                let due = sets.filter(|(_, score)| score.counts_first(greatest));
                found.extend(due.map(|((&low, place), _)| (high | u64::from(low), place)));
            }
        }
    }

    /// Whether one of [`Captures::changes`] is possible.
    #[inline(always)]
    pub(super) fn is_any(&self, set: u64) -> bool {
        self.changes.iter().any(|change| change.applies_to(set))
    }
}

/// Counts scores that count from a round on.
struct CountDue<'s, S> {
    scores: &'s [S],
    greatest: [S; 2],
}

impl<S: Score> Kernel for CountDue<'_, S> {
    type Output = usize;

    #[inline(always)]
    fn run(self, _: impl Isa) -> usize {
        let count = |scores: &[S]| -> usize {
            let found = scores.iter().map(|score| u8::from(score.counts_first(self.greatest)));
            usize::from(found.sum::<u8>())
        };
        self.scores.chunks(TOGETHER).map(count).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::engines::sets::layout::{High, Low};
    use crate::engines::sets::scores::WholeScore;

    /// Compares with a look at each place. Returns the number of captures that count late.
    fn compare<S: WholeScore>(plies: u16, [points, low_points]: [u32; 2], many: usize) -> usize {
        let low = Low::new(low_points, 1);
        let high = High::of_all(points - low_points, 0, &low, many);
        let orbits = [Orbit { few: 1, low: Arc::new(low), high: Arc::new(high) }];
        let orbit = &orbits[0];
        let mut sets = Vec::new();
        orbit.high.runs.iter().for_each(|&run| orbit.for_each_set(run, |_, set| sets.push(set)));
        let mut state = 1_u64;
        let values: Vec<S> = (0..sets.len())
            .map(|place| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let random = (state >> 33) as u16;
                // Losses get longer with the place.
                let plies = 2 + (place * usize::from(plies) / sets.len()) as u16 + random % 9;
                let win = S::won_in(plies);
                [S::UNDECIDED, S::default(), win, win.opposite()][usize::from(random >> 8) % 4]
            })
            .collect();
        let rounds = CaptureRounds::of::<S>(&orbits, &[&values], Vec::new());
        let mut late = 0;
        for round in 1..=rounds.last + 1 {
            let captures = rounds.in_round(0, round, Held::<S>::in_round(round, false, false));
            let is_due = |score: S| is_loss(score) && u64::from(score.round_of_loss()) == round;
            let found = sets.iter().zip(0..).zip(&values);
            let expected: Vec<(u64, u32)> = found
                .filter(|(_, value)| is_due(**value))
                .map(|((&set, place), _)| (set, place))
                .collect();
            let due = captures.due(orbit, &values);
            assert_eq!(due.captures, expected.len(), "round {round}");
            let mut found = Vec::new();
            for &run in orbit.high.runs.iter().filter(|run| due.runs.has(run.high)) {
                captures.add_due(orbit, run, &values, &mut Vec::new(), &mut found);
            }
            assert!(found == expected, "round {round}");
            for &value in &values {
                let counts = !is_loss(value) || u64::from(value.round_of_loss()) <= round;
                let is_draw = !counts || value == S::UNDECIDED;
                let counted = if is_draw { S::default() } else { value };
                assert!(value.counted(captures.held.greatest[1]) == counted);
                late += usize::from(!counts && round == 2);
            }
        }
        late
    }

    #[test]
    fn captures_count_from_the_round_of_their_distance_on() {
        assert!(compare::<i8>(230, [14, 6], 5) > 100);
        assert!(compare::<i16>(900, [14, 6], 5) > 100);
        // Runs with many sets, and fewer runs than groups.
        assert!(compare::<i8>(230, [14, 10], 6) > 100);
        compare::<i8>(0, [8, 4], 1);
    }
}
