//! Monte Carlo tree search guided by evaluations.
//!
//! A tree runs simulations until it needs an evaluation, and continues when it gets one, so that
//! one batch serves many trees. With [`Search::exact`], values that follow from ends of the game
//! are propagated as certain: a position with a move to a certain win is a certain win, one whose
//! moves are all certain is as good as the best of them.

use anser_analyse::Random;
use anser_core::hunt::Position;
use anser_core::{Dtw, Hunt, Next, Side};

use crate::LearnError;
use crate::evaluate::{Evaluation, Evaluator, results, softmax, value_for};

/// Parameters of the search of a tree.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// Number of simulations, without the evaluation of the root.
    pub simulations: u32,
    /// Selection of the move that a simulation follows.
    pub selection: Selection,
    /// Whether certain values are propagated.
    pub exact: bool,
}

/// Selection of the move that a simulation follows.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// The move with the greatest sum of its mean value Q and `c * P * sqrt(N) / (1 + n)`: P its
    /// share of the policy, n its visits, N those of the position.
    Puct {
        /// The weight of the policy against the values.
        c: f32,
        /// Value of a move without visits: the mean value of the position less this, or 0 for
        /// `None`.
        reduction: Option<f32>,
        /// The part of the root's policy that is replaced by noise in self-play.
        noise: f32,
    },
    /// Gumbel `AlphaZero` (Danihelka et al. 2022): at the root sequential halving over the moves
    /// that a random sample without replacement draws, below it the visits follow the improved
    /// policy.
    Gumbel {
        /// The number of moves that the root considers at most.
        considered: u32,
        /// The weight of the values against the scores.
        scale: f32,
    },
}

struct Edge {
    /// The side that moves.
    side: Side,
    next: Next,
    /// The value of the end of the game for the mover, if the move ends it.
    end: Option<f32>,
    node: Option<u32>,
    score: f32,
    share: f32,
    visits: u32,
    total: f32,
    /// The value of the position before the move if it is played, with the plies as far as known.
    certain: Option<Dtw>,
}

impl Edge {
    fn mean(&self) -> Option<f32> {
        match self.certain {
            Some(certain) => Some(value_for(certain.outcome(), self.side)),
            None => (self.visits > 0).then(|| self.total / self.visits as f32),
        }
    }

    fn is_lost(&self) -> bool {
        self.certain.is_some_and(|certain| certain.score(self.side) < 0)
    }
}

struct Node {
    /// The side to move.
    side: Side,
    /// The evaluation, for the side to move.
    value: f32,
    edges: Vec<Edge>,
    certain: Option<Dtw>,
}

impl Node {
    fn visits(&self) -> u32 {
        self.edges.iter().map(|edge| edge.visits).sum()
    }

    /// The mean of the evaluation and all simulations.
    fn mean(&self) -> f32 {
        if let Some(certain) = self.certain {
            return value_for(certain.outcome(), self.side);
        }
        let total: f32 = self.edges.iter().map(|edge| edge.total).sum();
        (self.value + total) / (1 + self.visits()) as f32
    }

    /// Moves that may be worth a visit: those that are not certainly lost.
    fn open(&self) -> impl Iterator<Item = (usize, &Edge)> {
        self.edges.iter().enumerate().filter(|(_, edge)| !edge.is_lost())
    }

    /// The mean value of each move, and for moves without visits the mean over the visited ones by
    /// their shares, mixed with the evaluation.
    fn completed(&self) -> Vec<f32> {
        let visits = self.visits() as f32;
        let tried = self.edges.iter().filter(|edge| edge.visits > 0);
        let (share, sum) = tried.fold((0.0, 0.0), |(share, sum), edge| {
            (share + edge.share, sum + edge.share * edge.mean().unwrap_or(0.0))
        });
        let mixed = if share > 0.0 {
            (self.value + visits * sum / share) / (1.0 + visits)
        } else {
            self.value
        };
        self.edges.iter().map(|edge| edge.mean().unwrap_or(mixed)).collect()
    }

