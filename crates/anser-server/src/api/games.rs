//! The games, and the layers served.

use std::collections::BTreeSet;

use anser_core::Side;
use anser_games::answers::{GameAnswer, RuleSetAnswer, RulesAnswer};
use anser_table::Metric;
use serde::Deserialize;

use crate::answers::{
    Board, ServedGame, ServedGames, ServedLayers, ServedLimits, ServedSet, ServedSide,
};
use crate::http::App;
use crate::kept::KeptRun;
use crate::problem::Problem;
use crate::reply::{Keep, Reply};

/// Selection of games.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GamesQuery {
    pub(crate) game: Option<String>,
}

/// `GET /api/v1/games`.
pub(crate) fn games(app: &App, asked: &GamesQuery) -> Result<Reply, Problem> {
    let with_tables = app.store.with_tables();
    let names = asked.game.clone().map_or_else(|| names(app, &with_tables), |game| vec![game]);
    let games = names
        .iter()
        .map(|name| served_game(app, name, &with_tables))
        .collect::<Result<Vec<_>, Problem>>()?;
    let limits = ServedLimits {
        batch: app.limits.batch,
        stream: app.limits.stream,
        body_bytes: app.limits.body,
        request_seconds: app.limits.request.as_secs(),
    };
    Reply::new(&ServedGames { games, limits }, Keep::Now)
}

/// The names of all games in their default sizes, and in other sizes that have tables.
fn names(app: &App, with_tables: &[(String, String)]) -> Vec<String> {
    let registry = &app.store.registry;
    let mut names: Vec<String> =
        registry.games().map(anser_games::GameInfo::default_name).collect();
    let others: BTreeSet<&String> = with_tables.iter().map(|(game, _)| game).collect();
    for game in others {
        // Files may have names of games that this program does not know.
        if !names.contains(game) && registry.game(game, None).is_ok() {
            names.push(game.clone());
        }
    }
    names
}

fn served_game(
    app: &App,
    name: &str,
    with_tables: &[(String, String)],
) -> Result<ServedGame, Problem> {
    let registry = &app.store.registry;
    let (info, _) = registry.find(name)?;
    let game = registry.game(name, None)?;
    let mut rule_sets = RulesAnswer::new(info).rule_sets;
    // Members of families of rule sets that have tables.
    let listed: BTreeSet<String> = rule_sets.iter().map(|set| set.id.clone()).collect();
    let others =
        with_tables.iter().filter(|(of, rules)| *of == game.name() && !listed.contains(rules));
    for (_, rules) in others {
        if registry.game(name, Some(rules)).is_ok() {
            let meaning = String::new();
            rule_sets.push(RuleSetAnswer { id: rules.clone(), default: false, meaning });
        }
    }
    let sets = rule_sets
        .into_iter()
        .map(|rules| {
            let set = app.store.set(name, Some(&rules.id))?;
            let with = |metric| -> Vec<u16> {
                set.game.layers().filter(|&layer| set.has(layer, metric)).collect()
            };
            let layers = ServedLayers {
                wdl: with(Metric::Wdl),
                dtw: with(Metric::Dtw),
                solved: set.solved_layers(),
            };
            let run = KeptRun::of(&set.game);
            let is_counted = set.is_small() || run.as_ref().is_some_and(KeptRun::has_distances);
            let has_stats = run.is_some() || !layers.wdl.is_empty() || !layers.dtw.is_empty();
            let whole = [("stats", has_stats), ("census", is_counted), ("hardest", is_counted)];
            let whole = whole.into_iter().filter(|(_, is_answered)| *is_answered);
            let whole = whole.map(|(name, _)| name.into()).collect();
            let openings = run.map_or(Ok(Vec::new()), |run| run.openings())?;
            Ok(ServedSet { rules, layers, whole, openings })
        })
        .collect::<Result<Vec<_>, Problem>>()?;
    Ok(ServedGame {
        sides: Side::BOTH.map(|side| ServedSide::new(&game, side)).into(),
        board: Board::new(game.picture(&game.start())),
        game: GameAnswer::new(&game, info),
        sets,
    })
}
