//! Codes of distances, recorded in the pass that decides each position.
//!
//! A pass for one side to move reads positions of the other side only, so passes taken in turn are
//! synchronous: the pass that decides a position determines its distance, and thereby its
//! [code](anser_core::Dtw::code). Recording is a union: plane `j` of a class receives the changed
//! bits of every pass whose code has bit `j`. No position is decided twice, so no bit has to be
//! taken back.
//!
//! The blocks of an orbit are images of each other, so only the first one of each is recorded. With
//! the geese to move it is recorded in the first orientation that fox steps read, with the fox to
//! move in orientation 0.

use crate::engines::store::{Store, Words, shared};
use std::sync::atomic::AtomicU64;

use anser_core::{BySide, Dtw, Side};

use super::moves::Fox;
use super::shape::Shape;
use crate::SolveError;

/// The recorded codes of a layer.
pub(super) struct Codes<'a> {
    store: Store<'a>,
    /// By side to move.
    sides: BySide<SideCodes>,
}

/// The recorded codes with one side to move.
struct SideCodes {
    classes: Vec<ClassCodes>,
    /// Planes that the pass at hand changes: the bits of its code.
    selected: Vec<usize>,
    /// By winner: the longest distance recorded.
    longest: BySide<Option<u16>>,
}

/// The recorded codes of one fox class.
struct ClassCodes {
    /// By orbit: the first word of its recorded block.
    start: Vec<usize>,
    /// By orbit: the number of the recorded block, in the orientation in which it is recorded.
    number: Vec<usize>,
    /// Length of a plane in words.
    words: usize,
    /// By bit of the codes. Empty until a code has the bit.
    planes: Vec<Words>,
}

