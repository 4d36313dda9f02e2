//! The ground floor of Anser: games, their rules, notation, symmetries and indexes. No input or output, no threads.
//!
//! Everything above works on the trait [`Game`]; Fox-and-Geese in [`fox_geese`] is the first that implements it. Others are
//! in [`fox_hounds`] and [`hasenspiel`].
//!
//! ```
//! use std::ops::ControlFlow;
//! use anser_core::{Game, LayerIndex, fox_geese::{FoxGeese, RuleSet}};
//!
//! let game = FoxGeese::new(RuleSet::FIRST_CAPTURE);
//! let start = game.parse_position("3/3/7/3F3/ggggggg/ggg/ggg f")?;
//! let mut moves = Vec::new();
//! let _ = game.visit_moves(&start, |mv, _| {
//!     moves.push(game.format_move(&mv));
//!     ControlFlow::<()>::Continue(())
//! });
//! assert_eq!(moves, ["d4-c4", "d4-e4", "d4-c5", "d4-d5", "d4-e5"]);
//!
//! let index = game.index(game.layer(&start));
//! let rank = index.rank(&start);
//! assert_eq!(index.rank(&index.unrank(start.to_move(), rank)), rank);
//! # Ok::<(), anser_core::NotationError>(())
//! ```
//!
//! # Errors
//! The errors here are about what was given: [`NotationError`] for positions and moves, [`fox_geese::RuleSetError`] and
//! [`hounds::RuleSetError`] for the ids of rule sets, [`hounds::SizeError`] for the sizes of boards.

mod blocks;
mod dtw;
mod game;
mod notation;
mod order;
mod rows;
mod symmetry;
mod validate;

pub mod fox_geese;
pub mod fox_hounds;
pub mod hare_hounds;
pub mod hasenspiel;
pub mod hexapawn;
pub mod hounds;

pub use blocks::{BlockMoves, LONGEST_BLOCK, Moves, Places, Target};
pub use dtw::Dtw;
pub use game::{BLOCKED, Game, IndexScheme, LayerIndex, Next, Outcome, Side};
pub use notation::NotationError;
pub use order::{GridEntries, PackingOrder, Permutation};
pub use symmetry::{Group, Symmetry};
pub use validate::{Violation, validate};
