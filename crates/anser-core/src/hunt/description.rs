//! Descriptions: the rules of a hunt as plain data.

use crate::{Noun, Side};

/// The rules of a hunt as plain data. [`Hunt::new`](crate::hunt::Hunt::new) checks it.
///
/// Points are numbered from 0 in the order of [`Description::points`]. Steps, jumps, and captures
/// are listed one by one; [`Description::steps_along_lines`] and
/// [`Description::jumps_along_lines`] return the usual ones. The *few* are [`Side::First`], written
/// in upper case, the *many* [`Side::Second`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The game's name as on the command line: `hare-hounds`. At most 31 characters: lower-case
    /// letters, digits, hyphens, and colons.
    pub name: String,
    /// The rule set's id: `unlimited`. At most 63 characters: lower-case letters, digits, hyphens,
    /// and pluses.
    pub rules: String,
    /// The points of the board, at most [`MOST_POINTS`](crate::hunt::MOST_POINTS).
    pub points: Vec<BoardPoint>,
    /// The straight lines of the board, each through two points or more, in their order on it.
    /// Empty on a board of squares.
    pub lines: Vec<Vec<u8>>,
    /// The word for several points: `points`, `squares`.
    pub point_word: String,
    /// The two sides, the few first.
    pub sides: [SideDescription; 2],
    /// The side that moves first.
    pub first_to_move: Side,
    /// The ends of the game, in the order in which they are tested.
    pub ends: Vec<EndRule>,
    /// The number of plies that are played at most, 1 to 250; `None` if there is no limit. One of
    /// the ends says who has won then.
    pub plies: Option<u8>,
    /// The side that has won if play never ends; `None` if endless play is a draw. Solvers and
    /// tables treat endless play as a draw in either case;
    /// [`Hunt::endless`](crate::hunt::Hunt::endless) tells how to read their draws.
    pub endless: Option<Side>,
    /// The meaning of layers.
    pub layers: Layering,
}

/// A point of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardPoint {
    /// The name in moves: `d4`. At most 15 letters and digits.
    pub name: String,
    /// The place to the right, in any unit.
    pub x: i32,
    /// The place upward, in the same unit.
    pub y: i32,
}

/// One of the two sides of a hunt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideDescription {
    /// The name: `hounds`.
    pub name: String,
    /// The grammar of the name.
    pub noun: Noun,
    /// The word for one piece: `hound`.
    pub piece: String,
    /// The letter of a piece in positions: upper case for the few, lower case for the many.
    pub letter: char,
    /// The letter of the side to move in positions, lower case.
    pub turn: char,
    /// The least and the greatest number of pieces on the board, those in hand included.
    pub number: [u8; 2],
    /// The points of the pieces at the start.
    pub start: Vec<u8>,
    /// The number of pieces in hand at the start. A side with pieces in hand places one in its turn
    /// and does nothing else.
    pub hand: u8,
    /// The points on which pieces may be placed; empty if all.
    pub region: Vec<u8>,
    /// The order in which moves of the pieces are generated; empty for the order of the points.
    pub order: Vec<u8>,
    /// The steps to empty points, from and to. Moves of a piece are generated in this order.
    pub steps: Vec<[u8; 2]>,
    /// The jumps: from, over a piece of the other side, which is captured, to an empty point.
    pub jumps: Vec<[u8; 3]>,
    /// The captures on the target: from, and to a point with a piece of the other side.
    pub captures: Vec<[u8; 2]>,
    /// Whether a piece that has jumped may go on jumping in the same turn.
    pub chain: bool,
    /// Whether a side that can jump must. With `chain` it goes on until it cannot.
    pub compulsory: bool,
}

/// A rule that ends the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndRule {
    /// The condition.
    pub condition: Condition,
    /// The winner.
    pub winner: Side,
    /// The side that has to be to move; `None` if either may.
    pub to_move: Option<Side>,
    /// Whether the rule holds only while neither side has pieces in hand.
    pub after_placement: bool,
    /// Whether the rule leaves out the position from which play starts.
    pub except_start: bool,
    /// Why the game is over, in a few words: `escaped`.
    pub text: String,
}

