//! Writes files of tables, counts their positions, and lists them in the manifest. A table appears
//! complete or not at all.

pub(crate) mod codes;
pub(crate) mod files;
pub(crate) mod locked;
pub(crate) mod manifest;
pub(crate) mod raw_file;
pub(crate) mod stored;
pub(crate) mod syncer;
pub(crate) mod writer;
