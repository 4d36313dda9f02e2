//! Compares questions about whole layers with a plain look at every position.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anser_analyse::{
    Listing, Random, Zugzwangs, census_of_layer, hardest, hardest_of_layer, zugzwangs,
    zugzwangs_of_layer,
};
use anser_core::hexapawn::BoardSize;
use anser_core::hunt::Position;
use anser_core::{
    Dtw, Hunt, LayerIndex, Observer, Outcome, ProbeLayer, Side, Unobserved, hunt, orbit_members,
};
use anser_retrograde::{AnalyseError, Census, Limits, Solution, census};

use crate::support::hunts;

fn solved(game: &Hunt, last: u16) -> Solution {
    Solution::of_layers(game, *game.layers().start()..=last, &Limits::default())
        .expect("enough memory")
}

/// The numbers of positions of a layer by side to move, winner, and plies; 0 plies for draws.
type Counts = BTreeMap<(Side, Option<Side>, u16), u64>;

fn counts(census: &Census) -> Counts {
    let mut counts = Counts::new();
    for side in Side::BOTH {
        let census = census.to_move(side);
        for winner in Side::BOTH {
            let depths = census.depths(winner);
            assert_eq!(depths.values().sum::<u64>(), census.outcome(Outcome::Win(winner)));
            counts.extend(depths.iter().map(|(&plies, &n)| ((side, Some(winner), plies), n)));
        }
        let drawn = census.outcome(Outcome::Draw);
        counts.extend((drawn > 0).then_some(((side, None, 0), drawn)));
    }
    counts
}

/// Asks every question about every layer, and compares the answers with all positions of the
/// layer, and with the answers about the whole solution.
fn answers_agree(game: &Hunt, solution: &Solution) {
    let mut summed = Census::default();
    let mut found = Zugzwangs::default();
    for layer in solution.layers().rev() {
        let all: Vec<(Position, Dtw)> = solution.positions(layer).collect();
        let census = census_of_layer(game, solution, layer, &Unobserved).expect("an answer");
        let mut expected = Counts::new();
        for (position, value) in &all {
            let key = (position.to_move(), value.winner(), value.plies().unwrap_or(0));
            *expected.entry(key).or_default() += 1;
        }
        assert_eq!(counts(&census), expected, "{} {}, layer {layer}", game.name(), game.rules_id());
        summed.add(&census);

        let longest = hardest_of_layer(game, solution, layer, 2, &Unobserved).expect("an answer");
        for (side, by_winner) in longest.iter() {
            for (winner, longest) in by_winner.iter() {
                let of = |plies: &u16| (side, Some(winner), *plies);
                let plies = census.to_move(side).depths(winner).keys().next_back().copied();
                assert_eq!(longest.as_ref().map(|longest| longest.plies), plies);
                let Some(longest) = longest else { continue };
                assert_eq!(longest.positions.count, expected[&of(&longest.plies)]);
                let mut members = 0;
                for (position, value) in &longest.positions.first {
                    assert_eq!(value.dtw(), solution.get(position));
                    assert_eq!((value.winner(), value.plies), (Some(winner), plies));
                    assert_eq!(position.to_move(), side);
                    members += orbit_members(game, position).len() as u64;
                }
                let listed = longest.positions.first.len() as u64;
                assert_eq!(listed, longest.classes.min(2));
                assert_eq!(members == longest.positions.count, listed == longest.classes);
            }
        }

        found = found.join(
            zugzwangs_of_layer(game, solution, layer, usize::MAX, &Unobserved).expect("an answer"),
            usize::MAX,
        );
    }
    assert_eq!(counts(&summed), counts(&census(solution)));
    assert_eq!(found, zugzwangs(solution, usize::MAX));
    for winner in Side::BOTH {
        let layers = solution.layers().rev().map(|layer| {
            let longest = hardest_of_layer(game, solution, layer, 5, &Unobserved);
            let [first, second] = longest.expect("an answer").into_array();
            [first, second].map(|of_side| {
                let [first, second] = of_side.into_array();
                if winner == Side::First { first } else { second }
            })
        });
        let joined = layers.flatten().flatten().reduce(|a, b| a.join(b, 5));
        assert_eq!(joined, hardest(solution, winner, 5));
    }
}

