//! Positions: their values, their moves, and best play.

use std::collections::HashMap;
use std::sync::Arc;

use anser_analyse::best_line;
use anser_core::{BySide, Probe, Value, hunt};
use anser_games::answers::{BatchAnswer, BatchError, LineAnswer, PositionAnswer, ProbeAnswer};
use anser_games::{Audience, explain};
use anser_table::{Metric, ProbeError, TableError};
use axum::http::StatusCode;
use serde::Deserialize;

use crate::answers::{
    BatchItem, BatchReply, BatchRequest, ServedProbe, SolvingAnswer, Unknown, pieces,
};
use crate::app::App;
use crate::clients::Client;
use crate::problem::Problem;
use crate::reply::{Keep, Reply};
use crate::solving::Solver;
use crate::store::{Probed, Set};

/// Length of the longest position that is parsed, in bytes.
const LONGEST: usize = 1000;

/// A position of a game.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ProbeQuery {
    /// The game, with its size if it has sizes: fox-geese, fox-hounds:8.
    pub(crate) game: String,
    /// The rule set; the game's default if left out.
    pub(crate) rules: Option<String>,
    /// The position in the notation of the game; _ may stand for the space.
    pub(crate) position: String,
}

/// Reads a position.
pub(crate) fn parse(set: &Set, text: &str) -> Result<hunt::Position, Problem> {
    if text.len() > LONGEST {
        return Err(Problem::usage(format!("a position has at most {LONGEST} characters")));
    }
    Ok(set.game.parse_position(text)?)
}

/// `GET /api/v1/probe`.
pub(crate) fn probe(
    app: &App,
    client: Option<Client>,
    asked: &ProbeQuery,
) -> Result<Reply, Problem> {
    app.with_set(&asked.game, asked.rules.as_deref(), |set| {
        let position = parse(set, &asked.position)?;
        let answer = served(app, set, &position, client)?;
        app.metrics.probes.add(1);
        // Unknown values may become known later.
        let is_known = answer.probe.root.rated.outcome.is_some();
        Reply::new(&answer, if is_known { Keep::Now } else { Keep::Not })
    })
}

/// Describes a position with its moves and its drawing. A client requests its missing layers.
pub(crate) fn served(
    app: &App,
    set: &Set,
    position: &hunt::Position,
    client: Option<Client>,
) -> Result<ServedProbe, Problem> {
    let game = &set.game;
    let found = set.probe(position)?;
    let (unknown, solving) = unknown(app, set, &found, client);
    Ok(ServedProbe {
        probe: ProbeAnswer::new(game, position, found.value, &found.moves),
        layer: game.layer(position),
        pieces: pieces(&game.picture(position)),
        unknown,
        solving,
    })
}

/// Describes the values that an answer lacks, and the solving of their layers, which a client
/// requests.
pub(super) fn unknown(
    app: &App,
    set: &Set,
    found: &Probed,
    client: Option<Client>,
) -> (Vec<Unknown>, Option<SolvingAnswer>) {
    let missing = found.missing.iter().map(|missing| Unknown {
        layer: missing.layer,
        metric: missing.metric.id().into(),
        reason: explain(missing, Audience::Client).message,
    });
    let unknown = missing.chain(unusable(app, &found.lost)).collect();
    let solver = app.solver.as_ref().zip(client);
    let request = |(solver, client): (&Arc<Solver>, Client)| {
        solver.request(client, &set.game, &found.missing)
    };
    (unknown, solver.and_then(request))
}

/// Describes values of tables that cannot be used, and counts an answer that lacks them.
pub(crate) fn unusable(app: &App, lost: &[(u16, Metric, TableError)]) -> Vec<Unknown> {
    if !lost.is_empty() {
        app.metrics.damaged.add(1);
    }
    let describe = |(layer, metric, error): &(u16, Metric, TableError)| Unknown {
        layer: *layer,
        metric: metric.id().into(),
        reason: Problem::from(error.clone()).error.message,
    };
    lost.iter().map(describe).collect()
}

