#![no_main]
#![doc = "Calls `anser_fuzz::forged`."]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| anser_fuzz::forged(bytes));
