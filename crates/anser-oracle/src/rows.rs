//! Positions as text, by rows.

/// Formats rows of points: a letter for each piece, digits for runs of empty points, `/` between
/// rows.
pub(crate) fn rows_text(rows: impl IntoIterator<Item = Vec<Option<char>>>) -> String {
    let mut text = String::new();
    for (number, row) in rows.into_iter().enumerate() {
        if number > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for man in row.into_iter().map(Some).chain([None]) {
            if man == Some(None) {
                empty += 1;
                continue;
            }
            while empty > 0 {
                let digit = empty.min(9);
                text += &digit.to_string();
                empty -= digit;
            }
            text.extend(man.flatten());
        }
    }
    text
}
