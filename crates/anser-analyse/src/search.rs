//! Judgements of positions of unknown value, by a search within limits.
//!
//! Iterative deepening, alpha-beta with fail-soft bounds, a transposition table, and quiescence:
//! where the depth is used up, moves that change the material are still searched. The search uses
//! known values. Elsewhere it compares [material](Hunt::material), and counts a repeated position
//! as a draw. A win that it reports is forced; everything else is an estimate.

use std::collections::HashSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anser_core::hunt::{Move, MoveList, Position};
use anser_core::{Hunt, Next, Outcome, Probe, Side, Value};

/// Limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// The greatest number of positions to visit. With this limit alone the result is the same on
    /// every machine.
    pub nodes: u64,
    /// The time limit.
    pub time: Option<Duration>,
    /// The greatest depth in plies, at least 1.
    pub depth: u16,
    /// Stops the search when it becomes true.
    pub stop: Option<&'a AtomicBool>,
}

impl Budget<'_> {
    /// A limit on the number of positions alone.
    pub const fn nodes(nodes: u64) -> Budget<'static> {
        Budget { nodes, time: None, depth: DEEPEST, stop: None }
    }
}

/// The greatest depth of any search, in plies.
const DEEPEST: u16 = 99;

/// Judgement of a position by a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// A side can force a win.
    Forced {
        /// The side that wins.
        winner: Side,
        /// An upper bound of the distance; `None` if the win follows from outcomes of unknown
        /// distance.
        plies: Option<u16>,
    },
    /// Nothing is forced within the depth. The number is the material that the side to move gains;
    /// 0 may also be a draw.
    Material(i32),
}

/// Result of a search.
#[derive(Clone, Debug)]
pub struct Opinion {
    /// For each move in generation order: whether the search prefers it.
    pub best: Vec<bool>,
    /// The judgement of these moves.
    pub judgement: Judgement,
    /// The completed depth, in plies.
    pub depth: u16,
    /// The number of visited positions.
    pub nodes: u64,
    /// The principal variation: the expected moves, starting with the first preferred one.
    pub line: Vec<Move>,
}

/// The greatest number of entries of the transposition table, a power of two.
const ENTRIES: usize = 1 << 18;
/// Limit of a search that has none of its own, which many questions ask one after another.
pub(crate) const BRIEF: Budget<'static> = Budget::nodes(10_000);

/// A win by the rules in `n` plies scores `WON - n`.
const WON: i32 = 1_000_000;
/// A win of unknown distance, reached after `n` plies, scores `KNOWN - n`.
const KNOWN: i32 = 500_000;
/// Weight of a piece in a search that also counts moves: more than the greatest number of moves.
const MATERIAL: i32 = 256;
/// Penalty of a repetition for the side that should win: more than any material.
const NO_PROGRESS: i32 = 300_000;
/// Scores above this, in absolute value, are forced wins.
const FORCED: i32 = 400_000;

/// Searches a position that is not terminal for its best moves; `None` if there is no move.
///
/// `seen` are the earlier positions of the game: a line that returns to one counts as a draw.
///
/// ```
/// use anser_analyse::{Budget, Judgement, Unknown, search};
/// use anser_core::Hunt;
/// use anser_core::{Side, hexapawn::BoardSize};
/// let game = Hunt::hexapawn("3x3".parse::<BoardSize>()?);
/// let budget = Budget::nodes(100_000);
/// let opinion = search(&game, &Unknown, &game.start(), &[], &budget).expect("play begins");
/// assert_eq!(opinion.judgement, Judgement::Forced { winner: Side::Second, plies: Some(6) });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search(
    game: &Hunt,
    probe: &(impl Probe + ?Sized),
    position: &Position,
    seen: &[Position],
    budget: &Budget<'_>,
) -> Option<Opinion> {
    Search::of(game, probe, position, &game.moves(position), seen, budget, Aim::Judgement)
}

/// Searches a won position of unknown distance for moves that keep the win and make progress: the
/// end of the game, more material, or fewer moves of the loser. `None` if no move keeps the win.
///
/// `probe` has to know the outcomes of all positions that the winner's moves lead to.
pub fn convert(
    game: &Hunt,
    probe: &(impl Probe + ?Sized),
    position: &Position,
    seen: &[Position],
    budget: &Budget<'_>,
) -> Option<Opinion> {
    let winner = position.to_move();
    let aim = Aim::Conversion(winner);
    let opinion = Search::of(game, probe, position, &game.moves(position), seen, budget, aim)?;
    (opinion.judgement != Judgement::Forced { winner: winner.other(), plies: None })
        .then_some(opinion)
}

