//! A site that needs no server, from a plain server of files, in a real browser.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anser_analyse::Random;
use anser_core::{Side, Unobserved};
use anser_games::{Registry, SearchPath};
use anser_server::Options;
use anser_server::site::{Decoder, PART_BYTES, Site, SiteError};
use anser_table::Metric;
use serde_json::{Value, json};

use crate::page::{STATUS, VERDICT, check, choose, open, point, press_button, tab, type_in};
use crate::reader::{fzstd, tables_of};
use crate::support::start;
use crate::webdriver::Browser;

/// A server of the files of a directory, below a path. It knows no ranges.
pub(crate) struct Files {
    address: SocketAddr,
    served: Arc<Served>,
}

/// State of the server, with its answers so far.
#[derive(Default)]
struct Served {
    dir: PathBuf,
    /// Milliseconds before each answer.
    latency: AtomicU64,
    /// Paths below the directory, with the bytes of the answers.
    answers: Mutex<Vec<(String, usize)>>,
    /// Whether nothing is answered.
    is_down: AtomicBool,
}

/// The path that a site is below.
const BELOW: &str = "/some/where/";

impl Files {
    pub(crate) fn start(dir: &Path) -> Files {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it has an address");
        let served = Arc::new(Served { dir: dir.into(), ..Served::default() });
        let shared = served.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let served = shared.clone();
                std::thread::spawn(move || served.connection(stream));
            }
        });
        Files { address, served }
    }

    pub(crate) fn origin(&self) -> String {
        format!("http://{}{BELOW}", self.address)
    }

    /// The answers since the last call.
    fn answers(&self) -> Vec<(String, usize)> {
        std::mem::take(&mut *self.served.answers.lock().expect("nothing panics"))
    }
}

impl Served {
    /// Answers the requests of a connection.
    fn connection(&self, stream: TcpStream) -> Option<()> {
        let mut reader = BufReader::new(stream.try_clone().ok()?);
        let mut stream = stream;
        loop {
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                (reader.read_line(&mut head).ok()? > 0).then_some(())?;
            }
            if self.is_down.load(Relaxed) {
                return None;
            }
            let path = head.split(' ').nth(1)?.strip_prefix(BELOW)?.split('?').next()?.to_owned();
            let name = if path.is_empty() { "index.html" } else { &path };
            let found = fs::read(self.dir.join(name));
            let kind = match name.rsplit('.').next() {
                Some("html") => "text/html",
                Some("js") => "text/javascript",
                Some("css") => "text/css",
                Some("svg") => "image/svg+xml",
                Some("json") => "application/json",
                _ => "application/octet-stream",
            };
            let (status, body) = match found {
                Ok(body) => ("200 OK", body),
                Err(_) => ("404 Not Found", Vec::new()),
            };
            std::thread::sleep(Duration::from_millis(self.latency.load(Relaxed)));
            self.answers.lock().ok()?.push((name.to_owned(), body.len()));
            let head = format!(
                "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            stream.write_all(&[head.into_bytes(), body].concat()).ok()?;
        }
    }
}

/// Makes a site: the embedded tables of Fox-and-Geese under one rule set, and two small games.
fn site(decoder: &Decoder, tables: &Path) -> Site {
    let registry = Registry::standard();
    for (name, rules) in [("hexapawn:4x4", "standard"), ("hare-hounds", "unlimited")] {
        let game = registry.game(name, Some(rules)).expect("it is registered");
        tables_of(&game, tables, None, &[Metric::Dtw]);
    }
    let path = SearchPath { directories: vec![tables.into()], embedded: true };
    let wanted = |_: &str, name: &anser_table::TableName| {
        name.game != "fox-geese" || name.rules == "first-capture"
    };
    Site::new(registry, &path, wanted, decoder, &Unobserved).expect("a site")
}

fn decoder() -> Option<Decoder> {
    let package = fzstd()?;
    let read = |name: &str| fs::read_to_string(package.join(name)).expect("the package");
    let decoder = Decoder::new(read("esm/index.mjs"), read("LICENSE"));
    Some(decoder.expect("it is the version that sites have"))
}

/// The address of a position.
fn at(files: &Files, place: &str) -> String {
    format!("{}#/{place}", files.origin())
}

