//! Objects whose keys are known at run time.

use std::fmt;
use std::marker::PhantomData;

use anser_core::{Hunt, Side};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An object whose keys are known at run time, such as the names of sides. Keeps the order in which
/// the entries were added.
///
/// ```
/// use anser_games::answers::Map;
/// let won: Map<u64> = [("fox", 7), ("geese", 2)].into_iter().collect();
/// assert_eq!(serde_json::to_string(&won)?, r#"{"fox":7,"geese":2}"#);
/// assert_eq!(won.get("geese"), Some(&2));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map<V>(Vec<(String, V)>);

impl<V> Map<V> {
    /// Creates the object with a key for each side of a game: its name.
    pub fn by_side(game: &Hunt, mut of: impl FnMut(Side) -> V) -> Map<V> {
        Side::BOTH.into_iter().map(|side| (game.side_name(side), of(side))).collect()
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&V> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Iterates over the entries, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &V)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }
}

impl<V> Default for Map<V> {
    fn default() -> Map<V> {
        Map(Vec::new())
    }
}

impl<K: Into<String>, V> FromIterator<(K, V)> for Map<V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Map<V> {
        Map(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }
}

impl<V: Serialize> Serialize for Map<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Map<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Map<V>, D::Error> {
        struct Entries<V>(PhantomData<V>);

        impl<'de, V: Deserialize<'de>> Visitor<'de> for Entries<V> {
            type Value = Map<V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Map<V>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry::<String, V>()? {
                    entries.push(entry);
                }
                Ok(entries.into_iter().collect())
            }
        }

        deserializer.deserialize_map(Entries(PhantomData))
    }
}
