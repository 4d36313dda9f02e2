//! Checks that the moves, un-moves, symmetries, index, and layers of a game fit together.

use std::fmt;
use std::ops::ControlFlow;

use crate::hunt::{Hunt, HuntIndex, Position};
use crate::{End, LayerIndex, Next, Outcome, Side};

/// A contract that a game violates, with a position that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    position: String,
    problem: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the rules do not hold together at {}: {}", self.position, self.problem)
    }
}

impl std::error::Error for Violation {}

/// Checks a layer of a game at up to `samples` classes for either side to move, evenly spread over
/// the index, or at all of them if there are fewer. Entries whose orbit is 0 are left out.
///
/// At each canonical position, and at each of its images:
/// - rank and unrank are inverse, images have the same rank, and the orbit has the size that the
///   index states;
/// - the notation reads back what it writes, codes decode, and the codes of images are ordered as
///   the images are;
/// - the sides alternate; moves lead only to `layer` and `lower_layers`, and stay only if
///   `stays_in_layer`;
/// - the positions inside a chain of jumps have the same side to move, and are in `lower_layers`,
///   each in a lower one than that before;
/// - every move that stays in the layer is undone by exactly one un-move, and every un-move by its
///   move;
/// - images have the same outcome and the same number of moves to each rank.
///
/// ```
/// use anser_core::Hunt;
/// anser_core::validate(&Hunt::default(), 5, 100)?;
/// # Ok::<(), anser_core::Violation>(())
/// ```
///
/// # Errors
/// The first violation.
pub fn validate(game: &Hunt, layer: u16, samples: u64) -> Result<(), Violation> {
    let index = game.index(layer);
    let lower = game.lower_layers(layer).into_iter().map(|lower| (lower, game.index(lower)));
    let layers = Layers { layer, index: &index, lower: lower.collect() };
    for side in Side::BOTH {
        let len = index.len(side);
        let count = samples.min(len);
        for sample in 0..count {
            // Evenly spread, without a product that could overflow.
            let rank = (u128::from(sample) * u128::from(len) / u128::from(count)) as u64;
            let position = index.unrank(side, rank);
            check_class(game, &layers, side, rank).map_err(|problem| Violation {
                position: game.format_position(&position),
                problem,
            })?;
        }
    }
    Ok(())
}

/// A layer, and the lower ones that its moves lead to.
struct Layers<'a> {
    layer: u16,
    index: &'a HuntIndex,
    lower: Vec<(u16, HuntIndex)>,
}

fn check_class(game: &Hunt, layers: &Layers<'_>, side: Side, rank: u64) -> Result<(), String> {
    let &Layers { layer, index, .. } = layers;
    let ensure = |right: bool, problem: &str| if right { Ok(()) } else { Err(problem.to_owned()) };
    let size = index.orbit(side, rank);
    if size == 0 {
        return Ok(());
    }
    let position = index.unrank(side, rank);
    ensure(game.layer(&position) == layer, "it is of another layer")?;
    ensure(position.to_move() == side, "another side is to move")?;
    let mut orbit: Vec<Position> =
        (0..game.symmetries()).map(|s| game.image(&position, s)).collect();
    ensure(orbit.first() == Some(&position), "symmetry 0 is not the identity")?;
    orbit.sort_unstable();
    orbit.dedup();
    ensure(orbit.len() as u64 == size, "the orbit has another size than the index says")?;
    let mut reference = None;
    for image in &orbit {
        ensure(index.rank(image) == rank, "an image has another rank")?;
        ensure(game.terminal(image) == game.terminal(&position), "an image ends otherwise")?;
        let successors = successors(game, layers, image)?;
        let same = reference.as_ref().is_none_or(|reference| *reference == successors);
        ensure(same, "an image has other moves")?;
        reference = Some(successors);
        let text = game.format_position(image);
        ensure(
            game.parse_position(&text).as_ref() == Ok(image),
            "its notation does not read back",
        )?;
        ensure(
            game.decode(game.encode(image)).as_ref() == Some(image),
            "its code does not decode to it",
        )?;
        check_inverse(game, layer, image)?;
    }
    let codes: Vec<u128> = orbit.iter().map(|image| game.encode(image)).collect();
    ensure(
        codes.is_sorted_by(|a, b| a < b),
        "the codes of its images are not ordered as the images are",
    )?;
    Ok(())
}

