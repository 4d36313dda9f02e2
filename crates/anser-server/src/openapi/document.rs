//! `openapi.json` from the types of the answers.

use anser_games::answers::{BatchAnswer, BatchError, LineAnswer, Versioned};
use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value as Json, json};

use crate::answers::{
    BatchReply, BatchRequest, ChosenMove, Health, ProblemAnswer, ServedCensus, ServedGames,
    ServedHardest, ServedProbe, ServedStats, SolvingLayers,
};
use crate::api::{GamesQuery, HardestQuery, MoveQuery, ProbeQuery, RandomQuery, SetQuery};
use crate::batch::StreamQuery;

const GAME_EXAMPLE: (&str, &str) = ("game", "hexapawn:3x3");
const POSITION_EXAMPLE: (&str, &str) = ("position", "ppp/3/PPP_w");

/// The schema of a type.
type Form = fn(&mut SchemaGenerator) -> Json;

/// The schema of a query.
fn query<Q: JsonSchema>(generator: &mut SchemaGenerator) -> Json {
    Q::json_schema(generator).to_value()
}

/// The schema of a type, with the version of the vocabulary.
fn versioned<A: JsonSchema>(generator: &mut SchemaGenerator) -> Json {
    generator.subschema_for::<Versioned<A>>().to_value()
}

/// An endpoint that answers GET in JSON.
struct Endpoint {
    path: &'static str,
    about: &'static str,
    /// The schema of its query.
    query: Form,
    /// A query that is answered.
    example: &'static [(&'static str, &'static str)],
    answer: Form,
}

const ENDPOINTS: &[Endpoint] = &[
    Endpoint {
        path: "/api/v1/games",
        about: "The games, their boards and rule sets, and the layers served",
        query: query::<GamesQuery>,
        example: &[("game", "hexapawn:4x4")],
        answer: versioned::<ServedGames>,
    },
    Endpoint {
        path: "/api/v1/probe",
        about: "The value of a position, and of its moves, best first. Values of layers that are not \
            served are null, with the reason, and with the state of their solving",
        query: query::<ProbeQuery>,
        example: &[GAME_EXAMPLE, POSITION_EXAMPLE],
        answer: versioned::<ServedProbe>,
    },
    Endpoint {
        path: "/api/v1/line",
        about: "Best play from a position to the end; needs distances",
        query: query::<ProbeQuery>,
        example: &[GAME_EXAMPLE, POSITION_EXAMPLE],
        answer: versioned::<LineAnswer>,
    },
    Endpoint {
        path: "/api/v1/move",
        about: "The move that the computer plays: a best one by the values, after a search among \
            equals. It avoids earlier positions of the game",
        query: query::<MoveQuery>,
        example: &[GAME_EXAMPLE, POSITION_EXAMPLE, ("moves", "b1-b2,a3xb2")],
        answer: versioned::<ChosenMove>,
    },
    Endpoint {
        path: "/api/v1/stats",
        about: "Counts of positions by layer and outcome, from the headers of tables; of \
            Fox-and-Geese and Bagh-Chal also from kept results of full runs; kept has their \
            layers. Of a game of which nothing is known, requests a layer; the answer is 503 until \
            it is solved",
        query: query::<SetQuery>,
        example: &[("game", "fox-geese"), ("rules", "free")],
        answer: versioned::<ServedStats>,
    },
    Endpoint {
        path: "/api/v1/census",
        about: "Counts of the positions of a game by outcome and plies to the win: of one that is \
            solved in memory in about ten seconds; by layer from raw tables of distances of all layers, \
            or of Fox-and-Geese and Bagh-Chal from kept results of full runs",
        query: query::<SetQuery>,
        example: &[GAME_EXAMPLE],
        answer: versioned::<ServedCensus>,
    },
    Endpoint {
        path: "/api/v1/hardest",
        about: "The longest wins of a game that is solved in memory in about ten seconds; by layer \
            from raw tables of distances of all layers, or without lines of Fox-and-Geese and Bagh-Chal \
            from kept results of full runs",
        query: query::<HardestQuery>,
        example: &[GAME_EXAMPLE, ("all", "true")],
        answer: versioned::<ServedHardest>,
    },
    Endpoint {
        path: "/api/v1/random",
        about: "A position drawn at random: a puzzle. Of a game of which nothing is known, \
            requests a layer; the answer is 503 until it is solved",
        query: query::<RandomQuery>,
        example: &[GAME_EXAMPLE, ("to_move", "white"), ("only_move", "true"), ("seed", "1")],
        answer: versioned::<ServedProbe>,
    },
    Endpoint {
        path: "/api/v1/solving",
        about: "The layers that the server solves: the one being solved, and those that wait. \
            Look-ups and moves of the computer request the layers of unknown values, outcomes \
            first",
        query: query::<GamesQuery>,
        example: &[("game", "fox-geese")],
        answer: versioned::<SolvingLayers>,
    },
    Endpoint {
        path: "/healthz",
        about: "Whether the server runs",
        query: query::<()>,
        example: &[],
        answer: versioned::<Health>,
    },
];

