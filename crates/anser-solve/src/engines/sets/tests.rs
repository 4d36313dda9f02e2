//! The engine writes the same bytes as the general one, for rules of every kind that it takes.

use std::fs::read;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use anser_core::hunt::{
    BoardPoint, Condition, Description, EndRule, HuntIndex, Layering, SideDescription,
};
use anser_core::{Hunt, Noun, Side};
use anser_table::{Metric, PositionedReads};

use super::{Engine, LayerOf, Sets, Spilled};
use crate::run::solve_with;
use crate::{
    Discarded, EngineChoice, Event, Metrics, Observer, RunObserver, SolveError, SolveOptions,
    Unobserved, VerifyOptions, solve, verify,
};

/// A board of squares with all rows and columns as lines, and diagonals through every second point.
fn board(columns: i32, rows: i32) -> (Vec<BoardPoint>, Vec<Vec<u8>>) {
    let at = |x: i32, y: i32| (y * columns + x) as u8;
    let is_there = |x: i32, y: i32| (0..columns).contains(&x) && (0..rows).contains(&y);
    let points = (0..columns * rows).map(|number| {
        let (x, y) = (number % columns, number / columns);
        BoardPoint { name: format!("{}{}", char::from(b'a' + x as u8), y + 1), x, y }
    });
    let mut lines = Vec::new();
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
        for (x, y) in (0..columns).flat_map(|x| (0..rows).map(move |y| (x, y))) {
            let has_line = dx == 0 || dy == 0 || (x + y) % 2 == 0;
            if has_line && !is_there(x - dx, y - dy) && is_there(x + dx, y + dy) {
                let line = (0..).map(|i| (x + i * dx, y + i * dy));
                lines.push(
                    line.take_while(|&(x, y)| is_there(x, y)).map(|(x, y)| at(x, y)).collect(),
                );
            }
        }
    }
    (points.collect(), lines)
}

fn side(name: &str, letters: [char; 2], number: [u8; 2], start: &[u8]) -> SideDescription {
    SideDescription {
        name: name.into(),
        noun: Noun::Plural,
        piece: name.trim_end_matches('s').into(),
        letter: letters[0],
        turn: letters[1],
        number,
        start: start.to_vec(),
        ..SideDescription::default()
    }
}

/// Tigers that jump against goats on 3 x 4 points: with fewer than two goats the tigers have won, a
/// side that cannot move has lost.
pub(super) fn hunt(tigers: &[u8], goats: &[u8]) -> Description {
    let (points, lines) = board(3, 4);
    let blocked =
        Side::BOTH.map(|side| EndRule::new(Condition::Blocked(side), side.other(), "blocked"));
    let few = EndRule::new(Condition::Fewer(Side::Second, 2), Side::First, "too few");
    let number = tigers.len() as u8;
    let mut description = Description {
        name: "test".into(),
        rules: "standard".into(),
        points,
        lines,
        point_word: "points".into(),
        sides: [
            side("tigers", ['T', 't'], [number, number], tigers),
            side("goats", ['g', 'g'], [1, goats.len() as u8], goats),
        ],
        first_to_move: Side::Second,
        ends: [few].into_iter().chain(blocked).collect(),
        plies: None,
        endless: None,
        layers: Layering::Pieces,
    };
    let steps = description.steps_along_lines(|_, _| true);
    description.sides[0].jumps = description.jumps_along_lines();
    for side in &mut description.sides {
        side.steps.clone_from(&steps);
    }
    description
}

/// As [`hunt`], on another board.
pub(super) fn on_board(columns: i32, rows: i32) -> Description {
    let mut description = hunt(&[0], &[1, 2, 3]);
    (description.points, description.lines) = board(columns, rows);
    let steps = description.steps_along_lines(|_, _| true);
    description.sides[0].jumps = description.jumps_along_lines();
    for side in &mut description.sides {
        side.steps.clone_from(&steps);
    }
    description
}

