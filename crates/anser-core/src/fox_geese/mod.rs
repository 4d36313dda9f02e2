//! Fox-and-Geese on the 33-point cross: a fox against up to 31 geese.
//!
//! The fox steps along a line or jumps over a goose and takes it; the geese step. A fox that cannot
//! move has lost. Geese that cannot move have lost, and so have fewer than four geese, because no
//! three can trap the fox. Layer `p` holds the positions with `p` geese.

mod block_moves;
mod board;
mod index;
mod moves;
mod notation;
mod orbits;
mod packing;
mod position;
mod rules;

use std::fmt::Write;
use std::ops::{ControlFlow, RangeInclusive};

pub use board::{Board, Jump, POINTS, Point, PointSet};
pub use index::{CrossIndex, IndexSegment, OuterBlock};
pub use moves::FEWEST_GEESE;
pub use position::{Move, Position};
pub use rules::{Base, RuleSet, RuleSetError};

use crate::prelude::*;
use crate::{
    BLOCKED, BlockMoves, Group, Next, NotationError, Noun, Outcome, Picture, Reason, Side, Symmetry,
};

/// Fox-and-Geese under a rule set.
///
/// ```
/// use anser_core::prelude::*;
/// use anser_core::{Outcome, Side, fox_geese::FoxGeese};
/// let game = FoxGeese::default();
/// // Four geese trap a fox on an arm's edge.
/// let trapped = game.parse_position("gFg/1g1/3g3/7/7/3/3 f")?;
/// assert_eq!(game.terminal(&trapped), Some(Outcome::Win(Side::Second)));
/// # Ok::<(), anser_core::NotationError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FoxGeese {
    rules: RuleSet,
    symmetry: Group,
    board: &'static Board,
}

impl FoxGeese {
    /// Creates the game under `rules`, with the symmetries of the rules.
    pub fn new(rules: RuleSet) -> FoxGeese {
        let symmetry = if rules.base == Base::Forward { Group::MIRROR } else { Group::SQUARE };
        FoxGeese {
            rules,
            symmetry,
            board: Board::get(rules.orthogonal, rules.base == Base::Forward),
        }
    }

    /// Returns the same game without symmetry, for comparison: every position is a class of its
    /// own.
    #[must_use]
    pub fn without_symmetry(self) -> FoxGeese {
        FoxGeese { symmetry: Group::TRIVIAL, ..self }
    }

    /// Returns the rule set.
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// Returns the lines of the board under these rules.
    pub fn board(&self) -> &'static Board {
        self.board
    }

    /// Returns the symmetries of the classes.
    pub fn symmetry(&self) -> Group {
        self.symmetry
    }
}

impl Default for FoxGeese {
    fn default() -> Self {
        FoxGeese::new(RuleSet::default())
    }
}

impl Rules for FoxGeese {
    type Position = Position;
    type Move = Move;

    fn name(&self) -> String {
        "fox-geese".into()
    }

    fn rules_id(&self) -> String {
        self.rules.to_string()
    }

    fn fingerprint(&self) -> String {
        let mut text = format!(
            "fox-geese rules={} fewest={} blocked-mover-loses chain={} compulsory={} first-capture-wins={} lines=",
            self.rules,
            moves::FEWEST_GEESE,
            self.rules.chain,
            self.rules.compulsory,
            self.rules.base == Base::FirstCapture,
        );
        for (a, b) in self.board.lines() {
            // The directions in which geese may step along the line are part of the rules.
            let forth = if self.board.goose_targets(a).contains(b) { ">" } else { "" };
            let back = if self.board.goose_targets(b).contains(a) { "<" } else { "" };
            write!(text, "{a}{back}{forth}{b},").expect("writing to a string does not fail");
        }
        text
    }

    /// Returns the opening with thirteen geese, the fox in the middle and to move.
    fn start(&self) -> Position {
        let low = |point: &Point| point.coordinates().1 < 0;
        let geese =
            Point::all().filter(low).fold(PointSet::EMPTY, |geese, point| geese | point.set());
        Position { fox: Point::CENTER, geese, to_move: Side::First }
    }

    fn side_to_move(&self, position: &Position) -> Side {
        position.to_move
    }

    fn terminal(&self, position: &Position) -> Option<Outcome> {
        if position.geese.len() < moves::FEWEST_GEESE {
            return Some(Outcome::Win(Side::First));
        }
        (!moves::can_move(self.board, position)).then(|| Outcome::Win(position.to_move.other()))
    }

