//! Finds the longest wins.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use anser_core::hunt::Position;
use anser_core::{BySide, Dtw, Hunt, LayerIndex, Observer, ProbeLayer, Side, orbit_members};
use anser_retrograde::{AnalyseError, Solution};

use crate::layers::LayerValues;
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
    fn new(winner: Side, plies: u16) -> Hardest {
        Hardest { winner, plies, positions: Listing::default(), classes: 0 }
    }

    /// Counts a class of so many members, and lists the example of it if there are fewer than
    /// `limit`.
    fn add(&mut self, members: u64, limit: usize, example: impl FnOnce() -> Position) {
        self.classes += 1;
        self.positions.count += members;
        if self.positions.first.len() < limit {
            self.positions.first.push((example(), Dtw::win(self.winner, self.plies).into()));
        }
    }

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
/// [`best_line`](crate::best_line) returns the moves of such a win.
///
/// ```
/// use anser_analyse::hardest;
/// use anser_core::Hunt;
/// use anser_core::Side;
/// use anser_retrograde::{AnalyseError, Solution};
///
/// let game = Hunt::fox_hounds(4, "escape")?;
/// let solution = Solution::reachable(&game, &game.start())?;
/// let longest = hardest(&solution, Side::Second, 10).expect("the hounds win somewhere");
/// assert_eq!((longest.plies, longest.positions.count, longest.classes), (8, 1, 1));
/// assert_eq!(longest.positions.first[0].0, game.start());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hardest(solution: &Solution, winner: Side, limit: usize) -> Option<Hardest> {
    let game = solution.game();
    let add = |longest: Option<Hardest>, canonical: &Position, value: Dtw, members: u64| {
        let is_won = value.winner() == Some(winner);
        let Some(plies) = value.plies().filter(|_| is_won) else { return longest };
        let longest = longest.filter(|longest| longest.plies >= plies);
        let mut longest = longest.unwrap_or_else(|| Hardest::new(winner, plies));
        if longest.plies == plies {
            longest.add(members, limit, || {
                // Not every member of a class need be reachable.
                let mut all = orbit_members(game, canonical).into_iter();
                all.find(|member| solution.contains(member)).unwrap_or(*canonical)
            });
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
/// [`AnalyseError::Interrupted`] if the observer interrupts, and the errors of `probe`.
pub fn hardest_of_layer<P: ProbeLayer<Error: Send + From<AnalyseError>> + Sync + ?Sized>(
    game: &Hunt,
    probe: &P,
    layer: u16,
    limit: usize,
    observer: &dyn Observer,
) -> Result<HardestOfLayer, P::Error> {
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
                    let mut longest = Hardest::new(winner, value.plies()?);
                    for (rank, _) in ranks.clone().zip(codes).filter(|&(_, &other)| other == code) {
                        let orbit = values.index.orbit(side, rank);
                        if orbit > 0 {
                            longest.add(orbit, limit, || {
                                orbit_members(game, &values.index.unrank(side, rank))[0]
                            });
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