/// The tiger wins if it is on a goal with its turn, so goats move into lost positions whose winner
/// is to move: scores of 8 bits do not tell these distances.
pub(super) fn held_goal() -> Description {
    let mut description = hunt(&[4], &[0, 1, 2]);
    let reached = end(Condition::Reached(Side::First, vec![9, 11]), Side::First);
    description.ends.insert(0, EndRule { to_move: Some(Side::First), ..reached });
    description
}

/// As [`hunt`], with the goats in hand at the start.
pub(super) fn placing(tigers: &[u8], goats: u8) -> Description {
    let mut description = hunt(tigers, &[]);
    description.sides[1].number = [1, goats];
    description.sides[1].hand = goats;
    description.layers = Layering::Placement;
    description
}

/// A walk of goats to the end of a path of `points` points, beside a tiger that steps between two
/// points apart: three goats take up to 144 plies on 30 points, and four up to 256 on 38.
pub(super) fn long_walk(points: u8, goats: u8) -> Description {
    let mut description = hunt(&[], &[]);
    // The path turns at the end of each row.
    let point = |number: u8| {
        let (x, y) = (number % 6, number / 6);
        let x = if y % 2 == 0 { x } else { 5 - x };
        let name = format!("{}{}", char::from(b'a' + x), y + 1);
        BoardPoint { name, x: x.into(), y: y.into() }
    };
    description.points = (0..points).map(point).collect();
    description.lines = (1..points).map(|number| vec![number - 1, number]).collect();
    let [few, many] = &mut description.sides;
    (few.number, few.start, few.steps) = ([1, 1], vec![0], vec![[0, 1], [1, 0]]);
    (many.number, many.start) = ([goats; 2], (2..2 + goats).collect());
    many.steps = (2..points - 1).map(|from| [from, from + 1]).collect();
    few.jumps.clear();
    description.ends = vec![end(
        Condition::Filled(Side::Second, (points - goats..points).collect()),
        Side::Second,
    )];
    description
}

pub(super) fn changed(
    mut description: Description,
    change: impl FnOnce(&mut Description),
) -> Description {
    change(&mut description);
    description
}

pub(super) fn end(condition: Condition, winner: Side) -> EndRule {
    EndRule::new(condition, winner, "over")
}

/// Returns each description with outcomes alone, and with distances.
pub(super) fn with_metrics<const N: usize>(
    descriptions: [Description; N],
) -> impl Iterator<Item = (Description, Metrics)> {
    let metrics = [&[Metric::Wdl][..], &[Metric::Wdl, Metric::Dtw]];
    descriptions.into_iter().flat_map(move |description| {
        metrics.map(|metrics| (description.clone(), metrics.iter().copied().collect()))
    })
}

/// Compares the tables of two directories, and returns their number.
pub(super) fn compare(some: &Path, others: &Path, what: &str) -> usize {
    let mut compared = 0;
    for entry in some.read_dir().expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "anser") {
            let other = others.join(path.file_name().expect("a name"));
            let [table, other] = [&path, &other].map(|path| read(path).expect("a table"));
            assert!(table == other, "{what}: {}", path.display());
            compared += 1;
        }
    }
    assert!(compared > 0, "{what}");
    compared
}

