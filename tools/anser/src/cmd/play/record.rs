//! The record of a game, for people and for programs; and its way back from a file.

use std::fs::File;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::path::Path;

use anser_core::prelude::*;
use anser_core::{Dtw, Next, Outcome, Side, Value};
use anser_games::{AnyGame, AnyMove, AnyPosition};
use serde::{Deserialize, Serialize};

use super::players::style_id;
use super::session::{Ending, Played, Setup};
use super::values::PlayAdvisor;
use crate::failure::Failure;
use crate::json::{Answer, Object, outcome_name};
use crate::text::{self, outcome_text, value_text, won_for};

/// A game that was played, or is being played.
#[derive(Serialize)]
pub(super) struct Record<'a> {
    game: String,
    rules: String,
    /// The position that the game began with.
    position: String,
    to_move: &'a str,
    /// Who wins that position; nothing where it is not known.
    outcome: Option<&'a str>,
    dtw: Option<u16>,
    sides: Object<&'static str>,
    /// As `--style` takes it.
    style: String,
    fuzz: f64,
    fuzz_as: &'static str,
    seed: u64,
    random_plies: usize,
    line: Vec<RecordedMove<'a>>,
    plies: usize,
    /// Nothing while the game is not over.
    result: Option<Result<'a>>,
    /// The same in words.
    #[serde(skip)]
    ended: String,
}

#[derive(Serialize)]
pub(crate) struct RecordedMove<'a> {
    pub(crate) ply: usize,
    pub(crate) side: &'a str,
    #[serde(rename = "move")]
    mv: String,
    /// The position after the move; nothing where the move itself ended the game.
    position: Option<String>,
    /// Who wins after the move.
    outcome: Option<&'a str>,
    /// Plies to the win after the move.
    dtw: Option<u16>,
    /// Whether the outcome was better for who moved before the move.
    pub(crate) gave_away: bool,
    /// What was given away, in words.
    #[serde(skip)]
    given: String,
}

#[derive(Serialize)]
struct Result<'a> {
    /// The side that won, or `draw`; nothing where the game was left.
    outcome: Option<&'a str>,
    /// `end`, `resignation`, `repetition` or `left`.
    by: &'static str,
}

impl<'a> Record<'a> {
    pub(super) fn new(
        game: &AnyGame,
        source: &PlayAdvisor<'_>,
        setup: &Setup,
        seed: u64,
        start: &AnyPosition,
        played: &[Played],
        ending: Option<Ending>,
    ) -> Record<'a> {
        let at_start = known(game, source, start);
        let line = recorded(game, source, start, played);
        let player = |side: Side| if setup.players[side.index()].is_person() { "person" } else { "computer" };
        Record {
            game: game.name(),
            rules: game.rules_id(),
            position: game.format_position(start),
            to_move: game.side_name(game.side_to_move(start)),
            outcome: at_start.map(|value| outcome_name(game, value.outcome)),
            dtw: distance(at_start, game.terminal(start).is_some()),
            sides: Object(Side::BOTH.into_iter().map(|side| (game.side_name(side), player(side))).collect()),
            style: style_text(game, setup),
            fuzz: setup.strategies[0].fuzz,
            fuzz_as: setup.strategies[0].weights.id(),
            seed,
            random_plies: setup.random_plies,
            plies: line.len(),
            line,
            result: ending.map(|ending| Result {
                outcome: ending.outcome().map(|outcome| outcome_name(game, outcome)),
                by: ending.by(),
            }),
            ended: ended_text(game, ending, played.len()),
        }
    }

    /// How the game ended, in words.
    pub(super) fn ended(&self) -> &str {
        &self.ended
    }

    /// Writes the record to a file, for `--load`. A file that is there is replaced if it is a record.
    pub(super) fn save(&self, path: &Path) -> std::result::Result<(), Failure> {
        let at = path.display();
        if path.exists() && Saved::read(path).is_err() {
            return Err(Failure::usage(format!("{at} is there and is not the record of a game; choose another name")));
        }
        let failed = |error: std::io::Error| Failure::io(format!("writing {at} failed: {error}"));
        let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(dir).map_err(failed)?;
        serde_json::to_writer(&mut file, &Answer::new(self)).map_err(|error| failed(error.into()))?;
        file.write_all(b"\n").map_err(failed)?;
        file.as_file().sync_all().map_err(failed)?;
        file.persist(path).map_err(|error| failed(error.error))?;
        Ok(())
    }

    /// The record as text, to be pasted somewhere.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}, rules {}\n{}\n", self.game, self.rules, self.position);
        let sides: Vec<String> = self.sides.0.iter().map(|(side, player)| format!("{side}: {player}")).collect();
        let fuzz = if self.fuzz > 0.0 { format!(", fuzz {} {}", self.fuzz, self.fuzz_as) } else { String::new() };
        text += &format!("{} (style {}{fuzz}, seed {})\n", sides.join(", "), self.style, self.seed);
        if !self.line.is_empty() {
            let pairs = self.line.chunks(2).enumerate().map(|(number, pair)| {
                let moves: Vec<String> = pair.iter().map(RecordedMove::marked).collect();
                format!("{}. {}", number + 1, moves.join(" "))
            });
            text += &format!("\n{}", filled(pairs));
        }
        text += &format!("\n{}\n", self.ended);
        for given in self.line.iter().filter(|mv| mv.gave_away) {
            text += &given.given_away();
        }
        text
    }
}

