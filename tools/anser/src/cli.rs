//! The command line: its global options.

use clap::Parser;

use crate::cmd::Command;

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

/// Solves hunt games completely, and answers any position
///
/// anser solves hunt games, such as Fox-and-Geese, layer by layer into table files, small ones at
/// once in memory. It answers any position: who wins with best play, and by which moves. `anser games`
/// lists the games.
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
