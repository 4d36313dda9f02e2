//! Levels of play that err as people do.
//!
//! A level weighs each move by what it loses, `exp(-cost / temperature)`: the best moves cost
//! nothing, plies that are lost in a win cost little, and an outcome that is lost costs 1, as far
//! as its refutation is within the horizon. Beyond the horizon it costs the less the later the
//! refutation shows. The temperatures are fitted to games between the levels: see
//! `data/results/levels.csv`.

use anser_core::{Hunt, Outcome, RatedMove, Side, Value};

use crate::search::Budget;

mod temperatures;

use temperatures::{OF_GAMES, OF_OTHERS};

/// A level of play, from the weakest to the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Overlooks what is more than a few plies away.
    Beginner,
    /// Knows the game a little.
    Casual,
    /// Plays the game often.
    Skilled,
    /// Seldom errs.
    Expert,
}

/// Cost of a move that keeps the outcome and is the worst of its kind: [`MANY`] plies are lost, or
/// the number is not known.
const SLOW: f64 = 0.25;

/// Number of lost plies that cost [`SLOW`].
const MANY: u16 = 10;

/// Weight of all other moves together, if they cost nothing: the best ones weigh 1. So a level errs
/// as often where there are many moves as where there are few.
const ALTERNATIVES: f64 = 3.0;

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Level; 4] = [Level::Beginner, Level::Casual, Level::Skilled, Level::Expert];

    /// Returns the name: `beginner`, `casual`, `skilled`, `expert`.
    pub const fn id(self) -> &'static str {
        match self {
            Level::Beginner => "beginner",
            Level::Casual => "casual",
            Level::Skilled => "skilled",
            Level::Expert => "expert",
        }
    }

    /// Returns the number of plies within which a level sees every consequence. Where values are
    /// not known, and for its material in draws, it searches no deeper.
    pub const fn horizon(self) -> u16 {
        match self {
            Level::Beginner => 2,
            Level::Casual => 4,
            Level::Skilled => 7,
            Level::Expert => 12,
        }
    }

    /// Returns these limits of a search, with no more depth than the horizon.
    pub(crate) fn limits<'a>(self, budget: &Budget<'a>) -> Budget<'a> {
        Budget { depth: budget.depth.min(self.horizon()), ..*budget }
    }

    /// Returns the temperature in a game: how readily the level plays moves that cost something.
    /// It was fitted to one rule set and size of the game, and is that of all; games it was not
    /// fitted to have the median.
    ///
    /// ```
    /// use anser_analyse::Level;
    /// use anser_core::Hunt;
    /// let game = Hunt::default();
    /// assert!(Level::Beginner.temperature(&game) > Level::Expert.temperature(&game));
    /// ```
    pub fn temperature(self, game: &Hunt) -> f64 {
        let name = game.name();
        let (name, _) = name.split_once(':').unwrap_or((name, ""));
        let found = OF_GAMES.binary_search_by_key(&name, |&(game, _)| game);
        found.map_or(OF_OTHERS, |at| OF_GAMES[at].1)[self as usize]
    }

    /// Returns the chance of each of some moves of `side`, given which are best.
    pub(crate) fn chances(
        self,
        game: &Hunt,
        temperature: f64,
        side: Side,
        moves: &[RatedMove],
        best: &[bool],
    ) -> Vec<f64> {
        let of_best = moves.iter().zip(best).find(|&(_, &best)| best);
        let best_value = of_best.and_then(|(rated, _)| rated.value);
        let good = best.iter().filter(|&&best| best).count() as f64;
        let other = best.len() as f64 - good;
        let weight = |(rated, &best): (&RatedMove, &bool)| {
            if best {
                return 1.0 / good;
            }
            let cost = self.cost(game, side, best_value, rated.value);
            (-cost / temperature).exp() * ALTERNATIVES / other
        };
        let weights: Vec<f64> = moves.iter().zip(best).map(weight).collect();
        let all: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / all).collect()
    }

    /// Returns the cost of a move with this value after it.
    fn cost(self, game: &Hunt, side: Side, best: Option<Value>, value: Option<Value>) -> f64 {
        let (Some(best), Some(value)) = (best, value) else { return SLOW };
        let outcome = |value: Value| Outcome::from(game.winner(value.outcome));
        let [was, is] = [best, value].map(|value| outcome(value).score(side));
        if was == is {
            let lost = best.plies.zip(value.plies).map(|(best, plies)| best.abs_diff(plies));
            return SLOW * f64::from(lost.unwrap_or(MANY).min(MANY)) / f64::from(MANY);
        }
        // A loss shows when it is over, a missed win when it would have been won.
        let shows = if is < 0 { value.plies } else { best.plies };
        let horizon = f64::from(self.horizon());
        let seen = horizon / shows.map_or(2.0 * horizon, |plies| f64::from(plies.max(1)));
        f64::from(was - is) * seen.min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use anser_core::hexapawn::BoardSize;
    use anser_core::hunt::hare_hounds;

    use super::*;

    const SIDE: Side = Side::First;

    fn value(outcome: Outcome, plies: impl Into<Option<u16>>) -> Value {
        Value { outcome, plies: plies.into() }
    }

    /// Chances of moves with these values, of which the first is best.
    fn chances(level: Level, values: &[Value]) -> Vec<f64> {
        let game = Hunt::hexapawn(BoardSize::THREE);
        let (mv, next) = game.moves(&game.start()).swap_remove(0);
        let rated = |&value| RatedMove { mv, next, value: Some(value) };
        let moves: Vec<RatedMove> = values.iter().map(rated).collect();
        let best: Vec<bool> = (0..moves.len()).map(|number| number == 0).collect();
        level.chances(&game, OF_OTHERS[level as usize], SIDE, &moves, &best)
    }

    #[test]
    fn what_costs_more_is_played_less_and_by_the_stronger_levels_least() {
        let (won, lost) = (Outcome::Win(SIDE), Outcome::Win(SIDE.other()));
        let values = [
            value(won, 6),
            value(won, 8),
            value(won, 40),
            value(lost, 9),
            value(lost, 5),
            value(lost, 1),
        ];
        let mut before = 0.0;
        for level in Level::ALL {
            let chances = chances(level, &values);
            assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(chances[1..].is_sorted_by(|a, b| a >= b), "{level:?}: {chances:?}");
            assert!(chances[0] > before, "{level:?}: {chances:?}");
            before = chances[0];
        }
        assert!(chances(Level::Expert, &values)[5] < 0.001);
    }

    #[test]
    fn the_games_that_were_measured_have_temperatures_of_their_own() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/results/levels.csv");
        let shares = std::fs::read_to_string(path).expect("a file of this repository");
        let games = shares.lines().skip(1).filter_map(|line| line.split([',', ':']).next());
        let measured: BTreeSet<&str> = games.collect();
        assert!(OF_GAMES.iter().map(|(game, _)| *game).eq(measured));
        // A board of another size has the same.
        let hexapawn =
            OF_GAMES.iter().find(|(game, _)| *game == "hexapawn").expect("it was measured");
        let small = Hunt::hexapawn(BoardSize::THREE);
        let found = Level::ALL.map(|level| level.temperature(&small).to_bits());
        assert_eq!(found, hexapawn.1.map(f64::to_bits));
    }

    #[test]
    fn endless_play_that_is_won_is_a_win() {
        let mut description = hare_hounds("unlimited").expect("rules");
        let (won, lost) = (value(Outcome::Win(SIDE), 9), value(Outcome::Win(SIDE.other()), 9));
        let endless = Value::from(Outcome::Draw);
        // From a win to endless play, and from that to a loss.
        for (winner, expected) in [(None, [1.0, 1.0]), (Some(SIDE), [SLOW, 2.0])] {
            description.endless = winner;
            let game = Hunt::new(description.clone()).expect("rules");
            let cost = |best, value| Level::Expert.cost(&game, SIDE, Some(best), Some(value));
            let found = [cost(won, endless), cost(endless, lost)];
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
        }
    }

    #[test]
    fn a_missed_win_that_is_far_away_costs_little() {
        let draw = Outcome::Draw.into();
        let near = chances(Level::Skilled, &[value(Outcome::Win(SIDE), 5), draw]);
        let far = chances(Level::Skilled, &[value(Outcome::Win(SIDE), 60), draw]);
        assert!(near[1] < 0.1 && far[1] > 0.5, "{near:?} {far:?}");
    }

    #[test]
    fn the_only_moves_and_equal_moves_share_the_chances() {
        let won = value(Outcome::Win(SIDE), 3);
        assert_eq!(chances(Level::Beginner, &[won]), [1.0]);
        let unknown = value(Outcome::Win(SIDE), None);
        let equal = chances(Level::Beginner, &[unknown, unknown, unknown]);
        assert!((equal[1] - equal[2]).abs() < 1e-12);
    }
}
