//! The format of table files, version 1: its specification, and the parts for programs that write
//! or convert tables. Reading takes a [`Tablebase`](crate::Tablebase) only.
//!
//! # A table file
//!
//! A file holds one metric of one layer under one rule set. All numbers are little-endian, all
//! offsets count bytes from the start of the file, and a *page* is 4096 bytes. Nothing in a file
//! depends on the time, the machine, the engine, or the number of threads that made it. The parts
//! follow each other:
//!
//! | part | raw table | packed table |
//! |---|---|---|
//! | header | one page | the same |
//! | payload | a fixed number of bits per entry | compressed frames |
//! | zeros | to the next page, none if the payload ends on one | to the next multiple of 8, likewise |
//! | checks | xxh3-64 of every 16 KiB of payload | the index of the frames |
//! | description | the game as text | the same |
//!
//! The file ends with the last of them. The game's index of the layer numbers the positions with
//! one side to move from 0. The header names the index scheme and states the number of entries. A
//! raw table holds the entries in the order of their ranks.
//!
//! # Header
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 8 | signature: 89 48 55 4E 54 0D 0A 1A, which does not survive a transfer as text |
//! | 8 | 2 | format version: 1 |
//! | 10 | 1 | kind: 0 raw, 1 packed |
//! | 11 | 1 | complete: 1, or 0 in a file that is still being written |
//! | 12 | 4 | length of the header, 4096 |
//! | 16 | 32 | game, ASCII, padded with zeros |
//! | 48 | 64 | rule set, ASCII, padded with zeros |
//! | 112 | 8 | xxh3-64 of the game's fingerprint, the text that states the meaning of the rules |
//! | 120 | 2 | layer |
//! | 122 | 1 | metric: 0 `wdl`, win-draw-loss, 1 `dtw`, distance to the win |
//! | 123 | 1 | bits per entry: 2 for `wdl`, for `dtw` as many as the largest code needs, 1 to 16 |
//! | 124 | 4 | meaning of the codes. `wdl`: `D12-`, draw, first side wins, second side wins, no value. `dtw`: `D12+`, draw, first side wins in 0 plies, second side wins in 0 plies, and so on in turn, with one more ply each time |
//! | 128 | 16 | index scheme, ASCII, padded with zeros |
//! | 144 | 2 | version of the index scheme |
//! | 146 | 2 | order of the symmetry group of the index; in `fox-geese` 8 all symmetries, 2 the left-right mirror, 1 the identity alone |
//! | 148 | 4 | zeros |
//! | 152 | 16 | entries: with the first side to move, with the second; also for a side that is not stored |
//! | 168 | 24 | positions (symmetric ones counted separately), first side to move: won by the first, drawn, won by the second |
//! | 192 | 24 | the same with the second side to move |
//! | 216 | 16 | payload: offset (4096) and length |
//! | 232 | 16 | checks: offset and length |
//! | 248 | 8 | xxh3-64 of the checks |
//! | 256 | 32 | BLAKE3 of the raw payload; in a packed file that of the raw payload which unpacking restores, both sides to move, every value exact |
//! | 288 | 32 | generator and its version, ASCII, padded with zeros |
//! | 320 | 1 | packed: sides to move that are stored, 1 first + 2 second |
//! | 321 | 1 | packed: zstd level, signed; for information |
//! | 322 | 2 | zeros |
//! | 324 | 4 | packed: entries in a block, a power of two from 64 to 2^20 |
//! | 328 | 16 | packed: blocks with the first side to move, with the second; 0 for a side that is not stored |
//! | 344 | 16 | description: offset and length, at most 2^18 |
//! | 360 | 8 | xxh3-64 of the description |
//! | 368 | 8 | `dtw`: the largest codes of the layer, two bytes each, 0 where there is none: with the first side to move won by the first, by the second, with the second side to move won by the first, by the second |
//! | 376 | 3712 | zeros |
//! | 4088 | 8 | xxh3-64 of the 4088 bytes before |
//!
//! The fields marked *packed* are zero in a raw table, those marked `dtw` in a table of another
//! metric. A reader rejects a header that breaks any of these rules.
//!
//! # Raw payload
//!
//! Sixty-four entries are a *group* of adjacent 64-bit words, one word per bit of an entry. Bit
//! `e % 64` of word `j` of group `e / 64` is bit `j` of the code of entry `e`. The payload holds
//! the entries with the first side to move, rank 0 to the last, in `ceil(entries / 64)` groups,
//! followed by those with the second side to move. Bits beyond the last entry of a side are zero.
//!
//! | metric | bits | code | meaning |
//! |---|---|---|---|
//! | `wdl` | 2 | 0, 1, 2 | draw, the first side wins, the second side wins |
//! | | | 3 | no value; no table holds it |
//! | `dtw` | 1 to 16 | 0 | draw |
//! | | | 2 d + 1 | the first side wins in d plies |
//! | | | 2 d + 2 | the second side wins in d plies |
//!
//! A group of `wdl` is a *pair* of words: the bit of an entry in the first word says that the first
//! side wins, its bit in the second word that the second side wins. Entries of `dtw` have as many
//! bits as the largest code of the layer needs, at least one. The header states the largest codes.
//! A code above them is damage, as is code 3 of `wdl`.
//!
//! # Checks of a raw table
//!
//! The payload is cut into blocks of 16 KiB, the last one shorter. The checks region holds the
//! xxh3-64 of each block, eight bytes each, in order. Its own xxh3-64 stands in the header.
//!
//! # Packed payload
//!
//! The entries of a stored side to move are taken in the packing order of the index scheme, which
//! puts similar entries next to each other. They are cut into blocks of `block_entries`, the last
//! one shorter. Each block is one frame. The frames follow each other without gaps: those with the
//! first side to move in order, then those with the second.
//!
//! The checks region of a packed table is the *index* of the frames. It holds two 64-bit numbers
//! for each frame, one frame after the other: the offset from the start of the payload, and the
//! xxh3-64 of the frame. After the last frame follows the length of the payload: 16 bytes per frame
//! and 8. The xxh3-64 of the index stands in the header.
//!
//! # Frames
//!
//! A frame is one byte, the *form*, and a zstd frame without a checksum, a dictionary, and a
//! dictionary id. What it decodes to depends on the metric.
//!
//! **`wdl`.** Two *planes*: words of 64 entries, one bit each, first all words of plane A, then all
//! of plane B. Bit `e % 64` of word `e / 64` belongs to entry `e`, and bits beyond the last entry
//! are zero. The form names the planes. Let *first* be the plane of the entries that the first side
//! wins, *second* that of the second side's wins, and *decided* the union of both:
//!
//! | form | plane A | plane B |
//! |---|---|---|
//! | 0 | first | second |
//! | 1 | first | decided |
//! | 2 | second | decided |
//!
//! An encoder takes the shortest of the three. Without draws, for example, *decided* costs nothing.
//!
//! **`dtw`.** The low bytes of the *numbers* of all entries, then, if the form says so, the high
//! bytes of all. The form has two flags, and its other bits are zero:
//!
//! | bit | set | not set |
//! |---|---|---|
//! | 0 | a number is 0 for a draw, else one more than the plies to the win; the side to move wins if the plies are odd, the other if they are even | a number is a code |
//! | 1 | a number has two bytes | a number has one byte |
//!
//! Sides take turns and the winner moves last, so nearly always the plies name the winner.
//!
//! # Omitted values
//!
//! If one side to move is not stored, its values follow from the other's by one ply of look-ahead:
//! unless the game is over, the best value that any legal move leads to, in this layer or a lower
//! one. A distance has one ply more than the value after the best move.
//!
//! # Description
//!
//! The text of the game, UTF-8 without a zero at the end, as the module
//! [`hunt`](anser_core::hunt::Description) of `anser-core` specifies it (`hunt/text.rs`): board,
//! pieces, moves, ends, and layers. Name, rule set, and the hash of the fingerprint are those of
//! the header, so a program can read, check, and play a table whose game it does not know. A reader
//! takes nothing in it on trust: it checks the text and the rules in it before it uses them. The
//! text is empty if the game is not such a description, which no game of this project is.

