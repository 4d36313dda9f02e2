//! `anser policy`: the ranking of moves of the Hasenspiel document.

use anser_analyse::{RankedMove, ranked_line, ranked_moves};
use anser_core::{Hunt, Side, Value};
use anser_games::answers::{
    GamesCounted, MoveAnswer, Ply, PolicyAnswer, PolicyMove, PositionAnswer,
};
use anser_reproduce::{
    Document, Entry, Figure, Options, ReproduceError, Row, Subject, Verdict, compute,
};
use anser_retrograde::Games;
use clap::Args;

use crate::args::whole;
use crate::board::board;
use crate::cmd::reproduce::{conclusion, row_answer, tables};
use crate::failure::Failure;
use crate::question::{Question, QuestionArgs};
use crate::reply::Reply;
use crate::text::{Columns, grouped, percent_of, value_text, won_for};

const AFTER: &str = "\
Moves after which the opponent cannot force a win come first. Among equal ones, the smaller the \
share of the following games that the opponent wins, the better. So lost moves are ranked too, \
which distances rank only by delay.

From the start of Hasenspiel the figures that its document prints are compared with the computed \
ones, with the reason for each difference. `as-printed` are the rules of its program with a \
defect; `anser reproduce hasenspiel` has all figures.

Examples:
  anser policy hasenspiel
  anser policy hasenspiel --rules author --line 10
  anser policy fox-hounds:8 '4/1F2/4/4/4/4/3h/hh1h f' --json";

/// Rank moves by whether the opponent can then force a win, and by shares of games
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct PolicyArgs {
    #[command(flatten)]
    question: QuestionArgs,
    /// Also play N plies, each the move ranked first
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<usize>)]
    line: usize,
}

impl PolicyArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.question.ask(|question| self.rank(question))
    }

    /// Printed figures of the document, and the true shares, if the position is the start of its
    /// game.
    fn published(question: &Question<'_>) -> Result<Vec<Row>, Failure> {
        let (game, document) = (question.game, Document::Hasenspiel);
        if game.name() != document.id() || question.position != game.start() {
            return Ok(Vec::new());
        }
        let Some(subject) = Subject::parse(game.name(), game.rules_id()) else {
            return Ok(Vec::new());
        };
        let is_shown = |entry: &Entry| {
            let is_printed = !entry.printed.is_null();
            let is_share = matches!(
                entry.figure,
                Figure::ShareGamesBlack | Figure::ShareBlackForces | Figure::ShareWhiteForces
            );
            if entry.subject == subject {
                is_printed || is_share
            } else {
                is_printed && entry.subject == Subject::HasenspielProgram
            }
        };
        let mut known = document.known().map_err(ReproduceError::from)?;
        known.entries.retain(is_shown);
        Ok(compute(&known.entries, &Options::default(), &question.limits())?)
    }

    /// Ranks the moves of the position.
    fn rank(&self, question: &Question<'_>) -> Result<Reply<PolicyAnswer>, Failure> {
        let (game, position, solution) = (question.game, &question.position, question.solution()?);
        let games = Games::new(&solution, question.progress)?;
        let published = Self::published(question)?;
        let (value, moves) =
            (Value::from(solution.require(position)?), ranked_moves(&games, position)?);
        let tally =
            games.tally(position).ok_or_else(|| Failure::usage("the position was not solved"))?;
        let line = ranked_line(&games, position, self.line)?;
        let opponent = position.to_move().other();
        let mut text = question.heading() + "\n" + &board(game, position);
        text += &format!("\n{}\ngames  {}\n", value_text(game, value), grouped(tally.games()));
        for side in Side::BOTH {
            let label = format!("  {}", won_for(game, side));
            text += &format!("{label}  {}\n", percent_of(tally.won(side), &tally.games()));
        }
        text += &format!("\n{}", moves_text(game, opponent, &moves));
        if !line.is_empty() {
            let line: Vec<String> = line.iter().map(|mv| game.format_move(mv)).collect();
            text += &format!("\nline by rank: {}\n", line.join(" "));
        }
        if !published.is_empty() {
            text += &format!(
                "\n{}, over all reachable positions:\n{}",
                Document::Hasenspiel.title(),
                tables(&published)
            );
        }
        let move_answer = |ranked: &RankedMove| PolicyMove {
            rated: MoveAnswer::new(game, &ranked.rated),
            opponent_forces: ranked.opponent_forces,
            games: ranked.tally.games().to_string(),
            share: ranked.tally.share(opponent),
        };
        let answer = PolicyAnswer {
            root: PositionAnswer::new(game, position, Some(value)),
            games: GamesCounted::new(game, &tally),
            moves: moves.iter().map(move_answer).collect(),
            line: Ply::of_moves(game, position, line, &solution)?,
            published: published.iter().map(row_answer).collect(),
        };
        let failure = conclusion(published.iter().filter(|row| row.verdict == Verdict::Fails));
        Ok(Reply::new(answer, text).with_failure(failure))
    }
}

fn moves_text(game: &Hunt, opponent: Side, moves: &[RankedMove]) -> String {
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
