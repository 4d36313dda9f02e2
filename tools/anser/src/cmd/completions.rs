//! `anser completions`: completion scripts for shells.

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use crate::args::one_of;
use crate::cli::Cli;
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
    #[arg(
        value_parser = one_of([
            (Shell::Bash, "bash", Some("bash")),
            (Shell::Zsh, "zsh", Some("zsh")),
            (Shell::Fish, "fish", Some("fish")),
            (Shell::Elvish, "elvish", Some("elvish")),
            (Shell::PowerShell, "powershell", Some("PowerShell")),
        ])
    )]
    shell: Shell,
}

impl CompletionsArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut script = Vec::new();
        generate(self.shell, &mut Cli::command(), "anser", &mut script);
        print(&String::from_utf8_lossy(&script))
    }
}
