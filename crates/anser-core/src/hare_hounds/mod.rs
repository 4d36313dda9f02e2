//! Hare-and-Hounds on eleven points: three hounds, which never go to the left, against a hare,
//! which goes anywhere.
//!
//! The hare wins on point 4 and, under a budget of plies, when the budget is used up. A side to
//! move that cannot move has lost. Hounds may step up and down, so positions can repeat. Under a
//! budget, layer `n` holds the positions with `n` plies left. In unlimited play, a layer holds
//! those whose hounds have the same number of columns to go to the right.

mod board;
mod index;
mod moves;
mod notation;
mod position;
mod rules;

use std::fmt::Write;
use std::ops::{ControlFlow, RangeInclusive};

pub use board::POINTS;
pub use index::HareIndex;
pub use position::{Move, Position};
pub use rules::{RuleSet, RuleSetError};

use crate::prelude::*;
use crate::{BLOCKED, Next, NotationError, Noun, Outcome, Picture, Side};
use board::PointSet;

/// Hare-and-Hounds under a rule set.
///
/// ```
/// use anser_core::prelude::*;
/// use anser_core::{Outcome, Side, hare_hounds::HareHounds};
/// let game = HareHounds::default();
/// assert_eq!(game.format_position(&game.start()), "h2/h3R/h2 h");
/// // Three hounds trap the hare on point 8, its own end of the board.
/// let trapped = game.parse_position("2h/3hR/2h r")?;
/// assert_eq!(game.terminal(&trapped), Some(Outcome::Win(Side::Second)));
/// # Ok::<(), anser_core::NotationError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct HareHounds {
    rules: RuleSet,
}

impl HareHounds {
    /// Creates the game under `rules`.
    pub fn new(rules: RuleSet) -> HareHounds {
        HareHounds { rules }
    }

    /// Returns the rule set.
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// Returns the position with three hounds and the hare on these points, 1 to 11, and the whole
    /// budget left; `None` if a point does not exist or two are the same.
    ///
    /// ```
    /// use anser_core::prelude::*;
    /// use anser_core::{Side, hare_hounds::HareHounds};
    /// let game = HareHounds::default();
    /// assert_eq!(game.position([1, 4, 9], 8, Side::Second), Some(game.start()));
    /// assert_eq!(game.position([1, 4, 9], 9, Side::Second), None);
    /// ```
    pub fn position(&self, hounds: [u8; 3], hare: u8, to_move: Side) -> Option<Position> {
        let exists = |point: &u8| (1..=POINTS as u8).contains(point);
        if !hounds.iter().all(exists) || !exists(&hare) {
            return None;
        }
        let hounds = PointSet::of(hounds);
        let sound = hounds.len() == 3 && !hounds.contains(hare);
        sound.then_some(Position { hounds, hare, left: self.rules.budget(), to_move })
    }
}

impl Rules for HareHounds {
    type Position = Position;
    type Move = Move;

    fn name(&self) -> String {
        "hare-hounds".into()
    }

    fn rules_id(&self) -> String {
        self.rules.to_string()
    }

    fn fingerprint(&self) -> String {
        let mut text =
            format!("hare-hounds rules={} goal={} blocked-mover-loses", self.rules, board::GOAL);
        for (name, lists) in [("hare", board::HARE), ("hounds", board::HOUNDS)] {
            write!(text, " {name}=").expect("writing to a string does not fail");
            for (from, targets) in lists.iter().enumerate() {
                for to in *targets {
                    write!(text, "{from}-{to},").expect("writing to a string does not fail");
                }
            }
        }
        text
    }

    fn start(&self) -> Position {
        let hounds = PointSet::of([1, 4, 9]);
        Position { hounds, hare: 8, left: self.rules.budget(), to_move: Side::Second }
    }

    fn side_to_move(&self, position: &Position) -> Side {
        position.to_move
    }

    fn terminal(&self, position: &Position) -> Option<Outcome> {
        moves::terminal(*position)
    }

    fn passed(&self, position: &Position) -> Option<Position> {
        Some(Position { to_move: position.to_move.other(), ..*position })
    }

