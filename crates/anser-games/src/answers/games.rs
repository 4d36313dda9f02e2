//! Games and rule sets.

use anser_core::{Hunt, hunt};
use serde::{Deserialize, Serialize};

use super::{Map, outcome_name};
use crate::{GameInfo, Opening, RuleSetInfo, START, kept_value};

/// The games of a registry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GamesAnswer {
    /// The games.
    pub games: Vec<GameAnswer>,
}

/// A game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameAnswer {
    /// The game with its size.
    pub game: String,
    /// Syntax of the size after the colon; null for games of one size.
    pub sizes: Option<String>,
    /// The game in common sizes; empty for games of one size.
    pub boards: Vec<String>,
    /// One line about the game.
    pub about: String,
    /// The name of the game in texts: `Bagh-Chal`; null if it is not known.
    pub title: Option<String>,
    /// The region where the game is or was played; null if it is not known.
    pub region: Option<String>,
    /// When the game was played, or described; null if it is not known.
    pub date: Option<String>,
    /// The publication that prints the rules; null if it is not known.
    pub source: Option<String>,
    /// Plural unit of a layer number: `geese`.
    pub layer_unit: String,
    /// Singular unit of a layer number: `goose`.
    pub layer_unit_one: String,
    /// The lowest layer.
    pub first_layer: u16,
    /// The highest layer.
    pub last_layer: u16,
    /// The default rule set.
    pub default_rules: String,
    /// The rule sets.
    pub rule_sets: Vec<String>,
    /// The positions that have a name.
    pub openings: Vec<OpeningAnswer>,
    /// By game with its size: the printed fuzz factor with which each side wins half of the games.
    pub fairest_fuzz: Map<f64>,
}

/// A position that has a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpeningAnswer {
    /// The name.
    pub opening: String,
    /// The position, in the notation of its game.
    pub position: String,
    /// One line about the position.
    pub about: String,
    /// With best play, the name of the side that wins, or `draw`; null if it is not kept.
    pub outcome: Option<String>,
    /// The plies to the win; null without a win that is forced in plies, and if they are not kept.
    pub dtw: Option<u16>,
}

impl OpeningAnswer {
    fn new(game: &Hunt, opening: &str, position: &hunt::Position, about: &str) -> OpeningAnswer {
        let kept = kept_value(game, position);
        OpeningAnswer {
            opening: opening.into(),
            position: game.format_position(position),
            about: about.into(),
            outcome: kept.map(|value| outcome_name(game, value.outcome).into()),
            dtw: kept.and_then(|value| value.plies),
        }
    }
}

impl GameAnswer {
    /// Describes a game and its entry in the registry.
    pub fn new(game: &Hunt, info: &GameInfo) -> GameAnswer {
        let start = OpeningAnswer::new(game, START, &game.start(), "where play starts");
        // Some are positions only under the default rules.
        let named = info.openings.iter().filter_map(|Opening { name, position, about }| {
            Some(OpeningAnswer::new(game, name, &game.parse_position(position).ok()?, about))
        });
        GameAnswer {
            game: game.name().into(),
            sizes: info.sizes.map(|sizes| sizes.meaning.into()),
            boards: info
                .sizes
                .map(|sizes| sizes.common.iter().map(|size| info.sized_name(size)).collect())
                .unwrap_or_default(),
            about: info.about.clone(),
            title: info.origin.title.clone(),
            region: info.origin.region.clone(),
            date: info.origin.date.clone(),
            source: info.origin.source.clone(),
            layer_unit: info.layer_unit.clone(),
            layer_unit_one: info.layer_unit_one.clone(),
            first_layer: *game.layers().start(),
            last_layer: *game.layers().end(),
            default_rules: info.default_rules.clone(),
            rule_sets: info.rule_sets.iter().map(|rules| rules.id.clone()).collect(),
            openings: [start].into_iter().chain(named).collect(),
            fairest_fuzz: info
                .fairest_fuzz
                .iter()
                .map(|&(size, fuzz)| (info.sized_name(size), fuzz))
                .collect(),
        }
    }
}

/// The rule sets of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RulesAnswer {
    /// The game without a size.
    pub game: String,
    /// The rule sets.
    pub rule_sets: Vec<RuleSetAnswer>,
    /// Families of rule sets that differ by a number.
    pub families: Vec<FamilyAnswer>,
    /// Names in documents that are no rule sets.
    pub no_rule_sets: Vec<NoRuleSetAnswer>,
}

/// A rule set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuleSetAnswer {
    /// The id.
    #[serde(rename = "rules")]
    pub id: String,
    /// Whether it is the default.
    pub default: bool,
    /// Meaning, in sentences.
    pub meaning: String,
}

/// Rule sets that differ by a number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FamilyAnswer {
    /// The id, with `N` for the number.
    pub pattern: String,
    /// The least number.
    pub least: u16,
    /// The greatest number.
    pub greatest: u16,
    /// Meaning of the rule sets, in sentences.
    pub meaning: String,
}

/// A name in a document that is no rule set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NoRuleSetAnswer {
    /// The name.
    pub name: String,
    /// Meaning, in sentences.
    pub meaning: String,
}

impl RulesAnswer {
    /// Describes the rule sets of a game.
    pub fn new(info: &GameInfo) -> RulesAnswer {
        let rule_sets = info.rule_sets.iter().map(|RuleSetInfo { id, meaning }| RuleSetAnswer {
            id: id.clone(),
            default: *id == info.default_rules,
            meaning: meaning.clone(),
        });
        RulesAnswer {
            game: info.name.clone(),
            rule_sets: rule_sets.collect(),
            families: info.families.clone(),
            no_rule_sets: info.no_rule_sets.clone(),
        }
    }
}
