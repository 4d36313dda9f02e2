//! Evaluations of positions: a score per legal move, and a value.

use std::cell::OnceCell;
use std::collections::HashMap;

use anser_core::hunt::Position;
use anser_core::{Hunt, Next, Outcome, Side};

use crate::encoding::Encoding;
use crate::error::LearnError;
use crate::network::Network;
use crate::sample::Sample;
use crate::workers::Workers;

/// Evaluation of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// A score per legal move, in generation order. The softmax of the scores is the policy.
    pub scores: Vec<f32>,
    /// The value for the side to move, of -1 to 1.
    pub value: f32,
}

/// Source of evaluations: a network, or in tests exact values.
pub trait Evaluator {
    /// Evaluates positions in which the game is not over.
    ///
    /// # Errors
    /// Errors of the source.
    fn evaluate(&mut self, positions: &[Position]) -> Result<Vec<Evaluation>, LearnError>;
}

/// Returns the value of an outcome for `side`: 1, 0, or -1.
pub(crate) fn value_for(outcome: Outcome, side: Side) -> f32 {
    outcome.score(side) as f32
}

/// Returns the outcome, or the win that it is if endless play is won for a side.
pub(crate) fn settled(game: &Hunt, outcome: Outcome) -> Outcome {
    game.winner(outcome).into()
}

/// Returns the softmax of scores.
pub(crate) fn softmax(scores: &[f32]) -> Vec<f32> {
    let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<f32> = scores.iter().map(|score| (score - highest).exp()).collect();
    let all: f32 = powers.iter().sum();
    powers.iter().map(|power| power / all).collect()
}

/// A position as network input.
pub(crate) struct View {
    pub(crate) inputs: Vec<f32>,
    /// The action of each legal move, in generation order.
    pub(crate) actions: Vec<u16>,
}

impl View {
    /// Encodes a position, or if `symmetric` the least of its images, so that symmetric positions
    /// have the same evaluation.
    pub(crate) fn new(
        game: &Hunt,
        encoding: &dyn Encoding,
        position: &Position,
        symmetric: bool,
    ) -> View {
        let symmetry = if symmetric {
            let images = (0..game.symmetries()).map(|symmetry| game.image(position, symmetry));
            let least = images.enumerate().min_by_key(|&(_, image)| image);
            least.map_or(0, |(symmetry, _)| symmetry)
        } else {
            0
        };
        let image = game.image(position, symmetry);
        let mut inputs = vec![0.0; encoding.inputs()];
        encoding.encode(&image, &mut inputs);
        let moves = game.moves(&image).into_iter();
        let mut actions: Vec<u16> = moves.map(|(mv, _)| encoding.action(&image, &mv)).collect();
        if symmetry != 0 {
            // Moves with the same result are interchangeable, but keep different actions.
            let mut images: Vec<_> = results(game, &image).into_iter().map(Some).collect();
            actions = results(game, position)
                .into_iter()
                .map(|next| {
                    let next = next.map(|next| game.image(&next, symmetry));
                    let number = images.iter().position(|&image| image == Some(next));
                    let number = number.expect("an image has the images of the moves");
                    images[number] = None;
                    actions[number]
                })
                .collect();
        }
        View { inputs, actions }
    }

    /// A sample for training with a share per legal move.
    pub(crate) fn sample(self, shares: &[f32], value: f32) -> Sample {
        Sample {
            inputs: self.inputs,
            policy: self.actions.into_iter().zip(shares.iter().copied()).collect(),
            value,
        }
    }
}

/// Returns the results of the legal moves, in generation order.
pub(crate) fn results(game: &Hunt, position: &Position) -> Vec<Next> {
    game.moves(position).into_iter().map(|(_, next)| next).collect()
}

/// Evaluator with a cache, valid until its network is trained further.
pub struct NetworkEvaluator<'a> {
    game: &'a Hunt,
    encoding: &'a dyn Encoding,
    network: &'a Network,
    symmetric: bool,
    kept: HashMap<u128, Evaluation>,
    /// Positions that the network evaluated.
    pub(crate) evaluated: u64,
    /// Thread that computes tensors if the current one would share them with others.
    alone: OnceCell<Workers>,
}

/// Capacity of the cache; an evaluation takes a few hundred bytes.
const KEPT: usize = 1 << 18;

impl<'a> NetworkEvaluator<'a> {
    /// Evaluates with a network. If `symmetric`, symmetric positions get the same evaluation.
    pub fn new(
        game: &'a Hunt,
        encoding: &'a dyn Encoding,
        network: &'a Network,
        symmetric: bool,
    ) -> NetworkEvaluator<'a> {
        NetworkEvaluator {
            game,
            encoding,
            network,
            symmetric,
            kept: HashMap::new(),
            evaluated: 0,
            alone: OnceCell::new(),
        }
    }
}

