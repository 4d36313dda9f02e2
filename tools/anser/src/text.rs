//! Numbers, durations and columns for people.

use anser_core::{Dtw, Game, Noun, Outcome, Side};
use num_bigint::BigUint;

/// A number with a comma every three digits.
pub(crate) fn grouped(number: u64) -> String {
    commas(&number.to_string())
}

/// The same for a number of any size.
pub(crate) fn big(number: &BigUint) -> String {
    commas(&number.to_string())
}

fn commas(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A duration: `0.05 s`, `12.3 s`, `4 min 31 s`, `3 h 12 min`, `2 d 4 h`.
pub(crate) fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..10 => format!("{seconds:.2} s"),
        10..120 => format!("{seconds:.1} s"),
        120..7_200 => format!("{} min {} s", whole / 60, whole % 60),
        7_200..172_800 => format!("{} h {} min", whole / 3_600, whole / 60 % 60),
        _ => format!("{} d {} h", whole / 86_400, whole / 3_600 % 24),
    }
}

/// A number of rounds: `1 round`, `7 rounds`.
pub(crate) fn rounds(count: u64) -> String {
    if count == 1 { "1 round".into() } else { format!("{count} rounds") }
}

/// Part of a whole in per cent, with enough digits to tell it from nothing and from everything: `13.4 %`, `0.0017 %`,
/// `99.994 %`.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    let share = part as f64 / whole.max(1) as f64 * 100.0;
    match share {
        0.0 => "0 %".into(),
        0.0..0.1 => format!("{share:.4} %"),
        0.1..1.0 => format!("{share:.2} %"),
        99.95.. if part < whole => format!("{:.4} %", share.min(99.9999)),
        _ => format!("{share:.1} %"),
    }
}

/// Part of a whole in per cent, for numbers of any size.
pub(crate) fn percent_of(part: &BigUint, whole: &BigUint) -> String {
    // Scaled down together until both fit; what is lost is beyond the digits that are shown.
    let shift = whole.bits().saturating_sub(60);
    let low = |number: &BigUint| (number >> shift).iter_u64_digits().next().unwrap_or(0);
    percent(low(part), low(whole))
}

/// A side in a sentence: `the fox`, `white`.
pub(crate) fn the<G: Game>(game: &G, side: Side) -> String {
    match game.noun(side) {
        Noun::Name => game.side_name(side).into(),
        Noun::Singular | Noun::Plural => format!("the {}", game.side_name(side)),
    }
}

/// The form of a verb that goes with a side: `wins` with the fox and white, `win` with the geese.
pub(crate) fn verb<'a, G: Game>(game: &G, side: Side, singular: &'a str, plural: &'a str) -> &'a str {
    match game.noun(side) {
        Noun::Plural => plural,
        Noun::Singular | Noun::Name => singular,
    }
}

/// `the fox wins`, `the geese win`, `white wins`.
pub(crate) fn wins<G: Game>(game: &G, side: Side) -> String {
    format!("{} {}", the(game, side), verb(game, side, "wins", "win"))
}

/// `won for the fox`, `won for white`.
pub(crate) fn won_for<G: Game>(game: &G, side: Side) -> String {
    format!("won for {}", the(game, side))
}

/// A number of plies: `1 ply`, `44 plies`.
pub(crate) fn plies(count: u16) -> String {
    counted(count.into(), "ply", "plies")
}

/// A number of things: `1 position`, `1,280 positions`.
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// What an outcome means: `won for the hounds`, `drawn`; with its distance, if that is known, `won for white in 1 ply`.
pub(crate) fn outcome_text<G: Game>(game: &G, outcome: Outcome, distance: Option<u16>) -> String {
    match (outcome, distance) {
        (Outcome::Win(side), Some(distance)) => format!("{} in {}", won_for(game, side), plies(distance)),
        (Outcome::Win(side), None) => won_for(game, side),
        (Outcome::Draw, _) => "drawn".into(),
    }
}

/// What a value means: `won for the hounds in 44 plies`, `drawn`, `over: won for the fox`.
pub(crate) fn value_text<G: Game>(game: &G, value: Dtw) -> String {
    match (value.outcome(), value.plies()) {
        (Outcome::Win(side), Some(0)) => format!("over: {}", won_for(game, side)),
        (outcome, distance) => outcome_text(game, outcome, distance),
    }
}

/// Layers in ascending order, shortened: `1-5, 7`.
pub(crate) fn ranges(layers: impl IntoIterator<Item = u16>) -> String {
    let mut runs: Vec<(u16, u16)> = Vec::new();
    for layer in layers {
        match runs.last_mut() {
            Some((_, end)) if *end + 1 == layer => *end = layer,
            _ => runs.push((layer, layer)),
        }
    }
    let runs: Vec<String> = runs
        .into_iter()
        .map(|(start, end)| if start == end { start.to_string() } else { format!("{start}-{end}") })
        .collect();
    runs.join(", ")
}

/// Text from outside, such as a file name, that cannot reach the terminal as a command: control characters are written as
/// escapes.
pub(crate) fn printable(text: &str) -> String {
    let is_command = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_command(c) { safe.extend(c.escape_default()) } else { safe.push(c) }
    }
    safe
}

/// A table for a terminal: aligned columns, two spaces apart, no lines.
pub(crate) struct Columns {
    rows: Vec<Vec<String>>,
    /// Columns before this one are aligned to the left, the others to the right.
    left: usize,
}

