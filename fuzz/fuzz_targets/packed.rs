//! Packed tables: a shipped table with any of its bytes changed, and frames of any bytes, are refused or answer as before.
#![no_main]

use anser_core::fox_geese::FoxGeese;
use anser_core::{Game, Side};
use anser_table::{BlockCache, Content, Table, decode_block, decode_distances};
use libfuzzer_sys::fuzz_target;

const TABLES: [&[u8]; 3] = [
    include_bytes!("../../data/fixtures/v1/fox-geese.first-capture.L04.wdl.anserz"),
    include_bytes!("../../data/fixtures/v2/fox-geese.first-capture.L04.wdl.anserz"),
    include_bytes!("../../data/fixtures/v3/fox-geese.first-capture.L29.dtw.anserz"),
];

fuzz_target!(|bytes: &[u8]| {
    for content in Content::ALL {
        let _ = decode_block(bytes, content, 4096, None);
    }
    for largest in [0, 100, 300] {
        let _ = decode_distances(bytes, largest, 4096, None);
    }
    let index = FoxGeese::default().index(4);
    for original in TABLES {
        // Three bytes say which byte to change, the next what to.
        let mut table = original.to_vec();
        for change in bytes.chunks_exact(4) {
            let at = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize % table.len();
            table[at] ^= change[3];
        }
        let Ok(table) = Table::from_bytes("fuzzed", table) else { continue };
        let Ok(sound) = Table::from_bytes("sound", original.to_vec()) else { continue };
        let (table, sound) = (table.with_index(&index), sound.with_index(&index));
        let cache = BlockCache::default();
        for side in Side::BOTH {
            for rank in (0..table.header().entries()[side.index()]).step_by(997) {
                if let Ok(outcome) = table.outcome(side, rank, &cache) {
                    assert_eq!(Some(outcome), sound.outcome(side, rank, &cache).ok());
                }
                if let Ok(value) = table.dtw(side, rank, &cache) {
                    assert_eq!(Some(value), sound.dtw(side, rank, &cache).ok());
                }
            }
        }
        let _ = table.verify();
    }
});
