//! The command line: answers, errors, exit status, and files.

mod answers;
mod batch;
mod bytes;
mod described;
mod distances;
mod export;
mod faults;
mod fetch;
mod files;
mod json;
mod layers;
#[cfg(feature = "learn")]
mod learn;
mod packing;
mod places;
mod play;
mod questions;
mod reproduce;
mod results;
mod schema;
#[cfg(all(feature = "server", unix))]
mod serve;
#[cfg(all(feature = "server", unix))]
mod site;
mod solving;
mod specification;
mod study;
mod support;
mod usage;
