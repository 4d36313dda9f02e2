//! `anser zugzwang`: zugzwangs and stalemates.

use anser_analyse::{Listing, stalemates, zugzwangs};
use anser_core::Side;
use anser_core::prelude::*;
use anser_games::answers::{ZugzwangAnswer, ZugzwangKind, ZugzwangKindAnswer};
use anser_games::{AnyGame, AnyPosition};
use clap::Args;

use crate::failure::Failure;
use crate::output::Reply;
use crate::question::QuestionArgs;
use crate::text::{grouped, the, value_text, verb};

const AFTER: &str = "\
Full zugzwang: the side to move loses, whichever it is, and the game is not over for either. One-sided zugzwang: a side \
loses if it is to move, and the game is drawn if the other side is. Stalemate: the side to move has no move. All positions \
of the game are searched, symmetric ones counted apart, unless a position to begin from or --reachable is given.

Examples:
  anser zugzwang hare-hounds --rules unlimited
  anser zugzwang hare-hounds --list 100 --json
  anser zugzwang fox-hounds:6";

/// List positions that the side to move loses, whichever it is, and stalemates
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct ZugzwangArgs {
    #[command(flatten)]
    question: QuestionArgs,
    /// Only positions that play can reach
    #[arg(long)]
    reachable: bool,
    /// Number of positions of each kind to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    list: usize,
}

impl ZugzwangArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.question.ask(|question| {
            let game = question.game;
            let from_root = self.reachable || self.question.has_position();
            let solution =
                if from_root { question.solution()? } else { question.solution_of_all()? };
            let found = zugzwangs(&solution, self.list);
            let mut kinds = vec![(ZugzwangKind::Full, None, found.full)];
            for (side, listing) in found.one_sided {
                kinds.push((ZugzwangKind::OneSided, Some(side), listing));
            }
            for side in Side::BOTH {
                kinds.push((
                    ZugzwangKind::Stalemate,
                    Some(side),
                    stalemates(&solution, side, self.list),
                ));
            }
            let mut text = format!("{}, rules {}\n", game.name(), game.rules_id());
            for (kind, side, listing) in &kinds {
                let (title, count) = (title(game, *kind, *side), grouped(listing.count));
                text += &format!("\n{title}: {count}\n{}", list_text(game, listing));
            }
            let kinds = kinds.iter();
            let answer = ZugzwangAnswer {
                game: game.name(),
                rules: game.rules_id(),
                position: from_root.then(|| question.position_text()),
                kinds: kinds
                    .map(|(kind, side, listing)| {
                        ZugzwangKindAnswer::new(game, *kind, *side, listing)
                    })
                    .collect(),
            };
            Ok(Reply::new(answer, text))
        })
    }
}

/// What the positions of a kind are, in words.
fn title(game: &AnyGame, kind: ZugzwangKind, side: Option<Side>) -> String {
    match (kind, side) {
        (ZugzwangKind::OneSided, Some(side)) => format!(
            "one-sided zugzwangs: {} to move {}, and {} if the other side moves",
            the(game, side),
            verb(game, side, "loses", "lose"),
            verb(game, side, "draws", "draw")
        ),
        (ZugzwangKind::Stalemate, side) => {
            format!(
                "stalemates of {}",
                side.map_or("the side to move".into(), |side| the(game, side))
            )
        }
        (ZugzwangKind::Full | ZugzwangKind::OneSided, _) => {
            "full zugzwangs: either side loses if it is to move".to_owned()
        }
    }
}

fn list_text(game: &AnyGame, listing: &Listing<AnyPosition>) -> String {
    let mut text = String::new();
    for (position, value) in &listing.first {
        text += &format!("  {}  {}\n", game.format_position(position), value_text(game, *value));
    }
    let more = listing.count - listing.first.len() as u64;
    if more > 0 {
        text += &format!("  and {} more (--list N shows more)\n", grouped(more));
    }
    text
}
