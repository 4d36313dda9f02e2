//! Fox-and-Geese, solved layer by layer, without symmetry, packing, un-moves, or threads.
//!
//! [`sweep`] processes the undecided positions of a layer again and again until nothing changes.
//! This is Algorithm 1 of S. Edelkamp and H. Messerschmidt, "Strongly Solving Fox-and-Geese on
//! Multi-core CPU" (2010), except that draws are distinguished from wins of the fox. [`solve`]
//! finds the positions of each distance in turn, from the rules alone as well.

/// Value of a position in which neither side can force a win.
pub const DRAW: u8 = 0;
/// Value of a position that the fox wins.
pub const FOX: u8 = 1;
/// Value of a position that the geese win.
pub const GEESE: u8 = 2;
/// Least number of geese that have not lost by the rules.
const LEAST_GEESE: usize = 4;

/// The rules. With all fields false they are those of the published game.
#[expect(clippy::struct_excessive_bools, reason = "each is a rule of its own")]
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules {
    /// Geese move only sideways or toward rank 7, forward diagonals included.
    pub geese_forward: bool,
    /// The fox wins with its first capture.
    pub first_capture_wins: bool,
    /// There are no diagonal lines.
    pub orthogonal: bool,
    /// After a capture the fox may continue to capture in the same turn, any number of times.
    pub chain: bool,
    /// A fox that can capture must. With `chain` it must continue as long as it can, by any route.
    pub compulsory: bool,
}

/// The positions with the same number of geese.
///
/// They are ordered by side to move, the fox first, then by point of the fox, then by goose set.
/// Goose sets ascend as binary numbers over the 32 points without the fox.
struct Order {
    /// The number of geese, 1 to 31.
    geese: usize,
    /// The goose sets over 32 points.
    sets: Vec<u32>,
    /// Number of goose sets with a lesser upper half.
    upper: Vec<u32>,
    /// Number of goose sets with the same upper half and a lesser lower half.
    lower: Vec<u32>,
}

impl Order {
    fn new(geese: usize) -> Order {
        let (mut sets, mut set) = (vec![], (1_u64 << geese) - 1);
        while set < 1 << 32 {
            sets.push(set as u32);
            // The next set with as many ones: add the lowest one, and put those that the carry
            // cleared at the low end.
            let sum = set + (1 << set.trailing_zeros());
            set = sum | ((1 << (set.count_ones() - sum.count_ones())) - 1);
        }
        let (mut upper, mut lower) = (vec![u32::MAX; 1 << 16], vec![0; 1 << 16]);
        for (number, &set) in (0..).zip(&sets) {
            let (high, low) = (set as usize >> 16, set as usize & 0xffff);
            upper[high] = number.min(upper[high]);
            lower[low] = number - upper[high];
        }
        Order { geese, sets, upper, lower }
    }

    /// Returns the number of positions with one side to move: 33 points of the fox.
    fn len(&self) -> usize {
        33 * self.sets.len()
    }

    fn rank(&self, fox: usize, geese: u64, geese_to_move: bool) -> usize {
        let below = (1 << fox) - 1;
        let places = ((geese & below) | (geese >> 1 & !below)) as usize;
        let set = self.upper[places >> 16] + self.lower[places & 0xffff];
        (usize::from(geese_to_move) * 33 + fox) * self.sets.len() + set as usize
    }

    fn unrank(&self, index: usize) -> (usize, u64, bool) {
        let (place, set) = (index / self.sets.len(), index % self.sets.len());
        let fox = place % 33;
        let (below, places) = ((1 << fox) - 1, u64::from(self.sets[set]));
        (fox, (places & below) | ((places & !below) << 1), place >= 33)
    }
}

/// Values and distances of all positions with the same number of geese.
pub struct Layer {
    order: Order,
    /// [`FOX`], [`GEESE`], or [`DRAW`] for every position.
    value: Vec<u8>,
    /// Plies to the end, where the winner hurries and the loser delays; 0 in a draw.
    plies: Vec<u16>,
}

impl Layer {
    /// Returns the number of geese.
    pub fn geese(&self) -> usize {
        self.order.geese
    }

