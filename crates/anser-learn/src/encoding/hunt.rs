//! Any hunt: planes of pieces, and moves by their direction and the point where they begin.

use std::collections::BTreeSet;

use anser_core::hunt::{Description, Move, MoveKind, Position};
use anser_core::{Hunt, Side};

use super::exchange::exchange;
use super::{Encoding, mark};

/// Scale of the plies left.
const PLIES: f32 = 30.0;

/// The encoding of any hunt, from its description.
///
/// Inputs: the points of the few and of the many, once for the few to move and once for the many;
/// the half of the other side is empty. If a map of the board makes each side the other, as in
/// Hexapawn, the many see the board through it instead, and there is one half: the own pieces, then
/// those of the other side. Then follow, if the game has them, the shares of the pieces in hand,
/// the own first, and the plies left.
///
/// Actions: for each side, the ways in which a piece can move, as a direction with a distance,
/// steps before captures, times the points where a move can begin; only the ways if there is one
/// piece. A chain of captures goes from where it begins to where it ends; those that have both in
/// common have one action. Then the points where a piece is placed, and the pass, if the side has
/// them.
#[derive(Clone, Debug)]
pub struct HuntEncoding {
    game: Hunt,
    /// By point: its image under the map that exchanges the sides, if there is one.
    exchanged: Option<Vec<u8>>,
    sides: [Actions; 2],
}

/// The actions of a side.
#[derive(Clone, Debug)]
struct Actions {
    /// The first action.
    first: usize,
    /// By way: whether it is a capture, and the distances up and to the right; in ascending order.
    ways: Vec<(bool, i32, i32)>,
    /// By point: its number among those where a move can begin. All are 0 if the piece is alone.
    sources: Vec<usize>,
    /// The number of sources.
    source_count: usize,
    /// The action after the last one.
    end: usize,
}

fn way(description: &Description, capture: bool, from: u8, to: u8) -> (bool, i32, i32) {
    let [from, to] = [from, to].map(|point| &description.points[usize::from(point)]);
    (capture, to.y - from.y, to.x - from.x)
}

/// Returns where two chains of captures after one another begin and end, unless one does so.
fn longer_chains(chains: &BTreeSet<[u8; 2]>) -> Vec<[u8; 2]> {
    let longer = chains.iter().flat_map(|&[from, between]| {
        let next = chains.iter().filter(move |&&[next, _]| next == between);
        next.map(move |&[_, to]| [from, to])
    });
    longer.filter(|chain| !chains.contains(chain)).collect()
}

impl Actions {
    fn new(description: &Description, side: Side, first: usize) -> Actions {
        let of = description.side(side);
        let steps = of.steps.iter().map(|&[from, to]| (false, from, to));
        let jumps = of.jumps.iter().map(|&[from, _, to]| [from, to]);
        let mut captures: BTreeSet<[u8; 2]> = of.captures.iter().copied().chain(jumps).collect();
        let mut longer = if of.chain { longer_chains(&captures) } else { Vec::new() };
        while !longer.is_empty() {
            captures.extend(longer);
            longer = longer_chains(&captures);
        }
        let captures = captures.into_iter().map(|[from, to]| (true, from, to));
        let moves: Vec<(bool, u8, u8)> = steps.chain(captures).collect();
        let mut ways: Vec<_> =
            moves.iter().map(|&(capture, from, to)| way(description, capture, from, to)).collect();
        ways.sort_unstable();
        ways.dedup();
        let points = description.points.len();
        let alone = of.number[1] == 1;
        let mut sources = vec![0; points];
        let mut source_count = 0;
        for point in (0..points as u8).filter(|_| !alone) {
            sources[usize::from(point)] = source_count;
            source_count += usize::from(moves.iter().any(|&(_, from, _)| from == point));
        }
        let source_count = if alone { 1 } else { source_count };
        let places = of.hand > 0;
        let passes = !description.blocked_loses(side);
        let placed = first + ways.len() * source_count + if places { points } else { 0 };
        Actions { first, ways, sources, source_count, end: placed + usize::from(passes) }
    }

