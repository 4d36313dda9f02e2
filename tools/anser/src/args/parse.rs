//! Values of arguments, parsed from their text.

use std::str::FromStr;
#[cfg(feature = "server")]
use std::time::Duration;

use anser_table::Metric;

/// Range of layers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LayerRange(pub(crate) u16, pub(crate) u16);

impl FromStr for LayerRange {
    type Err = String;

    fn from_str(text: &str) -> Result<LayerRange, String> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let number = |text: &str| {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            let number = text.parse::<u16>().ok().filter(|_| digits);
            number.ok_or_else(|| {
                format!("{text:?} is not a layer number; write 1-8, or 7 for one layer")
            })
        };
        let layers = LayerRange(number(first)?, number(last)?);
        if layers.0 > layers.1 {
            return Err(format!("the lower layer comes first: write {}-{}", layers.1, layers.0));
        }
        Ok(layers)
    }
}

/// Number of bytes: `8GiB`, `500MB`, `1.5TiB`, `4294967296`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Memory(pub(crate) u64);

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

impl FromStr for Memory {
    type Err = String;

    fn from_str(text: &str) -> Result<Memory, String> {
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
            Err("the memory must not be 0; write a size such as 8GiB".into())
        } else {
            Ok(Memory(bytes))
        }
    }
}

/// Length of time: `30s`, `10min`, `1.5h`, `2d`.
#[cfg(feature = "server")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Time(pub(crate) Duration);

#[cfg(feature = "server")]
impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Time, String> {
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
        Duration::try_from_secs_f64(number * seconds).map(Time).map_err(|_| wrong())
    }
}

/// Metric, parsed from its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MetricName(pub(crate) Metric);

impl FromStr for MetricName {
    type Err = String;

    fn from_str(text: &str) -> Result<MetricName, String> {
        let found = Metric::ALL.into_iter().find(|metric| metric.id() == text).map(MetricName);
        found.ok_or_else(|| {
            "the metrics are wdl (outcomes) and dtw (outcomes with distances in plies)".into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_one_number_or_two() {
        assert_eq!("7".parse(), Ok(LayerRange(7, 7)));
        assert_eq!("1-13".parse(), Ok(LayerRange(1, 13)));
        for wrong in ["", "-", "1-", "-3", "1-2-3", "a", "5-3", "1..3", "99999", "+1"] {
            assert!(wrong.parse::<LayerRange>().is_err(), "{wrong}");
        }
    }

    #[cfg(feature = "server")]
    #[test]
    fn a_time_has_a_unit() {
        for (text, seconds) in
            [("30s", 30.0), ("0s", 0.0), ("10 min", 600.0), ("1.5h", 5_400.0), ("2d", 172_800.0)]
        {
            let time = text.parse::<Time>().expect(text);
            assert!((time.0.as_secs_f64() - seconds).abs() < 1e-9, "{text}");
        }
        for wrong in ["", "30", "s", "-1s", "1m", "1.2.3s", "1e3s", "99999999999999999999d", "∞h"]
        {
            assert!(wrong.parse::<Time>().is_err(), "{wrong}");
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
            assert_eq!(text.parse(), Ok(Memory(bytes)), "{text}");
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
            assert!(wrong.parse::<Memory>().is_err(), "{wrong}");
        }
    }
}
