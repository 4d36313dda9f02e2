//! Fox-and-Hounds and Hasenspiel: the engine of whole rows writes the same bytes as the general
//! engine.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anser_core::{Dtw, Hunt, Side};
use anser_solve::{
    EngineChoice, Event, Observer, PackOptions, RunObserver, SolveError, SolveOptions, Unobserved,
    VerifyOptions, pack, solve, verify,
};
use anser_table::{Metric, PositionedReads, Tablebase};

use crate::support::runs::tables;

fn options(dir: &Path, engine: EngineChoice, layers: RangeInclusive<u16>) -> SolveOptions {
    of_metric(Metric::Dtw, dir, engine, layers)
}

fn of_metric(
    metric: Metric,
    dir: &Path,
    engine: EngineChoice,
    layers: RangeInclusive<u16>,
) -> SolveOptions {
    SolveOptions {
        engine,
        layers: Some(layers),
        metrics: metric.into(),
        threads: Some(2),
        ..SolveOptions::new(dir)
    }
}

fn both_engines_agree(game: &Hunt, layers: RangeInclusive<u16>) {
    for metric in [Metric::Dtw, Metric::Wdl] {
        both_engines_agree_on(metric, game, layers.clone());
    }
}

fn both_engines_agree_on(metric: Metric, game: &Hunt, layers: RangeInclusive<u16>) {
    let [rows, general] =
        [tempfile::tempdir(), tempfile::tempdir()].map(|dir| dir.expect("a temporary directory"));
    let solved = solve(
        game,
        &of_metric(metric, rows.path(), EngineChoice::Best, layers.clone()),
        &Unobserved,
    );
    let solved = solved.expect("the game can be solved");
    assert!(solved.finished.iter().all(|report| report.run.engine == "rows"), "{}", game.name());
    let general_options = of_metric(metric, general.path(), EngineChoice::General, layers);
    solve(game, &general_options, &Unobserved).expect("the game can be solved");
    let (rows, general) = (tables(rows.path()), tables(general.path()));
    assert_eq!(rows.len(), solved.finished.len());
    assert!(rows == general, "{}, rules {}: the tables differ", game.name(), game.rules_id());
}

#[test]
fn the_tables_are_those_of_the_general_engine_in_both_halves_of_the_game() {
    for rules in ["escape", "strict"] {
        for size in [2, 4, 6] {
            let game = Hunt::fox_hounds(size, rules).expect("there is such a board");
            both_engines_agree(&game, game.layers());
        }
    }
    for rules in ["literal", "author"] {
        // The lowest layers of both halves. The examples of the engine cover the others.
        let game = Hunt::hasenspiel(8, 4, rules).unwrap();
        both_engines_agree(&game, 0..=9);
        both_engines_agree(&game, 29..=33);
    }
}

#[test]
fn outcomes_of_the_large_boards_are_those_of_the_general_engine_in_every_layer() {
    for rules in ["escape", "strict"] {
        let game = Hunt::fox_hounds(8, rules).expect("there is such a board");
        both_engines_agree_on(Metric::Wdl, &game, game.layers());
    }
    for rules in ["literal", "author"] {
        let game = Hunt::hasenspiel(8, 4, rules).unwrap();
        both_engines_agree_on(Metric::Wdl, &game, game.layers());
    }
}

#[test]
fn outcomes_follow_from_a_table_of_outcomes_and_from_a_packed_one() {
    let game = Hunt::fox_hounds(6, "escape").expect("there is such a board");
    let [once, twice, packed] =
        [(); 3].map(|()| tempfile::tempdir().expect("a temporary directory"));
    let options = |dir: &Path, layers| of_metric(Metric::Wdl, dir, EngineChoice::Best, layers);
    solve(&game, &options(once.path(), 0..=15), &Unobserved).expect("it can be solved");
    for layers in [0..=0, 1..=4, 5..=12, 13..=15] {
        solve(&game, &options(twice.path(), layers), &Unobserved).expect("it can be solved");
    }
    assert!(tables(once.path()) == tables(twice.path()));

    // Packed tables omit values that look-ahead gives.
    let pack_options = PackOptions {
        from: vec![once.path().to_owned()],
        out: packed.path().to_owned(),
        layers: Some(0..=7),
        level: None,
        threads: Some(2),
        metric: None,
    };
    pack(&game, &pack_options, &Unobserved).expect("they can be packed");
    let solved =
        solve(&game, &options(packed.path(), 8..=15), &Unobserved).expect("it can be solved");
    let engines: Vec<&str> =
        solved.finished.iter().map(|report| report.run.engine.as_str()).collect();
    assert_eq!(engines, ["rows"; 8]);
    assert!(tables(packed.path()).into_iter().eq(tables(once.path()).into_iter().skip(8)));
}

#[test]
fn an_unfinished_table_of_another_engine_is_removed() {
    let game = Hunt::fox_hounds(6, "escape").expect("there is such a board");
    let dir = tempfile::tempdir().expect("a temporary directory");
    let general = of_metric(Metric::Wdl, dir.path(), EngineChoice::General, 0..=15);
    let stopped = solve(&game, &general, &StopAt { layer: 7, met: AtomicBool::new(false) });
    assert!(matches!(stopped, Err(SolveError::Interrupted)), "{stopped:?}");
    solve(&game, &of_metric(Metric::Wdl, dir.path(), EngineChoice::Best, 0..=15), &Unobserved)
        .expect("it is solved");
    let files = std::fs::read_dir(dir.path())
        .expect("it is there")
        .map(|file| file.expect("a file").path());
    let parts: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "part"))
        .collect();
    assert!(parts.is_empty(), "{parts:?}");
    assert_eq!(tables(dir.path()).len(), 16);
}

/// Interrupts a run in a layer.
struct StopAt {
    layer: u16,
    met: AtomicBool,
}

impl Observer for StopAt {
    fn interrupted(&self) -> bool {
        self.met.load(Relaxed)
    }
}

impl RunObserver for StopAt {
    fn event(&self, event: &Event) {
        if matches!(event, Event::Layer { layer, .. } if *layer == self.layer) {
            self.met.store(true, Relaxed);
        }
    }
}

#[test]
fn an_interrupted_run_resumes_from_the_table_below() {
    let game = Hunt::fox_hounds(6, "escape").expect("there is such a board");
    let [once, twice] =
        [tempfile::tempdir(), tempfile::tempdir()].map(|dir| dir.expect("a temporary directory"));
    solve(&game, &options(once.path(), EngineChoice::Best, 0..=15), &Unobserved)
        .expect("it can be solved");
    for layers in [0..=7, 0..=15] {
        solve(&game, &options(twice.path(), EngineChoice::Best, layers), &Unobserved)
            .expect("it can be solved");
    }
    assert!(tables(once.path()) == tables(twice.path()));

    let tables = Tablebase::open(game.clone(), [once.path()]).expect("there are tables");
    assert_eq!(
        tables.probe_distance(&game.start()).expect("the start is there"),
        Dtw::win(Side::First, 21)
    );
    let full = VerifyOptions { full: true, ..VerifyOptions::default() };
    let verified = verify(&game, &[once.path().to_owned()], &full, &PositionedReads, &Unobserved)
        .expect("every value follows from its successors");
    assert_eq!(verified.len(), 16);
}
