//! `anser play`: a game against perfect knowledge.

mod entry;
mod input;
mod matchbox;
mod players;
mod record;
mod score;
mod session;
mod values;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anser_analyse::{Advisor, FoxBoxes, Games, Solution, Strategy, Style, Weights};
use anser_core::fox_hounds::FoxHounds;
use anser_core::hasenspiel::Hasenspiel;
use anser_core::hounds::{Hunt, HuntRules};
use anser_core::prelude::*;
use anser_core::{Outcome, Side, Unobserved, Value};
use anser_games::answers::{ErrorKind, MatchAnswer};
use anser_games::{AnyGame, AnyPosition};
use clap::{Args, ValueEnum};

use crate::args::TablesArgs;
use crate::asking::AboutArgs;
use crate::failure::Failure;
use crate::games;
use crate::offer::OfferArgs;
use crate::output::{note, print_json};
use crate::progress::stop_flag;

use matchbox::{TrainArgs, Trained};
use players::{Player, Styles};
use score::Score;
use session::{Match, Session, Setup, Stop, say};

pub(crate) use record::{Saved, given_away, known, known_text, marked, recorded};
pub(crate) use session::Played;
pub(crate) use values::{PlayAdvisor, PlayValues};

const AFTER: &str = "\
You move by writing a move as it is shown, or as much of it as is unique: d7 where only one man can go to d7. The other \
words, in either case:
  hint     the best moves, and what they are worth
  moves    all moves, and what they are worth
  eval     who wins here
  undo     take back your last move, and the answer to it
  board    show the board again
  record   the moves so far
  score    the score of the match, with --games
  save FILE, load FILE
           write the record to a file; go on with the game of one
  new      begin again
  resign   give up
  help     these words
  quit     leave; so does the end of input
At the end the game is written down, with a ? at every move that gave the outcome away. A position that is drawn, or whose \
value is not known, ends the game as a draw when it occurs for the third time. Ctrl-C leaves the game: its record is \
written, and the command that goes on with it. `anser line --record FILE` shows the values along a record.

Styles of the computer, which always keeps what can be kept, but for its fuzz:
  hard      wins as soon as it can; where it has lost, it does what the document of the game says, or else holds out longest
  document  does what the document of the game says in won positions too: in Fox-and-Hounds it makes a win of the fox last, \
and where the hounds win aims at the greatest maxB; in Hasenspiel it leaves the opponent the smallest share of won games
  quick     wins as soon as it can, and holds out longest
  matchbox  Hexapawn only: the learner of matchboxes and beads of the document's source, which knows nothing but the games \
that --train lets it play first; a bead drawn at random decides, and it resigns where a box is empty
In drawn positions it sets traps: it moves where most of your replies lose.

The values come from a solution in memory if the game is small enough (or --memory says what may be used), otherwise from \
tables. Where a table is missing, it is offered to solve it if that takes minutes; --solve does so without asking. Without \
values the computer searches as long as --think allows, counts material where the search ends (the geese), and says what it \
does not know. With outcomes and no distances it keeps a won position won and \
searches for the way to the end, which it may not find.

Examples:
  Play the hounds, which win if nothing goes wrong:
    anser play fox-hounds:8 --as hounds
  A computer that errs now and then, as the fairest opponent of the document does:
    anser play fox-hounds:8 --as fox --fuzz 0.006935
  From a position on, and as the black pawns:
    anser play hexapawn:4x4 --as black
    anser play hare-hounds 'h2/h3R/h2 h' --rules unlimited
  Two persons, with Anser to ask:
    anser play fox-geese --opening 15 --as both
  A match of the computer with itself, with a style for each side and four random plies to begin with:
    anser play fox-hounds:8 --as none --games 20 --style fox=document,hounds=quick --random-plies 4 --seed 1
  Against the matchboxes after ten games, which still err:
    anser play hexapawn:3x3 --style matchbox --train 10
  Go on with a game that was saved:
    anser play --load game.json
  A demonstration, and its record for another program:
    anser play hasenspiel --as none --seed 1 --json";

