//! Fetches tables from a site (what `anser site` writes) or from a directory of tables with their
//! manifests (what `anser pack` writes), behind any web server or on a disk.
//!
//! [`Plan::new`] reads the index or the manifests, and compares the tables with those that exist
//! already. [`Plan::run`] fetches the rest, several files at a time, and resumes an earlier run.
//!
//! ```
//! use anser_core::Unobserved;
//! use anser_fetch::{Options, Plan, Selection};
//! use anser_games::Registry;
//! # use anser_core::Hunt;
//! # use anser_solve::{PackOptions, SolveOptions, pack, solve};
//!
//! # let root = tempfile::tempdir()?;
//! # let [raw, packed, out] = ["raw", "packed", "out"].map(|name| root.path().join(name));
//! # let game = Hunt::default();
//! # solve(&game, &SolveOptions { layers: Some(1..=4), ..SolveOptions::new(&raw) }, &Unobserved)?;
//! # let options = PackOptions { from: vec![raw], out: packed.clone(), ..Default::default() };
//! # pack(&game, &options, &Unobserved)?;
//! # let address = packed.to_str().unwrap();
//! let registry = Registry::standard();
//! let wanted = Selection { layers: Some(1..=4), ..Selection::default() };
//! let plan = Plan::new(address, &wanted, &registry, &out, &Options::default(), &Unobserved)?;
//! println!("{} bytes", plan.left());
//! for table in plan.run(&Unobserved)? {
//!     println!("{}", table.path.display());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is checked
//! | | content | proof |
//! |---|---|---|
//! | site | files of data, and parts of tables | the xxh3-64 in their names |
//! | directory | tables | length, BLAKE3, and SHA-256 in the manifest |
//! | both | tables | name, game, and rules; every checksum of the table; it decodes |
//!
//! A table gets its name when all this holds. That is proof against damage, and against a host that
//! confuses versions. It is no proof of who made the tables, or that the values are right: compare
//! the SHA-256 of a manifest with one from a trusted place ([`Options::sha256`]), or recompute the
//! values (`anser verify --full`).
//!
//! Nothing is written outside the directory. Lengths are known before a file is requested, and a
//! longer body ends with an error.

mod error;
mod listing;
mod place;
mod plan;
mod run;
mod site;
mod tables;
mod threads;

pub use error::{FetchError, Problem};
pub use place::{Options, without_password};
pub use plan::Plan;
pub use run::Fetched;
pub use tables::{PlannedTable, Selection};

/// The examples of the README are compiled with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
