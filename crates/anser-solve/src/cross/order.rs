//! Between the order of the table and the order of the fields.
//!
//! The table's index takes the goose set apart in another way, into outer and inner words of 16 points; see
//! [`CrossIndex`]. Half 0 and half 1 have eight of the outer points and four of the inner points each, the ring is all inner.
//! The bits of a half begin with its four inner points. So, for a fixed outer word, the inner words that agree in the ring and
//! in the four points of the rows' half are a *run* of at most six neighbouring bits in one row of a field. A block of the
//! table, all inner words for one outer word, is read as its runs and then put into the table's order by a fixed permutation.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anser_core::fox_geese::{CrossIndex, IndexSegment};
use anser_core::{Group, LayerIndex, Side, Symmetry};
use rayon::prelude::*;

use super::fixpoint::Observe;
use super::moves::Fox;
use super::sets::{ARM, Place, RING, SETS};
use super::shape::Shape;
use crate::SolveError;

/// The inner points of a half.
const INNER: usize = 4;

/// How the bits of the index's words lie in the partition.
pub(super) struct Order {
    /// By outer word, low byte and high byte: its arm sets, half 0 in the low 16 bits, half 1 in the high 16.
    outer: [[u32; 256]; 2],
    /// By inner word: ring set in bits 0 to 7, inner arm points of half 0 in bits 8 to 11, of half 1 in bits 12 to 15.
    inner: Vec<u16>,
    /// By orientation and number of inner geese.
    runs: [Vec<Runs>; 2],
    /// By half and outer points of an arm set: the outer word.
    outer_of: [Vec<u16>; 2],
    /// By symmetry code and inner word: the image.
    inner_image: Vec<Vec<u16>>,
}

/// A layer in both orders.
#[derive(Clone, Copy)]
pub(super) struct Numbered<'a> {
    /// The table's.
    pub(super) index: &'a CrossIndex,
    /// The fields'.
    pub(super) shape: &'a Shape,
    /// The fox classes, in the order of either.
    pub(super) foxes: &'a [Fox],
}

/// The runs that make up a block of the table, for one orientation and one number of inner geese.
struct Runs {
    list: Vec<Run>,
    /// By place in the block: the place in the runs.
    place: Vec<u16>,
    /// By place in the runs: the inner word.
    word: Vec<u16>,
}

/// Neighbouring bits of a row, up to six.
#[derive(Clone, Copy)]
struct Run {
    ring: u8,
    /// The inner points of the rows' half.
    row_inner: u8,
    /// The number of inner geese in the other half.
    points: u8,
    /// How many bits.
    len: u8,
}

impl Order {
    pub(super) fn new() -> Order {
        let half_bits = |places: [Place; 16], word: usize, shift: usize, bits: usize| {
            let mut arms = [0u32; 2];
            for bit in (0..bits).filter(|bit| word >> bit & 1 != 0) {
                if let Place::Arm { half, bit } = places[shift + bit] {
                    arms[half] |= 1 << bit;
                }
            }
            arms
        };
        let outer_places = CrossIndex::outer_points().map(|p| SETS.place(p));
        let inner_places = CrossIndex::inner_points().map(|p| SETS.place(p));
        let outer = [0, 8].map(|shift| {
            std::array::from_fn(|byte| {
                let [a, b] = half_bits(outer_places, byte, shift, 8);
                a | b << 16
            })
        });
        let inner: Vec<u16> = (0..1usize << 16)
            .map(|word| {
                let [a, b] = half_bits(inner_places, word, 0, 16);
                debug_assert!(a < 1 << INNER && b < 1 << INNER);
                let ring = (0..16).filter(|bit| word >> bit & 1 != 0).fold(0, |set, bit| match inner_places[bit] {
                    Place::Ring { bit } => set | 1 << bit,
                    _ => set,
                });
                (ring | a << 8 | b << 12) as u16
            })
            .collect();
        let runs = [0, 1].map(|orientation| (0..=16).map(|geese| Runs::new(&inner, orientation, geese)).collect());
        let outer_of = [0, 1].map(|half| {
            let bit_of = |bit: usize| outer_places.iter().position(|&place| place == Place::Arm { half, bit });
            (0..1usize << (ARM - INNER))
                .map(|set| {
                    let points = (0..ARM - INNER).filter(|bit| set >> bit & 1 != 0);
                    points.fold(0, |word, bit| word | 1 << bit_of(INNER + bit).expect("all these are outer points"))
                })
                .collect()
        });
        let inner_points = CrossIndex::inner_points();
        let inner_image = Symmetry::all()
            .map(|s| {
                let image =
                    inner_points.map(|p| inner_points.iter().position(|&q| q == p.image(s)).unwrap_or_default());
                (0..1usize << 16)
                    .map(|word| (0..16).filter(|bit| word >> bit & 1 != 0).fold(0, |all, bit| all | 1 << image[bit]))
                    .collect()
            })
            .collect();
        Order { outer, inner, runs, outer_of, inner_image }
    }

