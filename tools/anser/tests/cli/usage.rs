//! Malformed positions and wrong usage: exit status 2, and an error with the problem and its place.

use std::path::Path;

use tempfile::TempDir;

use crate::support::{Ran, anser, probe, tables};

#[test]
fn a_malformed_position_is_reported_with_its_column_and_an_example() {
    let too_many = "ggg/ggg/ggggggg/gggFggg/ggggggg/ggg/ggg f";
    let overlong = "3/3/7/3F3/ggggggg/ggg/ggg f ".repeat(1000);
    for (position, says) in [
        ("3/3/7/3F3/gggggg/ggg/ggg f", "row 3 has 7 points, only 6 are given"),
        ("3/3/7/3F3/gggggggg/ggg/ggg f", "row 3 has more than 7 points"),
        ("4/3/7/3F3/ggggggg/ggg/ggg f", "row 7 has more than 3 points"),
        ("3/3/7/3F3/ggggggg/ggg f", "row 1 is missing"),
        ("3/3/7/3F3/ggggggg/ggg/ggg/3 f", "only 7 rows"),
        ("3/3/7/3F3/3F3/ggg/ggg f", "a second fox, the first is on d4"),
        ("3/3/7/7/ggggggg/ggg/ggg f", "no fox"),
        ("3/3/7/3F3/7/3/3 f", "no goose"),
        (too_many, "32 geese"),
        ("3/3/7/3F3/ggggggg/ggg/ggg x", "no side to move"),
        ("3/3/7/3F3/ggggggg/ggg/ggg F", "no side to move"),
        ("3/3/7/3F3/ggggggg/ggg/ggg", "the side to move is missing"),
        ("3/3/7/3F3/ggggggg/ggg/ggg ", "the side to move is missing"),
        (&overlong, "follows where the position is complete"),
        ("", "row 7 has 3 points, only 0 are given"),
        ("3/3/7/3F3/gänsegg/ggg/ggg f", "'ä' is none of"),
        ("３/3/7/3F3/ggggggg/ggg/ggg f", "is none of"),
        ("\u{1b}[31m", "is none of"),
        ("3/3/7/3f3/ggggggg/ggg/ggg f", "a fox is written F; f is a side to move"),
        ("3/3/7/3F3/GGGGGGG/ggg/ggg f", "a goose is written g"),
    ] {
        let ran = probe(position, tables(), &[]);
        ran.fails_in_a_line(
            2,
            &["error: this is not a position: column ", says, "a right one looks like"],
        );
        assert!(
            !ran.err.contains('\u{1b}'),
            "control characters of the input are not written to the terminal"
        );
    }
}

