//! Parts of a description that the engine uses.

use anser_core::hunt::{Condition, Description, EndRule, Layering, PointSet, SideDescription};
use anser_core::{Hunt, LayerIndex, Side};
use anser_retrograde::parallel;

use super::moves::Change;
use super::order::{MOST_LOW, PointOrder};
use super::scores::Score;

/// Most points of a board.
pub(super) const MOST_POINTS: usize = 40;

/// The rules of a game whose layers have fixed numbers of pieces, with points as bits.
pub(super) struct Rules {
    pub(super) points: usize,
    pub(super) order: PointOrder,
    /// Number of low points; see [`layout`](super::layout).
    pub(super) low_points: u32,
    /// By side: the points where pieces may be placed.
    pub(super) region: [u64; 2],
    /// By side: the steps, from and to.
    pub(super) steps: [Vec<[u64; 2]>; 2],
    /// The jumps of the few: from, over, to.
    pub(super) jumps: Vec<[u64; 3]>,
    /// Whether a piece that has jumped may go on jumping.
    chain: bool,
    pub(super) compulsory: bool,
    ends: Vec<EndRule>,
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
/// move: in their order, with whether that side has won.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Ends(Vec<(Test, bool)>);

impl Ends {
    /// Returns the score of a position in which the game is over.
    #[inline]
    pub(super) fn score<S: Score>(&self, set: u64, is_blocked: bool) -> Option<S> {
        let holds = |test: Test| match test {
            Test::Always => true,
            Test::Blocked => is_blocked,
            Test::HasOne(points) => set & points != 0,
            Test::HasAll(points) => set & points == points,
        };
        self.0.iter().find(|&&(test, _)| holds(test)).map(|&(_, has_won)| S::over(has_won))
    }

    /// Whether the game is over for a side that cannot move.
    pub(super) fn has_blocked(&self) -> bool {
        self.0.iter().any(|(test, _)| *test == Test::Blocked)
    }

    /// Returns what is known of a position of whose set of the many only this is known.
    pub(super) fn verdict(&self, set: Known, is_blocked: bool) -> Verdict {
        let Known { sure, possible, more } = set;
        for &(test, has_won) in &self.0 {
            let holds = match test {
                Test::Always => Some(true),
                Test::Blocked => Some(is_blocked),
                Test::HasOne(points) if sure & points != 0 => Some(true),
                Test::HasOne(points) if possible & points == 0 || more == 0 => Some(false),
                Test::HasAll(points) if points & !sure == 0 => Some(true),
                Test::HasAll(points)
                    if points & !sure & !possible != 0 || (points & !sure).count_ones() > more =>
                {
                    Some(false)
                }
                Test::HasOne(_) | Test::HasAll(_) => None,
            };
            match holds {
                Some(true) => return Verdict::Over(has_won),
                Some(false) => {}
                None => return Verdict::DependsOnSet,
            }
        }
        Verdict::GoesOn
    }
}

/// What is known of a set of the many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// Points that it has.
    pub(super) sure: u64,
    /// Other points, of which it may have some.
    pub(super) possible: u64,
    /// The greatest number of these.
    pub(super) more: u32,
}

impl Known {
    pub(super) const NOTHING: Known = Known { sure: 0, possible: u64::MAX, more: u64::BITS };
}

/// Whether the game is over in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    GoesOn,
    /// It is over; whether the side to move has won.
    Over(bool),
    DependsOnSet,
}

/// By orbit: moves of the few, each with the arrangement after it.
type MovesByOrbit = Vec<Vec<(Change, u64)>>;

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

    /// Whether values hold captures; see [`captures`](super::captures). Where pieces are placed,
    /// what a placement leads to counts at once, so a loss of the few may get shorter.
    pub(super) fn hold_captures(self) -> bool {
        self.hand == [0; 2]
    }
}

