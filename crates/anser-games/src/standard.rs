//! The games of this workspace, an entry each.

use std::fmt::Display;

use anser_core::Hunt;
use anser_core::hexapawn::BoardSize;
use anser_core::hunt::{FOX_GEESE_RULES, FamilyError};

use crate::answers::{FamilyAnswer, NoRuleSetAnswer};
use crate::embedded::FOX_GEESE;
use crate::error::NameError;
use crate::info::{GameInfo, Opening, Origin, RuleSetInfo, Sizes};

/// All of them.
pub(crate) fn games() -> Vec<GameInfo> {
    vec![fox_geese(), fox_hounds(), hasenspiel(), hare_hounds(), hexapawn()]
}

/// The error of the id of a rule set.
fn wrong_rules(game: &str, rules: &str, problem: String) -> NameError {
    NameError::Rules { game: game.to_owned(), rules: rules.to_owned(), problem }
}

/// The error of a size.
fn wrong_size(game: &str, size: &str, problem: &impl Display) -> NameError {
    NameError::Size { game: game.to_owned(), size: size.to_owned(), problem: problem.to_string() }
}

/// The error of a game of a size under a rule set.
fn wrong(game: &str, size: &str, rules: &str, error: FamilyError) -> NameError {
    match error {
        FamilyError::Rules(problem) => wrong_rules(game, rules, problem),
        FamilyError::Size(error) => wrong_size(game, size, &error),
    }
}

/// A rule set, and what it means.
fn rule_set(id: &str, meaning: impl Into<String>) -> RuleSetInfo {
    RuleSetInfo { id: id.into(), meaning: meaning.into() }
}

/// The origin of a game by its title and the publication that prints its rules.
fn origin(title: &str, source: &str) -> Origin {
    Origin { title: Some(title.into()), source: Some(source.into()), ..Origin::default() }
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
        origin: Origin {
            region: Some("Europe".into()),
            date: Some("1633 to 1801".into()),
            ..origin(
                "Fox-and-Geese",
                "Murray 1951: 102-103; Strutt 1801 (1845): 318-319; Edelkamp and Messerschmidt 2010",
            )
        },
        ..GameInfo::new(
            "fox-geese",
            "Fox-and-Geese on the 33-point cross: a fox against 1 to 31 geese",
            "free",
            FOX_GEESE_RULES.map(|id| rule_set(id, fox_geese_meaning(id))).into(),
            |size, rules| {
                Hunt::fox_geese(rules).map_err(|error| wrong("fox-geese", size, rules, error))
            },
        )
    }
}

fn fox_geese_meaning(id: &str) -> String {
    let has = |part: &str| id.split('+').any(|other| other == part);
    let steps = if has("forward") {
        "Geese step sideways or toward rank 7, along the diagonals too, never backward."
    } else {
        "Geese step in any direction."
    };
    let captures = match (has("chain"), has("compulsory")) {
        _ if has("first-capture") => "The fox wins with its first capture.",
        (false, false) => {
            "The fox may capture one goose a turn by jumping over it; it never has to."
        }
        (true, false) => {
            "The fox may capture by jumping and may go on jumping in the same turn; it never has to."
        }
        (false, true) => "A fox that can capture must; it takes one goose a turn.",
        (true, true) => {
            "A fox that can capture must, and goes on jumping in the same turn until it cannot; it \
             chooses the way."
        }
    };
    let lines = if has("orthogonal") { " The board has no diagonal lines." } else { "" };
    format!("{steps} {captures}{lines}")
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
        origin: origin("Fox-and-Hounds", "Fox & Hounds, an article that names no author"),
        ..GameInfo::new(
            NAME,
            "Fox-and-Hounds: a fox against hounds that only go forward, N/2 of them on N x N squares",
            "escape",
            vec![
                rule_set(
                    "escape",
                    "A side to move that has no move has lost. The fox has also won when it has \
                     escaped: its square and at least one square next to it are where no hound can \
                     ever come. Whoever is to move, the game is over then.",
                ),
                rule_set(
                    "strict",
                    "A side to move that has no move has lost, and nothing else ends the game: a \
                     fox that has escaped still has to wait until the hounds have run out of moves.",
                ),
            ],
            |size, rules| {
                let no_number = |_| {
                    wrong_size(
                        NAME,
                        size,
                        &format_args!("{size:?} is no size of a board; say fox-hounds:8"),
                    )
                };
                let number = size.parse().map_err(no_number)?;
                Hunt::fox_hounds(number, rules).map_err(|error| wrong(NAME, size, rules, error))
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
            meaning: "hasenspiel alone is the game of 8 x 8 squares and 4 pawns; write hasenspiel:N \
                      for N x N squares, N 2, 4, 6, 8, 10 or 12, and N/2 pawns, hasenspiel:N-P for \
                      P pawns, 1 to N/2",
            common: &["4", "6", "", "10"],
        }),
        no_rule_sets: vec![NoRuleSetAnswer {
            name: "as-printed".into(),
            meaning: "No rule set but the program of the document with its slip, which lets the \
                      rabbit on square 3, with pawns on 6 and 7, step onto the pawn on 6. `anser \
                      reproduce hasenspiel` and `anser policy hasenspiel` show its figures; play and \
                      tables use literal or author."
                .into(),
        }],
        origin: Origin {
            region: Some("Germany".into()),
            date: Some("2025".into()),
            ..origin("Hasenspiel", "Capel 2025: Hasenspiel - Escape the White Rabbit")
        },
        ..GameInfo::new(
            NAME,
            "Hasenspiel: a rabbit against four pawns that only go forward, on 8 x 8 squares and others",
            "literal",
            vec![
                rule_set(
                    "literal",
                    "The rabbit wins on reaching the bottom row, even if it could not move on from \
                     there. Otherwise a side to move that has no move has lost.",
                ),
                rule_set(
                    "author",
                    "The rabbit wins as soon as the number of its square is less than the lowest \
                     pawn's plus 3, squares being numbered from 0 on a1, row by row: then it has \
                     passed the pawns, or nearly. On boards of other sizes it is one less than a \
                     row has squares for the 3. Otherwise a side to move that has no move has lost. \
                     This is the test of the author's program; his words are the rule set literal.",
                ),
            ],
            |size, rules| {
                let no_size = |problem: &dyn Display| {
                    let right = "write hasenspiel:10 for 10 x 10 squares, hasenspiel:10-3 for 3 \
                                 pawns there";
                    wrong_size(NAME, size, &format_args!("{problem}; {right}"))
                };
                let no_number = || no_size(&format_args!("{size:?} is no size of Hasenspiel"));
                let (rows, pawns) = rows_and_pawns(size).ok_or_else(no_number)?;
                Hunt::hasenspiel(rows, pawns, rules).map_err(|error| match error {
                    FamilyError::Rules(problem) => wrong_rules(NAME, rules, problem),
                    FamilyError::Size(error) => no_size(&error),
                })
            },
        )
    }
}

