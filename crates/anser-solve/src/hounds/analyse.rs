//! What is asked of a whole game: who wins, how many positions and games there are, and of what kinds.

use anser_core::{Dtw, Side};
use num_bigint::BigUint;

use super::HoundsSolver;
use super::census::{BlockCount, HoundsCensus};
use super::games::{games, paths_memory};
use super::lanes::Ends;
use super::reach::Reach;
use super::sets::{Arrangement, Sets};
use super::sweep::{LoneRows, Place, Receiver};
use super::values::Row;
use crate::system::memory::memory_or_most;
use crate::{Event, Observer, SolveError};

/// What [`HoundsSolver::analyse`] is to find out beside the value of the start and the census of what is reachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HoundsOptions {
    /// The census of all positions: about twice the work.
    pub all: bool,
    /// The number of games: on 12 x 12 most of the work.
    pub games: bool,
    /// How much memory may be used, in bytes; `None` for four fifths of what is available.
    pub memory: Option<u64>,
}

impl Default for HoundsOptions {
    /// Everything, in the memory that is available.
    fn default() -> HoundsOptions {
        HoundsOptions { all: true, games: true, memory: None }
    }
}

/// What [`HoundsSolver::analyse`] found. Arrays are by [`Side::index`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoundsReport {
    /// The value of the start.
    pub start: Dtw,
    /// The positions that play from the start can reach, the start and those where the game is over included.
    pub reachable: HoundsCensus,
    /// How many of them each layer has for each side to move, the layers in their numbers' order from 0.
    pub reachable_by_layer: Vec<[u64; 2]>,
    /// All positions, if asked for: every arrangement on the board with either side to move.
    pub all: Option<HoundsCensus>,
    /// The number of different games from the start to an end that each side wins, if asked for.
    pub games: Option<[BigUint; 2]>,
}

impl HoundsSolver {
    /// Solves the game without writing anything, and counts.
    ///
    /// [`memory`](Self::memory) says how much memory it takes.
    ///
    /// # Errors
    /// [`SolveError::Budget`] if the memory does not suffice, [`SolveError::Interrupted`] if the observer asks to stop,
    /// [`SolveError::NoStart`] if the start is not among what it reaches, a defect. Nothing is kept then.
    pub fn analyse(&self, options: HoundsOptions, observer: &dyn Observer) -> Result<HoundsReport, SolveError> {
        let (needed, budget) = (self.memory(options), memory_or_most(options.memory));
        if needed > budget {
            return Err(SolveError::Budget { what: self.name.clone(), needed, budget });
        }
        let sets = &self.sweep.sets;
        let most = sets.most_sum();
        let rows: u64 = (0..=most).map(|sum| u64::from(sets.len(sum))).sum();
        let go_on = |rows: u64| {
            observer.advance(rows);
            !observer.interrupted()
        };
        let work = |what: &str, units: u64| observer.event(&Event::Work { what: what.to_owned(), units });

        work("reachable positions", rows);
        let reach = Reach::new(sets, self.start, go_on).ok_or(SolveError::Interrupted)?;

        work("values", if options.all { 2 * rows } else { rows });
        let mut report = HoundsReport {
            start: Dtw::DRAW,
            reachable: HoundsCensus::default(),
            reachable_by_layer: Vec::new(),
            all: options.all.then(HoundsCensus::default),
            games: None,
        };
        for component in 0..if options.all { 2 } else { 1 } {
            let mut lower = LoneRows::default();
            for sum in (0..=most).rev() {
                lower = self.count_layer(Place { sum, component }, &lower, &reach, &mut report);
                if !go_on(sets.len(sum).into()) {
                    return Err(SolveError::Interrupted);
                }
            }
            if component == 0 {
                report.start = super::codes::decode(Side::First, self.sweep.code(&lower, 0, self.start));
            }
        }
        drop(reach);
        // The start is alone with the lone man to move in the highest layer.
        if report.reachable_by_layer.last().is_none_or(|&[first, _]| first != 1) {
            return Err(SolveError::NoStart(self.name.clone()));
        }

        if options.games {
            let pass = |pass: usize, passes: usize| match pass {
                0 => work("games, nearly", rows),
                _ => work(&format!("games, part {pass} of {passes}"), rows),
            };
            report.games = Some(games(sets, self.start, pass, go_on).ok_or(SolveError::Interrupted)?);
        }
        Ok(report)
    }

    /// The memory that [`analyse`](Self::analyse) takes with these options, in bytes: 8 for each arrangement of the pack (1.2 GiB
    /// on 12 x 12), and two layers of values, one for each position with the fox to move (0.5 GiB); then, if games are
    /// counted, two layers of numbers of paths instead, 8 for each position with the pack to move (4 GiB).
    pub fn memory(&self, options: HoundsOptions) -> u64 {
        let sets = &self.sweep.sets;
        let layers = || (0..=sets.most_sum()).map(|sum| u64::from(sets.len(sum)));
        let (rows, most) = (layers().sum::<u64>(), layers().max().unwrap_or(0));
        let values = 8 * rows + 2 * most * sets.board.lanes() as u64;
        if options.games { values.max(paths_memory(sets.board.lanes(), most)) } else { values }
    }

    fn count_layer(&self, place: Place, lower: &LoneRows, reach: &Reach, report: &mut HoundsReport) -> LoneRows {
        let sets = &self.sweep.sets;
        let everything = report.all.is_some();
        let counts = vec![[BlockCount::new(), BlockCount::new()]; sets.blocks(place.sum).len()];
        let counts = counts.into_iter().map(|counts| Count { sets, place, reach, everything, counts }).collect();
        let (rows, counts) = self.sweep.layer(place, lower, counts);
        let mut in_layer = HoundsCensus::default();
        for Count { counts: [all, reachable], .. } in &counts {
            if let Some(census) = &mut report.all {
                *census += all;
            }
            in_layer += reachable;
            report.reachable += reachable;
        }
        if place.component == 0 {
            let of = |to_move: Side| Side::BOTH.iter().map(|&winner| in_layer.won(to_move, winner)).sum();
            report.reachable_by_layer.push([of(Side::First), of(Side::Second)]);
        }
        rows
    }
}

/// Counts the positions of a block of arrangements, all of them and those that can be reached.
struct Count<'a> {
    sets: &'a Sets,
    place: Place,
    reach: &'a Reach,
    everything: bool,
    counts: [BlockCount; 2],
}

impl Receiver for Count<'_> {
    #[inline(always)]
    fn receive(&mut self, arrangement: &Arrangement, ends: &Ends, row: &Row) {
        let [all, reachable] = &mut self.counts;
        if self.everything {
            all.add_all(self.sets.board.lanes(), ends, row);
        }
        if self.place.component == 0 {
            reachable.add_some(self.reach.of(self.sets, self.place, arrangement.row, ends), ends, row);
        }
    }
}
