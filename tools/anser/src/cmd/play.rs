//! `anser play`: a game against perfect knowledge.

mod entry;
mod game;
mod input;
mod learned;
pub(crate) mod matchbox;
#[cfg(feature = "learn")]
mod model;
mod players;
mod record;
mod session;
mod values;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anser_analyse::{FoxBoxes, Strategy, Style, Weights};
use anser_core::{BySide, Hunt, Side, Unobserved, hunt};
use anser_games::answers::MatchAnswer;
use anser_retrograde::{Games, Solution};
use clap::Args;

use crate::args::{OfferArgs, ResourceArgs, SubjectArgs, TablesArgs, count, one_of, whole};
use crate::failure::Failure;
use crate::offer::Offer;
use crate::output::{note, print_json};
use crate::progress::stop_flag;

use game::{Score, Setup};
use matchbox::TrainArgs;
use players::PerSide;
use session::{Match, Session, Stop, say};

pub(crate) use game::Played;
pub(crate) use record::Reviewed;
pub(crate) use record::{Saved, known, known_text, marked, remarks, review};
pub(crate) use values::{PlayAdvisor, PlayValues};

const AFTER: &str = "\
Enter a move as it is shown, or a unique part of it, such as d7 if only one piece can move to d7. \
Or enter a command, in upper or lower case:
  hint     show the best moves, with their values
  moves    show all moves, with their values
  eval     show who wins in this position
  undo     take back your last move and the reply to it
  board    show the board again
  record   show the moves so far
  score    show the score of the match, with --games
  save FILE, load FILE
           write the record to a file; go on from the moves of one, with the present players
  new      start again
  resign   give up
  help     list these commands
  quit     leave; the end of the input does the same
At the end the record is written, with a ? after every move that gave the outcome away and ?! \
after a move that lost ten plies or more, and with better moves. The game is drawn when a \
position that is drawn or not known, or that a search should win, occurs for the third time. \
Ctrl-C leaves the game, and writes its record and the command that continues it. `anser line \
--record FILE` shows the values along a record.

Styles of the computer. The first three always keep the outcome, except for their fuzz:
  hard      wins as fast as possible; in a lost position it follows the document of the game, or \
else delays the loss
  document  follows the document of the game in won positions too: in Fox-and-Hounds the fox \
delays its win, and hounds that win aim at the greatest maxB; in Hasenspiel it leaves the \
opponent the smallest share of won games
  quick     wins as fast as possible, and delays a loss
  beginner, casual, skilled, expert
            levels, which err as people do: often by a few plies of a win, seldom by the outcome, \
and the more easily the later the refutation shows; docs/play.md has the share of won positions that \
each level wins
  search-2, search-4, search-7, search-12
            search at most so many plies deep, within --think and --nodes, by material, as if there \
were no tables
  matchbox  small games without loops, as Hexapawn: the learner of matchboxes and beads, which \
knows only the games of its training (--train); it draws a bead at random, and resigns if a box \
is empty
  model     a network that `anser learn` trained, with its search; in an anser that is built with \
the feature learn
In drawn positions it keeps its material, found by a search, and then sets traps: it chooses moves \
after which the largest share of the replies loses.

The values come from tables of distances. Small games that have none are solved in memory, and \
with --memory so are others that fit into it, if that takes an hour at most. Missing tables that \
take seconds are solved first, for this game alone. Others are offered if they take less than an \
hour; --solve solves them without asking. Both stay. Without values the computer searches within \
--think, evaluates by material (the geese), and reports what is not known. With outcomes but no \
distances it keeps a won position won, and searches for a way to convert it, which it may not find.

Examples:
  Play the hounds, which win with best play:
    anser play fox-hounds:8 --as hounds
  Against a computer that sometimes errs, the fairest opponent according to the document:
    anser play fox-hounds:8 --as fox --fuzz 0.006935
  The same, as one side of a match against a computer that does not err:
    anser play fox-hounds:8 --as none --games 20 --fuzz hounds=0.006935
  Against a level, and a match of two levels:
    anser play hare-hounds --style casual
    anser play fox-hounds:8 --as none --games 20 --style fox=expert,hounds=skilled
  As the black pawns, and from another position:
    anser play hexapawn:4x4 --as black
    anser play hare-hounds 'h2/h3R/h2 h' --rules unlimited
  Two persons, with hints on request:
    anser play fox-geese --opening 15 --as both
  A match of the computer against itself, with a style for each side and four random plies at the start:
    anser play fox-hounds:8 --as none --games 20 --style fox=document,hounds=quick --random-plies \
