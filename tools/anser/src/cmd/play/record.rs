//! Records of games, as text and JSON, and their reader.

use std::fs::File;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::path::Path;

use anser_core::prelude::*;
use anser_core::{BySide, Dtw, Next, Outcome, RatedMove, Side, Value};
use anser_games::answers::{
    GameResult, PlayedPly, Player, Ply, PositionAnswer, RecordAnswer, Versioned, outcome_name,
};
use anser_games::{AnyGame, AnyMove, AnyPosition};
use serde::Deserialize;

use super::players::style_id;
use super::session::{Ending, Played, Setup};
use super::values::PlayAdvisor;
use crate::failure::Failure;
use crate::text::{self, outcome_text, value_text, won_for};

/// Record of a finished or current game.
pub(super) struct Record {
    pub(super) answer: RecordAnswer,
    /// Text about the end of the game.
    ended: String,
    /// Text about the moves that gave the outcome away, one line each.
    given_away: String,
}

impl Record {
    pub(super) fn new(
        game: &AnyGame,
        source: &PlayAdvisor<'_>,
        setup: &Setup,
        seed: u64,
        start: &AnyPosition,
        played: &[Played],
        ending: Option<Ending>,
    ) -> Record {
        let line = recorded(game, source, start, played);
        let given_away = given_away(game, source, start, &line, played);
        let player = |side: Side| {
            let is_person = setup.players[side].is_person();
            (game.side_name(side), if is_person { Player::Person } else { Player::Computer })
        };
        let answer = RecordAnswer {
            root: PositionAnswer::new(game, start, known(game, source, start)),
            sides: Side::BOTH.map(player).into_iter().collect(),
            style: style_text(game, setup),
            fuzz: setup.strategies[Side::First].fuzz,
            fuzz_as: setup.strategies[Side::First].weights.id().into(),
            seed,
            random_plies: setup.random_plies,
            plies: line.len(),
            line,
            result: ending.map(|ending| GameResult {
                outcome: ending.outcome().map(|outcome| outcome_name(game, outcome).into()),
                by: ending.by(),
            }),
        };
        Record { answer, ended: ended_text(game, ending, played.len()), given_away }
    }

    /// Text about the end of the game.
    pub(super) fn ended(&self) -> &str {
        &self.ended
    }

    /// Writes the record to a file, for `--load`. Replaces an existing file only if it is a record.
    pub(super) fn save(&self, path: &Path) -> Result<(), Failure> {
        let at = path.display();
        if path.exists() && Saved::read(path).is_err() {
            return Err(Failure::usage(format!(
                "{at} exists and is not the record of a game; choose another name"
            )));
        }
        let failed = |error: std::io::Error| Failure::io(format!("writing {at} failed: {error}"));
        let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(dir).map_err(failed)?;
        serde_json::to_writer(&mut file, &Versioned::new(&self.answer))
            .map_err(|error| failed(error.into()))?;
        file.write_all(b"\n").map_err(failed)?;
        file.as_file().sync_all().map_err(failed)?;
        file.persist(path).map_err(|error| failed(error.error))?;
        Ok(())
    }

    /// Formats the record as text.
    pub(super) fn text(&self) -> String {
        let RecordAnswer { root, sides, style, fuzz, fuzz_as, seed, line, .. } = &self.answer;
        let mut text = format!("{}, rules {}\n{}\n", root.game, root.rules, root.rated.position);
        let player = |player: &Player| match player {
            Player::Person => "person",
            Player::Computer => "computer",
        };
        let sides: Vec<String> =
            sides.iter().map(|(side, by)| format!("{side}: {}", player(by))).collect();
        let fuzz = if *fuzz > 0.0 { format!(", fuzz {fuzz} {fuzz_as}") } else { String::new() };
        text += &format!("{} (style {style}{fuzz}, seed {seed})\n", sides.join(", "));
        if !line.is_empty() {
            let pairs = line.chunks(2).enumerate().map(|(number, pair)| {
                let moves: Vec<String> = pair.iter().map(marked).collect();
                format!("{}. {}", number + 1, moves.join(" "))
            });
            text += &format!("\n{}", filled(pairs));
        }
        text += &format!("\n{}\n{}", self.ended, self.given_away);
        text
    }
}

