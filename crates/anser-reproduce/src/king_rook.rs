//! King and rook against king on a board of n x n squares, which the document of Fox-and-Hounds begins with.
//!
//! Positions with the side that has the rook (*strong*) to move, and with the lone king to move, solved by retrograde
//! analysis in rounds. The lone king loses when it is mated; stalemate and the capture of the rook are draws.

use serde_json::{Value as Json, json};

use super::facts::rounded;
use super::{Answer, Question, ReproduceError};

/// The largest board.
const MOST: usize = 12;
/// A position that is not lost for the lone king, as far as is known.
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

pub(super) fn answers(question: &Question<'_>, size: &str) -> Result<Vec<Answer>, ReproduceError> {
    if size == "plane" {
        let answer = |figure: &str| (figure == "controlled").then(|| json!(controlled())).into();
        return Ok(question.entries.iter().map(|entry| answer(&entry.figure)).collect());
    }
    let size = size.parse().ok().filter(|size| (1..=MOST).contains(size)).ok_or_else(|| question.unknown())?;
    let solved = Solved::new(size);
    Ok(question.entries.iter().map(|entry| solved.figure(&entry.figure).into()).collect())
}

/// All legal positions of a board with their distances to mate in plies.
struct Solved {
    size: usize,
    strong: Vec<(Pieces, u16)>,
    lone: Vec<(Pieces, u16)>,
}

impl Solved {
    fn new(size: usize) -> Solved {
        let squares = || (0..size).flat_map(move |x| (0..size).map(move |y| (x, y)));
        let mut solved = Solved { size, strong: Vec::new(), lone: Vec::new() };
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
                    if strong_moves(self.size, *pieces).into_iter().any(|next| lone[at(next)] != OPEN) {
                        (*value, found) = (plies, true);
                        strong[at(*pieces)] = plies;
                    }
                }
            } else {
                for (pieces, value) in self.lone.iter_mut().filter(|(_, value)| *value == OPEN) {
                    let moves = lone_moves(self.size, *pieces);
                    let is_lost =
                        |to: &Square| *to != pieces.rook && strong[at(Pieces { lone: *to, ..*pieces })] != OPEN;
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

    fn figure(&self, figure: &str) -> Option<Json> {
        let won = |positions: &[(Pieces, u16)]| positions.iter().filter(|(_, value)| *value != OPEN).count();
        Some(match figure {
            "legal_strong" => json!(self.strong.len()),
            "won_strong" => json!(won(&self.strong)),
            "legal_lone" => json!(self.lone.len()),
            "won_lone" => {
                let share = won(&self.lone) as f64 / self.lone.len() as f64;
                json!({"won": won(&self.lone), "percent": rounded(share * 100.0, 4)})
            }
            "escapes" => {
                let is_capture = |p: &Pieces| lone_moves(self.size, *p).contains(&p.rook);
                let is_stalemate = |p: &Pieces| lone_moves(self.size, *p).is_empty() && !attacks(*p, p.lone);
                let count = |is_one: &dyn Fn(&Pieces) -> bool| self.lone.iter().filter(|(p, _)| is_one(p)).count();
                let (captures, stalemates) = (count(&is_capture), count(&is_stalemate));
                json!({"all": captures + stalemates, "captures": captures, "stalemates": stalemates})
            }
            "longest_mate" => {
                let plies = self.strong.iter().map(|(_, value)| *value).filter(|&value| value != OPEN).max();
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

/// Whether the rook attacks a square. Only its own king is in its way: the lone king, asking where it may go, is gone from
/// where it stands.
fn attacks(Pieces { king, rook, .. }: Pieces, square: Square) -> bool {
    let between = |along: usize, from: usize, to: usize| from.min(to) < along && along < from.max(to);
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

/// The squares to which the lone king can go, that of an undefended rook among them.
fn lone_moves(size: usize, pieces: Pieces) -> Vec<Square> {
    around(size, pieces.lone).filter(|&to| !touches(pieces.king, to) && !attacks(pieces, to)).collect()
}

/// The positions after a move of the strong side.
fn strong_moves(size: usize, pieces: Pieces) -> Vec<Pieces> {
    let Pieces { king, rook, lone } = pieces;
    let steps = around(size, king).filter(|&to| to != rook && !touches(lone, to));
    let mut found: Vec<Pieces> = steps.map(|king| Pieces { king, ..pieces }).collect();
    for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let mut at = rook;
        while let (Some(x), Some(y)) = (at.0.checked_add_signed(dx), at.1.checked_add_signed(dy)) {
            at = (x, y);
            // The lone king is in no line of the rook: it would be in check with the other side to move.
            if x >= size || y >= size || at == king {
                break;
            }
            found.push(Pieces { rook: at, ..pieces });
        }
    }
    found
}

/// The most of the eight squares around a lone king that a king and a rook can take from it on a board without edges. Pieces
/// farther away than the window reaches take nothing that nearer ones do not.
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
