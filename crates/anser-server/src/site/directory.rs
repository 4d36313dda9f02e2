//! The directory of a site: the files of an earlier site, and new files.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use anser_table::TableName;

use crate::assets::Assets;

/// The directories of a site.
pub(super) const DIRECTORIES: [&str; 3] = ["assets", "data", "parts"];

/// The mark of a page of a site.
const MARK: &str = "<meta name=\"anser-site\"";

/// Returns the files of an earlier site in a directory; `None` if it has files and no earlier site.
pub(super) fn earlier_files(out: &Path) -> io::Result<Option<Vec<String>>> {
    if !out.try_exists()? {
        return Ok(Some(Vec::new()));
    }
    let page = fs::read_to_string(out.join("index.html")).unwrap_or_default();
    // A run that was interrupted left directories of a site without a page.
    let mut found = Found::default();
    collect(out, "", &mut found)?;
    Ok((page.contains(MARK) || !found.has_others).then_some(found.files))
}

/// Content of a directory.
#[derive(Default)]
struct Found {
    /// The files with names of a site, but for `index.html`.
    files: Vec<String>,
    /// Whether there is anything else.
    has_others: bool,
}

/// Collects what is below a directory of a site; `directory` is empty or ends with a slash.
fn collect(out: &Path, directory: &str, found: &mut Found) -> io::Result<()> {
    for entry in fs::read_dir(out.join(directory))? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else {
            found.has_others = true;
            continue;
        };
        let path = format!("{directory}{name}");
        let kind = entry.file_type()?;
        if kind.is_dir() && is_directory_of_site(&path) {
            collect(out, &format!("{path}/"), found)?;
        } else if kind.is_file() && is_file_of_site(&path) {
            found.files.push(path);
        } else {
            found.has_others = true;
        }
    }
    Ok(())
}

/// Whether a site has directories of this name.
fn is_directory_of_site(path: &str) -> bool {
    match path.strip_prefix("assets/") {
        Some(below) => is_hash(below.strip_suffix("/reader").unwrap_or(below)),
        None => DIRECTORIES.contains(&path),
    }
}

/// Whether a site has files of this name, whole or in part. `index.html` alone does not count.
fn is_file_of_site(path: &str) -> bool {
    let whole = path.strip_suffix(TableName::PART_SUFFIX).unwrap_or(path);
    match whole.split_once('/') {
        Some(("data", name)) => name.strip_suffix(".json").is_some_and(is_hash),
        Some(("parts", name)) => name.strip_suffix(".bin").is_some_and(is_hash),
        Some(("assets", name)) => name
            .split_once('/')
            .is_some_and(|(folder, name)| is_hash(folder) && Assets::is_of_site(name)),
        Some(_) => false,
        None => whole == "worker.js" || path == "index.html.part",
    }
}

/// Whether a name is a hash as sites write it.
fn is_hash(name: &str) -> bool {
    name.len() == 16 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Writes a file under another name, syncs it, and renames it.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut part = path.as_os_str().to_owned();
    part.push(TableName::PART_SUFFIX);
    let mut file = File::create(&part)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&part, path)
}
