//! Oracles: the plainest programs for all games of the workspace, for tests alone.
//!
//! Each oracle is written from the rules of its game and shares no code with the engines. Tests
//! compare the values of an engine with those of the oracle at every position, and the oracles
//! compute the known figures of `anser-reproduce`.
//!
//! [`fox_geese`] solves Fox-and-Geese layer by layer. The other games implement [`Game`], and
//! [`Graph`] holds their positions in a list: Fox-and-Hounds, Hasenspiel, Hare-and-Hounds,
//! Hexapawn, noughts and crosses, and king and rook against king. [`hunt`] plays any hunt by the
//! lines of text that describe it.
//!
//! ```
//! use anser_oracle::fox_hounds::FoxHounds;
//! use anser_oracle::{Game, Graph, Side};
//! let game = FoxHounds::new(4);
//! let graph = Graph::reachable(&game, &game.start());
//! assert_eq!(graph.len(), 83);
//! let start = graph.values()[0];
//! assert_eq!((start.winner, start.plies), (Some(Side::Second), 8));
//! assert_eq!(game.notation(&graph.positions[0]), "1F/2/2/hh f");
//! ```

pub mod author;
pub mod fox_geese;
pub mod fox_hounds;
pub mod foxbox;
pub mod fuzz;
mod game;
pub mod hare_hounds;
pub mod hasenspiel;
pub mod hexapawn;
pub mod hunt;
pub mod king_rook;
pub mod noughts;
pub mod plain;
mod rows;

pub use game::{End, Game, Side};
pub use plain::{Graph, Value};
