//! The header as bytes.

use byteorder::{ByteOrder, LittleEndian};
use xxhash_rust::xxh3::xxh3_64;

use anser_core::Side;

use super::{Counts, FORMAT_VERSION, HEADER_LEN, Header, SIGNATURE, TOO_LARGE};
use crate::codes::{Coding, Longest, largest_code, plies_of_top, top_code};
use crate::error::Defect;
use crate::frame::Content;
use crate::layout::{Layout, Metric, Region};
use crate::packed::{Fill, Packing};
use crate::values::CODE_MEANINGS;

/// What the codes of distances mean.
const DTW_CODE_MEANINGS: [u8; 4] = *b"D12+";

impl Header {
    /// The bytes of the header.
    pub fn encode(&self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[..8].copy_from_slice(&SIGNATURE);
        LittleEndian::write_u16(&mut bytes[8..], self.format_version());
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
        LittleEndian::write_u64_into(&self.entries, &mut bytes[152..168]);
        LittleEndian::write_u64_into(self.counts.as_flattened(), &mut bytes[168..216]);
        put_region(&mut bytes[216..], self.layout.payload);
        put_region(&mut bytes[232..], self.layout.checks);
        LittleEndian::write_u64(&mut bytes[248..], self.checks_hash);
        bytes[256..288].copy_from_slice(&self.payload_digest);
        put_text(&mut bytes[288..320], &self.generator);
        if let Some(packing) = &self.packing {
            bytes[320] = u8::from(packing.stored[0]) | u8::from(packing.stored[1]) << 1;
            bytes[321] = packing.fill as u8;
            bytes[322] = packing.content as u8;
            bytes[323] = packing.level as u8;
            LittleEndian::write_u32(&mut bytes[324..], packing.block_entries);
            LittleEndian::write_u64_into(&packing.blocks(self.entries), &mut bytes[328..344]);
            put_region(&mut bytes[344..], self.layout.dictionary);
            LittleEndian::write_u64(&mut bytes[360..], packing.dictionary_hash);
        }
        put_longest(&mut bytes[368..376], &self.longest);
        let hash = xxh3_64(&bytes[..HEADER_LEN - 8]);
        LittleEndian::write_u64(&mut bytes[HEADER_LEN - 8..], hash);
        bytes
    }

    /// Reads a header from the first bytes of a file, and checks everything that can be checked without the rest of it.
    /// The header of an unfinished table is read like any other.
    ///
    /// ```
    /// use anser_table::{Defect, Header};
    /// assert!(matches!(Header::decode(b"PK\x03\x04, some archive"), Err(Defect::NotATable)));
    /// ```
    pub fn decode(bytes: &[u8]) -> Result<Header, Defect> {
        let invalid = |problem| Err(Defect::HeaderInvalid(problem));
        if bytes.len() < 10 || bytes[..8] != SIGNATURE {
            return Err(Defect::NotATable);
        }
        let version = LittleEndian::read_u16(&bytes[8..]);
        if !(1..=FORMAT_VERSION).contains(&version) {
            return Err(Defect::UnknownVersion(version));
        }
        let Some((bytes, _)) = bytes.split_first_chunk::<HEADER_LEN>() else {
            return Err(Defect::Length { expected: HEADER_LEN as u64, actual: bytes.len() as u64 });
        };
        if LittleEndian::read_u64(&bytes[HEADER_LEN - 8..]) != xxh3_64(&bytes[..HEADER_LEN - 8]) {
            return Err(Defect::HeaderDamaged);
        }

        // From here on the bytes are what some writer wrote, but not necessarily one of ours.
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
        let longest = take_longest(&bytes[368..376])?;
        let (coding, meanings) = match metric {
            Metric::Wdl => (Coding::WDL, CODE_MEANINGS),
            Metric::Dtw => (Coding::dtw(largest_code(&longest)), DTW_CODE_MEANINGS),
        };
        if u32::from(bytes[123]) != coding.bits || bytes[124..128] != meanings {
            return invalid("value codes");
        }
        if metric == Metric::Wdl && longest != Longest::default() {
            return invalid("redundant or reserved fields");
        }
        let mut entries = [0; 2];
        LittleEndian::read_u64_into(&bytes[152..168], &mut entries);
        let mut counts = Counts::default();
        LittleEndian::read_u64_into(&bytes[168..216], counts.as_flattened_mut());
        let payload = take_region(&bytes[216..]);
        let packing = if packed { Some(decode_packing(bytes, payload.len, metric)?) } else { None };
        let mut payload_digest = [0; 32];
        payload_digest.copy_from_slice(&bytes[256..288]);
        let header = Header {
            complete: bytes[11] == 1,
            game: take_text(&bytes[16..48])?,
            rules: take_text(&bytes[48..112])?,
            rules_hash: LittleEndian::read_u64(&bytes[112..]),
            layer: LittleEndian::read_u16(&bytes[120..]),
            coding,
            longest,
            scheme: take_text(&bytes[128..144])?,
            scheme_version: LittleEndian::read_u16(&bytes[144..]),
            symmetries: LittleEndian::read_u16(&bytes[146..]),
            entries,
            counts,
            layout: Layout::new(entries, coding.bits, packing.as_ref()).ok_or(TOO_LARGE)?,
            checks_hash: LittleEndian::read_u64(&bytes[248..]),
            payload_digest,
            generator: take_text(&bytes[288..320])?,
            packing,
        };
        // What is written twice must agree, and what is reserved must be zero: then no bit is without a meaning.
        if header.encode() != *bytes {
            return invalid("redundant or reserved fields");
        }
        header.check_counts()?;
        Ok(header)
    }
}

