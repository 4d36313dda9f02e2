//! Any hunt, from the lines of text of its description.
//!
//! The pieces are sets of numbers of points, and every rule is looked up in the lists of the
//! description each time that it is needed. `hunt/text.rs` of anser-core specifies the lines.

use std::collections::BTreeSet;
use std::fmt;

use crate::game::{End, Game, Side};
use crate::plain::subsets;
use crate::rows::rows_text;

/// One side.
#[derive(Clone, Debug, Default)]
struct Pieces {
    letter: char,
    turn: char,
    number: [u8; 2],
    start: BTreeSet<u8>,
    hand: u8,
    region: BTreeSet<u8>,
    order: Vec<u8>,
    steps: Vec<Vec<u8>>,
    jumps: Vec<Vec<u8>>,
    captures: Vec<Vec<u8>>,
    chain: bool,
    compulsory: bool,
}

/// A rule that ends the game.
#[derive(Clone, Debug)]
struct Rule {
    winner: Side,
    condition: String,
    side: Side,
    numbers: BTreeSet<u8>,
    to_move: Option<Side>,
    after_placement: bool,
    except_start: bool,
    text: &'static str,
}

/// A game, as its text describes it.
#[derive(Clone, Debug)]
pub struct Hunt {
    points: Vec<(String, i32, i32)>,
    few: Pieces,
    many: Pieces,
    first: Side,
    rules: Vec<Rule>,
    plies: Option<u8>,
    endless: Option<Side>,
}

/// The pieces on the board and in hand, the side to move, and the plies left.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The points of the few.
    pub few: BTreeSet<u8>,
    /// The points of the many.
    pub many: BTreeSet<u8>,
    /// The few and the many in hand.
    pub hand: [u8; 2],
    /// The side to move.
    pub to_move: Side,
    /// The plies left, if they are limited.
    pub left: Option<u8>,
    /// The side that has captured by the move that led here, if that ends the game.
    pub captured: Option<Side>,
}

