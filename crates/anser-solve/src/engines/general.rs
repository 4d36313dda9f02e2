//! The general engine of outcomes: any game, by its rules and index alone.
//!
//! Retrograde analysis as a least fixpoint. The fill looks at every position once, for terminal
//! positions and moves to lower layers. Then steps alternate between the sides. A step decides all
//! positions of one side that follow from the decided positions of the other side: won if one move
//! wins, lost if all moves lose. Wins and losses are each found in the cheaper of two ways: by a
//! *sweep* over the moves of all undecided positions, or by going *back* from the frontier, the
//! positions decided last, along un-moves. Both ways decide the same positions, so the number of
//! rounds, of two steps each, is a property of the game, not of threads or interruptions. Positions
//! that are never decided are draws.
//!
//! Values change only from undecided to decided. A step writes the values of one side and reads
//! those of the other, so threads need no order. Every decided value is final, so a copy of the
//! values at any moment is a valid checkpoint, also within the fill and within a step.

mod rounds;
mod values;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anser_core::hunt::Position;
use anser_core::{Dtw, LayerIndex, Outcome, Side};
use anser_retrograde::bits::count;
use anser_retrograde::layer::{FirstLook, Scan, first_look};
use anser_retrograde::parallel;
use anser_table::format::{ENTRIES_PER_PAIR, pairs, payload_len};
use anser_table::{Metric, Tablebase};

use self::rounds::Rounds;
use self::values::Values;
use super::engine::{Effort, Engine, Filled, Needs, Task};
use crate::run::metrics::Metrics;
use crate::{LayerOf, SolveError, check_interrupt};

/// Number of pairs of words that a thread takes at a time: 16,384 entries.
const CHUNK: usize = 256;

/// Positions examined, with all their moves, per class, in all rounds together. Measured: 1.5 to
/// 2.8 in layers 6 to 9 of `first-capture`, half of that under `free`. Layers with more rounds take
/// more.
const LOOKS_PER_CLASS: f64 = 1.5;

/// See the module.
pub(crate) struct General {
    /// Number of chunks between two moments at which a checkpoint may be written.
    segment: usize,
}

impl General {
    pub(crate) fn new() -> General {
        General { segment: 1024 }
    }
}

impl Engine for General {
    fn name(&self) -> &'static str {
        "general"
    }

    fn fills(&self, metrics: Metrics) -> bool {
        metrics == Metrics::from(Metric::Wdl)
    }

    fn needs(&self, of: LayerOf<'_>, _: Metrics) -> Needs {
        let entries = of.entries().into_array();
        let checkpoint = payload_len(entries).saturating_add(held_len(entries));
        // The lower layers are mapped during the fill, the frontier is kept after it.
        let memory = checkpoint.saturating_add(of.lower_outcomes().max(held_len(entries)));
        Needs { memory, checkpoint, ..Needs::default() }
    }

    fn effort(&self, of: LayerOf<'_>) -> Effort {
        Effort { alone: 0.0, shared: LOOKS_PER_CLASS * of.classes() as f64 }
    }

    fn solve(&self, task: &Task<'_>) -> Result<Filled, SolveError> {
        let values = Values::new(task.of().entries());
        let mut reached = match task.checkpoints.take_found() {
            Some(found) => values.restore(found)?,
            None => StepsDone::default(),
        };
        let solved = self.values(task, &values, &mut reached);
        // Every decided value is final, also within a step.
        if matches!(solved, Err(SolveError::Interrupted)) && reached.filled > 0 {
            values.save(task, reached)?;
        }
        solved?;
        let table = task.outcomes()?;
        for side in Side::BOTH {
            let pairs = values.pairs[side].as_flattened();
            let chunks =
                table.groups(side).chunks(parallel::CHUNK).zip(pairs.chunks(parallel::CHUNK));
            parallel::for_each(chunks, &|(to, words)| {
                for (to, word) in to.iter().zip(words) {
                    to.store(word.load(Relaxed), Relaxed);
                }
            });
        }
        Ok(Filled { tables: vec![table], rounds: reached.useful.div_ceil(2) })
    }
}

/// Progress of the values.
#[derive(Clone, Copy, Default)]
struct StepsDone {
    /// The number of pairs of words that are filled, those of the first side first.
    filled: u64,
    /// The number of complete steps. A round has two steps.
    steps: u64,
    /// The last step that decided a class.
    useful: u64,
    /// The number of classes that were decided after it; `None` during the fill.
    decided: Option<u64>,
}