fn decode_packing(bytes: &[u8; HEADER_LEN], payload_len: u64, metric: Metric) -> Result<Packing, Defect> {
    let invalid = Err(Defect::HeaderInvalid("packing"));
    let Some(stored) = [[true, false], [false, true], [true, true]].get(usize::from(bytes[320]).wrapping_sub(1)) else {
        return invalid;
    };
    let (Some(&fill), Some(&content)) =
        (Fill::ALL.get(usize::from(bytes[321])), Content::ALL.get(usize::from(bytes[322])))
    else {
        return invalid;
    };
    let Ok(dictionary_len) = u32::try_from(take_region(&bytes[344..]).len) else {
        return invalid;
    };
    let packing = Packing {
        stored: *stored,
        fill,
        content,
        level: bytes[323] as i8,
        block_entries: LittleEndian::read_u32(&bytes[324..]),
        payload_len,
        dictionary_len,
        dictionary_hash: LittleEndian::read_u64(&bytes[360..]),
    };
    packing.check(metric)?;
    Ok(packing)
}

fn put_text(field: &mut [u8], text: &str) {
    field[..text.len()].copy_from_slice(text.as_bytes());
}

fn take_text(field: &[u8]) -> Result<String, Defect> {
    let len = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
    let printable = field[..len].iter().all(|byte| matches!(byte, b' '..=b'~'));
    match std::str::from_utf8(&field[..len]) {
        Ok(text) if printable && (1..field.len()).contains(&len) => Ok(text.to_owned()),
        _ => Err(Defect::HeaderInvalid("a name that is empty, too long or not printable ASCII")),
    }
}

fn put_longest(bytes: &mut [u8], longest: &Longest) {
    for (bytes, longest) in bytes.chunks_mut(4).zip(longest) {
        let codes = Side::BOTH.map(|winner| top_code(winner, longest[winner.index()]));
        LittleEndian::write_u16_into(&codes, bytes);
    }
}

fn take_longest(bytes: &[u8]) -> Result<Longest, Defect> {
    let mut longest = Longest::default();
    for (bytes, longest) in bytes.chunks(4).zip(&mut longest) {
        for winner in Side::BOTH {
            let code = LittleEndian::read_u16(&bytes[2 * winner.index()..]);
            longest[winner.index()] = plies_of_top(winner, code)?;
        }
    }
    Ok(longest)
}

fn put_region(bytes: &mut [u8], region: Region) {
    LittleEndian::write_u64_into(&[region.offset, region.len], &mut bytes[..16]);
}

fn take_region(bytes: &[u8]) -> Region {
    Region { offset: LittleEndian::read_u64(bytes), len: LittleEndian::read_u64(&bytes[8..]) }
}
