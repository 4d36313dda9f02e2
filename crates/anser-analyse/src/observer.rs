//! What a long piece of work tells whoever watches it, and how it is stopped.

/// Watches work and may stop it. All methods may be called from several threads at once.
pub trait Observer: Sync {
    /// A step of the work on a layer is done.
    fn step(&self, step: Step) {
        let _ = step;
    }
    /// Whether to stop at the next opportunity.
    fn interrupted(&self) -> bool {
        false
    }
}

/// An observer that looks away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}

/// What was done on a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What kind of work.
    pub work: Work,
    /// The layer. Reaching goes from the highest layer down, everything else from the lowest up.
    pub layer: u16,
    /// The number of layers with this work, this one included, that are done.
    pub done: usize,
    /// The number of layers there are.
    pub layers: usize,
    /// The number of symmetry classes of the layer that the work was about.
    pub classes: u64,
}

/// Kinds of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Positions are reached.
    Reach,
    /// Values are found.
    Solve,
    /// Games are counted.
    Count,
}
