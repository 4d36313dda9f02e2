//! The fuzz targets. `crates/anser-table/tests/it/fuzz.rs` runs them on the seeds and mutations of
//! them, with a stable compiler and without a fuzzer.

use std::sync::{Arc, OnceLock};

use anser_core::hunt::{Description, HuntIndex, fox_geese};
use anser_core::{Hunt, Side};
use anser_table::format::{
    FORMAT_VERSION, HEADER_LEN, Header, SIGNATURE, decode_block, decode_distances, raw_check,
};
use anser_table::manifest::Manifest;
use anser_table::{BlockCache, Kind, Storage, Table, TableName};
use xxhash_rust::xxh3::xxh3_64;

/// A target. It panics if the library violates a property.
pub type Target = fn(&[u8]);

/// The targets by name.
pub const TARGETS: [(&str, Target); 7] = [
    ("notation", notation),
    ("description", description),
    ("header", header),
    ("manifest", manifest),
    ("frame", frame),
    ("damaged", damaged),
    ("forged", forged),
];

/// Tables of several games, raw and packed, with outcomes and with distances.
pub const TABLES: [&[u8]; 8] = [
    include_bytes!("../../data/fixtures/v1/fox-geese.first-capture.L04.wdl.anserz"),
    include_bytes!("../../data/fixtures/v1/fox-geese.free.L05.wdl.anserz"),
    include_bytes!("../../data/fixtures/v1/fox-geese.first-capture.L29.dtw.anser"),
    include_bytes!("../../data/fixtures/v1/fox-geese.first-capture.L29.dtw.anserz"),
    include_bytes!("../../data/fixtures/v1/hare-hounds.budget-60.L30.dtw.anser"),
    include_bytes!("../../data/fixtures/v1/hare-hounds.budget-60.L30.dtw.anserz"),
    include_bytes!("../../data/fixtures/v1/hexapawn-3x3.standard.L08.wdl.anser"),
    include_bytes!("../../data/fixtures/v1/hexapawn-3x3.standard.L08.wdl.anserz"),
];

/// Positions, moves, rule sets, and names of tables: valid texts are written and parsed back the
/// same. Errors name a column inside the text or just behind it.
pub fn notation(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let game = Hunt::default();
    match game.parse_position(text) {
        Ok(position) => {
            assert_eq!(game.parse_position(&game.format_position(&position)), Ok(position));
        }
        Err(error) => assert!((1..=text.chars().count() + 1).contains(&error.column())),
    }
    let start = game.parse_position("3/3/2g1g2/3F3/3g3/g1g/3 f").expect("this one is right");
    if let Ok(mv) = game.parse_move(&start, text) {
        assert_eq!(game.format_move(&mv), text);
    }
    if let Ok(description) = fox_geese(text) {
        assert_eq!(fox_geese(&description.rules), Ok(description));
    }
    if let Some(name) = TableName::parse(text) {
        assert_eq!(name.to_string(), text);
    }
}

/// Descriptions: any bytes are rejected, or describe a game and are written back the same. So is
/// every description whose text can be read, whether it can be played or not.
pub fn description(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(description) = Description::from_text(text) else { return };
    assert_eq!(description.to_string(), text);
    match Hunt::new(description) {
        Ok(game) => {
            assert_eq!(game.description_text(), text);
            let start = game.start();
            assert_eq!(game.parse_position(&game.format_position(&start)), Ok(start));
            assert!(game.layers().contains(&game.layer(&start)));
            for (mv, next) in game.moves(&start) {
                assert_eq!(game.after(&start, &mv), Some(next));
            }
        }
        Err(problem) => assert!(!problem.to_string().is_empty()),
    }
}

