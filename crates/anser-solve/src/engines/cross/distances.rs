//! Solves one layer for distances.
//!
//! Both fixpoints are computed as for outcomes, in passes for one side to move after the other, one
//! for each distance. What differs: captures take effect in the round of their distance
//! ([`releases`](super::releases)), the greatest fixpoint starts from the full set, and each pass
//! records what it decides ([`codes`](super::codes)).
//!
//! A position is decided in the pass of its distance. By induction over the distance `d`: from
//! below, a position with the geese to move becomes good in pass `d` if and only if some move leads
//! to a position that was good in pass `d - 1`, and to none that was good before that; with the fox
//! to move, if all its steps and captures lead to good ones and one of these became good in pass
//! `d - 1`. From above the same holds with the sides exchanged. Stuck geese have lost in 0 plies:
//! they are found by the first pass, for the geese to move, in which the fox has not won anywhere
//! yet.

use super::passes::Fields;
use crate::engines::store::Words;
use anser_core::fox_geese::CrossIndex;
use anser_core::{BySide, Dtw, LayerIndex, ProbeLayer, Side};
use anser_retrograde::parallel;
use anser_table::format::{ENTRIES_PER_PAIR, contract_codes, pairs};
use anser_table::{Metric, Table, Tablebase};

use super::bound::Bound;
use super::codes::{Codes, orientation};
use super::fixpoint::{Captures, Fixpoint};
use super::kernels::ones;
use super::layer::Layer;
use super::order::{read_class, write_class};
use super::releases::{ReleasePlanes, Releases};
use super::report::Report;
use super::runs::Source;
use super::shape::Shape;
use super::symmetry::{fill_field, transpose_field};
use crate::checkpoint::Checkpoint;
use crate::engines::engine::Filled;
use crate::io::raw_file::RawFile;
use crate::{SolveError, check_interrupt};

/// Progress of a layer.
#[derive(Clone, Copy)]
struct PassesDone {
    /// Number of complete fixpoints.
    bounds_done: usize,
    /// Distance of the last pass of the next fixpoint, which was for the fox to move. `None` before
    /// the first.
    plies: Option<u16>,
}

impl PassesDone {
    const START: PassesDone = PassesDone { bounds_done: 0, plies: None };
}

/// Restores the codes of a checkpoint.
fn restore(mut found: Checkpoint, codes: &mut Codes<'_>) -> Result<PassesDone, SolveError> {
    let state: [u64; 8] =
        found.state[..].try_into().expect("the layout of the checkpoint is this one");
    let [bounds_done, plies, state @ ..] = state;
    codes.restore(state, |words| found.read(words))?;
    found.finish()?;
    Ok(PassesDone {
        bounds_done: bounds_done as usize,
        plies: plies.checked_sub(1).map(|plies| plies as u16),
    })
}

/// Returns the number of the round of a distance.
fn rounds(plies: u16) -> u64 {
    u64::from(plies.div_ceil(2))
}

/// Returns the number of planes for the numbers of release of captures that lead to these
/// layers.
fn number_planes(tables: &Tablebase, layers: std::ops::Range<usize>) -> Result<usize, SolveError> {
    let mut most: u16 = 0;
    for geese in layers {
        let table = tables.table_of(geese as u16, Metric::Dtw)?;
        let longest = table.header().longest().unwrap_or_default()[Side::Second];
        most = longest.iter().filter_map(|(_, &plies)| plies).fold(most, u16::max);
    }
    // All rounds, and a number for draws that is no round; and the top plane.
    let rounds = most.div_ceil(2) + 1;
    Ok((u16::BITS - rounds.leading_zeros()) as usize + 1)
}

