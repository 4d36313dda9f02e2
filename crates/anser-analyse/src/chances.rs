//! The chances of two sides that sometimes err, in any solved game.
//!
//! A side that errs with probability `p` plays any of its moves with probability `p`, each with the
//! same chance, and otherwise one of its best moves, each with the same chance: those of the best
//! outcome, with the shortest win or the longest loss. These are [`Weights::Literal`] of the
//! [fuzzy player](crate::Fuzzy), who plays games that go forward only, against an opponent that
//! knows how often it errs. Here play may return to a position, so the chances are those of a
//! number of plies, found by value iteration: those of `n` plies follow from those of `n - 1`.

use std::collections::HashMap;
use std::mem;
use std::ops::ControlFlow;

use anser_core::hunt::Position;
use anser_core::{BySide, LayerIndex, Next, Observer, Outcome, Probe, Side, Value};
use anser_retrograde::layer::Layer;
use anser_retrograde::parallel::{self, CHUNK, ranges};
use anser_retrograde::{AnalyseError, Limits, Reachable};

use crate::fuzz::Weights;

/// Once less than this is undecided, the plies left change nothing that matters.
const NEGLIGIBLE: f64 = 1e-12;

/// The even probability of errors is found to this precision.
const PRECISION: f64 = 1e-4;

/// If neither side wins without errors, the least probability of errors to begin a search with.
const LEAST: f64 = 1e-3;

/// Nodes of outcomes, which come after those of the classes.
const OUTCOMES: [Outcome; 3] =
    [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw];

/// The chances of a game, each 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Chances {
    /// The chance that a side wins within the plies.
    pub won: BySide<f64>,
}

impl Chances {
    /// Returns the chance that neither side wins within the plies.
    pub fn undecided(&self) -> f64 {
        (1.0 - self.won[Side::First] - self.won[Side::Second]).max(0.0)
    }

    /// Returns how much likelier the first side wins than the second, -1 to 1.
    pub fn lead(&self) -> f64 {
        self.won[Side::First] - self.won[Side::Second]
    }
}

/// The sides that err.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errs {
    /// One side, against a perfect opponent.
    One(Side),
    /// Both, equally often.
    Both,
}

impl Errs {
    /// One side, the other, and both.
    pub const ALL: [Errs; 3] = [Errs::One(Side::First), Errs::One(Side::Second), Errs::Both];

    /// Returns the probabilities of errors by side, if those who err do so with probability `p`.
    ///
    /// ```
    /// use anser_analyse::Errs;
    /// use anser_core::{BySide, Side};
    /// assert_eq!(Errs::One(Side::Second).with(0.25), BySide::new(0.0, 0.25));
    /// ```
    pub fn with(self, p: f64) -> BySide<f64> {
        BySide::from_fn(|side| match self {
            Errs::One(only) if only != side => 0.0,
            _ => p,
        })
    }
}

/// The moves of all positions that play can reach, with those that are best: for chances with any
/// probabilities of errors.
///
/// ```
/// use anser_analyse::{ErringPlay, Errs};
/// use anser_core::hexapawn::BoardSize;
/// use anser_core::{BySide, Hunt, Side, Unobserved};
/// use anser_retrograde::{Limits, Reachable, Solution};
///
/// let game = Hunt::hexapawn(BoardSize::THREE);
/// let limits = Limits::default();
/// let reachable = Reachable::from(&game, &game.start(), &limits)?;
/// let solution = Solution::reachable(&game, &game.start())?;
/// let play = ErringPlay::new(&reachable, &solution, &limits)?;
/// // Black wins with best play.
/// let perfect = play.chances(BySide::new(0.0, 0.0), 250, &Unobserved)?;
/// assert_eq!(perfect.won, BySide::new(0.0, 1.0));
/// // With many errors of black alone, white wins more often.
/// let even = play.even(Errs::One(Side::Second), 250, &Unobserved)?.expect("there is one");
/// assert!(even > 0.3 && even < 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ErringPlay {
    root: (Side, usize),
    sides: BySide<Moves>,
}

/// The moves of the classes with one side to move. The number of a class counts those with the same
/// side to move.
struct Moves {
    /// The number of classes.
    len: usize,
    /// Numbers of moves and of best moves that occur together.
    shapes: Vec<[u16; 2]>,
    /// By [`CHUNK`] classes.
    chunks: Vec<Chunk>,
}

