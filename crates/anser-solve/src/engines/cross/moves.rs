//! Moves as maps of whole rows.
//!
//! A row is identified by its *key*: the arm set of its half in bits 0 to 11, and the ring set in
//! bits 12 to 19. A goose move that does not touch the other half changes the key and nothing
//! within the row. So does a fox step: the goose set remains, but another bit stands for d4.

use std::sync::{Arc, Mutex, PoisonError};

use anser_core::fox_geese::{Cross, CrossIndex, Point};
use anser_core::{Group, Symmetry};

use super::rows::{RowMap, RowRun, row_map};
use super::sets::{ARM, PointBit, RING, SETS, generators};
use super::shape::{Block, Shape};

/// One fox class: the fox on its representative.
pub(super) struct Fox {
    /// The representative.
    pub(super) point: Point,
    /// Number of symmetries that fix it.
    pub(super) symmetries: u32,
    /// Generators of these symmetries.
    pub(super) generators: Vec<Symmetry>,
    /// Goose moves by half; those within the ring are in half 0.
    pub(super) goose: [GooseMoves; 2],
    /// Goose un-moves, by half in the same way.
    pub(super) goose_back: [GooseMoves; 2],
    /// Steps to representatives. All others are images of these under the symmetries that fix the
    /// fox.
    pub(super) steps: Vec<FoxStep>,
    /// By orientation: whether fox steps that lead here read the positions with the geese to move
    /// in it.
    pub(super) read: [bool; 2],
}

/// The fox classes of the game solved last, which all of its layers share.
#[derive(Default)]
pub(super) struct Foxes(Mutex<Option<(Cross, Arc<[Fox]>)>>);

impl Foxes {
    /// Returns all fox classes of a game, in the order of the index. Computes them unless the last
    /// call was for the same game.
    pub(super) fn of(&self, game: &Cross, index: &CrossIndex) -> Arc<[Fox]> {
        // A panic within leaves the classes of the last call.
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, foxes)) = &*last
            && of == game
        {
            return foxes.clone();
        }
        let foxes: Arc<[Fox]> = Fox::all(game, index).into();
        *last = Some((*game, foxes.clone()));
        foxes
    }
}

/// Goose moves that touch a half, or the ring alone.
pub(super) struct GooseMoves {
    /// By arm set: the end of its list in `targets`.
    end: Box<[u16; 1 << ARM]>,
    /// Ranks of the arm sets that one move within the half leads to.
    targets: Vec<u16>,
    /// The same moves as maps of rows: all moves within the half, one after the other.
    pub(super) within: RowMap,
    /// Moves between the half and the ring.
    pub(super) crossing: Vec<Crossing>,
    /// Moves within the ring as single-bit sets: from, to.
    pub(super) ring: Vec<(u8, u8)>,
}

/// A goose move between a half and the ring, as single-bit sets.
pub(super) struct Crossing {
    pub(super) arm: u16,
    pub(super) ring: u8,
    /// Whether it leads from the half into the ring.
    pub(super) inward: bool,
    /// Map from the rows that have the move to the rows that it leads to.
    pub(super) rows: RowMap,
}

impl Crossing {
    /// Returns whether the move is possible.
    #[inline(always)]
    pub(super) fn is_possible(&self, ring: u8, arm: u16) -> bool {
        (arm & self.arm != 0) == self.inward && (ring & self.ring == 0) == self.inward
    }
}

/// A fox step, as a map of the keys of one half.
pub(super) struct FoxStep {
    /// Class that it leads to.
    pub(super) to: usize,
    /// Half of the keys.
    pub(super) half: usize,
    /// Bit of the point that it leads from; 0 for d4.
    from_bit: u32,
    /// Bit of the point that it leads to; 0 for d4.
    to_bit: u32,
    /// Rows that keep their key: no goose is on d4, and none blocks the step.
    same_key: RowMap,
    /// Rows that get a new key: a goose is on d4, and another bit stands for it after the step.
    new_key: RowMap,
}

/// Returns the ring set of a key.
pub(super) fn ring_of(key: u32) -> u8 {
    (key >> ARM) as u8
}

/// Returns the arm set of a key.
pub(super) fn arm_of(key: u32) -> u16 {
    key as u16 & ((1 << ARM) - 1)
}

impl FoxStep {
    fn new(to: usize, half: usize, from_bit: u32, to_bit: u32) -> FoxStep {
        let blocked = if to_bit == 0 { from_bit } else { to_bit };
        let both = from_bit | to_bit;
        FoxStep {
            to,
            half,
            from_bit,
            to_bit,
            same_key: row_map(0, arm_of(from_bit | blocked), 0),
            new_key: row_map(arm_of(from_bit), arm_of(to_bit), arm_of(both)),
        }
    }

    /// Returns the bit that is set if a goose is on the target.
    fn blocked(&self) -> u32 {
        if self.to_bit == 0 { self.from_bit } else { self.to_bit }
    }

