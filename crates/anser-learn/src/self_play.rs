//! Games of a network against itself.

use anser_analyse::Random;
use anser_core::hunt::Position;
use anser_core::{Hunt, Next, Observer, Outcome};

use crate::encoding::Encoding;
use crate::error::LearnError;
use crate::evaluate::{NetworkEvaluator, View, results, settled, value_for};
use crate::network::Network;
use crate::player::Searcher;
use crate::sample::Sample;
use crate::search::{Search, Searched, Tree, run_all};
use crate::workers::Workers;

/// Parameters of the games.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Play {
    /// The search before every move.
    pub search: Search,
    /// The plies of each game in which moves are drawn by their shares; then the best is played.
    pub drawn: u32,
    /// Number of plies after which an unfinished game counts as endless: as a draw, if that is won
    /// for neither side.
    pub plies: u32,
    /// Whether symmetric positions get the same evaluation.
    pub symmetric: bool,
    /// The part of the result in the value that a network is trained on; the rest is the value that
    /// the search arrived at.
    pub result: f32,
    /// Whether a search of self-play starts from the subtree of the previous search.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reuse: bool,
}

impl Play {
    /// Returns a network as a player that evaluates positions and searches as in these games, but
    /// with this many simulations before each move: the network alone with 0.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// use anser_core::hexapawn::BoardSize;
    /// use anser_learn::{Encoding, HuntEncoding, Network, Player, Settings, Shape};
    /// let game = Hunt::hexapawn(BoardSize::THREE);
    /// let encoding = HuntEncoding::new(&game);
    /// let shape = Shape { inputs: encoding.inputs(), hidden: vec![8], actions: encoding.actions() };
    /// let network = Network::new(&shape, 1)?;
    /// let play = Settings::standard(135).play;
    /// let mut player = play.player(&game, &encoding, &network, 32);
    /// assert_eq!(player.choose(&[game.start()])?[0].shares.len(), 3);
    /// # Ok::<(), anser_learn::LearnError>(())
    /// ```
    pub fn player<'a>(
        &self,
        game: &'a Hunt,
        encoding: &'a dyn Encoding,
        network: &'a Network,
        simulations: u32,
    ) -> Searcher<'a, NetworkEvaluator<'a>> {
        let evaluator = NetworkEvaluator::new(game, encoding, network, self.symmetric);
        Searcher::new(game, evaluator, Some(Search { simulations, ..self.search }))
    }
}

/// Games that one thread plays side by side. Games are divided among threads in such groups, so the
/// number of threads does not change the games.
const GROUP: usize = 64;

/// Results of games.
#[derive(Default)]
pub(crate) struct Played {
    /// A sample per ply, in the order of games and plies.
    pub(crate) samples: Vec<Sample>,
    /// The outcome of each game. One that reached the greatest number of plies is endless: a draw,
    /// if that is won for neither side.
    pub(crate) outcomes: Vec<Outcome>,
    /// Positions that the network evaluated.
    pub(crate) evaluated: u64,
}

/// A game that is played.
struct Match<'a> {
    /// The networks of the first and the second side.
    players: [&'a Network; 2],
    position: Position,
    random: Random,
    ply: u32,
    /// Positions with their searches.
    history: Vec<(Position, Searched)>,
    /// The subtree of the previous search.
    tree: Option<Tree>,
    /// The outcome, once the game is over or has the greatest number of plies.
    outcome: Option<Outcome>,
}

/// Games to play: where they start, and the seed of each.
pub(crate) struct Games<'a> {
    pub(crate) game: &'a Hunt,
    pub(crate) encoding: &'a dyn Encoding,
    pub(crate) play: Play,
    pub(crate) starts: Vec<(Position, u64)>,
    /// The networks that play the first and the second side, by game.
    pub(crate) players: &'a (dyn Fn(usize) -> [&'a Network; 2] + Sync),
    /// Whether the games are for training: noise at the root, and samples.
    pub(crate) learning: bool,
}

