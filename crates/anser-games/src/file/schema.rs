//! The parts of a file, and the changes of rule sets to them.

use std::collections::BTreeMap;

use anser_core::Side;
use serde::de::{Error, IgnoredAny};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::error::FileError;
use super::parse::Source;
use crate::info::{Opening, Origin};

/// Greatest number of rule sets that are listed, unless more have a name: every base alone and with
/// switches.
const MOST_LISTED: usize = 64;

/// A file as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct File {
    pub(super) name: Spanned<String>,
    #[serde(default, deserialize_with = "shown")]
    about: Option<String>,
    #[serde(default, deserialize_with = "shown")]
    title: Option<String>,
    #[serde(default, deserialize_with = "shown")]
    region: Option<String>,
    #[serde(default, deserialize_with = "shown")]
    date: Option<String>,
    #[serde(default, deserialize_with = "shown")]
    source: Option<String>,
    /// The id of the rules without changes.
    pub(super) rules: Option<Spanned<String>>,
    #[serde(default, deserialize_with = "shown")]
    meaning: Option<String>,
    pub(super) first: Option<Spanned<String>>,
    pub(super) plies: Option<Spanned<u8>>,
    pub(super) endless: Option<Spanned<String>>,
    pub(super) layers: Option<Spanned<String>>,
    pub(super) board: Spanned<Board>,
    /// Other boards, which rule sets name.
    #[serde(default)]
    boards: BTreeMap<String, Spanned<Board>>,
    pub(super) few: Spanned<GivenSide>,
    pub(super) many: Spanned<GivenSide>,
    pub(super) ends: Option<Spanned<Vec<Spanned<GivenEnd>>>>,
    #[serde(default)]
    pub(super) openings: Vec<GivenOpening>,
    #[serde(default)]
    rule_sets: BTreeMap<String, Spanned<Changes>>,
    #[serde(default)]
    switches: BTreeMap<String, Spanned<Changes>>,
}

/// The points of a board, and its lines.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Board {
    pub(super) word: Option<String>,
    pub(super) points: Spanned<Vec<Spanned<Point>>>,
    pub(super) lines: Option<Vec<Spanned<String>>>,
}

/// The name of a point, its coordinates, and what follows them by mistake.
#[derive(Clone, Debug, Deserialize)]
#[serde(expecting = "a point with two coordinates, as [\"a1\", 0, 0]")]
pub(super) struct Point(
    pub(super) String,
    pub(super) i32,
    pub(super) i32,
    #[serde(default)] pub(super) Option<Spanned<IgnoredAny>>,
);

/// One side. What a rule set leaves out stays as it is.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct GivenSide {
    pub(super) name: Option<String>,
    pub(super) noun: Option<Spanned<String>>,
    pub(super) piece: Option<String>,
    pub(super) letter: Option<Spanned<String>>,
    pub(super) turn: Option<Spanned<String>>,
    pub(super) number: Option<Spanned<Number>>,
    pub(super) start: Option<Spanned<String>>,
    pub(super) hand: Option<Spanned<u8>>,
    pub(super) region: Option<Spanned<String>>,
    pub(super) order: Option<Spanned<String>>,
    pub(super) steps: Option<Spanned<String>>,
    pub(super) jumps: Option<Spanned<String>>,
    pub(super) captures: Option<Spanned<String>>,
    pub(super) chain: Option<bool>,
    pub(super) compulsory: Option<bool>,
}

/// A number of pieces, or the least and the greatest.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "write a number of pieces, as 4, or the least and the greatest, as [2, 5]"
)]
pub(super) enum Number {
    One(u8),
    Range([u8; 2]),
}

/// An end of the game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct GivenEnd {
    pub(super) winner: Spanned<String>,
    pub(super) when: Spanned<String>,
    pub(super) text: Option<String>,
    pub(super) to_move: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) after_placement: bool,
    #[serde(default)]
    pub(super) except_start: bool,
}

