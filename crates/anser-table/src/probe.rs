//! Probing: values of positions from the tables, the rules, or one ply of look-ahead.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use anser_core::hunt::Position;
use anser_core::{
    BlockMoves, DistancesByBlocks, Dtw, LayerIndex, Next, Outcome, Probe, ProbeLayer, RatedMove,
    Side, Target, Value,
};

use crate::error::{Damage, Defect, ProbeError};
use crate::format::ENTRIES_PER_PAIR;
use crate::kinds::Metric;
use crate::tablebase::{OpenLayer, Tablebase};

/// Number of entries that are prefetched before the first is read. Each takes two cache lines, so
/// that all of them fit into the nearest cache.
const PREFETCHED: usize = 256;

/// Number of positions of a layer that are looked up at a time.
const BATCH: usize = 4096;

/// The source of a position's value.
enum Source<'a> {
    /// The rules.
    Rules(Value),
    /// An entry of the layer's table.
    Entry { layer: &'a OpenLayer, rank: u64 },
    /// Look-ahead for values of this metric: the layer's table omits the side to move.
    LookAhead(Metric),
}

impl Tablebase {
    /// Returns what is known of a position: the outcome, and its distance if the layer has a table
    /// of distances.
    ///
    /// If the game is over, the rules answer without a table. A table that stores one side to move
    /// answers for the other from the values after each legal move, which takes the tables of lower
    /// layers too.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// use anser_core::{Outcome, Side};
    /// use anser_table::Tablebase;
    ///
    /// let tablebase = Tablebase::from_tables(Hunt::default(), []);
    /// let trapped = tablebase.game().parse_position("gFg/1g1/3g3/7/7/3/3 f")?;
    /// assert_eq!(tablebase.probe(&trapped)?.outcome, Outcome::Win(Side::Second));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ProbeError::MissingLayer`] if a table that the answer needs does not exist, and
    /// [`ProbeError::Table`] if it is damaged or cannot be read.
    pub fn probe(&self, position: &Position) -> Result<Value, ProbeError> {
        self.find(position, Metric::Dtw)
    }

    /// Returns the outcome of a position, from the table of outcomes if the layer has one.
    ///
    /// # Errors
    /// Those of [`probe`](Tablebase::probe).
    pub fn probe_outcome(&self, position: &Position) -> Result<Outcome, ProbeError> {
        self.find(position, Metric::Wdl).map(|value| value.outcome)
    }

    /// Returns the exact value of a position, from the table of distances of its layer. If the game
    /// is over, the rules answer without a table. A side to move that the table omits is answered
    /// from the values after each legal move.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// use anser_core::{Dtw, Side};
    /// use anser_table::{Metric, ProbeError, Tablebase};
    ///
    /// let tablebase = Tablebase::from_tables(Hunt::default(), []);
    /// let trapped = tablebase.game().parse_position("gFg/1g1/3g3/7/7/3/3 f")?;
    /// assert_eq!(tablebase.probe_distance(&trapped)?, Dtw::win(Side::Second, 0));
    /// let error = tablebase.probe_distance(&tablebase.game().start()).unwrap_err();
    /// assert!(matches!(error, ProbeError::MissingLayer(missing) if missing.metric == Metric::Dtw));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ProbeError::MissingLayer`] if the layer, or a lower one that the answer needs, has no table
    /// of distances, and [`ProbeError::Table`] if a table is damaged or cannot be read.
    pub fn probe_distance(&self, position: &Position) -> Result<Dtw, ProbeError> {
        if let Some(outcome) = self.game.terminal(position) {
            return Ok(Dtw::ended(outcome));
        }
        let layer = self.layer_of(self.game.layer(position), Metric::Dtw)?;
        let side = position.to_move();
        if !layer.table.stores(side) {
            // Every value that a distance follows from has one.
            let value = self.look_ahead(position, Metric::Dtw)?;
            return Ok(value.dtw().unwrap_or(Dtw::DRAW));
        }
        let rank = layer.index.rank(position);
        match layer.table.dtw(side, rank, &self.cache)? {
            Some(value) => Ok(value),
            None => Err(no_entry(layer, rank)),
        }
    }

