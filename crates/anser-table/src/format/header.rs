//! The header of a table.

mod codec;

use anser_core::hunt::{HuntIndex, LONGEST_TEXT};
use anser_core::{BySide, Hunt, LayerIndex, Outcome, Side};
use xxhash_rust::xxh3::xxh3_64;

use super::codes::{Coding, Longest, largest_code};
use super::layout::Layout;
use super::packing::Packing;
use crate::error::{Defect, Property};
use crate::kinds::{Kind, Metric};

/// Length of a header in bytes.
pub const HEADER_LEN: usize = 4096;
/// The first eight bytes of a table.
pub const SIGNATURE: [u8; 8] = *b"\x89HUNT\r\n\x1a";
/// The first eight bytes of tables that were made before version 0.1.0 of this crate.
const EARLIER_SIGNATURE: [u8; 8] = *b"\x89ANSR\r\n\x1a";
/// The format version that this crate reads and writes.
pub const FORMAT_VERSION: u16 = 1;

/// Counts of positions by side to move and outcome: first side wins, draw, second side wins.
/// Symmetric positions are counted separately.
pub type Counts = BySide<[u64; 3]>;

/// Returns the place of an outcome in [`Counts`].
pub const fn count_slot(outcome: Outcome) -> usize {
    match outcome {
        Outcome::Win(Side::First) => 0,
        Outcome::Draw => 1,
        Outcome::Win(Side::Second) => 2,
    }
}

/// Header of a table file. Every value of this type describes a file that can exist.
///
/// ```
/// use anser_core::Hunt;
/// use anser_table::format::Header;
/// let game = Hunt::default();
/// let header = Header::new_raw(&game, 1, &game.index(1), None, "example 1.0")?;
/// assert_eq!(Header::decode(&header.encode())?, header);
/// assert!(!header.is_complete());
/// # Ok::<(), anser_table::Defect>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    complete: bool,
    game: String,
    rules: String,
    rules_hash: u64,
    layer: u16,
    coding: Coding,
    /// Empty unless the values are distances.
    longest: Longest,
    scheme: String,
    scheme_version: u16,
    symmetries: u16,
    entries: BySide<u64>,
    counts: Counts,
    layout: Layout,
    checks_hash: u64,
    description_hash: u64,
    payload_digest: [u8; 32],
    generator: String,
    packing: Option<Packing>,
}

impl Header {
    /// Creates the header of an unfinished raw table: of distances with these longest wins, or of
    /// outcomes. `generator` names the program and its version in at most 31 bytes of printable
    /// ASCII.
    ///
    /// # Errors
    /// [`Defect::HeaderInvalid`] if a name or the description is too long, or the layer is too
    /// large for a file.
    ///
    /// # Panics
    /// If a longest win is more than [`Dtw::LONGEST`](anser_core::Dtw::LONGEST).
    pub fn new_raw(
        game: &Hunt,
        layer: u16,
        index: &HuntIndex,
        longest: Option<Longest>,
        generator: &str,
    ) -> Result<Header, Defect> {
        let coding = longest.map_or(Coding::WDL, |longest| Coding::dtw(largest_code(&longest)));
        let scheme = index.scheme();
        let entries = BySide::from_fn(|side| index.len(side));
        let description = game.description_text();
        check_description_len(description.len() as u64)?;
        let header = Header {
            complete: false,
            game: game.name().into(),
            rules: game.rules_id().into(),
            rules_hash: rules_hash(game),
            layer,
            coding,
            longest: longest.unwrap_or_default(),
            scheme: scheme.name.to_owned(),
            scheme_version: scheme.version,
            symmetries: scheme.symmetries,
            entries,
            counts: Counts::default(),
            layout: Layout::new(entries, coding.bits, None, description.len() as u64)
                .ok_or(TOO_LARGE)?,
            checks_hash: 0,
            description_hash: xxh3_64(description.as_bytes()),
            payload_digest: [0; 32],
            generator: generator.to_owned(),
            packing: None,
        };
        header.check_texts()?;
        Ok(header)
    }

