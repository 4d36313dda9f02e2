//! Sorted lists of keys with fast lookup.
//!
//! The leading bits of the keys divide a layer into parts. Keys are spread evenly, so the next bits
//! give the approximate position of a key in its part: a directory holds the index of the first key
//! with each value of these bits.

/// The number of leading bits of a key that select its part.
const PART_BITS: u32 = 6;

/// The number of parts of a layer.
pub(super) const PARTS: usize = 1 << PART_BITS;

/// Returns the part of a key of `key_bits` bits.
#[inline]
pub(super) fn part_of(key: u64, key_bits: u32) -> usize {
    (key >> (key_bits - PART_BITS)) as usize
}

/// Keys of a part, ascending, with or without their directory.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    keys: Vec<u64>,
    starts: Vec<u32>,
    /// The number of bits below those that the directory uses, and the mask of the bits below those
    /// of the part.
    shift: u32,
    mask: u64,
}

impl List {
    /// Creates the list of these keys, which may be unsorted and have duplicates.
    pub(super) fn new(mut keys: Vec<u64>) -> List {
        keys.sort_unstable();
        keys.dedup();
        keys.shrink_to_fit();
        List { keys, ..List::default() }
    }

    /// Returns the keys in ascending order.
    pub(super) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Returns the memory of the list, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        8 * self.keys.capacity() as u64 + 4 * self.starts.capacity() as u64
    }

    /// Makes the directory, with about four keys per entry.
    pub(super) fn build_directory(&mut self, key_bits: u32) {
        let low = key_bits - PART_BITS;
        let bits = (self.keys.len() / 4).max(1).ilog2().min(low);
        self.shift = low - bits;
        self.mask = (1 << low) - 1;
        self.starts = vec![0; (1 << bits) + 1];
        for key in &self.keys {
            self.starts[((key & self.mask) >> self.shift) as usize + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
    }

    /// Returns the index of a key of this part; `None` without a directory.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<usize> {
        let entry = ((key & self.mask) >> self.shift) as usize;
        let start = *self.starts.get(entry)? as usize;
        let behind = self.keys.get(start..)?.iter().position(|&other| other >= key)?;
        (self.keys[start + behind] == key).then_some(start + behind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_a_list_are_found_and_no_others() {
        let key_bits = 20;
        for many in [0, 1, 2, 5, 100, 3000] {
            let keys: Vec<u64> = (0..many)
                .map(|i: u64| i.wrapping_mul(0x9E37_79B9) % (1 << 14) + (3 << 14))
                .collect();
            let mut list = List::new([&keys[..], &keys[..]].concat());
            assert_eq!(list.find(3 << 14), None, "there is no directory yet");
            list.build_directory(key_bits);
            for key in 3 << 14..4 << 14 {
                assert_eq!(part_of(key, key_bits), 3);
                assert_eq!(
                    list.find(key).map(|at| list.keys()[at]),
                    keys.contains(&key).then_some(key)
                );
            }
        }
    }
}
