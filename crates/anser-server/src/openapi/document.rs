//! `openapi.json` from the types of the answers.

use anser_games::answers::{BatchAnswer, BatchError, LineAnswer, Versioned};
use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value as Json, json};

use crate::answers::{
    BatchReply, BatchRequest, ChosenMove, Health, ProblemAnswer, ServedCensus, ServedGames,
    ServedHardest, ServedProbe, ServedStats, SolvingLayers,
};

/// A parameter of a query.
struct Parameter {
    name: &'static str,
    required: bool,
    kind: &'static str,
    about: &'static str,
}

const fn required(name: &'static str, about: &'static str) -> Parameter {
    Parameter { name, required: true, kind: "string", about }
}

const fn optional(name: &'static str, kind: &'static str, about: &'static str) -> Parameter {
    Parameter { name, required: false, kind, about }
}

const GAME_EXAMPLE: (&str, &str) = ("game", "hexapawn:3x3");
const POSITION_EXAMPLE: (&str, &str) = ("position", "ppp/3/PPP_w");

const GAME: Parameter =
    required("game", "The game, with its size if it has sizes: fox-geese, fox-hounds:8");
const RULES: Parameter =
    optional("rules", "string", "The rule set; the game's default if left out");
const POSITION: Parameter =
    required("position", "The position in the notation of the game; _ may stand for the space");

/// The schema of a type.
type Form = fn(&mut SchemaGenerator) -> Json;

/// The schema of a type, with the version of the vocabulary.
fn versioned<A: JsonSchema>(generator: &mut SchemaGenerator) -> Json {
    generator.subschema_for::<Versioned<A>>().to_value()
}

/// An endpoint that answers GET in JSON.
struct Endpoint {
    path: &'static str,
    about: &'static str,
    parameters: &'static [Parameter],
    /// A query that is answered.
    example: &'static [(&'static str, &'static str)],
    answer: Form,
}

