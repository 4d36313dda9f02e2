//! The payload of packed tables, by metric.

use std::ops::ControlFlow;

use anser_core::hunt::HuntIndex;
use anser_core::{BySide, Dtw, Hunt, LayerIndex, Next, Outcome, Side};
use anser_table::format::{
    BlockEncoder, FrameError, Header, decode_block, decode_distances, expand, get,
};

use crate::io::stored::Stored;

/// Form of the values of a metric in packed tables.
///
/// Implemented for [`Outcome`](anser_core::Outcome) and [`Dtw`](anser_core::Dtw).
///
/// The packer depends on a metric only through this trait. Entries are in the packing order of the
/// index.
pub(crate) trait Packable: Stored {
    /// Number of entries in a block.
    const BLOCK_ENTRIES: u32;

    /// Text that progress reports append to the number of the layer.
    const SUFFIX: &'static str;

    /// Returns for each side to move whether a packed table of the layer stores it. Look-ahead
    /// gives the values of a side that is not stored.
    fn stored_sides(game: &Hunt, layer: u16, index: &HuntIndex) -> BySide<bool>;

    /// Copies the values of 64 entries to `group`, which is zero.
    fn gather(values: &[Self::Word], entries: impl Iterator<Item = u64>, group: &mut [Self::Word]);

    /// Encodes a block of `entries` entries with `side` to move.
    fn encode(
        encoder: &mut BlockEncoder,
        block: &[Self::Word],
        entries: u32,
        side: Side,
        header: &Header,
    ) -> Result<Vec<u8>, FrameError>;

    /// Decodes a frame to what was encoded.
    fn decode(
        frame: &[u8],
        entries: u32,
        side: Side,
        header: &Header,
    ) -> Result<Vec<Self::Word>, FrameError>;
}

/// Encodes a block, and checks that it decodes to the same words.
pub(crate) fn frame<V: Packable>(
    block: &[V::Word],
    entries: u32,
    side: Side,
    header: &Header,
    level: i8,
) -> Result<Vec<u8>, FrameError> {
    // At some levels zstd salts its hashes with what the encoder compressed before, and then finds
    // other matches. A new encoder costs nothing next to the search.
    let mut encoder = BlockEncoder::new(level)?;
    let frame = V::encode(&mut encoder, block, entries, side, header)?;
    if V::decode(&frame, entries, side, header)? == *block {
        Ok(frame)
    } else {
        Err(FrameError::RoundTrip)
    }
}

/// Outcomes: planes of bits in the packing order of the index. If a layer leads to no lower one,
/// only the side to move with more moves is stored, because the values of the other are the best of
/// fewer successors. Otherwise both are stored, so that each table answers without lower ones.
impl Packable for Outcome {
    // Twice as many would make tables 5 % smaller and the first probe of a block twice as slow. Its
    // limit is 50 microseconds.
    const BLOCK_ENTRIES: u32 = 1 << 17;
    const SUFFIX: &'static str = "";

    fn stored_sides(game: &Hunt, layer: u16, index: &HuntIndex) -> BySide<bool> {
        if !game.lower_layers(layer).is_empty() {
            return BySide::new(true, true);
        }
        let [first, second] = Side::BOTH.map(|side| sample_moves(game, layer, index, side).mean);
        BySide::new(first > second, first <= second)
    }

    fn gather(values: &[u64], entries: impl Iterator<Item = u64>, group: &mut [u64]) {
        for (bit, entry) in entries.enumerate() {
            let code = get(values, entry);
            group[0] |= u64::from(code & 1) << bit;
            group[1] |= u64::from(code >> 1) << bit;
        }
    }

    fn encode(
        encoder: &mut BlockEncoder,
        block: &[u64],
        entries: u32,
        _: Side,
        _: &Header,
    ) -> Result<Vec<u8>, FrameError> {
        let mut codes = vec![0; entries as usize];
        expand(block, 0, &mut codes);
        encoder.encode(&codes)
    }

    fn decode(frame: &[u8], entries: u32, _: Side, _: &Header) -> Result<Vec<u64>, FrameError> {
        decode_block(frame, entries).map(Vec::from)
    }
}

/// Distances: numbers of one or two bytes in the packing order of the index. A side to move is
/// omitted if it has more moves than the other and none of them leads to another layer: it is the
/// larger one, and one move of look-ahead stays in the table.
impl Packable for Dtw {
    // Half as many would make tables 5 to 10 % larger.
    const BLOCK_ENTRIES: u32 = 1 << 16;
    const SUFFIX: &'static str = ", distances";

    fn stored_sides(game: &Hunt, layer: u16, index: &HuntIndex) -> BySide<bool> {
        let moves = BySide::from_fn(|side| sample_moves(game, layer, index, side));
        BySide::from_fn(|side| {
            let (this, other) = (&moves[side], &moves[side.other()]);
            this.leave || this.mean <= other.mean
        })
    }

    fn gather(values: &[u16], entries: impl Iterator<Item = u64>, group: &mut [u16]) {
        for (code, entry) in group.iter_mut().zip(entries) {
            *code = values[entry as usize];
        }
    }

    fn encode(
        encoder: &mut BlockEncoder,
        block: &[u16],
        _: u32,
        side: Side,
        header: &Header,
    ) -> Result<Vec<u8>, FrameError> {
        encoder.encode_distances(block, side, header.largest_code())
    }

    fn decode(
        frame: &[u8],
        entries: u32,
        side: Side,
        header: &Header,
    ) -> Result<Vec<u16>, FrameError> {
        decode_distances(frame, side, header.largest_code(), entries)
    }
}

/// The moves of a sample of the positions of a layer.
struct SampledMoves {
    /// The mean number of moves.
    mean: f64,
    /// Whether any of them leads to another layer.
    leave: bool,
}

/// Takes at most 256 classes evenly from the layer.
fn sample_moves(game: &Hunt, layer: u16, index: &HuntIndex, side: Side) -> SampledMoves {
    const SAMPLE: u64 = 256;
    let len = index.len(side);
    let step = len.div_ceil(SAMPLE).max(1);
    let (mut classes, mut moves, mut leave) = (0u64, 0u64, false);
    for rank in (0..len).step_by(step as usize) {
        classes += 1;
        let ControlFlow::Continue(()) =
            game.visit_successors(&index.unrank(side, rank), |_, next| {
                moves += 1;
                leave |= matches!(next, Next::Position(next) if game.layer(&next) != layer);
                ControlFlow::<std::convert::Infallible>::Continue(())
            });
    }
    SampledMoves { mean: moves as f64 / classes.max(1) as f64, leave }
}
