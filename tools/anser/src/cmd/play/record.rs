//! The record of a game, for people and for programs.

use anser_analyse::{Source, Style, Worth};
use anser_core::{Dtw, Game, Next, Outcome, Side};
use serde::Serialize;

use super::session::{Ending, Played, Setup};
use crate::json::{Object, outcome_name};
use crate::text::{the, value_text};

/// A game that was played, or is being played.
#[derive(Serialize)]
pub(super) struct Record<'a> {
    game: String,
    rules: String,
    sides: Object<&'static str>,
    style: &'static str,
    fuzz: f64,
    fuzz_as: &'static str,
    seed: u64,
    start: String,
    to_move: &'a str,
    /// Who wins from the start; nothing where it is not known.
    outcome: Option<&'a str>,
    dtw: Option<u16>,
    moves: Vec<RecordedMove<'a>>,
    plies: usize,
    /// Nothing while the game is not over.
    result: Option<Result<'a>>,
    /// The same in words.
    #[serde(skip)]
    ended: String,
}

#[derive(Serialize)]
struct RecordedMove<'a> {
    ply: usize,
    side: &'a str,
    #[serde(rename = "move")]
    mv: String,
    /// The position after the move; nothing where the move itself ended the game.
    position: Option<String>,
    /// Who wins after the move.
    outcome: Option<&'a str>,
    /// Plies to the win after the move.
    dtw: Option<u16>,
    /// Whether the outcome was better for who moved before the move.
    gave_away: bool,
    /// What was given away, in words.
    #[serde(skip)]
    given: String,
}

#[derive(Serialize)]
struct Result<'a> {
    /// The side that won, or `draw`; nothing where the game was left.
    winner: Option<&'a str>,
    /// `end`, `resignation`, `repetition` or `left`.
    by: &'static str,
}

impl<'a> Record<'a> {
    pub(super) fn new<G: Game>(
        game: &G,
        source: &dyn Source<G>,
        setup: &Setup,
        start: &G::Position,
        played: &[Played<G>],
        ending: Option<Ending>,
    ) -> Record<'a> {
        let name = |worth: Option<Worth>| worth.map(|worth| outcome_name(game, worth.outcome));
        let player = |side| if setup.person == Some(side) { "person" } else { "computer" };
        let (mut moves, mut before) = (Vec::with_capacity(played.len()), known(game, source, start));
        let at_start = before;
        for (ply, played) in (1..).zip(played) {
            let side = game.side_to_move(&played.from);
            let after = match &played.next {
                Next::End(outcome) => Some(Dtw::ended(*outcome).into()),
                Next::Position(next) => known(game, source, next),
            };
            let score = |worth: Option<Worth>| worth.map(|worth| worth.outcome.score(side));
            moves.push(RecordedMove {
                ply,
                side: game.side_name(side),
                mv: game.format_move(&played.mv),
                position: match &played.next {
                    Next::End(_) => None,
                    Next::Position(next) => Some(game.format_position(next)),
                },
                outcome: name(after),
                dtw: after.and_then(|worth| worth.plies),
                gave_away: score(before).zip(score(after)).is_some_and(|(before, after)| after < before),
                given: format!("{} before, {} after", won_text(game, before), won_text(game, after)),
            });
            before = after;
        }
        Record {
            game: game.name(),
            rules: game.rules_id(),
            sides: Object(Side::BOTH.into_iter().map(|side| (game.side_name(side), player(side))).collect()),
            style: style_id(setup.strategy.style),
            fuzz: setup.strategy.fuzz,
            fuzz_as: setup.strategy.weights.id(),
            seed: setup.seed,
            start: game.format_position(start),
            to_move: game.side_name(game.side_to_move(start)),
            outcome: name(at_start),
            dtw: at_start.and_then(|worth| worth.plies),
            plies: moves.len(),
            moves,
            result: ending.map(|ending| Result {
                winner: ending.outcome().map(|outcome| outcome_name(game, outcome)),
                by: ending.by(),
            }),
            ended: ended_text(game, ending, played.len()),
        }
    }

    /// The record as text, to be pasted somewhere.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}, rules {}\n{}\n", self.game, self.rules, self.start);
        let sides: Vec<String> = self.sides.0.iter().map(|(side, player)| format!("{side}: {player}")).collect();
        let fuzz = if self.fuzz > 0.0 { format!(", fuzz {} {}", self.fuzz, self.fuzz_as) } else { String::new() };
        text += &format!("{} (style {}{fuzz}, seed {})\n", sides.join(", "), self.style, self.seed);
        if !self.moves.is_empty() {
            let pairs = self.moves.chunks(2).enumerate().map(|(number, pair)| {
                let moves: Vec<String> = pair.iter().map(RecordedMove::marked).collect();
                format!("{}. {}", number + 1, moves.join(" "))
            });
            text += &format!("\n{}", filled(pairs));
        }
        text += &format!("\n{}\n", self.ended);
        for given in self.moves.iter().filter(|mv| mv.gave_away) {
            text += &format!("given away by {}{}: {}\n", place(given.ply), given.marked(), given.given);
        }
        text
    }
}

