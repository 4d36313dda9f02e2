//! Measures how often the levels of the computer win positions that are won, and fits them to a
//! game.
//!
//! - `levels play GAME RULES LAYERS GAMES [TABLES]` plays the levels against perfect play, and
//!   against the level below with sides exchanged. Prints CSV: games, those that the level won and
//!   drew, its share of the points, and the interval of that by Wilson (95 %).
//! - `levels search GAME RULES LAYERS GAMES [TABLES]` does so for searches against perfect play.
//!   These visit at most 10,000 positions a move.
//! - `levels fit GAME RULES LAYERS GAMES [TABLES]` looks for temperatures at which each level takes
//!   [`ABOVE`] of the points against the level below, and the expert is [`TOP`] of the way from a
//!   beginner of the [highest](HIGHEST) temperature to perfect play, both against perfect play. It
//!   draws its positions anew, prints the line of the game in `temperatures.rs`, and writes the
//!   shares to standard error.
//!
//! Positions are drawn from the layers (`4-6`, `16+33`, or `all`) for each side: it is to move,
//! wins in [`LEAST`] plies or more, and can give the win away at once. Values come from tables of
//! distances in TABLES, which must not change meanwhile, or from a solution in memory of what play
//! can reach from the start. A game that is not over after [`PLIES`] plies is endless: drawn, if
//! that is won for neither side.

use std::error::Error;

use anser_analyse::{Level, Random, Strategy, Style, Weights, known_moves};
use anser_core::hunt::Position;
use anser_core::{BySide, Hunt, Outcome, Probe, Side, Value};
use anser_games::{Files, Registry, Scope, SearchPath, Values};
use anser_table::{Mapping, Metric};
use rayon::prelude::*;

/// Starts are won in at least this many plies.
const LEAST: u16 = 7;
/// Plies after which a game is left.
const PLIES: usize = 300;
/// Positions that are drawn for each start, before the layers count as exhausted.
const DRAWS: usize = 10_000;

/// The share of the points of a fitted level against the level below.
const ABOVE: f64 = 0.68;
/// How far the fitted expert is from the beginner of the highest temperature to perfect play.
const TOP: f64 = 0.85;
/// A share that is as near as this to the one that is looked for is near enough.
const TOLERANCE: f64 = 0.015;
/// The lowest temperature that is tried: nearly perfect.
const LOWEST: f64 = 0.01;
/// The highest temperature that is tried: nearly random.
const HIGHEST: f64 = 2.5;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [task, game, rules, layers, games, tables @ ..] = &args[..] else {
        return Err("levels play|search|fit GAME RULES LAYERS GAMES [TABLES]".into());
    };
    let registry = Registry::standard();
    let game = registry.game(game, Some(rules))?;
    let layers: Vec<u16> = match (&layers[..], layers.split_once('-')) {
        ("all", _) => game.layers().collect(),
        (_, Some((first, last))) => (first.parse()?..=last.parse()?).collect(),
        (several, None) => several.split('+').map(str::parse).collect::<Result<_, _>>()?,
    };
    let (Some(&first), Some(&last)) = (layers.first(), layers.last()) else {
        return Err("there is no such layer".into());
    };
    let scope = match tables {
        [] => Scope::Position(game.start()),
        _ => Scope::Layers(first..=last),
    };
    // SAFETY: the tables do not change meanwhile, as the documentation asks.
    let access = unsafe { Mapping::new() };
    let sources = Files::new(&registry, SearchPath::directories(tables), &access);
    let values = Values::find(&game, &scope, Metric::Dtw, &sources)?;
    let seed = if task == "fit" { 2 } else { 1 };
    let bench = Bench::new(&game, &values, &layers, games.parse()?, seed);
    if bench.starts.iter().all(|(_, of_side)| of_side.is_empty()) {
        return Err("no such position is known; solve tables of distances, and name them".into());
    }
    match &task[..] {
        "play" => {
            println!("{COLUMNS}");
            for (number, level) in Level::ALL.into_iter().enumerate() {
                let above = player(Style::Level(level));
                bench.measure(above);
                if let Some(below) = number.checked_sub(1).map(|below| Level::ALL[below]) {
                    let score = bench.between(above, player(Style::Level(below)));
                    bench.print(level.id(), below.id(), "either", &score);
                }
            }
        }
        "search" => {
            println!("{COLUMNS}");
            for level in Level::ALL {
                bench.measure(player(Style::Search(level)));
            }
        }
        "fit" => bench.fit(),
        _ => return Err(format!("{task:?} is none of play, search, and fit").into()),
    }
    Ok(())
}

