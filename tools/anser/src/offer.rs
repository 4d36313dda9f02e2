//! Solving the tables that an answer lacks: after a question on a terminal, or with `--solve`.

use std::io::{self, BufRead, IsTerminal, Write};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

use anser_core::{Hunt, hunt};
use anser_games::{Scope, Size, ValueError, Values, kept_value, plan_on_the_spot, solve_command};
use anser_solve::{Bytes, Estimate, SolveError, SolveOptions};
use anser_table::{Metric, MissingLayer, ProbeError};

use crate::args::{AccessMode, OfferArgs, ResourceArgs, SourceArgs, TablesArgs};
use crate::failure::Failure;
use crate::games;
use crate::output::note;
use crate::progress::{Progress, most_time, stop_flag};
use crate::tables;
use crate::temporary::TemporaryDir;
use crate::text::{self, duration, outcome_text};
use crate::values;

impl OfferArgs {
    /// With `--solve`, makes the directory that missing tables are solved into, as `anser solve`
    /// does, so that it is searched before, too.
    pub(crate) fn make_directory(&self, tables: &TablesArgs) -> Result<(), Failure> {
        let Some(dir) = tables.dirs.first().filter(|_| self.solve) else { return Ok(()) };
        std::fs::create_dir_all(dir).map_err(|error| {
            Failure::of_file(format!("{}: it cannot be made: {error}", dir.display()), &error)
        })
    }
}

impl SourceArgs {
    /// Finds the values of a position, and asks them for an answer, again after each missing table
    /// that is solved. `resources` are those of solutions in memory, and those of solving tables.
    ///
    /// # Errors
    /// Those of finding the values and of `ask`; if a table is still missing, that it is.
    pub(crate) fn answered<T>(
        &self,
        game: &Hunt,
        (position, metric): (hunt::Position, Metric),
        json: bool,
        (resources, of_tables): (&ResourceArgs, Option<&ResourceArgs>),
        ask: impl Fn(&Values) -> Result<T, ValueError>,
    ) -> Result<(Values, T), Failure> {
        self.offer.make_directory(&self.tables)?;
        let offer = Offer { args: &self.offer, json, tables: &self.tables, resources: of_tables };
        let from = (&self.tables, self.access.mode.unwrap_or(AccessMode::Map));
        let scope = Scope::Position(position);
        loop {
            let values = values::find(game, &scope, metric, from, resources, Size::is_small)?;
            match ask(&values) {
                Err(ValueError::Probe(ProbeError::MissingLayer(missing))) => {
                    if let Offered::Declined(how) = offer.make(game, &missing)? {
                        let failure = Failure::from(ProbeError::MissingLayer(missing));
                        let kept = kept_value(game, &position).map(|value| {
                            let value = outcome_text(game, value.outcome, value.plies);
                            format!("this position is known to be {value}")
                        });
                        let more = kept.into_iter().chain(how);
                        return Err(more.fold(failure, |all, more| all.with_more_advice(&more)));
                    }
                }
                answer => return Ok((values, answer?)),
            }
        }
    }
}

/// Resources for solving missing tables, and whether to ask first.
pub(crate) struct Offer<'a> {
    pub(crate) args: &'a OfferArgs,
    /// Whether standard output is reserved for JSON, which rules out a question.
    pub(crate) json: bool,
    pub(crate) tables: &'a TablesArgs,
    pub(crate) resources: Option<&'a ResourceArgs>,
}

/// Result of an offer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Offered {
    /// The tables were solved.
    Solved,
    /// The tables are still missing; with their cost and the flag that solves them, if known.
    Declined(Option<String>),
}

/// The run for missing tables.
enum Chosen {
    /// A run that is possible, its estimate, and the costs of what was requested, in words.
    Run(Box<(SolveOptions, Estimate, String)>),
    /// The memory or the disk does not suffice; with the costs and the reason, in words.
    TooLarge(String),
    /// There is nothing to offer.
    None,
}

/// Longest estimated time of a run that is offered, in seconds. Longer runs need `anser solve`.
const LONGEST: f64 = 3600.0;

