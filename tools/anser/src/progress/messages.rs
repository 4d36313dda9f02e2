//! Messages about the events of a run.

use std::time::Duration;

use anser_solve::{Bytes, Discarded, Estimate, Event, LayerReport, Traffic, threads_of};
use anser_table::Metric;

use crate::text::{counted, duration, grouped, layers_text, ranges, rounds};

/// Longest time of a run of which no plan says that it may take longer.
const TOLD: Duration = Duration::from_secs(10);

/// Turns the events of a run into messages.
pub(super) struct Messages {
    /// `won for the geese`
    won: String,
    /// Layers with tables, not reported yet.
    kept: Vec<u16>,
    /// Current layer.
    pub(super) layer: Option<u16>,
}

impl Messages {
    /// `won` names the outcome that finished layers are counted by.
    pub(super) fn new(won: String) -> Messages {
        Messages { won, kept: Vec::new(), layer: None }
    }

    /// Returns the messages about an event, one line each. [`plan_text`] describes an
    /// [`Event::Planned`], after its messages.
    pub(super) fn about(&mut self, event: &Event) -> Vec<String> {
        match event {
            Event::Kept { layer } => {
                self.kept.push(*layer);
                Vec::new()
            }
            Event::Planned(_) => self.kept_line().into_iter().collect(),
            Event::Discarded { layer, what } => vec![discarded_line(*layer, *what)],
            Event::Layer { layer, resumed, .. } => {
                self.layer = Some(*layer);
                let resumed =
                    resumed.map(|done| format!("layer {layer}: resuming after {}", rounds(done)));
                self.kept_line().into_iter().chain(resumed).collect()
            }
            Event::Spilled { layer, bytes } => vec![format!(
                "layer {layer}: memory is short; up to {} of scratch files beside the tables",
                Bytes(*bytes)
            )],
            Event::Released { layers, resident } => {
                vec![self.prefix() + &released_line(layers, *resident)]
            }
            Event::Exchanged { layer, traffic, waiting } => vec![format!(
                "layer {layer}: {} ranks sent each other {}, and waited {:.0} % of the time",
                traffic.ranks,
                Bytes(traffic.bytes),
                100.0 * waiting,
            )],
            Event::Finished(report) => {
                self.layer = None;
                vec![finished_line(report, &self.won)]
            }
            Event::Unpacking { layer, metric } => vec![format!(
                "layer {layer}{}: only packed, unpacking it for the layers above",
                of_metric(*metric)
            )],
            Event::Packed(table) => vec![format!(
                "layer {}{}: packed, {} of {}, {}",
                table.layer,
                of_metric(table.metric),
                Bytes(table.bytes),
                Bytes(table.raw_bytes),
                duration(table.seconds),
            )],
            _ => Vec::new(),
        }
    }

    /// Start of a line about the current layer, if any.
    pub(super) fn prefix(&self) -> String {
        self.layer.map(|layer| format!("layer {layer}: ")).unwrap_or_default()
    }

    /// Line about the layers with tables that were not reported yet, if any.
    fn kept_line(&mut self) -> Option<String> {
        let kept = std::mem::take(&mut self.kept);
        let verb = if kept.len() == 1 { "has a table" } else { "have tables" };
        (!kept.is_empty()).then(|| format!("{} already {verb}", layers_text(&kept)))
    }
}

/// Returns the time that a run takes if most positions are won after many plies; `None` if that is
/// not much more than it probably takes.
pub(crate) fn most_time(estimate: &Estimate) -> Option<String> {
    let is_more = estimate.most_time > TOLD && estimate.most_time > 2 * estimate.time;
    is_more.then(|| duration(estimate.most_time.as_secs_f64()))
}

