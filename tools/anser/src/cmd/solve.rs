//! `anser solve`: solves layers into table files.

use std::path::PathBuf;

use anser_core::Hunt;
use anser_games::answers::{
    Need, PlanAnswer, PlannedLayer, PlannedTraffic, SetsAnswer, SolveAnswer, SolvedLayer,
};
use anser_games::{GameInfo, SearchPath};
#[cfg(feature = "cluster")]
use anser_solve::SolveError;
use anser_solve::{EngineChoice, PACK_LEVEL, SolveOptions, Solved, Traffic};
use anser_table::Metric;
use clap::{Args, ValueEnum, ValueHint};

use crate::args::{GameArgs, LayersArg, ThreadsArg, count, memory, metric, within};
use crate::cluster;
use crate::cmd::stats;
use crate::failure::Failure;
use crate::output::{Form, print, print_json};
use crate::progress::{Progress, plan_text};
use crate::reply::Reply;
use crate::tables;

const AFTER: &str = "\
Layers are solved from the lowest to the highest; existing tables are kept. The same command \
resumes a run, however it was stopped. Ctrl-C stops at the next checkpoint, a second Ctrl-C at \
once.

If a layer needs more memory than --memory allows, its working space is kept in scratch files \
beside the tables. The system decides how much of them stays in memory, and the layer takes longer.

Under mpirun or srun, the processes solve each layer together, in a directory that they share; \
docs/cluster.md has more.

With --packed, each layer is packed as soon as it is solved, into the same files as `anser pack` \
writes, and its raw tables are removed as soon as no later layer needs them. Raw tables that \
these layers have already are packed and removed, too. Under rules with +chain every layer needs \
all lower ones, so raw tables stay to the end. Lower tables of distances that exist only packed \
are unpacked first; with --packed, lower ones that exist both raw and packed lose the raw file.

Examples:
  Fox-and-Geese with up to 8 geese, into ./tables:
    anser solve --layers 1-8
  One layer that does not depend on lower ones:
    anser solve --rules first-capture --layers 7
  Time, memory, and disk that the whole game takes:
    anser solve --tables /big/tables --dry-run
  Outcomes and distances, in tables beside each other:
    anser solve --layers 1-6 --metric wdl,dtw
  The same in packed tables, with the raw tables of one or two layers at a time:
    anser solve --layers 1-6 --metric wdl,dtw --packed
  Packed faster, into larger tables:
    anser solve asalto --rules standard+all --layers 1-6 --packed --level 9
  The whole game, with a log:
    nohup anser solve > solve.out 2> solve.log &";

const TABLES: &str =
    "Directory to write the tables to [default: tables] [env: ANSER_TABLES, if it names one]";

/// Solve layers of a game into tables
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    layers: LayersArg,
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help = TABLES)]
    tables: Option<PathBuf>,
    /// Metrics to compute: wdl (outcomes), dtw (outcomes with distances in plies), or both as
    /// wdl,dtw
    #[arg(
        long, value_name = "METRICS", default_value = "wdl", value_delimiter = ',',
        value_parser = metric
    )]
    metric: Vec<Metric>,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Memory limit, for example 8GiB; the fastest engine keeps the rest in scratch files beside
    /// the tables [default: four fifths of the available memory]
    #[arg(long, value_name = "BYTES", value_parser = memory)]
    memory: Option<u64>,
    /// Engine; all engines write identical tables
    #[arg(long, value_name = "ENGINE", default_value = "best")]
    engine: Engine,
    /// Pack each layer once it is solved, and remove its raw tables once no later layer needs them
    #[arg(long)]
    packed: bool,
    /// With --packed: compression level, 1 (fast) to 22 (small) [default: 15]
    #[arg(long, value_name = "N", requires = "packed", value_parser = within::<i32>(1..=22))]
    level: Option<i32>,
    /// Only show the time, memory, and disk that solving takes
    #[arg(long)]
    dry_run: bool,
    /// With --dry-run: what N ranks would take together; see docs/cluster.md
    #[arg(long, value_name = "N", requires = "dry_run", value_parser = count::<u16>)]
    ranks: Option<u16>,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// Message of an interrupted run.
const INTERRUPTED: &str = "interrupted; the same command resumes";

/// Choice of the engine.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Engine {
    /// Fastest engine of the game that fits the memory limit
    Best,
    /// Engine that uses the rules alone: slow, for checking the others
    General,
}

