//! A game of a lone man against a pack, solved and counted: `cargo run --release -p anser-solve --example hounds -- 10`.
//!
//! The argument is the size of the board of Fox-and-Hounds (8 if there is none), or `hasenspiel`; a rule set may follow, and then
//! `reachable` (nothing of what can not be reached), `values` (no numbers of games) or both. 12 x 12 takes some minutes and
//! 4.2 GiB, without the games one minute and 2 GiB.

use std::error::Error;
use std::sync::Mutex;
use std::time::Instant;

use anser_core::Side;
use anser_core::fox_hounds::FoxHounds;
use anser_core::hasenspiel::Hasenspiel;
use anser_solve::hounds::{HoundsCensus, HoundsOptions, HoundsSolver};
use anser_solve::{Bytes, Event, Observer};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_option = |argument: &&String| ["reachable", "values"].contains(&argument.as_str());
    let mut words = arguments.iter().filter(|argument| !is_option(argument));
    let (game, rules) = (words.next().map_or("8", |game| game), words.next());
    let begun = Instant::now();
    let solver = if game == "hasenspiel" {
        HoundsSolver::from(&Hasenspiel::new(rules.map(|id| id.parse()).transpose()?.unwrap_or_default()))
    } else {
        HoundsSolver::from(&FoxHounds::new(game.parse()?, rules.map(|id| id.parse()).transpose()?.unwrap_or_default())?)
    };
    let given = |option: &str| arguments.iter().any(|argument| argument == option);
    let options = HoundsOptions { all: !given("reachable"), games: !given("values"), memory: None };
    let clock = Clock { stage: Mutex::new(("tables".to_owned(), begun)) };
    let report = solver.analyse(options, &clock)?;
    clock.next("");
    println!("in all {:.2} s, at most {} of memory", begun.elapsed().as_secs_f64(), peak_memory());

    println!("\nthe start: {:?}", report.start);
    println!("reachable: {}", report.reachable.positions());
    print(&report.reachable);
    if let Some(all) = &report.all {
        println!("all positions: {}", all.positions());
        print(all);
    }
    if let Some([lone, pack]) = &report.games {
        println!("games: {}\n  won by the lone man: {lone}\n  won by the pack: {pack}", lone + pack);
    }
    println!("reachable by layer, from 0, with the lone man to move and the pack to move:");
    println!("  {:?}", report.reachable_by_layer);
    Ok(())
}

fn print(census: &HoundsCensus) {
    for side in Side::BOTH {
        for winner in Side::BOTH {
            let plies = &census.plies[side.index()][winner.index()];
            println!("  {side:?} to move, {winner:?} wins {}, in 0, 1, ... plies: {plies:?}", census.won(side, winner));
        }
    }
    println!("  over for want of a move {:?}, by the goal {:?}, by side to move", census.no_move, census.goal);
}

/// Prints how long each stage took.
struct Clock {
    stage: Mutex<(String, Instant)>,
}

impl Clock {
    fn next(&self, name: &str) {
        let Ok(mut stage) = self.stage.lock() else { return };
        println!("{}: {:.2} s", stage.0, stage.1.elapsed().as_secs_f64());
        *stage = (name.to_owned(), Instant::now());
    }
}

impl Observer for Clock {
    fn event(&self, event: &Event) {
        if let Event::Work { what, .. } = event {
            self.next(what);
        }
    }
}

/// The most memory that this process ever had, where the system tells.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.map_or_else(|| "an unknown amount".to_owned(), |kib| Bytes(1024 * kib).to_string())
}
