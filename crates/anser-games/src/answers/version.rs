//! The version of the vocabulary.

use serde::{Deserialize, Serialize};

/// The version of the vocabulary of all answers, which `docs/json.md` describes.
///
/// It is written as the number [`Version::NUMBER`]; reading any other number fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "u32", try_from = "u32")]
pub struct Version;

impl Version {
    /// The number of this version.
    pub const NUMBER: u32 = 1;
}

impl From<Version> for u32 {
    fn from(_: Version) -> u32 {
        Version::NUMBER
    }
}

impl TryFrom<u32> for Version {
    type Error = String;

    fn try_from(number: u32) -> Result<Version, String> {
        if number == Version::NUMBER {
            return Ok(Version);
        }
        Err(format!(
            "schema {number} is not schema {}, which this version of Anser reads",
            Version::NUMBER
        ))
    }
}

/// An answer with the version of its vocabulary: one object as a program writes it.
///
/// ```
/// use anser_games::answers::{ErrorAnswer, ErrorKind, ErrorObject, Versioned};
/// let answer = ErrorAnswer { error: ErrorObject::new(ErrorKind::Usage, "no such game") };
/// let line = serde_json::to_string(&Versioned::new(&answer))?;
/// assert_eq!(
///     line,
///     r#"{"schema":1,"error":{"code":2,"kind":"usage","message":"no such game","hint":null}}"#
/// );
/// assert_eq!(serde_json::from_str::<Versioned<ErrorAnswer>>(&line)?.answer, answer);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Versioned<A> {
    /// Version of the vocabulary.
    pub schema: Version,
    /// The answer: an object.
    #[serde(flatten)]
    pub answer: A,
}

impl<A> Versioned<A> {
    /// Adds the version to an answer, which is an object.
    pub fn new(answer: A) -> Versioned<A> {
        Versioned { schema: Version, answer }
    }
}