    fn visit_moves<B>(
        &self,
        position: &Position,
        mut visit: impl FnMut(Move, Next<Position>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        moves::visit_moves(*position, |mv, next| visit(mv, Next::Position(next)))
    }

    fn symmetries(&self) -> usize {
        2
    }

    fn image(&self, position: &Position, symmetry: usize) -> Position {
        if symmetry == 0 { *position } else { position.mirror() }
    }
}

impl Layers for HareHounds {
    type Index = HareIndex;

    fn layers(&self) -> RangeInclusive<u16> {
        0..=self.rules.budget().map_or(index::TOP_LAYER, u16::from)
    }

    fn layer(&self, position: &Position) -> u16 {
        position.left.map_or_else(|| index::FARTHEST - position.hounds.columns(), u16::from)
    }

    fn lower_layers(&self, layer: u16) -> Vec<u16> {
        layer.checked_sub(1).into_iter().collect()
    }

    fn stays_in_layer(&self, _layer: u16, _side: Side) -> bool {
        self.rules.budget().is_none()
    }

    fn positions(&self, layer: u16, _side: Side) -> u64 {
        index::classes(self.rules.budget().is_none().then_some(layer)).arrangements
    }

    fn visit_unmoves<B>(
        &self,
        position: &Position,
        visit: impl FnMut(Move, Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        moves::visit_unmoves(*position, visit)
    }

    fn index(&self, layer: u16) -> HareIndex {
        // Layers go up to the budget, so the number of a layer is a number of plies.
        HareIndex::new(self.rules.budget().map(|_| layer as u8), layer)
    }

    /// Bits 0: side to move, 1 to 9: plies left and one, or 0 in unlimited play, 10 to 13: point of
    /// the hare, 14 to 24: hounds by the number of their point less one.
    #[inline]
    fn encode(&self, position: &Position) -> u128 {
        let left = position.left.map_or(0, |left| u128::from(left) + 1);
        let hounds = u128::from(position.hounds.bits());
        hounds << 14
            | u128::from(position.hare) << 10
            | left << 1
            | position.to_move.index() as u128
    }

    fn decode(&self, code: u128) -> Option<Position> {
        if code >> (14 + POINTS) != 0 {
            return None;
        }
        let mut hounds = (1..=POINTS as u8).filter(|point| code >> (13 + point) & 1 != 0);
        let hounds = [hounds.next()?, hounds.next()?, hounds.next()?].into_iter().chain(hounds);
        let hounds: [u8; 3] = hounds.collect::<Vec<_>>().try_into().ok()?;
        let position =
            self.position(hounds, (code >> 10 & 0xf) as u8, Side::BOTH[(code & 1) as usize])?;
        let left = match (code >> 1 & 0x1ff, self.rules.budget()) {
            (0, None) => None,
            (left, Some(budget)) if (1..=u128::from(budget) + 1).contains(&left) => {
                Some((left - 1) as u8)
            }
            _ => return None,
        };
        Some(Position { left, ..position })
    }
}

impl Notation for HareHounds {
    fn side_name(&self, side: Side) -> &str {
        match side {
            Side::First => "hare",
            Side::Second => "hounds",
        }
    }

    fn noun(&self, side: Side) -> Noun {
        match side {
            Side::First => Noun::Singular,
            Side::Second => Noun::Plural,
        }
    }

    fn ending(&self, position: &Position) -> Option<&str> {
        self.terminal(position).map(|_| match position {
            Position { hare: board::GOAL, .. } => "home",
            Position { left: Some(0), .. } => "out of plies",
            _ => BLOCKED,
        })
    }

    fn parse_position(&self, text: &str) -> Result<Position, NotationError> {
        notation::parse_position(self, text)
    }

    fn format_position(&self, position: &Position) -> String {
        notation::format_position(self, *position)
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, NotationError> {
        notation::parse_move(self, *position, text)
    }

    fn format_move(&self, mv: &Move) -> String {
        mv.to_string()
    }

    fn diagram(&self, position: &Position) -> String {
        notation::diagram(*position)
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(notation::picture(*position))
    }
}
