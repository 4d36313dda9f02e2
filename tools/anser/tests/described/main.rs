//! The games of `docs/describe-a-game.md`: every command, and the page itself.

mod commands;
mod page;
