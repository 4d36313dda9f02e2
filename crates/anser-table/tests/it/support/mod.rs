//! Tables with made-up values, built in memory from the format's own parts.
#![allow(dead_code, unreachable_pub)] // Each test program uses a part of this.

use anser_core::{BySide, Dtw, Hunt, LayerIndex, Outcome, Side};
use anser_table::format::{
    BlockEncoder, CHECK_BLOCK, Counts, HEADER_LEN, Header, Longest, Packing, bytes_of,
    contract_codes, count_slot, outcome_of, pairs, raw_check, set,
};
use anser_table::{Kind, Metric, TableName};
use xxhash_rust::xxh3::xxh3_64;

pub type Codes = BySide<Vec<u8>>;

/// Pseudo-random numbers that follow from a seed: `SplitMix64` of Steele, Lea, and Flood, "Fast
/// splittable pseudorandom number generators" (OOPSLA 2014).
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

    /// Returns an index below `len`; 0 if there is none.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len.max(1) as u64) as usize
    }
}

/// Values for a layer, as many as it has classes: runs of equal ones, as in real tables.
pub fn any_codes(game: &Hunt, layer: u16, seed: u64) -> Codes {
    let index = game.index(layer);
    BySide::from_fn(|side| {
        let mut random = Random(seed + u64::from(layer) + 1000 * side.index() as u64);
        let mut codes = Vec::new();
        while (codes.len() as u64) < index.len(side) {
            let run = 1 + random.below(40).min(index.len(side) - 1 - codes.len() as u64);
            codes.resize(codes.len() + run as usize, random.below(3) as u8);
        }
        codes
    })
}

pub fn counts(game: &Hunt, layer: u16, codes: &Codes) -> Counts {
    let index = game.index(layer);
    let mut counts = Counts::default();
    for side in Side::BOTH {
        for (rank, &code) in codes[side].iter().enumerate() {
            let outcome: Outcome = outcome_of(code).unwrap();
            counts[side][count_slot(outcome)] += index.orbit(side, rank as u64);
        }
    }
    counts
}

pub fn raw_payload(codes: &Codes) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (_, codes) in codes.iter() {
        let mut words = vec![0; 2 * pairs(codes.len() as u64) as usize];
        for (entry, &code) in codes.iter().enumerate() {
            set(&mut words, entry as u64, code);
        }
        bytes.extend(words.iter().flat_map(|word: &u64| word.to_le_bytes()));
    }
    bytes
}

/// The bytes of a raw table, and its header.
pub fn raw_table(game: &Hunt, layer: u16, codes: &Codes) -> (Vec<u8>, Header) {
    let header =
        Header::new_raw(game, layer, &game.index(layer), None, "anser-table tests").unwrap();
    raw_file(game, header, counts(game, layer, codes), raw_payload(codes))
}

/// Returns the file of a raw table with this payload, and its header. Every checksum fits.
pub fn raw_file(
    game: &Hunt,
    mut header: Header,
    counts: Counts,
    payload: Vec<u8>,
) -> (Vec<u8>, Header) {
    let checks: Vec<u8> = payload
        .chunks(CHECK_BLOCK as usize)
        .flat_map(|block| raw_check(block).to_le_bytes())
        .collect();
    header.finish(counts, blake3::hash(&payload).into(), xxh3_64(&checks));
    let file = file_of(game, &header, payload, checks);
    (file, header)
}

#[derive(Clone)]
pub struct Options {
    pub stored: BySide<bool>,
    pub block_entries: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { stored: BySide::new(true, true), block_entries: 4096 }
    }
}

/// The bytes of a packed table with the values of `codes`; `raw` is the header of the raw table
/// with the same.
pub fn packed_table(game: &Hunt, raw: &Header, codes: &Codes, options: &Options) -> Vec<u8> {
    packed(game, raw, codes, options, |encoder, _, block| encoder.encode(block).unwrap())
}

/// A packed table of distances; `raw` is the header of the raw table with the same.
pub fn packed_distances(
    game: &Hunt,
    raw: &Header,
    codes: &BySide<Vec<u16>>,
    options: &Options,
) -> Vec<u8> {
    packed(game, raw, codes, options, |encoder, side, block| {
        encoder.encode_distances(block, side, raw.largest_code()).unwrap()
    })
}

fn packed<T: Copy>(
    game: &Hunt,
    raw: &Header,
    codes: &BySide<Vec<T>>,
    options: &Options,
    encode: impl Fn(&mut BlockEncoder, Side, &[T]) -> Vec<u8>,
) -> Vec<u8> {
    let mut encoder = BlockEncoder::new(5).unwrap();
    let (mut payload, mut checks) = (Vec::new(), Vec::new());
    for side in Side::BOTH.into_iter().filter(|&side| options.stored[side]) {
        let (by_rank, mut by_place) = (&codes[side], Vec::new());
        let ranks = game.index(raw.layer()).packing_order(side).ranks();
        ranks.visit_ranks(0..by_rank.len() as u64, |rank| by_place.push(by_rank[rank as usize]));
        for block in by_place.chunks(options.block_entries as usize) {
            let frame = encode(&mut encoder, side, block);
            checks.extend([payload.len() as u64, xxh3_64(&frame)]);
            payload.extend(frame);
        }
    }
    checks.push(payload.len() as u64);
    let checks = bytes_of(&checks);
    let packing = Packing {
        stored: options.stored,
        level: 5,
        block_entries: options.block_entries,
        payload_len: payload.len() as u64,
    };
    let header = raw.to_packed(packing, xxh3_64(&checks), "anser-table tests").unwrap();
    file_of(game, &header, payload, checks)
}