impl General {
    /// Computes the final values.
    fn values(
        &self,
        task: &Task<'_>,
        values: &Values,
        reached: &mut StepsDone,
    ) -> Result<(), SolveError> {
        if reached.decided.is_none() {
            self.fill(task, values, reached)?;
        }
        let mut rounds = Rounds::new(self, task, values, *reached);
        let done = rounds.run();
        *reached = rounds.reached;
        done?;
        if task.index.has_gaps() {
            copy_classes(task.index, values);
        }
        Ok(())
    }

    /// Decides terminal positions, and positions that moves to lower layers decide. Maps the lower
    /// layers.
    fn fill(
        &self,
        task: &Task<'_>,
        values: &Values,
        reached: &mut StepsDone,
    ) -> Result<(), SolveError> {
        let lower = task.lower.open()?;
        task.begin("ends and captures", task.of().classes());
        let mut before = 0;
        for side in Side::BOTH {
            let len = values.pairs[side].len();
            let filled = (reached.filled.saturating_sub(before) as usize).min(len);
            task.advance((filled as u64 * ENTRIES_PER_PAIR).min(values.entries[side]));
            for first in (filled..len).step_by(self.segment * CHUNK) {
                let segment = first..len.min(first + self.segment * CHUNK);
                fill_segment(task, values, &lower, side, segment.clone())?;
                reached.filled = before + segment.end as u64;
                if task.checkpoints.is_due() {
                    values.save(task, *reached)?;
                }
            }
            before += len as u64;
        }
        task.lower.release(lower);
        let decided = |side| count(&decided_bits(values, side));
        reached.decided = Some(Side::BOTH.into_iter().map(decided).sum());
        // A run that resumes from here does not need the lower layers.
        values.save(task, *reached)
    }
}

/// Gives every copy of a class the outcome of the class. Repeated, this changes nothing.
fn copy_classes(index: &impl LayerIndex, values: &Values) {
    for side in Side::BOTH {
        let (pairs, len) = (&values.pairs[side], index.len(side));
        parallel::for_each((0..len).step_by(parallel::CHUNK), &|first| {
            for rank in first..len.min(first + parallel::CHUNK as u64) {
                let Some(of_class) = index.copy_of(side, rank) else { continue };
                let place =
                    |rank: u64| ((rank / ENTRIES_PER_PAIR) as usize, rank % ENTRIES_PER_PAIR);
                let ((from, from_bit), (to, to_bit)) = (place(of_class), place(rank));
                for (from, to) in pairs[from].iter().zip(&pairs[to]) {
                    to.fetch_or((from.load(Relaxed) >> from_bit & 1) << to_bit, Relaxed);
                }
            }
        });
    }
}

/// Returns the length of the bits of held positions, in bytes.
fn held_len(entries: [u64; 2]) -> u64 {
    entries.into_iter().map(|entries| pairs(entries).saturating_mul(8)).fold(0, u64::saturating_add)
}

/// Returns one bit per entry: the position is decided.
fn decided_bits(values: &Values, side: Side) -> Vec<AtomicU64> {
    let bits: Vec<AtomicU64> = parallel::defaults(values.pairs[side].len());
    let chunks = bits.chunks(parallel::CHUNK).zip((0..).step_by(parallel::CHUNK));
    parallel::for_each(chunks, &|(bits, first)| {
        for (bits, pair) in bits.iter().zip(first..) {
            bits.store(values.decided(side, pair), Relaxed);
        }
    });
    bits
}

/// Fills some pairs of words.
fn fill_segment(
    task: &Task<'_>,
    values: &Values,
    lower: &Tablebase,
    side: Side,
    segment: Range<usize>,
) -> Result<(), SolveError> {
    parallel::try_for_each(0..segment.len().div_ceil(CHUNK), &|chunk| {
        check_interrupt(task.observer)?;
        let first = segment.start + chunk * CHUNK;
        let range = first..segment.end.min(first + CHUNK);
        let visited = range.len() as u64 * ENTRIES_PER_PAIR;
        for pair in range {
            let (mut words, mut held) = ([0, 0], 0);
            let first = pair as u64 * ENTRIES_PER_PAIR;
            for entry in first..values.entries[side].min(first + ENTRIES_PER_PAIR) {
                let bit = 1 << (entry - first);
                match seed(task, lower, side, entry)? {
                    Some(Outcome::Win(winner)) => words[winner.index()] |= bit,
                    Some(Outcome::Draw) => held |= bit,
                    None => {}
                }
            }
            for (pair, word) in values.pairs[side][pair].iter().zip(words) {
                pair.store(word, Relaxed);
            }
            values.held[side][pair].store(held, Relaxed);
        }
        task.advance(visited);
        Ok(())
    })
}

