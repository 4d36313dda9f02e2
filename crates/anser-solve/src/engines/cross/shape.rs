//! How the goose sets of a layer lie in memory.
//!
//! For one fox point, the sets with ring set `c`, `k0` points in half 0 and `k1` in half 1 form a bit matrix. A *field* holds
//! all of them twice at most: by rows of half 0, a bit of a row being a set of half 1, or the other way round. In either
//! *orientation* a row is contiguous and begins at a word, the rows of a matrix follow each other in order of rank, and the
//! matrices lie by ring set, then by the number of points of a row's own half. Bits beyond a row's end are zero. Both
//! orientations have the very same layout, so one [`Shape`] describes them.

use super::sets::{ARM, RING, SETS};

/// The layout of the fields of a layer.
pub(super) struct Shape {
    /// The number of geese.
    pub(super) geese: usize,
    /// The matrices in the order in which they lie.
    pub(super) blocks: Vec<Block>,
    /// By ring set and number of points in the rows' half: where the matrix begins, in words.
    start: Vec<[u32; ARM + 1]>,
    /// By the same: its number.
    number: Vec<[u16; ARM + 1]>,
    /// The length of a field in words.
    pub(super) words: usize,
}

/// One matrix.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// The ring set.
    pub(super) ring: u8,
    /// The number of points in the half that the rows stand for.
    pub(super) row_points: usize,
    /// The number of points in the half that the bits of a row stand for.
    pub(super) bit_points: usize,
    /// Where it begins, in words.
    pub(super) start: usize,
}

impl Block {
    /// The number of rows.
    pub(super) fn rows(&self) -> usize {
        SETS.arm[self.row_points].len()
    }

    /// The number of bits in a row.
    pub(super) fn bits(&self) -> usize {
        SETS.arm[self.bit_points].len()
    }

    /// The number of words in a row.
    pub(super) fn width(&self) -> usize {
        SETS.width[self.bit_points]
    }

    /// The length in words.
    pub(super) fn len(&self) -> usize {
        self.rows() * self.width()
    }

    /// The words of the block in a field of the orientation that the block is meant for.
    pub(super) fn of<'f>(&self, field: &'f [u64]) -> &'f [u64] {
        &field[self.start..self.start + self.len()]
    }
}

const NONE: u32 = u32::MAX;

impl Shape {
    /// The layout of the layer with so many geese.
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
                let Some(bit_points) = geese.checked_sub(ring.count_ones() as usize + row_points) else { continue };
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

    /// Where the matrix of a ring set and a number of points in the rows' half begins. `None` if the layer has no such sets.
    pub(super) fn start(&self, ring: u8, row_points: usize) -> Option<usize> {
        let start = *self.start[usize::from(ring)].get(row_points)?;
        (start != NONE).then_some(start as usize)
    }

    /// The number of that matrix.
    pub(super) fn number(&self, ring: u8, row_points: usize) -> Option<usize> {
        self.start(ring, row_points).map(|_| usize::from(self.number[usize::from(ring)][row_points]))
    }

    /// The block that holds the same sets in the other orientation.
    pub(super) fn turned(&self, block: &Block) -> &Block {
        let number = self.number(block.ring, block.bit_points).expect("both orientations have the same matrices");
        &self.blocks[number]
    }

    /// The number of the block that holds the same sets as this one in the other orientation.
    pub(super) fn turned_number(&self, number: usize) -> usize {
        let block = &self.blocks[number];
        self.number(block.ring, block.bit_points).expect("both orientations have the same matrices")
    }

    /// Where a goose set is in a field: the word, and the number of the bit in it. The set is given by its ring set, the arm
    /// set of the rows' half, and the other one.
    #[inline]
    pub(super) fn place(&self, ring: u8, row: u16, bit: u16) -> (usize, u32) {
        let start = self.start(ring, row.count_ones() as usize).expect("the set is of this layer");
        let width = SETS.width[bit.count_ones() as usize];
        let bit = SETS.rank[usize::from(bit)];
        (start + usize::from(SETS.rank[usize::from(row)]) * width + usize::from(bit / 64), u32::from(bit % 64))
    }

    /// A field, or anything of its layout, cut into its blocks.
    pub(super) fn split<'f>(&self, mut field: &'f mut [u64]) -> Vec<&'f mut [u64]> {
        let mut blocks = Vec::with_capacity(self.blocks.len());
        for block in &self.blocks {
            let (first, rest) = field.split_at_mut(block.len());
            blocks.push(first);
            field = rest;
        }
        blocks
    }
}
