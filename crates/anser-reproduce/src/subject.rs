//! Games and rule sets that figures are about.

use anser_core::hexapawn::BoardSize;
use anser_core::hunt;

/// A game under a rule set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Subject {
    /// Fox-and-Geese under a rule set.
    FoxGeese(String),
    /// Fox-and-Hounds on `size` x `size` squares.
    FoxHounds {
        /// Columns and rows.
        size: usize,
        /// The rule set.
        rules: String,
    },
    /// Hasenspiel under a rule set.
    Hasenspiel(String),
    /// The program of the Hasenspiel document: the author's rules with the defect of its move
    /// generator.
    HasenspielProgram,
    /// Hare-and-Hounds under a rule set.
    HareHounds(String),
    /// Hexapawn.
    Hexapawn(BoardSize),
    /// Noughts and crosses.
    Noughts,
    /// King and rook against king on a board of this number of columns and rows.
    KingRook(usize),
    /// King and rook against king on a board without edges.
    KingRookPlane,
}

/// Largest board on which king and rook against king is solved.
const LARGEST_KING_ROOK: usize = 12;

impl Subject {
    /// Parses the identifiers of the data files. Returns `None` if there is no such game or rule
    /// set.
    ///
    /// ```
    /// use anser_reproduce::Subject;
    /// assert_eq!(Subject::parse("hasenspiel", "as-printed"), Some(Subject::HasenspielProgram));
    /// assert_eq!(Subject::parse("chess", "standard"), None);
    /// ```
    pub fn parse(game: &str, rules: &str) -> Option<Subject> {
        let (game, size) =
            game.split_once(':').map_or((game, None), |(game, size)| (game, Some(size)));
        Some(match (game, size, rules) {
            ("fox-geese", None, rules) => Subject::FoxGeese(hunt::fox_geese(rules).ok()?.rules),
            ("fox-hounds", Some(size), rules) => {
                let size = size.parse().ok()?;
                Subject::FoxHounds { size, rules: hunt::fox_hounds(size, rules).ok()?.rules }
            }
            ("hasenspiel", None, "as-printed") => Subject::HasenspielProgram,
            ("hasenspiel", None, rules) => {
                Subject::Hasenspiel(hunt::hasenspiel(8, 4, rules).ok()?.rules)
            }
            ("hare-hounds", None, rules) => {
                Subject::HareHounds(hunt::hare_hounds(rules).ok()?.rules)
            }
            ("hexapawn", Some(size), "standard") => Subject::Hexapawn(size.parse().ok()?),
            ("noughts", None, "standard") => Subject::Noughts,
            ("king-rook", Some("plane"), "standard") => Subject::KingRookPlane,
            ("king-rook", Some(size), "standard") => Subject::KingRook(
                size.parse().ok().filter(|size| (1..=LARGEST_KING_ROOK).contains(size))?,
            ),
            _ => return None,
        })
    }

    /// Returns the name of the game, with its size where it has sizes: `fox-hounds:8`.
    pub fn game(&self) -> String {
        match self {
            Subject::FoxGeese(_) => "fox-geese".into(),
            Subject::FoxHounds { size, .. } => format!("fox-hounds:{size}"),
            Subject::Hasenspiel(_) | Subject::HasenspielProgram => "hasenspiel".into(),
            Subject::HareHounds(_) => "hare-hounds".into(),
            Subject::Hexapawn(size) => format!("hexapawn:{size}"),
            Subject::Noughts => "noughts".into(),
            Subject::KingRook(size) => format!("king-rook:{size}"),
            Subject::KingRookPlane => "king-rook:plane".into(),
        }
    }

    /// Returns the identifier of the rule set.
    pub fn rules(&self) -> String {
        match self {
            Subject::FoxGeese(rules)
            | Subject::FoxHounds { rules, .. }
            | Subject::Hasenspiel(rules)
            | Subject::HareHounds(rules) => rules.clone(),
            Subject::HasenspielProgram => "as-printed".into(),
            Subject::Hexapawn(_)
            | Subject::Noughts
            | Subject::KingRook(_)
            | Subject::KingRookPlane => "standard".into(),
        }
    }
}
