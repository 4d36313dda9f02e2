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

    /// The answer as text or comma-separated values; `is_first` is whether no other answer precedes
    /// it.
    pub(crate) fn text(&self, form: Form, is_first: bool) -> Result<String, Failure> {
        match &self.csv {
            Some(csv) if form == Form::Csv => csv.text(is_first),
            _ if is_first || self.text.is_empty() => Ok(self.text.clone()),
            _ => Ok(format!("\n{}", self.text)),
        }
    }
}

impl<A: Serialize> Reply<A> {
    /// Writes the answer to standard output, and returns what is wrong in spite of it.
    pub(crate) fn print(self, form: Form) -> Result<(), Failure> {
        match form {
            Form::Json => print_json(&self.answer)?,
            Form::Text | Form::Csv => print(&self.text(form, true)?)?,
        }
        self.failure.map_or(Ok(()), Err)
    }
}