impl RecordedMove<'_> {
    /// The move, with a mark if it gave the outcome away.
    pub(crate) fn marked(&self) -> String {
        format!("{}{}", self.mv, if self.gave_away { "?" } else { "" })
    }

    /// What it gave away, in a line.
    pub(crate) fn given_away(&self) -> String {
        format!("given away by {}{}: {}\n", place(self.ply), self.marked(), self.given)
    }
}

/// The moves of a game, with the values after them.
pub(crate) fn recorded<'a>(
    game: &AnyGame,
    source: &PlayAdvisor<'_>,
    start: &AnyPosition,
    played: &[Played],
) -> Vec<RecordedMove<'a>> {
    let name = |value: Option<Value>| value.map(|value| outcome_name(game, value.outcome));
    let (mut line, mut before) = (Vec::with_capacity(played.len()), known(game, source, start));
    for (ply, played) in (1..).zip(played) {
        let side = game.side_to_move(&played.from);
        let (after, is_over) = match &played.next {
            Next::End(outcome) => (Some(Value::ended(*outcome)), true),
            Next::Position(next) => (known(game, source, next), game.terminal(next).is_some()),
        };
        let score = |value: Option<Value>| value.map(|value| value.outcome.score(side));
        line.push(RecordedMove {
            ply,
            side: game.side_name(side),
            mv: game.format_move(&played.mv),
            position: match &played.next {
                Next::End(_) => None,
                Next::Position(next) => Some(game.format_position(next)),
            },
            outcome: name(after),
            dtw: distance(after, is_over),
            gave_away: score(before).zip(score(after)).is_some_and(|(before, after)| after < before),
            given: format!("{} before, {} after", won_text(game, before), won_text(game, after)),
        });
        before = after;
    }
    line
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

/// The value of a position, if it is known; that of a terminal position follows from the rules.
pub(crate) fn known(game: &AnyGame, source: &PlayAdvisor<'_>, position: &AnyPosition) -> Option<Value> {
    game.terminal(position).map(Value::ended).or_else(|| source.value(position).ok())
}

/// A value in words.
pub(crate) fn known_text(game: &AnyGame, value: Option<Value>) -> String {
    match value {
        Some(Value { outcome: Outcome::Win(side), plies: Some(plies) }) => value_text(game, Dtw::win(side, plies)),
        _ => won_text(game, value),
    }
}

/// The value of a move in words for its player: the move itself counts as a ply.
pub(crate) fn move_text(game: &AnyGame, value: Option<Value>) -> String {
    let with_move = |value: Value| Value { plies: value.plies.map(|plies| plies.saturating_add(1)), ..value };
    known_text(game, value.map(with_move))
}

/// The same without the plies.
fn won_text(game: &AnyGame, value: Option<Value>) -> String {
    value.map_or("not known".into(), |value| outcome_text(game, value.outcome, None))
}

/// How a game ended, in words.
fn ended_text(game: &AnyGame, ending: Option<Ending>, plies: usize) -> String {
    let plies = text::plies(plies as u64);
    match ending {
        None => format!("not over after {plies}"),
        Some(Ending::Left) => format!("left after {plies}"),
        Some(Ending::Repetition) => format!("drawn after {plies}: the third time in the same position"),
        Some(Ending::Resigned(side)) => {
            format!("{} by resignation after {plies}", won_for(game, side.other()))
        }
        Some(Ending::Over(outcome)) => {
            format!("{} after {plies}", won_text(game, Some(Value { outcome, plies: None })))
        }
    }
}

