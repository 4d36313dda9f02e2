#![no_main]
#![doc = "Calls `anser_fuzz::description`."]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| anser_fuzz::description(bytes));