/// Marks those of some moves that keep a draw which are best for the material of their side.
/// Neither side gives the draw away where `probe` knows the outcome.
pub(crate) fn hold(
    game: &Hunt,
    probe: &(impl Probe + ?Sized),
    position: &Position,
    moves: &[(Move, Next)],
    seen: &[Position],
    budget: &Budget<'_>,
) -> Option<Vec<bool>> {
    game.material(position)?;
    Search::of(game, probe, position, moves, seen, budget, Aim::Draw).map(|opinion| opinion.best)
}

/// Returns the meaning of a score for the side to move.
fn judgement(score: i32, side: Side) -> Judgement {
    let winner = if score > 0 { side } else { side.other() };
    match score.abs() {
        forced if forced > KNOWN => {
            Judgement::Forced { winner, plies: u16::try_from(WON - forced).ok() }
        }
        forced if forced > FORCED => Judgement::Forced { winner, plies: None },
        _ => Judgement::Material(score),
    }
}

/// A [`Probe`] without values, and its error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unknown;

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value is not known")
    }
}

impl std::error::Error for Unknown {}

impl Probe for Unknown {
    type Error = Unknown;

    fn value(&self, _: &Position) -> Result<Value, Unknown> {
        Err(Unknown)
    }
}

/// Relation of a stored score to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Clone, Copy)]
struct Entry {
    position: Position,
    depth: i16,
    bound: Bound,
    /// Distances of forced wins are from this position, not from the root.
    score: i32,
    /// The number of the best move in generation order.
    best: u16,
}

impl Entry {
    /// Returns the score if it is the result of a search to this depth within the window.
    fn decides(&self, depth: i32, (alpha, beta): (i32, i32), ply: i32) -> Option<i32> {
        let score = to_root(self.score, ply);
        let is_result = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => score >= beta,
            Bound::AtMost => score <= alpha,
        };
        (i32::from(self.depth) >= depth && is_result).then_some(score)
    }
}

/// Goal of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// The result of the position.
    Judgement,
    /// A way to convert the known win of a side.
    Conversion(Side),
    /// Material in a drawn position.
    Draw,
}

struct Search<'a, P: Probe + ?Sized> {
    game: &'a Hunt,
    probe: &'a P,
    budget: Budget<'a>,
    /// The material of the root.
    baseline: i32,
    aim: Aim,
    /// The earlier positions of the game.
    seen: HashSet<Position>,
    /// The positions of the line being searched.
    path: Vec<Position>,
    table: Vec<Option<Entry>>,
    /// Killer moves by ply.
    killers: Vec<[Option<Move>; 2]>,
    nodes: u64,
    started: Instant,
    is_forced_to_finish: bool,
    /// Whether the depth limit had an influence on the scores.
    is_open: bool,
}

/// Number of positions between two checks of the time limit.
const CLOCK: u64 = 256;

impl<'a, P: Probe + ?Sized> Search<'a, P> {
    fn of(
        game: &'a Hunt,
        probe: &'a P,
        position: &Position,
        moves: &[(Move, Next)],
        seen: &[Position],
        budget: &Budget<'a>,
        aim: Aim,
    ) -> Option<Opinion> {
        if moves.is_empty() {
            return None;
        }
        let baseline = game.material(position).unwrap_or(0);
        let side = position.to_move();
        let seen = seen.iter().chain([position]).copied().collect();
        let entries = budget.nodes.saturating_mul(4).min(ENTRIES as u64).next_power_of_two();
        let mut search = Search {
            game,
            probe,
            budget: *budget,
            baseline,
            aim,
            seen,
            path: Vec::new(),
            table: vec![None; entries as usize],
            killers: Vec::new(),
            nodes: 0,
            started: Instant::now(),
            is_forced_to_finish: true,
            is_open: false,
        };
        let mut order: Vec<usize> = (0..moves.len()).collect();
        let mut opinion = None;
        for depth in 1..=budget.depth.clamp(1, DEEPEST) {
            // Depth 1 is always completed, so that there is a result.
            search.is_forced_to_finish = depth == 1;
            search.is_open = false;
            let Some(scores) = search.root(side, moves, &order, i32::from(depth)) else { break };
            order.sort_by_key(|&number| std::cmp::Reverse(scores[number]));
            let best = scores[order[0]];
            opinion = Some((
                depth,
                scores.iter().map(|&score| score == best).collect::<Vec<bool>>(),
                best,
            ));
            // Forced results, and those that did not depend on the depth limit, are final.
            if best.abs() > FORCED || !search.is_open {
                break;
            }
        }
        let (depth, best, score) = opinion?;
        let first = best.iter().position(|&best| best)?;
        let line = search.line(&moves[first], usize::from(depth));
        Some(Opinion { best, judgement: judgement(score, side), depth, nodes: search.nodes, line })
    }

