//! A game: a description that has been checked.

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::fox_geese::Cross;
use crate::hexapawn::BoardSize;
use crate::hounds::Rows;
use crate::hunt::board_rows;
use crate::hunt::check::{self, Place, Problem};
use crate::hunt::contents::{self, Contents};
use crate::hunt::description::{Description, Layering};
use crate::hunt::families::{self, FamilyError};
use crate::hunt::few_orbits::FewOrbits;
use crate::hunt::points::PointSet;
use crate::hunt::position::Position;
use crate::hunt::rules::Play;
use crate::hunt::scheme::{self, Scheme};
use crate::hunt::symmetries::{self, Symmetry};
use crate::{Outcome, Side};

/// A game as a value: a [`Description`] that has been checked. Cloning is cheap.
#[derive(Clone)]
pub struct Hunt(pub(super) Arc<Checked>);

pub(super) struct Checked {
    pub(super) description: Description,
    pub(super) play: Play,
    pub(super) symmetries: Vec<Symmetry>,
    /// By symmetry: the number of its inverse.
    pub(super) inverses: Vec<u8>,
    /// By layer: its positions.
    pub(super) contents: Vec<Contents>,
    /// By number of the few on the board.
    pub(super) few_orbits: Vec<OnceLock<FewOrbits>>,
    pub(super) rows: board_rows::Rows,
    pub(super) scheme: Scheme,
    /// The result of [`Hunt::fingerprint`], computed on its first call.
    pub(super) fingerprint: OnceLock<String>,
    pub(super) cross: Option<Cross>,
    pub(super) in_rows: Option<Rows>,
}

impl Hunt {
    /// Checks a description.
    ///
    /// ```
    /// use anser_core::hunt::{Hunt, hare_hounds};
    /// let mut description = hare_hounds("unlimited")?;
    /// description.lines.push(vec![0, 4, 8, 2]);
    /// let problem = Hunt::new(description).unwrap_err();
    /// assert!(problem.to_string().contains("is not straight"));
    /// # Ok::<(), anser_core::hunt::FamilyError>(())
    /// ```
    ///
    /// # Errors
    /// The first contradiction in the description.
    pub fn new(description: Description) -> Result<Hunt, Problem> {
        check::check(&description)?;
        let symmetries = symmetries::symmetries(&description);
        check::sizes(&description, Scheme::of(&description, &symmetries))?;
        let hunt = Hunt::with_symmetries(description, symmetries);
        if !hunt.has_position(&hunt.start()) {
            return Err(Problem {
                place: Place::Field(hunt.description().first_to_move.other(), "start"),
                what: "the game was over before the last move".into(),
                right: "play begins from a position that a move could have led to".into(),
            });
        }
        Ok(hunt)
    }

    /// Creates the game of a checked description, for classes under some of its symmetries.
    fn with_symmetries(description: Description, symmetries: Vec<Symmetry>) -> Hunt {
        let play = Play::new(&description);
        let inverses = symmetries::inverses(&symmetries);
        let scheme = Scheme::of(&description, &symmetries);
        let contents = contents::contents(&description, &play, scheme);
        let few = &description.sides[0];
        let few_orbits = (0..=few.number[1]).map(|_| OnceLock::new()).collect();
        let rows = board_rows::Rows::new(&description);
        let cross = scheme::cross_rules(&description, scheme);
        let in_rows = scheme::rows_rules(&description, scheme);
        Hunt(Arc::new(Checked {
            description,
            play,
            symmetries,
            inverses,
            contents,
            few_orbits,
            rows,
            scheme,
            fingerprint: OnceLock::new(),
            cross,
            in_rows,
        }))
    }

    /// Returns the same game without symmetry, for comparison: every position is a class of its
    /// own.
    #[must_use]
    pub fn without_symmetry(&self) -> Hunt {
        let description = self.0.description.clone();
        let mut symmetries = symmetries::symmetries(&description);
        symmetries.truncate(1);
        Hunt::with_symmetries(description, symmetries)
    }

    /// Returns the same game as if its board were not known, for comparison: without engines and
    /// moves by blocks of its own.
    #[must_use]
    pub fn without_shortcuts(&self) -> Hunt {
        let Checked { description, symmetries, .. } = &*self.0;
        let mut game = Hunt::with_symmetries(description.clone(), symmetries.clone());
        if let Some(checked) = Arc::get_mut(&mut game.0) {
            (checked.cross, checked.in_rows) = (None, None);
        }
        game
    }

    /// Returns [Fox-and-Geese](crate::hunt::fox_geese()) under a rule set.
    ///
    /// # Errors
    /// If no rule set has the id.
    pub fn fox_geese(rules: &str) -> Result<Hunt, FamilyError> {
        families::fox_geese(rules).map(Hunt::of_family)
    }

    /// Returns [Fox-and-Hounds](crate::hunt::fox_hounds()) on `size` x `size` squares, 2, 4, ...
    /// or 12.
    ///
    /// # Errors
    /// If no rule set has the id, or there is no board of this size.
    pub fn fox_hounds(size: usize, rules: &str) -> Result<Hunt, FamilyError> {
        families::fox_hounds(size, rules).map(Hunt::of_family)
    }

