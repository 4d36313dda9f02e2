//! Notation, diagrams, and drawings of any hunt.
//!
//! Positions: `T3T/5/5/5/T3T g 20 0`. Rows from the top separated by `/`, only points that exist;
//! letters for pieces, digits for runs of empty points (several for more than 9); a space (on input
//! `_` as well) and the letter of the side to move; then, each only if the game has it, the pieces
//! of the few in hand, those of the many in hand, the captured pieces, and the plies left, unless
//! all are left. Moves: `d4-d5` for a step, `d4xd6` for a capture, `d4xd6xf6` for several, `d4` for
//! a placement, `pass`. Positions in the notation of the Online Baghchal Exchange are read as well
//! (`exchange`).

mod drawing;
mod moves;
mod reading;

use std::fmt;

pub(super) use self::drawing::{diagram, picture};
pub(super) use self::moves::{format_move, parse_move};
use self::reading::{Placed, error, read, with_article};
use crate::hunt::exchange;
use crate::hunt::{Condition, Description, Hunt, PointSet, Position};
use crate::words::{the, verb};
use crate::{NotationError, Noun, Side};

/// A number after the side to move.
#[derive(Clone, Copy)]
enum Field {
    /// The pieces of a side in hand.
    Hand(Side),
    /// The captured pieces of the many.
    Captured,
    /// The plies left, at most this many.
    Plies(u8),
}

/// Returns the numbers that positions of a game have, in their order.
fn fields(description: &Description) -> impl Iterator<Item = Field> {
    let [few, many] = &description.sides;
    let hand = Side::BOTH.into_iter().filter(|&side| description.side(side).hand > 0);
    let captured = many.hand > 0 && !few.jumps.is_empty();
    hand.map(Field::Hand)
        .chain(captured.then_some(Field::Captured))
        .chain(description.plies.map(Field::Plies))
}

impl Field {
    /// Returns the number in a position.
    fn number(self, description: &Description, position: &Position) -> u8 {
        match self {
            Field::Hand(side) => position.in_hand(side),
            Field::Captured => {
                let [_, many] = &description.sides;
                many.number[1] - position.many().len() as u8 - position.in_hand(Side::Second)
            }
            Field::Plies(_) => position.left.unwrap_or(0),
        }
    }

    fn name(self, game: &Hunt) -> String {
        match self {
            Field::Hand(side) => format!("number of {} in hand", pieces_word(game, side)),
            Field::Captured => "number of captured pieces".into(),
            Field::Plies(most) => format!("number of plies left (0 to {most})"),
        }
    }
}

/// Returns the side and the letter of the piece on a point.
fn piece_on(game: &Hunt, position: &Position, point: u8) -> Option<(Side, char)> {
    let side = Side::BOTH.into_iter().find(|&side| position.pieces(side).contains(point))?;
    Some((side, game.description().side(side).letter))
}

pub(super) fn format_position(game: &Hunt, position: &Position) -> String {
    let description = game.description();
    let run = |text: &mut String, mut empty: u32| {
        while empty > 0 {
            let digit = empty.min(9);
            text.extend(char::from_digit(digit, 10));
            empty -= digit;
        }
    };
    let mut text = String::new();
    for (number, row) in game.0.rows.points.iter().enumerate() {
        if number > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for &point in row {
            let Some((_, letter)) = piece_on(game, position, point) else {
                empty += 1;
                continue;
            };
            run(&mut text, empty);
            empty = 0;
            text.push(letter);
        }
        run(&mut text, empty);
    }
    text.extend([' ', description.side(position.to_move).turn]);
    for field in fields(description) {
        if matches!(field, Field::Plies(_)) && position.left == description.plies {
            continue;
        }
        text.push(' ');
        text.push_str(&field.number(description, position).to_string());
    }
    text
}

pub(super) fn parse_position(game: &Hunt, text: &str) -> Result<Position, NotationError> {
    let description = game.description();
    let exchange = match fields(description).collect::<Vec<_>>()[..] {
        [Field::Hand(Side::Second), Field::Captured] => exchange::translated(description, text),
        _ => None,
    };
    let reading = read(game, exchange.as_deref().unwrap_or(text))?;
    let pieces = points_of(game, &reading.pieces)?;
    let mut position =
        Position { pieces, hand: [0; 2], left: description.plies, to_move: reading.to_move };
    if exchange.is_some() {
        let hand = hand_of_exchange(game, &reading.rest, &position)?;
        position.hand[Side::Second.index()] = hand;
    } else {
        read_fields(game, &reading.rest, &mut position)?;
    }
    for side in Side::BOTH {
        if let Some(problem) = too_few(game, side, &position) {
            return error(game, 1, problem);
        }
    }
    if let Some((column, problem)) = over_before(game, &reading.pieces, &position) {
        return error(game, column, problem);
    }
    for side in Side::BOTH {
        // Without a number, all pieces that are not on the board are in hand.
        let (of, hand) = (description.side(side), position.in_hand(side));
        if hand > of.hand {
            let problem = format!("{hand} {} are in hand; at most {}", of.name, of.hand);
            return error(game, 1, problem);
        }
    }
    Ok(position)
}

