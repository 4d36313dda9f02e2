//! Which move to play when the value of every move is known.
//!
//! Values say which moves keep the result. Of these a player takes the quickest win; where it can not win it does what makes
//! the win hardest for a person: what that is, the documents of some games say. And with some chance it strays.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use anser_core::hounds::{Hunt, HuntRules, Position};
use anser_core::{Dtw, Game, Next, Outcome, Side};

use crate::{FoxBoxes, Games, Random, Solution, Weights};

/// What is known of a position: who wins and, where distances are known, in how many plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// Who wins.
    pub outcome: Outcome,
    /// Plies to the win; none in a draw, and none where only the outcome is known.
    pub plies: Option<u16>,
}

impl Worth {
    /// The worth of a position for where a move to it is played from: one ply more.
    #[must_use]
    pub fn before(self) -> Worth {
        Worth { plies: self.plies.map(|plies| plies.saturating_add(1)), ..self }
    }
}

impl From<Dtw> for Worth {
    fn from(value: Dtw) -> Worth {
        Worth { outcome: value.outcome(), plies: value.plies() }
    }
}

/// Where a player knows the worth of positions from.
pub trait Source<G: Game> {
    /// The worth of a position; nothing if it is not known.
    fn worth(&self, position: &G::Position) -> Option<Worth>;

    /// How much the document of the game wants a move to the position `after`, of those moves that keep the result, which is
    /// `outcome`: the larger the better. Nothing where the document does not say.
    fn preference(&self, after: &G::Position, outcome: Outcome) -> Option<f64> {
        let _ = (after, outcome);
        None
    }

    /// The chance of each move of a position, in generation order, by the beads of a [learner](crate::Matchboxes): all zero
    /// where it resigns. Nothing without a learner.
    fn beads(&self, position: &G::Position) -> Option<Vec<f64>> {
        let _ = position;
        None
    }
}

impl<G: Game> Source<G> for Solution<G> {
    fn worth(&self, position: &G::Position) -> Option<Worth> {
        self.value(position).map(Worth::from)
    }
}

/// What "Fox & Hounds" (the seed of Fox-and-Hounds) plays: where the fox wins the longest win, whoever plays; where the hounds
/// win the greatest [maxB](crate::MaxB).
impl<R: HuntRules> Source<Hunt<R>> for FoxBoxes<R> {
    fn worth(&self, position: &Position) -> Option<Worth> {
        self.value(position).map(Worth::from)
    }

    fn preference(&self, after: &Position, outcome: Outcome) -> Option<f64> {
        if outcome == Outcome::Win(Side::First) {
            return self.value(after)?.plies().map(f64::from);
        }
        let max = self.max_b(after)?;
        let b = max.b.map_or(f64::from(u16::MAX), f64::from);
        Some(b * 65_536.0 - f64::from(max.plies))
    }
}

/// What the author of Hasenspiel plays: of moves after which the opponent can do the same, the one that leaves it the
/// smallest share of won games.
impl<G: Game> Source<G> for Games<'_, G> {
    fn worth(&self, position: &G::Position) -> Option<Worth> {
        self.solution().worth(position)
    }

    fn preference(&self, after: &G::Position, _: Outcome) -> Option<f64> {
        let opponent = self.solution().game().side_to_move(after);
        Some(-self.tally(after)?.share(opponent))
    }
}

/// A move that can be played.
#[derive(Clone, Debug)]
pub struct Candidate<G: Game> {
    /// The move.
    pub mv: G::Move,
    /// What it leads to.
    pub next: Next<G::Position>,
    /// Its worth for where it is played from: a move that wins at once is a win in one ply. Nothing if it is not known.
    pub worth: Option<Worth>,
}

