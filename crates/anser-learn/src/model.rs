//! Model files.
//!
//! A model is a `safetensors` file. Its metadata describes game, encoding, sizes, and training in
//! JSON, and has the BLAKE3 digest of the tensors.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anser_core::Hunt;
use safetensors::tensor::{Dtype, SafeTensorError, SafeTensors, TensorView};

use crate::LearnError;
use crate::encoding::Encoding;
use crate::learner::{Iteration, Learner};
use crate::network::{Network, Shape, check_finite, numbers};
use crate::preset::Preset;
use crate::settings::Settings;

mod checkpoint;

/// Version of the format.
const FORMAT: u32 = 1;

/// Description of a model.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Description {
    /// The version of the format.
    pub format: u32,
    /// The name of the game.
    pub game: String,
    /// The id of the rule set.
    pub rules: String,
    /// Fingerprint of the rules.
    pub fingerprint: String,
    /// The name of the encoding.
    pub encoding: String,
    /// The sizes of the network.
    pub shape: Shape,
    /// The settings of the training.
    pub settings: Settings,
    /// The seed of the training.
    pub seed: u64,
    /// The position that its games usually started from; `None` for the start of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Statistics of each iteration of the training.
    pub history: Vec<Iteration>,
}

/// A network with its description.
pub struct Model {
    /// The game, encoding, and training.
    pub description: Description,
    /// The network.
    pub network: Network,
}

/// Name of the one entry of the metadata: the digest in hexadecimal, a space, and the description.
/// The library writes several entries in any order.
const MODEL: &str = "anser.model";

impl Model {
    /// Reads a model, or the model of a checkpoint.
    ///
    /// # Errors
    /// [`LearnError::File`] and [`LearnError::Corrupt`].
    pub fn read(path: &Path) -> Result<Model, LearnError> {
        let bytes = fs::read(path).map_err(|source| file_error(path, source))?;
        Model::from_bytes(&bytes, path)
    }

    /// Reads a model from memory; `path` names it in errors.
    ///
    /// # Errors
    /// [`LearnError::Corrupt`].
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Model, LearnError> {
        let (description, tensors) = parse(bytes, path)?;
        let network = network(&description.shape, &tensors, PLAYS, path)?;
        Ok(Model { description, network })
    }

    /// Returns the encoding of the model for a game, after a [check](Description::check).
    ///
    /// # Errors
    /// [`LearnError::Mismatch`]; [`LearnError::NoEncoding`] if the game has none.
    pub fn encoding(&self, game: &Hunt) -> Result<Box<dyn Encoding>, LearnError> {
        let encoding = match Preset::Document.encoding(game) {
            Ok(encoding) if encoding.name() == self.description.encoding => encoding,
            _ => Preset::Standard.encoding(game)?,
        };
        self.description.check(game, &*encoding)?;
        Ok(encoding)
    }

    /// Returns the model of a game that is part of this crate, if it has one: Hexapawn on 3x3 and
    /// 4x4.
    ///
    /// ```
    /// use anser_games::Registry;
    /// use anser_learn::Model;
    /// let game = Registry::standard().game("hexapawn:3x3", None)?;
    /// let model = Model::shipped(&game).expect("it is part of the crate");
    /// assert_eq!(model.description.shape.parameters(), 10_771);
    /// assert!(model.encoding(&game).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shipped(game: &Hunt) -> Option<Model> {
        let (name, rules) = (game.name(), game.rules_id());
        let (file, bytes) = SHIPPED.iter().find(|(file, _)| **file == model_name(name, rules))?;
        Model::from_bytes(bytes, Path::new(file)).ok()
    }
}

/// Models that are part of this crate, by their names.
const SHIPPED: &[(&str, &[u8])] = &[
    (
        "hexapawn-3x3.standard.model.safetensors",
        include_bytes!("../models/hexapawn-3x3.standard.model.safetensors"),
    ),
    (
        "hexapawn-4x4.standard.model.safetensors",
        include_bytes!("../models/hexapawn-4x4.standard.model.safetensors"),
    ),
];

/// Returns the file name of a model of a game.
fn model_name(game: &str, rules: &str) -> String {
    format!("{}.{rules}.model.safetensors", game.replace(':', "-"))
}