    /// Returns [Hasenspiel](crate::hunt::hasenspiel()) on `size` x `size` squares, 2, 4, ... or 12,
    /// against 1 to `size / 2` pawns.
    ///
    /// # Errors
    /// If no rule set has the id, there is no board of this size, or the pawns do not fit on its
    /// bottom row.
    pub fn hasenspiel(size: usize, pawns: usize, rules: &str) -> Result<Hunt, FamilyError> {
        families::hasenspiel(size, pawns, rules).map(Hunt::of_family)
    }

    /// Returns [Hare-and-Hounds](crate::hunt::hare_hounds()) under a rule set.
    ///
    /// # Errors
    /// If no rule set has the id.
    pub fn hare_hounds(rules: &str) -> Result<Hunt, FamilyError> {
        families::hare_hounds(rules).map(Hunt::of_family)
    }

    /// Returns [Hexapawn](crate::hunt::hexapawn()) on a board of a size.
    pub fn hexapawn(size: BoardSize) -> Hunt {
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
        self.0.in_rows
    }

    /// Returns the size of the board, if the rules are those of Hexapawn: for engines of such
    /// boards.
    pub fn pawn_board(&self) -> Option<BoardSize> {
        let description = &self.0.description;
        let size = (description.layers == Layering::Advance).then(|| scheme::words(description));
        size.flatten().filter(|&size| families::hexapawn(size).ends == description.ends)
    }

    /// Returns the description.
    pub fn description(&self) -> &Description {
        &self.0.description
    }

    /// Returns the side that has won if play never ends; `None` if endless play is a draw.
    ///
    /// Solvers and tables store such positions as draws: with [`Outcome::Draw`] nobody can force an
    /// end of the game, and this side has won.
    ///
    /// ```
    /// use anser_core::hunt::{Hunt, hare_hounds};
    /// use anser_core::words::outcome_text;
    /// use anser_core::{Outcome, Side};
    /// let mut description = hare_hounds("unlimited")?;
    /// description.endless = Some(Side::First);
    /// let game = Hunt::new(description)?;
    /// assert_eq!(game.endless(), Some(Side::First));
    /// assert_eq!(outcome_text(&game, Outcome::Draw, None), "won for the hare by endless play");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn endless(&self) -> Option<Side> {
        self.0.description.endless
    }

    /// Returns the side that an outcome is won for: with [`Outcome::Draw`] the one that has won if
    /// play never ends.
    ///
    /// ```
    /// use anser_core::{Hunt, Outcome, Side};
    /// let game = Hunt::default();
    /// assert_eq!(game.winner(Outcome::Win(Side::First)), Some(Side::First));
    /// assert_eq!(game.winner(Outcome::Draw), None);
    /// ```
    pub fn winner(&self, outcome: Outcome) -> Option<Side> {
        match outcome {
            Outcome::Win(side) => Some(side),
            Outcome::Draw => self.endless(),
        }
    }

    /// Returns the position with these pieces on the board and in hand, with the side to move and
    /// all plies left.
    ///
    /// ```
    /// use anser_core::Side;
    /// use anser_core::hunt::{Hunt, PointSet, hare_hounds};
    /// let game = Hunt::new(hare_hounds("unlimited")?)?;
    /// let [hare, hounds] = [PointSet::of(7), [0, 3, 8].into_iter().collect()];
    /// assert_eq!(game.position([hare, hounds], [0; 2], Side::Second), Some(game.start()));
    /// assert_eq!(game.position([hounds, hare], [0; 2], Side::Second), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
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
        self.has_position(&position).then_some(position)
    }

    /// Whether the game has such a position: with these numbers of pieces, on points of their own,
    /// and not over before the last move.
    pub(super) fn has_position(&self, position: &Position) -> bool {
        let Checked { description, play, .. } = &*self.0;
        let [few, many] = position.pieces;
        let has_numbers = |side: Side| {
            let (of, hand) = (description.side(side), position.in_hand(side));
            let [fewest, most] = of.number.map(usize::from);
            let there = position.pieces(side).len() + usize::from(hand);
            hand <= of.hand && (fewest..=most).contains(&there)
        };
        PointSet::first_points(description.points.len()).contains_all(few | many)
            && (few & many).is_empty()
            && Side::BOTH.into_iter().all(has_numbers)
            && position.left <= description.plies
            && play.is_position(position)
    }
}

impl Checked {
    /// Returns the positions of a layer.
    pub(super) fn contents(&self, layer: u16) -> Contents {
        self.contents.get(usize::from(layer)).cloned().unwrap_or_default()
    }

    /// Returns the greatest number of pieces of a side.
    pub(super) fn most(&self, side: Side) -> usize {
        self.description.side(side).number[1].into()
    }

    #[inline]
    pub(super) fn few_orbits(&self, few: u8) -> &FewOrbits {
        self.few_orbits[usize::from(few)].get_or_init(|| FewOrbits::new(self, few.into()))
    }
}

impl Default for Hunt {
    fn default() -> Hunt {
        Hunt::fox_geese("free").expect("it is a rule set")
    }
}

impl fmt::Debug for Hunt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hunt({}, rules {})", self.name(), self.rules_id())
    }
}
