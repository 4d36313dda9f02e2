//! Plots, as SVG files and as characters on a terminal.

mod svg;
mod terminal;

use std::path::{Path, PathBuf};

use anser_core::Side;
use clap::{Args, ValueHint};

use crate::failure::Failure;
use crate::output::{note, print};
use crate::text::grouped;
use crate::text_style::{TextStyle, text_style};

/// Arguments that request plots.
#[derive(Args, Debug)]
pub(crate) struct PlotArgs {
    /// Plot the answer on the terminal
    #[arg(long)]
    plot: bool,
    /// Plot the answer into an SVG file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    svg: Option<PathBuf>,
}

/// Width of a plot if that of the terminal is unknown, in characters.
const DEFAULT_WIDTH: usize = 90;
/// Largest width of a plot, in characters.
const MAX_WIDTH: usize = 120;

impl PlotArgs {
    /// Whether a plot is requested.
    pub(crate) fn is_requested(&self) -> bool {
        self.plot || self.svg.is_some()
    }

    /// Fails if a plot is requested, for a question that has plots of layers alone.
    pub(crate) fn needs_layers(&self) -> Result<(), Failure> {
        if self.is_requested() {
            return Err(Failure::usage("only answers about layers have a plot: add --layers A-B"));
        }
        Ok(())
    }

    /// Draws the plot to the requested outputs.
    pub(crate) fn show(&self, plot: &Plot) -> Result<(), Failure> {
        if let Some(path) = &self.svg {
            plot.save(path)?;
        }
        if !self.plot {
            return Ok(());
        }
        let style = text_style();
        print(&plot.text(style.width.map_or(DEFAULT_WIDTH, |width| width.min(MAX_WIDTH)), style))
    }
}

/// Kind of plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One bar per point; bars of several series at the same x are stacked.
    Bars,
    /// Lines through the points. On a logarithmic x axis points at 0 are omitted.
    Lines { logarithmic: bool },
}

/// Series of points, in ascending order of x.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) name: String,
    /// Side that determines the color; `None` for draws.
    pub(crate) side: Option<Side>,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Vertical mark at a value of x.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) x: f64,
    pub(crate) name: String,
    /// As in [`Series`].
    pub(crate) side: Option<Side>,
}

/// Plot. The y axis begins at 0, and so does a linear x axis.
#[derive(Clone, Debug)]
pub(crate) struct Plot {
    pub(crate) title: String,
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) kind: Kind,
    /// Names of bars at x = 0, 1, and so on, shown instead of these numbers; empty if there are
    /// none.
    pub(crate) names: Vec<String>,
    pub(crate) series: Vec<Series>,
    pub(crate) marks: Vec<Mark>,
}

impl Plot {
    /// Draws the plot as text of at most `width` characters per line.
    pub(crate) fn text(&self, width: usize, style: TextStyle) -> String {
        terminal::text(self, width, style)
    }

    /// Writes the plot into an SVG file.
    pub(crate) fn save(&self, path: &Path) -> Result<(), Failure> {
        let written = std::fs::write(path, svg::svg(self));
        written
            .map_err(|error| Failure::io(format!("writing {} failed: {error}", path.display())))?;
        note(format_args!("wrote the plot to {}", path.display()));
        Ok(())
    }

    /// Name of the bar at a value of x, or its number.
    fn name(&self, x: f64) -> String {
        self.names.get(x as usize).cloned().unwrap_or_else(|| number(x))
    }

    fn is_logarithmic(&self) -> bool {
        self.kind == Kind::Lines { logarithmic: true }
    }

