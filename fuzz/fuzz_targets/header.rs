#![no_main]
#![doc = "Calls `anser_fuzz::header`."]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| anser_fuzz::header(bytes));
