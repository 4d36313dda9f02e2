//! Descriptions as lines of text, for tables and for programs in any language.
//!
//! # Specification
//! UTF-8, a line for each item, in this order; an item with nothing to say is left out. Words are
//! separated by one space. Points are their numbers, from 0. Sides are `few` and `many`.
//!
//! ```text
//! hunt 1                            the format
//! game NAME
//! rules ID
//! point NAME X Y                    a line for each point, in the order of their numbers
//! line POINT POINT ...              a line for each straight line
//! word TEXT                         the word for several points
//! few name TEXT                     these eleven once for the few, then for the many
//! few noun singular|plural|name     the fox, the geese, White
//! few piece TEXT
//! few letters PIECE TURN
//! few number LEAST MOST
//! few start POINT ...
//! few hand COUNT
//! few region POINT ...
//! few order POINT ...
//! few steps FROM-TO ...
//! few jumps FROM-OVER-TO ...
//! few captures FROM-TO ...
//! few chain
//! few compulsory
//! first SIDE
//! end WINNER CONDITION [to-move SIDE] [after-placement] [except-start] = TEXT
//! plies COUNT
//! endless SIDE
//! layers pieces|advance|plies|placement
//! ```
//!
//! Conditions are `blocked SIDE`, `captured SIDE`, `fewer SIDE COUNT`, `reached SIDE POINT ...`,
//! `arrived SIDE POINT ...`, `filled SIDE POINT ...`, `escaped`, `behind COUNT`, `out-of-plies`;
//! [`Condition`] has their meaning.
//!
//! Layers `pieces` are numbered by the many on the board, layers `plies` by the plies that are
//! left. Layers `placement` are numbered from 0 in three loops, the last one fastest: the captured
//! of the many, from the greatest number down to 0; the few on the board, from all of them down to
//! those that start there; the many on the board, from those not captured down to these less the
//! hand. The first layers have a number and no table if an end `fewer many` without conditions
//! holds in all their positions, except in Fox-and-Geese.
//!
//! There is one text for a description: a reader accepts nothing else.

#![expect(clippy::format_push_string, reason = "a text is written once for a table")]

use std::fmt::{self, Write};

use crate::hunt::{
    BoardPoint, Condition, Description, EndRule, Layering, SideDescription, side_of_word, side_word,
};
use crate::{Noun, Side};

/// Greatest length of a text in bytes.
pub const LONGEST_TEXT: usize = 1 << 18;

/// Error of reading a description from its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The line, counted from 1.
    pub line: usize,
    /// The problem on this line.
    pub problem: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the description: {}", self.line, self.problem)
    }
}

impl std::error::Error for TextError {}

/// Writes the text of a description.
///
/// ```
/// use anser_core::hunt::{Description, hare_hounds};
/// let description = hare_hounds("unlimited")?;
/// let text = description.to_string();
/// assert!(text.starts_with("hunt 1\ngame hare-hounds\nrules unlimited\npoint 1 1 2\n"));
/// assert_eq!(Description::from_text(&text), Ok(description));
/// # Ok::<(), anser_core::hunt::FamilyError>(())
/// ```
impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "hunt 1\ngame {}\nrules {}", self.name, self.rules)?;
        for BoardPoint { name, x, y } in &self.points {
            writeln!(f, "point {name} {x} {y}")?;
        }
        for line in &self.lines {
            writeln!(f, "line{}", list(line))?;
        }
        writeln!(f, "word {}", self.point_word)?;
        for side in Side::BOTH {
            let (of, word) = (self.side(side), side_word(side));
            writeln!(f, "{word} name {}", of.name)?;
            writeln!(f, "{word} noun {}", of.noun.word())?;
            writeln!(f, "{word} piece {}", of.piece)?;
            writeln!(f, "{word} letters {} {}", of.letter, of.turn)?;
            f.write_str(&moves_text(of, word))?;
        }
        f.write_str(&self.rest_text(true, true))
    }
}

impl Description {
    /// Reads the text of a description. The rules in it are not checked.
    ///
    /// # Errors
    /// The first line that is not as it would be written.
    pub fn from_text(text: &str) -> Result<Description, TextError> {
        if text.len() > LONGEST_TEXT {
            let problem = format!("it has more than {LONGEST_TEXT} bytes");
            return Err(TextError { line: 1, problem });
        }
        let mut reader = Reader { lines: text.split_inclusive('\n').zip(1..).peekable(), at: 0 };
        let description = reader.description()?;
        // Whatever is read in another form than it is written is wrong somewhere.
        let written = description.to_string();
        if written == text {
            return Ok(description);
        }
        let same = written.lines().zip(text.lines()).take_while(|(ours, theirs)| ours == theirs);
        Err(TextError { line: same.count() + 1, problem: "it is not written in this way".into() })
    }

