//! Captures, of which those that lose count from the round of their distance on.
//!
//! In round `n`, losses of the few in up to `2 n - 1` plies are found. So a capture that loses counts from
//! the round on in which the lower layer tells a loss in at most `2 n - 2` plies; until then it leads to a
//! draw. If it counted from the first round on, a position that is lost late would have that value until a
//! sooner loss is found, and so would all that follow from it: each would change several times. A capture
//! that wins counts at once, because it is mostly the shortest way.

use std::ops::Range;

use anser_retrograde::isa::{Isa, Kernel, Level, dispatch};
use anser_retrograde::parallel;

use super::layout::{Orbit, Run, Runs};
use super::maps::Buffers;
use super::scores::Score;

/// The most groups of runs of an orbit.
const GROUPS: usize = 64;

/// Scores that are looked at together.
const TOGETHER: usize = 64;

/// The rounds from which on the captures of a layer count: by default, all count in every round.
#[derive(Default)]
pub(super) struct CaptureRounds {
    /// By orbit and group of runs: the first and the last one. 0 if no capture there loses.
    groups: Vec<Vec<[u16; 2]>>,
    /// The last one of all.
    pub(super) last: u64,
}

/// The best captures beside an arrangement of the few, in a round.
#[derive(Clone, Copy)]
pub(super) struct Captures<'a, S> {
    /// The scores of the best captures, by place. Empty if there are none.
    scores: &'a [S],
    /// As in [`CaptureRounds`]. Empty if all count, and did before.
    groups: &'a [[u16; 2]],
    round: u64,
    /// The greatest score of a loss that counts in this round, and in the round before.
    greatest: [S; 2],
}

/// Captures that count from a round on.
#[derive(Default)]
pub(super) struct Due {
    /// The runs with any.
    pub(super) runs: Runs,
    /// Their number.
    pub(super) captures: usize,
}

/// Whether a score is that of a capture that loses.
fn is_loss<S: Score>(score: S) -> bool {
    score < S::default() && score != S::NONE
}

/// Returns the number of runs in a group.
fn group_len(orbit: &Orbit) -> usize {
    orbit.high.runs.len().div_ceil(GROUPS).max(1)
}

/// Returns the places of runs that follow each other.
fn places(orbit: &Orbit, runs: &[Run]) -> Range<usize> {
    let ends = [runs.first(), runs.last()].map(|run| run.map(|&run| orbit.places(run)));
    let [Some(first), Some(last)] = ends else { return 0..0 };
    first.start..last.end
}

impl CaptureRounds {
    /// Looks at the best captures of each orbit, by place.
    pub(super) fn of<S: Score>(orbits: &[Orbit], captures: &[&[S]]) -> CaptureRounds {
        let both: Vec<_> = orbits.iter().zip(captures).collect();
        let groups = parallel::map(&both, &|&(orbit, captures)| {
            let group = |runs: &[Run]| {
                let captures = captures.get(places(orbit, runs)).unwrap_or_default();
                let losses = captures.iter().filter(|score| is_loss(**score));
                let rounds = losses.map(|score| score.round_of_loss());
                rounds.fold([0, 0], |[first, last], round| {
                    [if first == 0 { round } else { first.min(round) }, last.max(round)]
                })
            };
            orbit.high.runs.chunks(group_len(orbit)).map(group).collect::<Vec<_>>()
        });
        let last = groups.iter().flatten().map(|&[_, last]| last.into()).max().unwrap_or(0);
        CaptureRounds { groups, last }
    }

    /// Returns the captures of an orbit with these scores in a round.
    pub(super) fn in_round<'a, S: Score>(
        &'a self,
        orbit: usize,
        scores: &'a [S],
        round: u64,
    ) -> Captures<'a, S> {
        if round > self.last {
            return Captures::all(scores);
        }
        let groups = &self.groups[orbit];
        Captures { scores, groups, round, greatest: [round, round - 1].map(S::greatest_loss) }
    }
}