    /// The scores improved by the values: those of the policy that the search arrived at.
    fn improved(&self, scale: f32) -> Vec<f32> {
        let most = self.edges.iter().map(|edge| edge.visits).max().unwrap_or(0);
        let weight = (50.0 + most as f32) * scale;
        let values = self.completed();
        self.edges.iter().zip(values).map(|(edge, value)| edge.score + weight * value).collect()
    }

    fn update_certain(&mut self) {
        let score = |certain: &Dtw| certain.score(self.side);
        let best = self.edges.iter().filter_map(|edge| edge.certain).max_by_key(score);
        let all = self.edges.iter().all(|edge| edge.certain.is_some());
        self.certain = best.filter(|best| all || score(best) > 0);
    }
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Searched {
    /// The number of the chosen move, in generation order.
    pub choice: usize,
    /// The share of each move in the policy that the search arrived at.
    pub shares: Vec<f32>,
    /// The value for the side to move, of -1 to 1.
    pub value: f32,
}

/// The tree of one position.
pub(crate) struct Tree {
    search: Search,
    nodes: Vec<Node>,
    root: Position,
    /// Gumbel noise by move of the root, or noise shares; empty without noise.
    noise: Vec<f32>,
    /// The visits that the moves tried next have, by simulation.
    schedule: Vec<u32>,
    path: Vec<(u32, u16)>,
    done: u32,
    /// The visits of the root's moves from earlier searches.
    earlier: Vec<u32>,
}

impl Tree {
    pub(crate) fn new(search: Search, root: Position) -> Tree {
        Tree {
            search,
            nodes: Vec::new(),
            root,
            noise: Vec::new(),
            schedule: Vec::new(),
            path: Vec::new(),
            done: 0,
            earlier: Vec::new(),
        }
    }

    /// Returns the subtree after a move of the root, with its visits, values, and certain values.
    /// Its simulations are counted from 0. Returns `None` if the move was not visited.
    pub(crate) fn after(mut self, choice: usize, random: Option<&mut Random>) -> Option<Tree> {
        let edge = self.nodes.first()?.edges.get(choice)?;
        let (Next::Position(root), Some(first)) = (&edge.next, edge.node) else { return None };
        let mut tree = Tree::new(self.search, *root);
        // The new numbers of the nodes that are moved; children follow their parents.
        let mut moved = vec![first];
        let mut next = 0;
        while let Some(&old) = moved.get(next) {
            let place = &mut self.nodes[old as usize];
            let mut node = Node { edges: std::mem::take(&mut place.edges), ..*place };
            for edge in &mut node.edges {
                edge.node = edge.node.map(|child| {
                    moved.push(child);
                    moved.len() as u32 - 1
                });
            }
            tree.nodes.push(node);
            next += 1;
        }
        tree.earlier = tree.nodes[0].edges.iter().map(|edge| edge.visits).collect();
        tree.begin(random);
        Some(tree)
    }

    /// Returns the visits of a move of the root in this search.
    fn visits(&self, number: usize) -> u32 {
        let earlier = self.earlier.get(number).copied().unwrap_or(0);
        self.nodes[0].edges[number].visits - earlier
    }

    /// Simulates until an evaluation is needed, and returns its position; `None` once the search is
    /// done.
    pub(crate) fn run(&mut self) -> Option<Position> {
        if self.nodes.is_empty() {
            return Some(self.root);
        }
        while self.done < self.search.simulations && self.nodes[0].certain.is_none() {
            let mut at = 0;
            self.path.clear();
            loop {
                let number = self.select(at);
                self.path.push((at, number as u16));
                let edge = &self.nodes[at as usize].edges[number];
                if let Some(end) = edge.end {
                    self.back_up(end);
                    break;
                }
                match (edge.node, &edge.next) {
                    (Some(node), _) => {
                        let (after, side) = (&self.nodes[node as usize], edge.side);
                        if let Some(certain) = after.certain {
                            self.back_up(value_for(certain.outcome(), side));
                            break;
                        }
                        at = node;
                    }
                    (None, Next::Position(next)) => return Some(*next),
                    (None, Next::End(_)) => unreachable!("a move that ends the game has its value"),
                }
            }
        }
        None
    }

