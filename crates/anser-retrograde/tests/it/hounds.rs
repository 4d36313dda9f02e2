//! Compares the solver of Fox-and-Hounds and Hasenspiel with a plain program written from the rules
//! alone.
//!
//! The plain program (module `plain`) identifies squares by coordinates and processes positions one
//! by one. It shares no code with the solver or with the games of `anser-core`. The index of
//! `anser-core` maps the positions of one to those of the other.

use std::ops::{ControlFlow, Range};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anser_core::hounds::Rows;
use anser_core::hunt::{Hunt, Position};
use anser_core::{BLOCKED, BySide, Dtw, LayerIndex, Next, Observer, Side};
use anser_retrograde::hounds::{HoundsOptions, HoundsReport, HoundsSolver, LoneRows};
use anser_retrograde::{AnalyseError, Census, Limits, Tally};

mod plain {
    //! The rules, and values and counts computed from them position by position.

    use std::collections::{HashMap, HashSet};
    use std::hash::{BuildHasherDefault, Hasher};

    /// Fast hash for millions of positions, which need no protection against chosen collisions.
    #[derive(Default)]
    pub(super) struct Mix(u64);

    impl Hasher for Mix {
        fn finish(&self) -> u64 {
            self.0 ^ self.0 >> 32
        }

        fn write(&mut self, bytes: &[u8]) {
            for &byte in bytes {
                self.write_u64(byte.into());
            }
        }

        fn write_i8(&mut self, number: i8) {
            self.write_u64(number as u64);
        }