impl Description {
    /// Checks the game and the encoding of the model.
    ///
    /// # Errors
    /// [`LearnError::Mismatch`].
    pub fn check(&self, game: &Hunt, encoding: &dyn Encoding) -> Result<(), LearnError> {
        let shape =
            |inputs: usize, actions: usize| format!("{inputs} inputs and {actions} actions");
        // The descriptions have many lines; their digests tell them apart.
        let brief = |text: &str| blake3::hash(text.as_bytes()).to_hex()[..8].to_owned();
        check_same([
            ("game", self.game.clone(), game.name().into()),
            ("rules", self.rules.clone(), game.rules_id().into()),
            ("description", brief(&self.fingerprint), brief(&game.fingerprint())),
            ("encoding", self.encoding.clone(), encoding.name().into()),
            (
                "sizes",
                shape(self.shape.inputs, self.shape.actions),
                shape(encoding.inputs(), encoding.actions()),
            ),
        ])
    }
}

/// Compares what a file has with what is expected: its name, the former, and the latter.
fn check_same<const N: usize>(
    parts: [(&'static str, String, String); N],
) -> Result<(), LearnError> {
    match parts.into_iter().find(|(_, found, expected)| found != expected) {
        Some((what, found, expected)) => Err(LearnError::Mismatch { what, found, expected }),
        None => Ok(()),
    }
}

impl<'a> Learner<'a> {
    /// Writes the network as a model, atomically.
    ///
    /// # Errors
    /// [`LearnError::File`], and errors of the tensor library.
    pub fn write_model(&self, path: &Path) -> Result<(), LearnError> {
        write(&self.description(), network_tensors(&self.network, PLAYS)?, path)
    }

    /// Checks that a file is of this training.
    fn check_training(&self, description: &Description) -> Result<(), LearnError> {
        let own = self.description();
        let start = |it: &Description| {
            it.start.clone().unwrap_or_else(|| self.game.format_position(&self.game.start()))
        };
        check_same([
            ("seed", description.seed.to_string(), own.seed.to_string()),
            ("start", start(description), start(&own)),
            ("settings", format!("{:?}", description.settings), format!("{:?}", own.settings)),
        ])
    }

    /// Replaces the network by a model that this training wrote. The learner can then be used, but
    /// not trained further.
    ///
    /// # Errors
    /// [`LearnError::Mismatch`] if the model is of another game, encoding, seed, usual start, or
    /// other settings.
    pub fn trained(mut self, model: Model) -> Result<Learner<'a>, LearnError> {
        model.description.check(self.game, self.encoding)?;
        self.check_training(&model.description)?;
        self.network = model.network;
        self.history = model.description.history;
        Ok(self)
    }

    /// Describes the network as it is.
    pub fn description(&self) -> Description {
        Description {
            format: FORMAT,
            game: self.game.name().into(),
            rules: self.game.rules_id().into(),
            fingerprint: self.game.fingerprint(),
            encoding: self.encoding.name().to_owned(),
            shape: self.network.shape().clone(),
            settings: self.settings.clone(),
            seed: self.seed,
            start: (self.starts.usual != self.game.start())
                .then(|| self.game.format_position(&self.starts.usual)),
            history: self.history.clone(),
        }
    }
}

/// Prefix of the parameter names of the network that plays.
const PLAYS: &str = "network";

fn network_tensors(network: &Network, prefix: &str) -> Result<Vec<Stored>, LearnError> {
    let tensor = |(name, var): (String, &candle_core::Var)| {
        Ok(Stored::floats(format!("{prefix}.{name}"), &numbers(var)?))
    };
    network.parameters().map(tensor).collect()
}

/// A tensor of a file.
struct Stored {
    name: String,
    dtype: Dtype,
    bytes: Vec<u8>,
}

impl Stored {
    fn floats(name: String, numbers: &[f32]) -> Stored {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        Stored { name, dtype: Dtype::F32, bytes }
    }

    fn words(name: String, numbers: &[u32]) -> Stored {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        Stored { name, dtype: Dtype::U32, bytes }
    }

    fn view(&self) -> Result<(&str, TensorView<'_>), SafeTensorError> {
        let shape = vec![self.bytes.len() / 4];
        Ok((&self.name, TensorView::new(self.dtype, shape, &self.bytes)?))
    }
}

/// Returns the digest of a description and tensors, which are sorted by their names.
fn digest<'t>(description: &str, tensors: impl Iterator<Item = (&'t str, &'t [u8])>) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    };
    part(description.as_bytes());
    for (name, bytes) in tensors {
        part(name.as_bytes());
        part(bytes);
    }
    hasher.finalize().to_hex().to_string()
}

