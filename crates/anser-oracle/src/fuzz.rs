//! The fuzzy player of Fox-and-Hounds, which plays a strategy with occasional random moves against
//! an optimal opponent.

use crate::fox_hounds::Position;
use crate::foxbox::MaxB;
use crate::game::Side;
use crate::plain::{Graph, Value};

/// Meaning of the fuzz factor p.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fuzz {
    /// A move has weight p, a best move weight 1. This reading gives the table of the document.
    Weights,
    /// With probability p a move chosen uniformly, otherwise a best one. This is the text of the
    /// document.
    Literal,
}

/// Returns whether each move, in the order of the game, is best by the strategy. Best are the moves
/// that keep the best outcome and, among these, the longest wins if the fox wins, and those with
/// the greatest [`MaxB`] if the hounds win.
pub fn best_moves(graph: &Graph<Position>, values: &[Value], max: &[MaxB], at: usize) -> Vec<bool> {
    let keeps = |&next: &usize| values[next].winner == values[at].winner;
    if values[at].winner == Some(Side::First) {
        let longest = graph.next(at).filter(keeps).map(|next| values[next].plies).max();
        return graph
            .next(at)
            .map(|next| keeps(&next) && Some(values[next].plies) == longest)
            .collect();
    }
    let most = graph.next(at).filter(keeps).map(|next| max[next]).max();
    graph.next(at).map(|next| keeps(&next) && Some(max[next]) == most).collect()
}

/// A match of a fuzzy player against an opponent that knows its strategy and plays optimally.
///
/// Positions are stored in an order in which each follows its successors, so that one pass computes
/// the chances for one p.
pub struct Match {
    /// Index of each position of the graph in that order.
    place: Vec<usize>,
    steps: Vec<Step>,
    /// Successors of all positions, concatenated, and whether each move is best by the strategy.
    moves: Vec<(u32, bool)>,
}

/// Rule for the chance at a position.
enum Step {
    /// The game is over: whether the opponent has won.
    Over(bool),
    /// The opponent is to move: number of moves.
    Opponent(usize),
    /// The fuzzy player is to move: number of moves.
    Fuzzy(usize),
}

impl Match {
    /// Builds the match in which `fuzzy` is the side of the fuzzy player.
    pub fn new(graph: &Graph<Position>, values: &[Value], max: &[MaxB], fuzzy: Side) -> Match {
        let order = graph.last_first().expect("Fox-and-Hounds ends");
        let mut place = vec![0; graph.len()];
        let (mut steps, mut moves) = (Vec::new(), Vec::new());
        for (here, at) in order.into_iter().enumerate() {
            place[at] = here;
            let to = graph.next(at).map(|next| place[next] as u32);
            steps.push(if let Some(end) = graph.ended[at] {
                Step::Over(end.winner == Some(fuzzy.other()))
            } else if graph.to_move[at] == fuzzy {
                moves.extend(to.zip(best_moves(graph, values, max, at)));
                Step::Fuzzy(graph.next(at).count())
            } else {
                moves.extend(to.map(|to| (to, false)));
                Step::Opponent(graph.next(at).count())
            });
        }
        Match { place, steps, moves }
    }

    /// Returns the probability that the opponent of the fuzzy player wins from a position.
    pub fn chance(&self, fuzz: Fuzz, p: f64, from: usize) -> f64 {
        self.pass(fuzz, p)[self.place[from]]
    }

    /// Returns the probabilities from every position.
    pub fn chances(&self, fuzz: Fuzz, p: f64) -> Vec<f64> {
        let chances = self.pass(fuzz, p);
        self.place.iter().map(|&place| chances[place]).collect()
    }

    /// Probabilities in the order of the steps.
    fn pass(&self, fuzz: Fuzz, p: f64) -> Vec<f64> {
        let mut chances: Vec<f64> = Vec::with_capacity(self.steps.len());
        let mut rest = &self.moves[..];
        for step in &self.steps {
            let count =
                if let Step::Opponent(count) | Step::Fuzzy(count) = *step { count } else { 0 };
            let (moves, others) = rest.split_at(count);
            rest = others;
            let after = moves.iter().map(|&(to, _)| chances[to as usize]);
            let chance = match *step {
                Step::Over(won) => f64::from(won),
                Step::Opponent(_) => after.fold(0.0, f64::max),
                Step::Fuzzy(_) => {
                    let (n, b) = (
                        moves.len() as f64,
                        moves.iter().filter(|&&(_, best)| best).count() as f64,
                    );
                    let weight = |best: f64| match fuzz {
                        Fuzz::Weights => (p + (1.0 - p) * best) / (p * n + (1.0 - p) * b),
                        Fuzz::Literal => p / n + (1.0 - p) * best / b,
                    };
                    after
                        .zip(moves)
                        .map(|(chance, &(_, best))| weight(f64::from(best)) * chance)
                        .sum()
                }
            };
            chances.push(chance);
        }
        chances
    }

    /// Returns the p at which the opponent wins half of the games from a position: the lower end of
    /// a bisection of [0, 1] to less than `width`.
    pub fn fairest(&self, fuzz: Fuzz, from: usize, width: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        while high - low >= width {
            let middle = f64::midpoint(low, high);
            if self.chance(fuzz, middle, from) < 0.5 { low = middle } else { high = middle }
        }
        low
    }
}
