//! The descriptions that the parts of a file make.

use std::ops::Range;

use anser_core::hunt::{
    BoardPoint, Condition, Description, EndRule, Layering, Place, SideDescription,
};
use anser_core::{BLOCKED, Noun, Side};
use toml::Spanned;

use super::error::FileError;
use super::parse::Source;
use super::schema::{File, GivenEnd, GivenSide, Number, Point};

impl File {
    /// Returns the description of a rule set.
    pub(super) fn description(
        &self,
        source: &Source<'_>,
        id: &str,
    ) -> Result<Description, FileError> {
        let rules = self.with_rules(source, id)?;
        let board = rules.board.get_ref();
        let points = board.points.get_ref().iter().map(|point| {
            let Point(name, x, y, more) = point.get_ref().clone();
            match more {
                None => Ok(BoardPoint { name, x, y }),
                Some(more) => source.fail(
                    more.span().start,
                    "the point has more than two coordinates",
                    "a point is its name, and its coordinates, as [\"a1\", 0, 0]",
                ),
            }
        });
        let points = points.collect::<Result<Vec<_>, _>>()?;
        if points.len() > anser_core::hunt::MOST_POINTS {
            return source.fail(
                board.points.span().start,
                format!("the board has {} points", points.len()),
                format!("at most {}", anser_core::hunt::MOST_POINTS),
            );
        }
        // Lines would name the point that is missing.
        for (number, BoardPoint { name, .. }) in points.iter().enumerate() {
            if points[..number].iter().any(|other| other.name == *name) {
                let at = board.points.get_ref()[number].span().start;
                return source.fail(at, format!("a second point is called {name}"), "names differ");
            }
        }
        let first_to_move = match &rules.first {
            None => Side::First,
            Some(first) => source.side(first.span().start, first.get_ref())?,
        };
        let lines = board.lines.iter().flatten();
        let lines = lines.map(|line| source.points(&points, line)).collect::<Result<_, _>>()?;
        let mut description = Description {
            name: self.name().to_owned(),
            rules: id.to_owned(),
            points,
            lines,
            point_word: board.word.clone().unwrap_or_else(|| "points".into()),
            sides: Default::default(),
            first_to_move,
            ends: Vec::new(),
            plies: rules.plies.as_ref().map(|plies| *plies.get_ref()),
            endless: endless(source, rules.endless.as_ref())?,
            layers: Layering::Advance,
        };
        for side in Side::BOTH {
            let given = rules.side(side);
            description.sides[side.index()] = side_of(source, &description, side, given)?;
        }
        description.ends = match &rules.ends {
            Some(ends) => ends
                .get_ref()
                .iter()
                .map(|end| end_of(source, &description.points, end.get_ref()))
                .collect::<Result<_, _>>()?,
            None => Side::BOTH
                .map(|side| EndRule::new(Condition::Blocked(side), side.other(), BLOCKED))
                .into(),
        };
        description.layers = layering(source, &rules, &description)?;
        Ok(description)
    }

    /// Returns where in the file a part of a rule set's description is.
    pub(super) fn place(&self, id: &str, place: Place) -> usize {
        let start = |span: Range<usize>| span.start;
        let source = Source { path: "".as_ref(), text: "" };
        let Ok(rules) = self.with_rules(&source, id) else { return 0 };
        let board = rules.board.get_ref();
        let of_board = start(rules.board.span());
        match place {
            Place::Name => start(self.name.span()),
            Place::Rules => self.place_of_id(id),
            Place::Points => start(board.points.span()),
            Place::Point(number) => {
                board.points.get_ref().get(number).map_or(of_board, |point| start(point.span()))
            }
            Place::Line(number) => {
                let line = board.lines.as_ref().and_then(|lines| lines.get(number));
                line.map_or(of_board, |line| start(line.span()))
            }
            Place::Side(side) => start(rules.side(side).span()),
            Place::Field(side, field) => {
                let given = rules.side(side);
                given.get_ref().field(field).unwrap_or_else(|| start(given.span()))
            }
            Place::Ends => rules.ends.as_ref().map_or(0, |ends| start(ends.span())),
            Place::End(number) => {
                let end = rules.ends.as_ref().and_then(|ends| ends.get_ref().get(number));
                end.map_or(0, |end| start(end.span()))
            }
            Place::Plies => rules.plies.as_ref().map_or(0, |plies| start(plies.span())),
            Place::Layers => rules.layers.as_ref().map_or(0, |layers| start(layers.span())),
        }
    }
}

