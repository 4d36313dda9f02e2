//! Checks of a description.

use std::collections::HashSet;
use std::fmt;

use crate::Side;
use crate::hunt::few_orbits::{MOST_FEW_SETS, binomial};
use crate::hunt::scheme::Scheme;
use crate::hunt::{
    Condition, Description, EndRule, LONGEST_CHAIN, Layering, MOST_POINTS, SideDescription,
    side_word,
};

/// A contradiction in a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The part of the description that is wrong.
    pub place: Place,
    /// The problem of this part.
    pub what: String,
    /// A valid form of this part.
    pub right: String,
}

/// A part of a [`Description`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// [`Description::name`].
    Name,
    /// [`Description::rules`].
    Rules,
    /// All points.
    Points,
    /// The point of a number.
    Point(usize),
    /// The line of a number.
    Line(usize),
    /// One side.
    Side(Side),
    /// A field of one side: `steps`, `jumps`, `captures`, `start`, `region`, `order`, `number`.
    Field(Side, &'static str),
    /// All ends.
    Ends,
    /// The end of a number.
    End(usize),
    /// [`Description::plies`].
    Plies,
    /// [`Description::layers`].
    Layers,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.place, self.what, self.right)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Name => f.write_str("name"),
            Place::Rules => f.write_str("rules"),
            Place::Points => f.write_str("points"),
            Place::Point(number) => write!(f, "point {}", number + 1),
            Place::Line(number) => write!(f, "line {}", number + 1),
            Place::Side(of) => f.write_str(side_word(*of)),
            Place::Field(of, field) => write!(f, "{field} of the {}", side_word(*of)),
            Place::Ends => f.write_str("ends"),
            Place::End(number) => write!(f, "end {}", number + 1),
            Place::Plies => f.write_str("plies"),
            Place::Layers => f.write_str("layers"),
        }
    }
}

impl std::error::Error for Problem {}

type Checked = Result<(), Problem>;

fn problem<T>(
    place: Place,
    what: impl Into<String>,
    right: impl Into<String>,
) -> Result<T, Problem> {
    Err(Problem { place, what: what.into(), right: right.into() })
}

/// Greatest number of pieces of a side.
const MOST_PIECES: u8 = 100;
/// Greatest number of steps, jumps, or captures of a side, and of lines.
const MOST_ENTRIES: usize = 4096;
/// Greatest number of ends.
const MOST_ENDS: usize = 64;
/// Greatest number of plies.
const MOST_PLIES: u8 = 250;
/// Greatest number of layers.
const MOST_LAYERS: usize = 4096;
/// Deviation from a straight line that is taken for rounding, as a share of its length.
const STRAIGHT: f64 = 0.05;

/// Checks a description.
pub(super) fn check(description: &Description) -> Checked {
    names(description)?;
    points(description)?;
    lines(description)?;
    for side in Side::BOTH {
        pieces(description, side)?;
    }
    for side in Side::BOTH {
        room(description, side)?;
        moves(description, side)?;
    }
    start(description)?;
    ends(description)?;
    captured(description)?;
    without_pieces(description)?;
    layers(description)
}

/// Checks that captures leave no fewer pieces than there can be.
fn captured(description: &Description) -> Checked {
    for side in Side::BOTH {
        let (of, other) = (description.side(side), side.other());
        // A capture that leaves too few ends the game, and its position is still shown.
        let fewest = description.fewest_in_play(other).saturating_sub(1);
        let captures = !of.jumps.is_empty() || !of.captures.is_empty();
        if captures && fewest < description.side(other).number[0] {
            return problem(
                Place::Field(other, "number"),
                "captures can leave fewer pieces than the least number",
                "lower the least number, or end the game while there are more",
            );
        }
    }
    Ok(())
}

