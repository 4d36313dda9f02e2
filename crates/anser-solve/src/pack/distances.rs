//! Packing tables of distances: a byte or two an entry, in the order of their ranks, both sides to move.

use std::fs::File;
use std::path::Path;

use anser_core::{Game, Side};
use anser_table::Table;
use anser_table::error::Damage;
use anser_table::format::{
    BlockEncoder, Content, ENTRIES_PER_PAIR, Fill, FrameError, Header, Packing, decode_distances, expand_codes,
};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::SolveError;
use crate::io::writer::TableWriter;
use crate::pack::{Packer, damaged, finish, unpackable};

/// Entries in a block. It decodes to as many bytes as a block of outcomes, so that a first probe takes as long.
const BLOCK_ENTRIES: u32 = 1 << 15;

/// Blocks that are packed between two writes.
const BATCH: u64 = 64;

/// A block as it was, and as it is to be.
struct Block {
    raw: Vec<u8>,
    frame: Vec<u8>,
}

impl<G: Game> Packer<'_, G> {
    /// Writes the packed table of the distances of `source` into an empty file.
    pub(crate) fn write_distances(&self, source: &Table, file: &mut File, path: &Path) -> Result<Header, SolveError> {
        let (layer, entries) = (source.header().layer(), source.header().entries());
        let mut packing = Packing {
            stored: [true; 2],
            fill: Fill::Exact,
            content: Content::Distances,
            level: self.level,
            block_entries: BLOCK_ENTRIES,
            payload_len: 0,
            dictionary_len: 0,
            dictionary_hash: 0,
        };
        let what = format!("packing layer {layer}, distances");
        self.observer.begin(&what, entries.iter().sum());
        let mut writer = TableWriter::new(file, path)?;
        let (mut digest, mut frames) = (blake3::Hasher::new(), Vec::new());
        for side in Side::BOTH {
            let blocks = entries[side.index()].div_ceil(u64::from(BLOCK_ENTRIES));
            for first in (0..blocks).step_by(BATCH as usize) {
                let batch: Vec<Block> = (first..blocks.min(first + BATCH))
                    .into_par_iter()
                    .map(|number| self.block(source, side, number))
                    .collect::<Result<_, SolveError>>()?;
                for Block { raw, frame } in batch {
                    digest.update(&raw);
                    frames.extend([packing.payload_len, xxh3_64(&frame)]);
                    packing.payload_len += frame.len() as u64;
                    writer.payload(&frame)?;
                }
            }
        }
        finish(source, packing, &digest, frames, writer)
    }

    /// One block, decoded again to be sure.
    fn block(&self, source: &Table, side: Side, number: u64) -> Result<Block, SolveError> {
        self.check_interrupt()?;
        let header = source.header();
        let (largest, bits) = (header.largest_code(), header.bits());
        let first = number * u64::from(BLOCK_ENTRIES);
        let entries = (header.entries()[side.index()] - first).min(u64::from(BLOCK_ENTRIES));
        let mut words = vec![0; (entries.div_ceil(ENTRIES_PER_PAIR) * u64::from(bits)) as usize];
        let wrong = |why| unpackable(source, side, why);
        if !source.read_groups(side, first / ENTRIES_PER_PAIR, &mut words)? {
            return Err(damaged(source, Damage::NotStored(side)).into());
        }
        let mut codes = vec![0; entries as usize];
        expand_codes(&words, bits, &mut codes);
        // A new encoder for each block, as for outcomes: one that was used before may find other matches.
        let encoded = BlockEncoder::new(Content::Distances, self.level, None)
            .and_then(|mut encoder| encoder.encode_distances(&codes, largest));
        let frame = encoded.map_err(wrong)?;
        if *decode_distances(&frame, largest, entries as u32, None).map_err(wrong)? != *words {
            return Err(wrong(FrameError::RoundTrip).into());
        }
        self.observer.advance(entries);
        Ok(Block { raw: words.into_iter().flat_map(u64::to_le_bytes).collect(), frame })
    }
}
