//! `anser probe --batch`: reads a position per line and writes an answer per line in the same
//! order, on all threads. Memory does not depend on the length of the batch.

mod csv;
mod lines;

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use anser_core::{Hunt, Value, hunt};
use anser_games::answers::{
    BatchAnswer, BatchError, ErrorKind, MoveAnswer, PositionAnswer, RatedPosition,
};
use anser_games::{Audience, ValueError, Values, explain};
use anser_table::{TableError, Tablebase};
use rayon::prelude::*;

use crate::failure::{Failure, words};
use crate::games;
use crate::output::{note, write_json};
use crate::tables;
use crate::text::grouped;
use lines::Lines;

/// Lines that a thread looks up together: packed tables are decoded block by block.
const TOGETHER: usize = 4096;

/// Length of the longest line in bytes; a position has less than a tenth of it. Longer lines are
/// shown up to here.
const LONGEST_LINE: usize = 1000;

/// Form of the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// One JSON object per line
    Json,
    /// Comma-separated values: the columns of the input, of which one is called position, then
    /// those of the answer
    Csv,
}

/// Numbers of lines by what went wrong.
#[derive(Default)]
struct Tally {
    lines: u64,
    /// Lines without an answer, by [`PROBLEMS`].
    failed: HashMap<ErrorKind, u64>,
    /// Answers without values of tables that cannot be used.
    incomplete: u64,
    /// The first error of a table.
    first: Option<String>,
}

/// Why lines have no answer: a malformed position, or the kind of the error of a table.
const PROBLEMS: [(ErrorKind, &str); 4] = [
    (ErrorKind::Usage, "malformed"),
    (ErrorKind::Missing, "without a table"),
    (ErrorKind::Corrupt, "in corrupt tables"),
    (ErrorKind::Io, "in tables that cannot be read"),
];

/// The answer to a position, in any form.
struct Answered {
    rated: RatedPosition,
    /// Only if requested.
    moves: Option<Vec<MoveAnswer>>,
    /// Why the answer is incomplete, if a table cannot be used.
    incomplete: Option<Failure>,
}

/// Answers every line of `file`, or of standard input if it is `-`, with the moves if they are
/// requested.
pub(crate) fn run(
    game: &Hunt,
    values: &Values,
    file: &Path,
    format: Format,
    moves: bool,
) -> Result<(), Failure> {
    let failed = |error: io::Error| {
        Failure::of_file(format!("{}: reading the batch failed: {error}", file.display()), &error)
    };
    let input: Box<dyn Read + Send> = if file == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(file).map_err(failed)?)
    };
    let longest = if format == Format::Csv { csv::LONGEST_LINE } else { LONGEST_LINE };
    let lines = Lines::of(input, longest).map_err(failed)?;
    let sound = game.layers().all(|layer| lost(values, layer).is_none());
    let mut batch = Batch { game, values, sound, longest, moves, columns: None };
    let (mut tally, mut answers, mut is_first) = (Tally::default(), Vec::new(), true);
    loop {
        let blocks = if let Some(blocks) = lines.ready() {
            blocks
        } else {
            // A program that writes line by line gets each answer before its next position.
            write(&std::mem::take(&mut answers))?;
            lines.next()
        };
        let blocks = match blocks {
            Ok(blocks) if !blocks.is_empty() => blocks,
            end => {
                write(&answers)?;
                end.map_err(failed)?;
                return tally.result();
            }
        };
        let mut asked: Vec<&[u8]> = blocks.iter().flat_map(|block| lines::split(block)).collect();
        let mut heading = None;
        if is_first {
            is_first = false;
            // Some editors begin a text with a byte order mark, which is not part of the first
            // position.
            asked[0] = asked[0].strip_prefix(b"\xef\xbb\xbf").unwrap_or(asked[0]);
            if format == Format::Csv {
                let (columns, named) = csv::Columns::of(&String::from_utf8_lossy(asked[0]), moves)?;
                heading = Some(columns.head()?);
                batch.columns = Some(columns);
                if named {
                    asked.remove(0);
                }
            }
        }
        let before = tally.lines;
        let parts = asked.par_chunks(TOGETHER).enumerate();
        let parts =
            parts.map(|(part, lines)| batch.answer(before + (part * TOGETHER) as u64, lines));
        // The previous answers are written meanwhile.
        let (written, answered) = rayon::join(|| write(&answers), || parts.collect::<Vec<_>>());
        written?;
        answers.clear();
        answers.extend(heading);
        for answered in answered {
            let (bytes, part) = answered?;
            answers.push(bytes);
            tally.add(part);
        }
    }
}

