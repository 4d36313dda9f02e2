//! Solutions: positions in memory, each with its exact value.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use anser_core::prelude::*;
use anser_core::{Dtw, Observer, Side, Unobserved, Value, orbit_members};
use rayon::prelude::*;

use crate::ranked_set::RankedSet;
use crate::{AnalyseError, reach, solve};

/// Slots that a thread takes at a time.
pub(crate) const CHUNK: usize = 4096;

/// Code of an undecided value.
pub(crate) const UNKNOWN: u16 = u16::MAX;

/// All positions reachable from a root, or all positions of some layers, with the exact value of
/// each.
///
/// The work uses all threads of the current rayon pool. A solution takes a little more than two
/// bytes per symmetry class.
///
/// ```
/// use anser_analyse::Solution;
/// use anser_core::prelude::*;
/// use anser_core::{Dtw, Side, fox_hounds::{FoxHounds, RuleSet}};
///
/// let game = FoxHounds::new(4, RuleSet::Escape)?;
/// let solution = Solution::reachable(&game, &game.start())?;
/// assert_eq!(solution.len(), 83);
/// assert_eq!(solution.get(&game.start()), Some(Dtw::win(Side::Second, 8)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solution<G: Game> {
    pub(crate) game: G,
    root: Option<G::Position>,
    /// From the lowest layer up.
    pub(crate) layers: Vec<Layer<G>>,
    /// By layer number, the index in `layers`.
    places: Vec<Option<u16>>,
}

/// One layer of a solution.
pub(crate) struct Layer<G: Game> {
    pub(crate) number: u16,
    pub(crate) index: G::Index,
    pub(crate) sides: [Part; 2],
}

impl<G: Game> Layer<G> {
    /// The number of symmetry classes.
    pub(crate) fn classes(&self) -> u64 {
        self.sides.iter().map(|part| part.classes.len() as u64).sum()
    }
}

/// The positions of a layer with one side to move.
pub(crate) struct Part {
    /// The ranks of the classes.
    pub(crate) classes: RankedSet,
    /// The keys of the positions, if the game has symmetries and not all members of the classes are
    /// reachable.
    pub(crate) keys: Option<RankedSet>,
    /// The codes of the values, by slot.
    pub(crate) values: Vec<u16>,
}

impl Part {
    pub(crate) fn empty() -> Part {
        Part { classes: RankedSet::empty(), keys: None, values: Vec::new() }
    }
}

/// The memory that work may take, and its observer.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// The most memory that results and intermediate data may take, in bytes, roughly.
    pub memory: u64,
    /// Receives the progress, and can interrupt the work.
    pub observer: &'a dyn Observer,
}

impl Default for Limits<'_> {
    /// Any amount of memory, and no observer.
    fn default() -> Self {
        Limits { memory: u64::MAX, observer: &Unobserved }
    }
}

impl<G: Game> Solution<G> {
    /// Solves the positions that play from `root` can reach, `root` included.
    ///
    /// # Errors
    /// As [`Solution::reachable_within`].
    pub fn reachable(game: &G, root: &G::Position) -> Result<Solution<G>, AnalyseError> {
        Solution::reachable_within(game, root, &Limits::default())
    }

    /// Solves the positions that play from `root` can reach, within `limits`.
    ///
    /// # Errors
    /// [`AnalyseError::Memory`] if that takes more than `limits` allow,
    /// [`AnalyseError::Interrupted`] if the observer interrupts, [`AnalyseError::Lost`] if `root`
    /// is no position of the game or its rules contradict themselves.
    pub fn reachable_within(
        game: &G,
        root: &G::Position,
        limits: &Limits<'_>,
    ) -> Result<Solution<G>, AnalyseError> {
        let numbers = game.descent(game.layer(root));
        let layers = reach::reach(game, root, &numbers, limits)?;
        Solution::solved(game, Some(*root), layers, limits)
    }

