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

impl Column {
    fn new(
        id: impl Into<String>,
        head: impl Into<String>,
        cell: impl Fn(&Hunt, &StudyAnswer) -> Cell + Send + Sync + 'static,
    ) -> Column {
        Column { id: id.into(), head: head.into(), cell: Box::new(cell) }
    }
}

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

/// The start with its value.
pub(super) fn start(answer: &StudyAnswer) -> Option<&StudiedOpening> {
    answer.openings.first()
}

/// The shares of positions that the two sides win.
pub(super) fn shares(Studied { game, answer }: &Studied) -> Option<[f64; 2]> {
    let of = surveyed(answer)?;
    let share = |side| of.outcome(game.side_name(side)) as f64 / of.positions.max(1) as f64;
    Some(Side::BOTH.map(share))
}

/// The chances of the two sides if both play at random. Undecided play is won by the side that wins
/// endless play.
pub(super) fn random_chances(Studied { game, answer }: &Studied) -> Option<[f64; 2]> {
    let row = chances(game, answer, Errs::Both.with(1.0))?;
    Some(Side::BOTH.map(|side| {
        let won = row.won.get(game.side_name(side)).copied().unwrap_or(0.0);
        if game.endless() == Some(side) { won + row.undecided } else { won }
    }))
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
    let mut columns = vec![
        Column::new("rules", "rules", |_, answer| Cell::Word(answer.rules.clone())),
        Column::new("positions", "positions", |_, answer| {
            some(surveyed(answer), |of| Cell::Count(of.positions))
        }),
        Column::new("reachable", "reachable", |_, answer| {
            some(answer.reachable.as_ref(), |of| Cell::Count(of.positions))
        }),
        Column::new("outcome", "best play", |_, answer| {
            some(start(answer).and_then(|it| it.rated.outcome.clone()), Cell::Word)
        }),
        Column::new("dtw", "plies", |_, answer| {
            some(start(answer).and_then(|it| it.rated.dtw), |plies| Cell::Count(plies.into()))
        }),
        Column::new("legal_moves", "first moves", |_, answer| {
            some(start(answer), |it| Cell::Count(it.legal_moves))
        }),
        Column::new("keeping_moves", "keep it", |_, answer| {
            some(start(answer), |it| Cell::Count(it.keeping_moves))
        }),
        outcome_column("won_few", won_for(game, Side::First), Some(Side::First)),
        outcome_column("drawn", "drawn", None),
        outcome_column("won_many", won_for(game, Side::Second), Some(Side::Second)),
    ];
    columns.extend(by_side(game, "longest", "longest win", |game, answer, side| {
        let longest = surveyed(answer).and_then(|of| of.longest.get(game.side_name(side)));
        some(longest.and_then(|win| win.as_ref()?.dtw), |plies| Cell::Count(plies.into()))
    }));
    columns.extend(by_side(game, "one_right_move", "one right move", |game, answer, side| {
        let of = to_move(game, answer, side).filter(|of| of.in_play() > 0);
        some(of, |of| Cell::Share(of.one_right_move, of.in_play()))
    }));
    columns.extend(by_side(game, "mean_moves", "mean moves", |game, answer, side| {
        let mean = to_move(game, answer, side).and_then(|of| of.mean_moves);
        some(mean, |mean| Cell::Number(mean, 2))
    }));
    columns.push(Column::new("idle_rules", "idle rules", |_, answer| {
        Cell::Count(answer.idle_rules.len() as u64)
    }));
    columns.extend(chance_columns(game, errors));
    columns
}

/// The share of the positions that a side wins, or of the drawn ones.
fn outcome_column(id: &str, head: impl Into<String>, winner: Option<Side>) -> Column {
    Column::new(id, head, move |game, answer| {
        let outcome = winner.map_or("draw", |side| game.side_name(side));
        some(surveyed(answer), |of| Cell::Share(of.outcome(outcome), of.positions))
    })
}

/// A column for each side.
fn by_side(
    game: &Hunt,
    id: &str,
    head: &str,
    cell: impl Fn(&Hunt, &StudyAnswer, Side) -> Cell + Copy + Send + Sync + 'static,
) -> [Column; 2] {
    Side::BOTH.map(|side| {
        let id = format!("{id}_{}", side_word(side));
        let head = format!("{head}, {}", game.side_name(side));
        Column::new(id, head, move |game, answer| cell(game, answer, side))
    })
}

/// The columns of random play, and of play with these probabilities of errors.
fn chance_columns(game: &Hunt, errors: &[f64]) -> Vec<Column> {
    let does = |side: Side, one: &'static str, several: &'static str| {
        format!("{} {}", game.side_name(side), verb(game, side, one, several))
    };
    let won = |id: String, head: String, errors: BySide<f64>, side: Side| {
        let head = format!("{head}, {}", does(side, "wins", "win"));
        Column::new(format!("{id}_{}", side_word(side)), head, move |game, answer| {
            let chance = chances(game, answer, errors)
                .and_then(|row| row.won.get(game.side_name(side)).copied());
            some(chance, |chance| Cell::Number(chance, 3))
        })
    };
    let random = Errs::Both.with(1.0);
    let mut columns: Vec<Column> =
        Side::BOTH.map(|side| won("random".into(), "random play".into(), random, side)).into();
    columns.push(Column::new("random_undecided", "random play, undecided", move |game, answer| {
        some(chances(game, answer, random), |row| Cell::Number(row.undecided, 3))
    }));
    let who = |errs: Errs| match errs {
        Errs::One(side) => (side_word(side), does(side, "errs", "err")),
        Errs::Both => ("both", "both err".into()),
    };
    for &p in errors {
        for errs in Errs::ALL {
            let (id, head) = who(errs);
            let (id, head) = (format!("fuzz_{p}_{id}_won"), format!("P = {p}, {head}"));
            let of = |side| won(id.clone(), head.clone(), errs.with(p), side);
            columns.extend(Side::BOTH.map(of));
        }
    }
    // The probability of errors with which both sides win equally often.
    for errs in Errs::ALL.into_iter().filter(|_| !errors.is_empty()) {
        let (id, head) = who(errs);
        let cell = move |game: &Hunt, answer: &StudyAnswer| {
            let sides = match errs {
                Errs::One(side) => vec![game.side_name(side)],
                Errs::Both => Side::BOTH.map(|side| game.side_name(side)).into(),
            };
            let mut even = answer.chances.iter().flat_map(|chances| &chances.even);
            some(even.find(|even| even.errs == sides).and_then(|even| even.p), |p| {
                Cell::Number(p, 4)
            })
        };
        columns.push(Column::new(format!("even_{id}"), format!("even P, {head}"), cell));
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