    /// Points of a series that the x axis can show.
    fn points<'a>(&self, series: &'a Series) -> impl Iterator<Item = (f64, f64)> + 'a {
        let logarithmic = self.is_logarithmic();
        series.points.iter().copied().filter(move |&(x, _)| !logarithmic || x > 0.0)
    }

    /// Smallest x, and largest x or 0, of points and marks.
    fn x_range(&self) -> (f64, f64) {
        let points = self.series.iter().flat_map(|series| self.points(series));
        let xs = points.map(|(x, _)| x).chain(self.marks.iter().map(|mark| mark.x));
        xs.fold((f64::INFINITY, 0.0), |(low, high), x| (low.min(x), high.max(x)))
    }

    /// Axis that shows all points and marks.
    fn axis(&self) -> Axis {
        let (low, high) = self.x_range();
        if self.is_logarithmic() && low > 0.0 && low < high {
            // The tolerance absorbs rounding: numbers such as 0.001 have no exact logarithm.
            let ends = [(low.log10() + 0.0005).floor(), (high.log10() - 0.0005).ceil()];
            let ticks = (ends[0] as i32..=ends[1] as i32).map(|power| 10f64.powi(power)).collect();
            return Axis { logarithmic: true, ends, ticks };
        }
        let ticks = ticks(high, 8);
        let end = if self.kind == Kind::Bars { high } else { ticks[ticks.len() - 1] };
        Axis {
            logarithmic: false,
            ends: [0.0, end],
            ticks: ticks.into_iter().filter(|&tick| tick <= end).collect(),
        }
    }

    /// Largest height of a line or a stack of bars.
    fn y_max(&self) -> f64 {
        match self.kind {
            Kind::Lines { .. } => self
                .series
                .iter()
                .flat_map(|series| &series.points)
                .map(|&(_, y)| y)
                .fold(0.0, f64::max),
            Kind::Bars => {
                self.stacks().into_iter().map(|(_, parts)| parts.iter().sum()).fold(0.0, f64::max)
            }
        }
    }

    /// Heights of all series at every x, in ascending order of x.
    fn stacks(&self) -> Vec<(f64, Vec<f64>)> {
        let mut xs: Vec<f64> =
            self.series.iter().flat_map(|series| &series.points).map(|&(x, _)| x).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        let height = |series: &Series, x: f64| {
            series
                .points
                .iter()
                .filter(|point| point.0.total_cmp(&x).is_eq())
                .map(|point| point.1)
                .sum()
        };
        xs.into_iter()
            .map(|x| (x, self.series.iter().map(|series| height(series, x)).collect()))
            .collect()
    }
}

/// The x axis of a plot.
struct Axis {
    logarithmic: bool,
    /// First and last number; their exponents to base ten if the axis is logarithmic.
    ends: [f64; 2],
    /// Numbers with a label.
    ticks: Vec<f64>,
}

impl Axis {
    /// Relative position of a number on the axis, from 0 to 1.
    fn share(&self, x: f64) -> f64 {
        let x = if self.logarithmic { x.log10() } else { x };
        let length = self.ends[1] - self.ends[0];
        if length > 0.0 { ((x - self.ends[0]) / length).clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// Round numbers from 0 to `max` or just above it, about `count` of them.
fn ticks(max: f64, count: usize) -> Vec<f64> {
    if !(max.is_finite() && max > 0.0) {
        return vec![0.0, 1.0];
    }
    let raw = max / count.max(1) as f64;
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|&step| step >= raw * 0.999);
    let step = step.unwrap_or(power * 10.0);
    let last = (max / step * 0.999_999).ceil() as u32;
    (0..=last).map(|number| f64::from(number) * step).collect()
}

/// Formats a number as the other answers do: `0.25`, `40`, `1,500`, `20,000,000`.
fn number(number: f64) -> String {
    if number >= 1e15 {
        return format!("{number:.0e}");
    }
    if number >= 1.0 && number.fract() == 0.0 {
        return grouped(number as u64);
    }
    let digits = format!("{number:.6}");
    digits.trim_end_matches('0').trim_end_matches('.').to_owned()
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
            names: Vec::new(),
            series: vec![
                Series {
                    name: "fox".into(),
                    side: Some(Side::First),
                    points: vec![(0.0, 5.0), (1.0, 20.0), (2.0, 0.0)],
                },
                Series {
                    name: "hounds".into(),
                    side: Some(Side::Second),
                    points: vec![(1.0, 10.0), (3.0, 40_000.0)],
                },
            ],
            marks: vec![Mark { x: 1.5, name: "halfway".into(), side: Some(Side::First) }],
        }
    }

