//! Which positions can come about from the start, layer by layer downward.

use anser_core::Side;
use rayon::prelude::*;

use super::lanes::Ends;
use super::sets::{MOST_STEPS, Sets};
use super::sweep::Place;

/// The positions of the start's component that play from the start can reach.
#[derive(Debug)]
pub(super) struct Reach {
    /// For every sum of rows, for every arrangement, the lanes with the lone man to move.
    lone: Vec<Vec<u64>>,
}

/// The same for one arrangement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    /// The lanes with the lone man to move and with the pack to move.
    pub(super) lanes: [u64; 2],
}

impl Reached {
    /// From the lanes with the lone man to move, what is reached with the pack to move.
    #[inline]
    fn from_lone(sets: &Sets, place: Place, ends: &Ends, lone: u64) -> Reached {
        let going_on = lone & ends.going_on()[0];
        let pack = sets.board.around(place.parity(Side::First), going_on) & ends.empty[1];
        Reached { lanes: [lone, pack] }
    }
}

impl Reach {
    /// From the start: the pack on the bottom row, the lone man in lane `start` of the last one and to move. `None` if
    /// `go_on`, which is told how many arrangements of a layer are done, says so.
    pub(super) fn new(sets: &Sets, start: usize, go_on: impl Fn(u64) -> bool) -> Option<Reach> {
        let mut all = Vec::new();
        // Where the pack, one layer above, was to move and went on.
        let mut before: Vec<u64> = Vec::new();
        for sum in 0..=sets.most_sum() {
            let place = Place { sum, component: 0 };
            let len = sets.len(sum) as usize;
            let (mut lone, mut pack) = (vec![0; len], vec![0; len]);
            let mut rest = (&mut lone[..], &mut pack[..]);
            let mut parts = Vec::new();
            for block in sets.blocks(sum) {
                let ((lone, lone_rest), (pack, pack_rest)) =
                    (rest.0.split_at_mut(block.len as usize), rest.1.split_at_mut(block.len as usize));
                rest = (lone_rest, pack_rest);
                parts.push((block, lone, pack));
            }
            let parity = place.parity(Side::First);
            parts.into_par_iter().for_each(|(block, lone, pack)| {
                let mut out = lone.iter_mut().zip(pack);
                sets.walk::<false>(&block, |arrangement| {
                    let mut rows = [0; MOST_STEPS];
                    let from = sets.neighbours::<false>(arrangement, &mut rows);
                    let ends = sets.board.ends(&arrangement.pack(), parity);
                    let mut reached = if sum == 0 { 1 << start } else { 0 };
                    for &row in from {
                        reached |= before[row as usize];
                    }
                    let reached = Reached::from_lone(sets, place, &ends, reached & ends.empty[0]);
                    if let Some((lone, pack)) = out.next() {
                        *lone = reached.lanes[0];
                        *pack = reached.lanes[1] & ends.going_on()[1];
                    }
                });
            });
            all.push(lone);
            before = pack;
            if !go_on(len as u64) {
                return None;
            }
        }
        Some(Reach { lone: all })
    }

    /// What is reached of one arrangement.
    #[inline]
    pub(super) fn of(&self, sets: &Sets, place: Place, row: u32, ends: &Ends) -> Reached {
        Reached::from_lone(sets, place, ends, self.lone[place.sum][row as usize])
    }
}
