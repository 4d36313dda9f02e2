#![no_main]
#![doc = "Calls `anser_fuzz::frame`."]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| anser_fuzz::frame(bytes));