    /// Returns the value of a position from the table of the preferred metric, or else of another.
    fn find(&self, position: &Position, preferred: Metric) -> Result<Value, ProbeError> {
        match self.source(position, preferred)? {
            Source::Rules(value) => Ok(value),
            Source::Entry { layer, rank } => self.stored(position, layer, rank),
            Source::LookAhead(metric) => self.look_ahead(position, metric),
        }
    }

    /// Returns all legal moves with their values, best for the side to move first: by outcome, then
    /// by distance, then in generation order.
    ///
    /// A move whose value needs a table that does not exist has no value and comes last.
    /// [`missing_layers`](Tablebase::missing_layers) lists the layers without tables.
    ///
    /// # Errors
    /// [`ProbeError::Table`] if a table is damaged or cannot be read.
    pub fn probe_moves(&self, position: &Position) -> Result<Vec<RatedMove>, ProbeError> {
        let side = position.to_move();
        let distances = self.has(self.game.layer(position), Metric::Dtw);
        let mut moves = Vec::new();
        let failed = self.game.visit_moves(position, |mv, next| {
            let value = match self.value_after(&next, distances) {
                Ok(value) => Some(value),
                Err(ProbeError::MissingLayer(_)) => None,
                Err(error) if self.is_rejected(&error) => None,
                Err(error) => return ControlFlow::Break(error),
            };
            moves.push(RatedMove { mv, next, value });
            ControlFlow::Continue(())
        });
        if let ControlFlow::Break(error) = failed {
            return Err(error);
        }
        moves.sort_by_key(|rated| Reverse(rated.score(side)));
        Ok(moves)
    }

    /// Returns the values of many positions, in the order of `positions`; each is that of
    /// [`probe`](Tablebase::probe).
    ///
    /// The positions are looked up in the order of their entries, so that each block is read and
    /// decoded once, and the entries of mapped tables are prefetched. That pays if tables are
    /// packed or larger than the processor's caches; otherwise single probes are as fast.
    pub fn probe_many(&self, positions: &[Position]) -> Vec<Result<Value, ProbeError>> {
        self.find_many(positions, Metric::Dtw).collect()
    }

    /// Returns the outcomes of many positions, in the order of `positions`; each is that of
    /// [`probe_outcome`](Tablebase::probe_outcome), looked up as
    /// [`probe_many`](Tablebase::probe_many) does.
    pub fn probe_outcomes(&self, positions: &[Position]) -> Vec<Result<Outcome, ProbeError>> {
        self.find_many(positions, Metric::Wdl)
            .map(|value| value.map(|value| value.outcome))
            .collect()
    }

    fn find_many(
        &self,
        positions: &[Position],
        preferred: Metric,
    ) -> impl Iterator<Item = Result<Value, ProbeError>> + use<> {
        let mut values: Vec<_> = positions.iter().map(|_| None).collect();
        let (mut stored, mut ahead) = (Vec::new(), Metric::ALL.map(|_| Vec::new()));
        for (number, position) in positions.iter().enumerate() {
            match self.source(position, preferred) {
                Ok(Source::Rules(value)) => values[number] = Some(Ok(value)),
                Ok(Source::Entry { layer, rank }) => {
                    let side = position.to_move();
                    let order =
                        (layer.table.header().layer(), side, layer.table.order_in_file(side, rank));
                    stored.push((order, number, layer, rank));
                }
                Ok(Source::LookAhead(metric)) => ahead[metric as usize].push(number),
                Err(error) => values[number] = Some(Err(error)),
            }
        }
        stored.sort_unstable_by_key(|&(order, number, ..)| (order, number));
        for stored in stored.chunks(PREFETCHED) {
            for &((_, side, _), _, layer, rank) in stored {
                layer.table.prefetch(side, rank);
            }
            for &(_, number, layer, rank) in stored {
                values[number] = Some(self.stored(&positions[number], layer, rank));
            }
        }
        // Answers from a mapped file count only if the file is still unchanged now.
        for layer in stored.chunk_by(|((a, ..), ..), ((b, ..), ..)| a == b) {
            let [(.., first, _), ..] = layer else { continue };
            if first.table.is_mapped()
                && let Err(error) = first.table.check_unchanged()
            {
                for &(_, number, ..) in layer {
                    values[number] = Some(Err(error.clone().into()));
                }
            }
        }
        // Look-ahead uses batches as well, of a bounded number of positions.
        for metric in Metric::ALL {
            for numbers in ahead[metric as usize].chunks(1024) {
                let ahead: Vec<_> = numbers.iter().map(|&number| positions[number]).collect();
                for (&number, value) in numbers.iter().zip(self.look_ahead_many(&ahead, metric)) {
                    values[number] = Some(value);
                }
            }
        }
        values.into_iter().flatten()
    }

