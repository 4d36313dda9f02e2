#![no_main]
#![doc = "Calls `anser_fuzz::damaged`."]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| anser_fuzz::damaged(bytes));
