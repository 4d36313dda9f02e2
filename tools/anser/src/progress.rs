//! What is seen of a run: bars where standard error is a terminal, a line now and then where it is
//! not.

mod bars;
mod lines;

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use anser_core::Side;
use anser_games::AnyGame;
use anser_games::answers::ErrorKind;
use anser_solve::{Bytes, Discarded, Estimate, Event, LayerReport, Observer, RunObserver, threads_of};
use anser_table::Metric;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::failure::Failure;
use crate::text::{duration, grouped, ranges, rounds, won_for};
use bars::Bars;
use lines::Lines;

/// Watches a run for a person, and stops it when that person asks.
///
/// The first Ctrl-C (or SIGTERM) stops the run at the next chunk, the second one ends the process
/// at once; either way the same command resumes. SIGHUP is left alone, so that `nohup` does what it
/// should.
pub(crate) struct Watcher {
    stop: Arc<AtomicBool>,
    view: View,
}

enum View {
    Bars(Box<Bars>),
    Lines(Lines),
}

impl Watcher {
    /// Watches a run of `game` with this number of threads.
    pub(crate) fn new(game: &AnyGame, threads: Option<usize>) -> Result<Watcher, Failure> {
        let stop = stop_flag()?;
        let won = won_for(game, Side::Second);
        let dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
        let view = if std::io::stderr().is_terminal() && !dumb {
            View::Bars(Box::new(Bars::new(won, threads)))
        } else {
            View::Lines(Lines::new(won, threads))
        };
        Ok(Watcher { stop, view })
    }
}

/// A flag that the first Ctrl-C (or SIGTERM) raises; the next one ends the process.
///
/// There is one flag for the process, lowered by every call: what raises it ends the work that
/// asked for it last.
pub(crate) fn stop_flag() -> Result<Arc<AtomicBool>, Failure> {
    static FLAG: OnceLock<Result<Arc<AtomicBool>, String>> = OnceLock::new();
    let flag = FLAG.get_or_init(|| {
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds the flag down, and raises it.
            flag::register_conditional_shutdown(signal, ErrorKind::Interrupted.exit_status().into(), Arc::clone(&stop))
                .and_then(|_| flag::register(signal, Arc::clone(&stop)))
                .map_err(|error| format!("signals cannot be watched: {error}"))?;
        }
        Ok(stop)
    });
    let flag = flag.as_ref().map_err(Failure::io)?;
    flag.store(false, Relaxed);
    Ok(Arc::clone(flag))
}

impl Observer for Watcher {
    fn begin(&self, what: &str, units: u64) {
        match &self.view {
            View::Bars(bars) => bars.begin(what, units),
            View::Lines(lines) => lines.begin(what, units),
        }
    }

    fn advance(&self, units: u64) {
        match &self.view {
            View::Bars(bars) => bars.advance(units),
            View::Lines(lines) => lines.advance(units),
        }
    }

    fn interrupted(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

impl RunObserver for Watcher {
    fn event(&self, event: &Event) {
        match &self.view {
            View::Bars(bars) => bars.event(event),
            View::Lines(lines) => lines.event(event),
        }
    }
}

/// What a run will need, in a few lines.
pub(crate) fn plan_text(estimate: &Estimate, threads: Option<usize>) -> String {
    let Estimate { passes: _, classes, time, memory, memory_budget, scratch, disk, disk_free } = estimate;
    let (layers, spilled) = (estimate.layers(), estimate.spilled());
    let (memory, largest) = memory;
    if layers.is_empty() {
        return "nothing to do: all these layers are there\n".into();
    }
    let threads = threads_of(threads);
    let threads = if threads == 1 { "1 thread".into() } else { format!("{threads} threads") };
    let of =
        |total: &Option<u64>, what: &str| total.map(|bytes| format!(" of {} {what}", Bytes(bytes))).unwrap_or_default();
    let scratch = if spilled.is_empty() {
        String::new()
    } else {
        let layers = if spilled.len() == 1 { "layer" } else { "layers" };
        let which = ranges(spilled.iter().copied());
        format!("scratch   up to {} of that disk, as memory is short for {layers} {which}: slower\n", Bytes(*scratch))
    };
    format!(
        "to solve  layers {}, {} classes\nengine    {}\ntime      about {} with {threads}\n\
         memory    {} (layer {largest}){}\ndisk      {}{}\n{scratch}",
        ranges(layers.iter().copied()),
        grouped(*classes),
        engines_text(&estimate.engines()),
        duration(time.as_secs_f64()),
        Bytes(*memory),
        of(memory_budget, "that may be used"),
        Bytes(*disk),
        of(disk_free, "free"),
    )
}

/// The engines, with the number of layers where there is more than one engine.
fn engines_text(engines: &[(&'static str, usize)]) -> String {
    if let [(engine, _)] = engines {
        return (*engine).into();
    }
    let parts = engines
        .iter()
        .map(|(engine, layers)| format!("{engine} for {layers} {}", if *layers == 1 { "layer" } else { "layers" }));
    parts.collect::<Vec<_>>().join(", ") + " (more --memory would let the fastest do them all)"
}

/// A finished layer in a line.
fn finished_line(report: &LayerReport, won_for: &str) -> String {
    let positions: u64 = report.counts.iter().flatten().sum();
    let won: u64 = report.counts.iter().map(|outcomes| outcomes[2]).sum();
    format!(
        "layer {}{}: done, {} positions, {} {won_for}, {}, {}, {}",
        report.layer,
        if report.metric == Metric::Dtw { ", distances" } else { "" },
        grouped(positions),
        grouped(won),
        rounds(report.run.rounds),
        duration(report.run.seconds),
        Bytes(report.bytes),
    )
}

/// What earlier work on a layer is not used, in a line.
fn discarded_line(layer: u16, what: Discarded) -> String {
    let why = match what {
        Discarded::LastCheckpoint => {
            return format!(
                "layer {layer}: the last checkpoint of the unfinished table is damaged or was cut off; resuming from the one \
                 before"
            );
        }
        Discarded::Damaged => "its checksums do not match",
        Discarded::CutOff => "it does not have its length",
        Discarded::OtherTable => "it is of other rules or another index",
        Discarded::OtherVersion => "another version of anser made it",
        Discarded::OtherEngine => "another engine made it",
        Discarded::Linked => "the file has a second name",
        _ => "it cannot be resumed",
    };
    format!("layer {layer}: the unfinished table that was there is not used: {why}; beginning anew")
}

/// That a layer is solved with scratch files, in a line.
fn spilled_line(layer: u16, bytes: u64) -> String {
    format!("layer {layer}: memory is short; up to {} of scratch files beside the tables", Bytes(bytes))
}

/// What became of the memory when lower layers were let go, in a line.
fn released_line(layers: &[u16], resident: Option<(u64, u64)>) -> String {
    let what = format!("released {}", if layers.len() == 1 { "layer " } else { "layers " });
    let layers = ranges(layers.iter().copied());
    match resident {
        Some((before, after)) => format!("{what}{layers}: resident memory {} -> {}", Bytes(before), Bytes(after)),
        None => format!("{what}{layers}"),
    }
}

/// A number of units a second: `830 /s`, `2.1 M/s`.
fn rate(per_second: f64) -> String {
    match per_second {
        rate if rate >= 1e6 => format!("{:.1} M/s", rate / 1e6),
        rate if rate >= 1e3 => format!("{:.0} k/s", rate / 1e3),
        rate => format!("{rate:.0} /s"),
    }
}