impl Offer<'_> {
    /// Solves layers, with those that they depend on, into a temporary directory, if that takes
    /// seconds and no directory of tables is named. Returns the directory; its tables are removed
    /// when it is dropped.
    ///
    /// # Errors
    /// If the user interrupts. After other errors there is no directory.
    pub(crate) fn solve_briefly(
        &self,
        game: &Hunt,
        layers: RangeInclusive<u16>,
        metric: Metric,
        progress: &Progress,
    ) -> Result<Option<TemporaryDir>, Failure> {
        if self.args.solve || !self.tables.dirs.is_empty() {
            return Ok(None);
        }
        let Ok(dir) = TemporaryDir::new() else { return Ok(None) };
        let options = self.options(layers, metric, dir.path());
        let Some(estimate) = plan_on_the_spot(game, &options) else { return Ok(None) };
        note(format_args!(
            "solving {} into a temporary directory: {}",
            layers_text(game, &options, &estimate),
            costs(&estimate)
        ));
        match anser_solve::solve(game, &options, progress) {
            Ok(_) => Ok(Some(dir)),
            Err(SolveError::Interrupted) => Err(Failure::interrupted()),
            Err(error) => {
                note(format_args!("not solved: {error}"));
                Ok(None)
            }
        }
    }

    /// Solves the missing tables, if `--solve` was given or the answer to a question is yes.
    ///
    /// # Errors
    /// Errors of solving.
    pub(crate) fn make(&self, game: &Hunt, missing: &MissingLayer) -> Result<Offered, Failure> {
        let (options, estimate, needed_costs) = match self.chosen(game, missing)? {
            Chosen::Run(run) => *run,
            Chosen::TooLarge(costs) => {
                return Ok(Offered::Declined(Some(format!("that takes {costs}"))));
            }
            Chosen::None => return Ok(Offered::Declined(None)),
        };
        let lost = lost(missing, &options);
        let costs = costs(&estimate) + &lost;
        if self.args.solve {
            note(format_args!(
                "solving {} into {}: {costs}",
                layers_text(game, &options, &estimate),
                options.dir.display()
            ));
        } else {
            let is_long = estimate.time.as_secs_f64() > LONGEST;
            if is_long || self.json || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
                let how = match (is_long, options.metrics.iter().count()) {
                    (true, _) => String::new(),
                    (_, 1) => format!(", and `--solve` does so first{lost}"),
                    _ => format!(", and `--solve` does so first, with distances, in {costs}"),
                };
                return Ok(Offered::Declined(Some(format!("that takes {needed_costs}{how}"))));
            }
            if !ask(game, &options, &estimate, &costs)? {
                return Ok(Offered::Declined(None));
            }
        }
        let command = solve_command(games::registry(), missing, options.metrics);
        let interrupted = format!("interrupted; `{command}` resumes");
        Progress::during(game, options.threads, &interrupted, |progress| {
            anser_solve::solve(game, &options, progress)
        })?;
        Ok(Offered::Solved)
    }

    /// Chooses the run for the missing tables: with distances if they were not requested and take
    /// less than an hour.
    fn chosen(&self, game: &Hunt, missing: &MissingLayer) -> Result<Chosen, Failure> {
        let dir = match tables::target(self.tables.dirs.first().map(|dir| &**dir)) {
            Ok(dir) => dir,
            Err(failure) if self.args.solve => return Err(failure),
            Err(_) => return Ok(Chosen::None),
        };
        let options = self.options(missing.first..=missing.layer, missing.metric, &dir);
        let needed = match anser_solve::plan(game, &options) {
            Ok(estimate) if estimate.layers().is_empty() => return Ok(Chosen::None),
            Ok(estimate) => estimate,
            Err(error) if self.args.solve => return Err(error.into()),
            Err(_) => return Ok(Chosen::None),
        };
        match needed.check(&options.dir) {
            Ok(()) => {}
            Err(error) if self.args.solve => return Err(error.into()),
            Err(error) => return Ok(Chosen::TooLarge(costs_too_high(&needed, &error))),
        }
        // If outcomes are needed, distances that take less than an hour are offered as well.
        let more = SolveOptions { metrics: Metric::ALL.into_iter().collect(), ..options.clone() };
        let with_distances = anser_solve::plan(game, &more)
            .ok()
            .filter(|estimate| estimate.check(&more.dir).is_ok())
            .filter(|estimate| estimate.time.as_secs_f64() <= LONGEST)
            .filter(|_| missing.metric == Metric::Wdl);
        let needed_costs = costs(&needed);
        Ok(Chosen::Run(Box::new(match with_distances {
            Some(estimate) => (more, estimate, needed_costs),
            None => (options, needed, needed_costs),
        })))
    }

    /// Options of a run over these layers.
    fn options(&self, layers: RangeInclusive<u16>, metric: Metric, dir: &Path) -> SolveOptions {
        SolveOptions {
            layers: Some(layers),
            threads: self.resources.and_then(ResourceArgs::threads),
            memory: self.resources.and_then(ResourceArgs::given_memory),
            metrics: metric.into(),
            ..SolveOptions::new(dir)
        }
    }
}

