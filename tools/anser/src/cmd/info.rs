//! `anser info`: what a table is, or what lies in a directory.

mod directory;
mod file;

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::failure::Failure;

const AFTER: &str = "\
Of a file: everything its header says, and what the manifest beside it knows. Of a directory: every \
game and rule set, the layers that are there and those that are missing with the command that makes them, files of \
unfinished layers, and files that cannot be used with the reason.

Examples:
  anser info tables
  anser info tables/fox-geese.free.L04.wdl.anser --json";

/// Say what a table is, or what lies in a directory
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct InfoArgs {
    /// A table, or a directory of tables
    #[arg(value_name = "FILE|DIR", value_hint = ValueHint::AnyPath)]
    path: PathBuf,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

impl InfoArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        if self.path.is_dir() { directory::run(&self.path, self.json) } else { file::run(&self.path, self.json) }
    }
}
