//! When captures take effect.
//!
//! A capture takes effect in the round that the distance of the position after it allows: for what
//! the geese win once all captures of the fox lose for it, for what the fox wins as soon as one of
//! them wins. Both follow from the capture that is best for the fox, so that one is computed for
//! every position, as a number of *release* in bit-sliced form: the top plane of a number tells
//! wins of the fox (0) from the rest (1), the other planes are a number of rounds.
//!
//! | best capture of the fox | top plane | other planes |
//! |---|---|---|
//! | wins for the fox in `2 r` plies | 0 | `r` |
//! | draws | 1 | 0 |
//! | wins for the geese in `2 r - 1` plies | 1 | the complement of `r` |
//! | there is none | 1 | the complement of 0 |
//!
//! The fox prefers the smaller number: it hurries when it wins and delays when it loses. "There is
//! none" is the largest number, so it never prevails, and a capture that loses in no rounds would
//! be one that holds nothing up.

use crate::engines::store::{Store, Words};
use anser_retrograde::parallel::{self, CHUNK};

use super::bound::Bound;
use super::kernels::fill_rows;
use super::shape::{Block, Shape};
use crate::SolveError;

/// The best captures of a layer, by class in orientation 0.
pub(super) struct Releases {
    /// By class: the planes of the numbers, the top plane last.
    planes: Vec<ReleasePlanes>,
    /// By class and block: the numbers of rounds that occur.
    rounds: Vec<Vec<BlockRounds>>,
}

/// Planes of numbers of release of one class, the top plane last.
pub(super) type ReleasePlanes = Vec<Words>;

/// The captures of a block, by when they take effect.
#[derive(Default)]
struct BlockRounds {
    /// Whether the fox has no capture somewhere.
    without_capture: bool,
    /// Numbers of rounds of wins of the fox, in ascending order.
    fox: Vec<u16>,
    /// Numbers of rounds of wins of the geese, in ascending order.
    geese: Vec<u16>,
}

impl BlockRounds {
    fn new(block: &Block, planes: &[Words]) -> BlockRounds {
        let (top, low) = planes.split_last().expect("there is a top plane");
        let (top, low): (&[u64], Vec<&[u64]>) =
            (block.of(top), low.iter().map(|plane| block.of(plane)).collect());
        let largest = (1 << low.len()) - 1;
        let mut found = [vec![false; largest + 1], vec![false; largest + 1]];
        let mut all = vec![0; block.len()];
        fill_rows(block, &mut all);
        for (at, mut rest) in all.into_iter().enumerate() {
            // Most words hold few different numbers.
            while rest != 0 {
                let bit = rest.trailing_zeros();
                let top = top[at];
                let mut number = 0;
                let mut equal = if top >> bit & 1 != 0 { top } else { !top };
                for (place, plane) in low.iter().enumerate() {
                    let set = plane[at] >> bit & 1 != 0;
                    number |= usize::from(set) << place;
                    equal &= if set { plane[at] } else { !plane[at] };
                }
                rest &= !equal;
                found[usize::from(top >> bit & 1 != 0)][number] = true;
            }
        }
        let [fox, rest] = found;
        let rounds = |found: &[bool]| {
            (0..=largest).filter(|&round| found[round]).map(|round| round as u16).collect()
        };
        // The numbers of the rest are complements; 0 is a draw, and the complement of 0 no capture.
        let geese: Vec<bool> = (0..=largest)
            .map(|round| 0 < round && round < largest && rest[largest - round])
            .collect();
        BlockRounds { without_capture: rest[largest], fox: rounds(&fox), geese: rounds(&geese) }
    }

    fn of(&self, bound: Bound) -> &[u16] {
        match bound {
            Bound::Least => &self.geese,
            Bound::Greatest => &self.fox,
        }
    }
}

impl Releases {
    pub(super) fn new(shape: &Shape, planes: Vec<ReleasePlanes>) -> Releases {
        let rounds = parallel::map(&planes, &|planes| {
            parallel::map(&shape.blocks, &|block| BlockRounds::new(block, planes))
        });
        Releases { planes, rounds }
    }