    /// Returns the scores of the moves, exact for the best ones; `None` if the budget ran out.
    fn root(
        &mut self,
        side: Side,
        moves: &[(Move, Next)],
        order: &[usize],
        depth: i32,
    ) -> Option<Vec<i32>> {
        let mut scores = vec![-WON; moves.len()];
        let mut best = -WON;
        for &number in order {
            // The window includes the best score so far, so equal moves get exact scores.
            let score =
                -self.after(side.other(), &moves[number].1, depth - 1, (-WON, 1 - best), 1)?;
            scores[number] = score;
            best = best.max(score);
        }
        Some(scores)
    }

    /// Returns the score for `side` of what a move of its opponent leads to.
    fn after(
        &mut self,
        side: Side,
        next: &Next,
        depth: i32,
        window: (i32, i32),
        ply: i32,
    ) -> Option<i32> {
        match next {
            Next::Position(next) => self.visit(next, depth, window, ply),
            Next::End(end) => Some(ended(end.outcome, side, ply)),
        }
    }

    /// Returns the score of a position for its side to move, exact within the window and a bound
    /// outside; `None` if the budget ran out.
    fn visit(
        &mut self,
        position: &Position,
        depth: i32,
        window: (i32, i32),
        ply: i32,
    ) -> Option<i32> {
        let (mut alpha, beta) = window;
        self.nodes += 1;
        if self.is_spent() {
            return None;
        }
        let side = position.to_move();
        if let Some(score) = self.determined(position, side, ply) {
            return Some(score);
        }
        let slot = self.slot(position);
        let stored = self.table[slot].filter(|entry| entry.position == *position);
        if let Some(score) = stored.and_then(|entry| entry.decides(depth, window, ply)) {
            self.is_open |= score.abs() <= FORCED;
            return Some(score);
        }
        let (lower, mut best) = (alpha, -WON);
        let material = self.material(position, side);
        if depth <= 0 {
            self.is_open = true;
            best = self.estimate(position, side);
            if best >= beta {
                return Some(best);
            }
            alpha = alpha.max(best);
        }
        let moves = self.game.moves(position);
        let mut best_move = stored.map_or(u16::MAX, |entry| entry.best);
        self.path.push(*position);
        for number in self.order(&moves, best_move, material, side, ply, depth <= 0) {
            let (mv, next) = &moves[number];
            let score = self
                .after(side.other(), next, depth - 1, (-beta, -alpha), ply + 1)
                .map(|score| -score);
            let Some(score) = score else {
                self.path.pop();
                return None;
            };
            if score > best {
                best = score;
                best_move = number as u16;
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                self.remember(*mv, ply);
                break;
            }
        }
        self.path.pop();
        self.table[slot] = Some(Entry {
            position: *position,
            depth: depth.max(0) as i16,
            bound: match best {
                _ if best >= beta => Bound::AtLeast,
                _ if best <= lower => Bound::AtMost,
                _ => Bound::Exact,
            },
            score: from_root(best, ply),
            best: best_move,
        });
        Some(best)
    }

    /// Returns the score of a position that needs no search: the game is over, the position is a
    /// repetition, or its value is known.
    fn determined(&self, position: &Position, side: Side, ply: i32) -> Option<i32> {
        if let Some(outcome) = self.game.terminal(position) {
            return Some(ended(outcome, side, ply));
        }
        if self.seen.contains(position) || self.path.contains(position) {
            return Some(match self.aim {
                Aim::Judgement => 0,
                // A repetition is no progress.
                Aim::Conversion(winner) => Outcome::Win(winner.other()).score(side) * NO_PROGRESS,
                Aim::Draw => self.material(position, side),
            });
        }
        let value = self.probe.value(position).ok()?;
        match (value.outcome, value.plies, self.aim) {
            (outcome @ Outcome::Win(_), Some(plies), _) => {
                Some(ended(outcome, side, ply + i32::from(plies)))
            }
            (Outcome::Draw, _, Aim::Draw) => None,
            (outcome, _, Aim::Judgement | Aim::Draw) => {
                Some(Outcome::from(self.game.winner(outcome)).score(side) * (KNOWN - ply))
            }
            (Outcome::Win(by), None, Aim::Conversion(winner)) if by == winner => None,
            // A lost win counts as a loss.
            (_, _, Aim::Conversion(winner)) => {
                Some(Outcome::Win(winner.other()).score(side) * KNOWN)
            }
        }
    }

