//! A position together with its game.

use std::fmt;

use anser_core::prelude::*;
use anser_core::{Next, NotationError, Outcome, Picture, Side};

use crate::{AnyGame, AnyMove, AnyPosition};

/// A position together with its game: what programs pass around that know games by name only.
///
/// ```
/// use anser_core::Side;
/// use anser_games::{Position, Registry};
///
/// let game = Registry::standard().game("fox-geese", Some("free"))?;
/// let opening = Position::start(&game);
/// assert_eq!(opening.to_string(), "3/3/7/3F3/ggggggg/ggg/ggg f");
/// assert_eq!(opening.moves().len(), 5);
/// let next = opening.play("d4-d5")?;
/// assert_eq!(next.side_to_move(), Side::Second);
/// assert_eq!(next.outcome_if_over(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    game: AnyGame,
    at: AnyPosition,
}

impl Position {
    /// A position of a game.
    pub fn new(game: &AnyGame, at: AnyPosition) -> Position {
        Position { game: game.clone(), at }
    }

    /// The position where play usually starts.
    pub fn start(game: &AnyGame) -> Position {
        Position::new(game, game.start())
    }

    /// Reads a position in the notation of the game.
    ///
    /// # Errors
    /// What is wrong with the text, and at which column.
    pub fn parse(game: &AnyGame, text: &str) -> Result<Position, NotationError> {
        Ok(Position::new(game, game.parse_position(text)?))
    }

    /// The game.
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// The position for calls of the game and of tables.
    pub fn at(&self) -> &AnyPosition {
        &self.at
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Side {
        self.game.side_to_move(&self.at)
    }

    /// The layer.
    pub fn layer(&self) -> u16 {
        self.game.layer(&self.at)
    }

    /// The outcome if the game is over.
    pub fn outcome_if_over(&self) -> Option<Outcome> {
        self.game.terminal(&self.at)
    }

    /// The legal moves with what they lead to, in generation order.
    pub fn moves(&self) -> Vec<(AnyMove, Next<AnyPosition>)> {
        self.game.moves(&self.at)
    }

    /// The position after a move in the notation of the game.
    ///
    /// # Errors
    /// What is wrong with the text, that the move is not legal, or that it ends the game without a
    /// position.
    pub fn play(&self, mv: &str) -> Result<Position, NotationError> {
        let played = self.game.parse_move(&self.at, mv)?;
        let next =
            self.moves().into_iter().find(|(legal, _)| *legal == played).map(|(_, next)| next);
        match next {
            Some(Next::Position(next)) => Ok(Position::new(&self.game, next)),
            _ => Err(NotationError::new(
                1,
                "this move ends the game, so no position follows it",
                "d4-d5",
            )),
        }
    }

    /// The board as a few lines of text.
    pub fn diagram(&self) -> String {
        self.game.diagram(&self.at)
    }

    /// The board as points and lines with the pieces on them; `None` if the game has its diagram
    /// alone.
    pub fn picture(&self) -> Option<Picture> {
        self.game.picture(&self.at)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.game.format_position(&self.at))
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        (self.game.name(), self.game.rules_id()) == (other.game.name(), other.game.rules_id())
            && self.at == other.at
    }
}

impl Eq for Position {}
