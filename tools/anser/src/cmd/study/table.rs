//! The table of rule sets: columns with a name, a head, and a cell for each rule set.

use std::cmp::Ordering;

use anser_analyse::Errs;
use anser_core::hunt::side_word;
use anser_core::{BySide, Hunt, Side};
use anser_games::answers::{ChanceRow, StudiedOpening, StudyAnswer, SurveyAnswer, SurveySide};

use crate::csv::CsvTable;
use crate::failure::Failure;
use crate::text::{Columns, grouped, percent, verb, won_for};

/// A rule set with its answer.
pub(super) struct Studied {
    pub(super) game: Hunt,
    pub(super) answer: StudyAnswer,
}

/// A column of the table.
pub(super) struct Column {
    /// Name in the header of CSV, and of `--sort`.
    pub(super) id: String,
    /// Head in text.
    head: String,
    cell: Find,
}

/// Finds the cell of a rule set.
type Find = Box<dyn Fn(&Hunt, &StudyAnswer) -> Cell + Send + Sync>;

/// A cell of the table.
#[derive(Clone, Debug, PartialEq)]
enum Cell {
    Word(String),
    Count(u64),
    /// A part of a whole.
    Share(u64, u64),
    /// A number with a few decimals.
    Number(f64, usize),
    /// Unknown, or there is none.
    Nothing,
}

impl Cell {
    fn text(&self) -> String {
        match self {
            Cell::Word(word) => word.clone(),
            Cell::Count(count) => grouped(*count),
            Cell::Share(part, whole) => percent(*part, *whole),
            Cell::Number(number, decimals) => format!("{number:.decimals$}"),
            Cell::Nothing => "-".into(),
        }
    }

    fn csv(&self) -> String {
        match self {
            Cell::Word(word) => word.clone(),
            Cell::Count(count) => count.to_string(),
            Cell::Share(..) | Cell::Number(..) => {
                self.number().map_or_else(String::new, |number| format!("{number:.6}"))
            }
            Cell::Nothing => String::new(),
        }
    }

    fn number(&self) -> Option<f64> {
        match *self {
            Cell::Count(count) => Some(count as f64),
            Cell::Share(part, whole) => Some(part as f64 / whole.max(1) as f64),
            Cell::Number(number, _) => Some(number),
            Cell::Word(_) | Cell::Nothing => None,
        }
    }
}

/// A cell with a value, or none.
fn some<T>(value: Option<T>, cell: impl Fn(T) -> Cell) -> Cell {
    value.map_or(Cell::Nothing, cell)
}

/// The positions that the figures of the table are about.
pub(super) fn surveyed(answer: &StudyAnswer) -> Option<&SurveyAnswer> {
    answer.all.as_ref().or(answer.reachable.as_ref())
}

fn start(answer: &StudyAnswer) -> Option<&StudiedOpening> {
    answer.openings.first()
}

fn to_move<'a>(game: &Hunt, answer: &'a StudyAnswer, side: Side) -> Option<&'a SurveySide> {
    surveyed(answer)?.to_move.get(game.side_name(side))
}

/// The chances with these probabilities of errors.
fn chances<'a>(game: &Hunt, answer: &'a StudyAnswer, errors: BySide<f64>) -> Option<&'a ChanceRow> {
    answer.chances.as_ref()?.table.iter().find(|row| {
        Side::BOTH.iter().all(|&side| {
            let p = row.errors.get(game.side_name(side)).copied().unwrap_or(f64::NAN);
            p.total_cmp(&errors[side]).is_eq()
        })
    })
}

