//! Training of a network on samples.

use candle_core::{D, Device, Tensor, Var};
use candle_nn::ops::log_softmax;

use crate::LearnError;
use crate::network::{Network, check_finite, numbers};
use crate::sample::Sample;
use crate::workers::Workers;

/// Score of an action that is not legal: far below any other, and finite.
const ILLEGAL: f32 = -1e9;

/// Returns the loss of a batch: cross-entropy of the policy and squared error of the value, sums
/// divided by `count`. If `masked`, the policy is over legal actions only; otherwise over all
/// actions.
pub(crate) fn loss(
    network: &Network,
    samples: &[&Sample],
    masked: bool,
    count: usize,
) -> Result<Tensor, LearnError> {
    let (batch, actions) = (samples.len(), network.shape().actions);
    let mut inputs = Vec::with_capacity(batch * network.shape().inputs);
    let mut policy = vec![0.0_f32; batch * actions];
    let mut mask = vec![if masked { ILLEGAL } else { 0.0 }; batch * actions];
    let mut values = Vec::with_capacity(batch);
    for (number, sample) in samples.iter().enumerate() {
        inputs.extend_from_slice(&sample.inputs);
        values.push(sample.value);
        for &(action, share) in &sample.policy {
            let at = number * actions + usize::from(action);
            // Moves with the same action share it.
            policy[at] += share;
            mask[at] = 0.0;
        }
    }
    let device = &Device::Cpu;
    let inputs = Tensor::from_vec(inputs, (batch, network.shape().inputs), device)?;
    let policy = Tensor::from_vec(policy, (batch, actions), device)?;
    let mask = Tensor::from_vec(mask, (batch, actions), device)?;
    let values = Tensor::from_vec(values, batch, device)?;
    let outputs = network.forward(&inputs)?;
    let logarithms = log_softmax(&(outputs.scores + mask)?, D::Minus1)?;
    let cross_entropy = (policy * logarithms)?.sum_all()?;
    let squared_error = (outputs.values - values)?.sqr()?.sum_all()?;
    Ok(((squared_error - cross_entropy)? / count as f64)?)
}

/// Samples per piece of a batch. It does not depend on the number of threads, because sums of
/// rounded numbers depend on their order.
const PIECE: usize = 128;

/// The loss of a batch, and its gradient by parameter.
pub(crate) struct Gradient {
    pub(crate) loss: f32,
    parts: Vec<Tensor>,
}

impl Gradient {
    /// Computes the gradient of the mean loss over `samples`.
    ///
    /// # Errors
    /// [`LearnError::NotFinite`], and errors of the tensor library.
    pub(crate) fn new(
        network: &Network,
        samples: &[&Sample],
        masked: bool,
        workers: &Workers,
    ) -> Result<Gradient, LearnError> {
        let pieces: Vec<&[&Sample]> = samples.chunks(PIECE).collect();
        let computed = workers.map(&pieces, |piece| -> Result<Gradient, LearnError> {
            let loss = loss(network, piece, masked, samples.len())?;
            let gradients = loss.backward()?;
            let part = |(_, var): (String, &Var)| match gradients.get(var) {
                Some(part) => Ok(part.clone()),
                None => var.as_tensor().zeros_like(),
            };
            let parts = network.parameters().map(part).collect::<Result<_, _>>()?;
            Ok(Gradient { loss: loss.to_scalar()?, parts })
        });
        let mut all: Option<Gradient> = None;
        for piece in computed {
            let piece = piece?;
            all = Some(match all {
                None => piece,
                Some(all) => {
                    let sums = all.parts.iter().zip(&piece.parts).map(|(a, b)| a + b);
                    let parts = sums.collect::<Result<_, _>>()?;
                    Gradient { loss: all.loss + piece.loss, parts }
                }
            });
        }
        let all = all.unwrap_or(Gradient { loss: 0.0, parts: Vec::new() });
        check_finite(&[all.loss])?;
        Ok(all)
    }
}

/// Adam (Kingma and Ba 2015), with a state that checkpoints store.
pub(crate) struct Adam {
    vars: Vec<Var>,
    /// First and second moments of each parameter.
    pub(crate) moments: Vec<[Tensor; 2]>,
    pub(crate) steps: u32,
}

const BETA: [f64; 2] = [0.9, 0.999];
const EPSILON: f64 = 1e-8;

impl Adam {
    pub(crate) fn new(network: &Network) -> Result<Adam, LearnError> {
        let vars: Vec<Var> = network.parameters().map(|(_, var)| var.clone()).collect();
        let zeros = |var: &Var| -> Result<_, LearnError> {
            Ok([var.as_tensor().zeros_like()?, var.as_tensor().zeros_like()?])
        };
        let moments = vars.iter().map(zeros).collect::<Result<_, _>>()?;
        Ok(Adam { vars, moments, steps: 0 })
    }

    /// Returns the same state for the parameters of a copy of the network.
    pub(crate) fn on(&self, copy: &Network) -> Adam {
        let vars = copy.parameters().map(|(_, var)| var.clone()).collect();
        Adam { vars, moments: self.moments.clone(), steps: self.steps }
    }

