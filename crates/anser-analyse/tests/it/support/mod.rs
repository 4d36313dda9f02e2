//! What the tests share.
#![allow(dead_code, missing_docs, unreachable_pub)]

#[path = "../../../../anser-core/tests/support/noughts.rs"]
pub mod noughts;
pub mod oracle;
