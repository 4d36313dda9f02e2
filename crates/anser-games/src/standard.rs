//! The games of this workspace, an entry each.

use std::fmt::Display;

use anser_core::Hunt;
use anser_core::fox_geese;
use anser_core::fox_hounds;
use anser_core::hare_hounds;
use anser_core::hasenspiel;
use anser_core::hexapawn::{self, BoardSize};

use crate::embedded::FOX_GEESE;
use crate::error::NameError;
use crate::info::{GameInfo, NoRuleSet, Opening, Origin, RuleSetFamily, RuleSetInfo, Sizes};

/// All of them.
pub(crate) fn games() -> Vec<GameInfo> {
    vec![fox_geese(), fox_hounds(), hasenspiel(), hare_hounds(), hexapawn()]
}

/// Reads the id of a rule set.
fn read_rules<R: std::str::FromStr<Err: Display>>(
    game: &'static str,
    rules: &str,
) -> Result<R, NameError> {
    rules.parse().map_err(|problem: R::Err| NameError::Rules {
        game: game.to_owned(),
        rules: rules.to_owned(),
        problem: problem.to_string(),
    })
}

/// The error of a size.
fn wrong_size(game: &'static str, size: &str, problem: &impl Display) -> NameError {
    NameError::Size { game: game.to_owned(), size: size.to_owned(), problem: problem.to_string() }
}

/// Describes rule sets.
fn described<R: Display>(
    all: impl IntoIterator<Item = R>,
    meaning: impl Fn(&R) -> String,
) -> Vec<RuleSetInfo> {
    all.into_iter()
        .map(|rules| RuleSetInfo { id: rules.to_string(), meaning: meaning(&rules) })
        .collect()
}

/// The name of a game in texts.
fn titled(title: &str) -> Origin {
    Origin { title: Some(title.into()), ..Origin::default() }
}

fn fox_geese() -> GameInfo {
    GameInfo {
        layer_unit: "geese".into(),
        layer_unit_one: "goose".into(),
        embedded: FOX_GEESE,
        openings: vec![
            Opening {
                name: "13".into(),
                position: "3/3/7/3F3/ggggggg/ggg/ggg f".into(),
                about: "the classic opening with 13 geese, the fox to move".into(),
            },
            Opening {
                name: "15".into(),
                position: "3/3/7/g2F2g/ggggggg/ggg/ggg f".into(),
                about: "the classic opening with 15 geese, the fox to move".into(),
            },
            Opening {
                name: "17".into(),
                position: "3/3/g5g/g2F2g/ggggggg/ggg/ggg f".into(),
                about: "the classic opening with 17 geese, the fox to move".into(),
            },
        ],
        origin: titled("Fox-and-Geese"),
        ..GameInfo::new(
            "fox-geese",
            "Fox-and-Geese on the 33-point cross: a fox against 1 to 31 geese",
            "free",
            described(fox_geese::RuleSet::all(), |rules| rules.explain()),
            |_, rules| Ok(Hunt::fox_geese(read_rules("fox-geese", rules)?)),
        )
    }
}

fn fox_hounds() -> GameInfo {
    const NAME: &str = "fox-hounds";
    GameInfo {
        layer_unit: "left".into(),
        layer_unit_one: "left".into(),
        sizes: Some(Sizes {
            default: "8",
            meaning: "write fox-hounds:N for N x N squares, N 2, 4, 6, 8, 10 or 12",
            common: &["4", "6", "8", "10"],
        }),
        fairest_fuzz: &[("8", 0.006_935)],
        origin: titled("Fox-and-Hounds"),
        ..GameInfo::new(
            NAME,
            "Fox-and-Hounds: a fox against hounds that only go forward, N/2 of them on N x N squares",
            "escape",
            described(fox_hounds::RuleSet::all(), |rules| rules.explain().into()),
            |size, rules| {
                let no_number = |_| {
                    wrong_size(
                        NAME,
                        size,
                        &format_args!("{size:?} is no size of a board; say fox-hounds:8"),
                    )
                };
                let number = size.parse().map_err(no_number)?;
                let game = Hunt::fox_hounds(number, read_rules(NAME, rules)?);
                game.map_err(|error| wrong_size(NAME, size, &error))
            },
        )
    }
}

fn hasenspiel() -> GameInfo {
    const NAME: &str = "hasenspiel";
    GameInfo {
        layer_unit: "left".into(),
        layer_unit_one: "left".into(),
        sizes: Some(Sizes {
            default: "",
            meaning: "hasenspiel alone is the game of 8 x 8 squares and 4 pawns; write hasenspiel:N for N x N squares, \
                      N 2, 4, 6, 8, 10 or 12, and N/2 pawns, hasenspiel:N-P for P pawns, 1 to N/2",
            common: &["4", "6", "", "10"],
        }),
        no_rule_sets: &[NoRuleSet {
            name: "as-printed",
            meaning: "No rule set but the program of the document with its slip, which lets the rabbit on square 3, with \
                      pawns on 6 and 7, step onto the pawn on 6. `anser reproduce hasenspiel` and `anser policy \
                      hasenspiel` show its figures; play and tables use literal or author.",
        }],
        origin: titled("Hasenspiel"),
        ..GameInfo::new(
            NAME,
            "Hasenspiel: a rabbit against four pawns that only go forward, on 8 x 8 squares and others",
            "literal",
            described(hasenspiel::RuleSet::all(), |rules| rules.explain().into()),
            |size, rules| {
                let rules = read_rules(NAME, rules)?;
                let (rows, pawns) =
                    hasenspiel::parse_size(size).map_err(|error| wrong_size(NAME, size, &error))?;
                let game = Hunt::hasenspiel(rows, pawns, rules);
                game.map_err(|error| wrong_size(NAME, size, &error))
            },
        )
    }
}

fn hare_hounds() -> GameInfo {
    GameInfo {
        layer_unit: "left".into(),
        layer_unit_one: "left".into(),
        families: &[RuleSetFamily {
            pattern: "budget-N",
            #[expect(clippy::cast_lossless, reason = "`From` is not const")]
            range: [1, hare_hounds::RuleSet::LARGEST_BUDGET as u16],
            meaning: "As budget-60, with N plies: the hare has won when N plies are played.",
        }],
        origin: titled("Hare-and-Hounds"),
        ..GameInfo::new(
            "hare-hounds",
            "Hare-and-Hounds on eleven points: a hare against three hounds",
            "budget-60",
            described(hare_hounds::RuleSet::common(), |rules| rules.explain()),
            |_, rules| Ok(Hunt::hare_hounds(read_rules("hare-hounds", rules)?)),
        )
    }
}

fn hexapawn() -> GameInfo {
    const NAME: &str = "hexapawn";
    GameInfo {
        layer_unit: "to go".into(),
        layer_unit_one: "to go".into(),
        sizes: Some(Sizes {
            default: "3x3",
            meaning: "write hexapawn:MxN for M columns x N rows, M 1 to 8, N 3 to 8, 36 squares at most",
            common: &["3x3", "3x4", "3x5", "4x4", "4x5", "5x4", "5x5", "6x4"],
        }),
        origin: titled("Hexapawn"),
        ..GameInfo::new(
            NAME,
            "Hexapawn: pawns that step forward, capture diagonally, and want to get across",
            "standard",
            described(hexapawn::RuleSet::all(), |rules| rules.explain()),
            |size, rules| {
                let hexapawn::RuleSet::Standard = read_rules(NAME, rules)?;
                let board: BoardSize =
                    size.parse().map_err(|error| wrong_size(NAME, size, &error))?;
                Ok(Hunt::hexapawn(board))
            },
        )
    }
}