/// Checks that the game is over when a side that can lose all pieces is to move without any. It
/// would pass, and no position has a side that moved last without a piece.
fn without_pieces(description: &Description) -> Checked {
    for side in Side::BOTH {
        let all_placed = description.side(side.other()).hand == 0;
        // A capture ends the game by the move: it does not say how a position without a piece ends.
        let decides = |rule: &EndRule| match rule.condition {
            Condition::Blocked(of) | Condition::Fewer(of, _) => {
                of == side
                    && rule.to_move.is_none_or(|to_move| to_move == side)
                    && (!rule.after_placement || all_placed)
            }
            _ => false,
        };
        if description.side(side).number[0] == 0 && !description.ends.iter().any(decides) {
            return problem(
                Place::Field(side, "number"),
                "no end says who has won when no piece is left",
                format!("add one, as: fewer {} 1; or raise the least number", side_word(side)),
            );
        }
    }
    Ok(())
}

fn names(description: &Description) -> Checked {
    let plain =
        |c: char, others: &str| c.is_ascii_lowercase() || c.is_ascii_digit() || others.contains(c);
    let name = &description.name;
    if name.is_empty() || name.len() > 31 || !name.chars().all(|c| plain(c, "-:")) {
        return problem(
            Place::Name,
            format!("{name:?} is no name of a game"),
            "a name has 1 to 31 lower-case letters, digits, and hyphens, as my-hunt",
        );
    }
    let rules = &description.rules;
    if rules.is_empty() || rules.len() > 63 || !rules.chars().all(|c| plain(c, "-+")) {
        return problem(
            Place::Rules,
            format!("{rules:?} is no id of a rule set"),
            "an id has 1 to 63 lower-case letters, digits, and hyphens, as standard",
        );
    }
    let word = &description.point_word;
    if !is_text(word) {
        return problem(Place::Points, format!("{word:?} is no word"), "as points, or squares");
    }
    Ok(())
}

/// Words that stand beside the names of sides in answers and options.
const NO_SIDES: [&str; 3] = ["draw", "both", "left"];

/// Whether a text may be shown: short, and without control characters.
fn is_text(text: &str) -> bool {
    !text.is_empty() && text.chars().count() <= 60 && !text.chars().any(char::is_control)
}

fn points(description: &Description) -> Checked {
    let count = description.points.len();
    if !(2..=MOST_POINTS).contains(&count) {
        return problem(
            Place::Points,
            format!("there are {count} points"),
            format!("a board has 2 to {MOST_POINTS} points"),
        );
    }
    let (mut names, mut places) = (HashSet::new(), HashSet::new());
    for (number, point) in description.points.iter().enumerate() {
        let name = &point.name;
        let place = Place::Point(number);
        if name.is_empty() || name.len() > 15 || !name.chars().all(|c| c.is_ascii_alphanumeric()) {
            return problem(
                place,
                format!("{name:?} is no name of a point"),
                "a name has 1 to 15 letters and digits, as d4",
            );
        }
        if name == "pass" || name.chars().any(|c| c == 'x') {
            return problem(
                place,
                format!("a point cannot be called {name}"),
                "x stands between the points of a capture, and pass is a move",
            );
        }
        if !names.insert(name) {
            return problem(place, format!("a second point is called {name}"), "names differ");
        }
        if point.x.abs().max(point.y.abs()) > 100_000 {
            let right = "coordinates are at most 100000";
            return problem(place, format!("{name} is far away"), right);
        }
        if !places.insert((point.x, point.y)) {
            return problem(
                place,
                format!("{name} has the coordinates of another point"),
                "each point has its own place",
            );
        }
    }
    Ok(())
}

/// Checks that numbers of points exist.
fn exist(description: &Description, place: Place, points: &[u8]) -> Checked {
    let count = description.points.len();
    match points.iter().find(|&&point| usize::from(point) >= count) {
        None => Ok(()),
        Some(point) => problem(
            place,
            format!("there is no point number {point}"),
            format!("points are numbered 0 to {}", count - 1),
        ),
    }
}

fn few_enough(place: Place, count: usize) -> Checked {
    if count > MOST_ENTRIES {
        return problem(
            place,
            format!("there are {count} of them"),
            format!("at most {MOST_ENTRIES} are allowed"),
        );
    }
    Ok(())
}

