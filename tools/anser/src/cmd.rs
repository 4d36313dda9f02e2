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

use clap::Subcommand;

use crate::failure::Failure;

/// Defines the commands of a list, in the order of `anser help`.
macro_rules! commands {
    ($($(#[cfg($built:meta)])? $name:ident($args:ty),)*) => {
        #[derive(Subcommand, Debug)]
        pub(crate) enum Command {
            $($(#[cfg($built)])? $name($args),)*
        }

        /// Runs a command.
        pub(crate) fn run(command: Command) -> Result<(), Failure> {
            match command {
                $($(#[cfg($built)])? Command::$name(args) => args.run(),)*
            }
        }
    };
}

commands! {
    Solve(solve::SolveArgs),
    Probe(probe::ProbeArgs),
    Line(line::LineArgs),
    Stats(stats::StatsArgs),
    Verify(verify::VerifyArgs),
    Pack(pack::PackArgs),
    Unpack(pack::UnpackArgs),
    Info(info::InfoArgs),
    Count(count::CountArgs),
    Foxbox(foxbox::FoxBoxArgs),
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
    #[cfg(not(feature = "learn"))]
    Learn(NotBuilt),
    #[cfg(not(feature = "learn"))]
    Grade(NotBuilt),
    Reproduce(reproduce::ReproduceArgs),
    Export(export::ExportArgs),
    #[cfg(all(feature = "server", unix))]
    Serve(serve::ServeArgs),
    #[cfg(all(feature = "server", unix))]
    Site(site::SiteArgs),
    #[cfg(feature = "fetch")]
    Fetch(fetch::FetchArgs),
    #[cfg(not(feature = "fetch"))]
    Fetch(NotBuilt),
    Games(games::GamesArgs),
    Rules(rules::RulesArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// Not in this build
#[cfg(not(all(feature = "fetch", feature = "learn")))]
#[derive(clap::Args, Debug)]
#[command(hide = true, disable_help_flag = true)]
pub(crate) struct NotBuilt {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

#[cfg(not(all(feature = "fetch", feature = "learn")))]
impl NotBuilt {
    #[expect(clippy::unused_self, reason = "every command has this method")]
    fn run(&self) -> Result<(), Failure> {
        Err(Failure::usage("this build of anser lacks this command")
            .advice("build it with `cargo build --release -p anser --features fetch,learn`"))
    }
}
