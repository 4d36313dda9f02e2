//! `anser learn`: trains a network on its own games.

mod files;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anser_core::{Hunt, Observer, Side, hunt};
use anser_games::answers::{ArenaAnswer, CountsAnswer, IterationAnswer, LearnAnswer, PlayerAnswer};
use anser_games::shell_word;
use anser_learn::{
    Encoding, Iteration, LearnError, Learner, Match, Model, Network, Preset, Sample, Settings,
    Starts, draw_decisions, exact_samples, exact_samples_at,
};
use clap::{Args, ValueHint};
use serde_json::Value as Json;

use crate::args::{count, one_of, whole};
use crate::failure::Failure;
use crate::learned::{DrawnArgs, Truth, graded, grades_text, model_answer};
use crate::output::note;
use crate::plot::{Kind, Plot, PlotArgs, Series};
use crate::progress::Progress;
use crate::question::QuestionArgs;
use crate::reply::Reply;
use crate::text::{Columns, duration, grouped, percent};
use files::Files;

const AFTER: &str = "\
Trains a network by self-play, without exact values. The game is also solved, but only to grade \
the network and to draw start positions. `anser grade` grades the model, `anser play --model` \
plays against it.

Presets:
  standard  Gumbel search, symmetric positions as one, starts from random positions, a window of games
  document  the learner of the Hexapawn document
  exact     the network of standard, trained on exact values: an upper bound for standard

Games start from POSITION if one is given. Fox-and-Geese is learned from positions with few \
geese, which must be solvable in memory: four geese take minutes. Limit the length of games with \
`play.plies` in --settings.

With --layers, games start from random positions of these layers. The network is graded on other \
random positions of the layers, by the exact values of tables of distances. exact is trained on \
the values of the start positions.

Writes the model, a log of the iterations, and until the end a checkpoint to --out. The same \
command resumes an interrupted training. On one machine a seed determines the model, for any \
number of threads and interruptions.

Examples:
  anser learn hexapawn:3x3
  anser learn hexapawn:4x4 --seed 7 --out models
  anser learn fox-hounds:6 --minutes 30 --svg curve.svg
  anser learn hexapawn:4x4 --settings '{\"iterations\":50,\"hidden\":[64,64]}'
  anser learn fox-geese 'ggg/1g1/7/3F3/7/3/3 f' --settings '{\"play\":{\"plies\":40}}'
  anser learn fox-geese --layers 4-6 --tables DIR --settings '{\"iterations\":50}'";

/// Train a network by self-play
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct LearnArgs {
    #[command(flatten)]
    question: QuestionArgs,
    #[command(flatten)]
    drawn: DrawnArgs,
    /// Preset of the settings
    #[arg(
        long, value_name = "PRESET", default_value = Preset::Standard.id(),
        value_parser = one_of(Preset::ALL.map(|preset| (preset, preset.id(), None)))
    )]
    preset: Preset,
    /// Seed of the training
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>)]
    seed: u64,
    /// Time after which the training pauses, in minutes, but not before the next iteration; the same
    /// command resumes it
    #[arg(long, value_name = "M", value_parser = minutes)]
    minutes: Option<Duration>,
    /// Settings that replace those of the preset, as JSON
    #[arg(long, value_name = "JSON", value_parser = object)]
    settings: Option<Json>,
    /// Number of iterations between grades in the log
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10,
        value_parser = count::<u64>
    )]
    grade_every: u64,
    /// Directory of the model, created if missing
    #[arg(long, value_name = "DIR", default_value = "models", value_hint = ValueHint::DirPath)]
    out: PathBuf,
    #[command(flatten)]
    plot: PlotArgs,
}

fn minutes(text: &str) -> Result<Duration, String> {
    let minutes = text.parse::<f64>().ok().filter(|minutes| *minutes > 0.0);
    let time = minutes.and_then(|minutes| Duration::try_from_secs_f64(minutes * 60.0).ok());
    time.ok_or_else(|| "write a number of minutes, such as 0.5 or 10".into())
}

fn object(text: &str) -> Result<Json, String> {
    match serde_json::from_str(text) {
        Ok(object @ Json::Object(_)) => Ok(object),
        Ok(_) => Err("write an object, such as {\"iterations\":50}".into()),
        Err(error) => Err(error.to_string()),
    }
}

