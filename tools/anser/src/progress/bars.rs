//! Progress of a run as two bars: one of the run, one of the current piece of work.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anser_solve::{Bytes, Estimate, Event, LayerReport, Observer, RunObserver, resident_memory};
use anser_table::Metric;
use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};

use super::messages::{Messages, plan_text, rate};
use crate::text::{duration, percent, ranges};

const TICK: Duration = Duration::from_millis(200);

pub(super) struct Bars {
    threads: Option<usize>,
    both: MultiProgress,
    /// Current piece of work, in units.
    work: ProgressBar,
    state: Mutex<State>,
}

struct State {
    messages: Messages,
    started: Instant,
    /// Decided classes of the current layer, and all its classes.
    layer: Option<(u64, u64)>,
    plan: Option<Plan>,
}

/// The whole run; its bar counts classes.
struct Plan {
    estimate: Estimate,
    bar: ProgressBar,
    /// Classes of the finished layers.
    finished: u64,
    /// Tables to be finished.
    open: Vec<(u16, Metric)>,
}

impl Plan {
    /// Records a finished table. A layer is finished with its last table.
    fn finish(&mut self, report: &LayerReport) {
        self.open.retain(|&table| table != (report.layer, report.metric));
        if self.open.iter().all(|&(layer, _)| layer != report.layer) {
            self.finished += report.classes;
        }
    }
}

impl Bars {
    pub(super) fn new(messages: Messages, threads: Option<usize>) -> Bars {
        let both = MultiProgress::new();
        let work = both.add(ProgressBar::no_length().with_style(style(
            "{prefix:16} {wide_bar} {percent:>3} %  {msg}{rate}  {eta} left  {resident}",
        )));
        let state = State { messages, started: Instant::now(), layer: None, plan: None };
        Bars { threads, both, work, state: Mutex::new(state) }
    }

    fn plan(&self, estimate: &Estimate) -> Plan {
        let bar = ProgressBar::new(estimate.classes)
            .with_style(style("{prefix:16} {wide_bar} {percent:>3} %  {msg}"));
        let bar = self.both.insert(0, bar);
        bar.set_prefix(format!("layers {}", ranges(estimate.layers())));
        let open = estimate
            .passes
            .iter()
            .flat_map(|pass| pass.metrics.iter().map(|metric| (pass.layer, metric)));
        Plan { bar, finished: 0, open: open.collect(), estimate: estimate.clone() }
    }

    /// Writes a line above the bars.
    fn line(&self, text: &str) {
        let _ = self.both.println(text);
    }
}

impl Observer for Bars {
    fn begin(&self, what: &str, units: u64) {
        let Ok(state) = self.state.lock() else { return };
        self.work.set_prefix(
            state.messages.layer.map_or(what.to_owned(), |layer| format!("layer {layer}, {what}")),
        );
        let decided =
            state.layer.map(|(decided, all)| format!("decided {}  ", percent(decided, all)));
        self.work.set_message(decided.unwrap_or_default());
        self.work.reset();
        self.work.set_length(units);
        self.work.enable_steady_tick(TICK);
    }

    fn advance(&self, units: u64) {
        self.work.inc(units);
    }
}

impl RunObserver for Bars {
    fn event(&self, event: &Event) {
        let Ok(mut state) = self.state.lock() else { return };
        state.messages.about(event).iter().for_each(|message| self.line(message));
        match event {
            Event::Planned(estimate) => {
                self.line(plan_text(estimate, self.threads).trim_end());
                if !estimate.layers().is_empty() {
                    state.plan = Some(self.plan(estimate));
                }
            }
            Event::Layer { classes, .. } => {
                state.layer = Some((0, *classes));
            }
            Event::Step { decided, .. } => {
                if let Some(layer) = &mut state.layer {
                    layer.0 = *decided;
                }
            }
            Event::Finished(report) => {
                state.layer = None;
                if let Some(plan) = &mut state.plan {
                    plan.finish(report);
                }
            }
            _ => {}
        }
        state.show_plan();
    }
}

impl State {
    /// Updates the bar of the run.
    fn show_plan(&self) {
        let Some(plan) = &self.plan else { return };
        let done = plan.finished + self.layer.map_or(0, |(decided, _)| decided);
        plan.bar.set_position(done.min(plan.estimate.classes));
        let total = plan.estimate.layers().len();
        let elapsed = self.started.elapsed().as_secs_f64();
        // Extrapolated if at least a twentieth is finished, else as estimated.
        let finished = plan.finished as f64 / plan.estimate.classes.max(1) as f64;
        let left = if finished >= 0.05 {
            elapsed * (1.0 - finished) / finished
        } else {
            (plan.estimate.time.as_secs_f64() - elapsed).max(0.0)
        };
        let layers_left = plan.open.chunk_by(|a, b| a.0 == b.0).count();
        plan.bar.set_message(format!(
            "{} of {total} layers  {} so far  about {} left",
            total - layers_left,
            duration(elapsed),
            duration(left),
        ));
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = &state.plan {
            plan.bar.finish_and_clear();
        }
        self.work.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("rate", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = out.write_str(&rate(state.per_sec()));
        })
        .with_key("resident", |_: &ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = out.write_str(
                &resident_memory().map(|bytes| Bytes(bytes).to_string()).unwrap_or_default(),
            );
        })
        .progress_chars("=> ")
}
