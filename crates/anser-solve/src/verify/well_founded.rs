//! The check that the wins of a table of outcomes are well-founded: each is forced in a finite
//! number of moves.
//!
//! Consistent outcomes may be wrong: positions that lead to each other can support each other's
//! wins forever. The check computes the least fixpoint of the rules among the wins of the table. It
//! starts with the wins that a terminal position or a move to a lower layer decides. Each step then
//! adds the wins of one side to move that follow from the wins of the other that the last step
//! added, the *frontier*. The number of the step is a distance that decreases along the play of the
//! winner. Wins that are never added have none. If no win is left, the outcomes are the least
//! fixpoint, because the full check comes first.
//!
//! Steps and rounds are counted in the same way as by the general engine and in a manifest. The
//! check takes two bits of memory per entry.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anser_core::hunt::Position;
use anser_core::{BySide, LayerIndex, Next, Outcome, Side};
use anser_retrograde::bits::{clear, count, for_each_bit};
use anser_retrograde::parallel;
use anser_table::format::ENTRIES_PER_PAIR;

use crate::io::stored::Stored;
use crate::verify::full::Findings;
use crate::verify::problem::Problem;
use crate::verify::recompute::Recompute;
use crate::verify::view::{CHUNK_PAIRS, View};
use crate::{SolveError, check_interrupt};

/// Wins left per position of the frontier below which a step goes back from the frontier instead of
/// looking at all wins left: with blocks, which make the looks cheap, and without.
const BACK_WITH_BLOCKS: u64 = 64;
const BACK: u64 = 4;

/// Checks that the wins in `values`, which are consistent, are well-founded. Returns the number of
/// rounds of the fixpoint, and the wins that are left.
pub(crate) fn check_well_founded(
    recompute: &Recompute<'_, Outcome>,
    values: &BySide<Vec<u64>>,
) -> Result<(u64, Vec<Problem>), SolveError> {
    let bits =
        || values.as_ref().map(|side| (0..side.len() / 2).map(|_| AtomicU64::new(0)).collect());
    let fixpoint = Fixpoint { recompute, values, proven: bits(), frontier: bits() };
    for side in Side::BOTH {
        fixpoint.sweep(side, View::Leaving, "ends and captures")?;
    }
    let (mut steps, mut last): (u64, u64) = (0, 0);
    while fixpoint.frontier.iter().any(|(_, frontier)| count(frontier) > 0) {
        let side = if steps % 2 == 0 { Side::Second } else { Side::First };
        steps += 1;
        if fixpoint.step(side, &format!("round {}", steps.div_ceil(2)))? > 0 {
            last = steps;
        }
    }
    let mut left = Findings::default();
    for side in Side::BOTH {
        fixpoint.note_left(side, &mut left);
    }
    Ok((last.div_ceil(2), left.problems()))
}

struct Fixpoint<'a, 'g> {
    recompute: &'a Recompute<'g, Outcome>,
    values: &'a BySide<Vec<u64>>,
    /// One bit per entry, by side to move: the win is forced in a finite number of moves.
    proven: BySide<Vec<AtomicU64>>,
    /// One bit per entry, by side to move: proven, and not yet propagated to the other side.
    frontier: BySide<Vec<AtomicU64>>,
}

impl Fixpoint<'_, '_> {
    /// Proves the wins with `side` to move that follow from the frontier of the other side. Returns
    /// their number.
    fn step(&self, side: Side, what: &str) -> Result<u64, SolveError> {
        let (own, other) = (&self.frontier[side], &self.frontier[side.other()]);
        let known = count(own);
        let factor = if self.recompute.blocks.is_some() { BACK_WITH_BLOCKS } else { BACK };
        let left = |chunk: usize| {
            let pairs = chunk * CHUNK_PAIRS..own.len().min((chunk + 1) * CHUNK_PAIRS);
            pairs.map(|pair| u64::from(self.left(side, pair).count_ones())).sum::<u64>()
        };
        let left = parallel::map(0..own.len().div_ceil(CHUNK_PAIRS), &left).into_iter().sum();
        // Moves by blocks lead to copies of classes as well, and a step back proves ranks only.
        let has_copies = self.recompute.blocks.is_some() && self.recompute.index.has_gaps();
        if !has_copies && count(other) * factor <= left {
            self.go_back(side, what)?;
        } else {
            self.sweep(side, View::Marked(self.values, &self.proven), what)?;
        }
        clear(other);
        Ok(count(own) - known)
    }

    /// Returns one bit per entry of a pair of words: a win that is not proven.
    fn left(&self, side: Side, pair: usize) -> u64 {
        let values = &self.values[side];
        (values[2 * pair] | values[2 * pair + 1]) & !self.proven[side][pair].load(Relaxed)
    }

