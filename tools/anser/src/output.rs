//! Standard output and standard error.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anser_games::answers::Versioned;
use clap::ValueEnum;
use serde::Serialize;
use tempfile::TempPath;

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

/// A file that appears under its name when it is complete. Dropped before that, it leaves nothing.
/// A pipe or a device is opened and written directly.
pub(crate) struct NewFile<'a> {
    path: &'a Path,
    /// The complete file, which a link may lead to, and the temporary one; `None` without one.
    // The errors of a `NamedTempFile` would name the temporary file.
    temporary: Option<(PathBuf, TempPath)>,
    pub(crate) out: BufWriter<File>,
}

impl NewFile<'_> {
    pub(crate) fn create(path: &Path) -> Result<NewFile<'_>, Failure> {
        let failed = |error: io::Error| not_written(path, &error);
        let there = path.metadata().ok();
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            // A directory is refused here, and not after all is computed.
            let file = File::options().write(true).open(path).map_err(failed)?;
            return Ok(NewFile { path, temporary: None, out: BufWriter::new(file) });
        }
        let target = target(path).map_err(failed)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".anser-");
        // Others may read it, as far as the user's mask allows.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // The error of the library names the temporary file.
        let file = builder
            .tempfile_in(dir_of(&target))
            .map_err(|error| not_written(path, &error.kind().into()))?;
        let (file, temporary) = file.into_parts();
        if let Some(there) = there {
            file.set_permissions(there.permissions()).map_err(failed)?;
        }
        let out = BufWriter::with_capacity(1 << 16, file);
        Ok(NewFile { path, temporary: Some((target, temporary)), out })
    }

    /// Writes what is left and gives the file its name.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let failed = |error: io::Error| not_written(self.path, &error);
        let file = self.out.into_inner().map_err(|error| failed(error.into_error()))?;
        let Some((target, temporary)) = self.temporary else { return Ok(()) };
        file.sync_all().map_err(failed)?;
        temporary.persist(&target).map_err(|error| failed(error.error))?;
        File::open(dir_of(&target)).and_then(|dir| dir.sync_all()).map_err(failed)
    }
}

/// Returns the file that a path leads to through links, whether or not it exists.
fn target(path: &Path) -> io::Result<PathBuf> {
    /// Links that Linux follows in a path.
    const LINKS: usize = 40;
    let mut target = path.to_owned();
    for _ in 0..LINKS {
        match target.read_link() {
            Ok(next) => target = dir_of(&target).join(next),
            // It is no link, or does not exist.
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many links"))
}

fn not_written(path: &Path, error: &io::Error) -> Failure {
    let (path, failed) = (path.display(), "it cannot be written");
    let problem = match error.kind() {
        io::ErrorKind::NotFound => format!("{path}: {failed}: its directory does not exist"),
        _ => format!("{path}: {failed}: {error}"),
    };
    Failure::io(problem).advice(match error.kind() {
        io::ErrorKind::BrokenPipe => "the program that reads it has ended",
        io::ErrorKind::IsADirectory => "name a file in it",
        _ => "name a file in a directory that exists and can be written to",
    })
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
