//! The documents.

use crate::{DataError, Known};

/// A document about a hunt game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Document {
    /// The paper on Fox-and-Geese.
    FoxGeese,
    /// The article on Hasenspiel.
    Hasenspiel,
    /// The study of Hare-and-Hounds.
    HareHounds,
    /// The article on Fox-and-Hounds. It begins with king and rook against king, and mentions
    /// noughts and crosses.
    FoxHounds,
    /// The article on a learner of Hexapawn.
    Hexapawn,
}

impl Document {
    /// Every document.
    pub const ALL: [Document; 5] = [
        Document::FoxGeese,
        Document::Hasenspiel,
        Document::HareHounds,
        Document::FoxHounds,
        Document::Hexapawn,
    ];

    /// Identifier: the name of its game.
    pub const fn id(self) -> &'static str {
        match self {
            Document::FoxGeese => "fox-geese",
            Document::Hasenspiel => "hasenspiel",
            Document::HareHounds => "hare-hounds",
            Document::FoxHounds => "fox-hounds",
            Document::Hexapawn => "hexapawn",
        }
    }

    /// Title.
    pub const fn title(self) -> &'static str {
        match self {
            Document::FoxGeese => "Strongly Solving Fox-and-Geese on Multi-core CPU",
            Document::Hasenspiel => "Hasenspiel - Escape the White Rabbit",
            Document::HareHounds => "A study of Hare and Hounds",
            Document::FoxHounds => "Fox & Hounds",
            Document::Hexapawn => "Mastering Hexapawn AlphaZero-style",
        }
    }

    /// Author, if the document names one.
    pub const fn author(self) -> Option<&'static str> {
        match self {
            Document::FoxGeese => Some("Stefan Edelkamp, Hartmut Messerschmidt"),
            Document::Hasenspiel => Some("Manuel Capel"),
            Document::Hexapawn => Some("souvikshanku"),
            Document::HareHounds | Document::FoxHounds => None,
        }
    }

    /// Year of publication, if known.
    pub const fn year(self) -> Option<u16> {
        match self {
            Document::FoxGeese => Some(2010),
            Document::Hasenspiel => Some(2025),
            Document::Hexapawn => Some(2020),
            Document::HareHounds | Document::FoxHounds => None,
        }
    }

    /// Reads the known figures of the document, which are part of this crate.
    ///
    /// # Errors
    /// [`DataError`] if a data file is malformed, which a test of this crate excludes.
    pub fn known(self) -> Result<Known, DataError> {
        let texts: &[&str] = match self {
            Document::FoxGeese => &[include_str!("../data/fox-geese.json")],
            Document::Hasenspiel => &[include_str!("../data/hasenspiel.json")],
            Document::HareHounds => &[include_str!("../data/hare-hounds.json")],
            Document::FoxHounds => &[
                include_str!("../data/fox-hounds.json"),
                include_str!("../data/noughts.json"),
                include_str!("../data/king-rook.json"),
            ],
            Document::Hexapawn => &[include_str!("../data/hexapawn.json")],
        };
        let mut known = Known::default();
        for text in texts {
            let Known { entries, aside } = text.parse()?;
            known.entries.extend(entries);
            known.aside.extend(aside);
        }
        Ok(known)
    }
}
