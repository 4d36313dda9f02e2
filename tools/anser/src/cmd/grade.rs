//! `anser grade`: how many moves a player plays wrong.

use anser_analyse::{Advisor, AnalyseError, FoxBoxes, Games, Solution, Strategy, Style, Weights};
use anser_core::Side;
use anser_core::fox_hounds::FoxHounds;
use anser_core::hasenspiel::Hasenspiel;
use anser_core::prelude::*;
use anser_games::AnyGame;
use anser_games::answers::{GradeAnswer, PlayerAnswer};
use anser_learn::{Advised, Fuzzy, Player, Uniform};
use clap::{Args, ValueEnum};

use crate::cmd::play::InOwnType;
use crate::cmd::play::matchbox::{TrainArgs, require_hexapawn, trained};
use crate::failure::Failure;
use crate::learned::{LoadedModel, ModelArg, graded, grades_text, player_name};
use crate::output::{Reply, note};
use crate::plot::{Kind, Plot, PlotArgs, Series};
use crate::question::{Question, QuestionArgs};
use crate::text::grouped;

const AFTER: &str = "\
Grades a player on all decisions: positions that play can reach, in which the game is not over and there is more than one \
legal move. A move is wrong if it makes the outcome worse for the player, and imperfect if it keeps the outcome but is not \
the fastest win or the longest defence. Games are solved in memory.

Columns:
  drawn by shares     wrong moves to be expected if the player draws its moves by their shares
  shares of best      mean share of the best moves, which are neither wrong nor imperfect
  near-perfect play   wrong moves in decisions that can come up while one side plays perfectly
  value error         mean distance of the player's value from the true one (-1, 0, or 1)
  solved              strongly: no wrong move anywhere; semi-strongly: none in near-perfect play; weakly: none in games \
from the start, whatever the opponent plays

--json adds counts by legal moves and by plies, and the wrong moves to be expected in a game of two perfect players.

Players:
  model     a network, trained by `anser learn`, without a search and with searches of --simulations
  random    every legal move with the same chance; its first move counts
  quick     the perfect player: wins as fast as possible, delays a loss
  document  the strategy of the document of the game (Fox-and-Hounds, Hasenspiel)
  matchbox  Hexapawn only: the learner of matchboxes and beads, after --train games as each side

Examples:
  anser grade hexapawn:4x4
  anser grade hexapawn:4x4 --model models/hexapawn-4x4.standard.standard.seed-1.safetensors --simulations 0,32
  anser grade fox-hounds:6 --player random --player document --json
  anser grade fox-hounds:8 --player document --fuzz 0.006935
  anser grade hexapawn:3x3 --player matchbox --train 100";

/// Count the moves that a player gets wrong, over all positions
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct GradeArgs {
    #[command(flatten)]
    question: QuestionArgs,
    #[command(flatten)]
    model: ModelArg,
    /// Player; may be given several times [default: model]
    #[arg(long = "player", value_name = "PLAYER", value_enum)]
    players: Vec<PlayerArg>,
    /// Simulations of the search before each move, for model; 0 for none
    #[arg(
        long, value_name = "N,N,..", value_delimiter = ',', default_values_t = [0, 1, 8, 32, 128],
        value_parser = clap::value_parser!(u32).range(0..=1_000_000)
    )]
    simulations: Vec<u32>,
    /// Fuzz factor, 0 to 1: how often every player but random deviates from its best moves; `drawn
    /// by shares` shows the effect
    #[arg(long, value_name = "P", default_value_t = 0.0, value_parser = super::play::fuzz)]
    fuzz: f64,
    #[command(flatten)]
    train: TrainArgs,
    /// For matchbox: seed of its training
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of wrong moves to show, at most 10
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(0..=10))]
    list: usize,
    #[command(flatten)]
    plot: PlotArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PlayerArg {
    /// A trained network
    Model,
    /// Random legal moves
    Random,
    /// Perfect play
    Quick,
    /// The strategy of the document of the game
    Document,
    /// Matchboxes and beads, for Hexapawn
    Matchbox,
}

