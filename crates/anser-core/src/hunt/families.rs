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

/// A side without moves and a start.
fn side(name: &str, piece: &str, [letter, turn]: [char; 2], noun: Noun) -> SideDescription {
    let (name, piece) = (name.into(), piece.into());
    SideDescription { name, noun, piece, letter, turn, ..SideDescription::default() }
}

/// A game on squares, without a name and ends. The few move first, and moves lead forward.
fn on_squares(points: Vec<BoardPoint>, word: &str, sides: [SideDescription; 2]) -> Description {
    Description {
        name: String::new(),
        rules: String::new(),
        points,
        lines: Vec::new(),
        point_word: word.into(),
        sides,
        first_to_move: Side::First,
        ends: Vec::new(),
        plies: None,
        endless: None,
        layers: Layering::Advance,
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

/// Returns the description that a file of this directory has.
fn of_text(text: &str) -> Description {
    Description::from_text(text).expect("a test makes the games of all files")
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
    let (base, switches) = base_and_switches(rules)?;
    let [orthogonal, chain, compulsory] = switches;
    // Its steps are those along the lines, which depend on the rule set.
    let mut description = of_text(include_str!("families/fox-geese.txt"));
    description.rules = fox_geese_id(base, switches);
    if orthogonal {
        let Description { points, lines, sides: [fox, _], .. } = &mut description;
        let is_straight = |from: u8, to: u8| {
            let [from, to] = [from, to].map(|point| &points[usize::from(point)]);
            from.x == to.x || from.y == to.y
        };
        lines.retain(|line| is_straight(line[0], line[1]));
        fox.jumps.retain(|&[from, _, to]| is_straight(from, to));
    }
    let [of_fox, of_geese] = [false, base == "forward"]
        .map(|forward| description.steps_along_lines(|from, to| !forward || to.y >= from.y));
    let [fox, geese] = &mut description.sides;
    (fox.steps, fox.chain, fox.compulsory) = (of_fox, chain, compulsory);
    geese.steps = of_geese;
    if base == "first-capture" {
        let first = EndRule::new(Condition::Captured(Side::First), Side::First, "first capture");
        description.ends.insert(0, first);
    }
    Ok(description)
}

/// Returns the id of a rule set of Fox-and-Geese.
pub(super) fn fox_geese_id(base: &str, switches: [bool; 3]) -> String {
    let on = SWITCHES.iter().zip(switches).filter(|&(_, on)| on);
    on.fold(base.to_owned(), |id, (switch, _)| id + "+" + switch)
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
    let sides = [
        SideDescription { start, steps, number: [1, 1], ..lone },
        SideDescription { start: (0..hounds as u8).collect(), steps: up, number, ..pack },
    ];
    on_squares(points, "playable squares", sides)
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
    check_rules(rules, &["escape", "strict"], "fox-hounds has escape and strict")?;
    let sides = [
        side("fox", "fox", ['F', 'f'], Noun::Singular),
        side("hounds", "hound", ['h', 'h'], Noun::Plural),
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
        side("rabbit", "rabbit", ['W', 'w'], Noun::Singular),
        side("pawns", "pawn", ['b', 'b'], Noun::Plural),
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
    let budget = budget(rules)?;
    let mut description = of_text(include_str!("families/hare-hounds.txt"));
    description.rules = rules.into();
    if budget.is_some() {
        let out = EndRule::new(Condition::OutOfPlies, Side::First, "out of plies");
        description.ends.insert(1, out);
        (description.plies, description.layers) = (budget, Layering::Plies);
    }
    Ok(description)
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
    let mut white = side("white", "white pawn", ['P', 'w'], Noun::Name);
    let mut black = side("black", "black pawn", ['p', 'b'], Noun::Name);
    for (side, forward, start) in [(&mut white, 1, &bottom), (&mut black, -1, &top)] {
        side.number = [0, columns];
        side.start.clone_from(start);
        side.steps = along(&points, &[(0, forward)]);
        side.captures = along(&points, &[(-1, forward), (1, forward)]);
    }
    let mut description = on_squares(points, "squares", [white, black]);
    (description.name, description.rules) = (format!("hexapawn:{size}"), "standard".into());
    let far_row =
        |side: Side, points| EndRule::new(Condition::Arrived(side, points), side, "far row");
    description.ends = vec![far_row(Side::First, top), far_row(Side::Second, bottom)];
    description.ends.extend(
        Side::BOTH.map(|side| EndRule::new(Condition::Fewer(side, 1), side.other(), "no pawns")),
    );
    description.ends.extend(blocked());
    description
}
