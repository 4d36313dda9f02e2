//! The check of every value of a table against the values of its successors.
//!
//! The values that the table stores are read from the file, as `reading.rs` says, and each is compared with the best that
//! the position's moves lead to, as `recompute.rs` works it out: in this layer by the values just read, in lower layers by
//! their tables. What it shows is that the values are consistent. Consistent values are right wherever wins are founded,
//! which `founded.rs` looks at.

use std::ops::Range;

use anser_core::{Game, LayerIndex, Side};
use anser_table::Table;
use anser_table::format::{ENTRIES_PER_PAIR, get};
use rayon::prelude::*;

use crate::SolveError;
use crate::io::counts::{add, count_positions};
use crate::verify::recompute::{CHUNK, Recompute, View, ranks_of};

/// Problems of a table that are listed; a table that is wrong all over would fill the screen.
pub(crate) const LISTED: usize = 10;

/// Recomputes every value that `table` stores, whose checksums were found right and whose values were read; says which
/// differ.
pub(crate) fn full_check<G: Game>(
    recompute: &Recompute<'_, G>,
    table: &Table,
    values: &[Vec<u64>; 2],
) -> Result<Vec<String>, SolveError> {
    let check = Full { recompute, table, values };
    let [first, second] = [check.side(Side::First)?, check.side(Side::Second)?];
    let counts = [first.counts, second.counts];
    let mut all = first;
    all.add(second);
    let sound = all.wrong == 0;
    let mut problems = all.problems();
    let in_header = table.header().counts();
    if sound && counts != in_header {
        problems.push(format!("the header counts {in_header:?} positions by outcome, the values {counts:?}"));
    }
    Ok(problems)
}

struct Full<'a, 'g, G: Game> {
    recompute: &'a Recompute<'g, G>,
    table: &'a Table,
    /// By side to move: the layer's values, pairs of words.
    values: &'a [Vec<u64>; 2],
}

/// What a part of a check found.
#[derive(Default)]
pub(crate) struct Findings {
    counts: [u64; 3],
    wrong: u64,
    /// The first few of the wrong ones.
    listed: Vec<String>,
}

impl Findings {
    pub(crate) fn add(&mut self, next: Findings) {
        self.counts = add(self.counts, next.counts);
        self.wrong += next.wrong;
        let room = LISTED - self.listed.len().min(LISTED);
        self.listed.extend(next.listed.into_iter().take(room));
    }

    /// Notes one that is wrong, which `describe` puts in words.
    pub(crate) fn note(&mut self, describe: impl FnOnce() -> String) {
        self.wrong += 1;
        if self.listed.len() < LISTED {
            self.listed.push(describe());
        }
    }

    /// The first few, and how many there are in all.
    pub(crate) fn problems(self) -> Vec<String> {
        let mut problems = self.listed;
        if self.wrong > problems.len() as u64 {
            problems.push(format!("and {} more", self.wrong - problems.len() as u64));
        }
        problems
    }
}

impl<G: Game> Full<'_, '_, G> {
    /// Recomputes the values with `side` to move.
    fn side(&self, side: Side) -> Result<Findings, SolveError> {
        let entries = self.recompute.index.len(side);
        self.recompute.announce("values", side, entries);
        let parts: Vec<Findings> = self.values[side.index()]
            .par_chunks(2 * CHUNK)
            .enumerate()
            .map(|(chunk, words)| {
                self.recompute.check_interrupt()?;
                self.ranks(side, ranks_of(chunk, entries), words)
            })
            .collect::<Result<_, SolveError>>()?;
        let mut all = Findings::default();
        for part in parts {
            all.add(part);
        }
        Ok(all)
    }

    /// Recomputes the values of some ranks, given as pairs of words.
    fn ranks(&self, side: Side, ranks: Range<u64>, words: &[u64]) -> Result<Findings, SolveError> {
        let Full { recompute, table, values } = self;
        let mut findings = Findings::default();
        // What the table does not store was worked out in just this way when it was read.
        if table.stores(side) {
            let mut best = vec![0; words.len()];
            recompute.values(side, ranks.clone(), View::Values(values), None, &mut best)?;
            for (pair, (is, must)) in words.as_chunks::<2>().0.iter().zip(best.as_chunks::<2>().0).enumerate() {
                let mut differ = is[0] ^ must[0] | is[1] ^ must[1];
                while differ != 0 {
                    let bit = u64::from(differ.trailing_zeros());
                    differ &= differ - 1;
                    findings.note(|| {
                        let rank = ranks.start + pair as u64 * ENTRIES_PER_PAIR + bit;
                        let must = recompute.name(get(must, bit));
                        format!("{}, its moves say {must}", recompute.describe(side, rank, get(is, bit)))
                    });
                }
            }
        }
        recompute.observer.advance(ranks.end - ranks.start);
        findings.counts = count_positions(recompute.index, side, ranks, words.as_chunks().0);
        Ok(findings)
    }
}