impl RecordedMove<'_> {
    fn marked(&self) -> String {
        format!("{}{}", self.mv, if self.gave_away { "?" } else { "" })
    }
}

/// The longest line of moves.
const WIDTH: usize = 76;

/// Pairs of moves, as many on a line as there is room for.
fn filled(pairs: impl Iterator<Item = String>) -> String {
    let (mut text, mut length) = (String::new(), 0);
    for pair in pairs {
        let gap = match length {
            0 => "",
            _ if length + 2 + pair.len() > WIDTH => {
                length = 0;
                "\n"
            }
            _ => "  ",
        };
        length += pair.len() + 2 * usize::from(gap == "  ");
        text += gap;
        text += &pair;
    }
    text + "\n"
}

/// Where a ply stands in the record: `3. ` the first of the third pair, `3. .. ` the second.
fn place(ply: usize) -> String {
    format!("{}. {}", ply.div_ceil(2), if ply.is_multiple_of(2) { ".. " } else { "" })
}

/// The worth of a position; where the game is over the rules tell it.
pub(super) fn known<G: Game>(game: &G, source: &dyn Source<G>, position: &G::Position) -> Option<Worth> {
    game.terminal(position).map(|outcome| Dtw::ended(outcome).into()).or_else(|| source.worth(position))
}

/// What a worth means, in words.
pub(super) fn worth_text<G: Game>(game: &G, worth: Option<Worth>) -> String {
    match worth {
        Some(Worth { outcome: Outcome::Win(side), plies: Some(plies) }) => value_text(game, Dtw::win(side, plies)),
        _ => won_text(game, worth),
    }
}

/// The same without the plies.
fn won_text<G: Game>(game: &G, worth: Option<Worth>) -> String {
    match worth.map(|worth| worth.outcome) {
        None => "not known".into(),
        Some(Outcome::Win(side)) => format!("won for {}", the(game, side)),
        Some(Outcome::Draw) => "drawn".into(),
    }
}

/// How a game ended, in words.
fn ended_text<G: Game>(game: &G, ending: Option<Ending>, plies: usize) -> String {
    let plies = if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") };
    match ending {
        None => format!("not over after {plies}"),
        Some(Ending::Left) => format!("left after {plies}"),
        Some(Ending::Repetition) => format!("drawn after {plies}: the third time in the same position"),
        Some(Ending::Resigned(side)) => {
            format!("won for {} by resignation after {plies}", the(game, side.other()))
        }
        Some(Ending::Over(outcome)) => {
            format!("{} after {plies}", won_text(game, Some(Worth { outcome, plies: None })))
        }
    }
}

fn style_id(style: Style) -> &'static str {
    match style {
        Style::Hard => "hard",
        Style::Document => "document",
        Style::Quick => "quick",
    }
}