impl LearnArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.question.ask_layers_or_position(
            &self.drawn.source,
            &self.plot,
            |question| {
                question.require_distances(question.layers.clone())?;
                let (game, layers) = (question.game, question.layers.clone());
                let positions = draw_decisions(game, layers.clone(), STARTS, self.seed);
                let decisions = question.drawn(self.drawn.samples, GRADED)?;
                let truth = Truth::Drawn { values: &question.values, decisions: &decisions };
                let usual = positions.first().copied().unwrap_or_else(|| game.start());
                let layers = Some(layers);
                let progress = question.progress;
                self.learn(&Subject { game, progress, usual, positions, truth, layers })
            },
            |question| {
                let (game, progress, usual) = (question.game, question.progress, question.position);
                // Reports errors of the preset before minutes of solving.
                self.preset.encoding(game)?;
                let solution = question.solution_to_grade()?;
                let all = solution.layers().flat_map(|layer| solution.positions(layer));
                let positions = all.map(|(position, _)| position).collect();
                let truth = Truth::Whole(&solution);
                self.learn(&Subject { game, progress, usual, positions, truth, layers: None })
            },
        )
    }

    /// Returns the settings of the preset with the replacements of --settings.
    fn settings(&self, subject: &Subject<'_>) -> Result<Settings, Failure> {
        let mut settings = self.preset.settings(subject.positions.len() as u64);
        if subject.layers.is_some() {
            settings.random_starts = 1.0;
        }
        let Some(changes) = &self.settings else { return Ok(settings) };
        let mut all = serde_json::to_value(settings).map_err(Failure::usage)?;
        replace(&mut all, changes);
        let settings: Settings = serde_json::from_value(all)
            .map_err(|error| Failure::usage(format!("--settings: {error}")))?;
        settings.check()?;
        Ok(settings)
    }

    /// Trains the network, grades it, and describes both.
    fn learn(&self, question: &Subject<'_>) -> Result<Reply<LearnAnswer>, Failure> {
        let game = question.game;
        let encoding = self.preset.encoding(game)?;
        let files = Files::new(&self.out, question, self.preset, self.seed)?;
        let settings = self.settings(question)?;
        let play = settings.play;
        let grade = |network: &Network, simulations: u32| {
            let mut player = play.player(game, &*encoding, network, simulations);
            let name = ("model", Some(simulations));
            graded(game, question.truth, &mut player, name, LISTED, question.progress)
        };
        let exact = || match (self.preset, question.truth) {
            (Preset::Exact, Truth::Whole(solution)) => {
                exact_samples(solution, &*encoding, play.symmetric)
            }
            (Preset::Exact, Truth::Drawn { values, .. }) => {
                let positions = question.positions.iter().copied();
                exact_samples_at(game, &values.exact(), positions, &*encoding, play.symmetric)
            }
            (Preset::Standard | Preset::Document, _) => Ok(Vec::new()),
        };
        let (mut learner, mut log) = self.begin(&files, question, &*encoding, &settings, exact)?;
        let bare =
            self.train(&mut learner, &mut log, question, &files, |network| grade(network, 0))?;
        let mut players = vec![bare.map_or_else(|| grade(learner.network(), 0), Ok)?];
        if play.search.simulations > 0 {
            players.push(grade(learner.network(), play.search.simulations)?);
        }
        let is_compared = self.preset == Preset::Document && learner.is_done();
        let untrained = is_compared.then(|| {
            let (threads, quiet) = (rayon::current_num_threads(), Quiet(question.progress));
            learner.play_untrained(UNTRAINED_GAMES, threads, &quiet)
        });
        let untrained = untrained.transpose()?;
        let model = model_answer(&learner.description(), Some(&files.model));
        let mut text = format!(
            "{}, rules {}, preset {}, seed {}, {} parameters\n",
            game.name(),
            game.rules_id(),
            self.preset.id(),
            self.seed,
            grouped(model.parameters)
        );
        let seconds = log.last().map_or(0.0, |last| last.seconds);
        let evaluated: u64 = log.iter().map(|it| it.evaluated).sum();
        let games: u64 = log.iter().map(|it| it.games_played).sum();
        text += &format!(
            "{} iterations in {}: {} games, {} positions evaluated\n\n",
            log.len(),
            duration(seconds),
            grouped(games),
            grouped(evaluated)
        );
        text += &iterations_text(&log);
        text += &format!("\n{}", grades_text(game, &players, false)?);
        if let Some(played) = untrained {
            let [first, second] = Side::BOTH.map(|side| {
                format!(
                    "{} of {} as {}",
                    played.won[side.index()],
                    played.games,
                    game.side_name(side)
                )
            });
            text += &format!("\nagainst an untrained network: won {first}, {second}\n");
        }
        text += &format!("\nmodel: {}\n", shell_word(&files.model));
        if !learner.is_done() {
            text += "the same command resumes the training\n";
        }
        let plot = curve(question, &log);
        let answer = LearnAnswer {
            game: game.name().into(),
            rules: game.rules_id().into(),
            preset: self.preset.id().into(),
            model,
            done: learner.is_done(),
            untrained: untrained.map(match_answer),
            iterations: log,
            players,
        };
        Ok(Reply::new(answer, text).with_plot(plot))
    }

    /// Trains until the end or the time limit, and saves the training. Returns the grade of the
    /// network if the last iteration has one.
    fn train(
        &self,
        learner: &mut Learner<'_>,
        log: &mut Vec<IterationAnswer>,
        question: &Subject<'_>,
        files: &Files,
        grade: impl Fn(&Network) -> Result<PlayerAnswer, Failure>,
    ) -> Result<Option<PlayerAnswer>, Failure> {
        let (begun, iterations) = (Instant::now(), learner.description().settings.iterations);
        let threads = rayon::current_num_threads();
        // A model that was trained before has no checkpoint, and needs none.
        let mut is_saved = !files.checkpoint.exists() && files.model.exists();
        let mut bare = None;
        let (mut time, mut saved) = (Duration::ZERO, Instant::now());
        let before = log.last().map_or(0.0, |last| last.seconds);
        // At least one iteration, so that a training which pauses again and again comes to its end.
        let is_over = |time: Duration| {
            self.minutes.is_some_and(|minutes| !time.is_zero() && begun.elapsed() >= minutes)
        };
        while !learner.is_done() && !is_over(time) {
            let started = Instant::now();
            (is_saved, bare) = (false, None);
            let done = learner.history().len() as u64;
            question.progress.begin("iterations", iterations.into());
            question.progress.advance(done);
            match learner.iterate(threads, &Quiet(question.progress)).map(drop) {
                Ok(()) => {}
                Err(LearnError::Interrupted) => {
                    files.save(learner, log)?;
                    return Err(Failure::interrupted_with(format_args!(
                        "interrupted after iteration {done} of {iterations}; the same command \
                         resumes"
                    )));
                }
                Err(error) => return Err(error.into()),
            }
            time += started.elapsed();
            let number = done + 1;
            let mut entry = iteration_answer(number, &learner.history()[done as usize]);
            entry.seconds = (1000.0 * (before + time.as_secs_f64())).round() / 1000.0;
            if number.is_multiple_of(self.grade_every) || learner.is_done() {
                let graded = grade(learner.network())?;
                entry.graded = Some(graded.all);
                bare = Some(graded);
                note(log_line(&entry, iterations));
            }
            log.push(entry);
            if saved.elapsed() > SAVE_EVERY {
                files.save(learner, log)?;
                saved = Instant::now();
            }
        }
        if !is_saved {
            files.save(learner, log)?;
            if learner.is_done() {
                files.finish()?;
            }
        }
        Ok(bare)
    }

    /// Begins a training, or resumes it from its checkpoint, with the log so far.
    fn begin<'a>(
        &self,
        files: &Files,
        question: &'a Subject<'a>,
        encoding: &'a dyn Encoding,
        settings: &Settings,
        samples: impl FnOnce() -> Result<Vec<Sample>, LearnError>,
    ) -> Result<(Learner<'a>, Vec<IterationAnswer>), Failure> {
        let other = |path: &Path| {
            let path = path.display().to_string();
            move |error| match error {
                LearnError::Mismatch { what, .. } => Failure::usage(format!(
                    "{path} is of a training with other {what}, or of another version"
                ))
                .advice("choose another --out, or remove it"),
                error => error.into(),
            }
        };
        let game = question.game;
        let starts = Starts { usual: question.usual, others: &question.positions };
        if files.checkpoint.exists() {
            let learner = Learner::resume(
                game,
                encoding,
                settings.clone(),
                self.seed,
                starts,
                &files.checkpoint,
            )
            .map_err(other(&files.checkpoint))?;
            let log = files.log(learner.history())?;
            note(format_args!("resumes after iteration {} of {}", log.len(), settings.iterations));
            return Ok((learner, log));
        }
        let learner = Learner::new(game, encoding, settings.clone(), self.seed, starts)?;
        if !files.model.exists() {
            return Ok((learner.with_samples(samples()?), Vec::new()));
        }
        let learner = learner.trained(Model::read(&files.model)?).map_err(other(&files.model))?;
        if !learner.is_done() {
            return Err(Failure::usage(format!(
                "{} is a model of a training whose checkpoint is missing",
                files.model.display()
            ))
            .advice("choose another --out, or remove it"));
        }
        note(format_args!("{} is trained already", files.model.display()));
        let log = files.log(learner.history())?;
        Ok((learner, log))
    }
}