/// Hunts with every feature that the engine supports, and a last one that it leaves to another
/// engine.
pub(super) fn games() -> Vec<(&'static str, Description)> {
    let (few, many) = (Side::First, Side::Second);
    vec![
        ("one tiger", hunt(&[4], &[0, 1, 2, 5])),
        ("two tigers", hunt(&[9, 11], &[0, 1, 2, 4])),
        (
            "goats go up",
            changed(hunt(&[10], &[0, 1, 2, 3]), |it| {
                it.sides[1].steps = it.steps_along_lines(|from, to| to.y >= from.y);
            }),
        ),
        (
            "a fox that is shut in by geese that go up",
            changed(hunt(&[4], &[0, 1, 2, 3, 5]), |it| {
                it.sides[1].steps = it.steps_along_lines(|from, to| {
                    (from.x == to.x || from.y == to.y) && to.y >= from.y
                });
                it.sides[0].steps =
                    it.steps_along_lines(|from, to| from.x == to.x || from.y == to.y);
                it.ends.insert(0, end(Condition::Captured(few), few));
            }),
        ),
        (
            "blocked tigers have won, while pieces are in hand lost",
            changed(placing(&[4], 3), |it| {
                it.ends[1] = EndRule { after_placement: true, ..end(Condition::Blocked(few), few) };
                it.ends.insert(2, end(Condition::Blocked(few), many));
            }),
        ),
        (
            "first capture",
            changed(hunt(&[4], &[0, 1, 2]), |it| {
                it.ends.insert(0, end(Condition::Captured(few), few));
            }),
        ),
        ("chains", changed(hunt(&[0, 11], &[1, 2, 4, 5, 7]), |it| it.sides[0].chain = true)),
        (
            "all goats are to be captured",
            changed(placing(&[4], 3), |it| {
                it.sides[1].number[0] = 0;
                it.ends[0] = end(Condition::Fewer(many, 1), few);
            }),
        ),
        ("chains, placing", changed(placing(&[4], 5), |it| it.sides[0].chain = true)),
        (
            "chains, and a goal of the many",
            changed(hunt(&[4], &[0, 1, 2]), |it| {
                it.sides[0].chain = true;
                it.ends.push(end(Condition::Filled(many, vec![7, 8]), many));
            }),
        ),
        (
            "chains that end with the first capture",
            changed(hunt(&[4], &[0, 1, 2]), |it| {
                it.sides[0].chain = true;
                it.ends.insert(0, end(Condition::Captured(few), few));
            }),
        ),
        ("compulsory", changed(hunt(&[4], &[0, 1, 2, 5]), |it| it.sides[0].compulsory = true)),
        ("blocked sides pass", changed(hunt(&[0], &[1, 3, 4, 2]), |it| it.ends.truncate(1))),
        (
            "blocked sides pass, on a board that is nearly full",
            changed(hunt(&[0], &[1, 2, 3, 4, 5, 6, 7, 8, 9]), |it| {
                it.ends.truncate(1);
                it.ends.push(end(Condition::Filled(many, vec![9, 10, 11]), many));
            }),
        ),
        (
            "compulsory, with goals of both",
            changed(hunt(&[4], &[0, 1, 2, 5]), |it| {
                it.sides[0].compulsory = true;
                it.ends.push(end(Condition::Reached(few, vec![9]), few));
                it.ends.push(end(Condition::Reached(many, vec![11]), many));
            }),
        ),
        (
            "a goal, of no use to a tiger that can neither step nor jump",
            changed(hunt(&[4], &[0, 1, 2, 5]), |it| {
                it.ends.push(end(Condition::Reached(few, vec![9]), few));
            }),
        ),
        (
            "blocked sides pass, and captures are compulsory",
            changed(hunt(&[0], &[1, 3, 4, 2]), |it| {
                it.sides[0].compulsory = true;
                it.ends.truncate(1);
            }),
        ),
        (
            "a goal that goats cannot return to",
            changed(hunt(&[4], &[0, 1]), |it| {
                it.sides[1].number[0] = 0;
                it.ends[0] = end(Condition::Fewer(many, 1), few);
                let reached = end(Condition::Reached(many, vec![7]), many);
                it.ends.insert(1, EndRule { to_move: Some(few), ..reached });
                it.sides[1].steps = it.steps_along_lines(|from, to| to.y > from.y);
            }),
        ),
        (
            "no jumps, and only tigers can be blocked",
            changed(hunt(&[0, 2], &[3, 4, 5]), |it| {
                it.sides[0].jumps.clear();
                it.sides[1].number = [3, 3];
                it.ends = vec![end(Condition::Blocked(few), many)];
            }),
        ),
        (
            "goals of both",
            changed(hunt(&[4], &[0, 1, 2]), |it| {
                it.ends.push(end(Condition::Reached(few, vec![9, 11]), few));
                it.ends.push(end(Condition::Filled(many, vec![10, 7]), many));
                it.ends.insert(
                    1,
                    EndRule { to_move: Some(few), ..end(Condition::Reached(many, vec![10]), many) },
                );
            }),
        ),
        ("a long walk", long_walk(30, 3)),
        ("a goal that is to be held", held_goal()),
        ("placing", placing(&[4], 4)),
        ("placing, two tigers", placing(&[0, 11], 4)),
        ("placing, compulsory", changed(placing(&[4], 4), |it| it.sides[0].compulsory = true)),
        (
            "placing in a region, blocked goats pass",
            changed(placing(&[4], 3), |it| {
                it.sides[1].region = vec![0, 1, 2];
                it.ends.truncate(2);
            }),
        ),
        (
            "both in hand",
            changed(placing(&[], 3), |it| {
                it.sides[0].number = [1, 1];
                it.sides[0].hand = 1;
                it.sides[0].region = vec![3, 4, 5, 6, 7, 8];
            }),
        ),
        (
            "two tigers in hand, blocks count later",
            changed(placing(&[], 3), |it| {
                it.sides[0].number = [2, 2];
                it.sides[0].hand = 2;
                it.ends[1].after_placement = true;
                it.first_to_move = few;
            }),
        ),
        (
            "goats get home",
            changed(placing(&[4], 3), |it| {
                it.ends.insert(0, end(Condition::Filled(many, vec![9, 10]), many));
            }),
        ),
    ]
}

