//! Runs `anser`, on tables that are solved once per build: layers 1 to 5 of `free`, and layers 4
//! and 5 of `first-capture`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{self, Child, Output};
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// The command line, without tables of the environment.
pub(crate) fn anser<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(binary());
    command.args(args).env_remove("ANSER_TABLES").env("ANSER_TABLES", "").env("NO_COLOR", "1");
    command
}

/// Path of the program under test.
pub(crate) fn binary() -> &'static str {
    env!("CARGO_BIN_EXE_anser")
}

/// The command line, which the end of the terminal reaches: who runs the tests may ignore it, as
/// `nohup` does.
#[cfg(target_os = "linux")]
pub(crate) fn with_terminal() -> process::Command {
    let mut command = process::Command::new("env");
    command.args(["--default-signal=HUP", binary()]);
    command
}

/// Sends a signal, such as `-INT`, to a process that has not ended.
pub(crate) fn send(signal: &str, to: &Child) {
    let sent = process::Command::new("kill").args([signal, &to.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
}

/// Runs `anser` with words separated by spaces, reading from `tables`.
pub(crate) fn run(words: &str, tables: &Path) -> Ran {
    let mut command = anser(words.split(' '));
    Ran::new(&command.arg("--tables").arg(tables).output().expect("anser runs"))
}

/// Result of a run.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn new(output: &Output) -> Ran {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("output is UTF-8");
        let code = output.status.code().expect("no signal ends anser");
        Ran { code, out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// Asserts an error with this status and these parts, without debug output.
    #[track_caller]
    pub(crate) fn fails(&self, code: i32, says: &[&str]) {
        assert_eq!(self.code, code, "{}", self.err);
        assert!(self.err.starts_with("anser: "), "{}", self.err);
        for part in says {
            assert!(self.err.contains(part), "{part:?} is not in {:?}", self.err);
        }
        for debug in ["Os {", "Error(", "Some(", "panicked", "RUST_BACKTRACE"] {
            assert!(!self.err.contains(debug), "debug output: {}", self.err);
        }
    }

    /// As [`Ran::fails`], with empty standard output and one line on standard error.
    #[track_caller]
    pub(crate) fn fails_in_a_line(&self, code: i32, says: &[&str]) {
        self.fails(code, says);
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        assert_eq!(self.out, "");
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.code, 0, "{}", self.err);
        assert_eq!(self.out.lines().count(), 1, "one line");
        serde_json::from_str(&self.out).expect("the answer is JSON")
    }

    #[track_caller]
    pub(crate) fn text(&self) -> &str {
        assert_eq!(self.code, 0, "{}", self.err);
        &self.out
    }
}

/// Keys of an object.
pub(crate) fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// Solved tables of outcomes, which tests must not change.
pub(crate) fn tables() -> &'static Path {
    static TABLES: OnceLock<PathBuf> = OnceLock::new();
    TABLES.get_or_init(|| {
        solved_once("wdl", &["solve --layers 1-5", "solve --rules first-capture --layers 4-5"])
    })
}

/// Solved tables of outcomes and of distances, which tests must not change: layers 1 to 5 of
/// `free`, and layers 4 and 5 of `first-capture`.
pub(crate) fn distances() -> &'static Path {
    static TABLES: OnceLock<PathBuf> = OnceLock::new();
    TABLES.get_or_init(|| {
        let both = ["--layers 1-5", "--rules first-capture --layers 4-5"]
            .map(|words| format!("solve {words} --metric wdl,dtw"));
        solved_once("dtw", &both.each_ref().map(String::as_str))
    })
}

/// Runs commands that write into a new directory, once per build of `anser`, even if every test is
/// a process.
fn solved_once(name: &str, commands: &[&str]) -> PathBuf {
    let modified =
        fs::metadata(binary()).and_then(|file| file.modified()).expect("the program is there");
    let age = modified.duration_since(UNIX_EPOCH).expect("it is not that old").as_nanos();
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli");
    let dir = root.join(age.to_string()).join(name);
    fs::create_dir_all(&dir).expect("the target directory can be written");
    let lock = File::create(root.join("lock")).expect("the lock can be made");
    lock.lock().expect("the lock can be taken");
    if !dir.join("done").exists() {
        for words in commands {
            let ran = run(words, &dir);
            assert_eq!(ran.code, 0, "{}", ran.err);
        }
        File::create(dir.join("done")).expect("the directory can be written");
    }
    dir
}

/// Name of a raw table.
pub(crate) fn table(rules: &str, layer: u16) -> String {
    format!("fox-geese.{rules}.L{layer:02}.wdl.anser")
}

/// Temporary directory with copies of these layers of `free`.
pub(crate) fn copies(layers: &[u16]) -> TempDir {
    let dir = TempDir::new().expect("there is a temporary directory");
    for &layer in layers {
        let name = table("free", layer);
        fs::copy(tables().join(&name), dir.path().join(&name)).expect("tables can be copied");
    }
    dir
}

/// Changes the bytes of a file.
pub(crate) fn edit(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).expect("the file is there");
    change(&mut bytes);
    fs::write(path, bytes).expect("the file can be written");
}

/// Position of layer 5 in which the fox can capture.
pub(crate) const CAPTURE: &str = "ggg/g2/7/3F3/3g3/3/3 f";
/// Position of layer 4 that is drawn with either side to move, which is omitted.
pub(crate) const DRAWN: &str = "3/3/7/3F3/3gg2/1g1/1g1";
/// Position of layer 13.
pub(crate) const OPENING: &str = "3/3/7/3F3/ggggggg/ggg/ggg f";

/// Probes a position.
pub(crate) fn probe(position: &str, tables: &Path, more: &[&str]) -> Ran {
    let mut command = anser(["probe", position]);
    Ran::new(&command.arg("--tables").arg(tables).args(more).output().expect("anser runs"))
}

/// Skips a test that this machine does not support. With `CI=true` that is a failure.
#[track_caller]
pub(crate) fn skip(why: &str) {
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "skipped, which CI=true does not allow: {why}"
    );
    eprintln!("skipped: {why}");
}
