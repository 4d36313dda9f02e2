//! The full check: every stored value against the values of its successors.
//!
//! A value that does not follow from those of its successors is a problem. What the check shows is
//! that the values are consistent. Distances that are consistent are right: every win leads to a
//! shorter one, down to the end of the game. Outcomes that are consistent are right if the wins are
//! well-founded, which `well_founded.rs` checks.

use std::ops::Range;

use anser_core::words::outcome_text;
use anser_core::{BlockMoves, BySide, Dtw, Hunt, LayerIndex, Observer, Outcome, Side};
use anser_retrograde::parallel;
use anser_table::{Kind, Metric, ProbeError, Table, Tablebase};

use crate::io::stored::{Stored, Summary};
use crate::verify::problem::{NamedValue, Problem};
use crate::verify::recompute::Recompute;
use crate::{LayerOf, SolveError, check_interrupt};

/// Greatest number of problems of a table that are listed. A table of wrong values has millions.
const LISTED: usize = 10;

/// A stored value that follows from the values of the successors.
///
/// Implemented for [`Outcome`](anser_core::Outcome) and [`Dtw`](anser_core::Dtw).
///
/// The full check depends on a metric only through this trait.
pub(crate) trait Checked: Stored {
    /// Name of the values in progress reports.
    const NAME: &'static str;

    /// Words for a code that is not a value, in reports.
    const NO_VALUE: &'static str;

    /// Number of entries that a thread checks at a time, a multiple of 64.
    const CHUNK: u64;

    /// Returns a table of a layer that has such values.
    fn table(tables: &Tablebase, layer: u16) -> Result<&Table, ProbeError>;

    /// Checks that every code of `values`, which were read from `table`, is a value, if a checksum
    /// does not show that and nothing else notices.
    fn check_codes(
        tables: &Tablebase,
        table: &Table,
        side: Side,
        values: &[Self::Word],
    ) -> Result<(), ProbeError>;

    /// Returns all values with `side` to move of a table, if reading them at once is faster than
    /// reading chunks and the table stores them.
    fn read_stored(
        recompute: &Recompute<'_, Self>,
        table: &Table,
        side: Side,
    ) -> Result<Option<Vec<Self::Word>>, SolveError>;

    /// Fills `words` with the values of `ranks` that follow from the `values` of the layer, by side
    /// to move, and of the lower layers.
    fn recompute(
        recompute: &Recompute<'_, Self>,
        side: Side,
        ranks: Range<u64>,
        values: &BySide<Vec<Self::Word>>,
        words: &mut [Self::Word],
    ) -> Result<(), SolveError>;

    /// Visits the entries in which words differ.
    fn visit_differences(stored: &[Self::Word], expected: &[Self::Word], visit: impl FnMut(u64));

    /// Checks that the wins among consistent values are well-founded. Returns the number of rounds
    /// of the fixpoint, if that takes one, and the problems.
    fn check_well_founded(
        recompute: &Recompute<'_, Self>,
        values: &BySide<Vec<Self::Word>>,
    ) -> Result<(Option<u64>, Vec<Problem>), SolveError>;
}

/// Checks every value of `table`, whose checksums are right, then, if asked to, that wins are
/// well-founded. Returns the number of rounds that this took, and the problems.
pub(crate) fn full_check<V: Checked>(
    of: LayerOf<'_>,
    lower: &Tablebase,
    observer: &dyn Observer,
    table: &Table,
    well_founded: bool,
) -> Result<(Option<u64>, Vec<Problem>), SolveError> {
    let header = table.header();
    let together = holds_both_sides(header.kind(), well_founded);
    let mut recompute = Recompute::<V>::new(of, lower, observer);
    recompute.read_below()?;
    let values = if together { recompute.read(table)? } else { BySide::default() };
    let check = |side: Side| {
        let mut of_other = BySide::default();
        if !together {
            of_other[side.other()] = recompute.read_side(table, side.other(), &values)?;
        }
        let values = if together { &values } else { &of_other };
        Check::<V> { recompute: &recompute, table, values }.side(side)
    };
    let [first, second] = [check(Side::First)?, check(Side::Second)?];
    let summaries = BySide::new(first.summary, second.summary);
    let findings = first.merge(second);
    let is_consistent = findings.wrong == 0;
    let mut problems = findings.problems();
    if is_consistent {
        let counts = summaries.map(|summary| summary.counts);
        let in_header = header.counts();
        if in_header != counts {
            problems.push(Problem::Counts { header: in_header, values: counts });
        }
        let (in_header, longest) =
            (header.longest().unwrap_or_default(), summaries.map(|summary| summary.longest));
        if in_header != longest {
            problems.push(Problem::Longest { header: in_header, values: longest });
        }
    }
    // Only consistent values have a meaning.
    if well_founded && problems.is_empty() {
        return V::check_well_founded(&recompute, &values);
    }
    Ok((None, problems))
}

struct Check<'a, 'g, V: Checked> {
    recompute: &'a Recompute<'g, V>,
    table: &'a Table,
    /// The values of the layer, by side to move: of the side that is checked, all or none.
    values: &'a BySide<Vec<V::Word>>,
}

