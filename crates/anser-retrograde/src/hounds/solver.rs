//! The solver.

use anser_core::hounds::{Color, Rows};
use anser_core::hunt::{Condition, PointSet};
use anser_core::{BySide, Hunt, Side};

use super::lanes::Board;
use super::sets::Sets;
use super::values::Kernel;

/// The solver of a game of a lone man against a pack.
///
/// It holds tables of a few megabytes. Its methods work on the threads of the current Rayon pool.
///
/// ```
/// use anser_core::Hunt;
/// use anser_core::{Dtw, Side};
/// use anser_retrograde::{Limits, hounds::{HoundsOptions, HoundsSolver}};
///
/// let solver = HoundsSolver::new(&Hunt::fox_hounds(8, "escape")?).unwrap();
/// let report = solver.analyse(HoundsOptions::default(), &Limits::default())?;
/// assert_eq!(report.start, Dtw::win(Side::Second, 44));
/// assert_eq!(report.reachable.positions(), 709_868);
/// let games = report.games.unwrap();
/// assert_eq!(games.games().to_string(), "360552037329667882019232833884");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct HoundsSolver {
    /// The name of the game, with its size.
    pub(super) name: String,
    pub(super) names: EndNames,
    pub(super) sets: Sets,
    pub(super) kernel: Kernel,
    /// The lane of the lone man at the start.
    pub(super) start: usize,
    pub(super) usual_start: bool,
    /// The start, in the notation of the game.
    pub(super) start_text: String,
}

/// The words for the ends of a game, as in [`Hunt::ending`].
#[derive(Clone, Debug, Default)]
pub(super) struct EndNames {
    /// The side is blocked.
    pub(super) blocked: BySide<String>,
    /// The lone man has reached its goal.
    pub(super) goal: String,
}

impl HoundsSolver {
    /// Creates the solver of a game; `None` if it is not [in rows](Hunt::rows).
    pub fn new(game: &Hunt) -> Option<HoundsSolver> {
        let Rows { board, goal } = game.rows()?;
        let lanes = Board::new(board.width(), board.color() == Color::Light, goal);
        let start = game.start();
        let (_, lane) = lanes.lane(start.few().first()?.into());
        let mut names = EndNames::default();
        for rule in &game.description().ends {
            match rule.condition {
                Condition::Blocked(side) => names.blocked[side].clone_from(&rule.text),
                _ => names.goal.clone_from(&rule.text),
            }
        }
        Some(HoundsSolver {
            name: game.name().into(),
            names,
            kernel: Kernel::new(&lanes),
            sets: Sets::new(lanes, board.hounds()),
            start: lane,
            usual_start: start.to_move() == Side::First
                && start.many() == PointSet::first_points(board.hounds())
                && !(board.rows(1) & start.few()).is_empty(),
            start_text: game.format_position(&start),
        })
    }

    /// Whether play starts with the pack on the leftmost squares of the bottom row, and the lone
    /// man on an odd row and to move: [`analyse`](HoundsSolver::analyse) needs that.
    pub fn is_usual_start(&self) -> bool {
        self.usual_start
    }
}