/// A move in words: `d4-d5`, `d4xd6`, `d4`, `pass`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move(String);

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Hunt {
    /// Reads the text of a description.
    ///
    /// # Panics
    /// If it is no such text.
    pub fn read(text: &str) -> Hunt {
        let mut hunt = Hunt {
            points: Vec::new(),
            few: Pieces::default(),
            many: Pieces::default(),
            first: Side::First,
            rules: Vec::new(),
            plies: None,
            endless: None,
        };
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match words[0] {
                "point" => hunt.points.push((
                    words[1].into(),
                    words[2].parse().unwrap(),
                    words[3].parse().unwrap(),
                )),
                "few" => hunt.few.read(&words[1..]),
                "many" => hunt.many.read(&words[1..]),
                "first" => hunt.first = side(words[1]),
                "plies" => hunt.plies = Some(words[1].parse().unwrap()),
                "endless" => hunt.endless = Some(side(words[1])),
                "end" => hunt.rules.push(Rule::read(line)),
                _ => {}
            }
        }
        hunt
    }

    /// Returns the side that has won if play never ends.
    pub fn endless(&self) -> Option<Side> {
        self.endless
    }

    fn of(&self, side: Side) -> &Pieces {
        match side {
            Side::First => &self.few,
            Side::Second => &self.many,
        }
    }

    /// Returns all arrangements: every number of pieces on the board and in hand, every number of
    /// plies left, either side to move. Not all of them are positions.
    pub fn arrangements(&self) -> Vec<Position> {
        let count = self.points.len() as u8;
        let mut all = Vec::new();
        let lefts: Vec<Option<u8>> = match self.plies {
            None => vec![None],
            Some(plies) => (0..=plies).map(Some).collect(),
        };
        // Of the few, none is ever captured where some are in hand.
        for few_on_board in 0..=self.few.number[1] {
            let few_hand = if self.few.hand > 0 { self.few.number[1] - few_on_board } else { 0 };
            if few_hand > self.few.hand || few_on_board + few_hand < self.few.number[0] {
                continue;
            }
            for few in subsets(count, few_on_board.into()) {
                let few: BTreeSet<u8> = few.into_iter().collect();
                for many_on_board in 0..=self.many.number[1] {
                    for many_hand in 0..=self.many.hand {
                        let there = many_on_board + many_hand;
                        if there < self.many.number[0] || there > self.many.number[1] {
                            continue;
                        }
                        for many in subsets(count, many_on_board.into()) {
                            let many: BTreeSet<u8> = many.into_iter().collect();
                            if !few.is_disjoint(&many) {
                                continue;
                            }
                            for &left in &lefts {
                                for to_move in [Side::First, Side::Second] {
                                    all.push(Position {
                                        few: few.clone(),
                                        many: many.clone(),
                                        hand: [few_hand, many_hand],
                                        to_move,
                                        left,
                                        captured: None,
                                    });
                                }
                            }
                        }
                    }
                }
            }
        }
        all
    }

    fn name(&self, point: u8) -> &str {
        &self.points[usize::from(point)].0
    }

    /// Returns the position after the turn has gone to the other side.
    fn turned(position: &Position) -> Position {
        Position {
            to_move: position.to_move.other(),
            left: position.left.map(|left| left.saturating_sub(1)),
            captured: None,
            ..position.clone()
        }
    }

    fn capture_ends(&self, by: Side) -> Option<Side> {
        let ends = self.rules.iter().any(|rule| rule.condition == "captured" && rule.side == by);
        ends.then_some(by)
    }

    /// Returns the turns of jumps of the piece on `from` that go on after `path`.
    fn jumps(&self, position: &Position, path: &[u8]) -> Vec<(Vec<u8>, Position)> {
        let side = position.to_move;
        let from = path[path.len() - 1];
        let mut turns = Vec::new();
        for jump in &self.of(side).jumps {
            let (over, to) = (jump[1], jump[2]);
            if jump[0] != from
                || !position.pieces(side.other()).contains(&over)
                || !position.is_empty(to)
            {
                continue;
            }
            let mut after = position.clone();
            after.pieces_mut(side).remove(&from);
            after.pieces_mut(side).insert(to);
            after.pieces_mut(side.other()).remove(&over);
            let path = [path, &[to]].concat();
            let mut done = Hunt::turned(&after);
            done.captured = self.capture_ends(side);
            // Whether somebody is blocked, or no plies are left, is asked after the turn.
            let later = ["blocked", "out-of-plies"];
            let in_turn = |rule: &&Rule| !later.contains(&&rule.condition[..]);
            let is_over = self.rules.iter().filter(in_turn).any(|rule| self.holds(rule, &done));
            let further = if self.of(side).chain && !is_over {
                self.jumps(&after, &path)
            } else {
                Vec::new()
            };
            if further.is_empty() || !self.of(side).compulsory {
                turns.push((path, done));
            }
            turns.extend(further);
        }
        turns
    }

    /// Returns the moves of the side to move but a pass, whether or not the game is over.
    fn real_moves(&self, position: &Position) -> Vec<(Move, Position)> {
        let side = position.to_move;
        let of = self.of(side);
        let mut moves = Vec::new();
        if position.hand[side as usize] > 0 {
            for point in 0..self.points.len() as u8 {
                if position.is_empty(point) && (of.region.is_empty() || of.region.contains(&point))
                {
                    let mut after = Hunt::turned(position);
                    after.hand[side as usize] -= 1;
                    after.pieces_mut(side).insert(point);
                    moves.push((Move(self.name(point).into()), after));
                }
            }
            return moves;
        }
        let mut pieces: Vec<u8> = position.pieces(side).iter().copied().collect();
        if !of.order.is_empty() {
            pieces.sort_by_key(|piece| of.order.iter().position(|point| point == piece));
        }
        let must_jump =
            of.compulsory && pieces.iter().any(|&piece| !self.jumps(position, &[piece]).is_empty());
        for &from in &pieces {
            for (path, after) in self.jumps(position, &[from]) {
                let names: Vec<&str> = path.iter().map(|&point| self.name(point)).collect();
                moves.push((Move(names.join("x")), after));
            }
            if must_jump {
                continue;
            }
            for step in of.steps.iter().filter(|step| step[0] == from) {
                if position.is_empty(step[1]) {
                    let mut after = Hunt::turned(position);
                    after.pieces_mut(side).remove(&from);
                    after.pieces_mut(side).insert(step[1]);
                    let name = format!("{}-{}", self.name(from), self.name(step[1]));
                    moves.push((Move(name), after));
                }
            }
            for capture in of.captures.iter().filter(|capture| capture[0] == from) {
                if position.pieces(side.other()).contains(&capture[1]) {
                    let mut after = Hunt::turned(position);
                    after.pieces_mut(side).remove(&from);
                    after.pieces_mut(side).insert(capture[1]);
                    after.pieces_mut(side.other()).remove(&capture[1]);
                    after.captured = self.capture_ends(side);
                    let name = format!("{}x{}", self.name(from), self.name(capture[1]));
                    moves.push((Move(name), after));
                }
            }
        }
        moves
    }

    /// Returns the points that steps from these lead to on an empty board, themselves included.
    fn reach(of: &Pieces, from: &BTreeSet<u8>) -> BTreeSet<u8> {
        let mut reach = from.clone();
        loop {
            let next = of.steps.iter().filter(|step| reach.contains(&step[0])).map(|step| step[1]);
            let longer: BTreeSet<u8> = reach.iter().copied().chain(next).collect();
            if longer == reach {
                return reach;
            }
            reach = longer;
        }
    }

    fn holds(&self, rule: &Rule, position: &Position) -> bool {
        if rule.to_move.is_some_and(|side| side != position.to_move)
            || rule.after_placement && position.hand != [0, 0]
            || rule.except_start && *position == self.start()
        {
            return false;
        }
        let pieces = position.pieces(rule.side);
        let number = rule.numbers.first().copied().unwrap_or(0);
        match &rule.condition[..] {
            "blocked" => position.to_move == rule.side && self.real_moves(position).is_empty(),
            "captured" => position.captured == Some(rule.side),
            "fewer" => pieces.len() as u8 + position.hand[rule.side as usize] < number,
            "reached" | "arrived" => !pieces.is_disjoint(&rule.numbers),
            "filled" => rule.numbers.is_subset(pieces),
            "escaped" => {
                let reach = Hunt::reach(&self.many, &position.many);
                let fox = *position.few.first().unwrap();
                let beside = self.few.steps.iter().filter(|step| step[0] == fox);
                !reach.contains(&fox) && beside.into_iter().any(|step| !reach.contains(&step[1]))
            }
            "behind" => {
                let few = position.few.first().unwrap();
                position.many.first().is_some_and(|lowest| *few < lowest + number)
            }
            "out-of-plies" => position.left == Some(0),
            other => panic!("no condition is called {other}"),
        }
    }
}