/// `GET /api/v1/line`.
pub(crate) fn line(app: &App, asked: &ProbeQuery) -> Result<Reply, Problem> {
    app.with_set(&asked.game, asked.rules.as_deref(), |set| {
        let position = parse(set, &asked.position)?;
        let game = &set.game;
        let values = set.find(game.layer(&position), Metric::Dtw)?;
        let line = best_line(game, &position, BySide::default(), &values.exact())?;
        app.metrics.probes.add(1);
        Reply::new(&LineAnswer::new(game, &position, &line), Keep::Now)
    })
}

/// `POST /api/v1/probe` with one JSON object.
pub(crate) fn batch(app: &App, asked: &BatchRequest) -> Result<Reply, Problem> {
    let most = app.store.options.limits.batch;
    if asked.positions.len() > most {
        let message = format!("{} positions are more than {most}", asked.positions.len());
        return Err(Problem::usage(message)
            .status(StatusCode::PAYLOAD_TOO_LARGE)
            .hint("send several requests, or stream lines as application/x-ndjson"));
    }
    app.with_set(&asked.game, asked.rules.as_deref(), |set| {
        let texts: Vec<(u64, &str)> =
            (1..).zip(asked.positions.iter().map(String::as_str)).collect();
        let answers = answer_many(app, set, &texts, asked.moves)?;
        Reply::new(&BatchReply { answers }, Keep::Not)
    })
}

/// Answers positions, each with the number of its line, in their order.
pub(crate) fn answer_many(
    app: &App,
    set: &Arc<Set>,
    texts: &[(u64, &str)],
    moves: bool,
) -> Result<Vec<BatchItem>, Problem> {
    let parsed: Vec<Result<hunt::Position, Problem>> =
        texts.iter().map(|(_, text)| parse(set, text)).collect();
    let positions: Vec<hunt::Position> = parsed.iter().flatten().copied().collect();
    let mut values = values_of(set, &positions).into_iter();
    app.metrics.probes.add(positions.len() as u64);
    let mut items = Vec::with_capacity(texts.len());
    for (&(number, text), parsed) in texts.iter().zip(parsed) {
        let answer = parsed.and_then(|position| {
            let value = values.next().unwrap_or_else(|| Err(Problem::busy("no value")))?;
            let root = PositionAnswer::new(&set.game, &position, Some(value));
            let probed = (moves || set.has_lost()).then(|| set.probe(&position)).transpose()?;
            let lost = probed.as_ref().and_then(|probed| probed.lost.first());
            if lost.is_some() {
                app.metrics.damaged.add(1);
            }
            let error = lost.map(|(_, _, error)| Problem::from(error.clone()).error);
            let moves = probed.filter(|_| moves).map(|probed| {
                ProbeAnswer::new(&set.game, &position, Some(value), &probed.moves).moves
            });
            Ok(BatchAnswer { line: number, root, moves, error })
        });
        items.push(match answer {
            Ok(answer) => BatchItem::Answered(answer),
            Err(problem) if problem.needs.is_some() => return Err(problem),
            Err(problem) => {
                app.failed(set, &problem);
                let input = text.chars().take(LONGEST).collect();
                BatchItem::Failed(BatchError { line: number, input, error: problem.error })
            }
        });
    }
    Ok(items)
}

/// The values of positions, in their order.
fn values_of(set: &Set, positions: &[hunt::Position]) -> Vec<Result<Value, Problem>> {
    let has_any = set.tables.layers().next().is_some();
    let mut probed = has_any.then(|| set.tables.probe_many(positions).into_iter());
    let mut solutions = HashMap::new();
    let mut values = Vec::with_capacity(positions.len());
    for position in positions {
        let from_table = probed.as_mut().and_then(Iterator::next);
        values.push(match (set.game.terminal(position), from_table) {
            (Some(outcome), _) => Ok(Value::ended(outcome)),
            (None, Some(Ok(value))) => Ok(value),
            (None, Some(Err(ProbeError::Table(error)))) => Err(error.into()),
            (None, Some(Err(ProbeError::MissingLayer(_))) | None) => {
                let layer = set.game.layer(position);
                match solutions.entry(layer).or_insert_with(|| set.find(layer, Metric::Wdl)) {
                    Ok(values) => values.value(position).map_err(Problem::from),
                    Err(problem) => Err(problem.clone()),
                }
            }
        });
    }
    values
}
