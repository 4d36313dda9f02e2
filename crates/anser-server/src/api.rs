//! The endpoints of version 1: queries and answers. Each runs on a thread that may block.

mod games;
mod layers;
mod moves;
mod probe;
mod random;
mod solving;

pub(crate) use games::{GamesQuery, games};
pub(crate) use layers::{HardestQuery, SetQuery, census, hardest, stats};
pub(crate) use moves::best_move;
pub(crate) use probe::{answer_many, batch, line, probe};
pub(crate) use random::{RandomQuery, random};
pub(crate) use solving::solving;
