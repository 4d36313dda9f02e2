//! `anser solve`: layers into table files.

use std::path::{Path, PathBuf};

use anser_core::Game;
use anser_solve::{EngineChoice, Estimate, SolveOptions, Solved, plan, solve};
use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::args::{GameArgs, LayersArg, Memory, Metric, ThreadsArg};
use crate::cmd::stats;
use crate::failure::Failure;
use crate::games::{self, GameInfo, Job};
use crate::output::{print, print_json};
use crate::progress::{Watcher, plan_text};
use crate::tables;

const AFTER: &str = "\
Layers are solved from the lowest up; those that are there already are kept. A run that was \
stopped, however it was stopped, is gone on with by the same command. Ctrl-C stops at the next opportunity, a second \
Ctrl-C at once; nothing is lost.

Where --memory is less than a layer takes, its working space goes to scratch files beside the tables. How much of them is \
in memory is then up to the system: --memory is what the run can not do without, and the layer takes longer.

Examples:
  Fox-and-Geese with up to 8 geese, into ./tables:
    anser solve --layers 1-8
  One layer, where it does not rest on lower ones:
    anser solve --rules first-capture --layers 7
  What the whole game would take:
    anser solve --tables /big/tables --dry-run
  The whole game, with a log:
    nohup anser solve > solve.out 2> solve.log &";

const TABLES: &str = "The directory the tables go to [default: tables] [env: ANSER_TABLES, if it names one]";

/// Solve layers of a game into tables
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    layers: LayersArg,
    #[arg(long, value_name = "DIR", help = TABLES)]
    tables: Option<PathBuf>,
    /// What to compute: wdl, who wins
    #[arg(long, value_name = "METRICS", default_value = "wdl", value_delimiter = ',')]
    metric: Vec<Metric>,
    #[command(flatten)]
    threads: ThreadsArg,
    /// The memory that may be used, for example 8GiB; the fastest engine keeps what goes beyond that in scratch files beside
    /// the tables [default: four fifths of what is available]
    #[arg(long, value_name = "BYTES")]
    memory: Option<Memory>,
    /// Which engine solves; the tables are the same to the last bit
    #[arg(long, value_name = "ENGINE", default_value = "best")]
    engine: Engine,
    /// Only say what it would take
    #[arg(long)]
    dry_run: bool,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// An engine by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Engine {
    /// The fastest one that the game has and that gets by with the memory
    Best,
    /// The one that knows nothing but the rules: slow, and the check of all others
    General,
}

#[derive(Serialize)]
struct PlanAnswer {
    game: String,
    rules: String,
    tables: String,
    layers: Vec<u16>,
    /// Engines in the order of the layers, each with the number of layers it is to solve.
    engines: Vec<EngineAnswer>,
    classes: u64,
    seconds: f64,
    memory: Need,
    disk: Need,
    scratch: ScratchAnswer,
}

/// What is kept in scratch files, as memory is short.
#[derive(Serialize)]
struct ScratchAnswer {
    layers: Vec<u16>,
    /// Bytes for one layer at most; among those that are needed of the disk.
    bytes: u64,
}

#[derive(Serialize)]
struct EngineAnswer {
    engine: &'static str,
    layers: usize,
}

/// What is needed and what there is, in bytes.
#[derive(Serialize)]
struct Need {
    needed: u64,
    available: Option<u64>,
}

#[derive(Serialize)]
struct Answer {
    game: String,
    rules: String,
    tables: String,
    /// Layers that were there already.
    kept: Vec<u16>,
    /// Layers that this run finished.
    finished: Vec<u16>,
    layers: Vec<stats::LayerAnswer>,
}

impl SolveArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        games::play(&self.game.game, self.game.rules.id.as_deref(), self)
    }
}

impl Job for &SolveArgs {
    type Output = ();

    fn run<G: Game>(self, game: &G, info: &GameInfo) -> Result<(), Failure> {
        let options = SolveOptions {
            dir: tables::target(self.tables.as_deref())?,
            layers: self.layers.of(game)?,
            threads: self.threads.count,
            memory: self.memory.map(|Memory(bytes)| bytes),
            engine: match self.engine {
                Engine::Best => EngineChoice::Best,
                Engine::General => EngineChoice::General,
            },
        };
        if self.dry_run {
            let estimate = plan(game, &options)?;
            if self.json {
                print_json(&plan_answer(game, &options.dir, &estimate))?;
            } else {
                print(&plan_text(&estimate, options.threads))?;
            }
            // What the run itself would be refused for is a reason to fail here.
            return Ok(estimate.check(&options.dir)?);
        }
        let watcher = Watcher::new(game, options.threads)?;
        let solved = solve(game, &options, &watcher);
        // Bars go before anything else is written.
        drop(watcher);
        self.report(game, info, &options.dir, solved?)
    }
}

impl SolveArgs {
    /// The paper's table of the layers asked for.
    fn report<G: Game>(&self, game: &G, info: &GameInfo, dir: &Path, solved: Solved) -> Result<(), Failure> {
        let finished: Vec<u16> = solved.finished.iter().map(|report| report.layer).collect();
        let mut layers = stats::gather(game, &[dir.to_owned()])?.layers;
        layers.retain(|layer| finished.contains(&layer.layer) || solved.kept.contains(&layer.layer));
        if !self.json {
            return print(&stats::text(game, info, &layers));
        }
        let layers = layers.into_iter().map(|layer| layer.answer(game)).collect();
        let (game, rules, tables) = (game.name(), game.rules_id(), dir.display().to_string());
        print_json(&Answer { game, rules, tables, kept: solved.kept, finished, layers })
    }
}

fn plan_answer<G: Game>(game: &G, dir: &Path, estimate: &Estimate) -> PlanAnswer {
    PlanAnswer {
        game: game.name(),
        rules: game.rules_id(),
        tables: dir.display().to_string(),
        layers: estimate.layers.clone(),
        engines: estimate.engines.iter().map(|&(engine, layers)| EngineAnswer { engine, layers }).collect(),
        classes: estimate.classes,
        seconds: estimate.time.as_secs_f64(),
        memory: Need { needed: estimate.memory.0, available: estimate.memory_budget },
        disk: Need { needed: estimate.disk, available: estimate.disk_free },
        scratch: ScratchAnswer { layers: estimate.spilled.clone(), bytes: estimate.scratch },
    }
}
