//! Failures of commands: a message for people, a JSON object for programs, and an exit status.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anser_core::NotationError;
use anser_games::answers::{ErrorAnswer, ErrorKind, ErrorObject, LineError, Versioned};
use anser_solve::SolveError;
use anser_table::{ErrorClass, ProbeError, TableError};

use crate::advice::Advised;
use crate::games;
use crate::output::note;
use crate::sets::{FoundSet, sets_besides};

/// Why a command ended early.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: ErrorKind,
    /// What happened, and where. Empty if nothing is to be reported: a closed pipe is a success.
    message: String,
    /// What to do next.
    advice: Option<String>,
    /// The column of a malformed position, from 1.
    column: Option<usize>,
}

/// Whether errors are written as JSON.
static IN_JSON: AtomicBool = AtomicBool::new(false);

/// Whether errors are written as JSON.
pub(crate) fn in_json() -> bool {
    IN_JSON.load(Relaxed)
}

/// Makes errors JSON from now on if the arguments contain `--json`. Works before parsing, so that
/// usage errors are JSON too.
pub(crate) fn detect_json(mut arguments: impl Iterator<Item = OsString>) {
    let requested = arguments.by_ref().take_while(|word| word != "--").any(|word| word == "--json");
    IN_JSON.store(requested, Relaxed);
}

impl Failure {
    pub(crate) fn new(kind: ErrorKind, message: impl Display) -> Failure {
        Failure { kind, message: message.to_string(), advice: None, column: None }
    }

    /// Makes a failure from an error of a library, with the advice of the command line.
    pub(crate) fn of_advised(kind: ErrorKind, error: &impl Advised) -> Failure {
        let (message, advice) = error.parts();
        Failure { kind, message, advice: advice.map(Cow::into_owned), column: None }
    }

    /// Sets what to do next, with commands in backquotes.
    pub(crate) fn advice(self, advice: impl Display) -> Failure {
        Failure { advice: Some(advice.to_string()), ..self }
    }

    pub(crate) fn missing(message: impl Display) -> Failure {
        Failure::new(ErrorKind::Missing, message)
    }

    pub(crate) fn usage(message: impl Display) -> Failure {
        Failure::new(ErrorKind::Usage, message)
    }

    pub(crate) fn corrupt(message: impl Display) -> Failure {
        Failure::new(ErrorKind::Corrupt, message)
    }

    pub(crate) fn io(message: impl Display) -> Failure {
        Failure::new(ErrorKind::Io, message)
    }

    /// The user stopped work that cannot be resumed.
    pub(crate) fn interrupted() -> Failure {
        Failure::new(ErrorKind::Interrupted, "interrupted before the answer was found")
    }

    /// Standard output could not be written. A reader that has left is no failure.
    pub(crate) fn output(error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::io(""),
            _ => Failure::io(format!("writing the output failed: {error}")),
        }
    }

    /// An interruption of work that is kept, with what the same command does next; other errors as
    /// they are.
    pub(crate) fn of_work(error: SolveError, what_next: &str) -> Failure {
        match error {
            SolveError::Interrupted => {
                Failure::new(ErrorKind::Interrupted, format_args!("interrupted; {what_next}"))
            }
            error => error.into(),
        }
    }

    /// Appends to what to do next.
    pub(crate) fn with_more_advice(self, more: &str) -> Failure {
        let advice = self
            .advice
            .as_deref()
            .map_or_else(|| more.to_owned(), |advice| format!("{advice} ({more})"));
        self.advice(advice)
    }

    /// Whether the user stopped the work, or nobody reads the output anymore.
    pub(crate) fn ends_work(&self) -> bool {
        self.kind == ErrorKind::Interrupted || self.is_closed_output()
    }

    /// Whether the reader of standard output has left, which is a success.
    fn is_closed_output(&self) -> bool {
        self.message.is_empty()
    }

    /// The failure of one set of tables, named in the message. Tables of an unknown game or rule
    /// set are not wrong usage.
    pub(crate) fn about_set(self, set: &FoundSet) -> Failure {
        let name = format!("{} (rules {})", set.game, set.rules);
        match self.kind {
            ErrorKind::Usage if games::registry().game(&set.game, Some(&set.rules)).is_err() => {
                Failure::corrupt(format!(
                    "there are tables of {name}, which this version of anser does not know"
                ))
            }
            _ if self.is_closed_output() || self.message.contains(&name) => self,
            _ => Failure { message: format!("{name}: {}", self.message), ..self },
        }
    }

    /// What kind of failure it is.
    pub(crate) fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What went wrong, and what to do next.
    pub(crate) fn message(&self) -> String {
        match &self.advice {
            None => self.message.clone(),
            Some(advice) => format!("{}; {advice}", self.message),
        }
    }

    /// Failure as JSON.
    pub(crate) fn answer(&self) -> ErrorObject {
        let hint =
            self.advice.as_deref().map(|advice| command_in(advice).unwrap_or(advice).to_owned());
        ErrorObject { hint, column: self.column, ..ErrorObject::new(self.kind, &*self.message) }
    }

    /// Writes the failure to standard error, in one line, and returns the exit status.
    pub(crate) fn report(&self) -> ExitCode {
        match self.kind {
            _ if self.is_closed_output() => return ExitCode::SUCCESS,
            _ if IN_JSON.load(Relaxed) => {
                let line =
                    serde_json::to_string(&Versioned::new(ErrorAnswer { error: self.answer() }));
                // A closed standard error is no failure.
                let _ =
                    writeln!(io::stderr(), "{}", line.unwrap_or_else(|error| error.to_string()));
            }
            ErrorKind::Interrupted => note(self.message()),
            _ => note(format_args!("error: {}", self.message())),
        }
        ExitCode::from(self.kind.exit_status())
    }
}

