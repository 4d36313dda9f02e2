//! Converts between the order of a table and the order of the fields.
//!
//! The table's index splits a goose set differently, into an outer and an inner word of 16 points;
//! see [`CrossIndex`]. Half 0 and half 1 have eight of the outer points and four of the inner
//! points each; the ring is all inner. The four inner points are the lowest bits of a half. So, for
//! a fixed outer word, the inner words that agree in the ring and in the four inner points of the
//! rows' half are a *run* of at most six consecutive bits in one row of a field. A block of the
//! table, all inner words of one outer word, is read run by run and then put into table order by a
//! fixed permutation.

use crate::engines::store::{Store, Words, shared};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anser_core::fox_geese::{CrossIndex, IndexSegment};
use anser_core::{Group, Symmetry};

use super::bits::BitWriter;
use super::moves::Fox;
use super::report::Report;
use super::runs::{BitRuns, EightBlocks, ReadGroup, Source};
use super::sets::{ARM, INNER, PointBit, SETS};
use super::shape::Shape;
use crate::{SolveError, check_interrupt};
use anser_retrograde::isa::{Level, dispatch};
use anser_retrograde::parallel::{self, Buffers};

/// The tables of the conversion, which do not depend on game, layer, or fox.
struct Tables {
    /// Arm sets, half 0 in the low 16 bits and half 1 in the high 16, by low byte and by high byte
    /// of the outer word.
    outer: [[u32; 256]; 2],
    /// By inner word: ring set in bits 0 to 7, inner points of half 0 in bits 8 to 11, of half 1 in
    /// bits 12 to 15.
    inner: Vec<u16>,
    /// Runs by orientation and number of inner geese.
    runs: [Vec<BitRuns>; 2],
    /// Outer word by half and outer points of an arm set.
    outer_of: [Vec<u16>; 2],
    /// Image of each inner word, by symmetry code.
    inner_image: Vec<Vec<u16>>,
}

/// The tables, computed on first use.
static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

impl Tables {
    fn new() -> Tables {
        // Returns the ring set and the arm sets of a word of points.
        let parts = |of_word: &[PointBit], word: usize| {
            let (mut ring, mut arms) = (0u32, [0u32; 2]);
            for (_, &of) in (0..).zip(of_word).filter(|(at, _)| word >> at & 1 != 0) {
                match of {
                    PointBit::Arm { half, bit } => arms[half] |= 1 << bit,
                    PointBit::Ring { bit } => ring |= 1 << bit,
                    PointBit::Center => {}
                }
            }
            (ring, arms)
        };
        let outer_bits = CrossIndex::outer_points().map(|p| SETS.bit_of(p));
        let inner_bits = CrossIndex::inner_points().map(|p| SETS.bit_of(p));
        let outer = [&outer_bits[..8], &outer_bits[8..]].map(|bits| {
            std::array::from_fn(|byte| {
                let (_, [a, b]) = parts(bits, byte);
                a | b << 16
            })
        });
        let inner = (0..1usize << 16).map(|word| {
            let (ring, [a, b]) = parts(&inner_bits, word);
            debug_assert!(a < 1 << INNER && b < 1 << INNER);
            (ring | a << 8 | b << 12) as u16
        });
        let inner: Vec<u16> = inner.collect();
        let runs = [0, 1].map(|orientation| {
            (0..=16).map(|geese| BitRuns::new(&inner, orientation, geese)).collect()
        });
        let outer_of = [0, 1].map(|half| {
            let bit_of =
                |bit: usize| outer_bits.iter().position(|&of| of == PointBit::Arm { half, bit });
            (0..1usize << (ARM - INNER))
                .map(|set| {
                    let points = (0..ARM - INNER).filter(|bit| set >> bit & 1 != 0);
                    points.fold(0, |word, bit| {
                        word | 1 << bit_of(INNER + bit).expect("all these are outer points")
                    })
                })
                .collect()
        });
        let inner_points = CrossIndex::inner_points();
        let inner_image = Symmetry::all()
            .map(|s| {
                let image = inner_points.map(|p| {
                    inner_points.iter().position(|&q| q == p.image(s)).unwrap_or_default()
                });
                (0..1usize << 16)
                    .map(|word| {
                        (0..16)
                            .filter(|bit| word >> bit & 1 != 0)
                            .fold(0, |all, bit| all | 1 << image[bit])
                    })
                    .collect()
            })
            .collect();
        Tables { outer, inner, runs, outer_of, inner_image }
    }
}

