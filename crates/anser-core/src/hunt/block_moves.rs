//! Moves of any hunt by blocks of the general numbering: all sets of the many that agree in the
//! *high* points.
//!
//! The points below some number are *low*, the others high. No symmetry maps a low point to a high
//! one, so the image of a block is a block. Sets of the many are numbered in ascending order, so a
//! block is a run of consecutive ranks, in the order of the low parts. A kind of move, *a goat from
//! a2 to b2*, is a [`Change`]: its high part decides whether the block has the move, and to which
//! block it leads; its low part is a list of places, the same for all blocks with as many low
//! points beside the same low points of the few.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use crate::blocks::{BlockMoves, LONGEST_BLOCK, Moves, Places, Target};
use crate::hunt::checked::Checked;
use crate::hunt::few_orbits::{FewOrbit, binomial};
use crate::hunt::numbering::GeneralIndex;
use crate::hunt::{Condition, Description, EndRule, Hunt, Layering, PointSet};
use crate::{Outcome, Side};

/// Most changes of a layer, for all arrangements of the few: some hundred megabytes.
const MOST_CHANGES: usize = 1 << 21;

/// Most jumps of a chain that is listed. Positions with longer chains are left to the caller.
const LISTED_JUMPS: u8 = 5;

/// The tables of the module.
pub(super) struct HuntBlocks<'a> {
    checked: &'a Checked,
    index: &'a GeneralIndex,
    layer: u16,
    /// Number of low points.
    low: usize,
    /// By side to move and number of the orbit of the few: the steps and placements.
    moves: [Vec<Vec<Change>>; 2],
    /// By number of the orbit of the few: the jumps, and the chains of jumps.
    jumps: Vec<Vec<Change>>,
    /// By number of captured pieces, from one on: the layer or end that jumps lead to. Chains of
    /// more jumps are not listed.
    jumps_lead: Vec<Lead>,
    /// By side: the layer that its placements lead to.
    placed: [Option<(u16, GeneralIndex)>; 2],
    lists: Lists,
}

/// Layer or end that captures lead to.
enum Lead {
    /// The moves are not listed.
    Unlisted,
    End(Outcome),
    Layer(u16, Box<GeneralIndex>),
}

/// A kind of move.
struct Change {
    /// Points that the set must have, must not have, and that change.
    has: PointSet,
    lacks: PointSet,
    flip: PointSet,
    /// The orbit of the few afterwards, and the symmetry that takes the few to its representative.
    orbit: usize,
    symmetry: u8,
    /// The number of its lists.
    list: usize,
}

/// The places of a change in a block, each with the place after it; `None` for all.
type Listed = Option<Vec<[u16; 2]>>;

/// Lists of places by the low parts of changes.
#[derive(Default)]
struct Lists {
    /// By low points of the few.
    sets: HashMap<u128, LowSets>,
    numbers: HashMap<Low, usize>,
    /// By number of the list: the low part, and the places by number of low points.
    by_number: Vec<(Low, Vec<OnceLock<Listed>>)>,
}

/// The low part of a change, and the low points of the few before and after it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Low {
    few: [u128; 2],
    has: u128,
    lacks: u128,
    flip: u128,
    symmetry: u8,
}

/// Sets of low points by size, in ascending order.
type LowSets = Vec<Vec<u128>>;

/// Returns the sets of low points without those of the few.
fn low_sets(low: usize, few: u128) -> LowSets {
    let mut sets = vec![Vec::new(); low + 1];
    for set in (0..1u128 << low).filter(|set| set & few == 0) {
        sets[set.count_ones() as usize].push(set);
    }
    sets
}

/// Returns the number of points below which no symmetry leads, the nearest to half of them that
/// makes short blocks.
fn low_points(checked: &Checked) -> Option<usize> {
    let points = checked.description.points.len();
    let is_closed = |low: usize| {
        let set = PointSet::first_points(low);
        checked.symmetries.iter().all(|symmetry| symmetry.image(set) == set)
    };
    let lengths = 4..=16.min(points.saturating_sub(1));
    lengths.filter(|&low| is_closed(low)).min_by_key(|low| (2 * low).abs_diff(points))
}

/// Whether the rule ends the game by a capture.
fn is_by_capture(rule: &EndRule) -> bool {
    matches!(rule.condition, Condition::Captured(_) | Condition::Fewer(Side::Second, _))
}

