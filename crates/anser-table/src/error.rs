//! What can be wrong, on two levels: a [`Defect`] of a file inside a [`TableError`] that names it, and that inside what
//! the user asked for, a [`ProbeError`]. Every text says what to do next.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::frame::FrameError;
use crate::layout::{Kind, Metric};
use crate::names::TableName;

/// What is wrong with a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Defect {
    /// The file cannot be read.
    Io(io::Error),
    /// A directory that should hold tables cannot be read.
    Directory(io::Error),
    /// The file does not begin with the signature of a table.
    NotATable,
    /// The file has a format version that this reader does not know.
    UnknownVersion(u16),
    /// The header does not have the checksum that it should have.
    HeaderDamaged,
    /// The header contradicts itself; the text says where.
    HeaderInvalid(&'static str),
    /// Whoever wrote the file did not finish it.
    Unfinished,
    /// The file is not as long as its header says.
    Length {
        /// The length that follows from the header, in bytes.
        expected: u64,
        /// The length of the file, in bytes.
        actual: u64,
    },
    /// The table is of something else than what was asked for.
    Mismatch {
        /// In what it differs: `game`, `rules`, `layer`, `number of entries`.
        what: &'static str,
        /// What was asked for.
        expected: String,
        /// What the file is of.
        found: String,
    },
    /// The file holds its entries in an order that only the game's numbering knows, and was opened without it.
    OrderUnknown,
    /// A part of the file is damaged; the text says which: `block 17 of the payload`.
    Damaged(String),
    /// The file was changed while it was open; the text says how: `its modification time is another`.
    Changed(String),
    /// The system did not give what reading takes, memory for one; the text says what. The file is not in doubt.
    Resources(String),
    /// A manifest cannot be understood.
    Manifest(String),
    /// A list of checksums cannot be understood.
    Sums(String),
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Defect::Io(error) => {
                write!(f, "cannot be read: {error}; check that it is there, the permissions and the disk")
            }
            Defect::Directory(error) => {
                write!(f, "the directory of tables cannot be read: {error}; check --tables and ANSER_TABLES")
            }
            Defect::NotATable => f.write_str(
                "not a table, or garbled on the way as text is; if it should be a table, copy it again as binary",
            ),
            Defect::UnknownVersion(version) => {
                write!(f, "format version {version} is not known here; a newer anser reads it")
            }
            Defect::HeaderDamaged => {
                f.write_str("the header is damaged; copy the file again, or delete it and solve the layer again")
            }
            Defect::HeaderInvalid(problem) => write!(f, "the header is invalid ({problem}); solve the layer again"),
            Defect::Unfinished => f.write_str("unfinished; run `anser solve` again, it goes on where it stopped"),
            Defect::Length { expected, actual } => {
                let how = if actual < expected { "truncated" } else { "too long" };
                write!(f, "{how}: {actual} bytes where the header says {expected}; copy the file again")
            }
            Defect::Mismatch { what, expected, found } => write!(
                f,
                "a table of another {what}: {found}, where {expected} was expected; take it out of this directory"
            ),
            Defect::OrderUnknown => f.write_str(
                "its entries are in an order that the game's numbering knows; open it as one of a game's tables",
            ),
            Defect::Damaged(part) => {
                write!(f, "{part} is damaged; `anser verify` lists all that is, then copy the file again")
            }
            Defect::Changed(how) => write!(
                f,
                "was changed while it was open ({how}), so nothing that was read from it counts; give the command \
                 again when no other program writes to the file"
            ),
            Defect::Resources(what) => write!(
                f,
                "cannot be read for want of resources ({what}); nothing is known to be wrong with the file: free \
                 memory, raise the limit (ulimit), or give fewer --threads"
            ),
            Defect::Sums(problem) => {
                write!(f, "not a list of checksums: {problem}; delete it, `sha256sum` writes it anew")
            }
            Defect::Manifest(problem) => {
                write!(
                    f,
                    "the manifest is not valid: {problem}; delete it, `anser pack` and `anser solve` write it anew"
                )
            }
        }
    }
}

impl From<io::Error> for Defect {
    fn from(error: io::Error) -> Defect {
        // A file that ends too early is damaged; nothing is wrong with the disk.
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Defect::Damaged("the end of the file".to_owned()),
            _ if is_resource(&error) => Defect::Resources(error.to_string()),
            _ => Defect::Io(error),
        }
    }
}

