//! Hunts as data: one type for every game of few pieces against many.
//!
//! A [`Description`] has the rules of a game: board, pieces, steps, jumps, captures, ends. A
//! [`Hunt`] is a description that has been checked; positions, moves, layers, numbering, notation,
//! symmetries, and drawing follow from it. Families of games are functions that return
//! descriptions: [`hare_hounds`].
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

use crate::prelude::*;
use crate::{Next, NotationError, Noun, Outcome, Picture, Reason, Side};
use layers::Contents;
use numbering::FewOrbits;
use rules::Play;
use scheme::Scheme;
use symmetries::Symmetry;

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
        let play = Play::new(&description);
        let symmetries = symmetries::symmetries(&description);
        let probe = PointSet::first_points(description.points.len());
        let inverses = symmetries::inverses(&symmetries, probe);
        let scheme = Scheme::of(&description, &symmetries);
        check::sizes(&description, scheme)?;
        let contents = layers::contents(&description, &play, scheme)?;
        let few = &description.sides[0];
        let few_orbits = (0..=few.number[1]).map(|_| OnceLock::new()).collect();
        let rows = notation::Rows::new(&description);
        let checked =
            Checked { description, play, symmetries, inverses, contents, few_orbits, rows, scheme };
        Ok(Hunt(Arc::new(checked)))
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
