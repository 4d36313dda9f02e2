//! Probing: the same answers from every mix of files, and errors that say what is missing or
//! damaged.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::support::{Codes, Options, Random, any_codes, name, packed_table, raw_table};
use anser_core::hunt::{HuntIndex, Position};
use anser_core::{BySide, Hunt, LayerIndex, Next, Outcome, Side};
use anser_table::format::{code_of, outcome_of};
use anser_table::{ErrorClass, Kind, Metric, ProbeError, Table, Tablebase};

/// Layers 4 and 5 of a game. In each, one side to move has made-up values and the other those that
/// follow from them by one move, which is what a table of the one side alone is good for.
struct World {
    game: Hunt,
    codes: [Codes; 2],
}

impl World {
    const LAYERS: [u16; 2] = [4, 5];

    /// `made` says which side to move has made-up values in layer 4 and in layer 5.
    fn new(rules: &str, made: [Side; 2]) -> World {
        let game = Hunt::fox_geese(rules).unwrap();
        let mut world =
            World { codes: World::LAYERS.map(|layer| any_codes(&game, layer, 42)), game };
        // The lower layer first, as captures lead to it.
        for (slot, layer) in World::LAYERS.into_iter().enumerate() {
            let (index, side) = (world.game.index_of(layer), made[slot].other());
            for rank in 0..index.len(side) {
                let code = code_of(world.best_after(&index.unrank(side, rank)));
                world.codes[slot][side][rank as usize] = code;
            }
        }
        world
    }

    /// The free game, where the values with the geese to move are made up.
    fn free() -> &'static World {
        static WORLD: OnceLock<World> = OnceLock::new();
        WORLD.get_or_init(|| World::new("free", [Side::Second; 2]))
    }

    fn value(&self, position: &Position) -> Outcome {
        let layer = self.game.layer(position);
        self.game.terminal(position).unwrap_or_else(|| {
            let rank = self.game.index_of(layer).rank(position);
            outcome_of(self.codes[usize::from(layer) - 4][position.to_move()][rank as usize])
                .unwrap()
        })
    }

    fn best_after(&self, position: &Position) -> Outcome {
        let mover = position.to_move();
        let mut best = self.game.terminal(position).unwrap_or(Outcome::Win(mover.other()));
        let _ = self.game.visit_moves(position, |_, next| {
            let outcome = match next {
                Next::End(end) => end.outcome,
                Next::Position(next) => self.value(&next),
            };
            best = if outcome.score(mover) > best.score(mover) { outcome } else { best };
            ControlFlow::<()>::Continue(())
        });
        best
    }

    fn positions(&self, count: usize, seed: u64) -> Vec<Position> {
        let mut random = Random(seed);
        let position = |_| {
            let layer = World::LAYERS[random.below(2) as usize];
            let index = self.game.index_of(layer);
            let side = Side::BOTH[random.below(2) as usize];
            let canonical = index.unrank(side, random.below(index.len(side)));
            self.game.image(&canonical, random.below(self.game.symmetries() as u64) as usize)
        };
        (0..count).map(position).collect()
    }

    fn raw(&self, layer: u16) -> Vec<u8> {
        raw_table(&self.game, layer, &self.codes[usize::from(layer) - 4]).0
    }

    fn packed(&self, layer: u16, options: &Options) -> Vec<u8> {
        let codes = &self.codes[usize::from(layer) - 4];
        packed_table(&self.game, &raw_table(&self.game, layer, codes).1, codes, options)
    }

    fn write(&self, directory: &Path, layer: u16, kind: Kind, bytes: &[u8]) {
        fs::write(directory.join(name(&self.game, layer, kind)), bytes).unwrap();
    }
}

/// Indexes are costly to make; the tests need two.
trait Indexed {
    fn index_of(&self, layer: u16) -> &'static HuntIndex;
}

impl Indexed for Hunt {
    fn index_of(&self, layer: u16) -> &'static HuntIndex {
        static INDEXES: [OnceLock<HuntIndex>; 2] = [const { OnceLock::new() }; 2];
        assert_eq!(self.symmetries(), 8);
        INDEXES[usize::from(layer) - 4].get_or_init(|| self.index(layer))
    }
}

fn all_options() -> Vec<Options> {
    let mut all = Vec::new();
    for stored in [BySide::new(true, true), BySide::new(false, true)] {
        all.extend([1 << 10, 1 << 16].map(|block_entries| Options { stored, block_entries }));
    }
    all
}

