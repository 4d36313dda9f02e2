//! Noughts and crosses, which the document on Fox-and-Hounds mentions: positions, games, and who
//! wins.

use std::collections::HashMap;

use anser_core::{BySide, Dtw, Outcome, Side};
use serde_json::json;

use crate::question::{Answer, Question};
use crate::{Figure, Missing};

/// The nine squares: empty, or the side whose mark is there.
type Squares = [Option<Side>; 9];

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// Value of a position, and the numbers of games from it that crosses win, that noughts win, and
/// that are drawn.
type Known = (Dtw, [u64; 3]);

fn outcome(squares: &Squares) -> Option<Outcome> {
    let has_line = |side| LINES.iter().any(|line| line.iter().all(|&at| squares[at] == Some(side)));
    let winner = Side::BOTH.into_iter().find(|&side| has_line(side)).map(Outcome::Win);
    winner.or_else(|| (!squares.contains(&None)).then_some(Outcome::Draw))
}

fn search(squares: Squares, side: Side, known: &mut HashMap<Squares, Known>) -> Known {
    if let Some(found) = known.get(&squares) {
        return *found;
    }
    let (mut value, mut games) = (None::<Dtw>, [0; 3]);
    if let Some(outcome) = outcome(&squares) {
        value = Some(Dtw::ended(outcome));
        games[value.and_then(Dtw::winner).map_or(2, Side::index)] = 1;
    } else {
        for at in (0..9).filter(|&at| squares[at].is_none()) {
            let mut next = squares;
            next[at] = Some(side);
            let (after, more) = search(next, side.other(), known);
            value = value.into_iter().chain([after.before()]).max_by_key(|value| value.score(side));
            games.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
    }
    let found = (value.unwrap_or(Dtw::DRAW), games);
    known.insert(squares, found);
    found
}

pub(crate) fn answers(question: &Question<'_>) -> Vec<Answer> {
    let names = BySide::new("crosses", "noughts");
    let mut known = HashMap::new();
    let (value, games) = search([None; 9], Side::First, &mut known);
    let answer = |figure: Figure| match figure {
        Figure::Reachable => Answer::Computed(json!(known.len())),
        Figure::Games => Answer::Computed(json!(games.iter().sum::<u64>().to_string())),
        Figure::GamesWon => Answer::Computed(json!({
            names[Side::First]: games[0].to_string(),
            names[Side::Second]: games[1].to_string()
        })),
        Figure::Value => {
            let outcome = value.winner().map_or("draw", |side| names[side]);
            Answer::Computed(json!({"outcome": outcome, "dtw": value.plies()}))
        }
        _ => Answer::Missing(Missing::NoSuchFigure),
    };
    question.entries.iter().map(|entry| answer(entry.figure)).collect()
}
