//! Hasenspiel: the game under its two rule sets, and the figures of the author's program.

use anser_analyse::ranked_line;
use anser_core::hounds::Goal;
use anser_core::hunt::Position;
use anser_core::{BLOCKED, Hunt, Observer, Outcome, Side};
use anser_retrograde::{AnalyseError, Count, Games, census};
use serde_json::{Map, Value as Json, json};

use crate::authors_program::AuthorsProgram;
use crate::common::{SolvedGame, by_side, counted, rounded};
use crate::question::{Answer, Question};
use crate::{DataError, Figure, ReproduceError};

/// Plies of the line that the document draws.
const LINE: usize = 10;

/// Figures of the author's program, including its defect.
pub(crate) fn program_answers(question: &Question<'_>) -> Vec<Answer> {
    let program = AuthorsProgram::new(Goal::PastLowest, true);
    question.entries.iter().map(|entry| as_printed(&program, entry.figure).into()).collect()
}

/// Figures of the game.
pub(crate) fn answers(rules: &str, question: &Question<'_>) -> Result<Vec<Answer>, ReproduceError> {
    let game = Hunt::hasenspiel(8, 4, rules).map_err(DataError::from)?;
    let solved = SolvedGame::new(game, question.limits)?;
    let goal = solved.game.rows().map_or(Goal::None, |rows| rows.goal);
    let program = AuthorsProgram::new(goal, false);
    let ending = |position: &Position| {
        let home = solved.game.ending(position) != Some(BLOCKED);
        end_name(position.to_move(), home).to_owned()
    };
    let answer = |figure: Figure| -> Result<Answer, ReproduceError> {
        let share = |side| {
            let census = census(&solved.solution);
            census.outcome(Outcome::Win(side)) as f64 / census.positions() as f64
        };
        Ok(match figure {
            Figure::ShareGamesBlack => Some(beside(
                solved.count()?.tally.share(Side::Second),
                program.shares().games_black,
            )),
            Figure::ShareBlackForces => {
                Some(beside(share(Side::Second), program.shares().black_forces))
            }
            Figure::ShareWhiteForces => {
                Some(beside(share(Side::First), program.shares().white_forces))
            }
            Figure::PolicyLine => Some(json!(line(&solved, question.limits.observer)?)),
            _ => solved.figure(figure, ending)?,
        }
        .into())
    };
    question.entries.iter().map(|entry| answer(entry.figure)).collect()
}

/// Computes a figure as the author's program does.
fn as_printed(program: &AuthorsProgram, figure: Figure) -> Option<Json> {
    let game = Hunt::hasenspiel(8, 4, "author").expect("it is a rule set");
    let share = |side| program.won(side) as f64 / program.states() as f64;
    let shares = program.shares();
    Some(match figure {
        Figure::WonPositions => by_side(&game, |side| json!(program.won(side))),
        Figure::ShareGamesBlack => beside(program.tally().share(Side::Second), shares.games_black),
        Figure::ShareBlackForces => beside(share(Side::Second), shares.black_forces),
        Figure::ShareWhiteForces => beside(share(Side::First), shares.white_forces),
        Figure::Ends => {
            let named = program.ends().into_iter().map(|(side, home, count)| {
                let letter = if side == Side::First { 'w' } else { 'b' };
                (format!("{letter}: {}", end_name(side, home)), json!(count))
            });
            Json::Object(named.collect::<Map<_, _>>())
        }
        Figure::PolicyLine => json!(program.line(LINE)),
        Figure::Squares => json!(game.description().points.len()),
        // Five bits for each of five pieces, and one for the side to move.
        Figure::EncodingBits => json!(26),
        Figure::HighestEncoding => {
            let reachable = program.highest_encoding();
            // The pawns on the last row, the rabbit on the highest square below.
            let arrangement = AuthorsProgram::encoded(27, [31, 30, 29, 28], Side::First);
            // All pawns on the first square of the last row, the rabbit on the last square of the
            // first row.
            let bound = AuthorsProgram::encoded(3, [28; 4], Side::Second);
            json!({"reachable": reachable, "arrangement": arrangement, "bound": bound})
        }
        Figure::MostMoves => by_side(&game, |side| json!(program.most_moves(side))),
        _ => {
            let count = Count {
                reachable: program.states(),
                value: program.value(),
                tally: program.tally(),
            };
            return counted(&game, &count, figure);
        }
    })
}

/// JSON object with the true share and the one that the program computed, in percent.
fn beside(truth: f64, as_computed: f64) -> Json {
    json!({"true": rounded(truth * 100.0, 4), "as_computed": rounded(as_computed * 100.0, 4)})
}

fn end_name(to_move: Side, home: bool) -> &'static str {
    match (home, to_move) {
        (true, _) => "home",
        (false, Side::First) => "rabbit blocked",
        (false, Side::Second) => "pawns blocked",
    }
}

/// First moves when both sides play the move that is ranked first.
fn line(solved: &SolvedGame<'_>, observer: &dyn Observer) -> Result<Vec<String>, AnalyseError> {
    let games = Games::new(&solved.solution, observer)?;
    let moves = ranked_line(&games, &solved.game.start(), LINE)?;
    Ok(moves.iter().map(|mv| solved.game.format_move(mv)).collect())
}
