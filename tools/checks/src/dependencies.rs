//! Licenses, bans, and sources of all dependencies, by the rules of `deny.toml`.
//!
//! This is the part of `cargo deny check bans licenses sources` that needs nothing but `cargo
//! metadata`: the license expression that each package declares, the names of banned packages,
//! wildcard versions, and where packages come from.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use toml::Table;

use crate::workspace::{list, metadata, text};

/// Workspaces whose dependencies are checked, as folders below the root.
const WORKSPACES: [&str; 2] = ["", "fuzz"];

/// The source of a package of the default registry.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Rules of `deny.toml`.
struct Rules {
    licenses: BTreeSet<String>,
    /// Licenses that are allowed for single packages.
    exceptions: BTreeSet<(String, String)>,
    banned: BTreeSet<String>,
}

/// Checks the dependencies of the workspace and of the fuzz targets.
///
/// # Errors
/// `deny.toml` or `cargo metadata` cannot be read, or a dependency breaks a rule; the message lists
/// them all.
pub fn check(root: &Path) -> Result<String, String> {
    let file = root.join("deny.toml");
    let config =
        std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let rules = Rules::read(&config).map_err(|error| format!("{}: {error}", file.display()))?;
    let (mut problems, mut checked) = (BTreeSet::new(), BTreeSet::new());
    for folder in WORKSPACES {
        let metadata = metadata(&root.join(folder), &["--all-features"])?;
        for package in list(&metadata["packages"]) {
            let name = format!("{} {}", text(&package["name"]), text(&package["version"]));
            problems.extend(
                rules.problems(package).into_iter().map(|problem| format!("{name}: {problem}\n")),
            );
            checked.insert(name);
        }
    }
    if problems.is_empty() {
        return Ok(format!("{} packages follow deny.toml\n", checked.len()));
    }
    Err(problems.into_iter().collect())
}

impl Rules {
    fn read(config: &str) -> Result<Rules, String> {
        let config: Table = config.parse().map_err(|error| format!("{error}"))?;
        let section = |name: &str| config.get(name).and_then(|value| value.as_table());
        let strings = |value: Option<&toml::Value>| -> BTreeSet<String> {
            let values = value.and_then(|value| value.as_array()).into_iter().flatten();
            values.filter_map(|value| value.as_str()).map(str::to_owned).collect()
        };
        let tables = |section: Option<&Table>, key: &str| -> Vec<Table> {
            let values =
                section.and_then(|section| section.get(key)).and_then(|value| value.as_array());
            values.into_iter().flatten().filter_map(|value| value.as_table().cloned()).collect()
        };
        let name =
            |table: &Table| table.get("crate").and_then(|value| value.as_str()).map(str::to_owned);
        let licenses = section("licenses").ok_or("the section [licenses] is missing")?;
        for (section_name, key) in
            [("bans", "wildcards"), ("sources", "unknown-registry"), ("sources", "unknown-git")]
        {
            let value = section(section_name)
                .and_then(|section| section.get(key))
                .and_then(|value| value.as_str());
            if value != Some("deny") {
                return Err(format!(
                    "[{section_name}] {key} is not \"deny\", the only value that this check supports"
                ));
            }
        }
        Ok(Rules {
            licenses: strings(licenses.get("allow")),
            exceptions: tables(Some(licenses), "exceptions")
                .iter()
                .filter_map(|table| Some((name(table)?, strings(table.get("allow")))))
                .flat_map(|(name, allowed)| {
                    allowed.into_iter().map(move |license| (name.clone(), license))
                })
                .collect(),
            banned: tables(section("bans"), "deny").iter().filter_map(name).collect(),
        })
    }

    fn problems(&self, package: &Value) -> Vec<String> {
        let name = text(&package["name"]);
        let mut problems = Vec::new();
        if self.banned.contains(name) {
            problems.push("is banned".to_owned());
        }
        match package["source"].as_str() {
            None | Some(REGISTRY) => {}
            Some(source) => {
                problems.push(format!("comes from {source}, which is not the default registry"));
            }
        }
        let allowed = |license: &str| {
            self.licenses.contains(license)
                || self.exceptions.contains(&(name.to_owned(), license.to_owned()))
        };
        match package["license"].as_str() {
            None => problems.push("declares no license expression".into()),
            Some(expression) => match satisfied(expression, &allowed) {
                Some(true) => {}
                Some(false) => problems.push(format!("its license, {expression}, is not allowed")),
                None => {
                    problems
                        .push(format!("its license, {expression:?}, is not an SPDX expression"));
                }
            },
        }
        for dependency in list(&package["dependencies"]) {
            // A dependency by path needs no version.
            if package["source"].is_null()
                && dependency["req"] == "*"
                && dependency["path"].is_null()
            {
                problems.push(format!("depends on any version of {}", text(&dependency["name"])));
            }
        }
        problems
    }
}

/// Evaluates an SPDX license expression (annex D of the specification, and the old form `A/B`).
/// Returns `None` if the text is not one.
///
/// ```
/// use anser_checks::dependencies::satisfied;
/// let allowed = |license: &str| license == "MIT";
/// assert_eq!(satisfied("(MIT OR Apache-2.0) AND Unicode-3.0", &allowed), Some(false));
/// assert_eq!(satisfied("Zlib OR Apache-2.0 OR MIT", &allowed), Some(true));
/// assert_eq!(satisfied("MIT OR", &allowed), None);
/// ```
pub fn satisfied(expression: &str, allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    let value = any_of(&mut rest, allowed)?;
    rest.is_empty().then_some(value)
}

fn any_of(words: &mut &[&str], allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut value = all_of(words, allowed)?;
    while let Some((&"OR", rest)) = words.split_first() {
        *words = rest;
        value |= all_of(words, allowed)?;
    }
    Some(value)
}

fn all_of(words: &mut &[&str], allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut value = one(words, allowed)?;
    while let Some((&"AND", rest)) = words.split_first() {
        *words = rest;
        value &= one(words, allowed)?;
    }
    Some(value)
}

fn one(words: &mut &[&str], allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let (&first, rest) = words.split_first()?;
    *words = rest;
    if first == "(" {
        let value = any_of(words, allowed)?;
        let (&close, rest) = words.split_first()?;
        *words = rest;
        return (close == ")").then_some(value);
    }
    if ["OR", "AND", "WITH", ")"].contains(&first) {
        return None;
    }
    if let [with, exception, rest @ ..] = *words
        && *with == "WITH"
    {
        *words = rest;
        return Some(allowed(&format!("{first} WITH {exception}")));
    }
    Some(allowed(first))
}