    /// Solves all positions of these layers, and of all layers that play can lead to from them.
    ///
    /// # Errors
    /// [`AnalyseError::Memory`] if that takes more than `limits` allow,
    /// [`AnalyseError::Interrupted`] if the observer interrupts, [`AnalyseError::NoLayer`] if the
    /// game has none of the layers, [`AnalyseError::Lost`] if they hold the start of the game and
    /// it gets no value.
    pub fn of_layers(
        game: &G,
        layers: RangeInclusive<u16>,
        limits: &Limits<'_>,
    ) -> Result<Solution<G>, AnalyseError> {
        let mut needed = 0_u64;
        let (asked, all) = ((*layers.start(), *layers.end()), game.layers());
        let numbers = descent(game, layers);
        if numbers.is_empty() {
            return Err(AnalyseError::NoLayer { asked, layers: (*all.start(), *all.end()) });
        }
        let layers = numbers.into_iter().map(|number| {
            let index = game.index(number);
            let lens = Side::BOTH.map(|side| index.len(side));
            needed = lens.iter().fold(needed, |sum, len| sum.saturating_add(len.saturating_mul(2)));
            if needed > limits.memory {
                return Err(AnalyseError::Memory {
                    what: game.name(),
                    needed,
                    allowed: limits.memory,
                });
            }
            let sides = lens.map(|len| Part {
                classes: RankedSet::All(len),
                keys: None,
                values: Vec::new(),
            });
            Ok(Layer { number, index, sides })
        });
        let layers = layers.collect::<Result<_, _>>()?;
        Solution::solved(game, None, layers, limits)
    }

    fn solved(
        game: &G,
        root: Option<G::Position>,
        layers: Vec<Layer<G>>,
        limits: &Limits<'_>,
    ) -> Result<Solution<G>, AnalyseError> {
        let mut places = vec![None; layers.last().map_or(0, |layer| usize::from(layer.number) + 1)];
        for (place, layer) in layers.iter().enumerate() {
            places[usize::from(layer.number)] = Some(place as u16);
        }
        let mut solution = Solution { game: game.clone(), root, layers, places };
        solve::solve(&mut solution, limits.observer)?;
        solution.check_root()?;
        Ok(solution)
    }

    /// Fails if the root is not part of the solution or, of whole layers, the start of the game.
    fn check_root(&self) -> Result<(), AnalyseError> {
        let start = self.game.start();
        let in_layers = || self.place(self.game.layer(&start)).is_some().then_some(&start);
        let Some(position) = self.root.as_ref().or_else(in_layers) else { return Ok(()) };
        if self.contains(position) && self.get(position).is_some() {
            return Ok(());
        }
        Err(AnalyseError::Lost { position: self.game.format_position(position) })
    }

    /// Returns the same solution for the same game in another type: its layers, ranks, symmetries,
    /// and codes of positions are those of this game.
    ///
    /// # Panics
    /// If the root is not a position of `game`.
    #[must_use]
    pub fn into_game<H: Game>(self, game: &H) -> Solution<H> {
        let layers = self.layers.into_iter();
        let layers = layers.map(|Layer { number, sides, .. }| Layer {
            number,
            index: game.index(number),
            sides,
        });
        let root = self
            .root
            .map(|root| game.decode(self.game.encode(&root)).expect("it is the same game"));
        Solution { game: game.clone(), root, layers: layers.collect(), places: self.places }
    }

    /// Returns the game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Returns the position from which all others are reached; `None` if whole layers are solved.
    pub fn root(&self) -> Option<&G::Position> {
        self.root.as_ref()
    }

