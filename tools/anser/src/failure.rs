//! Failures of commands: a message for people, a JSON object for programs, and an exit status.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use anser_games::answers::{ErrorAnswer, ErrorKind, ErrorObject, SetError, Versioned};
use anser_games::{AnyError, Audience, explain};
use anser_retrograde::AnalyseError;
use anser_solve::SolveError;
use clap::error::{ContextKind, ContextValue};

use crate::games;
use crate::text::note_line;

/// Why a command ended early. The message is empty if nothing is to be reported: a closed pipe is a
/// success. Commands in the hint are in backquotes.
#[derive(Debug)]
pub(crate) struct Failure(ErrorObject);

/// Returns an error of a library in words, for a note.
pub(crate) fn words<'a>(error: impl Into<AnyError<'a>>) -> String {
    explain(error, Audience::CommandLine(games::registry())).to_string()
}

impl From<ErrorObject> for Failure {
    fn from(error: ErrorObject) -> Failure {
        Failure(error)
    }
}

impl Failure {
    pub(crate) fn new(kind: ErrorKind, message: impl Display) -> Failure {
        Failure(ErrorObject::new(kind, message.to_string()))
    }

    /// Sets what to do next, with commands in backquotes.
    pub(crate) fn advice(self, advice: impl Display) -> Failure {
        Failure(self.0.with_hint(advice))
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

    /// An operation on a file or a directory failed, with this error of the system.
    pub(crate) fn of_file(message: impl Display, error: &io::Error) -> Failure {
        let failure = Failure::io(message);
        match error.kind() {
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => {
                failure.advice("free some space and give the same command again")
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                failure.advice("check its permissions, or give another path")
            }
            io::ErrorKind::NotFound
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::IsADirectory
            | io::ErrorKind::AlreadyExists => failure.advice("check the path"),
            _ => failure,
        }
    }

    /// The user stopped work that cannot be resumed.
    pub(crate) fn interrupted() -> Failure {
        AnalyseError::Interrupted.into()
    }

    /// Standard output could not be written. A reader that has left is no failure.
    pub(crate) fn output(error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::io(""),
            _ => Failure::io(format!("writing the output failed: {error}")),
        }
    }

    /// The user stopped work, with what becomes of it.
    pub(crate) fn interrupted_with(message: impl Display) -> Failure {
        Failure::new(ErrorKind::Interrupted, message)
    }

    /// The failure of a run; `interrupted` is the message if the user stopped it.
    pub(crate) fn of_run(error: SolveError, interrupted: &str) -> Failure {
        match error {
            SolveError::Interrupted => Failure::interrupted_with(interrupted),
            error => error.into(),
        }
    }

    /// Appends to what to do next.
    pub(crate) fn with_more_advice(self, more: &str) -> Failure {
        let advice = match &self.0.hint {
            None => more.to_owned(),
            Some(advice) => format!("{advice} ({more})"),
        };
        self.advice(advice)
    }

    /// Whether the user stopped the work, or nobody reads the output anymore.
    pub(crate) fn ends_work(&self) -> bool {
        self.kind() == ErrorKind::Interrupted || self.is_closed_output()
    }

    /// Whether the reader of standard output has left, which is a success.
    fn is_closed_output(&self) -> bool {
        self.0.message.is_empty()
    }

    /// The failure of one of several things, named in the message unless it is already.
    pub(crate) fn naming(self, name: &str) -> Failure {
        if self.is_closed_output() || self.0.message.contains(name) {
            return self;
        }
        Failure(ErrorObject { message: format!("{name}: {}", self.0.message), ..self.0 })
    }

    /// The failure of one of several rule sets, named in the message.
    pub(crate) fn of_rules(self, rules: &str) -> Failure {
        Failure(ErrorObject { message: format!("rules {rules}: {}", self.0.message), ..self.0 })
    }

    /// Returns the kind of failure.
    pub(crate) fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the problem, and what to do next.
    pub(crate) fn message(&self) -> String {
        self.0.to_string()
    }

