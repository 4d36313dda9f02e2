//! Grades of players against the exact value of every position.
//!
//! A *decision* is a non-terminal position with more than one legal move. A move is *wrong* if it
//! worsens the outcome for the mover, and *imperfect* if it keeps the outcome but is not the
//! fastest win or the longest defence.

use std::collections::hash_map::{Entry, HashMap};
use std::collections::{BTreeMap, HashSet};
use std::ops::RangeInclusive;

use anser_analyse::Random;
use anser_core::hunt::{HuntIndex, Position};
use anser_core::{Hunt, Next, Observer, Probe, Side};
use anser_games::answers::{CountsAnswer, PerfectGamesAnswer};
use anser_retrograde::Solution;

use crate::error::LearnError;
use crate::evaluate::results;
use crate::exact::{Rated, exact_value};
use crate::player::Player;
use crate::search::Searched;

/// Adds the player's choice in a decision.
fn add(counts: &mut CountsAnswer, rated: &Rated, searched: &Searched) {
    counts.decisions += 1;
    counts.wrong += u64::from(rated.is_wrong(searched.choice));
    counts.imperfect += u64::from(rated.is_imperfect(searched.choice));
    for (number, &share) in searched.shares.iter().enumerate() {
        if rated.is_wrong(number) {
            counts.wrong_shares += f64::from(share);
        } else if !rated.is_imperfect(number) {
            counts.best_shares += f64::from(share);
        }
    }
}

/// Solution grade of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SolutionGrade {
    /// Makes a wrong move in some game from the start.
    No,
    /// Makes no wrong move in any game from the start.
    Weakly,
    /// Makes no wrong move in games from the start, and none in near-perfect play.
    SemiStrongly,
    /// Makes no wrong move in any decision.
    Strongly,
}

/// Grades that need all reachable decisions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Whole {
    /// Decisions in near-perfect play: reachable while one side plays perfectly.
    pub near_perfect: CountsAnswer,
    /// Decisions weighted by their frequency in perfect play.
    pub perfect_games: PerfectGamesAnswer,
    /// The solution grade.
    pub solved: SolutionGrade,
}

/// Grade of a player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grade {
    /// All decisions.
    pub all: CountsAnswer,
    /// Decisions, symmetric ones counted once.
    pub classes: CountsAnswer,
    /// Grades that need all reachable decisions; `None` for other sets of decisions.
    pub whole: Option<Whole>,
    /// All decisions by the number of legal moves, from 2.
    pub by_moves: Vec<(usize, CountsAnswer)>,
    /// Decisions by the plies to the win; draws and wins by endless play have none.
    pub by_plies: Vec<(Option<u16>, CountsAnswer)>,
    /// Decisions in which the player's value has the wrong sign; draws are not counted.
    pub wrong_signs: u64,
    /// Mean absolute error of the player's value.
    pub value_error: f64,
    /// Some of the wrong moves, the shortest distances first: the position, and the number of the
    /// chosen move in generation order.
    pub worst: Vec<(Position, usize)>,
}

/// Decisions per call of a player.
const BATCH: usize = 256;
/// Wrong moves that a grade lists.
const LISTED: usize = 10;

/// Grades a player over all decisions of a solution from its root.
///
/// ```
/// use anser_core::Hunt;
/// use anser_core::Unobserved;
/// use anser_core::hexapawn::BoardSize;
/// use anser_learn::{Perfect, SolutionGrade, grade};
/// use anser_retrograde::Solution;
/// let game = Hunt::hexapawn(BoardSize::THREE);
/// let solution = Solution::reachable(&game, &game.start())?;
/// let grade = grade(&solution, &mut Perfect(&solution), &Unobserved)?;
/// assert_eq!((grade.all.wrong, grade.all.imperfect), (0, 0));
/// assert_eq!(grade.whole.map(|whole| whole.solved), Some(SolutionGrade::Strongly));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Errors of the player, [`LearnError::Interrupted`], or a missing value.
pub fn grade(
    solution: &Solution,
    player: &mut dyn Player,
    observer: &dyn Observer,
) -> Result<Grade, LearnError> {
    let game = solution.game();
    let decisions: Vec<Position> = solution
        .layers()
        .flat_map(|layer| solution.positions(layer))
        .map(|(position, _)| position)
        .filter(|position| is_decision(game, position))
        .collect();
    let (near, times) = (near_perfect(solution)?, perfect_games(solution)?);
    let mut near_perfect = CountsAnswer::default();
    let mut perfect_games = PerfectGamesAnswer::default();
    let mut mistakes = HashSet::new();
    let visit = |position: &Position, rated: &Rated, searched: &Searched| {
        if near.contains(position) {
            add(&mut near_perfect, rated, searched);
        }
        if let Some(times) = times.get(position) {
            let of = |is: bool| if is { *times } else { 0.0 };
            perfect_games.decisions += times;
            perfect_games.wrong += of(rated.is_wrong(searched.choice));
            perfect_games.imperfect += of(rated.is_imperfect(searched.choice));
        }
        if rated.is_wrong(searched.choice) {
            mistakes.insert(*position);
        }
    };
    let mut grade = count(game, solution, &decisions, player, observer, visit)?;
    let solved = if mistakes.is_empty() {
        SolutionGrade::Strongly
    } else if !weakly(solution, player, &mistakes)? {
        SolutionGrade::No
    } else if near_perfect.wrong > 0 {
        SolutionGrade::Weakly
    } else {
        SolutionGrade::SemiStrongly
    };
    grade.whole = Some(Whole { near_perfect, perfect_games, solved });
    Ok(grade)
}

