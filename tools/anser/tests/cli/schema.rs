//! Validator for the part of JSON Schema that `docs/json-schema.json` uses, and stricter: an
//! unknown keyword or format is an error, and so is a key that the schema does not describe.

use serde_json::{Map, Value, json};

/// A schema with the definitions that it refers to.
pub(crate) struct Schema(pub(crate) Value);

impl Schema {
    /// The schema of all answers in `docs`.
    pub(crate) fn of_answers() -> Schema {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/json-schema.json");
        let text = std::fs::read_to_string(path).expect("the schema file can be read");
        Schema(serde_json::from_str(&text).expect("the schema is JSON"))
    }

    /// Checks a value against a definition.
    ///
    /// # Errors
    /// The place in the value as a JSON pointer, and the keyword that is not satisfied.
    pub(crate) fn check(&self, definition: &str, value: &Value) -> Result<(), String> {
        self.refers(&format!("#/$defs/{}", definition.replace(' ', "%20")), value, "")
    }

    /// Checks a value against the definition at a reference.
    ///
    /// # Errors
    /// As [`Schema::check`].
    pub(crate) fn refers(&self, reference: &str, value: &Value, at: &str) -> Result<(), String> {
        let pointer = reference.trim_start_matches('#').replace("%20", " ");
        let schema = self.0.pointer(&pointer).and_then(Value::as_object);
        self.matches(schema.ok_or_else(|| format!("{at}: no definition {reference}"))?, value, at)
    }

    /// Checks a value against a schema whose references lead into this one.
    ///
    /// # Errors
    /// As [`Schema::check`].
    pub(crate) fn matches(
        &self,
        schema: &Map<String, Value>,
        value: &Value,
        at: &str,
    ) -> Result<(), String> {
        for (keyword, argument) in schema {
            let holds = match (keyword.as_str(), argument) {
                ("type", Value::String(name)) => is_of(name, value),
                ("type", Value::Array(names)) => {
                    names.iter().any(|name| name.as_str().is_some_and(|name| is_of(name, value)))
                }
                ("format", Value::String(name)) => value.is_null() || has_format(name, value)?,
                ("minimum", least) => {
                    value.as_f64().zip(least.as_f64()).is_none_or(|(value, least)| value >= least)
                }
                ("maximum", most) => {
                    value.as_f64().zip(most.as_f64()).is_none_or(|(value, most)| value <= most)
                }
                ("minItems", least) => {
                    value.as_array().is_none_or(|items| Some(items.len() as u64) >= least.as_u64())
                }
                ("maxItems", most) => {
                    value.as_array().is_none_or(|items| Some(items.len() as u64) <= most.as_u64())
                }
                ("const", constant) => value == constant,
                ("enum", Value::Array(values)) => values.contains(value),
                ("$ref", Value::String(reference)) => {
                    self.refers(reference, value, at)?;
                    true
                }
                ("anyOf", Value::Array(schemas)) => self.matching(schemas, value, at) > 0,
                ("oneOf", Value::Array(schemas)) => self.matching(schemas, value, at) == 1,
                ("items", Value::Object(items)) => {
                    for (number, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.matches(items, item, &format!("{at}/{number}"))?;
                    }
                    true
                }
                ("required", Value::Array(keys)) => {
                    let has =
                        |key: &Value| key.as_str().is_some_and(|key| value.get(key).is_some());
                    value.as_object().is_none_or(|_| keys.iter().all(has))
                }
                // Properties are read below, with the keys of the value.
                ("description" | "title", Value::String(_))
                | ("properties" | "additionalProperties", Value::Object(_)) => true,
                _ => {
                    return Err(format!(
                        "{at}: the keyword {keyword} with {argument} is not known"
                    ));
                }
            };
            if !holds {
                return Err(format!("{at}: {keyword} {argument} does not hold for {value}"));
            }
        }
        let part = |name: &str| schema.get(name).and_then(Value::as_object);
        let (properties, others) = (part("properties"), part("additionalProperties"));
        if properties.or(others).is_none() {
            return Ok(());
        }
        for (key, value) in value.as_object().into_iter().flatten() {
            let at = format!("{at}/{key}");
            let schema = properties
                .and_then(|properties| properties.get(key))
                .and_then(Value::as_object)
                .or(others);
            self.matches(
                schema.ok_or_else(|| format!("{at}: the key is not described"))?,
                value,
                &at,
            )?;
        }
        Ok(())
    }

