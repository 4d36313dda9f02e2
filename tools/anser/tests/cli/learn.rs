//! `anser learn`, `anser grade`, and `anser play --model`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Ran, anser, binary};

/// Runs with these words, `OUT` being a directory.
fn run(words: &str, out: &Path) -> Ran {
    let words = words.split(' ').map(|word| match word {
        "OUT" => out.display().to_string(),
        "MODEL" => model(out, 3).display().to_string(),
        word => word.to_owned(),
    });
    Ran::new(&anser(words).output().expect("anser runs"))
}

/// The model of the learner with seed 3.
fn model(out: &Path, rows: u8) -> std::path::PathBuf {
    out.join(format!("hexapawn-3x{rows}.standard.standard.seed-3.safetensors"))
}

const LEARN: &str = r#"learn hexapawn:3x3 --seed 3 --settings {"iterations":8} --out OUT"#;

/// Wrong moves of each player of an answer.
fn wrong(answer: &Value) -> Vec<u64> {
    let players = answer["players"].as_array().expect("a list");
    players.iter().map(|player| player["all"]["wrong"].as_u64().expect("a number")).collect()
}

#[test]
fn a_learner_solves_3x3_and_its_model_is_graded_and_plays() {
    let dir = TempDir::new().expect("there is a temporary directory");
    let out = dir.path();
    let learned = run(&format!("{LEARN} --grade-every 4 --json"), out).json();
    assert_eq!(learned["done"], true);
    assert_eq!(wrong(&learned), [0, 0]);
    assert_eq!(learned["iterations"].as_array().map(Vec::len), Some(8));
    let graded: Vec<bool> = learned["iterations"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|iteration| iteration["graded"].is_object())
        .collect();
    assert_eq!(graded, [false, false, false, true, false, false, false, true]);
    let mut files: Vec<String> = fs::read_dir(out)
        .expect("it was made")
        .map(|entry| entry.expect("it can be read").file_name().into_string().expect("text"))
        .collect();
    files.sort();
    let name = "hexapawn-3x3.standard.standard.seed-3";
    assert_eq!(files, [format!("{name}.log.jsonl"), format!("{name}.safetensors")]);

    // The same command trains nothing, and writes nothing.
    let written = || fs::metadata(model(out, 3)).and_then(|file| file.modified()).expect("a file");
    let before = written();
    let again = run(&format!("{LEARN} --grade-every 4 --json"), out);
    assert_eq!(written(), before);
    assert!(again.err.contains("is trained already"), "{}", again.err);
    assert_eq!(again.json(), learned);
    let other = run(&LEARN.replace('8', "9"), out);
    other.fails(2, &["other settings", "choose another --out"]);

    let graded = run("grade hexapawn:3x3 --model MODEL --json", out).json();
    assert_eq!(wrong(&graded), [0; 5]);
    assert_eq!(graded["players"][0]["solved"], "strongly");
    assert_eq!(graded["reachable"], 135);
    let text = run("grade hexapawn:3x3 --model MODEL --simulations 0", out);
    assert!(text.text().contains("model, no search"), "{}", text.out);

    let game = "hexapawn:3x3 --as none --seed 1 --json --style white=hard,black=model";
    let played = run(&format!("play {game} --model MODEL --simulations 0"), out).json();
    assert_eq!(played["result"]["outcome"], "black");
    assert_eq!(played["style"], "white=hard,black=model");
}

