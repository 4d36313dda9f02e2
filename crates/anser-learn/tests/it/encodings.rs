//! Encodings: positions and moves are told apart, and symmetric positions are treated alike.

use std::collections::{HashMap, HashSet};

use anser_analyse::Random;
use anser_core::hunt::{FOX_GEESE_RULES, Move, Position};
use anser_core::{Hunt, Next, Side};
use anser_games::Registry;
use anser_learn::{
    DocumentEncoding, Encoding, Evaluator, HuntEncoding, Network, NetworkEvaluator, Shape,
};
use anser_retrograde::Solution;

#[path = "../../../anser-retrograde/tests/it/support/hunts.rs"]
mod hunts;

use crate::{hexapawn, positions};

fn inputs(encoding: &dyn Encoding, position: &Position) -> Vec<u32> {
    let mut inputs = vec![0.0_f32; encoding.inputs()];
    encoding.encode(position, &mut inputs);
    inputs.into_iter().map(f32::to_bits).collect()
}

/// Positions of one side to move have different inputs, and the moves of a position different
/// actions, but for chains between the same points.
fn check<E: Encoding + Clone>(game: &Hunt, encoding: &E) {
    let solution = Solution::reachable(game, &game.start()).unwrap();
    check_all(game, encoding, positions(&solution));
}

fn check_all<E: Encoding + Clone>(
    game: &Hunt,
    encoding: &E,
    positions: impl IntoIterator<Item = Position>,
) {
    let mut seen: HashMap<(Side, Vec<u32>), Position> = HashMap::new();
    for position in positions {
        let key = (position.to_move(), inputs(encoding, &position));
        assert_eq!(seen.insert(key, position), None, "{position:?} looks like another");
        let mut moves: HashMap<u16, Move> = HashMap::new();
        for (mv, _) in game.moves(&position) {
            let action = encoding.action(&position, &mv);
            assert!(usize::from(action) < encoding.actions());
            if let Some(other) = moves.insert(action, mv) {
                let ends =
                    [mv, other].map(|it| (it.path().first().copied(), it.path().last().copied()));
                let are_chains = game.has_chains() && mv.is_capture() && ends[0] == ends[1];
                assert!(are_chains, "two moves of {position:?} have one action");
            }
        }
    }
}

#[test]
fn positions_and_moves_are_told_apart_in_all_games() {
    for (columns, rows) in [(3, 3), (4, 3), (3, 4)] {
        let game = hexapawn(columns, rows);
        check(&game, &HuntEncoding::new(&game));
        check(&game, &DocumentEncoding::new(&game).unwrap());
    }
    let game = Hunt::fox_hounds(6, "escape").unwrap();
    check(&game, &HuntEncoding::new(&game));
    let game = Hunt::hasenspiel(8, 4, "literal").unwrap();
    check(&game, &HuntEncoding::new(&game));
    // The longest budget has the positions of the others.
    for rules in ["budget-1", "budget-2", "budget-31", "budget-200", "unlimited"] {
        let game = Hunt::hare_hounds(rules).unwrap();
        check(&game, &HuntEncoding::new(&game));
    }
    // Hands, captures, goals, and passes.
    for description in hunts::small() {
        let game = Hunt::new(description).unwrap();
        check(&game, &HuntEncoding::new(&game));
    }
}

#[test]
fn both_sides_of_hexapawn_see_the_same_board() {
    let game = hexapawn(4, 4);
    let encoding = HuntEncoding::new(&game);
    // The own pawns, then the others', from the own side on; steps, captures to the left, and to
    // the right, by the square where they begin.
    assert_eq!((encoding.inputs(), encoding.actions()), (32, 36));
    let [white, black] =
        ["ppp1/3p/P3/1PPP w", "1ppp/p3/3P/PPP1 b"].map(|it| game.parse_position(it).unwrap());
    let squares = |position| -> Vec<usize> {
        let inputs = inputs(&encoding, position);
        (0..32).filter(|&at| inputs[at] != 0).collect()
    };
    assert_eq!(squares(&white), [1, 2, 3, 4, 16 + 11, 16 + 12, 16 + 13, 16 + 14]);
    assert_eq!(squares(&black), squares(&white));
    let actions = |text: &str, mv: &str| {
        let position = game.parse_position(text).unwrap();
        let moves = game.moves(&position);
        let (mv, _) = moves.iter().find(|(other, _)| game.format_move(other) == mv).unwrap();
        encoding.action(&position, mv)
    };
    assert_eq!(actions("pppp/4/4/PPPP w", "b1-b2"), 1);
    assert_eq!(actions("pppp/4/1P2/P1PP b", "b4-b3"), 1);
    assert_eq!(actions("p1pp/1p2/P3/1PPP w", "a2xb3"), 24 + 4);
    assert_eq!(actions("1ppp/p3/1P2/P1PP b", "a3xb2"), 24 + 4);
    assert_eq!(actions("p1pp/1p2/2P1/PP1P w", "c2xb3"), 12 + 6);
}

