//! The page in a real browser.
//!
//! `ANSER_AXE` names the file `axe.min.js` of axe-core, if accessibility is to be checked by it;
//! `ANSER_PICTURES` a directory that pictures for the README are written to.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use anser_games::SearchPath;
use anser_server::Options;
use serde_json::{Value, json};

use crate::support::{Running, start, start_at};
use crate::webdriver::Browser;

/// One browser at a time: the machine may have two cores.
static ONE: Mutex<()> = Mutex::new(());

/// Runs a test on a page of its own; nothing may be complained of, or leave the origin.
fn on_a_page(test: impl FnOnce(&Browser, &mut Running, &str)) {
    let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let Some(browser) = Browser::start() else { return };
    let mut server = start(&Options::new(SearchPath::embedded()));
    let origin = format!("http://{}", server.address);
    test(&browser, &mut server, &origin);
    let requests = browser.requests();
    assert!(!requests.is_empty());
    for request in requests {
        assert!(request.starts_with(&origin) || request.starts_with("data:"), "{request}");
    }
    // The browser itself notes every answer 400, which positions that are set up may have.
    let complaints = browser.complaints().into_iter().filter(|line| !line.contains("400 (Bad"));
    assert_eq!(complaints.collect::<Vec<_>>(), Vec::<String>::new());
}

const VERDICT: &str = "document.querySelector('.verdict')?.textContent";
const FIRST_MOVE: &str = ".moves tbody button";

/// Opens a place and waits for its verdict.
fn open(browser: &Browser, url: &str) {
    browser.open(url);
    browser.wait(VERDICT);
}

/// Chooses a point of the board by a pointer.
fn point(browser: &Browser, name: &str) {
    browser.click(&format!(".spot[aria-label^='{name}:'] .hit"));
}

/// Presses Tab until an element of a selector has the focus.
fn tab_to(browser: &Browser, selector: &str) {
    for _ in 0..40 {
        if browser.eval(&format!("document.activeElement.matches('{selector}')")) == true {
            return;
        }
        browser.press("Tab");
    }
    panic!("no Tab leads to {selector}");
}

#[test]
fn explorer_permalink_and_history() {
    on_a_page(|browser, _, origin| {
        open(browser, &format!("{origin}/"));
        browser.wait("location.pathname.split('/').length === 4");
        open(browser, &format!("{origin}/hare-hounds/budget-60/h2_h3R_h2_h"));
        assert_eq!(browser.text(VERDICT), "The hounds win in 23 plies.");
        let first = browser.text(&format!("document.querySelector('{FIRST_MOVE}').textContent"));
        assert!(first.ends_with("1-6"), "{first}");
        browser.click(FIRST_MOVE);
        browser.wait(&format!("{VERDICT} === 'The hounds win in 22 plies.'"));
        // A piece is moved by two clicks; what is not legal is said.
        point(browser, "8");
        point(browser, "1");
        browser.wait("document.querySelector('.status').textContent.includes('no legal move')");
        point(browser, "3");
        browser.wait(&format!("{VERDICT} !== 'The hounds win in 22 plies.'"));
        let place = browser.text("location.pathname");
        assert_eq!(browser.eval("document.querySelectorAll('.record li').length"), 3);
        browser.reload();
        browser.wait("document.querySelectorAll('.record li').length === 3");
        assert_eq!(browser.text("location.pathname"), place);
        browser.back();
        browser.wait(&format!("{VERDICT} === 'The hounds win in 22 plies.'"));
        browser.back();
        browser.wait(&format!("{VERDICT} === 'The hounds win in 23 plies.'"));
        // Best play to its end.
        browser.eval("[...document.querySelectorAll('button')].find((b) => b.textContent === 'Show best play to the end').click()");
        browser.wait("document.querySelectorAll('.record button').length === 23");
        browser.eval("[...document.querySelectorAll('.record button')].at(-1).click()");
        browser.wait(&format!("{VERDICT} === 'The hounds have won.'"));
        // A missing layer is said to be missing.
        open(browser, &format!("{origin}/fox-geese/free/3_3_7_3F3_ggggggg_ggg_ggg_f"));
        assert!(browser.text(VERDICT).contains("not known here"));
        assert!(browser.text("document.querySelector('.note').textContent").contains("layer 13"));
        assert_eq!(browser.eval("document.querySelectorAll('.moves button').length"), 5);
        picture(browser, "explorer", &format!("{origin}/fox-geese/free/3_3_1ggg3_1gg3g_Fg5_3_3_g"));
    });
}

/// Writes a picture for the README, if pictures are wanted.
fn picture(browser: &Browser, name: &str, url: &str) {
    let Ok(dir) = std::env::var("ANSER_PICTURES") else { return };
    let size = json!({ "width": 1200, "height": 700, "deviceScaleFactor": 1, "mobile": false });
    browser.command("Emulation.setDeviceMetricsOverride", &size);
    open(browser, url);
    let path = Path::new(&dir).join(format!("{name}.png.base64"));
    fs::write(path, browser.picture()).expect("the picture can be written");
}

