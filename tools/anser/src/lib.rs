//! The command line of Anser as a library, so that a program can offer its commands for games of its own.
//!
//! ```no_run
//! use anser_games::Registry;
//!
//! fn main() -> std::process::ExitCode {
//!     let mut registry = Registry::standard();
//!     // registry.register(...) adds a game; every command then works on it.
//!     anser::main(registry)
//! }
//! ```

#![allow(clippy::format_push_string, reason = "texts here are a screen long and written once")]

mod advice;
mod args;
mod asking;
mod board;
mod cli;
mod cmd;
mod failure;
mod faults;
mod games;
mod known;
mod look;
mod offer;
mod output;
mod plot;
mod progress;
mod sets;
mod shell;
mod tables;
mod text;
mod values;

use std::process::ExitCode;

use anser_games::Registry;
use clap::{CommandFactory, Parser};

/// Runs the command line of this process for the games of `registry`, and returns its exit status.
///
/// A process calls this once: the games cannot be changed afterwards.
pub fn main(registry: Registry) -> ExitCode {
    games::set_registry(registry);
    limit_threads();
    failure::follow(std::env::args_os());
    faults::report();
    match cli::Cli::try_parse() {
        Ok(cli) => {
            look::decide(cli.ascii);
            match cmd::run(cli.command) {
                Ok(()) => ExitCode::SUCCESS,
                Err(failure) => failure.report(),
            }
        }
        Err(error) => failure::report_usage(&error, &cli::Cli::command()),
    }
}

/// Keeps Rayon's own pool, which work outside of a run's pool goes to, within the limit of threads. Without an environment
/// variable that asks for more there is nothing to do, and no thread is started.
fn limit_threads() {
    let asked = std::env::var("RAYON_NUM_THREADS").ok().and_then(|threads| threads.parse::<u64>().ok());
    if asked.is_some_and(|asked| asked > anser_solve::most_threads() as u64) {
        let cores = std::thread::available_parallelism().map_or(1, Into::into);
        // A pool that cannot be started is reported where it is needed.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(cores).build_global();
    }
}