    /// Takes the evaluation of the position that [`Tree::run`] returned.
    pub(crate) fn take(
        &mut self,
        game: &Hunt,
        evaluation: Evaluation,
        random: Option<&mut Random>,
    ) {
        let position = match self.path.last() {
            Some(&(at, number)) if !self.nodes.is_empty() => {
                match &self.nodes[at as usize].edges[usize::from(number)].next {
                    Next::Position(next) => *next,
                    Next::End(_) => unreachable!("ends are not evaluated"),
                }
            }
            _ => self.root,
        };
        let node = self.node(game, position, evaluation);
        let (value, number) = (node.mean(), self.nodes.len() as u32);
        self.nodes.push(node);
        if number == 0 {
            self.begin(random);
        } else {
            let &(at, edge) = self.path.last().expect("a leaf has a path");
            self.nodes[at as usize].edges[usize::from(edge)].node = Some(number);
            self.back_up(-value);
        }
    }

    fn node(&self, game: &Hunt, position: Position, evaluation: Evaluation) -> Node {
        let side = position.to_move();
        let shares = softmax(&evaluation.scores);
        let edge = |((next, score), share)| {
            let outcome = game.outcome_after(&next);
            let end = outcome.map(|outcome| value_for(outcome, side));
            let certain = outcome.filter(|_| self.search.exact);
            let certain = certain.map(|outcome| Dtw::ended(outcome).before());
            Edge { side, next, end, node: None, score, share, visits: 0, total: 0.0, certain }
        };
        let edges = results(game, &position).into_iter().zip(evaluation.scores).zip(shares);
        let edges = edges.map(edge).collect();
        let mut node = Node { side, value: evaluation.value, edges, certain: None };
        if self.search.exact {
            node.update_certain();
        }
        node
    }

    /// Prepares the root.
    fn begin(&mut self, random: Option<&mut Random>) {
        let root = &mut self.nodes[0];
        match self.search.selection {
            Selection::Puct { noise, .. } => {
                if let Some(random) = random.filter(|_| noise > 0.0) {
                    // Exponential numbers over their sum: Dirichlet noise with all parameters 1.
                    let drawn = root.edges.iter().map(|_| -(1.0 - random.unit()).ln() as f32);
                    let drawn: Vec<f32> = drawn.collect();
                    let all: f32 = drawn.iter().sum();
                    for (edge, drawn) in root.edges.iter_mut().zip(drawn) {
                        edge.share = (1.0 - noise) * edge.share + noise * drawn / all;
                    }
                }
            }
            Selection::Gumbel { considered, .. } => {
                let moves = root.open().count().max(1) as u32;
                self.schedule = schedule(considered.min(moves), self.search.simulations);
                if let Some(random) = random {
                    let gumbel = |unit: f64| -(-(unit.max(1e-12)).ln()).ln() as f32;
                    self.noise = root.edges.iter().map(|_| gumbel(random.unit())).collect();
                }
            }
        }
    }

    fn select(&self, at: u32) -> usize {
        let node = &self.nodes[at as usize];
        let best = |key: &dyn Fn(usize, &Edge) -> f32| {
            first_greatest(node.edges.iter().enumerate().map(|(number, edge)| {
                if edge.is_lost() { f32::NEG_INFINITY } else { key(number, edge) }
            }))
        };
        match self.search.selection {
            Selection::Puct { c, reduction, .. } => {
                let root = (1.0 + node.visits() as f32).sqrt();
                let first = reduction.map_or(0.0, |reduction| node.mean() - reduction);
                best(&|_, edge| {
                    edge.mean().unwrap_or(first) + c * edge.share * root / (1 + edge.visits) as f32
                })
            }
            Selection::Gumbel { scale, .. } => {
                let improved = node.improved(scale);
                if at == 0 {
                    let visits = self.schedule[self.done as usize];
                    // Moves that turned out to be lost leave visits to others.
                    let nearest = node
                        .open()
                        .map(|(number, _)| self.visits(number))
                        .min_by_key(|&it| (it.abs_diff(visits), it))
                        .unwrap_or(0);
                    best(&|number, _| self.sampled(&improved, number, nearest))
                } else {
                    let shares = softmax(&improved);
                    let all = (1 + node.visits()) as f32;
                    best(&|number, edge| shares[number] - edge.visits as f32 / all)
                }
            }
        }
    }

