//! Values and numbers of games, layer by layer upward from the lowest.
//!
//! The side to move has lost at every end of the game, so the plies determine the winner: the side
//! to move if they are odd.

use anser_core::{Observer, Outcome};

use super::HexapawnScope;
use super::board::{Arrangement, Board};
use super::census::PartCount;
use super::forward::Stop;
use super::lists::{List, PARTS, part_of};
use super::meter::Meter;
use crate::parallel;
use crate::tallies::{Misfit, Shape, Tallies};
use crate::tally::Tally;

/// A part of a layer with the values of its positions.
#[derive(Clone, Debug)]
struct Part {
    list: List,
    /// By key: the plies to the end.
    plies: Vec<u8>,
    /// The numbers of games, if they are counted.
    games: Option<Tallies>,
}

impl Part {
    fn bytes(&self) -> u64 {
        let games = self.games.as_ref().map_or(0, Tallies::bytes);
        self.list.bytes() + self.plies.capacity() as u64 + games
    }
}

/// Result of a pass upward: the parts of each layer, none of layers that are no longer needed.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    layers: Vec<Vec<Part>>,
}

impl Values {
    /// Returns the plies to the end from a position of one of the highest layers, and its games if
    /// they were counted; `None` if it is not listed.
    pub(super) fn of(
        &self,
        board: &Board,
        layer: usize,
        position: &Arrangement,
    ) -> Option<(u8, Option<Tally>)> {
        let (part, place) = self.find(board, layer, position)?;
        let tally = |games: &Tallies| games.shape.read(games.get(place));
        Some((part.plies[place], part.games.as_ref().map(tally)))
    }

    #[inline]
    fn find(&self, board: &Board, layer: usize, position: &Arrangement) -> Option<(&Part, usize)> {
        let key = board.key(position);
        let part = self.layers.get(layer)?.get(part_of(key, board.key_bits))?;
        Some((part, part.list.find(key)?))
    }

    /// Computes the values of the listed positions, and counts them.
    pub(super) fn new(
        board: &Board,
        lists: Vec<Vec<List>>,
        scope: HexapawnScope,
        meter: &Meter,
        observer: &dyn Observer,
    ) -> Result<(Values, PartCount), Stop> {
        let classes = lists.iter().flatten().map(|list| list.keys().len() as u64).sum();
        observer.begin("values", classes);
        // A move leads down by as many layers as there are rows, at most.
        let window = board.rows as usize;
        let mut values = Values::default();
        let mut count = PartCount::default();
        for (layer, lists) in lists.into_iter().enumerate() {
            let below = values.layers.iter().rev().take(window).flatten();
            let shapes = below.filter_map(|part| Some(part.games.as_ref()?.shape));
            let shape = shapes.fold(Shape::LEAST, Shape::join);
            let part = |mut list: List| -> Result<(Part, PartCount), Stop> {
                if observer.interrupted() {
                    return Err(Stop::Interrupted);
                }
                let classes = list.keys().len() as u64;
                let (plies, games, count) = values.part(board, layer, &list, scope, shape);
                let before = list.bytes();
                list.build_directory(board.key_bits);
                let part = Part { list, plies, games };
                observer.advance(classes);
                if meter.take(part.bytes() - before) {
                    Ok((part, count))
                } else {
                    Err(Stop::Memory)
                }
            };
            let parts = parallel::try_map(lists, &part)?;
            let mut kept = Vec::with_capacity(PARTS);
            for (part, counted) in parts {
                kept.push(part);
                count += &counted;
            }
            values.layers.push(kept);
            if let Some(done) = layer.checked_sub(window) {
                for part in std::mem::take(&mut values.layers[done]) {
                    meter.give_back(part.bytes());
                }
            }
        }
        Ok((values, count))
    }

    /// Computes the values of the positions of a list from the layers below. Tallies have the given
    /// shape, or a larger one if they need it.
    fn part(
        &self,
        board: &Board,
        layer: usize,
        list: &List,
        scope: HexapawnScope,
        mut shape: Shape,
    ) -> (Vec<u8>, Option<Tallies>, PartCount) {
        let keys = list.keys();
        let in_shape = |shape: Shape| {
            let mut plies = Vec::with_capacity(keys.len());
            let counts_games = scope == HexapawnScope::Games;
            let mut games = counts_games.then(|| Tallies::zero(shape, keys.len()));
            let mut count = PartCount::default();
            for (place, &key) in keys.iter().enumerate() {
                let position = board.of_key(key);
                let tally = games.as_mut().map(|games| (shape, games.get_mut(place)));
                let found = self.position(board, layer, &position, scope, tally)?;
                plies.push(found);
                count.add(board, &position, found);
            }
            Ok((plies, games, count))
        };
        loop {
            match in_shape(shape) {
                Ok(found) => return found,
                Err(misfit) => shape = shape.grown(misfit),
            }
        }
    }

    /// Returns the plies of a position, and adds its games to its tally.
    #[inline]
    fn position(
        &self,
        board: &Board,
        layer: usize,
        position: &Arrangement,
        scope: HexapawnScope,
        mut games: Option<(Shape, &mut [u64])>,
    ) -> Result<u8, Misfit> {
        let is_through = board.is_through(position);
        if games.is_none() && !is_through && board.can_get_through(position) {
            return Ok(1);
        }
        let (mut win, mut lose, mut over, mut fits) = (u8::MAX, 0, true, Ok(()));
        if !is_through {
            board.visit_moves(position, |to| {
                over = false;
                let games = games.as_mut().filter(|_| fits.is_ok());
                if to.through {
                    win = 1;
                    if let Some((shape, tally)) = games {
                        fits = shape.add_end(tally, Outcome::Win(position.to_move));
                    }
                    return;
                }
                if scope == HexapawnScope::Winner && board.can_get_through(&to.next) {
                    lose = lose.max(2);
                    return;
                }
                let found = self.find(board, layer - usize::from(to.drop), &to.next);
                let (part, place) = found.expect("what a move leads to has been listed and solved");
                let plies = part.plies[place] + 1;
                if plies % 2 == 1 {
                    win = win.min(plies);
                } else {
                    lose = lose.max(plies);
                }
                if let (Some((shape, tally)), Some(after)) = (games, &part.games) {
                    fits = shape.add_tally(tally, after.get(place), after.shape);
                }
            });
        }
        fits?;
        if over {
            if let Some((shape, tally)) = games {
                shape.add_end(tally, Outcome::Win(position.to_move.other()))?;
            }
            return Ok(0);
        }
        Ok(if win < u8::MAX { win } else { lose })
    }
}
