//! Questions about a solved game: the game and the position, the solution in memory, a
//! progress bar, and the answer.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anser_analyse::{AnalyseError, Bytes, Limits, Solution};
use anser_core::hounds::{Hunt, HuntRules};
use anser_core::{Game, Layers, Observer};
use anser_games::answers::ErrorKind;
use anser_games::{AnyGame, GameInfo};
use anser_solve::{available_memory, make_pool};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::args::{Memory, SubjectArgs, ThreadsArg};
use crate::failure::Failure;
use crate::games::{self, HuntJob};
use crate::output::Reply;
use crate::plot::{Plot, PlotArgs};
use crate::progress::stop_flag;

/// The game and the position that a question is about.
#[derive(Args, Debug)]
pub(crate) struct AboutArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    #[command(flatten)]
    pub(crate) effort: EffortArgs,
    /// Answer in JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Limits of what an answer may take.
#[derive(Args, Debug)]
pub(crate) struct EffortArgs {
    #[command(flatten)]
    threads: ThreadsArg,
    /// How much memory may be used, as in 8GiB [default: four fifths of what is available]
    #[arg(long, value_name = "SIZE")]
    memory: Option<Memory>,
}

impl AboutArgs {
    /// Calls `work` with the requested game, on the requested number of threads.
    pub(crate) fn with_game<T: Send>(
        &self,
        work: impl FnOnce(&AnyGame, &GameInfo) -> Result<T, Failure> + Send,
    ) -> Result<T, Failure> {
        self.effort.on_threads(|| self.subject.with_game(work))
    }

    /// Asks a question about the requested game and position, and prints the answer.
    pub(crate) fn ask<A: Serialize>(
        &self,
        question: impl FnOnce(&Asked<'_, AnyGame>) -> Result<Found<A>, Failure> + Send,
    ) -> Result<(), Failure> {
        self.with_game(|game, _| self.answer(game, None, question))
    }

    /// The same, and draws the plot of the answer if it is requested.
    pub(crate) fn ask_or_plot<A: Serialize>(
        &self,
        plot: &PlotArgs,
        question: impl FnOnce(&Asked<'_, AnyGame>) -> Result<Found<A>, Failure> + Send,
    ) -> Result<(), Failure> {
        self.with_game(|game, _| self.answer(game, Some(plot), question))
    }

    /// The same for a question about games of a lone piece against a pack, in their own types.
    pub(crate) fn ask_hunt<Q: HuntQuestion + Sync>(&self, plot: &PlotArgs, question: &Q) -> Result<(), Failure> {
        /// Answers the question for one of these games.
        struct Job<'a, Q>(&'a AboutArgs, &'a PlotArgs, &'a Q);

        impl<Q: HuntQuestion> HuntJob for Job<'_, Q> {
            type Output = ();

            fn run<R: HuntRules>(self, game: &Hunt<R>) -> Result<(), Failure> {
                let Job(about, plot, question) = self;
                about.answer(game, Some(plot), |asked| question.answer(asked))
            }
        }

        let job = Job(self, plot, question);
        self.effort.on_threads(|| games::hunt(self.subject.game()?, self.subject.rules.id.as_deref(), job))
    }

    /// Answers a question about a game, with a progress bar until the answer is found.
    fn answer<G: Game, A: Serialize>(
        &self,
        game: &G,
        plot: Option<&PlotArgs>,
        question: impl FnOnce(&Asked<'_, G>) -> Result<Found<A>, Failure>,
    ) -> Result<(), Failure> {
        let watch = Watch::new()?;
        let asked = Asked { game, position: self.position(game)?, about: self, watch: &watch };
        let found = question(&asked)?;
        drop(watch);
        match (plot, found.plot) {
            (Some(args), Some(plot)) if args.is_requested() => args.show(&plot),
            _ => found.reply.print(self.json),
        }
    }

    /// Position of the question.
    pub(crate) fn position<G: Game>(&self, game: &G) -> Result<G::Position, Failure> {
        self.subject.position(game)
    }

    /// Whether a position was named.
    pub(crate) fn has_position(&self) -> bool {
        self.subject.has_position()
    }
}

/// What a question is about.
pub(crate) struct Asked<'a, G: Game> {
    /// The game.
    pub(crate) game: &'a G,
    /// The position where play begins.
    pub(crate) position: G::Position,
    /// Shows the progress.
    pub(crate) watch: &'a Watch,
    about: &'a AboutArgs,
}

/// What was found out.
pub(crate) struct Found<A> {
    reply: Reply<A>,
    plot: Option<Plot>,
}

/// A question about games of a lone piece against a pack.
pub(crate) trait HuntQuestion {
    /// The answer, an object.
    type Answer: Serialize;

    /// Answers the question for one of these games.
    fn answer<R: HuntRules>(&self, asked: &Asked<'_, Hunt<R>>) -> Result<Found<Self::Answer>, Failure>;
}

impl<A> Found<A> {
    /// An answer for programs and for people.
    pub(crate) fn new(answer: A, text: String) -> Found<A> {
        Found { reply: Reply { answer, text, failure: None }, plot: None }
    }

