//! Methods of a game: its moves, the numbering of its positions, and its notation.
//!
//! Contracts, which [`validate`](crate::validate) checks: the sides alternate; a move leads to the
//! same layer or a lower one; un-moves are exactly the inverse of the moves that stay in the layer;
//! an image under a symmetry has the images of the moves, and the same rank; the index of a layer
//! is a bijection between symmetry classes and `0..len`, apart from entries whose orbit is 0; codes
//! of positions can be decoded.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, RangeInclusive};

use crate::fox_geese::block_moves::CrossMoves;
use crate::hunt::block_moves::HuntBlocks;
use crate::hunt::checked::Checked;
use crate::hunt::scheme::Scheme;
use crate::hunt::{
    Hunt, HuntIndex, Layering, Move, MoveKind, PointSet, Position, layers, notation, numbering,
};
use crate::{BlockMoves, Next, NotationError, Noun, Outcome, Picture, Side};

/// Greatest number of points of a board whose positions have codes made of sets.
const POINTS_OF_CODES: usize = 52;

/// The moves of a position, in generation order, each with what it leads to.
pub type MoveList = Vec<(Move, Next)>;

/// Moves, ends, and symmetries.
impl Hunt {
    /// Returns the game's name as on the command line and in tables: `fox-geese`. At most 31 bytes
    /// of ASCII.
    pub fn name(&self) -> &str {
        &self.0.description.name
    }

    /// Returns the rule set's id as on the command line and in tables: `free`. At most 63 bytes of
    /// ASCII.
    pub fn rules_id(&self) -> &str {
        &self.0.description.rules
    }

    /// Returns everything in the rules that a value can depend on, in a fixed textual form; tables
    /// store its hash.
    pub fn fingerprint(&self) -> String {
        let Checked { description, scheme, fingerprint, .. } = &*self.0;
        let text = || format!("{}numbering {}\n", description.meaning(), scheme.name());
        fingerprint.get_or_init(text).clone()
    }

    /// Returns the text of the game's [description](crate::hunt::Description). Tables carry it, so
    /// that a program can read those of a game that it does not know.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// assert!(Hunt::default().description_text().starts_with("hunt 1\ngame fox-geese\n"));
    /// ```
    pub fn description_text(&self) -> String {
        self.0.description.to_string()
    }

    /// Returns the position that play usually starts from.
    pub fn start(&self) -> Position {
        self.0.play.start
    }

    /// Returns the outcome if the game is over: no move is played from such a position.
    #[inline]
    pub fn terminal(&self, position: &Position) -> Option<Outcome> {
        self.0.play.ended(position).map(|rule| self.0.play.outcome(rule))
    }

    /// Returns what a move leads to; `None` if it is not legal.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// use anser_core::Next;
    /// let game = Hunt::default();
    /// let mv = game.parse_move(&game.start(), "d4-d5")?;
    /// let next = game.parse_position("3/3/3F3/7/ggggggg/ggg/ggg g")?;
    /// assert_eq!(game.after(&game.start(), &mv), Some(Next::Position(next)));
    /// # Ok::<(), anser_core::NotationError>(())
    /// ```
    pub fn after(&self, position: &Position, mv: &Move) -> Option<Next> {
        let found = self.visit_moves(position, |legal, next| {
            if legal == *mv { ControlFlow::Break(next) } else { ControlFlow::Continue(()) }
        });
        found.break_value()
    }

    /// Returns the outcome if the game is over after a move: the move itself ended it, or the rules
    /// of the position that it leads to.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// use anser_core::{Outcome, Side};
    /// let game = Hunt::default();
    /// let position = game.parse_position("3/3/7/3F3/3g3/3/ggg f")?;
    /// let moves = game.moves(&position);
    /// let outcomes: Vec<_> = moves.iter().map(|(_, next)| game.outcome_after(next)).collect();
    /// assert_eq!(outcomes[0], Some(Outcome::Win(Side::First)));
    /// assert!(outcomes[1..].iter().all(Option::is_none));
    /// # Ok::<(), anser_core::NotationError>(())
    /// ```
    pub fn outcome_after(&self, next: &Next) -> Option<Outcome> {
        match next {
            Next::Position(position) => self.terminal(position),
            Next::End(end) => Some(end.outcome),
        }
    }

    /// Visits every legal move and what it leads to, in the game's generation order, until `visit`
    /// breaks.
    ///
    /// Terminal positions have no moves. Callers that only collect moves use [`Hunt::moves`].
    #[inline]
    pub fn visit_moves<B>(
        &self,
        position: &Position,
        visit: impl FnMut(Move, Next) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.play.visit_moves(position, visit)
    }