/// Whether the game is not over and there is more than one legal move.
fn is_decision(game: &Hunt, position: &Position) -> bool {
    game.terminal(position).is_none() && results(game, position).len() > 1
}

/// Draws distinct decisions of some layers: every layer, and in it every symmetry class, has the
/// same chance. Returns fewer than `count` if the layers are nearly exhausted.
///
/// ```
/// use anser_core::Hunt;
/// use anser_learn::draw_decisions;
/// let game = Hunt::default();
/// let drawn = draw_decisions(&game, 4..=6, 100, 1);
/// assert_eq!(drawn.len(), 100);
/// assert!(drawn.iter().all(|position| (4..=6).contains(&game.layer(position))));
/// ```
pub fn draw_decisions(
    game: &Hunt,
    layers: RangeInclusive<u16>,
    count: usize,
    seed: u64,
) -> Vec<Position> {
    /// Draws per decision, after which the layers count as exhausted.
    const DRAWS: usize = 50;
    let indexes: Vec<HuntIndex> = layers.map(|layer| game.index(layer)).collect();
    let mut random = Random::new(seed);
    let (mut seen, mut drawn) = (HashSet::new(), Vec::new());
    for _ in 0..count.saturating_mul(DRAWS) {
        if drawn.len() == count || indexes.is_empty() {
            break;
        }
        let index = &indexes[random.below(indexes.len())];
        let Some(position) = random.position(game, index, &Side::BOTH) else { continue };
        if is_decision(game, &position) && seen.insert(position) {
            drawn.push(position);
        }
    }
    drawn
}

/// Grades a player over some decisions by exact values, such as those of tables of distances.
///
/// ```
/// use anser_core::Hunt;
/// use anser_core::Unobserved;
/// use anser_core::hexapawn::BoardSize;
/// use anser_learn::{Perfect, draw_decisions, grade_decisions};
/// use anser_retrograde::{Limits, Solution};
/// let game = Hunt::hexapawn(BoardSize::THREE);
/// let solution = Solution::of_layers(&game, game.layers(), &Limits::default())?;
/// let decisions = draw_decisions(&game, game.layers(), 50, 1);
/// let mut player = Perfect(&solution);
/// let grade = grade_decisions(&game, &solution, &decisions, &mut player, &Unobserved)?;
/// assert_eq!((grade.all.decisions, grade.all.wrong, grade.all.imperfect), (50, 0, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Errors of the player, [`LearnError::Interrupted`], or a missing value.
pub fn grade_decisions<P: Probe>(
    game: &Hunt,
    values: &P,
    decisions: &[Position],
    player: &mut dyn Player,
    observer: &dyn Observer,
) -> Result<Grade, LearnError>
where
    LearnError: From<P::Error>,
{
    count(game, values, decisions, player, observer, |_, _, _| {})
}

/// Counts the wrong and imperfect moves of a player in some decisions. Calls `visit` with each.
fn count<P: Probe>(
    game: &Hunt,
    values: &P,
    decisions: &[Position],
    player: &mut dyn Player,
    observer: &dyn Observer,
    mut visit: impl FnMut(&Position, &Rated, &Searched),
) -> Result<Grade, LearnError>
where
    LearnError: From<P::Error>,
{
    let mut grade = Grade::default();
    let (mut by_moves, mut by_plies) =
        (BTreeMap::<_, CountsAnswer>::new(), BTreeMap::<_, CountsAnswer>::new());
    let mut wrong = Vec::new();
    observer.begin("decisions", decisions.len() as u64);
    for batch in decisions.chunks(BATCH) {
        if observer.interrupted() {
            return Err(LearnError::Interrupted);
        }
        for (position, searched) in batch.iter().zip(&player.choose(batch)?) {
            let value = exact_value(values, position)?;
            let rated = Rated::new(game, values, position)?;
            add(&mut grade.all, &rated, searched);
            let images = (0..game.symmetries()).map(|symmetry| game.image(position, symmetry));
            if images.min() == Some(*position) {
                add(&mut grade.classes, &rated, searched);
            }
            add(by_moves.entry(rated.scores.len()).or_default(), &rated, searched);
            add(by_plies.entry(value.plies()).or_default(), &rated, searched);
            let truth = rated.value();
            grade.wrong_signs += u64::from(truth * searched.value < 0.0);
            grade.value_error += f64::from((truth - searched.value).abs());
            if rated.is_wrong(searched.choice) {
                wrong.push((value.plies(), *position, searched.choice));
            }
            visit(position, &rated, searched);
        }
        observer.advance(batch.len() as u64);
    }
    grade.by_moves = by_moves.into_iter().collect();
    grade.by_plies = by_plies.into_iter().collect();
    grade.value_error /= decisions.len().max(1) as f64;
    wrong.sort_unstable();
    let listed = wrong.into_iter().take(LISTED);
    grade.worst = listed.map(|(_, position, choice)| (position, choice)).collect();
    Ok(grade)
}

