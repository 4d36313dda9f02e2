//! Plots, as SVG files and as characters on a terminal.

mod data;
mod svg;
mod terminal;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::failure::Failure;
use crate::output::{NewFile, note, print};
use crate::text_style::text_style;

pub(crate) use data::{Kind, Mark, Plot, Series};

/// Arguments that request plots in place of the answer.
#[derive(Args, Debug)]
pub(crate) struct PlotArgs {
    /// Plot the answer on the terminal
    #[arg(long, conflicts_with = "json")]
    plot: bool,
    /// Plot the answer into an SVG file
    #[arg(
        long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "json"
    )]
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

    /// Draws the plot to the requested outputs.
    pub(crate) fn show(&self, plot: &Plot) -> Result<(), Failure> {
        if let Some(path) = &self.svg {
            let mut file = NewFile::create(path)?;
            let failed = |error| Failure::of_file(format!("{}: {error}", path.display()), &error);
            file.out.write_all(svg::svg(plot).as_bytes()).map_err(failed)?;
            file.finish()?;
            note(format_args!("wrote the plot to {}", path.display()));
        }
        if !self.plot {
            return Ok(());
        }
        let style = text_style();
        let width = style.width.map_or(DEFAULT_WIDTH, |width| width.min(MAX_WIDTH));
        print(&terminal::text(plot, width, style))
    }
}

#[cfg(test)]
mod tests {
    use anser_core::Side;

    use super::data::{number, ticks};
    use super::terminal::text;
    use super::*;
    use crate::text_style::TextStyle;

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
                let text = text(&plot(kind), width, TextStyle::PLAIN);
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
            assert!(text(&plot(kind), 60, style).is_ascii());
            let colored = text(&plot(kind), 60, TextStyle { color: true, ..TextStyle::PLAIN });
            assert!(
                colored.contains("\u{1b}[38;5;166m") && colored.contains("\u{1b}[38;5;32m"),
                "{colored:?}"
            );
            assert_eq!(
                console::strip_ansi_codes(&colored),
                text(&plot(kind), 60, TextStyle::PLAIN)
            );
        }
    }

    #[test]
    fn every_bar_is_labeled_with_its_range() {
        let bars = |count: u32| {
            let points = (0..count).map(|x| (f64::from(x), f64::from(x + 1))).collect();
            let series = vec![Series { name: "all".into(), side: None, points }];
            let plot = Plot { series, marks: Vec::new(), ..plot(Kind::Bars) };
            let text = text(&plot, 60, TextStyle::PLAIN);
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
        let text = text(&plot, 60, TextStyle::PLAIN);
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
        for shown in [text(&plot, 90, TextStyle::PLAIN), svg::svg(&plot)] {
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
