//! `anser rules`: the rule sets of a game, explained.

use anser_games::{NoRuleSet, RuleSetFamily, RuleSetInfo};
use clap::Args;
use serde::Serialize;

use crate::args::GameArg;
use crate::failure::Failure;
use crate::games;
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
    /// Rule sets that differ by a number.
    families: Vec<FamilyAnswer>,
    /// What is named beside the rule sets and is none.
    no_rule_sets: Vec<NoRulesAnswer>,
}

#[derive(Serialize)]
struct FamilyAnswer {
    /// The id with N for the number.
    pattern: &'static str,
    least: u16,
    greatest: u16,
    meaning: &'static str,
}

#[derive(Serialize)]
struct NoRulesAnswer {
    name: &'static str,
    meaning: &'static str,
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
        let rules = info.rule_sets.iter().map(|RuleSetInfo { id, meaning }| RulesAnswer {
            default: id == info.default_rules,
            id: id.clone(),
            meaning: meaning.clone(),
        });
        if self.json {
            let families = info.families.iter().map(|family| FamilyAnswer {
                pattern: family.pattern,
                least: family.range[0],
                greatest: family.range[1],
                meaning: family.meaning,
            });
            let others = info.no_rule_sets.iter().map(|&NoRuleSet { name, meaning }| NoRulesAnswer { name, meaning });
            return print_json(&Answer {
                game: info.name,
                rule_sets: rules.collect(),
                families: families.collect(),
                no_rule_sets: others.collect(),
            });
        }
        let mut text = format!("{}\n\n", info.about);
        for RulesAnswer { id, default, meaning } in rules {
            text +=
                &format!("{id}{}\n{}", if default { " (default)" } else { "" }, wrap(&meaning, 4, look().at_most(100)));
        }
        for RuleSetFamily { pattern, range: [least, most], meaning } in info.families {
            text += &format!("{pattern}, N from {least} to {most}\n{}", wrap(meaning, 4, look().at_most(100)));
        }
        for NoRuleSet { name, meaning } in info.no_rule_sets {
            text += &format!("{name} (cannot be chosen)\n{}", wrap(meaning, 4, look().at_most(100)));
        }
        text +=
            &format!("\nUse one with --rules: anser solve {} --rules {}\n", info.default_name(), info.default_rules);
        print(&text)
    }
}
