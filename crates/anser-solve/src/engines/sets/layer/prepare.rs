//! Preparation of a layer: the moves of the few, and the values of lower layers.

use std::ops::Range;

use anser_core::hunt::HuntIndex;
use anser_core::{Hunt, LayerIndex, Side};
use anser_retrograde::isa::{Level, dispatch};
use anser_retrograde::parallel;
use anser_table::format::ENTRIES_PER_PAIR;
use anser_table::{Metric, Tablebase};

use super::{Below, CONVERTED, Layer};
use crate::engines::engine::read_codes;
use crate::engines::sets::arrays::Scores;
use crate::engines::sets::layout::Layout;
use crate::engines::sets::moves::{Change, Move};
use crate::engines::sets::rules::Numbers;
use crate::engines::sets::scores::{FromCodes, Score};
use crate::{SolveError, check_interrupt};

/// Entries that are read from a table at a time: many blocks of checksums, or several of a packed
/// table, because the first and the last one are read twice.
const READ: usize = 1 << 20;

impl<S: Score> Layer<'_, '_, S> {
    /// Finds the moves of the few, and reads the layers below.
    pub(super) fn prepare(&mut self) -> Result<(), SolveError> {
        let Layer { task, rules, numbers, .. } = *self;
        let ([few, many], hand) = (numbers.on_board, numbers.hand);
        if !task.game.lower_layers(task.layer).is_empty() {
            self.tables = Some(task.lower.open()?);
        }
        if hand[1] > 0 {
            self.many_placed = self
                .below(few, many + 1)
                .map(|(layer, index)| (layer, Layout::new(task.game, rules.low_points, &index)));
        }
        let arrangements: Vec<u64> = self.layout.orbits.iter().map(|orbit| orbit.few).collect();
        if hand[0] > 0 {
            if let Some(below) = self.below(few + 1, many) {
                let moves = arrangements.iter().map(|&few| rules.placements(Side::First, few));
                self.placements = Some(self.moves_to(below, &moves.collect::<Vec<_>>())?);
            }
            return Ok(());
        }
        let steps: Vec<_> = arrangements.iter().map(|&few| rules.steps_of_few(few)).collect();
        self.steps = self.layout.numbers.moves(&self.images, &steps);
        for (captured, winner, moves) in rules.captures_by_number(numbers, &arrangements) {
            let captures = if let Some(winner) = winner {
                let moves = self.layout.numbers.moves(&self.images, &moves);
                (Below::Over(S::over(winner == Side::First)), moves)
            } else {
                let below = self.below(few, many - captured);
                self.moves_to(below.expect("captures that end no game lead to a layer"), &moves)?
            };
            self.captures.push(captures);
        }
        Ok(())
    }

    /// Reads a lower layer. Returns it with the moves of the few that lead to it, by orbit.
    fn moves_to(
        &self,
        (layer, index): (u16, HuntIndex),
        moves: &[Vec<(Change, u64)>],
    ) -> Result<(Below<S>, Vec<Vec<Move>>), SolveError> {
        let layout = Layout::new(self.task.game, self.rules.low_points, &index);
        let moves = layout.numbers.moves(&self.images, moves);
        let values = self.read_all(layer, &layout)?;
        Ok((Below::Layer(layout, values), moves))
    }

    /// Returns the lower layer with these numbers of pieces on the board.
    fn below(&self, few: usize, many: usize) -> Option<(u16, HuntIndex)> {
        lower_layer(self.task.game, self.task.layer, [few, many])
    }