impl<'a, S: Score> Captures<'a, S> {
    /// Returns captures that count in every round.
    pub(super) fn all(scores: &'a [S]) -> Captures<'a, S> {
        Captures { scores, groups: &[], round: u64::MAX, greatest: [S::greatest_loss(u64::MAX); 2] }
    }

    /// Returns the score of the best capture of a place.
    #[inline(always)]
    pub(super) fn at(&self, place: usize) -> S {
        self.scores.get(place).map_or(S::NONE, |score| score.counted(self.greatest[0]))
    }

    /// Whether a capture is possible.
    #[inline(always)]
    pub(super) fn is_any(&self, place: usize) -> bool {
        self.scores.get(place).is_some_and(|&score| score != S::NONE)
    }

    /// Returns the memory of a place, to be prefetched.
    #[inline(always)]
    pub(super) fn memory(&self, place: usize) -> &[S] {
        self.scores.get(place..=place).unwrap_or_default()
    }

    /// Begins with these captures; see [`Buffers::start`].
    pub(super) fn start(&self, buffers: &mut Buffers<S>, sets: usize, runs: Runs) {
        buffers.start(self.scores, sets, runs);
        if !self.groups.is_empty() {
            let scores = &mut buffers.best[..self.scores.len()];
            dispatch(Level::best(), Count { scores, greatest: self.greatest[0] });
        }
    }

    /// Replaces the best scores by those of these captures, which are compulsory.
    pub(super) fn force(&self, best: &mut [S]) {
        for (best, &forced) in best.iter_mut().zip(self.scores) {
            if forced != S::NONE {
                *best = forced.counted(self.greatest[0]);
            }
        }
    }

    /// Finds the captures that count from this round on.
    pub(super) fn due(&self, orbit: &Orbit) -> Due {
        let is_due =
            |[first, last]: &[u16; 2]| (u64::from(*first)..=u64::from(*last)).contains(&self.round);
        if !self.groups.iter().any(is_due) {
            return Due::default();
        }
        let mut due = Due { runs: Runs::default(), captures: 0 };
        let groups = orbit.high.runs.chunks(group_len(orbit)).zip(self.groups);
        for run in groups.filter(|(_, rounds)| is_due(rounds)).flat_map(|(runs, _)| runs) {
            let scores = &self.scores[orbit.places(*run)];
            let found = dispatch(Level::best(), CountDue { scores, greatest: self.greatest });
            if found > 0 {
                due.runs.insert(run.high);
                due.captures += found;
            }
        }
        due
    }

    /// Returns the places, sets, and scores of the captures of a run that count from this round on.
    #[inline(always)]
    pub(super) fn due_in(
        &self,
        orbit: &'a Orbit,
        run: Run,
    ) -> impl Iterator<Item = (usize, u64, S)> + use<'a, S> {
        let Captures { scores, greatest, .. } = *self;
        let high = u64::from(run.high) << orbit.low.points;
        let low = &orbit.low.by_size[usize::from(run.low)];
        let first = run.start as usize;
        let stretches = scores[orbit.places(run)].chunks(TOGETHER).zip(low.chunks(TOGETHER));
        let stretches = stretches.enumerate().filter(move |(_, (scores, _))| {
            scores.iter().fold(false, |any, score| any | score.counts_first(greatest))
        });
        stretches.flat_map(move |(number, (scores, low))| {
            let found = scores.iter().zip(low).enumerate();
            let found = found.filter(move |(_, (score, _))| score.counts_first(greatest));
            found.map(move |(place, (&score, &low))| {
                (first + number * TOGETHER + place, high | u64::from(low), score)
            })
        })
    }
}

/// Replaces scores that do not count yet by draws.
struct Count<'s, S> {
    scores: &'s mut [S],
    greatest: S,
}

impl<S: Score> Kernel for Count<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Isa) {
        for score in self.scores {
            *score = score.counted(self.greatest);
        }
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

    /// Compares with a look at each place. Returns the number of captures that count late.
    fn compare<S: Score>(plies: u16, [points, low_points]: [u32; 2], many: usize) -> usize {
        let low = Low::new(low_points, 1);
        let high = High::of_all(points - low_points, 0, &low, many);
        let orbits = [Orbit { few: 1, low: Arc::new(low), high: Arc::new(high) }];
        let orbit = &orbits[0];
        let mut sets = Vec::new();
        orbit.high.runs.iter().for_each(|&run| orbit.for_each_set(run, |_, set| sets.push(set)));
        let mut state = 1_u64;
        let scores: Vec<S> = (0..sets.len())
            .map(|place| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let random = (state >> 33) as u16;
                // Wins get longer with the place.
                let plies = 2 + (place * usize::from(plies) / sets.len()) as u16 + random % 9;
                let win = S::won_in(plies);
                [S::NONE, S::default(), win, win.opposite()][usize::from(random >> 8) % 4]
            })
            .collect();
        let rounds = CaptureRounds::of(&orbits, &[&scores]);
        let of_round = |round: u64| {
            let due = move |score: S| is_loss(score) && u64::from(score.round_of_loss()) == round;
            let found = sets.iter().zip(&scores).enumerate();
            found.filter(move |(_, (_, score))| due(**score))
        };
        let mut late = 0;
        for round in 1..=rounds.last + 1 {
            let captures = rounds.in_round(0, &scores, round);
            let expected: Vec<_> =
                of_round(round).map(|(place, (&set, &score))| (place, set, score)).collect();
            let due = captures.due(orbit);
            assert_eq!(due.captures, expected.len(), "round {round}");
            let runs = orbit.high.runs.iter().filter(|run| due.runs.has(run.high));
            let found: Vec<_> = runs.flat_map(|&run| captures.due_in(orbit, run)).collect();
            assert!(found == expected, "round {round}");
            let mut buffers = Buffers::default();
            captures.start(&mut buffers, scores.len(), Runs::all(orbit));
            for (place, &score) in scores.iter().enumerate() {
                let counts = !is_loss(score) || u64::from(score.round_of_loss()) <= round;
                let counted = if counts { score } else { S::default() };
                assert!(captures.at(place) == counted && buffers.best[place] == counted);
                assert_eq!(captures.is_any(place), score != S::NONE);
                late += usize::from(!counts && round == 2);
            }
        }
        assert!(of_round(rounds.last).count() > 0 && of_round(rounds.last + 1).count() == 0);
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
