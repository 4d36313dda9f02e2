//! Players that choose moves by their values.
//!
//! Of the moves that keep the result, a player takes the quickest win. Where it cannot win, it
//! makes the win hard for a person, by the preferences of the document of the game if there are
//! any. Among draws it keeps its material, and then leaves the opponent the largest share of
//! replies that lose. A fuzz factor makes it play other moves with some probability.

use std::cmp::Reverse;

use anser_core::hunt::Position;
use anser_core::{Hunt, Next, Outcome, Probe, RatedMove, Side, Value};
use anser_retrograde::{Games, Solution};

use crate::foxbox::FoxBoxes;
use crate::fuzz::Weights;
use crate::level::Level;
use crate::random::Random;
use crate::search::{BRIEF, Budget, Opinion, Unknown, convert, hold, search};

/// Knows values, and what the document of a game or a learner prefers. Players take their moves
/// from it.
///
/// Implemented for solutions in memory, and in `anser-games` for values from anywhere, among
/// others.
///
/// A position whose value is an error counts as unknown.
pub trait Advisor: Probe {
    /// Returns how much the document of the game prefers a move to the position `after`, of those
    /// moves that keep the result, which is `outcome`: the larger the better. `None` where the
    /// document has no preference.
    fn preference(&self, after: &Position, outcome: Outcome) -> Option<f64> {
        let _ = (after, outcome);
        None
    }

    /// Returns the chance of each move of a position, in generation order, by a learner such as
    /// [`Matchboxes`](crate::Matchboxes): all zero where it resigns. `None` without a learner.
    fn learned(&self, position: &Position) -> Option<Vec<f64>> {
        let _ = position;
        None
    }
}

impl Advisor for Solution {}

impl Advisor for Unknown {}

/// The preferences of "Fox & Hounds" (the seed of Fox-and-Hounds): where the fox wins, the longest
/// win; where the hounds win, the greatest [maxB](crate::MaxB).
impl Advisor for FoxBoxes {
    fn preference(&self, after: &Position, outcome: Outcome) -> Option<f64> {
        if outcome == Outcome::Win(Side::First) {
            return self.get(after)?.plies().map(f64::from);
        }
        let max = self.max_b(after)?;
        let b = max.b.map_or(f64::from(u16::MAX), f64::from);
        Some(b * 65_536.0 - f64::from(max.plies))
    }
}

/// The preference of the author of Hasenspiel: of moves with equal results for the opponent, the
/// one that leaves it the smallest share of won games.
impl Advisor for Games<'_> {
    fn preference(&self, after: &Position, _: Outcome) -> Option<f64> {
        let opponent = after.to_move();
        Some(-self.tally(after)?.share(opponent))
    }
}

/// Returns the moves from a position in generation order, each with the value of what it leads to
/// where `probe` knows it.
///
/// ```
/// use anser_analyse::known_moves;
/// use anser_core::Hunt;
/// use anser_core::hexapawn::BoardSize;
/// use anser_retrograde::Solution;
/// let game = Hunt::hexapawn("3x3".parse::<BoardSize>()?);
/// let solution = Solution::reachable(&game, &game.start())?;
/// // White loses with each of its three moves; after the one in the middle Black takes longest.
/// let moves = known_moves(&game, &solution, &game.start());
/// let plies: Vec<_> = moves.iter().map(|rated| rated.value?.plies).collect();
/// assert_eq!(plies, [Some(3), Some(5), Some(3)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn known_moves(
    game: &Hunt,
    probe: &(impl Probe + ?Sized),
    position: &Position,
) -> Vec<RatedMove> {
    let rate = |(mv, next)| {
        let ended = game.outcome_after(&next).map(Value::ended);
        let value = ended.or_else(|| probe.value(next.position()).ok());
        RatedMove { mv, next, value }
    };
    game.moves(position).into_iter().map(rate).collect()
}

