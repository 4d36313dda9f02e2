//! A player that learns by trial and error with matchboxes and beads.
//!
//! M. Gardner, "How to build a game-learning machine and then teach it to play and to win" (Scientific American 206(3),
//! 1962), plays the black side of Hexapawn with a matchbox for each position it can meet, positions that are mirror images
//! of each other sharing one. A box holds beads for each move; a bead drawn at random decides. After a lost game the bead
//! of the machine's last move is taken out. An empty box resigns, which is a loss too, so the bead of the move before is
//! taken out. A move that keeps a win therefore never loses its beads, and every other move that is tried often enough
//! does.
//!
//! [`Matchboxes`] does this for both sides of any [`Game`], with the symmetries of its board. Boxes are filled when they are
//! first opened.

use std::collections::{HashMap, HashSet};

use anser_core::prelude::*;
use anser_core::{Next, Outcome, Side};

use crate::{Advisor, AnalyseError, Random, Strategy};

/// Boxes of beads for the positions of a game.
///
/// ```
/// use anser_analyse::{Matchboxes, Random, Teacher};
/// use anser_core::prelude::*;
/// use anser_core::{Side, hexapawn::{BoardSize, Hexapawn}};
/// let game = Hexapawn::new("3x3".parse::<BoardSize>()?);
/// assert_eq!(Matchboxes::needed(&game, Side::Second), 19);
///
/// let mut boxes = Matchboxes::new(&game, 1);
/// let mut random = Random::new(1);
/// let taught = boxes.train(Side::Second, &Teacher::Random, 500, &mut random);
/// assert_eq!(taught.games(), 500);
/// // What is left are moves that win for Black: no further game is lost.
/// assert_eq!(boxes.train(Side::Second, &Teacher::Random, 500, &mut random).lost, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Matchboxes<G: Game> {
    game: G,
    /// The number of beads for each move in a box that is opened for the first time.
    beads: u32,
    /// By the canonical position with the side to move.
    boxes: HashMap<G::Position, Vec<Bead<G::Position>>>,
}

/// A move in a box, symmetric moves of a symmetric position being one.
#[derive(Clone, Copy, Debug)]
struct Bead<P> {
    /// What the move leads to, as a canonical position.
    after: Next<P>,
    /// The number of beads left.
    left: u32,
}

/// The opponent in games that teach.
pub enum Teacher<'a, G: Game> {
    /// Plays each legal move with the same chance.
    Random,
    /// Plays its best move by these values.
    Perfect(&'a dyn Advisor<G, Error = AnalyseError>),
}

/// How games that taught ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taught {
    /// Games won by the boxes.
    pub won: u64,
    /// Games drawn, those that were broken off included.
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

/// A game that teaches is broken off as a draw after this number of plies. Hexapawn ends long before.
const MOST_PLIES: usize = 1000;

impl<G: Game> Matchboxes<G> {
    /// Boxes that hold `beads` beads for each move when they are opened for the first time. Gardner takes one.
    pub fn new(game: &G, beads: u32) -> Matchboxes<G> {
        Matchboxes { game: game.clone(), beads, boxes: HashMap::new() }
    }

    /// The number of boxes opened so far in which `side` is to move.
    pub fn opened(&self, side: Side) -> usize {
        self.boxes.keys().filter(|position| self.game.side_to_move(position) == side).count()
    }

