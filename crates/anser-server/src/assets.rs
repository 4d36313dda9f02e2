//! The web page: its files are part of the program, below a folder named by their content, so that
//! browsers may keep them for ever.

use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use xxhash_rust::xxh3::Xxh3;

use crate::problem::{DESCRIBED, Problem};
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

const SCRIPTS: &[Asset] = &embed!("text/javascript; charset=utf-8": "about.js", "api.js",
    "board.js", "dom.js", "edit.js", "entry.js", "errors.js", "explore.js", "games.js", "hands.js",
    "header.js", "keys.js", "main.js", "places.js", "play.js", "problem.js", "puzzles.js",
    "record.js", "solving.js", "statistics.js", "strings.js", "theme.js", "value.js");
/// The reader of tables, for sites.
const READER: &[Asset] = &embed!("text/javascript; charset=utf-8": "reader/cross33.js",
    "reader/description.js", "reader/hexapawn.js", "reader/hounds.js", "reader/hunt.js",
    "reader/notation.js", "reader/numbering.js", "reader/order.js", "reader/position.js",
    "reader/site.js", "reader/symmetries.js", "reader/table.js", "reader/tables.js",
    "reader/xxh3.js");
const WORKER: &str = include_str!("../web/reader/worker.js");
const STYLES: &[Asset] = &embed!("text/css; charset=utf-8": "style.css");
const IMAGES: &[Asset; 1] = &embed!("image/svg+xml": "icon.svg");
const INDEX: &str = include_str!("../web/index.html");

/// Placeholder of the folder in `index.html`.
const FOLDER: &str = "/assets/VERSION/";

/// Preload of the first answer that `index.html` requests.
const PRELOAD: &str = "<link rel=\"preload\" href=\"/api/v1/games?\" as=\"fetch\" crossorigin>\n";

/// Lines of `index.html` that are for a server alone, with what a site has in their place.
const OF_SERVERS: [(&str, &str); 2] = [
    ("<meta name=\"robots\" content=\"noindex\">\n", ""),
    (" The answers are also at <a href=\"/openapi.json\">/api/v1</a>.", ""),
];

/// The list of the files of the page in the service worker.
const LIST: &str = "const PAGE = [];";

/// The module of the decoder, and its license.
const DECODER: [&str; 2] = ["reader/fzstd.js", "reader/fzstd-LICENSE.txt"];

/// The files of the page.
pub(crate) struct Assets {
    version: String,
    index: String,
}

impl Assets {
    pub(crate) fn new() -> Assets {
        let version = version_of(assets().map(|asset| (asset.name, asset.text)));
        let index = INDEX.replace(FOLDER, &format!("/assets/{version}/"));
        Assets { version, index }
    }

    /// The files of the page of a site, by name. `index` is the hash of the index of the site.
    pub(crate) fn of_site(module: &str, license: &str, index: &str) -> Vec<(String, String)> {
        let own = assets().chain(READER).map(|asset| (asset.name, asset.text));
        let files: Vec<_> = own.chain(DECODER.into_iter().zip([module, license])).collect();
        let folder = format!("assets/{}/", version_of(files.iter().copied()));
        let data = format!("data/{index}.json");
        let modules = READER.iter().map(|asset| asset.name).chain([DECODER[0]]);
        let preload = |name| format!("<link rel=\"modulepreload\" href=\"{folder}{name}\">\n");
        let preloads = modules.map(preload).collect::<Vec<_>>().concat();
        let first = format!(
            "<meta name=\"anser-site\" content=\"{index}\">\n\
             <link rel=\"preload\" href=\"{data}\" as=\"fetch\" crossorigin>\n{preloads}"
        );
        let mut page = INDEX.replace(PRELOAD, &first).replace(FOLDER, &folder);
        for (of_server, of_site) in OF_SERVERS {
            page = page.replace(of_server, of_site);
        }
        let named =
            files.into_iter().map(|(name, text)| (format!("{folder}{name}"), text.to_owned()));
        let mut site: Vec<(String, String)> = named.collect();
        let names = site.iter().map(|(name, _)| &name[..]).chain([&data[..]]);
        let list: Vec<String> = names.map(|name| format!("{name:?}")).collect();
        let worker = WORKER.replace(LIST, &format!("const PAGE = [{}];", list.join(", ")));
        site.push(("worker.js".into(), worker));
        site.push(("index.html".into(), page));
        site
    }