    /// Reads all values of a lower layer with the many to move.
    fn read_all(&self, layer: u16, layout: &Layout) -> Result<Scores<S>, SolveError> {
        self.task.begin(format!("layer {layer}"), layout.len() as u64);
        let mut values = Scores::draws(self.store(), [layout.sets, layout.orbits.len()])?;
        // Several small orbits, or a part of a large one.
        let together = (READ / layout.sets).max(1);
        let entries = parallel::ranges(layout.len(), together * layout.sets);
        let parts = values.orbits_mut(together).zip(entries).flat_map(|(cells, entries)| {
            let most = if layout.sets > READ { READ / S::PER_CELL } else { cells.len() };
            let parts = parallel::ranges(entries.len(), READ);
            cells.chunks_mut(most).zip(parts).map(move |(cells, part)| {
                (cells, entries.start + part.start..entries.start + part.end)
            })
        });
        parallel::try_for_each(parts, &|(cells, entries)| {
            check_interrupt(self.task.observer)?;
            let len = entries.len() as u64;
            self.read((layer, Side::Second), layout.sets, entries, cells)?;
            self.task.advance(len);
            Ok::<_, SolveError>(())
        })?;
        Ok(values)
    }

    /// Reads the values of an orbit with so many sets in a lower layer, with a side to move.
    pub(super) fn read_orbit(
        &self,
        of: (u16, Side),
        sets: usize,
        orbit: usize,
        cells: &mut [S::Cell],
    ) -> Result<(), SolveError> {
        let first = orbit * sets;
        parallel::ranges(sets, READ).try_for_each(|places| {
            let cells = &mut cells[S::cells(places.clone())];
            self.read(of, sets, first + places.start..first + places.end, cells)
        })
    }

    /// Reads entries of a lower layer with a side to move to cells: of orbits with so many sets, or
    /// of a part of one.
    fn read(
        &self,
        of: (u16, Side),
        sets: usize,
        entries: Range<usize>,
        cells: &mut [S::Cell],
    ) -> Result<(), SolveError> {
        let tables = self.tables.as_ref().expect("the layer has lower ones");
        let has_distances = self.task.metrics.contains(Metric::Dtw);
        let metric = if has_distances { Metric::Dtw } else { Metric::Wdl };
        // Tables are read from whole words on.
        let first = entries.start - entries.start % ENTRIES_PER_PAIR as usize;
        let mut values = vec![S::default(); entries.end - first];
        let are_told = read_scores(tables, metric, of, first as u64, &mut values)?;
        let of_orbits = values[entries.start - first..].chunks(sets);
        for (cells, values) in cells.chunks_mut(S::cells(0..sets).len()).zip(of_orbits) {
            S::put(cells, 0, values);
        }
        if are_told { Ok(()) } else { Err(self.task.too_long()) }
    }
}

/// Returns the layer below `layer` with these numbers of pieces on the board.
pub(in crate::engines::sets) fn lower_layer(
    game: &Hunt,
    layer: u16,
    numbers: [usize; 2],
) -> Option<(u16, HuntIndex)> {
    let lower = game.lower_layers(layer).into_iter().map(|lower| (lower, game.index(lower)));
    lower
        .filter(|(_, index)| index.len(Side::First) > 0)
        .find(|(_, index)| Numbers::of(index).on_board == numbers)
}

/// Reads values of a layer with a side to move, from rank `first` on, a multiple of 64. In tables
/// of outcomes a win counts as one in 0 plies: distances are wrong then, outcomes are not. Returns
/// whether scores tell all values.
pub(in crate::engines::sets) fn read_scores<S: Score>(
    tables: &Tablebase,
    metric: Metric,
    (layer, side): (u16, Side),
    first: u64,
    values: &mut [S],
) -> Result<bool, SolveError> {
    /// Outcomes that are read at a time: several blocks of a packed table, which are not kept.
    const OUTCOMES: usize = 1 << 20;
    let at_a_time = if metric == Metric::Dtw { CONVERTED } else { OUTCOMES };
    let mut codes = vec![0; at_a_time.min(values.len())];
    let mut are_told = true;
    for (values, first) in values.chunks_mut(at_a_time).zip((first..).step_by(at_a_time)) {
        let codes = &mut codes[..values.len()];
        read_codes(tables, metric, (layer, side), first, codes)?;
        are_told &= dispatch(Level::best(), FromCodes { codes, side, scores: values });
    }
    Ok(are_told)
}