fn lines(description: &Description) -> Checked {
    few_enough(Place::Line(0), description.lines.len())?;
    for (number, line) in description.lines.iter().enumerate() {
        let place = Place::Line(number);
        exist(description, place, line)?;
        if line.len() < 2 || line.len() > MOST_POINTS {
            let what = format!("it has {} of the points", line.len());
            return problem(place, what, "a line goes through two points or more");
        }
        let at = |point: u8| {
            let point = &description.points[usize::from(point)];
            (f64::from(point.x), f64::from(point.y))
        };
        let name = |point: u8| &description.points[usize::from(point)].name;
        let (first, last) = (at(line[0]), at(line[line.len() - 1]));
        let along = (last.0 - first.0, last.1 - first.1);
        let length = along.0.hypot(along.1);
        let (mut before, mut last_point) = (-1.0, line[0]);
        for &point in line {
            let to = (at(point).0 - first.0, at(point).1 - first.1);
            let beside = (along.0 * to.1 - along.1 * to.0).abs() / length;
            let reached = (along.0 * to.0 + along.1 * to.1) / length;
            if !(beside <= STRAIGHT * length && reached > before) {
                return problem(
                    place,
                    format!(
                        "it is not straight: {} does not follow {} on the way from {} to {}",
                        name(point),
                        name(last_point),
                        name(line[0]),
                        name(line[line.len() - 1])
                    ),
                    "a line names its points in their order on it, and bends nowhere; write two \
                     lines for a bent one",
                );
            }
            (before, last_point) = (reached, point);
        }
    }
    Ok(())
}

fn pieces(description: &Description, side: Side) -> Checked {
    let of = description.side(side);
    let place = Place::Side(side);
    for text in [&of.name, &of.piece] {
        if !is_text(text) {
            return problem(place, format!("{text:?} is no name"), "as fox, or hounds");
        }
    }
    if NO_SIDES.contains(&&*of.name) || of.name.contains([',', '=']) {
        return problem(
            place,
            format!("{:?} is no name of a side", of.name),
            format!("a name has no comma and no =, and is none of {}", NO_SIDES.join(", ")),
        );
    }
    let other = description.side(side.other());
    if of.name == other.name {
        return problem(
            Place::Side(Side::Second),
            format!("both sides are called {:?}", of.name),
            "answers tell the sides apart by their names, as tiger and goats",
        );
    }
    let upper = side == Side::First;
    let right_case =
        if upper { of.letter.is_ascii_uppercase() } else { of.letter.is_ascii_lowercase() };
    if !right_case {
        return problem(
            place,
            format!("{:?} is no letter of its pieces", of.letter),
            "choose a letter from A to Z for the few, from a to z for the many",
        );
    }
    if !of.turn.is_ascii_lowercase() || of.turn == other.turn {
        return problem(
            place,
            format!("{:?} cannot stand for the side to move", of.turn),
            "each side has a lower-case letter of its own for its turn",
        );
    }
    let [fewest, most] = of.number;
    if fewest > most || most == 0 || most > MOST_PIECES {
        return problem(
            Place::Field(side, "number"),
            format!("{fewest} to {most} pieces"),
            format!("a side has 1 to {MOST_PIECES} pieces, the lesser number first"),
        );
    }
    Ok(())
}

/// Checks that the pieces of a side fit on the board beside those of the other.
fn room(description: &Description, side: Side) -> Checked {
    let (most, beside) =
        (description.side(side).number[1], description.side(side.other()).number[0]);
    let room = description.points.len().saturating_sub(beside.into());
    if usize::from(most) > room + usize::from(description.side(side).hand) {
        let pieces =
            if most == 1 { "1 piece does".to_owned() } else { format!("{most} pieces do") };
        return problem(
            Place::Field(side, "number"),
            format!("{pieces} not fit on the board beside {beside} of the other side"),
            format!("{room} {}", if room == 1 { "does" } else { "do" }),
        );
    }
    Ok(())
}

