//! Plots as characters on a terminal.

use anser_core::Side;

use super::data::{Kind, Plot, number, ticks};
use crate::text::{filled, grouped};
use crate::text_style::TextStyle;

/// Rows of the grid of a plot with lines.
const HEIGHT: usize = 16;
/// Maximal number of bars, one per line. More bars are merged, and the labels show the ranges.
const BARS: usize = 100;
/// Characters of the series of a bar plot.
const SHADES: [char; 4] = ['█', '░', '▓', '▒'];
/// Characters of the series of a bar plot in ASCII.
const LETTERS: [char; 4] = ['#', '=', '+', '-'];
/// Characters of the series of a line plot.
const DOTS: [char; 4] = ['*', 'o', '+', 'x'];

/// Vertical line of a mark on the x axis.
fn vertical(style: TextStyle) -> char {
    if style.unicode { '┊' } else { ':' }
}

/// Draws a plot in lines of at most `width` characters, a legend below it.
pub(super) fn text(plot: &Plot, width: usize, style: TextStyle) -> String {
    let shapes = match (plot.kind, style.unicode) {
        (Kind::Bars, true) => SHADES,
        (Kind::Bars, false) => LETTERS,
        (Kind::Lines { .. }, _) => DOTS,
    };
    let drawn = match plot.kind {
        Kind::Bars => bars(plot, width, shapes, style),
        Kind::Lines { .. } => lines(plot, width, shapes, style),
    };
    let series = plot.series.iter().zip(shapes.into_iter().cycle());
    let series = series.map(|(series, mark)| (series.side, format!("{mark} {}", series.name)));
    let vertical = vertical(style);
    let marks = plot.marks.iter().map(|mark| (mark.side, format!("{vertical} {}", mark.name)));
    let legend = series.chain(marks).map(|(side, entry)| {
        let entry = clip(&entry, width);
        (entry.chars().count(), style.of_side(side, &entry))
    });
    format!("{}\n{drawn}{}", clip(&plot.title, width), filled(legend, 0, "   ", width))
}

/// Draws horizontal bars, one per line.
fn bars(plot: &Plot, width: usize, shapes: [char; 4], style: TextStyle) -> String {
    let stacks = plot.stacks();
    // Adjacent bars are merged until at most `BARS` remain; those with names stand alone.
    let has_names = !plot.names.is_empty();
    let merged = if has_names { 1 } else { stacks.len().div_ceil(BARS).max(1) };
    let stacks: Vec<(String, Vec<f64>)> = stacks
        .chunks(merged)
        .map(|chunk| {
            let sum = |series: usize| chunk.iter().map(|(_, parts)| parts[series]).sum();
            let [first, last] = [chunk[0].0, chunk[chunk.len() - 1].0].map(|x| plot.name(x));
            let label = if chunk.len() == 1 { first } else { format!("{first}-{last}") };
            (label, (0..plot.series.len()).map(sum).collect())
        })
        .collect();
    let heights: Vec<f64> = stacks.iter().map(|(_, parts)| parts.iter().sum()).collect();
    let max = heights.iter().copied().fold(0.0, f64::max);
    let number = |(parts, &height): (&Vec<f64>, &f64)| {
        // With names they are the parts of a whole.
        let shown = if has_names { &parts[..] } else { &[height] };
        let width = if has_names { 3 } else { 0 };
        let shown = shown.iter().map(|&part| format!("{:>width$}", grouped(part.round() as u64)));
        shown.collect::<Vec<_>>().join(" ")
    };
    let numbers: Vec<String> =
        stacks.iter().map(|(_, parts)| parts).zip(&heights).map(number).collect();
    let labels = stacks.iter().map(|(label, _)| label.chars().count());
    let left = labels.chain([plot.x.chars().count()]).max().unwrap_or(0).min(width / 3);
    let right = numbers.iter().map(String::len).max().unwrap_or(0);
    let longest = width.saturating_sub(left + right + 4).max(1);
    let mut text = format!("{:>left$} | {}\n", clip(&plot.x, left), clip(&plot.y, longest));
    for ((label, parts), number) in stacks.iter().zip(numbers) {
        let (mut line, mut sum, mut drawn) = (String::new(), 0.0, 0);
        for ((part, series), mark) in parts.iter().zip(&plot.series).zip(shapes.into_iter().cycle())
        {
            sum += part;
            let end = if max > 0.0 { (sum / max * longest as f64).round() as usize } else { 0 };
            let bar: String = std::iter::repeat_n(mark, end.saturating_sub(drawn)).collect();
            line += &style.of_side(series.side, &bar);
            drawn = drawn.max(end);
        }
        text += &format!("{:>left$} | {line} {number}\n", clip(label, left));
    }
    text
}

