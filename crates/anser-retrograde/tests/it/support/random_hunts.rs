//! Small hunts that nobody thought of: random descriptions with every feature and every mixture of
//! them.
#![allow(unreachable_pub)]

use std::ops::Range;

use anser_core::hunt::{
    BoardPoint, Condition, Description, EndRule, Hunt, Layering, SideDescription,
};
use anser_core::{Noun, Side};
use fastrand::Rng;

/// Greatest number of positions of a game: thousands of games take minutes.
const MOST_POSITIONS: u64 = 6000;

/// Returns the small games among random descriptions, one for each seed. The others contradict
/// themselves, or are large. Prints each game, so that a failed test ends with the one that failed.
pub fn random(seeds: Range<u64>) -> impl Iterator<Item = Description> {
    seeds.filter_map(|seed| {
        let description = of(&mut Rng::with_seed(seed));
        let game = Hunt::new(description.clone()).ok()?;
        let positions = |layer| Side::BOTH.map(|side| game.positions(layer, side));
        let all: u64 = game.layers().flat_map(positions).sum();
        ((1..=MOST_POSITIONS).contains(&all)).then(|| {
            println!("seed {seed}, {all} positions\n{description}");
            description
        })
    })
}

/// Returns a board of up to 4 x 4 points, some of which may be missing, with all straight lines and
/// perhaps diagonals.
fn board(rng: &mut Rng) -> (Vec<BoardPoint>, Vec<Vec<u8>>) {
    let (columns, rows) = (rng.i32(1..=4), rng.i32(3..=4));
    let mut places: Vec<[i32; 2]> =
        (0..rows).flat_map(|y| (0..columns).map(move |x| [x, y])).collect();
    for _ in 0..rng.u8(..=2).min(places.len() as u8 - 3) {
        places.remove(rng.usize(..places.len()));
    }
    if rng.u8(..5) == 0 {
        rng.shuffle(&mut places);
    }
    let name = |&[x, y]: &[i32; 2]| format!("{}{}", char::from(b'a' + x as u8), y + 1);
    let points =
        places.iter().map(|place| BoardPoint { name: name(place), x: place[0], y: place[1] });
    let at = |place: [i32; 2]| places.iter().position(|&it| it == place).map(|it| it as u8);
    // Of the points through which diagonals go: none, those of even color, or all.
    let diagonals = rng.i32(0..=2);
    let mut lines = Vec::new();
    for [dx, dy] in [[1, 0], [0, 1], [1, 1], [-1, 1]] {
        for &[x, y] in &places {
            let is_line =
                dx == 0 || dy == 0 || diagonals == 2 || diagonals == 1 && (x + y) % 2 == 0;
            if is_line && at([x - dx, y - dy]).is_none() {
                let line: Vec<u8> =
                    (0..).map_while(|step| at([x + step * dx, y + step * dy])).collect();
                lines.extend((line.len() > 1).then_some(line));
            }
        }
    }
    (points.collect(), lines)
}

/// Returns distinct numbers of points, at most `most`.
fn some_points(rng: &mut Rng, points: usize, most: usize) -> Vec<u8> {
    rng.choose_multiple(0..points as u8, most)
}

