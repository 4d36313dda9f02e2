//! Memory needs of a layer.

use anser_core::fox_geese::{Cross, CrossIndex, FEWEST_GEESE, Point};
use anser_core::{LayerIndex, Side};
use anser_table::Metric;
use anser_table::format::payload_len;

use super::fixpoint::WORDS_PER_CHANGE;
use super::moves;
use super::shape::Shape;
use crate::engines::engine::{Needs, Spilled};

/// Maximum number of fields in use at the same time, without masks, if classes are processed one
/// after the other: the fox to move in both orientations, and the geese to move in the at most four
/// classes that its steps lead to. Folding in captures uses no more.
const HOT_FIELDS: u64 = 6;

/// Buffers per thread, in blocks: eight for an orbit, and four to transpose it.
const BLOCKS_PER_THREAD: u64 = 12;

/// Memory that does not depend on the size of a layer, in bytes: the program, and the tables of the
/// game and of the orders.
const FIXED_BYTES: u64 = 12 << 20;

/// Number of planes that the rounds of a layer are taken to need before it is solved: distances of
/// up to 254 plies.
const ROUND_PLANES: u64 = 7;

/// Planes of the codes of one side to move beside those of the rounds: one tells the winner, and
/// one whether there is a winner.
const OTHER_PLANES: u64 = 2;

/// A layer whose needs are asked for.
struct Sizes<'a> {
    game: &'a Cross,
    layer: u16,
    /// Points of the fox, one per class.
    points: Vec<Point>,
    /// Number of classes of the fox.
    classes: u64,
    /// Size of one field.
    field: u64,
    /// Number of masks per class: fields that hold captures. Compulsory captures need a second one.
    masks: u64,
    /// Maximum size of the deltas of a pass. A change takes two words.
    deltas: u64,
}

/// Returns the needs of a layer that is solved for `metric`.
pub(super) fn of_layer(metric: Metric, game: &Cross, layer: u16, index: &CrossIndex) -> Needs {
    let entries = Side::BOTH.map(|side| index.len(side));
    if usize::from(layer) < FEWEST_GEESE {
        return Needs { memory: 2 * entries.iter().sum::<u64>(), ..Needs::default() };
    }
    let sizes = Sizes::new(game, layer, index);
    let (fields, writing, hot, checkpoint) = match metric {
        Metric::Wdl => {
            // Those of the class that is being written; no class has more than a quarter of them.
            let writing = payload_len(entries) / if sizes.classes > 7 { 16 } else { 4 };
            // A checkpoint holds half of the table, which exists beside the last two.
            let checkpoint = payload_len(entries);
            (sizes.of_outcomes(), writing, HOT_FIELDS + sizes.masks, checkpoint)
        }
        Metric::Dtw => (sizes.of_distances(), 0, HOT_FIELDS + 2 + 2 * ROUND_PLANES, sizes.codes()),
    };
    Needs {
        memory: fields + writing + sizes.always(),
        spilled: Some(sizes.spilled(hot, fields)),
        checkpoint,
        traffic: None,
    }
}

/// Returns the size of one field of a layer, in bytes.
fn field_of(layer: u16) -> u64 {
    8 * Shape::new(usize::from(layer)).words as u64
}

impl Sizes<'_> {
    fn new<'a>(game: &'a Cross, layer: u16, index: &CrossIndex) -> Sizes<'a> {
        let points: Vec<Point> = index.representatives().collect();
        let (field, classes) = (field_of(layer), points.len() as u64);
        let masks = if game.compulsory { 2 } else { 1 };
        let deltas = classes * field * 2 / WORDS_PER_CHANGE;
        Sizes { game, layer, points, classes, field, masks, deltas }
    }

    /// Returns the size of the fields that the rounds use: the fox to move in both orientations,
    /// the masks, and the geese to move as far as it is read.
    fn of_rounds(&self) -> u64 {
        let Sizes { game, points, classes, field, masks, .. } = self;
        (classes * (2 + masks) + moves::reads(game, points)) * field
    }

    /// Returns the maximum total size of the fields that exist at the same time if outcomes are
    /// computed.
    fn of_outcomes(&self) -> u64 {
        let Sizes { game, layer, classes, masks, .. } = *self;
        let lower = match (game.first_capture, game.chain) {
            (true, _) => layer..layer,
            (false, false) => layer - 1..layer,
            (false, true) => FEWEST_GEESE as u16..layer,
        };
        let folding = lower.map(|lower| {
            // The lower layer with its masks, one plane of its table, and a few fields for the
            // layer above it.
            let plane = game.index(lower).len(Side::Second) / 8;
            let kept = if game.chain { 1 + masks } else { 1 };
            classes * kept * field_of(lower)
                + plane
                + 4 * field_of(lower)
                + (classes + 2) * field_of(lower + 1)
        });
        self.of_rounds().max(folding.max().unwrap_or(0))
    }

    /// Returns the size of the recorded codes: one block of each orbit. Blocks that are images of
    /// themselves are kept whole, which is less than an eighth more.
    fn codes(&self) -> u64 {
        let fixing = |point: Point| {
            let symmetry = self.game.symmetry();
            symmetry.members().filter(|&s| point.image(s) == point).count() as u64
        };
        let recorded: u64 = self.points.iter().map(|&point| self.field / fixing(point)).sum();
        recorded * 9 / 8 * 2 * (ROUND_PLANES + OTHER_PLANES)
    }

    /// Returns the maximum total size of fields and recorded codes that exist at the same time if
    /// distances are computed.
    fn of_distances(&self) -> u64 {
        let Sizes { game, layer, classes, field, .. } = *self;
        let codes = self.codes();
        let released = !game.first_capture && usize::from(layer) > FEWEST_GEESE;
        let releases = if released { (ROUND_PLANES + 1) * classes * field } else { 0 };
        // A field of ones as well.
        let rounds = self.of_rounds() + field + releases + codes;
        let writing = codes + (ROUND_PLANES + OTHER_PLANES + 2) * field;
        let folding = if released {
            // The numbers of the lower layer, those of the captures, and those of two jumps.
            let lower = field_of(layer - 1);
            (ROUND_PLANES + 1) * (classes * (lower + field) + 3 * field) + 4 * field
        } else {
            0
        };
        rounds.max(writing).max(folding)
    }

    /// Returns the memory beside the fields.
    fn always(&self) -> u64 {
        let blocks = Shape::new(usize::from(self.layer)).blocks;
        let largest = blocks.iter().map(|block| block.len() as u64 * 8).max().unwrap_or(0);
        let threads = rayon::current_num_threads() as u64 * BLOCKS_PER_THREAD * largest;
        FIXED_BYTES + threads + self.deltas
    }

    /// Returns the needs with `scratch` bytes of fields in scratch files and `hot` fields at work
    /// at the same time. With less memory, a pass would read every file several times.
    fn spilled(&self, hot: u64, scratch: u64) -> Spilled {
        Spilled { memory: self.always() + hot * self.field, scratch }
    }
}
