//! The census of a layer: the numbers of its positions by winner and by plies to the win.

use std::ops::Range;

use anser_core::{BySide, Hunt, LayerIndex, Observer, ProbeLayer, Side};
use anser_retrograde::{AnalyseError, Census};

use crate::layers::LayerValues;

/// Counts all positions of a layer, whose values are read in parts. The numbers of terminal
/// positions by kind of end, [`SideCensus::ends`](anser_retrograde::SideCensus::ends), are left
/// out.
///
/// ```
/// use anser_analyse::census_of_layer;
/// use anser_core::Hunt;
/// use anser_core::{Outcome, Side, Unobserved};
/// use anser_retrograde::{Limits, Solution};
///
/// let game = Hunt::default();
/// let solution = Solution::of_layers(&game, 4..=4, &Limits::default())?;
/// let census = census_of_layer(&game, &solution, 4, &Unobserved)?;
/// let fox = census.to_move(Side::First);
/// assert_eq!(fox.positions(), game.positions(4, Side::First));
/// // Four geese have trapped the fox in a few positions, and win no other with the fox to move.
/// assert_eq!(fox.depth(Side::Second, 0), fox.outcome(Outcome::Win(Side::Second)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`AnalyseError::Interrupted`] if the observer interrupts, and the errors of `probe`.
pub fn census_of_layer<P: ProbeLayer<Error: Send + From<AnalyseError>> + Sync + ?Sized>(
    game: &Hunt,
    probe: &P,
    layer: u16,
    observer: &dyn Observer,
) -> Result<Census, P::Error> {
    let values = LayerValues::new(game, probe, layer, observer);
    let mut counts = BySide::new(Vec::new(), Vec::new());
    for side in Side::BOTH {
        let count = |ranks: Range<u64>, codes: &[u16]| positions(&values.index, side, ranks, codes);
        let join = |mut a: Vec<u64>, b: Vec<u64>| {
            a.resize(a.len().max(b.len()), 0);
            a.iter_mut().zip(&b).for_each(|(a, b)| *a += b);
            a
        };
        counts[side] = values.fold_distances(side, count, join)?.unwrap_or_default();
    }
    Ok(Census::of_codes(&counts))
}

/// Returns the number of positions of each code.
fn positions(index: &impl LayerIndex, side: Side, ranks: Range<u64>, codes: &[u16]) -> Vec<u64> {
    let largest = codes.iter().max().map_or(0, |&code| usize::from(code) + 1);
    // An increment waits for the one before it if both are of the same counter, so that runs of
    // equal values are counted in turn by four.
    let mut counters = vec![[0_u32; 4]; largest];
    let (fours, rest) = codes.as_chunks::<4>();
    for four in fours {
        for (lane, &code) in four.iter().enumerate() {
            counters[usize::from(code)][lane] += 1;
        }
    }
    for &code in rest {
        counters[usize::from(code)][0] += 1;
    }
    // Nearly every class has as many positions as there are symmetries.
    let symmetries = u64::from(index.scheme().symmetries);
    let classes = counters.iter().map(|lanes| lanes.iter().copied().map(u64::from).sum::<u64>());
    let mut counts: Vec<u64> = classes.map(|classes| classes * symmetries).collect();
    let first = ranks.start;
    index.visit_small_orbits(side, ranks, |rank, orbit| {
        counts[usize::from(codes[(rank - first) as usize])] -= symmetries - orbit;
    });
    counts
}
