//! The choice of encodings, by what the description of a game says.

use anser_core::Hunt;

use super::{
    DocumentEncoding, Encoding, GeeseEncoding, HexapawnEncoding, RowsEncoding, StepsEncoding,
};

/// Returns the encodings of a game, the standard one first: none if this crate has none for it.
///
/// ```
/// use anser_games::Registry;
/// use anser_learn::encodings_of;
/// let registry = Registry::standard();
/// let encodings = encodings_of(&registry.game("hexapawn:4x4", None)?);
/// assert_eq!((encodings[0].inputs(), encodings[0].actions()), (32, 36));
/// assert!(encodings_of(&registry.game("fox-geese", Some("free+chain"))?).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn encodings_of(game: &Hunt) -> Vec<Box<dyn Encoding>> {
    fn boxed(encoding: impl Encoding + 'static) -> Box<dyn Encoding> {
        Box::new(encoding)
    }
    let pawns = HexapawnEncoding::new(game).zip(DocumentEncoding::new(game));
    if let Some((own, document)) = pawns {
        return vec![boxed(own), boxed(document)];
    }
    let rows = RowsEncoding::new(game).map(boxed);
    let geese = || GeeseEncoding::new(game).map(boxed);
    let steps = || StepsEncoding::new(game).map(boxed);
    rows.or_else(geese).or_else(steps).into_iter().collect()
}
