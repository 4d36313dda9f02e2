//! Measures how often the levels of the computer win positions that are won: against perfect play,
//! and against the level below with sides exchanged; and how often searches do, against perfect
//! play. These visit at most 10,000 positions a move.
//!
//! `levels GAME RULES LAYERS GAMES [TABLES]` draws positions of the layers (`4-6`, `16+33`, or
//! `all`) for each side: it is to move, wins in [`LEAST`] plies or more, and can give the win away
//! at once. Values come from tables of distances in TABLES, or from a solution in memory of what
//! play can reach from the start. Prints CSV: games, those that the level won and drew, its share
//! of the points, and the interval of that by Wilson (95 %). A game that is not over after
//! [`PLIES`] plies is drawn.

use std::error::Error;

use anser_analyse::{Level, Random, Strategy, Style, known_moves};
use anser_core::hunt::Position;
use anser_core::{BySide, Hunt, Outcome, Probe, Side, Value};
use anser_games::{Files, Registry, Scope, SearchPath, Values};
use anser_table::{Metric, PositionedReads};

/// Starts are won in at least this many plies.
const LEAST: u16 = 7;
/// Plies after which a game is left.
const PLIES: usize = 300;
/// Positions that are drawn for each start, before the layers count as exhausted.
const DRAWS: usize = 10_000;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [game, rules, layers, games, tables @ ..] = &args[..] else {
        return Err("levels GAME RULES LAYERS GAMES [TABLES]".into());
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
    let sources = Files::new(&registry, SearchPath::directories(tables), &PositionedReads);
    let values = Values::find(&game, &scope, Metric::Dtw, &sources)?;
    let bench = Bench { game: &game, values: &values };
    let starts = bench.starts(&layers, games.parse()?);
    if starts.iter().all(|(_, of_side)| of_side.is_empty()) {
        return Err("no such position is known; solve tables of distances, and name them".into());
    }
    println!("game,rules,layers,level,opponent,winner,games,won,drawn,score,low,high");
    let strengths = Level::ALL.map(|level| [Style::Level(level), Style::Search(level)]);
    for (number, [level, search]) in strengths.into_iter().enumerate() {
        bench.measure(&layers, &starts, level);
        if let Some([below, _]) = number.checked_sub(1).map(|below| strengths[below]) {
            let mut all = Score::default();
            for side in Side::BOTH {
                all.add(&bench.play(&starts[side], level, below, true));
            }
            print(&game, &layers, level.id(), below.id(), "either", &all);
        }
        bench.measure(&layers, &starts, search);
    }
    Ok(())
}

/// Results of a player.
#[derive(Clone, Copy, Default)]
struct Score {
    games: u32,
    won: u32,
    drawn: u32,
}

impl Score {
    fn add(&mut self, other: &Score) {
        self.games += other.games;
        self.won += other.won;
        self.drawn += other.drawn;
    }

    fn count(&mut self, outcome: Outcome, side: Side) {
        self.games += 1;
        self.won += u32::from(outcome == Outcome::Win(side));
        self.drawn += u32::from(outcome == Outcome::Draw);
    }

    /// The share of the points, and its interval by Wilson.
    fn share(&self) -> [f64; 3] {
        const Z: f64 = 1.96;
        let n = f64::from(self.games);
        let share = (f64::from(self.won) + 0.5 * f64::from(self.drawn)) / n;
        let middle = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half =
            Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        [share, (middle - half).max(0.0), (middle + half).min(1.0)]
    }
}

fn print(game: &Hunt, layers: &[u16], level: &str, opponent: &str, winner: &str, score: &Score) {
    if score.games == 0 {
        return;
    }
    let [share, low, high] = score.share();
    let (name, rules) = (game.name(), game.rules_id());
    let is_range = layers.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    let layers = match (&layers, is_range) {
        ([first, .., last], true) => format!("{first}-{last}"),
        ([layer], true) => format!("{layer}-{layer}"),
        _ => layers.iter().map(u16::to_string).collect::<Vec<_>>().join("+"),
    };
    let Score { games, won, drawn } = score;
    println!(
        "{name},{rules},{layers},{level},{opponent},{winner},{games},{won},{drawn},\
         {share:.3},{low:.3},{high:.3}"
    );
}

struct Bench<'a> {
    game: &'a Hunt,
    values: &'a Values,
}

impl Bench<'_> {
    /// Draws positions by their winner.
    fn starts(&self, layers: &[u16], count: usize) -> BySide<Vec<Position>> {
        let mut random = Random::new(1);
        let indexes: Vec<_> = layers.iter().map(|&layer| self.game.index(layer)).collect();
        let mut starts = BySide::new(Vec::new(), Vec::new());
        for _ in 0..count * DRAWS {
            if starts.iter().all(|(_, of_side): (Side, &Vec<Position>)| of_side.len() == count) {
                break;
            }
            let index = &indexes[random.below(indexes.len())];
            let Some(position) = random.position(self.game, index, &Side::BOTH) else { continue };
            let winner = position.to_move();
            let keeps =
                |value: Option<Value>| value.is_some_and(|value| value.winner() == Some(winner));
            let value = self.values.value(&position).ok();
            if starts[winner].len() < count
                && keeps(value)
                && value.and_then(|value| value.plies) >= Some(LEAST)
                && known_moves(self.game, self.values, &position)
                    .iter()
                    .any(|rated| !keeps(rated.value))
            {
                starts[winner].push(position);
            }
        }
        starts
    }

    /// Plays the starts against perfect play, and prints the results by winner and together.
    fn measure(&self, layers: &[u16], starts: &BySide<Vec<Position>>, player: Style) {
        let mut all = Score::default();
        for side in Side::BOTH {
            let score = self.play(&starts[side], player, Style::Quick, false);
            print(self.game, layers, player.id(), "perfect", self.game.side_name(side), &score);
            all.add(&score);
        }
        print(self.game, layers, player.id(), "perfect", "either", &all);
    }

    /// Plays each start, the player on the side that wins it, and with `exchanged` sides as well.
    fn play(&self, starts: &[Position], player: Style, opponent: Style, exchanged: bool) -> Score {
        let mut score = Score::default();
        for (seed, start) in (1..).zip(starts) {
            let Some(winner) = self.values.value(start).ok().and_then(Value::winner) else {
                continue;
            };
            for side in [Some(winner), exchanged.then(|| winner.other())].into_iter().flatten() {
                let styles = BySide::from_fn(|of| if of == side { player } else { opponent });
                score.count(self.game(start, styles, seed), side);
            }
        }
        score
    }

    fn game(&self, start: &Position, styles: BySide<Style>, seed: u64) -> Outcome {
        let (mut random, mut here, mut seen) = (Random::new(seed), *start, Vec::new());
        for _ in 0..PLIES {
            if let Some(outcome) = self.game.terminal(&here) {
                return outcome;
            }
            let strategy = Strategy { style: styles[here.to_move()], ..Strategy::default() };
            let chosen = strategy.choose(self.game, self.values, &here, &seen, &mut random);
            let Some(chosen) = chosen else { return Outcome::Draw };
            if let Some(outcome) = self.game.outcome_after(&chosen.next) {
                return outcome;
            }
            seen.push(here);
            here = *chosen.next.position();
        }
        Outcome::Draw
    }
}
