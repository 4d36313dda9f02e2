//! Leopard and goats: a leopard against goats on nine points.

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::LazyLock;

use anser_analyse::WholeGame;
use anser_core::prelude::*;
use anser_core::{
    BLOCKED, BySide, End, IndexScheme, Next, NotationError, Noun, Outcome, Reason, Side, Symmetry,
};
use anser_solve::Solvable;

/// The game. It has one rule set, so its value holds nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leopard;

/// The pieces on the points 0 to 8 (a1, b1, c1, a2, ... c3), and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Position {
    leopard: u8,
    /// One bit per point.
    goats: u16,
    to_move: Side,
}

/// A step, or a jump over a goat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    from: u8,
    to: u8,
    captured: Option<u8>,
}

/// The lines of the board. Pieces step between neighbors on a line; the leopard jumps from one end
/// to the other.
const LINES: [[u8; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// With one goat the leopard has won, so positions have at least two.
const GOATS: RangeInclusive<u16> = 2..=5;

impl Position {
    fn has_goat(self, point: u8) -> bool {
        self.goats >> point & 1 != 0
    }

    fn is_empty(self, point: u8) -> bool {
        point != self.leopard && !self.has_goat(point)
    }

    fn number_of_goats(self) -> u16 {
        self.goats.count_ones() as u16
    }

    /// The points of the side to move.
    fn pieces(self) -> impl Iterator<Item = u8> {
        (0..9).filter(move |&point| match self.to_move {
            Side::First => point == self.leopard,
            Side::Second => self.has_goat(point),
        })
    }

    /// The position after a legal move.
    fn after(mut self, mv: Move) -> Position {
        match self.to_move {
            Side::First => self.leopard = mv.to,
            Side::Second => self.goats ^= 1 << mv.from | 1 << mv.to,
        }
        self.goats &= !mv.captured.map_or(0, |point| 1 << point);
        self.to_move = self.to_move.other();
        self
    }
}

/// Visits the neighbors of a point, each with the point behind it, if the line goes on.
fn neighbors(point: u8) -> impl Iterator<Item = (u8, Option<u8>)> {
    LINES.into_iter().flat_map(move |[a, b, c]| {
        let of_line = [(a, b, Some(c)), (c, b, Some(a)), (b, a, None), (b, c, None)];
        of_line
            .into_iter()
            .filter(move |&(from, ..)| from == point)
            .map(|(_, next, behind)| (next, behind))
    })
}

impl Rules for Leopard {
    type Position = Position;
    type Move = Move;

    fn name(&self) -> String {
        "leopard".into()
    }

    fn rules_id(&self) -> String {
        "standard".into()
    }

    fn fingerprint(&self) -> String {
        "leopard board=3x3 lines=8 goats=2..5 captures=optional blocked=loses".into()
    }

    fn start(&self) -> Position {
        Position { leopard: 4, goats: 0b000_000_111 | 0b001_000_000, to_move: Side::First }
    }

    fn side_to_move(&self, position: &Position) -> Side {
        position.to_move
    }

    // A side that cannot move has lost.
    fn terminal(&self, position: &Position) -> Option<Outcome> {
        let mut moves = 0;
        let _ = self.visit_moves(position, |_, _| {
            moves += 1;
            ControlFlow::Break(())
        });
        (moves == 0).then_some(Outcome::Win(position.to_move.other()))
    }

    fn visit_moves<B>(
        &self,
        position: &Position,
        mut visit: impl FnMut(Move, Next<Position>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for from in position.pieces() {
            for (to, behind) in neighbors(from) {
                if position.is_empty(to) {
                    let mv = Move { from, to, captured: None };
                    visit(mv, Next::Position(position.after(mv)))?;
                } else if let Some(behind) = behind
                    && position.to_move == Side::First
                    && position.is_empty(behind)
                {
                    let mv = Move { from, to: behind, captured: Some(to) };
                    let position = position.after(mv);
                    let next = if position.number_of_goats() < *GOATS.start() {
                        let outcome = Outcome::Win(Side::First);
                        Next::End(End { position, outcome, reason: Reason::new(0) })
                    } else {
                        Next::Position(position)
                    };
                    visit(mv, next)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn passed(&self, position: &Position) -> Option<Position> {
        Some(Position { to_move: position.to_move.other(), ..*position })
    }

    fn material(&self, position: &Position) -> Option<i32> {
        Some(-i32::from(position.number_of_goats()))
    }

    fn symmetries(&self) -> usize {
        8
    }

    fn image(&self, position: &Position, symmetry: usize) -> Position {
        let symmetry = Symmetry::new(symmetry as u8);
        let image = |point: u8| {
            let (x, y) = symmetry.apply(point as i8 % 3 - 1, point as i8 / 3 - 1);
            (3 * (y + 1) + x + 1) as u8
        };
        let goats = (0..9)
            .filter(|&point| position.has_goat(point))
            .fold(0, |goats, point| goats | 1 << image(point));
        Position { leopard: image(position.leopard), goats, ..*position }
    }
}

/// The canonical positions of a layer, sorted, by the side to move.
type Classes = BySide<Vec<Position>>;

/// The classes of all layers, the lowest layer first.
static CLASSES: LazyLock<Vec<Classes>> = LazyLock::new(|| GOATS.map(classes).collect());

fn classes(goats: u16) -> Classes {
    BySide::from_fn(|to_move| {
        let all = (0..9)
            .flat_map(|leopard| (0..1 << 9).map(move |goats| Position { leopard, goats, to_move }));
        let of_layer = all.filter(|position| {
            position.number_of_goats() == goats && !position.has_goat(position.leopard)
        });
        let mut canonical: Vec<Position> =
            of_layer.filter(|&position| canonical(position) == position).collect();
        canonical.sort_unstable();
        canonical
    })
}

/// The least image stands for its class.
fn canonical(position: Position) -> Position {
    (0..8).map(|symmetry| Leopard.image(&position, symmetry)).min().unwrap_or(position)
}

/// The index of one layer.
pub(crate) struct Sorted(&'static Classes);

impl LayerIndex for Sorted {
    type Position = Position;

    fn scheme(&self) -> IndexScheme {
        IndexScheme { name: "leopard", version: 1, symmetries: 8 }
    }

    fn len(&self, side: Side) -> u64 {
        self.0[side].len() as u64
    }

    fn rank(&self, position: &Position) -> u64 {
        let found = self.0[position.to_move].binary_search(&canonical(*position));
        found.expect("the position is of this layer") as u64
    }

    fn unrank(&self, side: Side, rank: u64) -> Position {
        self.0[side][rank as usize]
    }

    // The number of different images. By Lagrange's theorem it is 8 divided by the number of
    // symmetries that leave the position as it is.
    fn orbit(&self, side: Side, rank: u64) -> u64 {
        let position = self.unrank(side, rank);
        8 / (0..8).filter(|&symmetry| Leopard.image(&position, symmetry) == position).count() as u64
    }
}

impl Layers for Leopard {
    type Index = Sorted;

    fn layers(&self) -> RangeInclusive<u16> {
        GOATS
    }

    fn layer(&self, position: &Position) -> u16 {
        position.number_of_goats()
    }

    fn lower_layers(&self, layer: u16) -> Vec<u16> {
        if layer > *GOATS.start() { vec![layer - 1] } else { Vec::new() }
    }

    // A step backwards, by the side that is not to move. Captures come from another layer.
    fn visit_unmoves<B>(
        &self,
        position: &Position,
        mut visit: impl FnMut(Move, Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let moved = Position { to_move: position.to_move.other(), ..*position };
        for to in moved.pieces() {
            for (from, _) in neighbors(to) {
                if moved.is_empty(from) {
                    let back = Move { from: to, to: from, captured: None };
                    let before = Position { to_move: moved.to_move, ..moved.after(back) };
                    visit(Move { from, to, captured: None }, before)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn index(&self, layer: u16) -> Sorted {
        Sorted(&CLASSES[usize::from(layer - GOATS.start())])
    }

    fn encode(&self, position: &Position) -> u128 {
        u128::from(position.leopard) << 10
            | u128::from(position.goats) << 1
            | position.to_move.index() as u128
    }

    // One goat is left after the last capture.
    fn decode(&self, code: u128) -> Option<Position> {
        let leopard = u8::try_from(code >> 10).ok().filter(|&point| point < 9)?;
        let position = Position {
            leopard,
            goats: (code >> 1) as u16 & 0x1ff,
            to_move: Side::BOTH[code as usize & 1],
        };
        let goats = GOATS.start() - 1..=*GOATS.end();
        (goats.contains(&position.number_of_goats()) && !position.has_goat(leopard))
            .then_some(position)
    }
}

// The general engine solves the game, and counts and censuses are general as well.
impl Solvable for Leopard {}
impl WholeGame for Leopard {}

const EXAMPLE: &str = "g2/1L1/ggg l";

fn point_name(point: u8) -> String {
    format!("{}{}", (b'a' + point % 3) as char, point / 3 + 1)
}

impl Notation for Leopard {
    fn side_name(&self, side: Side) -> &str {
        match side {
            Side::First => "leopard",
            Side::Second => "goats",
        }
    }

    fn noun(&self, side: Side) -> Noun {
        match side {
            Side::First => Noun::Singular,
            Side::Second => Noun::Plural,
        }
    }

    // The only way to end the game in a position: a side cannot move.
    fn ending(&self, position: &Position) -> Option<&str> {
        self.terminal(position).map(|_| BLOCKED)
    }

    // The only reason for which a move ends the game.
    fn reason_text(&self, _reason: Reason) -> &'static str {
        "one goat left"
    }

    fn parse_position(&self, text: &str) -> Result<Position, NotationError> {
        let wrong = |column: usize, problem: &str| NotationError::new(column, problem, EXAMPLE);
        let (board, side) = text
            .split_once([' ', '_'])
            .ok_or_else(|| wrong(text.len() + 1, "the side to move is missing"))?;
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != 3 {
            return Err(wrong(1, "there are three rows"));
        }
        let (mut leopard, mut goats, mut column) = (None, 0, 1);
        for (y, row) in (0..3).rev().zip(rows) {
            let mut x = 0;
            for letter in row.chars() {
                let point = 3 * y + x;
                x += match letter {
                    'L' if leopard.is_none() => {
                        leopard = Some(point);
                        1
                    }
                    'g' => {
                        goats |= 1 << point;
                        1
                    }
                    '1'..='3' => letter as u8 - b'0',
                    _ => {
                        return Err(wrong(
                            column,
                            "L (once), g, and digits from 1 to 3 may stand here",
                        ));
                    }
                };
                if x > 3 {
                    return Err(wrong(column, "a row has three points"));
                }
                column += 1;
            }
            if x < 3 {
                return Err(wrong(column, "a row has three points"));
            }
            column += 1;
        }
        let to_move = match side {
            "l" => Side::First,
            "g" => Side::Second,
            _ => return Err(wrong(column, "the side to move is l or g")),
        };
        let leopard = leopard.ok_or_else(|| wrong(1, "there is no leopard"))?;
        let position = Position { leopard, goats, to_move };
        if GOATS.contains(&position.number_of_goats()) {
            Ok(position)
        } else {
            Err(wrong(1, "there are 2 to 5 goats"))
        }
    }

    fn format_position(&self, position: &Position) -> String {
        let mut text = String::new();
        for y in (0..3).rev() {
            let mut empty = 0;
            for point in 3 * y..3 * y + 3 {
                if position.is_empty(point) {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &empty.to_string();
                }
                empty = 0;
                text.push(if point == position.leopard { 'L' } else { 'g' });
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text.push(if y > 0 { '/' } else { ' ' });
        }
        text + if position.to_move == Side::First { "l" } else { "g" }
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, NotationError> {
        let moves = self.moves(position);
        let found = moves.iter().map(|(mv, _)| *mv).find(|mv| self.format_move(mv) == text);
        found.ok_or_else(|| NotationError::new(1, format!("{text} is not a move here"), "a2-b2"))
    }

    fn format_move(&self, mv: &Move) -> String {
        format!(
            "{}{}{}",
            point_name(mv.from),
            if mv.captured.is_some() { 'x' } else { '-' },
            point_name(mv.to)
        )
    }

    fn diagram(&self, position: &Position) -> String {
        let mut text = String::new();
        for y in (0..3).rev() {
            text += &(y + 1).to_string();
            for point in 3 * y..3 * y + 3 {
                text += match point {
                    point if point == position.leopard => " L",
                    point if position.has_goat(point) => " g",
                    _ => " .",
                };
            }
            text.push('\n');
        }
        text + "  a b c\n"
    }
}
