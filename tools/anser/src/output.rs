//! Standard output and standard error.

use std::fmt::Display;
use std::io::{self, BufWriter, StdoutLock, Write};

use serde::Serialize;

use crate::failure::Failure;
use crate::json::Answer;
use crate::text::printable;

/// Tells something beside the answer: one line on standard error. Nobody may be listening, which is no failure.
pub(crate) fn note(message: impl Display) {
    // A message may quote file names and lines of files.
    let line = printable(&message.to_string().replace('\n', " "));
    let _ = writeln!(io::stderr(), "anser: {line}");
}

/// Standard output, buffered; to be [flushed](Output::flush) at the end, so that errors are not lost.
pub(crate) struct Output(BufWriter<StdoutLock<'static>>);

impl Output {
    pub(crate) fn new() -> Output {
        Output(BufWriter::with_capacity(1 << 16, io::stdout().lock()))
    }

    /// Writes text as it is.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.0.write_all(text.as_bytes()).map_err(|error| Failure::output(&error))
    }

    /// Writes an answer as JSON on a line of its own, with the version of the vocabulary.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let written = serde_json::to_writer(&mut self.0, &Answer::new(value)).map_err(io::Error::from);
        written.and_then(|()| self.0.write_all(b"\n")).map_err(|error| Failure::output(&error))
    }

    /// Sends on what is buffered.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.0.flush().map_err(|error| Failure::output(&error))
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
