//! Progress of an answer: one bar.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anser_solve::{Observer, RunObserver};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that is shorter than this gets no bar.
const MOMENT: Duration = Duration::from_millis(400);

pub(super) struct Bar {
    drawn: ProgressBar,
    started: Instant,
    /// Whether the work takes longer than a moment.
    is_long: AtomicBool,
}

impl Bar {
    pub(super) fn new() -> Bar {
        let drawn = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::hidden());
        if let Ok(style) =
            ProgressStyle::with_template("{prefix} {wide_bar} {percent:>3} %  {elapsed}{msg}")
        {
            drawn.set_style(style);
        }
        Bar { drawn, started: Instant::now(), is_long: AtomicBool::new(false) }
    }

    /// Shows the bar if the work takes longer than a moment.
    fn appear(&self) {
        if self.is_long.load(Relaxed) || self.started.elapsed() <= MOMENT {
            return;
        }
        self.is_long.store(true, Relaxed);
        if std::io::stderr().is_terminal() {
            self.drawn.set_draw_target(ProgressDrawTarget::stderr());
            self.drawn.enable_steady_tick(Duration::from_secs(1));
        }
    }

    /// Shows a message after the bar.
    #[cfg(feature = "fetch")]
    pub(super) fn message(&self, text: &str) {
        self.drawn.set_message(format!("  {text}"));
    }
}

impl Observer for Bar {
    fn begin(&self, what: &str, units: u64) {
        self.drawn.set_prefix(what.to_owned());
        self.drawn.set_length(units);
        self.drawn.set_position(0);
        self.drawn.set_message("");
    }

    fn advance(&self, units: u64) {
        self.appear();
        self.drawn.inc(units);
    }

    /// Shows the bar also before the first unit is done. The bar itself interrupts nothing.
    fn interrupted(&self) -> bool {
        self.appear();
        false
    }
}

impl RunObserver for Bar {}

impl Drop for Bar {
    fn drop(&mut self) {
        self.drawn.finish_and_clear();
    }
}
