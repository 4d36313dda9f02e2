//! Tables of distances: read back in every kind, and damaged, cut or forged answered by an error,
//! never wrongly.

use crate::support::{
    Options, Random, any_codes, any_distances, check_every_bit_of_the_header, flip_bit, forge,
    other_lengths, packed_distances, raw_distances, raw_file, raw_table,
};
use anser_core::{BySide, Dtw, Hunt, LayerIndex, Next, ProbeLayer, Side, Value};
use anser_table::error::Property;
use anser_table::format::{BlockId, HEADER_LEN, Header, Packing, bits_of, contract_codes};
use anser_table::{
    BlockCache, Defect, ErrorClass, Kind, Mapping, Metric, PositionedReads, ProbeError, Table,
    TableError, TableName, Tablebase,
};

/// Layer 3 has 20 thousand classes a side.
const LAYER: u16 = 3;

type Distances = BySide<Vec<u16>>;

fn open(bytes: &[u8]) -> Result<Table, TableError> {
    Table::from_bytes("fox-geese.free.L03.dtw.anser", bytes.to_vec())
        .map(|table| table.with_index(&Hunt::default().index(LAYER)))
}

/// Tables of every width that matters, raw and packed: what they are called, their codes, their
/// bytes.
fn tables() -> Vec<(String, Distances, Vec<u8>)> {
    let game = Hunt::default();
    let mut tables = Vec::new();
    // 2, 5, 8, 9 and 16 bits.
    for plies in [0, 14, 126, 127, Dtw::LONGEST] {
        let codes = any_distances(&game, LAYER, plies, 1);
        let (raw, header) = raw_distances(&game, LAYER, &codes);
        tables.push((format!("raw, up to {plies} plies"), codes.clone(), raw));
        for block_entries in [1024, 4096] {
            let options = Options { block_entries, ..Options::default() };
            let bytes = packed_distances(&game, &header, &codes, &options);
            let what = format!("packed, blocks of {block_entries}, up to {plies} plies");
            tables.push((what, codes.clone(), bytes));
        }
    }
    tables
}

/// Looks entries up; each must be right or an error. Says whether there was an error.
fn probe(table: &Table, codes: &Distances, ranks: impl Iterator<Item = u64>, what: &str) -> bool {
    let cache = BlockCache::default();
    let mut failed = false;
    for rank in ranks {
        for side in Side::BOTH {
            let expected = Dtw::from_code(codes[side][rank as usize]);
            match (table.dtw(side, rank, &cache), table.outcome(side, rank, &cache)) {
                (Ok(found), outcome) => {
                    assert_eq!(found, expected, "{what}: rank {rank}");
                    assert_eq!(outcome.unwrap(), expected.map(Dtw::outcome), "{what}: rank {rank}");
                }
                (Err(error), outcome) => {
                    assert_eq!(error.class(), ErrorClass::Corrupt, "{error}");
                    assert!(outcome.is_err());
                    failed = true;
                }
            }
        }
    }
    failed
}

