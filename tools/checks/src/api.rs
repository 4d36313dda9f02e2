//! Names of the public items of a library, read from its source.
//!
//! One line per item: its kind, and its path in the source. Fields, variants, methods, and
//! re-exports are items as well. Visibility is that of the item alone: the lint `unreachable_pub`
//! rejects public items that no user can reach. Traits that a type implements, and items that
//! macros write, are not listed.

use std::collections::BTreeSet;
use std::fmt::{Display, Write};
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Fields, Ident, ImplItem, Item, Meta, TraitItem, Type, UseTree, Visibility};

use crate::workspace;

const RENEW: &str = "cargo run -p anser-checks -- api --update";

/// Compares the names of every published library with its file in `docs/api`.
///
/// # Errors
/// A source cannot be read, or the names and the file differ; the message lists the lines.
pub fn compare(root: &Path) -> Result<String, String> {
    let (mut report, mut differences) = (String::new(), String::new());
    let listings = listings(root)?;
    for (file, now) in &listings {
        let kept = fs::read_to_string(file).unwrap_or_default();
        let (before, after): (BTreeSet<_>, BTreeSet<_>) =
            (kept.lines().collect(), now.lines().collect());
        let _ = writeln!(report, "{}: {} names", file.display(), after.len());
        if kept != *now {
            let _ = writeln!(differences, "{} differs from the source:", file.display());
        }
        for line in before.difference(&after) {
            let _ = writeln!(differences, "  - {line}");
        }
        for line in after.difference(&before) {
            let _ = writeln!(differences, "  + {line}");
        }
    }
    for file in strays(root, &listings) {
        let _ = writeln!(differences, "{} belongs to no published library", file.display());
    }
    if differences.is_empty() {
        return Ok(report);
    }
    Err(format!(
        "{differences}If the change is intended, run `{RENEW}` and commit the files. Semantic \
         versioning applies to them."
    ))
}

/// Writes the names of every published library to its file in `docs/api`.
///
/// # Errors
/// A source cannot be read or a file not be written.
pub fn update(root: &Path) -> Result<String, String> {
    let listings = listings(root)?;
    let mut report = String::new();
    let failed = |file: &Path, error: std::io::Error| format!("{}: {error}", file.display());
    for file in strays(root, &listings) {
        fs::remove_file(&file).map_err(|error| failed(&file, error))?;
    }
    for (file, now) in listings {
        fs::write(&file, now).map_err(|error| failed(&file, error))?;
        let _ = writeln!(report, "{}", file.display());
    }
    Ok(report)
}

/// Returns the files of `docs/api` that belong to no listing.
fn strays(root: &Path, listings: &[(PathBuf, String)]) -> Vec<PathBuf> {
    let files = fs::read_dir(root.join("docs/api")).into_iter().flatten().flatten();
    let stray = |file: &PathBuf| listings.iter().all(|(wanted, _)| wanted != file);
    files.map(|entry| entry.path()).filter(stray).collect()
}

/// Returns the file and the names of every published library.
fn listings(root: &Path) -> Result<Vec<(PathBuf, String)>, String> {
    let mut found = Vec::new();
    for package in workspace::published(root)? {
        if let Some(library) = &package.library {
            let file = root.join("docs/api").join(format!("{}.txt", package.name));
            found.push((file, listing(library, &package.name.replace('-', "_"))?));
        }
    }
    Ok(found)
}

/// Returns the names of the public items of the library with the root file `file`, one per line.
///
/// # Errors
/// A source file is missing or not valid Rust; the message names it.
pub fn listing(file: &Path, name: &str) -> Result<String, String> {
    let mut names = BTreeSet::new();
    add_items(&parse(file)?, name, file.parent().unwrap_or(Path::new("")), &mut names)?;
    Ok(names.into_iter().map(|line| line + "\n").collect())
}

/// Adds the items of a module with the path `path`, whose submodules have their files in `dir`.
fn add_items(
    items: &[Item],
    path: &str,
    dir: &Path,
    names: &mut BTreeSet<String>,
) -> Result<(), String> {
    for item in items {
        match item {
            Item::Mod(item) if !is_hidden(&item.attrs) => {
                let name = item.ident.to_string();
                if is_public(&item.vis) {
                    names.insert(format!("mod {path}::{name}"));
                }
                let inner = match &item.content {
                    Some((_, inner)) => inner.clone(),
                    None => parse(&file_of(dir, &name)?)?,
                };
                add_items(&inner, &format!("{path}::{name}"), &dir.join(&name), names)?;
            }
            Item::Use(item) if is_public(&item.vis) && !is_hidden(&item.attrs) => {
                add_imports(&item.tree, "", &format!("use {path}::"), names);
            }
            _ => add_item(item, &mut |kind, name| {
                names.insert(format!("{kind} {path}::{name}"));
            }),
        }
    }
    Ok(())
}

