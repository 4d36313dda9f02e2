//! Data of a plot, and its axes.

use anser_core::Side;

use crate::text::grouped;

/// Kind of plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One bar per point; bars of several series at the same x are stacked.
    Bars,
    /// Lines through the points. On a logarithmic x axis points at 0 are omitted.
    Lines { logarithmic: bool },
}

/// Series of points, in ascending order of x.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) name: String,
    /// Side that determines the color; `None` for draws.
    pub(crate) side: Option<Side>,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Vertical mark at a value of x.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) x: f64,
    pub(crate) name: String,
    /// As in [`Series`].
    pub(crate) side: Option<Side>,
}

/// Plot. The y axis begins at 0, and so does a linear x axis.
#[derive(Clone, Debug)]
pub(crate) struct Plot {
    pub(crate) title: String,
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) kind: Kind,
    /// Names of bars at x = 0, 1, and so on, shown instead of these numbers; empty if there are
    /// none.
    pub(crate) names: Vec<String>,
    pub(crate) series: Vec<Series>,
    pub(crate) marks: Vec<Mark>,
}

impl Plot {
    /// A plot with numbers on the x axis, and without marks.
    pub(crate) fn new(
        kind: Kind,
        title: String,
        [x, y]: [&str; 2],
        series: impl IntoIterator<Item = Series>,
    ) -> Plot {
        let series = series.into_iter().collect();
        let (x, y) = (x.into(), y.into());
        Plot { title, x, y, kind, names: Vec::new(), series, marks: Vec::new() }
    }

    /// Name of the bar at a value of x, or its number.
    pub(super) fn name(&self, x: f64) -> String {
        self.names.get(x as usize).cloned().unwrap_or_else(|| number(x))
    }

    fn is_logarithmic(&self) -> bool {
        self.kind == Kind::Lines { logarithmic: true }
    }

    /// Points of a series that the x axis can show.
    pub(super) fn points<'a>(&self, series: &'a Series) -> impl Iterator<Item = (f64, f64)> + 'a {
        let logarithmic = self.is_logarithmic();
        series.points.iter().copied().filter(move |&(x, _)| !logarithmic || x > 0.0)
    }

    /// Smallest x, and largest x or 0, of points and marks.
    pub(super) fn x_range(&self) -> (f64, f64) {
        let points = self.series.iter().flat_map(|series| self.points(series));
        let xs = points.map(|(x, _)| x).chain(self.marks.iter().map(|mark| mark.x));
        xs.fold((f64::INFINITY, 0.0), |(low, high), x| (low.min(x), high.max(x)))
    }

    /// Axis that shows all points and marks.
    pub(super) fn axis(&self) -> Axis {
        let (low, high) = self.x_range();
        if self.is_logarithmic() && low > 0.0 && low < high {
            // The tolerance absorbs rounding: numbers such as 0.001 have no exact logarithm.
            let ends = [(low.log10() + 0.0005).floor(), (high.log10() - 0.0005).ceil()];
            let ticks = (ends[0] as i32..=ends[1] as i32).map(|power| 10f64.powi(power)).collect();
            return Axis { logarithmic: true, ends, ticks };
        }
        let ticks = ticks(high, 8);
        let end = if self.kind == Kind::Bars { high } else { ticks[ticks.len() - 1] };
        Axis {
            logarithmic: false,
            ends: [0.0, end],
            ticks: ticks.into_iter().filter(|&tick| tick <= end).collect(),
        }
    }

    /// Largest height of a line or a stack of bars.
    pub(super) fn y_max(&self) -> f64 {
        match self.kind {
            Kind::Lines { .. } => self
                .series
                .iter()
                .flat_map(|series| &series.points)
                .map(|&(_, y)| y)
                .fold(0.0, f64::max),
            Kind::Bars => {
                self.stacks().into_iter().map(|(_, parts)| parts.iter().sum()).fold(0.0, f64::max)
            }
        }
    }

    /// Heights of all series at every x, in ascending order of x.
    pub(super) fn stacks(&self) -> Vec<(f64, Vec<f64>)> {
        let mut xs: Vec<f64> =
            self.series.iter().flat_map(|series| &series.points).map(|&(x, _)| x).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        let height = |series: &Series, x: f64| {
            series
                .points
                .iter()
                .filter(|point| point.0.total_cmp(&x).is_eq())
                .map(|point| point.1)
                .sum()
        };
        xs.into_iter()
            .map(|x| (x, self.series.iter().map(|series| height(series, x)).collect()))
            .collect()
    }
}

/// The x axis of a plot.
pub(super) struct Axis {
    pub(super) logarithmic: bool,
    /// First and last number; their exponents to base ten if the axis is logarithmic.
    pub(super) ends: [f64; 2],
    /// Numbers with a label.
    pub(super) ticks: Vec<f64>,
}

impl Axis {
    /// Relative position of a number on the axis, from 0 to 1.
    pub(super) fn share(&self, x: f64) -> f64 {
        let x = if self.logarithmic { x.log10() } else { x };
        let length = self.ends[1] - self.ends[0];
        if length > 0.0 { ((x - self.ends[0]) / length).clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// Round numbers from 0 to `max` or just above it, about `count` of them.
pub(super) fn ticks(max: f64, count: usize) -> Vec<f64> {
    if !(max.is_finite() && max > 0.0) {
        return vec![0.0, 1.0];
    }
    let raw = max / count.max(1) as f64;
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|&step| step >= raw * 0.999);
    let step = step.unwrap_or(power * 10.0);
    let last = (max / step * 0.999_999).ceil() as u32;
    (0..=last).map(|number| f64::from(number) * step).collect()
}

/// Formats a number as the other answers do: `0.25`, `40`, `1,500`, `20,000,000`.
pub(super) fn number(number: f64) -> String {
    if number >= 1e15 {
        return format!("{number:.0e}");
    }
    if number >= 1.0 && number.fract() == 0.0 {
        return grouped(number as u64);
    }
    let digits = format!("{number:.6}");
    digits.trim_end_matches('0').trim_end_matches('.').to_owned()
}