    /// The arm sets of an outer word.
    fn arms(&self, outer: u16) -> [u16; 2] {
        let arms = self.outer[0][usize::from(outer & 0xff)] | self.outer[1][usize::from(outer >> 8)];
        [arms as u16, (arms >> 16) as u16]
    }

    /// Where a goose set is in a field of an orientation: word and bit.
    fn locate(&self, shape: &Shape, orientation: usize, outer: u16, inner: u16) -> (usize, u32) {
        let mut arms = self.arms(outer);
        let inner = self.inner[usize::from(inner)];
        arms[0] |= inner >> 8 & 0xf;
        arms[1] |= inner >> 12;
        let (row, bit) = (arms[orientation], arms[1 - orientation]);
        let width = SETS.arm[bit.count_ones() as usize].len().div_ceil(64);
        let start = shape.start(inner as u8, row.count_ones() as usize).expect("the set is of this layer");
        let bit = SETS.rank[usize::from(bit)];
        (start + usize::from(SETS.rank[usize::from(row)]) * width + usize::from(bit / 64), u32::from(bit % 64))
    }

    /// Writes one side of a solved layer into a plane of the table: `plane(pair)` is the word of pair number `pair`. Bits
    /// of the plane are only ever set. With `inverted`, what is not in the field is written. `written` is called after each
    /// fox class.
    pub(super) fn write<'p>(
        &self,
        layer: Numbered<'_>,
        field: &[[Vec<u64>; 2]],
        inverted: bool,
        plane: &(impl Fn(usize) -> &'p AtomicU64 + Sync),
        written: impl Fn(),
        observe: &(impl Observe + ?Sized),
    ) {
        let Numbered { index, shape, foxes } = layer;
        observe.begin(index.len(Side::First) / 64);
        let invert = if inverted { u64::MAX } else { 0 };
        let segments: Vec<IndexSegment<'_>> = index.segments().collect();
        for segments in segments.chunk_by(|a, b| a.fox == b.fox) {
            segments.par_iter().for_each(|segment| {
                let class = foxes.iter().position(|fox| fox.point == segment.fox).expect("the index has these classes");
                let orientation = usize::from(field[class][0].is_empty());
                let source = Source { order: self, shape, orientation, rows: &field[class][orientation] };
                let len = segment.inner.len();
                let put = |at: usize, words: &mut dyn Iterator<Item = u64>| {
                    let mut out = BitWriter::new(segment.start + (at * len) as u64, plane);
                    for (number, word) in words.enumerate() {
                        out.push(word ^ invert, 64.min(len - 64 * number));
                    }
                    out.finish();
                    observe.advance(len as u64 / 64);
                };
                if segment.fixed_by != Group::TRIVIAL {
                    segment.outer.par_iter().enumerate().for_each(|(at, &outer)| {
                        let words = source.one_by_one(outer, segment.inner);
                        put(at, &mut words.into_iter());
                    });
                    return;
                }
                // Outer words that agree in the rows' half are read from the same rows.
                let mut outer: Vec<(u16, usize)> =
                    segment.outer.iter().enumerate().map(|(at, &outer)| (self.arms(outer)[orientation], at)).collect();
                outer.sort_unstable();
                let groups: Vec<&[(u16, usize)]> = outer.chunk_by(|a, b| a.0 == b.0).collect();
                let runs = &self.runs[orientation][segment.inner[0].count_ones() as usize];
                groups.into_par_iter().for_each_init(Eight::default, |eight, group| {
                    for some in group.chunks(8) {
                        // Fewer than eight are filled up with the last.
                        let bit_arms = std::array::from_fn(|i| {
                            self.arms(segment.outer[some[i.min(some.len() - 1)].1])[1 - orientation]
                        });
                        source.eight(runs, some[0].0, bit_arms, eight);
                        for (i, &(_, at)) in some.iter().enumerate() {
                            put(at, &mut eight.words(i));
                        }
                    }
                });
            });
            written();
        }
    }

