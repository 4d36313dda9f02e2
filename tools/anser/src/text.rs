//! Formatting of numbers, durations, and columns of text.

use std::fmt::Display;

pub(crate) use anser_core::words::{outcome_text, plies, the, value_text, verb, wins, won_for};
use anser_core::{Hunt, Next, Outcome};
use anser_games::layer_pieces;
use console::measure_text_width;
use num_bigint::BigUint;

use crate::text_style::text_style;

/// First line of a text: the game and its rules.
pub(crate) fn heading(game: &Hunt) -> String {
    format!("{}, rules {}\n", game.name(), game.rules_id())
}

/// Names a layer, with its pieces where its number counts something else: `layer 16 (4 tigers, 16
/// goats, 4 captured)`.
pub(crate) fn layer_title(game: &Hunt, layer: u16) -> String {
    let pieces = layer_pieces(game, layer);
    format!("layer {layer}{}", pieces.map(|pieces| format!(" ({pieces})")).unwrap_or_default())
}

/// Formats a number with a comma every three digits.
pub(crate) fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a duration: `0.05 s`, `12.3 s`, `4 min 31 s`, `3 h 12 min`, `2 d 4 h`.
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

/// Formats a number of rounds: `1 round`, `7 rounds`.
pub(crate) fn rounds(count: u64) -> String {
    counted(count, "round", "rounds")
}

/// Formats a share in percent, with enough digits to distinguish it from 0 % and 100 %: `13.4 %`,
/// `0.0017 %`, `99.994 %`.
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

/// Formats a share in percent, of numbers of any size.
pub(crate) fn percent_of(part: &BigUint, whole: &BigUint) -> String {
    // Both are scaled down to 60 bits; the lost precision is beyond the digits shown.
    let shift = whole.bits().saturating_sub(60);
    let low = |number: &BigUint| (number >> shift).iter_u64_digits().next().unwrap_or(0);
    percent(low(part), low(whole))
}

/// Formats a value, or a dash if there is none.
pub(crate) fn or_dash(value: Option<impl Display>) -> String {
    value.map_or_else(|| "-".into(), |value| value.to_string())
}

/// Formats a count with its unit: `1 position`, `1,280 positions`.
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// Formats layers, given in ascending order, as ranges: `1-5, 7`.
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

/// Formats layers with their name: `layer 7`, `layers 1-5, 7`.
pub(crate) fn layers_text(layers: &[u16]) -> String {
    let what = if layers.len() == 1 { "layer" } else { "layers" };
    format!("{what} {}", ranges(layers.iter().copied()))
}

/// A note as a line.
pub(crate) fn note_line(message: impl Display) -> String {
    // A message may quote file names and lines of files.
    format!("anser: {}\n", printable(&message.to_string().replace('\n', " ")))
}

/// Escapes the control characters of an external text, such as a file name, so that a terminal does
/// not obey them.
pub(crate) fn printable(text: &str) -> String {
    let is_command =
        |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_command(c) { safe.extend(c.escape_default()) } else { safe.push(c) }
    }
    safe
}

/// Text in aligned columns, two spaces apart.
pub(crate) struct Columns {
    rows: Vec<Vec<String>>,
    /// Number of columns aligned to the left; the others are aligned to the right.
    left: usize,
}

impl Columns {
    /// Starts with a row of heads; the first `left` columns are aligned to the left.
    pub(crate) fn new<S: Into<String>>(left: usize, head: impl IntoIterator<Item = S>) -> Columns {
        Columns { rows: vec![head.into_iter().map(Into::into).collect()], left }
    }

    /// Appends a row.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Formats the columns, one line per row. On a narrow terminal heads wrap; if that is not
    /// enough, the columns are divided into blocks, each of which repeats the first column.
    pub(crate) fn text(&self) -> String {
        self.text_within(text_style().width)
    }

