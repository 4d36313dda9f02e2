//! `anser info`: the contents of a table's header, or of directories of tables.

mod directory;
mod file;

use std::path::PathBuf;

use anser_games::shell_word;
use clap::{Args, ValueHint};

use crate::failure::Failure;

const AFTER: &str = "\
For a file, shows its header and its entry in the manifest beside it. For a directory, lists \
every game and rule set with the layers found, the missing layers and the command that solves \
them, the files of unfinished layers, and the files that cannot be used, with the reason.

Several directories, for example those of several jobs, are described together: a layer is missing \
if none of them has it, and of a table in several of them the first one counts. `anser pack` merges \
them.

Examples:
  anser info tables
  anser info shards/*
  anser info tables/fox-geese.free.L04.wdl.anser --json";

/// Describe a table, or directories of tables
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct InfoArgs {
    /// Table, or one or more directories of tables
    #[arg(value_name = "FILE|DIR", required = true, value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

impl InfoArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let file = self.paths.iter().find(|path| path.exists() && !path.is_dir());
        match (&self.paths[..], file) {
            ([path], _) if !path.is_dir() => file::run(path, self.json),
            (paths, None) => directory::run(paths, self.json),
            (_, Some(file)) => Err(Failure::usage(format_args!(
                "{} is not a directory, and only directories are described together",
                file.display()
            ))
            .advice(format_args!("`anser info {}` describes the file", shell_word(file)))),
        }
    }
}
