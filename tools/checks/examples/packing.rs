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

use anser_core::fox_geese::{FoxGeese, Position};
use anser_core::prelude::*;
use anser_core::{BySide, PackingOrder, Side};
use anser_table::format::{
    BlockEncoder, Content, Dictionary, ENTRIES_PER_PAIR, Fill, HEADER_LEN, Packing, decode_block,
    get,
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
    content: Content,
    block_entries: u32,
    dictionary: Sample,
    fill: Filling,
    level: i8,
}

/// Settings that are varied, one at a time.
const BASE: Setup = Setup {
    content: Content::Planes,
    block_entries: 1 << 17,
    dictionary: Sample::None,
    fill: Filling::Exact,
    level: 15,
};

/// Content of the dictionary.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Sample {
    None,
    /// 16 KiB trained by zstd on other blocks than those measured.
    Trained,
}

/// Value written for entries with a static outcome.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Filling {
    /// The outcome.
    Exact,
    /// The value of the last entry before it without a static outcome.
    Previous,
    /// The most frequent value of the entries of the block without a static outcome.
    Frequent,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [mode, rules, dir, layers @ ..] = &arguments[..] else {
        return Err("usage: packing sizes|probes RULES DIR LAYER...".into());
    };
    let game = FoxGeese::new(rules.parse()?);
    let dir = Path::new(dir);
    match mode.as_str() {
        "sizes" => println!(
            "rules,layer,to_move,static,content,block_entries,dictionary,fill,level,measured_entries,bits_per_entry,\
             estimated_bytes,encode_entries_per_s,decode_us_per_block"
        ),
        _ => println!(
            "rules,layer,stored,content,block_entries,bytes,to_move,cold_us,blocks_decoded,hot_ns"
        ),
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

fn open(game: &FoxGeese, dir: &Path, layer: u16) -> Result<Table> {
    let name = TableName::new(&game.name(), &game.rules_id(), layer, Metric::Wdl, Kind::Raw);
    Ok(Table::open(dir.join(name.to_string()), &PositionedReads)?)
}

/// Block of a layer: its codes, and which entries have a static outcome.
struct Block {
    codes: Vec<u8>,
    is_static: Vec<bool>,
}

/// Reads the blocks with these numbers, in the order of the content.
fn read_blocks(
    game: &FoxGeese,
    table: &Table,
    side: Side,
    content: Content,
    block_entries: u32,
    numbers: &[u64],
) -> Result<Vec<Block>> {
    let index = game.index(table.header().layer());
    let entries = index.len(side);
    let order = if content.is_reordered() {
        index.packing_order(side)
    } else {
        PackingOrder::by_rank(entries)
    };
    let size = u64::from(block_entries);
    let mut slots = vec![usize::MAX; entries.div_ceil(size) as usize];
    let mut blocks: Vec<Block> = Vec::new();
    for &number in numbers {
        slots[number as usize] = blocks.len();
        let len = size.min(entries - number * size) as usize;
        blocks.push(Block { codes: vec![0; len], is_static: vec![false; len] });
    }
    for start in (0..entries).step_by(1 << 20) {
        let end = entries.min(start + (1 << 20));
        let mut words = vec![0; 2 * (end - start).div_ceil(ENTRIES_PER_PAIR) as usize];
        if !table.read_pairs(side, start / ENTRIES_PER_PAIR, &mut words)? {
            return Err("the table is not a raw one".into());
        }
        let mut rank = start;
        order.visit_places(start..end, |place| {
            if let Some(block) = blocks.get_mut(slots[(place / size) as usize]) {
                block.codes[(place % size) as usize] = get(&words, rank - start);
                block.is_static[(place % size) as usize] =
                    game.static_outcome(&index.unrank(side, rank)).is_some();
            }
            rank += 1;
        });
    }
    Ok(blocks)
}

impl Block {
    fn filled(&self, filling: Filling) -> Vec<u8> {
        let mut codes = self.codes.clone();
        let free = || {
            self.codes
                .iter()
                .zip(&self.is_static)
                .filter(|(_, is_static)| !**is_static)
                .map(|(code, _)| *code)
        };
        let mut value = match filling {
            Filling::Exact => return codes,
            Filling::Previous => free().next().unwrap_or(0),
            Filling::Frequent => {
                (0..3).max_by_key(|&code| free().filter(|&c| c == code).count()).unwrap_or(0)
            }
        };
        for (code, is_static) in codes.iter_mut().zip(&self.is_static) {
            if *is_static {
                *code = value;
            } else if filling == Filling::Previous {
                value = *code;
            }
        }
        codes
    }
}

fn sizes(game: &FoxGeese, table: &Table) -> Result<()> {
    for side in Side::BOTH {
        for (content, block_entries) in [
            (BASE.content, BASE.block_entries),
            (Content::Planes, 1 << 16),
            (Content::Planes, 1 << 18),
            (Content::Planes, 1 << 19),
            (Content::Bytes, 1 << 16),
            (Content::Bytes, 1 << 17),
            (Content::Pairs, 1 << 17),
        ] {
            let entries = table.header().entries()[side];
            let blocks = entries.div_ceil(u64::from(block_entries));
            let step = entries.div_ceil(SAMPLE) as usize;
            let read = |from: usize| {
                let numbers: Vec<u64> = (0..blocks).skip(from).step_by(step).collect();
                read_blocks(game, table, side, content, block_entries, &numbers)
            };
            let measured = read(0)?;
            let base = Setup { content, block_entries, ..BASE };
            let mut setups = vec![base];
            if base == BASE {
                setups.extend(
                    [Filling::Previous, Filling::Frequent].map(|fill| Setup { fill, ..base }),
                );
                setups.extend([9, 19].map(|level| Setup { level, ..base }));
                setups.push(Setup { dictionary: Sample::Trained, ..base });
            }
            let others = if base == BASE { read(step / 2)? } else { Vec::new() };
            for setup in setups {
                measure(game, table, side, setup, &measured, &others)?;
            }
        }
    }
    Ok(())
}

fn measure(
    game: &FoxGeese,
    table: &Table,
    side: Side,
    setup: Setup,
    measured: &[Block],
    others: &[Block],
) -> Result<()> {
    let Setup { content, block_entries, dictionary: sample, fill, level } = setup;
    let dictionary = dictionary(sample, others, fill);
    let codes: Vec<Vec<u8>> = measured.iter().map(|block| block.filled(fill)).collect();

    // Like packing, with one encoder per block.
    let started = Instant::now();
    let encode =
        |codes: &Vec<u8>| BlockEncoder::new(content, level, dictionary.as_deref())?.encode(codes);
    let frames: Vec<Vec<u8>> = codes.iter().map(encode).collect::<std::result::Result<_, _>>()?;
    let encoding = started.elapsed().as_secs_f64();

    let ready = dictionary.as_deref().map(Dictionary::new).transpose()?;
    let mut decoding = 0.0;
    for (frame, codes) in frames.iter().zip(&codes) {
        let mut fastest = f64::INFINITY;
        for _ in 0..DECODES {
            let started = Instant::now();
            black_box(decode_block(black_box(frame), content, codes.len() as u32, ready.as_ref())?);
            fastest = fastest.min(started.elapsed().as_secs_f64());
        }
        decoding += fastest;
    }

    let entries: usize = codes.iter().map(Vec::len).sum();
    let is_static =
        measured.iter().flat_map(|block| &block.is_static).filter(|is_static| **is_static).count();
    // Sixteen bytes of index belong to each frame.
    let bytes: usize = frames.iter().map(|frame| frame.len() + 16).sum();
    let share = table.header().entries()[side] as f64 / entries as f64;
    println!(
        "{},{},{},{:.4},{content:?},{block_entries},{sample:?},{fill:?},{level},{entries},{:.5},{:.0},{:.0},{:.1}",
        game.rules_id(),
        table.header().layer(),
        game.side_name(side),
        is_static as f64 / entries as f64,
        bytes as f64 * 8.0 / entries as f64,
        bytes as f64 * share + dictionary.map_or(0, |bytes| bytes.len()) as f64,
        entries as f64 / encoding,
        decoding * 1e6 / frames.len() as f64,
    );
    Ok(())
}

fn dictionary(sample: Sample, others: &[Block], fill: Filling) -> Option<Vec<u8>> {
    match sample {
        Sample::None => None,
        Sample::Trained => {
            let all: Vec<u8> =
                others.iter().flat_map(|block| planes(&block.filled(fill))).collect();
            // Training fails on too few samples.
            zstd::dict::from_continuous(&all, &vec![4096; all.len() / 4096], 16 << 10).ok()
        }
    }
}

/// Bit planes of the codes.
fn planes(codes: &[u8]) -> Vec<u8> {
    let plane = |plane: u8| {
        let byte = move |codes: &[u8]| {
            codes.iter().enumerate().fold(0, |b, (at, code)| b | (code >> plane & 1) << at)
        };
        codes.chunks(8).map(byte)
    };
    plane(0).chain(plane(1)).collect()
}

fn probes(game: &FoxGeese, dir: &Path, layer: u16) -> Result<()> {
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
            let tables = |cache| -> Result<Tablebase<FoxGeese>> {
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
                    "{},{layer},{},{:?},{block_entries},{len},{},{cold_us:.1},{decoded:.2},{hot_ns:.0}",
                    game.rules_id(),
                    if stored[Side::First] { "both" } else { "geese" },
                    BASE.content,
                    game.side_name(side),
                );
            }
        }
    }
    Ok(())
}

