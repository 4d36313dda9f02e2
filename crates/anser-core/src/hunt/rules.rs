//! The rules of a checked description in the form in which moves are generated.

use std::ops::ControlFlow;

use crate::hunt::position::Heard;
use crate::hunt::{Condition, Description, EndRule, Layering, Move, MoveKind, PointSet, Position};
use crate::{End, Next, Outcome, Side};

/// A jump of a piece: over the first point, onto the second.
#[derive(Clone, Copy)]
pub(super) struct Jump {
    pub(super) over: u8,
    pub(super) to: u8,
}

/// The moves of one side, by the point of the piece.
pub(super) struct Mover {
    /// The pieces in the order in which their moves are generated; empty for that of the points.
    order: Vec<u8>,
    /// The points on which pieces may be placed.
    pub(super) region: PointSet,
    steps: Vec<Vec<u8>>,
    targets: Vec<PointSet>,
    sources: Vec<PointSet>,
    pub(super) jumps: Vec<Vec<Jump>>,
    captures: Vec<Vec<u8>>,
    capture_targets: Vec<PointSet>,
    chain: bool,
    compulsory: bool,
    /// By point: the greatest number of steps from it that cannot be taken back.
    pub(super) heights: Vec<u16>,
    /// By point: the points that can be reached by steps on an empty board, itself included.
    pub(super) reach: Vec<PointSet>,
}

impl Mover {
    pub(super) fn new(description: &Description, side: Side) -> Mover {
        let points = description.points.len();
        let of = description.side(side);
        let mut mover = Mover {
            order: of.order.clone(),
            region: if of.region.is_empty() {
                PointSet::first_points(points)
            } else {
                PointSet::of_all(&of.region)
            },
            steps: vec![Vec::new(); points],
            targets: vec![PointSet::EMPTY; points],
            sources: vec![PointSet::EMPTY; points],
            jumps: vec![Vec::new(); points],
            captures: vec![Vec::new(); points],
            capture_targets: vec![PointSet::EMPTY; points],
            chain: of.chain,
            compulsory: of.compulsory,
            heights: Vec::new(),
            reach: Vec::new(),
        };
        for &[from, to] in &of.steps {
            mover.steps[usize::from(from)].push(to);
            mover.targets[usize::from(from)] |= PointSet::of(to);
            mover.sources[usize::from(to)] |= PointSet::of(from);
        }
        for &[from, over, to] in &of.jumps {
            mover.jumps[usize::from(from)].push(Jump { over, to });
        }
        for &[from, to] in &of.captures {
            mover.captures[usize::from(from)].push(to);
            mover.capture_targets[usize::from(from)] |= PointSet::of(to);
        }
        mover.reach = reach(&mover.targets);
        mover.heights = heights(&mover.targets, &mover.reach);
        mover
    }

    /// Returns the points to which a piece can step on an empty board.
    #[inline]
    pub(super) fn targets(&self, from: u8) -> PointSet {
        self.targets[usize::from(from)]
    }

    /// Returns the points that pieces on these could reach by steps on an empty board.
    fn reach_of(&self, pieces: PointSet) -> PointSet {
        pieces.iter().fold(PointSet::EMPTY, |set, point| set | self.reach[usize::from(point)])
    }

    /// Whether a step changes no height.
    pub(super) fn is_level(&self, from: u8, to: u8) -> bool {
        self.heights[usize::from(from)] == self.heights[usize::from(to)]
    }

    /// Whether a jump of the piece on `from` is possible.
    #[inline]
    fn can_jump(&self, from: u8, others: PointSet, empty: PointSet) -> bool {
        let jumps = &self.jumps[usize::from(from)];
        jumps.iter().any(|jump| others.contains(jump.over) && empty.contains(jump.to))
    }