/// The moves of some classes.
struct Chunk {
    /// By class: the start of its moves in `next`; a last entry holds their number.
    starts: Vec<u32>,
    /// By class, the number of its shape.
    shapes: Vec<u32>,
    /// Numbers of the classes that the moves lead to, the best ones first. The numbers from `len`
    /// of the other side are [`OUTCOMES`].
    next: Vec<u32>,
    /// Classes in which the game is over: their places in the chunk, and their outcomes.
    over: Vec<(u32, Outcome)>,
}

/// Chances by side that wins.
type Pair = [f64; 2];

impl ErringPlay {
    /// Finds the moves of all positions that play can reach, and the best ones by `values`, which
    /// have to be exact.
    ///
    /// # Errors
    /// [`AnalyseError::Memory`] if `limits` do not allow enough memory,
    /// [`AnalyseError::Interrupted`] if the observer interrupts; those of `values`.
    pub fn new<P>(
        reachable: &Reachable,
        values: &P,
        limits: &Limits<'_>,
    ) -> Result<ErringPlay, P::Error>
    where
        P: Probe<Error: Send + From<AnalyseError>> + Sync + ?Sized,
    {
        let numbers = Numbers::new(reachable);
        let game = reachable.game();
        let memory = |needed: u64| {
            let (what, allowed) = (game.name().into(), limits.memory);
            AnalyseError::Memory { what, needed, allowed }
        };
        // Two chances, a start, and a shape for each class, and most games have five moves or more.
        let least = reachable.classes().saturating_mul(44);
        if least > limits.memory || numbers.len.iter().any(|(_, &len)| len >= u32::MAX as usize - 3)
        {
            return Err(memory(least).into());
        }
        limits.observer.begin("moves", reachable.classes());
        let mut held = 24 * reachable.classes();
        let sides = BySide::try_from_fn(|side| {
            let parts = numbers.layers.iter().flat_map(|layer| {
                let classes = layer.classes[side];
                ranges(classes.len(), CHUNK).map(move |slots| (layer, classes.members(slots)))
            });
            let found = parallel::try_map(parts, &|(layer, ranks)| {
                if limits.observer.interrupted() {
                    return Err(AnalyseError::Interrupted.into());
                }
                let mut moves = Found::default();
                for rank in ranks {
                    moves.add(&numbers, &layer.index.unrank(side, rank), values)?;
                }
                limits.observer.advance(moves.shapes.len() as u64);
                Ok::<_, P::Error>(moves)
            })?;
            held += found.iter().map(|found| 4 * found.chunk.next.len() as u64).sum::<u64>();
            if held > limits.memory {
                return Err(memory(held).into());
            }
            Ok::<_, P::Error>(Moves::new(numbers.len[side], found))
        })?;
        let root = numbers.number(&reachable.root()).ok_or_else(|| AnalyseError::Lost {
            position: game.format_position(&reachable.root()),
        })?;
        Ok(ErringPlay { root, sides })
    }

    /// Returns the chances from the root within a number of plies, if the sides err with these
    /// probabilities, 0 to 1. The figures are exact but for rounding, and for less than 10^-12 if
    /// nearly every game is decided earlier. The observer advances by `plies`.
    ///
    /// # Errors
    /// [`AnalyseError::Interrupted`] if the observer interrupts.
    pub fn chances(
        &self,
        errors: BySide<f64>,
        plies: u32,
        observer: &dyn Observer,
    ) -> Result<Chances, AnalyseError> {
        let (root_side, root) = self.root;
        let mut chances = BySide::from_fn(|side| self.sides[side].without_plies());
        // Numbers of plies that changed no chance, of those that came last.
        let mut still = 0;
        let mut done = 0;
        for ply in 1..=plies {
            if observer.interrupted() {
                return Err(AnalyseError::Interrupted);
            }
            // The last of the plies is that of the root.
            let side = if (plies - ply).is_multiple_of(2) { root_side } else { root_side.other() };
            let mut own = mem::take(&mut chances[side]);
            let changed = self.sides[side].step(&mut own, &chances[side.other()], errors[side]);
            chances[side] = own;
            observer.advance(1);
            done = ply;
            still = if changed { 0 } else { still + 1 };
            let [first, second] = chances[root_side][root];
            if still >= 2 || (side == root_side && 1.0 - first - second < NEGLIGIBLE) {
                break;
            }
        }
        observer.advance(u64::from(plies - done));
        let [first, second] = chances[root_side][root];
        Ok(Chances { won: BySide::new(first, second) })
    }