/// Preference among moves that keep the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Wins as fast as possible. When lost, follows the preferences of the document, or loses as
    /// late as possible.
    #[default]
    Hard,
    /// Follows the preferences of the document wherever it has any, also in won positions.
    Document,
    /// Wins as fast as possible, and loses as late as possible.
    Quick,
    /// Draws a bead from the box of the position, where the advisor has [learned](Advisor::learned)
    /// its chances, and resigns if the box is empty; elsewhere as [`Hard`](Style::Hard).
    Matchbox,
    /// Plays what a trained network chooses, where the advisor has [learned](Advisor::learned) it;
    /// elsewhere as [`Hard`](Style::Hard).
    Model,
    /// Errs as people of this strength do. Where it does not, it plays as [`Quick`](Style::Quick),
    /// but sees no further than its [horizon](Level::horizon) in draws.
    Level(Level),
    /// Searches by material, at most as deep as the [horizon](Level::horizon) of this level, as if
    /// no values were known.
    Search(Level),
}

impl Style {
    /// All styles.
    pub const ALL: [Style; 13] = [
        Style::Hard,
        Style::Document,
        Style::Quick,
        Style::Level(Level::Beginner),
        Style::Level(Level::Casual),
        Style::Level(Level::Skilled),
        Style::Level(Level::Expert),
        Style::Search(Level::Beginner),
        Style::Search(Level::Casual),
        Style::Search(Level::Skilled),
        Style::Search(Level::Expert),
        Style::Matchbox,
        Style::Model,
    ];

    /// The [levels](Level), the weakest first, the searches likewise, and perfect play.
    pub const STRENGTHS: [Style; 9] = [
        Style::Level(Level::Beginner),
        Style::Level(Level::Casual),
        Style::Level(Level::Skilled),
        Style::Level(Level::Expert),
        Style::Search(Level::Beginner),
        Style::Search(Level::Casual),
        Style::Search(Level::Skilled),
        Style::Search(Level::Expert),
        Style::Quick,
    ];

    /// Returns the style of this name among some.
    ///
    /// # Errors
    /// The names to choose from, if none of them has this one.
    pub fn named(name: &str, among: &[Style]) -> Result<Style, String> {
        let found = among.iter().find(|style| style.id().eq_ignore_ascii_case(name));
        found.copied().ok_or_else(|| {
            let names: Vec<&str> = among.iter().map(|style| style.id()).collect();
            format!("no style is called {name:?} [possible values: {}]", names.join(", "))
        })
    }

    /// Whether it errs by itself, without a fuzz factor.
    pub fn is_level(self) -> bool {
        matches!(self, Style::Level(_))
    }

    /// Returns the name: `hard`, or that of the [level](Level::id). A search has its depth in plies
    /// in it.
    pub const fn id(self) -> &'static str {
        match self {
            Style::Search(Level::Beginner) => "search-2",
            Style::Search(Level::Casual) => "search-4",
            Style::Search(Level::Skilled) => "search-7",
            Style::Search(Level::Expert) => "search-12",
            Style::Hard => "hard",
            Style::Document => "document",
            Style::Quick => "quick",
            Style::Matchbox => "matchbox",
            Style::Model => "model",
            Style::Level(level) => level.id(),
        }
    }

    /// Whether it plays what was learned, and not by values.
    pub fn is_learner(self) -> bool {
        matches!(self, Style::Matchbox | Style::Model)
    }
}

/// A player.
///
/// ```
/// use anser_analyse::{Random, Strategy};
/// use anser_core::Hunt;
/// use anser_core::hexapawn::BoardSize;
/// use anser_retrograde::Solution;
/// let game = Hunt::hexapawn("3x3".parse::<BoardSize>()?);
/// let solution = Solution::reachable(&game, &game.start())?;
/// let chosen = Strategy::default().choose(&game, &solution, &game.start(), &[], &mut Random::new(1));
/// assert_eq!(chosen.map(|chosen| game.format_move(&chosen.mv)), Some("b1-b2".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strategy {
    /// The preference among moves that keep the result.
    pub style: Style,
    /// The fuzz factor, 0 to 1: how often it plays other moves than its best ones. Levels have
    /// errors of their own instead.
    pub fuzz: f64,
    /// The meaning of the fuzz factor.
    pub weights: Weights,
    /// The temperature of a level, above 0: the higher, the more it errs. `None` for the one that
    /// was [fitted](Level::temperature) to the game.
    pub temperature: Option<f64>,
}