/// The bytes of a file with these parts.
fn file_of(game: &Hunt, header: &Header, payload: Vec<u8>, checks: Vec<u8>) -> Vec<u8> {
    let mut file = header.encode().to_vec();
    file.extend(payload);
    file.resize(header.layout().checks.offset as usize, 0);
    file.extend(checks);
    file.extend(game.description_text().as_bytes());
    assert_eq!(file.len() as u64, header.layout().file_len());
    file
}

/// Values for a layer with distances of up to `plies` plies: runs of equal ones, and the longest of
/// each side somewhere.
pub fn any_distances(game: &Hunt, layer: u16, plies: u16, seed: u64) -> BySide<Vec<u16>> {
    let index = game.index(layer);
    BySide::from_fn(|side| {
        let mut random = Random(seed + u64::from(layer) + 1000 * side.index() as u64);
        let len = index.len(side) as usize;
        let mut codes = Side::BOTH.map(|winner| Dtw::win(winner, plies).code()).to_vec();
        while codes.len() < len {
            let run = 1 + random.below(40).min((len - 1 - codes.len()) as u64);
            codes.resize(codes.len() + run as usize, random.below(2 * u64::from(plies) + 3) as u16);
        }
        codes
    })
}

/// The bytes of a raw table of distances, and its header.
pub fn raw_distances(game: &Hunt, layer: u16, codes: &BySide<Vec<u16>>) -> (Vec<u8>, Header) {
    let index = game.index(layer);
    let (mut counts, mut longest) = (Counts::default(), Longest::default());
    for side in Side::BOTH {
        for (rank, &code) in codes[side].iter().enumerate() {
            let value = Dtw::from_code(code).unwrap();
            counts[side][count_slot(value.outcome())] += index.orbit(side, rank as u64);
            if let Some(winner) = value.winner() {
                let longest = &mut longest[side][winner];
                *longest = (*longest).max(value.plies());
            }
        }
    }
    let header = Header::new_raw(game, layer, &index, Some(longest), "anser-table tests").unwrap();
    let words = codes.iter().flat_map(|(_, codes)| contract_codes(codes, header.bits()));
    let payload = words.flat_map(u64::to_le_bytes).collect();
    raw_file(game, header, counts, payload)
}

/// Checks that a header with any one bit flipped is rejected.
pub fn check_every_bit_of_the_header(file: &[u8], what: &str) {
    for bit in 0..8 * HEADER_LEN {
        let mut header = file[..HEADER_LEN].to_vec();
        header[bit / 8] ^= 1 << (bit % 8);
        assert!(Header::decode(&header).is_err(), "{what}: bit {bit}");
    }
}

/// Returns copies of a file with other lengths: around the ends of its regions, and many between.
pub fn other_lengths(file: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let layout = *Header::decode(file).unwrap().layout();
    let marks = [
        8,
        10,
        12,
        HEADER_LEN,
        layout.payload.end() as usize,
        layout.checks.offset as usize,
        layout.description.offset as usize,
        file.len(),
    ];
    let around = marks.into_iter().flat_map(|mark| [mark - 1, mark, mark + 1]);
    let lengths = around.chain([0, 1, 2 * file.len()]).chain((0..file.len()).step_by(977));
    lengths.filter(|&len| len != file.len()).map(|len| {
        let mut other = file.to_vec();
        other.resize(len, 0);
        other
    })
}

/// Returns a copy of a file with one bit flipped, and its byte and bit. Each of the regions,
/// however small, gets its share of the numbers.
pub fn flip_bit(file: &[u8], number: usize, random: &mut Random) -> (Vec<u8>, usize, u64) {
    let layout = *Header::decode(file).unwrap().layout();
    let region = [layout.payload, layout.checks, layout.description][number % 3];
    let byte = if region.len == 0 || number.is_multiple_of(10) {
        random.below(file.len() as u64)
    } else {
        region.offset + random.below(region.len)
    } as usize;
    let bit = random.below(8);
    let mut damaged = file.to_vec();
    damaged[byte] ^= 1 << bit;
    (damaged, byte, bit)
}

/// Changes bytes of a header and makes its checksum fit again.
pub fn forge(file: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut forged = file.to_vec();
    forged[at..at + bytes.len()].copy_from_slice(bytes);
    let hash = xxh3_64(&forged[..HEADER_LEN - 8]);
    forged[HEADER_LEN - 8..HEADER_LEN].copy_from_slice(&hash.to_le_bytes());
    forged
}

pub fn name(game: &Hunt, layer: u16, kind: Kind) -> String {
    TableName::new(game.name(), game.rules_id(), layer, Metric::Wdl, kind).to_string()
}