/// Returns the points of the pieces in a text, by side.
fn points_of(game: &Hunt, placed: &[Placed]) -> Result<[PointSet; 2], NotationError> {
    let mut pieces = [PointSet::EMPTY; 2];
    for &Placed { side, point, column } in placed {
        let there = &mut pieces[side.index()];
        if there.len() == usize::from(game.description().side(side).number[1]) {
            let all = placed.iter().filter(|piece| piece.side == side).count();
            return error(game, column, too_many(game, side, all, *there));
        }
        *there |= PointSet::of(point);
    }
    Ok(pieces)
}

/// Returns the word for several pieces of a side: `geese`, `pieces of white`.
fn pieces_word(game: &Hunt, side: Side) -> String {
    match game.noun(side) {
        Noun::Plural => game.side_name(side).into(),
        Noun::Singular | Noun::Name => format!("pieces of {}", the(game, side)),
    }
}

/// Returns how many pieces of a side a position has: `4`, `1 to 31`.
fn numbers_of(game: &Hunt, side: Side) -> String {
    match game.description().side(side).number {
        [fewest, most] if fewest == most => most.to_string(),
        [0, most] => format!("at most {most}"),
        [fewest, most] => format!("{fewest} to {most}"),
    }
}

/// Describes the problem with `all` pieces of a side, of which the `first` ones may be there.
fn too_many(game: &Hunt, side: Side, all: usize, first: PointSet) -> String {
    let of = game.description().side(side);
    if let (1, Some(first)) = (of.number[1], first.first()) {
        let first = &game.description().points[usize::from(first)].name;
        return format!("there is a second {}, the first is on {first}", of.piece);
    }
    let (pieces, numbers) = (pieces_word(game, side), numbers_of(game, side));
    format!("{all} {pieces} are too many; a position has {numbers}")
}

/// Describes the problem if a side has too few pieces.
fn too_few(game: &Hunt, side: Side, position: &Position) -> Option<String> {
    let of = game.description().side(side);
    let there = position.pieces(side).len() + usize::from(position.in_hand(side));
    let [fewest, most] = of.number.map(usize::from);
    if there >= fewest {
        return None;
    }
    let (piece, letter) = (&of.piece, of.letter);
    let (pieces, numbers) = (pieces_word(game, side), numbers_of(game, side));
    Some(match there {
        0 if most == 1 => format!("there is no {piece} ({letter})"),
        0 => format!("there is no {piece} ({letter}); a position has {numbers} {pieces}"),
        _ => format!("a position has {numbers} {pieces} ({letter}), not {there}"),
    })
}

/// Returns why the game ended before the last move, and the column of the piece that shows it.
fn over_before(game: &Hunt, placed: &[Placed], position: &Position) -> Option<(usize, String)> {
    let description = game.description();
    let mover = position.to_move;
    let arrives = |piece: &Placed| {
        description.ends.iter().any(|rule| match &rule.condition {
            Condition::Arrived(side, points) => {
                *side == piece.side && points.contains(&piece.point)
            }
            _ => false,
        })
    };
    let mut first = None;
    for piece in placed.iter().filter(|piece| arrives(piece)) {
        let name = &description.points[usize::from(piece.point)].name;
        let word = &description.side(piece.side).piece;
        if piece.side == mover {
            let problem = format!(
                "with {} on {name} the game was over, so {} not to move",
                with_article(word),
                is(game, mover)
            );
            return Some((piece.column, problem));
        }
        if let Some(first) = first.replace(name) {
            let problem =
                format!("a second {word} on {name}: the one on {first} had ended the game");
            return Some((piece.column, problem));
        }
    }
    let last = mover.other();
    let gone = position.pieces(last).is_empty() && position.in_hand(last) == 0;
    gone.then(|| {
        let problem = format!(
            "{} {} no piece and cannot have moved last, so {} not to move",
            the(game, last),
            verb(game, last, "has", "have"),
            is(game, mover)
        );
        (1, problem)
    })
}

/// Returns a side with its verb: `the fox is`, `the geese are`.
fn is(game: &Hunt, side: Side) -> String {
    format!("{} {}", the(game, side), verb(game, side, "is", "are"))
}