    /// Converts the header of a complete raw table to that of a packed table with the same values.
    /// `checks_hash` is the xxh3-64 of the index of the frames.
    ///
    /// # Errors
    /// [`Defect::HeaderInvalid`] if the packing is invalid, or `generator` is too long.
    pub fn to_packed(
        &self,
        packing: Packing,
        checks_hash: u64,
        generator: &str,
    ) -> Result<Header, Defect> {
        packing.check()?;
        let layout = self.layout_of(Some(&packing))?;
        let generator = generator.to_owned();
        let header =
            Header { layout, checks_hash, generator, packing: Some(packing), ..self.clone() };
        header.check_texts()?;
        Ok(header)
    }

    /// Converts the header of a packed table to that of the unfinished raw table with the same
    /// values.
    ///
    /// # Errors
    /// [`Defect::HeaderInvalid`] if the raw table is too large for a file.
    pub fn to_raw(&self) -> Result<Header, Defect> {
        let layout = self.layout_of(None)?;
        Ok(Header { complete: false, layout, packing: None, ..self.clone() })
    }

    /// Returns the layout of the table with this packing.
    fn layout_of(&self, packing: Option<&Packing>) -> Result<Layout, Defect> {
        Layout::new(self.entries, self.coding.bits, packing, self.layout.description.len)
            .ok_or(TOO_LARGE)
    }

    /// Marks the table as complete. Write the header when everything else is on disk.
    /// `payload_digest` is the BLAKE3 of the raw payload, `checks_hash` the xxh3-64 of the checks.
    pub fn finish(&mut self, counts: Counts, payload_digest: [u8; 32], checks_hash: u64) {
        (self.counts, self.payload_digest, self.checks_hash) =
            (counts, payload_digest, checks_hash);
        self.complete = true;
    }

    /// Whether the table is finished. Readers reject unfinished tables.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns the kind: raw or packed.
    pub fn kind(&self) -> Kind {
        if self.packing.is_some() { Kind::Packed } else { Kind::Raw }
    }

    /// Returns the name of the game.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Returns the id of the rule set.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// Returns the [`rules_hash`] of the game.
    pub fn rules_hash(&self) -> u64 {
        self.rules_hash
    }

    /// Returns the layer.
    pub fn layer(&self) -> u16 {
        self.layer
    }

    /// Returns the metric of the values.
    pub fn metric(&self) -> Metric {
        self.coding.metric
    }

    /// Returns the bits per entry of the raw payload, 1 to 16: the number of words of a group of 64
    /// entries.
    pub fn bits(&self) -> u32 {
        self.coding.bits
    }

    /// Returns the largest code of a value of this table.
    pub fn largest_code(&self) -> u16 {
        self.coding.largest
    }

    /// Returns the plies of the longest wins, if the values are distances.
    pub fn longest(&self) -> Option<Longest> {
        self.metric().has_distances().then_some(self.longest)
    }

    pub(crate) fn coding(&self) -> Coding {
        self.coding
    }

    /// Returns the name of the index scheme.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// Returns the version of the index scheme.
    pub fn scheme_version(&self) -> u16 {
        self.scheme_version
    }

    /// Returns the order of the symmetry group of the index.
    pub fn symmetries(&self) -> u16 {
        self.symmetries
    }

    /// Returns the number of entries for each side to move.
    pub fn entries(&self) -> BySide<u64> {
        self.entries
    }

    /// Returns the number of positions by outcome, symmetric ones counted separately.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Returns the places of the parts of the file.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the xxh3-64 of the checks.
    pub fn checks_hash(&self) -> u64 {
        self.checks_hash
    }

    /// Returns the xxh3-64 of the game's description.
    pub fn description_hash(&self) -> u64 {
        self.description_hash
    }

