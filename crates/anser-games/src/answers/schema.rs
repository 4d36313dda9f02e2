//! The JSON Schema of all answers.

use std::borrow::Cow;

use anser_table::{Kind, Metric};
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema, json_schema};
use serde_json::{Map, Value as Json, json};

use super::{
    BatchAnswer, BatchError, CensusAnswer, CountAnswer, DirectoryAnswer, ErrorAnswer, ExportAnswer,
    FetchAnswer, FileAnswer, FoxBoxAnswer, FuzzAnswer, FuzzMovesAnswer, GamesAnswer, GradeAnswer,
    HardestAnswer, LearnAnswer, LineAnswer, Map as Object, MatchAnswer, OppositeAnswer, PackAnswer,
    PlanAnswer, PlayedLineAnswer, PolicyAnswer, ProbeAnswer, RecordAnswer, ReproduceAnswer,
    RulesAnswer, SetAnswer, SetsAnswer, SiteAnswer, SolveAnswer, StatsAnswer, StudyAnswer,
    VerifyAnswer, Version, Versioned, ZugzwangAnswer,
};

/// The schema of a metric.
pub(super) fn metric(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": Metric::ALL.map(Metric::id) })
}

/// The schema of a kind of table.
pub(super) fn kind(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": Kind::ALL.map(Kind::id) })
}

impl JsonSchema for Version {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Version".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "const": Version::NUMBER })
    }
}

impl<V: JsonSchema> JsonSchema for Object<V> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Map_of_{}", V::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "additionalProperties": generator.subschema_for::<V>() })
    }
}

/// The schema of an answer with its version, described as the answer is.
fn object<A: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let description = A::json_schema(generator).get("description").cloned();
    let mut schema = Versioned::<A>::json_schema(generator);
    if let Some(description) = description {
        schema.insert("description".into(), description);
    }
    schema
}

/// The schema of the answers of a command, by kind of answer.
type Form = fn(&mut SchemaGenerator) -> Schema;

/// The answer about one set of tables, and about several.
const fn sets<A: JsonSchema>() -> [Form; 2] {
    [object::<A>, object::<SetsAnswer<SetAnswer<A>>>]
}

/// The answers by command.
const COMMANDS: &[(&str, &[Form])] = &[
    ("probe", &[object::<ProbeAnswer>]),
    ("probe --batch", &[object::<BatchAnswer>, object::<BatchError>]),
    ("line", &[object::<LineAnswer>]),
    ("line --record", &[object::<PlayedLineAnswer>]),
    ("count", &[object::<CountAnswer>]),
    ("census", &[object::<CensusAnswer>]),
    ("opposite", &[object::<OppositeAnswer>]),
    ("zugzwang", &[object::<ZugzwangAnswer>]),
    ("hardest", &[object::<HardestAnswer>]),
    ("foxbox", &[object::<FoxBoxAnswer>]),
    ("fuzz", &[object::<FuzzAnswer>]),
    ("fuzz --moves", &[object::<FuzzMovesAnswer>]),
    ("policy", &[object::<PolicyAnswer>]),
    ("study", &sets::<StudyAnswer>()),
    ("play", &[object::<RecordAnswer>]),
    ("play --games", &[object::<MatchAnswer>]),
    ("stats", &sets::<StatsAnswer>()),
    ("solve", &[object::<SolveAnswer>]),
    ("solve --dry-run", &[object::<PlanAnswer>, object::<SetsAnswer<PlanAnswer>>]),
    ("verify", &sets::<VerifyAnswer>()),
    ("pack", &sets::<PackAnswer>()),
    ("unpack", &sets::<PackAnswer>()),
    ("site", &[object::<SiteAnswer>]),
    ("fetch", &[object::<FetchAnswer>]),
    ("info FILE", &[object::<FileAnswer>]),
    ("info DIR", &[object::<DirectoryAnswer>]),
    ("reproduce", &[object::<ReproduceAnswer>]),
    ("learn", &[object::<LearnAnswer>]),
    ("grade", &[object::<GradeAnswer>]),
    ("export", &[object::<ExportAnswer>]),
    ("games", &[object::<GamesAnswer>]),
    ("rules", &[object::<RulesAnswer>]),
    ("error", &[object::<ErrorAnswer>]),
];

/// Returns the JSON Schema of all answers.
///
/// `$defs` has one definition per command, named as on the command line (`probe`, `probe --batch`,
/// `info FILE`), `error` for errors, and one per type that answers share. An object that a program
/// writes matches the definition of its command. Keys may be added within a version, so the schema
/// allows other keys.
///
/// ```
/// let schema = anser_games::answers::schema();
/// assert_eq!(schema["$defs"]["probe"]["properties"]["schema"]["const"], 1);
/// assert!(schema["$defs"]["Ply"]["properties"]["move"].is_object());
/// ```
pub fn schema() -> Json {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut commands = Map::new();
    for (command, forms) in COMMANDS {
        let mut forms: Vec<Json> =
            forms.iter().map(|form| form(&mut generator).to_value()).collect();
        let only = if forms.len() == 1 { forms.pop() } else { None };
        commands.insert((*command).to_owned(), only.unwrap_or_else(|| json!({ "anyOf": forms })));
    }
    let any: Vec<Json> =
        COMMANDS.iter().map(|(command, _)| json!({ "$ref": reference(command) })).collect();
    let mut definitions: Map<String, Json> = generator.take_definitions(true).into_iter().collect();
    definitions.append(&mut commands);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("JSON answers of Anser, schema {}", Version::NUMBER),
        "description": "One object that a command writes with --json. Definitions in lower case \
                        are the answers of commands.",
        "anyOf": any,
        "$defs": definitions,
    })
}

/// The reference to the definition of a command.
fn reference(command: &str) -> String {
    format!("#/$defs/{}", command.replace(' ', "%20"))
}
