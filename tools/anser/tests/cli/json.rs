//! Answers and errors in JSON: schema, keys, and types.

use std::collections::BTreeSet;

use anser_games::answers::{self, Versioned};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tempfile::TempDir;

use crate::schema::Schema;
use crate::support::{CAPTURE, Ran, anser, binary, copies, keys, table, tables};

/// Commands that print text for other programs.
const WITHOUT_JSON: [&str; 3] = ["completions", "man", "help"];

/// The commands that a feature of the package adds: the server, whose answers are over HTTP, and
/// sites, which need a package of others (`site.rs`).
const SERVER: &[&str] = if cfg!(all(feature = "server", unix)) { &["serve", "site"] } else { &[] };

/// Command lines with an answer, as words separated by spaces. Every command has a line. `TABLES`
/// is a directory of tables, `TABLE` one of them, `OUT` a new directory, `POSITION` a position of
/// the tables, and `POSITIONS` a file of positions.
const ANSWERED: &[&str] = &[
    "solve --layers 1-2 --tables OUT",
    "solve --layers 1-9 --tables OUT --dry-run",
    "solve --layers 1-9 --tables OUT --dry-run --metric wdl,dtw",
    "probe POSITION --tables TABLES",
    "probe fox-hounds:4",
    "probe fox-hounds:4 2/1F/2/hh_f",
    "probe --batch POSITIONS --tables TABLES",
    "probe --batch POSITIONS --moves --tables TABLES",
    "line fox-hounds:4",
    "line hare-hounds --rules unlimited h2/h3R/h2_h",
    "stats --tables TABLES --rules free",
    "stats --tables TABLES",
    "verify --tables TABLES",
    "verify --tables TABLES --rules free",
    "verify --tables TABLES --rules free --layers 4 --well-founded",
    "pack --tables TABLES --rules free --layers 3 --out OUT",
    "unpack --tables TABLES --rules free --layers 3 --out OUT",
    #[cfg(feature = "fetch")]
    "fetch TABLES --rules free --layers 3 --out OUT",
    "info TABLES",
    "info TABLES TABLES",
    "info TABLE",
    "count fox-hounds:4",
    "foxbox fox-hounds:4",
    "census fox-hounds:4",
    "census fox-geese --layers 4",
    "opposite fox-hounds:6",
    "zugzwang hare-hounds --rules unlimited",
    "zugzwang fox-hounds:4 --reachable",
    "zugzwang fox-geese --layers 4",
    "hardest fox-hounds:4",
    "hardest fox-hounds:4 --all",
    "hardest fox-geese --layers 4",
    "fuzz fox-hounds:6 --p 0.5",
    "fuzz fox-hounds:4 --moves 0.5",
    "policy fox-hounds:4 --line 3",
    "policy hexapawn:3x3",
    "study hexapawn:3x3 --fuzz 0.1",
    "study hare-hounds --rules unlimited,budget-60",
    "study fox-hounds:4 --reachable",
    "play fox-hounds:4 --as none --seed 1",
    "play hexapawn:3x3 --as none --seed 1",
    "play hexapawn:3x3 --as none --seed 1 --games 2",
    #[cfg(feature = "learn")]
    "learn hexapawn:3x3 --settings {\"iterations\":1} --out OUT",
    #[cfg(feature = "learn")]
    "grade hexapawn:3x3",
    "reproduce hexapawn",
    "export hexapawn:1x3 --reachable",
    "games",
    "rules",
    "rules hexapawn",
];

/// Arguments of a line, run in a temporary directory.
fn words(line: &str, dir: &TempDir) -> Vec<String> {
    let path = |path: std::path::PathBuf| path.to_str().expect("a plain name").to_owned();
    let word = |word: &str| match word {
        "TABLES" => path(tables().to_owned()),
        "TABLE" => path(tables().join(table("free", 4))),
        "OUT" => path(dir.path().join("out")),
        "POSITIONS" => path(dir.path().join("positions")),
        "CAPTURE" => CAPTURE.to_owned(),
        "POSITION" => "3/3/7/3F3/3gg2/1g1/1g1 f".to_owned(),
        word => word.to_owned(),
    };
    line.split(' ').map(word).chain(["--json".to_owned()]).collect()
}

/// Commands that `anser --help` lists.
fn commands() -> BTreeSet<String> {
    let help = Ran::new(&anser(["--help"]).output().expect("anser runs"));
    let list = help
        .text()
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty());
    list.filter(|line| !line.starts_with("   "))
        .filter_map(|line| Some(line.split_whitespace().next()?.to_owned()))
        .collect()
}

