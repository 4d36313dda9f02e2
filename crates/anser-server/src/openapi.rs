//! The description of all endpoints, as OpenAPI 3.1. The file `openapi.json` has it; a test
//! compares it with the types of the answers.

use std::fmt::Write;

use serde_json::Value as Json;

#[cfg(feature = "schema")]
mod document;

#[cfg(feature = "schema")]
pub use document::openapi;

/// The description of all endpoints.
pub(crate) const DOCUMENT: &str = include_str!("../openapi.json");

/// The description for people, as the body of a page.
pub(crate) fn page() -> String {
    let document: Json = serde_json::from_str(DOCUMENT).expect("a test compares the document");
    let mut page = format!(
        "<h1>Anser: answers over HTTP</h1>\n<p>{}</p>\n\
         <p><a href=\"/openapi.json\">openapi.json</a> has this, and the answers in full; \
         <a href=\"/\">the board</a> shows them.</p>\n",
        escaped(document["info"]["description"].as_str().unwrap_or_default())
    );
    for (path, methods) in document["paths"].as_object().into_iter().flatten() {
        for (method, about) in methods.as_object().into_iter().flatten() {
            let summary = escaped(about["summary"].as_str().unwrap_or_default());
            let name = format!("{} {}", method.to_uppercase(), escaped(path));
            let _ = write!(page, "<section>\n<h2><code>{name}</code></h2>\n<p>{summary}.</p>\n");
            let parameters = about["parameters"].as_array().map_or(&[][..], Vec::as_slice);
            if !parameters.is_empty() {
                page += "<dl>\n";
            }
            for parameter in parameters {
                let text = |key: &str| escaped(parameter[key].as_str().unwrap_or_default());
                let required = if parameter["required"] == true { "" } else { " (optional)" };
                let (name, about) = (text("name"), text("description"));
                let _ = writeln!(page, "<dt><code>{name}</code>{required}</dt><dd>{about}.</dd>");
            }
            if !parameters.is_empty() {
                page += "</dl>\n";
            }
            page += &examples(path, method, about);
            page += "</section>\n";
        }
    }
    page
}

/// The examples of a request, with its bodies.
fn examples(path: &str, method: &str, about: &Json) -> String {
    let mut text = String::new();
    let query = query(about["parameters"].as_array().map_or(&[][..], Vec::as_slice));
    if method == "get" {
        if !query.is_empty() {
            let target = escaped(&format!("{path}?{query}"));
            let _ =
                writeln!(text, "<p>Example: <a href=\"{target}\"><code>{target}</code></a></p>");
        }
        return text;
    }
    for (kind, body) in about["requestBody"]["content"].as_object().into_iter().flatten() {
        let example = body["example"].as_str().map_or_else(
            || serde_json::to_string_pretty(&body["example"]).unwrap_or_default(),
            str::to_owned,
        );
        let target = if kind == "application/x-ndjson" {
            format!("{path}?{query}")
        } else {
            path.to_owned()
        };
        let about = body["schema"]["description"].as_str().unwrap_or_default();
        let _ = writeln!(
            text,
            "<h3>Body <code>{kind}</code></h3>\n<p>{}. Example: <code>{} {}</code></p>\n\
             <pre tabindex=\"0\">{}</pre>",
            escaped(about.trim_end_matches('.')),
            method.to_uppercase(),
            escaped(&target),
            escaped(example.trim_end())
        );
    }
    text
}

/// The query of the examples of these parameters.
fn query(parameters: &[Json]) -> String {
    let pairs = parameters.iter().filter_map(|parameter| {
        let value = match parameter.get("example")? {
            Json::String(value) => value.clone(),
            value => value.to_string(),
        };
        Some(format!("{}={value}", parameter["name"].as_str()?))
    });
    pairs.collect::<Vec<_>>().join("&")
}

/// Text for HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