/// Columns of the shares.
const COLUMNS: &str = "game,rules,layers,level,opponent,winner,games,won,drawn,score,low,high";

/// The opponent that loses nothing.
const PERFECT: Strategy =
    Strategy { style: Style::Quick, fuzz: 0.0, weights: Weights::Literal, temperature: None };

fn player(style: Style) -> Strategy {
    Strategy { style, ..Strategy::default() }
}

/// Results of a player.
#[derive(Clone, Copy, Default)]
struct Score {
    games: u32,
    won: u32,
    drawn: u32,
}

impl Score {
    fn of(outcome: Outcome, side: Side) -> Score {
        let won = u32::from(outcome == Outcome::Win(side));
        Score { games: 1, won, drawn: u32::from(outcome == Outcome::Draw) }
    }

    /// The results of the opponent.
    fn exchanged(self) -> Score {
        Score { won: self.games - self.won - self.drawn, ..self }
    }

    fn both(scores: &BySide<Score>) -> Score {
        scores[Side::First].and(scores[Side::Second])
    }

    fn and(self, other: Score) -> Score {
        Score {
            games: self.games + other.games,
            won: self.won + other.won,
            drawn: self.drawn + other.drawn,
        }
    }

    /// The share of the points, and its interval by Wilson.
    fn share(self) -> [f64; 3] {
        const Z: f64 = 1.96;
        let n = f64::from(self.games);
        let share = (f64::from(self.won) + 0.5 * f64::from(self.drawn)) / n;
        let middle = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half =
            Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        [share, (middle - half).max(0.0), (middle + half).min(1.0)]
    }
}

struct Bench<'a> {
    game: &'a Hunt,
    values: &'a Values,
    layers: &'a [u16],
    /// Positions by their winner, who is to move.
    starts: BySide<Vec<Position>>,
    seed: u64,
}

