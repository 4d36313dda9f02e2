//! A position together with its game.

use std::fmt;

use anser_core::{End, Hunt, Next, NotationError, Outcome, Picture, Side, hunt};

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
///
/// // A move may end the game, wherever it leads to.
/// let game = Registry::standard().game("fox-geese", Some("first-capture"))?;
/// let last = Position::parse(&game, "3/3/7/3F3/g2g3/3/ggg f")?.play("d4xd2")?;
/// assert_eq!(last.to_string(), "3/3/7/7/g6/1F1/ggg g");
/// assert_eq!(last.ending(), Some("first capture"));
/// assert!(last.moves().is_empty());
/// assert_eq!(Position::parse(&game, "3/3/7/7/g6/1F1/ggg g")?.ending(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    game: Hunt,
    at: hunt::Position,
    /// The move that led here, if it ended the game.
    last: Option<Last>,
}

/// A move that ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Last {
    from: hunt::Position,
    mv: hunt::Move,
    outcome: Outcome,
    reason: usize,
}

impl Position {
    /// A position of a game.
    pub fn new(game: &Hunt, at: hunt::Position) -> Position {
        Position { game: game.clone(), at, last: None }
    }

    /// The position where play usually starts.
    pub fn start(game: &Hunt) -> Position {
        Position::new(game, game.start())
    }

    /// The position after a move from `from` that leads to `next`.
    pub fn after(game: &Hunt, from: hunt::Position, mv: hunt::Move, next: &Next) -> Position {
        let last = match *next {
            Next::Position(_) => None,
            Next::End(End { outcome, reason, .. }) => Some(Last { from, mv, outcome, reason }),
        };
        Position { game: game.clone(), at: *next.position(), last }
    }

    /// Reads a position in the notation of the game.
    ///
    /// # Errors
    /// If the text is not a position of the game; the error has the problem and its column.
    pub fn parse(game: &Hunt, text: &str) -> Result<Position, NotationError> {
        Ok(Position::new(game, game.parse_position(text)?))
    }

    /// The game.
    pub fn game(&self) -> &Hunt {
        &self.game
    }

    /// The position for calls of the game and of tables, which do not know the move that led here:
    /// if it [ended the game](Position::ended_by), they still take the position to be in play.
    pub fn at(&self) -> &hunt::Position {
        &self.at
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Side {
        self.at.to_move()
    }

    /// The layer.
    pub fn layer(&self) -> u16 {
        self.game.layer(&self.at)
    }

    /// The position before and the move that led here, if the move itself ended the game.
    pub fn ended_by(&self) -> Option<(Position, hunt::Move)> {
        self.last.map(|last| (Position::new(&self.game, last.from), last.mv))
    }

    /// The outcome if the game is over.
    pub fn outcome_if_over(&self) -> Option<Outcome> {
        self.last.map(|last| last.outcome).or_else(|| self.game.terminal(&self.at))
    }

    /// Why the game is over, in a few words; `None` if it is not over.
    pub fn ending(&self) -> Option<&str> {
        match self.last {
            Some(last) => Some(self.game.reason_text(last.reason)),
            None => self.game.ending(&self.at),
        }
    }

    /// The legal moves with what they lead to, in generation order; none if the game is over.
    pub fn moves(&self) -> Vec<(hunt::Move, Next)> {
        if self.last.is_some() { Vec::new() } else { self.game.moves(&self.at) }
    }

    /// The position after a move in the notation of the game.
    ///
    /// # Errors
    /// If the text is not a move, if the move is not legal, or if the game is over.
    pub fn play(&self, mv: &str) -> Result<Position, NotationError> {
        if let Some(Last { reason, .. }) = self.last {
            let reason = self.game.reason_text(reason);
            let problem = format!("the game is over here ({reason}), so no move is legal");
            return Err(NotationError::new(1, problem, Position::example_move(&self.game)));
        }
        let read = self.game.parse_move(&self.at, mv)?;
        let next = self.game.after(&self.at, &read);
        let next = next.expect("only legal moves are read");
        Ok(Position::after(&self.game, self.at, read, &next))
    }

    /// Returns a move of the game in its notation, for errors about moves: the first one from where
    /// play starts.
    pub fn example_move(game: &Hunt) -> String {
        let first = game.moves(&game.start()).into_iter().next();
        first.map(|(mv, _)| game.format_move(&mv)).unwrap_or_default()
    }

    /// The board as a few lines of text.
    pub fn diagram(&self) -> String {
        self.game.diagram(&self.at)
    }

    /// The board as points and lines with the pieces on them.
    pub fn picture(&self) -> Picture {
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
            && (self.at, self.last) == (other.at, other.last)
    }
}

impl Eq for Position {}
