//! Hunts as data: one type for every game of few pieces against many.
//!
//! A [`Description`] has the rules of a game: board, pieces, steps, jumps, captures, ends. A
//! [`Hunt`] is a description that has been checked; positions, moves, layers, numbering, notation,
//! symmetries, and drawing follow from it. Families of games are functions that return
//! descriptions: [`fox_geese()`], [`fox_hounds()`], [`hasenspiel()`], [`hare_hounds()`], [`hexapawn()`].
//!
//! ```
//! use anser_core::prelude::*;
//! use anser_core::hunt::{Hunt, hare_hounds};
//! let game = Hunt::new(hare_hounds(None))?;
//! assert_eq!(game.format_position(&game.start()), "h2/h3R/h2 h");
//! // The program finds the mirror of the board by itself.
//! assert_eq!(game.symmetries(), 2);
//! # Ok::<(), anser_core::hunt::Problem>(())
//! ```

mod check;
mod description;
mod families;
mod layers;
mod notation;
mod numbering;
mod points;
mod position;
mod rules;
mod scheme;
mod symmetries;
mod text;

use std::fmt;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::{Arc, OnceLock};

pub use check::{Place, Problem};
pub use description::{BoardPoint, Condition, Description, EndRule, Layering, SideDescription};
pub use families::{fox_geese, fox_hounds, hare_hounds, hasenspiel, hexapawn};
pub use points::{MOST_POINTS, PointSet};
pub use position::{LONGEST_CHAIN, Move, MoveKind, Position};
pub use scheme::HuntIndex;
pub use text::{LONGEST_TEXT, TextError};

use crate::fox_geese::{Cross, CrossMoves};
use crate::hounds::{Rows, SizeError};
use crate::prelude::*;
use crate::{
    BlockMoves, Next, NotationError, Noun, Outcome, Picture, Reason, Side, fox_geese, fox_hounds,
    hare_hounds, hasenspiel, hexapawn,
};
use layers::Contents;
use numbering::FewOrbits;
use rules::Play;
use scheme::Scheme;
use symmetries::Symmetry;

/// Greatest number of points of a board whose positions have codes made of sets.
const POINTS_OF_CODES: usize = 52;

/// A game as a value: a [`Description`] that has been checked. Cloning is cheap.
#[derive(Clone)]
pub struct Hunt(Arc<Checked>);

struct Checked {
    description: Description,
    play: Play,
    symmetries: Vec<Symmetry>,
    /// By symmetry: the number of its inverse.
    inverses: Vec<u8>,
    /// By layer: its positions.
    contents: Vec<Contents>,
    /// By number of the few on the board.
    few_orbits: Vec<OnceLock<FewOrbits>>,
    rows: notation::Rows,
    scheme: Scheme,
    cross: Option<Cross>,
    /// The game in rows, with the number of the end that is no block.
    in_rows: Option<(Rows, Option<usize>)>,
}

impl Hunt {
    /// Checks a description.
    ///
    /// ```
    /// use anser_core::hunt::{Hunt, hare_hounds};
    /// let mut description = hare_hounds(None);
    /// description.lines.push(vec![0, 4, 8, 2]);
    /// let problem = Hunt::new(description).unwrap_err();
    /// assert!(problem.to_string().contains("is not straight"));
    /// ```
    ///
    /// # Errors
    /// The first contradiction in the description.
    pub fn new(description: Description) -> Result<Hunt, Problem> {
        check::check(&description)?;
        let symmetries = symmetries::symmetries(&description);
        let hunt = Hunt::with_symmetries(description, symmetries)?;
        if hunt.why_no_position(&hunt.start()).is_some() {
            return Err(Problem {
                place: Place::Ends,
                what: "the game was over before the start".into(),
                right: "no end that a move brings about holds at the start".into(),
            });
        }
        Ok(hunt)
    }