/// Opens a place in a page of its own, without anything in a cache of the page.
fn fresh(browser: &Browser, url: &str) {
    browser.open("about:blank");
    browser.open(url);
}

const PROBLEM: &str = "document.querySelector('.problem')?.textContent";

/// A won position of Fox-and-Geese in the uppermost layer of the site, with the side that is not
/// stored to move.
const GEESE_TO_MOVE: &str = "fox-geese/first-capture/3_3_7_3F3_2ggg2_1g1_ggg_g";

#[test]
fn a_site_is_written_whole_and_again() {
    let Some(decoder) = decoder() else { return };
    let tables = tempfile::tempdir().expect("a directory");
    let out = tempfile::tempdir().expect("a directory");
    let made = site(&decoder, tables.path());
    assert_eq!(made.sets().len(), 3);
    let done = made.write(out.path(), &Unobserved).expect("it can be written");
    assert_eq!((done.written, done.kept, done.removed), (made.files(), 0, 0));
    // Everything but the page is named by its content, and no part is larger than promised.
    let mut bytes = 0;
    for (directory, ends) in [("data", ".json"), ("parts", ".bin")] {
        for file in fs::read_dir(out.path().join(directory)).expect("it is there") {
            let file = file.expect("it can be read").path();
            let content = fs::read(&file).expect("it can be read");
            let hash = format!("{:016x}{ends}", xxhash_rust::xxh3::xxh3_64(&content));
            assert_eq!(file.file_name().and_then(|name| name.to_str()), Some(&hash[..]));
            assert!(directory == "data" || content.len() as u64 <= PART_BYTES);
            bytes += content.len() as u64;
        }
    }
    assert!(bytes < made.bytes());
    // The same site is kept; other files stay, and what it does not have is removed.
    let [own, old] = ["notes.txt", "parts/0123456789abcdef.bin"].map(|name| out.path().join(name));
    fs::write(&own, "mine").expect("it can be written");
    fs::write(&old, "old").expect("it can be written");
    let part = fs::read_dir(out.path().join("parts")).expect("it is there").flatten();
    let part = part.map(|file| file.path()).find(|path| *path != old).expect("a part");
    fs::write(&part, "damaged").expect("it can be written");
    // Tables that were solved again are the same; only the times of the runs differ.
    let solved_again = tempfile::tempdir().expect("a directory");
    let again = site(&decoder, solved_again.path());
    let done = again.write(out.path(), &Unobserved).expect("it can be written");
    assert_eq!((done.written, done.kept, done.removed), (1, made.files() - 1, 1));
    assert!(own.exists() && !old.exists());
    // A directory with other files is left alone.
    let error = made.write(tables.path(), &Unobserved).expect_err("it has tables");
    assert!(matches!(error, SiteError::NotASite(_)), "{error}");
}

/// Without a page, a directory is of a site that was begun only if all names in it are of one.
#[test]
fn a_site_that_was_begun_is_told_from_other_files() {
    let Some(decoder) = decoder() else { return };
    let tables = tempfile::tempdir().expect("a directory");
    let made = site(&decoder, tables.path());
    let hash = "0123456789abcdef";
    let put = |out: &Path, name: &str| {
        let path = out.join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("it can be made");
        fs::write(path, "old").expect("it can be written");
    };
    for foreign in [
        "data/customers.csv".to_owned(),
        format!("data/{hash}.tar.gz"),
        format!("data/{hash}.bin"),
        format!("parts/{}.bin", hash.to_uppercase()),
        format!("parts/{hash}/table.bin"),
        format!("assets/{hash}/photo.jpg"),
        format!("assets/{hash}/reader/notes/main.js"),
        "index.html".to_owned(),
        "notes.txt".to_owned(),
    ] {
        let out = tempfile::tempdir().expect("a directory");
        let old = format!("data/{hash}.json");
        for name in [&foreign, &old] {
            put(out.path(), name);
        }
        let error = made.write(out.path(), &Unobserved).expect_err("it has other files");
        assert!(matches!(error, SiteError::NotASite(_)), "{foreign}: {error}");
        assert!([foreign, old].iter().all(|name| out.path().join(name).exists()));
    }
    // Files that an interrupted run leaves are removed, with and without a page.
    let out = tempfile::tempdir().expect("a directory");
    // The first run writes both `.part` files at the root again.
    for (kept, renamed) in [(0, 2), (made.files(), 0)] {
        let begun = [
            "worker.js.part".to_owned(),
            "index.html.part".to_owned(),
            format!("data/{hash}.json.part"),
            format!("parts/{hash}.bin"),
            format!("assets/{hash}/main.js"),
            format!("assets/{hash}/reader/site.js.part"),
        ];
        for name in &begun {
            put(out.path(), name);
        }
        let done = made.write(out.path(), &Unobserved).expect("it was begun");
        assert_eq!((done.kept, done.removed), (kept, begun.len() - renamed));
        assert!(begun.iter().all(|name| !out.path().join(name).exists()));
        assert!(!out.path().join("assets").join(hash).exists());
    }
}

