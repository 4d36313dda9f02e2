//! The files of a training: the model, the log of the iterations, and the checkpoint.

use std::fs;
use std::path::{Path, PathBuf};

use anser_games::answers::IterationAnswer;
use anser_learn::{Iteration, Learner, Preset};

use super::{Subject, iteration_answer};
use crate::failure::Failure;

/// The files of a training.
pub(super) struct Files {
    pub(super) model: PathBuf,
    pub(super) checkpoint: PathBuf,
    log: PathBuf,
}

impl Files {
    pub(super) fn new(
        dir: &Path,
        Subject { game, layers, .. }: &Subject<'_>,
        preset: Preset,
        seed: u64,
    ) -> Result<Files, Failure> {
        fs::create_dir_all(dir).map_err(|error| {
            Failure::of_file(format!("making {} failed: {error}", dir.display()), &error)
        })?;
        let name = game.name().replace(':', "-");
        let layers = layers.as_ref().map_or_else(String::new, |layers| {
            format!(".layers-{}-{}", layers.start(), layers.end())
        });
        let name = format!("{name}.{}{layers}.{}.seed-{seed}", game.rules_id(), preset.id());
        let file = |end: &str| dir.join(format!("{name}.{end}"));
        Ok(Files {
            model: file("safetensors"),
            checkpoint: file("checkpoint"),
            log: file("log.jsonl"),
        })
    }

    /// Writes the state of a training. The checkpoint is last, so that a training repeats the
    /// iterations that only the log and the model have.
    pub(super) fn save(
        &self,
        learner: &Learner<'_>,
        log: &[IterationAnswer],
    ) -> Result<(), Failure> {
        let failed = |error| {
            Failure::of_file(format!("writing {} failed: {error}", self.log.display()), &error)
        };
        let mut text = String::new();
        for entry in log {
            text += &serde_json::to_string(entry).map_err(|error| failed(error.into()))?;
            text.push('\n');
        }
        // The checkpoint and the model have the entries that a truncated log lacks, without grades
        // and times.
        fs::write(&self.log, text).map_err(failed)?;
        learner.write_checkpoint(&self.checkpoint)?;
        Ok(learner.write_model(&self.model)?)
    }

    /// Removes the checkpoint of a training that is done.
    pub(super) fn finish(&self) -> Result<(), Failure> {
        fs::remove_file(&self.checkpoint).map_err(|error| {
            let message = format!("removing {} failed: {error}", self.checkpoint.display());
            Failure::of_file(message, &error)
        })
    }

    /// Reads the log; missing entries are taken from `history`.
    pub(super) fn log(&self, history: &[Iteration]) -> Result<Vec<IterationAnswer>, Failure> {
        let text = match fs::read_to_string(&self.log) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => {
                return Err(Failure::of_file(format!("{}: {error}", self.log.display()), &error));
            }
        };
        let mut lines = text.lines().map(|line| serde_json::from_str::<IterationAnswer>(line).ok());
        let mut log: Vec<IterationAnswer> = Vec::new();
        for (number, iteration) in (1..).zip(history) {
            let before = log.last().map_or(0.0, |last| last.seconds);
            let logged = lines.next().flatten().filter(|logged| logged.iteration == number);
            let (seconds, graded) =
                logged.map_or((before, None), |logged| (logged.seconds, logged.graded));
            log.push(IterationAnswer { seconds, graded, ..iteration_answer(number, iteration) });
        }
        Ok(log)
    }
}
