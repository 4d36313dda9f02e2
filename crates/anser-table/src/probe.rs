//! Probing: values of positions from the tables, the rules, or one ply of look-ahead.

mod layer;

use std::cmp::Reverse;
use std::ops::ControlFlow;

use anser_core::hunt::Position;
use anser_core::{Dtw, LayerIndex, Next, Outcome, Probe, RatedMove, Side, Value};

use crate::error::{Damage, Defect, ProbeError};
use crate::kinds::Metric;
use crate::tablebase::{OpenLayer, Tablebase};

/// Number of entries that are prefetched before the first is read. Each takes two cache lines, so
/// that all of them fit into the nearest cache.
const PREFETCHED: usize = 256;

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
    /// [`ProbeError::MissingLayer`] if the layer, or a lower one that the answer needs, has no
    /// table of distances, and [`ProbeError::Table`] if a table is damaged or cannot be read.
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
        ended(outcome, if self.has(layer, Metric::Dtw) { preferred } else { Metric::Wdl })
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
            best.or(match next {
                Next::End(end) => Ok(ended(end.outcome, metric)),
                Next::Position(next) => after(&next),
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
                Next::End(end) => best.or(Ok(ended(end.outcome, metric))),
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

/// Values are those of [`Tablebase::probe`].
impl Probe for Tablebase {
    type Error = ProbeError;

    fn value(&self, position: &Position) -> Result<Value, ProbeError> {
        self.probe(position)
    }
}

/// The error of a rank beyond the table. The table has as many entries as the index, so the index
/// is wrong.
fn no_entry(layer: &OpenLayer, rank: u64) -> ProbeError {
    layer.table.error(Defect::Damaged(Damage::Rank(rank))).into()
}

/// Returns the value of a game that is over, with a distance if the metric has them.
fn ended(outcome: Outcome, metric: Metric) -> Value {
    match metric {
        Metric::Wdl => outcome.into(),
        Metric::Dtw => Value::ended(outcome),
    }
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
        let value = ended(Outcome::Win(side.other()), metric);
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