    /// Whether the page of a site has a file of this name below its
    /// folder.
    pub(crate) fn is_of_site(name: &str) -> bool {
        let own = assets().chain(READER).map(|asset| asset.name);
        own.chain(DECODER).any(|known| known == name)
    }

    /// A page of text, with the style and the icon of the others. `title` and `body` are HTML.
    pub(crate) fn document(&self, title: &str, body: &str) -> String {
        let address = |name| format!("/assets/{}/{name}", self.version);
        let (style, icon) = (address("style.css"), address("icon.svg"));
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <title>{title}</title>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <link rel=\"icon\" href=\"{icon}\" type=\"image/svg+xml\">\n\
             <link rel=\"stylesheet\" href=\"{style}\">\n\
             </head>\n<body class=\"document\">\n<main>\n{body}</main>\n</body>\n</html>\n"
        )
    }

    /// The icon, which browsers may keep for a day.
    pub(crate) fn icon(request: &HeaderMap) -> Response {
        let [Asset { kind, text, .. }] = IMAGES;
        with_tag(request, kind, "public, max-age=86400", *text)
    }

    /// The page, at every position.
    pub(crate) fn page(&self, request: &HeaderMap) -> Response {
        with_tag(request, "text/html; charset=utf-8", "no-cache", self.index.clone())
    }

    /// A file of the page.
    pub(crate) fn file(&self, request: &HeaderMap, version: &str, name: &str) -> Response {
        match assets().find(|asset| asset.name == name) {
            Some(asset) if version == self.version => {
                with_tag(request, asset.kind, "public, max-age=31536000, immutable", asset.text)
            }
            // A page of another version of the program; its files are gone.
            _ => Problem::missing("there is nothing at this path").hint(DESCRIBED).into_response(),
        }
    }
}

/// The name of the folder of files with these names and texts.
fn version_of<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut hasher = Xxh3::new();
    for (name, text) in files {
        hasher.update(name.as_bytes());
        hasher.update(text.as_bytes());
    }
    format!("{:016x}", hasher.digest())
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
        let mut found: Vec<String> = found
            .map(|file| file.expect("it can be read").file_name().to_string_lossy().into_owned())
            .filter(|name| name != "reader")
            .collect();
        let reader = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("web/reader"));
        let reader = reader.expect("the directory is there").map(|file| {
            format!("reader/{}", file.expect("it can be read").file_name().to_string_lossy())
        });
        found.extend(reader);
        let names = assets().chain(READER).map(|asset| asset.name.to_owned());
        let mut embedded: Vec<String> =
            names.chain(["index.html", "reader/worker.js"].map(str::to_owned)).collect();
        found.sort();
        embedded.sort();
        assert_eq!(found, embedded);
    }

    #[test]
    fn the_page_of_a_site_names_its_own_files_alone() {
        let files = Assets::of_site("// A decoder.", "A license.", "0123456789abcdef");
        let text = |wanted: &str| {
            let found = files.iter().find(|(name, _)| name.ends_with(wanted));
            &found.unwrap_or_else(|| panic!("{wanted} is missing")).1[..]
        };
        let page = text("index.html");
        assert!(!page.contains("/api/") && !page.contains("noindex") && !page.contains("\"/"));
        let named = page.split('"').filter(|word| word.starts_with("assets/"));
        for name in named.clone() {
            assert!(files.iter().any(|(file, _)| file == name), "{name}");
        }
        // All modules are preloaded at once, but for the main one, which is asked for itself.
        assert_eq!(named.count(), SCRIPTS.len() + READER.len() + 3);
        assert!(page.contains("content=\"0123456789abcdef\""));
        assert!(text("worker.js").contains("/reader/fzstd.js\", "));
        assert_eq!(text("fzstd-LICENSE.txt"), "A license.");
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
