//! The census of a game: the numbers of positions by winner, by plies to the win, and by the end of the game.
//!
//! Serialized, a census has the game's own names of the sides:
//! `{"to_move":{SIDE:{"outcomes":{SIDE:N,"draw":N,SIDE:N},"depths":{WINNER:{"0":N,...}},"ends":{KIND:{WINNER:N}}}}}`.

use std::collections::BTreeMap;

use anser_core::{BySide, Dtw, Game, Outcome, Side};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::Solution;

/// Numbers of positions by the side to move; symmetric positions are counted separately.
///
/// ```
/// use anser_analyse::{Solution, census};
/// use anser_core::prelude::*;
/// use anser_core::{Outcome, Side, fox_hounds::{FoxHounds, RuleSet}};
///
/// let game = FoxHounds::new(4, RuleSet::Escape)?;
/// let census = census(&Solution::reachable(&game, &game.start())?);
/// assert_eq!(census.positions(), 83);
/// // The start is the only position that the hounds win in 8 plies.
/// assert_eq!(census.to_move(Side::First).depth(Side::Second, 8), 1);
/// assert_eq!(census.to_move(Side::First).outcome(Outcome::Draw), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Census {
    names: BySide<&'static str>,
    to_move: BySide<SideCensus>,
}

/// The positions with one side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideCensus {
    names: BySide<&'static str>,
    /// By winner.
    won: BySide<u64>,
    drawn: u64,
    /// By winner, then by plies to the win.
    depths: BySide<BTreeMap<u16, u64>>,
    /// By kind of end and outcome.
    ends: BTreeMap<(&'static str, Outcome), u64>,
}

impl Census {
    /// Returns the census of a game without draws, from numbers counted elsewhere: `plies[to_move][winner][n]` positions are
    /// won in `n` plies. `ends` are the terminal positions: side to move, kind as in
    /// [`Notation::ending`](anser_core::Notation::ending), winner, and number.
    pub fn of_counts(
        names: BySide<&'static str>,
        plies: &BySide<BySide<Vec<u64>>>,
        ends: impl IntoIterator<Item = (Side, &'static str, Side, u64)>,
    ) -> Census {
        let to_move = plies.as_ref().map(|winners| {
            let depths = winners.as_ref().map(|counts| {
                (0..).zip(counts.iter().copied()).filter(|&(_, count)| count > 0).collect::<BTreeMap<u16, u64>>()
            });
            let won = depths.as_ref().map(|depths| depths.values().sum());
            SideCensus { names, won, drawn: 0, depths, ends: BTreeMap::new() }
        });
        let mut census = Census { names, to_move };
        for (side, kind, winner, count) in ends.into_iter().filter(|&(.., count)| count > 0) {
            census.to_move[side].ends.insert((kind, Outcome::Win(winner)), count);
        }
        census
    }

    fn empty(names: BySide<&'static str>) -> Census {
        let side =
            || SideCensus { names, won: BySide::default(), drawn: 0, depths: BySide::default(), ends: BTreeMap::new() };
        Census { names, to_move: BySide::from_fn(|_| side()) }
    }

    /// Returns the positions with `side` to move.
    pub fn to_move(&self, side: Side) -> &SideCensus {
        &self.to_move[side]
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> u64 {
        self.to_move.iter().map(|(_, side)| side.positions()).sum()
    }

    /// Returns the number of positions with this outcome, with either side to move.
    pub fn outcome(&self, outcome: Outcome) -> u64 {
        self.to_move.iter().map(|(_, side)| side.outcome(outcome)).sum()
    }

    /// Returns the greatest number of plies to a win; 0 if no position is won.
    pub fn longest(&self) -> u16 {
        let depths = self.to_move.iter().flat_map(|(_, side)| side.depths.iter());
        depths.filter_map(|(_, depths)| depths.keys().next_back().copied()).max().unwrap_or(0)
    }

    fn add(&mut self, other: &Census) {
        for (side, other) in other.to_move.iter() {
            self.to_move[side].add(other);
        }
    }
}

impl SideCensus {
    /// Returns the number of positions.
    pub fn positions(&self) -> u64 {
        self.won.as_array().iter().sum::<u64>() + self.drawn
    }

    /// Returns the number of positions with this outcome.
    pub fn outcome(&self, outcome: Outcome) -> u64 {
        match outcome {
            Outcome::Win(side) => self.won[side],
            Outcome::Draw => self.drawn,
        }
    }

    /// Returns the number of positions that `winner` wins in exactly `plies` plies.
    pub fn depth(&self, winner: Side, plies: u16) -> u64 {
        self.depths(winner).get(&plies).copied().unwrap_or(0)
    }

    /// Returns the numbers of positions that `winner` wins by plies to the win, ascending, without zeros.
    pub fn depths(&self, winner: Side) -> &BTreeMap<u16, u64> {
        &self.depths[winner]
    }

    /// Returns the numbers of terminal positions by kind of end, as in
    /// [`Notation::ending`](anser_core::Notation::ending), and outcome.
    pub fn ends(&self) -> impl Iterator<Item = (&'static str, Outcome, u64)> + '_ {
        self.ends.iter().map(|(&(kind, outcome), &count)| (kind, outcome, count))
    }

    fn add_outcome(&mut self, outcome: Outcome, count: u64) {
        match outcome {
            Outcome::Win(side) => self.won[side] += count,
            Outcome::Draw => self.drawn += count,
        }
    }

    fn add(&mut self, other: &SideCensus) {
        for (winner, depths) in other.depths.iter() {
            self.won[winner] += other.won[winner];
            for (&plies, count) in depths {
                *self.depths[winner].entry(plies).or_default() += count;
            }
        }
        self.drawn += other.drawn;
        for (&end, count) in &other.ends {
            *self.ends.entry(end).or_default() += count;
        }
    }
}

/// Counts the positions of a solution.
pub fn census<G: Game>(solution: &Solution<G>) -> Census {
    let game = solution.game();
    let names = BySide::from_fn(|side| game.side_name(side));
    let add = |mut census: Census, position: &G::Position, value: Dtw, count: u64| {
        let side = &mut census.to_move[game.side_to_move(position)];
        side.add_outcome(value.outcome(), count);
        if let (Some(winner), Some(plies)) = (value.winner(), value.plies()) {
            *side.depths[winner].entry(plies).or_default() += count;
        }
        // A terminal position is drawn or won in 0 plies.
        if value.plies().unwrap_or(0) == 0
            && let Some(kind) = game.ending(position)
        {
            *side.ends.entry((kind, value.outcome())).or_default() += count;
        }
        census
    };
    let join = |mut a: Census, b: Census| {
        a.add(&b);
        a
    };
    solution.fold_classes(|| Census::empty(names), add, join)
}

/// A map serialized in the order of its entries.
struct Entries<T>(T);

impl<K: Serialize, V: Serialize, T: Clone + Iterator<Item = (K, V)>> Serialize for Entries<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.clone())
    }
}

/// Values with the names of their sides.
fn named<'a, T>(
    names: BySide<&'static str>,
    values: &'a BySide<T>,
) -> impl Clone + Iterator<Item = (&'static str, &'a T)> {
    names.into_array().into_iter().zip(values.as_array())
}

impl Serialize for Census {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("to_move", &Entries(named(self.names, &self.to_move)))?;
        map.end()
    }
}

impl Serialize for SideCensus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = |outcome| match outcome {
            Outcome::Win(side) => self.names[side],
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
        map.serialize_entry("depths", &Entries(named(self.names, &self.depths)))?;
        map.serialize_entry("ends", &ends)?;
        map.end()
    }
}
