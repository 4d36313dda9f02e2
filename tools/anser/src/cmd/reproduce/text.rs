//! The figures of a document as text.

use anser_reproduce::{Entry, Figure, Missing, Reproduction, Row, Verdict};
use num_bigint::BigUint;
use serde_json::{Map, Value as Json};

use super::answer::document_answer;
use super::learner::LearnerRuns;
use crate::text::{Columns, grouped, wrap};
use crate::text_style::text_style;

/// Width of the text, in characters.
const WIDTH: usize = 110;
/// Width of a figure in a table that has printed figures too.
const CELL: usize = 40;
/// Width of a figure in a table that has none.
const WIDE_CELL: usize = 72;

/// Notes below a table, each once.
#[derive(Default)]
struct Notes(Vec<String>);

impl Notes {
    /// Adds the reason and the note of an entry, and returns references to them: ` [1]`.
    fn mark(&mut self, entry: &Entry) -> String {
        let mut mark = String::new();
        for note in entry.reason.iter().chain(&entry.note) {
            let number = self.0.iter().position(|other| other == note).unwrap_or_else(|| {
                self.0.push(note.clone());
                self.0.len() - 1
            });
            mark += &format!(" [{}]", number + 1);
        }
        mark
    }
}

/// The figures of a document.
pub(super) fn document(reproduction: &Reproduction, learner: Option<&LearnerRuns>) -> String {
    let document = reproduction.document;
    let mut text = document.title().to_owned();
    let (author, year) = (document.author(), document.year());
    let year = year.map(|year| year.to_string());
    for more in author.into_iter().chain(year.as_deref()) {
        text += &format!(", {more}");
    }
    text.push('\n');
    text += &tables(&reproduction.rows);
    text += &learner.map_or(String::new(), LearnerRuns::text);
    if !reproduction.aside.is_empty() {
        text += "\nNot judged:\n";
    }
    for aside in &reproduction.aside {
        let line = format!("{}, {:?}: {}", aside.figure, aside.printed, aside.reason);
        text += &wrap(&line, 2, text_style().at_most(WIDTH));
    }
    text += &format!("\n{}", wrap(&summary(reproduction), 0, text_style().at_most(WIDTH)));
    text
}

/// Number of figures of each verdict, and how to compute the missing ones.
fn summary(reproduction: &Reproduction) -> String {
    let (answer, document) = (document_answer(reproduction, None), reproduction.document.id());
    let mut summary = format!("{document}: {} agree", answer.agrees);
    for (count, what) in [
        (answer.differs_as_known, "differ as known"),
        (answer.not_printed, "are not printed and are as known"),
        (answer.fails, "FAIL"),
    ] {
        if count > 0 {
            summary += &format!(", {count} {what}");
        }
    }
    let lacking = |count: usize, what: &str| {
        format!(
            ", {count} {what} because tables are missing: `anser solve {document}` makes them, and \
             `--tables` names their directory"
        )
    };
    if answer.kept > 0 {
        summary += &lacking(answer.kept, "are those of verified runs");
    }
    let without = |missing| reproduction.count(|verdict| verdict == Verdict::NotComputed(missing));
    if without(Missing::Large) > 0 {
        summary += &format!(", {} are omitted: --large computes them", without(Missing::Large));
    }
    if without(Missing::Table) > 0 {
        summary += &lacking(without(Missing::Table), "are not computed");
    }
    summary + "."
}

/// A table of the printed figures, one of the figures that are not printed, and the notes on both.
pub(crate) fn tables(rows: &[Row]) -> String {
    let (mut text, mut notes) = (String::new(), Notes::default());
    let (printed, own): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|row| !row.entry.printed.is_null());
    let mut table = |rows: Vec<&Row>, mut columns: Columns, is_printed: bool| {
        for row in rows {
            let mut cells = vec![row.entry.figure.id().replace('_', " "), about(&row.entry)];
            if is_printed {
                cells.push(clipped(&shown(&row.entry, &row.entry.printed), CELL));
            }
            cells.push(computed(row, if is_printed { CELL } else { WIDE_CELL }));
            let is_known = !is_printed && row.verdict == Verdict::NotPrinted;
            let verdict = if is_known { "as known" } else { row.verdict.id() };
            cells.push(format!("{verdict}{}", notes.mark(&row.entry)));
            columns.row(cells);
        }
        text += &format!("\n{}", columns.text());
    };
    table(printed, Columns::new(5, ["figure", "of", "printed", "computed", ""]), true);
    if !own.is_empty() {
        table(own, Columns::new(4, ["not printed", "of", "computed", ""]), false);
    }
    if !notes.0.is_empty() {
        text.push('\n');
    }
    for (number, note) in notes.0.iter().enumerate() {
        text += &wrap(&format!("[{}] {note}", number + 1), 0, text_style().at_most(WIDTH));
    }
    text
}

