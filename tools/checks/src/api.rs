//! The public API of a library as text, read from its source.
//!
//! One entry per public item, under the shortest path by which users reach it, with its public
//! fields, variants, methods, and the traits it implements. Bodies, documentation, and private
//! items are left out, so the text changes exactly when the interface does. What macros generate is
//! listed as derives; items written by `macro_rules` are not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use syn::{GenericArgument, Item, PathArguments, Type};

use crate::items::{Entry, describe, implementation};
use crate::source::{ItemId, Library, ModulePath, Target, is_test, name_of};
use crate::workspace;

const RENEW: &str = "cargo run -p anser-checks -- api --update";

/// Compares the API of every published library with its file in `docs/api`.
///
/// # Errors
/// A source cannot be read, or an API and its file differ; the message lists the lines.
pub fn compare(root: &Path) -> Result<String, String> {
    let (mut report, mut differences) = (String::new(), String::new());
    let mut expected = BTreeSet::new();
    for (name, file, now) in listings(root)? {
        let kept = fs::read_to_string(&file).unwrap_or_default();
        let (before, after): (BTreeSet<&str>, BTreeSet<&str>) =
            (kept.lines().collect(), now.lines().collect());
        if kept == now {
            let _ = writeln!(report, "{name}: {} lines, as in {}", after.len(), file.display());
        } else {
            let _ = writeln!(differences, "{} differs from the source of {name}:", file.display());
            for line in before.difference(&after) {
                let _ = writeln!(differences, "  - {line}");
            }
            for line in after.difference(&before) {
                let _ = writeln!(differences, "  + {line}");
            }
        }
        expected.insert(file);
    }
    for file in present(root) {
        if !expected.contains(&file) {
            let _ = writeln!(differences, "{} belongs to no published library", file.display());
        }
    }
    if differences.is_empty() {
        return Ok(report);
    }
    Err(format!(
        "{differences}If the change is intended, run `{RENEW}` and commit the files. Semantic versioning applies to them."
    ))
}

/// Writes the API of every published library to its file in `docs/api`.
///
/// # Errors
/// A source cannot be read or a file not be written.
pub fn update(root: &Path) -> Result<String, String> {
    let mut report = String::new();
    let listings = listings(root)?;
    let failed = |file: &Path, error: std::io::Error| format!("{}: {error}", file.display());
    fs::create_dir_all(dir(root)).map_err(|error| failed(&dir(root), error))?;
    for file in present(root) {
        if !listings.iter().any(|(_, wanted, _)| *wanted == file) {
            fs::remove_file(&file).map_err(|error| failed(&file, error))?;
        }
    }
    for (_, file, now) in listings {
        fs::write(&file, now).map_err(|error| failed(&file, error))?;
        let _ = writeln!(report, "{}", file.display());
    }
    Ok(report)
}

fn dir(root: &Path) -> PathBuf {
    root.join("docs/api")
}

fn present(root: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(dir(root)).into_iter().flatten().flatten().map(|entry| entry.path());
    files.filter(|file| file.extension().is_some_and(|extension| extension == "txt")).collect()
}

/// Returns name, file, and API of every published library.
fn listings(root: &Path) -> Result<Vec<(String, PathBuf, String)>, String> {
    let mut found = Vec::new();
    for package in workspace::published(root)? {
        if let Some(library) = &package.library {
            let file = dir(root).join(format!("{}.txt", package.name));
            let text = listing(library, &package.name.replace('-', "_"))?;
            found.push((package.name, file, text));
        }
    }
    Ok(found)
}

/// Returns the public API of the library with the root file `file`.
///
/// # Errors
/// A source file is missing or not valid Rust; the message names it.
pub fn listing(file: &Path, name: &str) -> Result<String, String> {
    let library = Library::read(file)?;
    let mut surface = Surface { library: &library, paths: BTreeMap::new(), lines: BTreeMap::new() };
    surface.walk(&Vec::new(), name, "", &mut Vec::new());
    let entries = surface.entries();
    let mut text = format!("# Public API of the crate {name}. Written by `{RENEW}`.\n");
    for (head, members) in entries {
        let _ = writeln!(text, "\n{head}");
        for member in members {
            let _ = writeln!(text, "    {member}");
        }
    }
    Ok(text)
}

struct Surface<'a> {
    library: &'a Library,
    /// The public paths of every item that has one, with their conditions.
    paths: BTreeMap<ItemId, BTreeSet<(usize, String, String)>>,
    /// Lines of modules and of re-exports of other crates, by path.
    lines: BTreeMap<String, String>,
}

