//! Unfinished tables: files with checkpoints from which a run resumes.

pub(crate) mod planes;
pub(crate) mod progress;
pub(crate) mod slots;
pub(crate) mod snapshot;
pub(crate) mod work_file;