/// Game, rules, and position or layer that a figure is about.
fn about(entry: &Entry) -> String {
    let mut about = format!("{} {}", entry.subject.game(), entry.subject.rules());
    if let Some(position) = &entry.position {
        about += &format!(", {position}");
    }
    if let Some(layer) = entry.layer {
        about += &format!(", {layer} {}", if layer == 1 { "goose" } else { "geese" });
    }
    if let Some(p) = entry.p {
        about += &format!(", p {p:.6}");
    }
    if let Some(plies) = entry.after {
        about += &format!(", after {plies} plies");
    }
    about
}

fn computed(row: &Row, most: usize) -> String {
    let figure = match (&row.computed, &row.kept) {
        (Some(computed), _) => shown(&row.entry, computed),
        (None, Some(kept)) => format!("kept: {}", shown(&row.entry, kept)),
        (None, None) => "-".to_owned(),
    };
    clipped(&figure, most)
}

/// A cell of at most `most` characters.
fn clipped(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most - 3).collect();
    format!("{} ..", start.trim_end())
}

/// A figure as text.
fn shown(entry: &Entry, figure: &Json) -> String {
    match figure {
        Json::Null => "-".into(),
        Json::Number(number) => match number.as_u64() {
            Some(number)
                if matches!(entry.figure, Figure::Space | Figure::SpaceAll | Figure::Memory) =>
            {
                format!("{} B", grouped(number))
            }
            Some(number) => grouped(number),
            None => {
                number.as_f64().map_or_else(|| number.to_string(), |number| format!("{number:.6}"))
            }
        },
        Json::String(text) => {
            let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let number = text.parse::<BigUint>().ok().filter(|_| is_number);
            number.map_or_else(|| text.clone(), grouped)
        }
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| shown(entry, item)).collect();
            format!("{}: {}", items.len(), items.join(" "))
        }
        Json::Object(parts) => shown_parts(entry, parts),
        Json::Bool(yes) => yes.to_string(),
    }
}

fn shown_parts(entry: &Entry, parts: &Map<String, Json>) -> String {
    let part = |name: &str| parts.get(name);
    if let (Some(outcome), Some(plies)) = (part("outcome").and_then(Json::as_str), part("dtw")) {
        let value =
            if plies.is_null() { "drawn".to_owned() } else { format!("{outcome} in {plies}") };
        return part("position")
            .map_or(value.clone(), |position| format!("{value}: {}", shown(entry, position)));
    }
    if let (Some(truth), Some(as_computed)) =
        (part("true").and_then(Json::as_f64), part("as_computed"))
    {
        let as_computed = as_computed.as_f64().unwrap_or(f64::NAN);
        return format!("{as_computed:.2} %, truly {truth:.2} %");
    }
    if let (Some(printed), Some(literal)) = (part("weights"), part("literal")) {
        return format!("{} (literally {})", chances(entry, printed), chances(entry, literal));
    }
    if part("p").is_some() {
        return chances(entry, &Json::Object(parts.clone()));
    }
    let parts: Vec<String> = parts
        .iter()
        .map(|(name, part)| format!("{} {}", name.replace('_', " "), shown(entry, part)))
        .collect();
    parts.join(", ")
}

/// The chances of both sides in a row of the table of fuzz factors, or a fuzz factor.
fn chances(entry: &Entry, of: &Json) -> String {
    let chance = |side: &str| match &of[side] {
        Json::String(printed) => Some(printed.clone()),
        chance => chance.as_f64().map(|chance| format!("{chance:.3}")),
    };
    match (chance("fox"), chance("hounds")) {
        (Some(fox), Some(hounds)) => format!("{fox}, {hounds}"),
        _ => shown(entry, of),
    }
}
