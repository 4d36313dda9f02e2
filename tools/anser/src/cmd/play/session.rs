//! One game, from its first move to its record: the loop of moves and commands.

mod text;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anser_analyse::{Budget, Opinion, Random, Strategy, Style, known_moves, search};
use anser_core::{Hunt, Next, RatedMove, Side, hunt};

use super::USUAL_THINK;
use super::entry::{self, Command, Entry, HELP};
use super::game::{Ending, Played, Score, Setup};
use super::input::{Input, Line};
use super::record::{Record, Saved, Settings, known, known_text, load_command};
use super::values::{PlayAdvisor, PlayValues};
use crate::board::board;
use crate::failure::Failure;
use crate::games;
use crate::output::note;
use crate::text::heading;

/// Reason why the loop of a game stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    Ended(Ending),
    /// A person quit the game, and with it the match.
    Quit,
    /// Ctrl-C.
    Interrupted,
}

impl Stop {
    pub(super) fn ending(&self) -> Ending {
        match self {
            Stop::Ended(ending) => ending.clone(),
            Stop::Quit | Stop::Interrupted => Ending::Left,
        }
    }
}

/// Constants of a match.
#[derive(Clone, Copy)]
pub(super) struct Match<'a> {
    pub(super) game: &'a Hunt,
    pub(super) source: &'a PlayAdvisor<'a>,
    /// Values that the source builds on.
    pub(super) values: &'a PlayValues,
    pub(super) setup: &'a Setup,
    /// Set by Ctrl-C.
    pub(super) stop: &'a Arc<AtomicBool>,
    pub(super) start: hunt::Position,
}

/// Current game.
pub(super) struct Session<'a> {
    /// What all games of the match share; a record that is loaded replaces the start.
    of: Match<'a>,
    /// Score of the games before this one.
    score: Score,
    seed: u64,
    random: Random,
    played: Vec<Played>,
    /// File that holds all moves of the game.
    pub(super) saved: Option<PathBuf>,
    /// Whether the note about missing distances was written.
    advised: bool,
    /// Whether the note about searching was written.
    searched: bool,
}

