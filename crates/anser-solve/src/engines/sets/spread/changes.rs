//! What ranks exchange before the values with the many to move are recomputed.
//!
//! Each rank sends its neighbors which of the values that they read have changed. So they know
//! which of their own values to recompute, and request the runs that these read: no others are
//! sent.

use std::ops::Range;

use anser_retrograde::parallel;

use super::part::Part;
use crate::engines::sets::frontier::{Frontier, next_number};
use crate::engines::sets::layout::{Orbit, Run, Runs};
use crate::engines::sets::moves::{Change, Move};
use crate::engines::sets::propagate::Plan;

/// The runs that a rank requests of another one.
pub(super) struct Request {
    /// The rank that reads them, or the one that has them.
    pub(super) rank: usize,
    /// The patterns that the one reads and the other has.
    patterns: Vec<u32>,
    /// For each orbit of which runs are requested: the number of the orbit, the number of the words
    /// that follow, and in these a bit for each run with these patterns.
    words: Vec<u32>,
    /// The orbits, ascending, each with the words of its bits.
    orbits: Vec<(usize, Range<usize>)>,
}

impl Request {
    fn new(rank: usize, patterns: &[u32], words: Vec<u32>) -> Request {
        let (mut orbits, mut next) = (Vec::new(), 0);
        while let Some(&[orbit, len]) = words[next..].first_chunk() {
            let bits = next + 2..next + 2 + len as usize;
            next = bits.end;
            orbits.push((orbit as usize, bits));
        }
        Request { rank, patterns: patterns.to_vec(), words, orbits }
    }

    /// Returns the requested runs of an orbit.
    pub(super) fn runs<'r>(
        &'r self,
        part: &'r Part<'_>,
        orbit: usize,
    ) -> impl Iterator<Item = Run> + 'r {
        let found = self.orbits.binary_search_by_key(&orbit, |(orbit, _)| *orbit);
        let bits = found.map_or(&[][..], |found| &self.words[self.orbits[found].1.clone()]);
        let patterns = if bits.is_empty() { &[] } else { &self.patterns[..] };
        let runs = part.layer.runs(&part.orbits[orbit], patterns).enumerate();
        runs.filter(|(number, _)| bits[number / 32] >> (number % 32) & 1 != 0).map(|(_, run)| run)
    }
}

impl Part<'_> {
    /// Adds to the frontiers with the few to move those of other ranks, as far as this one reads
    /// them.
    pub(super) fn exchange_changes(&self, frontiers: &mut [Frontier]) {
        let to_reader = |&reader: &usize| {
            let is_wanted = self.lows.parts.marks(self.given(reader));
            let is_wanted = |high| is_wanted[self.lows.parts.pattern_of_high(high) as usize];
            let messages = parallel::map(frontiers.iter().enumerate(), &|(number, frontier)| {
                frontier.message((number, &self.orbits[number]), is_wanted)
            });
            (reader, messages.concat())
        };
        let send: Vec<_> = self.read_by.iter().map(to_reader).collect();
        for (_, message) in self.exchange_lists(&send, &self.reads) {
            let mut message = message.into_iter().peekable();
            while message.peek().is_some() {
                let mut next = || message.next().expect("the message has a whole number");
                let number = next_number(&mut next) as usize;
                let orbit = &self.orbits[number];
                let run =
                    |high| self.layer.run(orbit, high).expect("other ranks have the same runs");
                frontiers[number].add(&mut message, run);
            }
        }
    }

    /// Requests the runs of others that are read if the values with the many to move are recomputed
    /// by these plans. Returns the requests of this rank, and those of others.
    pub(super) fn request(&self, plans: &[Plan], changed: &[Frontier]) -> [Vec<Request>; 2] {
        // By orbit and rank that is read.
        let bits = parallel::map(plans.iter().zip(changed).enumerate(), &|(number, of_orbit)| {
            let (orbit, (plan, changed)) = (&self.orbits[number], of_orbit);
            let read = self.read_by_plan(orbit, plan, changed);
            let of_owner = |&owner: &usize| {
                if read.is_empty() {
                    return Vec::new();
                }
                let mut bits = Vec::new();
                for (number, run) in self.layer.runs(orbit, self.taken(owner)).enumerate() {
                    bits.resize(number / 32 + 1, 0);
                    bits[number / 32] |= u32::from(read.has(run.high)) << (number % 32);
                }
                if bits.iter().all(|&bits| bits == 0) { Vec::new() } else { bits }
            };
            self.reads.iter().map(of_owner).collect::<Vec<_>>()
        });
        let message = |(place, &owner): (usize, &usize)| {
            let of_orbits = bits.iter().map(|of_orbit| &of_orbit[place]).enumerate();
            let of_orbits = of_orbits.filter(|(_, bits)| !bits.is_empty());
            let words = of_orbits.flat_map(|(number, bits)| {
                [number as u32, bits.len() as u32].into_iter().chain(bits.iter().copied())
            });
            (owner, words.collect())
        };
        let own: Vec<(usize, Vec<u32>)> = self.reads.iter().enumerate().map(message).collect();
        let others = self.exchange_lists(&own, &self.read_by);
        let of_owner = |(owner, words)| Request::new(owner, self.taken(owner), words);
        let of_reader = |(reader, words)| Request::new(reader, self.given(reader), words);
        [own.into_iter().map(of_owner).collect(), others.into_iter().map(of_reader).collect()]
    }

    /// Returns the runs of other ranks that are read by a plan for an orbit with the many to move.
    fn read_by_plan(&self, orbit: &Orbit, plan: &Plan, changed: &Frontier) -> Runs {
        let mut read = Runs::default();
        let low_points = orbit.low.points;
        let moves: Vec<_> = self.steps_of_many(orbit).collect();
        let recomputed = match plan {
            Plan::Keep | Plan::FromDraws => return read,
            Plan::Compute(runs) => runs.clone(),
            Plan::Propagate(_) => {
                let mut runs = changed.runs.clone();
                let sets: Vec<u64> = changed.sets(orbit).map(|(_, set)| set).collect();
                let mut found = vec![0; sets.len()];
                for &Move { change: Change { has, lacks, flip }, .. } in &moves {
                    // Whether a move applies cannot be predicted, so it is no branch.
                    let mut count = 0;
                    for after in &sets {
                        let set = after ^ flip;
                        found[count] = (set >> low_points) as u32;
                        count += usize::from(set & (has | lacks) == has);
                    }
                    found[..count].iter().for_each(|&high| runs.insert(high));
                }
                runs
            }
        };
        let across: Vec<_> = moves
            .iter()
            .map(|mv| mv.change)
            .filter(|change| self.lows.parts.pattern(change.flip) != 0)
            .map(|change| change.within(!0 << low_points))
            .collect();
        for run in orbit.high.runs.iter().filter(|run| recomputed.has(run.high)) {
            let set = u64::from(run.high) << low_points;
            for change in across.iter().filter(|change| change.applies_to(set)) {
                read.insert(run.high ^ (change.flip >> low_points) as u32);
            }
        }
        read
    }
}
