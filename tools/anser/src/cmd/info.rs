//! `anser info`: the contents of a table's header, or of a directory of tables.

mod directory;
mod file;

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::failure::Failure;

const AFTER: &str = "\
For a file, shows its header and its entry in the manifest beside it. For a directory, lists \
every game and rule set with the layers found, the missing layers and the command that solves \
them, the files of unfinished layers, and the files that cannot be used, with the reason.

Examples:
  anser info tables
  anser info tables/fox-geese.free.L04.wdl.anser --json";

/// Describe a table, or a directory of tables
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct InfoArgs {
    /// Table, or directory of tables
    #[arg(value_name = "FILE|DIR", value_hint = ValueHint::AnyPath)]
    path: PathBuf,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

impl InfoArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        if self.path.is_dir() {
            directory::run(&self.path, self.json)
        } else {
            file::run(&self.path, self.json)
        }
    }
}
