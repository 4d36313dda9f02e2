//! The run of a learner that "Mastering Hexapawn AlphaZero-style" prints, beside runs of the same
//! system with many seeds.

use anser_games::answers::LearnerFigureAnswer;
use serde::{Deserialize, Serialize};

use crate::DataError;

/// A run of the system of the document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LearnerRun {
    /// The seed.
    pub seed: u64,
    /// Games of 20 that each trained network won against the one before it.
    pub matches: Vec<u32>,
    /// Number of these matches that replaced the network.
    pub accepted: u32,
    /// Games of 25 won against an untrained network: as white, and as black.
    pub untrained: [u32; 2],
    /// Decisions: positions that play can reach, not over, with more than one legal move.
    pub decisions: u32,
    /// Decisions in which the last network, without a search, plays a wrong move.
    pub wrong: u32,
    /// As `wrong`, after the search of the system.
    pub wrong_searched: u32,
}

/// Games that the document prints of its five matches, each won of 20.
const PRINTED: [u32; 5] = [14, 11, 10, 10, 10];
/// Matches that replaced the network, by these numbers: more than half of the games.
const PRINTED_ACCEPTED: u32 = 2;
/// Games won of 25 against an untrained network, as white and as black.
const PRINTED_UNTRAINED: [u32; 2] = [15, 25];

/// Returns the runs that are kept, by seed.
///
/// # Errors
/// [`DataError`] if the data cannot be read.
pub fn kept_learner_runs() -> Result<Vec<LearnerRun>, DataError> {
    let text = include_str!("../data/results/hexapawn-learner.jsonl");
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

/// Returns the figures of the printed run with their distributions over runs; none without runs.
///
/// ```
/// use anser_reproduce::{kept_learner_runs, learner_figures};
/// let figures = learner_figures(&kept_learner_runs()?);
/// assert_eq!(figures[0].printed, Some(14));
/// assert!(figures[0].spread.is_sorted());
/// # Ok::<(), anser_reproduce::DataError>(())
/// ```
pub fn learner_figures(runs: &[LearnerRun]) -> Vec<LearnerFigureAnswer> {
    if runs.is_empty() {
        return Vec::new();
    }
    let figure = |figure: String, printed: Option<u32>, of: &dyn Fn(&LearnerRun) -> u32| {
        LearnerFigureAnswer { figure, printed, spread: spread(runs.iter().map(of).collect()) }
    };
    let matches = (0..PRINTED.len()).map(|number| {
        let won = move |run: &LearnerRun| run.matches.get(number).copied().unwrap_or(0);
        figure(format!("match {}, won of 20", number + 1), Some(PRINTED[number]), &won)
    });
    let [white, black] = PRINTED_UNTRAINED.map(Some);
    let decisions = runs[0].decisions;
    let rest = [
        figure("networks accepted, of 5".into(), Some(PRINTED_ACCEPTED), &|run| run.accepted),
        figure("won as white, of 25 against an untrained network".into(), white, &|run| {
            run.untrained[0]
        }),
        figure("won as black, of 25 against an untrained network".into(), black, &|run| {
            run.untrained[1]
        }),
        figure(format!("wrong moves in {decisions} decisions, network alone"), None, &|run| {
            run.wrong
        }),
        figure(format!("wrong moves in {decisions} decisions, after its search"), None, &|run| {
            run.wrong_searched
        }),
    ];
    matches.chain(rest).collect()
}

/// Returns the least, the quartiles, and the greatest of numbers, quartiles between two numbers by
/// their distances.
fn spread(mut numbers: Vec<u32>) -> [f64; 5] {
    numbers.sort_unstable();
    let last = numbers.len() - 1;
    std::array::from_fn(|quarter| {
        let at = (quarter * last) as f64 / 4.0;
        let (below, above) = (numbers[at.floor() as usize], numbers[at.ceil() as usize]);
        f64::from(below) + (f64::from(above) - f64::from(below)) * at.fract()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_lie_between_numbers() {
        let text = |numbers: &[u32]| format!("{:?}", spread(numbers.to_vec()));
        assert_eq!(text(&[3]), "[3.0, 3.0, 3.0, 3.0, 3.0]");
        assert_eq!(text(&[4, 1, 2]), "[1.0, 1.5, 2.0, 3.0, 4.0]");
        assert_eq!(text(&[10, 20, 30, 40, 50]), "[10.0, 20.0, 30.0, 40.0, 50.0]");
    }

    #[test]
    fn at_least_twenty_seeds_are_kept_each_once() {
        let runs = kept_learner_runs().unwrap();
        let seeds: Vec<u64> = runs.iter().map(|run| run.seed).collect();
        assert_eq!(seeds, (1..=runs.len() as u64).collect::<Vec<_>>());
        assert!(runs.len() >= 20);
        assert!(runs.iter().all(|run| run.matches.len() == 5 && run.accepted <= 5));
    }
}
