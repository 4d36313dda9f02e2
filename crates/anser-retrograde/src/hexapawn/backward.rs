//! Values and numbers of games, layer by layer upward from the lowest.
//!
//! The side to move has lost at every end of the game, so the plies determine the winner: the side
//! to move if they are odd.

use anser_core::Observer;

use super::board::{Arrangement, Board};
use super::census::PartCount;
use super::forward::{Scope, Stop};
use super::lists::{List, PARTS, part_of};
use super::meter::Meter;
use super::tallies::{Overflow, Tallies};
use crate::parallel;

/// A part of a layer with the values of its positions.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    list: List,
    /// By key: the plies to the end.
    plies: Vec<u8>,
    /// The numbers of games, while they are needed.
    games: Tallies,
}

impl Part {
    fn bytes(&self) -> u64 {
        self.list.bytes() + self.plies.capacity() as u64 + self.games.bytes()
    }
}

/// Options of a pass upward.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) scope: Scope,
    /// Whether to count games. Games through positions outside the scope are not counted.
    pub(super) games: bool,
    /// Whether all layers stay in memory, or only the highest ones.
    pub(super) keep: bool,
}

/// Result of a pass upward: the parts of each layer, none if they were not kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    layers: Vec<Vec<Part>>,
}

impl Values {
    /// Returns the plies to the end from a position of a layer; `None` if it is not listed, or its
    /// layer was not kept.
    #[inline]
    pub(super) fn plies(&self, board: &Board, layer: usize, position: &Arrangement) -> Option<u8> {
        self.find(board, layer, position).map(|(part, place)| part.plies[place])
    }

    /// Returns the numbers of games from a position of one of the highest layers.
    pub(super) fn games(
        &self,
        board: &Board,
        layer: usize,
        position: &Arrangement,
    ) -> Option<(&Tallies, usize)> {
        self.find(board, layer, position).map(|(part, place)| (&part.games, place))
    }

    #[inline]
    fn find(&self, board: &Board, layer: usize, position: &Arrangement) -> Option<(&Part, usize)> {
        let key = board.key(position);
        let part = self.layers.get(layer)?.get(part_of(key, board.key_bits()))?;
        Some((part, part.list.find(key)?))
    }

    /// Computes the values of the listed positions, and counts them.
    pub(super) fn new(
        board: &Board,
        lists: Vec<Vec<List>>,
        task: Task,
        meter: &Meter,
        observer: &dyn Observer,
    ) -> Result<(Values, PartCount), Stop> {
        let classes = lists.iter().flatten().map(|list| list.keys().len() as u64).sum();
        observer.begin("values", classes);
        let window = board.rows() as usize;
        let mut values = Values::default();
        let mut count = PartCount::default();
        for (layer, lists) in lists.into_iter().enumerate() {
            let limbs = values
                .layers
                .iter()
                .rev()
                .take(window)
                .flatten()
                .map(|part| part.games.limbs())
                .max();
            let limbs = if task.games { limbs.unwrap_or(0).max(1) } else { 0 };
            let part = |mut list: List| -> Result<(Part, PartCount), Stop> {
                if observer.interrupted() {
                    return Err(Stop::Interrupted);
                }
                let classes = list.keys().len() as u64;
                let (plies, games, count) = values.with_limbs(board, layer, &list, task, limbs);
                let before = list.bytes();
                list.build_directory(board.key_bits());
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
            // A move leads down by as many layers as there are rows, at most.
            if let Some(done) = (layer + 1).checked_sub(window + 1) {
                for part in &mut values.layers[done] {
                    let before = part.bytes();
                    if task.keep {
                        part.games = Tallies::default();
                    } else {
                        *part = Part::default();
                    }
                    meter.give_back(before - part.bytes());
                }
            }
        }
        Ok((values, count))
    }

    /// Computes the values of the positions of a list from the layers below, with as many limbs as
    /// they need.
    fn with_limbs(
        &self,
        board: &Board,
        layer: usize,
        list: &List,
        task: Task,
        mut limbs: usize,
    ) -> (Vec<u8>, Tallies, PartCount) {
        loop {
            match self.part(board, layer, list, task, limbs) {
                Ok(found) => return found,
                Err(Overflow) => limbs += 1,
            }
        }
    }

    fn part(
        &self,
        board: &Board,
        layer: usize,
        list: &List,
        task: Task,
        limbs: usize,
    ) -> Result<(Vec<u8>, Tallies, PartCount), Overflow> {
        let mut plies = Vec::with_capacity(list.keys().len());
        let mut games = Tallies::new(limbs, list.keys().len());
        let mut count = PartCount::default();
        for &key in list.keys() {
            let position = board.of_key(key);
            games.push();
            let found = self.position(board, layer, &position, task, &mut games)?;
            plies.push(found);
            count.add(board, &position, found);
        }
        Ok((plies, games, count))
    }

    /// Returns the plies of a position, and adds its games to the last entry of `games`.
    #[inline]
    fn position(
        &self,
        board: &Board,
        layer: usize,
        position: &Arrangement,
        task: Task,
        games: &mut Tallies,
    ) -> Result<u8, Overflow> {
        let (mover, other) = (position.to_move.index(), position.to_move.other().index());
        if board.is_through(position) {
            return if task.games { games.add_one(other).map(|()| 0) } else { Ok(0) };
        }
        if !task.games && board.can_get_through(position) {
            return Ok(1);
        }
        let (mut win, mut lose, mut over, mut fits) = (u8::MAX, 0, true, Ok(()));
        board.visit_moves(position, |to| {
            over = false;
            if to.through {
                win = 1;
                if task.games && fits.is_ok() {
                    fits = games.add_one(mover);
                }
                return;
            }
            if task.scope == Scope::Winner && board.can_get_through(&to.next) {
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
            if task.games && fits.is_ok() {
                fits = games.add(&part.games, place);
            }
        });
        fits?;
        if over {
            return if task.games { games.add_one(other).map(|()| 0) } else { Ok(0) };
        }
        Ok(if win < u8::MAX { win } else { lose })
    }
}