#[test]
fn wrong_usage_has_exit_status_2_and_a_reason() {
    for (words, says) in [
        (&["probe"][..], "required"),
        (&["probe", "a", "b", "c"], "no game is called \"a\""),
        (&["probe", "a", "b", "c", "d", "e", "f", "g", "h"], "unexpected"),
        (&["probe", "3/3 f", "--batch", "-"], "cannot be used with"),
        (&["probe", "fox-hounds:8", "--game", "hasenspiel"], "two games are named"),
        (&["probe", "--opening", "13", "3/3 f"], "cannot be used with --opening"),
        (
            &["probe", "fox-hounds:8", "--opening", "13"],
            "fox-hounds has no opening \"13\"; its openings are start",
        ),
        (&["line"], "required"),
        (
            &["probe", "3/3/7/3F3/ggggggg/ggg/ggg f", "--rules", "nope"],
            "no rule set is called \"nope\"",
        ),
        (
            &["probe", "3/3/7/3F3/ggggggg/ggg/ggg f", "--rules", "first-capture+chain"],
            "change nothing",
        ),
        (
            &["probe", "3/3/7/3F3/ggggggg/ggg/ggg f", "--game", "chess"],
            "no game is called \"chess\"; the games are fox-geese",
        ),
        (&["solve", "chess"], "no game is called"),
        (&["probe", "Bagh-Chal"], "no game is called \"Bagh-Chal\"; a similar name is bagh-chal"),
        (&["probe", "kaoa"], "no game is called \"kaoa\"; a similar name is kaooa"),
        (&["rules", "mysore"], "similar names are"),
        (&["probe", "orissa"], "names are orissa-one-tiger, orissa-four-tigers"),
        (&["rules", "chess"], "no game is called"),
        (&["stats", "chess"], "no game is called"),
        (&["solve", "--rules", "nope"], "no rule set is called"),
        (&["solve", "--layers", "x"], "is not a layer number"),
        (&["solve", "--layers", "3-1"], "the lower layer comes first: write 1-3"),
        (&["solve", "--layers", "0-3"], "there is no layer 0: fox-geese has layers 1 to 31"),
        (&["solve", "--layers", "32"], "there is no layer 32"),
        (&["verify", "--layers", "99"], "there is no layer 99"),
        (&["solve", "--memory", "lots"], "8GiB"),
        (&["solve", "--memory", "99999999999999999999GiB"], "this exceeds 2^64 - 1 bytes"),
        (
            &["count", "hexapawn:3x3", "--memory", "99999999999999999999GiB"],
            "this exceeds 2^64 - 1 bytes",
        ),
        (&["solve", "--memory", "0"], "the size must not be 0; write one such as 8GiB"),
        (&["solve", "--memory", "1KiB", "--layers", "4"], "needs"),
        (&["solve", "--metric", "dtm"], "the metrics are wdl (outcomes) and dtw"),
        (&["solve", "--threads", "0"], "--threads <N>': write a whole number, at least 1"),
        (&["solve", "--threads", "-1"], "--threads <N>': write a whole number, at least 1"),
        (&["solve", "--layers", "-3"], "\"-3\" is not a layer number"),
        (&["solve", "--threads", "x"], "--threads <N>': write a whole number, at least 1"),
        (&["solve", "--dry-run", "--ranks", "0"], "write a whole number, at least 1"),
        (&["solve", "--dry-run", "--ranks", "65536"], "this number is too large"),
        (&["play", "--seed", "x"], "--seed <N>': write a whole number"),
        (&["play", "--random-plies", "x"], "--random-plies <N>': write a whole number"),
        (&["hardest", "--list", "x"], "--list <N>': write a whole number"),
        (&["pack", "--out", "x", "--level", "99"], "write a whole number from 1 to 22"),
        (&["serve", "--listen", "x"], "write an address and a port, such as 127.0.0.1:8031"),
        (&["solve", "--tables", "a", "--tables", "b"], "cannot be used multiple times"),
        (&["study", "--plot", "--json"], "'--plot' cannot be used with '--json'"),
        (&["learn", "--json", "--svg", "x.svg"], "cannot be used with"),
        (&["fuzz", "--moves", "0.1", "--svg", "x.svg"], "cannot be used with"),
        (&["fuzz", "--moves", "0.1", "--p", "0.5"], "cannot be used with"),
        (&["probe", "/"], "/ is a file or directory, and its name is not that of a game"),
        (&["study", "--format", "markdown", "--svg", "x.svg"], "cannot be used with"),
        (&["census", "--layers", "4", "--format", "csv", "--plot"], "cannot be used with"),
        (&["pack"], "--out"),
        (&["frobnicate"], "unrecognized subcommand"),
        (
            &["probe", "T3T/5/5/5/T3T g 20 0"],
            "and this is one of bagh-chal, whose name goes before it",
        ),
        (&["line", "hasenspiel", "h2/h3R/h2 h"], "and this is one of hare-hounds or haretavl"),
        (&["play", "kaooa", "--level", "3"], "tip: a level is a style: --style beginner"),
        (&["play", "kaooa", "--level=3"], "tip: a level is a style: --style beginner"),
        (&["serve", "--port", "8080"], "tip: an address has the port: --listen 127.0.0.1:8031"),
        (&["stats", "--csv"], "tip: for CSV write --format csv"),
        (&["rules", "--csv"], "tip: to pass '--csv' as a value"),
        (&["completions", "tcsh"], "possible values"),
        (&[], "Usage"),
    ] {
        let dir = TempDir::new().unwrap();
        let ran = Ran::new(&anser(words).current_dir(dir.path()).output().unwrap());
        assert_eq!(ran.code, 2, "{words:?}: {}", ran.err);
        assert!(ran.err.contains(says), "{words:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{words:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn lost_output_is_a_failure_of_every_command() {
    for words in
        [&["help"][..], &["--help"], &["solve", "--help"], &["--version"], &["games"], &["man"]]
    {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = std::process::Command::new(crate::support::binary())
            .args(words)
            .stdout(full)
            .output()
            .unwrap();
        Ran::new(&output).fails_in_a_line(4, &["writing the output failed"]);
    }
}

#[test]
fn only_one_directory_is_solved_into() {
    let mut command = anser(["solve", "--layers", "1"]);
    let ran = Ran::new(
        &command.env("ANSER_TABLES", std::env::join_paths(["a", "b"]).unwrap()).output().unwrap(),
    );
    ran.fails_in_a_line(2, &["ANSER_TABLES names 2", "--tables"]);
}

#[test]
fn help_has_examples_and_every_exit_status() {
    let help = Ran::new(&anser(["--help"]).output().unwrap());
    for status in ["  0 ", "  1 ", "  2 ", "  3 ", "  4 ", "  130 "] {
        assert!(help.text().contains(status), "{status}");
    }
    let commands = [
        "solve",
        "probe",
        "stats",
        "verify",
        "pack",
        "unpack",
        "info",
        "line",
        "count",
        "census",
        "opposite",
        "zugzwang",
        "hardest",
        "foxbox",
        "fuzz",
        "policy",
        "study",
        "play",
        "reproduce",
        "games",
        "rules",
        "completions",
        "man",
    ];
    for command in commands {
        assert!(help.out.contains(command));
        for option in ["-h", "--help"] {
            let help = Ran::new(&anser([command, option]).output().unwrap());
            assert!(help.text().contains("Examples:"), "{command}");
        }
    }
}

/// Arguments that are no text are errors, whether JSON is requested before or after them.
#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let odd = OsStr::from_bytes(b"\xff.toml");
    for words in [["probe", "--rules"], ["games", ""]] {
        let words = words.into_iter().filter(|word| !word.is_empty());
        let ran = Ran::new(&anser(words.clone()).arg(odd).output().unwrap());
        ran.fails(2, &["UTF-8"]);
        let ran = Ran::new(&anser(words).arg(odd).arg("--json").output().unwrap());
        let error: serde_json::Value = serde_json::from_str(&ran.err).expect("an error in JSON");
        assert_eq!((ran.code, &error["error"]["kind"]), (2, &"usage".into()), "{}", ran.err);
    }
}

#[test]
fn the_version_names_the_commit_of_the_checkout() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let commit = root.join(".git").exists().then(|| {
        let mut git = std::process::Command::new("git");
        let output = git.current_dir(&root).args(["rev-parse", "--short=10", "HEAD"]).output();
        format!(" ({})", String::from_utf8(output.unwrap().stdout).unwrap().trim())
    });
    let expected = format!("anser {}{}\n", env!("CARGO_PKG_VERSION"), commit.unwrap_or_default());
    assert_eq!(Ran::new(&anser(["--version"]).output().unwrap()).text(), expected);
}

