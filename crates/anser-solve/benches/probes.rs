//! Random probes over all solved layers, raw and packed, by one thread and by all: `cargo bench -p
//! anser-solve --bench probes`, or with `-- RULES TOP` for another rule set and highest layer.
//!
//! Solves and packs the layers into a temporary directory first, or takes the directories of raw
//! and of packed tables as third and fourth argument. Compares every answer with the raw table.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anser_core::hunt::Position;
use anser_core::{Hunt, LayerIndex, Outcome, Side};
use anser_solve::{PackOptions, SolveOptions, Unobserved, pack, solve};
use anser_table::Tablebase;
use rayon::prelude::*;

/// Number of probes in one measurement.
const PROBES: usize = 1 << 20;
/// Number of different positions among them, fewer than probes, so that blocks are cached the
/// second time if they fit into the cache.
const POSITIONS: usize = 1 << 18;
/// Number of positions that are probed repeatedly, from the cache.
const HOT: usize = 1 << 12;

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let rules = arguments.first().map_or("first-capture", |id| id);
    let top: u16 = arguments.get(1).map_or(7, |top| top.parse().expect("a layer"));
    let game = Hunt::fox_geese(rules).expect("a rule set");

    let scratch = tempfile::tempdir().expect("a directory");
    let (raw, packed) = match &arguments[..] {
        [_, _, raw, packed] => (raw.into(), packed.into()),
        _ => make(&game, top, scratch.path()),
    };
    let (raw, packed) = (&*raw, &*packed);

    let positions = positions(&game, top);
    let expected: Vec<Outcome> = {
        let tables = open(&game, raw, true);
        positions
            .iter()
            .map(|position| tables.probe_outcome(position).expect("a sound table"))
            .collect()
    };
    println!("{rules}, layers 4-{top}, {POSITIONS} random positions, nanoseconds a probe");
    println!("tables                     first time     again      hot  all threads  in batches");
    for (name, dir, mapped) in [
        ("raw, mapped", raw, true),
        ("raw, positioned reads", raw, false),
        ("packed, mapped", packed, true),
        ("packed, positioned reads", packed, false),
    ] {
        let tables = open(&game, dir, mapped).with_cache_bytes(1 << 30);
        let one = |at: usize| {
            let at = at % POSITIONS;
            assert_eq!(tables.probe_outcome(&positions[at]).expect("a sound table"), expected[at]);
        };
        let first = time(POSITIONS, || (0..POSITIONS).for_each(one));
        let again = time(PROBES, || (0..PROBES).for_each(one));
        let hot = time(PROBES, || (0..PROBES).for_each(|at| one(at % HOT)));
        let all = time(PROBES, || (0..PROBES).into_par_iter().with_min_len(4096).for_each(one));
        let batches = time(POSITIONS, || {
            for (positions, expected) in positions.chunks(4096).zip(expected.chunks(4096)) {
                let found = tables.probe_outcomes(positions);
                assert!(
                    found
                        .into_iter()
                        .zip(expected)
                        .all(|(found, expected)| found.ok().as_ref() == Some(expected))
                );
            }
        });
        println!(
            "{name:<25}  {first:>10.0}  {again:>8.0}  {hot:>7.0}  {all:>11.0}  {batches:>10.0}"
        );
    }
}

/// Solves and packs layers. Returns the directories of raw and of packed tables.
fn make(game: &Hunt, top: u16, scratch: &Path) -> (PathBuf, PathBuf) {
    let (raw, packed) = (scratch.join("raw"), scratch.join("packed"));
    let options = SolveOptions { layers: Some(1..=top), ..SolveOptions::new(&raw) };
    solve(game, &options, &Unobserved).expect("the layers are solved");
    let options = PackOptions {
        from: vec![raw.clone()],
        out: packed.clone(),
        layers: None,
        metric: None,
        level: None,
        threads: None,
    };
    pack(game, &options, &Unobserved).expect("the layers are packed");
    (raw, packed)
}

/// Returns the nanoseconds per probe, of `count` probes.
fn time(count: usize, run: impl FnOnce()) -> f64 {
    let started = Instant::now();
    run();
    started.elapsed().as_secs_f64() * 1e9 / count as f64
}

/// Returns random images of random classes of layers 4 to `top`; all classes are equally likely.
fn positions(game: &Hunt, top: u16) -> Vec<Position> {
    let indexes: Vec<_> = (4..=top).map(|layer| game.index(layer)).collect();
    let classes: u64 = indexes.iter().map(|index| index.len(Side::First)).sum();
    let mut state = 1u64;
    let mut random = move |below: u64| {
        // SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators"
        // (OOPSLA 2014).
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * u128::from(below)) >> 64) as u64
    };
    (0..POSITIONS)
        .map(|_| {
            let mut rank = random(classes);
            let mut layers = indexes.iter();
            let mut index = layers.next().expect("a layer");
            while rank >= index.len(Side::First) {
                rank -= index.len(Side::First);
                index = layers.next().expect("the rank is below the sum of all");
            }
            let side = Side::BOTH[random(2) as usize];
            game.image(&index.unrank(side, rank), random(game.symmetries() as u64) as usize)
        })
        .collect()
}

fn open(game: &Hunt, dir: &Path, mapped: bool) -> Tablebase {
    if !mapped {
        return Tablebase::open(game.clone(), [dir]).expect("the directory can be read");
    }
    // SAFETY: the directory is this program's own, and nothing writes to it any more.
    unsafe { Tablebase::open_mapped(game.clone(), [dir]) }.expect("the directory can be read")
}
