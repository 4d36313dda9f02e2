//! `anser man`: the manual pages.

use std::path::PathBuf;

use clap::{Args, CommandFactory};

use crate::cli::Cli;
use crate::failure::Failure;
use crate::output::print;

const AFTER: &str = "\
Examples:
  anser man | man -l -                    read the main page
  anser man --out ~/.local/share/man/man1 install all pages";

/// Print the manual page, or write those of all commands
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct ManArgs {
    /// The directory to write the pages of all commands to; created where it is missing
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl ManArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        if let Some(dir) = &self.out {
            let written = std::fs::create_dir_all(dir).and_then(|()| clap_mangen::generate_to(Cli::command(), dir));
            return written
                .map_err(|error| Failure::io(format!("{}: writing the pages failed: {error}", dir.display())));
        }
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut page).map_err(|error| Failure::output(&error))?;
        print(&String::from_utf8_lossy(&page))
    }
}
