//! `anser play`: a game against perfect knowledge.

mod entry;
mod record;
mod session;
mod values;

use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use anser_analyse::{FoxBoxes, Games, Source, Strategy, Style, Unobserved, Weights};
use anser_core::hasenspiel::Hasenspiel;
use anser_core::hounds::{Hunt, Rules};
use anser_core::{Game, Side};
use clap::{Args, ValueEnum};

use crate::args::TablesArgs;
use crate::asking::AboutArgs;
use crate::failure::Failure;
use crate::games::{self, GameInfo, Job};
use crate::output::note;

use session::{Session, Setup};
use values::Values;

const AFTER: &str = "\
You move by writing a move as it is shown, or as much of it as is unique: d7 where only one man can go to d7. The other \
words, in either case:
  hint     the best moves, and what they are worth
  moves    all moves, and what they are worth
  eval     who wins here
  undo     take back your last move, and the answer to it
  board    show the board again
  record   the moves so far
  new      begin again
  resign   give up
  help     these words
  quit     leave; so does the end of input
At the end the game is written down, with a ? at every move that gave the outcome away. A position with a drawn value that \
occurs for the third time ends the game as a draw.

Styles of the computer, which always keeps what can be kept, but for its fuzz:
  hard      wins as soon as it can; where it has lost, it does what the document of the game says, or else holds out longest
  document  does what the document of the game says in won positions too: in Fox-and-Hounds it makes a win of the fox last, \
and where the hounds win aims at the greatest maxB; in Hasenspiel it leaves the opponent the smallest share of won games
  quick     wins as soon as it can, and holds out longest
In drawn positions it sets traps: it moves where most of your replies lose.

The values come from a solution in memory if the game is small enough (or --memory says what may be used), otherwise from \
tables. Where a table is missing, the command that makes it is told, and the computer plays on as well as it can.

Examples:
  Play the hounds, which win if nothing goes wrong:
    anser play fox-hounds:8 --as hounds
  A computer that errs now and then, as the fairest opponent of the document does:
    anser play fox-hounds:8 --as fox --fuzz 0.006935
  From a position on, and as the black pawns:
    anser play hexapawn:4x4 --as black
    anser play hare-hounds 'h2/h3R/h2 h' --rules unlimited
  A demonstration, and its record for another program:
    anser play hasenspiel --as none --seed 1 --json";

/// Play against perfect knowledge
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    about: AboutArgs,
    /// The side that you play, by its name, or none to let the computer play itself [default: the side to move]
    #[arg(long = "as", value_name = "SIDE")]
    side: Option<String>,
    /// How the computer chooses among moves that keep the result [default: hard; document with --fuzz]
    #[arg(long, value_name = "STYLE")]
    style: Option<StyleArg>,
    /// How often the computer strays from its best moves, 0 to 1
    #[arg(long, value_name = "P", value_parser = fuzz)]
    fuzz: Option<f64>,
    /// What --fuzz means: printed, another move weighs P where a best one weighs 1; literal, with probability P any move
    #[arg(long, value_name = "READING", default_value = "printed")]
    fuzz_as: WeightsArg,
    /// Where the computer's choices among equal moves, and its straying, begin [default: anywhere; the record says where]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The game is left after so many plies
    #[arg(long, value_name = "N", default_value_t = 1000)]
    plies: usize,
    #[command(flatten)]
    tables: TablesArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StyleArg {
    Hard,
    Document,
    Quick,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum WeightsArg {
    Printed,
    Literal,
}

fn fuzz(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "write a number from 0, never, to 1, every move by chance".into())
}

impl PlayArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let (info, size) = games::find(self.about.subject.game()?)?;
        let rules = self.about.subject.rules.id.as_deref().unwrap_or(info.default_rules);
        match info.name {
            "fox-hounds" => {
                let game = games::fox_hounds(size, rules)?;
                self.about.effort.on_threads(|| self.fox_boxes(&game))
            }
            "hasenspiel" => {
                let game = Hasenspiel::new(rules.parse().map_err(Failure::usage)?);
                self.about.effort.on_threads(|| self.ranked(&game))
            }
            _ => self.about.play(self),
        }
    }

    /// Plays as "Fox & Hounds" does.
    fn fox_boxes<R: Rules>(&self, game: &Hunt<R>) -> Result<(), Failure> {
        let setup = self.setup(game)?;
        match self.values(game)? {
            Values::Solution(solution) if setup.strategy.style != Style::Quick => {
                // A position takes this much, roughly, with its moves and boxes.
                let needed = solution.len().saturating_mul(200);
                if needed > self.about.effort.memory() {
                    note("there is too little memory for FoxBoxes, so the computer plays quick; --memory allows more");
                    return self.session(game, setup, &solution);
                }
                let boxes = FoxBoxes::new(&solution)?;
                drop(solution);
                self.session(game, setup, &boxes)
            }
            values => self.session(game, setup, values.source()),
        }
    }

    /// Plays as the author of Hasenspiel does.
    fn ranked<G: Game>(&self, game: &G) -> Result<(), Failure> {
        let setup = self.setup(game)?;
        match self.values(game)? {
            Values::Solution(solution) if setup.strategy.style != Style::Quick => {
                self.session(game, setup, &Games::new(&solution, &Unobserved)?)
            }
            values => self.session(game, setup, values.source()),
        }
    }

    fn values<G: Game>(&self, game: &G) -> Result<Values<G>, Failure> {
        Values::find(game, &self.about, &self.tables)
    }

    fn session<G: Game>(&self, game: &G, setup: Setup, source: &dyn Source<G>) -> Result<(), Failure> {
        let start = self.about.position(game)?;
        Session::new(game, source, setup, start).run(&mut io::stdin().lock())
    }

    fn setup<G: Game>(&self, game: &G) -> Result<Setup, Failure> {
        let start = self.about.position(game)?;
        let person = match self.side.as_deref() {
            None => Some(game.side_to_move(&start)),
            Some("none") => None,
            Some(name) => {
                let named = Side::BOTH.into_iter().find(|&side| game.side_name(side).eq_ignore_ascii_case(name));
                let names = Side::BOTH.map(|side| game.side_name(side)).join(", ");
                let unknown = || Failure::usage(format!("no side is called {name:?}; there is {names}, and none"));
                Some(named.ok_or_else(unknown)?)
            }
        };
        let style = match self.style {
            Some(StyleArg::Hard) => Style::Hard,
            Some(StyleArg::Document) => Style::Document,
            Some(StyleArg::Quick) => Style::Quick,
            None if self.fuzz.is_some() => Style::Document,
            None => Style::default(),
        };
        let weights = match self.fuzz_as {
            WeightsArg::Printed => Weights::Printed,
            WeightsArg::Literal => Weights::Literal,
        };
        Ok(Setup {
            person,
            strategy: Strategy { style, fuzz: self.fuzz.unwrap_or(0.0), weights },
            seed: self.seed.unwrap_or_else(anywhere),
            limit: self.plies,
            json: self.about.json,
        })
    }
}

impl Job for &PlayArgs {
    type Output = ();

    fn run<G: Game>(self, game: &G, _: &GameInfo) -> Result<(), Failure> {
        let setup = self.setup(game)?;
        self.session(game, setup, self.values(game)?.source())
    }
}

/// A seed that is hardly the same twice, short enough to be typed.
fn anywhere() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) % 1_000_000
}
