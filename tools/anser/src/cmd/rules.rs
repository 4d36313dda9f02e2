//! `anser rules`: the rule sets of a game, explained.

use clap::Args;
use serde::Serialize;

use crate::args::GameArg;
use crate::failure::Failure;
use crate::games::{self, RulesInfo};
use crate::look::look;
use crate::output::{print, print_json};
use crate::text::wrap;

const AFTER: &str = "\
Examples:
  anser rules fox-geese
  anser rules fox-geese --json";

/// Explain the rule sets of a game
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct RulesArgs {
    #[command(flatten)]
    game: GameArg,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    game: &'static str,
    rule_sets: Vec<RulesAnswer>,
}

#[derive(Serialize)]
struct RulesAnswer {
    #[serde(rename = "rules")]
    id: String,
    default: bool,
    meaning: String,
}

impl RulesArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let (info, _) = games::find(self.game.name()?)?;
        let rules = (info.rules)().into_iter().map(|RulesInfo { id, meaning }| RulesAnswer {
            default: id == info.default_rules,
            id,
            meaning,
        });
        if self.json {
            return print_json(&Answer { game: info.name, rule_sets: rules.collect() });
        }
        let mut text = format!("{}\n\n", info.about);
        for RulesAnswer { id, default, meaning } in rules {
            text +=
                &format!("{id}{}\n{}", if default { " (default)" } else { "" }, wrap(&meaning, 4, look().at_most(100)));
        }
        text += &format!("\nUse one with --rules: anser solve {} --rules {}\n", info.usual_name(), info.default_rules);
        print(&text)
    }
}
