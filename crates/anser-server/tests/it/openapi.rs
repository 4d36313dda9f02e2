//! The OpenAPI document describes the answers. `ANSER_SCHEMA=update` writes it.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::schema::Schema;
use crate::support::{Reply, shared};

pub(crate) fn document() -> Value {
    shared().get("/openapi.json").json()
}

/// Checks an answer against the schema of its endpoint, status, and type.
pub(crate) fn check(document: &Value, path: &str, method: &str, reply: &Reply) {
    let kind = reply.header("content-type").expect("answers have a type");
    let response = &document["paths"][path][method]["responses"][reply.status.to_string()];
    let schema = response["content"][kind]["schema"].as_object();
    let schema =
        schema.unwrap_or_else(|| panic!("{method} {path} {} {kind} is described", reply.status));
    let answers = if kind == "application/x-ndjson" { reply.lines() } else { vec![reply.json()] };
    for answer in answers {
        if let Err(problem) = Schema(document.clone()).matches(schema, &answer, "") {
            panic!("{method} {path}: {problem}");
        }
    }
}

#[test]
fn the_document_is_that_of_the_types_of_the_answers() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi.json");
    let document = anser_server::openapi();
    if std::env::var("ANSER_SCHEMA").is_ok_and(|wish| wish == "update") {
        let text = serde_json::to_string_pretty(&document).expect("a document is JSON") + "\n";
        fs::write(&path, text).expect("the document can be written");
    }
    let kept = fs::read_to_string(&path).expect("the document can be read");
    assert!(
        serde_json::from_str::<Value>(&kept).is_ok_and(|kept| kept == document),
        "openapi.json is not the document of the types; `ANSER_SCHEMA=update cargo test -p \
         anser-server openapi` twice writes it"
    );
}

#[test]
fn every_answer_matches_its_schema() {
    let document = document();
    for (target, is_good) in [
        ("/api/v1/games", true),
        ("/api/v1/games?game=hexapawn:4x4", true),
        ("/api/v1/probe?game=fox-geese&position=3/3/7/3F3/ggggggg/ggg/ggg_f", true),
        ("/api/v1/probe?game=hare-hounds&position=h2/h3R/h2_h", true),
        ("/api/v1/line?game=fox-hounds:4&position=1F/2/2/hh_f", true),
        ("/api/v1/stats?game=fox-geese&rules=forward", true),
        ("/api/v1/census?game=hexapawn", true),
        ("/api/v1/census?game=fox-geese", true),
        ("/api/v1/hardest?game=fox-geese", true),
        ("/api/v1/hardest?game=hexapawn", true),
        ("/api/v1/random?game=fox-geese&layer=6", true),
        ("/healthz", true),
        ("/api/v1/games?game=x", false),
        ("/api/v1/probe?game=hexapawn&position=x", false),
        ("/api/v1/line?game=fox-geese&position=3/3/7/3F3/ggggggg/ggg/ggg_f", false),
        ("/api/v1/stats?game=hexapawn", false),
        ("/api/v1/census?game=fox-geese&rules=free%2Bchain", false),
        ("/api/v1/hardest?game=x", false),
        ("/api/v1/random?game=fox-geese&layer=99", false),
    ] {
        let reply = shared().get(target);
        assert_eq!(reply.status == 200, is_good, "{target}");
        check(&document, target.split('?').next().expect("a path"), "get", &reply);
    }
    let post = |target: &str, kind: &str, body: &[u8]| {
        let reply = shared().send("POST", target, &format!("content-type: {kind}\r\n"), body);
        check(&document, "/api/v1/probe", "post", &reply);
    };
    let batch = br#"{"game":"hexapawn","positions":["ppp/3/PPP w","x"],"moves":true}"#;
    post("/api/v1/probe", "application/json", batch);
    post("/api/v1/probe?game=hexapawn", "application/x-ndjson", b"\"ppp/3/PPP w\"\nx\n");
    post("/api/v1/probe", "text/plain", b"x");
}

/// The query of the examples of an operation.
fn query(operation: &Value) -> String {
    let parameters = operation["parameters"].as_array().map_or(&[][..], Vec::as_slice);
    let pairs = parameters.iter().filter(|parameter| !parameter["example"].is_null());
    let pairs = pairs.map(|parameter| {
        let value = &parameter["example"];
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!("{}={value}", parameter["name"].as_str().expect("a name"))
    });
    pairs.collect::<Vec<_>>().join("&")
}

#[test]
fn every_example_is_answered() {
    let document = document();
    let page = shared().get("/api");
    let mut bodies = 0;
    for (path, methods) in document["paths"].as_object().expect("an object") {
        for (method, operation) in methods.as_object().expect("an object") {
            let query = query(operation);
            let content = operation["requestBody"]["content"].as_object();
            if method == "get" {
                let target = format!("{path}?{query}");
                let reply = shared().get(&target);
                assert_eq!(reply.status, 200, "{target}");
                if operation["parameters"].is_array() {
                    check(&document, path, "get", &reply);
                }
            }
            for (kind, body) in content.into_iter().flatten() {
                let lines = kind == "application/x-ndjson";
                let target = if lines { format!("{path}?{query}") } else { path.clone() };
                let example = &body["example"];
                let text = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
                let headers = format!("content-type: {kind}\r\n");
                let reply = shared().send("POST", &target, &headers, text.as_bytes());
                assert_eq!(reply.status, 200, "{target}");
                check(&document, path, "post", &reply);
                assert!(!reply.text().contains("\"error\""), "{}", reply.text());
                // People see it too.
                let seen = page.text();
                assert!(seen.contains(&format!("Body <code>{kind}</code>")), "{seen}");
                assert!(seen.contains("pp1/2p/PPP w"), "{seen}");
                bodies += 1;
            }
        }
    }
    assert_eq!(bodies, 2);
}

#[test]
fn every_endpoint_and_parameter_is_described() {
    let document = document();
    for (path, methods) in document["paths"].as_object().expect("an object") {
        // Described endpoints answer, if only that the query lacks something.
        let reply = shared().get(path);
        let parameters = methods["get"]["parameters"].as_array().cloned().unwrap_or_default();
        let needs_more = parameters.iter().any(|parameter| parameter["required"] == true);
        assert_eq!(reply.status, if needs_more { 400 } else { 200 }, "{path}");
        // An unknown parameter is refused with the known ones, which are those described.
        let refused = shared().get(&format!("{path}?none=1"));
        if refused.status == 400 {
            let answer = refused.json();
            let detail = answer["detail"].as_str().expect("a detail");
            let known = detail.split("expected").nth(1).expect("the known ones");
            let known: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
            let names = parameters.iter().map(|parameter| parameter["name"].as_str());
            assert_eq!(known, names.flatten().collect::<Vec<_>>(), "{path}");
        }
    }
}
