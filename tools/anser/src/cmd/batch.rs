//! `anser probe --batch`: a position a line in, an answer a line out, in memory that does not grow with the batch.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use anser_core::Game;
use anser_table::{ErrorClass, ProbeError, Tablebase, Value};
use serde::Serialize;

use crate::failure::{ErrorAnswer, Failure};
use crate::json::{distance, outcome_name};
use crate::output::{Output, note};
use crate::text::grouped;

/// Lines that are looked up together.
const CHUNK: usize = 4096;

/// Bytes that are read at a time: some thousands of lines.
const BUFFER: usize = 1 << 17;

/// The longest line in bytes; a position takes less than a tenth. What is longer is shown up to here only.
const LONGEST_LINE: usize = 1000;

#[derive(Serialize)]
struct Answer<'a> {
    line: u64,
    game: &'a str,
    rules: &'a str,
    position: String,
    to_move: &'a str,
    outcome: &'a str,
    dtw: Option<u16>,
}

#[derive(Serialize)]
struct Problem<'a> {
    line: u64,
    input: &'a str,
    error: ErrorAnswer<'a>,
}

/// A line as it was read.
struct Line {
    text: String,
    too_long: bool,
}

/// What went wrong with how many lines.
#[derive(Default)]
struct Tally {
    lines: u64,
    malformed: u64,
    missing: u64,
    corrupt: u64,
    unreadable: u64,
    /// The first error of a table.
    first: Option<String>,
}

/// Answers every line of `file`, or of standard input if that is `-`.
pub(crate) fn run<G: Game>(game: &G, tables: &Tablebase<G>, file: &Path) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::io(format!("{}: reading the batch failed: {error}", file.display()));
    let input: Box<dyn Read> =
        if file == Path::new("-") { Box::new(io::stdin()) } else { Box::new(File::open(file).map_err(failed)?) };
    let mut input = BufReader::with_capacity(BUFFER, input);
    // Some editors begin a text with a byte order mark; it is no part of the first position.
    if input.fill_buf().map_err(failed)?.starts_with(b"\xef\xbb\xbf") {
        input.consume(3);
    }
    let (mut output, mut tally) = (Output::new(), Tally::default());
    loop {
        let (lines, end) = read_chunk(&mut input);
        answer(game, tables, &lines, &mut tally, &mut output)?;
        output.flush()?;
        if end.map_err(failed)? {
            return tally.result();
        }
    }
}

/// Reads lines until there are enough, or the next one might have to be waited for: whoever asks line by line gets each
/// answer before the next question. True at the end of the input.
fn read_chunk<R: Read>(input: &mut BufReader<R>) -> (Vec<Line>, io::Result<bool>) {
    let mut lines = Vec::new();
    loop {
        match read_line(input) {
            Ok(Some(line)) => lines.push(line),
            Ok(None) => return (lines, Ok(true)),
            Err(error) => return (lines, Err(error)),
        }
        if lines.len() >= CHUNK || input.buffer().is_empty() {
            return (lines, Ok(false));
        }
    }
}

fn answer<G: Game>(
    game: &G,
    tables: &Tablebase<G>,
    lines: &[Line],
    tally: &mut Tally,
    output: &mut Output,
) -> Result<(), Failure> {
    let parsed: Vec<Result<G::Position, Failure>> = lines.iter().map(|line| parse(game, line)).collect();
    let positions: Vec<G::Position> = parsed.iter().flatten().copied().collect();
    let mut values = tables.probe_values(&positions).into_iter();
    let (name, rules) = (game.name(), game.rules_id());
    for (line, parsed) in lines.iter().zip(parsed) {
        tally.lines += 1;
        let number = tally.lines;
        let mut problem =
            |failure: &Failure| output.json(&Problem { line: number, input: &line.text, error: failure.answer() });
        match parsed {
            Err(failure) => {
                tally.malformed += 1;
                problem(&failure)?;
            }
            Ok(position) => match values.next() {
                Some(Ok(value)) => output.json(&answered(game, &name, &rules, number, &position, value))?,
                Some(Err(error)) => {
                    tally.count(error.class(), &error);
                    problem(&error.into())?;
                }
                None => unreachable!("every position has an answer"),
            },
        }
    }
    Ok(())
}

