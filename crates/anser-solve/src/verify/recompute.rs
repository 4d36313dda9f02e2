//! The value of a position by the values of what its moves lead to, for the checks of finished tables.
//!
//! This shares with the engines the rules and the index, and nothing of how they solve. There are two ways. The *general*
//! one takes any game position by position: unrank, move, rank, look up. Where a game offers its moves by blocks
//! ([`BlockMoves`]), whole blocks are worked out in `blockwise.rs`, many times faster, and only what the blocks leave
//! unlisted goes the general way. Both give the same to the last bit, which tests see to by hiding the blocks of a game.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anser_core::words::outcome_text;
use anser_core::{BlockMoves, Game, LayerIndex, Next, Observer, Outcome, Side};
use anser_table::Tablebase;
use anser_table::format::{ENTRIES_PER_PAIR, code_of, get, outcome_of, set};

use crate::SolveError;
use crate::verify::blockwise::Blockwise;

/// Pairs of words that a thread takes at a time: 262,144 entries, some blocks of a packed table, and so many blocks of the
/// index that it is no matter if the first and the last one are worked out twice.
pub(crate) const CHUNK: usize = 4096;

/// A layer whose values are worked out from those of others.
pub(crate) struct Recompute<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) layer: u16,
    pub(crate) index: &'a G::Index,
    pub(crate) lower: &'a Tablebase<G>,
    pub(crate) observer: &'a dyn Observer,
    pub(crate) blocks: Option<Box<dyn BlockMoves + 'a>>,
    /// The values of lower layers that blocks lead to, by layer and side to move there, as pairs of words.
    pub(crate) below: Vec<((u16, Side), Vec<u64>)>,
}

/// What is taken for the values of positions that moves lead to.
#[derive(Clone, Copy)]
pub(crate) enum View<'v> {
    /// All are drawn, in lower layers too: only what the rules settle by themselves is won.
    Settled,
    /// Those of this layer are drawn: only ends, and moves that leave the layer, decide.
    Leaving,
    /// Those of this layer, by side to move, in pairs of words.
    Values(&'v [Vec<u64>; 2]),
    /// As before where the bit of an entry is set in the second list, drawn elsewhere.
    Marked(&'v [Vec<u64>; 2], &'v [Vec<AtomicU64>; 2]),
}

impl View<'_> {
    /// The pair of words of `side` that holds the entries from `64 * pair` on; draws beyond the end.
    #[inline]
    pub(crate) fn pair(self, side: Side, pair: usize) -> [u64; 2] {
        let of = |values: &[Vec<u64>; 2]| values[side.index()].as_chunks().0.get(pair).copied().unwrap_or_default();
        match self {
            View::Settled | View::Leaving => [0; 2],
            View::Values(values) => of(values),
            View::Marked(values, marks) => {
                let mark = marks[side.index()].get(pair).map_or(0, |word| word.load(Relaxed));
                of(values).map(|word| word & mark)
            }
        }
    }
}

impl<'a, G: Game> Recompute<'a, G> {
    pub(crate) fn new(
        game: &'a G,
        layer: u16,
        index: &'a G::Index,
        lower: &'a Tablebase<G>,
        observer: &'a dyn Observer,
    ) -> Recompute<'a, G> {
        let blocks = game.block_moves(layer, index);
        Recompute { game, layer, index, lower, observer, blocks, below: Vec::new() }
    }

    /// Works out the values of some ranks with `side` to move into `out`, pairs of words that begin with the first rank, the
    /// first of its pair. With `wanted`, a bit an entry, the others may come out as draws.
    pub(crate) fn values(
        &self,
        side: Side,
        ranks: Range<u64>,
        view: View<'_>,
        wanted: Option<&[u64]>,
        out: &mut [u64],
    ) -> Result<(), SolveError> {
        out.fill(0);
        if let Some(blocks) = &self.blocks {
            return Blockwise::new(self, &**blocks, side, view).values(ranks, wanted, out);
        }
        for (at, rank) in ranks.enumerate() {
            if is_wanted(wanted, at as u64) {
                let outcome = self.best(&self.index.unrank(side, rank), side, view)?;
                set(out, at as u64, code_of(outcome));
            }
        }
        Ok(())
    }

    /// The outcome of a position by the outcomes of what its moves lead to.
    pub(crate) fn best(&self, position: &G::Position, side: Side, view: View<'_>) -> Result<Outcome, SolveError> {
        if let View::Settled = view {
            return Ok(self.game.static_outcome(position).unwrap_or(Outcome::Draw));
        }
        if let Some(outcome) = self.game.terminal(position) {
            return Ok(outcome);
        }
        let mut best = Outcome::Win(side.other());
        let failed = self.game.visit_moves(position, |_, next| {
            let outcome = match next {
                Next::End(outcome) => outcome,
                Next::Position(next) if self.game.layer(&next) == self.layer => {
                    let rank = self.index.rank(&next);
                    let pair = view.pair(side.other(), (rank / ENTRIES_PER_PAIR) as usize);
                    // Whatever is no value was found before: checksums were compared, and what is read has values only.
                    outcome_of(get(&pair, rank % ENTRIES_PER_PAIR)).unwrap_or(Outcome::Draw)
                }
                Next::Position(next) => match self.lower.probe_outcome(&next) {
                    Ok(outcome) => outcome,
                    Err(error) => return ControlFlow::Break(Some(error)),
                },
            };
            if outcome.score(side) > best.score(side) {
                best = outcome;
            }
            // Nothing is better than a win.
            if best == Outcome::Win(side) { ControlFlow::Break(None) } else { ControlFlow::Continue(()) }
        });
        match failed {
            ControlFlow::Break(Some(error)) => Err(error.into()),
            _ => Ok(best),
        }
    }

    /// The values of a lower layer with `side` to move, if they are here.
    pub(crate) fn below(&self, layer: u16, side: Side) -> Option<&[u64]> {
        self.below.iter().find(|(of, _)| *of == (layer, side)).map(|(_, values)| &values[..])
    }

    pub(crate) fn announce(&self, what: &str, side: Side, units: u64) {
        let (layer, name) = (self.layer, self.game.side_name(side));
        self.observer.begin(&format!("{what} of layer {layer}, {name} to move"), units);
    }

    pub(crate) fn check_interrupt(&self) -> Result<(), SolveError> {
        if self.observer.interrupted() { Err(SolveError::Interrupted) } else { Ok(()) }
    }

    /// A position and what its table says of it, for people.
    pub(crate) fn describe(&self, side: Side, rank: u64, code: u8) -> String {
        let text = self.game.format_position(&self.index.unrank(side, rank));
        format!("{text} is {} in the table", self.name(code))
    }

    pub(crate) fn name(&self, code: u8) -> String {
        match outcome_of(code) {
            Some(outcome) => outcome_text(self.game, outcome, None),
            None => "without a value".into(),
        }
    }
}

/// Whether entry `at` is wanted; all are if nothing says which.
#[inline]
pub(crate) fn is_wanted(wanted: Option<&[u64]>, at: u64) -> bool {
    wanted.is_none_or(|words| words[(at / ENTRIES_PER_PAIR) as usize] >> (at % ENTRIES_PER_PAIR) & 1 != 0)
}

/// The ranks of a chunk.
pub(crate) fn ranks_of(chunk: usize, entries: u64) -> Range<u64> {
    let len = CHUNK as u64 * ENTRIES_PER_PAIR;
    chunk as u64 * len..entries.min((chunk as u64 + 1) * len)
}
