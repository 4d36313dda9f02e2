//! Text about moves and searches.

use std::cmp::Reverse;

use anser_analyse::{Judgement, Opinion, Strategy, Style};
use anser_core::{RatedMove, Value, hunt};

use super::Session;
use crate::cmd::play::record::move_text;
use crate::text::{grouped, plies, the};

impl Session<'_> {
    /// Text about the limits of a search.
    pub(super) fn effort_text(&self) -> String {
        let time = self.of.setup.think.map(|time| format!("{} s per move", time.as_secs_f64()));
        let nodes =
            self.of.setup.nodes.map(|nodes| format!("{} positions per move", grouped(nodes)));
        let counts = if self.of.game.material(&self.of.start).is_some() {
            ", and evaluates by material"
        } else {
            ""
        };
        format!("{}{counts}", [time, nodes].into_iter().flatten().collect::<Vec<_>>().join(" or "))
    }

    /// Text about the best moves, or about the result of a search if they are not known.
    pub(super) fn hint(&self, position: &hunt::Position, moves: &[RatedMove]) -> String {
        let side = position.to_move();
        let named = |best: &[bool]| {
            let best = moves.iter().zip(best).filter(|(_, best)| **best);
            best.map(|(rated, _)| self.of.game.format_move(&rated.mv))
                .collect::<Vec<_>>()
                .join(", ")
        };
        if Strategy::is_open(self.of.game, moves, side) {
            let Some(opinion) = self.opinion(position) else { return "no legal moves\n".into() };
            return format!(
                "the outcome is not known; {}; it prefers {}\n",
                self.opinion_text(position, &opinion),
                named(&opinion.best)
            );
        }
        let quick = Strategy { style: Style::Quick, ..Strategy::default() };
        let best = quick.best(self.of.game, self.of.source, position, moves, &self.seen());
        let value = best.iter().position(|&best| best).and_then(|number| moves[number].value);
        // Of moves with the same outcome, distances alone show which is best, unless one wins now.
        let winner = value.and_then(Value::winner);
        let same: Vec<bool> = moves
            .iter()
            .map(|rated| rated.value.is_some_and(|value| value.winner() == winner))
            .collect();
        let lacks = |rated: &RatedMove| rated.value.is_some_and(|value| value.dtw().is_none());
        let wins_now = value.is_some_and(|value| value.plies == Some(0));
        if !wins_now && moves.iter().zip(&same).any(|(rated, &same)| same && lacks(rated)) {
            let outcome = move_text(self.of.game, value.map(|value| value.outcome.into()));
            return format!(
                "these keep the outcome: {} ({outcome}); distances are not known\n",
                named(&same)
            );
        }
        format!("best: {} ({})\n", named(&best), move_text(self.of.game, value))
    }

    /// Text about a search and its result.
    pub(super) fn opinion_text(&self, position: &hunt::Position, opinion: &Opinion) -> String {
        let Opinion { depth, nodes, judgement, line, .. } = opinion;
        let side = position.to_move();
        let depth = plies(u64::from(*depth));
        let found = match judgement {
            Judgement::Forced { winner, plies: Some(1) } => {
                format!("found a win for {} in 1 ply", the(self.of.game, *winner))
            }
            Judgement::Forced { winner, plies: Some(plies) } => {
                format!("found a win for {} in at most {plies} plies", the(self.of.game, *winner))
            }
            Judgement::Forced { winner, plies: None } => {
                format!("found a win for {}", the(self.of.game, *winner))
            }
            Judgement::Material(_) if self.of.game.material(position).is_none() => {
                "found no win".into()
            }
            Judgement::Material(0) => "expects no change of material".into(),
            Judgement::Material(more) => {
                format!("expects {more:+} in material for {}", the(self.of.game, side))
            }
        };
        let line: Vec<String> = line.iter().map(|mv| self.of.game.format_move(mv)).collect();
        format!(
            "a search of {depth} ({} positions) {found}, with {}",
            grouped(*nodes),
            line.join(" ")
        )
    }

    /// All moves, the best first, those of the same value together.
    pub(super) fn list(&self, position: &hunt::Position, moves: &[RatedMove]) -> String {
        let side = position.to_move();
        let mut sorted: Vec<&RatedMove> = moves.iter().collect();
        // Moves of unknown value come between draws and losses.
        sorted.sort_by_key(|rated| match rated.value.map(|value| value.score(side)) {
            None => (1, Reverse(0)),
            Some((outcome, distance)) => (-2 * outcome, Reverse(distance)),
        });
        let groups = sorted.chunk_by(|a, b| a.value == b.value).map(|group| {
            let names: Vec<String> =
                group.iter().map(|rated| self.of.game.format_move(&rated.mv)).collect();
            (move_text(self.of.game, group[0].value), names.join("  "))
        });
        let groups: Vec<(String, String)> = groups.collect();
        let width = groups.iter().map(|(value, _)| value.len()).max().unwrap_or(0);
        let text = groups.iter().fold(String::new(), |text, (value, names)| {
            text + &format!("  {value:<width$}  {names}\n")
        });
        if Strategy::is_open(self.of.game, moves, side) {
            text + &self.hint(position, moves)
        } else {
            text
        }
    }
}
