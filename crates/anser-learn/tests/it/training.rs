//! Training: it learns, and the same again.

use anser_core::hunt::{Position, hare_hounds};
use anser_core::{Hunt, Observer, Side, Unobserved};
use anser_learn::{
    DocumentEncoding, Encoding, HuntEncoding, LearnError, Learner, Perfect, Settings, Starts,
    exact_samples, grade,
};
use anser_retrograde::Solution;

use crate::{grades, hexapawn, positions};

fn trained<'a>(
    game: &'a Hunt,
    encoding: &'a HuntEncoding,
    starts: &'a [Position],
    seed: u64,
    iterations: u32,
    threads: usize,
) -> Learner<'a> {
    let settings = Settings { iterations, ..Settings::standard(starts.len() as u64) };
    let mut learner =
        Learner::new(game, encoding, settings, seed, Starts::of(game, starts)).unwrap();
    while !learner.is_done() {
        learner.iterate(threads, &Unobserved).unwrap();
    }
    learner
}

/// The bits of a network's scores in some positions.
fn bits(learner: &Learner<'_>, encoding: &dyn Encoding, at: &[Position]) -> Vec<u32> {
    let mut inputs = vec![0.0; at.len() * encoding.inputs()];
    for (position, inputs) in at.iter().zip(inputs.chunks_mut(encoding.inputs())) {
        encoding.encode(position, inputs);
    }
    let (scores, values) = learner.network().evaluate(inputs).unwrap();
    scores.into_iter().chain(values).map(f32::to_bits).collect()
}

