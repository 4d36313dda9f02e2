//! Sets of metrics.

use std::fmt;

use anser_table::Metric;

/// A set of metrics.
///
/// ```
/// use anser_solve::Metrics;
/// use anser_table::Metric;
///
/// let both = Metrics::from_iter([Metric::Dtw, Metric::Wdl]);
/// assert!(both.contains(Metric::Wdl));
/// assert!(both.iter().eq([Metric::Wdl, Metric::Dtw]));
/// assert_eq!(both.without(Metric::Wdl.into()), Metrics::from(Metric::Dtw));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Metrics(u8);

impl Metrics {
    /// Returns the bits of the set, to be sent to other ranks.
    pub(crate) fn bits(self) -> u8 {
        self.0
    }

    /// Returns the set with these bits.
    pub(crate) fn from_bits(bits: u8) -> Metrics {
        Metrics(bits)
    }

    /// Returns whether the set has no metric.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the set has a metric.
    pub fn contains(self, metric: Metric) -> bool {
        self.0 & Metrics::from(metric).0 != 0
    }

    /// Returns whether the set has every metric of another set.
    pub fn contains_all(self, other: Metrics) -> bool {
        other.without(self).is_empty()
    }

    /// Returns whether distances suffice to fill the set, and outcomes do not. A distance implies
    /// an outcome, so the outcomes cost nothing more.
    pub(crate) fn need_distances(self) -> bool {
        self.contains(Metric::Dtw)
            && Metrics::from_iter([Metric::Wdl, Metric::Dtw]).contains_all(self)
    }

    /// Returns the metrics of this set that another set does not have.
    #[must_use]
    pub fn without(self, other: Metrics) -> Metrics {
        Metrics(self.0 & !other.0)
    }

    /// Iterates over the metrics, in the order of [`Metric::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Metric> {
        Metric::ALL.into_iter().filter(move |&metric| self.contains(metric))
    }
}

impl From<Metric> for Metrics {
    fn from(metric: Metric) -> Metrics {
        Metrics(1 << metric as u8)
    }
}

impl FromIterator<Metric> for Metrics {
    fn from_iter<I: IntoIterator<Item = Metric>>(metrics: I) -> Metrics {
        Metrics(metrics.into_iter().fold(0, |bits, metric| bits | Metrics::from(metric).0))
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl fmt::Display for Metrics {
    /// Writes the names, separated by commas: `wdl,dtw`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, metric) in self.iter().enumerate() {
            write!(f, "{}{}", if number == 0 { "" } else { "," }, metric.id())?;
        }
        Ok(())
    }
}
