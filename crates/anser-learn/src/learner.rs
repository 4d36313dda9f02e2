//! The training loop: self-play, training steps, and an optional match.

use anser_analyse::Random;
use anser_core::hunt::Position;
use anser_core::{Hunt, Observer, Outcome, Side};

use crate::LearnError;
use crate::encoding::Encoding;
use crate::network::{Network, Shape};
use crate::sample::Sample;
use crate::self_play::{Games, Play};
use crate::settings::{Arena, Settings};
use crate::train::{Adam, Gradient};
use crate::workers::Workers;

/// Statistics of an iteration.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Iteration {
    /// Number of games of self-play.
    pub games: u64,
    /// Plies of these games.
    pub plies: u64,
    /// Positions that networks evaluated, those of a match included.
    pub evaluated: u64,
    /// Training steps.
    pub steps: u64,
    /// The mean loss of the training steps.
    pub loss: f64,
    /// The match, if there was one.
    pub arena: Option<Match>,
}

/// Result of a match, for the network after training.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Match {
    /// Games won as the first side, and as the second.
    pub won: [u32; 2],
    /// Games played as each side.
    pub games: u32,
    /// Whether the trained network replaced the one before it.
    pub accepted: bool,
}

/// Start positions of the games of a training.
#[derive(Clone, Copy, Debug)]
pub struct Starts<'a> {
    /// Usual start of games, and start of all matches.
    pub usual: Position,
    /// Starts of the other games. Terminal positions are not used.
    pub others: &'a [Position],
}

impl<'a> Starts<'a> {
    /// The start of a game, and other positions.
    pub fn of(game: &Hunt, others: &'a [Position]) -> Starts<'a> {
        Starts { usual: game.start(), others }
    }
}

/// A training: the network, and the state of the next iteration.
pub struct Learner<'a> {
    pub(crate) game: &'a Hunt,
    pub(crate) encoding: &'a dyn Encoding,
    pub(crate) settings: Settings,
    pub(crate) seed: u64,
    pub(crate) starts: Starts<'a>,
    pub(crate) network: Network,
    /// The weights as trained, if `network` has averages of weights.
    pub(crate) trained: Option<Network>,
    pub(crate) adam: Adam,
    pub(crate) samples: Vec<Sample>,
    pub(crate) history: Vec<Iteration>,
}

