//! HTTP API and web page of Anser: the value of any position of a solved game, and of its moves.
//!
//! A [`Server`] answers from tables of a [`SearchPath`](anser_games::SearchPath), and from
//! solutions in memory where a game is small. Its answers are those of [`anser_games::answers`],
//! the types that the command line writes with `--json`; [`answers`] has the additions of the
//! server. `GET /openapi.json` describes every endpoint.
//!
//! ```
//! use std::net::TcpListener;
//!
//! use anser_games::{Registry, SearchPath};
//! use anser_server::{Options, Server};
//!
//! let server = Server::new(Registry::standard(), &Options::new(SearchPath::embedded()))?;
//! let handle = server.handle();
//! let listener = TcpListener::bind("127.0.0.1:0")?;
//! println!("http://{}", listener.local_addr()?);
//! // Another thread, or a signal handler, stops the server.
//! std::thread::spawn(move || handle.stop());
//! server.run(listener)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limits
//! [`Limits`] bound connections, the time of a request, running and waiting work, and positions of
//! a batch, in all and per client. A server without room answers 503, and a client beyond its share
//! gets 429, both with `Retry-After`. Idle connections take no room. Questions about whole games
//! run one at a time; equal ones run once. No part of a request becomes part of a path in the file
//! system.

pub mod answers;
mod api;
mod app;
mod assets;
mod batch;
mod clients;
mod connections;
mod gate;
mod http;
mod kept;
mod metrics;
mod openapi;
mod options;
mod problem;
mod reply;
mod server;
pub mod site;
mod solving;
mod store;
mod task;
mod tasks;
mod whole;

pub use axum::http::HeaderName;
pub use http::RESERVED_NAMES;
#[cfg(feature = "schema")]
pub use openapi::openapi;
pub use options::{Limits, Log, LogEntry, Options, Report, Solving};
pub use server::{Handle, Server};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
