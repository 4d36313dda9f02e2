//! What was printed about the games, to be shown beside what was computed.

/// A printed column.
pub(crate) struct Paper {
    /// Where it was printed and how it compares.
    pub(crate) note: &'static str,
    /// The printed number for a layer.
    pub(crate) won: fn(layer: u16) -> Option<u64>,
}

const FOX_GEESE: &str = include_str!("../../../data/fox_geese_table1.csv");

const FREE: &str = "printed: Edelkamp & Messerschmidt, KI 2010, Table 1. Equal up to 6 geese. From 7 geese on the printed \
    column cannot be right for any rules with the symmetry of the board: a position that all eight symmetries leave alone \
    has the fox on d4 and a number of geese divisible by four, so for all other numbers the count is even, and eleven of \
    the printed ones are odd. Do not expect equality there.";

const FIRST_CAPTURE: &str = "printed: Edelkamp & Messerschmidt, KI 2010, Table 1. Equal up to 6 geese. From 7 geese on the \
    printed column cannot be right for any rules with the symmetry of the board: a position that all eight symmetries leave \
    alone has the fox on d4 and a number of geese divisible by four, so for all other numbers the count is even, and eleven \
    of the printed ones are odd. Of all rule sets this one comes nearest, mostly within about a per cent.";

/// The printed counts of positions won for the geese, both sides to move.
pub(crate) fn fox_geese(rules: &str) -> Option<Paper> {
    let note = match rules {
        "free" => FREE,
        "first-capture" => FIRST_CAPTURE,
        _ => return None,
    };
    Some(Paper { note, won: fox_geese_won })
}

fn fox_geese_won(layer: u16) -> Option<u64> {
    FOX_GEESE.lines().find_map(|line| {
        let mut fields = line.split(',');
        let geese: u16 = fields.next()?.parse().ok()?;
        (geese == layer).then_some(fields.next()?.parse().ok()?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layer_has_a_printed_count() {
        assert_eq!((1..=6).filter_map(fox_geese_won).collect::<Vec<_>>(), [0, 0, 0, 40, 1_280, 21_380]);
        assert_eq!((1..=31).filter_map(fox_geese_won).count(), 31);
        let odd = (1..=31).filter(|layer| fox_geese_won(*layer).is_some_and(|won| won % 2 == 1 && layer % 4 != 0));
        assert_eq!(odd.collect::<Vec<_>>(), [7, 9, 13, 17, 18, 21, 22, 23, 25, 30, 31]);
    }
}