    fn source(&self, position: &Position, preferred: Metric) -> Result<Source<'_>, ProbeError> {
        if let Some(outcome) = self.game.terminal(position) {
            return Ok(Source::Rules(self.ended(outcome, self.game.layer(position), preferred)));
        }
        let layer = self.layer(self.game.layer(position), preferred)?;
        if !layer.table.stores(position.to_move()) {
            let has_distances = layer.table.header().metric().has_distances();
            return Ok(Source::LookAhead(if has_distances { preferred } else { Metric::Wdl }));
        }
        Ok(Source::Entry { layer, rank: layer.index.rank(position) })
    }

    /// Returns the value of a position in which the game is over. It has a distance only if the
    /// layer has distances, as its neighbors do.
    fn ended(&self, outcome: Outcome, layer: u16, preferred: Metric) -> Value {
        let has_distance = preferred.has_distances() && self.has(layer, Metric::Dtw);
        if has_distance { Value::ended(outcome) } else { outcome.into() }
    }

    /// Reads the entry of a position.
    fn stored(
        &self,
        position: &Position,
        layer: &OpenLayer,
        rank: u64,
    ) -> Result<Value, ProbeError> {
        let (table, side) = (&layer.table, position.to_move());
        let value = match table.header().metric() {
            Metric::Wdl => table.outcome(side, rank, &self.cache)?.map(Value::from),
            Metric::Dtw => table.dtw(side, rank, &self.cache)?.map(Value::from),
        };
        value.ok_or_else(|| no_entry(layer, rank))
    }

    /// Returns the value that follows from those after each move. It ends: each step changes the
    /// side to move or descends to a lower layer, and every table stores a side.
    #[cold]
    fn look_ahead(&self, position: &Position, metric: Metric) -> Result<Value, ProbeError> {
        self.look_ahead_to(position, metric, |next| self.probe_of(next, metric))
    }

    /// Returns the value that follows from those after each move, which `after` finds.
    fn look_ahead_to(
        &self,
        position: &Position,
        metric: Metric,
        after: impl Fn(&Position) -> Result<Value, ProbeError>,
    ) -> Result<Value, ProbeError> {
        let mut best = Best::of(position.to_move(), metric);
        let _ = self.game.visit_successors(position, |_, next| {
            best.or(match (next, metric) {
                (Next::End(end), Metric::Wdl) => Ok(end.outcome.into()),
                (Next::End(end), Metric::Dtw) => Ok(Value::ended(end.outcome)),
                (Next::Position(next), _) => after(&next),
            })
        });
        self.checked(position, best.found()?)
    }

    fn probe_of(&self, position: &Position, metric: Metric) -> Result<Value, ProbeError> {
        match metric {
            Metric::Wdl => self.probe_outcome(position).map(Value::from),
            Metric::Dtw => self.probe_distance(position).map(Value::from),
        }
    }

    fn look_ahead_many(
        &self,
        positions: &[Position],
        metric: Metric,
    ) -> Vec<Result<Value, ProbeError>> {
        let (mut bests, mut owners, mut successors) =
            (Vec::with_capacity(positions.len()), Vec::new(), Vec::new());
        for (owner, position) in positions.iter().enumerate() {
            let mut best = Best::of(position.to_move(), metric);
            let _ = self.game.visit_successors(position, |_, next| match next {
                Next::End(end) => best.or(Ok(match metric {
                    Metric::Wdl => end.outcome.into(),
                    Metric::Dtw => Value::ended(end.outcome),
                })),
                Next::Position(successor) => {
                    owners.push(owner);
                    successors.push(successor);
                    ControlFlow::Continue(())
                }
            });
            bests.push(best);
        }
        let values = self.find_many(&successors, metric).zip(&successors);
        for (owner, (value, successor)) in owners.into_iter().zip(values) {
            let _ = bests[owner].or(value.and_then(|value| match metric {
                Metric::Dtw if value.dtw().is_none() => {
                    // The game is over, or a layer has outcomes alone.
                    self.probe_distance(successor).map(Value::from)
                }
                _ => Ok(value),
            }));
        }
        let found = bests.into_iter().map(Best::found).zip(positions);
        found.map(|(found, position)| self.checked(position, found?)).collect()
    }

    /// Checks that the header of the table allows a value that look-ahead found.
    fn checked(&self, position: &Position, value: Value) -> Result<Value, ProbeError> {
        let Some(plies) = value.plies else { return Ok(value) };
        let layer = self.layer_of(self.game.layer(position), Metric::Dtw)?;
        let longest = layer.table.header().longest().unwrap_or_default();
        let of_winner = value.winner().and_then(|side| longest[position.to_move()][side]);
        if of_winner.is_some_and(|longest| plies <= longest) {
            return Ok(value);
        }
        let rank = layer.index.rank(position);
        Err(layer.table.error(Defect::Damaged(Damage::Entry { rank })).into())
    }

    /// Returns the value after a move. With `distances`, ended games have a distance of 0 plies.
    fn value_after(&self, next: &Next, distances: bool) -> Result<Value, ProbeError> {
        match (self.game.outcome_after(next), next) {
            (Some(outcome), _) if distances => Ok(Value::ended(outcome)),
            (_, Next::Position(position)) if distances => self.probe(position),
            (_, Next::Position(position)) => self.probe_outcome(position).map(Value::from),
            (_, Next::End(end)) => Ok(end.outcome.into()),
        }
    }
}