/// Visits the positions from the start, one side choosing among the moves that `allowed` returns
/// and the other playing everything. Returns the positions with either side to move.
fn walk(
    solution: &Solution,
    chooser: Side,
    mut allowed: impl FnMut(&[Position]) -> Result<Vec<Vec<usize>>, LearnError>,
) -> Result<HashSet<Position>, LearnError> {
    let game = solution.game();
    let root = solution.root().copied().unwrap_or_else(|| game.start());
    let (mut seen, mut open) = (HashSet::from([root]), vec![root]);
    while !open.is_empty() {
        open.retain(|position| game.terminal(position).is_none());
        let (own, others): (Vec<_>, Vec<_>) =
            open.drain(..).partition(|position| position.to_move() == chooser);
        let mut next: Vec<Next> =
            others.iter().flat_map(|position| results(game, position)).collect();
        for (position, choices) in own.iter().zip(allowed(&own)?) {
            let results = results(game, position);
            next.extend(choices.into_iter().map(|choice| results[choice]));
        }
        for next in next {
            if let Next::Position(next) = next
                && seen.insert(next)
            {
                open.push(next);
            }
        }
    }
    Ok(seen)
}

/// Returns the positions reachable while one side plays perfectly.
fn near_perfect(solution: &Solution) -> Result<HashSet<Position>, LearnError> {
    let mut all = HashSet::new();
    for side in Side::BOTH {
        all.extend(walk(solution, side, |positions| {
            positions.iter().map(|position| best_moves(solution, position)).collect()
        })?);
    }
    Ok(all)
}

/// Returns the expected number of visits of each position in a game of two perfect players that
/// choose among their best moves at random.
fn perfect_games(solution: &Solution) -> Result<BTreeMap<Position, f64>, LearnError> {
    const PLIES: u32 = 200;
    let game = solution.game();
    let root = solution.root().copied().unwrap_or_else(|| game.start());
    let (mut all, mut chances) = (BTreeMap::new(), BTreeMap::from([(root, 1.0)]));
    // Drawn games come back to the same positions.
    let mut known: HashMap<Position, Vec<Next>> = HashMap::new();
    for _ in 0..PLIES {
        for (position, chance) in std::mem::take(&mut chances) {
            *all.entry(position).or_insert(0.0) += chance;
            if game.terminal(&position).is_some() {
                continue;
            }
            let best: &Vec<_> = match known.entry(position) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => {
                    let results = results(game, &position);
                    let best = best_moves(solution, &position)?.into_iter();
                    place.insert(best.map(|number| results[number]).collect())
                }
            };
            for next in best {
                if let Next::Position(next) = next {
                    *chances.entry(*next).or_insert(0.0) += chance / best.len() as f64;
                }
            }
        }
    }
    Ok(all)
}

/// Returns the numbers of the best moves of a position, in generation order.
fn best_moves(solution: &Solution, position: &Position) -> Result<Vec<usize>, LearnError> {
    let rated = Rated::new(solution.game(), solution, position)?;
    let moves = rated.scores.iter().enumerate();
    Ok(moves.filter(|&(_, &score)| score == rated.best).map(|(number, _)| number).collect())
}

/// Whether the player makes none of its mistakes in games from the start, as either side.
fn weakly(
    solution: &Solution,
    player: &mut dyn Player,
    mistakes: &HashSet<Position>,
) -> Result<bool, LearnError> {
    for side in Side::BOTH {
        let seen = walk(solution, side, |positions| {
            let chosen = player.choose(positions)?;
            Ok(chosen.into_iter().map(|searched| vec![searched.choice]).collect())
        })?;
        let is_own = |position: &&Position| position.to_move() == side;
        if seen.iter().filter(is_own).any(|position| mistakes.contains(position)) {
            return Ok(false);
        }
    }
    Ok(true)
}
