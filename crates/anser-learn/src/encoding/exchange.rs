//! The map of the board under which the sides of a game change places.

use anser_core::Side;
use anser_core::hunt::{Condition, Description, EndRule, SideDescription};

/// Returns the image of each point under a reflection or rotation of the board that makes each side
/// the other: pieces, moves, and ends. `None` if there is none, as in most hunts.
pub(super) fn exchange(description: &Description) -> Option<Vec<u8>> {
    let points = &description.points;
    let (xs, ys) = (|| points.iter().map(|at| at.x), || points.iter().map(|at| at.y));
    let (across, up) = (xs().min()? + xs().max()?, ys().min()? + ys().max()?);
    // Upside down, half a turn, and left to right, in this order.
    let maps: [&dyn Fn(i32, i32) -> (i32, i32); 3] =
        [&|x, y| (x, up - y), &|x, y| (across - x, up - y), &|x, y| (across - x, y)];
    maps.into_iter().find_map(|map| {
        let image = |at: (i32, i32)| {
            points.iter().position(|point| (point.x, point.y) == at).map(|number| number as u8)
        };
        let images = points.iter().map(|point| image(map(point.x, point.y)));
        let images = images.collect::<Option<Vec<u8>>>()?;
        is_exchange(description, &images).then_some(images)
    })
}

fn is_exchange(description: &Description, images: &[u8]) -> bool {
    let unmoved: Vec<u8> = (0..images.len() as u8).collect();
    // What the rules say about a side, with the images of the points, in one order.
    let rules = |side: &SideDescription, images: &[u8]| {
        let lists = (
            mapped(&side.steps, images),
            mapped(&side.jumps, images),
            mapped(&side.captures, images),
            mapped(side.region.as_chunks::<1>().0, images),
            mapped(side.start.as_chunks::<1>().0, images),
        );
        (side.number, side.hand, side.chain, side.compulsory, lists)
    };
    let [few, many] = &description.sides;
    let same_side = |from, to| rules(from, images) == rules(to, &unmoved);
    let has = |rule: &EndRule| {
        exchanged(&rule.condition, images).is_some_and(|condition| {
            description.ends.iter().any(|other| {
                sorted(&condition) == sorted(&other.condition)
                    && rule.winner.other() == other.winner
                    && rule.to_move.map(Side::other) == other.to_move
                    && rule.after_placement == other.after_placement
                    && rule.except_start == other.except_start
            })
        })
    };
    same_side(few, many) && same_side(many, few) && description.ends.iter().all(has)
}

/// Returns the images of lists of points, in ascending order.
fn mapped<const N: usize>(lists: &[[u8; N]], images: &[u8]) -> Vec<[u8; N]> {
    let image = |list: &[u8; N]| list.map(|point| images[usize::from(point)]);
    let mut lists: Vec<_> = lists.iter().map(image).collect();
    lists.sort_unstable();
    lists
}

/// Returns a condition with its points in ascending order.
fn sorted(condition: &Condition) -> Condition {
    let mut condition = condition.clone();
    if let Some(points) = condition.points_mut() {
        points.sort_unstable();
    }
    condition
}

/// Returns the condition with the sides exchanged; `None` if it has no counterpart.
fn exchanged(condition: &Condition, images: &[u8]) -> Option<Condition> {
    let mut condition = match condition {
        Condition::Blocked(side) => Condition::Blocked(side.other()),
        Condition::Captured(side) => Condition::Captured(side.other()),
        Condition::Fewer(side, number) => Condition::Fewer(side.other(), *number),
        Condition::Reached(side, points) => Condition::Reached(side.other(), points.clone()),
        Condition::Arrived(side, points) => Condition::Arrived(side.other(), points.clone()),
        Condition::Filled(side, points) => Condition::Filled(side.other(), points.clone()),
        Condition::Escaped | Condition::Behind(_) | Condition::OutOfPlies => return None,
    };
    for point in condition.points_mut().into_iter().flatten() {
        *point = images[usize::from(*point)];
    }
    Some(condition)
}
