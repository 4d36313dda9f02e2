//! The board as lanes: squares of even rows and of odd rows apart, and what the rules say of all of
//! them at once.

/// The most lanes a row has: the squares of one parity of a board of 12 x 12.
pub(super) const MOST_LANES: usize = 36;

/// When the lone man has won, beside the pack's having no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// It has escaped: its square and one beside it are out of the pack's reach for ever.
    Escape,
    /// Nothing: only the side without a move loses.
    None,
    /// It stands on the bottom row.
    BottomRow,
    /// Its square's number is less than the lowest pawn's, plus one less than a row has squares.
    PastLowest,
}

/// Two sets of lanes: squares on even rows, squares on odd rows. Lane `(y / 2) * width + x / 2` is
/// the square in column `x` of row `y`.
pub(super) type Lanes = [u64; 2];

/// The geometry of one board, and its rules.
#[derive(Clone, Debug)]
pub(super) struct Board {
    /// Half the number of rows: the squares in a row, and the most men of the pack.
    pub(super) width: usize,
    /// Where a diagonal step leads that changes the place in the row, from even rows and from odd
    /// ones: one place to the right or to the left. The other diagonal keeps the place.
    pub(super) aside: [isize; 2],
    /// The lanes from which there is such a step.
    pub(super) inner: Lanes,
    full: u64,
    goal: Goal,
    /// For each square, all that lie on it or can be reached from it by going up.
    reach: Vec<Lanes>,
    /// For each square, those with a lower number.
    below: Vec<Lanes>,
}

impl Board {
    /// The board of `2 * width` rows. On a light one `x + y` is odd on the squares that are played
    /// on, on a dark one even.
    pub(super) fn new(width: usize, light: bool, goal: Goal) -> Board {
        let full = (1 << (width * width)) - 1;
        let every_row =
            |place: usize| (0..width).map(|row| 1 << (row * width + place)).sum::<u64>();
        let to_the_right = full & !every_row(width - 1);
        let to_the_left = full & !every_row(0);
        let (aside, inner) = if light {
            ([1, -1], [to_the_right, to_the_left])
        } else {
            ([-1, 1], [to_the_left, to_the_right])
        };
        let mut board =
            Board { width, aside, inner, full, goal, reach: Vec::new(), below: Vec::new() };
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

    /// The number of squares.
    pub(super) fn squares(&self) -> usize {
        2 * self.width * self.width
    }

    /// The number of lanes of each parity.
    pub(super) fn lanes(&self) -> usize {
        self.width * self.width
    }

    /// The parity of a square's row, and its lane. Squares are numbered row by row from the bottom.
    #[inline(always)]
    pub(super) fn lane(&self, square: usize) -> (usize, usize) {
        let (row, place) = (square / self.width, square % self.width);
        (row % 2, row / 2 * self.width + place)
    }

    /// A square alone.
    pub(super) fn lanes_of(&self, square: usize) -> Lanes {
        let (parity, lane) = self.lane(square);
        let mut lanes = [0; 2];
        lanes[parity] = 1 << lane;
        lanes
    }

    /// See the field.
    #[inline(always)]
    pub(super) fn reach_of(&self, square: usize) -> Lanes {
        self.reach[square]
    }

    /// Where the steps up lead that keep the place in the row, or change it; both as squares of the
    /// other parity that have not been moved to their row yet.
    #[inline(always)]
    fn sideways(&self, parity: usize, lanes: u64) -> u64 {
        let inner = lanes & self.inner[parity];
        lanes | if self.aside[parity] > 0 { inner << 1 } else { inner >> 1 }
    }

    /// The squares one step up from lanes of this parity: lanes of the other one.
    #[inline(always)]
    pub(super) fn up(&self, parity: usize, lanes: u64) -> u64 {
        let beside = self.sideways(parity, lanes);
        if parity == 0 { beside } else { beside << self.width & self.full }
    }

    /// The squares one step away from lanes of this parity: lanes of the other one.
    #[inline(always)]
    pub(super) fn around(&self, parity: usize, lanes: u64) -> u64 {
        let beside = self.sideways(parity, lanes);
        if parity == 0 {
            beside | beside >> self.width
        } else {
            (beside | beside << self.width) & self.full
        }
    }

    /// The squares to which a man on `square` can step up, or down, on an empty board.
    pub(super) fn steps(&self, square: usize, up: bool) -> impl Iterator<Item = usize> {
        let width = self.width as isize;
        let (row, place) = ((square / self.width) as isize, (square % self.width) as isize);
        let target = row + if up { 1 } else { -1 };
        let (aside, on_board) = (self.aside[(row % 2) as usize], (0..2 * width).contains(&target));
        let mut places = [place, place + aside];
        places.sort_unstable();
        let places = places.into_iter().filter(move |place| on_board && (0..width).contains(place));
        places.map(move |place| (target * width + place) as usize)
    }

    /// What the rules say of one arrangement of the pack, with the lone man anywhere on the rows of
    /// a parity: on `parity` when it is to move, on the others when the pack is.
    #[inline(always)]
    pub(super) fn ends(&self, pack: &Pack, parity: usize) -> Ends {
        let Pack { men, reach, lowest } = *pack;
        let other = 1 - parity;
        let empty = [self.full & !men[0], self.full & !men[1]];
        let goal = match self.goal {
            Goal::None => [0; 2],
            Goal::Escape => {
                let out = [self.full & !reach[0], self.full & !reach[1]];
                [out[0] & self.around(1, out[1]), out[1] & self.around(0, out[0])]
            }
            Goal::BottomRow => [(1 << self.width) - 1, 0],
            Goal::PastLowest => {
                self.below.get(lowest + self.width - 1).copied().unwrap_or([self.full; 2])
            }
        };
        let stuck = empty[parity] & !self.around(other, empty[other]);
        // Where the pack can go if the lone man is not in the way; a single such square is one
        // where it is.
        let targets = [self.up(1, men[1]) & empty[0], self.up(0, men[0]) & empty[1]];
        let packed_in = match targets[0].count_ones() + targets[1].count_ones() {
            0 => empty[other],
            1 => targets[other],
            _ => 0,
        };
        let (blocked, goal) =
            ([stuck, packed_in], [goal[parity] & empty[parity], goal[other] & empty[other]]);
        // Which of the two is tested first.
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
    /// Where the men are.
    pub(super) men: Lanes,
    /// What they can ever reach, their own squares included.
    pub(super) reach: Lanes,
    /// The lowest number of their squares.
    pub(super) lowest: usize,
}

/// Where the lone man may stand, and where the game is over; first with the lone man to move, then
/// with the pack. The lanes of each pair are of different parities.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    /// The squares that are free of the pack.
    pub(super) empty: [u64; 2],
    /// Where the side to move has no move, and that ends the game.
    pub(super) blocked: [u64; 2],
    /// Where the lone man has won otherwise.
    pub(super) goal: [u64; 2],
}

impl Ends {
    /// Where the lone man has won, with it to move and with the pack to move.
    #[inline(always)]
    pub(super) fn lone_wins(&self) -> [u64; 2] {
        [self.goal[0], self.goal[1] | self.blocked[1]]
    }

    /// Where play goes on.
    #[inline(always)]
    pub(super) fn going_on(&self) -> [u64; 2] {
        [0, 1].map(|side| self.empty[side] & !self.blocked[side] & !self.goal[side])
    }
}
