//! The server over real connections, on loopback.

mod answers;
mod contract;
mod damage;
mod endpoints;
mod every_game;
mod hostile;
mod openapi;
mod page;
mod reader;
#[path = "../../../../tools/anser/tests/cli/schema.rs"]
#[allow(dead_code, reason = "some of it is for the command line")]
mod schema;
mod shares;
mod site;
mod solving;
mod support;
mod webdriver;
