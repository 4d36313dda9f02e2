//! The known figures (`crates/anser-reproduce/data`): the oracles compute every figure that is
//! recorded as true, and a printed figure is equal to it or the entry has a reason.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::path::Path;

use anser_oracle::fox_hounds::FoxHounds;
use anser_oracle::foxbox::{NEVER, b_values, is_box, max_b};
use anser_oracle::fuzz::{Fuzz, Match};
use anser_oracle::hare_hounds::HareHounds;
use anser_oracle::hasenspiel::Hasenspiel;
use anser_oracle::hexapawn::Hexapawn;
use anser_oracle::king_rook::KingRook;
use anser_oracle::noughts::Noughts;
use anser_oracle::{Game, Graph, Side, Value, author};
use num_bigint::BigUint;
use serde_json::{Value as Json, json};

/// The rows of a file, without those of large boards.
fn rows(name: &str) -> Vec<Json> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../anser-reproduce/data").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let file: Json =
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let all = file["entries"].as_array().expect("a list of entries").clone();
    assert!(!all.is_empty());
    all.into_iter().filter(|row| row["large"] != json!(true)).collect()
}

/// The names of the two sides.
type Names = [&'static str; 2];

fn value(names: Names, value: Value) -> Json {
    json!({
        "outcome": value.winner.map_or("draw", |side| names[side as usize]),
        "dtw": value.winner.map(|_| value.plies)
    })
}

/// Figures that every game has, by name.
fn common<P: Clone + Eq + Hash, G: Game<Position = P>>(
    game: &G,
    graph: &Graph<P>,
    names: Names,
) -> BTreeMap<String, Json> {
    let mut facts = BTreeMap::new();
    facts.insert("reachable".into(), json!(graph.len()));
    let letter = |side| {
        game.notation(&graph.positions[graph.to_move.iter().position(|&s| s == side).unwrap_or(0)])
    };
    let letter = |side| letter(side).split(' ').nth(1).expect("a side").to_owned();
    let ends = graph
        .ends()
        .into_iter()
        .map(|((side, end), n)| (format!("{}: {}", letter(side), end.by), json!(n)));
    facts.insert("ends".into(), Json::Object(ends.collect()));
    if graph.last_first().is_some() {
        let games = &graph.games()[0];
        facts.insert("games".into(), json!(games.total.to_string()));
        let won = json!({names[0]: games.first.to_string(), names[1]: games.second.to_string()});
        facts.insert("games_won".into(), won);
        facts.insert("value".into(), value(names, graph.values()[0]));
    }
    facts
}

/// Whether the printed figure is the true one, to the printed precision; `None` if it is not
/// printed or not a number.
fn printed_is_true(row: &Json) -> Option<bool> {
    let printed = match &row["printed"] {
        Json::Null => return None,
        Json::String(text) => text.clone(),
        printed => {
            let p = row["p"].as_f64()?;
            let truth = &row["true"]["weights"];
            // The document truncates p and rounds the chances.
            let near = (printed["p"].as_str()?.parse::<f64>().ok()? - p).abs() < 1e-6;
            let same = |side: &str| {
                Some(format!("{:.3}", truth[side].as_f64()?) == printed[side].as_str()?)
            };
            return Some(near && same("fox")? && same("hounds")?);
        }
    };
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let number = |text: &str| digits(text).parse::<u64>().ok();
    Some(match row["figure"].as_str()? {
        "games" if printed.starts_with("~10^") => {
            printed[4..].parse() == Ok(row["true"].as_str()?.len() - 1)
        }
        "reachable" | "positions" | "b" => number(&printed) == row["true"].as_u64(),
        "games" if printed.contains("10^27") => {
            let thousandths =
                row["true"].as_str()?.parse::<BigUint>().ok()? / BigUint::from(10u32).pow(24);
            let hundredths: BigUint = (thousandths + 5u32) / 10u32;
            printed.starts_with(&format!("{}.{} ", &hundredths / 100u32, &hundredths % 100u32))
        }
        "games" => digits(&printed) == row["true"].as_str()?,
        "max_b" => number(&printed) == row["true"]["b"].as_u64(),
        "opposite" | "value" if printed.contains(" in ") => {
            let start = printed.to_lowercase();
            let winner = row["true"]["outcome"].as_str()?;
            start.contains(winner.trim_end_matches('s'))
                && number(&printed) == row["true"]["dtw"].as_u64()
        }
        "line" => {
            Some(printed.split(' ').collect())
                == row["true"]
                    .as_array()
                    .map(|l| l.iter().filter_map(Json::as_str).collect::<Vec<_>>())
        }
        // The printed share is the one that the program computed, even where that is not the true
        // one.
        "share_games_black" | "share_black_forces" | "share_white_forces" => {
            let percent =
                |key: &str| row["true"][key].as_f64().map(|share| format!("{share:.2} %"));
            assert_eq!(Some(&printed), percent("as_computed").as_ref(), "{row}");
            Some(&printed) == percent("true").as_ref()
        }
        "fairest" => printed == format!("{:.6}", row["true"]["weights"].as_f64()?),
        _ => return None,
    })
}

#[test]
fn what_is_printed_agrees_as_the_rows_say() {
    let mut compared = 0;
    for name in [
        "fox-hounds.json",
        "hasenspiel.json",
        "hare-hounds.json",
        "hexapawn.json",
        "noughts.json",
        "king-rook.json",
    ] {
        for row in rows(name) {
            if let Some(agrees) = printed_is_true(&row) {
                assert_eq!(json!(agrees), row["agrees"], "{row}");
                compared += 1;
            }
            assert_eq!(row["agrees"] == json!(false), row["reason"].is_string(), "{row}");
            assert_eq!(row["printed"].is_null(), row["agrees"].is_null(), "{row}");
            assert_eq!(
                row["printed"].is_null(),
                row["source"] == "own computation" || row["figure"] == "policy_line",
                "{row}"
            );
        }
    }
    assert!(compared > 50, "{compared} printed figures compared");
}

/// Compares all rows with the figures of `figures`.
fn check(name: &str, mut figures: impl FnMut(&Json) -> Json) {
    for row in rows(name) {
        assert_eq!(figures(&row), row["true"], "{row}");
    }
}

fn rounded(x: f64, digits: i32) -> f64 {
    (x * 10f64.powi(digits)).round() / 10f64.powi(digits)
}

#[test]
fn fox_and_hounds() {
    let names = ["fox", "hounds"];
    let mut known: BTreeMap<String, BTreeMap<String, Json>> = BTreeMap::new();
    let board = FoxHounds::new(8);
    let graph = Graph::reachable(&board, &board.start());
    let values = graph.values();
    let max = max_b(&graph, &b_values(&board, &graph, &values));
    let opposite = graph.opposite(&values).expect("a position that the fox wins");
    let fuzzy_hounds = Match::new(&graph, &values, &max, Side::Second);
    let fuzzy_fox = Match::new(&graph, &values, &max, Side::First);
    let chances = |fuzz, p| {
        let (fox, hounds) = (fuzzy_hounds.chance(fuzz, p, 0), fuzzy_fox.chance(fuzz, p, opposite));
        json!({"fox": rounded(fox, 6), "hounds": rounded(hounds, 6)})
    };
    check("fox-hounds.json", |row| {
        let (name, rules) =
            (row["game"].as_str().expect("a game"), row["rules"].as_str().expect("rules"));
        let figure = row["figure"].as_str().expect("a figure");
        match figure {
            "fuzz" => {
                let p = row["p"].as_f64().expect("a probability");
                let [weights, literal] =
                    [Fuzz::Weights, Fuzz::Literal].map(|fuzz| chances(fuzz, p));
                return json!({"weights": weights, "literal": literal});
            }
            "fairest" => {
                let fairest = |fuzz| fuzzy_hounds.fairest(fuzz, 0, 1e-5);
                return json!({"weights": fairest(Fuzz::Weights), "literal": fairest(Fuzz::Literal)});
            }
            "fairest_root" => {
                let root = |fuzz| rounded(fuzzy_hounds.fairest(fuzz, 0, 1e-9), 7);
                return json!({"weights": root(Fuzz::Weights), "literal": root(Fuzz::Literal)});
            }
            _ => {}
        }
        let facts = known.entry(format!("{name} {rules}")).or_insert_with(|| {
            let n = name.strip_prefix("fox-hounds:").and_then(|n| n.parse().ok()).expect("a size");
            let game = FoxHounds { n, strict: rules == "strict" };
            let graph = Graph::reachable(&game, &game.start());
            let mut facts = common(&game, &graph, names);
            let values = graph.values();
            if let Some(at) = graph.opposite(&values) {
                let mut found = value(names, values[at]);
                found["position"] = json!(game.notation(&graph.positions[at]));
                facts.insert("opposite".into(), found);
            }
            let b = b_values(&game, &graph, &values);
            let max = max_b(&graph, &b);
            facts.insert("b".into(), json!(b[0]));
            facts.insert("max_b".into(), json!({"b": max[0].b, "plies": max[0].plies.0}));
            let boxes = graph.positions.iter().filter(|position| is_box(&game, position)).count();
            let won = b.iter().filter(|&&b| b == 0).count();
            let longest = b.iter().filter(|&&b| b != NEVER).max();
            facts.insert(
                "boxes".into(),
                json!({"boxes": boxes, "won_by_hounds": won, "longest_b": longest}),
            );
            facts
        });
        facts[figure].clone()
    });
}

#[test]
fn hasenspiel() {
    let names = ["rabbit", "pawns"];
    let mut known: BTreeMap<String, BTreeMap<String, Json>> = BTreeMap::new();
    check("hasenspiel.json", |row| {
        let rules = row["rules"].as_str().expect("rules");
        let facts = known.entry(rules.to_owned()).or_insert_with(|| {
            let game = match rules {
                "literal" => Hasenspiel::Literal,
                "author" => Hasenspiel::Author,
                "as-printed" => Hasenspiel::AsPrinted,
                _ => panic!("{rules}: no such rules"),
            };
            let graph = Graph::reachable(&game, &game.start());
            let mut facts = common(&game, &graph, names);
            let (values, games) = (graph.values(), graph.games());
            let percent = |part: usize| rounded(part as f64 * 100.0 / graph.len() as f64, 4);
            let won = |side| values.iter().filter(|value| value.winner == Some(side)).count();
            let forced = author::counted_as_forced(&graph);
            let taken = |side| {
                (0..graph.len()).filter(|&at| forced[at] && graph.to_move[at] == side).count()
            };
            facts.insert(
                "won_positions".into(),
                json!({"rabbit": won(Side::First), "pawns": won(Side::Second)}),
            );
            for (name, side) in
                [("share_white_forces", Side::First), ("share_black_forces", Side::Second)]
            {
                facts.insert(
                    name.into(),
                    json!({"true": percent(won(side)), "as_computed": percent(taken(side))}),
                );
            }
            let share = |part: &BigUint| {
                let millionths = (part * 2_000_000u32 / &games[0].total + 1u32) / 2u32;
                millionths.to_string().parse::<f64>().expect("a number") / 10_000.0
            };
            let (truth, counted) = (&games[0].second, &author::games_counted_for_black(&graph)[0]);
            facts.insert(
                "share_games_black".into(),
                json!({"true": share(truth), "as_computed": share(counted)}),
            );
            let (mut at, mut line) = (0, Vec::new());
            for _ in 0..10 {
                let best = author::ranking(&graph, &values, &games, at)[0];
                line.push(game.moves(&graph.positions[at])[best].0.to_string());
                at = graph.next(at).nth(best).expect("a move");
            }
            facts.insert("policy_line".into(), json!(line));
            facts.insert("squares".into(), json!(32));
            facts.insert("encoding_bits".into(), json!(1 + 5 * 5));
            // As in the text: the side to move, the white pawn, then the black pawns in descending
            // order.
            let encoded = |white: u32, black: [u32; 4], turn: u32| {
                black.iter().rev().fold(0, |code, pawn| code << 5 | pawn) << 6 | white << 1 | turn
            };
            let highest = graph.positions.iter().map(|position| {
                let [a, b, c, d] = position.black.map(u32::from);
                encoded(
                    position.white.into(),
                    [d, c, b, a],
                    u32::from(position.to_move == Side::First),
                )
            });
            let (arrangement, bound) = (encoded(27, [31, 30, 29, 28], 1), encoded(3, [28; 4], 0));
            let truth =
                json!({"reachable": highest.max(), "arrangement": arrangement, "bound": bound});
            facts.insert("highest_encoding".into(), truth);
            let most = |side| {
                (0..graph.len())
                    .filter(|&at| graph.to_move[at] == side)
                    .map(|at| graph.next(at).count())
                    .max()
            };
            facts.insert(
                "most_moves".into(),
                json!({"rabbit": most(Side::First), "pawns": most(Side::Second)}),
            );
            facts
        });
        facts[row["figure"].as_str().expect("a figure")].clone()
    });
}

#[test]
fn hare_and_hounds() {
    let names = ["hare", "hounds"];
    let solved = [None, Some(60)].map(|budget| {
        let game = HareHounds { budget };
        // First the arrangements with the whole budget left, then all others reachable from them.
        let whole_budget = game.all_with_whole_budget();
        let count = whole_budget.len();
        let graph = Graph::of(&game, whole_budget);
        let (values, numbers) = (graph.values_by_rounds(), graph.by_notation(&game));
        (game, count, graph, values, numbers)
    });
    check("hare-hounds.json", |row| {
        let (game, count, graph, values, numbers) = match row["rules"].as_str().expect("rules") {
            "unlimited" => &solved[0],
            "budget-60" => &solved[1],
            rules => panic!("{rules}: no such rules"),
        };
        let count = *count;
        let text = |at: usize| game.notation(&graph.positions[at]);
        let at = row["position"].as_str().map(|position| numbers[position]);
        let ties = |side: Side| row["ties"][names[side as usize]] == "last";
        let last: Vec<Side> =
            [Side::First, Side::Second].into_iter().filter(|&side| ties(side)).collect();
        match row["figure"].as_str().expect("a figure") {
            "positions" => json!(count),
            "value" => value(names, values[at.expect("a position")]),
            "line" => json!(graph.line(game, values, at.expect("a position"), &last)),
            "line_position" => {
                let line = graph.line(game, values, at.expect("a position"), &[Side::First]);
                let mut position = graph.positions[at.expect("a position")];
                for mv in &line[..row["after"].as_u64().expect("plies") as usize] {
                    let moves = game.moves(&position);
                    position = moves
                        .into_iter()
                        .find(|(m, _)| m.to_string() == *mv)
                        .expect("a move of the line")
                        .1;
                }
                json!(game.notation(&position))
            }
            "stalemates" => {
                let mut list: Vec<String> =
                    graph.ended_by("hounds blocked").into_iter().map(text).collect();
                list.sort();
                json!(list)
            }
            "zugzwangs" => {
                let mut found = graph.zugzwangs(game, values);
                found.retain(|&(at, _)| at < count);
                let mut full: Vec<String> =
                    found.iter().filter(|(_, full)| *full).map(|&(at, _)| text(at)).collect();
                full.sort();
                let mut truth = json!({"full": full.len(), "half": found.len() - full.len()});
                if row["true"].get("full_positions").is_some() {
                    truth["full_positions"] = json!(full);
                }
                truth
            }
            "won_positions" => {
                let mut sides = json!({});
                for (side, letter) in [(Side::First, "r"), (Side::Second, "h")] {
                    for (winner, name) in [
                        (Some(Side::First), "hare"),
                        (Some(Side::Second), "hounds"),
                        (None, "draw"),
                    ] {
                        let here =
                            |at: &usize| graph.to_move[*at] == side && values[*at].winner == winner;
                        let n = (0..count).filter(here).count();
                        if n > 0 {
                            sides[letter][name] = json!(n);
                        }
                    }
                }
                sides
            }
            "longest_hounds_win" => {
                json!(
                    values
                        .iter()
                        .filter(|value| value.winner == Some(Side::Second))
                        .map(|value| value.plies)
                        .max()
                )
            }
            figure => {
                let reachable = Graph::reachable(game, &game.start());
                common(game, &reachable, names)[figure].clone()
            }
        }
    });
}

#[test]
fn hexapawn() {
    let mut known: BTreeMap<String, BTreeMap<String, Json>> = BTreeMap::new();
    check("hexapawn.json", |row| {
        let name = row["game"].as_str().expect("a game");
        let facts = known.entry(name.to_owned()).or_insert_with(|| {
            let size = name
                .strip_prefix("hexapawn:")
                .and_then(|size| size.split_once('x'))
                .expect("a size");
            let (columns, rows) = (size.0.parse().expect("columns"), size.1.parse().expect("rows"));
            let game = Hexapawn { columns, rows };
            let graph = Graph::reachable(&game, &game.start());
            let mut facts = common(&game, &graph, ["white", "black"]);
            if name == "hexapawn:3x3" {
                hexapawn_3x3(game, &graph, &mut facts);
            }
            facts
        });
        facts[row["figure"].as_str().expect("a figure")].clone()
    });
}

/// Figures of the document about 3 x 3, besides the winner.
fn hexapawn_3x3(
    game: Hexapawn,
    graph: &Graph<anser_oracle::hexapawn::Position>,
    facts: &mut BTreeMap<String, Json>,
) {
    let boxes: Vec<usize> = (0..graph.len())
        .filter(|&at| {
            graph.to_move[at] == Side::Second && game.ended(&graph.positions[at]).is_none()
        })
        .collect();
    let rows =
        |at: usize| graph.positions[at].board.chunks(3).map(<[_]>::to_vec).collect::<Vec<_>>();
    let mirrored = |at: usize| {
        rows(at).into_iter().map(|row| row.into_iter().rev().collect::<Vec<_>>()).collect()
    };
    let classes: std::collections::BTreeSet<Vec<Vec<Option<Side>>>> =
        boxes.iter().map(|&at| rows(at).min(mirrored(at))).collect();
    facts.insert("matchboxes".into(), json!({"up_to_mirror": classes.len(), "all": boxes.len()}));
    // A pawn steps from six squares. From two of these it captures to both sides, from four to one
    // side.
    facts.insert("moves".into(), json!({"all": 28, "forward": 3 * 2, "captures": 2 * 2 + 4}));
    // Games by their number of plies.
    let mut lengths: Vec<BTreeMap<u64, u64>> = vec![BTreeMap::new(); graph.len()];
    for &at in &graph.last_first().expect("every game ends") {
        let mut here = BTreeMap::new();
        for next in graph.next(at) {
            for (plies, games) in &lengths[next] {
                *here.entry(plies + 1).or_insert(0) += games;
            }
        }
        lengths[at] = if graph.next(at).next().is_none() { BTreeMap::from([(0, 1)]) } else { here };
    }
    let (plies, games) = lengths[0].last_key_value().expect("there is a game");
    facts.insert("longest_game".into(), json!({"plies": plies, "games_of_it": games}));
}

#[test]
fn king_and_rook_against_king() {
    let mut solved: BTreeMap<String, BTreeMap<&str, Json>> = BTreeMap::new();
    check("king-rook.json", |row| {
        let name = row["game"].as_str().expect("a game");
        let facts = solved.entry(name.to_owned()).or_insert_with(|| {
            let Some(n) = name.strip_prefix("king-rook:").and_then(|n| n.parse().ok()) else {
                // The lone king is in the middle of 9 x 9 squares, far from all edges.
                let game = KingRook { n: 9 };
                let all = game.all_positions().into_iter();
                let middle = all.filter(|p| p.lone == (4, 4) && p.to_move == Side::Second);
                let taken = middle.map(|position| 8 - game.moves(&position).len()).max();
                return BTreeMap::from([("controlled", json!(taken))]);
            };
            let game = KingRook { n };
            let graph = Graph::of(&game, game.all_positions());
            let values = graph.values_by_rounds();
            let of = |side| {
                let there =
                    |at: &usize| graph.to_move[*at] == side && graph.positions[*at].rook.is_some();
                (0..graph.len()).filter(there).collect::<Vec<_>>()
            };
            let (strong, lone) = (of(Side::First), of(Side::Second));
            let won = |of: &[usize]| {
                of.iter().filter(|&&at| values[at].winner == Some(Side::First)).count()
            };
            let stalemates = graph.ended_by("stalemate").len();
            let takes = |at: usize| {
                game.moves(&graph.positions[at]).iter().any(|(_, next)| next.rook.is_none())
            };
            let captures = lone.iter().filter(|&&at| takes(at)).count();
            let wins = strong.iter().filter(|&&at| values[at].winner.is_some());
            let longest = wins.map(|&at| values[at].plies).max();
            let percent = rounded(won(&lone) as f64 * 100.0 / lone.len() as f64, 4);
            BTreeMap::from([
                ("legal_strong", json!(strong.len())),
                ("won_strong", json!(won(&strong))),
                ("legal_lone", json!(lone.len())),
                ("won_lone", json!({"won": won(&lone), "percent": percent})),
                (
                    "escapes",
                    json!({
                        "all": captures + stalemates,
                        "captures": captures,
                        "stalemates": stalemates
                    }),
                ),
                ("longest_mate", json!(longest.map(|plies| plies.div_ceil(2)))),
            ])
        });
        facts[row["figure"].as_str().expect("a figure")].clone()
    });
}

#[test]
fn noughts_and_crosses() {
    let facts =
        common(&Noughts, &Graph::reachable(&Noughts, &Noughts.start()), ["crosses", "noughts"]);
    check("noughts.json", |row| facts[row["figure"].as_str().expect("a figure")].clone());
}
