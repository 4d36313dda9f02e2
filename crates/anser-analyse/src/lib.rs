//! Questions about solved games.
//!
//! A [`Solution`] holds the positions that play can reach from a root, or all positions of some
//! layers, each with its exact value. Each module answers one kind of question about any
//! [`Hunt`](anser_core::Hunt) and returns plain values. Questions about single positions take the
//! values from any [`Probe`](anser_core::Probe): a solution, or tables. Questions about all
//! positions of a layer, such as [`census_of_layer`], take them from any
//! [`ProbeLayer`](anser_core::ProbeLayer), and read them in parts: a layer may be larger than the
//! memory.
//!
//! ```
//! use anser_analyse::{Solution, Tie, best_line, census, count};
//! use anser_core::Hunt;
//! use anser_core::{BySide, Dtw, Outcome, Side, Unobserved, fox_hounds::RuleSet};
//!
//! let game = Hunt::fox_hounds(6, RuleSet::Escape)?;
//! let solution = Solution::reachable(&game, &game.start())?;
//! assert_eq!(solution.len(), 8_175);
//! assert_eq!(solution.get(&game.start()), Some(Dtw::win(Side::First, 21)));
//!
//! let games = count(&solution, &Unobserved)?.tally;
//! assert!(games.won(Side::First) > games.won(Side::Second));
//! assert!(census(&solution).outcome(Outcome::Win(Side::First)) > 4_000);
//! let line = best_line(&game, &game.start(), BySide::new(Tie::First, Tie::First), &solution)?;
//! assert_eq!(line.moves.len(), 21);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//! [`AnalyseError`] describes why there is no answer.

mod bytes;
mod census;
mod chances;
mod concurrent_set;
mod count;
mod error;
mod foxbox;
mod fuzz;
mod graph;
mod hardest;
mod layers;
mod level;
mod line;
mod listing;
mod matchbox;
mod moves;
mod opposite;
mod policy;
mod random;
mod ranked_set;
mod reach;
mod reachable;
mod search;
mod solution;
mod solve;
mod strategy;
mod study;
mod tallies;
mod whole;
mod zugzwang;

#[doc(hidden)]
pub mod bits;
pub mod hexapawn;
pub mod hounds;
#[doc(hidden)]
pub mod isa;
#[doc(hidden)]
pub mod parallel;
#[doc(hidden)]
pub mod retrograde;

pub use bytes::Bytes;
pub use census::{Census, SideCensus, census, census_of_layer};
pub use chances::{Chances, ErringPlay, Errs};
pub use count::{Count, Games, Tally, count};
pub use error::AnalyseError;
pub use foxbox::{BValue, FoxBoxes, MaxB, is_fox_box};
pub use fuzz::{Fuzzy, Weights};
pub use hardest::{Hardest, HardestOfLayer, hardest, hardest_of_layer};
pub use layers::LayerError;
pub use level::Level;
pub use line::{Line, LineEnd, Tie, best_line};
pub use listing::Listing;
pub use matchbox::{Matchboxes, Taught, Teacher};
pub use moves::best_first;
pub use opposite::{Opposite, opposite};
pub use policy::{RankedMove, ranked_line, ranked_moves};
pub use random::Random;
pub use reachable::Reachable;
pub use search::{Budget, Judgement, Opinion, Unknown, convert, search};
pub use solution::{Limits, Solution};
pub use strategy::{Advisor, Basis, Choice, Strategy, Style, known_moves};
pub use study::{IdleRule, LongestWin, SideSurvey, Study, StudyScope, Survey, study};
pub use whole::WholeCensus;
pub use zugzwang::{Zugzwangs, stalemates, zugzwangs, zugzwangs_of_layer};
