//! The reachable positions, layer by layer downward from the start.

use std::sync::Mutex;

use anser_core::Observer;

use super::board::Board;
use super::lists::{List, PARTS, part_of};
use super::meter::Meter;
use super::{HexapawnScope, HexapawnSolver};
use crate::parallel::{self, lock};

/// Why a pass ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The observer interrupted it.
    Interrupted,
    /// There is not enough memory.
    Memory,
}

/// Keys found in a part, with duplicates.
#[derive(Debug, Default)]
struct Pending {
    keys: Vec<u64>,
    /// The number of keys after the last sort and removal of duplicates.
    different: usize,
}

impl Pending {
    /// Adds keys; returns false if that exceeds the memory.
    fn add(&mut self, keys: &[u64], meter: &Meter) -> bool {
        let full = self.keys.len() + keys.len() > self.keys.capacity();
        // Sorting now is work done twice, so it has to be worth while: half of them are new since
        // the last time.
        if full && meter.is_tight() && self.keys.len() >= 2 * self.different {
            self.keys.sort_unstable();
            self.keys.dedup();
            self.different = self.keys.len();
        }
        let before = self.keys.capacity();
        self.keys.extend_from_slice(keys);
        meter.take(8 * (self.keys.capacity() - before) as u64)
    }
}

/// Returns the positions of a scope that the start of the solver reaches: the parts of each layer
/// from 0.
pub(super) fn forward(
    solver: &HexapawnSolver,
    scope: HexapawnScope,
    meter: &Meter,
    observer: &dyn Observer,
) -> Result<Vec<Vec<List>>, Stop> {
    let HexapawnSolver { board, start, top, .. } = solver;
    let top = *top;
    observer.begin("layers of reachable positions", top as u64 + 1);
    let pending: Vec<Vec<Mutex<Pending>>> =
        (0..=top).map(|_| (0..PARTS).map(|_| Mutex::default()).collect()).collect();
    let key = board.key(start);
    lock(&pending[top][part_of(key, board.key_bits)]).add(&[key], meter);
    let mut layers = Vec::with_capacity(top + 1);
    for layer in (0..=top).rev() {
        let part = |part: usize| -> Result<List, Stop> {
            if observer.interrupted() {
                return Err(Stop::Interrupted);
            }
            let keys = std::mem::take(&mut lock(&pending[layer][part]).keys);
            let before = 8 * keys.capacity() as u64;
            let list = List::new(keys);
            meter.give_back(before - list.bytes());
            if expand(board, scope, &list, |part, drop, keys| {
                lock(&pending[layer - drop][part]).add(keys, meter)
            }) {
                Ok(list)
            } else {
                Err(Stop::Memory)
            }
        };
        layers.push(parallel::try_map(0..PARTS, &part)?);
        observer.advance(1);
    }
    layers.reverse();
    Ok(layers)
}

/// Passes the successors of the positions of a list to `add`, with their part and the number of
/// layers they are lower, until `add` returns false.
fn expand(
    board: &Board,
    scope: HexapawnScope,
    list: &List,
    mut add: impl FnMut(usize, usize, &[u64]) -> bool,
) -> bool {
    let only_winner = scope == HexapawnScope::Winner;
    let mut reached: Vec<Vec<u64>> = vec![Vec::new(); (board.rows as usize + 1) * PARTS];
    for &key in list.keys() {
        let position = board.of_key(key);
        // Only the start can get through if it is the winner that is wanted.
        if board.is_through(&position) || only_winner && board.can_get_through(&position) {
            continue;
        }
        board.visit_moves(&position, |to| {
            if !only_winner || !board.can_get_through(&to.next) {
                let key = board.key(&to.next);
                reached[usize::from(to.drop) * PARTS + part_of(key, board.key_bits)].push(key);
            }
        });
    }
    let full = reached.iter().enumerate().filter(|(_, keys)| !keys.is_empty());
    full.fold(true, |fits, (at, keys)| fits && add(at % PARTS, at / PARTS, keys))
}
