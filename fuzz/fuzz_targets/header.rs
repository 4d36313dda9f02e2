//! Headers: any bytes, and any bytes with a checksum that fits, are refused or describe a file that can exist.
#![no_main]

use anser_table::{HEADER_LEN, Header, SIGNATURE};
use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::xxh3_64;

fuzz_target!(|bytes: &[u8]| {
    let _ = Header::decode(bytes);
    // The checksum would keep the fuzzer out of the fields, so it is made to fit.
    let mut forged = [0; HEADER_LEN];
    let len = bytes.len().min(HEADER_LEN - 8);
    forged[..len].copy_from_slice(&bytes[..len]);
    forged[..8].copy_from_slice(&SIGNATURE);
    forged[8] = 1;
    forged[9] = 0;
    let hash = xxh3_64(&forged[..HEADER_LEN - 8]);
    forged[HEADER_LEN - 8..].copy_from_slice(&hash.to_le_bytes());
    if let Ok(header) = Header::decode(&forged) {
        assert_eq!(header.encode(), forged);
        let _ = header.layout().file_len();
    }
});
