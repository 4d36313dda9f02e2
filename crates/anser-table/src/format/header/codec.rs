//! Headers as bytes.

use anser_core::{BySide, Side};
use byteorder::{ByteOrder, LittleEndian};
use xxhash_rust::xxh3::xxh3_64;

use super::{
    EARLIER_SIGNATURE, FORMAT_VERSION, HEADER_LEN, Header, SIGNATURE, TOO_LARGE,
    check_description_len,
};
use crate::error::Defect;
use crate::format::codes::{Coding, Longest, largest_code, plies_of_top, top_code};
use crate::format::layout::Layout;
use crate::format::outcomes::CODE_MEANINGS;
use crate::format::packing::Packing;
use crate::format::places::Region;
use crate::kinds::Metric;

/// Meaning of the codes of distances in a header.
const DTW_CODE_MEANINGS: [u8; 4] = *b"D12+";

impl Header {
    /// Encodes the header.
    pub fn encode(&self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[..8].copy_from_slice(&SIGNATURE);
        LittleEndian::write_u16(&mut bytes[8..], FORMAT_VERSION);
        bytes[10] = self.kind() as u8;
        bytes[11] = u8::from(self.complete);
        LittleEndian::write_u32(&mut bytes[12..], HEADER_LEN as u32);
        put_text(&mut bytes[16..48], &self.game);
        put_text(&mut bytes[48..112], &self.rules);
        LittleEndian::write_u64(&mut bytes[112..], self.rules_hash);
        LittleEndian::write_u16(&mut bytes[120..], self.layer);
        bytes[122] = self.metric() as u8;
        bytes[123] = self.bits() as u8;
        bytes[124..128].copy_from_slice(match self.metric() {
            Metric::Wdl => &CODE_MEANINGS,
            Metric::Dtw => &DTW_CODE_MEANINGS,
        });
        put_text(&mut bytes[128..144], &self.scheme);
        LittleEndian::write_u16(&mut bytes[144..], self.scheme_version);
        LittleEndian::write_u16(&mut bytes[146..], self.symmetries);
        LittleEndian::write_u64_into(self.entries.as_array(), &mut bytes[152..168]);
        LittleEndian::write_u64_into(self.counts.as_array().as_flattened(), &mut bytes[168..216]);
        put_region(&mut bytes[216..232], self.layout.payload);
        put_region(&mut bytes[232..248], self.layout.checks);
        LittleEndian::write_u64(&mut bytes[248..], self.checks_hash);
        bytes[256..288].copy_from_slice(&self.payload_digest);
        put_text(&mut bytes[288..320], &self.generator);
        if let Some(packing) = &self.packing {
            bytes[320] =
                u8::from(packing.stored[Side::First]) | u8::from(packing.stored[Side::Second]) << 1;
            bytes[321] = packing.level as u8;
            LittleEndian::write_u32(&mut bytes[324..], packing.block_entries);
            let blocks = packing.blocks(self.entries);
            LittleEndian::write_u64_into(blocks.as_array(), &mut bytes[328..344]);
        }
        put_region(&mut bytes[344..360], self.layout.description);
        LittleEndian::write_u64(&mut bytes[360..], self.description_hash);
        for (at, to_move, winner) in longest_fields() {
            let code = top_code(winner, self.longest[to_move][winner]);
            LittleEndian::write_u16(&mut bytes[at..], code);
        }
        let hash = xxh3_64(&bytes[..HEADER_LEN - 8]);
        LittleEndian::write_u64(&mut bytes[HEADER_LEN - 8..], hash);
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
    /// [`Defect::NotATable`], [`Defect::Earlier`], [`Defect::UnknownVersion`], [`Defect::Length`]
    /// if there are fewer bytes than a header has, [`Defect::HeaderDamaged`], or
    /// [`Defect::HeaderInvalid`].
    pub fn decode(bytes: &[u8]) -> Result<Header, Defect> {
        let bytes = take_header(bytes)?;
        let invalid = |problem| Err(Defect::HeaderInvalid(problem));
        // The bytes are what some writer wrote, but not necessarily this crate.
        let packed = match bytes[10] {
            0 => false,
            1 => true,
            _ => return invalid("kind"),
        };
        let Some(&metric) = Metric::ALL.get(usize::from(bytes[122])) else {
            return invalid("metric");
        };
        if bytes[11] > 1 || LittleEndian::read_u32(&bytes[12..]) != HEADER_LEN as u32 {
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
        let short = |at: usize| LittleEndian::read_u16(&bytes[at..]);
        let word = |at: usize| LittleEndian::read_u64(&bytes[at..]);
        let entries = BySide::new(152, 160).map(word);
        let counts = BySide::new([168, 176, 184], [192, 200, 208]).map(|places| places.map(word));
        let packing = if packed { Some(decode_packing(bytes)?) } else { None };
        let description = take_region(bytes, 344).len;
        check_description_len(description)?;
        let layout = Layout::new(entries, coding.bits, packing.as_ref(), description);
        let mut payload_digest = [0; 32];
        payload_digest.copy_from_slice(&bytes[256..288]);
        let header = Header {
            complete: bytes[11] == 1,
            game: take_text(&bytes[16..48]),
            rules: take_text(&bytes[48..112]),
            rules_hash: word(112),
            layer: short(120),
            coding,
            longest,
            scheme: take_text(&bytes[128..144]),
            scheme_version: short(144),
            symmetries: short(146),
            entries,
            counts,
            layout: layout.ok_or(TOO_LARGE)?,
            checks_hash: word(248),
            description_hash: word(360),
            payload_digest,
            generator: take_text(&bytes[288..320]),
            packing,
        };
        header.check_texts()?;
        // Redundant fields must agree and reserved bytes must be zero, so that every bit counts.
        if header.encode() != *bytes {
            return invalid("redundant or reserved fields");
        }
        header.check_counts()?;
        Ok(header)
    }
}

/// Returns the bytes of the header in the first bytes of a file, which have the right checksum.
fn take_header(bytes: &[u8]) -> Result<&[u8; HEADER_LEN], Defect> {
    if bytes.starts_with(&EARLIER_SIGNATURE) {
        return Err(Defect::Earlier);
    }
    if bytes.len() < 10 || !bytes.starts_with(&SIGNATURE) {
        return Err(Defect::NotATable);
    }
    let version = LittleEndian::read_u16(&bytes[8..]);
    if version != FORMAT_VERSION {
        return Err(Defect::UnknownVersion(version));
    }
    let Some((bytes, _)) = bytes.split_first_chunk::<HEADER_LEN>() else {
        return Err(Defect::Length { expected: HEADER_LEN as u64, actual: bytes.len() as u64 });
    };
    let hash = xxh3_64(&bytes[..HEADER_LEN - 8]);
    if LittleEndian::read_u64(&bytes[HEADER_LEN - 8..]) != hash {
        return Err(Defect::HeaderDamaged);
    }
    Ok(bytes)
}

fn decode_packing(bytes: &[u8; HEADER_LEN]) -> Result<Packing, Defect> {
    let stored = match bytes[320] {
        sides @ 1..=3 => BySide::new(sides & 1 != 0, sides & 2 != 0),
        _ => return Err(Defect::HeaderInvalid("packing")),
    };
    let packing = Packing {
        stored,
        level: bytes[321] as i8,
        block_entries: LittleEndian::read_u32(&bytes[324..]),
        payload_len: take_region(bytes, 216).len,
    };
    packing.check()?;
    Ok(packing)
}

fn put_region(field: &mut [u8], region: Region) {
    LittleEndian::write_u64_into(&[region.offset, region.len], field);
}

fn take_region(bytes: &[u8; HEADER_LEN], at: usize) -> Region {
    let [offset, len] = [at, at + 8].map(|at| LittleEndian::read_u64(&bytes[at..]));
    Region { offset, len }
}

fn put_text(field: &mut [u8], text: &str) {
    field[..text.len()].copy_from_slice(text.as_bytes());
}

/// Reads a text up to the first zero. What is not ASCII is left for the check of the texts.
fn take_text(field: &[u8]) -> String {
    let text = field.split(|&byte| byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(text).into_owned()
}

/// The order of the largest codes: side to move, then winner.
fn longest_fields() -> impl Iterator<Item = (usize, Side, Side)> {
    let sides =
        Side::BOTH.into_iter().flat_map(|to_move| Side::BOTH.map(|winner| (to_move, winner)));
    (368..).step_by(2).zip(sides).map(|(at, (to_move, winner))| (at, to_move, winner))
}

fn take_longest(bytes: &[u8; HEADER_LEN]) -> Result<Longest, Defect> {
    let mut longest = Longest::default();
    for (at, to_move, winner) in longest_fields() {
        longest[to_move][winner] = plies_of_top(winner, LittleEndian::read_u16(&bytes[at..]))?;
    }
    Ok(longest)
}
