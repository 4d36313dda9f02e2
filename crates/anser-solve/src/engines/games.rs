//! The engines of the games of this workspace.

use anser_core::fox_geese::FoxGeese;
use anser_core::fox_hounds::FoxHounds;
use anser_core::hare_hounds::HareHounds;
use anser_core::hasenspiel::Hasenspiel;
use anser_core::hexapawn::Hexapawn;
use anser_table::Metric;

use super::cross::Cross;
use super::engine::{Engine, Solvable};
use super::hunts::Hunts;

impl Solvable for FoxGeese {
    fn engines(&self) -> Vec<Box<dyn Engine<FoxGeese>>> {
        vec![Box::new(Cross::new(Metric::Wdl)), Box::new(Cross::new(Metric::Dtw))]
    }
}

impl Solvable for FoxHounds {
    fn engines(&self) -> Vec<Box<dyn Engine<FoxHounds>>> {
        vec![Box::new(Hunts::new())]
    }
}

impl Solvable for Hasenspiel {
    fn engines(&self) -> Vec<Box<dyn Engine<Hasenspiel>>> {
        vec![Box::new(Hunts::new())]
    }
}

impl Solvable for HareHounds {}

impl Solvable for Hexapawn {}
