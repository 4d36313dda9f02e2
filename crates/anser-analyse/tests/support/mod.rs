//! What the tests share.
#![allow(dead_code, missing_docs, unreachable_pub)]

pub mod noughts;
pub mod oracle;
