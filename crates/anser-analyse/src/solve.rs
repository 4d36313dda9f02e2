//! The values of a solution: layer by layer, from the lowest up.
//!
//! In a layer that is not loopy, the side whose moves all leave it takes its values from lower layers, and then the other
//! side from these. A loopy layer is solved by retrograde analysis: round `d` decides the positions whose distance is `d`.
//! It examines the predecessors of the frontier, the positions that round `d - 1` decided, and the positions that a move
//! out of the layer may decide in `d` plies. Positions that are never decided are drawn.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use anser_core::{Dtw, Game, LayerIndex, Next, Observer, Outcome, Side};
use rayon::prelude::*;

use crate::AnalyseError;
use crate::solution::{CHUNK, Solution, UNKNOWN};

/// Computes the values of all layers.
pub(crate) fn solve<G: Game>(solution: &mut Solution<G>, observer: &dyn Observer) -> Result<(), AnalyseError> {
    observer.begin("values", solution.classes());
    for place in 0..solution.layers.len() {
        let number = solution.layers[place].number;
        if solution.game.is_loopy(number) {
            let values = Rounds::new(solution, place, observer).run()?;
            for (part, values) in solution.layers[place].sides.iter_mut().zip(values) {
                part.values = values;
            }
        } else {
            let first_stays = solution.game.stays_in_layer(number, Side::First);
            let order = if first_stays { [Side::Second, Side::First] } else { Side::BOTH };
            for side in order {
                let values = pass(solution, place, side, observer)?;
                solution.layers[place].sides[side.index()].values = values;
            }
        }
        observer.advance(solution.layers[place].classes());
    }
    Ok(())
}

/// Returns the better of two values for a side.
fn better(a: Option<Dtw>, b: Dtw, side: Side) -> Dtw {
    match a {
        Some(a) if a.score(side) >= b.score(side) => a,
        _ => b,
    }
}

/// Returns the values of one side of a layer whose moves lead to known values.
fn pass<G: Game>(
    solution: &Solution<G>,
    place: usize,
    side: Side,
    observer: &dyn Observer,
) -> Result<Vec<u16>, AnalyseError> {
    let layer = &solution.layers[place];
    let classes = &layer.sides[side.index()].classes;
    let mut values = vec![UNKNOWN; classes.len()];
    values.par_chunks_mut(CHUNK).enumerate().try_for_each(|(chunk, values)| {
        if observer.interrupted() {
            return Err(AnalyseError::Interrupted);
        }
        let slots = chunk * CHUNK..chunk * CHUNK + values.len();
        for (value, rank) in values.iter_mut().zip(classes.members(slots)) {
            let position = layer.index.unrank(side, rank);
            *value = value_of(solution, side, &position).map_or(UNKNOWN, Dtw::code);
        }
        Ok(())
    })?;
    Ok(values)
}

/// Returns the value of a position whose moves lead to known values. `None` if the rules contradict themselves: a move
/// leads to a position that is not part of the solution, or a position that is not terminal has no move.
fn value_of<G: Game>(solution: &Solution<G>, side: Side, position: &G::Position) -> Option<Dtw> {
    let mut best = None;
    let flow = solution.game.visit_moves(position, |_, next| {
        let value = match next {
            Next::End(outcome) => Some(Dtw::ended(outcome)),
            Next::Position(next) => solution.value(&next),
        };
        match value {
            Some(value) => best = Some(better(best, value.before(), side)),
            None => return ControlFlow::Break(()),
        }
        ControlFlow::Continue(())
    });
    if flow.is_break() {
        return None;
    }
    best.or_else(|| solution.game.terminal(position).map(Dtw::ended))
}

/// Retrograde analysis of a loopy layer.
struct Rounds<'a, G: Game> {
    solution: &'a Solution<G>,
    place: usize,
    number: u16,
    observer: &'a dyn Observer,
    values: [Vec<AtomicU16>; 2],
}

/// A class of the layer: side to move and rank.
type Entry = (Side, u64);

impl<'a, G: Game> Rounds<'a, G> {
    fn new(solution: &'a Solution<G>, place: usize, observer: &'a dyn Observer) -> Self {
        let layer = &solution.layers[place];
        let values = [0, 1].map(|side: usize| {
            let len = layer.sides[side].classes.len();
            (0..len).map(|_| AtomicU16::new(UNKNOWN)).collect()
        });
        Rounds { solution, place, number: layer.number, observer, values }
    }

    fn run(self) -> Result<[Vec<u16>; 2], AnalyseError> {
        let mut due = self.scheduled()?;
        let mut frontier: Vec<Entry> = Vec::new();
        let mut plies = 0;
        while !(frontier.is_empty() && due.is_empty()) {
            let scheduled = due.remove(&plies).unwrap_or_default();
            let decided = scheduled.par_chunks(CHUNK).map(|entries| self.examine(entries.iter().copied(), plies));
            let mut next: Vec<Entry> = decided.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
            let decided = frontier.par_chunks(CHUNK).map(|entries| self.examine_predecessors(entries, plies));
            next.extend(decided.collect::<Result<Vec<_>, _>>()?.into_iter().flatten());
            frontier = next;
            plies += 1;
        }
        Ok(self.values.map(|values| {
            let drawn = |code| if code == UNKNOWN { Dtw::DRAW.code() } else { code };
            values.into_iter().map(AtomicU16::into_inner).map(drawn).collect()
        }))
    }

