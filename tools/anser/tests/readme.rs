//! The session in the README is real: every command in it runs, and prints the output shown.
//!
//! Blocks marked `console` are run from top to bottom in one new directory, with standard output
//! and standard error together; those marked `console learn` too, with the feature `learn`. Seconds,
//! and free memory and disk, may differ. `ANSER_README=update cargo test -p anser --features learn
//! --test readme` writes the output into the README.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn readme() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")
}

/// Runs a command line in a shell; returns both streams, as a terminal shows them.
fn run(command: &str, dir: &Path) -> String {
    let bin = Path::new(env!("CARGO_BIN_EXE_anser")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("bash")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(dir)
        .env("PATH", path)
        .env_remove("ANSER_TABLES")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Returns an output without what may differ: numbers before units of time, the lines of the plan
/// about this machine, and the width of columns.
fn normal(output: &str) -> String {
    let mut text = String::new();
    for line in output.lines() {
        let volatile = ["time ", "memory ", "disk "].iter().find(|start| line.starts_with(**start));
        if let Some(start) = volatile {
            writeln!(text, "{start}...").unwrap();
            continue;
        }
        // Times in the offer to solve missing tables.
        let mut parts = line.split(" about ");
        let mut line = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let after = part.split_once(" of disk").map_or(part, |(_, after)| after);
            write!(line, " about {after}").unwrap();
        }
        let mut words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        for at in 0..words.len() {
            let unit = words
                .get(at + 1)
                .is_some_and(|next| ["s", "s,", "min", "h"].contains(&next.as_str()));
            let clock =
                words[at].len() == 8 && words[at].chars().filter(|&c| c == ':').count() == 2;
            if (unit && words[at].parse::<f64>().is_ok()) || clock {
                words[at] = "T".into();
            }
        }
        writeln!(text, "{}", words.join(" ")).unwrap();
    }
    text
}

/// Returns an output without the lines of progress, whose number depends on the machine.
fn without_progress(output: &str) -> String {
    output
        .lines()
        .filter(|line| !line.ends_with(" resident"))
        .fold(String::new(), |text, line| text + line + "\n")
}

#[test]
fn the_session_in_the_readme_is_real() {
    let written = std::fs::read_to_string(readme()).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let (mut real, mut differences, mut commands) = (String::new(), String::new(), 0);
    let mut lines = written.lines().peekable();
    while let Some(line) = lines.next() {
        writeln!(real, "{line}").unwrap();
        let is_run = line == "```console" || cfg!(feature = "learn") && line == "```console learn";
        if !is_run {
            continue;
        }
        while let Some(line) = lines.next_if(|line| *line != "```") {
            let command =
                line.strip_prefix("$ ").unwrap_or_else(|| panic!("{line:?} is not a command"));
            let mut shown = String::new();
            while let Some(line) = lines.next_if(|line| *line != "```" && !line.starts_with("$ ")) {
                writeln!(shown, "{line}").unwrap();
            }
            let printed = without_progress(&run(command, dir.path()));
            commands += 1;
            if normal(&printed) != normal(&shown) {
                writeln!(
                    differences,
                    "$ {command}\n-- printed\n{printed}-- in the README\n{shown}"
                )
                .unwrap();
            }
            // A blank line before the next command is layout.
            writeln!(real, "$ {command}\n{}", printed.trim_end()).unwrap();
        }
    }
    if std::env::var("ANSER_README").as_deref() == Ok("update") {
        // An updated README always agrees.
        assert!(
            std::env::var("CI").as_deref() != Ok("true"),
            "ANSER_README=update is refused under CI=true"
        );
        std::fs::write(readme(), real).unwrap();
        return;
    }
    assert!(commands >= 8, "the README shows {commands} commands");
    assert!(differences.is_empty(), "{differences}");
}
