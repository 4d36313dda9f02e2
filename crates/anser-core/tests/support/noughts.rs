//! Noughts and crosses, the plain way: a game for tests, which shows that the trait asks for
//! nothing that only hunts have.
//!
//! Crosses are the first side and begin. Layer `n` holds the positions with `n` empty squares, so
//! one side only is to move in it. Notation: `x1o/3/2x o`, rows from the top; a move is the number
//! of its square, 1 to 9 as one reads.

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::LazyLock;

use anser_core::prelude::*;
use anser_core::{IndexScheme, Next, NotationError, Outcome, Side, Symmetry};

/// The lines of three, as sets of squares.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const ALL: u16 = 0o777;
const EXAMPLE: &str = "x1o/3/2x o";

/// Noughts and crosses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noughts;

/// The squares of the crosses and of the noughts; their numbers say whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Board([u16; 2]);

impl Board {
    fn to_move(self) -> Side {
        if self.0[0].count_ones() == self.0[1].count_ones() { Side::First } else { Side::Second }
    }

    fn empty(self) -> u16 {
        ALL & !(self.0[0] | self.0[1])
    }

    fn has_line(self, side: Side) -> bool {
        LINES.iter().any(|&line| self.0[side.index()] & line == line)
    }

    /// Turns have alternated, and the side to move has no line, or it would not be to move.
    fn is_position(self) -> bool {
        let [crosses, noughts] = self.0.map(u16::count_ones);
        let alternated = crosses == noughts || crosses == noughts + 1;
        self.0[0] & self.0[1] == 0 && alternated && !self.has_line(self.to_move())
    }

    fn image(self, symmetry: usize) -> Board {
        let symmetry = Symmetry::new(symmetry as u8);
        let square = |square: i8| {
            let (x, y) = symmetry.apply(square % 3 - 1, square / 3 - 1);
            3 * (y + 1) + x + 1
        };
        Board(self.0.map(|set| {
            (0..9).filter(|&s| set >> s & 1 != 0).fold(0, |image, s| image | 1 << square(s))
        }))
    }

    /// The least of the images.
    fn canonical(self) -> Board {
        (0..8).map(|symmetry| self.image(symmetry)).min().unwrap_or(self)
    }
}

/// The canonical positions of a layer, sorted.
pub(crate) struct Sorted {
    side: Side,
    list: &'static [Board],
}

impl LayerIndex for Sorted {
    type Position = Board;

    fn scheme(&self) -> IndexScheme {
        IndexScheme { name: "noughts", version: 1, symmetries: 8 }
    }

    fn len(&self, side: Side) -> u64 {
        if side == self.side { self.list.len() as u64 } else { 0 }
    }

    fn rank(&self, position: &Board) -> u64 {
        self.list.binary_search(&position.canonical()).expect("the position is of this layer")
            as u64
    }

    fn unrank(&self, _side: Side, rank: u64) -> Board {
        self.list[rank as usize]
    }

    fn orbit(&self, _side: Side, rank: u64) -> u64 {
        let board = self.list[rank as usize];
        let mut images: Vec<Board> = (0..8).map(|symmetry| board.image(symmetry)).collect();
        images.sort_unstable();
        images.dedup();
        images.len() as u64
    }
}

impl Noughts {
    /// Every position of a layer, sorted.
    pub(crate) fn layer_positions(layer: u16) -> &'static [Board] {
        &LAYERS[usize::from(layer)].0
    }
}

/// By layer: all positions and the canonical ones, sorted.
static LAYERS: LazyLock<Vec<(Vec<Board>, Vec<Board>)>> = LazyLock::new(|| {
    let mut layers = vec![(Vec::new(), Vec::new()); 10];
    let boards =
        (0..=ALL).flat_map(|crosses| (0..=ALL).map(move |noughts| Board([crosses, noughts])));
    for board in boards.filter(|board| board.is_position()) {
        let (all, canonical) = &mut layers[board.empty().count_ones() as usize];
        all.push(board);
        if board.canonical() == board {
            canonical.push(board);
        }
    }
    layers
});

impl Rules for Noughts {
    type Position = Board;
    type Move = u8;

    fn name(&self) -> String {
        "noughts".into()
    }

    fn rules_id(&self) -> String {
        "standard".into()
    }

    fn fingerprint(&self) -> String {
        "noughts and crosses: three in a row wins, a full board is a draw".into()
    }

