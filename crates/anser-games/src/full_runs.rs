//! Results that are kept, for answers whose tables are missing: of verified full runs of
//! Fox-and-Geese and Bagh-Chal, and who wins the games of printed sources from where play starts.
//! They are files of the directory `results`.

use anser_core::{Hunt, Outcome, Value, hunt};
use serde::Deserialize;

use crate::Registry;

/// Results of a full run: all layers of a game under a rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FullRun {
    /// Counts by outcome, rounds, and seconds of every layer, as JSON in the form of `anser stats
    /// --json`; `None` if the run was for distances alone, which count the same.
    pub outcomes: Option<&'static str>,
    /// Histograms of distances, the longest wins, and zugzwangs of every layer, and best play from
    /// the openings, as JSON in the form that `scripts/distances.py` and `scripts/bagh-chal.py`
    /// write; `None` if the run was for outcomes alone.
    pub distances: Option<&'static str>,
}

/// Returns the results of the full run of a game under its rule set, if they are kept.
///
/// ```
/// use anser_core::Hunt;
/// let run = anser_games::full_run(&Hunt::fox_geese("free")?).expect("it is kept");
/// assert!(run.outcomes.is_some_and(|json| json.contains("\"layer\": 31")));
/// assert!(run.distances.is_some());
/// assert_eq!(anser_games::full_run(&Hunt::fox_geese("free+chain")?), None);
/// # Ok::<(), anser_core::hunt::FamilyError>(())
/// ```
pub fn full_run(game: &Hunt) -> Option<FullRun> {
    let (outcomes, distances) = match (game.name(), game.rules_id()) {
        ("bagh-chal", "standard") => {
            (None, Some(include_str!("../results/bagh-chal-standard-dtw.json")))
        }
        ("fox-geese", "free") => (
            Some(include_str!("../results/fox-geese-free.json")),
            Some(include_str!("../results/fox-geese-free-dtw.json")),
        ),
        ("fox-geese", "first-capture") => (
            Some(include_str!("../results/fox-geese-first-capture.json")),
            Some(include_str!("../results/fox-geese-first-capture-dtw.json")),
        ),
        ("fox-geese", "forward") => (Some(include_str!("../results/fox-geese-forward.json")), None),
        _ => return None,
    };
    is_of_program(game).then_some(FullRun { outcomes, distances })
}

/// Whether a game has the rules of that of this program with its name. One that is made from a
/// description may have others.
fn is_of_program(game: &Hunt) -> bool {
    let own = Registry::standard().game(game.name(), Some(game.rules_id()));
    own.is_ok_and(|own| own.fingerprint() == game.fingerprint())
}

/// Returns the value of a position where play starts, or of an opening, if it is a kept result.
///
/// ```
/// use anser_core::{Outcome, Side};
/// use anser_games::{Registry, kept_value};
/// let bagh_chal = Registry::standard().game("bagh-chal", None)?;
/// let value = kept_value(&bagh_chal, &bagh_chal.start()).expect("it is kept");
/// assert_eq!(value.outcome, Outcome::Draw);
/// let fox_geese = Registry::standard().game("fox-geese", Some("first-capture"))?;
/// let value = kept_value(&fox_geese, &fox_geese.start()).expect("it is kept");
/// assert_eq!((value.outcome, value.plies), (Outcome::Win(Side::Second), Some(98)));
/// # Ok::<(), anser_games::NameError>(())
/// ```
pub fn kept_value(game: &Hunt, position: &hunt::Position) -> Option<Value> {
    let text = game.format_position(position);
    let (outcome, plies) = of_opening(game, &text).or_else(|| of_start(game, &text))?;
    // A win by endless play has no plies, and is stored as a draw.
    let winner = game
        .side_named(&outcome)
        .filter(|&winner| plies.is_some() || game.endless() != Some(winner));
    Some(Value { outcome: winner.map_or(Outcome::Draw, Outcome::Win), plies })
}

/// The name of the winner, or another word, and the plies to the win.
type Kept = (String, Option<u16>);

/// Looks for a position among the openings of a full run.
fn of_opening(game: &Hunt, position: &str) -> Option<Kept> {
    #[derive(Deserialize)]
    struct Distances {
        openings: Vec<Opening>,
    }
    #[derive(Deserialize)]
    struct Opening {
        position: String,
        outcome: String,
        dtw: Option<u16>,
    }
    let distances = full_run(game)?.distances?;
    let Distances { openings } = serde_json::from_str(distances).ok()?;
    let found = openings.into_iter().find(|opening| opening.position == position)?;
    Some((found.outcome, found.dtw))
}

/// Looks for the start of a game of a printed source.
fn of_start(game: &Hunt, position: &str) -> Option<Kept> {
    let kept = include_str!("../results/games.csv").lines().find_map(|line| {
        let mut cells = line.split(',');
        let mut is = |text: &str| cells.next() == Some(text);
        if !(is(game.name()) && is(game.rules_id())) {
            return None;
        }
        let [_, start, _, outcome, plies] = std::array::from_fn(|_| cells.next().unwrap_or(""));
        (start == position).then(|| (outcome.to_owned(), plies.parse().ok()))
    });
    kept.filter(|_| is_of_program(game))
}
