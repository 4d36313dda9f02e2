//! The matchbox learner as a player: it learns a small game from its own games alone.

use anser_analyse::{Matchboxes, Random, Taught, Teacher};
use anser_core::{Hunt, Side};
use anser_games::Size;
use clap::{Args, ValueEnum};

use super::learned::Learned;
use super::values::PlayAdvisor;
use crate::args::whole;
use crate::failure::Failure;
use crate::output::note;
use crate::text::grouped;

/// Arguments for training the boxes before the game.
#[derive(Args, Debug)]
pub(crate) struct TrainArgs {
    /// For matchbox: the number of games that it trains on before the first move
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<u64>)]
    train: u64,
    /// For matchbox: the opponent in these games
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

/// Trains boxes for these sides, and adds them to the values of the game. Notes the training of
/// each side.
pub(crate) fn trained<'a>(
    game: &'a Hunt,
    source: &'a PlayAdvisor<'a>,
    sides: &[Side],
    args: &TrainArgs,
    seed: u64,
) -> Learned<'a> {
    let mut boxes = Matchboxes::new(game, 1);
    let (teacher, against) = match args.against {
        TeacherArg::Random => (Teacher::Random, "random moves"),
        TeacherArg::Perfect => (Teacher::Perfect(source), "best play"),
    };
    for &side in sides {
        // The game uses the same seed, so training derives another one from it.
        let Taught { won, drawn, lost } =
            boxes.train(side, &teacher, args.train, &mut Random::new(!seed ^ side.index() as u64));
        debug_assert_eq!(drawn, 0, "without loops there are no draws");
        note(format_args!(
            "matchboxes of {}: {} opened in {} games against {against}, {} won and {} lost",
            game.side_name(side),
            grouped(boxes.opened(side) as u64),
            grouped(args.train),
            grouped(won),
            grouped(lost)
        ));
    }
    Learned { source, chances: Box::new(move |position| Some(boxes.chances(position))) }
}

/// Checks that the game is one that the boxes are made for: no position comes twice in a game, and
/// there are not too many.
pub(crate) fn require_small(game: &Hunt, command: &str) -> Result<(), Failure> {
    let size = Size::below(game, &game.start());
    if size.is_small() && !size.is_loopy {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "matchbox plays small games in which no position comes twice, as Hexapawn, and not {}; \
         `{command}`",
        game.name()
    )))
}
