//! Checkpoints of trainings. A checkpoint is a model with the state of the optimizer and the
//! samples.

use std::fs;
use std::path::Path;

use anser_core::Hunt;
use safetensors::tensor::SafeTensors;

use super::{
    PLAYS, Stored, corrupt, file_error, floats, network, network_tensors, parse, words, write,
};
use crate::LearnError;
use crate::encoding::Encoding;
use crate::learner::{Learner, Starts};
use crate::network::{Network, Shape, numbers};
use crate::sample::Sample;
use crate::settings::Settings;
use crate::train::Adam;

/// Prefix of the parameter names of the trained network if it is not the one that plays.
const TRAINED: &str = "trained";

/// Names of the moments of a parameter.
const MOMENTS: [&str; 2] = ["first", "second"];

impl<'a> Learner<'a> {
    /// Writes a checkpoint, atomically. [`Learner::resume`] continues from it to the same model.
    ///
    /// # Errors
    /// As [`Learner::write_model`].
    pub fn write_checkpoint(&self, path: &Path) -> Result<(), LearnError> {
        let mut tensors = network_tensors(&self.network, PLAYS)?;
        if let Some(trained) = &self.trained {
            tensors.extend(network_tensors(trained, TRAINED)?);
        }
        for (number, moments) in self.adam.moments.iter().enumerate() {
            for (name, moment) in MOMENTS.iter().zip(moments) {
                tensors.push(Stored::floats(format!("adam.{number}.{name}"), &numbers(moment)?));
            }
        }
        tensors.push(Stored::words("adam.steps".into(), &[self.adam.steps]));
        let mut inputs = Vec::new();
        let (mut lengths, mut actions, mut shares, mut values) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for sample in &self.samples {
            inputs.extend_from_slice(&sample.inputs);
            lengths.push(sample.policy.len() as u32);
            actions.extend(sample.policy.iter().map(|&(action, _)| u32::from(action)));
            shares.extend(sample.policy.iter().map(|&(_, share)| share));
            values.push(sample.value);
        }
        tensors.extend([
            Stored::floats("samples.inputs".into(), &inputs),
            Stored::words("samples.moves".into(), &lengths),
            Stored::words("samples.actions".into(), &actions),
            Stored::floats("samples.shares".into(), &shares),
            Stored::floats("samples.values".into(), &values),
        ]);
        write(&self.description(), tensors, path)
    }

    /// Resumes the training of a checkpoint. `starts` is that of [`Learner::new`].
    ///
    /// # Errors
    /// [`LearnError::File`]; [`LearnError::Corrupt`]; [`LearnError::Mismatch`] if the checkpoint is
    /// of another game, encoding, seed, usual start, or other settings.
    pub fn resume(
        game: &'a Hunt,
        encoding: &'a dyn Encoding,
        settings: Settings,
        seed: u64,
        starts: Starts<'a>,
        path: &Path,
    ) -> Result<Learner<'a>, LearnError> {
        let bytes = fs::read(path).map_err(|source| file_error(path, source))?;
        let (description, tensors) = parse(&bytes, path)?;
        description.check(game, encoding)?;
        let mut learner = Learner::new(game, encoding, settings, seed, starts)?;
        learner.check_training(&description)?;
        learner.network = network(&description.shape, &tensors, PLAYS, path)?;
        if learner.settings.average > 0.0 && !description.history.is_empty() {
            learner.trained = Some(network(&description.shape, &tensors, TRAINED, path)?);
        }
        learner.adam = adam(&learner.network, &tensors, path)?;
        learner.samples = samples(&description.shape, &tensors, path)?;
        learner.history = description.history;
        Ok(learner)
    }
}

fn adam(network: &Network, tensors: &SafeTensors<'_>, path: &Path) -> Result<Adam, LearnError> {
    let mut adam = Adam::new(network)?;
    for (number, moments) in adam.moments.iter_mut().enumerate() {
        for (name, moment) in MOMENTS.iter().zip(moments) {
            let count = moment.elem_count();
            let stored = floats(tensors, &format!("adam.{number}.{name}"), Some(count), path)?;
            *moment = candle_core::Tensor::from_vec(stored, moment.shape(), moment.device())?;
        }
    }
    adam.steps = *words(tensors, "adam.steps", path)?
        .first()
        .ok_or_else(|| corrupt(path, "the optimizer has no number of steps".into()))?;
    Ok(adam)
}

fn samples(
    shape: &Shape,
    tensors: &SafeTensors<'_>,
    path: &Path,
) -> Result<Vec<Sample>, LearnError> {
    let inputs = floats(tensors, "samples.inputs", None, path)?;
    let moves = words(tensors, "samples.moves", path)?;
    let actions = words(tensors, "samples.actions", path)?;
    let shares = floats(tensors, "samples.shares", Some(actions.len()), path)?;
    let values = floats(tensors, "samples.values", Some(moves.len()), path)?;
    let all: u64 = moves.iter().copied().map(u64::from).sum();
    let sound = inputs.len() == moves.len() * shape.inputs
        && all == actions.len() as u64
        && actions.iter().all(|&action| (action as usize) < shape.actions);
    if !sound {
        return Err(corrupt(path, "its samples do not fit together".into()));
    }
    let mut policies = actions.iter().map(|&action| action as u16).zip(shares);
    let samples = inputs.chunks(shape.inputs).zip(moves).zip(values);
    Ok(samples
        .map(|((inputs, moves), value)| Sample {
            inputs: inputs.to_vec(),
            policy: policies.by_ref().take(moves as usize).collect(),
            value,
        })
        .collect())
}