impl SolveArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let (game, info) = &self.game.open()?;
        let mut metrics: Vec<Metric> = Vec::new();
        for metric in &self.metric {
            if !metrics.contains(metric) {
                metrics.push(*metric);
            }
        }
        let options = SolveOptions {
            layers: self.layers.of(game)?,
            threads: self.threads.count(),
            memory: self.memory,
            engine: match self.engine {
                Engine::Best => EngineChoice::Best,
                Engine::General => EngineChoice::General,
            },
            metrics: metrics.iter().copied().collect(),
            packed: self.packed.then(|| self.level.unwrap_or(PACK_LEVEL)),
            ..SolveOptions::new(tables::target(self.tables.as_deref())?)
        };
        if let Some(session) = cluster::join()? {
            #[cfg(feature = "cluster")]
            return self.together(game, info, (&metrics, &options), session);
            #[cfg(not(feature = "cluster"))]
            match session {}
        }
        if self.dry_run {
            let ranks = self.ranks.map(usize::from);
            return self.plan(game, &metrics, &options, ranks);
        }
        let solved = Progress::during(game, options.threads, INTERRUPTED, |progress| {
            anser_solve::solve(game, &options, progress)
        })?;
        self.report(game, info, &options, &solved)
    }

    /// Solves the layers together with the other processes. The one of rank 0 shows and reports the
    /// work.
    #[cfg(feature = "cluster")]
    fn together(
        &self,
        game: &Hunt,
        info: &GameInfo,
        (metrics, options): (&[Metric], &SolveOptions),
        session: anser_cluster::Session,
    ) -> Result<(), Failure> {
        let cluster = session.cluster();
        let rank = cluster.rank();
        if self.dry_run {
            let ranks = self.ranks.map_or(cluster.size(), usize::from);
            let is_first = rank == 0;
            return if is_first { self.plan(game, metrics, options, Some(ranks)) } else { Ok(()) };
        }
        let progress = if rank == 0 {
            Progress::of_run(game, options.threads)?
        } else {
            Progress::of_other()?
        };
        let solved = anser_solve::solve_in_cluster(game, options, &progress, cluster);
        drop(progress);
        if rank > 0 {
            // Rank 0 reports what all ranks know. The session ends after the message, because rank
            // 0 then ends the job.
            let is_of_all = |error: &SolveError| {
                use SolveError::{Interrupted, OtherGame, Rank};
                matches!(error, Interrupted | Rank { .. } | OtherGame { .. })
            };
            if let Some(error) = solved.err().filter(|error| !is_of_all(error)) {
                Failure::from(error).naming(&format!("rank {rank}")).report(self.json);
            }
            return Ok(());
        }
        drop(session);
        match solved {
            Ok(Some(solved)) => self.report(game, info, options, &solved),
            Ok(None) => Ok(()),
            Err(error) => Err(Failure::of_run(error, INTERRUPTED)),
        }
    }

    /// Prints what the run would take.
    fn plan(
        &self,
        game: &Hunt,
        metrics: &[Metric],
        options: &SolveOptions,
        ranks: Option<usize>,
    ) -> Result<(), Failure> {
        let estimate = match ranks {
            None => anser_solve::plan(game, options)?,
            Some(ranks) => anser_solve::plan_for_cluster(game, options, ranks)?,
        };
        if self.json {
            // Time, memory, and disk are those of the whole run.
            let answer = |&metric: &Metric| {
                let passes = || estimate.passes.iter().filter(|pass| pass.metrics.contains(metric));
                let layers = passes().map(|pass| PlannedLayer {
                    layer: pass.layer,
                    engine: Some(pass.engine.into()),
                    scratch: pass.spilled,
                });
                let traffic = estimate.traffic;
                PlanAnswer {
                    game: game.name().into(),
                    rules: game.rules_id().into(),
                    metric,
                    directory: options.dir.display().to_string(),
                    layers: layers.collect(),
                    classes: passes().map(|pass| pass.classes).sum(),
                    seconds: estimate.time.as_secs_f64(),
                    most_seconds: estimate.most_time.as_secs_f64(),
                    memory: Need { needed: estimate.memory.0, available: estimate.memory_budget },
                    disk: Need { needed: estimate.disk, available: estimate.disk_free },
                    scratch_bytes: estimate.scratch,
                    traffic: traffic
                        .map(|Traffic { ranks, bytes }| PlannedTraffic { ranks, bytes }),
                    packed: estimate.packed.clone(),
                }
            };
            match metrics {
                [only] => print_json(&answer(only))?,
                _ => print_json(&SetsAnswer { sets: metrics.iter().map(answer).collect() })?,
            }
        } else {
            print(&plan_text(&estimate, options.threads))?;
        }
        // A plan that the run itself would refuse fails here as well. This machine need not be one
        // of a cluster's.
        if ranks.is_some() { Ok(()) } else { Ok(estimate.check(&options.dir)?) }
    }

    /// Prints the table of the requested layers.
    fn report(
        &self,
        game: &Hunt,
        info: &GameInfo,
        options: &SolveOptions,
        solved: &Solved,
    ) -> Result<(), Failure> {
        let is_finished = |layer: u16| solved.finished.iter().any(|report| report.layer == layer);
        let is_kept = |layer: u16| solved.kept.contains(&layer);
        let path = SearchPath::directories([options.dir.clone()]);
        let mut layers =
            stats::gather(game, &path, |metric| options.metrics.contains(metric))?.layers;
        layers.retain(|layer| is_finished(layer.layer) || is_kept(layer.layer));
        let text = stats::text(game, info, &layers);
        let layers = layers
            .into_iter()
            .map(|layer| SolvedLayer { kept: is_kept(layer.layer), stats: layer.answer(game) });
        let answer = SolveAnswer {
            game: game.name().into(),
            rules: game.rules_id().into(),
            directory: options.dir.display().to_string(),
            layers: layers.collect(),
        };
        Reply::new(answer, text).print(Form::of(self.json))
    }
}