    /// Visits pieces in the order in which their moves are generated.
    #[inline]
    fn visit_pieces<B>(
        &self,
        pieces: PointSet,
        mut visit: impl FnMut(u8) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.order.is_empty() {
            for piece in pieces.iter() {
                visit(piece)?;
            }
        } else {
            for &piece in self.order.iter().filter(|&&piece| pieces.contains(piece)) {
                visit(piece)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Returns for each point the points that a path of steps leads to, itself included.
fn reach(targets: &[PointSet]) -> Vec<PointSet> {
    let own = |(from, &to): (usize, &PointSet)| to | PointSet::of(from as u8);
    let mut reach: Vec<PointSet> = targets.iter().enumerate().map(own).collect();
    for middle in 0..reach.len() {
        let beyond = reach[middle];
        for from in &mut reach {
            if from.contains(middle as u8) {
                *from |= beyond;
            }
        }
    }
    reach
}

/// Returns for each point the greatest number of steps from it that lead to points from which no
/// path leads back.
fn heights(targets: &[PointSet], reach: &[PointSet]) -> Vec<u16> {
    let mut heights = vec![0; targets.len()];
    let taken_back = |from: usize, to: u8| reach[usize::from(to)].contains(from as u8);
    // A path of such steps visits each point at most once, so that the heights stop growing.
    loop {
        let before = heights.clone();
        for from in 0..targets.len() {
            let own = reach[from].iter().filter(|&other| taken_back(from, other));
            heights[from] = own
                .flat_map(|member| targets[usize::from(member)].iter())
                .filter(|&to| !taken_back(from, to))
                .map(|to| heights[usize::from(to)] + 1)
                .max()
                .unwrap_or(0);
        }
        if heights == before {
            return heights;
        }
    }
}

/// A rule that ends the game, with the set of points that its condition names.
struct Rule {
    end: EndRule,
    points: PointSet,
}

/// The moves of both sides, and the ends of the game.
pub(super) struct Play {
    pub(super) movers: [Mover; 2],
    rules: Vec<Rule>,
    /// The number of rules up to the last one that a capture can fulfil.
    capture_rules: usize,
    /// Whether a capture after which a side has too few pieces ends the game as a move, so that
    /// layers of such positions are never needed.
    ends_by_moves: bool,
    arrivals: [PointSet; 2],
    /// Whether the numbers of pieces alone tell which arrangements are positions.
    pub(super) numbers_suffice: bool,
    /// Whether every arrangement with the right numbers of pieces is a position.
    pub(super) all_are_positions: bool,
    all: PointSet,
    pub(super) start: Position,
    layers: Layering,
}

impl Play {
    pub(super) fn new(description: &Description) -> Play {
        let set = PointSet::of_all;
        let mut arrivals = [PointSet::EMPTY; 2];
        for rule in &description.ends {
            if let Condition::Arrived(side, points) = &rule.condition {
                arrivals[side.index()] |= set(points);
            }
        }
        let rules: Vec<Rule> = description
            .ends
            .iter()
            .map(|end| Rule { end: end.clone(), points: set(end.condition.points()) })
            .collect();
        let by_capture = |rule: &Rule| {
            matches!(rule.end.condition, Condition::Captured(_) | Condition::Fewer(..))
        };
        let capture_rules = rules.iter().rposition(by_capture).map_or(0, |last| last + 1);
        let start = Position {
            pieces: Side::BOTH.map(|side| set(&description.side(side).start)),
            hand: Side::BOTH.map(|side| description.side(side).hand),
            left: description.plies,
            to_move: description.first_to_move,
        };
        Play {
            movers: Side::BOTH.map(|side| Mover::new(description, side)),
            rules,
            capture_rules,
            ends_by_moves: matches!(description.layers, Layering::Pieces | Layering::Placement),
            arrivals,
            numbers_suffice: arrivals == [PointSet::EMPTY; 2],
            all_are_positions: arrivals == [PointSet::EMPTY; 2]
                && description.sides.iter().all(|side| side.number[0] > 0),
            all: PointSet::first_points(description.points.len()),
            start,
            layers: description.layers,
        }
    }

    #[inline]
    pub(super) fn mover(&self, side: Side) -> &Mover {
        &self.movers[side.index()]
    }

    #[inline]
    pub(super) fn empty(&self, position: &Position) -> PointSet {
        self.all - position.occupied()
    }

    /// Whether the side to move has a placement, a step, a jump, or a capture.
    pub(super) fn can_move(&self, position: &Position) -> bool {
        let side = position.to_move;
        let (mover, empty) = (self.mover(side), self.empty(position));
        if position.hand[side.index()] > 0 {
            return !(mover.region & empty).is_empty();
        }
        let others = position.pieces(side.other());
        position.pieces(side).iter().any(|from| {
            !(mover.targets(from) & empty).is_empty()
                || !(mover.capture_targets[usize::from(from)] & others).is_empty()
                || mover.can_jump(from, others, empty)
        })
    }

    /// Whether a rule holds in a position.
    #[inline]
    fn holds(&self, rule: &Rule, position: &Position) -> bool {
        let Rule { end, points } = rule;
        if end.to_move.is_some_and(|side| side != position.to_move)
            || (end.after_placement && position.hand != [0; 2])
        {
            return false;
        }
        let holds = match end.condition {
            Condition::Blocked(side) => position.to_move == side && !self.can_move(position),
            Condition::Captured(_) => false,
            Condition::Fewer(side, number) => {
                let hand = usize::from(position.hand[side.index()]);
                position.pieces(side).len() + hand < usize::from(number)
            }
            Condition::Reached(side, _) | Condition::Arrived(side, _) => {
                !(position.pieces(side) & *points).is_empty()
            }
            Condition::Filled(side, _) => position.pieces(side).contains_all(*points),
            Condition::Escaped => self.escaped(position),
            Condition::Behind(plus) => {
                let lowest = position.many().first().zip(position.few().first());
                lowest.is_some_and(|(many, few)| few < many.saturating_add(plus))
            }
            Condition::OutOfPlies => position.left == Some(0),
        };
        holds && !(end.except_start && *position == self.start)
    }

    fn escaped(&self, position: &Position) -> bool {
        let reach = self.mover(Side::Second).reach_of(position.many());
        position.few().first().is_some_and(|few| {
            !reach.contains(few) && !(self.mover(Side::First).targets(few) - reach).is_empty()
        })
    }

    /// Returns the number of the first rule that holds in a position.
    #[inline]
    pub(super) fn ended(&self, position: &Position) -> Option<usize> {
        self.rules.iter().position(|rule| self.holds(rule, position))
    }

    #[inline]
    pub(super) fn outcome(&self, rule: usize) -> Outcome {
        Outcome::Win(self.rules[rule].end.winner)
    }

    /// Whether the game is over in a position whose side to move has a move.
    #[inline]
    fn is_over_unless_blocked(&self, position: &Position) -> bool {
        let other = |rule: &&Rule| !matches!(rule.end.condition, Condition::Blocked(_));
        self.rules.iter().filter(other).any(|rule| self.holds(rule, position))
    }

    /// Returns the result of a capture by `side` that leads to `position`.
    #[inline]
    fn after_capture(&self, side: Side, position: Position) -> Next {
        let mut ended = None;
        for (number, rule) in self.rules[..self.capture_rules].iter().enumerate() {
            let by_move = match rule.end.condition {
                Condition::Captured(by) if by == side => true,
                _ if self.holds(rule, &position) => {
                    self.ends_by_moves && matches!(rule.end.condition, Condition::Fewer(..))
                }
                _ => continue,
            };
            // The first rule that holds says how the game ends. A later one may say that no layer
            // has the position.
            let reason = *ended.get_or_insert(number);
            if by_move {
                return Next::End(End { position, outcome: self.outcome(reason), reason });
            }
        }
        Next::Position(position)
    }

    /// Whether the game is over where a chain could go on: by the pieces and their places. Who is
    /// blocked, and how many plies are left, counts after the turn.
    fn is_over_in_turn(&self, position: &Position) -> bool {
        let by_pieces = |rule: &&Rule| {
            !matches!(rule.end.condition, Condition::Blocked(_) | Condition::OutOfPlies)
        };
        self.rules.iter().filter(by_pieces).any(|rule| self.holds(rule, position))
    }

    /// Whether a capture by this side always ends the game.
    pub(super) fn capture_wins(&self, side: Side) -> bool {
        self.rules.iter().any(|rule| rule.end.condition == Condition::Captured(side))
    }

    /// Visits the moves of the side to move. For each piece: jumps, steps, captures on the target.
    pub(super) fn visit_moves<M: Heard, B>(
        &self,
        position: &Position,
        visit: impl FnMut(M, Next) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_some::<M, true, B>(position, &mut false, visit)
    }

    /// Visits the moves, without `STEPS` all but steps and passes: `other` tells whether there are
    /// any of these.
    #[inline]
    pub(super) fn visit_some<M: Heard, const STEPS: bool, B>(
        &self,
        position: &Position,
        other: &mut bool,
        mut visit: impl FnMut(M, Next) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        // Whether a side is blocked is known once its moves are generated.
        if self.is_over_unless_blocked(position) {
            return ControlFlow::Continue(());
        }
        let side = position.to_move;
        let (mover, empty) = (self.mover(side), self.empty(position));
        let (own, others) = (position.pieces(side), position.pieces(side.other()));
        let next = position.turned();
        let mut visited = false;
        if position.hand[side.index()] > 0 {
            let mut after = next;
            after.hand[side.index()] -= 1;
            for point in (mover.region & empty).iter() {
                visited = true;
                let after = after.with(side, own | PointSet::of(point), others);
                visit(M::empty(MoveKind::Placement).to(point), Next::Position(after))?;
            }
        } else {
            let must_jump =
                mover.compulsory && own.iter().any(|from| mover.can_jump(from, others, empty));
            mover.visit_pieces(own, |from| {
                let without = own - PointSet::of(from);
                if !mover.jumps[usize::from(from)].is_empty() {
                    let chain = Chain { play: self, side, own: without, next };
                    chain.visit(
                        from,
                        others,
                        M::empty(MoveKind::Jump).to(from),
                        &mut |mv, after| {
                            visited = true;
                            visit(mv, after)
                        },
                    )?;
                }
                if must_jump {
                    return ControlFlow::Continue(());
                }
                if !STEPS {
                    *other |= !(mover.targets(from) & empty).is_empty();
                }
                for &to in mover.steps[usize::from(from)].iter().filter(|_| STEPS) {
                    if !empty.contains(to) {
                        continue;
                    }
                    visited = true;
                    let after = next.with(side, without | PointSet::of(to), others);
                    visit(M::empty(MoveKind::Step).to(from).to(to), Next::Position(after))?;
                }
                for &to in &mover.captures[usize::from(from)] {
                    if !others.contains(to) {
                        continue;
                    }
                    visited = true;
                    let to_set = PointSet::of(to);
                    let after = next.with(side, without | to_set, others - to_set);
                    let after = self.after_capture(side, after);
                    visit(M::empty(MoveKind::Capture).to(from).to(to), after)?;
                }
                ControlFlow::Continue(())
            })?;
        }
        if !(visited || *other) && self.ended(position).is_none() {
            *other = true;
            if !STEPS {
                return ControlFlow::Continue(());
            }
            visit(M::empty(MoveKind::Pass), Next::Position(next))?;
        }
        ControlFlow::Continue(())
    }

    /// Returns the positions after each jump of a move but the last.
    pub(super) fn inner_positions(&self, position: &Position, mv: &Move) -> Vec<Position> {
        let mut after = *position;
        let (own, other) = (position.to_move.index(), position.to_move.other().index());
        let path = if mv.kind == MoveKind::Jump { mv.path() } else { &[] };
        let inner = path.len().saturating_sub(2);
        let jumps = path.windows(2).take(inner).map_while(|pair| {
            let jumps = &self.movers[own].jumps[usize::from(pair[0])];
            let jump = jumps
                .iter()
                .find(|jump| jump.to == pair[1] && after.pieces[other].contains(jump.over))?;
            after.pieces[own] = (after.pieces[own] - PointSet::of(pair[0])) | PointSet::of(jump.to);
            after.pieces[other] = after.pieces[other] - PointSet::of(jump.over);
            Some(after)
        });
        jumps.collect()
    }

    /// Visits the un-moves within the layer of `position`: steps and passes.
    pub(super) fn visit_unmoves<M: Heard, B>(
        &self,
        position: &Position,
        mut visit: impl FnMut(M, Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.layers == Layering::Plies {
            return ControlFlow::Continue(());
        }
        let side = position.to_move.other();
        let (mover, empty) = (self.mover(side), self.empty(position));
        let (own, others) = (position.pieces(side), position.pieces(side.other()));
        let before = Position { to_move: side, ..*position };
        if position.hand[side.index()] == 0 {
            for to in own.iter() {
                for from in (mover.sources[usize::from(to)] & empty).iter() {
                    if self.layers == Layering::Advance && !mover.is_level(from, to) {
                        continue;
                    }
                    let pieces = (own - PointSet::of(to)) | PointSet::of(from);
                    let before = before.with(side, pieces, others);
                    if !self.is_position(&before) || self.is_over_unless_blocked(&before) {
                        continue;
                    }
                    let empty = (empty - PointSet::of(from)) | PointSet::of(to);
                    if mover.compulsory
                        && pieces.iter().any(|piece| mover.can_jump(piece, others, empty))
                    {
                        continue;
                    }
                    visit(M::empty(MoveKind::Step).to(from).to(to), before)?;
                }
            }
        }
        if self.is_position(&before) && !self.can_move(&before) && self.ended(&before).is_none() {
            visit(M::empty(MoveKind::Pass), before)?;
        }
        ControlFlow::Continue(())
    }

    /// Whether an arrangement, whose numbers of pieces are right, is a position: the side not to
    /// move has moved last, so it has a piece, and nobody is to move where the game ended before.
    #[inline]
    pub(super) fn is_position(&self, position: &Position) -> bool {
        if self.all_are_positions {
            return true;
        }
        let mover = position.to_move.other();
        if position.pieces(mover).is_empty() && position.in_hand(mover) == 0 {
            return false;
        }
        let arrived = |side: Side| (position.pieces(side) & self.arrivals[side.index()]).len();
        arrived(position.to_move) == 0 && arrived(position.to_move.other()) <= 1
    }
}

/// A turn of jumps.
struct Chain<'a> {
    play: &'a Play,
    side: Side,
    /// The other pieces of the side.
    own: PointSet,
    /// The position after the turn, but for its pieces.
    next: Position,
}

impl Chain<'_> {
    /// Visits the turns that go on from `from`, where `others` are left and `so_far` was jumped.
    fn visit<M: Heard, B>(
        &self,
        from: u8,
        others: PointSet,
        so_far: M,
        visit: &mut impl FnMut(M, Next) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Chain { play, side, own, next } = *self;
        let mover = play.mover(side);
        for jump in &mover.jumps[usize::from(from)] {
            if !others.contains(jump.over) || (own | others).contains(jump.to) {
                continue;
            }
            let mv = so_far.to(jump.to);
            let left = others - PointSet::of(jump.over);
            let after = next.with(side, own | PointSet::of(jump.to), left);
            let after = play.after_capture(side, after);
            if let Next::End(_) = after {
                visit(mv, after)?;
                continue;
            }
            let goes_on = mover.chain
                && mover.can_jump(jump.to, left, play.all - (own | left))
                && !play.is_over_in_turn(after.position());
            if !(goes_on && mover.compulsory) {
                visit(mv, after)?;
            }
            if goes_on {
                self.visit(jump.to, left, mv, visit)?;
            }
        }
        ControlFlow::Continue(())
    }
}
