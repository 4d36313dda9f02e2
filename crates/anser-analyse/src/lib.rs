//! Questions about solved games.
//!
//! Each module answers one kind of question about any [`Hunt`](anser_core::Hunt) and returns plain
//! values. Questions about single positions take the values from any [`Probe`](anser_core::Probe):
//! a [`Solution`](anser_retrograde::Solution) in memory, or tables. Questions about all positions
//! of a layer, such as [`census_of_layer`], take them from any
//! [`ProbeLayer`](anser_core::ProbeLayer), and read them in parts: a layer may be larger than the
//! memory.
//!
//! ```
//! use anser_analyse::{Tie, best_line};
//! use anser_core::{BySide, Hunt};
//! use anser_retrograde::Solution;
//!
//! let game = Hunt::fox_hounds(6, "escape")?;
//! let solution = Solution::reachable(&game, &game.start())?;
//! let line = best_line(&game, &game.start(), BySide::new(Tie::First, Tie::First), &solution)?;
//! assert_eq!(line.moves.len(), 21);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//! [`AnalyseError`](anser_retrograde::AnalyseError) describes why there is no answer.

mod census;
mod chances;
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
mod search;
mod strategy;
mod study;
mod zugzwang;

pub use census::census_of_layer;
pub use chances::{Chances, ErringPlay, Errs};
pub use foxbox::{BValue, FoxBoxes, MaxB, is_fox_box};
pub use fuzz::{Fuzzy, Weights};
pub use hardest::{Hardest, HardestOfLayer, hardest, hardest_of_layer};
pub use level::Level;
pub use line::{Line, LineEnd, Tie, best_line};
pub use listing::Listing;
pub use matchbox::{Matchboxes, Taught, Teacher};
pub use moves::best_first;
pub use opposite::{Opposite, opposite};
pub use policy::{RankedMove, ranked_line, ranked_moves};
pub use random::Random;
pub use search::{Budget, Judgement, Opinion, Unknown, convert, search};
pub use strategy::{Advisor, Basis, Choice, Strategy, Style, known_moves};
pub use study::{IdleRule, LongestWin, SideSurvey, Study, StudyScope, Survey, study};
pub use zugzwang::{Zugzwangs, stalemates, zugzwangs, zugzwangs_of_layer};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