/// Basis of the choice of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// There is one legal move.
    Only,
    /// The outcome and the distance after every move that matters are known.
    Distances,
    /// The outcomes are known, but not all distances.
    Outcomes,
    /// Moves are known to win, but not how fast: a search looked for the way.
    Conversion,
    /// The outcome is not known: a search decided.
    Search,
    /// A learner's experience.
    Learned,
}

/// A move that a player chose, with the reasons.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The move, with the value after it if it is known.
    pub chosen: RatedMove,
    /// The basis of the choice.
    pub basis: Basis,
    /// The search, if there was one.
    pub opinion: Option<Opinion>,
}

impl Strategy {
    /// Chooses a move as [`choose`](Strategy::choose) does, and searches within `budget` where
    /// values leave open which move is best: if the outcome is not known, and for the way to a win
    /// of unknown distance.
    ///
    /// ```
    /// use anser_analyse::{Basis, Budget, Random, Strategy, Unknown};
    /// use anser_core::Hunt;
    /// let game = Hunt::default();
    /// let position = game.parse_position("3/3/7/3F3/3g3/3/ggg f")?;
    /// let played = Strategy::default()
    ///     .play(&game, &Unknown, &position, &[], &Budget::nodes(1000), &mut Random::new(1))
    ///     .expect("the game is not over");
    /// assert_eq!(game.format_move(&played.chosen.mv), "d4xd2");
    /// # Ok::<(), anser_core::NotationError>(())
    /// ```
    pub fn play(
        &self,
        game: &Hunt,
        advisor: &(impl Advisor + ?Sized),
        position: &Position,
        seen: &[Position],
        budget: &Budget<'_>,
        random: &mut Random,
    ) -> Option<Choice> {
        let mut moves = known_moves(game, advisor, position);
        let side = position.to_move();
        let won = Outcome::Win(side);
        let of_wins = |rated: &&RatedMove| rated.value.is_some_and(|it| it.outcome == won);
        let mut wins = moves.iter().filter(of_wins).peekable();
        let has_way = wins.peek().is_none()
            || wins.any(|rated| rated.value.is_some_and(|value| value.plies.is_some()));
        let (basis, opinion) = if self.style.is_learner() {
            (Basis::Learned, None)
        } else if moves.len() == 1 {
            (Basis::Only, None)
        } else if let Style::Search(_) = self.style {
            (Basis::Search, search(game, &Unknown, position, seen, &self.limits(budget)))
        } else if Strategy::is_open(game, &moves, side) {
            (Basis::Search, search(game, advisor, position, seen, &self.limits(budget)))
        } else if has_way {
            let exact = |rated: &RatedMove| rated.value.is_some_and(|it| it.dtw().is_some());
            let basis = if moves.iter().all(exact) { Basis::Distances } else { Basis::Outcomes };
            (basis, None)
        } else {
            (Basis::Conversion, convert(game, advisor, position, seen, budget))
        };
        let Some(opinion) = opinion else {
            let chosen = self.choose(game, advisor, position, seen, random)?;
            return Some(Choice { chosen, basis, opinion: None });
        };
        let chances = match basis {
            Basis::Search => self.chances(&Strategy::promising(game, &opinion.best, &moves, seen)),
            _ => self.chances_of(game, side, &moves, &opinion.best),
        };
        let chosen = random.weighted(&chances)?;
        Some(Choice { chosen: moves.swap_remove(chosen), basis, opinion: Some(opinion) })
    }

