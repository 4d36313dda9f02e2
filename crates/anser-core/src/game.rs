//! What a game is to the engines, the tables and the reader.
//!
//! A [`Game`] is a value: the rules it is played by are inside it, and two values with different rules are two different
//! games to everything above this crate. Its positions fall into *layers* that play can only descend, so layers are solved
//! from the lowest up, and within a layer play may go round in cycles.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{ControlFlow, Range, RangeInclusive};

use crate::{BlockMoves, NotationError, PackingOrder, Picture};

/// One of the two sides.
///
/// `First` is the side written in upper case (the fox, the rabbit, the hare, White), `Second` the side written in lower
/// case (the geese, the hounds, the pawns, Black). The first side need not move first.
///
/// ```
/// use anser_core::Side;
/// assert_eq!(Side::First.other(), Side::Second);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The upper-case side: the fox.
    First,
    /// The lower-case side: the geese.
    Second,
}

impl Side {
    /// Both sides, in the order in which tables store them.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for the first side, 1 for the second.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The value of a position when both sides play their best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// This side can force a win.
    Win(Side),
    /// Neither side can force a win.
    Draw,
}

impl Outcome {
    /// How good the outcome is for `side`: 1 won, 0 drawn, -1 lost.
    ///
    /// ```
    /// use anser_core::{Outcome, Side};
    /// assert_eq!(Outcome::Win(Side::First).score(Side::Second), -1);
    /// ```
    pub fn score(self, side: Side) -> i32 {
        match self {
            Outcome::Draw => 0,
            Outcome::Win(winner) if winner == side => 1,
            Outcome::Win(_) => -1,
        }
    }
}

/// What a move leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next<P> {
    /// A position with the other side to move, in the same layer or a lower one.
    Position(P),
    /// The end of the game: the move itself decided it.
    End(Outcome),
}

/// How the name of a side stands in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noun {
    /// One piece, with an article: the fox wins.
    Singular,
    /// Several pieces, with an article: the geese win.
    Plural,
    /// Without an article: white wins.
    Name,
}

/// What [`Game::ending`] says where the side to move cannot move.
pub const BLOCKED: &str = "blocked";

