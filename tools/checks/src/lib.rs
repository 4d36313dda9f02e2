//! Checks of the workspace itself.
//!
//! - [`api`] lists the names of the public items of a library from its source and compares them
//!   with a file in `docs/api`, so that an item that is added, removed, or renamed shows in a
//!   review. It needs only the stable compiler.
//! - [`dependencies`] applies `deny.toml` to the packages that `cargo metadata` lists.
//!   `cargo deny check` reads the same file and checks more (advisories, license texts), but takes
//!   minutes to build on a clean machine.
//! - The Rust examples in the README and in `docs/libraries.md` are documentation tests of this
//!   library.

pub mod api;
pub mod dependencies;
pub mod workspace;

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/libraries.md")]
struct Pages;