    /// Returns the probability of errors with which both sides win equally often within a number of
    /// plies, found by bisection to 0.0001; `None` if one side leads both without errors and if
    /// every move is an error. If neither side wins without errors, the search begins at 0.001. Of
    /// several such probabilities, one is returned.
    ///
    /// # Errors
    /// [`AnalyseError::Interrupted`] if the observer interrupts.
    pub fn even(
        &self,
        errs: Errs,
        plies: u32,
        observer: &dyn Observer,
    ) -> Result<Option<f64>, AnalyseError> {
        let lead =
            |p: f64| self.chances(errs.with(p), plies, observer).map(|chances| chances.lead());
        let (mut low, mut high) = (0.0, 1.0);
        let mut at_low = lead(low)?;
        if at_low == 0.0 {
            low = LEAST;
            at_low = lead(low)?;
        }
        if at_low * lead(high)? >= 0.0 {
            return Ok(None);
        }
        while high - low > PRECISION {
            let middle = f64::midpoint(low, high);
            if lead(middle)? * at_low > 0.0 { low = middle } else { high = middle }
        }
        Ok(Some(f64::midpoint(low, high)))
    }
}

impl Moves {
    fn new(len: usize, found: Vec<Found>) -> Moves {
        let (mut numbers, mut shapes) = (HashMap::new(), Vec::new());
        let mut number = |shape: [u16; 2]| {
            *numbers.entry(shape).or_insert_with(|| {
                shapes.push(shape);
                shapes.len() as u32 - 1
            })
        };
        let chunks = found.into_iter().map(|Found { mut chunk, shapes }| {
            chunk.shapes = shapes.into_iter().map(&mut number).collect();
            chunk
        });
        let chunks = chunks.collect();
        Moves { len, shapes, chunks }
    }

    /// Divides the chances of the classes among the chunks.
    fn divide<'c>(
        &'c self,
        mut chances: &'c mut [Pair],
    ) -> impl Iterator<Item = (&'c Chunk, &'c mut [Pair])> {
        self.chunks.iter().map(move |chunk| {
            let (own, rest) = mem::take(&mut chances).split_at_mut(chunk.shapes.len());
            chances = rest;
            (chunk, own)
        })
    }

    /// Returns the chances if no ply is played, and those of the outcomes after them.
    fn without_plies(&self) -> Vec<Pair> {
        let mut chances = vec![[0.0; 2]; self.len];
        for (chunk, chances) in self.divide(&mut chances) {
            for &(place, outcome) in &chunk.over {
                chances[place as usize] = pair(outcome);
            }
        }
        chances.extend(OUTCOMES.map(pair));
        chances
    }

    /// Replaces the chances of this side to move by those with a ply more. `other` are those of the
    /// other side to move. Returns whether any changed.
    fn step(&self, own: &mut [Pair], other: &[Pair], p: f64) -> bool {
        let weights: Vec<[f64; 2]> = self
            .shapes
            .iter()
            .map(|&[moves, best]| Weights::Literal.chances(p, moves.into(), best.into()))
            .collect();
        let changed = parallel::map(self.divide(own), &|(chunk, chances)| {
            let mut differs = false;
            for (place, chance) in chances.iter_mut().enumerate() {
                let next =
                    &chunk.next[chunk.starts[place] as usize..chunk.starts[place + 1] as usize];
                if next.is_empty() {
                    continue;
                }
                let shape = chunk.shapes[place] as usize;
                let (best, others) = next.split_at(usize::from(self.shapes[shape][1]));
                let [good, rest] = weights[shape];
                let sum = |next: &[u32]| {
                    next.iter().fold([0.0; 2], |[first, second], &to| {
                        let [f, s] = other[to as usize];
                        [first + f, second + s]
                    })
                };
                let of_best = sum(best);
                let of_others = if rest == 0.0 { [0.0; 2] } else { sum(others) };
                let new =
                    [0, 1].map(|winner: usize| good * of_best[winner] + rest * of_others[winner]);
                differs |= new.map(f64::to_bits) != chance.map(f64::to_bits);
                *chance = new;
            }
            differs
        });
        changed.contains(&true)
    }
}

