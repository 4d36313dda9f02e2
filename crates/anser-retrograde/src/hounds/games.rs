//! The number of games, from the numbers of paths to each position, layer by layer downward.
//!
//! A first pass in floating point gives the size of the numbers, and so the number of moduli. One
//! pass per modulus follows, and the Chinese remainder theorem gives the exact numbers.

use anser_core::{BySide, Side};
use num_bigint::BigUint;

use super::lanes::{Ends, MAX_LANES};
use super::paths::{Approximate, Modulo, Numbers, combine, moduli_for};
use super::sets::{Arrangement, Sets, Visitor};
use super::sweep::LayerCoords;
use crate::bits::for_each_bit;
use crate::parallel;

/// Returns the exact numbers of games from the start that the lone man wins and that the pack wins.
///
/// `go_on` receives the number of arrangements done since its last call; the result is `None` if it
/// returns false. `pass` receives the number of the pass that begins, from 0, and the number of
/// passes after pass 0.
pub(super) fn games(
    sets: &Sets,
    start: usize,
    pass: impl Fn(usize, usize),
    go_on: impl Fn(u64) -> bool,
) -> Option<BySide<BigUint>> {
    pass(0, 0);
    let estimate = pass_of_any(sets, start, Approximate, &go_on)?;
    let moduli = Modulo::coprime(moduli_for(estimate[0] + estimate[1]));
    let passes = moduli.len();
    let mut remainders = [const { Vec::new() }; 2];
    for (modulo, number) in moduli.into_iter().zip(1..) {
        pass(number, passes);
        let sums = pass_of_any(sets, start, modulo, &go_on)?;
        for (remainders, sum) in remainders.iter_mut().zip(sums) {
            remainders.push((modulo, modulo.remainder(sum)));
        }
    }
    Some(BySide::from(remainders.map(|remainders| combine(&remainders))))
}

fn pass_of_any<N: Numbers>(
    sets: &Sets,
    start: usize,
    numbers: N,
    go_on: impl Fn(u64) -> bool,
) -> Option<[N::Sum; 2]> {
    match padded(sets.board.lanes()) {
        16 => pass::<16, N>(sets, start, numbers, go_on),
        28 => pass::<28, N>(sets, start, numbers, go_on),
        _ => pass::<MAX_LANES, N>(sets, start, numbers, go_on),
    }
}

/// Returns the length of the rows. Few lengths mean few instances of the code.
fn padded(lanes: usize) -> usize {
    match lanes {
        ..=16 => 16,
        17..=28 => 28,
        _ => MAX_LANES,
    }
}

/// Returns the memory in bytes of two layers of numbers of paths. `arrangements` is the number in
/// the larger layer.
pub(super) fn paths_memory(lanes: usize, arrangements: u64) -> u64 {
    2 * arrangements * 8 * padded(lanes) as u64
}

/// Runs one pass. Returns the numbers of paths to ends that the lone man has won, and that the pack
/// has.
fn pass<const LANES: usize, N: Numbers>(
    sets: &Sets,
    start: usize,
    numbers: N,
    go_on: impl Fn(u64) -> bool,
) -> Option<[N::Sum; 2]> {
    let most = (0..=sets.max_sum()).map(|sum| sets.len(sum) as usize).max().unwrap_or(0);
    // Paths to positions with the pack to move where play goes on, of the layer above and of this
    // one.
    let mut before = vec![[N::Path::default(); LANES]; most];
    let mut after = vec![[N::Path::default(); LANES]; most];
    let mut total = [N::Sum::default(); 2];
    for sum in 0..=sets.max_sum() {
        let parity = LayerCoords { sum, component: 0 }.parity(Side::First);
        let start = (sum == 0).then_some(start);
        let blocks = sets.divide(sum, &mut after, |block| block.len as usize);
        let parts = blocks.map(|(block, after)| {
            let (before, after) = (&before[..], after.iter_mut());
            let won = Won { lone: [N::Path::default(); LANES], pack: N::Sum::default() };
            (block, Part { sets, parity, numbers, start, before, after, won })
        });
        let won = parallel::map(parts, &|(block, part)| sets.walk::<false, _>(&block, part).won);
        for Won { lone, pack } in won {
            for paths in lone {
                total[0] += numbers.widen(paths);
            }
            total[1] += pack;
        }
        std::mem::swap(&mut before, &mut after);
        if !go_on(sets.len(sum).into()) {
            return None;
        }
    }
    Some(total)
}

/// One thread's part of a layer.
struct Part<'a, const LANES: usize, N: Numbers> {
    sets: &'a Sets,
    /// Of the lone man's rows, with it to move.
    parity: usize,
    numbers: N,
    /// The lane of the lone man in the first arrangement, in the first layer.
    start: Option<usize>,
    before: &'a [[N::Path; LANES]],
    after: std::slice::IterMut<'a, [N::Path; LANES]>,
    won: Won<LANES, N>,
}