/// Describes what a run will need, in a few lines.
pub(crate) fn plan_text(estimate: &Estimate, threads: Option<usize>) -> String {
    let (layers, spilled) = (estimate.layers(), estimate.spilled());
    let (memory, largest) = estimate.memory;
    if layers.is_empty() && estimate.packed.is_empty() {
        return "nothing to solve or to pack: all these layers have tables\n".into();
    }
    let of = |total: Option<u64>, what: &str| {
        total.map(|bytes| format!(" of {} {what}", Bytes(bytes))).unwrap_or_default()
    };
    let mut text = String::new();
    if !layers.is_empty() {
        text += &format!(
            "to solve  layers {}, {} classes\nengine    {}\n",
            ranges(layers),
            grouped(estimate.classes),
            engines_text(estimate),
        );
    }
    if !estimate.packed.is_empty() {
        text += &format!(
            "to pack   layers {}; raw tables are removed once no later layer needs them\n",
            ranges(estimate.packed.iter().copied())
        );
    }
    let threads = counted(threads_of(threads) as u64, "thread", "threads");
    let most = most_time(estimate)
        .map(|most| format!(", {most} if most positions are won after many plies"))
        .unwrap_or_default();
    let time = duration(estimate.time.as_secs_f64());
    text += &format!("time      about {time} with {threads}{most}\n");
    if memory > 0 {
        let of_ranks = estimate.traffic.map_or(String::new(), |Traffic { ranks, .. }| {
            format!(" a rank, {} in all", Bytes(memory.saturating_mul(ranks as u64)))
        });
        text += &format!(
            "memory    {}{of_ranks} (layer {largest}){}\n",
            Bytes(memory),
            of(estimate.memory_budget, "that may be used"),
        );
    }
    if let Some(Traffic { ranks, bytes }) = estimate.traffic {
        text += &format!(
            "ranks     {ranks}, which send each other up to {}, each {}\n",
            Bytes(bytes),
            Bytes(bytes / ranks as u64),
        );
    }
    text += &format!("disk      {}{}\n", Bytes(estimate.disk), of(estimate.disk_free, "free"));
    if !spilled.is_empty() {
        text += &format!(
            "scratch   up to {} of that disk, because memory is short for {}: slower\n",
            Bytes(estimate.scratch),
            layers_text(&spilled),
        );
    }
    text
}

/// Names the engines, with the number of layers of each if there are several.
fn engines_text(estimate: &Estimate) -> String {
    let engines = estimate.engines();
    if let [(engine, _)] = engines[..] {
        let because = estimate.general_because.map(|what| format!(", because of {what}"));
        return engine.to_owned() + &because.unwrap_or_default();
    }
    let parts: Vec<String> = engines
        .iter()
        .map(|(engine, layers)| {
            format!("{engine} for {}", counted(*layers as u64, "layer", "layers"))
        })
        .collect();
    // Layers that lack different metrics need not have the same engine.
    let passes = &estimate.passes;
    let differ = passes
        .iter()
        .any(|a| passes.iter().any(|b| a.metrics == b.metrics && a.engine != b.engine));
    parts.join(", ")
        + if differ { " (more --memory would let the fastest do them all)" } else { "" }
}

/// Line about a finished layer.
fn finished_line(report: &LayerReport, won_for: &str) -> String {
    let positions: u64 = report.counts.as_array().iter().flatten().sum();
    let won: u64 = report.counts.iter().map(|(_, outcomes)| outcomes[2]).sum();
    format!(
        "layer {}{}: done, {} positions, {} {won_for}, {}, {}, {}",
        report.layer,
        of_metric(report.metric),
        grouped(positions),
        grouped(won),
        rounds(report.run.rounds),
        duration(report.run.seconds),
        Bytes(report.bytes),
    )
}

/// Returns the words after the number of a layer in a line about its table of this metric.
fn of_metric(metric: Metric) -> &'static str {
    match metric {
        Metric::Wdl => "",
        Metric::Dtw => ", distances",
    }
}

/// Line about earlier work on a layer that is not used.
fn discarded_line(layer: u16, what: Discarded) -> String {
    match what {
        Discarded::NarrowValues => {
            return format!("layer {layer}: 8 bits cannot hold a distance; going on with 16 bits");
        }
        Discarded::WrongValues => {
            return format!("layer {layer}: 8 bits do not suffice; starting again with 16 bits");
        }
        _ => {}
    }
    let why = match what {
        Discarded::Damaged => "its checksum does not match",
        Discarded::CutOff => "its length is wrong",
        Discarded::OtherVersion => "another version of anser wrote it",
        Discarded::OtherEngine => "another engine wrote it",
        _ => "it cannot be resumed",
    };
    format!("layer {layer}: the unfinished table is discarded, because {why}; starting again")
}

/// Line about lower layers whose memory was released: resident bytes before and after, if known.
fn released_line(layers: &[u16], resident: Option<(u64, u64)>) -> String {
    let layers = layers_text(layers);
    match resident {
        Some((before, after)) => {
            format!("released {layers}: resident memory {} -> {}", Bytes(before), Bytes(after))
        }
        None => format!("released {layers}"),
    }
}

/// Number of units per second: `830 /s`, `2.1 M/s`.
pub(super) fn rate(per_second: f64) -> String {
    match per_second {
        rate if rate >= 1e6 => format!("{:.1} M/s", rate / 1e6),
        rate if rate >= 1e3 => format!("{:.0} k/s", rate / 1e3),
        rate => format!("{rate:.0} /s"),
    }
}