    /// Returns the rows of a block that keep their key.
    #[inline(always)]
    pub(super) fn same_key(&self, block: &Block) -> &[RowRun] {
        if block.ring & ring_of(self.from_bit | self.blocked()) == 0 {
            &self.same_key[block.row_points]
        } else {
            &[]
        }
    }

    /// Returns the map of the rows of a block that get a new key, and the first word of the block
    /// with these keys.
    #[inline(always)]
    pub(super) fn new_key(&self, shape: &Shape, block: &Block) -> Option<(&[RowRun], usize)> {
        let (from, to) = (ring_of(self.from_bit), ring_of(self.to_bit));
        if self.from_bit == 0
            || self.to_bit == 0
            || block.ring & from != from
            || block.ring & to != 0
        {
            return None;
        }
        let points =
            (block.row_points + usize::from(to == 0)).checked_sub(usize::from(from == 0))?;
        Some((&self.new_key[block.row_points], shape.start(block.ring ^ from ^ to, points)?))
    }

    /// Returns whether `test` holds for the number of a block, in orientation 0, that the step can
    /// lead to from `block`.
    pub(super) fn any_target(
        &self,
        shape: &Shape,
        block: &Block,
        test: impl Fn(usize) -> bool,
    ) -> bool {
        let (from, to) = (ring_of(self.from_bit), ring_of(self.to_bit));
        if block.ring & ring_of(self.blocked()) != 0 {
            return false;
        }
        let own =
            || shape.number(block.ring, block.row_points).expect("the block belongs to this layer");
        if block.ring & from == 0 && test(own()) {
            return true;
        }
        // The same with a goose on d4, if one can be there.
        if self.from_bit == 0 || self.to_bit == 0 || (from != 0 && block.ring & from == 0) {
            return false;
        }
        let mut points = [block.row_points, block.bit_points];
        let arm_points = &mut points[self.half];
        let (leaves_arm, enters_arm) = (usize::from(from == 0), usize::from(to == 0));
        if *arm_points < leaves_arm {
            return false;
        }
        *arm_points = *arm_points - leaves_arm + enters_arm;
        shape.number(block.ring ^ from ^ to, points[0]).is_some_and(test)
    }
}

impl GooseMoves {
    /// Returns the ranks of the arm sets that one move within the half leads to from `arm`.
    #[inline(always)]
    pub(super) fn targets(&self, arm: u16) -> &[u16] {
        let start = if arm == 0 { 0 } else { self.end[usize::from(arm) - 1] };
        &self.targets[usize::from(start)..usize::from(self.end[usize::from(arm)])]
    }

    fn new(game: &Cross, fox: Point, half: usize, backward: bool) -> GooseMoves {
        let (mut within, mut crossing, mut ring) = (Vec::new(), Vec::new(), Vec::new());
        let label = |p: Point| SETS.bit_of(if p == Point::CENTER { fox } else { p });
        for from in Point::all().filter(|&p| p != fox) {
            for to in game.goose_steps(from, backward).filter(|&p| p != fox) {
                match (label(from), label(to)) {
                    (PointBit::Arm { half: h, bit: a }, PointBit::Arm { half: g, bit: b }) => {
                        assert_eq!(h, g, "no line joins the halves");
                        if h == half {
                            within.push((1u16 << a, 1u16 << b));
                        }
                    }
                    (PointBit::Arm { half: h, bit: a }, PointBit::Ring { bit: b }) if h == half => {
                        let rows = row_map(1 << a, 0, 1 << a);
                        crossing.push(Crossing { arm: 1 << a, ring: 1 << b, inward: true, rows });
                    }
                    (PointBit::Ring { bit: a }, PointBit::Arm { half: h, bit: b }) if h == half => {
                        let rows = row_map(0, 1 << b, 1 << b);
                        crossing.push(Crossing { arm: 1 << b, ring: 1 << a, inward: false, rows });
                    }
                    (PointBit::Ring { bit: a }, PointBit::Ring { bit: b }) if half == 0 => {
                        ring.push((1 << a, 1 << b));
                    }
                    _ => {}
                }
            }
        }
        let mut end = Box::new([0; 1 << ARM]);
        let mut targets = Vec::new();
        for arm in 0..1u16 << ARM {
            for &(from, to) in within.iter().filter(|&&(from, to)| arm & from != 0 && arm & to == 0)
            {
                targets.push(SETS.rank[usize::from(arm ^ from ^ to)]);
            }
            end[usize::from(arm)] = targets.len() as u16;
        }
        let mut rows: RowMap = Default::default();
        for &(from, to) in &within {
            for (rows, runs) in rows.iter_mut().zip(row_map(from, to, from | to)) {
                rows.extend(runs);
            }
        }
        GooseMoves { end, targets, within: rows, crossing, ring }
    }
}

