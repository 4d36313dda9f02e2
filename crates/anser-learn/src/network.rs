//! The network: fully connected layers, a policy head, and a value head.

use anser_analyse::Random;
use candle_core::{Device, Tensor, Var};

use crate::LearnError;

/// The sizes of a network.
///
/// ```
/// use anser_learn::Shape;
/// let document = Shape { inputs: 21, hidden: vec![128; 4], actions: 28 };
/// assert_eq!(document.parameters(), 56_093);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Shape {
    /// The number of inputs.
    pub inputs: usize,
    /// The units of each hidden layer.
    pub hidden: Vec<usize>,
    /// The number of actions.
    pub actions: usize,
}

impl Shape {
    /// Inputs and outputs of every layer: the hidden ones, the policy head, the value head.
    fn layers(&self) -> Vec<(usize, usize)> {
        let (mut layers, mut inputs) = (Vec::new(), self.inputs);
        for &units in &self.hidden {
            layers.push((inputs, units));
            inputs = units;
        }
        layers.extend([(inputs, self.actions), (inputs, 1)]);
        layers
    }

    /// Returns the number of parameters: weights and biases.
    pub fn parameters(&self) -> usize {
        self.layers().iter().map(|(inputs, outputs)| (inputs + 1) * outputs).sum()
    }
}

/// A layer: weights of inputs x outputs, and biases.
type Layer = [Var; 2];

/// A network of 32-bit numbers: linear layers with `ReLU`, a linear policy head, and a value head
/// with tanh.
///
/// The same network computes the same bits for the same batch on the same machine.
pub struct Network {
    shape: Shape,
    layers: Vec<Layer>,
}

/// Outputs of a network for a batch.
pub(crate) struct Outputs {
    /// Scores of the actions, batch x actions; any numbers.
    pub(crate) scores: Tensor,
    /// Values for the sides to move, of -1 to 1, one per position.
    pub(crate) values: Tensor,
}

impl Network {
    /// Creates a network with random parameters: those of a layer are uniform within one over the
    /// square root of its inputs.
    ///
    /// # Errors
    /// Errors of the tensor library.
    pub fn new(shape: &Shape, seed: u64) -> Result<Network, LearnError> {
        let mut random = Random::new(seed);
        Network::with(shape, |_, inputs, count| {
            let bound = 1.0 / (inputs as f64).sqrt();
            Ok((0..count).map(|_| ((random.unit() * 2.0 - 1.0) * bound) as f32).collect())
        })
    }

    /// Creates a network; `parameters` returns those of a tensor by its name, the inputs of its
    /// layer, and its length.
    pub(crate) fn with(
        shape: &Shape,
        mut parameters: impl FnMut(&str, usize, usize) -> Result<Vec<f32>, LearnError>,
    ) -> Result<Network, LearnError> {
        let mut layers = Vec::new();
        for (number, (inputs, outputs)) in shape.layers().into_iter().enumerate() {
            let [weights, biases] = names(number);
            let weights = parameters(&weights, inputs, inputs * outputs)?;
            let biases = parameters(&biases, inputs, outputs)?;
            layers.push([
                Var::from_vec(weights, (inputs, outputs), &Device::Cpu)?,
                Var::from_vec(biases, outputs, &Device::Cpu)?,
            ]);
        }
        Ok(Network { shape: shape.clone(), layers })
    }

    /// Returns the sizes.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns all parameters by name, in a fixed order.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = (String, &Var)> {
        self.layers
            .iter()
            .enumerate()
            .flat_map(|(number, layer)| names(number).into_iter().zip(layer))
    }

    /// Returns a copy, which is trained apart.
    ///
    /// # Errors
    /// Errors of the tensor library.
    pub fn copy(&self) -> Result<Network, LearnError> {
        let copy = |var: &Var| Var::from_tensor(&var.as_tensor().copy()?);
        let layers =
            self.layers.iter().map(|[weights, biases]| Ok([copy(weights)?, copy(biases)?]));
        Ok(Network {
            shape: self.shape.clone(),
            layers: layers.collect::<Result<_, LearnError>>()?,
        })
    }

    /// Returns a network with this share of the parameters of this one, and the rest of the other
    /// one's.
    pub(crate) fn mixed_with(&self, other: &Network, share: f64) -> Result<Network, LearnError> {
        let mixed = self.copy()?;
        for ((_, var), (_, other)) in mixed.parameters().zip(other.parameters()) {
            var.set(&((var.as_tensor() * share)? + (other.as_tensor() * (1.0 - share))?)?)?;
        }
        Ok(mixed)
    }

    /// Computes a batch of inputs: batch x inputs.
    pub(crate) fn forward(&self, inputs: &Tensor) -> Result<Outputs, LearnError> {
        let [hidden @ .., policy, value] = &self.layers[..] else {
            unreachable!("a network has two heads");
        };
        let linear =
            |x: &Tensor, [weights, biases]: &Layer| x.matmul(weights)?.broadcast_add(biases);
        let mut x = inputs.clone();
        for layer in hidden {
            x = linear(&x, layer)?.relu()?;
        }
        Ok(Outputs { scores: linear(&x, policy)?, values: linear(&x, value)?.tanh()?.squeeze(1)? })
    }

    /// Computes a batch of inputs. Returns the scores of all actions, one position after the other,
    /// and the values for the sides to move.
    ///
    /// # Errors
    /// [`LearnError::NotFinite`], and errors of the tensor library.
    ///
    /// # Panics
    /// If `inputs` is not a whole number of positions.
    pub fn evaluate(&self, inputs: Vec<f32>) -> Result<(Vec<f32>, Vec<f32>), LearnError> {
        assert!(inputs.len().is_multiple_of(self.shape.inputs), "whole positions");
        check_finite(&inputs)?;
        let shape = (inputs.len() / self.shape.inputs, self.shape.inputs);
        let outputs = self.forward(&Tensor::from_vec(inputs, shape, &Device::Cpu)?)?;
        let scores: Vec<f32> = outputs.scores.flatten_all()?.to_vec1()?;
        let values: Vec<f32> = outputs.values.to_vec1()?;
        check_finite(scores.iter().chain(&values))?;
        Ok((scores, values))
    }
}

/// Parameters, inputs, and outputs beyond this are errors. `ReLU` turns a number that is not finite
/// into 0, so sums must not overflow unseen.
const GREATEST: f32 = 1e6;

/// # Errors
/// [`LearnError::NotFinite`].
pub(crate) fn check_finite<'n>(
    numbers: impl IntoIterator<Item = &'n f32>,
) -> Result<(), LearnError> {
    let sound = numbers.into_iter().all(|number| number.abs() <= GREATEST);
    if sound { Ok(()) } else { Err(LearnError::NotFinite) }
}

/// The names of the parameters of a layer.
fn names(layer: usize) -> [String; 2] {
    ["weights", "biases"].map(|kind| format!("{layer}.{kind}"))
}

/// Returns the numbers of a parameter.
pub(crate) fn numbers(var: &Tensor) -> Result<Vec<f32>, LearnError> {
    Ok(var.flatten_all()?.to_vec1()?)
}