/// The game to learn, and the exact values for grades.
struct Subject<'a> {
    game: &'a Hunt,
    progress: &'a Progress,
    /// Usual start of games.
    usual: hunt::Position,
    /// Starts of the other games.
    positions: Vec<hunt::Position>,
    truth: Truth<'a>,
    /// The layers of drawn positions; `None` without --layers.
    layers: Option<RangeInclusive<u16>>,
}

/// Number of drawn start positions.
const STARTS: usize = 50_000;

/// Seed of the graded decisions, the same for all trainings.
const GRADED: u64 = 0;

/// Number of wrong moves listed per player.
const LISTED: usize = 3;

/// Time between checkpoints.
const SAVE_EVERY: Duration = Duration::from_secs(30);

/// Games against an untrained network, as in the document.
pub(crate) const UNTRAINED_GAMES: u32 = 50;

/// Forwards interruptions alone, because the bar shows iterations.
pub(crate) struct Quiet<'a>(pub(crate) &'a Progress);

impl Observer for Quiet<'_> {
    fn interrupted(&self) -> bool {
        self.0.interrupted()
    }
}

/// Replaces members of an object by those of another.
fn replace(all: &mut Json, changes: &Json) {
    match (all, changes) {
        // An object with one other key is another variant, as of `selection`.
        (Json::Object(all), Json::Object(changes))
            if all.len() > 1 || changes.keys().eq(all.keys()) =>
        {
            for (name, change) in changes {
                replace(all.entry(name.clone()).or_insert(Json::Null), change);
            }
        }
        (all, change) => *all = change.clone(),
    }
}

