//! Outcomes of whole blocks of classes at once, by tables of moves.
//!
//! A block is computed in bytes, one per class. Bit 0 is set if some move does not lose, bit 1 if
//! some move wins. So the best of several moves is the *or* of their bytes, and a class without
//! moves is lost. Blocks begin at any bit of the pairs of words. A target block is spread to bytes,
//! eight at a time, when a move first leads to it, and a finished block is collected to bits again.

use std::ops::Range;

use anser_core::{BlockMoves, LONGEST_BLOCK, LayerIndex, Moves, Outcome, Side, Target};
use anser_table::format::ENTRIES_PER_PAIR;

use crate::SolveError;
use crate::verify::recompute::Recompute;
use crate::verify::view::{View, is_wanted};

/// As bytes: the side to move loses, draws, wins.
const LOST: u8 = 0b00;
const DRAWN: u8 = 0b01;
const WON: u8 = 0b11;
/// The bit of a class whose moves are not all listed: it is computed by itself.
const UNLISTED: u8 = 0b100;

type Bytes = Box<[u8; LONGEST_BLOCK]>;

/// Computes the outcomes of a run of ranks.
pub(crate) struct Blockwise<'r, 'a> {
    recompute: &'r Recompute<'a, Outcome>,
    blocks: &'r dyn BlockMoves,
    side: Side,
    view: View<'r>,
    /// The block that is computed.
    best: Bytes,
    /// A target block as the side to move sees it, and its layer and first rank.
    after: Bytes,
    is_after: Option<(u16, u64)>,
}

impl<'r, 'a> Blockwise<'r, 'a> {
    pub(crate) fn new(
        recompute: &'r Recompute<'a, Outcome>,
        blocks: &'r dyn BlockMoves,
        side: Side,
        view: View<'r>,
    ) -> Blockwise<'r, 'a> {
        let bytes = || Box::new([DRAWN; LONGEST_BLOCK]);
        Blockwise { recompute, blocks, side, view, best: bytes(), after: bytes(), is_after: None }
    }

    /// See [`Recompute::outcomes`]; `out` holds draws on entry.
    pub(crate) fn outcomes(
        mut self,
        ranks: Range<u64>,
        wanted: Option<&[u64]>,
        out: &mut [u64],
    ) -> Result<(), SolveError> {
        let mut at = ranks.start;
        while at < ranks.end {
            let block = self.blocks.block(at);
            at = block.end;
            let inside =
                block.start.max(ranks.start) - ranks.start..block.end.min(ranks.end) - ranks.start;
            if any_wanted(wanted, inside) {
                let is_wanted =
                    |rank: u64| ranks.contains(&rank) && is_wanted(wanted, rank - ranks.start);
                self.block(&block, is_wanted)?;
                self.store(&block, &ranks, out);
            }
        }
        Ok(())
    }

    fn block(
        &mut self,
        block: &Range<u64>,
        is_wanted: impl Fn(u64) -> bool,
    ) -> Result<(), SolveError> {
        let len = (block.end - block.start) as usize;
        self.best[..len].fill(LOST);
        let mut unlisted = false;
        self.blocks.visit(self.side, block.start, &mut |moves| match moves {
            Moves::To(places, target) => {
                if self.look_at(&target) {
                    let combined = |byte, after| byte | after;
                    target.combine(places, &mut self.best, len, &self.after, combined);
                } else {
                    unlisted = true;
                    places.change(&mut self.best, len, |byte| byte | UNLISTED);
                }
            }
            Moves::End(places, outcome) | Moves::Over(places, outcome) => {
                let end = byte_of(outcome, self.side);
                places.change(&mut self.best, len, |byte| byte | end);
            }
            Moves::Only(places) => places.change(&mut self.best, len, |_| LOST),
            Moves::Unlisted(places) => {
                unlisted = true;
                places.change(&mut self.best, len, |byte| byte | UNLISTED);
            }
        });
        for place in 0..if unlisted { len } else { 0 } {
            let rank = block.start + place as u64;
            if self.best[place] & UNLISTED != 0 && is_wanted(rank) {
                let Recompute { index, .. } = self.recompute;
                let outcome =
                    self.recompute.outcome(&index.unrank(self.side, rank), self.side, self.view)?;
                self.best[place] = byte_of(outcome.unwrap_or(Outcome::Draw), self.side);
            }
        }
        Ok(())
    }