/// Play against perfect knowledge
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    about: AboutArgs,
    /// The side that you play, by its name; both for two persons, none to let the computer play
    /// itself [default: the side to move]
    #[arg(long = "as", value_name = "SIDE")]
    side: Option<String>,
    /// How the computer chooses among moves that keep the result: hard, document, quick, matchbox;
    /// for each side as in fox=hard,geese=quick [default: hard; document with --fuzz]
    #[arg(long, value_name = "STYLE", value_parser = players::styles)]
    style: Option<Styles>,
    /// How often the computer strays from its best moves, 0 to 1
    #[arg(long, value_name = "P", value_parser = fuzz)]
    fuzz: Option<f64>,
    /// What --fuzz means: printed, another move weighs P where a best one weighs 1; literal, with
    /// probability P any move
    #[arg(long, value_name = "READING", default_value = "printed")]
    fuzz_as: WeightsArg,
    /// How long the computer searches for a move where it does not know the values [default: 1, or
    /// no limit with --nodes]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    think: Option<Duration>,
    /// How many positions it searches then; with this limit alone a game can be repeated on any
    /// machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Where the computer's choices among equal moves, and its straying, begin [default: anywhere;
    /// the record says where]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// A match of N games, each with the next seed, and its score
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The first N plies are drawn at random, so that games differ [default: 0; 2 with --games]
    #[arg(long, value_name = "N")]
    random_plies: Option<usize>,
    /// The game is left after so many plies
    #[arg(long, value_name = "N", default_value_t = 1000)]
    plies: usize,
    /// Go on with the game of a record, as `save` and --json write it
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Write the record to a file when the game ends or is left
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    train: TrainArgs,
    #[command(flatten)]
    offer: OfferArgs,
    #[command(flatten)]
    tables: TablesArgs,
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

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|time| !time.is_zero()).ok_or_else(|| "write a number of seconds, such as 0.5 or 10".into())
}

impl PlayArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let subject = &self.about.subject;
        if self.save.is_some() && self.games > 1 {
            return Err(Failure::usage("--save writes the record of one game; a match with --json has all of them"));
        }
        let saved = match &self.load {
            None => None,
            Some(_) if subject.has_position() => {
                return Err(Failure::usage("a position cannot be used with --load: the record has one"));
            }
            Some(path) => Some(Saved::read(path)?),
        };
        let name = match &saved {
            Some(saved) if subject.is_given() && subject.game()? != saved.game => {
                return Err(Failure::usage(format!("the record is of {}, not of {}", saved.game, subject.game()?)));
            }
            Some(saved) => &saved.game,
            None => subject.game()?,
        };
        let (info, size) = games::find(name)?;
        let asked = subject.rules.id.as_deref();
        let rules = match &saved {
            Some(saved) if asked.is_some_and(|asked| asked != saved.rules) => {
                return Err(Failure::usage(format!("the record is of a game under the rules {}", saved.rules)));
            }
            Some(saved) => &saved.rules,
            None => asked.unwrap_or(info.default_rules),
        };
        let play = Play { args: self, saved: saved.as_ref(), seed: self.seed.unwrap_or_else(anywhere) };
        let game = info.make(size, rules)?;
        self.about.effort.on_threads(|| play.run(&game))
    }
}

/// A game, or a match, to be played.
#[derive(Clone, Copy)]
struct Play<'a> {
    args: &'a PlayArgs,
    /// The record to go on with.
    saved: Option<&'a Saved>,
    seed: u64,
}