    #[test]
    fn ticks_are_round_and_reach_the_largest_value() {
        assert_eq!(ticks(1.0, 4), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(ticks(44.0, 5), [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]);
        assert_eq!(ticks(0.0, 5), [0.0, 1.0]);
        assert_eq!(ticks(f64::NAN, 5), [0.0, 1.0]);
        assert_eq!(
            [0.0001, 0.25, 40.0, 15_000.0, 2e7, 0.0].map(number),
            ["0.0001", "0.25", "40", "15,000", "20,000,000", "0"]
        );
    }

    #[test]
    fn bars_at_the_same_x_are_stacked() {
        let plot = plot(Kind::Bars);
        assert_eq!(plot.stacks()[1], (1.0, vec![20.0, 10.0]));
        assert_eq!((plot.x_range().1, plot.y_max()), (3.0, 40_000.0));
    }

    const KINDS: [Kind; 3] =
        [Kind::Bars, Kind::Lines { logarithmic: true }, Kind::Lines { logarithmic: false }];

    #[test]
    fn a_terminal_gets_no_line_longer_than_it_is_wide() {
        for kind in KINDS {
            for width in [40, 50, 60, 120] {
                let text = plot(kind).text(width, TextStyle::PLAIN);
                assert!(text.lines().count() > 4, "{text}");
                assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
                assert!(text.contains("hounds") && text.contains("plies"), "{text}");
            }
        }
    }

    #[test]
    fn a_terminal_without_unicode_gets_ascii_and_one_with_colors_one_color_per_side() {
        for kind in KINDS {
            let style = TextStyle { unicode: false, ..TextStyle::PLAIN };
            assert!(plot(kind).text(60, style).is_ascii());
            let colored = plot(kind).text(60, TextStyle { color: true, ..TextStyle::PLAIN });
            assert!(
                colored.contains("\u{1b}[38;5;166m") && colored.contains("\u{1b}[38;5;32m"),
                "{colored:?}"
            );
            assert_eq!(console::strip_ansi_codes(&colored), plot(kind).text(60, TextStyle::PLAIN));
        }
    }

    #[test]
    fn every_bar_is_labeled_with_its_range() {
        let bars = |count: u32| {
            let points = (0..count).map(|x| (f64::from(x), f64::from(x + 1))).collect();
            let series = vec![Series { name: "all".into(), side: None, points }];
            let plot = Plot { series, marks: Vec::new(), ..plot(Kind::Bars) };
            let text = plot.text(60, TextStyle::PLAIN);
            let rows = text.lines().filter_map(|line| line.split_once(" | ")).skip(1);
            rows.map(|(label, bar)| {
                (label.trim().to_owned(), bar.rsplit(' ').next().unwrap_or("").to_owned())
            })
            .collect::<Vec<_>>()
        };
        // As many plies as the longest win on the common boards has: one bar each.
        let each = bars(73);
        assert_eq!(each.len(), 73);
        assert_eq!((each[44].0.as_str(), each[44].1.as_str()), ("44", "45"));
        // Many bars are merged, and the labels show the ranges.
        let together = bars(300);
        assert_eq!(together[0], ("0-2".into(), "6".into()));
        assert_eq!(together[99], ("297-299".into(), (298 + 299 + 300).to_string()));
    }

    #[test]
    fn bars_can_have_names() {
        let names = ["standard", "a <rule>", "forward+must"].map(str::to_owned);
        let points = vec![(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)];
        let series = vec![Series { name: "all".into(), side: None, points }];
        let names = Vec::from(names);
        let plot = Plot { series, names, marks: Vec::new(), ..plot(Kind::Bars) };
        let text = plot.text(60, TextStyle::PLAIN);
        assert!(text.lines().any(|line| line.starts_with("forward+must | ")), "{text}");
        let svg = svg::svg(&plot);
        for name in ["standard", "a &lt;rule&gt;", "forward+must"] {
            assert_eq!(svg.matches(name).count(), 1, "{svg}");
        }
        // The image grows by the room for the names.
        assert!(!svg.contains("0 0 760 440") && svg.contains("0 0 760 "), "{svg}");
    }

    #[test]
    fn a_logarithmic_axis_has_a_tick_for_every_power_of_ten() {
        let points = vec![(0.0, 0.0), (0.0001, 0.1), (0.01, 0.5), (1.0, 1.0)];
        let series = vec![Series { name: "all".into(), side: None, points }];
        let marks = vec![Mark { x: 0.01, name: "fairest".into(), side: None }];
        let plot = Plot { series, marks, ..plot(Kind::Lines { logarithmic: true }) };
        let axis = plot.axis();
        assert_eq!(
            axis.ticks.iter().copied().map(number).collect::<Vec<_>>(),
            ["0.0001", "0.001", "0.01", "0.1", "1"]
        );
        assert!((axis.share(0.01) - 0.5).abs() < 1e-9);
        for shown in [plot.text(90, TextStyle::PLAIN), svg::svg(&plot)] {
            assert!(axis.ticks.iter().all(|&tick| shown.contains(&number(tick))), "{shown}");
            assert!(shown.contains("fairest"), "{shown}");
        }
    }

    #[test]
    fn a_linear_axis_begins_at_zero() {
        let points = vec![(4.0, 1.0), (31.0, 250.0)];
        let series = vec![Series { name: "all".into(), side: None, points }];
        let plot = Plot { series, marks: Vec::new(), ..plot(Kind::Lines { logarithmic: false }) };
        let axis = plot.axis();
        assert_eq!((axis.logarithmic, axis.ends[0], axis.share(0.0)), (false, 0.0, 0.0));
        assert!(axis.share(31.0) > 0.7 && plot.points(&plot.series[0]).count() == 2);
    }

    #[test]
    fn an_svg_is_well_formed_and_names_what_it_shows() {
        for kind in KINDS {
            let svg = svg::svg(&plot(kind));
            assert!(svg.contains("#D55E00") && svg.contains("#0072B2"), "{svg}");
            assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
            assert!(svg.contains("&lt;a&gt; &amp; b") && !svg.contains("NaN"), "{svg}");
            assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
        }
    }
}
