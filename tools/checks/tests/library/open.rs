//! A public module.

/// Also at the root.
pub struct Again;
