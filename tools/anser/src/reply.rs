//! Answers of commands, in all their forms.

use serde::Serialize;

use crate::csv::CsvTable;
use crate::failure::Failure;
use crate::output::{Form, print, print_json};
use crate::plot::Plot;

/// Answer of a command, in all its forms.
pub(crate) struct Reply<A> {
    /// Answer in JSON.
    pub(crate) answer: A,
    /// Answer as text; may be empty.
    pub(crate) text: String,
    /// Answer as comma-separated values, if the command has them.
    pub(crate) csv: Option<CsvTable>,
    /// Plot of the answer.
    pub(crate) plot: Option<Plot>,
    /// A problem in spite of the answer.
    pub(crate) failure: Option<Failure>,
}

impl<A> Reply<A> {
    /// Answer without a plot or a failure.
    pub(crate) fn new(answer: A, text: String) -> Reply<A> {
        Reply { answer, text, csv: None, plot: None, failure: None }
    }

    /// Adds the answer as comma-separated values.
    pub(crate) fn with_csv(self, csv: CsvTable) -> Reply<A> {
        Reply { csv: Some(csv), ..self }
    }

    /// Adds a plot.
    pub(crate) fn with_plot(self, plot: Plot) -> Reply<A> {
        Reply { plot: Some(plot), ..self }
    }

    /// Sets what is wrong in spite of the answer, if anything.
    pub(crate) fn with_failure(self, failure: Option<Failure>) -> Reply<A> {
        Reply { failure, ..self }
    }
}

impl<A: Serialize> Reply<A> {
    /// Writes the answer to standard output, and returns what is wrong in spite of it.
    pub(crate) fn print(self, form: Form) -> Result<(), Failure> {
        match (form, &self.csv) {
            (Form::Json, _) => print_json(&self.answer)?,
            (Form::Csv, Some(csv)) => print(&csv.text(true)?)?,
            _ if self.text.is_empty() => {}
            _ => print(&self.text)?,
        }
        self.failure.map_or(Ok(()), Err)
    }
}
