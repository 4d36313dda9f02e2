//! NumPy arrays, made from plain memory.
//!
//! Arrays are made by `numpy.frombuffer` over a `bytearray` of their own, and read through the
//! buffer protocol. The package needs NumPy when it runs, and no crate for it: `numpy` would add
//! `ndarray` and what it needs for these two conversions.

use anser_core::{Hunt, Outcome, Side};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

/// Outcomes in arrays.
pub(crate) const FIRST: i8 = 1;
pub(crate) const DRAW: i8 = 0;
pub(crate) const SECOND: i8 = -1;
pub(crate) const UNKNOWN: i8 = i8::MIN;
/// Plies in arrays where there is no distance.
pub(crate) const NO_PLIES: i16 = -1;

/// The number of an outcome in arrays: where endless play is won, that of its winner.
pub(crate) fn outcome_number(game: &Hunt, outcome: Outcome) -> i8 {
    match game.winner(outcome) {
        Some(Side::First) => FIRST,
        None => DRAW,
        Some(Side::Second) => SECOND,
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

/// Converts codes of positions to an array of shape (n, 2): the lower and the upper 64 bits of
/// each.
pub(crate) fn code_array<'py>(py: Python<'py>, codes: &[u128]) -> PyResult<Bound<'py, PyAny>> {
    let words = codes.iter().flat_map(|&code| [code as u64, (code >> 64) as u64]);
    array(py, &words.collect::<Vec<u64>>())?.call_method1("reshape", (-1, 2))
}
