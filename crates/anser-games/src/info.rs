//! Games by their names: sizes, rule sets, openings, origins.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use anser_core::hunt::{Description, Layering};
use anser_core::{Hunt, LayerIndex, Side, hunt};

use crate::answers::{FamilyAnswer, NoRuleSetAnswer};
use crate::embedded::EmbeddedFile;
use crate::error::NameError;

/// The name of the opening that every game has: the position where play starts.
pub const START: &str = "start";

/// Everything that is known of a game by its name.
#[derive(Clone)]
#[non_exhaustive]
pub struct GameInfo {
    /// The name without a size, as on the command line and in tables: `fox-hounds`. Lower-case
    /// letters, digits, and hyphens.
    pub name: String,
    /// One line about the game.
    pub about: String,
    /// The origin of the game.
    pub origin: Origin,
    /// Plural unit of a layer number, as in `13 geese`.
    pub layer_unit: String,
    /// The same for one, as in `1 goose`.
    pub layer_unit_one: String,
    /// The sizes, if the game has more than one.
    pub sizes: Option<Sizes>,
    /// The id of the rule set that is used if none is named.
    pub default_rules: String,
    /// The rule sets with their meanings, the default one among them.
    pub rule_sets: Vec<RuleSetInfo>,
    /// The families of rule sets that differ by a number. `rule_sets` lists some members.
    pub families: Vec<FamilyAnswer>,
    /// Names that stand beside the rule sets but are none.
    pub no_rule_sets: Vec<NoRuleSetAnswer>,
    /// The openings that have a name, besides [`START`].
    pub openings: Vec<Opening>,
    /// The fuzz factors that documents print as the fairest, by size.
    pub fairest_fuzz: &'static [(&'static str, f64)],
    /// Packed tables, and manifests of them, that are part of the program and answer where no other
    /// table is found.
    pub embedded: &'static [EmbeddedFile],
    /// The file that the game was read from, a description or a table; none for the games of this
    /// program.
    pub file: Option<PathBuf>,
    pub(crate) make: Make,
}

/// Origin of a game, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The name of the game in texts: `Bagh-Chal`.
    pub title: Option<String>,
    /// The region where it is or was played.
    pub region: Option<String>,
    /// When it was played, or described.
    pub date: Option<String>,
    /// The publication that prints its rules.
    pub source: Option<String>,
}

/// Makes a game of a size under a rule set.
pub(crate) type Make = Arc<dyn Fn(&str, &str) -> Result<Hunt, NameError> + Send + Sync>;

/// The sizes of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The size that is used if none is named; empty if the name alone then stands for it.
    pub default: &'static str,
    /// The notation of other sizes.
    pub meaning: &'static str,
    /// Sizes to choose from, the default one among them; others can be written.
    pub common: &'static [&'static str],
}

/// A rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSetInfo {
    /// The id, as on the command line and in tables.
    pub id: String,
    /// The meaning, in sentences.
    pub meaning: String,
}

/// An opening that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The name.
    pub name: String,
    /// The position, in the notation of the game.
    pub position: String,
    /// One line about it.
    pub about: String,
}