fn ask(line: &str) -> Ran {
    let dir = TempDir::new().expect("there is a temporary directory");
    let positions = "3/3/7/3F3/3gg2/1g1/1g1 f\nnonsense\ngFg/1g1/3g3/7/7/3/3 f\n";
    std::fs::write(dir.path().join("positions"), positions).expect("the directory can be written");
    Ran::new(&anser(words(line, &dir)).output().expect("anser runs"))
}

/// Error object at the end of a run.
#[track_caller]
fn error_of(ran: &Ran) -> Value {
    let last = ran.err.lines().last().unwrap_or_default();
    assert!(last.starts_with(r#"{"schema":1,"error":{"code":"#), "no error object: {:?}", ran.err);
    let object: Value = serde_json::from_str(last).expect("the error is JSON");
    Schema::of_answers().check("error", &object).unwrap_or_else(|error| panic!("{error}"));
    check_error(&object["error"]);
    assert_eq!(object["error"]["code"], ran.code, "{last}");
    object["error"].clone()
}

#[track_caller]
fn check_error(error: &Value) {
    let kinds = [(1, "missing"), (2, "usage"), (3, "corrupt"), (4, "io"), (130, "interrupted")];
    let kind = kinds.iter().find(|(code, _)| error["code"] == *code).expect("a known code").1;
    assert_eq!(error["kind"], kind, "{error}");
    let message = error["message"].as_str().expect("a message");
    assert!(
        !message.is_empty() && !message.contains('\n') && !message.contains("`anser "),
        "{error}"
    );
    assert!(
        error["hint"].is_null() || error["hint"].as_str().is_some_and(|hint| !hint.is_empty()),
        "{error}"
    );
}

#[test]
fn every_command_has_a_line() {
    let asked: BTreeSet<String> = ANSWERED
        .iter()
        .chain(&WITHOUT_JSON)
        .chain(SERVER)
        .filter_map(|line| Some(line.split(' ').next()?.to_owned()))
        .collect();
    assert_eq!(asked, commands());
}

#[test]
fn every_answer_has_the_schema_version_and_the_common_keys() {
    for &line in ANSWERED {
        let ran = ask(line);
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        let is_batch = line.contains("--batch");
        // A batch and an export have an object for each position.
        let objects = if is_batch { 3 } else { 1 + usize::from(line.starts_with("export")) };
        assert_eq!(ran.out.lines().count(), objects, "{line}: {}", ran.out);
        for object in ran.out.lines() {
            assert!(object.starts_with(r#"{"schema":1,"#), "{line}: {object}");
            assert_eq!(object.matches(r#""schema":"#).count(), 1, "{line}: {object}");
            let answer: Value = serde_json::from_str(object).expect("the answer is JSON");
            check(line, &answer, is_batch);
        }
    }
}

/// Reads an answer as its type and writes it again.
#[track_caller]
fn reread<A: DeserializeOwned + Serialize>(object: &str) -> String {
    let answer: Versioned<A> =
        serde_json::from_str(object).unwrap_or_else(|error| panic!("{error}: {object}"));
    serde_json::to_string(&answer).expect("an answer can be written")
}

/// Name of the definition in the schema for the answers to a line, and the function that reads such
/// an answer as its type and writes it again.
fn answer_of(line: &str, object: &Value) -> (&'static str, fn(&str) -> String) {
    let has = |option: &str| line.split(' ').any(|word| word == option);
    let sets = object.get("sets").is_some();
    match line.split(' ').next().expect("a command") {
        "probe" if has("--batch") && object.get("error").is_some() => {
            ("probe --batch", reread::<answers::BatchError>)
        }
        "probe" if has("--batch") => ("probe --batch", reread::<answers::BatchAnswer>),
        "probe" => ("probe", reread::<answers::ProbeAnswer>),
        "line" if has("--record") => ("line --record", reread::<answers::PlayedLineAnswer>),
        "line" => ("line", reread::<answers::LineAnswer>),
        "count" => ("count", reread::<answers::CountAnswer>),
        "census" => ("census", reread::<answers::CensusAnswer>),
        "opposite" => ("opposite", reread::<answers::OppositeAnswer>),
        "zugzwang" => ("zugzwang", reread::<answers::ZugzwangAnswer>),
        "hardest" => ("hardest", reread::<answers::HardestAnswer>),
        "foxbox" => ("foxbox", reread::<answers::FoxBoxAnswer>),
        "fuzz" if has("--moves") => ("fuzz --moves", reread::<answers::FuzzMovesAnswer>),
        "fuzz" => ("fuzz", reread::<answers::FuzzAnswer>),
        "policy" => ("policy", reread::<answers::PolicyAnswer>),
        "study" => ("study", reread_sets::<answers::StudyAnswer>(sets)),
        "play" if has("--games") => ("play --games", reread::<answers::MatchAnswer>),
        "play" => ("play", reread::<answers::RecordAnswer>),
        "learn" => ("learn", reread::<answers::LearnAnswer>),
        "grade" => ("grade", reread::<answers::GradeAnswer>),
        "stats" => ("stats", reread_sets::<answers::StatsAnswer>(sets)),
        "solve" if has("--dry-run") => {
            ("solve --dry-run", reread_sets::<answers::PlanAnswer>(sets))
        }
        "solve" => ("solve", reread::<answers::SolveAnswer>),
        "verify" => ("verify", reread_sets::<answers::VerifyAnswer>(sets)),
        "pack" => ("pack", reread_sets::<answers::PackAnswer>(sets)),
        "unpack" => ("unpack", reread_sets::<answers::PackAnswer>(sets)),
        "fetch" => ("fetch", reread::<answers::FetchAnswer>),
        "info" if has("TABLES") => ("info DIR", reread::<answers::DirectoryAnswer>),
        "info" => ("info FILE", reread::<answers::FileAnswer>),
        "reproduce" => ("reproduce", reread::<answers::ReproduceAnswer>),
        "export" => ("export", reread::<answers::ExportAnswer>),
        "games" => ("games", reread::<answers::GamesAnswer>),
        "rules" => ("rules", reread::<answers::RulesAnswer>),
        command => panic!("{command} has no type of answer"),
    }
}

/// As [`reread`], for an answer about several sets of tables if `sets`, else about one.
fn reread_sets<A: DeserializeOwned + Serialize>(sets: bool) -> fn(&str) -> String {
    if sets { reread::<answers::SetsAnswer<answers::SetAnswer<A>>> } else { reread::<A> }
}

#[test]
fn every_answer_matches_its_schema_and_is_read_back_as_its_type_without_loss() {
    let schema = Schema::of_answers();
    for &line in ANSWERED {
        for text in ask(line).out.lines() {
            let object: Value = serde_json::from_str(text).expect("the answer is JSON");
            let (definition, reread) = answer_of(line, &object);
            schema.check(definition, &object).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(reread(text), text, "{line}");
        }
    }
    let ran = ask("probe 3/3/7/3F3/gggggg/ggg/ggg_f");
    let error = ran.err.lines().last().expect("an error");
    assert_eq!(reread::<answers::ErrorAnswer>(error), error);
}

/// Old names of keys.
const RENAMED: [&str; 5] = ["from", "wins", "winner", "engines", "finished"];

/// Checks the types of the keys that answers have in common.
#[track_caller]
fn check(line: &str, value: &Value, is_batch: bool) {
    let Some(object) = value.as_object() else {
        value.as_array().into_iter().flatten().for_each(|element| check(line, element, is_batch));
        return;
    };
    let all = |list: &Value, has: &[&str]| {
        list.as_array()
            .is_some_and(|list| list.iter().all(|one| has.iter().all(|key| one.get(key).is_some())))
    };
    for (key, value) in object {
        assert!(!RENAMED.contains(&key.as_str()), "{line}: {key:?} in {object:?}");
        let is_right = match key.as_str() {
            "schema" => value == 1,
            "game" | "rules" | "directory" | "metric" | "kind" | "weights" => value.is_string(),
            "outcome" | "position" => value.is_string() || value.is_null(),
            // An object in counts by side to move; null for zugzwangs of either side.
            "to_move" => value.is_string() || value.is_object() || value.is_null(),
            // An object in the statistics of a layer.
            "dtw" => value.is_u64() || value.is_null() || object.contains_key("layer"),
            "layer" | "positions" | "classes" | "plies" | "code" => {
                value.is_u64() || value.is_null()
            }
            "seconds" => value.is_f64(),
            "layers" => value.is_null() || all(value, &["layer"]),
            "moves" => all(value, &["move", "outcome", "dtw"]),
            "examples" => all(value, &["position", "to_move", "outcome", "dtw"]),
            "line" if is_batch => value.is_u64(),
            "line" => all(value, &["ply", "side", "move", "position", "outcome", "dtw"]),
            "tables" => {
                all(value, &["layer", "metric", "path", "bytes"])
                    || all(value, &["layer", "metric", "path", "kind"])
            }
            // Some sets also have a metric.
            "sets" => all(value, &["game", "rules"]),
            "rule_sets" => value.is_array(),
            "games" => value.is_string() || all(value, &["game", "rule_sets", "openings"]),
            "error" => {
                check_error(value);
                true
            }
            _ => true,
        };
        assert!(is_right, "{line}: {key:?} in {object:?}");
        check(line, value, is_batch);
    }
}

#[test]
fn a_finished_game_has_distance_zero_in_every_answer() {
    let dtw = |line: &str| ask(line).json()["dtw"].clone();
    for line in [
        "probe gFg/1g1/3g3/7/7/3/3_f --tables TABLES",
        "line fox-hounds:4 1F/hh/2/2_f",
        "foxbox fox-hounds:4 1F/hh/2/2_f",
        "policy fox-hounds:4 1F/hh/2/2_f",
        "probe fox-hounds:4 1F/hh/2/2_f",
        "play fox-hounds:4 1F/hh/2/2_f --as none",
    ] {
        assert_eq!(dtw(line), 0, "{line}");
    }
    let batch = ask("probe --batch POSITIONS --tables TABLES");
    let last: Value =
        serde_json::from_str(batch.out.lines().last().expect("a line")).expect("JSON");
    assert_eq!((&last["outcome"], &last["dtw"]), (&"geese".into(), &0.into()));
    // A move that ends the game needs no table.
    let moves = ask("probe CAPTURE --rules first-capture --tables TABLES").json()["moves"].clone();
    assert_eq!((&moves[0]["outcome"], &moves[0]["dtw"]), (&"fox".into(), &0.into()));
}

#[test]
fn every_error_is_an_object() {
    for &line in ANSWERED {
        let command = line.split(' ').next().expect("a command");
        // Errors of the parser, then errors of the commands.
        let error = error_of(&ask(&format!("{line} --no-such-option")));
        assert_eq!((&error["code"], &error["kind"]), (&2.into(), &"usage".into()));
        assert!(
            error["message"].as_str().expect("a message").contains("--no-such-option"),
            "{error}"
        );
        assert!(error["hint"].is_string(), "{error}");
        let fails = match command {
            "reproduce" => "reproduce noughts",
            "info" => "info /no/such/place",
            "rules" => "rules chess",
            "pack" | "unpack" => &format!("{command} chess --out OUT"),
            _ => &format!("{command} chess"),
        };
        let ran = ask(fails);
        assert_eq!(ran.out, "", "{fails}");
        error_of(&ran);
    }
}

#[test]
fn an_error_names_what_helps() {
    let hint = |line: &str| {
        let error = error_of(&ask(line));
        (
            error["code"].as_u64().expect("a code"),
            error["hint"].as_str().unwrap_or("nothing").to_owned(),
        )
    };
    let solve = "anser solve fox-geese --rules free --layers 1-13 --tables";
    let (code, command) = hint("probe --opening 13 --tables TABLES");
    assert!(code == 1 && command.starts_with(solve), "{command}");
    assert_eq!(hint("probe chess"), (2, "anser games".to_owned()));
    assert_eq!(hint("probe --opening 14"), (2, "anser games fox-geese".to_owned()));
    assert_eq!(hint("frobnicate"), (2, "anser --help".to_owned()));
    assert_eq!(hint("solve --layers x").1, "anser solve --help");
    let error = error_of(&ask("probe 3/3/7/3F3/gggggg/ggg/ggg_f"));
    assert_eq!((&error["code"], &error["column"]), (&2.into(), &17.into()), "{error}");
    assert!(
        error["hint"].as_str().expect("a hint").contains("3/3/7/3F3/ggggggg/ggg/ggg f"),
        "{error}"
    );
    // Without --json errors are text.
    let ran = Ran::new(&anser(["probe", "chess"]).output().expect("anser runs"));
    ran.fails_in_a_line(2, &["anser: error: no game is called \"chess\""]);
    // Arguments after -- are not options.
    let ran = Ran::new(&anser(["probe", "--", "chess", "--json"]).output().expect("anser runs"));
    ran.fails(2, &["anser: error: "]);
}

#[test]
fn an_answer_may_come_before_its_error() {
    let dir = copies(&[3, 4]);
    crate::support::edit(&dir.path().join(table("free", 4)), |bytes| {
        *bytes.last_mut().expect("bytes") ^= 1;
    });
    let output = anser(["verify", "--rules", "free", "--json", "--tables"])
        .arg(dir.path())
        .output()
        .expect("anser runs");
    let ran = Ran::new(&output);
    assert_eq!(ran.code, 3, "{}", ran.err);
    let answer: Value = serde_json::from_str(&ran.out).expect("an answer");
    assert_eq!((&answer["schema"], &answer["sound"]), (&1.into(), &false.into()));
    assert!(!keys(&answer).contains(&"error"));
    assert_eq!(error_of(&ran)["kind"], "corrupt");
    assert!(std::path::Path::new(binary()).exists());
}
