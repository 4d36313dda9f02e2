//! Arbitrary bytes at every door: nothing panics, and nothing that is not valid gets in.

use anser_table::format::{
    BlockEncoder, Content, Dictionary, Header, bits_of, decode_block, decode_distances,
    expand_codes, get,
};
use anser_table::manifest::Manifest;
use anser_table::{Kind, Metric, Table, TableName};
use proptest::prelude::*;

proptest! {
    #[test]
    fn names_read_back(game in "[a-z][a-z0-9-]{0,20}", rules in "[a-z][a-z+-]{0,20}", layer: u16) {
        for (metric, kind) in Metric::ALL.into_iter().flat_map(|metric| Kind::ALL.map(|kind| (metric, kind))) {
            let name = TableName::new(&game, &rules, layer, metric, kind);
            prop_assert_eq!(TableName::parse(&name.to_string()), Some(name.clone()));
            prop_assert_eq!(TableName::parse_part(&name.part()), Some(name));
        }
    }

    #[test]
    fn what_parses_as_a_name_is_one(text in "(\\PC*|[a-z.]*L[0-9]+[.](wdl|dtw)[.]anserz?)") {
        if let Some(name) = TableName::parse(&text) {
            prop_assert_eq!(name.to_string(), text);
        }
    }

    #[test]
    fn any_bytes_are_a_table_or_an_error(bytes: Vec<u8>) {
        let with_signature = [&b"\x89ANSR\r\n\x1a\x01\0"[..], &bytes].concat();
        for bytes in [bytes, with_signature] {
            prop_assert!(Header::decode(&bytes).is_err());
            prop_assert!(Table::from_bytes("x", bytes).is_err());
        }
    }

    #[test]
    fn any_bytes_are_a_manifest_or_an_error(bytes: Vec<u8>) {
        let _ = Manifest::from_json(&bytes);
    }

    #[test]
    fn any_bytes_are_a_frame_or_an_error(bytes: Vec<u8>, entries: u32) {
        for content in Content::ALL {
            let _ = decode_block(&bytes, content, entries, None);
            let with_magic = [&[0x28, 0xb5, 0x2f, 0xfd][..], &bytes].concat();
            let _ = decode_block(&with_magic, content, entries % 4096, None);
        }
    }

    #[test]
    fn any_bytes_are_a_frame_of_distances_or_an_error(bytes: Vec<u8>, largest: u16, entries: u32) {
        let with_magic = [&[0x28, 0xb5, 0x2f, 0xfd][..], &bytes].concat();
        for bytes in [bytes, with_magic] {
            let _ = decode_distances(&bytes, largest, entries, None);
            let _ = decode_distances(&bytes, largest, entries % 4096, None);
        }
    }

    #[test]
    fn frames_of_distances_read_back(mut codes in prop::collection::vec(any::<u16>(), 1..3000), largest: u16) {
        for code in &mut codes {
            *code = (u32::from(*code) % (u32::from(largest) + 1)) as u16;
        }
        let mut encoder = BlockEncoder::new(Content::Distances, 3, None).unwrap();
        let frame = encoder.encode_distances(&codes, largest).unwrap();
        let words = decode_distances(&frame, largest, codes.len() as u32, None).unwrap();
        let mut again = vec![0; codes.len()];
        expand_codes(&words, bits_of(largest), &mut again);
        prop_assert_eq!(&again, &codes);
        // Neither fewer entries nor more, nor a code that is too large, are accepted.
        prop_assert!(decode_distances(&frame, largest, codes.len() as u32 + 1, None).is_err());
        let greatest = codes.iter().copied().max().unwrap();
        if let Some(less) = greatest.checked_sub(1) {
            prop_assert!(encoder.encode_distances(&codes, less).is_err());
            prop_assert!((bits_of(less) > 8) != (bits_of(largest) > 8) || decode_distances(&frame, less, codes.len() as u32, None).is_err());
        }
    }

    #[test]
    fn frames_read_back(codes in prop::collection::vec(0..3u8, 1..3000), content in 0..3usize, dictionary: Vec<u8>) {
        let content = Content::ALL[content];
        let dictionary = (dictionary.len() >= 8).then_some(&dictionary[..]);
        let frame = BlockEncoder::new(content, 3, dictionary).unwrap().encode(&codes).unwrap();
        let prepared = dictionary.map(|bytes| Dictionary::new(bytes).unwrap());
        let words = decode_block(&frame, content, codes.len() as u32, prepared.as_ref()).unwrap();
        for (entry, &code) in codes.iter().enumerate() {
            prop_assert_eq!(get(&words, entry as u64), code);
        }
        // Neither fewer entries nor more are accepted, 64 being what a pair of words holds.
        for other in [codes.len() as u32 + 64, codes.len() as u32 / 2] {
            if other.div_ceil(64) != (codes.len() as u32).div_ceil(64) {
                prop_assert!(decode_block(&frame, content, other, prepared.as_ref()).is_err());
            }
        }
    }

    #[test]
    fn no_frame_holds_an_entry_without_a_value(mut codes in prop::collection::vec(0..3u8, 1..300), code in 3u8..) {
        codes[0] = code;
        for content in Content::ALL {
            prop_assert!(BlockEncoder::new(content, 3, None).unwrap().encode(&codes).is_err());
        }
    }
}