/// The layer and rank of a position, or the outcome of a game.
type Successor = Result<(u16, u64), Outcome>;

/// Returns the sorted results of the moves.
fn successors(
    game: &Hunt,
    &Layers { layer, index, ref lower }: &Layers<'_>,
    position: &Position,
) -> Result<Vec<Successor>, String> {
    let find = |to: u16| lower.iter().find(|(lower, _)| *lower == to);
    let side = position.to_move();
    let mut seen = Vec::new();
    let mut problem = None;
    let _ = game.visit_moves(position, |mv, next| {
        match next {
            Next::End(End { position: last, outcome, reason }) => {
                let reason = game.reason_text(reason);
                seen.push(Err(outcome));
                if game.decode(game.encode(&last)) != Some(last) {
                    let mv = game.format_move(&mv);
                    problem = Some(format!("the position after {mv} ({reason}) has no code"));
                } else if last.to_move() == side {
                    problem = Some(format!("{} does not pass the turn", game.format_move(&mv)));
                }
            }
            Next::Position(next) => {
                let to = game.layer(&next);
                if game.layer_after(layer, mv.kind(), &next) != to {
                    problem = Some(format!("{} leads to two layers", game.format_move(&mv)));
                }
                if next.to_move() == side {
                    problem = Some(format!("{} does not pass the turn", game.format_move(&mv)));
                } else if to == layer && !game.stays_in_layer(layer, side) {
                    problem = Some(format!("{} stays in the layer", game.format_move(&mv)));
                } else if to == layer {
                    seen.push(Ok((to, index.rank(&next))));
                } else if let Some((_, index)) = find(to) {
                    seen.push(Ok((to, index.rank(&next))));
                } else {
                    problem = Some(format!("{} leads to layer {to}", game.format_move(&mv)));
                }
            }
        }
        let inner = game.inner_positions(position, &mv);
        let mut left = position.pieces(side.other()).len();
        let is_inner = |inner: &Position| {
            left = left.saturating_sub(1);
            inner.to_move() == side && inner.pieces(side.other()).len() == left
        };
        if !(inner.is_empty() || game.has_chains()) || !inner.iter().all(is_inner) {
            problem = Some(format!("{} has other inner positions", game.format_move(&mv)));
        }
        if problem.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    seen.sort_unstable();
    match problem {
        Some(problem) => Err(problem),
        None if game.terminal(position).is_some() != seen.is_empty() => {
            Err("`terminal` and `visit_moves` disagree".into())
        }
        None => Ok(seen),
    }
}

fn check_inverse(game: &Hunt, layer: u16, position: &Position) -> Result<(), String> {
    let mut problem = None;
    let _ = game.visit_moves(position, |mv, next| {
        let Next::Position(next) = next else { return ControlFlow::Continue(()) };
        if game.layer(&next) != layer {
            return ControlFlow::Continue(());
        }
        let mut found = 0;
        let _ = game.visit_unmoves(&next, |unmove, from| {
            found += usize::from(unmove == mv && from == *position);
            ControlFlow::<()>::Continue(())
        });
        if found == 1 {
            ControlFlow::Continue(())
        } else {
            problem = Some(format!("{} is undone by {found} un-moves", game.format_move(&mv)));
            ControlFlow::Break(())
        }
    });
    let _ = game.visit_unmoves(position, |unmove, from| {
        let mut found = 0;
        let _ = game.visit_moves(&from, |mv, next| {
            found += usize::from(mv == unmove && next == Next::Position(*position));
            ControlFlow::<()>::Continue(())
        });
        if found == 1 {
            ControlFlow::Continue(())
        } else {
            problem = Some(format!(
                "the un-move of {} is redone by {found} moves",
                game.format_move(&unmove)
            ));
            ControlFlow::Break(())
        }
    });
    problem.map_or(Ok(()), Err)
}