    /// Number of schemas that a value matches.
    fn matching(&self, schemas: &[Value], value: &Value, at: &str) -> usize {
        let matches = |schema: &&Value| {
            schema.as_object().is_some_and(|schema| self.matches(schema, value, at).is_ok())
        };
        schemas.iter().filter(matches).count()
    }
}

/// Whether a value is of a type of JSON Schema.
fn is_of(name: &str, value: &Value) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(number) => name == "number" || name == "integer" && !number.is_f64(),
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    }
}

/// Whether a value has the format of a Rust number.
fn has_format(name: &str, value: &Value) -> Result<bool, String> {
    let (unsigned, signed) = (value.as_u64(), value.as_i64());
    Ok(match name {
        "uint8" => unsigned.is_some_and(|number| u8::try_from(number).is_ok()),
        "uint16" => unsigned.is_some_and(|number| u16::try_from(number).is_ok()),
        "uint32" => unsigned.is_some_and(|number| u32::try_from(number).is_ok()),
        "uint" | "uint64" => unsigned.is_some(),
        "int8" => signed.is_some_and(|number| i8::try_from(number).is_ok()),
        "double" => value.is_number(),
        _ => return Err(format!("the format {name} is not known")),
    })
}

#[test]
fn the_validator_rejects_what_a_schema_does_not_allow() {
    let schema = Schema(json!({ "$defs": {
        "a move": {
            "type": "object",
            "properties": {
                "move": { "type": "string" },
                "dtw": { "type": ["integer", "null"], "format": "uint16", "minimum": 1 },
                "kind": { "oneOf": [{ "const": "step" }, { "const": "capture" }] },
                "after": { "anyOf": [{ "$ref": "#/$defs/a%20move" }, { "type": "null" }] },
                "counts": { "type": "object", "additionalProperties": { "type": "integer" } },
                "list": { "type": "array", "items": { "enum": [1, "x"] } },
            },
            "required": ["move"],
        },
        "later": { "type": "string", "pattern": "x" },
    }}));
    for sound in [
        json!({ "move": "a1-b2" }),
        json!({ "move": "", "dtw": null, "kind": "step", "after": { "move": "x" }, "list": [1, "x"] }),
        json!({ "move": "", "dtw": 65_535, "after": null, "counts": { "any": 1, "key": 2 } }),
    ] {
        assert_eq!(schema.check("a move", &sound), Ok(()), "{sound}");
    }
    for (wrong, place) in [
        (json!([]), ": type"),
        (json!({ "dtw": 1 }), ": required"),
        (json!({ "move": "", "dtw": 0 }), "/dtw: minimum"),
        (json!({ "move": "", "dtw": 1.5 }), "/dtw: "),
        (json!({ "move": "", "dtw": 65_536 }), "/dtw: format"),
        (json!({ "move": "", "kind": "jump" }), "/kind: oneOf"),
        (json!({ "move": "", "after": { "move": 1 } }), "/after: anyOf"),
        (json!({ "move": "", "counts": { "key": "one" } }), "/counts/key: type"),
        (json!({ "move": "", "list": [1, "y"] }), "/list/1: enum"),
        (json!({ "move": "", "other": 1 }), "/other: the key is not described"),
    ] {
        let error = schema.check("a move", &wrong).expect_err("it is wrong");
        assert!(error.starts_with(place), "{wrong}: {error}");
    }
    for (definition, problem) in [("later", "the keyword pattern"), ("none", "no definition")] {
        let error = schema.check(definition, &json!("x")).expect_err("the schema is wrong");
        assert!(error.contains(problem), "{error}");
    }
}
