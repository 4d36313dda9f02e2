//! Games from files: they are the games of the plain program, files read back what is written, and
//! mistakes are named with their places.

use std::path::Path;

use anser_core::Side;
use anser_core::words::outcome_text;
use anser_games::answers::RatedPosition;
use anser_games::{
    FileError, Location, NameError, Registry, START, describe, parse_file, read_file,
};

use crate::common::compare;

#[test]
fn the_described_games_are_those_of_the_plain_program_under_every_rule_set() {
    for name in ["triangle", "placing"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/hunts");
        let info = read_file(&path.join(format!("{name}.toml"))).expect("the file is right");
        assert_eq!(info.name, name);
        for rules in &info.rule_sets {
            let game = info.make("", &rules.id).expect("the rule set is one of the game");
            compare(&game);
            // The lines of text that tables carry are the same game.
            let text = describe(&game, &info.about);
            let again = parse_file("again.toml".as_ref(), &text).expect("what is written is right");
            let again = again.make("", &rules.id).expect("the same id");
            assert_eq!(again.description(), game.description());
        }
    }
}

/// A tiger on a line, which wins on c1 and may jump on from there.
const LINE: &str = r#"
name = "line"
first = "many"

[board]
points = [
  ["a1", 0, 0], ["b1", 1, 0], ["c1", 2, 0], ["d1", 3, 0],
  ["e1", 4, 0], ["f1", 5, 0], ["g1", 6, 0],
]
lines = ["a1 b1 c1 d1 e1 f1 g1"]

[few]
name = "tiger"
letter = "T"
start = "a1"
steps = "lines"
jumps = "lines"
chain = true

[many]
name = "goats"
letter = "g"
number = [0, 2]
start = "b1 d1"
steps = "lines"

[[ends]]
winner = "few"
when = "arrived few c1"

[[ends]]
winner = "many"
when = "fewer many 1"
"#;

#[test]
fn a_chain_stops_where_the_game_is_over() {
    let moves = |text: &str| {
        let info = parse_file("line.toml".as_ref(), text).unwrap_or_else(|error| panic!("{error}"));
        let game = info.make("", "standard").expect("the only rule set");
        compare(&game);
        let position = game.parse_position("Tg1g3 t").expect("a position");
        let moves = game.moves(&position).into_iter();
        moves.map(|(mv, _)| game.format_move(&mv)).collect::<Vec<_>>()
    };
    for goal in ["arrived few c1", "reached few c1", "filled few c1"] {
        let text = LINE.replace("arrived few c1", goal);
        assert_eq!(moves(&text), ["a1xc1"], "{goal}");
        let must = text.replace("chain = true", "chain = true\ncompulsory = true");
        assert_eq!(moves(&must), ["a1xc1"], "{goal}");
    }
    // Not over while the other side is to move, or with so many of the few elsewhere.
    for (from, to) in [
        ("\"arrived few c1\"", "\"reached few c1\"\nto-move = \"few\""),
        ("arrived few c1", "filled few c1 e1"),
        ("arrived few c1", "reached few g1"),
    ] {
        assert_eq!(moves(&LINE.replace(from, to)), ["a1xc1", "a1xc1xe1"], "{to}");
    }
    // The plies left count after the turn, and so does who is blocked.
    let last =
        LINE.replace("arrived few c1", "out-of-plies").replace("first =", "plies = 2\nfirst =");
    assert_eq!(moves(&last), ["a1xc1", "a1xc1xe1"]);
    let blocked = LINE.replace("arrived few c1", "blocked many");
    assert_eq!(moves(&blocked), ["a1xc1", "a1xc1xe1"]);
}