impl Tablebase {
    /// Fills `codes` with the values of consecutive classes that no part of the table gives at once:
    /// by blocks, or else position by position. Outcomes are wins in 0 plies.
    fn look_up(
        &self,
        open: &OpenLayer,
        layer: u16,
        (side, metric): (Side, Metric),
        first: u64,
        codes: &mut [u16],
    ) -> Result<(), ProbeError> {
        // Preparing the moves by blocks takes as long as some thousand probes, and longer in numberings
        // with many arrangements of the few, which have gaps.
        if codes.len() >= BATCH
            && !open.index.has_gaps()
            && first.saturating_add(codes.len() as u64) <= open.index.len(side)
            && let Some(blocks) = self.game.block_moves(layer, &open.index)
        {
            return self.look_ahead_by_blocks(open, &*blocks, (side, metric), first, codes);
        }
        for (first, codes) in (first..).step_by(BATCH).zip(codes.chunks_mut(BATCH)) {
            let ranks = first..first + codes.len() as u64;
            let positions = ranks.map(|rank| unrank(open, side, rank));
            let positions = positions.collect::<Result<Vec<_>, _>>()?;
            let values = match metric {
                Metric::Wdl => self
                    .probe_outcomes(&positions)
                    .into_iter()
                    .map(|outcome| outcome.map(Dtw::ended))
                    .collect(),
                Metric::Dtw => self.distances_of(&positions),
            };
            for (code, value) in codes.iter_mut().zip(values) {
                *code = value?.code();
            }
        }
        Ok(())
    }