impl Games<'_> {
    /// Plays all games.
    pub(crate) fn play(
        &self,
        workers: &Workers,
        observer: &dyn Observer,
    ) -> Result<Played, LearnError> {
        let numbers: Vec<usize> = (0..self.starts.len()).collect();
        let groups: Vec<&[usize]> = numbers.chunks(GROUP).collect();
        let mut all = Played::default();
        for played in workers.map(&groups, |group| self.group(group, observer)) {
            let played = played?;
            all.samples.extend(played.samples);
            all.outcomes.extend(played.outcomes);
            all.evaluated += played.evaluated;
        }
        Ok(all)
    }

    fn group(&self, numbers: &[usize], observer: &dyn Observer) -> Result<Played, LearnError> {
        let Games { game, encoding, play, .. } = *self;
        let mut matches: Vec<Match<'_>> = numbers.iter().map(|&it| self.begin(it)).collect();
        // One evaluator per network, to share its cache.
        let mut networks: Vec<&Network> = Vec::new();
        for player in matches.iter().flat_map(|it| it.players) {
            if !networks.iter().any(|&network| std::ptr::eq(network, player)) {
                networks.push(player);
            }
        }
        let mut evaluators: Vec<_> = networks
            .iter()
            .map(|network| NetworkEvaluator::new(game, encoding, network, play.symmetric))
            .collect();
        loop {
            if observer.interrupted() {
                return Err(LearnError::Interrupted);
            }
            let mut left = 0;
            for (&network, evaluator) in networks.iter().zip(&mut evaluators) {
                let of_network = matches.iter_mut().filter(|it| {
                    let player = it.players[it.position.to_move().index()];
                    it.outcome.is_none() && std::ptr::eq(network, player)
                });
                let mut of_network: Vec<_> = of_network.collect();
                if !of_network.is_empty() {
                    left += of_network.len();
                    self.play_moves(&mut of_network, evaluator)?;
                }
            }
            if left == 0 {
                break;
            }
        }
        let evaluated = evaluators.iter().map(|evaluator| evaluator.evaluated).sum();
        Ok(self.played(matches, evaluated))
    }

    fn begin(&self, number: usize) -> Match<'_> {
        let (start, seed) = self.starts[number];
        Match {
            players: (self.players)(number),
            position: start,
            random: Random::new(seed),
            ply: 0,
            history: Vec::new(),
            tree: None,
            outcome: self.game.terminal(&start),
        }
    }

    /// Plays a move in each of these games, in which the network of `evaluator` is to move.
    fn play_moves(
        &self,
        matches: &mut [&mut Match<'_>],
        evaluator: &mut NetworkEvaluator<'_>,
    ) -> Result<(), LearnError> {
        let Games { game, play, learning, .. } = *self;
        let tree_of = |it: &mut Match<'_>| {
            it.tree.take().unwrap_or_else(|| Tree::new(play.search, it.position))
        };
        let mut trees: Vec<Tree> = matches.iter_mut().map(|it| tree_of(it)).collect();
        let mut randoms: Vec<Random> = matches.iter().map(|it| it.random.clone()).collect();
        let noise = learning.then_some(&mut randoms[..]);
        run_all(game, &mut trees, evaluator, noise)?;
        for ((it, tree), random) in matches.iter_mut().zip(trees).zip(randoms) {
            it.random = random;
            it.play(game, &play, tree, learning);
        }
        Ok(())
    }

    /// Returns the results and samples of games that have ended.
    fn played(&self, matches: Vec<Match<'_>>, evaluated: u64) -> Played {
        let Games { game, encoding, play, .. } = *self;
        let mut played = Played { evaluated, ..Played::default() };
        for it in matches {
            let outcome = settled(game, it.outcome.unwrap_or(Outcome::Draw));
            played.outcomes.push(outcome);
            for (position, searched) in it.history {
                let result = value_for(outcome, position.to_move());
                let value = play.result * result + (1.0 - play.result) * searched.value;
                let view = View::new(game, encoding, &position, play.symmetric);
                played.samples.push(view.sample(&searched.shares, value));
            }
        }
        played
    }
}

impl Match<'_> {
    /// Plays a move after its search.
    fn play(&mut self, game: &Hunt, play: &Play, tree: Tree, learning: bool) {
        let searched = tree.searched();
        let shares: Vec<f64> = searched.shares.iter().map(|&share| f64::from(share)).collect();
        let drawn = (self.ply < play.drawn).then(|| self.random.weighted(&shares)).flatten();
        let choice = drawn.unwrap_or(searched.choice);
        let next = results(game, &self.position)[choice];
        if learning {
            // Only such games are of one network, for which alone the tree is right.
            self.tree = play.reuse.then(|| tree.after(choice, Some(&mut self.random))).flatten();
            self.history.push((self.position, searched));
        }
        self.ply += 1;
        match next {
            Next::End(end) => self.outcome = Some(end.outcome),
            Next::Position(next) => {
                self.position = next;
                let is_left = self.ply >= play.plies;
                self.outcome = game.terminal(&next).or(is_left.then_some(Outcome::Draw));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use anser_core::hunt::hare_hounds;
    use anser_core::{Side, Unobserved};

    use super::*;
    use crate::{HuntEncoding, Settings, Shape};

    #[test]
    fn a_game_that_is_left_is_won_by_the_side_that_wins_endless_play() {
        let mut description = hare_hounds("unlimited").expect("rules");
        for endless in [None, Some(Side::First), Some(Side::Second)] {
            description.endless = endless;
            let game = Hunt::new(description.clone()).expect("rules");
            let encoding = HuntEncoding::new(&game);
            let (inputs, actions) = (encoding.inputs(), encoding.actions());
            let shape = Shape { inputs, hidden: vec![4], actions };
            let network = Network::new(&shape, 1).expect("a network");
            let games = Games {
                game: &game,
                encoding: &encoding,
                // No play ends that early.
                play: Play { plies: 3, result: 1.0, ..Settings::standard(1).play },
                starts: vec![(game.start(), 1), (game.start(), 2)],
                players: &|_| [&network; 2],
                learning: true,
            };
            let played = games.play(&Workers::new(1), &Unobserved).expect("games");
            assert_eq!(played.outcomes, [Outcome::from(endless); 2]);
            let first = game.start().to_move();
            let movers = [first, first.other(), first];
            let expected = movers.map(|side| value_for(endless.into(), side).to_bits());
            let found: Vec<u32> = played.samples.iter().map(|it| it.value.to_bits()).collect();
            assert_eq!(found, [expected, expected].concat());
        }
    }
}
