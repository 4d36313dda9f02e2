//! Resources of the machine: memory, disk space, and threads; what differs between systems.

pub(crate) mod memory;
pub(crate) mod platform;
pub(crate) mod threads;
