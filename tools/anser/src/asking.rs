//! What the commands that ask questions of a solved game share: the game and the position in question, the solution in
//! memory, and a bar where that takes long.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anser_analyse::{AnalyseError, Bytes, Limits, Solution};
use anser_core::{Game, Observer};
use anser_games::{AnyGame, GameInfo};
use anser_solve::{Event, available_memory, make_pool};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::{Memory, SubjectArgs, ThreadsArg};
use crate::failure::Failure;
use crate::games::{self, HuntJob};
use crate::progress::stop_flag;

/// A game and a position of it, for a question.
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

/// What may be spent on an answer.
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

    /// Does a job with the game in question if it is one of a lone man against a pack.
    pub(crate) fn hunt<J: HuntJob + Send>(&self, job: J) -> Result<J::Output, Failure>
    where
        J::Output: Send,
    {
        self.effort.on_threads(|| games::hunt(self.subject.game()?, self.subject.rules.id.as_deref(), job))
    }

    /// The position in question.
    pub(crate) fn position<G: Game>(&self, game: &G) -> Result<G::Position, Failure> {
        self.subject.position(game)
    }

    /// Whether a position was named.
    pub(crate) fn is_placed(&self) -> bool {
        self.subject.is_placed()
    }

    /// The same for a game in its own type.
    pub(crate) fn solution_of<G: Game>(&self, game: &G, watch: &Watch) -> Result<Solution<G>, Failure> {
        let root = self.position(game)?;
        Ok(Solution::reachable_within(game, &root, &self.effort.limits(watch))?)
    }

    /// Solves everything that can be reached from the requested position.
    pub(crate) fn solution(&self, game: &AnyGame, watch: &Watch) -> Result<Solution<AnyGame>, Failure> {
        let root = self.position(game)?;
        Ok(game.solution(&root, &self.effort.limits(watch))?)
    }
}

/// What an answer is about, as the first lines of a text.
pub(crate) fn heading<G: Game>(game: &G, position: &G::Position) -> String {
    format!("{}, rules {}\n{}\n", game.name(), game.rules_id(), game.format_position(position))
}

impl EffortArgs {
    /// Runs something on as many threads as asked for.
    pub(crate) fn on_threads<T: Send>(&self, work: impl FnOnce() -> Result<T, Failure> + Send) -> Result<T, Failure> {
        make_pool(self.threads.count())?.install(work)
    }

    /// The number of threads asked for.
    pub(crate) fn threads(&self) -> Option<usize> {
        self.threads.count()
    }

    /// What a solution may take.
    pub(crate) fn limits<'a>(&self, watch: &'a Watch) -> Limits<'a> {
        Limits { memory: self.memory(), observer: watch }
    }

    /// Whether it was said how much memory may be used.
    pub(crate) fn says_memory(&self) -> bool {
        self.memory.is_some()
    }

    /// The bytes of memory that were allowed, if any number was.
    pub(crate) fn given_memory(&self) -> Option<u64> {
        self.memory.map(|Memory(bytes)| bytes)
    }

    /// The bytes of memory that may be used.
    pub(crate) fn memory(&self) -> u64 {
        let given = self.memory.map(|Memory(bytes)| bytes);
        given.or_else(|| available_memory().map(|bytes| bytes / 5 * 4)).unwrap_or(u64::MAX)
    }
}

/// Watches work for a person: a bar on a terminal when it takes longer than a moment, and Ctrl-C.
pub(crate) struct Watch {
    stop: Arc<AtomicBool>,
    bar: ProgressBar,
    started: Instant,
}

/// Work that is done before this gets no bar.
const MOMENT: Duration = Duration::from_millis(400);

impl Watch {
    /// A watch that has begun.
    pub(crate) fn new() -> Result<Watch, Failure> {
        let stop = stop_flag()?;
        let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{prefix} {wide_bar} {percent:>3} %  {elapsed}") {
            bar.set_style(style);
        }
        Ok(Watch { stop, bar, started: Instant::now() })
    }

    /// The work is over; from now on Ctrl-C ends the program at once.
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

impl anser_solve::Observer for Watch {
    fn event(&self, event: &Event) {
        if let Event::Work { what, units } = event {
            self.begin(what, *units);
        }
    }

    fn advance(&self, units: u64) {
        Observer::advance(self, units);
    }

    fn interrupted(&self) -> bool {
        Observer::interrupted(self)
    }
}

impl From<AnalyseError> for Failure {
    fn from(error: AnalyseError) -> Failure {
        let status = match &error {
            AnalyseError::Memory { what, needed, allowed } => {
                let message = format!(
                    "{what} needs about {} of memory or more, and {} may be used",
                    Bytes(*needed),
                    Bytes(*allowed)
                );
                return Failure::usage(message)
                    .advice("raise --memory, or start from a position nearer to the end of the game");
            }
            AnalyseError::Endless { .. } => Failure::MISSING,
            // Rules that contradict themselves, which fail verification too.
            AnalyseError::Lost { .. } => Failure::CORRUPT,
            AnalyseError::Interrupted => Failure::INTERRUPTED,
            _ => Failure::USAGE,
        };
        Failure::of_library(status, &error)
    }
}
