//! Every figure of `data` comes out: what is computed is what is known to be true, and what is printed compares with
//! it as is known.

use anser_analyse::{Limits, Solution};
use anser_core::Side;
use anser_core::fox_geese::FoxGeese;
use anser_reproduce::{Document, Known, Missing, Row, Supplied, Verdict, compute, reproduce};

/// All rows of a document, checked.
fn rows(document: Document, supplied: &Supplied) -> Vec<Row> {
    let rows = reproduce(document, supplied, &Limits::default()).expect("the figures can be computed");
    for row in &rows {
        assert_ne!(row.verdict, Verdict::Fails, "{row:?}");
        assert_ne!(row.verdict, Verdict::NotComputed(Missing::Unknown), "{row:?}");
        let kept = matches!(row.verdict, Verdict::Kept { .. });
        assert_eq!(row.computed.is_none(), kept || matches!(row.verdict, Verdict::NotComputed(_)), "{row:?}");
        assert_eq!(row.kept.is_some(), kept, "{row:?}");
        assert!(row.kept.as_ref().is_none_or(|figure| *figure == row.entry.truth), "{row:?}");
        assert!(row.computed.as_ref().is_none_or(|computed| *computed == row.entry.truth), "{row:?}");
    }
    rows
}

fn count(rows: &[Row], verdict: Verdict) -> usize {
    rows.iter().filter(|row| row.verdict == verdict).count()
}

#[test]
fn every_figure_of_fox_and_hounds_comes_out() {
    let rows = rows(Document::FoxHounds, &Supplied::default());
    assert!(count(&rows, Verdict::Agrees) >= 35);
    assert_eq!(count(&rows, Verdict::DiffersAsKnown), 0);
    let large = rows.iter().filter(|row| row.verdict == Verdict::NotComputed(Missing::Large));
    assert!(large.clone().all(|row| row.entry.game == "fox-hounds:10"));
    assert_eq!(large.count(), 4);
}

#[test]
fn every_figure_of_king_and_rook_against_king_comes_out() {
    let mut known = Document::FoxHounds.known().expect("the data can be read");
    known.entries.retain(|entry| entry.game.starts_with("king-rook:"));
    let rows = compute(&known, &Supplied::default(), &Limits::default()).expect("the figures can be computed");
    assert!(rows.iter().all(|row| matches!(row.verdict, Verdict::Agrees | Verdict::NotPrinted)), "{rows:?}");
    let of = |game: &str, figure: &str| {
        let is_one = |row: &&Row| row.entry.game == game && row.entry.figure == figure;
        rows.iter().find(is_one).unwrap_or_else(|| panic!("no {figure} of {game}")).clone()
    };
    for (figure, printed) in [
        ("legal_strong", "175,168"),
        ("won_strong", "every one of the 175,168"),
        ("legal_lone", "223,944"),
        ("won_lone", "90%"),
        ("escapes", "22,244"),
        ("longest_mate", "at most 16 moves"),
    ] {
        let row = of("king-rook:8", figure);
        assert_eq!(row.entry.printed, printed);
        assert_eq!(row.verdict, Verdict::Agrees, "{row:?}");
    }
    assert_eq!(of("king-rook:plane", "controlled").verdict, Verdict::Agrees);
    // The strategy of the paper that the document cites works from 4 x 4 on, and 3 x 3 is won too.
    for size in 3..=7 {
        let [legal, won] =
            ["legal_strong", "won_strong"].map(|figure| of(&format!("king-rook:{size}"), figure).computed);
        assert_eq!(legal, won, "{size}");
    }
}

#[test]
fn every_figure_of_hasenspiel_comes_out_the_mistakes_included() {
    let rows = rows(Document::Hasenspiel, &Supplied::default());
    assert_eq!(count(&rows, Verdict::DiffersAsKnown), 4);
    assert_eq!(count(&rows, Verdict::Agrees), 8);
    assert_eq!(rows.len(), count(&rows, Verdict::NotPrinted) + 12);
}

