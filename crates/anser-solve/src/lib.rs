//! The generator of Anser: engines that solve games layer by layer into table files, verification,
//! and packing.
//!
//! [`solve`] takes one layer at a time, from the lowest up. It resumes from an earlier run. The
//! bytes of a table depend on the game alone, not on threads, memory, interruptions, or the engine.
//! [`verify`] recomputes every value, [`pack`] compresses tables, and [`unpack`] restores them.
//!
//! The general engines solve every game; boards with some structure have faster ones.
//!
//! ```
//! use anser_core::Hunt;
//! use anser_core::{Outcome, Side};
//! use anser_solve::{SolveOptions, Unobserved, solve};
//! use anser_table::Tablebase;
//!
//! let dir = std::env::temp_dir().join(format!("anser-example-{}", std::process::id()));
//! let game = Hunt::fox_geese("first-capture")?;
//! solve(&game, &SolveOptions { layers: Some(4..=4), ..SolveOptions::new(&dir) }, &Unobserved)?;
//!
//! let tables = Tablebase::open(game.clone(), [&dir])?;
//! let trap = game.parse_position("gFg/1g1/7/3g3/7/3/3 g")?;
//! assert_eq!(tables.probe_outcome(&trap)?, Outcome::Win(Side::Second));
//! # std::fs::remove_dir_all(&dir)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//! [`SolveError`] names the file or layer, with the details as data. After any error, every table
//! in place is complete.
//!
//! # Features
//! `cluster` adds `solve_in_cluster`, which solves layers on many processes together.

// Lints run with the feature.
#![cfg_attr(not(feature = "cluster"), allow(dead_code, reason = "only ranks need some items"))]

mod checkpoint;
mod cluster;
mod engines;
mod error;
mod io;
mod layer;
mod observer;
mod pack;
mod reports;
mod run;
mod system;
mod verify;

pub use anser_core::{Observer, Unobserved};
pub use anser_retrograde::Bytes;
pub use cluster::Cluster;
pub use error::{SolveError, TableFault, WrongTable};
pub use io::locked::LockedDir;
use layer::LayerOf;
use observer::check_interrupt;
pub use observer::{Discarded, Event, RunObserver};
pub use pack::unpack::{UnpackOptions, unpack};
pub use pack::{PACK_LEVEL, PackOptions, pack};
pub use reports::{Estimate, LayerReport, Packed, PlannedPass, Traffic};
#[cfg(feature = "cluster")]
pub use run::cluster::solve_in_cluster;
pub use run::metrics::Metrics;
pub use run::options::{EngineChoice, SolveOptions};
pub use run::{Solved, plan, plan_for_cluster, solve};
pub use system::memory::{available_disk, available_memory, peak_memory, resident_memory};
pub use system::threads::{make_pool, most_threads, threads_of};
pub use verify::options::VerifyOptions;
pub use verify::problem::{Compared, FileKind, ListedProperty, NamedValue, Problem, Verified};
pub use verify::verify;
