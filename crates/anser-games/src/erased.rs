//! Games behind virtual calls: positions are codes, and moves are numbers in generation order.

use std::any::Any;
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::path::PathBuf;

use anser_analyse::{AnalyseError, Count, Limits, Solution, WholeCensus, WholeGame};
use anser_core::prelude::*;
use anser_core::{
    BlockMoves, IndexScheme, Next, NotationError, Noun, Outcome, PackingOrder, Picture, Reason,
    Side,
};
use anser_solve::{
    Estimate, Observer, PackOptions, Packed, RunObserver, Solvable, SolveError, SolveOptions,
    Solved, UnpackOptions, Verified, VerifyOptions,
};

use anser_table::Access;

use crate::any::{AnyGame, AnyIndex};

/// Whether to go on visiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visit {
    Continue,
    Stop,
}

impl From<Visit> for ControlFlow<()> {
    fn from(visit: Visit) -> ControlFlow<()> {
        match visit {
            Visit::Continue => ControlFlow::Continue(()),
            Visit::Stop => ControlFlow::Break(()),
        }
    }
}

/// What [`Rules`], [`Layers`] and [`Notation`] say, and the work that runs in the game's own type.
///
/// Codes that are passed in are codes of this game, and numbers of moves are those of legal moves.
pub(crate) trait Erased: Send + Sync + 'static {
    fn as_any(&self) -> &dyn Any;

    fn name(&self) -> String;
    fn rules_id(&self) -> String;
    fn fingerprint(&self) -> String;
    fn start(&self) -> u128;
    fn side_to_move(&self, position: u128) -> Side;
    fn terminal(&self, position: u128) -> Option<Outcome>;
    fn visit_moves(&self, position: u128, visit: &mut dyn FnMut(u16, Next<u128>) -> Visit);
    fn passed(&self, position: u128) -> Option<u128>;
    fn material(&self, position: u128) -> Option<i32>;
    fn has_chains(&self) -> bool;
    fn inner_positions(&self, position: u128, number: u16) -> Vec<u128>;
    fn symmetries(&self) -> usize;
    fn image(&self, position: u128, symmetry: usize) -> u128;
    fn static_outcome(&self, position: u128) -> Option<Outcome>;

    fn layers(&self) -> RangeInclusive<u16>;
    fn layer(&self, position: u128) -> u16;
    fn lower_layers(&self, layer: u16) -> Vec<u16>;
    fn stays_in_layer(&self, layer: u16, side: Side) -> bool;
    fn is_loopy(&self, layer: u16) -> bool;
    fn visit_unmoves(&self, position: u128, visit: &mut dyn FnMut(u16, u128) -> Visit);
    fn index(&self, layer: u16) -> AnyIndex;
    fn positions(&self, layer: u16, side: Side) -> u64;
    fn block_moves<'a>(
        &'a self,
        layer: u16,
        index: &'a AnyIndex,
    ) -> Option<Box<dyn BlockMoves + 'a>>;
    fn is_code(&self, code: u128) -> bool;

    fn side_name(&self, side: Side) -> &str;
    fn noun(&self, side: Side) -> Noun;
    fn ending(&self, position: u128) -> Option<&str>;
    fn reason_text(&self, reason: Reason) -> &str;
    fn parse_position(&self, text: &str) -> Result<u128, NotationError>;
    fn format_position(&self, position: u128) -> String;
    fn parse_move(&self, position: u128, text: &str) -> Result<u16, NotationError>;
    fn format_move(&self, position: u128, number: u16) -> String;
    fn diagram(&self, position: u128) -> String;
    fn picture(&self, position: u128) -> Option<Picture>;

    fn plan(&self, options: &SolveOptions) -> Result<Estimate, SolveError>;
    fn solve(
        &self,
        options: &SolveOptions,
        observer: &dyn RunObserver,
    ) -> Result<Solved, SolveError>;
    fn verify(
        &self,
        dirs: &[PathBuf],
        options: &VerifyOptions,
        access: &(dyn Access + Sync),
        observer: &dyn Observer,
    ) -> Result<Vec<Verified>, SolveError>;
    fn pack(
        &self,
        options: &PackOptions,
        observer: &dyn RunObserver,
    ) -> Result<Vec<Packed>, SolveError>;
    fn unpack(
        &self,
        options: &UnpackOptions,
        observer: &dyn RunObserver,
    ) -> Result<Vec<Packed>, SolveError>;
    /// The solution of what `root` leads to; `any` is this game.
    fn solution(
        &self,
        any: &AnyGame,
        root: u128,
        limits: &Limits<'_>,
    ) -> Result<Solution<AnyGame>, AnalyseError>;
    /// The solution of all positions of layers, and of the layers below them; `any` is this game.
    fn solution_of_layers(
        &self,
        any: &AnyGame,
        layers: RangeInclusive<u16>,
        limits: &Limits<'_>,
    ) -> Result<Solution<AnyGame>, AnalyseError>;
    fn census(
        &self,
        root: u128,
        all: bool,
        limits: &Limits<'_>,
    ) -> Result<WholeCensus, AnalyseError>;
    fn count(&self, root: u128, limits: &Limits<'_>) -> Result<Count, AnalyseError>;
}