#[test]
fn the_small_board_is_learned_without_a_wrong_move() {
    let game = hexapawn(3, 3);
    let solution = Solution::reachable(&game, &game.start()).unwrap();
    let (starts, encoding) = (positions(&solution), HuntEncoding::new(&game));
    for seed in 1..=3 {
        let learner = trained(&game, &encoding, &starts, seed, 20, 2);
        let play = Settings::standard(starts.len() as u64).play;
        let mut player = play.player(&game, &encoding, learner.network(), 0);
        assert_eq!(grades::wrong(&solution, &mut player), 0, "seed {seed}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bits_with_any_number_of_threads_and_after_a_resume() {
    let game = hexapawn(3, 3);
    let solution = Solution::reachable(&game, &game.start()).unwrap();
    let (starts, encoding) = (positions(&solution), HuntEncoding::new(&game));
    let whole = trained(&game, &encoding, &starts, 7, 4, 2);
    let expected = bits(&whole, &encoding, &starts);
    let alone = trained(&game, &encoding, &starts, 7, 4, 1);
    assert!(bits(&alone, &encoding, &starts) == expected);
    let other = trained(&game, &encoding, &starts, 8, 4, 2);
    assert!(bits(&other, &encoding, &starts) != expected, "the seed has an effect");

    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("checkpoint");
    let settings = Settings { iterations: 4, ..Settings::standard(starts.len() as u64) };
    let mut first =
        Learner::new(&game, &encoding, settings.clone(), 7, Starts::of(&game, &starts)).unwrap();
    for _ in 0..2 {
        first.iterate(2, &Unobserved).unwrap();
    }
    first.write_checkpoint(&path).unwrap();
    let mut second =
        Learner::resume(&game, &encoding, settings, 7, Starts::of(&game, &starts), &path).unwrap();
    assert_eq!(second.history(), first.history());
    while !second.is_done() {
        second.iterate(2, &Unobserved).unwrap();
    }
    assert!(bits(&second, &encoding, &starts) == expected);
    assert_eq!(second.history(), whole.history());
}

/// The parameters of a learner's network, by name.
fn parameters(learner: &Learner<'_>) -> Vec<(String, Vec<f32>)> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("model");
    learner.write_model(&path).unwrap();
    let bytes = std::fs::read(path).unwrap();
    let tensors = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    let mut parameters: Vec<(String, Vec<f32>)> = tensors
        .tensors()
        .into_iter()
        .map(|(name, view)| {
            let quads = view.data().as_chunks().0.iter();
            (name, quads.map(|&quad| f32::from_le_bytes(quad)).collect())
        })
        .collect();
    parameters.sort_by(|a, b| a.0.cmp(&b.0));
    parameters
}

#[test]
fn averages_of_weights_play_and_the_weights_themselves_are_trained() {
    let game = hexapawn(3, 3);
    let solution = Solution::reachable(&game, &game.start()).unwrap();
    let (starts, encoding) = (positions(&solution), HuntEncoding::new(&game));
    let plain = Settings { iterations: 3, ..Settings::standard(starts.len() as u64) };
    let settings = Settings { average: 0.25, ..plain.clone() };
    let new = |settings: &Settings| {
        Learner::new(&game, &encoding, settings.clone(), 5, Starts::of(&game, &starts)).unwrap()
    };
    let (mut plain, mut whole) = (new(&plain), new(&settings));
    let initial = parameters(&plain);
    plain.iterate(2, &Unobserved).unwrap();
    whole.iterate(2, &Unobserved).unwrap();
    let (as_trained, average) = (parameters(&plain), parameters(&whole));
    let mut changed = 0;
    for ((initial, as_trained), average) in initial.iter().zip(&as_trained).zip(&average) {
        assert_eq!((&initial.0, &as_trained.0), (&average.0, &average.0));
        for ((initial, as_trained), average) in initial.1.iter().zip(&as_trained.1).zip(&average.1)
        {
            let expected = 0.25 * initial + 0.75 * as_trained;
            assert!((average - expected).abs() < 1e-6, "{average}, expected {expected}");
            changed += usize::from((initial - as_trained).abs() > 1e-3);
        }
    }
    assert!(changed > 1_000, "{changed}");

    // A checkpoint has both.
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("checkpoint");
    whole.write_checkpoint(&path).unwrap();
    let starts_of = Starts::of(&game, &starts);
    let mut resumed =
        Learner::resume(&game, &encoding, settings.clone(), 5, starts_of, &path).unwrap();
    for learner in [&mut whole, &mut resumed] {
        while !learner.is_done() {
            learner.iterate(2, &Unobserved).unwrap();
        }
    }
    assert!(parameters(&resumed) == parameters(&whole));

    let arena = Settings::document().arena;
    for wrong in [Settings { arena, ..settings.clone() }, Settings { average: 1.0, ..settings }] {
        assert!(matches!(wrong.check(), Err(LearnError::Settings(_))));
    }
}

#[test]
fn exact_samples_have_the_value_and_all_best_moves_of_every_position() {
    let game = hexapawn(3, 3);
    let solution = Solution::reachable(&game, &game.start()).unwrap();
    let encoding = HuntEncoding::new(&game);
    let all = exact_samples(&solution, &encoding, false).unwrap();
    let open: Vec<_> =
        positions(&solution).into_iter().filter(|it| game.terminal(it).is_none()).collect();
    assert_eq!(all.len(), open.len());
    let mut several = 0;
    for (position, sample) in open.iter().zip(&all) {
        let mut inputs = vec![0.0; encoding.inputs()];
        encoding.encode(position, &mut inputs);
        assert!(sample.inputs == inputs);
        let side = position.to_move();
        let value = solution.require(position).unwrap();
        assert_eq!(
            f64::from(sample.value).to_bits(),
            f64::from(value.outcome().score(side)).to_bits()
        );
        // Best moves are those that keep the distance.
        let after = game.moves(position).into_iter().map(|(_, next)| crate::after(next));
        let best = after.map(|next| solution.require(&next).unwrap().before() == value);
        let best: Vec<bool> = best.collect();
        let count = best.iter().filter(|best| **best).count();
        assert!(count > 0);
        several += usize::from(count > 1);
        let shares: Vec<f32> =
            best.iter().map(|best| if *best { 1.0 / count as f32 } else { 0.0 }).collect();
        let moves = game.moves(position);
        let actions = moves.iter().map(|(mv, _)| encoding.action(position, mv));
        let expected: Vec<(u16, f32)> = actions.zip(shares).collect();
        assert!(sample.policy == expected, "{:?}", sample.policy);
    }
    assert!(several > 5, "{several}");
    // Of a position and its mirror image there is one.
    let classes = exact_samples(&solution, &encoding, true).unwrap();
    let mirrored = open.iter().filter(|it| game.image(it, 1) < **it).count();
    assert_eq!(classes.len(), all.len() - mirrored);
    assert!(mirrored > 10);
}

#[test]
fn wins_by_endless_play_have_the_value_of_wins() {
    let mut description = hare_hounds("unlimited").unwrap();
    let drawn = Hunt::new(description.clone()).unwrap();
    description.endless = Some(Side::First);
    let game = Hunt::new(description).unwrap();
    let values_of = |game: &Hunt| {
        let solution = Solution::reachable(game, &game.start()).unwrap();
        let encoding = HuntEncoding::new(game);
        let samples = exact_samples(&solution, &encoding, false).unwrap();
        let open = positions(&solution).into_iter().filter(|it| game.terminal(it).is_none());
        let sides: Vec<Side> = open.map(|position| position.to_move()).collect();
        sides.into_iter().zip(samples.iter().map(|sample| sample.value)).collect::<Vec<_>>()
    };
    let (draws, wins) = (values_of(&drawn), values_of(&game));
    assert_eq!(draws.len(), wins.len());
    let mut endless = 0;
    for ((_, if_drawn), (side, value)) in draws.into_iter().zip(wins) {
        let expected = match if_drawn {
            0.0 if side == Side::First => 1.0,
            0.0 => -1.0,
            decided => decided,
        };
        endless += usize::from(if_drawn == 0.0);
        assert!((value - expected).abs() < 1e-6, "{side:?}: {value}, {if_drawn}");
    }
    assert!(endless > 100, "{endless}");

    // Grades compare with the same values.
    let solution = Solution::reachable(&game, &game.start()).unwrap();
    let grade = grade(&solution, &mut Perfect(&solution), &Unobserved).unwrap();
    assert!(grade.wrong_signs == 0 && grade.value_error < 1e-9, "{}", grade.value_error);
}

#[test]
fn fox_and_geese_is_learned_from_a_position_with_few_geese() {
    let game = Hunt::fox_geese("forward").unwrap();
    let root = game.parse_position("3/ggg/3g3/3F3/7/3/3 f").unwrap();
    let solution = Solution::reachable(&game, &root).unwrap();
    let (all, encoding) = (positions(&solution), HuntEncoding::new(&game));
    assert_eq!(all.len(), 8_913);
    let settings =
        Settings { iterations: 2, games: 0, steps: 150, ..Settings::standard(solution.len()) };
    let play = settings.play;
    let starts = Starts { usual: root, others: &all };
    let samples = exact_samples(&solution, &encoding, play.symmetric).unwrap();
    let mut learner =
        Learner::new(&game, &encoding, settings, 1, starts).unwrap().with_samples(samples);
    let wrong = |learner: &Learner<'_>| {
        let mut player = play.player(&game, &encoding, learner.network(), 0);
        grades::wrong(&solution, &mut player)
    };
    let before = wrong(&learner);
    while !learner.is_done() {
        learner.iterate(2, &Unobserved).unwrap();
    }
    let after = wrong(&learner);
    assert!(after < before / 4, "{after} of {before}");

    // Games start where they should, and a checkpoint is of its start alone.
    let settings =
        Settings { iterations: 1, games: 8, random_starts: 0.0, ..Settings::standard(1) };
    let mut learner = Learner::new(&game, &encoding, settings.clone(), 1, starts).unwrap();
    let played = learner.iterate(2, &Unobserved).unwrap();
    assert!(played.plies > 8, "{}", played.plies);
    let start = learner.description().start;
    assert_eq!(start.as_deref(), Some("3/ggg/3g3/3F3/7/3/3 f"));
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("checkpoint");
    learner.write_checkpoint(&path).unwrap();
    let resume =
        |starts| Learner::resume(&game, &encoding, settings.clone(), 1, starts, &path).map(|_| ());
    resume(starts).unwrap();
    let error = resume(Starts::of(&game, &all)).unwrap_err();
    assert!(matches!(error, LearnError::Mismatch { what: "start", .. }), "{error}");
}

/// Interrupts at once.
struct Interrupted;

impl Observer for Interrupted {
    fn interrupted(&self) -> bool {
        true
    }
}

#[test]
fn an_interrupted_iteration_can_be_run_again() {
    let game = hexapawn(3, 3);
    let solution = Solution::reachable(&game, &game.start()).unwrap();
    let (starts, encoding) = (positions(&solution), HuntEncoding::new(&game));
    let settings = Settings { iterations: 2, ..Settings::standard(starts.len() as u64) };
    let mut learner =
        Learner::new(&game, &encoding, settings, 7, Starts::of(&game, &starts)).unwrap();
    let expected = trained(&game, &encoding, &starts, 7, 2, 2);
    while !learner.is_done() {
        let error = learner.iterate(2, &Interrupted).unwrap_err();
        assert!(matches!(error, LearnError::Interrupted));
        learner.iterate(2, &Unobserved).unwrap();
    }
    assert!(bits(&learner, &encoding, &starts) == bits(&expected, &encoding, &starts));
}

#[test]
fn the_learner_of_the_document_plays_its_matches() {
    let game = hexapawn(3, 3);
    let encoding = DocumentEncoding::new(&game).unwrap();
    let settings = Settings { iterations: 2, ..Settings::document() };
    let mut learner = Learner::new(&game, &encoding, settings, 1, Starts::of(&game, &[])).unwrap();
    assert_eq!(learner.network().shape().parameters(), 56_093);
    while !learner.is_done() {
        let before = bits(&learner, &encoding, &[game.start()]);
        let iteration = learner.iterate(2, &Unobserved).unwrap();
        let arena = iteration.arena.expect("a match is played");
        assert_eq!((iteration.games, iteration.steps, arena.games), (20, 128, 10));
        assert_eq!(arena.accepted, arena.won.iter().sum::<u32>() > 10);
        assert_eq!(bits(&learner, &encoding, &[game.start()]) != before, arena.accepted);
    }
}
