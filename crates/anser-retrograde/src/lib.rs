//! Retrograde analysis of hunt games in memory.
//!
//! A [`Solution`] holds the positions that play can reach from a root, or all positions of some
//! layers, each with its exact value. [`count()`] and [`census()`] count its games and positions.
//! Fox-and-Hounds and its relatives, and Hexapawn, have faster solvers of their own, in [`hounds`]
//! and [`hexapawn`]; [`Count::of`] and [`WholeCensus::of`] choose the fastest. [`Reachable`] has
//! the positions without values.
//!
//! ```
//! use anser_core::{Dtw, Hunt, Outcome, Side, Unobserved};
//! use anser_retrograde::{Solution, census, count};
//!
//! let game = Hunt::fox_hounds(6, "escape")?;
//! let solution = Solution::reachable(&game, &game.start())?;
//! assert_eq!(solution.len(), 8_175);
//! assert_eq!(solution.get(&game.start()), Some(Dtw::win(Side::First, 21)));
//!
//! let games = count(&solution, &Unobserved)?.tally;
//! assert!(games.won(Side::First) > games.won(Side::Second));
//! assert!(census(&solution).outcome(Outcome::Win(Side::First)) > 4_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Solvers that keep their values elsewhere, such as those of `anser-solve`, use its parts:
//! [`layer`] solves one layer from the values of lower ones; [`parallel`], [`bits`], and [`isa`]
//! are loops over large arrays on all threads and with wide registers.
//!
//! # Errors
//! [`AnalyseError`] describes why a game is not solved.

mod bytes;
mod census;
mod concurrent_set;
mod count;
mod error;
mod limits;
mod parts;
mod ranked_set;
mod reach;
mod reachable;
mod solution;
mod solve;
mod tallies;
mod tally;
mod whole;

pub mod bits;
pub mod hexapawn;
pub mod hounds;
pub mod isa;
pub mod layer;
pub mod parallel;

pub use bytes::Bytes;
pub use census::{Census, SideCensus, census};
pub use count::{Count, Games, count};
pub use error::AnalyseError;
pub use limits::Limits;
pub use ranked_set::{Bitmap, Members, RankedSet};
pub use reachable::Reachable;
pub use solution::Solution;
pub use tally::Tally;
pub use whole::WholeCensus;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
