//! What the engine reads of a description.

use anser_core::hunt::{Condition, Description, Layering};
use anser_core::{Hunt, LayerIndex, Side};

use super::maps::WON;

/// Most points of a board.
pub(super) const MOST_POINTS: usize = 40;

/// The rules of a game whose layers have fixed numbers of pieces, with points as bits.
pub(super) struct Rules {
    pub(super) points: usize,
    /// By side: the points where pieces may be placed.
    pub(super) region: [u64; 2],
    /// By side: the steps, from and to.
    pub(super) steps: [Vec<[u64; 2]>; 2],
    /// The jumps of the few: from, over, to.
    pub(super) jumps: Vec<[u64; 3]>,
    pub(super) compulsory: bool,
    ends: Vec<End>,
}

/// A rule that ends the game in a position.
struct End {
    condition: Condition,
    winner: Side,
    to_move: Option<Side>,
    after_placement: bool,
}

/// A condition on the set of the many, in a layer and beside an arrangement of the few.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Always,
    /// The side to move cannot move.
    Blocked,
    /// The set has one of the points.
    HasOne(u64),
    /// The set has all of the points.
    HasAll(u64),
}

/// The rules that can end the game in a layer, beside an arrangement of the few, with one side to
/// move: in their order, with the score of that side.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Ends(Vec<(Test, i16)>);

impl Ends {
    /// Returns the score of a position in which the game is over.
    #[inline]
    pub(super) fn score(&self, set: u64, is_blocked: bool) -> Option<i16> {
        let holds = |test: Test| match test {
            Test::Always => true,
            Test::Blocked => is_blocked,
            Test::HasOne(points) => set & points != 0,
            Test::HasAll(points) => set & points == points,
        };
        self.0.iter().find(|&&(test, _)| holds(test)).map(|&(_, score)| score)
    }

    /// Returns the score of a position of which only this is known; `None` if the set of the many
    /// matters.
    pub(super) fn without_set(&self, is_blocked: bool) -> Option<Option<i16>> {
        let depends = |test: &Test| matches!(test, Test::HasOne(_) | Test::HasAll(_));
        let decided = self.0.iter().find(|(test, _)| {
            *test == Test::Always || depends(test) || (*test == Test::Blocked && is_blocked)
        });
        match decided {
            Some((test, _)) if depends(test) => None,
            Some(&(_, score)) => Some(Some(score)),
            None => Some(None),
        }
    }
}

/// The numbers of pieces of a layer, by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) on_board: [usize; 2],
    pub(super) hand: [usize; 2],
}

impl Numbers {
    /// Returns the numbers of a layer with at least one entry.
    pub(super) fn of(index: &anser_core::hunt::HuntIndex) -> Numbers {
        let position = index.unrank(Side::First, 0);
        Numbers {
            on_board: Side::BOTH.map(|side| position.pieces(side).len()),
            hand: Side::BOTH.map(|side| usize::from(position.in_hand(side))),
        }
    }
}

fn bits(points: &[u8]) -> u64 {
    points.iter().fold(0, |bits, point| bits | 1 << point)
}

impl Rules {
    /// Returns the rules of a game, if the engine can solve it: layers by pieces or placement with
    /// a fixed number of the few, jumps of the few alone and without chains, no captures on the
    /// target, and ends that depend on one position.
    pub(super) fn of(game: &Hunt) -> Option<Rules> {
        let description = game.description();
        let [few, many] = &description.sides;
        let is_fixed = match description.layers {
            Layering::Pieces => few.number[0] == few.number[1],
            Layering::Placement => true,
            Layering::Advance | Layering::Plies => false,
        };
        let suits = is_fixed
            && game.cross().is_none()
            && description.points.len() <= MOST_POINTS
            && few.number[0] > 0
            && many.number[0] > 0
            && !few.chain
            && few.captures.is_empty()
            && many.captures.is_empty()
            && many.jumps.is_empty()
            && ends_suit(description);
        let point = |point: &u8| 1u64 << point;
        suits.then(|| Rules {
            points: description.points.len(),
            region: [few, many]
                .map(|side| if side.region.is_empty() { u64::MAX } else { bits(&side.region) }),
            steps: [few, many]
                .map(|side| side.steps.iter().map(|step| step.each_ref().map(point)).collect()),
            jumps: few.jumps.iter().map(|jump| jump.each_ref().map(point)).collect(),
            compulsory: few.compulsory,
            ends: description
                .ends
                .iter()
                .map(|end| End {
                    condition: end.condition.clone(),
                    winner: end.winner,
                    to_move: end.to_move,
                    after_placement: end.after_placement,
                })
                .collect(),
        })
    }

