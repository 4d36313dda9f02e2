//! `anser policy`: the ranking of moves of the Hasenspiel document.

use anser_analyse::{Games, RankedMove, ranked_line, ranked_moves};
use anser_core::prelude::*;
use anser_core::{RatedMove, Side, Value};
use anser_games::{AnyGame, AnyPosition, GameInfo};
use anser_reproduce::answer::RowAnswer;
use anser_reproduce::{Document, Entry, Figure, Options, ReproduceError, Row, Subject, Verdict, compute};
use clap::Args;
use serde::Serialize;

use crate::asking::{AboutArgs, Watch, heading};
use crate::board::board;
use crate::cmd::reproduce::{conclusion, tables};
use crate::failure::Failure;
use crate::json::{self, Object, Ply, Root, distance_after, outcome_name};
use crate::output::{print, print_json};
use crate::text::{Columns, big, percent_of, value_text, won_for};

const AFTER: &str = "\
Moves after which the opponent cannot force a win come first. Among equal ones, the smaller the share of the following \
games that the opponent wins, the better. So lost moves are ranked too, which distances rank only by delay.

From the start of Hasenspiel the figures that its document prints are compared with the computed ones, with the reason for \
each difference. `as-printed` are the rules of its program with a defect; `anser reproduce hasenspiel` has all figures.

Examples:
  anser policy hasenspiel
  anser policy hasenspiel --rules author --line 10
  anser policy fox-hounds:8 '4/1F2/4/4/4/4/3h/hh1h f' --json";

/// Rank moves by whether the opponent can then force a win, and by shares of games
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct PolicyArgs {
    #[command(flatten)]
    about: AboutArgs,
    /// Also play N plies, each the move ranked first
    #[arg(long, value_name = "N", default_value_t = 0)]
    line: usize,
}

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    root: Root,
    games: String,
    games_won: Object<String>,
    games_drawn: String,
    /// By rank, best first.
    moves: Vec<MoveAnswer>,
    line: Vec<Ply>,
    /// Figures of the document, from the start of its game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    published: Vec<RowAnswer<'a>>,
}

#[derive(Serialize)]
struct MoveAnswer {
    #[serde(rename = "move")]
    mv: String,
    outcome: &'static str,
    dtw: Option<u16>,
    opponent_forces: bool,
    games: String,
    /// Share of the games that the opponent wins, 0 to 1.
    share: f64,
}

impl PolicyArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.about.with_game(|game, info| self.answer_for(game, info))
    }

    /// Printed figures of the document, and the true shares, if the position is the start of its game.
    fn published(&self, game: &AnyGame, position: &AnyPosition, watch: &Watch) -> Result<Vec<Row>, Failure> {
        let document = Document::Hasenspiel;
        if game.name() != document.id() || *position != game.start() {
            return Ok(Vec::new());
        }
        let Some(subject) = Subject::parse(&game.name(), &game.rules_id()) else { return Ok(Vec::new()) };
        let is_shown = |entry: &Entry| {
            let is_printed = !entry.printed.is_null();
            let is_share =
                matches!(entry.figure, Figure::ShareGamesBlack | Figure::ShareBlackForces | Figure::ShareWhiteForces);
            if entry.subject == subject {
                is_printed || is_share
            } else {
                is_printed && entry.subject == Subject::HasenspielProgram
            }
        };
        let mut known = document.known().map_err(ReproduceError::from)?;
        known.entries.retain(is_shown);
        Ok(compute(&known.entries, &Options::default(), &self.about.effort.limits(watch))?)
    }
}

impl PolicyArgs {
    /// Answers for the game in question.
    fn answer_for(&self, game: &AnyGame, _: &GameInfo) -> Result<(), Failure> {
        let watch = Watch::new()?;
        let position = self.about.position(game)?;
        let solution = self.about.solution(game, &watch)?;
        let games = Games::new(&solution, &watch)?;
        let published = self.published(game, &position, &watch)?;
        drop(watch);
        let (value, moves) = (Value::from(solution.require(&position)?), ranked_moves(&games, &position)?);
        let tally = games.tally(&position).ok_or_else(|| Failure::usage("the position was not solved"))?;
        let line = ranked_line(&games, &position, self.line)?;
        let mover = game.side_to_move(&position);
        if self.about.json {
            let won = Side::BOTH.into_iter().map(|side| (game.side_name(side), tally.won(side).to_string()));
            let answer = |ranked: &RankedMove<AnyGame>| {
                let RatedMove { mv, next, value } = &ranked.rated;
                let value = value.expect("ranked moves have values");
                MoveAnswer {
                    mv: game.format_move(mv),
                    outcome: outcome_name(game, value.outcome),
                    dtw: distance_after(game, next, value.plies),
                    opponent_forces: ranked.opponent_forces,
                    games: ranked.tally.games().to_string(),
                    share: ranked.share(mover.other()),
                }
            };
            print_json(&Answer {
                root: json::root(game, &position, value),
                games: tally.games().to_string(),
                games_won: Object(won.collect()),
                games_drawn: tally.drawn.to_string(),
                moves: moves.iter().map(answer).collect(),
                line: json::played(game, &position, line, &solution)?,
                published: published.iter().map(RowAnswer::from).collect(),
            })?;
            return conclusion(published.iter().filter(|row| row.verdict == Verdict::Fails));
        }
        let mut text = heading(game, &position) + "\n" + &board(game, &position);
        text += &format!("\n{}\ngames  {}\n", value_text(game, value), big(&tally.games()));
        for side in Side::BOTH {
            let label = format!("  {}", won_for(game, side));
            text += &format!("{label}  {}\n", percent_of(tally.won(side), &tally.games()));
        }
        text += &format!("\n{}", moves_text(game, mover.other(), &moves));
        if !line.is_empty() {
            let line: Vec<String> = line.iter().map(|mv| game.format_move(mv)).collect();
            text += &format!("\nline by rank: {}\n", line.join(" "));
        }
        if !published.is_empty() {
            text +=
                &format!("\n{}, over all reachable positions:\n{}", Document::Hasenspiel.title(), tables(&published));
        }
        print(&text)?;
        conclusion(published.iter().filter(|row| row.verdict == Verdict::Fails))
    }
}

fn moves_text(game: &AnyGame, opponent: Side, moves: &[RankedMove<AnyGame>]) -> String {
    if moves.is_empty() {
        return "the game is over\n".into();
    }
    let opponent_name = game.side_name(opponent);
    let head = [
        "rank".to_owned(),
        "move".into(),
        format!("{opponent_name} can force a win"),
        format!("games {}", won_for(game, opponent)),
    ];
    let mut columns = Columns::new(3, head);
    for (rank, ranked) in moves.iter().enumerate() {
        columns.row([
            (rank + 1).to_string(),
            game.format_move(&ranked.rated.mv),
            if ranked.opponent_forces { "yes" } else { "no" }.into(),
            percent_of(ranked.tally.won(opponent), &ranked.tally.games()),
        ]);
    }
    columns.text()
}
