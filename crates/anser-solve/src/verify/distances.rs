//! The check of every distance of a table against those of its successors.
//!
//! A position where the game is over must have distance 0; whoever wins must have a move to a position won in one ply less,
//! and none to one that is won sooner; whoever loses must have no move that draws or wins, and the best of those that are left
//! loses in one ply less; a draw must have a move that draws and none that wins. Distances that pass are right, and need no
//! other foundation: every win leads to a shorter one, down to the end of the game.

use std::ops::ControlFlow;

use anser_core::words::outcome_text;
use anser_core::{Dtw, Game, LayerIndex, Next, Side};
use anser_table::Table;
use rayon::prelude::*;

use crate::SolveError;
use crate::io::codes::summary;
use crate::verify::recompute::Recompute;
use crate::verify::values::Findings;

/// Entries that a thread takes at a time: some blocks of a packed table.
const CHUNK: usize = 1 << 17;

/// Recomputes every distance of `table`, whose checksums were found right; says which differ, and what the header says
/// otherwise.
pub(crate) fn check_distances<G: Game>(recompute: &Recompute<'_, G>, table: &Table) -> Result<Vec<String>, SolveError> {
    let codes = [read(recompute, table, Side::First)?, read(recompute, table, Side::Second)?];
    let check = Check { recompute, codes: &codes };
    let mut findings = check.side(Side::First)?;
    findings.add(check.side(Side::Second)?);
    let mut problems = findings.problems();
    if problems.is_empty() {
        let there = summary(recompute.index, codes.each_ref().map(Vec::as_slice));
        let header = table.header();
        let (counts, longest) = (header.counts(), header.longest().unwrap_or_default());
        if counts != there.counts {
            problems.push(format!("the header counts {counts:?} positions by outcome, the values {:?}", there.counts));
        }
        if longest != there.longest {
            problems.push("the longest wins are not those that the header promises".into());
        }
    }
    Ok(problems)
}

/// The codes with `side` to move.
fn read<G: Game>(recompute: &Recompute<'_, G>, table: &Table, side: Side) -> Result<Vec<u16>, SolveError> {
    let entries = recompute.index.len(side);
    recompute.announce("reading", side, entries);
    let mut codes = vec![0; entries as usize];
    codes.par_chunks_mut(CHUNK).enumerate().try_for_each(|(chunk, codes)| {
        recompute.check_interrupt()?;
        table.read_codes(side, (chunk * CHUNK) as u64, codes)?;
        recompute.observer.advance(codes.len() as u64);
        Ok::<_, SolveError>(())
    })?;
    Ok(codes)
}

struct Check<'a, 'g, G: Game> {
    recompute: &'a Recompute<'g, G>,
    /// By side to move and rank.
    codes: &'a [Vec<u16>; 2],
}

impl<G: Game> Check<'_, '_, G> {
    fn side(&self, side: Side) -> Result<Findings, SolveError> {
        let codes = &self.codes[side.index()];
        self.recompute.announce("distances", side, codes.len() as u64);
        let parts: Vec<Findings> = codes
            .par_chunks(CHUNK / 8)
            .enumerate()
            .map(|(chunk, codes)| {
                self.recompute.check_interrupt()?;
                let mut findings = Findings::default();
                for (rank, &code) in ((chunk * CHUNK / 8) as u64..).zip(codes) {
                    let position = self.recompute.index.unrank(side, rank);
                    let must = self.best(&position, side)?;
                    if must.map(Dtw::code) != Some(code) {
                        findings.note(|| {
                            let text = self.recompute.game.format_position(&position);
                            let is = self.name(Dtw::from_code(code));
                            format!("{text} is {is} in the table, its moves say {}", self.name(must))
                        });
                    }
                }
                self.recompute.observer.advance(codes.len() as u64);
                Ok(findings)
            })
            .collect::<Result<_, SolveError>>()?;
        let mut all = Findings::default();
        for part in parts {
            all.add(part);
        }
        Ok(all)
    }

    /// The value of a position by those of what its moves lead to; `None` if a win takes more plies than there is room for.
    fn best(&self, position: &G::Position, side: Side) -> Result<Option<Dtw>, SolveError> {
        let Recompute { game, layer, index, lower, .. } = self.recompute;
        if let Some(outcome) = game.terminal(position) {
            return Ok(Some(Dtw::ended(outcome)));
        }
        let mut best: Option<Dtw> = None;
        let ended = game.visit_moves(position, |_, next| {
            let after = match next {
                Next::End(outcome) => Some(Dtw::ended(outcome)),
                Next::Position(next) if game.layer(&next) == *layer => {
                    Dtw::from_code(self.codes[side.other().index()][index.rank(&next) as usize])
                }
                Next::Position(next) => match lower.probe_distance(&next) {
                    Ok(value) => Some(value),
                    Err(error) => return ControlFlow::Break(Some(error)),
                },
            };
            let Some(after) = after.filter(|after| after.plies() != Some(Dtw::LONGEST)) else {
                return ControlFlow::Break(None);
            };
            if best.is_none_or(|best| after.before().score(side) > best.score(side)) {
                best = Some(after.before());
            }
            ControlFlow::Continue(())
        });
        match ended {
            ControlFlow::Break(Some(error)) => Err(error.into()),
            ControlFlow::Break(None) => Ok(None),
            ControlFlow::Continue(()) => Ok(Some(best.unwrap_or(Dtw::win(side.other(), 0)))),
        }
    }

    fn name(&self, value: Option<Dtw>) -> String {
        match value {
            Some(value) => outcome_text(self.recompute.game, value.outcome(), value.plies()),
            None => "won in more plies than there is room for".into(),
        }
    }
}
