//! A plot as an SVG file.

use super::{Kind, Plot, short, ticks};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
/// Around the axes: left, right, top, bottom.
const MARGINS: [f64; 4] = [72.0, 20.0, 56.0, 56.0];
/// Colours that people with any kind of sight can tell apart (Okabe and Ito, 2008).
const COLOURS: [&str; 6] = ["#D55E00", "#0072B2", "#009E73", "#E69F00", "#CC79A7", "#56B4E9"];

pub(super) fn svg(plot: &Plot) -> String {
    let ys = ticks(plot.y_max(), 5);
    let xs = ticks(plot.x_max(), 8);
    // Bars need room on either side of their place.
    let half = if plot.kind == Kind::Bars { 0.5 } else { 0.0 };
    let x_end = if plot.kind == Kind::Bars { plot.x_max() } else { xs[xs.len() - 1] };
    let (width, height) = (WIDTH - MARGINS[0] - MARGINS[1], HEIGHT - MARGINS[2] - MARGINS[3]);
    let y_end = ys[ys.len() - 1];
    let at_x = |x: f64| MARGINS[0] + (x + half) / (x_end + 2.0 * half).max(f64::MIN_POSITIVE) * width;
    let at_y = |y: f64| MARGINS[2] + height - y / y_end * height;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"13\" role=\"img\">\n<title>{0}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{1}\" y=\"22\" font-size=\"15\">{0}</text>\n",
        escape(&plot.title),
        MARGINS[0],
    );
    for &y in &ys {
        let at = at_y(y);
        svg += &format!(
            "<line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
            MARGINS[0],
            WIDTH - MARGINS[1],
            MARGINS[0] - 8.0,
            at + 4.0,
            short(y)
        );
    }
    for &x in xs.iter().filter(|&&x| x <= x_end) {
        svg += &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
            at_x(x),
            HEIGHT - MARGINS[3] + 18.0,
            short(x)
        );
    }
    match plot.kind {
        Kind::Bars => {
            let bar = (at_x(1.0) - at_x(0.0)) * 0.86;
            for (x, parts) in plot.stacks() {
                let mut below = 0.0;
                for (part, colour) in parts.iter().zip(COLOURS.iter().cycle()).filter(|(part, _)| **part > 0.0) {
                    let (low, high) = (at_y(below), at_y(below + part));
                    svg += &format!(
                        "<rect x=\"{:.1}\" y=\"{high:.1}\" width=\"{bar:.1}\" height=\"{:.1}\" fill=\"{colour}\"/>\n",
                        at_x(x) - bar / 2.0,
                        low - high
                    );
                    below += part;
                }
            }
        }
        Kind::Lines => {
            for (series, colour) in plot.series.iter().zip(COLOURS.iter().cycle()) {
                let points: Vec<String> =
                    series.points.iter().map(|&(x, y)| format!("{:.1},{:.1}", at_x(x), at_y(y))).collect();
                svg += &format!(
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n",
                    points.join(" ")
                );
            }
        }
    }
    svg += &format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n\
         <text transform=\"translate(18 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
        MARGINS[0] + width / 2.0,
        HEIGHT - 12.0,
        escape(&plot.x),
        MARGINS[2] + height / 2.0,
        escape(&plot.y),
    );
    let mut at = MARGINS[0];
    for (series, colour) in plot.series.iter().zip(COLOURS.iter().cycle()) {
        svg += &format!(
            "<rect x=\"{at:.1}\" y=\"33\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\n\
             <text x=\"{:.1}\" y=\"44\">{}</text>\n",
            at + 18.0,
            escape(&series.name)
        );
        at += 36.0 + 7.5 * series.name.chars().count() as f64;
    }
    svg + "</svg>\n"
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