/// Frames of a side to move, in order.
fn all_frames(
    game: &FoxGeese,
    table: &Table,
    side: Side,
    block_entries: u32,
) -> Result<Vec<Vec<u8>>> {
    let blocks = table.header().entries()[side].div_ceil(u64::from(block_entries));
    let blocks = read_blocks(
        game,
        table,
        side,
        BASE.content,
        block_entries,
        &(0..blocks).collect::<Vec<_>>(),
    )?;
    let frame =
        |block: &Block| BlockEncoder::new(BASE.content, BASE.level, None)?.encode(&block.codes);
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
    let index: Vec<u8> = index.into_iter().flat_map(u64::to_le_bytes).collect();
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes.extend(&index);
    let packing = Packing {
        stored,
        fill: Fill::Exact,
        content: BASE.content,
        level: BASE.level,
        block_entries,
        payload_len,
        dictionary_len: 0,
        dictionary_hash: 0,
    };
    let header = table.header().to_packed(packing, xxh3_64(&index), "packing example");
    bytes[..HEADER_LEN].copy_from_slice(&header.map_err(|defect| defect.to_string())?.encode());
    Ok(bytes)
}

/// Pseudorandom positions of a layer, the same in every run.
fn positions(game: &FoxGeese, layer: u16, side: Side) -> Vec<Position> {
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
fn fastest(passes: u32, tables: &Tablebase<FoxGeese>, positions: &[Position]) -> Result<f64> {
    (0..passes).try_fold(f64::INFINITY, |fastest, _| Ok(probe_all(tables, positions)?.min(fastest)))
}

/// Probes all positions; returns the mean time in seconds.
fn probe_all(tables: &Tablebase<FoxGeese>, positions: &[Position]) -> Result<f64> {
    let started = Instant::now();
    for position in positions {
        black_box(tables.probe_outcome(position)?);
    }
    Ok(started.elapsed().as_secs_f64() / positions.len() as f64)
}
