//! Tables that a question lacks, made on the spot: asked for on a terminal, or with `--solve`.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::atomic::Ordering::Relaxed;

use anser_core::Game;
use anser_games::AnyGame;
use anser_solve::{Bytes, Estimate, SolveOptions};
use anser_table::{Metric, MissingLayer, ProbeError};
use clap::Args;

use crate::advice::solve_command;
use crate::args::TablesArgs;
use crate::asking::EffortArgs;
use crate::failure::Failure;
use crate::output::note;
use crate::progress::{Watcher, stop_flag};
use crate::tables;
use crate::text::{duration, ranges};

/// Whether missing tables are solved first.
#[derive(Args, Debug)]
pub(crate) struct OfferArgs {
    /// Solve the tables that are missing first, where `anser solve` would put them [default: ask, on a terminal, if it
    /// takes minutes]
    #[arg(long)]
    solve: bool,
}

impl OfferArgs {
    pub(crate) fn offer<'a>(&self, json: bool, tables: &'a TablesArgs, effort: Option<&EffortArgs>) -> Offer<'a> {
        let threads = effort.and_then(EffortArgs::threads);
        let memory = effort.and_then(EffortArgs::given_memory);
        Offer { solve: self.solve, json, tables, threads, memory }
    }
}

/// What may be spent on missing tables, and whether anybody can be asked.
pub(crate) struct Offer<'a> {
    /// Whether to solve without asking.
    solve: bool,
    /// Whether standard output is for an answer in JSON: then nobody is asked.
    json: bool,
    tables: &'a TablesArgs,
    threads: Option<usize>,
    memory: Option<u64>,
}

/// What came of an offer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Offered {
    /// The tables are there now.
    Made,
    /// They are not. The text, if there is one, says what they would take and how to get them.
    Open(Option<String>),
}

/// Longer runs are not offered: whoever wants them starts them with `anser solve`.
const LONGEST: f64 = 3600.0;

impl Offer<'_> {
    /// Makes the tables that are missing, if this is wanted.
    ///
    /// # Errors
    /// Those of solving, where it was asked for.
    pub(crate) fn make(&self, game: &AnyGame, missing: &MissingLayer) -> Result<Offered, Failure> {
        let dir = match tables::target(self.tables.dirs.first().map(|dir| &**dir)) {
            Ok(dir) => dir,
            Err(failure) if self.solve => return Err(failure),
            Err(_) => return Ok(Offered::Open(None)),
        };
        let options = SolveOptions {
            layers: Some(missing.first..=missing.layer),
            threads: self.threads,
            memory: self.memory,
            metrics: missing.metric.into(),
            ..SolveOptions::new(dir)
        };
        let planned = game.plan(&options).and_then(|estimate| estimate.check(&options.dir).map(|()| estimate));
        let estimate = match planned {
            Ok(estimate) if estimate.layers().is_empty() => return Ok(Offered::Open(None)),
            Ok(estimate) => estimate,
            Err(error) if self.solve => return Err(error.into()),
            Err(_) => return Ok(Offered::Open(None)),
        };
        let costs = costs(&estimate);
        if self.solve {
            note(format_args!("solving {} into {}: {costs}", what(game, &options, &estimate), options.dir.display()));
        } else {
            let is_long = estimate.time.as_secs_f64() > LONGEST;
            if is_long || self.json || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
                let how = if is_long { "" } else { ", and `--solve` does so first" };
                return Ok(Offered::Open(Some(format!("that takes {costs}{how}"))));
            }
            if !ask(game, &options, &estimate, &costs)? {
                return Ok(Offered::Open(None));
            }
        }
        let watcher = Watcher::new(game, options.threads)?;
        let solved = game.solve(&options, &watcher);
        // Bars go before anything else is written.
        drop(watcher);
        solved.map_err(|error| Failure::of_work(error, &format!("`{}` goes on", solve_command(missing))))?;
        Ok(Offered::Made)
    }
}

impl Offer<'_> {
    /// Makes the tables that are missing for an answer.
    ///
    /// # Errors
    /// If they are not there in the end.
    pub(crate) fn required(&self, game: &AnyGame, missing: Box<MissingLayer>) -> Result<(), Failure> {
        match self.make(game, &missing)? {
            Offered::Made => Ok(()),
            Offered::Open(how) => {
                let failure = Failure::from(ProbeError::MissingLayer(missing));
                Err(match how {
                    Some(how) => failure.with(&how),
                    None => failure,
                })
            }
        }
    }
}

/// The layers to be solved, in words.
fn what<G: Game>(game: &G, options: &SolveOptions, estimate: &Estimate) -> String {
    let layers = if estimate.layers().len() == 1 { "layer" } else { "layers" };
    let distances = if options.metrics.contains(Metric::Dtw) { ", with distances" } else { "" };
    let which = ranges(estimate.layers());
    format!("{layers} {which} of {} (rules {}){distances}", game.name(), game.rules_id())
}

/// Time and disk, in words.
fn costs(estimate: &Estimate) -> String {
    format!("about {} and {} of disk", duration(estimate.time.as_secs_f64()), Bytes(estimate.disk))
}

/// Asks on the terminal. The end of input is a no.
fn ask<G: Game>(game: &G, options: &SolveOptions, estimate: &Estimate, costs: &str) -> Result<bool, Failure> {
    let failed = |error: io::Error| Failure::io(format!("asking on the terminal failed: {error}"));
    // There is nothing to save yet: Ctrl-C ends the program at once.
    stop_flag()?.store(true, Relaxed);
    let mut err = io::stderr().lock();
    let what = what(game, options, estimate);
    writeln!(err, "The answer needs {what}, which no table has yet.").map_err(failed)?;
    write!(err, "Solve it now into {}: {costs}? [Y/n] ", options.dir.display()).map_err(failed)?;
    err.flush().map_err(failed)?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(failed)?;
    Ok(is_yes(&answer))
}

/// Whether what was typed agrees: an empty line does, no line does not.
fn is_yes(answer: &str) -> bool {
    !answer.is_empty() && matches!(answer.trim().to_ascii_lowercase().as_str(), "" | "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_line_agrees_and_the_end_of_input_does_not() {
        for yes in ["\n", "y\n", "YES\n", " y "] {
            assert!(is_yes(yes), "{yes:?}");
        }
        for no in ["", "n\n", "no\n", "what?\n"] {
            assert!(!is_yes(no), "{no:?}");
        }
    }
}