#[test]
fn every_figure_of_hare_and_hounds_comes_out() {
    let rows = rows(Document::HareHounds, &Supplied::default());
    assert_eq!(rows.len(), count(&rows, Verdict::Agrees) + count(&rows, Verdict::NotPrinted));
}

#[test]
fn every_figure_of_hexapawn_comes_out_and_the_learner_is_left_aside() {
    let rows = rows(Document::Hexapawn, &Supplied::default());
    assert_eq!(count(&rows, Verdict::Agrees), 2);
    let differs: Vec<&str> = rows
        .iter()
        .filter(|row| row.verdict == Verdict::DiffersAsKnown)
        .map(|row| row.entry.printed.as_str().expect("a text"))
        .collect();
    assert_eq!(differs, ["24 matchboxes", "five or six moves at most"]);
    let known = Document::Hexapawn.known().expect("the data can be read");
    assert!(known.aside.iter().any(|aside| aside.figure == "learner"));
}

#[test]
fn the_table_of_the_fox_and_geese_paper_comes_out_as_far_as_it_can() {
    let mut supplied = Supplied::default();
    for rules in ["free", "first-capture"] {
        let game = FoxGeese::new(rules.parse().expect("a rule set"));
        let layers = Solution::of_layers(&game, 1..=5, &Limits::default()).expect("small layers fit");
        for geese in 1..=5 {
            let won = layers.positions(geese).filter(|(_, value)| value.winner() == Some(Side::Second)).count();
            supplied.geese_won.insert((rules.into(), geese), won as u64);
        }
    }
    let rows = rows(Document::FoxGeese, &supplied);
    assert_eq!(rows.len(), 4 * 31 + 8);
    let of = |figure: &str| rows.iter().filter(|row| row.entry.figure == figure).cloned().collect::<Vec<_>>();
    // Three numbers of geese and their mirror images.
    assert_eq!(count(&of("states"), Verdict::DiffersAsKnown), 6);
    assert_eq!(count(&of("space"), Verdict::DiffersAsKnown), 2);
    assert_eq!(count(&of("won"), Verdict::Agrees), 2 * 5);
    // Without tables the counts of the verified runs stand in: with 6 geese they are the printed ones.
    assert_eq!(count(&of("won"), Verdict::Kept { agrees: true }), 2);
    assert_eq!(count(&of("won"), Verdict::Kept { agrees: false }), 2 * 25);
    assert_eq!(count(&of("memory"), Verdict::Agrees), 1);
    assert_eq!(count(&of("space_all"), Verdict::DiffersAsKnown), 1);
    assert_eq!(count(&of("least_geese"), Verdict::Agrees), 2);
    let half: Vec<Verdict> = of("half").iter().map(|row| row.verdict).collect();
    assert_eq!(half, [Verdict::Kept { agrees: false }, Verdict::Kept { agrees: true }]);
    assert_eq!(count(&of("speed_up"), Verdict::Agrees), 1);
}

#[test]
fn counts_of_tables_go_before_the_kept_ones() {
    let mut supplied = Supplied::default();
    supplied.geese_won.insert(("free".into(), 31), 2112);
    supplied.geese_won.insert(("free".into(), 30), 1);
    let rows = reproduce(Document::FoxGeese, &supplied, &Limits::default()).expect("the figures can be computed");
    let of = |geese: u16| {
        let is_one =
            |row: &&Row| (&*row.entry.figure, &*row.entry.rules, row.entry.layer) == ("won", "free", Some(geese));
        rows.iter().find(is_one).expect("a row").clone()
    };
    assert_eq!((of(31).verdict, of(31).kept), (Verdict::DiffersAsKnown, None));
    assert_eq!((of(30).verdict, of(30).kept), (Verdict::Fails, None), "a wrong table is not covered by the kept count");
    assert_eq!(of(29).verdict, Verdict::Kept { agrees: false });
}

