//! The index of a site. `anser-server/src/site.rs` specifies the files.

use std::collections::BTreeSet;
use std::io;

use anser_games::Registry;
use anser_games::answers::FetchedList;
use anser_table::format::{HEADER_LEN, hex, rules_hash};
use anser_table::{Storage, Table, TableName};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::error::{FetchError, Problem};
use crate::place::PAGE;
use crate::tables::{Content, Listed, Part, PlannedTable, Selection, table_name};
use crate::threads::Lists;

/// Text before the hash of the index in the page of a site.
const MARK: &str = "<meta name=\"anser-site\" content=\"";

/// Length in bytes of the longest page that is read. That of a site has some 10 KiB.
const LONGEST_PAGE: u64 = 1 << 20;

/// Length in bytes of the longest file of data that is read: a million parts.
const LONGEST_DATA: u64 = 32 << 20;

/// The index of a site.
#[derive(Deserialize)]
struct Index {
    sets: Vec<IndexedSet>,
}

/// A set of tables in the index.
#[derive(Deserialize)]
struct IndexedSet {
    game: String,
    rules: String,
    /// The hash of its file.
    file: String,
}

/// The file of a set.
#[derive(Deserialize)]
struct SetFile {
    game: String,
    rules: String,
    tables: Vec<TableParts>,
}

/// A table in the file of a set.
#[derive(Deserialize)]
struct TableParts {
    name: String,
    /// The header in hexadecimal: its bytes up to the last that is not zero, and its checksum.
    header: String,
    /// Length and hash of each part.
    parts: Vec<(u64, String)>,
}

/// Returns the hash of the index, if the place has a site.
pub(crate) fn index_of(lists: &Lists<'_>) -> Result<Option<String>, FetchError> {
    let page = match lists.read(PAGE, LONGEST_PAGE) {
        // Other pages may be of any length.
        Err(FetchError::Request { problem: Problem::TooLong(_), .. }) => None,
        page => page?,
    };
    let page = String::from_utf8_lossy(&page.unwrap_or_default()).into_owned();
    let Some((_, after)) = page.split_once(MARK) else { return Ok(None) };
    let hash = after.split('"').next().unwrap_or_default();
    if is_hash(hash) {
        return Ok(Some(hash.to_owned()));
    }
    Err(FetchError::list(lists.place.url(PAGE), "it names no index of the site"))
}

/// Reads the tables of a site that are wanted. `index` is the hash of its index.
pub(crate) fn list(
    lists: &Lists<'_>,
    index: &str,
    wanted: &Selection,
    registry: &Registry,
) -> Result<Listed, FetchError> {
    let (index, _) = data::<Index>(lists, index)?;
    let mut listed = Listed::default();
    let mut known_sets = BTreeSet::new();
    for set in index.sets {
        if !known_sets.insert((set.game.clone(), set.rules.clone())) {
            let problem = format!("{} (rules {}) is listed twice", set.game, set.rules);
            return Err(FetchError::list(lists.place.url(PAGE), problem));
        }
        listed.sets.push(format!("{} --rules {}", set.game, set.rules));
        if !wanted.is_of(&set.game, &set.rules) {
            continue;
        }
        let (file, list) = data::<SetFile>(lists, &set.file)?;
        let failed = |problem| FetchError::list(&list.url, problem);
        if (&file.game, &file.rules) != (&set.game, &set.rules) {
            return Err(failed(format!("it is of {} (rules {})", file.game, file.rules)));
        }
        for table in file.tables {
            let name = table_name(&table.name, &set.game, &set.rules).map_err(failed)?;
            if !wanted.includes(&name) {
                continue;
            }
            let planned = planned(&set, table, &name, registry);
            let planned = planned.map_err(|problem| failed(format!("{name}: {problem}")))?;
            listed.tables.push(planned);
        }
        listed.files.push(list);
    }
    Ok(listed)
}

