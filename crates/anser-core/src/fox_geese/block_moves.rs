//! Moves of Fox-and-Geese by blocks of the index: one outer word, all inner words.
//!
//! A kind of move, *a goose from c3 to c4*, *the fox from e5 to e4 with a goose on d4*, is a
//! [`Change`]: bits of the halves that must be set, bits that must be clear, and bits that change.
//! The outer part of a change is the same for a whole block: it decides whether the block has the
//! move, and to which outer word it leads, hence to which block and under which symmetry. The inner
//! part is a list of places, the same for all blocks with the same number of inner geese.
//!
//! Few blocks have an outer word that more than the identity fixes. Their moves are not listed.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use crate::blocks::{BlockMoves, Moves, Places, Target};
use crate::fox_geese::index::Block;
use crate::fox_geese::orbits::{Halves, inner_orbits};
use crate::fox_geese::{Cross, CrossIndex, FEWEST_GEESE, Point};
use crate::{Outcome, Side, Symmetry};

/// The kinds of moves, as [`CrossMoves`] has them in order.
const GOOSE_STEPS: usize = 0;
const FOX_STEPS: usize = 1;
const CAPTURES: usize = 2;

/// The tables of the module.
pub(crate) struct CrossMoves<'a> {
    game: Cross,
    index: &'a CrossIndex,
    /// The index of the layer that a single capture leads to, where captures are listed.
    lower: Option<CrossIndex>,
    geese: usize,
    /// By fox class: the changes by geese, by steps of the fox, and by captures.
    changes: Vec<[Vec<Change>; 3]>,
    /// By the number of a list and the number of inner geese.
    lists: Vec<[OnceLock<Vec<[u16; 2]>>; 17]>,
    /// The conditions of the lists, and the inner bits that change.
    conditions: Vec<[u16; 3]>,
}

/// A kind of move from one fox point, in bits of the halves.
struct Change {
    /// Bits of outer points that must be set, must be clear, and that change.
    outer: [u16; 3],
    /// The list of the inner part; `None` if it has no conditions and no changes.
    list: Option<usize>,
    /// The change in the number of inner geese.
    inner_gain: isize,
    /// The fox class afterwards, and a symmetry that takes the fox to its representative.
    class: usize,
    symmetry: Symmetry,
}

impl<'a> CrossMoves<'a> {
    pub(crate) fn new(game: Cross, index: &'a CrossIndex, layer: u16) -> CrossMoves<'a> {
        let listed = !game.first_capture && !game.chain && usize::from(layer) > FEWEST_GEESE;
        let mut moves = CrossMoves {
            game,
            index,
            lower: listed.then(|| game.index(layer - 1)),
            geese: usize::from(layer),
            changes: Vec::new(),
            lists: Vec::new(),
            conditions: Vec::new(),
        };
        let mut numbers = HashMap::new();
        moves.changes = index
            .representatives()
            .map(|fox| {
                let kinds = [goose_steps(game, fox), fox_steps(game, fox), captures(game, fox)];
                kinds.map(|kind| {
                    kind.into_iter().map(|parts| moves.change(&parts, &mut numbers)).collect()
                })
            })
            .collect();
        moves
    }

    fn change(&mut self, parts: &Parts, numbers: &mut HashMap<[u16; 3], usize>) -> Change {
        let &Parts { set, clear, flip, fox } = parts;
        let [set, clear, flip] = [set, clear, flip].map(|bits| (bits as u16, (bits >> 16) as u16));
        let inner = [set.1, clear.1, flip.1];
        let list = (inner != [0; 3]).then(|| {
            *numbers.entry(inner).or_insert_with(|| {
                self.conditions.push(inner);
                self.lists.push([const { OnceLock::new() }; 17]);
                self.lists.len() - 1
            })
        });
        let gone = (flip.1 & set.1).count_ones() as isize;
        let (class, symmetry) = self.index.foxes[fox.number()];
        let outer = [set.0, clear.0, flip.0];
        Change { outer, list, inner_gain: flip.1.count_ones() as isize - 2 * gone, class, symmetry }
    }

    /// Returns the places of a change in blocks with this number of inner geese, each with the
    /// place of the changed inner word among those with its number of geese.
    fn places(&self, change: &Change, inner_geese: usize) -> Places<'_> {
        let Some(list) = change.list else { return Places::All };
        Places::Some(self.lists[list][inner_geese].get_or_init(|| {
            let orbits = inner_orbits(0);
            let [set, clear, flip] = self.conditions[list];
            let words = (0..).zip(&orbits.canonical[inner_geese]);
            words
                .filter(|&(_, word)| word & set == set && word & clear == 0)
                .map(|(place, word)| [place, orbits.rank[usize::from(word ^ flip)]])
                .collect()
        }))
    }

