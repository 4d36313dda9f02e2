//! `anser`, the command line of Anser: solves hunt games layer by layer into table files and answers any position from
//! them. This package is the only place that knows about terminals.

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
mod json;
mod known;
mod look;
mod offer;
mod output;
mod plot;
mod progress;
mod sets;
mod shelf;
mod shell;
mod shipped;
mod tables;
mod text;
mod values;
mod whole;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

fn main() -> ExitCode {
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