#[test]
fn tables_that_are_raw_or_missing_are_refused() {
    let Some(decoder) = decoder() else { return };
    let dir = tempfile::tempdir().expect("a directory");
    let of = |path: &SearchPath| {
        Site::new(Registry::standard(), path, |_, _| true, &decoder, &Unobserved).err()
    };
    let path = SearchPath::directories([dir.path()]);
    assert!(matches!(of(&path), Some(SiteError::NoTables)));
    fs::write(dir.path().join("hexapawn-3x3.standard.L00.wdl.anser"), "raw").expect("a file");
    assert!(matches!(of(&path), Some(SiteError::Raw(_))));
    fs::write(dir.path().join("hexapawn-3x3.standard.L00.wdl.anserz"), "no").expect("a file");
    assert!(matches!(of(&path), Some(SiteError::Table(_))));
}

#[test]
fn games_that_only_their_tables_describe_are_on_a_site() {
    let Some(decoder) = decoder() else { return };
    let dir = tempfile::tempdir().expect("a directory");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/hunts/triangle.toml");
    let info = anser_games::read_file(file.as_ref()).expect("a description");
    let rule_sets = ["forward", "standard"];
    for rules in rule_sets {
        let game = info.make("", rules).expect("a rule set");
        tables_of(&game, dir.path(), None, &[Metric::Wdl]);
    }
    let path = SearchPath::directories([dir.path()]);
    let site = Site::new(Registry::standard(), &path, |_, _| true, &decoder, &Unobserved);
    let site = site.expect("a site");
    let sets = site.sets().iter().map(|set| (&set.game[..], &set.rules[..]));
    assert!(sets.eq(rule_sets.map(|rules| ("triangle", rules))));
}

/// Runs a test on a site of its own.
fn on_a_site(test: impl FnOnce(&Browser, &Files)) {
    on_the_site(site, test);
}

/// Runs a test on a site that `make` makes, with a directory for tables.
fn on_the_site(make: impl FnOnce(&Decoder, &Path) -> Site, test: impl FnOnce(&Browser, &Files)) {
    let Some(decoder) = decoder() else { return };
    let Some(browser) = Browser::start() else { return };
    let [tables, out] = [(); 2].map(|()| tempfile::tempdir().expect("a directory"));
    let made = make(&decoder, tables.path());
    made.write(out.path(), &Unobserved).expect("it can be written");
    let files = Files::start(out.path());
    test(&browser, &files);
    for request in browser.requests() {
        let request = request.trim_start_matches("blob:");
        let is_own = request.starts_with("http://127.0.0.1:") || request.starts_with("about:");
        assert!(is_own || request.starts_with("data:"), "{request}");
    }
}

