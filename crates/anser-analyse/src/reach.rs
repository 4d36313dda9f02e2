//! Which positions play can reach from a root: layer by layer, from the root's down.
//!
//! In a layer in which play can not go round, one pass over the side whose moves can stay and then one over the other
//! finds everything. Elsewhere the newest positions are gone on from until there are none.

use std::ops::ControlFlow;

use anser_core::{Game, LayerIndex, Next, Side, key_position};
use rayon::prelude::*;

use crate::AnalyseError;
use crate::marks::{Marker, Marks};
use crate::slots::Slots;
use crate::solution::{CHUNK, Layer, Limits, Part};

/// The reachable positions of these layers, ascending and closed under play, in which `root` lies. No values yet.
pub(crate) fn reach<G: Game>(
    game: &G,
    root: &G::Position,
    numbers: &[u16],
    limits: &Limits<'_>,
) -> Result<Vec<Layer<G>>, AnalyseError> {
    let mut reaching = Reaching::new(game, numbers, limits);
    if let Some(place) = reaching.place(game.layer(root)) {
        let (side, rank) = (game.side_to_move(root), reaching.indexes[place].rank(root));
        let key = anser_core::key(game, root, rank);
        Marker::new(&reaching.marks).mark(place, side, key);
    }
    let mut finished = Vec::with_capacity(numbers.len());
    limits.observer.begin("layers of reachable positions", numbers.len() as u64);
    for place in (0..numbers.len()).rev() {
        let sides = reaching.layer(place)?;
        reaching.held += sides.each_ref().map(bytes).iter().sum::<u64>();
        reaching.check_room(0)?;
        finished.push(sides);
        limits.observer.advance(1);
    }
    let layers = numbers.iter().zip(reaching.indexes).zip(finished.into_iter().rev());
    Ok(layers.map(|((&number, index), sides)| Layer { number, index, sides }).collect())
}

/// What a part will hold with its values.
fn bytes(part: &Part) -> u64 {
    let set = |slots: &Slots| slots.bytes();
    set(&part.classes) + part.keys.as_ref().map_or(0, set) + 2 * part.classes.len() as u64
}

struct Reaching<'a, G: Game> {
    game: &'a G,
    limits: &'a Limits<'a>,
    /// The bytes that finished layers take, with the values to come.
    held: u64,
    numbers: &'a [u16],
    indexes: Vec<G::Index>,
    /// By place and side.
    marks: Vec<[Marks; 2]>,
}

impl<'a, G: Game> Reaching<'a, G> {
    fn new(game: &'a G, numbers: &'a [u16], limits: &'a Limits<'a>) -> Self {
        let indexes: Vec<G::Index> = numbers.iter().map(|&number| game.index(number)).collect();
        let keys = |index: &G::Index, side| index.len(side) * game.symmetries() as u64;
        let marks = indexes.iter().map(|index| Side::BOTH.map(|side| Marks::new(keys(index, side)))).collect();
        Reaching { game, limits, held: 0, numbers, indexes, marks }
    }

    fn place(&self, layer: u16) -> Option<usize> {
        self.numbers.binary_search(&layer).ok()
    }

    /// An error if all that is held, with as much for the work on a layer, is more than allowed.
    fn check_room(&self, work: u64) -> Result<(), AnalyseError> {
        let marks: u64 = self.marks.iter().flatten().map(Marks::bytes).sum();
        let (needed, allowed) = (self.held + marks + work, self.limits.memory);
        if needed > allowed { Err(AnalyseError::Memory { what: self.game.name(), needed, allowed }) } else { Ok(()) }
    }

    /// Finds all positions of a layer, and marks what they lead to below.
    fn layer(&mut self, place: usize) -> Result<[Part; 2], AnalyseError> {
        let number = self.numbers[place];
        let stays = Side::BOTH.map(|side| self.game.stays_in_layer(number, side));
        if stays == [true, true] {
            self.rounds(place)?;
            let keys = Side::BOTH.map(|side| self.finish(place, side));
            return Ok(keys.map(|keys| self.part(keys)));
        }
        let mut parts = [Part::empty(), Part::empty()];
        let order = if stays[1] { [Side::Second, Side::First] } else { Side::BOTH };
        for side in order {
            let keys = self.finish(place, side);
            self.expand_set(place, side, &keys)?;
            parts[side.index()] = self.part(keys);
        }
        Ok(parts)
    }

    /// The set of what was marked; its room is given back.
    fn finish(&mut self, place: usize, side: Side) -> Slots {
        std::mem::replace(&mut self.marks[place][side.index()], Marks::new(0)).finish()
    }

    fn part(&self, keys: Slots) -> Part {
        let symmetries = self.game.symmetries() as u64;
        if symmetries == 1 {
            return Part { classes: keys, keys: None, values: Vec::new() };
        }
        let classes = keys.divided(symmetries);
        Part { classes, keys: Some(keys), values: Vec::new() }
    }

    fn expand_set(&self, place: usize, side: Side, keys: &Slots) -> Result<(), AnalyseError> {
        (0..keys.len().div_ceil(CHUNK)).into_par_iter().try_for_each(|chunk| {
            let slots = chunk * CHUNK..keys.len().min((chunk + 1) * CHUNK);
            self.expand(place, side, keys.members(slots), None).map(|_| ())
        })
    }

    /// Goes on from the newest positions until there are none.
    fn rounds(&mut self, place: usize) -> Result<(), AnalyseError> {
        let mut frontier = [0, 1].map(|side: usize| self.marks[place][side].follow());
        while frontier.iter().any(|keys| !keys.is_empty()) {
            self.check_room(frontier.iter().map(|keys| 8 * keys.len() as u64).sum())?;
            let mut next = [Vec::new(), Vec::new()];
            for side in Side::BOTH {
                let fresh: Vec<Vec<u64>> = frontier[side.index()]
                    .par_chunks(CHUNK)
                    .map(|keys| self.expand(place, side, keys.iter().copied(), Some(place)))
                    .collect::<Result<_, _>>()?;
                next[side.other().index()].extend(fresh.into_iter().flatten());
            }
            for (marks, next) in self.marks[place].iter_mut().zip(&mut next) {
                next.append(&mut marks.take_fresh());
            }
            frontier = next;
        }
        Ok(())
    }

    /// Marks what the moves of these positions lead to, and returns the keys newly marked in the bitmaps of the followed
    /// layer.
    fn expand(
        &self,
        place: usize,
        side: Side,
        keys: impl Iterator<Item = u64>,
        followed: Option<usize>,
    ) -> Result<Vec<u64>, AnalyseError> {
        if self.limits.observer.interrupted() {
            return Err(AnalyseError::Interrupted);
        }
        let mut marker = Marker::following(&self.marks, followed);
        let number = self.numbers[place];
        for key in keys {
            let position = key_position(self.game, &self.indexes[place], side, key);
            let _ = self.game.visit_moves(&position, |_, next| {
                if let Next::Position(next) = next {
                    let layer = self.game.layer(&next);
                    // A layer that the game does not announce is none of ours; `validate` finds that out.
                    if let Some(to) = if layer == number { Some(place) } else { self.place(layer) } {
                        let key = anser_core::key(self.game, &next, self.indexes[to].rank(&next));
                        marker.mark(to, side.other(), key);
                    }
                }
                ControlFlow::<()>::Continue(())
            });
        }
        Ok(marker.take_fresh())
    }
}
