//! The census of a game: the numbers of positions by winner, by plies to the win, and by the end of
//! the game.

use std::collections::BTreeMap;

use anser_core::hunt::Position;
use anser_core::{BySide, Dtw, Outcome, Side};

use crate::solution::Solution;

/// Numbers of positions by the side to move; symmetric positions are counted separately.
///
/// ```
/// use anser_core::Hunt;
/// use anser_core::{Outcome, Side};
/// use anser_retrograde::{Solution, census};
///
/// let game = Hunt::fox_hounds(4, "escape")?;
/// let census = census(&Solution::reachable(&game, &game.start())?);
/// assert_eq!(census.positions(), 83);
/// // The start is the only position that the hounds win in 8 plies.
/// assert_eq!(census.to_move(Side::First).depth(Side::Second, 8), 1);
/// assert_eq!(census.to_move(Side::First).outcome(Outcome::Draw), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    to_move: BySide<SideCensus>,
}

/// The positions with one side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideCensus {
    drawn: u64,
    /// By winner, then by plies to the win.
    depths: BySide<BTreeMap<u16, u64>>,
    /// By kind of end and outcome.
    ends: BTreeMap<String, BTreeMap<Outcome, u64>>,
}

impl Census {
    /// Returns the census of positions counted elsewhere. `values` are the numbers of positions by
    /// side to move and value. `ends` are those of the terminal positions that are won: side to
    /// move, kind as in [`Hunt::ending`](anser_core::Hunt::ending), winner, and number.
    pub fn of_values<'a>(
        values: impl IntoIterator<Item = (Side, Dtw, u64)>,
        ends: impl IntoIterator<Item = (Side, &'a str, Side, u64)>,
    ) -> Census {
        let mut census = Census::default();
        for (side, value, count) in values.into_iter().filter(|&(.., count)| count > 0) {
            census.to_move[side].add_value(value, count);
        }
        for (side, kind, winner, count) in ends.into_iter().filter(|&(.., count)| count > 0) {
            census.to_move[side].add_end(kind, Outcome::Win(winner), count);
        }
        census
    }

    /// Returns the census of values counted elsewhere by their codes: `counts[to_move][code]`
    /// positions have the value of [`Dtw::from_code`]. Counts of codes of no value are left out.
    ///
    /// ```
    /// use anser_core::{BySide, Dtw, Outcome, Side};
    /// use anser_retrograde::Census;
    ///
    /// let mut counts = BySide::new(vec![0; 100], Vec::new());
    /// counts[Side::First][usize::from(Dtw::win(Side::Second, 8).code())] = 3;
    /// let census = Census::of_codes(&counts);
    /// assert_eq!(census.outcome(Outcome::Win(Side::Second)), 3);
    /// assert_eq!(census.to_move(Side::First).depth(Side::Second, 8), 3);
    /// ```
    pub fn of_codes(counts: &BySide<Vec<u64>>) -> Census {
        let values = counts.iter().flat_map(|(side, counts)| {
            let counts = (0..=u16::MAX).zip(counts);
            counts.filter_map(move |(code, &count)| Some((side, Dtw::from_code(code)?, count)))
        });
        Census::of_values(values, [])
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

    /// Adds the positions of another census.
    pub fn add(&mut self, other: &Census) {
        for (side, other) in other.to_move.iter() {
            self.to_move[side].add(other);
        }
    }
}

impl SideCensus {
    /// Returns the number of positions.
    pub fn positions(&self) -> u64 {
        self.depths.iter().flat_map(|(_, depths)| depths.values()).sum::<u64>() + self.drawn
    }

    /// Returns the number of positions with this outcome.
    pub fn outcome(&self, outcome: Outcome) -> u64 {
        match outcome {
            Outcome::Win(side) => self.depths[side].values().sum(),
            Outcome::Draw => self.drawn,
        }
    }

    /// Returns the number of positions that `winner` wins in exactly `plies` plies.
    pub fn depth(&self, winner: Side, plies: u16) -> u64 {
        self.depths(winner).get(&plies).copied().unwrap_or(0)
    }

    /// Returns the numbers of positions that `winner` wins by plies to the win, ascending, without
    /// zeros.
    pub fn depths(&self, winner: Side) -> &BTreeMap<u16, u64> {
        &self.depths[winner]
    }

    /// Returns the numbers of terminal positions by kind of end, as in
    /// [`Hunt::ending`](anser_core::Hunt::ending), and outcome.
    pub fn ends(&self) -> impl Iterator<Item = (&str, Outcome, u64)> {
        self.ends.iter().flat_map(|(kind, outcomes)| {
            outcomes.iter().map(move |(&outcome, &count)| (&kind[..], outcome, count))
        })
    }

    fn add_value(&mut self, value: Dtw, count: u64) {
        match (value.winner(), value.plies()) {
            (Some(winner), Some(plies)) => *self.depths[winner].entry(plies).or_default() += count,
            _ => self.drawn += count,
        }
    }

    fn add_end(&mut self, kind: &str, outcome: Outcome, count: u64) {
        // An allocation only for the first end of a kind.
        if !self.ends.contains_key(kind) {
            self.ends.insert(kind.to_owned(), BTreeMap::new());
        }
        if let Some(outcomes) = self.ends.get_mut(kind) {
            *outcomes.entry(outcome).or_default() += count;
        }
    }

    fn add(&mut self, other: &SideCensus) {
        for (winner, depths) in other.depths.iter() {
            for (&plies, count) in depths {
                *self.depths[winner].entry(plies).or_default() += count;
            }
        }
        self.drawn += other.drawn;
        for (kind, outcome, count) in other.ends() {
            self.add_end(kind, outcome, count);
        }
    }
}

/// Counts the positions of a solution.
pub fn census(solution: &Solution) -> Census {
    let game = solution.game();
    let add = |mut census: Census, position: &Position, value: Dtw, count: u64| {
        let side = &mut census.to_move[position.to_move()];
        side.add_value(value, count);
        // A terminal position is drawn or won in 0 plies.
        if value.plies().unwrap_or(0) == 0
            && let Some(kind) = game.ending(position)
        {
            side.add_end(kind, value.outcome(), count);
        }
        census
    };
    let join = |mut a: Census, b: Census| {
        a.add(&b);
        a
    };
    solution.fold_classes(Census::default, add, join)
}
