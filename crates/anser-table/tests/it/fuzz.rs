//! The fuzz targets without a fuzzer: over the kept seeds, then over mutations of them for
//! `ANSER_FUZZ_SECONDS` seconds each, half a second if that is not set. The mutations follow from a
//! seed, `ANSER_FUZZ_SEED`, so that a failure comes again; what fails is written to the temporary
//! directory, to be kept in `fuzz/seeds`.

#![allow(unreachable_pub, missing_docs)]

#[path = "../../../../fuzz/src/lib.rs"]
mod bodies;

use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::support::Random;
use anser_core::hunt::{fox_geese, fox_hounds, hare_hounds, hasenspiel};
use anser_table::format::Header;
use anser_table::{Kind, Metric, Table};
use bodies::{TABLES, TARGETS};

/// The kept inputs of a target, and what there is to begin with in any case.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let mut seeds = vec![Vec::new()];
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let mut files: Vec<_> =
        fs::read_dir(&dir).into_iter().flatten().flatten().map(|file| file.path()).collect();
    files.sort();
    seeds.extend(files.iter().map(|file| fs::read(file).expect("the seed can be read")));
    match target {
        // The descriptions of the tables, and of some games.
        "description" => {
            let texts = TABLES.map(|table| Table::from_bytes("sound", table.to_vec()));
            let texts = texts.map(|table| table.and_then(|table| table.description_text()));
            seeds.extend(texts.map(|text| text.expect("a sound description").into_bytes()));
            let games = [
                fox_geese("forward+chain+compulsory"),
                fox_hounds(4, "escape"),
                hasenspiel(4, 2, "author"),
                hare_hounds("unlimited"),
            ];
            seeds.extend(games.map(|game| game.expect("a game").to_string().into_bytes()));
        }
        "header" => seeds.extend(TABLES.map(|table| table[..4096].to_vec())),
        // The first byte chooses a table; changes to each of its parts follow.
        "damaged" | "forged" => {
            for (chosen, table) in (0..).zip(TABLES) {
                seeds.push(vec![chosen]);
                for at in [
                    11,
                    122,
                    123,
                    152,
                    216,
                    321,
                    324,
                    328,
                    352,
                    4095,
                    4096,
                    4100,
                    table.len() - 30,
                    table.len() - 1,
                ] {
                    let place = if at < 4096 { 2 * at as u32 } else { 2 * at as u32 + 1 };
                    seeds.push([&[chosen][..], &place.to_le_bytes(), &[1]].concat());
                }
            }
        }
        "frame" => {
            // The first frame of every packed table.
            for table in TABLES.iter().filter(|table| table[10] == 1) {
                seeds.push(table[4096..table.len().min(4096 + 3000)].to_vec());
            }
        }
        _ => {}
    }
    seeds
}

/// Changes an input as fuzzers do: bits, bytes, numbers that are often special, parts left out,
/// doubled or moved.
fn mutate(input: &[u8], random: &mut Random) -> Vec<u8> {
    const SPECIAL: [u64; 10] =
        [0, 1, 0x7f, 0xff, 0xffff, 1 << 20, 1 << 31, 1 << 60, u64::MAX - 1, u64::MAX];
    let mut bytes = input.to_vec();
    for _ in 0..=random.index(4) {
        let at = random.index(bytes.len());
        match random.index(9) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << random.index(8),
            1 if !bytes.is_empty() => bytes[at] = random.next() as u8,
            2 => {
                let number = SPECIAL[random.index(SPECIAL.len())].to_le_bytes();
                let width = 1 << random.index(4);
                let room = bytes.len().saturating_sub(at).min(width);
                bytes[at.min(input.len())..][..room.min(input.len().saturating_sub(at))].fill(0);
                for (byte, new) in bytes.iter_mut().skip(at).zip(&number[..width]) {
                    *byte = *new;
                }
            }
            3 => bytes.truncate(at),
            4 => bytes.extend((0..=random.index(16)).map(|_| random.next() as u8)),
            // Descriptions are lines of numbers.
            5 => {
                let digit = bytes.iter_mut().skip(at).find(|byte| byte.is_ascii_digit());
                if let Some(digit) = digit {
                    *digit = b'0' + random.index(10) as u8;
                }
            }
            6 => {
                let end_of = |from: usize| {
                    bytes[from..].iter().position(|&byte| byte == b'\n').map(|len| from + len + 1)
                };
                if let Some(start) = end_of(at) {
                    let end = end_of(start).unwrap_or(bytes.len());
                    let line = bytes[start..end].to_vec();
                    // Left out, or there twice.
                    let twice = if random.index(2) == 0 { Vec::new() } else { line.repeat(2) };
                    bytes.splice(start..end, twice);
                }
            }
            7 if !bytes.is_empty() => {
                let part = bytes[at..(at + random.index(32)).min(bytes.len())].to_vec();
                let to = random.index(bytes.len());
                bytes.splice(to..to, part);
            }
            _ => {
                let end = (at + random.index(16)).min(bytes.len());
                bytes.drain(at.min(end)..end);
            }
        }
        bytes.truncate(1 << 13);
    }
    bytes
}

fn run(name: &str) {
    let (_, target) = TARGETS.into_iter().find(|(target, _)| *target == name).expect("a target");
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<f64>().ok());
    let limit = Duration::from_secs_f64(number("ANSER_FUZZ_SECONDS").unwrap_or(0.5));
    let mut random = Random(number("ANSER_FUZZ_SEED").unwrap_or(1.0) as u64);
    let check = |input: &[u8]| {
        if catch_unwind(AssertUnwindSafe(|| target(input))).is_err() {
            let path =
                std::env::temp_dir().join(format!("anser-fuzz-{name}-{}", std::process::id()));
            fs::write(&path, input).expect("the input can be kept");
            panic!("{name} fails on {}; fuzz/seeds/{name} is the place to keep it", path.display());
        }
    };
    let seeds = seeds(name);
    for seed in &seeds {
        check(seed);
    }
    let (started, mut runs) = (Instant::now(), 0u64);
    while started.elapsed() < limit {
        check(&mutate(&seeds[random.index(seeds.len())], &mut random));
        runs += 1;
    }
    println!("{name}: {} seeds, {runs} mutations", seeds.len());
}

#[test]
fn notation() {
    run("notation");
}

#[test]
fn description() {
    run("description");
}

#[test]
fn header() {
    run("header");
}

#[test]
fn manifest() {
    run("manifest");
}

#[test]
fn frame() {
    run("frame");
}

#[test]
fn damaged() {
    run("damaged");
}

#[test]
fn forged() {
    run("forged");
}

/// The tables to start from are of both kinds and both metrics.
#[test]
fn seeds_have_every_kind_and_metric() {
    let sorts: BTreeSet<_> = TABLES
        .iter()
        .map(|table| Header::decode(table).expect("a sound header"))
        .map(|header| (header.kind(), header.metric()))
        .collect();
    assert_eq!(sorts.len(), Kind::ALL.len() * Metric::ALL.len());
}
