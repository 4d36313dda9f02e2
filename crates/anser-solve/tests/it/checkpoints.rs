//! Unfinished work that a run did not write like this: damaged, truncated, of mixed age, or
//! foreign.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::Duration;

use anser_core::Hunt;
use anser_core::fox_geese::RuleSet;
use anser_solve::{
    Discarded, EngineChoice, Event, Observer, RunObserver, SolveError, SolveOptions, Unobserved,
    solve,
};
use tempfile::TempDir;

use crate::support::runs::{Discards, table, tables};
use crate::support::tables::Random;

const LAYER: u16 = 4;

/// One layer of a game, solved by one engine.
struct Case {
    game: Hunt,
    engine: EngineChoice,
    dir: TempDir,
    expected: Vec<u8>,
    rounds: u64,
}

impl Case {
    /// Returns a case of the bit-parallel engine and one of the general engine.
    fn both() -> [Case; 2] {
        [EngineChoice::Best, EngineChoice::General].map(Case::new)
    }

    fn new(engine: EngineChoice) -> Case {
        let (game, dir) = (Hunt::default(), TempDir::new().unwrap());
        let options =
            SolveOptions { layers: Some(1..=LAYER), engine, ..SolveOptions::new(dir.path()) };
        let solved = solve(&game, &options, &Unobserved).unwrap();
        let path = dir.path().join(table(&game, LAYER));
        let expected = fs::read(&path).unwrap();
        fs::remove_file(path).unwrap();
        let rounds = solved.finished.last().unwrap().run.rounds;
        Case { game, engine, dir, expected, rounds }
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join(table(&self.game, LAYER))
    }

    fn part(&self) -> PathBuf {
        self.dir.path().join(format!("{}.part", table(&self.game, LAYER)))
    }

