//! Notation: `3/3/7/3F3/ggggggg/ggg/ggg f`, moves `d4-d5`, `d4xd6`, `d4xd6xf6`.
//!
//! Ranks from 7 to 1 separated by `/`, only points that exist; digits count empty points, `F` is
//! the fox, `g` a goose; a space, then the side to move, `f` or `g`. On input `*` stands for a
//! missing corner point (rows of seven then), and `_` may stand for the space.

use std::fmt;
use std::ops::ControlFlow;

use crate::fox_geese::{Board, FoxGeese, Move, Point, PointSet, Position};
use crate::prelude::*;
use crate::{NotationError, Picture, PicturePoint, Side};

/// A valid position.
pub(super) const EXAMPLE: &str = "3/3/7/3F3/ggggggg/ggg/ggg f";
const MOVE_EXAMPLE: &str = "d4-d5 or d4xd6";

fn error<T>(column: usize, problem: impl Into<String>) -> Result<T, NotationError> {
    Err(NotationError::new(column, problem, EXAMPLE))
}

/// One rank being read: its points from left to right, corners that do not exist as `None`.
struct Rank {
    number: i8,
    /// Number of points read so far, missing corners not counted.
    filled: usize,
    /// Number of `*` read so far.
    stars: usize,
}

impl Rank {
    fn start(number: i8) -> Rank {
        Rank { number, filled: 0, stars: 0 }
    }

    fn width(&self) -> usize {
        if (3..=5).contains(&self.number) { 7 } else { 3 }
    }

    /// Returns the next point of the rank, from left to right.
    fn next(&mut self, column: usize) -> Result<Point, NotationError> {
        let (number, width) = (self.number, self.width());
        if self.stars != 0 && self.stars < 2 {
            return error(
                column,
                format!("rank {number} has two missing corner points on either side, write **"),
            );
        }
        let left = -(width as i8 / 2);
        match Point::at(left + self.filled as i8, number - 4) {
            Some(point) if self.filled < width && self.stars <= 2 => {
                self.filled += 1;
                Ok(point)
            }
            _ => error(column, format!("rank {number} has more than {width} points")),
        }
    }

    fn star(&mut self, column: usize) -> Result<(), NotationError> {
        let in_place = if self.stars < 2 {
            self.filled == 0
        } else {
            self.filled == self.width() && self.stars < 4
        };
        if self.width() == 7 || !in_place {
            return error(
                column,
                format!("no corner point is missing at this place of rank {}", self.number),
            );
        }
        self.stars += 1;
        Ok(())
    }

    fn finish(&self, column: usize) -> Result<(), NotationError> {
        let (number, width) = (self.number, self.width());
        if self.filled < width {
            return error(
                column,
                format!("rank {number} has {width} points, only {} are given", self.filled),
            );
        }
        if self.stars != 0 && self.stars != 4 {
            return error(column, format!("rank {number} wants ** on both sides or on neither"));
        }
        Ok(())
    }
}

