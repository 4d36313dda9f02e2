//! Pieces of JSON answers that several commands share.

use anser_core::{Game, Outcome, Side};
use anser_table::Counts;
use serde::{Serialize, Serializer};

/// An object whose keys are known only at run time, in this order.
pub(crate) struct Object<V>(pub(crate) Vec<(&'static str, V)>);

impl<V: Serialize> Serialize for Object<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// The name of an outcome: the side's that wins, or `draw`.
pub(crate) fn outcome_name<G: Game>(game: &G, outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(side) => game.side_name(side),
        Outcome::Draw => "draw",
    }
}

/// Counts by side to move and outcome: `{"fox":{"fox":N,"draw":N,"geese":N},"geese":{...}}`.
pub(crate) fn counts<G: Game>(game: &G, counts: &Counts) -> Object<Object<u64>> {
    let outcomes = [Outcome::Win(Side::First), Outcome::Draw, Outcome::Win(Side::Second)];
    let of_side = |side: Side| {
        let counted = outcomes.into_iter().zip(counts[side.index()]);
        Object(counted.map(|(outcome, count)| (outcome_name(game, outcome), count)).collect())
    };
    Object(Side::BOTH.into_iter().map(|side| (game.side_name(side), of_side(side))).collect())
}
