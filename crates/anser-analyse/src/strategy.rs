//! Which move to play when the value of every move is known.
//!
//! Values say which moves keep the result. Of these a player takes the quickest win; where it can not win it does what makes
//! the win hardest for a person: what that is, the documents of some games say. And with some chance it strays.

use std::cmp::Reverse;

use anser_core::hounds::{Hunt, HuntRules, Position};
use anser_core::prelude::*;
use anser_core::{Next, Outcome, RatedMove, Side, Value};

use crate::{FoxBoxes, Games, Random, Solution, Weights};

/// Knows values, and what the document of a game or a learner prefers. Players take their moves from it.
///
/// A position whose value is an error counts as unknown.
pub trait Advisor<G: Game>: Probe<G> {
    /// Returns how much the document of the game prefers a move to the position `after`, of those moves that keep the
    /// result, which is `outcome`: the larger the better. `None` where the document has no preference.
    fn preference(&self, after: &G::Position, outcome: Outcome) -> Option<f64> {
        let _ = (after, outcome);
        None
    }

    /// Returns the chance of each move of a position, in generation order, by the beads of a
    /// [learner](crate::Matchboxes): all zero where it resigns. `None` without a learner.
    fn beads(&self, position: &G::Position) -> Option<Vec<f64>> {
        let _ = position;
        None
    }
}

impl<G: Game> Advisor<G> for Solution<G> {}

/// The preferences of "Fox & Hounds" (the seed of Fox-and-Hounds): where the fox wins, the longest win; where the hounds
/// win, the greatest [maxB](crate::MaxB).
impl<R: HuntRules> Advisor<Hunt<R>> for FoxBoxes<R> {
    fn preference(&self, after: &Position, outcome: Outcome) -> Option<f64> {
        if outcome == Outcome::Win(Side::First) {
            return self.value(after)?.plies().map(f64::from);
        }
        let max = self.max_b(after)?;
        let b = max.b.map_or(f64::from(u16::MAX), f64::from);
        Some(b * 65_536.0 - f64::from(max.plies))
    }
}

/// The preference of the author of Hasenspiel: of moves with equal results for the opponent, the one that leaves it the
/// smallest share of won games.
impl<G: Game> Advisor<G> for Games<'_, G> {
    fn preference(&self, after: &G::Position, _: Outcome) -> Option<f64> {
        let opponent = self.solution().game().side_to_move(after);
        Some(-self.tally(after)?.share(opponent))
    }
}

/// Returns the moves from a position in generation order, each with the value of what it leads to where `probe` knows it.
///
/// ```
/// use anser_analyse::{Solution, known_moves};
/// use anser_core::prelude::*;
/// use anser_core::hexapawn::{BoardSize, Hexapawn};
/// let game = Hexapawn::new("3x3".parse::<BoardSize>()?);
/// let solution = Solution::reachable(&game, &game.start())?;
/// // White loses with each of its three moves; after the one in the middle Black takes longest.
/// let plies: Vec<_> = known_moves(&game, &solution, &game.start()).iter().map(|rated| rated.value?.plies).collect();
/// assert_eq!(plies, [Some(3), Some(5), Some(3)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn known_moves<G: Game>(game: &G, probe: &(impl Probe<G> + ?Sized), position: &G::Position) -> Vec<RatedMove<G>> {
    let rate = |(mv, next)| {
        let value = match &next {
            Next::End(outcome) => Some(Value::ended(*outcome)),
            Next::Position(next) => game.terminal(next).map(Value::ended).or_else(|| probe.value(next).ok()),
        };
        RatedMove { mv, next, value }
    };
    game.moves(position).into_iter().map(rate).collect()
}

/// What a player does with moves that all keep the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Wins as soon as it can; when lost does what the document of the game says, or else holds out longest.
    #[default]
    Hard,
    /// Does what the document of the game says, where it says something: so also in won positions.
    Document,
    /// Wins as soon as it can, and holds out longest when lost.
    Quick,
    /// Draws a bead from the box of the position, where the advisor has [beads](Advisor::beads), and resigns if the box is
    /// empty; elsewhere as [`Hard`](Style::Hard).
    Matchbox,
}

