//! All integration tests in one program, which links sooner than one for each file.

mod catalogue;
mod common;
mod embedded;
mod explain;
mod files;
mod full_runs;
mod played_out;
mod registry;
mod schema;
mod study;
mod values;
