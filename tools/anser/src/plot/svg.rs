//! Plots as SVG files.

use anser_core::Side;

use super::data::{Axis, Kind, Mark, Plot, Series, number, ticks};

const WIDTH: f64 = 760.0;
/// Height without room for names below the axis.
const HEIGHT: f64 = 440.0;
/// Least x of the y axis, and end of the x axis.
const LEFT: f64 = 72.0;
const RIGHT: f64 = WIDTH - 20.0;
/// End of the y axis, and y of the x axis.
const TOP: f64 = 56.0;
const BASE: f64 = HEIGHT - 56.0;
/// Approximate width of a character.
const CHARACTER: f64 = 7.5;

/// Color of a side, or of draws, from the palette of Okabe and Ito (2008), which is safe for the
/// color-blind.
fn color(side: Option<Side>) -> &'static str {
    match side {
        Some(Side::First) => "#D55E00",
        Some(Side::Second) => "#0072B2",
        None => "#999999",
    }
}

/// Draws a plot as an SVG document.
pub(super) fn svg(plot: &Plot) -> String {
    let drawing = Drawing::new(plot);
    [
        drawing.head(),
        drawing.y_ticks(),
        drawing.x_ticks(),
        drawing.marks(),
        drawing.values(),
        drawing.axis_names(),
        drawing.legend(),
        "</svg>\n".to_owned(),
    ]
    .concat()
}

/// A plot with the sizes of its drawing.
struct Drawing<'a> {
    plot: &'a Plot,
    axis: Axis,
    /// Numbers with a line across the plot, from 0.
    ys: Vec<f64>,
    /// x of the y axis, and length of the x axis.
    left: f64,
    width: f64,
    /// Bottom of the drawing, below the names of bars.
    bottom: f64,
    /// Font size of the names of bars.
    name_size: f64,
    /// Half the width of a bar, which extends to either side of its x.
    half: f64,
}