impl GameInfo {
    /// A game of one size, under the rule sets `rule_sets`, the first of which is the default.
    /// `make` makes the game under the rule set of an id.
    ///
    /// Fields that are public can be changed afterwards: sizes, openings, and what else the game
    /// has.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// use anser_core::hexapawn::BoardSize;
    /// use anser_games::{GameInfo, NameError, Registry, RuleSetInfo};
    ///
    /// let rules = RuleSetInfo { id: "standard".into(), meaning: "As usual.".into() };
    /// let mut registry = Registry::standard();
    /// let (name, title) = ("small-pawns", "Hexapawn on 2 x 3 squares");
    /// registry.register(GameInfo::new(name, title, "standard", vec![rules], |_size, _rules| {
    ///     Ok(Hunt::hexapawn(BoardSize::new(2, 3).expect("there is such a board")))
    /// }));
    /// assert!(registry.game("small-pawns", None).is_ok());
    /// ```
    pub fn new(
        name: impl Into<String>,
        about: impl Into<String>,
        default_rules: impl Into<String>,
        rule_sets: Vec<RuleSetInfo>,
        make: impl Fn(&str, &str) -> Result<Hunt, NameError> + Send + Sync + 'static,
    ) -> GameInfo {
        GameInfo {
            name: name.into(),
            about: about.into(),
            origin: Origin::default(),
            layer_unit: "layer".into(),
            layer_unit_one: "layer".into(),
            sizes: None,
            default_rules: default_rules.into(),
            rule_sets,
            families: Vec::new(),
            no_rule_sets: Vec::new(),
            openings: Vec::new(),
            fairest_fuzz: &[],
            embedded: &[],
            file: None,
            make: Arc::new(make),
        }
    }

    /// Describes a game that has no name here, under its own rules.
    ///
    /// ```
    /// use anser_games::{GameInfo, Registry};
    /// let game = Registry::standard().game("fox-hounds:6", None)?;
    /// let info = GameInfo::of_game(&game);
    /// assert_eq!((&info.name[..], &info.about[..]), ("fox-hounds:6", "fox against hounds"));
    /// assert_eq!(info.make("", "escape")?.fingerprint(), game.fingerprint());
    /// # Ok::<(), anser_games::NameError>(())
    /// ```
    pub fn of_game(game: &Hunt) -> GameInfo {
        let (name, rules) = (game.name().to_owned(), game.rules_id().to_owned());
        let game = game.clone();
        let [one, several] = layer_units(game.description());
        let [few, many] = Side::BOTH.map(|side| game.side_name(side).to_owned());
        let meaning = "Its only rules here.".to_owned();
        let sets = vec![RuleSetInfo { id: rules.clone(), meaning }];
        let make = {
            let (name, known) = (name.clone(), rules.clone());
            move |_: &str, rules: &str| {
                if rules == known {
                    return Ok(game.clone());
                }
                let problem = format!("only the rules {known} are known");
                Err(NameError::Rules { game: name.clone(), rules: rules.to_owned(), problem })
            }
        };
        GameInfo {
            layer_unit: several,
            layer_unit_one: one,
            ..GameInfo::new(name, format!("{few} against {many}"), rules, sets, make)
        }
    }

    /// Adds the rule sets of another description of this game.
    pub(crate) fn with_rules_of(mut self, other: &GameInfo) -> GameInfo {
        let (own, others) = (self.make.clone(), other.make.clone());
        self.rule_sets.extend_from_slice(&other.rule_sets);
        self.rule_sets.iter_mut().for_each(|rules| rules.meaning.clear());
        self.make = Arc::new(move |size, rules| own(size, rules).or_else(|_| others(size, rules)));
        self
    }

    /// The name with the default size: `fox-hounds:8`.
    pub fn default_name(&self) -> String {
        self.sized_name(self.sizes.map_or("", |sizes| sizes.default))
    }

    /// The name with a size: `fox-hounds:6`; the name alone if the size is empty.
    pub fn sized_name(&self, size: &str) -> String {
        if size.is_empty() { self.name.clone() } else { format!("{}:{size}", self.name) }
    }

    /// The number of a layer with what it counts: `13 geese`, `1 goose`; `layer 7` if it counts
    /// nothing that has a name.
    pub fn layer_text(&self, layer: u16) -> String {
        if self.layer_unit == "layer" {
            return format!("layer {layer}");
        }
        format!("{layer} {}", if layer == 1 { &self.layer_unit_one } else { &self.layer_unit })
    }

