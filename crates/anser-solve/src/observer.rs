//! Events of a run.

use std::time::Duration;

use anser_core::{Observer, Unobserved};

use crate::SolveError;
use crate::reports::{Estimate, LayerReport, Packed, Traffic};
use anser_table::Metric;

/// Receives the events of a run, beside its progress.
///
/// Implemented for the progress of the command line, and for runs that a server starts,
/// among others.
///
/// All methods may be called from several threads at once.
pub trait RunObserver: Observer {
    /// Receives an event.
    fn event(&self, event: &Event) {
        let _ = event;
    }
}

impl RunObserver for Unobserved {}

/// Fails if the work is to stop.
pub(crate) fn check_interrupt(observer: &(impl Observer + ?Sized)) -> Result<(), SolveError> {
    if observer.interrupted() { Err(SolveError::Interrupted) } else { Ok(()) }
}

/// An event of a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// The run starts, with this estimate of its needs.
    Planned(Estimate),
    /// The tables of a layer exist already.
    Kept {
        /// The layer.
        layer: u16,
    },
    /// The unfinished work on a layer, of an earlier run or of this one, cannot be used, or only in
    /// part. The layer starts again, but for [`Discarded::NarrowValues`].
    Discarded {
        /// The layer.
        layer: u16,
        /// Why it cannot be used.
        what: Discarded,
    },
    /// A pass over a layer starts or resumes.
    Layer {
        /// The layer.
        layer: u16,
        /// The number of classes, both sides to move together.
        classes: u64,
        /// The rounds that earlier runs completed; `None` if the pass starts.
        resumed: Option<u64>,
    },
    /// The layer takes more memory than may be used; scratch files hold the rest.
    Spilled {
        /// The layer.
        layer: u16,
        /// The most disk space that these files take.
        bytes: u64,
    },
    /// The lower layers were unmapped.
    Released {
        /// The layers.
        layers: Vec<u16>,
        /// Resident memory before and after, in bytes; `None` if the system does not report it.
        resident: Option<(u64, u64)>,
    },
    /// The ranks of a cluster have solved a layer, and written it but for its header.
    Exchanged {
        /// The layer.
        layer: u16,
        /// What they sent each other.
        traffic: Traffic,
        /// The share of the time of a rank in which it waited for others, on average.
        waiting: f64,
    },
    /// Half a round is done: the positions of one side to move.
    Step {
        /// The round, from 1.
        round: u64,
        /// Classes that this step decided.
        new: u64,
        /// Classes decided so far.
        decided: u64,
        /// Classes of the layer.
        classes: u64,
        /// Duration of the step.
        took: Duration,
    },
    /// A table is complete. It is in place when the run ends, or before: while its digests are
    /// computed, a few further layers may become complete.
    Finished(LayerReport),
    /// A table of distances that a layer depends on exists only packed, and is unpacked first.
    Unpacking {
        /// The layer of the table.
        layer: u16,
        /// Its metric.
        metric: Metric,
    },
    /// A finished table is packed; see [`SolveOptions::packed`](crate::SolveOptions::packed).
    Packed(Packed),
}

/// Why a run cannot use unfinished work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Discarded {
    /// The checkpoint does not match its checksum.
    Damaged,
    /// The file is too short.
    CutOff,
    /// Another version of this program made the file.
    OtherVersion,
    /// Another engine wrote the checkpoint, or it is of another table.
    OtherEngine,
    /// Values of 8 bits cannot hold a distance of the layer. Values of 16 go on from those that
    /// were right; if none were, the reason is [`WrongValues`](Discarded::WrongValues).
    NarrowValues,
    /// None of the values of 8 bits can be kept. The layer starts again with 16.
    WrongValues,
}
