//! The notation of the Online Baghchal Exchange (<https://github.com/bhu1st/obx>, version 2.0),
//! read for every game with its letters, whose many are placed from a hand and can be captured.
//!
//! `TXXXT/XXXXX/XXGXX/XXXXX/TXXXT t c0 mC3 1`: rows from the top, in which `X` is an empty point,
//! the side to move, `c` and the number of captured pieces, then the last move and its number, each
//! `-` or left out if it is unknown. What is not captured or on the board is in hand.

use super::Description;

/// Returns the board and the side to move in the notation of the project, character by character,
/// if `text` is in that of the exchange.
pub(super) fn translated(description: &Description, text: &str) -> Option<String> {
    let [few, many] = &description.sides;
    let letters = [few.letter, many.letter].map(|letter| letter.to_ascii_uppercase());
    let fields: Vec<&str> = text.split(is_space).collect();
    let captured = fields.get(2)?.strip_prefix('c')?;
    let is_exchange = letters == ['T', 'G']
        && [few.turn, many.turn] == ['t', 'g']
        && captured.starts_with(|first: char| first.is_ascii_digit());
    let point = |c: char| match c.to_ascii_uppercase() {
        'X' => '1',
        'T' => few.letter,
        'G' => many.letter,
        _ => c,
    };
    is_exchange.then(|| {
        let board: String = fields[0].chars().map(point).collect();
        format!("{board} {} {}", fields[1].to_ascii_lowercase(), fields[2..].join(" "))
    })
}

/// Reads what follows the side to move: returns the number of captured pieces.
///
/// # Errors
/// The column of a mistake, and what it is.
pub(super) fn captured(rest: &[(usize, char)]) -> Result<u8, (usize, String)> {
    let mut fields = rest.split(|&(_, c)| is_space(c)).skip(1);
    let word = |field: &[(usize, char)]| field.iter().map(|&(_, c)| c).collect::<String>();
    let first = fields.next().unwrap_or_default();
    let number = word(first).strip_prefix('c').and_then(|number| number.parse().ok());
    let column = first.first().map_or(1, |&(column, _)| column);
    let Some(number) = number else {
        return Err((column, "a c and the number of captured pieces is expected: c0".into()));
    };
    let mut read = |is_right: fn(&str) -> bool, expected: &str| match fields.next() {
        Some(field) if !(word(field) == "-" || is_right(&word(field))) => {
            Err((field.first().map_or(column, |&(column, _)| column), expected.to_owned()))
        }
        _ => Ok(()),
    };
    read(is_last_move, "the last move is expected: mC3 for a placement, mC3C4, or -")?;
    read(is_number, "the number of the move is expected, or -")?;
    match fields.next().and_then(|field| field.first()) {
        Some(&(column, c)) => {
            Err((column, format!("{c:?} follows where the position is complete")))
        }
        None => Ok(number),
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '_')
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text names one or two points after an `m`.
fn is_last_move(text: &str) -> bool {
    let points = text.strip_prefix('m').unwrap_or_default().as_bytes();
    let is_point = |point: &[u8]| point[0].is_ascii_alphabetic() && point[1].is_ascii_digit();
    matches!(points.len(), 2 | 4) && points.chunks(2).all(is_point)
}