#[test]
fn every_entry_reads_back_from_every_kind_of_table_and_storage() {
    let directory = tempfile::tempdir().unwrap();
    for (what, codes, file) in tables() {
        let path = directory.path().join("table");
        std::fs::write(&path, &file).unwrap();
        // SAFETY: this test alone knows the directory, and the table is closed before the next one
        // is written.
        let mapping = unsafe { Mapping::new() };
        for table in
            [open(&file), Table::open(&path, &PositionedReads), Table::open(&path, &mapping)]
        {
            let table = table.unwrap().with_index(&Hunt::default().index(LAYER));
            table.verify().unwrap();
            assert!(!probe(&table, &codes, 0..codes[Side::First].len() as u64, &what));
            let cache = BlockCache::default();
            for side in Side::BOTH {
                let entries = table.header().entries()[side];
                assert_eq!(table.dtw(side, entries, &cache).unwrap(), None);
                let mut all = vec![9; entries as usize];
                assert!(table.read_codes(side, 0, &mut all).unwrap());
                assert_eq!(all, codes[side]);
            }
        }
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn codes_and_outcomes_read_back_from_any_place() {
    let mut random = Random(5);
    for (what, codes, file) in tables() {
        let table = open(&file).unwrap();
        for side in Side::BOTH {
            let codes = &codes[side];
            let groups = (codes.len() as u64).div_ceil(64);
            for _ in 0..20 {
                let first = random.below(groups);
                let mut some = vec![9; random.below(1 + codes.len() as u64 - 64 * first) as usize];
                assert!(table.read_codes(side, 64 * first, &mut some).unwrap(), "{what}");
                assert_eq!(some, codes[64 * first as usize..][..some.len()], "{what}");
                let mut words = vec![0; 2 * (1 + random.below(groups - first)) as usize];
                assert!(table.read_pairs(side, first, &mut words).unwrap());
                for (entry, &code) in
                    (0..words.len() as u64 * 32).zip(&codes[64 * first as usize..])
                {
                    let outcome = Dtw::from_code(code).unwrap().outcome();
                    assert_eq!(
                        anser_table::format::outcome_of(anser_table::format::get(&words, entry)),
                        Some(outcome),
                        "{what}"
                    );
                }
            }
            assert!(!table.read_codes(side, 1, &mut [0]).unwrap());
            assert!(!table.read_codes(side, 0, &mut vec![0; codes.len() + 1]).unwrap());
            assert!(!table.read_codes(side, u64::MAX / 64 * 64, &mut [0; 99]).unwrap());
            assert!(!table.read_pairs(side, groups, &mut [0; 2]).unwrap());
            assert!(!table.read_pairs(side, 0, &mut [0; 3]).unwrap());
        }
    }
}

#[test]
fn the_header_says_how_long_the_wins_are_and_entries_are_as_narrow_as_that_allows() {
    for (what, codes, file) in tables() {
        let header = Header::decode(&file).unwrap();
        assert_eq!(header.encode(), file[..HEADER_LEN]);
        assert_eq!(header.metric(), Metric::Dtw, "{what}");
        let largest = codes.as_array().iter().flatten().copied().max().unwrap();
        assert_eq!((header.largest_code(), header.bits()), (largest, bits_of(largest)));
        let plies = Dtw::from_code(largest).unwrap().plies();
        assert_eq!(
            header.longest(),
            Some(BySide::new(BySide::new(plies, plies), BySide::new(plies, plies)))
        );
        assert_eq!(header.layout().file_len(), file.len() as u64);
    }
    let game = Hunt::default();
    let drawn = BySide::from_fn(|side| vec![0; game.index(LAYER).len(side) as usize]);
    let (file, header) = raw_distances(&game, LAYER, &drawn);
    assert_eq!((header.bits(), header.longest()), (1, Some(BySide::default())));
    assert!(!probe(&open(&file).unwrap(), &drawn, 0..100, "all drawn"));
}

#[test]
fn any_bit_of_a_header_matters_and_so_does_the_length() {
    for (what, _, file) in tables().into_iter().step_by(4) {
        check_every_bit_of_the_header(&file, &what);
        for other in other_lengths(&file) {
            assert_eq!(
                open(&other).unwrap_err().class(),
                ErrorClass::Corrupt,
                "{what}: {}",
                other.len()
            );
        }
    }
}

#[test]
fn a_flipped_bit_gives_an_error_or_the_right_answer() {
    for (seed, (what, codes, file)) in tables().iter().enumerate() {
        let mut random = Random(seed as u64);
        for number in 0..200 {
            let (damaged, byte, bit) = flip_bit(file, number, &mut random);
            let what = format!("{what}, seed {seed}, byte {byte}, bit {bit}");
            if let Ok(table) = open(&damaged) {
                probe(
                    &table,
                    codes,
                    (0..20).map(|_| random.below(codes[Side::First].len() as u64)),
                    &what,
                );
                assert_eq!(table.verify().unwrap_err().class(), ErrorClass::Corrupt, "{what}");
                let mut all = vec![0; codes[Side::First].len()];
                assert!(
                    table.read_codes(Side::First, 0, &mut all).is_err()
                        || all == codes[Side::First],
                    "{what}"
                );
            } else {
                assert!(byte < HEADER_LEN, "{what}");
            }
        }
    }
}

/// A raw table whose checksums all fit, with these codes under a header that promises others.
fn forged(header: &Header, codes: &Distances) -> Vec<u8> {
    let words = codes.iter().flat_map(|(_, codes)| contract_codes(codes, header.bits()));
    let payload = words.flat_map(u64::to_le_bytes).collect();
    raw_file(&Hunt::default(), header.clone(), header.counts(), payload).0
}

#[test]
fn a_code_above_the_largest_is_damage_even_where_checksums_fit() {
    let game = Hunt::default();
    // 5 bits, which hold 0 to 31, and 30 is the largest; then 9 bits.
    for plies in [14, 200] {
        let codes = any_distances(&game, LAYER, plies, 1);
        let (_, header) = raw_distances(&game, LAYER, &codes);
        for rank in [0, 63, 64, 12_345, codes[Side::Second].len() - 1] {
            let mut wrong = codes.clone();
            wrong[Side::Second][rank] = header.largest_code() + 1;
            let table = open(&forged(&header, &wrong)).unwrap();
            let cache = BlockCache::default();
            assert!(table.dtw(Side::Second, rank as u64, &cache).is_err());
            assert!(table.outcome(Side::Second, rank as u64, &cache).is_err());
            assert!(table.dtw(Side::First, rank as u64, &cache).is_ok());
            assert!(
                table.read_codes(Side::Second, 0, &mut vec![0; wrong[Side::Second].len()]).is_err()
            );
            let error = table.verify().unwrap_err();
            assert!(error.to_string().contains("without a value"), "{error}");
        }
    }
}

#[test]
fn forged_headers_are_refused_whatever_they_claim() {
    let mut random = Random(9);
    for (what, _, file) in tables().into_iter().step_by(2) {
        for at in [152, 160, 216, 224, 232, 240, 328, 336, 344, 352] {
            for number in
                [0, 1, 7, 1 << 20, 1 << 32, 1 << 60, u64::MAX / 16, u64::MAX - 1, u64::MAX]
            {
                let forged = forge(&file, at, &number.to_le_bytes());
                assert!(forged == file || open(&forged).is_err(), "{what}: {number} at {at}");
            }
        }
        // Metric, width, meaning of the codes, sides, reserved bytes.
        for (at, byte) in
            [(122, 0), (122, 2), (123, 0), (123, 17), (124, b'd'), (127, b'-'), (148, 1)]
                .into_iter()
                .chain([(320, 0), (320, 1), (322, 2), (323, 4), (376, 1), (4087, 1)])
        {
            let forged = forge(&file, at, &[byte]);
            assert!(forged == file || open(&forged).is_err(), "{what}: byte {byte} at {at}");
        }
        for at in (368..376).step_by(2) {
            for code in [0, 1, 2, 3, u16::MAX - 1, u16::MAX] {
                let forged = forge(&file, at, &code.to_le_bytes());
                let Ok(header) = Header::decode(&forged) else { continue };
                // As long as the width fits, only the table itself can tell.
                assert_eq!(
                    header.bits(),
                    Header::decode(&file).unwrap().bits(),
                    "{what}: code {code} at {at}"
                );
                let _ = open(&forged).map(|table| table.verify());
            }
        }
        for _ in 0..1000 {
            let at = random.below(HEADER_LEN as u64 - 16) as usize;
            let bytes = random.next().to_le_bytes();
            let _ = open(&forge(&file, at, &bytes[..=random.below(8) as usize]));
        }
    }
}

#[test]
fn a_header_that_is_packed_and_made_raw_again_is_what_it_was() {
    let game = Hunt::default();
    let index = game.index(LAYER);
    let longest = BySide::from_fn(|_| BySide::new(Some(3), None));
    let outcomes = Header::new_raw(&game, LAYER, &index, None, "x").unwrap();
    let distances = Header::new_raw(&game, LAYER, &index, Some(longest), "x").unwrap();
    for header in [outcomes, distances] {
        for stored in [BySide::new(true, true), BySide::new(true, false)] {
            let packing = Packing { stored, level: 19, block_entries: 1 << 16, payload_len: 0 };
            let packed = header.to_packed(packing, 0, "x").unwrap();
            assert_eq!(packed.to_raw().unwrap(), header);
        }
    }
}

#[test]
fn outcomes_come_from_whichever_table_there_is_and_distances_from_theirs() {
    let game = Hunt::default();
    let index = game.index(4);
    let outcomes = raw_table(&game, 4, &any_codes(&game, 4, 1)).0;
    let distances = any_distances(&game, 4, 20, 2);
    let distances = (raw_distances(&game, 4, &distances).0, distances);
    let tables = |files: &[&Vec<u8>]| {
        Tablebase::from_tables(
            game.clone(),
            files.iter().map(|file| Table::from_bytes("x", (*file).clone()).unwrap()),
        )
    };
    let (neither, wdl, dtw, both) = (
        tables(&[]),
        tables(&[&outcomes]),
        tables(&[&distances.0]),
        tables(&[&distances.0, &outcomes]),
    );
    let mut told = 0;
    for rank in (0..index.len(Side::First)).step_by(7) {
        let position = index.unrank(Side::First, rank);
        if game.terminal(&position).is_some() {
            continue;
        }
        let value = Dtw::from_code(distances.1[Side::First][rank as usize]).unwrap();
        // The two were made up apart from each other, so it shows which one answered.
        assert_eq!(both.probe_outcome(&position).unwrap(), wdl.probe_outcome(&position).unwrap());
        assert_eq!(dtw.probe_outcome(&position).unwrap(), value.outcome());
        for tables in [&dtw, &both] {
            assert_eq!(tables.probe_distance(&position).unwrap(), value);
            assert_eq!(tables.probe(&position).unwrap(), Value::from(value));
            assert_eq!(tables.probe_many(&[position])[0].clone().unwrap(), Value::from(value));
        }
        assert_eq!(
            wdl.probe(&position).unwrap(),
            Value::from(wdl.probe_outcome(&position).unwrap())
        );
        match wdl.probe_distance(&position) {
            Err(ProbeError::MissingLayer(missing)) => {
                assert_eq!((missing.layer, missing.metric), (4, Metric::Dtw));
                assert_eq!((&*missing.game, &*missing.rules), ("fox-geese", "free"));
                assert_eq!((missing.first, missing.layer), (4, 4));
                assert!(missing.to_string().contains("fox-geese.free.L04.dtw.anser"), "{missing}");
            }
            other => panic!("{other:?}"),
        }
        match neither.probe_outcome(&position) {
            Err(ProbeError::MissingLayer(missing)) => {
                assert!(!missing.to_string().contains("dtw"), "{missing}");
            }
            other => panic!("{other:?}"),
        }
        told += 1;
    }
    assert!(told > 1000);
    assert_eq!(both.layers().collect::<Vec<_>>(), [4]);
    assert_eq!(both.layers_with_distances().collect::<Vec<_>>(), [4]);
    assert_eq!(wdl.layers_with_distances().count(), 0);
}

#[test]
fn the_moves_of_a_position_go_by_outcome_and_distance() {
    let game = Hunt::default();
    let codes = any_distances(&game, 5, 20, 3);
    let (file, header) = raw_distances(&game, 5, &codes);
    let options = Options::default();
    let packed = packed_distances(&game, &header, &codes, &options);
    let tables = Tablebase::from_tables(game.clone(), [Table::from_bytes("x", packed).unwrap()]);
    let _ = file;
    let index = game.index(5);
    let mut captures = 0;
    for side in Side::BOTH {
        for rank in (0..index.len(side)).step_by(997) {
            let moves = tables.probe_moves(&index.unrank(side, rank)).unwrap();
            let scores: Vec<_> = moves
                .iter()
                .map(|rated| rated.value.and_then(Value::dtw).map(|dtw| dtw.score(side)))
                .collect();
            // Captures come last: layer 4 is not there.
            assert!(scores.is_sorted_by(|a, b| a >= b), "{moves:?}");
            assert!(
                moves
                    .iter()
                    .filter_map(|rated| rated.value)
                    .all(|v| Some(v.outcome) == v.dtw().map(Dtw::outcome))
            );
            captures += scores.iter().filter(|score| score.is_none()).count();
        }
    }
    assert!(captures > 0);
}

#[test]
fn a_table_by_the_name_of_another_metric_is_refused() {
    let game = Hunt::default();
    let directory = tempfile::tempdir().unwrap();
    let (file, _) = raw_distances(&game, LAYER, &any_distances(&game, LAYER, 7, 1));
    let name =
        |metric| TableName::new(game.name(), game.rules_id(), LAYER, metric, Kind::Raw).to_string();
    std::fs::write(directory.path().join(name(Metric::Wdl)), &file).unwrap();
    let tables = Tablebase::open(game.clone(), [directory.path()]).unwrap();
    let error = tables.rejected().next().unwrap().to_string();
    assert!(error.contains("another metric: dtw, where wdl was expected"), "{error}");
    std::fs::write(directory.path().join(name(Metric::Dtw)), &file).unwrap();
    let tables = Tablebase::open(game.clone(), [directory.path()]).unwrap();
    assert_eq!(tables.layers_with_distances().collect::<Vec<_>>(), [LAYER]);
    // A table that cannot be used is passed over if another one answers.
    assert!(tables.table(LAYER).is_ok());
    assert!(matches!(tables.table_of(LAYER, Metric::Wdl), Err(ProbeError::Table(error))
        if matches!(error.defect(), Defect::Mismatch { what: Property::Metric, .. })));
}

/// The values with the second side to move that follow from those of the first, by the rules.
fn values_ahead(game: &Hunt, codes: &[u16]) -> Vec<u16> {
    let index = game.index(4);
    (0..index.len(Side::Second))
        .map(|rank| {
            let position = index.unrank(Side::Second, rank);
            if let Some(outcome) = game.terminal(&position) {
                return Dtw::ended(outcome).code();
            }
            let mut best = Dtw::win(Side::First, 0);
            for (_, next) in game.moves(&position) {
                let Next::Position(next) = next else { panic!("a goose ends the game") };
                let after = Dtw::from_code(codes[index.rank(&next) as usize]).unwrap().before();
                if after.score(Side::Second) > best.score(Side::Second) {
                    best = after;
                }
            }
            best.code()
        })
        .collect()
}

#[test]
fn a_side_to_move_that_is_omitted_follows_from_the_other() {
    let game = Hunt::default();
    let index = game.index(4);
    let mut codes = any_distances(&game, 4, 20, 7);
    codes[Side::Second] = values_ahead(&game, &codes[Side::First]);
    let header = raw_distances(&game, 4, &codes).1;
    let options = Options { stored: BySide::new(true, false), block_entries: 1024 };
    let file = packed_distances(&game, &header, &codes, &options);
    let table = Table::from_bytes("omitting", file).unwrap().with_index(&index);
    assert!(table.stores(Side::First) && !table.stores(Side::Second));
    assert!(!table.read_codes(Side::Second, 0, &mut [0; 64]).unwrap());
    let tables = Tablebase::from_tables(game.clone(), [table]);
    let step = |side: Side| if side == Side::First { 31 } else { 17 };
    for side in Side::BOTH {
        let ranks: Vec<u64> = (0..index.len(side)).step_by(step(side)).collect();
        let positions: Vec<_> = ranks.iter().map(|&rank| index.unrank(side, rank)).collect();
        let values = tables.probe_many(&positions);
        let outcomes = tables.probe_outcomes(&positions);
        let batches = values.into_iter().zip(outcomes);
        for ((position, rank), (value, outcome)) in positions.iter().zip(ranks).zip(batches) {
            let mut expected = Dtw::from_code(codes[side][rank as usize]).unwrap();
            if let Some(outcome) = game.terminal(position) {
                expected = Dtw::ended(outcome);
            }
            assert_eq!(tables.probe_distance(position).unwrap(), expected, "{position:?}");
            assert_eq!(tables.probe(position).unwrap(), Value::from(expected));
            assert_eq!(value.unwrap(), Value::from(expected));
            assert_eq!(outcome.unwrap(), expected.outcome());
        }
    }
}

#[test]
fn layers_are_read_in_parts_whether_a_side_is_stored_or_omitted() {
    let game = Hunt::default();
    let mut codes = any_distances(&game, 4, 20, 7);
    // Probes of positions in which the game is over do not read the table.
    let index = game.index(4);
    for (rank, code) in (0..).zip(&mut codes[Side::First]) {
        if let Some(outcome) = game.terminal(&index.unrank(Side::First, rank)) {
            *code = Dtw::ended(outcome).code();
        }
    }
    codes[Side::Second] = values_ahead(&game, &codes[Side::First]);
    let header = raw_distances(&game, 4, &codes).1;
    let stored = BySide::new(true, false);
    let options = Options { stored, block_entries: 1024 };
    let file = packed_distances(&game, &header, &codes, &options);
    // The small cache keeps no large groups of rows.
    for (bytes, side) in
        [BlockCache::DEFAULT_BYTES, 1 << 12].into_iter().flat_map(|b| Side::BOTH.map(|s| (b, s)))
    {
        let table = Table::from_bytes("omitting", file.clone()).unwrap();
        let tables = Tablebase::from_tables(game.clone(), [table]).with_cache_bytes(bytes);
        let codes = &codes[side];
        let last = codes.len() / 64 * 64;
        // From 4096 entries on, an omitted side is computed by blocks.
        let whole = (0, codes.len());
        let parts = [(0, 300), (64, 5000), (last - 640, codes.len() - last + 640), whole];
        // A first rank within a group is read position by position.
        let parts = parts.into_iter().chain((side == Side::Second).then_some((61, 130)));
        for (first, len) in parts {
            let expected = &codes[first..first + len];
            let mut read = vec![9; len];
            tables.read_distances(4, side, first as u64, &mut read).unwrap();
            let wrong = read.iter().zip(expected).position(|(read, expected)| read != expected);
            assert_eq!(wrong, None, "{side:?} from {first}, {len} entries");
            let mut pairs = vec![[u64::MAX; 2]; len.div_ceil(64)];
            tables.read_outcomes(4, side, first as u64, &mut pairs).unwrap();
            let whole = if first + len == codes.len() { len } else { pairs.len() * 64 };
            for (entry, &code) in codes[first..first + whole].iter().enumerate() {
                let won = pairs[entry / 64].map(|word| word >> (entry % 64) & 1 != 0);
                let winner = Dtw::from_code(code).unwrap().winner();
                assert_eq!(won, Side::BOTH.map(|side| winner == Some(side)));
            }
            let beyond = pairs.len() * 64 - whole;
            assert!(
                beyond == 0
                    || pairs[pairs.len() - 1].iter().all(|w| w.leading_zeros() as usize >= beyond)
            );
        }
        // Beyond the end there is nothing to read, and no panic.
        let end = codes.len() as u64;
        for first in [end / 64 * 64, end, end + 640] {
            assert!(tables.read_distances(4, side, first, &mut [0; 128]).is_err());
        }
        assert!(tables.read_distances(4, side, 0, &mut []).is_ok());
        assert!(tables.read_distances(5, side, 0, &mut []).is_err());
        assert!(tables.read_outcomes(5, side, 0, &mut []).is_err());
    }
}

#[test]
fn a_header_that_denies_a_value_found_by_look_ahead_is_damage() {
    let game = Hunt::default();
    let index = game.index(4);
    let mut codes = any_distances(&game, 4, 20, 7);
    codes[Side::Second] = vec![0; index.len(Side::Second) as usize];
    let header = raw_distances(&game, 4, &codes).1;
    let options = Options { stored: BySide::new(true, false), ..Options::default() };
    let file = packed_distances(&game, &header, &codes, &options);
    let tables = Tablebase::from_tables(game, [Table::from_bytes("x", file).unwrap()]);
    let position = index.unrank(Side::Second, 100);
    let Err(ProbeError::Table(error)) = tables.probe_distance(&position) else { panic!() };
    assert_eq!(error.class(), ErrorClass::Corrupt);
    assert!(matches!(tables.probe_many(&[position])[..], [Err(ProbeError::Table(_))]));
    for len in [64, 5000] {
        let read = tables.read_distances(4, Side::Second, 64, &mut vec![0; len]);
        let Err(ProbeError::Table(error)) = read else { panic!("{len}") };
        assert_eq!(error.class(), ErrorClass::Corrupt);
    }
}

#[test]
fn blocks_read_back_in_the_order_of_the_file() {
    let game = Hunt::default();
    let ranks = game.index(LAYER).packing_order(Side::First).ranks();
    for (what, codes, file) in tables() {
        let table = open(&file).unwrap();
        let Some(packing) = table.header().packing().cloned() else {
            let block = BlockId { side: Side::First, number: 0 };
            assert!(!table.read_block(block, &mut [0; 64]).unwrap());
            continue;
        };
        let entries = table.header().entries();
        for side in Side::BOTH {
            let mut place = 0;
            for number in 0..packing.blocks(entries)[side] {
                let block = BlockId { side, number };
                let mut read = vec![9; packing.entries_in(entries, block) as usize];
                assert!(table.read_block(block, &mut read).unwrap());
                let mut expected = Vec::new();
                let places = place..place + read.len() as u64;
                place = places.end;
                ranks.visit_ranks(places, |rank| expected.push(codes[side][rank as usize]));
                assert_eq!(read, expected, "{what}");
                assert!(!table.read_block(block, &mut read[1..]).unwrap());
            }
            let beyond = BlockId { side, number: packing.blocks(entries)[side] };
            assert!(!table.read_block(beyond, &mut []).unwrap());
        }
    }
}
