//! Exact values of positions, in memory.

use anser_core::hunt::Position;
use anser_core::{Dtw, Hunt, LayerIndex, Probe, ProbeLayer, Side, Value, orbit_members};

use crate::error::AnalyseError;
use crate::parallel::{self, CHUNK};
use crate::parts::{LayerParts, UNKNOWN};

/// Exact values of all positions reachable from a root, or of all positions of some layers.
///
/// Solving uses all threads of the current Rayon pool. A solution takes slightly more than two
/// bytes per symmetry class.
///
/// ```
/// use anser_core::Hunt;
/// use anser_core::{Dtw, Side};
/// use anser_retrograde::Solution;
///
/// let game = Hunt::fox_hounds(4, "escape")?;
/// let solution = Solution::reachable(&game, &game.start())?;
/// assert_eq!(solution.len(), 83);
/// assert_eq!(solution.get(&game.start()), Some(Dtw::win(Side::Second, 8)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solution {
    pub(crate) game: Hunt,
    root: Option<Position>,
    /// In ascending order.
    pub(crate) layers: Vec<LayerParts>,
    /// By layer number, the index in `layers`.
    ordinals: Vec<Option<u16>>,
}

impl Solution {
    /// The positions of these layers, which are ascending, before they are solved.
    pub(crate) fn without_values(
        game: &Hunt,
        root: Option<Position>,
        layers: Vec<LayerParts>,
    ) -> Solution {
        let mut ordinals =
            vec![None; layers.last().map_or(0, |layer| usize::from(layer.number) + 1)];
        for (ordinal, layer) in layers.iter().enumerate() {
            ordinals[usize::from(layer.number)] = Some(ordinal as u16);
        }
        Solution { game: game.clone(), root, layers, ordinals }
    }

    /// Returns the game.
    pub fn game(&self) -> &Hunt {
        &self.game
    }

    /// Returns the position from which all others are reached; `None` for whole layers.
    pub fn root(&self) -> Option<&Position> {
        self.root.as_ref()
    }