impl Evaluator for NetworkEvaluator<'_> {
    fn evaluate(&mut self, positions: &[Position]) -> Result<Vec<Evaluation>, LearnError> {
        let codes: Vec<u128> =
            positions.iter().map(|position| self.game.encode(position)).collect();
        if self.kept.len() + positions.len() > KEPT {
            self.kept.clear();
        }
        let (mut inputs, mut views) = (Vec::new(), Vec::new());
        for (position, &code) in positions.iter().zip(&codes) {
            let is_new = !self.kept.contains_key(&code)
                && !views.iter().any(|&(other, _): &(u128, _)| other == code);
            if is_new {
                let view = View::new(self.game, self.encoding, position, self.symmetric);
                inputs.extend_from_slice(&view.inputs);
                views.push((code, view.actions));
            }
        }
        if !views.is_empty() {
            self.evaluated += views.len() as u64;
            let network = self.network;
            let (scores, values) = if rayon::current_num_threads() == 1 {
                network.evaluate(inputs)?
            } else {
                let alone = self.alone.get_or_init(|| Workers::new(1));
                alone.alone(|| network.evaluate(inputs))?
            };
            let scores = scores.chunks(self.network.shape().actions);
            for (((code, actions), scores), value) in views.into_iter().zip(scores).zip(values) {
                let score = |&action: &u16| {
                    // Moves with the same action share its weight.
                    let sharing = actions.iter().filter(|&&other| other == action).count();
                    scores[usize::from(action)] - (sharing as f32).ln()
                };
                let scores = actions.iter().map(score).collect();
                self.kept.insert(code, Evaluation { scores, value });
            }
        }
        Ok(codes.iter().map(|code| self.kept[code].clone()).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use anser_core::Hunt;
    use anser_core::hunt::Move;

    use super::*;
    use crate::{HuntEncoding, Shape};

    /// Shows nothing, and numbers moves in generation order.
    struct Numbered(Hunt);

    impl Encoding for Numbered {
        fn name(&self) -> &'static str {
            "numbered"
        }

        fn inputs(&self) -> usize {
            1
        }

        fn actions(&self) -> usize {
            1 << 16
        }

        fn encode(&self, _: &Position, _: &mut [f32]) {}

        fn action(&self, position: &Position, mv: &Move) -> u16 {
            let number = self.0.moves(position).iter().position(|(other, _)| other == mv);
            number.expect("a legal move") as u16
        }
    }

    #[test]
    fn views_keep_moves_with_the_same_result_apart() {
        let (mut ends, mut chains) = (0, 0);
        // Captures that end the game at once, and chains with several ways to one position.
        for (rules, text) in [
            ("first-capture", "3/3/2g1g2/3F3/2g1g2/3/3 f"),
            ("first-capture", "3/3/3g3/2gFg2/7/3/1g1 f"),
            ("free+chain", "ggg/3/3g3/2g1g2/2Fg3/3/1g1 f"),
        ] {
            let game = Hunt::fox_geese(rules).unwrap();
            let position = game.parse_position(text).unwrap();
            for symmetry in 0..game.symmetries() {
                let position = game.image(&position, symmetry);
                let view = View::new(&game, &Numbered(game.clone()), &position, true);
                let unlike: HashSet<u16> = view.actions.iter().copied().collect();
                assert_eq!(unlike.len(), game.moves(&position).len(), "{text}");
                let (ours, least) = (results(&game, &position), least_image(&game, &position));
                let theirs = results(&game, &least);
                let is_image = |(next, &action): (&Next, &u16)| {
                    (0..game.symmetries()).any(|it| {
                        let image = next.map(|next| game.image(&next, it));
                        game.image(&position, it) == least && image == theirs[usize::from(action)]
                    })
                };
                assert!(ours.iter().zip(&view.actions).all(is_image), "{text}");
                let is_first = |(number, next): &(usize, _)| !ours[..*number].contains(next);
                let unlike = ours.iter().copied().enumerate().filter(is_first).count();
                chains += usize::from(unlike < ours.len());
                let ended = ours.iter().any(|next| matches!(next, Next::End(_)));
                ends += usize::from(ended && position != least);
            }
        }
        assert!(ends > 0 && chains > 0, "{ends} {chains}");
    }

    #[test]
    fn moves_with_the_same_action_share_its_weight() {
        // Chains of captures between the same points.
        let game = Hunt::fox_geese("free+chain").unwrap();
        let position = game.parse_position("ggg/3/3g3/2g1g2/2Fg3/3/1g1 f").unwrap();
        let encoding = HuntEncoding::new(&game);
        let View { inputs, actions } = View::new(&game, &encoding, &position, false);
        let shape = Shape { inputs: inputs.len(), hidden: vec![4], actions: encoding.actions() };
        let network = Network::new(&shape, 1).unwrap();
        let mut evaluator = NetworkEvaluator::new(&game, &encoding, &network, false);
        let found = evaluator.evaluate(&[position]).unwrap();
        let (scores, _) = network.evaluate(inputs).unwrap();
        let unlike: HashSet<u16> = actions.iter().copied().collect();
        assert!(unlike.len() < actions.len());
        for action in unlike {
            let its = actions.iter().zip(&found[0].scores).filter(|(other, _)| **other == action);
            let weight: f32 = its.map(|(_, score)| score.exp()).sum();
            assert!((weight.ln() - scores[usize::from(action)]).abs() < 1e-5, "{action}");
        }
    }

    fn least_image(game: &Hunt, position: &Position) -> Position {
        (0..game.symmetries()).map(|it| game.image(position, it)).min().expect("the identity")
    }
}
