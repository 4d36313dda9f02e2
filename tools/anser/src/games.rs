//! The games there are. A new game is one entry of [`GAMES`] and one arm of [`play`].

use anser_core::Game;
use anser_core::fox_geese::{self, FoxGeese};
use anser_core::fox_hounds::{self, FoxHounds};
use anser_core::hare_hounds::{self, HareHounds};
use anser_core::hasenspiel::{self, Hasenspiel};
use anser_core::hexapawn::{self, BoardSize, Hexapawn};
use anser_core::hounds::{Hunt, HuntRules};

use crate::failure::Failure;

/// What people are told of a game.
pub(crate) struct GameInfo {
    /// The name on the command line, without a size.
    pub(crate) name: &'static str,
    /// The size that follows the name after a colon, for games that come in sizes.
    pub(crate) size: Option<SizeInfo>,
    /// One line.
    pub(crate) about: &'static str,
    /// What the layers are numbered by.
    pub(crate) layer: &'static str,
    /// The rule set that is meant where none is named.
    pub(crate) default_rules: &'static str,
    /// The rule sets, with what they mean.
    pub(crate) rules: fn() -> Vec<RulesInfo>,
    /// The rule sets that differ by a number; `rules` lists some of them.
    pub(crate) families: &'static [RulesFamily],
    /// What is named beside the rule sets and is none.
    pub(crate) no_rules: &'static [NoRules],
    /// The openings that have a name, besides `start`.
    pub(crate) openings: &'static [Opening],
}

/// The sizes of a game.
pub(crate) struct SizeInfo {
    /// The one that is meant where none is named.
    pub(crate) usual: &'static str,
    /// What to write.
    pub(crate) meaning: &'static str,
}

/// An opening that has a name.
pub(crate) struct Opening {
    /// What `--opening` takes.
    pub(crate) name: &'static str,
    /// In the notation of the game.
    pub(crate) position: &'static str,
    /// One line.
    pub(crate) about: &'static str,
}

/// The opening that every game has: where play starts.
pub(crate) const START: &str = "start";

/// Rule sets that differ by a number.
pub(crate) struct RulesFamily {
    /// The id, with N for the number.
    pub(crate) pattern: &'static str,
    /// The least N and the greatest.
    pub(crate) range: [u16; 2],
    /// What they mean, in sentences.
    pub(crate) meaning: &'static str,
}

/// Something that is named beside rule sets and is none.
pub(crate) struct NoRules {
    pub(crate) name: &'static str,
    /// What it is, and where it is to be had, in sentences.
    pub(crate) meaning: &'static str,
}

/// What people are told of a rule set.
pub(crate) struct RulesInfo {
    /// The id on the command line.
    pub(crate) id: String,
    /// What it means, in sentences.
    pub(crate) meaning: String,
}

/// All games.
pub(crate) const GAMES: &[GameInfo] = &[
    GameInfo {
        name: "fox-geese",
        size: None,
        about: "Fox-and-Geese on the 33-point cross: a fox against 1 to 31 geese",
        layer: "geese",
        default_rules: "free",
        rules: || {
            fox_geese::RuleSet::all()
                .map(|rules| RulesInfo { id: rules.to_string(), meaning: rules.explain() })
                .collect()
        },
        families: &[],
        no_rules: &[],
        openings: &[
            Opening {
                name: "13",
                position: "3/3/7/3F3/ggggggg/ggg/ggg f",
                about: "the classic opening with 13 geese, the fox to move",
            },
            Opening {
                name: "15",
                position: "3/3/7/g2F2g/ggggggg/ggg/ggg f",
                about: "the classic opening with 15 geese, the fox to move",
            },
            Opening {
                name: "17",
                position: "3/3/g5g/g2F2g/ggggggg/ggg/ggg f",
                about: "the classic opening with 17 geese, the fox to move",
            },
        ],
    },
    GameInfo {
        name: "fox-hounds",
        size: Some(SizeInfo { usual: "8", meaning: "write fox-hounds:N for N x N squares, N 2, 4, 6, 8, 10 or 12" }),
        about: "Fox-and-Hounds: a fox against hounds that only go forward, N/2 of them on N x N squares",
        layer: "left",
        default_rules: "escape",
        rules: || {
            let all = fox_hounds::RuleSet::all();
            all.map(|rules| RulesInfo { id: rules.to_string(), meaning: rules.explain().into() }).collect()
        },
        families: &[],
        no_rules: &[],
        openings: &[],
    },
    GameInfo {
        name: "hasenspiel",
        size: Some(SizeInfo {
            usual: "",
            meaning: "hasenspiel alone is the game of 8 x 8 squares and 4 pawns; write hasenspiel:N for N x N squares, N 2, 4, \
                      6, 8, 10 or 12, and N/2 pawns, hasenspiel:N-P for P pawns, 1 to N/2",
        }),
        about: "Hasenspiel: a rabbit against four pawns that only go forward, on 8 x 8 squares and others",
        layer: "left",
        default_rules: "literal",
        rules: || {
            let all = hasenspiel::RuleSet::all();
            all.map(|rules| RulesInfo { id: rules.to_string(), meaning: rules.explain().into() }).collect()
        },
        families: &[],
        no_rules: &[NoRules {
            name: "as-printed",
            meaning: "No rule set but the program of the document with its slip, which lets the rabbit on square 3, with \
                      pawns on 6 and 7, step onto the pawn on 6. `anser reproduce hasenspiel` and `anser policy \
                      hasenspiel` show its figures; play and tables use literal or author.",
        }],
        openings: &[],
    },
    GameInfo {
        name: "hare-hounds",
        size: None,
        about: "Hare-and-Hounds on eleven points: a hare against three hounds",
        layer: "left",
        default_rules: "budget-60",
        rules: || {
            let common = hare_hounds::RuleSet::common();
            common.map(|rules| RulesInfo { id: rules.to_string(), meaning: rules.explain() }).collect()
        },
        families: &[RulesFamily {
            pattern: "budget-N",
            range: [1, hare_hounds::RuleSet::LARGEST_BUDGET as u16],
            meaning: "As budget-60, with N plies: the hare has won when N plies are played.",
        }],
        no_rules: &[],
        openings: &[],
    },
    GameInfo {
        name: "hexapawn",
        size: Some(SizeInfo {
            usual: "3x3",
            meaning: "write hexapawn:MxN for M columns x N rows, M 1 to 8, N 3 to 8, 36 squares at most",
        }),
        about: "Hexapawn: pawns that step forward, capture diagonally, and want to get across",
        layer: "to go",
        default_rules: "standard",
        rules: || {
            let all = hexapawn::RuleSet::all();
            all.map(|rules| RulesInfo { id: rules.to_string(), meaning: rules.explain() }).collect()
        },
        families: &[],
        no_rules: &[],
        openings: &[],
    },
];

