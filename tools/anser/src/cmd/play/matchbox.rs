//! The matchbox learner as a player: it learns Hexapawn from its own games alone.

use anser_analyse::{Advisor, AnalyseError, Matchboxes, Random, Taught, Teacher};
use anser_core::prelude::*;
use anser_core::{Outcome, Side, Value};
use anser_games::{AnyGame, AnyPosition};
use clap::{Args, ValueEnum};

use super::values::PlayAdvisor;
use crate::text::grouped;

/// Arguments for training the boxes before the game.
#[derive(Args, Debug)]
pub(super) struct TrainArgs {
    /// With --style matchbox: the number of games that the learner trains on before the first move
    #[arg(long, value_name = "N", default_value_t = 1000)]
    train: u64,
    /// With --style matchbox: the opponent in these games
    #[arg(long = "train-against", value_name = "WHO", default_value = "random")]
    against: TeacherArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum TeacherArg {
    /// Random legal moves
    Random,
    /// Best moves by the values of the game
    Perfect,
}

/// Advisor with the values of the game and trained boxes.
pub(super) struct Trained<'a> {
    values: &'a PlayAdvisor<'a>,
    boxes: Matchboxes<AnyGame>,
}

impl<'a> Trained<'a> {
    /// Trains boxes for these sides. Also returns a line for each side about the training.
    pub(super) fn new(
        game: &AnyGame,
        values: &'a PlayAdvisor<'a>,
        sides: &[Side],
        args: &TrainArgs,
        seed: u64,
    ) -> (Trained<'a>, Vec<String>) {
        let mut boxes = Matchboxes::new(game, 1);
        let (teacher, against) = match args.against {
            TeacherArg::Random => (Teacher::Random, "random moves"),
            TeacherArg::Perfect => (Teacher::Perfect(values), "best play"),
        };
        let mut lines = Vec::new();
        for &side in sides {
            // The game uses the same seed, so training derives another one from it.
            let Taught { won, drawn, lost } = boxes.train(
                side,
                &teacher,
                args.train,
                &mut Random::new(!seed ^ side.index() as u64),
            );
            debug_assert_eq!(drawn, 0, "Hexapawn has no draws");
            lines.push(format!(
                "matchboxes of {}: {} opened in {} games against {against}, {} won and {} lost",
                game.side_name(side),
                grouped(boxes.opened(side) as u64),
                grouped(args.train),
                grouped(won),
                grouped(lost)
            ));
        }
        (Trained { values, boxes }, lines)
    }
}

impl Probe<AnyGame> for Trained<'_> {
    type Error = AnalyseError;

    fn value(&self, position: &AnyPosition) -> Result<Value, AnalyseError> {
        self.values.value(position)
    }
}

impl Advisor<AnyGame> for Trained<'_> {
    fn preference(&self, after: &AnyPosition, outcome: Outcome) -> Option<f64> {
        self.values.preference(after, outcome)
    }

    fn learned(&self, position: &AnyPosition) -> Option<Vec<f64>> {
        Some(self.boxes.chances(position))
    }
}
