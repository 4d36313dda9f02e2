//! Resources of the machine: memory, disk space, and threads.

pub(crate) mod memory;
pub(crate) mod threads;