/// Returns `len` groups of codes of a lower layer with the geese to move, from group `start` on, as
/// in a raw payload. Every code is a value.
fn groups_of_geese(
    tables: &Tablebase,
    table: &Table,
    index: &CrossIndex,
    start: u64,
    len: usize,
) -> Result<Vec<u64>, SolveError> {
    let (side, bits) = (Side::Second, table.header().bits());
    if !table.stores(side) {
        let end = index.len(side).min((start + len as u64) * ENTRIES_PER_PAIR);
        let first = start * ENTRIES_PER_PAIR;
        let mut codes = vec![0; (end - first) as usize];
        tables.read_distances(table.header().layer(), side, first, &mut codes)?;
        return Ok(contract_codes(&codes, bits));
    }
    let mut groups = vec![0; len * bits as usize];
    let read = table.read_groups(side, start, &mut groups)?;
    assert!(read, "the side is stored, and these are groups of it");
    Ok(groups)
}

/// Returns a plane of the numbers of release of a group of codes with the geese to move.
///
/// Codes are 4 r + 1 where the fox wins in 2 r plies, 4 r where the geese win in 2 r - 1 plies, and
/// 0 for draws.
fn word_of_plane(group: &[u64], plane: usize, is_top: bool) -> u64 {
    let fox = group[0];
    if is_top {
        return !fox;
    }
    let round = group.get(plane + 2).copied().unwrap_or(0);
    let won = group.iter().fold(0, |any, word| any | word);
    fox & round | !fox & won & !round
}

impl Layer<'_, '_> {
    /// Computes the distances, and writes them into a table.
    pub(super) fn solve_distances(&self) -> Result<Filled, SolveError> {
        let Layer { task, shape, foxes, orbits, .. } = self;
        let mut codes = Codes::new(self.store(), shape, foxes, orbits);
        let mut reached = PassesDone::START;
        if let Some(found) = task.checkpoints.take_found() {
            reached = restore(found, &mut codes)?;
        }
        if reached.bounds_done < Bound::BOTH.len() {
            let mut captures = self.timed_captures()?;
            for (number, bound) in Bound::BOTH.into_iter().enumerate().skip(reached.bounds_done) {
                let fixpoint = self.fixpoint(bound, reached.plies, captures, codes)?;
                (captures, codes) = self.find(bound, fixpoint, reached)?;
                reached = PassesDone { bounds_done: number + 1, plies: None };
            }
        }
        let table = match self.write_codes(&codes) {
            Err(SolveError::Interrupted) => {
                self.save_distances(reached, &codes)?;
                return Err(SolveError::Interrupted);
            }
            table => table?,
        };
        let longest = codes.longest().into_array().into_iter().flat_map(BySide::into_array);
        Filled::of_distances(task, table, longest.flatten().max().map_or(0, rounds))
    }

