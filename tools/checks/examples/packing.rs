//! Measures compression and probing times for settings of packing. The defaults of packing were
//! chosen by these figures.
//!
//! ```text
//! cargo run --release -p anser-checks --example packing -- sizes  RULES DIR LAYER...
//! cargo run --release -p anser-checks --example packing -- probes RULES DIR LAYER...
//! ```
//!
//! RULES is a rule set of Fox-and-Geese and DIR holds its raw tables. Results are CSV on standard
//! output. `sizes` varies one setting at a time around [`BASE`] on blocks taken evenly from the
//! layer; `probes` packs whole layers in memory, one side to move alone and both, and times random
//! probes. `data/packing.md` describes the columns.

use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use anser_core::hunt::Position;
use anser_core::{BySide, Hunt, LayerIndex, Side};
use anser_table::format::{
    BlockEncoder, ENTRIES_PER_PAIR, HEADER_LEN, Packing, bytes_of, decode_block, get,
};
use anser_table::{Kind, Metric, PositionedReads, Table, TableName, Tablebase};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Largest number of entries of a side to move that `sizes` measures.
const SAMPLE: u64 = 24 << 20;
/// Number of times that each frame is decoded. The fastest time counts, because others may include
/// interruptions.
const DECODES: usize = 15;
/// Number of probes per pass for each side to move: few, so that some passes are not interrupted.
const PROBES: u64 = 500;
/// Number of passes with a cold cache; the fastest counts.
const COLD_PASSES: u32 = 40;
/// Cache of cold probes, in bytes: small enough that nearly every block is decoded, and large
/// enough for the blocks of one look-ahead.
const COLD_CACHE: u64 = 1 << 20;

/// Settings of packing.
#[derive(Clone, Copy, PartialEq)]
struct Setup {
    block_entries: u32,
    level: i8,
}

/// Settings that are varied, one at a time.
const BASE: Setup = Setup { block_entries: 1 << 17, level: 15 };

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [mode, rules, dir, layers @ ..] = &arguments[..] else {
        return Err("usage: packing sizes|probes RULES DIR LAYER...".into());
    };
    let game = Hunt::fox_geese(rules.parse()?);
    let dir = Path::new(dir);
    match mode.as_str() {
        "sizes" => println!(
            "rules,layer,to_move,block_entries,level,measured_entries,bits_per_entry,estimated_bytes,\
             encode_entries_per_s,decode_us_per_block"
        ),
        _ => {
            println!(
                "rules,layer,stored,block_entries,bytes,to_move,cold_us,blocks_decoded,hot_ns"
            );
        }
    }
    for layer in layers {
        let layer = layer.parse()?;
        match mode.as_str() {
            "sizes" => sizes(&game, &open(&game, dir, layer)?)?,
            _ => probes(&game, dir, layer)?,
        }
    }
    Ok(())
}

fn open(game: &Hunt, dir: &Path, layer: u16) -> Result<Table> {
    let name = TableName::new(game.name(), game.rules_id(), layer, Metric::Wdl, Kind::Raw);
    Ok(Table::open(dir.join(name.to_string()), &PositionedReads)?)
}

/// Reads the codes of the blocks with these numbers.
fn read_blocks(
    game: &Hunt,
    table: &Table,
    side: Side,
    block_entries: u32,
    numbers: &[u64],
) -> Result<Vec<Vec<u8>>> {
    let index = game.index(table.header().layer());
    let entries = index.len(side);
    let order = index.packing_order(side);
    let size = u64::from(block_entries);
    let mut slots = vec![usize::MAX; entries.div_ceil(size) as usize];
    let mut blocks: Vec<Vec<u8>> = Vec::new();
    for &number in numbers {
        slots[number as usize] = blocks.len();
        blocks.push(vec![0; size.min(entries - number * size) as usize]);
    }
    for start in (0..entries).step_by(1 << 20) {
        let end = entries.min(start + (1 << 20));
        let mut words = vec![0; 2 * (end - start).div_ceil(ENTRIES_PER_PAIR) as usize];
        if !table.read_pairs(side, start / ENTRIES_PER_PAIR, &mut words)? {
            return Err("the table is not a raw one".into());
        }
        let mut entry = 0;
        order.visit_places(start..end, |place| {
            if let Some(block) = blocks.get_mut(slots[(place / size) as usize]) {
                block[(place % size) as usize] = get(&words, entry);
            }
            entry += 1;
        });
    }
    Ok(blocks)
}