#[test]
fn positions_are_set_up() {
    on_a_page(|browser, _, origin| {
        open(browser, &format!("{origin}/fox-geese/free/3_3_7_3F3_2ggg2_1g1_1g1_f"));
        browser.eval("[...document.querySelectorAll('.tabs button')][2].click()");
        browser.wait("document.querySelector('#edit-side')");
        let put = |piece: &str, on: &str| {
            browser.eval(&format!(
                "[...document.querySelectorAll('.bar button')].find((b) => b.textContent === '{piece}').click()"
            ));
            point(browser, on);
        };
        put("Empty", "d4");
        browser.wait("document.querySelector('.panel .problem')");
        let why = browser.text("document.querySelector('.problem').textContent");
        assert!(why.contains("fox"), "{why}");
        put("Fox", "d7");
        browser.wait(VERDICT);
        put("Geese", "d6");
        put("Geese", "d1");
        browser.wait("![...document.querySelectorAll('.bar button')].at(-1).disabled");
        browser.eval("[...document.querySelectorAll('.bar button')].at(-1).click()");
        browser.wait("location.pathname.endsWith('/1F1_1g1_7_7_2ggg2_1g1_3_f')");
        browser.wait("document.querySelector('.moves')");
    });
}

/// Plays as the side of this number against perfection; returns the last verdict.
fn play(browser: &Browser, origin: &str, side: usize) -> String {
    open(browser, &format!("{origin}/hexapawn:3x3"));
    browser.eval("[...document.querySelectorAll('.tabs button')][1].click()");
    browser.wait("document.querySelector('#player-0')");
    let computer = 1 - side;
    for (number, value) in [(side, "person"), (computer, "computer")] {
        browser.eval(&format!(
            "(() => {{ const s = document.querySelector('#player-{number}'); s.value = '{value}'; s.dispatchEvent(new Event('change')); }})()"
        ));
        browser.wait("!document.querySelector('[aria-busy]')");
    }
    for _ in 0..12 {
        browser.wait(
            "document.querySelector('.verdict').textContent.includes('won') || document.querySelector('.spot.movable')",
        );
        if browser.text(VERDICT).contains("won") {
            break;
        }
        let before = browser.text("location.pathname");
        // The values are hidden until they are asked for.
        assert_eq!(browser.eval("document.querySelectorAll('.arrow').length"), 0);
        let position = browser.text("decodeURIComponent(location.pathname).split('/')[3].replace(/_([wb])$/, ' $1').replaceAll('_', '/')");
        let mv = browser.text(&format!(
            "fetch('/api/v1/probe?game=hexapawn&position=' + encodeURIComponent('{position}')).then((r) => r.json()).then((p) => p.moves[0].move)"
        ));
        let points: Vec<&str> = mv.split(['-', 'x']).collect();
        point(browser, points[0]);
        point(browser, points[points.len() - 1]);
        browser.wait(&format!("location.pathname !== '{before}'"));
    }
    browser.text(VERDICT)
}

#[test]
fn play_to_the_end_as_each_side() {
    on_a_page(|browser, _, origin| {
        assert_eq!(play(browser, origin, 0), "Black has won.");
        assert!(browser.text("document.body.innerText").contains("Nobody gave the outcome away."));
        assert_eq!(play(browser, origin, 1), "Black has won.");
        browser.eval("[...document.querySelectorAll('button')].find((b) => b.textContent === 'Take back').click()");
        browser.wait("document.querySelector('.verdict').textContent === 'Black to move.'");
    });
}

#[test]
fn keyboard_alone() {
    on_a_page(|browser, _, origin| {
        open(browser, &format!("{origin}/hexapawn:3x3"));
        tab_to(browser, ".spot");
        assert_eq!(browser.eval("document.querySelectorAll('.spot[tabindex=\"0\"]').length"), 1);
        let label = || browser.text("document.activeElement.getAttribute('aria-label')");
        for _ in 0..3 {
            browser.press("ArrowLeft");
            browser.press("ArrowDown");
        }
        browser.press("ArrowRight");
        assert_eq!(label(), "b1: white, can move");
        browser.press("Enter");
        browser.press("ArrowUp");
        assert_eq!(label(), "b2: empty, can move here");
        browser.press("Enter");
        browser.wait(&format!("{VERDICT} === 'Black wins in 5 plies.'"));
        assert!(
            browser.text("document.querySelector('.status').textContent").contains("White: b1-b2.")
        );
        // Typed moves.
        tab_to(browser, "#typed");
        for key in "a3xb2".chars() {
            browser.press(&key.to_string());
        }
        browser.press("Enter");
        browser.wait(&format!("{VERDICT} === 'Black wins in 4 plies.'"));
        // Back through the moves, by keys, and moves in the table.
        tab_to(browser, ".tabs button");
        browser.press("ArrowLeft");
        browser.wait(&format!("{VERDICT} === 'Black wins in 5 plies.'"));
        tab_to(browser, ".moves button");
        assert_eq!(browser.eval("document.querySelectorAll('.arrow.marked').length"), 1);
        browser.press("Enter");
        browser.wait(&format!("{VERDICT} !== 'Black wins in 5 plies.'"));
        browser.press("?");
        browser.wait("document.querySelector('dialog[open]')");
        browser.press("Escape");
        browser.wait("!document.querySelector('dialog')");
    });
}

