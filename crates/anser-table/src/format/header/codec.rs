//! Headers as bytes.

use xxhash_rust::xxh3::xxh3_64;

use anser_core::{BySide, Side};

use super::{FORMAT_VERSION, HEADER_LEN, Header, SIGNATURE, TOO_LARGE};
use crate::error::Defect;
use crate::format::codes::{Coding, Longest, largest_code, plies_of_top, top_code};
use crate::format::frame::Content;
use crate::format::layout::{Layout, Region};
use crate::format::outcomes::CODE_MEANINGS;
use crate::format::packed::{Fill, Packing};
use crate::kinds::Metric;

/// Meaning of the codes of distances in a header.
const DTW_CODE_MEANINGS: [u8; 4] = *b"D12+";

impl Header {
    /// Encodes the header.
    pub fn encode(&self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[..8].copy_from_slice(&SIGNATURE);
        put(&mut bytes, 8, self.format_version().to_le_bytes());
        bytes[10] = self.kind() as u8;
        bytes[11] = u8::from(self.complete);
        put(&mut bytes, 12, (HEADER_LEN as u32).to_le_bytes());
        put_text(&mut bytes[16..48], &self.game);
        put_text(&mut bytes[48..112], &self.rules);
        put(&mut bytes, 112, self.rules_hash.to_le_bytes());
        put(&mut bytes, 120, self.layer.to_le_bytes());
        bytes[122] = self.metric() as u8;
        bytes[123] = self.bits() as u8;
        bytes[124..128].copy_from_slice(match self.metric() {
            Metric::Wdl => &CODE_MEANINGS,
            Metric::Dtw => &DTW_CODE_MEANINGS,
        });
        put_text(&mut bytes[128..144], &self.scheme);
        put(&mut bytes, 144, self.scheme_version.to_le_bytes());
        put(&mut bytes, 146, self.symmetries.to_le_bytes());
        put_words(&mut bytes, 152, self.entries.into_array());
        put_words(&mut bytes, 168, self.counts.into_array().into_iter().flatten());
        put_region(&mut bytes, 216, self.layout.payload);
        put_region(&mut bytes, 232, self.layout.checks);
        put(&mut bytes, 248, self.checks_hash.to_le_bytes());
        bytes[256..288].copy_from_slice(&self.payload_digest);
        put_text(&mut bytes[288..320], &self.generator);
        if let Some(packing) = &self.packing {
            bytes[320] =
                u8::from(packing.stored[Side::First]) | u8::from(packing.stored[Side::Second]) << 1;
            bytes[321] = packing.fill as u8;
            bytes[322] = packing.content as u8;
            bytes[323] = packing.level as u8;
            put(&mut bytes, 324, packing.block_entries.to_le_bytes());
            put_words(&mut bytes, 328, packing.blocks(self.entries).into_array());
            put_region(&mut bytes, 344, self.layout.dictionary);
            put(&mut bytes, 360, packing.dictionary_hash.to_le_bytes());
        }
        put_longest(&mut bytes, &self.longest);
        let hash = xxh3_64(&bytes[..HEADER_LEN - 8]);
        put(&mut bytes, HEADER_LEN - 8, hash.to_le_bytes());
        bytes
    }

    /// Decodes the header in the first bytes of a file, and checks everything that the header alone
    /// determines. The header of an unfinished table is decoded as any other.
    ///
    /// ```
    /// use anser_table::{Defect, format::Header};
    /// assert!(matches!(Header::decode(b"PK\x03\x04, some archive"), Err(Defect::NotATable)));
    /// ```
    ///
    /// # Errors
    /// [`Defect::NotATable`], [`Defect::UnknownVersion`], [`Defect::Length`] if there are fewer
    /// bytes than a header has, [`Defect::HeaderDamaged`], or [`Defect::HeaderInvalid`].
    pub fn decode(bytes: &[u8]) -> Result<Header, Defect> {
        let invalid = |problem| Err(Defect::HeaderInvalid(problem));
        if bytes.len() < 10 || bytes[..8] != SIGNATURE {
            return Err(Defect::NotATable);
        }
        let version = u16::from_le_bytes(take(bytes, 8));
        if !(1..=FORMAT_VERSION).contains(&version) {
            return Err(Defect::UnknownVersion(version));
        }
        let Some((bytes, _)) = bytes.split_first_chunk::<HEADER_LEN>() else {
            return Err(Defect::Length { expected: HEADER_LEN as u64, actual: bytes.len() as u64 });
        };
        if u64::from_le_bytes(take(bytes, HEADER_LEN - 8)) != xxh3_64(&bytes[..HEADER_LEN - 8]) {
            return Err(Defect::HeaderDamaged);
        }

        // The bytes are what some writer wrote, but not necessarily this crate.
        let packed = match bytes[10] {
            0 => false,
            1 => true,
            _ => return invalid("kind"),
        };
        let Some(&metric) = Metric::ALL.get(usize::from(bytes[122])) else {
            return invalid("metric");
        };
        if bytes[11] > 1 || u32::from_le_bytes(take(bytes, 12)) != HEADER_LEN as u32 {
            return invalid("complete marker or header length");
        }
        let longest = take_longest(bytes)?;
        let (coding, meanings) = match metric {
            Metric::Wdl => (Coding::WDL, CODE_MEANINGS),
            Metric::Dtw => (Coding::dtw(largest_code(&longest)), DTW_CODE_MEANINGS),
        };
        if u32::from(bytes[123]) != coding.bits || bytes[124..128] != meanings {
            return invalid("value codes");
        }
        if !metric.has_distances() && longest != Longest::default() {
            return invalid("redundant or reserved fields");
        }
        let word = |at: usize| u64::from_le_bytes(take(bytes, at));
        let entries = BySide::new(152, 160).map(word);
        let counts = BySide::new([168, 176, 184], [192, 200, 208]).map(|places| places.map(word));
        let payload = take_region(bytes, 216);
        let packing = if packed { Some(decode_packing(bytes, payload.len, metric)?) } else { None };
        let header = Header {
            complete: bytes[11] == 1,
            game: take_text(&bytes[16..48])?,
            rules: take_text(&bytes[48..112])?,
            rules_hash: u64::from_le_bytes(take(bytes, 112)),
            layer: u16::from_le_bytes(take(bytes, 120)),
            coding,
            longest,
            scheme: take_text(&bytes[128..144])?,
            scheme_version: u16::from_le_bytes(take(bytes, 144)),
            symmetries: u16::from_le_bytes(take(bytes, 146)),
            entries,
            counts,
            layout: Layout::new(entries, coding.bits, packing.as_ref()).ok_or(TOO_LARGE)?,
            checks_hash: u64::from_le_bytes(take(bytes, 248)),
            payload_digest: take(bytes, 256),
            generator: take_text(&bytes[288..320])?,
            packing,
        };
        // Redundant fields must agree and reserved bytes must be zero, so that every bit counts.
        if header.encode() != *bytes {
            return invalid("redundant or reserved fields");
        }
        header.check_counts()?;
        Ok(header)
    }
}

