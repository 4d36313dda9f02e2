//! Runs: their bytes do not depend on threads or interruptions, and obstacles are reported.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use crate::support::runs::{Discards, Stopper, table, tables};
use anser_core::Hunt;
use anser_solve::{
    Discarded, EngineChoice, Event, Observer, RunObserver, SolveError, SolveOptions, Solved,
    Unobserved, solve,
};

fn options(dir: &Path, top: u16) -> SolveOptions {
    SolveOptions { layers: Some(1..=top), ..SolveOptions::new(dir) }
}

fn chain() -> Hunt {
    Hunt::fox_geese("free+chain").unwrap()
}

#[test]
fn the_bytes_are_the_same_for_one_thread_and_two_and_three() {
    for game in [Hunt::default(), chain(), Hunt::fox_geese("first-capture").unwrap()] {
        let all: Vec<_> = [1, 2, 3]
            .map(|threads| {
                let dir = tempfile::tempdir().unwrap();
                let options = SolveOptions { threads: Some(threads), ..options(dir.path(), 5) };
                let solved = solve(&game, &options, &Unobserved).unwrap();
                let rounds: Vec<u64> =
                    solved.finished.iter().map(|report| report.run.rounds).collect();
                (rounds, tables(dir.path()))
            })
            .into();
        assert_eq!(all[0].1.len(), 5);
        assert!(all.iter().all(|one| *one == all[0]), "{}", game.rules_id());
    }
}

/// Runs until a run finishes, each for twice as long as the one before. Returns the number of
/// interruptions.
fn run_with_interruptions(
    game: &Hunt,
    options: &SolveOptions,
    patience: u64,
    engine: impl Fn(u32) -> EngineChoice,
    check: impl Fn(),
) -> (Solved, u32) {
    let mut interruptions = 0;
    loop {
        let observer = Stopper::after(patience << interruptions);
        let options = SolveOptions { engine: engine(interruptions), ..options.clone() };
        match solve(game, &options, &observer) {
            Ok(solved) => return (solved, interruptions),
            Err(SolveError::Interrupted) => interruptions += 1,
            Err(error) => panic!("{error}"),
        }
        check();
    }
}

#[test]
fn interrupted_runs_resume_and_end_with_the_same_bytes_and_rounds() {
    let game = Hunt::default();
    let whole = tempfile::tempdir().unwrap();
    let solved = solve(&game, &options(whole.path(), 5), &Unobserved).unwrap();
    let rounds =
        |solved: &Solved| solved.finished.last().map(|report| (report.layer, report.run.rounds));
    // The patience doubles after each interruption.
    for (engine, all) in [(EngineChoice::Best, &[1, 20, 300][..]), (EngineChoice::General, &[1])] {
        for &patience in all {
            let dir = tempfile::tempdir().unwrap();
            let nothing_unfinished_has_a_name = || {
                for (name, bytes) in tables(dir.path()) {
                    assert_eq!(bytes, fs::read(whole.path().join(&name)).unwrap(), "{name}");
                }
            };
            let options = options(dir.path(), 5);
            let (last, interruptions) = run_with_interruptions(
                &game,
                &options,
                patience,
                |_| engine,
                nothing_unfinished_has_a_name,
            );
            assert!(interruptions > 0, "patience {patience} was enough for {engine:?}");
            assert_eq!(tables(dir.path()), tables(whole.path()), "{engine:?}");
            assert_eq!(rounds(&last), rounds(&solved), "{engine:?}");
        }
    }
}

#[test]
fn a_second_run_keeps_what_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let game = Hunt::default();
    assert_eq!(solve(&game, &options(dir.path(), 4), &Unobserved).unwrap().finished.len(), 4);
    let before = tables(dir.path());
    let again = solve(&game, &options(dir.path(), 4), &Unobserved).unwrap();
    assert_eq!((again.kept, again.finished.len()), (vec![1, 2, 3, 4], 0));
    assert_eq!(tables(dir.path()), before);
}