pub(super) fn parse_position(text: &str) -> Result<Position, NotationError> {
    let mut rank = Rank::start(7);
    let mut fox: Option<Point> = None;
    let mut geese = PointSet::EMPTY;
    let mut chars = text.chars().enumerate().map(|(i, c)| (i + 1, c));
    loop {
        let Some((column, c)) = chars.next() else {
            let end = text.chars().count() + 1;
            rank.finish(end)?;
            return error(
                end,
                if rank.number > 1 {
                    format!("the position ends after rank {}, ranks go from 7 to 1", rank.number)
                } else {
                    "the side to move is missing: a space and f (fox) or g (geese)".into()
                },
            );
        };
        match c {
            'F' => {
                let point = rank.next(column)?;
                if let Some(first) = fox {
                    return error(
                        column,
                        format!("there is a second fox, the first is on {first}"),
                    );
                }
                fox = Some(point);
            }
            'g' => geese = geese | rank.next(column)?.set(),
            '1'..='7' => {
                for _ in 0..c as u8 - b'0' {
                    rank.next(column)?;
                }
            }
            '*' => rank.star(column)?,
            '/' => {
                rank.finish(column)?;
                if rank.number == 1 {
                    return error(column, "there are only seven ranks");
                }
                rank = Rank::start(rank.number - 1);
            }
            ' ' | '_' => {
                rank.finish(column)?;
                if rank.number > 1 {
                    return error(
                        column,
                        format!("rank {} is missing, ranks go from 7 to 1", rank.number - 1),
                    );
                }
                break;
            }
            'f' => {
                return error(
                    column,
                    "the fox is written F; f is a side to move and comes after a space",
                );
            }
            'G' => return error(column, "a goose is written g"),
            other => {
                return error(
                    column,
                    format!(
                        "{other:?} is none of F (fox), g (goose), a digit from 1 to 7 (empty points), / and *"
                    ),
                );
            }
        }
    }
    let to_move = match chars.next() {
        Some((_, 'f')) => Side::First,
        Some((_, 'g')) => Side::Second,
        Some((column, other)) => {
            return error(
                column,
                format!("{other:?} is no side to move, write f (fox) or g (geese)"),
            );
        }
        None => {
            let end = text.chars().count() + 1;
            return error(end, "the side to move is missing: f (fox) or g (geese)");
        }
    };
    if let Some((column, c)) = chars.next() {
        return error(column, format!("{c:?} follows where the position is complete"));
    }
    let Some(fox) = fox else { return error(1, "there is no fox (F)") };
    if geese.is_empty() {
        return error(1, "there is no goose (g); a position has 1 to 31 geese");
    }
    match Position::new(fox, geese, to_move) {
        Some(position) => Ok(position),
        None => error(1, format!("there are {} geese; a position has 1 to 31", geese.len())),
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in (-3..=3).rev() {
            let mut empty = 0;
            for point in (-3..=3).filter_map(|x| Point::at(x, y)) {
                let piece = if point == self.fox {
                    'F'
                } else if self.geese.contains(point) {
                    'g'
                } else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                write!(f, "{piece}")?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            f.write_str(if y > -3 { "/" } else { " " })?;
        }
        f.write_str(match self.to_move {
            Side::First => "f",
            Side::Second => "g",
        })
    }
}

/// Parses a legal move of `position`.
pub(super) fn parse_move(
    game: &FoxGeese,
    position: &Position,
    text: &str,
) -> Result<Move, NotationError> {
    let fail = |column, problem: String| Err(NotationError::new(column, problem, MOVE_EXAMPLE));
    let chars: Vec<char> = text.chars().collect();
    for (i, &c) in chars.iter().enumerate() {
        let (right, what) = match i % 3 {
            0 => (c.is_ascii_lowercase() && c <= 'g', "a file from a to g"),
            1 => (('1'..='7').contains(&c), "a rank from 1 to 7"),
            _ => (c == '-' || c == 'x', "- (a step) or x (a capture)"),
        };
        if !right {
            return fail(i + 1, format!("{c:?} is not {what}"));
        }
        if i % 3 == 1 {
            let file = chars[i - 1] as u8 as i8 - b'd' as i8;
            if Point::at(file, c as u8 as i8 - b'4' as i8).is_none() {
                return fail(i, format!("the board has no point {}{c}", chars[i - 1]));
            }
        }
    }
    if chars.len() < 5 || chars.len() % 3 != 2 {
        return fail(chars.len() + 1, "the move is not complete".into());
    }
    let found = game.visit_moves(position, |mv, _| {
        if mv.to_string() == text { ControlFlow::Break(mv) } else { ControlFlow::Continue(()) }
    });
    match found {
        ControlFlow::Break(mv) => Ok(mv),
        ControlFlow::Continue(()) => {
            fail(1, format!("{text} is not a legal move in {position} under {}", game.rules()))
        }
    }
}

/// Draws the board with coordinates, ranks from 7 to 1.
pub(super) fn diagram(position: &Position) -> String {
    let mut text = String::new();
    for y in (-3..=3).rev() {
        text.push_str(&(y + 4).to_string());
        text.push(' ');
        for x in -3..=3 {
            text.push_str(match Point::at(x, y) {
                None => "  ",
                Some(point) if point == position.fox => " F",
                Some(point) if position.geese.contains(point) => " g",
                Some(_) => " .",
            });
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text.push_str("   a b c d e f g\n");
    text
}

/// Returns the board for drawing.
pub(super) fn picture(board: &Board, position: &Position) -> Picture {
    let points = Point::all().map(|point| {
        let (x, y) = point.coordinates();
        let piece = if point == position.fox {
            Some((Side::First, 'F'))
        } else {
            position.geese.contains(point).then_some((Side::Second, 'g'))
        };
        PicturePoint { x: (x + 3) as usize, y: (y + 3) as usize, piece, name: None }
    });
    Picture {
        points: points.collect(),
        lines: board.lines().map(|(from, to)| [from.number(), to.number()]).collect(),
        columns: Picture::letters(7),
        rows: Picture::numbers(7),
    }
}