impl From<FrameError> for Defect {
    fn from(error: FrameError) -> Defect {
        match error {
            FrameError::Memory => Defect::Resources("out of memory".to_owned()),
            FrameError::Invalid(why) => Defect::Damaged(format!("a frame ({why})")),
        }
    }
}

/// Whether the system lacked memory or handles, so that the same call may succeed later.
pub fn is_resource(error: &io::Error) -> bool {
    /// Too many open files in this process, or in all: the numbers of Linux, macOS and the BSDs.
    const TOO_MANY_FILES: [i32; 2] = [24, 23];
    let too_many = || cfg!(unix) && error.raw_os_error().is_some_and(|code| TOO_MANY_FILES.contains(&code));
    error.kind() == io::ErrorKind::OutOfMemory || too_many()
}

/// A vector with room for `len` elements; an error of its own if memory runs out.
///
/// Lengths come from files, so an allocation that fails must not end the process.
pub(crate) fn reserve<T>(len: u64, what: &str) -> Result<Vec<T>, Defect> {
    let mut vector = Vec::new();
    let reserved = usize::try_from(len).is_ok_and(|len| vector.try_reserve_exact(len).is_ok());
    let bytes = len.saturating_mul(size_of::<T>() as u64);
    if reserved { Ok(vector) } else { Err(Defect::Resources(format!("no memory for {what}, {bytes} bytes"))) }
}

/// What kind of failure an error is, for exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// The answer is not there.
    Missing,
    /// A table is damaged, foreign, unfinished or too new.
    Corrupt,
    /// Input or output failed, or the file was changed while it was open.
    Io,
    /// Memory or another resource of the system ran out.
    Resources,
}

/// A file, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct TableError(Arc<(PathBuf, Defect)>);

impl TableError {
    /// An error in the file `path`.
    pub fn new(path: impl Into<PathBuf>, defect: impl Into<Defect>) -> TableError {
        TableError(Arc::new((path.into(), defect.into())))
    }

    /// The file (or directory) that the error is about.
    pub fn path(&self) -> &Path {
        &self.0.0
    }

    /// What is wrong with it.
    pub fn defect(&self) -> &Defect {
        &self.0.1
    }

    /// What kind of failure this is, never [`ErrorClass::Missing`].
    pub fn class(&self) -> ErrorClass {
        match self.defect() {
            Defect::Resources(_) => ErrorClass::Resources,
            Defect::Directory(error) if is_resource(error) => ErrorClass::Resources,
            Defect::Io(_) | Defect::Directory(_) | Defect::Changed(_) => ErrorClass::Io,
            _ => ErrorClass::Corrupt,
        }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path();
        match path.file_name().and_then(|name| TableName::parse(name.to_str()?)) {
            Some(TableName { layer, .. }) => write!(f, "{} (layer {layer}): {}", path.display(), self.defect()),
            None => write!(f, "{}: {}", path.display(), self.defect()),
        }
    }
}

impl std::error::Error for TableError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.defect() {
            Defect::Io(error) | Defect::Directory(error) => Some(error),
            _ => None,
        }
    }
}

/// A layer of which no table was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingLayer {
    /// The game, as on the command line.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// The layer.
    pub layer: u16,
    /// What its table was to tell; where any would have done, [`Metric::Wdl`].
    pub metric: Metric,
    /// The layer to begin with where nothing is there yet: a layer may rest on lower ones.
    pub first: u16,
    /// The directories that were searched, in order.
    pub searched: Vec<PathBuf>,
    /// Where the command should put the table, if anywhere in particular.
    pub make_in: Option<PathBuf>,
    /// Unfinished files of the layer that were seen there.
    pub unfinished: Vec<PathBuf>,
}

impl MissingLayer {
    /// The command that makes the table, and those below that it rests on where they are missing as well.
    pub fn command(&self) -> String {
        let MissingLayer { game, rules, layer, metric, first, .. } = self;
        let layers = if first == layer { layer.to_string() } else { format!("{first}-{layer}") };
        let tables = self.make_in.as_ref().map(|dir| format!(" --tables {}", shell_word(dir))).unwrap_or_default();
        // What is meant where nothing is said need not be said.
        let metric = if *metric == Metric::Wdl { String::new() } else { format!(" --metric {}", metric.id()) };
        format!("anser solve {game} --rules {rules} --layers {layers}{metric}{tables}")
    }
}