    /// Reads one side of a layer from a plane of its table into fields of orientation 0, one a class: `word(pair)` is the word
    /// of pair number `pair`.
    pub(super) fn read(
        &self,
        layer: Numbered<'_>,
        word: &(impl Fn(usize) -> u64 + Sync),
        observe: &(impl Observe + ?Sized),
    ) -> Result<Vec<Vec<u64>>, SolveError> {
        let Numbered { index, shape, foxes } = layer;
        observe.begin((foxes.len() * shape.words) as u64);
        foxes
            .iter()
            .map(|fox| {
                let mut field = vec![0; shape.words];
                // The rows that an outer word reaches are told by its points in the rows' half.
                let mut owned: Vec<Rows<'_>> = (0..1 << (ARM - INNER)).map(|_| Rows::new()).collect();
                for (block, rows) in shape.blocks.iter().zip(shape.split(&mut field)) {
                    for (&arm, row) in SETS.arm[block.row_points].iter().zip(rows.chunks_exact_mut(block.width())) {
                        owned[usize::from(arm >> INNER)].put(block.ring, arm, row);
                    }
                }
                owned.par_iter_mut().enumerate().try_for_each(|(row_outer, rows)| {
                    observe.check()?;
                    for bit_outer in 0..1u16 << (ARM - INNER) {
                        let arms = [(row_outer as u16) << INNER, bit_outer << INNER];
                        self.read_outer(index, shape, fox, arms, word, rows);
                    }
                    observe.advance((shape.words >> (ARM - INNER)) as u64);
                    Ok::<_, SolveError>(())
                })?;
                Ok(field)
            })
            .collect()
    }

    /// Reads all positions with the same points outside the inner half.
    fn read_outer(
        &self,
        index: &CrossIndex,
        shape: &Shape,
        fox: &Fox,
        [row_arm, bit_arm]: [u16; 2],
        word: &impl Fn(usize) -> u64,
        rows: &mut Rows<'_>,
    ) {
        let outer = self.outer_word([row_arm, bit_arm]);
        let inner_geese = shape.geese.checked_sub(outer.count_ones() as usize);
        let Some(runs) = inner_geese.and_then(|geese| self.runs[0].get(geese)) else { return };
        let block = index.outer_block(fox.point, outer);
        let places = &runs.word[..];
        let images = &self.inner_image[usize::from(block.to_canonical.code())];
        let first = first_ranks(bit_arm);
        let mut next = 0;
        for run in &runs.list {
            let mut value = 0;
            for bit in 0..run.len {
                let inner = images[usize::from(places[next])];
                next += 1;
                let entry = block.start + index.inner_place(block.fixed_by, inner);
                value |= (word((entry / 64) as usize) >> (entry % 64) & 1) << bit;
            }
            if value == 0 {
                continue;
            }
            let row = rows.get(run.ring, run.row_inner);
            let bit = usize::from(first[usize::from(run.points)]);
            row[bit / 64] |= value << (bit % 64);
            if bit % 64 + usize::from(run.len) > 64 {
                row[bit / 64 + 1] |= value >> (64 - bit % 64);
            }
        }
    }

