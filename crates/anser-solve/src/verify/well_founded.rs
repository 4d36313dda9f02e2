//! The check that every win of a table is forced in a finite number of moves.
//!
//! Consistent values may still be wrong: positions that are won for a side only because they lead to each other vouch for
//! each other, and no look at successors tells. So the wins are *founded* one after the other. First come those that an end
//! or a move into a lower layer decides; then, by turns, the positions of either side that follow from the other side's
//! founded ones. The step in which a position is founded is a distance to the end that strictly decreases along the winning
//! side's play, and whatever is never founded has none. Together with the check of `full.rs`, which comes first, this proves
//! that the values are the least fixpoint of the rules, and that is what the outcomes are.
//!
//! Steps and rounds are counted as the engines count them, so the number of rounds is the one that a manifest gives for
//! the layer. It takes a bit an entry for what is founded, and another for what was founded last.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anser_core::{Game, LayerIndex, Next, Outcome, Side};
use anser_table::format::{ENTRIES_PER_PAIR, get, outcome_of};
use rayon::prelude::*;

use crate::SolveError;
use crate::bits::{count, for_each_bit};
use crate::verify::recompute::{CHUNK, Recompute, View, ranks_of};
use crate::verify::values::Findings;

/// As many positions are looked at in a sweep in the time in which one goes back along its un-moves: by blocks, and where
/// there are none.
const BACK_BY_BLOCKS: u64 = 64;
const BACK: u64 = 4;

/// Founds the wins in `values`, which were found consistent: the number of rounds that it took, and which wins are left.
pub(crate) fn check_well_founded<G: Game>(
    recompute: &Recompute<'_, G>,
    values: &[Vec<u64>; 2],
) -> Result<(u64, Vec<String>), SolveError> {
    let bits = || values.each_ref().map(|side| (0..side.len() / 2).map(|_| AtomicU64::new(0)).collect());
    let check = Foundations { recompute, values, founded: bits(), fresh: bits() };
    for side in Side::BOTH {
        check.sweep(side, View::Leaving, "ends and captures")?;
    }
    let (mut steps, mut last): (u64, u64) = (0, 0);
    while check.fresh.iter().any(|fresh| count(fresh) > 0) {
        let side = if steps % 2 == 0 { Side::Second } else { Side::First };
        steps += 1;
        if check.step(side, &format!("round {}", steps.div_ceil(2)))? > 0 {
            last = steps;
        }
    }
    let mut left = Findings::default();
    for side in Side::BOTH {
        check.note_left(side, &mut left);
    }
    Ok((last.div_ceil(2), left.problems()))
}

struct Foundations<'a, 'g, G: Game> {
    recompute: &'a Recompute<'g, G>,
    values: &'a [Vec<u64>; 2],
    /// By side to move, a bit an entry: it is a win that is founded.
    founded: [Vec<AtomicU64>; 2],
    /// By side to move, a bit an entry: founded, and the other side's positions have not been told yet.
    fresh: [Vec<AtomicU64>; 2],
}

impl<G: Game> Foundations<'_, '_, G> {
    /// Founds the wins with `side` to move that follow from the other side's fresh ones; how many these are.
    fn step(&self, side: Side, what: &str) -> Result<u64, SolveError> {
        let (own, other) = (&self.fresh[side.index()], &self.fresh[side.other().index()]);
        let known = count(own);
        let factor = if self.recompute.blocks.is_some() { BACK_BY_BLOCKS } else { BACK };
        let left: u64 = (0..own.len()).into_par_iter().map(|pair| u64::from(self.left(side, pair).count_ones())).sum();
        if count(other) * factor <= left {
            self.go_back(side, what)?;
        } else {
            self.sweep(side, View::Marked(self.values, &self.founded), what)?;
        }
        other.par_iter().for_each(|word| word.store(0, Relaxed));
        Ok(count(own) - known)
    }

    /// The wins of a pair of words that are not founded, a bit each.
    fn left(&self, side: Side, pair: usize) -> u64 {
        let values = &self.values[side.index()];
        (values[2 * pair] | values[2 * pair + 1]) & !self.founded[side.index()][pair].load(Relaxed)
    }

    fn found(&self, side: Side, pair: usize, bits: u64) {
        self.founded[side.index()][pair].fetch_or(bits, Relaxed);
        self.fresh[side.index()][pair].fetch_or(bits, Relaxed);
    }