impl Drawing<'_> {
    fn new(plot: &Plot) -> Drawing<'_> {
        let (ys, axis) = (ticks(plot.y_max(), 5), plot.axis());
        let labels = ys.iter().map(|&y| number(y).len()).max().unwrap_or(0) as f64;
        let left = LEFT.max(CHARACTER * labels + 40.0);
        let width = RIGHT - left;
        let bar = width / (axis.ends[1] + 1.0);
        // Names of bars are written upward, in a size that fits the width of a bar.
        let name_size = bar.clamp(4.0, 13.0);
        let longest = plot.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let bottom = HEIGHT + longest as f64 * name_size * CHARACTER / 13.0;
        let half = if plot.kind == Kind::Bars { bar / 2.0 } else { 0.0 };
        Drawing { plot, axis, ys, left, width, bottom, name_size, half }
    }

    fn at_x(&self, x: f64) -> f64 {
        self.left + self.half + self.axis.share(x) * (self.width - 2.0 * self.half)
    }

    fn at_y(&self, y: f64) -> f64 {
        BASE - y / self.ys[self.ys.len() - 1] * (BASE - TOP)
    }

    /// Begins the document, with the title and the background.
    fn head(&self) -> String {
        let (title, left, bottom) = (escape(&self.plot.title), self.left, self.bottom);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {bottom:.0}\" \
             font-family=\"sans-serif\" font-size=\"13\" role=\"img\">\n<title>{title}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"{left}\" y=\"22\" font-size=\"15\">{title}</text>\n"
        )
    }

    fn y_ticks(&self) -> String {
        let tick = |&y: &f64| {
            let (left, at) = (self.left, self.at_y(y));
            format!(
                "<line x1=\"{left:.1}\" x2=\"{RIGHT:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" \
                 stroke=\"#ddd\"/>\n{}",
                text(left - 8.0, at + 4.0, "text-anchor=\"end\"", &number(y))
            )
        };
        self.ys.iter().map(tick).collect()
    }

    /// Draws the names of bars, or the numbers of the x axis if there are none.
    fn x_ticks(&self) -> String {
        let size = self.name_size;
        let name = |(x, name): (usize, &String)| {
            format!(
                "<text transform=\"translate({:.1} {:.1}) rotate(-90)\" text-anchor=\"end\" \
                 font-size=\"{size:.1}\">{}</text>\n",
                self.at_x(x as f64) + size / 3.0,
                BASE + 10.0,
                escape(name)
            )
        };
        let tick = |&x: &f64| text(self.at_x(x), BASE + 18.0, MIDDLE, &number(x));
        if self.plot.names.is_empty() {
            return self.axis.ticks.iter().map(tick).collect();
        }
        self.plot.names.iter().enumerate().map(name).collect()
    }

    fn marks(&self) -> String {
        let mark = |mark: &Mark| {
            let (at, color, name) = (self.at_x(mark.x), color(mark.side), escape(&mark.name));
            format!(
                "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{TOP:.1}\" y2=\"{BASE:.1}\" \
                 stroke=\"{color}\" stroke-dasharray=\"4 3\"><title>{name}</title></line>\n"
            )
        };
        self.plot.marks.iter().map(mark).collect()
    }

    /// Draws the bars or lines.
    fn values(&self) -> String {
        match self.plot.kind {
            Kind::Bars => {
                self.plot.stacks().iter().map(|(x, parts)| self.stack(*x, parts)).collect()
            }
            Kind::Lines { .. } => self.plot.series.iter().map(|of| self.line(of)).collect(),
        }
    }

    fn stack(&self, x: f64, parts: &[f64]) -> String {
        let (mut svg, mut below, bar) = (String::new(), 0.0, 2.0 * self.half * 0.86);
        for (part, series) in parts.iter().zip(&self.plot.series).filter(|(part, _)| **part > 0.0) {
            let (low, high) = (self.at_y(below), self.at_y(below + part));
            svg += &format!(
                "<rect x=\"{:.1}\" y=\"{high:.1}\" width=\"{bar:.1}\" height=\"{:.1}\" \
                 fill=\"{}\"/>\n",
                self.at_x(x) - bar / 2.0,
                low - high,
                color(series.side)
            );
            below += part;
        }
        svg
    }

    fn line(&self, series: &Series) -> String {
        let points = self.plot.points(series);
        let points = points.map(|(x, y)| format!("{:.1},{:.1}", self.at_x(x), self.at_y(y)));
        format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
            points.collect::<Vec<_>>().join(" "),
            color(series.side)
        )
    }

    fn axis_names(&self) -> String {
        let x = text(self.left + self.width / 2.0, self.bottom - 12.0, MIDDLE, &self.plot.x);
        format!(
            "{x}<text transform=\"translate(18 {:.1}) rotate(-90)\" {MIDDLE}>{}</text>\n",
            f64::midpoint(TOP, BASE),
            escape(&self.plot.y)
        )
    }

    /// Draws the names of the series above the plot, and those of the marks in its upper left
    /// corner, which a rising line leaves free.
    fn legend(&self) -> String {
        let (mut svg, mut at) = (String::new(), self.left);
        for Series { name, side, .. } in &self.plot.series {
            svg += &format!(
                "<rect x=\"{at:.1}\" y=\"33\" width=\"12\" height=\"12\" fill=\"{}\"/>\n\
                 <text x=\"{:.1}\" y=\"44\">{}</text>\n",
                color(*side),
                at + 18.0,
                escape(name)
            );
            at += 36.0 + CHARACTER * name.chars().count() as f64;
        }
        for (row, mark) in (1..).zip(&self.plot.marks) {
            let fill = format!("fill=\"{}\"", color(mark.side));
            svg += &text(self.left + 10.0, TOP + 18.0 * f64::from(row), &fill, &mark.name);
        }
        svg
    }
}

/// Attribute of a text whose place is that of its middle.
const MIDDLE: &str = "text-anchor=\"middle\"";

fn text(x: f64, y: f64, attributes: &str, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" {attributes}>{}</text>\n", escape(text))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
