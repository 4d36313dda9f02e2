//! Fox-and-Geese without moves by blocks, so that checks take one position at a time.
#![allow(unreachable_pub)]

use std::ops::{ControlFlow, RangeInclusive};

use anser_core::Hunt;
use anser_core::hunt::{HuntIndex, Move, Position};
use anser_core::prelude::*;
use anser_core::{Next, NotationError, Noun, Outcome, Side};

#[derive(Clone)]
pub struct Plain(pub Hunt);

impl Rules for Plain {
    type Position = Position;
    type Move = Move;

    fn name(&self) -> String {
        self.0.name()
    }

    fn rules_id(&self) -> String {
        self.0.rules_id()
    }

    fn fingerprint(&self) -> String {
        self.0.fingerprint()
    }

    fn start(&self) -> Self::Position {
        self.0.start()
    }

    fn side_to_move(&self, position: &Position) -> Side {
        self.0.side_to_move(position)
    }

    fn terminal(&self, position: &Position) -> Option<Outcome> {
        self.0.terminal(position)
    }

    fn visit_moves<B>(
        &self,
        position: &Position,
        visit: impl FnMut(Move, Next<Position>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.visit_moves(position, visit)
    }

    fn symmetries(&self) -> usize {
        self.0.symmetries()
    }

    fn image(&self, position: &Position, symmetry: usize) -> Position {
        self.0.image(position, symmetry)
    }
}

impl Layers for Plain {
    type Index = HuntIndex;

    fn layers(&self) -> RangeInclusive<u16> {
        self.0.layers()
    }

    fn layer(&self, position: &Position) -> u16 {
        self.0.layer(position)
    }

    fn lower_layers(&self, layer: u16) -> Vec<u16> {
        self.0.lower_layers(layer)
    }

    fn positions(&self, layer: u16, side: Side) -> u64 {
        self.0.positions(layer, side)
    }

    fn visit_unmoves<B>(
        &self,
        position: &Position,
        visit: impl FnMut(Move, Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.visit_unmoves(position, visit)
    }

    fn index(&self, layer: u16) -> HuntIndex {
        self.0.index(layer)
    }
}

impl Notation for Plain {
    fn side_name(&self, side: Side) -> &str {
        self.0.side_name(side)
    }

    fn noun(&self, side: Side) -> Noun {
        self.0.noun(side)
    }

    fn parse_position(&self, text: &str) -> Result<Position, NotationError> {
        self.0.parse_position(text)
    }

    fn format_position(&self, position: &Position) -> String {
        self.0.format_position(position)
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, NotationError> {
        self.0.parse_move(position, text)
    }

    fn format_move(&self, mv: &Move) -> String {
        self.0.format_move(mv)
    }

    fn diagram(&self, position: &Position) -> String {
        self.0.diagram(position)
    }
}