/// Plans a table of a set. The error is the problem of the table.
fn planned(
    set: &IndexedSet,
    table: TableParts,
    name: &TableName,
    registry: &Registry,
) -> Result<PlannedTable, String> {
    let header = header_of(&table.header).ok_or("the header is malformed")?;
    let mut offset = HEADER_LEN as u64;
    let mut parts = Vec::with_capacity(table.parts.len());
    let mut version = Xxh3::new();
    version.update(&header);
    for (len, hash) in table.parts {
        if !is_hash(&hash) || len == 0 {
            return Err("a part is malformed".to_owned());
        }
        version.update(hash.as_bytes());
        parts.push(Part { offset, len, hash });
        offset = offset.checked_add(len).ok_or("the parts are too long")?;
    }
    // The header is compared with its checksum, and states the length of the table.
    let storage = Box::new(HeaderOnly { header: header.clone(), len: offset });
    let opened = Table::from_storage(&table.name, storage)
        .map_err(|error| format!("{:#}", error.defect()))?;
    let known = registry.game(&set.game, Some(&set.rules));
    if known.is_ok_and(|game| rules_hash(&game) != opened.header().rules_hash()) {
        return Err(format!(
            "its rules are not those that this version knows as {} (rules {})",
            set.game, set.rules
        ));
    }
    Ok(PlannedTable {
        game: set.game.clone(),
        rules: set.rules.clone(),
        name: name.clone(),
        bytes: offset,
        left: offset,
        payload: hex(opened.header().payload_digest()),
        version: version.digest(),
        content: Content::Parts { header, parts },
    })
}

/// Reads a file of data, whose name has the hash of its content.
fn data<T: for<'de> Deserialize<'de>>(
    lists: &Lists<'_>,
    hash: &str,
) -> Result<(T, FetchedList), FetchError> {
    let name = format!("data/{hash}.json");
    let url = lists.place.url(&name);
    if !is_hash(hash) {
        return Err(FetchError::list(url, "the name is not a hash, as sites have it"));
    }
    let Some(bytes) = lists.read(&name, LONGEST_DATA)? else {
        let problem = "it is missing, though the site names it: the site is being replaced, or its \
                       copy is incomplete";
        return Err(FetchError::list(url, problem));
    };
    let found = format!("{:016x}", xxh3_64(&bytes));
    if found != hash {
        return Err(FetchError::Digest { url, what: "xxh3-64", expected: hash.to_owned(), found });
    }
    match serde_json::from_slice(&bytes) {
        Ok(read) => Ok((read, FetchedList { url, sha256: hex(&Sha256::digest(&bytes)) })),
        Err(error) => {
            Err(FetchError::list(url, format!("not an index that this version reads: {error}")))
        }
    }
}

/// Restores a header from its hexadecimal form; `None` if that is malformed.
fn header_of(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|pair| {
        let digit = |byte: u8| char::from(byte).to_digit(16);
        Some((digit(pair[0])? * 16 + digit(pair[1])?) as u8)
    });
    let mut header = bytes.collect::<Option<Vec<u8>>>()?;
    let used = header.len().checked_sub(8)?;
    if !rest.is_empty() || header.len() > HEADER_LEN {
        return None;
    }
    let zeros = HEADER_LEN - header.len();
    header.splice(used..used, std::iter::repeat_n(0, zeros));
    Some(header)
}

/// Whether a text is a hash as sites write it, which is a part of a name.
fn is_hash(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// A table of which the header alone is there.
#[derive(Debug)]
struct HeaderOnly {
    header: Vec<u8>,
    /// The length of the table in bytes.
    len: u64,
}

impl Storage for HeaderOnly {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let end = start.saturating_add(buffer.len());
        let bytes = self.header.get(start..end).ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_filled_with_zeros_before_their_checksum() {
        let header = header_of(&("89".repeat(3) + &"0a".repeat(8))).expect("a header");
        assert_eq!(header.len(), HEADER_LEN);
        assert_eq!((header[2], header[3], header[HEADER_LEN - 9]), (0x89, 0, 0));
        assert_eq!(header[HEADER_LEN - 8..], [10; 8]);
        for wrong in ["", "00", "0", "zz00000000000000000", &"00".repeat(HEADER_LEN + 1), "é"] {
            assert!(header_of(wrong).is_none(), "{wrong}");
        }
    }
}
