//! Words of 64 bits as bytes of a file.

use byteorder::{ByteOrder, LittleEndian};

/// Returns words as little-endian bytes.
///
/// ```
/// let bytes = anser_table::format::bytes_of(&[1, 0x0203]);
/// assert_eq!(bytes, [1, 0, 0, 0, 0, 0, 0, 0, 3, 2, 0, 0, 0, 0, 0, 0]);
/// ```
pub fn bytes_of(words: &[u64]) -> Vec<u8> {
    let mut bytes = vec![0; 8 * words.len()];
    LittleEndian::write_u64_into(words, &mut bytes);
    bytes
}

/// Returns the words of little-endian bytes; at most seven bytes are left over at the end.
///
/// ```
/// use anser_table::format::{bytes_of, words_of};
/// assert!(words_of(&bytes_of(&[1, 2, 3])).eq([1, 2, 3]));
/// ```
#[inline]
pub fn words_of(bytes: &[u8]) -> impl DoubleEndedIterator<Item = u64> {
    bytes.as_chunks::<8>().0.iter().map(|word| LittleEndian::read_u64(word))
}
