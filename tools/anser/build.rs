//! Passes the version to the command line: that of the package, with the commit if it is known.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=ANSER_COMMIT");
    let named = std::env::var("ANSER_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = named.or_else(commit_of_checkout).or_else(commit_of_package);
    let commit = commit.map(|commit| format!(" ({commit})")).unwrap_or_default();
    println!("cargo::rustc-env=ANSER_VERSION={}{commit}", env!("CARGO_PKG_VERSION"));
}

/// Returns the commit of the repository of the workspace. A copy of this package below another
/// repository has none.
fn commit_of_checkout() -> Option<String> {
    let root = Path::new("../..");
    if !root.join(".git").exists() {
        return None;
    }
    let git = |args: &[&str]| {
        let output = Command::new("git").arg("-C").arg(root).args(args).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // Each commit and checkout adds a line to this file.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]).map(|path| root.join(path))?;
    if log.exists() {
        println!("cargo::rerun-if-changed={}", log.display());
    }
    git(&["rev-parse", "--short=10", "HEAD"])
}

/// Returns the commit that `cargo package` recorded.
fn commit_of_package() -> Option<String> {
    let info = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let is_commit = |word: &&str| word.len() == 40 && word.bytes().all(|b| b.is_ascii_hexdigit());
    info.split('"').find(is_commit).map(|commit| commit[..10].to_owned())
}
