//! The encodings of games that are chosen at run time.

use anser_core::fox_geese::FoxGeese;
use anser_core::hare_hounds::HareHounds;
use anser_core::hexapawn::Hexapawn;
use anser_core::prelude::*;
use anser_core::{fox_hounds::FoxHounds, hasenspiel::Hasenspiel};
use anser_games::AnyGame;

use super::{
    DocumentEncoding, Encoding, GeeseEncoding, HareEncoding, HexapawnEncoding, HuntEncoding,
    Recoded,
};

/// Returns the encodings of a game that is chosen at run time, the standard one first: none if this
/// crate has none for it.
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
pub fn encodings_of(game: &AnyGame) -> Vec<Box<dyn Encoding<AnyGame>>> {
    if let Some(inner) = game.downcast_ref::<Hexapawn>() {
        return vec![
            recoded(inner, game, HexapawnEncoding::new(inner)),
            recoded(inner, game, DocumentEncoding::new(inner)),
        ];
    }
    if let Some(inner) = game.downcast_ref::<FoxHounds>() {
        return vec![recoded(inner, game, HuntEncoding::new(inner))];
    }
    if let Some(inner) = game.downcast_ref::<Hasenspiel>() {
        return vec![recoded(inner, game, HuntEncoding::new(inner))];
    }
    if let Some(inner) = game.downcast_ref::<HareHounds>() {
        return vec![recoded(inner, game, HareEncoding::new(inner))];
    }
    let geese = game
        .downcast_ref::<FoxGeese>()
        .and_then(|inner| GeeseEncoding::new(inner).map(|encoding| recoded(inner, game, encoding)));
    geese.into_iter().collect()
}

fn recoded<G: Game>(
    inner: &G,
    game: &AnyGame,
    encoding: impl Encoding<G> + 'static,
) -> Box<dyn Encoding<AnyGame>> {
    Box::new(Recoded::new(inner.clone(), game.clone(), encoding))
}