    /// Returns the exact values of positions.
    fn distances_of(&self, positions: &[Position]) -> Vec<Result<Dtw, ProbeError>> {
        let values = self.probe_many(positions).into_iter().zip(positions);
        // An outcome alone is an error, which the exact probe describes.
        let exact = values.map(|(value, position)| {
            value?.dtw().map_or_else(|| self.probe_distance(position), Ok)
        });
        exact.collect()
    }

    /// Returns the code of a class, with a side to move that the table omits, from those after each
    /// move, as far as possible in rows that the cache has.
    fn code_ahead(
        &self,
        open: &OpenLayer,
        side: Side,
        metric: Metric,
        rank: u64,
    ) -> Result<u16, ProbeError> {
        let position = unrank(open, side, rank)?;
        if let Some(outcome) = self.game.terminal(&position) {
            return Ok(Dtw::ended(outcome).code());
        }
        let layer = self.game.layer(&position);
        let value = self.look_ahead_to(&position, metric, |next| {
            let (table, mut code) = (&open.table, [0]);
            let is_near = self.game.layer(next) == layer;
            let next_side = next.to_move();
            if !is_near
                || !table.read_rows(next_side, open.index.rank(next), &mut code, &self.cache)?
            {
                return self.probe_of(next, metric);
            }
            let value = Dtw::from_code(code[0]).unwrap_or(Dtw::DRAW);
            Ok(if metric.has_distances() { value.into() } else { value.outcome().into() })
        })?;
        Ok(value.dtw().unwrap_or(Dtw::ended(value.outcome)).code())
    }

    /// Fills `codes` with the values of consecutive classes, with a side to move that the table
    /// omits, from those after each move. Outcomes are wins in 0 plies.
    fn look_ahead_by_blocks(
        &self,
        open: &OpenLayer,
        blocks: &dyn BlockMoves,
        (side, metric): (Side, Metric),
        first: u64,
        codes: &mut [u16],
    ) -> Result<(), ProbeError> {
        let read = |target: &Target<'_>, codes: &mut [u16]| {
            // Without this layer, some classes may still have a best move that is known.
            let open = match metric {
                Metric::Wdl => self.layer(target.layer, metric),
                Metric::Dtw => self.layer_of(target.layer, metric),
            };
            let Ok(open) = open else { return Ok(false) };
            Ok(open.table.read_rows(side.other(), target.start, codes, &self.cache)?)
        };
        let unlisted =
            DistancesByBlocks::new(blocks, side).codes::<ProbeError>(first, codes, read)?;
        for rank in unlisted {
            codes[(rank - first) as usize] = self.code_ahead(open, side, metric, rank)?;
        }
        if metric == Metric::Wdl {
            return Ok(());
        }
        // The header of the table must allow the values, as for a single probe.
        let longest = open.table.header().longest().unwrap_or_default()[side];
        let codes_of = |winner| longest[winner].map_or(0, |plies| Dtw::win(winner, plies).code());
        let [first_side, second_side] = Side::BOTH.map(codes_of);
        // Odd codes are wins of the first side.
        let is_above = |&code: &u16| code > if code % 2 == 1 { first_side } else { second_side };
        if let Some(entry) = codes.iter().position(is_above) {
            let damage = Damage::Entry { rank: first + entry as u64 };
            return Err(open.table.error(Defect::Damaged(damage)).into());
        }
        Ok(())
    }
}

/// Values are those of [`Tablebase::probe`].
impl Probe for Tablebase {
    type Error = ProbeError;

    fn value(&self, position: &Position) -> Result<Value, ProbeError> {
        self.probe(position)
    }
}

/// A side to move that a table does not store comes from one ply of look-ahead, by blocks if they
/// are many. Raw tables store everything.
impl ProbeLayer for Tablebase {
    fn read_distances(
        &self,
        layer: u16,
        side: Side,
        first: u64,
        codes: &mut [u16],
    ) -> Result<(), ProbeError> {
        let open = self.layer_of(layer, Metric::Dtw)?;
        let table = &open.table;
        if codes.len() >= BATCH && table.read_rows(side, first, codes, &self.cache)? {
            return Ok(());
        }
        if table.read_codes(side, first, codes)? {
            return Ok(());
        }
        self.look_up(open, layer, (side, Metric::Dtw), first, codes)
    }