fn write(
    description: &Description,
    mut tensors: Vec<Stored>,
    path: &Path,
) -> Result<(), LearnError> {
    tensors.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    let description =
        serde_json::to_string(description).map_err(|error| file_error(path, error.into()))?;
    let digest = digest(&description, tensors.iter().map(|it| (&it.name[..], &it.bytes[..])));
    let metadata = HashMap::from([(MODEL.to_owned(), format!("{digest} {description}"))]);
    let views: Result<Vec<_>, _> = tensors.iter().map(Stored::view).collect();
    let bytes = views
        .and_then(|views| safetensors::serialize(views, Some(metadata)))
        .map_err(|error| file_error(path, std::io::Error::other(error)))?;
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let replace = || {
        let mut file = tempfile::NamedTempFile::new_in(dir)?;
        file.write_all(&bytes)?;
        // Temporary files are readable by their owner alone.
        #[cfg(unix)]
        file.as_file().set_permissions(PermissionsExt::from_mode(0o644))?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    replace().map_err(|source| file_error(path, source))
}

/// Reads a file and checks its digest.
fn parse<'b>(bytes: &'b [u8], path: &Path) -> Result<(Description, SafeTensors<'b>), LearnError> {
    let no_model =
        |error: &dyn std::fmt::Display| corrupt(path, format!("it cannot be read ({error})"));
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| no_model(&error))?;
    let tensors = SafeTensors::deserialize(bytes).map_err(|error| no_model(&error))?;
    let entry = metadata.metadata().as_ref().and_then(|entries| entries.get(MODEL));
    let (expected, description) = entry
        .and_then(|entry| entry.split_once(' '))
        .ok_or_else(|| corrupt(path, "it is not a model of anser".into()))?;
    let mut sorted = tensors.tensors();
    sorted.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    if digest(description, sorted.iter().map(|(name, view)| (&name[..], view.data()))) != expected {
        return Err(corrupt(path, "its checksum is not that of its contents".into()));
    }
    let format = serde_json::from_str::<serde_json::Value>(description)
        .ok()
        .and_then(|description| description.get("format")?.as_u64());
    if format != Some(u64::from(FORMAT)) {
        let problem = match format {
            Some(format) => {
                format!("it has format version {format}, and this program reads {FORMAT}")
            }
            None => "it has no format version".into(),
        };
        return Err(corrupt(path, problem));
    }
    let description = serde_json::from_str(description).map_err(|error| no_model(&error))?;
    Ok((description, tensors))
}

fn network(
    shape: &Shape,
    tensors: &SafeTensors<'_>,
    prefix: &str,
    path: &Path,
) -> Result<Network, LearnError> {
    Network::with(shape, |name, _, count| {
        floats(tensors, &format!("{prefix}.{name}"), Some(count), path)
    })
}

/// Returns the bytes of a tensor of this type and, if given, length.
fn bytes<'t>(
    tensors: &'t SafeTensors<'_>,
    name: &str,
    dtype: Dtype,
    count: Option<usize>,
    path: &Path,
) -> Result<&'t [u8], LearnError> {
    let problem = || corrupt(path, format!("tensor {name} is missing or has another size"));
    let view = tensors.tensor(name).map_err(|_| problem())?;
    let sound = view.dtype() == dtype && count.is_none_or(|count| view.data().len() == 4 * count);
    if sound { Ok(view.data()) } else { Err(problem()) }
}

fn floats(
    tensors: &SafeTensors<'_>,
    name: &str,
    count: Option<usize>,
    path: &Path,
) -> Result<Vec<f32>, LearnError> {
    let bytes = bytes(tensors, name, Dtype::F32, count, path)?;
    let numbers: Vec<f32> = quads(bytes).map(f32::from_le_bytes).collect();
    match check_finite(&numbers) {
        Ok(()) => Ok(numbers),
        Err(_) => Err(corrupt(path, format!("tensor {name} has a number that is not finite"))),
    }
}

fn words(tensors: &SafeTensors<'_>, name: &str, path: &Path) -> Result<Vec<u32>, LearnError> {
    Ok(quads(bytes(tensors, name, Dtype::U32, None, path)?).map(u32::from_le_bytes).collect())
}

fn quads(bytes: &[u8]) -> impl Iterator<Item = [u8; 4]> {
    bytes.as_chunks().0.iter().copied()
}

fn file_error(path: &Path, source: std::io::Error) -> LearnError {
    LearnError::File { path: PathBuf::from(path), source }
}

fn corrupt(path: &Path, problem: String) -> LearnError {
    LearnError::Corrupt { path: PathBuf::from(path), problem }
}
