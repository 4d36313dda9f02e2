//! Positions in a list, with their successors, values, numbers of games, and censuses.

use std::collections::{BTreeMap, HashMap};

use num_bigint::BigUint;

use crate::game::{End, Game, Side};

/// Exact value of a position: the winner and the plies to the end, where the winner hurries and the
/// loser delays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Value {
    /// The winner with best play; `None` in a draw.
    pub winner: Option<Side>,
    /// Plies to the end; 0 in a draw.
    pub plies: u32,
}

impl Value {
    /// Neither side can force a win.
    pub const DRAW: Value = Value { winner: None, plies: 0 };

    /// Value, before the move, of a move to a position of this value.
    #[must_use]
    pub fn before(self) -> Value {
        Value { plies: self.plies + u32::from(self.winner.is_some()), ..self }
    }

    /// Order of values for `side`: greater is better, 0 is a draw.
    pub fn score(self, side: Side) -> i64 {
        match self.winner {
            None => 0,
            Some(winner) if winner == side => 1_000_000 - i64::from(self.plies),
            Some(_) => i64::from(self.plies) - 1_000_000,
        }
    }
}

/// Numbers of games from a position: sequences of moves to the end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Games {
    /// All games.
    pub total: BigUint,
    /// Games that the first side wins.
    pub first: BigUint,
    /// Games that the second side wins. The others are draws.
    pub second: BigUint,
}

/// Number of positions by side to move, winner, and distance.
pub type Census = BTreeMap<Side, BTreeMap<Option<Side>, BTreeMap<u32, u64>>>;

/// Positions, numbered in the order in which they were found, with the successors of each.
pub struct Graph<P> {
    /// The positions.
    pub positions: Vec<P>,
    /// The number of each position.
    pub numbers: HashMap<P, u32>,
    /// The side to move in each position.
    pub to_move: Vec<Side>,
    /// The end of the game in each position, if it is over.
    pub ended: Vec<Option<End>>,
    from: Vec<usize>,
    to: Vec<u32>,
}

impl<P: Clone + Eq + std::hash::Hash> Graph<P> {
    /// Builds the graph of all positions reachable from `start`, in breadth-first order with moves
    /// in the order of the game. Positions in which the game is over have no successors.
    pub fn reachable<G: Game<Position = P>>(game: &G, start: &P) -> Graph<P> {
        Graph::of(game, vec![start.clone()])
    }

