//! The positions of a solved hunt in reverse topological order: every move leads to a lower number.
//! So one ascending pass processes every position after its successors.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use anser_core::hunt::Position;
use anser_core::{Dtw, Next, Side};
use anser_retrograde::parallel::{self, CHUNK};
use anser_retrograde::{AnalyseError, Solution};

/// Largest number of positions, and largest number of moves.
const MAX_NUMBERS: usize = u32::MAX as usize;

/// Memory of a position with its moves, in bytes; approximate.
const BYTES_PER_POSITION: u64 = 160;

/// Graph of the positions and moves of a solution.
pub(crate) struct Graph {
    pub(crate) positions: Vec<Position>,
    pub(crate) values: Vec<Dtw>,
    numbers: HashMap<Position, u32>,
    /// By position, the start of its moves in `next`; a last entry holds the number of moves.
    starts: Vec<u32>,
    /// Numbers of the successors, in generation order.
    next: Vec<u32>,
}

impl Graph {
    /// Builds the graph of a solution.
    ///
    /// # Errors
    /// If there are more than `u32::MAX` positions or moves.
    pub(crate) fn new(solution: &Solution) -> Result<Graph, AnalyseError> {
        let game = solution.game();
        let too_many = |count: u64| AnalyseError::Memory {
            what: game.name().into(),
            needed: count.saturating_mul(BYTES_PER_POSITION),
            allowed: MAX_NUMBERS as u64 * BYTES_PER_POSITION,
        };
        if solution.len() > MAX_NUMBERS as u64 {
            return Err(too_many(solution.len()));
        }
        let (mut positions, mut values) = (Vec::new(), Vec::new());
        for layer in solution.layers() {
            // Moves of the fox stay in the layer, so positions with the hounds to move come first.
            // Moves of the hounds lead to lower layers.
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
        let moves_of = |position: &Position| {
            let mut next: Vec<u32> = Vec::new();
            let _ = game.visit_successors(position, |_, to| {
                if let Next::Position(to) = to {
                    next.extend(numbers.get(&to));
                }
                ControlFlow::<()>::Continue(())
            });
            next
        };
        let moves = parallel::map(positions.chunks(CHUNK), &|positions| {
            positions.iter().map(moves_of).collect::<Vec<_>>()
        });
        let count = moves.iter().flatten().map(Vec::len).sum::<usize>();
        if count > MAX_NUMBERS {
            return Err(too_many(solution.len()));
        }
        let (mut starts, mut next) = (vec![0], Vec::with_capacity(count));
        for moves in moves.into_iter().flatten() {
            next.extend(moves);
            starts.push(next.len() as u32);
        }
        Ok(Graph { positions, values, numbers, starts, next })
    }

    /// Returns the number of positions.
    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns the number of a position.
    pub(crate) fn number(&self, position: &Position) -> Option<usize> {
        self.numbers.get(position).map(|&number| number as usize)
    }

    /// Returns the side to move.
    pub(crate) fn to_move(&self, number: usize) -> Side {
        self.positions[number].to_move()
    }

    /// Returns the successors of a position in generation order; none if the game is over.
    pub(crate) fn next(&self, number: usize) -> &[u32] {
        &self.next[self.moves(number)]
    }

    /// Returns the range of a position's moves among the moves of all positions.
    pub(crate) fn moves(&self, number: usize) -> Range<usize> {
        self.starts[number] as usize..self.starts[number + 1] as usize
    }

    /// Returns the number of moves of all positions.
    pub(crate) fn all_moves(&self) -> usize {
        self.next.len()
    }
}
