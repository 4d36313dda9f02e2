//! `anser completions`: completion scripts for shells.

use clap::{Args, Command, ValueEnum};
use clap_complete::{generate, shells};

use crate::failure::Failure;
use crate::output::print;

const AFTER: &str = "\
Examples:
  anser completions bash > ~/.local/share/bash-completion/completions/anser
  anser completions zsh > ~/.zfunc/_anser
  anser completions fish > ~/.config/fish/completions/anser.fish";

/// Print the completion script of a shell
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct CompletionsArgs {
    /// Shell
    shell: Shell,
}

/// Shell with a completion script for `anser`.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Shell {
    /// bash
    Bash,
    /// zsh
    Zsh,
    /// fish
    Fish,
    /// elvish
    Elvish,
    /// PowerShell
    Powershell,
}

impl CompletionsArgs {
    /// Prints the script for the command line `command`.
    pub(crate) fn run(&self, mut command: Command) -> Result<(), Failure> {
        let mut script = Vec::new();
        match self.shell {
            Shell::Bash => generate(shells::Bash, &mut command, "anser", &mut script),
            Shell::Zsh => generate(shells::Zsh, &mut command, "anser", &mut script),
            Shell::Fish => generate(shells::Fish, &mut command, "anser", &mut script),
            Shell::Elvish => generate(shells::Elvish, &mut command, "anser", &mut script),
            Shell::Powershell => generate(shells::PowerShell, &mut command, "anser", &mut script),
        }
        print(&String::from_utf8_lossy(&script))
    }
}
