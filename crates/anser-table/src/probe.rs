//! Probing: values of positions from the tables, the rules, or one ply of look-ahead.

use std::cmp::Reverse;
use std::fmt;
use std::ops::ControlFlow;

use anser_core::{Dtw, Game, LayerIndex, Next, Outcome, Side};

use crate::error::{Damage, Defect, ProbeError};
use crate::kinds::Metric;
use crate::tablebase::{OpenLayer, Tablebase};

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Who wins.
    pub outcome: Outcome,
    /// The same with the plies to the win; `None` where no table of distances answered.
    pub dtw: Option<Dtw>,
}

impl From<Outcome> for Value {
    fn from(outcome: Outcome) -> Value {
        Value { outcome, dtw: None }
    }
}

impl From<Dtw> for Value {
    fn from(dtw: Dtw) -> Value {
        Value { outcome: dtw.outcome(), dtw: Some(dtw) }
    }
}

impl Value {
    /// The plies to the win, where a table of distances answered and somebody wins.
    ///
    /// ```
    /// use anser_core::{Dtw, Outcome, Side};
    /// use anser_table::Value;
    /// assert_eq!(Value::from(Dtw::win(Side::First, 7)).plies(), Some(7));
    /// assert_eq!(Value::from(Outcome::Win(Side::First)).plies(), None);
    /// ```
    pub fn plies(self) -> Option<u16> {
        self.dtw.and_then(Dtw::plies)
    }
}

/// A legal move with what is known of it.
#[derive(Clone)]
pub struct ProbedMove<G: Game> {
    /// The move.
    pub mv: G::Move,
    /// What it leads to.
    pub next: Next<G::Position>,
    /// The outcome after it; `None` if a layer that it takes has no table here.
    pub outcome: Option<Outcome>,
    /// The exact value of what it leads to, so that a move that wins on the spot is worth a win in 0 plies; `None` if no
    /// table of distances answered.
    pub dtw: Option<Dtw>,
}

impl<G: Game> ProbedMove<G> {
    /// How good the move is for `side`: by outcome, then by distance. What is not known is worth least.
    fn score(&self, side: Side) -> (Option<i32>, Option<i32>) {
        (self.outcome.map(|outcome| outcome.score(side)), self.dtw.map(|dtw| dtw.score(side)))
    }
}

impl<G: Game> fmt::Debug for ProbedMove<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ProbedMove { mv, next, outcome, dtw } = self;
        f.debug_struct("ProbedMove")
            .field("mv", mv)
            .field("next", next)
            .field("outcome", outcome)
            .field("dtw", dtw)
            .finish()
    }
}

/// Number of entries that are prefetched before the first is read. Each takes two cache lines, so that
/// all of them fit into the nearest cache.
const PREFETCHED: usize = 256;

/// The source of a position's value.
enum Source<'a, G: Game> {
    /// The rules.
    Rules(Value),
    /// An entry of the layer's table.
    Entry { layer: &'a OpenLayer<G>, rank: u64 },
    /// Look-ahead: the layer's table omits the side to move.
    LookAhead,
}

impl<G: Game> Tablebase<G> {
    /// The outcome of a position.
    ///
    /// Where the game is over the rules answer without a table. A table that stores one side to move only answers for
    /// the other with the values of what the legal moves lead to, which takes the tables of lower layers too.
    pub fn probe(&self, position: &G::Position) -> Result<Outcome, ProbeError> {
        self.find(position, Metric::Wdl).map(|value| value.outcome)
    }

