//! The games of the documents, and families of games by size, as descriptions.

use std::fmt;

use crate::hexapawn::BoardSize;
use crate::hounds::{Board, Color, SizeError};
use crate::hunt::board_rows::grid_name;
use crate::hunt::{BoardPoint, Condition, Description, EndRule, Layering, SideDescription};
use crate::{BLOCKED, Noun, Side};

/// Error of a family of games.
///
/// ```
/// use anser_core::hunt::fox_hounds;
/// let error = fox_hounds(8, "escaped").unwrap_err();
/// assert!(error.to_string().contains("has escape and strict"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FamilyError {
    /// No rule set has the id: the problem, and the ids that exist.
    Rules(String),
    /// There is no board of the size.
    Size(SizeError),
}

impl fmt::Display for FamilyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FamilyError::Rules(problem) => f.write_str(problem),
            FamilyError::Size(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FamilyError {}

impl From<SizeError> for FamilyError {
    fn from(error: SizeError) -> FamilyError {
        FamilyError::Size(error)
    }
}

/// Returns an error unless `id` is one of `ids`; `right` names them.
fn check_rules(id: &str, ids: &[&str], right: &str) -> Result<(), FamilyError> {
    if ids.contains(&id) {
        return Ok(());
    }
    Err(FamilyError::Rules(format!("no rule set is called {id:?}; {right}")))
}

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

/// Returns a point, named by its column and row, from 0.
fn grid_point((x, y): (i32, i32)) -> BoardPoint {
    BoardPoint { name: grid_name((x as usize, y as usize)), x, y }
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

/// The ids of the rule sets of [`fox_geese()`].
pub const FOX_GEESE_RULES: [&str; 18] = [
    "free",
    "free+orthogonal",
    "free+chain",
    "free+orthogonal+chain",
    "free+compulsory",
    "free+orthogonal+compulsory",
    "free+chain+compulsory",
    "free+orthogonal+chain+compulsory",
    "first-capture",
    "first-capture+orthogonal",
    "forward",
    "forward+orthogonal",
    "forward+chain",
    "forward+orthogonal+chain",
    "forward+compulsory",
    "forward+orthogonal+compulsory",
    "forward+chain+compulsory",
    "forward+orthogonal+chain+compulsory",
];

/// Switches of the rule sets of Fox-and-Geese, in the order of the ids.
const SWITCHES: [&str; 3] = ["orthogonal", "chain", "compulsory"];

/// Returns the base of a rule set of Fox-and-Geese, and whether each switch is on.
fn base_and_switches(rules: &str) -> Result<(&str, [bool; 3]), FamilyError> {
    let wrong = |problem: String| {
        let right = "a rule set is free, first-capture, or forward, with any of the switches \
                     +orthogonal, +chain, +compulsory after it";
        FamilyError::Rules(format!("{problem}; {right}"))
    };
    let mut parts = rules.split('+');
    let base = parts.next().unwrap_or_default();
    if !["free", "first-capture", "forward"].contains(&base) {
        return Err(wrong(format!("no rule set is called {base:?}")));
    }
    let mut on = [false; 3];
    for part in parts {
        let Some(number) = SWITCHES.iter().position(|&switch| switch == part) else {
            return Err(wrong(format!("no switch is called {part:?}")));
        };
        if std::mem::replace(&mut on[number], true) {
            return Err(wrong(format!("the switch {part:?} is given twice")));
        }
    }
    if base == "first-capture" && (on[1] || on[2]) {
        let problem = "with first-capture the fox wins by its first capture, so chain and \
                       compulsory captures change nothing";
        return Err(wrong(problem.into()));
    }
    Ok((base, on))
}

/// Returns Fox-and-Geese under a rule set.
///
/// The fox steps along a line or jumps over a goose and takes it; the geese step. A fox that cannot
/// move has lost. Geese that cannot move have lost, and so have fewer than four geese, because no
/// three can trap the fox.
///
/// A rule set is a base, followed by switches in any order: the description has its
/// [id](FOX_GEESE_RULES).
///
/// | base | |
/// |---|---|
/// | `free` | as in the paper: geese in any direction, captures optional, one jump per turn |
/// | `first-capture` | the fox wins with its first capture |
/// | `forward` | geese go sideways and toward rank 7 |
///
/// | switch | |
/// |---|---|
/// | `orthogonal` | the board has no diagonal lines |
/// | `chain` | the fox may jump several times in a turn |
/// | `compulsory` | a fox that can capture must |
///
/// ```
/// use anser_core::hunt::{Hunt, fox_geese};
/// let game = Hunt::new(fox_geese("free+compulsory+chain")?)?;
/// assert_eq!((game.symmetries(), game.layers()), (8, 1..=31));
/// assert_eq!(game.rules_id(), "free+chain+compulsory");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If no rule set has the id. With `first-capture`, `chain` and `compulsory` change nothing and are
/// no switches.
pub fn fox_geese(rules: &str) -> Result<Description, FamilyError> {
    /// Right, up-right, up, up-left, left, down-left, down, down-right.
    const DIRECTIONS: [(i32, i32); 8] =
        [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    let (base, switches) = base_and_switches(rules)?;
    let [orthogonal, chain, compulsory] = switches;
    let on = SWITCHES.iter().zip(switches).filter(|&(_, on)| on);
    let id = on.fold(base.to_owned(), |id, (switch, _)| id + "+" + switch);
    let exists = |x: i32, y: i32| {
        (0..7).contains(&x) && (0..7).contains(&y) && ((2..5).contains(&x) || (2..5).contains(&y))
    };
    let all = (0..7).flat_map(|y| (0..7).map(move |x| (x, y))).filter(|&(x, y)| exists(x, y));
    let points: Vec<_> = all.map(grid_point).collect();
    let at = |x: i32, y: i32| {
        points.iter().position(|point| (point.x, point.y) == (x, y)).map(|number| number as u8)
    };
    // Diagonal lines run through the points of the center's parity only.
    let has_line = |point: &BoardPoint, (dx, dy): (i32, i32)| {
        dx == 0 || dy == 0 || (!orthogonal && (point.x + point.y) % 2 == 0)
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
    (fox.jumps, fox.chain, fox.compulsory) = (jumps, chain, compulsory);
    geese.number = [1, 31];
    let first_capture =
        EndRule::new(Condition::Captured(Side::First), Side::First, "first capture");
    let too_few =
        EndRule::new(Condition::Fewer(Side::Second, 4), Side::First, "fewer than four geese");
    let mut ends = Vec::from(blocked());
    ends.insert(0, too_few);
    if base == "first-capture" {
        ends.insert(0, first_capture);
    }
    let mut description = Description {
        name: "fox-geese".into(),
        rules: id,
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
        description.steps_along_lines(|from, to| base != "forward" || to.y >= from.y);
    Ok(description)
}

/// The four diagonal directions: down-left, down-right, up-left, up-right.
const DIAGONALS: [(i32, i32); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// A piece that steps diagonally against a pack that steps diagonally up, on a board. Nothing ends
/// the game.
pub(super) fn diagonal_hunt(board: &Board, [lone, pack]: [SideDescription; 2]) -> Description {
    let (size, hounds, dark) = (board.size(), board.hounds(), board.color() == Color::Dark);
    let edge = size as i32;
    let squares = (0..edge).flat_map(|y| (0..edge).map(move |x| (x, y)));
    let points: Vec<BoardPoint> =
        squares.filter(|(x, y)| ((x + y) % 2 == 0) == dark).map(grid_point).collect();
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

/// Returns Fox-and-Hounds on `size` x `size` squares, 2, 4, ... or 12: a fox against `size / 2`
/// hounds.
///
/// The game is played on the light squares. The hounds start on the bottom row and step diagonally
/// up, one per turn; the fox starts on the top row, steps diagonally in any direction, and moves
/// first. There are no captures. A side to move without a move has lost.
///
/// | rule set | |
/// |---|---|
/// | `escape` | otherwise the fox has won, with either side to move, if no hound could step up to its own square, nor to at least one next to it, on an empty board |
/// | `strict` | nothing else ends the game |
///
/// ```
/// use anser_core::{Hunt, Outcome, Side};
/// let game = Hunt::fox_hounds(8, "escape")?;
/// assert_eq!(game.name(), "fox-hounds:8");
/// // Three hounds and the board's edge hold the fox.
/// let trapped = game.parse_position("1Fh1/hh2/2h1/4/4/4/4/4 f")?;
/// assert_eq!(game.terminal(&trapped), Some(Outcome::Win(Side::Second)));
/// // Behind the hounds it has escaped.
/// let escaped = game.parse_position("4/4/4/h1h1/4/Fhh1/4/4 h")?;
/// assert_eq!(game.terminal(&escaped), Some(Outcome::Win(Side::First)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If no rule set has the id, or there is no board of this size.
pub fn fox_hounds(size: usize, rules: &str) -> Result<Description, FamilyError> {
    check_rules(rules, &["escape", "strict"], "fox-hounds:8 has escape and strict")?;
    let sides = [
        side("fox", "fox", ['F', 'f'], Noun::Singular, Vec::new()),
        side("hounds", "hound", ['h', 'h'], Noun::Plural, Vec::new()),
    ];
    let mut description = diagonal_hunt(Board::with_hounds(size, Color::Light, size / 2)?, sides);
    description.name = format!("fox-hounds:{size}");
    description.rules = rules.into();
    // Column by column from the left, and upward in each.
    let mut order: Vec<u8> = (0..description.points.len() as u8).collect();
    order.sort_by_key(|&point| {
        let point = &description.points[usize::from(point)];
        (point.x, point.y)
    });
    description.sides[1].order = order;
    description.ends = blocked().into();
    if rules == "escape" {
        description.ends.push(EndRule::new(Condition::Escaped, Side::First, "escaped"));
    }
    Ok(description)
}

/// Returns Hasenspiel, the rabbit's game, on `size` x `size` squares, 2, 4, ... or 12, against
/// `pawns`.
///
/// The game is played on the dark squares, the mirror image of [Fox-and-Hounds](fox_hounds()) on
/// 8 x 8. The pawns start on the bottom row and step diagonally up, one per turn; the rabbit
/// starts on d8, steps diagonally in any direction, and moves first. There are no captures. The
/// pawns win when the rabbit cannot move; the rabbit wins when it gets through, or when the pawns
/// cannot move.
///
/// Squares are numbered 0 to 31 from a1, row by row from the bottom; the rabbit starts on 29. On
/// `n` x `n` squares it starts on number `n * n / 2 - 1 - n / 4`, each rounded down, and the pawns
/// on the first numbers, as in the program of the document, whose sizes are parameters.
///
/// | rule set | |
/// |---|---|
/// | `literal` | as written: the rabbit has won on the bottom row; otherwise a side to move without a move has lost |
/// | `author` | the test in the program of the document's author, for comparison with its figures: the rabbit has won if the number of its square is less than that of the lowest pawn plus 3 (on other boards, plus the squares of a row less one); otherwise a side to move without a move has lost |
///
/// The document does not define the order of the tests. It matters only for a rabbit to move that
/// has got through to the bottom row and is blocked there: it has won. No play from the start leads
/// to such a position.
///
/// ```
/// use anser_core::{Hunt, Outcome, Side};
/// let [literal, author] = [Hunt::hasenspiel(8, 4, "literal")?, Hunt::hasenspiel(8, 4, "author")?];
/// assert_eq!(literal.format_position(&literal.start()), "1W2/4/4/4/4/4/4/bbbb w");
/// // The rabbit has got past all pawns, but is still on the way to the bottom row.
/// let past = literal.parse_position("4/4/4/4/4/Wbbb/3b/4 b")?;
/// assert_eq!(literal.terminal(&past), None);
/// assert_eq!(author.terminal(&past), Some(Outcome::Win(Side::First)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If no rule set has the id, there is no board of this size, or the pawns do not fit on its bottom
/// row.
pub fn hasenspiel(size: usize, pawns: usize, rules: &str) -> Result<Description, FamilyError> {
    check_rules(rules, &["literal", "author"], "hasenspiel has literal and author")?;
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
    description.rules = rules.into();
    let width = size as u8 / 2;
    let home = match rules {
        "author" => Condition::Behind(width - 1),
        _ => Condition::Reached(Side::First, (0..width).collect()),
    };
    description.ends = blocked().into();
    description.ends.insert(0, EndRule::new(home, Side::First, "home"));
    Ok(description)
}

/// Returns Hare-and-Hounds on eleven points: three hounds, which never go to the left, against a
/// hare, which goes anywhere.
///
/// The hare wins on point 4. A side to move that cannot move has lost. Hounds may step up and down,
/// so positions can repeat.
///
/// | rule set | |
/// |---|---|
/// | `budget-N` | the hare has won when N plies are played, 1 to 200 of both sides: 60 in the document; layer `n` holds the positions with `n` plies left |
/// | `unlimited` | endless play is possible, and a draw; a layer holds the positions whose hounds have the same number of columns to go to the right |
///
/// ```
/// use anser_core::{Hunt, Outcome, Side};
/// let game = Hunt::hare_hounds("budget-60")?;
/// assert_eq!(game.format_position(&game.start()), "h2/h3R/h2 h");
/// // Three hounds trap the hare on point 8, its own end of the board.
/// let trapped = game.parse_position("2h/3hR/2h r")?;
/// assert_eq!(game.terminal(&trapped), Some(Outcome::Win(Side::Second)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If no rule set has the id.
pub fn hare_hounds(rules: &str) -> Result<Description, FamilyError> {
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
    let budget = budget(rules)?;
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
    Ok(Description {
        name: "hare-hounds".into(),
        rules: rules.into(),
        points: points.collect(),
        lines: LINES.iter().map(|line| line.iter().map(|point| point - 1).collect()).collect(),
        point_word: "points".into(),
        sides: [hare, hounds],
        first_to_move: Side::Second,
        ends,
        plies: budget,
        endless: None,
        layers: if budget.is_some() { Layering::Plies } else { Layering::Advance },
    })
}

/// Returns the greatest number of plies under a rule set of Hare-and-Hounds.
fn budget(rules: &str) -> Result<Option<u8>, FamilyError> {
    let problem = match rules.strip_prefix("budget-") {
        None if rules == "unlimited" => return Ok(None),
        None => format!("no rule set is called {rules:?}"),
        Some(plies) => {
            let plain = plies.bytes().all(|b| b.is_ascii_digit()) && !plies.starts_with('0');
            match plies.parse() {
                Ok(plies @ 1..=200) if plain => return Ok(Some(plies)),
                Ok(plies @ 201..) if plain => format!("a budget of {plies} plies is not offered"),
                _ => format!("{plies:?} is no budget"),
            }
        }
    };
    let right = "a rule set is unlimited, or budget-N with N plies from 1 to 200, as budget-60";
    Err(FamilyError::Rules(format!("{problem}; {right}")))
}

/// Returns Hexapawn on a board of a size. It has one rule set.
///
/// ```
/// use anser_core::hunt::{Hunt, hexapawn};
/// let game = Hunt::new(hexapawn("3x3".parse()?))?;
/// assert_eq!(game.format_position(&game.start()), "ppp/3/PPP w");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hexapawn(size: BoardSize) -> Description {
    let (columns, rows) = (size.columns(), size.rows());
    let squares = (0..rows).flat_map(|y| (0..columns).map(move |x| (i32::from(x), i32::from(y))));
    let points: Vec<BoardPoint> = squares.map(grid_point).collect();
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
