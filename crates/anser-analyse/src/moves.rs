//! Moves in the order of their values.
use anser_core::hunt::Position;
use anser_core::{Hunt, Probe, RatedMove};

/// Returns the moves from a position with the values of what they lead to, the best for the mover
/// first, and equal ones in generation order.
///
/// ```
/// use anser_analyse::best_first;
/// use anser_core::Hunt;
/// use anser_core::{Dtw, Side};
/// use anser_retrograde::Solution;
///
/// let game = Hunt::fox_hounds(4, "escape")?;
/// let solution = Solution::reachable(&game, &game.start())?;
/// assert_eq!(solution.get(&game.start()), Some(Dtw::win(Side::Second, 8)));
/// let moves = best_first(&game, &game.start(), &solution)?;
/// assert_eq!(moves[0].value, Some(Dtw::win(Side::Second, 7).into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of `probe`.
pub fn best_first<P: Probe + ?Sized>(
    game: &Hunt,
    position: &Position,
    probe: &P,
) -> Result<Vec<RatedMove>, P::Error> {
    let side = position.to_move();
    let mut moves = probe.rated_moves(game, position)?;
    moves.sort_by_key(|rated| std::cmp::Reverse(rated.score(side)));
    Ok(moves)
}
