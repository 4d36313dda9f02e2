//! Which rank has which positions.
//!
//! Some points of the board, closed under the symmetries, are the *separator*. A position belongs
//! to the rank that owns the *pattern* of its many on these points; patterns that are images of
//! each other have one owner. The few may stand anywhere, so their moves stay on a rank, as do the
//! moves of the many that do not touch the separator. Points with few steps are chosen, until the
//! patterns can be dealt evenly: in ascending order, so that most patterns that differ in one of
//! the later points have the same owner.

use std::collections::BTreeMap;

use anser_core::Hunt;
use anser_core::hunt::{HuntIndex, PointSet};

use super::arrangements::{Parts, ranges_of_few};
use crate::engines::sets::layout::{binomial, most_runs};
use crate::engines::sets::order::{MOST_LOW, PointOrder};
use crate::engines::sets::rules::{Numbers, Rules};

/// Most points of a separator.
const MOST_SEPARATOR: usize = 14;

/// Most high points: beside an arrangement of the few there are up to as many runs as sets of them.
const MOST_HIGH: usize = 22;

/// Most work of a rank, as a multiple of an equal share, with which no further point is added.
const EVEN: f64 = 1.02;

/// The work on a run of sets beside that on its sets, in sets.
const RUN: f64 = 64.0;

/// The most work on runs, as a share of that on sets: no rank gets many more positions than others.
const MOST_ON_RUNS: f64 = 0.04;

/// The shares of the ranks in a layer.
pub(super) struct Shares {
    /// Number of low points, which are closed under the symmetries unless there would be too few.
    pub(super) low_points: u32,
    /// Number of points of the separator.
    pub(super) separator: u32,
    /// By pattern: the rank that owns it.
    pub(super) owners: Vec<u16>,
    /// The positions of the rank that has most, as a multiple of an equal share.
    pub(super) largest: f64,
}

impl Shares {
    /// Chooses a separator for `ranks` ranks, in a layer with these representatives of the few and
    /// `many` of the many on the board. Also returns the order of points that keeps a pattern
    /// together: low points first, the separator last.
    pub(super) fn new(
        game: &Hunt,
        few: &[PointSet],
        many: usize,
        ranks: usize,
    ) -> (Shares, PointOrder) {
        let points = game.description().points.len();
        let mut rest = point_orbits(game);
        let mut chosen: Vec<u8> = Vec::new();
        let mut best = None;
        loop {
            let dealt = deal(game, &chosen, few, many, ranks);
            let most_work = dealt.most_work;
            if best.as_ref().is_none_or(|(least, _): &(Dealt, _)| most_work < least.most_work) {
                best = Some((dealt, chosen.clone()));
            }
            if most_work <= EVEN {
                break;
            }
            let most = MOST_SEPARATOR.min(points / 2) - chosen.len();
            let next =
                (0..rest.len()).filter(|&orbit| rest[orbit].len() <= most).min_by_key(|&orbit| {
                    let points = &rest[orbit];
                    // Steps per point, in 60ths.
                    (60 * steps_at(game, points) / points.len(), points.len())
                });
            let Some(next) = next else { break };
            // The first points chosen are the highest bits.
            chosen.splice(0..0, rest.remove(next));
        }
        let (dealt, separator) = best.expect("one round at least");
        let others: Vec<Vec<u8>> =
            point_orbits(game).into_iter().filter(|orbit| !separator.contains(&orbit[0])).collect();
        let wanted = most_low(points);
        let low = low_orbits(&others, wanted);
        let order = |is_low: bool| {
            let orbits = others.iter().zip(&low).filter(move |(_, low)| **low == is_low);
            orbits.flat_map(|(orbit, _)| orbit.iter().copied())
        };
        let mut low_points = order(true).count();
        if points - low_points > MOST_HIGH {
            low_points = wanted.min(points - separator.len());
        }
        let shares = Shares {
            low_points: low_points as u32,
            separator: separator.len() as u32,
            owners: dealt.owners,
            largest: dealt.largest,
        };
        (shares, PointOrder::new(order(true).chain(order(false)).chain(separator).collect()))
    }

    /// Returns the patterns that a rank owns, in ascending order.
    pub(super) fn of(&self, rank: usize) -> Vec<u32> {
        let owners = (0..).zip(&self.owners);
        owners
            .filter(|&(_, &owner)| usize::from(owner) == rank)
            .map(|(pattern, _)| pattern)
            .collect()
    }

