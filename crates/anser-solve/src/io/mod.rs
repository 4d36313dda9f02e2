//! Files of tables: written so that they appear complete or not at all, counted, and listed in the
//! manifest.

pub(crate) mod codes;
pub(crate) mod files;
pub(crate) mod manifest;
pub(crate) mod raw_file;
pub(crate) mod stored;
pub(crate) mod writer;
