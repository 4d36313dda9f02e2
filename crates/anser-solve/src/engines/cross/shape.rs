//! Memory layout of the goose sets of a layer.
//!
//! For one fox point, the sets with ring set `c`, `k0` points in half 0, and `k1` in half 1 form a
//! bit matrix. A *field* holds all matrices of one fox class in one *orientation*: in orientation 0
//! a row is a set of half 0 and a bit of the row is a set of half 1; in orientation 1 it is the
//! other way round. A row is contiguous and starts at a word. The rows of a matrix are in order of
//! rank, and the matrices in order of ring set, then of the number of points in the rows' half.
//! Bits beyond the end of a row are zero. Both orientations have the same layout, so one [`Shape`]
//! describes them.

use super::sets::{ARM, RING, SETS};

/// Layout of the fields of a layer.
pub(super) struct Shape {
    /// Number of geese.
    pub(super) geese: usize,
    /// The matrices in memory order.
    pub(super) blocks: Vec<Block>,
    /// First word of each matrix, by ring set and number of points in the rows' half.
    start: Vec<[u32; ARM + 1]>,
    /// Number of each matrix, by the same.
    number: Vec<[u16; ARM + 1]>,
    /// Length of a field in words.
    pub(super) words: usize,
}

/// One matrix.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Ring set.
    pub(super) ring: u8,
    /// Number of points in the half that the rows stand for.
    pub(super) row_points: usize,
    /// Number of points in the half that the bits of a row stand for.
    pub(super) bit_points: usize,
    /// First word in the field.
    pub(super) start: usize,
}

impl Block {
    /// Returns the number of rows.
    pub(super) fn rows(&self) -> usize {
        SETS.arm[self.row_points].len()
    }

    /// Returns the number of bits in a row.
    pub(super) fn bits(&self) -> usize {
        SETS.arm[self.bit_points].len()
    }

    /// Returns the number of words in a row.
    pub(super) fn width(&self) -> usize {
        SETS.width[self.bit_points]
    }

    /// Returns the length in words.
    pub(super) fn len(&self) -> usize {
        self.rows() * self.width()
    }

    /// Returns the block's words in a field of the block's orientation.
    pub(super) fn of<'f>(&self, field: &'f [u64]) -> &'f [u64] {
        &field[self.start..self.start + self.len()]
    }
}

const NONE: u32 = u32::MAX;

impl Shape {
    /// Returns the layout of the layer with `geese` geese.
    pub(super) fn new(geese: usize) -> Shape {
        let mut shape = Shape {
            geese,
            blocks: Vec::new(),
            start: vec![[NONE; ARM + 1]; 1 << RING],
            number: vec![[0; ARM + 1]; 1 << RING],
            words: 0,
        };
        for ring in 0..=u8::MAX {
            for row_points in 0..=ARM {
                let Some(bit_points) = geese.checked_sub(ring.count_ones() as usize + row_points)
                else {
                    continue;
                };
                if bit_points > ARM {
                    continue;
                }
                let block = Block { ring, row_points, bit_points, start: shape.words };
                shape.start[usize::from(ring)][row_points] = shape.words as u32;
                shape.number[usize::from(ring)][row_points] = shape.blocks.len() as u16;
                shape.words += block.len();
                shape.blocks.push(block);
            }
        }
        shape
    }

    /// Returns the first word of the matrix with this ring set and number of points in the rows'
    /// half. `None` if the layer has no such sets.
    pub(super) fn start(&self, ring: u8, row_points: usize) -> Option<usize> {
        let start = *self.start[usize::from(ring)].get(row_points)?;
        (start != NONE).then_some(start as usize)
    }

    /// Returns the number of that matrix.
    pub(super) fn number(&self, ring: u8, row_points: usize) -> Option<usize> {
        self.start(ring, row_points)
            .map(|_| usize::from(self.number[usize::from(ring)][row_points]))
    }

    /// Returns the number of the block that holds the same sets in the other orientation.
    pub(super) fn transposed_number(&self, block: &Block) -> usize {
        self.number(block.ring, block.bit_points).expect("both orientations have the same matrices")
    }

    /// Returns the block that holds the same sets in the other orientation.
    pub(super) fn transposed(&self, block: &Block) -> &Block {
        &self.blocks[self.transposed_number(block)]
    }

    /// Returns the word, and the bit in it, of a goose set in a field. The set is given by its ring
    /// set, the arm set of the rows' half, and the other arm set.
    #[inline]
    pub(super) fn locate(&self, ring: u8, row: u16, bit: u16) -> (usize, u32) {
        let start =
            self.start(ring, row.count_ones() as usize).expect("the set belongs to this layer");
        let width = SETS.width[bit.count_ones() as usize];
        let bit = SETS.rank[usize::from(bit)];
        (
            start + usize::from(SETS.rank[usize::from(row)]) * width + usize::from(bit / 64),
            u32::from(bit % 64),
        )
    }

    /// Splits a field, or any array with its layout, into its blocks.
    pub(super) fn split<'f>(&self, mut field: &'f mut [u64]) -> Vec<&'f mut [u64]> {
        let mut blocks = Vec::with_capacity(self.blocks.len());
        for block in &self.blocks {
            let (first, rest) = field.split_at_mut(block.len());
            blocks.push(first);
            field = rest;
        }
        blocks
    }

    /// Splits a field into the blocks of each orbit. Every block is in one orbit.
    pub(super) fn split_orbits<'f>(
        &self,
        field: &'f mut [u64],
        orbits: &[Vec<usize>],
    ) -> Vec<Vec<&'f mut [u64]>> {
        let mut blocks: Vec<Option<_>> = self.split(field).into_iter().map(Some).collect();
        let mut take = |&number: &usize| blocks[number].take().expect("a block is in one orbit");
        orbits.iter().map(|orbit| orbit.iter().map(&mut take).collect()).collect()
    }
}
