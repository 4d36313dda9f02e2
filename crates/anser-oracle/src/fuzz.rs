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
///
/// It holds the positions in an order in which each comes after all that can be reached from it, so that one pass is
/// enough for each p.
pub struct Match {
    /// Where each position of the graph is in that order.
    place: Vec<usize>,
    steps: Vec<Step>,
    /// Where the moves lead, for all positions one after the other, and whether each is best by the strategy.
    moves: Vec<(u32, bool)>,
}

/// What is to be done at a position.
enum Step {
    /// The game is over; whether the opponent has won.
    Over(bool),
    /// The opponent plays: so many moves.
    Opponent(usize),
    /// The fuzzy player plays: so many moves.
    Fuzzy(usize),
}

impl Match {
    /// The fuzzy player has the side `fuzzy`.
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

    /// The chance that the opponent of the fuzzy player wins, from a position.
    pub fn chance(&self, fuzz: Fuzz, p: f64, from: usize) -> f64 {
        self.pass(fuzz, p)[self.place[from]]
    }

    /// The chances from every position.
    pub fn chances(&self, fuzz: Fuzz, p: f64) -> Vec<f64> {
        let chances = self.pass(fuzz, p);
        self.place.iter().map(|&place| chances[place]).collect()
    }

    /// The chances in the order of the steps.
    fn pass(&self, fuzz: Fuzz, p: f64) -> Vec<f64> {
        let mut chances: Vec<f64> = Vec::with_capacity(self.steps.len());
        let mut rest = &self.moves[..];
        for step in &self.steps {
            let count = if let Step::Opponent(count) | Step::Fuzzy(count) = *step { count } else { 0 };
            let (moves, others) = rest.split_at(count);
            rest = others;
            let after = moves.iter().map(|&(to, _)| chances[to as usize]);
            let chance = match *step {
                Step::Over(won) => f64::from(won),
                Step::Opponent(_) => after.fold(0.0, f64::max),
                Step::Fuzzy(_) => {
                    let (n, b) = (moves.len() as f64, moves.iter().filter(|&&(_, best)| best).count() as f64);
                    let weight = |best: f64| match fuzz {
                        Fuzz::Weights => (p + (1.0 - p) * best) / (p * n + (1.0 - p) * b),
                        Fuzz::Literal => p / n + (1.0 - p) * best / b,
                    };
                    after.zip(moves).map(|(chance, &(_, best))| weight(f64::from(best)) * chance).sum()
                }
            };
            chances.push(chance);
        }
        chances
    }

    /// The p at which the opponent wins half the games from a position: bisection on [0, 1] until the width is under
    /// `width`, the lower end.
    pub fn fairest(&self, fuzz: Fuzz, from: usize, width: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        while high - low >= width {
            let middle = f64::midpoint(low, high);
            if self.chance(fuzz, middle, from) < 0.5 { low = middle } else { high = middle }
        }
        low
    }
}
