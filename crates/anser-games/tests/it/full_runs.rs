//! The counts of full runs are consistent with each other and with the numbers of positions.

use anser_core::{Hunt, Side};
use anser_games::{Registry, full_run, kept_value};

#[test]
fn the_counts_of_full_runs_are_consistent() {
    let read = |rules: &str| -> serde_json::Value {
        let game = Hunt::fox_geese(rules).expect("a rule set");
        let run = full_run(&game).expect("the results are kept");
        serde_json::from_str(run.outcomes.expect("they are kept")).expect("it is JSON")
    };
    let sides = ["fox", "geese"];
    let count = |layer: &serde_json::Value, side: &str, outcome: &str| -> u64 {
        layer["to_move"][side][outcome].as_u64().expect("a count")
    };
    let runs = ["free", "first-capture", "forward"].map(|rules| {
        let run = read(rules);
        assert_eq!((&run["game"], &run["rules"]), (&"fox-geese".into(), &rules.into()));
        let layers = run["layers"].as_array().expect("a list of layers").clone();
        assert_eq!(layers.len(), 31);
        for (geese, layer) in (1..).zip(&layers) {
            let game = Hunt::fox_geese(rules).unwrap();
            assert_eq!(layer["layer"], geese);
            let half = game.positions(geese, Side::First);
            assert_eq!(layer["positions"], 2 * half);
            for side in sides {
                let counts = ["fox", "draw", "geese"].map(|outcome| count(layer, side, outcome));
                assert_eq!(
                    counts.iter().sum::<u64>(),
                    half,
                    "{rules}, layer {geese}, {side} to move"
                );
                // Fewer than four geese have lost.
                assert!(geese >= 4 || counts == [half, 0, 0], "{rules}, layer {geese}");
                // Under all eight symmetries a class of positions has 8, 4, 2, or 1 members; 2 only
                // with an even number of geese, and 1 only with a multiple of four.
                let divisor = [1, 4, 2, 4][usize::from(geese % 4)];
                let symmetric = rules != "forward";
                assert!(
                    !symmetric || counts.iter().all(|count| count % divisor == 0),
                    "{rules}, layer {geese}"
                );
            }
        }
        layers
    });
    let [free, first_capture, forward] = &runs;
    for (geese, layer) in (1..).zip(free) {
        // Every position that the geese win under `first-capture` or `forward` they win under
        // `free`.
        for restricted in [first_capture, forward] {
            for side in sides {
                assert!(
                    count(&restricted[geese - 1], side, "geese") <= count(layer, side, "geese"),
                    "{geese} geese"
                );
            }
        }
        // Every position that the fox wins under `free` it wins under `first-capture`.
        for side in sides {
            assert!(
                count(layer, side, "fox") <= count(&first_capture[geese - 1], side, "fox"),
                "{geese} geese"
            );
        }
    }
}

/// A hunt that a program makes may have the name of a game of this program, and other rules.
#[test]
fn results_are_kept_for_the_rules_of_this_program_alone() {
    let game = Registry::standard().game("bagh-chal", None).expect("it is registered");
    let mut description = game.description().clone();
    let same = Hunt::new(description.clone()).expect("the same rules");
    assert!(full_run(&same).is_some() && kept_value(&same, &same.start()).is_some());
    // The tigers cannot capture.
    description.sides[0].jumps.clear();
    let other = Hunt::new(description).expect("other rules");
    assert_eq!((other.name(), other.rules_id()), (game.name(), game.rules_id()));
    assert!(full_run(&other).is_none() && kept_value(&other, &other.start()).is_none());
}