#[test]
fn every_mix_of_tables_gives_the_same_answers() {
    let world = World::free();
    let positions = world.positions(3000, 1);
    let mut tablebases = Vec::new();
    for options in all_options() {
        tablebases.push(World::LAYERS.map(|layer| world.packed(layer, &options)));
    }
    tablebases.push(World::LAYERS.map(|layer| world.raw(layer)));
    tablebases.push([world.raw(4), world.packed(5, &all_options()[2])]);
    for tables in tablebases {
        let directory = tempfile::tempdir().unwrap();
        for (layer, bytes) in World::LAYERS.into_iter().zip(&tables) {
            let packed =
                Table::from_bytes("x", bytes.clone()).unwrap().header().packing().is_some();
            world.write(
                directory.path(),
                layer,
                if packed { Kind::Packed } else { Kind::Raw },
                bytes,
            );
        }
        let in_memory = tables
            .into_iter()
            .map(|bytes| Table::from_bytes("memory", bytes).unwrap())
            .collect::<Vec<_>>();
        // SAFETY: nobody else knows the directory, and it is removed after the tablebase is gone.
        let mapped = unsafe { Tablebase::open_mapped(world.game.clone(), [directory.path()]) };
        for tablebase in [
            Tablebase::from_tables(world.game.clone(), in_memory),
            Tablebase::open(world.game.clone(), [directory.path()])
                .unwrap()
                .with_cache_bytes(1 << 16),
            mapped.unwrap(),
        ] {
            assert_eq!(tablebase.layers().collect::<Vec<_>>(), World::LAYERS);
            let many = tablebase.probe_outcomes(&positions);
            for (position, outcome) in positions.iter().zip(many) {
                let expected = world.value(position);
                assert_eq!(outcome.unwrap(), expected, "{position:?}");
                assert_eq!(tablebase.probe_outcome(position).unwrap(), expected, "{position:?}");
            }
        }
    }
}

#[test]
fn look_ahead_goes_on_where_the_lower_layer_stores_the_other_side() {
    let world = World::new("free", [Side::First, Side::Second]);
    let tables =
        [(4, BySide::new(true, false)), (5, BySide::new(false, true))].map(|(layer, stored)| {
            let options = Options { stored, ..Options::default() };
            Table::from_bytes("x", world.packed(layer, &options)).unwrap()
        });
    let tablebase = Tablebase::from_tables(world.game.clone(), tables);
    for position in world.positions(3000, 8) {
        assert_eq!(
            tablebase.probe_outcome(&position).unwrap(),
            world.value(&position),
            "{position:?}"
        );
    }
}

#[test]
fn all_eight_images_of_a_position_have_the_same_outcome() {
    let world = World::free();
    let tablebase = Tablebase::from_tables(
        world.game.clone(),
        World::LAYERS
            .map(|layer| Table::from_bytes("x", world.packed(layer, &all_options()[2])).unwrap()),
    );
    for position in world.positions(300, 2) {
        let outcomes: Vec<_> = (0..8)
            .map(|s| tablebase.probe_outcome(&world.game.image(&position, s)).unwrap())
            .collect();
        assert_eq!(outcomes, vec![outcomes[0]; 8]);
    }
}