/// The columns of the table with these probabilities of errors, with the words of a game.
pub(super) fn columns(game: &Hunt, errors: &[f64]) -> Vec<Column> {
    let mut columns = Vec::new();
    let mut add = |id: String, head: String, cell: Find| {
        columns.push(Column { id, head, cell });
    };
    let name = |side: Side| game.side_name(side).to_owned();
    add("rules".into(), "rules".into(), Box::new(|_, answer| Cell::Word(answer.rules.clone())));
    add(
        "positions".into(),
        "positions".into(),
        Box::new(|_, answer| some(surveyed(answer), |of| Cell::Count(of.positions))),
    );
    add(
        "reachable".into(),
        "reachable".into(),
        Box::new(|_, answer| some(answer.reachable.as_ref(), |of| Cell::Count(of.positions))),
    );
    add(
        "outcome".into(),
        "best play".into(),
        Box::new(|_, answer| {
            some(start(answer).and_then(|it| it.rated.outcome.clone()), Cell::Word)
        }),
    );
    add(
        "dtw".into(),
        "plies".into(),
        Box::new(|_, answer| {
            some(start(answer).and_then(|it| it.rated.dtw), |plies| Cell::Count(plies.into()))
        }),
    );
    add(
        "legal_moves".into(),
        "first moves".into(),
        Box::new(|_, answer| some(start(answer), |it| Cell::Count(it.legal_moves))),
    );
    add(
        "keeping_moves".into(),
        "keep it".into(),
        Box::new(|_, answer| some(start(answer), |it| Cell::Count(it.keeping_moves))),
    );
    for (word, side) in [("few", Some(Side::First)), ("", None), ("many", Some(Side::Second))] {
        let id = if side.is_some() { format!("won_{word}") } else { "drawn".into() };
        let head = side.map_or_else(|| "drawn".into(), |side| won_for(game, side));
        add(
            id,
            head,
            Box::new(move |game, answer| {
                let outcome = side.map_or("draw", |side| game.side_name(side));
                some(surveyed(answer), |of| Cell::Share(of.outcome(outcome), of.positions))
            }),
        );
    }
    for side in Side::BOTH {
        add(
            format!("longest_{}", side_word(side)),
            format!("longest win, {}", name(side)),
            Box::new(move |game, answer| {
                let longest = surveyed(answer).and_then(|of| of.longest.get(game.side_name(side)));
                some(longest.and_then(|win| win.as_ref()?.dtw), |plies| Cell::Count(plies.into()))
            }),
        );
    }
    for side in Side::BOTH {
        add(
            format!("one_right_move_{}", side_word(side)),
            format!("one right move, {}", name(side)),
            Box::new(move |game, answer| {
                let of = to_move(game, answer, side).filter(|of| of.in_play() > 0);
                some(of, |of| Cell::Share(of.one_right_move, of.in_play()))
            }),
        );
    }
    for side in Side::BOTH {
        add(
            format!("mean_moves_{}", side_word(side)),
            format!("mean moves, {}", name(side)),
            Box::new(move |game, answer| {
                let mean = to_move(game, answer, side).and_then(|of| of.mean_moves);
                some(mean, |mean| Cell::Number(mean, 2))
            }),
        );
    }
    add(
        "idle_rules".into(),
        "idle rules".into(),
        Box::new(|_, answer| Cell::Count(answer.idle_rules.len() as u64)),
    );
    let won = |errors: BySide<f64>, side: Side| {
        Box::new(move |game: &Hunt, answer: &StudyAnswer| {
            let chance = chances(game, answer, errors)
                .and_then(|row| row.won.get(game.side_name(side)).copied());
            some(chance, |chance| Cell::Number(chance, 3))
        })
    };
    let random = Errs::Both.with(1.0);
    for side in Side::BOTH {
        let wins = verb(game, side, "wins", "win");
        let head = format!("random play, {} {wins}", name(side));
        add(format!("random_{}", side_word(side)), head, won(random, side));
    }
    add(
        "random_undecided".into(),
        "random play, undecided".into(),
        Box::new(move |game, answer| {
            some(chances(game, answer, random), |row| Cell::Number(row.undecided, 3))
        }),
    );
    let errs_word = |errs: Errs| match errs {
        Errs::One(side) => side_word(side),
        Errs::Both => "both",
    };
    let errs_head = |errs: Errs| match errs {
        Errs::One(side) => format!("{} {}", name(side), verb(game, side, "errs", "err")),
        Errs::Both => "both err".into(),
    };
    for &p in errors {
        for errs in Errs::ALL {
            for side in Side::BOTH {
                let wins = verb(game, side, "wins", "win");
                add(
                    format!("fuzz_{p}_{}_won_{}", errs_word(errs), side_word(side)),
                    format!("P = {p}, {}, {} {wins}", errs_head(errs), name(side)),
                    won(errs.with(p), side),
                );
            }
        }
    }
    for errs in Errs::ALL.into_iter().filter(|_| !errors.is_empty()) {
        add(
            format!("even_{}", errs_word(errs)),
            format!("even P, {}", errs_head(errs)),
            Box::new(move |game, answer| {
                let sides = match errs {
                    Errs::One(side) => vec![game.side_name(side)],
                    Errs::Both => Side::BOTH.map(|side| game.side_name(side)).into(),
                };
                let even = answer
                    .chances
                    .as_ref()
                    .and_then(|chances| chances.even.iter().find(|even| even.errs == sides));
                some(even.and_then(|even| even.p), |p| Cell::Number(p, 4))
            }),
        );
    }
    columns
}

