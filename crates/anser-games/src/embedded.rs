//! Tables that are part of this crate: Fox-and-Geese with up to 7 geese, under three rule sets.
//!
//! They are compiled in, so that no directory has to be found, and trusted, at run time.

use anser_table::{Memory, Table, TableError, TableName};

/// The directory in the paths of embedded tables in messages. There is no such directory.
pub const EMBEDDED: &str = "(built into anser)";

/// A file, by its name, that is part of a program: a packed table, or the manifest of some.
pub type EmbeddedFile = (&'static str, &'static [u8]);

/// Embeds files of the directory `tables` beside `src`.
macro_rules! embed {
    ($($name:literal,)*) => {
        &[$(($name, include_bytes!(concat!("../tables/", $name)))),*]
    };
}

/// Tables of Fox-and-Geese, and their manifests.
pub(crate) const FOX_GEESE: &[EmbeddedFile] = embed![
    "fox-geese.first-capture.L01.wdl.anserz",
    "fox-geese.first-capture.L02.wdl.anserz",
    "fox-geese.first-capture.L03.wdl.anserz",
    "fox-geese.first-capture.L04.wdl.anserz",
    "fox-geese.first-capture.L05.wdl.anserz",
    "fox-geese.first-capture.L06.wdl.anserz",
    "fox-geese.first-capture.L07.wdl.anserz",
    "fox-geese.first-capture.manifest.json",
    "fox-geese.forward.L01.wdl.anserz",
    "fox-geese.forward.L02.wdl.anserz",
    "fox-geese.forward.L03.wdl.anserz",
    "fox-geese.forward.L04.wdl.anserz",
    "fox-geese.forward.L05.wdl.anserz",
    "fox-geese.forward.L06.wdl.anserz",
    "fox-geese.forward.L07.wdl.anserz",
    "fox-geese.forward.manifest.json",
    "fox-geese.free.L01.wdl.anserz",
    "fox-geese.free.L02.wdl.anserz",
    "fox-geese.free.L03.wdl.anserz",
    "fox-geese.free.L04.wdl.anserz",
    "fox-geese.free.L05.wdl.anserz",
    "fox-geese.free.L06.wdl.anserz",
    "fox-geese.free.L07.wdl.anserz",
    "fox-geese.free.manifest.json",
];

/// Opens an embedded table.
pub(crate) fn open(name: &TableName, bytes: &'static [u8]) -> Result<Table, TableError> {
    Table::from_storage(format!("{EMBEDDED}/{name}"), Box::new(Memory::from_static(bytes)))
}