impl Rules {
    /// Returns the rules of a game, with points in the order of its tables.
    ///
    /// # Errors
    /// The feature that the engine does not support, to be read after "because of".
    pub(super) fn of(game: &Hunt) -> Result<Rules, &'static str> {
        let order = PointOrder::of_tables(game.description().points.len());
        Rules::in_order(game, order, low_points(game))
    }

    /// Returns the rules of a game, with points in this order and this number of low ones.
    ///
    /// # Errors
    /// The feature that the engine does not support, to be read after "because of".
    pub(super) fn in_order(
        game: &Hunt,
        order: PointOrder,
        low_points: u32,
    ) -> Result<Rules, &'static str> {
        let description = game.description();
        let [few, many] = &description.sides;
        match description.layers {
            Layering::Pieces if few.number[0] == few.number[1] => {}
            Layering::Placement => {}
            Layering::Pieces => return Err("a number of the few that changes"),
            Layering::Advance => return Err("layers by advance"),
            Layering::Plies => return Err("layers by plies"),
        }
        // If the game is over without the many, no layer has such positions.
        let ends_without_many = |end: &EndRule| {
            let Condition::Fewer(side, least) = end.condition else { return false };
            side == Side::Second && least > 0
        };
        let many_are_there = many.number[0] > 0 || description.ends.iter().any(ends_without_many);
        let unknown = [
            (description.points.len() > MOST_POINTS, "a board of more than 40 points"),
            (few.number[0] == 0 || !many_are_there, "sides without pieces"),
            (few.chain && few.compulsory, "chains of compulsory jumps"),
            (few.chain && description.ends.iter().any(stops_chains), "chains that stop at goals"),
            (!few.captures.is_empty() || !many.captures.is_empty(), "captures on the target"),
            (!many.jumps.is_empty(), "jumps of the many"),
            (!ends_suit(description), "ends that depend on more than a position"),
        ];
        if let Some(&(_, what)) = unknown.iter().find(|(holds, _)| *holds) {
            return Err(what);
        }
        let point = |point: &u8| order.bit(*point);
        let low_mask = (1u64 << low_points) - 1;
        let steps = |side: &SideDescription| {
            let steps = side.steps.iter().map(|step| step.each_ref().map(point));
            let mut steps: Vec<[u64; 2]> = steps.collect();
            // Steps that change the same low points follow each other.
            steps.sort_by_key(|step| step.map(|point| point & low_mask));
            steps
        };
        let region = |side: &SideDescription| {
            if side.region.is_empty() { u64::MAX } else { order.bits(&side.region) }
        };
        Ok(Rules {
            points: description.points.len(),
            low_points,
            region: [few, many].map(region),
            steps: [few, many].map(steps),
            jumps: few.jumps.iter().map(|jump| jump.each_ref().map(point)).collect(),
            chain: few.chain,
            compulsory: few.compulsory,
            ends: description.ends.clone(),
            order,
        })
    }

    /// Returns the ends of the game in a layer, beside an arrangement of the few.
    pub(super) fn ends(&self, numbers: Numbers, side: Side, few: u64) -> Ends {
        let has_hand = numbers.hand != [0; 2];
        let applies = |end: &&EndRule| {
            end.to_move.is_none_or(|to_move| to_move == side) && !(end.after_placement && has_hand)
        };
        let bits = |points: &[u8]| self.order.bits(points);
        let number = |side: Side| numbers.on_board[side.index()] + numbers.hand[side.index()];
        let test = |end: &EndRule| {
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
        let ends = self.ends.iter().filter(applies);
        Ends(ends.filter_map(|end| Some((test(end)?, end.winner == side))).collect())
    }

    /// Returns the side that wins by a capture in a layer, if that ends the game. `captured` is the
    /// number of pieces that the move has captured so far, this one included.
    pub(super) fn won_by_capture(&self, numbers: Numbers, captured: usize) -> Option<Side> {
        let left = (numbers.on_board[1] + numbers.hand[1]).saturating_sub(captured);
        let ends = |end: &&EndRule| match end.condition {
            Condition::Captured(side) => side == Side::First,
            Condition::Fewer(side, least) => side == Side::Second && left < usize::from(least),
            _ => false,
        };
        self.ends.iter().find(ends).map(|end| end.winner)
    }

    /// Returns the steps of an arrangement of the few: the condition on the set of the many, and
    /// the arrangement after it.
    pub(super) fn steps_of_few(&self, few: u64) -> Vec<(Change, u64)> {
        let steps = self.steps[0].iter();
        let steps = steps.filter(|[from, to]| few & from != 0 && few & to == 0);
        let step =
            |[from, to]: &[u64; 2]| (Change { lacks: *to, ..Change::default() }, few ^ from ^ to);
        steps.map(step).collect()
    }

    /// Returns the steps of the many beside an arrangement of the few.
    pub(super) fn steps_of_many(&self, few: u64) -> impl Iterator<Item = Change> {
        let steps = self.steps[1].iter().filter(move |[from, to]| (from | to) & few == 0);
        steps.map(|&[from, to]| Change { has: from, lacks: to, flip: from | to })
    }

    /// Returns the placements of a side beside an arrangement of the few, in the same way.
    pub(super) fn placements(&self, side: Side, few: u64) -> Vec<(Change, u64)> {
        let free = self.region[side.index()] & !few;
        let points = (0..self.points).map(|point| 1 << point).filter(|point| free & point != 0);
        let placement = |to: u64| match side {
            Side::First => (Change { lacks: to, ..Change::default() }, few | to),
            Side::Second => (Change { lacks: to, flip: to, ..Change::default() }, few),
        };
        points.map(placement).collect()
    }

    /// Returns the captures of an arrangement of the few in a layer, chains of jumps included: the
    /// change of the set of the many, and the arrangement after it.
    pub(super) fn captures(&self, numbers: Numbers, few: u64) -> Vec<(Change, u64)> {
        let mut captures = Vec::new();
        for &[from, over, to] in &self.jumps {
            if few & from != 0 {
                self.jump(numbers, few ^ from, [from, over, to], Change::default(), &mut captures);
            }
        }
        // The same capture in another order needs the same pieces, and other empty points.
        captures.sort_unstable_by_key(|&(Change { has, lacks, .. }, few)| (few, has, lacks));
        captures.dedup();
        captures
    }

    /// Returns the captures of each of some arrangements of the few, by the number of captured
    /// pieces, from 1 up, with the side that wins by these captures if they end the game.
    pub(super) fn captures_by_number(
        &self,
        numbers: Numbers,
        few: &[u64],
    ) -> Vec<(usize, Option<Side>, MovesByOrbit)> {
        let captures = parallel::map(few, &|&few| self.captures(numbers, few));
        let of_number = |captured: usize| {
            let is_one =
                |(change, _): &&(Change, u64)| change.flip.count_ones() as usize == captured;
            let of_few = |moves: &Vec<_>| moves.iter().filter(is_one).copied().collect();
            let moves: Vec<Vec<_>> = captures.iter().map(of_few).collect();
            let are_there = moves.iter().any(|moves| !moves.is_empty());
            are_there.then(|| (captured, self.won_by_capture(numbers, captured), moves))
        };
        (1..=numbers.on_board[1]).map_while(of_number).collect()
    }

    /// Adds a jump that goes on from `so_far`, beside `others` of the few, and all that can follow.
    fn jump(
        &self,
        numbers: Numbers,
        others: u64,
        [_, over, to]: [u64; 3],
        so_far: Change,
        captures: &mut Vec<(Change, u64)>,
    ) {
        let taken = so_far.flip;
        // A point on which a piece was captured is empty.
        let lacks = so_far.lacks | to & !taken;
        let has = so_far.has | over;
        let is_possible =
            (over | to) & others == 0 && over & (taken | lacks) == 0 && has & lacks == 0;
        if !is_possible {
            return;
        }
        let change = Change { has, lacks, flip: taken | over };
        captures.push((change, others | to));
        let captured = change.flip.count_ones() as usize;
        if !self.chain
            || captured == numbers.on_board[1]
            || self.won_by_capture(numbers, captured).is_some()
        {
            return;
        }
        for &jump in self.jumps.iter().filter(|[from, ..]| *from == to) {
            self.jump(numbers, others, jump, change, captures);
        }
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

    /// Returns the captures of each of some arrangements of the few that values hold, where it
    /// matters whether one is possible: if they are compulsory, or a side that cannot move passes.
    /// Otherwise none.
    pub(super) fn held_captures(
        &self,
        numbers: Numbers,
        few: impl Iterator<Item = u64>,
    ) -> Vec<Vec<Change>> {
        let passes = !self.ends(numbers, Side::First, 0).has_blocked();
        let few = few.filter(|_| self.compulsory || passes);
        let changes = |few| self.captures(numbers, few).into_iter().map(|(change, _)| change);
        few.map(|few| changes(few).collect()).collect()
    }
}

/// Returns the number of low points: near half of all, and if possible so that no symmetry maps a
/// low point to a high one. Images of runs are runs then.
fn low_points(game: &Hunt) -> u32 {
    let points = game.description().points.len();
    let is_closed = |low: &usize| {
        let set = PointSet::first_points(*low);
        (0..game.symmetries()).all(|symmetry| game.image_of_set(set, symmetry) == set)
    };
    let near = (points / 3..=(2 * points / 3).min(MOST_LOW)).filter(is_closed);
    near.min_by_key(|low| (2 * low).abs_diff(points)).unwrap_or((points / 2).min(MOST_LOW)) as u32
}

/// Whether the game can be over by this end where a jump of the few leads to, so that a chain stops
/// there, though not by the number of the many. A jump brings none of the many to a goal.
fn stops_chains(end: &EndRule) -> bool {
    match end.condition {
        Condition::Reached(side, _) | Condition::Filled(side, _) => {
            side == Side::First || end.to_move.is_some()
        }
        _ => false,
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
        let agrees = |before: &EndRule| {
            before.winner == end.winner || before.condition == Condition::Blocked(Side::First)
        };
        !end.except_start
            && (!by_jump || (is_plain && description.ends[..number].iter().all(agrees)))
    })
}