/// Headers: any bytes, and any bytes with a matching checksum, are rejected or describe a file that
/// can exist.
pub fn header(bytes: &[u8]) {
    let _ = Header::decode(bytes);
    // Without a matching checksum the fuzzer would not reach the fields.
    let mut forged = [0; HEADER_LEN];
    let len = bytes.len().min(HEADER_LEN - 8);
    forged[..len].copy_from_slice(&bytes[..len]);
    forged[..8].copy_from_slice(&SIGNATURE);
    forged[8..10].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
    mend_header(&mut forged);
    let Ok(header) = Header::decode(&forged) else { return };
    assert_eq!(header.encode(), forged);
    // A file of that length with nothing but the header.
    let file = Sparse { start: forged.to_vec(), len: header.layout().file_len() };
    if let Ok(table) = Table::from_storage("forged", Box::new(file)) {
        for side in Side::BOTH {
            let last = table.header().entries()[side].saturating_sub(1);
            let _ = table.outcome(side, last, &BlockCache::new(0));
        }
        let _ = table.hunt();
    }
}

/// Manifests: any bytes are rejected, or written and parsed back the same.
pub fn manifest(bytes: &[u8]) {
    if let Ok(manifest) = Manifest::from_json(bytes) {
        let again = Manifest::from_json(&manifest.to_json());
        // Seconds that are not a number are written as null, which does not parse.
        assert!(
            again.is_err()
                || again.is_ok_and(|again| again.tables().count() == manifest.tables().count())
        );
    }
}

/// Frames: any bytes are rejected or decode to values.
pub fn frame(bytes: &[u8]) {
    if let Ok(words) = decode_block(bytes, 4096) {
        assert!(words.as_chunks::<2>().0.iter().all(|[first, second]| first & second == 0));
    }
    for (largest, side) in [0, 100, 300].into_iter().flat_map(|l| Side::BOTH.map(|side| (l, side)))
    {
        if let Ok(codes) = decode_distances(bytes, side, largest, 4096) {
            assert!(codes.iter().all(|&code| code <= largest));
        }
    }
}

/// Tables with changed bytes, checksums as they are: rejected, or the answers are those of the
/// sound table.
pub fn damaged(bytes: &[u8]) {
    let Some((original, table)) = changed(bytes) else { return };
    let Ok(table) = Table::from_bytes("damaged", table) else { return };
    let Ok(sound) = Table::from_bytes("sound", original.to_vec()) else { return };
    let (table, sound) = (with_index(table), with_index(sound));
    let cache = BlockCache::default();
    let layer = table.header().layer();
    for side in Side::BOTH {
        // A header that matches its checksum is the original one.
        assert_eq!(
            (layer, table.header().entries()),
            (sound.header().layer(), sound.header().entries())
        );
        for rank in (0..table.header().entries()[side]).step_by(997) {
            if let Ok(outcome) = table.outcome(side, rank, &cache) {
                assert_eq!(Some(outcome), sound.outcome(side, rank, &cache).ok());
            }
            if let Ok(value) = table.dtw(side, rank, &cache) {
                assert_eq!(Some(value), sound.dtw(side, rank, &cache).ok());
            }
        }
    }
    if let Ok(text) = table.description_text() {
        assert_eq!(Some(text), sound.description_text().ok());
    }
    assert!(table.verify().is_err() || sound.verify().is_ok());
}

/// Tables with changed bytes and matching checksums, to reach the code behind them: rejected, or
/// the answers are values.
pub fn forged(bytes: &[u8]) {
    let Some((_, mut table)) = changed(bytes) else { return };
    mend(&mut table);
    let Ok(table) = Table::from_bytes("forged", table) else { return };
    let table = with_index(table);
    let cache = BlockCache::new(1 << 20);
    for side in Side::BOTH {
        let entries = table.header().entries()[side];
        for rank in
            (0..entries).step_by((entries / 50).max(1) as usize).chain(entries.checked_sub(1))
        {
            let _ = table.outcome(side, rank, &cache);
            if let Ok(Some(value)) = table.dtw(side, rank, &cache) {
                assert!(value.code() <= table.header().largest_code());
            }
        }
        let _ = table.read_pairs(side, 0, &mut [0; 64]);
    }
    let _ = table.verify();
}

