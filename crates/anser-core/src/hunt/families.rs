//! The games of the documents, and families of games by size, as descriptions.

use crate::fox_geese::{Base, RuleSet};
use crate::hounds::{Board, Color, SizeError};
use crate::hunt::{BoardPoint, Condition, Description, EndRule, Layering, SideDescription};
use crate::{BLOCKED, Noun, Side, fox_hounds, hasenspiel, hexapawn};

/// A side without moves, with all its pieces on the board.
fn side(
    name: &str,
    piece: &str,
    letters: [char; 2],
    noun: Noun,
    start: Vec<u8>,
) -> SideDescription {
    let number = start.len() as u8;
    SideDescription {
        name: name.into(),
        noun,
        piece: piece.into(),
        letter: letters[0],
        turn: letters[1],
        number: [number, number],
        start,
        ..SideDescription::default()
    }
}

/// A side that cannot move has lost.
fn blocked() -> [EndRule; 2] {
    Side::BOTH.map(|side| EndRule::new(Condition::Blocked(side), side.other(), BLOCKED))
}

/// Returns the name of a point by its column and row, from 0.
fn grid_name(x: i32, y: i32) -> String {
    format!("{}{}", char::from(b'a' + x as u8), y + 1)
}

/// Returns the pairs of points that the directions lead to, in the order of the points and then of
/// the directions.
fn along(points: &[BoardPoint], directions: &[(i32, i32)]) -> Vec<[u8; 2]> {
    let at = |x, y| points.iter().position(|point| (point.x, point.y) == (x, y));
    let of = |(from, point): (usize, &BoardPoint)| {
        let (x, y) = (point.x, point.y);
        let targets = directions.iter().filter_map(move |&(dx, dy)| at(x + dx, y + dy));
        targets.map(|to| [from as u8, to as u8]).collect::<Vec<_>>()
    };
    points.iter().enumerate().flat_map(of).collect()
}

/// Returns Fox-and-Geese under a rule set.
///
/// ```
/// use anser_core::hunt::{Hunt, fox_geese};
/// let game = Hunt::new(fox_geese("free+chain".parse()?))?;
/// assert_eq!((game.symmetries(), game.layers()), (8, 1..=31));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fox_geese(rules: RuleSet) -> Description {
    /// Right, up-right, up, up-left, left, down-left, down, down-right.
    const DIRECTIONS: [(i32, i32); 8] =
        [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    let exists = |x: i32, y: i32| {
        (0..7).contains(&x) && (0..7).contains(&y) && ((2..5).contains(&x) || (2..5).contains(&y))
    };
    let all = (0..7).flat_map(|y| (0..7).map(move |x| (x, y))).filter(|&(x, y)| exists(x, y));
    let points: Vec<_> = all.map(|(x, y)| BoardPoint { name: grid_name(x, y), x, y }).collect();
    let at = |x: i32, y: i32| {
        points.iter().position(|point| (point.x, point.y) == (x, y)).map(|number| number as u8)
    };
    // Diagonal lines run through the points of the center's parity only.
    let has_line = |point: &BoardPoint, (dx, dy): (i32, i32)| {
        dx == 0 || dy == 0 || (!rules.orthogonal() && (point.x + point.y) % 2 == 0)
    };
    let (mut lines, mut jumps) = (Vec::new(), Vec::new());
    for (from, point) in points.iter().enumerate() {
        for (number, &(dx, dy)) in DIRECTIONS.iter().enumerate() {
            let beyond = |steps: i32| at(point.x + steps * dx, point.y + steps * dy);
            if !has_line(point, (dx, dy)) {
                continue;
            }
            if let (Some(over), Some(to)) = (beyond(1), beyond(2)) {
                jumps.push([from as u8, over, to]);
            }
            // Each line once: from its end, in one of the first four directions.
            if number < 4 && beyond(-1).is_none() && beyond(1).is_some() {
                lines.push((0..).map_while(beyond).collect());
            }
        }
    }
    let low = (0..points.len() as u8).filter(|&point| points[usize::from(point)].y < 3);
    let mut fox = side("fox", "fox", ['F', 'f'], Noun::Singular, vec![16]);
    let mut geese = side("geese", "goose", ['g', 'g'], Noun::Plural, low.collect());
    (fox.jumps, fox.chain, fox.compulsory) = (jumps, rules.chain(), rules.compulsory());
    geese.number = [1, 31];
    let first_capture =
        EndRule::new(Condition::Captured(Side::First), Side::First, "first capture");
    let too_few =
        EndRule::new(Condition::Fewer(Side::Second, 4), Side::First, "fewer than four geese");
    let mut ends = Vec::from(blocked());
    ends.insert(0, too_few);
    if rules.base() == Base::FirstCapture {
        ends.insert(0, first_capture);
    }
    let mut description = Description {
        name: "fox-geese".into(),
        rules: rules.to_string(),
        points,
        lines,
        point_word: "points".into(),
        sides: [fox, geese],
        first_to_move: Side::First,
        ends,
        plies: None,
        endless: None,
        layers: Layering::Pieces,
    };
    description.sides[0].steps = description.steps_along_lines(|_, _| true);
    description.sides[1].steps =
        description.steps_along_lines(|from, to| rules.base() != Base::Forward || to.y >= from.y);
    description
}

