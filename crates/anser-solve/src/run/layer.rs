//! Solves one layer: runs engines over it, and writes the tables.

use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use anser_core::hunt::HuntIndex;
use anser_core::{BySide, Dtw, LayerIndex, Observer, Outcome, Side, validate};
use anser_table::format::{Counts, Header};
use anser_table::manifest::RunInfo;
use anser_table::{Defect, Kind, Metric, Table};

use super::Run;
use super::lower::LowerTables;
use super::metrics::Metrics;
use super::recorder::Recorder;
use crate::SolveError;
use crate::checkpoint::progress::Phase;
use crate::checkpoint::snapshot::Snapshots;
use crate::checkpoint::work_file::{Job, Opened, WorkFile, check_part};
use crate::engines::choice::Plan;
use crate::engines::engine::{Filled, FilledValues, Sections, Task};
use crate::error::io_error;
use crate::io::codes::table_of;
use crate::io::manifest::{GENERATOR, LayerReport, record_table, table_name};
use crate::io::raw_file::{RawFile, UnnamedTable, count_side};
use crate::observer::Event;

/// Number of classes of a layer to validate before it is solved.
const VALIDATED: u64 = 200;

impl Run<'_> {
    /// Solves a layer for these metrics. Returns a report of each table, except of a table that an
    /// earlier run completed but did not rename.
    pub(super) fn layer<'s>(
        &'s self,
        layer: u16,
        metrics: Metrics,
        recorder: &Recorder<'s>,
    ) -> Result<Vec<LayerReport>, SolveError> {
        let started = Instant::now();
        validate(self.game, layer, VALIDATED)?;
        let index = self.game.index(layer);
        let mut reports = Vec::new();
        let (mut open, mut started) = (metrics, started);
        while let Some(plan) = self.engines.plan(self.game, layer, &index, open)?.into_iter().next()
        {
            let pass = Pass { run: self, recorder, layer, index: &index, plan, started };
            let PassResult { metrics, tables } = pass.run()?;
            open = open.without(metrics);
            reports.extend(tables);
            started = Instant::now();
        }
        Ok(reports)
    }
}

/// One pass of an engine over a layer.
struct Pass<'r, 's, 'a> {
    run: &'s Run<'a>,
    recorder: &'r Recorder<'s>,
    layer: u16,
    index: &'r HuntIndex,
    plan: Plan<'r>,
    started: Instant,
}

/// Result of a pass.
struct PassResult {
    /// Metrics whose tables are complete.
    metrics: Metrics,
    /// Reports of the tables written.
    tables: Vec<LayerReport>,
}

