//! The parts of a file, and the descriptions that they make.

use std::collections::BTreeMap;
use std::ops::Range;

use anser_core::hunt::{
    BoardPoint, Condition, Description, EndRule, Layering, Place, SideDescription,
};
use anser_core::{BLOCKED, Noun, Side};
use serde::Deserialize;
use toml::Spanned;

use super::error::FileError;
use super::parse::Source;
use crate::info::{Opening, Origin};

/// Greatest number of rule sets that are listed, unless more have a name: every base alone and with
/// switches.
const MOST_LISTED: usize = 64;

/// A file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct File {
    name: Spanned<String>,
    about: Option<String>,
    title: Option<String>,
    region: Option<String>,
    date: Option<String>,
    source: Option<String>,
    /// The id of the rules without changes.
    rules: Option<Spanned<String>>,
    meaning: Option<String>,
    first: Option<Spanned<String>>,
    plies: Option<Spanned<u8>>,
    endless: Option<Spanned<String>>,
    layers: Option<Spanned<String>>,
    board: Spanned<Board>,
    /// Other boards, which rule sets name.
    #[serde(default)]
    boards: BTreeMap<String, Spanned<Board>>,
    few: Spanned<GivenSide>,
    many: Spanned<GivenSide>,
    ends: Option<Spanned<Vec<Spanned<GivenEnd>>>>,
    #[serde(default)]
    openings: Vec<GivenOpening>,
    #[serde(default)]
    rule_sets: BTreeMap<String, Spanned<Changes>>,
    #[serde(default)]
    switches: BTreeMap<String, Spanned<Changes>>,
}

/// The points of a board, and its lines.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Board {
    word: Option<String>,
    points: Spanned<Vec<Spanned<(String, i32, i32)>>>,
    lines: Option<Vec<Spanned<String>>>,
}

/// One side. What a rule set leaves out stays as it is.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct GivenSide {
    name: Option<String>,
    noun: Option<Spanned<String>>,
    piece: Option<String>,
    letter: Option<Spanned<String>>,
    turn: Option<Spanned<String>>,
    number: Option<Spanned<Number>>,
    start: Option<Spanned<String>>,
    hand: Option<Spanned<u8>>,
    region: Option<Spanned<String>>,
    order: Option<Spanned<String>>,
    steps: Option<Spanned<String>>,
    jumps: Option<Spanned<String>>,
    captures: Option<Spanned<String>>,
    chain: Option<bool>,
    compulsory: Option<bool>,
}

/// A number of pieces, or the least and the greatest.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged, expecting = "a number of pieces, as 4, or the least and the greatest, as [2, 5]")]
enum Number {
    One(u8),
    Range([u8; 2]),
}

/// An end of the game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct GivenEnd {
    winner: Spanned<String>,
    when: Spanned<String>,
    text: Option<String>,
    to_move: Option<Spanned<String>>,
    #[serde(default)]
    after_placement: bool,
    #[serde(default)]
    except_start: bool,
}

/// A position with a name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct GivenOpening {
    pub(super) name: String,
    pub(super) position: Spanned<String>,
    pub(super) about: Option<String>,
}

/// Changes to the rules.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Changes {
    meaning: Option<String>,
    first: Option<Spanned<String>>,
    plies: Option<Spanned<u8>>,
    endless: Option<Spanned<String>>,
    layers: Option<Spanned<String>>,
    board: Option<Spanned<Board>>,
    /// One of the boards of the file.
    on_board: Option<Spanned<String>>,
    few: Option<Spanned<GivenSide>>,
    many: Option<Spanned<GivenSide>>,
    ends: Option<Spanned<Vec<Spanned<GivenEnd>>>>,
}

/// The rules of one rule set: the file with its changes.
struct Rules {
    first: Option<Spanned<String>>,
    plies: Option<Spanned<u8>>,
    endless: Option<Spanned<String>>,
    layers: Option<Spanned<String>>,
    board: Spanned<Board>,
    sides: [Spanned<GivenSide>; 2],
    ends: Option<Spanned<Vec<Spanned<GivenEnd>>>>,
}