    /// Visits what every legal move leads to, with the kind of the move, as
    /// [`Hunt::visit_moves`] does and in less time.
    #[inline]
    pub fn visit_successors<B>(
        &self,
        position: &Position,
        visit: impl FnMut(MoveKind, Next) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.play.visit_moves(position, visit)
    }

    /// Returns every legal move and what it leads to, in the game's generation order.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// let game = Hunt::default();
    /// let moves = game.moves(&game.start());
    /// let moves: Vec<String> = moves.iter().map(|(mv, _)| game.format_move(mv)).collect();
    /// assert_eq!(moves, ["d4-c4", "d4-e4", "d4-c5", "d4-d5", "d4-e5"]);
    /// ```
    pub fn moves(&self, position: &Position) -> MoveList {
        let mut moves = Vec::new();
        let _ = self.visit_moves(position, |mv, next| {
            moves.push((mv, next));
            ControlFlow::<()>::Continue(())
        });
        moves
    }

    /// Returns the same arrangement with the other side to move, if the game has such a position.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// let game = Hunt::default();
    /// let fox = game.parse_position("gFg/1g1/3g3/7/7/3/3 f")?;
    /// let geese = game.parse_position("gFg/1g1/3g3/7/7/3/3 g")?;
    /// assert_eq!(game.passed(&fox), Some(geese));
    /// # Ok::<(), anser_core::NotationError>(())
    /// ```
    pub fn passed(&self, position: &Position) -> Option<Position> {
        let passed = Position { to_move: position.to_move.other(), ..*position };
        self.has_position(&passed).then_some(passed)
    }

    /// Returns the material: the number of pieces of the few, in hand and on the board, if they can
    /// be jumped over, less that of the many, if they can be; `None` if there is nothing to count.
    /// A search that stops before the end of the game compares positions by it.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// let game = Hunt::default();
    /// let after_a_capture = game.parse_position("3/3/7/3F3/ggggggg/ggg/gg1 f")?;
    /// assert!(game.material(&after_a_capture) > game.material(&game.start()));
    /// # Ok::<(), anser_core::NotationError>(())
    /// ```
    pub fn material(&self, position: &Position) -> Option<i32> {
        let count = |side: Side| {
            let jumps = !self.0.description.side(side.other()).jumps.is_empty();
            let pieces = || position.pieces(side).len() + usize::from(position.in_hand(side));
            jumps.then(|| pieces() as i32)
        };
        match (count(Side::First), count(Side::Second)) {
            (None, None) => None,
            (few, many) => Some(few.unwrap_or(0) - many.unwrap_or(0)),
        }
    }

    /// Whether a move can be a chain of several jumps.
    pub fn has_chains(&self) -> bool {
        self.0.description.sides.iter().any(|side| side.chain)
    }

    /// Returns the positions inside a chain of jumps: after each jump but the last. They show where
    /// the pieces are, with the same side to move, which may only go on jumping or stop. Each has
    /// one piece of the other side less than the one before. Empty for every other move.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// let game = Hunt::fox_geese("free+chain")?;
    /// let position = game.parse_position("gg1/3/7/Fg1g1g1/7/3/ggg f")?;
    /// let chain = game.parse_move(&position, "a4xc4xe4")?;
    /// let inner = game.inner_positions(&position, &chain);
    /// assert_eq!(inner, [game.parse_position("gg1/3/7/2Fg1g1/7/3/ggg f")?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inner_positions(&self, position: &Position, mv: &Move) -> Vec<Position> {
        self.0.play.inner_positions(position, mv)
    }

    /// Returns the number of symmetries of the rules, the identity included: 1 to
    /// [`MOST_SYMMETRIES`](crate::MOST_SYMMETRIES).
    pub fn symmetries(&self) -> usize {
        self.0.symmetries.len()
    }

    /// Returns the image of a position under symmetry number `symmetry < self.symmetries()`; number
    /// 0 is the identity.
    pub fn image(&self, position: &Position, symmetry: usize) -> Position {
        let pieces = position.pieces.map(|pieces| self.image_of_set(pieces, symmetry));
        Position { pieces, ..*position }
    }

    /// Returns the image of a set of points under symmetry number `symmetry < self.symmetries()`.
    pub fn image_of_set(&self, set: PointSet, symmetry: usize) -> PointSet {
        self.0.symmetries[symmetry].image(set)
    }

    /// Returns the number of distinct lesser images of a set of the few, and the symmetries that
    /// keep it, a bit for each. Where the few may be many, as in Hexapawn, there is no table of
    /// their sets.
    #[inline]
    pub(crate) fn images_of_few(&self, few: PointSet) -> (u64, u16) {
        if let Scheme::General | Scheme::Cross(_) = self.0.scheme {
            let set = self.0.few_orbits(few.len() as u8).of(few);
            return (set.lesser.into(), set.kept_by);
        }
        let (mut lesser, mut kept_by) = (0, 0_u16);
        for symmetry in 0..self.symmetries() {
            let image = self.image_of_set(few, symmetry);
            lesser += u64::from(image < few);
            kept_by |= u16::from(image == few) << symmetry;
        }
        // Every image is that of equally many symmetries.
        (lesser / u64::from(kept_by.count_ones()), kept_by)
    }
}

