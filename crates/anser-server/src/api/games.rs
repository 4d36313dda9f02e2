//! The games, and the layers served.

use std::collections::BTreeSet;

use anser_core::{Hunt, Side};
use anser_games::answers::{GameAnswer, RuleSetAnswer, RulesAnswer};
use anser_table::Metric;
use serde::Deserialize;

use crate::answers::{
    Board, ServedGame, ServedGames, ServedLayers, ServedLimits, ServedSet, ServedSide,
};
use crate::app::App;
use crate::kept::KeptRun;
use crate::problem::Problem;
use crate::reply::{Keep, Reply};
use crate::store::{is_solved_in_memory, small_layers};

/// Selection of games.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct GamesQuery {
    /// A game of any size; all games if left out.
    pub(super) game: Option<String>,
}

/// Number of rule sets from which on a list of all games leaves out those without tables.
const MANY: usize = 32;

/// `GET /api/v1/games`.
pub(crate) fn games(app: &App, asked: &GamesQuery) -> Result<Reply, Problem> {
    let with_tables = app.store.with_tables();
    let names = asked.game.clone().map_or_else(|| names(app, &with_tables), |game| vec![game]);
    let games = names
        .iter()
        .map(|name| served_game(app, name, &with_tables, asked.game.is_none()))
        .collect::<Result<Vec<_>, Problem>>()?;
    let limits = ServedLimits {
        batch: app.store.options.limits.batch,
        stream: app.store.options.limits.stream,
        body_bytes: app.store.options.limits.body,
        request_seconds: app.store.options.limits.request.as_secs(),
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

/// Describes a game. A list of all games leaves out rule sets of games that have many.
pub(crate) fn served_game(
    app: &App,
    name: &str,
    with_tables: &[(String, String)],
    is_list: bool,
) -> Result<ServedGame, Problem> {
    let registry = &app.store.registry;
    let (info, _) = registry.find(name)?;
    let game = registry.game(name, None)?;
    let has_tables =
        |rules: &str| with_tables.iter().any(|(of, with)| of == game.name() && with == rules);
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
    if is_list && rule_sets.len() >= MANY {
        rule_sets.retain(|set| set.default || has_tables(&set.id));
    }
    let sets = rule_sets.into_iter().map(|rules| {
        let has_tables = has_tables(&rules.id);
        served_set(app, &game, name, rules, has_tables)
    });
    let sets = sets.collect::<Result<Vec<_>, Problem>>()?;
    Ok(ServedGame {
        sides: sides(&game),
        board: Board::new(game.picture(&game.start())),
        game: GameAnswer::new(&game, info),
        sets,
    })
}

fn sides(game: &Hunt) -> Vec<ServedSide> {
    Side::BOTH.map(|side| ServedSide::new(game, side)).into()
}

/// Describes a rule set of a game, whose default one is `usual`.
fn served_set(
    app: &App,
    usual: &Hunt,
    name: &str,
    rules: RuleSetAnswer,
    has_tables: bool,
) -> Result<ServedSet, Problem> {
    let (game, layers, is_solved) = if has_tables {
        let set = app.store.set(name, Some(&rules.id))?;
        let layers = ServedLayers {
            wdl: set.layers_with(Metric::Wdl),
            dtw: set.layers_with(Metric::Dtw),
            solved: set.solved_layers(),
        };
        (set.game.clone(), layers, set.whole().is_some())
    } else {
        // The sets that are held are those in use.
        let game = app.store.registry.game(name, Some(&rules.id))?;
        let solved = small_layers(&game);
        let is_solved = is_solved_in_memory(&game);
        (game, ServedLayers { solved, ..ServedLayers::default() }, is_solved)
    };
    let run = KeptRun::of(&game);
    let is_counted = is_solved || run.as_ref().is_some_and(KeptRun::has_distances);
    let has_stats = run.is_some() || !layers.wdl.is_empty() || !layers.dtw.is_empty();
    let whole = [("stats", has_stats), ("census", is_counted), ("hardest", is_counted)];
    let whole = whole.into_iter().filter(|(_, is_answered)| *is_answered);
    let whole = whole.map(|(name, _)| name.into()).collect();
    let openings = run.map_or(Ok(Vec::new()), |run| run.openings(&game))?;
    let [own, of_game] = [&game, usual].map(|game| {
        let description = game.description();
        (&description.points, &description.lines)
    });
    let names = [&game, usual].map(sides);
    Ok(ServedSet {
        start: game.format_position(&game.start()),
        endless: game.endless().map(|side| game.side_name(side).into()),
        sides: (names[0] != names[1]).then(|| sides(&game)),
        board: (own != of_game).then(|| Board::new(game.picture(&game.start()))),
        rules,
        layers,
        whole,
        openings,
    })
}