    /// Returns a fixpoint after the pass for distance `plies`, or before the first.
    fn fixpoint<'f>(
        &'f self,
        bound: Bound,
        plies: Option<u16>,
        mut captures: Captures,
        codes: Codes<'f>,
    ) -> Result<Fixpoint<'f>, SolveError> {
        let Layer { shape, foxes, level, .. } = self;
        let store = self.store();
        let all = ones(store, shape)?;
        if let Some(releases) = &captures.releases {
            captures.allowed = releases.at_start(store, bound, &all)?;
        }
        let members = |class: usize, side: Side| match (plies, bound) {
            (None, Bound::Least) => store.zeros(shape.words),
            (None, Bound::Greatest) => store.copy(&all),
            (Some(_), _) => self.members(bound, side, class, &codes, &all),
        };
        let known =
            (0..foxes.len()).map(|class| members(class, Side::First)).collect::<Result<_, _>>()?;
        let geese = if plies.is_none() {
            None
        } else {
            let geese = foxes.iter().enumerate().map(|(class, fox)| {
                let rows = members(class, Side::Second)?;
                let transposed = if fox.read[1] {
                    transpose_field(store, shape, *level, &rows)?
                } else {
                    Words::default()
                };
                Ok([if fox.read[0] { rows } else { Words::default() }, transposed])
            });
            Some(geese.collect::<Result<Fields, SolveError>>()?)
        };
        drop(all);
        let mut fixpoint = Fixpoint::new(store, self.space(), bound, captures, known, Some(codes))?;
        if let (Some(geese), Some(plies)) = (geese, plies) {
            fixpoint.geese = geese;
            for round in 0..=plies / 2 {
                fixpoint.release(round);
            }
            fixpoint.begin_rounds();
        }
        Ok(fixpoint)
    }

    /// Returns the good positions of a class that recorded codes tell, in orientation 0.
    fn members(
        &self,
        bound: Bound,
        side: Side,
        class: usize,
        codes: &Codes<'_>,
        all: &[u64],
    ) -> Result<Words, SolveError> {
        let store = self.store();
        let plane = |bit: usize| self.plane(side, class, bit, codes);
        match bound {
            // Everything decided so far is won for the geese.
            Bound::Least => {
                let mut members = store.zeros(self.shape.words)?;
                for bit in 0..codes.bits(side) {
                    members.iter_mut().zip(&*plane(bit)?).for_each(|(word, plane)| *word |= plane);
                }
                Ok(members)
            }
            // Odd codes are wins of the fox.
            Bound::Greatest => {
                let mut members = plane(0)?;
                members.iter_mut().zip(all).for_each(|(word, all)| *word ^= all);
                Ok(members)
            }
        }
    }

    /// Returns a plane of the recorded codes of a class, in orientation 0.
    fn plane(
        &self,
        side: Side,
        class: usize,
        bit: usize,
        codes: &Codes<'_>,
    ) -> Result<Words, SolveError> {
        let block = |orbit: usize| codes.block(side, class, bit, orbit);
        let orientation = orientation(&self.foxes[class], side);
        fill_field(self.store(), self.space(), class, orientation, block)
    }

    /// Writes a checkpoint.
    fn save_distances(&self, reached: PassesDone, codes: &Codes<'_>) -> Result<(), SolveError> {
        let mut state =
            vec![reached.bounds_done as u64, reached.plies.map_or(0, |plies| u64::from(plies) + 1)];
        state.extend(codes.state());
        let words = codes.words().flatten().copied();
        self.task.checkpoints.save(reached.plies.map_or(0, rounds), &state, words)
    }

    /// Completes a fixpoint by a pass for each distance.
    fn find<'f>(
        &self,
        bound: Bound,
        mut fixpoint: Fixpoint<'f>,
        reached: PassesDone,
    ) -> Result<(Captures, Codes<'f>), SolveError> {
        let (task, winner) = (self.task, bound.winner());
        let first = reached.plies.map_or(0, |plies| plies + 1);
        let mut saved = reached.plies;
        for plies in first..=Dtw::LONGEST {
            let side = if plies % 2 == 0 { winner.other() } else { winner };
            let pending = side == Side::First && fixpoint.release(plies / 2);
            let value = Dtw::win(winner, plies);
            fixpoint.codes().select(side, value)?;
            let new = self.pass(&mut fixpoint, bound, side, rounds(plies));
            if new > 0 {
                fixpoint.codes().note(side, value);
            }
            if side == Side::Second {
                continue;
            }
            fixpoint.begin_rounds();
            if new == 0 && !pending {
                return Ok((fixpoint.captures, fixpoint.codes.expect("codes are recorded")));
            }
            // The next pass depends on what is decided, and not on the order in which it was.
            let interrupted = check_interrupt(task.observer);
            if saved != Some(plies) && (interrupted.is_err() || task.checkpoints.is_due()) {
                self.save_distances(
                    PassesDone { plies: Some(plies), ..reached },
                    fixpoint.codes(),
                )?;
                saved = Some(plies);
            }
            interrupted?;
        }
        Err(task.too_long())
    }

    /// Computes when captures take effect; `allowed` is set for layers whose captures all end the
    /// game.
    fn timed_captures(&self) -> Result<Captures, SolveError> {
        let allowed = self.without_lower()?;
        let releases = if allowed.is_some() {
            None
        } else {
            let tables = self.task.lower.open()?;
            let planes = number_planes(&tables, self.below())?;
            let best = self.fold(planes, |lower| self.read_numbers(&tables, lower, planes))?;
            self.task.lower.release(tables);
            Some(Releases::new(&self.shape, best))
        };
        let allowed = allowed.unwrap_or_default();
        Ok(Captures { allowed, forced: self.forced(&self.shape)?, releases })
    }

    /// Reads the positions of a lower layer with the geese to move, as numbers of release by class
    /// in orientation 0.
    fn read_numbers(
        &self,
        tables: &Tablebase,
        lower: &Shape,
        planes: usize,
    ) -> Result<Vec<ReleasePlanes>, SolveError> {
        /// Groups per read; a multiple of the blocks of a packed table.
        const READ: usize = 4096;
        /// Planes that are read at once: distances of up to 254 plies have no more.
        const TOGETHER: usize = 8;
        let Layer { task, foxes, .. } = self;
        let index = self.cross.index(lower.geese as u16);
        let table = tables.table_of(lower.geese as u16, Metric::Dtw)?;
        let bits = table.header().bits() as usize;
        let entries = index.len(Side::Second);
        let reads = planes.div_ceil(TOGETHER);
        let words = reads as u64 * entries.div_ceil(64)
            + (foxes.len() * reads * TOGETHER * lower.words) as u64;
        task.begin(format!("layer {}", lower.geese), words * 64);
        let report = Report::new(task.observer, format!("layer {}", lower.geese));
        let mut numbers = Vec::new();
        for fox in &**foxes {
            let segments = || index.segments().filter(|segment| segment.fox == fox.point);
            let first = segments().map(|segment| segment.start).min().unwrap_or(0) / 64;
            let end = segments()
                .map(|segment| segment.start + (segment.outer.len() * segment.inner.len()) as u64)
                .max()
                .unwrap_or(0)
                .div_ceil(64);
            let mut of_class = ReleasePlanes::new();
            // Several planes at once, because most of the work is to find the entries.
            for lowest in (0..planes).step_by(TOGETHER) {
                let mut words = vec![[0; TOGETHER]; (end - first) as usize];
                parallel::try_for_each(words.chunks_mut(READ).enumerate(), &|(chunk, words)| {
                    check_interrupt(task.observer)?;
                    let start = first + (chunk * READ) as u64;
                    let groups = groups_of_geese(tables, table, &index, start, words.len())?;
                    for (words, group) in words.iter_mut().zip(groups.chunks_exact(bits)) {
                        for (plane, word) in (lowest..planes).zip(words) {
                            *word = word_of_plane(group, plane, plane + 1 == planes);
                        }
                    }
                    task.advance(words.len() as u64 * 64);
                    Ok::<_, SolveError>(())
                })?;
                let word = |group: usize| words[group - first as usize];
                let read = read_class(self.store(), (&index, lower), fox, &word, &report)?;
                of_class.extend(read.into_iter().take(planes - lowest));
            }
            numbers.push(of_class);
        }
        Ok(numbers)
    }

    /// Writes the recorded codes into a raw table.
    fn write_codes(&self, codes: &Codes<'_>) -> Result<RawFile, SolveError> {
        let Layer { task, shape, foxes, level, .. } = self;
        let game = task.game;
        let table = task.distances(codes.longest())?;
        let bits = table.bits() as usize;
        for side in Side::BOTH {
            let report =
                Report::new(task.observer, format!("writing, {} to move", game.side_name(side)));
            report.begin(pairs(task.index.len(side)) * bits as u64);
            let groups = table.groups(side);
            for (class, fox) in foxes.iter().enumerate() {
                check_interrupt(report.observer)?;
                let fields = (0..bits).map(|bit| self.plane(side, class, bit, codes));
                let fields = fields.collect::<Result<Vec<Words>, _>>()?;
                let sources: Vec<Source<'_>> = fields
                    .iter()
                    .map(|rows| Source { shape, orientation: 0, rows, invert: 0 })
                    .collect();
                write_class(
                    *level,
                    self.index,
                    fox,
                    &sources,
                    &|group, bit| &groups[group * bits + bit],
                    &report,
                );
                table.evict();
            }
        }
        Ok(table)
    }
}