/// Chooses a table by the first byte and applies changes of five bytes each: four for the offset,
/// one for the bits to flip.
fn changed(bytes: &[u8]) -> Option<(&'static [u8], Vec<u8>)> {
    let (&chosen, changes) = bytes.split_first()?;
    let original = TABLES[usize::from(chosen) % TABLES.len()];
    let mut table = original.to_vec();
    for change in changes.chunks_exact(5) {
        let at = u32::from_le_bytes([change[0], change[1], change[2], change[3]]);
        // Half of all changes are in the header, which is a small part of the file.
        let room = if at & 1 == 0 { HEADER_LEN.min(table.len()) } else { table.len() };
        table[(at >> 1) as usize % room] ^= change[4];
    }
    Some((original, table))
}

/// Updates the checksums of a table, as far as its header gives their places.
fn mend(table: &mut Vec<u8>) {
    if table.len() < HEADER_LEN {
        return;
    }
    let mut head = [0; HEADER_LEN];
    head.copy_from_slice(&table[..HEADER_LEN]);
    mend_header(&mut head);
    let Ok(header) = Header::decode(&head) else { return };
    let layout = *header.layout();
    // A header that states another length gets a file of that length, if it is short.
    if layout.file_len() <= 1 << 20 {
        table.resize(layout.file_len() as usize, 0);
    }
    if layout.file_len() == table.len() as u64 {
        let [payload, checks, description] = [layout.payload, layout.checks, layout.description]
            .map(|region| region.offset as usize..(region.offset + region.len) as usize);
        head[360..368].copy_from_slice(&xxh3_64(&table[description]).to_le_bytes());
        let body = table[payload].to_vec();
        let list = &mut table[checks.clone()];
        match header.kind() {
            Kind::Raw => {
                for (check, block) in list.chunks_exact_mut(8).zip(body.chunks(16 << 10)) {
                    check.copy_from_slice(&raw_check(block).to_le_bytes());
                }
            }
            Kind::Packed => {
                let offsets: Vec<usize> =
                    list.chunks(16).map(|entry| number(entry) as usize).collect();
                for (entry, ends) in list.chunks_exact_mut(16).zip(offsets.windows(2)) {
                    if let Some(frame) = body.get(ends[0]..ends[1]) {
                        entry[8..].copy_from_slice(&xxh3_64(frame).to_le_bytes());
                    }
                }
            }
        }
        let hash = xxh3_64(&table[checks]);
        head[248..256].copy_from_slice(&hash.to_le_bytes());
        if header.kind() == Kind::Raw {
            head[256..288].copy_from_slice(blake3::hash(&body).as_bytes());
        }
    }
    mend_header(&mut head);
    table[..HEADER_LEN].copy_from_slice(&head);
}

fn mend_header(header: &mut [u8; HEADER_LEN]) {
    let hash = xxh3_64(&header[..HEADER_LEN - 8]);
    header[HEADER_LEN - 8..].copy_from_slice(&hash.to_le_bytes());
}

fn number(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[..8]);
    u64::from_le_bytes(word)
}

/// Adds the index of its layer to a table, where its header is that of a table of [`TABLES`].
fn with_index(table: Table) -> Table {
    type Known = (String, String, u16, Arc<HuntIndex>);
    static INDEXES: OnceLock<Vec<Known>> = OnceLock::new();
    let indexes = INDEXES.get_or_init(|| {
        let known = TABLES.iter().map(|bytes| {
            let table = Table::from_bytes("sound", bytes.to_vec()).expect("a sound table");
            let (game, header) = (table.hunt().expect("a sound description"), table.header());
            let index = Arc::new(game.index(header.layer()));
            (game.name().to_owned(), game.rules_id().to_owned(), header.layer(), index)
        });
        known.collect()
    });
    let header = table.header();
    let key = (header.game(), header.rules(), header.layer());
    let known = indexes.iter().find(|(game, rules, layer, _)| (&**game, &**rules, *layer) == key);
    match known {
        Some((.., index)) => table.with_index(&**index),
        None => table,
    }
}

/// A file of any length with a header and zeros.
#[derive(Debug)]
struct Sparse {
    start: Vec<u8>,
    len: u64,
}

impl Storage for Sparse {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        if buffer.len() > 1 << 16 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        for (at, byte) in (offset..).zip(buffer) {
            *byte =
                usize::try_from(at).ok().and_then(|at| self.start.get(at)).copied().unwrap_or(0);
        }
        Ok(())
    }
}
