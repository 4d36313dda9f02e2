//! What ends a command early: a message for people and an exit status for scripts.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

use anser_core::NotationError;
use anser_solve::SolveError;
use anser_table::{ErrorClass, ProbeError, TableError};

use crate::output::note;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) struct Failure {
    status: u8,
    /// Empty where there is nobody left to tell.
    message: String,
}

impl Failure {
    /// The answer is not there.
    pub(crate) const MISSING: u8 = 1;
    /// The command line or the position is wrong.
    pub(crate) const USAGE: u8 = 2;
    /// A table is damaged, or fails verification.
    pub(crate) const CORRUPT: u8 = 3;
    /// Input or output failed.
    pub(crate) const IO: u8 = 4;
    /// Somebody asked to stop.
    pub(crate) const INTERRUPTED: u8 = 130;

    pub(crate) fn new(status: u8, message: impl Display) -> Failure {
        Failure { status, message: message.to_string() }
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
        Failure::new(Failure::INTERRUPTED, "stopped before there was an answer")
    }

    /// Standard output could not be written. Where whoever read it has seen enough, that is a success.
    pub(crate) fn output(error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure { status: 0, message: String::new() },
            _ => Failure::io(format!("writing the output failed: {error}")),
        }
    }

    /// The exit status.
    #[cfg(test)]
    pub(crate) fn status(&self) -> u8 {
        self.status
    }

    /// What went wrong.
    pub(crate) fn message(&self) -> String {
        self.message.clone()
    }

    /// Tells why on standard error, in one line, and gives the exit status.
    pub(crate) fn report(&self) -> ExitCode {
        match self.status {
            _ if self.message.is_empty() => {}
            Failure::INTERRUPTED => note(&self.message),
            _ => note(format_args!("error: {}", self.message)),
        }
        ExitCode::from(self.status)
    }
}

/// The exit status for a kind of failure.
pub(crate) fn status_of(class: ErrorClass) -> u8 {
    match class {
        ErrorClass::Missing => Failure::MISSING,
        ErrorClass::Corrupt => Failure::CORRUPT,
        ErrorClass::Io => Failure::IO,
    }
}

impl From<NotationError> for Failure {
    fn from(error: NotationError) -> Failure {
        Failure::usage(format!("this is not a position: {error}"))
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        Failure::new(status_of(error.class()), error)
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::new(status_of(error.class()), error)
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        let status = match &error {
            SolveError::MissingLower { .. } => Failure::MISSING,
            SolveError::NoSuchLayer { .. }
            | SolveError::Memory { .. }
            | SolveError::Budget { .. }
            | SolveError::Threads(_)
            | SolveError::Level(_) => Failure::USAGE,
            SolveError::Locked { .. } | SolveError::Io { .. } | SolveError::Disk { .. } => Failure::IO,
            SolveError::Probe(error) => status_of(error.class()),
            SolveError::Table(error) => status_of(error.class()),
            SolveError::Interrupted => Failure::INTERRUPTED,
            // What is left are tables that are wrong, and rules that contradict themselves, which fail verification too.
            _ => Failure::CORRUPT,
        };
        Failure::new(status, error)
    }
}