impl<'a> Bench<'a> {
    /// Draws up to `count` positions of the layers for each side.
    fn new(
        game: &'a Hunt,
        values: &'a Values,
        layers: &'a [u16],
        count: usize,
        seed: u64,
    ) -> Bench<'a> {
        let mut random = Random::new(seed);
        let indexes: Vec<_> = layers.iter().map(|&layer| game.index(layer)).collect();
        let mut starts = BySide::new(Vec::new(), Vec::new());
        for _ in 0..count * DRAWS {
            if starts.iter().all(|(_, of_side): (Side, &Vec<Position>)| of_side.len() == count) {
                break;
            }
            let index = &indexes[random.below(indexes.len())];
            let Some(position) = random.position(game, index, &Side::BOTH) else { continue };
            let winner = position.to_move();
            let wins = |value: Value| game.winner(value.outcome) == Some(winner);
            let keeps = |value: Option<Value>| value.is_some_and(wins);
            let value = values.value(&position).ok();
            if starts[winner].len() < count
                && keeps(value)
                && value.and_then(|value| value.plies) >= Some(LEAST)
                && known_moves(game, values, &position).iter().any(|rated| !keeps(rated.value))
            {
                starts[winner].push(position);
            }
        }
        Bench { game, values, layers, starts, seed }
    }

    /// Plays the starts against perfect play, and prints the results by winner and together.
    fn measure(&self, measured: Strategy) {
        let name = measured.style.id();
        let scores = BySide::from_fn(|side| self.play(side, measured, PERFECT));
        for (side, score) in scores.iter() {
            self.print(name, "perfect", self.game.side_name(side), score);
        }
        self.print(name, "perfect", "either", &Score::both(&scores));
    }

    /// Fits the temperatures, and prints them.
    fn fit(&self) {
        let level = |level, temperature| Strategy {
            temperature: Some(temperature),
            ..player(Style::Level(level))
        };
        let against_perfect = |of| {
            let scores = BySide::from_fn(|side| self.play(side, of, PERFECT));
            Score::both(&scores).share()[0]
        };
        let [best, worst] = [PERFECT, level(Level::Beginner, HIGHEST)].map(against_perfect);
        let (expert, _) = temperature(TOP, |it| {
            (against_perfect(level(Level::Expert, it)) - worst) / (best - worst)
        });
        let below = |wanted| {
            let (mut above, mut least) = (level(Level::Expert, expert), expert);
            [Level::Skilled, Level::Casual, Level::Beginner].map(|of| {
                let share = |it| self.between(level(of, it), above).share()[0];
                let (its, share) = temperature(wanted, share);
                // Where nothing tells the levels apart, the temperature stays what it is, but not
                // below that of the level above.
                let differ = share < 0.5 - TOLERANCE;
                let its = if differ { its } else { of.temperature(self.game).max(least) };
                (above, least) = (level(of, its), its);
                (its, share)
            })
        };
        let mut levels = below(1.0 - ABOVE);
        // Where the highest temperature is not weak enough, the levels are as far apart as these on
        // average.
        let mean = levels.iter().map(|(_, share)| share).sum::<f64>() / 3.0;
        if mean > 1.0 - ABOVE + TOLERANCE {
            levels = below(mean);
        }
        let [skilled, casual, beginner] = levels.map(|(its, _)| its);
        let fitted = [beginner, casual, skilled, expert];
        let name = self.game.name();
        let (name, _) = name.split_once(':').unwrap_or((name, ""));
        println!("    ({name:?}, {fitted:.3?}),");
    }

    /// Plays the starts between two levels, each on both sides.
    fn between(&self, of: Strategy, other: Strategy) -> Score {
        Score::both(&BySide::from_fn(|side| {
            self.play(side, of, other).and(self.play(side, other, of).exchanged())
        }))
    }

    /// Plays the starts that `winner` wins, with `of` on its side, and returns the results of it.
    fn play(&self, winner: Side, of: Strategy, opponent: Strategy) -> Score {
        let players = BySide::from_fn(|side| if side == winner { of } else { opponent });
        let starts = self.starts[winner].par_iter().enumerate();
        let outcomes = starts.map(|(number, start)| self.game(start, &players, number as u64));
        outcomes.map(|outcome| Score::of(outcome, winner)).reduce(Score::default, Score::and)
    }

    fn game(&self, start: &Position, players: &BySide<Strategy>, number: u64) -> Outcome {
        let mut random = Random::new(self.seed + number);
        let (mut here, mut seen) = (*start, Vec::new());
        for _ in 0..PLIES {
            if let Some(outcome) = self.game.terminal(&here) {
                return outcome;
            }
            let player = players[here.to_move()];
            let chosen = player.choose(self.game, self.values, &here, &seen, &mut random);
            let Some(chosen) = chosen else { return Outcome::Draw };
            if let Some(outcome) = self.game.outcome_after(&chosen.next) {
                return outcome;
            }
            seen.push(here);
            here = *chosen.next.position();
        }
        self.game.endless().into()
    }

    fn print(&self, of: &str, opponent: &str, winner: &str, score: &Score) {
        if score.games == 0 {
            return;
        }
        let [share, low, high] = score.share();
        let (name, rules) = (self.game.name(), self.game.rules_id());
        let is_range = self.layers.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        let layers = match (self.layers, is_range) {
            ([first, .., last], true) => format!("{first}-{last}"),
            ([layer], true) => format!("{layer}-{layer}"),
            (several, _) => several.iter().map(u16::to_string).collect::<Vec<_>>().join("+"),
        };
        let Score { games, won, drawn } = score;
        println!(
            "{name},{rules},{layers},{of},{opponent},{winner},{games},{won},{drawn},\
             {share:.3},{low:.3},{high:.3}"
        );
    }
}

/// Looks for the temperature at which a share that falls with it is `wanted`, and returns the
/// nearest one with its share.
fn temperature(wanted: f64, share: impl Fn(f64) -> f64) -> (f64, f64) {
    let odds = |share: f64| (share / (1.0 - share)).ln().clamp(-5.0, 5.0);
    let error = |(_, share): (f64, f64)| (share - wanted).abs();
    // The shares at the ends are guesses: a level that is nearly perfect takes 19 of 20.
    let (mut low, mut high) = ((LOWEST.ln(), odds(0.95)), (HIGHEST.ln(), odds(0.1)));
    let mut nearest = (LOWEST, f64::INFINITY);
    while error(nearest) > TOLERANCE && high.0 - low.0 > 0.1 {
        let part = (low.1 - odds(wanted)) / (low.1 - high.1).max(0.01);
        // A guess near an end might creep towards it.
        let part = if (0.2..=0.8).contains(&part) { part } else { 0.5 };
        let tried = low.0 + (high.0 - low.0) * part;
        let found = (tried.exp(), share(tried.exp()));
        eprintln!("{:.3}: {:.3}", found.0, found.1);
        *(if found.1 > wanted { &mut low } else { &mut high }) = (tried, odds(found.1));
        // Where nothing differs, the highest one.
        if error(found) <= error(nearest) {
            nearest = found;
        }
    }
    nearest
}