    /// Returns the ends of the game in a layer, beside an arrangement of the few.
    pub(super) fn ends(&self, numbers: Numbers, side: Side, few: u64) -> Ends {
        let has_hand = numbers.hand != [0; 2];
        let applies = |end: &&End| {
            end.to_move.is_none_or(|to_move| to_move == side) && !(end.after_placement && has_hand)
        };
        let number = |side: Side| numbers.on_board[side.index()] + numbers.hand[side.index()];
        let test = |end: &End| {
            let always = |holds: bool| holds.then_some(Test::Always);
            match end.condition {
                Condition::Blocked(of) => (of == side).then_some(Test::Blocked),
                Condition::Fewer(of, least) => always(number(of) < usize::from(least)),
                Condition::Reached(Side::First, ref points) => always(few & bits(points) != 0),
                Condition::Reached(Side::Second, ref points) => Some(Test::HasOne(bits(points))),
                Condition::Filled(Side::First, ref points) => {
                    always(few & bits(points) == bits(points))
                }
                Condition::Filled(Side::Second, ref points) => Some(Test::HasAll(bits(points))),
                // It belongs to the move.
                Condition::Captured(_) => None,
                Condition::Arrived(..)
                | Condition::Escaped
                | Condition::Behind(_)
                | Condition::OutOfPlies => {
                    unreachable!("the engine takes no game with such an end")
                }
            }
        };
        let score = |end: &End| if end.winner == side { WON } else { -WON };
        let ends = self.ends.iter().filter(applies);
        Ends(ends.filter_map(|end| Some((test(end)?, score(end)))).collect())
    }

    /// Returns the side that wins by a jump in a layer, if that ends the game.
    pub(super) fn won_by_jump(&self, numbers: Numbers) -> Option<Side> {
        let left = (numbers.on_board[1] + numbers.hand[1]).saturating_sub(1);
        let ends = |end: &&End| match end.condition {
            Condition::Captured(side) => side == Side::First,
            Condition::Fewer(side, least) => side == Side::Second && left < usize::from(least),
            _ => false,
        };
        self.ends.iter().find(ends).map(|end| end.winner)
    }

    /// Whether the many can stay in a layer. If they cannot, because they place pieces, one pass is
    /// enough.
    pub(super) fn many_stay(&self, numbers: Numbers) -> bool {
        let side = Side::Second;
        let block_ends = self.ends.iter().any(|end| {
            end.condition == Condition::Blocked(side)
                && end.to_move.is_none_or(|to_move| to_move == side)
                && !end.after_placement
        });
        numbers.hand[1] == 0 || !block_ends
    }
}

/// Whether the engine can test the ends. What a jump ends must not depend on where pieces are.
fn ends_suit(description: &Description) -> bool {
    description.ends.iter().enumerate().all(|(number, end)| {
        let by_jump = match end.condition {
            Condition::Captured(_) | Condition::Fewer(Side::Second, _) => true,
            Condition::Blocked(_)
            | Condition::Fewer(..)
            | Condition::Reached(..)
            | Condition::Filled(..) => false,
            Condition::Arrived(..)
            | Condition::Escaped
            | Condition::Behind(_)
            | Condition::OutOfPlies => return false,
        };
        let is_plain = end.to_move.is_none() && !end.after_placement;
        let agrees = |before: &anser_core::hunt::EndRule| {
            before.winner == end.winner || before.condition == Condition::Blocked(Side::First)
        };
        !end.except_start
            && (!by_jump || (is_plain && description.ends[..number].iter().all(agrees)))
    })
}
