//! Questions about one game, and their answers before they are judged.

use std::collections::BTreeMap;

use anser_retrograde::{AnalyseError, Limits};
use serde_json::Value as Json;

use crate::{DataError, Entry};

/// Input of a reproduction besides the rules, and its extent.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Positions of Fox-and-Geese that the geese win, both sides to move, by rule set and number of
    /// geese. They are read from tables, which this crate does not open.
    pub geese_won: BTreeMap<(String, u16), u64>,
    /// Whether to compute the figures of Fox-and-Hounds on 10 x 10, which takes half a minute.
    pub large: bool,
}

/// Reason why a figure was not computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// It needs a table that is missing.
    Table,
    /// It takes long, and was not [requested](Options::large).
    Large,
    /// The game has no figure of this kind.
    NoSuchFigure,
}

/// A figure before it is judged.
pub(crate) enum Answer {
    Computed(Json),
    /// From a verified run.
    Kept(Json),
    Missing(Missing),
}

impl Answer {
    pub(crate) fn of(figure: Json, is_kept: bool) -> Answer {
        if is_kept { Answer::Kept(figure) } else { Answer::Computed(figure) }
    }
}

impl From<Option<Json>> for Answer {
    fn from(computed: Option<Json>) -> Answer {
        computed.map_or(Answer::Missing(Missing::NoSuchFigure), Answer::Computed)
    }
}

/// Entries about one game under one rule set.
pub(crate) struct Question<'a> {
    pub(crate) entries: &'a [&'a Entry],
    pub(crate) options: &'a Options,
    pub(crate) limits: &'a Limits<'a>,
}

/// The figures of a document cannot be computed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReproduceError {
    /// The known figures cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A game cannot be solved.
    #[error(transparent)]
    Analyse(#[from] AnalyseError),
}
