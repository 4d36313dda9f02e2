//! The census of a game: who wins how many positions, in how many plies, and how games are over.
//!
//! Serialised, a census has the game's own names of the sides:
//! `{"to_move":{SIDE:{"outcomes":{SIDE:N,"draw":N,SIDE:N},"depths":{WINNER:{"0":N,...}},"ends":{KIND:{WINNER:N}}}}}`.

use std::collections::BTreeMap;

use anser_core::{Dtw, Game, Outcome, Side};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::Solution;

/// Positions counted by the side to move; symmetric ones are counted apart.
///
/// ```
/// use anser_analyse::{Solution, census};
/// use anser_core::prelude::*;
/// use anser_core::{Outcome, Side, fox_hounds::{FoxHounds, RuleSet}};
///
/// let game = FoxHounds::new(4, RuleSet::Escape)?;
/// let census = census(&Solution::reachable(&game, &game.start())?);
/// assert_eq!(census.positions(), 83);
/// // The start is the only position that takes the hounds 8 plies.
/// assert_eq!(census.to_move(Side::First).depth(Side::Second, 8), 1);
/// assert_eq!(census.to_move(Side::First).outcome(Outcome::Draw), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Census {
    names: [&'static str; 2],
    to_move: [SideCensus; 2],
}

/// The positions with one side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideCensus {
    names: [&'static str; 2],
    /// Won by the first side, by the second, drawn.
    outcomes: [u64; 3],
    /// By winner, then by plies to the win.
    depths: [BTreeMap<u16, u64>; 2],
    /// How the game is over, and with what outcome.
    ends: BTreeMap<(&'static str, Outcome), u64>,
}

impl Census {
    /// A census that was taken elsewhere, of a game without draws: by side to move and winner the positions won in 0, 1, 2, ...
    /// plies, and how the game is over where it is: side to move, kind, winner, and how many. Arrays are by [`Side::index`].
    pub fn of_counts(
        names: [&'static str; 2],
        plies: &[[Vec<u64>; 2]; 2],
        ends: impl IntoIterator<Item = (Side, &'static str, Side, u64)>,
    ) -> Census {
        let to_move = plies.each_ref().map(|winners| {
            let depths = winners.each_ref().map(|counts| {
                (0..).zip(counts.iter().copied()).filter(|&(_, count)| count > 0).collect::<BTreeMap<u16, u64>>()
            });
            let [first, second] = depths.each_ref().map(|depths| depths.values().sum());
            SideCensus { names, outcomes: [first, second, 0], depths, ends: BTreeMap::new() }
        });
        let mut census = Census { names, to_move };
        for (side, kind, winner, count) in ends.into_iter().filter(|&(.., count)| count > 0) {
            census.to_move[side.index()].ends.insert((kind, Outcome::Win(winner)), count);
        }
        census
    }

    /// The positions with `side` to move.
    pub fn to_move(&self, side: Side) -> &SideCensus {
        &self.to_move[side.index()]
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.to_move.iter().map(SideCensus::positions).sum()
    }

    /// The positions with this outcome, whoever is to move.
    pub fn outcome(&self, outcome: Outcome) -> u64 {
        self.to_move.iter().map(|side| side.outcome(outcome)).sum()
    }
}

impl SideCensus {
    fn empty(names: [&'static str; 2]) -> SideCensus {
        SideCensus { names, outcomes: [0; 3], depths: Default::default(), ends: BTreeMap::new() }
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.outcomes.iter().sum()
    }

    /// The positions with this outcome.
    pub fn outcome(&self, outcome: Outcome) -> u64 {
        self.outcomes[place(outcome)]
    }

    /// The positions that `winner` wins in so many plies.
    pub fn depth(&self, winner: Side, plies: u16) -> u64 {
        self.depths(winner).get(&plies).copied().unwrap_or(0)
    }

    /// The positions that `winner` wins, by plies to the win, ascending; only such as there are.
    pub fn depths(&self, winner: Side) -> &BTreeMap<u16, u64> {
        &self.depths[winner.index()]
    }

    /// The positions in which the game is over: in which way, see [`Game::ending`], with which outcome, and how many.
    pub fn ends(&self) -> impl Iterator<Item = (&'static str, Outcome, u64)> + '_ {
        self.ends.iter().map(|(&(kind, outcome), &count)| (kind, outcome, count))
    }

    fn add(&mut self, other: &SideCensus) {
        for (sum, count) in self.outcomes.iter_mut().zip(other.outcomes) {
            *sum += count;
        }
        for (sums, depths) in self.depths.iter_mut().zip(&other.depths) {
            for (&plies, count) in depths {
                *sums.entry(plies).or_default() += count;
            }
        }
        for (&end, count) in &other.ends {
            *self.ends.entry(end).or_default() += count;
        }
    }
}

/// Counts the positions of a solution.
pub fn census<G: Game>(solution: &Solution<G>) -> Census {
    let game = solution.game();
    let names = Side::BOTH.map(|side| game.side_name(side));
    let empty = || Census { names, to_move: [SideCensus::empty(names), SideCensus::empty(names)] };
    let add = |mut census: Census, position: &G::Position, value: Dtw, count: u64| {
        let side = &mut census.to_move[game.side_to_move(position).index()];
        side.outcomes[place(value.outcome())] += count;
        if let (Some(winner), Some(plies)) = (value.winner(), value.plies()) {
            *side.depths[winner.index()].entry(plies).or_default() += count;
        }
        // Only what is won in no ply, or drawn, can be over.
        if value.plies().unwrap_or(0) == 0
            && let Some(kind) = game.ending(position)
        {
            *side.ends.entry((kind, value.outcome())).or_default() += count;
        }
        census
    };
    let join = |mut a: Census, b: Census| {
        for (sum, side) in a.to_move.iter_mut().zip(&b.to_move) {
            sum.add(side);
        }
        a
    };
    solution.fold_classes(empty, add, join)
}

fn place(outcome: Outcome) -> usize {
    match outcome {
        Outcome::Win(side) => side.index(),
        Outcome::Draw => 2,
    }
}

/// A map written in the order of the entries.
struct Entries<T>(T);

impl<K: Serialize, V: Serialize, T: Clone + Iterator<Item = (K, V)>> Serialize for Entries<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.clone())
    }
}

impl Serialize for Census {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("to_move", &Entries(self.names.iter().zip(&self.to_move)))?;
        map.end()
    }
}

impl Serialize for SideCensus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = |outcome| match outcome {
            Outcome::Win(side) => self.names[side.index()],
            Outcome::Draw => "draw",
        };
        let order = [Outcome::Win(Side::First), Outcome::Draw, Outcome::Win(Side::Second)];
        let outcomes = order.iter().map(|&outcome| (name(outcome), self.outcome(outcome)));
        let mut ends: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
        for (kind, outcome, count) in self.ends() {
            ends.entry(kind).or_default().insert(name(outcome), count);
        }
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("outcomes", &Entries(outcomes))?;
        map.serialize_entry("depths", &Entries(self.names.iter().zip(&self.depths)))?;
        map.serialize_entry("ends", &ends)?;
        map.end()
    }
}
