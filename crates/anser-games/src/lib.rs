//! Every game of Anser by name, for programs that are not generic over games: command lines,
//! servers, and bindings.
//!
//! [`Registry`] knows the games, their sizes, rule sets, and openings. [`AnyGame`] is a game chosen
//! at run time, and [`Position`] a position of it. Tables, solutions, and questions take an
//! [`AnyGame`] like any other game.
//!
//! ```
//! use anser_core::prelude::*;
//! use anser_core::{Outcome, Side};
//! use anser_games::{Position, Registry};
//!
//! let game = Registry::standard().game("fox-hounds:4", None)?;
//! let start = Position::start(&game);
//! let solution = game.solution(start.at(), &Default::default())?;
//! let value = solution.get(start.at()).expect("the root is solved");
//! assert_eq!(value.outcome(), Outcome::Win(Side::Second));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//! [`NameError`] for names that the registry does not know; the errors of games, tables, and
//! solvers as they are.

pub mod answers;
mod any;
mod directory;
mod embedded;
mod erased;
mod error;
mod position;
mod registry;
mod size;
mod standard;
mod statistics;
mod values;
mod work;

pub use any::{AnyGame, AnyIndex, AnyMove, AnyPosition};
pub use directory::{SearchPath, TableDirectory, TableFile, manifest_entry};
pub use embedded::{EMBEDDED, EmbeddedFile};
pub use error::NameError;
pub use position::Position;
pub use registry::{
    GameInfo, NoRuleSet, Opening, Registry, RuleSetFamily, RuleSetInfo, START, Sizes,
};
pub use size::Size;
pub use statistics::{LayerStats, Statistics, TableStats};
pub use values::{Exact, ValueError, Values, missing_among};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
