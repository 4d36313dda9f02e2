//! Probes of random positions, with made-up values in a layer of real size: raw and packed, mapped
//! and read.
//!
//! Values that are made up compress worse than real ones, so packed probes are slower here than in
//! real tables.

#[path = "../tests/it/support/mod.rs"]
mod support;

use std::hint::black_box;
use std::path::Path;

use anser_core::hunt::Position;
use anser_core::{Hunt, LayerIndex, Outcome, Side};
use anser_table::format::outcome_of;
use anser_table::{Kind, Tablebase};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use support::{Codes, Options, Random, any_codes, name, packed_table, raw_table};

const LAYER: u16 = 7;
const POSITIONS: u64 = 4096;

/// Random images of random classes with their outcomes, none where the game is over.
fn positions(game: &Hunt, codes: &Codes) -> Vec<(Position, Outcome)> {
    let index = game.index(LAYER);
    let mut random = Random(1);
    let mut found = Vec::new();
    while (found.len() as u64) < POSITIONS {
        let side = Side::BOTH[random.below(2) as usize];
        let rank = random.below(index.len(side));
        let position = game.image(&index.unrank(side, rank), random.below(8) as usize);
        if game.terminal(&position).is_none() {
            found.push((position, outcome_of(codes[side][rank as usize]).expect("a value")));
        }
    }
    found
}

fn open(game: &Hunt, directory: &Path, mapped: bool) -> Tablebase {
    let opened = if mapped {
        // SAFETY: nobody else knows the directory, and it outlives the tablebase.
        unsafe { Tablebase::open_mapped(game.clone(), [directory]) }
    } else {
        Tablebase::open(game.clone(), [directory])
    };
    opened.expect("the directory can be read")
}

fn probes(criterion: &mut Criterion) {
    let game = Hunt::default();
    let codes = any_codes(&game, LAYER, 1);
    let (raw, header) = raw_table(&game, LAYER, &codes);
    let positions = positions(&game, &codes);
    let packed = |entries| {
        let options = Options { block_entries: entries, ..Options::default() };
        (Kind::Packed, packed_table(&game, &header, &codes, &options))
    };

    let mut group = criterion.benchmark_group("probe");
    group.throughput(Throughput::Elements(POSITIONS));
    let index = game.index(LAYER);
    group.bench_function("only the rank", |bencher| {
        bencher.iter(|| {
            positions.iter().map(|(position, _)| index.rank(position)).fold(0, u64::wrapping_add)
        });
    });
    for (what, (kind, bytes)) in [
        ("raw", (Kind::Raw, raw)),
        ("packed 16Ki", packed(1 << 14)),
        ("packed 64Ki", packed(1 << 16)),
    ] {
        let directory = tempfile::tempdir().expect("a temporary directory");
        std::fs::write(directory.path().join(name(&game, LAYER, kind)), bytes)
            .expect("room for the table");
        for (how, mapped) in [("mapped", true), ("read", false)] {
            let tablebase = open(&game, directory.path(), mapped);
            group.bench_function(format!("{what} {how}"), |bencher| {
                bencher.iter(|| {
                    for (position, outcome) in &positions {
                        assert_eq!(
                            tablebase.probe_outcome(black_box(position)).ok(),
                            Some(*outcome)
                        );
                    }
                });
            });
            let alone: Vec<Position> = positions.iter().map(|(position, _)| *position).collect();
            group.bench_function(format!("{what} {how}, many at once"), |bencher| {
                bencher.iter(|| {
                    for (found, (_, outcome)) in
                        tablebase.probe_outcomes(&alone).iter().zip(&positions)
                    {
                        assert_eq!(found.as_ref().ok(), Some(outcome));
                    }
                });
            });
        }
    }
    drop(group);

    // Without a cache every probe decodes a block.
    let mut group = criterion.benchmark_group("decode a block for every probe");
    group.sample_size(10);
    group.throughput(Throughput::Elements(256));
    for entries in [1 << 12, 1 << 14, 1 << 16] {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let (kind, bytes) = packed(entries);
        std::fs::write(directory.path().join(name(&game, LAYER, kind)), bytes)
            .expect("room for the table");
        let tablebase = open(&game, directory.path(), true).with_cache_bytes(0);
        group.bench_function(format!("{entries} entries"), |bencher| {
            bencher.iter(|| {
                for (position, outcome) in &positions[..256] {
                    assert_eq!(tablebase.probe_outcome(black_box(position)).ok(), Some(*outcome));
                }
            });
        });
    }
}

criterion_group!(benches, probes);
criterion_main!(benches);
