//! Comparison of a game with the plain program.

use anser_core::{Hunt, Outcome, Probe, Side};
use anser_oracle::{Graph, plain};
use anser_retrograde::{Limits, Solution};

fn of(side: anser_oracle::Side) -> Side {
    Side::BOTH[side as usize]
}

/// Compares the value of every position with that of the plain program.
pub(crate) fn compare(game: &Hunt) {
    let name = format!("{} {}", game.name(), game.rules_id());
    let plain = anser_oracle::hunt::Hunt::read(&game.description().to_string());
    assert_eq!(plain.endless().map(of), game.endless(), "{name}");
    let notation =
        |position: &anser_oracle::hunt::Position| anser_oracle::Game::notation(&plain, position);
    let (mut positions, mut ours) = (plain.arrangements(), Vec::new());
    positions.retain(|position| {
        game.parse_position(&notation(position)).map(|read| ours.push(read)).is_ok()
    });
    let graph = Graph::of(&plain, positions);
    let values = graph.values_by_rounds();
    let solution =
        Solution::of_layers(game, game.layers(), &Limits::default()).expect("there is memory");
    let mut compared = 0;
    for (at, position) in graph.positions.iter().enumerate() {
        if position.captured.is_some() {
            continue;
        }
        let text = || notation(position);
        let reached =
            || game.parse_position(&text()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let read = ours.get(at).copied().unwrap_or_else(reached);
        let value = solution.value(&read).expect("every position is solved, or the game is over");
        let is_solved = game.layers().contains(&game.layer(&read));
        assert!(is_solved || game.terminal(&read).is_some(), "{name}: {}", text());
        let plain::Value { winner, plies } = values[at];
        let expected = winner.map_or(Outcome::Draw, |side| Outcome::Win(of(side)));
        assert_eq!(value.outcome, expected, "{name}: {}", text());
        if winner.is_some() {
            assert_eq!(value.plies.map(u32::from), Some(plies), "{name}: {}", text());
        }
        compared += u64::from(is_solved);
    }
    let all: u64 =
        game.layers().flat_map(|layer| Side::BOTH.map(|side| game.positions(layer, side))).sum();
    assert_eq!(all, compared, "{name}: number of positions");
}