fn moves(description: &Description, side: Side) -> Checked {
    let of = description.side(side);
    for (field, points) in [("start", &of.start), ("region", &of.region), ("order", &of.order)] {
        let place = Place::Field(side, field);
        exist(description, place, points)?;
        let distinct: HashSet<u8> = points.iter().copied().collect();
        if distinct.len() < points.len() {
            return problem(place, "a point is named twice", "each point once");
        }
    }
    if !of.order.is_empty() && of.order.len() < description.points.len() {
        let what = format!("{} of {} points", of.order.len(), description.points.len());
        return problem(Place::Field(side, "order"), what, "an order names all points");
    }
    pairs(description, side, "steps", &of.steps)?;
    pairs(description, side, "captures", &of.captures)?;
    jumps(description, side, of)
}

fn pairs(description: &Description, side: Side, field: &'static str, moves: &[[u8; 2]]) -> Checked {
    let place = Place::Field(side, field);
    few_enough(place, moves.len())?;
    let mut seen = HashSet::new();
    for pair in moves {
        exist(description, place, pair)?;
        let names = pair.map(|point| &description.points[usize::from(point)].name);
        if pair[0] == pair[1] || !seen.insert(pair) {
            let what = format!("{}-{} is there twice, or goes nowhere", names[0], names[1]);
            return problem(place, what, "each goes from a point to another, once");
        }
    }
    Ok(())
}

fn jumps(description: &Description, side: Side, of: &SideDescription) -> Checked {
    let place = Place::Field(side, "jumps");
    few_enough(place, of.jumps.len())?;
    let mut seen = HashSet::new();
    for jump in &of.jumps {
        exist(description, place, jump)?;
        let [from, over, to] = jump.map(|point| &description.points[usize::from(point)].name);
        if from == over || over == to || from == to {
            return problem(
                place,
                format!("the jump {from}, {over}, {to} has no middle"),
                "a jump names three points: from, over, to",
            );
        }
        if !seen.insert((jump[0], jump[2])) {
            return problem(
                place,
                format!("a second jump goes from {from} to {to}"),
                "one jump leads from a point to another",
            );
        }
    }
    let most = usize::from(description.side(side.other()).number[1]);
    let kept = usize::from(description.fewest_in_play(side.other())).saturating_sub(1);
    let captured = most.saturating_sub(kept);
    if of.chain && captured > LONGEST_CHAIN {
        return problem(
            place,
            format!("a chain could capture {captured} pieces"),
            format!("a chain has at most {LONGEST_CHAIN} jumps; end the game while more are left"),
        );
    }
    Ok(())
}

fn start(description: &Description) -> Checked {
    let [few, many] = &description.sides;
    if let Some(point) = few.start.iter().find(|point| many.start.contains(point)) {
        let name = &description.points[usize::from(*point)].name;
        return problem(
            Place::Field(Side::Second, "start"),
            format!("two pieces start on {name}"),
            "each point has one piece at most",
        );
    }
    for side in Side::BOTH {
        let of = description.side(side);
        let there = of.start.len() + usize::from(of.hand);
        let [fewest, most] = of.number.map(usize::from);
        if !(fewest..=most).contains(&there) {
            return problem(
                Place::Field(side, "start"),
                format!("{there} pieces start"),
                format!("the number of pieces is {fewest} to {most}"),
            );
        }
        if description.fewest_in_play(side) > of.number[1] {
            return problem(
                Place::Field(side, "number"),
                format!("with at most {most} pieces the game is over before the start"),
                "a greater number, or another end",
            );
        }
        if of.hand > 0 && there != most {
            return problem(
                Place::Field(side, "number"),
                format!("{there} pieces start, and there can be {most}"),
                "with pieces in hand, all pieces are there at the start",
            );
        }
    }
    Ok(())
}

