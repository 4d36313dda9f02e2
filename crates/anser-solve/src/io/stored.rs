//! Values that tables store, by metric: their representation in memory and in a raw payload.

use std::ops::Range;

use anser_core::hunt::Position;
use anser_core::{BySide, Dtw, LayerIndex, Outcome, Side, Value};
use anser_retrograde::parallel;
use anser_table::format::{
    ENTRIES_PER_PAIR, NO_VALUE, code_of, contract_codes, count_slot, expand_codes, get, outcome_of,
    pairs, set,
};
use anser_table::{ProbeError, Table, TableError, Tablebase};

/// A value that the tables of a metric store: [`Outcome`] or [`Dtw`].
///
/// Verifying, packing, and unpacking are generic over this trait. Each chooses the type in one
/// `match` on the metric that has no wildcard arm, so the inner loops are compiled once per metric.
pub(crate) trait Stored: Copy + Into<Value> + Send + Sync {
    /// Unit of memory for the values of a layer.
    type Word: Copy + Default + PartialEq + Send + Sync;

    /// Returns the number of words of `entries` entries. Every multiple of 64 entries is whole
    /// words.
    fn words(entries: u64) -> usize;

    /// Returns the value of an entry; `None` if its code is not a value.
    fn get(words: &[Self::Word], entry: u64) -> Option<Self>;

    /// Sets the value of an entry; `None` gives it a code that is not a value.
    fn set(words: &mut [Self::Word], entry: u64, value: Option<Self>);

    /// Converts distances, given as codes.
    fn of_distances(codes: &[u16]) -> Vec<Self::Word>;

    /// Fills `words` with the values from rank `first` on, a multiple of 64. Returns false if the
    /// table does not store them.
    fn read(
        table: &Table,
        side: Side,
        first: u64,
        words: &mut [Self::Word],
    ) -> Result<bool, TableError>;

    /// Converts words to the groups of `bits` words of a raw payload.
    fn into_groups(words: Vec<Self::Word>, bits: u32) -> Vec<u64>;

    /// Converts the groups of `bits` words of a raw payload.
    fn of_groups(groups: Vec<u64>, bits: u32) -> Vec<Self::Word>;

    /// Counts the entries of words by outcome and finds their longest wins.
    fn tally(words: &[Self::Word], entries: u64) -> Summary;

    /// Returns the value of a position from a tablebase.
    fn probe(tables: &Tablebase, position: &Position) -> Result<Self, ProbeError>;

    /// Returns the value of a position in which the game is over.
    fn ended(outcome: Outcome) -> Self;

    /// Returns the value of a position whose best move leads to this one; `None` if no code stores
    /// it.
    fn before(self) -> Option<Self>;

    /// Returns the score for `side`: the higher the better.
    fn score(self, side: Side) -> i32;

    /// Whether no position with `side` to move has a better value, unless the game is over there.
    fn is_best(self, side: Side) -> bool;
}

/// Outcomes have the same representation in memory as in a raw payload: pairs of words, two bits
/// per entry.
impl Stored for Outcome {
    type Word = u64;

    fn words(entries: u64) -> usize {
        2 * pairs(entries) as usize
    }

    #[inline]
    fn get(words: &[u64], entry: u64) -> Option<Outcome> {
        outcome_of(get(words, entry))
    }

    #[inline]
    fn set(words: &mut [u64], entry: u64, value: Option<Outcome>) {
        set(words, entry, value.map_or(NO_VALUE, code_of));
    }

    fn of_distances(codes: &[u16]) -> Vec<u64> {
        let outcome = |code: u16| code_of(Dtw::from_code(code).map_or(Outcome::Draw, Dtw::outcome));
        contract_codes(&codes.iter().map(|&code| outcome(code).into()).collect::<Vec<u16>>(), 2)
    }

    fn read(table: &Table, side: Side, first: u64, words: &mut [u64]) -> Result<bool, TableError> {
        table.read_pairs(side, first / ENTRIES_PER_PAIR, words)
    }

    fn into_groups(words: Vec<u64>, _: u32) -> Vec<u64> {
        words
    }

    fn of_groups(groups: Vec<u64>, _: u32) -> Vec<u64> {
        groups
    }

    fn tally(words: &[u64], entries: u64) -> Summary {
        let ones = |plane: usize| {
            words.iter().skip(plane).step_by(2).map(|word| u64::from(word.count_ones())).sum()
        };
        let (first, second): (u64, u64) = (ones(0), ones(1));
        Summary { counts: [first, entries - first - second, second], longest: BySide::default() }
    }

    fn probe(tables: &Tablebase, position: &Position) -> Result<Outcome, ProbeError> {
        tables.probe_outcome(position)
    }

    fn ended(outcome: Outcome) -> Outcome {
        outcome
    }

    #[inline]
    fn before(self) -> Option<Outcome> {
        Some(self)
    }

    #[inline]
    fn score(self, side: Side) -> i32 {
        Outcome::score(self, side)
    }

    #[inline]
    fn is_best(self, side: Side) -> bool {
        self == Outcome::Win(side)
    }
}

/// Distances are codes of 16 bits in memory, whatever the width of the payload, so that the lookup
/// of a successor is one load.
impl Stored for Dtw {
    type Word = u16;

    fn words(entries: u64) -> usize {
        entries as usize
    }

