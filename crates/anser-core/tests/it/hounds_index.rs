//! Fox-and-Hounds and Hasenspiel: the rules hold together, and the index numbers positions as its
//! specification says.

use anser_core::hounds::Board;
use anser_core::hunt::{PointSet, Position};
use anser_core::{Hunt, LayerIndex, Side, validate};

fn fox_hounds(size: usize, rules: &str) -> Hunt {
    Hunt::fox_hounds(size, rules).unwrap_or_else(|e| panic!("{e}"))
}

fn hasenspiel(size: usize, pawns: usize, rules: &str) -> Hunt {
    Hunt::hasenspiel(size, pawns, rules).unwrap_or_else(|e| panic!("{e}"))
}

fn board(game: &Hunt) -> &'static Board {
    game.rows().expect("the pack only goes up").board
}

#[test]
fn every_rule_set_holds_together_on_every_layer() {
    for rules in ["escape", "strict"] {
        for (size, samples) in
            [(2, u64::MAX), (4, u64::MAX), (6, u64::MAX), (8, 5000), (10, 20), (12, 10)]
        {
            check_layers(&fox_hounds(size, rules), samples);
        }
    }
    for rules in ["literal", "author"] {
        check_layers(&hasenspiel(8, 4, rules), 500);
        for (size, pawns, samples) in
            [(4, 1, u64::MAX), (6, 2, u64::MAX), (8, 2, 500), (10, 3, 20), (12, 4, 5)]
        {
            check_layers(&hasenspiel(size, pawns, rules), samples);
        }
    }
}

fn check_layers(game: &Hunt, samples: u64) {
    for layer in game.layers() {
        validate(game, layer, samples)
            .unwrap_or_else(|e| panic!("{}, layer {layer}: {e}", game.name()));
    }
}

/// The layer and the order in it as the specification of the index has them, worked out anew.
fn place(game: &Hunt, position: &Position) -> (usize, Side, usize, u128, u8) {
    let size = board(game).size();
    let row = |square: u8| usize::from(square) / (size / 2);
    let fox = position.few().first().expect("there is a fox");
    let rows: Vec<usize> = position.many().iter().map(row).collect();
    let (sum, most) = (rows.iter().sum::<usize>(), board(game).hounds() * (size - 1));
    let turn = usize::from(position.to_move() == Side::Second);
    let like_start = (row(fox) + sum + turn) % 2 == 1;
    let layer = if like_start { most - sum } else { 2 * most + 1 - sum };
    let even = rows.iter().filter(|&&row| row % 2 == 0).count();
    // Of sets of equally many squares, the one whose highest square is lower has the lower bits as
    // a number.
    (layer, position.to_move(), even, position.many().bits(), fox)
}

/// Every position of a board.
fn all_positions(game: &Hunt) -> Vec<Position> {
    let (size, hounds) = (board(game).size(), board(game).hounds());
    let squares = PointSet::first_points(size * size / 2);
    let mut sets = vec![PointSet::EMPTY];
    for square in squares.iter() {
        let with: Vec<_> = sets
            .iter()
            .filter(|set| set.len() < hounds)
            .map(|&set| set | PointSet::of(square))
            .collect();
        sets.extend(with);
    }
    let sets = sets.into_iter().filter(|set| set.len() == hounds);
    let foxes = |hounds| (squares - hounds).iter().map(move |fox| (fox, hounds));
    sets.flat_map(foxes)
        .flat_map(|(fox, hounds)| {
            let pieces = [PointSet::of(fox), hounds];
            Side::BOTH.map(|side| game.position(pieces, [0; 2], side).expect("sound"))
        })
        .collect()
}

#[test]
fn ranks_are_the_places_in_a_plain_enumeration_sorted_as_specified() {
    for size in [2, 4, 6, 8] {
        check_ranks(&fox_hounds(size, "escape"));
    }
    for (size, pawns) in [(8, 4), (4, 1), (6, 1), (6, 2), (8, 3), (10, 2)] {
        check_ranks(&hasenspiel(size, pawns, "literal"));
    }
}

fn check_ranks(game: &Hunt) {
    let mut all: Vec<_> = all_positions(game).into_iter().map(|p| (place(game, &p), p)).collect();
    all.sort_unstable_by_key(|&(place, _)| place);
    let mut rest = all.into_iter();
    for layer in game.layers() {
        let index = game.index(layer);
        for side in Side::BOTH {
            for rank in 0..index.len(side) {
                let ((of_layer, of_side, ..), position) =
                    rest.next().expect("there is a position for every rank");
                assert_eq!((of_layer, of_side), (usize::from(layer), side));
                assert_eq!(game.layer(&position), layer);
                assert_eq!((index.rank(&position), index.unrank(side, rank)), (rank, position));
            }
            assert_eq!(game.positions(layer, side), index.len(side));
        }
    }
    assert_eq!(rest.next(), None, "every position has a rank");
}

#[test]
fn no_position_of_a_large_board_is_left_out() {
    for (size, squares, hounds) in [(10u64, 50, 5), (12, 72, 6)] {
        let sets = (0..hounds).fold(1, |product, i| product * (squares - i) / (i + 1));
        let game = fox_hounds(size as usize, "strict");
        for side in Side::BOTH {
            let ranks: u64 = game.layers().map(|layer| game.index(layer).len(side)).sum();
            assert_eq!(ranks, sets * (squares - hounds));
        }
    }
}

#[test]
fn on_12x12_neighbors_by_rank_are_neighbors_in_the_order_specified() {
    let game = fox_hounds(12, "escape");
    for layer in game.layers() {
        let index = game.index(layer);
        for side in Side::BOTH {
            let len = index.len(side);
            for sample in 0..len.min(500) {
                let rank = sample * (len / len.min(500));
                let position = index.unrank(side, rank);
                assert_eq!(index.rank(&position), rank);
                assert_eq!(game.layer(&position), layer);
                if rank + 1 < len {
                    assert!(place(&game, &position) < place(&game, &index.unrank(side, rank + 1)));
                }
            }
        }
    }
}
