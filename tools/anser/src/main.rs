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
mod offer;
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

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

fn main() -> ExitCode {
    failure::follow(std::env::args_os());
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