/// Reads a file.
pub(super) fn read(source: &Source<'_>) -> Result<File, FileError> {
    toml::from_str(source.text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        source.error(
            start,
            error.message().to_owned(),
            "docs/describe-a-game.md has every part of a file",
        )
    })
}

impl File {
    pub(super) fn name(&self) -> &str {
        self.name.get_ref()
    }

    pub(super) fn name_span(&self) -> Range<usize> {
        self.name.span()
    }

    pub(super) fn about(&self) -> String {
        self.about.clone().unwrap_or_else(|| self.name().to_owned())
    }

    pub(super) fn origin(&self) -> Origin {
        Origin {
            title: self.title.clone(),
            region: self.region.clone(),
            date: self.date.clone(),
            source: self.source.clone(),
        }
    }

    /// Returns the openings, whose positions are not checked.
    pub(super) fn openings(&self) -> Vec<Opening> {
        let opening = |given: &GivenOpening| Opening {
            name: given.name.clone(),
            position: given.position.get_ref().clone(),
            about: given.about.clone().unwrap_or_default(),
        };
        self.openings.iter().map(opening).collect()
    }

    /// Returns what a rule set means, in sentences.
    pub(super) fn meaning(&self, source: &Source<'_>, id: &str) -> Result<String, FileError> {
        let changes = self.changes(source, id)?;
        let own = changes.iter().filter_map(|change| change.get_ref().meaning.as_deref());
        let parts: Vec<&str> = self.meaning.as_deref().into_iter().chain(own).collect();
        Ok(parts.join(" "))
    }

    pub(super) fn given_openings(&self) -> &[GivenOpening] {
        &self.openings
    }

    fn base(&self) -> &str {
        self.rules.as_ref().map_or("standard", |rules| rules.get_ref())
    }

    /// Returns the ids of rule sets: those of the file, then each with each combination of switches.
    pub(super) fn ids(&self) -> Vec<String> {
        let bases: Vec<&str> =
            std::iter::once(self.base()).chain(self.rule_sets.keys().map(|id| &id[..])).collect();
        let switches: Vec<&String> = self.switches.keys().take(16).collect();
        let all = bases.len().max(MOST_LISTED);
        let combinations = (0..1_u32 << switches.len()).flat_map(|bits| {
            let on = (0..).zip(&switches).filter(move |(bit, _)| bits >> bit & 1 != 0);
            let suffix = on.fold(String::new(), |all, (_, id)| all + "+" + id);
            bases.iter().map(move |base| format!("{base}{suffix}")).collect::<Vec<_>>()
        });
        combinations.take(all).collect()
    }

    /// Returns the changes that the parts of a rule set's id name, in their order.
    fn changes(&self, source: &Source<'_>, id: &str) -> Result<Vec<&Spanned<Changes>>, FileError> {
        // The rules of the file may be called by an id that has switches itself.
        let own = id.strip_prefix(self.base()).filter(|it| it.is_empty() || it.starts_with('+'));
        let (base, switches) = match own {
            Some(switches) => (self.base(), switches),
            None => id.split_at(id.find('+').unwrap_or(id.len())),
        };
        let parts = switches.split('+').skip(1);
        let mut changes = Vec::new();
        if base != self.base() {
            changes.push(self.rule_sets.get(base).ok_or_else(|| {
                let known: Vec<&str> = std::iter::once(self.base())
                    .chain(self.rule_sets.keys().map(|id| &id[..]))
                    .collect();
                source.error(
                    0,
                    format!("no rule set is called {base:?}"),
                    format!("the rule sets are {}", known.join(", ")),
                )
            })?);
        } else if let Some(twice) = self.rule_sets.get(base) {
            return source.fail(
                twice.span().start,
                format!("two rule sets have the name {base:?}"),
                "the rules of the file have the name that the key rules gives, or standard",
            );
        }
        let mut before: Option<&str> = None;
        for part in parts {
            let known = || {
                let known: Vec<&str> = self.switches.keys().map(|id| &id[..]).collect();
                if known.is_empty() {
                    return "the file has no switches".to_owned();
                }
                format!("the switches are {}, each once, in this order", known.join(", "))
            };
            let Some(change) = self.switches.get(part) else {
                return source.fail(0, format!("no switch is called {part:?}"), known());
            };
            if before.is_some_and(|before| before >= part) {
                return source.fail(0, format!("the switches of {id} are not in order"), known());
            }
            before = Some(part);
            changes.push(change);
        }
        Ok(changes)
    }