    /// Chooses a move; `None` if there is no move, or if a learner resigns. `seen` are the
    /// positions of the game so far. A player that wins at unknown distance avoids them.
    pub fn choose(
        &self,
        game: &Hunt,
        advisor: &(impl Advisor + ?Sized),
        position: &Position,
        seen: &[Position],
        random: &mut Random,
    ) -> Option<RatedMove> {
        let mut moves = known_moves(game, advisor, position);
        if self.style.is_learner()
            && let Some(chances) = advisor.learned(position)
        {
            let chosen = random.weighted(&chances)?;
            return (chosen < moves.len()).then(|| moves.swap_remove(chosen));
        }
        let chances = self.policy(game, advisor, position, &moves, seen);
        let chosen = random.weighted(&chances)?;
        Some(moves.swap_remove(chosen))
    }

    /// Returns the chance of each of some moves from `position`, by their values.
    pub fn policy(
        &self,
        game: &Hunt,
        advisor: &(impl Advisor + ?Sized),
        position: &Position,
        moves: &[RatedMove],
        seen: &[Position],
    ) -> Vec<f64> {
        let best = self.best(game, advisor, position, moves, seen);
        self.chances_of(game, position.to_move(), moves, &best)
    }

    /// Returns the chance of each move of `side`, given which moves are best.
    fn chances_of(&self, game: &Hunt, side: Side, moves: &[RatedMove], best: &[bool]) -> Vec<f64> {
        match self.style {
            Style::Level(level) => {
                let temperature = self.temperature.unwrap_or_else(|| level.temperature(game));
                level.chances(game, temperature, side, moves, best)
            }
            _ => self.chances(best),
        }
    }

    /// Whether the values leave open which move is best: no move is known to win, be it by endless
    /// play, and some values are unknown.
    pub fn is_open(game: &Hunt, moves: &[RatedMove], side: Side) -> bool {
        let is_won = |value: Value| game.winner(value.outcome) == Some(side);
        moves.iter().any(|rated| rated.value.is_none())
            && !moves.iter().any(|rated| rated.value.is_some_and(is_won))
    }

    /// Marks, of moves that a search considers equal, those that make most progress: to a new
    /// position, with the fewest replies.
    pub fn promising(
        game: &Hunt,
        best: &[bool],
        moves: &[RatedMove],
        seen: &[Position],
    ) -> Vec<bool> {
        keys(best, moves, |rated| Some(progress(game, rated, seen)))
            .unwrap_or_else(|| best.to_vec())
    }

    /// Returns the chance of each move by the fuzz factor, given which moves are best.
    pub fn chances(&self, best: &[bool]) -> Vec<f64> {
        self.weights.of_moves(self.fuzz, best).collect()
    }

    /// Returns the limits of a search for the best move: a level sees no further than its horizon.
    fn limits<'a>(&self, budget: &Budget<'a>) -> Budget<'a> {
        match self.style {
            Style::Level(level) | Style::Search(level) => level.limits(budget),
            _ => *budget,
        }
    }

    /// Marks the best of the moves from `position`: at least one if there are any. Where it
    /// searches, it visits at most 10,000 positions: the result is the same on every machine.
    pub fn best(
        &self,
        game: &Hunt,
        advisor: &(impl Advisor + ?Sized),
        position: &Position,
        moves: &[RatedMove],
        seen: &[Position],
    ) -> Vec<bool> {
        let limits = self.limits(&BRIEF);
        if let Style::Search(_) = self.style
            && moves.len() > 1
            && let Some(opinion) = search(game, &Unknown, position, seen, &limits)
        {
            return Strategy::promising(game, &opinion.best, moves, seen);
        }
        let class = |rated: &RatedMove| Class::of(rated.value, position.to_move());
        let Some(result) = moves.iter().map(class).max() else { return Vec::new() };
        let keeps: Vec<bool> = moves.iter().map(|rated| class(rated) == result).collect();
        let document = || keys(&keeps, moves, |rated| preference(advisor, rated));
        let documented = match (self.style, result) {
            (Style::Document, Class::Won | Class::Lost)
            | (Style::Hard | Style::Matchbox | Style::Model, Class::Lost) => document(),
            _ => None,
        };
        if let Some(best) = documented {
            return best;
        }
        let plies = |rated: &RatedMove| rated.value.and_then(|value| value.plies);
        let by_traps =
            |keeps: &[bool]| keys(keeps, moves, |rated| Some(traps(game, advisor, rated)));
        let best = match result {
            Class::Won => keys(&keeps, moves, |rated| {
                let plies = Reverse(plies(rated).unwrap_or(u16::MAX));
                Some((plies, progress(game, rated, seen).filter(|_| plies.0 == u16::MAX)))
            }),
            Class::Drawn => {
                let held = held(game, advisor, position, moves, &keeps, seen, &limits);
                by_traps(held.as_ref().unwrap_or(&keeps))
            }
            Class::Lost => keys(&keeps, moves, plies).or_else(|| by_traps(&keeps)),
            Class::Unknown => None,
        };
        best.unwrap_or(keeps)
    }
}

