//! `anser zugzwang`: positions in which it is bad to be to move.

use anser_analyse::{Listing, stalemates, zugzwangs};
use anser_core::Side;
use anser_core::prelude::*;
use anser_games::{AnyGame, AnyPosition, GameInfo};
use clap::Args;
use serde::Serialize;

use crate::asking::{AboutArgs, Watch};
use crate::failure::Failure;

use crate::json::{self, Rated};
use crate::output::{print, print_json};
use crate::text::{grouped, the, value_text, verb};

const AFTER: &str = "\
A full zugzwang: whoever is to move loses, and the game is not over for either. A one-sided one: a side loses if it is to \
move, and the game is drawn if the other side is. A stalemate: the side to move cannot. All positions of the game are \
looked at, symmetric ones apart, unless a position to begin from is named or --reachable is given.

Examples:
  anser zugzwang hare-hounds --rules unlimited
  anser zugzwang hare-hounds --list 100 --json
  anser zugzwang fox-hounds:6";

/// List positions that whoever moves loses, and stalemates
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct ZugzwangArgs {
    #[command(flatten)]
    about: AboutArgs,
    /// Only positions that play can reach
    #[arg(long)]
    reachable: bool,
    /// How many of each kind to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    list: usize,
}

#[derive(Serialize)]
struct Answer {
    game: String,
    rules: String,
    /// Where play begins; nothing if all positions were looked at.
    position: Option<String>,
    kinds: Vec<KindAnswer>,
}

#[derive(Serialize)]
struct KindAnswer {
    kind: &'static str,
    /// Who is to move, where that is part of the kind.
    to_move: Option<&'static str>,
    positions: u64,
    /// The first ones.
    examples: Vec<Rated>,
}

impl ZugzwangArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.about.with_game(|game, info| self.answer_for(game, info))
    }
}

impl ZugzwangArgs {
    /// Answers for the game in question.
    fn answer_for(&self, game: &AnyGame, _: &GameInfo) -> Result<(), Failure> {
        let watch = Watch::new()?;
        let from_root = self.reachable || self.about.is_placed();
        let solution = if from_root {
            self.about.solution(game, &watch)?
        } else {
            game.solution_of_layers(game.layers(), &self.about.effort.limits(&watch))?
        };
        let found = zugzwangs(&solution, self.list);
        let mut kinds = vec![("full", None, found.full)];
        for (side, listing) in Side::BOTH.into_iter().zip(found.one_sided) {
            kinds.push(("one-sided", Some(side), listing));
        }
        for side in Side::BOTH {
            kinds.push(("stalemate", Some(side), stalemates(&solution, side, self.list)));
        }
        drop(watch);
        if self.about.json {
            let kinds = kinds.into_iter().map(|(kind, side, listing)| KindAnswer {
                kind,
                to_move: side.map(|side| game.side_name(side)),
                positions: listing.count,
                examples: listing.first.iter().map(|(position, value)| json::rated(game, position, *value)).collect(),
            });
            let kinds = kinds.collect();
            let position = if from_root { Some(game.format_position(&self.about.position(game)?)) } else { None };
            return print_json(&Answer { game: game.name(), rules: game.rules_id(), position, kinds });
        }
        let mut text = format!("{}, rules {}\n", game.name(), game.rules_id());
        for (kind, side, listing) in &kinds {
            let title = match (*kind, side) {
                ("full", _) => "full zugzwangs: whoever moves loses".to_owned(),
                ("one-sided", Some(side)) => format!(
                    "one-sided zugzwangs: {} to move {}, and {} if the other side moves",
                    the(game, *side),
                    verb(game, *side, "loses", "lose"),
                    verb(game, *side, "draws", "draw")
                ),
                (_, side) => {
                    format!("stalemates of {}", side.map_or("the side to move".into(), |side| the(game, side)))
                }
            };
            text += &format!("\n{title}: {}\n{}", grouped(listing.count), list_text(game, listing));
        }
        print(&text)
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
