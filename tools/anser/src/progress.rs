//! Progress of long work on standard error, and its interruption.

mod bar;
mod bars;
mod lines;
mod messages;
#[cfg(feature = "fetch")]
mod transfer;

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use anser_core::Hunt;
use anser_core::Side;
use anser_games::answers::ErrorKind;
use anser_solve::{Event, Observer, RunObserver, SolveError};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::failure::Failure;
use crate::text::won_for;
use bar::Bar;
use bars::Bars;
use lines::Lines;
use messages::Messages;

pub(crate) use messages::{most_time, plan_text};

/// Shows the progress of work, and interrupts it when the user asks for that.
///
/// The first Ctrl-C (or SIGTERM) interrupts the work at the next opportunity, the second one ends
/// the process at once. SIGHUP interrupts the work too, unless `nohup` started it.
pub(crate) struct Progress {
    stop: Arc<AtomicBool>,
    view: Box<dyn RunObserver>,
}

impl Progress {
    /// Shows the work on an answer: a bar, if standard error is a terminal and the work takes
    /// longer than a moment.
    pub(crate) fn of_answer() -> Result<Progress, Failure> {
        Ok(Progress { stop: stop_flag()?, view: Box::new(Bar::new()) })
    }

    /// Shows a transfer: a bar with rate and rest if standard error is a terminal, else log lines.
    /// The units of the work `of_bytes` are bytes.
    #[cfg(feature = "fetch")]
    pub(crate) fn of_transfer(of_bytes: &'static str) -> Result<Progress, Failure> {
        Ok(Progress { stop: stop_flag()?, view: Box::new(transfer::Transfer::new(of_bytes)) })
    }

    /// Shows the progress of `run`, as [`of_run`](Progress::of_run), and clears it before anything
    /// else is written. `interrupted` is the message of the failure if the user stops the run.
    pub(crate) fn during<T>(
        game: &Hunt,
        threads: Option<usize>,
        interrupted: &str,
        run: impl FnOnce(&Progress) -> Result<T, SolveError>,
    ) -> Result<T, Failure> {
        let progress = Progress::of_run(game, threads)?;
        let done = run(&progress);
        drop(progress);
        done.map_err(|error| Failure::of_run(error, interrupted))
    }

    /// Shows a run on the tables of `game` with this number of threads: bars if standard error is a
    /// terminal, else log lines.
    pub(crate) fn of_run(game: &Hunt, threads: Option<usize>) -> Result<Progress, Failure> {
        let stop = stop_flag()?;
        let messages = Messages::new(won_for(game, Side::Second));
        let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
        let view: Box<dyn RunObserver> = if std::io::stderr().is_terminal() && !is_dumb {
            Box::new(Bars::new(messages, threads))
        } else {
            Box::new(Lines::new(messages, threads))
        };
        Ok(Progress { stop, view })
    }

    /// Shows nothing: another process shows the work.
    #[cfg(feature = "cluster")]
    pub(crate) fn of_other() -> Result<Progress, Failure> {
        Ok(Progress { stop: stop_flag()?, view: Box::new(anser_solve::Unobserved) })
    }

    /// Ends the work; from now on Ctrl-C ends the process at once.
    pub(crate) fn finish(self) {
        self.stop.store(true, Relaxed);
    }

    /// Fails if the work was interrupted.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.interrupted() { Err(Failure::interrupted()) } else { Ok(()) }
    }
}

impl Observer for Progress {
    fn begin(&self, what: &str, units: u64) {
        self.view.begin(what, units);
    }

    fn advance(&self, units: u64) {
        self.view.advance(units);
    }

    fn interrupted(&self) -> bool {
        self.view.interrupted() || self.stop.load(Relaxed)
    }
}

impl RunObserver for Progress {
    fn event(&self, event: &Event) {
        self.view.event(event);
    }
}

/// Returns a flag that the first Ctrl-C (or SIGTERM) sets; the next one ends the process. The end
/// of the terminal (SIGHUP) sets it too.
///
/// The process has one flag, which every call resets: a signal interrupts the work that asked for
/// the flag last.
pub(crate) fn stop_flag() -> Result<Arc<AtomicBool>, Failure> {
    static FLAG: OnceLock<Result<Arc<AtomicBool>, String>> = OnceLock::new();
    let flag = FLAG.get_or_init(|| {
        let failed = |error: std::io::Error| format!("signals cannot be watched: {error}");
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order, so that the shutdown does not see the flag that the same signal sets.
            flag::register_conditional_shutdown(
                signal,
                ErrorKind::Interrupted.exit_status().into(),
                Arc::clone(&stop),
            )
            .and_then(|_| flag::register(signal, Arc::clone(&stop)))
            .map_err(failed)?;
        }
        #[cfg(unix)]
        if !ignores_hangup() {
            // A terminal that ends may send two, so that the second one does not end the process.
            flag::register(signal_hook::consts::SIGHUP, Arc::clone(&stop)).map_err(failed)?;
        }
        Ok(stop)
    });
    let flag = flag.as_ref().map_err(Failure::io)?;
    flag.store(false, Relaxed);
    Ok(Arc::clone(flag))
}

/// Whether the process ignores SIGHUP since its start, as `nohup` makes it.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let mut present = std::mem::MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: without a new action sigaction(2) only writes the present one to a place for it, and
    // the place is read only if that succeeded.
    unsafe {
        libc::sigaction(libc::SIGHUP, std::ptr::null(), present.as_mut_ptr()) == 0
            && present.assume_init().sa_sigaction == libc::SIG_IGN
    }
}
