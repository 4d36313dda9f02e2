//! A game from its first move to its record: a loop of moves, questions and answers.

use std::io::{self, BufRead, IsTerminal, Read, Write};

use anser_analyse::{Candidate, Random, Source, Strategy, Style, candidates};
use anser_core::{Game, Next, Outcome, Side};

use super::entry::{self, Entry, HELP, Word};
use super::record::{Record, known, worth_text};
use crate::failure::Failure;
use crate::output::print_json;

/// How a game is played.
pub(super) struct Setup {
    /// The side that a person plays.
    pub(super) person: Option<Side>,
    /// How the computer chooses.
    pub(super) strategy: Strategy,
    pub(super) seed: u64,
    /// The game is left after so many plies.
    pub(super) limit: usize,
    /// Whether the record is wanted as JSON, and everything else beside it.
    pub(super) json: bool,
}

/// A move that was played.
pub(super) struct Played<G: Game> {
    pub(super) from: G::Position,
    pub(super) mv: G::Move,
    pub(super) next: Next<G::Position>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// By the rules.
    Over(Outcome),
    /// This side gave up.
    Resigned(Side),
    /// A drawn position came for the third time.
    Repetition,
    /// It was not played to the end.
    Left,
}

impl Ending {
    pub(super) fn outcome(self) -> Option<Outcome> {
        match self {
            Ending::Over(outcome) => Some(outcome),
            Ending::Resigned(side) => Some(Outcome::Win(side.other())),
            Ending::Repetition => Some(Outcome::Draw),
            Ending::Left => None,
        }
    }

    pub(super) fn by(self) -> &'static str {
        match self {
            Ending::Over(_) => "end",
            Ending::Resigned(_) => "resignation",
            Ending::Repetition => "repetition",
            Ending::Left => "left",
        }
    }
}

/// No line that means anything is longer.
const LONGEST_LINE: u64 = 1 << 12;

/// A game that is being played.
pub(super) struct Session<'a, G: Game> {
    game: &'a G,
    source: &'a dyn Source<G>,
    setup: Setup,
    random: Random,
    start: G::Position,
    played: Vec<Played<G>>,
    /// Whether what is read should be shown as well: nobody types it.
    echo: bool,
}

