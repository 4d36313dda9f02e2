//! Figures of the rules of a game.

use anser_analyse::{Chances, Errs, IdleRule, Study, Survey};
use anser_core::hunt::{MoveKind, Position};
use anser_core::words::{the, verb};
use anser_core::{BySide, Dtw, Hunt, Probe, Side};
use serde::{Deserialize, Serialize};

use super::position::by_outcome;
use super::{Map, RatedPosition};

/// Study of a rule set by the exact values of its game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyAnswer {
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// The start of the game.
    pub position: String,
    /// The openings with their values, the start first.
    pub openings: Vec<StudiedOpening>,
    /// All positions; null if they were not requested or exceed the memory.
    pub all: Option<SurveyAnswer>,
    /// The positions that play from the start can reach; null if they exceed the memory.
    pub reachable: Option<SurveyAnswer>,
    /// The chances from the start if sides err; null if the reachable positions exceed the memory,
    /// or are so many that chances have to be requested.
    pub chances: Option<ChancesAnswer>,
    /// Rules without an effect.
    pub idle_rules: Vec<IdleRuleAnswer>,
}

/// An opening with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudiedOpening {
    /// The name; `start` for the start of the game.
    pub name: String,
    /// The position with its value.
    #[serde(flatten)]
    pub rated: RatedPosition,
    /// Number of legal moves.
    pub legal_moves: u64,
    /// Number of legal moves that keep the outcome; all if the side to move loses.
    pub keeping_moves: u64,
}

/// The figures of some positions; symmetric ones are counted separately.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SurveyAnswer {
    /// Number of positions.
    pub positions: u64,
    /// By side to move.
    pub to_move: Map<SurveySide>,
    /// By winner: a position with the longest win; null if the side wins no position.
    pub longest: Map<Option<RatedPosition>>,
    /// The ends of the game, in the order in which they are tested.
    pub ends: Vec<EndCount>,
}

/// The figures of the positions with one side to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SurveySide {
    /// Number of positions by outcome.
    pub outcomes: Map<u64>,
    /// Number of positions in which the game is over.
    pub over: u64,
    /// Mean number of legal moves where the game goes on; null if it never does.
    pub mean_moves: Option<f64>,
    /// Number of positions in which the game goes on and exactly one move keeps the outcome.
    pub one_right_move: u64,
    /// Number of positions in which there is exactly one legal move.
    pub one_move: u64,
}

/// Frequency of an end of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EndCount {
    /// Why the game is over, in a few words.
    pub ending: String,
    /// The condition, as descriptions have it.
    pub when: String,
    /// The side that wins.
    pub outcome: String,
    /// Number of moves after which the game is over by it.
    pub count: u64,
}

/// Chances of sides that err.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChancesAnswer {
    /// Number of plies after which a game is undecided.
    pub plies: u32,
    /// The chances; random play comes first.
    pub table: Vec<ChanceRow>,
    /// With which probability of errors both sides win equally often, if errors were requested.
    pub even: Vec<EvenChance>,
}

/// The chances with some probabilities of errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChanceRow {
    /// By side: the probability that it plays any of its moves instead of a best one, 0 to 1.
    pub errors: Map<f64>,
    /// By side: its chance to win, 0 to 1.
    pub won: Map<f64>,
    /// Chance that neither side wins, 0 to 1.
    pub undecided: f64,
}

/// A probability of errors with which both sides win equally often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EvenChance {
    /// The sides that err, all with the same probability.
    pub errs: Vec<String>,
    /// The probability, 0 to 1; null if none was found.
    pub p: Option<f64>,
}

/// Positions in which a rule has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum IdlePlace {
    /// In no position of the game.
    Anywhere,
    /// In no position that play from the start can reach.
    Reachable,
}

/// A kind of rule without an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum IdleKind {
    /// A side wins no position with best play.
    Winner,
    /// No game ends by a rule.
    End,
    /// A side never jumps.
    Jump,
    /// A side never captures on the target.
    Capture,
    /// A side never captures several pieces in one turn.
    Chain,
    /// A side never passes.
    Pass,
}

/// A rule without an effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IdleRuleAnswer {
    /// The positions in which it has no effect.
    pub place: IdlePlace,
    /// The kind.
    pub kind: IdleKind,
    /// The side; of an end the one that would win.
    pub side: String,
    /// The condition of the end; null for other kinds.
    pub when: Option<String>,
    /// The fact in a sentence.
    pub text: String,
}

impl StudyAnswer {
    /// Describes a study of a game.
    pub fn new(
        game: &Hunt,
        study: &Study,
        openings: Vec<StudiedOpening>,
        chances: Option<ChancesAnswer>,
    ) -> StudyAnswer {
        StudyAnswer {
            game: game.name().into(),
            rules: game.rules_id().into(),
            position: game.format_position(&game.start()),
            openings,
            all: study.all.as_ref().map(|all| SurveyAnswer::new(game, all)),
            reachable: study.reachable.as_ref().map(|part| SurveyAnswer::new(game, part)),
            chances,
            idle_rules: IdleRuleAnswer::of(game, study),
        }
    }
}