/// How a player chooses.
///
/// ```
/// use anser_analyse::{Random, Solution, Strategy};
/// use anser_core::prelude::*;
/// use anser_core::hexapawn::{BoardSize, Hexapawn};
/// let game = Hexapawn::new("3x3".parse::<BoardSize>()?);
/// let solution = Solution::reachable(&game, &game.start())?;
/// let chosen = Strategy::default().choose(&game, &solution, &game.start(), &[], &mut Random::new(1));
/// assert_eq!(chosen.map(|chosen| game.format_move(&chosen.mv)), Some("b1-b2".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strategy {
    /// What it does with moves that keep the result.
    pub style: Style,
    /// The fuzz factor, 0 to 1: how often it strays from its best moves.
    pub fuzz: f64,
    /// What the fuzz factor means.
    pub weights: Weights,
}

impl Strategy {
    /// Chooses a move; nothing where there is none, or where a learner resigns. `seen` are the positions of the game so far, which a player that knows no
    /// distances keeps away from when it is to win.
    pub fn choose<G: Game>(
        &self,
        game: &G,
        advisor: &(impl Advisor<G> + ?Sized),
        position: &G::Position,
        seen: &[G::Position],
        random: &mut Random,
    ) -> Option<RatedMove<G>> {
        let mut moves = known_moves(game, advisor, position);
        if self.style == Style::Matchbox
            && let Some(beads) = advisor.beads(position)
        {
            let chosen = random.weighted(&beads)?;
            return (chosen < moves.len()).then(|| moves.swap_remove(chosen));
        }
        let best = self.best(game, advisor, game.side_to_move(position), &moves, seen);
        let chosen = random.weighted(&self.chances(&best))?;
        Some(moves.swap_remove(chosen))
    }

    /// Whether the values of the moves leave open which is best: none is known to win, and some are not known.
    pub fn is_open<G: Game>(moves: &[RatedMove<G>], side: Side) -> bool {
        let class = |rated: &RatedMove<G>| Class::of(rated.value, side);
        moves.iter().any(|rated| class(rated) == Class::Unknown) && moves.iter().all(|rated| class(rated) != Class::Won)
    }

    /// Of moves that a search holds for equally good, those that look most like progress: to a position that was not there
    /// before, with the fewest replies.
    pub fn promising<G: Game>(game: &G, best: &[bool], moves: &[RatedMove<G>], seen: &[G::Position]) -> Vec<bool> {
        keys(best, moves, |rated| Some(progress(game, rated, seen))).unwrap_or_else(|| best.to_vec())
    }

    /// The chance of each move, by whether it is one of the best.
    pub fn chances(&self, best: &[bool]) -> Vec<f64> {
        let count = best.iter().filter(|&&best| best).count();
        if count == 0 {
            return vec![0.0; best.len()];
        }
        let [good, other] = self.weights.chances(self.fuzz, best.len(), count);
        best.iter().map(|&best| if best { good } else { other }).collect()
    }

