//! Fox-and-Hounds: positions, games, FoxBoxes, and the table of the fuzzy player.

use anser_analyse::{FoxBoxes, Fuzzy, Weights, is_fox_box, opposite};
use anser_core::hunt::Position;
use anser_core::{BLOCKED, Dtw, Hunt, Side};
use anser_retrograde::{AnalyseError, Count};
use serde_json::{Value as Json, json};

use crate::common::{SolvedGame, counted, rounded, value};
use crate::question::{Answer, Question};
use crate::{DataError, Entry, Figure, Missing, ReproduceError};

pub(crate) fn answers(
    size: usize,
    rules: &str,
    question: &Question<'_>,
) -> Result<Vec<Answer>, ReproduceError> {
    let game = Hunt::fox_hounds(size, rules).map_err(DataError::from)?;
    if question.entries.iter().all(|entry| entry.large) {
        let count = question
            .options
            .large
            .then(|| Count::of(&game, &game.start(), question.limits))
            .transpose()?;
        let answer = |entry: &&Entry| match &count {
            Some(count) => counted(&game, count, entry.figure).into(),
            None => Answer::Missing(Missing::Large),
        };
        return Ok(question.entries.iter().map(answer).collect());
    }
    let solved = SolvedGame::new(game.clone(), question.limits)?;
    let about_boxes = |entry: &&Entry| {
        matches!(entry.figure, Figure::B | Figure::MaxB | Figure::Boxes) || is_fuzzy(entry)
    };
    let boxes = question
        .entries
        .iter()
        .any(about_boxes)
        .then(|| FoxBoxes::new(&solved.solution))
        .transpose()?;
    let far = opposite(&game, &game.start(), &solved.solution)?;
    let table = match (&boxes, &far) {
        (Some(boxes), Some(far)) if question.entries.iter().any(|entry| is_fuzzy(entry)) => {
            Some(Table::new(boxes, far.position))
        }
        _ => None,
    };
    let ending = |position: &Position| {
        let name = match (game.ending(position), position.to_move()) {
            (Some(BLOCKED), Side::First) => "fox blocked",
            (Some(BLOCKED), Side::Second) => "hounds blocked",
            _ => "escaped",
        };
        name.to_owned()
    };
    let answer = |entry: &&Entry| -> Result<Answer, ReproduceError> {
        if question.limits.observer.interrupted() {
            return Err(AnalyseError::Interrupted.into());
        }
        let found = match entry.figure {
            Figure::B | Figure::MaxB | Figure::Boxes => {
                boxes.as_ref().and_then(|boxes| box_figure(entry.figure, boxes, &solved))
            }
            Figure::Opposite => far.as_ref().map(|far| {
                let mut found = value(&game, far.value);
                found["position"] = json!(game.format_position(&far.position));
                found
            }),
            _ if is_fuzzy(entry) => match &table {
                Some(table) => table.figure(entry)?,
                None => None,
            },
            figure => solved.figure(figure, ending)?,
        };
        Ok(found.into())
    };
    question.entries.iter().map(answer).collect()
}

/// Whether a figure is about the fuzzy player.
fn is_fuzzy(entry: &Entry) -> bool {
    matches!(entry.figure, Figure::Fuzz | Figure::Fairest | Figure::FairestRoot)
}

/// Computes a figure about FoxBoxes; `None` if it is of another kind.
fn box_figure(figure: Figure, boxes: &FoxBoxes, solved: &SolvedGame<'_>) -> Option<Json> {
    let start = solved.game.start();
    match figure {
        Figure::B => Some(json!(boxes.b(&start)?)),
        Figure::MaxB => boxes.max_b(&start).map(|max| json!({"b": max.b, "plies": max.plies})),
        Figure::Boxes => {
            let board = solved.game.rows()?.board;
            let add = |boxes: u64, position: &Position, _: Dtw| {
                boxes + u64::from(is_fox_box(board, position))
            };
            let all = solved.solution.fold(|| 0, add, |a, b| a + b);
            let (finite, _) = boxes.histogram();
            let longest = finite.len().checked_sub(1);
            Some(json!({"boxes": all, "won_by_hounds": finite.first(), "longest_b": longest}))
        }
        _ => None,
    }
}

/// The two matches of the table of the fuzzy player, under both readings of the fuzz factor: fuzzy
/// hounds from the start, and a fuzzy fox from the opposite position.
struct Table<'b> {
    start: Position,
    opposite: Position,
    hounds: [Fuzzy<'b>; 2],
    fox: [Fuzzy<'b>; 2],
}

impl<'b> Table<'b> {
    fn new(boxes: &'b FoxBoxes, opposite: Position) -> Table<'b> {
        let of = |side| {
            [Weights::Printed, Weights::Literal].map(|weights| Fuzzy::new(boxes, side, weights))
        };
        Table {
            start: boxes.game().start(),
            opposite,
            hounds: of(Side::Second),
            fox: of(Side::First),
        }
    }

    fn figure(&self, entry: &Entry) -> Result<Option<Json>, AnalyseError> {
        let fairest = |reading: usize, width| self.hounds[reading].fairest(&self.start, width);
        Ok(Some(match (entry.figure, entry.p) {
            (Figure::Fuzz, Some(p)) => both(|reading| {
                let fox = self.hounds[reading].opponent_wins(p, &self.start)?;
                let hounds = self.fox[reading].opponent_wins(p, &self.opposite)?;
                Ok(json!({"fox": rounded(fox, 6), "hounds": rounded(hounds, 6)}))
            })?,
            (Figure::Fairest, _) => both(|reading| Ok(json!(fairest(reading, 1e-5)?)))?,
            // More precise than in the document.
            (Figure::FairestRoot, _) => {
                both(|reading| Ok(json!(rounded(fairest(reading, 1e-9)?, 7))))?
            }
            _ => return Ok(None),
        }))
    }
}

/// JSON object with a member for each reading of the fuzz factor.
fn both(of: impl Fn(usize) -> Result<Json, AnalyseError>) -> Result<Json, AnalyseError> {
    Ok(json!({"weights": of(0)?, "literal": of(1)?}))
}
