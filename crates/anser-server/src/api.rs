//! The endpoints of version 1: queries and answers. Each runs on a thread that may block.

mod games;
mod layers;
mod moves;
mod probe;
mod random;
mod solving;

#[cfg(feature = "schema")]
pub(crate) use games::GamesQuery;
pub(crate) use games::{games, served_game};
pub(crate) use layers::{HardestQuery, SetQuery, census, hardest, stats};
#[cfg(feature = "schema")]
pub(crate) use moves::MoveQuery;
pub(crate) use moves::best_move;
#[cfg(feature = "schema")]
pub(crate) use probe::ProbeQuery;
pub(crate) use probe::{answer_many, batch, line, probe};
pub(crate) use random::{RandomQuery, random, random_position};
pub(crate) use solving::solving;
