//! The positions whose values a pass changed, and the runs that read them.

use super::layout::{Orbit, Run, Runs};
use super::moves::{Change, Image};
use super::scores::{Score, decided};

/// Values of an orbit for each byte of a list of changes, at least. Longer lists are not kept.
const PER_LISTED_BYTE: usize = 16;

/// Bytes that a list of changes may take beside any number of values.
const LISTED: usize = 1 << 10;

/// Values that are compared at a time.
const COMPARED: usize = 64;

/// The sets of an orbit whose values changed in a pass.
#[derive(Default)]
pub(super) struct Frontier {
    /// The runs with such sets.
    pub(super) runs: Runs,
    /// The sets, in any order. `None` if they are too many to be listed.
    list: Option<List>,
}

/// Sets by run and rank in it.
#[derive(Default)]
struct List {
    /// The runs, each with the end of its ranks.
    runs: Vec<(Run, u32)>,
    ranks: Vec<u16>,
    /// The most bytes that the list may take.
    most: usize,
}

/// Returns the most bytes of the frontiers of a number of orbits with `sets` sets each, in a pass
/// and in the one before. Runs of an orbit take at most `of_runs` bytes.
pub(super) fn bytes_of_frontiers(orbits: u64, sets: u64, of_runs: u64) -> u64 {
    2 * orbits * (of_runs + (LISTED + sets as usize / PER_LISTED_BYTE) as u64)
}

impl List {
    /// Adds a set to a list, unless that takes too much memory.
    fn push(list: &mut Option<List>, run: Run, rank: u16) {
        let Some(List { runs, ranks, most }) = list else { return };
        ranks.push(rank);
        let end = ranks.len() as u32;
        match runs.last_mut() {
            Some((last, last_end)) if last.high == run.high => *last_end = end,
            _ => runs.push((run, end)),
        }
        let bytes = runs.capacity() * size_of::<(Run, u32)>() + ranks.capacity() * size_of::<u16>();
        if bytes > *most {
            *list = None;
        }
    }
}

impl Frontier {
    /// Adds sets, given in any order.
    pub(super) fn insert_all(&mut self, orbit: &Orbit, sets: &mut Vec<u64>) {
        sets.sort_unstable();
        sets.dedup();
        let low_mask = (1 << orbit.low.points) - 1;
        let mut runs = orbit.high.runs.iter();
        for of_run in sets.chunk_by(|a, b| a >> orbit.low.points == b >> orbit.low.points) {
            let high = (of_run[0] >> orbit.low.points) as u32;
            let run = runs.find(|run| run.high == high).expect("each set has a run");
            self.runs.insert(high);
            for set in of_run {
                let rank = orbit.low.rank[(set & low_mask) as usize];
                List::push(&mut self.list, *run, rank);
            }
        }
    }

    /// Returns the number of sets, if they are listed or there are none.
    pub(super) fn len(&self) -> Option<usize> {
        let len = self.list.as_ref().map(|list| list.ranks.len());
        len.or_else(|| self.runs.is_empty().then_some(0))
    }

    /// Returns the place and the points of each listed set of `orbit`.
    #[inline(always)]
    pub(super) fn sets(&self, orbit: &Orbit) -> impl Iterator<Item = (usize, u64)> {
        let (runs, ranks) =
            self.list.as_ref().map_or((&[][..], &[][..]), |list| (&list.runs, &list.ranks));
        groups(runs, ranks).flat_map(move |(Run { high, start, low }, of_run)| {
            let low = &orbit.low.by_size[usize::from(low)];
            of_run.iter().map(move |&rank| {
                let set = u64::from(high) << orbit.low.points | u64::from(low[usize::from(rank)]);
                ((start + u32::from(rank)) as usize, set)
            })
        })
    }

    /// Returns the sets of the runs that `is_wanted` accepts by their high points, as a message to
    /// another rank: the number of the orbit, whether they are listed, the number of groups, and
    /// for each the high points of its run and, if they are listed, the ranks. Empty if there are
    /// none.
    pub(super) fn message(
        &self,
        (number, orbit): (usize, &Orbit),
        is_wanted: impl Fn(u32) -> bool,
    ) -> Vec<u16> {
        let mut wanted: Vec<(u32, &[u16])> = Vec::new();
        if let Some(List { runs, ranks, .. }) = &self.list {
            wanted.extend(groups(runs, ranks).map(|(run, ranks)| (run.high, ranks)));
        } else if !self.runs.is_empty() {
            let runs = orbit.high.runs.iter().filter(|run| self.runs.has(run.high));
            wanted.extend(runs.map(|run| (run.high, &[][..])));
        }
        wanted.retain(|(high, _)| is_wanted(*high));
        let mut message = Vec::new();
        if !wanted.is_empty() {
            push_number(&mut message, number as u32);
            message.push(self.list.is_some().into());
            push_number(&mut message, wanted.len() as u32);
        }
        for (high, ranks) in wanted {
            push_number(&mut message, high);
            if self.list.is_some() {
                push_number(&mut message, ranks.len() as u32);
                message.extend_from_slice(ranks);
            }
        }
        message
    }

