//! `anser grade`: counts the wrong moves of a player.

use anser_analyse::{Advisor, FoxBoxes, Strategy, Style};
use anser_core::{Hunt, Side};
use anser_games::answers::{GradeAnswer, PlayerAnswer};
use anser_learn::{Advised, Fuzzy, LearnError, Player, Uniform};
use anser_retrograde::Games;
use clap::{Args, ValueEnum};

use crate::args::{whole, within};
use crate::cmd::play::matchbox::{TrainArgs, require_small, trained};
use crate::failure::Failure;
use crate::learned::{DrawnArgs, LoadedModel, ModelArg, Truth, graded, grades_text, player_name};
use crate::plot::{Kind, Plot, PlotArgs, Series};
use crate::progress::Progress;
use crate::question::{LayerQuestion, Question, QuestionArgs};
use crate::reply::Reply;
use crate::text::{grouped, heading};

const AFTER: &str = "\
Grades a player on all decisions: reachable positions with more than one legal move. A move is \
wrong if it worsens the outcome for the player, and imperfect if it keeps the outcome but is not \
the fastest win or the longest defence. Games are solved in memory.

Columns:
  drawn by shares     expected number of wrong moves if moves are drawn by their shares
  shares of best      mean share of the best moves, which are neither wrong nor imperfect
  near-perfect play   wrong moves in decisions reachable while one side plays perfectly
  value error         mean absolute error of the player's value; the true one is -1, 0, or 1
  solved              strongly: no wrong move; semi-strongly: none in near-perfect play; weakly: \
none in games from the start

With --layers, decisions are drawn at random from these layers and graded by tables of distances. \
Players are then model, random, and quick, and the columns of near-perfect play and solved are \
empty.

--json adds counts by legal moves and by plies, and the expected number of wrong moves in a game \
of two perfect players.

Players:
  model     a network of `anser learn`, once for each number of --simulations
  random    every legal move with the same chance; graded on the first move
  quick     the perfect player: wins as fast as possible, delays a loss
  document  the strategy of the document of the game (Fox-and-Hounds, Hasenspiel)
  matchbox  the learner of matchboxes and beads, after --train games as each side; for small \
games without loops

Examples:
  anser grade hexapawn:4x4
  anser grade hexapawn:4x4 --model models/hexapawn-4x4.standard.standard.seed-1.safetensors \
--simulations 0,32
  anser grade fox-hounds:6 --player random --player document --json
  anser grade fox-hounds:8 --player document --fuzz 0.006935
  anser grade hexapawn:3x3 --player matchbox --train 100
  anser grade fox-geese --layers 4-6 --tables DIR --player random --samples 50000";