impl GameInfo {
    /// An error that says what it is, if this is no rule set but the name of something else.
    fn refuse(&self, rules: &str) -> Result<(), Failure> {
        match self.no_rules.iter().find(|other| other.name == rules) {
            Some(NoRules { name, meaning }) => Err(Failure::usage(format!("{name}: {meaning}"))),
            None => Ok(()),
        }
    }

    /// The name with the usual size.
    pub(crate) fn usual_name(&self) -> String {
        match &self.size {
            None => self.name.to_owned(),
            Some(size) if size.usual.is_empty() => self.name.to_owned(),
            Some(size) => format!("{}:{}", self.name, size.usual),
        }
    }
}

/// Something to be done with a game, whichever it is.
pub(crate) trait Job {
    /// What comes of it.
    type Output;

    /// Does it. `info` is the game's entry.
    fn run<G: Game>(self, game: &G, info: &GameInfo) -> Result<Self::Output, Failure>;
}

/// Does a job with the game of this name, of the usual size if none is named, under the rule set of this id or the usual
/// one.
pub(crate) fn play<J: Job>(name: &str, rules: Option<&str>, job: J) -> Result<J::Output, Failure> {
    let (info, size) = find(name)?;
    let rules = rules.unwrap_or(info.default_rules);
    info.refuse(rules)?;
    match info.name {
        "fox-geese" => job.run(&FoxGeese::new(rules.parse().map_err(Failure::usage)?), info),
        "fox-hounds" => job.run(&fox_hounds(size, rules)?, info),
        "hasenspiel" => job.run(&hasenspiel(size, rules)?, info),
        "hare-hounds" => job.run(&HareHounds::new(rules.parse().map_err(Failure::usage)?), info),
        "hexapawn" => job.run(&hexapawn(size, rules)?, info),
        _ => Err(unknown(name)),
    }
}

/// The opening of this name, of the game of the name `game_name`.
pub(crate) fn opening<G: Game>(game: &G, game_name: &str, name: &str) -> Result<G::Position, Failure> {
    let (info, _) = find(game_name)?;
    if name == START {
        return Ok(game.start());
    }
    let Some(opening) = info.openings.iter().find(|opening| opening.name == name) else {
        let names: Vec<&str> = [START].into_iter().chain(info.openings.iter().map(|opening| opening.name)).collect();
        let problem = format!("{} has no opening {name:?}; its openings are {}", info.name, names.join(", "));
        return Err(Failure::usage(problem).advice("`anser games` describes them"));
    };
    Ok(game.parse_position(opening.position)?)
}

/// Hexapawn of this size under the rules of this id.
pub(crate) fn hexapawn(size: &str, rules: &str) -> Result<Hexapawn, Failure> {
    let hexapawn::RuleSet::Standard = rules.parse().map_err(Failure::usage)?;
    Ok(Hexapawn::new(size.parse::<BoardSize>().map_err(Failure::usage)?))
}

