//! Positions, moves and rule sets: what parses is written and read back the same, what does not names a column inside the
//! text or just behind it.
#![no_main]

use anser_core::Game;
use anser_core::fox_geese::{FoxGeese, RuleSet};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let game = FoxGeese::default();
    match game.parse_position(text) {
        Ok(position) => assert_eq!(game.parse_position(&game.format_position(&position)), Ok(position)),
        Err(error) => assert!((1..=text.chars().count() + 1).contains(&error.column())),
    }
    let start = game.parse_position("3/3/2g1g2/3F3/3g3/g1g/3 f").expect("this one is right");
    if let Ok(mv) = game.parse_move(&start, text) {
        assert_eq!(game.format_move(&mv), text);
    }
    if let Ok(rules) = text.parse::<RuleSet>() {
        assert_eq!(rules.to_string().parse(), Ok(rules));
    }
});