4 --seed 1
  Against the matchboxes after ten games of training, which still err:
    anser play hexapawn:3x3 --style matchbox --train 10
  Against a trained network, and the network against perfect play:
    anser play hexapawn:4x4 --style model
    anser play hexapawn:4x4 --as none --style white=model,black=hard --games 20
  Continue a saved game:
    anser play --load game.json
  A demonstration, with a record for another program:
    anser play hasenspiel --as none --seed 1 --json";

/// Play against perfect knowledge
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    subject: SubjectArgs,
    #[command(flatten)]
    resources: ResourceArgs,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
    /// Side that you play, by its name; both for two persons, none to let the computer play itself
    /// [default: the side to move]
    #[arg(long = "as", value_name = "SIDE")]
    side: Option<String>,
    /// Style of the computer: hard, document, quick; the levels beginner, casual, skilled, expert;
    /// search-2, search-4, search-7, search-12; matchbox, model; per side as in
    /// fox=hard,geese=quick [default: hard; document with --fuzz, model with --model]
    #[arg(long, value_name = "STYLE", value_parser = players::styles)]
    style: Option<PerSide<Style>>,
    /// Fuzz factor: how often the computer deviates from its best moves, 0 to 1; per side as in
    /// fox=0.5, where the other side does not deviate
    #[arg(long, value_name = "P", value_parser = players::fuzz)]
    fuzz: Option<PerSide<f64>>,
    /// Meaning of --fuzz: printed, best moves have weight 1 and others weight P; literal, with
    /// probability P any move is chosen [default: printed]
    #[arg(
        long, value_name = "READING",
        value_parser = one_of(Weights::ALL.map(|weights| (weights, weights.id(), None)))
    )]
    fuzz_as: Option<Weights>,
    /// Search time per move if the values are not known or not used, in seconds [default: 1, or no
    /// limit with --nodes]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    think: Option<Duration>,
    /// Number of positions searched per move if the values are not known or not used; without
    /// --think, games are reproducible on any machine
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    nodes: Option<u64>,
    /// Seed of the random choices of the computer [default: random; the record shows it]
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    seed: Option<u64>,
    /// Number of games of a match; each game uses the next seed
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = count::<u32>
    )]
    games: u32,
    /// Number of random plies at the start, so that games differ [default: 0; 2 with --games]
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    random_plies: Option<usize>,
    /// Number of plies after which a game is left
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<usize>)]
    plies: usize,
    /// Continue the game of a record, as written by `save` and --json. The sides, --style, --fuzz,
    /// --fuzz-as, and --seed are those of the record unless given. GAME is needed if a file
    /// describes the game
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Write the record to a file when the game ends or is left
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    train: TrainArgs,
    #[cfg(feature = "learn")]
    #[command(flatten)]
    model: model::ModelPlayArgs,
    #[command(flatten)]
    offer: OfferArgs,
    #[command(flatten)]
    tables: TablesArgs,
}

/// Time for the search of a move, if neither time nor nodes are given.
const USUAL_THINK: Duration = Duration::from_secs(1);

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "write a number of seconds, such as 0.5 or 10".into())
}

impl PlayArgs {
    /// Whether an option about models was given.
    #[cfg_attr(
        not(feature = "learn"),
        expect(clippy::unused_self, reason = "models are part of learners")
    )]
    fn model_is_given(&self) -> bool {
        #[cfg(feature = "learn")]
        return self.model.is_given();
        #[cfg(not(feature = "learn"))]
        false
    }

    /// The style of a side without one.
    fn usual_style(&self, fuzz: Option<f64>) -> Style {
        if self.model_is_given() {
            return Style::Model;
        }
        if fuzz.is_some() { Style::Document } else { Style::default() }
    }

    pub(crate) fn run(&self) -> Result<(), Failure> {
        let subject = &self.subject;
        if self.save.is_some() && self.games > 1 {
            return Err(Failure::usage(
                "--save writes the record of one game; a match with --json has all of them",
            ));
        }
        if let Some(path) = &self.save {
            record::check_place(path)?;
        }
        if self.load.is_some() && subject.has_position() {
            return Err(Failure::usage(
                "a position cannot be used with --load: the record has one",
            ));
        }
        let saved = self.load.as_deref().map(Saved::read).transpose()?;
        let game = match (&saved, &self.load) {
            (Some(saved), Some(path)) => saved.open(subject, ("play", "--load"), path)?,
            _ => subject.open()?.0,
        };
        self.resources.on_threads(|| {
            let (start, played) = match &saved {
                Some(saved) => saved.moves(&game)?,
                None => (subject.position(&game)?, Vec::new()),
            };
            let saved = saved.as_ref();
            let recorded = saved.and_then(|saved| saved.settings.seed);
            let seed = self.seed.or(recorded).unwrap_or_else(random_seed);
            Play { args: self, game: &game, start, saved, seed }.run(played)
        })
    }
}