#[test]
fn interrupted_trainings_resume_to_the_same_model() {
    let dir = TempDir::new().expect("there is a temporary directory");
    let whole = dir.path().join("whole");
    assert_eq!(run(LEARN, &whole).code, 0);
    let expected = fs::read(model(&whole, 3)).expect("it was written");

    // A pause after the first iteration.
    let paused = dir.path().join("paused");
    let answer = run(&format!("{LEARN} --minutes 0.00001 --json"), &paused).json();
    assert_eq!(answer["done"], false);
    assert_eq!(answer["iterations"].as_array().map(Vec::len), Some(1));
    assert_eq!(answer["model"]["iterations"], 1);
    let resumed = run(&format!("{LEARN} --threads 1"), &paused);
    assert!(resumed.err.contains("resumes after iteration 1 of 8"), "{}", resumed.err);
    assert!(fs::read(model(&paused, 3)).expect("it was written") == expected);
    run(&format!("{LEARN} --seed 4"), &paused).fails(2, &["cannot be used multiple times"]);

    // Interruptions at any time.
    let stopped = dir.path().join("stopped");
    for pause in [5, 100, 200, 300] {
        let words = LEARN.split(' ').map(|word| match word {
            "OUT" => stopped.display().to_string(),
            word => word.to_owned(),
        });
        let child = Command::new(binary())
            .args(words)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("anser runs");
        std::thread::sleep(Duration::from_millis(pause));
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(sent.is_ok());
        let done = child.wait_with_output().expect("it ends");
        let error = String::from_utf8_lossy(&done.stderr);
        match done.status.code() {
            Some(0) => break,
            Some(130) => assert!(!error.contains("panicked"), "{error}"),
            // Before the program watches signals, they end it.
            None => {}
            other => panic!("{other:?}: {error}"),
        }
    }
    assert_eq!(run(LEARN, &stopped).code, 0);
    assert!(fs::read(model(&stopped, 3)).expect("it was written") == expected);
}