/// Describes an iteration.
fn iteration_answer(number: u64, iteration: &Iteration) -> IterationAnswer {
    let Iteration { games, plies, evaluated, steps, loss, arena } = *iteration;
    IterationAnswer {
        iteration: number,
        games_played: games,
        plies,
        evaluated,
        steps,
        loss,
        arena: arena.map(match_answer),
        seconds: 0.0,
        graded: None,
    }
}

/// Describes a match.
fn match_answer(played: Match) -> ArenaAnswer {
    ArenaAnswer {
        games_each: played.games,
        won_first: played.won[0],
        won_second: played.won[1],
        accepted: played.accepted,
    }
}

fn log_line(entry: &IterationAnswer, iterations: u32) -> String {
    let graded = entry.graded.as_ref().map_or(String::new(), |graded| {
        format!(", {} of {} decisions wrong", grouped(graded.wrong), grouped(graded.decisions))
    });
    format!(
        "iteration {} of {iterations}, {}: loss {:.3}{graded}",
        entry.iteration,
        duration(entry.seconds),
        entry.loss
    )
}

/// The iterations that were graded, or that had a match, as a table.
fn iterations_text(log: &[IterationAnswer]) -> String {
    let mut columns =
        Columns::new(0, ["iteration", "plies", "evaluated", "loss", "match", "wrong", "share"]);
    for entry in log.iter().filter(|it| it.graded.is_some() || it.arena.is_some()) {
        let arena = entry.arena.as_ref().map_or(String::new(), |arena| {
            let result = if arena.accepted { "accepted" } else { "rejected" };
            format!(
                "{}+{} of {}, {result}",
                arena.won_first,
                arena.won_second,
                2 * arena.games_each
            )
        });
        let graded = |text: &dyn Fn(&CountsAnswer) -> String| {
            entry.graded.as_ref().map_or(String::new(), text)
        };
        columns.row([
            entry.iteration.to_string(),
            grouped(entry.plies),
            grouped(entry.evaluated),
            format!("{:.3}", entry.loss),
            arena,
            graded(&|it| grouped(it.wrong)),
            graded(&|it| percent(it.wrong, it.decisions)),
        ]);
    }
    columns.text()
}

/// The wrong moves of the network alone against the positions that it evaluated.
fn curve(question: &Subject<'_>, log: &[IterationAnswer]) -> Plot {
    let (mut evaluated, mut points) = (0, Vec::new());
    for entry in log {
        evaluated += entry.evaluated;
        if let Some(graded) = &entry.graded {
            // Samples of exact values are not evaluated: their cost is the training steps.
            let cost = if evaluated > 0 { evaluated as f64 } else { entry.iteration as f64 };
            points.push((cost, 100.0 * graded.wrong as f64 / graded.decisions as f64));
        }
    }
    let (game, rules) = (question.game.name(), question.game.rules_id());
    let title = format!("{game}, rules {rules}: wrong moves of the network alone");
    let x = if evaluated > 0 { "positions evaluated" } else { "iterations" };
    let series = Series { name: "wrong moves".into(), side: None, points };
    Plot::new(Kind::Lines { logarithmic: true }, title, [x, "wrong moves, percent"], [series])
}
