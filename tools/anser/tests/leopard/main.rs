//! The game of `docs/add-a-game.md`: its values against a plain program, every command of the
//! program that registers it, and the page itself.

mod commands;
mod compare;
#[path = "../../examples/leopard/game.rs"]
mod game;
#[path = "../../examples/leopard/oracle.rs"]
mod oracle;
mod page;
