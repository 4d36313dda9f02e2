//! Games and rule sets that figures are about.

use anser_core::{fox_geese, fox_hounds, hare_hounds, hasenspiel, hexapawn};

/// A game under a rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Subject {
    /// Fox-and-Geese.
    FoxGeese(fox_geese::RuleSet),
    /// Fox-and-Hounds on `size` x `size` squares.
    FoxHounds {
        /// Columns and rows.
        size: usize,
        /// The rule set.
        rules: fox_hounds::RuleSet,
    },
    /// Hasenspiel.
    Hasenspiel(hasenspiel::RuleSet),
    /// The program of the Hasenspiel document: the author's rules with the defect of its move
    /// generator.
    HasenspielProgram,
    /// Hare-and-Hounds.
    HareHounds(hare_hounds::RuleSet),
    /// Hexapawn.
    Hexapawn(hexapawn::BoardSize),
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
            ("fox-geese", None, rules) => Subject::FoxGeese(rules.parse().ok()?),
            ("fox-hounds", Some(size), rules) => {
                let (size, rules) = (size.parse().ok()?, rules.parse().ok()?);
                anser_core::Hunt::fox_hounds(size, rules).ok()?;
                Subject::FoxHounds { size, rules }
            }
            ("hasenspiel", None, "as-printed") => Subject::HasenspielProgram,
            ("hasenspiel", None, rules) => Subject::Hasenspiel(rules.parse().ok()?),
            ("hare-hounds", None, rules) => Subject::HareHounds(rules.parse().ok()?),
            ("hexapawn", Some(size), rules) => {
                let hexapawn::RuleSet::Standard = rules.parse().ok()?;
                Subject::Hexapawn(size.parse().ok()?)
            }
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
            Subject::FoxGeese(rules) => rules.to_string(),
            Subject::FoxHounds { rules, .. } => rules.to_string(),
            Subject::Hasenspiel(rules) => rules.to_string(),
            Subject::HasenspielProgram => "as-printed".into(),
            Subject::HareHounds(rules) => rules.to_string(),
            Subject::Hexapawn(_)
            | Subject::Noughts
            | Subject::KingRook(_)
            | Subject::KingRookPlane => "standard".into(),
        }
    }
}
