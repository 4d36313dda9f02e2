//! The plain routines: positions in a list with their successors, values, numbers of games, censuses.

use std::collections::{BTreeMap, HashMap};

use num_bigint::BigUint;

use crate::{End, Game, Side};

/// The exact value of a position: who wins (nobody in a draw) and in how many plies, the winner hurrying and the loser
/// delaying.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Value {
    /// Who wins with best play.
    pub winner: Option<Side>,
    /// Plies to the end; 0 in a draw.
    pub plies: u32,
}

impl Value {
    /// Nobody can force a win.
    pub const DRAW: Value = Value { winner: None, plies: 0 };

    /// What a move to a position of this value is worth where it is played.
    #[must_use]
    pub fn before(self) -> Value {
        Value { plies: self.plies + u32::from(self.winner.is_some()), ..self }
    }

    /// How good it is for `side`; more is better, 0 for a draw.
    pub fn score(self, side: Side) -> i64 {
        match self.winner {
            None => 0,
            Some(winner) if winner == side => 1_000_000 - i64::from(self.plies),
            Some(_) => i64::from(self.plies) - 1_000_000,
        }
    }
}

/// Numbers of games from a position: ways to play on until the game is over.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Games {
    /// All of them.
    pub total: BigUint,
    /// Those that the first side wins.
    pub first: BigUint,
    /// Those that the second side wins; the rest are draws.
    pub second: BigUint,
}

/// How many positions have which value, by the side to move: for each winner the number of positions for each distance.
pub type Census = BTreeMap<Side, BTreeMap<Option<Side>, BTreeMap<u32, u64>>>;

/// Positions, numbered in the order in which they were met, and where the moves from each lead.
pub struct Graph<P> {
    /// The positions.
    pub positions: Vec<P>,
    /// The number of each position.
    pub numbers: HashMap<P, u32>,
    /// Whose move it is, for each position.
    pub to_move: Vec<Side>,
    /// How the game is over, where it is.
    pub ended: Vec<Option<End>>,
    from: Vec<usize>,
    to: Vec<u32>,
}

impl<P: Clone + Eq + std::hash::Hash> Graph<P> {
    /// Everything that can be reached from `start`, breadth first: first in, first out, moves in the order of the game.
    /// Positions in which the game is over have no successors.
    pub fn reachable<G: Game<Position = P>>(game: &G, start: &P) -> Graph<P> {
        Graph::of(game, vec![start.clone()])
    }

    /// These positions, in this order, and whatever else can be reached from them.
    pub fn of<G: Game<Position = P>>(game: &G, positions: Vec<P>) -> Graph<P> {
        let numbers = positions.iter().cloned().zip(0..).collect();
        let mut graph =
            Graph { positions, numbers, to_move: Vec::new(), ended: Vec::new(), from: vec![0], to: Vec::new() };
        let mut at = 0;
        while at < graph.positions.len() {
            let position = graph.positions[at].clone();
            let end = game.ended(&position);
            if end.is_none() {
                for (_, next) in game.moves(&position) {
                    let fresh = graph.positions.len() as u32;
                    let number = *graph.numbers.entry(next.clone()).or_insert(fresh);
                    if number == fresh {
                        graph.positions.push(next);
                    }
                    graph.to.push(number);
                }
            }
            graph.to_move.push(game.to_move(&position));
            graph.ended.push(end);
            graph.from.push(graph.to.len());
            at += 1;
        }
        graph
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The number of a position.
    pub fn find(&self, position: &P) -> Option<usize> {
        self.numbers.get(position).map(|&number| number as usize)
    }

    /// Where the moves from a position lead, in the order of the game.
    pub fn next(&self, number: usize) -> impl DoubleEndedIterator<Item = usize> + Clone + '_ {
        self.to[self.from[number]..self.from[number + 1]].iter().map(|&to| to as usize)
    }

    /// The positions in an order in which each comes after all that can be reached from it; none if play can go round.
    /// By depth-first search.
    pub fn last_first(&self) -> Option<Vec<usize>> {
        let (fresh, open, done) = (0u8, 1, 2);
        let mut state = vec![fresh; self.len()];
        let mut order = Vec::with_capacity(self.len());
        for root in 0..self.len() {
            if state[root] != fresh {
                continue;
            }
            let mut stack = vec![(root, self.from[root])];
            state[root] = open;
            while let Some((at, edge)) = stack.last_mut() {
                if *edge == self.from[*at + 1] {
                    state[*at] = done;
                    order.push(*at);
                    stack.pop();
                    continue;
                }
                let next = self.to[*edge] as usize;
                *edge += 1;
                if state[next] == open {
                    return None;
                }
                if state[next] == fresh {
                    state[next] = open;
                    stack.push((next, self.from[next]));
                }
            }
        }
        Some(order)
    }

    /// The value of every position of a game in which play cannot go round.
    ///
    /// # Panics
    /// If it can; see [`Graph::values_by_rounds`].
    pub fn values(&self) -> Vec<Value> {
        let order = self.last_first().expect("play goes round; take values_by_rounds");
        let mut values = vec![Value::DRAW; self.len()];
        for at in order {
            values[at] = match self.ended[at] {
                Some(end) => Value { winner: end.winner, plies: 0 },
                None => self.best(at, &values),
            };
        }
        values
    }

    /// What the best move is worth where it is played.
    fn best(&self, at: usize, values: &[Value]) -> Value {
        let side = self.to_move[at];
        let worth = self.next(at).map(|next| values[next].before());
        worth.max_by_key(|value| value.score(side)).expect("where the game goes on there is a move")
    }

