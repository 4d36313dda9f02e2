//! Results of verified full runs of Fox-and-Geese, for answers whose tables are missing: files of the
//! directory `results`.

/// Results of a full run: all layers of a game under a rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FullRun {
    /// Counts by outcome, rounds, and seconds of every layer, as JSON in the form of `anser stats
    /// --json`.
    pub outcomes: &'static str,
    /// Histograms of distances, the longest wins, and zugzwangs of every layer, and best play from
    /// the openings, as JSON in the form that `scripts/distances.py` writes; `None` if the run was
    /// for outcomes alone.
    pub distances: Option<&'static str>,
}

/// Returns the results of the full run of a game under a rule set, if they are kept.
///
/// ```
/// let run = anser_games::full_run("fox-geese", "free").expect("it is kept");
/// assert!(run.outcomes.contains("\"layer\": 31") && run.distances.is_some());
/// assert_eq!(anser_games::full_run("hexapawn:4x4", "standard"), None);
/// ```
pub fn full_run(game: &str, rules: &str) -> Option<FullRun> {
    let (outcomes, distances) = match (game, rules) {
        ("fox-geese", "free") => (
            include_str!("../results/fox-geese-free.json"),
            Some(include_str!("../results/fox-geese-free-dtw.json")),
        ),
        ("fox-geese", "first-capture") => (
            include_str!("../results/fox-geese-first-capture.json"),
            Some(include_str!("../results/fox-geese-first-capture-dtw.json")),
        ),
        ("fox-geese", "forward") => (include_str!("../results/fox-geese-forward.json"), None),
        _ => return None,
    };
    Some(FullRun { outcomes, distances })
}
