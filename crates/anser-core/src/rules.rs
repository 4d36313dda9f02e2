//! The rules of a game: its positions, its moves, and when it is over.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use crate::{Layers, Next, Notation, Outcome, Side};

/// The moves of a position, in generation order, each with what it leads to.
pub type MoveList<G> = Vec<(<G as Rules>::Move, Next<<G as Rules>::Position>)>;

/// A game with its rules, in everything that solvers, tables, and readers need of it.
///
/// It has three parts: [`Rules`] says what may be played, [`Layers`] how positions are numbered for
/// tables, and [`Notation`] how they are written. A type that implements all three is a `Game`.
///
/// Contracts, which [`validate`](crate::validate) checks: the sides alternate; a move leads to the
/// same layer or a lower one; un-moves are exactly the inverse of the moves that stay in the layer;
/// an image under a symmetry has the images of the moves, and the same rank; the index of a layer
/// is a bijection between symmetry classes and `0..len`; codes of positions can be decoded.
pub trait Game: Rules + Layers + Notation {}

impl<G: Rules + Layers + Notation> Game for G {}

/// What may be played: positions, moves, ends of the game, and symmetries.
///
/// A value of the type holds the rule set, so two values with different rules are two different
/// games.
pub trait Rules: Clone + Send + Sync + 'static {
    /// An arrangement and the side to move.
    type Position: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;
    /// A move of either side.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;

    /// Returns the game's name as on the command line and in tables: `fox-geese`. At most 31 bytes
    /// of ASCII.
    fn name(&self) -> String;

    /// Returns the rule set's id as on the command line and in tables: `free`. At most 63 bytes of
    /// ASCII.
    fn rules_id(&self) -> String;

    /// Returns everything in the rules that a value can depend on, in a fixed textual form; tables
    /// store its hash.
    fn fingerprint(&self) -> String;

    /// Returns the text of the game's [description](crate::hunt::Description). Tables carry it, so
    /// that a program can read those of a game that it does not know. Empty if the game has none.
    ///
    /// ```
    /// use anser_core::prelude::*;
    /// use anser_core::Hunt;
    /// assert!(Hunt::default().description_text().starts_with("hunt 1\ngame fox-geese\n"));
    /// ```
    fn description_text(&self) -> String {
        String::new()
    }

    /// Returns the position that play usually starts from.
    fn start(&self) -> Self::Position;

    /// Returns the side to move.
    fn side_to_move(&self, position: &Self::Position) -> Side;

    /// Returns the outcome if the game is over: no move is played from such a position.
    fn terminal(&self, position: &Self::Position) -> Option<Outcome>;

    /// Returns what a move leads to; `None` if it is not legal.
    ///
    /// ```
    /// use anser_core::prelude::*;
    /// use anser_core::Hunt;
    /// use anser_core::Next;
    /// let game = Hunt::default();
    /// let mv = game.parse_move(&game.start(), "d4-d5")?;
    /// let next = game.parse_position("3/3/3F3/7/ggggggg/ggg/ggg g")?;
    /// assert_eq!(game.after(&game.start(), &mv), Some(Next::Position(next)));
    /// # Ok::<(), anser_core::NotationError>(())
    /// ```
    fn after(&self, position: &Self::Position, mv: &Self::Move) -> Option<Next<Self::Position>> {
        let found = self.visit_moves(position, |legal, next| {
            if legal == *mv { ControlFlow::Break(next) } else { ControlFlow::Continue(()) }
        });
        found.break_value()
    }

    /// Returns the outcome if the game is over after a move: the move itself ended it, or the rules
    /// of the position that it leads to.
    ///
    /// ```
    /// use anser_core::prelude::*;
    /// use anser_core::Hunt;
    /// use anser_core::{Outcome, Side};
    /// let game = Hunt::default();
    /// let position = game.parse_position("3/3/7/3F3/3g3/3/ggg f")?;
    /// let outcomes: Vec<_> = game.moves(&position).iter().map(|(_, next)| game.outcome_after(next)).collect();
    /// assert_eq!(outcomes[0], Some(Outcome::Win(Side::First)));
    /// assert!(outcomes[1..].iter().all(Option::is_none));
    /// # Ok::<(), anser_core::NotationError>(())
    /// ```
    fn outcome_after(&self, next: &Next<Self::Position>) -> Option<Outcome> {
        match next {
            Next::Position(position) => self.terminal(position),
            Next::End(end) => Some(end.outcome),
        }
    }

    /// Visits every legal move and what it leads to, in the game's generation order, until `visit`
    /// breaks.
    ///
    /// Terminal positions have no moves. Callers that only collect moves use [`Rules::moves`].
    fn visit_moves<B>(
        &self,
        position: &Self::Position,
        visit: impl FnMut(Self::Move, Next<Self::Position>) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// Returns every legal move and what it leads to, in the game's generation order.
    ///
    /// ```
    /// use anser_core::prelude::*;
    /// use anser_core::Hunt;
    /// let game = Hunt::default();
    /// let moves: Vec<String> = game.moves(&game.start()).iter().map(|(mv, _)| game.format_move(mv)).collect();
    /// assert_eq!(moves, ["d4-c4", "d4-e4", "d4-c5", "d4-d5", "d4-e5"]);
    /// ```
    fn moves(&self, position: &Self::Position) -> MoveList<Self> {
        let mut moves = Vec::new();
        let _ = self.visit_moves(position, |mv, next| {
            moves.push((mv, next));
            ControlFlow::<()>::Continue(())
        });
        moves
    }

    /// Returns the same arrangement with the other side to move, if the game has such a position.
    ///
    /// ```
    /// use anser_core::prelude::*;
    /// use anser_core::Hunt;
    /// let game = Hunt::default();
    /// let fox = game.parse_position("gFg/1g1/3g3/7/7/3/3 f")?;
    /// let geese = game.parse_position("gFg/1g1/3g3/7/7/3/3 g")?;
    /// assert_eq!(game.passed(&fox), Some(geese));
    /// # Ok::<(), anser_core::NotationError>(())
    /// ```
    fn passed(&self, position: &Self::Position) -> Option<Self::Position> {
        let _ = position;
        None
    }

    /// Returns the material of the first side less that of the second, in pieces of any fixed
    /// value; `None` if the game has nothing to count. A search that stops before the end of the
    /// game compares positions by it.
    ///
    /// ```
    /// use anser_core::prelude::*;
    /// use anser_core::Hunt;
    /// let game = Hunt::default();
    /// let opening = game.start();
    /// let after_a_capture = game.parse_position("3/3/7/3F3/ggggggg/ggg/gg1 f")?;
    /// assert!(game.material(&after_a_capture) > game.material(&opening));
    /// # Ok::<(), anser_core::NotationError>(())
    /// ```
    fn material(&self, position: &Self::Position) -> Option<i32> {
        let _ = position;
        None
    }

    /// Whether a move can be a chain of several jumps.
    fn has_chains(&self) -> bool {
        false
    }

    /// Returns the positions inside a chain of jumps: after each jump but the last. They show where
    /// the pieces are, with the same side to move, which may only go on jumping or stop. Each is in
    /// a lower layer than the one before. Empty for every other move.
    ///
    /// ```
    /// use anser_core::prelude::*;
    /// use anser_core::Hunt;
    /// let game = Hunt::fox_geese("free+chain".parse()?);
    /// let position = game.parse_position("gg1/3/7/Fg1g1g1/7/3/ggg f")?;
    /// let chain = game.parse_move(&position, "a4xc4xe4")?;
    /// let inner = game.inner_positions(&position, &chain);
    /// assert_eq!(inner, [game.parse_position("gg1/3/7/2Fg1g1/7/3/ggg f")?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn inner_positions(&self, position: &Self::Position, mv: &Self::Move) -> Vec<Self::Position> {
        let _ = (position, mv);
        Vec::new()
    }

    /// Returns the number of symmetries of the rules, the identity included: 1 to
    /// [`MOST_SYMMETRIES`](crate::MOST_SYMMETRIES).
    fn symmetries(&self) -> usize {
        1
    }

    /// Returns the image of a position under symmetry number `symmetry < self.symmetries()`; number
    /// 0 is the identity.
    fn image(&self, position: &Self::Position, symmetry: usize) -> Self::Position {
        debug_assert_eq!(symmetry, 0, "the only symmetry is the identity");
        *position
    }
}