/// What [`LayerIndex`] says, with codes for positions.
pub(crate) trait ErasedIndex: Send + Sync + 'static {
    fn as_any(&self) -> &dyn Any;
    fn scheme(&self) -> IndexScheme;
    fn len(&self, side: Side) -> u64;
    fn rank(&self, position: u128) -> u64;
    fn unrank(&self, side: Side, rank: u64) -> u128;
    fn orbit(&self, side: Side, rank: u64) -> u64;
    fn shares_ranks(&self) -> bool;
    fn packing_order(&self, side: Side) -> PackingOrder;
    fn visit_small_orbits(&self, side: Side, ranks: Range<u64>, visit: &mut dyn FnMut(u64, u64));
}

/// A game behind [`Erased`].
pub(crate) struct Of<G>(pub(crate) G);

impl<G: Game> Of<G> {
    /// The position of a code.
    #[inline]
    fn at(&self, code: u128) -> G::Position {
        self.0.decode(code).expect("positions are given to the game that they come from")
    }

    fn next(&self, next: Next<G::Position>) -> Next<u128> {
        next.map(|position| self.0.encode(&position))
    }

    /// The number of a legal move in generation order.
    fn number_of(&self, position: &G::Position, mv: G::Move) -> Option<u16> {
        let mut number = 0;
        let found = self.0.visit_moves(position, |legal, _| {
            if legal == mv {
                return ControlFlow::Break(());
            }
            number += 1;
            ControlFlow::Continue(())
        });
        found.is_break().then_some(number)
    }

    /// The legal move with a number in generation order.
    fn move_of(&self, position: &G::Position, number: u16) -> Option<G::Move> {
        let mut left = number;
        let found = self.0.visit_moves(position, |mv, _| {
            if left == 0 {
                return ControlFlow::Break(mv);
            }
            left -= 1;
            ControlFlow::Continue(())
        });
        found.break_value()
    }
}

impl<G: WholeGame + Solvable> Erased for Of<G> {
    fn as_any(&self) -> &dyn Any {
        &self.0
    }

    fn name(&self) -> String {
        self.0.name()
    }

    fn rules_id(&self) -> String {
        self.0.rules_id()
    }

    fn fingerprint(&self) -> String {
        self.0.fingerprint()
    }

    fn start(&self) -> u128 {
        self.0.encode(&self.0.start())
    }

    fn side_to_move(&self, position: u128) -> Side {
        self.0.side_to_move(&self.at(position))
    }

    fn terminal(&self, position: u128) -> Option<Outcome> {
        self.0.terminal(&self.at(position))
    }

    fn visit_moves(&self, position: u128, visit: &mut dyn FnMut(u16, Next<u128>) -> Visit) {
        let mut number = 0;
        let _ = self.0.visit_moves(&self.at(position), |_, next| {
            let flow: ControlFlow<()> = visit(number, self.next(next)).into();
            number += 1;
            flow
        });
    }

    fn passed(&self, position: u128) -> Option<u128> {
        self.0.passed(&self.at(position)).map(|passed| self.0.encode(&passed))
    }

    fn material(&self, position: u128) -> Option<i32> {
        self.0.material(&self.at(position))
    }

    fn has_chains(&self) -> bool {
        self.0.has_chains()
    }

    fn inner_positions(&self, position: u128, number: u16) -> Vec<u128> {
        let position = self.at(position);
        let Some(mv) = self.move_of(&position, number) else { return Vec::new() };
        let inner = self.0.inner_positions(&position, &mv);
        inner.iter().map(|position| self.0.encode(position)).collect()
    }

    fn symmetries(&self) -> usize {
        self.0.symmetries()
    }

    fn image(&self, position: u128, symmetry: usize) -> u128 {
        self.0.encode(&self.0.image(&self.at(position), symmetry))
    }

    fn static_outcome(&self, position: u128) -> Option<Outcome> {
        self.0.static_outcome(&self.at(position))
    }

    fn layers(&self) -> RangeInclusive<u16> {
        self.0.layers()
    }