    fn options(&self) -> SolveOptions {
        let layers = Some(LAYER..=LAYER);
        SolveOptions { layers, engine: self.engine, ..SolveOptions::new(self.dir.path()) }
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

/// Regions of the unfinished file, by the layout that the source of the checkpoints specifies.
struct Places {
    payload: [std::ops::Range<usize>; 2],
    sections: [std::ops::Range<usize>; 2],
    records: [std::ops::Range<usize>; 2],
}

impl Places {
    fn of(case: &Case, part: &[u8]) -> Places {
        let table = anser_table::format::Header::decode(&case.expected).unwrap();
        let payload = table.layout().payload;
        let (len, page) = (payload.len as usize, |at: usize| at.next_multiple_of(4096));
        let held = if case.engine == EngineChoice::General { len / 2 } else { 0 };
        let first = payload.offset as usize..payload.offset as usize + len;
        let held_0 = page(case.expected.len())..page(case.expected.len()) + held;
        let second = page(if held > 0 { held_0.end } else { case.expected.len() });
        let second = second..second + len;
        let held_1 = page(second.end)..page(second.end) + held;
        let record = (35 + len.div_ceil(16 << 10) + held.div_ceil(16 << 10) + 1) * 8;
        let record_0 = page(if held > 0 { held_1.end } else { second.end });
        let record_1 = page(record_0 + record);
        assert_eq!(
            record_1 + record + 8,
            part.len(),
            "the layout is the one that the tests assume"
        );
        assert_eq!(&part[part.len() - 8..], b"anser-02");
        Places {
            payload: [first, second],
            sections: [held_0, held_1],
            records: [record_0..record_0 + record, record_1..record_1 + record],
        }
    }

    /// Returns the sequence numbers of the records.
    fn sequences(&self, part: &[u8]) -> [u64; 2] {
        [0, 1].map(|slot: usize| {
            let at = self.records[slot].start + 8;
            u64::from_le_bytes(part[at..at + 8].try_into().unwrap())
        })
    }

    /// Returns the slot of the newest record.
    fn newest(&self, part: &[u8]) -> usize {
        let [first, second] = self.sequences(part);
        usize::from(second > first)
    }
}

fn flip(part: &mut [u8], random: &mut Random, range: std::ops::Range<usize>) -> String {
    let at = range.start + random.index(range.len());
    let bit = random.index(8);
    part[at] ^= 1 << bit;
    format!("bit {bit} of byte {at}")
}

#[test]
fn a_flipped_bit_of_unfinished_work_is_found_and_changes_nothing() {
    for case in Case::both() {
        let mut random = Random(1);
        let states = case.states();
        for round in 0..3 {
            let state = &states[states.len() - 1 - round % 3];
            let places = Places::of(&case, state);
            let newest = places.newest(state);
            assert_eq!(case.resume(state, "undamaged"), []);
            let mut vouched = vec![places.payload[newest].clone(), places.records[newest].clone()];
            if case.engine == EngineChoice::General {
                vouched.push(places.sections[newest].clone());
            }
            for range in vouched {
                let mut part = state.clone();
                let what = flip(&mut part, &mut random, range);
                assert_eq!(case.resume(&part, &what), [Discarded::LastCheckpoint], "{what}");
            }
            let mut part = state.clone();
            let what = flip(&mut part, &mut random, 0..4096);
            assert_eq!(case.resume(&part, &what), [Discarded::Damaged], "{what}");
            // Unused bytes do not matter.
            let mut part = state.clone();
            let what = flip(&mut part, &mut random, places.payload[1 - newest].clone());
            assert_eq!(case.resume(&part, &what), [], "{what}");
            let mut part = state.clone();
            let what = flip(&mut part, &mut random, 4096..state.len());
            case.resume(&part, &what);
            // In both slots.
            let mut part = state.clone();
            let first = flip(&mut part, &mut random, places.payload[0].clone());
            let second = flip(&mut part, &mut random, places.payload[1].clone());
            let what = format!("{first}, {second}");
            assert_eq!(case.resume(&part, &what), [Discarded::Damaged], "{what}");
        }
    }
}

#[test]
fn truncated_work_is_begun_again() {
    for case in Case::both() {
        let mut random = Random(2);
        let state = case.states().pop().unwrap();
        for cut in [1, 8, 4096, state.len() / 2, state.len() - 4096, state.len() - 100, 0] {
            let cut = if cut == 0 { 1 + random.index(state.len() - 1) } else { cut };
            let discards = case.resume(&state[..state.len() - cut], "cut off");
            assert_eq!(discards, [Discarded::CutOff], "{cut} of {} bytes missing", state.len());
        }
        let longer: Vec<u8> = state.iter().copied().chain([0; 4096]).collect();
        assert_eq!(case.resume(&longer, "longer"), [Discarded::CutOff]);
    }
}

#[test]
fn pages_of_different_age_after_a_loss_of_power_change_nothing() {
    for case in Case::both() {
        let mut random = Random(3);
        let states = case.states();
        for number in 0..8 {
            // One checkpoint was being written, or more than one.
            let gap = 1 + number % 4 / 3;
            let at = gap + random.index(states.len() - gap);
            let (old, new) = (&states[at - gap], &states[at]);
            let share = 1 + random.index(7);
            let mixed: Vec<u8> = old
                .chunks(4096)
                .zip(new.chunks(4096))
                .flat_map(|(old, new)| if random.index(8) < share { new } else { old })
                .copied()
                .collect();
            let discards = case.resume(&mixed, "mixed");
            let newest =
                |part: &[u8]| Places::of(&case, part).sequences(part).into_iter().max().unwrap();
            // If the second fixpoint began in between, there are two more checkpoints.
            if newest(new) == newest(old) + 1 {
                assert!(!discards.contains(&Discarded::Damaged), "one of the two is complete");
            }
        }
    }
}

#[test]
fn work_in_the_first_layout_is_of_another_version() {
    let case = Case::new(EngineChoice::General);
    // The table, a third plane, and a page of progress that states final values.
    let header = anser_table::format::Header::new_raw(
        &case.game,
        LAYER,
        &case.game.index(LAYER),
        "anser 0.1.0",
    )
    .unwrap();
    let payload = header.layout().payload;
    let mut part = vec![0; header.layout().file_len() as usize + payload.len as usize / 2 + 4096];
    part[..4096].copy_from_slice(&header.encode());
    let page = part.len() - 4096;
    part[page..page + 8].copy_from_slice(b"anser-01");
    part[page + 8] = 2;
    assert_eq!(case.resume(&part, "the first layout"), [Discarded::OtherVersion]);
    // The same with the header of a complete table.
    part[..4096].copy_from_slice(&case.expected[..4096]);
    assert_eq!(case.resume(&part, "the first layout"), [Discarded::OtherVersion]);
    // A table that only has to be renamed must be sound.
    let mut damaged = case.expected.clone();
    damaged[5000] ^= 1;
    assert_eq!(case.resume(&damaged, "a damaged table"), [Discarded::Damaged]);
}

#[test]
#[cfg(unix)]
fn a_link_to_another_file_is_removed_and_the_file_is_kept() {
    let case = Case::new(EngineChoice::Best);
    let elsewhere = case.dir.path().join("elsewhere");
    let state = case.states().pop().unwrap();
    let other = fs::read(case.dir.path().join(table(&case.game, 3))).unwrap();
    // Another table, this table, unfinished work, and an empty file.
    for (bytes, what) in [
        (&other[..], Some(Discarded::Linked)),
        (&case.expected[..4096], Some(Discarded::Linked)),
        (&state, Some(Discarded::Linked)),
        (&vec![0; 100_000], None),
    ] {
        fs::write(&elsewhere, bytes).unwrap();
        fs::hard_link(&elsewhere, case.part()).unwrap();
        let discards = Discards::default();
        solve(&case.game, &case.options(), &discards).unwrap();
        assert_eq!(discards.of_layer(LAYER), Vec::from_iter(what));
        assert!(fs::read(&elsewhere).unwrap() == bytes, "the file is unchanged");
        assert!(fs::read(case.path()).unwrap() == case.expected);
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
        self.copies.lock().unwrap().extend(fs::read(self.part));
    }
}

#[test]
fn a_run_that_is_killed_at_any_moment_ends_with_the_same_bytes_and_rounds() {
    for case in Case::both() {
        let part = case.part();
        let kills =
            Kills { part: &part, calls: AtomicU64::new(0), copies: std::sync::Mutex::default() };
        let options = SolveOptions { checkpoint_every: Duration::ZERO, ..case.options() };
        let solved = solve(&case.game, &options, &kills).unwrap();
        assert_eq!(solved.finished[0].run.rounds, case.rounds);
        fs::remove_file(case.path()).unwrap();
        let copies = kills.copies.into_inner().unwrap();
        let step = (copies.len() / 12).max(1);
        assert!(copies.len() >= 12, "{}", copies.len());
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
#[cfg(unix)]
fn an_unfinished_file_of_another_run_does_not_get_the_name_of_a_table() {
    for case in Case::both() {
        let (part, other) = (case.part(), case.dir.path().join("other"));
        let replaced = AtomicU64::new(0);
        let meddles = Meddles(|| {
            if part.exists() && replaced.fetch_add(1, SeqCst) == 2 {
                fs::copy(&part, &other).unwrap();
                fs::rename(&other, &part).unwrap();
            }
        });
        let solved = solve(&case.game, &case.options(), &meddles);
        assert!(replaced.load(SeqCst) > 2);
        assert!(matches!(solved, Err(SolveError::LockLost { .. })), "{solved:?}");
        assert!(!case.path().exists());
    }
}

#[test]
fn a_file_that_another_program_made_longer_does_not_get_the_name_of_a_table() {
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
        metrics: anser_table::Metric::Dtw.into(),
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
    let rules: [Hunt; 2] = [Hunt::default(), Hunt::fox_geese(RuleSet::FIRST_CAPTURE)];
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
