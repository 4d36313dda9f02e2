//! Fox-and-Hounds: positions, games, boxes, and the table of the fuzzy player.

use anser_core::fox_hounds::{FoxHounds, RuleSet};
use anser_core::hounds::Position;
use anser_core::prelude::*;
use anser_core::{BLOCKED, Dtw, Side};
use serde_json::{Value as Json, json};

use super::facts::{Played, counted, rounded, value};
use super::{Answer, Entry, Missing, Question, ReproduceError};
use anser_analyse::{AnalyseError, FoxBoxes, Fuzzy, Weights, is_fox_box, opposite};

/// The size of the board whose figures whoever asks supplies.
const LARGE: usize = 10;

pub(super) fn answers(question: &Question<'_>, size: &str) -> Result<Vec<Answer>, ReproduceError> {
    let size: usize = size.parse().map_err(|_| question.unknown())?;
    let rules: RuleSet = question.rules.parse().map_err(|_| question.unknown())?;
    let game = FoxHounds::new(size, rules).map_err(|_| question.unknown())?;
    if question.entries.iter().all(|entry| entry.large) {
        let count = question.supplied.fox_hounds_10.as_ref().filter(|_| (size, rules) == (LARGE, RuleSet::Escape));
        let answer = |entry: &&Entry| match count {
            Some(count) => counted(&game, count, &entry.figure).into(),
            None => Answer::Missing(Missing::Large),
        };
        return Ok(question.entries.iter().map(answer).collect());
    }
    let played = Played::new(game, question.limits)?;
    let about_boxes =
        |entry: &&Entry| matches!(&*entry.figure, "b" | "max_b" | "boxes" | "fuzz" | "fairest" | "fairest_root");
    let boxes = question.entries.iter().any(about_boxes).then(|| FoxBoxes::new(&played.solution)).transpose()?;
    let far = opposite(&game, &game.start(), |position| played.solution.require(position))?;
    let fuzzy = |entry: &&Entry| entry.figure.starts_with("fuzz") || entry.figure.starts_with("fairest");
    let table = match (&boxes, &far) {
        (Some(boxes), Some(far)) if question.entries.iter().any(fuzzy) => Some(Table::new(boxes, far.position)),
        _ => None,
    };
    let ending = |position: &Position| match (game.ending(position), position.to_move()) {
        (Some(BLOCKED), Side::First) => "fox blocked",
        (Some(BLOCKED), Side::Second) => "hounds blocked",
        _ => "escaped",
    };
    let answer = |entry: &&Entry| -> Result<Answer, ReproduceError> {
        if question.limits.observer.interrupted() {
            return Err(AnalyseError::Interrupted.into());
        }
        let of_boxes = boxes.as_ref().and_then(|boxes| box_figure(&entry.figure, boxes, &played));
        let of_table = || table.as_ref().map(|table| table.figure(entry)).transpose().map(Option::flatten);
        let of_opposite = || {
            let far = far.as_ref().filter(|_| entry.figure == "opposite")?;
            let mut found = value(&game, far.value);
            found["position"] = json!(game.format_position(&far.position));
            Some(found)
        };
        Ok(match of_boxes.or_else(of_opposite) {
            Some(found) => Some(found),
            None => match of_table()? {
                Some(found) => Some(found),
                None => played.figure(&entry.figure, ending)?,
            },
        }
        .into())
    };
    question.entries.iter().map(answer).collect()
}

/// A figure about boxes.
fn box_figure(figure: &str, boxes: &FoxBoxes<RuleSet>, played: &Played<'_, FoxHounds>) -> Option<Json> {
    let start = played.game.start();
    match figure {
        "b" => Some(json!(boxes.b(&start)?)),
        "max_b" => boxes.max_b(&start).map(|max| json!({"b": max.b, "plies": max.plies})),
        "boxes" => {
            let board = played.game.board();
            let add = |boxes: u64, position: &Position, _: Dtw| boxes + u64::from(is_fox_box(board, position));
            let all = played.solution.fold(|| 0, add, |a, b| a + b);
            let (finite, _) = boxes.histogram();
            Some(json!({"boxes": all, "won_by_hounds": finite.first(), "longest_b": finite.len().checked_sub(1)}))
        }
        _ => None,
    }
}

/// The two games of the fuzzy player's table, under both readings of its factor: fuzzy hounds from the start, a fuzzy fox
/// from the opposite position.
struct Table<'b> {
    start: Position,
    opposite: Position,
    hounds: [Fuzzy<'b, RuleSet>; 2],
    fox: [Fuzzy<'b, RuleSet>; 2],
}

impl<'b> Table<'b> {
    fn new(boxes: &'b FoxBoxes<RuleSet>, opposite: Position) -> Table<'b> {
        let of = |side| [Weights::Printed, Weights::Literal].map(|weights| Fuzzy::new(boxes, side, weights));
        Table { start: boxes.game().start(), opposite, hounds: of(Side::Second), fox: of(Side::First) }
    }

    fn figure(&self, entry: &Entry) -> Result<Option<Json>, AnalyseError> {
        Ok(Some(match (&*entry.figure, entry.p) {
            ("fuzz", Some(p)) => both(|reading| {
                let fox = self.hounds[reading].opponent_wins(p, &self.start)?;
                let hounds = self.fox[reading].opponent_wins(p, &self.opposite)?;
                Ok(json!({"fox": rounded(fox, 6), "hounds": rounded(hounds, 6)}))
            })?,
            ("fairest", _) => both(|reading| Ok(json!(self.hounds[reading].fairest(&self.start)?)))?,
            ("fairest_root", _) => both(|reading| Ok(json!(rounded(self.root(reading)?, 7))))?,
            _ => return Ok(None),
        }))
    }

    /// Where the fox's chance against fuzzy hounds is one half, closer than the document looked.
    fn root(&self, reading: usize) -> Result<f64, AnalyseError> {
        let (mut low, mut high) = (0.0, 1.0);
        while high - low > 1e-9 {
            let middle = f64::midpoint(low, high);
            let chance = self.hounds[reading].opponent_wins(middle, &self.start)?;
            if chance < 0.5 { low = middle } else { high = middle }
        }
        Ok(low)
    }
}

/// Something under both readings of the factor, the weights first.
fn both(of: impl Fn(usize) -> Result<Json, AnalyseError>) -> Result<Json, AnalyseError> {
    Ok(json!({"weights": of(0)?, "literal": of(1)?}))
}
