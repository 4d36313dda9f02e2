//! What the command line promises: answers, exit status, and that nothing is lost.

mod answers;
mod batch;
mod files;
mod packing;
mod play;
mod reproduce;
mod solving;
mod support;
mod usage;