/// The styles as `--style` takes them.
fn style_text(game: &AnyGame, setup: &Setup) -> String {
    let [first, second] = Side::BOTH.map(|side| {
        let name = style_id(setup.strategies[side.index()].style);
        (name, format!("{}={name}", game.side_name(side)))
    });
    if first.0 == second.0 { first.0.into() } else { format!("{},{}", first.1, second.1) }
}

/// A distance as it is written: 0 where the game is over, also by a draw.
pub(crate) fn distance(value: Option<Value>, is_over: bool) -> Option<u16> {
    if is_over { Some(0) } else { value.and_then(|value| value.plies) }
}

/// A record that was read from a file: the game, and the moves in the notation of the game.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Saved {
    pub(crate) game: String,
    pub(crate) rules: String,
    /// Records of earlier versions say `start`, and `moves` for `line`.
    #[serde(alias = "start")]
    position: String,
    #[serde(alias = "moves")]
    line: Vec<SavedMove>,
    #[serde(default)]
    sides: serde_json::Map<String, serde_json::Value>,
}

#[derive(Clone, Debug, Deserialize)]
struct SavedMove {
    #[serde(rename = "move")]
    mv: String,
}

/// A record is a few hundred bytes per move; nothing longer is read.
const LONGEST_RECORD: u64 = 1 << 24;

impl Saved {
    /// Reads a record.
    pub(crate) fn read(path: &Path) -> std::result::Result<Saved, Failure> {
        let at = path.display();
        let failed = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => Failure::usage(format!("there is no record {at}")),
            _ => Failure::io(format!("reading {at} failed: {error}")),
        };
        // Opening a pipe would wait for somebody to write to it.
        if !std::fs::metadata(path).map_err(failed)?.is_file() {
            return Err(Failure::usage(format!("{at} is not a file")));
        }
        let mut text = Vec::new();
        File::open(path).and_then(|file| file.take(LONGEST_RECORD + 1).read_to_end(&mut text)).map_err(failed)?;
        if text.len() as u64 > LONGEST_RECORD {
            return Err(Failure::usage(format!("{at} is too long for the record of a game")));
        }
        let wrong = |error| {
            Failure::usage(format!(
                "{at} is not the record of a game: {error}; `save` in a game and `anser play --json` write records"
            ))
        };
        serde_json::from_slice(&text).map_err(wrong)
    }

    /// The position that the game began with, and its moves.
    pub(crate) fn moves(&self, game: &AnyGame) -> std::result::Result<(AnyPosition, Vec<Played>), Failure> {
        let start = game.parse_position(&self.position)?;
        let mut here = Next::Position(start);
        let mut played: Vec<Played> = Vec::with_capacity(self.line.len());
        for (ply, SavedMove { mv }) in (1..).zip(&self.line) {
            let wrong = |why: &dyn std::fmt::Display| {
                Failure::usage(format!("the record does not follow the rules at ply {ply}, {mv:?}: {why}"))
            };
            let from = match here {
                Next::Position(from) if game.terminal(&from).is_none() => from,
                _ => return Err(wrong(&"the game is over before it")),
            };
            let mv = game.parse_move(&from, mv).map_err(|error| wrong(&error))?;
            let next = after(game, &from, &mv).ok_or_else(|| wrong(&"this move does not exist there"))?;
            played.push(Played { from, mv, next });
            here = next;
        }
        Ok((start, played))
    }

    /// The sides that persons played, if the record says so.
    pub(super) fn persons(&self, game: &AnyGame) -> Option<[bool; 2]> {
        let by = |side| self.sides.get(game.side_name(side))?.as_str().map(|by| by == "person");
        let [first, second] = Side::BOTH.map(by);
        Some([first?, second?])
    }
}

/// What a move leads to; nothing if it is none of the moves there.
fn after(game: &AnyGame, from: &AnyPosition, mv: &AnyMove) -> Option<Next<AnyPosition>> {
    let found = game.visit_moves(
        from,
        |other, next| {
            if other == *mv { ControlFlow::Break(next) } else { ControlFlow::Continue(()) }
        },
    );
    found.break_value()
}
