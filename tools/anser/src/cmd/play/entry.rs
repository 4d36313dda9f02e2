//! What a person writes at the prompt.

use anser_core::RatedMove;
use anser_core::prelude::*;
use anser_games::{AnyGame, AnyPosition};

/// A word that is no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
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
    Help,
    Quit,
}

pub(super) const HELP: &str = "\
Write a move, or as much of it as is unique. Or:
  hint, moves      the best moves, or all, and what they are worth
  eval             who wins here
  undo             take back your last move, and the answer to it
  board, record    show the board, or the moves so far
  score            show the score of the match
  save FILE        write the record to a file
  load FILE        go on with the game of a record
  new              begin again
  resign, quit     give up, or leave
";

/// What was written.
pub(super) enum Entry {
    Word(Word),
    /// A word that takes a file, and the name of the file.
    File(Word, String),
    /// The number of a move among those that there are.
    Move(usize),
    /// None of these, and why.
    Wrong(String),
}

/// Reads a line that is not empty.
pub(super) fn read(game: &AnyGame, position: &AnyPosition, moves: &[RatedMove<AnyGame>], line: &str) -> Entry {
    let line = line.trim();
    let text = line.to_ascii_lowercase();
    if let Some(entry) = of_words(line, &text) {
        return entry;
    }
    let parsed = game.parse_move(position, &text);
    if let Some(number) = parsed.as_ref().ok().and_then(|parsed| moves.iter().position(|found| found.mv == *parsed)) {
        return Entry::Move(number);
    }
    let names: Vec<String> = moves.iter().map(|rated| game.format_move(&rated.mv)).collect();
    let meant: Vec<usize> = (0..names.len()).filter(|&number| abbreviates(&text, &names[number])).collect();
    match meant[..] {
        [number] => Entry::Move(number),
        [] => {
            if let Some(nearest) = nearest(&text) {
                return Entry::Wrong(format!("there is no word {text:?}; did you mean `{nearest}`?\n"));
            }
            let why = match &parsed {
                Err(error) if !error.problem().contains("is not a legal move") => error.problem(),
                _ => "that is not possible",
            };
            Entry::Wrong(format!("{}; {}\n", why, alternatives(&text, &names)))
        }
        _ => {
            let meant: Vec<&str> = meant.iter().map(|&number| names[number].as_str()).collect();
            Entry::Wrong(format!("that could be {}\n", meant.join(", ")))
        }
    }
}

/// All words, each with what it means. `?` and `exit` are other names.
const WORDS: [(&str, Word); 15] = [
    ("hint", Word::Hint),
    ("moves", Word::Moves),
    ("eval", Word::Eval),
    ("undo", Word::Undo),
    ("board", Word::Board),
    ("record", Word::Record),
    ("score", Word::Score),
    ("save", Word::Save),
    ("load", Word::Load),
    ("new", Word::New),
    ("resign", Word::Resign),
    ("help", Word::Help),
    ("quit", Word::Quit),
    ("?", Word::Help),
    ("exit", Word::Quit),
];

/// The words that can be completed.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|(name, _)| *name).filter(|name| name.len() > 1)
}

/// A word, with the name of a file where it takes one.
fn of_words(line: &str, lower: &str) -> Option<Entry> {
    let name = lower.split_whitespace().next()?;
    let word = WORDS.iter().find(|(word, _)| *word == name)?.1;
    // The name of the file keeps its case.
    let rest = line[name.len()..].trim();
    match (word, rest) {
        (Word::Save | Word::Load, "") => Some(Entry::Wrong(format!("{name} what? Write `{name} FILE`\n"))),
        (Word::Save | Word::Load, file) => Some(Entry::File(word, file.to_owned())),
        (_, "") => Some(Entry::Word(word)),
        _ => None,
    }
}

/// The word that what was typed is nearest to, if it has only letters and is near enough.
fn nearest(text: &str) -> Option<&'static str> {
    let typed = text.split_whitespace().next()?;
    if typed.len() < 2 || !typed.chars().all(char::is_alphabetic) {
        return None;
    }
    let near = words().map(|word| (strsim::damerau_levenshtein(typed, word), word));
    // A word of which half is wrong is another word; of a longer one the beginning may be enough.
    let near =
        near.filter(|&(distance, word)| distance <= 2 && 2 * distance < word.len() + 1 || word.starts_with(typed));
    near.min_by_key(|&(distance, _)| distance).map(|(_, word)| word)
}

/// The points of a move, where from and where to.
fn points(mv: &str) -> Vec<&str> {
    mv.split(['-', 'x']).map(str::trim).filter(|point| !point.is_empty()).collect()
}

/// Whether a text is a beginning of a move, where it ends, or the move without its sign.
fn abbreviates(text: &str, name: &str) -> bool {
    let bare = |text: &str| text.replace(['-', 'x', ' '], "");
    name.starts_with(text) || points(name).last() == Some(&text) || bare(name) == bare(text)
}

/// The moves of the man in question, or all if none of these is his.
fn alternatives(text: &str, names: &[String]) -> String {
    // The man may stand at the beginning of what was meant as a move, with or without a sign.
    let is_his = |name: &&String| points(name).first().is_some_and(|from| points(text).first() == Some(from));
    let begins = |name: &&String| points(name).first().is_some_and(|from| text.starts_with(from));
    let list = |names: Vec<&String>| names.into_iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    let mut his: Vec<&String> = names.iter().filter(is_his).collect();
    if his.is_empty() && points(text).len() < 2 {
        his = names.iter().filter(begins).collect();
    }
    match (his.first(), points(text).first()) {
        (Some(first), _) => format!("from {} there is {}", points(first).first().unwrap_or(&""), list(his)),
        (None, Some(from)) if points(text).len() > 1 => {
            format!("nothing of yours can move from {from}; there is {}", list(names.iter().collect()))
        }
        _ => format!("there is {} (`help` says what else)", list(names.iter().collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_known_and_others_are_near_to_one() {
        for (typed, word) in
            [("hnit", "hint"), ("hints", "hint"), ("mvoes", "moves"), ("helpp", "help"), ("sav x", "save")]
        {
            assert_eq!(nearest(typed), Some(word), "{typed}");
        }
        for typed in ["castle", "d4", "d4-d5", "", "x", "xyzzy"] {
            assert_eq!(nearest(typed), None, "{typed}");
        }
        for (name, _) in WORDS {
            assert!(of_words(name, name).is_some(), "{name}");
        }
        let Some(Entry::File(Word::Save, file)) = of_words("SAVE My Game.json", "save my game.json") else {
            panic!("it names a file");
        };
        assert_eq!(file, "My Game.json");
    }

    #[test]
    fn a_move_is_known_by_its_beginning_its_end_or_without_its_sign() {
        for text in ["d", "d4", "d4-", "d4-e5", "e5", "d4e5", "d4 e5"] {
            assert!(abbreviates(text, "d4-e5"), "{text}");
        }
        for text in ["e", "d5", "5", "e5-d4"] {
            assert!(!abbreviates(text, "d4-e5"), "{text}");
        }
        assert!(abbreviates("11", "1-11") && abbreviates("11", "11-1"));
    }
}
