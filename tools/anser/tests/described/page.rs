//! The page shows exactly the files that are tested.
//! `ANSER_PAGE=update cargo test -p anser --test described the_page` updates it.

use std::fs;
use std::path::Path;

const OPEN: &str = "```toml\n";
const CLOSE: &str = "```\n";

#[test]
fn the_page_shows_the_files_that_are_tested() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("docs/describe-a-game.md");
    let page = fs::read_to_string(&path).expect("the page is there");
    let mut renewed = page.clone();
    for name in ["triangle", "placing"] {
        let file = fs::read_to_string(root.join(format!("data/hunts/{name}.toml")));
        let file = file.expect("the file is there");
        // The block of a game begins with its comment.
        let first = file.lines().next().expect("the file begins with a comment");
        let start = renewed.find(&format!("{OPEN}{first}")).expect("the page has the file");
        let start = start + OPEN.len();
        let end = start + renewed[start..].find(CLOSE).expect("a block ends");
        renewed.replace_range(start..end, &file);
    }
    if std::env::var_os("ANSER_PAGE").is_some_and(|what| what == "update") {
        fs::write(&path, &renewed).expect("the page can be written");
        return;
    }
    assert!(page == renewed, "docs/describe-a-game.md differs from data/hunts: see the test");
}
