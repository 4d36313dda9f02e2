//! Zugzwangs: positions in which the side to move would do better to pass; and stalemates.

use std::ops::Range;

use anser_core::hunt::{Condition, Position};
use anser_core::{
    BySide, Dtw, Hunt, LayerIndex, Observer, Outcome, Probe, ProbeLayer, Side, Value, orbit_members,
};
use anser_retrograde::bits::for_each_bit;
use anser_retrograde::{AnalyseError, Solution};

use crate::layers::LayerValues;
use crate::listing::Listing;

/// The zugzwangs among the positions of a solution.
///
/// In a zugzwang the side to move loses, and would not lose if it could pass; the game is over with
/// neither side to move. Endless play that the rules give to a side is won for it. An arrangement
/// is examined only if the solution has it with either side to move. In games whose moves keep a
/// parity, this takes a solution of whole layers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Zugzwangs {
    /// The side to move loses, with either side to move. Each arrangement is listed once, with the
    /// first side to move.
    pub full: Listing,
    /// By side: it loses if it is to move, and draws if the other side is.
    pub one_sided: BySide<Listing>,
}

impl Zugzwangs {
    /// Appends zugzwangs that follow these, and lists up to `limit` of each kind.
    #[must_use]
    pub fn join(self, next: Zugzwangs, limit: usize) -> Zugzwangs {
        let ([a0, a1], [b0, b1]) = (self.one_sided.into_array(), next.one_sided.into_array());
        Zugzwangs {
            full: self.full.join(next.full, limit),
            one_sided: BySide::new(a0.join(b0, limit), a1.join(b1, limit)),
        }
    }

    /// Adds a position, which `side` loses if it is to move, if it is a zugzwang by who wins with
    /// the other side to move. The game must not be over with either side to move.
    fn add(
        &mut self,
        position: &Position,
        side: Side,
        value: Value,
        passed: Option<Side>,
        limit: usize,
    ) {
        match passed {
            // The same arrangement is a full zugzwang for the other side too.
            Some(winner) if winner == side && side == Side::First => {
                self.full.add(position, value, limit);
            }
            Some(_) => {}
            None => self.one_sided[side].add(position, value, limit),
        }
    }
}

/// Finds all zugzwangs, and lists up to `limit` of each kind.
///
/// ```
/// use anser_analyse::zugzwangs;
/// use anser_core::Hunt;
/// use anser_retrograde::{Limits, Solution};
///
/// let game = Hunt::fox_hounds(4, "strict")?;
/// let all = Solution::of_layers(&game, game.layers(), &Limits::default())?;
/// let found = zugzwangs(&all, 5);
/// // There are no draws, so every zugzwang is a full one.
/// assert!(found.one_sided.iter().all(|(_, listing)| listing.count == 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn zugzwangs(solution: &Solution, limit: usize) -> Zugzwangs {
    let game = solution.game();
    let add = |mut found: Zugzwangs, position: &Position, value: Dtw| {
        let side = position.to_move();
        if game.winner(value.outcome()) != Some(side.other()) || game.terminal(position).is_some() {
            return found;
        }
        let goes_on =
            |passed: &Position| solution.contains(passed) && game.terminal(passed).is_none();
        let passed = game.passed(position).filter(goes_on);
        if let Some(passed) = passed.and_then(|passed| solution.get(&passed)) {
            found.add(position, side, value.into(), game.winner(passed.outcome()), limit);
        }
        found
    };
    solution.fold(Zugzwangs::default, add, |a, b| a.join(b, limit))
}

/// Finds all zugzwangs among the positions of a layer, and lists up to `limit` of each kind. The
/// outcomes are read in parts; listed positions have their distances if `probe` has them.
///
/// ```
/// use anser_analyse::zugzwangs_of_layer;
/// use anser_core::Hunt;
/// use anser_core::{Side, Unobserved};
/// use anser_retrograde::{Limits, Solution};
///
/// let game = Hunt::default();
/// let solution = Solution::of_layers(&game, 1..=6, &Limits::default())?;
/// let found = zugzwangs_of_layer(&game, &solution, 6, 1, &Unobserved)?;
/// // The fox is glad to pass in some positions, but six geese never lose by having to move.
/// println!("{} positions, among them {:?}", found.one_sided[Side::First].count, found.full.first);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`AnalyseError::Interrupted`] if the observer interrupts, and the errors of `probe`.
pub fn zugzwangs_of_layer<P: ProbeLayer<Error: Send + From<AnalyseError>> + Sync + ?Sized>(
    game: &Hunt,
    probe: &P,
    layer: u16,
    limit: usize,
    observer: &dyn Observer,
) -> Result<Zugzwangs, P::Error> {
    let values = LayerValues::new(game, probe, layer, observer);
    let mut found = if values.index.shares_ranks() {
        values.zugzwangs(&format!("layer {layer}"), &Side::BOTH, limit)?
    } else {
        let of_side = |side: Side| {
            let what = format!("layer {layer}, {} to move", game.side_name(side));
            values.zugzwangs(&what, &[side], limit)
        };
        of_side(Side::First)?.join(of_side(Side::Second)?, limit)
    };
    exact(probe, &mut found.full)?;
    for side in Side::BOTH {
        exact(probe, &mut found.one_sided[side])?;
    }
    Ok(found)
}

