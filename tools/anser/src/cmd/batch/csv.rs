//! Batches in CSV: the columns of the input, then those of the answer.

use csv::{ReaderBuilder, StringRecord, Writer};

use super::Answered;
use crate::csv::or_empty;
use crate::failure::Failure;
use crate::text::counted;

/// Name of the column that holds the position.
const POSITION: &str = "position";

/// The columns of the answer, `moves` only if requested.
const ANSWER: [&str; 5] = ["to_move", "outcome", "dtw", "moves", "error"];

/// Longest line, in bytes.
pub(super) const LONGEST_LINE: usize = 1 << 16;

/// Columns of a batch.
pub(super) struct Columns {
    /// Names of the columns of the input.
    names: Vec<String>,
    /// Number of the column that holds the position.
    position: usize,
    pub(super) moves: bool,
}

impl Columns {
    /// Reads the names of the columns from the first line, and returns whether the line holds
    /// names. If it holds a position instead, that is the only column.
    pub(super) fn of(first: &str, moves: bool) -> Result<(Columns, bool), Failure> {
        let names: Vec<String> = record(first).iter().map(|name| name.trim().to_owned()).collect();
        let is_position = |name: &String| name.eq_ignore_ascii_case(POSITION);
        if names.iter().filter(|name| is_position(name)).count() > 1 {
            let problem = format!("line 1: several columns are called {POSITION:?}");
            return Err(Failure::usage(problem).advice("give the others another name"));
        }
        match names.iter().position(is_position) {
            Some(position) => {
                if let Some(taken) = names.iter().find(|name| ANSWER.contains(&name.as_str())) {
                    let problem =
                        format!("line 1: the input has a column {taken:?}, as the answer has");
                    return Err(Failure::usage(problem).advice("give it another name"));
                }
                Ok((Columns { names, position, moves }, true))
            }
            None if names.len() == 1 => {
                Ok((Columns { names: vec![POSITION.to_owned()], position: 0, moves }, false))
            }
            None => {
                let problem =
                    format!("line 1: none of the {} columns is called {POSITION:?}", names.len());
                Err(Failure::usage(problem).advice("name the columns in the first line"))
            }
        }
    }

    /// Header line of the answer.
    pub(super) fn head(&self) -> Result<Vec<u8>, Failure> {
        let answer = ANSWER.into_iter().filter(|name| self.moves || *name != "moves");
        let mut head = Writer::from_writer(Vec::new());
        head.write_record(self.names.iter().map(String::as_str).chain(answer))
            .map_err(|error| failed(&error))?;
        head.into_inner().map_err(|error| failed(&error.into_error().into()))
    }

    /// Fields of a line, and the position among them.
    pub(super) fn fields(&self, line: &str) -> (StringRecord, Result<String, Failure>) {
        let fields = record(line);
        let position = if fields.len() == self.names.len() {
            Ok(fields.get(self.position).unwrap_or_default().to_owned())
        } else {
            let (has, wants) = (fields.len(), self.names.len());
            let has = counted(has as u64, "column", "columns");
            Err(Failure::usage(format!("the line has {has}, the first line {wants}")))
        };
        (fields, position)
    }

    /// Writes the answer for one line.
    pub(super) fn write(
        &self,
        writer: &mut Writer<Vec<u8>>,
        fields: &StringRecord,
        answer: &Result<Answered, Failure>,
    ) -> Result<(), Failure> {
        let columns = (0..self.names.len()).map(|column| fields.get(column).unwrap_or_default());
        let (value, moves, error) = match answer {
            Ok(answer) => {
                let moves = answer.moves.iter().flatten().map(|mv| {
                    let outcome = mv.outcome.as_deref().unwrap_or("unknown");
                    mv.dtw.map_or_else(
                        || format!("{}={outcome}", mv.mv),
                        |dtw| format!("{}={outcome}/{dtw}", mv.mv),
                    )
                });
                let moves: Vec<String> = moves.collect();
                let outcome = answer.rated.outcome.as_deref().unwrap_or_default();
                (
                    [answer.rated.to_move.clone(), outcome.to_owned(), or_empty(answer.rated.dtw)],
                    moves.join(" "),
                    answer.incomplete.as_ref().map(Failure::message).unwrap_or_default(),
                )
            }
            Err(failure) => (Default::default(), String::new(), failure.message()),
        };
        let moves = Some(moves.as_str()).filter(|_| self.moves);
        let value = value.iter().map(String::as_str);
        writer
            .write_record(columns.chain(value).chain(moves).chain([error.as_str()]))
            .map_err(|error| failed(&error))
    }
}

/// Fields of a line, at least one.
fn record(line: &str) -> StringRecord {
    if !line.contains('"') {
        return line.split(',').collect();
    }
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .buffer_capacity(line.len())
        .from_reader(line.as_bytes());
    // Every line parses as a record; the fallback is unreachable.
    reader.records().next().and_then(Result::ok).unwrap_or_else(|| [line].into_iter().collect())
}

/// Failure to write a record.
fn failed(error: &csv::Error) -> Failure {
    Failure::io(format!("writing a line of CSV failed: {error}"))
}