#[test]
fn moves_come_best_first_and_in_generation_order_among_equals() {
    let world = World::free();
    let tablebase = Tablebase::from_tables(
        world.game.clone(),
        World::LAYERS.map(|layer| Table::from_bytes("x", world.raw(layer)).unwrap()),
    );
    for position in world.positions(500, 3) {
        let mut expected = Vec::new();
        let _ = world.game.visit_moves(&position, |mv, next| {
            let outcome = match next {
                Next::End(end) => end.outcome,
                Next::Position(next) => world.value(&next),
            };
            expected.push((mv, outcome));
            ControlFlow::<()>::Continue(())
        });
        let score = |outcome: Outcome| outcome.score(position.to_move());
        expected.sort_by_key(|&(_, outcome)| -score(outcome));
        let moves = tablebase.probe_moves(&position).unwrap();
        let found: Vec<_> =
            moves.iter().map(|rated| (rated.mv, rated.value.unwrap().outcome)).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn captures_into_a_layer_without_a_table_are_marked_unknown() {
    let world = World::free();
    let game = &world.game;
    let position = game.parse_position("3/3/7/3F3/3g1gg/g1g/3 f").unwrap();
    let above =
        Tablebase::from_tables(game.clone(), [Table::from_bytes("x", world.raw(5)).unwrap()]);
    let moves = above.probe_moves(&position).unwrap();
    let unknown: Vec<_> = moves.iter().skip_while(|rated| rated.value.is_some()).collect();
    assert!(unknown.iter().all(|rated| rated.value.is_none()));
    assert_eq!(
        unknown.iter().map(|probed| game.format_move(&probed.mv)).collect::<Vec<_>>(),
        ["d4xd2"]
    );
    assert_eq!(
        above.missing_layers().filter(|&layer| layer < 8).collect::<Vec<_>>(),
        [1, 2, 3, 4, 6, 7]
    );

    // A side that is left to look-ahead is known all the same where a move into the same layer
    // wins.
    let options = Options { stored: BySide::new(false, true), ..Options::default() };
    let above = Tablebase::from_tables(
        game.clone(),
        [Table::from_bytes("x", world.packed(5, &options)).unwrap()],
    );
    let (mut known, mut missing) = (0, 0);
    for position in
        world.positions(3000, 4).iter().filter(|p| p.to_move() == Side::First && game.layer(p) == 5)
    {
        match above.probe_outcome(position) {
            Ok(outcome) => {
                assert_eq!(outcome, world.value(position));
                known += 1;
            }
            Err(ProbeError::MissingLayer(layer)) => {
                assert_eq!(layer.layer, 4);
                missing += 1;
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(known > 100 && missing > 10, "{known} {missing}");
}

#[test]
fn a_missing_layer_is_named_with_where_it_was_sought_and_what_makes_it() {
    let world = World::free();
    let directories = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    world.write(directories[1].path(), 4, Kind::Raw, &world.raw(4));
    fs::write(directories[0].path().join("fox-geese.free.L05.wdl.anser.part"), "half").unwrap();
    fs::write(directories[0].path().join("fox-geese.forward.L05.wdl.anser"), "other rules")
        .unwrap();
    fs::write(directories[0].path().join("notes.txt"), "nothing").unwrap();
    let tablebase =
        Tablebase::open(world.game.clone(), directories.iter().map(tempfile::TempDir::path))
            .unwrap();
    assert_eq!(tablebase.layers().collect::<Vec<_>>(), [4]);
    assert_eq!(tablebase.rejected().count(), 0);
    assert_eq!(tablebase.unfinished().count(), 1);

    let position = world.game.parse_position("3/3/7/3F3/7/1gg/ggg f").unwrap();
    let error = tablebase.probe_outcome(&position).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Missing);
    let text = error.to_string();
    for part in ["layer 5", "fox-geese", "free", "L05.wdl.anser.part"] {
        assert!(text.contains(part), "{text}");
    }
    // The way to make it is data; the command line words its own command.
    let ProbeError::MissingLayer(missing) = error else { panic!("{error:?}") };
    assert_eq!((&*missing.game, &*missing.rules), ("fox-geese", "free"));
    assert_eq!((missing.first, missing.layer, missing.metric), (1, 5, Metric::Wdl));
    assert!(
        missing
            .searched
            .iter()
            .map(PathBuf::as_path)
            .eq(directories.iter().map(tempfile::TempDir::path))
    );
    assert_eq!(missing.unfinished.len(), 1);
    assert!(
        directories.iter().all(|directory| text.contains(&*directory.path().to_string_lossy())),
        "{text}"
    );

    // Without any table, the rules still answer where the game is over.
    let nothing = Tablebase::open(world.game.clone(), [directories[0].path()]).unwrap();
    let trapped = world.game.parse_position("gFg/1g1/3g3/7/7/3/3 f").unwrap();
    assert_eq!(nothing.probe_outcome(&trapped).unwrap(), Outcome::Win(Side::Second));
    assert!(nothing.probe_moves(&trapped).unwrap().is_empty());
    let few = world
        .game
        .parse_position("3/3/7/3F3/7/3/ggg g")
        .map(|p| nothing.probe_outcome(&p).unwrap());
    assert!(few.is_err() || few == Ok(Outcome::Win(Side::First)));
}

#[test]
fn files_that_cannot_be_used_are_reported_for_their_layer_and_spoil_no_other() {
    let world = World::free();
    let directory = tempfile::tempdir().unwrap();
    world.write(directory.path(), 4, Kind::Raw, &world.raw(4));
    let five = world.raw(5);
    let first_capture = World::new("first-capture", [Side::Second; 2]).raw(5);
    let cases: [(&[u8], &str); 5] = [
        (&five[..five.len() - 1], "truncated"),
        (&first_capture, "rule set"),
        (&world.raw(4), "layer"),
        (b"", "not a table"),
        (&[7; 9000], "not a table"),
    ];
    for (bytes, says) in cases {
        world.write(directory.path(), 5, Kind::Raw, bytes);
        let tablebase = Tablebase::open(world.game.clone(), [directory.path()]).unwrap();
        assert_eq!(tablebase.layers().collect::<Vec<_>>(), [4]);
        assert_eq!(tablebase.rejected().count(), 1);
        let positions = world.positions(200, 6);
        for (position, outcome) in positions.iter().zip(tablebase.probe_outcomes(&positions)) {
            match outcome {
                Ok(outcome) => assert_eq!(outcome, world.value(position)),
                Err(error) => {
                    assert_eq!(world.game.layer(position), 5);
                    assert_eq!(error.class(), ErrorClass::Corrupt);
                    let text = error.to_string();
                    assert!(
                        text.contains(says) && text.contains("layer 5") && text.contains("L05"),
                        "{text}"
                    );
                }
            }
        }
    }
    // A sound packed table beside the bad raw one answers; the bad one is still listed.
    world.write(directory.path(), 5, Kind::Packed, &world.packed(5, &Options::default()));
    let tablebase = Tablebase::open(world.game.clone(), [directory.path()]).unwrap();
    assert_eq!(tablebase.layers().collect::<Vec<_>>(), [4, 5]);
    assert_eq!(tablebase.rejected().count(), 1);
}

#[test]
fn a_directory_comes_before_the_next_and_raw_before_packed() {
    let world = World::free();
    let directories = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [first, second] = [directories[0].path(), directories[1].path()];
    world.write(first, 4, Kind::Packed, &world.packed(4, &Options::default()));
    world.write(first, 5, Kind::Packed, &world.packed(5, &Options::default()));
    world.write(first, 5, Kind::Raw, &world.raw(5));
    world.write(second, 4, Kind::Raw, &world.raw(4));
    let tablebase = Tablebase::open(world.game.clone(), [first, second]).unwrap();
    let path = |layer| tablebase.table(layer).unwrap().path().to_owned();
    assert_eq!(path(4), first.join("fox-geese.free.L04.wdl.anserz"));
    assert_eq!(path(5), first.join("fox-geese.free.L05.wdl.anser"));
}

#[test]
fn a_directory_that_is_not_there_is_an_error_that_names_it() {
    let error = Tablebase::open(Hunt::default(), ["/no/such/place"]).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Io);
    assert!(error.to_string().contains("/no/such/place"), "{error}");
}

#[test]
fn the_cache_stays_within_its_bound_and_saves_decoding() {
    let world = World::free();
    let positions = world.positions(4000, 7);
    let options = Options { block_entries: 1024, ..Options::default() };
    let tables = || {
        World::LAYERS.map(|layer| Table::from_bytes("x", world.packed(layer, &options)).unwrap())
    };
    let bound = 40_000;
    let small = Tablebase::from_tables(world.game.clone(), tables()).with_cache_bytes(bound);
    let large = Tablebase::from_tables(world.game.clone(), tables());
    for position in &positions {
        assert_eq!(small.probe_outcome(position).unwrap(), large.probe_outcome(position).unwrap());
        assert!(small.cache().bytes() <= bound);
    }
    let blocks: u64 = tables().iter().map(Table::parts).sum();
    assert!(large.cache().decoded() <= blocks);
    assert!(small.cache().decoded() > large.cache().decoded());
    // Both were asked for the same blocks.
    let asked = |tables: &Tablebase| tables.cache().decoded() + tables.cache().hits();
    assert_eq!(asked(&small), asked(&large));
    assert!(large.cache().hits() > blocks);
    // In the order of the tables, even a small cache decodes nothing twice.
    let small = Tablebase::from_tables(world.game.clone(), tables()).with_cache_bytes(bound);
    assert_eq!(
        small.probe_outcomes(&positions).iter().filter(|outcome| outcome.is_err()).count(),
        0
    );
    assert!(small.cache().decoded() <= blocks);
}

#[test]
fn threads_may_probe_one_tablebase_together() {
    fn shared<T: Send + Sync>(value: T) -> T {
        value
    }
    let world = World::free();
    let options = Options { block_entries: 512, ..Options::default() };
    let tablebase = shared(
        Tablebase::from_tables(
            world.game.clone(),
            [world.raw(4), world.packed(5, &options)]
                .map(|bytes| Table::from_bytes("x", bytes).unwrap()),
        )
        .with_cache_bytes(100_000),
    );
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let tablebase = &tablebase;
            scope.spawn(move || {
                for position in world.positions(5000, thread) {
                    assert_eq!(tablebase.probe_outcome(&position).unwrap(), world.value(&position));
                }
            });
        }
    });
}
