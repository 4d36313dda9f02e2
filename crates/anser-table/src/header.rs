//! The file format of tables, versions 1 to 3, and its header.
//!
//! # A table file
//!
//! A file holds one metric of one layer under one rule set. All numbers are little-endian, all offsets count bytes from
//! the start of the file, a *page* is 4096 bytes. Nothing in a file depends on the time, the machine, the engine or the
//! number of threads that made it. The parts follow each other:
//!
//! | part | raw table | packed table |
//! |---|---|---|
//! | header | one page, below | the same |
//! | payload | some bits an entry, see `codes.rs` | compressed frames, see `packed.rs` |
//! | zeros | to the next page, none if the payload ends on one | to the next multiple of 8, likewise |
//! | checks | xxh3-64 of every 16 KiB of payload, see `raw.rs` | the index of the frames, see `packed.rs` |
//! | dictionary | | of the frames, if they need one |
//!
//! and the file ends with the last of them. Positions with one side to move are numbered from 0 by the game's index of
//! the layer; which numbering that is and how long, the header says. A raw table holds them in the order of their numbers.
//!
//! # The header
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 8 | signature: 89 41 4E 53 52 0D 0A 1A, which does not survive a transfer as text |
//! | 8 | 2 | format version: the least that knows what is in the file |
//! | 10 | 1 | kind: 0 raw, 1 packed |
//! | 11 | 1 | complete: 1, or 0 in a file that is still being made |
//! | 12 | 4 | length of the header, 4096 |
//! | 16 | 32 | game, ASCII, padded with zeros |
//! | 48 | 64 | rule set, ASCII, padded with zeros |
//! | 112 | 8 | xxh3-64 of the game's fingerprint, the text that spells the rules out; who does not have the text compares it between tables only |
//! | 120 | 2 | layer |
//! | 122 | 1 | metric: 0 `wdl`, win-draw-loss, 1 `dtw`, distance to the win (since version 3) |
//! | 123 | 1 | bits an entry: 2 for `wdl`, for `dtw` as many as the largest code needs, 1 to 16 |
//! | 124 | 4 | what the codes mean. `wdl`: `D12-`, draw, first side wins, second side wins, no value. `dtw`: `D12+`, draw, first side wins in 0 plies, second side wins in 0 plies, and so on in turn, with a ply more each time |
//! | 128 | 16 | index scheme, ASCII, padded with zeros |
//! | 144 | 2 | version of the index scheme |
//! | 146 | 2 | order of the symmetry group that the index takes classes under; in `fox-geese` 8 all symmetries, 2 the left-right mirror, 1 the identity alone |
//! | 148 | 4 | zeros |
//! | 152 | 16 | entries: with the first side to move, with the second; also of a side that is not stored |
//! | 168 | 24 | positions (symmetric ones apart), first side to move: won by the first, drawn, won by the second |
//! | 192 | 24 | the same with the second side to move |
//! | 216 | 16 | payload: offset (4096) and length |
//! | 232 | 16 | checks: offset and length |
//! | 248 | 8 | xxh3-64 of the checks |
//! | 256 | 32 | BLAKE3 of the raw payload; in a packed file of the raw payload that unpacking gives back, both sides to move, every value true |
//! | 288 | 32 | generator and its version, ASCII, padded with zeros |
//! | 320 | 1 | packed: sides to move that are stored, 1 first + 2 second |
//! | 321 | 1 | packed: fill, 0 every stored entry holds its value, 1 all but those that the rules settle |
//! | 322 | 1 | packed: content of a frame, 0 one byte an entry, 1 two bits an entry, 2 two planes in the packing order of the index scheme (since version 2), 3 one or two bytes an entry, for `dtw` (since version 3) |
//! | 323 | 1 | packed: zstd level, signed; for information |
//! | 324 | 4 | packed: entries in a block, a power of two from 64 to 2^20 |
//! | 328 | 16 | packed: blocks with the first side to move, with the second; 0 of a side that is not stored |
//! | 344 | 16 | packed: dictionary, offset and length, both 0 if there is none |
//! | 360 | 8 | packed: xxh3-64 of the dictionary, 0 if there is none |
//! | 368 | 8 | `dtw`: the largest codes of the layer, two bytes each, 0 where there is none: with the first side to move won by the first, by the second, with the second side to move won by the first, by the second |
//! | 376 | 3712 | zeros |
//! | 4088 | 8 | xxh3-64 of the 4088 bytes before |
//!
//! The fields marked *packed* are zero in a raw table, those marked `dtw` in one of another metric. A reader refuses a header that breaks any of these rules.
//!
//! # Version history
//!
//! | version | what changed |
//! |---|---|
//! | 1 | the first |
//! | 2 | content 2; whatever does without it is written as version 1 |
//! | 3 | metric `dtw` with content 3; whatever does without them is written as version 1 or 2 |

