//! Models, and grades of players, for the commands about learners.

use std::path::{Path, PathBuf};

use anser_analyse::known_moves;
use anser_core::{Hunt, hunt};
use anser_games::Values;
use anser_games::answers::{
    CountsByMoves, CountsByPlies, ModelAnswer, MoveAnswer, PlayerAnswer, WrongMove, outcome_name,
};
use anser_learn::{
    Description, Encoding, Grade, LearnError, Model, NetworkEvaluator, Player, Searcher,
    SolutionGrade, draw_decisions, grade, grade_decisions,
};
use anser_retrograde::Solution;
use clap::{Args, ValueHint};

use crate::args::within;
use crate::board::board;
use crate::failure::Failure;
use crate::games;
use crate::progress::Progress;
use crate::question::{LayerQuestion, LayerSourceArgs};
use crate::text::{Columns, grouped, or_dash, percent, plies, won_for};

/// Argument that selects a model.
#[derive(Args, Debug)]
pub(crate) struct ModelArg {
    /// Model, as written by `anser learn` [default: the one that is part of anser, for
    /// hexapawn:3x3 and hexapawn:4x4]
    #[arg(long = "model", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) path: Option<PathBuf>,
}

impl ModelArg {
    /// Reads the model, or the one that is part of the program.
    pub(crate) fn load(&self, game: &Hunt) -> Result<LoadedModel, Failure> {
        let model = match &self.path {
            Some(path) => Model::read(path)?,
            None => Model::shipped(game).ok_or_else(|| {
                let name = game.name();
                Failure::missing(format!("no model of {name} is part of anser")).advice(
                    format_args!(
                        "`anser learn {}` trains one; --model FILE reads it",
                        games::word(name)
                    ),
                )
            })?,
        };
        let encoding = model.encoding(game)?;
        Ok(LoadedModel { model, encoding, path: self.path.clone() })
    }
}

/// A model of the requested game.
pub(crate) struct LoadedModel {
    model: Model,
    encoding: Box<dyn Encoding>,
    path: Option<PathBuf>,
}

impl LoadedModel {
    /// Returns the model as a player that searches with this number of simulations before each
    /// move.
    pub(crate) fn player<'a>(
        &'a self,
        game: &'a Hunt,
        simulations: u32,
    ) -> Searcher<'a, NetworkEvaluator<'a>> {
        let play = self.model.description.settings.play;
        play.player(game, &*self.encoding, &self.model.network, simulations)
    }

    /// The simulations of its training.
    pub(crate) fn simulations(&self) -> u32 {
        self.model.description.settings.play.search.simulations
    }

    pub(crate) fn answer(&self) -> ModelAnswer {
        model_answer(&self.model.description, self.path.as_deref())
    }
}

/// Describes a model.
pub(crate) fn model_answer(model: &Description, path: Option<&Path>) -> ModelAnswer {
    ModelAnswer {
        file: path.map(|path| path.display().to_string()),
        encoding: model.encoding.clone(),
        parameters: model.shape.parameters() as u64,
        seed: model.seed,
        iterations: model.history.len() as u64,
    }
}

/// Exact values for grades.
#[derive(Clone, Copy)]
pub(crate) enum Truth<'a> {
    /// The values of all reachable positions.
    Whole(&'a Solution),
    /// Randomly drawn decisions of some layers, and the values of the layers.
    Drawn { values: &'a Values, decisions: &'a [hunt::Position] },
}

/// Arguments that select layers, and decisions of them.
#[derive(Args, Debug)]
pub(crate) struct DrawnArgs {
    #[command(flatten)]
    pub(crate) source: LayerSourceArgs,
    /// With --layers: number of decisions to draw and grade
    #[arg(
        long, value_name = "N", default_value_t = 10_000, requires = "range",
        value_parser = within::<usize>(1..=10_000_000)
    )]
    pub(crate) samples: usize,
}

impl LayerQuestion<'_> {
    /// Draws decisions of the layers, to grade players on them.
    pub(crate) fn drawn(&self, count: usize, seed: u64) -> Result<Vec<hunt::Position>, Failure> {
        let decisions = draw_decisions(self.game, self.layers.clone(), count, seed);
        if decisions.is_empty() {
            return Err(Failure::usage("these layers have no position with several legal moves")
                .advice("choose other layers"));
        }
        Ok(decisions)
    }
}

