//! Writes the description of a game as a file.

#![expect(clippy::format_push_string, reason = "a file is written once, for a person")]

use std::fmt::Write;

use anser_core::Side;
use anser_core::hunt::{Description, Hunt, SideDescription, side_word};

use super::description::goes;

/// Words per line of a list.
const WIDTH: usize = 96;

/// Returns a file that describes a game under its rule set, to start from. `about` is one line
/// about the game.
///
/// ```
/// use anser_games::{Registry, describe};
/// let game = Registry::standard().game("hare-hounds", None)?;
/// let text = describe(&game, "Hare-and-Hounds");
/// assert!(text.starts_with("name = \"hare-hounds\"\n"));
/// # Ok::<(), anser_games::NameError>(())
/// ```
pub fn describe(game: &Hunt, about: &str) -> String {
    let description = game.description();
    let mut text = format!(
        "name = {}\nabout = {}\nrules = {}\nfirst = \"{}\"\n",
        quoted(&description.name),
        quoted(about),
        quoted(&description.rules),
        side_word(description.first_to_move)
    );
    if let Some(plies) = description.plies {
        line(&mut text, "plies", &plies.to_string());
    }
    if let Some(winner) = description.endless {
        line(&mut text, "endless", &quoted(side_word(winner)));
    }
    line(&mut text, "layers", &quoted(description.layers.word()));
    let name_of = |point: u8| description.points[usize::from(point)].name.clone();
    text += &format!("\n[board]\nword = {}\npoints = [\n", quoted(&description.point_word));
    for point in &description.points {
        text += &format!("  [{}, {}, {}],\n", quoted(&point.name), point.x, point.y);
    }
    text += "]\n";
    if !description.lines.is_empty() {
        text += "lines = [\n";
        for line in &description.lines {
            text += &format!("  {},\n", quoted(&names(description, line).join(" ")));
        }
        text += "]\n";
    }
    for side in Side::BOTH {
        side_text(&mut text, description, side);
    }
    for rule in &description.ends {
        text += &format!(
            "\n[[ends]]\nwinner = \"{}\"\nwhen = {}\ntext = {}\n",
            side_word(rule.winner),
            quoted(&rule.condition.words(name_of)),
            quoted(&rule.text)
        );
        if let Some(side) = rule.to_move {
            line(&mut text, "to-move", &quoted(side_word(side)));
        }
        if rule.after_placement {
            line(&mut text, "after-placement", "true");
        }
        if rule.except_start {
            line(&mut text, "except-start", "true");
        }
    }
    text
}

fn side_text(text: &mut String, description: &Description, side: Side) {
    let of = description.side(side);
    let [fewest, most] = of.number;
    let number = if fewest == most { most.to_string() } else { format!("[{fewest}, {most}]") };
    *text += &format!("\n[{}]\n", side_word(side));
    line(text, "name", &quoted(&of.name));
    line(text, "noun", &quoted(of.noun.word()));
    line(text, "piece", &quoted(&of.piece));
    line(text, "letter", &quoted(&of.letter.to_string()));
    line(text, "turn", &quoted(&of.turn.to_string()));
    line(text, "number", &number);
    if of.hand > 0 {
        line(text, "hand", &of.hand.to_string());
    }
    for (name, points) in [("start", &of.start), ("region", &of.region), ("order", &of.order)] {
        if !points.is_empty() {
            list(text, name, &names(description, points));
        }
    }
    moves_text(text, description, of);
    if of.chain {
        line(text, "chain", "true");
    }
    if of.compulsory {
        line(text, "compulsory", "true");
    }
}

fn moves_text(text: &mut String, description: &Description, of: &SideDescription) {
    let joined = |points: &[u8]| names(description, points).join("-");
    if let Some(short) = steps_along_lines(description, of) {
        line(text, "steps", &quoted(short));
    } else if !of.steps.is_empty() {
        list(text, "steps", &of.steps.iter().map(|step| joined(step)).collect::<Vec<_>>());
    }
    if !of.jumps.is_empty() && of.jumps == description.jumps_along_lines() {
        line(text, "jumps", &quoted("lines"));
    } else if !of.jumps.is_empty() {
        list(text, "jumps", &of.jumps.iter().map(|jump| joined(jump)).collect::<Vec<_>>());
    }
    if !of.captures.is_empty() {
        list(text, "captures", &of.captures.iter().map(|step| joined(step)).collect::<Vec<_>>());
    }
}

/// Returns the short form of steps that go along the lines.
fn steps_along_lines(description: &Description, of: &SideDescription) -> Option<&'static str> {
    let forms = ["lines", "lines up level", "lines down level", "lines up", "lines down"];
    forms.into_iter().find(|form| {
        let directions: Vec<&str> = form.split(' ').skip(1).collect();
        let along = description.steps_along_lines(|from, to| goes(&directions, from, to));
        !of.steps.is_empty() && of.steps == along
    })
}

fn names(description: &Description, points: &[u8]) -> Vec<String> {
    points.iter().map(|&point| description.points[usize::from(point)].name.clone()).collect()
}

fn line(text: &mut String, name: &str, value: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(text, "{name} = {value}");
}

/// Writes words in a string, over several lines if they are many.
fn list(text: &mut String, name: &str, words: &[String]) {
    let joined = words.join(" ");
    if name.len() + joined.len() + 5 <= WIDTH {
        return line(text, name, &quoted(&joined));
    }
    let (mut lines, mut width) = (String::new(), 0);
    for word in words {
        if width > 0 && width + 1 + word.len() > WIDTH {
            lines.push('\n');
            width = 0;
        }
        if width > 0 {
            lines.push(' ');
            width += 1;
        }
        lines += word;
        width += word.len();
    }
    *text += &format!("{name} = \"\"\"\n{lines}\"\"\"\n");
}

/// Returns a string of TOML on one line. Texts of descriptions have no other control characters.
fn quoted(text: &str) -> String {
    let escapes = [('\\', "\\\\"), ('"', "\\\""), ('\n', "\\n"), ('\r', "\\r"), ('\t', "\\t")];
    let escaped = escapes.iter().fold(text.to_owned(), |text, (c, with)| text.replace(*c, with));
    format!("\"{escaped}\"")
}
