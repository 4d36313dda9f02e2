//! Boards as SVG pictures.

use std::fmt::Write;

use anser_core::Side;
use anser_games::Position;

/// Distance of neighboring points.
const STEP: usize = 40;
/// Room around the outermost points, for squares and names.
const MARGIN: usize = 36;

/// Draws the board of a position.
pub(crate) fn svg(position: &Position) -> String {
    let picture = position.picture();
    let columns = picture.points.iter().map(|point| point.x).max().unwrap_or(0);
    let rows = picture.points.iter().map(|point| point.y).max().unwrap_or(0);
    let (width, height) = (2 * MARGIN + columns * STEP, 2 * MARGIN + rows * STEP);
    let at = |x: usize, y: usize| (MARGIN + x * STEP, MARGIN + (rows - y) * STEP);
    let mut svg = head(width, height, &position.to_string());
    if picture.lines.is_empty() {
        for point in &picture.points {
            let (x, y) = at(point.x, point.y);
            let shade = if (point.x + point.y).is_multiple_of(2) { "#e8e0d0" } else { "#d8ccb4" };
            let _ = write!(
                svg,
                "<rect x=\"{}\" y=\"{}\" width=\"{STEP}\" height=\"{STEP}\" \
                 fill=\"{shade}\" stroke=\"{LINE}\"/>",
                x - STEP / 2,
                y - STEP / 2
            );
        }
    }
    for &[from, to] in &picture.lines {
        let [(x1, y1), (x2, y2)] =
            [from, to].map(|end| at(picture.points[end].x, picture.points[end].y));
        let _ = write!(svg, r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{LINE}"/>"#);
    }
    for point in &picture.points {
        let (x, y) = at(point.x, point.y);
        match point.piece {
            Some((side, letter)) => {
                let (fill, ink) = match side {
                    Side::First => ("#c0562f", "#fff"),
                    Side::Second => ("#fff", "#222"),
                };
                let _ = write!(
                    svg,
                    r##"<circle cx="{x}" cy="{y}" r="14" fill="{fill}" stroke="#222"/>"##
                );
                text(&mut svg, (x, y + 5), ink, &letter.to_string());
            }
            None if !picture.lines.is_empty() => {
                let _ = write!(svg, r#"<circle cx="{x}" cy="{y}" r="3" fill="{LINE}"/>"#);
            }
            None => {}
        }
        if let Some(name) = &point.name {
            text(&mut svg, (x + 15, y + 22), FAINT, name);
        }
    }
    for (x, name) in picture.columns.iter().enumerate() {
        text(&mut svg, (at(x, 0).0, height - 3), FAINT, name);
    }
    for (y, name) in picture.rows.iter().enumerate() {
        text(&mut svg, (8, at(0, y).1 + 5), FAINT, name);
    }
    let to_move = position.game().side_name(position.side_to_move());
    text(&mut svg, (width / 2, 11), FAINT, &format!("{to_move} to move"));
    svg + "</svg>"
}

const LINE: &str = "#8a7f6d";
const FAINT: &str = "#6b6355";

fn head(width: usize, height: usize, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\" \
         text-anchor=\"middle\"><title>{title}</title>\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#faf7f0\"/>"
    )
}

fn text(svg: &mut String, (x, y): (usize, usize), fill: &str, words: &str) {
    let _ = write!(svg, r#"<text x="{x}" y="{y}" fill="{fill}">{words}</text>"#);
}