/// The moves from a position, in generation order.
///
/// ```
/// use anser_analyse::{Solution, candidates};
/// use anser_core::prelude::*;
/// use anser_core::hexapawn::{BoardSize, Hexapawn};
/// let game = Hexapawn::new("3x3".parse::<BoardSize>()?);
/// let solution = Solution::reachable(&game, &game.start())?;
/// // White loses with each of its three moves; with the one in the middle it holds out longest.
/// let plies: Vec<_> = candidates(&game, &solution, &game.start()).iter().map(|c| c.worth?.plies).collect();
/// assert_eq!(plies, [Some(4), Some(6), Some(4)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn candidates<G: Game>(game: &G, source: &(impl Source<G> + ?Sized), position: &G::Position) -> Vec<Candidate<G>> {
    let mut found = Vec::new();
    let _ = game.visit_moves(position, |mv, next| {
        let ended = match &next {
            Next::End(outcome) => Some(*outcome),
            Next::Position(next) => game.terminal(next),
        };
        let worth = match (ended, &next) {
            (Some(outcome), _) => Some(Dtw::ended(outcome).into()),
            (None, Next::Position(next)) => source.worth(next),
            (None, Next::End(_)) => None,
        };
        found.push(Candidate { mv, next, worth: worth.map(Worth::before) });
        ControlFlow::<()>::Continue(())
    });
    found
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
    /// Draws a bead from the box of the position, where the source has [beads](Source::beads), and resigns if the box is
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
        source: &(impl Source<G> + ?Sized),
        position: &G::Position,
        seen: &[G::Position],
        random: &mut Random,
    ) -> Option<Candidate<G>> {
        let mut moves = candidates(game, source, position);
        if self.style == Style::Matchbox
            && let Some(beads) = source.beads(position)
        {
            let chosen = random.weighted(&beads)?;
            return (chosen < moves.len()).then(|| moves.swap_remove(chosen));
        }
        let best = self.best(game, source, game.side_to_move(position), &moves, seen);
        let chosen = random.weighted(&self.chances(&best))?;
        Some(moves.swap_remove(chosen))
    }

    /// Whether the values of the moves leave open which is best: none is known to win, and some are not known.
    pub fn is_open<G: Game>(moves: &[Candidate<G>], side: Side) -> bool {
        let class = |candidate: &Candidate<G>| Class::of(candidate.worth, side);
        moves.iter().any(|candidate| class(candidate) == Class::Unknown)
            && moves.iter().all(|candidate| class(candidate) != Class::Won)
    }

    /// Of moves that a search holds for equally good, those that look most like progress: to a position that was not there
    /// before, with the fewest replies.
    pub fn promising<G: Game>(game: &G, best: &[bool], moves: &[Candidate<G>], seen: &[G::Position]) -> Vec<bool> {
        keys(best, moves, |candidate| Some(progress(game, candidate, seen))).unwrap_or_else(|| best.to_vec())
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
        source: &(impl Source<G> + ?Sized),
        side: Side,
        moves: &[Candidate<G>],
        seen: &[G::Position],
    ) -> Vec<bool> {
        let class = |candidate: &Candidate<G>| Class::of(candidate.worth, side);
        let Some(result) = moves.iter().map(class).max() else { return Vec::new() };
        let keeps: Vec<bool> = moves.iter().map(|candidate| class(candidate) == result).collect();
        let document = || keys(&keeps, moves, |candidate| preference(source, candidate).map(Preferred));
        let documented = match (self.style, result) {
            (Style::Document, Class::Won | Class::Lost) | (Style::Hard | Style::Matchbox, Class::Lost) => document(),
            _ => None,
        };
        if let Some(best) = documented {
            return best;
        }
        let plies = |candidate: &Candidate<G>| candidate.worth.and_then(|worth| worth.plies);
        let best = match result {
            Class::Won => keys(&keeps, moves, |candidate| {
                let plies = Reverse(plies(candidate).unwrap_or(u16::MAX));
                Some((plies, progress(game, candidate, seen).filter(|_| plies.0 == u16::MAX)))
            }),
            Class::Drawn => keys(&keeps, moves, |candidate| Some(traps(game, source, candidate))),
            Class::Lost if keeps.iter().zip(moves).all(|(keeps, candidate)| !keeps || plies(candidate).is_some()) => {
                keys(&keeps, moves, plies)
            }
            Class::Lost => keys(&keeps, moves, |candidate| Some(traps(game, source, candidate))),
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
    fn of(worth: Option<Worth>, side: Side) -> Class {
        match worth.map(|worth| worth.outcome.score(side)) {
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
    moves: &[Candidate<G>],
    key: impl Fn(&Candidate<G>) -> Option<K>,
) -> Option<Vec<bool>> {
    let keyed = keeps.iter().zip(moves).map(|(&keeps, candidate)| if keeps { Some(key(candidate)) } else { None });
    let keyed: Vec<Option<Option<K>>> = keyed.collect();
    if keyed.iter().flatten().any(Option::is_none) {
        return None;
    }
    let greatest = keyed.iter().flatten().max()?;
    Some(keyed.iter().map(|key| key.as_ref() == Some(greatest)).collect())
}

fn preference<G: Game>(source: &(impl Source<G> + ?Sized), candidate: &Candidate<G>) -> Option<f64> {
    match &candidate.next {
        Next::Position(after) => source.preference(after, candidate.worth?.outcome),
        Next::End(_) => None,
    }
}

/// How much a winning move looks like progress where no distance says it: to a position that was not there before, by a
/// capture, and so that the opponent can hardly move.
fn progress<G: Game>(
    game: &G,
    candidate: &Candidate<G>,
    seen: &[G::Position],
) -> Option<(bool, Reverse<u16>, Reverse<usize>)> {
    let Next::Position(after) = &candidate.next else { return None };
    let mut replies = 0;
    let _ = game.visit_moves(after, |_, _| {
        replies += 1;
        ControlFlow::<()>::Continue(())
    });
    Some((!seen.contains(after), Reverse(game.layer(after)), Reverse(replies)))
}

/// The number of replies to a move by which the opponent spoils its result.
fn traps<G: Game>(game: &G, source: &(impl Source<G> + ?Sized), candidate: &Candidate<G>) -> usize {
    let (Next::Position(after), Some(worth)) = (&candidate.next, candidate.worth) else { return 0 };
    let opponent = game.side_to_move(after);
    let replies = candidates(game, source, after);
    let spoils = |reply: &&Candidate<G>| {
        reply.worth.is_some_and(|reply| reply.outcome.score(opponent) < worth.outcome.score(opponent))
    };
    replies.iter().filter(spoils).count()
}
