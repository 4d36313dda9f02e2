//! The check of every value of a table against the values of its successors.
//!
//! It shares the rules, the index and the reader with the engines, and nothing of how they solve. What it shows is that
//! the values are consistent; consistent values are right wherever wins are founded, which engines see to by only ever
//! deciding what follows from decisions.

use std::ops::{ControlFlow, Range};

use anser_core::{Game, LayerIndex, Next, Outcome, Side};
use anser_table::{ENTRIES_PER_PAIR, Table, Tablebase, code_of, get, outcome_of, set};
use rayon::prelude::*;

use crate::SolveError;
use crate::counts::{add, count_positions};
use crate::observer::{Event, Observer};

/// Problems of a table that are listed; a table that is wrong all over would fill the screen.
pub(crate) const LISTED: usize = 10;

/// Pairs of words that a thread takes at a time: 65,536 entries, one block of a packed table or several.
const CHUNK: usize = 1024;

/// Recomputes every value of `table`, whose checksums were found right; says which differ.
///
/// The values that the table stores are read from the file first. Those that it leaves to look-ahead, or to the rules,
/// are worked out as its reader would. Then each value is compared with the best that the position's moves lead to, in
/// this layer by the values just read, in lower layers by the tables in `lower`.
pub(crate) fn full_check<G: Game>(
    game: &G,
    table: &Table,
    index: &G::Index,
    lower: &Tablebase<G>,
    observer: &dyn Observer,
) -> Result<Vec<String>, SolveError> {
    let layer = table.header().layer();
    let mut check = Full { game, layer, index, lower, observer, values: [Vec::new(), Vec::new()] };
    // A side that is left out follows from the one that is stored, so that one comes first.
    let mut sides = Side::BOTH;
    sides.sort_by_key(|&side| !table.stores(side));
    for side in sides {
        check.values[side.index()] = check.read(table, side)?;
    }
    let [first, second] = [check.side(Side::First)?, check.side(Side::Second)?];
    let counts = [first.counts, second.counts];
    let mut all = first;
    all.add(second);
    if all.wrong > all.problems.len() as u64 {
        all.problems.push(format!("and {} more", all.wrong - all.problems.len() as u64));
    }
    let in_header = table.header().counts();
    if all.wrong == 0 && counts != in_header {
        all.problems.push(format!("the header counts {in_header:?} positions by outcome, the values {counts:?}"));
    }
    Ok(all.problems)
}

struct Full<'a, G: Game> {
    game: &'a G,
    layer: u16,
    index: &'a G::Index,
    lower: &'a Tablebase<G>,
    observer: &'a dyn Observer,
    /// By side to move: the layer's values, pairs of words.
    values: [Vec<u64>; 2],
}

/// What a part of a full check found.
#[derive(Default)]
struct Findings {
    counts: [u64; 3],
    wrong: u64,
    /// The first few of the wrong ones.
    problems: Vec<String>,
}

impl Findings {
    fn add(&mut self, next: Findings) {
        self.counts = add(self.counts, next.counts);
        self.wrong += next.wrong;
        let room = LISTED - self.problems.len().min(LISTED);
        self.problems.extend(next.problems.into_iter().take(room));
    }
}

impl<G: Game> Full<'_, G> {
    /// The values with `side` to move, as a reader of the table has them.
    fn read(&self, table: &Table, side: Side) -> Result<Vec<u64>, SolveError> {
        let entries = self.index.len(side);
        let mut words = vec![0; 2 * entries.div_ceil(ENTRIES_PER_PAIR) as usize];
        let stored = table.stores(side);
        self.announce("reading", side, entries);
        words.par_chunks_mut(2 * CHUNK).enumerate().try_for_each(|(chunk, words)| {
            self.check_interrupt()?;
            let ranks = ranks_of(chunk, entries);
            if stored {
                table.read_pairs(side, ranks.start / ENTRIES_PER_PAIR, words)?;
            }
            if !stored || table.leaves_out_settled() {
                for (at, rank) in ranks.clone().enumerate() {
                    let position = self.index.unrank(side, rank);
                    let outcome = if stored { self.game.settled(&position) } else { Some(self.best(&position, side)?) };
                    if let Some(outcome) = outcome {
                        set(words, at as u64, code_of(outcome));
                    }
                }
            }
            self.observer.advance(ranks.end - ranks.start);
            Ok::<_, SolveError>(())
        })?;
        Ok(words)
    }

    /// Recomputes the values with `side` to move.
    fn side(&self, side: Side) -> Result<Findings, SolveError> {
        let entries = self.index.len(side);
        self.announce("values", side, entries);
        let parts: Vec<Findings> = self.values[side.index()]
            .par_chunks(2 * CHUNK)
            .enumerate()
            .map(|(chunk, words)| {
                self.check_interrupt()?;
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
        let mut findings = Findings::default();
        for (at, rank) in ranks.clone().enumerate() {
            let position = self.index.unrank(side, rank);
            let (is, must) = (outcome_of(get(words, at as u64)), self.best(&position, side)?);
            if is == Some(must) {
                continue;
            }
            findings.wrong += 1;
            if findings.problems.len() < LISTED {
                let text = self.game.format_position(&position);
                let (is, must) = (self.name(is), self.name(Some(must)));
                findings.problems.push(format!("{text} is {is} in the table, its moves say {must}"));
            }
        }
        self.observer.advance(ranks.end - ranks.start);
        findings.counts = count_positions(self.index, side, ranks, words.as_chunks().0);
        Ok(findings)
    }

    /// The outcome of a position by the outcomes of what its moves lead to.
    fn best(&self, position: &G::Position, side: Side) -> Result<Outcome, SolveError> {
        if let Some(outcome) = self.game.terminal(position) {
            return Ok(outcome);
        }
        let mut best = Outcome::Win(side.other());
        let failed = self.game.visit_moves(position, |_, next| {
            let outcome = match next {
                Next::End(outcome) => outcome,
                Next::Position(next) if self.game.layer(&next) == self.layer => {
                    // Whatever is no value was found before: checksums were compared, and what is read has values only.
                    let code = get(&self.values[side.other().index()], self.index.rank(&next));
                    outcome_of(code).unwrap_or(Outcome::Draw)
                }
                Next::Position(next) => match self.lower.probe(&next) {
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

    fn announce(&self, what: &str, side: Side, units: u64) {
        let (layer, name) = (self.layer, self.game.side_name(side));
        self.observer.event(&Event::Work { what: format!("{what} of layer {layer}, {name} to move"), units });
    }

    fn check_interrupt(&self) -> Result<(), SolveError> {
        if self.observer.interrupted() { Err(SolveError::Interrupted) } else { Ok(()) }
    }

    fn name(&self, outcome: Option<Outcome>) -> String {
        match outcome {
            Some(Outcome::Win(side)) => format!("won for the {}", self.game.side_name(side)),
            Some(Outcome::Draw) => "drawn".into(),
            None => "without a value".into(),
        }
    }
}

/// The ranks of a chunk.
fn ranks_of(chunk: usize, entries: u64) -> Range<u64> {
    let len = CHUNK as u64 * ENTRIES_PER_PAIR;
    chunk as u64 * len..entries.min((chunk as u64 + 1) * len)
}