/// Returns what terminal positions and lower layers decide of a position: who wins, or that the
/// side to move has a draw.
fn seed(
    task: &Task<'_>,
    lower: &Tablebase,
    side: Side,
    entry: u64,
) -> Result<Option<Outcome>, SolveError> {
    let position = task.index.unrank(side, entry);
    let below =
        |position: &Position| Ok::<_, SolveError>(Dtw::ended(lower.probe_outcome(position)?));
    Ok(match first_look(task.game, task.layer, side, &position, Scan::UntilWon, below)? {
        FirstLook::Over(outcome) => Some(outcome),
        FirstLook::Open { best, stays } => {
            // A move within the layer may be better than a loss.
            let is_final = |&best: &Outcome| !stays || best != Outcome::Win(side.other());
            best.map(Dtw::outcome).filter(is_final)
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::SeqCst;
    use std::time::Duration;

    use anser_core::Hunt;

    use super::*;
    use crate::run::solve_with;
    use crate::{Event, Observer, RunObserver, SolveOptions, Unobserved};

    /// Stops after `left` chunks, and counts the chunks of the fill.
    struct Watch {
        left: AtomicU64,
        filling: std::sync::atomic::AtomicBool,
        filled: AtomicU64,
        resumed: std::sync::atomic::AtomicBool,
    }

    impl Observer for Watch {
        fn begin(&self, what: &str, _: u64) {
            self.filling.store(what == "ends and captures", SeqCst);
        }

        fn interrupted(&self) -> bool {
            let stop = self.left.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1)).is_err();
            if !stop && self.filling.load(SeqCst) {
                self.filled.fetch_add(1, SeqCst);
            }
            stop
        }
    }

    impl RunObserver for Watch {
        fn event(&self, event: &Event) {
            if let Event::Layer { resumed, .. } = event {
                self.resumed.store(resumed.is_some(), SeqCst);
            }
        }
    }

    #[test]
    fn an_interrupted_fill_and_an_interrupted_step_are_resumed_where_they_were() {
        let game = Hunt::default();
        let [whole, dir] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let options = |dir: &std::path::Path, layers| SolveOptions {
            layers: Some(layers),
            checkpoint_every: Duration::ZERO,
            threads: Some(1),
            ..SolveOptions::new(dir)
        };
        let engine = || Box::new(General { segment: 1 });
        let solved =
            solve_with(&game, &options(whole.path(), 1..=4), &Unobserved, engine()).unwrap();
        solve_with(&game, &options(dir.path(), 1..=3), &Unobserved, engine()).unwrap();
        let (mut filled, mut runs, mut resumed) = (0, 0, 0);
        let last = loop {
            // Fewer chunks than the fill has at first, later enough to complete a step.
            let watch = Watch {
                left: AtomicU64::new(7 + runs),
                filling: false.into(),
                filled: 0.into(),
                resumed: false.into(),
            };
            let result = solve_with(&game, &options(dir.path(), 4..=4), &watch, engine());
            filled += watch.filled.into_inner();
            resumed += u64::from(watch.resumed.into_inner());
            runs += 1;
            match result {
                Ok(solved) => break solved,
                Err(SolveError::Interrupted) => assert!(runs < 10_000, "it makes progress"),
                Err(error) => panic!("{error}"),
            }
        };
        let index = game.index(4);
        let chunks: u64 = Side::BOTH
            .map(|side| index.len(side).div_ceil(ENTRIES_PER_PAIR * CHUNK as u64))
            .iter()
            .sum();
        assert!(chunks > 7 && filled == chunks, "no chunk is filled twice: {filled} of {chunks}");
        assert_eq!(resumed, runs - 1);
        assert_eq!(last.finished[0].run.rounds, solved.finished[3].run.rounds);
        let name = crate::io::manifest::table_name(
            &game,
            4,
            anser_table::Metric::Wdl,
            anser_table::Kind::Raw,
        )
        .to_string();
        assert!(
            std::fs::read(dir.path().join(&name)).unwrap()
                == std::fs::read(whole.path().join(&name)).unwrap()
        );
    }
}
