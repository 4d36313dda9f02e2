//! Hunts as data: one type for every game of few pieces against many.
//!
//! A [`Description`] has the rules of a game: board, pieces, steps, jumps, captures, ends. A
//! [`Hunt`] is a description that has been checked; positions, moves, layers, numbering, notation,
//! symmetries, and drawing follow from it. Families of games are functions that return
//! descriptions: [`fox_geese()`], [`fox_hounds()`], [`hasenspiel()`], [`hare_hounds()`],
//! [`hexapawn()`].
//!
//! ```
//! use anser_core::hunt::{Hunt, hare_hounds};
//! let game = Hunt::new(hare_hounds("unlimited")?)?;
//! assert_eq!(game.format_position(&game.start()), "h2/h3R/h2 h");
//! // The program finds the mirror of the board by itself.
//! assert_eq!(game.symmetries(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block_moves;
mod board_rows;
mod check;
mod checked;
mod contents;
mod description;
mod exchange;
mod families;
mod few_orbits;
mod game;
mod index;
mod layers;
mod notation;
mod numbering;
mod points;
mod position;
mod rules;
mod scheme;
pub(crate) mod symmetries;
mod text;

pub use check::{Place, Problem};
pub use checked::Hunt;
pub use description::{
    BoardPoint, Condition, Description, EndRule, Layering, SideDescription, side_of_word, side_word,
};
pub use families::{
    FOX_GEESE_RULES, FamilyError, fox_geese, fox_hounds, hare_hounds, hasenspiel, hexapawn,
};
pub use game::MoveList;
pub use index::HuntIndex;
pub use points::{MOST_POINTS, PointSet};
pub use position::{LONGEST_CHAIN, Move, MoveKind, Position};
pub use text::{LONGEST_TEXT, TextError};