    /// Which of the moves that `side` has are its best: at least one if there are any.
    pub fn best<G: Game>(
        &self,
        game: &G,
        advisor: &(impl Advisor<G> + ?Sized),
        side: Side,
        moves: &[RatedMove<G>],
        seen: &[G::Position],
    ) -> Vec<bool> {
        let class = |rated: &RatedMove<G>| Class::of(rated.value, side);
        let Some(result) = moves.iter().map(class).max() else { return Vec::new() };
        let keeps: Vec<bool> = moves.iter().map(|rated| class(rated) == result).collect();
        let document = || keys(&keeps, moves, |rated| preference(advisor, rated).map(Preferred));
        let documented = match (self.style, result) {
            (Style::Document, Class::Won | Class::Lost) | (Style::Hard | Style::Matchbox, Class::Lost) => document(),
            _ => None,
        };
        if let Some(best) = documented {
            return best;
        }
        let plies = |rated: &RatedMove<G>| rated.value.and_then(|value| value.plies);
        let best = match result {
            Class::Won => keys(&keeps, moves, |rated| {
                let plies = Reverse(plies(rated).unwrap_or(u16::MAX));
                Some((plies, progress(game, rated, seen).filter(|_| plies.0 == u16::MAX)))
            }),
            Class::Drawn => keys(&keeps, moves, |rated| Some(traps(game, advisor, rated))),
            Class::Lost if keeps.iter().zip(moves).all(|(keeps, rated)| !keeps || plies(rated).is_some()) => {
                keys(&keeps, moves, plies)
            }
            Class::Lost => keys(&keeps, moves, |rated| Some(traps(game, advisor, rated))),
            Class::Unknown => None,
        };
        best.unwrap_or(keeps)
    }
}

/// What a move leads to for whoever plays it, the better the greater. A draw that is known is taken before what is not known,
/// and that before a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Lost,
    Unknown,
    Drawn,
    Won,
}

impl Class {
    fn of(value: Option<Value>, side: Side) -> Class {
        match value.map(|value| value.outcome.score(side)) {
            None => Class::Unknown,
            Some(1) => Class::Won,
            Some(0) => Class::Drawn,
            Some(_) => Class::Lost,
        }
    }
}

/// A preference, to be compared.
#[derive(Clone, Copy, PartialEq)]
struct Preferred(f64);

impl Eq for Preferred {}

impl Ord for Preferred {
    fn cmp(&self, other: &Preferred) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Preferred {
    fn partial_cmp(&self, other: &Preferred) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Which of the moves that keep the result have the greatest key; nothing if one of them has none.
fn keys<G: Game, K: Ord>(
    keeps: &[bool],
    moves: &[RatedMove<G>],
    key: impl Fn(&RatedMove<G>) -> Option<K>,
) -> Option<Vec<bool>> {
    let keyed = keeps.iter().zip(moves).map(|(&keeps, rated)| if keeps { Some(key(rated)) } else { None });
    let keyed: Vec<Option<Option<K>>> = keyed.collect();
    if keyed.iter().flatten().any(Option::is_none) {
        return None;
    }
    let greatest = keyed.iter().flatten().max()?;
    Some(keyed.iter().map(|key| key.as_ref() == Some(greatest)).collect())
}

fn preference<G: Game>(advisor: &(impl Advisor<G> + ?Sized), rated: &RatedMove<G>) -> Option<f64> {
    match &rated.next {
        Next::Position(after) => advisor.preference(after, rated.value?.outcome),
        Next::End(_) => None,
    }
}

/// How much a winning move looks like progress where no distance says it: to a position that was not there before, by a
/// capture, and so that the opponent can hardly move.
fn progress<G: Game>(
    game: &G,
    rated: &RatedMove<G>,
    seen: &[G::Position],
) -> Option<(bool, Reverse<u16>, Reverse<usize>)> {
    let Next::Position(after) = &rated.next else { return None };
    let replies = game.moves(after).len();
    Some((!seen.contains(after), Reverse(game.layer(after)), Reverse(replies)))
}

/// The number of replies to a move by which the opponent spoils its result.
fn traps<G: Game>(game: &G, advisor: &(impl Advisor<G> + ?Sized), rated: &RatedMove<G>) -> usize {
    let (Next::Position(after), Some(value)) = (&rated.next, rated.value) else { return 0 };
    let opponent = game.side_to_move(after);
    let replies = known_moves(game, advisor, after);
    let spoils = |reply: &&RatedMove<G>| {
        reply.value.is_some_and(|reply| reply.outcome.score(opponent) < value.outcome.score(opponent))
    };
    replies.iter().filter(spoils).count()
}
