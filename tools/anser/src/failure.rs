//! What ends a command early: a message for people, an object for programs, and an exit status for scripts.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anser_core::NotationError;
use anser_solve::SolveError;
use anser_table::{ErrorClass, ProbeError, TableError};
use serde::Serialize;

use crate::advice::Advised;
use crate::games;
use crate::json::Answer;
use crate::output::note;
use crate::sets::{FoundSet, others_than};

/// Why a command ended early.
#[derive(Debug)]
pub(crate) struct Failure {
    status: u8,
    /// What happened, and where. Empty where there is nobody left to tell.
    message: String,
    /// What to do next.
    advice: Option<String>,
    /// The column of a malformed position, from 1.
    column: Option<usize>,
}

/// A failure in JSON; `docs/json.md` describes it.
#[derive(Serialize)]
pub(crate) struct ErrorAnswer<'a> {
    code: u8,
    kind: &'static str,
    message: &'a str,
    hint: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

/// An error as the only content of an object.
#[derive(Serialize)]
struct ErrorLine<'a> {
    error: ErrorAnswer<'a>,
}

/// Whether errors are written as JSON.
static IN_JSON: AtomicBool = AtomicBool::new(false);

/// Whether errors are written as JSON.
pub(crate) fn in_json() -> bool {
    IN_JSON.load(Relaxed)
}

/// Writes errors as JSON from now on if the command line asks for answers in JSON, even where it is wrong otherwise.
pub(crate) fn follow(mut arguments: impl Iterator<Item = OsString>) {
    let asked = arguments.by_ref().take_while(|word| word != "--").any(|word| word == "--json");
    IN_JSON.store(asked, Relaxed);
}

impl Failure {
    /// The answer is not there.
    pub(crate) const MISSING: u8 = 1;
    /// The command line or the position is wrong.
    pub(crate) const USAGE: u8 = 2;
    /// A table is damaged, or fails verification.
    pub(crate) const CORRUPT: u8 = 3;
    /// Input or output failed, or memory or another resource of the system ran out.
    pub(crate) const IO: u8 = 4;
    /// Somebody asked to stop.
    pub(crate) const INTERRUPTED: u8 = 130;

    pub(crate) fn new(status: u8, message: impl Display) -> Failure {
        let text = message.to_string();
        // Texts that come ready from a library or a table end in the command that helps.
        let (message, advice) = match text.rfind("; `anser ") {
            Some(end) => (text[..end].to_owned(), Some(text[end + 2..].to_owned())),
            None => (text, None),
        };
        Failure { status, message, advice, column: None }
    }

    /// A failure of a library, whose texts end in what to do next.
    pub(crate) fn of_library(status: u8, error: &impl Display) -> Failure {
        let failure = Failure::new(status, error);
        match (&failure.advice, failure.message.rsplit_once("; ")) {
            (None, Some((message, advice))) => {
                Failure { message: message.to_owned(), advice: Some(advice.to_owned()), ..failure }
            }
            _ => failure,
        }
    }

    /// A failure of the reader, which leaves it to the command line to say what to do next.
    fn of_reader(class: ErrorClass, error: &impl Advised) -> Failure {
        let (message, advice) = error.parts();
        Failure { status: status_of(class), message, advice: Some(advice.into_owned()), column: None }
    }

    /// Adds what to do next; a command stands in backquotes.
    pub(crate) fn advice(self, advice: impl Display) -> Failure {
        Failure { advice: Some(advice.to_string()), ..self }
    }

    pub(crate) fn missing(message: impl Display) -> Failure {
        Failure::new(Failure::MISSING, message)
    }

    pub(crate) fn usage(message: impl Display) -> Failure {
        Failure::new(Failure::USAGE, message)
    }

    pub(crate) fn corrupt(message: impl Display) -> Failure {
        Failure::new(Failure::CORRUPT, message)
    }

    pub(crate) fn io(message: impl Display) -> Failure {
        Failure::new(Failure::IO, message)
    }

    /// Somebody asked to stop, and there is nothing to go on with.
    pub(crate) fn interrupted() -> Failure {
        Failure::new(Failure::INTERRUPTED, "interrupted before there was an answer")
    }

    /// Standard output could not be written. Where whoever read it has seen enough, that is a success.
    pub(crate) fn output(error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure { status: 0, ..Failure::io("") },
            _ => Failure::io(format!("writing the output failed: {error}")),
        }
    }

    /// An interruption of work that keeps what was done, and what the same command does then; other errors as they are.
    pub(crate) fn of_work(error: SolveError, what_next: &str) -> Failure {
        match error {
            SolveError::Interrupted => Failure::new(Failure::INTERRUPTED, format_args!("interrupted; {what_next}")),
            error => error.into(),
        }
    }

    /// The same failure with more about what to do next.
    pub(crate) fn with(self, more: &str) -> Failure {
        let advice = self.advice.as_deref().map_or_else(|| more.to_owned(), |advice| format!("{advice} ({more})"));
        self.advice(advice)
    }

    /// Whether somebody asked to stop.
    pub(crate) fn is_interruption(&self) -> bool {
        self.status == Failure::INTERRUPTED
    }

    /// The failure of one set of tables, which its message then names. Tables of a game or rule set that this program does
    /// not know are no wrong usage.
    pub(crate) fn about_set(self, set: &FoundSet) -> Failure {
        let name = format!("{} (rules {})", set.game, set.rules);
        match self.status {
            Failure::USAGE if games::registry().game(&set.game, Some(&set.rules)).is_err() => {
                Failure::corrupt(format!("there are tables of {name}, which this anser does not know; a newer one may"))
            }
            _ if self.message.contains(&name) => self,
            _ => Failure { message: format!("{name}: {}", self.message), ..self },
        }
    }

    /// The exit status.
    pub(crate) fn status(&self) -> u8 {
        self.status
    }

    /// What went wrong, and what to do next.
    pub(crate) fn message(&self) -> String {
        match &self.advice {
            None => self.message.clone(),
            Some(advice) => format!("{}; {advice}", self.message),
        }
    }

    /// The failure in JSON.
    pub(crate) fn answer(&self) -> ErrorAnswer<'_> {
        let kind = match self.status {
            Failure::MISSING => "missing",
            Failure::USAGE => "usage",
            Failure::CORRUPT => "corrupt",
            Failure::INTERRUPTED => "interrupted",
            _ => "io",
        };
        let hint = self.advice.as_deref().map(|advice| command_in(advice).unwrap_or(advice));
        ErrorAnswer { code: self.status, kind, message: &self.message, hint, column: self.column }
    }

    /// Reports the failure on standard error, in one line, and returns the exit status.
    pub(crate) fn report(&self) -> ExitCode {
        match self.status {
            _ if self.message.is_empty() => {}
            _ if IN_JSON.load(Relaxed) => {
                let line = serde_json::to_string(&Answer::new(&ErrorLine { error: self.answer() }));
                // Nobody may be listening, which is no failure.
                let _ = writeln!(io::stderr(), "{}", line.unwrap_or_else(|error| error.to_string()));
            }
            Failure::INTERRUPTED => note(self.message()),
            _ => note(format_args!("error: {}", self.message())),
        }
        ExitCode::from(self.status)
    }
}