/// Formats a move, with a question mark if it gave the outcome away.
pub(crate) fn marked(ply: &PlayedPly) -> String {
    format!("{}{}", ply.ply.mv, if ply.gave_away { "?" } else { "" })
}

/// Moves of a game, with the values after them.
pub(crate) fn recorded(
    game: &AnyGame,
    source: &PlayAdvisor<'_>,
    start: &AnyPosition,
    played: &[Played],
) -> Vec<PlayedPly> {
    let (mut line, mut before) = (Vec::with_capacity(played.len()), known(game, source, start));
    for (number, played) in (1..).zip(played) {
        let side = game.side_to_move(&played.from);
        let after = known_after(game, source, played);
        let score = |value: Option<Value>| value.map(|value| value.outcome.score(side));
        line.push(PlayedPly {
            ply: Ply::new(
                game,
                number,
                side,
                &RatedMove { mv: played.mv, next: played.next, value: after },
            ),
            gave_away: score(before)
                .zip(score(after))
                .is_some_and(|(before, after)| after < before),
        });
        before = after;
    }
    line
}

/// Lists the moves that gave the outcome away, one line each.
pub(crate) fn given_away(
    game: &AnyGame,
    source: &PlayAdvisor<'_>,
    start: &AnyPosition,
    line: &[PlayedPly],
    played: &[Played],
) -> String {
    let (mut text, mut before) = (String::new(), known(game, source, start));
    for (ply, played) in line.iter().zip(played) {
        let after = known_after(game, source, played);
        if ply.gave_away {
            let (number, was, is) =
                (number_text(ply.ply.ply), won_text(game, before), won_text(game, after));
            text += &format!("given away by {number}{}: {was} before, {is} after\n", marked(ply));
        }
        before = after;
    }
    text
}

/// Value after a move.
fn known_after(game: &AnyGame, source: &PlayAdvisor<'_>, played: &Played) -> Option<Value> {
    match &played.next {
        Next::End(outcome) => Some(Value::ended(*outcome)),
        Next::Position(next) => known(game, source, next),
    }
}

/// Width of the lines of moves, in characters.
const WIDTH: usize = 76;

/// Formats pairs of moves in lines of at most [`WIDTH`] characters.
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

/// Formats the number of a ply: `3. ` for the first of the third pair, `3. .. ` for the second.
fn number_text(ply: usize) -> String {
    format!("{}. {}", ply.div_ceil(2), if ply.is_multiple_of(2) { ".. " } else { "" })
}

/// Value of a position, if known. The rules give the value of a terminal position.
pub(crate) fn known(
    game: &AnyGame,
    source: &PlayAdvisor<'_>,
    position: &AnyPosition,
) -> Option<Value> {
    game.terminal(position).map(Value::ended).or_else(|| source.value(position).ok())
}

/// Formats a value.
pub(crate) fn known_text(game: &AnyGame, value: Option<Value>) -> String {
    match value {
        Some(Value { outcome: Outcome::Win(side), plies: Some(plies) }) => {
            value_text(game, Dtw::win(side, plies))
        }
        _ => won_text(game, value),
    }
}

/// Formats the value of a move for its player, with the move itself counted as a ply.
pub(crate) fn move_text(game: &AnyGame, value: Option<Value>) -> String {
    let with_move =
        |value: Value| Value { plies: value.plies.map(|plies| plies.saturating_add(1)), ..value };
    known_text(game, value.map(with_move))
}

/// Formats a value without its plies.
fn won_text(game: &AnyGame, value: Option<Value>) -> String {
    value.map_or("not known".into(), |value| outcome_text(game, value.outcome, None))
}