#[test]
fn the_bytes_are_those_of_the_general_engine() {
    let metrics = [&[Metric::Wdl][..], &[Metric::Wdl, Metric::Dtw]];
    for (name, description) in games() {
        let game = Hunt::new(description).unwrap_or_else(|problem| panic!("{name}: {problem}"));
        // The last one has an end that a capture could bring about in two ways.
        assert!(Sets::of(&game).is_ok() != (name == "goats get home"), "{name}");
        for metrics in metrics {
            let narrow = Narrow::default();
            let solved = [EngineChoice::Best, EngineChoice::General].map(|engine| {
                let dir = tempfile::tempdir().expect("a directory");
                let metrics: Metrics = metrics.iter().copied().collect();
                let options = SolveOptions { engine, metrics, ..SolveOptions::new(dir.path()) };
                let solved = solve(&game, &options, &narrow);
                let reports = solved.unwrap_or_else(|error| panic!("{name}: {error}")).finished;
                (dir, reports)
            });
            // In the first one moves lead to positions that the side to move has won.
            let is_narrow = name == "a goal that is to be held" && metrics.len() == 2;
            assert_eq!(narrow.0.map(|count| count.into_inner() > 0), [false, is_narrow], "{name}");
            let [(sets, reports), (general, _)] = &solved;
            assert!(
                name == "goats get home"
                    || reports.iter().all(|report| report.run.engine == "sets")
            );
            let compared = compare(general.path(), sets.path(), name);
            assert_eq!(compared, game.layers().count() * metrics.len(), "{name}");
            // With every change propagated, and with none.
            for per_change in [0, usize::MAX] {
                let Ok(engine) = Sets::of(&game) else { continue };
                let engine = Box::new(Sets { per_change, ..engine });
                let dir = tempfile::tempdir().expect("a directory");
                let metrics: Metrics = metrics.iter().copied().collect();
                let options = SolveOptions { metrics, ..SolveOptions::new(dir.path()) };
                let solved = solve_with(&game, &options, &Unobserved, engine);
                solved.unwrap_or_else(|error| panic!("{name}: {error}"));
                compare(general.path(), dir.path(), name);
            }
            if metrics.len() == 1 {
                // They have the bytes of those that are checked beside distances.
                continue;
            }
            // The check of all values, by blocks of positions where the rules have such.
            let checks = VerifyOptions { full: true, well_founded: true, ..Default::default() };
            let dirs = [sets.path().to_owned()];
            let verified = verify(&game, &dirs, &checks, &PositionedReads, &Unobserved);
            for table in verified.expect("a check") {
                assert!(table.problems.is_empty(), "{name}: {:?}", table.problems);
                assert!(table.entries > 0 && table.unreadable.is_none(), "{name}");
            }
        }
    }
}

/// Counts layers that go on with more bits, and those that start again.
#[derive(Default)]
struct Narrow([AtomicU64; 2]);

impl Observer for Narrow {}

