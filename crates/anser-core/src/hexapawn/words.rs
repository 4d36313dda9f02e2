//! The contents of a row as a word in base 3, and the groups of words of the index.

/// The words of rows of one length.
///
/// A word has a digit for each column, the leftmost the lowest: 0 empty, 1 a white pawn, 2 a black
/// one. Words with the same numbers of white and of black pawns form a group.
pub(super) struct Words {
    /// By the set of columns: the word with digit 1 there.
    spread: Vec<u16>,
    /// By word: the word read from the right.
    mirror: Vec<u16>,
    /// By word: its group.
    group: Vec<u8>,
    /// By word: its place in its group.
    place: Vec<u16>,
    /// By word that does not come after its mirror image: its place among the words of its group
    /// that are, or are not, their own image.
    symmetric_place: Vec<u16>,
    /// By white and black pawns.
    pub(super) groups: Vec<Group>,
}

/// The words with `white` white and `black` black pawns, each list in ascending order.
pub(super) struct Group {
    pub(super) white: u8,
    pub(super) black: u8,
    pub(super) all: Vec<u16>,
    /// The words that are their own mirror image.
    pub(super) symmetric: Vec<u16>,
    /// The words that come before their mirror image.
    pub(super) least: Vec<u16>,
}

impl Words {
    pub(super) fn new(columns: u8) -> Words {
        let count = 3usize.pow(u32::from(columns));
        let digits =
            |word: usize| (0..u32::from(columns)).map(move |place| word / 3usize.pow(place) % 3);
        let read_from = |digits: &mut dyn Iterator<Item = usize>| {
            digits.fold(0, |word, digit| word * 3 + digit)
        };
        let spread = (0..1usize << columns)
            .map(|set| read_from(&mut (0..columns).rev().map(|column| set >> column & 1)) as u16)
            .collect();
        let mirror: Vec<u16> = (0..count).map(|word| read_from(&mut digits(word)) as u16).collect();

        let mut groups: Vec<Group> = (0..=columns)
            .flat_map(|white| (0..=columns - white).map(move |black| (white, black)))
            .map(|(white, black)| Group {
                white,
                black,
                all: Vec::new(),
                symmetric: Vec::new(),
                least: Vec::new(),
            })
            .collect();
        let (mut group, mut place, mut symmetric_place) = (Vec::new(), Vec::new(), Vec::new());
        for (word, &image) in mirror.iter().enumerate() {
            let pawns = |pawn| digits(word).filter(|&digit| digit == pawn).count() as u8;
            let (white, black) = (pawns(1), pawns(2));
            let number =
                groups.partition_point(|group| (group.white, group.black) < (white, black));
            let members = &mut groups[number];
            let list = match usize::from(image).cmp(&word) {
                std::cmp::Ordering::Equal => Some(&mut members.symmetric),
                std::cmp::Ordering::Greater => Some(&mut members.least),
                std::cmp::Ordering::Less => None,
            };
            symmetric_place.push(list.as_ref().map_or(0, |list| list.len() as u16));
            if let Some(list) = list {
                list.push(word as u16);
            }
            group.push(number as u8);
            place.push(members.all.len() as u16);
            members.all.push(word as u16);
        }
        Words { spread, mirror, group, place, symmetric_place, groups }
    }

    /// Returns the word of a row with white and black pawns in these columns.
    pub(super) fn word(&self, white: u64, black: u64) -> u16 {
        self.spread[white as usize] + 2 * self.spread[black as usize]
    }

    /// Returns the columns of the white and of the black pawns of a word.
    pub(super) fn columns(word: u16) -> (u64, u64) {
        let (mut white, mut black, mut rest, mut bit) = (0, 0, word, 1);
        while rest > 0 {
            match rest % 3 {
                1 => white |= bit,
                2 => black |= bit,
                _ => {}
            }
            rest /= 3;
            bit <<= 1;
        }
        (white, black)
    }

    pub(super) fn mirror(&self, word: u16) -> u16 {
        self.mirror[usize::from(word)]
    }

    /// Returns the group of a word.
    pub(super) fn group(&self, word: u16) -> usize {
        usize::from(self.group[usize::from(word)])
    }

    /// Returns the place of a word in its group.
    pub(super) fn place(&self, word: u16) -> u64 {
        u64::from(self.place[usize::from(word)])
    }

    /// Returns the place of a word among those of its group that are their own mirror image, or
    /// that come before it.
    pub(super) fn symmetric_place(&self, word: u16) -> u64 {
        u64::from(self.symmetric_place[usize::from(word)])
    }
}
