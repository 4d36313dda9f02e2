//! A run as bars: one for everything, one for the piece of work at hand.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use anser_solve::{Bytes, Estimate, Event, resident_memory};
use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};

use crate::progress::{discarded_line, finished_line, plan_text, rate, released_line, spilled_line};
use crate::text::{duration, percent, ranges, rounds};

const TICK: Duration = Duration::from_millis(200);

pub(super) struct Bars {
    won: String,
    threads: Option<usize>,
    all: MultiProgress,
    /// The piece of work at hand, in units.
    work: ProgressBar,
    state: Mutex<State>,
}

struct State {
    started: Instant,
    kept: Vec<u16>,
    layer: Option<Layer>,
    plan: Option<Plan>,
}

/// The layer at hand.
struct Layer {
    number: u16,
    classes: u64,
    decided: u64,
}

/// Everything there is to do; its bar counts classes.
struct Plan {
    estimate: Estimate,
    bar: ProgressBar,
    /// Classes of the layers that are finished.
    finished: u64,
    layers_left: usize,
}

impl Bars {
    pub(super) fn new(won: String, threads: Option<usize>) -> Bars {
        let all = MultiProgress::new();
        let work = all.add(
            ProgressBar::no_length()
                .with_style(style("{prefix:16} {wide_bar} {percent:>3} %  {msg}{rate}  {eta} left  {resident}")),
        );
        let state = State { started: Instant::now(), kept: Vec::new(), layer: None, plan: None };
        Bars { won, threads, all, work, state: Mutex::new(state) }
    }

    pub(super) fn begin(&self, what: &str, units: u64) {
        let Ok(state) = self.state.lock() else { return };
        let layer = state.layer.as_ref();
        self.work.set_prefix(layer.map_or(what.to_owned(), |layer| format!("layer {}, {what}", layer.number)));
        self.work.set_message(
            layer.map_or(String::new(), |layer| format!("decided {}  ", percent(layer.decided, layer.classes))),
        );
        self.work.reset();
        self.work.set_length(units);
        self.work.enable_steady_tick(TICK);
    }

    pub(super) fn event(&self, event: &Event) {
        let Ok(mut state) = self.state.lock() else { return };
        match event {
            Event::Kept { layer } => state.kept.push(*layer),
            Event::Planned(estimate) => {
                self.tell_kept(&mut state);
                self.line(plan_text(estimate, self.threads).trim_end());
                if !estimate.layers().is_empty() {
                    state.plan = Some(self.plan(estimate));
                }
            }
            Event::Discarded { layer, what } => self.line(&discarded_line(*layer, *what)),
            Event::Layer { layer, classes, resumed } => {
                self.tell_kept(&mut state);
                state.layer = Some(Layer { number: *layer, classes: *classes, decided: 0 });
                if let Some(done) = resumed {
                    self.line(&format!("layer {layer}: resuming after {}", rounds(*done)));
                }
            }
            Event::Spilled { layer, bytes } => self.line(&spilled_line(*layer, *bytes)),
            Event::Step { decided, .. } => {
                if let Some(layer) = &mut state.layer {
                    layer.decided = *decided;
                }
            }
            Event::Released { layers, resident } => {
                let layer = state.layer.as_ref().map(|layer| format!("layer {}: ", layer.number)).unwrap_or_default();
                self.line(&format!("{layer}{}", released_line(layers, *resident)));
            }
            Event::Finished(report) => {
                self.line(&finished_line(report, &self.won));
                state.layer = None;
                if let Some(plan) = &mut state.plan {
                    plan.finished += report.classes;
                    plan.layers_left = plan.layers_left.saturating_sub(1);
                }
            }
            _ => {}
        }
        state.show_plan();
    }

    pub(super) fn advance(&self, units: u64) {
        self.work.inc(units);
    }

    fn plan(&self, estimate: &Estimate) -> Plan {
        let bar = ProgressBar::new(estimate.classes).with_style(style("{prefix:16} {wide_bar} {percent:>3} %  {msg}"));
        let bar = self.all.insert(0, bar);
        bar.set_prefix(format!("layers {}", ranges(estimate.layers())));
        Plan { bar, finished: 0, layers_left: estimate.layers().len(), estimate: estimate.clone() }
    }

    fn tell_kept(&self, state: &mut State) {
        if !state.kept.is_empty() {
            let kept = std::mem::take(&mut state.kept);
            let (what, verb) = if kept.len() == 1 { ("layer", "is") } else { ("layers", "are") };
            self.line(&format!("{what} {} {verb} there already", ranges(kept)));
        }
    }

    /// A line above the bars.
    fn line(&self, text: &str) {
        let _ = self.all.println(text);
    }
}

impl State {
    /// Brings the bar of everything up to date.
    fn show_plan(&self) {
        let Some(plan) = &self.plan else { return };
        let done = plan.finished + self.layer.as_ref().map_or(0, |layer| layer.decided);
        plan.bar.set_position(done.min(plan.estimate.classes));
        let total = plan.estimate.layers().len();
        let elapsed = self.started.elapsed().as_secs_f64();
        let left = time_left(elapsed, plan.finished as f64 / plan.estimate.classes.max(1) as f64, &plan.estimate);
        plan.bar.set_message(format!(
            "{} of {total} layers  {} so far  about {} left",
            total - plan.layers_left,
            duration(elapsed),
            duration(left),
        ));
    }
}

/// How long everything will still take: as was estimated, and as the finished layers tell when they
/// are a good part.
fn time_left(elapsed: f64, finished: f64, estimate: &Estimate) -> f64 {
    if finished >= 0.05 {
        elapsed * (1.0 - finished) / finished
    } else {
        (estimate.time.as_secs_f64() - elapsed).max(0.0)
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
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
            let _ = out.write_str(&resident_memory().map(|bytes| Bytes(bytes).to_string()).unwrap_or_default());
        })
        .progress_chars("=> ")
}