#[test]
fn a_site_explores_plays_and_counts() {
    on_a_site(|browser, files| {
        open(browser, &files.origin());
        // The first game in the list, in a place behind the #.
        browser.wait("location.hash.startsWith('#/fox-geese/first-capture/')");
        browser.wait("document.querySelectorAll('#opening option').length > 2");
        open(browser, &at(files, GEESE_TO_MOVE));
        browser.wait("document.querySelectorAll('.moves button').length > 5");
        let verdict = browser.text(VERDICT);
        assert!(verdict.contains("win") || verdict.contains("Drawn"), "{verdict}");
        // Nothing leads to a server.
        assert_eq!(browser.eval("[...document.querySelectorAll('a[href^=\"/\"]')].length"), 0);
        // A won game to its end, against the computer.
        open(browser, &at(files, "hexapawn:4x4/standard"));
        let first = browser.text(VERDICT);
        let winner = usize::from(first.starts_with("Black"));
        open(browser, &at(files, "hexapawn:4x4/standard?tab=play"));
        for (player, who) in [(winner, "person"), (1 - winner, "computer")] {
            choose(browser, &format!("player-{player}"), who);
        }
        let levels = "[...document.querySelectorAll('#strength option')].map((o) => o.value)";
        assert_eq!(browser.eval(levels).as_array().map(Vec::len), Some(2));
        for _ in 0..20 {
            let turn = "document.querySelector('.turn')?.textContent";
            browser.wait(&format!("{turn} !== undefined && {turn} !== 'The computer moves.'"));
            if browser.text(VERDICT).contains("has won") {
                break;
            }
            // The best move, from the module that the page asks.
            let best = browser.text(
                "import(document.querySelector('script[type=module]').src.replace('main.js', 'api.js'))\
                 .then((api) => \
                 api.probe('hexapawn:4x4', 'standard', document.title.split(', ').at(-1)))\
                 .then((probe) => probe.moves[0].move)",
            );
            for name in best.split(['-', 'x']) {
                point(browser, name);
            }
            browser.wait(&format!("{turn} !== ''"));
        }
        let won = browser.text(VERDICT);
        assert_eq!(won, format!("{} has won.", ["White", "Black"][winner]));
        assert!(browser.text("document.body.innerText").contains("No move changed the outcome."));
        // The place comes back with its moves, in a page of its own.
        let link = browser.text("location.href");
        assert!(link.contains("?moves="), "{link}");
        fresh(browser, &link);
        browser.wait(&format!("{VERDICT} === {}", json!(won)));
        browser.back();
        // Best play, puzzles, statistics, and the longest wins.
        open(browser, &at(files, "hare-hounds/unlimited"));
        press_button(browser, "Show best play to the end");
        browser.wait("document.querySelectorAll('.record li').length > 10");
        tab(browser, 3);
        browser.wait("document.querySelector('.streak')");
        browser.wait(&format!("({VERDICT} ?? '').includes('Find the only move')"));
        tab(browser, 4);
        browser.wait("document.querySelector('.histogram')");
        press_button(browser, "Longest wins");
        browser.wait("document.querySelectorAll('.records a').length > 1");
        browser.eval("document.querySelector('.records a').click()");
        browser.wait("location.hash.includes('/hare-hounds/') && document.querySelector('.moves')");
        // A wrong position is explained as the server does.
        type_in(browser, "h2/h3R/hh h");
        browser.wait("document.querySelector('.problem')");
        let problem = browser.text(PROBLEM);
        assert!(problem.contains("This is not a position: column"), "{problem}");
        assert!(!browser.text(STATUS).contains("undefined"));
        let complaints = browser.complaints();
        assert_eq!(complaints, Vec::<String>::new());
        if let Ok(axe) = std::env::var("ANSER_AXE") {
            let axe = fs::read_to_string(axe).expect("axe.min.js");
            for place in ["hexapawn:4x4/standard", "hexapawn:4x4/standard?tab=play", GEESE_TO_MOVE]
            {
                fresh(browser, &at(files, place));
                browser.wait("document.querySelector('.moves, .settings')");
                let found: Vec<Value> = check(browser, &axe);
                assert!(found.is_empty(), "{place}: {found:#?}");
            }
        }
    });
}

#[test]
fn a_site_without_the_default_rules_begins_where_its_own_do() {
    let make = |decoder: &Decoder, tables: &Path| {
        let registry = Registry::standard();
        let game = registry.game("kaooa", Some("4")).expect("it is registered");
        tables_of(&game, tables, None, &[Metric::Dtw]);
        let path = SearchPath::directories([tables]);
        Site::new(registry, &path, |_, _| true, decoder, &Unobserved).expect("a site")
    };
    on_the_site(make, |browser, files| {
        open(browser, &files.origin());
        browser.wait("location.hash === '#/kaooa/4/1_4_2_1_2_v_1_4_0'");
        browser.wait("document.querySelector('.moves')");
        assert_eq!(browser.eval("document.querySelector('.problem')"), Value::Null);
    });
}