    /// Returns the number of geese as a negative number.
    fn material(&self, position: &Position) -> Option<i32> {
        Some(-(position.geese.len() as i32))
    }

    fn passed(&self, position: &Position) -> Option<Position> {
        Some(Position { to_move: position.to_move.other(), ..*position })
    }

    fn has_chains(&self) -> bool {
        self.rules.chain
    }

    fn inner_positions(&self, position: &Position, mv: &Move) -> Vec<Position> {
        moves::inner_positions(self.board, position, mv)
    }

    #[inline]
    fn visit_moves<B>(
        &self,
        position: &Position,
        visit: impl FnMut(Move, Next<Position>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        moves::visit_moves(self.rules, self.board, position, visit)
    }

    fn symmetries(&self) -> usize {
        self.symmetry.order() as usize
    }

    fn image(&self, position: &Position, symmetry: usize) -> Position {
        let s = self.symmetry.members().nth(symmetry).unwrap_or(Symmetry::IDENTITY);
        Position { fox: position.fox.image(s), geese: position.geese.image(s), ..*position }
    }
}

impl Layers for FoxGeese {
    type Index = CrossIndex;

    fn layers(&self) -> RangeInclusive<u16> {
        1..=31
    }

    fn layer(&self, position: &Position) -> u16 {
        position.geese.len() as u16
    }

    fn lower_layers(&self, layer: u16) -> Vec<u16> {
        let fewest = moves::FEWEST_GEESE as u16;
        if self.rules.base == Base::FirstCapture || layer <= fewest {
            Vec::new()
        } else if self.rules.chain {
            (fewest..layer).collect()
        } else {
            vec![layer - 1]
        }
    }

    fn positions(&self, layer: u16, _side: Side) -> u64 {
        POINTS as u64 * orbits::binomial(32, u32::from(layer))
    }

    #[inline]
    fn visit_unmoves<B>(
        &self,
        position: &Position,
        visit: impl FnMut(Move, Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        moves::visit_unmoves(self.rules, self.board, position, visit)
    }

    fn index(&self, layer: u16) -> CrossIndex {
        CrossIndex::new(self.symmetry, layer)
    }

    fn block_moves<'a>(
        &'a self,
        layer: u16,
        index: &'a CrossIndex,
    ) -> Option<Box<dyn BlockMoves + 'a>> {
        Some(Box::new(block_moves::CrossMoves::new(self, index, layer)))
    }

    /// Bits 0: side to move, 1 to 33: geese by the number of their point, 34 to 39: number of the
    /// fox's point.
    #[inline]
    fn encode(&self, position: &Position) -> u128 {
        let side = position.to_move.index() as u128;
        (position.fox.number() as u128) << 34 | u128::from(position.geese.bits()) << 1 | side
    }

    fn decode(&self, code: u128) -> Option<Position> {
        if code >> 40 != 0 {
            return None;
        }
        let fox = Point::new((code >> 34) as u8)?;
        let geese = PointSet::from_bits((code >> 1) as u64 & ((1 << POINTS) - 1));
        Position::new(fox, geese, Side::BOTH[(code & 1) as usize])
    }
}

impl Notation for FoxGeese {
    fn side_name(&self, side: Side) -> &str {
        match side {
            Side::First => "fox",
            Side::Second => "geese",
        }
    }

    fn noun(&self, side: Side) -> Noun {
        match side {
            Side::First => Noun::Singular,
            Side::Second => Noun::Plural,
        }
    }

    fn ending(&self, position: &Position) -> Option<&str> {
        let few = position.geese.len() < moves::FEWEST_GEESE;
        self.terminal(position).map(|_| if few { moves::REASONS[1] } else { BLOCKED })
    }

    fn reason_text(&self, reason: Reason) -> &str {
        moves::REASONS[reason.number()]
    }

    fn parse_position(&self, text: &str) -> Result<Position, NotationError> {
        notation::parse_position(text)
    }

    fn format_position(&self, position: &Position) -> String {
        position.to_string()
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, NotationError> {
        notation::parse_move(self, position, text)
    }

    fn format_move(&self, mv: &Move) -> String {
        mv.to_string()
    }

    fn diagram(&self, position: &Position) -> String {
        notation::diagram(position)
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(notation::picture(self.board, position))
    }
}