/// Adds the positions of a game of up to 40 random moves. Returns the number of captures.
fn play(game: &Hunt, start: Position, random: &mut Random, seen: &mut HashSet<Position>) -> usize {
    let (mut position, mut captures) = (start, 0);
    for _ in 0..40 {
        seen.insert(position);
        let moves = game.moves(&position);
        if game.terminal(&position).is_some() || moves.is_empty() {
            break;
        }
        let (mv, next) = moves[random.below(moves.len())];
        captures += usize::from(mv.is_capture());
        let Next::Position(next) = next else { break };
        position = next;
    }
    captures
}

#[test]
fn positions_and_moves_of_fox_and_geese_are_told_apart() {
    let mut random = Random::new(1);
    for rules in FOX_GEESE_RULES {
        let game = Hunt::fox_geese(rules).unwrap();
        let encoding = HuntEncoding::new(&game);
        // From the start, and from positions with few geese.
        let few = game.parse_position("3/1g1/2g1g2/3F3/2ggg2/1g1/3 f").unwrap();
        let (mut seen, mut captures) = (HashSet::new(), 0);
        for start in [game.start(), few].into_iter().cycle().take(200) {
            captures += play(&game, start, &mut random, &mut seen);
        }
        assert!(captures > 50 && seen.len() > 1_000, "{rules}: {captures} of {}", seen.len());
        check_all(&game, &encoding, seen);
    }
}

#[test]
fn positions_and_moves_of_every_game_are_told_apart() {
    let registry = Registry::standard();
    let mut random = Random::new(2);
    let (mut games, mut chains) = (0, 0);
    for info in registry.games() {
        for rules in &info.rule_sets {
            let game = registry.game(&info.name, Some(&rules.id)).unwrap();
            let encoding = HuntEncoding::new(&game);
            chains += usize::from(game.has_chains());
            let mut seen = HashSet::new();
            for _ in 0..5 {
                play(&game, game.start(), &mut random, &mut seen);
            }
            assert!(seen.len() > 2, "{} {}", info.name, rules.id);
            check_all(&game, &encoding, seen);
            games += 1;
        }
    }
    assert!(games > 350 && chains > 40, "{games}, of which {chains} with chains");
}

#[test]
fn the_encoding_of_the_document_is_the_one_that_it_prints() {
    let game = Hunt::hexapawn(anser_core::hexapawn::BoardSize::THREE);
    let encoding = DocumentEncoding::new(&game).unwrap();
    assert_eq!((encoding.inputs(), encoding.actions()), (21, 28));
    // Its example has another number of pawns than play can lead to, so it is one without that.
    let position = game.parse_position("pp1/1Pp/P1P w").unwrap();
    let printed = [0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1];
    let expected: Vec<u32> = printed.into_iter().map(|bit: u8| f32::from(bit).to_bits()).collect();
    assert_eq!(inputs(&encoding, &position), expected);
}

#[test]
fn symmetric_positions_get_the_same_evaluation() {
    let game = hexapawn(4, 3);
    let solution = Solution::reachable(&game, &game.start()).unwrap();
    let encoding = HuntEncoding::new(&game);
    let shape = Shape { inputs: encoding.inputs(), hidden: vec![16], actions: encoding.actions() };
    let network = Network::new(&shape, 5).unwrap();
    let open: Vec<_> =
        positions(&solution).into_iter().filter(|it| game.terminal(it).is_none()).collect();
    let images: Vec<_> = open.iter().map(|position| game.image(position, 1)).collect();
    let evaluate = |positions: &[_]| {
        NetworkEvaluator::new(&game, &encoding, &network, true).evaluate(positions).unwrap()
    };
    let (ours, theirs) = (evaluate(&open), evaluate(&images));
    for (((position, image), ours), theirs) in open.iter().zip(&images).zip(ours).zip(theirs) {
        if position == image {
            continue;
        }
        // Rows of a batch may be rounded differently.
        assert!((ours.value - theirs.value).abs() < 1e-5);
        let after = |position: &_| -> Vec<_> {
            let moves = game.moves(position).into_iter();
            moves.map(|(_, next)| crate::after(next)).collect()
        };
        let theirs: HashMap<_, _> = after(image).into_iter().zip(theirs.scores).collect();
        for (next, score) in after(position).into_iter().zip(ours.scores) {
            assert!((score - theirs[&game.image(&next, 1)]).abs() < 1e-5);
        }
    }
}
