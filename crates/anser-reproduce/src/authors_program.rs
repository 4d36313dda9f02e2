//! Figures of the program of the Hasenspiel document, including its mistakes.
//!
//! This is not the game, which is [`Hunt::hasenspiel`](anser_core::Hunt::hasenspiel); the figures
//! of the game are those of [`Solution`](anser_retrograde::Solution) and
//! [`count`](anser_retrograde::count()).
//!
//! The program is written in C; the document shows parts of it. It visits all states and counts.
//! Its figures are reproduced by three deviations from the text of the document:
//! - *A defect of the move generator.* The program stops looking for pawns that block the rabbit
//!   once only the step up-left is left. A rabbit on square 3, with pawns on 6 and 7, may therefore
//!   step onto the pawn on 6. This adds 36 states that do not exist in the game.
//! - *Who won a game.* Every game that ends with the pawns to move counts as won by the pawns. The
//!   rabbit has won nearly all of these: only a rabbit that cannot move loses, and then the rabbit
//!   is to move.
//! - *Who can force a win.* The side to move can force a win if after one of its moves the opponent
//!   cannot. No state in which the game is over counts as forced. The share of a side is the number
//!   of such states with that side to move over the number of all states.
//!
//! A [`Goal`] is what the rabbit wins by; that of the program is [`Goal::PastLowest`]. The module
//! has a position type of its own, since a rabbit on the square of a pawn is not a position of the
//! game.

use std::cmp::Reverse;
use std::collections::HashMap;

use anser_core::hounds::Goal;
use anser_core::{BySide, Dtw, Outcome, Side};
use anser_retrograde::Tally;

/// The states of the program, with its values for them and the true ones.
pub(crate) struct AuthorsProgram {
    goal: Goal,
    has_defect: bool,
    /// In breadth-first order, the start first.
    states: Vec<State>,
    /// Index of the first successor of each state in `next`, and the length of `next`.
    starts: Vec<u32>,
    next: Vec<u32>,
    found: Vec<StateValue>,
}

/// Squares of the pieces, numbered as in the game, and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    rabbit: u8,
    to_move: Side,
    /// Set of the pawns' squares.
    pawns: u32,
}

/// Value of a state.
#[derive(Clone, Copy)]
struct StateValue {
    value: Dtw,
    /// Games that the rabbit wins, that the pawns win, and that the program counts as won by the
    /// pawns.
    games: [u128; 3],
    /// Whether by the program the side to move can force a win.
    forced: bool,
}

/// Shares as the program computed them, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shares {
    /// Games that the program counts as won by black (the pawns), over all games.
    pub(crate) games_black: f64,
    /// States with black to move in which by the program black can force a win, over all states.
    pub(crate) black_forces: f64,
    /// The same for white (the rabbit).
    pub(crate) white_forces: f64,
}

impl AuthorsProgram {
    /// Visits all reachable states, which takes about a second. `goal` says what the rabbit wins
    /// by, besides blocked pawns: the bottom row, or what the program tests; `has_defect` says
    /// whether the move generator has the defect of the program.
    pub(crate) fn new(goal: Goal, has_defect: bool) -> AuthorsProgram {
        let start = State { rabbit: 29, to_move: Side::First, pawns: 0b1111 };
        let mut program = AuthorsProgram {
            goal,
            has_defect,
            states: vec![start],
            starts: vec![0],
            next: Vec::new(),
            found: Vec::new(),
        };
        let mut numbers = HashMap::from([(start, 0)]);
        let mut moves = Vec::new();
        let mut at = 0;
        while at < program.states.len() {
            moves.clear();
            if !program.is_home(program.states[at]) {
                program.moves(program.states[at], &mut moves);
            }
            for &(_, to) in &moves {
                let new = program.states.len() as u32;
                let number = *numbers.entry(to).or_insert(new);
                if number == new {
                    program.states.push(to);
                }
                program.next.push(number);
            }
            program.starts.push(program.next.len() as u32);
            at += 1;
        }
        program.evaluate();
        program
    }

    /// Returns the number of states.
    pub(crate) fn states(&self) -> u64 {
        self.states.len() as u64
    }

    /// Returns the value of the start.
    pub(crate) fn value(&self) -> Dtw {
        self.found[0].value
    }

    /// Returns the numbers of games from the start that each side wins.
    pub(crate) fn tally(&self) -> Tally {
        self.tally_of(0)
    }

    /// Returns the number of states that a side wins.
    pub(crate) fn won(&self, side: Side) -> u64 {
        self.found.iter().filter(|found| found.value.winner() == Some(side)).count() as u64
    }

    /// Returns the shares that the program computed.
    pub(crate) fn shares(&self) -> Shares {
        let [rabbit, pawns, taken] = self.found[0].games;
        let forces = |side| {
            let taken = self
                .states
                .iter()
                .zip(&self.found)
                .filter(|(state, found)| state.to_move == side && found.forced);
            taken.count() as f64 / self.states.len() as f64
        };
        Shares {
            games_black: taken as f64 / (rabbit + pawns) as f64,
            black_forces: forces(Side::Second),
            white_forces: forces(Side::First),
        }
    }