#[test]
fn answers_about_layers_are_what_a_plain_look_finds() {
    fn of_all(game: &Hunt) {
        answers_agree(game, &solved(game, *game.layers().end()));
    }
    of_all(&Hunt::hare_hounds("unlimited").unwrap());
    of_all(&Hunt::hare_hounds("budget-9").unwrap());
    of_all(&Hunt::fox_hounds(6, "strict").expect("a board"));
    of_all(&Hunt::fox_hounds(4, "escape").expect("a board"));
    of_all(&Hunt::hexapawn(BoardSize::THREE));
    of_all(&sideways());
    for description in hunts::small() {
        of_all(&Hunt::new(description).expect("a game"));
    }
}

/// Hexapawn with steps to the side: its numbering is the general one, in which arrangements with a
/// pawn on its last row have entries but are no positions.
fn sideways() -> Hunt {
    let mut description = hunt::hexapawn(BoardSize::THREE);
    "sideways".clone_into(&mut description.rules);
    for side in &mut description.sides {
        for row in 0..3 {
            let to_the_side = [[0, 1], [1, 0], [1, 2], [2, 1]];
            side.steps.extend(to_the_side.map(|step| step.map(|column| 3 * row + column)));
        }
    }
    Hunt::new(description).expect("a game")
}

#[test]
fn entries_that_are_no_positions_are_in_no_answer() {
    let game = sideways();
    let solution = solved(&game, *game.layers().end());
    let (mut entries, mut positions) = (0, 0);
    for layer in game.layers() {
        let index = game.index(layer);
        let mut random = Random::new(5);
        for side in Side::BOTH {
            let orbits: Vec<u64> =
                (0..index.len(side)).map(|rank| index.orbit(side, rank)).collect();
            entries += orbits.len() as u64;
            positions += orbits.iter().sum::<u64>();
            assert_eq!(
                index.classes(side),
                orbits.iter().filter(|&&orbit| orbit > 0).count() as u64
            );
            assert_eq!(game.positions(layer, side), orbits.iter().sum::<u64>());
            for _ in 0..50 {
                let Some(drawn) = random.position(&game, &index, &[side]) else { continue };
                assert!(index.orbit(side, index.rank(&drawn)) > 0);
            }
        }
    }
    assert!(positions < 2 * entries && positions > 0);
    assert_eq!(solution.len(), positions);
    assert_eq!(census(&solution).positions(), positions);
    let members = solution.fold_classes(|| 0, |sum, _, _, members| sum + members, |a, b| a + b);
    assert_eq!(members, positions);
    assert_eq!(solution.fold(|| 0, |sum, _, _| sum + 1, |a, b| a + b), positions);
}

#[test]
fn answers_about_layers_of_fox_and_geese_are_what_a_plain_look_finds() {
    let rules = ["free", "first-capture", "forward+chain", "free+orthogonal+compulsory"];
    for (rules, last) in rules.into_iter().zip([5, 4, 4, 4]) {
        let game = Hunt::fox_geese(rules).unwrap();
        answers_agree(&game, &solved(&game, last));
    }
}

