//! Moves to lower layers.

use std::sync::atomic::Ordering::Relaxed;

use anser_core::Side;
use anser_core::hunt::HuntIndex;
use anser_retrograde::parallel;
use anser_table::Tablebase;
use anser_table::format::ENTRIES_PER_PAIR;

use super::arrangements::Arrangements;
use super::part::{Part, Scratch, Values};
use crate::engines::sets::layer::prepare::{lower_layer, read_scores};
use crate::engines::sets::layout::{PADDING, Runs};
use crate::engines::sets::maps::Buffers;
use crate::engines::sets::moves::{Change, Image, Move};
use crate::engines::sets::scores::WholeScore;
use crate::{SolveError, check_interrupt};

/// The scores of the best moves that leave the layer, by place.
#[derive(Default)]
struct Best<S> {
    scores: Vec<S>,
    buffers: parallel::Buffers<Scratch<S>>,
}

/// Moves to one lower layer.
struct Moves {
    layer: u16,
    to: Arrangements,
    /// The side to move after them.
    side: Side,
    by_orbit: Vec<Vec<Move>>,
}

impl Part<'_> {
    /// Returns the scores of the best moves that leave the layer, by side to move, padded. Empty if
    /// there are none.
    ///
    /// # Errors
    /// Errors of the tables, here or on another rank.
    pub(super) fn below<S: WholeScore>(
        &self,
        tables: Option<&Tablebase>,
    ) -> Result<Values<S>, SolveError> {
        // Scores of 16 bits tell what those of 8 bits did not.
        self.is_untold.store(false, Relaxed);
        let mut below = [(); 2].map(|()| Best::default());
        let [few, many] = self.numbers.on_board;
        if self.numbers.hand[0] == 0 {
            self.take_captures(tables, &mut below[0])?;
        } else if let Some(lower) = self.lower([few + 1, many]) {
            self.take(tables, &self.placements(Side::First, lower), &mut below[0])?;
        }
        if self.numbers.hand[1] > 0
            && let Some(lower) = self.lower([few, many + 1])
        {
            self.take(tables, &self.placements(Side::Second, lower), &mut below[1])?;
        }
        Ok(below.map(|best| best.scores))
    }

    fn lower(&self, numbers: [usize; 2]) -> Option<(u16, HuntIndex)> {
        lower_layer(self.game, self.number, numbers)
    }

    /// Returns the placements of a side, which lead to a layer.
    fn placements(&self, side: Side, lower: (u16, HuntIndex)) -> Moves {
        let few = self.layer.few.iter();
        let moves: Vec<_> = few.map(|&few| self.rules.placements(side, few)).collect();
        self.moves_to(side.other(), lower, &moves)
    }

    /// Returns moves to a layer, after which `side` is to move.
    fn moves_to(
        &self,
        side: Side,
        (layer, index): (u16, HuntIndex),
        moves: &[Vec<(Change, u64)>],
    ) -> Moves {
        let to = Arrangements::new(index, &self.rules.order, self.lows.parts);
        let by_orbit = to.numbers.moves(&self.images, moves);
        Moves { layer, to, side, by_orbit }
    }

    /// Takes the captures of the few.
    fn take_captures<S: WholeScore>(
        &self,
        tables: Option<&Tablebase>,
        best: &mut Best<S>,
    ) -> Result<(), SolveError> {
        let [few, many] = self.numbers.on_board;
        let captures = self.rules.captures_by_number(self.numbers, &self.layer.few);
        for (captured, winner, moves) in captures {
            if let Some(winner) = winner {
                self.take_over(S::over(winner == Side::First), &moves, best);
            } else {
                let lower = self.lower([few, many - captured]);
                let lower = lower.expect("captures that end no game lead to a layer");
                self.take(tables, &self.moves_to(Side::Second, lower, &moves), best)?;
            }
        }
        Ok(())
    }

    /// Takes moves that end the game.
    fn take_over<S: WholeScore>(&self, score: S, moves: &[Vec<(Change, u64)>], best: &mut Best<S>) {
        self.improve(
            best,
            |orbit| !moves[orbit].is_empty(),
            |orbit, buffers| {
                for &(change, _) in &moves[orbit] {
                    buffers.take_value(&self.orbits[orbit], change, score);
                }
            },
        );
    }

    /// Takes moves to a layer. Every rank reads the entries of some orbits, and sends them to the
    /// ranks that need them.
    fn take<S: WholeScore>(
        &self,
        tables: Option<&Tablebase>,
        moves: &Moves,
        best: &mut Best<S>,
    ) -> Result<(), SolveError> {
        let Moves { layer, to, side, by_orbit: moves } = moves;
        let (rank, size) = (self.cluster.rank(), self.cluster.size());
        let readers = self.readers(to);
        let needs = self.needed(moves);
        let places = to.orbits(&self.lows, &needs[rank], 0);
        let orbits: Vec<usize> = (0..to.few.len()).collect();
        self.observer.begin(&format!("layer {layer}"), orbits.len() as u64);
        for orbits in orbits.chunks(readers * Part::at_a_time(to)) {
            let of_reader =
                |reader: usize| orbits.iter().skip(reader).step_by(readers).copied().collect();
            let mut lists: Vec<Vec<usize>> = (0..readers).map(of_reader).collect();
            lists.resize(size, Vec::new());
            let values = parallel::try_map(&lists[rank], &|&orbit| {
                check_interrupt(self.observer)?;
                let entries = to.entries[orbit].clone();
                let first = entries.start - entries.start % ENTRIES_PER_PAIR;
                let mut values = vec![S::default(); (entries.end - first) as usize];
                let tables = tables.expect("the layer has lower ones");
                let of = (*layer, *side);
                if !read_scores(tables, self.metric(), of, first, &mut values)? {
                    self.is_untold.store(true, Relaxed);
                }
                let values = &values[(entries.start - first) as usize..];
                Ok::<_, SolveError>(self.of_entries(to, orbit, values))
            });
            let dealt = self.deal(to, &lists, values, &needs)?;
            let is_dealt = |mv: &Move| dealt.padded(mv.orbit as usize).is_some();
            self.improve(
                best,
                |orbit| moves[orbit].iter().any(is_dealt),
                |orbit, buffers| {
                    for mv in &moves[orbit] {
                        let Some(values) = dealt.padded(mv.orbit as usize) else { continue };
                        let to = (values, &places[mv.orbit as usize]);
                        buffers.take_move(&self.orbits[orbit], mv, to, &self.images);
                    }
                },
            );
            self.observer.advance(orbits.len() as u64);
        }
        Ok(())
    }

    /// Improves the best scores of the orbits that `has_moves` accepts.
    fn improve<S: WholeScore>(
        &self,
        best: &mut Best<S>,
        has_moves: impl Fn(usize) -> bool + Sync,
        take: impl Fn(usize, &mut Buffers<S>) + Sync,
    ) {
        let Best { scores, buffers } = best;
        if scores.is_empty() {
            *scores = vec![S::NONE; self.len() + PADDING];
        }
        self.for_each_orbit(buffers, 0..self.orbits.len(), scores, |orbit, best, scratch| {
            if has_moves(orbit) {
                let buffers = &mut scratch.buffers;
                let of_orbit = &self.orbits[orbit];
                buffers.runs = Runs::all(of_orbit);
                buffers.start(of_orbit, best, 0..of_orbit.high.runs.len());
                take(orbit, buffers);
                best.copy_from_slice(&buffers.best[..best.len()]);
            }
        });
    }

    /// Returns the patterns that moves of each rank lead to, and their images.
    fn needed(&self, moves: &[Vec<Move>]) -> Vec<Vec<u32>> {
        let mut changes: Vec<[u32; 3]> = moves
            .iter()
            .flatten()
            .map(|mv| {
                let Change { has, lacks, flip } = mv.change;
                [has, lacks, flip].map(|points| self.lows.parts.pattern(points))
            })
            .collect();
        changes.sort_unstable();
        changes.dedup();
        let of_rank = |owned: &Vec<u32>| {
            let mut needed = vec![false; 1 << self.lows.parts.separator];
            for &pattern in owned {
                for &[has, lacks, flip] in &changes {
                    if pattern & has == has && pattern & lacks == 0 {
                        needed[(pattern ^ flip) as usize] = true;
                    }
                }
            }
            let shift = self.lows.parts.points - self.lows.parts.separator;
            for pattern in 0..needed.len() {
                let image = |image: &Image| {
                    needed[self.lows.parts.pattern(image.of((pattern as u64) << shift)) as usize]
                };
                // A pattern is needed if one of its images is.
                if !needed[pattern] && self.images.iter().any(image) {
                    needed[pattern] = true;
                }
            }
            (0..).zip(needed).filter(|(_, needed)| *needed).map(|(pattern, _)| pattern).collect()
        };
        self.owned.iter().map(of_rank).collect()
    }
}