    fn prove(&self, side: Side, pair: usize, bits: u64) {
        self.proven[side][pair].fetch_or(bits, Relaxed);
        self.frontier[side][pair].fetch_or(bits, Relaxed);
    }

    /// Looks at the moves of every win with `side` to move that is left.
    fn sweep(&self, side: Side, view: View<'_>, what: &str) -> Result<(), SolveError> {
        let entries = self.recompute.index.len(side);
        self.for_each_chunk(what, side, |pairs| {
            let left: Vec<u64> = pairs.clone().map(|pair| self.left(side, pair)).collect();
            if left.iter().all(|&word| word == 0) {
                return Ok(());
            }
            let mut best = vec![0; 2 * left.len()];
            let ranks = pairs.start as u64 * ENTRIES_PER_PAIR
                ..entries.min(pairs.end as u64 * ENTRIES_PER_PAIR);
            self.recompute.outcomes(side, ranks, view, Some(&left), &mut best)?;
            for ((pair, left), best) in pairs.zip(left).zip(best.as_chunks::<2>().0) {
                let won = (best[0] | best[1]) & left;
                if won != 0 {
                    self.prove(side, pair, won);
                }
            }
            Ok(())
        })
    }

    /// Goes back from the frontier of the other side to the positions with `side` to move that lead
    /// to it.
    fn go_back(&self, side: Side, what: &str) -> Result<(), SolveError> {
        let Recompute { game, index, .. } = self.recompute;
        let other = side.other();
        self.for_each_chunk(what, other, |pairs| {
            for pair in pairs {
                for_each_bit(self.frontier[other][pair].load(Relaxed), |bit| {
                    let rank = pair as u64 * ENTRIES_PER_PAIR + bit;
                    let winner = Outcome::get(&self.values[other], rank);
                    let _ = game.visit_predecessors(&index.unrank(other, rank), |from| {
                        let rank = index.rank(&from);
                        let (pair, bit) =
                            ((rank / ENTRIES_PER_PAIR) as usize, 1 << (rank % ENTRIES_PER_PAIR));
                        // The values are consistent: what leads to a win of the mover is one, and
                        // all successors of a loss are wins of the other side.
                        let follows = self.left(side, pair) & bit != 0
                            && Outcome::get(&self.values[side], rank) == winner
                            && (winner == Some(Outcome::Win(side))
                                || self.all_proven(&from, other));
                        if follows {
                            self.prove(side, pair, bit);
                        }
                        ControlFlow::<()>::Continue(())
                    });
                });
            }
            Ok(())
        })
    }

    /// Whether all moves within the layer lead to proven wins, with `side` to move there.
    fn all_proven(&self, position: &Position, side: Side) -> bool {
        let Recompute { game, index, layer, .. } = self.recompute;
        let flow = game.visit_successors(position, |kind, next| match &next {
            Next::Position(next) if game.layer_after(*layer, kind, next) == *layer => {
                let rank = index.rank(next);
                let word = self.proven[side][(rank / ENTRIES_PER_PAIR) as usize].load(Relaxed);
                if word >> (rank % ENTRIES_PER_PAIR) & 1 == 0 {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            }
            _ => ControlFlow::Continue(()),
        });
        flow.is_continue()
    }

    /// Notes the wins with `side` to move that are left. A step back from the frontier leaves out
    /// entries that are no ranks; their values follow from those of ranks.
    fn note_left(&self, side: Side, findings: &mut Findings) {
        let index = self.recompute.index;
        for pair in 0..self.proven[side].len() {
            for_each_bit(self.left(side, pair), |bit| {
                let rank = pair as u64 * ENTRIES_PER_PAIR + bit;
                if index.has_gaps() && index.orbit(side, rank) == 0 {
                    return;
                }
                findings.note(|| {
                    let value = Outcome::get(&self.values[side], rank);
                    let (position, stored) =
                        (self.recompute.position_text(side, rank), self.recompute.name(value));
                    Problem::NotForced { position, stored }
                });
            });
        }
    }

    /// Visits the pairs of every chunk of `side`, in parallel.
    fn for_each_chunk(
        &self,
        what: &str,
        side: Side,
        visit: impl Fn(Range<usize>) -> Result<(), SolveError> + Sync,
    ) -> Result<(), SolveError> {
        let pairs = self.proven[side].len();
        self.recompute.announce(what, side, pairs as u64 * ENTRIES_PER_PAIR);
        parallel::try_for_each(0..pairs.div_ceil(CHUNK_PAIRS), &|chunk| {
            check_interrupt(self.recompute.observer)?;
            let pairs = chunk * CHUNK_PAIRS..pairs.min((chunk + 1) * CHUNK_PAIRS);
            let visited = pairs.len() as u64 * ENTRIES_PER_PAIR;
            visit(pairs)?;
            self.recompute.observer.advance(visited);
            Ok(())
        })
    }
}