impl<const LANES: usize, N: Numbers> Visitor for Part<'_, LANES, N> {
    #[inline(always)]
    fn visit(&mut self, arrangement: &Arrangement, predecessors: &[u32]) {
        let mut lone = [N::Path::default(); LANES];
        for &row in predecessors {
            let before = &self.before[row as usize];
            for lane in 0..LANES {
                lone[lane] = N::add(lone[lane], before[lane]);
            }
        }
        // A pack that does not fill the bottom row has other arrangements there; it starts in the
        // first one.
        if let Some(start) = self.start.filter(|_| arrangement.row == 0) {
            lone[start] = self.numbers.one();
        }
        let ends = self.sets.board.ends(&arrangement.pack(), self.parity);
        if let Some(after) = self.after.next() {
            *after = self.after_lone(&ends, &lone);
        }
    }
}

/// Paths that have ended, by winner; those of the lone man by lane.
struct Won<const LANES: usize, N: Numbers> {
    lone: [N::Path; LANES],
    pack: N::Sum,
}

/// Lanes of zeros on either side, at least as many as the longest step.
const MARGIN: usize = 8;
const PADDED: usize = MAX_LANES + 2 * MARGIN;

impl<const LANES: usize, N: Numbers> Part<'_, LANES, N> {
    /// Returns the paths to positions with the pack to move. Adds to `won` the paths that end
    /// before or after the lone man's move.
    #[inline(always)]
    fn after_lone(&mut self, ends: &Ends, lone: &[N::Path; LANES]) -> [N::Path; LANES] {
        let (board, numbers, won) = (&self.sets.board, self.numbers, &mut self.won);
        let (inner, [row, shift]) = (board.inner[self.parity], board.lone_steps(self.parity));
        for_each_bit(ends.blocked[0], |lane| won.pack += numbers.widen(lone[lane as usize]));
        let (ongoing, lone_wins) = (ends.ongoing(), ends.lone_wins());
        let (mut same, mut beside) = ([N::Path::default(); PADDED], [N::Path::default(); PADDED]);
        for lane in 0..LANES {
            same[MARGIN + lane] = N::only_if(lone[lane], ongoing[0] >> lane);
            beside[MARGIN + lane] = N::only_if(lone[lane], (ongoing[0] & inner) >> lane);
        }
        let window = |step: isize| {
            (MARGIN as isize + step) as usize..(MARGIN + LANES).wrapping_add_signed(step)
        };
        let (near, far) = (&same[window(0)], &same[window(row)]);
        let (near_shifted, far_shifted) = (&beside[window(shift)], &beside[window(row + shift)]);
        let mut pack = [N::Path::default(); LANES];
        for lane in 0..LANES {
            let paths = N::add(
                N::add(near[lane], far[lane]),
                N::add(near_shifted[lane], far_shifted[lane]),
            );
            let before = N::only_if(lone[lane], lone_wins[0] >> lane);
            let ended = N::add(before, N::only_if(paths, lone_wins[1] >> lane));
            won.lone[lane] = numbers.reduce(N::add(won.lone[lane], ended));
            pack[lane] = numbers.reduce(N::only_if(paths, ongoing[1] >> lane));
        }
        pack
    }
}

#[cfg(test)]
mod tests {
    use super::super::lanes::Board;
    use super::*;
    use anser_core::hounds::Goal;

    #[test]
    fn rows_of_any_length_and_any_modulus_count_the_same_games() {
        let sets = Sets::new(Board::new(3, true, Goal::Escape), 3);
        let (_, start) = sets.board.lane(16);
        let all = |_| true;
        let found = games(&sets, start, |_, _| {}, all).expect("not stopped").into_array();
        // The estimate, which gives the number of moduli, is close to the exact numbers.
        let estimate = pass_of_any(&sets, start, Approximate, all).expect("not stopped");
        for (estimate, exact) in estimate.into_iter().zip(&found) {
            let exact: f64 = exact.to_string().parse().expect("a number");
            assert!((estimate / exact - 1.0).abs() < 1e-9, "{estimate} {exact}");
        }
        for modulo in Modulo::coprime(6) {
            let expected = found.clone().map(|games| {
                Some((games % modulo.modulus()).iter_u64_digits().next().unwrap_or(0))
            });
            let remainders = |sums: Option<[u128; 2]>| {
                sums.expect("not stopped").map(|sum| Some(modulo.remainder(sum)))
            };
            assert_eq!(remainders(pass::<16, _>(&sets, start, modulo, all)), expected);
            assert_eq!(remainders(pass::<28, _>(&sets, start, modulo, all)), expected);
            assert_eq!(remainders(pass::<MAX_LANES, _>(&sets, start, modulo, all)), expected);
        }
    }

    #[test]
    fn an_interrupted_pass_stops() {
        let sets = Sets::new(Board::new(2, true, Goal::Escape), 2);
        assert_eq!(games(&sets, 3, |_, _| {}, |_| false), None);
    }
}
