//! A trained network as a player.

use std::cell::RefCell;

use anser_analyse::Style;
use anser_core::{Hunt, hunt};
use anser_learn::Player;
use clap::Args;

use super::game::Setup;
use super::learned::Learned;
use super::values::PlayAdvisor;
use crate::args::within;
use crate::failure::Failure;
use crate::learned::{LoadedModel, ModelArg};
use crate::output::note;

/// Arguments for a computer that plays by a model.
#[derive(Args, Debug)]
pub(super) struct ModelPlayArgs {
    #[command(flatten)]
    pub(super) model: ModelArg,
    /// With --style model: simulations of its search before each move; 0 for none [default: those
    /// of its training]
    #[arg(long, value_name = "N", value_parser = within::<u32>(0..=1_000_000))]
    simulations: Option<u32>,
}

impl ModelPlayArgs {
    /// Whether one of these arguments was given.
    pub(super) fn is_given(&self) -> bool {
        self.model.path.is_some() || self.simulations.is_some()
    }

    /// Reads the model, if a side plays by it.
    pub(super) fn load(&self, game: &Hunt, setup: &Setup) -> Result<Option<LoadedModel>, Failure> {
        match (setup.has_style(Style::Model), self.is_given()) {
            (true, _) => self.model.load(game).map(Some),
            (false, false) => Ok(None),
            (false, true) => Err(Failure::usage(
                "--model and --simulations are for --style model, which no side has",
            )),
        }
    }
}

/// Adds a network to the values of the game, for the sides that play by it.
pub(super) fn networked<'a>(
    game: &'a Hunt,
    source: &'a PlayAdvisor<'a>,
    setup: &Setup,
    model: &'a LoadedModel,
    args: &ModelPlayArgs,
) -> Learned<'a> {
    let simulations = args.simulations.unwrap_or_else(|| model.simulations());
    let sides = setup.strategies.map(|strategy| strategy.style == Style::Model);
    let player = RefCell::new(model.player(game, simulations));
    // All of the chance for the move that the network chooses.
    let chances = move |position: &hunt::Position| {
        if !sides[position.to_move()] {
            return None;
        }
        match player.borrow_mut().choose(&[*position]) {
            Ok(chosen) => {
                let chosen = chosen.into_iter().next()?;
                let chance = |number| if number == chosen.choice { 1.0 } else { 0.0 };
                Some((0..chosen.shares.len()).map(chance).collect())
            }
            Err(error) => {
                note(format_args!("{error}; the computer plays by the values instead"));
                None
            }
        }
    };
    Learned { source, chances: Box::new(chances) }
}
