//! NumPy arrays, made from and copied into plain memory.
//!
//! Arrays are read through the buffer protocol, and made by `numpy.frombuffer` over a `bytearray`
//! of their own. The package needs NumPy when it runs, and no crate for it: `numpy` would add
//! `ndarray` and what it needs for the two conversions below.

use anser_core::{Hunt, Outcome, Side, hunt};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyString};

use crate::errors::{Answer, Failure};
use crate::position::PyPosition;

/// Outcomes in arrays.
pub(crate) const FIRST: i8 = 1;
pub(crate) const DRAW: i8 = 0;
pub(crate) const SECOND: i8 = -1;
pub(crate) const UNKNOWN: i8 = i8::MIN;
/// Plies in arrays where there is no distance.
pub(crate) const NO_PLIES: i16 = -1;

/// The number of an outcome in arrays.
pub(crate) fn outcome_number(outcome: Outcome) -> i8 {
    match outcome {
        Outcome::Win(Side::First) => FIRST,
        Outcome::Draw => DRAW,
        Outcome::Win(Side::Second) => SECOND,
    }
}

/// A number that arrays hold.
pub(crate) trait Element: Copy {
    /// The name of the type in NumPy.
    const TYPE: &'static str;
    /// Writes the number in the order of bytes of this machine.
    fn write(self, bytes: &mut [u8]);
}

macro_rules! element {
    ($($element:ty => $name:literal),*) => {$(
        impl Element for $element {
            const TYPE: &'static str = $name;
            fn write(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_ne_bytes());
            }
        }
    )*};
}

element!(u8 => "uint8", i8 => "int8", i16 => "int16", f32 => "float32", u64 => "uint64");

/// Makes an array of one dimension.
pub(crate) fn array<'py, E: Element>(
    py: Python<'py>,
    elements: &[E],
) -> PyResult<Bound<'py, PyAny>> {
    let size = size_of::<E>();
    let bytes = PyByteArray::new_with(py, size_of_val(elements), |bytes| {
        for (bytes, element) in bytes.chunks_exact_mut(size).zip(elements) {
            element.write(bytes);
        }
        Ok(())
    })?;
    py.import("numpy")?.call_method1("frombuffer", (bytes, E::TYPE))
}

/// Codes of positions, in two words each: the lower and the upper 64 bits.
#[derive(Default)]
pub(crate) struct Codes(Vec<u64>);

impl Codes {
    pub(crate) fn with_capacity(count: usize) -> Codes {
        Codes(Vec::with_capacity(2 * count))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len() / 2
    }

    pub(crate) fn push(&mut self, code: u128) {
        self.0.extend([code as u64, (code >> 64) as u64]);
    }

    pub(crate) fn into_array(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        array(py, &self.0)?.call_method1("reshape", (-1, 2))
    }
}

impl FromIterator<u128> for Codes {
    fn from_iter<I: IntoIterator<Item = u128>>(codes: I) -> Codes {
        let codes = codes.into_iter();
        let mut all = Codes::with_capacity(codes.size_hint().0);
        codes.for_each(|code| all.push(code));
        all
    }
}

/// Positions as they were passed in, copied out of Python objects.
pub(crate) enum Given {
    /// Two words per position.
    Codes(Vec<u64>),
    Items {
        text: String,
        items: Vec<Item>,
    },
}

/// An item of a sequence.
pub(crate) enum Item {
    /// A text, by its end in the text of all.
    Text(usize),
    Position(hunt::Position),
}

impl Given {
    /// Copies positions: an array of codes, or a sequence of str and Position.
    pub(crate) fn new(given: &Bound<'_, PyAny>, game: &Hunt) -> Answer<Given> {
        if let Ok(words) = PyBuffer::<u64>::get(given) {
            if words.shape().len() != 2 || words.shape()[1] != 2 {
                let problem = format!(
                    "codes are an array of uint64 of shape (n, 2), and this one has shape {:?}",
                    words.shape()
                );
                return Err(PyTypeError::new_err(problem).into());
            }
            return Ok(Given::Codes(words.to_vec(given.py())?));
        }
        if given.is_instance_of::<PyString>() || given.is_instance_of::<PyPosition>() {
            let problem = "this is one position, where a sequence or an array is expected";
            return Err(PyTypeError::new_err(problem).into());
        }
        let count = given.len().unwrap_or(0);
        let (mut text, mut items) = (String::new(), Vec::with_capacity(count));
        for item in given.try_iter()? {
            let item = item?;
            items.push(match item.cast::<PyString>() {
                Ok(position) => {
                    text.push_str(&position.to_cow()?);
                    Item::Text(text.len())
                }
                Err(_) => Item::Position(crate::game::position_of(game, &item)?),
            });
        }
        Ok(Given::Items { text, items })
    }

    /// Reads the positions.
    pub(crate) fn positions(&self, game: &Hunt) -> Answer<Vec<hunt::Position>> {
        match self {
            Given::Codes(words) => {
                let codes = words.as_chunks::<2>().0.iter();
                let codes = codes.map(|[low, high]| u128::from(*high) << 64 | u128::from(*low));
                codes
                    .enumerate()
                    .map(|(index, code)| {
                        game.decode(code).ok_or(Failure::Code {
                            index,
                            code,
                            game: game.name().into(),
                        })
                    })
                    .collect()
            }
            Given::Items { text, items } => {
                let mut start = 0;
                let read = |(index, item): (usize, &Item)| match *item {
                    Item::Position(position) => Ok(position),
                    Item::Text(end) => {
                        let own = &text[start..end];
                        start = end;
                        game.parse_position(own)
                            .map_err(|error| Failure::Position(error, Some(index)))
                    }
                };
                items.iter().enumerate().map(read).collect()
            }
        }
    }
}
