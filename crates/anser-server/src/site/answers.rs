//! The answers of the API that a site has: its games, and what is asked about whole layers.

use std::collections::BTreeSet;

use anser_core::Observer;
use anser_games::answers::SetOnSite;
use anser_retrograde::Limits;
use serde_json::Value as Json;

use super::SiteError;
use crate::answers::ServedGame;
use crate::api::{HardestQuery, SetQuery, census, hardest, served_game, stats};
use crate::app::App;
use crate::kept::malformed;
use crate::whole::{count, find_longest_wins};

/// The games of a site as the API answers them, with the rule sets and layers that the site has.
pub(super) fn served_games(app: &App, sets: &[SetOnSite]) -> Result<Vec<ServedGame>, SiteError> {
    let names: BTreeSet<&str> = sets.iter().map(|set| &set.game[..]).collect();
    let mut served = Vec::new();
    for name in &names {
        let mut game = served_game(app, name, &app.store.with_tables(), false)?;
        game.sets.retain_mut(|served| {
            let here = sets.iter().any(|set| set.game == *name && set.rules == served.rules.id);
            // Browsers do not solve.
            served.layers.solved.clear();
            here
        });
        let rules: Vec<String> = game.sets.iter().map(|set| set.rules.id.clone()).collect();
        if !rules.contains(&game.game.default_rules)
            && let Some(first) = game.sets.first()
        {
            game.game.default_rules.clone_from(&first.rules.id);
            // The openings may be of another board than that of rules on the site.
            let openings = &mut game.game.openings;
            if openings[0].position != first.start {
                openings.truncate(1);
                openings[0].position.clone_from(&first.start);
            }
        }
        game.game.rule_sets = rules;
        game.game.boards.retain(|board| names.contains(&board[..]));
        served.push(game);
    }
    Ok(served)
}

/// The endpoints that answer about whole layers of a set.
pub(super) fn whole_of(app: &App, set: &SetOnSite) -> Result<Vec<&'static str>, SiteError> {
    let game = served_game(app, &set.game, &app.store.with_tables(), false)?;
    let served = game.sets.into_iter().find(|served| served.rules.id == set.rules);
    let whole = served.map(|served| served.whole).unwrap_or_default();
    let all = ["stats", "census", "hardest"].into_iter();
    Ok(all.filter(|endpoint| whole.iter().any(|name| name == endpoint)).collect())
}

/// The answer of the API about whole layers.
pub(super) fn whole_answer(
    app: &App,
    of: &SetOnSite,
    endpoint: &str,
    observer: &dyn Observer,
) -> Result<Vec<u8>, SiteError> {
    let (game, rules) = (of.game.clone(), Some(of.rules.clone()));
    let store = &app.store;
    let limits = Limits { memory: store.options.memory, observer };
    let set = store.set(&game, rules.as_deref())?;
    let answered = match endpoint {
        "stats" => stats(app, None, &SetQuery { game, rules }),
        "census" => census(app, &SetQuery { game, rules }),
        _ => hardest(app, &HardestQuery { game, rules, all: true }),
    };
    let reply = match answered {
        // A small game is solved for the answer.
        Err(problem) if problem.needs.is_some() && endpoint == "census" => count(&set, &limits),
        Err(problem) if problem.needs.is_some() => find_longest_wins(store, &set, true, &limits),
        answered => answered,
    };
    if observer.interrupted() {
        return Err(SiteError::Interrupted);
    }
    let reply = reply?;
    if endpoint != "stats" {
        return Ok(reply.body().to_vec());
    }
    // The times of the runs differ where the tables are the same.
    let mut answer: Json =
        serde_json::from_slice(reply.body()).map_err(|error| malformed(&error))?;
    remove_times(&mut answer);
    Ok(answer.to_string().into_bytes())
}

/// Sets all times of an answer to null.
fn remove_times(answer: &mut Json) {
    match answer {
        Json::Object(fields) => {
            for (name, field) in fields {
                if name == "seconds" {
                    *field = Json::Null;
                } else {
                    remove_times(field);
                }
            }
        }
        Json::Array(items) => items.iter_mut().for_each(remove_times),
        _ => {}
    }
}