/// Returns why values of a layer are lost in a table that cannot be used, if any are.
fn lost(values: &Values, layer: u16) -> Option<&TableError> {
    values.tables().and_then(|tables| tables.lost(layer).next()).map(|(_, error)| error)
}

/// Writes answers to standard output.
fn write(answers: &[Vec<u8>]) -> Result<(), Failure> {
    let mut output = io::stdout();
    let written = answers
        .iter()
        .try_for_each(|answers| output.write_all(answers))
        .and_then(|()| output.flush());
    written.map_err(|error| Failure::output(&error))
}

/// Context that all lines share.
struct Batch<'a> {
    game: &'a Hunt,
    values: &'a Values,
    /// Whether no values are lost in tables that cannot be used.
    sound: bool,
    longest: usize,
    moves: bool,
    /// Of a batch in CSV.
    columns: Option<csv::Columns>,
}

impl Batch<'_> {
    /// Answers lines that follow `before` others.
    fn answer(&self, before: u64, lines: &[&[u8]]) -> Result<(Vec<u8>, Tally), Failure> {
        let texts: Vec<_> = lines
            .iter()
            .map(|line| String::from_utf8_lossy(&line[..line.len().min(self.longest)]))
            .collect();
        let is_long = |number: usize| lines[number].len() > self.longest;
        let mut tally = Tally { lines: lines.len() as u64, ..Tally::default() };
        match &self.columns {
            None => {
                let asked = texts
                    .iter()
                    .enumerate()
                    .map(|(number, text)| self.parse(text, is_long(number)));
                let mut bytes = Vec::with_capacity(lines.len() * 160);
                let answers = self.look_up(asked.collect(), &mut tally);
                // The game and its rules are the same in every line.
                let (mut game, mut rules) =
                    (self.game.name().to_owned(), self.game.rules_id().to_owned());
                for ((line, text), answer) in (before + 1..).zip(&texts).zip(answers) {
                    match answer {
                        Ok(Answered { rated, moves, incomplete }) => {
                            let answer = BatchAnswer {
                                line,
                                root: PositionAnswer { game, rules, rated },
                                moves,
                                error: incomplete.map(|failure| failure.answer()),
                            };
                            let written = answer.write_line(&mut bytes);
                            written.map_err(|error| Failure::output(&error.into()))?;
                            (game, rules) = (answer.root.game, answer.root.rules);
                        }
                        Err(failure) => {
                            let input = text.clone().into_owned();
                            write_json(
                                &mut bytes,
                                &BatchError { line, input, error: failure.answer() },
                            )?;
                        }
                    }
                }
                Ok((bytes, tally))
            }
            Some(columns) => {
                let (fields, positions): (Vec<_>, Vec<_>) =
                    texts.iter().map(|text| columns.fields(text)).unzip();
                let asked = positions.into_iter().enumerate();
                let asked = asked.map(|(number, position)| self.parse(&position?, is_long(number)));
                let mut writer = ::csv::Writer::from_writer(Vec::with_capacity(lines.len() * 80));
                for (fields, answer) in fields.iter().zip(self.look_up(asked.collect(), &mut tally))
                {
                    columns.write(&mut writer, fields, &answer)?;
                }
                let bytes = writer.into_inner().map_err(|error| Failure::output(error.error()))?;
                Ok((bytes, tally))
            }
        }
    }

    fn parse(&self, text: &str, is_long: bool) -> Result<hunt::Position, Failure> {
        if is_long {
            let problem = format!("the line is longer than {} bytes", self.longest);
            return Err(Failure::usage(problem).advice("write one position per line"));
        }
        Ok(self.game.parse_position(text)?)
    }

    /// Why the answer to a position lacks values of tables that cannot be used.
    fn incomplete(
        &self,
        position: &hunt::Position,
        value: Value,
        tally: &mut Tally,
    ) -> Option<Failure> {
        let game = self.game;
        if self.sound || (!self.moves && value.dtw().is_some()) {
            return None;
        }
        let layers = if self.moves {
            tables::layers_of(game, position)
        } else {
            [game.layer(position)].into()
        };
        let error = layers.into_iter().find_map(|layer| lost(self.values, layer))?;
        tally.incomplete += 1;
        tally.first.get_or_insert_with(|| words(error));
        Some(error.clone().into())
    }

    /// The answers to positions, or to lines that are not positions.
    fn look_up(
        &self,
        asked: Vec<Result<hunt::Position, Failure>>,
        tally: &mut Tally,
    ) -> Vec<Result<Answered, Failure>> {
        let positions: Vec<hunt::Position> = asked.iter().flatten().copied().collect();
        let mut values = self.values.probe_many(&positions).into_iter();
        let answers = asked.into_iter().map(|asked| {
            let position = asked.inspect_err(|_| tally.fail(ErrorKind::Usage))?;
            let found =
                values.next().unwrap_or_else(|| unreachable!("every position has an answer"));
            let found = found.and_then(|value| {
                let moves = self.moves.then(|| self.values.probe_moves(self.game, &position));
                Ok((value, moves.transpose()?))
            });
            let (value, moves) = found.inspect_err(|error| tally.count(error))?;
            let moves = moves
                .map(|moves| moves.iter().map(|rated| MoveAnswer::new(self.game, rated)).collect());
            let incomplete = self.incomplete(&position, value, tally);
            let rated = RatedPosition::new(self.game, &position, Some(value));
            Ok(Answered { rated, moves, incomplete })
        });
        let mut answers: Vec<_> = answers.collect();
        // A batch of positions is checked by the tables; moves are looked up one by one.
        if self.moves
            && let Err(error) = self.values.tables().map_or(Ok(()), Tablebase::check_unchanged)
        {
            for answer in answers.iter_mut().filter(|answer| answer.is_ok()) {
                let error = ValueError::from(error.clone());
                tally.count(&error);
                *answer = Err(error.into());
            }
        }
        answers
    }
}