/// Numbering of positions: layers, which play can only descend, and an index for each. Layers are
/// solved from the lowest up. Within a layer, play may return to a position.
impl Hunt {
    /// Returns all layers of the game, in the order in which they are solved. Positions in which
    /// the game is over may be in others.
    pub fn layers(&self) -> RangeInclusive<u16> {
        layers::layers(&self.0.description, &self.0.contents, self.0.scheme)
    }

    /// Whether positions of a layer have numbers. Besides the layers of the game, these are layers
    /// in which it is over, with too few pieces left.
    pub(crate) fn has_numbers(&self, layer: u16) -> bool {
        match self.0.scheme {
            Scheme::General => usize::from(layer) < self.0.contents.len(),
            _ => self.layers().contains(&layer),
        }
    }

    /// Returns the layer of a position.
    #[inline]
    pub fn layer(&self, position: &Position) -> u16 {
        layers::layer(&self.0, position)
    }

    /// Returns the layer of the position after a move of this kind from a position of `layer`.
    ///
    /// ```
    /// use anser_core::{Hunt, Next};
    /// let game = Hunt::default();
    /// let position = game.parse_position("3/3/7/2gF3/3g3/3/ggg f")?;
    /// for (mv, next) in game.moves(&position) {
    ///     if let Next::Position(next) = next {
    ///         assert_eq!(game.layer_after(5, mv.kind(), &next), game.layer(&next));
    ///     }
    /// }
    /// # Ok::<(), anser_core::NotationError>(())
    /// ```
    #[inline]
    pub fn layer_after(&self, layer: u16, kind: MoveKind, next: &Position) -> u16 {
        match (self.0.description.layers, kind) {
            (Layering::Pieces | Layering::Placement, MoveKind::Step | MoveKind::Pass) => layer,
            _ => self.layer(next),
        }
    }

    /// Returns the lower layers that a single move from `layer` can lead to, in ascending order.
    pub fn lower_layers(&self, layer: u16) -> Vec<u16> {
        layers::lower_layers(&self.0, layer)
    }

    /// Returns the layers that play can lead to from `layers`, themselves included, in ascending
    /// order.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// assert_eq!(Hunt::default().descent([5, 6]), [4, 5, 6]);
    /// ```
    pub fn descent(&self, layers: impl IntoIterator<Item = u16>) -> Vec<u16> {
        let mut found = BTreeSet::new();
        let mut open: Vec<u16> = layers.into_iter().collect();
        while let Some(layer) = open.pop() {
            if found.insert(layer) {
                open.extend(self.lower_layers(layer));
            }
        }
        found.into_iter().collect()
    }

    /// Returns the first layer to solve for `layer` if no table exists: `layer` itself if it does
    /// not depend on lower layers, and otherwise the game's lowest.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// assert_eq!(Hunt::fox_geese("free")?.first_needed(9), 1);
    /// assert_eq!(Hunt::fox_geese("first-capture")?.first_needed(9), 9);
    /// # Ok::<(), anser_core::hunt::FamilyError>(())
    /// ```
    pub fn first_needed(&self, layer: u16) -> u16 {
        if self.lower_layers(layer).is_empty() { layer } else { *self.layers().start() }
    }

    /// Whether a move of `side` can stay in `layer`.
    pub fn stays_in_layer(&self, layer: u16, side: Side) -> bool {
        layers::stays(&self.0, layer, side)
    }

    /// Whether play can return to a position of `layer`: moves of both sides can stay in it. The
    /// values of any other layer follow in one pass per side.
    pub fn is_loopy(&self, layer: u16) -> bool {
        Side::BOTH.into_iter().all(|side| self.stays_in_layer(layer, side))
    }