/// Reads what follows the side to move: pieces in hand and captured, plies left.
fn read_fields(
    game: &Hunt,
    rest: &[(usize, char)],
    position: &mut Position,
) -> Result<(), NotationError> {
    let description = game.description();
    let mut numbers = read_numbers(game, rest)?.into_iter();
    for field in fields(description) {
        let number = numbers.next();
        match field {
            Field::Hand(side) => {
                let (of, there) = (description.side(side), position.pieces(side).len());
                // Without a number, nothing has been captured.
                let missing = of.number[1].saturating_sub(there as u8);
                let hand = number.map_or(Ok(missing), |number| {
                    number.at_most(missing.min(of.hand)).or_else(|column| {
                        let pieces = pieces_word(game, side);
                        let problem = if number.value() > missing.into() {
                            let most = of.number[1];
                            format!(
                                "{number} {pieces} in hand and {there} on the board are more than \
                                 {most}"
                            )
                        } else {
                            format!("at most {} {pieces} are in hand", of.hand)
                        };
                        error(game, column, problem)
                    })
                });
                position.hand[side.index()] = hand?;
            }
            Field::Captured => {
                let captured = field.number(description, position);
                if let Some(number) = number.filter(|number| number.value() != captured.into()) {
                    let problem = format!(
                        "with {} of {} {} on the board and {} in hand, {captured} are captured",
                        position.many().len(),
                        description.sides[1].number[1],
                        pieces_word(game, Side::Second),
                        position.in_hand(Side::Second),
                    );
                    return error(game, number.column, problem);
                }
            }
            Field::Plies(most) => {
                let left = number.map_or(Ok(most), |number| number.at_most(most));
                position.left = Some(left.or_else(|column| {
                    let rules = &description.rules;
                    error(game, column, format!("under {rules} no more than {most} plies are left"))
                })?);
            }
        }
    }
    Ok(())
}

/// Reads what follows the side to move in the notation of the Online Baghchal Exchange: the number
/// of captured pieces. Returns the number of pieces of the many in hand.
fn hand_of_exchange(
    game: &Hunt,
    rest: &[(usize, char)],
    position: &Position,
) -> Result<u8, NotationError> {
    let captured =
        exchange::captured(rest).or_else(|(column, problem)| error(game, column, problem))?;
    let (of, there) = (game.description().side(Side::Second), position.many().len() as u8);
    let (most, pieces) = (of.number[1], pieces_word(game, Side::Second));
    let Some(hand) = most.checked_sub(there).and_then(|left| left.checked_sub(captured)) else {
        let problem =
            format!("{there} {pieces} on the board and {captured} captured are more than {most}");
        return error(game, 1, problem);
    };
    if hand > of.hand {
        let problem = format!(
            "{there} {pieces} on the board and {captured} captured leave {hand} in hand, where at \
             most {} are",
            of.hand
        );
        return error(game, 1, problem);
    }
    Ok(hand)
}

/// A number in a text.
struct Number {
    /// The column of the first digit.
    column: usize,
    digits: Vec<u8>,
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.digits.iter().try_for_each(|digit| write!(f, "{digit}"))
    }
}

impl Number {
    /// Returns the value up to each digit.
    fn values(&self) -> impl Iterator<Item = u16> {
        let add = |value: &mut u16, &digit: &u8| {
            *value = value.saturating_mul(10).saturating_add(digit.into());
            Some(*value)
        };
        self.digits.iter().scan(0, add)
    }

    fn value(&self) -> u16 {
        self.values().last().unwrap_or(0)
    }

    /// Returns the value, or the column of the digit that makes it more than `most`.
    fn at_most(&self, most: u8) -> Result<u8, usize> {
        let excess = self.values().position(|value| value > most.into());
        excess.map_or(Ok(self.value() as u8), |digit| Err(self.column + digit))
    }
}

/// Reads numbers, each after a space, at most as many as the game has.
fn read_numbers(game: &Hunt, rest: &[(usize, char)]) -> Result<Vec<Number>, NotationError> {
    let name = |field: usize| fields(game.description()).nth(field).map(|field| field.name(game));
    let most = fields(game.description()).count();
    let mut numbers: Vec<Number> = Vec::new();
    for &(column, c) in rest {
        let count = numbers.len();
        match (numbers.last_mut(), c, c.to_digit(10)) {
            (Some(number), _, Some(digit)) => number.digits.push(digit as u8),
            (Some(number), ..) if number.digits.is_empty() => {
                let this = name(count - 1).unwrap_or_default();
                return error(game, column, format!("{c:?} is no digit of the {this}"));
            }
            (_, ' ' | '_', _) if count < most => {
                numbers.push(Number { column: column + 1, digits: Vec::new() });
            }
            _ => {
                let problem = match name(count) {
                    Some(next) if count == 0 => {
                        format!("{c:?} follows the side to move; only a space and the {next} can")
                    }
                    Some(next) => format!("{c:?} is neither a digit nor a space before the {next}"),
                    None => format!("{c:?} follows where the position is complete"),
                };
                return error(game, column, problem);
            }
        }
    }
    match numbers.last() {
        Some(last) if last.digits.is_empty() => {
            let this = name(numbers.len() - 1).unwrap_or_default();
            error(game, last.column, format!("the {this} is missing"))
        }
        _ => Ok(numbers),
    }
}
