//! Every figure of `data/known` comes out: what is computed is what is known to be true, and what is printed compares with
//! it as is known.

use anser_analyse::reproduce::{Document, Known, Missing, Row, Supplied, Verdict, compute, reproduce};
use anser_analyse::{Limits, Solution};
use anser_core::Side;
use anser_core::fox_geese::FoxGeese;

/// All rows of a document, checked.
fn rows(document: Document, supplied: &Supplied) -> Vec<Row> {
    let rows = reproduce(document, supplied, &Limits::default()).expect("the figures can be computed");
    for row in &rows {
        assert_ne!(row.verdict, Verdict::Fails, "{row:?}");
        assert_ne!(row.verdict, Verdict::NotComputed(Missing::Unknown), "{row:?}");
        assert_eq!(row.computed.is_none(), matches!(row.verdict, Verdict::NotComputed(_)), "{row:?}");
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
fn every_figure_of_hasenspiel_comes_out_the_mistakes_included() {
    let rows = rows(Document::Hasenspiel, &Supplied::default());
    assert_eq!(count(&rows, Verdict::DiffersAsKnown), 3);
    assert_eq!(count(&rows, Verdict::Agrees), 5);
    assert_eq!(rows.len(), count(&rows, Verdict::NotPrinted) + 8);
}

#[test]
fn every_figure_of_hare_and_hounds_comes_out() {
    let rows = rows(Document::HareHounds, &Supplied::default());
    assert_eq!(rows.len(), count(&rows, Verdict::Agrees) + count(&rows, Verdict::NotPrinted));
}

#[test]
fn every_figure_of_hexapawn_comes_out_and_the_learner_is_left_aside() {
    let rows = rows(Document::Hexapawn, &Supplied::default());
    assert_eq!(count(&rows, Verdict::Agrees), 1);
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
    assert_eq!(rows.len(), 4 * 31);
    let of = |figure: &str| rows.iter().filter(|row| row.entry.figure == figure).cloned().collect::<Vec<_>>();
    // Three numbers of geese and their mirror images.
    assert_eq!(count(&of("states"), Verdict::DiffersAsKnown), 6);
    assert_eq!(count(&of("space"), Verdict::DiffersAsKnown), 2);
    assert_eq!(count(&of("won"), Verdict::Agrees), 2 * 5);
    assert_eq!(count(&of("won"), Verdict::NotComputed(Missing::Table)), 2 * 26);
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
