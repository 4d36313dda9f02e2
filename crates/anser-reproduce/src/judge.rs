//! Compares a computed figure with the known one and with the printed text.

use num_bigint::BigUint;
use serde_json::Value as Json;

use crate::question::Missing;
use crate::{Entry, Figure, Subject};

/// Result of comparing the computed, the known, and the printed figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The printed figure is the computed one.
    Agrees,
    /// The printed figure differs from the computed one, as expected; the entry has the reason.
    DiffersAsKnown,
    /// The document does not print the figure; the computed figure is the known one.
    NotPrinted,
    /// The computed figure is not the known one, or the printed figure compares with it in an
    /// unexpected way.
    Fails,
    /// The tables to compute the figure are missing. The [figure of a verified
    /// run](crate::Row::kept) is the known one, and the printed one is equal to it or differs as
    /// expected.
    Kept {
        /// Whether the printed figure is the one of the verified run.
        agrees: bool,
    },
    /// The figure was not computed.
    NotComputed(Missing),
}

impl Verdict {
    /// Identifier in JSON and in texts.
    pub const fn id(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::DiffersAsKnown => "differs as known",
            Verdict::NotPrinted => "not printed",
            Verdict::Fails => "FAILS",
            Verdict::Kept { agrees: true } => "kept, agrees",
            Verdict::Kept { agrees: false } => "kept, differs as known",
            Verdict::NotComputed(_) => "not computed",
        }
    }
}

/// Compares a computed figure with the known and the printed one. `computed` has the form of
/// [`Entry::truth`].
///
/// ```
/// use anser_reproduce::{Document, Entry, Figure, Verdict, judge};
/// let known = Document::FoxHounds.known()?;
/// let game = |entry: &Entry| entry.subject.game() == "fox-hounds:8";
/// let is_one = |entry: &&Entry| entry.figure == Figure::Reachable && game(entry);
/// let reachable = known.entries.iter().find(is_one).expect("the document prints it");
/// assert_eq!(judge(reachable, &709_868.into()), Verdict::Agrees);
/// assert_eq!(judge(reachable, &709_869.into()), Verdict::Fails);
/// # Ok::<(), anser_reproduce::DataError>(())
/// ```
pub fn judge(entry: &Entry, computed: &Json) -> Verdict {
    if *computed != entry.truth || !explained(entry, computed) {
        return Verdict::Fails;
    }
    let Some(agrees) = entry.agrees else {
        return if entry.printed.is_null() { Verdict::NotPrinted } else { Verdict::Fails };
    };
    match printed_is(entry, computed) {
        Some(same) if same != agrees => Verdict::Fails,
        _ if agrees => Verdict::Agrees,
        _ if entry.reason.is_some() => Verdict::DiffersAsKnown,
        _ => Verdict::Fails,
    }
}

/// Whether the printed figure is what the document's program computed, where that is known and
/// differs from the truth.
fn explained(entry: &Entry, computed: &Json) -> bool {
    match (&computed["as_computed"], entry.printed.as_str()) {
        (Json::Number(share), Some(printed)) => {
            share.as_f64().map(percent).as_deref() == Some(printed)
        }
        (_, Some(printed)) if entry.figure == Figure::HighestEncoding => {
            numbers(printed).first().copied() == computed["bound"].as_u64()
        }
        _ => true,
    }
}