/// Reading both sides to move at once is right only if the ranks agree.
#[test]
fn an_index_that_shares_ranks_does() {
    fn check(game: &Hunt, layers: impl Iterator<Item = u16>) -> bool {
        let mut shares = false;
        for layer in layers {
            let index = game.index(layer);
            if !index.shares_ranks() {
                continue;
            }
            shares = true;
            assert_eq!(index.len(Side::First), index.len(Side::Second));
            for side in Side::BOTH {
                for rank in (0..index.len(side)).step_by(7) {
                    let passed = game.passed(&index.unrank(side, rank)).expect("a position");
                    assert_eq!(game.layer(&passed), layer);
                    let of_class = index.copy_of(side, rank).unwrap_or(rank);
                    assert_eq!(index.orbit(side, rank) == 0, of_class != rank);
                    assert_eq!(index.rank(&passed), of_class);
                    assert_eq!(index.unrank(side.other(), rank), passed);
                }
            }
        }
        shares
    }
    for rules in ["free", "forward"] {
        let game = Hunt::fox_geese(rules).unwrap();
        assert!(check(&game, [1, 4, 6, 28, 31].into_iter()));
    }
    for rules in ["unlimited", "budget-9"] {
        let game = Hunt::hare_hounds(rules).unwrap();
        check(&game, game.layers());
    }
    let game = Hunt::hexapawn(BoardSize::THREE);
    check(&game, game.layers());
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let game = Hunt::default();
    let solution = solved(&game, 6);
    let answers = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let layers = solution.layers().map(|layer| {
                (
                    census_of_layer(&game, &solution, layer, &Unobserved).expect("an answer"),
                    hardest_of_layer(&game, &solution, layer, 3, &Unobserved).expect("an answer"),
                    zugzwangs_of_layer(&game, &solution, layer, 3, &Unobserved).expect("an answer"),
                )
            });
            layers.collect::<Vec<_>>()
        })
    };
    let one = answers(1);
    assert!((2..5).all(|threads| answers(threads) == one));
}

/// Counts what is reported, and interrupts after some parts.
struct Watcher {
    parts: AtomicU64,
    last: u64,
    announced: AtomicU64,
    advanced: AtomicU64,
}

impl Observer for Watcher {
    fn begin(&self, _: &str, units: u64) {
        self.announced.fetch_add(units, Relaxed);
    }

    fn advance(&self, units: u64) {
        self.advanced.fetch_add(units, Relaxed);
    }

    fn interrupted(&self) -> bool {
        self.parts.fetch_add(1, Relaxed) >= self.last
    }
}

#[test]
fn progress_is_complete_and_an_interruption_ends_the_answer() {
    let game = Hunt::default();
    let solution = solved(&game, 6);
    let ask = |last: u64| {
        let watcher = Watcher {
            parts: AtomicU64::new(0),
            last,
            announced: AtomicU64::new(0),
            advanced: AtomicU64::new(0),
        };
        let answer = census_of_layer(&game, &solution, 6, &watcher).map(|_| ());
        (answer, watcher)
    };
    let (answer, watcher) = ask(u64::MAX);
    assert_eq!(answer, Ok(()));
    let classes = game.index(6).len(Side::First);
    assert_eq!(watcher.advanced.into_inner(), 2 * classes);
    assert_eq!(watcher.announced.into_inner(), 2 * classes);
    let parts = watcher.parts.into_inner();
    assert!(parts > 4, "the layer is read in {parts} parts");
    for last in 0..parts {
        assert_eq!(ask(last).0, Err(AnalyseError::Interrupted), "after {last} parts");
    }
}

#[test]
fn a_layer_that_is_not_solved_is_an_error() {
    let game = Hunt::default();
    let solution = solved(&game, 4);
    let unsolved = Err(AnalyseError::Unsolved { layer: 5 });
    assert_eq!(census_of_layer(&game, &solution, 5, &Unobserved), unsolved);
    let refused = solution.read_outcomes(5, Side::First, 0, &mut []);
    assert_eq!(refused, Err(AnalyseError::Unsolved { layer: 5 }));
    // A solution of what a position leads to has few classes of its layer.
    let drawn = game.parse_position("3/3/7/3F3/3gg2/1g1/1g1 f").expect("a position");
    let reached = Solution::reachable(&game, &drawn).expect("enough memory");
    if reached.len() < game.positions(4, Side::First) + game.positions(4, Side::Second) {
        let refused = zugzwangs_of_layer(&game, &reached, 4, 1, &Unobserved);
        assert!(matches!(refused, Err(AnalyseError::Unknown { .. })));
    }
    assert_eq!(Listing::default().count, 0);
}