    /// Builds the graph of these positions, in this order, and of all others reachable from them.
    pub fn of<G: Game<Position = P>>(game: &G, positions: Vec<P>) -> Graph<P> {
        let numbers = positions.iter().cloned().zip(0..).collect();
        let mut graph = Graph {
            positions,
            numbers,
            to_move: Vec::new(),
            ended: Vec::new(),
            from: vec![0],
            to: Vec::new(),
        };
        let mut at = 0;
        while at < graph.positions.len() {
            let position = graph.positions[at].clone();
            let end = game.ended(&position);
            if end.is_none() {
                for (_, next) in game.moves(&position) {
                    let unused = graph.positions.len() as u32;
                    let number = *graph.numbers.entry(next.clone()).or_insert(unused);
                    if number == unused {
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

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Returns the number of a position.
    pub fn find(&self, position: &P) -> Option<usize> {
        self.numbers.get(position).map(|&number| number as usize)
    }

    /// Returns the successors of a position, in the order of the moves.
    pub fn next(&self, number: usize) -> impl DoubleEndedIterator<Item = usize> + Clone + '_ {
        self.to[self.from[number]..self.from[number + 1]].iter().map(|&to| to as usize)
    }

    /// Returns the positions in an order in which each follows its successors, by depth-first
    /// search; `None` if play can return to a position.
    pub fn last_first(&self) -> Option<Vec<usize>> {
        let (new, open, done) = (0u8, 1, 2);
        let mut state = vec![new; self.len()];
        let mut order = Vec::with_capacity(self.len());
        for root in 0..self.len() {
            if state[root] != new {
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
                if state[next] == new {
                    state[next] = open;
                    stack.push((next, self.from[next]));
                }
            }
        }
        Some(order)
    }

    /// Returns the value of every position of an acyclic game.
    ///
    /// # Panics
    /// If play can return to a position; then [`Graph::values_by_rounds`] computes the values.
    pub fn values(&self) -> Vec<Value> {
        let order = self.last_first().expect("the game has cycles; call values_by_rounds");
        let mut values = vec![Value::DRAW; self.len()];
        for at in order {
            values[at] = match self.ended[at] {
                Some(end) => Value { winner: end.winner, plies: 0 },
                None => self.best(at, &values),
            };
        }
        values
    }

    /// Value of the best move.
    fn best(&self, at: usize, values: &[Value]) -> Value {
        let side = self.to_move[at];
        let after = self.next(at).map(|next| values[next].before());
        after
            .max_by_key(|value| value.score(side))
            .expect("there is a move unless the game is over")
    }

    /// Returns the value of every position of any game: wins in 0 plies, then wins in 1 ply, and so
    /// on until a round finds none. The other positions are drawn by endless play.
    pub fn values_by_rounds(&self) -> Vec<Value> {
        let mut values: Vec<Option<Value>> = vec![None; self.len()];
        for plies in 0.. {
            let mut found = Vec::new();
            for at in (0..self.len()).filter(|&at| values[at].is_none()) {
                let mover = self.to_move[at];
                let won_by = |next: usize, side| {
                    values[next].is_some_and(|value| value.winner == Some(side))
                };
                let winner = match self.ended[at] {
                    Some(end) => end.winner.filter(|_| plies == 0),
                    None if self.next(at).any(|next| won_by(next, mover)) => Some(mover),
                    None if self.next(at).all(|next| won_by(next, mover.other())) => {
                        Some(mover.other())
                    }
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

    /// Returns the number of games from every position of an acyclic game.
    pub fn games(&self) -> Vec<Games> {
        let order =
            self.last_first().expect("the game has cycles, so the number of games is infinite");
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

    /// Counts the positions by side to move and value.
    pub fn census(&self, values: &[Value]) -> Census {
        let mut census = Census::new();
        for (side, value) in self.to_move.iter().zip(values) {
            *census
                .entry(*side)
                .or_default()
                .entry(value.winner)
                .or_default()
                .entry(value.plies)
                .or_default() += 1;
        }
        census
    }

    /// Counts the positions in which the game is over, by side to move and end.
    pub fn ends(&self) -> BTreeMap<(Side, End), u64> {
        let mut ends = BTreeMap::new();
        for (side, end) in self.to_move.iter().zip(&self.ended) {
            if let Some(end) = end {
                *ends.entry((*side, *end)).or_default() += 1;
            }
        }
        ends
    }

    /// Returns the positions in which a rule has ended the game.
    pub fn ended_by(&self, rule: &str) -> Vec<usize> {
        (0..self.len()).filter(|&at| self.ended[at].is_some_and(|end| end.by == rule)).collect()
    }

    /// Returns the zugzwangs: arrangements in which being on move is a disadvantage for both sides,
    /// given with the first side to move, and whether each is full. In a full zugzwang the side to
    /// move loses; in a half one it loses or draws. The game must not be over with either side to
    /// move.
    pub fn zugzwangs<G: Game<Position = P>>(
        &self,
        game: &G,
        values: &[Value],
    ) -> Vec<(usize, bool)> {
        let result = |at: usize| values[at].score(Side::First).signum();
        let is_open = |&at: &usize| self.ended[at].is_none();
        let mut found = Vec::new();
        for at in (0..self.len()).filter(is_open).filter(|&at| self.to_move[at] == Side::First) {
            if let Some(passed) = self.find(&game.passed(&self.positions[at])).filter(is_open)
                && result(at) < result(passed)
            {
                found.push((at, result(passed) - result(at) == 2));
            }
        }
        found
    }

    /// Returns the first position that the loser of position 0 wins.
    pub fn opposite(&self, values: &[Value]) -> Option<usize> {
        let winner = values[0].winner?;
        values.iter().position(|value| value.winner == Some(winner.other()))
    }

    /// Returns the moves of a line of best play from a position. Of equal moves a side plays the
    /// first, or the last if it is in `last`.
    pub fn line<G: Game<Position = P>>(
        &self,
        game: &G,
        values: &[Value],
        from: usize,
        last: &[Side],
    ) -> Vec<String> {
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

    /// Returns the number of each position by its notation.
    pub fn by_notation<G: Game<Position = P>>(&self, game: &G) -> HashMap<String, usize> {
        self.positions.iter().map(|position| game.notation(position)).zip(0..).collect()
    }
}

/// Returns all sets of `k` of the points `0..points`, each ascending.
pub fn subsets(points: u8, k: usize) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    for _ in 0..k {
        let longer = |set: &Vec<u8>| {
            let set = set.clone();
            (set.last().map_or(0, |&last| last + 1)..points)
                .map(move |point| [&set[..], &[point]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
