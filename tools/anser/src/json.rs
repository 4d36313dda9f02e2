//! Pieces of JSON answers that several commands share.

use std::ops::ControlFlow;

use anser_analyse::{Line, Solution};
use anser_core::{Game, Next, Outcome, RatedMove, Side, Value};
use anser_table::Metric;
use anser_table::format::{Counts, Longest};
use serde::{Serialize, Serializer};

use crate::failure::Failure;

/// The version of the vocabulary of all JSON answers, which `docs/json.md` describes.
const SCHEMA: u32 = 1;

/// An answer with the version of its vocabulary.
#[derive(Serialize)]
pub(crate) struct Answer<'a, A> {
    schema: u32,
    #[serde(flatten)]
    answer: &'a A,
}

impl<'a, A: Serialize> Answer<'a, A> {
    /// Answers are objects, not numbers or lists.
    pub(crate) fn new(answer: &'a A) -> Answer<'a, A> {
        Answer { schema: SCHEMA, answer }
    }
}

/// Appends an answer as JSON on a line of its own.
pub(crate) fn line(bytes: &mut Vec<u8>, answer: &impl Serialize) -> Result<(), Failure> {
    serde_json::to_writer(&mut *bytes, &Answer::new(answer)).map_err(|error| Failure::output(&error.into()))?;
    bytes.push(b'\n');
    Ok(())
}

/// Answers about several rule sets, as one; each without the version.
#[derive(Serialize)]
pub(crate) struct Sets<A> {
    pub(crate) sets: Vec<A>,
}

/// The distance in an answer: 0 where the game is over, also where no table tells distances.
pub(crate) fn distance<G: Game>(game: &G, position: &G::Position, plies: Option<u16>) -> Option<u16> {
    if game.terminal(position).is_some() { Some(0) } else { plies }
}

/// The distance after a move, likewise.
pub(crate) fn distance_after<G: Game>(game: &G, next: &Next<G::Position>, plies: Option<u16>) -> Option<u16> {
    match next {
        Next::End(_) => Some(0),
        Next::Position(next) => distance(game, next, plies),
    }
}

/// A position with its value.
#[derive(Serialize)]
pub(crate) struct Rated {
    pub(crate) position: String,
    pub(crate) to_move: &'static str,
    pub(crate) outcome: &'static str,
    pub(crate) dtw: Option<u16>,
}

/// A position with its value, for JSON.
pub(crate) fn rated<G: Game>(game: &G, position: &G::Position, value: impl Into<Value>) -> Rated {
    let value = value.into();
    Rated {
        position: game.format_position(position),
        to_move: game.side_name(game.side_to_move(position)),
        outcome: outcome_name(game, value.outcome),
        dtw: distance(game, position, value.plies),
    }
}

/// What an answer about a position begins with.
#[derive(Serialize)]
pub(crate) struct Root {
    game: String,
    rules: String,
    #[serde(flatten)]
    rated: Rated,
}

/// What an answer about a position begins with.
pub(crate) fn root<G: Game>(game: &G, position: &G::Position, value: impl Into<Value>) -> Root {
    Root { game: game.name(), rules: game.rules_id(), rated: rated(game, position, value) }
}

/// A move that is played in a line, with the value after it.
#[derive(Serialize)]
#[expect(clippy::struct_field_names, reason = "fields are the keys of the answer")]
pub(crate) struct Ply {
    /// From 1.
    pub(crate) ply: usize,
    pub(crate) side: &'static str,
    #[serde(rename = "move")]
    pub(crate) mv: String,
    /// The position after the move; nothing where the move itself ends the game.
    pub(crate) position: Option<String>,
    pub(crate) outcome: &'static str,
    pub(crate) dtw: Option<u16>,
}

/// The `number`th ply of a line: a move of `side`, whose value is known.
pub(crate) fn ply<G: Game>(game: &G, number: usize, side: Side, played: &RatedMove<G>) -> Ply {
    let value = played.value.expect("the moves of a line have values");
    Ply {
        ply: number,
        side: game.side_name(side),
        mv: game.format_move(&played.mv),
        position: match &played.next {
            Next::Position(next) => Some(game.format_position(next)),
            Next::End(_) => None,
        },
        outcome: outcome_name(game, value.outcome),
        dtw: distance_after(game, &played.next, value.plies),
    }
}

/// The plies of a line of best play.
pub(crate) fn plies<G: Game>(game: &G, line: &Line<G>) -> Vec<Ply> {
    (1..).zip(line.played()).map(|(number, (side, played))| ply(game, number, side, played)).collect()
}

/// The plies of a line of these moves from a position, with the values after them.
pub(crate) fn played<G: Game>(
    game: &G,
    from: &G::Position,
    moves: impl IntoIterator<Item = G::Move>,
    solution: &Solution<G>,
) -> Result<Vec<Ply>, Failure> {
    let (mut here, mut plies) = (*from, Vec::new());
    for (number, mv) in (1..).zip(moves) {
        let mut after = None;
        let _ = game.visit_moves(&here, |legal, next| {
            if legal == mv {
                after = Some(next);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        let no_move = || Failure::corrupt(format!("{} is no move of a line that was found", game.format_move(&mv)));
        let next = after.ok_or_else(no_move)?;
        let value = match &next {
            Next::End(outcome) => Value::ended(*outcome),
            Next::Position(next) => solution.require(next)?.into(),
        };
        plies.push(ply(game, number, game.side_to_move(&here), &RatedMove { mv, next, value: Some(value) }));
        if let Next::Position(next) = next {
            here = next;
        }
    }
    Ok(plies)
}

/// The lengths of the files of a layer.
#[derive(Serialize, Default)]
pub(crate) struct BytesAnswer {
    pub(crate) raw: Option<u64>,
    pub(crate) packed: Option<u64>,
}

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