    /// Changes the parameters by one step down the gradient.
    ///
    /// # Errors
    /// [`LearnError::NotFinite`], after which the network cannot be used.
    pub(crate) fn step(&mut self, gradient: &Gradient, rate: f64) -> Result<(), LearnError> {
        self.steps += 1;
        let scale = BETA.map(|beta| 1.0 / (1.0 - beta.powi(self.steps as i32)));
        let state = self.vars.iter().zip(&mut self.moments);
        for ((var, [first, second]), part) in state.zip(&gradient.parts) {
            *first = ((&*first * BETA[0])? + (part * (1.0 - BETA[0]))?)?.detach();
            *second = ((&*second * BETA[1])? + (part.sqr()? * (1.0 - BETA[1]))?)?.detach();
            let root = (&*second * scale[1])?.sqrt()?;
            let change = ((&*first * (scale[0] * rate))? / (root + EPSILON)?)?;
            let changed = (var.as_tensor() - change)?;
            check_finite(&numbers(&changed)?)?;
            var.set(&changed)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Shape;

    #[test]
    fn gradients_are_those_of_finite_differences() {
        let shape = Shape { inputs: 3, hidden: vec![4, 4], actions: 3 };
        let network = Network::new(&shape, 11).unwrap();
        let sample = |inputs: [f32; 3], policy: &[(u16, f32)], value| Sample {
            inputs: inputs.to_vec(),
            policy: policy.to_vec(),
            value,
        };
        let samples = [
            sample([1.0, 0.0, 0.5], &[(0, 0.75), (2, 0.25)], 1.0),
            sample([0.0, 1.0, -0.5], &[(1, 0.5), (2, 0.5)], -0.5),
        ];
        let samples: Vec<&Sample> = samples.iter().collect();
        let workers = Workers::new(1);
        for masked in [false, true] {
            let loss_now =
                || loss(&network, &samples, masked, 2).unwrap().to_scalar::<f32>().unwrap();
            let gradient = Gradient::new(&network, &samples, masked, &workers).unwrap();
            assert!((gradient.loss - loss_now()).abs() < 1e-6);
            let mut compared = 0;
            for ((_, var), part) in network.parameters().zip(&gradient.parts) {
                let (before, part) = (numbers(var).unwrap(), numbers(part).unwrap());
                let set = |values: Vec<f32>| {
                    var.set(&Tensor::from_vec(values, var.shape(), &Device::Cpu).unwrap()).unwrap();
                };
                for (number, &slope) in part.iter().enumerate() {
                    let [up, down] = [1e-3_f32, -1e-3].map(|change| {
                        let mut changed = before.clone();
                        changed[number] += change;
                        set(changed);
                        loss_now()
                    });
                    let expected = (up - down) / 2e-3;
                    assert!((expected - slope).abs() < 5e-3, "{number}: {expected}, {slope}");
                    compared += usize::from(slope.abs() > 5e-2);
                }
                set(before);
            }
            assert!(compared > 5, "{compared}");
        }
    }

    #[test]
    fn moves_with_the_same_action_share_it() {
        let shape = Shape { inputs: 2, hidden: vec![3], actions: 2 };
        let network = Network::new(&shape, 4).unwrap();
        let of = |policy: &[(u16, f32)]| {
            let sample = Sample { inputs: vec![1.0, -1.0], policy: policy.to_vec(), value: 0.5 };
            loss(&network, &[&sample], true, 1).unwrap().to_scalar::<f32>().unwrap()
        };
        let shared = of(&[(0, 0.25), (1, 0.25), (0, 0.5)]);
        assert!((shared - of(&[(0, 0.75), (1, 0.25)])).abs() < 1e-6, "{shared}");
    }

    #[test]
    fn adam_is_that_of_the_library() {
        use candle_nn::{AdamW, Optimizer, ParamsAdamW};
        let shape = Shape { inputs: 2, hidden: vec![3], actions: 2 };
        let [ours, theirs] = [(); 2].map(|()| Network::new(&shape, 4).unwrap());
        let sample = Sample { inputs: vec![1.0, -1.0], policy: vec![(0, 1.0)], value: 0.5 };
        let params = ParamsAdamW { lr: 1e-2, weight_decay: 0.0, ..ParamsAdamW::default() };
        let vars = theirs.parameters().map(|(_, var)| var.clone()).collect();
        let (mut adam, mut library) =
            (Adam::new(&ours).unwrap(), AdamW::new(vars, params).unwrap());
        let workers = Workers::new(1);
        for _ in 0..5 {
            adam.step(&Gradient::new(&ours, &[&sample], true, &workers).unwrap(), 1e-2).unwrap();
            library.backward_step(&loss(&theirs, &[&sample], true, 1).unwrap()).unwrap();
        }
        for ((_, ours), (_, theirs)) in ours.parameters().zip(theirs.parameters()) {
            for (ours, theirs) in numbers(ours).unwrap().iter().zip(numbers(theirs).unwrap()) {
                assert!((ours - theirs).abs() < 1e-5);
            }
        }
    }
}