/// Text about the end of a game.
fn ended_text(game: &AnyGame, ending: Option<Ending>, plies: usize) -> String {
    let plies = text::plies(plies as u64);
    match ending {
        None => format!("not over after {plies}"),
        Some(Ending::Left) => format!("left after {plies}"),
        Some(Ending::Repetition) => {
            format!("drawn after {plies}: the third time in the same position")
        }
        Some(Ending::Resigned(side)) => {
            format!("{} by resignation after {plies}", won_for(game, side.other()))
        }
        Some(Ending::Over(outcome)) => {
            format!("{} after {plies}", won_text(game, Some(Value { outcome, plies: None })))
        }
    }
}

/// Formats the styles as `--style` accepts them.
fn style_text(game: &AnyGame, setup: &Setup) -> String {
    let [first, second] = Side::BOTH.map(|side| {
        let name = style_id(setup.strategies[side].style);
        (name, format!("{}={name}", game.side_name(side)))
    });
    if first.0 == second.0 { first.0.into() } else { format!("{},{}", first.1, second.1) }
}

/// Record read from a file, with moves in notation.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Saved {
    pub(crate) game: String,
    pub(crate) rules: String,
    /// Earlier versions wrote `start`, and `moves` instead of `line`.
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

/// Longest record that is read, in bytes. A record has a few hundred bytes per move.
const LONGEST_RECORD: u64 = 1 << 24;

impl Saved {
    /// Reads a record.
    pub(crate) fn read(path: &Path) -> Result<Saved, Failure> {
        let at = path.display();
        let failed = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                Failure::usage(format!("the record {at} does not exist"))
            }
            _ => Failure::io(format!("reading {at} failed: {error}")),
        };
        // Opening a pipe would block until another process writes to it.
        if !std::fs::metadata(path).map_err(failed)?.is_file() {
            return Err(Failure::usage(format!("{at} is not a file")));
        }
        let mut text = Vec::new();
        File::open(path)
            .and_then(|file| file.take(LONGEST_RECORD + 1).read_to_end(&mut text))
            .map_err(failed)?;
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

    /// Start of the game, and its moves.
    pub(crate) fn moves(&self, game: &AnyGame) -> Result<(AnyPosition, Vec<Played>), Failure> {
        let start = game.parse_position(&self.position)?;
        let mut here = Next::Position(start);
        let mut played: Vec<Played> = Vec::with_capacity(self.line.len());
        for (ply, SavedMove { mv }) in (1..).zip(&self.line) {
            let wrong = |why: &dyn std::fmt::Display| {
                Failure::usage(format!("the record breaks the rules at ply {ply}, {mv:?}: {why}"))
            };
            let from = match here {
                Next::Position(from) if game.terminal(&from).is_none() => from,
                _ => return Err(wrong(&"the game is already over")),
            };
            let mv = game.parse_move(&from, mv).map_err(|error| wrong(&error))?;
            let next = after(game, &from, &mv).ok_or_else(|| wrong(&"this move is not legal"))?;
            played.push(Played { from, mv, next });
            here = next;
        }
        Ok((start, played))
    }

    /// Whether a person played each side, if the record has that.
    pub(super) fn persons(&self, game: &AnyGame) -> Option<BySide<bool>> {
        let by = |side| {
            self.sides
                .get(game.side_name(side))
                .and_then(|by| by.as_str())
                .map(|by| by == "person")
                .ok_or(())
        };
        BySide::try_from_fn(by).ok()
    }
}

/// Result of a move, or `None` if it is not legal.
fn after(game: &AnyGame, from: &AnyPosition, mv: &AnyMove) -> Option<Next<AnyPosition>> {
    let found = game.visit_moves(from, |other, next| {
        if other == *mv { ControlFlow::Break(next) } else { ControlFlow::Continue(()) }
    });
    found.break_value()
}