    /// The number of boxes that a player of `side` needs: positions in which it is to move and the game is not over, from
    /// the start of the game, with positions symmetric to each other counted once. Visits every position that play can
    /// reach, so the game has to be small.
    pub fn needed(game: &G, side: Side) -> usize {
        let (mut seen, mut open) = (HashSet::from([game.start()]), vec![game.start()]);
        let mut boxes = HashSet::new();
        while let Some(position) = open.pop() {
            if game.terminal(&position).is_some() {
                continue;
            }
            if game.side_to_move(&position) == side {
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

    /// The chance of each legal move of a position, in generation order, not normalized: all zero if the box is empty. Moves
    /// that are symmetric to each other share their beads equally.
    pub fn chances(&self, position: &G::Position) -> Vec<f64> {
        let beads = self.boxes.get(&canonical(&self.game, position));
        let afters: Vec<_> = self.game.moves(position).into_iter().map(|(_, next)| self.after(next)).collect();
        let chance = |after: &Next<G::Position>| {
            let sharing = afters.iter().filter(|other| *other == after).count();
            let left = beads
                .map_or(self.beads, |beads| beads.iter().find(|bead| bead.after == *after).map_or(0, |bead| bead.left));
            f64::from(left) / sharing as f64
        };
        afters.iter().map(chance).collect()
    }

    /// Draws a move and opens the box; nothing if the box is empty, so that the side to move resigns.
    pub fn draw(&mut self, position: &G::Position, random: &mut Random) -> Option<(G::Move, Next<G::Position>)> {
        self.open(position);
        let chosen = random.weighted(&self.chances(position))?;
        self.game.moves(position).into_iter().nth(chosen)
    }

    /// Takes out a bead of the last move of `side` in a lost game; other games leave everything as it is. `played` are the
    /// positions of the game in their order, each with what the move played there led to.
    pub fn learn(&mut self, side: Side, played: &[(G::Position, Next<G::Position>)], outcome: Outcome) {
        if outcome.score(side) >= 0 {
            return;
        }
        let own = |(from, _): &&(G::Position, Next<G::Position>)| self.game.side_to_move(from) == side;
        let Some(&(from, next)) = played.iter().rev().find(own) else { return };
        self.open(&from);
        let after = self.after(next);
        let beads = self.boxes.get_mut(&canonical(&self.game, &from));
        if let Some(bead) = beads.into_iter().flatten().find(|bead| bead.after == after) {
            bead.left = bead.left.saturating_sub(1);
        }
    }

    /// Plays `games` games from the start with `side` against a teacher, and learns from each.
    pub fn train(&mut self, side: Side, teacher: &Teacher<'_, G>, games: u64, random: &mut Random) -> Taught {
        let mut taught = Taught::default();
        for _ in 0..games {
            let (played, outcome) = self.play(side, teacher, random);
            self.learn(side, &played, outcome);
            match outcome.score(side) {
                1 => taught.won += 1,
                0 => taught.drawn += 1,
                _ => taught.lost += 1,
            }
        }
        taught
    }

    /// One game from the start.
    fn play(&mut self, side: Side, teacher: &Teacher<'_, G>, random: &mut Random) -> (Played<G>, Outcome) {
        let (mut here, mut played) = (self.game.start(), Vec::new());
        let outcome = loop {
            if let Some(outcome) = self.game.terminal(&here) {
                break outcome;
            }
            if played.len() >= MOST_PLIES {
                break Outcome::Draw;
            }
            let mover = self.game.side_to_move(&here);
            let drawn = if mover == side {
                self.draw(&here, random).map(|(_, next)| next)
            } else {
                teacher.answer(&self.game, &here, random)
            };
            // Without a move a side has resigned.
            let Some(next) = drawn else { break Outcome::Win(mover.other()) };
            played.push((here, next));
            match next {
                Next::Position(next) => here = next,
                Next::End(outcome) => break outcome,
            }
        };
        (played, outcome)
    }

    /// Fills the box of a position if it was never opened.
    fn open(&mut self, position: &G::Position) {
        let key = canonical(&self.game, position);
        if self.boxes.contains_key(&key) {
            return;
        }
        let mut beads: Vec<Bead<G::Position>> = Vec::new();
        for (_, next) in self.game.moves(position) {
            let after = self.after(next);
            if beads.iter().all(|bead| bead.after != after) {
                beads.push(Bead { after, left: self.beads });
            }
        }
        self.boxes.insert(key, beads);
    }

    /// What a move leads to, up to symmetry.
    fn after(&self, next: Next<G::Position>) -> Next<G::Position> {
        match next {
            Next::Position(next) => Next::Position(canonical(&self.game, &next)),
            Next::End(outcome) => Next::End(outcome),
        }
    }
}

/// The positions of a game in their order, each with what the move played there led to.
type Played<G> = Vec<(<G as Rules>::Position, Next<<G as Rules>::Position>)>;

impl<G: Game> Teacher<'_, G> {
    fn answer(&self, game: &G, position: &G::Position, random: &mut Random) -> Option<Next<G::Position>> {
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
fn canonical<G: Game>(game: &G, position: &G::Position) -> G::Position {
    (1..game.symmetries()).map(|symmetry| game.image(position, symmetry)).fold(*position, Ord::min)
}
