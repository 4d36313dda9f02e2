//! Records of games, as text and JSON, and their reader.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use anser_analyse::{Style, Weights, known_moves};
use anser_core::{BySide, Dtw, Hunt, Next, Outcome, RatedMove, Side, Value, hunt};
use anser_games::answers::{
    FuzzFactor, GameResult, PlayedPly, Player, Ply, PositionAnswer, RecordAnswer, Version,
    outcome_name,
};
use anser_games::shell_word;
use serde::Deserialize;

use super::game::{Ending, Played, Setup};
use super::players;
use super::session::Match;
use super::values::PlayAdvisor;
use crate::args::SubjectArgs;
use crate::failure::Failure;
use crate::games;
use crate::output::{NewFile, write_json};
use crate::text::{self, filled, outcome_text, value_text, won_for};

/// Record of a finished or current game.
pub(super) struct Record {
    pub(super) answer: RecordAnswer,
    /// Text about the end of the game.
    ended: String,
    /// Text about the moves that gave something away, one line each.
    remarks: String,
}

impl Record {
    pub(super) fn new(
        &Match { game, source, setup, ref start, .. }: &Match<'_>,
        seed: u64,
        played: &[Played],
        ending: Option<Ending>,
    ) -> Record {
        let line = review(game, source, start, played);
        let remarks = remarks(game, &line);
        let line: Vec<PlayedPly> = line.into_iter().map(|reviewed| reviewed.ply).collect();
        let player = |side: Side| {
            let is_person = setup.persons[side];
            (game.side_name(side), if is_person { Player::Person } else { Player::Computer })
        };
        let answer = RecordAnswer {
            root: PositionAnswer::new(game, start, known(game, source, start)),
            sides: Side::BOTH.map(player).into_iter().collect(),
            style: style_text(game, setup),
            fuzz: fuzz(game, setup),
            fuzz_as: setup.strategies[Side::First].weights.id().into(),
            seed,
            random_plies: setup.random_plies,
            plies: line.len(),
            line,
            result: ending.as_ref().map(|ending| GameResult {
                outcome: ending.outcome().map(|outcome| outcome_name(game, outcome).into()),
                by: ending.by(),
                ending: match ending {
                    Ending::Over(_, reason) => reason.clone(),
                    _ => None,
                },
            }),
        };
        Record { answer, ended: ended_text(game, ending, played.len()), remarks }
    }

    /// Text about the end of the game.
    pub(super) fn ended(&self) -> &str {
        &self.ended
    }

    /// Writes the record to a file, for `--load`. Replaces an existing file only if it is a record.
    pub(super) fn save(&self, path: &Path) -> Result<(), Failure> {
        check_place(path)?;
        let mut file = NewFile::create(path)?;
        write_json(&mut file.out, &self.answer)?;
        file.finish()
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
        let fuzz = match fuzz {
            FuzzFactor::Both(0.0) => String::new(),
            fuzz => format!(", fuzz {} {fuzz_as}", fuzz_text(fuzz)),
        };
        text += &format!("{} (style {style}{fuzz}, seed {seed})\n", sides.join(", "));
        if !line.is_empty() {
            let pairs = line.chunks(2).enumerate().map(|(number, pair)| {
                let moves: Vec<String> = pair.iter().map(marked).collect();
                let pair = format!("{}. {}", number + 1, moves.join(" "));
                (pair.len(), pair)
            });
            text += &format!("\n{}", filled(pairs, 0, "  ", WIDTH));
        }
        text += &format!("\n{}\n{}", self.ended, self.remarks);
        text
    }
}

/// Fails if a record cannot be saved in a file of this name.
pub(super) fn check_place(path: &Path) -> Result<(), Failure> {
    let is_record = || path.is_file() && Saved::read(path).is_ok();
    if path.exists() && !is_record() {
        return Err(Failure::usage(format!(
            "{} exists and is not the record of a game; choose another name",
            path.display()
        )));
    }
    NewFile::create(path).map(drop)
}

/// Number of plies from which on a move that keeps the outcome is marked.
const MANY: u16 = 10;

/// Formats a move: with `?` if it gave the outcome away, with `?!` if it lost many plies.
pub(crate) fn marked(ply: &PlayedPly) -> String {
    let mark = match ply.lost_plies {
        _ if ply.gave_away => "?",
        Some(plies) if plies >= MANY => "?!",
        _ => "",
    };
    format!("{}{mark}", ply.ply.played.mv)
}

/// Move of a game with the values before and after it.
pub(crate) struct Reviewed {
    pub(crate) ply: PlayedPly,
    before: Option<Value>,
    pub(crate) after: Option<Value>,
}

