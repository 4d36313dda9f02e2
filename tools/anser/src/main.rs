//! `anser`, the command line of Anser.

use std::process::ExitCode;

use anser_games::Registry;

fn main() -> ExitCode {
    anser::main(Registry::standard())
}