/// Returns the number of the column with this name.
pub(super) fn find(columns: &[Column], id: &str) -> Result<usize, Failure> {
    columns.iter().position(|column| column.id == id).ok_or_else(|| {
        let ids: Vec<&str> = columns.iter().map(|column| &column.id[..]).collect();
        Failure::usage(format!("there is no column {id:?} to sort by"))
            .advice(format_args!("the columns are {}", ids.join(", ")))
    })
}

/// Sorts by a column. Rule sets without a value come last; equal ones keep their order.
pub(super) fn sort(studied: &mut [Studied], column: &Column, descending: bool) {
    let order = |a: &Cell, b: &Cell| {
        let order = match (a, b) {
            (Cell::Word(a), Cell::Word(b)) => a.cmp(b),
            _ => match (a.number(), b.number()) {
                (Some(a), Some(b)) => a.total_cmp(&b),
                (a, b) => return b.is_some().cmp(&a.is_some()),
            },
        };
        if descending { order.reverse() } else { order }
    };
    let cell = |studied: &Studied| (column.cell)(&studied.game, &studied.answer);
    studied.sort_by(|a, b| -> Ordering { order(&cell(a), &cell(b)) });
}

/// The cells of a rule set.
fn cells(studied: &Studied, columns: &[Column]) -> Vec<Cell> {
    columns.iter().map(|column| (column.cell)(&studied.game, &studied.answer)).collect()
}

/// The table as aligned text.
pub(super) fn aligned(studied: &[Studied], columns: &[Column]) -> String {
    let mut lines = Columns::new(1, columns.iter().map(|column| column.head.clone()));
    for studied in studied {
        lines.row(cells(studied, columns).iter().map(Cell::text));
    }
    lines.text()
}

/// The table in Markdown.
pub(super) fn markdown(studied: &[Studied], columns: &[Column]) -> String {
    let line = |cells: Vec<String>| {
        let cells = cells.into_iter().map(|cell| cell.replace('|', "\\|"));
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    let mut text = line(columns.iter().map(|column| column.head.clone()).collect());
    let aligned = |column: &Column| if column.id == "rules" { "---" } else { "---:" }.to_owned();
    text += &line(columns.iter().map(aligned).collect());
    for studied in studied {
        text += &line(cells(studied, columns).iter().map(Cell::text).collect());
    }
    text
}

/// The table as comma-separated values.
pub(super) fn csv(studied: &[Studied], columns: &[Column]) -> Result<String, Failure> {
    let mut table = CsvTable::new(columns.iter().map(|column| &column.id));
    for studied in studied {
        table.row(cells(studied, columns).iter().map(Cell::csv));
    }
    table.text(true)
}