    /// Makes the game of a size, empty for games of one size, under a rule set.
    ///
    /// # Errors
    /// [`NameError`] if the game has no such size or rule set.
    pub fn make(&self, size: &str, rules: &str) -> Result<Hunt, NameError> {
        if let Some(other) = self.no_rule_sets.iter().find(|other| other.name == rules) {
            let NoRuleSetAnswer { name, meaning } = other.clone();
            return Err(NameError::NoRules { name, meaning });
        }
        (self.make)(size, rules)
    }

    /// Returns the opening of this name; [`START`] is where play starts.
    ///
    /// ```
    /// use anser_games::Registry;
    /// let registry = Registry::standard();
    /// let game = registry.game("fox-geese", None)?;
    /// let (info, _) = registry.find("fox-geese")?;
    /// let opening = info.opening(&game, "17")?;
    /// assert_eq!(game.layer(&opening), 17);
    /// assert!(info.opening(&game, "18").is_err());
    /// # Ok::<(), anser_games::NameError>(())
    /// ```
    ///
    /// # Errors
    /// [`NameError::Opening`] if the game has no opening of this name, [`NameError::NoOpening`] if
    /// the opening is no position under its rules.
    pub fn opening(&self, game: &Hunt, name: &str) -> Result<hunt::Position, NameError> {
        if name == START {
            return Ok(game.start());
        }
        let known = || self.openings.iter().map(|opening| &opening.name[..]);
        let found = self.openings.iter().find(|opening| opening.name == name);
        let opening = found.ok_or_else(|| NameError::Opening {
            game: self.name.clone(),
            opening: name.to_owned(),
            openings: [START].into_iter().chain(known()).map(str::to_owned).collect(),
        })?;
        game.parse_position(&opening.position).map_err(|_| NameError::NoOpening {
            game: self.name.clone(),
            rules: game.rules_id().to_owned(),
            opening: name.to_owned(),
        })
    }
}

impl fmt::Debug for GameInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameInfo").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Returns the pieces of the positions of a layer by placement: `4 tigers, 16 goats, 3 in hand,
/// 1 captured`. `None` for other layers, whose numbers count something, and for a layer without positions.
///
/// ```
/// use anser_games::{Registry, layer_pieces};
/// let registry = Registry::standard();
/// let game = registry.game("bagh-chal", None)?;
/// let pieces = layer_pieces(&game, game.layer(&game.start()));
/// assert_eq!(pieces.as_deref(), Some("4 tigers, 20 goats in hand"));
/// assert_eq!(layer_pieces(&registry.game("fox-geese", None)?, 13), None);
/// # Ok::<(), anser_games::NameError>(())
/// ```
pub fn layer_pieces(game: &Hunt, layer: u16) -> Option<String> {
    let description = game.description();
    if description.layers != Layering::Placement {
        return None;
    }
    let index = game.index(layer);
    let to_move = Side::BOTH.into_iter().find(|&side| index.len(side) > 0)?;
    let position = index.unrank(to_move, 0);
    let mut parts = Vec::new();
    for side in Side::BOTH {
        let of_side = description.side(side);
        let (on_board, in_hand) = (position.pieces(side).len(), position.in_hand(side).into());
        let name = |number: usize| if number == 1 { &of_side.piece } else { &of_side.name };
        parts.push(match (on_board, in_hand) {
            (0, 1..) => format!("{in_hand} {} in hand", name(in_hand)),
            (_, 0) => format!("{on_board} {}", name(on_board)),
            _ => format!("{on_board} {}, {in_hand} in hand", name(on_board)),
        });
        let captured = usize::from(of_side.number[1]) - on_board - in_hand;
        if captured > 0 {
            parts.push(format!("{captured} captured"));
        }
    }
    Some(parts.join(", "))
}

/// Returns the units of a layer number, singular and plural.
pub(crate) fn layer_units(description: &Description) -> [String; 2] {
    let many = &description.sides[1];
    match description.layers {
        Layering::Pieces => [many.piece.clone(), many.name.clone()],
        Layering::Advance | Layering::Plies => ["left".into(), "left".into()],
        Layering::Placement => ["layer".into(), "layer".into()],
    }
}
