//! Games as values: their rules, notation, symmetries, and indexes. No input or output, no threads.
//!
//! Solvers and readers work on the trait [`Game`]. Five games implement it:
//!
//! | module | game |
//! |---|---|
//! | [`fox_geese`] | Fox-and-Geese: a fox against 1 to 31 geese on the cross of 33 points |
//! | [`fox_hounds`] | Fox-and-Hounds: a fox against hounds that only go forward, on 2 x 2 to 12 x 12 squares |
//! | [`hasenspiel`] | Hasenspiel: a rabbit against four pawns, the same board under rules of its own |
//! | [`hare_hounds`] | Hare-and-Hounds: a hare against three hounds on eleven points |
//! | [`hexapawn`] | Hexapawn: pawns against pawns, on boards of up to 36 squares |
//!
//! [`hounds`] has the common parts of Fox-and-Hounds and Hasenspiel.
//!
//! ```
//! use anser_core::prelude::*;
//! use anser_core::fox_geese::{FoxGeese, RuleSet};
//!
//! let game = FoxGeese::new(RuleSet::FIRST_CAPTURE);
//! let start = game.parse_position("3/3/7/3F3/ggggggg/ggg/ggg f")?;
//! let moves: Vec<String> = game.moves(&start).iter().map(|(mv, _)| game.format_move(mv)).collect();
//! assert_eq!(moves, ["d4-c4", "d4-e4", "d4-c5", "d4-d5", "d4-e5"]);
//!
//! let index = game.index(game.layer(&start));
//! let rank = index.rank(&start);
//! assert_eq!(index.rank(&index.unrank(start.to_move(), rank)), rank);
//! # Ok::<(), anser_core::NotationError>(())
//! ```
//!
//! # Errors
//! All errors are about the input: [`NotationError`] for positions and moves,
//! [`fox_geese::RuleSetError`] and [`hounds::RuleSetError`] for the ids of rule sets,
//! [`hounds::SizeError`] for the sizes of boards.

#![warn(clippy::missing_panics_doc)]

mod blocks;
mod by_side;
mod dtw;
mod layers;
mod notation;
mod observer;
mod orbit;
mod order;
mod picture;
mod rows;
mod rules;
mod side;
mod symmetry;
mod validate;
mod value;

pub mod fox_geese;
pub mod fox_hounds;
pub mod hare_hounds;
pub mod hasenspiel;
pub mod hexapawn;
pub mod hounds;
pub mod hunt;
pub mod words;

pub use blocks::{BlockMoves, DistancesByBlocks, LONGEST_BLOCK, Moves, Places, Target};
pub use by_side::BySide;
pub use dtw::Dtw;
pub use layers::{IndexScheme, LayerIndex, Layers};
pub use notation::{BLOCKED, Notation, NotationError, Noun};
pub use observer::{Observer, Unobserved};
pub use orbit::{MOST_SYMMETRIES, key, key_position, orbit_members};
pub use order::{GridEntries, PackingOrder, Permutation, PlacedRanks, Row, RowGroup};
pub use picture::{Picture, PicturePoint};
pub use rules::{Game, MoveList, Rules};
pub use side::{End, Next, Outcome, Reason, Side};
pub use symmetry::{Group, Symmetry};
pub use validate::{Violation, validate};
pub use value::{Probe, ProbeLayer, RatedMove, Value};

/// The traits of games, for programs that call their methods: `use anser_core::prelude::*;`.
pub mod prelude {
    pub use crate::{Game, LayerIndex, Layers, Notation, Probe, ProbeLayer, Rules};
}

/// The examples of the README are compiled with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