impl<'a> HuntBlocks<'a> {
    /// Returns the tables; `None` if the rules, or the order of the points, have no such blocks.
    pub(super) fn new(game: &'a Hunt, index: &'a GeneralIndex, layer: u16) -> Option<Self> {
        let checked = &*game.0;
        let (description, contents) = (&checked.description, checked.contents(layer));
        let low = low_points(checked)?;
        let is_plain = matches!(description.layers, Layering::Pieces | Layering::Placement)
            && contents.few.len() == 1
            && contents.many.len() == 1
            && index.all_are_positions
            && description.sides.iter().all(|side| side.captures.is_empty())
            && description.sides[1].jumps.is_empty()
            && description.ends.iter().all(|rule| {
                let is_known = matches!(
                    rule.condition,
                    Condition::Blocked(_)
                        | Condition::Captured(_)
                        | Condition::Fewer(..)
                        | Condition::Reached(..)
                        | Condition::Filled(..)
                );
                is_known && !rule.except_start && (!is_by_capture(rule) || rule.is_plain())
            });
        let few = checked.few_orbits(*contents.few.start()).orbits.len();
        let kinds: usize =
            description.sides.iter().map(|side| side.steps.len() + side.jumps.len()).sum();
        if !is_plain
            || binomial(low, low / 2) > LONGEST_BLOCK as u64
            || few.saturating_mul(kinds + description.points.len()) > MOST_CHANGES
        {
            return None;
        }
        let mut blocks = HuntBlocks {
            checked,
            index,
            layer,
            low,
            moves: [Vec::new(), Vec::new()],
            jumps: Vec::new(),
            jumps_lead: Vec::new(),
            placed: [None, None],
            lists: Lists::default(),
        };
        blocks.prepare(game);
        Some(blocks)
    }

    /// Fills the tables.
    fn prepare(&mut self, game: &Hunt) {
        let contents = self.checked.contents(self.layer);
        let (few, many, hand) = (*contents.few.start(), *contents.many.start(), contents.hand);
        if hand[0] > 0 {
            self.placed[0] = self.lower(game, few + 1, many);
        }
        if hand[1] > 0 {
            self.placed[1] = self.lower(game, few, many + 1);
        }
        self.jumps_lead = self.leads_of_jumps(game);
        let checked = self.checked;
        for &FewOrbit { representative, .. } in &checked.few_orbits(few).orbits {
            let of_few = (representative & PointSet::first_points(self.low)).bits();
            let low = self.low;
            self.lists.sets.entry(of_few).or_insert_with(|| low_sets(low, of_few));
            let [of_few, of_many, jumps] = self.moves_beside(representative, hand);
            self.moves[0].push(of_few);
            self.moves[1].push(of_many);
            self.jumps.push(jumps);
        }
    }

    /// Returns the lower layer with these numbers of pieces on the board.
    fn lower(&self, game: &Hunt, few: u8, many: u8) -> Option<(u16, GeneralIndex)> {
        let lower = game.lower_layers(self.layer).into_iter().find(|&lower| {
            let contents = self.checked.contents(lower);
            contents.few == (few..=few) && contents.many == (many..=many)
        });
        lower.map(|lower| (lower, GeneralIndex::new(&game.0, lower)))
    }

    /// Returns the layer or end that jumps lead to, by number of captured pieces, as far as it is
    /// known.
    fn leads_of_jumps(&self, game: &Hunt) -> Vec<Lead> {
        let few = &self.checked.description.sides[0];
        if !few.chain {
            return vec![self.lead_of_jumps(game, 1)];
        }
        let mut leads = Vec::new();
        for captured in 1..=self.listed_jumps() {
            let lead = self.lead_of_jumps(game, captured);
            let goes_on = matches!(lead, Lead::Layer(..));
            leads.push(lead);
            if !goes_on {
                break;
            }
        }
        leads
    }

    /// Returns how many jumps a chain may have to be listed: none if chains may not stop anywhere,
    /// or if it depends on more than the few whether they go on; and not so many that the chains of
    /// one more jump are too many.
    fn listed_jumps(&self) -> u8 {
        let Description { sides, ends, points, .. } = &self.checked.description;
        let is_plain = |rule: &EndRule| match rule.condition {
            Condition::Reached(..) | Condition::Filled(..) => rule.is_plain(),
            _ => true,
        };
        if sides[0].compulsory || !ends.iter().all(is_plain) {
            return 0;
        }
        let few = *self.checked.contents(self.layer).few.start();
        let few = self.checked.few_orbits(few).orbits.len();
        // By point: the chains of some jumps from there, on an empty board.
        let mut chains = vec![1; points.len()];
        let mut all = 0;
        let mut fit = || {
            let mut longer = vec![0; points.len()];
            for &[from, _, to] in &sides[0].jumps {
                longer[usize::from(from)] += chains[usize::from(to)];
            }
            all += longer.iter().sum::<usize>();
            chains = longer;
            few.saturating_mul(all) <= MOST_CHANGES
        };
        // Single jumps are listed in any case.
        fit();
        (0..LISTED_JUMPS).take_while(|_| fit()).count() as u8
    }

