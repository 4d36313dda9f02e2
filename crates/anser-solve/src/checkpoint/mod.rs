//! The unfinished table of a layer: its values in a file, with checkpoints that a killed run resumes from.

pub(crate) mod planes;
pub(crate) mod progress;
pub(crate) mod slots;
pub(crate) mod work_file;