    /// Returns the patterns of others that steps lead to from those of a rank, sorted by owner and
    /// then ascending. The steps are pairs of patterns: of the point that is left, and of the one
    /// that is entered.
    pub(super) fn reached(&self, rank: usize, steps: &[[u32; 2]]) -> Vec<u32> {
        let mut reached = Vec::new();
        for pattern in self.of(rank) {
            for &[from, to] in steps {
                if pattern & from == from && pattern & to == 0 {
                    reached.push(pattern ^ from ^ to);
                }
            }
        }
        reached.retain(|&pattern| self.owner(pattern) != rank);
        reached.sort_unstable_by_key(|&pattern| (self.owner(pattern), pattern));
        reached.dedup();
        reached
    }

    /// Returns the most runs of a rank beside an arrangement of the few, in a layer with `many`
    /// pieces of the many on the board.
    pub(super) fn most_runs(&self, rules: &Rules, many: usize) -> u64 {
        let low = rules.low_points as usize;
        let high = rules.points - low - self.separator as usize;
        let mut of_ranks = vec![0; 1 + self.owners.iter().copied().max().map_or(0, usize::from)];
        for (pattern, &owner) in (0_u32..).zip(&self.owners) {
            let left = many.checked_sub(pattern.count_ones() as usize);
            of_ranks[usize::from(owner)] += left.map_or(0, |left| most_runs(low, high, left));
        }
        of_ranks.into_iter().max().unwrap_or(0)
    }

    pub(super) fn owner(&self, pattern: u32) -> usize {
        usize::from(self.owners[pattern as usize])
    }
}

/// Returns the orbits of the points under the symmetries.
fn point_orbits(game: &Hunt) -> Vec<Vec<u8>> {
    let mut orbits: Vec<Vec<u8>> = Vec::new();
    for point in 0..game.description().points.len() as u8 {
        if orbits.iter().any(|orbit| orbit.contains(&point)) {
            continue;
        }
        let image = |symmetry| game.image_of_set(PointSet::of(point), symmetry);
        let mut orbit: Vec<u8> =
            (0..game.symmetries()).flat_map(|symmetry| image(symmetry).iter()).collect();
        orbit.sort_unstable();
        orbit.dedup();
        orbits.push(orbit);
    }
    orbits
}

/// Returns the number of steps of the many that begin or end on a point.
fn steps_at(game: &Hunt, points: &[u8]) -> usize {
    let steps = game.description().sides[1].steps.iter();
    steps.filter(|step| step.iter().any(|point| points.contains(point))).count()
}

/// Returns the greatest number of low points of a board.
fn most_low(points: usize) -> usize {
    (points / 2).min(MOST_LOW)
}

/// Patterns that are dealt to ranks. Shares are multiples of an equal one.
struct Dealt {
    owners: Vec<u16>,
    /// The most positions of a rank.
    largest: f64,
    /// The most work of a rank.
    most_work: f64,
}