#[test]
fn a_broken_site_says_what_is_wrong() {
    on_a_site(|browser, files| {
        // Copies of files in the browser would hide what is broken.
        browser.command("Network.setCacheDisabled", &json!({ "cacheDisabled": true }));
        browser.command("Network.setBypassServiceWorker", &json!({ "bypass": true }));
        let place = at(files, GEESE_TO_MOVE);
        files.answers();
        fresh(browser, &place);
        browser.wait("document.querySelectorAll('.moves button').length > 5");
        let verdict = browser.text(VERDICT);
        let dir = files.served.dir.clone();
        let parts: Vec<PathBuf> = files
            .answers()
            .into_iter()
            .filter(|(name, _)| name.starts_with("parts/"))
            .map(|(name, _)| dir.join(name))
            .collect();
        assert!(!parts.is_empty());
        for part in &parts {
            let sound = fs::read(part).expect("a part");
            let mut other = sound.clone();
            let middle = other.len() / 2;
            other[middle] ^= 1;
            let breaks: [(&str, Option<&[u8]>); 4] = [
                ("is missing (404)", None),
                ("is truncated", Some(&sound[..middle])),
                ("was replaced", Some(&other)),
                ("was replaced", Some(b"<!doctype html><title>Not found</title>".as_slice())),
            ];
            for (says, content) in breaks {
                match content {
                    None => fs::remove_file(part).expect("it is there"),
                    Some(content) => fs::write(part, content).expect("it can be written"),
                }
                fresh(browser, &place);
                browser.wait(PROBLEM);
                let problem = browser.text(PROBLEM);
                // A short page of a host is truncated, too.
                let is_said = problem.contains(says) || problem.contains("is truncated");
                assert!(is_said, "{says}: {problem}");
                assert!(browser.eval(VERDICT).is_null(), "a value of a broken part");
                // Once it is whole again, another attempt does.
                fs::write(part, &sound).expect("it can be written");
                press_button(browser, "Try again");
                browser.wait(&format!("{VERDICT} === {}", json!(verdict)));
            }
        }
        // The index, and the list of tables, of another site under their names.
        let page = fs::read_to_string(dir.join("index.html")).expect("the page");
        let index = page.split("content=\"").find_map(|rest| {
            let name = rest.split('"').next().unwrap_or_default();
            dir.join(format!("data/{name}.json")).exists().then(|| name.to_owned())
        });
        let index = dir.join(format!("data/{}.json", index.expect("it is named")));
        let text = fs::read_to_string(&index).expect("the index");
        let listed: Value = serde_json::from_str(&text).expect("it is JSON");
        let set = listed["sets"].as_array().expect("a list").iter();
        let set =
            set.clone().find(|set| set["game"] == "fox-geese").expect("a set")["file"].clone();
        let set = dir.join(format!("data/{}.json", set.as_str().expect("a name")));
        for file in [index, set] {
            let sound = fs::read_to_string(&file).expect("it is there");
            fs::write(&file, sound.replace("first-capture", "forward")).expect("it can be written");
            fresh(browser, &place);
            browser.wait(PROBLEM);
            let problem = browser.text(PROBLEM);
            assert!(problem.contains("was replaced"), "{problem}");
            assert!(browser.eval(VERDICT).is_null());
            fs::remove_file(&file).expect("it is there");
            fresh(browser, &place);
            browser.wait(PROBLEM);
            let problem = browser.text(PROBLEM);
            assert!(problem.contains("is missing (404)"), "{problem}");
            fs::write(&file, sound).expect("it can be written");
            press_button(browser, "Try again");
            browser.wait(&format!("{VERDICT} === {}", json!(verdict)));
        }
    });
}

#[test]
fn a_site_stays_without_a_network() {
    on_a_site(|browser, files| {
        let place = at(files, "hexapawn:4x4/standard");
        open(browser, &place);
        let verdict = browser.text(VERDICT);
        browser.wait("navigator.serviceWorker.controller");
        // Files that were fetched before the worker was there are kept as well.
        browser.wait(
            "caches.open('anser ' + new URL('.', location.href).href).then((cache) => cache.keys())\
             .then((keys) => performance.getEntriesByType('resource')\
             .every(({ name }) => keys.some(({ url }) => url === name)))",
        );
        files.served.is_down.store(true, Relaxed);
        fresh(browser, &place);
        browser.wait(&format!("{VERDICT} === {}", json!(verdict)));
        // Files that were not fetched are reported as missing for now.
        browser.eval(&format!("location.hash = {}", json!(format!("/{GEESE_TO_MOVE}"))));
        browser.wait(PROBLEM);
        let problem = browser.text(PROBLEM);
        assert!(problem.contains("cannot be fetched"), "{problem}");
        files.served.is_down.store(false, Relaxed);
        press_button(browser, "Try again");
        browser.wait("document.querySelectorAll('.moves button').length > 5");
    });
}