    /// Checks the rest of a description, for classes under some of its symmetries.
    fn with_symmetries(
        description: Description,
        symmetries: Vec<Symmetry>,
    ) -> Result<Hunt, Problem> {
        let play = Play::new(&description);
        let probe = PointSet::first_points(description.points.len());
        let inverses = symmetries::inverses(&symmetries, probe);
        let scheme = Scheme::of(&description, &symmetries);
        check::sizes(&description, scheme)?;
        let contents = layers::contents(&description, &play, scheme);
        let few = &description.sides[0];
        let few_orbits = (0..=few.number[1]).map(|_| OnceLock::new()).collect();
        let rows = notation::Rows::new(&description);
        let cross = scheme::cross_rules(&description, scheme);
        let in_rows = scheme::rows_rules(&description, scheme);
        let hunt = Hunt(Arc::new(Checked {
            description,
            play,
            symmetries,
            inverses,
            contents,
            few_orbits,
            rows,
            scheme,
            cross,
            in_rows,
        }));
        if let Some(what) = hunt.why_no_position(&hunt.start()) {
            let place = Place::Field(hunt.description().first_to_move.other(), "start");
            let right = "play begins from a position that a move could have led to".into();
            return Err(Problem { place, what, right });
        }
        Ok(hunt)
    }

    /// Returns the same game without symmetry, for comparison: every position is a class of its
    /// own.
    #[must_use]
    pub fn without_symmetry(&self) -> Hunt {
        let description = self.0.description.clone();
        let mut symmetries = symmetries::symmetries(&description);
        symmetries.truncate(1);
        let game = Hunt::with_symmetries(description, symmetries);
        game.unwrap_or_else(|_| unreachable!("the description has been checked"))
    }

    /// Returns Fox-and-Geese under a rule set.
    pub fn fox_geese(rules: fox_geese::RuleSet) -> Hunt {
        Hunt::of_family(families::fox_geese(rules))
    }

    /// Returns Fox-and-Hounds on `size` x `size` squares, 2, 4, ... or 12.
    ///
    /// # Errors
    /// If there is no board of this size.
    pub fn fox_hounds(size: usize, rules: fox_hounds::RuleSet) -> Result<Hunt, SizeError> {
        families::fox_hounds(size, rules).map(Hunt::of_family)
    }

    /// Returns Hasenspiel on `size` x `size` squares, 2, 4, ... or 12, against 1 to `size / 2`
    /// pawns.
    ///
    /// # Errors
    /// If there is no board of this size, or the pawns do not fit on its bottom row.
    pub fn hasenspiel(
        size: usize,
        pawns: usize,
        rules: hasenspiel::RuleSet,
    ) -> Result<Hunt, SizeError> {
        families::hasenspiel(size, pawns, rules).map(Hunt::of_family)
    }

    /// Returns Hare-and-Hounds under a rule set.
    pub fn hare_hounds(rules: hare_hounds::RuleSet) -> Hunt {
        Hunt::of_family(families::hare_hounds(rules.budget()))
    }

    /// Returns Hexapawn on a board of a size.
    pub fn hexapawn(size: hexapawn::BoardSize) -> Hunt {
        Hunt::of_family(families::hexapawn(size))
    }

    fn of_family(description: Description) -> Hunt {
        Hunt::new(description).expect("the families describe games that can be played")
    }

    /// Returns the moves of Fox-and-Geese, if the rules are those of one of its rule sets, whatever
    /// the names and the start: for engines of that board.
    pub fn cross(&self) -> Option<Cross> {
        self.0.cross
    }

    /// Returns the game as one in rows, if a lone piece that steps diagonally plays against a pack
    /// that only goes up: for engines of such games.
    pub fn rows(&self) -> Option<Rows> {
        self.0.in_rows.map(|(rows, _)| rows)
    }

    /// Returns the size of the board, if the rules are those of Hexapawn: for engines of such
    /// boards.
    pub fn pawn_board(&self) -> Option<hexapawn::BoardSize> {
        let description = &self.0.description;
        let size = (description.layers == Layering::Advance).then(|| scheme::words(description));
        size.flatten().filter(|&size| families::hexapawn(size).ends == description.ends)
    }

    /// Returns the description.
    pub fn description(&self) -> &Description {
        &self.0.description
    }

