//! Parser of the lines that a person enters at the prompt.

use anser_core::{Hunt, RatedMove, hunt};
use clap::ValueEnum;

/// Command at the prompt, by its name in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Command {
    Hint,
    Moves,
    Eval,
    Undo,
    Board,
    Record,
    Score,
    Save,
    Load,
    New,
    Resign,
    #[value(alias = "?")]
    Help,
    #[value(alias = "exit")]
    Quit,
}

pub(super) const HELP: &str = "\
Enter a move or a unique part of it, or a command:
  hint, moves      show the best moves, or all moves, with their values
  eval             show who wins in this position
  undo             take back your last move and the reply to it
  board, record    show the board, or the moves so far
  score            show the score of the match
  save FILE        write the record to a file
  load FILE        go on from the moves of a record, with the present players
  new              start again
  resign, quit     give up, or leave
";

/// Parsed line.
pub(super) enum Entry {
    Command(Command),
    /// Command that takes a file, and the name of the file.
    File(Command, String),
    /// Index into the legal moves.
    Move(usize),
    /// Invalid line, with the message to show.
    Wrong(String),
}

/// Parses a line that is not empty.
pub(super) fn read(
    game: &Hunt,
    position: &hunt::Position,
    moves: &[RatedMove],
    line: &str,
) -> Entry {
    let line = line.trim();
    let text = line.to_ascii_lowercase();
    if let Some(entry) = command_of(line, &text) {
        return entry;
    }
    let parsed = game.parse_move(position, &text);
    if let Some(number) =
        parsed.as_ref().ok().and_then(|parsed| moves.iter().position(|found| found.mv == *parsed))
    {
        return Entry::Move(number);
    }
    let names: Vec<String> = moves.iter().map(|rated| game.format_move(&rated.mv)).collect();
    let meant: Vec<usize> =
        (0..names.len()).filter(|&number| abbreviates(&text, &names[number])).collect();
    match meant[..] {
        [number] => Entry::Move(number),
        [] => {
            if let Some(nearest) = nearest(&text) {
                return Entry::Wrong(format!(
                    "no command is called {text:?}; did you mean `{nearest}`?\n"
                ));
            }
            let why = match &parsed {
                Err(error) if !error.problem().contains("is not a legal move") => error.problem(),
                _ => "this is not a legal move",
            };
            Entry::Wrong(format!("{}; {}\n", why, alternatives(&text, &names)))
        }
        _ => {
            let meant: Vec<&str> = meant.iter().map(|&number| names[number].as_str()).collect();
            Entry::Wrong(format!("{text:?} could be {}\n", meant.join(", ")))
        }
    }
}

/// Names of commands that can be completed.
pub(super) fn command_names() -> Vec<String> {
    let commands = Command::value_variants().iter().filter_map(Command::to_possible_value);
    let names = commands
        .flat_map(|command| command.get_name_and_aliases().map(str::to_owned).collect::<Vec<_>>());
    names.filter(|name| name.len() > 1).collect()
}

/// Parses a command, and the name of a file if it takes one.
fn command_of(line: &str, lower: &str) -> Option<Entry> {
    let name = lower.split_whitespace().next()?;
    let word = Command::from_str(name, false).ok()?;
    // The name of the file keeps its case.
    let rest = line[name.len()..].trim();
    match (word, rest) {
        (Command::Save | Command::Load, "") => {
            Some(Entry::Wrong(format!("`{name}` needs a file: `{name} FILE`\n")))
        }
        (Command::Save | Command::Load, file) => Some(Entry::File(word, file.to_owned())),
        (_, "") => Some(Entry::Command(word)),
        _ => None,
    }
}

/// Command most similar to the text, if it consists of letters and is similar enough.
fn nearest(text: &str) -> Option<String> {
    let typed = text.split_whitespace().next()?;
    if typed.len() < 2 || !typed.chars().all(char::is_alphabetic) {
        return None;
    }
    let near = command_names()
        .into_iter()
        .map(|word| (strsim::damerau_levenshtein(typed, &word), word))
        // At most two typing errors, in less than half of the name; or a prefix of the text.
        .filter(|(distance, word)| {
            *distance <= 2 && 2 * distance < word.len() + 1 || word.starts_with(typed)
        });
    near.min_by_key(|(distance, _)| *distance).map(|(_, word)| word)
}

/// Points of a move, from the first to the last.
fn points(mv: &str) -> Vec<&str> {
    mv.split(['-', 'x']).map(str::trim).filter(|point| !point.is_empty()).collect()
}

/// Whether a text is a prefix of a move, its last point, or the move without its sign.
fn abbreviates(text: &str, name: &str) -> bool {
    let bare = |text: &str| text.replace(['-', 'x', ' '], "");
    name.starts_with(text) || points(name).last() == Some(&text) || bare(name) == bare(text)
}

/// Lists the moves of the piece named in the text, or all moves if none is named.
fn alternatives(text: &str, names: &[String]) -> String {
    // The text may be a move that starts with the point of the piece, with or without a sign.
    let is_of_piece = |name: &&String| {
        points(name).first().is_some_and(|from| points(text).first() == Some(from))
    };
    let begins = |name: &&String| points(name).first().is_some_and(|from| text.starts_with(from));
    let list =
        |names: Vec<&String>| names.into_iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    let mut of_piece: Vec<&String> = names.iter().filter(is_of_piece).collect();
    if of_piece.is_empty() && points(text).len() < 2 {
        of_piece = names.iter().filter(begins).collect();
    }
    match (of_piece.first(), points(text).first()) {
        (Some(first), _) => {
            format!("legal moves from {}: {}", points(first).first().unwrap_or(&""), list(of_piece))
        }
        (None, Some(from)) if points(text).len() > 1 => {
            format!(
                "none of your pieces is on {from}; legal moves: {}",
                list(names.iter().collect())
            )
        }
        _ => format!("legal moves: {}; `help` lists the commands", list(names.iter().collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelled_commands_are_recognized() {
        for (typed, word) in [
            ("hnit", "hint"),
            ("hints", "hint"),
            ("mvoes", "moves"),
            ("helpp", "help"),
            ("sav x", "save"),
        ] {
            assert_eq!(nearest(typed).as_deref(), Some(word), "{typed}");
        }
        for typed in ["castle", "d4", "d4-d5", "", "x", "xyzzy"] {
            assert_eq!(nearest(typed), None, "{typed}");
        }
        for name in command_names().iter().map(String::as_str).chain(["?"]) {
            assert!(command_of(name, name).is_some(), "{name}");
        }
        let Some(Entry::File(Command::Save, file)) =
            command_of("SAVE My Game.json", "save my game.json")
        else {
            panic!("it names a file");
        };
        assert_eq!(file, "My Game.json");
    }

    #[test]
    fn a_move_is_recognized_by_its_prefix_its_last_point_or_without_its_sign() {
        for text in ["d", "d4", "d4-", "d4-e5", "e5", "d4e5", "d4 e5"] {
            assert!(abbreviates(text, "d4-e5"), "{text}");
        }
        for text in ["e", "d5", "5", "e5-d4"] {
            assert!(!abbreviates(text, "d4-e5"), "{text}");
        }
        assert!(abbreviates("11", "1-11") && abbreviates("11", "11-1"));
    }
}
