//! Bitboards of the squares of even rows and of odd rows, with the terminal squares of a whole
//! bitboard found at once.

use anser_core::hounds::Goal;

/// Largest number of lanes: the squares of one row parity of a 12 x 12 board.
pub(super) const MAX_LANES: usize = 36;

/// Two sets of squares as bitboards: on even rows, and on odd rows. Lane, that is bit,
/// `(y / 2) * width + x / 2` is the square at (`x`, `y`); `column` in this module is `x / 2`.
pub(super) type Lanes = [u64; 2];

/// The geometry of one board, and its rules.
#[derive(Clone, Debug)]
pub(super) struct Board {
    /// Number of playing squares in a row: half the number of rows, and the largest number of men.
    pub(super) width: usize,
    /// By parity of the row left, the change of `x / 2` by the diagonal step that changes it: 1 or
    /// -1. The other diagonal step keeps `x / 2`.
    pub(super) shift: [isize; 2],
    /// Lanes from which that step stays on the board.
    pub(super) inner: Lanes,
    /// All lanes of one parity.
    full: u64,
    goal: Goal,
    /// By square, itself and all squares reachable from it by steps up.
    reach: Vec<Lanes>,
    /// By square, the squares with a lower number.
    below: Vec<Lanes>,
}

impl Board {
    /// Creates a board of `2 * width` rows. `x + y` is odd on its playing squares if `light`,
    /// otherwise even.
    pub(super) fn new(width: usize, light: bool, goal: Goal) -> Board {
        let full = (1 << (width * width)) - 1;
        let every_row =
            |column: usize| (0..width).map(|row| 1 << (row * width + column)).sum::<u64>();
        let to_the_right = full & !every_row(width - 1);
        let to_the_left = full & !every_row(0);
        let (shift, inner) = if light {
            ([1, -1], [to_the_right, to_the_left])
        } else {
            ([-1, 1], [to_the_left, to_the_right])
        };
        let mut board =
            Board { width, shift, inner, full, goal, reach: Vec::new(), below: Vec::new() };
        board.reach = (0..board.squares())
            .map(|square| {
                let mut reach = board.lanes_of(square);
                for parity in (0..2 * width).map(|row| row % 2) {
                    reach[1 - parity] |= board.up(parity, reach[parity]);
                }
                reach
            })
            .collect();
        board.below = (0..board.squares())
            .map(|square| {
                (0..square)
                    .map(|lower| board.lanes_of(lower))
                    .fold([0; 2], |all, one| [all[0] | one[0], all[1] | one[1]])
            })
            .collect();
        board
    }

    /// Returns the number of playing squares.
    pub(super) fn squares(&self) -> usize {
        2 * self.width * self.width
    }

    /// Returns the number of lanes of each parity.
    pub(super) fn lanes(&self) -> usize {
        self.width * self.width
    }

    /// Returns the parity of a square's row, and its lane. Squares are numbered row by row from the
    /// bottom.
    #[inline(always)]
    pub(super) fn lane(&self, square: usize) -> (usize, usize) {
        let (row, column) = (square / self.width, square % self.width);
        (row % 2, row / 2 * self.width + column)
    }

    /// Returns the set of one square.
    pub(super) fn lanes_of(&self, square: usize) -> Lanes {
        let (parity, lane) = self.lane(square);
        let mut lanes = [0; 2];
        lanes[parity] = 1 << lane;
        lanes
    }

    /// Returns the square itself and all squares reachable from it by steps up.
    #[inline(always)]
    pub(super) fn reach_of(&self, square: usize) -> Lanes {
        self.reach[square]
    }

    /// Returns the lanes in the columns that diagonal steps lead to, before the change of row.
    #[inline(always)]
    fn diagonals(&self, parity: usize, lanes: u64) -> u64 {
        let inner = lanes & self.inner[parity];
        lanes | if self.shift[parity] > 0 { inner << 1 } else { inner >> 1 }
    }

    /// Returns the squares one step up from lanes of `parity`, as lanes of the other parity.
    #[inline(always)]
    pub(super) fn up(&self, parity: usize, lanes: u64) -> u64 {
        let beside = self.diagonals(parity, lanes);
        if parity == 0 { beside } else { beside << self.width & self.full }
    }