/// Grades a player; lists up to `list` wrong moves.
pub(crate) fn graded(
    game: &Hunt,
    truth: Truth<'_>,
    player: &mut dyn Player,
    (name, simulations): (&'static str, Option<u32>),
    list: usize,
    progress: &Progress,
) -> Result<PlayerAnswer, Failure> {
    let grade: Grade = match truth {
        Truth::Whole(solution) => grade(solution, player, progress)?,
        Truth::Drawn { values, decisions } => {
            grade_decisions(game, &values.exact(), decisions, player, progress)?
        }
    };
    let mut worst = Vec::new();
    for (position, choice) in grade.worst.iter().take(list) {
        let (value, moves) = match truth {
            Truth::Whole(solution) => {
                (solution.require(position)?, known_moves(game, solution, position))
            }
            Truth::Drawn { values, .. } => {
                (values.distance(position)?, known_moves(game, values, position))
            }
        };
        let side = position.to_move();
        let score = |number: usize| moves[number].value.map(|value| value.score(side));
        let best = (0..moves.len()).map(score).max().flatten();
        let best = (0..moves.len()).filter(|&number| score(number) == best);
        worst.push(WrongMove {
            position: game.format_position(position),
            outcome: outcome_name(game, value.outcome()).into(),
            dtw: value.plies(),
            played: MoveAnswer::new(game, &moves[*choice]),
            best: best.map(|number| game.format_move(&moves[number].mv)).collect(),
        });
    }
    let by_moves = grade.by_moves.into_iter();
    let by_moves = by_moves.map(|(moves, counts)| CountsByMoves { choices: moves as u64, counts });
    let by_plies = grade.by_plies.into_iter();
    let by_plies = by_plies.map(|(dtw, counts)| CountsByPlies { dtw, counts });
    Ok(PlayerAnswer {
        player: name.into(),
        simulations,
        all: grade.all,
        up_to_symmetry: grade.classes,
        near_perfect: grade.whole.map(|whole| whole.near_perfect),
        perfect_games: grade.whole.map(|whole| whole.perfect_games),
        by_moves: by_moves.collect(),
        by_plies: by_plies.collect(),
        wrong_signs: grade.wrong_signs,
        value_error: grade.value_error,
        solved: grade.whole.map(|whole| solved_id(whole.solved).into()),
        worst,
    })
}

/// Returns the id of a solution grade, as in JSON.
fn solved_id(solved: SolutionGrade) -> &'static str {
    match solved {
        SolutionGrade::No => "no",
        SolutionGrade::Weakly => "weakly",
        SolutionGrade::SemiStrongly => "semi-strongly",
        SolutionGrade::Strongly => "strongly",
    }
}

/// The name of a player with its search.
pub(crate) fn player_name(player: &PlayerAnswer) -> String {
    match player.simulations {
        Some(0) => format!("{}, no search", player.player),
        Some(1) => format!("{}, 1 simulation", player.player),
        Some(simulations) => {
            format!("{}, {} simulations", player.player, grouped(simulations))
        }
        None => player.player.clone(),
    }
}

/// Grades as a table, and the wrong moves of the last player that has some.
pub(crate) fn grades_text(
    game: &Hunt,
    players: &[PlayerAnswer],
    with_boards: bool,
) -> Result<String, Failure> {
    let head = [
        "player",
        "wrong",
        "of",
        "share",
        "drawn by shares",
        "shares of best",
        "imperfect",
        "near-perfect play",
        "value error",
        "solved",
    ];
    let mut columns = Columns::new(1, head);
    for player in players {
        let all = &player.all;
        columns.row([
            player_name(player),
            grouped(all.wrong),
            grouped(all.decisions),
            percent(all.wrong, all.decisions),
            format!("{:.1}", all.wrong_shares),
            format!("{:.1} %", 100.0 * all.best_shares / all.decisions.max(1) as f64),
            grouped(all.imperfect),
            or_dash(player.near_perfect.map(|counts| grouped(counts.wrong))),
            format!("{:.3}", player.value_error),
            or_dash(player.solved.as_deref()),
        ]);
    }
    let mut text = columns.text();
    let worst = players.iter().rev().find(|player| !player.worst.is_empty());
    if let Some(player) = worst.filter(|_| with_boards) {
        text += &format!("\nwrong moves of {}:\n", player_name(player));
        for wrong in &player.worst {
            let position = game.parse_position(&wrong.position)?;
            let winner = game.side_named(&wrong.outcome);
            let outcome = winner.map_or("drawn".to_owned(), |side| won_for(game, side));
            let length = wrong.dtw.map_or(String::new(), |count| format!(" in {}", plies(count)));
            text += &format!(
                "\n{}\n{}{outcome}{length}; it plays {}, best {}\n",
                wrong.position,
                board(game, &position),
                wrong.played.mv,
                wrong.best.join(" ")
            );
        }
    }
    Ok(text)
}

impl From<LearnError> for Failure {
    fn from(error: LearnError) -> Failure {
        match error {
            LearnError::Analyse(error) => error.into(),
            LearnError::Value(error) => error.into(),
            LearnError::Interrupted => Failure::interrupted(),
            LearnError::Corrupt { .. } => Failure::corrupt(error)
                .advice("remove the file, and `anser learn` trains again; or choose another --out"),
            LearnError::Mismatch { .. }
            | LearnError::NoEncoding { .. }
            | LearnError::Settings(_) => Failure::usage(error),
            LearnError::NoDistance => {
                Failure::missing(error).advice("`anser solve --metric wdl,dtw` computes them")
            }
            LearnError::NotFinite => Failure::corrupt(error)
                .advice("train with a smaller learning rate, or another seed"),
            LearnError::File { ref source, .. } => Failure::of_file(&error, source),
            error => Failure::io(error),
        }
    }
}
