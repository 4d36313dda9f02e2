//! Questions about whole layers: `census`, `hardest`, and `zugzwang` with `--layers`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::schema::Schema;
use crate::support::{Ran, anser, distances, edit, keys, run, tables};

/// Packs the tables with distances into a directory.
fn packed(more: &str) -> TempDir {
    let dir = TempDir::new().unwrap();
    for rules in ["free", "first-capture"] {
        let out = dir.path().display();
        let ran = run(&format!("pack --rules {rules} --out {out}{more}"), distances());
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    dir
}

/// Copies of the tables of distances of these layers of `free`.
fn copies(layers: &[u16]) -> TempDir {
    let dir = TempDir::new().unwrap();
    for layer in layers {
        let name = format!("fox-geese.free.L{layer:02}.dtw.anser");
        fs::copy(distances().join(&name), dir.path().join(&name)).unwrap();
    }
    dir
}

fn sum(counts: &Value) -> u64 {
    counts.as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum()
}

/// Compares the answers from raw and packed tables, with any access and number of threads.
fn is_same_from_packed(question: &str, packed: &Path) {
    let answer = run(&format!("{question} --json"), distances()).json();
    for more in [" --access read --threads 1", " --access map --threads 3"] {
        for dir in [distances(), packed] {
            let other = run(&format!("{question} --json{more}"), dir).json();
            assert_eq!(other, answer, "{question}{more} in {}", dir.display());
        }
    }
}

#[test]
fn layers_by_placement_are_listed_with_their_pieces() {
    let dir = TempDir::new().unwrap();
    let ran = run("solve hat-diviyan --metric dtw", dir.path());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let stats = run("stats hat-diviyan", dir.path());
    let rows = stats.text().lines().filter_map(|row| row.split_once("  ")).map(|(layer, rest)| {
        let pieces = rest.trim_start().split("  ").next();
        (layer.trim(), pieces.unwrap())
    });
    let of = |layer: &str| rows.clone().find(|(number, _)| *number == layer).map(|row| row.1);
    assert_eq!(of("layer"), Some("pieces"));
    assert_eq!(of("8"), Some("1 tiger, 4 leopards, 3 captured"));
    assert_eq!(of("33"), Some("1 tiger, 3 leopards, 3 in hand, 1 captured"));
    assert_eq!(of("59"), Some("1 tiger in hand, 7 leopards in hand"));
    // Every question about layers says the same.
    let schema = Schema::of_answers();
    for command in ["stats", "census", "hardest", "zugzwang"] {
        let layers = if command == "stats" { "" } else { " --layers 33" };
        let question = format!("{command} hat-diviyan{layers}");
        let answer = run(&format!("{question} --json"), dir.path()).json();
        schema.check(command, &answer).unwrap();
        let layers = answer["layers"].as_array().unwrap();
        let layer = layers.iter().find(|layer| layer["layer"] == 33).unwrap();
        assert_eq!(layer["pieces"], json!(of("33")), "{question}");
        let text = run(&question, dir.path());
        assert!(text.text().contains(of("33").unwrap()), "{question}: {}", text.out);
    }
    // Numbers of other layers count something.
    let stats = run("stats fox-geese --rules free --json", tables()).json();
    assert_eq!(stats["layers"][0].get("pieces"), None);
}

#[test]
fn histograms_of_layers_add_up_to_their_outcomes() {
    let (dir, packed, schema) = (distances(), packed(""), Schema::of_answers());
    for (rules, layers) in [("free", "1-5"), ("first-capture", "4-5")] {
        let words = format!("census fox-geese --rules {rules} --layers {layers}");
        let answer = run(&format!("{words} --json"), dir).json();
        schema.check("census", &answer).unwrap();
        assert_eq!([&answer["position"], &answer["reachable"], &answer["all"]], [&Value::Null; 3]);
        let stats = run(&format!("stats --rules {rules} --json"), dir).json();
        let (counted, stats) =
            (answer["layers"].as_array().unwrap(), stats["layers"].as_array().unwrap());
        assert_eq!(counted.len(), stats.len());
        for (counted, stats) in counted.iter().zip(stats) {
            assert_eq!(keys(counted), ["layer", "to_move"]);
            assert_eq!(counted["layer"], stats["layer"]);
            for side in ["fox", "geese"] {
                let of_side = &counted["to_move"][side];
                assert_eq!(keys(of_side), ["depths", "outcomes"]);
                assert_eq!(of_side["outcomes"], stats["to_move"][side]);
                for winner in ["fox", "geese"] {
                    let depths = &of_side["depths"][winner];
                    assert_eq!(sum(depths), of_side["outcomes"][winner].as_u64().unwrap());
                    let plies = depths.as_object().unwrap().keys();
                    let plies: Vec<u64> = plies.map(|plies| plies.parse().unwrap()).collect();
                    assert_eq!(
                        json!(plies.iter().max()),
                        stats["longest"][side][winner],
                        "{counted}"
                    );
                    // The side that moves last wins.
                    let parity = u64::from(side == winner);
                    assert!(
                        plies.iter().all(|&plies| plies == 0 || plies % 2 == parity),
                        "{counted}"
                    );
                }
            }
        }
        is_same_from_packed(&format!("census --rules {rules} --layers 4"), packed.path());
    }
    let text = run("census --layers 4-5", dir).text().to_owned();
    assert!(text.contains("layer 4, positions: 2,373,360\n"), "{text}");
    assert!(!text.contains("how the game is over"), "{text}");
}

#[test]
fn the_longest_wins_of_layers_have_lines_of_their_length() {
    let (dir, schema) = (distances(), Schema::of_answers());
    let stats = run("stats --rules free --json", dir).json();
    let answer = run("hardest --layers 1-5 --list 2 --json", dir).json();
    schema.check("hardest", &answer).unwrap();
    let mut largest = json!({"fox": 0, "geese": 0});
    let of_layers = answer["layers"].as_array().unwrap();
    assert_eq!(of_layers.len(), 5);
    for (found, stats) in of_layers.iter().zip(stats["layers"].as_array().unwrap()) {
        assert_eq!(found["layer"], stats["layer"]);
        for side in ["fox", "geese"] {
            let mut plies = json!({"fox": null, "geese": null});
            for longest in found["to_move"][side].as_array().unwrap() {
                let winner = longest["outcome"].as_str().unwrap();
                plies[winner] = longest["dtw"].clone();
                if longest["dtw"].as_u64() > largest[winner].as_u64() {
                    largest[winner] = longest["dtw"].clone();
                }
                let examples = longest["examples"].as_array().unwrap();
                assert_eq!(examples.len() as u64, longest["classes"].as_u64().unwrap().min(2));
                for example in examples {
                    assert_eq!(
                        (&example["to_move"], &example["dtw"]),
                        (&json!(side), &longest["dtw"])
                    );
                    // The line counts down to the end, through captures into lower layers.
                    let line = example["line"].as_array().unwrap();
                    assert_eq!(json!(line.len()), longest["dtw"]);
                    let left = (0..line.len() as u64).rev();
                    assert!(
                        line.iter().zip(left).all(|(ply, left)| ply["dtw"] == left),
                        "{line:?}"
                    );
                }
            }
            assert_eq!(plies, stats["longest"][side]);
        }
    }
    for longest in answer["longest"].as_array().unwrap() {
        assert_eq!(longest["dtw"], largest[longest["outcome"].as_str().unwrap()]);
    }
    let text = run("hardest --layers 5 --list 1", dir).text().to_owned();
    assert!(text.contains("layer 5\n\nlongest win for the fox, the fox to move: "), "{text}");
    is_same_from_packed("hardest --layers 4 --list 2", packed("").path());
}

#[test]
fn zugzwangs_of_layers_need_outcomes_alone() {
    let (dir, schema) = (distances(), Schema::of_answers());
    let words = "zugzwang --layers 1-5 --list 3";
    let answer = run(&format!("{words} --json"), dir).json();
    schema.check("zugzwang", &answer).unwrap();
    let layers = answer["layers"].as_array().unwrap();
    for (number, kind) in answer["kinds"].as_array().unwrap().iter().enumerate() {
        let of_layers = layers.iter().map(|layer| layer["kinds"][number]["positions"].as_u64());
        assert_eq!(of_layers.sum::<Option<u64>>(), kind["positions"].as_u64());
        for example in kind["examples"].as_array().unwrap() {
            assert!(example["dtw"].as_u64() > Some(0), "{example}");
            let winner = example["outcome"].as_str().unwrap();
            assert_ne!(winner, example["to_move"].as_str().unwrap());
            // With the other side to move the position is no win for the same side.
            let position = example["position"].as_str().unwrap();
            let (board, side) = position.split_once(' ').unwrap();
            let passed = format!("{board}_{}", if side == "f" { "g" } else { "f" });
            let passed = run(&format!("probe {passed} --json"), dir).json();
            assert_ne!(passed["outcome"].as_str(), Some(winner), "{position}");
        }
    }
    assert!(answer["kinds"][2]["positions"].as_u64() > Some(0), "{answer}");

    // Outcomes alone give the same positions, without plies; packed tables omit a side to move.
    let packed = packed(" --metric wdl");
    let mut expected = answer;
    for kind in expected["kinds"].as_array_mut().unwrap() {
        kind["examples"].as_array_mut().unwrap().iter_mut().for_each(without_plies);
    }
    for layer in expected["layers"].as_array_mut().unwrap() {
        for kind in layer["kinds"].as_array_mut().unwrap() {
            kind["examples"].as_array_mut().unwrap().iter_mut().for_each(without_plies);
        }
    }
    for dir in [tables(), packed.path()] {
        assert_eq!(run(&format!("{words} --json"), dir).json(), expected, "{}", dir.display());
    }
    let text = run("zugzwang --layers 1-5", tables()).text().to_owned();
    assert!(text.contains("layer  full  one-sided, fox to move"), "{text}");
}

fn without_plies(example: &mut Value) {
    example["dtw"] = Value::Null;
}

#[test]
fn small_layers_are_solved_without_tables() {
    let ask = |words: &str| {
        let dir = TempDir::new().unwrap();
        let mut command = anser(words.split(' '));
        Ran::new(&command.current_dir(dir.path()).output().unwrap())
    };
    let answer = ask("census hexapawn:4x4 --layers 0-24 --json").json();
    // All positions together, from the solver of the whole game.
    let all = ask("census hexapawn:4x4 --json").json();
    assert_eq!(summed(&answer), all["all"]["to_move"]["white"]["depths"]);
    let every = ask("hardest hexapawn:3x3 --layers 0-12 --json").json();
    let whole = ask("hardest hexapawn:3x3 --all --json").json();
    assert_eq!(every["longest"], whole["longest"]);
    assert!(all["layers"].is_null() && whole["layers"].is_null());
}

/// Depths of the positions of all layers with White to move.
fn summed(answer: &Value) -> Value {
    let mut sum = json!({"white": {}, "black": {}});
    for layer in answer["layers"].as_array().unwrap() {
        for (winner, depths) in layer["to_move"]["white"]["depths"].as_object().unwrap() {
            for (plies, count) in depths.as_object().unwrap() {
                let before = sum[winner][plies].as_u64().unwrap_or(0);
                sum[winner][plies] = json!(before + count.as_u64().unwrap());
            }
        }
    }
    sum
}

#[test]
fn layers_are_plotted() {
    let dir = TempDir::new().unwrap();
    for (question, says) in [
        ("census", "fox-geese, rules free, layers 4-5: positions by depth"),
        ("hardest", "fox-geese, rules free, layers 4-5: the longest wins"),
        ("zugzwang", "fox-geese, rules free, layers 4-5: zugzwangs"),
    ] {
        let text = run(&format!("{question} --layers 4-5 --plot"), distances()).text().to_owned();
        assert!(text.contains(says), "{text}");
        let svg = dir.path().join("plot.svg");
        let ran = run(&format!("{question} --layers 4-5 --svg {}", svg.display()), distances());
        assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
        let drawn = fs::read_to_string(&svg).unwrap();
        assert!(drawn.contains(says) && drawn.contains("#D55E00"), "{drawn}");
    }
    for question in ["hardest", "zugzwang"] {
        let ran = Ran::new(&anser([question, "hexapawn:3x3", "--plot"]).output().unwrap());
        ran.fails_in_a_line(2, &["add --layers"]);
    }
}

#[test]
fn missing_layers_and_metrics_name_the_command() {
    for question in ["census", "hardest"] {
        run(&format!("{question} --layers 2-5"), tables()).fails_in_a_line(
            1,
            &["layer 5", "`anser solve fox-geese --rules free --layers 1-5 --metric dtw --tables "],
        );
    }
    run("zugzwang --layers 5-7", tables())
        .fails_in_a_line(1, &["layer 7", "`anser solve fox-geese --rules free --layers 1-7 "]);
    for question in ["census", "hardest", "zugzwang"] {
        run(&format!("{question} --layers 30-32"), tables()).fails_in_a_line(2, &["32", "1 to 31"]);
        let ran = Ran::new(&anser([question, "--tables", "."]).output().unwrap());
        ran.fails_in_a_line(2, &["add --layers A-B"]);
        let words = [question, "3/3/7/3F3/3gg2/1g1/1g1_f", "--layers", "4"];
        Ran::new(&anser(words).output().unwrap()).fails_in_a_line(2, &["--layers"]);
    }
    let words = ["census", "--reachable", "--layers", "4"];
    assert_eq!(anser(words).output().unwrap().status.code(), Some(2));

    // Lines lead through lower layers.
    let dir = copies(&[5]);
    run("hardest --layers 5", dir.path())
        .fails_in_a_line(1, &["layer 4", "--layers 4 --metric dtw"]);
    let answer = run("hardest --layers 5 --list 0 --json", dir.path()).json();
    assert_eq!(answer["longest"][0]["examples"], json!([]));
    assert_eq!(run("census --layers 5", dir.path()).code, 0);
}

#[test]
fn damaged_tables_end_the_answer() {
    let dir = copies(&[4, 5]);
    edit(&dir.path().join("fox-geese.free.L05.dtw.anser"), |bytes| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
    });
    for question in ["census --layers 4-5", "hardest --layers 5", "census --layers 5 --access read"]
    {
        run(question, dir.path()).fails_in_a_line(3, &["fox-geese.free.L05.dtw.anser", "damaged"]);
    }
    assert_eq!(run("census --layers 4", dir.path()).code, 0);
}