impl GradeArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let is_model = |player: &PlayerArg| *player == PlayerArg::Model;
        if self.model.path.is_some()
            && !self.players.is_empty()
            && !self.players.iter().any(is_model)
        {
            return Err(Failure::usage(
                "--model is for --player model, which is not among the players",
            ));
        }
        self.question.ask_or_plot(&self.plot, |question| self.grade(question))
    }

    fn grade(&self, question: &Question<'_, AnyGame>) -> Result<Reply<GradeAnswer>, Failure> {
        let game = question.game;
        let wanted: &[PlayerArg] =
            if self.players.is_empty() { &[PlayerArg::Model] } else { &self.players };
        // Errors of the model come before minutes of solving.
        let model =
            wanted.contains(&PlayerArg::Model).then(|| self.model.load(game)).transpose()?;
        if wanted.contains(&PlayerArg::Matchbox) {
            require_hexapawn(game, "anser grade hexapawn:3x3 --player matchbox")?;
        }
        let mut solution = question.solution_to_grade()?;
        let boxes = match game.downcast_ref::<FoxHounds>() {
            Some(hunt) if wanted.contains(&PlayerArg::Document) => {
                let own = solution.into_game(hunt);
                let source = FoxBoxes::new(&own)?;
                solution = own.into_game(game);
                Some(InOwnType { game: hunt, source })
            }
            _ => None,
        };
        let asked = Asked { args: self, question, solution: &solution };
        let mut players = Vec::new();
        for player in wanted {
            match player {
                PlayerArg::Model => {
                    for (&simulations, model) in self.simulations.iter().zip(model.iter().cycle()) {
                        players.push(asked.model(model, simulations)?);
                    }
                }
                PlayerArg::Random => {
                    players.push(asked.graded(&mut Uniform(game), "random", None)?);
                }
                PlayerArg::Quick => {
                    players.push(asked.advised(&solution, Style::Quick, "quick")?);
                }
                PlayerArg::Document => players.push(match &boxes {
                    Some(boxes) => asked.advised(boxes, Style::Document, "document")?,
                    None => asked.documented()?,
                }),
                PlayerArg::Matchbox => {
                    let (trained, lines) =
                        trained(game, &solution, &Side::BOTH, &self.train, self.seed);
                    for line in &lines {
                        note(line);
                    }
                    players.push(asked.advised(&trained, Style::Matchbox, "matchbox")?);
                }
            }
        }
        let mut text = question.heading();
        text += &format!("{} positions that play can reach\n", grouped(solution.len()));
        if let Some(model) = &model {
            let model = model.answer();
            text += &format!(
                "model: {}, {} parameters, seed {}, {} iterations\n",
                model.file.as_deref().unwrap_or("part of anser"),
                grouped(model.parameters),
                model.seed,
                model.iterations
            );
        }
        text += &format!("\n{}", grades_text(game, &players, self.list > 0)?);
        let plot = plot(question, &players);
        let answer = GradeAnswer {
            game: game.name(),
            rules: game.rules_id(),
            position: question.position_text(),
            reachable: solution.len(),
            model: model.as_ref().map(LoadedModel::answer),
            players,
        };
        Ok(Reply::new(answer, text).with_plot(plot))
    }
}

/// A question about players, with the values that it needs.
struct Asked<'a> {
    args: &'a GradeArgs,
    question: &'a Question<'a, AnyGame>,
    solution: &'a Solution<AnyGame>,
}

impl Asked<'_> {
    fn graded(
        &self,
        player: &mut dyn Player<AnyGame>,
        name: &'static str,
        simulations: Option<u32>,
    ) -> Result<PlayerAnswer, Failure> {
        let (list, progress) = (self.args.list, self.question.progress);
        graded(self.solution, player, name, simulations, list, progress)
    }

    fn strategy(&self, style: Style) -> Strategy {
        Strategy { style, fuzz: self.args.fuzz, weights: Weights::Printed }
    }

    fn model(&self, model: &LoadedModel, simulations: u32) -> Result<PlayerAnswer, Failure> {
        let mut player = model.player(self.question.game, simulations);
        let fuzz = self.strategy(Style::Model);
        if fuzz.fuzz > 0.0 {
            return self.graded(&mut Fuzzy { player, fuzz }, "model", Some(simulations));
        }
        self.graded(&mut player, "model", Some(simulations))
    }

    /// Grades the strategy of the document of Hasenspiel.
    fn documented(&self) -> Result<PlayerAnswer, Failure> {
        let game = self.question.game;
        if game.downcast_ref::<Hasenspiel>().is_some() {
            let games = Games::new(self.solution, self.question.progress)?;
            return self.advised(&games, Style::Document, "document");
        }
        Err(Failure::usage(format!(
            "no document has a strategy for {}: ask about fox-hounds or hasenspiel",
            game.name()
        )))
    }

    /// Grades a player that chooses by values, or by what it has learned.
    fn advised<A: Advisor<AnyGame, Error = AnalyseError>>(
        &self,
        advisor: &A,
        style: Style,
        name: &'static str,
    ) -> Result<PlayerAnswer, Failure> {
        let (game, strategy) = (self.question.game, self.strategy(style));
        self.graded(&mut Advised { game, advisor, strategy }, name, None)
    }
}

/// The share of wrong moves by distance, of the first player and the last.
fn plot(question: &Question<'_, AnyGame>, players: &[PlayerAnswer]) -> Plot {
    let last = (players.len() > 1).then(|| (Side::Second, &players[players.len() - 1]));
    let shown = players.first().map(|first| (Side::First, first)).into_iter().chain(last);
    let series = shown.map(|(side, player)| {
        let points = player.by_plies.iter().filter_map(|part| {
            let share = part.counts.wrong as f64 / part.counts.decisions as f64;
            Some((f64::from(part.dtw?), 100.0 * share))
        });
        Series { name: player_name(player), side: Some(side), points: points.collect() }
    });
    let (game, rules) = (question.game.name(), question.game.rules_id());
    Plot {
        title: format!("{game}, rules {rules}: wrong moves by distance"),
        x: "plies to the win".into(),
        y: "wrong moves, percent".into(),
        kind: Kind::Lines { logarithmic: false },
        series: series.collect(),
        marks: Vec::new(),
    }
}