fn sizes(game: &Hunt, table: &Table) -> Result<()> {
    for side in Side::BOTH {
        for block_entries in [BASE.block_entries, 1 << 16, 1 << 18, 1 << 19] {
            let entries = table.header().entries()[side];
            let blocks = entries.div_ceil(u64::from(block_entries));
            let step = entries.div_ceil(SAMPLE) as usize;
            let numbers: Vec<u64> = (0..blocks).step_by(step).collect();
            let measured = read_blocks(game, table, side, block_entries, &numbers)?;
            let base = Setup { block_entries, ..BASE };
            measure(game, table, side, base, &measured)?;
            for level in if base == BASE { &[9, 19][..] } else { &[] } {
                measure(game, table, side, Setup { level: *level, ..base }, &measured)?;
            }
        }
    }
    Ok(())
}

fn measure(
    game: &Hunt,
    table: &Table,
    side: Side,
    setup: Setup,
    measured: &[Vec<u8>],
) -> Result<()> {
    let Setup { block_entries, level } = setup;
    // Like packing, with one encoder per block.
    let started = Instant::now();
    let encode = |codes: &Vec<u8>| BlockEncoder::new(level)?.encode(codes);
    let frames = measured.iter().map(encode);
    let frames: Vec<Vec<u8>> = frames.collect::<std::result::Result<_, _>>()?;
    let encoding = started.elapsed().as_secs_f64();

    let mut decoding = 0.0;
    for (frame, codes) in frames.iter().zip(measured) {
        let mut fastest = f64::INFINITY;
        for _ in 0..DECODES {
            let started = Instant::now();
            black_box(decode_block(black_box(frame), codes.len() as u32)?);
            fastest = fastest.min(started.elapsed().as_secs_f64());
        }
        decoding += fastest;
    }

    let entries: usize = measured.iter().map(Vec::len).sum();
    // Sixteen bytes of index belong to each frame.
    let bytes: usize = frames.iter().map(|frame| frame.len() + 16).sum();
    let share = table.header().entries()[side] as f64 / entries as f64;
    println!(
        "{},{},{},{block_entries},{level},{entries},{:.5},{:.0},{:.0},{:.1}",
        game.rules_id(),
        table.header().layer(),
        game.side_name(side),
        bytes as f64 * 8.0 / entries as f64,
        bytes as f64 * share,
        entries as f64 / encoding,
        decoding * 1e6 / frames.len() as f64,
    );
    Ok(())
}

