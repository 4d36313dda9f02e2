//! What a run tells whoever watches it. Nothing here knows about terminals.

use std::time::Duration;

use crate::Estimate;
use crate::io::manifest::LayerReport;

/// Watches a run and may stop it.
///
/// All methods may be called from several threads at once.
pub trait Observer: Sync {
    /// Something happened.
    fn event(&self, event: &Event);
    /// The current piece of work came `units` nearer to its end; see [`Event::Work`]. Called once a chunk.
    fn advance(&self, units: u64) {
        let _ = units;
    }
    /// Whether to stop at the next opportunity; everything done so far is kept.
    fn interrupted(&self) -> bool {
        false
    }
}

/// An observer that looks away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    fn event(&self, _: &Event) {}
}

/// What happened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// What the run will need.
    Planned(Estimate),
    /// A finished table of this layer is there already.
    Kept {
        /// The layer.
        layer: u16,
    },
    /// There was unfinished work on this layer that is not used. The layer is begun anew, or in case of
    /// [`Discarded::LastCheckpoint`] resumed from the checkpoint before.
    Discarded {
        /// The layer.
        layer: u16,
        /// What is not used, and why.
        what: Discarded,
    },
    /// A layer is begun, or gone on with.
    Layer {
        /// The layer.
        layer: u16,
        /// The number of classes, both sides to move together.
        classes: u64,
        /// The rounds that an earlier run already did; `None` if this is the first.
        resumed: Option<u64>,
    },
    /// The layer takes more memory than may be used: what goes beyond is kept in scratch files.
    Spilled {
        /// The layer.
        layer: u16,
        /// What these files take on the disk at most.
        bytes: u64,
    },
    /// A piece of work begins: so many units lie ahead, of which [`Observer::advance`] counts down.
    Work {
        /// What it is: `captures`, `round 7`, `checksums`.
        what: String,
        /// Units, usually entries.
        units: u64,
    },
    /// The lower layers were let go.
    Released {
        /// The layers.
        layers: Vec<u16>,
        /// Resident memory before and after, in bytes, where the system tells.
        resident: Option<(u64, u64)>,
    },
    /// Half a round is done: one side's positions were looked at.
    Step {
        /// The round, from 1.
        round: u64,
        /// Classes this step decided.
        new: u64,
        /// Classes decided so far.
        decided: u64,
        /// Classes of the layer.
        classes: u64,
        /// How long the step took.
        took: Duration,
    },
    /// A layer is finished and its file is in place.
    Finished(LayerReport),
}

/// Unfinished work that a run found and does not use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Discarded {
    /// The last checkpoint: it is damaged, or its writing was cut off. The one before is sound.
    LastCheckpoint,
    /// Everything: no checkpoint is what its checksums say.
    Damaged,
    /// Everything: the file does not have its length.
    CutOff,
    /// Everything: the file is of another table, that is of other rules or of another index.
    OtherTable,
    /// Everything: another version of this program made the file.
    OtherVersion,
    /// Everything: the checkpoints are another engine's.
    OtherEngine,
    /// Everything: the file has another name, by which somebody may rely on what is in it.
    Linked,
}
