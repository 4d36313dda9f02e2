//! Arbitrary bytes at every door: nothing panics, and nothing that is not valid gets in.

use anser_core::{Dtw, Side};
use anser_table::format::{BlockEncoder, Header, SIGNATURE, decode_block, decode_distances, get};
use anser_table::manifest::Manifest;
use anser_table::{Kind, Metric, Table, TableName};
use proptest::prelude::*;

proptest! {
    #[test]
    fn names_read_back(game in "[a-z][a-z0-9-]{0,20}", rules in "[a-z][a-z+-]{0,20}", layer: u16) {
        let all = Metric::ALL.into_iter().flat_map(|metric| Kind::ALL.map(|kind| (metric, kind)));
        for (metric, kind) in all {
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
        let with_signature = [&SIGNATURE[..], &[1, 0], &bytes].concat();
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
        let _ = decode_block(&bytes, entries);
        for form in 0..4 {
            let with_magic = [&[form, 0x28, 0xb5, 0x2f, 0xfd][..], &bytes].concat();
            let _ = decode_block(&with_magic, entries % 4096);
        }
    }

    #[test]
    fn any_bytes_are_a_frame_of_distances_or_an_error(bytes: Vec<u8>, largest: u16, entries: u32) {
        let with_magic = (0..5).map(|form| [&[form, 0x28, 0xb5, 0x2f, 0xfd][..], &bytes].concat());
        for bytes in with_magic.chain([bytes.clone()]) {
            for side in Side::BOTH {
                let _ = decode_distances(&bytes, side, largest, entries);
                let _ = decode_distances(&bytes, side, largest, entries % 4096);
            }
        }
    }

    #[test]
    fn frames_of_distances_read_back(
        mut codes in prop::collection::vec(any::<u16>(), 1..3000),
        largest: u16,
        second: bool,
    ) {
        let side = if second { Side::Second } else { Side::First };
        for code in &mut codes {
            *code = (u32::from(*code) % (u32::from(largest) + 1)) as u16;
        }
        let mut encoder = BlockEncoder::new(3).unwrap();
        let frame = encoder.encode_distances(&codes, side, largest).unwrap();
        let decode = |largest, entries| decode_distances(&frame, side, largest, entries);
        let len = codes.len() as u32;
        prop_assert_eq!(&decode(largest, len).unwrap(), &codes);
        // Neither fewer entries nor more, nor a code that is too large, are accepted.
        prop_assert!(decode(largest, len + 1).is_err());
        prop_assert!(decode(largest, len - 1).is_err());
        let greatest = codes.iter().copied().max().unwrap();
        if let Some(less) = greatest.checked_sub(1) {
            prop_assert!(encoder.encode_distances(&codes, side, less).is_err());
            prop_assert!(decode(less, len).is_err());
        }
    }

    #[test]
    fn frames_of_plies_read_back(plies in prop::collection::vec(0..600u16, 1..3000), second: bool) {
        // The side to move wins in odd plies, the other in even plies.
        let side = if second { Side::Second } else { Side::First };
        let winner = |plies: u16| if plies % 2 == 1 { side } else { side.other() };
        let codes: Vec<u16> = plies.iter().map(|&plies| match plies {
            599 => Dtw::DRAW.code(),
            plies => Dtw::win(winner(plies), plies).code(),
        }).collect();
        let largest = codes.iter().copied().max().unwrap();
        let frame = BlockEncoder::new(3).unwrap().encode_distances(&codes, side, largest).unwrap();
        prop_assert_eq!(frame[0], if largest > 510 { 3 } else { 1 });
        let decode = |side| decode_distances(&frame, side, largest + 1, codes.len() as u32);
        prop_assert_eq!(&decode(side).unwrap(), &codes);
        let decisive = codes.iter().any(|&code| code > 0);
        prop_assert_eq!(decode(side.other()).unwrap() != codes, decisive);
    }

    #[test]
    fn frames_read_back(codes in prop::collection::vec(0..3u8, 1..3000)) {
        let frame = BlockEncoder::new(3).unwrap().encode(&codes).unwrap();
        let words = decode_block(&frame, codes.len() as u32).unwrap();
        for (entry, &code) in codes.iter().enumerate() {
            prop_assert_eq!(get(&words, entry as u64), code);
        }
        // Neither fewer entries nor more are accepted, 64 being what a pair of words holds.
        for other in [codes.len() as u32 + 64, codes.len() as u32 / 2] {
            if other.div_ceil(64) != (codes.len() as u32).div_ceil(64) {
                prop_assert!(decode_block(&frame, other).is_err());
            }
        }
    }

    #[test]
    fn no_frame_holds_an_entry_without_a_value(
        mut codes in prop::collection::vec(0..3u8, 1..300),
        code in 3u8..,
    ) {
        codes[0] = code;
        prop_assert!(BlockEncoder::new(3).unwrap().encode(&codes).is_err());
    }
}