impl Pass<'_, '_, '_> {
    fn run(&self) -> Result<PassResult, SolveError> {
        let Pass { run, layer, index, ref plan, .. } = *self;
        let work = match plan.engine.sections(index) {
            None => None,
            Some(sections) => match self.open_work(&sections)? {
                Some(work) => Some(work),
                None => return Ok(PassResult { metrics: Metric::Wdl.into(), tables: Vec::new() }),
            },
        };
        let snapshots = plan
            .engine
            .snapshot_layout(index)
            .map(|layout| self.open_snapshots(&layout))
            .transpose()?;
        let resumed = work
            .as_ref()
            .filter(|work| work.is_resumed())
            .map(|work| work.progress().rounds_done());
        let resumed = resumed.or_else(|| snapshots.as_ref().and_then(Snapshots::found_rounds));
        run.observer.event(&Event::Layer { layer, classes: self.classes(), resumed });
        if let Some(bytes) = plan.scratch {
            run.observer.event(&Event::Spilled { layer, bytes });
        }
        let task = Task {
            game: run.game,
            layer,
            index,
            metrics: plan.metrics,
            work: work.as_deref(),
            lower: &LowerTables { run, recorder: self.recorder, layer },
            dir: run.dir,
            snapshots: snapshots.as_ref(),
            scratch: plan.scratch.map(|_| run.dir),
            observer: run.observer,
        };
        let finished = work.as_ref().is_some_and(|work| work.progress().phase() == Phase::Finish);
        let filled = if finished && plan.metrics == Metrics::from(Metric::Wdl) {
            Filled::in_checkpoint(task.progress().rounds())
        } else {
            plan.engine.solve(&task)?
        };
        let rounds = filled.rounds;
        let elapsed =
            || snapshots.as_ref().map_or_else(|| self.started.elapsed(), Snapshots::elapsed);
        let mut tables = Vec::new();
        match (work, filled.values) {
            (Some(work), _) => {
                work.sync()?;
                let counts = count(run.observer, index, &work)?;
                tables.push(self.finish_work(*work, counts, rounds)?);
            }
            (None, FilledValues::Codes(codes)) => {
                self.check(&codes)?;
                let mut complete = Vec::new();
                for metric in plan.metrics.iter() {
                    let path = run.table_path(layer, metric);
                    let table = match metric {
                        Metric::Wdl => table_of::<Outcome>(run.game, layer, index, &codes, &path),
                        Metric::Dtw => table_of::<Dtw>(run.game, layer, index, &codes, &path),
                    };
                    complete.push(table?.finish(index, run.observer)?);
                }
                tables = self.record(complete, &self.info(rounds, elapsed()))?;
            }
            (None, FilledValues::Distances(distances)) => {
                let mut complete = Vec::new();
                if plan.metrics.contains(Metric::Wdl) {
                    let header = self.header(Header::new_raw(run.game, layer, index, GENERATOR))?;
                    let path = run.table_path(layer, Metric::Wdl);
                    let outcomes = RawFile::create(&path, header, run.game.description_text())?;
                    outcomes.fill_outcomes(&distances);
                    complete.push(outcomes.finish(index, run.observer)?);
                }
                complete.push(distances.finish(index, run.observer)?);
                tables = self.record(complete, &self.info(rounds, elapsed()))?;
            }
            (None, FilledValues::Checkpoint) => {
                let metric = plan.metrics.iter().next().unwrap_or(Metric::Wdl);
                return Err(SolveError::NotFilled { engine: plan.engine.name(), layer, metric });
            }
        }
        Ok(PassResult { metrics: plan.metrics, tables })
    }

    /// Opens the unfinished table of outcomes. Returns `None` if the table was complete and only
    /// had to be renamed.
    fn open_work(
        &self,
        Sections(sections): &Sections,
    ) -> Result<Option<Box<WorkFile>>, SolveError> {
        let Pass { run, layer, index, ref plan, started, .. } = *self;
        let header = Header::new_raw(run.game, layer, index, GENERATOR)
            .map_err(|defect| SolveError::Header { layer, defect })?;
        let name = &table_name(run.game, layer, Metric::Wdl, Kind::Raw);
        let description = &run.game.description_text();
        let (engine, every) = (plan.engine.name(), run.checkpoint_every);
        let job = Job { dir: run.dir, name, description, engine, sections, every, started };
        match WorkFile::open(job, header)? {
            Opened::Work { work, discarded } => {
                if let Some(what) = discarded {
                    run.observer.event(&Event::Discarded { layer, what });
                }
                Ok(Some(work))
            }
            Opened::Complete => {
                self.recorder.wait()?;
                if let Some(table) = run.find(layer, Metric::Wdl)? {
                    run.list(&table)?;
                }
                Ok(None)
            }
        }
    }

    /// Fails if the engine did not return one value per entry.
    fn check(&self, codes: &BySide<Vec<u16>>) -> Result<(), SolveError> {
        let (engine, layer) = (self.plan.engine.name(), self.layer);
        let expected = BySide::from_fn(|side| self.index.len(side));
        let found = BySide::from_fn(|side| codes[side].len() as u64);
        if found == expected {
            Ok(())
        } else {
            Err(SolveError::WrongLength { engine, layer, found, expected })
        }
    }

    fn header(&self, header: Result<Header, Defect>) -> Result<Header, SolveError> {
        header.map_err(|defect| SolveError::Header { layer: self.layer, defect })
    }

    /// Opens the checkpoints of the table of distances.
    fn open_snapshots(&self, layout: &str) -> Result<Snapshots<'_>, SolveError> {
        let Pass { run, recorder, layer, started, .. } = *self;
        let path = run.part_path(layer, Metric::Dtw);
        let (snapshots, discarded) =
            Snapshots::open(path, recorder, layout, run.checkpoint_every, started)?;
        if let Some(what) = discarded {
            run.observer.event(&Event::Discarded { layer, what });
        }
        Ok(snapshots)
    }

    /// Gives complete tables their names, adds them to the manifest, and removes their unfinished
    /// work, while the caller goes on. The next layer can read them at once.
    fn record(
        &self,
        complete: Vec<UnnamedTable>,
        info: &RunInfo,
    ) -> Result<Vec<LayerReport>, SolveError> {
        let Pass { run, recorder, layer, .. } = *self;
        let reports =
            complete.iter().map(|table| self.report(table.header(), info.clone())).collect();
        let opened: Option<Vec<Table>> = complete.iter().map(UnnamedTable::open).collect();
        let info = info.clone();
        recorder.record(move || {
            let headers: Vec<Header> =
                complete.iter().map(|table| table.header().clone()).collect();
            // An error of one table does not keep another from its name: nothing else has the values.
            for result in complete.into_iter().map(UnnamedTable::commit).collect::<Vec<_>>() {
                result?;
            }
            for header in headers {
                let path = run.table_path(layer, header.metric());
                record_table(run.game, run.dir, &header, &path, Some(info.clone()))?;
                // Another engine may have left unfinished work in an earlier run.
                let part = run.part_path(layer, header.metric());
                if check_part(&part)? {
                    std::fs::remove_file(&part).map_err(io_error(&part, "removing"))?;
                }
            }
            Ok(())
        })?;
        // All earlier tables have their names now.
        run.set_unnamed(opened.unwrap_or_default());
        Ok(reports)
    }

    /// Finishes the table of outcomes whose values are in its newest checkpoint.
    fn finish_work(
        &self,
        work: WorkFile,
        counts: Counts,
        rounds: u64,
    ) -> Result<LayerReport, SolveError> {
        let Pass { run, .. } = *self;
        let info = self.info(rounds, work.elapsed());
        // One at a time changes the manifest.
        self.recorder.wait()?;
        let header = work.finish(counts, |header, readable| {
            record_table(run.game, run.dir, header, readable, Some(info.clone()))
        })?;
        Ok(self.report(&header, info))
    }

    fn info(&self, rounds: u64, elapsed: Duration) -> RunInfo {
        RunInfo {
            engine: self.plan.engine.name().into(),
            rounds,
            seconds: elapsed.as_secs_f64(),
            threads: rayon::current_num_threads(),
        }
    }

    fn report(&self, header: &Header, run: RunInfo) -> LayerReport {
        LayerReport {
            layer: self.layer,
            metric: header.metric(),
            classes: self.classes(),
            counts: header.counts(),
            bytes: header.layout().file_len(),
            run,
        }
    }

    fn classes(&self) -> u64 {
        Side::BOTH.iter().map(|&side| self.index.len(side)).sum()
    }
}

