//! The reader of solved games: table files, their checks, and the answer to any position straight from them.
//!
//! A [`Tablebase`] finds the tables of a game in directories, raw as solved or packed as shipped, and answers positions
//! from whichever layers are there. `header.rs` specifies the file format, with `codes.rs`, `values.rs`,
//! `raw.rs` and `packed.rs` for its parts.
//!
//! ```
//! use anser_core::prelude::*;
//! use anser_core::{Outcome, Side, fox_geese::FoxGeese};
//! use anser_table::{ProbeError, Tablebase};
//!
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path();
//! let tablebase = Tablebase::open(FoxGeese::default(), [path])?;
//!
//! // The rules alone say that this fox is trapped.
//! let position = tablebase.game().parse_position("gFg/1g1/3g3/7/7/3/3 f")?;
//! assert_eq!(tablebase.probe(&position)?, Outcome::Win(Side::Second));
//!
//! // This takes the table of layer 13; without it the error says where it was sought and what makes it.
//! let position = tablebase.game().parse_position("3/3/7/3F3/ggggggg/ggg/ggg f")?;
//! match tablebase.probe(&position) {
//!     Ok(outcome) => println!("{outcome:?}"),
//!     Err(ProbeError::MissingLayer(missing)) => println!("{missing}"),
//!     Err(error) => return Err(error.into()),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Storage
//! Files are read where needed ([`PositionedReads`]), mapped ([`Mapping`], whose constructor is `unsafe` because nobody
//! may change a mapped file), or held in [`Memory`]. Either way a part of a file is compared with its checksum before
//! anything in it is believed. Decoded blocks of packed tables, and with positioned reads the checked blocks of raw ones,
//! stay in a [`BlockCache`] of bounded size.
//!
//! | | [`PositionedReads`] | [`Mapping`] |
//! |---|---|---|
//! | a block is compared with its checksum | each time it is read from the file | the first time |
//! | the file is overwritten while it is open | a block that differs is an error | undefined; reported where it is noticed: when a block is first read, at the end of a batch, and by [`Tablebase::check_unchanged`] |
//! | the file is truncated while it is open | an error | the signal SIGBUS |
//! | the disk fails | an error | the signal SIGBUS |
//! | a probe whose block is at hand | a look into the cache | a read from memory |
//!
//! A process that answers for hours from files that others may replace reads them; replacing a file by renaming another over
//! it is safe with both.
//!
//! # Errors
//! A [`Defect`] is what is wrong with a file, a [`TableError`] names the file, and a [`ProbeError`] says whether an
//! answer is not there or cannot be trusted; [`ErrorClass`] sorts them for exit codes. Lengths that a file states are
//! compared with its length before anything is allocated, and memory that runs out is an error of its own. Damage is an error of the probes
//! that it touches: never a wrong answer, never a panic.

mod cache;
mod codes;
mod error;
mod frame;
mod header;
mod layout;
mod manifest;
mod names;
mod packed;
mod probe;
mod raw;
mod storage;
mod sums;
mod table;
mod tablebase;
mod values;

pub use cache::BlockCache;
pub use codes::{Longest, bits_of, contract_codes, expand_codes};
pub use error::{Defect, ErrorClass, MissingLayer, ProbeError, TableError, is_resource, shell_word};
pub use frame::{BlockEncoder, Content, Dictionary, FrameError, decode_block, decode_distances};
pub use header::{Counts, FORMAT_VERSION, HEADER_LEN, Header, SIGNATURE, count_slot, rules_hash};
pub use layout::{Kind, Layout, Metric, Region};
pub use manifest::{FileDigest, Manifest, ManifestEntry, RunInfo, digest_file, digest_reader, hex};
pub use names::{PART_SUFFIX, TableName, manifest_name};
pub use packed::{BlockId, Fill, MAX_BLOCK_ENTRIES, MAX_DICTIONARY_LEN, MIN_BLOCK_ENTRIES, Packing};
pub use probe::{ProbedMove, Value};
pub use raw::{CHECK_BLOCK, checks_len, raw_check};
pub use storage::{Access, Mapping, Memory, PositionedReads, Static, Storage};
pub use sums::Sums;
pub use table::Table;
pub use tablebase::{Tablebase, first_needed};
pub use values::{
    ENTRIES_PER_PAIR, NO_VALUE, PAIR_BYTES, code_in_pair, code_of, expand, get, outcome_of, pairs, payload_len, set,
};
