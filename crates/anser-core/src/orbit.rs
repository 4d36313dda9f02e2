//! A position as the rank of its symmetry class and its place among the members of the class.
//!
//! Values belong to classes, but positions are counted one by one, so which members of a class were
//! reached matters. The *key* of a position is `rank * symmetries + place`; the place is the number
//! of lesser positions in its orbit. Without symmetries the key is the rank.

use crate::hunt::symmetries::MOST_SYMMETRIES;
use crate::hunt::{Hunt, HuntIndex, Position};
use crate::{LayerIndex, Side};

/// The positions of an orbit in ascending order, at the front of the array, and their number.
fn orbit(game: &Hunt, position: &Position) -> ([Position; MOST_SYMMETRIES], usize) {
    let mut members = [*position; MOST_SYMMETRIES];
    let count = game.symmetries();
    assert!(count <= MOST_SYMMETRIES, "a game has at most {MOST_SYMMETRIES} symmetries");
    for (symmetry, member) in members.iter_mut().enumerate().take(count) {
        *member = game.image(position, symmetry);
    }
    members[..count].sort_unstable();
    let mut distinct = 1;
    for at in 1..count {
        if members[at] != members[distinct - 1] {
            members[distinct] = members[at];
            distinct += 1;
        }
    }
    (members, distinct)
}

/// Returns the key of a position, given the rank of its class.
///
/// ```
/// use anser_core::LayerIndex;
/// use anser_core::Hunt;
/// use anser_core::{Side, key, key_position};
/// let game = Hunt::default();
/// let position = game.parse_position("1g1/3/7/3F3/7/3/3 f")?;
/// let index = game.index(1);
/// let key = key(&game, &position, index.rank(&position));
/// assert_eq!(key_position(&game, &index, Side::First, key), position);
/// # Ok::<(), anser_core::NotationError>(())
/// ```
///
/// # Panics
/// If the game has more than [`MOST_SYMMETRIES`] symmetries.
#[inline]
pub fn key(game: &Hunt, position: &Position, rank: u64) -> u64 {
    let symmetries = game.symmetries();
    if symmetries == 1 {
        return rank;
    }
    assert!(symmetries <= MOST_SYMMETRIES, "a game has at most {MOST_SYMMETRIES} symmetries");
    // Positions are compared by the few first. Every member is the image under equally many
    // symmetries, as many as keep the position.
    let (lesser_few, kept_by) = game.images_of_few(position.few());
    let (mut lesser, mut same) = (lesser_few * u64::from(kept_by.count_ones()), 0);
    let (many, mut keeping) = (position.many(), kept_by);
    while keeping != 0 {
        let image = game.image_of_set(many, keeping.trailing_zeros() as usize);
        lesser += u64::from(image < many);
        same += u64::from(image == many);
        keeping &= keeping - 1;
    }
    // The identity keeps it.
    let place = lesser / same.max(1);
    rank * symmetries as u64 + place
}

/// Returns the position of a key: the inverse of [`key`]. `key / symmetries` is a rank with `side`
/// to move.
///
/// # Panics
/// As [`key`].
#[inline]
pub fn key_position(game: &Hunt, index: &HuntIndex, side: Side, key: u64) -> Position {
    let symmetries = game.symmetries();
    let canonical = index.unrank(side, key / symmetries as u64);
    if symmetries == 1 {
        return canonical;
    }
    let place = (key % symmetries as u64) as usize;
    // Where no symmetry keeps the few, their images tell the order.
    let mut images = [(canonical.few(), 0); MOST_SYMMETRIES];
    assert!(symmetries <= MOST_SYMMETRIES, "a game has at most {MOST_SYMMETRIES} symmetries");
    let images = &mut images[..symmetries];
    for (symmetry, image) in images.iter_mut().enumerate() {
        *image = (game.image_of_set(canonical.few(), symmetry), symmetry);
    }
    images.sort_unstable();
    if images.windows(2).all(|pair| pair[0].0 != pair[1].0) {
        return game.image(&canonical, images[place].1);
    }
    orbit(game, &canonical).0[place]
}

/// Returns all positions of a class in ascending order.
///
/// # Panics
/// As [`key`].
pub fn orbit_members(game: &Hunt, position: &Position) -> Vec<Position> {
    let (members, distinct) = orbit(game, position);
    members[..distinct].to_vec()
}

/// Returns the code of a position by its rank.
pub(crate) fn rank_code(game: &Hunt, position: &Position) -> u128 {
    let (layer, side) = (game.layer(position), position.to_move());
    let key = key(game, position, game.index(layer).rank(position));
    u128::from(layer) << 72 | (side.index() as u128) << 64 | u128::from(key)
}

/// Returns the position of such a code.
pub(crate) fn of_rank_code(game: &Hunt, code: u128) -> Option<Position> {
    let (layer, side) = ((code >> 72) as u16, Side::BOTH[usize::from(code >> 64 & 1 != 0)]);
    if code >> 88 != 0 || code >> 65 & 0x7f != 0 || !game.has_numbers(layer) {
        return None;
    }
    let (index, number) = (game.index(layer), code as u64);
    if number / game.symmetries() as u64 >= index.len(side) {
        return None;
    }
    let position = key_position(game, &index, side, number);
    // The place of a key may be past the end of a small orbit.
    (rank_code(game, &position) == code).then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions that symmetries keep are among them: the fox on the central point.
    #[test]
    fn a_key_has_the_place_among_the_members_of_the_class() {
        let game = Hunt::default();
        let index = game.index(2);
        let mut sizes = std::collections::BTreeSet::new();
        for rank in 0..index.len(Side::First) {
            let members = orbit_members(&game, &index.unrank(Side::First, rank));
            sizes.insert(members.len());
            for (place, member) in members.iter().enumerate() {
                let key = key(&game, member, rank);
                assert_eq!(key, rank * game.symmetries() as u64 + place as u64);
                assert_eq!(key_position(&game, &index, Side::First, key), *member);
            }
        }
        assert_eq!(sizes, [2, 4, 8].into());
    }
}
