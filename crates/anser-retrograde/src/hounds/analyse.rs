//! The analysis of a whole game: the value of the start, the censuses, and the number of games.

use anser_core::{Dtw, Side};

use super::census::{BlockCount, Counts};
use super::games::{games, paths_memory};
use super::lanes::Ends;
use super::reach::Reach;
use super::sets::{Arrangement, Sets};
use super::solver::HoundsSolver;
use super::sweep::{LayerCoords, LoneRows, Receiver};
use super::values::Row;
use crate::census::Census;
use crate::error::AnalyseError;
use crate::limits::Limits;
use crate::tally::Tally;

/// Optional results of [`HoundsSolver::analyse`], beside the value of the start and the census of
/// the reachable positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HoundsOptions {
    /// The census of all positions: about twice the work.
    pub all: bool,
    /// The number of games: on 12 x 12 most of the work.
    pub games: bool,
}

impl Default for HoundsOptions {
    /// Everything.
    fn default() -> HoundsOptions {
        HoundsOptions { all: true, games: true }
    }
}

/// Result of [`HoundsSolver::analyse`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoundsReport {
    /// The value of the start.
    pub start: Dtw,
    /// The positions that play from the start can reach, the start and terminal positions included.
    pub reachable: Census,
    /// All positions, if requested: every arrangement on the board with either side to move.
    pub all: Option<Census>,
    /// The number of different games from the start, if requested.
    pub games: Option<Tally>,
}

impl HoundsSolver {
    /// Solves the game without writing anything, and counts.
    ///
    /// [`memory`](Self::memory) returns how much memory it takes.
    ///
    /// # Errors
    /// [`AnalyseError::UnusualStart`] if the start is not [the usual one](Self::is_usual_start),
    /// [`AnalyseError::Memory`] if the memory does not suffice, [`AnalyseError::Interrupted`] if
    /// the observer interrupts, [`AnalyseError::Lost`] if the start is not among what it reaches, a
    /// defect.
    pub fn analyse(
        &self,
        options: HoundsOptions,
        limits: &Limits<'_>,
    ) -> Result<HoundsReport, AnalyseError> {
        if !self.usual_start {
            return Err(AnalyseError::UnusualStart { game: self.name.clone() });
        }
        let (needed, allowed) = (self.memory(options), limits.memory);
        if needed > allowed {
            return Err(AnalyseError::Memory { what: self.name.clone(), needed, allowed });
        }
        let observer = limits.observer;
        let sets = &self.sets;
        let most = sets.max_sum();
        let rows: u64 = (0..=most).map(|sum| u64::from(sets.len(sum))).sum();
        let go_on = |rows: u64| {
            observer.advance(rows);
            !observer.interrupted()
        };

        observer.begin("reachable positions", rows);
        let reach = Reach::new(sets, self.start, go_on).ok_or(AnalyseError::Interrupted)?;
        if reach.starts() != 1 {
            return Err(AnalyseError::Lost { position: self.start_text.clone() });
        }

        observer.begin("values", if options.all { 2 * rows } else { rows });
        let (mut reachable, mut all) = (Counts::new(), Counts::new());
        let mut start = Dtw::DRAW;
        for component in 0..if options.all { 2 } else { 1 } {
            let mut lower = LoneRows::default();
            for sum in (0..=most).rev() {
                let coords = LayerCoords { sum, component };
                let counts;
                (lower, counts) = self.count_layer(coords, &lower, &reach, options.all);
                for Count { counts: [of_all, of_reachable], .. } in &counts {
                    all += of_all;
                    reachable += of_reachable;
                }
                if !go_on(sets.len(sum).into()) {
                    return Err(AnalyseError::Interrupted);
                }
            }
            if component == 0 {
                start = super::codes::decode(Side::First, self.code(&lower, 0, self.start));
            }
        }
        drop(reach);

        let mut tally = None;
        if options.games {
            let pass = |pass: usize, passes: usize| match pass {
                0 => observer.begin("games, nearly", rows),
                _ => observer.begin(&format!("games, part {pass} of {passes}"), rows),
            };
            let won = games(sets, self.start, pass, go_on).ok_or(AnalyseError::Interrupted)?;
            tally = Some(Tally::won_by(won));
        }
        Ok(HoundsReport {
            start,
            reachable: reachable.census(&self.names),
            all: options.all.then(|| all.census(&self.names)),
            games: tally,
        })
    }

    /// The memory that [`analyse`](Self::analyse) takes with these options, in bytes: 8 for each
    /// arrangement of the pack (1.2 GiB on 12 x 12), and two layers of values, one for each
    /// position with the fox to move (0.5 GiB); then, if games are counted, two layers of numbers
    /// of paths instead, 8 for each position with the pack to move (4 GiB).
    pub fn memory(&self, options: HoundsOptions) -> u64 {
        let sets = &self.sets;
        let layers = || (0..=sets.max_sum()).map(|sum| u64::from(sets.len(sum)));
        let (rows, most) = (layers().sum::<u64>(), layers().max().unwrap_or(0));
        let values = 8 * rows + 2 * most * sets.board.lanes() as u64;
        if options.games { values.max(paths_memory(sets.board.lanes(), most)) } else { values }
    }

    /// Computes the values of a layer, and counts the positions of its blocks.
    fn count_layer<'a>(
        &'a self,
        coords: LayerCoords,
        lower: &LoneRows,
        reach: &'a Reach,
        everything: bool,
    ) -> (LoneRows, Vec<Count<'a>>) {
        let sets = &self.sets;
        let blocks = sets.blocks(coords.sum);
        let none = || [BlockCount::new(), BlockCount::new()];
        let counts =
            blocks.iter().map(|_| Count { sets, coords, reach, everything, counts: none() });
        self.layer(coords, lower, counts.collect())
    }
}

/// Counts the positions of a block of arrangements, all of them and those that can be reached.
struct Count<'a> {
    sets: &'a Sets,
    coords: LayerCoords,
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
        if self.coords.component == 0 {
            reachable.add_lanes(
                self.reach.of(self.sets, self.coords, arrangement.row, ends),
                ends,
                row,
            );
        }
    }
}