impl<P: ProbeLayer<Error: Send + From<AnalyseError>> + Sync + ?Sized> LayerValues<'_, P> {
    /// Finds the zugzwangs of some sides; of both if an arrangement has the same rank with either
    /// side to move, so that both outcomes are at the same place.
    fn zugzwangs(&self, what: &str, sides: &[Side], limit: usize) -> Result<Zugzwangs, P::Error> {
        let LayerValues { game, probe, layer, index, .. } = self;
        let part = |pairs: &mut BySide<Vec<[u64; 2]>>, ranks: Range<u64>| {
            for &side in sides {
                pairs[side].resize((ranks.end - ranks.start).div_ceil(64) as usize, [0; 2]);
                probe.read_outcomes(*layer, side, ranks.start, &mut pairs[side])?;
                give_endless(game, &mut pairs[side], ranks.end - ranks.start);
            }
            let mut found = Zugzwangs::default();
            for &side in sides {
                for (first, place) in ranks.clone().step_by(64).zip(0..) {
                    let passed = index.shares_ranks().then(|| pairs[side.other()][place]);
                    let wanted = passed.map_or(u64::MAX, |passed| {
                        let full = if side == Side::First { passed[side.index()] } else { 0 };
                        !(passed[0] | passed[1]) | full
                    });
                    let lost = pairs[side][place][side.other().index()] & wanted;
                    self.add_zugzwangs(&mut found, side, first, lost, passed, limit)?;
                }
            }
            Ok(found)
        };
        let classes = index.len(sides[0]);
        let found = self.fold(what, classes, part, |a, b| a.join(b, limit))?;
        Ok(found.unwrap_or_default())
    }

    /// Adds the zugzwangs among the classes of a pair that `side` loses and whose bits are set.
    /// `passed` are the outcomes with the other side to move, if they have been read.
    fn add_zugzwangs(
        &self,
        found: &mut Zugzwangs,
        side: Side,
        first: u64,
        lost: u64,
        passed: Option<[u64; 2]>,
        limit: usize,
    ) -> Result<(), P::Error> {
        let LayerValues { game, probe, index, .. } = self;
        let over = |position: &Position| game.terminal(position).is_some();
        let mut failed = None;
        for_each_bit(lost, |bit| {
            if index.orbit(side, first + bit) == 0 {
                return;
            }
            let canonical = index.unrank(side, first + bit);
            let Some(other) =
                game.passed(&canonical).filter(|other| !over(&canonical) && !over(other))
            else {
                return;
            };
            let winner = match passed {
                Some(pair) => Ok(winner_of(pair, bit)),
                None => probe.value(&other).map(|value| game.winner(value.outcome)),
            };
            match winner {
                Ok(winner) => {
                    let value = Outcome::Win(side.other()).into();
                    for member in orbit_members(game, &canonical) {
                        found.add(&member, side, value, winner, limit);
                    }
                }
                Err(error) => failed = failed.take().or(Some(error)),
            }
        });
        failed.map_or(Ok(()), Err)
    }
}

/// Makes draws wins of the side that wins endless play, in the outcomes of `count` classes.
fn give_endless(game: &Hunt, pairs: &mut [[u64; 2]], count: u64) {
    let Some(winner) = game.endless() else { return };
    for (pair, first) in pairs.iter_mut().zip((0..count).step_by(64)) {
        let classes = u64::MAX >> 64_u64.saturating_sub(count - first);
        pair[winner.index()] |= classes & !(pair[0] | pair[1]);
    }
}

/// Returns the winner of a bit of a pair.
fn winner_of([first, second]: [u64; 2], bit: u64) -> Option<Side> {
    match (first >> bit & 1, second >> bit & 1) {
        (0, 0) => None,
        (0, _) => Some(Side::Second),
        _ => Some(Side::First),
    }
}

/// Replaces the values of listed positions by those of `probe`, which may have distances.
fn exact<P: Probe + ?Sized>(probe: &P, listing: &mut Listing) -> Result<(), P::Error> {
    for (position, value) in &mut listing.first {
        *value = probe.value(position)?;
    }
    Ok(())
}

/// Finds the positions in which `side` is to move and has lost because it has no move, and lists up
/// to `limit` of them.
///
/// ```
/// use anser_analyse::stalemates;
/// use anser_core::Hunt;
/// use anser_core::Side;
/// use anser_retrograde::{AnalyseError, Solution};
///
/// let game = Hunt::fox_hounds(4, "escape")?;
/// let solution = Solution::reachable(&game, &game.start())?;
/// let blocked = stalemates(&solution, Side::First, 100);
/// assert!(blocked.first.iter().all(|(_, value)| value.winner() == Some(Side::Second)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn stalemates(solution: &Solution, side: Side, limit: usize) -> Listing {
    let game = solution.game();
    let add = |mut found: Listing, position: &Position, value: Dtw| {
        let end = game.ending_number(position).map(|number| &game.description().ends[number]);
        if position.to_move() == side
            && end.is_some_and(|end| end.condition == Condition::Blocked(side))
        {
            found.add(position, value.into(), limit);
        }
        found
    };
    solution.fold(Listing::default, add, |a, b| a.join(b, limit))
}