fn decode_packing(
    bytes: &[u8; HEADER_LEN],
    payload_len: u64,
    metric: Metric,
) -> Result<Packing, Defect> {
    let invalid = Err(Defect::HeaderInvalid("packing"));
    let stored = match bytes[320] {
        sides @ 1..=3 => BySide::new(sides & 1 != 0, sides & 2 != 0),
        _ => return invalid,
    };
    let (Some(&fill), Some(&content)) =
        (Fill::ALL.get(usize::from(bytes[321])), Content::ALL.get(usize::from(bytes[322])))
    else {
        return invalid;
    };
    let Ok(dictionary_len) = u32::try_from(take_region(bytes, 344).len) else {
        return invalid;
    };
    let packing = Packing {
        stored,
        fill,
        content,
        level: bytes[323] as i8,
        block_entries: u32::from_le_bytes(take(bytes, 324)),
        payload_len,
        dictionary_len,
        dictionary_hash: u64::from_le_bytes(take(bytes, 360)),
    };
    packing.check(metric)?;
    Ok(packing)
}

/// Writes `value` at offset `at`.
fn put<const N: usize>(bytes: &mut [u8], at: usize, value: [u8; N]) {
    bytes[at..at + N].copy_from_slice(&value);
}

/// Writes 64-bit numbers from offset `at` on.
fn put_words(bytes: &mut [u8], at: usize, words: impl IntoIterator<Item = u64>) {
    for (at, word) in (at..).step_by(8).zip(words) {
        put(bytes, at, word.to_le_bytes());
    }
}

fn put_region(bytes: &mut [u8], at: usize, region: Region) {
    put_words(bytes, at, [region.offset, region.len]);
}

fn put_text(field: &mut [u8], text: &str) {
    field[..text.len()].copy_from_slice(text.as_bytes());
}

/// Reads the `N` bytes at offset `at`, which are in bounds.
fn take<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut value = [0; N];
    value.copy_from_slice(&bytes[at..at + N]);
    value
}

fn take_region(bytes: &[u8], at: usize) -> Region {
    Region {
        offset: u64::from_le_bytes(take(bytes, at)),
        len: u64::from_le_bytes(take(bytes, at + 8)),
    }
}

fn take_text(field: &[u8]) -> Result<String, Defect> {
    let len = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
    let printable = field[..len].iter().all(|byte| matches!(byte, b' '..=b'~'));
    match std::str::from_utf8(&field[..len]) {
        Ok(text) if printable && (1..field.len()).contains(&len) => Ok(text.to_owned()),
        _ => Err(Defect::HeaderInvalid("a name that is empty, too long, or not printable ASCII")),
    }
}

/// The order of the largest codes: side to move, then winner.
fn longest_fields() -> impl Iterator<Item = (usize, Side, Side)> {
    let sides =
        Side::BOTH.into_iter().flat_map(|to_move| Side::BOTH.map(|winner| (to_move, winner)));
    (368..).step_by(2).zip(sides).map(|(at, (to_move, winner))| (at, to_move, winner))
}

fn put_longest(bytes: &mut [u8], longest: &Longest) {
    for (at, to_move, winner) in longest_fields() {
        put(bytes, at, top_code(winner, longest[to_move][winner]).to_le_bytes());
    }
}

fn take_longest(bytes: &[u8]) -> Result<Longest, Defect> {
    let mut longest = Longest::default();
    for (at, to_move, winner) in longest_fields() {
        longest[to_move][winner] = plies_of_top(winner, u16::from_le_bytes(take(bytes, at)))?;
    }
    Ok(longest)
}
