//! Probing: the outcome of positions, looked up or found by one move of look-ahead.

use std::cmp::Reverse;
use std::fmt;
use std::ops::ControlFlow;

use anser_core::{Game, LayerIndex, Next, Outcome, Side};

use crate::error::{Defect, ProbeError};
use crate::tablebase::{OpenLayer, Tablebase};

/// A legal move with what is known of it.
#[derive(Clone)]
pub struct ProbedMove<G: Game> {
    /// The move.
    pub mv: G::Move,
    /// What it leads to.
    pub next: Next<G::Position>,
    /// The outcome after it; `None` if a layer that it takes has no table here.
    pub outcome: Option<Outcome>,
}

impl<G: Game> fmt::Debug for ProbedMove<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ProbedMove { mv, next, outcome } = self;
        f.debug_struct("ProbedMove").field("mv", mv).field("next", next).field("outcome", outcome).finish()
    }
}

/// Where the answer to a position is to be had.
enum Place<'a, G: Game> {
    /// The rules alone give it.
    Known(Outcome),
    /// In the layer's table.
    Stored { layer: &'a OpenLayer<G>, rank: u64 },
    /// The layer's table leaves this side to move to look-ahead.
    Ahead,
}

impl<G: Game> Tablebase<G> {
    /// The outcome of a position.
    ///
    /// Where the game is over the rules answer without a table. A table that stores one side to move only answers for
    /// the other with the values of what the legal moves lead to, which takes the tables of lower layers too.
    pub fn probe(&self, position: &G::Position) -> Result<Outcome, ProbeError> {
        match self.place(position)? {
            Place::Known(outcome) => Ok(outcome),
            Place::Stored { layer, rank } => self.stored(position, layer, rank),
            Place::Ahead => self.look_ahead(position),
        }
    }

    /// All legal moves with their outcomes, best for the side to move first; equal ones in the order in which the game
    /// generates them. Moves without an outcome come last: the layer that they lead to has no table here, or, where the
    /// table of that layer leaves the side to look-ahead, the next one has none. [`Tablebase::missing_layers`] lists
    /// them all.
    pub fn probe_moves(&self, position: &G::Position) -> Result<Vec<ProbedMove<G>>, ProbeError> {
        let side = self.game.side_to_move(position);
        let mut moves = Vec::new();
        let failed = self.game.visit_moves(position, |mv, next| {
            let outcome = match self.outcome_after(&next) {
                Ok(outcome) => Some(outcome),
                Err(ProbeError::MissingLayer(_)) => None,
                Err(error) => return ControlFlow::Break(error),
            };
            moves.push(ProbedMove { mv, next, outcome });
            ControlFlow::Continue(())
        });
        if let ControlFlow::Break(error) = failed {
            return Err(error);
        }
        moves.sort_by_key(|probed| Reverse(probed.outcome.map(|outcome| outcome.score(side))));
        Ok(moves)
    }

    /// The outcomes of many positions, in the order of `positions`.
    ///
    /// They are looked up in the order in which they lie in the tables, so that each block is read and decoded once.
    /// That pays where tables are packed or larger than memory; otherwise single probes are as fast.
    pub fn probe_many(&self, positions: &[G::Position]) -> Vec<Result<Outcome, ProbeError>> {
        let mut outcomes: Vec<_> = positions.iter().map(|_| None).collect();
        let (mut stored, mut ahead) = (Vec::new(), Vec::new());
        for (number, position) in positions.iter().enumerate() {
            match self.place(position) {
                Ok(Place::Known(outcome)) => outcomes[number] = Some(Ok(outcome)),
                Ok(Place::Stored { layer, rank }) => {
                    let side = self.game.side_to_move(position);
                    let order = (layer.table.header().layer(), side, layer.table.place(side, rank));
                    stored.push((order, number, layer, rank));
                }
                Ok(Place::Ahead) => ahead.push(number),
                Err(error) => outcomes[number] = Some(Err(error)),
            }
        }
        stored.sort_unstable_by_key(|&(order, number, ..)| (order, number));
        for (_, number, layer, rank) in stored {
            outcomes[number] = Some(self.stored(&positions[number], layer, rank));
        }
        // What look-ahead needs is looked up together as well, not too much of it at a time.
        for numbers in ahead.chunks(1024) {
            let ahead: Vec<_> = numbers.iter().map(|&number| positions[number]).collect();
            for (&number, outcome) in numbers.iter().zip(self.look_ahead_many(&ahead)) {
                outcomes[number] = Some(outcome);
            }
        }
        outcomes.into_iter().flatten().collect()
    }

    fn place(&self, position: &G::Position) -> Result<Place<'_, G>, ProbeError> {
        if let Some(outcome) = self.game.terminal(position) {
            return Ok(Place::Known(outcome));
        }
        let layer = self.layer(self.game.layer(position))?;
        if layer.table.leaves_out_settled()
            && let Some(outcome) = self.game.settled(position)
        {
            return Ok(Place::Known(outcome));
        }
        if !layer.table.stores(self.game.side_to_move(position)) {
            return Ok(Place::Ahead);
        }
        Ok(Place::Stored { layer, rank: layer.index.rank(position) })
    }

    fn stored(&self, position: &G::Position, layer: &OpenLayer<G>, rank: u64) -> Result<Outcome, ProbeError> {
        match layer.table.outcome(self.game.side_to_move(position), rank, &self.cache)? {
            Some(outcome) => Ok(outcome),
            // The table has as many entries as the numbering, so the position is none of this game's.
            None => {
                Err(layer.table.error(Defect::Damaged(format!("the numbering, which has no entry {rank},"))).into())
            }
        }
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