    /// Returns the position with these pieces on the board and in hand, with the side to move and
    /// all plies left.
    ///
    /// ```
    /// use anser_core::prelude::*;
    /// use anser_core::Side;
    /// use anser_core::hunt::{Hunt, PointSet, hare_hounds};
    /// let game = Hunt::new(hare_hounds(None))?;
    /// let [hare, hounds] = [PointSet::of(7), [0, 3, 8].into_iter().collect()];
    /// assert_eq!(game.position([hare, hounds], [0; 2], Side::Second), Some(game.start()));
    /// assert_eq!(game.position([hounds, hare], [0; 2], Side::Second), None);
    /// # Ok::<(), anser_core::hunt::Problem>(())
    /// ```
    ///
    /// `None` if two pieces share a point, a number of pieces is wrong, or the game ended before.
    pub fn position(
        &self,
        pieces: [PointSet; 2],
        hand: [u8; 2],
        to_move: Side,
    ) -> Option<Position> {
        let position = Position { pieces, hand, left: self.0.description.plies, to_move };
        self.why_no_position(&position).is_none().then_some(position)
    }

    /// Returns why an arrangement is no position.
    fn why_no_position(&self, position: &Position) -> Option<String> {
        let description = &self.0.description;
        let all = PointSet::first_points(description.points.len());
        if !all.contains_all(position.occupied())
            || !(position.pieces[0] & position.pieces[1]).is_empty()
        {
            return Some("two pieces are on one point, or one is beside the board".into());
        }
        for side in Side::BOTH {
            let of = description.side(side);
            let hand = position.in_hand(side);
            let there = position.pieces(side).len() + usize::from(hand);
            let [fewest, most] = of.number.map(usize::from);
            if hand > of.hand {
                return Some(format!("{hand} {} are in hand; at most {}", of.name, of.hand));
            }
            if !(fewest..=most).contains(&there) {
                return Some(if fewest == most {
                    format!("there are {there} of {most} {} ({})", of.name, of.letter)
                } else {
                    format!(
                        "there are {there} {} ({}); a position has {fewest} to {most}",
                        of.name, of.letter
                    )
                });
            }
        }
        if position.left > description.plies {
            return Some("more plies are left than there are".into());
        }
        (!self.0.play.is_position(position))
            .then(|| "the game was over before the last move".into())
    }
}

impl Checked {
    /// Returns the positions of a layer.
    fn contents(&self, layer: u16) -> Contents {
        self.contents.get(usize::from(layer)).cloned().unwrap_or_default()
    }

    /// Returns the greatest number of pieces of a side.
    fn most(&self, side: Side) -> usize {
        self.description.side(side).number[1].into()
    }

    #[inline]
    fn few_orbits(&self, few: u8) -> &FewOrbits {
        self.few_orbits[usize::from(few)].get_or_init(|| FewOrbits::new(self, few.into()))
    }
}

/// Fox-and-Geese under its default rule set, as on the command line.
impl Default for Hunt {
    fn default() -> Hunt {
        Hunt::fox_geese(fox_geese::RuleSet::default())
    }
}

impl fmt::Debug for Hunt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hunt({}, rules {})", self.name(), self.rules_id())
    }
}

impl Rules for Hunt {
    type Position = Position;
    type Move = Move;

    fn name(&self) -> String {
        self.0.description.name.clone()
    }

    fn rules_id(&self) -> String {
        self.0.description.rules.clone()
    }

    fn fingerprint(&self) -> String {
        format!("{}numbering {}\n", self.0.description.meaning(), self.0.scheme.name())
    }

    fn description_text(&self) -> String {
        self.0.description.to_string()
    }

    fn start(&self) -> Position {
        self.0.play.start
    }

    #[inline]
    fn side_to_move(&self, position: &Position) -> Side {
        position.to_move
    }

    #[inline]
    fn terminal(&self, position: &Position) -> Option<Outcome> {
        self.0.play.ended(position).map(|rule| self.0.play.outcome(rule))
    }

    #[inline]
    fn visit_moves<B>(
        &self,
        position: &Position,
        visit: impl FnMut(Move, Next<Position>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.play.visit_moves(position, visit)
    }

    fn passed(&self, position: &Position) -> Option<Position> {
        let passed = Position { to_move: position.to_move.other(), ..*position };
        self.why_no_position(&passed).is_none().then_some(passed)
    }

    /// Returns the number of the many as a negative number if they can be jumped over.
    fn material(&self, position: &Position) -> Option<i32> {
        let jumps = !self.0.description.sides[0].jumps.is_empty();
        jumps.then(|| -((position.many().len() + usize::from(position.hand[1])) as i32))
    }

    fn has_chains(&self) -> bool {
        self.0.description.sides.iter().any(|side| side.chain)
    }

    fn inner_positions(&self, position: &Position, mv: &Move) -> Vec<Position> {
        self.0.play.inner_positions(position, mv)
    }

    fn symmetries(&self) -> usize {
        self.0.symmetries.len()
    }

    fn image(&self, position: &Position, symmetry: usize) -> Position {
        let map = &self.0.symmetries[symmetry];
        Position { pieces: position.pieces.map(|pieces| map.image(pieces)), ..*position }
    }
}

impl Layers for Hunt {
    type Index = HuntIndex;