/// The parameters of a query with this schema, in the order of its fields.
fn parameters(query: &Json, example: &[(&str, &str)]) -> Vec<Json> {
    // Where a type is written, its fields are all required, in their order.
    let names = query["required"].as_array().map_or(&[][..], Vec::as_slice);
    let parameter = |name: &Json| {
        let field = &query["properties"][name.as_str().unwrap_or_default()];
        let about = field["description"].as_str().unwrap_or_default().replace('\n', " ");
        let may_be_null = field["type"].is_array();
        let kind = if may_be_null { &field["type"][0] } else { &field["type"] };
        let schema = match kind.as_str() {
            Some("integer") => json!({ "type": kind, "minimum": 0 }),
            _ => json!({ "type": kind }),
        };
        let mut parameter = json!({
            "name": name,
            "in": "query",
            "required": !may_be_null && field["default"].is_null(),
            "description": about.trim_end_matches('.'),
            "schema": schema,
        });
        if let Some((_, value)) = example.iter().find(|(of, _)| name == of) {
            // Numbers and truth values are written as such.
            let text = || Json::from(*value);
            parameter["example"] = match kind.as_str() {
                Some("string") => text(),
                _ => serde_json::from_str(value).unwrap_or_else(|_| text()),
            };
        }
        parameter
    };
    names.iter().map(parameter).collect()
}

fn content(schema: &Json) -> Json {
    json!({ "application/json": { "schema": schema } })
}

/// The responses of an endpoint: a good answer, and the problems that any endpoint may have
/// instead.
fn responses(good: Json, problem: &Json) -> Map<String, Json> {
    let about = [
        ("400", "The request or the position is malformed"),
        ("404", "There is no answer, or no such path"),
        ("414", "The query is too long"),
        ("500", "A table is damaged or cannot be read"),
        ("429", "The share of the client is exhausted; Retry-After has the seconds to wait"),
        (
            "503",
            "The server has no room for another request, or the answer takes longer; Retry-After \
             has the seconds to wait",
        ),
    ];
    let mut responses = Map::from_iter([("200".to_owned(), good)]);
    add_problems(&mut responses, &about, problem);
    responses
}

/// Adds problems to the responses of an endpoint: each has a status and a description.
fn add_problems(responses: &mut Map<String, Json>, about: &[(&str, &str)], problem: &Json) {
    for (status, about) in about {
        let content = json!({ "application/problem+json": { "schema": problem } });
        let response = json!({ "description": about, "content": content });
        responses.insert((*status).to_owned(), response);
    }
}

/// Returns the description of all endpoints, which is kept in `openapi.json`.
pub fn openapi() -> Json {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.definitions_path = "/components/schemas".into();
    let mut generator = settings.into_generator();
    let problem = versioned::<ProblemAnswer>(&mut generator);
    let mut paths = Map::new();
    for Endpoint { path, about, query, example, answer } in ENDPOINTS {
        let parameters = parameters(&query(&mut generator), example);
        let content = content(&answer(&mut generator));
        let good = json!({ "description": "The answer", "content": content });
        let responses = responses(good, &problem);
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
    let good = json!({
        "description": "One answer per position, in their order. A connection that ends without \
         the last chunk was cut off.",
        "content": {
            "application/json": { "schema": answer },
            "application/x-ndjson": { "schema": line },
        },
    });
    let mut responses = responses(good, problem);
    let about = [
        ("408", "The body did not arrive in time"),
        ("413", "The body is too long, or has too many positions"),
        ("415", "The body has another type"),
    ];
    add_problems(&mut responses, &about, problem);
    // One object has all of the batch, and then the query must be empty.
    let stream = query::<StreamQuery>(generator);
    let mut parameters = parameters(&stream, &[GAME_EXAMPLE, ("moves", "true")]);
    for parameter in &mut parameters {
        parameter["required"] = false.into();
    }
    let string_or_object = json!({ "description": "A line for each position, of at most 2,000 \
        bytes: a JSON string, or an object with it", "anyOf": [
        { "type": "string" },
        { "type": "object", "required": ["position"], "properties": { "position": {
            "type": "string" } } },
    ] });
    json!({
        "summary": "The values of many positions, as one object, or as lines of JSON that are \
         answered while others arrive",
        "parameters": parameters,
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