    #[inline]
    fn get(words: &[u16], entry: u64) -> Option<Dtw> {
        Dtw::from_code(words[entry as usize])
    }

    #[inline]
    fn set(words: &mut [u16], entry: u64, value: Option<Dtw>) {
        words[entry as usize] = value.map_or(u16::MAX, Dtw::code);
    }

    fn of_distances(codes: &[u16]) -> Vec<u16> {
        codes.to_vec()
    }

    fn read(table: &Table, side: Side, first: u64, words: &mut [u16]) -> Result<bool, TableError> {
        table.read_codes(side, first, words)
    }

    fn into_groups(words: Vec<u16>, bits: u32) -> Vec<u64> {
        contract_codes(&words, bits)
    }

    fn of_groups(groups: Vec<u64>, bits: u32) -> Vec<u16> {
        /// Number of groups that a thread converts at a time.
        const GROUPS: usize = 1 << 10;
        let bits = bits as usize;
        let mut codes = vec![0; groups.len() / bits * ENTRIES_PER_PAIR as usize];
        let chunks = codes.chunks_mut(GROUPS * ENTRIES_PER_PAIR as usize);
        parallel::for_each(chunks.zip(groups.chunks(GROUPS * bits)), &|(codes, groups)| {
            expand_codes(groups, bits as u32, codes);
        });
        codes
    }

    fn tally(words: &[u16], _: u64) -> Summary {
        /// Codes whose numbers fit into 16 bits, so that several are counted at once.
        const TOGETHER: usize = 1 << 12;
        let mut summary = Summary::default();
        // By winner: the largest code. Odd ones are wins of the first side.
        let mut largest = [0u16; 2];
        for codes in words.chunks(TOGETHER) {
            let (mut odd, mut drawn) = (0, 0);
            for &code in codes {
                // An entry without a value counts as a draw.
                let code = if code == u16::MAX { Dtw::DRAW.code() } else { code };
                let is_odd = code & 1;
                odd += is_odd;
                drawn += u16::from(code == Dtw::DRAW.code());
                largest[0] = largest[0].max(code & is_odd.wrapping_neg());
                largest[1] = largest[1].max(code & is_odd.wrapping_sub(1));
            }
            let [odd, drawn] = [odd, drawn].map(u64::from);
            let won = [Side::First, Side::Second].map(Outcome::Win);
            let counts =
                [(Outcome::Draw, drawn), (won[0], odd), (won[1], codes.len() as u64 - odd - drawn)];
            for (outcome, count) in counts {
                summary.counts[count_slot(outcome)] += count;
            }
        }
        let plies = |code: u16| Dtw::from_code(code).and_then(Dtw::plies);
        summary.longest = BySide::from(largest.map(plies));
        summary
    }

    fn probe(tables: &Tablebase, position: &Position) -> Result<Dtw, ProbeError> {
        tables.probe_distance(position)
    }

    fn ended(outcome: Outcome) -> Dtw {
        Dtw::ended(outcome)
    }

    fn before(self) -> Option<Dtw> {
        (self.plies() != Some(Dtw::LONGEST)).then(|| Dtw::before(self))
    }

    fn score(self, side: Side) -> i32 {
        Dtw::score(self, side)
    }

    fn is_best(self, side: Side) -> bool {
        self == Dtw::win(side, 1)
    }
}

/// Summary of the values with one side to move, as in a header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// Positions by outcome, symmetric ones counted separately; [`count_slot`] is the place of an
    /// outcome.
    pub(crate) counts: [u64; 3],
    /// Plies of the longest win of each side; `None` if there is none, or only outcomes are known.
    pub(crate) longest: BySide<Option<u16>>,
}

impl Summary {
    /// Summarizes the values of the classes `ranks`. `words` begins with the value of the first
    /// rank.
    pub(crate) fn of<V: Stored>(
        index: &impl LayerIndex,
        side: Side,
        ranks: Range<u64>,
        words: &[V::Word],
    ) -> Summary {
        let symmetries = u64::from(index.scheme().symmetries);
        let entries = ranks.end - ranks.start;
        let mut summary = V::tally(words, entries);
        // Nearly every class has as many positions as there are symmetries. The others are
        // corrected.
        summary.counts = summary.counts.map(|classes| classes * symmetries);
        let (first, mut all_are_positions) = (ranks.start, true);
        index.visit_shares(side, ranks.clone(), |rank, share| {
            let outcome =
                V::get(words, rank - first).map_or(Outcome::Draw, |value| value.into().outcome);
            summary.counts[count_slot(outcome)] -= symmetries - share;
            all_are_positions &= share > 0;
        });
        // Entries that are no position have values that mean nothing.
        if !all_are_positions && summary.longest != BySide::default() {
            let mut of_positions = words.to_vec();
            index.visit_shares(side, ranks, |rank, share| {
                if share == 0 {
                    V::set(&mut of_positions, rank - first, None);
                }
            });
            summary.longest = V::tally(&of_positions, entries).longest;
        }
        summary
    }

    /// Returns the summary of the values of both.
    #[must_use]
    pub(crate) fn merge(self, other: Summary) -> Summary {
        let counts = [0, 1, 2].map(|slot| self.counts[slot] + other.counts[slot]);
        let longest = BySide::from_fn(|winner| self.longest[winner].max(other.longest[winner]));
        Summary { counts, longest }
    }
}
