//! The page in a real browser.
//!
//! `ANSER_AXE` names the file `axe.min.js` of axe-core, if accessibility is to be checked by it;
//! `ANSER_PICTURES` a directory that pictures for the README are written to.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anser_games::answers::RecordAnswer;
use anser_games::{Registry, SearchPath};
use anser_server::{Options, Solving};
use anser_solve::{SolveOptions, Unobserved};
use serde_json::{Value, json};

use crate::support::{Running, start, start_at};
use crate::webdriver::Browser;

/// Runs a test on a page of its own; nothing may be complained of, or leave the origin.
pub(crate) fn on_a_page(test: impl FnOnce(&Browser, &mut Running, &str)) {
    let Some(browser) = Browser::start() else { return };
    let mut server = start(&Options::new(SearchPath::embedded()));
    let origin = format!("http://{}", server.address);
    test(&browser, &mut server, &origin);
    let requests = browser.requests();
    assert!(!requests.is_empty());
    for request in requests {
        let request = request.trim_start_matches("blob:");
        assert!(request.starts_with(&origin) || request.starts_with("data:"), "{request}");
    }
    assert_eq!(complaints(&browser), Vec::<String>::new());
}

/// The warnings and errors in the console since the last call. The browser itself notes every
/// answer 400, which positions that are set up may have, and 404, which puzzles have that there are
/// none of.
pub(crate) fn complaints(browser: &Browser) -> Vec<String> {
    let is_noted = |line: &String| {
        line.contains("400 (Bad") || (line.contains("404 (Not") && line.contains("/random?"))
    };
    browser.complaints().into_iter().filter(|line| !is_noted(line)).collect()
}

/// Gives the page another size, in CSS pixels.
pub(crate) fn resize(browser: &Browser, width: u32, height: u32, mobile: bool) {
    let size =
        json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile });
    browser.command("Emulation.setDeviceMetricsOverride", &size);
}

pub(crate) const VERDICT: &str = "document.querySelector('.verdict')?.textContent";
const FIRST_MOVE: &str = ".moves tbody button";

/// The position that is shown.
pub(crate) const POSITION: &str = "document.title.split(', ').at(-1)";

/// Opens a place and waits for its verdict.
pub(crate) fn open(browser: &Browser, url: &str) {
    browser.open(url);
    browser.wait(VERDICT);
}

/// Chooses a point of the board by a pointer.
pub(crate) fn point(browser: &Browser, name: &str) {
    browser.click(&format!(".spot[aria-label^='{name}:'] .hit"));
}

/// Presses the button with these words, as a program does.
pub(crate) fn press_button(browser: &Browser, words: &str) {
    let button = format!(
        "[...document.querySelectorAll('button')]\
         .find((b) => (b.getAttribute('aria-label') ?? b.textContent) === '{words}')"
    );
    browser.wait(&format!("{button} && !{button}.disabled"));
    browser.eval(&format!("{button}.click()"));
}

/// Chooses an option.
pub(crate) fn choose(browser: &Browser, id: &str, value: &str) {
    browser.wait(&format!("document.querySelector('#{id} option[value=\"{value}\"]')"));
    browser.eval(&format!(
        "(() => {{ const s = document.querySelector('#{id}'); s.value = '{value}'; \
         s.dispatchEvent(new Event('change')); }})()"
    ));
}

/// Opens the panel of a tab, from 0.
pub(crate) fn tab(browser: &Browser, number: usize) {
    browser.eval(&format!("[...document.querySelectorAll('.tabs button')][{number}].click()"));
}

/// Returns the place of a point on the screen.
fn place(browser: &Browser, name: &str) -> Value {
    browser.eval(&format!(
        "(() => {{ const r = document.querySelector(\".spot[aria-label^='{name}:'] .hit\")\
         .getBoundingClientRect(); return {{ x: r.x + r.width / 2, y: r.y + r.height / 2 }}; }})()"
    ))
}

/// The words in the line of status.
pub(crate) const STATUS: &str = "document.querySelector('.status').textContent";

/// Types words and sends them.
pub(crate) fn type_in(browser: &Browser, words: &str) {
    browser.wait("document.querySelector('#typed')");
    browser.eval(&format!(
        "(() => {{ const input = document.querySelector('#typed'); input.value = {}; \
         input.form.requestSubmit(); }})()",
        json!(words)
    ));
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
        // Its table is not here; a full run whose results are kept has the value, and best play.
        browser.wait("location.pathname === '/fox-geese/free/3_3_7_3F3_ggggggg_ggg_ggg_f'");
        assert_eq!(browser.text(VERDICT), "The geese win in 78 plies.");
        let notes =
            "[...document.querySelectorAll('.note')].map((note) => note.textContent).join()";
        let notes = browser.text(notes);
        assert!(notes.contains("results are kept") && notes.contains("layer 13"), "{notes}");
        // The text for screen readers agrees, all moves of a lost position lose, and served tables
        // are named.
        assert!(browser.text(STATUS).contains("The geese win in 78 plies."));
        assert_eq!(
            browser.eval(
                "[...document.querySelectorAll('.moves th[scope=rowgroup]')]\
                 .map((th) => th.textContent)"
            ),
            json!(["Moves that lose"])
        );
        assert_eq!(
            browser.text("document.querySelector('.moves tbody tr:nth-child(2)').textContent"),
            "▽d4-c4loses77"
        );
        assert!(notes.contains("Served here: outcomes of 1–7 geese."), "{notes}");
        let more = browser.text("document.querySelector('details pre').textContent");
        assert_eq!(
            more,
            "anser solve fox-geese --rules free --layers 1-13 --metric wdl,dtw --tables tables\n\
             anser serve --tables tables"
        );
        press_button(browser, "Show best play to the end");
        browser.wait("document.querySelectorAll('.record li').length === 79");
        browser.wait("document.querySelector('.record [aria-current]').textContent === 'Start'");
        // The slider goes through the moves, and what was captured meanwhile is said.
        browser.eval(
            "(() => { const s = document.querySelector('.slider'); s.value = s.max; \
             s.dispatchEvent(new Event('input')); })()",
        );
        browser.wait(&format!("{VERDICT} === 'The geese have won.'"));
        assert!(
            browser
                .text("document.querySelector('.turn').textContent")
                .contains("Captured: geese ")
        );
        assert!(
            browser.eval("document.querySelectorAll('.tray .lost .second').length > 0") == true
        );
        browser.eval(
            "(() => { const s = document.querySelector('.slider'); s.value = 0; \
             s.dispatchEvent(new Event('input')); })()",
        );
        browser.wait(&format!("{VERDICT} === 'The geese win in 78 plies.'"));
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
        press_button(browser, "Show best play to the end");
        browser.wait("document.querySelectorAll('.record button').length === 23");
        browser.eval("[...document.querySelectorAll('.record button')].at(-1).click()");
        browser.wait(&format!("{VERDICT} === 'The hounds have won.'"));
        // A missing layer is said to be missing.
        open(browser, &format!("{origin}/fox-geese/free/3_3_7_3F3_ggggggg_ggg_1gg_f"));
        assert!(browser.text(VERDICT).contains("not known here"));
        assert!(browser.text("document.querySelector('.note').textContent").contains("layer 12"));
        assert_eq!(browser.eval("document.querySelectorAll('.moves button').length"), 5);
        picture(browser, "explorer", &format!("{origin}/fox-geese/free/3_3_1ggg3_1gg3g_Fg5_3_3_g"));
        open(browser, &format!("{origin}/fox-geese/first-capture"));
        browser.click(".tabs button:last-child");
        browser.wait("document.querySelector('.histogram')");
        picture_of_this(browser, "statistics");
    });
}

/// Writes a picture of an address for the README, if pictures are wanted.
fn picture(browser: &Browser, name: &str, url: &str) {
    open(browser, url);
    picture_of_this(browser, name);
}

/// Writes a picture of what is shown for the README, if pictures are wanted.
fn picture_of_this(browser: &Browser, name: &str) {
    let Ok(dir) = std::env::var("ANSER_PICTURES") else { return };
    resize(browser, 1200, 700, false);
    let path = Path::new(&dir).join(format!("{name}.png.base64"));
    fs::write(path, browser.picture()).expect("the picture can be written");
}

#[test]
fn sentences_names_and_sizes_are_clear() {
    on_a_page(|browser, _, origin| {
        let turn = "document.querySelector('.turn').textContent";
        open(browser, &format!("{origin}/fox-geese/free/3_3_7_3F3_7_3_1g1_f"));
        assert!(browser.text(turn).contains("1 goose on the board."), "{}", browser.text(turn));
        open(browser, &format!("{origin}/fox-hounds:8"));
        assert_eq!(browser.text(turn), "The fox to move. ");
        // Names of points lie off the lines.
        open(browser, &format!("{origin}/hare-hounds"));
        let nearest = browser.eval(
            "Math.min(...[...document.querySelectorAll('.lines text')].flatMap((name) => \
             [...document.querySelectorAll('.lines line')].map((line) => {\
             const n = (key) => Number(line.getAttribute(key)); \
             const [x, y] = [Number(name.getAttribute('x')), Number(name.getAttribute('y')) - 8];\
             const [dx, dy] = [n('x2') - n('x1'), n('y2') - n('y1')];\
             const t = Math.max(0, Math.min(1, \
             ((x - n('x1')) * dx + (y - n('y1')) * dy) / (dx * dx + dy * dy)));\
             return Math.hypot(n('x1') + t * dx - x, n('y1') + t * dy - y); })))",
        );
        assert!(nearest.as_f64() > Some(16.0), "{nearest}");
        // A board of another size.
        open(browser, &format!("{origin}/hexapawn:3x3"));
        choose(browser, "size", "hexapawn:4x4");
        browser.wait(&format!("{VERDICT} === 'White wins in 11 plies.'"));
        assert_eq!(browser.text("document.querySelector('#game').value"), "hexapawn:4x4");
        assert_eq!(
            browser.text("document.querySelector('#size').selectedOptions[0].textContent"),
            "4 × 4"
        );
        assert_eq!(
            browser.text("document.querySelector('#game').selectedOptions[0].textContent"),
            "Hexapawn 4 × 4"
        );
        browser.wait("document.title.startsWith('Anser: Hexapawn 4 × 4, ')");
        choose(browser, "game", "fox-geese");
        browser.wait(
            "location.pathname.startsWith('/fox-geese/') && !document.querySelector('#size')",
        );
        // The longest wins have their side.
        tab(browser, 4);
        browser.wait(
            "/^[0-9]+, geese$/.test(document.querySelectorAll('.shares tbody')[1]?\
             .rows[12].cells[3].textContent)",
        );
    });
}

