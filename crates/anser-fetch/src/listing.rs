//! The manifests of a directory of tables.

use std::collections::BTreeMap;

use anser_core::Observer;
use anser_games::Registry;
use anser_games::answers::FetchedList;
use anser_table::format::hex;
use anser_table::manifest::{Manifest, ManifestEntry, Sums};
use anser_table::{Kind, TableName};
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::xxh3_64;

use crate::error::FetchError;
use crate::place::{MANIFEST, Place};
use crate::tables::{Content, Listed, PlannedTable, Selection, is_plain, table_name};
use crate::threads::{Lists, each};

/// Length in bytes of the longest list that is read. Lists have some hundred bytes per table.
const LONGEST_LIST: u64 = 16 << 20;

/// Reads the tables of a directory that are wanted. `file` is a manifest that the address names.
pub(crate) fn list(
    lists: &Lists<'_>,
    file: Option<&str>,
    wanted: &Selection,
    registry: &Registry,
    observer: &dyn Observer,
) -> Result<Listed, FetchError> {
    let &Lists { place, options, .. } = lists;
    let names = match file {
        Some(file) => vec![file.to_owned()],
        None => names(lists, wanted, registry)?,
    };
    let read = each(&names, options.connections, place, observer, |name, stop| {
        let read = (Lists { stop, ..*lists }).read(name, LONGEST_LIST)?;
        let Some(bytes) = read else { return Ok(None) };
        let (manifest, list) = manifest(place, name, &bytes)?;
        // Those that are not wanted are for the message alone.
        let is_wanted = wanted.is_of(manifest.game(), manifest.rules());
        let set = format!("{} --rules {}", manifest.game(), manifest.rules());
        Ok(Some((name, (set, is_wanted.then_some((manifest, list))))))
    })?;
    // In the order of the names, each once.
    let found: BTreeMap<_, _> = read.into_iter().flatten().collect();
    if found.is_empty() {
        return Err(FetchError::NoTables { address: place.url(""), sought: names });
    }
    let mut listed = Listed::default();
    for (set, read) in found.into_values() {
        listed.sets.push(set);
        let Some((manifest, list)) = read else { continue };
        let (game, rules) = (manifest.game(), manifest.rules());
        // Of each layer and metric the packed table, if there is one.
        let mut chosen = BTreeMap::<_, (TableName, &ManifestEntry)>::new();
        for (name, entry) in manifest.tables() {
            let failed = |problem| FetchError::list(&list.url, problem);
            let name = table_name(name, game, rules).map_err(failed)?;
            if (name.layer, name.metric, name.kind) != (entry.layer, entry.metric, entry.kind) {
                return Err(failed(format!("the entry of {name} is of another table")));
            }
            let key = (name.layer, name.metric.id());
            let has_packed = chosen.get(&key).is_some_and(|(other, _)| other.kind == Kind::Packed);
            if wanted.includes(&name) && !has_packed {
                chosen.insert(key, (name, entry));
            }
        }
        listed.tables.extend(chosen.into_values().map(|(name, entry)| PlannedTable {
            game: game.to_owned(),
            rules: rules.to_owned(),
            name,
            bytes: entry.file.bytes,
            left: entry.file.bytes,
            payload: entry.payload_blake3.clone(),
            version: xxh3_64(entry.file.blake3.as_bytes()),
            content: Content::File(Box::new(entry.clone())),
        }));
        listed.files.push(list);
    }
    Ok(listed)
}

/// The names of the manifests that are sought: those of the directory if it can be listed, or
/// `SHA256SUMS` lists them; otherwise those of the games and rule sets that are wanted.
fn names(
    lists: &Lists<'_>,
    wanted: &Selection,
    registry: &Registry,
) -> Result<Vec<String>, FetchError> {
    if let Some(names) = lists.place.manifests()? {
        return Ok(names);
    }
    if wanted.games.is_empty() || wanted.rules.is_empty() {
        let sums = lists.read(Sums::NAME, LONGEST_LIST)?;
        // A host may answer any name with a page.
        let sums = sums.and_then(|bytes| Sums::parse(&bytes).ok()).unwrap_or_default();
        let listed = sums.files().map(|(file, _)| file.to_owned());
        let listed: Vec<String> =
            listed.filter(|file| file.ends_with(MANIFEST) && is_plain(file)).collect();
        if !listed.is_empty() {
            return Ok(listed);
        }
    }
    let of_game = |name: &str| {
        let known = registry.find(name).map(|(info, _)| {
            info.rule_sets.iter().map(|rules| rules.id.clone()).collect::<Vec<_>>()
        });
        let rules =
            if wanted.rules.is_empty() { known.unwrap_or_default() } else { wanted.rules.clone() };
        rules.into_iter().map(|rules| Manifest::file_name(name, &rules)).collect::<Vec<_>>()
    };
    let names: Vec<String> = if wanted.games.is_empty() {
        registry.games().flat_map(|info| of_game(&info.default_name())).collect()
    } else {
        wanted.games.iter().flat_map(|name| of_game(name)).collect()
    };
    Ok(names.into_iter().filter(|name| is_plain(name)).collect())
}

/// Reads a manifest, whose name has the game and the rule set.
fn manifest(
    place: &Place,
    name: &str,
    bytes: &[u8],
) -> Result<(Manifest, FetchedList), FetchError> {
    let url = place.url(name);
    let manifest = match Manifest::from_json(bytes) {
        Ok(manifest) => manifest,
        Err(_) if bytes.trim_ascii_start().starts_with(b"<") => {
            return Err(FetchError::list(url, "a page of HTML, and not a manifest"));
        }
        Err(defect) => return Err(FetchError::list(url, format!("{defect:#}"))),
    };
    let (game, rules) = (manifest.game(), manifest.rules());
    if Manifest::file_name(game, rules) != name || !is_plain(name) {
        let problem = format!("it is of {game:?} (rules {rules:?}), unlike its name");
        return Err(FetchError::list(url, problem));
    }
    Ok((manifest, FetchedList { url, sha256: hex(&Sha256::digest(bytes)) }))
}
