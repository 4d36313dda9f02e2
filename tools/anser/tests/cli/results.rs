//! `data/results`: the script writes the data files as they are in the repository, and the pages
//! quote the data.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::{binary, skip};

const RULES: [&str; 3] = ["free", "first-capture", "forward"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The layers of a full run.
fn layers(text: &str) -> Vec<Value> {
    let counts: Value = serde_json::from_str(text).expect("JSON");
    counts["layers"].as_array().expect("a list of layers").clone()
}

fn run(rules: &str) -> Vec<Value> {
    layers(&read(&format!("crates/anser-games/results/fox-geese-{rules}.json")))
}

fn count(layer: &Value, side: &str, outcome: &str) -> u64 {
    layer["to_move"][side][outcome].as_u64().expect("a count")
}

/// The tables of a page, as rows of cells, without the rows of names.
fn tables(page: &str) -> Vec<Vec<Vec<String>>> {
    let mut tables: Vec<Vec<Vec<String>>> = Vec::new();
    let mut is_inside = false;
    for line in read(page).lines() {
        if !line.starts_with('|') {
            is_inside = false;
            continue;
        }
        if !is_inside {
            tables.push(Vec::new());
        }
        is_inside = true;
        let cells =
            line.trim_matches('|').split(" | ").map(|cell| cell.trim().replace(['`', ','], ""));
        tables.last_mut().expect("a table").push(cells.collect());
    }
    tables.into_iter().map(|rows| rows.into_iter().skip(2).collect()).collect()
}

#[test]
fn the_script_writes_the_data_files_of_the_layers_found() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut python = Command::new("python3");
    python
        .arg(root().join("scripts/results.py"))
        .args(["--anser", binary(), "--out"])
        .arg(dir.path());
    // The embedded tables: layers 1 to 7 of all three rule sets.
    let Ok(output) = python.env("ANSER_TABLES", "").output() else {
        return skip("python3 is not installed");
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for rules in RULES {
        let written =
            |name: &str| fs::read_to_string(dir.path().join(name)).expect("the script wrote it");
        let found = layers(&written(&format!("fox-geese-{rules}.json")));
        assert_eq!(found.len(), 7, "{rules}");
        for (found, kept) in found.iter().zip(run(rules)) {
            for key in ["layer", "positions", "to_move", "classes", "blake3"] {
                assert_eq!(found[key], kept[key], "{rules}, layer {}: {key}", kept["layer"]);
            }
            assert_eq!(
                found["bytes"]["packed"], kept["bytes"]["packed"],
                "{rules}, layer {}",
                kept["layer"]
            );
            let keys = |layer: &Value| {
                layer.as_object().expect("an object").keys().cloned().collect::<Vec<_>>()
            };
            assert_eq!(keys(found), keys(&kept));
        }
        let openings = written(&format!("openings-{rules}.csv"));
        let kept = read(&format!("data/results/openings-{rules}.csv"));
        assert_eq!(openings.lines().next(), kept.lines().next());
        // One row for either side to move with 4 to 7 geese.
        assert_eq!(openings.lines().count(), 1 + 2 * 4);
        assert!(openings.lines().all(|line| kept.lines().any(|other| other == line)), "{openings}");
    }
}

#[test]
fn the_pages_of_the_rule_sets_quote_the_counts() {
    for rules in RULES {
        let tables = tables(&format!("data/results/fox-geese-{rules}.md"));
        let [counts, files] = &tables[..] else { panic!("{rules}: {} tables", tables.len()) };
        let run = run(rules);
        assert_eq!((counts.len(), files.len()), (run.len() + 1, run.len() + 1));
        let mut sums = [0; 8];
        for ((layer, counts), files) in run.iter().zip(counts).zip(files) {
            let by_outcome = ["fox", "geese"].into_iter().flat_map(|side| {
                ["fox", "draw", "geese"].into_iter().map(move |outcome| count(layer, side, outcome))
            });
            let whole = ["positions", "classes"].map(|key| layer[key].as_u64().expect("a number"));
            let numbers: Vec<u64> = whole.into_iter().chain(by_outcome).collect();
            let expected: Vec<String> = layer["layer"]
                .as_u64()
                .into_iter()
                .chain(numbers.iter().copied())
                .map(|n| n.to_string())
                .collect();
            assert_eq!(*counts, expected, "{rules}");
            sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
            let bytes = &layer["bytes"];
            let digest = layer["blake3"].as_str().expect("a digest")[..16].to_owned();
            let expected = [&layer["layer"], &layer["rounds"], &bytes["raw"], &bytes["packed"]]
                .map(Value::to_string);
            let found = [&files[0], &files[1], &files[3], &files[4]].map(String::clone);
            assert_eq!((found, &files[5]), (expected, &digest), "{rules}");
        }
        let all: Vec<String> =
            ["all".to_owned()].into_iter().chain(sums.map(|sum| sum.to_string())).collect();
        assert_eq!(counts[run.len()], all, "{rules}");
    }
}

#[test]
fn the_comparison_with_the_paper_quotes_the_counts() {
    let tables = tables("data/results/paper.md");
    let won = RULES.map(|rules| {
        run(rules)
            .iter()
            .map(|layer| count(layer, "fox", "geese") + count(layer, "geese", "geese"))
            .collect::<Vec<_>>()
    });
    assert_eq!(tables[0].len(), 31);
    for (geese, row) in (1..).zip(&tables[0]) {
        let printed = anser_reproduce::table_1::won(geese).expect("a printed count");
        let ours = won.each_ref().map(|won| won[usize::from(geese) - 1]);
        let numbers: Vec<u64> = [0, 1, 3, 5, 7]
            .iter()
            .map(|&column: &usize| row[column].parse().expect("a number"))
            .collect();
        assert_eq!(numbers, [u64::from(geese), printed, ours[0], ours[1], ours[2]]);
        let impossible = match geese % 4 {
            0 => "",
            _ if printed % 2 == 1 => "odd",
            1 | 3 if printed % 4 == 2 => "not a multiple of 4",
            _ => "",
        };
        assert_eq!(row[2], impossible, "{geese} geese");
    }
    let times = tables.last().expect("a table of times");
    for (row, printed) in times.iter().zip(anser_reproduce::table_1::rows()) {
        assert_eq!(row[..2], [printed.geese.to_string(), printed.iterations.to_string()]);
    }
}

#[test]
fn the_page_of_openings_quotes_the_outcomes() {
    let tables = tables("data/results/openings.md");
    let outcomes: Vec<BTreeMap<String, String>> = RULES
        .iter()
        .map(|rules| {
            let rows = read(&format!("data/results/openings-{rules}.csv"));
            let rows = rows
                .lines()
                .skip(1)
                .map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
            rows.map(|row| (row[1].clone(), row[3].clone())).collect()
        })
        .collect();
    assert!(
        outcomes.iter().all(|outcomes| outcomes.len() == 60),
        "the classic opening of 13 geese is listed twice"
    );
    let filled = tables.last().expect("a table");
    assert_eq!(filled.len(), 28);
    for row in filled {
        let expected = outcomes
            .iter()
            .flat_map(|outcomes| ["f", "g"].map(|side| &outcomes[&format!("{} {side}", row[1])]));
        assert!(row[2..].iter().eq(expected), "{row:?}");
    }
    let boards = [
        ("13", "3/3/7/3F3/ggggggg/ggg/ggg"),
        ("15", "3/3/7/g2F2g/ggggggg/ggg/ggg"),
        ("17", "3/3/g5g/g2F2g/ggggggg/ggg/ggg"),
    ];
    for row in &tables[0] {
        let board = boards.iter().find(|board| board.0 == row[0]).expect("a classic opening").1;
        let position = format!("{board} {}", &row[1][..1]);
        for (column, outcomes) in [2, 4, 6].into_iter().zip(&outcomes) {
            assert_eq!(row[column].split(' ').next(), Some(&*outcomes[&position]), "{row:?}");
        }
    }
}

/// The distances of a rule set, of all layers or of the lower ones.
fn distances(rules: &str) -> Vec<Value> {
    let dir = if rules == "forward" { "data/results" } else { "crates/anser-games/results" };
    layers(&read(&format!("{dir}/fox-geese-{rules}-dtw.json")))
}

/// The histogram of a side to move and a winner: plies with their counts.
fn histogram(layer: &Value, side: &str, winner: &str) -> BTreeMap<u64, u64> {
    let depths = layer["to_move"][side]["depths"][winner].as_object().expect("a histogram");
    let entry = |(plies, count): (&String, &Value)| {
        (plies.parse().expect("plies"), count.as_u64().expect("a count"))
    };
    depths.iter().map(entry).collect()
}

#[test]
fn kept_distances_agree_with_the_kept_outcomes_and_with_each_other() {
    let mut compared = 0;
    for rules in RULES {
        let found = distances(rules);
        for (layer, outcomes) in found.iter().zip(run(rules)) {
            let name = format!("{rules}, layer {}", layer["layer"]);
            assert_eq!(layer["layer"], outcomes["layer"]);
            // Solved together with the distances, the outcomes are those of a run for them alone.
            assert_eq!(layer["tables"]["wdl"]["blake3"], outcomes["blake3"], "{name}");
            assert_eq!(layer["tables"]["wdl"]["bytes"], outcomes["bytes"]["packed"], "{name}");
            for side in ["fox", "geese"] {
                for winner in ["fox", "geese"] {
                    let depths = histogram(layer, side, winner);
                    assert_eq!(
                        depths.values().sum::<u64>(),
                        count(&outcomes, side, winner),
                        "{name}"
                    );
                    let longest = layer["longest"][side].as_array().expect("a list");
                    let longest = longest.iter().find(|win| win["outcome"] == winner);
                    assert_eq!(
                        depths.last_key_value().map(|(&plies, &count)| (plies, count)),
                        longest.map(|win| {
                            let number = |key: &str| win[key].as_u64().expect("a number");
                            (number("dtw"), number("positions"))
                        }),
                        "{name}, {side} to move, won by {winner}"
                    );
                    // The parity of the plies and the side to move name the winner, except where
                    // too few geese have lost with either side to move.
                    let parity = |plies: &u64| (plies % 2 == 1) == (side == winner);
                    assert!(
                        layer["layer"].as_u64() < Some(4) || depths.keys().all(parity),
                        "{name}"
                    );
                    compared += 1;
                }
            }
        }
    }
    assert_eq!(compared, 4 * (31 + 31 + 12));
}

#[test]
fn pages_of_distances_quote_the_longest_wins() {
    for rules in RULES {
        let found = distances(rules);
        let page = read(&format!("data/results/distances-{rules}.md"));
        let rows = &tables(&format!("data/results/distances-{rules}.md"))[0];
        let mut quoted = 0;
        for layer in &found {
            for winner in ["fox", "geese"] {
                let longest = ["fox", "geese"].map(|side| {
                    histogram(layer, side, winner).last_key_value().map(|(&plies, _)| plies)
                });
                let Some(plies) = longest.into_iter().flatten().max() else { continue };
                let cells = [layer["layer"].to_string(), winner.into(), plies.to_string()];
                assert!(rows.iter().any(|row| row[..3] == cells), "{rules}: {cells:?}");
                quoted += 1;
            }
        }
        assert_eq!(rows.len(), quoted, "{rules}");
        let digest =
            |layer: &Value| layer["tables"]["dtw"]["blake3"].as_str().expect("a digest").to_owned();
        assert!(found.iter().all(|layer| page.contains(&digest(layer))));
    }
}

#[test]
fn the_script_of_distances_solves_and_asks_as_it_did() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut python = Command::new("python3");
    python
        .arg(root().join("scripts/distances.py"))
        .args(["--rules", "first-capture", "--layers", "1-5", "--anser", binary(), "--out"])
        .args([dir.path(), &dir.path().join("run")]);
    let Ok(output) = python.env("ANSER_TABLES", "").output() else {
        return skip("python3 is not installed");
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let written = fs::read_to_string(dir.path().join("fox-geese-first-capture-dtw.json"));
    let found = layers(&written.expect("the script wrote it"));
    assert_eq!(found.len(), 5);
    for (found, kept) in found.iter().zip(distances("first-capture")) {
        for key in ["layer", "to_move", "longest", "zugzwangs"] {
            assert_eq!(found[key], kept[key], "layer {}: {key}", kept["layer"]);
        }
        for metric in ["wdl", "dtw"] {
            let digest = |layer: &Value| layer["tables"][metric]["blake3"].clone();
            assert_eq!(digest(found), digest(&kept), "layer {}: {metric}", kept["layer"]);
        }
    }
}

/// Both engines agreed with the oracle in these layers. Their results are those of the full runs.
#[test]
fn the_full_runs_have_the_counts_of_the_oracle() {
    let page = read("data/results/oracle.csv");
    let mut rows = page.lines();
    let names =
        "rules,layer,positions,fox,draw,geese,longest_fox,longest_geese,oracle_seconds".split(',');
    assert!(rows.next().expect("names of the columns").split(',').eq(names));
    let mut compared = Vec::new();
    for row in rows {
        let (rules, numbers) = row.split_once(',').expect("a rule set and numbers");
        let numbers: Vec<u64> =
            numbers.split(',').map(|cell| cell.parse().expect("a number")).collect();
        let at = numbers[0] as usize - 1;
        let outcomes = &run(rules)[at];
        let both = |outcome| count(outcomes, "fox", outcome) + count(outcomes, "geese", outcome);
        let found = [numbers[0], both("fox") + both("draw") + both("geese")]
            .into_iter()
            .chain(["fox", "draw", "geese"].map(both));
        assert!(found.eq(numbers[..5].iter().copied()), "{row}");
        let layer = &distances(rules)[at];
        let longest = ["fox", "geese"].map(|winner| {
            let sides = ["fox", "geese"].map(|side| histogram(layer, side, winner));
            let longest = sides.iter().filter_map(|depths| depths.last_key_value());
            longest.map(|(&plies, _)| plies).max().unwrap_or_default()
        });
        assert_eq!(longest, numbers[5..7], "{row}");
        compared.push((rules.to_owned(), numbers[0]));
    }
    compared.sort_unstable();
    let all = ["first-capture", "forward", "free"].iter();
    assert!(
        compared
            .into_iter()
            .eq(all.flat_map(|rules| [7, 8].map(|layer| ((*rules).to_owned(), layer))))
    );
}

/// What the page has of a row of the data.
type Quoted<'a> = &'a dyn Fn(&[&str]) -> String;

#[test]
fn the_page_about_play_quotes_the_shares_of_the_levels() {
    let data = read("data/results/levels.csv");
    let rows: Vec<Vec<&str>> = data.lines().map(|line| line.split(',').collect()).collect();
    // Game, level, and opponent are columns 0, 3, and 4.
    let row = |of: [&str; 3]| {
        let is = |row: &&Vec<&str>| [row[0], row[3], row[4]] == of && row[5] == "either";
        rows.iter().find(is).unwrap_or_else(|| panic!("{of:?}"))
    };
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let percent = |share: f64| (100.0 * share + 0.5).floor();
    let points = |row: &[&str]| {
        let [share, low, high] = [9, 10, 11].map(|column| percent(number(row[column])));
        format!("{share} % ({low}-{high})")
    };
    let won = |row: &[&str]| {
        let [games, won] = [6, 7].map(|column| number(row[column]));
        // The interval by Wilson, with the same quantile of the normal distribution as in the data.
        let (share, z2) = (won / games, 1.96_f64.powi(2));
        let middle = (share + z2 / (2.0 * games)) / (1.0 + z2 / games);
        let half = (z2 * (share * (1.0 - share) / games + z2 / (4.0 * games * games))).sqrt()
            / (1.0 + z2 / games);
        let [low, high] = [(middle - half).max(0.0), (middle + half).min(1.0)].map(percent);
        // The page has a comma before the share of the points, which the cells here have not.
        format!("{} % ({low}-{high}) {} %", percent(share), percent(number(row[9])))
    };
    let tables = tables("docs/play.md");
    let [_, against_perfect, against_below, of_searches] = &tables[..] else {
        panic!("{tables:?}")
    };
    let levels = ["beginner", "casual", "skilled", "expert"];
    let perfect: Vec<[&str; 2]> = levels.iter().map(|level| [*level, "perfect"]).collect();
    let below: Vec<[&str; 2]> = levels.windows(2).map(|pair| [pair[1], pair[0]]).collect();
    let searches = ["search-2", "search-4", "search-7", "search-12"].map(|it| [it, "perfect"]);
    let of_game = rows.iter().filter(|row| row[3..6] == ["beginner", "perfect", "either"]);
    let games: Vec<&str> = of_game.map(|row| row[0]).collect();
    let shares: [Quoted<'_>; 3] = [&won, &points, &won];
    let all =
        [(against_perfect, perfect), (against_below, below), (of_searches, searches.to_vec())];
    for ((table, pairs), quoted) in all.into_iter().zip(shares) {
        assert!(table.iter().map(|line| &line[0]).eq(&games));
        for line in table {
            let of = |pair: &[&str; 2]| row([&line[0], pair[0], pair[1]]);
            let shares = pairs.iter().map(|pair| quoted(of(pair)));
            let expected: Vec<String> =
                [of(&pairs[0])[6].to_owned()].into_iter().chain(shares).collect();
            assert_eq!(line[1..], expected, "{}", line[0]);
        }
    }
}

#[test]
fn the_page_about_studies_quotes_the_starts_of_fewer_hunters() {
    let data = read("data/results/cercar-la-liebre-starts.csv");
    let rows: Vec<Vec<&str>> = data.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let of = |number: &str, winner: &str| -> Vec<u32> {
        let is = |row: &&Vec<&str>| row[0].starts_with(number) && row[2] == winner;
        rows.iter().filter(is).map(|row| row[3].parse().expect("plies")).collect()
    };
    let range = |plies: &[u32]| {
        let [least, most] = [plies.iter().min(), plies.iter().max()].map(|it| it.expect("a win"));
        format!("in {least} to {most} plies")
    };
    let [ten, eleven, hare] = [of("10-", "hunters"), of("11-", "hunters"), of("10-", "hare")];
    assert_eq!(ten.len() + eleven.len() + hare.len(), rows.len());
    let sentences = format!(
        "Of the {} choices of two, symmetric ones counted once, {} win for the hunters, {}. \
         Without the hunters on a1 and e1 the hare wins in {} plies. All {} choices of one win for \
         the hunters, {}.",
        ten.len() + hare.len(),
        ten.len(),
        range(&ten),
        hare[0],
        eleven.len(),
        range(&eleven)
    );
    let page = read("docs/study.md");
    let words: Vec<&str> = page.split_whitespace().collect();
    assert!(words.join(" ").contains(&sentences), "{sentences}");
    // The openings of the game, and the starts of the two rule sets.
    let games = read("crates/anser-games/results/games.csv");
    for row in &rows {
        let rules = row[0].split('-').next().expect("a number");
        if let "11-e3" | "10-a3-e3" = row[0] {
            let kept = format!("cercar-la-liebre,{rules},");
            let kept = games.lines().find(|line| line.starts_with(&kept)).expect("it is solved");
            assert!(kept.ends_with(&format!(",hunters,hunters,{}", row[3])), "{kept}");
            assert!(kept.contains(row[1]), "{kept}");
        } else {
            let file = read("crates/anser-games/games/cercar-la-liebre.toml");
            let opening = format!("{{ name = \"{}\", position = \"{}\",", row[0], row[1]);
            assert!(file.contains(&opening), "{opening}");
        }
    }
}

#[test]
fn the_page_about_studies_quotes_the_numbers_of_hunters() {
    let data = read("data/results/study-cercar-la-liebre.csv");
    let rows: Vec<Vec<&str>> = data.lines().map(|line| line.split(',').collect()).collect();
    let page = read("docs/study.md");
    let quoted = page.split("cut -d, -f1-10\n").nth(1).and_then(|text| text.split("\n```").next());
    let columns = rows.iter().map(|row| row[..10].join(","));
    assert_eq!(quoted, Some(columns.collect::<Vec<_>>().join("\n").as_str()));
    // Positions, the winner, and the length are those of the list of games.
    let games = read("crates/anser-games/results/games.csv");
    assert_eq!(rows[1..].iter().map(|row| row[0]).collect::<Vec<_>>(), ["12", "11", "10"]);
    for row in &rows[1..] {
        let of_game = format!("cercar-la-liebre,{},{},", row[0], row[1]);
        let ending = format!(",{},{}", row[3], row[4]);
        let is_same = |line: &str| line.starts_with(&of_game) && line.ends_with(&ending);
        assert!(games.lines().any(is_same), "{row:?}");
        let shares: f64 =
            row[7..10].iter().map(|share| share.parse::<f64>().expect("a share")).sum();
        assert!((shares - 1.0).abs() < 2e-6, "{row:?}");
    }
}