    /// Visits every un-move with its position, as [`Hunt::visit_predecessors`] does without it.
    pub(crate) fn visit_unmoves<B>(
        &self,
        position: &Position,
        visit: impl FnMut(Move, Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.play.visit_unmoves(position, visit)
    }

    /// Visits what the moves that leave `layer`, that of the position, lead to, and what those do
    /// that end the game, until `visit` breaks. Otherwise tells whether a move stays in the layer.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use anser_core::Hunt;
    /// let game = Hunt::default();
    /// let position = game.parse_position("3/3/7/2gF3/3g3/3/ggg f")?;
    /// let mut captures = 0;
    /// let stays = game.visit_leaving(5, &position, |_| {
    ///     captures += 1;
    ///     ControlFlow::<()>::Continue(())
    /// });
    /// assert_eq!((captures, stays), (2, ControlFlow::Continue(true)));
    /// # Ok::<(), anser_core::NotationError>(())
    /// ```
    #[inline]
    pub fn visit_leaving<B>(
        &self,
        layer: u16,
        position: &Position,
        mut visit: impl FnMut(Next) -> ControlFlow<B>,
    ) -> ControlFlow<B, bool> {
        let mut stays = false;
        let mut look = |next: Next, stays: &mut bool| match &next {
            Next::Position(after) if self.layer(after) == layer => {
                *stays = true;
                ControlFlow::Continue(())
            }
            _ => visit(next),
        };
        let by_pieces = matches!(self.0.description.layers, Layering::Pieces | Layering::Placement);
        if by_pieces && position.in_hand(position.to_move()) == 0 {
            // No step changes the number of pieces.
            let mut steps = false;
            self.0.play.visit_some::<MoveKind, false, B>(position, &mut steps, |_, next| {
                look(next, &mut stays)
            })?;
            stays |= steps;
        } else {
            self.visit_successors(position, |_, next| look(next, &mut stays))?;
        }
        ControlFlow::Continue(stays)
    }

    /// Visits the positions that un-moves lead to: those of the *same layer* from which a legal move
    /// leads to `position`, once for each such move, until `visit` breaks.
    #[inline]
    pub fn visit_predecessors<B>(
        &self,
        position: &Position,
        mut visit: impl FnMut(Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.play.visit_unmoves(position, |_: MoveKind, before| visit(before))
    }

    /// Returns the index of a layer.
    pub fn index(&self, layer: u16) -> HuntIndex {
        HuntIndex::new(&self.0, layer)
    }

    /// Returns the number of positions of a layer with `side` to move, symmetric ones counted
    /// separately.
    pub fn positions(&self, layer: u16, side: Side) -> u64 {
        if let Some(positions) = numbering::positions(&self.0, layer, side) {
            return positions;
        }
        self.index(layer).positions(side)
    }

    /// Returns the moves of a layer by blocks, for checks, if the board has tables that are
    /// faster than one position after the other. Engines must not use them.
    pub fn block_moves<'a>(
        &'a self,
        layer: u16,
        index: &'a HuntIndex,
    ) -> Option<Box<dyn BlockMoves + 'a>> {
        if let Some(index) = index.general() {
            return Some(Box::new(HuntBlocks::new(self, index, layer)?));
        }
        let (cross, index) = (self.0.cross?, index.cross()?);
        Some(Box::new(CrossMoves::new(cross, index, layer)))
    }

    /// Returns the code of a position, different for different positions of the game. Within a
    /// symmetry class codes are ordered as positions are.
    ///
    /// On boards of at most 52 points, from the highest bits down: the few and the many as sets of
    /// points, 7 bits each for those in hand, 8 bits for the plies left, 1 bit for the side to
    /// move. On larger boards the layer, the side to move, and the [key](crate::key) of the
    /// position, which takes a rank.
    pub fn encode(&self, position: &Position) -> u128 {
        let points = self.0.description.points.len();
        if points > POINTS_OF_CODES {
            return crate::orbit::rank_code(self, position);
        }
        let [few, many] = position.pieces.map(PointSet::bits);
        let hand = u128::from(position.hand[0]) << 7 | u128::from(position.hand[1]);
        let rest = hand << 9
            | u128::from(position.left.unwrap_or(0)) << 1
            | position.to_move.index() as u128;
        (few << points | many) << 23 | rest
    }