    /// The outer word of two arm sets.
    fn outer_word(&self, arms: [u16; 2]) -> u16 {
        self.outer_of[0][usize::from(arms[0] >> INNER)] | self.outer_of[1][usize::from(arms[1] >> INNER)]
    }
}

/// The ranks of the first arm sets with the given outer points and 0, 1, ... 4 inner ones.
fn first_ranks(arm: u16) -> [u16; INNER + 1] {
    std::array::from_fn(|points| SETS.rank[usize::from(arm | ((1u16 << points) - 1))])
}

/// The rows of a field whose arm sets have the same outer points.
struct Rows<'f> {
    rows: Vec<Option<&'f mut [u64]>>,
}

impl<'f> Rows<'f> {
    fn new() -> Self {
        Rows { rows: (0..1 << (RING + INNER)).map(|_| None).collect() }
    }

    fn at(ring: u8, inner: u8) -> usize {
        usize::from(ring) << INNER | usize::from(inner)
    }

    fn put(&mut self, ring: u8, arm: u16, row: &'f mut [u64]) {
        self.rows[Rows::at(ring, arm as u8 & ((1 << INNER) - 1))] = Some(row);
    }

    fn get(&mut self, ring: u8, inner: u8) -> &mut [u64] {
        self.rows[Rows::at(ring, inner)].as_deref_mut().expect("the layer has such sets")
    }
}

/// Where blocks of the table are read from.
struct Source<'a> {
    order: &'a Order,
    shape: &'a Shape,
    orientation: usize,
    rows: &'a [u64],
}

/// Blocks of the table for eight outer words, side by side.
#[derive(Default)]
struct Eight {
    /// By place in the runs: bit `i` is of block `i`.
    in_runs: Vec<u8>,
    /// By block: the bits in the order of the table, eight a byte.
    bits: [Vec<u8>; 8],
}

impl Eight {
    /// The words of a block.
    fn words(&self, block: usize) -> impl Iterator<Item = u64> {
        self.bits[block].chunks_exact(8).map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
    }
}

impl Source<'_> {
    /// The bits of one outer word and these inner words, in their order.
    fn one_by_one(&self, outer: u16, inner: &[u16]) -> Vec<u64> {
        let mut words = vec![0; inner.len().div_ceil(64)];
        for (at, &inner) in inner.iter().enumerate() {
            let (word, bit) = self.order.locate(self.shape, self.orientation, outer, inner);
            words[at / 64] |= (self.rows[word] >> bit & 1) << (at % 64);
        }
        words
    }

    /// The bits of eight outer words with the same arm set in the rows' half and equally many points in the other, and all
    /// inner words of a number of geese.
    fn eight(&self, runs: &Runs, row_arm: u16, bit_arms: [u16; 8], eight: &mut Eight) {
        let len = runs.place.len();
        eight.in_runs.resize(len + 8, 0);
        let firsts = bit_arms.map(first_ranks);
        let bit_points = bit_arms[0].count_ones() as usize;
        let mut at = 0;
        for run in &runs.list {
            let row = row_arm | u16::from(run.row_inner);
            let width = SETS.width[bit_points + usize::from(run.points)];
            let start = self.shape.start(run.ring, row.count_ones() as usize).expect("the set is of this layer");
            let row = &self.rows[start + usize::from(SETS.rank[usize::from(row)]) * width..][..width];
            let mut values = 0;
            for (i, first) in firsts.iter().enumerate() {
                let bit = usize::from(first[usize::from(run.points)]);
                let mut value = row[bit / 64] >> (bit % 64);
                if bit % 64 + usize::from(run.len) > 64 {
                    value |= row[bit / 64 + 1] << (64 - bit % 64);
                }
                values |= (value & ((1 << run.len) - 1)) << (8 * i);
            }
            // What goes beyond the run is overwritten by the next one.
            eight.in_runs[at..at + 8].copy_from_slice(&transpose_8x8(values).to_le_bytes());
            at += usize::from(run.len);
        }
        for bits in &mut eight.bits {
            bits.resize(len.div_ceil(64) * 8, 0);
        }
        for (number, places) in runs.place.chunks(8).enumerate() {
            let mut bytes = [0; 8];
            for (byte, &place) in bytes.iter_mut().zip(places) {
                *byte = eight.in_runs[usize::from(place)];
            }
            let bytes = transpose_8x8(u64::from_le_bytes(bytes)).to_le_bytes();
            for (bits, byte) in eight.bits.iter_mut().zip(bytes) {
                bits[number] = byte;
            }
        }
    }
}

