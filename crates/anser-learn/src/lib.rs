//! Players of hunt games that learn from their own games, in the way of `AlphaZero`, and are graded
//! against the exact value of every position.
//!
//! A [`Network`] evaluates positions as an [`Encoding`] presents them. A [`Search`] improves its
//! evaluations, and a [`Learner`] trains it by self-play. [`grade`] counts the wrong moves of a
//! player.
//!
//! # Errors
//! Functions return a [`LearnError`].

mod encoding;
mod error;
mod evaluate;
mod exact;
mod grade;
mod learner;
mod model;
mod network;
mod player;
mod preset;
mod sample;
mod search;
mod self_play;
mod settings;
mod train;
mod workers;

pub use encoding::Encoding;
pub use encoding::document::DocumentEncoding;
pub use encoding::hunt::HuntEncoding;
pub use error::LearnError;
pub use evaluate::{Evaluation, Evaluator, NetworkEvaluator};
pub use exact::{Perfect, exact_samples, exact_samples_at};
pub use grade::{Grade, SolutionGrade, Whole, draw_decisions, grade, grade_decisions};
pub use learner::{Iteration, Learner, Match, Starts};
pub use model::{Description, Model};
pub use network::{Network, Shape};
pub use player::{Advised, Fuzzy, Player, Searcher, Uniform};
pub use preset::Preset;
pub use sample::Sample;
pub use search::{Search, Searched, Selection, search};
pub use self_play::Play;
pub use settings::{Arena, Settings};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