    /// Returns the squares one step from lanes of `parity`, as lanes of the other parity.
    #[inline(always)]
    pub(super) fn adjacent(&self, parity: usize, lanes: u64) -> u64 {
        let beside = self.diagonals(parity, lanes);
        if parity == 0 {
            beside | beside >> self.width
        } else {
            (beside | beside << self.width) & self.full
        }
    }

    /// Returns the offsets from a lane to two of its neighbors on rows of `parity`: from the one
    /// with the same number to the other adjacent row, and to the other column.
    #[inline(always)]
    pub(super) fn lone_steps(&self, parity: usize) -> [isize; 2] {
        let width = self.width as isize;
        [if parity == 0 { width } else { -width }, -self.shift[parity]]
    }

    /// Returns the squares one step up, or one step down, from `square` in ascending order.
    pub(super) fn steps(&self, square: usize, up: bool) -> impl Iterator<Item = usize> {
        let width = self.width as isize;
        let (row, column) = ((square / self.width) as isize, (square % self.width) as isize);
        let target = row + if up { 1 } else { -1 };
        let (shift, on_board) = (self.shift[(row % 2) as usize], (0..2 * width).contains(&target));
        let mut columns = [column, column + shift];
        columns.sort_unstable();
        let columns =
            columns.into_iter().filter(move |column| on_board && (0..width).contains(column));
        columns.map(move |column| (target * width + column) as usize)
    }

    /// Returns the terminal squares of the lone man for one arrangement of the pack. The lone man
    /// stands on rows of `parity` if it is to move, otherwise on rows of the other parity.
    #[inline(always)]
    pub(super) fn ends(&self, pack: &Pack, parity: usize) -> Ends {
        let Pack { men, reach, lowest } = *pack;
        let other = 1 - parity;
        let empty = [self.full & !men[0], self.full & !men[1]];
        let goal = match self.goal {
            Goal::None => [0; 2],
            Goal::Escape => {
                let out = [self.full & !reach[0], self.full & !reach[1]];
                [out[0] & self.adjacent(1, out[1]), out[1] & self.adjacent(0, out[0])]
            }
            Goal::BottomRow => [(1 << self.width) - 1, 0],
            Goal::PastLowest => {
                self.below.get(lowest + self.width - 1).copied().unwrap_or([self.full; 2])
            }
        };
        let lone_blocked = empty[parity] & !self.adjacent(other, empty[other]);
        // Squares the pack can step to, ignoring the lone man. If there is exactly one, the lone
        // man blocks the pack by standing on it.
        let targets = [self.up(1, men[1]) & empty[0], self.up(0, men[0]) & empty[1]];
        let pack_blocked = match targets[0].count_ones() + targets[1].count_ones() {
            0 => empty[other],
            1 => targets[other],
            _ => 0,
        };
        let (blocked, goal) = (
            [lone_blocked, pack_blocked],
            [goal[parity] & empty[parity], goal[other] & empty[other]],
        );
        // The rules differ in which end they test first.
        let (blocked, goal) = match self.goal {
            Goal::Escape | Goal::None => (blocked, [goal[0] & !blocked[0], goal[1] & !blocked[1]]),
            Goal::BottomRow | Goal::PastLowest => {
                ([blocked[0] & !goal[0], blocked[1] & !goal[1]], goal)
            }
        };
        Ends { empty: [empty[parity], empty[other]], blocked, goal }
    }
}

/// An arrangement of the pack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pack {
    /// Squares of the men.
    pub(super) men: Lanes,
    /// Squares that the men can ever reach, including their own.
    pub(super) reach: Lanes,
    /// Lowest number of their squares.
    pub(super) lowest: usize,
}

/// Possible and terminal squares of the lone man. The first entry of each pair applies with the
/// lone man to move, the second with the pack to move; they are lanes of different parities.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    /// Squares without a man of the pack.
    pub(super) empty: [u64; 2],
    /// Squares where the game is over because the side to move has no move.
    pub(super) blocked: [u64; 2],
    /// Squares where the lone man has won by the goal.
    pub(super) goal: [u64; 2],
}

impl Ends {
    /// Returns the squares where the lone man has won.
    #[inline(always)]
    pub(super) fn lone_wins(&self) -> [u64; 2] {
        [self.goal[0], self.goal[1] | self.blocked[1]]
    }

    /// Returns the squares where the game is not over.
    #[inline(always)]
    pub(super) fn ongoing(&self) -> [u64; 2] {
        [0, 1].map(|side| self.empty[side] & !self.blocked[side] & !self.goal[side])
    }
}
