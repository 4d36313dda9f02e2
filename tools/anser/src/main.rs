//! The `anser` program: the command line for the games of the workspace.

use std::process::ExitCode;

use anser_games::Registry;

fn main() -> ExitCode {
    anser::main(Registry::standard())
}
