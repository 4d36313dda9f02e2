//! A game as a value: any game, chosen at run time.

use std::any::Any;
use std::fmt;
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::sync::Arc;

use anser_analyse::WholeGame;
use anser_core::prelude::*;
use anser_core::{
    BlockMoves, IndexScheme, Next, NotationError, Noun, Outcome, PackingOrder, Picture, Reason,
    Side,
};
use anser_solve::Solvable;

use crate::erased::{Erased, ErasedIndex, Of, Visit};

/// A game that is chosen at run time, for programs that are not generic over [`Game`].
///
/// It implements [`Game`] itself, so tables and questions take it like any other; each call goes
/// through one virtual call. Work on whole layers runs at the speed of the game's own type:
/// [`AnyGame::solve`], [`AnyGame::verify`], [`AnyGame::solution`] and the like.
///
/// ```
/// use anser_core::prelude::*;
/// use anser_core::hexapawn::Hexapawn;
/// use anser_games::AnyGame;
///
/// let game = AnyGame::new(Hexapawn::default());
/// assert_eq!(game.name(), "hexapawn:3x3");
/// assert_eq!(game.format_position(&game.start()), "ppp/3/PPP w");
/// assert!(game.downcast_ref::<Hexapawn>().is_some());
/// ```
#[derive(Clone)]
pub struct AnyGame(Arc<dyn Erased>);

/// A position of an [`AnyGame`], as its [code](Layers::encode). It belongs to the game that it
/// comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnyPosition(u128);

/// A move of an [`AnyGame`]: the position that it is played from, and its number in generation
/// order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnyMove {
    from: AnyPosition,
    number: u16,
}

/// The index of one layer of an [`AnyGame`].
#[derive(Clone)]
pub struct AnyIndex(Arc<dyn ErasedIndex>);

impl AnyGame {
    /// A game as a value.
    pub fn new<G: WholeGame + Solvable>(game: G) -> AnyGame {
        AnyGame(Arc::new(Of(game)))
    }

    /// The game in its own type, if it is a `G`.
    pub fn downcast_ref<G: Game>(&self) -> Option<&G> {
        self.0.as_any().downcast_ref()
    }

    pub(crate) fn erased(&self) -> &dyn Erased {
        &*self.0
    }
}

impl AnyPosition {
    /// The [code](Layers::encode) of the position.
    pub fn code(self) -> u128 {
        self.0
    }
}

impl AnyIndex {
    pub(crate) fn new(index: impl ErasedIndex) -> AnyIndex {
        AnyIndex(Arc::new(index))
    }

    pub(crate) fn as_any(&self) -> &dyn Any {
        self.0.as_any()
    }
}

impl fmt::Debug for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyGame({}, rules {})", self.name(), self.rules_id())
    }
}

impl fmt::Debug for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl Rules for AnyGame {
    type Position = AnyPosition;
    type Move = AnyMove;

    fn name(&self) -> String {
        self.0.name()
    }

    fn rules_id(&self) -> String {
        self.0.rules_id()
    }

    fn fingerprint(&self) -> String {
        self.0.fingerprint()
    }

    fn start(&self) -> AnyPosition {
        AnyPosition(self.0.start())
    }

    fn side_to_move(&self, position: &AnyPosition) -> Side {
        self.0.side_to_move(position.0)
    }

    fn terminal(&self, position: &AnyPosition) -> Option<Outcome> {
        self.0.terminal(position.0)
    }

    fn visit_moves<B>(
        &self,
        position: &AnyPosition,
        mut visit: impl FnMut(AnyMove, Next<AnyPosition>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut flow = ControlFlow::Continue(());
        self.0.visit_moves(position.0, &mut |number, next| {
            flow = visit(AnyMove { from: *position, number }, next.map(AnyPosition));
            if flow.is_break() { Visit::Stop } else { Visit::Continue }
        });
        flow
    }

    fn passed(&self, position: &AnyPosition) -> Option<AnyPosition> {
        self.0.passed(position.0).map(AnyPosition)
    }

    fn material(&self, position: &AnyPosition) -> Option<i32> {
        self.0.material(position.0)
    }

    fn has_chains(&self) -> bool {
        self.0.has_chains()
    }

    fn inner_positions(&self, position: &AnyPosition, mv: &AnyMove) -> Vec<AnyPosition> {
        let inner = self.0.inner_positions(position.0, mv.number);
        inner.into_iter().map(AnyPosition).collect()
    }

    fn symmetries(&self) -> usize {
        self.0.symmetries()
    }

    fn image(&self, position: &AnyPosition, symmetry: usize) -> AnyPosition {
        AnyPosition(self.0.image(position.0, symmetry))
    }

    fn static_outcome(&self, position: &AnyPosition) -> Option<Outcome> {
        self.0.static_outcome(position.0)
    }
}

impl Layers for AnyGame {
    type Index = AnyIndex;