impl Fox {
    /// Returns all fox classes of a game, in the order of the index.
    pub(super) fn all(game: &Cross, index: &CrossIndex) -> Vec<Fox> {
        let points: Vec<Point> = index.representatives().collect();
        let mut foxes: Vec<Fox> = points
            .iter()
            .map(|&point| {
                let stabilizer: Group = game.symmetry().filter(|s| point.image(s) == point);
                Fox {
                    point,
                    symmetries: stabilizer.order(),
                    generators: generators(stabilizer),
                    goose: [0, 1].map(|half| GooseMoves::new(game, point, half, false)),
                    goose_back: [0, 1].map(|half| GooseMoves::new(game, point, half, true)),
                    steps: steps(game, &points, point),
                    read: [false; 2],
                }
            })
            .collect();
        let reads: Vec<(usize, usize)> = foxes
            .iter()
            .flat_map(|fox| fox.steps.iter().map(|step| (step.to, step.half)))
            .collect();
        for (class, half) in reads {
            foxes[class].read[half] = true;
        }
        foxes
    }

    /// Returns the first orientation in which fox steps read the positions with the geese to move.
    pub(super) fn first_read(&self) -> usize {
        usize::from(!self.read[0])
    }

    /// Returns the number of a block between orientation 0 and the first orientation in which fox
    /// steps read the positions with the geese to move, in either direction.
    pub(super) fn read_number(&self, shape: &Shape, number: usize) -> usize {
        if self.first_read() == 0 { number } else { shape.transposed_number(&shape.blocks[number]) }
    }

    /// Returns whether `test` holds for the number of a block, in orientation 0, that a goose move
    /// can lead to from `block`.
    pub(super) fn any_goose_target(
        &self,
        shape: &Shape,
        block: &Block,
        test: impl Fn(usize) -> bool,
    ) -> bool {
        let (ring, points) = (block.ring, block.row_points);
        let holds = |ring: u8, points: usize| shape.number(ring, points).is_some_and(&test);
        let within = |&(from, to): &(u8, u8)| {
            ring & from != 0 && ring & to == 0 && holds(ring ^ from ^ to, points)
        };
        let crossing = |half: usize, crossing: &Crossing| {
            if (ring & crossing.ring == 0) != crossing.inward {
                return false;
            }
            let ring = ring ^ crossing.ring;
            match (half, crossing.inward) {
                (0, true) => points > 0 && holds(ring, points - 1),
                (0, false) => holds(ring, points + 1),
                // The number of points in half 1 follows from the other two.
                _ => holds(ring, points),
            }
        };
        holds(ring, points)
            || self.goose[0].ring.iter().any(within)
            || (0..2)
                .any(|half| self.goose[half].crossing.iter().any(|moves| crossing(half, moves)))
    }
}

/// Returns the bit of a point in keys of a half: 0 for d4, `None` for points of the other half.
pub(super) fn key_bit(point: Point, half: usize) -> Option<u32> {
    match SETS.bit_of(point) {
        PointBit::Center => Some(0),
        PointBit::Ring { bit } => Some(1 << (ARM + bit)),
        PointBit::Arm { half: h, bit } => (h == half).then_some(1 << bit),
    }
}

/// Returns the fox step between two points, with `class` as the class that it leads to. `None` if
/// they are in different halves.
pub(super) fn step_between(from: Point, to: Point, class: usize) -> Option<FoxStep> {
    let half = (0..2).find(|&half| key_bit(from, half).is_some() && key_bit(to, half).is_some())?;
    Some(FoxStep::new(class, half, key_bit(from, half)?, key_bit(to, half)?))
}

/// Returns the number of fields with the geese to move that fox steps read, over all classes and
/// orientations.
pub(super) fn reads(game: &Cross, points: &[Point]) -> u64 {
    let read = |to: Point, half: usize| {
        let from = points.iter().filter(|&&from| game.neighbors(from).any(|p| p == to));
        // A step that keys of either half can express is read in half 0.
        from.map(|&from| usize::from(key_bit(from, 0).is_none() || key_bit(to, 0).is_none()))
            .any(|h| h == half)
    };
    points.iter().map(|&to| (0..2).filter(|&half| read(to, half)).count() as u64).sum()
}

fn steps(game: &Cross, points: &[Point], from: Point) -> Vec<FoxStep> {
    let neighbors: Vec<Point> = game.neighbors(from).collect();
    let to: Vec<(usize, Point)> =
        points.iter().copied().enumerate().filter(|(_, p)| neighbors.contains(p)).collect();
    let reached = |p: Point| {
        game.symmetry()
            .members()
            .any(|s| from.image(s) == from && to.iter().any(|&(_, q)| q.image(s) == p))
    };
    assert!(
        neighbors.into_iter().all(reached),
        "every step is the image of one to a representative"
    );
    to.into_iter()
        .map(|(class, p)| step_between(from, p, class).expect("no line joins the halves"))
        .collect()
}

const _: () = assert!(ARM + RING <= 32);
