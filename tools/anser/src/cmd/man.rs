//! `anser man`: the manual pages.

use std::fs;
use std::io;
use std::path::PathBuf;

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Args, Command, CommandFactory, ValueHint};
use clap_mangen::Man;
use roff::{Inline, Roff, bold, italic, roman};

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
    /// Directory to write the pages of all commands to; created if missing
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
}

impl ManArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut root = Cli::command();
        root.build();
        let Some(dir) = &self.out else {
            let page = page(&root, &root).map_err(|error| Failure::output(&error))?;
            return print(&page);
        };
        let written = fs::create_dir_all(dir).and_then(|()| {
            commands(&root).try_for_each(|command| {
                fs::write(dir.join(format!("{}.1", name(command))), page(&root, command)?)
            })
        });
        written.map_err(|error| {
            Failure::of_file(
                format!("{}: writing the pages failed: {error}", dir.display()),
                &error,
            )
        })
    }
}

/// The program and its commands.
fn commands(root: &Command) -> impl Iterator<Item = &Command> {
    [root].into_iter().chain(
        root.get_subcommands()
            .filter(|command| command.get_name() != "help" && !command.is_hide_set()),
    )
}

/// A help text, empty if there is none.
fn text(help: Option<&StyledStr>) -> String {
    help.map(ToString::to_string).unwrap_or_default()
}

/// Name of a page: `anser`, `anser-probe`.
fn name(command: &Command) -> &str {
    command.get_display_name().unwrap_or(command.get_name())
}

/// Page of a command.
fn page(root: &Command, command: &Command) -> io::Result<String> {
    let is_root = command.get_name() == root.get_name();
    let version = format!("anser {}", root.get_version().unwrap_or_default());
    // No date, so that the pages are reproducible.
    let title = format!(".TH {} 1 \"\" \"{version}\" \"Anser manual\"\n", name(command));
    let mut head = Roff::new();
    let about = text(command.get_about());
    section(&mut head, "NAME").text([roman(format!("{} - {about}", name(command)))]);
    section(&mut head, "SYNOPSIS").text(synopsis(command));
    let (about, sections) = parts(command);
    paragraphs(section(&mut head, "DESCRIPTION"), &about);
    let mut page = (title + &head.to_roff()).into_bytes();
    Man::new(command.clone()).render_options_section(&mut page)?;
    let mut tail = Roff::new();
    if is_root {
        let commands = section(&mut tail, "COMMANDS");
        for command in self::commands(root).skip(1) {
            commands
                .control("TP", [])
                .text([bold(format!("{}(1)", name(command)))])
                .text([roman(text(command.get_about()))]);
        }
    }
    for (title, text) in &sections {
        paragraphs(section(&mut tail, &title.to_uppercase()), text);
    }
    if !is_root {
        let exit = "0 if answered, 1 if the answer is not available, 2 for wrong usage or a \
                    malformed position, 3 if a table is damaged, 4 if input or output failed, 130 \
                    after an interrupt; anser(1) has the details.";
        section(&mut tail, "EXIT STATUS").text([roman(exit)]);
        let environment =
            "ANSER_TABLES is a path list of directories of tables; NO_COLOR turns colors off.";
        section(&mut tail, "ENVIRONMENT").text([roman(environment)]);
    }
    let others = self::commands(root).filter(|other| name(other) != name(command));
    let others: Vec<String> = others.map(|other| format!("{}(1)", name(other))).collect();
    section(&mut tail, "SEE ALSO").text([roman(others.join(", "))]);
    page.extend_from_slice(tail.to_roff().as_bytes());
    Ok(String::from_utf8_lossy(&page).into_owned())
}

fn section<'a>(page: &'a mut Roff, title: &str) -> &'a mut Roff {
    page.control("SH", [title])
}

/// Synopsis of a command: the options with their values, then the positional arguments.
fn synopsis(command: &Command) -> Vec<Inline> {
    let mut line = vec![bold(name(command).replace('-', " "))];
    let shown = |arg: &&Arg| {
        let is_builtin = matches!(
            arg.get_action(),
            ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version
        );
        !is_builtin && !arg.is_hide_set()
    };
    let (positional, options): (Vec<&Arg>, Vec<&Arg>) =
        command.get_arguments().filter(shown).partition(|arg| arg.is_positional());
    for arg in options.into_iter().chain(positional) {
        let (open, close) = if arg.is_required_set() { (" ", "") } else { (" [", "]") };
        line.push(roman(open));
        if let Some(long) = arg.get_long() {
            line.push(bold(format!("--{long}")));
        }
        let takes_values = arg.get_num_args().is_some_and(|count| count.takes_values());
        if let Some(values) = arg.get_value_names().filter(|_| takes_values) {
            let gap = if arg.is_positional() { "" } else { " " };
            line.extend([
                roman(gap),
                italic(values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")),
            ]);
        }
        line.push(roman(close));
    }
    if command.get_subcommands().next().is_some() {
        line.extend([roman(" "), italic("COMMAND"), roman(" ...")]);
    }
    line
}

/// Description of a command, and the sections of the text after its options. A section starts with
/// a line that ends in a colon.
fn parts(command: &Command) -> (String, Vec<(String, String)>) {
    let mut description = text(command.get_long_about().or(command.get_about())) + "\n";
    let mut sections: Vec<(String, String)> = Vec::new();
    for line in text(command.get_after_help()).lines() {
        let title = line.strip_suffix(':').filter(|title| {
            title.starts_with(char::is_uppercase)
                && title.chars().all(|c| c.is_alphabetic() || c == ' ')
        });
        if let Some(title) = title {
            sections.push((title.to_owned(), String::new()));
        } else {
            let text = sections.last_mut().map_or(&mut description, |(_, text)| text);
            text.push('\n');
            text.push_str(line);
        }
    }
    (description, sections)
}

/// Writes the paragraphs of a text; indented lines are not filled.
fn paragraphs(page: &mut Roff, text: &str) {
    let mut is_example = false;
    for line in text.lines() {
        let indented = line.starts_with("  ");
        if indented != is_example && !line.is_empty() {
            page.control(if indented { "EX" } else { "EE" }, []);
            is_example = indented;
        }
        match line {
            "" if !is_example => {
                page.control("PP", []);
            }
            line => {
                page.text([roman(line)]);
            }
        }
    }
    if is_example {
        page.control("EE", []);
    }
}
