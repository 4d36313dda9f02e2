//! Plots as SVG files.

use anser_core::Side;

use super::data::{Kind, Plot, number, ticks};

const WIDTH: f64 = 760.0;
/// Height without room for names below the axis.
const HEIGHT: f64 = 440.0;
/// Margins around the axes: left, right, top, bottom.
const MARGINS: [f64; 4] = [72.0, 20.0, 56.0, 56.0];
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
    let ys = ticks(plot.y_max(), 5);
    let axis = plot.axis();
    let labels = ys.iter().map(|&y| number(y).len()).max().unwrap_or(0) as f64;
    let left = MARGINS[0].max(CHARACTER * labels + 40.0);
    let (width, height) = (WIDTH - left - MARGINS[1], HEIGHT - MARGINS[2] - MARGINS[3]);
    // Names of bars are written upward, in a size that fits the width of a bar.
    let size = (width / (axis.ends[1] + 1.0)).clamp(4.0, 13.0);
    let longest = plot.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let bottom = HEIGHT + longest as f64 * size * CHARACTER / 13.0;
    // Half the width of a bar, which extends to either side of its x.
    let half = if plot.kind == Kind::Bars { width / (axis.ends[1] + 1.0) / 2.0 } else { 0.0 };
    let y_end = ys[ys.len() - 1];
    let at_x = |x: f64| left + half + axis.share(x) * (width - 2.0 * half);
    let at_y = |y: f64| MARGINS[2] + height - y / y_end * height;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {bottom:.0}\" \
         font-family=\"sans-serif\" font-size=\"13\" role=\"img\">\n<title>{0}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{1}\" y=\"22\" font-size=\"15\">{0}</text>\n",
        escape(&plot.title),
        left,
    );
    for &y in &ys {
        let at = at_y(y);
        svg += &format!(
            "<line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
            left,
            WIDTH - MARGINS[1],
            left - 8.0,
            at + 4.0,
            number(y)
        );
    }
    for (x, name) in plot.names.iter().enumerate() {
        let (x, y) = (at_x(x as f64) + size / 3.0, HEIGHT - MARGINS[3] + 10.0);
        svg += &format!(
            "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\" text-anchor=\"end\" \
             font-size=\"{size:.1}\">{}</text>\n",
            escape(name)
        );
    }
    for &x in axis.ticks.iter().filter(|_| plot.names.is_empty()) {
        svg += &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
            at_x(x),
            HEIGHT - MARGINS[3] + 18.0,
            number(x)
        );
    }
    for mark in &plot.marks {
        let (at, color) = (at_x(mark.x), color(mark.side));
        svg += &format!(
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"{color}\" \
             stroke-dasharray=\"4 3\"><title>{}</title></line>\n",
            at_y(y_end),
            at_y(0.0),
            escape(&mark.name)
        );
    }
    match plot.kind {
        Kind::Bars => {
            let bar = 2.0 * half * 0.86;
            for (x, parts) in plot.stacks() {
                let mut below = 0.0;
                for (part, series) in
                    parts.iter().zip(&plot.series).filter(|(part, _)| **part > 0.0)
                {
                    let (low, high) = (at_y(below), at_y(below + part));
                    svg += &format!(
                        "<rect x=\"{:.1}\" y=\"{high:.1}\" width=\"{bar:.1}\" height=\"{:.1}\" \
                         fill=\"{}\"/>\n",
                        at_x(x) - bar / 2.0,
                        low - high,
                        color(series.side)
                    );
                    below += part;
                }
            }
        }
        Kind::Lines { .. } => {
            for series in &plot.series {
                let points: Vec<String> = plot
                    .points(series)
                    .map(|(x, y)| format!("{:.1},{:.1}", at_x(x), at_y(y)))
                    .collect();
                svg += &format!(
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
                    points.join(" "),
                    color(series.side)
                );
            }
        }
    }
    svg += &format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n\
         <text transform=\"translate(18 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
        left + width / 2.0,
        bottom - 12.0,
        escape(&plot.x),
        MARGINS[2] + height / 2.0,
        escape(&plot.y),
    );
    let mut at = left;
    for series in &plot.series {
        svg += &format!(
            "<rect x=\"{at:.1}\" y=\"33\" width=\"12\" height=\"12\" fill=\"{}\"/>\n\
             <text x=\"{:.1}\" y=\"44\">{}</text>\n",
            color(series.side),
            at + 18.0,
            escape(&series.name)
        );
        at += 36.0 + CHARACTER * series.name.chars().count() as f64;
    }
    // The legend of the marks is in the upper left corner, which a rising line leaves free.
    for (row, mark) in plot.marks.iter().enumerate() {
        svg += &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{}\">{}</text>\n",
            left + 10.0,
            at_y(y_end) + 18.0 + 18.0 * row as f64,
            color(mark.side),
            escape(&mark.name)
        );
    }
    svg + "</svg>\n"
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
