#![no_main]
#![doc = "Calls `anser_fuzz::manifest`."]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| anser_fuzz::manifest(bytes));
