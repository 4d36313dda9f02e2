//! Reads the tables of solved games and answers any position straight from the files.
//!
//! A [`Tablebase`] finds the tables of one game in directories, raw or packed, and answers the
//! positions of every layer that has a table. The module [`mod@format`] specifies the files and
//! holds what a program that writes them needs.
//!
//! ```
//! use anser_core::Hunt;
//! use anser_core::{Outcome, Side};
//! use anser_table::{ProbeError, Tablebase};
//!
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path();
//! let tablebase = Tablebase::open(Hunt::default(), [path])?;
//!
//! // The rules alone say that this fox is trapped.
//! let position = tablebase.game().parse_position("gFg/1g1/3g3/7/7/3/3 f")?;
//! assert_eq!(tablebase.probe(&position)?.outcome, Outcome::Win(Side::Second));
//!
//! // This position needs the table of layer 13. The error names the layer and the directories.
//! let position = tablebase.game().parse_position("3/3/7/3F3/ggggggg/ggg/ggg f")?;
//! match tablebase.probe(&position) {
//!     Ok(value) => println!("{value:?}"),
//!     Err(ProbeError::MissingLayer(missing)) => assert_eq!(missing.layer, 13),
//!     Err(error) => return Err(error.into()),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Storage
//! An [`Access`] decides how files are read: with positioned reads ([`PositionedReads`]), or mapped
//! into memory (`Mapping`, with the feature `mmap`). [`Memory`] holds a table that is not in a
//! file. Every part of a file is compared with its checksum before it is used. A [`BlockCache`] of
//! bounded size keeps the decoded blocks of packed tables and, with positioned reads, the blocks of
//! raw ones.
//!
//! | | [`PositionedReads`] | `Mapping` |
//! |---|---|---|
//! | a block is compared with its checksum | each time it is read from the file | the first time |
//! | the file is overwritten while it is open | a block that differs is an error | undefined behavior; detected when a block is first read, at the end of a batch, and by [`Tablebase::check_unchanged`] |
//! | the file is truncated while it is open | an error | the signal SIGBUS |
//! | the disk fails | an error | the signal SIGBUS |
//! | a probe whose block is in memory | a look-up in the cache | a read from memory |
//!
//! A long-running process whose files may be replaced should use positioned reads. Replacing a file
//! by renaming another over it is safe with both.
//!
//! # Errors
//! A [`Defect`] is what is wrong with a file, a [`TableError`] adds the name of the file, and a
//! [`ProbeError`] is either that or a layer without a table ([`MissingLayer`]). [`ErrorClass`]
//! sorts them for exit codes. Lengths that a file states are compared with its length before
//! anything is allocated, and exhausted memory is an error of its own. Damage is an error of the
//! probes that it affects: never a wrong answer, never a panic.
//!
//! # Features
//! None is on by default.
//!
//! | feature | adds |
//! |---|---|
//! | `mmap` | `Mapping` and `Tablebase::open_mapped`: tables mapped into memory |
//! | `manifest` | the module `manifest`: JSON manifests and `SHA256SUMS` of directories of tables |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(clippy::missing_panics_doc)]

mod cache;
mod kinds;
mod names;
mod probe;
mod storage;
mod table;
mod tablebase;

pub mod error;
pub mod format;
#[cfg(feature = "manifest")]
pub mod manifest;

pub use cache::BlockCache;
pub use error::{Defect, ErrorClass, MissingLayer, ProbeError, TableError};
pub use kinds::{Kind, Metric};
pub use names::TableName;
#[cfg(feature = "mmap")]
pub use storage::mapping::Mapping;
pub use storage::{Access, Memory, PositionedReads, Storage};
pub use table::Table;
pub use tablebase::Tablebase;

/// The examples of the README are compiled with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