    /// Returns value and distance of a position. Points are numbered 0 to 32 rank by rank from c1
    /// to e7. Bit n of `geese` is a goose on point n.
    ///
    /// # Panics
    /// If the number of geese is not that of the layer, or a goose is on the point of the fox.
    pub fn get(&self, fox: usize, geese: u64, geese_to_move: bool) -> (u8, u16) {
        assert!(geese.count_ones() as usize == self.geese() && !has(geese, fox));
        let index = self.order.rank(fox, geese, geese_to_move);
        (self.value[index], self.plies[index])
    }

    /// Returns the values of all positions, those with the fox to move first.
    pub fn values(&self) -> &[u8] {
        &self.value
    }

    /// Returns every position as point of the fox, goose set, whether the geese are to move, value,
    /// and distance.
    pub fn positions(&self) -> impl Iterator<Item = (usize, u64, bool, u8, u16)> {
        self.value.iter().zip(&self.plies).enumerate().map(|(index, (&value, &plies))| {
            let (fox, geese, geese_to_move) = self.order.unrank(index);
            (fox, geese, geese_to_move, value, plies)
        })
    }
}

/// Returns the number of positions among `values` that the geese win.
pub fn won_for_geese(values: &[u8]) -> usize {
    values.iter().map(|&value| usize::from(value == GEESE)).sum()
}

/// Sweeps over every undecided position of the layer of `geese` geese until nothing changes, as
/// Algorithm 1 does. Returns the values in the order of [`Layer::values`], and the number of
/// sweeps, the last of which changed nothing.
///
/// `lower[k]` is the layer of k + 1 geese under the same rules, for all k + 1 < `geese`. It is not
/// used if the first capture wins.
pub fn sweep(rules: Rules, geese: usize, lower: &[Layer]) -> (Vec<u8>, usize) {
    let (board, order) = (Board::new(rules), Order::new(geese));
    let mut values = vec![if geese < LEAST_GEESE { FOX } else { DRAW }; 2 * order.len()];

    // Captures leave the layer, so the value of the best one is known before the first sweep.
    let captures: Vec<Option<u8>> = (0..order.len())
        .map(|index| {
            let (fox, set, _) = order.unrank(index);
            board.best_capture(fox, set, lower).map(|(value, _)| value)
        })
        .collect();

    // An undecided position counts as a draw. A position is won if one move is known to win, and
    // lost if all moves are known to lose. Positions that stay undecided are draws.
    let (mut sweeps, mut changed) = (0, true);
    while changed {
        changed = false;
        sweeps += 1;
        for index in 0..values.len() {
            if values[index] != DRAW {
                continue;
            }
            let (fox, set, geese_to_move) = order.unrank(index);
            let after = |fox, set| values[order.rank(fox, set, !geese_to_move)];
            let value = if geese_to_move {
                let steps = board.goose_steps(fox, set);
                steps.fold(FOX, |best, set| better(GEESE, best, after(fox, set)))
            } else {
                let capture = captures[index];
                let may_step = capture.is_none() || !rules.compulsory;
                let steps = elements(board.points[fox].fox_steps & !set).filter(|_| may_step);
                let captured = capture.unwrap_or(GEESE);
                steps.fold(captured, |best, fox| better(FOX, best, after(fox, set)))
            };
            if value != DRAW {
                values[index] = value;
                changed = true;
            }
        }
    }
    (values, sweeps)
}

