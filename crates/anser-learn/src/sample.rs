//! Training samples.

/// Target outputs of a network for a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The inputs.
    pub inputs: Vec<f32>,
    /// The actions of the legal moves, each with the share of it, which add up to 1.
    pub policy: Vec<(u16, f32)>,
    /// The value for the side to move, of -1 to 1.
    pub value: f32,
}