impl Play<'_> {
    /// Plays as the document of the game does, if that is wanted and the values of all positions
    /// are at hand.
    fn run(self, game: &AnyGame) -> Result<(), Failure> {
        let setup = self.setup(game)?;
        let values = self.values(game)?;
        if setup.strategies.iter().any(|strategy| strategy.style == Style::Matchbox) {
            return self.matchboxes(game, &setup, &values);
        }
        match values {
            PlayValues::Solution(solution) if uses_document(&setup) => {
                if let Some(hunt) = game.downcast_ref::<FoxHounds>() {
                    return self.fox_boxes(game, hunt, &setup, solution);
                }
                if game.downcast_ref::<Hasenspiel>().is_some() {
                    return self.games(game, &setup, &Games::new(&solution, &Unobserved)?, None);
                }
                self.games(game, &setup, &solution, None)
            }
            values => self.games(game, &setup, values.source(), values.tables()),
        }
    }

    /// Plays as "Fox & Hounds" does.
    fn fox_boxes<R: HuntRules>(
        self,
        game: &AnyGame,
        hunt: &Hunt<R>,
        setup: &Setup,
        solution: Solution<AnyGame>,
    ) -> Result<(), Failure> {
        // A position takes this much, roughly, with its moves and boxes.
        let needed = solution.len().saturating_mul(200);
        if needed > self.args.about.effort.memory() {
            note("there is too little memory for FoxBoxes, so the computer plays quick; --memory allows more");
            return self.games(game, setup, &solution, None);
        }
        let boxes = FoxBoxes::new(&solution.into_game(hunt))?;
        self.games(game, setup, &InOwnType { game: hunt, source: boxes }, None)
    }

    /// Plays as matchboxes that were trained for the sides in this style.
    fn matchboxes(self, game: &AnyGame, setup: &Setup, values: &PlayValues) -> Result<(), Failure> {
        let is_trained = |&side: &Side| {
            matches!(setup.players[side.index()], Player::Computer(Strategy { style: Style::Matchbox, .. }))
        };
        let sides: Vec<Side> = Side::BOTH.into_iter().filter(is_trained).collect();
        let (trained, lines) = Trained::new(game, values.source(), &sides, &self.args.train, self.seed);
        for line in &lines {
            note(line);
        }
        self.games(game, setup, &trained, values.tables())
    }

    /// Where the game begins, and the moves that were played already.
    fn beginning(self, game: &AnyGame) -> Result<(AnyPosition, Vec<session::Played>), Failure> {
        match self.saved {
            Some(saved) => saved.moves(game),
            None => Ok((self.args.about.position(game)?, Vec::new())),
        }
    }

    fn values(self, game: &AnyGame) -> Result<PlayValues, Failure> {
        let PlayArgs { about, offer, tables, .. } = self.args;
        let offer = offer.offer(about.json, tables, Some(&about.effort));
        PlayValues::find(game, &self.beginning(game)?.0, &about.effort, tables, &offer)
    }

    /// Plays all games, and writes what came of them.
    fn games(
        self,
        game: &AnyGame,
        setup: &Setup,
        source: &PlayAdvisor<'_>,
        tables: Option<&values::Tables>,
    ) -> Result<(), Failure> {
        let (start, played) = self.beginning(game)?;
        let stop: Arc<AtomicBool> = stop_flag()?;
        let of = Match { game, source, tables, setup, stop: &stop, start };
        let seed = self.seed;
        let mut input = None;
        if self.args.games == 1 {
            let mut session = Session::new(&of, seed, Score::default(), played, self.args.load.clone());
            let stopped = session.run(&mut input)?;
            let record = session.record(Some(stopped.ending()));
            if let Some(path) = &self.args.save {
                record.save(path)?;
                session.saved_in(path);
            }
            if setup.json {
                print_json(&record.answer)?;
            } else {
                say(setup, &format!("\n{}", record.text()))?;
            }
            return interrupted(stopped, &session);
        }
        let (mut score, mut records) = (Score::default(), Vec::new());
        let mut played = Some(played);
        for number in 0..self.args.games {
            let seed = seed.wrapping_add(number.into());
            let mut session = Session::new(&of, seed, score, played.take().unwrap_or_default(), None);
            let stopped = session.run(&mut input)?;
            let record = session.record(Some(stopped.ending()));
            score.add(stopped.ending().outcome());
            if !setup.quiet {
                say(setup, &format!("\n{}", record.text()))?;
            }
            say(setup, &format!("game {}: {} (seed {seed})\n", number + 1, record.ended()))?;
            if !setup.quiet {
                say(setup, &format!("{}\n", score.text(game)))?;
            }
            records.push(record);
            if !matches!(stopped, Stop::Ended(_)) {
                result(game, setup, &start, &score, records)?;
                return interrupted(stopped, &session);
            }
        }
        result(game, setup, &start, &score, records)
    }

    fn setup(self, game: &AnyGame) -> Result<Setup, Failure> {
        let args = self.args;
        let (start, played) = self.beginning(game)?;
        let recorded = self.saved.and_then(|saved| saved.persons(game));
        let persons = match args.side.as_deref() {
            Some(text) => players::persons(game, text)?,
            None => recorded.unwrap_or_else(|| Side::BOTH.map(|side| side == game.side_to_move(&start))),
        };
        let usual = if args.fuzz.is_some() { Style::Document } else { Style::default() };
        let styles = args.style.as_ref().map_or(Ok([usual; 2]), |styles| styles.of(game, usual))?;
        if styles.contains(&Style::Matchbox) && !game.name().starts_with("hexapawn:") {
            return Err(Failure::usage(format!(
                "the style matchbox plays Hexapawn and not {}; `anser play hexapawn:3x3 --style matchbox`",
                game.name()
            )));
        }
        let weights = match args.fuzz_as {
            WeightsArg::Printed => Weights::Printed,
            WeightsArg::Literal => Weights::Literal,
        };
        let strategies = styles.map(|style| Strategy { style, fuzz: args.fuzz.unwrap_or(0.0), weights });
        let player = |side: Side| {
            if persons[side.index()] { Player::Person } else { Player::Computer(strategies[side.index()]) }
        };
        let is_match = args.games > 1;
        Ok(Setup {
            players: Side::BOTH.map(player),
            strategies,
            think: args.think.or(if args.nodes.is_none() { Some(Duration::from_secs(1)) } else { None }),
            nodes: args.nodes,
            // Moves that were played already are not drawn again.
            random_plies: args.random_plies.unwrap_or(if is_match && played.is_empty() { 2 } else { 0 }),
            limit: args.plies,
            json: args.about.json,
            quiet: is_match && persons == [false; 2],
        })
    }
}

