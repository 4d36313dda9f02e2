//! The numbers of games, and of games that each side wins.
//!
//! A game is a maximal path of moves; from a terminal position there is one. The numbers are exact
//! and soon exceed any fixed width. They are computed from the end of the game backward, as values
//! are. Where play can return to a position there are infinitely many games, which is an error.

use anser_core::hunt::Position;
use anser_core::{Dtw, LayerIndex, Next, Observer, Probe, Side, Value};
use std::ops::ControlFlow;

use crate::error::AnalyseError;
use crate::parallel;
use crate::parts::UNKNOWN;
use crate::solution::Solution;
use crate::tallies::{Misfit, Shape, Tallies};
use crate::tally::Tally;

/// The numbers of positions and games from a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The positions that can be reached, the root and the ends included, symmetric ones counted
    /// apart.
    pub reachable: u64,
    /// The value of the root.
    pub value: Dtw,
    /// The games from the root.
    pub tally: Tally,
}

/// Counts the games from the root of a solution. Layers are dropped from memory when no higher
/// layer needs them.
///
/// ```
/// use anser_core::Hunt;
/// use anser_core::Unobserved;
/// use anser_retrograde::{Solution, count};
///
/// let game = Hunt::fox_hounds(4, "escape")?;
/// let counted = count(&Solution::reachable(&game, &game.start())?, &Unobserved)?;
/// assert_eq!((counted.reachable, counted.tally.games()), (83, 178_u32.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`AnalyseError::Endless`]; [`AnalyseError::Unknown`] if the solution has no root, with the start
/// of the game named.
pub fn count(solution: &Solution, observer: &dyn Observer) -> Result<Count, AnalyseError> {
    let unknown = || AnalyseError::unknown(&solution.game, &solution.game.start());
    let root = solution.root().ok_or_else(unknown)?;
    let counted = Games::counted(solution, observer, false)?;
    let tally = counted.tally(root).ok_or_else(unknown)?;
    Ok(Count { reachable: solution.len(), value: solution.require(root)?, tally })
}

/// The numbers of games from each position of a solution.
///
/// ```
/// use anser_core::Hunt;
/// use anser_core::Unobserved;
/// use anser_retrograde::{Games, Solution};
///
/// let game = Hunt::fox_hounds(4, "escape")?;
/// let solution = Solution::reachable(&game, &game.start())?;
/// let games = Games::new(&solution, &Unobserved)?;
/// assert_eq!(games.tally(&game.start()).map(|tally| tally.games()), Some(178_u32.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Games<'a> {
    solution: &'a Solution,
    /// By layer and side.
    tallies: Vec<[Option<Tallies>; 2]>,
}

impl Probe for Games<'_> {
    type Error = AnalyseError;

    fn value(&self, position: &Position) -> Result<Value, AnalyseError> {
        Probe::value(self.solution, position)
    }
}

impl<'a> Games<'a> {
    /// Counts the games from every position.
    ///
    /// # Errors
    /// [`AnalyseError::Endless`] if play can return to a position.
    pub fn new(solution: &'a Solution, observer: &dyn Observer) -> Result<Games<'a>, AnalyseError> {
        Games::counted(solution, observer, true)
    }

    /// Returns the numbers of games from a position; `None` if it is not part of the solution.
    pub fn tally(&self, position: &Position) -> Option<Tally> {
        self.find(position).map(|(tally, shape)| shape.read(tally))
    }

    /// Returns the solution whose games are counted.
    pub fn solution(&self) -> &'a Solution {
        self.solution
    }

