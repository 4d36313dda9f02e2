//! The commands, one file each.

pub(crate) mod batch;
pub(crate) mod census;
pub(crate) mod completions;
pub(crate) mod count;
pub(crate) mod export;
#[cfg(feature = "fetch")]
pub(crate) mod fetch;
pub(crate) mod foxbox;
pub(crate) mod fuzz;
pub(crate) mod games;
#[cfg(feature = "learn")]
pub(crate) mod grade;
pub(crate) mod hardest;
pub(crate) mod info;
#[cfg(feature = "learn")]
pub(crate) mod learn;
pub(crate) mod line;
pub(crate) mod man;
pub(crate) mod opposite;
pub(crate) mod pack;
pub(crate) mod play;
pub(crate) mod policy;
pub(crate) mod probe;
pub(crate) mod reproduce;
pub(crate) mod rules;
#[cfg(all(feature = "server", unix))]
pub(crate) mod serve;
#[cfg(all(feature = "server", unix))]
pub(crate) mod site;
pub(crate) mod solve;
pub(crate) mod stats;
pub(crate) mod study;
pub(crate) mod verify;
pub(crate) mod zugzwang;

use clap::CommandFactory;

use crate::cli::{Cli, Command};
use crate::failure::Failure;

/// Runs a command.
pub(crate) fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Solve(args) => args.run(),
        Command::Probe(args) => args.run(),
        Command::Line(args) => args.run(),
        Command::Stats(args) => args.run(),
        Command::Verify(args) => args.run(),
        Command::Pack(args) => args.run(),
        Command::Unpack(args) => args.run(),
        Command::Info(args) => args.run(),
        Command::Count(args) => args.run(),
        Command::FoxBox(args) => args.run(),
        Command::Census(args) => args.run(),
        Command::Opposite(args) => args.run(),
        Command::Zugzwang(args) => args.run(),
        Command::Hardest(args) => args.run(),
        Command::Fuzz(args) => args.run(),
        Command::Policy(args) => args.run(),
        Command::Study(args) => args.run(),
        Command::Play(args) => args.run(),
        #[cfg(feature = "learn")]
        Command::Learn(args) => args.run(),
        #[cfg(feature = "learn")]
        Command::Grade(args) => args.run(),
        Command::Reproduce(args) => args.run(),
        Command::Export(args) => args.run(),
        #[cfg(all(feature = "server", unix))]
        Command::Serve(args) => args.run(),
        #[cfg(all(feature = "server", unix))]
        Command::Site(args) => args.run(),
        #[cfg(feature = "fetch")]
        Command::Fetch(args) => args.run(),
        #[cfg(not(feature = "fetch"))]
        Command::Fetch(_) => Err(Failure::usage("this build of anser has no `fetch`")
            .advice("build it with `cargo build --release -p anser --features fetch`")),
        Command::Games(args) => args.run(),
        Command::Rules(args) => args.run(),
        Command::Completions(args) => args.run(Cli::command()),
        Command::Man(args) => args.run(Cli::command()),
    }
}