    /// The value of every position of any game: the wins of 0 plies, then those of 1, and so on until a round finds
    /// none. What is left is drawn by endless play.
    pub fn values_by_rounds(&self) -> Vec<Value> {
        let mut values: Vec<Option<Value>> = vec![None; self.len()];
        for plies in 0.. {
            let mut found = Vec::new();
            for at in (0..self.len()).filter(|&at| values[at].is_none()) {
                let mover = self.to_move[at];
                let won_by = |next: usize, side| values[next].is_some_and(|value| value.winner == Some(side));
                let winner = match self.ended[at] {
                    Some(end) => end.winner.filter(|_| plies == 0),
                    None if self.next(at).any(|next| won_by(next, mover)) => Some(mover),
                    None if self.next(at).all(|next| won_by(next, mover.other())) => Some(mover.other()),
                    None => None,
                };
                found.extend(winner.map(|winner| (at, winner)));
            }
            if found.is_empty() && plies > 0 {
                break;
            }
            for (at, winner) in found {
                values[at] = Some(Value { winner: Some(winner), plies });
            }
        }
        values.into_iter().map(|value| value.unwrap_or(Value::DRAW)).collect()
    }

    /// The number of games from every position, in a game in which play cannot go round.
    pub fn games(&self) -> Vec<Games> {
        let order = self.last_first().expect("the number of games is finite only where play cannot go round");
        let mut games = vec![Games::default(); self.len()];
        for at in order {
            let mut sum = Games::default();
            match self.ended[at] {
                Some(end) => {
                    sum.total = 1u8.into();
                    sum.first = u8::from(end.winner == Some(Side::First)).into();
                    sum.second = u8::from(end.winner == Some(Side::Second)).into();
                }
                None => {
                    for next in self.next(at) {
                        sum.total += &games[next].total;
                        sum.first += &games[next].first;
                        sum.second += &games[next].second;
                    }
                }
            }
            games[at] = sum;
        }
        games
    }

    /// How many positions have which value.
    pub fn census(&self, values: &[Value]) -> Census {
        let mut census = Census::new();
        for (side, value) in self.to_move.iter().zip(values) {
            *census.entry(*side).or_default().entry(value.winner).or_default().entry(value.plies).or_default() += 1;
        }
        census
    }

    /// How many positions the game is over in, by the side to move and how it ended.
    pub fn ends(&self) -> BTreeMap<(Side, End), u64> {
        let mut ends = BTreeMap::new();
        for (side, end) in self.to_move.iter().zip(&self.ended) {
            if let Some(end) = end {
                *ends.entry((*side, *end)).or_default() += 1;
            }
        }
        ends
    }

    /// The positions in which the game is over by a rule.
    pub fn ended_by(&self, rule: &str) -> Vec<usize> {
        (0..self.len()).filter(|&at| self.ended[at].is_some_and(|end| end.by == rule)).collect()
    }

    /// The zugzwangs: arrangements, given with the first side to move, in which either side would rather not have the
    /// move, the game going on for both; and whether each is full, that is lost by whoever moves. (In the others one side
    /// loses if it has to move and the other does not win but draws.)
    pub fn zugzwangs<G: Game<Position = P>>(&self, game: &G, values: &[Value]) -> Vec<(usize, bool)> {
        let result = |at: usize| values[at].score(Side::First).signum();
        let goes_on = |&at: &usize| self.ended[at].is_none();
        let mut found = Vec::new();
        for at in (0..self.len()).filter(goes_on).filter(|&at| self.to_move[at] == Side::First) {
            if let Some(passed) = self.find(&game.passed(&self.positions[at])).filter(goes_on)
                && result(at) < result(passed)
            {
                found.push((at, result(passed) - result(at) == 2));
            }
        }
        found
    }

    /// The first position that is won by the opponent of the one who wins the position of number 0.
    pub fn opposite(&self, values: &[Value]) -> Option<usize> {
        let of_start = values[0].winner?;
        values.iter().position(|value| value.winner == Some(of_start.other()))
    }

    /// Best play from a position to its end: the texts of the moves. Of moves that are equally good each side takes the
    /// first, or the last if it is in `last`.
    pub fn line<G: Game<Position = P>>(&self, game: &G, values: &[Value], from: usize, last: &[Side]) -> Vec<String> {
        let (mut at, mut line) = (from, Vec::new());
        while self.ended[at].is_none() && values[at].winner.is_some() {
            let side = self.to_move[at];
            let moves = game.moves(&self.positions[at]);
            let mut best: Vec<_> = moves.iter().zip(self.next(at)).collect();
            best.retain(|&(_, next)| values[next].before() == values[at]);
            let pick = if last.contains(&side) { best.last() } else { best.first() };
            let ((mv, _), next) = pick.expect("a won or lost position has a best move");
            line.push(mv.to_string());
            at = *next;
        }
        line
    }

    /// The number of the position of each notation.
    pub fn by_notation<G: Game<Position = P>>(&self, game: &G) -> HashMap<String, usize> {
        self.positions.iter().map(|position| game.notation(position)).zip(0..).collect()
    }
}

/// All ways to choose `k` of the points `0..points`, each ascending.
pub fn subsets(points: u8, k: usize) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    for _ in 0..k {
        let longer = |set: &Vec<u8>| {
            let set = set.clone();
            (set.last().map_or(0, |&last| last + 1)..points).map(move |point| [&set[..], &[point]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