    /// Without `keep`, drops layers that higher ones no longer need.
    fn counted(
        solution: &'a Solution,
        observer: &dyn Observer,
        keep: bool,
    ) -> Result<Games<'a>, AnalyseError> {
        let layers = solution.layers.len();
        let mut games = Games { solution, tallies: (0..layers).map(|_| [None, None]).collect() };
        // By layer, the highest layer that leads to it.
        let mut needed_by = vec![0; layers];
        for (ordinal, layer) in solution.layers.iter().enumerate() {
            for lower in solution.game.lower_layers(layer.number) {
                if let Some(lower) = solution.ordinal(lower) {
                    needed_by[lower] = ordinal;
                }
            }
        }
        observer.begin("games", solution.classes());
        for ordinal in 0..layers {
            games.count_layer(ordinal, observer)?;
            if !keep {
                for (tallies, &needed_by) in games.tallies[..ordinal].iter_mut().zip(&needed_by) {
                    if needed_by <= ordinal {
                        *tallies = [None, None];
                    }
                }
            }
            observer.advance(solution.layers[ordinal].classes());
        }
        Ok(games)
    }

    fn count_layer(&mut self, ordinal: usize, observer: &dyn Observer) -> Result<(), AnalyseError> {
        let solution = self.solution;
        let layer = &solution.layers[ordinal];
        let mut shape = self.shape_below(ordinal);
        if solution.game.is_loopy(layer.number) {
            let order = self.order(ordinal)?;
            while let Err(misfit) = self.in_order(ordinal, &order, shape) {
                shape = shape.grown(misfit);
            }
            return Ok(());
        }
        let first_stays = solution.game.stays_in_layer(layer.number, Side::First);
        let order = if first_stays { [Side::Second, Side::First] } else { Side::BOTH };
        for side in order {
            let tallies = loop {
                if observer.interrupted() {
                    return Err(AnalyseError::Interrupted);
                }
                match self.pass(ordinal, side, shape) {
                    Ok(tallies) => break tallies,
                    Err(misfit) => shape = shape.grown(misfit),
                }
            };
            self.tallies[ordinal][side.index()] = Some(tallies);
        }
        Ok(())
    }

    /// Returns the least shape that holds every tally of the layers that a layer leads to.
    fn shape_below(&self, ordinal: usize) -> Shape {
        let lower = self.solution.game.lower_layers(self.solution.layers[ordinal].number);
        let lower = lower.into_iter().filter_map(|number| self.solution.ordinal(number));
        let shapes = lower
            .flat_map(|ordinal| self.tallies[ordinal].iter().flatten())
            .map(|tallies| tallies.shape);
        shapes.fold(Shape::LEAST, Shape::join)
    }

    /// Returns the tallies of one side of a layer whose moves lead to known tallies.
    fn pass(&self, ordinal: usize, side: Side, shape: Shape) -> Result<Tallies, Misfit> {
        let layer = &self.solution.layers[ordinal];
        let classes = &layer.sides[side].classes;
        let mut tallies = Tallies::zero(shape, classes.len());
        parallel::try_for_each(tallies.chunks_mut(), &|(first, words)| {
            let slots = first..first + words.len() / shape.words();
            for (tally, rank) in words.chunks_exact_mut(shape.words()).zip(classes.members(slots)) {
                self.add_games(&layer.index.unrank(side, rank), tally, shape)?;
            }
            Ok(())
        })?;
        Ok(tallies)
    }

    /// Adds the games from a position to an empty tally.
    #[inline]
    fn add_games(
        &self,
        position: &Position,
        tally: &mut [u64],
        shape: Shape,
    ) -> Result<(), Misfit> {
        let game = &self.solution.game;
        let mut over = true;
        let flow = game.visit_successors(position, |_, next| {
            over = false;
            let added = match next {
                Next::End(end) => shape.add_end(tally, end.outcome),
                Next::Position(next) => match self.find(&next) {
                    Some((games, other)) => shape.add_tally(tally, games, other),
                    None => Ok(()),
                },
            };
            added.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        });
        if let ControlFlow::Break(misfit) = flow {
            return Err(misfit);
        }
        match game.terminal(position) {
            Some(outcome) if over => shape.add_end(tally, outcome),
            _ => Ok(()),
        }
    }

    #[inline]
    fn find(&self, position: &Position) -> Option<(&[u64], Shape)> {
        let (ordinal, side, slot) = self.solution.locate(position)?;
        let tallies = self.tallies[ordinal][side.index()].as_ref()?;
        Some((tallies.get(slot), tallies.shape))
    }

    /// Returns the positions of a loopy layer in an order in which moves lead to earlier positions
    /// only.
    fn order(&self, ordinal: usize) -> Result<Vec<(Side, u64)>, AnalyseError> {
        let solution = self.solution;
        let layer = &solution.layers[ordinal];
        let slot = |side: Side, rank| layer.sides[side].classes.slot(rank);
        // Entries that are no rank of a position have no games.
        let mut done = Side::BOTH.map(|side| {
            layer.sides[side].values.iter().map(|&code| code == UNKNOWN).collect::<Vec<bool>>()
        });
        let mut order = Vec::new();
        let mut waiting = Vec::new();
        for side in Side::BOTH {
            let classes = &layer.sides[side].classes;
            waiting.extend(classes.members(0..classes.len()).map(|rank| (side, rank)));
        }
        while let Some((side, rank)) = waiting.pop() {
            let Some(at) = slot(side, rank).filter(|&at| !done[side.index()][at]) else { continue };
            let position = layer.index.unrank(side, rank);
            if self.open(ordinal, &position, &done).is_some() {
                continue;
            }
            done[side.index()][at] = true;
            order.push((side, rank));
            // Its predecessors may be next.
            let _ = solution.game.visit_predecessors(&position, |from| {
                waiting.push((side.other(), layer.index.rank(&from)));
                ControlFlow::<()>::Continue(())
            });
        }
        for side in Side::BOTH {
            if let Some(at) = done[side.index()].iter().position(|&done| !done) {
                let rank = layer.sides[side].classes.members(at..at + 1).next().unwrap_or(0);
                return Err(self.endless(ordinal, layer.index.unrank(side, rank), &done));
            }
        }
        Ok(order)
    }

    /// Returns a position of the layer that a move leads to and that is not ordered yet.
    fn open(&self, ordinal: usize, position: &Position, done: &[Vec<bool>; 2]) -> Option<Position> {
        let flow = self.solution.game.visit_successors(position, |_, next| {
            if let Next::Position(next) = next
                && let Some((to, side, slot)) = self.solution.locate(&next)
                && to == ordinal
                && !done[side.index()][slot]
            {
                return ControlFlow::Break(next);
            }
            ControlFlow::Continue(())
        });
        flow.break_value()
    }

    /// Returns the error that names a position that play can return to. `position` is not ordered,
    /// so some move always leads to another such position, until one repeats.
    fn endless(
        &self,
        ordinal: usize,
        mut position: Position,
        done: &[Vec<bool>; 2],
    ) -> AnalyseError {
        let mut seen = std::collections::HashSet::new();
        while seen.insert(position) {
            match self.open(ordinal, &position, done) {
                Some(next) => position = next,
                None => break,
            }
        }
        AnalyseError::Endless { position: self.solution.game.format_position(&position) }
    }

    /// Counts the games of the positions of a layer in this order.
    fn in_order(
        &mut self,
        ordinal: usize,
        order: &[(Side, u64)],
        shape: Shape,
    ) -> Result<(), Misfit> {
        let layer = &self.solution.layers[ordinal];
        let zero = |side: Side| Some(Tallies::zero(shape, layer.sides[side].classes.len()));
        self.tallies[ordinal] = Side::BOTH.map(zero);
        let mut tally = vec![0; shape.words()];
        for &(side, rank) in order {
            tally.fill(0);
            self.add_games(&layer.index.unrank(side, rank), &mut tally, shape)?;
            let slot = layer.sides[side].classes.slot(rank);
            if let (Some(slot), Some(tallies)) = (slot, &mut self.tallies[ordinal][side.index()]) {
                tallies.get_mut(slot).copy_from_slice(&tally);
            }
        }
        Ok(())
    }
}