    /// Returns the positions that no capture keeps from being good from the start: those without
    /// captures, from below; all, from above.
    pub(super) fn at_start(
        &self,
        store: Store<'_>,
        bound: Bound,
        ones: &[u64],
    ) -> Result<Vec<Words>, SolveError> {
        parallel::try_map(&self.planes, &|planes| {
            let mut allowed = store.copy(ones)?;
            if bound == Bound::Least {
                for plane in planes {
                    allowed.iter_mut().zip(&**plane).for_each(|(word, plane)| *word &= plane);
                }
            }
            Ok(allowed)
        })
    }

    /// Returns the last round in which captures take effect.
    pub(super) fn last(&self, bound: Bound) -> Option<u16> {
        self.rounds.iter().flatten().filter_map(|rounds| rounds.of(bound).last().copied()).max()
    }

    /// Returns whether a block has a position that no capture keeps from being good in the end, as
    /// seen from below.
    pub(super) fn may_be_good(&self, class: usize, number: usize) -> bool {
        let rounds = &self.rounds[class][number];
        rounds.without_capture || !rounds.geese.is_empty()
    }

    /// Applies the captures of one round to `allowed`, a block. Returns whether there are any.
    pub(super) fn apply(
        &self,
        bound: Bound,
        round: u16,
        class: usize,
        (number, block): (usize, &Block),
        allowed: &mut [u64],
    ) -> bool {
        if self.rounds[class][number].of(bound).binary_search(&round).is_err() {
            return false;
        }
        let (top, low) = self.planes[class].split_last().expect("there is a top plane");
        let planes: Vec<&[u64]> = low.iter().map(|plane| block.of(plane)).collect();
        for (at, (word, top)) in allowed.iter_mut().zip(block.of(top)).enumerate() {
            let (mut equal, flip) = match bound {
                Bound::Least => (*top, 0),
                Bound::Greatest => (!*top, u64::MAX),
            };
            for (bit, plane) in planes.iter().enumerate() {
                let wanted = if round >> bit & 1 != 0 { u64::MAX } else { 0 };
                // A plane holds the bits of the number from above, and their complement from below.
                equal &= plane[at] ^ wanted ^ flip;
            }
            match bound {
                Bound::Least => *word |= equal,
                Bound::Greatest => *word &= !equal,
            }
        }
        true
    }
}

/// Replaces the numbers of `planes`, whose top plane is the last, by those of `other` where these
/// are smaller.
pub(super) fn take_smaller(planes: &mut [Words], other: &[&[u64]]) {
    let mut chunks: Vec<Vec<&mut [u64]>> = Vec::new();
    for plane in planes {
        for (number, chunk) in plane.chunks_mut(CHUNK).enumerate() {
            if chunks.len() <= number {
                chunks.push(Vec::new());
            }
            chunks[number].push(chunk);
        }
    }
    parallel::for_each(chunks.into_iter().enumerate(), &|(number, mut planes)| {
        let other: Vec<&[u64]> = other
            .iter()
            .map(|plane| &plane[number * CHUNK..plane.len().min((number + 1) * CHUNK)])
            .collect();
        take_smaller_words(&mut planes, &other);
    });
}

/// Does what [`take_smaller`] does, for some words of the planes.
#[inline(always)]
pub(super) fn take_smaller_words(planes: &mut [&mut [u64]], other: &[&[u64]]) {
    /// Words at a time.
    const TOGETHER: usize = 64;
    let len = planes.first().map_or(0, |plane| plane.len());
    for start in (0..len).step_by(TOGETHER) {
        let words = start..len.min(start + TOGETHER);
        let (mut smaller, mut equal) = ([0; TOGETHER], [u64::MAX; TOGETHER]);
        for (plane, other) in planes.iter().zip(other).rev() {
            let words = plane[words.clone()].iter().zip(&other[words.clone()]);
            for ((own, other), (smaller, equal)) in words.zip(smaller.iter_mut().zip(&mut equal)) {
                *smaller |= *equal & own & !other;
                *equal &= !(own ^ other);
            }
        }
        if smaller == [0; TOGETHER] {
            continue;
        }
        for (plane, other) in planes.iter_mut().zip(other) {
            let words = plane[words.clone()].iter_mut().zip(&other[words.clone()]);
            for ((own, other), smaller) in words.zip(&smaller) {
                *own ^= (*own ^ other) & smaller;
            }
        }
    }
}
