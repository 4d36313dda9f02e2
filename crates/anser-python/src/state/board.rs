//! The moves of a game as actions, which are numbers.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use anser_core::hunt::{self, MoveKind};
use anser_core::{Hunt, Next, PicturePoint, Side};

use crate::errors::{Answer, Failure};

/// Plies after which a game is drawn by default if play can return to a position.
const LONGEST_CYCLIC: u32 = 200;

/// Separators of the points in the text of a move.
const SEPARATORS: [char; 2] = ['-', 'x'];

/// The numbers of actions and points of a game.
pub(super) struct Board {
    pub(super) game: Hunt,
    /// Numbers of points by their names.
    pub(super) points: HashMap<String, usize>,
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) has_chains: bool,
    /// Whether pieces start in hand.
    pub(super) has_hands: bool,
}

/// A legal move as the points that it leads over.
pub(super) struct Path {
    points: Vec<usize>,
    pub(super) text: String,
    pub(super) mv: hunt::Move,
    pub(super) next: Next,
}

impl Path {
    /// The text of the first `depth` points with the separator after them; all of it if no points
    /// follow.
    pub(super) fn beginning(&self, depth: usize) -> &str {
        let end = self.text.match_indices(SEPARATORS).nth(depth - 1);
        end.map_or(&self.text, |(at, separator)| &self.text[..at + separator.len()])
    }
}

/// A legal action: moves that begin with the same points.
#[derive(Clone)]
pub(super) struct Choice {
    pub(super) action: u32,
    /// The moves: one if the action completes it.
    pub(super) paths: Range<usize>,
    /// Number of points that they have in common.
    pub(super) depth: usize,
}

impl Board {
    pub(super) fn new(game: &Hunt) -> Answer<Board> {
        let without = || no_actions(game, "its points have no names");
        let picture = game.picture(&game.start());
        let name_of = |point: &PicturePoint| match &point.name {
            Some(name) => Some(name.clone()),
            None => Some(picture.columns.get(point.x)?.clone() + picture.rows.get(point.y)?),
        };
        let points = picture.points.iter().enumerate();
        let points: Option<HashMap<String, usize>> =
            points.map(|(number, point)| Some((name_of(point)?, number))).collect();
        Ok(Board {
            game: game.clone(),
            points: points.ok_or_else(without)?,
            width: picture.points.iter().map(|point| point.x + 1).max().unwrap_or(0),
            height: picture.points.iter().map(|point| point.y + 1).max().unwrap_or(0),
            has_chains: game.has_chains(),
            has_hands: Side::BOTH.into_iter().any(|side| game.start().in_hand(side) > 0),
        })
    }

    /// The legal moves of a position in the order of their points, so that moves that begin with
    /// the same points are neighbors.
    pub(super) fn paths(&self, position: &hunt::Position) -> Answer<Vec<Path>> {
        let moves = self.game.moves(position).into_iter();
        let mut paths =
            moves.map(|(mv, next)| self.path(position, mv, next)).collect::<Answer<Vec<Path>>>()?;
        paths.sort_unstable_by(|a, b| a.points.cmp(&b.points));
        match paths.windows(2).find(|pair| pair[0].points == pair[1].points) {
            Some(pair) => Err(no_actions(
                &self.game,
                &format!("{} and {} lead over the same points", pair[0].text, pair[1].text),
            )),
            None => Ok(paths),
        }
    }

    fn path(&self, position: &hunt::Position, mv: hunt::Move, next: Next) -> Answer<Path> {
        let text = self.game.format_move(&mv);
        let without = |why: &str| no_actions(&self.game, &format!("{text} {why}"));
        let point = |name: &str| self.points.get(name).copied();
        let points = match mv.kind() {
            // It is the only move.
            MoveKind::Pass => Some(vec![0; 2]),
            MoveKind::Placement => point(&text).map(|to| vec![to; 2]),
            _ => text.split(SEPARATORS).map(point).collect(),
        };
        let points = points.ok_or_else(|| without("has a point without a name"))?;
        if points.len() > 2 {
            let inner = self.game.inner_positions(position, &mv).len();
            // A jump back to the same point would have the number of the end of the move.
            if !self.has_chains
                || inner + 2 != points.len()
                || points.windows(2).any(|jump| jump[0] == jump[1])
            {
                return Err(without("is not a chain of jumps"));
            }
        }
        Ok(Path { points, text, mv, next })
    }

    /// The legal actions in ascending order, where `depth` points are chosen and `open` are the
    /// moves that begin with them.
    pub(super) fn choices(&self, paths: &[Path], open: Range<usize>, depth: usize) -> Vec<Choice> {
        // The first action of a move chooses two points.
        let shared = depth.max(1) + 1;
        let step = |path: &Path| {
            let at = path.points[shared - 2];
            // The move that ends where the jumps so far have led.
            (at, *path.points.get(shared - 1).unwrap_or(&at))
        };
        let mut choices = Vec::new();
        let mut first = open.start;
        while first < open.end {
            let (from, to) = step(&paths[first]);
            let count = paths[first..open.end].iter().take_while(|path| step(path) == (from, to));
            let last = first + count.count();
            let (low, high) = (&paths[first].points, &paths[last - 1].points);
            // Jumps without a choice are part of the action.
            let common = low.iter().zip(high).take_while(|(low, high)| low == high).count();
            let action = (from * self.points.len() + to) as u32;
            choices.push(Choice { action, paths: first..last, depth: common });
            first = last;
        }
        choices.sort_unstable_by_key(|choice| choice.action);
        choices
    }

    /// Plies that no game exceeds, or the default limit.
    pub(super) fn longest(&self) -> u32 {
        let layers = self.game.layers();
        if layers.clone().any(|layer| self.game.is_loopy(layer)) {
            return LONGEST_CYCLIC;
        }
        // One side can stay in a layer, so its move and the reply are all plies in it.
        2 * u32::from(layers.end() - layers.start() + 1)
    }

    /// Bound of the actions beyond one per ply, for games from a position.
    ///
    /// A chain of `n` jumps takes at most `n + 1` actions, the last of which stops. Each jump leads
    /// to a lower layer, except one that ends the game, after which nothing is left to stop.
    pub(super) fn extra_actions(&self, start: &hunt::Position) -> u32 {
        if !self.has_chains {
            return 0;
        }
        let mut below = BTreeSet::new();
        let mut above = vec![self.game.layer(start)];
        while let Some(layer) = above.pop() {
            let lower = self.game.lower_layers(layer).into_iter();
            above.extend(lower.filter(|&layer| below.insert(layer)));
        }
        below.len() as u32
    }
}

/// The error of a game whose moves have no numbers.
fn no_actions(game: &Hunt, why: &str) -> Failure {
    let (name, rules) = (game.name(), game.rules_id());
    Failure::argument(format!("{name} (rules {rules}) has no actions: {why}"))
}
