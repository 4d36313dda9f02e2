//! The map of the board under which the sides of a game change places.

use anser_core::Side;
use anser_core::hunt::{Condition, Description, EndRule, SideDescription};

/// Returns the image of each point under a reflection or rotation of the board that makes each side
/// the other: pieces, moves, and ends. `None` if there is none, as in most hunts.
pub(super) fn exchange(description: &Description) -> Option<Vec<u8>> {
    let points = &description.points;
    let least = |of: fn(&(i32, i32)) -> i32| {
        points.iter().map(|point| of(&(point.x, point.y))).min().unwrap_or(0)
    };
    let greatest = |of: fn(&(i32, i32)) -> i32| {
        points.iter().map(|point| of(&(point.x, point.y))).max().unwrap_or(0)
    };
    let [left, right] = [least(|at| at.0), greatest(|at| at.0)];
    let [low, high] = [least(|at| at.1), greatest(|at| at.1)];
    // Upside down, half a turn, and left to right, in this order.
    let maps: [&dyn Fn(i32, i32) -> (i32, i32); 3] =
        [&|x, y| (x, low + high - y), &|x, y| (left + right - x, low + high - y), &|x, y| {
            (left + right - x, y)
        }];
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
    let [few, many] = &description.sides;
    let same_side = |from: &SideDescription, to: &SideDescription| {
        (from.number, from.hand, from.chain, from.compulsory)
            == (to.number, to.hand, to.chain, to.compulsory)
            && same(&mapped(&from.steps, images), &to.steps)
            && same(&mapped(&from.jumps, images), &to.jumps)
            && same(&mapped(&from.captures, images), &to.captures)
            && same(&mapped(std::slice::from_ref(&from.region), images)[0], &to.region)
            && same(&mapped(std::slice::from_ref(&from.start), images)[0], &to.start)
    };
    let has = |rule: &EndRule| {
        exchanged(&rule.condition, images).is_some_and(|condition| {
            description.ends.iter().any(|other| {
                same_condition(&condition, &other.condition)
                    && rule.winner.other() == other.winner
                    && rule.to_move.map(Side::other) == other.to_move
                    && rule.after_placement == other.after_placement
                    && rule.except_start == other.except_start
            })
        })
    };
    same_side(few, many) && same_side(many, few) && description.ends.iter().all(has)
}

/// Returns the images of lists of points.
fn mapped<L: AsMut<[u8]> + Clone>(lists: &[L], images: &[u8]) -> Vec<L> {
    let mut lists = lists.to_vec();
    for point in lists.iter_mut().flat_map(|list| list.as_mut().iter_mut()) {
        *point = images[usize::from(*point)];
    }
    lists
}

/// Whether two lists have the same entries.
fn same<T: Ord + Clone>(one: &[T], other: &[T]) -> bool {
    let [one, other] = [one, other].map(|list| {
        let mut list = list.to_vec();
        list.sort();
        list
    });
    one == other
}

fn same_condition(one: &Condition, other: &Condition) -> bool {
    let sorted = |condition: &Condition| {
        let mut condition = condition.clone();
        if let Some(points) = condition.points_mut() {
            points.sort_unstable();
        }
        condition
    };
    sorted(one) == sorted(other)
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
