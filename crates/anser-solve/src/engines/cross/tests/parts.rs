//! Compares parts of the engine with plain implementations.

use crate::engines::cross::passes::Fields;
use crate::engines::store::Store;
use anser_core::fox_geese::Point;
use anser_core::{Hunt, Symmetry};
use anser_retrograde::isa::{Isa, Kernel, Level, dispatch};

use crate::engines::cross::bound::Bound;
use crate::engines::cross::fixpoint::{Captures, Fixpoint, Outputs};
use crate::engines::cross::kernels::ones;
use crate::engines::cross::moves::Fox;
use crate::engines::cross::passes::{GeesePass, Scratch};
use crate::engines::cross::report::Report;
use crate::engines::cross::sets::{PointBit, SETS};
use crate::engines::cross::shape::{Block, Shape};
use crate::engines::cross::symmetry::{
    Space, all_block_orbits, block_orbits, image_field, symmetrize_field, transpose_field,
};
use crate::engines::cross::transpose::transpose;
use crate::engines::cross::without_capture::without_capture;

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns a field with about half of the bits set.
    fn field(&mut self, shape: &Shape) -> Vec<u64> {
        ones(Store::MEMORY, shape).unwrap().iter().map(|word| word & self.next()).collect()
    }
}

#[test]
fn transpose_exchanges_rows_and_bits_in_any_row_order() {
    struct Work<'a>(&'a [u64], (usize, usize), Option<&'a [u16]>, &'a mut [u64]);
    impl Kernel for Work<'_> {
        type Output = ();
        const HAS_AVX512: bool = true;
        fn run(self, isa: impl Isa) {
            transpose(isa, self.0, self.1, self.2, self.3);
        }
    }
    let mut random = Random(1);
    for (rows, bits) in
        [(1, 1), (1, 924), (12, 66), (64, 64), (65, 63), (220, 495), (792, 924), (924, 1)]
    {
        let (width, to_width) = (usize::div_ceil(bits, 64), usize::div_ceil(rows, 64));
        let last = u64::MAX >> ((64 - bits % 64) % 64);
        let from: Vec<u64> = (0..rows * width)
            .map(|at| random.next() & if at % width == width - 1 { last } else { u64::MAX })
            .collect();
        let reversed: Vec<u16> = (0..rows as u16).rev().collect();
        for order in [None, Some(&reversed[..])] {
            for level in Level::available() {
                let mut to = vec![u64::MAX; bits * to_width];
                dispatch(level, Work(&from, (rows, bits), order, &mut to));
                for i in 0..64 * to_width {
                    for j in 0..bits {
                        let row = order
                            .map_or(i, |order| order.get(i).map_or(i, |&row| usize::from(row)));
                        let expected = i < rows && from[row * width + j / 64] >> (j % 64) & 1 != 0;
                        assert_eq!(
                            to[j * to_width + i / 64] >> (i % 64) & 1 != 0,
                            expected,
                            "{level:?} {rows} {i} {j}"
                        );
                    }
                }
            }
        }
    }
}

/// Calls `visit` with the points and the bit of every goose set of a field, in an orientation. The
/// bit for d4 is not among the points.
fn visit_sets(
    shape: &Shape,
    field: &[u64],
    orientation: usize,
    mut visit: impl FnMut(Vec<Point>, bool),
) {
    for block in &shape.blocks {
        for (row, &row_arm) in SETS.arm[block.row_points].iter().enumerate() {
            for (at, &bit_arm) in SETS.arm[block.bit_points].iter().enumerate() {
                let mut arms = [row_arm; 2];
                arms[1 - orientation] = bit_arm;
                let has = |p: &Point| match SETS.bit_of(*p) {
                    PointBit::Center => false,
                    PointBit::Ring { bit } => block.ring >> bit & 1 != 0,
                    PointBit::Arm { half, bit } => arms[half] >> bit & 1 != 0,
                };
                let word = block.of(field)[row * block.width() + at / 64];
                visit(Point::all().filter(has).collect(), word >> (at % 64) & 1 != 0);
            }
        }
    }
}

#[test]
fn images_of_fields_hold_the_images_of_the_sets() {
    let shape = Shape::new(4);
    let field = Random(2).field(&shape);
    let mut sets = std::collections::HashSet::new();
    visit_sets(&shape, &field, 0, |set, is_in| {
        if is_in {
            sets.insert(set);
        }
    });
    for symmetry in Symmetry::all() {
        for orientation in 0..2 {
            let image =
                image_field(Store::MEMORY, &shape, Level::best(), symmetry, &field, orientation)
                    .unwrap();
            let image = image.as_deref().unwrap_or(&field);
            visit_sets(&shape, image, orientation, |set, is_in| {
                let mut origin: Vec<Point> =
                    set.iter().map(|p| p.image(symmetry.inverse())).collect();
                origin.sort();
                assert_eq!(is_in, sets.contains(&origin), "{symmetry:?} {set:?}");
            });
        }
    }
    let transposed =
        |field: &[u64]| transpose_field(Store::MEMORY, &shape, Level::best(), field).unwrap();
    assert!(*transposed(&transposed(&field)) == field);
}