#[test]
fn unusable_work_is_replaced_and_foreign_files_are_kept() {
    let game = Hunt::default();
    let (clean, dir) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    solve(&game, &options(clean.path(), 4), &Unobserved).unwrap();
    let sound = fs::read(clean.path().join(table(&game, 4))).unwrap();
    let part = dir.path().join(format!("{}.part", table(&game, 4)));
    // Empty, zeros, a table that is truncated, and one of another layer.
    let other = fs::read(clean.path().join(table(&game, 3))).unwrap();
    let works: [(&[u8], &[Discarded]); 4] = [
        (&[], &[Discarded::CutOff]),
        (&[0; 5000], &[Discarded::Damaged]),
        (&sound[..9000], &[Discarded::OtherVersion]),
        (&other, &[Discarded::OtherVersion]),
    ];
    for (work, discards) in works {
        fs::write(&part, work).unwrap();
        let observer = Discards::default();
        solve(&game, &options(dir.path(), 4), &observer).unwrap();
        assert_eq!(observer.of_layer(4), discards);
        assert_eq!(tables(dir.path()), tables(clean.path()));
        fs::remove_file(dir.path().join(table(&game, 4))).unwrap();
    }
    fs::write(&part, "a foreign file").unwrap();
    let error = solve(&game, &options(dir.path(), 4), &Unobserved).unwrap_err();
    assert!(matches!(error, SolveError::Foreign { .. }), "{error}");
    assert_eq!(fs::read(&part).unwrap(), b"a foreign file");
}

#[test]
#[cfg(unix)]
fn nothing_is_written_through_a_link() {
    let (dir, game) = (tempfile::tempdir().unwrap(), Hunt::default());
    let target = dir.path().join("target");
    fs::write(&target, []).unwrap();
    std::os::unix::fs::symlink(&target, dir.path().join(format!("{}.part", table(&game, 4))))
        .unwrap();
    let error = solve(&game, &options(dir.path(), 4), &Unobserved).unwrap_err();
    assert!(matches!(error, SolveError::Foreign { .. }), "{error}");
    assert_eq!(fs::metadata(&target).unwrap().len(), 0);
}

#[test]
fn a_table_that_a_killed_run_left_without_its_name_is_removed_and_solved_again() {
    let (dir, game) = (tempfile::tempdir().unwrap(), Hunt::default());
    solve(&game, &options(dir.path(), 4), &Unobserved).unwrap();
    let (path, before) = (dir.path().join(table(&game, 4)), tables(dir.path()));
    let leftover = dir.path().join(".anser-killed.part");
    fs::rename(&path, &leftover).unwrap();
    let again = solve(&game, &options(dir.path(), 4), &Unobserved).unwrap();
    assert_eq!((again.kept.len(), again.finished.len()), (3, 1));
    assert_eq!(tables(dir.path()), before);
    assert!(!leftover.exists());
}

#[test]
fn a_lost_manifest_is_written_again_and_a_damaged_one_is_reported_at_once() {
    let (dir, game) = (tempfile::tempdir().unwrap(), Hunt::default());
    solve(&game, &options(dir.path(), 3), &Unobserved).unwrap();
    let manifest = dir.path().join("fox-geese.free.manifest.json");
    fs::remove_file(&manifest).unwrap();
    solve(&game, &options(dir.path(), 3), &Unobserved).unwrap();
    assert_eq!(
        anser_table::manifest::Manifest::load(&manifest).unwrap().unwrap().tables().count(),
        3
    );
    fs::write(&manifest, "{").unwrap();
    let error = solve(&game, &options(dir.path(), 4), &Unobserved).unwrap_err();
    assert!(matches!(error, SolveError::Table(_)), "{error}");
    assert!(!dir.path().join(table(&game, 4)).exists());
}