    /// Looks at the moves of every win with `side` to move that is left.
    fn sweep(&self, side: Side, view: View<'_>, what: &str) -> Result<(), SolveError> {
        let entries = self.recompute.index.len(side);
        self.for_each_chunk(what, side, |chunk, pairs| {
            let left: Vec<u64> = pairs.clone().map(|pair| self.left(side, pair)).collect();
            if left.iter().all(|&word| word == 0) {
                return Ok(());
            }
            let mut best = vec![0; 2 * left.len()];
            self.recompute.values(side, ranks_of(chunk, entries), view, Some(&left), &mut best)?;
            for ((pair, left), best) in pairs.zip(left).zip(best.as_chunks::<2>().0) {
                let won = (best[0] | best[1]) & left;
                if won != 0 {
                    self.found(side, pair, won);
                }
            }
            Ok(())
        })
    }

    /// Goes back from every fresh win of the other side to the positions with `side` to move that lead to it.
    fn go_back(&self, side: Side, what: &str) -> Result<(), SolveError> {
        let Recompute { game, index, .. } = self.recompute;
        let other = side.other();
        self.for_each_chunk(what, other, |_, pairs| {
            for pair in pairs {
                for_each_bit(self.fresh[other.index()][pair].load(Relaxed), |bit| {
                    let rank = pair as u64 * ENTRIES_PER_PAIR + bit;
                    let winner = outcome_of(get(&self.values[other.index()], rank));
                    let _ = game.visit_unmoves(&index.unrank(other, rank), |_, from| {
                        let rank = index.rank(&from);
                        let (pair, bit) = ((rank / ENTRIES_PER_PAIR) as usize, 1 << (rank % ENTRIES_PER_PAIR));
                        // The values are consistent: what leads to the mover's win is one, and all that a loss leads to is
                        // won for the other side.
                        let follows = self.left(side, pair) & bit != 0
                            && outcome_of(get(&self.values[side.index()], rank)) == winner
                            && (winner == Some(Outcome::Win(side)) || self.all_founded(&from, other));
                        if follows {
                            self.found(side, pair, bit);
                        }
                        ControlFlow::<()>::Continue(())
                    });
                });
            }
            Ok(())
        })
    }

    /// Whether all moves that stay in the layer lead to founded wins, with `side` to move there.
    fn all_founded(&self, position: &G::Position, side: Side) -> bool {
        let Recompute { game, index, layer, .. } = self.recompute;
        let found = game.visit_moves(position, |_, next| match next {
            Next::Position(next) if game.layer(&next) == *layer => {
                let rank = index.rank(&next);
                let word = self.founded[side.index()][(rank / ENTRIES_PER_PAIR) as usize].load(Relaxed);
                if word >> (rank % ENTRIES_PER_PAIR) & 1 == 0 {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            }
            _ => ControlFlow::Continue(()),
        });
        found.is_continue()
    }

    /// Notes the wins with `side` to move that are left.
    fn note_left(&self, side: Side, findings: &mut Findings) {
        for pair in 0..self.founded[side.index()].len() {
            for_each_bit(self.left(side, pair), |bit| {
                findings.note(|| {
                    let rank = pair as u64 * ENTRIES_PER_PAIR + bit;
                    let code = get(&self.values[side.index()], rank);
                    format!("{}, but not in any number of moves", self.recompute.describe(side, rank, code))
                });
            });
        }
    }

    /// Calls `visit` with the number and the pairs of every chunk of `side`, in parallel.
    fn for_each_chunk(
        &self,
        what: &str,
        side: Side,
        visit: impl Fn(usize, Range<usize>) -> Result<(), SolveError> + Sync,
    ) -> Result<(), SolveError> {
        let pairs = self.founded[side.index()].len();
        self.recompute.announce(what, side, pairs as u64 * ENTRIES_PER_PAIR);
        (0..pairs.div_ceil(CHUNK)).into_par_iter().try_for_each(|chunk| {
            self.recompute.check_interrupt()?;
            let pairs = chunk * CHUNK..pairs.min((chunk + 1) * CHUNK);
            let visited = pairs.len() as u64 * ENTRIES_PER_PAIR;
            visit(chunk, pairs)?;
            self.recompute.observer.advance(visited);
            Ok(())
        })
    }
}