    /// Returns the terminal entries, and those that moves out of the layer may decide, by the distance of that decision.
    fn scheduled(&self) -> Result<BTreeMap<u16, Vec<Entry>>, AnalyseError> {
        let layer = &self.solution.layers[self.place];
        let mut due: BTreeMap<u16, Vec<Entry>> = BTreeMap::new();
        for side in Side::BOTH {
            let classes = &layer.sides[side.index()].classes;
            let found: Vec<Vec<(u16, Entry)>> = (0..classes.len().div_ceil(CHUNK))
                .into_par_iter()
                .map(|chunk| {
                    if self.observer.interrupted() {
                        return Err(AnalyseError::Interrupted);
                    }
                    let slots = chunk * CHUNK..classes.len().min((chunk + 1) * CHUNK);
                    let scheduled = classes.members(slots).filter_map(|rank| {
                        let best = self.best_exit(side, &layer.index.unrank(side, rank))?;
                        best.plies().map(|plies| (plies, (side, rank)))
                    });
                    Ok(scheduled.collect())
                })
                .collect::<Result<_, _>>()?;
            for (plies, entry) in found.into_iter().flatten() {
                due.entry(plies).or_default().push(entry);
            }
        }
        Ok(due)
    }

    /// Returns the best value for the mover that follows without values of the layer: of the end of the game, and of moves
    /// out of the layer.
    fn best_exit(&self, side: Side, position: &G::Position) -> Option<Dtw> {
        let game = &self.solution.game;
        let mut best = game.terminal(position).map(Dtw::ended);
        let _ = game.visit_moves(position, |_, next| {
            let value = match next {
                Next::End(outcome) => Some(Dtw::ended(outcome)),
                Next::Position(next) if game.layer(&next) == self.number => None,
                Next::Position(next) => self.solution.value(&next),
            };
            if let Some(value) = value {
                best = Some(better(best, value.before(), side));
            }
            ControlFlow::<()>::Continue(())
        });
        best
    }

    /// Examines entries, and returns those decided in `plies`.
    fn examine(&self, entries: impl Iterator<Item = Entry>, plies: u16) -> Result<Vec<Entry>, AnalyseError> {
        if self.observer.interrupted() {
            return Err(AnalyseError::Interrupted);
        }
        let index = &self.solution.layers[self.place].index;
        Ok(entries.filter(|&(side, rank)| self.decide(side, &index.unrank(side, rank), rank, plies)).collect())
    }

    /// Examines the predecessors of entries decided in `plies - 1`, and returns those decided in `plies`.
    fn examine_predecessors(&self, entries: &[Entry], plies: u16) -> Result<Vec<Entry>, AnalyseError> {
        if self.observer.interrupted() {
            return Err(AnalyseError::Interrupted);
        }
        let index = &self.solution.layers[self.place].index;
        let mut decided = Vec::new();
        for &(side, rank) in entries {
            let mover = side.other();
            let _ = self.solution.game.visit_unmoves(&index.unrank(side, rank), |_, from| {
                let rank = index.rank(&from);
                if self.decide(mover, &from, rank, plies) {
                    decided.push((mover, rank));
                }
                ControlFlow::<()>::Continue(())
            });
        }
        Ok(decided)
    }

    /// Decides an entry if its distance is `plies`; returns whether this call decided it.
    fn decide(&self, side: Side, position: &G::Position, rank: u64, plies: u16) -> bool {
        let Some(slot) = self.solution.layers[self.place].sides[side.index()].classes.slot(rank) else { return false };
        let value = &self.values[side.index()][slot];
        if value.load(Relaxed) != UNKNOWN {
            return false;
        }
        let Some(winner) = self.winner(side, position, plies) else { return false };
        value.compare_exchange(UNKNOWN, Dtw::win(winner, plies).code(), Relaxed, Relaxed).is_ok()
    }

    /// Returns the winner of an undecided position if it follows from distances below `plies`.
    fn winner(&self, side: Side, position: &G::Position, plies: u16) -> Option<Side> {
        let game = &self.solution.game;
        if let Some(outcome) = game.terminal(position) {
            return match outcome {
                Outcome::Win(winner) => Some(winner),
                Outcome::Draw => None,
            };
        }
        let mut lost = true;
        let won = game.visit_moves(position, |_, next| {
            let value = match next {
                Next::End(outcome) => Some(Dtw::ended(outcome)),
                Next::Position(next) if game.layer(&next) == self.number => self.known(&next),
                Next::Position(next) => self.solution.value(&next),
            };
            let soon = value.filter(|value| value.plies().is_some_and(|sooner| sooner < plies));
            match soon.and_then(Dtw::winner) {
                Some(winner) if winner == side => return ControlFlow::Break(()),
                Some(_) => {}
                None => lost = false,
            }
            ControlFlow::Continue(())
        });
        if won.is_break() {
            return Some(side);
        }
        lost.then_some(side.other())
    }

    /// Returns the value of a position of the layer if it is decided.
    fn known(&self, position: &G::Position) -> Option<Dtw> {
        let (_, side, slot) = self.solution.locate(position)?;
        Dtw::from_code(self.values[side.index()][slot].load(Relaxed))
    }
}