/// Numbers in a text, in their order, with commas removed.
fn numbers(text: &str) -> Vec<u64> {
    let plain = text.replace(',', "");
    plain.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// Whether the printed figure is the computed one, to the printed precision; `None` if the text is
/// not a number.
fn printed_is(entry: &Entry, computed: &Json) -> Option<bool> {
    let printed = match &entry.printed {
        Json::String(text) => text.as_str(),
        table => return fuzz_is(entry, table, computed),
    };
    let digits: String = printed.chars().filter(char::is_ascii_digit).collect();
    let number = || digits.parse::<u64>().ok();
    match entry.figure {
        Figure::Reachable | Figure::Positions | Figure::States | Figure::Won | Figure::B => {
            Some(number() == computed.as_u64())
        }
        Figure::LegalStrong | Figure::LegalLone if printed.starts_with("no ") => {
            Some(computed.as_u64() == Some(0))
        }
        Figure::LegalStrong
        | Figure::LegalLone
        | Figure::LongestMate
        | Figure::Controlled
        | Figure::Squares
        | Figure::EncodingBits => Some(number() == computed.as_u64()),
        // Of the other boards the document says in words that every position is won.
        Figure::WonStrong if entry.subject == Subject::KingRook(8) && !digits.is_empty() => {
            Some(number() == computed.as_u64())
        }
        Figure::WonLone => Some(printed == format!("{:.0}%", computed["percent"].as_f64()?)),
        Figure::Escapes | Figure::Matchboxes => {
            let parts = [&computed["all"], &computed["up_to_mirror"]];
            Some(parts.into_iter().any(|part| part.as_u64().is_some() && part.as_u64() == number()))
        }
        Figure::HighestEncoding => Some(
            ["reachable", "arrangement"].iter().any(|name| computed[name].as_u64() == number()),
        ),
        Figure::MostMoves => {
            Some(numbers(printed) == [computed["rabbit"].as_u64()?, computed["pawns"].as_u64()?])
        }
        Figure::Moves => {
            let parts = ["all", "forward", "captures"].map(|name| computed[name].as_u64());
            Some(numbers(printed).into_iter().map(Some).eq(parts))
        }
        Figure::Half => {
            let (least, most) = (*numbers(printed).first()?, *numbers(printed).last()?);
            Some((least..=most).contains(&computed.as_u64()?))
        }
        Figure::SpeedUp => Some(computed.as_f64()? > *numbers(printed).first()? as f64),
        Figure::Space => size_is(printed, computed.as_u64()?),
        Figure::Memory | Figure::SpaceAll => {
            size_is(printed.strip_prefix("about ")?, computed.as_u64()?)
        }
        Figure::Games => games_are(printed, &digits, computed.as_str()?),
        Figure::MaxB => Some(number() == computed["b"].as_u64()),
        Figure::Value | Figure::Opposite if printed.contains(" in ") => {
            let winner = computed["outcome"].as_str()?.trim_end_matches('s');
            Some(printed.to_lowercase().contains(winner) && number() == computed["dtw"].as_u64())
        }
        Figure::Line => {
            let moves: Option<Vec<&str>> = computed.as_array()?.iter().map(Json::as_str).collect();
            Some(printed.split(' ').collect::<Vec<_>>() == moves?)
        }
        Figure::ShareGamesBlack | Figure::ShareBlackForces | Figure::ShareWhiteForces => {
            Some(printed == percent(computed["true"].as_f64()?))
        }
        Figure::Fairest => Some(printed == format!("{:.6}", computed["weights"].as_f64()?)),
        _ => None,
    }
}

/// A share in percent, as documents print it.
fn percent(share: f64) -> String {
    format!("{share:.2} %")
}

/// Whether a printed row of the table of fuzz factors is the computed one. The document truncates
/// the factor and rounds the chances.
fn fuzz_is(entry: &Entry, printed: &Json, computed: &Json) -> Option<bool> {
    let factor: f64 = printed["p"].as_str()?.parse().ok()?;
    let near = (factor - entry.p?).abs() < 1e-6;
    let chances = &computed["weights"];
    let same =
        |side: &str| Some(format!("{:.3}", chances[side].as_f64()?) == printed[side].as_str()?);
    Some(near && same("fox")? && same("hounds")?)
}

/// Whether a printed number of games is the computed one: exact, as the next lower power of ten, or
/// in units of 10^27 with two decimals.
fn games_are(printed: &str, digits: &str, computed: &str) -> Option<bool> {
    if let Some(power) = printed.strip_prefix("~10^") {
        return Some(power.parse::<usize>().ok()? + 1 == computed.len());
    }
    if printed.contains("10^27") {
        let thousandths = computed.parse::<BigUint>().ok()? / BigUint::from(10_u32).pow(24);
        let hundredths: BigUint = (thousandths + 5_u32) / 10_u32;
        return Some(printed.starts_with(&format!(
            "{}.{:02} ",
            &hundredths / 100_u32,
            &hundredths % 100_u32
        )));
    }
    Some(digits == computed)
}

/// Whether a printed number of bytes, with a unit that is a power of 1024 and truncated, is the
/// computed one.
fn size_is(printed: &str, bytes: u64) -> Option<bool> {
    let (number, unit) = printed.split_once(' ')?;
    let power = ["B", "KB", "MB", "GB"].iter().position(|name| *name == unit)?;
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let scaled = (u128::from(bytes) * 10_u128.pow(part.len() as u32)) >> (10 * power);
    Some(format!("{whole}{part}").parse() == Ok(scaled))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;

    fn entry(document: Document, game: &str, figure: Figure) -> Entry {
        let known = document.known().expect("the data can be read");
        let mut entries = known.entries.into_iter();
        entries
            .find(|entry| entry.subject.game() == game && entry.figure == figure)
            .expect("there is such a figure")
    }

    #[test]
    fn a_doctored_row_fails() {
        let row = entry(Document::FoxHounds, "fox-hounds:8", Figure::Games);
        let computed = row.truth.clone();
        assert_eq!(judge(&row, &computed), Verdict::Agrees);
        let doctored = [
            Entry { truth: "360552037329667882019232833885".into(), ..row.clone() },
            Entry { printed: "~10^28".into(), ..row.clone() },
            Entry { agrees: Some(false), reason: Some("no".into()), ..row.clone() },
            Entry { agrees: None, ..row.clone() },
        ];
        for row in doctored {
            assert_eq!(judge(&row, &computed), Verdict::Fails, "{row:?}");
        }
        let unprinted = Entry { printed: Json::Null, agrees: None, ..row };
        assert_eq!(judge(&unprinted, &computed), Verdict::NotPrinted);
    }

    #[test]
    fn a_figure_that_differs_needs_a_reason() {
        let mut row = entry(Document::FoxGeese, "fox-geese", Figure::Space);
        row.printed = "4.24 GB".into();
        row.truth = 4_667_212_440_u64.into();
        row.agrees = Some(false);
        row.reason = None;
        assert_eq!(judge(&row, &row.truth), Verdict::Fails);
        row.reason = Some("a misprint".into());
        assert_eq!(judge(&row, &row.truth), Verdict::DiffersAsKnown);
        row.printed = "4.34 GB".into();
        assert_eq!(judge(&row, &row.truth), Verdict::Fails);
    }

    #[test]
    fn a_printed_share_that_the_program_did_not_compute_fails() {
        let known = Document::Hasenspiel.known().expect("the data can be read");
        let printed =
            |entry: &&Entry| entry.figure == Figure::ShareBlackForces && !entry.printed.is_null();
        let row = known.entries.iter().find(printed).expect("it is printed");
        assert_eq!(judge(row, &row.truth), Verdict::DiffersAsKnown);
        let doctored = Entry { printed: "39.54 %".into(), ..row.clone() };
        assert_eq!(judge(&doctored, &row.truth), Verdict::Fails);
    }

    #[test]
    fn sizes_are_truncated() {
        for (printed, bytes, same) in [
            ("264 B", 264, true),
            ("3.99 KB", 4_092, true),
            ("4.00 KB", 4_092, false),
            ("1015 MB", 1_064_451_960, true),
            ("4.24 GB", 4_667_212_440, false),
        ] {
            assert_eq!(size_is(printed, bytes), Some(same), "{printed}");
        }
    }
}
