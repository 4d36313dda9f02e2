//! The sessions on the pages are real: every command in them runs, and prints the output shown.
//!
//! Blocks marked `console` of the README and of the pages that `docs/README.md` lists are run from
//! top to bottom in one new directory, which has `data`, with standard output and standard error
//! together; those marked `console learn` or `console fetch` too, with that feature, and those marked
//! `console fzstd` where `ANSER_FZSTD` names the package of the decoder. Seconds, and free memory and
//! disk, may differ.
//! `ANSER_PAGES=update cargo test -p anser --features learn,fetch --test pages` writes the output into
//! the pages.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Returns the README and the pages of `docs`, in the order of their table of contents.
fn pages() -> Vec<PathBuf> {
    let docs = root().join("docs");
    let contents = std::fs::read_to_string(docs.join("README.md")).unwrap();
    let links = contents.split("](").skip(1).filter_map(|link| link.split(')').next());
    let is_page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    let listed = links.map(|link| docs.join(link)).filter(is_page);
    let pages: Vec<_> =
        [root().join("README.md"), docs.join("README.md")].into_iter().chain(listed).collect();
    for entry in std::fs::read_dir(&docs).unwrap() {
        let page = entry.unwrap().path();
        let is_listed = !is_page(&page) || pages.contains(&page);
        assert!(is_listed, "docs/README.md does not list {}", page.display());
    }
    pages
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

/// Runs the commands of a page in a directory. Returns the number of commands, the page with the
/// output that they print, and the differences.
fn run_page(page: &Path, dir: &Path) -> (u32, String, String) {
    let written = std::fs::read_to_string(page).unwrap();
    let (mut commands, mut real, mut differences) = (0, String::new(), String::new());
    let mut lines = written.lines().peekable();
    while let Some(line) = lines.next() {
        writeln!(real, "{line}").unwrap();
        let is_run = line == "```console"
            || cfg!(feature = "learn") && line == "```console learn"
            || cfg!(feature = "fetch") && line == "```console fetch"
            || std::env::var_os("ANSER_FZSTD").is_some() && line == "```console fzstd";
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
            let printed = without_progress(&run(command, dir));
            commands += 1;
            if normal(&printed) != normal(&shown) {
                let page = page.display();
                writeln!(differences, "$ {command}\n-- printed\n{printed}-- in {page}\n{shown}")
                    .unwrap();
            }
            // A blank line before the next command is layout.
            writeln!(real, "$ {command}\n{}", printed.trim_end()).unwrap();
        }
    }
    (commands, real, differences)
}

#[test]
fn the_sessions_on_the_pages_are_real() {
    let update = std::env::var("ANSER_PAGES").as_deref() == Ok("update");
    // An updated page always agrees.
    assert!(
        !update || std::env::var("CI").as_deref() != Ok("true"),
        "ANSER_PAGES=update is refused under CI=true"
    );
    let dir = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root().join("data"), dir.path().join("data")).unwrap();
    let (mut commands, mut differences) = (0, String::new());
    for page in pages() {
        let (run, real, differ) = run_page(&page, dir.path());
        commands += run;
        if update && run > 0 {
            std::fs::write(page, real).unwrap();
        } else {
            differences += &differ;
        }
    }
    assert!(commands >= 20, "the pages show {commands} commands");
    assert!(differences.is_empty(), "{differences}");
}