    /// The exact value of a position, from the table of distances of its layer.
    ///
    /// Where the game is over the rules answer without a table.
    ///
    /// ```
    /// use anser_core::prelude::*;
    /// use anser_core::{Dtw, Side, fox_geese::FoxGeese};
    /// use anser_table::{Metric, ProbeError, Tablebase};
    ///
    /// let tables = Tablebase::from_tables(FoxGeese::default(), []);
    /// let trapped = tables.game().parse_position("gFg/1g1/3g3/7/7/3/3 f")?;
    /// assert_eq!(tables.probe_dtw(&trapped)?, Dtw::win(Side::Second, 0));
    /// let error = tables.probe_dtw(&tables.game().start()).unwrap_err();
    /// assert!(matches!(error, ProbeError::MissingLayer(missing) if missing.metric == Metric::Dtw));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn probe_dtw(&self, position: &G::Position) -> Result<Dtw, ProbeError> {
        if let Some(outcome) = self.game.terminal(position) {
            return Ok(Dtw::ended(outcome));
        }
        let layer = self.layer_of(self.game.layer(position), Metric::Dtw)?;
        let rank = layer.index.rank(position);
        match layer.table.dtw(self.game.side_to_move(position), rank, &self.cache)? {
            Some(value) => Ok(value),
            None => Err(no_entry(layer, rank)),
        }
    }

    /// The outcome of a position, with its distance where the layer has a table of distances.
    ///
    /// Where there is none this answers as [`probe`](Tablebase::probe) does.
    pub fn probe_value(&self, position: &G::Position) -> Result<Value, ProbeError> {
        self.find(position, Metric::Dtw)
    }

    /// The value of a position from the table of this metric, or else another.
    fn find(&self, position: &G::Position, preferred: Metric) -> Result<Value, ProbeError> {
        match self.source(position, preferred)? {
            Source::Rules(value) => Ok(value),
            Source::Entry { layer, rank } => self.stored(position, layer, rank),
            Source::LookAhead => self.look_ahead(position).map(Value::from),
        }
    }

    /// All legal moves with their values, best for the side to move first: by outcome, then by distance where there are tables
    /// of distances, then in the order in which the game generates them. Moves without an outcome come last: the layer that
    /// they lead to has no table here, or, where the table of that layer leaves the side to look-ahead, the next one has none.
    /// [`Tablebase::missing_layers`] lists them all.
    pub fn probe_moves(&self, position: &G::Position) -> Result<Vec<ProbedMove<G>>, ProbeError> {
        let side = self.game.side_to_move(position);
        let distances = self.has(self.game.layer(position), Metric::Dtw);
        let mut moves = Vec::new();
        let failed = self.game.visit_moves(position, |mv, next| {
            let value = match self.value_after(&next, distances) {
                Ok(value) => Some(value),
                Err(ProbeError::MissingLayer(_)) => None,
                Err(error) => return ControlFlow::Break(error),
            };
            let (outcome, dtw) = (value.map(|value| value.outcome), value.and_then(|value| value.dtw));
            moves.push(ProbedMove { mv, next, outcome, dtw });
            ControlFlow::Continue(())
        });
        if let ControlFlow::Break(error) = failed {
            return Err(error);
        }
        moves.sort_by_key(|probed| Reverse(probed.score(side)));
        Ok(moves)
    }

    /// The outcomes of many positions, in the order of `positions`.
    ///
    /// They are looked up in the order in which they lie in the tables, so that each block is read and decoded once, and
    /// memory is asked for many entries of a mapped table before the first is waited for. That pays where tables are packed or
    /// larger than the processor's caches; otherwise single probes are as fast.
    pub fn probe_many(&self, positions: &[G::Position]) -> Vec<Result<Outcome, ProbeError>> {
        self.find_many(positions, Metric::Wdl).map(|value| value.map(|value| value.outcome)).collect()
    }

    /// The outcomes of many positions with their distances where there are any, in the order of `positions`: what
    /// [`probe_value`](Tablebase::probe_value) says of each, looked up as [`probe_many`](Tablebase::probe_many) does.
    pub fn probe_values(&self, positions: &[G::Position]) -> Vec<Result<Value, ProbeError>> {
        self.find_many(positions, Metric::Dtw).collect()
    }

    fn find_many(
        &self,
        positions: &[G::Position],
        preferred: Metric,
    ) -> impl Iterator<Item = Result<Value, ProbeError>> + use<G> {
        let mut values: Vec<_> = positions.iter().map(|_| None).collect();
        let (mut stored, mut ahead) = (Vec::new(), Vec::new());
        for (number, position) in positions.iter().enumerate() {
            match self.source(position, preferred) {
                Ok(Source::Rules(value)) => values[number] = Some(Ok(value)),
                Ok(Source::Entry { layer, rank }) => {
                    let side = self.game.side_to_move(position);
                    let order = (layer.table.header().layer(), side, layer.table.order_in_file(side, rank));
                    stored.push((order, number, layer, rank));
                }
                Ok(Source::LookAhead) => ahead.push(number),
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
        // Where the memory of a table belongs to others too, its answers count if the file is still the same now.
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
        // What look-ahead needs is looked up together as well, not too much of it at a time.
        for numbers in ahead.chunks(1024) {
            let ahead: Vec<_> = numbers.iter().map(|&number| positions[number]).collect();
            for (&number, outcome) in numbers.iter().zip(self.look_ahead_many(&ahead)) {
                values[number] = Some(outcome.map(Value::from));
            }
        }
        values.into_iter().flatten()
    }

    fn source(&self, position: &G::Position, preferred: Metric) -> Result<Source<'_, G>, ProbeError> {
        if let Some(outcome) = self.game.terminal(position) {
            return Ok(Source::Rules(self.ended(outcome, self.game.layer(position), preferred)));
        }
        let layer = self.layer(self.game.layer(position), preferred)?;
        if layer.table.omits_static_outcomes()
            && let Some(outcome) = self.game.static_outcome(position)
        {
            return Ok(Source::Rules(outcome.into()));
        }
        if !layer.table.stores(self.game.side_to_move(position)) {
            return Ok(Source::LookAhead);
        }
        Ok(Source::Entry { layer, rank: layer.index.rank(position) })
    }

    /// The value where the game is over. Its distance is told only where those of its neighbours would be.
    fn ended(&self, outcome: Outcome, layer: u16, preferred: Metric) -> Value {
        let told = preferred == Metric::Dtw && self.has(layer, Metric::Dtw);
        Value { outcome, dtw: told.then_some(Dtw::ended(outcome)) }
    }

    fn stored(&self, position: &G::Position, layer: &OpenLayer<G>, rank: u64) -> Result<Value, ProbeError> {
        let (table, side) = (&layer.table, self.game.side_to_move(position));
        let value = match table.header().metric() {
            Metric::Wdl => table.outcome(side, rank, &self.cache)?.map(Value::from),
            Metric::Dtw => table.dtw(side, rank, &self.cache)?.map(Value::from),
        };
        value.ok_or_else(|| no_entry(layer, rank))
    }

    /// The best outcome that a move leads to. Table by table this alternates between the sides to move or descends to a
    /// lower layer, and every table stores a side, so it ends.
    #[cold]
    fn look_ahead(&self, position: &G::Position) -> Result<Outcome, ProbeError> {
        let mut best = Best::of(self.game.side_to_move(position));
        let _ = self.game.visit_moves(position, |_, next| best.or(self.outcome_after(&next)));
        best.found()
    }

    fn look_ahead_many(&self, positions: &[G::Position]) -> Vec<Result<Outcome, ProbeError>> {
        let (mut bests, mut owners, mut successors) = (Vec::with_capacity(positions.len()), Vec::new(), Vec::new());
        for (owner, position) in positions.iter().enumerate() {
            let mut best = Best::of(self.game.side_to_move(position));
            let _ = self.game.visit_moves(position, |_, next| match next {
                Next::End(outcome) => best.or(Ok(outcome)),
                Next::Position(successor) => {
                    owners.push(owner);
                    successors.push(successor);
                    ControlFlow::Continue(())
                }
            });
            bests.push(best);
        }
        for (owner, outcome) in owners.into_iter().zip(self.probe_many(&successors)) {
            let _ = bests[owner].or(outcome);
        }
        bests.into_iter().map(Best::found).collect()
    }

    fn outcome_after(&self, next: &Next<G::Position>) -> Result<Outcome, ProbeError> {
        match next {
            Next::End(outcome) => Ok(*outcome),
            Next::Position(position) => self.probe(position),
        }
    }

    /// The value of what a move leads to. With `distances`, those that the rules alone tell are told.
    fn value_after(&self, next: &Next<G::Position>, distances: bool) -> Result<Value, ProbeError> {
        let ended = match next {
            Next::End(outcome) => Some(*outcome),
            Next::Position(position) => self.game.terminal(position),
        };
        match (ended, next) {
            (Some(outcome), _) if distances => Ok(Dtw::ended(outcome).into()),
            (_, Next::Position(position)) if distances => self.probe_value(position),
            _ => self.outcome_after(next).map(Value::from),
        }
    }
}