impl RunObserver for Narrow {
    fn event(&self, event: &Event) {
        match event {
            Event::Discarded { what: Discarded::NarrowValues, .. } => {
                self.0[0].fetch_add(1, Relaxed)
            }
            Event::Discarded { what: Discarded::WrongValues, .. } => {
                self.0[1].fetch_add(1, Relaxed)
            }
            _ => 0,
        };
    }
}

/// The distances that scores of 8 bits tell are kept, and a run that is interrupted goes on with 16.
#[test]
fn a_layer_goes_on_with_16_bits_after_the_distances_that_8_bits_tell() {
    let game = Hunt::new(long_walk(38, 4)).expect("a game");
    let dirs = [(); 3].map(|()| tempfile::tempdir().expect("a directory"));
    let [general, whole, stopped] = dirs.each_ref().map(|dir| SolveOptions {
        metrics: Metrics::from_iter([Metric::Dtw]),
        ..SolveOptions::new(dir.path())
    });
    let general = SolveOptions { engine: EngineChoice::General, ..general };
    solve(&game, &general, &Unobserved).expect("solved");
    let watch = WideRounds::default();
    solve(&game, &whole, &watch).expect("solved");
    // The first rounds are not repeated.
    assert!((100..150).contains(&watch.first.load(Relaxed)), "{watch:?}");
    compare(dirs[0].path(), dirs[1].path(), "16 bits after 8");
    let watch = WideRounds { stops: true, ..WideRounds::default() };
    let result = solve(&game, &stopped, &watch);
    assert!(matches!(result, Err(SolveError::Interrupted)), "{result:?}");
    let watch = Narrow::default();
    solve(&game, &stopped, &watch).expect("solved");
    let counts = watch.0.map(AtomicU64::into_inner);
    assert_eq!(counts, [0, 0], "the checkpoint has 16 bits");
    compare(dirs[0].path(), dirs[2].path(), "16 bits, interrupted");
}

/// Also if the run has just been resumed.
#[test]
fn distances_that_8_bits_tell_are_kept_by_every_run() {
    let game = Hunt::new(long_walk(38, 4)).expect("a game");
    let dir = tempfile::tempdir().expect("a directory");
    let metrics = Metrics::from_iter([Metric::Dtw]);
    let options = SolveOptions { metrics, threads: Some(1), ..SolveOptions::new(dir.path()) };
    // Each run has few rounds.
    let mut runs = 0;
    while let Err(error) = solve(&game, &options, &StopAfterRounds::default()) {
        assert!(matches!(error, SolveError::Interrupted), "{error}");
        runs += 1;
        assert!(runs < 1000, "it makes progress");
    }
    assert!(runs > 50, "{runs} runs were interrupted");
    let whole = tempfile::tempdir().expect("a directory");
    solve(&game, &SolveOptions { dir: whole.path().into(), ..options }, &Unobserved)
        .expect("solved");
    compare(dir.path(), whole.path(), "few rounds a run");
}

/// Stops after two rounds, and fails if values are lost.
#[derive(Default)]
struct StopAfterRounds(AtomicU64);

impl Observer for StopAfterRounds {
    fn interrupted(&self) -> bool {
        self.0.load(Relaxed) >= 2
    }
}

impl RunObserver for StopAfterRounds {
    fn event(&self, event: &Event) {
        match event {
            Event::Step { .. } => drop(self.0.fetch_add(1, Relaxed)),
            Event::Discarded { what: Discarded::WrongValues, .. } => panic!("values are lost"),
            _ => {}
        }
    }
}

/// Notes the first round after scores have got 16 bits, and may stop then.
#[derive(Debug, Default)]
pub(super) struct WideRounds {
    stops: bool,
    is_wide: AtomicBool,
    pub(super) first: AtomicU64,
}

impl Observer for WideRounds {
    fn interrupted(&self) -> bool {
        self.stops && self.first.load(Relaxed) > 0
    }
}

impl RunObserver for WideRounds {
    fn event(&self, event: &Event) {
        match event {
            Event::Discarded { what: Discarded::NarrowValues, .. } => {
                self.is_wide.store(true, Relaxed);
            }
            Event::Step { round, .. } if self.is_wide.load(Relaxed) => {
                let _ = self.first.compare_exchange(0, *round, Relaxed, Relaxed);
            }
            _ => {}
        }
    }
}