const ENDPOINTS: &[Endpoint] = &[
    Endpoint {
        path: "/api/v1/games",
        about: "The games, their boards and rule sets, and the layers served",
        parameters: &[optional("game", "string", "A game of any size; all games if left out")],
        example: &[("game", "hexapawn:4x4")],
        answer: versioned::<ServedGames>,
    },
    Endpoint {
        path: "/api/v1/probe",
        about: "The value of a position, and of its moves, best first. Values of layers that are not \
            served are null, with the reason, and with the state of their solving",
        parameters: &[GAME, RULES, POSITION],
        example: &[GAME_EXAMPLE, POSITION_EXAMPLE],
        answer: versioned::<ServedProbe>,
    },
    Endpoint {
        path: "/api/v1/line",
        about: "Best play from a position to the end; needs distances",
        parameters: &[GAME, RULES, POSITION],
        example: &[GAME_EXAMPLE, POSITION_EXAMPLE],
        answer: versioned::<LineAnswer>,
    },
    Endpoint {
        path: "/api/v1/move",
        about: "The move that the computer plays: a best one by the values, after a search among \
            equals. It avoids earlier positions of the game",
        parameters: &[
            GAME,
            RULES,
            POSITION,
            optional(
                "moves",
                "string",
                "The moves from the position so far, separated by commas: d4-d5,c3-c4",
            ),
            optional(
                "style",
                "string",
                "A level, which errs as people do: beginner, casual, skilled, expert; or quick, \
                 which does not err unless fuzz says so",
            ),
            optional(
                "fuzz",
                "number",
                "Fuzz factor, 0 to 1: the weight of other moves, relative to a best one",
            ),
            optional("seed", "integer", "The same seed chooses the same of equal moves"),
        ],
        example: &[GAME_EXAMPLE, POSITION_EXAMPLE, ("moves", "b1-b2,a3xb2")],
        answer: versioned::<ChosenMove>,
    },
    Endpoint {
        path: "/api/v1/stats",
        about: "Counts of positions by layer and outcome, from the headers of tables; of \
            Fox-and-Geese also from kept results of full runs; kept has their layers",
        parameters: &[GAME, RULES],
        example: &[("game", "fox-geese"), ("rules", "free")],
        answer: versioned::<ServedStats>,
    },
    Endpoint {
        path: "/api/v1/census",
        about: "Counts of the positions of a small game by outcome and plies to the win; of \
            Fox-and-Geese the kept results of full runs, by layer",
        parameters: &[GAME, RULES],
        example: &[GAME_EXAMPLE],
        answer: versioned::<ServedCensus>,
    },
    Endpoint {
        path: "/api/v1/hardest",
        about: "The longest wins of a small game, with their lines; of Fox-and-Geese the kept \
            results of full runs, by layer and without lines",
        parameters: &[
            GAME,
            RULES,
            optional(
                "all",
                "boolean",
                "All positions instead of the reachable ones; kept results are always of all positions",
            ),
        ],
        example: &[GAME_EXAMPLE, ("all", "true")],
        answer: versioned::<ServedHardest>,
    },
    Endpoint {
        path: "/api/v1/random",
        about: "A position drawn at random: a puzzle",
        parameters: &[
            GAME,
            RULES,
            optional("layer", "integer", "A layer; one of those served if left out"),
            optional("outcome", "string", "The side that wins, or draw"),
            optional("to_move", "string", "The side to move"),
            optional("min_plies", "integer", "The least distance"),
            optional("max_plies", "integer", "The greatest distance"),
            optional("only_move", "boolean", "Exactly one move keeps the win or the draw"),
            optional(
                "quiet",
                "boolean",
                "No best move captures or ends the game, unless a worse one does, too",
            ),
            optional(
                "longest",
                "boolean",
                "A longest win of its layer of Fox-and-Geese, or of a small game; needs distances",
            ),
            optional("seed", "integer", "The same seed draws the same position"),
        ],
        example: &[GAME_EXAMPLE, ("to_move", "white"), ("only_move", "true"), ("seed", "1")],
        answer: versioned::<ServedProbe>,
    },
    Endpoint {
        path: "/api/v1/solving",
        about: "The layers that the server solves: the one being solved, and those that wait. A \
            look-up of a position with unknown values requests their layers, outcomes first",
        parameters: &[optional("game", "string", "A game of any size; all games if left out")],
        example: &[("game", "fox-geese")],
        answer: versioned::<SolvingLayers>,
    },
    Endpoint {
        path: "/healthz",
        about: "Whether the server runs",
        parameters: &[],
        example: &[],
        answer: versioned::<Health>,
    },
];

fn content(schema: &Json) -> Json {
    json!({ "application/json": { "schema": schema } })
}

/// The answers that any endpoint may give instead.
fn problems(schema: &Json) -> Vec<(&'static str, Json)> {
    let problem = |about: &str| {
        json!({ "description": about, "content": {
        "application/problem+json": { "schema": schema } } })
    };
    vec![
        ("400", problem("The request or the position is malformed")),
        ("404", problem("There is no answer, or no such path")),
        ("414", problem("The query is too long")),
        ("500", problem("A table is damaged or cannot be read")),
        (
            "429",
            problem("The share of the client is exhausted; Retry-After has the seconds to wait"),
        ),
        (
            "503",
            problem(
                "The server has no room for another request, or the answer takes longer; Retry-After \
                 has the seconds to wait",
            ),
        ),
    ]
}