impl StudiedOpening {
    /// Describes an opening by its value and those of its moves.
    ///
    /// # Errors
    /// Those of `values`.
    pub fn new<P: Probe + ?Sized>(
        game: &Hunt,
        name: &str,
        position: &Position,
        values: &P,
    ) -> Result<StudiedOpening, P::Error> {
        let value = values.value(position)?;
        let moves = values.rated_moves(game, position)?;
        let outcomes = moves.iter().filter_map(|rated| rated.value);
        let winner = game.winner(value.outcome);
        let keeping = outcomes.filter(|after| game.winner(after.outcome) == winner).count();
        Ok(StudiedOpening {
            name: name.into(),
            rated: RatedPosition::new(game, position, Some(value)),
            legal_moves: moves.len() as u64,
            keeping_moves: keeping as u64,
        })
    }
}

impl SurveyAnswer {
    /// Describes a survey.
    pub fn new(game: &Hunt, survey: &Survey) -> SurveyAnswer {
        let side = |side: Side| {
            let of = &survey.to_move[side];
            SurveySide {
                outcomes: by_outcome(game, |outcome| of.outcome(outcome)),
                over: of.over,
                mean_moves: of.mean_moves(),
                one_right_move: of.one_right_move,
                one_move: of.one_move,
            }
        };
        let longest = |winner: Side| {
            survey.longest[winner].map(|win| {
                let value = Dtw::win(winner, win.plies).into();
                RatedPosition::new(game, &win.position, Some(value))
            })
        };
        let ends = game.description().ends.iter().zip(&survey.ends);
        let ends = ends.map(|(end, &count)| EndCount {
            ending: end.text.clone(),
            when: end.condition.words(|point| point_name(game, point)),
            outcome: game.side_name(end.winner).into(),
            count,
        });
        SurveyAnswer {
            positions: survey.positions(),
            to_move: Map::by_side(game, side),
            longest: Map::by_side(game, longest),
            ends: ends.collect(),
        }
    }

    /// Returns the number of positions with this outcome, as [`outcome_name`](super::outcome_name)
    /// has it.
    pub fn outcome(&self, name: &str) -> u64 {
        self.to_move.iter().filter_map(|(_, side)| side.outcomes.get(name)).sum()
    }
}

impl SurveySide {
    /// Returns the number of positions in which the game goes on.
    pub fn in_play(&self) -> u64 {
        self.outcomes.iter().map(|(_, count)| count).sum::<u64>() - self.over
    }
}

impl ChanceRow {
    /// Describes the chances with these probabilities of errors.
    pub fn new(game: &Hunt, errors: BySide<f64>, chances: Chances) -> ChanceRow {
        let by_side = |of: BySide<f64>| Map::by_side(game, |side| of[side]);
        ChanceRow {
            errors: by_side(errors),
            won: by_side(chances.won),
            undecided: chances.undecided(),
        }
    }
}

impl EvenChance {
    /// Describes the probability for sides that err.
    pub fn new(game: &Hunt, errs: Errs, p: Option<f64>) -> EvenChance {
        let sides = match errs {
            Errs::One(side) => vec![side],
            Errs::Both => Side::BOTH.into(),
        };
        let errs = sides.into_iter().map(|side| game.side_name(side).into()).collect();
        EvenChance { errs, p }
    }
}

impl IdleRuleAnswer {
    /// Describes the rules without an effect: those that have none anywhere, and then those that
    /// have none in the reachable positions alone.
    pub fn of(game: &Hunt, study: &Study) -> Vec<IdleRuleAnswer> {
        let idle = |survey: &Option<Survey>| {
            survey.as_ref().map_or_else(Vec::new, |survey| survey.idle_rules(game))
        };
        let anywhere = idle(&study.all);
        let mut reachable = idle(&study.reachable);
        reachable.retain(|rule| !anywhere.contains(rule));
        let describe =
            |place: IdlePlace| move |rule: IdleRule| IdleRuleAnswer::new(game, place, rule);
        let anywhere = anywhere.into_iter().map(describe(IdlePlace::Anywhere));
        anywhere.chain(reachable.into_iter().map(describe(IdlePlace::Reachable))).collect()
    }

    fn new(game: &Hunt, place: IdlePlace, rule: IdleRule) -> IdleRuleAnswer {
        let never = |side: Side, singular: &str, plural: &str| {
            format!("{} never {}", the(game, side), verb(game, side, singular, plural))
        };
        let mut when = None;
        let (kind, side, text) = match rule {
            IdleRule::Winner(side) => {
                let wins = verb(game, side, "wins", "win");
                (IdleKind::Winner, side, format!("{} {wins} no position", the(game, side)))
            }
            IdleRule::End(number) => {
                let end = &game.description().ends[number];
                let words = end.condition.words(|point| point_name(game, point));
                let text = format!(
                    "no game ends by \"{}\" ({words}), a win for {}",
                    end.text,
                    the(game, end.winner)
                );
                when = Some(words);
                (IdleKind::End, end.winner, text)
            }
            IdleRule::Moves(side, MoveKind::Pass) => {
                (IdleKind::Pass, side, never(side, "passes", "pass"))
            }
            IdleRule::Moves(side, MoveKind::Capture) => {
                (IdleKind::Capture, side, never(side, "captures", "capture"))
            }
            IdleRule::Moves(side, _) => (IdleKind::Jump, side, never(side, "jumps", "jump")),
            IdleRule::Chain(side) => {
                let text = never(side, "captures", "capture") + " more than one piece in a turn";
                (IdleKind::Chain, side, text)
            }
        };
        IdleRuleAnswer { place, kind, side: game.side_name(side).into(), when, text }
    }
}

fn point_name(game: &Hunt, point: u8) -> String {
    game.description().points[usize::from(point)].name.clone()
}