/// Stops after a number of looks at whether to stop, and counts layers that were resumed.
#[derive(Default)]
pub(super) struct StopAfter {
    pub(super) left: AtomicU64,
    pub(super) resumed: AtomicU64,
}

impl Observer for StopAfter {
    fn interrupted(&self) -> bool {
        self.left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err()
    }
}

impl RunObserver for StopAfter {
    fn event(&self, event: &Event) {
        if matches!(event, Event::Layer { resumed: Some(_), .. }) {
            self.resumed.fetch_add(1, Relaxed);
        }
    }
}

#[test]
fn a_run_that_is_interrupted_again_and_again_writes_the_same_bytes() {
    let descriptions = [hunt(&[4], &[0, 1, 2, 5]), placing(&[0, 11], 4), held_goal()];
    for (description, metrics) in with_metrics(descriptions) {
        let game = Hunt::new(description).expect("a game");
        let [whole, dir] = [(); 2].map(|()| tempfile::tempdir().expect("a directory"));
        let options =
            |dir: &Path| SolveOptions { metrics, threads: Some(1), ..SolveOptions::new(dir) };
        solve(&game, &options(whole.path()), &Unobserved).expect("solved");
        let (mut runs, mut resumed) = (0, 0);
        loop {
            // One look more than in the run before: in the end enough to complete a round.
            let watch = StopAfter { left: AtomicU64::new(20 + runs), resumed: AtomicU64::new(0) };
            let result = solve(&game, &options(dir.path()), &watch);
            resumed += watch.resumed.into_inner();
            runs += 1;
            match result {
                Ok(_) => break,
                Err(SolveError::Interrupted) => assert!(runs < 10_000, "it makes progress"),
                Err(error) => panic!("{error}"),
            }
        }
        assert!(resumed > 3, "{resumed} of {runs} runs resumed a layer");
        compare(whole.path(), dir.path(), "runs that were interrupted");
    }
}

/// Counts layers with scratch files.
#[derive(Default)]
struct CountSpilled(AtomicU64);

impl Observer for CountSpilled {}

impl RunObserver for CountSpilled {
    fn event(&self, event: &Event) {
        if matches!(event, Event::Spilled { .. }) {
            self.0.fetch_add(1, Relaxed);
        }
    }
}

#[test]
fn with_little_memory_the_values_are_in_scratch_files_and_the_bytes_are_the_same() {
    let descriptions = [hunt(&[9, 11], &[0, 1, 2, 4]), placing(&[4], 4)];
    for (description, metrics) in with_metrics(descriptions) {
        let game = Hunt::new(description).expect("a game");
        let engine = Sets::of(&game).expect("a game for the engine");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        let least = pool.install(|| {
            let of_layer = |layer| {
                let needs = engine.needs(of(&game, layer, &game.index(layer)), metrics);
                needs.spilled.expect("values may be in scratch files").memory
            };
            game.layers().map(of_layer).max()
        });
        let [much, little] = [(); 2].map(|()| tempfile::tempdir().expect("a directory"));
        let options = SolveOptions { metrics, threads: Some(1), ..SolveOptions::new(much.path()) };
        let solved = solve(&game, &options, &Unobserved).expect("solved").finished;
        let watch = CountSpilled::default();
        let options =
            SolveOptions { memory: least, dir: little.path().to_owned(), ..options.clone() };
        solve(&game, &options, &watch).expect("solved");
        let spilled = watch.0.into_inner();
        assert!(spilled > 0 && spilled <= solved.len() as u64, "{spilled} layers");
        let files = |dir: &Path| dir.read_dir().expect("a directory").count();
        assert_eq!(files(much.path()), files(little.path()), "nothing is left of scratch files");
        compare(much.path(), little.path(), "scratch files");
    }
}