impl Position {
    fn is_empty(&self, point: u8) -> bool {
        !self.few.contains(&point) && !self.many.contains(&point)
    }

    fn pieces(&self, side: Side) -> &BTreeSet<u8> {
        match side {
            Side::First => &self.few,
            Side::Second => &self.many,
        }
    }

    fn pieces_mut(&mut self, side: Side) -> &mut BTreeSet<u8> {
        match side {
            Side::First => &mut self.few,
            Side::Second => &mut self.many,
        }
    }
}

fn side(word: &str) -> Side {
    if word == "few" { Side::First } else { Side::Second }
}

impl Pieces {
    fn read(&mut self, words: &[&str]) {
        let numbers = || words[1..].iter().map(|word| word.parse().unwrap());
        let moves = || {
            let points =
                |word: &&str| word.split('-').map(|point| point.parse().unwrap()).collect();
            words[1..].iter().map(points).collect()
        };
        match words[0] {
            "letters" => {
                self.letter = words[1].chars().next().unwrap();
                self.turn = words[2].chars().next().unwrap();
            }
            "number" => self.number = [words[1].parse().unwrap(), words[2].parse().unwrap()],
            "start" => self.start = numbers().collect(),
            "hand" => self.hand = words[1].parse().unwrap(),
            "region" => self.region = numbers().collect(),
            "order" => self.order = numbers().collect(),
            "steps" => self.steps = moves(),
            "jumps" => self.jumps = moves(),
            "captures" => self.captures = moves(),
            "chain" => self.chain = true,
            "compulsory" => self.compulsory = true,
            _ => {}
        }
    }
}