impl<'a, G: Game> Session<'a, G> {
    pub(super) fn new(game: &'a G, source: &'a dyn Source<G>, setup: Setup, start: G::Position) -> Session<'a, G> {
        let (random, echo) = (Random::new(setup.seed), !io::stdin().is_terminal());
        Session { game, source, setup, random, start, played: Vec::new(), echo }
    }

    /// Plays to the end, and writes the record.
    pub(super) fn run(mut self, input: &mut impl BufRead) -> Result<(), Failure> {
        let game = self.game;
        self.say(&format!("{}, rules {}\n{}\n", game.name(), game.rules_id(), game.format_position(&self.start)))?;
        if let Some(side) = self.setup.person {
            self.say(&format!("your side: {}; `help` says what can be written\n", game.side_name(side)))?;
        }
        self.show(&self.start)?;
        let ending = loop {
            let position = match self.position() {
                Ok(position) => position,
                Err(ending) => break ending,
            };
            if Some(game.side_to_move(&position)) != self.setup.person {
                self.answer(&position)?;
            } else if let Some(ending) = self.ask(&position, input)? {
                break ending;
            }
        };
        let record = self.record(Some(ending));
        if self.setup.json { print_json(&record) } else { self.say(&format!("\n{}", record.text())) }
    }

    /// The position that play is in, or how it has ended.
    fn position(&self) -> Result<G::Position, Ending> {
        let position = match self.played.last().map(|played| &played.next) {
            None => self.start,
            Some(Next::Position(position)) => *position,
            Some(Next::End(outcome)) => return Err(Ending::Over(*outcome)),
        };
        if let Some(outcome) = self.game.terminal(&position) {
            return Err(Ending::Over(outcome));
        }
        if self.played.len() >= self.setup.limit {
            return Err(Ending::Left);
        }
        let before = self.played.iter().filter(|played| played.from == position).count();
        let drawn = || self.source.worth(&position).is_some_and(|worth| worth.outcome == Outcome::Draw);
        if before >= 2 && drawn() { Err(Ending::Repetition) } else { Ok(position) }
    }

    /// The computer's move.
    fn answer(&mut self, position: &G::Position) -> Result<(), Failure> {
        let seen: Vec<G::Position> = self.played.iter().map(|played| played.from).collect();
        let strategy = self.setup.strategy;
        let Some(chosen) = strategy.choose(self.game, self.source, position, &seen, &mut self.random) else {
            return Err(Failure::corrupt("the rules contradict themselves: the game is not over and there is no move"));
        };
        let side = self.game.side_name(self.game.side_to_move(position));
        self.say(&format!("\n{side}: {}\n", self.game.format_move(&chosen.mv)))?;
        self.make(*position, &chosen)
    }

    /// Makes a move, and shows the board where it is somebody's turn to look at it.
    fn make(&mut self, from: G::Position, chosen: &Candidate<G>) -> Result<(), Failure> {
        self.played.push(Played { from, mv: chosen.mv, next: chosen.next });
        let by_person = Some(self.game.side_to_move(&from)) == self.setup.person;
        match &chosen.next {
            Next::Position(next) if !by_person || self.game.terminal(next).is_some() => self.show(next),
            _ => Ok(()),
        }
    }

    /// The person's turn: one line of input. The ending, if it ends the game.
    fn ask(&mut self, position: &G::Position, input: &mut impl BufRead) -> Result<Option<Ending>, Failure> {
        let side = self.game.side_to_move(position);
        self.say(&format!("{}> ", self.game.side_name(side)))?;
        let mut line = Vec::new();
        let read = input.take(LONGEST_LINE).read_until(b'\n', &mut line);
        read.map_err(|error| Failure::io(format!("reading the input failed: {error}")))?;
        if line.is_empty() {
            self.say("\n")?;
            return Ok(Some(Ending::Left));
        }
        // What steers a terminal does not come back to it.
        let line: String = String::from_utf8_lossy(&line).trim().chars().filter(|c| !c.is_control()).collect();
        if self.echo {
            self.say(&format!("{line}\n"))?;
        }
        if line.is_empty() {
            return Ok(None);
        }
        let moves = candidates(self.game, self.source, position);
        match entry::read(self.game, position, &moves, &line) {
            Entry::Wrong(why) => self.say(&why)?,
            Entry::Move(number) => self.make(*position, &moves[number])?,
            Entry::Word(Word::Quit) => return Ok(Some(Ending::Left)),
            Entry::Word(Word::Resign) => return Ok(Some(Ending::Resigned(side))),
            Entry::Word(word) => self.tell(word, position, &moves)?,
        }
        Ok(None)
    }

    /// Does what a word asks for.
    fn tell(&mut self, word: Word, position: &G::Position, moves: &[Candidate<G>]) -> Result<(), Failure> {
        match word {
            Word::Hint => self.say(&self.hint(position, moves)),
            Word::Moves => self.say(&self.list(position, moves)),
            Word::Eval => {
                let side = self.game.side_name(self.game.side_to_move(position));
                let worth = known(self.game, self.source, position);
                self.say(&format!("{side} to move: {}\n", worth_text(self.game, worth)))
            }
            Word::Board => self.show(position),
            Word::Record => self.say(&self.record(None).text()),
            Word::Help => self.say(HELP),
            Word::Undo => {
                let mine = |played: &Played<G>| Some(self.game.side_to_move(&played.from)) == self.setup.person;
                match self.played.iter().rposition(mine) {
                    None => self.say("there is no move of yours to take back\n"),
                    Some(number) => {
                        let back = self.played[number].from;
                        self.played.truncate(number);
                        self.show(&back)
                    }
                }
            }
            Word::New => {
                if !self.played.is_empty() {
                    self.say(&format!("\n{}\n", self.record(Some(Ending::Left)).text()))?;
                }
                self.played.clear();
                self.show(&self.start)
            }
            Word::Resign | Word::Quit => Ok(()),
        }
    }

    /// The best moves.
    fn hint(&self, position: &G::Position, moves: &[Candidate<G>]) -> String {
        let quick = Strategy { style: Style::Quick, ..Strategy::default() };
        let seen: Vec<G::Position> = self.played.iter().map(|played| played.from).collect();
        let best = quick.best(self.game, self.source, self.game.side_to_move(position), moves, &seen);
        let best: Vec<&Candidate<G>> = moves.iter().zip(best).filter(|(_, best)| *best).map(|(mv, _)| mv).collect();
        let names: Vec<String> = best.iter().map(|candidate| self.game.format_move(&candidate.mv)).collect();
        let worth = best.first().and_then(|candidate| candidate.worth);
        format!("best: {} ({})\n", names.join(", "), worth_text(self.game, worth))
    }

    /// All moves, the best first, those of the same worth together.
    fn list(&self, position: &G::Position, moves: &[Candidate<G>]) -> String {
        let side = self.game.side_to_move(position);
        let mut moves: Vec<&Candidate<G>> = moves.iter().collect();
        moves.sort_by_key(|candidate| {
            let Some(worth) = candidate.worth else { return (1, 0) };
            let (score, plies) = (worth.outcome.score(side), i32::from(worth.plies.unwrap_or(0)));
            (-2 * score, if score > 0 { plies } else { -plies })
        });
        let groups = moves.chunk_by(|a, b| a.worth == b.worth).map(|group| {
            let names: Vec<String> = group.iter().map(|candidate| self.game.format_move(&candidate.mv)).collect();
            (worth_text(self.game, group[0].worth), names.join("  "))
        });
        let groups: Vec<(String, String)> = groups.collect();
        let width = groups.iter().map(|(worth, _)| worth.len()).max().unwrap_or(0);
        groups.iter().fold(String::new(), |text, (worth, names)| text + &format!("  {worth:<width$}  {names}\n"))
    }

    fn record(&self, ending: Option<Ending>) -> Record<'a> {
        Record::new(self.game, self.source, &self.setup, &self.start, &self.played, ending)
    }

    fn show(&self, position: &G::Position) -> Result<(), Failure> {
        self.say(&format!("\n{}\n", self.game.diagram(position)))
    }

    /// Says something at once: to standard error where standard output is for the record alone.
    fn say(&self, text: &str) -> Result<(), Failure> {
        if self.setup.json {
            // Nobody may be listening, which is no failure.
            let _ = io::stderr().write_all(text.as_bytes());
            return Ok(());
        }
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| Failure::output(&error))
    }
}