    /// The same answer, which is also a plot.
    pub(crate) fn with_plot(self, plot: Plot) -> Found<A> {
        Found { plot: Some(plot), ..self }
    }

    /// The same answer, in spite of which something is wrong.
    pub(crate) fn with_failure(mut self, failure: Option<Failure>) -> Found<A> {
        self.reply.failure = failure;
        self
    }
}

impl<G: Game> Asked<'_, G> {
    /// The limits of what the answer may take.
    pub(crate) fn limits(&self) -> Limits<'_> {
        self.about.effort.limits(self.watch)
    }

    /// The first lines of a text: the game, its rules, and the position.
    pub(crate) fn heading(&self) -> String {
        heading(self.game, &self.position)
    }

    /// The position in the notation of the game.
    pub(crate) fn position_text(&self) -> String {
        self.game.format_position(&self.position)
    }
}

impl Asked<'_, AnyGame> {
    /// Solves everything that play can reach from the position.
    pub(crate) fn solution(&self) -> Result<Solution<AnyGame>, Failure> {
        Ok(self.game.solution(&self.position, &self.limits())?)
    }

    /// Solves all positions of the game.
    pub(crate) fn solution_of_all(&self) -> Result<Solution<AnyGame>, AnalyseError> {
        self.game.solution_of_layers(self.game.layers(), &self.limits())
    }
}

impl<R: HuntRules> Asked<'_, Hunt<R>> {
    /// Solves everything that play can reach from the position.
    pub(crate) fn hunt_solution(&self) -> Result<Solution<Hunt<R>>, Failure> {
        Ok(Solution::reachable_within(self.game, &self.position, &self.limits())?)
    }
}

/// The first lines of a text about a position: the game, its rules, and the position.
fn heading<G: Game>(game: &G, position: &G::Position) -> String {
    format!("{}, rules {}\n{}\n", game.name(), game.rules_id(), game.format_position(position))
}

impl EffortArgs {
    /// Runs work on the requested number of threads.
    pub(crate) fn on_threads<T: Send>(&self, work: impl FnOnce() -> Result<T, Failure> + Send) -> Result<T, Failure> {
        make_pool(self.threads.count())?.install(work)
    }

    /// The requested number of threads.
    pub(crate) fn threads(&self) -> Option<usize> {
        self.threads.count()
    }

    /// The limits of a solution.
    pub(crate) fn limits<'a>(&self, watch: &'a Watch) -> Limits<'a> {
        Limits { memory: self.memory(), observer: watch }
    }

    /// Whether a limit of memory was given.
    pub(crate) fn says_memory(&self) -> bool {
        self.memory.is_some()
    }

    /// The limit of memory in bytes, if one was given.
    pub(crate) fn given_memory(&self) -> Option<u64> {
        self.memory.map(|Memory(bytes)| bytes)
    }

    /// The limit of memory in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let given = self.memory.map(|Memory(bytes)| bytes);
        given.or_else(|| available_memory().map(|bytes| bytes / 5 * 4)).unwrap_or(u64::MAX)
    }
}

/// Shows a progress bar on a terminal for work that takes longer than [`MOMENT`], and handles
/// Ctrl-C.
pub(crate) struct Watch {
    stop: Arc<AtomicBool>,
    bar: ProgressBar,
    started: Instant,
}

/// Work that is shorter than this gets no progress bar.
const MOMENT: Duration = Duration::from_millis(400);

impl Watch {
    /// Starts to watch.
    pub(crate) fn new() -> Result<Watch, Failure> {
        let stop = stop_flag()?;
        let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{prefix} {wide_bar} {percent:>3} %  {elapsed}") {
            bar.set_style(style);
        }
        Ok(Watch { stop, bar, started: Instant::now() })
    }

    /// Ends the work; from now on Ctrl-C ends the program at once.
    pub(crate) fn finish(self) {
        self.stop.store(true, Relaxed);
    }

    /// Fails if the work was interrupted.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.interrupted() { Err(Failure::interrupted()) } else { Ok(()) }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Watch {
    fn begin(&self, what: &str, units: u64) {
        self.bar.set_prefix(what.to_owned());
        self.bar.set_length(units);
        self.bar.set_position(0);
    }

    fn advance(&self, units: u64) {
        if self.bar.is_hidden() && self.started.elapsed() > MOMENT && std::io::stderr().is_terminal() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(units);
    }

    fn interrupted(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

impl anser_solve::RunObserver for Watch {}

impl From<AnalyseError> for Failure {
    fn from(error: AnalyseError) -> Failure {
        let kind = match &error {
            AnalyseError::Memory { what, needed, allowed } => {
                let message = format!(
                    "{what} needs about {} of memory or more, and {} may be used",
                    Bytes(*needed),
                    Bytes(*allowed)
                );
                return Failure::usage(message)
                    .advice("raise --memory, or start from a position nearer to the end of the game");
            }
            AnalyseError::Endless { .. } => ErrorKind::Missing,
            // Rules that contradict themselves, which fail verification too.
            AnalyseError::Lost { .. } => ErrorKind::Corrupt,
            AnalyseError::Interrupted => ErrorKind::Interrupted,
            _ => ErrorKind::Usage,
        };
        Failure::of_library(kind, &error)
    }
}