    /// Failure as JSON: if a command helps, it is the hint.
    pub(crate) fn answer(&self) -> ErrorObject {
        match self.0.command() {
            Some(command) => self.0.clone().with_hint(command),
            None => self.0.clone(),
        }
    }

    /// Failure in the place of the answer about a set of tables, or about a rule set.
    pub(crate) fn of_set(&self, game: &str, rules: &str) -> SetError {
        SetError { game: game.into(), rules: rules.into(), error: self.answer() }
    }

    /// The line that reports the failure, with its end.
    pub(crate) fn line(&self, json: bool) -> String {
        match self.kind() {
            _ if json => {
                let answer = Versioned::new(ErrorAnswer { error: self.answer() });
                serde_json::to_string(&answer).unwrap_or_else(|error| error.to_string()) + "\n"
            }
            ErrorKind::Interrupted => note_line(self.message()),
            _ => note_line(format_args!("error: {}", self.message())),
        }
    }

    /// Writes the failure to standard error, in one line, and returns the exit status.
    pub(crate) fn report(&self, json: bool) -> ExitCode {
        if self.is_closed_output() {
            return ExitCode::SUCCESS;
        }
        // A closed standard error is no failure.
        let _ = io::stderr().write_all(self.line(json).as_bytes());
        ExitCode::from(self.kind().exit_status())
    }
}

/// Reports a usage error, or writes the requested help or version.
///
/// There are no parsed arguments then, so the error is JSON if the command line has the word
/// `--json` among its options.
pub(crate) fn report_usage(mut error: clap::Error, command: &clap::Command) -> ExitCode {
    let words = std::env::args_os().skip(1).filter_map(|word| word.into_string().ok());
    let name = words.into_iter().find(|word| command.find_subcommand(word).is_some());
    if let Some(tip) = name.as_ref().and_then(|name| expected(&error, command, name)) {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    let status = u8::try_from(error.exit_code()).unwrap_or(ErrorKind::Usage.exit_status());
    let json = std::env::args_os().take_while(|word| word != "--").any(|word| word == "--json");
    if !(error.use_stderr() && json) {
        if error.use_stderr() {
            let _ = write!(io::stderr(), "anser: ");
        }
        let printed = error.print().and_then(|()| io::stdout().flush());
        if let (false, Err(error)) = (error.use_stderr(), printed) {
            // A closed pipe is a success here too.
            return Failure::output(&error).report(false);
        }
        return ExitCode::from(status);
    }
    let text = error.render().to_string();
    let paragraphs =
        || text.split("\n\n").map(|lines| lines.split_whitespace().collect::<Vec<_>>().join(" "));
    let message = paragraphs().next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(&message).to_owned();
    let tip = paragraphs().find_map(|paragraph| Some(paragraph.strip_prefix("tip: ")?.to_owned()));
    let help = || format!("`anser {}--help`", name.map(|name| name + " ").unwrap_or_default());
    let missing = error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    let message = if missing { "a command is missing".to_owned() } else { message };
    Failure::usage(message).advice(tip.unwrap_or_else(help)).report(json)
}

/// Returns what a command has instead of an option that it could be thought to have.
fn expected(error: &clap::Error, command: &clap::Command, name: &str) -> Option<&'static str> {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let command = command.find_subcommand(name)?;
    let has = |option: &str| command.get_arguments().any(|arg| arg.get_long() == Some(option));
    match &**option {
        "--level" if has("style") => Some("a level is a style: --style beginner"),
        "--port" if has("listen") => Some("an address has the port: --listen 127.0.0.1:8031"),
        "--csv" if has("format") => Some("for CSV write --format csv"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
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
        let failure = Failure::from(AnalyseError::Endless { position: "a; b".into() });
        assert_eq!(
            parts(&failure),
            text(
                "play can return to a; b, so there are infinitely many games",
                Some("choose rules that limit the plies, if the game has some")
            )
        );
        assert_eq!(parts(&Failure::usage("one; two")), text("one; two", None));
        assert_eq!(
            parts(&Failure::usage("one").advice("see `anser games`")),
            text("one", Some("anser games"))
        );
    }
}