fn ends(description: &Description) -> Checked {
    if description.ends.len() > MOST_ENDS {
        let what = format!("there are {} ends", description.ends.len());
        return problem(Place::Ends, what, format!("at most {MOST_ENDS} are allowed"));
    }
    let single = description.sides[0].number == [1, 1] && description.sides[0].hand == 0;
    for (number, rule) in description.ends.iter().enumerate() {
        let place = Place::End(number);
        exist(description, place, rule.condition.points())?;
        if !is_text(&rule.text) {
            let what = format!("{:?} is no reason", rule.text);
            return problem(place, what, "a reason has a few words, as: escaped");
        }
        match &rule.condition {
            Condition::Escaped | Condition::Behind(_) if !single => {
                return problem(
                    place,
                    "it is about the only piece of the few",
                    "the few have one piece, on the board from the start",
                );
            }
            Condition::OutOfPlies if description.plies.is_none() => {
                return problem(place, "plies are not limited", "add the number of plies");
            }
            Condition::Arrived(..) | Condition::Captured(_) if !rule.is_plain() => {
                return problem(
                    place,
                    "a capture or an arrival ends the game at any time, whoever is to move then",
                    "leave out to-move, after-placement, and except-start",
                );
            }
            Condition::Arrived(side, points) if over_at_start(description, *side, points) => {
                return problem(
                    place,
                    "the game would be over before the start",
                    "no piece of the side that moves first starts there, nor two of the other side",
                );
            }
            Condition::Fewer(_, 0) => {
                return problem(place, "nobody has fewer than 0 pieces", "a number from 1");
            }
            condition
                if matches!(
                    condition,
                    Condition::Reached(..) | Condition::Arrived(..) | Condition::Filled(..)
                ) && condition.points().is_empty() =>
            {
                return problem(place, "it names no point", "it names the points to reach");
            }
            _ => {}
        }
    }
    let has_out_of_plies = |side| {
        let holds_for = |rule: &EndRule| {
            rule.condition == Condition::OutOfPlies
                && rule.to_move.is_none_or(|to_move| to_move == side)
        };
        description.ends.iter().any(holds_for)
    };
    let open = Side::BOTH.into_iter().filter(|&side| !has_out_of_plies(side)).collect::<Vec<_>>();
    match description.plies {
        Some(plies) if plies == 0 || plies > MOST_PLIES => {
            problem(Place::Plies, format!("{plies} plies"), format!("1 to {MOST_PLIES} plies"))
        }
        Some(_) if !open.is_empty() => {
            let right = "add one with the condition out-of-plies";
            let what = "no end says who has won when no plies are left";
            match open[..] {
                [side] => problem(
                    Place::Ends,
                    format!("{what} and the {} are to move", side_word(side)),
                    format!("{right} for this side, or one without to-move"),
                ),
                _ => problem(Place::Ends, what, right),
            }
        }
        _ if description.ends.is_empty() => problem(
            Place::Ends,
            "the game cannot end",
            "add an end, as: a side that is blocked has lost",
        ),
        _ => Ok(()),
    }
}

/// Whether pieces of a side start on points whose arrival ended the game before the start.
fn over_at_start(description: &Description, side: Side, points: &[u8]) -> bool {
    let of = description.side(side);
    let there = of.start.iter().filter(|point| points.contains(point)).count();
    there > usize::from(description.first_to_move != side)
}

