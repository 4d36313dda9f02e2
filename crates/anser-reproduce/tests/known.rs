//! Every known figure is reproduced: the computed figure is the true one, and the printed one
//! compares with it as expected.

use anser_core::{Hunt, Side};
use anser_reproduce::{
    DataError, Document, Entry, Figure, Known, Missing, Options, Row, Subject, Verdict, compute,
    reproduce,
};
use anser_retrograde::{Limits, Solution};

/// Rows of a document, checked.
fn rows(document: Document, options: &Options) -> Vec<Row> {
    let rows =
        reproduce(document, options, &Limits::default()).expect("the figures can be computed").rows;
    for row in &rows {
        assert_ne!(row.verdict, Verdict::Fails, "{row:?}");
        assert_ne!(row.verdict, Verdict::NotComputed(Missing::NoSuchFigure), "{row:?}");
        let kept = matches!(row.verdict, Verdict::Kept { .. });
        assert_eq!(
            row.computed.is_none(),
            kept || matches!(row.verdict, Verdict::NotComputed(_)),
            "{row:?}"
        );
        assert_eq!(row.kept.is_some(), kept, "{row:?}");
        assert!(row.kept.as_ref().is_none_or(|figure| *figure == row.entry.truth), "{row:?}");
        assert!(
            row.computed.as_ref().is_none_or(|computed| *computed == row.entry.truth),
            "{row:?}"
        );
    }
    rows
}

fn count(rows: &[Row], verdict: Verdict) -> usize {
    rows.iter().filter(|row| row.verdict == verdict).count()
}

#[test]
fn every_figure_of_fox_and_hounds_is_reproduced() {
    let rows = rows(Document::FoxHounds, &Options::default());
    assert_eq!(count(&rows, Verdict::Agrees), 54);
    assert_eq!(count(&rows, Verdict::DiffersAsKnown), 0);
    let large = rows.iter().filter(|row| row.verdict == Verdict::NotComputed(Missing::Large));
    assert!(large.clone().all(|row| row.entry.subject.game() == "fox-hounds:10"));
    assert_eq!(large.count(), 4);
    // King and rook win on every board: the strategy of the paper that the document cites works from
    // 4 x 4 on, and 3 x 3 is won, too.
    let of = |size, figure| {
        let is_one =
            |row: &&Row| row.entry.subject == Subject::KingRook(size) && row.entry.figure == figure;
        rows.iter().find(is_one).expect("the board has the figure").computed.clone()
    };
    for size in 3..=7 {
        assert_eq!(of(size, Figure::LegalStrong), of(size, Figure::WonStrong), "{size}");
    }
}

#[test]
fn every_figure_of_fox_and_hounds_on_ten_by_ten_is_reproduced_on_request() {
    let mut known = Document::FoxHounds.known().expect("the data can be read");
    known.entries.retain(|entry| entry.large);
    let options = Options { large: true, ..Options::default() };
    let rows =
        compute(&known.entries, &options, &Limits::default()).expect("the figures can be computed");
    assert_eq!(
        (rows.len(), count(&rows, Verdict::Agrees), count(&rows, Verdict::NotPrinted)),
        (4, 3, 1),
        "{rows:?}"
    );
}

#[test]
fn every_figure_of_hasenspiel_is_reproduced_including_its_mistakes() {
    let rows = rows(Document::Hasenspiel, &Options::default());
    assert_eq!(count(&rows, Verdict::DiffersAsKnown), 4);
    assert_eq!(count(&rows, Verdict::Agrees), 8);
    assert_eq!(rows.len(), count(&rows, Verdict::NotPrinted) + 12);
}

#[test]
fn every_figure_of_hare_and_hounds_is_reproduced() {
    let rows = rows(Document::HareHounds, &Options::default());
    assert_eq!(rows.len(), count(&rows, Verdict::Agrees) + count(&rows, Verdict::NotPrinted));
}