/// Bit `j` of byte `i` becomes bit `i` of byte `j`.
fn transpose_8x8(mut x: u64) -> u64 {
    let mut moved = (x ^ x >> 7) & 0x00aa_00aa_00aa_00aa;
    x ^= moved ^ moved << 7;
    moved = (x ^ x >> 14) & 0x0000_cccc_0000_cccc;
    x ^= moved ^ moved << 14;
    moved = (x ^ x >> 28) & 0x0000_0000_f0f0_f0f0;
    x ^ moved ^ moved << 28
}

impl Runs {
    fn new(inner: &[u16], orientation: usize, geese: usize) -> Runs {
        let mut list = Vec::new();
        // By inner word in the form of `Order::inner`: its place in the runs.
        let mut place_of = vec![0u16; 1 << 16];
        let mut next = 0;
        for ring in 0..=u8::MAX {
            for row_inner in 0..1u8 << INNER {
                let before = (ring.count_ones() + row_inner.count_ones()) as usize;
                let Some(points) = geese.checked_sub(before).filter(|&points| points <= INNER) else { continue };
                let mut len = 0;
                for bits in (0..1u16 << INNER).filter(|bits| bits.count_ones() as usize == points) {
                    let (a, b) =
                        if orientation == 0 { (u16::from(row_inner), bits) } else { (bits, u16::from(row_inner)) };
                    place_of[usize::from(u16::from(ring) | a << 8 | b << 12)] = next;
                    next += 1;
                    len += 1;
                }
                list.push(Run { ring, row_inner, points: points as u8, len });
            }
        }
        let words = || (0..1usize << 16).filter(|word| word.count_ones() as usize == geese);
        let place: Vec<u16> = words().map(|word| place_of[usize::from(inner[word])]).collect();
        let mut word = vec![0; place.len()];
        for (inner, &place) in words().zip(&place) {
            word[usize::from(place)] = inner as u16;
        }
        Runs { list, place, word }
    }
}

/// Appends bits to a plane of a table, which other threads write to before and behind.
struct BitWriter<'p, F: Fn(usize) -> &'p AtomicU64> {
    plane: F,
    pair: usize,
    word: u64,
    used: usize,
    /// Whether the current word is shared with whoever writes before.
    shared: bool,
}

impl<'p, F: Fn(usize) -> &'p AtomicU64> BitWriter<'p, F> {
    fn new(entry: u64, plane: F) -> Self {
        let used = (entry % 64) as usize;
        BitWriter { plane, pair: (entry / 64) as usize, word: 0, used, shared: used > 0 }
    }

    /// Appends the low `count` bits of a word, 1 to 64.
    fn push(&mut self, bits: u64, count: usize) {
        let bits = bits & (u64::MAX >> (64 - count));
        self.word |= bits << self.used;
        if self.used + count < 64 {
            self.used += count;
            return;
        }
        let taken = 64 - self.used;
        self.flush();
        self.word = if taken == 64 { 0 } else { bits >> taken };
        self.used = count - taken;
    }

    fn flush(&mut self) {
        let word = (self.plane)(self.pair);
        if self.shared {
            word.fetch_or(self.word, Relaxed);
        } else {
            // Nobody else has this word.
            word.store(word.load(Relaxed) | self.word, Relaxed);
        }
        self.shared = false;
        self.pair += 1;
        self.word = 0;
    }

    fn finish(mut self) {
        if self.used > 0 {
            self.shared = true;
            self.flush();
        }
    }
}
