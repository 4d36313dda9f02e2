//! Plots: as an SVG file, and as characters on a terminal.

mod svg;
mod terminal;

use std::path::{Path, PathBuf};

use clap::Args;

use crate::failure::Failure;
use crate::output::{note, print};

/// Whether and where a plot is drawn.
#[derive(Args, Debug)]
pub(crate) struct PlotArgs {
    /// Draw the answer on the terminal
    #[arg(long)]
    plot: bool,
    /// Draw the answer into an SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// The width of a plot on a terminal, in characters.
const WIDTH: usize = 90;

impl PlotArgs {
    /// Whether a plot is wanted.
    pub(crate) fn is_asked(&self) -> bool {
        self.plot || self.svg.is_some()
    }

    /// Draws it where it is wanted.
    pub(crate) fn show(&self, plot: &Plot) -> Result<(), Failure> {
        if let Some(path) = &self.svg {
            plot.save(path)?;
        }
        if self.plot { print(&plot.text(WIDTH)) } else { Ok(()) }
    }
}

/// How points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A bar for every point; the bars of several series stand on each other.
    Bars,
    /// A line through the points.
    Lines,
}

/// Points of one kind, in ascending order of x.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// A plot. Both axes begin at 0.
#[derive(Clone, Debug)]
pub(crate) struct Plot {
    pub(crate) title: String,
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) kind: Kind,
    pub(crate) series: Vec<Series>,
}

impl Plot {
    /// The plot as characters, `width` of them on a line.
    pub(crate) fn text(&self, width: usize) -> String {
        terminal::text(self, width)
    }

    /// Writes the plot into an SVG file.
    pub(crate) fn save(&self, path: &Path) -> Result<(), Failure> {
        let written = std::fs::write(path, svg::svg(self));
        written.map_err(|error| Failure::io(format!("writing {} failed: {error}", path.display())))?;
        note(format_args!("the plot is in {}", path.display()));
        Ok(())
    }

    /// The largest x there is.
    fn x_max(&self) -> f64 {
        let points = self.series.iter().flat_map(|series| &series.points);
        points.map(|&(x, _)| x).fold(0.0, f64::max)
    }

    /// The largest height there is, of stacks where bars stand on each other.
    fn y_max(&self) -> f64 {
        match self.kind {
            Kind::Lines => self.series.iter().flat_map(|series| &series.points).map(|&(_, y)| y).fold(0.0, f64::max),
            Kind::Bars => self.stacks().into_iter().map(|(_, parts)| parts.iter().sum()).fold(0.0, f64::max),
        }
    }

    /// By x in ascending order, the height of every series there.
    fn stacks(&self) -> Vec<(f64, Vec<f64>)> {
        let mut xs: Vec<f64> = self.series.iter().flat_map(|series| &series.points).map(|&(x, _)| x).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        let height = |series: &Series, x: f64| {
            series.points.iter().filter(|point| point.0.total_cmp(&x).is_eq()).map(|point| point.1).sum()
        };
        xs.into_iter().map(|x| (x, self.series.iter().map(|series| height(series, x)).collect())).collect()
    }
}

/// Round numbers from 0 to `max` or just above it, about `count` of them.
fn ticks(max: f64, count: usize) -> Vec<f64> {
    if !(max.is_finite() && max > 0.0) {
        return vec![0.0, 1.0];
    }
    let raw = max / count.max(1) as f64;
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|&step| step >= raw * 0.999);
    let step = step.unwrap_or(power * 10.0);
    let last = (max / step * 0.999_999).ceil() as u32;
    (0..=last).map(|number| f64::from(number) * step).collect()
}

/// A tick's number in few characters: `0.25`, `40`, `1.5k`, `20M`.
fn short(number: f64) -> String {
    let (scaled, unit) = match number.abs() {
        size if size >= 1e15 => return format!("{number:.0e}"),
        size if size >= 1e12 => (number / 1e12, "T"),
        size if size >= 1e9 => (number / 1e9, "G"),
        size if size >= 1e6 => (number / 1e6, "M"),
        size if size >= 1e4 => (number / 1e3, "k"),
        _ => (number, ""),
    };
    let digits = format!("{scaled:.4}");
    format!("{}{unit}", digits.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(kind: Kind) -> Plot {
        Plot {
            title: "<a> & b".into(),
            x: "plies".into(),
            y: "positions".into(),
            kind,
            series: vec![
                Series { name: "fox".into(), points: vec![(0.0, 5.0), (1.0, 20.0), (2.0, 0.0)] },
                Series { name: "hounds".into(), points: vec![(1.0, 10.0), (3.0, 40_000.0)] },
            ],
        }
    }

    #[test]
    fn ticks_are_round_and_reach_the_largest_value() {
        assert_eq!(ticks(1.0, 4), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(ticks(44.0, 5), [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]);
        assert_eq!(ticks(0.0, 5), [0.0, 1.0]);
        assert_eq!(ticks(f64::NAN, 5), [0.0, 1.0]);
        assert_eq!([0.25, 40.0, 15_000.0, 2e7, 0.0].map(short), ["0.25", "40", "15k", "20M", "0"]);
    }

    #[test]
    fn bars_of_the_same_place_stand_on_each_other() {
        let plot = plot(Kind::Bars);
        assert_eq!(plot.stacks()[1], (1.0, vec![20.0, 10.0]));
        assert_eq!((plot.x_max(), plot.y_max()), (3.0, 40_000.0));
    }

    #[test]
    fn a_terminal_gets_no_line_longer_than_it_is_wide() {
        for kind in [Kind::Bars, Kind::Lines] {
            let text = plot(kind).text(60);
            assert!(text.lines().count() > 4, "{text}");
            assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
            assert!(text.contains("hounds") && text.contains("plies"), "{text}");
        }
    }

    #[test]
    fn an_svg_is_well_formed_and_names_what_it_shows() {
        for kind in [Kind::Bars, Kind::Lines] {
            let svg = svg::svg(&plot(kind));
            assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
            assert!(svg.contains("&lt;a&gt; &amp; b") && !svg.contains("NaN"), "{svg}");
            assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
        }
    }
}
