//! Checks finished tables: their checksums, or every single value.
//!
//! The full check reads each stored value back from the file and compares it with what the values of the position's
//! successors, read from the files as well, say it must be. It shares the rules, the index and the reader with the
//! engines, and nothing of how they solve. What it shows is that the values are consistent; consistent values are right
//! wherever wins are founded, which the engines see to by only ever deciding what follows from decisions.

use std::ops::{ControlFlow, Range, RangeInclusive};
use std::path::PathBuf;
use std::time::Instant;

use anser_core::{Game, LayerIndex, Next, Outcome, Side};
use anser_table::{
    ENTRIES_PER_PAIR, ErrorClass, Kind, Manifest, ProbeError, Table, Tablebase, code_of, digest_file, get,
    manifest_name, outcome_of, set,
};
use rayon::prelude::*;
use serde::Serialize;

use crate::SolveError;
use crate::counts::{add, count_positions};
use crate::observer::{Event, Observer};
use crate::solve::make_pool;

/// Pairs of words that a thread takes at a time: 65,536 entries, one block of a packed table or several.
const CHUNK: u64 = 1024;

/// Problems of a table that are listed; a table that is wrong all over would fill the screen.
const LISTED: usize = 10;

/// What to check, and how.
#[derive(Clone, Debug, Default)]
pub struct VerifyOptions {
    /// Which layers; `None` for all that are there.
    pub layers: Option<RangeInclusive<u16>>,
    /// Whether to recompute every value.
    pub full: bool,
    /// How many threads; `None` for one a core.
    pub threads: Option<usize>,
}

/// A table that was checked.
#[derive(Clone, Debug, Serialize)]
pub struct Verified {
    /// The layer.
    pub layer: u16,
    /// The file.
    pub path: PathBuf,
    /// `raw` or `packed`.
    pub kind: &'static str,
    /// Values that were recomputed; 0 if only checksums were compared.
    pub entries: u64,
    /// Whether every value was recomputed.
    pub full: bool,
    /// What is wrong with it; empty for a sound table.
    pub problems: Vec<String>,
    /// How long it took.
    pub seconds: f64,
}

/// Checks the tables of a game in some directories.
///
/// Without `full`: headers, all checksums, the digests of the payload and, where there is a manifest, of the file. With
/// `full` also every value and the counts in the header. What is wrong with a table is no error but part of the answer,
/// so that every table is looked at.
///
/// # Errors
/// A directory that can not be read, a layer asked for that has no table, a lower layer without which a value can not be
/// recomputed, an interruption.
pub fn verify<G: Game>(
    game: &G,
    dirs: &[PathBuf],
    options: &VerifyOptions,
    observer: &dyn Observer,
) -> Result<Vec<Verified>, SolveError> {
    // Positioned reads: a disk that fails here is to be reported, and files may be damaged in any way.
    let tables = Tablebase::open(game.clone(), dirs)?;
    let layers: Vec<u16> = match &options.layers {
        Some(layers) => layers.clone().collect(),
        None => game.layers().filter(|&layer| is_there(&tables, layer)).collect(),
    };
    make_pool(options.threads)?.install(|| {
        layers.into_iter().map(|layer| verify_layer(game, &tables, layer, options.full, observer)).collect()
    })
}

/// Whether there is a table of the layer, sound or not.
fn is_there<G: Game>(tables: &Tablebase<G>, layer: u16) -> bool {
    !matches!(tables.table(layer), Err(ProbeError::MissingLayer(_)))
}