/// A position with a name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct GivenOpening {
    pub(super) name: String,
    pub(super) position: Spanned<String>,
    #[serde(default, deserialize_with = "shown")]
    pub(super) about: Option<String>,
}

/// Changes to the rules.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Changes {
    #[serde(default, deserialize_with = "shown")]
    meaning: Option<String>,
    first: Option<Spanned<String>>,
    plies: Option<Spanned<u8>>,
    endless: Option<Spanned<String>>,
    layers: Option<Spanned<String>>,
    board: Option<Spanned<Board>>,
    /// One of the boards of the file.
    on_board: Option<Spanned<String>>,
    few: Option<Spanned<GivenSide>>,
    many: Option<Spanned<GivenSide>>,
    ends: Option<Spanned<Vec<Spanned<GivenEnd>>>>,
}

/// Reads a text that is shown: without control characters, but for tabs and the ends of lines.
fn shown<'de, D: Deserializer<'de>>(given: D) -> Result<Option<String>, D::Error> {
    let text = String::deserialize(given)?;
    let is_hidden = |c: char| c.is_control() && !matches!(c, '\n' | '\t' | '\r');
    match text.chars().find(|&c| is_hidden(c)) {
        Some(c) => Err(D::Error::custom(format!("the text has the control character {c:?}"))),
        None => Ok(Some(text)),
    }
}

/// Reads a file.
pub(super) fn read(source: &Source<'_>) -> Result<File, FileError> {
    let file: File = toml::from_str(source.text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        source.error(
            start,
            in_words(error.message()),
            "docs/describe-a-game.md has every part of a file",
        )
    })?;
    file.check_ids(source)?;
    Ok(file)
}

/// Returns a message in words of this program if it is about a value of another type.
fn in_words(message: &str) -> String {
    let parts = message.strip_prefix("invalid ").and_then(|it| it.rsplit_once(", expected "));
    let Some((found, expected)) = parts else { return message.to_owned() };
    let found = match found.split_once(' ') {
        Some(("length", length)) => format!("a list of {length}"),
        Some(("type:" | "value:", "sequence")) => "a list".into(),
        Some(("type:" | "value:", "map")) => "a table".into(),
        Some(("type:" | "value:", value)) => {
            let value = value.strip_prefix("string ").unwrap_or(value);
            value.split('`').nth(1).unwrap_or(value).into()
        }
        _ => return message.to_owned(),
    };
    let expected = match expected {
        // Numbers of pieces and plies; none may be greater.
        "u8" => "a whole number from 0 to 250",
        "i32" => "a whole number from -2147483648 to 2147483647",
        "a string" => "a text in quotation marks",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        other if other == "a map" || other.starts_with("struct ") => "a table",
        other => other,
    };
    format!("{found} is not {expected}")
}

impl File {
    pub(super) fn name(&self) -> &str {
        self.name.get_ref()
    }

    pub(super) fn side(&self, side: Side) -> &Spanned<GivenSide> {
        match side {
            Side::First => &self.few,
            Side::Second => &self.many,
        }
    }

    pub(super) fn about(&self) -> String {
        self.about.clone().unwrap_or_else(|| self.name().to_owned())
    }

    pub(super) fn origin(&self) -> Origin {
        Origin {
            title: self.title.clone(),
            region: self.region.clone(),
            date: self.date.clone(),
            source: self.source.clone(),
        }
    }

    /// Returns the openings, whose positions are not checked.
    pub(super) fn openings(&self) -> Vec<Opening> {
        let opening = |given: &GivenOpening| Opening {
            name: given.name.clone(),
            position: given.position.get_ref().clone(),
            about: given.about.clone().unwrap_or_default(),
        };
        self.openings.iter().map(opening).collect()
    }