#[test]
fn models_that_do_not_fit_and_damaged_ones_are_refused() {
    let dir = TempDir::new().expect("there is a temporary directory");
    let out = dir.path();
    let learn = LEARN.replace('8', "1");
    assert_eq!(run(&learn, out).code, 0);
    run("grade hexapawn:4x4 --model MODEL", out)
        .fails(2, &["trained for game hexapawn:3x3, not hexapawn:4x4"]);
    run("play fox-hounds:4 --as none --model MODEL", out).fails(2, &["hexapawn:3x3"]);
    run("grade fox-hounds:4", out).fails(1, &["no model", "`anser learn fox-hounds:4`"]);
    run("play hexapawn:3x3 --as none --style hard --model MODEL", out).fails(2, &["--style model"]);
    run("grade hexapawn:3x3 --model MODEL --player random", out).fails(2, &["--player model"]);
    run("grade hexapawn:3x3 --model OUT/nothing", out).fails(4, &["nothing"]);
    run("grade hexapawn:3x3 --player document", out).fails(2, &["fox-hounds or hasenspiel"]);
    run("grade fox-geese --player matchbox", out).fails(2, &["--player matchbox"]);
    run("learn fox-geese --layers 1", out).fails(2, &[]);
    run("learn fox-geese --seed 1", out)
        .fails(2, &["6,680,682,063 positions", "nearer to the end"]);
    run("grade fox-geese --player random", out).fails(2, &["too many to grade"]);
    run("learn fox-geese --rules free+chain --out OUT", out).fails(2, &["nearer to the end"]);
    run("learn fox-hounds:4 --preset document --out OUT", out)
        .fails(2, &["preset document has no encoding of fox-hounds:4"]);
    let other = learn.replace("3x3", "3x3 p1p/1p1/PPP_w");
    run(&other, out).fails(2, &["other start", "choose another --out"]);
    for (settings, says) in [
        (r#"{"iteration":1}"#, "unknown field"),
        (r#"{"hidden":[0]}"#, "hidden"),
        (r#"{"play":{"plies":0}}"#, "play.plies"),
        (r#"{"batch":0}"#, "batch"),
        ("{", "--settings"),
    ] {
        let words = format!("learn hexapawn:3x3 --out OUT --settings {settings}");
        run(&words, out).fails(2, &[says]);
    }
    let path = model(out, 3);
    let mut bytes = fs::read(&path).expect("it was written");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&path, bytes).expect("it can be written");
    run("grade hexapawn:3x3 --model MODEL", out).fails(3, &["checksum", "`anser learn`"]);
    fs::write(&path, "no model").expect("it can be written");
    run("grade hexapawn:3x3 --model MODEL", out).fails(3, &["not a sound model"]);
}

#[test]
fn fox_and_geese_is_learned_and_graded_from_a_position() {
    let dir = TempDir::new().expect("there is a temporary directory");
    let out = dir.path();
    let game = "fox-geese 3/ggg/3g3/3F3/7/3/3_f --rules forward --json";
    let settings = r#"{"iterations":2,"games":16,"play":{"plies":20},"steps":20}"#;
    let learn = format!("learn {game} --seed 3 --settings {settings} --out OUT");
    let learned = run(&learn, out).json();
    assert_eq!(learned["done"], true);
    assert_eq!(learned["model"]["encoding"], "hunt-2");
    let file = out.join("fox-geese.forward.standard.seed-3.safetensors");
    let graded = run(
        &format!("grade {game} --model {} --simulations 0,32 --player model", file.display()),
        out,
    );
    let graded = graded.json();
    assert_eq!(
        (&graded["reachable"], &graded["position"]),
        (&8913.into(), &"3/ggg/3g3/3F3/7/3/3 f".into())
    );
    assert_eq!(wrong(&graded), wrong(&learned));
    let resumed = run(&learn, out);
    assert!(resumed.err.contains("is trained already"), "{}", resumed.err);
}

#[test]
fn players_by_rule_are_graded() {
    let dir = TempDir::new().expect("there is a temporary directory");
    let graded = |words: &str| run(&format!("grade {words} --json"), dir.path()).json();
    for game in ["hexapawn:3x4", "fox-hounds:4", "hare-hounds"] {
        let answer = graded(&format!("{game} --player quick --player random"));
        let players = answer["players"].as_array().expect("a list");
        assert_eq!((wrong(&answer)[0], &players[0]["solved"]), (0, &"strongly".into()), "{game}");
        assert_eq!(players[0]["all"]["imperfect"], 0, "{game}");
        assert!(wrong(&answer)[1] > 0, "{game}");
        for player in players {
            let sum = |key: &str, part: &str| -> u64 {
                let parts = player[key].as_array().expect("a list");
                parts.iter().map(|it| it[part].as_u64().expect("a number")).sum()
            };
            for part in ["decisions", "wrong", "imperfect"] {
                assert_eq!(sum("by_moves", part), player["all"][part], "{game}: {part}");
                assert_eq!(sum("by_plies", part), player["all"][part], "{game}: {part}");
            }
        }
        let worst = &players[1]["worst"][0];
        assert_ne!(worst["outcome"], worst["played"]["outcome"], "{worst}");
    }
    // The strategies of documents keep the outcome; errors show in the shares.
    let shares = |answer: &Value, kind: &str| -> Vec<f64> {
        let players = answer["players"].as_array().expect("a list").iter();
        players.map(|player| player["all"][kind].as_f64().expect("a number")).collect()
    };
    let answer = graded("fox-hounds:6 --player document --player quick --fuzz 0.25");
    assert_eq!(wrong(&answer), [0, 0]);
    assert!(shares(&answer, "wrong_shares").iter().all(|wrong| *wrong > 1.0));
    let answer = graded("hasenspiel 4/4/4/1W2/bbbb/4/4/4_w --player document");
    assert_eq!(answer["players"][0]["player"], "document");

    // A network that errs with the chances of the fuzz factor makes the same choices.
    let model = "hexapawn:3x3 --player model --simulations 0,8";
    let (sound, fuzzy) = (graded(model), graded(&format!("{model} --fuzz 0.5")));
    assert_eq!(wrong(&sound), wrong(&fuzzy));
    let [sound, fuzzy] = [&sound, &fuzzy].map(|answer| shares(answer, "best_shares"));
    assert!(sound.iter().zip(&fuzzy).all(|(sound, fuzzy)| sound > fuzzy), "{sound:?} {fuzzy:?}");
    let decisions = answer["players"][0]["all"]["decisions"].as_f64().expect("a number");
    assert!(fuzzy.iter().all(|share| *share > 0.0 && *share < decisions));

    // Boxes that were never opened draw any move; trained ones know the games that they played.
    let boxes = |train: u32| graded(&format!("hexapawn:3x3 --player matchbox --train {train}"));
    let [new, trained] = [0, 1000].map(boxes);
    let random = graded("hexapawn:3x3 --player random");
    assert_eq!(shares(&new, "wrong_shares"), shares(&random, "wrong_shares"));
    assert!(shares(&trained, "wrong_shares")[0] < 0.7 * shares(&new, "wrong_shares")[0]);
    assert_eq!(trained["players"][0]["player"], "matchbox");
    assert_eq!(boxes(1000), trained, "the same seed");
}

#[test]
fn networks_and_players_of_fox_and_geese_are_graded_on_decisions_of_layers() {
    let dir = TempDir::new().expect("there is a temporary directory");
    let out = dir.path();
    let solve = "solve --rules free --layers 1-4 --metric wdl,dtw --tables OUT";
    assert_eq!(run(solve, out).code, 0);
    let layers = "fox-geese --layers 3-4 --tables OUT --samples 300";
    let graded = run(&format!("grade {layers} --player quick --player random --json"), out).json();
    let players = graded["players"].as_array().expect("a list");
    assert_eq!(graded["layers"], serde_json::json!([3, 4]));
    let nulls = [&graded["position"], &graded["reachable"], &players[0]["solved"]];
    assert!(nulls.into_iter().all(Value::is_null));
    assert!(players[1]["near_perfect"].is_null() && players[1]["perfect_games"].is_null());
    assert_eq!(players[0]["all"]["decisions"], 300);
    assert_eq!((wrong(&graded)[0], &players[0]["all"]["imperfect"]), (0, &0.into()));
    assert!(wrong(&graded)[1] > 0);
    let text = run(&format!("grade {layers} --player random --seed 2"), out);
    assert!(text.text().contains("300 decisions of layers 3 to 4, drawn with seed 2"));

    let settings = r#"{"iterations":2,"games":4,"steps":20,"hidden":[16],"play":{"plies":20}}"#;
    for (preset, games) in [("standard", 4), ("exact", 0)] {
        let changes = settings.replace("\"games\":4", &format!("\"games\":{games}"));
        let learn =
            format!("learn {layers} --preset {preset} --settings {changes} --out OUT --json");
        let learned = run(&learn, out).json();
        assert_eq!(
            (&learned["done"], &learned["players"][0]["all"]["decisions"]),
            (&true.into(), &300.into())
        );
        // The same command finds the same model, and grades it on the same decisions.
        assert_eq!(wrong(&run(&learn, out).json()), wrong(&learned));
        let model = format!("fox-geese.free.layers-3-4.{preset}.seed-1.safetensors");
        let model = out.join(model).display().to_string();
        let grade = format!("grade {layers} --seed 0 --model {model} --simulations 0 --json");
        assert_eq!(wrong(&run(&grade, out).json())[0], wrong(&learned)[0]);
    }

    // Missing arguments are reported.
    let usage = [
        format!("grade {layers} --player matchbox"),
        "grade hexapawn:3x3 --samples 5 --player random".to_owned(),
    ];
    for words in usage {
        assert_eq!(run(&words, out).code, 2, "{words}");
    }
    assert_eq!(run("solve --rules first-capture --layers 4-4 --tables OUT", out).code, 0);
    let outcomes = "grade fox-geese --rules first-capture --layers 4 --tables OUT --player random";
    run(outcomes, out).fails(1, &["distances"]);
}
