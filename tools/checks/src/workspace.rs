//! The packages of the workspace, as `cargo metadata` reports them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A published package of the workspace.
#[derive(Clone, Debug)]
pub struct Package {
    /// The name, as in the registry.
    pub name: String,
    /// The root of its library, if it has one.
    pub library: Option<PathBuf>,
    /// Names of the workspace packages that it depends on, without those of its tests.
    pub needs: BTreeSet<String>,
}

/// Runs `cargo metadata` on the manifest in `root`.
///
/// # Errors
/// Cargo cannot be run or fails; the message is Cargo's.
pub fn metadata(root: &Path, args: &[&str]) -> Result<Value, String> {
    let manifest = root.join("Cargo.toml");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--manifest-path"])
        .arg(&manifest)
        .args(args)
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(format!("cargo metadata --manifest-path {}: {message}", manifest.display()));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

/// Returns the packages of the workspace that are published, each after those that it depends on.
///
/// # Errors
/// `cargo metadata` fails.
pub fn published(root: &Path) -> Result<Vec<Package>, String> {
    let metadata = metadata(root, &["--no-deps"])?;
    let mut waiting: Vec<Package> = list(&metadata["packages"])
        .iter()
        .filter(|package| package["publish"].is_null())
        .map(|package| Package {
            name: text(&package["name"]).to_owned(),
            library: list(&package["targets"])
                .iter()
                .find(|target| list(&target["kind"]).iter().any(|kind| kind == "lib"))
                .map(|target| text(&target["src_path"]).into()),
            needs: list(&package["dependencies"])
                .iter()
                .filter(|dependency| dependency["path"].is_string() && dependency["kind"] != "dev")
                .map(|dependency| text(&dependency["name"]).to_owned())
                .collect(),
        })
        .collect();
    waiting.sort_by(|a, b| a.name.cmp(&b.name));
    let mut sorted: Vec<Package> = Vec::new();
    while !waiting.is_empty() {
        let ready = |package: &Package| {
            package.needs.iter().all(|need| sorted.iter().any(|done| done.name == *need))
        };
        let Some(at) = waiting.iter().position(ready) else {
            return Err(waiting.iter().fold(String::new(), |message, package| {
                format!(
                    "{message}{} is published and needs {:?}, which are not all published\n",
                    package.name, package.needs
                )
            }));
        };
        sorted.push(waiting.remove(at));
    }
    Ok(sorted)
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
