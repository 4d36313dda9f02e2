//! Solves one layer: runs engines over it, and writes the tables.

use std::time::Instant;

use anser_core::validate;
use anser_table::format::Header;
use anser_table::manifest::RunInfo;

use super::directory::Run;
use super::lower::LowerTables;
use super::metrics::Metrics;
use super::recorder::Recorder;
use crate::checkpoint::Checkpoints;
use crate::engines::choice::Plan;
use crate::engines::engine::{Filled, Task};
use crate::io::raw_file::UnnamedTable;
use crate::observer::Event;
use crate::reports::LayerReport;
use crate::{LayerOf, SolveError};

/// Number of classes of a layer to validate before it is solved.
const VALIDATED: u64 = 200;

impl Run<'_> {
    /// Solves a layer for these metrics. Returns a report of each table.
    pub(super) fn layer<'s>(
        &'s self,
        layer: u16,
        metrics: Metrics,
        recorder: &Recorder<'s>,
    ) -> Result<Vec<LayerReport>, SolveError> {
        let started = Instant::now();
        validate(self.game, layer, VALIDATED)?;
        let of = LayerOf { game: self.game, layer, index: &self.game.index(layer) };
        Pass { run: self, recorder, of, plan: self.engines.plan(of, metrics), started }.run()
    }
}

/// One pass of an engine over a layer.
struct Pass<'r, 's, 'a> {
    run: &'s Run<'a>,
    recorder: &'r Recorder<'s>,
    of: LayerOf<'r>,
    plan: Plan<'r>,
    started: Instant,
}

impl Pass<'_, '_, '_> {
    /// Solves the layer for the metrics of the plan. Returns a report of each table.
    fn run(&self) -> Result<Vec<LayerReport>, SolveError> {
        let Pass { run, recorder, of, ref plan, started } = *self;
        let LayerOf { layer, index, .. } = of;
        let (observer, engine) = (run.observer, plan.engine.name());
        let (checkpoints, discarded) = Checkpoints::open(
            run.part_path(layer, plan.metrics),
            recorder,
            &format!("{engine} {}", run.game.fingerprint()),
            run.checkpoint_every,
            started,
        )?;
        if let Some(what) = discarded {
            observer.event(&Event::Discarded { layer, what });
        }
        let (classes, resumed) = (of.classes(), checkpoints.found_rounds());
        observer.event(&Event::Layer { layer, classes, resumed });
        if let Some(bytes) = plan.scratch {
            observer.event(&Event::Spilled { layer, bytes });
        }
        let Filled { tables, rounds } = plan.engine.solve(&Task {
            game: run.game,
            layer,
            index,
            metrics: plan.metrics,
            lower: &LowerTables { run, recorder, layer },
            dir: run.dir,
            checkpoints: &checkpoints,
            memory: run.engines.memory(),
            scratch: plan.scratch.map(|_| run.dir),
            observer,
        })?;
        let complete = tables.into_iter().map(|table| table.finish(index, observer));
        self.record(
            complete.collect::<Result<_, _>>()?,
            &RunInfo {
                engine: engine.into(),
                rounds,
                seconds: checkpoints.elapsed().as_secs_f64(),
                threads: rayon::current_num_threads(),
            },
        )
    }

    /// Gives complete tables their names, adds them to the manifest, and removes their unfinished
    /// work, while the caller goes on. The next layer can read them at once.
    fn record(
        &self,
        complete: Vec<UnnamedTable>,
        info: &RunInfo,
    ) -> Result<Vec<LayerReport>, SolveError> {
        let Pass { run, recorder, of: LayerOf { layer, .. }, ref plan, .. } = *self;
        let reports =
            complete.iter().map(|table| self.report(table.header(), info.clone())).collect();
        let places = complete.iter().map(UnnamedTable::place).collect();
        let (metrics, info) = (plan.metrics, info.clone());
        recorder.record(move || {
            // An error of one table does not keep another from its name: nothing else has the
            // values.
            let record = |mut table: UnnamedTable| {
                let listed = table.record(run.game, run.dir, &info);
                table.commit().and(listed)
            };
            for result in complete.into_iter().map(record).collect::<Vec<_>>() {
                result?;
            }
            for metric in metrics.iter() {
                // Another engine may have left unfinished work in an earlier run.
                run.remove_part(layer, metric)?;
            }
            Ok(())
        })?;
        run.add_unnamed(places);
        Ok(reports)
    }

    fn report(&self, header: &Header, run: RunInfo) -> LayerReport {
        LayerReport {
            layer: self.of.layer,
            metric: header.metric(),
            classes: self.of.classes(),
            counts: header.counts(),
            bytes: header.layout().file_len(),
            run,
        }
    }
}

#[cfg(test)]
mod tests {
    use anser_core::{BySide, Hunt, LayerIndex, Side, Unobserved};
    use anser_table::Metric;

    use super::*;
    use crate::Metrics;
    use crate::engines::engine::{Engine, Needs};
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

        fn needs(&self, _: LayerOf<'_>, _: Metrics) -> Needs {
            Needs::default()
        }

        fn solve(&self, task: &Task<'_>) -> Result<Filled, SolveError> {
            let len = |side| task.index.len(side) as usize;
            let codes = BySide::new(vec![0; len(Side::First) - 1], vec![0; len(Side::Second)]);
            Filled::of_codes(task, self.name(), &codes, 1)
        }
    }

    #[test]
    fn an_engine_that_returns_too_few_values_is_an_error_and_leaves_no_table() {
        let game = Hunt::hare_hounds("budget-3").unwrap();
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