/// The command in a text, without its backquotes.
fn command_in(text: &str) -> Option<&str> {
    let start = text.find("`anser ")? + 1;
    Some(&text[start..start + text[start..].find('`')?])
}

/// Reports what the command line is wrong in, or writes the help or version that it asks for.
pub(crate) fn report_usage(error: &clap::Error, command: &clap::Command) -> ExitCode {
    let status = u8::try_from(error.exit_code()).unwrap_or(Failure::USAGE);
    if !(error.use_stderr() && IN_JSON.load(Relaxed)) {
        if error.use_stderr() {
            let _ = write!(io::stderr(), "anser: ");
        }
        let printed = error.print().and_then(|()| io::stdout().flush());
        if let (false, Err(error)) = (error.use_stderr(), printed) {
            // Help and version were lost, which is no failure where nobody reads any more.
            return Failure::output(&error).report();
        }
        return ExitCode::from(status);
    }
    let text = error.render().to_string();
    let paragraphs = || text.split("\n\n").map(|lines| lines.split_whitespace().collect::<Vec<_>>().join(" "));
    let message = paragraphs().next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(&message).to_owned();
    let tip = paragraphs().find_map(|paragraph| Some(paragraph.strip_prefix("tip: ")?.to_owned()));
    let help = || {
        let names = || std::env::args().skip(1).filter(|word| command.find_subcommand(word).is_some());
        format!("`anser {}--help`", names().next().map(|name| name + " ").unwrap_or_default())
    };
    let missing = error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    let message = if missing { "a command is missing".to_owned() } else { message };
    let failure = Failure { status, message, advice: None, column: None };
    failure.advice(tip.unwrap_or_else(help)).report()
}

/// The exit status for a kind of failure.
pub(crate) fn status_of(class: ErrorClass) -> u8 {
    match class {
        ErrorClass::Missing => Failure::MISSING,
        ErrorClass::Corrupt => Failure::CORRUPT,
        ErrorClass::Io | ErrorClass::Resources => Failure::IO,
    }
}

impl From<NotationError> for Failure {
    fn from(error: NotationError) -> Failure {
        let message = format!("this is not a position: column {}: {}", error.column(), error.problem());
        let advice = format!("a right one looks like \"{}\"", error.example());
        Failure { column: Some(error.column()), ..Failure::usage(message).advice(advice) }
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        let mut failure = Failure::of_reader(error.class(), &error);
        if let ProbeError::MissingLayer(missing) = &error {
            failure.message += &others_than(missing);
        }
        failure
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::of_reader(error.class(), &error)
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        let status = match &error {
            // Those who keep what was done say so themselves.
            SolveError::Interrupted => return Failure::interrupted(),
            SolveError::MissingLower { .. } => Failure::MISSING,
            SolveError::NoSuchLayer { .. } | SolveError::Memory { .. } | SolveError::Level(_) => Failure::USAGE,
            SolveError::Locked { .. }
            | SolveError::LockLost { .. }
            | SolveError::Threads(_)
            | SolveError::Io { .. }
            | SolveError::Disk { .. } => Failure::IO,
            SolveError::Probe(error) => return error.clone().into(),
            SolveError::Table(error) => return error.clone().into(),
            // What is left are tables that are wrong, and rules that contradict themselves, which fail verification too.
            _ => Failure::CORRUPT,
        };
        Failure::of_library(status, &error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(failure: &Failure) -> (&str, Option<&str>) {
        let answer = failure.answer();
        (answer.message, answer.hint)
    }

    #[test]
    fn the_command_that_helps_is_the_hint() {
        let failure = Failure::missing("layer 4 is not there: looked in a; b; `anser solve --layers 4` makes it");
        assert_eq!(parts(&failure), ("layer 4 is not there: looked in a; b", Some("anser solve --layers 4")));
        assert_eq!(failure.message(), "layer 4 is not there: looked in a; b; `anser solve --layers 4` makes it");
        let failure = Failure::of_library(3, &"t: truncated; copy the file again");
        assert_eq!(parts(&failure), ("t: truncated", Some("copy the file again")));
        assert_eq!(parts(&Failure::usage("one; two")), ("one; two", None));
        assert_eq!(parts(&Failure::usage("one").advice("see `anser games`")), ("one", Some("anser games")));
    }
}
