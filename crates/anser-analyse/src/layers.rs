//! Reads the values of whole layers in parts, on all threads.

use std::ops::Range;

use anser_core::hunt::HuntIndex;
use anser_core::{Hunt, LayerIndex, Observer, ProbeLayer, Side};
use anser_retrograde::AnalyseError;
use anser_retrograde::parallel::{self, Buffers};

/// Number of classes that a thread reads at a time: several blocks of a packed table.
const PART: u64 = 1 << 18;

/// Number of parts per thread after which the threads wait for each other.
const PARTS_PER_THREAD: usize = 8;

/// A layer whose values are read in parts.
pub(crate) struct LayerValues<'a, P: ?Sized> {
    pub(crate) game: &'a Hunt,
    pub(crate) probe: &'a P,
    pub(crate) layer: u16,
    pub(crate) index: HuntIndex,
    pub(crate) observer: &'a dyn Observer,
}

impl<'a, P: ProbeLayer<Error: Send + From<AnalyseError>> + Sync + ?Sized> LayerValues<'a, P> {
    pub(crate) fn new(
        game: &'a Hunt,
        probe: &'a P,
        layer: u16,
        observer: &'a dyn Observer,
    ) -> LayerValues<'a, P> {
        LayerValues { game, probe, layer, index: game.index(layer), observer }
    }

    /// Folds the exact values with `side` to move in parallel: `part` receives the ranks of
    /// consecutive classes and the codes of their values. `join` combines two results, the first of
    /// which is that of the smaller ranks. Returns `None` if there are no classes.
    pub(crate) fn fold_distances<A: Send>(
        &self,
        side: Side,
        part: impl Fn(Range<u64>, &[u16]) -> A + Sync,
        join: impl Fn(A, A) -> A + Sync,
    ) -> Result<Option<A>, P::Error> {
        let what = format!("layer {}, {} to move", self.layer, self.game.side_name(side));
        let read = |codes: &mut Vec<u16>, ranks: Range<u64>| {
            codes.resize((ranks.end - ranks.start) as usize, 0);
            self.probe.read_distances(self.layer, side, ranks.start, codes)?;
            Ok(part(ranks, codes))
        };
        self.fold(&what, self.index.len(side), read, join)
    }

    /// Folds parts of `0..classes` in parallel: `part` receives ranks, and a buffer that its thread
    /// reuses.
    pub(crate) fn fold<A: Send, B: Default + Send>(
        &self,
        what: &str,
        classes: u64,
        part: impl Fn(&mut B, Range<u64>) -> Result<A, P::Error> + Sync,
        join: impl Fn(A, A) -> A + Sync,
    ) -> Result<Option<A>, P::Error> {
        self.observer.begin(what, classes);
        let buffers = Buffers::default();
        let read = |number: usize| {
            if self.observer.interrupted() {
                return Err(AnalyseError::Interrupted.into());
            }
            let first = number as u64 * PART;
            let ranks = first..classes.min(first + PART);
            let len = ranks.end - ranks.start;
            let done = buffers.with(|buffer| part(buffer, ranks))?;
            self.observer.advance(len);
            Ok::<_, P::Error>(done)
        };
        // All threads stay close together: what their parts follow from is the same, mostly.
        let parts = classes.div_ceil(PART) as usize;
        let window = PARTS_PER_THREAD * rayon::current_num_threads();
        let mut folded = None;
        for first in (0..parts).step_by(window) {
            let next = parallel::try_reduce(first..parts.min(first + window), &read, &join)?;
            folded = match (folded, next) {
                (Some(folded), Some(next)) => Some(join(folded, next)),
                (folded, next) => folded.or(next),
            };
        }
        Ok(folded)
    }
}
