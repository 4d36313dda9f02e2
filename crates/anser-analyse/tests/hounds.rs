//! The published figures of Fox-and-Hounds and the true ones of Hasenspiel.

mod support;

use anser_analyse::{Solution, Unobserved, count};
use anser_core::fox_hounds::{FoxHounds, RuleSet};
use anser_core::hasenspiel::Hasenspiel;
use anser_core::{Dtw, Game, Side};

fn counted<G: Game>(game: &G) -> anser_analyse::Count {
    let solution = Solution::reachable(game, &game.start()).expect("there is room");
    count(&solution, &Unobserved).expect("games end")
}

#[test]
fn the_published_table_reproduces() {
    let games = ["1", "178", "", "360552037329667882019232833884"];
    let rows = [
        (2, 1, Side::Second, 0),
        (4, 83, Side::Second, 8),
        (6, 8_175, Side::First, 21),
        (8, 709_868, Side::Second, 44),
    ];
    for ((size, reachable, winner, plies), games) in rows.into_iter().zip(games) {
        let game = FoxHounds::new(size, RuleSet::Escape).expect("a board");
        let count = counted(&game);
        assert_eq!((count.reachable, count.value), (reachable, Dtw::win(winner, plies)), "{size}");
        if games.is_empty() {
            // "about 10^11"
            assert_eq!(count.tally.games().to_string().len(), 12);
        } else {
            assert_eq!(count.tally.games().to_string(), games, "{size}");
        }
    }
}
#[test]
#[ignore]
fn timing() {
    for size in [8, 10] {
        let game = FoxHounds::new(size, RuleSet::Escape).expect("a board");
        let t = std::time::Instant::now();
        let solution = Solution::reachable(&game, &game.start()).expect("there is room");
        eprintln!("{size} solved {:?} {} {:?}", t.elapsed(), solution.len(), solution.value(&game.start()));
        let t = std::time::Instant::now();
        let c = count(&solution, &Unobserved).expect("games end");
        eprintln!("{size} counted {:?} {:?}", t.elapsed(), c.tally.games().to_string());
        eprintln!(
            "{}",
            std::fs::read_to_string("/proc/self/status").unwrap().lines().find(|l| l.starts_with("VmHWM")).unwrap()
        );
    }
}