        fn write_u64(&mut self, number: u64) {
            self.0 = (self.0.rotate_left(8) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }

    pub(super) type Map<V> = HashMap<Position, V, BuildHasherDefault<Mix>>;
    type Set = HashSet<Position, BuildHasherDefault<Mix>>;

    /// Square of the lone man, the pack as bits `8 * y + x`, and whether the lone man is to move;
    /// for boards up to 8 x 8.
    pub(super) type Position = (Square, u64, bool);

    pub(super) type Square = (i8, i8);

    #[derive(Clone, Copy, PartialEq, Debug)]
    pub(super) enum End {
        Escape,
        Strict,
        Literal,
        Author,
    }

    /// Size of the board, end of the game, and number of hounds or pawns.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct HuntRules(pub(super) i8, pub(super) End, pub(super) i8);

    /// Whether the lone man wins, and the distance in plies.
    pub(super) type Value = (bool, u16);

    pub(super) fn bit((x, y): Square) -> u64 {
        1 << (8 * y + x)
    }

    fn men(hounds: u64) -> impl Iterator<Item = Square> {
        (0..64)
            .filter(move |square| hounds >> square & 1 != 0)
            .map(|square| (square % 8, square / 8))
    }

    fn around((x, y): Square) -> [Square; 4] {
        [(x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1)]
    }

    impl HuntRules {
        fn on_board(self, (x, y): Square) -> bool {
            (0..self.0).contains(&x) && (0..self.0).contains(&y)
        }

        pub(super) fn start(self) -> Position {
            let k = self.0 / 2;
            match self.1 {
                End::Escape | End::Strict => {
                    ((2 * (k / 2), self.0 - 1), (0..k).map(|i| bit((2 * i + 1, 0))).sum(), true)
                }
                // The rabbit starts on an odd row, on which the squares have odd columns.
                End::Literal | End::Author => {
                    let place = k - 1 - k / 2;
                    ((2 * place + 1, self.0 - 1), (0..self.2).map(|i| bit((2 * i, 0))).sum(), true)
                }
            }
        }

        pub(super) fn moves(self, &(fox, hounds, fox_moves): &Position) -> Vec<Position> {
            let free = |square: Square| {
                self.on_board(square) && square != fox && hounds & bit(square) == 0
            };
            if fox_moves {
                return around(fox)
                    .into_iter()
                    .filter(|&to| free(to))
                    .map(|to| (to, hounds, false))
                    .collect();
            }
            let steps = men(hounds)
                .flat_map(|from| around(from).into_iter().skip(2).map(move |to| (from, to)));
            steps
                .filter(|&(_, to)| free(to))
                .map(|(from, to)| (fox, hounds - bit(from) + bit(to), true))
                .collect()
        }

        /// Whether the lone man has won other than by blocking the pack.
        fn reached_goal(self, &(fox, hounds, _): &Position) -> bool {
            let number = |(x, y): Square| self.0 / 2 * y + x / 2;
            match self.1 {
                End::Strict => false,
                End::Escape => {
                    // A hound reaches the squares above it between its diagonals.
                    let reach = |h: Square, (x, y): Square| y >= h.1 && (x - h.0).abs() <= y - h.1;
                    let out = |square| !men(hounds).any(|hound| reach(hound, square));
                    out(fox)
                        && around(fox)
                            .into_iter()
                            .any(|square| self.on_board(square) && out(square))
                }
                End::Literal => fox.1 == 0,
                End::Author => {
                    men(hounds).all(|hound| number(fox) < number(hound) + self.0 / 2 - 1)
                }
            }
        }

        /// If the game is over, returns whether it ended by the goal, and whether the lone man
        /// wins.
        pub(super) fn over(self, position: &Position) -> Option<(bool, bool)> {
            let stuck = || self.moves(position).is_empty().then_some((false, !position.2));
            let goal = || self.reached_goal(position).then_some((true, true));
            match self.1 {
                End::Strict | End::Escape => stuck().or_else(goal),
                End::Literal | End::Author => goal().or_else(stuck),
            }
        }

        pub(super) fn value(self, position: &Position, known: &mut Map<Value>) -> Value {
            if let Some(&value) = known.get(position) {
                return value;
            }
            let value = if let Some((_, lone)) = self.over(position) {
                (lone, 0)
            } else {
                let mover = position.2;
                let next = self.moves(position).into_iter().map(|next| self.value(&next, known));
                // Prefers wins to losses, the shortest win, and the longest loss.
                let key = |&(lone, plies): &Value| {
                    if lone == mover { i32::from(plies) - 10_000 } else { -i32::from(plies) }
                };
                let (lone, plies) = next.min_by_key(key).expect("a move");
                (lone, plies + 1)
            };
            known.insert(*position, value);
            value
        }

        /// Returns all positions reachable from the start.
        pub(super) fn reachable(self) -> Set {
            let (mut open, mut all) = (vec![self.start()], Set::from_iter([self.start()]));
            while let Some(position) = open.pop() {
                if self.over(&position).is_none() {
                    open.extend(self.moves(&position).into_iter().filter(|&next| all.insert(next)));
                }
            }
            all
        }

        /// Returns the numbers of games that the lone man wins and that the pack wins. All paths to
        /// a position have the same number of plies, since the number of steps of the pack is the
        /// same.
        pub(super) fn games(self) -> (u128, u128) {
            let (mut won, mut layer) = ((0, 0), Map::from_iter([(self.start(), 1u128)]));
            while !layer.is_empty() {
                let mut after = Map::default();
                for (position, paths) in layer {
                    match self.over(&position) {
                        Some((_, true)) => won.0 += paths,
                        Some((_, false)) => won.1 += paths,
                        None => {
                            for next in self.moves(&position) {
                                *after.entry(next).or_default() += paths;
                            }
                        }
                    }
                }
                layer = after;
            }
            won
        }
    }
}

use plain::End;

fn rows(game: &Hunt) -> Rows {
    game.rows().expect("the pack only goes up")
}

fn solver(game: &Hunt) -> HoundsSolver {
    HoundsSolver::new(game).expect("the pack only goes up")
}

/// Converts a position to that of the plain program.
fn plainly(game: &Hunt, position: &Position) -> plain::Position {
    let at = |point: u8| {
        let square = &game.description().points[usize::from(point)];
        (square.x as i8, square.y as i8)
    };
    let hounds = position.many().iter().map(|point| plain::bit(at(point))).sum();
    let fox = position.few().first().expect("there is a fox");
    (at(fox), hounds, position.to_move() == Side::First)
}

fn dtw((lone, plies): plain::Value) -> Dtw {
    Dtw::win(if lone { Side::First } else { Side::Second }, plies)
}

/// Returns the values of every layer, by side to move and rank.
fn solve(game: &Hunt, solver: &HoundsSolver) -> Vec<[Vec<Dtw>; 2]> {
    let mut rows: Option<LoneRows> = None;
    let solve = |layer| {
        let index = game.index(layer);
        let mut values = Side::BOTH.map(|side| vec![Dtw::DRAW; index.len(side) as usize]);
        let [first, second] = &mut values;
        // The lowest layer of each half, with all hounds on the top row, depends on no other layer.
        let lower = if game.lower_layers(layer).is_empty() { None } else { rows.as_ref() };
        let own = solver.fill(layer, lower, [first, second], |value| value);
        // The rows read back from the values equal those in memory.
        rows = solver.rows(layer, |entry| values[0][entry as usize]);
        assert_eq!(rows, Some(own), "layer {layer}");
        values
    };
    game.layers().map(solve).collect()
}

/// Computes the census of a report from single positions.
fn census(game: &Hunt, values: impl IntoIterator<Item = (Side, Dtw, Option<bool>)>) -> Census {
    let (mut all, mut by_goal, mut blocked) =
        (Vec::new(), BySide::<u64>::default(), BySide::<u64>::default());
    for (side, value, goal) in values {
        all.push((side, value, 1));
        match goal {
            Some(true) => by_goal[side] += 1,
            Some(false) => blocked[side] += 1,
            None => {}
        }
    }
    let goal = if game.name().starts_with("hasenspiel") { "home" } else { "escaped" };
    let ends = Side::BOTH.into_iter().flat_map(|side| {
        [(side, BLOCKED, side.other(), blocked[side]), (side, goal, Side::First, by_goal[side])]
    });
    Census::of_values(all, ends)
}

/// Compares every value, every reachable position, and every count.
fn compare(game: &Hunt, solver: &HoundsSolver, end: End) {
    let board = rows(game).board;
    let rules = plain::HuntRules(board.size() as i8, end, board.hounds() as i8);
    let solved = solve(game, solver);
    let mut known = plain::Map::default();
    let mut all = Vec::new();
    let by_goal = |position: &plain::Position| rules.over(position).map(|(goal, _)| goal);
    for layer in game.layers() {
        let index = game.index(layer);
        for side in Side::BOTH {
            for rank in 0..index.len(side) {
                let position = index.unrank(side, rank);
                let plainly = plainly(game, &position);
                let value = dtw(rules.value(&plainly, &mut known));
                let found = solved[usize::from(layer)][side.index()][rank as usize];
                assert_eq!(found, value, "{} ({end:?})", game.format_position(&position));
                all.push((side, value, by_goal(&plainly)));
            }
        }
    }
    let report = solver.analyse(HoundsOptions::default(), &Limits::default()).expect("not stopped");
    assert_eq!(report.start, dtw(known[&rules.start()]));
    assert_eq!(report.all, Some(census(game, all)));

    let reachable = rules.reachable();
    let side = |position: &plain::Position| if position.2 { Side::First } else { Side::Second };
    let reachable =
        reachable.iter().map(|position| (side(position), dtw(known[position]), by_goal(position)));
    assert_eq!(report.reachable, census(game, reachable));
    let (lone, pack) = rules.games();
    assert_eq!(
        report.games.expect("asked for"),
        Tally::won_by(BySide::new(lone.into(), pack.into()))
    );
}

fn fox_hounds(size: usize, rules: &str) -> (Hunt, HoundsSolver) {
    let game = Hunt::fox_hounds(size, rules).expect("a size");
    let solver = solver(&game);
    (game, solver)
}

const FOX_HOUNDS: [(&str, End); 2] = [("escape", End::Escape), ("strict", End::Strict)];
const HASENSPIEL: [(&str, End); 2] = [("literal", End::Literal), ("author", End::Author)];

#[test]
fn small_boards_are_as_the_rules_have_it_position_by_position() {
    for size in [2, 4, 6] {
        for (rules, end) in FOX_HOUNDS {
            let (game, solver) = fox_hounds(size, rules);
            compare(&game, &solver, end);
        }
    }
}

#[test]
fn fox_and_hounds_on_the_chessboard_is_as_the_rules_have_it_position_by_position() {
    for (rules, end) in FOX_HOUNDS {
        let (game, solver) = fox_hounds(8, rules);
        compare(&game, &solver, end);
    }
}

#[test]
fn hasenspiel_is_as_the_rules_have_it_position_by_position() {
    for (rules, end) in HASENSPIEL {
        let game = Hunt::hasenspiel(8, 4, rules).expect("a size");
        compare(&game, &solver(&game), end);
    }
}

#[test]
fn hasenspiel_on_other_boards_is_as_the_rules_have_it_position_by_position() {
    for (rules, end) in HASENSPIEL {
        let sizes = [(2, 1), (4, 1), (4, 2), (6, 1), (6, 2), (6, 3), (8, 1), (8, 2), (8, 3)];
        for (size, pawns) in sizes {
            let game = Hunt::hasenspiel(size, pawns, rules).expect("a size");
            compare(&game, &solver(&game), end);
        }
    }
}

#[test]
fn on_large_boards_every_value_near_the_end_follows_from_the_moves() {
    for (size, layers) in [(10, 12), (12, 8)] {
        for (rules, _) in FOX_HOUNDS {
            let (game, solver) = fox_hounds(size, rules);
            for first in [0, game.layer(&game.start()) + 1] {
                follows(&game, &solver, first..first + layers);
            }
        }
    }
}

/// Checks every value of the lowest layers of a half against the values of its successors.
fn follows(game: &Hunt, solver: &HoundsSolver, layers: Range<u16>) {
    let (mut rows, mut below) = (None, Side::BOTH.map(|_| Vec::new()));
    for layer in layers {
        let index = game.index(layer);
        let mut own = Side::BOTH.map(|side| vec![Dtw::DRAW; index.len(side) as usize]);
        let [first, second] = &mut own;
        rows = Some(solver.fill(layer, rows.as_ref(), [first, second], |value| value));
        let below_index = game.lower_layers(layer).first().map(|&lower| game.index(lower));
        for side in Side::BOTH {
            for (rank, &found) in own[side.index()].iter().enumerate() {
                let position = index.unrank(side, rank as u64);
                let mut best = game.terminal(&position).map(Dtw::ended);
                let _ = game.visit_moves(&position, |_, next| {
                    let Next::Position(next) = next else { panic!("no move ends such a game") };
                    let (index, values) = match &below_index {
                        Some(lower) if side == Side::Second => (lower, &below),
                        _ => (&index, &own),
                    };
                    let value = values[side.other().index()][index.rank(&next) as usize].before();
                    if best.is_none_or(|best| value.score(side) > best.score(side)) {
                        best = Some(value);
                    }
                    ControlFlow::<()>::Continue(())
                });
                assert_eq!(Some(found), best, "{}", game.format_position(&position));
            }
        }
        below = own;
    }
}

fn analyse(size: usize, options: HoundsOptions) -> HoundsReport {
    fox_hounds(size, "escape").1.analyse(options, &Limits::default()).expect("not stopped")
}

#[test]
fn the_published_figures_of_fox_and_hounds_reproduce() {
    let published = [
        (2, 1, Some("1"), Side::Second, 0),
        (4, 83, Some("178"), Side::Second, 8),
        (6, 8_175, None, Side::First, 21),
        (8, 709_868, Some("360552037329667882019232833884"), Side::Second, 44),
    ];
    for (size, reachable, games, winner, plies) in published {
        let report = analyse(size, HoundsOptions::default());
        assert_eq!(report.reachable.positions(), reachable);
        assert_eq!(report.start, Dtw::win(winner, plies));
        let found = report.games.expect("asked for").games().to_string();
        assert!(games.is_none_or(|games| games == found), "{found} games on {size} x {size}");
    }
}

#[test]
#[ignore = "takes ten seconds"]
fn the_published_figures_of_ten_by_ten_reproduce() {
    let report = analyse(10, HoundsOptions::default());
    assert_eq!(report.reachable.positions(), 69_575_678);
    assert_eq!(report.start, Dtw::win(Side::Second, 72));
    // About 10^55 games.
    assert_eq!(report.games.expect("asked for").games().to_string().len(), 56);
}

#[test]
fn too_little_memory_is_said_before_anything_is_done() {
    let (_, solver) = fox_hounds(12, "escape");
    let with = |games, memory| {
        solver.analyse(HoundsOptions { all: false, games }, &Limits { memory, ..Limits::default() })
    };
    let (values, all) = (1 << 30, 3 << 30);
    for refused in [with(false, values), with(true, all)] {
        let said = refused.expect_err("it does not fit").to_string();
        assert!(said.contains("fox-hounds:12") && said.contains("GiB"), "{said}");
    }
    assert!(solver.memory(HoundsOptions { games: false, ..HoundsOptions::default() }) < all);
}

#[test]
fn what_is_not_asked_for_is_not_counted_and_changes_nothing_else() {
    let all = analyse(6, HoundsOptions::default());
    let some = analyse(6, HoundsOptions { all: false, games: false });
    assert_eq!(some, HoundsReport { all: None, games: None, ..all });
}

#[test]
fn threads_change_nothing() {
    let report = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| analyse(8, HoundsOptions::default()))
    };
    assert_eq!(report(1), report(3));
}

