//! The positions of a solved hunt, numbered such that every move leads to a lower number. A
//! computation from the ends of the game upward is one pass over them.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use anser_core::hounds::{Hunt, HuntRules, Position};
use anser_core::prelude::*;
use anser_core::{Dtw, Next, Side};
use rayon::prelude::*;

use crate::{AnalyseError, Solution};

/// The largest number of positions, and of moves.
const MOST: usize = u32::MAX as usize;

/// Approximate memory of a position with its moves, in bytes.
const BYTES_PER_POSITION: u64 = 160;

/// See the module.
pub(crate) struct Graph {
    pub(crate) positions: Vec<Position>,
    pub(crate) values: Vec<Dtw>,
    numbers: HashMap<Position, u32>,
    /// By position, where its moves begin in `next`; one more at the end.
    starts: Vec<u32>,
    /// Where the moves lead, in generation order.
    next: Vec<u32>,
}

impl Graph {
    /// The graph of a solution.
    ///
    /// # Errors
    /// If there are more positions or moves than numbers.
    pub(crate) fn new<R: HuntRules>(solution: &Solution<Hunt<R>>) -> Result<Graph, AnalyseError> {
        let game = solution.game();
        let too_many = |count: u64| AnalyseError::Memory {
            what: game.name(),
            needed: count.saturating_mul(BYTES_PER_POSITION),
            allowed: MOST as u64 * BYTES_PER_POSITION,
        };
        if solution.len() > MOST as u64 {
            return Err(too_many(solution.len()));
        }
        let (mut positions, mut values) = (Vec::new(), Vec::new());
        for layer in solution.layers() {
            // The fox's moves stay in the layer, and lead to positions with the hounds to move;
            // theirs leave it.
            for side in [Side::Second, Side::First] {
                let of_side =
                    solution.positions(layer).filter(|(position, _)| position.to_move() == side);
                for (position, value) in of_side {
                    positions.push(position);
                    values.push(value);
                }
            }
        }
        let numbers: HashMap<Position, u32> =
            (0..).zip(&positions).map(|(number, &position)| (position, number)).collect();
        let moves: Vec<Vec<u32>> = positions
            .par_iter()
            .map(|position| {
                let mut next = Vec::new();
                let _ = game.visit_moves(position, |_, to| {
                    if let Next::Position(to) = to {
                        next.extend(numbers.get(&to));
                    }
                    ControlFlow::<()>::Continue(())
                });
                next
            })
            .collect();
        let count = moves.iter().map(Vec::len).sum::<usize>();
        if count > MOST {
            return Err(too_many(solution.len()));
        }
        let (mut starts, mut next) = (vec![0], Vec::with_capacity(count));
        for moves in moves {
            next.extend(moves);
            starts.push(next.len() as u32);
        }
        Ok(Graph { positions, values, numbers, starts, next })
    }

    /// The number of positions.
    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }

    /// The number of a position.
    pub(crate) fn number(&self, position: &Position) -> Option<usize> {
        self.numbers.get(position).map(|&number| number as usize)
    }

    /// Whose turn it is.
    pub(crate) fn to_move(&self, number: usize) -> Side {
        self.positions[number].to_move()
    }

    /// Where the moves from a position lead, in generation order; nowhere where the game is over.
    pub(crate) fn next(&self, number: usize) -> &[u32] {
        &self.next[self.moves(number)]
    }

    /// The numbers of the moves from a position among all moves of all positions.
    pub(crate) fn moves(&self, number: usize) -> Range<usize> {
        self.starts[number] as usize..self.starts[number + 1] as usize
    }

    /// The number of moves, all positions together.
    pub(crate) fn all_moves(&self) -> usize {
        self.next.len()
    }
}