    /// Returns the moves to search in order: the best move of the transposition table, changes of
    /// the material, killer moves, and the rest. In the quiescence search, only changes of the
    /// material.
    fn order(
        &self,
        moves: &MoveList,
        stored: u16,
        material: i32,
        side: Side,
        ply: i32,
        is_quiet: bool,
    ) -> Vec<usize> {
        let killers = self.killers.get(ply as usize).copied().unwrap_or_default();
        let mut keyed: Vec<(u8, usize)> = Vec::with_capacity(moves.len());
        for (number, (mv, next)) in moves.iter().enumerate() {
            let changes = match next {
                Next::Position(next) => self.material(next, side) != material,
                Next::End(_) => true,
            };
            let key = match () {
                () if is_quiet && !changes => continue,
                () if number == usize::from(stored) => 0,
                () if changes => 1,
                () if killers.contains(&Some(*mv)) => 2,
                () => 3,
            };
            keyed.push((key, number));
        }
        keyed.sort_unstable();
        keyed.into_iter().map(|(_, number)| number).collect()
    }

    /// Stores a killer move.
    fn remember(&mut self, mv: Move, ply: i32) {
        let ply = ply as usize;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }

    /// Returns the material that a side has gained since the root.
    fn material(&self, position: &Position, side: Side) -> i32 {
        let gained = self.game.material(position).unwrap_or(self.baseline) - self.baseline;
        if side == Side::First { gained } else { -gained }
    }

    /// Returns the static evaluation for `side`, which is to move.
    fn estimate(&self, position: &Position, side: Side) -> i32 {
        let material = self.material(position, side);
        let Aim::Conversion(winner) = self.aim else { return material };
        let loser = if side == winner { self.game.passed(position) } else { Some(*position) };
        let moves = loser.map_or(0, |loser| self.game.moves(&loser).len() as i32);
        // Material first, then the fewest moves of the loser.
        MATERIAL * material + if side == winner { -moves } else { moves }
    }

    /// Returns the index of a position in the transposition table. The hasher has no random keys,
    /// so searches are reproducible.
    fn slot(&self, position: &Position) -> usize {
        let mut hasher = DefaultHasher::new();
        position.hash(&mut hasher);
        hasher.finish() as usize & (self.table.len() - 1)
    }

    fn is_spent(&self) -> bool {
        if self.is_forced_to_finish {
            return false;
        }
        let out_of_time = || self.budget.time.is_some_and(|time| self.started.elapsed() >= time);
        let stopped = || self.budget.stop.is_some_and(|stop| stop.load(Relaxed));
        self.nodes > self.budget.nodes
            || self.nodes.is_multiple_of(CLOCK) && (out_of_time() || stopped())
    }

    /// Returns the principal variation from a move, as far as the transposition table has it.
    fn line(&self, first: &(Move, Next), longest: usize) -> Vec<Move> {
        let mut line = vec![first.0];
        let mut next = first.1;
        while let (Next::Position(position), true) = (next, line.len() < longest) {
            let entry = self.table[self.slot(&position)].filter(|entry| entry.position == position);
            let Some(entry) = entry.filter(|entry| entry.bound == Bound::Exact) else { break };
            let Some((mv, after)) =
                self.game.moves(&position).into_iter().nth(usize::from(entry.best))
            else {
                break;
            };
            line.push(mv);
            next = after;
        }
        line
    }
}

/// Returns the score for `side` of an end of the game after `ply` plies.
fn ended(outcome: Outcome, side: Side, ply: i32) -> i32 {
    outcome.score(side) * (WON - ply)
}

/// Returns the score to store: distances of forced wins are from the position itself.
fn from_root(score: i32, ply: i32) -> i32 {
    if score.abs() > FORCED { score + score.signum() * ply } else { score }
}

/// The inverse of [`from_root`].
fn to_root(score: i32, ply: i32) -> i32 {
    if score.abs() > FORCED { score - score.signum() * ply } else { score }
}