/// The memory of small layers follows from the pieces, and not from the points.
#[test]
fn few_pieces_on_a_large_board_take_little_memory() {
    let game = Hunt::new(long_walk(39, 4)).expect("a game");
    let engine = Sets::of(&game).expect("a game for the engine");
    for layer in game.layers() {
        let needs = engine.needs_with(of(&game, layer, &game.index(layer)), i8::BITS);
        assert!(needs.memory < 128 << 20, "layer {layer}: {} bytes", needs.memory);
    }
}

fn of<'a>(game: &'a Hunt, layer: u16, index: &'a HuntIndex) -> LayerOf<'a> {
    LayerOf { game, layer, index }
}

/// A layer is planned for scores of 8 bits. Those of 16 may need scratch files, or more memory than
/// there is.
#[test]
fn a_layer_that_needs_16_bits_stays_within_the_memory_too() {
    let game = Hunt::new(held_goal()).expect("a game");
    let engine = Sets::of(&game).expect("a game for the engine");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let most = |bits, needs: fn(Spilled) -> u64| {
        let of_layer = |layer| needs(engine.needs_with(of(&game, layer, &game.index(layer)), bits));
        pool.install(|| game.layers().map(of_layer).max().expect("a layer"))
    };
    let all = |needs: Spilled| needs.memory + needs.scratch;
    let [much, little, less] = [(); 3].map(|()| tempfile::tempdir().expect("a directory"));
    let run = |memory: u64, dir: &Path| {
        let metrics = Metrics::from_iter([Metric::Wdl, Metric::Dtw]);
        let memory = Some(memory);
        let options = SolveOptions { metrics, memory, threads: Some(1), ..SolveOptions::new(dir) };
        let watch = CountSpilled::default();
        (solve(&game, &options, &watch), watch.0.into_inner())
    };
    let (solved, spilled) = run(most(i16::BITS, all), much.path());
    assert!(solved.is_ok() && spilled == 0);
    let enough = most(i8::BITS, all).max(most(i16::BITS, |needs| needs.memory));
    assert!(enough < most(i16::BITS, all));
    let (solved, spilled) = run(enough, little.path());
    assert!(solved.is_ok() && spilled > 0);
    compare(much.path(), little.path(), "scratch files for 16 bits");
    let least = most(i8::BITS, |needs| needs.memory);
    let (solved, _) = run(least, less.path());
    let is_memory = |error| matches!(error, SolveError::Memory { budget, .. } if budget == least);
    assert!(solved.is_err_and(is_memory));
}

/// Games whose rules the engine does not know go to the general one.
#[test]
fn other_rules_are_left_to_the_general_engine() {
    type Change = fn(&mut Description);
    // The cross has a numbering of its own, also under rules that its engine does not know.
    let mut cross = anser_core::hunt::fox_geese("free").expect("a rule set");
    cross.ends.push(end(Condition::Reached(Side::First, vec![0]), Side::First));
    let cross = Hunt::new(cross).expect("a game");
    assert!(cross.cross().is_none());
    assert_eq!(Sets::of(&cross).err(), Some("the numbering of the board"));
    let cases: [(&str, Change); 5] = [
        ("chains of compulsory jumps", |it| {
            (it.sides[0].chain, it.sides[0].compulsory) = (true, true);
        }),
        ("chains that stop at goals", |it| {
            it.sides[0].chain = true;
            it.ends.push(end(Condition::Reached(Side::First, vec![8]), Side::First));
        }),
        ("ends that depend on more than a position", |it| it.ends[1].except_start = true),
        ("layers by plies", |it| {
            it.plies = Some(9);
            it.layers = Layering::Plies;
            it.ends.push(end(Condition::OutOfPlies, Side::Second));
        }),
        ("layers by advance", |it| {
            it.sides[0].jumps.clear();
            it.sides[1].number = [3, 3];
            it.layers = Layering::Advance;
        }),
    ];
    assert!(Sets::of(&Hunt::new(hunt(&[4], &[0, 1, 2])).expect("a game")).is_ok());
    for (what, change) in cases {
        let game = Hunt::new(changed(hunt(&[4], &[0, 1, 2]), change));
        let game = game.unwrap_or_else(|problem| panic!("{what}: {problem}"));
        assert_eq!(Sets::of(&game).err(), Some(what));
    }
}