    /// Returns the layer or end that jumps over this number of pieces lead to.
    fn lead_of_jumps(&self, game: &Hunt, captured: u8) -> Lead {
        let (description, contents) =
            (&self.checked.description, self.checked.contents(self.layer));
        let (few, many) = (*contents.few.start(), *contents.many.start());
        let left = many + contents.hand[1] - captured.min(many);
        let ends = |rule: &EndRule| match rule.condition {
            Condition::Captured(side) => side == Side::First,
            Condition::Fewer(Side::Second, least) => left < least,
            _ => false,
        };
        if let Some(end) = description.ends.iter().position(ends) {
            let rule = &description.ends[end];
            // An earlier rule may hold as well.
            let agrees = |before: &EndRule| {
                before.winner == rule.winner || before.condition == Condition::Blocked(Side::First)
            };
            let agree = description.ends[..end].iter().all(agrees);
            return if agree { Lead::End(Outcome::Win(rule.winner)) } else { Lead::Unlisted };
        }
        match many.checked_sub(captured).and_then(|many| self.lower(game, few, many)) {
            Some((lower, index)) => Lead::Layer(lower, Box::new(index)),
            None => Lead::Unlisted,
        }
    }

    /// Returns the changes beside an arrangement of the few: by moves of the few and of the many,
    /// jumps not included, and by jumps.
    fn moves_beside(&mut self, few: PointSet, hand: [u8; 2]) -> [Vec<Change>; 3] {
        let checked = self.checked;
        let (sides, none) = (&checked.description.sides, PointSet::EMPTY);
        let free = PointSet::first_points(checked.description.points.len()) - few;
        let region = |side: Side| (checked.play.mover(side).region & free).iter().map(PointSet::of);
        let [mut of_few, mut of_many, mut jumps] = [(); 3].map(|()| Vec::new());
        if hand[0] > 0 {
            for to in region(Side::First) {
                of_few.push(self.change(few, ([none, to, none], few | to)));
            }
        } else {
            for &[from, to] in &sides[0].steps {
                if few.contains(from) && free.contains(to) {
                    let to = PointSet::of(to);
                    let after = (few - PointSet::of(from)) | to;
                    of_few.push(self.change(few, ([none, to, none], after)));
                }
            }
            for from in few.iter() {
                self.jumps_beside(few, (few - PointSet::of(from), from), [none; 2], &mut jumps);
            }
        }
        if hand[1] > 0 {
            for to in region(Side::Second) {
                of_many.push(self.change(few, ([none, to, to], few)));
            }
        } else {
            for &[from, to] in &sides[1].steps {
                if free.contains(from) && free.contains(to) {
                    let [from, to] = [from, to].map(PointSet::of);
                    of_many.push(self.change(few, ([from, to, from | to], few)));
                }
            }
        }
        [of_few, of_many, jumps]
    }

    /// Adds the jumps of a piece of the few from a point, and the chains that go on from there.
    /// `captured` and `empty` are the points of the many that were jumped over so far, and those
    /// that none of them may be on.
    fn jumps_beside(
        &mut self,
        few: PointSet,
        (others, from): (PointSet, u8),
        [captured, empty]: [PointSet; 2],
        jumps: &mut Vec<Change>,
    ) {
        let checked = self.checked;
        let all = &checked.description.sides[0].jumps;
        for &[_, over, to] in all.iter().filter(|jump| jump[0] == from) {
            if (few | captured | empty).contains(over) || others.contains(to) {
                continue;
            }
            // The piece may land where it came from, or jumped before.
            let free = if few.contains(to) { PointSet::EMPTY } else { PointSet::of(to) - captured };
            let (captured, empty) = (captured | PointSet::of(over), empty | free);
            let after = others | PointSet::of(to);
            jumps.push(self.change(few, ([captured, empty, captured], after)));
            let goes_on = checked.description.sides[0].chain
                && matches!(self.jumps_lead.get(captured.len() - 1), Some(Lead::Layer(..)))
                && !self.may_be_over(Side::First, after);
            if goes_on {
                self.jumps_beside(few, (others, to), [captured, empty], jumps);
            }
        }
    }