fn answered<'a, G: Game>(
    game: &G,
    name: &'a str,
    rules: &'a str,
    line: u64,
    position: &G::Position,
    value: Value,
) -> Answer<'a> {
    Answer {
        line,
        game: name,
        rules,
        position: game.format_position(position),
        to_move: game.side_name(game.side_to_move(position)),
        outcome: outcome_name(game, value.outcome),
        dtw: distance(game, position, value.plies()),
    }
}

fn parse<G: Game>(game: &G, line: &Line) -> Result<G::Position, Failure> {
    if line.too_long {
        let problem = format!("the line is longer than {LONGEST_LINE} bytes");
        return Err(Failure::usage(problem).advice("write one position per line"));
    }
    Ok(game.parse_position(&line.text)?)
}

/// Reads a line without its end; `None` if there is none left.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let mut too_long = false;
    let mut any = false;
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if buffer.is_empty() && !any {
            return Ok(None);
        }
        any = true;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        let room = LONGEST_LINE - bytes.len();
        too_long |= part.len() > room;
        bytes.extend_from_slice(&part[..part.len().min(room)]);
        let (done, used) = (end.is_some() || buffer.is_empty(), part.len() + usize::from(end.is_some()));
        input.consume(used);
        if done {
            if bytes.last() == Some(&b'\r') {
                bytes.pop();
            }
            return Ok(Some(Line { text: String::from_utf8_lossy(&bytes).into_owned(), too_long }));
        }
    }
}

impl Tally {
    fn count(&mut self, class: ErrorClass, error: &ProbeError) {
        match class {
            ErrorClass::Missing => self.missing += 1,
            ErrorClass::Corrupt => self.corrupt += 1,
            ErrorClass::Io | ErrorClass::Resources => self.unreadable += 1,
        }
        self.first.get_or_insert_with(|| error.to_string());
    }

    /// The end of the batch: a summary on standard error if anything went wrong.
    fn result(&self) -> Result<(), Failure> {
        let kinds = [
            (self.malformed, "malformed"),
            (self.missing, "without a table"),
            (self.corrupt, "in corrupt tables"),
            (self.unreadable, "in tables that cannot be read"),
        ];
        let parts: Vec<String> =
            kinds.iter().filter(|(count, _)| *count > 0).map(|(n, what)| format!("{} {what}", grouped(*n))).collect();
        if parts.is_empty() {
            return Ok(());
        }
        let unanswered = kinds.iter().map(|(count, _)| count).sum();
        let first =
            self.first.as_ref().map(|first| format!("; the first error of a table: {first}")).unwrap_or_default();
        let summary = format!(
            "{} of {} positions have no answer: {}{first}",
            grouped(unanswered),
            grouped(self.lines),
            parts.join(", ")
        );
        match (self.corrupt, self.unreadable) {
            (1.., _) => Err(Failure::corrupt(summary)),
            (_, 1..) => Err(Failure::io(summary)),
            _ => {
                note(summary);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut input: &[u8]) -> Vec<(String, bool)> {
        let next = || read_line(&mut input).expect("memory can be read").map(|line| (line.text, line.too_long));
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn lines_end_anywhere_and_are_never_longer_than_allowed() {
        let short = |text: &str| (text.to_owned(), false);
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"a\r\n\nb"), [short("a"), short(""), short("b")]);
        let long = [vec![b'x'; 5000], b"\ny\n".to_vec()].concat();
        assert_eq!(lines(&long), [("x".repeat(LONGEST_LINE), true), short("y")]);
    }
}