/// The four diagonal directions: down-left, down-right, up-left, up-right.
const DIAGONALS: [(i32, i32); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// A piece that steps diagonally against a pack that steps diagonally up, on a board. Nothing ends
/// the game.
pub(super) fn diagonal_hunt(board: &Board, [lone, pack]: [SideDescription; 2]) -> Description {
    let (size, hounds, dark) = (board.size(), board.hounds(), board.color() == Color::Dark);
    let edge = size as i32;
    let squares = (0..edge).flat_map(|y| (0..edge).map(move |x| (x, y)));
    let points: Vec<BoardPoint> = squares
        .filter(|(x, y)| ((x + y) % 2 == 0) == dark)
        .map(|(x, y)| BoardPoint { name: grid_name(x, y), x, y })
        .collect();
    let width = size / 2;
    let place = if dark { width - 1 - width / 2 } else { width / 2 };
    let steps = along(&points, &DIAGONALS);
    let up = along(&points, &DIAGONALS[2..]);
    let start = vec![(points.len() - width + place) as u8];
    let number = [hounds as u8; 2];
    Description {
        name: String::new(),
        rules: String::new(),
        points,
        lines: Vec::new(),
        point_word: "playable squares".into(),
        sides: [
            SideDescription { start, steps, number: [1, 1], ..lone },
            SideDescription { start: (0..hounds as u8).collect(), steps: up, number, ..pack },
        ],
        first_to_move: Side::First,
        ends: Vec::new(),
        plies: None,
        endless: None,
        layers: Layering::Advance,
    }
}

/// Returns Fox-and-Hounds on `size` x `size` squares, 2, 4, ... or 12.
///
/// ```
/// use anser_core::fox_hounds::RuleSet;
/// use anser_core::hunt::{Hunt, fox_hounds};
/// let game = Hunt::new(fox_hounds(6, RuleSet::Escape)?)?;
/// assert_eq!(game.format_position(&game.start()), "1F1/3/3/3/3/hhh f");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is no board of this size.
pub fn fox_hounds(size: usize, rules: fox_hounds::RuleSet) -> Result<Description, SizeError> {
    let sides = [
        side("fox", "fox", ['F', 'f'], Noun::Singular, Vec::new()),
        side("hounds", "hound", ['h', 'h'], Noun::Plural, Vec::new()),
    ];
    let mut description = diagonal_hunt(Board::with_hounds(size, Color::Light, size / 2)?, sides);
    description.name = format!("fox-hounds:{size}");
    description.rules = rules.to_string();
    // Column by column from the left, and upward in each.
    let mut order: Vec<u8> = (0..description.points.len() as u8).collect();
    order.sort_by_key(|&point| {
        let point = &description.points[usize::from(point)];
        (point.x, point.y)
    });
    description.sides[1].order = order;
    description.ends = blocked().into();
    if rules == fox_hounds::RuleSet::Escape {
        description.ends.push(EndRule::new(Condition::Escaped, Side::First, "escaped"));
    }
    Ok(description)
}

/// Returns Hasenspiel on `size` x `size` squares, 2, 4, ... or 12, against `pawns`.
///
/// ```
/// use anser_core::hasenspiel::RuleSet;
/// use anser_core::hunt::{Hunt, hasenspiel};
/// let game = Hunt::new(hasenspiel(8, 4, RuleSet::Literal)?)?;
/// assert_eq!(game.format_position(&game.start()), "1W2/4/4/4/4/4/4/bbbb w");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is no board of this size, or the pawns do not fit on its bottom row.
pub fn hasenspiel(
    size: usize,
    pawns: usize,
    rules: hasenspiel::RuleSet,
) -> Result<Description, SizeError> {
    let sides = [
        side("rabbit", "rabbit", ['W', 'w'], Noun::Singular, Vec::new()),
        side("pawns", "pawn", ['b', 'b'], Noun::Plural, Vec::new()),
    ];
    let mut description = diagonal_hunt(Board::with_hounds(size, Color::Dark, pawns)?, sides);
    description.name = match (size, pawns) {
        (8, 4) => "hasenspiel".into(),
        _ if pawns == size / 2 => format!("hasenspiel:{size}"),
        _ => format!("hasenspiel:{size}-{pawns}"),
    };
    description.rules = rules.to_string();
    let width = size as u8 / 2;
    let home = match rules {
        hasenspiel::RuleSet::Literal => Condition::Reached(Side::First, (0..width).collect()),
        hasenspiel::RuleSet::Author => Condition::Behind(width - 1),
    };
    description.ends = blocked().into();
    description.ends.insert(0, EndRule::new(home, Side::First, "home"));
    Ok(description)
}

/// Returns Hare-and-Hounds with a limit of plies, or without.
///
/// ```
/// use anser_core::hunt::{Hunt, hare_hounds};
/// let game = Hunt::new(hare_hounds(Some(60)))?;
/// assert_eq!(game.rules_id(), "budget-60");
/// # Ok::<(), anser_core::hunt::Problem>(())
/// ```
pub fn hare_hounds(budget: Option<u8>) -> Description {
    // By point: column, row, steps of the hare, and steps of a hound, to points numbered from 1.
    type Row = (i32, i32, &'static [u8], &'static [u8]);
    const BOARD: [Row; 11] = [
        (1, 2, &[2, 4, 5, 6], &[2, 5, 6]),
        (2, 2, &[1, 3, 6], &[3, 6]),
        (3, 2, &[2, 6, 7, 8], &[7, 8]),
        (0, 1, &[1, 5, 9], &[1, 5, 9]),
        (1, 1, &[1, 4, 6, 9], &[1, 6, 9]),
        (2, 1, &[1, 2, 3, 5, 7, 9, 10, 11], &[2, 3, 7, 10, 11]),
        (3, 1, &[3, 6, 8, 11], &[3, 8, 11]),
        (4, 1, &[3, 7, 11], &[]),
        (1, 0, &[4, 5, 6, 10], &[5, 6, 10]),
        (2, 0, &[6, 9, 11], &[6, 11]),
        (3, 0, &[6, 7, 8, 10], &[7, 8]),
    ];
    const LINES: [&[u8]; 12] = [
        &[1, 2, 3],
        &[4, 5, 6, 7, 8],
        &[9, 10, 11],
        &[1, 5, 9],
        &[2, 6, 10],
        &[3, 7, 11],
        &[1, 6, 11],
        &[9, 6, 3],
        &[4, 1],
        &[4, 9],
        &[3, 8],
        &[11, 8],
    ];
    let points = BOARD.iter().zip(1..).map(|(&(x, y, ..), number)| BoardPoint {
        name: format!("{number}"),
        x,
        y,
    });
    let steps = |of: fn(&Row) -> &'static [u8]| {
        let from = |(from, row): (u8, &'static Row)| of(row).iter().map(move |to| [from, to - 1]);
        (0u8..).zip(&BOARD).flat_map(from).collect()
    };
    let mut hare = side("hare", "hare", ['R', 'r'], Noun::Singular, vec![7]);
    let mut hounds = side("hounds", "hound", ['h', 'h'], Noun::Plural, vec![0, 3, 8]);
    hare.steps = steps(|row| row.2);
    hounds.steps = steps(|row| row.3);
    let mut ends =
        vec![EndRule::new(Condition::Reached(Side::First, vec![3]), Side::First, "home")];
    if budget.is_some() {
        ends.push(EndRule::new(Condition::OutOfPlies, Side::First, "out of plies"));
    }
    ends.extend(blocked());
    Description {
        name: "hare-hounds".into(),
        rules: budget.map_or("unlimited".into(), |plies| format!("budget-{plies}")),
        points: points.collect(),
        lines: LINES.iter().map(|line| line.iter().map(|point| point - 1).collect()).collect(),
        point_word: "points".into(),
        sides: [hare, hounds],
        first_to_move: Side::Second,
        ends,
        plies: budget,
        endless: None,
        layers: if budget.is_some() { Layering::Plies } else { Layering::Advance },
    }
}

/// Returns Hexapawn on a board of a size.
///
/// ```
/// use anser_core::hunt::{Hunt, hexapawn};
/// let game = Hunt::new(hexapawn("3x3".parse()?))?;
/// assert_eq!(game.format_position(&game.start()), "ppp/3/PPP w");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hexapawn(size: hexapawn::BoardSize) -> Description {
    let (columns, rows) = (size.columns(), size.rows());
    let squares = (0..rows).flat_map(|y| (0..columns).map(move |x| (i32::from(x), i32::from(y))));
    let points: Vec<BoardPoint> =
        squares.map(|(x, y)| BoardPoint { name: grid_name(x, y), x, y }).collect();
    let bottom: Vec<u8> = (0..columns).collect();
    let top: Vec<u8> = (columns * (rows - 1)..columns * rows).collect();
    let mut white = side("white", "white pawn", ['P', 'w'], Noun::Name, bottom.clone());
    let mut black = side("black", "black pawn", ['p', 'b'], Noun::Name, top.clone());
    for (side, forward) in [(&mut white, 1), (&mut black, -1)] {
        side.number = [0, columns];
        side.steps = along(&points, &[(0, forward)]);
        side.captures = along(&points, &[(-1, forward), (1, forward)]);
    }
    let far_row =
        |side: Side, points| EndRule::new(Condition::Arrived(side, points), side, "far row");
    let mut ends = vec![far_row(Side::First, top), far_row(Side::Second, bottom)];
    ends.extend(
        Side::BOTH.map(|side| EndRule::new(Condition::Fewer(side, 1), side.other(), "no pawns")),
    );
    ends.extend(blocked());
    Description {
        name: format!("hexapawn:{size}"),
        rules: "standard".into(),
        points,
        lines: Vec::new(),
        point_word: "squares".into(),
        sides: [white, black],
        first_to_move: Side::First,
        ends,
        plies: None,
        endless: None,
        layers: Layering::Advance,
    }
}