/// Outcome of a move for its player, from worst to best. A known draw is preferred to an unknown
/// value, and that to a loss.
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

/// Marks the moves with the greatest key among those that keep the result; `None` if one of them
/// has no key.
fn keys<K: PartialOrd>(
    keeps: &[bool],
    moves: &[RatedMove],
    key: impl Fn(&RatedMove) -> Option<K>,
) -> Option<Vec<bool>> {
    let keyed =
        keeps.iter().zip(moves).map(|(&keeps, rated)| if keeps { Some(key(rated)) } else { None });
    let keyed: Vec<Option<Option<K>>> = keyed.collect();
    if keyed.iter().flatten().any(Option::is_none) {
        return None;
    }
    let greatest = keyed.iter().flatten().reduce(|a, b| if b > a { b } else { a })?;
    Some(keyed.iter().map(|key| key.as_ref() == Some(greatest)).collect())
}

fn preference(advisor: &(impl Advisor + ?Sized), rated: &RatedMove) -> Option<f64> {
    match &rated.next {
        Next::Position(after) => advisor.preference(after, rated.value?.outcome),
        Next::End(_) => None,
    }
}

/// Progress of a winning move of unknown distance: to a new position, by a capture, with the fewest
/// replies.
fn progress(
    game: &Hunt,
    rated: &RatedMove,
    seen: &[Position],
) -> Option<(bool, Reverse<u16>, Reverse<usize>)> {
    let Next::Position(after) = &rated.next else { return None };
    let replies = game.moves(after).len();
    Some((!seen.contains(after), Reverse(game.layer(after)), Reverse(replies)))
}

/// Marks, of the moves that keep a draw, those that are best for the material of their side; `None`
/// if nothing is captured in the game.
fn held(
    game: &Hunt,
    advisor: &(impl Advisor + ?Sized),
    position: &Position,
    moves: &[RatedMove],
    keeps: &[bool],
    seen: &[Position],
    limits: &Budget<'_>,
) -> Option<Vec<bool>> {
    let kept = moves.iter().zip(keeps).filter(|&(_, &keeps)| keeps);
    let kept: Vec<_> = kept.map(|(rated, _)| (rated.mv, rated.next)).collect();
    let mut best = hold(game, advisor, position, &kept, seen, limits)?.into_iter();
    Some(keeps.iter().map(|&keeps| keeps && best.next().unwrap_or(false)).collect())
}

/// Returns the share of the replies to a move that worsen the result for the opponent.
fn traps(game: &Hunt, advisor: &(impl Advisor + ?Sized), rated: &RatedMove) -> f64 {
    let (Next::Position(after), Some(value)) = (&rated.next, rated.value) else { return 0.0 };
    let opponent = after.to_move();
    let replies = known_moves(game, advisor, after);
    let spoils = |reply: &&RatedMove| {
        reply
            .value
            .is_some_and(|reply| reply.outcome.score(opponent) < value.outcome.score(opponent))
    };
    replies.iter().filter(spoils).count() as f64 / replies.len().max(1) as f64
}