    /// Spreads a target block to `after`. Returns false if its layer was not read.
    fn look_at(&mut self, target: &Target<'_>) -> bool {
        if self.is_after == Some((target.layer, target.start)) {
            return true;
        }
        let own = target.layer == self.recompute.layer;
        let to_move = self.side.other();
        let below = self.recompute.below(target.layer, to_move);
        if !own && below.is_none() {
            return false;
        }
        let below = below.unwrap_or_default().as_chunks::<2>().0;
        let pair = |at: usize| {
            if own {
                self.view.pair(to_move, at)
            } else {
                below.get(at).copied().unwrap_or_default()
            }
        };
        let (mut at, shift) =
            ((target.start / ENTRIES_PER_PAIR) as usize, target.start % ENTRIES_PER_PAIR);
        let mut next = pair(at);
        for bytes in self.after.chunks_exact_mut(64).take(target.len.div_ceil(64)) {
            let this = next;
            at += 1;
            next = pair(at);
            let word = |plane: usize| this[plane] >> shift | (next[plane] << 1) << (63 - shift);
            spread(word(self.side.index()), !word(to_move.index()), bytes);
        }
        self.is_after = Some((target.layer, target.start));
        true
    }

    /// Writes the part of the finished block that lies in `ranks` to `out`, which begins with the
    /// first rank.
    fn store(&self, block: &Range<u64>, ranks: &Range<u64>, out: &mut [u64]) {
        let planes = [self.side.index(), self.side.other().index()];
        for (bytes, rank) in self.best.chunks_exact(64).zip((block.start..block.end).step_by(64)) {
            let end = ranks.end.min(block.end).min(rank + 64);
            let start = rank.max(ranks.start);
            if start >= end {
                continue;
            }
            let kept = u64::MAX >> (64 - (end - start));
            let [not_lost, won] = collect(bytes);
            let (pair, shift) = (
                (start - ranks.start) / ENTRIES_PER_PAIR,
                (start - ranks.start) % ENTRIES_PER_PAIR,
            );
            for (plane, word) in planes.into_iter().zip([won, !not_lost]) {
                let word = word >> (start - rank) & kept;
                let at = 2 * pair as usize + plane;
                out[at] |= word << shift;
                let rest = (word >> 1) >> (63 - shift);
                if rest != 0 {
                    out[at + 2] |= rest;
                }
            }
        }
    }
}

/// Returns an outcome as a byte of the side to move.
fn byte_of(outcome: Outcome, side: Side) -> u8 {
    match outcome.score(side) {
        1 => WON,
        0 => DRAWN,
        _ => LOST,
    }
}

/// Whether any of these entries is wanted.
fn any_wanted(wanted: Option<&[u64]>, entries: Range<u64>) -> bool {
    let Some(words) = wanted else { return true };
    let (first, last) = (entries.start / ENTRIES_PER_PAIR, (entries.end - 1) / ENTRIES_PER_PAIR);
    (first..=last).any(|at| {
        let from = entries.start.saturating_sub(at * ENTRIES_PER_PAIR);
        let to = (entries.end - at * ENTRIES_PER_PAIR).min(ENTRIES_PER_PAIR);
        words[at as usize] & u64::MAX << from & u64::MAX >> (ENTRIES_PER_PAIR - to) != 0
    })
}

/// The bits of a byte in the lowest bits of eight bytes.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Spreads 64 outcomes to bytes.
#[inline]
fn spread(won: u64, not_lost: u64, bytes: &mut [u8]) {
    for (i, eight) in bytes.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let of = |word: u64| SPREAD[usize::from(word.to_le_bytes()[i & 7])];
        *eight = (of(won) << 1 | of(not_lost)).to_le_bytes();
    }
}

/// Bits 0 and 1 of 64 bytes.
#[inline]
fn collect(bytes: &[u8]) -> [u64; 2] {
    const LOWEST: u64 = 0x0101_0101_0101_0101;
    let mut words = [0; 2];
    for (i, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        let eight = u64::from_le_bytes(*eight);
        for (bit, word) in words.iter_mut().enumerate() {
            // The factor 2^(56 - 7i) moves bit 8i to bit 56 + i. No two partial products share a
            // bit.
            *word |= ((eight >> bit & LOWEST).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
        }
    }
    words
}
