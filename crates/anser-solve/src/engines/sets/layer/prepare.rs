//! Preparation of a layer: the moves of the few, and the values of lower layers.

use anser_core::hunt::HuntIndex;
use anser_core::{Hunt, LayerIndex, Side};
use anser_retrograde::isa::{Level, dispatch};
use anser_retrograde::parallel;
use anser_table::format::ENTRIES_PER_PAIR;
use anser_table::{Metric, Tablebase};

use super::{Below, CONVERTED, Layer, READ};
use crate::engines::engine::read_codes;
use crate::engines::sets::layout::Layout;
use crate::engines::sets::moves::{Change, Move};
use crate::engines::sets::rules::Numbers;
use crate::engines::sets::scores::{FromCodes, Score, Scores};
use crate::{SolveError, check_interrupt};

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
        let mut values = Scores::draws(self.store(), layout)?;
        let chunks = values.orbits_mut().enumerate().flat_map(|(orbit, cells)| {
            let chunks = cells.chunks_mut(READ / S::PER_CELL);
            chunks.zip(parallel::ranges(layout.sets, READ)).map(move |chunk| (orbit, chunk))
        });
        parallel::try_for_each(chunks, &|(orbit, (cells, places))| {
            check_interrupt(self.task.observer)?;
            let first = orbit * layout.sets + places.start;
            self.read((layer, Side::Second), first as u64, places.len(), cells)?;
            self.task.advance(places.len() as u64);
            Ok::<_, SolveError>(())
        })?;
        Ok(values)
    }

    /// Reads values of a lower layer with a side to move, from an entry on, to as many places.
    pub(super) fn read(
        &self,
        of: (u16, Side),
        first: u64,
        places: usize,
        cells: &mut [S::Cell],
    ) -> Result<(), SolveError> {
        let tables = self.tables.as_ref().expect("the layer has lower ones");
        let has_distances = self.task.metrics.contains(Metric::Dtw);
        let metric = if has_distances { Metric::Dtw } else { Metric::Wdl };
        let mut values = Vec::new();
        let mut are_told = true;
        for places in parallel::ranges(places, READ) {
            let first = first + places.start as u64;
            // Tables are read from whole words on.
            let before = first % ENTRIES_PER_PAIR;
            values.resize(before as usize + places.len(), S::default());
            are_told &= read_scores(tables, metric, of, first - before, &mut values)?;
            S::put(cells, places.start, &values[before as usize..]);
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
