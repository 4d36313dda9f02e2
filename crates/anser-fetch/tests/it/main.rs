//! Fetching from hosts that are slow, broken, or hostile, and from sound ones.

mod host;
mod hostile;
mod resumed;
mod sound;
mod tables;