/// Solves the layer of `geese` geese for values and distances. `lower` is as for [`sweep`].
///
/// Round d finds the positions of distance d. The side that makes the last move wins, so in an odd
/// round these are won for the side to move, by a move to a position that it is known to win. In an
/// even round they are lost for the side to move, because all its moves lead to positions that the
/// opponent is known to win. A round need only look at positions with a move to something that the
/// last round decided.
pub fn solve(rules: Rules, geese: usize, lower: &[Layer]) -> Layer {
    /// The fox has no capture.
    const NO_CAPTURE: u8 = u8::MAX;
    /// Undecided positions per decided one from which on all of them are looked at.
    const FEW: usize = 32;
    let (board, order) = (Board::new(rules), Order::new(geese));
    let (count, over) = (order.len(), geese < LEAST_GEESE);
    let mut value = vec![if over { FOX } else { DRAW }; 2 * count];
    let mut plies = vec![0; 2 * count];
    if over {
        return Layer { order, value, plies };
    }

    // The value of the best capture counts as a draw before the round after its distance.
    let mut captures = vec![NO_CAPTURE; count];
    let mut due: Vec<Vec<u32>> = vec![];
    for (index, capture) in captures.iter_mut().enumerate() {
        let (fox, set, _) = order.unrank(index);
        if let Some((value, plies)) = board.best_capture(fox, set, lower) {
            *capture = DRAW;
            if value != DRAW {
                due.resize_with(due.len().max(usize::from(plies) + 1), Vec::new);
                due[usize::from(plies)].push(index as u32);
            }
        }
    }

    // By side to move: the positions that the last round decided, and the number of undecided ones.
    let (mut last, mut open) = ([vec![], vec![]], [count; 2]);
    for round in 0_usize.. {
        let mut captured = vec![];
        if let Some(due) = round.checked_sub(1).and_then(|last| due.get_mut(last)) {
            captured = std::mem::take(due);
            let winner = winner(true, round - 1);
            for &index in &captured {
                captures[index as usize] = winner;
            }
        }
        let mut found = [vec![], vec![]];
        for geese_to_move in [false, true] {
            let side = usize::from(geese_to_move);
            let (winner, wins) = (winner(geese_to_move, round), round % 2 == 1);
            let decides = |value: u8| (value == winner) == wins;
            let mut look_at = |index: usize| {
                if value[index] != DRAW {
                    return;
                }
                let (fox, set, _) = order.unrank(index);
                let has_decisive_move = if geese_to_move {
                    let mut steps = board.goose_steps(fox, set);
                    steps.any(|set| decides(value[order.rank(fox, set, false)]))
                } else {
                    let capture = captures[index];
                    let may_step = capture == NO_CAPTURE || !rules.compulsory;
                    let mut steps = elements(board.points[fox].fox_steps & !set);
                    (capture != NO_CAPTURE && decides(capture))
                        || (may_step && steps.any(|fox| decides(value[order.rank(fox, set, true)])))
                };
                if has_decisive_move == wins {
                    found[side].push(index as u32);
                }
            };
            let decided: &[u32] = &last[1 - side];
            if round == 0 || decided.len() * FEW > open[side] {
                (side * count..(side + 1) * count).for_each(look_at);
                continue;
            }
            for &index in decided {
                let (fox, set, _) = order.unrank(index as usize);
                board.for_neighbors(fox, set, !geese_to_move, |fox, set| {
                    look_at(order.rank(fox, set, geese_to_move));
                });
            }
            if !geese_to_move {
                for &index in &captured {
                    look_at(index as usize);
                }
            }
        }
        for (side, found) in found.iter_mut().enumerate() {
            // A position may have been looked at more than once.
            found.retain(|&index| {
                let index = index as usize;
                let is_new = value[index] == DRAW;
                (value[index], plies[index]) = (winner(side == 1, round), round as u16);
                is_new
            });
            open[side] -= found.len();
        }
        if found.iter().all(Vec::is_empty) && round >= due.len() {
            break;
        }
        last = found;
    }
    Layer { order, value, plies }
}

/// The winner of a position of this distance: the side that makes the last move.
fn winner(geese_to_move: bool, plies: usize) -> u8 {
    if geese_to_move == (plies % 2 == 1) { GEESE } else { FOX }
}

/// The better of two values for `mover`. If neither is a win of `mover`, a draw is better, which is
/// the lesser number.
fn better(mover: u8, a: u8, b: u8) -> u8 {
    if a == mover || b == mover {
        return mover;
    }
    a.min(b)
}

struct Board {
    rules: Rules,
    points: Vec<Point>,
}

/// Destinations of the lines from a point.
#[derive(Default)]
struct Point {
    fox_steps: u64,
    goose_steps: u64,
    /// The point jumped over and the one jumped to.
    jumps: Vec<(usize, usize)>,
}

