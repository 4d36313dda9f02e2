//! Settings of a training, and the presets.

use crate::self_play::Play;
use crate::{Search, Selection};

/// Everything that decides what is learned, besides the game and the seed.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Settings {
    /// The units of each hidden layer.
    pub hidden: Vec<usize>,
    /// The number of iterations: games of the network against itself, then training.
    pub iterations: u32,
    /// The number of games per iteration.
    pub games: u32,
    /// How the games are played.
    pub play: Play,
    /// The part of the games that start from a random position that play can reach; the others
    /// start from where play usually does.
    pub scattered: f64,
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
    /// The match that a trained network must win to replace the one that plays; `None` replaces it
    /// at once.
    pub arena: Option<Arena>,
}

/// A match between the network before and after training.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Arena {
    /// The number of games, half of them with each side.
    pub games: u32,
    /// The part of the games that must be exceeded.
    pub share: f64,
}

impl Settings {
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
            },
            scattered: 0.0,
            window: None,
            steps: 128,
            batch: None,
            rate: [1e-3, 1e-3],
            masked: false,
            arena: Some(Arena { games: 20, share: 0.5 }),
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
            },
            scattered: 0.75,
            window: Some(if small { 2_000 } else { 40_000 }),
            steps: if small { 50 } else { 150 },
            batch: Some(if small { 128 } else { 256 }),
            rate: [2e-3, 2e-5],
            masked: true,
            arena: None,
        }
    }
}