#[test]
fn a_wrong_address_says_what_is_wrong() {
    on_a_site(|browser, files| {
        open(browser, &at(files, "hexapawn:4x4/standard"));
        for (place, says) in [
            ("/nogame/x", "Nogame is not on this site"),
            ("/fox-geese/first-capture/%", "This address is not one of the page"),
        ] {
            browser.eval(&format!("location.hash = {}", json!(place)));
            browser.wait(&format!("({PROBLEM} ?? '').includes({})", json!(says)));
            browser.eval("location.hash = '/hexapawn:4x4/standard'");
            browser.wait(&format!("{VERDICT} && !{PROBLEM}"));
        }
        // A link leads to a game that is there, also if the page begins with the wrong address.
        for (place, says) in [
            ("nogame/x", "Nogame is not on this site"),
            ("fox-geese/forward", "Fox-and-Geese (rules forward) is not on this site"),
        ] {
            fresh(browser, &at(files, place));
            browser.wait(&format!("({PROBLEM} ?? '').includes({})", json!(says)));
            let link = "document.querySelector('.panel nav a[href^=\"#/hexapawn:4x4/\"]')";
            browser.eval(&format!("{link}.click()"));
            browser.wait(&format!("location.hash.startsWith('#/hexapawn:4x4/') && {VERDICT}"));
        }
        let complaints = browser.complaints();
        assert_eq!(complaints, Vec::<String>::new());
    });
}

/// The computer plays a known move only if no unknown one can be better: here the captures, which
/// lead to a layer without a table.
#[test]
fn the_computer_has_no_move_if_an_unknown_one_may_be_better() {
    let make = |decoder: &Decoder, _: &Path| {
        let path = SearchPath { directories: Vec::new(), embedded: true };
        let wanted = |_: &str, name: &anser_table::TableName| {
            name.game == "fox-geese" && name.rules == "free" && name.layer == 5
        };
        Site::new(Registry::standard(), &path, wanted, decoder, &Unobserved).expect("a site")
    };
    on_the_site(make, |browser, files| {
        open(browser, &at(files, "fox-geese/free/Fg1_1g1_2g1g2_2g4_7_3_3_f"));
        let choose = |position: &str| {
            browser.text(&format!(
            "import(document.querySelector('script[type=module]').src.replace('main.js', 'api.js'))\
             .then((api) => \
             api.choose('fox-geese', 'free', '{position}', [], {{ style: 'perfect', fuzz: 0 }}))\
             .then(({{ chosen }}) => chosen.move, (error) => error.message)",
        ))
        };
        // Only the capture wins; the other moves draw.
        let refused = choose("2g/3/1g5/7/3g1gF/2g/3 f");
        assert!(refused.contains("not on this site"), "{refused}");
        // The position is drawn, so a move that draws is a best one.
        assert_eq!(choose("Fg1/1g1/2g1g2/2g4/7/3/3 f"), "c7-c6");
    });
}

/// Cost of looking a position up.
struct Cost {
    requests: usize,
    bytes: usize,
    millis: u64,
}

impl std::fmt::Display for Cost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Cost { requests, bytes, millis } = self;
        write!(f, "{requests} requests, {bytes} bytes, {millis} ms")
    }
}

/// Looks values up in a page that has loaded nothing but the index; returns the cost. `expression`
/// has the `values` of the set, and `read`, which reads a position.
fn cost(browser: &Browser, files: &Files, set: &[&str; 2], expression: &str) -> Cost {
    let [game, rules] = set;
    files.answers();
    let took = browser.eval(&format!(
        "(async () => {{
           const began = performance.now();
           const values = await site.set('{game}', '{rules}');
           const read = (text) => values.game.notation.read(text);
           await {expression};
           return performance.now() - began;
         }})()"
    ));
    let answers = files.answers();
    let bytes = answers.iter().map(|(_, bytes)| bytes).sum();
    let millis = took.as_f64().unwrap_or_else(|| panic!("{took}")) as u64;
    Cost { requests: answers.len(), bytes, millis }
}

