//! King and rook against king on n x n squares, the first game of the document on Fox-and-Hounds.
//!
//! Positions with the side that has the rook (*strong*) to move, and with the lone king to move,
//! solved by retrograde analysis in rounds. The lone king loses when it is mated; stalemate and the
//! capture of the rook are draws.

use serde_json::{Value as Json, json};

use crate::Figure;
use crate::common::rounded;
use crate::question::{Answer, Question};

/// Distance of a position that is not known to be lost for the lone king.
const OPEN: u16 = u16::MAX;

/// A square: column and row, from 0.
type Square = (usize, usize);

/// The pieces: king and rook of the strong side, and the lone king.
#[derive(Clone, Copy)]
struct Pieces {
    king: Square,
    rook: Square,
    lone: Square,
}

/// Figures of a board of `size` x `size` squares.
pub(crate) fn answers(size: usize, question: &Question<'_>) -> Vec<Answer> {
    let solved = Distances::new(size);
    question.entries.iter().map(|entry| solved.figure(entry.figure).into()).collect()
}

/// Figures of the board without edges.
pub(crate) fn plane_answers(question: &Question<'_>) -> Vec<Answer> {
    let answer = |figure| (figure == Figure::Controlled).then(|| json!(controlled())).into();
    question.entries.iter().map(|entry| answer(entry.figure)).collect()
}

/// All legal positions of a board with their distances to mate in plies.
struct Distances {
    size: usize,
    strong: Vec<(Pieces, u16)>,
    lone: Vec<(Pieces, u16)>,
}

impl Distances {
    fn new(size: usize) -> Distances {
        let squares = || (0..size).flat_map(move |x| (0..size).map(move |y| (x, y)));
        let mut solved = Distances { size, strong: Vec::new(), lone: Vec::new() };
        for king in squares() {
            for rook in squares().filter(|&rook| rook != king) {
                for lone in squares().filter(|&lone| lone != rook && !touches(king, lone)) {
                    let pieces = Pieces { king, rook, lone };
                    solved.lone.push((pieces, OPEN));
                    if !attacks(pieces, lone) {
                        solved.strong.push((pieces, OPEN));
                    }
                }
            }
        }
        solved.solve();
        solved
    }

    /// Assigns distances in ascending order: round `plies` finds the positions of that distance.
    fn solve(&mut self) {
        let cells = self.size * self.size;
        let number = |(x, y): Square| x * self.size + y;
        let at = |p: Pieces| (number(p.king) * cells + number(p.rook)) * cells + number(p.lone);
        let mut strong = vec![OPEN; cells * cells * cells];
        let mut lone = strong.clone();
        for (pieces, value) in &mut self.lone {
            if lone_moves(self.size, *pieces).is_empty() && attacks(*pieces, pieces.lone) {
                *value = 0;
                lone[at(*pieces)] = 0;
            }
        }
        for plies in 1..OPEN {
            let mut found = false;
            if plies % 2 == 1 {
                for (pieces, value) in self.strong.iter_mut().filter(|(_, value)| *value == OPEN) {
                    if strong_moves(self.size, *pieces)
                        .into_iter()
                        .any(|next| lone[at(next)] != OPEN)
                    {
                        (*value, found) = (plies, true);
                        strong[at(*pieces)] = plies;
                    }
                }
            } else {
                for (pieces, value) in self.lone.iter_mut().filter(|(_, value)| *value == OPEN) {
                    let moves = lone_moves(self.size, *pieces);
                    let is_lost = |to: &Square| {
                        *to != pieces.rook && strong[at(Pieces { lone: *to, ..*pieces })] != OPEN
                    };
                    if !moves.is_empty() && moves.iter().all(is_lost) {
                        (*value, found) = (plies, true);
                        lone[at(*pieces)] = plies;
                    }
                }
            }
            if !found {
                break;
            }
        }
    }

