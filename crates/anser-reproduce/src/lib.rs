//! The figures that documents about hunt games print, computed again and compared.
//!
//! The crate contains, for each [`Document`], the figures that it prints about its game: where each
//! is printed, the true figure, whether the two agree, and the reason if they do not. [`reproduce`]
//! computes every figure from the rules and returns a [`Verdict`] for each; a figure that does not
//! come out as expected [fails](Verdict::Fails). The true figures are only compared with the
//! computed ones; nothing is computed from them.
//!
//! ```
//! use anser_reproduce::{Document, Figure, Options, Row, Verdict, reproduce};
//! use anser_retrograde::Limits;
//!
//! let hexapawn = reproduce(Document::Hexapawn, &Options::default(), &Limits::default())?;
//! let is_value = |row: &&Row| row.entry.figure == Figure::Value;
//! let winner = hexapawn.rows.iter().find(is_value).expect("the document names a winner");
//! assert_eq!(winner.verdict, Verdict::Agrees);
//! assert_eq!(hexapawn.failures().count(), 0);
//! # Ok::<(), anser_reproduce::ReproduceError>(())
//! ```
//!
//! [`table_1`] is the printed table of the Fox-and-Geese paper. Where tables are missing, the results
//! of [full runs](anser_games::full_run) answer.
//!
//! # Errors
//! [`ReproduceError`]: a game cannot be solved within the limits, or the data of this crate is
//! malformed.

mod authors_program;
mod common;
mod compute;
mod data;
mod document;
mod figure;
mod fox_geese;
mod fox_hounds;
mod hare_hounds;
mod hasenspiel;
mod hexapawn;
mod judge;
mod king_rook;
mod learner;
mod noughts;
mod question;
mod subject;
pub mod table_1;

pub use compute::{Reproduction, Row, compute, reproduce};
pub use data::{DataError, Entry, Known};
pub use document::Document;
pub use figure::Figure;
pub use judge::{Verdict, judge};
pub use learner::{LearnerRun, kept_learner_runs, learner_figures};
pub use question::{Missing, Options, ReproduceError};
pub use subject::Subject;
