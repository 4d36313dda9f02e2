//! Standard output and standard error.

use std::fmt::Display;
use std::io::{self, BufWriter, StdoutLock, Write};

use anser_games::answers::Versioned;
use serde::Serialize;

use crate::failure::Failure;
use crate::text::note_line;

/// Writes a note in one line on standard error. A closed standard error is no failure.
pub(crate) fn note(message: impl Display) {
    let _ = io::stderr().write_all(note_line(message).as_bytes());
}

/// Standard output, buffered. [`Output::flush`] at the end reports the errors of the last bytes.
pub(crate) struct Output(BufWriter<StdoutLock<'static>>);

impl Output {
    pub(crate) fn new() -> Output {
        Output(BufWriter::with_capacity(1 << 16, io::stdout().lock()))
    }

    /// Writes text unchanged.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.0.write_all(text.as_bytes()).map_err(|error| Failure::output(&error))
    }

    /// Writes an answer as one line of JSON, with the schema version.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        write_json(&mut self.0, value)
    }

    /// Writes the buffered text.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.0.flush().map_err(|error| Failure::output(&error))
    }
}

/// Appends an answer as one line of JSON, with the schema version.
pub(crate) fn write_json(out: &mut impl Write, answer: &impl Serialize) -> Result<(), Failure> {
    let written =
        serde_json::to_writer(&mut *out, &Versioned::new(answer)).map_err(io::Error::from);
    written.and_then(|()| out.write_all(b"\n")).map_err(|error| Failure::output(&error))
}

/// Form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Text,
    Json,
    Csv,
}

impl Form {
    /// The form of a command without comma-separated values, with `--json` or without.
    pub(crate) fn of(json: bool) -> Form {
        if json { Form::Json } else { Form::Text }
    }
}

/// Writes text to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut output = Output::new();
    output.text(text)?;
    output.flush()
}

/// Writes an answer as one line of JSON to standard output.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let mut output = Output::new();
    output.json(value)?;
    output.flush()
}