    fn text_within(&self, limit: Option<usize>) -> String {
        let columns: Vec<usize> = (0..self.rows.iter().map(Vec::len).max().unwrap_or(0)).collect();
        let Some(limit) = limit.filter(|&limit| line_width(&columns, &widths(&self.rows)) > limit)
        else {
            return self.block(&columns, &self.rows[..1]);
        };
        let body = widths(&self.rows[1..]);
        let heads: Vec<Vec<String>> = self.rows[0]
            .iter()
            .enumerate()
            .map(|(column, head)| {
                let longest =
                    head.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
                let width = longest.max(body.get(column).copied().unwrap_or(0));
                wrap(head, 0, width).lines().map(str::to_owned).collect()
            })
            .collect();
        let height = heads.iter().map(Vec::len).max().unwrap_or(0);
        let heads: Vec<Vec<String>> = (0..height)
            .map(|line| {
                // Heads are aligned at the bottom.
                let at = |head: &Vec<String>| {
                    (line + head.len()).checked_sub(height).map(|line| head[line].clone())
                };
                heads.iter().map(|head| at(head).unwrap_or_default()).collect()
            })
            .collect();
        let widths = widths(heads.iter().chain(&self.rows[1..]));
        let (mut text, mut rest) = (String::new(), &columns[1..]);
        loop {
            let mut block = vec![0];
            while let Some((&next, later)) = rest.split_first() {
                block.push(next);
                if block.len() > 2 && line_width(&block, &widths) > limit {
                    block.pop();
                    break;
                }
                rest = later;
            }
            text += &self.block(&block, &heads);
            if rest.is_empty() {
                return text;
            }
            text.push('\n');
        }
    }