/// Count the wrong moves of a player over all positions
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct GradeArgs {
    #[command(flatten)]
    question: QuestionArgs,
    #[command(flatten)]
    drawn: DrawnArgs,
    #[command(flatten)]
    model: ModelArg,
    /// Player; may be given several times [default: model]
    #[arg(long = "player", value_name = "PLAYER", value_enum)]
    players: Vec<PlayerArg>,
    /// Simulations of the search of model before each move; 0 for no search
    #[arg(
        long, value_name = "N,N,..", value_delimiter = ',', default_values_t = [0, 1, 8, 32, 128],
        value_parser = within::<u32>(0..=1_000_000)
    )]
    simulations: Vec<u32>,
    /// Fuzz factor of every player but random, 0 to 1; `drawn by shares` shows the effect
    #[arg(long, value_name = "P", default_value_t = 0.0, value_parser = super::fuzz::factor)]
    fuzz: f64,
    #[command(flatten)]
    train: TrainArgs,
    /// Seed of the training of matchbox, or with --layers of the drawn decisions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>)]
    seed: u64,
    /// Number of wrong moves to show, at most 10
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = within::<usize>(0..=10))]
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
            return Err(Failure::usage("--model needs --player model"));
        }
        self.question.ask_layers_or_position(
            &self.drawn.source,
            &self.plot,
            |question| self.grade_layers(question),
            |question| self.grade(question),
        )
    }

    /// Returns the requested players.
    fn wanted(&self) -> &[PlayerArg] {
        if self.players.is_empty() { &[PlayerArg::Model] } else { &self.players }
    }

    /// Reads the model if it is requested, to report errors before minutes of solving.
    fn loaded(&self, game: &Hunt) -> Result<Option<LoadedModel>, Failure> {
        let wanted = self.wanted().contains(&PlayerArg::Model);
        wanted.then(|| self.model.load(game)).transpose()
    }

    fn grade(&self, question: &Question<'_>) -> Result<Reply<GradeAnswer>, Failure> {
        let (game, wanted) = (question.game, self.wanted());
        let model = self.loaded(game)?;
        if wanted.contains(&PlayerArg::Matchbox) {
            require_small(game, "anser grade hexapawn:3x3 --player matchbox")?;
        }
        let (solution, progress) = (&question.solution_to_grade()?, question.progress);
        let is_boxed = wanted.contains(&PlayerArg::Document) && FoxBoxes::suit(game);
        let boxes = is_boxed.then(|| FoxBoxes::new(solution)).transpose()?;
        let asked = Asked { args: self, game, truth: Truth::Whole(solution), progress };
        let players = asked.players(model.as_ref(), |player| match (player, &boxes) {
            (PlayerArg::Matchbox, _) => {
                let trained = trained(game, solution, &Side::BOTH, &self.train, self.seed);
                asked.advised(&trained, Style::Matchbox, "matchbox")
            }
            (_, Some(boxes)) => asked.advised(boxes, Style::Document, "document"),
            (_, None) if game.rows().is_some() => {
                asked.advised(&Games::new(solution, progress)?, Style::Document, "document")
            }
            (_, None) => Err(Failure::usage(format!(
                "no document has a strategy for {}: choose fox-hounds or hasenspiel",
                game.name()
            ))),
        })?;
        let text =
            format!("{}{} reachable positions\n", question.heading(), grouped(solution.len()));
        let answer = GradeAnswer {
            game: game.name().into(),
            rules: game.rules_id().into(),
            position: Some(question.position_text()),
            reachable: Some(solution.len()),
            layers: None,
            model: model.as_ref().map(LoadedModel::answer),
            players,
        };
        self.reply(game, text, answer)
    }

    /// Grades players on decisions that are drawn from layers.
    fn grade_layers(&self, question: &LayerQuestion<'_>) -> Result<Reply<GradeAnswer>, Failure> {
        let game = question.game;
        let model = self.loaded(game)?;
        question.require_distances(question.layers.clone())?;
        let decisions = question.drawn(self.drawn.samples, self.seed)?;
        let truth = Truth::Drawn { values: &question.values, decisions: &decisions };
        let asked = Asked { args: self, game, truth, progress: question.progress };
        let players = asked.players(model.as_ref(), |_| {
            Err(Failure::usage("with --layers, the players are model, random, and quick"))
        })?;
        let (first, last) = (*question.layers.start(), *question.layers.end());
        let text = format!(
            "{}{} decisions of layers {first} to {last}, drawn with seed {}\n",
            heading(game),
            grouped(decisions.len() as u64),
            self.seed
        );
        let answer = GradeAnswer {
            game: game.name().into(),
            rules: game.rules_id().into(),
            position: None,
            reachable: None,
            layers: Some([first, last]),
            model: model.as_ref().map(LoadedModel::answer),
            players,
        };
        self.reply(game, text, answer)
    }

    /// Appends the model and the grades to the text of an answer, and adds the plot.
    fn reply(
        &self,
        game: &Hunt,
        mut text: String,
        answer: GradeAnswer,
    ) -> Result<Reply<GradeAnswer>, Failure> {
        if let Some(model) = &answer.model {
            text += &format!(
                "model: {}, {} parameters, seed {}, {} iterations\n",
                model.file.as_deref().unwrap_or("part of anser"),
                grouped(model.parameters),
                model.seed,
                model.iterations
            );
        }
        text += &format!("\n{}", grades_text(game, &answer.players, self.list > 0)?);
        let plot = plot(game, &answer.players);
        Ok(Reply::new(answer, text).with_plot(plot))
    }
}