    fn of(&self, description: &Description, kind: MoveKind, path: &[u8]) -> usize {
        let moves = self.first + self.ways.len() * self.source_count;
        match (kind, path) {
            (MoveKind::Placement, &[point]) => moves + usize::from(point),
            (_, &[from, .., to]) => {
                let way = way(description, kind != MoveKind::Step, from, to);
                let way = self.ways.binary_search(&way).expect("a move goes one of the ways");
                self.first + way * self.source_count + self.sources[usize::from(from)]
            }
            _ => self.end - 1,
        }
    }
}

impl HuntEncoding {
    /// Creates the encoding of a game.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// use anser_learn::{Encoding, HuntEncoding};
    /// let pawns = HuntEncoding::new(&Hunt::hexapawn("4x4".parse()?));
    /// assert_eq!((pawns.inputs(), pawns.actions()), (32, 36));
    /// let geese = HuntEncoding::new(&Hunt::fox_geese("free")?);
    /// // Eight steps and eight jumps of the fox; eight steps of geese from 33 points.
    /// assert_eq!((geese.inputs(), geese.actions()), (4 * 33, 16 + 8 * 33));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(game: &Hunt) -> HuntEncoding {
        let description = game.description();
        let exchanged = exchange(description);
        let few = Actions::new(description, Side::First, 0);
        let many = match exchanged {
            Some(_) => few.clone(),
            None => Actions::new(description, Side::Second, few.end),
        };
        HuntEncoding { game: game.clone(), exchanged, sides: [few, many] }
    }

    /// Returns the point as a side sees it.
    fn seen(&self, side: Side, point: u8) -> u8 {
        match &self.exchanged {
            Some(images) if side == Side::Second => images[usize::from(point)],
            _ => point,
        }
    }

    /// Returns the number of inputs for pieces.
    fn planes(&self) -> usize {
        let halves = if self.exchanged.is_some() { 1 } else { 2 };
        2 * halves * self.game.description().points.len()
    }

    fn has_hands(&self) -> bool {
        self.game.description().sides.iter().any(|side| side.hand > 0)
    }
}

impl Encoding for HuntEncoding {
    fn name(&self) -> &'static str {
        "hunt-2"
    }

    fn inputs(&self) -> usize {
        let hands = if self.has_hands() { 2 } else { 0 };
        self.planes() + hands + usize::from(self.game.description().plies.is_some())
    }

    fn actions(&self) -> usize {
        self.sides[1].end
    }

    fn encode(&self, position: &Position, inputs: &mut [f32]) {
        let description = self.game.description();
        let (points, side) = (description.points.len(), position.to_move());
        let (start, planes) = match self.exchanged {
            Some(_) => (0, [side, side.other()]),
            None => (side.index() * 2 * points, Side::BOTH),
        };
        for (plane, of) in planes.into_iter().enumerate() {
            let seen = position.pieces(of).iter().map(|point| self.seen(side, point).into());
            mark(inputs, start + plane * points, seen);
        }
        let mut rest = inputs[self.planes()..].iter_mut();
        if self.has_hands() {
            for (of, input) in [side, side.other()].into_iter().zip(&mut rest) {
                let all = f32::from(description.side(of).hand.max(1));
                *input = f32::from(position.in_hand(of)) / all;
            }
        }
        if let (Some(plies), Some(input)) = (position.plies_left(), rest.next()) {
            *input = f32::from(plies) / PLIES;
        }
    }

    fn action(&self, position: &Position, mv: &Move) -> u16 {
        let side = position.to_move();
        let path: Vec<u8> = mv.path().iter().map(|&point| self.seen(side, point)).collect();
        self.sides[side.index()].of(self.game.description(), mv.kind(), &path) as u16
    }
}
