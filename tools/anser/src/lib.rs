//! The command line of Anser as a library, for programs that offer its commands for their own
//! games.
//!
//! ```no_run
//! use anser_games::Registry;
//!
//! fn main() -> std::process::ExitCode {
//!     let mut registry = Registry::standard();
//!     // registry.register(...) adds a game; every command then accepts it.
//!     anser::main(registry)
//! }
//! ```

#![allow(clippy::format_push_string, reason = "texts are short and written once")]

mod args;
mod board;
mod cli;
mod cluster;
mod cmd;
mod conversions;
mod cost;
mod csv;
mod failure;
mod faults;
mod games;
mod known;
#[cfg(feature = "learn")]
mod learned;
mod offer;
mod output;
mod plot;
mod progress;
mod question;
mod reply;
mod sets;
mod tables;
mod temporary;
mod text;
mod text_style;
mod values;

use std::process::ExitCode;

use anser_games::Registry;
use clap::{CommandFactory, FromArgMatches};

/// Runs the command line of this process on the games of `registry`, and returns the exit status.
///
/// Only the first call of a process sets the registry.
pub fn main(registry: Registry) -> ExitCode {
    games::set_registry(registry);
    limit_threads();
    let matches = match command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return failure::report_usage(error, &command()),
    };
    let json = matches.subcommand().is_some_and(|(_, of_command)| {
        of_command.try_get_one("json").is_ok_and(|json| json == Some(&true))
    });
    faults::install_handlers(json);
    match cli::Cli::from_arg_matches(&matches) {
        Ok(cli) => {
            text_style::detect(cli.ascii);
            match cmd::run(cli.command) {
                Ok(()) => ExitCode::SUCCESS,
                Err(failure) => failure.report(json),
            }
        }
        Err(error) => failure::report_usage(error, &command()),
    }
}

/// Returns the command line. Options take negative numbers as their value, to say which numbers
/// they take.
fn command() -> clap::Command {
    let with_numbers = |arg: clap::Arg| {
        let has_value = !arg.is_positional() && arg.get_action().takes_values();
        arg.allow_negative_numbers(has_value)
    };
    cli::Cli::command().mut_subcommands(|command| command.mut_args(with_numbers))
}

/// Limits Rayon's global pool, which runs work outside of a run's own pool, to one thread per core
/// if `RAYON_NUM_THREADS` exceeds the limit of threads. Otherwise starts no thread.
fn limit_threads() {
    let requested =
        std::env::var("RAYON_NUM_THREADS").ok().and_then(|threads| threads.parse::<u64>().ok());
    if requested.is_some_and(|requested| requested > anser_solve::most_threads() as u64) {
        let cores = std::thread::available_parallelism().map_or(1, Into::into);
        // The first use of a pool that cannot be started reports the error.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(cores).build_global();
    }
}
