//! `anser rules`: the rule sets of a game, explained.

use anser_games::answers::{FamilyAnswer, NoRuleSetAnswer, RuleSetAnswer, RulesAnswer};
use anser_games::game_word;
use clap::Args;

use crate::args::{GameArg, RuleSetsArg};
use crate::failure::Failure;
use crate::games;
use crate::output::Form;
use crate::reply::Reply;
use crate::text::wrapped;

const AFTER: &str = "\
Examples:
  anser rules fox-geese
  anser rules kaooa --rules 6,7
  anser rules fox-geese --json";

/// Explain the rule sets of a game
#[derive(Args, Debug)]
#[command(after_help = AFTER, mut_arg("rules", |arg| {
    arg.help("Explain only these rule sets, separated by commas")
}))]
pub(crate) struct RulesArgs {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    rules: RuleSetsArg,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

impl RulesArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let (info, size) = games::find(self.game.name()?)?;
        let mut answer = RulesAnswer::new(info);
        if !self.rules.ids.is_empty() {
            self.rules.ids.iter().try_for_each(|id| info.make(size, id).map(drop))?;
            let is_listed = |id| answer.rule_sets.iter().any(|rules| &rules.id == id);
            // The others are members of families.
            if self.rules.ids.iter().all(is_listed) {
                answer.families.clear();
            }
            answer.rule_sets.retain(|rules| self.rules.ids.contains(&rules.id));
            answer.no_rule_sets.clear();
        }
        let mut text = format!("{}\n\n", info.about);
        let usual = answer.rule_sets.iter().find(|rules| rules.default);
        for RuleSetAnswer { id, default, meaning } in &answer.rule_sets {
            // Rule sets of files are changes to the default one, whose meaning they repeat.
            let changes = usual.filter(|_| !default).and_then(|usual| {
                let changes = meaning.strip_prefix(&usual.meaning)?.strip_prefix(' ')?;
                Some(format!("As {}. {changes}", usual.id))
            });
            let mark = if *default { " (default)" } else { "" };
            text += &format!("{id}{mark}\n{}", wrapped(changes.as_deref().unwrap_or(meaning), 4));
        }
        for FamilyAnswer { pattern, least, greatest, meaning } in &answer.families {
            text += &format!("{pattern}, N from {least} to {greatest}\n{}", wrapped(meaning, 4));
        }
        for NoRuleSetAnswer { name, meaning } in &answer.no_rule_sets {
            text += &format!("{name} (cannot be chosen)\n{}", wrapped(meaning, 4));
        }
        text += &format!(
            "\n--rules selects a rule set: anser solve {} --rules {}\n",
            game_word(&info.default_name()),
            self.rules.ids.first().unwrap_or(&info.default_rules)
        );
        Reply::new(answer, text).print(Form::of(self.json))
    }
}