    /// Adds the sets of a [message](Frontier::message) after the number of its orbit. `run`
    /// returns the run of the orbit with these high points.
    pub(super) fn add(
        &mut self,
        message: &mut impl Iterator<Item = u16>,
        run: impl Fn(u32) -> Run,
    ) {
        let mut next = || message.next().expect("the message has all groups");
        let are_listed = next() != 0;
        if !are_listed {
            self.list = None;
        }
        for _ in 0..next_number(&mut next) {
            let high = next_number(&mut next);
            self.runs.insert(high);
            let (run, len) = (run(high), if are_listed { next_number(&mut next) } else { 0 });
            for _ in 0..len {
                List::push(&mut self.list, run, next());
            }
        }
    }
}

/// Returns the runs of a list, each with its ranks.
#[inline(always)]
fn groups<'l>(runs: &'l [(Run, u32)], ranks: &'l [u16]) -> impl Iterator<Item = (Run, &'l [u16])> {
    let mut first = 0;
    runs.iter().map(move |&(run, end)| {
        let of_run = &ranks[first..end as usize];
        first = end as usize;
        (run, of_run)
    })
}

/// Appends a number of 32 bits to a message.
fn push_number(message: &mut Vec<u16>, number: u32) {
    message.extend([number as u16, (number >> 16) as u16]);
}

/// Returns the next number of 32 bits of a message.
pub(super) fn next_number(next: &mut impl FnMut() -> u16) -> u32 {
    let low = next();
    u32::from(next()) << 16 | u32::from(low)
}

/// Result of setting values of an orbit.
#[derive(Default)]
pub(super) struct Settled {
    /// The sets with a value that was another before.
    pub(super) frontier: Frontier,
    /// The number of values that were draws before.
    pub(super) decided: u64,
    /// Whether there may be no score for a distance.
    pub(super) too_long: bool,
}

impl Settled {
    /// Returns no change of an orbit with this number of sets.
    pub(super) fn none(sets: usize) -> Settled {
        let list = List { most: LISTED + sets / PER_LISTED_BYTE, ..List::default() };
        let frontier = Frontier { runs: Runs::default(), list: Some(list) };
        Settled { frontier, decided: 0, too_long: false }
    }

    /// Adds the sets of a run whose values changed.
    pub(super) fn insert<S: Score>(&mut self, run: Run, before: &[S], after: &[S]) {
        if before == after {
            return;
        }
        self.decided += decided(after) - decided(before);
        let Frontier { runs, list } = &mut self.frontier;
        runs.insert(run.high);
        let stretches = before.chunks(COMPARED).zip(after.chunks(COMPARED));
        for (number, (before, after)) in stretches.enumerate() {
            // Too many sets are not listed.
            if list.is_none() {
                return;
            }
            if before == after {
                continue;
            }
            for (rank, _) in (0..).zip(before.iter().zip(after)).filter(|(_, (b, a))| b != a) {
                List::push(list, run, (number * COMPARED) as u16 + rank);
            }
        }
    }
}