    /// Formats some of the columns, below these heads.
    fn block(&self, columns: &[usize], heads: &[Vec<String>]) -> String {
        let rows = || heads.iter().chain(&self.rows[1..]);
        let (widths, mut text) = (widths(rows()), String::new());
        for row in rows() {
            let mut line = String::new();
            for (number, &column) in columns.iter().enumerate() {
                let (Some(cell), width) = (row.get(column), widths[column]) else { continue };
                let gap = if number == 0 { "" } else { "  " };
                line += &if column < self.left {
                    format!("{gap}{cell:<width$}")
                } else {
                    format!("{gap}{cell:>width$}")
                };
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

/// Width of every column of some rows, in characters.
fn widths<'a>(rows: impl IntoIterator<Item = &'a Vec<String>>) -> Vec<usize> {
    let mut widths = Vec::new();
    for row in rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    widths
}

/// Characters of a line with these columns.
fn line_width(columns: &[usize], widths: &[usize]) -> usize {
    columns.iter().map(|&column| widths[column] + 2).sum::<usize>().saturating_sub(2)
}

/// Places boards side by side, at most `in_row` in a row and as many as fit the terminal, with a
/// blank line after each row.
pub(crate) fn side_by_side(boards: &[String], in_row: usize) -> String {
    beside(boards, in_row, text_style().width)
}

/// Places boards side by side within `limit` characters per line.
fn beside(boards: &[String], in_row: usize, limit: Option<usize>) -> String {
    let mut text = String::new();
    let width =
        boards.iter().flat_map(|board| board.lines()).map(measure_text_width).max().unwrap_or(0)
            + 4;
    let fit = limit.map_or(in_row, |limit| in_row.min((limit + 4) / width));
    for row in boards.chunks(fit.max(1)) {
        let lines: Vec<Vec<&str>> = row.iter().map(|board| board.lines().collect()).collect();
        for number in 0..lines.iter().map(Vec::len).max().unwrap_or(0) {
            let mut line = String::new();
            for board in &lines {
                let shown = board.get(number).copied().unwrap_or("");
                line += &format!("{shown}{:gap$}", "", gap = width - measure_text_width(shown));
            }
            text += line.trim_end();
            text.push('\n');
        }
        text.push('\n');
    }
    text
}

/// Wraps a text for standard output, at 100 characters or the width of the terminal.
pub(crate) fn wrapped(text: &str, indent: usize) -> String {
    wrap(text, indent, text_style().at_most(100))
}

/// Wraps a text at `width` characters, including an indentation of `indent` spaces. Longer words
/// are not broken.
pub(crate) fn wrap(text: &str, indent: usize, width: usize) -> String {
    filled(text.split_whitespace().map(|word| (word.chars().count(), word)), indent, " ", width)
}

/// Places parts, each with its number of characters, in lines of at most `width` characters,
/// including an indentation of `indent` spaces, with `gap` between the parts of a line. Longer
/// parts are not broken.
pub(crate) fn filled(
    parts: impl IntoIterator<Item = (usize, impl AsRef<str>)>,
    indent: usize,
    gap: &str,
    width: usize,
) -> String {
    let (mut text, mut length) = (String::new(), 0);
    for (part_length, part) in parts {
        if length > 0 && indent + length + gap.len() + part_length > width {
            text.push('\n');
            length = 0;
        }
        if length == 0 {
            text += &" ".repeat(indent);
        } else {
            text += gap;
            length += gap.len();
        }
        text += part.as_ref();
        length += part_length;
    }
    text.push('\n');
    text
}

/// Formats how a game is over, with the reason.
pub(crate) fn ended_text(game: &Hunt, outcome: Outcome, last: &Next) -> String {
    let reason = game.ending_after(last).map(|reason| format!(" ({reason})")).unwrap_or_default();
    format!("{}{reason}", outcome_text(game, outcome, None))
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
    fn a_share_is_0_or_100_percent_only_if_exact() {
        let all = [(0, 7), (1, 59_000), (5, 1_000), (1, 3), (7, 7), (99_994, 100_000)]
            .map(|(a, b)| percent(a, b));
        assert_eq!(all, ["0 %", "0.0017 %", "0.50 %", "33.3 %", "100.0 %", "99.9940 %"]);
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(printable("a\u{1b}[31m\n\u{7}é\u{9b}"), r"a\u{1b}[31m\n\u{7}é\u{9b}");
    }

    #[test]
    fn runs_of_layers_are_shortened() {
        assert_eq!(ranges([]), "");
        assert_eq!(ranges([1, 2, 3, 5, 7, 8]), "1-3, 5, 7-8");
    }

    #[test]
    fn one_is_singular() {
        assert_eq!(
            [1, 0, 1_280].map(|count| counted(count, "position", "positions")).join(", "),
            "1 position, 0 positions, 1,280 positions"
        );
    }

    #[test]
    fn columns_line_up() {
        let mut columns = Columns::new(1, ["id", "n"]);
        columns.row(["long".into(), "7".into()]);
        columns.row(["x".into(), "1,000".into()]);
        assert_eq!(columns.text(), "id        n\nlong      7\nx     1,000\n");
    }

    #[test]
    fn wide_columns_get_wrapped_heads_and_then_blocks() {
        let mut columns =
            Columns::new(1, ["to move", "fox moves, fox wins", "positions", "share of all"]);
        columns.row(["geese".into(), "7".into(), "2,373,360".into(), "99.9 %".into()]);
        let wide = columns.text_within(None);
        assert_eq!(columns.text_within(Some(53)), wide);
        let higher = "          fox\n       moves,\nto        fox              share\n\
                      move     wins  positions  of all\n\
                      geese       7  2,373,360  99.9 %\n";
        assert_eq!(columns.text_within(Some(52)), higher);
        let blocks = columns.text_within(Some(30));
        assert!(blocks.lines().all(|line| line.len() <= 30), "{blocks}");
        assert_eq!(blocks.matches("geese").count(), 2, "{blocks}");
        for cell in ["2,373,360", "99.9 %"] {
            assert_eq!(blocks.matches(cell).count(), 1, "{blocks}");
        }
    }

    #[test]
    fn boards_are_side_by_side_as_far_as_they_fit() {
        let boards = ["ab\nc".to_owned(), "d".into(), "e".into()];
        assert_eq!(beside(&boards, 3, None), "ab    d     e\nc\n\n");
        assert_eq!(beside(&boards, 3, Some(8)), "ab    d\nc\n\ne\n\n");
        assert_eq!(beside(&boards, 3, Some(1)), "ab\nc\n\nd\n\ne\n\n");
    }

    #[test]
    fn long_texts_wrap_between_words() {
        assert_eq!(wrap("a bc def ghij", 2, 8), "  a bc\n  def\n  ghij\n");
    }
}
