//! Noughts and crosses, a game of tests only: what is asked of hunt games can be asked of any game.

use std::ops::{ControlFlow, RangeInclusive};

use anser_core::{Game, IndexScheme, LayerIndex, Next, NotationError, Outcome, Side};

/// The nine squares row by row, 0 empty, 1 a cross (the first side), 2 a nought.
pub type Squares = [u8; 9];

/// An arrangement and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub squares: Squares,
    pub to_move: Side,
}

/// The game, with positions taken up to the symmetries of the square or not.
#[derive(Clone)]
pub struct Noughts {
    pub symmetric: bool,
}

/// The layer with a given number of empty squares: the canonical arrangements, ascending.
pub struct Index {
    symmetric: bool,
    side: Side,
    canonical: Vec<Squares>,
}

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

fn image(squares: &Squares, symmetry: usize) -> Squares {
    let mut image = [0; 9];
    for (at, &man) in squares.iter().enumerate() {
        let (mut x, mut y) = (at % 3, at / 3);
        if symmetry & 1 != 0 {
            x = 2 - x;
        }
        if symmetry & 2 != 0 {
            y = 2 - y;
        }
        if symmetry & 4 != 0 {
            (x, y) = (y, x);
        }
        image[3 * y + x] = man;
    }
    image
}

fn canonical(squares: &Squares) -> Squares {
    (0..8).map(|symmetry| image(squares, symmetry)).min().expect("there are symmetries")
}

fn side_to_move(squares: &Squares) -> Side {
    if squares.iter().filter(|&&man| man == 0).count() % 2 == 1 { Side::First } else { Side::Second }
}

fn count(squares: &Squares, man: u8) -> usize {
    squares.iter().filter(|&&other| other == man).count()
}

fn has_line(squares: &Squares, man: u8) -> bool {
    LINES.iter().any(|line| line.iter().all(|&at| squares[at] == man))
}

/// The arrangements with so many empty squares in which not both have won.
fn all(layer: u16) -> impl Iterator<Item = Squares> {
    (0..19_683_usize).map(|code| std::array::from_fn(|at| (code / 3_usize.pow(8 - at as u32) % 3) as u8)).filter(
        move |squares: &Squares| {
            count(squares, 0) == usize::from(layer)
                && !(has_line(squares, 1) && has_line(squares, 2))
                && count(squares, 1) == count(squares, 2) + usize::from(side_to_move(squares) == Side::Second)
        },
    )
}

impl Game for Noughts {
    type Position = Position;
    type Move = usize;
    type Index = Index;

    fn name(&self) -> String {
        "noughts".into()
    }
    fn rules_id(&self) -> String {
        "usual".into()
    }
    fn fingerprint(&self) -> String {
        "noughts three in a row".into()
    }
    fn side_name(&self, side: Side) -> &'static str {
        if side == Side::First { "crosses" } else { "noughts" }
    }
    fn start(&self) -> Position {
        Position { squares: [0; 9], to_move: Side::First }
    }
    fn layers(&self) -> RangeInclusive<u16> {
        0..=9
    }
    fn layer(&self, position: &Position) -> u16 {
        count(&position.squares, 0) as u16
    }
    fn lower_layers(&self, layer: u16) -> Vec<u16> {
        layer.checked_sub(1).into_iter().collect()
    }
    fn stays(&self, _: u16, _: Side) -> bool {
        false
    }
    fn positions(&self, layer: u16, side: Side) -> u64 {
        all(layer).filter(|squares| side_to_move(squares) == side).count() as u64
    }
    fn side_to_move(&self, position: &Position) -> Side {
        position.to_move
    }
    fn terminal(&self, position: &Position) -> Option<Outcome> {
        let squares = &position.squares;
        if has_line(squares, 1) {
            Some(Outcome::Win(Side::First))
        } else if has_line(squares, 2) {
            Some(Outcome::Win(Side::Second))
        } else {
            (count(squares, 0) == 0).then_some(Outcome::Draw)
        }
    }
    fn visit_moves<B>(
        &self,
        position: &Position,
        mut visit: impl FnMut(usize, Next<Position>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.terminal(position).is_none() {
            for at in (0..9).filter(|&at| position.squares[at] == 0) {
                let mut squares = position.squares;
                squares[at] = 1 + position.to_move.index() as u8;
                visit(at, Next::Position(Position { squares, to_move: position.to_move.other() }))?;
            }
        }
        ControlFlow::Continue(())
    }
    fn visit_unmoves<B>(&self, _: &Position, _: impl FnMut(usize, Position) -> ControlFlow<B>) -> ControlFlow<B> {
        ControlFlow::Continue(())
    }
    fn symmetries(&self) -> usize {
        if self.symmetric { 8 } else { 1 }
    }
    fn image(&self, position: &Position, symmetry: usize) -> Position {
        Position { squares: image(&position.squares, symmetry), ..*position }
    }
    fn index(&self, layer: u16) -> Index {
        let symmetric = self.symmetric;
        let canonical = all(layer).filter(|squares| !symmetric || canonical(squares) == *squares).collect();
        Index { symmetric, side: if layer % 2 == 1 { Side::First } else { Side::Second }, canonical }
    }
    fn parse_position(&self, text: &str) -> Result<Position, NotationError> {
        let men: Vec<u8> = text.bytes().map(|byte| byte.wrapping_sub(b'0')).collect();
        let squares: Squares = men.try_into().map_err(|_| NotationError::new(1, "not nine digits", "120000000"))?;
        Ok(Position { squares, to_move: side_to_move(&squares) })
    }
    fn format_position(&self, position: &Position) -> String {
        position.squares.iter().map(|man| char::from(b'0' + man)).collect()
    }
    fn parse_move(&self, _: &Position, text: &str) -> Result<usize, NotationError> {
        text.parse().map_err(|_| NotationError::new(1, "not a square", "4"))
    }
    fn format_move(&self, mv: &usize) -> String {
        mv.to_string()
    }
    fn diagram(&self, position: &Position) -> String {
        self.format_position(position)
    }
}

impl LayerIndex for Index {
    type Position = Position;

    fn scheme(&self) -> IndexScheme {
        IndexScheme { name: "noughts", version: 1, symmetries: if self.symmetric { 8 } else { 1 } }
    }
    fn len(&self, side: Side) -> u64 {
        if side == self.side { self.canonical.len() as u64 } else { 0 }
    }
    fn rank(&self, position: &Position) -> u64 {
        let squares = if self.symmetric { canonical(&position.squares) } else { position.squares };
        self.canonical.binary_search(&squares).expect("a position of this layer") as u64
    }
    fn unrank(&self, side: Side, rank: u64) -> Position {
        Position { squares: self.canonical[rank as usize], to_move: side }
    }
    fn orbit(&self, _: Side, rank: u64) -> u64 {
        let squares = &self.canonical[rank as usize];
        let mut images: Vec<Squares> = (0..8).map(|symmetry| image(squares, symmetry)).collect();
        images.sort_unstable();
        images.dedup();
        if self.symmetric { images.len() as u64 } else { 1 }
    }
}