impl Rule {
    fn read(line: &str) -> Rule {
        let (rule, text) = line.split_once(" = ").unwrap();
        let words: Vec<&str> = rule.split(' ').collect();
        let after = |word: &str| words.iter().position(|&it| it == word).map(|at| words[at + 1]);
        Rule {
            winner: side(words[1]),
            condition: words[2].into(),
            side: words.get(3).map_or(Side::First, |word| side(word)),
            numbers: words[3..].iter().filter_map(|word| word.parse().ok()).collect(),
            to_move: after("to-move").map(side),
            after_placement: words.contains(&"after-placement"),
            except_start: words.contains(&"except-start"),
            // Only tests read descriptions, and each a few.
            text: text.to_owned().leak(),
        }
    }
}

impl Game for Hunt {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position {
            few: self.few.start.clone(),
            many: self.many.start.clone(),
            hand: [self.few.hand, self.many.hand],
            to_move: self.first,
            left: self.plies,
            captured: None,
        }
    }

    fn to_move(&self, position: &Position) -> Side {
        position.to_move
    }

    fn ended(&self, position: &Position) -> Option<End> {
        let rule = self.rules.iter().find(|rule| self.holds(rule, position))?;
        Some(End { winner: Some(rule.winner), by: rule.text })
    }

    fn moves(&self, position: &Position) -> Vec<(Move, Position)> {
        let mut moves = self.real_moves(position);
        if moves.is_empty() {
            moves.push((Move("pass".into()), Hunt::turned(position)));
        }
        moves
    }

    fn notation(&self, position: &Position) -> String {
        let mut heights: Vec<i32> = self.points.iter().map(|point| point.2).collect();
        heights.sort_unstable();
        heights.dedup();
        let rows = heights.iter().rev().map(|&y| {
            let mut row: Vec<usize> =
                (0..self.points.len()).filter(|&point| self.points[point].2 == y).collect();
            row.sort_by_key(|&point| self.points[point].1);
            let man = |point: usize| {
                let point = point as u8;
                if position.few.contains(&point) {
                    Some(self.few.letter)
                } else {
                    position.many.contains(&point).then_some(self.many.letter)
                }
            };
            row.into_iter().map(man).collect()
        });
        let mut fields = Vec::new();
        if self.few.hand > 0 {
            fields.push(position.hand[0]);
        }
        if self.many.hand > 0 {
            fields.push(position.hand[1]);
            if !self.few.jumps.is_empty() {
                let there = position.many.len() as u8 + position.hand[1];
                fields.push(self.many.number[1] - there);
            }
        }
        fields.extend(position.left.filter(|_| position.left != self.plies));
        let fields: Vec<String> = fields.iter().map(|field| format!(" {field}")).collect();
        format!("{} {}{}", rows_text(rows), self.of(position.to_move).turn, fields.concat())
    }

    fn passed(&self, position: &Position) -> Position {
        Position { to_move: position.to_move.other(), ..position.clone() }
    }
}
