//! The commands. The arguments of each are in its own file.

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

use clap::{CommandFactory, Subcommand};

use crate::cli::Cli;
use crate::failure::Failure;

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Solve(solve::SolveArgs),
    Probe(probe::ProbeArgs),
    Line(line::LineArgs),
    Stats(stats::StatsArgs),
    Verify(verify::VerifyArgs),
    Pack(pack::PackArgs),
    Unpack(pack::UnpackArgs),
    Info(info::InfoArgs),
    Count(count::CountArgs),
    #[command(name = "foxbox")]
    FoxBox(foxbox::FoxBoxArgs),
    Census(census::CensusArgs),
    Opposite(opposite::OppositeArgs),
    Zugzwang(zugzwang::ZugzwangArgs),
    Hardest(hardest::HardestArgs),
    Fuzz(fuzz::FuzzArgs),
    Policy(policy::PolicyArgs),
    Study(study::StudyArgs),
    Play(play::PlayArgs),
    #[cfg(feature = "learn")]
    Learn(learn::LearnArgs),
    #[cfg(feature = "learn")]
    Grade(grade::GradeArgs),
    Reproduce(reproduce::ReproduceArgs),
    Export(export::ExportArgs),
    #[cfg(all(feature = "server", unix))]
    Serve(serve::ServeArgs),
    #[cfg(all(feature = "server", unix))]
    Site(site::SiteArgs),
    #[cfg(feature = "fetch")]
    Fetch(fetch::FetchArgs),
    /// Fetch tables (not in this build)
    #[cfg(not(feature = "fetch"))]
    #[command(hide = true, disable_help_flag = true)]
    Fetch(NotBuilt),
    Games(games::GamesArgs),
    Rules(rules::RulesArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// Arguments of a command that this build does not have.
#[cfg(not(feature = "fetch"))]
#[derive(clap::Args, Debug)]
pub(crate) struct NotBuilt {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

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