/// Returns the number of rows and that of the pawns of a size of Hasenspiel: `10` for 10 x 10
/// squares and a full bottom row of pawns, `10-3` for 3 pawns, the empty text for the game of the
/// document.
fn rows_and_pawns(size: &str) -> Option<(usize, usize)> {
    let number = |text: &str| {
        let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
        text.parse().ok().filter(|_| plain)
    };
    match size.split_once('-') {
        _ if size.is_empty() => Some((8, 4)),
        Some((size, pawns)) => Some((number(size)?, number(pawns)?)),
        None => number(size).map(|size: usize| (size, size / 2)),
    }
}

fn hare_hounds() -> GameInfo {
    const MOVES: &str = "The hare steps along any line, a hound to the right, up or down. The hare \
                         wins on point 4; a side to move that cannot has lost. ";
    GameInfo {
        layer_unit: "left".into(),
        layer_unit_one: "left".into(),
        families: vec![FamilyAnswer {
            pattern: "budget-N".into(),
            least: 1,
            greatest: 200,
            meaning: "As budget-60, with N plies: the hare has won when N plies are played.".into(),
        }],
        origin: origin(
            "Hare-and-Hounds",
            "A study of Hare and Hounds, an article that names no author",
        ),
        ..GameInfo::new(
            "hare-hounds",
            "Hare-and-Hounds on eleven points: a hare against three hounds",
            "budget-60",
            vec![
                rule_set(
                    "budget-60",
                    MOVES.to_owned()
                        + "The hare has also won when 60 plies are played, counted from the \
                           position that is asked about, so there are no draws.",
                ),
                rule_set(
                    "unlimited",
                    MOVES.to_owned() + "Play may go on for ever, which is a draw.",
                ),
            ],
            |size, rules| {
                Hunt::hare_hounds(rules).map_err(|error| wrong("hare-hounds", size, rules, error))
            },
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
            meaning: "write hexapawn:MxN for M columns x N rows, M 1 to 8, N 3 to 8, 36 squares at \
                most",
            common: &["3x3", "3x4", "3x5", "4x4", "4x5", "5x4", "5x5", "6x4"],
        }),
        origin: Origin {
            region: Some("United States".into()),
            date: Some("1962".into()),
            ..origin("Hexapawn", "Gardner: Scientific American, March 1962")
        },
        ..GameInfo::new(
            NAME,
            "Hexapawn: pawns that step forward, capture diagonally, and want to get across",
            "standard",
            vec![rule_set(
                "standard",
                "A pawn steps straight forward to an empty square, or captures one square diagonally \
                 forward. A side whose pawn reaches the far row has won; a side to move without a \
                 pawn or without a move has lost. White moves first.",
            )],
            |size, rules| {
                if rules != "standard" {
                    let problem = format!(
                        "no rule set is called {rules:?}; the rule set of Hexapawn is standard"
                    );
                    return Err(wrong_rules(NAME, rules, problem));
                }
                let board: BoardSize =
                    size.parse().map_err(|error| wrong_size(NAME, size, &error))?;
                Ok(Hunt::hexapawn(board))
            },
        )
    }
}
