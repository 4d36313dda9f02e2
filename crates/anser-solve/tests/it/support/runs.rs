//! Interrupted runs, and the tables of a run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use anser_core::Hunt;
use anser_solve::{Discarded, Event, Observer, RunObserver};
use anser_table::{Kind, Metric, TableName};

/// Reads the raw tables in a directory, by file name.
pub(crate) fn tables(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let is_raw = |name: &str| TableName::parse(name).is_some_and(|name| name.kind == Kind::Raw);
    fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| is_raw(entry.file_name().to_str().unwrap()))
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect()
}

/// Returns the file name of the raw table of outcomes of a layer.
pub(crate) fn table(game: &Hunt, layer: u16) -> String {
    table_of(game, layer, Metric::Wdl)
}

/// Returns the file name of the raw table of a layer.
pub(crate) fn table_of(game: &Hunt, layer: u16, metric: Metric) -> String {
    TableName::new(game.name(), game.rules_id(), layer, metric, Kind::Raw).to_string()
}

/// Interrupts a run after a number of chunks.
pub(crate) struct Stopper {
    left: AtomicU64,
}

impl Stopper {
    pub(crate) fn after(chunks: u64) -> Stopper {
        Stopper { left: AtomicU64::new(chunks) }
    }
}

impl Observer for Stopper {
    fn interrupted(&self) -> bool {
        self.left.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1)).is_err()
    }
}

impl RunObserver for Stopper {
    fn event(&self, _: &Event) {}
}

/// Records the unfinished work that was discarded.
#[derive(Default)]
pub(crate) struct Discards(Mutex<Vec<(u16, Discarded)>>);

impl Discards {
    pub(crate) fn of_layer(&self, layer: u16) -> Vec<Discarded> {
        self.0
            .lock()
            .unwrap()
            .iter()
            .filter(|discard| discard.0 == layer)
            .map(|discard| discard.1)
            .collect()
    }
}

impl Observer for Discards {}

impl RunObserver for Discards {
    fn event(&self, event: &Event) {
        if let Event::Discarded { layer, what } = event {
            self.0.lock().unwrap().push((*layer, *what));
        }
    }
}