    /// Returns the change that needs and changes these points, and has the few on `after` then.
    fn change(
        &mut self,
        few: PointSet,
        ([has, lacks, flip], after): ([PointSet; 3], PointSet),
    ) -> Change {
        let set = self.checked.few_orbits(after.len() as u8).of(after);
        let (orbit, symmetry) = (set.orbit(), set.symmetry);
        let low = PointSet::first_points(self.low);
        let bits = |set: PointSet| (set & low).bits();
        let image = self.checked.symmetries[usize::from(symmetry)].image(after);
        let key = Low {
            few: [bits(few), bits(image)],
            has: bits(has),
            lacks: bits(lacks),
            flip: bits(flip),
            symmetry,
        };
        let Lists { sets, numbers, by_number } = &mut self.lists;
        for few in key.few {
            sets.entry(few).or_insert_with(|| low_sets(self.low, few));
        }
        let list = *numbers.entry(key).or_insert_with(|| {
            by_number.push((key, (0..=self.low).map(|_| OnceLock::new()).collect()));
            by_number.len() - 1
        });
        Change { has, lacks, flip, orbit, symmetry, list }
    }

    /// Returns the places of a change in blocks with `size` low points, each with the place after
    /// it.
    fn places(&self, change: &Change, size: usize) -> Places<'_> {
        let (low, by_size) = &self.lists.by_number[change.list];
        let list = by_size[size].get_or_init(|| {
            let [before, after] = low.few.map(|few| &self.lists.sets[&few]);
            let symmetry = &self.checked.symmetries[usize::from(low.symmetry)];
            let place = |&set: &u128| {
                let image = symmetry.image(PointSet::from_bits(set ^ low.flip)).bits();
                let sets = &after[image.count_ones() as usize];
                sets.binary_search(&image).unwrap_or_else(|place| place) as u16
            };
            let sets = (0..).zip(&before[size]);
            let list: Vec<[u16; 2]> = sets
                .filter(|(_, set)| *set & low.has == low.has && *set & low.lacks == 0)
                .map(|(at, set)| [at, place(set)])
                .collect();
            let is_all = list.len() == before[size].len() && list.iter().all(|[at, to]| at == to);
            (!is_all).then_some(list)
        });
        list.as_ref().map_or(Places::All, |list| Places::Some(list))
    }

    /// Visits the places of a block that have a change of `changes`, with the change.
    fn visit_changes(
        &self,
        changes: &'a [Change],
        many: PointSet,
        visit: &mut dyn FnMut(&Change, Places<'_>),
    ) {
        let (of_block, size) = self.high(many);
        for change in changes {
            let has_move = of_block.contains_all(self.high(change.has).0)
                && (of_block & change.lacks).is_empty();
            if has_move {
                let places = self.places(change, size);
                if !matches!(places, Places::Some([])) {
                    visit(change, places);
                }
            }
        }
    }
}