    /// Returns the position of a code, and `None` for a number that is no code.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// let game = Hunt::default();
    /// assert_eq!(game.decode(game.encode(&game.start())), Some(game.start()));
    /// assert_eq!(game.decode(u128::MAX), None);
    /// ```
    pub fn decode(&self, code: u128) -> Option<Position> {
        let points = self.0.description.points.len();
        if points > POINTS_OF_CODES {
            return crate::orbit::of_rank_code(self, code);
        }
        let sets = code >> 23;
        let all = (1 << points) - 1;
        let left = (code >> 1) as u8;
        let position = Position {
            pieces: [sets >> points, sets & all].map(PointSet::from_bits),
            hand: [(code >> 16) as u8 & 0x7f, (code >> 9) as u8 & 0x7f],
            left: self.0.description.plies.map(|_| left),
            to_move: Side::BOTH[usize::from(code & 1 != 0)],
        };
        let is_one = sets >> (2 * points) == 0
            && (left == 0 || position.left.is_some())
            && self.has_position(&position);
        is_one.then_some(position)
    }
}

/// Notation and pictures of positions and moves.
impl Hunt {
    /// Returns the name of a side: `fox`, `geese`.
    pub fn side_name(&self, side: Side) -> &str {
        &self.0.description.side(side).name
    }

    /// Returns the side of this [name](Hunt::side_name).
    pub fn side_named(&self, name: &str) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.side_name(side) == name)
    }

    /// Returns the grammar of the name of a side.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// use anser_core::{Noun, Side};
    /// let game = Hunt::default();
    /// assert_eq!(Side::BOTH.map(|side| game.noun(side)), [Noun::Singular, Noun::Plural]);
    /// ```
    pub fn noun(&self, side: Side) -> Noun {
        self.0.description.side(side).noun
    }

    /// Returns why the game is over, in a few words; `None` if it is not over. It is
    /// [`BLOCKED`](crate::BLOCKED) if
    /// the side to move cannot move and no other rule ended the game, and otherwise the game's own
    /// word: `escaped`.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// use anser_core::BLOCKED;
    /// let game = Hunt::default();
    /// let trapped = game.parse_position("gFg/1g1/3g3/7/7/3/3 f")?;
    /// assert_eq!(game.ending(&trapped), Some(BLOCKED));
    /// # Ok::<(), anser_core::NotationError>(())
    /// ```
    pub fn ending(&self, position: &Position) -> Option<&str> {
        self.0.play.ended(position).map(|rule| &self.0.description.ends[rule].text[..])
    }

    /// Returns the number of the end that holds in a position, as in
    /// [`Description::ends`](crate::hunt::Description::ends): the first one of several. `None` if
    /// the game is not over. After a move that ends the game, [`End::reason`](crate::End::reason)
    /// is the same number.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// let game = Hunt::default();
    /// let trapped = game.parse_position("gFg/1g1/3g3/7/7/3/3 f")?;
    /// let end = game.ending_number(&trapped).expect("the fox is trapped");
    /// assert_eq!(game.description().ends[end].text, "blocked");
    /// # Ok::<(), anser_core::NotationError>(())
    /// ```
    pub fn ending_number(&self, position: &Position) -> Option<usize> {
        self.0.play.ended(position)
    }

    /// Returns why the game is over after a move, in a few words; `None` if it goes on.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// let game = Hunt::default();
    /// let position = game.parse_position("3/3/7/3F3/3g3/3/ggg f")?;
    /// let (_, next) = game.moves(&position)[0];
    /// assert_eq!(game.ending_after(&next), Some("fewer than four geese"));
    /// # Ok::<(), anser_core::NotationError>(())
    /// ```
    pub fn ending_after(&self, next: &Next) -> Option<&str> {
        match next {
            Next::Position(position) => self.ending(position),
            Next::End(end) => Some(self.reason_text(end.reason)),
        }
    }

    /// Returns the words of a reason for which a move ended the game: `first capture`.
    pub fn reason_text(&self, reason: usize) -> &str {
        &self.0.description.ends[reason].text
    }

    /// Reads a position.
    ///
    /// # Errors
    /// If the text is not a position of the game; the error has the problem and its column.
    pub fn parse_position(&self, text: &str) -> Result<Position, NotationError> {
        notation::parse_position(self, text)
    }

    /// Writes a position.
    pub fn format_position(&self, position: &Position) -> String {
        notation::format_position(self, position)
    }

    /// Reads a move that is legal in `position`.
    ///
    /// # Errors
    /// If the text is not a legal move in `position`; the error has the problem and its column.
    pub fn parse_move(&self, position: &Position, text: &str) -> Result<Move, NotationError> {
        notation::parse_move(self, position, text)
    }

    /// Writes a move.
    pub fn format_move(&self, mv: &Move) -> String {
        notation::format_move(self, mv)
    }

    /// Draws the board as a few lines of text.
    pub fn diagram(&self, position: &Position) -> String {
        notation::diagram(self, position)
    }

    /// Returns the board for programs that draw it.
    pub fn picture(&self, position: &Position) -> Picture {
        notation::picture(self, position)
    }
}