#[test]
fn every_number_of_the_texts_is_an_entry_or_left_aside() {
    // The numbers as the texts print them, by document: rows of tables apart, which have an entry each.
    let printed: [(Document, &[&str]); 5] = [
        (Document::FoxGeese, &["9.2", "34", "15-16", "larger than 7", "about a month", "1.6", "63", "128"]),
        (Document::Hasenspiel, &["1101.23", "54.59", "776,283", "39.45", "15.18", "0.148", "26", "60,614,406", "32"]),
        (Document::HareHounds, &["2640", "23 moves", "24 moves", "18 moves", "27 moves", "28 moves", "60 moves"]),
        (
            Document::FoxHounds,
            &[
                "175,168",
                "90%",
                "223,944",
                "22,244",
                "16 moves",
                "5,478",
                "255,168",
                "8,175",
                "709,868",
                "69,575,678",
                "360,552,037,329,667,882,019,232,833,884",
                "29",
                "0.006935",
                "41Gb",
                "6 of them",
            ],
        ),
        (
            Document::Hexapawn,
            &["24 matchboxes", "five or six", "28", "0.24404633", "0.1034", "35^40", "250^150", "0.55555556"],
        ),
    ];
    for (document, numbers) in printed {
        let known = document.known().expect("the data can be read");
        let texts: Vec<String> = known
            .entries
            .iter()
            .map(|entry| entry.printed.to_string())
            .chain(known.aside.iter().map(|aside| aside.printed.clone()))
            .collect();
        for number in numbers {
            assert!(texts.iter().any(|text| text.contains(number)), "{document:?} prints {number}");
        }
    }
}

#[test]
fn a_count_that_the_symmetry_of_the_board_forbids_is_known_to_differ() {
    let known = Document::FoxGeese.known().expect("the data can be read");
    for entry in known.entries.iter().filter(|entry| entry.figure == "won") {
        let geese = entry.layer.expect("a number of geese");
        let printed: String = entry.printed.as_str().expect("a number").chars().filter(char::is_ascii_digit).collect();
        let printed: u64 = printed.parse().expect("a number");
        let must = [1, 4, 2, 4][usize::from(geese % 4)];
        let reason = entry.reason.as_deref().unwrap_or_default();
        assert_eq!(!printed.is_multiple_of(must), reason.starts_with("can not be"), "{entry:?}");
        assert_eq!(entry.truth.as_u64().expect("a number") % must, 0, "{entry:?}");
    }
}

#[test]
fn a_doctored_file_fails() {
    let text = r#"{"document": "d", "about": "a", "entries": [
        {"figure": "reachable", "game": "noughts", "rules": "standard", "source": "s", "printed": "5,478", "true": 5478,
         "agrees": true},
        {"figure": "reachable", "game": "noughts", "rules": "standard", "source": "s", "printed": "5,479", "true": 5478,
         "agrees": true},
        {"figure": "reachable", "game": "noughts", "rules": "standard", "source": "s", "printed": "5,479", "true": 5479,
         "agrees": true},
        {"figure": "colour", "game": "noughts", "rules": "standard", "source": "s", "printed": null, "true": 1}]}"#;
    let known: Known = text.parse().expect("it can be read");
    let rows = compute(&known, &Supplied::default(), &Limits::default()).expect("the figures can be computed");
    let verdicts: Vec<Verdict> = rows.iter().map(|row| row.verdict).collect();
    let unknown = Verdict::NotComputed(Missing::Unknown);
    assert_eq!(verdicts, [Verdict::Agrees, Verdict::Fails, Verdict::Fails, unknown]);
    let nonsense =
        text.replace("\"noughts\", \"rules\"", "\"chess\", \"rules\"").parse::<Known>().expect("it can be read");
    assert!(compute(&nonsense, &Supplied::default(), &Limits::default()).is_err());
    assert!(text.replace("\"true\": 1", "\"truth\": 1").parse::<Known>().is_err());
}
