//! Games as values: their rules, notation, symmetries, and indexes. No input or output, no threads.
//!
//! A game is a [`Hunt`]: the [description](hunt::Description) of its board, its pieces, and its
//! ends, which has been checked. Five games come with their descriptions:
//!
//! | game | rule sets | |
//! |---|---|---|
//! | [`Hunt::fox_geese`] | [18](hunt::fox_geese()) | a fox against 1 to 31 geese on the cross of 33 points |
//! | [`Hunt::fox_hounds`] | [2](hunt::fox_hounds()) | a fox against hounds that only go forward, on 2 x 2 to 12 x 12 squares |
//! | [`Hunt::hasenspiel`] | [2](hunt::hasenspiel()) | a rabbit against four pawns, the same board under rules of its own |
//! | [`Hunt::hare_hounds`] | [201](hunt::hare_hounds()) | a hare against three hounds on eleven points |
//! | [`Hunt::hexapawn`] | [1](hunt::hexapawn()) | pawns against pawns, on boards of up to 36 squares |
//!
//! [`fox_geese`], [`hounds`], and [`hexapawn`] have boards that several hunts share.
//!
//! ```
//! use anser_core::LayerIndex;
//! use anser_core::Hunt;
//!
//! let game = Hunt::fox_geese("first-capture")?;
//! let start = game.parse_position("3/3/7/3F3/ggggggg/ggg/ggg f")?;
//! let moves: Vec<String> = game.moves(&start).iter().map(|(mv, _)| game.format_move(mv)).collect();
//! assert_eq!(moves, ["d4-c4", "d4-e4", "d4-c5", "d4-d5", "d4-e5"]);
//!
//! let index = game.index(game.layer(&start));
//! let rank = index.rank(&start);
//! assert_eq!(index.rank(&index.unrank(start.to_move(), rank)), rank);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//! All errors are about the input: [`NotationError`] for positions and moves,
//! [`hunt::FamilyError`] for the ids of rule sets and the sizes of boards.

#![warn(clippy::missing_panics_doc)]

mod blocks;
mod by_side;
mod dtw;
mod index;
mod next;
mod notation;
mod observer;
mod orbit;
mod order;
mod picture;
mod side;
mod symmetry;
mod validate;
mod value;

pub mod fox_geese;
pub mod hexapawn;
pub mod hounds;
pub mod hunt;
pub mod words;

pub use blocks::distances::DistancesByBlocks;
pub use blocks::{BlockMoves, LONGEST_BLOCK, Moves, Places, Target};
pub use by_side::BySide;
pub use dtw::Dtw;
pub use hunt::Hunt;
pub use hunt::symmetries::MOST_SYMMETRIES;
pub use index::{IndexScheme, LayerIndex};
pub use next::{End, Next};
pub use notation::{BLOCKED, NotationError, Noun};
pub use observer::{Observer, Unobserved};
pub use orbit::{key, key_position, orbit_members};
pub use order::{GridEntries, PackingOrder, Permutation, PlacedRanks, Row, RowGroup};
pub use picture::{Picture, PicturePoint};
pub use side::{Outcome, Side};
pub use symmetry::{Group, Symmetry};
pub use validate::{Violation, validate};
pub use value::{Probe, ProbeLayer, RatedMove, Value};

/// The examples of the README are compiled with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