impl Tally {
    /// Adds the following lines.
    fn add(&mut self, later: Tally) {
        self.lines += later.lines;
        for (kind, more) in later.failed {
            *self.failed.entry(kind).or_default() += more;
        }
        self.incomplete += later.incomplete;
        self.first = self.first.take().or(later.first);
    }

    fn fail(&mut self, kind: ErrorKind) {
        *self.failed.entry(kind).or_default() += 1;
    }

    fn count(&mut self, error: &ValueError) {
        let explained = explain(error, Audience::CommandLine(games::registry()));
        self.fail(match explained.kind {
            kind @ (ErrorKind::Missing | ErrorKind::Corrupt) => kind,
            ErrorKind::Usage | ErrorKind::Io | ErrorKind::Interrupted => ErrorKind::Io,
        });
        self.first.get_or_insert_with(|| explained.to_string());
    }

    /// Ends the batch with a summary on standard error if anything went wrong.
    fn result(&self) -> Result<(), Failure> {
        let of = |kind| self.failed.get(&kind).copied();
        let parts = PROBLEMS.into_iter().filter_map(|(kind, what)| Some((of(kind)?, what)));
        let parts: Vec<String> =
            parts.map(|(count, what)| format!("{} {what}", grouped(count))).collect();
        let incomplete = (self.incomplete > 0).then(|| {
            format!(
                "{} of {} answers lack values of tables that cannot be used",
                grouped(self.incomplete),
                grouped(self.lines)
            )
        });
        if parts.is_empty() && incomplete.is_none() {
            return Ok(());
        }
        let first =
            self.first.as_ref().map(|first| format!("; the first error of a table: {first}"));
        let without = (!parts.is_empty()).then(|| {
            format!(
                "{} of {} positions have no answer: {}",
                grouped(self.failed.values().sum::<u64>()),
                grouped(self.lines),
                parts.join(", ")
            )
        });
        let problems: Vec<String> = without.into_iter().chain(incomplete).collect();
        let summary = problems.join("; ") + &first.unwrap_or_default();
        match (
            of(ErrorKind::Corrupt).unwrap_or(0) + self.incomplete,
            of(ErrorKind::Io).unwrap_or(0),
        ) {
            (1.., _) => Err(Failure::corrupt(summary)),
            (_, 1..) => Err(Failure::io(summary)),
            _ => {
                note(summary);
                Ok(())
            }
        }
    }
}