    /// Encodes a state as the document does: from the lowest bit up the side to move (1 for the
    /// rabbit), the square of the rabbit, and those of the pawns in descending order.
    pub(crate) fn encoded(rabbit: u8, pawns_descending: [u8; 4], to_move: Side) -> u32 {
        let men = [rabbit].into_iter().chain(pawns_descending);
        let squares = men.enumerate().map(|(man, square)| u32::from(square) << (1 + 5 * man));
        squares.sum::<u32>() | u32::from(to_move == Side::First)
    }

    /// Returns the highest [encoding](Self::encoded) of a reachable state.
    pub(crate) fn highest_encoding(&self) -> u32 {
        let encoded = |state: &State| {
            let mut squares = (0..32_u8).rev().filter(|square| state.pawns >> square & 1 == 1);
            let pawns = [(); 4].map(|()| squares.next().unwrap_or(0));
            AuthorsProgram::encoded(state.rabbit, pawns, state.to_move)
        };
        self.states.iter().map(encoded).max().unwrap_or(0)
    }

    /// Returns the most moves that a side has in a state.
    pub(crate) fn most_moves(&self, side: Side) -> usize {
        let counts = self.states.iter().enumerate().filter(|(_, state)| state.to_move == side);
        counts.map(|(number, _)| self.nexts(number).len()).max().unwrap_or(0)
    }

    /// Returns the numbers of states in which the game is over, by the side to move and whether the
    /// rabbit has reached its goal. Where it has not, the side to move cannot move.
    pub(crate) fn ends(&self) -> Vec<(Side, bool, u64)> {
        let kinds = Side::BOTH.into_iter().flat_map(|side| [(side, true), (side, false)]);
        let count = |(side, home): (Side, bool)| {
            let is_one = |&number: &usize| {
                let state = self.states[number];
                state.to_move == side
                    && self.nexts(number).is_empty()
                    && self.is_home(state) == home
            };
            (side, home, (0..self.states.len()).filter(is_one).count() as u64)
        };
        kinds.map(count).filter(|kind| kind.2 > 0).collect()
    }

    /// Returns the first moves from the start when both sides play the move that is ranked first:
    /// `plies` of them, or fewer if the game ends earlier.
    pub(crate) fn line(&self, plies: usize) -> Vec<String> {
        let mut at = 0;
        let best = std::iter::from_fn(|| {
            let (mv, next) = self.ranked(at).into_iter().next()?;
            at = next;
            Some(mv)
        });
        best.take(plies).collect()
    }

    /// Ranks the moves of a state as the document does: first the moves after which the opponent
    /// cannot force a win, then by ascending share of the games that the opponent wins, then in
    /// generation order. Returns each with the number of the state after it.
    fn ranked(&self, number: usize) -> Vec<(String, usize)> {
        let mut moves = Vec::new();
        self.moves(self.states[number], &mut moves);
        let opponent = self.states[number].to_move.other();
        let ranked = moves.iter().zip(self.nexts(number)).map(|(&(from, to), &next)| {
            let new_pawn = to.pawns & !self.states[number].pawns;
            let landed =
                if opponent == Side::Second { to.rabbit } else { new_pawn.trailing_zeros() as u8 };
            (format!("{}-{}", name(from), name(landed)), next as usize)
        });
        let mut ranked: Vec<(String, usize)> = ranked.collect();
        let forces = |next: usize| self.found[next].value.outcome() == Outcome::Win(opponent);
        ranked.sort_by(|&(_, a), &(_, b)| {
            let by_share = || self.tally_of(a).cmp_share(&self.tally_of(b), opponent);
            forces(a).cmp(&forces(b)).then_with(by_share)
        });
        ranked
    }

    fn tally_of(&self, number: usize) -> Tally {
        let [rabbit, pawns, _] = self.found[number].games;
        Tally::won_by(BySide::new(rabbit.into(), pawns.into()))
    }