impl Board {
    fn new(rules: Rules) -> Board {
        let (all, arm) = ((0..49).map(|i| (i % 7, i / 7)), 2..5);
        let on_cross = |(x, y): &(i32, i32)| arm.contains(x) || arm.contains(y);
        let cross: Vec<_> = all.filter(on_cross).collect();
        let number = |x, y| cross.iter().position(|&point| point == (x, y));
        let mut points = vec![];
        for &(x, y) in &cross {
            let mut point = Point::default();
            for (dx, dy) in (0..9).map(|i| (i % 3 - 1, i / 3 - 1)) {
                // Diagonals join the points of the parity of d4, which is (3, 3).
                let line = match (dx, dy) {
                    (0, 0) => false,
                    (0, _) | (_, 0) => true,
                    _ => !rules.orthogonal && (x + y) % 2 == 0,
                };
                if let (true, Some(to)) = (line, number(x + dx, y + dy)) {
                    let goose_may = !rules.geese_forward || dy >= 0;
                    let behind = number(x + 2 * dx, y + 2 * dy);
                    point.fox_steps |= 1 << to;
                    point.goose_steps |= u64::from(goose_may) << to;
                    point.jumps.extend(behind.map(|behind| (to, behind)));
                }
            }
            points.push(point);
        }
        Board { rules, points }
    }

    /// Goose sets after each step of a goose.
    fn goose_steps(&self, fox: usize, geese: u64) -> impl Iterator<Item = u64> {
        elements(geese).flat_map(move |from| {
            let free = self.points[from].goose_steps & !geese & !(1 << fox);
            elements(free).map(move |to| geese ^ (1 << from) ^ (1 << to))
        })
    }

    /// Visits the positions of the layer, with the other side to move, that differ by one step
    /// along a line, whether or not the rules allow it. All predecessors by a step are among them.
    fn for_neighbors(
        &self,
        fox: usize,
        geese: u64,
        geese_to_move: bool,
        mut visit: impl FnMut(usize, u64),
    ) {
        if geese_to_move {
            for fox in elements(self.points[fox].fox_steps & !geese) {
                visit(fox, geese);
            }
        } else {
            for to in elements(geese) {
                let free = self.points[to].fox_steps & !geese & !(1 << fox);
                for from in elements(free) {
                    visit(fox, geese ^ (1 << to) ^ (1 << from));
                }
            }
        }
    }

    /// Returns value and distance of the best position for the fox in which a turn, or the rest of
    /// a turn, that begins with a capture may end; `None` if there is no capture.
    fn best_capture(&self, fox: usize, geese: u64, lower: &[Layer]) -> Option<(u8, u16)> {
        let jumps = self.points[fox].jumps.iter();
        let open = jumps.filter(|&&(over, to)| has(geese, over) && !has(geese, to));
        open.map(|&(over, to)| self.after_jump(to, geese ^ (1 << over), lower))
            .max_by_key(|&end| for_fox(end))
    }

    /// Value and distance for a fox that has just captured; `geese` are the remaining geese.
    fn after_jump(&self, fox: usize, geese: u64, lower: &[Layer]) -> (u8, u16) {
        let left = geese.count_ones() as usize;
        if self.rules.first_capture_wins || left < LEAST_GEESE {
            return (FOX, 0);
        }
        let stop = lower[left - 1].get(fox, geese, true);
        if !self.rules.chain {
            return stop;
        }
        match self.best_capture(fox, geese, lower) {
            Some(go_on) if self.rules.compulsory => go_on,
            Some(go_on) => {
                [stop, go_on].into_iter().max_by_key(|&end| for_fox(end)).unwrap_or(stop)
            }
            None => stop,
        }
    }
}

/// Order of values and distances for the fox: the greater the better.
fn for_fox((value, plies): (u8, u16)) -> i32 {
    match value {
        FOX => 0x10000 - i32::from(plies),
        GEESE => i32::from(plies) - 0x10000,
        _ => 0,
    }
}

fn has(set: u64, point: usize) -> bool {
    set & (1 << point) != 0
}

/// Points of a set, ascending.
fn elements(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let point = (set != 0).then_some(set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        point
    })
}
