//! Exact values of positions, in memory.

use std::ops::Range;

use anser_core::hunt::Position;
use anser_core::{Dtw, Hunt, LayerIndex, Probe, ProbeLayer, Side, Value, orbit_members};

use crate::error::AnalyseError;
use crate::parallel::{self, CHUNK, ranges};
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

/// A layer, the side to move, and some slots.
type Chunk<'a> = (&'a LayerParts, Side, Range<usize>);

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
        let of_side = |(layer, side): (&LayerParts, Side)| {
            let part = &layer.sides[side];
            match &part.keys {
                Some(keys) => keys.len() as u64,
                None if part.is_whole() => self.game.positions(layer.number, side),
                None => part.classes.len() as u64,
            }
        };
        let sides = self.layers.iter().flat_map(|layer| Side::BOTH.map(|side| (layer, side)));
        sides.map(of_side).sum()
    }

    /// Returns the number of symmetry classes.
    pub(crate) fn classes(&self) -> u64 {
        self.layers.iter().map(LayerParts::classes).sum()
    }

    /// Whether the solution has no positions.
    pub fn is_empty(&self) -> bool {
        self.classes() == 0
    }

    /// Whether this position itself, not only a symmetric one, is part of the solution.
    pub fn contains(&self, position: &Position) -> bool {
        let is_solved = |(ordinal, side, slot)| self.code(ordinal, side, slot) != UNKNOWN;
        self.find(position).is_some_and(is_solved)
    }

    /// Returns the layer, side to move, and slot of a position that itself is in the parts.
    pub(crate) fn find(&self, position: &Position) -> Option<(usize, Side, usize)> {
        let found @ (ordinal, side, _) = self.locate(position)?;
        let layer = &self.layers[ordinal];
        let key = || anser_core::key(&self.game, position, layer.index.rank(position));
        let keys = layer.sides[side].keys.as_ref();
        keys.is_none_or(|keys| keys.slot(key()).is_some()).then_some(found)
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
        let unknown = || AnalyseError::unknown(&self.game, position);
        self.get(position).or_else(over).ok_or_else(unknown)
    }

    /// Returns all positions of a layer with their values, symmetric ones separately. Those with
    /// the first side to move come first. Returns none if the layer is not part of the solution.
    pub fn positions(&self, layer: u16) -> impl Iterator<Item = (Position, Dtw)> + '_ {
        let layer = self.ordinal(layer).map(|ordinal| &self.layers[ordinal]);
        layer.into_iter().flat_map(move |layer| {
            Side::BOTH.into_iter().flat_map(move |side| {
                self.positions_of(layer, side, 0..layer.sides[side].classes.len())
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
        let of_chunk = |(layer, side, slots)| {
            let positions = self.positions_of(layer, side, slots);
            positions.fold(empty(), |sum, (position, value)| add(sum, &position, value))
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
        let of_chunk = |(layer, side, slots): Chunk<'_>| {
            let add = |sum, (rank, value)| {
                let members = layer.members(&self.game, side, rank);
                add(sum, &layer.index.unrank(side, rank), value, members)
            };
            layer.values(side, slots).fold(empty(), add)
        };
        parallel::reduce(self.chunks(), &of_chunk, &join).unwrap_or_else(empty)
    }

    /// Returns the chunks of the parallel folds, from the highest layer down.
    fn chunks(&self) -> Vec<Chunk<'_>> {
        let mut chunks = Vec::new();
        for layer in self.layers.iter().rev() {
            for side in Side::BOTH {
                let len = layer.sides[side].classes.len();
                chunks.extend(ranges(len, CHUNK).map(|slots| (layer, side, slots)));
            }
        }
        chunks
    }

    /// Returns the positions of some slots with their values.
    fn positions_of<'a>(
        &'a self,
        layer: &'a LayerParts,
        side: Side,
        slots: Range<usize>,
    ) -> impl Iterator<Item = (Position, Dtw)> + 'a {
        let (game, keys) = (&self.game, layer.sides[side].keys.as_ref());
        let symmetries = game.symmetries() as u64;
        layer.values(side, slots).flat_map(move |(rank, value)| {
            let canonical = layer.index.unrank(side, rank);
            let (alone, orbit) = match symmetries {
                1 => (Some(canonical), Vec::new()),
                _ => (None, orbit_members(game, &canonical)),
            };
            let members = (rank * symmetries..).zip(orbit);
            let members = members
                .filter(move |&(key, _)| keys.is_none_or(|keys| keys.slot(key).is_some()))
                .map(|(_, position)| position);
            alone.into_iter().chain(members).map(move |position| (position, value))
        })
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
        let slot = layer.sides[side].classes.slot(layer.index.rank(position))?;
        Some((ordinal, side, slot))
    }

    #[inline]
    pub(crate) fn code(&self, ordinal: usize, side: Side, slot: usize) -> u16 {
        self.layers[ordinal].sides[side].values.get(slot).copied().unwrap_or(UNKNOWN)
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
        let part = &self.layers[ordinal].sides[side];
        for (rank, code) in (first..).zip(codes) {
            let slot = part.classes.slot(rank);
            *code = slot.map_or(UNKNOWN, |slot| self.code(ordinal, side, slot));
            if *code == UNKNOWN {
                let index = &self.layers[ordinal].index;
                if index.has_gaps() && index.orbit(side, rank) == 0 {
                    *code = Dtw::DRAW.code();
                    continue;
                }
                return Err(AnalyseError::unknown(&self.game, &index.unrank(side, rank)));
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
