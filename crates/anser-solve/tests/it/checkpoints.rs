//! Unfinished work that a run did not write like this: damaged, truncated, of mixed age, or
//! foreign.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::Duration;

use anser_core::Hunt;
use anser_solve::{
    Discarded, EngineChoice, Event, Observer, RunObserver, SolveError, SolveOptions, Unobserved,
    solve,
};
use anser_table::Metric;
use tempfile::TempDir;

use crate::support::runs::{Discards, table, table_of, tables};
use crate::support::tables::Random;

const LAYER: u16 = 4;

/// One layer of a game, solved by one engine.
struct Case {
    game: Hunt,
    engine: EngineChoice,
    metric: Metric,
    dir: TempDir,
    expected: Vec<u8>,
    rounds: u64,
}

impl Case {
    /// Returns cases of the bit-parallel engine and of the general one, for outcomes and distances.
    fn all() -> impl Iterator<Item = Case> {
        let engines = [EngineChoice::Best, EngineChoice::General];
        engines
            .into_iter()
            .flat_map(|engine| Metric::ALL.into_iter().map(move |metric| Case::new(engine, metric)))
    }

    fn new(engine: EngineChoice, metric: Metric) -> Case {
        let (game, dir) = (Hunt::default(), TempDir::new().unwrap());
        let options = SolveOptions {
            layers: Some(1..=LAYER),
            engine,
            metrics: metric.into(),
            ..SolveOptions::new(dir.path())
        };
        let solved = solve(&game, &options, &Unobserved).unwrap();
        let path = dir.path().join(table_of(&game, LAYER, metric));
        let expected = fs::read(&path).unwrap();
        fs::remove_file(path).unwrap();
        let rounds = solved.finished.last().unwrap().run.rounds;
        Case { game, engine, metric, dir, expected, rounds }
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join(table_of(&self.game, LAYER, self.metric))
    }

    fn part(&self) -> PathBuf {
        self.dir.path().join(format!("{}.part", table_of(&self.game, LAYER, self.metric)))
    }

    fn options(&self) -> SolveOptions {
        SolveOptions {
            layers: Some(LAYER..=LAYER),
            engine: self.engine,
            metrics: self.metric.into(),
            ..SolveOptions::new(self.dir.path())
        }
    }

    /// Returns the unfinished file after each interruption of a run.
    fn states(&self) -> Vec<Vec<u8>> {
        let mut states = Vec::new();
        loop {
            match solve(&self.game, &self.options(), &StopAfterSteps(AtomicU64::new(3))) {
                Ok(_) => break,
                Err(SolveError::Interrupted) => states.push(fs::read(self.part()).unwrap()),
                Err(error) => panic!("{error}"),
            }
            assert!(states.len() < 100);
        }
        assert!(fs::read(self.path()).unwrap() == self.expected);
        fs::remove_file(self.path()).unwrap();
        states.dedup();
        assert!(states.len() >= 4, "{:?}: {} checkpoints", self.engine, states.len());
        states
    }

    /// Solves the layer with `part` as the unfinished file. Returns what was discarded.
    #[track_caller]
    fn resume(&self, part: &[u8], what: &str) -> Vec<Discarded> {
        fs::write(self.part(), part).unwrap();
        let discards = Discards::default();
        let solved = solve(&self.game, &self.options(), &discards)
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(fs::read(self.path()).unwrap() == self.expected, "{:?}: {what}", self.engine);
        assert_eq!(solved.finished[0].run.rounds, self.rounds, "{:?}: {what}", self.engine);
        fs::remove_file(self.path()).unwrap();
        discards.of_layer(LAYER)
    }
}

/// Interrupts a run after a number of half rounds.
struct StopAfterSteps(AtomicU64);

impl Observer for StopAfterSteps {
    fn interrupted(&self) -> bool {
        self.0.load(SeqCst) == 0
    }
}

impl RunObserver for StopAfterSteps {
    fn event(&self, event: &Event) {
        if matches!(event, Event::Step { .. }) {
            let _ = self.0.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1));
        }
    }
}

fn flip(part: &mut [u8], random: &mut Random, range: std::ops::Range<usize>) -> String {
    let at = range.start + random.index(range.len());
    let bit = random.index(8);
    part[at] ^= 1 << bit;
    format!("bit {bit} of byte {at}")
}

// A unit test flips every bit of a file, and cuts it off everywhere. So the runs of one engine are
// enough to see what follows from that; the others show that they ask.
#[test]
fn a_flipped_bit_of_unfinished_work_is_found_and_changes_nothing() {
    for (number, case) in Case::all().enumerate() {
        let mut random = Random(1);
        for state in case.states().iter().rev().take(1) {
            assert_eq!(case.resume(state, "undamaged"), []);
            let len = state.len();
            let all = [88..len - 16, 8..16, 0..8, 16..24, 24..48, 48..88, len - 16..len - 8];
            for range in &all[..if number == 0 { all.len() } else { 2 }] {
                let mut part = state.clone();
                let what = flip(&mut part, &mut random, range.clone());
                let expected = match range.start {
                    8 => Discarded::OtherVersion,
                    16 => Discarded::OtherEngine,
                    _ => Discarded::Damaged,
                };
                assert_eq!(case.resume(&part, &what), [expected], "{what}");
            }
        }
    }
}