    /// Returns the board that a rule set names.
    fn named_board(
        &self,
        source: &Source<'_>,
        name: &Spanned<String>,
    ) -> Result<&Spanned<Board>, FileError> {
        self.boards.get(name.get_ref()).ok_or_else(|| {
            let known: Vec<&str> = self.boards.keys().map(|id| &id[..]).collect();
            let right = if known.is_empty() {
                "the file has no boards; add a table boards.NAME with points and lines".to_owned()
            } else {
                format!("the boards are {}", known.join(", "))
            };
            let problem = format!("no board is called {:?}", name.get_ref());
            source.error(name.span().start, problem, right)
        })
    }

    fn rules(&self, source: &Source<'_>, id: &str) -> Result<Rules, FileError> {
        let mut rules = Rules {
            first: self.first.clone(),
            plies: self.plies.clone(),
            endless: self.endless.clone(),
            layers: self.layers.clone(),
            board: self.board.clone(),
            sides: [self.few.clone(), self.many.clone()],
            ends: self.ends.clone(),
        };
        for change in self.changes(source, id)? {
            let change = change.get_ref().clone();
            rules.first = change.first.or(rules.first);
            rules.plies = change.plies.or(rules.plies);
            rules.endless = change.endless.or(rules.endless);
            rules.layers = change.layers.or(rules.layers);
            if let Some(name) = &change.on_board {
                rules.board = self.named_board(source, name)?.clone();
            }
            rules.board = change.board.unwrap_or(rules.board);
            rules.ends = change.ends.or(rules.ends);
            let [few, many] = rules.sides;
            rules.sides = [(change.few, few), (change.many, many)]
                .map(|(change, side)| change.map_or(side.clone(), |change| changed(change, side)));
        }
        Ok(rules)
    }

