//! A layer to solve, and the progress of the work on it.

use std::time::{Duration, Instant};

use anser_core::Hunt;
use anser_solve::Estimate;
use anser_table::Metric;

use crate::answers::{SolvingAnswer, SolvingState};

/// A layer and a metric, to be solved with all that it depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Target {
    pub(super) game: String,
    pub(super) rules: String,
    pub(super) layer: u16,
    pub(super) metric: Metric,
}

/// The target that is being planned or solved.
pub(super) struct Running {
    pub(super) target: Target,
    /// `None` while it is planned.
    pub(super) work: Option<Work>,
}

/// Progress over the layers of a target, in classes of positions.
pub(super) struct Work {
    all: u64,
    done: u64,
    /// The current layer.
    now: u64,
    began: Instant,
    /// Start of the current layer.
    layer_began: Instant,
    /// Expected seconds per class.
    pace: f64,
}

impl Work {
    pub(super) fn new(estimate: &Estimate) -> Work {
        let all = estimate.classes.max(1);
        let (now, pace) = (Instant::now(), estimate.time.as_secs_f64() / all as f64);
        Work { all, done: 0, now: 0, began: now, layer_began: now, pace }
    }

    /// Begins a layer; the one before is done.
    pub(super) fn begin(&mut self, classes: u64) {
        self.done += self.now;
        (self.now, self.layer_began) = (classes, Instant::now());
        let elapsed = self.began.elapsed().as_secs_f64();
        // The first layers take too little time to measure the pace.
        if elapsed > 1.0 && self.done > self.all / 10 {
            self.pace = elapsed / self.done as f64;
        }
    }

    /// The share that is done, from 0 to 1. Within a layer it follows from the time, because the
    /// number of rounds is not known before.
    pub(super) fn progress(&self) -> f64 {
        let expected = (self.now as f64 * self.pace).max(1e-3);
        let share = (self.layer_began.elapsed().as_secs_f64() / expected).min(0.95);
        ((self.done as f64 + share * self.now as f64) / self.all as f64).min(0.99)
    }

    pub(super) fn seconds_left(&self) -> f64 {
        (1.0 - self.progress()) * self.all as f64 * self.pace
    }
}

impl Target {
    pub(super) fn new(game: &Hunt, layer: u16, metric: Metric) -> Target {
        Target { game: game.name().into(), rules: game.rules_id().into(), layer, metric }
    }

    pub(super) fn is_of(&self, game: &Hunt) -> bool {
        self.game == game.name() && self.rules == game.rules_id()
    }

    pub(super) fn answer(&self, state: SolvingState) -> SolvingAnswer {
        SolvingAnswer {
            layer: self.layer,
            metric: self.metric.id().into(),
            state,
            progress: None,
            seconds_left: None,
            reason: None,
            command: None,
        }
    }
}

impl Running {
    pub(super) fn answer(&self) -> SolvingAnswer {
        let Some(work) = &self.work else { return self.target.answer(SolvingState::Queued) };
        SolvingAnswer {
            progress: Some(work.progress()),
            seconds_left: Some(work.seconds_left()),
            ..self.target.answer(SolvingState::Running)
        }
    }
}

/// The layers of an estimate, in words.
pub(super) fn layers_text(estimate: &Estimate) -> String {
    match estimate.layers()[..] {
        [only] => format!("layer {only}"),
        [first, .., last] => format!("layers {first} to {last}"),
        [] => "no layer".into(),
    }
}

/// A duration in words: `12 s`, `4 min`, `3 h`.
pub(super) fn time_text(time: Duration) -> String {
    match time.as_secs_f64().ceil() as u64 {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds @ 120..7_200 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{} h", seconds.div_ceil(3_600)),
    }
}

/// Returns the name of the values of a metric.
pub(super) fn metric_text(metric: Metric) -> &'static str {
    match metric {
        Metric::Wdl => "outcomes",
        Metric::Dtw => "distances",
    }
}
