//! Keys being collected by many threads: the set of what was reached while it is still growing.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use rayon::slice::ParallelSliceMut;

use crate::slots::Slots;

/// Up to so many keys are marked in a bitmap from the start: 4 MiB.
const SMALL: u64 = 1 << 25;

/// The reached keys of one layer and side.
pub(crate) struct Marks {
    keys: u64,
    held: Held,
}

enum Held {
    Bits(Vec<AtomicU64>),
    /// For key spaces that may stay nearly empty.
    List(Mutex<List>),
}

#[derive(Default)]
struct List {
    /// Ascending, each once.
    sorted: Vec<u64>,
    /// In any order, also such as are there already.
    pending: Vec<u64>,
    /// What became part of `sorted` since [`Marks::follow`].
    fresh: Option<Vec<u64>>,
}

impl Marks {
    /// No mark yet, in a space of so many keys.
    pub(crate) fn new(keys: u64) -> Marks {
        let held = if keys <= SMALL { Held::Bits(bits(keys)) } else { Held::List(Mutex::default()) };
        Marks { keys, held }
    }

    /// Marks a key at once, if there is a bitmap: whether it was marked before. Otherwise the key must be added to the
    /// list.
    #[inline]
    pub(crate) fn mark(&self, key: u64) -> Option<bool> {
        let Held::Bits(words) = &self.held else { return None };
        let (word, bit) = (&words[(key / 64) as usize], 1 << (key % 64));
        // Most keys are marked already, and a look does not take the cache line from other threads.
        Some(word.load(Relaxed) & bit != 0 || word.fetch_or(bit, Relaxed) & bit != 0)
    }

    /// Adds keys to the list, in any order and each any number of times, and empties `keys`.
    pub(crate) fn add(&self, keys: &mut Vec<u64>) {
        if let Held::List(list) = &self.held {
            let mut list = list.lock().unwrap_or_else(PoisonError::into_inner);
            list.pending.append(keys);
            if list.pending.len() > list.sorted.len() + (1 << 20) {
                list.settle();
            }
        }
    }

    /// All keys marked so far; from now on [`Marks::take_fresh`] tells the new ones of a list.
    pub(crate) fn follow(&mut self) -> Vec<u64> {
        self.settle();
        match &mut self.held {
            Held::Bits(words) => {
                let mut keys = Vec::new();
                for (number, word) in words.iter().enumerate() {
                    let mut rest = word.load(Relaxed);
                    while rest != 0 {
                        keys.push(number as u64 * 64 + u64::from(rest.trailing_zeros()));
                        rest &= rest - 1;
                    }
                }
                keys
            }
            Held::List(list) => {
                let list = list.get_mut().unwrap_or_else(PoisonError::into_inner);
                list.fresh = Some(Vec::new());
                list.sorted.clone()
            }
        }
    }

    /// The keys that were added to a list, and not there before, since they were last asked for.
    pub(crate) fn take_fresh(&mut self) -> Vec<u64> {
        let fresh = match &mut self.held {
            Held::Bits(_) => return Vec::new(),
            Held::List(list) => {
                let list = list.get_mut().unwrap_or_else(PoisonError::into_inner);
                list.settle();
                list.fresh.as_mut().map(std::mem::take).unwrap_or_default()
            }
        };
        self.settle();
        fresh
    }

    /// Puts what was added to a list in order. A list that has become longer than a bitmap would be turns into one.
    pub(crate) fn settle(&mut self) {
        let Held::List(list) = &mut self.held else { return };
        let list = list.get_mut().unwrap_or_else(PoisonError::into_inner);
        list.settle();
        if list.sorted.len() as u64 > self.keys / 64 {
            let words = bits(self.keys);
            for &key in &list.sorted {
                words[(key / 64) as usize].fetch_or(1 << (key % 64), Relaxed);
            }
            self.held = Held::Bits(words);
        }
    }

    /// The bytes that the marks take.
    pub(crate) fn bytes(&self) -> u64 {
        match &self.held {
            Held::Bits(words) => words.len() as u64 * 8,
            Held::List(list) => {
                let list = list.lock().unwrap_or_else(PoisonError::into_inner);
                8 * (list.sorted.len() + list.pending.len()) as u64
            }
        }
    }

    /// The set of all that was marked.
    pub(crate) fn finish(mut self) -> Slots {
        self.settle();
        match self.held {
            Held::Bits(words) => Slots::from_words(words.into_iter().map(AtomicU64::into_inner).collect()),
            Held::List(list) => {
                let mut sorted = list.into_inner().unwrap_or_else(PoisonError::into_inner).sorted;
                sorted.shrink_to_fit();
                Slots::Sorted(sorted)
            }
        }
    }
}

impl List {
    fn settle(&mut self) {
        self.pending.par_sort_unstable();
        self.pending.dedup();
        let sorted = &self.sorted;
        self.pending.retain(|key| sorted.binary_search(key).is_err());
        if let Some(fresh) = &mut self.fresh {
            fresh.extend_from_slice(&self.pending);
        }
        self.sorted.append(&mut self.pending);
        // Two runs in order: the stable sort merges them in one pass.
        self.sorted.par_sort();
    }
}

fn bits(keys: u64) -> Vec<AtomicU64> {
    (0..keys.div_ceil(64)).map(|_| AtomicU64::new(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_turns_into_a_bitmap_and_loses_nothing() {
        let keys = SMALL + 1;
        let mut marks = Marks::new(keys);
        assert_eq!(marks.mark(5), None);
        marks.add(&mut vec![7, 5, 7]);
        assert_eq!(marks.follow(), [5, 7]);
        marks.add(&mut vec![6, 5]);
        assert_eq!(marks.take_fresh(), [6]);
        let mut many: Vec<u64> = (0..keys / 32).map(|number| number * 32 + 1).collect();
        marks.add(&mut many);
        assert_eq!(marks.take_fresh().len() as u64, keys / 32);
        assert_eq!(marks.mark(6), Some(true));
        assert_eq!(marks.mark(8), Some(false));
        let set = marks.finish();
        assert_eq!(set.len() as u64, keys / 32 + 4);
        assert_eq!(set.members(0..6).collect::<Vec<_>>(), [1, 5, 6, 7, 8, 33]);
    }

    #[test]
    fn a_short_list_stays_one() {
        let mut marks = Marks::new(SMALL * 1000);
        marks.add(&mut vec![SMALL * 999, 3]);
        marks.settle();
        assert_eq!(marks.bytes(), 16);
        let set = marks.finish();
        assert_eq!(set.members(0..2).collect::<Vec<_>>(), [3, SMALL * 999]);
    }
}
