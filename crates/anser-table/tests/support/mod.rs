//! Tables with made-up values, built in memory from the format's own parts.
#![allow(dead_code, unreachable_pub)] // Each test program uses a part of this.

use anser_core::fox_geese::FoxGeese;
use anser_core::{Game, LayerIndex, Outcome, Side};
use anser_table::{
    BlockEncoder, CHECK_BLOCK, Content, Counts, Fill, Header, Kind, Metric, Packing, TableName, code_of, count_slot,
    outcome_of, pairs, raw_check, set,
};
use xxhash_rust::xxh3::xxh3_64;

pub type Codes = [Vec<u8>; 2];

/// A small generator of pseudo-random numbers (splitmix64), so that a failure names its seed and comes again.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// Values for a layer, as many as it has classes: runs of equal ones, as in real tables.
pub fn any_codes(game: &FoxGeese, layer: u16, seed: u64) -> Codes {
    let index = game.index(layer);
    Side::BOTH.map(|side| {
        let mut random = Random(seed + u64::from(layer) + 1000 * side.index() as u64);
        let mut codes = Vec::new();
        while (codes.len() as u64) < index.len(side) {
            let run = 1 + random.below(40).min(index.len(side) - 1 - codes.len() as u64);
            codes.resize(codes.len() + run as usize, random.below(3) as u8);
        }
        codes
    })
}

/// The same, but with what the rules say where they settle it.
pub fn made_up(game: &FoxGeese, layer: u16, seed: u64) -> Codes {
    let index = game.index(layer);
    let mut codes = any_codes(game, layer, seed);
    for side in Side::BOTH {
        for (rank, code) in codes[side.index()].iter_mut().enumerate() {
            *code = game.settled(&index.unrank(side, rank as u64)).map_or(*code, code_of);
        }
    }
    codes
}

pub fn counts(game: &FoxGeese, layer: u16, codes: &Codes) -> Counts {
    let index = game.index(layer);
    let mut counts = Counts::default();
    for side in Side::BOTH {
        for (rank, &code) in codes[side.index()].iter().enumerate() {
            let outcome: Outcome = outcome_of(code).unwrap();
            counts[side.index()][count_slot(outcome)] += index.orbit(side, rank as u64);
        }
    }
    counts
}

pub fn raw_payload(codes: &Codes) -> Vec<u8> {
    let mut bytes = Vec::new();
    for codes in codes {
        let mut words = vec![0; 2 * pairs(codes.len() as u64) as usize];
        for (entry, &code) in codes.iter().enumerate() {
            set(&mut words, entry as u64, code);
        }
        bytes.extend(words.iter().flat_map(|word: &u64| word.to_le_bytes()));
    }
    bytes
}

/// The bytes of a raw table, and its header.
pub fn raw_table(game: &FoxGeese, layer: u16, codes: &Codes) -> (Vec<u8>, Header) {
    let payload = raw_payload(codes);
    let checks: Vec<u8> =
        payload.chunks(CHECK_BLOCK as usize).flat_map(|block| raw_check(block).to_le_bytes()).collect();
    let mut header = Header::new_raw(game, layer, &game.index(layer), "anser-table tests").unwrap();
    header.finish(counts(game, layer, codes), blake3::hash(&payload).into(), xxh3_64(&checks));
    let mut file = header.encode().to_vec();
    file.extend(payload);
    file.resize(header.layout().checks.offset as usize, 0);
    file.extend(checks);
    assert_eq!(file.len() as u64, header.layout().file_len());
    (file, header)
}

#[derive(Clone)]
pub struct Options {
    pub stored: [bool; 2],
    pub fill: Fill,
    pub content: Content,
    pub block_entries: u32,
    pub dictionary: Vec<u8>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            stored: [true; 2],
            fill: Fill::Exact,
            content: Content::Bytes,
            block_entries: 4096,
            dictionary: Vec::new(),
        }
    }
}

/// The bytes of a packed table with the values of `codes`; `raw` is the header of the raw table with the same.
pub fn packed_table(game: &FoxGeese, raw: &Header, codes: &Codes, options: &Options) -> Vec<u8> {
    let dictionary = (!options.dictionary.is_empty()).then_some(&options.dictionary[..]);
    let mut encoder = BlockEncoder::new(options.content, 5, dictionary).unwrap();
    let (mut payload, mut checks) = (Vec::new(), Vec::new());
    for side in Side::BOTH.into_iter().filter(|side| options.stored[side.index()]) {
        let mut codes = codes[side.index()].clone();
        if options.fill == Fill::SettledIsAnything {
            let index = game.index(raw.layer());
            for (rank, code) in codes.iter_mut().enumerate() {
                if game.settled(&index.unrank(side, rank as u64)).is_some() {
                    *code = (rank % 3) as u8;
                }
            }
        }
        if options.content.is_reordered() {
            let order = game.index(raw.layer()).packing_order(side);
            let by_rank = codes.clone();
            let mut values = by_rank.into_iter();
            order.visit_places(0..order.len(), |place| codes[place as usize] = values.next().unwrap());
        }
        for block in codes.chunks(options.block_entries as usize) {
            let frame = encoder.encode(block).unwrap();
            checks.extend((payload.len() as u64).to_le_bytes());
            checks.extend(xxh3_64(&frame).to_le_bytes());
            payload.extend(frame);
        }
    }
    checks.extend((payload.len() as u64).to_le_bytes());
    let packing = Packing {
        stored: options.stored,
        fill: options.fill,
        content: options.content,
        level: 5,
        block_entries: options.block_entries,
        payload_len: payload.len() as u64,
        dictionary_len: options.dictionary.len() as u32,
        dictionary_hash: dictionary.map_or(0, xxh3_64),
    };
    let header = raw.to_packed(packing, xxh3_64(&checks), "anser-table tests").unwrap();
    let mut file = header.encode().to_vec();
    file.extend(payload);
    file.resize(header.layout().checks.offset as usize, 0);
    file.extend(checks);
    file.extend(&options.dictionary);
    assert_eq!(file.len() as u64, header.layout().file_len());
    file
}

pub fn name(game: &FoxGeese, layer: u16, kind: Kind) -> String {
    TableName::new(&game.name(), &game.rules_id(), layer, Metric::Wdl, kind).to_string()
}

/// Some bytes that make a usable dictionary: zstd takes any as content to refer to.
pub fn dictionary() -> Vec<u8> {
    let mut random = Random(77);
    (0..2000).map(|_| (random.below(30) / 10) as u8).collect()
}