impl fmt::Display for MissingLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MissingLayer { game, rules, layer, metric, searched, unfinished, .. } = self;
        let name = TableName::new(game, rules, *layer, *metric, Kind::Raw);
        let what = if *metric == Metric::Wdl { "" } else { " with distances" };
        write!(f, "layer {layer} of {game} (rules {rules}){what} is not there: no {name} or {name}z in ")?;
        list(f, searched)?;
        if !unfinished.is_empty() {
            f.write_str(", only the unfinished ")?;
            list(f, unfinished)?;
        }
        let makes = if unfinished.is_empty() { "makes" } else { "finishes" };
        write!(f, "; `{}` {makes} it", self.command())
    }
}

fn list(f: &mut fmt::Formatter<'_>, paths: &[PathBuf]) -> fmt::Result {
    if paths.is_empty() {
        return f.write_str("no directory at all (give one with --tables)");
    }
    for (i, path) in paths.iter().enumerate() {
        write!(f, "{}{}", if i == 0 { "" } else { ", " }, path.display())?;
    }
    Ok(())
}

/// A path as one word of a shell's command line.
///
/// Bytes that are not UTF-8 and control characters are written as `$'\xff'`, which bash, zsh, ksh and the shells of POSIX
/// 2024 read.
///
/// ```
/// use std::path::Path;
/// use anser_table::shell_word;
/// assert_eq!(shell_word(Path::new("big/tables")), "big/tables");
/// assert_eq!(shell_word(Path::new("it's here")), r"'it'\''s here'");
/// assert_eq!(shell_word(Path::new("a\nb")), r"$'a\x0ab'");
/// ```
pub fn shell_word(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains(char::is_control));
    let Some(text) = text else { return escaped_word(bytes) };
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:@%,=".contains(c);
    // What begins with a hyphen would be taken for an option.
    if text.starts_with('-') {
        return shell_word(&Path::new(".").join(path));
    }
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// A word in the notation `$'...'`.
fn escaped_word(bytes: &[u8]) -> String {
    let mut word = String::from(if bytes.starts_with(b"-") { "$'./" } else { "$'" });
    for &byte in bytes {
        match byte {
            b'\'' | b'\\' => word.extend(['\\', char::from(byte)]),
            b' '..=b'~' => word.push(char::from(byte)),
            // Two digits, so that a digit that follows is not taken for a third.
            _ => word.extend(format!("\\x{byte:02x}").chars()),
        }
    }
    word.push('\'');
    word
}

/// Why a position has no answer.
#[derive(Clone, Debug)]
pub enum ProbeError {
    /// The table of a layer that the answer needs is not there.
    MissingLayer(Box<MissingLayer>),
    /// The table that holds the answer cannot be trusted or read.
    Table(TableError),
}

impl ProbeError {
    /// What kind of failure this is.
    pub fn class(&self) -> ErrorClass {
        match self {
            ProbeError::MissingLayer(_) => ErrorClass::Missing,
            ProbeError::Table(error) => error.class(),
        }
    }
}

impl fmt::Display for ProbeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProbeError::MissingLayer(missing) => missing.fmt(f),
            ProbeError::Table(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ProbeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ProbeError::MissingLayer(_) => None,
            // The text is the table error's own, so its source comes next.
            ProbeError::Table(error) => error.source(),
        }
    }
}

impl From<TableError> for ProbeError {
    fn from(error: TableError) -> ProbeError {
        ProbeError::Table(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn words_come_back_from_a_shell_as_they_were() {
        use std::os::unix::ffi::{OsStrExt, OsStringExt};

        let paths: [&[u8]; 9] = [
            b"tables",
            b"with space",
            b"it's",
            b"-rf",
            b"\xff\xfe",
            b"a\xffb c'd\\e1",
            b"\x1b[31mred",
            b"-\xff",
            b"$(x) `y` \"z\" ~ * ! \xc3\xa9",
        ];
        for path in paths {
            let word = shell_word(Path::new(std::ffi::OsStr::from_bytes(path)));
            assert!(word.chars().all(|c| !c.is_control()), "{word:?}");
            let output = std::process::Command::new("bash").args(["-c", &format!("printf %s {word}")]).output();
            let printed = std::ffi::OsString::from_vec(output.expect("bash runs").stdout);
            let relative = if path.starts_with(b"-") { [b"./", path].concat() } else { path.to_vec() };
            assert_eq!(printed.as_bytes(), relative, "{word}");
        }
    }
}