mod codec;

use anser_core::{Game, LayerIndex, Outcome, Side};
use xxhash_rust::xxh3::xxh3_64;

use crate::codes::{Coding, Longest, largest_code};
use crate::error::Defect;
use crate::frame::Content;
use crate::layout::{Kind, Layout, Metric};
use crate::packed::Packing;

/// The length of a header in bytes.
pub const HEADER_LEN: usize = 4096;
/// The first eight bytes of a table.
pub const SIGNATURE: [u8; 8] = *b"\x89ANSR\r\n\x1a";
/// The newest format version that is written and read here.
pub const FORMAT_VERSION: u16 = 3;

/// Counts of positions: `[side to move][first side wins, draw, second side wins]`, symmetric positions counted apart.
pub type Counts = [[u64; 3]; 2];

/// Where in [`Counts`] an outcome is counted.
pub const fn count_slot(outcome: Outcome) -> usize {
    match outcome {
        Outcome::Win(Side::First) => 0,
        Outcome::Draw => 1,
        Outcome::Win(Side::Second) => 2,
    }
}

/// What a table says of itself. Every value of this type describes a file that can exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    complete: bool,
    game: String,
    rules: String,
    rules_hash: u64,
    layer: u16,
    coding: Coding,
    /// Nothing where values are no distances.
    longest: Longest,
    scheme: String,
    scheme_version: u16,
    symmetries: u16,
    entries: [u64; 2],
    counts: Counts,
    layout: Layout,
    checks_hash: u64,
    payload_digest: [u8; 32],
    generator: String,
    packing: Option<Packing>,
}

impl Header {
    /// The header of a raw win-draw-loss table of `game` that is still to be filled. `generator` names the program and
    /// its version in at most 31 bytes.
    ///
    /// Fails where a name does not fit or the layer does not fit into a file.
    pub fn new_raw<G: Game>(game: &G, layer: u16, index: &G::Index, generator: &str) -> Result<Header, Defect> {
        Header::new(game, layer, index, Coding::WDL, Longest::default(), generator)
    }

    /// The header of a raw table of distances that is still to be filled, in which these are the longest.
    ///
    /// Fails where [`Header::new_raw`] does.
    ///
    /// # Panics
    /// If one of them is more than [`Dtw::LONGEST`](anser_core::Dtw::LONGEST).
    pub fn new_raw_dtw<G: Game>(
        game: &G,
        layer: u16,
        index: &G::Index,
        longest: Longest,
        generator: &str,
    ) -> Result<Header, Defect> {
        Header::new(game, layer, index, Coding::dtw(largest_code(&longest)), longest, generator)
    }

    fn new<G: Game>(
        game: &G,
        layer: u16,
        index: &G::Index,
        coding: Coding,
        longest: Longest,
        generator: &str,
    ) -> Result<Header, Defect> {
        let scheme = index.scheme();
        let entries = Side::BOTH.map(|side| index.len(side));
        let header = Header {
            complete: false,
            game: game.name(),
            rules: game.rules_id(),
            rules_hash: rules_hash(game),
            layer,
            coding,
            longest,
            scheme: scheme.name.to_owned(),
            scheme_version: scheme.version,
            symmetries: scheme.symmetries,
            entries,
            counts: Counts::default(),
            layout: Layout::new(entries, coding.bits, None).ok_or(TOO_LARGE)?,
            checks_hash: 0,
            payload_digest: [0; 32],
            generator: generator.to_owned(),
            packing: None,
        };
        header.check_texts()?;
        Ok(header)
    }