/// Moves of a game, with the values before and after them, and better moves.
pub(crate) fn review(
    game: &Hunt,
    source: &PlayAdvisor<'_>,
    start: &hunt::Position,
    played: &[Played],
) -> Vec<Reviewed> {
    let (mut line, mut before) = (Vec::with_capacity(played.len()), known(game, source, start));
    for (number, played) in (1..).zip(played) {
        let side = played.from.to_move();
        let ended = game.outcome_after(&played.next).map(Value::ended);
        let after = ended.or_else(|| source.value(played.next.position()).ok());
        // Endless play may be a win.
        let score = |value: Value| Outcome::from(game.winner(value.outcome)).score(side);
        let score = |value: Option<Value>| value.map(score);
        let gave_away =
            score(before).zip(score(after)).is_some_and(|(before, after)| after < before);
        let lost_plies = before.zip(after).and_then(|(before, after)| lost(before, after, side));
        let best = |from: &hunt::Position| {
            let moves = known_moves(game, source, from);
            let side = from.to_move();
            // The first of equal ones.
            let best = moves.iter().rev().max_by_key(|rated| rated.score(side));
            best.map(|rated| game.format_move(&rated.mv))
        };
        let is_worse = gave_away || lost_plies.is_some_and(|plies| plies > 0);
        let ply = PlayedPly {
            ply: Ply::new(
                game,
                number,
                side,
                &RatedMove { mv: played.mv, next: played.next, value: after },
            ),
            gave_away,
            lost_plies,
            better: if is_worse { best(&played.from) } else { None },
            refutation: match &played.next {
                Next::Position(next) if gave_away => best(next),
                _ => None,
            },
        };
        line.push(Reviewed { ply, before, after });
        before = after;
    }
    line
}

/// Returns the number of plies that a move of `side` loses; `None` unless the outcome is the same
/// win before and after it, at known distances.
fn lost(before: Value, after: Value, side: Side) -> Option<u16> {
    let (was, is) = (before.plies?, after.plies?.checked_add(1)?);
    match before.winner()? {
        winner if after.winner() != Some(winner) => None,
        winner if winner == side => is.checked_sub(was),
        _ => was.checked_sub(is),
    }
}

/// Remarks on the moves that gave the outcome away or lost many plies, one line each.
pub(crate) fn remarks(game: &Hunt, line: &[Reviewed]) -> String {
    let mut text = String::new();
    for Reviewed { ply, before, after } in line {
        // `3. ` for the first ply of the third pair, `3. .. ` for the second.
        let (number, gap) = (ply.ply.ply, if ply.ply.ply.is_multiple_of(2) { ".. " } else { "" });
        let mv = format!("{}. {gap}{}", number.div_ceil(2), marked(ply));
        let better = ply.better.as_deref().unwrap_or_default();
        if ply.gave_away {
            let (was, is) = (won_text(game, *before), won_text(game, *after));
            let refuted = ply.refutation.as_ref().map(|reply| format!(", refuted by {reply}"));
            text += &format!(
                "given away by {mv}: {was} before, {is} after; better {better}{}\n",
                refuted.unwrap_or_default()
            );
        } else if let Some(plies) = ply.lost_plies.filter(|&plies| plies >= MANY) {
            let plies = text::plies(u64::from(plies));
            text += &format!("{plies} lost by {mv}; better {better}\n");
        }
    }
    text
}

/// Width of the lines of moves, in characters.
const WIDTH: usize = 76;

/// Value of a position, if known. The rules give the value of a terminal position.
pub(crate) fn known(
    game: &Hunt,
    source: &PlayAdvisor<'_>,
    position: &hunt::Position,
) -> Option<Value> {
    game.terminal(position).map(Value::ended).or_else(|| source.value(position).ok())
}

/// Formats a value.
pub(crate) fn known_text(game: &Hunt, value: Option<Value>) -> String {
    match value {
        Some(Value { outcome: Outcome::Win(side), plies: Some(plies) }) => {
            value_text(game, Dtw::win(side, plies))
        }
        _ => won_text(game, value),
    }
}

/// Formats the value of a move for its player, with the move itself counted as a ply.
pub(crate) fn move_text(game: &Hunt, value: Option<Value>) -> String {
    let with_move =
        |value: Value| Value { plies: value.plies.map(|plies| plies.saturating_add(1)), ..value };
    known_text(game, value.map(with_move))
}

/// Formats a value without its plies.
fn won_text(game: &Hunt, value: Option<Value>) -> String {
    value.map_or("not known".into(), |value| outcome_text(game, value.outcome, None))
}