/// Game or match to be played.
#[derive(Clone, Copy)]
struct Play<'a> {
    args: &'a PlayArgs,
    game: &'a Hunt,
    /// First position of each game.
    start: hunt::Position,
    /// Record to continue, if any.
    saved: Option<&'a Saved>,
    seed: u64,
}

impl Play<'_> {
    /// Plays after the moves of the record: with the advisor of the document of the game, if a
    /// style needs it and all values are in memory; otherwise with the values alone.
    fn run(self, played: Vec<Played>) -> Result<(), Failure> {
        let setup = self.setup(played.is_empty())?;
        let values = self.values(&setup)?;
        let play = |source: &PlayAdvisor<'_>| self.games(&setup, source, &values, played);
        match values.solution().filter(|_| uses_document(&setup)) {
            Some(solution) if FoxBoxes::suit(self.game) => match self.fox_boxes(solution)? {
                Some(boxes) => play(&boxes),
                None => play(&values),
            },
            Some(solution) if self.game.rows().is_some() => {
                play(&Games::new(solution, &Unobserved)?)
            }
            _ => play(&values),
        }?;
        values.check_usable()
    }

    /// The `FoxBoxes` of the document "Fox & Hounds"; none if they need too much memory, with a
    /// note.
    fn fox_boxes(self, solution: &Solution) -> Result<Option<FoxBoxes>, Failure> {
        // Approximate bytes per position, with its moves and boxes.
        let needed = solution.len().saturating_mul(200);
        if needed > self.args.resources.memory() {
            note(
                "FoxBoxes do not fit in the memory limit, so the computer plays quick; raise --memory",
            );
            return Ok(None);
        }
        Ok(Some(FoxBoxes::new(solution)?))
    }

    /// Finds the values. The advisors of documents need a solution.
    fn values(self, setup: &Setup) -> Result<PlayValues, Failure> {
        let PlayArgs { json, resources, offer: args, tables, .. } = self.args;
        args.make_directory(tables)?;
        if uses_document(setup)
            && self.game.rows().is_some()
            && let Some(solved) = PlayValues::solve(self.game, &self.start, resources, tables)?
        {
            return Ok(solved);
        }
        let offer = Offer { args, json: *json, tables, resources: Some(resources) };
        PlayValues::find(self.game, &self.start, resources, &offer)
    }

    /// Plays all games, and writes their records and the score.
    fn games(
        self,
        setup: &Setup,
        source: &PlayAdvisor<'_>,
        values: &PlayValues,
        played: Vec<Played>,
    ) -> Result<(), Failure> {
        let Play { game, start, seed, .. } = self;
        let trained = setup.has_style(Style::Matchbox).then(|| {
            let sides = setup.computers(Style::Matchbox);
            matchbox::trained(game, source, &sides, &self.args.train, seed)
        });
        let source = trained.as_ref().map_or(source, |trained| trained as &PlayAdvisor<'_>);
        #[cfg(feature = "learn")]
        let model = self.args.model.load(game, setup)?;
        #[cfg(feature = "learn")]
        let networked = model
            .as_ref()
            .map(|model| model::networked(game, source, setup, model, &self.args.model));
        #[cfg(feature = "learn")]
        let source = networked.as_ref().map_or(source, |it| it as &PlayAdvisor<'_>);
        let stop: Arc<AtomicBool> = stop_flag()?;
        let of = Match { game, source, values, setup, stop: &stop, start };
        let mut input = None;
        if self.args.games == 1 {
            let mut session =
                Session::new(of, seed, Score::default(), played, self.args.load.clone());
            let stopped = session.run(&mut input)?;
            let record = session.record(Some(stopped.ending()));
            let saved =
                self.args.save.as_ref().map(|path| record.save(path).map(|()| path.clone()));
            if let Some(Ok(path)) = &saved {
                session.saved = Some(path.clone());
            }
            // A record that cannot be saved is not lost.
            if setup.json {
                print_json(&record.answer)?;
            } else {
                say(setup, &format!("\n{}", record.text()))?;
            }
            saved.transpose()?;
            return interrupted(&stopped, &session);
        }
        let (mut score, mut records) = (Score::default(), Vec::new());
        let (mut played, mut left) = (Some(played), Ok(()));
        for number in 0..self.args.games {
            let seed = seed.wrapping_add(number.into());
            let mut session =
                Session::new(of, seed, score, played.take().unwrap_or_default(), None);
            let stopped = session.run(&mut input)?;
            let record = session.record(Some(stopped.ending()));
            score.add(game, stopped.ending().outcome());
            if !setup.quiet {
                say(setup, &format!("\n{}", record.text()))?;
            }
            say(setup, &format!("game {}: {} (seed {seed})\n", number + 1, record.ended()))?;
            if !setup.quiet {
                say(setup, &format!("{}\n", score.text(game)))?;
            }
            records.push(record);
            if !matches!(stopped, Stop::Ended(_)) {
                left = interrupted(&stopped, &session);
                break;
            }
        }
        if setup.json {
            let played = records.into_iter().map(|record| record.answer).collect();
            print_json(&MatchAnswer::new(game, &start, played))?;
        } else if setup.quiet {
            say(setup, &format!("\n{}", score.text(game)))?;
        }
        left
    }

    /// Style of each side: the given one, else that of the record, else the usual one with the fuzz
    /// factor of the side.
    fn styles(
        self,
        given: BySide<Option<Style>>,
        fuzz: impl Fn(Side) -> Option<f64>,
    ) -> Result<BySide<Style>, Failure> {
        let Play { args, game, saved, .. } = self;
        let is_complete = given.as_array().iter().all(Option::is_some);
        let recorded = match saved {
            Some(saved) if !is_complete && !args.model_is_given() => saved.settings.styles(game)?,
            _ => BySide::default(),
        };
        Ok(BySide::from_fn(|side| {
            given[side].or(recorded[side]).unwrap_or_else(|| args.usual_style(fuzz(side)))
        }))
    }

    /// Settings of the games; `is_new` is whether no record is continued, or one without moves.
    fn setup(self, is_new: bool) -> Result<Setup, Failure> {
        let Play { args, game, start, saved, .. } = self;
        let persons = match args.side.as_deref() {
            Some(text) => players::persons(game, text)?,
            None => saved
                .and_then(|saved| saved.persons(game))
                .unwrap_or_else(|| BySide::from_fn(|side| side == start.to_move())),
        };
        let settings = saved.map(|saved| &saved.settings);
        let given = args.fuzz.as_ref().map(|fuzz| fuzz.of(game, "--fuzz")).transpose()?;
        let recorded = match (given, settings) {
            (None, Some(settings)) => settings.fuzz(game)?,
            _ => BySide::default(),
        };
        let given = given.unwrap_or_default();
        let styles = args.style.as_ref().map(|styles| styles.of(game, "--style")).transpose()?;
        let styles =
            self.styles(styles.unwrap_or_default(), |side| given[side].or(recorded[side]))?;
        let is_fuzzy = |side| given[side].is_some_and(|fuzz: f64| fuzz > 0.0);
        if Side::BOTH.into_iter().any(|side| styles[side].is_level() && is_fuzzy(side)) {
            return Err(Failure::usage(
                "--fuzz is not for levels, which err by themselves; leave it out, or choose --style \
                 quick",
            ));
        }
        if styles.as_array().contains(&Style::Matchbox) {
            matchbox::require_small(game, "anser play hexapawn:3x3 --style matchbox")?;
        }
        let weights = match (args.fuzz_as, settings) {
            (None, Some(settings)) => settings.weights()?,
            (given, _) => given.unwrap_or_default(),
        };
        let strategies = BySide::from_fn(|side| {
            let style = styles[side];
            let recorded = recorded[side].filter(|_| !style.is_level());
            let fuzz = given[side].or(recorded).unwrap_or_default();
            Strategy { style, fuzz, weights, ..Strategy::default() }
        });
        let is_match = args.games > 1;
        Ok(Setup {
            persons,
            strategies,
            think: args.think.or(args.nodes.is_none().then_some(USUAL_THINK)),
            nodes: args.nodes,
            // A loaded game keeps its own opening.
            random_plies: args.random_plies.unwrap_or(if is_match && is_new { 2 } else { 0 }),
            limit: args.plies,
            json: args.json,
            quiet: is_match && persons == BySide::new(false, false),
        })
    }
}

/// Whether the computer follows the document for some side.
fn uses_document(setup: &Setup) -> bool {
    let follows =
        |style: Style| !matches!(style, Style::Quick | Style::Level(_) | Style::Search(_));
    setup.strategies.iter().any(|(_, strategy)| follows(strategy.style))
}

/// Failure of an interrupted game, with the command that continues it.
fn interrupted(stopped: &Stop, session: &Session<'_>) -> Result<(), Failure> {
    if *stopped != Stop::Interrupted {
        return Ok(());
    }
    let command = session.command();
    Err(Failure::interrupted_with(format_args!(
        "the game was interrupted; `{command}` continues it"
    )))
}

/// Random seed of at most six digits.
fn random_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) % 1_000_000
}
