//! Tables of distances of Fox-and-Hounds and Hasenspiel: the engine of whole rows writes the bytes of the general one.

use std::ops::RangeInclusive;
use std::path::Path;

use anser_core::fox_hounds::{FoxHounds, RuleSet};
use anser_core::hasenspiel::{self, Hasenspiel};
use anser_core::{Dtw, Game, Side};
use anser_solve::{EngineChoice, SolveOptions, Unobserved, VerifyOptions, solve, verify};
use anser_table::{Metric, PositionedReads, Tablebase};

fn options(dir: &Path, engine: EngineChoice, layers: RangeInclusive<u16>) -> SolveOptions {
    SolveOptions { engine, layers: Some(layers), metric: Metric::Dtw, threads: Some(2), ..SolveOptions::new(dir) }
}

/// The tables of a directory with their bytes, by name.
fn tables(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut tables: Vec<(String, Vec<u8>)> = std::fs::read_dir(dir)
        .expect("the directory is there")
        .map(|file| file.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "anser"))
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read(&path).expect("the table can be read"))
        })
        .collect();
    tables.sort();
    tables
}

fn both_engines_agree<G: Game>(game: &G, layers: RangeInclusive<u16>) {
    let [rows, general] = [tempfile::tempdir(), tempfile::tempdir()].map(|dir| dir.expect("a temporary directory"));
    let solved = solve(game, &options(rows.path(), EngineChoice::Best, layers.clone()), &Unobserved);
    let solved = solved.expect("the game can be solved");
    assert!(solved.finished.iter().all(|report| report.run.engine == "rows"), "{}", game.name());
    solve(game, &options(general.path(), EngineChoice::General, layers), &Unobserved).expect("the game can be solved");
    let (rows, general) = (tables(rows.path()), tables(general.path()));
    assert_eq!(rows.len(), solved.finished.len());
    assert!(rows == general, "{}, rules {}: the tables differ", game.name(), game.rules_id());
}

#[test]
fn the_tables_are_those_of_the_general_engine_in_both_halves_of_the_game() {
    for rules in RuleSet::all() {
        for size in [2, 4, 6] {
            let game = FoxHounds::new(size, rules).expect("there is such a board");
            both_engines_agree(&game, game.layers());
        }
    }
    for rules in hasenspiel::RuleSet::all() {
        // The lowest layers of either half; the others of this size are in the examples of the engine.
        let game = Hasenspiel::new(rules);
        both_engines_agree(&game, 0..=9);
        both_engines_agree(&game, 29..=33);
    }
}

#[test]
fn a_run_that_was_stopped_goes_on_from_the_table_below() {
    let game = FoxHounds::new(6, RuleSet::Escape).expect("there is such a board");
    let [once, twice] = [tempfile::tempdir(), tempfile::tempdir()].map(|dir| dir.expect("a temporary directory"));
    solve(&game, &options(once.path(), EngineChoice::Best, 0..=15), &Unobserved).expect("it can be solved");
    for layers in [0..=7, 0..=15] {
        solve(&game, &options(twice.path(), EngineChoice::Best, layers), &Unobserved).expect("it can be solved");
    }
    assert!(tables(once.path()) == tables(twice.path()));

    let tables = Tablebase::open(game, [once.path()]).expect("there are tables");
    assert_eq!(tables.probe_dtw(&game.start()).expect("the start is there"), Dtw::win(Side::First, 21));
    let full = VerifyOptions { full: true, ..VerifyOptions::default() };
    let verified = verify(&game, &[once.path().to_owned()], &full, &PositionedReads, &Unobserved)
        .expect("every value follows from its successors");
    assert_eq!(verified.len(), 16);
}
