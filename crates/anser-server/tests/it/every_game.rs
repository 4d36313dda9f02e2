//! Every game on the page, on the screen of a telephone and on a wide one.

use std::panic::{AssertUnwindSafe, catch_unwind};

use anser_core::hunt::{MoveKind, MoveList};
use anser_core::{Hunt, Next, Side, hunt};
use anser_games::{GameInfo, Registry};
use serde_json::{Value, json};

use crate::page::{POSITION, VERDICT, complaints, on_a_page, open, point, resize, tab};
use crate::webdriver::Browser;

/// Games of different features: layers of which no values are here, squares, names of points, plies
/// left, pieces in hand of one side and of both, captured ones, parts of the board for one side, a
/// ladder.
const SOME: [&str; 10] = [
    "fox-geese",
    "fox-hounds",
    "hexapawn",
    "hare-hounds",
    "bagh-chal",
    "kaooa",
    "aadu-puli",
    "jeu-militaire",
    "bam-blang",
    "neg-tugal",
];

#[test]
fn games_of_every_kind_are_drawn_and_played() {
    look_at(|name| SOME.contains(&name));
}

#[test]
#[ignore = "takes minutes"]
fn every_game_is_drawn_and_played() {
    look_at(|_| true);
}

/// Looks at games, those of several sizes in the smallest of the common ones.
fn look_at(is_chosen: impl Fn(&str) -> bool) {
    on_a_page(|browser, _, origin| {
        let look = |info: &GameInfo| {
            let size = info.sizes.map_or("", |sizes| sizes.common[0]);
            let game = info.make(size, &info.default_rules).expect("the default rules");
            look_at_one(browser, origin, &game);
            assert_eq!(complaints(browser), Vec::<String>::new(), "{}", game.name());
        };
        let registry = Registry::standard();
        let chosen = registry.games().filter(|info| is_chosen(&info.name));
        let wrong = chosen.filter(|info| catch_unwind(AssertUnwindSafe(|| look(info))).is_err());
        let wrong: Vec<&str> = wrong.map(|info| &info.name[..]).collect();
        assert_eq!(wrong, Vec::<&str>::new());
    });
}

fn narrow(browser: &Browser) {
    resize(browser, 360, 740, true);
}

fn wide(browser: &Browser) {
    resize(browser, 1280, 860, false);
}

fn look_at_one(browser: &Browser, origin: &str, game: &Hunt) {
    // A move of each side on a narrow screen; the address then opens the same position.
    narrow(browser);
    let place = format!("{origin}/{}/{}", game.name(), game.rules_id());
    let start = game.format_position(&game.start()).replace(['/', ' '], "_");
    open(browser, &format!("{place}/{start}"));
    let mut here = game.start();
    board_is_whole(browser, game, &here);
    for _ in Side::BOTH {
        here = play(browser, game, &here, &going_on(game, &here)[0]);
        board_is_whole(browser, game, &here);
    }
    let link = browser.text("location.href");
    browser.open("about:blank");
    wide(browser);
    open(browser, &link);
    board_is_whole(browser, game, &here);
    panels_are_filled(browser, game);
    // The first capture, on a wide screen, and a move of each side after it.
    let Some((line, before, capture)) = to_a_capture(game) else { return };
    open(browser, &format!("{place}/{start}?moves={}", line.join(",")));
    let mut here = play(browser, game, &before, &capture);
    for _ in Side::BOTH {
        board_is_whole(browser, game, &here);
        let moves = going_on(game, &here);
        let Some(mv) = moves.first() else { break };
        here = play(browser, game, &here, mv);
    }
    narrow(browser);
    board_is_whole(browser, game, &here);
}

/// The moves after which the game goes on, with their positions; a pass last.
fn going_on(game: &Hunt, position: &hunt::Position) -> MoveList {
    let mut moves = game.moves(position);
    moves.retain(|(_, next)| matches!(next, Next::Position(_)));
    moves.sort_by_key(|(mv, _)| mv.kind() == MoveKind::Pass);
    moves
}

/// The first capture, and the moves from the start to the position before it.
fn to_a_capture(game: &Hunt) -> Option<(Vec<String>, hunt::Position, (hunt::Move, Next))> {
    let (mut here, mut line) = (game.start(), Vec::new());
    for ply in 0..300 {
        let moves = going_on(game, &here);
        if let Some(capture) = moves.iter().find(|(mv, _)| mv.is_capture()) {
            return Some((line, here, *capture));
        }
        // Each of the moves in turn.
        let (mv, next) = moves.get(ply * 7 % moves.len().max(1))?;
        line.push(game.format_move(mv));
        here = *next.position();
    }
    None
}