/// A condition under which a game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// This side is to move and has no move. A side without such a rule passes.
    Blocked(Side),
    /// This side has just captured. The rule belongs to the move: the position after it, asked for
    /// alone, is still in play.
    Captured(Side),
    /// This side has fewer pieces than the number, those in hand included.
    Fewer(Side, u8),
    /// A piece of this side is on one of the points.
    Reached(Side, Vec<u8>),
    /// As [`Condition::Reached`], and play ends there at once: no position has a piece of the side
    /// to move on one of the points, nor two of the other side.
    Arrived(Side, Vec<u8>),
    /// Pieces of this side are on all of the points.
    Filled(Side, Vec<u8>),
    /// The only piece of the few, and at least one point that it could step to on an empty board,
    /// are where no piece of the many could ever come on an empty board. (Fox-and-Hounds.)
    Escaped,
    /// The number of the point of the only piece of the few is less than the lowest number of a
    /// point of the many, plus this. (The program of Hasenspiel's author.)
    Behind(u8),
    /// No plies are left.
    OutOfPlies,
}

/// The meaning of layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layering {
    /// The number of pieces of the many on the board. Without pieces in hand.
    Pieces,
    /// The sum of the heights of the pieces of both sides, less the least sum that there is. The
    /// height of a point is the greatest number of steps from it that cannot be taken back by any
    /// steps.
    Advance,
    /// The plies that are left.
    Plies,
    /// The pieces on the board and captured: for pieces in hand. Layers are numbered in the order
    /// in which they are solved: the most captured first, and then the most on the board.
    Placement,
}

impl Layering {
    /// Returns the word for it in descriptions: `pieces`, `advance`, `plies`, `placement`.
    pub fn word(self) -> &'static str {
        match self {
            Layering::Pieces => "pieces",
            Layering::Advance => "advance",
            Layering::Plies => "plies",
            Layering::Placement => "placement",
        }
    }

    /// Returns the layering with this word.
    pub fn of_word(word: &str) -> Option<Layering> {
        let all = [Layering::Pieces, Layering::Advance, Layering::Plies, Layering::Placement];
        all.into_iter().find(|layering| layering.word() == word)
    }
}

/// Returns the word for a side in descriptions: `few`, `many`.
pub fn side_word(side: Side) -> &'static str {
    match side {
        Side::First => "few",
        Side::Second => "many",
    }
}

/// Returns the side of a [`side_word`].
pub fn side_of_word(word: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|&side| side_word(side) == word)
}

/// One piece without a name, a start, and moves.
impl Default for SideDescription {
    fn default() -> SideDescription {
        SideDescription {
            name: String::new(),
            noun: Noun::Plural,
            piece: String::new(),
            letter: 'A',
            turn: 'a',
            number: [1, 1],
            start: Vec::new(),
            hand: 0,
            region: Vec::new(),
            order: Vec::new(),
            steps: Vec::new(),
            jumps: Vec::new(),
            captures: Vec::new(),
            chain: false,
            compulsory: false,
        }
    }
}

impl Description {
    /// Returns a step from each point to each neighbor on a line, in the order of their numbers,
    /// that `keep` accepts.
    pub fn steps_along_lines(
        &self,
        mut keep: impl FnMut(&BoardPoint, &BoardPoint) -> bool,
    ) -> Vec<[u8; 2]> {
        let pairs = self.lines.iter().flat_map(|line| line.windows(2));
        let mut steps: Vec<[u8; 2]> =
            pairs.flat_map(|pair| [[pair[0], pair[1]], [pair[1], pair[0]]]).collect();
        steps.sort_unstable();
        steps.dedup();
        steps.retain(|&[from, to]| keep(&self.points[from as usize], &self.points[to as usize]));
        steps
    }

    /// Returns a jump over each point to the next one on the same line, both ways, in the order of
    /// their numbers.
    pub fn jumps_along_lines(&self) -> Vec<[u8; 3]> {
        let triples = self.lines.iter().flat_map(|line| line.windows(3));
        let mut jumps: Vec<[u8; 3]> =
            triples.flat_map(|t| [[t[0], t[1], t[2]], [t[2], t[1], t[0]]]).collect();
        jumps.sort_unstable();
        jumps.dedup();
        jumps
    }

    /// Returns the number of the point with this name.
    pub fn point(&self, name: &str) -> Option<u8> {
        self.points.iter().position(|point| point.name == name).map(|number| number as u8)
    }

    /// Whether a side that is to move and has no move has lost, at any time. Otherwise it may pass.
    ///
    /// ```
    /// use anser_core::Side;
    /// use anser_core::hunt::hare_hounds;
    /// assert!(hare_hounds("unlimited")?.blocked_loses(Side::First));
    /// # Ok::<(), anser_core::hunt::FamilyError>(())
    /// ```
    pub fn blocked_loses(&self, side: Side) -> bool {
        self.ends.iter().any(|rule| rule.condition == Condition::Blocked(side) && rule.is_plain())
    }

