//! The kinds of figures that documents print.

use std::fmt;

macro_rules! figures {
    ($($(#[doc = $doc:literal])+ $name:ident $id:literal,)*) => {
        /// A kind of figure.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Figure {
            $($(#[doc = $doc])+ $name,)*
        }

        impl Figure {
            /// Every kind.
            pub const ALL: &[Figure] = &[$(Figure::$name),*];

            /// Identifier in the data files and in JSON.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Figure::$name => $id,)*
                }
            }
        }
    };
}

figures! {
    /// Positions that play can reach from the start, the start included.
    Reachable "reachable",
    /// Games: sequences of moves from the start to the end of the game, a decimal string.
    Games "games",
    /// Games that each side wins, decimal strings.
    GamesWon "games_won",
    /// Outcome and distance of the position that the entry names, or of the start.
    Value "value",
    /// Positions that each side wins.
    WonPositions "won_positions",
    /// Positions in which the game is over, by the letter of the side to move and the rule that
    /// ended it.
    Ends "ends",
    /// First position in breadth-first order that the side which loses the start wins.
    Opposite "opposite",

    /// Fox-and-Geese: positions of a layer, both sides to move.
    States "states",
    /// Fox-and-Geese: bytes of a layer with one bit per position.
    Space "space",
    /// Fox-and-Geese: bytes of all layers with one bit per position.
    SpaceAll "space_all",
    /// Fox-and-Geese: bytes of a layer with two bits per position.
    Memory "memory",
    /// Fox-and-Geese: positions of a layer that the geese win, both sides to move.
    Won "won",
    /// Fox-and-Geese: least number of geese that win any position.
    LeastGeese "least_geese",
    /// Fox-and-Geese: least number of geese that win more than half of the positions.
    Half "half",
    /// Fox-and-Geese: sum of the printed processor times over the sum of the printed wall times.
    SpeedUp "speed_up",
    /// Fox-and-Geese: sums of the printed wall and processor times, in days.
    Days "days",

    /// Fox-and-Hounds: B value of the start.
    B "b",
    /// Fox-and-Hounds: maxB of the start, and the plies after which it is met.
    MaxB "max_b",
    /// Fox-and-Hounds: number of FoxBoxes, those that the hounds win, and the largest finite B
    /// value.
    Boxes "boxes",
    /// Fox-and-Hounds: chances against a fuzzy player with the fuzz factor that the entry names.
    Fuzz "fuzz",
    /// Fox-and-Hounds: fairest fuzz factor as the document computes it.
    Fairest "fairest",
    /// Fox-and-Hounds: fairest fuzz factor to seven decimals.
    FairestRoot "fairest_root",

    /// Hasenspiel: share of the games that Black wins, in percent.
    ShareGamesBlack "share_games_black",
    /// Hasenspiel: share of the positions in which Black can force a win, in percent.
    ShareBlackForces "share_black_forces",
    /// Hasenspiel: share of the positions in which White can force a win, in percent.
    ShareWhiteForces "share_white_forces",
    /// Hasenspiel: first moves when both sides play the move that the author ranks first.
    PolicyLine "policy_line",
    /// Hasenspiel: squares of the board that are used.
    Squares "squares",
    /// Hasenspiel: bits of an encoded state.
    EncodingBits "encoding_bits",
    /// Hasenspiel: most moves that each side has in a state.
    MostMoves "most_moves",
    /// Hasenspiel: highest encoding of a state.
    HighestEncoding "highest_encoding",

    /// Hare-and-Hounds: arrangements of the pieces, either side to move.
    Positions "positions",
    /// Hare-and-Hounds: line of best play.
    Line "line",
    /// Hare-and-Hounds: position in a line of best play.
    LinePosition "line_position",
    /// Hare-and-Hounds: positions in which the hounds cannot move.
    Stalemates "stalemates",
    /// Hare-and-Hounds: full and half zugzwangs.
    Zugzwangs "zugzwangs",
    /// Hare-and-Hounds: plies of the longest win of the hounds.
    LongestHoundsWin "longest_hounds_win",

    /// Hexapawn: moves that pawns can ever make.
    Moves "moves",
    /// Hexapawn: positions with Black to move that need a matchbox.
    Matchboxes "matchboxes",
    /// Hexapawn: plies of the longest game, and the number of games of that length.
    LongestGame "longest_game",

    /// King and rook against king: legal positions with the strong side to move.
    LegalStrong "legal_strong",
    /// King and rook against king: positions with the strong side to move that it wins.
    WonStrong "won_strong",
    /// King and rook against king: legal positions with the lone king to move.
    LegalLone "legal_lone",
    /// King and rook against king: positions with the lone king to move that the strong side wins.
    WonLone "won_lone",
    /// King and rook against king: positions in which the lone king is stalemated or can take the
    /// rook.
    Escapes "escapes",
    /// King and rook against king: moves of the longest mate.
    LongestMate "longest_mate",
    /// King and rook against king: most squares around the lone king that the other pieces control.
    Controlled "controlled",
}

impl Figure {
    /// Returns the kind with this identifier.
    ///
    /// ```
    /// use anser_reproduce::Figure;
    /// assert_eq!(Figure::from_id("games_won"), Some(Figure::GamesWon));
    /// assert_eq!(Figure::from_id("color"), None);
    /// ```
    pub fn from_id(id: &str) -> Option<Figure> {
        Figure::ALL.iter().copied().find(|figure| figure.id() == id)
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