#[test]
fn every_command_has_completions_and_a_page() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(
            Ran::new(&anser(["completions", shell]).output().unwrap()).text().contains("unpack")
        );
    }
    assert!(Ran::new(&anser(["man"]).output().unwrap()).text().contains(".TH anser 1"));
    let dir = TempDir::new().unwrap();
    let pages = dir.path().join("man/man1");
    Ran::new(&anser(["man", "--out"]).arg(&pages).output().unwrap()).text();
    assert!(pages.join("anser.1").exists() && pages.join("anser-probe.1").exists());
}

/// Completions that bash offers after these words.
#[cfg(unix)]
fn offered(words: &[&str]) -> Option<String> {
    let script = Ran::new(&anser(["completions", "bash"]).output().unwrap()).text().to_owned();
    let (last, before) = (words.last()?, words.get(words.len().checked_sub(2)?)?);
    // In a file, because the script is longer than an argument may be.
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("completions.bash");
    let ask = format!(
        "{script}\ncompopt() {{ echo \"compopt $*\"; }}\nCOMP_WORDS=({}); COMP_CWORD={}; \
         _anser anser '{last}' '{before}'; echo \"${{COMPREPLY[@]}}\"",
        words.join(" "),
        words.len() - 1
    );
    std::fs::write(&file, ask).unwrap();
    let output = std::process::Command::new("bash").arg("--norc").arg(&file).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
#[cfg(unix)]
fn completions_know_games_rule_sets_openings_and_files() {
    let Some(games) = offered(&["anser", "count", "fox-h"]) else {
        assert!(std::env::var_os("CI").is_none(), "bash is not installed");
        println!("skipped: bash is not installed");
        return;
    };
    assert!(games.contains("fox-hounds:8"), "{games}");
    for command in ["solve", "stats", "rules", "play", "probe"] {
        let games = offered(&["anser", command, "ha"]).unwrap();
        assert!(
            games.contains("hasenspiel") && games.contains("hare-hounds"),
            "{command}: {games}"
        );
    }
    let rules = offered(&["anser", "probe", "--rules", "f"]).unwrap();
    assert!(["free", "forward", "first-capture"].iter().all(|id| rules.contains(id)), "{rules}");
    let openings = offered(&["anser", "line", "--opening", "1"]).unwrap();
    assert!(["13", "15", "17"].iter().all(|name| openings.contains(name)), "{openings}");
    // Directories and files are completed by the shell itself.
    for (words, kind) in [
        (["anser", "verify", "--tables", "x"], "plusdirs"),
        (["anser", "probe", "--batch", "x"], "filenames"),
    ] {
        let files = offered(&words).unwrap();
        assert!(files.contains(&format!("compopt -o {kind}")), "{files}");
    }
}

#[test]
fn manual_pages_have_versions_values_and_sections() {
    let dir = TempDir::new().unwrap();
    Ran::new(&anser(["man", "--out"]).arg(dir.path()).output().unwrap()).text();
    let version = Ran::new(&anser(["--version"]).output().unwrap()).text().trim().to_owned();
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    let mut pages = 0;
    for file in std::fs::read_dir(dir.path()).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let page = read(&name);
        assert!(page.contains(&format!("\"{version}\"")), "{name}: {page}");
        for section in [
            "NAME",
            "SYNOPSIS",
            "DESCRIPTION",
            "OPTIONS",
            "EXAMPLES",
            "EXIT STATUS",
            "ENVIRONMENT",
            "SEE ALSO",
        ] {
            let heading = if section.contains(' ') {
                format!(".SH \"{section}\"")
            } else {
                format!(".SH {section}")
            };
            assert_eq!(
                page.lines().filter(|line| **line == heading).count(),
                1,
                "{name}: {section}"
            );
        }
        assert!(!page.contains(".SH EXTRA"), "{name}");
        pages += 1;
    }
    assert!(pages > 20, "{pages}");
    let probe = read("anser-probe.1");
    assert!(probe.contains(r"\fB\-\-rules\fR \fIID\fR"), "values in the synopsis: {probe}");
    assert!(probe.contains(r"[\fIGAME\fR] [\fIPOSITION\fR]"), "{probe}");
}
