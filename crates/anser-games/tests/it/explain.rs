//! Errors in words for every audience, with commands that a shell can run and examples of the game
//! at hand.

use std::io;
use std::path::Path;

use anser_core::Hunt;
use anser_games::{
    AnyError, Audience, EMBEDDED, Position, Registry, describe, explain, parse_file, shell_word,
};
use anser_solve::SolveError;
use anser_table::{Defect, Metric, TableError, Tablebase};

fn advised<'a>(error: impl Into<AnyError<'a>>) -> String {
    explain(error, Audience::CommandLine(&Registry::standard())).to_string()
}

/// Flags and commands belong here, not into the libraries.
#[test]
fn errors_of_the_solver_get_commands_here() {
    let lower = SolveError::MissingLower {
        layer: 5,
        missing: 4,
        metric: Metric::Dtw,
        first: 1,
        last: 6,
        dir: "big tables".into(),
        game: "fox-geese".into(),
        rules: "free".into(),
    };
    let text = advised(&lower);
    assert!(
        text.contains("layer 5 depends on layer 4, which is not in big tables; `anser solve"),
        "{text}"
    );
    let command =
        "`anser solve fox-geese --rules free --layers 1-6 --metric dtw --tables 'big tables'`";
    assert!(text.contains(command), "{text}");
    let full = SolveError::Io {
        path: "a".into(),
        action: "writing",
        source: io::Error::from(io::ErrorKind::StorageFull),
    };
    assert!(advised(&full).contains("free some space"));
    let memory = SolveError::Memory { layer: 7, needed: 2 << 30, budget: 1 << 30 };
    assert!(advised(&memory).ends_with("; raise --memory, or solve fewer layers with --layers"));
    for error in [lower, full, memory, SolveError::Level(23), SolveError::Threads(1 << 20)] {
        for text in [error.to_string(), explain(&error, Audience::Python).to_string()] {
            assert!(!text.contains("--") && !text.contains("anser "), "{text}");
        }
    }
}

#[test]
fn errors_of_the_reader_get_commands_here() {
    let unfinished = TableError::new("a", Defect::Unfinished);
    assert!(advised(&unfinished).contains("`anser solve`"));
    let error = |tables: Tablebase| {
        tables.probe_distance(&tables.game().start()).expect_err("there are no tables")
    };
    let tables = || Tablebase::from_tables(Hunt::default(), []);
    let (nowhere, embedded, named) = (
        error(tables()),
        error(tables().with_tables(EMBEDDED, [])),
        error(tables().with_tables("big tables", [])),
    );
    let command = "`anser solve fox-geese --rules free --layers 1-13 --metric dtw";
    let name = "fox-geese.free.L13.dtw.anser";
    let in_place = format!(
        "there is no directory to search for {name} or {name}z (give one with --tables); \
         {command}` makes it"
    );
    assert!(advised(&nowhere).contains(&in_place), "{nowhere}");
    assert!(advised(&embedded).contains(&format!("{command}`")), "{embedded}");
    let there = format!("{command} --tables 'big tables'`");
    assert!(advised(&named).contains(&there), "{named}");
    assert!(!nowhere.to_string().contains("--"), "{nowhere}");
    let call = explain(&named, Audience::Python);
    assert!(call.command().is_some_and(|call| call.starts_with("anser.solve_to(")), "{call}");
    let text = describe(&Hunt::default(), "mine").replace("\"fox-geese\"", "\"mine\"");
    let mine = parse_file("mine.toml".as_ref(), &text).expect("the description is right");
    let mine = mine.make("", "free").expect("a rule set");
    let call = explain(&error(Tablebase::from_tables(mine, [])), Audience::Python).to_string();
    assert!(call.contains(", anser.Game.from_file('FILE', rules='free'), layers="), "{call}");
    let client = explain(&named, Audience::Client).to_string();
    assert!(!client.contains("big tables") && !client.contains("anser solve"), "{client}");
}

#[test]
fn plain_paths_are_not_quoted() {
    assert_eq!(shell_word(Path::new("big/tables")), "big/tables");
    assert_eq!(shell_word(Path::new("it's here")), r"'it'\''s here'");
    assert_eq!(shell_word(Path::new("a\nb")), r"$'a\x0ab'");
}

#[test]
#[cfg(unix)]
fn a_shell_reads_the_original_path() {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};

    let paths: [&[u8]; 9] = [
        b"tables",
        b"with space",
        b"it's",
        b"-rf",
        b"\xff\xfe",
        b"a\xffb c'd\\e1",
        b"\x1b[31mred",
        b"-\xff",
        b"$(x) `y` \"z\" ~ * ! \xc3\xa9",
    ];
    for path in paths {
        let word = shell_word(Path::new(std::ffi::OsStr::from_bytes(path)));
        assert!(word.chars().all(|c| !c.is_control()), "{word:?}");
        let output =
            std::process::Command::new("bash").args(["-c", &format!("printf %s {word}")]).output();
        let printed = std::ffi::OsString::from_vec(output.expect("bash runs").stdout);
        let relative = if path.starts_with(b"-") { [b"./", path].concat() } else { path.to_vec() };
        assert_eq!(printed.as_bytes(), relative, "{word}");
    }
}

#[test]
fn examples_are_moves_of_the_game_at_hand() {
    for info in Registry::standard().games() {
        let game = Registry::standard().game(&info.default_name(), None).expect("a game");
        let start = Position::start(&game);
        let example = Position::example_move(&game);
        assert!(start.play(&example).is_ok(), "{}: {example}", game.name());
        let error = start.play("nonsense").expect_err("it is no move");
        assert!(error.example().starts_with(&example), "{}: {error}", game.name());
    }
    let rules = Some("first-capture");
    let game = Registry::standard().game("fox-geese", rules).expect("a game");
    let over = Position::parse(&game, "3/3/7/3F3/g2g3/3/ggg f").expect("a position");
    let error = over.play("d4xd2").expect("a move").play("d4xd2").expect_err("it is over");
    assert_eq!(error.example(), Position::example_move(&game));
}