impl<'a> Session<'a> {
    /// Starts a game after the moves in `played`, read from the file `saved` if any.
    pub(super) fn new(
        of: Match<'a>,
        seed: u64,
        score: Score,
        played: Vec<Played>,
        saved: Option<PathBuf>,
    ) -> Session<'a> {
        let random = Random::new(seed);
        Session { of, score, seed, random, played, saved, advised: false, searched: false }
    }

    /// Plays to the end.
    pub(super) fn run(&mut self, input: &mut Option<Input>) -> Result<Stop, Failure> {
        let game = self.of.game;
        if !self.of.setup.quiet {
            let here = game.format_position(&self.of.start);
            self.say(&format!("{}{here}\n", heading(game)))?;
            let mine = Side::BOTH
                .into_iter()
                .filter(|&side| self.is_person(side))
                .map(|side| game.side_name(side));
            let mine: Vec<&str> = mine.collect();
            if !mine.is_empty() {
                let sides = format!("you play {}; `help` lists the commands\n", mine.join(" and "));
                self.say(&sides)?;
            }
        }
        let here = self.played.last().map_or(self.of.start, |played| *played.next.position());
        self.show(&here)?;
        loop {
            let position = match self.position() {
                Ok(position) => position,
                Err(ending) => return Ok(Stop::Ended(ending)),
            };
            if self.of.stop.load(Relaxed) {
                return Ok(Stop::Interrupted);
            }
            self.advise(&position);
            let stopped = if self.played.len() < self.of.setup.random_plies {
                self.open(&position)?;
                None
            } else if self.is_person(position.to_move()) {
                self.ask(&position, input)?
            } else {
                self.answer(&position)?.map(Stop::Ended)
            };
            if let Some(stopped) = stopped {
                return Ok(stopped);
            }
        }
    }

    fn is_person(&self, side: Side) -> bool {
        self.of.setup.persons[side]
    }

    /// Whether the computer searches for a side even if values are known.
    fn ignores_values(&self, side: Side) -> bool {
        matches!(self.of.setup.strategies[side].style, Style::Search(_))
    }

    /// Current position, or the end of the game.
    fn position(&self) -> Result<hunt::Position, Ending> {
        let last = self.played.last().map_or(Next::Position(self.of.start), |played| played.next);
        if let Some(outcome) = self.of.game.outcome_after(&last) {
            let reason = self.of.game.ending_after(&last).map(str::to_owned);
            return Err(Ending::Over(outcome, reason));
        }
        let position = *last.position();
        if self.played.len() >= self.of.setup.limit {
            return Err(Ending::Left);
        }
        let before = self.played.iter().filter(|played| played.from == position).count();
        // A search may not find the way to its win.
        let finds = |winner| self.is_person(winner) || !self.ignores_values(winner);
        let won = || self.of.source.value(&position).is_ok_and(|it| it.winner().is_some_and(finds));
        if before >= 2 && !won() { Err(Ending::Repetition) } else { Ok(position) }
    }

    /// Positions of the game before the current one.
    fn seen(&self) -> Vec<hunt::Position> {
        self.played.iter().map(|played| played.from).collect()
    }

    /// Notes once that a win may not be converted because distances are missing.
    fn advise(&mut self, position: &hunt::Position) {
        if !self.advised
            && let Some(advice) = self.of.values.advice(position)
        {
            self.advised = true;
            note(advice);
        }
    }

    /// Plays a random move, one that does not end the game if there is one.
    fn open(&mut self, position: &hunt::Position) -> Result<(), Failure> {
        let mut moves = known_moves(self.of.game, self.of.source, position);
        let continues = |rated: &RatedMove| self.of.game.outcome_after(&rated.next).is_none();
        let weights: Vec<f64> =
            moves.iter().map(|rated| f64::from(u8::from(continues(rated)))).collect();
        let any = || vec![1.0; weights.len()];
        let weights = if weights.contains(&1.0) { weights } else { any() };
        let chosen = self.random.weighted(&weights).ok_or_else(no_move)?;
        let chosen = moves.swap_remove(chosen);
        self.announce(position, &chosen)?;
        self.make(*position, &chosen)
    }

    /// Plays a move of the computer. Returns the end of the game if it resigns.
    fn answer(&mut self, position: &hunt::Position) -> Result<Option<Ending>, Failure> {
        let moves = known_moves(self.of.game, self.of.source, position);
        let side = position.to_move();
        let strategy = self.of.setup.strategies[side];
        let is_open = Strategy::is_open(self.of.game, &moves, side);
        let searches = is_open || self.ignores_values(side);
        if !self.searched && !strategy.style.is_learner() && searches {
            self.searched = true;
            let why = if is_open { "the outcome is not known: " } else { "" };
            let effort = self.effort_text();
            note(format_args!("{why}the computer searches {effort}"));
        }
        let (seen, budget) = (self.seen(), self.budget());
        let random = &mut self.random;
        let chosen =
            match strategy.play(self.of.game, self.of.source, position, &seen, &budget, random) {
                None if strategy.style == Style::Matchbox => {
                    return Ok(Some(Ending::Resigned(side)));
                }
                played => played.ok_or_else(no_move)?.chosen,
            };
        self.announce(position, &chosen)?;
        self.make(*position, &chosen)?;
        Ok(None)
    }

    /// Limits of a search.
    fn budget(&self) -> Budget<'a> {
        let nodes = self.of.setup.nodes.unwrap_or(u64::MAX);
        Budget { time: self.of.setup.think, stop: Some(self.of.stop), ..Budget::nodes(nodes) }
    }

    /// Result of a search.
    fn opinion(&self, position: &hunt::Position) -> Option<Opinion> {
        search(self.of.game, self.of.source, position, &self.seen(), &self.budget())
    }

    /// Shows a move of the computer.
    fn announce(&self, position: &hunt::Position, chosen: &RatedMove) -> Result<(), Failure> {
        let side = self.of.game.side_name(position.to_move());
        let shown = format!("\n{side}: {}\n", self.of.game.format_move(&chosen.mv));
        if self.of.setup.quiet { Ok(()) } else { self.say(&shown) }
    }

    /// Makes a move, and shows the board unless the computer answers next.
    fn make(&mut self, from: hunt::Position, chosen: &RatedMove) -> Result<(), Failure> {
        self.played.push(Played { from, mv: chosen.mv, next: chosen.next });
        // The file lacks this move.
        self.saved = None;
        let mover = from.to_move();
        let answered = self.is_person(mover) && !self.is_person(mover.other());
        if answered && self.of.game.outcome_after(&chosen.next).is_none() {
            return Ok(());
        }
        self.show(chosen.next.position())
    }

    /// Reads and executes one line of input. Returns how the game stopped, if it did.
    fn ask(
        &mut self,
        position: &hunt::Position,
        input: &mut Option<Input>,
    ) -> Result<Option<Stop>, Failure> {
        let side = position.to_move();
        let moves = known_moves(self.of.game, self.of.source, position);
        let prompt = format!("{}> ", self.of.game.side_name(side));
        let input = match input {
            Some(input) => input,
            None => input.insert(Input::new(self.of.setup.json)?),
        };
        if !input.prompts() {
            self.say(&prompt)?;
        }
        let names = moves.iter().map(|rated| self.of.game.format_move(&rated.mv));
        let words = names.chain(entry::command_names()).collect();
        let line = match input.read(&prompt, words, self.of.stop)? {
            Line::Text(line) => line,
            Line::End => {
                self.say("\n")?;
                return Ok(Some(Stop::Quit));
            }
            Line::Interrupted => {
                self.say("\n")?;
                return Ok(Some(Stop::Interrupted));
            }
        };
        if input.echoes() {
            self.say(&format!("{line}\n"))?;
        }
        if line.is_empty() {
            return Ok(None);
        }
        match entry::read(self.of.game, position, &moves, &line) {
            Entry::Wrong(why) => self.say(&why)?,
            Entry::Move(number) => self.make(*position, &moves[number])?,
            Entry::Command(Command::Quit) => return Ok(Some(Stop::Quit)),
            Entry::Command(Command::Resign) => {
                return Ok(Some(Stop::Ended(Ending::Resigned(side))));
            }
            Entry::Command(command) => self.execute(command, position, &moves)?,
            Entry::File(Command::Load, file) => self.load(Path::new(&file))?,
            Entry::File(_, file) => self.save(Path::new(&file))?,
        }
        Ok(None)
    }

    /// Executes a command.
    fn execute(
        &mut self,
        command: Command,
        position: &hunt::Position,
        moves: &[RatedMove],
    ) -> Result<(), Failure> {
        match command {
            Command::Hint => self.say(&self.hint(position, moves)),
            Command::Moves => self.say(&self.list(position, moves)),
            Command::Eval => {
                let side = self.of.game.side_name(position.to_move());
                let value = known(self.of.game, self.of.source, position);
                let opinion = if value.is_some() { None } else { self.opinion(position) };
                let opinion =
                    opinion.map(|opinion| format!("; {}", self.opinion_text(position, &opinion)));
                let opinion = opinion.unwrap_or_default();
                self.say(&format!("{side} to move: {}{opinion}\n", known_text(self.of.game, value)))
            }
            Command::Board => self.show(position),
            Command::Record => self.say(&self.record(None).text()),
            Command::Score => self.say(&self.score.text(self.of.game)),
            Command::Help => self.say(HELP),
            Command::Undo => {
                // Against the computer, the computer's reply is taken back too.
                let alone = Side::BOTH.into_iter().all(|side| self.is_person(side));
                let mine = |played: &Played| alone || self.is_person(played.from.to_move());
                let last = self.played.iter().rposition(mine);
                match last.filter(|&number| number >= self.of.setup.random_plies) {
                    None => self.say("you have no move to take back\n"),
                    Some(number) => {
                        let back = self.played[number].from;
                        self.played.truncate(number);
                        self.show(&back)
                    }
                }
            }
            Command::New => {
                if !self.played.is_empty() {
                    self.say(&format!("\n{}\n", self.record(Some(Ending::Left)).text()))?;
                }
                self.played.clear();
                self.show(&self.of.start)
            }
            Command::Resign | Command::Quit | Command::Save | Command::Load => Ok(()),
        }
    }

    /// Writes the record to a file.
    fn save(&mut self, path: &Path) -> Result<(), Failure> {
        match self.record(None).save(path) {
            Ok(()) => {
                let command = load_command(self.of.game.name(), ("play", "--load"), path);
                let how = format!("saved; `{command}` continues it\n");
                self.saved = Some(path.to_owned());
                self.say(&how)
            }
            Err(failure) => self.say(&format!("{}\n", failure.message())),
        }
    }

    /// Continues the game of a record, if it has the same game and rules.
    fn load(&mut self, path: &Path) -> Result<(), Failure> {
        let game = self.of.game;
        let loaded = Saved::read(path).and_then(|saved| {
            if (&*saved.game, &*saved.rules) == (game.name(), game.rules_id()) {
                return saved.moves(game);
            }
            Err(Failure::usage(format!(
                "the record is of {}, rules {}; `{}` continues it",
                saved.game,
                saved.rules,
                load_command(&saved.game, ("play", "--load"), path)
            )))
        });
        match loaded {
            Ok((start, played)) => {
                (self.of.start, self.played, self.saved) = (start, played, Some(path.to_owned()));
                let here = self.played.last().map_or(start, |played| *played.next.position());
                self.show(&here)
            }
            Err(failure) => self.say(&format!("{}\n", failure.message())),
        }
    }

    pub(super) fn record(&self, ending: Option<Ending>) -> Record {
        Record::new(&self.of, self.seed, &self.played, ending)
    }

    /// Command that continues the game.
    pub(super) fn command(&self) -> String {
        let Match { game, setup, .. } = self.of;
        let side = match *setup.persons.as_array() {
            [true, true] => "both",
            [false, false] => "none",
            [first, _] => game.side_name(if first { Side::First } else { Side::Second }),
        };
        let settings = Settings::new(game, setup, self.seed);
        let mut search = String::new();
        if let Some(think) = setup.think.filter(|&think| think != USUAL_THINK) {
            search += &format!(" --think {}", think.as_secs_f64());
        }
        if let Some(nodes) = setup.nodes {
            search += &format!(" --nodes {nodes}");
        }
        let saved = self.saved.as_deref();
        if let Some((path, saved)) = saved.and_then(|path| Some((path, Saved::read(path).ok()?))) {
            let mut command = load_command(game.name(), ("play", "--load"), path);
            if saved.persons(game) != Some(setup.persons) {
                command += &format!(" --as {side}");
            }
            return command + &settings.options(&saved.settings) + &search;
        }
        let position = game.format_position(&self.position().unwrap_or(self.of.start));
        format!(
            "anser play {} --rules {} '{position}' --as {side}{}{search}",
            games::word(game.name()),
            game.rules_id(),
            settings.options(&Settings::usual(&settings))
        )
    }

    fn show(&self, position: &hunt::Position) -> Result<(), Failure> {
        if self.of.setup.quiet {
            return Ok(());
        }
        // With --json the board goes to standard error, without colors.
        let shown = if self.of.setup.json {
            self.of.game.diagram(position)
        } else {
            board(self.of.game, position)
        };
        self.say(&format!("\n{shown}\n"))
    }

    fn say(&self, text: &str) -> Result<(), Failure> {
        say(self.of.setup, text)
    }
}

/// Writes text at once, to standard error if standard output is reserved for the record.
pub(super) fn say(setup: &Setup, text: &str) -> Result<(), Failure> {
    if setup.json {
        // A closed standard error is ignored.
        let _ = io::stderr().write_all(text.as_bytes());
        return Ok(());
    }
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::output(&error))
}

fn no_move() -> Failure {
    Failure::corrupt("the rules contradict themselves: the game is not over, but no move is legal")
}
