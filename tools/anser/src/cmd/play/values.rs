//! Where the values come from: a solution in memory, or tables.

use std::cell::RefCell;
use std::collections::BTreeSet;

use anser_analyse::{Solution, Source, Worth};
use anser_core::{Game, Outcome, Side};
use anser_table::{ProbeError, Tablebase};

use crate::args::TablesArgs;
use crate::asking::{AboutArgs, Watch};
use crate::failure::Failure;
use crate::output::note;
use crate::tables;

/// A game with no more classes of positions than this is solved in memory without being asked: that takes a moment.
const SMALL: u64 = 3_000_000;

/// See the module.
pub(super) enum Values<G: Game> {
    Solution(Solution<G>),
    Tables(Tables<G>),
}

impl<G: Game> Values<G> {
    /// The values of everything that can be reached from the position in question, as far as they are to be had. Tables that
    /// were named are used; otherwise small games are solved, and any game for which memory was allowed.
    pub(super) fn find(game: &G, about: &AboutArgs, args: &TablesArgs) -> Result<Values<G>, Failure> {
        let watch = Watch::new()?;
        let root = about.position(game)?;
        let solve = args.dirs.is_empty() && (about.effort.says_memory() || classes(game, &root) <= SMALL);
        let values = if solve {
            Values::Solution(about.solution(game, &watch)?)
        } else {
            Values::Tables(Tables { tables: tables::open(game, args)?, told: RefCell::default() })
        };
        watch.finish();
        Ok(values)
    }

    pub(super) fn source(&self) -> &dyn Source<G> {
        match self {
            Values::Solution(solution) => solution,
            Values::Tables(tables) => tables,
        }
    }
}

/// The number of classes of positions of the layers that play can lead to, roughly.
fn classes<G: Game>(game: &G, root: &G::Position) -> u64 {
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![game.layer(root)]);
    while let Some(layer) = waiting.pop() {
        if seen.insert(layer) {
            waiting.extend(game.lower_layers(layer));
        }
    }
    let positions = |&layer: &u16| Side::BOTH.into_iter().map(|side| game.positions(layer, side)).sum::<u64>();
    seen.iter().map(positions).fold(0_u64, u64::saturating_add) / game.symmetries() as u64
}

/// Tables, with what was told about those that are missing.
pub(super) struct Tables<G: Game> {
    tables: Tablebase<G>,
    told: RefCell<BTreeSet<u16>>,
}

impl<G: Game> Source<G> for Tables<G> {
    fn worth(&self, position: &G::Position) -> Option<Worth> {
        match self.tables.probe(position) {
            Ok(outcome) => Some(of_outcome(outcome)),
            Err(error) => {
                let layer = match &error {
                    ProbeError::MissingLayer(missing) => missing.layer,
                    ProbeError::Table(_) => self.tables.game().layer(position),
                };
                // Once a layer is enough.
                if self.told.borrow_mut().insert(layer) {
                    note(format_args!("{error}; until then the computer does not know the positions of that layer"));
                }
                None
            }
        }
    }
}

fn of_outcome(outcome: Outcome) -> Worth {
    Worth { outcome, plies: None }
}