/// Plays a move by clicks on its points, or in the list where others have the same ends; returns
/// the position after it.
fn play(
    browser: &Browser,
    game: &Hunt,
    position: &hunt::Position,
    (mv, next): &(hunt::Move, Next),
) -> hunt::Position {
    let ends = |mv: &hunt::Move| {
        let words = game.format_move(mv);
        let points: Vec<&str> = words.split(['-', 'x']).collect();
        [points[0], points[points.len() - 1]].map(str::to_owned)
    };
    let [first, last] = ends(mv);
    let moves = game.moves(position);
    let alike = moves.iter().filter(|(other, _)| ends(other) == ends(mv)).count();
    if alike > 1 || mv.kind() == MoveKind::Pass {
        let words = game.format_move(mv);
        browser.eval(&format!(
            "[...document.querySelectorAll('#moves button')]\
             .find((it) => it.lastChild.textContent === '{words}').click()"
        ));
    } else {
        point(browser, &first);
        if first != last {
            point(browser, &last);
        }
    }
    let text = game.format_position(next.position());
    browser.wait(&format!("{POSITION} === '{text}' && !document.querySelector('[aria-busy]')"));
    *next.position()
}

/// What is seen of the board: numbers of points and pieces, what lies outside, and names that are
/// small or on others.
const BOARD: &str = "(() => {
    const all = (of) => [...document.querySelectorAll(of)];
    // Names have room above and below their letters.
    const box = (it) => {
      const { left, right, top, bottom, height } = it.getBoundingClientRect();
      const room = it.matches('text') ? height / 6 : 0;
      return { left, right, top: top + room, bottom: bottom - room };
    };
    const svg = document.querySelector('.board');
    const board = box(svg);
    const isOut = ({ left, right, top, bottom }) => left < board.left - 1 ||
      right > board.right + 1 || top < board.top - 1 || bottom > board.bottom + 1;
    const size = (it) => parseFloat(getComputedStyle(it).fontSize) * svg.getScreenCTM().a;
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom &&
      b.top < a.bottom;
    const names = all('.board text');
    const hidden = (it, at) => size(it) < 9 ||
      names.slice(0, at).some((other) => meet(box(other), box(it)));
    const count = (of) => ['first', 'second'].map((side) => all(`${of}.${side}`).length);
    return {
      points: all('.spot').length,
      out: all('.board .lines *, .board .piece').filter((it) => isOut(box(it)))
        .map((it) => it.outerHTML),
      hidden: names.filter(hidden).map((it) => it.textContent),
      wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      below: board.bottom - document.documentElement.clientHeight,
      pieces: count('.board .piece'),
      hand: count('.tray .hand .piece'),
      lost: count('.tray .lost .piece'),
    };
  })()";

/// The board has the points of the game and the pieces of the position, and is seen as a whole.
fn board_is_whole(browser: &Browser, game: &Hunt, position: &hunt::Position) {
    let on_board =
        |position: &hunt::Position| Side::BOTH.map(|side| position.pieces(side).len() as u64);
    let in_hand =
        |position: &hunt::Position| Side::BOTH.map(|side| u64::from(position.in_hand(side)));
    let pieces = [game.start(), *position].map(|it| (on_board(&it), in_hand(&it)));
    let [before, now] = pieces.map(|(board, hand)| [board[0] + hand[0], board[1] + hand[1]]);
    let lost = [before[0] - now[0], before[1] - now[1]];
    let seen = browser.eval(BOARD);
    let context = format!("{} {}: {seen}", game.name(), game.format_position(position));
    assert_eq!(seen["points"], game.description().points.len(), "{context}");
    assert_eq!(seen["out"], json!([]), "{context}");
    assert_eq!(seen["hidden"], json!([]), "{context}");
    assert_eq!(seen["wide"], 0, "{context}");
    assert!(seen["below"].as_f64().is_some_and(|below| below <= 1.0), "{context}");
    assert_eq!(seen["pieces"], json!(on_board(position)), "{context}");
    assert_eq!(seen["hand"], json!(in_hand(position)), "{context}");
    assert_eq!(seen["lost"], json!(lost), "{context}");
}

/// Every tab has something to show, or says that there is nothing, and fits into both widths.
fn panels_are_filled(browser: &Browser, game: &Hunt) {
    const PANEL: &str = "document.querySelector('.panel .panel')";
    let fits = |what: &str| {
        for set in [narrow, wide] {
            set(browser);
            let page = "document.documentElement";
            let wider = browser.eval(&format!("{page}.scrollWidth - {page}.clientWidth"));
            assert_eq!(wider, 0, "{} {what}", game.name());
        }
        let problem = browser.eval(&format!("{PANEL}.querySelector('.problem')?.textContent"));
        assert_eq!(problem, Value::Null, "{} {what}", game.name());
    };
    // Unknown values have their reason.
    assert_ne!(browser.text(VERDICT), "");
    browser.wait(&format!(
        "!{VERDICT}.includes('not known') || {PANEL}.querySelector('.note').textContent !== ''"
    ));
    browser.wait("document.querySelectorAll('#moves button').length > 0");
    fits("explore");
    let ready = "!document.querySelector('[aria-busy]')";
    for (number, of_tab) in
        [(1, "#strength"), (2, "#edit-side"), (3, "#puzzle-kind"), (4, ".shares, p")]
    {
        tab(browser, number);
        browser.wait(&format!("{ready} && {PANEL}.querySelector('{of_tab}')"));
        fits(of_tab);
    }
    tab(browser, 3);
    browser.wait(&format!(
        "{ready} && {PANEL}.querySelector('.streak') && \
         {PANEL}.querySelector('.verdict, [role=status]').textContent !== ''"
    ));
    fits("puzzles");
}