#[test]
fn every_game_of_the_program_reads_back_from_its_description() {
    let registry = Registry::standard();
    let sized = ["fox-hounds:4", "fox-hounds:12", "hasenspiel:6-2", "hexapawn:4x4", "hexapawn:1x5"];
    let named = registry.games().map(anser_games::GameInfo::default_name);
    for name in named.chain(sized.map(str::to_owned)) {
        let (info, _) = registry.find(&name).expect("a game");
        for rules in &info.rule_sets {
            let game = registry.game(&name, Some(&rules.id)).expect("a rule set");
            let about = "as \"before\",\nin two\tlines \\";
            let text = describe(&game, about);
            let read = parse_file("it.toml".as_ref(), &text);
            let read = read.unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
            assert_eq!(read.about, about);
            let again = read.make("", game.rules_id()).expect("the same id");
            assert_eq!(again.description(), game.description(), "{name} {}", rules.id);
        }
    }
}

const GOOD: &str = r#"name = "mine"

[board]
points = [["a1", 0, 0], ["b1", 1, 0], ["c1", 2, 0], ["a2", 0, 1], ["b2", 1, 1], ["c2", 2, 1]]
lines = ["a1 b1 c1", "a2 b2 c2", "a1 a2", "b1 b2", "c1 c2"]

[few]
name = "tiger"
letter = "T"
start = "b2"
steps = "lines"
jumps = "lines"

[many]
name = "goats"
letter = "g"
number = [1, 2]
start = "a1 c1"
steps = "lines up level"

[[ends]]
winner = "few"
when = "fewer many 2"

[[ends]]
winner = "many"
when = "blocked few"
"#;

/// The error of the good file with one text replaced.
fn wrong(from: &str, to: &str) -> (usize, usize, String) {
    assert!(GOOD.contains(from), "{from}");
    match parse_file("my.toml".as_ref(), &GOOD.replacen(from, to, 1)) {
        Ok(_) => panic!("{to} was accepted"),
        Err(error) => {
            let text = error.to_string();
            let FileError::Wrong { at: Location { line, column }, .. } = error else {
                panic!("{text}")
            };
            assert!(
                text.starts_with(&format!("my.toml, line {line}, column {column}: ")),
                "{text}"
            );
            (line, column, text)
        }
    }
}

#[test]
fn an_opening_is_refused_under_rules_that_cannot_have_it() {
    let more = r#"
[boards.wide]
points = [
  ["a1", 0, 0], ["b1", 1, 0], ["c1", 2, 0], ["a2", 0, 1], ["b2", 1, 1], ["c2", 2, 1], ["d1", 3, 0],
]
lines = ["a1 b1 c1 d1", "a2 b2 c2", "a1 a2", "b1 b2", "c1 c2"]

[[openings]]
name = "near"
position = "1T1/gg1 t"
about = "the goats stand side by side"

[rule-sets.wide]
meaning = "A point more."
on-board = "wide"
"#;
    let info = parse_file("my.toml".as_ref(), &format!("{GOOD}{more}")).expect("the file is right");
    let game = info.make("", "standard").expect("the only rule set of the file");
    let near = info.opening(&game, "near").expect("it is one of the game");
    assert_eq!(game.format_position(&near), "1T1/gg1 t");
    let wide = info.make("", "wide").expect("a rule set");
    assert_eq!(info.opening(&wide, START), Ok(wide.start()));
    let error = info.opening(&wide, "near").expect_err("the board is another");
    assert!(matches!(&error, NameError::NoOpening { opening, .. } if opening == "near"), "{error}");
    let text = error.to_string();
    assert!(text.starts_with("mine has no opening \"near\" under the rules wide"), "{text}");
}

#[test]
fn a_switch_is_named_with_the_rule_set_that_it_does_not_fit() {
    let text = GOOD.to_owned()
        + r#"
[rule-sets.late]
meaning = "At most nine plies."
plies = 9

[[rule-sets.late.ends]]
winner = "few"
when = "fewer many 2"

[[rule-sets.late.ends]]
winner = "many"
when = "out-of-plies"

[switches.alone]
meaning = "The goats never win."

[[switches.alone.ends]]
winner = "few"
when = "fewer many 2"
"#;
    let error = parse_file("my.toml".as_ref(), &text).expect_err("late+alone has no winner");
    let says = "no end says who has won when no plies are left (rules late+alone)";
    assert!(error.to_string().contains(says), "{error}");
}