mod block;
mod codes;
mod frame;
mod frame_error;
mod header;
mod layout;
mod open_file;
mod outcomes;
mod packed;
mod packing;
mod places;
mod planes;
mod raw;
mod words;

pub use codes::{Longest, bits_of, contract_codes, expand_codes, outcomes_of_group};
pub use frame::{BlockEncoder, decode_block, decode_distances};
pub use frame_error::FrameError;
pub use header::{Counts, FORMAT_VERSION, HEADER_LEN, Header, SIGNATURE, count_slot, rules_hash};
pub use layout::{CHECK_BLOCK, Layout};
pub use outcomes::{
    ENTRIES_PER_PAIR, NO_VALUE, code_of, expand, get, outcome_of, pairs, payload_len, set,
};
pub use packing::{MAX_BLOCK_ENTRIES, MIN_BLOCK_ENTRIES, Packing};
pub use places::{BlockId, Region};
pub use raw::raw_check;
pub use words::{bytes_of, words_of};

pub(crate) use block::Block;
pub(crate) use codes::{group_offset, set_code};
pub(crate) use open_file::OpenFile;
pub(crate) use packed::PackedPayload;
pub(crate) use places::ordinal;
pub(crate) use raw::RawPayload;

/// Writes bytes in lower-case hexadecimal.
///
/// ```
/// assert_eq!(anser_table::format::hex(&[0x0a, 0xff]), "0aff");
/// ```
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(DIGITS[usize::from(digit)]))
        .collect()
}