#[test]
fn positions_are_set_up() {
    on_a_page(|browser, _, origin| {
        open(browser, &format!("{origin}/fox-geese/free/3_3_7_3F3_2ggg2_1g1_1g1_f"));
        browser.eval("[...document.querySelectorAll('.tabs button')][2].click()");
        browser.wait("document.querySelector('#edit-side')");
        let put = |piece: &str, on: &str| {
            browser.eval(&format!(
                "[...document.querySelectorAll('.bar button')]\
                 .find((b) => b.textContent === '{piece}').click()"
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

#[test]
fn the_numbers_of_a_position_are_set_up() {
    on_a_page(|browser, _, origin| {
        let fields = "[...document.querySelectorAll('.settings input')].map((input) => \
                      `${input.previousSibling.textContent} ${input.value}`).join()";
        let set_up = |place: &str| {
            open(browser, &format!("{origin}/{place}?tab=edit"));
            browser.wait("document.querySelector('button.use')");
            browser.text(fields)
        };
        // The text of the position follows, and the field keeps the focus.
        let set = |field: usize, value: &str, position: &str| {
            browser.eval(&format!(
                "(() => {{ const input = document.querySelector('#edit-number-{field}'); \
                 input.focus(); input.value = '{value}'; \
                 input.dispatchEvent(new Event('change')); }})()"
            ));
            browser.wait(&format!(
                "document.querySelector('.panel code').textContent === '{position}' && \
                 document.activeElement.id === 'edit-number-{field}'"
            ));
        };
        let problem = || browser.text("document.querySelector('.panel .problem')?.textContent");
        let is_offered = || browser.eval("!document.querySelector('button.use').disabled");
        // Pieces in hand, and captured ones.
        assert_eq!(set_up("bagh-chal"), "Goats in hand 20,Goats captured 0");
        set(0, "17", "T3T/5/5/5/T3T g 17 0");
        assert!(problem().contains("17 in hand, 3 are captured"), "{}", problem());
        assert_eq!(is_offered(), false);
        set(1, "3", "T3T/5/5/5/T3T g 17 3");
        assert_eq!((problem(), is_offered()), (String::new(), json!(true)));
        // A piece that is put on the board is taken from the hand, and goes back to it.
        point(browser, "c3");
        browser.wait(&format!("{fields} === 'Goats in hand 16,Goats captured 3'"));
        press_button(browser, "Clear the board");
        browser.wait(&format!("{fields} === 'Goats in hand 17,Goats captured 3'"));
        // Plies left.
        assert_eq!(set_up("hare-hounds/budget-60"), "Plies left 60");
        set(0, "99", "h2/h3R/h2 h 99");
        assert!(problem().contains("no more than 60 plies are left"), "{}", problem());
        set(0, "12", "h2/h3R/h2 h 12");
        press_button(browser, "Use this position");
        browser.wait(&format!("{VERDICT} === 'The hare wins in 12 plies.'"));
        assert_eq!(browser.text(POSITION), "h2/h3R/h2 h 12");
        assert_eq!(set_up("hare-hounds/budget-60/h2_h3R_h2_h_7"), "Plies left 7");
        // Games without such numbers have no fields.
        for place in ["hare-hounds/unlimited", "fox-geese"] {
            assert_eq!(set_up(place), "", "{place}");
        }
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
            "(() => {{ const s = document.querySelector('#player-{number}'); s.value = '{value}'; \
             s.dispatchEvent(new Event('change')); }})()"
        ));
        browser.wait("!document.querySelector('[aria-busy]')");
    }
    for _ in 0..12 {
        browser.wait(
            "document.querySelector('.verdict').textContent.includes('won') || \
             document.querySelector('.spot.movable')",
        );
        if browser.text(VERDICT).contains("won") {
            break;
        }
        let before = browser.text(POSITION);
        // The values are hidden until they are asked for.
        assert_eq!(browser.eval("document.querySelectorAll('.arrow').length"), 0);
        let mv = browser.text(&format!(
            "fetch('/api/v1/probe?game=hexapawn&position=' + encodeURIComponent('{before}'))\
             .then((r) => r.json()).then((p) => p.moves[0].move)"
        ));
        let points: Vec<&str> = mv.split(['-', 'x']).collect();
        point(browser, points[0]);
        point(browser, points[points.len() - 1]);
        browser.wait(&format!("{POSITION} !== '{before}'"));
    }
    browser.text(VERDICT)
}

#[test]
fn play_to_the_end_as_each_side() {
    on_a_page(|browser, _, origin| {
        assert_eq!(play(browser, origin, 0), "Black has won.");
        assert!(browser.text("document.body.innerText").contains("No move changed the outcome."));
        assert_eq!(play(browser, origin, 1), "Black has won.");
        browser.eval(
            "[...document.querySelectorAll('button')].find((b) => b.textContent === 'Take back')\
             .click()",
        );
        browser.wait("document.querySelector('.verdict').textContent === 'Black to move.'");
    });
}

/// Last moves of games: the position before, the side that moves, its move, who has won, and why.
type Ends = [(&'static str, usize, &'static str, &'static str, &'static str)];

/// Every way in which a game ends, by rule set.
const ENDS: [(&str, &Ends); 10] = [
    (
        "fox-geese/free",
        &[
            ("3/3/7/3Fg2/2gg3/1g1/3 f", 0, "d4xf4", "The fox has", "fewer than four geese"),
            ("gF1/1gg/g2g3/7/7/3/2g g", 1, "e6-e7", "The geese have", "blocked"),
        ],
    ),
    (
        "fox-geese/first-capture",
        &[
            ("3/3/3g3/5g1/7/2g/g1F f", 0, "e1xe3", "The fox has", "first capture"),
            ("gF1/1gg/g2g3/7/7/3/2g g", 1, "e6-e7", "The geese have", "blocked"),
        ],
    ),
    ("fox-geese/forward", &[("ggg/gg1/4F2/7/7/3/3 f", 0, "e5-e6", "The fox has", "blocked")]),
    (
        "fox-hounds:4/escape",
        &[
            ("2/F1/1h/1h f", 0, "b3-a2", "The fox has", "escaped"),
            ("1h/F1/2/1h f", 0, "b3-c2", "The fox has", "blocked"),
            ("2/1F/hh/2 h", 1, "c2-b3", "The fox has", "escaped"),
            ("2/2/Fh/h1 h", 1, "c2-b3", "The hounds have", "blocked"),
        ],
    ),
    (
        "hasenspiel/literal",
        &[
            ("4/4/1b2/3b/4/b3/1bW1/4 w", 0, "f2-e1", "The rabbit has", "home"),
            ("bbb1/2b1/4/4/4/1W2/4/4 w", 0, "c3-b2", "The rabbit has", "blocked"),
            ("1bbW/4/3b/3b/4/4/4/4 b", 1, "h6-g7", "The pawns have", "blocked"),
        ],
    ),
    ("hasenspiel/author", &[("bb1b/4/4/4/W3/1b2/4/4 b", 1, "c3-d4", "The rabbit has", "home")]),
    (
        "hare-hounds/budget-60",
        &[
            ("Rh1/3hh/3 r 37", 0, "1-4", "The hare has", "home"),
            ("2h/2Rhh/3 r 35", 0, "6-11", "The hare has", "blocked"),
            ("2h/3hh/R2 r 1", 0, "9-5", "The hare has", "out of plies"),
            ("2h/3hh/R2 h 1", 1, "7-11", "The hare has", "out of plies"),
            ("2h/2h1R/2h h 36", 1, "6-7", "The hounds have", "blocked"),
        ],
    ),
    (
        "hexapawn:3x3/standard",
        &[
            ("pp1/P1p/1PP w", 0, "a2xb3", "White has", "far row"),
            ("1p1/1p1/2P w", 0, "c1xb2", "White has", "blocked"),
            ("p1p/P1p/1P1 b", 1, "c2-c1", "Black has", "far row"),
            ("2p/1Pp/3 b", 1, "c3xb2", "Black has", "no pawns"),
        ],
    ),
    ("hexapawn:4x4/standard", &[("4/1PPP/p3/1P2 w", 0, "b1xa2", "White has", "no pawns")]),
    ("hexapawn:3x3/standard", &[("p1p/1PP/1P1 b", 1, "a3xb2", "Black has", "blocked")]),
];

#[test]
fn every_end_of_every_game_is_shown_with_its_reason() {
    on_a_page(|browser, _, origin| {
        for (set, ends) in ENDS {
            open(browser, &format!("{origin}/{set}?tab=play"));
            choose(browser, "player-0", "person");
            choose(browser, "player-1", "person");
            for &(position, side, mv, winner, reason) in ends {
                tab(browser, 0);
                type_in(browser, position);
                let shown = format!(
                    "{POSITION} === '{position}' && !document.querySelector('[aria-busy]')"
                );
                browser.wait(&shown);
                tab(browser, 1);
                browser.wait(&format!("{shown} && document.querySelector('.spot.movable')"));
                let points: Vec<&str> = mv.split(['-', 'x']).collect();
                point(browser, points[0]);
                point(browser, points[1]);
                browser.wait(&format!("{VERDICT} === '{winner} won.'"));
                let why = browser.text("document.querySelector('.turn').textContent");
                assert_eq!(why, format!("The game is over: {reason}."), "{set} {position}");
                browser.wait("document.querySelector('.panel .graph')");
                let owner = browser.text(&format!(
                    "document.querySelector(\".spot[aria-label^='{}:']\").getAttribute('aria-label')",
                    points[1]
                ));
                assert!(!owner.ends_with("empty"), "{set} {position}: {owner}");
                press_button(browser, "Take back");
                browser.wait(&shown);
                // The computer wins where it can.
                let verb = if winner.ends_with("have") { "have" } else { "has" };
                let player = browser
                    .text(&format!("document.querySelector('[for=player-{side}]').textContent"));
                if winner.to_lowercase().contains(&player.to_lowercase()) {
                    choose(browser, &format!("player-{side}"), "computer");
                    browser.wait(&format!("{VERDICT}.endsWith('{verb} won.')"));
                    assert_eq!(browser.text(VERDICT), format!("{winner} won."));
                    browser.wait(
                        "document.querySelector('.turn').textContent\
                         .startsWith('The game is over: ')",
                    );
                    choose(browser, &format!("player-{side}"), "person");
                }
            }
        }
    });
}

#[test]
fn moves_that_end_the_game_are_explored_and_imported() {
    on_a_page(|browser, _, origin| {
        // Asked for alone, the position after a first capture is in play.
        let before = "3_3_3g3_5g1_7_2g_g1F_f";
        open(browser, &format!("{origin}/fox-geese/first-capture/{before}"));
        browser.click(FIRST_MOVE);
        browser.wait(&format!("{VERDICT} === 'The fox has won.'"));
        let over = "document.querySelector('#moves').textContent";
        assert_eq!(browser.text(over), "The game is over: first capture.");
        assert_eq!(browser.text(POSITION), "3/3/3g3/5g1/4F2/3/g2 g");
        let link = browser.text("location.href");
        assert!(link.ends_with(&format!("/{before}?moves=e1xe3")), "{link}");
        open(browser, &link);
        assert_eq!(browser.text(VERDICT), "The fox has won.");
        browser.press("ArrowLeft");
        browser.wait(&format!("{VERDICT} === 'The fox wins.'"));
        // A record with its last capture, and back again.
        open(browser, &format!("{origin}/fox-geese/free"));
        type_in(browser, "3/3/7/3Fg2/2gg3/1g1/3 f d4xf4");
        browser.wait(&format!("{VERDICT} === 'The fox has won.'"));
        browser.eval(
            "(() => { navigator.clipboard.writeText = (words) => { window.copied = words; \
             return Promise.resolve(); }; })()",
        );
        press_button(browser, "Copy record");
        let record: RecordAnswer =
            serde_json::from_str(&browser.text("window.copied")).expect("a record");
        let result = record.result.expect("a result");
        assert_eq!(result.ending.as_deref(), Some("fewer than four geese"));
        let last = &record.line[0].ply.played;
        assert_eq!((last.dtw, last.ending.as_deref()), (Some(0), result.ending.as_deref()));
        // More moves than the game has.
        type_in(browser, "3/3/7/3Fg2/2gg3/1g1/3 f d4xf4 d3-d4");
        browser.wait(&format!("{STATUS}.includes('up to move 2, d3-d4')"));
    });
}

#[test]
fn links_carry_the_moves_the_place_and_the_tab() {
    on_a_page(|browser, _, origin| {
        open(browser, &format!("{origin}/hexapawn:3x3?moves=b1-b2,a3xb2,a1xb2&at=1"));
        assert_eq!(browser.text(VERDICT), "Black wins in 5 plies.");
        assert_eq!(browser.eval("document.querySelectorAll('.record li').length"), 4);
        assert_eq!(
            browser.text("document.querySelector('.record [aria-current]').textContent"),
            "1. b1-b2"
        );
        browser.press("ArrowRight");
        browser.wait(&format!(
            "{VERDICT} === 'Black wins in 4 plies.' && location.search.endsWith('&at=2')"
        ));
        tab(browser, 4);
        browser.wait(
            "location.search.endsWith('&at=2&tab=statistics') && \
             document.querySelector('.histogram')",
        );
        let link = browser.text("location.href");
        open(browser, &format!("{origin}/fox-hounds:4"));
        browser.open(&link);
        browser.wait("document.querySelector('.histogram')");
        tab(browser, 0);
        browser.wait(&format!("{VERDICT} === 'Black wins in 4 plies.'"));
        // A problem with an address is shown, and the page can be used.
        open(browser, &format!("{origin}/hexapawn:3x3?moves=b1-b2,b1-b2&at=x&tab=nothing"));
        browser.wait(&format!(
            "{STATUS}.includes('no tab called nothing') && {STATUS}.includes('move 2, b1-b2')"
        ));
        assert_eq!(browser.text(VERDICT), "Black wins in 5 plies.");
        // A puzzle is given by its position and its kind.
        browser
            .open(&format!("{origin}/hexapawn:4x4/standard/pppp_4_4_PPPP_w?tab=puzzles&kind=win"));
        browser.wait(&format!("{VERDICT}?.startsWith('White to move. Win in 11')"));
    });
}

#[test]
fn the_computer_says_what_its_moves_rest_on() {
    let notes = "[...document.querySelectorAll('.note')].map((note) => note.textContent).join()";
    on_a_page(|browser, _, origin| {
        // Without values it searches.
        open(
            browser,
            &format!("{origin}/fox-geese/free/3_3_7_3F3_ggggggg_ggg_ggg_f?moves=d4-d5&tab=play"),
        );
        browser.wait(&format!(
            "history.state.played.length === 2 && \
             /searched [1-9][0-9]* pl(y|ies) ahead/.test({notes})"
        ));
        // With outcomes alone, it keeps them.
        open(browser, &format!("{origin}/fox-geese/first-capture/3_3_4g1g_4g1F_6g_2g_3_g"));
        tab(browser, 1);
        browser.wait(&format!("{notes}.includes('distances are not')"));
        // With distances there is nothing to say.
        open(browser, &format!("{origin}/hexapawn:3x3?moves=b1-b2&tab=play"));
        browser.wait("history.state.played.length === 2 && !document.querySelector('[aria-busy]')");
        assert!(!browser.text(notes).contains("known here"));
        // The third time in the same position is a draw; in a won position it is none.
        let rounds = "moves=d4-c4,d3-c3,c4-d4,c3-d3,d4-c4,d3-c3,c4-d4,c3-d3";
        open(
            browser,
            &format!("{origin}/fox-geese/free/3_3_7_3F3_3gg2_1g1_1g1_f?{rounds}&tab=play"),
        );
        assert_eq!(browser.text(VERDICT), "Drawn: the third time in the same position.");
        assert!(browser.text(notes).contains("third time is a draw, unless it is known to be won"));
        assert_eq!(browser.eval("document.querySelectorAll('.spot.movable').length"), 0);
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
        for (width, height, mobile) in [(320, 640, true), (1280, 717, false), (2400, 1300, false)] {
            resize(browser, width, height, mobile);
            for game in ["fox-geese", "fox-hounds:8", "hare-hounds", "hexapawn:3x3", "neg-tugal"] {
                open(browser, &format!("{origin}/{game}"));
                let wide = browser.eval("document.documentElement.scrollWidth").as_u64();
                assert!(wide <= Some(u64::from(width)), "{game} is {wide:?} wide at {width}");
                let names = browser.eval("document.querySelector('#game').offsetWidth");
                assert!(names.as_u64() >= Some(120), "{game} has {names} for names at {width}");
                // The board is seen whole without scrolling.
                let bottom = browser.eval(
                    "Math.ceil(document.querySelector('.board').getBoundingClientRect().bottom)",
                );
                assert!(bottom.as_u64() <= Some(height.into()), "{game} {bottom} at {height}");
            }
        }
        let axe = axe();
        for dark in [false, true] {
            let scheme = if dark { "dark" } else { "light" };
            let scheme = json!({ "name": "prefers-color-scheme", "value": scheme });
            browser.command("Emulation.setEmulatedMedia", &json!({ "features": [scheme] }));
            let light = browser
                .eval("getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0] > 128");
            assert_eq!(light, !dark);
            resize(browser, 1280, 860, false);
            for tab in 0..6 {
                open(browser, &format!("{origin}/fox-geese/free/3_3_7_3F3_2ggg2_1g1_1g1_f"));
                // The tabs, and the longest wins.
                let button = if tab < 5 {
                    format!("document.querySelectorAll('.tabs button')[{tab}]")
                } else {
                    "document.querySelector('.left > .bar').lastChild".into()
                };
                browser.eval(&format!("{button}.click()"));
                browser.wait(
                    "!document.querySelector('[aria-busy]') && \
                     document.querySelector('.panel .panel').children.length > 0",
                );
                resize(browser, 320, 640, true);
                let wide = browser.eval("document.documentElement.scrollWidth").as_u64();
                assert!(wide <= Some(320), "tab {tab} is {wide:?} wide");
                resize(browser, 1280, 860, false);
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
        resize(browser, 320, 640, true);
        browser.command("Emulation.setTouchEmulationEnabled", &json!({ "enabled": true }));
        open(browser, &format!("{origin}/hexapawn:3x3"));
        let touch = |kind: &str, points: Value| {
            browser.command(
                "Input.dispatchTouchEvent",
                &json!({ "type": kind, "touchPoints": points }),
            );
        };
        for name in ["b1", "b2"] {
            touch("touchStart", json!([place(browser, name)]));
            touch("touchEnd", json!([]));
        }
        browser.wait(&format!("{VERDICT} === 'Black wins in 5 plies.'"));
        // A finger drags a piece, and scrolls the page from a point where a piece can be placed.
        let swipe = |name: &str, down: f64| {
            let mut at = place(browser, name);
            let from = at["y"].as_f64().expect("a place");
            touch("touchStart", json!([at]));
            for part in 1..=10 {
                at["y"] = (from + down * f64::from(part) / 10.0).into();
                touch("touchMove", json!([at]));
            }
            touch("touchEnd", json!([]));
        };
        open(browser, &format!("{origin}/hexapawn:3x3"));
        let [from, to] = ["a1", "a2"].map(|name| place(browser, name)["y"].as_f64());
        swipe("a1", to.expect("a place") - from.expect("a place"));
        browser.wait(&format!("{POSITION} === 'ppp/P2/1PP b'"));
        open(browser, &format!("{origin}/bagh-chal"));
        swipe("c3", -100.0);
        browser.wait("window.scrollY > 50");
        assert_eq!(browser.eval("history.state.played.length"), 0);
        resize(browser, 1280, 860, false);
    });
}

/// The script of axe, if its file is named.
fn axe() -> Option<String> {
    let path = std::env::var("ANSER_AXE").ok()?;
    Some(fs::read_to_string(path).expect("axe.min.js"))
}

/// Returns the violations that axe finds on the page.
pub(crate) fn check(browser: &Browser, axe: &str) -> Vec<Value> {
    // As a script of the driver: the page's policy allows none but its own.
    browser.eval(&format!("(() => {{ {axe}; }})()"));
    let found = browser.eval(
        "axe.run(document, \
         { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })\
         .then((r) => r.violations.map((v) => ({ id: v.id, help: v.help, \
         nodes: v.nodes.map((n) => n.html + ' ' + n.failureSummary) })))",
    );
    found.as_array().unwrap_or_else(|| panic!("{found}")).clone()
}

#[test]
fn statistics_and_records() {
    on_a_page(|browser, _, origin| {
        // They need no position.
        for (panel, shown) in [("statistics", ".histogram"), ("records", ".records")] {
            browser.open(&format!("{origin}/fox-geese/first-capture/no_position?tab={panel}"));
            browser.wait(&format!(
                "document.querySelector('.problem') && document.querySelector('{shown}')"
            ));
        }
        open(browser, &format!("{origin}/fox-geese/first-capture/3_3_7_3F3_ggggggg_ggg_ggg_f"));
        tab(browser, 4);
        browser.wait("document.querySelector('.histogram')");
        assert_eq!(
            browser.eval("document.querySelectorAll('.shares tbody')[1].children.length"),
            31
        );
        assert_eq!(browser.text("document.querySelector('#histogram').value"), "13");
        let label = "document.querySelector('.histogram').getAttribute('aria-label')";
        let of_13 = browser.text(label);
        assert!(of_13.contains("Distances, 13") && of_13.contains("The geese win"), "{of_13}");
        // The chart shows the counts of the server.
        let counted = browser.eval(
            "fetch('/api/v1/census?game=fox-geese&rules=first-capture').then((r) => r.json())\
             .then(({ layers }) =>\
             ['fox', 'geese'].map((winner) => new Set(['fox', 'geese'].flatMap((side) => \
             Object.keys(layers[12].to_move[side].depths[winner]))).size))",
        );
        let drawn = browser.eval(
            "['part-first', 'part-second'].map((kind) => \
             document.querySelectorAll(`.histogram .${kind}`).length)",
        );
        assert_eq!(drawn, counted);
        assert_eq!(
            browser.eval("document.querySelectorAll('details .shares tbody tr').length").as_u64(),
            drawn.as_array().map(|drawn| drawn.iter().filter_map(Value::as_u64).max().unwrap_or(0)),
            "the same as a table"
        );
        choose(browser, "histogram", "4");
        browser.wait(&format!("{label}.includes('Distances, 4')"));
        // The longest wins are one click from the board, and each is a link to its position.
        press_button(browser, "Longest wins");
        browser.wait("document.querySelectorAll('.records tbody a').length > 31");
        let longest = "[...document.querySelectorAll('.records tbody tr')]\
                       .find((row) => row.firstChild.textContent === '13' \
                       && row.children[1].textContent === 'geese').querySelector('a')";
        let href = browser.text(&format!("{longest}.getAttribute('href')"));
        let plies = browser.text(&format!("{longest}.textContent"));
        browser.eval(&format!("{longest}.click()"));
        browser.wait(&format!("location.pathname === '{href}'"));
        browser.wait(&format!("{VERDICT} === 'The geese win in {plies}.'"));
        browser.wait("document.querySelector('.note').textContent.includes('results are kept')");
        browser.back();
        browser.wait("location.pathname.endsWith('ggggggg_ggg_ggg_f')");
        // A small game is counted as a whole, and its longest wins have lines.
        open(browser, &format!("{origin}/fox-hounds:4"));
        tab(browser, 4);
        browser.wait("document.querySelectorAll('#histogram option').length === 2");
        press_button(browser, "Longest wins");
        browser.wait("document.querySelector('.records tbody a')");
        browser.eval("document.querySelector('.records tbody a').click()");
        browser.wait(
            "document.querySelector('.moves') && \
             document.querySelector('.tabs [aria-pressed=true]').textContent === 'Explore'",
        );
        // Layers by placement are listed with their pieces.
        open(browser, &format!("{origin}/bagh-chal/standard"));
        tab(browser, 4);
        browser.wait("document.querySelectorAll('.shares tbody tr').length > 50");
        for text in [
            "document.querySelector('#histogram option[value=\"16\"]').textContent",
            "[...document.querySelectorAll('.shares tbody th')].map((th) => th.textContent)\
             .find((text) => text.startsWith('16'))",
        ] {
            let text = browser.text(text);
            assert!(text.ends_with("4 tigers, 16 goats, 4 captured"), "{text}");
        }
        // Rules without kept distances say so.
        open(browser, &format!("{origin}/fox-geese/forward"));
        tab(browser, 4);
        browser.wait("document.querySelectorAll('.shares tbody tr').length === 31");
        assert!(
            browser
                .text("document.querySelector('.panel .panel').textContent")
                .contains("not known here")
        );
        press_button(browser, "Longest wins");
        browser
            .wait("document.querySelector('.panel .panel').textContent.includes('not known here')");
    });
}

/// The moves of the position that is shown, best first, as the server has them.
fn moves(browser: &Browser, game: &str) -> Vec<Value> {
    let found = browser.eval(&format!(
        "fetch('/api/v1/probe?game={game}&position=' + encodeURIComponent({POSITION}))\
         .then((r) => r.json()).then((p) => p.moves)"
    ));
    found.as_array().unwrap_or_else(|| panic!("{found}")).clone()
}

#[test]
fn puzzles_of_all_kinds_and_their_series() {
    const SERIES: &str = "document.querySelector('.streak').textContent";
    let solved = "document.querySelector('.verdict').textContent.startsWith('Right: ')";
    on_a_page(|browser, _, origin| {
        let series = |count: u32, best: u32| {
            browser
                .wait(&format!("{SERIES} === 'Solved in a row: {count}. Longest series: {best}.'"));
        };
        for (game, kind) in
            [("hexapawn:4x4", "only"), ("hexapawn:4x4", "win"), ("fox-geese", "draw")]
        {
            open(browser, &format!("{origin}/{game}"));
            tab(browser, 3);
            choose(browser, "puzzle-kind", kind);
            let asks = match kind {
                "only" => "only move that wins",
                "win" => "Win in ",
                _ => "only move that holds the draw",
            };
            browser.wait(&format!("{VERDICT}?.includes('{asks}')"));
            series(0, 0);
            // Right moves to the end; the computer replies between them.
            let solve = || {
                for _ in 0..6 {
                    browser.wait(
                        "!document.querySelector('[aria-busy]') && \
                         document.querySelector('#typed')",
                    );
                    let asked = browser.text(VERDICT);
                    type_in(browser, moves(browser, game)[0]["move"].as_str().expect("a move"));
                    // The reply may come before "Right so far." is seen; then fewer plies are left.
                    browser.wait(&format!(
                        "{solved} || ({VERDICT}.includes('{asks}') && {VERDICT} !== '{asked}')"
                    ));
                    if browser.eval(solved) == true {
                        break;
                    }
                }
                assert_eq!(browser.eval(solved), true);
            };
            let next = || {
                browser.eval("(() => { window.seen = document.querySelector('.verdict'); })()");
                press_button(browser, "Next puzzle");
                browser.wait(&format!(
                    "document.querySelector('.verdict') !== window.seen && \
                     {VERDICT}?.includes('{asks}')"
                ));
            };
            solve();
            series(1, 1);
            assert_eq!(browser.text(&format!("localStorage.getItem('streak.{kind}')")), "1");
            next();
            // The series outlasts the page, and a wrong move ends it.
            solve();
            series(2, 2);
            let wrong = |moves: &[Value]| {
                let is_wrong = |mv: &&Value| {
                    mv["outcome"] != moves[0]["outcome"]
                        || (kind == "win" && mv["dtw"] != moves[0]["dtw"])
                };
                moves
                    .iter()
                    .find(is_wrong)
                    .map(|mv| mv["move"].as_str().expect("a move").to_owned())
            };
            let wrong = loop {
                next();
                if let Some(wrong) = wrong(&moves(browser, game)) {
                    break wrong;
                }
            };
            type_in(browser, &wrong);
            browser
                .wait(&format!("{STATUS}.includes('{wrong}') && {STATUS}.includes('Try again')"));
            series(0, 2);
            // The solution, which ends a series.
            next();
            solve();
            series(1, 2);
            next();
            let best = moves(browser, game)[0]["move"].as_str().expect("a move").to_owned();
            press_button(browser, "Show the solution");
            browser.wait(&format!(
                "{VERDICT}.startsWith('The solution ') && {VERDICT}.endsWith(' {best}.')"
            ));
            browser.wait(
                "document.querySelector('.arrow.marked') && document.querySelector('.moves')",
            );
            series(0, 2);
        }
        // Back leads to the puzzles before, each with its question and kind.
        open(browser, &format!("{origin}/hexapawn:4x4"));
        tab(browser, 3);
        let asks = |what: &str| browser.wait(&format!("{VERDICT}?.includes('{what}')"));
        asks("only move that wins");
        let first = browser.text("location.href");
        press_button(browser, "Next puzzle");
        browser.wait(&format!("location.href !== '{first}'"));
        asks("only move that wins");
        let second = browser.text("location.href");
        choose(browser, "puzzle-kind", "win");
        asks("Win in ");
        for link in [second, first] {
            browser.back();
            browser.wait(&format!("location.href === '{link}'"));
            asks("only move that wins");
            browser.wait("document.querySelector('#typed')");
        }
        // A position that is no puzzle is not called one.
        let place = "hexapawn:3x3/standard/ppp_3_PPP_w?tab=puzzles&kind=only";
        browser.open(&format!("{origin}/{place}"));
        browser
            .wait("document.querySelector('.panel .panel')?.textContent.includes('is no puzzle')");
        // A kind that a game does not have.
        open(browser, &format!("{origin}/fox-hounds:6"));
        tab(browser, 3);
        choose(browser, "puzzle-kind", "draw");
        browser.wait(
            "document.querySelector('.panel .panel').textContent\
             .includes('No puzzle of this kind')",
        );
    });
}

#[test]
fn pieces_in_hand_are_shown_placed_and_set_up_and_a_blocked_side_passes() {
    on_a_page(|browser, _, origin| {
        let says = |words: &str| {
            browser
                .wait(&format!("document.querySelector('.turn')?.textContent.includes('{words}')"));
        };
        open(browser, &format!("{origin}/kaooa"));
        says("In hand: vulture 1, crows 7.");
        let beside = |side: &str, kind: &str| {
            browser.eval(&format!("document.querySelectorAll('.tray .{kind} .{side}').length"))
        };
        assert_eq!((beside("first", "hand"), beside("second", "hand")), (json!(1), json!(7)));
        point(browser, "t1");
        says("In hand: crows 7.");
        point(browser, "i3");
        says("In hand: crows 6.");
        let count = |side: &str| {
            browser.eval(&format!("document.querySelectorAll('.board .piece.{side}').length"))
        };
        assert_eq!((count("first"), count("second")), (json!(1), json!(1)));
        // A piece that is put on the board is taken from the hand.
        tab(browser, 2);
        browser.wait("document.querySelector('button.use')");
        point(browser, "t3");
        browser.wait("document.querySelectorAll('.board .piece.second').length === 2");
        press_button(browser, "Use this position");
        says("In hand: crows 5.");
        let position = format!("kk_{}C1_k", "2_".repeat(30));
        open(browser, &format!("{origin}/neg-tugal/standard/{position}?tab=play"));
        choose(browser, "player-0", "person");
        choose(browser, "player-1", "person");
        press_button(browser, "Pass");
        browser.wait("document.querySelectorAll('.record li').length === 2");
    });
}

#[test]
fn boards_are_mirrored_and_pieces_dragged() {
    on_a_page(|browser, _, origin| {
        open(browser, &format!("{origin}/hexapawn:3x3"));
        let left = |name: &str| place(browser, name)["x"].as_f64().expect("a place");
        let (a, c) = (left("a1"), left("c1"));
        assert!(a < c);
        browser.press("m");
        assert_eq!((left("a1"), left("c1")), (c, a));
        press_button(browser, "Flip the board");
        assert_eq!((left("a1"), left("c1")), (a, c), "mirrored and turned around");
        let mouse = |kind: &str, at: &Value| {
            browser.command(
                "Input.dispatchMouseEvent",
                &json!({
                    "type": kind,
                    "x": at["x"],
                    "y": at["y"],
                    "button": "left",
                    "buttons": 1,
                    "clickCount": 1
                }),
            );
        };
        let drag = |from: &str, to: &str| {
            let (from, to) = (place(browser, from), place(browser, to));
            mouse("mousePressed", &from);
            mouse("mouseMoved", &to);
            mouse("mouseReleased", &to);
        };
        drag("b1", "c3");
        browser.wait(&format!("{STATUS}.includes('b1 to c3 is no legal move')"));
        browser.press("Escape");
        drag("b1", "b2");
        browser.wait(&format!("{VERDICT} === 'Black wins in 5 plies.'"));
        assert_eq!(browser.eval("document.querySelectorAll('.record li').length"), 2);
    });
}

#[test]
fn records_are_copied_and_pasted_and_pictures_saved() {
    on_a_page(|browser, _, origin| {
        open(browser, &format!("{origin}/hexapawn:3x3"));
        // Moves alone, with numbers and marks; then one that is not legal.
        type_in(browser, "1. b1-b2 c3xb2 2. c1xb2?");
        browser.wait("document.querySelectorAll('.record li').length === 4");
        browser.eval(
            "(() => { navigator.clipboard.writeText = (words) => { window.copied = words; \
             return Promise.resolve(); }; })()",
        );
        press_button(browser, "Copy record");
        browser.wait("window.copied");
        let copied = browser.text("window.copied");
        // The button says so for a moment.
        let has_button = |label: &str| {
            browser.wait(&format!(
                "[...document.querySelectorAll('button')].some((b) => b.textContent === '{label}')"
            ));
        };
        has_button("Copied.");
        has_button("Copy record");
        // Over HTTP there is no clipboard: the words are selected and copied, or cannot be.
        browser.eval(
            "(() => { Object.defineProperty(navigator, 'clipboard', { value: undefined }); \
             document.execCommand = () => { window.selected = document.activeElement.value; \
             return true; }; })()",
        );
        press_button(browser, "Copy record");
        has_button("Copied.");
        assert_eq!(browser.text("window.selected"), copied);
        assert_eq!(browser.eval("document.querySelectorAll('textarea').length"), 0);
        has_button("Copy record");
        browser.eval("(() => { document.execCommand = () => false; })()");
        press_button(browser, "Copy record");
        has_button("The browser did not allow copying.");
        has_button("Copy record");
        // The command line reads it.
        let record: RecordAnswer = serde_json::from_str(&copied).expect("it is a record");
        assert_eq!(
            (record.root.game.as_str(), record.plies, record.line.len()),
            ("hexapawn:3x3", 3, 3)
        );
        assert_eq!(record.root.rated.dtw, Some(6));
        let last = &record.line[2];
        assert_eq!(
            (last.ply.played.mv.as_str(), &*last.ply.side, last.ply.played.dtw),
            ("c1xb2", "white", Some(1))
        );
        type_in(browser, "b1-b2");
        browser.wait(&format!("{STATUS}.startsWith('b1-b2 is no legal move')"));
        assert_eq!(browser.eval("document.querySelectorAll('.record li').length"), 4);
        // The answer also stands below the field, and that to the words before no longer.
        type_in(browser, &copied[..copied.len() - 1]);
        browser.wait(&format!("{STATUS}.startsWith('This is no whole record')"));
        let notes = "[...document.querySelectorAll('form ~ .problem')].map((p) => p.textContent)";
        assert_eq!(browser.eval(notes), json!(["This is no whole record of a game."]));
        // Pasted elsewhere, it opens its game.
        open(browser, &format!("{origin}/fox-hounds:4"));
        type_in(browser, &copied);
        browser.wait(
            "location.pathname.startsWith('/hexapawn:3x3/') && \
             document.querySelectorAll('.record li').length === 4",
        );
        browser.wait(&format!("{VERDICT} === 'Black wins in 1 ply.'"));
        type_in(browser, "ppp/3/PPP w b1-b2 c1-c2");
        browser.wait(&format!("{STATUS}.includes('up to move 2, c1-c2')"));
        assert_eq!(browser.eval("document.querySelectorAll('.record li').length"), 2);
        browser.eval(
            "(() => { const make = URL.createObjectURL.bind(URL); \
             URL.createObjectURL = (blob) => { window.saved = blob; return make(blob); }; })()",
        );
        press_button(browser, "Save picture");
        let saved = browser.text("window.saved.text()");
        assert!(saved.starts_with("<svg") && saved.contains("rgb(213, 94, 0)"), "{saved}");
        let parsed = "new DOMParser().parseFromString(SAVED, 'image/svg+xml')\
                      .querySelectorAll('.piece').length";
        assert_eq!(browser.eval(&parsed.replace("SAVED", &json!(saved).to_string())), 6);
    });
}

#[test]
fn records_with_placements_are_typed() {
    on_a_page(|browser, _, origin| {
        let moves = |count: usize| {
            browser.wait(&format!(
                "!document.querySelector('[aria-busy]') && \
                 (document.querySelectorAll('.record li').length || 1) === {}",
                count + 1
            ));
        };
        open(browser, &format!("{origin}/bagh-chal"));
        type_in(browser, "c3 a1-a2");
        moves(2);
        // Moves go on from the position that is shown.
        type_in(browser, "2.c1 a2-a1 3. d3?");
        moves(5);
        // What cannot be read leaves the moves as they are.
        for (wrong, says) in [
            ("e5 d3", "e5 is no legal move here"),
            ("T3T/5/5/5/T3T g 20 0 a1 c3", "The record begins with a1"),
            ("3/3 g", ""),
        ] {
            type_in(browser, wrong);
            browser.wait(&if says.is_empty() {
                "document.querySelector('form + .problem')".into()
            } else {
                format!("{STATUS}.includes('{says}')")
            });
            moves(5);
        }
        type_in(browser, "T3T/5/5/5/T3T g 20 0 c3 a1-b1");
        moves(2);
        browser.wait(&format!("{POSITION}.endsWith(' g 19 0')"));
        // A position alone, also in the notation of the exchange.
        type_in(browser, "TXXXT/XXXXX/XXGXX/XXXXX/TXXXT t c0 mC3 1");
        browser.wait(&format!("{POSITION} === 'T3T/5/2g2/5/T3T t 19 0'"));
        // Numbers of moves need no space, and a number may stand before a move alone.
        open(browser, &format!("{origin}/hexapawn:3x3"));
        type_in(browser, "1.b1-b2 c3xb2");
        moves(2);
        type_in(browser, "2.c1xb2");
        moves(3);
    });
}

#[test]
fn points_where_pieces_can_be_placed_are_marked() {
    on_a_page(|browser, _, origin| {
        open(browser, &format!("{origin}/bagh-chal"));
        // Every empty point is marked, also for the keyboard.
        let placeable = "document.querySelectorAll('.spot.placeable').length";
        assert_eq!(browser.eval(placeable), 21);
        let mark = "getComputedStyle(document.querySelector('.spot.placeable')).cursor + \
                    (getComputedStyle(document.querySelector('.spot.placeable .ring')).stroke \
                    !== 'none')";
        assert_eq!(browser.text(mark), "pointertrue");
        let label =
            "document.querySelector(\".spot[aria-label^='c3:']\").getAttribute('aria-label')";
        assert_eq!(browser.text(label), "c3: empty, a piece can be placed here");
        point(browser, "c3");
        browser.wait(&format!("{STATUS}.startsWith('Goats: c3.')"));
        assert_eq!(browser.eval(placeable), 0, "the tigers move");
        // Points of a board that is set up take any piece.
        open(browser, &format!("{origin}/bagh-chal?tab=edit"));
        browser.wait("document.querySelector('button.use')");
        assert_eq!(browser.eval(placeable), 0);
        // The computer places.
        open(browser, &format!("{origin}/bagh-chal?tab=play"));
        browser.wait("history.state.played.length === 1 && !document.querySelector('[aria-busy]')");
        choose(browser, "player-0", "computer");
        choose(browser, "player-1", "person");
        browser.wait(
            "history.state.played.length === 2 && \
             document.querySelectorAll('.spot.placeable').length === 20",
        );
    });
}

#[test]
fn captured_pieces_are_those_of_the_position() {
    on_a_page(|browser, _, origin| {
        open(browser, &format!("{origin}/bagh-chal/standard/T3T_5_2ggg_5_T3T_g_13_4"));
        let turn = browser.text("document.querySelector('.turn').textContent");
        assert!(turn.ends_with("In hand: goats 13. Captured: goats 4."), "{turn}");
        assert_eq!(browser.eval("document.querySelectorAll('.tray .lost .second').length"), 4);
        // Without this number, those since the start.
        open(browser, &format!("{origin}/fox-geese/free/3_3_7_3F3_2ggg2_1g1_1g1_f"));
        let turn = browser.text("document.querySelector('.turn').textContent");
        assert!(!turn.contains("Captured"), "{turn}");
    });
}

#[test]
fn the_computer_plays_on_in_long_games() {
    on_a_page(|browser, _, origin| {
        // The start and the moves that were sent with the last request for a move.
        let sent = || {
            let of = |name: &str| {
                browser.text(&format!(
                    "new URL(performance.getEntriesByType('resource').map(({{ name }}) => name)\
                     .findLast((name) => name.includes('/move?'))).searchParams.get('{name}')"
                ))
            };
            (of("position"), of("moves"))
        };
        let replied = |plies: usize| {
            browser.wait(&format!("history.state.played.length === {plies} + 1"));
        };
        // More moves than fit into a request: the most recent ones are sent.
        let start = "fox-geese/free/3_3_7_3F3_3gg2_1g1_1g1_f";
        let rounds = "d4-c4,d3-c3,c4-d4,c3-d3,".repeat(140);
        open(browser, &format!("{origin}/{start}?moves={rounds}d4-d5&tab=play"));
        replied(561);
        let (_, moves) = sent();
        assert!(moves.len() > 2000 && moves.ends_with("c3-d3,d4-d5"), "{moves}");
        // No position before a capture or a placement comes again.
        let start = "fox-geese/free/3_3_7_3Fg2_2gg3_1g1_1g1_f";
        open(browser, &format!("{origin}/{start}?moves=d4xf4&tab=play"));
        replied(1);
        assert_eq!(sent(), ("3/3/7/5F1/2gg3/1g1/1g1 g".into(), String::new()));
        open(browser, &format!("{origin}/bagh-chal?moves=c3,a1-a2&tab=play"));
        replied(2);
        assert_eq!(sent(), ("T3T/5/2g2/5/T3T t 19 0".into(), "a1-a2".into()));
    });
}

#[test]
fn weights_are_explained_where_a_strength_has_one() {
    on_a_page(|browser, _, origin| {
        let p = "document.querySelector('.panel').textContent.includes('With p, ')";
        for (game, is_explained) in [("bagh-chal", false), ("fox-hounds:8", true)] {
            open(browser, &format!("{origin}/{game}?tab=play"));
            browser.wait("document.querySelector('#strength')");
            assert_eq!(browser.eval(p), is_explained, "{game}");
        }
    });
}

#[test]
fn strength_and_resignation() {
    on_a_page(|browser, _, origin| {
        open(browser, &format!("{origin}/fox-hounds:8"));
        tab(browser, 1);
        // The fairest fuzz factor of the document.
        choose(browser, "strength", "0.006935");
        choose(browser, "player-1", "computer");
        choose(browser, "player-0", "computer");
        browser.wait("history.state.played.length > 0");
        // A choice may be open while they play: it is not drawn anew.
        browser.eval(
            "(() => { window.listed = document.querySelector('#strength'); \
             window.moved = 0; new MutationObserver((changes) => { window.moved += changes.filter(\
             ({ removedNodes }) => [...removedNodes].some((node) => node.contains(window.listed))\
             ).length; }).observe(document.body, { childList: true, subtree: true }); })()",
        );
        browser
            .wait("location.pathname.split('/')[3].length > 3 && history.state.played.length > 3");
        assert_eq!(browser.eval("window.listed.isConnected && window.moved"), 0);
        choose(browser, "player-0", "person");
        browser.wait("document.querySelector('.spot.movable')");
        browser.wait("!document.querySelector('[aria-busy]')");
        press_button(browser, "Resign");
        browser.wait(&format!("{VERDICT} === 'The fox resigns.'"));
        browser.wait("document.querySelector('.panel .graph')");
        assert_eq!(browser.eval("document.querySelectorAll('.spot.movable').length"), 0);
        browser.eval(
            "(() => { navigator.clipboard.writeText = (words) => { window.copied = words; \
             return Promise.resolve(); }; })()",
        );
        press_button(browser, "Copy record");
        let record: Value = serde_json::from_str(&browser.text("window.copied")).expect("JSON");
        assert_eq!(
            record["result"],
            json!({ "outcome": "hounds", "by": "resignation", "ending": null })
        );
        assert_eq!((&record["fuzz"], &record["fuzz_as"]), (&json!(0.006_935), &json!("printed")));
        press_button(browser, "New game");
        browser.wait(&format!("{VERDICT} === 'The fox to move.'"));
        choose(browser, "strength", "casual");
        choose(browser, "player-0", "computer");
        browser.wait("history.state.played.length > 3");
        press_button(browser, "Copy record");
        let record: Value = serde_json::from_str(&browser.text("window.copied")).expect("JSON");
        assert_eq!((&record["style"], &record["fuzz"]), (&json!("casual"), &json!(0)));
        choose(browser, "strength", "search-4");
        browser.wait(
            "[...document.querySelectorAll('.note')].some((note) => \
             /^The computer searched \\d+ pl(y|ies) ahead, and can be wrong\\.$/.test(note.textContent))",
        );
        press_button(browser, "Copy record");
        let record: Value = serde_json::from_str(&browser.text("window.copied")).expect("JSON");
        assert_eq!((&record["style"], &record["fuzz"]), (&json!("search-4"), &json!(0)));
    });
}

#[test]
fn captures_with_the_same_ends_are_chosen_below_the_board() {
    on_a_page(|browser, _, origin| {
        let offered =
            "[...document.querySelectorAll('.board-box button')].map((b) => b.textContent)";
        let play = |place: &str| open(browser, &format!("{origin}/{place}?tab=play"));
        let start = "3_3_2g3g_7_3gF2_1g1_1g1_f";
        play(&format!("fox-geese/forward+chain+compulsory/{start}"));
        point(browser, "e3");
        assert_eq!(browser.eval(offered), json!([]));
        point(browser, "e1");
        assert_eq!(browser.eval(offered), json!(["e3xc3xe1", "e3xc1xe1"]));
        // When the piece is let go of, the focus is on the board, and no move is marked.
        browser.eval("document.querySelector('.board-box button').focus()");
        assert_eq!(browser.eval("document.querySelectorAll('.arrow.marked').length"), 1);
        browser.press("Escape");
        assert_eq!(browser.eval("document.querySelectorAll('.arrow.marked').length"), 0);
        assert_eq!(browser.eval("document.activeElement.matches('.spot')"), true);
        for name in ["e3", "e1"] {
            point(browser, name);
        }
        press_button(browser, "e3xc1xe1");
        browser.wait("history.state.played[0]?.move === 'e3xc1xe1'");
        browser.wait(&format!("{offered}.length === 0"));
        // A chain that comes back is offered with the piece, whose point lets go of it.
        play("asalto/approach+all+chain/3_O1s_ssss2s_s1sO1ss_sssssss_sss_sss_o");
        point(browser, "d4");
        let round = "d4xb4xd6xd4";
        assert_eq!(browser.eval(&format!("{offered}.includes('{round}')")), true);
        let said = browser.text(STATUS);
        assert!(said.contains("Or choose a capture below the board."), "{said}");
        point(browser, "d4");
        assert_eq!(browser.eval(offered), json!([]));
        point(browser, "d4");
        press_button(browser, round);
        browser.wait(&format!("history.state.played[0]?.move === '{round}'"));
    });
}

#[test]
fn players_stay_when_the_page_is_read_again_and_the_end_is_spoken() {
    on_a_page(|browser, _, origin| {
        let settled = "!document.querySelector('[aria-busy]')";
        open(browser, &format!("{origin}/hexapawn:3x3?tab=play"));
        choose(browser, "strength", "expert");
        choose(browser, "player-0", "computer");
        let ended = format!("/(White|Black) (has|have) won/.test({STATUS})");
        browser.wait(&ended);
        browser.eval("location.reload()");
        browser.wait(&format!("{settled} && document.querySelector('#player-1')"));
        for (id, value) in
            [("player-0", "computer"), ("player-1", "computer"), ("strength", "expert")]
        {
            assert_eq!(browser.text(&format!("document.querySelector('#{id}').value")), value);
        }
        browser.wait(&ended);
        // The rules are there, and stay open from move to move.
        choose(browser, "player-0", "person");
        press_button(browser, "New game");
        browser.wait("document.querySelector('.spot.movable')");
        browser.eval("document.querySelector('.panel details').open = true");
        for name in ["a1", "a2"] {
            point(browser, name);
        }
        browser.wait(&format!("{settled} && history.state.played.length > 1"));
        assert_eq!(browser.eval("document.querySelector('.panel details').open"), true);
        // A point that had the focus has it when the board is turned.
        let focused = "document.activeElement.getAttribute('aria-label')?.slice(0, 3)";
        for key in ["f", "m"] {
            browser.eval("document.querySelector(\".spot[aria-label^='b2:']\").focus()");
            browser.press(key);
            assert_eq!(browser.eval(focused), "b2:", "{key}");
        }
        // What cannot be the players does not count.
        for kept in ["x", "null", "{\"computer\":5}", "{\"strength\":\"expert\"}"] {
            browser.eval(&format!("sessionStorage.setItem('anser.players', '{kept}')"));
            browser.eval("location.reload()");
            browser.wait(&format!("{settled} && document.querySelector('#player-1')"));
            assert_eq!(browser.text("document.querySelector('#player-1').value"), "computer");
        }
        // Another game may not have the strength that was chosen.
        open(browser, &format!("{origin}/fox-hounds:8?tab=play"));
        choose(browser, "strength", "0.006935");
        choose(browser, "game", "hexapawn:3x3");
        browser.wait(&format!("{settled} && {POSITION} === 'ppp/3/PPP w'"));
        assert_eq!(browser.text("document.querySelector('#strength').value"), "0");
        let kept = "JSON.parse(sessionStorage.getItem('anser.players')).strength.fuzz";
        choose(browser, "player-1", "person");
        assert_eq!(browser.eval(kept), 0);
    });
}

#[test]
fn puzzles_go_on_with_another_game_and_pieces_in_hand_are_shown_while_a_position_is_set_up() {
    on_a_page(|browser, _, origin| {
        open(browser, &format!("{origin}/hexapawn:4x4?tab=puzzles"));
        let is_puzzle = format!("({VERDICT} ?? '').includes('Find the only move')");
        browser.wait(&is_puzzle);
        let places = browser.eval("history.length");
        choose(browser, "game", "hare-hounds");
        browser.wait(&format!("location.pathname.startsWith('/hare-hounds/') && {is_puzzle}"));
        assert_eq!(browser.eval("history.length").as_u64(), places.as_u64().map(|it| it + 1));
        // Play begins where the game does.
        tab(browser, 1);
        browser.wait(&format!("{POSITION} === 'h2/h3R/h2 h'"));
        let count =
            |kind: &str| format!("document.querySelectorAll('.tray .{kind} .piece').length");
        open(browser, &format!("{origin}/bagh-chal?tab=edit"));
        browser.wait(&format!("{} === 20", count("hand")));
        // What is taken off the board was not captured.
        open(browser, &format!("{origin}/fox-geese?tab=edit"));
        press_button(browser, "Clear the board");
        browser.wait("document.querySelectorAll('.pieces .piece').length === 0");
        assert_eq!(browser.eval(&count("lost")), 0);
    });
}

#[test]
fn a_server_that_goes_away_and_comes_back() {
    let Some(browser) = Browser::start() else { return };
    let mut server = start(&Options::new(SearchPath::embedded()));
    let address = server.address;
    open(&browser, &format!("http://{address}/hexapawn:3x3"));
    browser.click(FIRST_MOVE);
    browser.wait(&format!("{VERDICT} === 'Black wins in 5 plies.'"));
    server.stop().expect("it stops");
    // Positions seen before are shown again.
    browser.press("ArrowLeft");
    browser.wait(&format!("{VERDICT} === 'Black wins in 6 plies.'"));
    browser.eval("[...document.querySelectorAll('.moves button')][1].click()");
    browser.wait("document.querySelector('.problem')");
    assert!(
        browser.text("document.querySelector('.problem').textContent").contains("does not answer")
    );
    let mut server = start_at(&Options::new(SearchPath::embedded()), address);
    browser.click(".problem button");
    browser.wait(&format!("{VERDICT} === 'Black wins in 3 plies.'"));
    // The computer's move.
    open(&browser, &format!("http://{address}/hexapawn:3x3?moves=b1-b2"));
    server.stop().expect("it stops");
    tab(&browser, 1);
    browser.wait("document.querySelector('.problem')");
    let _again = start_at(&Options::new(SearchPath::embedded()), address);
    browser.click(".problem button");
    browser.wait("history.state.played.length === 2 && document.querySelector('.spot.movable')");
}

/// What is said when the solving of a layer begins.
const BEGINS: &str = "The server solves it now.";

/// The words about the solving of what is unknown.
const SOLVING: &str = "document.querySelector('.solving')?.textContent ?? ''";

#[test]
fn layers_are_solved_while_the_page_shows_them() {
    let Some(browser) = Browser::start() else { return };
    let dir = tempfile::tempdir().expect("a temporary directory");
    let mut options = Options::new(SearchPath::embedded());
    let mut solving = Solving::on_demand(dir.path());
    solving.time = Duration::from_hours(1);
    solving.threads = Some(1);
    options.solving = Some(solving);
    let mut server = start(&options);
    let (address, place) = (server.address, "fox-geese/free/3_3_7_3F3_ggggggg_1g1_1g1_f");
    open(&browser, &format!("http://{address}/{place}"));
    assert_eq!(browser.text(VERDICT), "The value of this position is not known here.");
    let words = browser.text(SOLVING);
    assert!(words.contains(" the outcomes of 9 geese"), "{words}");
    let said = browser.text(STATUS);
    assert!(said.contains("It waits to be solved.") || said.contains(BEGINS), "{said}");
    browser.wait(&format!("{STATUS}.includes('{BEGINS}')"));
    let said = browser.text(STATUS);
    // The progress moves on, and is not read out each time.
    browser.wait("document.querySelector('.solving progress')?.value > 0");
    browser.wait(&format!(
        "/^Solving the outcomes of 9 geese: \\d+ %, about \\d+ (s|min) left\\.$/.test({SOLVING})"
    ));
    assert_eq!(browser.text(STATUS), said);
    let axe = axe();
    let is_accessible = || {
        let found = axe.as_ref().map(|axe| check(&browser, axe));
        assert_eq!(found.unwrap_or_default(), Vec::<Value>::new());
    };
    is_accessible();
    // A server that does not answer is tried again on request.
    server.stop().expect("it stops");
    browser.wait("document.querySelector('.solving .problem')");
    let mut server = start_at(&options, address);
    browser.click(".solving .problem button");
    browser.eval("document.querySelectorAll('#moves button')[2].focus()");
    let focused = "document.activeElement.closest('#moves button')?.lastChild.textContent";
    let chosen = browser.text(focused);
    browser.eval(
        "(() => { window.heard = []; const status = document.querySelector('.status'); \
         new MutationObserver(() => heard.push(status.textContent))\
         .observe(status, { childList: true }); })()",
    );
    browser.wait(&format!("{VERDICT} === 'Drawn with best play.'"));
    browser.wait("!document.querySelector('[aria-busy]')");
    assert_eq!(browser.text(focused), chosen);
    // The result is read out, and the way to it is not.
    let heard = browser.text("heard.join()");
    assert!(heard.contains("Drawn with best play.") && !heard.contains("Solving"), "{heard}");
    browser.wait(&format!("{SOLVING} === ''"));
    let known = "[...document.querySelectorAll('.note')].map((note) => note.textContent).join()";
    assert!(browser.text(known).contains("Served here: outcomes of 1–9 geese."));
    // Another look at it asks nothing any more.
    server.stop().expect("it stops");
    browser.eval("document.querySelectorAll('.tabs button')[0].click()");
    browser.wait(&format!("{VERDICT} === 'Drawn with best play.'"));
    // Work that takes too long is refused, with the reason.
    let mut solving = Solving::on_demand(dir.path());
    solving.time = Duration::from_micros(1);
    options.solving = Some(solving);
    let _server = start_at(&options, address);
    open(&browser, &format!("http://{address}/fox-geese/free/3_3_7_3F3_ggggggg_1g1_g1g_f"));
    browser.wait(&format!("{SOLVING}.includes('this server solves what takes at most')"));
    assert_eq!(
        browser.eval("document.querySelector('.solving button, .solving progress')"),
        Value::Null
    );
    is_accessible();
}

#[test]
fn statistics_have_the_layers_that_were_solved_meanwhile() {
    let Some(browser) = Browser::start() else { return };
    let dir = tempfile::tempdir().expect("a temporary directory");
    let rules = "first-capture+orthogonal";
    let game = Registry::standard().game("fox-geese", Some(rules)).expect("it is registered");
    let layer = SolveOptions { layers: Some(4..=4), ..SolveOptions::new(dir.path()) };
    anser_solve::solve(&game, &layer, &Unobserved).expect("there is room");
    let mut options = Options::new(SearchPath::embedded());
    options.solving = Some(Solving::on_demand(dir.path()));
    let server = start(&options);
    let place = format!("/fox-geese/{rules}/3_3_7_3F3");
    open(&browser, &format!("http://{}{place}_2gg3_1g1_1g1_f", server.address));
    let layers = "[...document.querySelectorAll('.shares tbody th')].map((th) => th.textContent)";
    tab(&browser, 4);
    browser.wait(&format!("{layers}.join() === '4'"));
    // A position of five geese is shown until its layer is solved.
    tab(&browser, 0);
    browser.wait(VERDICT);
    browser.eval(&format!(
        "(() => {{ history.pushState(null, '', '{place}_2gg3_1g1_g1g_f'); \
         dispatchEvent(new PopStateEvent('popstate')); }})()"
    ));
    // The verdict of the position before stands there until the new one is drawn.
    browser.wait(&format!(
        "{POSITION}.startsWith('3/3/7/3F3/2gg3/1g1/g1g') && \
         !document.querySelector('[aria-busy]') && {VERDICT} === 'Drawn with best play.'"
    ));
    tab(&browser, 4);
    browser.wait(&format!("{layers}.join() === '4,5'"));
}

#[test]
fn the_focus_stays_on_what_was_chosen() {
    on_a_page(|browser, _, origin| {
        let settled = "!document.querySelector('[aria-busy]')";
        let focused = |name: &str| format!("document.activeElement.textContent === '{name}'");
        let focus = |selector: &str, words: &str| {
            browser.eval(&format!(
                "[...document.querySelectorAll('{selector}')]\
                 .find((b) => b.textContent.includes('{words}')).focus()"
            ));
        };
        open(browser, &format!("{origin}/hexapawn:3x3"));
        // From a move that was played, Tab leads to the moves that there are now.
        focus("#moves button", "b1-b2");
        browser.press("Enter");
        browser.wait(&format!("{settled} && {POSITION}.endsWith(' b')"));
        assert_eq!(browser.eval("document.activeElement === document.body"), false);
        browser.press("Tab");
        assert_eq!(browser.eval("document.activeElement.matches('#moves button')"), true);
        browser.eval("document.querySelector('#typed').focus()");
        type_in(browser, "c3xb2");
        browser.wait(&format!("{settled} && {POSITION}.endsWith(' w')"));
        assert_eq!(browser.eval("document.activeElement.id"), "typed");
        for (words, after) in [
            ("Play", "document.querySelector('#strength')"),
            ("Show values", "document.querySelector('[aria-pressed=true]:not(.tabs *)')"),
            ("Puzzles", "document.querySelector('#puzzle-kind')"),
            ("Next puzzle", "document.querySelector('#puzzle-kind')"),
            ("Edit", "document.querySelector('#edit-side')"),
            ("Clear the board", "document.querySelector('.problem')"),
        ] {
            focus("button", words);
            browser.press("Enter");
            browser.wait(&format!("{settled} && {after}"));
            assert_eq!(browser.eval(&focused(words)), true, "{words}");
        }
        // A screen reader clicks without a pointer.
        open(browser, &format!("{origin}/hexapawn:3x3"));
        for name in ["b1", "b2"] {
            browser.eval(&format!(
                "document.querySelector(\".spot[aria-label^='{name}:']\")\
                 .dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))"
            ));
        }
        browser.wait(&format!("{settled} && {POSITION} === 'ppp/1P1/P1P b'"));
        // Games are gone through by the keyboard.
        browser.eval("document.querySelector('#game').focus()");
        let place = browser.text("location.pathname");
        browser.press("ArrowUp");
        browser.wait(&format!("{settled} && location.pathname !== '{place}'"));
        let place = browser.text("location.pathname");
        browser.press("ArrowUp");
        browser.wait(&format!("{settled} && location.pathname !== '{place}'"));
        assert_eq!(browser.eval("document.activeElement.id"), "game");
    });
}

#[test]
fn what_was_set_up_or_played_stays_while_other_panels_are_open() {
    on_a_page(|browser, server, origin| {
        let begun = "pppp_4_4_PPPP_w?moves=a1-a2,b4-b3";
        let set_up = "document.querySelector('code')?.textContent";
        open(browser, &format!("{origin}/hexapawn:4x4/standard/{begun}&tab=edit"));
        point(browser, "c2");
        browser.wait(&format!("{set_up} === 'p1pp/1p2/P1p1/1PPP w'"));
        browser.eval("document.activeElement.blur()");
        browser.press("ArrowLeft");
        browser.press("u");
        tab(browser, 0);
        browser.wait("document.querySelector('#moves')");
        assert_eq!(browser.text(POSITION), "p1pp/1p2/P3/1PPP w");
        tab(browser, 2);
        browser.wait(&format!("{set_up} === 'p1pp/1p2/P1p1/1PPP w'"));
        press_button(browser, "Start over");
        browser.wait(&format!("{set_up} === 'p1pp/1p2/P3/1PPP w'"));
        // A game goes on after puzzles.
        tab(browser, 3);
        browser.wait(&format!("{VERDICT}?.includes('Find')"));
        tab(browser, 1);
        browser.wait("location.search.includes('moves=a1-a2,b4-b3')");
        // The computer's own move cannot be taken back where none of a person is before it.
        open(browser, &format!("{origin}/hexapawn:4x4?tab=play"));
        choose(browser, "player-1", "person");
        choose(browser, "player-0", "computer");
        browser.wait(&format!("{POSITION}.endsWith(' b')"));
        let back = "[...document.querySelectorAll('button')]\
                    .find((b) => b.textContent === 'Take back').disabled";
        browser.wait(back);
        // Best play takes the place of other moves, which the browser's history keeps.
        open(browser, &format!("{origin}/hexapawn:4x4/standard/{begun}&at=1"));
        press_button(browser, "Show best play to the end");
        let line = "[...document.querySelectorAll('h2')]\
                    .find((h) => h.textContent === 'Best play')?.parentElement.querySelector('button')";
        browser.wait(line);
        let before = browser.text("location.search");
        browser.eval(&format!("{line}.click()"));
        browser.wait(&format!("location.search !== '{before}'"));
        browser.back();
        browser.wait(&format!("location.search === '{before}'"));
        // A game that cannot be opened is not shown as chosen.
        *server = start(&Options::new(SearchPath::embedded()));
        choose(browser, "size", "hexapawn:5x5");
        browser.wait(&format!("{STATUS}.includes('does not answer')"));
        assert_eq!(browser.eval("document.querySelector('#size').value"), "hexapawn:4x4");
        browser.complaints();
    });
}

#[test]
fn endless_play_that_wins_is_no_draw() {
    on_a_page(|browser, _, origin| {
        open(browser, &format!("{origin}/thy/hare-wins?tab=puzzles&kind=win"));
        browser.wait("document.querySelector('#puzzle-kind')?.value === 'win'");
        assert_eq!(browser.eval("document.querySelectorAll('#puzzle-kind option').length"), 2);
        tab(browser, 1);
        browser.wait("document.querySelector('#strength')");
        assert_eq!(browser.eval("document.body.innerText.includes('may not find')"), false);
        tab(browser, 4);
        browser.wait("document.querySelector('.histogram')");
        let words = browser.text("document.querySelector('.histogram').getAttribute('aria-label')");
        assert!(words.contains("The hare wins ") && words.contains(" by endless play."), "{words}");
        assert!(words.contains("The hounds win 1,060 positions, in at most 11 plies."), "{words}");
        // A record has the result of the whole game, wherever one looks.
        let game = "3_3_7_3F3_2ggg2_1g1_1g1_f";
        let moves = "d4-d5,d1-e1,d5-d4,e1-d1,d4-d5,d1-e1,d5-d4,e1-d1";
        open(browser, &format!("{origin}/fox-geese/free/{game}?moves={moves}&at=2"));
        browser.eval(
            "(() => { navigator.clipboard.writeText = (words) => { window.copied = words; \
             return Promise.resolve(); }; })()",
        );
        press_button(browser, "Copy record");
        browser.wait("window.copied");
        let record: Value = serde_json::from_str(&browser.text("window.copied")).expect("JSON");
        assert_eq!(record["result"]["by"], "repetition");
    });
}
