//! The fuzzy player of Fox-and-Hounds: it plays its strategy, now and then a move at random, against a best player.

use crate::fox_hounds::Position;
use crate::foxbox::MaxB;
use crate::{Graph, Side, Value};

/// What the fuzz p means, for n moves of which b are best by the strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fuzz {
    /// Every move weighs p, and a best one 1 - p more. This gives the document's table.
    Weights,
    /// With probability p any move, all alike, else a best one: the document's words.
    Literal,
}

/// Whether each move, in the order of the game, is best by the strategy: those that keep the best outcome; among them, if
/// the fox wins, the ones that make that longest; if the hounds win, those of the greatest [`MaxB`].
pub fn best_moves(graph: &Graph<Position>, values: &[Value], max: &[MaxB], at: usize) -> Vec<bool> {
    let keeps = |&next: &usize| values[next].winner == values[at].winner;
    if values[at].winner == Some(Side::First) {
        let longest = graph.next(at).filter(keeps).map(|next| values[next].plies).max();
        return graph.next(at).map(|next| keeps(&next) && Some(values[next].plies) == longest).collect();
    }
    let most = graph.next(at).filter(keeps).map(|next| max[next]).max();
    graph.next(at).map(|next| keeps(&next) && Some(max[next]) == most).collect()
}

/// A fuzzy player of one side against an opponent who knows it and plays as well as can be.
pub struct Match<'a> {
    graph: &'a Graph<Position>,
    fuzzy: Side,
    order: Vec<usize>,
    /// For each position with the fuzzy side to move, which moves are best by its strategy.
    best: Vec<Vec<bool>>,
}

impl<'a> Match<'a> {
    /// The fuzzy player has the side `fuzzy`.
    pub fn new(graph: &'a Graph<Position>, values: &[Value], max: &[MaxB], fuzzy: Side) -> Match<'a> {
        let best = |at: usize| {
            let plays = graph.ended[at].is_none() && graph.to_move[at] == fuzzy;
            if plays { best_moves(graph, values, max, at) } else { Vec::new() }
        };
        let order = graph.last_first().expect("Fox-and-Hounds ends");
        Match { graph, fuzzy, order, best: (0..graph.len()).map(best).collect() }
    }

    /// The chance that the opponent of the fuzzy player wins, from every position.
    pub fn chances(&self, fuzz: Fuzz, p: f64) -> Vec<f64> {
        let mut chance = vec![0.0; self.graph.len()];
        for &at in &self.order {
            chance[at] = if let Some(end) = self.graph.ended[at] {
                f64::from(end.winner == Some(self.fuzzy.other()))
            } else if self.graph.to_move[at] == self.fuzzy {
                let (n, b) = (self.best[at].len() as f64, self.best[at].iter().filter(|&&best| best).count() as f64);
                let mut sum = 0.0;
                for (next, &best) in self.graph.next(at).zip(&self.best[at]) {
                    let best = f64::from(best);
                    let weight = match fuzz {
                        Fuzz::Weights => (p + (1.0 - p) * best) / (p * n + (1.0 - p) * b),
                        Fuzz::Literal => p / n + (1.0 - p) * best / b,
                    };
                    sum += weight * chance[next];
                }
                sum
            } else {
                self.graph.next(at).map(|next| chance[next]).fold(0.0, f64::max)
            };
        }
        chance
    }

    /// The p at which the opponent wins half the games from a position: bisection on [0, 1] until the width is under
    /// `width`, the lower end.
    pub fn fairest(&self, fuzz: Fuzz, from: usize, width: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        while high - low >= width {
            let middle = f64::midpoint(low, high);
            if self.chances(fuzz, middle)[from] < 0.5 { low = middle } else { high = middle }
        }
        low
    }
}