    /// Returns the improved score of a move of the root plus its noise if the move has this number
    /// of visits; otherwise negative infinity.
    fn sampled(&self, improved: &[f32], number: usize, visits: u32) -> f32 {
        if self.visits(number) != visits {
            return f32::NEG_INFINITY;
        }
        improved[number] + self.noise.get(number).copied().unwrap_or(0.0)
    }

    /// Counts a simulation. `value` is that of the last position of the path, for its mover.
    fn back_up(&mut self, mut value: f32) {
        self.done += 1;
        for step in (0..self.path.len()).rev() {
            let (at, number) = self.path[step];
            let child = self.nodes[at as usize].edges[usize::from(number)].node;
            let certain = child.and_then(|child| self.nodes[child as usize].certain);
            let node = &mut self.nodes[at as usize];
            let edge = &mut node.edges[usize::from(number)];
            edge.visits += 1;
            edge.total += value;
            if let Some(certain) = certain
                && edge.certain.is_none()
            {
                edge.certain = Some(certain.before());
                node.update_certain();
            }
            value = -node.certain.map_or(value, |certain| value_for(certain.outcome(), node.side));
        }
    }

    /// Returns the result of a search that is done.
    pub(crate) fn searched(&self) -> Searched {
        let root = &self.nodes[0];
        let value = root.mean();
        if let Some(certain) = root.certain {
            // Only the best of the certain moves; the others may be unknown.
            let best = |edge: &Edge| edge.certain == Some(certain);
            let count = root.edges.iter().filter(|edge| best(edge)).count() as f32;
            let share = |edge| if best(edge) { 1.0 / count } else { 0.0 };
            let shares: Vec<f32> = root.edges.iter().map(share).collect();
            // Of equals, the one that the evaluation prefers.
            let choice =
                first_greatest(root.edges.iter().zip(&shares).map(|(edge, &share)| {
                    if share > 0.0 { edge.score } else { f32::NEG_INFINITY }
                }));
            return Searched { choice, shares, value };
        }
        match self.search.selection {
            Selection::Puct { .. } => {
                let open: Vec<f32> = root
                    .edges
                    .iter()
                    .map(|edge| if edge.is_lost() { 0.0 } else { edge.visits as f32 })
                    .collect();
                let all: f32 = open.iter().sum();
                let shares: Vec<f32> = if all > 0.0 {
                    open.iter().map(|visits| visits / all).collect()
                } else {
                    root.edges.iter().map(|edge| edge.share).collect()
                };
                Searched { choice: first_greatest(shares.iter().copied()), shares, value }
            }
            Selection::Gumbel { scale, .. } => {
                let mut improved = root.improved(scale);
                for (score, edge) in improved.iter_mut().zip(&root.edges) {
                    if edge.is_lost() {
                        *score = f32::NEG_INFINITY;
                    }
                }
                let most = root.open().map(|(number, _)| self.visits(number)).max().unwrap_or(0);
                let numbers = 0..root.edges.len();
                let choice =
                    first_greatest(numbers.map(|number| self.sampled(&improved, number, most)));
                Searched { choice, shares: softmax(&improved), value }
            }
        }
    }
}

/// Returns the place of the first of the greatest numbers.
pub(crate) fn first_greatest(numbers: impl Iterator<Item = f32>) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for (place, number) in numbers.enumerate() {
        if number > best.1 {
            best = (place, number);
        }
    }
    best.0
}

/// Returns the visits that moves tried at the root have, by simulation, for sequential halving: all
/// considered moves equally often, then the better half of them, and so on to two.
fn schedule(considered: u32, simulations: u32) -> Vec<u32> {
    if considered <= 1 {
        return (0..simulations).collect();
    }
    let rounds = considered.next_power_of_two().ilog2();
    let (mut visits, mut left, mut schedule) =
        (vec![0; considered as usize], considered, Vec::new());
    while schedule.len() < simulations as usize {
        for _ in 0..(simulations / (rounds * left)).max(1) {
            schedule.extend_from_slice(&visits[..left as usize]);
            visits[..left as usize].iter_mut().for_each(|visits| *visits += 1);
        }
        left = (left / 2).max(2);
    }
    schedule.truncate(simulations as usize);
    schedule
}