/// The table has as many entries as the numbering, so the position is none of this game's.
fn no_entry<G: Game>(layer: &OpenLayer<G>, rank: u64) -> ProbeError {
    layer.table.error(Defect::Damaged(Damage::Rank(rank))).into()
}

/// The best of several outcomes for a side, some of which may not be known.
struct Best {
    side: Side,
    outcome: Outcome,
    missing: Option<ProbeError>,
    failed: Option<ProbeError>,
}

impl Best {
    /// A side that has nothing to choose from has lost.
    fn of(side: Side) -> Best {
        Best { side, outcome: Outcome::Win(side.other()), missing: None, failed: None }
    }

    /// Takes one more into account; breaks when no other can be better.
    fn or(&mut self, outcome: Result<Outcome, ProbeError>) -> ControlFlow<()> {
        match outcome {
            Ok(outcome) if outcome.score(self.side) > self.outcome.score(self.side) => self.outcome = outcome,
            Ok(_) => {}
            Err(error @ ProbeError::MissingLayer(_)) => self.missing = self.missing.take().or(Some(error)),
            Err(error) => self.failed = self.failed.take().or(Some(error)),
        }
        if self.outcome == Outcome::Win(self.side) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// A win is one whatever the unknown outcomes are; anything less may not be the best.
    fn found(self) -> Result<Outcome, ProbeError> {
        match self.failed.or(self.missing) {
            Some(error) if self.outcome != Outcome::Win(self.side) => Err(error),
            _ => Ok(self.outcome),
        }
    }
}
