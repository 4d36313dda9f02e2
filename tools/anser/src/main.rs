//! `anser`, the command line of Anser: solves hunt games layer by layer into table files and answers any position from
//! them. This package is the only place that knows about terminals.

#![allow(clippy::format_push_string, reason = "texts here are a screen long and written once")]

mod args;
mod asking;
mod cli;
mod cmd;
mod failure;
mod games;
mod json;
mod look;
mod output;
mod paper;
mod plot;
mod progress;
mod shelf;
mod shipped;
mod tables;
mod text;
mod values;
mod whole;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match cli::Cli::try_parse() {
        Ok(cli) => {
            look::decide(cli.ascii);
            match cmd::run(cli.command) {
                Ok(()) => ExitCode::SUCCESS,
                Err(failure) => failure.report(),
            }
        }
        Err(error) => {
            if error.use_stderr() {
                let _ = write!(std::io::stderr(), "anser: ");
            }
            // Help and version go to standard output, which somebody may have closed; that is no failure.
            let _ = error.print();
            u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
        }
    }
}