/// A game with its rules.
///
/// Contracts that [`validate`](crate::validate) checks: the sides alternate; a move leads to the same layer or a lower one;
/// un-moves are exactly the inverse of the moves that stay in the layer; an image under a symmetry has the images of the
/// moves, and the same rank; the index of a layer is a bijection between symmetry classes and `0..len`.
pub trait Game: Clone + Send + Sync + 'static {
    /// An arrangement and the side to move.
    type Position: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;
    /// A move of either side.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;
    /// The index of one layer.
    type Index: LayerIndex<Position = Self::Position>;

    /// The game's name as on the command line and in tables: `fox-geese`. At most 31 bytes of ASCII.
    fn name(&self) -> String;
    /// The rule set's id as on the command line and in tables: `free`. At most 63 bytes of ASCII.
    fn rules_id(&self) -> String;
    /// Everything about the rules that a value can depend on, in a fixed textual form; tables store its hash.
    fn fingerprint(&self) -> String;
    /// The name of a side in this game: `fox`, `geese`.
    fn side_name(&self, side: Side) -> &'static str;
    /// How the name of a side stands in a sentence.
    ///
    /// ```
    /// use anser_core::{Game, Noun, Side, fox_geese::FoxGeese};
    /// let game = FoxGeese::default();
    /// assert_eq!(Side::BOTH.map(|side| game.noun(side)), [Noun::Singular, Noun::Plural]);
    /// ```
    fn noun(&self, side: Side) -> Noun {
        let _ = side;
        Noun::Name
    }

    /// The position that play usually starts from.
    fn start(&self) -> Self::Position;
    /// All layers of the game, in the order in which they are solved.
    fn layers(&self) -> RangeInclusive<u16>;
    /// The layer a position belongs to.
    fn layer(&self, position: &Self::Position) -> u16;
    /// The lower layers that a single move from `layer` can lead to, lowest first.
    fn lower_layers(&self, layer: u16) -> Vec<u16>;
    /// Whether a move of `side` can stay in `layer`. Where at most one side's moves can, no play goes round in the layer,
    /// and its values follow in one pass for each side.
    fn stays(&self, layer: u16, side: Side) -> bool {
        let _ = (layer, side);
        true
    }
    /// The number of positions of a layer with `side` to move, symmetric ones counted apart.
    fn positions(&self, layer: u16, side: Side) -> u64;

    /// Whose turn it is.
    fn side_to_move(&self, position: &Self::Position) -> Side;
    /// The outcome, if the game is over: no move is played from such a position.
    fn terminal(&self, position: &Self::Position) -> Option<Outcome>;
    /// How the game has ended, in a word for people, by the first of its tests that says so: [`BLOCKED`] where that is that
    /// the side to move cannot move, and otherwise the game's own word: `escaped`. None where the game is not over.
    ///
    /// ```
    /// use anser_core::{BLOCKED, Game, fox_geese::FoxGeese};
    /// let game = FoxGeese::default();
    /// let trapped = game.parse_position("gFg/1g1/3g3/7/7/3/3 f")?;
    /// assert_eq!(game.ending(&trapped), Some(BLOCKED));
    /// # Ok::<(), anser_core::NotationError>(())
    /// ```
    fn ending(&self, position: &Self::Position) -> Option<&'static str> {
        self.terminal(position).map(|_| "over")
    }
    /// The material of the first side less that of the second, in pieces of any fixed value; `None` where the game has
    /// nothing to count. A search that stops before the end of the game compares positions by it.
    ///
    /// ```
    /// use anser_core::{Game, fox_geese::FoxGeese};
    /// let game = FoxGeese::default();
    /// let opening = game.start();
    /// let taken = game.parse_position("3/3/7/3F3/ggggggg/ggg/gg1 f")?;
    /// assert!(game.material(&taken) > game.material(&opening));
    /// # Ok::<(), anser_core::NotationError>(())
    /// ```
    fn material(&self, position: &Self::Position) -> Option<i32> {
        let _ = position;
        None
    }
    /// The same arrangement with the other side to move, if the game has such a position.
    ///
    /// ```
    /// use anser_core::{Game, fox_geese::FoxGeese};
    /// let game = FoxGeese::default();
    /// let fox = game.parse_position("gFg/1g1/3g3/7/7/3/3 f")?;
    /// let geese = game.parse_position("gFg/1g1/3g3/7/7/3/3 g")?;
    /// assert_eq!(game.passed(&fox), Some(geese));
    /// # Ok::<(), anser_core::NotationError>(())
    /// ```
    fn passed(&self, position: &Self::Position) -> Option<Self::Position> {
        let _ = position;
        None
    }
    /// Visits every legal move and what it leads to, in the game's generation order, until `visit` breaks.
    /// Terminal positions have no moves.
    fn visit_moves<B>(
        &self,
        position: &Self::Position,
        visit: impl FnMut(Self::Move, Next<Self::Position>) -> ControlFlow<B>,
    ) -> ControlFlow<B>;
    /// Visits every un-move: each legal move that leads to `position` from the *same layer*, with the position it is
    /// played from, until `visit` breaks.
    fn visit_unmoves<B>(
        &self,
        position: &Self::Position,
        visit: impl FnMut(Self::Move, Self::Position) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// The number of symmetries of the rules, the identity included.
    fn symmetries(&self) -> usize;
    /// The image of a position under symmetry number `symmetry < self.symmetries()`; number 0 is the identity.
    fn image(&self, position: &Self::Position, symmetry: usize) -> Self::Position;

    /// The index of a layer.
    fn index(&self, layer: u16) -> Self::Index;

    /// The moves of a layer by blocks, for checks, if the game has tables that make this faster than one position after
    /// the other. Engines do without.
    fn block_moves<'a>(&'a self, layer: u16, index: &'a Self::Index) -> Option<Box<dyn BlockMoves + 'a>> {
        let _ = (layer, index);
        None
    }

    /// Reads a position in the game's notation.
    fn parse_position(&self, text: &str) -> Result<Self::Position, NotationError>;
    /// Writes a position in the game's notation.
    fn format_position(&self, position: &Self::Position) -> String;
    /// Reads a move that is legal in `position`.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, NotationError>;
    /// Writes a move.
    fn format_move(&self, mv: &Self::Move) -> String;
    /// The board as a few lines of text for a terminal.
    fn diagram(&self, position: &Self::Position) -> String;
    /// The board for programs that draw it themselves; `None` if the game offers its diagram alone.
    fn picture(&self, position: &Self::Position) -> Option<Picture> {
        let _ = position;
        None
    }

    /// The outcome, where the rules alone give it without a search: the game is over, or the side to move has a move
    /// that wins on the spot. Readers decide such positions themselves, so packed tables need not spell them out.
    fn settled(&self, position: &Self::Position) -> Option<Outcome> {
        if let Some(outcome) = self.terminal(position) {
            return Some(outcome);
        }
        let win = Outcome::Win(self.side_to_move(position));
        let found = self.visit_moves(position, |_, next| {
            if next == Next::End(win) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found.is_break().then_some(win)
    }
}

/// A numbering of the symmetry classes of one layer: for each side to move a bijection onto `0..len(side)`.
pub trait LayerIndex: Send + Sync + 'static {
    /// The positions that are numbered.
    type Position: Copy;

    /// Which numbering this is; stored in tables.
    fn scheme(&self) -> IndexScheme;
    /// The number of symmetry classes with `side` to move.
    fn len(&self, side: Side) -> u64;
    /// Whether no class has `side` to move.
    fn is_empty(&self, side: Side) -> bool {
        self.len(side) == 0
    }
    /// The number of the class of a position of this layer, below `len` of its side to move.
    fn rank(&self, position: &Self::Position) -> u64;
    /// The canonical position of a class. `rank < self.len(side)`.
    fn unrank(&self, side: Side, rank: u64) -> Self::Position;
    /// How many positions the class has: the size of the orbit under the symmetries.
    fn orbit(&self, side: Side, rank: u64) -> u64;
    /// The order in which packed tables hold the entries with `side` to move: the better it is, the smaller they are. It
    /// belongs to the scheme, so it never changes under the same name and version.
    fn packing_order(&self, side: Side) -> PackingOrder {
        PackingOrder::by_rank(self.len(side))
    }
    /// Calls `visit` with rank and orbit size of every class in `ranks` that has fewer positions than there are
    /// symmetries, in ascending order. Few have, so counting goes much faster by this than by [`LayerIndex::orbit`].
    fn visit_small_orbits(&self, side: Side, ranks: Range<u64>, mut visit: impl FnMut(u64, u64)) {
        let symmetries = u64::from(self.scheme().symmetries);
        for rank in ranks {
            let orbit = self.orbit(side, rank);
            if orbit < symmetries {
                visit(rank, orbit);
            }
        }
    }
}

/// The identity of a numbering: a reader that knows the scheme can compute every rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexScheme {
    /// The name under which the specification goes, at most 15 bytes of ASCII.
    pub name: &'static str,
    /// The version of the specification.
    pub version: u16,
    /// The order of the symmetry group that classes are taken under.
    pub symmetries: u16,
}