fn probes(game: &Hunt, dir: &Path, layer: u16) -> Result<()> {
    let table = open(game, dir, layer)?;
    let lower: Vec<u16> = game.lower_layers(layer);
    let lower: Vec<(String, Vec<u8>)> = lower
        .into_iter()
        .map(|layer| {
            let path = open(game, dir, layer)?.path().to_owned();
            Ok((path.display().to_string(), std::fs::read(path)?))
        })
        .collect::<Result<_>>()?;
    for block_entries in [1 << 17, 1 << 18] {
        let frames = BySide::try_from_fn(|side| all_frames(game, &table, side, block_entries))?;
        for stored in [BySide::new(true, true), BySide::new(false, true)] {
            let bytes = table_bytes(&table, &frames, stored, block_entries)?;
            let len = bytes.len();
            let bytes = std::sync::Arc::<[u8]>::from(bytes);
            let tables = |cache| -> Result<Tablebase> {
                let mut tables = vec![Table::from_bytes("packed", bytes.clone())?];
                for (path, bytes) in &lower {
                    tables.push(Table::from_bytes(path, bytes.clone())?);
                }
                Ok(Tablebase::from_tables(game.clone(), tables).with_cache_bytes(cache))
            };
            let (cold, hot) = (tables(COLD_CACHE)?, tables(u64::MAX >> 1)?);
            for side in Side::BOTH {
                let positions = positions(game, layer, side);
                let before = cold.cache().decoded();
                let cold_us = 1e6 * fastest(COLD_PASSES, &cold, &positions)?;
                let decoded = (cold.cache().decoded() - before) as f64
                    / (u64::from(COLD_PASSES) * PROBES) as f64;
                probe_all(&hot, &positions)?;
                let hot_ns = 1e9 * fastest(20, &hot, &positions)?;
                println!(
                    "{},{layer},{},{block_entries},{len},{},{cold_us:.1},{decoded:.2},{hot_ns:.0}",
                    game.rules_id(),
                    if stored[Side::First] { "both" } else { "geese" },
                    game.side_name(side),
                );
            }
        }
    }
    Ok(())
}

/// Frames of a side to move, in order.
fn all_frames(game: &Hunt, table: &Table, side: Side, block_entries: u32) -> Result<Vec<Vec<u8>>> {
    let blocks = table.header().entries()[side].div_ceil(u64::from(block_entries));
    let numbers: Vec<u64> = (0..blocks).collect();
    let blocks = read_blocks(game, table, side, block_entries, &numbers)?;
    let frame = |block: &Vec<u8>| BlockEncoder::new(BASE.level)?.encode(block);
    Ok(blocks.par_iter().map(frame).collect::<std::result::Result<_, _>>()?)
}

/// Packed table of the frames of the stored sides.
fn table_bytes(
    table: &Table,
    frames: &BySide<Vec<Vec<u8>>>,
    stored: BySide<bool>,
    block_entries: u32,
) -> Result<Vec<u8>> {
    let mut bytes = vec![0; HEADER_LEN];
    let mut index = Vec::new();
    for side in Side::BOTH.into_iter().filter(|&side| stored[side]) {
        for frame in &frames[side] {
            index.extend([(bytes.len() - HEADER_LEN) as u64, xxh3_64(frame)]);
            bytes.extend(frame);
        }
    }
    let payload_len = (bytes.len() - HEADER_LEN) as u64;
    index.push(payload_len);
    let index = bytes_of(&index);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes.extend(&index);
    bytes.extend(table.description_text()?.as_bytes());
    let packing = Packing { stored, level: BASE.level, block_entries, payload_len };
    let header = table.header().to_packed(packing, xxh3_64(&index), "packing example");
    bytes[..HEADER_LEN].copy_from_slice(&header.map_err(|defect| defect.to_string())?.encode());
    Ok(bytes)
}

/// Pseudorandom positions of a layer, the same in every run.
fn positions(game: &Hunt, layer: u16, side: Side) -> Vec<Position> {
    let index = game.index(layer);
    let mut state = 1u64;
    (0..PROBES)
        .map(|_| {
            // The upper half of a linear congruential generator (Knuth's MMIX).
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            index.unrank(side, (state >> 32) % index.len(side))
        })
        .collect()
}

/// Returns the time of the fastest pass, as [`probe_all`].
fn fastest(passes: u32, tables: &Tablebase, positions: &[Position]) -> Result<f64> {
    (0..passes).try_fold(f64::INFINITY, |fastest, _| Ok(probe_all(tables, positions)?.min(fastest)))
}

/// Probes all positions; returns the mean time in seconds.
fn probe_all(tables: &Tablebase, positions: &[Position]) -> Result<f64> {
    let started = Instant::now();
    for position in positions {
        black_box(tables.probe_outcome(position)?);
    }
    Ok(started.elapsed().as_secs_f64() / positions.len() as f64)
}