impl Surface<'_> {
    /// Collects the items that can be reached through a public module.
    fn walk(
        &mut self,
        path: &ModulePath,
        prefix: &str,
        features: &str,
        open: &mut Vec<ModulePath>,
    ) {
        let library = self.library;
        let Some(module) = library.modules.get(path) else { return };
        // A module may re-export one of its parents.
        if open.contains(path) {
            return;
        }
        open.push(path.clone());
        for item in &module.items {
            match item {
                Item::Mod(item) if crate::source::is_public(&item.vis) && !is_test(&item.attrs) => {
                    let mut child = path.clone();
                    child.push(item.ident.to_string());
                    let public = format!("{prefix}::{}", item.ident);
                    let features =
                        library.modules.get(&child).map_or("", |module| module.features.as_str());
                    self.lines.insert(public.clone(), format!("{features}mod {public}"));
                    self.walk(&child, &public, features, open);
                }
                Item::Macro(item)
                    if item.attrs.iter().any(|attr| attr.path().is_ident("macro_export")) =>
                {
                    if let Some(ident) = &item.ident {
                        let root = prefix.split("::").next().unwrap_or(prefix);
                        self.lines
                            .insert(format!("{root}::{ident}!"), format!("macro {root}::{ident}!"));
                    }
                }
                item => {
                    if let Some(name) = name_of(item)
                        && describe(item, "").is_some()
                    {
                        self.export(
                            &(path.clone(), name.clone()),
                            &format!("{prefix}::{name}"),
                            features,
                        );
                    }
                }
            }
        }
        for import in module.imports.iter().filter(|import| import.public) {
            let features = format!("{features}{}", import.features);
            let public = format!("{prefix}::{}", import.name);
            match self.library.resolve(path, &import.path) {
                Target::Item(id) => self.export(&id, &public, &features),
                Target::Module(inner) if import.name == "*" => {
                    self.walk(&inner, prefix, &features, open);
                }
                Target::Module(inner) => {
                    self.lines.insert(public.clone(), format!("{features}mod {public}"));
                    self.walk(&inner, &public, &features, open);
                }
                Target::Foreign(source) => {
                    self.lines.insert(public.clone(), format!("{features}use {public} = {source}"));
                }
            }
        }
        open.pop();
    }

    fn export(&mut self, id: &ItemId, public: &str, features: &str) {
        let depth = public.matches("::").count();
        self.paths.entry(id.clone()).or_default().insert((
            depth,
            public.to_owned(),
            features.to_owned(),
        ));
    }

    /// Returns all entries, sorted by path.
    fn entries(&self) -> Vec<(String, Vec<String>)> {
        let mut implementations = self.implementations();
        let mut sorted: BTreeMap<String, (String, Vec<String>)> = self
            .lines
            .iter()
            .map(|(path, line)| (path.clone(), (line.clone(), Vec::new())))
            .collect();
        for (id, paths) in &self.paths {
            let items = self.library.modules[&id.0].items.iter();
            let Some((_, shortest, features)) = paths.first() else { continue };
            let mut known = false;
            for item in items.filter(|item| name_of(item).as_ref() == Some(&id.1)) {
                let Some(Entry { head, mut members }) = describe(item, shortest) else { continue };
                let mut own = implementations.remove(id).unwrap_or_default();
                own.sort();
                own.dedup();
                members.extend(own);
                let kind = if matches!(item, Item::Fn(_)) { "()" } else { "" };
                sorted.insert(format!("{shortest}{kind}"), (format!("{features}{head}"), members));
                known = true;
            }
            if known {
                for (_, again, features) in paths.iter().skip(1) {
                    sorted.insert(
                        again.clone(),
                        (format!("{features}use {again} = {shortest}"), Vec::new()),
                    );
                }
            }
        }
        sorted.into_values().collect()
    }

    /// Returns the lines of all `impl` blocks by the item they are listed under: the type, or the
    /// trait if the type is not one of this library.
    fn implementations(&self) -> BTreeMap<ItemId, Vec<String>> {
        let mut found: BTreeMap<ItemId, Vec<String>> = BTreeMap::new();
        for (path, module) in &self.library.modules {
            for item in &module.items {
                let Item::Impl(block) = item else { continue };
                if is_test(&block.attrs) {
                    continue;
                }
                let of =
                    block.trait_.as_ref().map(|(of, _)| self.library.resolve(path, &segments(of)));
                if let Some(Target::Item(id)) = &of
                    && !self.paths.contains_key(id)
                {
                    continue;
                }
                let lines = || {
                    implementation(block)
                        .into_iter()
                        .map(|line| format!("{}{line}", module.features))
                };
                let mut owners = BTreeSet::new();
                if let Some(Target::Item(id)) =
                    named(&block.self_ty).map(|name| self.library.resolve(path, &name))
                {
                    owners.insert(id);
                } else if let Some(Target::Item(id)) = of {
                    owners.insert(id);
                } else if let Some((of, _)) = &block.trait_ {
                    // `impl From<Ours> for Theirs`.
                    let arguments =
                        of.segments.iter().filter_map(|segment| match &segment.arguments {
                            PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
                            _ => None,
                        });
                    for argument in arguments.flatten() {
                        if let GenericArgument::Type(argument) = argument
                            && let Some(name) = named(argument)
                            && let Target::Item(id) = self.library.resolve(path, &name)
                        {
                            owners.insert(id);
                        }
                    }
                }
                for owner in owners {
                    found.entry(owner).or_default().extend(lines());
                }
            }
        }
        found
    }
}

/// Returns the path that a type is named by.
fn named(of: &Type) -> Option<Vec<String>> {
    match of {
        Type::Path(of) => Some(segments(&of.path)),
        Type::Reference(of) => named(&of.elem),
        Type::Slice(of) => named(&of.elem),
        Type::Array(of) => named(&of.elem),
        _ => None,
    }
}

fn segments(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}