#[test]
fn mistakes_are_named_with_line_and_column() {
    let game = parse_file("my.toml".as_ref(), GOOD).expect("the file is right");
    compare(&game.make("", "standard").expect("the only rule set"));
    for (from, to, line, column, problem) in [
        ("start = \"b2\"", "start = \"b3\"", 10, 10, "no point \"b3\""),
        ("\"a1 b1 c1\"", "\"a1 b2 c1\"", 5, 10, "is not straight"),
        ("\"a1 b1 c1\"", "\"a1 b1 d1\"", 5, 17, "no point \"d1\""),
        ("jumps = \"lines\"", "jumps = \"a1-b1\"", 12, 10, "2 points and not 3"),
        ("jumps = \"lines\"", "jumps = \"a1-a1-b1\"", 12, 9, "has no middle"),
        ("jumps = \"lines\"", "jumps = \"lines up\"", 12, 10, "go in every direction"),
        ("\"lines up level\"", "\"lines up level\"\nregion = \"\"", 20, 10, "region has no point"),
        ("number = [1, 2]", "number = [1, 7]", 17, 10, "do not fit on the board"),
        ("number = [1, 2]", "number = [2, 2]", 17, 10, "captures can leave fewer"),
        (
            "number = [1, 2]\nstart = \"a1 c1\"\nsteps = \"lines up level\"\n\n[[ends]]\n\
             winner = \"few\"\nwhen = \"fewer many 2\"",
            "number = [0, 2]\nstart = \"a1 c1\"\nsteps = \"lines up level\"\n\n[[ends]]\n\
             winner = \"few\"\nwhen = \"fewer many 1\"\nto-move = \"few\"",
            17,
            10,
            "no end says who has won when no piece is left",
        ),
        ("winner = \"few\"", "winner = \"fox\"", 22, 10, "\"fox\" is no side"),
        ("fewer many 2", "fewer many", 23, 19, "is no number"),
        ("fewer many 2", "few many 2", 23, 9, "no condition is called \"few\""),
        ("blocked few", "blocked few b1", 27, 21, "follows where the condition ends"),
        ("lines up level", "lines up north", 19, 19, "\"north\" is no direction"),
        ("letter = \"T\"", "letter = \"TT\"", 9, 10, "is no letter"),
        ("name = \"goats\"", "name = \"tiger\"", 14, 1, "both sides are called \"tiger\""),
        ("name = \"goats\"", "name = \"draw\"", 14, 1, "\"draw\" is no name of a side"),
        ("name = \"goats\"", "name = \"a,b\"", 14, 1, "\"a,b\" is no name of a side"),
        ("steps = \"lines\"", "step = \"lines\"", 11, 1, "unknown field `step`"),
        ("name = \"mine\"", "name = \"fox-geese\"", 1, 8, "belongs to a game of this program"),
        ("name = \"mine\"", "name = \"My hunt\"", 1, 8, "name"),
        ("name = \"mine\"", "name = \"mine:3\"", 1, 8, "stands before the size of a game"),
        ("name = \"mine\"", "name = \"mine\"\nends = []", 2, 8, "the game cannot end"),
        (
            "name = \"mine\"",
            "name = \"mine\"\nendless = \"cat\"",
            2,
            11,
            "no result of endless play",
        ),
        (
            "when = \"blocked few\"\n",
            "when = \"blocked few\"\n[rule-sets.wide]\non-board = \"wide\"\n",
            29,
            12,
            "no board is called \"wide\"; the file has no boards",
        ),
        (
            "when = \"blocked few\"\n",
            "when = \"blocked few\"\n[rule-sets.wide]\non-board = \"wide\"\n\
             board = { points = [[\"a1\", 0, 0]] }\n",
            29,
            12,
            "the rule set has a board, and on-board names another one",
        ),
        (
            "name = \"mine\"",
            "name = \"mine\"\nabout = \"a\\u001b[31m\"",
            2,
            9,
            "the text has the control character '\\u{1b}'",
        ),
        (
            "when = \"blocked few\"\n",
            "when = \"blocked few\"\n[[openings]]\nname = \"start\"\nposition = \"1T1/g1g g\"\n",
            30,
            12,
            "no opening can have the name \"start\"",
        ),
        ("[\"b1\", 1, 0]", "[\"b1\", 0, 0]", 4, 25, "coordinates of another point"),
        // Lines name the point that is missing.
        ("[\"b1\", 1, 0]", "[\"a1\", 1, 0]", 4, 25, "a second point is called a1"),
        ("[\"c2\", 2, 1]", "[\"c2\", 2, 1], [\"a1\", 3, 1]", 4, 95, "a second point is called a1"),
        (
            "[[ends]]\nwinner = \"few\"",
            "[rule-sets.standard]\n[[ends]]\nwinner = \"few\"",
            21,
            1,
            "two rule sets",
        ),
        (
            "when = \"blocked few\"\n",
            "when = \"blocked few\"\n[rule-sets.a]\nfirst = \"many\"\n[switches.a]\n",
            30,
            1,
            "a rule set and a switch have the name \"a\"",
        ),
        (
            "when = \"blocked few\"\n",
            "when = \"blocked few\"\n[switches.standard]\n",
            28,
            1,
            "have the name \"standard\"",
        ),
        (
            "when = \"blocked few\"\n",
            "when = \"blocked few\"\n[rule-sets.\"a+b\"]\n",
            28,
            1,
            "\"a+b\" is no id of a rule set",
        ),
        ("[\"b1\", 1, 0]", "[\"b1\", 1, 0, 4]", 4, 38, "more than two coordinates"),
        ("[\"b1\", 1, 0]", "[\"b1\", 1]", 4, 25, "a list of 2 is not a point with two"),
        (
            "[\"b1\", 1, 0]",
            "[\"b1\", \"x, expected y\", 0]",
            4,
            32,
            "\"x, expected y\" is not a whole number from -2147483648 to",
        ),
        ("number = [1, 2]", "number = [1, 2, 3]", 17, 10, "write a number of pieces, as 4, or"),
        ("number = [1, 2]", "hand = 200", 14, 1, "202 to 202 pieces"),
        (
            "name = \"tiger\"\nletter = \"T\"",
            "name = \"goats\"\nletter = \"t\"",
            14,
            1,
            "both sides are called \"goats\"",
        ),
        (
            "when = \"blocked few\"\n",
            "when = \"blocked few\"\n[rule-sets.Wide]\nfirst = \"few\"\n",
            28,
            1,
            "\"Wide\" is no id of a rule set",
        ),
        ("number = [1, 2]", "hand = 300", 17, 8, "300 is not a whole number from 0 to 250"),
        ("number = [1, 2]", "chain = \"x\"", 17, 9, "\"x\" is not true or false"),
        ("letter = \"T\"", "letter = 1.5", 9, 10, "1.5 is not a text in quotation marks"),
        ("letter = \"T\"", "letter = []", 9, 10, "a list is not a text in quotation marks"),
        ("name = \"mine\"", "name = \"mine\"\nswitches = 3", 2, 12, "3 is not a table"),
    ] {
        let text = if to.contains("ends = []") {
            // Ends may be listed in one place only.
            let rest = &GOOD[..GOOD.find("[[ends]]").expect("there are ends")];
            match parse_file("my.toml".as_ref(), &rest.replacen(from, to, 1)) {
                Ok(_) => panic!("a game without an end was accepted"),
                Err(error) => error.to_string(),
            }
        } else {
            wrong(from, to).2
        };
        let place = format!("my.toml, line {line}, column {column}: ");
        assert!(text.contains(problem) && text.starts_with(&place), "{to}: {text}");
    }
    let missing = read_file(Path::new("none.toml")).expect_err("there is no such file");
    assert!(missing.to_string().contains("none.toml cannot be read"));
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("my.toml");
    for (bytes, problem) in [
        (&b"name = \"mine\"\nabout = \"L\xf6we\""[..], ", line 2, column 11: the file is no text"),
        (
            &vec![b'#'; (1 << 20) + 1][..],
            ", line 1, column 1: the file has more than 1048576 bytes",
        ),
    ] {
        std::fs::write(&path, bytes).expect("it is written");
        let error = read_file(&path).expect_err("it is no description").to_string();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn rule_sets_name_boards_and_say_who_has_won_by_endless_play() {
    let more = r#"
[boards.ladder]
points = [["a1", 0, 0], ["b1", 1, 0], ["c1", 2, 0], ["a2", 0, 1], ["b2", 1, 1], ["c2", 2, 1]]
lines = ["a1 b1 c1", "a2 b2 c2", "a1 a2", "c1 c2"]

[rule-sets.ladder]
on-board = "ladder"
endless = "few"

[switches.drawn]
endless = "draw"
"#;
    let text = format!("title = \"Mine\"\nregion = \"Here\"\n{GOOD}{more}");
    let info = parse_file("my.toml".as_ref(), &text).expect("the file is right");
    assert_eq!(info.origin.title.as_deref(), Some("Mine"));
    assert_eq!((info.origin.region.as_deref(), info.origin.date.as_deref()), (Some("Here"), None));
    let game = |rules: &str| info.make("", rules).expect("a rule set");
    let lines = |rules: &str| game(rules).description().lines.len();
    assert_eq!((lines("standard"), lines("ladder"), lines("ladder+drawn")), (5, 4, 4));
    let endless = |rules: &str| game(rules).endless();
    assert_eq!(endless("ladder"), Some(Side::First));
    assert_eq!((endless("standard"), endless("ladder+drawn")), (None, None));

    // It is stored as a draw, and answered as a win without a distance.
    let (won, drawn) = (game("ladder"), game("standard"));
    let value = Some(anser_core::Outcome::Draw.into());
    let outcome = |game: &anser_core::Hunt| {
        let rated = RatedPosition::new(game, &game.start(), value);
        (rated.outcome, rated.dtw)
    };
    assert_eq!(outcome(&won), (Some("tiger".into()), None));
    assert_eq!(outcome(&drawn), (Some("draw".into()), None));
    let words = |game| outcome_text(game, anser_core::Outcome::Draw, None);
    assert_eq!(
        (words(&won), words(&drawn)),
        ("won for the tiger by endless play".into(), "drawn".into())
    );
    for rules in ["ladder", "standard", "ladder+drawn"] {
        compare(&game(rules));
    }
}

/// The mistake is not in the file, so the error names no place in it.
#[test]
fn rule_sets_that_a_file_lacks_are_answered_with_those_that_it_has() {
    let text = include_str!("../../../../data/hunts/triangle.toml");
    let game = parse_file("my.toml".as_ref(), text).expect("the file is right");
    let known = "the rule sets are standard, forward, each also with must, as in standard+must";
    let switches = "the switches are must, each once, in this order";
    for (id, problem) in [
        ("x", format!("no rule set is called \"x\"; {known}")),
        ("must+forward", format!("no rule set is called \"must\"; {known}")),
        ("forward+x", format!("no switch is called \"x\"; {switches}")),
        (
            "forward+must+must",
            format!("the switches of forward+must+must are not in order; {switches}"),
        ),
    ] {
        assert_eq!(game.make("", id).unwrap_err().to_string(), problem);
    }
}