/// Returns the runs of an orbit that read a changed value: of the same run, if the side to move
/// passes, or of those that a move leads to. Each move is given with the symmetry that takes sets
/// to an orbit, and the runs of that orbit that have changed.
pub(super) fn runs_that_read<'r>(
    orbit: &Orbit,
    changed: &Runs,
    moves: impl Iterator<Item = (Change, &'r Image, &'r Runs)>,
) -> Runs {
    let low_points = orbit.low.points;
    let mut moves: Vec<_> = moves.filter(|(.., changed)| !changed.is_empty()).collect();
    if moves.is_empty() && changed.is_empty() {
        return changed.clone();
    }
    for (change, ..) in &mut moves {
        *change = change.within(!0 << low_points);
    }
    // Moves that differ in low points alone read the same runs.
    let key = |&(Change { has, lacks, flip }, image, changed): &(Change, &Image, &'r Runs)| {
        (has, lacks, flip, image.symmetry, std::ptr::from_ref(changed).addr())
    };
    moves.sort_unstable_by_key(key);
    moves.dedup_by_key(|mv| key(mv));
    let mut runs = Runs::default();
    for &Run { high, .. } in &orbit.high.runs {
        let set = u64::from(high) << low_points;
        let reads = |&(change, image, changed): &(Change, &Image, &Runs)| {
            change.applies_to(set)
                && image
                    .of_run(high ^ (change.flip >> low_points) as u32)
                    .is_none_or(|high| changed.has(high))
        };
        if changed.has(high) || moves.iter().any(reads) {
            runs.insert(high);
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use super::*;
    use crate::engines::sets::layout::{High, Low};

    /// Returns an orbit with the sets of 7 of 14 points without the first one, 6 of them low.
    fn orbit() -> Orbit {
        let low = Low::new(6, 1);
        let high = High::of_all(8, 0, &low, 7);
        Orbit { few: 1, low: Arc::new(low), high: Arc::new(high) }
    }

    #[test]
    fn a_message_has_the_wanted_sets_in_any_order() {
        let orbit = orbit();
        let runs: Vec<Run> =
            orbit.high.runs.iter().copied().filter(|run| matches!(run.low, 2 | 3)).collect();
        let len = orbit.high.runs.iter().map(|&run| orbit.low.len(run)).sum();
        let of_run = |run: Run| {
            let mut sets = Vec::new();
            orbit.for_each_set(run, |_, set| sets.push(set));
            sets
        };
        // As in a round that begins from draws: runs that were settled, and then some that are
        // propagated, among them earlier ones and one of the settled ones.
        for (settled, propagated) in [(&runs[5..9], &runs[1..7]), (&runs[3..3], &runs[2..20])] {
            let mut of = Settled::none(len);
            for &run in settled {
                let before = vec![0_i8; orbit.low.len(run)];
                let mut after = before.clone();
                after[1] = 1;
                of.insert(run, &before, &after);
            }
            let mut sets: Vec<u64> = propagated.iter().map(|&run| of_run(run)[0]).collect();
            let mut expected: BTreeSet<u64> = settled.iter().map(|&run| of_run(run)[1]).collect();
            expected.extend(&sets);
            of.frontier.insert_all(&orbit, &mut sets);
            for listed in [true, false] {
                if !listed {
                    of.frontier.list = None;
                }
                let is_wanted = |high: u32| !high.is_multiple_of(3);
                let expected: Vec<u64> =
                    expected.iter().copied().filter(|set| is_wanted((set >> 6) as u32)).collect();
                let message = of.frontier.message((70_000, &orbit), is_wanted);
                let mut message = message.into_iter();
                let mut found = Settled::none(len).frontier;
                assert_eq!(next_number(&mut || message.next().unwrap()), 70_000);
                let run = |high| *runs.iter().find(|run| run.high == high).unwrap();
                found.add(&mut message, run);
                assert_eq!(message.next(), None);
                let mut sets: Vec<_> = found.sets(&orbit).collect();
                sets.sort_unstable_by_key(|(_, set)| *set);
                assert!(sets.iter().all(|&(place, set)| place == orbit.place(set)));
                let sets: Vec<u64> = sets.into_iter().map(|(_, set)| set).collect();
                assert_eq!(sets, if listed { expected.clone() } else { Vec::new() });
                assert_eq!(found.len(), listed.then_some(expected.len()));
                for run in &runs {
                    let has_changed = expected.iter().any(|set| (set >> 6) as u32 == run.high);
                    assert_eq!(found.runs.has(run.high), has_changed);
                }
            }
        }
    }

    #[test]
    fn messages_are_added_to_other_sets() {
        let orbit = orbit();
        let [some, others, unlisted] = [[0b1111_1110], [0b1_1111_1100], [0b11_1111_1000]];
        let none = || Settled::none(1 << 10).frontier;
        let message = |sets: &[u64], is_listed: bool| {
            let mut frontier = none();
            frontier.insert_all(&orbit, &mut sets.to_vec());
            frontier.list = frontier.list.filter(|_| is_listed);
            frontier.message((0, &orbit), |_| true)
        };
        let run = |high| *orbit.high.runs.iter().find(|run| run.high == high).unwrap();
        let mut all = none();
        let mut add = |message: Vec<u16>| {
            all.add(&mut message.into_iter().skip(2), run);
            let sets = all.sets(&orbit).map(|(_, set)| set);
            (all.len(), sets.collect::<BTreeSet<u64>>(), all.runs.sets(&orbit))
        };
        let sets_of = |high| orbit.low.len(run(high));
        assert_eq!(add(message(&some, true)), (Some(1), some.into(), sets_of(3)));
        // A set may be listed twice.
        let both = BTreeSet::from([some[0], others[0]]);
        let runs = sets_of(3) + sets_of(7);
        assert_eq!(add(message(&[some[0], others[0]], true)), (Some(3), both, runs));
        let runs = runs + sets_of(15);
        assert_eq!(add(message(&unlisted, false)), (None, BTreeSet::new(), runs));
        assert_eq!(add(message(&some, true)), (None, BTreeSet::new(), runs));
    }

    #[test]
    fn a_message_without_wanted_sets_is_empty() {
        let orbit = orbit();
        let mut frontier = Settled::none(1).frontier;
        assert!(frontier.message((1, &orbit), |_| true).is_empty());
        frontier.insert_all(&orbit, &mut vec![0b1111_1110]);
        assert!(frontier.message((1, &orbit), |_| false).is_empty());
        assert!(!frontier.message((1, &orbit), |_| true).is_empty());
    }
}