/// First command in a text, without its backquotes.
fn command_in(text: &str) -> Option<&str> {
    let start = text.find("`anser ")? + 1;
    Some(&text[start..start + text[start..].find('`')?])
}

/// Reports a usage error, or writes the requested help or version.
pub(crate) fn report_usage(error: &clap::Error, command: &clap::Command) -> ExitCode {
    let status = u8::try_from(error.exit_code()).unwrap_or(ErrorKind::Usage.exit_status());
    if !(error.use_stderr() && IN_JSON.load(Relaxed)) {
        if error.use_stderr() {
            let _ = write!(io::stderr(), "anser: ");
        }
        let printed = error.print().and_then(|()| io::stdout().flush());
        if let (false, Err(error)) = (error.use_stderr(), printed) {
            // A closed pipe is a success here too.
            return Failure::output(&error).report();
        }
        return ExitCode::from(status);
    }
    let text = error.render().to_string();
    let paragraphs =
        || text.split("\n\n").map(|lines| lines.split_whitespace().collect::<Vec<_>>().join(" "));
    let message = paragraphs().next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(&message).to_owned();
    let tip = paragraphs().find_map(|paragraph| Some(paragraph.strip_prefix("tip: ")?.to_owned()));
    let help = || {
        let names =
            || std::env::args().skip(1).filter(|word| command.find_subcommand(word).is_some());
        format!("`anser {}--help`", names().next().map(|name| name + " ").unwrap_or_default())
    };
    let missing = error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    let message = if missing { "a command is missing".to_owned() } else { message };
    let failure = Failure { kind: ErrorKind::Usage, message, advice: None, column: None };
    failure.advice(tip.unwrap_or_else(help)).report()
}

/// The kind of failure that an error of the reader is.
fn kind_of(class: ErrorClass) -> ErrorKind {
    match class {
        ErrorClass::Missing => ErrorKind::Missing,
        ErrorClass::Corrupt => ErrorKind::Corrupt,
        ErrorClass::Io | ErrorClass::Resources => ErrorKind::Io,
    }
}

impl From<NotationError> for Failure {
    fn from(error: NotationError) -> Failure {
        let message =
            format!("this is not a position: column {}: {}", error.column(), error.problem());
        let advice = format!("a right one looks like \"{}\"", error.example());
        Failure { column: Some(error.column()), ..Failure::usage(message).advice(advice) }
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        let mut failure = Failure::of_advised(kind_of(error.class()), &error);
        if let ProbeError::MissingLayer(missing) = &error {
            failure.message += &sets_besides(missing);
        }
        failure
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::of_advised(kind_of(error.class()), &error)
    }
}

impl<E: Into<Failure>> From<LineError<E>> for Failure {
    fn from(error: LineError<E>) -> Failure {
        match error {
            LineError::Move { mv, ply } => Failure::corrupt(format!(
                "the line that was found has no legal move {mv} at ply {ply}"
            )),
            LineError::Value(error) => error.into(),
        }
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        let kind = match &error {
            // Resumable work uses `Failure::of_work`.
            SolveError::Interrupted => return Failure::interrupted(),
            SolveError::MissingLower { .. } => ErrorKind::Missing,
            SolveError::NoSuchLayer { .. } | SolveError::Memory { .. } | SolveError::Level(_) => {
                ErrorKind::Usage
            }
            SolveError::Locked { .. }
            | SolveError::LockLost { .. }
            | SolveError::Threads(_)
            | SolveError::Io { .. }
            | SolveError::Disk { .. } => ErrorKind::Io,
            SolveError::Probe(error) => return error.clone().into(),
            SolveError::Table(error) => return error.clone().into(),
            // The other errors mean wrong tables or contradictory rules, which fail verification
            // too.
            _ => ErrorKind::Corrupt,
        };
        Failure::of_advised(kind, &error)
    }
}

#[cfg(test)]
mod tests {
    use anser_analyse::AnalyseError;

    use super::*;

    fn parts(failure: &Failure) -> (String, Option<String>) {
        let answer = failure.answer();
        (answer.message, answer.hint)
    }

    fn text(message: &str, hint: Option<&str>) -> (String, Option<String>) {
        (message.to_owned(), hint.map(str::to_owned))
    }

    #[test]
    fn the_command_that_helps_is_the_hint() {
        let failure = Failure::missing("layer 4 is not there: looked in a; b")
            .advice("`anser solve --layers 4` makes it");
        assert_eq!(
            parts(&failure),
            text("layer 4 is not there: looked in a; b", Some("anser solve --layers 4"))
        );
        assert_eq!(
            failure.message(),
            "layer 4 is not there: looked in a; b; `anser solve --layers 4` makes it"
        );
        let failure = Failure::of_advised(
            ErrorKind::Missing,
            &AnalyseError::Endless { position: "a; b".into() },
        );
        assert_eq!(
            parts(&failure),
            text(
                "play can return to a; b, so there are infinitely many games",
                Some("choose rules that limit the plies")
            )
        );
        assert_eq!(parts(&Failure::usage("one; two")), text("one; two", None));
        assert_eq!(
            parts(&Failure::usage("one").advice("see `anser games`")),
            text("one", Some("anser games"))
        );
    }
}