impl HuntBlocks<'_> {
    /// Returns the sets of low points beside an arrangement of the few, by size.
    fn low_sets(&self, few: PointSet) -> &[Vec<u128>] {
        let low = few.bits() & PointSet::first_points(self.low).bits();
        &self.lists.sets[&low]
    }

    /// Returns the high points of a set, and the number of its low points.
    fn high(&self, many: PointSet) -> (PointSet, usize) {
        let high = many - PointSet::first_points(self.low);
        (high, many.len() - high.len())
    }

    /// Returns the block that a change leads to from the block of a set of the many.
    fn target(
        &self,
        change: &Change,
        many: PointSet,
        (layer, index): (u16, &GeneralIndex),
    ) -> Target<'static> {
        let (high, size) = self.high(many);
        let (high_flip, flips) = self.high(change.flip);
        let gone = self.high(PointSet::from_bits(change.flip.bits() & change.has.bits())).1;
        let size = size + flips - 2 * gone;
        let after = PointSet::from_bits(high.bits() ^ high_flip.bits());
        let high = self.checked.symmetries[usize::from(change.symmetry)].image(after);
        let sets = &self.lists.sets[&self.lists.by_number[change.list].0.few[1]][size];
        let first = high | PointSet::from_bits(sets[0]);
        Target { layer, start: index.rank_in(change.orbit, first), len: sets.len(), places: None }
    }

    /// Whether the game is over in every position of the layer beside these few.
    fn is_over(&self, few: PointSet) -> bool {
        let contents = self.checked.contents(self.layer);
        let numbers =
            [contents.few.start() + contents.hand[0], contents.many.start() + contents.hand[1]];
        let too_few = |rule: &EndRule| match rule.condition {
            Condition::Fewer(side, least) => numbers[side.index()] < least,
            _ => false,
        };
        self.checked.description.ends.iter().any(too_few) || self.may_be_over(Side::First, few)
    }

    /// Whether the game may be over with a side on these points.
    fn may_be_over(&self, side: Side, pieces: PointSet) -> bool {
        self.checked.description.ends.iter().any(|rule| match &rule.condition {
            Condition::Reached(of, points) => {
                *of == side && !(pieces & PointSet::of_all(points)).is_empty()
            }
            Condition::Filled(of, points) => {
                *of == side && pieces.contains_all(PointSet::of_all(points))
            }
            _ => false,
        })
    }

    /// Whether a side that cannot move has lost in every position of the layer.
    fn loses_if_blocked(&self, side: Side) -> bool {
        let has_hand = self.checked.contents(self.layer).hand != [0; 2];
        let first = self.checked.description.ends.iter().find(|rule| {
            rule.condition == Condition::Blocked(side)
                && rule.to_move.is_none_or(|to_move| to_move == side)
                && !(rule.after_placement && has_hand)
        });
        first.is_some_and(|rule| rule.winner == side.other())
    }

    /// Visits the jumps of a block.
    fn visit_jumps(&self, jumps: &[Change], many: PointSet, visit: &mut dyn FnMut(Moves<'_>)) {
        if self.checked.description.sides[0].compulsory {
            self.visit_changes(jumps, many, &mut |_, places| visit(Moves::Only(places)));
        }
        self.visit_changes(jumps, many, &mut |change, places| {
            visit(match self.jumps_lead.get(change.flip.len() - 1) {
                None | Some(Lead::Unlisted) => Moves::Unlisted(places),
                Some(Lead::End(outcome)) => Moves::End(places, *outcome),
                Some(Lead::Layer(layer, index)) => {
                    Moves::To(places, self.target(change, many, (*layer, index)))
                }
            });
        });
    }
}

impl BlockMoves for HuntBlocks<'_> {
    fn block(&self, rank: u64) -> Range<u64> {
        let (orbit, FewOrbit { representative, .. }, many) = self.index.parts(rank);
        let (high, size) = self.high(many);
        let sets = &self.low_sets(*representative)[size];
        let start = self.index.rank_in(orbit, high | PointSet::from_bits(sets[0]));
        start..start + sets.len() as u64
    }

    fn below(&self) -> Vec<(u16, Side)> {
        let placed = Side::BOTH.into_iter().zip(&self.placed);
        let placed = placed.filter_map(|(side, below)| Some((below.as_ref()?.0, side.other())));
        let captured = self.jumps_lead.iter().filter_map(|lead| match lead {
            Lead::Layer(layer, _) => Some((*layer, Side::Second)),
            _ => None,
        });
        placed.chain(captured).collect()
    }

    fn visit(&self, side: Side, start: u64, visit: &mut dyn FnMut(Moves<'_>)) {
        let (orbit, &FewOrbit { representative: few, .. }, many) = self.index.parts(start);
        let (high, size) = self.high(many);
        let sets = &self.low_sets(few)[size];
        if self.is_over(few) {
            return visit(Moves::Unlisted(Places::All));
        }
        let to = match &self.placed[side.index()] {
            Some((layer, index)) => (*layer, index),
            None => (self.layer, self.index),
        };
        let moved = RefCell::new(vec![false; sets.len()]);
        let mut visit = |moves: Moves<'_>| {
            if let Moves::To(places, _) | Moves::End(places, _) | Moves::Unlisted(places) = moves {
                let mut moved = moved.borrow_mut();
                match places {
                    Places::All => moved.fill(true),
                    Places::Some(list) => {
                        for &[at, _] in list {
                            moved[usize::from(at)] = true;
                        }
                    }
                }
            }
            visit(moves);
        };
        self.visit_changes(&self.moves[side.index()][orbit], many, &mut |change, places| {
            visit(Moves::To(places, self.target(change, many, to)));
        });
        if side == Side::First {
            self.visit_jumps(&self.jumps[orbit], many, &mut visit);
        }
        let passes = !self.loses_if_blocked(side);
        let alone: Vec<[u16; 2]> = (0..)
            .zip(sets)
            .filter(|&(at, &set)| {
                let is_blocked = passes && !moved.borrow()[usize::from(at)];
                is_blocked || self.may_be_over(Side::Second, high | PointSet::from_bits(set))
            })
            .map(|(at, _): (u16, _)| [at, at])
            .collect();
        if !alone.is_empty() {
            visit(Moves::Unlisted(Places::Some(&alone)));
        }
    }
}