    fn layers(&self) -> RangeInclusive<u16> {
        layers::layers(&self.0.description, &self.0.contents)
    }

    #[inline]
    fn layer(&self, position: &Position) -> u16 {
        layers::layer(&self.0, position)
    }

    fn lower_layers(&self, layer: u16) -> Vec<u16> {
        layers::lower_layers(&self.0, layer)
    }

    fn stays_in_layer(&self, layer: u16, side: Side) -> bool {
        layers::stays(&self.0, layer, side)
    }

    fn visit_unmoves<B>(
        &self,
        position: &Position,
        visit: impl FnMut(Move, Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.play.visit_unmoves(position, visit)
    }

    fn index(&self, layer: u16) -> HuntIndex {
        HuntIndex::new(&self.0, layer)
    }

    fn positions(&self, layer: u16, side: Side) -> u64 {
        self.index(layer).positions(layer, side, self.0.scheme)
    }

    fn block_moves<'a>(
        &'a self,
        layer: u16,
        index: &'a HuntIndex,
    ) -> Option<Box<dyn BlockMoves + 'a>> {
        let (cross, index) = (self.0.cross?, index.cross()?);
        Some(Box::new(CrossMoves::new(cross, index, layer)))
    }

    /// On boards of at most 52 points, from the highest bits down: the few and the many as sets of
    /// points, 7 bits each for those in hand, 8 bits for the plies left, 1 bit for the side to move.
    fn encode(&self, position: &Position) -> u128 {
        let points = self.0.description.points.len();
        if points > POINTS_OF_CODES {
            return crate::layers::rank_code(self, position);
        }
        let [few, many] = position.pieces.map(PointSet::bits);
        let hand = u128::from(position.hand[0]) << 7 | u128::from(position.hand[1]);
        let rest = hand << 9
            | u128::from(position.left.unwrap_or(0)) << 1
            | position.to_move.index() as u128;
        (few << points | many) << 23 | rest
    }

    fn decode(&self, code: u128) -> Option<Position> {
        let points = self.0.description.points.len();
        if points > POINTS_OF_CODES {
            return crate::layers::of_rank_code(self, code);
        }
        let sets = code >> 23;
        let all = (1 << points) - 1;
        let left = (code >> 1) as u8;
        let position = Position {
            pieces: [sets >> points, sets & all].map(PointSet::from_bits),
            hand: [(code >> 16) as u8 & 0x7f, (code >> 9) as u8 & 0x7f],
            left: self.0.description.plies.map(|_| left),
            to_move: Side::BOTH[usize::from(code & 1 != 0)],
        };
        let is_one = sets >> (2 * points) == 0
            && (left == 0 || position.left.is_some())
            && self.why_no_position(&position).is_none();
        is_one.then_some(position)
    }
}

impl Notation for Hunt {
    fn side_name(&self, side: Side) -> &str {
        &self.0.description.side(side).name
    }

    fn noun(&self, side: Side) -> Noun {
        self.0.description.side(side).noun
    }

    fn ending(&self, position: &Position) -> Option<&str> {
        self.0.play.ended(position).map(|rule| &self.0.description.ends[rule].text[..])
    }

    fn reason_text(&self, reason: Reason) -> &str {
        &self.0.description.ends[reason.number()].text
    }

    fn parse_position(&self, text: &str) -> Result<Position, NotationError> {
        notation::parse_position(self, text)
    }

    fn format_position(&self, position: &Position) -> String {
        notation::format_position(self, position)
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, NotationError> {
        notation::parse_move(self, position, text)
    }

    fn format_move(&self, mv: &Move) -> String {
        notation::format_move(self, mv)
    }

    fn diagram(&self, position: &Position) -> String {
        notation::diagram(self, position)
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(notation::picture(self, position))
    }
}