impl<'a> Codes<'a> {
    /// Allocates nothing yet. `orbits` holds the orbits of the blocks by class.
    pub(super) fn new(
        store: Store<'a>,
        shape: &Shape,
        foxes: &[Fox],
        orbits: &[Vec<Vec<usize>>],
    ) -> Codes<'a> {
        let side = |side: Side| SideCodes {
            classes: foxes
                .iter()
                .zip(orbits)
                .map(|(fox, orbits)| {
                    let recorded = |orbit: &Vec<usize>| match side {
                        Side::First => orbit[0],
                        Side::Second => fox.read_number(shape, orbit[0]),
                    };
                    let number: Vec<usize> = orbits.iter().map(recorded).collect();
                    let mut words = 0;
                    let start = number.iter().map(|&number| {
                        let start = words;
                        words += shape.blocks[number].len();
                        start
                    });
                    ClassCodes { start: start.collect(), number, words, planes: Vec::new() }
                })
                .collect(),
            selected: Vec::new(),
            longest: BySide::default(),
        };
        Codes { store, sides: BySide::from_fn(side) }
    }

    /// Selects the planes for a pass that decides positions with `side` to move to be `value`, a
    /// win.
    pub(super) fn select(&mut self, side: Side, value: Dtw) -> Result<(), SolveError> {
        let of_side = &mut self.sides[side];
        of_side.selected =
            (0..u16::BITS as usize).filter(|bit| value.code() >> bit & 1 != 0).collect();
        for class in &mut of_side.classes {
            for &bit in &of_side.selected {
                if class.planes.len() <= bit {
                    class.planes.resize_with(bit + 1, Words::default);
                }
                if class.planes[bit].is_empty() {
                    class.planes[bit] = self.store.zeros(class.words)?;
                }
            }
        }
        Ok(())
    }

    /// Notes that the pass for which planes were selected decided something.
    pub(super) fn note(&mut self, side: Side, value: Dtw) {
        if let (Some(winner), plies) = (value.winner(), value.plies()) {
            let longest = &mut self.sides[side].longest[winner];
            *longest = (*longest).max(plies);
        }
    }

    /// Returns the longest distance recorded, by side to move and winner.
    pub(super) fn longest(&self) -> BySide<BySide<Option<u16>>> {
        BySide::from_fn(|side| self.sides[side].longest)
    }

    /// Returns what [`Codes::restore`] needs besides the words: which planes there are, and the
    /// longest distances, by side to move.
    pub(super) fn state(&self) -> [u64; 6] {
        let plies = |plies: Option<u16>| plies.map_or(0, |plies| u64::from(plies) + 1);
        let of = |side: Side| {
            let SideCodes { classes, longest, .. } = &self.sides[side];
            let planes = classes.first().map_or(&[][..], |class| &class.planes);
            let present = (0..)
                .zip(planes)
                .fold(0, |bits, (bit, plane)| bits | u64::from(!plane.is_empty()) << bit);
            [present, plies(longest[Side::First]), plies(longest[Side::Second])]
        };
        let [[a, b, c], [d, e, f]] = Side::BOTH.map(of);
        [a, b, c, d, e, f]
    }

    /// Returns the words of all planes.
    pub(super) fn words(&self) -> impl Iterator<Item = &[u64]> {
        let classes = Side::BOTH.into_iter().flat_map(|side| &self.sides[side].classes);
        classes
            .flat_map(|class| &class.planes)
            .filter(|plane| !plane.is_empty())
            .map(|plane| &**plane)
    }

    /// Restores what [`Codes::state`] and [`Codes::words`] returned. `read` reads the next words.
    pub(super) fn restore(
        &mut self,
        state: [u64; 6],
        mut read: impl FnMut(&mut [u64]) -> Result<(), SolveError>,
    ) -> Result<(), SolveError> {
        let (store, plies) =
            (self.store, |word: u64| word.checked_sub(1).map(|plies| plies as u16));
        for (side, &[present, first, second]) in Side::BOTH.into_iter().zip(state.as_chunks().0) {
            let SideCodes { classes, longest, .. } = &mut self.sides[side];
            *longest = BySide::new(plies(first), plies(second));
            for class in classes {
                let planes = (0..u64::BITS - present.leading_zeros()).map(|bit| {
                    if present >> bit & 1 == 0 {
                        return Ok(Words::default());
                    }
                    let mut plane = store.zeros(class.words)?;
                    read(&mut plane)?;
                    Ok(plane)
                });
                class.planes = planes.collect::<Result<_, SolveError>>()?;
            }
        }
        Ok(())
    }

    /// Returns the recorded blocks with `side` to move in the selected planes, by class and orbit.
    pub(super) fn split(&mut self, side: Side) -> Vec<Vec<Vec<&mut [u64]>>> {
        let SideCodes { classes, selected, .. } = &mut self.sides[side];
        classes.iter_mut().map(|class| class.split(selected)).collect()
    }

    /// Returns the selected planes of every class with `side` to move, for threads that change the
    /// same words.
    pub(super) fn share(&mut self, side: Side, shape: &Shape) -> Vec<SharedCodes<'_>> {
        let SideCodes { classes, selected, .. } = &mut self.sides[side];
        classes
            .iter_mut()
            .map(|class| {
                let mut start = vec![None; shape.blocks.len()];
                for (&number, &first) in class.number.iter().zip(&class.start) {
                    start[number] = Some(first);
                }
                let planes =
                    class.planes.iter_mut().enumerate().filter(|(bit, _)| selected.contains(bit));
                SharedCodes { start, planes: planes.map(|(_, plane)| shared(plane)).collect() }
            })
            .collect()
    }

    /// Returns the number of planes with `side` to move.
    pub(super) fn bits(&self, side: Side) -> usize {
        self.sides[side].classes.iter().map(|class| class.planes.len()).max().unwrap_or(0)
    }

    /// Returns the recorded block of an orbit in a plane, and the number of the block. `None` if no
    /// code has the bit.
    pub(super) fn block(
        &self,
        side: Side,
        class: usize,
        bit: usize,
        orbit: usize,
    ) -> Option<(usize, &[u64])> {
        let ClassCodes { start, number, words, planes } = &self.sides[side].classes[class];
        let plane = planes.get(bit).filter(|plane| !plane.is_empty())?;
        Some((number[orbit], &plane[start[orbit]..*start.get(orbit + 1).unwrap_or(words)]))
    }
}

impl ClassCodes {
    /// Returns the blocks in the selected planes, by orbit.
    fn split(&mut self, selected: &[usize]) -> Vec<Vec<&mut [u64]>> {
        let ClassCodes { start, words, planes, .. } = self;
        let mut by_orbit: Vec<Vec<_>> =
            start.iter().map(|_| Vec::with_capacity(selected.len())).collect();
        for (_, plane) in planes.iter_mut().enumerate().filter(|(bit, _)| selected.contains(bit)) {
            let mut rest = &mut **plane;
            for (orbit, blocks) in by_orbit.iter_mut().enumerate() {
                let end = start.get(orbit + 1).unwrap_or(words);
                let (block, after) = rest.split_at_mut(end - start[orbit]);
                blocks.push(block);
                rest = after;
            }
        }
        by_orbit
    }
}

/// Returns the orientation in which a class is recorded with `side` to move.
pub(super) fn orientation(fox: &Fox, side: Side) -> usize {
    match side {
        Side::First => 0,
        Side::Second => fox.first_read(),
    }
}

/// Selected planes of a class that several threads change.
pub(super) struct SharedCodes<'a> {
    /// By number of the block, in the orientation in which it is recorded: its first word in a
    /// plane.
    pub(super) start: Vec<Option<usize>>,
    pub(super) planes: Vec<&'a [AtomicU64]>,
}
