//! Settings of a training, and those of the presets.

use anser_core::Hunt;

use crate::encoding::Encoding;
use crate::encoding::document::DocumentEncoding;
use crate::encoding::hunt::HuntEncoding;
use crate::error::LearnError;
use crate::preset::Preset;
use crate::search::{Search, Selection};
use crate::self_play::Play;

impl Preset {
    /// Returns the encoding.
    ///
    /// # Errors
    /// [`LearnError::NoEncoding`] if the preset has none for this game.
    pub fn encoding(self, game: &Hunt) -> Result<Box<dyn Encoding>, LearnError> {
        let found: Option<Box<dyn Encoding>> = match self {
            Preset::Document => DocumentEncoding::new(game).map(|it| Box::new(it) as _),
            Preset::Standard | Preset::Exact => Some(Box::new(HuntEncoding::new(game))),
        };
        found.ok_or_else(|| LearnError::NoEncoding { game: game.name().into(), preset: self })
    }

    /// Returns the settings for a game with this number of reachable positions.
    pub fn settings(self, positions: u64) -> Settings {
        match self {
            Preset::Standard => Settings::standard(positions),
            Preset::Document => Settings::document(),
            Preset::Exact => Settings { games: 0, window: None, ..Settings::standard(positions) },
        }
    }
}

/// Settings of a training. Together with the game and the seed they determine the model.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The units of each hidden layer.
    pub hidden: Vec<usize>,
    /// The number of iterations: games of the network against itself, then training.
    pub iterations: u32,
    /// The number of games per iteration.
    pub games: u32,
    /// Parameters of the games.
    pub play: Play,
    /// Share of the games that start from a random reachable position; the others start from the
    /// usual one.
    pub random_starts: f64,
    /// The number of samples that are kept, the latest; `None` keeps all until a match is won.
    pub window: Option<usize>,
    /// The number of training steps per iteration.
    pub steps: u32,
    /// The number of samples per training step; `None` takes all that are kept.
    pub batch: Option<usize>,
    /// The learning rate of the first iteration and of the last. It falls by a half cosine.
    pub rate: [f64; 2],
    /// Whether the policy is trained over legal moves only, and not over all actions.
    pub masked: bool,
    /// The network that plays has averages of weights: after each iteration this share of the
    /// average before, and the rest of the weights as trained. With 0 it has these alone.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub average: f64,
    /// The match that a trained network must win to replace the one that plays; `None` replaces it
    /// at once.
    pub arena: Option<Arena>,
}

/// A match between the network before and after training.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arena {
    /// The number of games, half of them with each side.
    pub games: u32,
    /// The part of the games that must be exceeded.
    pub share: f64,
    /// The plies of each game in which moves are drawn by their shares; then the best is played.
    #[serde(default)]
    pub drawn: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives references")]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// Upper bound of the units of a hidden layer, and of other sizes that memory limits.
const LARGEST: usize = 1 << 20;

impl Settings {
    /// Checks the settings.
    ///
    /// # Errors
    /// [`LearnError::Settings`].
    pub fn check(&self) -> Result<(), LearnError> {
        let Settings { hidden, games, play, random_starts, window, batch, rate, .. } = self;
        let Settings { average, arena, .. } = self;
        let share = |number: f64| (0.0..=1.0).contains(&number);
        let selection = match play.search.selection {
            Selection::Puct { c, reduction, noise } => {
                c >= 0.0
                    && c.is_finite()
                    && reduction.unwrap_or(0.0).is_finite()
                    && share(noise.into())
            }
            Selection::Gumbel { considered, scale } => {
                considered > 0 && scale > 0.0 && scale.is_finite()
            }
        };
        let sound = [
            (
                hidden.iter().all(|units| (1..=LARGEST / 64).contains(units)) && hidden.len() <= 64,
                "hidden: up to 64 layers of 1 to 16,384 units each",
            ),
            (*games as usize <= LARGEST, "games: up to 1,048,576"),
            (selection, "play.search.selection: positive finite weights, noise of 0 to 1"),
            (
                play.search.simulations as usize <= LARGEST,
                "play.search.simulations: up to 1,048,576",
            ),
            (play.plies > 0, "play.plies: 1 or more"),
            (share(play.result.into()), "play.result: of 0 to 1"),
            (share(*random_starts), "random_starts: of 0 to 1"),
            (*window != Some(0), "window: 1 or more"),
            (batch.is_none_or(|batch| (1..=LARGEST).contains(&batch)), "batch: 1 to 1,048,576"),
            (rate.iter().all(|rate| (0.0..=1.0).contains(rate)), "rate: of 0 to 1"),
            ((0.0..1.0).contains(average), "average: 0 or more, and less than 1"),
            (*average == 0.0 || arena.is_none(), "average: 0 if there is an arena"),
            (
                arena.is_none_or(|arena| share(arena.share) && arena.games > 1),
                "arena: 2 games or more, and a share of 0 to 1",
            ),
        ];
        match sound.iter().find(|(sound, _)| !sound) {
            Some((_, expected)) => Err(LearnError::Settings((*expected).to_owned())),
            None => Ok(()),
        }
    }

    /// The learner of the document "Mastering Hexapawn AlphaZero-style", with its own
    /// [encoding](crate::DocumentEncoding).
    pub fn document() -> Settings {
        Settings {
            hidden: vec![128; 4],
            iterations: 5,
            games: 20,
            play: Play {
                search: Search {
                    // Ten, of which the first evaluates the root.
                    simulations: 9,
                    selection: Selection::Puct { c: 1.0, reduction: None, noise: 0.0 },
                    exact: false,
                },
                drawn: u32::MAX,
                plies: u32::MAX,
                symmetric: false,
                result: 1.0,
                reuse: false,
            },
            random_starts: 0.0,
            window: None,
            steps: 128,
            batch: None,
            rate: [1e-3, 1e-3],
            masked: false,
            average: 0.0,
            arena: Some(Arena { games: 20, share: 0.5, drawn: u32::MAX }),
        }
    }

    /// The learner of this crate, for a game of about this many reachable positions.
    pub fn standard(positions: u64) -> Settings {
        let small = positions < 1_000;
        Settings {
            hidden: if small { vec![64; 3] } else { vec![128; 3] },
            iterations: if small { 20 } else { 200 },
            games: if small { 64 } else { 256 },
            play: Play {
                search: Search {
                    simulations: 32,
                    selection: Selection::Gumbel { considered: 16, scale: 0.1 },
                    exact: true,
                },
                drawn: 0,
                plies: 200,
                symmetric: true,
                result: 0.5,
                reuse: false,
            },
            random_starts: 0.75,
            window: Some(if small { 2_000 } else { 40_000 }),
            steps: if small { 50 } else { 150 },
            batch: Some(if small { 128 } else { 256 }),
            rate: [2e-3, 2e-5],
            masked: true,
            average: 0.0,
            arena: None,
        }
    }
}
