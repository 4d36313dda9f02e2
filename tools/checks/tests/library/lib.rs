//! A library in small, for the test of the listing.

mod inner;
pub mod open;
#[cfg(feature = "extra")]
mod extra;

pub use std::ops::ControlFlow;

#[cfg(feature = "extra")]
pub use extra::Extra;
pub use inner::{Deep as Shallow, helper};
pub use open::Again;

/// A struct whose fields are partly private.
#[derive(Clone, Debug)]
pub struct Partly<T: Copy> {
    /// Seen.
    pub seen: T,
    hidden: u8,
}

impl<T: Copy> Partly<T> {
    /// Listed, on one line.
    #[must_use]
    pub fn listed(
        self,
        other: &T,
    ) -> T {
        let _ = (self.hidden, other);
        self.seen
    }

    fn not_listed(&self) {}
}

trait Private {}

impl<T: Copy> Private for Partly<T> {}

impl<T: Copy> From<Partly<T>> for u8 {
    fn from(partly: Partly<T>) -> u8 {
        partly.hidden
    }
}

/// A trait with a provided method.
pub trait Shown: Send {
    /// A type.
    type Item: Copy;
    /// Required.
    fn required(&self) -> Self::Item;
    /// Provided.
    fn provided(&self) {}
}

impl<T: Shown> Shown for Option<T>
where
    T::Item: Send,
{
    type Item = T::Item;
    fn required(&self) -> T::Item {
        self.as_ref().unwrap().required()
    }
}

#[cfg(test)]
pub mod tests {}