    /// Returns the layers, from the lowest up.
    pub fn layers(&self) -> impl DoubleEndedIterator<Item = u16> + '_ {
        self.layers.iter().map(|layer| layer.number)
    }

    /// Returns the number of positions, symmetric ones counted separately.
    pub fn len(&self) -> u64 {
        self.layers.iter().map(|layer| self.len_of(layer)).sum()
    }

    /// The number of symmetry classes.
    pub(crate) fn classes(&self) -> u64 {
        self.layers.iter().map(Layer::classes).sum()
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.layers.iter().all(|layer| layer.sides.iter().all(|part| part.classes.len() == 0))
    }

    fn len_of(&self, layer: &Layer<G>) -> u64 {
        let whole = |part: &Part| matches!(part.classes, RankedSet::All(_));
        let count = |side: Side| {
            let part = &layer.sides[side.index()];
            match &part.keys {
                Some(keys) => keys.len() as u64,
                None if whole(part) => self.game.positions(layer.number, side),
                None => part.classes.len() as u64,
            }
        };
        Side::BOTH.into_iter().map(count).sum()
    }

    /// Whether this position itself, not only an image of it, is part of the solution.
    pub fn contains(&self, position: &G::Position) -> bool {
        let Some((place, side, slot)) = self.locate(position) else { return false };
        let layer = &self.layers[place];
        match &layer.sides[side.index()].keys {
            None => self.code(place, side, slot) != UNKNOWN,
            Some(keys) => keys
                .slot(anser_core::key(&self.game, position, layer.index.rank(position)))
                .is_some(),
        }
    }

    /// Returns the exact value of a position; `None` if neither it nor an image of it is part of
    /// the solution.
    #[inline]
    pub fn get(&self, position: &G::Position) -> Option<Dtw> {
        let (place, side, slot) = self.locate(position)?;
        Dtw::from_code(self.code(place, side, slot))
    }

    /// Returns the exact value of a position.
    ///
    /// # Errors
    /// [`AnalyseError::Unknown`] if neither it nor an image of it is part of the solution.
    pub fn require(&self, position: &G::Position) -> Result<Dtw, AnalyseError> {
        self.get(position)
            .ok_or_else(|| AnalyseError::Unknown { position: self.game.format_position(position) })
    }

    /// Returns all positions of a layer with their values, symmetric ones separately, those with
    /// the first side to move first; none if the layer is not part of the solution.
    pub fn positions(&self, layer: u16) -> impl Iterator<Item = (G::Position, Dtw)> + '_ {
        let layer = self.place(layer).map(|place| &self.layers[place]);
        layer.into_iter().flat_map(move |layer| {
            Side::BOTH.into_iter().flat_map(move |side| {
                let part = &layer.sides[side.index()];
                (0..part.classes.len()).step_by(CHUNK).flat_map(move |start| {
                    let mut found = Vec::new();
                    self.visit_part(layer, side, start, &mut |position, value| {
                        found.push((*position, value));
                    });
                    found
                })
            })
        })
    }

    /// Folds all positions with their values in parallel. Each chunk starts from `empty()`; `join`
    /// combines two results, with that of the higher layer or smaller ranks first.
    ///
    /// ```
    /// use anser_analyse::Solution;
    /// use anser_core::prelude::*;
    /// use anser_core::{Dtw, Side, fox_hounds::{FoxHounds, RuleSet}};
    ///
    /// let game = FoxHounds::new(4, RuleSet::Escape)?;
    /// let solution = Solution::reachable(&game, &game.start())?;
    /// let won = |count: u64, _: &_, value: Dtw| count + u64::from(value.winner() == Some(Side::Second));
    /// let by_hounds = solution.fold(|| 0, won, |a, b| a + b);
    /// assert!(by_hounds > 0 && by_hounds < solution.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fold<A: Send>(
        &self,
        empty: impl Fn() -> A + Sync,
        add: impl Fn(A, &G::Position, Dtw) -> A + Sync,
        join: impl Fn(A, A) -> A + Sync,
    ) -> A {
        self.chunks()
            .into_par_iter()
            .map(|(place, side, start)| {
                let mut sum = Some(empty());
                self.visit_part(&self.layers[place], side, start, &mut |position, value| {
                    sum = sum.take().map(|sum| add(sum, position, value));
                });
                sum.unwrap_or_else(&empty)
            })
            .reduce(&empty, &join)
    }

    /// As [`Solution::fold`], with one position per symmetry class, and the number of its members
    /// in the solution.
    pub fn fold_classes<A: Send>(
        &self,
        empty: impl Fn() -> A + Sync,
        add: impl Fn(A, &G::Position, Dtw, u64) -> A + Sync,
        join: impl Fn(A, A) -> A + Sync,
    ) -> A {
        let symmetries = self.game.symmetries() as u64;
        self.chunks()
            .into_par_iter()
            .map(|(place, side, start)| {
                let layer = &self.layers[place];
                let part = &layer.sides[side.index()];
                let slots = start..part.classes.len().min(start + CHUNK);
                let mut sum = empty();
                for (rank, &code) in part.classes.members(slots.clone()).zip(&part.values[slots]) {
                    let Some(value) = Dtw::from_code(code) else { continue };
                    let count = match &part.keys {
                        Some(keys) => (0..symmetries)
                            .filter(|m| keys.slot(rank * symmetries + m).is_some())
                            .count() as u64,
                        None if symmetries == 1 => 1,
                        None => layer.index.orbit(side, rank),
                    };
                    sum = add(sum, &layer.index.unrank(side, rank), value, count);
                }
                sum
            })
            .reduce(&empty, &join)
    }

    /// The chunks of the parallel folds, from the highest layer down.
    fn chunks(&self) -> Vec<(usize, Side, usize)> {
        let mut chunks = Vec::new();
        for (place, layer) in self.layers.iter().enumerate().rev() {
            for side in Side::BOTH {
                let len = layer.sides[side.index()].classes.len();
                chunks.extend((0..len).step_by(CHUNK).map(|start| (place, side, start)));
            }
        }
        chunks
    }

    /// Visits the positions of a chunk of slots.
    fn visit_part(
        &self,
        layer: &Layer<G>,
        side: Side,
        start: usize,
        visit: &mut dyn FnMut(&G::Position, Dtw),
    ) {
        let part = &layer.sides[side.index()];
        let symmetries = self.game.symmetries() as u64;
        let end = part.classes.len().min(start + CHUNK);
        for (rank, &code) in part.classes.members(start..end).zip(&part.values[start..end]) {
            // A class outside the solution has no value.
            let Some(value) = Dtw::from_code(code) else { continue };
            let canonical = layer.index.unrank(side, rank);
            if symmetries == 1 {
                visit(&canonical, value);
                continue;
            }
            for (member, position) in orbit_members(&self.game, &canonical).iter().enumerate() {
                let key = rank * symmetries + member as u64;
                if part.keys.as_ref().is_none_or(|keys| keys.slot(key).is_some()) {
                    visit(position, value);
                }
            }
        }
    }

    /// Returns the index of a layer in `layers`.
    #[inline]
    pub(crate) fn place(&self, layer: u16) -> Option<usize> {
        self.places.get(usize::from(layer)).copied().flatten().map(usize::from)
    }

    /// Returns the layer, side to move, and slot of a position.
    #[inline]
    pub(crate) fn locate(&self, position: &G::Position) -> Option<(usize, Side, usize)> {
        let place = self.place(self.game.layer(position))?;
        let side = self.game.side_to_move(position);
        let layer = &self.layers[place];
        let slot = layer.sides[side.index()].classes.slot(layer.index.rank(position))?;
        Some((place, side, slot))
    }

    #[inline]
    pub(crate) fn code(&self, place: usize, side: Side, slot: usize) -> u16 {
        self.layers[place].sides[side.index()].values.get(slot).copied().unwrap_or(UNKNOWN)
    }
}

impl<G: Game> Probe<G> for Solution<G> {
    type Error = AnalyseError;

    fn value(&self, position: &G::Position) -> Result<Value, AnalyseError> {
        self.require(position).map(Value::from)
    }
}

/// Returns the layers of the game among `layers`, and all layers that play can lead to from them,
/// in ascending order.
fn descent<G: Game>(game: &G, layers: RangeInclusive<u16>) -> Vec<u16> {
    let all = game.layers();
    let found: BTreeSet<u16> =
        layers.filter(|layer| all.contains(layer)).flat_map(|layer| game.descent(layer)).collect();
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use anser_core::fox_hounds::FoxHounds;

    use super::*;

    #[test]
    fn a_solution_without_its_root_is_refused() {
        let game = FoxHounds::default();
        let root = game.start();
        let number = game.layer(&root);
        let empty = || {
            vec![Layer { number, index: game.index(number), sides: [Part::empty(), Part::empty()] }]
        };
        for root in [Some(root), None] {
            let refused = Solution::solved(&game, root, empty(), &Limits::default())
                .map(|solution| solution.len());
            let position = game.format_position(&game.start());
            assert_eq!(refused, Err(AnalyseError::Lost { position }));
        }
    }
}
