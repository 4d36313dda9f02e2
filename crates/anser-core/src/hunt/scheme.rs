//! Numberings of layers: the general one, and special ones for boards that have them.
//!
//! A special numbering is chosen by what a description says, never by its name. It wastes no entry,
//! or its tables are small where those of the general one are not; engines know the order of its
//! entries.

use crate::fox_geese::{self, Cross};
use crate::hexapawn::BoardSize;
use crate::hounds::{Board, Color, Goal, Rows};
use crate::hunt::families::{self, diagonal_hunt};
use crate::hunt::symmetries::Symmetry;
use crate::hunt::{Condition, Description, Layering, Position};
use crate::{Group, Side};

/// The numbering of a hunt.
#[derive(Clone, Copy, Debug)]
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

impl Scheme {
    pub(super) fn of(description: &Description, symmetries: &[Symmetry]) -> Scheme {
        let special = match description.layers {
            Layering::Pieces => cross(description, symmetries).map(Scheme::Cross),
            Layering::Advance => rows(description)
                .map(Scheme::Rows)
                // Its classes are those under the mirror, which is the identity on one column.
                .or_else(|| {
                    words(description).filter(|_| symmetries.len() == 2).map(Scheme::Words)
                }),
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
        let odd = position.occupied() - board.rows(0);
        ((odd.len() + position.to_move.index() + 1) % 2) as u16
    }
}

/// Whether some arrangements are no positions because the game ended before.
fn has_arrivals(description: &Description) -> bool {
    description.ends.iter().any(|rule| matches!(rule.condition, Condition::Arrived(..)))
}

/// Returns the symmetries of the cross that a description has, if its board is the cross.
fn cross(description: &Description, symmetries: &[Symmetry]) -> Option<Group> {
    let is_cross = description.points.len() == fox_geese::POINTS
        && description.sides[0].number == [1, 1]
        && description.sides[1].number[0] > 0
        && !has_arrivals(description)
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

/// Returns the moves of Fox-and-Geese that a description on the cross has, if its rules are those
/// of one of the rule sets, whatever its names and its start.
pub(super) fn cross_rules(description: &Description, scheme: Scheme) -> Option<Cross> {
    let Scheme::Cross(group) = scheme else { return None };
    let [few, many] = &description.sides;
    let first_capture =
        description.ends.iter().any(|rule| matches!(rule.condition, Condition::Captured(_)));
    let forward = many.steps.len() < few.steps.len();
    // Of the lines of the cross, 24 are diagonal.
    let orthogonal = few.steps.len() < 120;
    let (chain, compulsory) = (few.chain, few.compulsory);
    let base = match (first_capture, forward) {
        (true, _) => "first-capture",
        (false, true) => "forward",
        (false, false) => "free",
    };
    let id = families::fox_geese_id(base, [orthogonal, chain, compulsory]);
    let known = families::fox_geese(&id).ok()?;
    let directions: &[_] = if orthogonal { &fox_geese::ORTHOGONAL } else { &fox_geese::DIRECTIONS };
    // The first half of them and one more go sideways or up.
    let upward = &directions[..=directions.len() / 2];
    (known.meaning() == description.meaning()).then_some(Cross {
        symmetry: group,
        first_capture,
        chain,
        compulsory,
        directions,
        goose_directions: if forward { upward } else { directions },
    })
}

/// Returns how a game in rows ends, if it is one of the ways that an engine knows.
pub(super) fn rows_rules(description: &Description, scheme: Scheme) -> Option<Rows> {
    let Scheme::Rows(board) = scheme else { return None };
    let is_plain = description.ends.iter().all(|rule| {
        rule.to_move.is_none()
            && !rule.except_start
            && match rule.condition {
                Condition::Blocked(side) => rule.winner == side.other(),
                _ => rule.winner == Side::First,
            }
    });
    let ends = description.ends.iter().map(|rule| &rule.condition).enumerate();
    let others: Vec<_> =
        ends.filter(|(_, condition)| !matches!(condition, Condition::Blocked(_))).collect();
    let width = board.width() as u8;
    let goal = match others[..] {
        [] => Goal::None,
        [(2, Condition::Escaped)] => Goal::Escape,
        [(0, Condition::Reached(Side::First, points))] if points.iter().copied().eq(0..width) => {
            Goal::BottomRow
        }
        [(0, Condition::Behind(plus))] if *plus == width - 1 => Goal::PastLowest,
        _ => return None,
    };
    is_plain.then_some(Rows { board, goal })
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
    // A pass leads to the other half.
    let passes = Side::BOTH.into_iter().any(|side| !description.blocked_loses(side));
    if few.number != [1, 1]
        || many.number[0] != many.number[1]
        || has_arrivals(description)
        || passes
        || [few, many].into_iter().any(moves_otherwise)
    {
        return None;
    }
    let size = (2 * description.points.len()).isqrt();
    [Color::Dark, Color::Light].into_iter().find_map(|color| {
        let hounds = many.number[0].into();
        let board = Board::with_hounds(size, color, hounds).ok()?;
        let model = diagonal_hunt(board, Default::default());
        // The steps of a board with two rows are the same on either color.
        let corners = description.points.iter().zip(&model.points);
        let mut corners = corners.map(|(point, of)| (point.x - of.x, point.y - of.y));
        let first = corners.next();
        let same = description.points.len() == model.points.len()
            && corners.all(|corner| Some(corner) == first)
            && [few, many]
                .into_iter()
                .zip(&model.sides)
                .all(|(side, of)| sorted(&side.steps) == sorted(&of.steps));
        same.then_some(board)
    })
}

/// Returns the size of the board, if pieces move and arrive as those of Hexapawn.
pub(super) fn words(description: &Description) -> Option<BoardSize> {
    let [few, many] = &description.sides;
    let columns = many.number[1];
    let rows = (description.points.len() / usize::from(columns)) as u8;
    let size = BoardSize::new(columns, rows).ok()?;
    let model = families::hexapawn(size);
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
