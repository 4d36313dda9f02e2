//! The run of a learner that a document prints, beside runs of the same system with many seeds.

use anser_games::answers::{LearnerFigureAnswer, LearnerRunsAnswer};
use anser_reproduce::{Document, LearnerRun, ReproduceError, kept_learner_runs, learner_figures};

use crate::failure::Failure;
use crate::progress::Progress;
use crate::text::Columns;

/// Runs of a learner.
pub(super) struct LearnerRuns {
    /// Whether they are kept ones.
    kept: bool,
    runs: Vec<LearnerRun>,
}

impl LearnerRuns {
    /// Returns the runs for a document that prints one: the kept ones, or as many new ones as
    /// requested, with the seeds from 1 on.
    pub(super) fn of(
        document: Document,
        requested: Option<u64>,
        progress: &Progress,
    ) -> Result<Option<LearnerRuns>, Failure> {
        if document != Document::Hexapawn {
            return Ok(None);
        }
        let runs = match requested {
            Some(count) => run(count, progress)?,
            None => kept_learner_runs().map_err(ReproduceError::from)?,
        };
        Ok(Some(LearnerRuns { kept: requested.is_none(), runs }))
    }

    pub(super) fn answer(&self) -> LearnerRunsAnswer {
        LearnerRunsAnswer {
            kept: self.kept,
            seeds: self.runs.iter().map(|run| run.seed).collect(),
            figures: learner_figures(&self.runs),
        }
    }

    /// The figures as a table.
    pub(super) fn text(&self) -> String {
        let count = self.runs.len();
        let kept = if self.kept { ", kept" } else { "" };
        let head = ["learner", "printed run", "least", "quartiles", "greatest"];
        let mut columns = Columns::new(1, head.map(str::to_owned));
        for LearnerFigureAnswer { figure, printed, spread } in learner_figures(&self.runs) {
            let [least, first, median, third, greatest] = spread;
            columns.row([
                figure,
                printed.map_or("not printed".into(), |printed| printed.to_string()),
                least.to_string(),
                format!("{first} {median} {third}"),
                greatest.to_string(),
            ]);
        }
        format!("\nThe learner, {count} runs{kept}:\n{}", columns.text())
    }
}

/// Trains the system of the document with the seeds from 1 on.
#[cfg(feature = "learn")]
fn run(count: u64, progress: &Progress) -> Result<Vec<LearnerRun>, Failure> {
    use anser_core::Observer;
    use anser_learn::{Learner, Preset, Starts, grade};
    use anser_retrograde::Solution;

    use crate::cmd::learn::{Quiet, UNTRAINED_GAMES};
    use crate::games::registry;

    let game = registry().game("hexapawn:3x3", None)?;
    let encoding = Preset::Document.encoding(&game)?;
    let solution = Solution::reachable(&game, &game.start())?;
    let settings = Preset::Document.settings(solution.len());
    let (threads, quiet) = (rayon::current_num_threads(), Quiet(progress));
    progress.begin("seeds", count);
    let train = |seed: u64| {
        let mut learner =
            Learner::new(&game, &*encoding, settings.clone(), seed, Starts::of(&game, &[]))?;
        while !learner.is_done() {
            learner.iterate(threads, &quiet)?;
        }
        let untrained = learner.play_untrained(UNTRAINED_GAMES, threads, &quiet)?;
        let play = settings.play;
        let graded = |simulations| {
            let mut player = play.player(&game, &*encoding, learner.network(), simulations);
            grade(&solution, &mut player, &quiet)
        };
        let (bare, searched) = (graded(0)?, graded(play.search.simulations)?);
        let matches = || learner.history().iter().filter_map(|it| it.arena);
        progress.advance(1);
        Ok(LearnerRun {
            seed,
            matches: matches().map(|it| it.won[0] + it.won[1]).collect(),
            accepted: matches().filter(|it| it.accepted).count() as u32,
            untrained: untrained.won,
            decisions: bare.all.decisions as u32,
            wrong: bare.all.wrong as u32,
            wrong_searched: searched.all.wrong as u32,
        })
    };
    (1..=count).map(train).collect()
}

#[cfg(not(feature = "learn"))]
fn run(_: u64, _: &Progress) -> Result<Vec<LearnerRun>, Failure> {
    Err(Failure::usage("--run trains learners, which this anser cannot")
        .advice("build it with `cargo build --release -p anser --features learn`"))
}
