//! Sorted lists of keys, in which a key is found in a few steps.
//!
//! A layer is divided into parts by the leading bits of the keys. As keys are spread evenly, the next few bits tell nearly
//! where in its part a key stands: a directory has the place where the keys with the same such bits begin.

/// The leading bits of a key that tell its part.
const PART_BITS: u32 = 6;

/// The parts of a layer.
pub(super) const PARTS: usize = 1 << PART_BITS;

/// The part that a key belongs to, of keys of so many bits.
#[inline]
pub(super) fn part_of(key: u64, key_bits: u32) -> usize {
    (key >> (key_bits - PART_BITS)) as usize
}

/// Keys of a part, ascending, with or without their directory.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    keys: Vec<u64>,
    starts: Vec<u32>,
    /// The bits below those that the directory goes by, and the mask of those up to the part's.
    shift: u32,
    mask: u64,
}

impl List {
    /// The list of these keys, in any order and more than once.
    pub(super) fn new(mut keys: Vec<u64>) -> List {
        keys.sort_unstable();
        keys.dedup();
        keys.shrink_to_fit();
        List { keys, ..List::default() }
    }

    /// The keys, ascending.
    pub(super) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The memory it takes, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        8 * self.keys.capacity() as u64 + 4 * self.starts.capacity() as u64
    }

    /// Makes the directory, of about four keys an entry.
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

    /// The place of a key of this part. The directory must have been made; without it nothing is found.
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
            let keys: Vec<u64> = (0..many).map(|i: u64| i.wrapping_mul(0x9E37_79B9) % (1 << 14) + (3 << 14)).collect();
            let mut list = List::new([&keys[..], &keys[..]].concat());
            assert_eq!(list.find(3 << 14), None, "there is no directory yet");
            list.build_directory(key_bits);
            for key in 3 << 14..4 << 14 {
                assert_eq!(part_of(key, key_bits), 3);
                assert_eq!(list.find(key).map(|at| list.keys()[at]), keys.contains(&key).then_some(key));
            }
        }
    }
}
