//! Numberings of layers: the general one, and special ones for boards that have them.
//!
//! A special numbering is chosen by what a description says, never by its name. It wastes no entry,
//! or its tables are small where those of the general one are not; engines know the order of its
//! entries.

use std::ops::Range;
use std::sync::Arc;

use crate::fox_geese::{self, CrossIndex};
use crate::hexapawn::{self, BoardSize, HexapawnIndex};
use crate::hounds::{self, Board, Color, HoundsIndex, SquareSet};
use crate::hunt::numbering::GeneralIndex;
use crate::hunt::symmetries::Symmetry;
use crate::hunt::{Checked, Condition, Description, Layering, PointSet, Position};
use crate::{Group, IndexScheme, LayerIndex, PackingOrder, Side};

/// The numbering of a hunt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    /// `hunt`: any hunt.
    General,
    /// `cross33`: one piece against others on the cross of 33 points, in layers by pieces, with
    /// these symmetries.
    Cross(Group),
    /// `hounds`: one piece that steps diagonally against a pack that only steps diagonally up, on
    /// the squares of one color.
    Rows(&'static Board),
    /// `hexapawn`: pawns that step forward and capture diagonally forward, and end the game on
    /// their far rows.
    Words(BoardSize),
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Board {}

impl Scheme {
    pub(super) fn of(description: &Description, symmetries: &[Symmetry]) -> Scheme {
        let special = match description.layers {
            Layering::Pieces => cross(description, symmetries).map(Scheme::Cross),
            Layering::Advance => rows(description)
                .map(Scheme::Rows)
                .or_else(|| words(description).map(Scheme::Words)),
            Layering::Plies | Layering::Placement => None,
        };
        special.unwrap_or(Scheme::General)
    }

    /// Returns the name of the numbering, and its version.
    pub(super) fn name(self) -> &'static str {
        match self {
            Scheme::General => "hunt 1",
            Scheme::Cross(_) => "cross33 1",
            Scheme::Rows(_) => "hounds 1",
            Scheme::Words(_) => "hexapawn 1",
        }
    }

    /// Whether layers come in two halves. In rows every step changes the color of a row, so play
    /// never leaves the half of positions in which the rows of all pieces and the side to move have
    /// the parity of the start: the lower half of the layers. The upper half has the others.
    pub(super) fn has_halves(self) -> bool {
        matches!(self, Scheme::Rows(_))
    }

    /// Returns the half of a position, 0 or 1.
    pub(super) fn half(self, position: &Position) -> u16 {
        let Scheme::Rows(board) = self else { return 0 };
        let odd = position.occupied() - PointSet::from_bits(board.rows(0).bits());
        ((odd.len() + position.to_move.index() + 1) % 2) as u16
    }
}

/// Returns the symmetries of the cross that a description has, if its board is the cross.
fn cross(description: &Description, symmetries: &[Symmetry]) -> Option<Group> {
    let is_cross = description.points.len() == fox_geese::POINTS
        && description.sides[0].number == [1, 1]
        && description.points.iter().zip(fox_geese::Point::all()).all(|(point, of_cross)| {
            let (x, y) = of_cross.coordinates();
            let first = &description.points[0];
            (point.x - first.x, point.y - first.y) == (i32::from(x) + 1, i32::from(y) + 3)
        });
    if !is_cross {
        return None;
    }
    let kept = Group::SQUARE.filter(|s| {
        symmetries.iter().any(|symmetry| {
            fox_geese::Point::all().all(|point| {
                usize::from(symmetry.images()[point.number()]) == point.image(s).number()
            })
        })
    });
    (kept.order() as usize == symmetries.len()).then_some(kept)
}

/// Returns the pairs in ascending order.
fn sorted(pairs: &[[u8; 2]]) -> Vec<[u8; 2]> {
    let mut pairs = pairs.to_vec();
    pairs.sort_unstable();
    pairs
}

