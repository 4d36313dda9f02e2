//! The eight symmetries of the square and the groups they form.
//!
//! A symmetry acts on coordinates with the center at the origin: first `x` and `y` change places if
//! bit 2 is set, then `x` changes sign if bit 0 is set, then `y` if bit 1 is set.

/// One of the eight symmetries of the square, `0..8`.
///
/// ```
/// use anser_core::Symmetry;
/// let quarter_turn = Symmetry::new(0b101);
/// assert_eq!(quarter_turn.apply(2, 1), (-1, 2));
/// assert_eq!(quarter_turn.then(quarter_turn.inverse()), Symmetry::IDENTITY);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symmetry(u8);

impl Symmetry {
    /// The identity.
    pub const IDENTITY: Symmetry = Symmetry(0);
    /// The mirror that exchanges left and right.
    pub const MIRROR: Symmetry = Symmetry(1);

    /// All eight symmetries.
    pub fn all() -> impl DoubleEndedIterator<Item = Symmetry> + Clone {
        (0..8).map(Symmetry)
    }

    /// Returns symmetry number `code < 8`.
    ///
    /// # Panics
    /// If `code` is 8 or more.
    pub const fn new(code: u8) -> Symmetry {
        assert!(code < 8, "there are eight symmetries");
        Symmetry(code)
    }

    /// Returns the number, below 8.
    pub const fn code(self) -> u8 {
        self.0
    }

    /// Returns the image of the point `(x, y)`.
    pub const fn apply(self, x: i8, y: i8) -> (i8, i8) {
        let (x, y) = if self.0 & 4 != 0 { (y, x) } else { (x, y) };
        (if self.0 & 1 != 0 { -x } else { x }, if self.0 & 2 != 0 { -y } else { y })
    }

    /// Returns the composition: this symmetry, then `next`.
    #[must_use]
    pub fn then(self, next: Symmetry) -> Symmetry {
        let (x, y) = self.apply(2, 1);
        let image = next.apply(x, y);
        // (2, 1) lies on no mirror line, so its image identifies the symmetry.
        Symmetry::all().find(|s| s.apply(2, 1) == image).unwrap_or(Symmetry::IDENTITY)
    }

    /// Returns the inverse.
    #[must_use]
    pub fn inverse(self) -> Symmetry {
        Symmetry::all().find(|&s| self.then(s) == Symmetry::IDENTITY).unwrap_or(Symmetry::IDENTITY)
    }
}

/// A group of symmetries, as a set: bit `s` is set when symmetry number `s` belongs to it.
///
/// ```
/// use anser_core::{Group, Symmetry};
/// assert_eq!(Group::SQUARE.order(), 8);
/// assert!(Group::MIRROR.contains(Symmetry::MIRROR));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group(u8);

impl Group {
    /// The identity alone.
    pub const TRIVIAL: Group = Group(0b0000_0001);
    /// The identity and the left-right mirror.
    pub const MIRROR: Group = Group(0b0000_0011);
    /// All eight symmetries of the square.
    pub const SQUARE: Group = Group(0b1111_1111);

    /// The ten subgroups of [`Group::SQUARE`] in ascending order of their size, equal ones by their
    /// bits.
    pub const SUBGROUPS: [Group; 10] = [
        Group(0b0000_0001), // identity
        Group(0b0000_0011), // left-right mirror
        Group(0b0000_0101), // top-bottom mirror
        Group(0b0000_1001), // half turn
        Group(0b0001_0001), // diagonal mirror
        Group(0b1000_0001), // other diagonal mirror
        Group(0b0000_1111), // both straight mirrors
        Group(0b0110_1001), // quarter turns
        Group(0b1001_1001), // both diagonal mirrors
        Group(0b1111_1111), // everything
    ];

    /// Returns the members of `self` that `keep` accepts. They must form a group, as stabilizers
    /// do.
    #[must_use]
    pub fn filter(self, mut keep: impl FnMut(Symmetry) -> bool) -> Group {
        self.members().filter(|&s| keep(s)).fold(Group(0), |group, s| Group(group.0 | 1 << s.0))
    }

    /// Returns the members in ascending order, the identity first.
    pub fn members(self) -> impl Iterator<Item = Symmetry> + Clone {
        Symmetry::all().filter(move |&s| self.contains(s))
    }

    /// Whether `symmetry` belongs to the group.
    pub const fn contains(self, symmetry: Symmetry) -> bool {
        self.0 >> symmetry.0 & 1 != 0
    }

    /// Returns the number of members.
    pub const fn order(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns the place of the group in [`Group::SUBGROUPS`].
    pub fn number(self) -> usize {
        Group::SUBGROUPS.iter().position(|&g| g == self).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ten_subgroups_are_exactly_the_closed_sets() {
        let closed = |bits: u8| {
            let group = Group(bits);
            group.contains(Symmetry::IDENTITY)
                && group.members().all(|a| group.members().all(|b| group.contains(a.then(b))))
        };
        let mut found: Vec<Group> = (0..=255).filter(|&bits| closed(bits)).map(Group).collect();
        found.sort_by_key(|g| (g.order(), g.0));
        assert_eq!(found, Group::SUBGROUPS);
        for (number, group) in Group::SUBGROUPS.iter().enumerate() {
            assert_eq!(group.number(), number);
        }
    }

    #[test]
    fn composition_agrees_with_applying_one_after_the_other() {
        for a in Symmetry::all() {
            for b in Symmetry::all() {
                for (x, y) in [(3, 1), (0, 2), (1, 1), (-2, 1)] {
                    let (u, v) = a.apply(x, y);
                    assert_eq!(a.then(b).apply(x, y), b.apply(u, v));
                }
            }
            assert_eq!(a.then(a.inverse()), Symmetry::IDENTITY);
        }
    }
}