#[test]
fn with_little_memory_the_fields_go_to_scratch_files_and_the_tables_are_the_same() {
    /// The planned layers with scratch files, the layers that used them, and the planned bytes.
    #[derive(Default)]
    struct Watch(std::sync::Mutex<(Vec<u16>, Vec<u16>, u64)>);
    impl Observer for Watch {}

    impl RunObserver for Watch {
        fn event(&self, event: &Event) {
            let mut seen = self.0.lock().unwrap();
            match event {
                Event::Planned(plan) => {
                    assert!(
                        plan.memory.0 <= plan.memory_budget.unwrap(),
                        "the plan keeps to the budget"
                    );
                    assert!(
                        plan.disk > plan.scratch,
                        "scratch files are among what the disk is needed for"
                    );
                    (seen.0, seen.2) = (plan.spilled(), plan.scratch);
                }
                Event::Spilled { layer, bytes } => {
                    assert!(*bytes <= seen.2);
                    seen.1.push(*layer);
                }
                _ => {}
            }
        }
    }
    let (game, [little, much]) = (Hunt::default(), [(); 2].map(|()| tempfile::tempdir().unwrap()));
    let watch = Watch::default();
    // Layer 6 needs less, and layer 7 more.
    let short =
        SolveOptions { memory: Some(36 << 20), threads: Some(2), ..options(little.path(), 7) };
    let spilled = solve(&game, &short, &watch).unwrap();
    let expected = solve(&game, &options(much.path(), 7), &Unobserved).unwrap();
    let (planned, done, _) = watch.0.into_inner().unwrap();
    assert_eq!((planned, done), (vec![7], vec![7]));
    assert!(tables(little.path()) == tables(much.path()));
    for (a, b) in spilled.finished.iter().zip(&expected.finished) {
        assert_eq!((a.layer, a.run.rounds, &a.run.engine), (b.layer, b.run.rounds, &b.run.engine));
    }
    let names = |dir: &Path| {
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>()
    };
    assert_eq!(names(little.path()).len(), names(much.path()).len(), "{:?}", names(little.path()));
}

#[test]
fn obstacles_are_reported() {
    let (dir, game) = (tempfile::tempdir().unwrap(), Hunt::default());
    let error = |options: SolveOptions| solve(&game, &options, &Unobserved).unwrap_err();

    let missing = error(SolveOptions { layers: Some(6..=7), ..SolveOptions::new(dir.path()) });
    let SolveError::MissingLower { layer, missing, first, last, game: of, rules, .. } = &missing
    else {
        panic!("{missing}")
    };
    assert_eq!((*layer, *missing, *first, *last), (6, 5, 1, 7));
    assert_eq!((&**of, &**rules), ("fox-geese", "free"));

    let layer = error(SolveOptions { layers: Some(1..=32), ..SolveOptions::new(dir.path()) });
    assert!(matches!(layer, SolveError::NoSuchLayer { layer: 32, .. }), "{layer}");

    let memory = error(SolveOptions { memory: Some(1 << 20), ..options(dir.path(), 7) });
    assert!(matches!(memory, SolveError::Memory { layer: 7, budget: 0x10_0000, .. }), "{memory}");

    let file = dir.path().join("file");
    fs::write(&file, "not a directory").unwrap();
    assert!(matches!(error(options(&file, 4)), SolveError::Io { .. }));

    // A foreign file with the name of a table is not overwritten.
    let foreign = dir.path().join(table(&game, 4));
    fs::write(&foreign, "a foreign file").unwrap();
    let table_error = error(options(dir.path(), 4));
    assert!(matches!(table_error, SolveError::Table(_)), "{table_error}");
    assert_eq!(fs::read(&foreign).unwrap(), b"a foreign file");
    assert!(tables(dir.path()).len() == 1, "nothing was solved before the refusal");
}

#[test]
fn two_solvers_do_not_share_a_directory() {
    struct Second<'a>(&'a Path, AtomicU64);
    impl Observer for Second<'_> {}

    impl RunObserver for Second<'_> {
        fn event(&self, _: &Event) {
            if let Err(SolveError::Locked { .. }) =
                solve(&Hunt::default(), &options(self.0, 4), &Unobserved)
            {
                self.1.fetch_add(1, SeqCst);
            }
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let second = Second(dir.path(), AtomicU64::new(0));
    solve(&Hunt::default(), &options(dir.path(), 1), &second).unwrap();
    assert!(second.1.load(SeqCst) > 0);
}
