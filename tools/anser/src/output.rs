//! Standard output and standard error.

use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anser_games::answers::Versioned;
use clap::ValueEnum;
use serde::Serialize;

use crate::failure::Failure;
use crate::text::note_line;

/// Writes a note in one line on standard error. A closed standard error is no failure.
pub(crate) fn note(message: impl Display) {
    let _ = io::stderr().write_all(note_line(message).as_bytes());
}

/// Appends an answer as one line of JSON, with the schema version.
pub(crate) fn write_json(out: &mut impl Write, answer: &impl Serialize) -> Result<(), Failure> {
    let written =
        serde_json::to_writer(&mut *out, &Versioned::new(answer)).map_err(io::Error::from);
    written.and_then(|()| out.write_all(b"\n")).map_err(|error| Failure::output(&error))
}

/// Directory of a file.
pub(crate) fn dir_of(file: &Path) -> &Path {
    file.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Text
    Text,
    /// Comma-separated values with a header line
    Csv,
    #[value(skip)]
    Json,
}

impl Form {
    /// The form of a command without comma-separated values, with `--json` or without.
    pub(crate) fn of(json: bool) -> Form {
        if json { Form::Json } else { Form::Text }
    }
}

/// Writes text to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    let written = output.write_all(text.as_bytes()).and_then(|()| output.flush());
    written.map_err(|error| Failure::output(&error))
}

/// Writes an answer as one line of JSON to standard output.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    write_json(&mut output, value)?;
    output.flush().map_err(|error| Failure::output(&error))
}