/// Text about the end of a game.
fn ended_text(game: &Hunt, ending: Option<Ending>, plies: usize) -> String {
    let plies = text::plies(plies as u64);
    match ending {
        None => format!("not over after {plies}"),
        Some(Ending::Left) => format!("left after {plies}"),
        Some(Ending::Repetition) => {
            let outcome = outcome_text(game, Outcome::Draw, None);
            format!("{outcome} after {plies}: the third time in the same position")
        }
        Some(Ending::Resigned(side)) => {
            format!("{} by resignation after {plies}", won_for(game, side.other()))
        }
        Some(Ending::Over(outcome, reason)) => {
            let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
            format!("{} after {plies}{reason}", outcome_text(game, outcome, None))
        }
    }
}

/// Formats the styles as `--style` accepts them.
fn style_text(game: &Hunt, setup: &Setup) -> String {
    let [first, second] = Side::BOTH.map(|side| {
        let name = setup.strategies[side].style.id();
        (name, format!("{}={name}", game.side_name(side)))
    });
    if first.0 == second.0 { first.0.into() } else { format!("{},{}", first.1, second.1) }
}

/// Fuzz factor of both sides, or of each.
fn fuzz(game: &Hunt, setup: &Setup) -> FuzzFactor {
    let [first, second] = Side::BOTH.map(|side| setup.strategies[side].fuzz);
    if first.to_bits() == second.to_bits() {
        return FuzzFactor::Both(first);
    }
    let of = |side: Side| (game.side_name(side), setup.strategies[side].fuzz);
    FuzzFactor::BySide(Side::BOTH.map(of).into_iter().collect())
}

/// Formats a fuzz factor as `--fuzz` accepts it.
fn fuzz_text(fuzz: &FuzzFactor) -> String {
    match fuzz {
        FuzzFactor::Both(fuzz) => fuzz.to_string(),
        FuzzFactor::BySide(sides) => {
            let sides = sides.iter().map(|(side, fuzz)| format!("{side}={fuzz}"));
            sides.collect::<Vec<_>>().join(",")
        }
    }
}

/// Settings of the computer in a record. Earlier versions did not write all of them.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Settings {
    style: Option<String>,
    fuzz: Option<FuzzFactor>,
    fuzz_as: Option<String>,
    pub(super) seed: Option<u64>,
}

impl Settings {
    /// Settings of a game.
    pub(super) fn new(game: &Hunt, setup: &Setup, seed: u64) -> Settings {
        Settings {
            style: Some(style_text(game, setup)),
            fuzz: Some(fuzz(game, setup)),
            fuzz_as: Some(setup.strategies[Side::First].weights.id().into()),
            seed: Some(seed),
        }
    }

    /// Settings of a new game without options. A fuzz factor changes the default style, so that
    /// there is none for `settings` with one.
    pub(super) fn usual(settings: &Settings) -> Settings {
        let fuzz = Some(FuzzFactor::Both(0.0));
        let style = (settings.fuzz == fuzz).then(|| Style::default().id().into());
        Settings { style, fuzz, fuzz_as: Some(Weights::default().id().into()), seed: None }
    }

    /// Options for the settings that differ from those of `others`, each after a space.
    pub(super) fn options(&self, others: &Settings) -> String {
        let texts = |settings: &Settings| {
            [
                ("--style", settings.style.clone()),
                ("--fuzz", settings.fuzz.as_ref().map(fuzz_text)),
                ("--fuzz-as", settings.fuzz_as.clone()),
                ("--seed", settings.seed.map(|seed| seed.to_string())),
            ]
        };
        let pairs = texts(self).into_iter().zip(texts(others));
        let changed = pairs.filter(|(own, other)| own != other);
        changed.filter_map(|((option, own), _)| Some(format!(" {option} {}", own?))).collect()
    }

    /// Style of each side, where there is one.
    pub(super) fn styles(&self, game: &Hunt) -> Result<BySide<Option<Style>>, Failure> {
        let Some(text) = &self.style else { return Ok(BySide::default()) };
        players::styles(text).map_err(|problem| wrong("style", text, &problem))?.of(game, "style")
    }

    /// Fuzz factor of each side, where there is one.
    pub(super) fn fuzz(&self, game: &Hunt) -> Result<BySide<Option<f64>>, Failure> {
        let Some(text) = self.fuzz.as_ref().map(fuzz_text) else { return Ok(BySide::default()) };
        players::fuzz(&text).map_err(|problem| wrong("fuzz", &text, &problem))?.of(game, "fuzz")
    }

    /// Meaning of the fuzz factors, or the default one.
    pub(super) fn weights(&self) -> Result<Weights, Failure> {
        let Some(text) = &self.fuzz_as else { return Ok(Weights::default()) };
        let found = Weights::ALL.into_iter().find(|weights| weights.id() == text);
        found.ok_or_else(|| wrong("fuzz-as", text, "it is not known"))
    }
}