    /// Returns the least number of pieces of a side, those in hand included, with which play goes
    /// on; 0 if no end depends on the number.
    pub(super) fn fewest_in_play(&self, side: Side) -> u8 {
        let numbers = self.ends.iter().filter_map(|rule| match rule.condition {
            Condition::Fewer(of, number) if of == side && rule.is_plain() => Some(number),
            _ => None,
        });
        numbers.max().unwrap_or(0)
    }

    /// Returns one side.
    pub fn side(&self, side: Side) -> &SideDescription {
        &self.sides[side.index()]
    }
}

impl EndRule {
    /// Whether the rule holds with either side to move, at any time, from any start.
    pub(super) fn is_plain(&self) -> bool {
        self.to_move.is_none() && !self.after_placement && !self.except_start
    }

    /// A rule that holds with either side to move, at any time.
    ///
    /// ```
    /// use anser_core::Side;
    /// use anser_core::hunt::{Condition, EndRule};
    /// let rule = EndRule::new(Condition::Blocked(Side::First), Side::Second, "blocked");
    /// assert_eq!((rule.to_move, rule.except_start), (None, false));
    /// ```
    pub fn new(condition: Condition, winner: Side, text: impl Into<String>) -> EndRule {
        EndRule {
            condition,
            winner,
            to_move: None,
            after_placement: false,
            except_start: false,
            text: text.into(),
        }
    }
}

impl Condition {
    /// Writes the condition as descriptions have it, each point as `name` writes it.
    ///
    /// ```
    /// use anser_core::Side;
    /// use anser_core::hunt::Condition;
    /// let reached = Condition::Reached(Side::First, vec![0, 7]);
    /// assert_eq!(reached.words(|point| format!("p{point}")), "reached few p0 p7");
    /// assert_eq!(Condition::Fewer(Side::Second, 4).words(|_| String::new()), "fewer many 4");
    /// ```
    pub fn words(&self, name: impl Fn(u8) -> String) -> String {
        let (word, side) = match *self {
            Condition::Blocked(side) => ("blocked", Some(side)),
            Condition::Captured(side) => ("captured", Some(side)),
            Condition::Fewer(side, _) => ("fewer", Some(side)),
            Condition::Reached(side, _) => ("reached", Some(side)),
            Condition::Arrived(side, _) => ("arrived", Some(side)),
            Condition::Filled(side, _) => ("filled", Some(side)),
            Condition::Escaped => ("escaped", None),
            Condition::Behind(_) => ("behind", None),
            Condition::OutOfPlies => ("out-of-plies", None),
        };
        let mut words = vec![word.to_owned()];
        words.extend(side.map(|side| side_word(side).to_owned()));
        if let Condition::Fewer(_, number) | Condition::Behind(number) = self {
            words.push(number.to_string());
        }
        words.extend(self.points().iter().map(|&point| name(point)));
        words.join(" ")
    }

    /// Returns the condition of a word, as [`words`](Condition::words) begins with it, with 0 for
    /// its number and without points. `side` reads the side of a condition that is about one.
    /// `None` if there is no such condition.
    ///
    /// # Errors
    /// That of `side`.
    pub fn of_word<E>(
        word: &str,
        side: impl FnOnce() -> Result<Side, E>,
    ) -> Result<Option<Condition>, E> {
        Ok(Some(match word {
            "blocked" => Condition::Blocked(side()?),
            "captured" => Condition::Captured(side()?),
            "fewer" => Condition::Fewer(side()?, 0),
            "reached" => Condition::Reached(side()?, Vec::new()),
            "arrived" => Condition::Arrived(side()?, Vec::new()),
            "filled" => Condition::Filled(side()?, Vec::new()),
            "escaped" => Condition::Escaped,
            "behind" => Condition::Behind(0),
            "out-of-plies" => Condition::OutOfPlies,
            _ => return Ok(None),
        }))
    }

    /// Returns the points that the condition names.
    pub fn points(&self) -> &[u8] {
        match self {
            Condition::Reached(_, points)
            | Condition::Arrived(_, points)
            | Condition::Filled(_, points) => points,
            _ => &[],
        }
    }

    /// Returns the points that the condition names, to change them.
    pub fn points_mut(&mut self) -> Option<&mut Vec<u8>> {
        match self {
            Condition::Reached(_, points)
            | Condition::Arrived(_, points)
            | Condition::Filled(_, points) => Some(points),
            _ => None,
        }
    }
}