#[test]
fn truncated_work_is_begun_again() {
    for (number, case) in Case::all().enumerate() {
        let mut random = Random(2);
        let state = case.states().pop().unwrap();
        let len = state.len();
        let at_random = 1 + random.index(len - 1);
        let all = [len / 2, len - 1, 0, 1, 8, 63, len / 2 + 4, at_random, len - 8];
        for &left in &all[..if number == 0 { all.len() } else { 2 }] {
            let discards = case.resume(&state[..left], "cut off");
            let [what] = discards[..] else { panic!("{discards:?}") };
            let is_found = matches!(what, Discarded::CutOff | Discarded::Damaged);
            assert!(is_found, "{left} of {len} bytes: {what:?}");
        }
        let longer: Vec<u8> = state.iter().copied().chain([0; 4096]).collect();
        assert_eq!(case.resume(&longer, "longer"), [Discarded::Damaged]);
    }
}

/// Checkpoints are put in place as a whole. Should a disk mix two of them all the same, the
/// checksum tells.
#[test]
fn pages_of_different_age_after_a_loss_of_power_change_nothing() {
    for case in Case::all() {
        let mut random = Random(3);
        let states = case.states();
        for _ in 0..4 {
            let at = 1 + random.index(states.len() - 1);
            let (old, new) = (&states[at - 1], &states[at]);
            let share = 1 + random.index(7);
            let page = 1 << 9;
            let mixed: Vec<u8> = old
                .chunks(page)
                .zip(new.chunks(page))
                .flat_map(|(old, new)| if random.index(8) < share { new } else { old })
                .copied()
                .collect();
            let is_one = mixed == *old || mixed == *new;
            let discards = case.resume(&mixed, "mixed");
            assert_eq!(discards.is_empty(), is_one, "{discards:?}");
        }
    }
}

#[test]
fn work_and_tables_in_another_layout_are_of_another_version() {
    let case = Case::new(EngineChoice::General, Metric::Wdl);
    // A table with the name of unfinished work, unfinished as the first versions wrote it: with its
    // header first.
    let header = anser_table::format::Header::new_raw(
        &case.game,
        LAYER,
        &case.game.index(LAYER),
        None,
        "anser 0.1.0",
    )
    .unwrap();
    let payload = header.layout().payload;
    let mut part = vec![0; header.layout().file_len() as usize + payload.len as usize / 2 + 4096];
    part[..4096].copy_from_slice(&header.encode());
    let end = part.len() - 8;
    part[end..].copy_from_slice(b"anser-02");
    assert_eq!(case.resume(&part, "the first layout"), [Discarded::OtherVersion]);
    assert_eq!(case.resume(&case.expected.clone(), "a table"), [Discarded::OtherVersion]);
}

#[test]
#[cfg(unix)]
fn a_link_to_another_file_is_removed_and_the_file_is_kept() {
    let case = Case::new(EngineChoice::Best, Metric::Wdl);
    let elsewhere = case.dir.path().join("elsewhere");
    let state = case.states().pop().unwrap();
    let other = fs::read(case.dir.path().join(table(&case.game, 3))).unwrap();
    // Another table, unfinished work, which is used, and zeros.
    for (bytes, what) in [
        (&other[..], Some(Discarded::OtherVersion)),
        (&state, None),
        (&vec![0; 100_000], Some(Discarded::Damaged)),
    ] {
        fs::write(&elsewhere, bytes).unwrap();
        fs::hard_link(&elsewhere, case.part()).unwrap();
        let discards = Discards::default();
        let options = SolveOptions { checkpoint_every: Duration::ZERO, ..case.options() };
        solve(&case.game, &options, &discards).unwrap();
        assert_eq!(discards.of_layer(LAYER), Vec::from_iter(what));
        assert!(fs::read(&elsewhere).unwrap() == bytes, "the file is unchanged");
        assert!(fs::read(case.path()).unwrap() == case.expected && !case.part().exists());
        fs::remove_file(case.path()).unwrap();
        fs::remove_file(&elsewhere).unwrap();
    }
}

/// Copies the unfinished file at some moments, as a killed run would leave it.
struct Kills<'a> {
    part: &'a Path,
    calls: AtomicU64,
    copies: std::sync::Mutex<Vec<Vec<u8>>>,
}

impl Observer for Kills<'_> {
    fn begin(&self, _: &str, _: u64) {
        self.copy();
    }

    fn advance(&self, _: u64) {
        if self.calls.fetch_add(1, SeqCst).is_multiple_of(7) {
            self.copy();
        }
    }
}

impl RunObserver for Kills<'_> {
    fn event(&self, event: &Event) {
        if matches!(event, Event::Step { .. }) {
            self.copy();
        }
    }
}

impl Kills<'_> {
    fn copy(&self) {
        let mut copies = self.copies.lock().unwrap();
        if let Ok(copy) = fs::read(self.part)
            && copies.last() != Some(&copy)
        {
            copies.push(copy);
        }
    }
}

