//! Values come from tables that hold what is asked, and otherwise from memory.

use anser_core::{Hunt, LayerIndex, Probe, Side};
use anser_games::{Audience, EMBEDDED, Files, Registry, Scope, SearchPath, Values, explain};
use anser_solve::{SolveOptions, Unobserved};
use anser_table::{Metric, PositionedReads};

/// Finds the values of a layer.
fn find(game: &Hunt, layer: u16, metric: Metric, path: &SearchPath, solves: bool) -> Values {
    let registry = Registry::standard();
    let files = Files::new(&registry, path.clone(), &PositionedReads);
    let files = Files { solves: if solves { |_| true } else { |_| false }, ..files };
    Values::find(game, &Scope::Layers(layer..=layer), metric, &files).expect("values")
}

#[test]
fn tables_that_hold_what_is_asked_come_first() {
    let game = Registry::standard().game("fox-geese", Some("free")).expect("a game");
    let embedded = SearchPath::embedded();
    // The embedded tables have outcomes of 7 layers.
    assert!(find(&game, 2, Metric::Wdl, &embedded, true).tables().is_some());
    let solved = find(&game, 2, Metric::Dtw, &embedded, true);
    assert!(solved.tables().is_none());
    let nothing = SearchPath::default();
    assert!(find(&game, 2, Metric::Wdl, &nothing, true).tables().is_none());

    // Tables of distances come before memory, and both have the same values.
    let dir = tempfile::tempdir().expect("a directory");
    let options = SolveOptions {
        layers: Some(1..=2),
        metrics: Metric::Dtw.into(),
        ..SolveOptions::new(dir.path())
    };
    anser_solve::solve(&game, &options, &Unobserved).expect("solved");
    let both = SearchPath { directories: vec![dir.path().to_owned()], embedded: true };
    let tables = find(&game, 2, Metric::Dtw, &both, true);
    assert!(tables.tables().is_some());
    let index = game.index(2);
    for side in Side::BOTH {
        for rank in (0..index.len(side)).step_by(7) {
            let position = index.unrank(side, rank);
            assert_eq!(tables.value(&position).ok(), solved.value(&position).ok());
        }
    }
}

#[test]
fn otherwise_the_error_says_where_tables_were_searched_and_what_makes_them() {
    let game = Registry::standard().game("fox-geese", Some("free")).expect("a game");
    let start = game.start();
    let values = find(&game, 13, Metric::Wdl, &SearchPath::embedded(), false);
    let error = values.value(&start).expect_err("no table has the layer");
    let explained = explain(&error, Audience::CommandLine(&Registry::standard()));
    assert!(explained.message.ends_with(&format!("in {EMBEDDED}")), "{explained}");
    let command = "anser solve fox-geese --rules free --layers 1-13";
    assert_eq!(explained.command(), Some(command));
}