    fn layers(&self) -> RangeInclusive<u16> {
        self.0.layers()
    }

    fn layer(&self, position: &AnyPosition) -> u16 {
        self.0.layer(position.0)
    }

    fn lower_layers(&self, layer: u16) -> Vec<u16> {
        self.0.lower_layers(layer)
    }

    fn stays_in_layer(&self, layer: u16, side: Side) -> bool {
        self.0.stays_in_layer(layer, side)
    }

    fn is_loopy(&self, layer: u16) -> bool {
        self.0.is_loopy(layer)
    }

    fn visit_unmoves<B>(
        &self,
        position: &AnyPosition,
        mut visit: impl FnMut(AnyMove, AnyPosition) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut flow = ControlFlow::Continue(());
        self.0.visit_unmoves(position.0, &mut |number, from| {
            let from = AnyPosition(from);
            flow = visit(AnyMove { from, number }, from);
            if flow.is_break() { Visit::Stop } else { Visit::Continue }
        });
        flow
    }

    fn index(&self, layer: u16) -> AnyIndex {
        self.0.index(layer)
    }

    fn positions(&self, layer: u16, side: Side) -> u64 {
        self.0.positions(layer, side)
    }

    fn block_moves<'a>(
        &'a self,
        layer: u16,
        index: &'a AnyIndex,
    ) -> Option<Box<dyn BlockMoves + 'a>> {
        self.0.block_moves(layer, index)
    }

    fn encode(&self, position: &AnyPosition) -> u128 {
        position.0
    }

    fn decode(&self, code: u128) -> Option<AnyPosition> {
        self.0.is_code(code).then_some(AnyPosition(code))
    }
}

impl Notation for AnyGame {
    fn side_name(&self, side: Side) -> &str {
        self.0.side_name(side)
    }

    fn noun(&self, side: Side) -> Noun {
        self.0.noun(side)
    }

    fn ending(&self, position: &AnyPosition) -> Option<&str> {
        self.0.ending(position.0)
    }

    fn reason_text(&self, reason: Reason) -> &str {
        self.0.reason_text(reason)
    }

    fn parse_position(&self, text: &str) -> Result<AnyPosition, NotationError> {
        self.0.parse_position(text).map(AnyPosition)
    }

    fn format_position(&self, position: &AnyPosition) -> String {
        self.0.format_position(position.0)
    }

    fn parse_move(&self, position: &AnyPosition, text: &str) -> Result<AnyMove, NotationError> {
        Ok(AnyMove { from: *position, number: self.0.parse_move(position.0, text)? })
    }

    fn format_move(&self, mv: &AnyMove) -> String {
        self.0.format_move(mv.from.0, mv.number)
    }

    fn diagram(&self, position: &AnyPosition) -> String {
        self.0.diagram(position.0)
    }

    fn picture(&self, position: &AnyPosition) -> Option<Picture> {
        self.0.picture(position.0)
    }
}

impl LayerIndex for AnyIndex {
    type Position = AnyPosition;

    fn scheme(&self) -> IndexScheme {
        self.0.scheme()
    }

    fn len(&self, side: Side) -> u64 {
        self.0.len(side)
    }

    fn rank(&self, position: &AnyPosition) -> u64 {
        self.0.rank(position.0)
    }

    fn unrank(&self, side: Side, rank: u64) -> AnyPosition {
        AnyPosition(self.0.unrank(side, rank))
    }

    fn orbit(&self, side: Side, rank: u64) -> u64 {
        self.0.orbit(side, rank)
    }

    fn shares_ranks(&self) -> bool {
        self.0.shares_ranks()
    }

    fn packing_order(&self, side: Side) -> PackingOrder {
        self.0.packing_order(side)
    }

    fn visit_small_orbits(&self, side: Side, ranks: Range<u64>, mut visit: impl FnMut(u64, u64)) {
        self.0.visit_small_orbits(side, ranks, &mut visit);
    }
}
