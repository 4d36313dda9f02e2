//! Long work that an answer may need.

use std::ops::RangeInclusive;

/// A task for a game under a rule set. Its result is kept in the store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Task {
    pub(crate) game: String,
    pub(crate) rules: String,
    pub(crate) work: Work,
    /// Whether it takes at most a tenth of a second. Brief tasks do not wait for long ones.
    pub(crate) is_brief: bool,
}

/// Work of a task: solving layers in memory, or a question about the whole game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Work {
    Solve(RangeInclusive<u16>),
    Census,
    Hardest { all: bool },
}

impl Work {
    /// The name under which the answer is kept.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Work::Solve(_) => "solution",
            Work::Census => "census",
            Work::Hardest { all: false } => "hardest",
            Work::Hardest { all: true } => "hardest of all",
        }
    }
}