/// A position of the stored side takes at most three requests after the page. `ANSER_SITE` names
/// the directory of another site of Fox-and-Geese whose figures are printed.
#[test]
fn a_position_takes_few_requests() {
    on_a_site(|browser, files| {
        let other = std::env::var_os("ANSER_SITE").map(|dir| Files::start(Path::new(&dir)));
        let files = other.as_ref().unwrap_or(files);
        files.served.latency.store(50, Relaxed);
        browser.command("Network.setCacheDisabled", &json!({ "cacheDisabled": true }));
        browser.command("Network.setBypassServiceWorker", &json!({ "bypass": true }));
        // No set of tables is loaded for a game that is not there.
        let bare = || {
            files.answers();
            fresh(browser, &at(files, "no-game"));
            browser.wait("document.querySelector('.problem')");
            // Until then the service worker loads files of the page.
            browser.eval("navigator.serviceWorker.ready.then(() => 0)");
            browser.eval(
                "import(document.querySelector('script[type=module]').src\
                 .replace('main.js', 'reader/site.js')).then(({ Site }) => \
                 Site.open(document.querySelector('meta[name=anser-site]').content))\
                 .then((site) => { window.site = site; return 0; })",
            );
        };
        // The first paint is as early as that of a server.
        let paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
        let paint_of = |url: &str| {
            fresh(browser, url);
            browser.wait(paint);
            browser.eval(paint).as_f64().expect("a time")
        };
        let server = start(&Options::new(SearchPath::embedded()));
        files.served.latency.store(0, Relaxed);
        let network = |latency: u16| {
            json!({
                "offline": false,
                "latency": latency,
                "downloadThroughput": -1,
                "uploadThroughput": -1
            })
        };
        browser.command("Network.enable", &json!({}));
        browser.command("Network.emulateNetworkConditions", &network(50));
        let of_server = paint_of(&format!("http://{}/", server.address));
        files.answers();
        let of_site = paint_of(&files.origin());
        browser.wait("document.querySelector('.board')");
        // The service worker asks for the files of the page once more.
        let page: BTreeMap<String, usize> = files.answers().into_iter().collect();
        let bytes: usize = page.values().sum();
        eprintln!(
            "the page and its first position: {} requests, {bytes} bytes; first paint after \
             {of_site:.0} ms, of a server {of_server:.0} ms",
            page.len()
        );
        browser.command("Network.emulateNetworkConditions", &network(0));
        files.served.latency.store(50, Relaxed);
        bare();
        let listed = browser.eval(
            "site.index.games.map((game) => [game.game, game.sets[0].rules, \
             Math.max(...game.sets[0].layers.wdl)])[0]",
        );
        let [game, rules] = [0, 1].map(|at| listed[at].as_str().expect("a name"));
        let layer = listed[2].as_u64().expect("a layer") as u16;
        let hunt = Registry::standard().game(game, Some(rules)).expect("it is registered");
        let index = hunt.index(layer);
        let mut random = Random::new(3);
        let mut draw = |side| {
            let drawn = random.position(&hunt, &index, &[side]).expect("a position");
            hunt.format_position(&drawn)
        };
        for side in Side::BOTH {
            let position = draw(side);
            bare();
            let alone = format!("values.tables.value(read('{position}'), 'dtw')");
            let alone = cost(browser, files, &[game, rules], &alone);
            bare();
            let all = format!("values.tables.probe(read('{position}'))");
            let all = cost(browser, files, &[game, rules], &all);
            eprintln!("{position}: alone {alone}; with all moves {all}");
            // The table stores the fox.
            assert!(side == Side::Second || alone.requests <= 3, "{alone}");
        }
        let position = draw(Side::First);
        bare();
        let plies = format!(
            "(async () => {{ let here = '{position}'; for (let ply = 0; ply < 40; ply += 1) {{
               const {{ moves: [best] }} = await values.tables.probe(read(here));
               if (!best || best.ending) break;
               here = best.position; }} }})()"
        );
        let game = cost(browser, files, &[game, rules], &plies);
        eprintln!("{position}: 40 plies with all moves {game}");
    });
}
