//! A position as the number of its symmetry class and its place among the members of the class.
//!
//! Values belong to classes, but reachable positions are counted one by one, so which members of a class were reached
//! matters: the *key* of a position is `rank * symmetries + place`, its place being the number of lesser positions in its
//! orbit. Without symmetries the key is the rank.

use anser_core::{Game, LayerIndex, Side};

/// The most symmetries that a board has.
const MOST: usize = 16;

/// The positions of an orbit, ascending, as the first so many of the array.
fn orbit<G: Game>(game: &G, position: &G::Position) -> ([G::Position; MOST], usize) {
    let mut members = [*position; MOST];
    let count = game.symmetries();
    assert!(count <= MOST, "a board has at most {MOST} symmetries");
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

/// The key of a position, given the rank of its class.
#[inline]
pub(crate) fn key<G: Game>(game: &G, position: &G::Position, rank: u64) -> u64 {
    let symmetries = game.symmetries();
    if symmetries == 1 {
        return rank;
    }
    let (members, distinct) = orbit(game, position);
    let place = members[..distinct].iter().filter(|&member| member < position).count();
    rank * symmetries as u64 + place as u64
}

/// The position that a key stands for.
#[inline]
pub(crate) fn position<G: Game>(game: &G, index: &G::Index, side: Side, key: u64) -> G::Position {
    let symmetries = game.symmetries() as u64;
    let canonical = index.unrank(side, key / symmetries);
    if symmetries == 1 {
        return canonical;
    }
    orbit(game, &canonical).0[(key % symmetries) as usize]
}

/// All positions of a class, ascending.
pub(crate) fn members<G: Game>(game: &G, canonical: &G::Position) -> Vec<G::Position> {
    let (members, distinct) = orbit(game, canonical);
    members[..distinct].to_vec()
}