/// Deals the patterns on `separator`, whose first point is bit 0, to the ranks, so that all have as
/// much work. Sets that agree beyond the low points are a run; small patterns have short ones.
fn deal(game: &Hunt, separator: &[u8], few: &[PointSet], many: usize, ranks: usize) -> Dealt {
    let points = game.description().points.len();
    let patterns = 1usize << separator.len();
    let set = |pattern: usize| {
        let points = separator.iter().enumerate().filter(|(bit, _)| pattern >> bit & 1 != 0);
        points.fold(0u128, |set, (_, point)| set | 1 << point)
    };
    let pattern_of = |set: PointSet| {
        let points = separator.iter().enumerate();
        points.fold(0, |pattern, (bit, &point)| pattern | usize::from(set.contains(point)) << bit)
    };
    // Arrangements of the few differ by their points of the separator.
    let mut numbers: BTreeMap<usize, f64> = BTreeMap::new();
    for &few in few {
        *numbers.entry(pattern_of(few)).or_default() += 1.0;
    }
    let low = most_low(points).min(points - separator.len());
    let high = points - separator.len() - low;
    let runs = |many: usize| -> u64 {
        (many.saturating_sub(low)..=many.min(high)).map(|of_high| binomial(high, of_high)).sum()
    };
    let mut weights = vec![[0.0; 2]; patterns];
    let mut least = vec![0; patterns];
    for pattern in 0..patterns {
        let set = PointSet::from_bits(set(pattern));
        let image = |symmetry| pattern_of(game.image_of_set(set, symmetry));
        least[pattern] = (0..game.symmetries()).map(image).min().unwrap_or(pattern);
        let of_pattern = pattern.count_ones() as usize;
        for (few_pattern, number) in &numbers {
            if few_pattern & pattern == 0 && of_pattern <= many {
                let of_few = few[0].len() - few_pattern.count_ones() as usize;
                let free = points - separator.len() - of_few;
                let [all_sets, all_runs] = &mut weights[least[pattern]];
                *all_sets += number * binomial(free, many - of_pattern) as f64;
                *all_runs += number * runs(many - of_pattern) as f64;
            }
        }
    }
    let [sets, runs] = [0, 1].map(|of| weights.iter().map(|weight| weight[of]).sum::<f64>());
    let of_run = RUN.min(MOST_ON_RUNS * sets / runs.max(1.0));
    let work = sets + of_run * runs;
    let mut owners = vec![0; patterns];
    let (mut before, mut shares) = (0.0, vec![[0.0; 2]; ranks]);
    for pattern in 0..patterns {
        let [of_sets, of_runs] = weights[pattern];
        let of_work = of_sets + of_run * of_runs;
        let middle = (before + of_work / 2.0) / work.max(1.0) * ranks as f64;
        let owner = (middle as usize).min(ranks - 1);
        owners[pattern] = owner as u16;
        shares[owner] = [shares[owner][0] + of_sets, shares[owner][1] + of_work];
        before += of_work;
    }
    for pattern in 0..patterns {
        owners[pattern] = owners[least[pattern]];
    }
    let most = |of: usize, all: f64| {
        let most = shares.iter().map(|share| share[of]).fold(0.0, f64::max);
        most * ranks as f64 / all.max(1.0)
    };
    Dealt { owners, largest: most(0, sets), most_work: most(1, work) }
}

/// Returns which orbits have low points, so that there are as near to `wanted` as possible, and not
/// more.
fn low_orbits(orbits: &[Vec<u8>], wanted: usize) -> Vec<bool> {
    // By number of points: the orbits that have as many together.
    let mut found: Vec<Option<Vec<bool>>> = vec![None; wanted + 1];
    found[0] = Some(vec![false; orbits.len()]);
    for (number, orbit) in orbits.iter().enumerate() {
        for sum in (orbit.len()..=wanted).rev() {
            if found[sum].is_none()
                && let Some(mut taken) = found[sum - orbit.len()].clone()
            {
                taken[number] = true;
                found[sum] = Some(taken);
            }
        }
    }
    found.into_iter().flatten().next_back().expect("no points are possible")
}

/// Returns how these rules and shares split the points of the board.
pub(super) fn parts_of(rules: &Rules, shares: &Shares) -> Parts {
    let points = rules.points as u32;
    Parts { points, low: rules.low_points, separator: shares.separator }
}

/// Returns the patterns of others that each rank reads, by their owners.
pub(super) fn reached(
    rules: &Rules,
    numbers: Numbers,
    parts: Parts,
    shares: &Shares,
    ranks: usize,
) -> Vec<Vec<u32>> {
    let mut across: Vec<[u32; 2]> = if numbers.hand[1] == 0 {
        rules.steps[1].iter().map(|step| step.map(|point| parts.pattern(point))).collect()
    } else {
        Vec::new()
    };
    across.retain(|step| *step != [0; 2]);
    across.sort_unstable();
    across.dedup();
    (0..ranks).map(|rank| shares.reached(rank, &across)).collect()
}

/// Returns the rules with the points in the order of the shares, and the shares of the ranks.
///
/// # Errors
/// The feature that the engine does not support, to be read after "because of".
pub(super) fn rules_and_shares(
    game: &Hunt,
    index: &HuntIndex,
    ranks: usize,
) -> Result<(Shares, Rules), &'static str> {
    let few: Vec<_> = ranges_of_few(index).into_iter().map(|(few, _)| few).collect();
    let (shares, order) = Shares::new(game, &few, Numbers::of(index).on_board[1], ranks);
    let rules = Rules::in_order(game, order, shares.low_points)?;
    Ok((shares, rules))
}