/// Returns the arm sets of an outer word.
fn arms(outer: u16) -> [u16; 2] {
    let arms =
        TABLES.outer[0][usize::from(outer & 0xff)] | TABLES.outer[1][usize::from(outer >> 8)];
    [arms as u16, (arms >> 16) as u16]
}

/// Returns the word and the bit of a goose set in a field of an orientation.
fn locate(shape: &Shape, orientation: usize, outer: u16, inner: u16) -> (usize, u32) {
    let mut arms = arms(outer);
    let inner = TABLES.inner[usize::from(inner)];
    arms[0] |= inner >> 8 & 0xf;
    arms[1] |= inner >> 12;
    shape.locate(inner as u8, arms[orientation], arms[1 - orientation])
}

/// Reads the bits of one outer word and the given inner words, in their order, one at a time.
fn read_one_by_one(source: &Source<'_>, outer: u16, inner: &[u16]) -> Vec<u64> {
    let mut words = vec![0; inner.len().div_ceil(64)];
    for (at, &inner) in inner.iter().enumerate() {
        let (word, bit) = locate(source.shape, source.orientation, outer, inner);
        words[at / 64] |= (source.rows[word] >> bit & 1) << (at % 64);
    }
    words
}

/// Writes one side of one fox class into planes of the table: `word(group, j)` is the word of
/// group number `group` in plane `j`, which is written from source `j`. Only sets bits of the
/// planes. Reports each word of a plane.
pub(super) fn write_class<'p>(
    level: Level,
    index: &CrossIndex,
    fox: &Fox,
    sources: &[Source<'_>],
    word: &(impl Fn(usize, usize) -> &'p AtomicU64 + Sync),
    report: &Report<'_>,
) {
    let segments: Vec<IndexSegment<'_>> =
        index.segments().filter(|segment| segment.fox == fox.point).collect();
    parallel::for_each(segments, &|segment| {
        let len = segment.inner.len();
        let put = |plane: usize, at: usize, words: &[u64]| {
            let invert = sources[plane].invert;
            let mut out =
                BitWriter::new(segment.start + (at * len) as u64, |group| word(group, plane));
            for (number, word) in words.iter().enumerate() {
                out.push(word ^ invert, 64.min(len - 64 * number));
            }
            out.finish();
            report.advance(len as u64 / 64);
        };
        if segment.fixed_by != Group::TRIVIAL {
            parallel::for_each(segment.outer.iter().enumerate(), &|(at, &outer)| {
                for (plane, source) in sources.iter().enumerate() {
                    put(plane, at, &read_one_by_one(source, outer, segment.inner));
                }
            });
            return;
        }
        // Outer words that agree in the rows' half are read from the same rows.
        let orientation = sources.first().map_or(0, |source| source.orientation);
        debug_assert!(sources.iter().all(|source| source.orientation == orientation));
        let mut outer: Vec<(u16, u16, usize)> = segment
            .outer
            .iter()
            .enumerate()
            .map(|(at, &outer)| {
                let arms = arms(outer);
                (arms[orientation], arms[1 - orientation], at)
            })
            .collect();
        outer.sort_unstable();
        let groups: Vec<&[(u16, u16, usize)]> = outer.chunk_by(|a, b| a.0 == b.0).collect();
        let runs = &TABLES.runs[orientation][segment.inner[0].count_ones() as usize];
        let buffers = Buffers::<EightBlocks>::default();
        parallel::for_each(groups, &|group| {
            let bit_arms: Vec<u16> = group.iter().map(|&(_, bit_arm, _)| bit_arm).collect();
            // Together, because the planes share cache lines of the table.
            buffers.with(|blocks| {
                for (plane, &source) in sources.iter().enumerate() {
                    let put = |number: usize, words: &[u64]| put(plane, group[number].2, words);
                    let (row_arm, bit_arms, blocks) = (group[0].0, &bit_arms[..], &mut *blocks);
                    let group = ReadGroup { source, runs, row_arm, bit_arms, blocks, put };
                    dispatch(level, group);
                }
            });
        });
    });
}

/// Reads one side of a layer from a plane of its table into one field of orientation 0 per
/// class: `word(pair)` is the word of pair number `pair`.
pub(super) fn read(
    store: Store<'_>,
    (index, shape): (&CrossIndex, &Shape),
    foxes: &[Fox],
    word: &(impl Fn(usize) -> u64 + Sync),
    report: &Report<'_>,
) -> Result<Vec<Words>, SolveError> {
    report.begin((foxes.len() * shape.words) as u64);
    let words = |pair: usize| [word(pair)];
    let class = |fox| {
        let [field] = read_class(store, (index, shape), fox, &words, report)?;
        Ok(field)
    };
    foxes.iter().map(class).collect()
}

/// Reads one side of one fox class from planes of its table into fields of orientation 0, one
/// for each plane: `words(pair)` are the words of pair number `pair`. Reports each word of a
/// field.
pub(super) fn read_class<const N: usize>(
    store: Store<'_>,
    (index, shape): (&CrossIndex, &Shape),
    fox: &Fox,
    words: &(impl Fn(usize) -> [u64; N] + Sync),
    report: &Report<'_>,
) -> Result<[Words; N], SolveError> {
    let mut fields: [Words; N] = std::array::from_fn(|_| Words::default());
    for field in &mut fields {
        *field = store.zeros(shape.words)?;
    }
    let planes = fields.each_mut().map(|field| shared(field));
    // Positions that agree in the outer points of the rows' half are in the same rows, and no
    // others are in these.
    parallel::try_for_each(0..1u16 << (ARM - INNER), &|row_outer| {
        check_interrupt(report.observer)?;
        for bit_outer in 0..1u16 << (ARM - INNER) {
            let arms = [row_outer << INNER, bit_outer << INNER];
            read_outer(index, shape, fox, arms, words, planes);
        }
        report.advance((N * (shape.words >> (ARM - INNER))) as u64);
        Ok::<_, SolveError>(())
    })?;
    Ok(fields)
}

/// Reads all positions that agree in the outer points. No other thread may change their rows.
fn read_outer<const N: usize>(
    index: &CrossIndex,
    shape: &Shape,
    fox: &Fox,
    [row_arm, bit_arm]: [u16; 2],
    words: &impl Fn(usize) -> [u64; N],
    planes: [&[AtomicU64]; N],
) {
    let outer = outer_word([row_arm, bit_arm]);
    let inner_geese = shape.geese.checked_sub(outer.count_ones() as usize);
    let Some(runs) = inner_geese.and_then(|geese| TABLES.runs[0].get(geese)) else {
        return;
    };
    let block = index.outer_block(fox.point, outer);
    let inner_words = &runs.inner_word[..];
    let images = &TABLES.inner_image[usize::from(block.to_canonical.code())];
    let mut next = 0;
    for run in &runs.list {
        let mut values = [0; N];
        for bit in 0..run.len {
            let inner = images[usize::from(inner_words[next])];
            next += 1;
            let entry = block.start + index.inner_place(block.fixed_by, inner);
            let words = words((entry / 64) as usize);
            for (value, word) in values.iter_mut().zip(words) {
                *value |= (word >> (entry % 64) & 1) << bit;
            }
        }
        if values == [0; N] {
            continue;
        }
        let first = bit_arm | ((1 << run.points) - 1);
        let (word, bit) = shape.locate(run.ring, row_arm | u16::from(run.row_inner), first);
        let overflows = bit + u32::from(run.len) > 64;
        let add = |to: &AtomicU64, bits: u64| to.store(to.load(Relaxed) | bits, Relaxed);
        for (value, plane) in values.into_iter().zip(planes) {
            // Most values are 0 in most planes.
            if value == 0 {
                continue;
            }
            add(&plane[word], value << bit);
            if overflows {
                add(&plane[word + 1], value >> (64 - bit));
            }
        }
    }
}

/// Returns the outer word of two arm sets.
fn outer_word(arms: [u16; 2]) -> u16 {
    TABLES.outer_of[0][usize::from(arms[0] >> INNER)]
        | TABLES.outer_of[1][usize::from(arms[1] >> INNER)]
}
