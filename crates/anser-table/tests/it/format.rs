//! Damaged, cut, foreign, and forged files are refused or answered by an error, never answered
//! wrongly.

use crate::support::{
    Codes, Options, Random, any_codes, check_every_bit_of_the_header, flip_bit, forge,
    other_lengths, packed_table, raw_table,
};
use anser_core::{BySide, Hunt, LayerIndex, PackingOrder, Side};
use anser_table::error::{Damage, DescriptionDefect, Property};
use anser_table::format::{HEADER_LEN, Header, Packing, outcome_of};
use anser_table::{
    BlockCache, Defect, ErrorClass, Mapping, Memory, PositionedReads, Table, TableError,
};
use xxhash_rust::xxh3::xxh3_64;

/// Layer 3 has 20 thousand classes a side, which makes flipping thousands of bits cheap.
const LAYER: u16 = 3;

fn open(bytes: &[u8]) -> Result<Table, TableError> {
    Table::from_bytes("fox-geese.free.L03.wdl.anser", bytes.to_vec()).map(with_index)
}

fn with_index(table: Table) -> Table {
    table.with_index(&Hunt::default().index(LAYER))
}

/// A raw table and packed ones of every sort, all with the same values.
fn tables() -> (Codes, Vec<(&'static str, Vec<u8>)>) {
    let game = Hunt::default();
    let codes = any_codes(&game, LAYER, 1);
    let (raw, header) = raw_table(&game, LAYER, &codes);
    let packed = |options: Options| packed_table(&game, &header, &codes, &options);
    let files = vec![
        ("packed", packed(Options::default())),
        ("packed in small blocks", packed(Options { block_entries: 1024, ..Options::default() })),
        (
            "packed, one side",
            packed(Options { stored: BySide::new(false, true), block_entries: 64 }),
        ),
        ("raw", raw),
    ];
    (codes, files)
}

/// Looks entries up; each must be right or an error. Says whether there was an error.
fn probe(table: &Table, codes: &Codes, ranks: impl Iterator<Item = u64>, what: &str) -> bool {
    let cache = BlockCache::default();
    let mut failed = false;
    for rank in ranks {
        for side in Side::BOTH.into_iter().filter(|&side| table.stores(side)) {
            match table.outcome(side, rank, &cache) {
                Ok(found) => {
                    assert_eq!(
                        found,
                        outcome_of(codes[side][rank as usize]),
                        "{what}: rank {rank}"
                    );
                }
                Err(error) => {
                    assert_eq!(error.class(), ErrorClass::Corrupt, "{error}");
                    failed = true;
                }
            }
        }
    }
    failed
}

#[test]
fn every_entry_reads_back_from_every_kind_of_table_and_storage() {
    let (codes, files) = tables();
    let directory = tempfile::tempdir().unwrap();
    for (what, file) in files {
        let path = directory.path().join("table.anser");
        std::fs::write(&path, &file).unwrap();
        // SAFETY: this test alone knows the directory, and the table is closed before the next one
        // is written.
        let mapping = unsafe { Mapping::new() };
        for table in
            [open(&file), Table::open(&path, &PositionedReads), Table::open(&path, &mapping)]
        {
            let table = with_index(table.unwrap());
            table.verify().unwrap();
            assert!(!probe(&table, &codes, 0..codes[Side::First].len() as u64, what));
            let cache = BlockCache::default();
            for side in Side::BOTH {
                let entries = table.header().entries()[side];
                assert_eq!(table.outcome(side, entries, &cache).unwrap(), None);
                assert_eq!(table.outcome(side, u64::MAX, &cache).unwrap(), None);
                assert_eq!(table.outcome(side, 0, &cache).unwrap().is_some(), table.stores(side));
            }
        }
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn pairs_of_words_read_back_from_any_place() {
    let (codes, files) = tables();
    let mut random = Random(5);
    for (what, file) in files {
        let table = open(&file).unwrap();
        for side in Side::BOTH {
            let pairs = (codes[side].len() as u64).div_ceil(64);
            for _ in 0..50 {
                let first = random.below(pairs);
                let mut words = vec![0; 2 * (1 + random.below(pairs - first)) as usize];
                assert_eq!(table.read_pairs(side, first, &mut words).unwrap(), table.stores(side));
                if table.stores(side) {
                    let expected = codes[side][64 * first as usize..].iter();
                    for (entry, &code) in (0..words.len() as u64 * 32).zip(expected) {
                        assert_eq!(anser_table::format::get(&words, entry), code, "{what}");
                    }
                }
            }
            assert!(!table.read_pairs(side, pairs, &mut [0; 2]).unwrap());
            assert!(!table.read_pairs(side, u64::MAX, &mut [0; 2]).unwrap());
            assert!(!table.read_pairs(side, 0, &mut [0; 3]).unwrap());
        }
    }
}

#[test]
fn entries_in_another_order_are_read_with_the_index_or_not_at_all() {
    let (codes, files) = tables();
    let (_, file) = files.into_iter().find(|(what, _)| *what == "packed").unwrap();
    let table = Table::from_bytes("x", file).unwrap();
    table.verify().unwrap();
    // The index of another layer is as good as none.
    let table = table.with_index(&Hunt::default().index(4));
    let cache = BlockCache::default();
    let error = table.outcome(Side::First, 0, &cache).unwrap_err();
    assert!(matches!(error.defect(), Defect::OrderUnknown), "{error}");
    assert!(table.read_pairs(Side::First, 0, &mut [0; 2]).is_err());
    let table = with_index(table);
    assert_eq!(table.outcome(Side::First, 7, &cache).unwrap(), outcome_of(codes[Side::First][7]));
}

#[test]
fn headers_read_back() {
    for (_, file) in tables().1 {
        let header = Header::decode(&file).unwrap();
        assert_eq!(header.encode(), file[..HEADER_LEN]);
        assert_eq!((header.game(), header.rules(), header.layer()), ("fox-geese", "free", LAYER));
        assert_eq!(header.layout().file_len(), file.len() as u64);
    }
}

#[test]
fn any_bit_of_a_header_matters() {
    for (what, file) in tables().1 {
        check_every_bit_of_the_header(&file, what);
    }
}

#[test]
fn a_table_of_any_other_length_is_refused() {
    for (what, file) in tables().1 {
        for other in other_lengths(&file) {
            let error = open(&other).unwrap_err();
            assert_eq!(error.class(), ErrorClass::Corrupt, "{what}: {}: {error}", other.len());
        }
    }
}

#[test]
fn a_flipped_bit_gives_an_error_or_the_right_answer() {
    let (codes, files) = tables();
    let entries = codes[Side::First].len() as u64;
    for (seed, (what, file)) in files.iter().enumerate() {
        let mut random = Random(seed as u64);
        for number in 0..1200 {
            let (damaged, byte, bit) = flip_bit(file, number, &mut random);
            let what = format!("{what}, seed {seed}, byte {byte}, bit {bit}");
            if let Ok(table) = open(&damaged) {
                probe(&table, &codes, (0..20).map(|_| random.below(entries)), &what);
                assert_eq!(table.verify().unwrap_err().class(), ErrorClass::Corrupt, "{what}");
            } else {
                assert!(byte < HEADER_LEN, "{what}");
            }
        }
    }
}

#[test]
fn a_flipped_bit_in_a_file_gives_an_error_or_the_right_answer() {
    let (codes, files) = tables();
    let mut random = Random(11);
    let directory = tempfile::tempdir().unwrap();
    for (number, (what, file)) in (0..500).zip(files.iter().cycle()) {
        let (byte, bit) =
            (random.below((file.len() - HEADER_LEN) as u64) as usize + HEADER_LEN, random.below(8));
        let mut damaged = file.clone();
        damaged[byte] ^= 1 << bit;
        let path = directory.path().join(number.to_string());
        std::fs::write(&path, &damaged).unwrap();
        // SAFETY: this test alone knows the directory, and every file in it is written once.
        let mapping = unsafe { Mapping::new() };
        for table in [Table::open(&path, &PositionedReads), Table::open(&path, &mapping)] {
            let table = table.unwrap();
            let ranks = (0..20).map(|_| random.below(codes[Side::First].len() as u64));
            probe(&table, &codes, ranks, &format!("{what}, byte {byte}, bit {bit}"));
            assert!(table.verify().is_err(), "{what}, byte {byte}, bit {bit}");
        }
    }
}

#[test]
fn a_damaged_block_leaves_the_others_readable() {
    let game = Hunt::default();
    let codes = any_codes(&game, 4, 1);
    let (mut raw, header) = raw_table(&game, 4, &codes);
    raw[HEADER_LEN + 20_000] ^= 1;
    let mut packed = packed_table(&game, &header, &codes, &Options::default());
    let last = Header::decode(&packed).unwrap().layout().payload.end() as usize - 1;
    packed[last] ^= 1;
    let index = game.index(4);
    let order = index.packing_order(Side::Second);
    let last_block = (order.len() - 1) / 4096 * 4096;
    let in_raw: fn(&PackingOrder, u64, u64) -> bool = |_, _, rank| rank < 4096;
    for (file, is_sound) in
        [(raw, in_raw), (packed, |order, last_block, rank| order.place(rank) < last_block)]
    {
        let table = Table::from_bytes("x", file).unwrap().with_index(&index);
        let is_sound = |&rank: &u64| is_sound(&order, last_block, rank);
        let (sound, damaged): (Vec<u64>, Vec<u64>) = (0..order.len()).partition(is_sound);
        assert!(!probe(&table, &codes, sound.into_iter().step_by(50), "the sound part"));
        assert!(probe(&table, &codes, damaged.into_iter().step_by(500), "the damaged part"));
    }
}

#[test]
fn frames_that_are_not_what_they_should_be_are_refused_even_with_good_checksums() {
    let (codes, files) = tables();
    let mut random = Random(3);
    for (what, file) in files.iter().filter(|(what, _)| what.starts_with("packed")) {
        let header = Header::decode(file).unwrap();
        let layout = *header.layout();
        let (checks, payload) = (layout.checks, layout.payload);
        for _ in 0..300 {
            let mut forged = file.clone();
            for _ in 0..=random.below(3) {
                forged[(payload.offset + random.below(payload.len)) as usize] = random.next() as u8;
            }
            if random.below(2) == 0 {
                // An offset of the index as well.
                let block = random.below(checks.len / 16);
                forged[(checks.offset + 16 * block + random.below(8)) as usize] =
                    random.next() as u8;
            }
            for at in (checks.offset..checks.end() - 8).step_by(16) {
                let word =
                    |at: u64| u64::from_le_bytes(forged[at as usize..][..8].try_into().unwrap());
                let (start, end) = (word(at).min(payload.len), word(at + 16).min(payload.len));
                let frame = &forged
                    [(payload.offset + start) as usize..(payload.offset + end.max(start)) as usize];
                let hash = xxh3_64(frame);
                forged[at as usize + 8..][..8].copy_from_slice(&hash.to_le_bytes());
            }
            let hash = xxh3_64(&forged[checks.offset as usize..checks.end() as usize]);
            let forged_header =
                header.to_packed(header.packing().unwrap().clone(), hash, "forger").unwrap();
            forged[..HEADER_LEN].copy_from_slice(&forged_header.encode());
            // Whatever comes out, it comes out without a panic and within the bounds of the block.
            let table = open(&forged).unwrap();
            for rank in (0..codes[Side::First].len() as u64).step_by(64) {
                let cache = BlockCache::default();
                let _ = table.outcome(Side::Second, rank, &cache);
            }
            let _ = (what, table.verify());
        }
    }
}

#[test]
fn forged_headers_are_refused_whatever_they_claim() {
    let mut random = Random(9);
    for (what, file) in tables().1 {
        let numbers = [
            0,
            1,
            7,
            1 << 20,
            1 << 31,
            1 << 32,
            1 << 60,
            u64::MAX / 16,
            u64::MAX / 2,
            u64::MAX - 1,
            u64::MAX,
        ];
        // Sizes, offsets and numbers of blocks, each at its worst.
        for at in [152, 160, 216, 224, 232, 240, 328, 336, 344, 352] {
            for number in numbers {
                let forged = forge(&file, at, &number.to_le_bytes());
                assert!(forged == file || open(&forged).is_err(), "{what}: {number} at {at}");
            }
        }
        for number in [0u32, 1, 63, 65, 1 << 21, 1 << 31, u32::MAX] {
            let forged = forge(&file, 324, &number.to_le_bytes());
            assert!(forged == file || open(&forged).is_err(), "{what}: blocks of {number}");
        }
        // Enumerations, markers, codes, names and reserved bytes.
        for (at, byte) in
            [(10, 2), (11, 2), (12, 1), (16, 0), (16, 200), (40, 65), (47, 65), (122, 1), (123, 4)]
                .into_iter()
                .chain([
                    (124, b'X'),
                    (148, 1),
                    (319, 65),
                    (320, 4),
                    (322, 3),
                    (323, 1),
                    (368, 1),
                    (4087, 1),
                ])
        {
            assert!(open(&forge(&file, at, &[byte])).is_err(), "{what}: byte {byte} at {at}");
        }
        for _ in 0..2000 {
            let at = random.below(HEADER_LEN as u64 - 16) as usize;
            let bytes = random.next().to_le_bytes();
            // Some fields may hold anything, such as digests; opening must come to an end, that is
            // all.
            let _ = open(&forge(&file, at, &bytes[..=random.below(8) as usize]));
        }
    }
}

#[test]
fn counts_that_the_classes_cannot_have_are_refused() {
    let file = &tables().1[0].1;
    assert!(open(&forge(file, 168, &u64::MAX.to_le_bytes())).is_err());
    assert!(open(&forge(file, 168, &[0; 48])).is_err());
}

#[test]
fn versions_foreign_files_and_unfinished_ones_are_told_apart() {
    let game = Hunt::default();
    let (_, files) = tables();
    for (_, file) in files {
        let defect = |file: &[u8]| open(file).unwrap_err();
        for other in [0, 2, 5] {
            let unknown = defect(&forge(&file, 8, &[other, 0]));
            let expected = u16::from(other);
            assert!(matches!(unknown.defect(), Defect::UnknownVersion(v) if *v == expected));
        }
        // The signature of files that were made before 0.1.0, in any version.
        let earlier = defect(&[b"\x89ANSR\r\n\x1a\x04\0", &file[10..]].concat());
        assert!(matches!(earlier.defect(), Defect::Earlier));
        assert_eq!(earlier.class(), ErrorClass::Corrupt);
        let earlier = earlier.to_string();
        assert!(earlier.contains("before 0.1.0") && earlier.ends_with("solve the layer again"));
        assert!(matches!(defect(&forge(&file, 0, b"\x89PNG")).defect(), Defect::NotATable));
        assert!(matches!(defect(&forge(&file, 5, b"\n\x1a")).defect(), Defect::NotATable));
        assert!(matches!(defect(&[]).defect(), Defect::NotATable));
        let unfinished = defect(&forge(&file, 11, &[0]));
        assert!(matches!(unfinished.defect(), Defect::Unfinished));
        assert!(unfinished.to_string().contains("let its writer finish"), "{unfinished}");
        let cut = defect(&file[..5000]).to_string();
        assert!(
            cut.contains("truncated") && cut.contains("layer 3") && cut.contains("copy"),
            "{cut}"
        );
    }
    let unfinished = Header::new_raw(&game, 8, &game.index(8), None, "anser 0.1.0").unwrap();
    assert_eq!(Header::decode(&unfinished.encode()).unwrap(), unfinished);
    assert!(!unfinished.is_complete());
}

#[test]
fn the_identity_of_a_table_is_checked_in_every_point() {
    let game = Hunt::default();
    let (_, header) = raw_table(&game, LAYER, &any_codes(&game, LAYER, 1));
    let mismatch =
        |game: &Hunt, layer: u16| match header.check_identity(game, layer, &game.index(layer)) {
            Err(Defect::Mismatch { what, .. }) => what,
            other => panic!("{other:?}"),
        };
    assert!(header.check_identity(&game, LAYER, &game.index(LAYER)).is_ok());
    assert_eq!(mismatch(&Hunt::fox_geese("first-capture").unwrap(), LAYER), Property::RuleSet);
    assert_eq!(mismatch(&game, 4), Property::Layer);
    assert_eq!(mismatch(&game.without_symmetry(), LAYER), Property::Index);
    let (file, _) = raw_table(&Hunt::default(), LAYER, &any_codes(&Hunt::default(), LAYER, 1));
    let other_rules = Header::decode(&forge(&file, 112, &[1, 2, 3])).unwrap();
    let game = Hunt::default();
    let index = game.index(LAYER);
    assert!(
        other_rules
            .check_identity(&game, LAYER, &index)
            .unwrap_err()
            .to_string()
            .contains("meaning")
    );
}

#[test]
fn headers_that_cannot_be_are_not_made() {
    let game = Hunt::default();
    let index = game.index(LAYER);
    for generator in ["", "é", "a generator with a name that is too long"] {
        assert!(Header::new_raw(&game, LAYER, &index, None, generator).is_err());
    }
    let raw = Header::new_raw(&game, LAYER, &index, None, "x").unwrap();
    let packing = Packing {
        stored: BySide::new(true, true),
        level: 19,
        block_entries: 1 << 16,
        payload_len: 0,
    };
    assert!(raw.to_packed(packing.clone(), 0, "x").is_ok());
    for wrong in [
        Packing { stored: BySide::new(false, false), ..packing.clone() },
        Packing { block_entries: 0, ..packing.clone() },
        Packing { block_entries: 96, ..packing.clone() },
        Packing { block_entries: 1 << 21, ..packing.clone() },
        Packing { payload_len: u64::MAX, ..packing.clone() },
    ] {
        assert!(raw.to_packed(wrong.clone(), 0, "x").is_err(), "{wrong:?}");
    }
}

#[test]
fn a_raw_table_with_an_entry_without_a_value_is_corrupt() {
    let game = Hunt::default();
    let mut codes = any_codes(&game, LAYER, 1);
    let (_, header) = raw_table(&game, LAYER, &codes);
    codes[Side::Second][100] = 3;
    let payload = crate::support::raw_payload(&codes);
    let (file, _) = crate::support::raw_file(&game, header.clone(), header.counts(), payload);
    let table = Table::from_bytes("x", Memory::from(file)).unwrap();
    assert!(table.outcome(Side::Second, 100, &BlockCache::default()).is_err());
    assert!(table.outcome(Side::Second, 101, &BlockCache::default()).is_ok());
    assert!(table.verify().is_err());
}

/// Returns a file with another description, whose length and hash are in the header.
fn with_description(file: &[u8], text: &[u8]) -> Vec<u8> {
    let at = Header::decode(file).unwrap().layout().description.offset as usize;
    let file = forge(&[&file[..at], text].concat(), 352, &(text.len() as u64).to_le_bytes());
    forge(&file, 360, &xxh3_64(text).to_le_bytes())
}

#[test]
fn the_game_of_a_table_follows_from_the_file_alone() {
    let game = Hunt::default();
    for (what, file) in tables().1 {
        let table = open(&file).unwrap();
        assert_eq!(table.description_text().unwrap(), game.description_text(), "{what}");
        let read = table.hunt().unwrap();
        assert_eq!(read.fingerprint(), game.fingerprint());
        assert_eq!(read.description(), game.description());
        let index = read.index(LAYER);
        assert!(table.header().check_identity(&read, LAYER, &index).is_ok());
    }
}

#[test]
fn a_description_that_is_damaged_or_of_another_game_is_an_error_and_values_stay_readable() {
    let (codes, files) = tables();
    for (what, file) in files {
        let check = |file: &[u8], is_expected: fn(&Defect) -> bool| {
            let table = open(file).unwrap();
            for error in [table.hunt().unwrap_err(), table.verify_rest().unwrap_err()] {
                assert!(is_expected(error.defect()), "{what}: {error}");
                assert_eq!(error.class(), ErrorClass::Corrupt);
            }
            assert!(!probe(&table, &codes, (0..1000).step_by(7), what));
        };
        let mut damaged = file.clone();
        *damaged.last_mut().unwrap() ^= 1;
        check(&damaged, |defect| matches!(defect, Defect::Damaged(Damage::Description(_))));
        check(&with_description(&file, &[0xff; 20]), |defect| {
            matches!(defect, Defect::Description(DescriptionDefect::Encoding))
        });
        check(&with_description(&file, b"hunt 2\n"), |defect| {
            matches!(defect, Defect::Description(DescriptionDefect::Text(_)))
        });
        let mut description = Hunt::default().description().clone();
        description.lines.push(vec![0, 4, 8, 2]);
        check(&with_description(&file, description.to_string().as_bytes()), |defect| {
            matches!(defect, Defect::Description(DescriptionDefect::Rules(_)))
        });
        let mut description = Hunt::default().description().clone();
        description.rules = "other".to_owned();
        check(&with_description(&file, description.to_string().as_bytes()), |defect| {
            let Defect::Description(DescriptionDefect::Other { what, .. }) = defect else {
                return false;
            };
            *what == Property::RuleSet
        });
        let mut description = Hunt::default().description().clone();
        description.ends.pop();
        let text = description.to_string();
        check(&with_description(&file, text.as_bytes()), |defect| {
            matches!(defect, Defect::Description(_))
        });
        // A game without a description has an empty one.
        let table = open(&with_description(&file, b"")).unwrap();
        assert_eq!(table.description_text().unwrap(), "");
        table.verify().unwrap();
        assert!(table.hunt().is_err());
        // The longest is 2^18 bytes.
        let long = vec![b'x'; (1 << 18) + 1];
        assert!(open(&with_description(&file, &long[1..])).is_ok());
        let error = open(&with_description(&file, &long)).unwrap_err();
        assert!(matches!(error.defect(), Defect::HeaderInvalid(_)), "{error}");
    }
}