#[test]
fn narrow_dark_touched_and_accessible() {
    on_a_page(|browser, _, origin| {
        let axe = std::env::var("ANSER_AXE")
            .ok()
            .map(|path| fs::read_to_string(path).expect("axe.min.js"));
        let metrics = |width: u32, height: u32, mobile: bool| {
            let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile });
            browser.command("Emulation.setDeviceMetricsOverride", &size);
        };
        for dark in [false, true] {
            let scheme = json!({ "name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" } });
            browser.command("Emulation.setEmulatedMedia", &json!({ "features": [scheme] }));
            for (width, height, mobile) in
                [(320, 640, true), (1280, 860, false), (2400, 1300, false)]
            {
                metrics(width, height, mobile);
                for game in ["fox-geese", "fox-hounds:8", "hare-hounds", "hexapawn:3x3"] {
                    open(browser, &format!("{origin}/{game}"));
                    let wide = browser.eval("document.documentElement.scrollWidth").as_u64();
                    assert!(wide <= Some(u64::from(width)), "{game} is {wide:?} wide at {width}");
                    // The board is seen whole without scrolling.
                    let bottom = browser.eval("Math.ceil(document.querySelector('.board').getBoundingClientRect().bottom)");
                    assert!(
                        bottom.as_u64() <= Some(u64::from(height)),
                        "{game} {bottom} at {height}"
                    );
                }
            }
            let light = browser
                .eval("getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0] > 128");
            assert_eq!(light, !dark);
            metrics(1280, 860, false);
            for tab in 0..5 {
                open(browser, &format!("{origin}/fox-geese/free/3_3_7_3F3_2ggg2_1g1_1g1_f"));
                browser.eval(&format!(
                    "[...document.querySelectorAll('.tabs button')][{tab}].click()"
                ));
                browser.wait("!document.querySelector('[aria-busy]') && document.querySelector('.panel .panel').children.length > 0");
                if let Some(axe) = &axe {
                    let found = check(browser, axe);
                    assert!(found.is_empty(), "tab {tab}, dark {dark}: {found:#?}");
                }
            }
        }
        browser.open(&format!("{origin}/api"));
        if let Some(axe) = &axe {
            assert_eq!(check(browser, axe), Vec::<Value>::new());
        }
        assert!(browser.text("document.body.innerText").contains("POST /api/v1/probe"));
        // A touch picks a piece up, and another puts it down.
        metrics(320, 640, true);
        browser.command("Emulation.setTouchEmulationEnabled", &json!({ "enabled": true }));
        open(browser, &format!("{origin}/hexapawn:3x3"));
        for name in ["b1", "b2"] {
            let place = browser.eval(&format!(
                "(() => {{ const r = document.querySelector(\".spot[aria-label^='{name}:'] .hit\").getBoundingClientRect(); return {{ x: r.x + r.width / 2, y: r.y + r.height / 2 }}; }})()"
            ));
            let touch = |kind: &str, points: Value| {
                browser.command(
                    "Input.dispatchTouchEvent",
                    &json!({ "type": kind, "touchPoints": points }),
                );
            };
            touch("touchStart", json!([place]));
            touch("touchEnd", json!([]));
        }
        browser.wait(&format!("{VERDICT} === 'Black wins in 5 plies.'"));
        metrics(1280, 860, false);
    });
}

/// What axe finds on the page.
fn check(browser: &Browser, axe: &str) -> Vec<Value> {
    // As a script of the driver: the page's policy allows none but its own.
    browser.eval(&format!("(() => {{ {axe}; }})()"));
    let found = browser.eval(
        "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })\
         .then((r) => r.violations.map((v) => ({ id: v.id, help: v.help, nodes: v.nodes.map((n) => n.html + ' ' + n.failureSummary) })))",
    );
    found.as_array().unwrap_or_else(|| panic!("{found}")).clone()
}

#[test]
fn a_server_that_goes_away_and_comes_back() {
    let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let Some(browser) = Browser::start() else { return };
    let mut server = start(&Options::new(SearchPath::embedded()));
    let address = server.address;
    open(&browser, &format!("http://{address}/hexapawn:3x3"));
    browser.click(FIRST_MOVE);
    browser.wait(&format!("{VERDICT} === 'Black wins in 5 plies.'"));
    server.stop().expect("it stops");
    // What was seen is shown again.
    browser.press("ArrowLeft");
    browser.wait(&format!("{VERDICT} === 'Black wins in 6 plies.'"));
    browser.eval("[...document.querySelectorAll('.moves button')][1].click()");
    browser.wait("document.querySelector('.problem')");
    assert!(
        browser.text("document.querySelector('.problem').textContent").contains("does not answer")
    );
    let _again = start_at(&Options::new(SearchPath::embedded()), address);
    browser.click(".problem button");
    browser.wait(&format!("{VERDICT} === 'Black wins in 3 plies.'"));
}