    fn start(&self) -> Board {
        Board([0, 0])
    }

    fn side_to_move(&self, position: &Board) -> Side {
        position.to_move()
    }

    fn terminal(&self, position: &Board) -> Option<Outcome> {
        let moved = position.to_move().other();
        if position.has_line(moved) {
            return Some(Outcome::Win(moved));
        }
        (position.empty() == 0).then_some(Outcome::Draw)
    }

    fn visit_moves<B>(
        &self,
        position: &Board,
        mut visit: impl FnMut(u8, Next<Board>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.terminal(position).is_none() {
            for square in (0..9).filter(|square| position.empty() >> square & 1 != 0) {
                let mut next = *position;
                next.0[position.to_move().index()] |= 1 << square;
                visit(square, Next::Position(next))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn symmetries(&self) -> usize {
        8
    }

    fn image(&self, position: &Board, symmetry: usize) -> Board {
        position.image(symmetry)
    }
}

impl Layers for Noughts {
    type Index = Sorted;

    fn layers(&self) -> RangeInclusive<u16> {
        0..=9
    }

    fn layer(&self, position: &Board) -> u16 {
        position.empty().count_ones() as u16
    }

    fn lower_layers(&self, layer: u16) -> Vec<u16> {
        layer.checked_sub(1).into_iter().collect()
    }

    fn stays_in_layer(&self, _layer: u16, _side: Side) -> bool {
        false
    }

    fn positions(&self, layer: u16, side: Side) -> u64 {
        Noughts::layer_positions(layer).iter().filter(|board| board.to_move() == side).count()
            as u64
    }

    fn visit_unmoves<B>(
        &self,
        _: &Board,
        _: impl FnMut(u8, Board) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        ControlFlow::Continue(())
    }

    fn index(&self, layer: u16) -> Sorted {
        let side = if layer % 2 == 1 { Side::First } else { Side::Second };
        Sorted { side, list: &LAYERS[usize::from(layer)].1 }
    }
}

impl Notation for Noughts {
    fn side_name(&self, side: Side) -> &'static str {
        ["crosses", "noughts"][side.index()]
    }

    fn parse_position(&self, text: &str) -> Result<Board, NotationError> {
        let fail = |column: usize, problem: &str| Err(NotationError::new(column, problem, EXAMPLE));
        let (mut board, mut square) = (Board([0, 0]), 0u32);
        let mut chars = text.chars().enumerate().map(|(i, c)| (i + 1, c));
        for (column, c) in chars.by_ref() {
            match c {
                'x' | 'o' if square < 9 => board.0[usize::from(c == 'o')] |= 1 << square,
                '1'..='3' if square + c as u32 - '0' as u32 <= 9 => square += c as u32 - '1' as u32,
                '/' if square == 3 || square == 6 => continue,
                ' ' if square == 9 => break,
                _ => return fail(column, "not what a board has here"),
            }
            square += 1;
        }
        match chars.next() {
            Some((_, c)) if ['x', 'o'][board.to_move().index()] == c && board.is_position() => {
                Ok(board)
            }
            Some((column, _)) => fail(column, "the turns do not come out"),
            None => fail(text.len() + 1, "the position is not complete"),
        }
    }

    fn format_position(&self, position: &Board) -> String {
        let letter = |square: usize| match position.0.map(|set| set >> square & 1 != 0) {
            [true, _] => 'x',
            [_, true] => 'o',
            _ => '1',
        };
        let rows: Vec<String> =
            (0..3).map(|row| (0..3).map(|column| letter(3 * row + column)).collect()).collect();
        format!("{} {}", rows.join("/"), ['x', 'o'][position.to_move().index()])
    }

    fn parse_move(&self, position: &Board, text: &str) -> Result<u8, NotationError> {
        let legal =
            |square: &u8| position.empty() >> square & 1 != 0 && self.terminal(position).is_none();
        match text.as_bytes() {
            [digit @ b'1'..=b'9'] => Some(digit - b'1').filter(legal),
            _ => None,
        }
        .ok_or_else(|| NotationError::new(1, "no empty square has this number", "5"))
    }

    fn format_move(&self, mv: &u8) -> String {
        (mv + 1).to_string()
    }

    fn diagram(&self, position: &Board) -> String {
        let text = self.format_position(position);
        text[..11].replace('/', "\n").replace('1', ".") + "\n"
    }
}
