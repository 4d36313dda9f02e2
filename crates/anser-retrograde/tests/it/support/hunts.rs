//! Small hunts that have every feature of a description.
#![allow(unreachable_pub)]

use anser_core::hexapawn::BoardSize;
use anser_core::hunt::{
    BoardPoint, Condition, Description, EndRule, Layering, SideDescription, fox_hounds,
    hare_hounds, hexapawn,
};
use anser_core::{BLOCKED, Noun, Side};

/// A board of `columns` x `rows` points with all straight lines, and diagonals through the points
/// of even color.
fn alquerque(name: &str, columns: i32, rows: i32) -> Description {
    let mut description = hare_hounds("unlimited").expect("a rule set");
    let at = |x: i32, y: i32| {
        let there = (0..columns).contains(&x) && (0..rows).contains(&y);
        there.then_some((y * columns + x) as u8)
    };
    description.points = (0..rows)
        .flat_map(|y| (0..columns).map(move |x| (x, y)))
        .map(|(x, y)| BoardPoint { name: format!("{}{}", char::from(b'a' + x as u8), y + 1), x, y })
        .collect();
    description.lines = Vec::new();
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
        for point in &description.points {
            let is_line = dx == 0 || dy == 0 || (point.x + point.y) % 2 == 0;
            if is_line && at(point.x - dx, point.y - dy).is_none() {
                let line: Vec<u8> =
                    (0..).map_while(|step| at(point.x + step * dx, point.y + step * dy)).collect();
                description.lines.extend((line.len() > 1).then_some(line));
            }
        }
    }
    description.name = name.into();
    description.rules = "standard".into();
    let piece = SideDescription {
        name: "tigers".into(),
        noun: Noun::Plural,
        piece: "tiger".into(),
        letter: 'T',
        turn: 't',
        steps: description.steps_along_lines(|_, _| true),
        ..SideDescription::default()
    };
    let goats = SideDescription {
        name: "goats".into(),
        piece: "goat".into(),
        letter: 'g',
        turn: 'g',
        ..piece.clone()
    };
    description.sides = [piece, goats];
    description.ends =
        Side::BOTH.map(|side| EndRule::new(Condition::Blocked(side), side.other(), BLOCKED)).into();
    description
}

/// Tigers that jump, and goats in hand: `captured` of them win.
fn tigers(name: &str, tigers: &[u8], goats: u8, captured: u8) -> Description {
    let mut description = alquerque(name, 3, 3);
    let jumps = description.jumps_along_lines();
    let [few, many] = &mut description.sides;
    (few.number, few.start, few.jumps) = ([tigers.len() as u8; 2], tigers.to_vec(), jumps);
    (many.number, many.hand) = ([goats - captured, goats], goats);
    let left = goats - captured + 1;
    let won = EndRule::new(Condition::Fewer(Side::Second, left), Side::First, "captured enough");
    description.ends.insert(0, won);
    description.first_to_move = Side::Second;
    description.layers = Layering::Placement;
    description
}

/// Small games with every feature.
pub fn small() -> Vec<Description> {
    let mut all = vec![tigers("tigers", &[0, 8], 4, 2), tigers("tiger", &[4], 5, 3)];
    let mut chains = tigers("chains", &[4], 5, 4);
    chains.sides[0].chain = true;
    all.push(chains.clone());
    chains.name = "must".into();
    chains.sides[0].compulsory = true;
    all.push(chains);
    // The tiger is placed, too, not in the middle; blocked while goats are in hand, it passes.
    let mut placed = tigers("placed", &[], 4, 2);
    (placed.sides[0].number, placed.sides[0].hand) = ([1, 1], 1);
    placed.sides[0].region = vec![0, 1, 2, 3, 5, 6, 7, 8];
    placed.ends[1].after_placement = true;
    placed.first_to_move = Side::First;
    all.push(placed);

    // Without hands: forward geese, compulsory jumps, blocked geese pass.
    let mut geese = alquerque("geese", 3, 4);
    geese.sides[0].start = vec![10];
    geese.sides[0].jumps = geese.jumps_along_lines();
    geese.sides[0].compulsory = true;
    (geese.sides[1].start, geese.sides[1].number) = (vec![0, 1, 2, 3, 5], [2, 5]);
    geese.sides[1].steps = geese.steps_along_lines(|from, to| to.y >= from.y);
    geese.layers = Layering::Pieces;
    geese.ends.truncate(1);
    geese.ends.insert(0, EndRule::new(Condition::Fewer(Side::Second, 3), Side::First, "few geese"));
    all.push(geese.clone());
    geese.name = "first".into();
    let captured = EndRule::new(Condition::Captured(Side::First), Side::First, "first capture");
    geese.ends.insert(0, captured);
    all.push(geese);

    // A goal that counts once the few have moved, a goal of the many, and a forbidden point.
    let mut race = alquerque("race", 3, 3);
    race.sides[0].start = vec![1];
    (race.sides[1].start, race.sides[1].number) = (vec![6, 8], [2, 2]);
    race.sides[1].steps = race.steps_along_lines(|from, to| to.y <= from.y);
    race.ends = vec![
        EndRule {
            to_move: Some(Side::Second),
            except_start: true,
            ..EndRule::new(Condition::Reached(Side::First, vec![1]), Side::First, "back home")
        },
        EndRule::new(Condition::Reached(Side::First, vec![7]), Side::Second, "lost its way"),
        EndRule::new(Condition::Filled(Side::Second, vec![0, 2]), Side::Second, "filled"),
    ];
    race.layers = Layering::Advance;
    all.push(race.clone());
    // The same in any direction, with a limit of plies.
    race.name = "short".into();
    race.sides[1].steps = race.steps_along_lines(|_, _| true);
    race.plies = Some(6);
    race.layers = Layering::Plies;
    race.ends.push(EndRule::new(Condition::OutOfPlies, Side::Second, "out of plies"));
    all.push(race);

    // Nearly games that have numberings of their own: Hexapawn with a goal that the mirror moves,
    // and Fox-and-Hounds where a blocked fox passes.
    let mut lopsided = hexapawn(BoardSize::THREE);
    lopsided.name = "lopsided".into();
    let goal = EndRule::new(Condition::Reached(Side::First, vec![3]), Side::First, "goal");
    lopsided.ends.insert(0, goal);
    all.push(lopsided);
    let mut passing = fox_hounds(4, "escape").expect("a rule set");
    passing.name = "passing".into();
    passing.ends[0].to_move = Some(Side::Second);
    all.push(passing);
    all
}
