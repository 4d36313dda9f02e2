//! Fox-and-Geese, solved layer by layer.
//!
//! [`solve`] sweeps over the undecided positions of a layer until nothing changes. This is
//! Algorithm 1 of S. Edelkamp and H. Messerschmidt, "Strongly Solving Fox-and-Geese on Multi-core
//! CPU" (2010), except that draws are distinguished from wins of the fox. The program uses no
//! symmetry, packing, un-moves, or threads.

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

/// Values of all positions with the same number of geese.
///
/// Positions are ordered by point of the fox, then by goose set, then by side to move, the fox
/// first. Goose sets ascend as binary numbers over the 32 points without the fox.
pub struct Layer {
    /// The number of geese, 1 to 31.
    pub geese: usize,
    /// [`FOX`], [`GEESE`], or [`DRAW`] for every position.
    pub value: Vec<u8>,
    /// Number of sweeps, the last of which changed nothing.
    pub rounds: usize,
    /// The goose sets over 32 points.
    sets: Vec<u64>,
    /// Number of goose sets with a lesser upper half.
    upper: Vec<usize>,
    /// Number of goose sets with the same upper half and a lesser lower half.
    lower: Vec<usize>,
}

impl Layer {
    /// Returns the value of a position. Points are numbered 0 to 32 rank by rank from c1 to e7. Bit
    /// n of `geese` is a goose on point n.
    ///
    /// # Panics
    /// If the number of geese is not that of the layer, or a goose is on the point of the fox.
    pub fn get(&self, fox: usize, geese: u64, geese_to_move: bool) -> u8 {
        assert!(geese.count_ones() as usize == self.geese && !has(geese, fox));
        self.value[self.rank(fox, geese, geese_to_move)]
    }

    /// Returns every position as point of the fox, goose set, whether the geese are to move, and
    /// value.
    pub fn positions(&self) -> impl Iterator<Item = (usize, u64, bool, u8)> {
        self.value.iter().enumerate().map(|(index, &value)| {
            let (fox, geese, geese_to_move) = self.unrank(index);
            (fox, geese, geese_to_move, value)
        })
    }

    /// Returns the number of positions that the geese win, both sides to move.
    pub fn won_for_geese(&self) -> usize {
        self.positions().filter(|position| position.3 == GEESE).count()
    }

    fn rank(&self, fox: usize, geese: u64, geese_to_move: bool) -> usize {
        let below = (1 << fox) - 1;
        let places = ((geese & below) | (geese >> 1 & !below)) as usize;
        let set = self.upper[places >> 16] + self.lower[places & 0xffff];
        2 * (fox * self.sets.len() + set) + usize::from(geese_to_move)
    }

    fn unrank(&self, index: usize) -> (usize, u64, bool) {
        let (fox, set) = (index / 2 / self.sets.len(), index / 2 % self.sets.len());
        let (below, places) = ((1 << fox) - 1, self.sets[set]);
        let geese = (places & below) | ((places & !below) << 1);
        (fox, geese, index % 2 == 1)
    }

    /// The layer before the first sweep: every value is `DRAW`, or `FOX` if too few geese are left.
    fn unsolved(geese: usize) -> Layer {
        let (mut sets, mut set) = (vec![], (1_u64 << geese) - 1);
        while set < 1 << 32 {
            sets.push(set);
            // The next set with as many ones: add the lowest one, and put those that the carry
            // cleared at the low end.
            let sum = set + (1 << set.trailing_zeros());
            set = sum | ((1 << (set.count_ones() - sum.count_ones())) - 1);
        }
        let (mut upper, mut lower) = (vec![usize::MAX; 1 << 16], vec![0; 1 << 16]);
        for (number, &set) in sets.iter().enumerate() {
            let (high, low) = (set as usize >> 16, set as usize & 0xffff);
            upper[high] = number.min(upper[high]);
            lower[low] = number - upper[high];
        }
        let open = if geese < LEAST_GEESE { FOX } else { DRAW };
        Layer {
            // 33 points of the fox, two sides to move.
            value: vec![open; 33 * 2 * sets.len()],
            rounds: 0,
            geese,
            sets,
            upper,
            lower,
        }
    }
}

/// Solves the layer of `geese` geese. Every sweep processes every undecided position, as Algorithm
/// 1 does.
///
/// `lower[k]` is the layer of k + 1 geese under the same rules, for all k + 1 < `geese`. It is not
/// used if the first capture wins.
pub fn solve(rules: Rules, geese: usize, lower: &[Layer]) -> Layer {
    sweep(rules, geese, lower, false)
}

/// Solves a layer as [`solve`] does, with the same values and number of sweeps, in less time: a
/// sweep skips a position unless one of its neighbors was decided since the position was last
/// processed.
pub fn solve_skipping(rules: Rules, geese: usize, lower: &[Layer]) -> Layer {
    sweep(rules, geese, lower, true)
}

