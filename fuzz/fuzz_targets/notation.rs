#![no_main]
#![doc = "Calls `anser_fuzz::notation`."]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| anser_fuzz::notation(bytes));