/// Returns one side of a description whose board is known.
fn side_of(
    source: &Source<'_>,
    description: &Description,
    side: Side,
    given: &Spanned<GivenSide>,
) -> Result<SideDescription, FileError> {
    let (points, whole) = (&description.points[..], given.span().start);
    let given = given.get_ref();
    let of_points = |string: &Option<Spanned<String>>| match string {
        None => Ok(Vec::new()),
        Some(string) => source.points(points, string),
    };
    let start = of_points(&given.start)?;
    let hand = given.hand.as_ref().map_or(0, |hand| *hand.get_ref());
    let there = (start.len() as u8).saturating_add(hand);
    let number = match given.number.as_ref().map(|number| *number.get_ref()) {
        None => [there, there],
        Some(Number::One(number)) => [number, number],
        Some(Number::Range(range)) => range,
    };
    let Some(name) = given.name.clone() else {
        let right = "give each side a name, the letter of its pieces, and that of its turn: \
                     name = \"tigers\", letter = \"T\", turn = \"t\"";
        return source.fail(whole, "the side has no name", right);
    };
    let letter = one_letter(source, whole, given.letter.as_ref(), "letter", || {
        let letter = name.chars().next().unwrap_or('x');
        if side == Side::First { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
    })?;
    let turn =
        one_letter(source, whole, given.turn.as_ref(), "turn", || letter.to_ascii_lowercase())?;
    let noun = noun_of(source, given, number)?;
    let piece = given.piece.clone().unwrap_or_else(|| match noun {
        Noun::Plural => name.strip_suffix('s').unwrap_or(&name).to_owned(),
        Noun::Singular | Noun::Name => name.clone(),
    });
    Ok(SideDescription {
        noun,
        piece,
        letter,
        turn,
        number,
        start,
        hand,
        region: region(source, points, given.region.as_ref())?,
        order: of_points(&given.order)?,
        steps: steps(source, description, given.steps.as_ref())?,
        jumps: jumps(source, description, given.jumps.as_ref())?,
        captures: match &given.captures {
            None => Vec::new(),
            Some(captures) => source.tuples(
                points,
                captures,
                "a capture on the target goes from a point to another, as a1-b2",
            )?,
        },
        chain: given.chain.unwrap_or(false),
        compulsory: given.compulsory.unwrap_or(false),
        name,
    })
}

/// Returns the kind of a side's name: as the file says, or what suits the number of its pieces.
fn noun_of(source: &Source<'_>, given: &GivenSide, number: [u8; 2]) -> Result<Noun, FileError> {
    match &given.noun {
        None if number == [1, 1] => Ok(Noun::Singular),
        None => Ok(Noun::Plural),
        Some(noun) => Noun::of_word(noun.get_ref()).ok_or_else(|| {
            source.error(
                noun.span().start,
                format!("{:?} is no kind of name", noun.get_ref()),
                "write singular (the fox), plural (the geese), or name (White)",
            )
        }),
    }
}

fn one_letter(
    source: &Source<'_>,
    whole: usize,
    given: Option<&Spanned<String>>,
    what: &str,
    usual: impl FnOnce() -> char,
) -> Result<char, FileError> {
    let Some(given) = given else { return Ok(usual()) };
    let mut chars = given.get_ref().chars();
    match (chars.next(), chars.next()) {
        (Some(letter), None) => Ok(letter),
        _ => source.fail(
            given.span().start.max(whole),
            format!("{:?} is no letter", given.get_ref()),
            format!("one letter, as {what} = \"g\""),
        ),
    }
}

/// Returns the steps: along the lines of the board, in some directions if they are named, or those
/// that are listed.
fn steps(
    source: &Source<'_>,
    description: &Description,
    given: Option<&Spanned<String>>,
) -> Result<Vec<[u8; 2]>, FileError> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let mut words = source.words(given).peekable();
    if words.next_if(|&(_, word)| word == "lines").is_none() {
        let right = "a step goes from a point to another, as a1-b2; or write lines, for steps \
                     along the lines";
        return source.tuples(&description.points, given, right);
    }
    let mut directions = Vec::new();
    for (at, word) in words {
        if !DIRECTIONS.as_flattened().contains(&word) {
            return source.fail(
                at,
                format!("{word:?} is no direction"),
                "after lines, the directions that are allowed: up, level, down; left, upright, \
                 right; none for all",
            );
        }
        directions.push(word);
    }
    Ok(description.steps_along_lines(|from, to| goes(&directions, from, to)))
}