fn pair(outcome: Outcome) -> Pair {
    match outcome {
        Outcome::Win(Side::First) => [1.0, 0.0],
        Outcome::Win(Side::Second) => [0.0, 1.0],
        Outcome::Draw => [0.0, 0.0],
    }
}

/// The numbers of the classes of reachable positions.
struct Numbers<'a> {
    reachable: &'a Reachable,
    layers: Vec<Layer<'a>>,
    /// By layer and side, the number of the first class.
    firsts: Vec<[usize; 2]>,
    len: BySide<usize>,
}

impl<'a> Numbers<'a> {
    fn new(reachable: &'a Reachable) -> Numbers<'a> {
        let mut len = BySide::new(0, 0);
        let layers: Vec<Layer<'_>> = reachable.layers().collect();
        let mut firsts = Vec::new();
        for layer in &layers {
            firsts.push([len[Side::First], len[Side::Second]]);
            for side in Side::BOTH {
                len[side] += layer.classes[side].len();
            }
        }
        Numbers { reachable, layers, firsts, len }
    }

    fn number(&self, position: &Position) -> Option<(Side, usize)> {
        let (ordinal, side, slot) = self.reachable.locate(position)?;
        Some((side, self.firsts[ordinal][side.index()] + slot))
    }
}

/// The moves of some classes, and their shapes, which have no numbers yet.
struct Found {
    chunk: Chunk,
    shapes: Vec<[u16; 2]>,
}

impl Default for Found {
    fn default() -> Found {
        let chunk =
            Chunk { starts: vec![0], shapes: Vec::new(), next: Vec::new(), over: Vec::new() };
        Found { chunk, shapes: Vec::new() }
    }
}

impl Found {
    /// Appends the moves of the next class.
    fn add<P>(
        &mut self,
        numbers: &Numbers<'_>,
        position: &Position,
        values: &P,
    ) -> Result<(), P::Error>
    where
        P: Probe<Error: From<AnalyseError>> + ?Sized,
    {
        let game = numbers.reachable.game();
        let (side, chunk) = (position.to_move(), &mut self.chunk);
        let others = numbers.len[side.other()];
        let mut found = Vec::new();
        let flow = game.visit_successors(position, |_, next| {
            let (value, to) = match &next {
                Next::End(end) => (Value::ended(end.outcome), None),
                Next::Position(to) => match values.value(to) {
                    Ok(value) => (value, Some(to)),
                    Err(error) => return ControlFlow::Break(error),
                },
            };
            let number = match to {
                // Play ends there.
                _ if value.plies == Some(0) => {
                    others + OUTCOMES.iter().take_while(|&&other| other != value.outcome).count()
                }
                None => others + OUTCOMES.len() - 1,
                Some(to) => {
                    let Some((_, number)) = numbers.number(to) else {
                        return ControlFlow::Break(AnalyseError::unknown(game, to).into());
                    };
                    number
                }
            };
            found.push((value.score(side), number as u32));
            ControlFlow::Continue(())
        });
        if let ControlFlow::Break(error) = flow {
            return Err(error);
        }
        let place = chunk.starts.len() as u32 - 1;
        if let Some(outcome) = game.terminal(position).filter(|_| found.is_empty()) {
            chunk.over.push((place, outcome));
        }
        let best = found.iter().map(|&(score, _)| score).max();
        let start = chunk.next.len();
        let of_kind = |is_best: bool| {
            let found = found.iter().filter(move |(score, _)| (Some(*score) == best) == is_best);
            found.map(|&(_, number)| number)
        };
        chunk.next.extend(of_kind(true));
        self.shapes.push([found.len() as u16, (chunk.next.len() - start) as u16]);
        chunk.next.extend(of_kind(false));
        chunk.starts.push(chunk.next.len() as u32);
        Ok(())
    }
}
