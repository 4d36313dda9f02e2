//! The format of table files, versions 1 to 4: its specification, and the parts for programs that
//! write or convert tables. Reading takes a [`Tablebase`](crate::Tablebase) only.
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
//! | dictionary | | of the frames, if they need one |
//!
//! The file ends with the last of them. The game's index of the layer numbers the positions with
//! one side to move from 0. The header names the index scheme and states the number of entries. A
//! raw table holds the entries in the order of their ranks.
//!
//! # Header
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 8 | signature: 89 41 4E 53 52 0D 0A 1A, which does not survive a transfer as text |
//! | 8 | 2 | format version: the lowest version that defines everything in the file |
//! | 10 | 1 | kind: 0 raw, 1 packed |
//! | 11 | 1 | complete: 1, or 0 in a file that is still being written |
//! | 12 | 4 | length of the header, 4096 |
//! | 16 | 32 | game, ASCII, padded with zeros |
//! | 48 | 64 | rule set, ASCII, padded with zeros |
//! | 112 | 8 | xxh3-64 of the game's fingerprint, the text that states the rules; a program without that text can only compare the hash between tables |
//! | 120 | 2 | layer |
//! | 122 | 1 | metric: 0 `wdl`, win-draw-loss, 1 `dtw`, distance to the win (since version 3) |
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
//! | 321 | 1 | packed: fill, 0 every stored entry holds its value, 1 all but those with a static outcome |
//! | 322 | 1 | packed: content of a frame, 0 one byte per entry, 1 two bits per entry, 2 two planes in the packing order of the index scheme (since version 2), 3 one or two bytes per entry, for `dtw` (since version 3), 4 one or two bytes per entry in the packing order, for `dtw` (since version 4) |
//! | 323 | 1 | packed: zstd level, signed; for information |
//! | 324 | 4 | packed: entries in a block, a power of two from 64 to 2^20 |
//! | 328 | 16 | packed: blocks with the first side to move, with the second; 0 for a side that is not stored |
//! | 344 | 16 | packed: dictionary, offset and length, both 0 if there is none |
//! | 360 | 8 | packed: xxh3-64 of the dictionary, 0 if there is none |
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
//! The entries of a stored side to move are cut into blocks of `block_entries`, the last one
//! shorter. They are taken in the order of their ranks or, with contents 2 and 4, in the packing
//! order of the index scheme, which puts similar entries next to each other. Each block is one frame. The
//! frames follow each other without gaps: those with the first side to move in order, then those
//! with the second. If the header names a dictionary, every frame needs it.
//!
//! The checks region of a packed table is the *index* of the frames. It holds two 64-bit numbers
//! for each frame, one frame after the other: the offset from the start of the payload, and the
//! xxh3-64 of the compressed bytes. After the last frame follows the length of the payload: 16
//! bytes per frame and 8. The xxh3-64 of the index stands in the header.
//!
//! # Frames
//!
//! A frame is a zstd frame without a checksum and a dictionary id of its own, preceded by one byte
//! in contents 2 and 4. It decodes to:
//!
//! | content | decoded frame |
//! |---|---|
//! | 0 | one byte per entry, its code |
//! | 1 | the pairs of words of the raw payload |
//! | 2 | two *planes*: words of 64 entries, one bit each, first all words of plane A, then all of plane B |
//! | 3 | distances: one byte per entry, its code; for entries of more than eight bits the low bytes of all codes, then the high bytes of all |
//! | 4 | distances: the low bytes of the *numbers* of all entries, then, if the byte before the frame says so, the high bytes of all |
//!
//! In a plane, bit `e % 64` of the little-endian word `e / 64` belongs to entry `e`, and bits
//! beyond the last entry are zero. The byte before a frame of content 2 names its planes. Let
//! *first* be the plane of the entries that the first side wins, *second* that of the second side's
//! wins, and *decided* the union of both:
//!
//! | byte | plane A | plane B |
//! |---|---|---|
//! | 0 | first | second |
//! | 1 | first | decided |
//! | 2 | second | decided |
//!
//! An encoder takes the shortest of the three. Without draws, for example, *decided* costs nothing.
//!
//! The byte before a frame of content 4 has two flags, and its other bits are zero:
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
//! one. If the fill is 1, entries with a static outcome (the game is over, or the side to move wins
//! at once) are don't-cares: a reader asks the rules before the table. Distances have fill 0, and
//! omit a side to move in content 4 only. The value with one ply of look-ahead has one ply more than
//! the value after the best move.
//!
//! # Version history
//!
//! | version | change |
//! |---|---|
//! | 1 | the first |
//! | 2 | content 2; a file without it is written as version 1 |
//! | 3 | metric `dtw` with content 3; a file without them is written as version 1 or 2 |
//! | 4 | content 4, which may omit a side to move; a file without it is written as version 1, 2, or 3 |

mod block;
mod codes;
mod frame;
mod header;
mod layout;
mod outcomes;
mod packed;
mod raw;

pub use codes::{Longest, bits_of, contract_codes, expand_codes, outcomes_of_group};
pub use frame::{BlockEncoder, Content, Dictionary, FrameError, decode_block, decode_distances};
pub use header::{Counts, FORMAT_VERSION, HEADER_LEN, Header, SIGNATURE, count_slot, rules_hash};
pub use layout::{Layout, Region};
pub use outcomes::{
    ENTRIES_PER_PAIR, NO_VALUE, PAIR_BYTES, code_in_pair, code_of, expand, get, outcome_of, pairs,
    payload_len, set,
};
pub use packed::{
    BlockId, Fill, MAX_BLOCK_ENTRIES, MAX_DICTIONARY_LEN, MIN_BLOCK_ENTRIES, Packing,
};
pub use raw::{CHECK_BLOCK, checks_len, raw_check};

pub(crate) use block::Block;
pub(crate) use codes::{group_offset, groups, set_code};
pub(crate) use packed::PackedPayload;
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