/// Returns the seed of a purpose: different for each number.
fn seed_of(seed: u64, numbers: [u64; 2]) -> u64 {
    let mut random = Random::new(seed);
    for number in numbers {
        random = Random::new(random.bits() ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    }
    random.bits()
}

impl<'a> Learner<'a> {
    /// Begins a training.
    ///
    /// # Errors
    /// [`LearnError::Settings`], and errors of the tensor library.
    pub fn new(
        game: &'a Hunt,
        encoding: &'a dyn Encoding,
        settings: Settings,
        seed: u64,
        starts: Starts<'a>,
    ) -> Result<Learner<'a>, LearnError> {
        settings.check()?;
        let shape = Shape {
            inputs: encoding.inputs(),
            hidden: settings.hidden.clone(),
            actions: encoding.actions(),
        };
        let network = Network::new(&shape, seed_of(seed, [0, 0]))?;
        let adam = Adam::new(&network)?;
        let (samples, history) = (Vec::new(), Vec::new());
        Ok(Learner {
            game,
            encoding,
            settings,
            seed,
            starts,
            network,
            trained: None,
            adam,
            samples,
            history,
        })
    }

    /// Adds samples to those of the games, before the first iteration.
    #[must_use]
    pub fn with_samples(mut self, samples: Vec<Sample>) -> Learner<'a> {
        self.samples.extend(samples);
        self
    }

    /// Returns the network that plays.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Returns the statistics of each iteration.
    pub fn history(&self) -> &[Iteration] {
        &self.history
    }

    /// Whether all iterations are done.
    pub fn is_done(&self) -> bool {
        self.history.len() >= self.settings.iterations as usize
    }

    /// Runs one iteration with `threads` threads. Their number does not change the result.
    ///
    /// # Errors
    /// [`LearnError::Interrupted`], after which the iteration can be run again;
    /// [`LearnError::NotFinite`]; and errors of the tensor library.
    pub fn iterate(
        &mut self,
        threads: usize,
        observer: &dyn Observer,
    ) -> Result<&Iteration, LearnError> {
        let (number, workers) = (self.history.len() as u64, Workers::new(threads));
        let network = &self.network;
        let games = Games {
            game: self.game,
            encoding: self.encoding,
            play: self.settings.play,
            starts: self.starts(number),
            players: &|_| [network, network],
            learning: true,
        };
        let played = games.play(&workers, observer)?;
        let mut iteration = Iteration {
            games: played.outcomes.len() as u64,
            plies: played.samples.len() as u64,
            evaluated: played.evaluated,
            ..Iteration::default()
        };
        let before = self.samples.len();
        self.samples.extend(played.samples);
        if let Err(error) = self.train(number, &mut iteration, &workers, observer) {
            self.samples.truncate(before);
            return Err(error);
        }
        if let Some(window) = self.settings.window {
            let old = self.samples.len().saturating_sub(window);
            self.samples.drain(..old);
        }
        self.history.push(iteration);
        Ok(&self.history[self.history.len() - 1])
    }

    /// The positions that the games of an iteration start from, with their seeds.
    fn starts(&self, iteration: u64) -> Vec<(Position, u64)> {
        let open: Vec<&Position> =
            self.starts.others.iter().filter(|it| self.game.terminal(it).is_none()).collect();
        (0..u64::from(self.settings.games))
            .map(|number| {
                let mut random = Random::new(seed_of(self.seed, [iteration + 1, number]));
                let elsewhere = random.unit() < self.settings.random_starts && !open.is_empty();
                let start =
                    if elsewhere { *open[random.below(open.len())] } else { self.starts.usual };
                (start, random.bits())
            })
            .collect()
    }

    fn train(
        &mut self,
        number: u64,
        iteration: &mut Iteration,
        workers: &Workers,
        observer: &dyn Observer,
    ) -> Result<(), LearnError> {
        let trained = self.trained.as_ref().unwrap_or(&self.network).copy()?;
        // A network that may be rejected gets an optimizer of its own.
        let mut adam = match self.settings.arena {
            Some(_) => Adam::new(&trained)?,
            None => self.adam.on(&trained),
        };
        let mut random = Random::new(seed_of(self.seed, [number + 1, u64::MAX]));
        let done = number as f64 / f64::from(self.settings.iterations.max(2) - 1);
        let [first, last] = self.settings.rate;
        let rate =
            last + (first - last) * (1.0 + (std::f64::consts::PI * done.min(1.0)).cos()) / 2.0;
        observer.begin("training steps", u64::from(self.settings.steps));
        let steps = if self.samples.is_empty() { 0 } else { self.settings.steps };
        for _ in 0..steps {
            if observer.interrupted() {
                return Err(LearnError::Interrupted);
            }
            let all = self.samples.len();
            let samples: Vec<&Sample> = match self.settings.batch {
                None => self.samples.iter().collect(),
                Some(batch) => (0..batch).map(|_| &self.samples[random.below(all)]).collect(),
            };
            let gradient = Gradient::new(&trained, &samples, self.settings.masked, workers)?;
            adam.step(&gradient, rate)?;
            iteration.loss += f64::from(gradient.loss);
            iteration.steps += 1;
            observer.advance(1);
        }
        iteration.loss /= iteration.steps.max(1) as f64;
        if let Some(arena) = self.settings.arena {
            let seed = seed_of(self.seed, [number + 1, u64::MAX - 1]);
            let (mut found, evaluated) =
                self.compare_with([&trained, &self.network], arena, seed, workers, observer)?;
            iteration.evaluated += evaluated;
            let won = f64::from(found.won[0] + found.won[1]);
            found.accepted = won > arena.share * f64::from(2 * found.games);
            iteration.arena = Some(found);
            if !found.accepted {
                return Ok(());
            }
            if self.settings.window.is_none() {
                self.samples.clear();
            }
        }
        self.adam = adam;
        if self.settings.average == 0.0 {
            self.network = trained;
        } else {
            self.network = self.network.mixed_with(&trained, self.settings.average)?;
            self.trained = Some(trained);
        }
        Ok(())
    }

    /// Plays a match of the network against one that is not trained. Returns the result for the
    /// network; none is accepted.
    ///
    /// # Errors
    /// As [`Learner::iterate`].
    pub fn play_untrained(
        &self,
        games: u32,
        threads: usize,
        observer: &dyn Observer,
    ) -> Result<Match, LearnError> {
        let [weights, games_seed] = [1, 2].map(|number| seed_of(self.seed, [u64::MAX, number]));
        let untrained = Network::new(self.network.shape(), weights)?;
        let workers = Workers::new(threads);
        let networks = [&self.network, &untrained];
        let arena = Arena { games, share: 0.0, drawn: self.settings.play.drawn };
        Ok(self.compare_with(networks, arena, games_seed, &workers, observer)?.0)
    }

    /// Plays a match between two networks. Returns the result of the first, and the number of
    /// positions evaluated.
    fn compare_with(
        &self,
        [network, other]: [&Network; 2],
        arena: Arena,
        seed: u64,
        workers: &Workers,
        observer: &dyn Observer,
    ) -> Result<(Match, u64), LearnError> {
        let each = arena.games / 2;
        let starts = (0..u64::from(2 * each))
            .map(|number| (self.starts.usual, seed_of(seed, [number, 1])))
            .collect();
        let side = |number: usize| if number < each as usize { Side::First } else { Side::Second };
        let played = Games {
            game: self.game,
            encoding: self.encoding,
            play: Play { drawn: arena.drawn, ..self.settings.play },
            starts,
            players: &|number| match side(number) {
                Side::First => [network, other],
                Side::Second => [other, network],
            },
            learning: false,
        }
        .play(workers, observer)?;
        let mut found = Match { games: each, ..Match::default() };
        for (number, outcome) in played.outcomes.iter().enumerate() {
            if *outcome == Outcome::Win(side(number)) {
                found.won[side(number).index()] += 1;
            }
        }
        Ok((found, played.evaluated))
    }
}