/// Writes the score of a match.
fn result(
    game: &AnyGame,
    setup: &Setup,
    start: &AnyPosition,
    score: &Score,
    records: Vec<record::Record>,
) -> Result<(), Failure> {
    if setup.json {
        let played = records.into_iter().map(|record| record.answer).collect();
        return print_json(&MatchAnswer::new(game, start, played));
    }
    if setup.quiet { say(setup, &format!("\n{}", score.text(game))) } else { Ok(()) }
}

/// Whether the computer does what a document says for some side.
fn uses_document(setup: &Setup) -> bool {
    setup.strategies.iter().any(|strategy| strategy.style != Style::Quick)
}

/// The failure of a game that was interrupted, with the command that goes on.
fn interrupted(stopped: Stop, session: &Session<'_>) -> Result<(), Failure> {
    if stopped != Stop::Interrupted {
        return Ok(());
    }
    let command = session.command();
    Err(Failure::new(ErrorKind::Interrupted, format!("the game was left; its record is kept; `{command}` goes on")))
}

/// The values of a game in its own type, for positions of the same game chosen at run time.
struct InOwnType<'a, G, S> {
    game: &'a G,
    source: S,
}

impl<G: Game, S> InOwnType<'_, G, S> {
    fn at(&self, position: &AnyPosition) -> G::Position {
        self.game.decode(position.code()).expect("it is the same game")
    }
}

impl<G: Game, S: Probe<G>> Probe<AnyGame> for InOwnType<'_, G, S> {
    type Error = S::Error;

    fn value(&self, position: &AnyPosition) -> Result<Value, S::Error> {
        self.source.value(&self.at(position))
    }
}

impl<G: Game, S: Advisor<G>> Advisor<AnyGame> for InOwnType<'_, G, S> {
    fn preference(&self, after: &AnyPosition, outcome: Outcome) -> Option<f64> {
        self.source.preference(&self.at(after), outcome)
    }

    fn beads(&self, position: &AnyPosition) -> Option<Vec<f64>> {
        self.source.beads(&self.at(position))
    }
}

/// A seed that is hardly the same twice, short enough to be typed.
fn anywhere() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) % 1_000_000
}