impl<V: Checked> Check<'_, '_, V> {
    /// Checks the values with `side` to move.
    fn side(&self, side: Side) -> Result<Findings, SolveError> {
        let entries = self.recompute.index.len(side);
        self.recompute.announce(V::NAME, side, entries);
        let stored = &self.values[side];
        let chunks = (0..entries).step_by(V::CHUNK as usize);
        let parts = parallel::try_map(chunks, &|first| {
            check_interrupt(self.recompute.observer)?;
            let ranks = first..entries.min(first + V::CHUNK);
            let words = V::words(first)..V::words(ranks.end);
            if let Some(stored) = stored.get(words.clone()) {
                return self.ranks(side, ranks, stored);
            }
            let mut stored = vec![V::Word::default(); words.len()];
            let is_read = V::read(self.table, side, first, &mut stored)?;
            assert!(is_read, "a raw table has all values");
            self.ranks(side, ranks, &stored)
        })?;
        Ok(parts.into_iter().fold(Findings::default(), Findings::merge))
    }

    /// Checks the values of `ranks`, which are in `stored`.
    fn ranks(
        &self,
        side: Side,
        ranks: Range<u64>,
        stored: &[V::Word],
    ) -> Result<Findings, SolveError> {
        let Check { recompute, table, values } = self;
        let mut findings = Findings::default();
        // Values that the table does not store were computed in the same way when it was read.
        if table.stores(side) {
            let mut expected = vec![V::Word::default(); stored.len()];
            V::recompute(recompute, side, ranks.clone(), values, &mut expected)?;
            V::visit_differences(stored, &expected, |entry| {
                // Nothing reads the value of an entry that is no position and no image of one.
                let rank = ranks.start + entry;
                let index = recompute.index;
                let of_class = || index.copy_of(side, rank).unwrap_or(rank);
                if index.has_gaps() && index.orbit(side, of_class()) == 0 {
                    return;
                }
                findings.note(|| Problem::Value {
                    position: recompute.position_text(side, ranks.start + entry),
                    stored: recompute.name(V::get(stored, entry)),
                    expected: recompute.name(V::get(&expected, entry)),
                });
            });
        }
        recompute.observer.advance(ranks.end - ranks.start);
        findings.summary = Summary::of::<V>(recompute.index, side, ranks, stored);
        Ok(findings)
    }
}

/// Returns the memory that the full check of a table takes, in bytes: for the values of the layer,
/// of both sides to move together or of one at a time, and of the lower layers that blocks lead to.
pub(crate) fn memory_of_check(
    game: &Hunt,
    layer: u16,
    (metric, kind): (Metric, Kind),
    well_founded: bool,
) -> u64 {
    let bytes = |entries| match metric {
        Metric::Wdl => bytes_of::<Outcome>(entries),
        Metric::Dtw => bytes_of::<Dtw>(entries),
    };
    let index = game.index(layer);
    let [first, second] = Side::BOTH.map(|side| bytes(index.len(side)));
    let blocks = game.block_moves(layer, &index);
    let below = blocks.as_deref().map(BlockMoves::below).unwrap_or_default();
    let below = below.into_iter().map(|(layer, side)| bytes(game.index(layer).len(side)));
    let values =
        if holds_both_sides(kind, well_founded) { first + second } else { first.max(second) };
    values + below.sum::<u64>()
}

fn bytes_of<V: Checked>(entries: u64) -> u64 {
    (V::words(entries) * size_of::<V::Word>()) as u64
}

/// Whether the full check of a table holds the values of both sides to move at once. A value
/// follows from those of the other side, and a raw table is read from any rank on.
fn holds_both_sides(kind: Kind, well_founded: bool) -> bool {
    kind == Kind::Packed || well_founded
}

impl<V: Checked> Recompute<'_, V> {
    /// Returns the position of an entry in its notation.
    pub(crate) fn position_text(&self, side: Side, rank: u64) -> String {
        self.game.format_position(&self.index.unrank(side, rank))
    }

    /// Returns a value with its words.
    pub(crate) fn name(&self, value: Option<V>) -> NamedValue {
        let value = value.map(V::into);
        let words = match value {
            Some(value) => outcome_text(self.game, value.outcome, value.plies),
            None => V::NO_VALUE.into(),
        };
        NamedValue::new(value, words)
    }
}

/// Result of the check of a part of a table.
#[derive(Default)]
pub(crate) struct Findings {
    summary: Summary,
    /// Number of wrong entries.
    wrong: u64,
    /// The first of them, at most [`LISTED`].
    listed: Vec<Problem>,
}

impl Findings {
    /// Appends the findings of the next part.
    fn merge(mut self, next: Findings) -> Findings {
        self.summary = self.summary.merge(next.summary);
        self.wrong += next.wrong;
        let left = LISTED - self.listed.len();
        self.listed.extend(next.listed.into_iter().take(left));
        self
    }

    /// Notes a wrong entry.
    pub(crate) fn note(&mut self, describe: impl FnOnce() -> Problem) {
        self.wrong += 1;
        if self.listed.len() < LISTED {
            self.listed.push(describe());
        }
    }

    /// Returns the listed problems and, if there are more, the number of the others.
    pub(crate) fn problems(self) -> Vec<Problem> {
        let mut problems = self.listed;
        if self.wrong > problems.len() as u64 {
            problems.push(Problem::More(self.wrong - problems.len() as u64));
        }
        problems
    }
}