    fn nexts(&self, number: usize) -> &[u32] {
        &self.next[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// Whether the rabbit has reached its goal.
    fn is_home(&self, state: State) -> bool {
        match self.goal {
            Goal::PastLowest => u32::from(state.rabbit) < state.pawns.trailing_zeros() + 3,
            _ => state.rabbit < 4,
        }
    }

    /// Moves in generation order: the square that each begins on, and the state after it.
    fn moves(&self, state: State, moves: &mut Vec<(u8, State)>) {
        let State { rabbit, to_move, pawns } = state;
        let free = |to: u8| to != rabbit && pawns >> to & 1 == 0;
        if to_move == Side::First {
            let onto_pawn =
                |to: u8| self.has_defect && rabbit == 3 && pawns >> 7 & 1 == 1 && to == 6;
            let steps = steps(rabbit).filter(|&to| free(to) || onto_pawn(to));
            moves.extend(
                steps.map(|to| (rabbit, State { rabbit: to, to_move: Side::Second, ..state })),
            );
            return;
        }
        for from in (0..32).filter(|from| pawns >> from & 1 == 1) {
            let steps = steps(from).filter(|&to| to > from && free(to));
            let after = |to: u8| State {
                pawns: pawns ^ (1 << from) ^ (1 << to),
                to_move: Side::First,
                ..state
            };
            moves.extend(steps.map(|to| (from, after(to))));
        }
    }

    /// Computes the values of all states, successors first: moves of the pawns increase the sum of
    /// their rows, and moves of the rabbit lead to states with the pawns to move.
    fn evaluate(&mut self) {
        let rows = |state: State| {
            (0..32).filter(|at| state.pawns >> at & 1 == 1).map(|at| at / 4).sum::<u32>()
        };
        let key = |number: u32| {
            let state = self.states[number as usize];
            (Reverse(rows(state)), state.to_move == Side::First)
        };
        let mut order: Vec<u32> = (0..self.states.len() as u32).collect();
        order.sort_by_cached_key(|&number| key(number));
        let mut found =
            vec![StateValue { value: Dtw::DRAW, games: [0; 3], forced: false }; self.states.len()];
        for number in order {
            let number = number as usize;
            let state = self.states[number];
            let side = state.to_move;
            let mut here = StateValue { value: Dtw::DRAW, games: [0; 3], forced: false };
            let mut best = i32::MIN;
            for &next in self.nexts(number) {
                let next = found[next as usize];
                here.games.iter_mut().zip(next.games).for_each(|(sum, games)| *sum += games);
                here.forced |= !next.forced;
                let value = next.value.before();
                if value.score(side) > best {
                    (here.value, best) = (value, value.score(side));
                }
            }
            if self.nexts(number).is_empty() {
                let winner = if self.is_home(state) { Side::First } else { side.other() };
                here.value = Dtw::win(winner, 0);
                here.games[winner.index()] = 1;
                here.games[2] = u128::from(side == Side::Second);
            }
            found[number] = here;
        }
        self.found = found;
    }
}

/// Diagonal neighbors of a square, those below first, left before right.
fn steps(from: u8) -> impl Iterator<Item = u8> {
    let (x, y) = coordinates(from);
    let step = move |(dx, dy): (i8, i8)| {
        let (x, y) = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
        (x < 8 && y < 8).then_some(4 * y + x / 2)
    };
    [(-1, -1), (1, -1), (-1, 1), (1, 1)].into_iter().filter_map(step)
}

/// Column and row of a square, from 0.
fn coordinates(square: u8) -> (u8, u8) {
    let row = square / 4;
    (2 * (square % 4) + row % 2, row)
}

fn name(square: u8) -> String {
    let (x, y) = coordinates(square);
    format!("{}{}", char::from(b'a' + x), y + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anser_core::Hunt;
    use anser_core::Unobserved;
    use anser_retrograde::{Solution, count};

    #[test]
    fn without_the_defect_it_is_the_game() {
        for rules in ["literal", "author"] {
            let game = Hunt::hasenspiel(8, 4, rules).unwrap();
            let solution =
                Solution::reachable(&game, &game.start()).expect("the game can be solved");
            let counted = count(&solution, &Unobserved).expect("every game ends");
            let program = AuthorsProgram::new(game.rows().unwrap().goal, false);
            assert_eq!(program.states(), counted.reachable);
            assert_eq!(program.value(), counted.value);
            assert_eq!(program.tally(), counted.tally);
            let won =
                |won: u64, _: &_, value: Dtw| won + u64::from(value.winner() == Some(Side::Second));
            assert_eq!(program.won(Side::Second), solution.fold(|| 0, won, |a, b| a + b));
            let ranked = program.ranked(0);
            assert_eq!(ranked.len(), 2);
            let (first, _) = &ranked[0];
            let parsed = game.parse_move(&game.start(), first).expect("it is a move of the game");
            assert_eq!(game.format_move(&parsed), *first);
        }
    }

    #[test]
    fn the_defect_lets_the_rabbit_onto_a_pawn() {
        let with_pawn_on_7 =
            State { rabbit: 3, to_move: Side::First, pawns: 1 << 0 | 1 << 6 | 1 << 7 | 1 << 9 };
        for (has_defect, moves) in [(false, 0), (true, 1)] {
            let program = AuthorsProgram::new(Goal::PastLowest, has_defect);
            let mut found = Vec::new();
            program.moves(with_pawn_on_7, &mut found);
            assert_eq!(found.len(), moves);
            assert!(found.iter().all(|(_, to)| to.rabbit == 6));
        }
    }
}