fn verify_layer<G: Game>(
    game: &G,
    tables: &Tablebase<G>,
    layer: u16,
    full: bool,
    observer: &dyn Observer,
) -> Result<Verified, SolveError> {
    let started = Instant::now();
    let mut verified = Verified {
        layer,
        path: PathBuf::new(),
        kind: Kind::Raw.id(),
        entries: 0,
        full,
        problems: Vec::new(),
        seconds: 0.0,
    };
    match tables.table(layer) {
        Err(error @ ProbeError::MissingLayer(_)) => return Err(error.into()),
        Err(ProbeError::Table(error)) => {
            error.path().clone_into(&mut verified.path);
            verified.problems.push(error.to_string());
        }
        Ok(table) => {
            table.path().clone_into(&mut verified.path);
            verified.kind = table.header().kind().id();
            verified.problems = check_sums(game, table, observer)?;
            // Values that can not be read can not be recomputed.
            if full && verified.problems.is_empty() {
                let check = Full { game, tables, table, layer, index: &game.index(layer), observer };
                verified.problems = match check.run() {
                    Err(SolveError::Probe(ProbeError::Table(error))) => {
                        vec![format!("a table that its values rest on is damaged: {error}")]
                    }
                    found => found?,
                };
                verified.entries = table.header().entries().iter().sum();
            }
        }
    }
    verified.seconds = started.elapsed().as_secs_f64();
    Ok(verified)
}

/// Compares everything that has a checksum.
fn check_sums<G: Game>(game: &G, table: &Table, observer: &dyn Observer) -> Result<Vec<String>, SolveError> {
    let parts = table.parts();
    observer.event(&Event::Work { what: format!("checksums of layer {}", table.header().layer()), units: parts });
    let damaged: Vec<String> = (0..parts)
        .into_par_iter()
        .filter_map(|part| {
            if observer.interrupted() {
                return Some(Err(SolveError::Interrupted));
            }
            observer.advance(1);
            table.verify_part(part).err().map(|error| Ok(error.to_string()))
        })
        .collect::<Result<_, _>>()?;
    let mut problems = listed(damaged);
    if problems.is_empty() {
        problems.extend(table.verify().err().map(|error| error.to_string()));
    }
    problems.extend(compare_manifest(game, table)?);
    Ok(problems)
}

/// What the manifest beside the table says otherwise, if there is one.
fn compare_manifest<G: Game>(game: &G, table: &Table) -> Result<Option<String>, SolveError> {
    let Some((dir, name)) = table.path().parent().zip(table.path().file_name()) else { return Ok(None) };
    let path = dir.join(manifest_name(&game.name(), &game.rules_id()));
    let manifest = match Manifest::load(&path) {
        Ok(Some(manifest)) => manifest,
        Ok(None) => return Ok(None),
        Err(error) if error.class() == ErrorClass::Io => return Err(error.into()),
        Err(error) => return Ok(Some(error.to_string())),
    };
    let Some(entry) = name.to_str().and_then(|name| manifest.get(name)) else { return Ok(None) };
    let differs = digest_file(table.path())? != entry.file;
    Ok(differs.then(|| {
        format!("{}: not the file that {} lists: its digest is another", table.path().display(), path.display())
    }))
}

/// The first few problems, and how many there are in all.
fn listed(mut problems: Vec<String>) -> Vec<String> {
    let all = problems.len();
    if all > LISTED {
        problems.truncate(LISTED);
        problems.push(format!("and {} more", all - LISTED));
    }
    problems
}

/// The check of every value of a layer.
struct Full<'a, G: Game> {
    game: &'a G,
    tables: &'a Tablebase<G>,
    table: &'a Table,
    layer: u16,
    index: &'a G::Index,
    observer: &'a dyn Observer,
}

/// What a part of a full check found.
#[derive(Default)]
struct Findings {
    counts: [u64; 3],
    wrong: u64,
    /// The first few of the wrong ones.
    problems: Vec<String>,
}

impl Findings {
    fn add(&mut self, next: Findings) {
        self.counts = add(self.counts, next.counts);
        self.wrong += next.wrong;
        let room = LISTED - self.problems.len().min(LISTED);
        self.problems.extend(next.problems.into_iter().take(room));
    }
}