    /// Returns everything in the rules that a value can depend on, as lines of text: a part of the
    /// text, without names, coordinates, and words, and with moves in the order of their points.
    ///
    /// ```
    /// use anser_core::hunt::hare_hounds;
    /// let (known, mut renamed) = (hare_hounds("unlimited")?, hare_hounds("unlimited")?);
    /// renamed.sides[0].name = "rabbit".into();
    /// assert_eq!(renamed.meaning(), known.meaning());
    /// assert_ne!(hare_hounds("budget-60")?.meaning(), known.meaning());
    /// # Ok::<(), anser_core::hunt::FamilyError>(())
    /// ```
    pub fn meaning(&self) -> String {
        let from_start = self.ends.iter().any(|rule| rule.except_start);
        let mut text = format!("points {}\n", self.points.len());
        for side in Side::BOTH {
            let mut of = SideDescription { order: Vec::new(), ..self.side(side).clone() };
            // The start affects no value, unless an end leaves it out.
            if !from_start {
                of.start.clear();
            }
            of.steps.sort_unstable();
            of.jumps.sort_unstable();
            of.captures.sort_unstable();
            text += &moves_text(&of, side_word(side));
        }
        text + &self.rest_text(false, from_start)
    }

    /// Writes what follows the sides.
    fn rest_text(&self, with_reasons: bool, with_first: bool) -> String {
        let mut text = String::new();
        if with_first {
            text += &format!("first {}\n", side_word(self.first_to_move));
        }
        for rule in &self.ends {
            text += &format!(
                "end {} {}",
                side_word(rule.winner),
                rule.condition.words(|point| point.to_string())
            );
            if let Some(side) = rule.to_move {
                text += &format!(" to-move {}", side_word(side));
            }
            text += if rule.after_placement { " after-placement" } else { "" };
            text += if rule.except_start { " except-start" } else { "" };
            if with_reasons {
                text += &format!(" = {}", rule.text);
            }
            text.push('\n');
        }
        if let Some(plies) = self.plies {
            text += &format!("plies {plies}\n");
        }
        if let Some(winner) = self.endless {
            text += &format!("endless {}\n", side_word(winner));
        }
        text + &format!("layers {}\n", self.layers.word())
    }
}

fn moves_text(of: &SideDescription, word: &str) -> String {
    let mut text = format!("{word} number {} {}\n", of.number[0], of.number[1]);
    let mut item = |name: &str, values: String| {
        if !values.is_empty() {
            text += &format!("{word} {name}{values}\n");
        }
    };
    item("start", list(&of.start));
    item("hand", if of.hand > 0 { format!(" {}", of.hand) } else { String::new() });
    item("region", list(&of.region));
    item("order", list(&of.order));
    item("steps", tuples(&of.steps));
    item("jumps", tuples(&of.jumps));
    item("captures", tuples(&of.captures));
    text += &if of.chain { format!("{word} chain\n") } else { String::new() };
    text += &if of.compulsory { format!("{word} compulsory\n") } else { String::new() };
    text
}

/// Writes numbers, each after a space.
fn list(numbers: &[u8]) -> String {
    numbers.iter().fold(String::new(), |mut text, number| {
        // Writing to a string does not fail.
        let _ = write!(text, " {number}");
        text
    })
}

/// Writes moves, each after a space.
fn tuples<const N: usize>(moves: &[[u8; N]]) -> String {
    let text = |mv: &[u8; N]| mv.map(|point| point.to_string()).join("-");
    moves.iter().fold(String::new(), |all, mv| all + " " + &text(mv))
}

/// A text that is read line by line.
struct Reader<'t, I: Iterator<Item = (&'t str, usize)>> {
    lines: std::iter::Peekable<I>,
    /// The number of the line read last.
    at: usize,
}