    /// Visits the results of the changes of a kind in `index`, the index of `layer`.
    fn visit_moves(
        &self,
        block: &Block,
        kind: usize,
        (layer, index): (usize, &CrossIndex),
        visit: &mut dyn FnMut(Moves<'_>),
    ) {
        self.visit_changes(block, kind, &mut |change, places, inner_geese| {
            let moved =
                Halves::new(block.outer ^ change.outer[2], 0).image(change.symmetry).outer();
            let (to_canonical, subgroup, ranks) = index.block_of(change.class, moved);
            let symmetry = change.symmetry.then(to_canonical);
            let trivial = symmetry == Symmetry::IDENTITY && subgroup == 0;
            let places_after =
                (!trivial).then(|| &image_places(symmetry, subgroup)[inner_geese][..]);
            let (start, len) = (ranks.start, (ranks.end - ranks.start) as usize);
            visit(Moves::To(
                places,
                Target { layer: layer as u16, start, len, places: places_after },
            ));
        });
    }

    /// Visits the changes of a kind that a block has, with their places and the number of inner
    /// geese afterwards.
    fn visit_changes(
        &self,
        block: &Block,
        kind: usize,
        visit: &mut dyn FnMut(&Change, Places<'_>, usize),
    ) {
        let inner_geese = self.geese - block.outer.count_ones() as usize;
        for change in &self.changes[block.class][kind] {
            let [set, clear, _] = change.outer;
            if block.outer & set != set || block.outer & clear != 0 {
                continue;
            }
            let places = self.places(change, inner_geese);
            if !matches!(places, Places::Some([])) {
                visit(change, places, inner_geese.saturating_add_signed(change.inner_gain));
            }
        }
    }

    fn visit_captures(&self, block: &Block, visit: &mut dyn FnMut(Moves<'_>)) {
        if self.game.compulsory {
            self.visit_changes(block, CAPTURES, &mut |_, places, _| visit(Moves::Only(places)));
        }
        if self.game.first_capture || self.geese <= FEWEST_GEESE {
            let won = Outcome::Win(Side::First);
            self.visit_changes(block, CAPTURES, &mut |_, places, _| visit(Moves::End(places, won)));
        } else if let Some(lower) = &self.lower {
            self.visit_moves(block, CAPTURES, (self.geese - 1, lower), visit);
        } else {
            self.visit_changes(block, CAPTURES, &mut |_, places, _| visit(Moves::Unlisted(places)));
        }
    }
}

impl BlockMoves for CrossMoves<'_> {
    fn block(&self, rank: u64) -> Range<u64> {
        self.index.block(rank).ranks
    }

    fn below(&self) -> Vec<(u16, Side)> {
        self.lower.iter().map(|_| (self.geese as u16 - 1, Side::Second)).collect()
    }

    fn visit(&self, side: Side, start: u64, visit: &mut dyn FnMut(Moves<'_>)) {
        let block = self.index.block(start);
        let here = (self.geese, self.index);
        if block.subgroup > 0 {
            return visit(Moves::Unlisted(Places::All));
        }
        match side {
            // The geese have no move, so they have lost.
            Side::First if self.geese < FEWEST_GEESE => {
                visit(Moves::Over(Places::All, Outcome::Win(Side::First)));
            }
            Side::Second if self.geese < FEWEST_GEESE => {}
            Side::First => {
                self.visit_moves(&block, FOX_STEPS, here, visit);
                self.visit_captures(&block, visit);
            }
            Side::Second => self.visit_moves(&block, GOOSE_STEPS, here, visit),
        }
    }
}

/// A kind of move in bits of the halves as they are before it, outer ones in the low half.
struct Parts {
    set: u32,
    clear: u32,
    flip: u32,
    /// The point of the fox afterwards.
    fox: Point,
}

fn goose_steps(game: Cross, fox: Point) -> Vec<Parts> {
    let bit = |point: Point| Halves::of(point.bit(), fox).bits();
    let mut all = Vec::new();
    for from in Point::all().filter(|&from| from != fox) {
        for to in game.goose_steps(from, false).filter(|&to| to != fox) {
            all.push(Parts { set: bit(from), clear: bit(to), flip: bit(from) | bit(to), fox });
        }
    }
    all
}

fn fox_steps(game: Cross, fox: Point) -> Vec<Parts> {
    let clear = |to: Point| Halves::of(to.bit(), fox).bits();
    let steps = game.neighbors(fox).map(|to| Parts { set: 0, clear: clear(to), flip: 0, fox: to });
    steps.flat_map(|parts| with_goose_on_d4(fox, parts)).collect()
}

fn captures(game: Cross, fox: Point) -> Vec<Parts> {
    let bit = |point: Point| Halves::of(point.bit(), fox).bits();
    let jumps = game.jumps(fox).into_iter();
    let parts =
        jumps.map(|[over, to]| Parts { set: bit(over), clear: bit(to), flip: bit(over), fox: to });
    parts.flat_map(|parts| with_goose_on_d4(fox, parts)).collect()
}

/// A move of the fox takes the bit that stands for d4 to another place, so a goose there makes it
/// another kind of move.
fn with_goose_on_d4(fox: Point, parts: Parts) -> Vec<Parts> {
    let Parts { set, clear, flip, fox: to } = parts;
    let bit = |point: Point| Halves::of(point.bit(), fox).bits();
    // Not for moves from or onto d4, and not if the goose on d4 is captured.
    if fox == Point::CENTER || to == Point::CENTER || set & bit(Point::CENTER) != 0 {
        return vec![parts];
    }
    let d4 = bit(Point::CENTER);
    let moved = Parts { set: set | d4, clear, flip: flip | d4 | bit(to), fox: to };
    vec![Parts { set, clear: clear | d4, flip, fox: to }, moved]
}

/// By number of inner geese and place of an inner word: the place, among the classes under a
/// subgroup, of its image.
fn image_places(symmetry: Symmetry, subgroup: usize) -> &'static [Vec<u16>] {
    static TABLES: [[OnceLock<Vec<Vec<u16>>>; 10]; 8] =
        [const { [const { OnceLock::new() }; 10] }; 8];
    TABLES[usize::from(symmetry.code())][subgroup].get_or_init(|| {
        let after = |&word: &u16| {
            let image = Halves::new(0, word).image(symmetry).inner();
            inner_orbits(subgroup).rank[usize::from(image)]
        };
        inner_orbits(0).canonical.iter().map(|words| words.iter().map(after).collect()).collect()
    })
}