/// Searches positions side by side.
///
/// # Errors
/// Those of the evaluator.
pub fn search(
    game: &Hunt,
    search: Search,
    positions: &[Position],
    evaluator: &mut impl Evaluator,
) -> Result<Vec<Searched>, LearnError> {
    let mut trees: Vec<Tree> =
        positions.iter().map(|&position| Tree::new(search, position)).collect();
    run_all(game, &mut trees, evaluator, None)?;
    Ok(trees.iter().map(Tree::searched).collect())
}

/// Runs trees to their ends, with one batch of evaluations for all of them at a time. `randoms` has
/// a generator per tree for the noise at its root.
pub(crate) fn run_all(
    game: &Hunt,
    trees: &mut [Tree],
    evaluator: &mut impl Evaluator,
    mut randoms: Option<&mut [Random]>,
) -> Result<(), LearnError> {
    let mut open: Vec<usize> = (0..trees.len()).collect();
    loop {
        let mut positions = Vec::with_capacity(open.len());
        open.retain(|&number| {
            let position = trees[number].run();
            positions.extend(position);
            position.is_some()
        });
        if open.is_empty() {
            return Ok(());
        }
        let evaluations = evaluator.evaluate(&positions)?;
        for (&number, evaluation) in open.iter().zip(evaluations) {
            let random = randoms.as_deref_mut().map(|randoms| &mut randoms[number]);
            trees[number].take(game, evaluation, random);
        }
    }
}

#[cfg(test)]
mod tests {
    use anser_core::Hunt;
    use anser_core::hexapawn::BoardSize;

    use super::*;

    /// Knows nothing of a position but its moves.
    struct Uniform<'a>(&'a Hunt);

    impl Evaluator for Uniform<'_> {
        fn evaluate(&mut self, positions: &[Position]) -> Result<Vec<Evaluation>, LearnError> {
            let moves = positions.iter().map(|position| results(self.0, position).len());
            Ok(moves.map(|moves| Evaluation { scores: vec![0.0; moves], value: 0.0 }).collect())
        }
    }

    #[test]
    fn a_tree_after_a_move_keeps_what_was_found_below_it() {
        let game = Hunt::hexapawn(BoardSize::new(4, 4).expect("there is such a board"));
        for selection in [
            Selection::Gumbel { considered: 16, scale: 0.1 },
            Selection::Puct { c: 1.5, reduction: Some(0.2), noise: 0.25 },
        ] {
            let search = Search { simulations: 200, selection, exact: true };
            let mut trees = [Tree::new(search, game.start())];
            run_all(&game, &mut trees, &mut Uniform(&game), None).expect("it cannot fail");
            let [tree] = trees;
            let choice = tree.searched().choice;
            let edge = &tree.nodes[0].edges[choice];
            let (child, visits) = (edge.node.expect("it was visited"), edge.visits);
            let below = &tree.nodes[child as usize];
            let (value, certain) = (below.mean(), below.certain);
            let mut after = tree.after(choice, None).expect("it was visited");
            let root = &after.nodes[0];
            assert_eq!((root.mean(), root.certain), (value, certain));
            // The first visit evaluated the position itself.
            assert_eq!(root.visits() + 1, visits);
            assert!((2..=visits).contains(&(after.nodes.len() as u32)), "at most one node a visit");
            let before = root.visits();
            run_all(&game, std::slice::from_mut(&mut after), &mut Uniform(&game), None)
                .expect("it cannot fail");
            let done = after.nodes[0].visits() - before;
            assert!(done == 200 || after.nodes[0].certain.is_some(), "{done}");
            let of_moves = (0..after.nodes[0].edges.len()).map(|number| after.visits(number));
            assert_eq!(of_moves.sum::<u32>(), done);
        }
    }
}