impl<'t, I: Iterator<Item = (&'t str, usize)>> Reader<'t, I> {
    fn error<T>(&self, problem: impl Into<String>) -> Result<T, TextError> {
        Err(TextError { line: self.at.max(1), problem: problem.into() })
    }

    /// Returns what follows these words at the start of the next line, if it has them.
    fn next(&mut self, words: &str) -> Option<&'t str> {
        let &(line, number) = self.lines.peek()?;
        let rest = line.trim_end_matches('\n').strip_prefix(words)?;
        let rest = if rest.is_empty() { rest } else { rest.strip_prefix(' ')? };
        self.lines.next();
        self.at = number;
        Some(rest)
    }

    fn wanted(&mut self, words: &str) -> Result<&'t str, TextError> {
        if let Some(rest) = self.next(words) {
            return Ok(rest);
        }
        self.at += 1;
        self.error(format!("the line {words:?} is missing"))
    }

    fn number<T: std::str::FromStr>(&self, word: Option<&str>) -> Result<T, TextError> {
        match word.map(str::parse) {
            Some(Ok(number)) => Ok(number),
            _ => self.error(format!("{:?} is no number that is wanted here", word.unwrap_or(""))),
        }
    }

    fn numbers(&self, text: &str) -> Result<Vec<u8>, TextError> {
        text.split_ascii_whitespace().map(|word| self.number(Some(word))).collect()
    }

    fn list(&mut self, words: &str) -> Result<Vec<u8>, TextError> {
        let text = self.next(words).unwrap_or("");
        self.numbers(text)
    }

    fn tuples<const N: usize>(&mut self, words: &str) -> Result<Vec<[u8; N]>, TextError> {
        let text = self.next(words).unwrap_or("");
        let tuple = |word: &str| {
            let points: Result<Vec<u8>, _> =
                word.split('-').map(|point| self.number(Some(point))).collect();
            match points?.try_into() {
                Ok(points) => Ok(points),
                Err(_) => self.error(format!("{word:?} does not have {N} points")),
            }
        };
        text.split_ascii_whitespace().map(tuple).collect()
    }

    fn side(&self, word: Option<&str>) -> Result<Side, TextError> {
        let word = word.unwrap_or("");
        match side_of_word(word) {
            Some(side) => Ok(side),
            None => self.error(format!("{word:?} is not few or many")),
        }
    }

    fn description(&mut self) -> Result<Description, TextError> {
        let version = self.wanted("hunt")?;
        if version != "1" {
            return self.error(format!("the format {version:?} is unknown; this program reads 1"));
        }
        let (name, rules) = (self.wanted("game")?.to_owned(), self.wanted("rules")?.to_owned());
        let mut points = Vec::new();
        while let Some(rest) = self.next("point") {
            let mut words = rest.split(' ');
            let name = words.next().unwrap_or("").to_owned();
            let (x, y) = (self.number(words.next())?, self.number(words.next())?);
            points.push(BoardPoint { name, x, y });
        }
        let mut lines = Vec::new();
        while let Some(rest) = self.next("line") {
            lines.push(self.numbers(rest)?);
        }
        let point_word = self.wanted("word")?.to_owned();
        let sides = [self.side_description("few")?, self.side_description("many")?];
        let first = self.wanted("first")?;
        let first_to_move = self.side(Some(first))?;
        let mut ends = Vec::new();
        while let Some(rest) = self.next("end") {
            ends.push(self.end(rest)?);
        }
        let plies = self.next("plies").map(|word| self.number(Some(word))).transpose()?;
        let endless = self.next("endless").map(|word| self.side(Some(word))).transpose()?;
        let layers = self.wanted("layers")?;
        let Some(layers) = Layering::of_word(layers) else {
            return self.error(format!("there are no layers by {layers:?}"));
        };
        if let Some((_, line)) = self.lines.next() {
            self.at = line;
            return self.error("something follows where the description is complete");
        }
        Ok(Description {
            name,
            rules,
            points,
            lines,
            point_word,
            sides,
            first_to_move,
            ends,
            plies,
            endless,
            layers,
        })
    }

    fn side_description(&mut self, word: &str) -> Result<SideDescription, TextError> {
        let item = |name: &str| format!("{word} {name}");
        let name = self.wanted(&item("name"))?.to_owned();
        let noun = self.wanted(&item("noun"))?;
        let Some(noun) = Noun::of_word(noun) else {
            return self.error(format!("{noun:?} is none of singular, plural, and name"));
        };
        let piece = self.wanted(&item("piece"))?.to_owned();
        let letters: Vec<char> = self.wanted(&item("letters"))?.chars().collect();
        let &[letter, ' ', turn] = &letters[..] else {
            return self.error("two letters are wanted: of a piece, and of the side to move");
        };
        let number = self.wanted(&item("number"))?;
        let Ok(number) = self.numbers(number)?.try_into() else {
            return self.error("two numbers are wanted: the least and the greatest");
        };
        Ok(SideDescription {
            name,
            noun,
            piece,
            letter,
            turn,
            number,
            start: self.list(&item("start"))?,
            hand: self.next(&item("hand")).map_or(Ok(0), |count| self.number(Some(count)))?,
            region: self.list(&item("region"))?,
            order: self.list(&item("order"))?,
            steps: self.tuples(&item("steps"))?,
            jumps: self.tuples(&item("jumps"))?,
            captures: self.tuples(&item("captures"))?,
            chain: self.next(&item("chain")).is_some(),
            compulsory: self.next(&item("compulsory")).is_some(),
        })
    }

    fn end(&self, line: &str) -> Result<EndRule, TextError> {
        let Some((rule, text)) = line.split_once(" = ") else {
            return self.error("the reason is missing: a space, =, a space, and some words");
        };
        let mut words = rule.split(' ').peekable();
        let winner = self.side(words.next())?;
        let condition = words.next().unwrap_or("");
        let Some(mut condition) = Condition::of_word(condition, || self.side(words.next()))? else {
            return self.error(format!("no condition is called {condition:?}"));
        };
        let mut numbers = Vec::new();
        while let Some(word) = words.next_if(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        {
            numbers.push(self.number::<u8>(Some(word))?);
        }
        if let Condition::Fewer(_, number) | Condition::Behind(number) = &mut condition {
            *number = numbers.first().copied().unwrap_or(0);
        } else if let Some(points) = condition.points_mut() {
            *points = numbers;
        }
        let mut rule = EndRule::new(condition, winner, text);
        while let Some(word) = words.next() {
            match word {
                "to-move" => rule.to_move = Some(self.side(words.next())?),
                "after-placement" => rule.after_placement = true,
                "except-start" => rule.except_start = true,
                other => return self.error(format!("{other:?} is no part of an end")),
            }
        }
        Ok(rule)
    }
}
