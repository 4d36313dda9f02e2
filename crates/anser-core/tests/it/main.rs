//! All integration tests in one program, which links sooner than one for each file.

mod block_moves;
mod fox_geese;
mod hare_hounds;
mod hexapawn;
mod hounds;
mod hounds_index;
mod hounds_text;
mod hunt;