    /// The header of a packed table with the content of the complete raw table that `self` heads. `checks_hash` is the
    /// xxh3-64 of the index of the frames.
    pub fn to_packed(&self, packing: Packing, checks_hash: u64, generator: &str) -> Result<Header, Defect> {
        packing.check(self.metric())?;
        let layout = Layout::new(self.entries, self.coding.bits, Some(&packing)).ok_or(TOO_LARGE)?;
        let generator = generator.to_owned();
        let header = Header { layout, checks_hash, generator, packing: Some(packing), ..self.clone() };
        header.check_texts()?;
        Ok(header)
    }

    /// The header of the raw table, still to be filled, that the packed table which `self` heads unpacks to.
    pub fn to_raw(&self) -> Result<Header, Defect> {
        let layout = Layout::new(self.entries, self.coding.bits, None).ok_or(TOO_LARGE)?;
        Ok(Header { complete: false, layout, packing: None, ..self.clone() })
    }

    /// Marks the table as complete: to be called, and written, when everything else is on disk. `payload_digest` is the
    /// BLAKE3 of the raw payload, `checks_hash` the xxh3-64 of the checks.
    pub fn finish(&mut self, counts: Counts, payload_digest: [u8; 32], checks_hash: u64) {
        (self.counts, self.payload_digest, self.checks_hash) = (counts, payload_digest, checks_hash);
        self.complete = true;
    }

    /// Whether both head the same table, as far as the work on it may be: what [`finish`](Header::finish) fills in, and the
    /// version of the program, may differ.
    pub fn is_same_table(&self, other: &Header) -> bool {
        let mut twin = other.clone();
        (twin.complete, twin.counts, twin.checks_hash) = (self.complete, self.counts, self.checks_hash);
        twin.payload_digest = self.payload_digest;
        twin.generator.clone_from(&self.generator);
        twin == *self
    }

    /// The least format version that knows what is in the file, which is the one that the file has.
    pub fn format_version(&self) -> u16 {
        match self.metric() {
            Metric::Dtw => 3,
            Metric::Wdl if self.packing.as_ref().is_some_and(|packing| packing.content.is_reordered()) => 2,
            Metric::Wdl => 1,
        }
    }

    /// Whether the table is as a table of its kind and metric is written today; packed tables of older versions are larger.
    pub fn is_current(&self) -> bool {
        self.packing.as_ref().is_none_or(|packing| matches!(packing.content, Content::Planes | Content::Distances))
    }

    /// Whether the table is finished. Tables that are not are for the engine that makes them; nothing else opens them.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Raw or packed.
    pub fn kind(&self) -> Kind {
        if self.packing.is_some() { Kind::Packed } else { Kind::Raw }
    }

    /// The game, as on the command line.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The rule set.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// The hash of everything in the rules that values depend on, [`rules_hash`].
    pub fn rules_hash(&self) -> u64 {
        self.rules_hash
    }

    /// The layer.
    pub fn layer(&self) -> u16 {
        self.layer
    }

    /// What the values are.
    pub fn metric(&self) -> Metric {
        self.coding.metric
    }

    /// Bits an entry in the raw payload, 1 to 16: as many words a group of 64 entries has, see `codes.rs`.
    pub fn bits(&self) -> u32 {
        self.coding.bits
    }

    /// The largest code that stands for a value of this table.
    pub fn largest_code(&self) -> u16 {
        self.coding.largest
    }

    /// The plies of the longest wins, if the values are distances.
    pub fn longest(&self) -> Option<Longest> {
        (self.metric() == Metric::Dtw).then_some(self.longest)
    }

    pub(crate) fn coding(&self) -> Coding {
        self.coding
    }

