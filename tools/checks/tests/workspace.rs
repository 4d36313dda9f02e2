//! Checks of the workspace: public API files, licenses and sources of dependencies, and links
//! between pages.

use std::fs;
use std::path::{Path, PathBuf};

use anser_checks::{api, dependencies, workspace};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_public_items_of_every_published_library_are_listed_in_docs_api() {
    if let Err(differences) = api::compare(&root()) {
        panic!("{differences}");
    }
}

#[test]
fn every_dependency_follows_deny_toml() {
    if let Err(problems) = dependencies::check(&root()) {
        panic!("{problems}");
    }
}

#[test]
fn published_packages_need_only_published_packages() {
    let packages = workspace::published(&root()).unwrap();
    assert!(packages.len() >= 5, "{packages:?}");
    assert_eq!(packages[0].name, "anser-core");
}

/// Returns the anchors of the headings of a page.
fn sections(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter(|line| line.starts_with('#')).map(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        title.chars().filter(|&c| c.is_alphanumeric() || c == '-' || c == '_').collect()
    })
}

#[test]
fn links_between_pages_have_targets() {
    let mut pages =
        vec![root().join("README.md"), root().join("ARCHITECTURE.md"), root().join("CHANGELOG.md")];
    for dir in [
        "docs",
        "data",
        "data/results",
        "crates/anser-core",
        "crates/anser-table",
        "crates/anser-solve",
    ] {
        let files = fs::read_dir(root().join(dir)).unwrap().map(|entry| entry.unwrap().path());
        pages.extend(
            files.filter(|file| file.extension().is_some_and(|extension| extension == "md")),
        );
    }
    let (mut links, mut broken) = (0, Vec::new());
    for page in &pages {
        let text = fs::read_to_string(page).unwrap();
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split(')').next().unwrap_or_default();
            if target.contains("://") {
                continue;
            }
            links += 1;
            let (file, section) = target.split_once('#').unwrap_or((target, ""));
            let file =
                if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            let found = if section.is_empty() {
                file.exists()
            } else {
                fs::read_to_string(&file).is_ok_and(|text| sections(&text).any(|id| id == section))
            };
            if !found {
                broken.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(links >= 10, "only {links} links found");
    assert!(broken.is_empty(), "{broken:#?}");
}

/// The libraries that read tables, and those of the Python package.
const PORTABLE: [&str; 7] = [
    "anser-core",
    "anser-table",
    "anser-retrograde",
    "anser-analyse",
    "anser-solve",
    "anser-games",
    "anser-python",
];

/// The modules of these in which systems differ.
const PLATFORM: [&str; 2] = ["anser-table/src/storage/platform.rs", "anser-solve/src/system/"];

/// Returns the lines before the tests of a module that name a system or its interface.
fn system_lines(text: &str) -> impl Iterator<Item = &str> {
    const NAMES: [&str; 9] = [
        "(unix",
        "(windows",
        "target_os",
        "target_family",
        "std::os::",
        "libc",
        "rustix",
        "nix::",
        "signal_hook",
    ];
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.filter(|line| NAMES.iter().any(|name| line.contains(name)))
}

#[test]
fn portable_libraries_name_systems_in_one_module_each() {
    let mut named = Vec::new();
    for library in PORTABLE {
        let mut folders = vec![root().join("crates").join(library).join("src")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let text = fs::read_to_string(&path).unwrap();
                    let name = path.display().to_string().replace('\\', "/");
                    named.extend(system_lines(&text).map(|line| format!("{name}: {line}")));
                }
            }
        }
    }
    let is_allowed = |line: &String| PLATFORM.iter().any(|module| line.contains(module));
    let (allowed, others): (Vec<_>, Vec<_>) = named.into_iter().partition(is_allowed);
    assert!(PLATFORM.iter().all(|module| allowed.iter().any(|line| line.contains(module))));
    assert!(others.is_empty(), "outside of the modules for systems:\n{}", others.join("\n"));
}

#[test]
fn a_listing_has_every_public_name() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library");
    let text = api::listing(&dir.join("lib.rs"), "sample").unwrap();
    let expected = fs::read_to_string(dir.join("api.txt")).unwrap();
    assert_eq!(text, expected);
}