    /// Returns what a rule set means, in sentences.
    pub(super) fn meaning(&self, id: &str) -> Result<String, FileError> {
        let changes = self.changes(id)?;
        let own = changes.iter().filter_map(|change| change.get_ref().meaning.as_deref());
        let parts: Vec<&str> = self.meaning.as_deref().into_iter().chain(own).collect();
        Ok(parts.join(" "))
    }

    fn base(&self) -> &str {
        self.rules.as_ref().map_or("standard", |rules| rules.get_ref())
    }

    /// Returns the ids of rule sets: those of the file, then each with each combination of
    /// switches.
    pub(super) fn ids(&self) -> Vec<String> {
        let bases: Vec<&str> =
            std::iter::once(self.base()).chain(self.rule_sets.keys().map(|id| &id[..])).collect();
        let switches: Vec<&String> = self.switches.keys().take(16).collect();
        let all = bases.len().max(MOST_LISTED);
        let combinations = (0..1_u32 << switches.len()).flat_map(|bits| {
            let on = (0..).zip(&switches).filter(move |(bit, _)| bits >> bit & 1 != 0);
            let suffix = on.fold(String::new(), |all, (_, id)| all + "+" + id);
            bases.iter().map(move |base| format!("{base}{suffix}")).collect::<Vec<_>>()
        });
        combinations.take(all).collect()
    }

    /// Checks that no id of a rule set has two meanings.
    fn check_ids(&self, source: &Source<'_>) -> Result<(), FileError> {
        let base = self.base();
        for (id, given) in self.switches.iter().chain(&self.rule_sets) {
            let (problem, right) = if id.contains('+') {
                let right = "a + in an id joins a rule set and its switches; use a hyphen";
                (format!("{id:?} is no id of a rule set or a switch"), right)
            } else if self.rule_sets.contains_key(id) && self.switches.contains_key(id) {
                let right = "give the switch another id";
                (format!("a rule set and a switch have the name {id:?}"), right)
            } else if id == base {
                let right =
                    "the rules of the file have the name that the key rules gives, or standard";
                (format!("two rule sets or switches have the name {base:?}"), right)
            } else {
                continue;
            };
            return source.fail(given.span().start, problem, right);
        }
        Ok(())
    }

    /// Returns the changes that the parts of a rule set's id name, in their order.
    fn changes(&self, id: &str) -> Result<Vec<&Spanned<Changes>>, FileError> {
        // The rules of the file may be called by an id that has switches itself.
        let own = id.strip_prefix(self.base()).filter(|it| it.is_empty() || it.starts_with('+'));
        let (base, switches) = match own {
            Some(switches) => (self.base(), switches),
            None => id.split_at(id.find('+').unwrap_or(id.len())),
        };
        let parts = switches.split('+').skip(1);
        let mut changes = Vec::new();
        let no_rules = |problem: String, right: String| FileError::Rules { problem, right };
        if base != self.base() {
            changes.push(self.rule_sets.get(base).ok_or_else(|| {
                let known: Vec<&str> = std::iter::once(self.base())
                    .chain(self.rule_sets.keys().map(|id| &id[..]))
                    .collect();
                let switches: Vec<&str> = self.switches.keys().map(|id| &id[..]).collect();
                let also = switches.first().map(|switch| {
                    let (switches, base) = (switches.join(", "), self.base());
                    format!(", each also with {switches}, as in {base}+{switch}")
                });
                let (known, also) = (known.join(", "), also.unwrap_or_default());
                let right = format!("the rule sets are {known}{also}");
                no_rules(format!("no rule set is called {base:?}"), right)
            })?);
        }
        let mut before: Option<&str> = None;
        for part in parts {
            let known = || {
                let known: Vec<&str> = self.switches.keys().map(|id| &id[..]).collect();
                if known.is_empty() {
                    return "the file has no switches".to_owned();
                }
                format!("the switches are {}, each once, in this order", known.join(", "))
            };
            let Some(change) = self.switches.get(part) else {
                return Err(no_rules(format!("no switch is called {part:?}"), known()));
            };
            if before.is_some_and(|before| before >= part) {
                return Err(no_rules(format!("the switches of {id} are not in order"), known()));
            }
            before = Some(part);
            changes.push(change);
        }
        Ok(changes)
    }