    /// The name of the numbering of positions.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// The version of the numbering of positions.
    pub fn scheme_version(&self) -> u16 {
        self.scheme_version
    }

    /// The order of the symmetry group that classes are taken under.
    pub fn symmetries(&self) -> u16 {
        self.symmetries
    }

    /// The number of entries for each side to move.
    pub fn entries(&self) -> [u64; 2] {
        self.entries
    }

    /// How many positions, symmetric ones counted apart, have which outcome.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Where the parts of the file are.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The xxh3-64 of the checks.
    pub fn checks_hash(&self) -> u64 {
        self.checks_hash
    }

    /// The BLAKE3 of the raw payload, whichever way it is stored: raw and packed tables of the same values agree in it.
    pub fn payload_digest(&self) -> &[u8; 32] {
        &self.payload_digest
    }

    /// The program that wrote the file.
    pub fn generator(&self) -> &str {
        &self.generator
    }

    /// How the table is packed; `None` for a raw one.
    pub fn packing(&self) -> Option<&Packing> {
        self.packing.as_ref()
    }

    /// Checks that this heads a table of `game`'s `layer` with the numbering `index`.
    pub fn check_identity<G: Game>(&self, game: &G, layer: u16, index: &G::Index) -> Result<(), Defect> {
        let scheme = index.scheme();
        let numbering = |name: &str, version: u16, order: u16| format!("{name} {version} under {order} symmetries");
        same("game", &game.name(), &self.game)?;
        same("rule set", &game.rules_id(), &self.rules)?;
        same("meaning of the rule set", &rules_hash(game), &self.rules_hash)?;
        same("layer", &layer, &self.layer)?;
        same(
            "numbering",
            &numbering(scheme.name, scheme.version, scheme.symmetries),
            &numbering(&self.scheme, self.scheme_version, self.symmetries),
        )?;
        for side in Side::BOTH {
            same("number of entries", &index.len(side), &self.entries[side.index()])?;
        }
        Ok(())
    }

    /// Each side's counts must be possible for its number of classes.
    fn check_counts(&self) -> Result<(), Defect> {
        for (counts, entries) in self.counts.into_iter().zip(self.entries) {
            let sum: u128 = counts.into_iter().map(u128::from).sum();
            let classes = u128::from(entries);
            if self.complete && !(classes..=classes * u128::from(self.symmetries)).contains(&sum) {
                return Err(Defect::HeaderInvalid("counts of positions"));
            }
        }
        // Where there is a win there is a longest one.
        let matches = |(counts, longest): (&[u64; 3], &[Option<u16>; 2])| {
            [counts[0], counts[2]].map(|count| count > 0) == longest.map(|plies| plies.is_some())
        };
        if self.complete && self.metric() == Metric::Dtw && !self.counts.iter().zip(&self.longest).all(matches) {
            return Err(Defect::HeaderInvalid("largest codes"));
        }
        Ok(())
    }

    fn check_texts(&self) -> Result<(), Defect> {
        let fits = |text: &str, room: usize| {
            !text.is_empty() && text.len() < room && text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        };
        let texts = [(&self.game, 32), (&self.rules, 64), (&self.scheme, 16), (&self.generator, 32)];
        if texts.into_iter().all(|(text, room)| fits(text, room)) {
            return Ok(());
        }
        Err(Defect::HeaderInvalid("a name that is empty, too long or not printable ASCII"))
    }
}

/// The hash by which a table knows the rules it was solved under: xxh3-64 of [`Game::fingerprint`].
pub fn rules_hash<G: Game>(game: &G) -> u64 {
    xxh3_64(game.fingerprint().as_bytes())
}

const TOO_LARGE: Defect = Defect::HeaderInvalid("sizes");

fn same<T: PartialEq + ToString>(what: &'static str, expected: &T, found: &T) -> Result<(), Defect> {
    if expected == found {
        return Ok(());
    }
    Err(Defect::Mismatch { what, expected: expected.to_string(), found: found.to_string() })
}
