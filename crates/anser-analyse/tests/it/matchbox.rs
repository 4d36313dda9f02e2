//! The matchbox learner learns perfect play of Hexapawn.

use anser_analyse::{Advisor, Matchboxes, Random, Strategy, Style, Teacher, Unknown};
use anser_core::hexapawn::BoardSize;
use anser_core::hunt::{Position, hare_hounds};
use anser_core::{Dtw, Hunt, Next, Outcome, Probe, Side, Value};
use anser_retrograde::Solution;

fn hexapawn(size: &str) -> Hunt {
    Hunt::hexapawn(size.parse::<BoardSize>().expect("a size"))
}

#[test]
fn the_boxes_of_3x3_are_fewer_than_the_24_that_are_printed() {
    assert_eq!(Matchboxes::needed(&hexapawn("3x3"), Side::Second), 19);
    assert_eq!(Matchboxes::needed(&hexapawn("3x3"), Side::First), 18);
}

#[test]
fn black_never_loses_on_3x3_once_it_has_learnt() {
    let game = hexapawn("3x3");
    let solution = Solution::reachable(&game, &game.start()).expect("a solution");
    for seed in 0..20 {
        let (mut boxes, mut random) = (Matchboxes::new(&game, 1), Random::new(seed));
        let taught = boxes.train(Side::Second, &Teacher::Random, 1_000, &mut random);
        // Every lost game removes a bead. Learning needs at least one, and there are fewer than 60.
        assert!((1..60).contains(&taught.lost), "{taught:?}");
        assert_eq!((taught.drawn, taught.games()), (0, 1_000));
        // A box is never opened if the bead that leads to it is removed early.
        assert!((15..=19).contains(&boxes.opened(Side::Second)));
        let perfect = Teacher::Perfect(&solution);
        for teacher in [&Teacher::Random, &perfect] {
            let again = boxes.train(Side::Second, teacher, 300, &mut random);
            assert_eq!((again.won, again.lost), (300, 0), "seed {seed}");
        }
    }
}

#[test]
fn every_bead_that_wins_stays_and_every_other_goes() {
    let game = hexapawn("3x3");
    let solution = Solution::reachable(&game, &game.start()).expect("a solution");
    let mut boxes = Matchboxes::new(&game, 1);
    boxes.train(Side::Second, &Teacher::Random, 5_000, &mut Random::new(3));
    let all = solution.layers().flat_map(|layer| solution.positions(layer).collect::<Vec<_>>());
    let mut compared = 0;
    for (position, _) in
        all.filter(|(p, _)| game.terminal(p).is_none() && p.to_move() == Side::Second)
    {
        let moves = anser_analyse::known_moves(&game, &solution, &position);
        let chances = boxes.chances(&position);
        for (rated, chance) in moves.iter().zip(chances) {
            let wins =
                rated.value.and_then(|value| value.outcome.score(Side::Second).into()) == Some(1);
            // Boxes that are no longer opened, because beads that led to them are gone, may keep
            // losing moves.
            assert!(!wins || chance > 0.0, "{}", game.format_position(&position));
            compared += 1;
        }
    }
    assert!(compared > 60, "{compared}");
    // White loses from the start, so it resigns at once in the end.
    let mut white = Matchboxes::new(&game, 1);
    let perfect = Teacher::Perfect(&solution);
    let taught = white.train(Side::First, &perfect, 200, &mut Random::new(3));
    assert_eq!((taught.won, taught.lost), (0, 200));
    assert!(white.chances(&game.start()).iter().all(|&chance| chance == 0.0));
    assert_eq!(white.draw(&game.start(), &mut Random::new(1)), None);
}

#[test]
fn other_boards_are_learnt_too_by_the_side_that_wins() {
    for (size, games) in [("2x3", 100), ("1x3", 10), ("3x4", 60_000), ("4x3", 20_000)] {
        let game = hexapawn(size);
        let solution = Solution::reachable(&game, &game.start()).expect("a solution");
        let winner = solution.get(&game.start()).and_then(Dtw::winner).expect("there are no draws");
        let (mut boxes, mut random) = (Matchboxes::new(&game, 1), Random::new(9));
        boxes.train(winner, &Teacher::Random, games, &mut random);
        assert!(boxes.opened(winner) <= Matchboxes::needed(&game, winner));
        let again = boxes.train(winner, &Teacher::Perfect(&solution), 200, &mut random);
        assert_eq!(again.lost, 0, "{size}");
    }
}

#[test]
fn endless_play_that_the_opponent_wins_is_a_lost_game() {
    let mut description = hare_hounds("unlimited").expect("rules");
    for endless in [None, Some(Side::First), Some(Side::Second)] {
        description.endless = endless;
        let game = Hunt::new(description.clone()).expect("rules");
        let (mut boxes, start) = (Matchboxes::new(&game, 1), game.start());
        // The side that moves first begins a game that does not end.
        let side = start.to_move().other();
        let all = |boxes: &Matchboxes, position| boxes.chances(position).iter().sum::<f64>();
        let (_, next) = game.moves(&start)[0];
        let Next::Position(second) = next else { panic!("the game goes on") };
        let (_, answer) = game.moves(&second)[0];
        let before = all(&boxes, &second);
        boxes.learn(side, &[(start, next), (second, answer)], Outcome::Draw);
        let lost = before - all(&boxes, &second);
        let expected = if endless == Some(side.other()) { 1.0 } else { 0.0 };
        assert!((lost - expected).abs() < 1e-9, "{endless:?}: {lost}");
    }
}

#[test]
fn the_same_seed_teaches_the_same() {
    let game = hexapawn("3x3");
    let taught = |seed| {
        let mut boxes = Matchboxes::new(&game, 2);
        let taught = boxes.train(Side::Second, &Teacher::Random, 40, &mut Random::new(seed));
        (taught, boxes.chances(&game.parse_position("ppp/P2/1PP b").expect("a position")))
    };
    assert_eq!(taught(5), taught(5));
    assert!((0..20).any(|seed| taught(seed) != taught(5)));
}

#[test]
fn a_player_in_this_style_draws_from_the_boxes_of_its_source() {
    struct Boxes(Matchboxes);
    impl Probe for Boxes {
        type Error = Unknown;
        fn value(&self, _: &Position) -> Result<Value, Unknown> {
            Err(Unknown)
        }
    }
    impl Advisor for Boxes {
        fn learned(&self, position: &Position) -> Option<Vec<f64>> {
            Some(self.0.chances(position))
        }
    }
    let game = hexapawn("3x3");
    let mut boxes = Matchboxes::new(&game, 1);
    boxes.train(Side::Second, &Teacher::Random, 2_000, &mut Random::new(1));
    let source = Boxes(boxes);
    let strategy = Strategy { style: Style::Matchbox, ..Strategy::default() };
    let position = game.parse_position("ppp/1P1/P1P b").expect("a position");
    let mut drawn = std::collections::BTreeSet::new();
    for seed in 0..50 {
        let chosen = strategy
            .choose(&game, &source, &position, &[], &mut Random::new(seed))
            .expect("a move");
        drawn.insert(game.format_move(&chosen.mv));
    }
    // Both captures win; both steps lose.
    assert_eq!(drawn.into_iter().collect::<Vec<_>>(), ["a3xb2", "c3xb2"]);
}
