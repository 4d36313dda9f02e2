//! Every position has the value that the plain program gives it.

use anser_analyse::{Limits, Solution};
use anser_core::prelude::*;
use anser_core::{Dtw, Side, validate};
use anser_solve::{SolveOptions, Unobserved, solve};
use anser_table::Tablebase;

use crate::game::Leopard;
use crate::oracle;

/// The notation of a position of the plain program: `g..L..ggg l` is `g2/L2/ggg l`.
fn notation(position: &str) -> String {
    let mut text = format!("{}/{}/{}", &position[..3], &position[3..6], &position[6..]);
    for (empty, digit) in [("...", "3"), ("..", "2"), (".", "1")] {
        text = text.replace(empty, digit);
    }
    text
}

#[test]
fn moves_unmoves_symmetries_and_ranks_fit_together() {
    for layer in Leopard.layers() {
        validate(&Leopard, layer, u64::MAX).unwrap();
    }
}

#[test]
fn every_position_has_the_value_that_the_plain_program_gives_it() {
    let dir = tempfile::tempdir().unwrap();
    solve(&Leopard, &SolveOptions::new(dir.path()), &Unobserved).unwrap();
    let tables = Tablebase::open(Leopard, [dir.path()]).unwrap();
    let solution = Solution::of_layers(&Leopard, Leopard.layers(), &Limits::default()).unwrap();
    let values = oracle::values();
    for position in oracle::positions() {
        let expected = match values.get(&position) {
            None => Dtw::DRAW,
            Some(('l', plies)) => Dtw::win(Side::First, *plies),
            Some((_, plies)) => Dtw::win(Side::Second, *plies),
        };
        let text = notation(&position);
        let position = Leopard.parse_position(&text).unwrap();
        assert_eq!(Leopard.format_position(&position), text);
        assert_eq!(solution.get(&position), Some(expected), "{text}");
        assert_eq!(tables.probe_outcome(&position).unwrap(), expected.outcome(), "{text}");
    }
}
