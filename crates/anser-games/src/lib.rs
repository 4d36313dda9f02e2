//! Every game of Anser by name: what command lines, servers, and bindings stand on.
//!
//! [`Registry`] knows the games, their sizes, rule sets, and openings. A game is a
//! [`Hunt`](anser_core::Hunt), and [`Position`] a position together with its game.
//!
//! ```
//! use anser_core::{Outcome, Side};
//! use anser_games::{Position, Registry};
//! use anser_retrograde::Solution;
//!
//! let game = Registry::standard().game("fox-hounds:4", None)?;
//! let start = Position::start(&game);
//! let solution = Solution::reachable(&game, start.at())?;
//! let value = solution.get(start.at()).expect("the root is solved");
//! assert_eq!(value.outcome(), Outcome::Win(Side::Second));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//! [`NameError`] for names that the registry does not know; the errors of games, tables, and
//! solvers as they are.

pub mod answers;
mod directory;
mod embedded;
mod error;
mod explain;
mod file;
mod full_runs;
mod info;
mod position;
mod registry;
mod shell;
mod shipped;
mod size;
mod standard;
mod statistics;
mod values;

pub use directory::{SearchPath, TableDirectory, TableFile, manifest_entry};
pub use embedded::{EMBEDDED, EmbeddedFile};
pub use error::NameError;
pub use explain::{AnyError, Audience, explain, solve_command, tables_command};
pub use file::{FileError, Location, describe, is_path, parse as parse_file, read as read_file};
pub use full_runs::{FullRun, full_run, kept_value};
pub use info::{GameInfo, Opening, Origin, RuleSetInfo, START, Sizes, layer_pieces};
pub use position::Position;
pub use registry::Registry;
pub use shell::shell_word;
pub use size::{ON_THE_SPOT, Size, is_solved_on_the_spot, plan_on_the_spot};
pub use statistics::{LayerStats, Statistics, TableStats};
pub use values::{Exact, Files, Scope, Sources, ValueError, Values, missing_among};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
