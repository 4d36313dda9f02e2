//! The reasons why a layer is not solved: limits of the server, and errors.

use std::path::Path;
use std::time::{Duration, Instant};

use anser_core::Hunt;
use anser_solve::{Bytes, Estimate, SolveError};

use super::work::{Target, layers_text, metric_text, time_text};
use super::{ERRORS_HOLD, LOCK_HOLDS, Solver};
use crate::answers::{SolvingAnswer, SolvingState};
use crate::options::Solving;
use crate::store::set_text;

/// Time for which a layer is refused that exceeds a limit.
const LIMITS_HOLD: Duration = Duration::from_mins(10);

/// Why a target is not solved.
#[derive(Clone)]
pub(super) struct Refusal {
    pub(super) state: SolvingState,
    pub(super) reason: String,
    pub(super) command: Option<String>,
    pub(super) until: Instant,
}

impl Refusal {
    pub(super) fn answer(&self, target: &Target) -> SolvingAnswer {
        SolvingAnswer {
            reason: Some(self.reason.clone()),
            command: self.command.clone(),
            ..target.answer(self.state)
        }
    }

    /// A target that exceeds a limit; `command` solves it.
    pub(super) fn limit(reason: String, command: String) -> Refusal {
        let until = Instant::now() + LIMITS_HOLD;
        Refusal { state: SolvingState::Refused, reason, command: Some(command), until }
    }

    /// An attempt that failed, and is made again when the time is over.
    pub(super) fn failed(reason: impl Into<String>, holds: Duration) -> Refusal {
        let until = Instant::now() + holds;
        Refusal { state: SolvingState::Failed, reason: reason.into(), command: None, until }
    }
}

impl Solver {
    /// Refuses what exceeds the limits of time and disk space.
    pub(super) fn check(&self, estimate: &Estimate, command: &str) -> Result<(), Refusal> {
        let layers = layers_text(estimate);
        let Solving { time, disk, ref dir, .. } = self.options;
        if estimate.layers().is_empty() {
            return Ok(());
        }
        if estimate.time > time {
            let reason = format!(
                "solving {layers} takes about {}, and this server solves what takes at most {}",
                time_text(estimate.time),
                time_text(time)
            );
            return Err(Refusal::limit(reason, command.into()));
        }
        let taken = bytes_in(dir);
        if taken.saturating_add(estimate.disk) > disk {
            let reason = format!(
                "solving {layers} takes {} of disk, and {} of the {} for tables of this server are \
                 taken",
                Bytes(estimate.disk),
                Bytes(taken),
                Bytes(disk)
            );
            return Err(Refusal::limit(reason, command.into()));
        }
        Ok(())
    }

    /// The refusal for an error, without paths of the server; the operator gets the error in full.
    pub(super) fn refusal(
        &self,
        game: &Hunt,
        target: &Target,
        error: &SolveError,
        command: &str,
    ) -> Refusal {
        let what =
            format!("{}: {} of layer {}", set_text(game), metric_text(target.metric), target.layer);
        let is_locked = matches!(error, SolveError::Locked { .. });
        // A lock is tried again and again, and reported once.
        if !(is_locked && std::mem::replace(&mut self.lock().is_locked, true)) {
            self.report(&format!("{what} are not solved: {error}"));
        }
        match error {
            SolveError::Locked { .. } => Refusal::failed(
                "another process solves in the directory of this server",
                LOCK_HOLDS,
            ),
            SolveError::Memory { .. } => Refusal::limit(error.to_string(), command.into()),
            SolveError::Disk { needed, free, .. } => {
                let reason = format!(
                    "the tables need {} of disk, and {} are free",
                    Bytes(*needed),
                    Bytes(*free)
                );
                Refusal::limit(reason, command.into())
            }
            SolveError::Io { .. } | SolveError::LockLost { .. } => Refusal::failed(
                "files of tables cannot be written; the operator must check the disk",
                ERRORS_HOLD,
            ),
            _ => Refusal::failed(
                "a table that is needed cannot be used; the operator must check the log",
                ERRORS_HOLD,
            ),
        }
    }
}

/// The bytes that the files of a directory take.
fn bytes_in(dir: &Path) -> u64 {
    let files = std::fs::read_dir(dir).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum()
}