    fn layer(&self, position: u128) -> u16 {
        self.0.layer(&self.at(position))
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

    fn visit_unmoves(&self, position: u128, visit: &mut dyn FnMut(u16, u128) -> Visit) {
        let _ = self.0.visit_unmoves(&self.at(position), |mv, from| {
            let number =
                self.number_of(&from, mv).expect("an un-move is the inverse of a legal move");
            ControlFlow::<()>::from(visit(number, self.0.encode(&from)))
        });
    }

    fn index(&self, layer: u16) -> AnyIndex {
        AnyIndex::new(IndexOf { game: self.0.clone(), index: self.0.index(layer) })
    }

    fn positions(&self, layer: u16, side: Side) -> u64 {
        self.0.positions(layer, side)
    }

    fn block_moves<'a>(
        &'a self,
        layer: u16,
        index: &'a AnyIndex,
    ) -> Option<Box<dyn BlockMoves + 'a>> {
        let index: &IndexOf<G> =
            index.as_any().downcast_ref().expect("an index is given to its game");
        self.0.block_moves(layer, &index.index)
    }

    fn is_code(&self, code: u128) -> bool {
        self.0.decode(code).is_some()
    }

    fn side_name(&self, side: Side) -> &str {
        self.0.side_name(side)
    }

    fn noun(&self, side: Side) -> Noun {
        self.0.noun(side)
    }

    fn ending(&self, position: u128) -> Option<&str> {
        self.0.ending(&self.at(position))
    }

    fn reason_text(&self, reason: Reason) -> &str {
        self.0.reason_text(reason)
    }

    fn parse_position(&self, text: &str) -> Result<u128, NotationError> {
        self.0.parse_position(text).map(|position| self.0.encode(&position))
    }

    fn format_position(&self, position: u128) -> String {
        self.0.format_position(&self.at(position))
    }

    fn parse_move(&self, position: u128, text: &str) -> Result<u16, NotationError> {
        let position = self.at(position);
        let mv = self.0.parse_move(&position, text)?;
        Ok(self.number_of(&position, mv).expect("only legal moves are read"))
    }

    fn format_move(&self, position: u128, number: u16) -> String {
        let mv = self.move_of(&self.at(position), number);
        mv.map(|mv| self.0.format_move(&mv)).unwrap_or_default()
    }

    fn diagram(&self, position: u128) -> String {
        self.0.diagram(&self.at(position))
    }

    fn picture(&self, position: u128) -> Option<Picture> {
        self.0.picture(&self.at(position))
    }

    fn plan(&self, options: &SolveOptions) -> Result<Estimate, SolveError> {
        anser_solve::plan(&self.0, options)
    }

    fn solve(
        &self,
        options: &SolveOptions,
        observer: &dyn RunObserver,
    ) -> Result<Solved, SolveError> {
        anser_solve::solve(&self.0, options, observer)
    }

    fn verify(
        &self,
        dirs: &[PathBuf],
        options: &VerifyOptions,
        access: &(dyn Access + Sync),
        observer: &dyn Observer,
    ) -> Result<Vec<Verified>, SolveError> {
        anser_solve::verify(&self.0, dirs, options, access, observer)
    }

    fn pack(
        &self,
        options: &PackOptions,
        observer: &dyn RunObserver,
    ) -> Result<Vec<Packed>, SolveError> {
        anser_solve::pack(&self.0, options, observer)
    }

    fn unpack(
        &self,
        options: &UnpackOptions,
        observer: &dyn RunObserver,
    ) -> Result<Vec<Packed>, SolveError> {
        anser_solve::unpack(&self.0, options, observer)
    }

    fn solution(
        &self,
        any: &AnyGame,
        root: u128,
        limits: &Limits<'_>,
    ) -> Result<Solution<AnyGame>, AnalyseError> {
        Ok(Solution::reachable_within(&self.0, &self.at(root), limits)?.into_game(any))
    }

    fn solution_of_layers(
        &self,
        any: &AnyGame,
        layers: RangeInclusive<u16>,
        limits: &Limits<'_>,
    ) -> Result<Solution<AnyGame>, AnalyseError> {
        Ok(Solution::of_layers(&self.0, layers, limits)?.into_game(any))
    }

    fn census(
        &self,
        root: u128,
        all: bool,
        limits: &Limits<'_>,
    ) -> Result<WholeCensus, AnalyseError> {
        self.0.census(&self.at(root), all, limits)
    }

    fn count(&self, root: u128, limits: &Limits<'_>) -> Result<Count, AnalyseError> {
        self.0.count(&self.at(root), limits)
    }
}

/// The index of a layer behind [`ErasedIndex`].
struct IndexOf<G: Game> {
    game: G,
    index: G::Index,
}

impl<G: Game> IndexOf<G> {
    #[inline]
    fn at(&self, code: u128) -> G::Position {
        self.game
            .decode(code)
            .expect("positions are given to the index of the game that they come from")
    }
}

impl<G: Game> ErasedIndex for IndexOf<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn scheme(&self) -> IndexScheme {
        self.index.scheme()
    }

    fn len(&self, side: Side) -> u64 {
        self.index.len(side)
    }

    fn rank(&self, position: u128) -> u64 {
        self.index.rank(&self.at(position))
    }

    fn unrank(&self, side: Side, rank: u64) -> u128 {
        self.game.encode(&self.index.unrank(side, rank))
    }

    fn orbit(&self, side: Side, rank: u64) -> u64 {
        self.index.orbit(side, rank)
    }

    fn shares_ranks(&self) -> bool {
        self.index.shares_ranks()
    }

    fn packing_order(&self, side: Side) -> PackingOrder {
        self.index.packing_order(side)
    }

    fn visit_small_orbits(&self, side: Side, ranks: Range<u64>, visit: &mut dyn FnMut(u64, u64)) {
        self.index.visit_small_orbits(side, ranks, visit);
    }
}
