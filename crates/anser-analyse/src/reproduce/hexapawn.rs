//! Hexapawn: who wins, on boards of several sizes.

use anser_core::hexapawn::{BoardSize, Hexapawn, Position, RuleSet};
use anser_core::{BLOCKED, Game};

use super::facts::Played;
use super::{Answer, Question, ReproduceError};

pub(super) fn answers(question: &Question<'_>, size: &str) -> Result<Vec<Answer>, ReproduceError> {
    let RuleSet::Standard = question.rules.parse().map_err(|_| question.unknown())?;
    let game = Hexapawn::new(size.parse::<BoardSize>().map_err(|_| question.unknown())?);
    let played = Played::new(game, question.limits)?;
    let ending = |position: &Position| match played.game.ending(position) {
        Some("far row") => "through",
        other => other.unwrap_or(BLOCKED),
    };
    question.entries.iter().map(|entry| Ok(played.figure(&entry.figure, ending)?.into())).collect()
}
