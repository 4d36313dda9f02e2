//! Where tables are looked for, and what commands work on if nobody says.

use std::fs;

use tempfile::TempDir;

use crate::support::{Ran, anser, run};

/// A position of layer 7, of which there is no table but the one in the program.
const SEVEN: &str = "3/3/7/3F3/2ggg2/1gg/1gg f";

#[test]
fn only_directories_of_the_users_own_choice_and_the_embedded_tables_are_believed() {
    let above = TempDir::new().unwrap();
    let planted = above.path().join("data/tables");
    run("solve fox-hounds:4", &planted).text();
    let below = above.path().join("a/b");
    fs::create_dir_all(&below).unwrap();
    let stats = |words: &[&str]| Ran::new(&anser(words).current_dir(&below).output().unwrap());
    // Tables in an ancestor of the working directory are no tables.
    stats(&["stats", "fox-hounds:4"]).fails_in_a_line(1, &["no layer of fox-hounds:4", "(built into anser)"]);
    // Nor are those beside a program that was copied there.
    let copied = above.path().join("anser");
    fs::copy(crate::support::binary(), &copied).unwrap();
    let output = std::process::Command::new(&copied)
        .args(["stats", "fox-hounds:4"])
        .env("ANSER_TABLES", "")
        .current_dir(&below)
        .output()
        .unwrap();
    Ran::new(&output).fails_in_a_line(1, &["no layer of fox-hounds:4"]);
    // Those that are part of the program answer anywhere, with what their manifest knows.
    for rules in ["free", "first-capture", "forward"] {
        let answer = stats(&["stats", "--rules", rules, "--json"]).json();
        let layers = answer["layers"].as_array().unwrap();
        assert_eq!(
            layers.iter().map(|layer| layer["layer"].as_u64().unwrap()).collect::<Vec<_>>(),
            [1, 2, 3, 4, 5, 6, 7]
        );
        assert!(layers.iter().all(|layer| layer["rounds"].is_u64()), "{answer}");
        let probed = stats(&["probe", "--json", SEVEN, "--rules", rules]);
        assert!(probed.json()["outcome"].is_string());
    }
    // Where they do not suffice, they are named among what was searched.
    stats(&["probe", crate::support::OPENING]).fails_in_a_line(1, &["layer 13", "in (built into anser)"]);
    // A directory that was chosen answers alone.
    run("stats --rules free", &planted).fails_in_a_line(1, &["no layer of fox-geese (rules free)"]);
}