/// Hasenspiel of this size under the rules of this id.
pub(crate) fn hasenspiel(size: &str, rules: &str) -> Result<Hasenspiel, Failure> {
    Hasenspiel::of_size(size, rules.parse().map_err(Failure::usage)?).map_err(Failure::usage)
}

/// Fox-and-Hounds of this size under the rules of this id.
pub(crate) fn fox_hounds(size: &str, rules: &str) -> Result<FoxHounds, Failure> {
    let number =
        size.parse().map_err(|_| Failure::usage(format!("{size:?} is no size of a board; say fox-hounds:8")))?;
    FoxHounds::new(number, rules.parse().map_err(Failure::usage)?).map_err(Failure::usage)
}

/// Something to be done with a game of a lone man against a pack.
pub(crate) trait HuntJob {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run<R: HuntRules>(self, game: &Hunt<R>) -> Result<Self::Output, Failure>;
}

/// Does a job with the hunt of this name; other games are told that the question is not about them.
pub(crate) fn hunt<J: HuntJob>(name: &str, rules: Option<&str>, job: J) -> Result<J::Output, Failure> {
    let (info, size) = find(name)?;
    let rules = rules.unwrap_or(info.default_rules);
    info.refuse(rules)?;
    match info.name {
        "fox-hounds" => job.run(&fox_hounds(size, rules)?),
        "hasenspiel" => job.run(&hasenspiel(size, rules)?),
        _ => Err(Failure::usage(format!(
            "this is a question about a lone man and a pack that holds it: ask it of fox-hounds:8 or hasenspiel, not of {name}"
        ))),
    }
}

/// The entry of a game, and its size: empty for games that have one size.
pub(crate) fn find(name: &str) -> Result<(&'static GameInfo, &str), Failure> {
    let (base, size) = name.split_once(':').map_or((name, None), |(base, size)| (base, Some(size)));
    let info = GAMES.iter().find(|game| game.name == base).ok_or_else(|| unknown(name))?;
    match (&info.size, size) {
        (None, None) => Ok((info, "")),
        (None, Some(_)) => Err(Failure::usage(format!("{base} comes in one size; say {base}"))),
        (Some(sizes), size) => Ok((info, size.unwrap_or(sizes.usual))),
    }
}

/// The name of a game whose name in file names is this: they have a hyphen for the colon.
pub(crate) fn name_of(in_file_names: &str) -> String {
    let sized = GAMES.iter().filter(|info| info.size.is_some()).find_map(|info| {
        let size = in_file_names.strip_prefix(info.name)?.strip_prefix('-')?;
        Some(format!("{}:{size}", info.name))
    });
    sized.unwrap_or_else(|| in_file_names.to_owned())
}

fn unknown(name: &str) -> Failure {
    let names: Vec<&str> = GAMES.iter().map(|game| game.name).collect();
    Failure::usage(format!("no game is called {name:?}; there is {}", names.join(", ")))
        .advice("`anser games` describes them")
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Describe;

    impl Job for Describe {
        type Output = (String, String);

        fn run<G: Game>(self, game: &G, _: &GameInfo) -> Result<Self::Output, Failure> {
            Ok((game.name(), game.rules_id()))
        }
    }

    /// Writes all openings of a game as the game does.
    struct Openings;

    impl Job for Openings {
        type Output = Vec<(String, String)>;

        fn run<G: Game>(self, game: &G, info: &GameInfo) -> Result<Self::Output, Failure> {
            let written = |listed: &Opening| {
                let position = opening(game, info.name, listed.name)?;
                Ok((listed.position.to_owned(), game.format_position(&position)))
            };
            info.openings.iter().map(written).collect()
        }
    }

    #[test]
    fn openings_are_positions_of_their_games() {
        for info in GAMES {
            for (listed, parsed) in play(info.name, None, Openings).expect("openings are positions") {
                assert_eq!(listed, parsed);
            }
        }
    }

    #[test]
    fn every_entry_is_true_of_its_game() {
        for info in GAMES {
            let described = play(info.name, None, Describe).expect("the game has an arm");
            assert_eq!(described, (info.usual_name(), info.default_rules.into()));
            assert_eq!(name_of(&info.usual_name().replace(':', "-")), info.usual_name());
            assert!((info.rules)().iter().any(|rules| rules.id == info.default_rules));
            for rules in (info.rules)() {
                let (_, id) = play(info.name, Some(&rules.id), Describe).expect("the rule set can be played");
                assert_eq!(id, rules.id);
            }
            for family in info.families {
                let [least, most] = family.range;
                let played =
                    |number: u32| play(info.name, Some(&family.pattern.replace('N', &number.to_string())), Describe);
                assert!(played(least.into()).is_ok() && played(most.into()).is_ok(), "{}", family.pattern);
                assert!(played(u32::from(least) - 1).is_err() && played(u32::from(most) + 1).is_err());
            }
            for other in info.no_rules {
                let failure = play(info.name, Some(other.name), Describe).expect_err("it is no rule set");
                assert!(failure.message().contains("anser reproduce"), "{}", failure.message());
            }
        }
    }
}
