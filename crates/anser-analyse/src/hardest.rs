//! Finds the longest wins.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use anser_core::hunt::Position;
use anser_core::{BySide, Dtw, Hunt, LayerIndex, Observer, ProbeLayer, Side, orbit_members};
use anser_retrograde::Solution;

use crate::layers::{LayerError, LayerValues};
use crate::listing::Listing;

/// The positions with the longest win of a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hardest {
    /// The winner.
    pub winner: Side,
    /// Distance of the win, in plies.
    pub plies: u16,
    /// Counts all positions, and lists one per symmetry class.
    pub positions: Listing,
    /// Number of symmetry classes of these positions.
    pub classes: u64,
}

/// The longest wins of a layer by side to move and winner; `None` where a side wins no position.
pub type HardestOfLayer = BySide<BySide<Option<Hardest>>>;

impl Hardest {
    /// Returns the longer wins of two results about the same winner, whose positions follow each
    /// other; both if they are equally long. Lists up to `limit` positions.
    #[must_use]
    pub fn join(self, next: Hardest, limit: usize) -> Hardest {
        match self.plies.cmp(&next.plies) {
            Ordering::Less => next,
            Ordering::Greater => self,
            Ordering::Equal => Hardest {
                positions: self.positions.join(next.positions, limit),
                classes: self.classes + next.classes,
                ..self
            },
        }
    }
}

fn longer(a: Option<Hardest>, b: Option<Hardest>, limit: usize) -> Option<Hardest> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.join(b, limit)),
        (a, b) => a.or(b),
    }
}

/// Finds the longest wins of a side among the positions of a solution, and lists up to `limit` of
/// them, one per symmetry class. Returns `None` if the side wins no position.
///
/// If `to_move` is given, only positions with that side to move are considered.
/// [`best_line`](crate::best_line) returns the moves of such a win.
///
/// ```
/// use anser_analyse::hardest;
/// use anser_core::Hunt;
/// use anser_core::Side;
/// use anser_retrograde::Solution;
///
/// let game = Hunt::fox_hounds(4, "escape")?;
/// let solution = Solution::reachable(&game, &game.start())?;
/// let longest = hardest(&solution, Side::Second, None, 10).expect("the hounds win somewhere");
/// assert_eq!((longest.plies, longest.positions.count, longest.classes), (8, 1, 1));
/// assert_eq!(longest.positions.first[0].0, game.start());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hardest(
    solution: &Solution,
    winner: Side,
    to_move: Option<Side>,
    limit: usize,
) -> Option<Hardest> {
    let game = solution.game();
    let add = |longest: Option<Hardest>, canonical: &Position, value: Dtw, members: u64| {
        let counts = value.winner() == Some(winner)
            && to_move.is_none_or(|side| canonical.to_move() == side);
        let Some(plies) = value.plies().filter(|_| counts) else { return longest };
        let mut longest = match longest {
            Some(longest) if longest.plies > plies => return Some(longest),
            Some(longest) if longest.plies == plies => longest,
            _ => Hardest { winner, plies, positions: Listing::default(), classes: 0 },
        };
        longest.classes += 1;
        longest.positions.count += members;
        if longest.positions.first.len() < limit {
            // Not every member of a class need be reachable.
            let member =
                orbit_members(game, canonical).into_iter().find(|member| solution.contains(member));
            longest.positions.first.push((member.unwrap_or(*canonical), value.into()));
        }
        Some(longest)
    };
    solution.fold_classes(|| None, add, |a, b| longer(a, b, limit))
}

/// Finds the longest wins of each side among all positions of a layer, by side to move and winner,
/// and lists up to `limit` of each, one per symmetry class. The values are read in parts.
///
/// ```
/// use anser_analyse::hardest_of_layer;
/// use anser_core::Hunt;
/// use anser_core::{Side, Unobserved};
/// use anser_retrograde::{Limits, Solution};
///
/// let game = Hunt::default();
/// let solution = Solution::of_layers(&game, 4..=4, &Limits::default())?;
/// let longest = hardest_of_layer(&game, &solution, 4, 3, &Unobserved)?;
/// // Four geese trap the fox at once, or not at all.
/// let geese = longest[Side::Second][Side::Second].as_ref().expect("some positions are won");
/// assert_eq!((geese.plies, geese.positions.first.len()), (1, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LayerError::Interrupted`] if the observer interrupts, [`LayerError::Probe`] for the errors of
/// `probe`.
pub fn hardest_of_layer<P: ProbeLayer<Error: Send> + Sync + ?Sized>(
    game: &Hunt,
    probe: &P,
    layer: u16,
    limit: usize,
    observer: &dyn Observer,
) -> Result<HardestOfLayer, LayerError<P::Error>> {
    let values = LayerValues::new(game, probe, layer, observer);
    let mut found = BySide::from_fn(|_| BySide::from_fn(|_| None));
    for side in Side::BOTH {
        // The largest codes so far: parts with shorter wins alone are not listed.
        let largest = [AtomicU16::new(0), AtomicU16::new(0)];
        let part = |ranks: Range<u64>, codes: &[u16]| {
            BySide::from_fn(|winner| {
                let mut below = u16::MAX;
                loop {
                    let code = longest_code(codes, winner, below)?;
                    let known = largest[winner.index()].load(Relaxed);
                    let value = Dtw::from_code(code).filter(|_| code >= known)?;
                    let mut longest = Hardest {
                        winner,
                        plies: value.plies()?,
                        positions: Listing::default(),
                        classes: 0,
                    };
                    for (rank, _) in ranks.clone().zip(codes).filter(|&(_, &other)| other == code) {
                        let orbit = values.index.orbit(side, rank);
                        if orbit == 0 {
                            continue;
                        }
                        longest.classes += 1;
                        longest.positions.count += orbit;
                        if longest.positions.first.len() < limit {
                            let canonical = values.index.unrank(side, rank);
                            let member = orbit_members(game, &canonical).into_iter().next();
                            let position = member.unwrap_or(canonical);
                            longest.positions.first.push((position, value.into()));
                        }
                    }
                    if longest.classes > 0 {
                        largest[winner.index()].fetch_max(code, Relaxed);
                        return Some(longest);
                    }
                    // All of these entries are no rank of a position.
                    below = code;
                }
            })
        };
        let join = |a: BySide<Option<_>>, b: BySide<Option<_>>| {
            let ([a0, a1], [b0, b1]) = (a.into_array(), b.into_array());
            BySide::new(longer(a0, b0, limit), longer(a1, b1, limit))
        };
        found[side] = values.fold_distances(side, part, join)?.unwrap_or(BySide::from_fn(|_| None));
    }
    Ok(found)
}

/// Returns the code of the longest win of a side whose code is below `below`.
fn longest_code(codes: &[u16], winner: Side, below: u16) -> Option<u16> {
    let parity = Dtw::win(winner, 0).code() & 1;
    let counts = |code: u16| code & 1 == parity && code < below;
    let of_winner = codes.iter().map(|&code| if counts(code) { code } else { 0 });
    of_winner.max().filter(|&code| code > 0)
}