    /// Returns the BLAKE3 of the raw payload; raw and packed tables of the same values have the
    /// same.
    pub fn payload_digest(&self) -> &[u8; 32] {
        &self.payload_digest
    }

    /// Returns the program that wrote the file.
    pub fn generator(&self) -> &str {
        &self.generator
    }

    /// Returns the parameters of a packed table; `None` for a raw one.
    pub fn packing(&self) -> Option<&Packing> {
        self.packing.as_ref()
    }

    /// Checks that this is the header of a table of `layer` of `game` with the index `index`.
    ///
    /// # Errors
    /// [`Defect::Mismatch`] with the first property that differs.
    pub fn check_identity(&self, game: &Hunt, layer: u16, index: &HuntIndex) -> Result<(), Defect> {
        let scheme = index.scheme();
        let index_text = |name: &str, version: u16, order: u16| {
            format!("{name} {version} under {order} symmetries")
        };
        self.check_game(game)?;
        Property::Layer.check(&layer, &self.layer)?;
        Property::Index.check(
            &index_text(scheme.name, scheme.version, scheme.symmetries),
            &index_text(&self.scheme, self.scheme_version, self.symmetries),
        )?;
        for side in Side::BOTH {
            Property::Entries.check(&index.len(side), &self.entries[side])?;
        }
        Ok(())
    }

    /// Checks that this is the header of a table of `game`.
    pub(crate) fn check_game(&self, game: &Hunt) -> Result<(), Defect> {
        Property::Game.check(game.name(), &*self.game)?;
        Property::RuleSet.check(game.rules_id(), &*self.rules)?;
        Property::Rules.check(&rules_hash(game), &self.rules_hash)
    }

    /// Checks that the counts of each side are possible for its number of classes.
    fn check_counts(&self) -> Result<(), Defect> {
        for side in Side::BOTH {
            let sum: u128 = self.counts[side].into_iter().map(u128::from).sum();
            let classes = u128::from(self.entries[side]);
            // The general numbering has entries that are no position's.
            let least = if self.scheme == "hunt" { 0 } else { classes };
            if self.complete && !(least..=classes * u128::from(self.symmetries)).contains(&sum) {
                return Err(Defect::HeaderInvalid("counts of positions"));
            }
        }
        // A side that wins at all has a longest win.
        let matches = |(to_move, longest): (Side, &BySide<Option<u16>>)| {
            let wins = |winner| self.counts[to_move][count_slot(Outcome::Win(winner))] > 0;
            longest.iter().all(|(winner, plies)| wins(winner) == plies.is_some())
        };
        if self.complete && self.metric().has_distances() && !self.longest.iter().all(matches) {
            return Err(Defect::HeaderInvalid("largest codes"));
        }
        Ok(())
    }

    fn check_texts(&self) -> Result<(), Defect> {
        let fits = |text: &str, room: usize| {
            !text.is_empty()
                && text.len() < room
                && text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        };
        let texts =
            [(&self.game, 32), (&self.rules, 64), (&self.scheme, 16), (&self.generator, 32)];
        if texts.into_iter().all(|(text, room)| fits(text, room)) {
            return Ok(());
        }
        Err(Defect::HeaderInvalid("a name that is empty, too long, or not printable ASCII"))
    }
}

/// Returns the hash by which a table identifies its rules: the xxh3-64 of
/// [`Hunt::fingerprint`](anser_core::Hunt::fingerprint).
pub fn rules_hash(game: &Hunt) -> u64 {
    xxh3_64(game.fingerprint().as_bytes())
}

fn check_description_len(len: u64) -> Result<(), Defect> {
    if len > LONGEST_TEXT as u64 {
        return Err(Defect::HeaderInvalid("a description that is too long"));
    }
    Ok(())
}

const TOO_LARGE: Defect = Defect::HeaderInvalid("sizes");
