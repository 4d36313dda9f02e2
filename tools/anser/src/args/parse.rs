//! Values of arguments, parsed from their text.

use std::ops::RangeInclusive;
#[cfg(feature = "server")]
use std::time::Duration;

use anser_table::Metric;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Parser of one of these values, each with its name and its meaning, if help texts show that.
pub(crate) fn one_of<T: Copy + Send + Sync + 'static, const N: usize>(
    values: [(T, &'static str, Option<&'static str>); N],
) -> impl TypedValueParser<Value = T> {
    let named = values.map(|(_, name, meaning)| PossibleValue::new(name).help(meaning));
    PossibleValuesParser::new(named).map(move |text| {
        let named = values.iter().find(|(_, name, _)| *name == text);
        named.map_or_else(|| unreachable!("other names are rejected"), |&(value, ..)| value)
    })
}

/// Parses a range of layers, both ends included.
pub(crate) fn layers(text: &str) -> Result<RangeInclusive<u16>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |part: &str| {
        let digits = part.bytes().all(|byte| byte.is_ascii_digit());
        let number = part.parse::<u16>().ok().filter(|_| digits);
        let wrong = if part.is_empty() { text } else { part };
        number.ok_or_else(|| {
            format!("{wrong:?} is not a layer number; write 1-8, or 7 for one layer")
        })
    };
    let (first, last) = (number(first)?, number(last)?);
    if first > last {
        return Err(format!("the lower layer comes first: write {last}-{first}"));
    }
    Ok(first..=last)
}

/// Parses a count of at least 1.
pub(crate) fn count<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    number(text, 1..=u64::MAX)
}

/// Parses a whole number.
pub(crate) fn whole<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    number(text, 0..=u64::MAX)
}

/// Parser of a whole number from a range.
pub(crate) fn within<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| number(text, range.clone())
}

fn number<T: TryFrom<u64>>(text: &str, range: RangeInclusive<u64>) -> Result<T, String> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // Digits alone do not parse if the number is too large.
    let number = text.parse::<u64>().ok();
    if !is_number || number.is_some_and(|number| !range.contains(&number)) {
        return Err(match range.into_inner() {
            (0, u64::MAX) => "write a whole number".into(),
            (least, u64::MAX) => format!("write a whole number, at least {least}"),
            (least, most) => format!("write a whole number from {least} to {most}"),
        });
    }
    let number = number.and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| "this number is too large".into())
}

const UNITS: [(&str, u64); 9] = [
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
    ("b", 1),
];

const TOO_MUCH: &str = "this exceeds 2^64 - 1 bytes, the largest memory size";

/// Parses a number of bytes: `8GiB`, `500MB`, `1.5TiB`, `4294967296`.
pub(crate) fn memory(text: &str) -> Result<u64, String> {
    let wrong = || "write a number of bytes, or one with a unit: 8GiB, 500MiB, 8GB".to_owned();
    let lower = text.to_ascii_lowercase();
    let digits = lower.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let (number, unit) = (&lower[..lower.len() - digits.len()], digits.trim_start());
    let unit = match unit {
        "" => 1,
        unit => UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?.1,
    };
    let bytes = if let Ok(number) = number.parse::<u64>() {
        number.checked_mul(unit).ok_or(TOO_MUCH)?
    } else {
        let bytes = number.parse::<f64>().map_err(|_| wrong())? * unit as f64;
        // `u64::MAX as f64` rounds to 2^64, the smallest number of bytes that does not fit.
        if bytes >= u64::MAX as f64 {
            return Err(TOO_MUCH.into());
        }
        bytes as u64
    };
    if bytes == 0 {
        Err("the size must not be 0; write one such as 8GiB".into())
    } else {
        Ok(bytes)
    }
}

/// Parses a length of time: `30s`, `10min`, `1.5h`, `2d`.
#[cfg(feature = "server")]
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let wrong = || "write a time with its unit: 30s, 10min, 1h, 2d".to_owned();
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number: f64 = text[..text.len() - unit.len()].parse().map_err(|_| wrong())?;
    let seconds = match unit.trim_start() {
        "s" => 1.0,
        "min" => 60.0,
        "h" => 3_600.0,
        "d" => 86_400.0,
        _ => return Err(wrong()),
    };
    Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())
}

/// Parses the name of a metric.
pub(crate) fn metric(text: &str) -> Result<Metric, String> {
    Metric::ALL.into_iter().find(|metric| metric.id() == text).ok_or_else(|| {
        "the metrics are wdl (outcomes) and dtw (outcomes with distances in plies)".into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_at_least_one() {
        assert_eq!((count("1"), count::<u16>("65535")), (Ok(1_u64), Ok(65_535)));
        for wrong in ["", "0", "00", "x", "-1", "+1", "1.5"] {
            assert_eq!(count::<u64>(wrong), Err("write a whole number, at least 1".into()));
        }
        assert_eq!(count::<u16>("65536"), Err("this number is too large".into()));
        assert_eq!(count::<u64>("99999999999999999999"), Err("this number is too large".into()));
    }

    #[test]
    fn a_whole_number_may_be_zero_or_in_a_range() {
        assert_eq!(
            (whole("0"), whole::<u64>("x")),
            (Ok(0_u64), Err("write a whole number".into()))
        );
        let some = within::<u16>(0..=10);
        assert_eq!((some("0"), some("10")), (Ok(0), Ok(10)));
        for wrong in ["", "11", "-1", "x"] {
            assert_eq!(some(wrong), Err("write a whole number from 0 to 10".into()), "{wrong}");
        }
    }

    #[test]
    fn layers_are_one_number_or_two() {
        assert_eq!(layers("7"), Ok(7..=7));
        assert_eq!(layers("1-13"), Ok(1..=13));
        for wrong in ["", "-", "1-", "-3", "1-2-3", "a", "5-3", "1..3", "99999", "+1"] {
            assert!(layers(wrong).is_err(), "{wrong}");
        }
    }

    #[cfg(feature = "server")]
    #[test]
    fn a_time_has_a_unit() {
        for (text, seconds) in
            [("30s", 30.0), ("0s", 0.0), ("10 min", 600.0), ("1.5h", 5_400.0), ("2d", 172_800.0)]
        {
            let time = time(text).expect(text);
            assert!((time.as_secs_f64() - seconds).abs() < 1e-9, "{text}");
        }
        for wrong in ["", "30", "s", "-1s", "1m", "1.2.3s", "1e3s", "99999999999999999999d", "∞h"]
        {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn memory_is_a_number_with_or_without_a_unit() {
        for (text, bytes) in [
            ("4096", 4096),
            ("8GiB", 8 << 30),
            ("8gib", 8 << 30),
            ("8 GiB", 8 << 30),
            ("1.5KiB", 1536),
            ("500MB", 500_000_000),
            ("2TiB", 2 << 40),
            ("1B", 1),
        ] {
            assert_eq!(memory(text), Ok(bytes), "{text}");
        }
        for wrong in [
            "",
            "GiB",
            "8G",
            "8 gigs",
            "-1GiB",
            "1.2.3GB",
            "0",
            "0.0GiB",
            "99999999999TiB",
            "99999999999999999999GiB",
            "99999999999999999999",
            "18446744073709551616.0",
            "8GiBx",
            "∞",
        ] {
            assert!(memory(wrong).is_err(), "{wrong}");
        }
    }
}
