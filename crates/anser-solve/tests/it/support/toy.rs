//! A small game with every hard case of distances: a walker on a track against a taker of counters.
//!
//! The track has the points 0 to 7. The number of counters, 0 to 9, is the layer. The first side,
//! the walker, moves one step left or right, or stays on point 0. The second side takes one or two
//! counters, or none if `waits` is set and the number is odd. The walker wins on point 7 and, with
//! the move, if its point is the number of counters and above 2. Without counters it has lost,
//! except on an odd point, which is a draw. A step from point 5 to point 4 ends the game: the
//! second side wins.
#![allow(dead_code, unreachable_pub)]

use std::ops::{ControlFlow, RangeInclusive};

use anser_core::prelude::*;
use anser_core::{End, IndexScheme, Next, NotationError, Outcome, Reason, Side};
use anser_solve::Solvable;

const POINTS: u8 = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub counters: u8,
    pub point: u8,
    pub second_to_move: bool,
}

/// The game. Unless `waits` is set, every move of the second side leaves the layer.
#[derive(Clone, Copy, Debug)]
pub struct Toy {
    pub waits: bool,
    /// Whether [`Layers::stays_in_layer`] is exact. Otherwise it is true for the second side.
    pub tells: bool,
}

pub struct Index(u16);

impl LayerIndex for Index {
    type Position = Position;

    fn scheme(&self) -> IndexScheme {
        IndexScheme { name: "toy", version: 1, symmetries: 1 }
    }

    fn len(&self, _: Side) -> u64 {
        u64::from(POINTS)
    }

    fn rank(&self, position: &Position) -> u64 {
        u64::from(position.point)
    }

    fn unrank(&self, side: Side, rank: u64) -> Position {
        Position { counters: self.0 as u8, point: rank as u8, second_to_move: side == Side::Second }
    }

    fn orbit(&self, _: Side, _: u64) -> u64 {
        1
    }
}

impl Solvable for Toy {}

impl Rules for Toy {
    type Position = Position;
    type Move = (u8, u8);

    fn name(&self) -> String {
        "toy".into()
    }

    fn rules_id(&self) -> String {
        if self.waits { "waits".into() } else { "plain".into() }
    }

    fn fingerprint(&self) -> String {
        self.rules_id()
    }

    fn start(&self) -> Position {
        Position { counters: 9, point: 3, second_to_move: false }
    }

    fn side_to_move(&self, position: &Position) -> Side {
        if position.second_to_move { Side::Second } else { Side::First }
    }

    fn terminal(&self, position: &Position) -> Option<Outcome> {
        let Position { counters, point, second_to_move } = *position;
        if point == POINTS - 1 || (!second_to_move && point == counters && point > 2) {
            return Some(Outcome::Win(Side::First));
        }
        let drawn = point % 2 == 1;
        (counters == 0).then_some(if drawn { Outcome::Draw } else { Outcome::Win(Side::Second) })
    }

    fn visit_moves<B>(
        &self,
        position: &Position,
        mut visit: impl FnMut((u8, u8), Next<Position>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.terminal(position).is_some() {
            return ControlFlow::Continue(());
        }
        let Position { counters, point, second_to_move } = *position;
        if second_to_move {
            let least = u8::from(!self.waits || counters % 2 == 0);
            for taken in least..=counters.min(2) {
                let next = Position { counters: counters - taken, point, second_to_move: false };
                visit((point, taken), Next::Position(next))?;
            }
        } else {
            for to in [point.saturating_sub(1), point + 1] {
                let position = Position { counters, point: to, second_to_move: true };
                let next = match (point, to) {
                    (5, 4) => {
                        let outcome = Outcome::Win(Side::Second);
                        Next::End(End { position, outcome, reason: Reason::new(0) })
                    }
                    _ => Next::Position(position),
                };
                visit((point, to), next)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn symmetries(&self) -> usize {
        1
    }

    fn image(&self, position: &Position, _: usize) -> Position {
        *position
    }
}

impl Layers for Toy {
    type Index = Index;

    fn layers(&self) -> RangeInclusive<u16> {
        0..=9
    }

    fn layer(&self, position: &Position) -> u16 {
        position.counters.into()
    }

    fn lower_layers(&self, layer: u16) -> Vec<u16> {
        (layer.saturating_sub(2)..layer).collect()
    }

    fn stays_in_layer(&self, layer: u16, side: Side) -> bool {
        side == Side::First || (self.waits && layer % 2 == 1) || !self.tells
    }

    fn positions(&self, _: u16, _: Side) -> u64 {
        POINTS.into()
    }

    fn visit_unmoves<B>(
        &self,
        position: &Position,
        mut visit: impl FnMut((u8, u8), Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        // The inverse by trying all moves.
        for point in 0..POINTS {
            let from = Position { point, second_to_move: !position.second_to_move, ..*position };
            self.visit_moves(&from, |mv, next| {
                if next == Next::Position(*position) {
                    visit(mv, from)
                } else {
                    ControlFlow::Continue(())
                }
            })?;
        }
        ControlFlow::Continue(())
    }

    fn index(&self, layer: u16) -> Index {
        Index(layer)
    }
}

impl Notation for Toy {
    fn side_name(&self, side: Side) -> &'static str {
        ["walker", "taker"][side.index()]
    }

    fn parse_position(&self, text: &str) -> Result<Position, NotationError> {
        let number =
            |at: usize| text.as_bytes().get(at).map_or(0, |digit| digit.wrapping_sub(b'0'));
        Ok(Position { counters: number(0), point: number(1), second_to_move: text.ends_with('t') })
    }

    fn format_position(&self, position: &Position) -> String {
        let Position { counters, point, second_to_move } = position;
        format!("{counters}{point} {}", if *second_to_move { 't' } else { 'w' })
    }

    fn parse_move(&self, _: &Position, text: &str) -> Result<(u8, u8), NotationError> {
        let mut numbers = text.bytes().map(|digit| digit.wrapping_sub(b'0'));
        Ok((numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)))
    }

    fn format_move(&self, mv: &(u8, u8)) -> String {
        format!("{}{}", mv.0, mv.1)
    }

    fn diagram(&self, position: &Position) -> String {
        self.format_position(position)
    }
}