impl<G: Game> Full<'_, G> {
    fn run(&self) -> Result<Vec<String>, SolveError> {
        let [first, second] = [self.side(Side::First)?, self.side(Side::Second)?];
        let counts = [first.counts, second.counts];
        let mut all = first;
        all.add(second);
        if all.wrong > all.problems.len() as u64 {
            all.problems.push(format!("and {} more", all.wrong - all.problems.len() as u64));
        }
        let in_header = self.table.header().counts();
        if all.wrong == 0 && counts != in_header {
            all.problems.push(format!("the header counts {in_header:?} positions by outcome, the values {counts:?}"));
        }
        Ok(all.problems)
    }

    /// Recomputes the values with `side` to move.
    fn side(&self, side: Side) -> Result<Findings, SolveError> {
        let entries = self.index.len(side);
        let (layer, name) = (self.layer, self.game.side_name(side));
        self.observer.event(&Event::Work { what: format!("values of layer {layer}, {name} to move"), units: entries });
        let chunk_entries = CHUNK * ENTRIES_PER_PAIR;
        let parts: Vec<Findings> = (0..entries.div_ceil(chunk_entries))
            .into_par_iter()
            .map(|chunk| self.ranks(side, chunk * chunk_entries..entries.min((chunk + 1) * chunk_entries)))
            .collect::<Result<_, SolveError>>()?;
        let mut all = Findings::default();
        for part in parts {
            all.add(part);
        }
        Ok(all)
    }

    /// Recomputes the values of some ranks, the first of which begins a pair.
    fn ranks(&self, side: Side, ranks: Range<u64>) -> Result<Findings, SolveError> {
        let len = ranks.end - ranks.start;
        let mut words = vec![0; 2 * len.div_ceil(ENTRIES_PER_PAIR) as usize];
        // What is not stored, or may be anything, is what the reader makes of it.
        let stored = self.table.read_pairs(side, ranks.start / ENTRIES_PER_PAIR, &mut words)?
            && !self.table.leaves_out_settled();
        let mut findings = Findings::default();
        for (at, rank) in ranks.clone().enumerate() {
            if at % 4096 == 0 && self.observer.interrupted() {
                return Err(SolveError::Interrupted);
            }
            let position = self.index.unrank(side, rank);
            let read = if stored { outcome_of(get(&words, at as u64)) } else { Some(self.tables.probe(&position)?) };
            let must = self.recompute(&position, side)?;
            if read != Some(must) {
                findings.wrong += 1;
                if findings.problems.len() < LISTED {
                    let text = self.game.format_position(&position);
                    let (read, must) = (self.name(read), self.name(Some(must)));
                    findings.problems.push(format!("{text} is {read} in the table, its moves say {must}"));
                }
            }
            set(&mut words, at as u64, code_of(read.unwrap_or(must)));
        }
        findings.counts = count_positions(self.index, side, ranks, words.as_chunks().0);
        self.observer.advance(len);
        Ok(findings)
    }

    /// The outcome of a position as the outcomes of what its moves lead to have it.
    fn recompute(&self, position: &G::Position, side: Side) -> Result<Outcome, SolveError> {
        if let Some(outcome) = self.game.terminal(position) {
            return Ok(outcome);
        }
        let mut best = Outcome::Win(side.other());
        let found = self.game.visit_moves(position, |_, next| {
            let outcome = match next {
                Next::End(outcome) => outcome,
                Next::Position(next) => match self.tables.probe(&next) {
                    Ok(outcome) => outcome,
                    Err(error) => return ControlFlow::Break(Err(error)),
                },
            };
            if outcome.score(side) > best.score(side) {
                best = outcome;
            }
            if best == Outcome::Win(side) { ControlFlow::Break(Ok(())) } else { ControlFlow::Continue(()) }
        });
        match found {
            ControlFlow::Break(Err(error)) => Err(error.into()),
            _ => Ok(best),
        }
    }

    fn name(&self, outcome: Option<Outcome>) -> String {
        match outcome {
            Some(Outcome::Win(side)) => format!("won for the {}", self.game.side_name(side)),
            Some(Outcome::Draw) => "drawn".into(),
            None => "without a value".into(),
        }
    }
}