/// Failure because of a setting in a record, which an option of that name replaces.
fn wrong(option: &str, text: &str, problem: &str) -> Failure {
    Failure::usage(format!("--{option} of the record, {text:?}, cannot be used: {problem}"))
        .advice(format_args!("give another --{option}"))
}

/// Record read from a file, with moves in notation.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Saved {
    /// Reading another number fails. Records that were written by hand may have none.
    #[serde(default, rename = "schema")]
    _schema: Option<Version>,
    pub(crate) game: String,
    pub(crate) rules: String,
    /// Earlier versions wrote `start`, and `moves` instead of `line`.
    #[serde(alias = "start")]
    position: String,
    #[serde(alias = "moves")]
    line: Vec<SavedMove>,
    #[serde(default)]
    sides: BTreeMap<String, Player>,
    #[serde(flatten)]
    pub(super) settings: Settings,
}

#[derive(Clone, Debug, Deserialize)]
struct SavedMove {
    #[serde(rename = "move")]
    mv: String,
}

/// Returns the command that reads a record of a game with an option. A file that describes the game
/// is named; it is `FILE` if the game is not known.
pub(super) fn load_command(game: &str, (verb, option): (&str, &str), path: &Path) -> String {
    let file = match games::registry().find(game) {
        Ok((info, _)) if info.file.is_none() => String::new(),
        Ok((info, _)) => format!("{} ", games::word(&info.name)),
        Err(_) => "FILE ".to_owned(),
    };
    format!("anser {verb} {file}{option} {}", shell_word(path))
}

/// Longest record that is read, in bytes. A record has a few hundred bytes per move.
const LONGEST_RECORD: u64 = 1 << 24;

impl Saved {
    /// Reads a record.
    pub(crate) fn read(path: &Path) -> Result<Saved, Failure> {
        let at = path.display();
        let failed = |error: std::io::Error| {
            Failure::of_file(format!("reading the record {at} failed: {error}"), &error)
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
                "{at} is not the record of a game: {error}; `save` in a game and `anser play \
                 --json` write records"
            ))
        };
        serde_json::from_slice(&text).map_err(wrong)
    }

    /// Returns the game of the record, which `subject` may name. `option` of `command` read the
    /// record from `path`.
    ///
    /// # Errors
    /// If the game is not known, or `subject` names another game or rule set.
    pub(crate) fn open(
        &self,
        subject: &SubjectArgs,
        command: (&str, &str),
        path: &Path,
    ) -> Result<Hunt, Failure> {
        let (info, size) = if subject.is_given() {
            games::find(subject.game()?)?
        } else {
            games::find(&self.game).map_err(|failure| {
                failure.advice(format_args!(
                    "if a file describes the game, `{}` reads it",
                    load_command(&self.game, command, path)
                ))
            })?
        };
        let name = info.sized_name(size);
        if name != self.game {
            return Err(Failure::usage(format!("the record is of {}, not of {name}", self.game)));
        }
        if subject.rules.id.as_ref().is_some_and(|asked| *asked != self.rules) {
            return Err(Failure::usage(format!(
                "the record is of a game under the rules {}",
                self.rules
            )));
        }
        Ok(info.make(size, &self.rules)?)
    }

    /// Start of the game, and its moves.
    pub(crate) fn moves(&self, game: &Hunt) -> Result<(hunt::Position, Vec<Played>), Failure> {
        let start = game.parse_position(&self.position)?;
        let mut here = Next::Position(start);
        let mut played: Vec<Played> = Vec::with_capacity(self.line.len());
        for (ply, SavedMove { mv }) in (1..).zip(&self.line) {
            let wrong = |why: &dyn std::fmt::Display| {
                Failure::usage(format!("the record breaks the rules at ply {ply}, {mv:?}: {why}"))
            };
            if game.outcome_after(&here).is_some() {
                return Err(wrong(&"the game is already over"));
            }
            let from = *here.position();
            let mv = game.parse_move(&from, mv).map_err(|error| wrong(&error))?;
            let next = game.after(&from, &mv).ok_or_else(|| wrong(&"this move is not legal"))?;
            played.push(Played { from, mv, next });
            here = next;
        }
        Ok((start, played))
    }

    /// Whether a person played each side, if the record has that.
    pub(super) fn persons(&self, game: &Hunt) -> Option<BySide<bool>> {
        let by =
            |side| self.sides.get(game.side_name(side)).map(|&by| by == Player::Person).ok_or(());
        BySide::try_from_fn(by).ok()
    }
}
