//! Sizes that a forged header states: nothing is allocated for them, and what cannot be allocated
//! is an error of its own.

use std::io;

use crate::support::{any_codes, forge, name, packed_table, raw_table};
use anser_core::Hunt;
use anser_core::{BySide, Side};
use anser_table::error::is_resource;
use anser_table::format::{BlockId, FrameError, Header};
use anser_table::{
    BlockCache, Defect, ErrorClass, Kind, Metric, Storage, Table, TableError, Tablebase,
};

const LAYER: u16 = 4;

/// A file of any length that holds a header and then zeros.
#[derive(Debug)]
struct Sparse {
    start: Vec<u8>,
    len: u64,
}

impl Storage for Sparse {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        for (at, byte) in (offset..).zip(buffer) {
            *byte = self.start.get(at as usize).copied().unwrap_or(0);
        }
        Ok(())
    }
}

/// A consistent header that claims `entries` entries for each side to move.
fn claiming(entries: u64, kind: Kind) -> (Vec<u8>, u64) {
    let game = Hunt::default();
    let codes = any_codes(&game, LAYER, 1);
    let (raw, header) = raw_table(&game, LAYER, &codes);
    let file = match kind {
        Kind::Raw => raw,
        Kind::Packed => packed_table(&game, &header, &codes, &crate::support::Options::default()),
    };
    let payload = match kind {
        Kind::Raw => 2 * entries.div_ceil(64) * 16,
        Kind::Packed => header.layout().payload.len,
    };
    let (align, checks) = match kind {
        Kind::Raw => (4096, payload.div_ceil(16 << 10) * 8),
        Kind::Packed => (8, 2 * entries.div_ceil(4096) * 16 + 8),
    };
    let start = (4096 + payload).next_multiple_of(align);
    let words =
        |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let mut file = file[..4096].to_vec();
    for (at, values) in [
        (152, words(&[entries; 2])),
        (168, words(&[entries, 0, 0, 0, 0, entries])),
        (216, words(&[4096, payload, start, checks])),
    ] {
        file = forge(&file, at, &values);
    }
    if kind == Kind::Packed {
        file = forge(&file, 328, &words(&[entries.div_ceil(4096); 2]));
    }
    file = forge(&file, 344, &words(&[start + checks]));
    let description = header.layout().description.len;
    let header = Header::decode(&file).expect("the header is consistent");
    let len = start + checks + description;
    assert_eq!(header.layout().file_len(), len);
    (file, len)
}

#[test]
fn a_header_that_claims_a_quintillion_entries_opens_and_its_probes_fail_without_an_allocation() {
    for kind in Kind::ALL {
        for entries in [1 << 50, 1 << 55, 1 << 60] {
            let (start, len) = claiming(entries, kind);
            let table = Table::from_storage("forged", Box::new(Sparse { start, len })).unwrap();
            assert_eq!(table.header().entries(), BySide::new(entries, entries));
            let cache = BlockCache::default();
            let mut errors = vec![
                table.verify_part(table.parts() - 1).unwrap_err(),
                table.verify_rest().unwrap_err(),
            ];
            for side in Side::BOTH {
                // Without an index, blocks of a packed table are read by their number alone.
                if kind == Kind::Packed {
                    let block = BlockId { side, number: entries / 4096 - 1 };
                    errors.push(table.read_block(block, &mut [0; 4096]).unwrap_err());
                    let probed = table.outcome(side, entries - 1, &cache).unwrap_err();
                    assert!(matches!(probed.defect(), Defect::OrderUnknown), "{probed}");
                    continue;
                }
                errors.push(table.outcome(side, entries - 1, &cache).unwrap_err());
                let mut words = [0; 64];
                errors.push(table.read_pairs(side, entries / 64 - 40, &mut words).unwrap_err());
            }
            for error in errors {
                assert_eq!(error.class(), ErrorClass::Resources, "{kind:?} {entries}: {error}");
                assert!(error.to_string().contains("ulimit"), "{error}");
            }
        }
    }
}

#[test]
fn a_tablebase_compares_the_identity_before_anything_of_that_size_is_made() {
    for kind in Kind::ALL {
        let (start, len) = claiming(1 << 60, kind);
        let game = Hunt::default();
        let table =
            Table::from_storage(name(&game, LAYER, kind), Box::new(Sparse { start, len })).unwrap();
        let tables = Tablebase::from_tables(game, [table]);
        let error = tables.table(LAYER).unwrap_err();
        assert_eq!(error.class(), ErrorClass::Corrupt);
        assert!(error.to_string().contains("number of entries"), "{error}");
        assert!(tables.table_of(LAYER, Metric::Wdl).is_err());
    }
}

#[test]
fn what_the_system_does_not_give_is_no_damage() {
    for (error, class) in [
        (io::Error::from(io::ErrorKind::OutOfMemory), ErrorClass::Resources),
        (io::Error::from(io::ErrorKind::PermissionDenied), ErrorClass::Io),
        (io::Error::from(io::ErrorKind::Interrupted), ErrorClass::Io),
        (io::Error::from(io::ErrorKind::UnexpectedEof), ErrorClass::Corrupt),
    ] {
        assert_eq!(is_resource(&error), class == ErrorClass::Resources);
        assert_eq!(TableError::new("x", error).class(), class);
    }
    let full = TableError::new("x", Defect::Directory(io::ErrorKind::OutOfMemory.into()));
    assert_eq!(full.class(), ErrorClass::Resources);
    assert_eq!(TableError::new("x", FrameError::Memory).class(), ErrorClass::Resources);
    assert_eq!(TableError::new("x", FrameError::NotAValue).class(), ErrorClass::Corrupt);
    #[cfg(target_os = "linux")]
    for (code, class) in
        [(12, ErrorClass::Resources), (24, ErrorClass::Resources), (5, ErrorClass::Io)]
    {
        assert_eq!(
            TableError::new("x", io::Error::from_raw_os_error(code)).class(),
            class,
            "errno {code}"
        );
    }
}
