//! Names of the presets.

/// Settings and an encoding that go together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preset {
    /// The learner of this crate: [`Settings::standard`](crate::Settings::standard).
    #[default]
    Standard,
    /// The learner of the document "Mastering Hexapawn AlphaZero-style":
    /// [`Settings::document`](crate::Settings::document), for Hunt alone.
    Document,
    /// The network of the standard learner, trained on exact values: an upper bound.
    Exact,
}

impl Preset {
    /// All presets.
    pub const ALL: [Preset; 3] = [Preset::Standard, Preset::Document, Preset::Exact];

    /// Returns the name, as on the command line and in file names.
    pub fn id(self) -> &'static str {
        match self {
            Preset::Standard => "standard",
            Preset::Document => "document",
            Preset::Exact => "exact",
        }
    }
}