impl Columns {
    /// A table whose first `left` columns are texts and the others numbers.
    pub(crate) fn new<S: Into<String>>(left: usize, head: impl IntoIterator<Item = S>) -> Columns {
        Columns { rows: vec![head.into_iter().map(Into::into).collect()], left }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The table, a line a row.
    pub(crate) fn text(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let gap = if column == 0 { "" } else { "  " };
                line +=
                    &if column < self.left { format!("{gap}{cell:<width$}") } else { format!("{gap}{cell:>width$}") };
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

/// Boards next to each other, so many in a row, with a blank line between rows.
pub(crate) fn side_by_side(boards: &[String], in_row: usize) -> String {
    let mut text = String::new();
    for row in boards.chunks(in_row.max(1)) {
        let lines: Vec<Vec<&str>> = row.iter().map(|board| board.lines().collect()).collect();
        let width = lines.iter().flatten().map(|line| line.chars().count()).max().unwrap_or(0) + 4;
        for number in 0..lines.iter().map(Vec::len).max().unwrap_or(0) {
            let mut line = String::new();
            for board in &lines {
                line += &format!("{:<width$}", board.get(number).copied().unwrap_or(""));
            }
            text += line.trim_end();
            text.push('\n');
        }
        text.push('\n');
    }
    text
}

/// Breaks a text into lines of at most `width` characters, each after `indent` spaces; words stay whole.
pub(crate) fn wrap(text: &str, indent: usize, width: usize) -> String {
    let mut wrapped = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let word_length = word.chars().count();
        if length > 0 && indent + length + 1 + word_length > width {
            wrapped.push('\n');
            length = 0;
        }
        if length == 0 {
            wrapped += &" ".repeat(indent);
        } else {
            wrapped.push(' ');
            length += 1;
        }
        wrapped += word;
        length += word_length;
    }
    wrapped.push('\n');
    wrapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_get_a_comma_every_three_digits() {
        let all = [0, 40, 999, 1_000, 21_380, 2_373_360].map(grouped);
        assert_eq!(all, ["0", "40", "999", "1,000", "21,380", "2,373,360"]);
    }

    #[test]
    fn durations_keep_two_units_at_most() {
        let all = [0.054, 9.44, 59.96, 271.0, 11_520.0, 187_200.0].map(duration);
        assert_eq!(all, ["0.05 s", "9.44 s", "60.0 s", "4 min 31 s", "3 h 12 min", "2 d 4 h"]);
    }

    #[test]
    fn a_share_of_nearly_everything_is_not_everything() {
        let all = [(0, 7), (1, 59_000), (5, 1_000), (1, 3), (7, 7), (99_994, 100_000)].map(|(a, b)| percent(a, b));
        assert_eq!(all, ["0 %", "0.0017 %", "0.50 %", "33.3 %", "100.0 %", "99.9940 %"]);
    }

    #[test]
    fn commands_for_the_terminal_are_escaped() {
        assert_eq!(printable("a\u{1b}[31m\n\u{7}é\u{9b}"), r"a\u{1b}[31m\n\u{7}é\u{9b}");
    }

    #[test]
    fn runs_of_layers_are_shortened() {
        assert_eq!(ranges([]), "");
        assert_eq!(ranges([1, 2, 3, 5, 7, 8]), "1-3, 5, 7-8");
    }

    #[test]
    fn verbs_agree_with_sides_and_colors_have_no_article() {
        use anser_core::fox_geese::FoxGeese;
        use anser_core::hare_hounds::HareHounds;
        use anser_core::hasenspiel::Hasenspiel;
        use anser_core::hexapawn::Hexapawn;

        fn of<G: Game>(game: &G) -> [String; 2] {
            Side::BOTH.map(|side| wins(game, side))
        }
        assert_eq!(of(&FoxGeese::default()), ["the fox wins", "the geese win"]);
        assert_eq!(of(&anser_core::fox_hounds::FoxHounds::default()), ["the fox wins", "the hounds win"]);
        assert_eq!(of(&Hasenspiel::new("literal".parse().unwrap())), ["the rabbit wins", "the pawns win"]);
        let hare = HareHounds::new("unlimited".parse().unwrap());
        let mut hares = of(&hare);
        hares.sort();
        assert_eq!(hares, ["the hare wins", "the hounds win"]);
        let pawns = Hexapawn::new("3x3".parse().unwrap());
        assert_eq!(of(&pawns), ["white wins", "black wins"]);
        assert_eq!(value_text(&pawns, Dtw::win(Side::Second, 1)), "won for black in 1 ply");
        assert_eq!(value_text(&hare, Dtw::DRAW), "drawn");
        assert_eq!(counted(1_280, "position", "positions"), "1,280 positions");
    }

    #[test]
    fn columns_line_up() {
        let mut columns = Columns::new(1, ["id", "n"]);
        columns.row(["long".into(), "7".into()]);
        columns.row(["x".into(), "1,000".into()]);
        assert_eq!(columns.text(), "id        n\nlong      7\nx     1,000\n");
    }

    #[test]
    fn long_texts_are_broken_between_words() {
        assert_eq!(wrap("a bc def ghij", 2, 8), "  a bc\n  def\n  ghij\n");
    }
}