/// Returns pairs of points that lines need not know.
fn pairs(rng: &mut Rng, points: usize) -> Vec<[u8; 2]> {
    let count = rng.usize(1..=3 * points);
    let mut pairs: Vec<[u8; 2]> =
        (0..count).map(|_| [0; 2].map(|_| rng.u8(..points as u8))).collect();
    pairs.retain(|pair| pair[0] != pair[1]);
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

fn steps(rng: &mut Rng, description: &Description) -> Vec<[u8; 2]> {
    match rng.u8(..12) {
        0..6 => description.steps_along_lines(|_, _| true),
        6 => description.steps_along_lines(|from, to| to.y >= from.y),
        7 => description.steps_along_lines(|from, to| to.y < from.y),
        8 => description.steps_along_lines(|from, to| to.x >= from.x && to.y >= from.y),
        9 => description.steps_along_lines(|_, _| rng.u8(..5) > 0),
        10 => pairs(rng, description.points.len()),
        _ => Vec::new(),
    }
}

fn jumps(rng: &mut Rng, description: &Description) -> Vec<[u8; 3]> {
    let mut jumps = description.jumps_along_lines();
    match rng.u8(..6) {
        0..4 => {}
        4 => jumps.retain(|_| rng.u8(..5) > 0),
        _ => {
            let points = description.points.len() as u8;
            jumps =
                pairs(rng, points.into()).iter().map(|&[a, b]| [a, rng.u8(..points), b]).collect();
            jumps.retain(|&[from, over, to]| from != over && over != to);
        }
    }
    jumps
}

/// Returns an end, which says what the rest of the description allows.
fn end(rng: &mut Rng, description: &Description, text: usize) -> EndRule {
    let points = description.points.len();
    let goal = |rng: &mut Rng| {
        let most = rng.usize(1..=3);
        some_points(rng, points, most)
    };
    let few = &description.sides[0];
    let alone = few.number == [1, 1] && few.hand == 0;
    let [side, winner] = [(); 2].map(|()| Side::BOTH[rng.usize(..2)]);
    let condition = match rng.u8(..12) {
        0..3 => Condition::Blocked(side),
        3 | 4 => Condition::Fewer(side, rng.u8(1..=3)),
        5 | 6 => Condition::Reached(side, goal(rng)),
        7 => Condition::Arrived(side, goal(rng)),
        8 => Condition::Filled(side, goal(rng)),
        9 => Condition::Captured(side),
        10 if alone => Condition::Escaped,
        11 if alone => Condition::Behind(rng.u8(..3)),
        _ => Condition::Blocked(side.other()),
    };
    let end = EndRule::new(condition, winner, format!("end {text}"));
    if matches!(end.condition, Condition::Arrived(..) | Condition::Captured(_)) {
        return end;
    }
    EndRule {
        to_move: (rng.u8(..8) == 0).then(|| Side::BOTH[rng.usize(..2)]),
        after_placement: rng.u8(..10) == 0,
        except_start: rng.u8(..10) == 0,
        ..end
    }
}

/// Gives a side moves, pieces, and a start.
fn moves_and_pieces(rng: &mut Rng, description: &mut Description, kind: Kind, side: Side) {
    let count = description.points.len();
    let mut of = description.side(side).clone();
    let forward = |from: u8, to: u8| {
        let rise = description.points[usize::from(to)].y - description.points[usize::from(from)].y;
        if side == Side::First { rise > 0 } else { rise < 0 }
    };
    of.steps = steps(rng, description);
    if kind == Kind::Pawns {
        of.steps.retain(|&[from, to]| forward(from, to));
    }
    if kind == Kind::Pawns || kind == Kind::Plies && rng.bool() {
        of.captures = pairs(rng, count);
        of.captures.retain(|&[from, to]| kind == Kind::Plies || forward(from, to));
    }
    if kind == Kind::Plies && rng.bool() || kind != Kind::Pawns && side == Side::First && rng.bool()
    {
        of.jumps = jumps(rng, description);
        (of.chain, of.compulsory) = (rng.u8(..3) == 0, rng.u8(..3) == 0);
    }
    let most = if side == Side::First { 3 } else { 5 };
    let pieces = rng.u8(1..=most.min(count as u8 / 2));
    of.number = [if rng.bool() { 0 } else { rng.u8(..=pieces) }, pieces];
    if kind == Kind::Placed && (side == Side::Second || rng.u8(..4) == 0) {
        of.hand = rng.u8(1..=pieces);
        if rng.bool() {
            let most = rng.usize(1..=count);
            of.region = some_points(rng, count, most);
        }
    }
    // Nobody captures the few where pieces are placed.
    if kind == Kind::Placed && side == Side::First {
        of.number[0] = pieces;
    }
    let mut empty: Vec<u8> = (0..count as u8).collect();
    empty.retain(|point| !description.side(side.other()).start.contains(point));
    rng.shuffle(&mut empty);
    of.start = empty.split_off(empty.len() - usize::from(pieces - of.hand));
    if rng.u8(..5) == 0 {
        of.order = some_points(rng, count, count);
        rng.shuffle(&mut of.order);
    }
    description.sides[side.index()] = of;
}

/// What layers are made of decides which moves there can be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The few may jump.
    Board,
    /// The same with pieces in hand.
    Placed,
    /// Nobody jumps; steps and captures on the target lead forward.
    Pawns,
    /// Anything, with a limit of plies.
    Plies,
}

/// Returns a description, which need not make sense.
fn of(rng: &mut Rng) -> Description {
    let kind = [Kind::Board, Kind::Board, Kind::Placed, Kind::Placed, Kind::Pawns, Kind::Plies]
        [rng.usize(..6)];
    let (points, lines) = board(rng);
    let piece = |side: &str, letter: char| SideDescription {
        name: format!("{side}s"),
        noun: Noun::Plural,
        piece: side.into(),
        letter,
        turn: letter.to_ascii_lowercase(),
        ..SideDescription::default()
    };
    let mut description = Description {
        name: "random".into(),
        rules: "standard".into(),
        points,
        lines,
        point_word: "points".into(),
        sides: [piece("tiger", 'T'), piece("goat", 'g')],
        first_to_move: Side::BOTH[rng.usize(..2)],
        ends: Vec::new(),
        plies: (kind == Kind::Plies).then(|| rng.u8(1..=6)),
        endless: (rng.u8(..5) == 0).then(|| Side::BOTH[rng.usize(..2)]),
        layers: Layering::Pieces,
    };
    for side in Side::BOTH {
        moves_and_pieces(rng, &mut description, kind, side);
    }
    for text in 0..rng.usize(1..=5) {
        let end = end(rng, &description, text);
        description.ends.push(end);
    }
    // A side that can lose all pieces has lost then, as descriptions require.
    for side in Side::BOTH {
        if description.side(side).number[0] == 0 {
            let none_left = Condition::Fewer(side, 1);
            description.ends.push(EndRule::new(none_left, side.other(), "none left"));
        }
    }
    if kind == Kind::Plies {
        description.ends.push(EndRule::new(Condition::OutOfPlies, Side::First, "out of plies"));
    }
    rng.shuffle(&mut description.ends);
    description.layers = match kind {
        Kind::Board if rng.bool() && description.sides[0].jumps.is_empty() => Layering::Advance,
        Kind::Board => Layering::Pieces,
        Kind::Placed => Layering::Placement,
        Kind::Pawns => Layering::Advance,
        Kind::Plies => Layering::Plies,
    };
    description
}
