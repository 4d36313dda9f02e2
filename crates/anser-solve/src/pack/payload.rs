//! The payload of packed tables, by metric.

use std::ops::ControlFlow;

use anser_core::{BySide, Dtw, Game, LayerIndex, Outcome, Side};
use anser_table::format::{
    BlockEncoder, Content, FrameError, Header, decode_block, decode_distances, expand, expand_codes,
};

use crate::io::stored::Stored;

/// How packed tables hold the values of a metric.
///
/// The packer depends on a metric only through this trait. A new encoding is a new [`Content`] and
/// other implementations of these methods.
pub(crate) trait Packable: Stored {
    /// What a frame decodes to.
    const CONTENT: Content;

    /// Number of entries in a block.
    const BLOCK_ENTRIES: u32;

    /// What progress reports append to the number of the layer.
    const SUFFIX: &'static str;

    /// Returns for each side to move whether a packed table of the layer stores it. Look-ahead
    /// gives the values of a side that is not stored.
    fn stored_sides<G: Game>(game: &G, layer: u16, index: &G::Index) -> BySide<bool>;

    /// Encodes a block of `entries` entries, given as groups of words of a raw payload with this
    /// header.
    fn encode(
        encoder: &mut BlockEncoder,
        block: &[u64],
        entries: u32,
        header: &Header,
    ) -> Result<Vec<u8>, FrameError>;

    /// Decodes a frame to what was encoded.
    fn decode(frame: &[u8], entries: u32, header: &Header) -> Result<Box<[u64]>, FrameError>;
}

/// Encodes a block, and checks that it decodes to the same words.
pub(crate) fn frame<V: Packable>(
    block: &[u64],
    entries: u32,
    header: &Header,
    level: i8,
) -> Result<Vec<u8>, FrameError> {
    // At some levels zstd salts its hashes with what the encoder compressed before, and then finds
    // other matches. A new encoder costs nothing next to the search.
    let mut encoder = BlockEncoder::new(V::CONTENT, level, None)?;
    let frame = V::encode(&mut encoder, block, entries, header)?;
    if *V::decode(&frame, entries, header)? == *block {
        Ok(frame)
    } else {
        Err(FrameError::RoundTrip)
    }
}

/// Outcomes: planes of bits in the packing order of the index. If a layer leads to no lower one,
/// only the side to move with more moves is stored, because the values of the other are the best of
/// fewer successors. Otherwise both are stored, so that each table answers without lower ones.
impl Packable for Outcome {
    const CONTENT: Content = Content::Planes;
    // Twice as many would make tables 5 % smaller and the first probe of a block twice as slow. Its
    // limit is 50 microseconds.
    const BLOCK_ENTRIES: u32 = 1 << 17;
    const SUFFIX: &'static str = "";

    fn stored_sides<G: Game>(game: &G, layer: u16, index: &G::Index) -> BySide<bool> {
        if !game.lower_layers(layer).is_empty() {
            return BySide::new(true, true);
        }
        let [first, second] = Side::BOTH.map(|side| mean_moves(game, index, side));
        BySide::new(first > second, first <= second)
    }

    fn encode(
        encoder: &mut BlockEncoder,
        block: &[u64],
        entries: u32,
        _: &Header,
    ) -> Result<Vec<u8>, FrameError> {
        let mut codes = vec![0; entries as usize];
        expand(block, 0, &mut codes);
        encoder.encode(&codes)
    }

    fn decode(frame: &[u8], entries: u32, _: &Header) -> Result<Box<[u64]>, FrameError> {
        decode_block(frame, Self::CONTENT, entries, None)
    }
}

/// Distances: one or two bytes per entry in the order of the ranks, both sides to move.
impl Packable for Dtw {
    const CONTENT: Content = Content::Distances;
    // A block decodes to as many bytes as one of outcomes, so that a first probe takes as long.
    const BLOCK_ENTRIES: u32 = 1 << 15;
    const SUFFIX: &'static str = ", distances";

    fn stored_sides<G: Game>(_: &G, _: u16, _: &G::Index) -> BySide<bool> {
        BySide::new(true, true)
    }

    fn encode(
        encoder: &mut BlockEncoder,
        block: &[u64],
        entries: u32,
        header: &Header,
    ) -> Result<Vec<u8>, FrameError> {
        let mut codes = vec![0; entries as usize];
        expand_codes(block, header.bits(), &mut codes);
        encoder.encode_distances(&codes, header.largest_code())
    }

    fn decode(frame: &[u8], entries: u32, header: &Header) -> Result<Box<[u64]>, FrameError> {
        decode_distances(frame, header.largest_code(), entries, None)
    }
}

/// Returns the mean number of moves of at most 256 classes, taken evenly from the layer.
fn mean_moves<G: Game>(game: &G, index: &G::Index, side: Side) -> f64 {
    const SAMPLE: u64 = 256;
    let len = index.len(side);
    let step = len.div_ceil(SAMPLE).max(1);
    let (mut classes, mut moves) = (0u64, 0u64);
    for rank in (0..len).step_by(step as usize) {
        classes += 1;
        let ControlFlow::Continue(()) = game.visit_moves(&index.unrank(side, rank), |_, _| {
            moves += 1;
            ControlFlow::<std::convert::Infallible>::Continue(())
        });
    }
    moves as f64 / classes.max(1) as f64
}
