//! All integration tests in one program, so that the generic code is compiled only once per game.

mod hexapawn;
mod hounds;
mod hunts;
mod solution;
mod support;
