//! The page shows exactly the program that is compiled and tested.
//! `ANSER_PAGE=update cargo test -p anser --test leopard the_page` updates it.

use std::fs;
use std::path::Path;

const OPEN: &str = "```rust,ignore\n";
const CLOSE: &str = "```\n";
const FILES: [&str; 4] = [
    "examples/leopard/game.rs",
    "examples/leopard/oracle.rs",
    "examples/leopard/main.rs",
    "tests/leopard/compare.rs",
];

/// Returns the page with its blocks renewed from the program. A block starts at the line at which
/// it started before, and ends where the next one starts.
fn renewed(page: &str, program: &str) -> String {
    let mut blocks = page.split(OPEN);
    let mut text = blocks.next().unwrap_or_default().to_owned();
    let blocks: Vec<(&str, &str)> =
        blocks.map(|block| block.split_once(CLOSE).expect("a block ends")).collect();
    let mut starts = Vec::new();
    for (shown, _) in &blocks {
        let first = shown.lines().next().unwrap_or_default();
        let from = starts.last().copied().unwrap_or(0);
        let found = program[from..].lines().scan(from, |at, line| {
            let start = *at;
            *at += line.len() + 1;
            Some((start, line))
        });
        let found = found.skip(usize::from(!starts.is_empty())).find(|(_, line)| *line == first);
        starts.push(found.unwrap_or_else(|| panic!("{first:?} is not in the program")).0);
    }
    assert_eq!(starts.first(), Some(&0), "the first block is the beginning of the program");
    starts.push(program.len());
    for (ends, (_, prose)) in starts.windows(2).zip(blocks) {
        text.extend([OPEN, program[ends[0]..ends[1]].trim_end(), "\n", CLOSE, prose]);
    }
    text
}

#[test]
fn the_page_shows_the_program() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = package.join("../../docs/add-a-game.md");
    let page = fs::read_to_string(&path).unwrap();
    let program = FILES.map(|file| fs::read_to_string(package.join(file)).unwrap()).concat();
    let renewed = renewed(&page, &program);
    if std::env::var("ANSER_PAGE").as_deref() == Ok("update") {
        assert!(
            std::env::var("CI").as_deref() != Ok("true"),
            "ANSER_PAGE=update is refused under CI=true"
        );
        fs::write(&path, renewed).unwrap();
        return;
    }
    assert!(
        renewed == page,
        "docs/add-a-game.md does not show examples/leopard as it is; ANSER_PAGE=update renews it"
    );
}
