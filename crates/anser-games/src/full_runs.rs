//! Results of verified full runs of Fox-and-Geese and Bagh-Chal, for answers whose tables are
//! missing: files of the directory `results`.

/// Results of a full run: all layers of a game under a rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FullRun {
    /// Counts by outcome, rounds, and seconds of every layer, as JSON in the form of `anser stats
    /// --json`; `None` if the run was for distances alone, which count the same.
    pub outcomes: Option<&'static str>,
    /// Histograms of distances, the longest wins, and zugzwangs of every layer, and best play from
    /// the openings, as JSON in the form that `scripts/distances.py` and `scripts/bagh-chal.py`
    /// write; `None` if the run was for outcomes alone.
    pub distances: Option<&'static str>,
}

/// Returns the results of the full run of a game under a rule set, if they are kept.
///
/// ```
/// let run = anser_games::full_run("fox-geese", "free").expect("it is kept");
/// assert!(run.outcomes.is_some_and(|json| json.contains("\"layer\": 31")));
/// assert!(run.distances.is_some());
/// assert_eq!(anser_games::full_run("hexapawn:4x4", "standard"), None);
/// ```
pub fn full_run(game: &str, rules: &str) -> Option<FullRun> {
    let (outcomes, distances) = match (game, rules) {
        ("bagh-chal", "standard") => {
            (None, Some(include_str!("../results/bagh-chal-standard-dtw.json")))
        }
        ("fox-geese", "free") => (
            Some(include_str!("../results/fox-geese-free.json")),
            Some(include_str!("../results/fox-geese-free-dtw.json")),
        ),
        ("fox-geese", "first-capture") => (
            Some(include_str!("../results/fox-geese-first-capture.json")),
            Some(include_str!("../results/fox-geese-first-capture-dtw.json")),
        ),
        ("fox-geese", "forward") => (Some(include_str!("../results/fox-geese-forward.json")), None),
        _ => return None,
    };
    Some(FullRun { outcomes, distances })
}
