//! A player that learns by trial and error, with matchboxes and beads.
//!
//! M. Gardner, "How to build a game-learning machine and then teach it to play and to win"
//! (Scientific American 206(3), 1962), plays Black in Hexapawn with a matchbox per position; mirror
//! images share one. A box holds beads for each move, and a bead drawn at random selects the move.
//! After a lost game, the bead of the last move is removed. An empty box resigns, which is a loss
//! too, so the bead of the move before is removed. A move that keeps a win therefore keeps its
//! beads, and every other move loses them if it is tried often enough.
//!
//! [`Matchboxes`] does this for both sides of any game, with its symmetries. Boxes are filled
//! when they are first opened.

use std::collections::{HashMap, HashSet};

use anser_core::hunt::{Move, Position};
use anser_core::{Hunt, Next, Outcome, Side};
use anser_retrograde::AnalyseError;

use crate::random::Random;
use crate::strategy::{Advisor, Strategy};

/// Boxes of beads for the positions of a game.
///
/// ```
/// use anser_analyse::{Matchboxes, Random, Teacher};
/// use anser_core::Hunt;
/// use anser_core::{Side, hexapawn::BoardSize};
/// let game = Hunt::hexapawn("3x3".parse::<BoardSize>()?);
/// assert_eq!(Matchboxes::needed(&game, Side::Second), 19);
///
/// let mut boxes = Matchboxes::new(&game, 1);
/// let mut random = Random::new(1);
/// let taught = boxes.train(Side::Second, &Teacher::Random, 500, &mut random);
/// assert_eq!(taught.games(), 500);
/// // Only moves that win for Black are left, so it loses no further game.
/// assert_eq!(boxes.train(Side::Second, &Teacher::Random, 500, &mut random).lost, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Matchboxes {
    game: Hunt,
    /// The number of beads per move in a new box.
    beads: u32,
    /// By canonical position.
    boxes: HashMap<Position, Vec<Bead>>,
}

/// The beads of a move. Symmetric moves of a symmetric position are one.
#[derive(Clone, Copy, Debug)]
struct Bead {
    /// The canonical position after the move, or the end of the game.
    after: Next,
    /// The number of beads left.
    left: u32,
}

/// The opponent in training games.
pub enum Teacher<'a> {
    /// Plays each legal move with the same chance.
    Random,
    /// Plays its best moves by these values.
    Perfect(&'a dyn Advisor<Error = AnalyseError>),
}

/// Results of training games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taught {
    /// Games won by the boxes.
    pub won: u64,
    /// Games drawn. One that is stopped at the limit of plies is drawn, unless endless play is won.
    pub drawn: u64,
    /// Games lost by the boxes, resignations included.
    pub lost: u64,
}

impl Taught {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.won + self.drawn + self.lost
    }
}

/// A training game is stopped as endless play after this number of plies. Hexapawn ends much
/// earlier.
const MOST_PLIES: usize = 1000;

impl Matchboxes {
    /// Boxes with `beads` beads per move when they are first opened. Gardner uses one.
    pub fn new(game: &Hunt, beads: u32) -> Matchboxes {
        Matchboxes { game: game.clone(), beads, boxes: HashMap::new() }
    }

    /// The number of boxes opened so far in which `side` is to move.
    pub fn opened(&self, side: Side) -> usize {
        self.boxes.keys().filter(|position| position.to_move() == side).count()
    }

    /// Returns the number of boxes that a player of `side` needs: the symmetry classes of reachable
    /// positions in which it is to move and the game is not over. Visits every reachable position,
    /// so the game has to be small.
    pub fn needed(game: &Hunt, side: Side) -> usize {
        let (mut seen, mut open) = (HashSet::from([game.start()]), vec![game.start()]);
        let mut boxes = HashSet::new();
        while let Some(position) = open.pop() {
            if game.terminal(&position).is_some() {
                continue;
            }
            if position.to_move() == side {
                boxes.insert(canonical(game, &position));
            }
            for (_, next) in game.moves(&position) {
                if let Next::Position(next) = next
                    && seen.insert(next)
                {
                    open.push(next);
                }
            }
        }
        boxes.len()
    }