#[test]
fn a_count_can_be_watched_and_stopped_at_any_time() {
    struct Stop {
        after: u64,
        ahead: Mutex<u64>,
        advanced: AtomicU64,
    }
    impl Observer for Stop {
        fn begin(&self, _: &str, units: u64) {
            *self.ahead.lock().unwrap() += units;
        }
        fn advance(&self, units: u64) {
            self.advanced.fetch_add(units, Relaxed);
        }
        fn interrupted(&self) -> bool {
            self.advanced.load(Relaxed) > self.after
        }
    }
    let (_, solver) = fox_hounds(6, "escape");
    let analyse = |after| {
        let stop = Stop { after, ahead: Mutex::new(0), advanced: AtomicU64::new(0) };
        let limits = Limits { observer: &stop, ..Limits::default() };
        let report = solver.analyse(HoundsOptions::default(), &limits);
        (report, *stop.ahead.lock().unwrap(), stop.advanced.into_inner())
    };
    let (report, ahead, advanced) = analyse(u64::MAX);
    assert!(report.is_ok());
    assert_eq!(ahead, advanced);
    for after in (0..advanced).step_by(97) {
        assert!(
            matches!(analyse(after).0, Err(AnalyseError::Interrupted)),
            "{after} of {advanced}"
        );
    }
}

#[test]
fn values_that_no_position_can_have_are_not_gone_on_with() {
    let (_, solver) = fox_hounds(4, "escape");
    assert!(solver.rows(3, |_| Dtw::win(Side::Second, 2)).is_some());
    for value in [Dtw::DRAW, Dtw::win(Side::Second, 3), Dtw::win(Side::First, 200)] {
        assert_eq!(
            solver.rows(3, |entry| if entry == 7 { value } else { Dtw::win(Side::First, 0) }),
            None
        );
    }
}