impl Run<'_> {
    /// Returns the path of the raw table of a layer.
    pub(super) fn table_path(&self, layer: u16, metric: Metric) -> PathBuf {
        self.dir.join(table_name(self.game, layer, metric, Kind::Raw).to_string())
    }

    /// Returns the path of the unfinished table of a layer.
    pub(super) fn part_path(&self, layer: u16, metric: Metric) -> PathBuf {
        self.dir.join(table_name(self.game, layer, metric, Kind::Raw).part())
    }
}

/// Counts the positions of the newest checkpoint by outcome.
fn count(
    observer: &dyn Observer,
    index: &impl LayerIndex,
    work: &WorkFile,
) -> Result<Counts, SolveError> {
    let check = || if observer.interrupted() { Err(SolveError::Interrupted) } else { Ok(()) };
    let planes = work.planes();
    let mut counts = Counts::default();
    for side in Side::BOTH {
        let pairs = planes.pairs(side);
        let pair = |at: usize| pairs[at].each_ref().map(|word| word.load(Relaxed));
        counts[side] = count_side(index, side, observer, pair, check)?;
        work.evict();
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use anser_core::hunt::HuntIndex;
    use anser_core::{Hunt, Unobserved};

    use super::*;
    use crate::Metrics;
    use crate::engines::engine::Engine;
    use crate::run::{SolveOptions, solve_with};

    /// Forgets a value.
    struct TooFew;

    impl Engine for TooFew {
        fn name(&self) -> &'static str {
            "too-few"
        }

        fn fills(&self, _: Metrics) -> bool {
            true
        }

        fn memory(&self, _: &Hunt, _: u16, _: &HuntIndex) -> u64 {
            0
        }

        fn solve(&self, task: &Task<'_>) -> Result<Filled, SolveError> {
            let len = |side| task.index.len(side) as usize;
            Ok(Filled::new(
                BySide::new(vec![0; len(Side::First) - 1], vec![0; len(Side::Second)]),
                1,
            ))
        }
    }

    #[test]
    fn an_engine_that_returns_too_few_values_is_an_error_and_leaves_no_table() {
        let game = Hunt::hare_hounds("budget-3".parse().expect("a rule set"));
        let dir = tempfile::tempdir().expect("a temporary directory");
        let options = SolveOptions { metrics: Metric::Dtw.into(), ..SolveOptions::new(dir.path()) };
        let error = solve_with(&game, &options, &Unobserved, Box::new(TooFew))
            .expect_err("a value is missing");
        assert!(
            matches!(error, SolveError::WrongLength { engine: "too-few", layer: 0, .. }),
            "{error}"
        );
        let left = std::fs::read_dir(dir.path()).expect("it is there").filter_map(Result::ok);
        assert!(
            left.into_iter().all(|file| file.path().extension().is_none_or(|it| it != "anser"))
        );
    }
}