fn layers(description: &Description) -> Checked {
    let [few, many] = &description.sides;
    let in_hand = few.hand > 0 || many.hand > 0;
    let wrong = |what: &str, right: &str| problem(Place::Layers, what, right);
    if in_hand && description.plies.is_some() {
        let what = "pieces in hand and a limit of plies do not go together";
        return problem(Place::Plies, what, "leave out the limit, or start with all pieces placed");
    }
    // Who captures otherwise than the few by jumps.
    let others = Side::BOTH.into_iter().find_map(|side| {
        let SideDescription { captures, jumps, .. } = description.side(side);
        match (captures.is_empty(), jumps.is_empty() || side == Side::First) {
            (false, _) => Some(Place::Field(side, "captures")),
            (_, false) => Some(Place::Field(side, "jumps")),
            _ => None,
        }
    });
    match (in_hand, description.layers == Layering::Placement) {
        (true, false) => {
            let right = "choose layers by placement, or start with all pieces placed";
            return wrong("pieces in hand need layers by placement", right);
        }
        (false, true) => {
            let right = if description.plies.is_some() {
                "choose layers by plies"
            } else {
                "choose other layers, or give a side a hand"
            };
            return wrong("layers by placement need pieces in hand", right);
        }
        _ => {}
    }
    match (description.plies.is_some(), description.layers == Layering::Plies) {
        (true, false) => {
            let right = if others.is_some() {
                "choose layers by plies"
            } else {
                "choose layers by plies, or leave out the limit"
            };
            return wrong("a limit of plies needs layers by plies", right);
        }
        (false, true) => {
            let right = "choose other layers, or limit the plies, as plies = 100";
            return wrong("layers by plies need a limit of plies", right);
        }
        _ => {}
    }
    let jumps = !few.jumps.is_empty() || !many.jumps.is_empty();
    let captures = !few.captures.is_empty() || !many.captures.is_empty();
    match (description.layers, others) {
        (Layering::Placement, Some(place)) => problem(
            place,
            "with pieces in hand only the few capture, by jumps",
            "leave out other captures, or start with all pieces placed",
        ),
        (Layering::Pieces, Some(place)) => problem(
            place,
            "in layers by pieces only the few capture, by jumps",
            if jumps {
                "limit the plies, as plies = 100, with layers by plies"
            } else {
                "limit the plies, as plies = 100, with layers by plies; for captures that only go \
                 forward, choose layers by advance"
            },
        ),
        (Layering::Advance, _) if jumps => wrong(
            "in layers by advance nobody jumps",
            if others.is_some() {
                "limit the plies, as plies = 100, with layers by plies"
            } else {
                "choose layers by pieces, or limit the plies"
            },
        ),
        (Layering::Placement, _) if few.number[0] < few.number[1] => problem(
            Place::Field(Side::First, "number"),
            "where pieces are placed nobody captures the few, so that their number stays",
            format!("the least number is the greatest, {}", few.number[1]),
        ),
        (Layering::Advance, _) if captures && !captures_advance(description) => wrong(
            "in layers by advance a capture has to go forward",
            "choose captures that no steps can take back, or limit the plies",
        ),
        _ => Ok(()),
    }
}

/// Whether each capture on the target lowers the height of the piece that captures.
fn captures_advance(description: &Description) -> bool {
    Side::BOTH.into_iter().all(|side| {
        let heights = super::rules::Mover::new(description, side).heights;
        let captures = &description.side(side).captures;
        captures.iter().all(|&[from, to]| heights[usize::from(from)] > heights[usize::from(to)])
    })
}

/// Checks that tables of the general numbering fit into the memory.
pub(super) fn sizes(description: &Description, scheme: Scheme) -> Checked {
    if !matches!(scheme, Scheme::General) {
        return Ok(());
    }
    let points = description.points.len();
    let few = &description.sides[0];
    let sets = |number: u8| binomial(points, number.into());
    // The number of pieces includes those in hand.
    let on_board = few.number[0].saturating_sub(few.hand)..=few.number[1];
    let most_sets = on_board.map(sets).max().unwrap_or(0);
    if most_sets > MOST_FEW_SETS {
        return problem(
            Place::Field(Side::First, "number"),
            format!("the few can stand in {most_sets} ways"),
            format!("at most {MOST_FEW_SETS}; let the side with fewer pieces be the few"),
        );
    }
    let many = &description.sides[1];
    let ways = (many.number[0].saturating_sub(many.hand)..=many.number[1])
        .map(|number| u128::from(binomial(points, number.into())))
        .sum::<u128>()
        * u128::from(most_sets);
    if ways >= 1 << 62 {
        return problem(
            Place::Field(Side::Second, "number"),
            "there are more than 10^18 positions",
            "fewer pieces, or a smaller board",
        );
    }
    if description.layers == Layering::Advance {
        let entries = (points + 1) * (usize::from(many.number[1]) + 1) * (points * 40);
        if most_sets.saturating_mul(entries as u64) > 1 << 27 {
            return problem(
                Place::Layers,
                "layers by advance would take too much memory",
                "choose layers by pieces",
            );
        }
    }
    let layers = match description.layers {
        Layering::Placement => {
            (usize::from(many.number[1]) + 1).pow(2) * (usize::from(few.number[1]) + 1)
        }
        _ => 0,
    };
    if layers > MOST_LAYERS {
        return problem(
            Place::Layers,
            format!("{layers} layers"),
            format!("at most {MOST_LAYERS}"),
        );
    }
    Ok(())
}