fn rows(description: &Description) -> Option<&'static Board> {
    let [few, many] = &description.sides;
    let moves_otherwise =
        |side: &crate::hunt::SideDescription| !side.captures.is_empty() || !side.jumps.is_empty();
    let passes = Side::BOTH.into_iter().any(|side| {
        !description.ends.iter().any(|rule| rule.condition == Condition::Blocked(side))
    });
    if few.number != [1, 1]
        || many.number[0] != many.number[1]
        || passes
        || [few, many].into_iter().any(moves_otherwise)
    {
        return None;
    }
    let candidates = Board::SIZES.into_iter().flat_map(|size| {
        [Color::Dark, Color::Light]
            .into_iter()
            .filter_map(move |color| Board::with_hounds(size, color, many.number[0].into()).ok())
    });
    let mut found = candidates.filter(|board| board.squares().len() == description.points.len());
    found.find(|board| {
        let pairs = |of: &dyn Fn(hounds::Square) -> SquareSet| -> Vec<[u8; 2]> {
            let targets = |from: hounds::Square| of(from).iter().map(move |to| [from, to]);
            let pairs = board.squares().iter().flat_map(targets);
            pairs.map(|pair| pair.map(|square| square.number() as u8)).collect()
        };
        let up = |from: hounds::Square| board.up_steps(from).into_iter().flatten().collect();
        sorted(&few.steps) == pairs(&|from| board.neighbors(from))
            && sorted(&many.steps) == pairs(&up)
    })
}

fn words(description: &Description) -> Option<BoardSize> {
    let [few, many] = &description.sides;
    let columns = many.number[1];
    let rows = (description.points.len() / usize::from(columns)) as u8;
    // On one column the mirror is the identity.
    let size = BoardSize::new(columns, rows).ok().filter(|_| columns > 1)?;
    let model = crate::hunt::hexapawn(size);
    let arrivals = |description: &Description| -> Vec<Condition> {
        let is_arrival = |condition: &&Condition| matches!(condition, Condition::Arrived(..));
        description.ends.iter().map(|rule| &rule.condition).filter(is_arrival).cloned().collect()
    };
    let same = model.points.len() == description.points.len()
        && [few, many].into_iter().zip(&model.sides).all(|(side, of)| {
            side.number == of.number
                && side.jumps.is_empty()
                && sorted(&side.steps) == sorted(&of.steps)
                && sorted(&side.captures) == sorted(&of.captures)
        })
        && arrivals(&model) == arrivals(description);
    same.then_some(size)
}

/// Index of one layer of a hunt.
///
/// It is one of four numberings: that of any hunt, specified in `hunt/numbering.rs`, or one that
/// suits the board.
///
/// ```
/// use anser_core::prelude::*;
/// use anser_core::Side;
/// use anser_core::hunt::{Hunt, fox_geese, hare_hounds};
/// let game = Hunt::new(hare_hounds(Some(60)))?;
/// let index = game.index(60);
/// // Eight classes of points of the hare, and all sets of three of the other ten for the hounds.
/// assert_eq!((index.scheme().name, index.len(Side::First)), ("hunt", 8 * 120));
/// assert_eq!(game.positions(60, Side::First), 11 * 120);
/// let game = Hunt::new(fox_geese("free".parse()?))?;
/// assert_eq!(game.index(16).scheme().name, "cross33");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct HuntIndex(Kind);

enum Kind {
    General(GeneralIndex),
    Cross(CrossIndex),
    Rows(HoundsIndex),
    Words(HexapawnIndex),
}

impl HuntIndex {
    pub(super) fn new(checked: &Arc<Checked>, layer: u16) -> HuntIndex {
        HuntIndex(match checked.scheme {
            Scheme::General => Kind::General(GeneralIndex::new(checked, layer)),
            Scheme::Cross(group) => Kind::Cross(CrossIndex::new(group, layer)),
            Scheme::Rows(board) => Kind::Rows(HoundsIndex::new(board, layer)),
            Scheme::Words(size) => Kind::Words(HexapawnIndex::new(size, layer)),
        })
    }

