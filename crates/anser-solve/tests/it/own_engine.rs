//! A game from outside the workspace with its own engine, and runs for several metrics.

use std::ops::ControlFlow;
use std::path::Path;

use anser_core::prelude::*;
use anser_core::{Dtw, IndexScheme, Next, NotationError, Outcome, Side};
use anser_solve::{
    Engine, EngineChoice, Filled, Metrics, Solvable, SolveError, SolveOptions, Solved, Task,
    Unobserved, VerifyOptions, plan, solve, verify,
};
use anser_table::{Metric, PositionedReads};

use crate::support::runs::tables;
use crate::support::toy::Toy;

/// Two players take one, two, or three coins from a heap by turns; the last coin wins.
#[derive(Clone, Copy)]
struct Coins {
    /// What the engine of the game returns.
    engine: Returned,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Returned {
    Values,
    TooFewValues,
    NoEngine,
}

const MOST: u16 = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Heap {
    coins: u16,
    to_move: Side,
}

struct HeapIndex;

impl LayerIndex for HeapIndex {
    type Position = Heap;

    fn scheme(&self) -> IndexScheme {
        IndexScheme { name: "coins", version: 1, symmetries: 1 }
    }

    fn len(&self, _: Side) -> u64 {
        u64::from(MOST) + 1
    }

    fn rank(&self, position: &Heap) -> u64 {
        position.coins.into()
    }

    fn unrank(&self, to_move: Side, rank: u64) -> Heap {
        Heap { coins: rank as u16, to_move }
    }
}

impl Rules for Coins {
    type Position = Heap;
    type Move = u16;

    fn name(&self) -> String {
        "coins".into()
    }

    fn rules_id(&self) -> String {
        "standard".into()
    }

    fn fingerprint(&self) -> String {
        "coins most=20 take=1..3 last-coin=wins".into()
    }

    fn start(&self) -> Heap {
        Heap { coins: MOST, to_move: Side::First }
    }

    fn side_to_move(&self, position: &Heap) -> Side {
        position.to_move
    }

    fn terminal(&self, position: &Heap) -> Option<Outcome> {
        (position.coins == 0).then(|| Outcome::Win(position.to_move.other()))
    }

    fn visit_moves<B>(
        &self,
        position: &Heap,
        mut visit: impl FnMut(u16, Next<Heap>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for take in 1..=position.coins.min(3) {
            let next = Heap { coins: position.coins - take, to_move: position.to_move.other() };
            visit(take, Next::Position(next))?;
        }
        ControlFlow::Continue(())
    }
}

impl Layers for Coins {
    type Index = HeapIndex;

    fn visit_unmoves<B>(
        &self,
        position: &Heap,
        mut visit: impl FnMut(u16, Heap) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for take in 1..=3.min(MOST - position.coins) {
            visit(take, Heap { coins: position.coins + take, to_move: position.to_move.other() })?;
        }
        ControlFlow::Continue(())
    }

    fn index(&self, _: u16) -> HeapIndex {
        HeapIndex
    }
}

impl Notation for Coins {
    fn side_name(&self, side: Side) -> &'static str {
        if side == Side::First { "anna" } else { "bob" }
    }

    fn parse_position(&self, text: &str) -> Result<Heap, NotationError> {
        let wrong = || NotationError::new(1, "a heap is a number of coins and a side", "12 a");
        let (coins, side) = text.split_once(' ').ok_or_else(wrong)?;
        let to_move = if side == "a" { Side::First } else { Side::Second };
        Ok(Heap { coins: coins.parse().map_err(|_| wrong())?, to_move })
    }

    fn format_position(&self, position: &Heap) -> String {
        format!("{} {}", position.coins, if position.to_move == Side::First { "a" } else { "b" })
    }

    fn parse_move(&self, position: &Heap, text: &str) -> Result<u16, NotationError> {
        let legal = text.parse().ok().filter(|take| (1..=position.coins.min(3)).contains(take));
        legal.ok_or_else(|| NotationError::new(1, "take 1, 2, or 3 coins", "3"))
    }

    fn format_move(&self, mv: &u16) -> String {
        mv.to_string()
    }

    fn diagram(&self, position: &Heap) -> String {
        "o".repeat(position.coins.into())
    }
}

impl Solvable for Coins {
    fn engines(&self) -> Vec<Box<dyn Engine<Coins>>> {
        match self.engine {
            Returned::NoEngine => Vec::new(),
            Returned::Values | Returned::TooFewValues => vec![Box::new(FromBelow)],
        }
    }
}

/// Solves heaps from the smallest to the largest: no move leads to a larger one.
struct FromBelow;

impl Engine<Coins> for FromBelow {
    fn name(&self) -> &'static str {
        "from-below"
    }

    fn fills(&self, _: Metrics) -> bool {
        true
    }

    fn memory(&self, _: &Coins, _: u16, index: &HeapIndex) -> u64 {
        Side::BOTH.iter().map(|&side| 2 * index.len(side)).sum()
    }