    fn read_outcomes(
        &self,
        layer: u16,
        side: Side,
        first: u64,
        pairs: &mut [[u64; 2]],
    ) -> Result<(), ProbeError> {
        let open = self.layer(layer, Metric::Wdl)?;
        let end = open.index.len(side).min(first + pairs.len() as u64 * ENTRIES_PER_PAIR);
        let stored = first.is_multiple_of(ENTRIES_PER_PAIR)
            && open.table.read_pairs(side, first / ENTRIES_PER_PAIR, pairs.as_flattened_mut())?;
        if stored && pairs.iter().any(|[first, second]| first & second != 0) {
            let damage = Damage::EntryAmong { ranks: first..=end - 1 };
            return Err(open.table.error(Defect::Damaged(damage)).into());
        }
        if stored {
            return Ok(());
        }
        let mut codes = vec![0; end.saturating_sub(first) as usize];
        self.look_up(open, layer, (side, Metric::Wdl), first, &mut codes)?;
        pairs.fill([0, 0]);
        for (pair, codes) in pairs.iter_mut().zip(codes.chunks(ENTRIES_PER_PAIR as usize)) {
            for (bit, &code) in codes.iter().enumerate() {
                if let Some(winner) = Dtw::from_code(code).and_then(Dtw::winner) {
                    pair[winner.index()] |= 1 << bit;
                }
            }
        }
        Ok(())
    }
}

/// Returns the canonical position of a class.
fn unrank(layer: &OpenLayer, side: Side, rank: u64) -> Result<Position, ProbeError> {
    if rank >= layer.index.len(side) {
        return Err(no_entry(layer, rank));
    }
    Ok(layer.index.unrank(side, rank))
}

/// The error of a rank beyond the table. The table has as many entries as the index, so the index
/// is wrong.
fn no_entry(layer: &OpenLayer, rank: u64) -> ProbeError {
    layer.table.error(Defect::Damaged(Damage::Rank(rank))).into()
}

/// The best for a side of several values, some of which may be unknown.
struct Best {
    side: Side,
    metric: Metric,
    /// The value of the position if no other move is better.
    value: Value,
    missing: Option<ProbeError>,
    failed: Option<ProbeError>,
}

impl Best {
    /// A side without a move has lost.
    fn of(side: Side, metric: Metric) -> Best {
        let outcome = Outcome::Win(side.other());
        let value = match metric {
            Metric::Wdl => outcome.into(),
            Metric::Dtw => Value::ended(outcome),
        };
        Best { side, metric, value, missing: None, failed: None }
    }

    /// Takes the value after another move into account; breaks when no other can be better.
    fn or(&mut self, after: Result<Value, ProbeError>) -> ControlFlow<()> {
        match after {
            Ok(after) => {
                let plies = after.plies.map(|plies| plies.saturating_add(1).min(Dtw::LONGEST));
                let value = Value { plies, ..after };
                if value.score(self.side) > self.value.score(self.side) {
                    self.value = value;
                }
            }
            Err(error @ ProbeError::MissingLayer(_)) => {
                self.missing = self.missing.take().or(Some(error));
            }
            Err(error) => self.failed = self.failed.take().or(Some(error)),
        }
        if self.is_best() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Whether no value is better.
    fn is_best(&self) -> bool {
        self.value.outcome == Outcome::Win(self.side)
            && match self.metric {
                Metric::Wdl => true,
                Metric::Dtw => self.value.plies == Some(1),
            }
    }

    /// The best of all is the best whatever the unknown values are. Anything less may not be.
    fn found(self) -> Result<Value, ProbeError> {
        let is_best = self.is_best();
        match self.failed.or(self.missing) {
            Some(error) if !is_best => Err(error),
            _ => Ok(self.value),
        }
    }
}