/// Returns the description of all endpoints, which is kept in `openapi.json`.
pub fn openapi() -> Json {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.definitions_path = "/components/schemas".into();
    let mut generator = settings.into_generator();
    let problem = versioned::<ProblemAnswer>(&mut generator);
    let mut paths = Map::new();
    for Endpoint { path, about, parameters, example, answer } in ENDPOINTS {
        let parameters: Vec<Json> = parameters
            .iter()
            .map(|Parameter { name, required, kind, about }| {
                let schema = match *kind {
                    "integer" => json!({ "type": kind, "minimum": 0 }),
                    kind => json!({ "type": kind }),
                };
                let mut parameter = json!({ "name": name, "in": "query", "required": required,
                                            "description": about, "schema": schema });
                if let Some((_, value)) = example.iter().find(|(of, _)| of == name) {
                    // Numbers and truth values are written as such.
                    let text = || Json::from(*value);
                    parameter["example"] = match *kind {
                        "string" => text(),
                        _ => serde_json::from_str(value).unwrap_or_else(|_| text()),
                    };
                }
                parameter
            })
            .collect();
        let mut responses = Map::new();
        let schema = answer(&mut generator);
        responses.insert(
            "200".into(),
            json!({ "description": "The answer", "content": content(&schema) }),
        );
        responses
            .extend(problems(&problem).into_iter().map(|(status, it)| (status.to_owned(), it)));
        let get = json!({ "summary": about, "parameters": parameters, "responses": responses });
        paths.insert((*path).to_owned(), json!({ "get": get }));
    }
    paths["/api/v1/probe"]["post"] = batch(&mut generator, &problem);
    for (path, kind, about) in [
        ("/openapi.json", "application/json", "This document"),
        ("/metrics", "text/plain", "Counters, in the text format of Prometheus"),
    ] {
        let answer = json!({ "200": { "description": "The answer", "content": { kind: {} } } });
        paths.insert(path.into(), json!({ "get": { "summary": about, "responses": answer } }));
    }
    let schemas: Map<String, Json> = generator.take_definitions(true).into_iter().collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Anser",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The values of positions of solved games. Answers are the JSON of the \
             command line; keys may be added within a version.",
            "license": { "name": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": { "schemas": schemas },
    })
}

/// `POST /api/v1/probe`.
fn batch(generator: &mut SchemaGenerator, problem: &Json) -> Json {
    let asked = generator.subschema_for::<BatchRequest>().to_value();
    let answer = versioned::<BatchReply>(generator);
    let line = json!({ "anyOf": [versioned::<BatchAnswer>(generator),
        versioned::<BatchError>(generator)] });
    let mut responses = Map::new();
    responses.insert(
        "200".into(),
        json!({
            "description": "One answer per position, in their order. A connection that ends without \
             the last chunk was cut off.",
            "content": {
                "application/json": { "schema": answer },
                "application/x-ndjson": { "schema": line },
            },
        }),
    );
    responses.extend(problems(problem).into_iter().map(|(status, it)| (status.to_owned(), it)));
    for (status, about) in [
        ("408", "The body did not arrive in time"),
        ("413", "The body is too long, or has too many positions"),
        ("415", "The body has another type"),
    ] {
        let content = json!({ "application/problem+json": { "schema": problem } });
        responses.insert(status.into(), json!({ "description": about, "content": content }));
    }
    let string_or_object = json!({ "description": "A line for each position: a JSON string, or an \
        object with it", "anyOf": [
        { "type": "string" },
        { "type": "object", "required": ["position"], "properties": { "position": {
            "type": "string" } } },
    ] });
    json!({
        "summary": "The values of many positions, as one object, or as lines of JSON that are \
         answered while others arrive",
        "parameters": [
            { "name": "game", "in": "query", "required": false, "schema": { "type": "string" },
                "example": GAME_EXAMPLE.1,
              "description": "The game; for application/x-ndjson alone, where it is required" },
            { "name": "rules", "in": "query", "required": false, "schema": { "type": "string" },
              "description": "The rule set; for application/x-ndjson alone" },
            { "name": "moves", "in": "query", "required": false, "schema": { "type": "boolean" },
                "example": true,
              "description": "Whether to answer with the moves of each position; for \
               application/x-ndjson alone" },
        ],
        "requestBody": { "required": true, "content": {
            "application/json": {
                "schema": { "description": "An object with the game and all positions",
                    "allOf": [asked] },
                "example": { "game": GAME_EXAMPLE.1, "positions": ["ppp/3/PPP w", "pp1/2p/PPP w"],
                    "moves": true },
            },
            "application/x-ndjson": {
                "schema": string_or_object,
                "example": "\"ppp/3/PPP w\"\n{\"position\":\"pp1/2p/PPP w\"}\n",
            },
        } },
        "responses": responses,
    })
}