    fn solve(&self, task: &Task<'_, Coins>) -> Result<Filled, SolveError> {
        task.check_interrupt()?;
        let (game, index) = (task.game(), task.index());
        let heaps = index.len(Side::First);
        task.begin("heaps", heaps);
        let mut codes = [Vec::new(), Vec::new()];
        for rank in 0..heaps {
            let values = Side::BOTH.map(|side| {
                let position = index.unrank(side, rank);
                if let Some(outcome) = game.terminal(&position) {
                    return Dtw::ended(outcome);
                }
                let after = game.moves(&position).into_iter().map(|(_, next)| match next {
                    Next::End(end) => Dtw::ended(end.outcome),
                    Next::Position(next) => {
                        Dtw::from_code(codes[side.other().index()][index.rank(&next) as usize])
                            .expect("a smaller heap")
                    }
                });
                after
                    .map(Dtw::before)
                    .max_by_key(|value| value.score(side))
                    .expect("there is a move")
            });
            for (codes, value) in codes.iter_mut().zip(values) {
                codes.push(value.code());
            }
            task.advance(1);
        }
        if game.engine == Returned::TooFewValues {
            codes[0].pop();
        }
        Ok(Filled::new(codes.into(), u64::from(MOST)))
    }
}

fn options(dir: &Path, metrics: impl Into<Metrics>) -> SolveOptions {
    SolveOptions { metrics: metrics.into(), threads: Some(2), ..SolveOptions::new(dir) }
}

fn both() -> Metrics {
    Metrics::from_iter(Metric::ALL)
}

fn passes(solved: &Solved) -> Vec<(u16, Metric, &str)> {
    solved
        .finished
        .iter()
        .map(|report| (report.layer, report.metric, &*report.run.engine))
        .collect()
}

#[test]
fn an_engine_of_the_game_fills_both_metrics_in_one_pass_and_writes_the_bytes_of_the_general_ones() {
    let game = Coins { engine: Returned::Values };
    let [own, general] =
        [tempfile::tempdir(), tempfile::tempdir()].map(|dir| dir.expect("a temporary directory"));
    let planned = plan(&game, &options(own.path(), both())).expect("it can be planned");
    assert_eq!(planned.engines(), [("from-below", 1)]);
    assert!(planned.passes[0].metrics == both());
    let solved = solve(&game, &options(own.path(), both()), &Unobserved).expect("it can be solved");
    assert_eq!(passes(&solved), [(0, Metric::Wdl, "from-below"), (0, Metric::Dtw, "from-below")]);
    for metric in Metric::ALL {
        let options =
            SolveOptions { engine: EngineChoice::General, ..options(general.path(), metric) };
        solve(&game, &options, &Unobserved).expect("it can be solved");
    }
    let own_tables = tables(own.path());
    assert_eq!(own_tables.len(), 2);
    assert!(own_tables == tables(general.path()));
    let full = VerifyOptions { full: true, ..VerifyOptions::default() };
    let verified = verify(&game, &[own.path().to_owned()], &full, &PositionedReads, &Unobserved);
    assert!(verified.expect("it can be verified").iter().all(|table| table.problems.is_empty()));
}

#[test]
fn a_game_without_engines_is_solved_by_the_general_ones() {
    let game = Coins { engine: Returned::NoEngine };
    let dir = tempfile::tempdir().expect("a temporary directory");
    let solved =
        solve(&game, &options(dir.path(), Metric::Wdl), &Unobserved).expect("it can be solved");
    assert_eq!(passes(&solved), [(0, Metric::Wdl, "general")]);
    let solved = solve(&game, &options(dir.path(), both()), &Unobserved).expect("it can be solved");
    assert_eq!(
        passes(&solved),
        [(0, Metric::Dtw, "general-distances")],
        "only what is missing is solved"
    );
    let solved = solve(&game, &options(dir.path(), both()), &Unobserved).expect("it can be solved");
    assert!(solved.finished.is_empty() && solved.kept == [0]);
}

#[test]
fn an_engine_that_returns_too_few_values_is_an_error_and_leaves_no_table() {
    let game = Coins { engine: Returned::TooFewValues };
    let dir = tempfile::tempdir().expect("a temporary directory");
    let error = solve(&game, &options(dir.path(), Metric::Dtw), &Unobserved)
        .expect_err("a value is missing");
    assert!(
        matches!(error, SolveError::WrongLength { engine: "from-below", layer: 0, .. }),
        "{error}"
    );
    assert!(tables(dir.path()).is_empty());
}

#[test]
fn outcomes_and_distances_of_one_run_are_those_of_two() {
    let game = Toy { waits: true, tells: true };
    let [once, twice] =
        [tempfile::tempdir(), tempfile::tempdir()].map(|dir| dir.expect("a temporary directory"));
    let solved =
        solve(&game, &options(once.path(), both()), &Unobserved).expect("it can be solved");
    assert!(
        passes(&solved).iter().all(|&(_, _, engine)| engine == "general-distances"),
        "one pass for each layer"
    );
    for metric in Metric::ALL {
        solve(&game, &options(twice.path(), metric), &Unobserved).expect("it can be solved");
    }
    let once = tables(once.path());
    assert_eq!(once.len(), 2 * game.layers().count());
    assert!(once == tables(twice.path()));
}