    /// Returns the layers in ascending order.
    pub fn layers(&self) -> impl DoubleEndedIterator<Item = u16> + '_ {
        self.layers.iter().map(|layer| layer.number)
    }

    /// Returns the number of positions, symmetric ones counted separately.
    pub fn len(&self) -> u64 {
        self.layers.iter().map(|layer| self.len_of(layer)).sum()
    }

    /// Returns the number of symmetry classes.
    pub(crate) fn classes(&self) -> u64 {
        self.layers.iter().map(LayerParts::classes).sum()
    }

    /// Whether the solution has no positions.
    pub fn is_empty(&self) -> bool {
        self.layers.iter().all(|layer| layer.sides.iter().all(|part| part.classes.len() == 0))
    }

    fn len_of(&self, layer: &LayerParts) -> u64 {
        let count = |side: Side| {
            let part = &layer.sides[side.index()];
            match &part.keys {
                Some(keys) => keys.len() as u64,
                None if part.is_whole() => self.game.positions(layer.number, side),
                None => part.classes.len() as u64,
            }
        };
        Side::BOTH.into_iter().map(count).sum()
    }

    /// Whether this position itself, not only a symmetric one, is part of the solution.
    pub fn contains(&self, position: &Position) -> bool {
        let Some((ordinal, side, slot)) = self.locate(position) else { return false };
        let layer = &self.layers[ordinal];
        match &layer.sides[side.index()].keys {
            None => self.code(ordinal, side, slot) != UNKNOWN,
            Some(keys) => keys
                .slot(anser_core::key(&self.game, position, layer.index.rank(position)))
                .is_some(),
        }
    }

    /// Returns the exact value of a position; `None` if no member of its class is part of the
    /// solution.
    #[inline]
    pub fn get(&self, position: &Position) -> Option<Dtw> {
        let (ordinal, side, slot) = self.locate(position)?;
        Dtw::from_code(self.code(ordinal, side, slot))
    }

    /// Returns the exact value of a position.
    ///
    /// Positions in which the game is over, of layers that are not solved, have the value that the
    /// rules give them.
    ///
    /// # Errors
    /// [`AnalyseError::Unknown`] if no member of its class is part of the solution.
    pub fn require(&self, position: &Position) -> Result<Dtw, AnalyseError> {
        let over = || self.game.terminal(position).map(Dtw::ended);
        self.get(position)
            .or_else(over)
            .ok_or_else(|| AnalyseError::Unknown { position: self.game.format_position(position) })
    }

    /// Returns all positions of a layer with their values, symmetric ones separately. Those with
    /// the first side to move come first. Returns none if the layer is not part of the solution.
    pub fn positions(&self, layer: u16) -> impl Iterator<Item = (Position, Dtw)> + '_ {
        let layer = self.ordinal(layer).map(|ordinal| &self.layers[ordinal]);
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

    /// Folds all positions with their values in parallel. Each chunk starts from `empty()`. `join`
    /// combines two results; the first is that of the higher layer or the smaller ranks.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// use anser_core::{Dtw, Side};
    /// use anser_retrograde::Solution;
    ///
    /// let game = Hunt::fox_hounds(4, "escape")?;
    /// let solution = Solution::reachable(&game, &game.start())?;
    /// let won = |count: u64, _: &_, value: Dtw| {
    ///     count + u64::from(value.winner() == Some(Side::Second))
    /// };
    /// let by_hounds = solution.fold(|| 0, won, |a, b| a + b);
    /// assert!(by_hounds > 0 && by_hounds < solution.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fold<A: Send>(
        &self,
        empty: impl Fn() -> A + Sync,
        add: impl Fn(A, &Position, Dtw) -> A + Sync,
        join: impl Fn(A, A) -> A + Sync,
    ) -> A {
        let of_chunk = |(ordinal, side, start): (usize, Side, usize)| {
            let mut sum = Some(empty());
            self.visit_part(&self.layers[ordinal], side, start, &mut |position, value| {
                sum = sum.take().map(|sum| add(sum, position, value));
            });
            sum.unwrap_or_else(&empty)
        };
        parallel::reduce(self.chunks(), &of_chunk, &join).unwrap_or_else(empty)
    }

    /// Folds in parallel like [`Solution::fold`], with one position per symmetry class and the
    /// number of members of the class in the solution.
    pub fn fold_classes<A: Send>(
        &self,
        empty: impl Fn() -> A + Sync,
        add: impl Fn(A, &Position, Dtw, u64) -> A + Sync,
        join: impl Fn(A, A) -> A + Sync,
    ) -> A {
        let symmetries = self.game.symmetries() as u64;
        let of_chunk = |(ordinal, side, start): (usize, Side, usize)| {
            let layer = &self.layers[ordinal];
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
        };
        parallel::reduce(self.chunks(), &of_chunk, &join).unwrap_or_else(empty)
    }

    /// Returns the chunks of the parallel folds as layer, side to move, and first slot, from the
    /// highest layer down.
    fn chunks(&self) -> Vec<(usize, Side, usize)> {
        let mut chunks = Vec::new();
        for (ordinal, layer) in self.layers.iter().enumerate().rev() {
            for side in Side::BOTH {
                let len = layer.sides[side.index()].classes.len();
                chunks.extend((0..len).step_by(CHUNK).map(|start| (ordinal, side, start)));
            }
        }
        chunks
    }

    /// Visits the positions of a chunk of slots.
    fn visit_part(
        &self,
        layer: &LayerParts,
        side: Side,
        start: usize,
        visit: &mut dyn FnMut(&Position, Dtw),
    ) {
        let part = &layer.sides[side.index()];
        let symmetries = self.game.symmetries() as u64;
        let end = part.classes.len().min(start + CHUNK);
        for (rank, &code) in part.classes.members(start..end).zip(&part.values[start..end]) {
            // A class outside the solution has no value, and neither have entries that are no rank.
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
    pub(crate) fn ordinal(&self, layer: u16) -> Option<usize> {
        self.ordinals.get(usize::from(layer)).copied().flatten().map(usize::from)
    }

    /// Returns the layer, side to move, and slot of a position.
    #[inline]
    pub(crate) fn locate(&self, position: &Position) -> Option<(usize, Side, usize)> {
        let ordinal = self.ordinal(self.game.layer(position))?;
        let side = position.to_move();
        let layer = &self.layers[ordinal];
        let slot = layer.sides[side.index()].classes.slot(layer.index.rank(position))?;
        Some((ordinal, side, slot))
    }

    #[inline]
    pub(crate) fn code(&self, ordinal: usize, side: Side, slot: usize) -> u16 {
        self.layers[ordinal].sides[side.index()].values.get(slot).copied().unwrap_or(UNKNOWN)
    }
}

impl Probe for Solution {
    type Error = AnalyseError;

    fn value(&self, position: &Position) -> Result<Value, AnalyseError> {
        self.require(position).map(Value::from)
    }
}

/// A layer is complete if all its classes are part of the solution. Reading another class is the
/// error [`AnalyseError::Unknown`].
impl ProbeLayer for Solution {
    fn read_distances(
        &self,
        layer: u16,
        side: Side,
        first: u64,
        codes: &mut [u16],
    ) -> Result<(), AnalyseError> {
        let Some(ordinal) = self.ordinal(layer) else {
            return Err(AnalyseError::Unsolved { layer });
        };
        let part = &self.layers[ordinal].sides[side.index()];
        for (rank, code) in (first..).zip(codes) {
            let slot = part.classes.slot(rank);
            *code = slot.map_or(UNKNOWN, |slot| self.code(ordinal, side, slot));
            if *code == UNKNOWN {
                let index = &self.layers[ordinal].index;
                if index.has_gaps() && index.orbit(side, rank) == 0 {
                    *code = Dtw::DRAW.code();
                    continue;
                }
                let position = index.unrank(side, rank);
                let position = self.game.format_position(&position);
                return Err(AnalyseError::Unknown { position });
            }
        }
        Ok(())
    }

    fn read_outcomes(
        &self,
        layer: u16,
        side: Side,
        first: u64,
        pairs: &mut [[u64; 2]],
    ) -> Result<(), AnalyseError> {
        let mut codes = [0; 64];
        let classes = self.ordinal(layer).map_or(0, |ordinal| self.layers[ordinal].index.len(side));
        self.read_distances(layer, side, first, &mut [])?;
        for (first, pair) in (first..).step_by(codes.len()).zip(pairs) {
            let codes = &mut codes[..classes.saturating_sub(first).min(64) as usize];
            self.read_distances(layer, side, first, codes)?;
            *pair = [0, 0];
            for (bit, &code) in codes.iter().enumerate() {
                if let Some(winner) = Dtw::from_code(code).and_then(Dtw::winner) {
                    pair[winner.index()] |= 1 << bit;
                }
            }
        }
        Ok(())
    }
}