    /// Returns the description of a rule set.
    pub(super) fn description(
        &self,
        source: &Source<'_>,
        id: &str,
    ) -> Result<Description, FileError> {
        let rules = self.rules(source, id)?;
        let board = rules.board.get_ref();
        let points: Vec<BoardPoint> = board
            .points
            .get_ref()
            .iter()
            .map(|point| {
                let (name, x, y) = point.get_ref().clone();
                BoardPoint { name, x, y }
            })
            .collect();
        if points.len() > anser_core::hunt::MOST_POINTS {
            return source.fail(
                board.points.span().start,
                format!("the board has {} points", points.len()),
                format!("at most {}", anser_core::hunt::MOST_POINTS),
            );
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
            let given = &rules.sides[side.index()];
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
        let Ok(rules) = self.rules(&source, id) else { return 0 };
        let board = rules.board.get_ref();
        let of_board = start(rules.board.span());
        match place {
            Place::Name => start(self.name.span()),
            Place::Rules => self.rules.as_ref().map_or(0, |rules| start(rules.span())),
            Place::Points => start(board.points.span()),
            Place::Point(number) => {
                board.points.get_ref().get(number).map_or(of_board, |point| start(point.span()))
            }
            Place::Line(number) => {
                let line = board.lines.as_ref().and_then(|lines| lines.get(number));
                line.map_or(of_board, |line| start(line.span()))
            }
            Place::Side(side) => start(rules.sides[side.index()].span()),
            Place::Field(side, field) => {
                let given = &rules.sides[side.index()];
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

impl GivenSide {
    /// Returns where a field begins.
    fn field(&self, name: &str) -> Option<usize> {
        let text = |field: &Option<Spanned<String>>| Some(field.as_ref()?.span().start);
        match name {
            "number" => Some(self.number.as_ref()?.span().start),
            "start" => text(&self.start),
            "region" => text(&self.region),
            "order" => text(&self.order),
            "steps" => text(&self.steps),
            "jumps" => text(&self.jumps),
            "captures" => text(&self.captures),
            _ => None,
        }
    }
}

/// Returns a side with changes.
fn changed(change: Spanned<GivenSide>, side: Spanned<GivenSide>) -> Spanned<GivenSide> {
    let span = change.span();
    let (new, old) = (change.into_inner(), side.into_inner());
    let changed = GivenSide {
        name: new.name.or(old.name),
        noun: new.noun.or(old.noun),
        piece: new.piece.or(old.piece),
        letter: new.letter.or(old.letter),
        turn: new.turn.or(old.turn),
        number: new.number.or(old.number),
        start: new.start.or(old.start),
        hand: new.hand.or(old.hand),
        region: new.region.or(old.region),
        order: new.order.or(old.order),
        steps: new.steps.or(old.steps),
        jumps: new.jumps.or(old.jumps),
        captures: new.captures.or(old.captures),
        chain: new.chain.or(old.chain),
        compulsory: new.compulsory.or(old.compulsory),
    };
    Spanned::new(span, changed)
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
    let noun = match &given.noun {
        None if number == [1, 1] => Noun::Singular,
        None => Noun::Plural,
        Some(noun) => match &noun.get_ref()[..] {
            "singular" => Noun::Singular,
            "plural" => Noun::Plural,
            "name" => Noun::Name,
            other => {
                let right = "write singular (the fox), plural (the geese), or name (White)";
                return source.fail(
                    noun.span().start,
                    format!("{other:?} is no kind of name"),
                    right,
                );
            }
        },
    };
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
        region: of_points(&given.region)?,
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
        let right = "a step goes from a point to another, as a1-b2; or write lines, for steps along the lines";
        return source.tuples(&description.points, given, right);
    }
    let mut directions = Vec::new();
    for (at, word) in words {
        match word {
            "up" | "down" | "level" | "left" | "right" | "upright" => directions.push(word),
            other => {
                return source.fail(
                    at,
                    format!("{other:?} is no direction"),
                    "after lines, the directions that are allowed: up, level, down; left, upright, right; none for all",
                );
            }
        }
    }
    let vertical: Vec<&str> =
        directions.iter().copied().filter(|word| ["up", "down", "level"].contains(word)).collect();
    let horizontal: Vec<&str> =
        directions.iter().copied().filter(|word| !vertical.contains(word)).collect();
    let name =
        |order: std::cmp::Ordering, names: [&'static str; 3]| names[(order as i8 + 1) as usize];
    Ok(description.steps_along_lines(|from, to| {
        let up = name(to.y.cmp(&from.y), ["down", "level", "up"]);
        let right = name(to.x.cmp(&from.x), ["left", "upright", "right"]);
        (vertical.is_empty() || vertical.contains(&up))
            && (horizontal.is_empty() || horizontal.contains(&right))
    }))
}

fn jumps(
    source: &Source<'_>,
    description: &Description,
    given: Option<&Spanned<String>>,
) -> Result<Vec<[u8; 3]>, FileError> {
    match given {
        None => Ok(Vec::new()),
        Some(given) if given.get_ref().trim() == "lines" => Ok(description.jumps_along_lines()),
        Some(given) => source.tuples(
            &description.points,
            given,
            "a jump names three points, from, over, to, as a1-b1-c1; or write lines, for jumps along the lines",
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
    let to_move = match &given.to_move {
        None => None,
        Some(side) => Some(source.side(side.span().start, side.get_ref())?),
    };
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
    rules: &Rules,
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
    match &given.get_ref()[..] {
        "pieces" => Ok(Layering::Pieces),
        "advance" => Ok(Layering::Advance),
        "plies" => Ok(Layering::Plies),
        "placement" => Ok(Layering::Placement),
        other => source.fail(
            given.span().start,
            format!("there are no layers by {other:?}"),
            "layers are by pieces, advance, plies, or placement",
        ),
    }
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