fn sweep(rules: Rules, geese: usize, lower: &[Layer], skips: bool) -> Layer {
    let (board, mut layer) = (Board::new(rules), Layer::unsolved(geese));

    // Captures leave the layer, so the value of the best one is known before the first sweep.
    let mut captures = vec![None; layer.value.len() / 2];
    for (pair, capture) in captures.iter_mut().enumerate() {
        let (fox, set, _) = layer.unrank(2 * pair);
        *capture = board.best_capture(fox, set, lower);
    }

    // An undecided position counts as a draw. A position is won if one move is known to win, and
    // lost if all moves are known to lose. Positions that stay undecided are draws.
    let mut skipped = vec![false; layer.value.len()];
    let mut changed = true;
    while changed {
        changed = false;
        layer.rounds += 1;
        for index in 0..layer.value.len() {
            if layer.value[index] != DRAW || skipped[index] {
                continue;
            }
            skipped[index] = skips;
            let (fox, set, geese_to_move) = layer.unrank(index);
            let after = |fox, set| layer.value[layer.rank(fox, set, !geese_to_move)];
            let value = if geese_to_move {
                let steps = board.goose_steps(fox, set);
                steps.fold(FOX, |best, set| better(GEESE, best, after(fox, set)))
            } else {
                let capture = captures[index / 2];
                let may_step = capture.is_none() || !rules.compulsory;
                let steps = elements(board.points[fox].fox_steps & !set).filter(|_| may_step);
                let captured = capture.unwrap_or(GEESE);
                steps.fold(captured, |best, fox| better(FOX, best, after(fox, set)))
            };
            if value != DRAW {
                layer.value[index] = value;
                changed = true;
            }
            if value != DRAW && skips {
                board.for_neighbors(fox, set, geese_to_move, |fox, set| {
                    skipped[layer.rank(fox, set, !geese_to_move)] = false;
                });
            }
        }
    }
    layer
}

/// Distance of a position that has none yet.
const OPEN: u16 = u16::MAX;

/// Returns the distance of every position of a solved layer, in the order of its values, where the
/// winner hurries and the loser delays; 0 for a draw. `lower[k]` is the layer of k + 1 geese, and
/// `lower_plies[k]` has its distances.
///
/// Sweep d finds the positions of distance d: those won by a move to a position of distance d - 1
/// that the opponent loses, and those lost because the longest resistance of all moves is d - 1.
pub fn plies(rules: Rules, layer: &Layer, lower: &[Layer], lower_plies: &[Vec<u16>]) -> Vec<u16> {
    let board = Board::new(rules);
    let over = if layer.geese < LEAST_GEESE { 0 } else { OPEN };
    let mut plies: Vec<u16> =
        layer.value.iter().map(|&value| if value == DRAW { 0 } else { over }).collect();
    let mut distance = 0;
    while plies.contains(&OPEN) {
        let known =
            |(value, plies): (u8, u16)| (value, if plies < distance { plies } else { OPEN });
        let mut found = vec![];
        for index in 0..plies.len() {
            if plies[index] != OPEN {
                continue;
            }
            let (fox, set, geese_to_move) = layer.unrank(index);
            let after = |fox, set| {
                let next = layer.rank(fox, set, !geese_to_move);
                known((layer.value[next], plies[next]))
            };
            let (mover, other) = if geese_to_move { (GEESE, FOX) } else { (FOX, GEESE) };
            let wins = layer.value[index] == mover;
            // The move that decides whether the position has this distance: one that wins, or one
            // that does not lose yet.
            let decides = |(value, plies): (u8, u16)| {
                if wins { value == mover && plies != OPEN } else { value != other || plies == OPEN }
            };
            let has_decisive_move = if geese_to_move {
                board.goose_steps(fox, set).any(|set| decides(after(fox, set)))
            } else {
                let mut captures = vec![];
                board.ends_of_captures(fox, set, (lower, lower_plies), &mut captures);
                let may_step = captures.is_empty() || !rules.compulsory;
                let mut steps = elements(board.points[fox].fox_steps & !set).filter(|_| may_step);
                captures.into_iter().any(|end| decides(known(end)))
                    || steps.any(|fox| decides(after(fox, set)))
            };
            if has_decisive_move == wins {
                found.push(index);
            }
        }
        for index in found {
            plies[index] = distance;
        }
        distance += 1;
        assert!(distance < 10_000, "a win has no finite distance");
    }
    plies
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

    /// Value and distance of every position in which a turn, or the rest of a turn, that begins
    /// with a capture may end.
    fn ends_of_captures(
        &self,
        fox: usize,
        geese: u64,
        lower: (&[Layer], &[Vec<u16>]),
        ends: &mut Vec<(u8, u16)>,
    ) {
        for &(over, to) in
            self.points[fox].jumps.iter().filter(|&&(over, to)| has(geese, over) && !has(geese, to))
        {
            let left = geese ^ (1 << over);
            let count = left.count_ones() as usize;
            if self.rules.first_capture_wins || count < LEAST_GEESE {
                ends.push((FOX, 0));
                continue;
            }
            let before = ends.len();
            if self.rules.chain {
                self.ends_of_captures(to, left, lower, ends);
            }
            if ends.len() == before || !self.rules.compulsory {
                let index = lower.0[count - 1].rank(to, left, true);
                ends.push((lower.0[count - 1].value[index], lower.1[count - 1][index]));
            }
        }
    }

    /// Best value for the fox of a turn, or the rest of a turn, that begins with a capture; `None`
    /// if there is no capture.
    fn best_capture(&self, fox: usize, geese: u64, lower: &[Layer]) -> Option<u8> {
        let jumps = self.points[fox].jumps.iter();
        let open = jumps.filter(|&&(over, to)| has(geese, over) && !has(geese, to));
        open.map(|&(over, to)| self.after_jump(to, geese ^ (1 << over), lower))
            .reduce(|best, value| better(FOX, best, value))
    }

    /// Value for a fox that has just captured; `geese` are the remaining geese.
    fn after_jump(&self, fox: usize, geese: u64, lower: &[Layer]) -> u8 {
        let left = geese.count_ones() as usize;
        if self.rules.first_capture_wins || left < LEAST_GEESE {
            return FOX;
        }
        let stop = lower[left - 1].get(fox, geese, true);
        if !self.rules.chain {
            return stop;
        }
        match self.best_capture(fox, geese, lower) {
            Some(go_on) if self.rules.compulsory => go_on,
            Some(go_on) => better(FOX, stop, go_on),
            None => stop,
        }
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