    fn figure(&self, figure: Figure) -> Option<Json> {
        let won = |positions: &[(Pieces, u16)]| {
            positions.iter().filter(|(_, value)| *value != OPEN).count()
        };
        Some(match figure {
            Figure::LegalStrong => json!(self.strong.len()),
            Figure::WonStrong => json!(won(&self.strong)),
            Figure::LegalLone => json!(self.lone.len()),
            Figure::WonLone => {
                let share = won(&self.lone) as f64 / self.lone.len() as f64;
                json!({"won": won(&self.lone), "percent": rounded(share * 100.0, 4)})
            }
            Figure::Escapes => {
                let is_capture = |p: &Pieces| lone_moves(self.size, *p).contains(&p.rook);
                let is_stalemate =
                    |p: &Pieces| lone_moves(self.size, *p).is_empty() && !attacks(*p, p.lone);
                let count = |is_one: &dyn Fn(&Pieces) -> bool| {
                    self.lone.iter().filter(|(p, _)| is_one(p)).count()
                };
                let (captures, stalemates) = (count(&is_capture), count(&is_stalemate));
                json!({"all": captures + stalemates, "captures": captures, "stalemates": stalemates})
            }
            Figure::LongestMate => {
                let plies = self
                    .strong
                    .iter()
                    .map(|(_, value)| *value)
                    .filter(|&value| value != OPEN)
                    .max();
                json!(plies.map(|plies| plies.div_ceil(2)))
            }
            _ => return None,
        })
    }
}

/// Whether two squares are the same or next to each other.
fn touches(one: Square, other: Square) -> bool {
    one.0.abs_diff(other.0) <= 1 && one.1.abs_diff(other.1) <= 1
}

/// Whether the rook attacks a square. Only its own king blocks its lines: the lone king leaves the
/// square that it stands on.
fn attacks(Pieces { king, rook, .. }: Pieces, square: Square) -> bool {
    let between =
        |along: usize, from: usize, to: usize| from.min(to) < along && along < from.max(to);
    rook != square
        && (rook.0 == square.0 && !(king.0 == rook.0 && between(king.1, rook.1, square.1))
            || rook.1 == square.1 && !(king.1 == rook.1 && between(king.0, rook.0, square.0)))
}

/// The squares next to one on the board.
fn around(size: usize, (x, y): Square) -> impl Iterator<Item = Square> {
    let columns = x.saturating_sub(1)..(x + 2).min(size);
    columns
        .flat_map(move |u| (y.saturating_sub(1)..(y + 2).min(size)).map(move |v| (u, v)))
        .filter(move |&to| to != (x, y))
}

/// Squares to which the lone king can move, including that of an undefended rook.
fn lone_moves(size: usize, pieces: Pieces) -> Vec<Square> {
    around(size, pieces.lone)
        .filter(|&to| !touches(pieces.king, to) && !attacks(pieces, to))
        .collect()
}

/// Positions after a move of the strong side.
fn strong_moves(size: usize, pieces: Pieces) -> Vec<Pieces> {
    let Pieces { king, rook, lone } = pieces;
    let steps = around(size, king).filter(|&to| to != rook && !touches(lone, to));
    let mut found: Vec<Pieces> = steps.map(|king| Pieces { king, ..pieces }).collect();
    for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let mut at = rook;
        while let (Some(x), Some(y)) = (at.0.checked_add_signed(dx), at.1.checked_add_signed(dy)) {
            at = (x, y);
            // The lone king is on no line of the rook: it would be in check with the other side to
            // move.
            if x >= size || y >= size || at == king {
                break;
            }
            found.push(Pieces { rook: at, ..pieces });
        }
    }
    found
}

/// Most of the eight squares around a lone king that a king and a rook can control on a board
/// without edges. Pieces outside the window control no squares that pieces inside cannot.
fn controlled() -> usize {
    const MIDDLE: usize = 4;
    const WINDOW: usize = 2 * MIDDLE + 1;
    let lone = (MIDDLE, MIDDLE);
    let squares = || (0..WINDOW).flat_map(|x| (0..WINDOW).map(move |y| (x, y)));
    let taken = squares().filter(|&king| !touches(king, lone)).flat_map(|king| {
        let rooks = squares().filter(move |&rook| rook != king && rook != lone);
        rooks.map(move |rook| 8 - lone_moves(WINDOW, Pieces { king, rook, lone }).len())
    });
    taken.max().unwrap_or(0)
}
