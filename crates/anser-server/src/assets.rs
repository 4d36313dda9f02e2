//! The web page: its files are part of the program, below a folder named by their content, so that
//! browsers may keep them for ever.

use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use xxhash_rust::xxh3::Xxh3;

use crate::problem::Problem;
use crate::reply::with_tag;

/// A file of the page.
struct Asset {
    name: &'static str,
    kind: &'static str,
    text: &'static str,
}

/// Embeds files of the directory `web` beside `src`.
macro_rules! embed {
    ($kind:literal: $($name:literal),*) => {
        [$(Asset { name: $name, kind: $kind, text: include_str!(concat!("../web/", $name)) }),*]
    };
}

const SCRIPTS: &[Asset] = &embed!("text/javascript; charset=utf-8": "api.js", "board.js", "dom.js",
    "edit.js", "explore.js", "main.js", "play.js", "problem.js", "puzzles.js", "record.js", "statistics.js", "strings.js",
    "theme.js");
const STYLES: &[Asset] = &embed!("text/css; charset=utf-8": "style.css");
const IMAGES: &[Asset] = &embed!("image/svg+xml": "icon.svg");
const INDEX: &str = include_str!("../web/index.html");

/// Placeholder of the folder in `index.html`.
const FOLDER: &str = "/assets/VERSION/";

/// The files of the page.
pub(crate) struct Assets {
    version: String,
    index: String,
}

impl Assets {
    pub(crate) fn new() -> Assets {
        let mut hasher = Xxh3::new();
        for Asset { name, text, .. } in assets() {
            hasher.update(name.as_bytes());
            hasher.update(text.as_bytes());
        }
        let version = format!("{:016x}", hasher.digest());
        let index = INDEX.replace(FOLDER, &format!("/assets/{version}/"));
        Assets { version, index }
    }

    /// A page of text, with the style and the icon of the others. `title` and `body` are HTML.
    pub(crate) fn document(&self, title: &str, body: &str) -> String {
        let address = |name| format!("/assets/{}/{name}", self.version);
        let (style, icon) = (address("style.css"), address("icon.svg"));
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <link rel=\"icon\" href=\"{icon}\" type=\"image/svg+xml\">\n<link rel=\"stylesheet\" href=\"{style}\">\n\
             </head>\n<body class=\"document\">\n<main>\n{body}</main>\n</body>\n</html>\n"
        )
    }

    /// The icon, which browsers may keep for a day.
    pub(crate) fn icon(request: &HeaderMap) -> Response {
        let [Asset { kind, text, .. }] = IMAGES else {
            return Problem::no_such_path().into_response();
        };
        with_tag(request, kind, HeaderValue::from_static("public, max-age=86400"), *text)
    }

    /// The page, at every position.
    pub(crate) fn page(&self, request: &HeaderMap) -> Response {
        let keep = HeaderValue::from_static("no-cache");
        with_tag(request, "text/html; charset=utf-8", keep, self.index.clone())
    }

    /// A file of the page.
    pub(crate) fn file(&self, request: &HeaderMap, version: &str, name: &str) -> Response {
        match assets().find(|asset| asset.name == name) {
            Some(asset) if version == self.version => {
                let keep = HeaderValue::from_static("public, max-age=31536000, immutable");
                with_tag(request, asset.kind, keep, asset.text)
            }
            // A page of another version of the program; its files are gone.
            _ => Problem::no_such_path().into_response(),
        }
    }
}

fn assets() -> impl Iterator<Item = &'static Asset> {
    [SCRIPTS, STYLES, IMAGES].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_of_the_directory_is_embedded() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
        let found = std::fs::read_dir(dir).expect("the directory is there");
        // The reader of tables is for sites, which no server answers.
        let mut found: Vec<String> = found
            .map(|file| file.expect("it can be read").file_name().to_string_lossy().into_owned())
            .filter(|name| name != "reader")
            .collect();
        let names = assets().map(|asset| asset.name.to_owned());
        let mut embedded: Vec<String> = names.chain(["index.html".to_owned()]).collect();
        found.sort();
        embedded.sort();
        assert_eq!(found, embedded);
    }

    #[test]
    fn the_index_names_files_that_there_are() {
        let assets = Assets::new();
        let folder = format!("\"/assets/{}/", assets.version);
        let names: Vec<&str> = assets.index.split(&folder).skip(1).collect();
        // All modules are preloaded at once.
        assert_eq!(names.len(), SCRIPTS.len() + 2);
        for rest in names {
            let name = rest.split('"').next().expect("a name");
            assert!(super::assets().any(|asset| asset.name == name), "{name}");
        }
    }
}