/// Text about the layers to be solved.
fn layers_text(game: &Hunt, options: &SolveOptions, estimate: &Estimate) -> String {
    let layers = text::layers_text(&estimate.layers());
    let distances = if options.metrics.contains(Metric::Dtw) { " with distances" } else { "" };
    format!("{layers} of {} (rules {}){distances}", game.name(), game.rules_id())
}

/// Text about time and disk.
fn costs(estimate: &Estimate) -> String {
    let and = if most_time(estimate).is_some() { ", and" } else { " and" };
    format!("about {}{and} {} of disk", time(estimate), Bytes(estimate.disk))
}

/// Text about the time of a run, and about the most that it may take.
fn time(estimate: &Estimate) -> String {
    let most = most_time(estimate).map(|most| format!(", up to {most}")).unwrap_or_default();
    duration(estimate.time.as_secs_f64()) + &most
}

/// Text about time, memory, and disk of a run that is not possible here, and about what is short.
fn costs_too_high(estimate: &Estimate, error: &SolveError) -> String {
    let time = time(estimate);
    let (memory, disk) = (Bytes(estimate.memory.0), Bytes(estimate.disk));
    let short = match error {
        SolveError::Memory { budget, .. } => {
            format!(": more than the {} of memory that may be used", Bytes(*budget))
        }
        SolveError::Disk { free, .. } => {
            format!(": more than the {} of disk that are free", Bytes(*free))
        }
        _ => String::new(),
    };
    format!("about {time}, {memory} of memory, and {disk} of disk{short}")
}

/// Returns the drawback of a run without distances, and the command that makes them; empty with
/// them.
fn lost(missing: &MissingLayer, options: &SolveOptions) -> String {
    if options.metrics.contains(Metric::Dtw) {
        return String::new();
    }
    format!(
        "; without distances, so answers have no plies and a won position may not be converted: \
         `{}` makes them",
        solve_command(games::registry(), missing, Metric::Dtw)
    )
}

/// Asks on the terminal whether to solve; returns the answer. The end of input means no.
fn ask(
    game: &Hunt,
    options: &SolveOptions,
    estimate: &Estimate,
    costs: &str,
) -> Result<bool, Failure> {
    let failed = |error: io::Error| Failure::io(format!("asking on the terminal failed: {error}"));
    // Nothing needs saving yet, so Ctrl-C ends the program at once.
    stop_flag()?.store(true, Relaxed);
    let mut err = io::stderr().lock();
    let layers = layers_text(game, options, estimate);
    writeln!(err, "The answer needs {layers}, which no table has yet.").map_err(failed)?;
    let dir = options.dir.display();
    // What takes most of the free disk is not begun by accident.
    let filled = estimate.disk_free.filter(|&free| estimate.disk > free / 2);
    match filled {
        Some(free) => {
            write!(err, "Solve it now into {dir}: {costs} ({} are free)? [y/N] ", Bytes(free))
        }
        None => write!(err, "Solve it now into {dir}: {costs}? [Y/n] "),
    }
    .map_err(failed)?;
    err.flush().map_err(failed)?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(failed)?;
    Ok(is_yes(&answer, filled.is_none()))
}

/// Whether an input agrees; an empty line says `empty_line`. The end of input does not agree.
fn is_yes(answer: &str, empty_line: bool) -> bool {
    match answer.trim().to_ascii_lowercase().as_str() {
        "" => empty_line && !answer.is_empty(),
        word => matches!(word, "y" | "yes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_is_not_possible_has_its_costs_and_what_is_short() {
        let game = crate::games::registry().game("asalto", None).expect("it is registered");
        let options = SolveOptions { memory: Some(1 << 20), ..SolveOptions::new("tables") };
        let estimate = anser_solve::plan(&game, &options).expect("no tables are in the way");
        let text = |estimate: &Estimate| {
            let error = estimate.check(&options.dir).expect_err("it is too large");
            costs_too_high(estimate, &error)
        };
        let memory = text(&estimate);
        assert!(memory.contains(" of memory, and ") && memory.contains(" of disk: "), "{memory}");
        assert!(memory.ends_with("more than the 1.0 MiB of memory that may be used"), "{memory}");
        let disk = text(&Estimate { memory_budget: None, disk_free: Some(1 << 30), ..estimate });
        assert!(disk.ends_with("more than the 1.0 GiB of disk that are free"), "{disk}");
    }

    #[test]
    fn an_empty_line_says_what_is_offered_and_the_end_of_input_does_not_agree() {
        for yes in ["\n", "y\n", "YES\n", " y "] {
            assert!(is_yes(yes, true), "{yes:?}");
        }
        for no in ["", "n\n", "no\n", "what?\n"] {
            assert!(!is_yes(no, true), "{no:?}");
        }
        assert!(is_yes("y\n", false) && !is_yes("\n", false));
    }
}
