//! What the machine offers: memory, disk space, and threads.

pub(crate) mod memory;
pub(crate) mod threads;
