//! Sizes of memory and files as text.

use std::fmt;

/// A number of bytes, displayed in the unit that suits it.
///
/// ```
/// use anser_retrograde::Bytes;
/// assert_eq!(Bytes(512).to_string(), "512 B");
/// assert_eq!(Bytes(3 << 29).to_string(), "1.5 GiB");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut value = self.0 as f64;
        for unit in ["B", "KiB", "MiB", "GiB"] {
            if value < 1000.0 {
                let digits = usize::from(unit != "B" && value < 100.0);
                return write!(f, "{value:.digits$} {unit}");
            }
            value /= 1024.0;
        }
        write!(f, "{value:.1} TiB")
    }
}