#[test]
fn every_figure_of_hexapawn_is_reproduced_except_those_of_the_learner() {
    let rows = rows(Document::Hexapawn, &Options::default());
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
fn the_table_of_the_fox_and_geese_paper_is_reproduced_as_far_as_possible() {
    let mut options = Options::default();
    for rules in ["free", "first-capture"] {
        let game = Hunt::fox_geese(rules).unwrap();
        let layers =
            Solution::of_layers(&game, 1..=5, &Limits::default()).expect("small layers fit");
        for geese in 1..=5 {
            let won = layers
                .positions(geese)
                .filter(|(_, value)| value.winner() == Some(Side::Second))
                .count();
            options.geese_won.insert((rules.into(), geese), won as u64);
        }
    }
    let rows = rows(Document::FoxGeese, &options);
    assert_eq!(rows.len(), 4 * 31 + 8);
    let of = |figure: Figure| {
        rows.iter().filter(|row| row.entry.figure == figure).cloned().collect::<Vec<_>>()
    };
    // Three numbers of geese and their mirror images.
    assert_eq!(count(&of(Figure::States), Verdict::DiffersAsKnown), 6);
    assert_eq!(count(&of(Figure::Space), Verdict::DiffersAsKnown), 2);
    assert_eq!(count(&of(Figure::Won), Verdict::Agrees), 2 * 5);
    // Without tables the counts are those of verified runs. For 6 geese the printed count is equal.
    assert_eq!(count(&of(Figure::Won), Verdict::Kept { agrees: true }), 2);
    assert_eq!(count(&of(Figure::Won), Verdict::Kept { agrees: false }), 2 * 25);
    assert_eq!(count(&of(Figure::Memory), Verdict::Agrees), 1);
    assert_eq!(count(&of(Figure::SpaceAll), Verdict::DiffersAsKnown), 1);
    assert_eq!(count(&of(Figure::LeastGeese), Verdict::Agrees), 2);
    let half: Vec<Verdict> = of(Figure::Half).iter().map(|row| row.verdict).collect();
    assert_eq!(half, [Verdict::Kept { agrees: false }, Verdict::Kept { agrees: true }]);
    assert_eq!(count(&of(Figure::SpeedUp), Verdict::Agrees), 1);
}

#[test]
fn counts_of_tables_take_precedence_over_kept_ones() {
    let mut options = Options::default();
    options.geese_won.insert(("free".into(), 31), 2112);
    options.geese_won.insert(("free".into(), 30), 1);
    let rows = reproduce(Document::FoxGeese, &options, &Limits::default())
        .expect("the figures can be computed")
        .rows;
    let of = |geese: u16| {
        let about = |entry: &Entry| (entry.figure, entry.subject.clone(), entry.layer);
        let is_one = |row: &&Row| {
            about(&row.entry) == (Figure::Won, Subject::FoxGeese("free".into()), Some(geese))
        };
        rows.iter().find(is_one).expect("a row").clone()
    };
    assert_eq!((of(31).verdict, of(31).kept), (Verdict::DiffersAsKnown, None));
    assert_eq!(
        (of(30).verdict, of(30).kept),
        (Verdict::Fails, None),
        "a wrong table is not covered by the kept count"
    );
    assert_eq!(of(29).verdict, Verdict::Kept { agrees: false });
}

#[test]
fn every_number_in_the_texts_is_an_entry_or_not_judged() {
    // Numbers as the texts print them, without rows of tables, which have an entry each.
    let printed: [(Document, &[&str]); 5] = [
        (
            Document::FoxGeese,
            &["9.2", "34", "15-16", "larger than 7", "about a month", "1.6", "63", "128"],
        ),
        (
            Document::Hasenspiel,
            &["1101.23", "54.59", "776,283", "39.45", "15.18", "0.148", "26", "60,614,406", "32"],
        ),
        (
            Document::HareHounds,
            &["2640", "23 moves", "24 moves", "18 moves", "27 moves", "28 moves", "60 moves"],
        ),
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
            &[
                "24 matchboxes",
                "five or six",
                "28",
                "0.24404633",
                "0.1034",
                "35^40",
                "250^150",
                "0.55555556",
            ],
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
    for entry in known.entries.iter().filter(|entry| entry.figure == Figure::Won) {
        let geese = entry.layer.expect("a number of geese");
        let printed: String = entry
            .printed
            .as_str()
            .expect("a number")
            .chars()
            .filter(char::is_ascii_digit)
            .collect();
        let printed: u64 = printed.parse().expect("a number");
        let must = [1, 4, 2, 4][usize::from(geese % 4)];
        let reason = entry.reason.as_deref().unwrap_or_default();
        assert_eq!(!printed.is_multiple_of(must), reason.starts_with("impossible"), "{entry:?}");
        assert_eq!(entry.truth.as_u64().expect("a number") % must, 0, "{entry:?}");
    }
}

#[test]
fn a_doctored_file_fails() {
    let text = r#"{"document": "d", "about": "a", "entries": [
        {"figure": "reachable", "game": "noughts", "rules": "standard", "source": "s",
         "printed": "5,478", "true": 5478, "agrees": true},
        {"figure": "reachable", "game": "noughts", "rules": "standard", "source": "s",
         "printed": "5,479", "true": 5478, "agrees": true},
        {"figure": "reachable", "game": "noughts", "rules": "standard", "source": "s",
         "printed": "5,479", "true": 5479, "agrees": true},
        {"figure": "matchboxes", "game": "noughts", "rules": "standard", "source": "s",
         "printed": null, "true": 1}]}"#;
    let known: Known = text.parse().expect("it can be read");
    let rows = compute(&known.entries, &Options::default(), &Limits::default())
        .expect("the figures can be computed");
    let verdicts: Vec<Verdict> = rows.iter().map(|row| row.verdict).collect();
    let unknown = Verdict::NotComputed(Missing::NoSuchFigure);
    assert_eq!(verdicts, [Verdict::Agrees, Verdict::Fails, Verdict::Fails, unknown]);
    let changed = |from: &str, to: &str| text.replace(from, to).parse::<Known>();
    assert!(matches!(changed("\"noughts\"", "\"chess\""), Err(DataError::UnknownSubject { .. })));
    assert!(matches!(changed("\"standard\"", "\"strict\""), Err(DataError::UnknownSubject { .. })));
    assert!(matches!(changed("matchboxes", "color"), Err(DataError::UnknownFigure { .. })));
    assert!(matches!(changed("\"true\": 1", "\"truth\": 1"), Err(DataError::Json(_))));
}