#[test]
fn images_of_a_block_equal_the_pass_over_each_block() {
    let shape = Shape::new(5);
    let mut random = Random(3);
    for rules in ["free", "forward", "forward+orthogonal"] {
        let game = Hunt::fox_geese(rules).unwrap();
        let cross = game.cross().unwrap();
        for fox in Fox::all(&cross, &cross.index(5)) {
            let orbits = block_orbits(&shape, &fox);
            assert_eq!(
                orbits.iter().any(|orbit| orbit.len() > 1),
                fox.symmetries > 1,
                "{rules}, fox on {}",
                fox.point
            );
            // A few sets and all their images: the complement of a nearly full field intersected
            // with all its images.
            let all = ones(Store::MEMORY, &shape).unwrap();
            let mut rows = Store::MEMORY.copy(&all).unwrap();
            rows.iter_mut()
                .for_each(|word| *word &= !(0..5).fold(u64::MAX, |few, _| few & random.next()));
            symmetrize_field(&shape, Level::best(), &fox, &orbits, &mut rows);
            rows.iter_mut().zip(&*all).for_each(|(word, all)| *word ^= all);
            let transposed = transpose_field(Store::MEMORY, &shape, Level::best(), &rows).unwrap();
            let field = [rows, transposed];
            let pass = |level: Level, orbits: &[Vec<usize>]| {
                let mut geese = [vec![0; shape.words], vec![0; shape.words]];
                let mut outputs = Outputs::new(&shape, &mut geese);
                for orbit in orbits {
                    let (out, scratch) = (outputs.take(orbit), &mut Scratch::default());
                    let (bound, record, field) = (Bound::Least, Vec::new(), &field);
                    let pass = GeesePass {
                        shape: &shape,
                        fox: &fox,
                        field,
                        bound,
                        orbit,
                        out,
                        record,
                        scratch,
                    };
                    dispatch(level, pass);
                }
                geese
            };
            let alone: Vec<Vec<usize>> =
                (0..shape.blocks.len()).map(|number| vec![number]).collect();
            let expected = pass(Level::Portable, &alone);
            let good: u32 = expected[0].iter().map(|word| word.count_ones()).sum();
            let sets: u32 = all.iter().map(|word| word.count_ones()).sum();
            assert!(good > 0 && good < sets, "some positions are good");
            for level in Level::available() {
                assert!(
                    pass(level, &orbits) == expected,
                    "{rules}, fox on {}, {level:?}",
                    fox.point
                );
            }
        }
    }
}

#[test]
fn deltas_and_full_passes_give_the_same_fixpoints_in_as_many_rounds() {
    // Mirrored boards have classes that are read in one orientation, and classes that are read in
    // both.
    for rules in ["free", "forward", "forward+orthogonal"] {
        let game = Hunt::fox_geese(rules).unwrap();
        let cross = game.cross().unwrap();
        let (index, shape) = (cross.index(6), Shape::new(6));
        let foxes = Fox::all(&cross, &index);
        let orbits = all_block_orbits(&shape, &foxes);
        for bound in [Bound::Least, Bound::Greatest] {
            let run = |words_per_change: u64| {
                let store = Store::MEMORY;
                let allowed = without_capture(store, &cross, &shape, &foxes).unwrap();
                let known = match bound {
                    Bound::Least => {
                        foxes.iter().map(|_| store.zeros(shape.words).unwrap()).collect()
                    }
                    Bound::Greatest => store.copies(&allowed).unwrap(),
                };
                let captures = Captures { allowed, forced: Vec::new(), releases: None };
                let (foxes, orbits, level) = (&*foxes, &*orbits, Level::best());
                let space = Space { shape: &shape, foxes, orbits, level };
                let mut fixpoint =
                    Fixpoint::new(store, space, bound, captures, known, None).unwrap();
                fixpoint.words_per_change = words_per_change;
                fixpoint.fox_pass(&Report::none());
                fixpoint.begin_rounds();
                let mut rounds = Vec::new();
                loop {
                    let geese = fixpoint.geese_pass(&Report::none());
                    let fox = fixpoint.fox_pass(&Report::none());
                    rounds.push((geese, fox));
                    if fox == 0 {
                        let words = |field: Fields| {
                            field.iter().flatten().map(|words| words.to_vec()).collect::<Vec<_>>()
                        };
                        return (rounds, words(fixpoint.fox), words(fixpoint.geese));
                    }
                }
            };
            let [never, mostly, always] = [u64::MAX, 4, 1].map(run);
            assert!(never.0.len() > 1);
            for other in [&mostly, &always] {
                // Class counts are rounded up per batch of changes, so only the number of rounds
                // must agree.
                assert_eq!(never.0.len(), other.0.len(), "{rules} {bound:?}");
                assert!(never.1 == other.1, "{rules} {bound:?}: fox to move");
                assert!(never.2 == other.2, "{rules} {bound:?}: geese to move");
            }
        }
    }
}

#[test]
fn blocks_are_contiguous_and_hold_every_set() {
    for geese in 1..=31 {
        let shape = Shape::new(geese);
        let sets: usize =
            shape.blocks.iter().map(|block: &Block| block.rows() * block.bits()).sum();
        let expected = (0..geese as u64).fold(1, |product, i| product * (32 - i) / (i + 1));
        assert_eq!(sets as u64, expected);
        let end = shape.blocks.iter().fold(0, |end, block| {
            assert_eq!(block.start, end);
            end + block.len()
        });
        assert_eq!(end, shape.words);
    }
}
