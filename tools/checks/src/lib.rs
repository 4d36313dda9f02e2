//! Checks of the workspace itself.
//!
//! - [`api`] lists the public items of a library from its source and compares them with a file in
//!   `docs/api`, so that every change of a published interface shows in a review. It needs only the
//!   stable compiler.
//! - [`dependencies`] applies `deny.toml` to the packages that `cargo metadata` lists.
//!   `cargo deny check` reads the same file and checks more (advisories, license texts), but takes
//!   minutes to build on a clean machine.
//! - The examples in the README and in `docs` are compiled and run as documentation tests of this
//!   library.

pub mod api;
pub mod dependencies;
mod items;
mod source;
pub mod workspace;

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