/// Adds an item with its fields, variants, and associated items, each by its kind and name.
fn add_item(item: &Item, add: &mut dyn FnMut(&str, &dyn Display)) {
    match item {
        Item::Const(item) if listed(&item.vis, &item.attrs) => add("const", &item.ident),
        Item::Static(item) if listed(&item.vis, &item.attrs) => add("static", &item.ident),
        Item::Fn(item) if listed(&item.vis, &item.attrs) => add("fn", &item.sig.ident),
        Item::Type(item) if listed(&item.vis, &item.attrs) => add("type", &item.ident),
        Item::Struct(item) if listed(&item.vis, &item.attrs) => {
            add("struct", &item.ident);
            for field in fields(&item.fields, false) {
                add("field", &format!("{}::{field}", item.ident));
            }
        }
        Item::Enum(item) if listed(&item.vis, &item.attrs) => {
            add("enum", &item.ident);
            for variant in &item.variants {
                let name = format!("{}::{}", item.ident, variant.ident);
                add("variant", &name);
                for field in fields(&variant.fields, true) {
                    add("field", &format!("{name}::{field}"));
                }
            }
        }
        Item::Trait(item) if listed(&item.vis, &item.attrs) => {
            add("trait", &item.ident);
            for inner in &item.items {
                let (kind, name) = match inner {
                    TraitItem::Const(inner) => ("const", &inner.ident),
                    TraitItem::Fn(inner) => ("fn", &inner.sig.ident),
                    TraitItem::Type(inner) => ("type", &inner.ident),
                    _ => continue,
                };
                add(kind, &format!("{}::{name}", item.ident));
            }
        }
        Item::Impl(item) if item.trait_.is_none() && !is_hidden(&item.attrs) => {
            let Type::Path(of) = &*item.self_ty else { return };
            let Some(of) = of.path.segments.last() else { return };
            for inner in &item.items {
                let (kind, vis, attrs, name) = match inner {
                    ImplItem::Const(inner) => ("const", &inner.vis, &inner.attrs, &inner.ident),
                    ImplItem::Fn(inner) => ("fn", &inner.vis, &inner.attrs, &inner.sig.ident),
                    _ => continue,
                };
                if listed(vis, attrs) {
                    add(kind, &format!("{}::{name}", of.ident));
                }
            }
        }
        _ => {}
    }
}

/// Adds the names that a `use` declaration exports, each with the path that it comes from.
fn add_imports(tree: &UseTree, from: &str, line: &str, names: &mut BTreeSet<String>) {
    let (source, name) = match tree {
        UseTree::Path(tree) => {
            return add_imports(&tree.tree, &format!("{from}{}::", tree.ident), line, names);
        }
        UseTree::Group(tree) => {
            for tree in &tree.items {
                add_imports(tree, from, line, names);
            }
            return;
        }
        UseTree::Name(tree) => (tree.ident.to_string(), tree.ident.to_string()),
        UseTree::Rename(tree) => (tree.ident.to_string(), tree.rename.to_string()),
        UseTree::Glob(_) => ("*".into(), "*".into()),
    };
    names.insert(format!("{line}{name} = {from}{source}"));
}

/// Returns the names of fields: all of a variant, the public ones of a struct.
fn fields(fields: &Fields, all: bool) -> impl Iterator<Item = &Ident> {
    fields
        .iter()
        .filter(move |field| all || is_public(&field.vis))
        .filter_map(|field| field.ident.as_ref())
}

fn parse(file: &Path) -> Result<Vec<Item>, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let parsed = syn::parse_file(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(parsed.items)
}

fn file_of(dir: &Path, name: &str) -> Result<PathBuf, String> {
    let candidates = [dir.join(format!("{name}.rs")), dir.join(name).join("mod.rs")];
    let found = candidates.into_iter().find(|file| file.is_file());
    found.ok_or_else(|| format!("module {name} has no file in {}", dir.display()))
}

fn listed(visibility: &Visibility, attrs: &[Attribute]) -> bool {
    is_public(visibility) && !is_hidden(attrs)
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Whether an item is compiled for tests alone, or hidden from the documentation.
fn is_hidden(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| {
        let Meta::List(list) = &attr.meta else { return false };
        let words = list.tokens.to_string();
        attr.path().is_ident("cfg") && ["test", "doctest"].contains(&words.as_str())
            || attr.path().is_ident("doc") && words == "hidden"
    })
}
