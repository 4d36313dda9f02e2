//! Pieces of JSON answers that several commands share.

use anser_core::{Game, Outcome, Side};
use anser_table::{Counts, Longest, Metric};
use serde::{Serialize, Serializer};

/// An object whose keys are known only at run time, in this order.
pub(crate) struct Object<V>(pub(crate) Vec<(&'static str, V)>);

impl<V: Serialize> Serialize for Object<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// Whether a metric is the one that is meant where none is named, so that an answer need not name it.
pub(crate) fn is_usual(metric: &&'static str) -> bool {
    *metric == Metric::Wdl.id()
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

/// The plies of the longest wins by side to move and winner: `{"fox":{"fox":N,"geese":null},"geese":{...}}`.
pub(crate) fn longest<G: Game>(game: &G, longest: &Longest) -> Object<Object<Option<u16>>> {
    let of_side = |side: Side| {
        Object(Side::BOTH.map(|winner| (game.side_name(winner), longest[side.index()][winner.index()])).into())
    };
    Object(Side::BOTH.map(|side| (game.side_name(side), of_side(side))).into())
}