    /// Returns where in the file the last part of a rule set's id is.
    pub(super) fn place_of_id(&self, id: &str) -> usize {
        let changes = self.changes(id).ok().and_then(|changes| changes.last().copied());
        let of_file = || self.rules.as_ref().map(Spanned::span);
        changes.map(Spanned::span).or_else(of_file).map_or(0, |span| span.start)
    }

    /// Returns the board that a rule set names.
    fn named_board(
        &self,
        source: &Source<'_>,
        name: &Spanned<String>,
    ) -> Result<&Spanned<Board>, FileError> {
        self.boards.get(name.get_ref()).ok_or_else(|| {
            let known: Vec<&str> = self.boards.keys().map(|id| &id[..]).collect();
            let right = if known.is_empty() {
                "the file has no boards; add a table boards.NAME with points and lines".to_owned()
            } else {
                format!("the boards are {}", known.join(", "))
            };
            let problem = format!("no board is called {:?}", name.get_ref());
            source.error(name.span().start, problem, right)
        })
    }

    /// Returns the file with the changes of a rule set.
    pub(super) fn with_rules(&self, source: &Source<'_>, id: &str) -> Result<File, FileError> {
        let mut rules = self.clone();
        for change in self.changes(id)? {
            let change = change.get_ref().clone();
            rules.first = change.first.or(rules.first);
            rules.plies = change.plies.or(rules.plies);
            rules.endless = change.endless.or(rules.endless);
            rules.layers = change.layers.or(rules.layers);
            if let Some(name) = &change.on_board {
                if change.board.is_some() {
                    let right = "leave one of them out";
                    let problem = "the rule set has a board, and on-board names another one";
                    return source.fail(name.span().start, problem, right);
                }
                rules.board = self.named_board(source, name)?.clone();
            }
            rules.board = change.board.unwrap_or(rules.board);
            rules.ends = change.ends.or(rules.ends);
            if let Some(few) = change.few {
                rules.few = changed(few, rules.few);
            }
            if let Some(many) = change.many {
                rules.many = changed(many, rules.many);
            }
        }
        Ok(rules)
    }
}

impl GivenSide {
    /// Returns where a field begins.
    pub(super) fn field(&self, name: &str) -> Option<usize> {
        let text = |field: &Option<Spanned<String>>| Some(field.as_ref()?.span().start);
        match name {
            "number" => Some(self.number.as_ref()?.span().start),
            "start" => text(&self.start),
            "region" => text(&self.region),
            "order" => text(&self.order),
            "steps" => text(&self.steps),
            "jumps" => text(&self.jumps),
            "captures" => text(&self.captures),
            _ => None,
        }
    }
}

/// Returns a side with changes.
fn changed(change: Spanned<GivenSide>, side: Spanned<GivenSide>) -> Spanned<GivenSide> {
    let span = change.span();
    let (new, old) = (change.into_inner(), side.into_inner());
    let changed = GivenSide {
        name: new.name.or(old.name),
        noun: new.noun.or(old.noun),
        piece: new.piece.or(old.piece),
        letter: new.letter.or(old.letter),
        turn: new.turn.or(old.turn),
        number: new.number.or(old.number),
        start: new.start.or(old.start),
        hand: new.hand.or(old.hand),
        region: new.region.or(old.region),
        order: new.order.or(old.order),
        steps: new.steps.or(old.steps),
        jumps: new.jumps.or(old.jumps),
        captures: new.captures.or(old.captures),
        chain: new.chain.or(old.chain),
        compulsory: new.compulsory.or(old.compulsory),
    };
    Spanned::new(span, changed)
}
