//! Commands for checks of the workspace: `cargo run -p anser-checks -- api` and others.

use std::path::Path;
use std::process::ExitCode;

use anser_checks::{api, dependencies, workspace};

const USAGE: &str = "usage: cargo run -p anser-checks -- COMMAND
  api             compares the names of public items of every published library with docs/api
  api --update    writes docs/api
  dependencies    checks licenses, bans, and sources of all dependencies against deny.toml
  packages        lists the packages that are published, dependencies first";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let root = Path::new(".");
    let result = match args[..] {
        ["api"] => api::compare(root),
        ["api", "--update"] => api::update(root),
        ["dependencies"] => dependencies::check(root),
        ["packages"] => workspace::published(root).map(|packages| {
            packages.iter().flat_map(|package| [package.name.as_str(), "\n"]).collect()
        }),
        _ => Err(USAGE.into()),
    };
    match result {
        Ok(report) => {
            print!("{report}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}
