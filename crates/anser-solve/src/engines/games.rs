//! The engines of games with some structure, chosen by what their descriptions say.

use anser_core::Hunt;
use anser_table::Metric;

use super::cross::Cross;
use super::engine::{Engine, Solvable};
use super::rows::Rows;

impl Solvable for Hunt {
    fn engines(&self) -> Vec<Box<dyn Engine<Hunt>>> {
        if self.cross().is_some() {
            vec![Box::new(Cross::new(Metric::Wdl)), Box::new(Cross::new(Metric::Dtw))]
        } else if self.rows().is_some() {
            vec![Box::new(Rows::new())]
        } else {
            Vec::new()
        }
    }
}