    /// Returns the weight of each legal move of a position, in generation order: all zero if the
    /// box is empty. Symmetric moves share their beads equally.
    pub fn chances(&self, position: &Position) -> Vec<f64> {
        let beads = self.boxes.get(&canonical(&self.game, position));
        let afters: Vec<_> =
            self.game.moves(position).into_iter().map(|(_, next)| self.after(next)).collect();
        let chance = |after: &Next| {
            let sharing = afters.iter().filter(|other| *other == after).count();
            let left = beads.map_or(self.beads, |beads| {
                beads.iter().find(|bead| bead.after == *after).map_or(0, |bead| bead.left)
            });
            f64::from(left) / sharing as f64
        };
        afters.iter().map(chance).collect()
    }

    /// Draws a move and opens the box; `None` if the box is empty, so the side to move resigns.
    pub fn draw(&mut self, position: &Position, random: &mut Random) -> Option<(Move, Next)> {
        self.open(position);
        let chosen = random.weighted(&self.chances(position))?;
        self.game.moves(position).into_iter().nth(chosen)
    }

    /// Removes a bead of the last move of `side` if it lost the game. `played` are the positions of
    /// the game in order, each with what the move played there led to.
    pub fn learn(&mut self, side: Side, played: &[(Position, Next)], outcome: Outcome) {
        if self.game.winner(outcome) != Some(side.other()) {
            return;
        }
        let own = |(from, _): &&(Position, Next)| from.to_move() == side;
        let Some(&(from, next)) = played.iter().rev().find(own) else { return };
        self.open(&from);
        let after = self.after(next);
        let beads = self.boxes.get_mut(&canonical(&self.game, &from));
        if let Some(bead) = beads.into_iter().flatten().find(|bead| bead.after == after) {
            bead.left = bead.left.saturating_sub(1);
        }
    }

    /// Plays `games` games from the start as `side` against a teacher, and learns from each.
    pub fn train(
        &mut self,
        side: Side,
        teacher: &Teacher<'_>,
        games: u64,
        random: &mut Random,
    ) -> Taught {
        let mut taught = Taught::default();
        for _ in 0..games {
            let (played, outcome) = self.play(side, teacher, random);
            self.learn(side, &played, outcome);
            match self.game.winner(outcome) {
                None => taught.drawn += 1,
                Some(winner) if winner == side => taught.won += 1,
                Some(_) => taught.lost += 1,
            }
        }
        taught
    }

    /// Plays one game from the start.
    fn play(
        &mut self,
        side: Side,
        teacher: &Teacher<'_>,
        random: &mut Random,
    ) -> (Played, Outcome) {
        let (mut here, mut played) = (self.game.start(), Vec::new());
        let outcome = loop {
            if let Some(outcome) = self.game.terminal(&here) {
                break outcome;
            }
            if played.len() >= MOST_PLIES {
                break Outcome::Draw;
            }
            let mover = here.to_move();
            let drawn = if mover == side {
                self.draw(&here, random).map(|(_, next)| next)
            } else {
                teacher.answer(&self.game, &here, random)
            };
            // A side without a move resigns.
            let Some(next) = drawn else { break Outcome::Win(mover.other()) };
            played.push((here, next));
            match next {
                Next::Position(next) => here = next,
                Next::End(end) => break end.outcome,
            }
        };
        (played, outcome)
    }

    /// Fills the box of a position if it is new.
    fn open(&mut self, position: &Position) {
        let key = canonical(&self.game, position);
        if self.boxes.contains_key(&key) {
            return;
        }
        let mut beads: Vec<Bead> = Vec::new();
        for (_, next) in self.game.moves(position) {
            let after = self.after(next);
            if beads.iter().all(|bead| bead.after != after) {
                beads.push(Bead { after, left: self.beads });
            }
        }
        self.boxes.insert(key, beads);
    }

    /// Returns the canonical position after a move, or the end of the game.
    fn after(&self, next: Next) -> Next {
        next.map(|next| canonical(&self.game, &next))
    }
}

/// The positions of a game in their order, each with what the move played there led to.
type Played = Vec<(Position, Next)>;

impl Teacher<'_> {
    fn answer(&self, game: &Hunt, position: &Position, random: &mut Random) -> Option<Next> {
        match self {
            Teacher::Random => {
                let moves = game.moves(position);
                let chosen = random.weighted(&vec![1.0; moves.len()])?;
                Some(moves[chosen].1)
            }
            Teacher::Perfect(advisor) => {
                let chosen = Strategy::default().choose(game, *advisor, position, &[], random)?;
                Some(chosen.next)
            }
        }
    }
}

/// The least image of a position under the symmetries of the game.
fn canonical(game: &Hunt, position: &Position) -> Position {
    (1..game.symmetries()).map(|symmetry| game.image(position, symmetry)).fold(*position, Ord::min)
}
