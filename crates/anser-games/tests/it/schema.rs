//! `docs/json-schema.json` is the schema of the answers. `ANSER_SCHEMA=update` writes it.

use std::fs;
use std::path::Path;

#[test]
fn the_schema_file_is_that_of_the_answers() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json-schema.json");
    let schema = serde_json::to_string_pretty(&anser_games::answers::schema())
        .expect("a schema is JSON")
        + "\n";
    if std::env::var("ANSER_SCHEMA").is_ok_and(|wish| wish == "update") {
        fs::write(&path, &schema).expect("the schema file can be written");
    }
    let kept = fs::read_to_string(&path).expect("the schema file can be read");
    assert!(
        kept == schema,
        "docs/json-schema.json is not the schema of the answers; `ANSER_SCHEMA=update cargo test \
         -p anser-games --test it schema` writes it"
    );
}