#[test]
fn a_run_that_is_killed_at_any_moment_ends_with_the_same_bytes_and_rounds() {
    for case in Case::all() {
        let part = case.part();
        let kills =
            Kills { part: &part, calls: AtomicU64::new(0), copies: std::sync::Mutex::default() };
        let options = SolveOptions { checkpoint_every: Duration::ZERO, ..case.options() };
        let solved = solve(&case.game, &options, &kills).unwrap();
        assert_eq!(solved.finished[0].run.rounds, case.rounds);
        fs::remove_file(case.path()).unwrap();
        let mut copies = kills.copies.into_inner().unwrap();
        assert!(!copies.is_empty());
        // Their number depends on how long each takes. Interrupted runs leave some as well.
        copies.extend(case.states());
        let step = (copies.len() / 6).max(1);
        for copy in copies.into_iter().step_by(step) {
            assert_eq!(case.resume(&copy, "killed"), []);
        }
    }
}

/// Calls a function at some moments of a run.
struct Meddles<F>(F);

impl<F: Fn() + Send + Sync> Observer for Meddles<F> {
    fn begin(&self, _: &str, _: u64) {
        (self.0)();
    }
}

impl<F: Fn() + Send + Sync> RunObserver for Meddles<F> {
    fn event(&self, event: &Event) {
        if matches!(event, Event::Step { .. }) {
            (self.0)();
        }
    }
}

/// A run whose directory was replaced may put its own unfinished file in the place of that of
/// another run, which must not give it the name of a table.
#[test]
fn an_unfinished_file_of_another_run_does_not_get_the_name_of_a_table() {
    for case in Case::all() {
        let state = case.states().pop().unwrap();
        let replaced = AtomicU64::new(0);
        let meddles = Meddles(|| {
            if case.part().exists() {
                replaced.fetch_add(1, SeqCst);
                fs::write(case.part(), &state).unwrap();
            }
        });
        let options = SolveOptions { checkpoint_every: Duration::ZERO, ..case.options() };
        solve(&case.game, &options, &meddles).unwrap();
        assert!(replaced.load(SeqCst) > 0);
        assert!(fs::read(case.path()).unwrap() == case.expected && !case.part().exists());
    }
}

#[test]
fn a_file_that_another_program_made_longer_does_not_get_the_name_of_a_table() {
    for metric in Metric::ALL {
        a_longer_file_gets_no_name(metric);
    }
}

fn a_longer_file_gets_no_name(metric: Metric) {
    let (game, dir) = (Hunt::default(), TempDir::new().unwrap());
    let lengthened = AtomicU64::new(0);
    let meddles = Meddles(|| {
        for entry in fs::read_dir(dir.path()).unwrap() {
            let path = entry.unwrap().path();
            // Temporary files have no other name until they are finished.
            if path.file_name().unwrap().to_string_lossy().starts_with(".anser-") {
                let Ok(file) = fs::OpenOptions::new().write(true).open(&path) else { continue };
                let len = file.metadata().unwrap().len();
                file.set_len(len + 4096).unwrap();
                lengthened.fetch_add(1, SeqCst);
            }
        }
    });
    let options = SolveOptions {
        layers: Some(1..=2),
        metrics: metric.into(),
        ..SolveOptions::new(dir.path())
    };
    let solved = solve(&game, &options, &meddles);
    assert!(lengthened.load(SeqCst) > 0);
    assert!(matches!(solved, Err(SolveError::Io { .. })), "{solved:?}");
    let named = fs::read_dir(dir.path()).unwrap().flatten();
    assert_eq!(
        named.filter(|file| file.file_name().to_string_lossy().ends_with(".anser")).count(),
        0
    );
}

#[test]
fn engines_discard_the_work_of_each_other_and_report_it() {
    let rules: [Hunt; 2] = [Hunt::default(), Hunt::fox_geese("first-capture").unwrap()];
    for game in rules {
        let whole = TempDir::new().unwrap();
        let options =
            |dir: &Path| SolveOptions { layers: Some(1..=LAYER), ..SolveOptions::new(dir) };
        solve(&game, &options(whole.path()), &Unobserved).unwrap();
        for [first, second] in [
            [EngineChoice::Best, EngineChoice::General],
            [EngineChoice::General, EngineChoice::Best],
        ] {
            let dir = TempDir::new().unwrap();
            let options = |engine| SolveOptions { engine, ..options(dir.path()) };
            solve(
                &game,
                &SolveOptions { layers: Some(1..=LAYER - 1), ..options(first) },
                &Unobserved,
            )
            .unwrap();
            let stopper = StopAfterSteps(AtomicU64::new(4));
            assert!(matches!(
                solve(&game, &options(first), &stopper),
                Err(SolveError::Interrupted)
            ));
            let discards = Discards::default();
            solve(&game, &options(second), &discards).unwrap();
            assert_eq!(discards.of_layer(LAYER), [Discarded::OtherEngine]);
            assert_eq!(tables(dir.path()), tables(whole.path()));
        }
    }
}