    /// Returns the number of positions with a side to move.
    pub(super) fn positions(&self, layer: u16, side: Side, scheme: Scheme) -> u64 {
        match (&self.0, scheme) {
            (Kind::Cross(_), _) => {
                fox_geese::POINTS as u64 * super::numbering::binomial(32, layer.into())
            }
            (Kind::Rows(index), _) => index.len(side),
            (Kind::Words(_), Scheme::Words(size)) => {
                hexapawn::index::Tables::get(size).positions(layer, side)
            }
            (Kind::General(index), _) if let Some(positions) = index.positions() => positions,
            _ => (0..self.len(side)).map(|rank| self.orbit(side, rank)).sum(),
        }
    }
}

/// Calls a method of the numbering.
macro_rules! of_kind {
    ($index:expr, $name:ident => $call:expr) => {
        match &$index.0 {
            Kind::General($name) => $call,
            Kind::Cross($name) => $call,
            Kind::Rows($name) => $call,
            Kind::Words($name) => $call,
        }
    };
}

fn position(few: u128, many: u128, to_move: Side) -> Position {
    let pieces = [few, many].map(PointSet::from_bits);
    Position { pieces, hand: [0; 2], left: None, to_move }
}

impl LayerIndex for HuntIndex {
    type Position = Position;

    fn scheme(&self) -> IndexScheme {
        of_kind!(self, index => index.scheme())
    }

    #[inline]
    fn len(&self, side: Side) -> u64 {
        of_kind!(self, index => index.len(side))
    }

    #[inline]
    fn rank(&self, position: &Position) -> u64 {
        let &Position { pieces: [few, many], to_move, .. } = position;
        match &self.0 {
            Kind::General(index) => index.rank(position),
            Kind::Cross(index) => {
                let fox = few.first().and_then(fox_geese::Point::new);
                let fox = fox.expect("a position on the cross has one piece of the few");
                let geese = fox_geese::PointSet::from_bits(many.bits() as u64);
                index.rank(&fox_geese::Position { fox, geese, to_move })
            }
            Kind::Rows(index) => {
                let fox = few.first().and_then(|fox| hounds::Square::new(fox.into()));
                let fox = fox.expect("a position in rows has one piece of the few");
                let hounds = SquareSet::from_bits(many.bits());
                index.rank(&hounds::Position { hounds, fox, to_move })
            }
            Kind::Words(index) => {
                let pawns = [few, many].map(|pawns| pawns.bits() as u64);
                index.rank(&hexapawn::Position { pawns, to_move })
            }
        }
    }

    #[inline]
    fn unrank(&self, side: Side, rank: u64) -> Position {
        match &self.0 {
            Kind::General(index) => index.unrank(side, rank),
            Kind::Cross(index) => {
                let fox_geese::Position { fox, geese, .. } = index.unrank(side, rank);
                position(1 << fox.number(), geese.bits().into(), side)
            }
            Kind::Rows(index) => {
                let hounds::Position { hounds, fox, .. } = index.unrank(side, rank);
                position(1 << fox.number(), hounds.bits(), side)
            }
            Kind::Words(index) => {
                let [white, black] = index.unrank(side, rank).pawns;
                position(white.into(), black.into(), side)
            }
        }
    }

    fn orbit(&self, side: Side, rank: u64) -> u64 {
        of_kind!(self, index => index.orbit(side, rank))
    }

    fn shares_ranks(&self) -> bool {
        of_kind!(self, index => index.shares_ranks())
    }

    fn packing_order(&self, side: Side) -> PackingOrder {
        of_kind!(self, index => index.packing_order(side))
    }

    fn visit_small_orbits(&self, side: Side, ranks: Range<u64>, visit: impl FnMut(u64, u64)) {
        of_kind!(self, index => index.visit_small_orbits(side, ranks, visit));
    }
}
