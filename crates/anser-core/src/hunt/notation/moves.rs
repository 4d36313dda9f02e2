//! Notation of moves.

use std::ops::ControlFlow;

use super::format_position;
use crate::NotationError;
use crate::hunt::board_rows::{column_letter, grid_name};
use crate::hunt::{Hunt, Move, MoveKind, Position};

pub(in crate::hunt) fn format_move(game: &Hunt, mv: &Move) -> String {
    let names =
        mv.path().iter().map(|&point| &game.description().points[usize::from(point)].name[..]);
    match mv.kind() {
        MoveKind::Pass => "pass".into(),
        _ => names.collect::<Vec<_>>().join(if mv.is_capture() { "x" } else { "-" }),
    }
}

/// Parses a legal move of `position`.
pub(in crate::hunt) fn parse_move(
    game: &Hunt,
    position: &Position,
    text: &str,
) -> Result<Move, NotationError> {
    let found = game.visit_moves(position, |mv, _| {
        if format_move(game, &mv) == text {
            ControlFlow::Break(mv)
        } else {
            ControlFlow::Continue(())
        }
    });
    let ControlFlow::Break(mv) = found else {
        let (column, problem) = wrong_form(game, text).unwrap_or_else(|| {
            let problem = format!(
                "{text} is not a legal move in {} under {}",
                format_position(game, position),
                game.rules_id()
            );
            (1, problem)
        });
        return Err(NotationError::new(column, problem, move_example(game)));
    };
    Ok(mv)
}

/// Returns the column where a text stops being the names of points with `-` or `x` between them,
/// and what is wrong there.
fn wrong_form(game: &Hunt, text: &str) -> Option<(usize, String)> {
    if text == "pass" {
        return None;
    }
    let description = game.description();
    let sides = &description.sides;
    let has_placements = sides.iter().any(|side| side.hand > 0);
    let has_captures = sides.iter().any(|side| !side.jumps.is_empty() || !side.captures.is_empty());
    let first: &[char] = if has_captures { &['-', 'x'] } else { &['-'] };
    let chars: Vec<char> = text.chars().collect();
    let mut start = 0;
    let mut before = None;
    loop {
        // As much as begins the name of a point.
        let begins = |end: usize| {
            let part: String = chars[start..end].iter().collect();
            description.points.iter().any(|point| point.name.starts_with(&part))
        };
        let mut end = start;
        while end < chars.len() && begins(end + 1) {
            end += 1;
        }
        let name: String = chars[start..end].iter().collect();
        let is_name = description.point(&name).is_some();
        let Some(&next) = chars.get(end) else {
            let complete = is_name && (before.is_some() || has_placements);
            let problem = "the move is not complete: a point is missing";
            return (!complete).then(|| (end + 1, problem.into()));
        };
        // No name of a point has an x.
        let is_word = |c: &&char| c.is_alphanumeric() && **c != 'x';
        let word: String = chars[start..].iter().take_while(is_word).take(20).collect();
        let separators = match before {
            None => first,
            Some('x') if game.has_chains() => &['x'],
            Some(_) => &[],
        };
        let problem = if word.is_empty() {
            format!("{next:?} is not the name of a {}", game.0.rows.point_word_one)
        } else if !is_name || word.chars().count() > end - start {
            no_point(game, &word)
        } else if separators.contains(&next) {
            before = Some(next);
            start = end + 1;
            continue;
        } else if separators.is_empty() {
            format!("{next:?} follows where the move is complete")
        } else {
            let separators: Vec<String> = separators.iter().map(char::to_string).collect();
            format!(
                "{next:?} cannot follow here; points are separated by {}",
                separators.join(" or ")
            )
        };
        return Some((end + 1, problem));
    }
}

/// Says that the board has no point of this name, and how points are called.
fn no_point(game: &Hunt, name: &str) -> String {
    let (description, rows) = (game.description(), &game.0.rows);
    let problem = format!("the board has no {} {name}", rows.point_word_one);
    let names: Vec<&str> = description.points.iter().map(|point| &point.name[..]).collect();
    let height = rows.points.len();
    if !rows.named_by_grid {
        let (first, last) = (names[0], names[names.len() - 1]);
        return format!("{problem}; {} are called {first}, ..., {last}", description.point_word);
    }
    let places = (0..rows.columns).flat_map(|x| (0..height).map(move |y| (x, y)));
    if places.into_iter().any(|place| grid_name(place) == name) {
        return problem;
    }
    let last = column_letter(rows.columns - 1);
    format!("{problem}; columns are a to {last}, rows 1 to {height}")
}

/// Returns moves of the game as examples: the first one of the start, a step if it is none, and a
/// jump or a capture.
fn move_example(game: &Hunt) -> String {
    let sides = &game.description().sides;
    let first = game.moves(&game.start()).first().map(|&(mv, _)| mv);
    let step = sides.iter().flat_map(|side| &side.steps).next();
    let step = step.map(|&[from, to]| Move::two(MoveKind::Step, from, to));
    let jump = sides.iter().flat_map(|side| &side.jumps).next().map(|&[from, _, to]| [from, to]);
    let capture = jump.or_else(|| sides.iter().flat_map(|side| &side.captures).next().copied());
    let capture = capture.map(|[from, to]| Move::two(MoveKind::Capture, from, to));
    let is_step = first.is_some_and(|mv| mv.kind() == MoveKind::Step);
    let examples = [first, step.filter(|_| !is_step), capture].into_iter().flatten();
    examples.map(|mv| format_move(game, &mv)).collect::<Vec<_>>().join(" or ")
}