/// A game with the exact values for grades.
struct Asked<'a> {
    args: &'a GradeArgs,
    game: &'a Hunt,
    truth: Truth<'a>,
    progress: &'a Progress,
}

impl Asked<'_> {
    /// Grades the requested players, the document and the matchboxes with `other`.
    fn players(
        &self,
        model: Option<&LoadedModel>,
        other: impl Fn(PlayerArg) -> Result<PlayerAnswer, Failure>,
    ) -> Result<Vec<PlayerAnswer>, Failure> {
        let mut players = Vec::new();
        for &player in self.args.wanted() {
            match (player, self.truth) {
                (PlayerArg::Model, _) => players.extend(self.models(model)?),
                (PlayerArg::Random, _) => {
                    players.push(self.graded(&mut Uniform(self.game), "random", None)?);
                }
                (PlayerArg::Quick, Truth::Whole(solution)) => {
                    players.push(self.advised(solution, Style::Quick, "quick")?);
                }
                (PlayerArg::Quick, Truth::Drawn { values, .. }) => {
                    players.push(self.advised(values, Style::Quick, "quick")?);
                }
                (PlayerArg::Document | PlayerArg::Matchbox, _) => players.push(other(player)?),
            }
        }
        Ok(players)
    }

    fn graded(
        &self,
        player: &mut dyn Player,
        name: &'static str,
        simulations: Option<u32>,
    ) -> Result<PlayerAnswer, Failure> {
        let name = (name, simulations);
        graded(self.game, self.truth, player, name, self.args.list, self.progress)
    }

    fn strategy(&self, style: Style) -> Strategy {
        Strategy { style, fuzz: self.args.fuzz, ..Strategy::default() }
    }

    /// Grades a model, once for each number of simulations.
    fn models(&self, model: Option<&LoadedModel>) -> Result<Vec<PlayerAnswer>, Failure> {
        let Some(model) = model else { return Ok(Vec::new()) };
        let grade = |&simulations: &u32| {
            let mut player = model.player(self.game, simulations);
            let fuzz = self.strategy(Style::Model);
            if fuzz.fuzz > 0.0 {
                return self.graded(&mut Fuzzy { player, fuzz }, "model", Some(simulations));
            }
            self.graded(&mut player, "model", Some(simulations))
        };
        self.args.simulations.iter().map(grade).collect()
    }

    /// Grades a player that chooses by values, or by a learned policy.
    fn advised<A: Advisor>(
        &self,
        advisor: &A,
        style: Style,
        name: &'static str,
    ) -> Result<PlayerAnswer, Failure>
    where
        LearnError: From<A::Error>,
    {
        let (game, strategy) = (self.game, self.strategy(style));
        self.graded(&mut Advised { game, advisor, strategy }, name, None)
    }
}

/// Plots the share of wrong moves by distance, of the first player and the last.
fn plot(game: &Hunt, players: &[PlayerAnswer]) -> Plot {
    let last = (players.len() > 1).then(|| (Side::Second, &players[players.len() - 1]));
    let shown = players.first().map(|first| (Side::First, first)).into_iter().chain(last);
    let series = shown.map(|(side, player)| {
        let points = player.by_plies.iter().filter_map(|part| {
            let share = part.counts.wrong as f64 / part.counts.decisions as f64;
            Some((f64::from(part.dtw?), 100.0 * share))
        });
        Series { name: player_name(player), side: Some(side), points: points.collect() }
    });
    let title = format!("{}, rules {}: wrong moves by distance", game.name(), game.rules_id());
    let kind = Kind::Lines { logarithmic: false };
    Plot::new(kind, title, ["plies to the win", "wrong moves, percent"], series)
}
