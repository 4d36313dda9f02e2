//! A plot as characters.

use super::{Kind, Plot, short, ticks};

/// Marks of the series.
const MARKS: [char; 6] = ['█', '░', '▓', '▒', '#', '='];
/// Marks of lines, of which one character shows several.
const DOTS: [char; 6] = ['*', 'o', '+', 'x', '#', '@'];
/// Lines of a plot with lines.
const HEIGHT: usize = 16;
/// Bars that are shown at most, each on a line; more are put together.
const BARS: usize = 40;

pub(super) fn text(plot: &Plot, width: usize) -> String {
    let drawn = match plot.kind {
        Kind::Bars => bars(plot, width.max(40)),
        Kind::Lines => lines(plot, width.max(40)),
    };
    let marks = if plot.kind == Kind::Bars { MARKS } else { DOTS };
    let legend: Vec<String> =
        plot.series.iter().zip(marks.iter().cycle()).map(|(series, mark)| format!("{mark} {}", series.name)).collect();
    format!("{}\n{drawn}{}\n", plot.title, legend.join("   "))
}

/// Bars from left to right, one below the other.
fn bars(plot: &Plot, width: usize) -> String {
    let mut stacks = plot.stacks();
    // Neighbours are put together until they fit.
    let together = stacks.len().div_ceil(BARS).max(1);
    if together > 1 {
        stacks = stacks
            .chunks(together)
            .map(|chunk| {
                let sum = |series: usize| chunk.iter().map(|(_, parts)| parts[series]).sum();
                (chunk[0].0, (0..plot.series.len()).map(sum).collect())
            })
            .collect();
    }
    let heights: Vec<f64> = stacks.iter().map(|(_, parts)| parts.iter().sum()).collect();
    let max = heights.iter().copied().fold(0.0, f64::max);
    let labels: Vec<String> = stacks.iter().map(|(x, _)| short(*x)).collect();
    let numbers: Vec<String> = heights.iter().map(|&height| short(height)).collect();
    let left = labels.iter().map(String::len).chain([plot.x.chars().count()]).max().unwrap_or(0).min(width / 3);
    let right = numbers.iter().map(String::len).max().unwrap_or(0);
    let room = width.saturating_sub(left + right + 4).max(1);
    let mut text = format!("{:>left$} | {}\n", clip(&plot.x, left), clip(&plot.y, room));
    for (((_, parts), label), number) in stacks.iter().zip(labels).zip(numbers) {
        let (mut line, mut sum, mut drawn) = (String::new(), 0.0, 0);
        for (part, mark) in parts.iter().zip(MARKS.iter().cycle()) {
            sum += part;
            let end = if max > 0.0 { (sum / max * room as f64).round() as usize } else { 0 };
            line.extend(std::iter::repeat_n(*mark, end.saturating_sub(drawn)));
            drawn = drawn.max(end);
        }
        text += &format!("{label:>left$} | {line} {number}\n");
    }
    text
}

/// Lines on a grid of characters.
fn lines(plot: &Plot, width: usize) -> String {
    let ys = ticks(plot.y_max(), 4);
    let (x_max, y_max) = (plot.x_max(), ys[ys.len() - 1]);
    let labels: Vec<String> = ys.iter().map(|&y| short(y)).collect();
    let left = labels.iter().map(String::len).max().unwrap_or(0);
    let columns = width.saturating_sub(left + 3).max(10);
    let mut grid = vec![vec![' '; columns]; HEIGHT + 1];
    let column = |x: f64| if x_max > 0.0 { (x / x_max * (columns - 1) as f64).round() as usize } else { 0 };
    let row = |y: f64| HEIGHT - ((y / y_max * HEIGHT as f64).round() as usize).min(HEIGHT);
    for (series, &dot) in plot.series.iter().zip(DOTS.iter().cycle()) {
        for pair in series.points.windows(2) {
            let [(x0, y0), (x1, y1)] = [pair[0], pair[1]];
            let mut mark = |at: usize| {
                let share = if x1 > x0 { (at as f64 / (columns - 1) as f64 * x_max - x0) / (x1 - x0) } else { 0.0 };
                grid[row(y0 + (y1 - y0) * share.clamp(0.0, 1.0))][at] = dot;
            };
            (column(x0)..=column(x1)).for_each(&mut mark);
        }
        if let [(x, y)] = series.points[..] {
            grid[row(y)][column(x)] = dot;
        }
    }
    let mut text = format!("{}\n", clip(&plot.y, width));
    for (number, line) in grid.into_iter().enumerate() {
        let label = ys.iter().zip(&labels).find(|&(&y, _)| row(y) == number).map_or("", |(_, label)| label);
        let line: String = line.into_iter().collect();
        text += format!("{label:>left$} | {line}").trim_end();
        text.push('\n');
    }
    let (end, axis) = (short(x_max), clip(&plot.x, columns / 2));
    let gap = columns.saturating_sub(1 + end.len() + axis.chars().count());
    let (before, after) = (gap / 2, gap - gap / 2);
    text += &format!("{:left$}   0{}{axis}{}{end}\n", "", " ".repeat(before), " ".repeat(after));
    text
}

fn clip(text: &str, width: usize) -> String {
    text.chars().take(width).collect()
}
