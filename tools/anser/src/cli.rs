//! The command line: global options and the list of commands. Each command's arguments are in its
//! own file.

use clap::{Parser, Subcommand};

#[cfg(feature = "fetch")]
use crate::cmd::fetch::FetchArgs;
use crate::cmd::{
    census::CensusArgs, completions::CompletionsArgs, count::CountArgs, export::ExportArgs,
    foxbox::FoxBoxArgs, fuzz::FuzzArgs, games::GamesArgs, hardest::HardestArgs, info::InfoArgs,
    line::LineArgs, man::ManArgs, opposite::OppositeArgs, pack::PackArgs, pack::UnpackArgs,
    play::PlayArgs, policy::PolicyArgs, probe::ProbeArgs, reproduce::ReproduceArgs,
    rules::RulesArgs, solve::SolveArgs, stats::StatsArgs, study::StudyArgs, verify::VerifyArgs,
    zugzwang::ZugzwangArgs,
};
#[cfg(feature = "learn")]
use crate::cmd::{grade::GradeArgs, learn::LearnArgs};
#[cfg(all(feature = "server", unix))]
use crate::cmd::{serve::ServeArgs, site::SiteArgs};

const AFTER: &str = "\
Examples:
  Show who wins a position with best play, and by which moves:
    anser probe '3/3/7/3F3/2ggg2/1g1/1g1 f'
  Solve Fox-and-Geese with up to 8 geese into ./tables:
    anser solve --layers 1-8
  Count wins and draws in every layer that has a table:
    anser stats
  List the tables, the missing layers, and the commands that make them:
    anser info tables

Results go to standard output, progress and notes to standard error.

Exit status:
  0    answered, also if the reader of the output closes it early
  1    the answer is not available: no table of that layer
  2    wrong usage, or a malformed position
  3    a table is corrupt or fails verification, or a published figure is not reproduced
  4    input or output failed
  130  interrupted; `anser solve` and `anser fetch` resume, other commands start over

Environment:
  ANSER_TABLES  directories of tables, separated as in PATH; --tables replaces them
  ANSER_FZSTD   package that `anser site` takes instead of fetching it; --fzstd replaces it
  NO_COLOR      no colors, and plain boards
  TERM, LC_ALL, LC_CTYPE, LANG
                a dumb terminal or a locale without UTF-8 selects ASCII, as --ascii does
  COLUMNS       characters per line [default: width of the terminal]";

/// Solves Fox-and-Geese completely, and answers any position
///
/// anser solves hunt games layer by layer into table files. It answers any position from these
/// files: who wins with best play, and by which moves.
#[derive(Parser, Debug)]
#[command(
    name = "anser",
    version = env!("ANSER_VERSION"),
    max_term_width = 100,
    after_help = AFTER,
    subcommand_required = true
)]
pub(crate) struct Cli {
    /// Draw boards and plots with ASCII characters only
    #[arg(long, global = true)]
    pub(crate) ascii: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Solve(SolveArgs),
    Probe(ProbeArgs),
    Line(LineArgs),
    Stats(StatsArgs),
    Verify(VerifyArgs),
    Pack(PackArgs),
    Unpack(UnpackArgs),
    Info(InfoArgs),
    Count(CountArgs),
    #[command(name = "foxbox")]
    FoxBox(FoxBoxArgs),
    Census(CensusArgs),
    Opposite(OppositeArgs),
    Zugzwang(ZugzwangArgs),
    Hardest(HardestArgs),
    Fuzz(FuzzArgs),
    Policy(PolicyArgs),
    Study(StudyArgs),
    Play(PlayArgs),
    #[cfg(feature = "learn")]
    Learn(LearnArgs),
    #[cfg(feature = "learn")]
    Grade(GradeArgs),
    Reproduce(ReproduceArgs),
    Export(ExportArgs),
    #[cfg(all(feature = "server", unix))]
    Serve(ServeArgs),
    #[cfg(all(feature = "server", unix))]
    Site(SiteArgs),
    #[cfg(feature = "fetch")]
    Fetch(FetchArgs),
    /// Fetch tables (not in this build)
    #[cfg(not(feature = "fetch"))]
    #[command(hide = true, disable_help_flag = true)]
    Fetch(NotBuilt),
    Games(GamesArgs),
    Rules(RulesArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Arguments of a command that this build does not have.
#[cfg(not(feature = "fetch"))]
#[derive(clap::Args, Debug)]
pub(crate) struct NotBuilt {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}