/// The words for the directions of a step: vertical and horizontal ones.
const DIRECTIONS: [[&str; 3]; 2] = [["down", "level", "up"], ["left", "upright", "right"]];

/// Whether a step goes in one of some vertical directions and one of some horizontal ones; of
/// either kind, none stands for all.
pub(super) fn goes(directions: &[&str], from: &BoardPoint, to: &BoardPoint) -> bool {
    let orders = [to.y.cmp(&from.y), to.x.cmp(&from.x)];
    DIRECTIONS.iter().zip(orders).all(|(words, order)| {
        directions.contains(&words[(order as i8 + 1) as usize])
            || !words.iter().any(|word| directions.contains(word))
    })
}

/// Returns the points where a side places its pieces; none if it may place them anywhere.
fn region(
    source: &Source<'_>,
    points: &[BoardPoint],
    given: Option<&Spanned<String>>,
) -> Result<Vec<u8>, FileError> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let region = source.points(points, given)?;
    if region.is_empty() {
        let right = "name the points where pieces are placed, or leave region out for all points";
        return source.fail(given.span().start, "the region has no point", right);
    }
    Ok(region)
}

fn jumps(
    source: &Source<'_>,
    description: &Description,
    given: Option<&Spanned<String>>,
) -> Result<Vec<[u8; 3]>, FileError> {
    match given {
        None => Ok(Vec::new()),
        Some(given) if given.get_ref().trim() == "lines" => Ok(description.jumps_along_lines()),
        Some(given) if source.words(given).any(|(_, word)| word == "lines") => source.fail(
            source.inside(given.span()),
            "jumps along the lines go in every direction",
            "write lines alone, or list the jumps, as a1-b1-c1",
        ),
        Some(given) => source.tuples(
            &description.points,
            given,
            "a jump names three points, from, over, to, as a1-b1-c1; or write lines, for jumps \
             along the lines",
        ),
    }
}

fn end_of(
    source: &Source<'_>,
    points: &[BoardPoint],
    given: &GivenEnd,
) -> Result<EndRule, FileError> {
    let winner = source.side(given.winner.span().start, given.winner.get_ref())?;
    let condition = source.condition(points, &given.when)?;
    let to_move = given.to_move.as_ref();
    let to_move = to_move.map(|side| source.side(side.span().start, side.get_ref())).transpose()?;
    let usual = match condition {
        Condition::Blocked(_) => BLOCKED.to_owned(),
        _ => given.when.get_ref().split_whitespace().next().unwrap_or("over").replace('-', " "),
    };
    Ok(EndRule {
        to_move,
        after_placement: given.after_placement,
        except_start: given.except_start,
        ..EndRule::new(condition, winner, given.text.clone().unwrap_or(usual))
    })
}

/// Returns what layers are: as the file says, or what suits the rules.
fn layering(
    source: &Source<'_>,
    rules: &File,
    description: &Description,
) -> Result<Layering, FileError> {
    let [few, many] = &description.sides;
    let Some(given) = &rules.layers else {
        return Ok(if few.hand > 0 || many.hand > 0 {
            Layering::Placement
        } else if description.plies.is_some() {
            Layering::Plies
        } else if !few.jumps.is_empty() {
            Layering::Pieces
        } else {
            Layering::Advance
        });
    };
    Layering::of_word(given.get_ref()).ok_or_else(|| {
        source.error(
            given.span().start,
            format!("there are no layers by {:?}", given.get_ref()),
            "layers are by pieces, advance, plies, or placement",
        )
    })
}

/// Returns the side that has won if play never ends.
fn endless(
    source: &Source<'_>,
    given: Option<&Spanned<String>>,
) -> Result<Option<Side>, FileError> {
    match given.map(|given| (given.span().start, &given.get_ref()[..])) {
        None | Some((_, "draw")) => Ok(None),
        Some((_, "few")) => Ok(Some(Side::First)),
        Some((_, "many")) => Ok(Some(Side::Second)),
        Some((at, other)) => source.fail(
            at,
            format!("{other:?} is no result of endless play"),
            "write draw, or the side that has won: few or many",
        ),
    }
}