/// Character of the grid, and the side that determines its color.
type Cell = (char, Option<Side>);

/// Draws lines on a grid of characters.
fn lines(plot: &Plot, width: usize, shapes: [char; 4], style: TextStyle) -> String {
    let ys = ticks(plot.y_max(), 4);
    let y_max = ys[ys.len() - 1];
    let labels: Vec<String> = ys.iter().map(|&y| number(y)).collect();
    let left = labels.iter().map(String::len).max().unwrap_or(0);
    let columns = width.saturating_sub(left + 3).max(10);
    let axis = plot.axis();
    let mut grid: Vec<Vec<Cell>> = vec![vec![(' ', None); columns]; HEIGHT + 1];
    let column = |x: f64| (axis.share(x) * (columns - 1) as f64).round() as usize;
    let row = |y: f64| HEIGHT - ((y / y_max * HEIGHT as f64).round() as usize).min(HEIGHT);
    for mark in &plot.marks {
        let at = column(mark.x);
        for line in &mut grid {
            line[at] = (vertical(style), mark.side);
        }
    }
    for (series, dot) in plot.series.iter().zip(shapes.into_iter().cycle()) {
        let points: Vec<(f64, f64)> =
            plot.points(series).map(|(x, y)| (axis.share(x), y)).collect();
        let at = |share: f64| (share * (columns - 1) as f64).round() as usize;
        for pair in points.windows(2) {
            let [(x0, y0), (x1, y1)] = [pair[0], pair[1]];
            let mut mark = |column: usize| {
                let share = if x1 > x0 {
                    (column as f64 / (columns - 1) as f64 - x0) / (x1 - x0)
                } else {
                    0.0
                };
                grid[row(y0 + (y1 - y0) * share.clamp(0.0, 1.0))][column] = (dot, series.side);
            };
            (at(x0)..=at(x1)).for_each(&mut mark);
        }
        if let [(x, y)] = points[..] {
            grid[row(y)][at(x)] = (dot, series.side);
        }
    }
    let mut text = format!("{}\n", clip(&plot.y, width));
    for (number, line) in grid.iter().enumerate() {
        let label =
            ys.iter().zip(&labels).find(|&(&y, _)| row(y) == number).map_or("", |(_, label)| label);
        let end = line.iter().rposition(|&(mark, _)| mark != ' ').map_or(0, |last| last + 1);
        let mut drawn = String::new();
        for run in line[..end].chunk_by(|a, b| a.1 == b.1) {
            let marks: String = run.iter().map(|&(mark, _)| mark).collect();
            drawn += &if marks.trim().is_empty() { marks } else { style.of_side(run[0].1, &marks) };
        }
        text += format!("{label:>left$} | {drawn}").trim_end();
        text.push('\n');
    }
    text += format!("{:left$}   {}", "", tick_line(&axis.ticks, columns, column)).trim_end();
    let name = clip(&plot.x, columns);
    let before = (columns - name.chars().count()) / 2;
    text + &format!("\n{:left$}   {:before$}{name}\n", "", "")
}

/// Draws the labels below an axis, each centered below its tick if possible. Omits labels that
/// overlap others.
fn tick_line(ticks: &[f64], columns: usize, column: impl Fn(f64) -> usize) -> String {
    let mut line = String::new();
    for &tick in ticks {
        let label = number(tick);
        let start =
            column(tick).saturating_sub(label.len() / 2).min(columns - label.len().min(columns));
        if line.is_empty() || start > line.len() {
            line += &format!("{:>width$}{label}", "", width = start - line.len());
        }
    }
    line
}

fn clip(text: &str, width: usize) -> String {
    text.chars().take(width).collect()
}
