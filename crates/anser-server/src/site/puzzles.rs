//! The puzzles of a site, which are drawn from its tables.

use std::collections::BTreeSet;

use anser_core::{Hunt, Observer, Outcome, Side};
use anser_games::answers::{SetOnSite, outcome_name};
use serde::Serialize;

use super::SiteError;
use crate::api::{RandomQuery, random_position};
use crate::app::App;

/// Number of puzzles of each kind that are drawn.
const PUZZLES: usize = 24;

/// Positions that are drawn for a puzzle, at most.
const DRAWS: u32 = 5_000;

/// Draws in a row without a new puzzle after which no more are sought.
const ATTEMPTS: usize = 3;

/// A position that is set as a puzzle.
#[derive(Serialize)]
pub(super) struct Puzzle {
    position: String,
    outcome: Option<String>,
    to_move: String,
    dtw: Option<u16>,
    only_move: bool,
}

/// Puzzles of every kind that the page sets.
pub(super) fn puzzles(
    app: &App,
    game: &Hunt,
    set: &SetOnSite,
    observer: &dyn Observer,
) -> Result<Vec<Puzzle>, SiteError> {
    // As on the page: a win in 3 to 9 plies, and positions with one move that keeps the outcome.
    let (layers, plies) =
        if set.dtw.is_empty() { (&set.wdl, None) } else { (&set.dtw, Some([3, 9])) };
    let sides = Side::BOTH.map(|side| (Some(side), Outcome::Win(side)));
    let mut kinds: Vec<(Option<Side>, Outcome, bool)> =
        sides.iter().map(|&(side, outcome)| (side, outcome, true)).collect();
    if game.endless().is_none() {
        kinds.push((None, Outcome::Draw, true));
    }
    if plies.is_some() {
        kinds.extend(sides.iter().map(|&(side, outcome)| (side, outcome, false)));
    }
    observer.begin("drawing puzzles", kinds.len() as u64);
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    for (kind, (side, outcome, only_move)) in (0..).zip(kinds) {
        let (mut drawn, mut failed) = (0, 0);
        for (seed, &layer) in (0..).zip(layers.iter().rev().cycle()) {
            if drawn == PUZZLES || failed == ATTEMPTS * layers.len() {
                break;
            }
            if observer.interrupted() {
                return Err(SiteError::Interrupted);
            }
            let name = |side: Side| game.side_name(side).to_owned();
            let query = RandomQuery {
                game: set.game.clone(),
                rules: Some(set.rules.clone()),
                layer: Some(layer),
                outcome: Some(outcome_name(game, outcome).into()),
                to_move: side.map(name),
                min_plies: plies.filter(|_| !only_move).map(|[least, _]| least),
                max_plies: plies.filter(|_| !only_move).map(|[_, most]| most),
                only_move,
                quiet: true,
                longest: false,
                // The same tables give the same site.
                seed: Some(kind << 32 | seed),
                draws: Some(DRAWS),
            };
            match draw(app, &query) {
                Some(puzzle) if seen.insert((only_move, puzzle.position.clone())) => {
                    drawn += 1;
                    found.push(puzzle);
                }
                _ => failed += 1,
            }
        }
        observer.advance(1);
    }
    Ok(found)
}

/// Draws a puzzle.
fn draw(app: &App, query: &RandomQuery) -> Option<Puzzle> {
    let root = random_position(app, None, query).ok()?.probe.root;
    Some(Puzzle {
        position: root.rated.position,
        outcome: root.rated.outcome,
        to_move: root.rated.to_move,
        dtw: root.rated.dtw,
        only_move: query.only_move,
    })
}
