//! Counters, in the text format of Prometheus.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::store::Blocks;

/// The endpoints with counters of their own.
pub(crate) const ENDPOINTS: [&str; 17] = [
    "/api/v1/games",
    "/api/v1/probe",
    "/api/v1/line",
    "/api/v1/move",
    "/api/v1/stats",
    "/api/v1/census",
    "/api/v1/hardest",
    "/api/v1/random",
    "/api/v1/solving",
    "/openapi.json",
    "/api",
    "/healthz",
    "/metrics",
    "/robots.txt",
    "/assets/{version}/{name}",
    "page",
    "other",
];

/// Upper bounds of the classes of latencies, in microseconds.
const BOUNDS: [u64; 10] =
    [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 10_000_000];

/// Counters of one endpoint.
#[derive(Default)]
struct Endpoint {
    /// By the first digit of the status.
    statuses: [AtomicU64; 6],
    latencies: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
}

/// A metric of one value.
#[derive(Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, count: u64) {
        self.0.fetch_add(count, Relaxed);
    }

    pub(crate) fn subtract(&self, count: u64) {
        self.0.fetch_sub(count, Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// Counters of a server.
#[derive(Default)]
pub(crate) struct Metrics {
    endpoints: [Endpoint; ENDPOINTS.len()],
    /// Positions that were looked up.
    pub(crate) probes: Counter,
    /// Requests that were refused because too many requests wait.
    pub(crate) shed: Counter,
    /// Tasks that began: solving, or a question about a whole game.
    pub(crate) tasks: Counter,
    /// Tasks that were stopped because no client waited for them.
    pub(crate) abandoned: Counter,
    /// Connections that were refused because too many are open.
    pub(crate) refused: Counter,
    /// Answers that a damaged table prevented.
    pub(crate) damaged: Counter,
    /// Open connections.
    pub(crate) connections: Counter,
    /// Tables of layers that were solved into files.
    pub(crate) solved_layers: Counter,
    /// Layers that exceed a limit.
    pub(crate) refused_layers: Counter,
    /// Attempts to solve a layer that failed.
    pub(crate) failed_layers: Counter,
}

impl Metrics {
    /// Counts a request.
    pub(crate) fn answered(&self, endpoint: &'static str, status: u16, time: Duration) {
        let number = ENDPOINTS.iter().position(|name| *name == endpoint);
        let endpoint = &self.endpoints[number.unwrap_or(ENDPOINTS.len() - 1)];
        let class = usize::from(status / 100).min(endpoint.statuses.len() - 1);
        endpoint.statuses[class].fetch_add(1, Relaxed);
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        endpoint.latencies[BOUNDS.partition_point(|bound| *bound < micros)].fetch_add(1, Relaxed);
        endpoint.micros.fetch_add(micros, Relaxed);
    }

    /// All counters as text, with those of the blocks of tables.
    pub(crate) fn text(&self, blocks: &Blocks) -> String {
        let mut text = String::new();
        for (name, help, value) in self.single(blocks) {
            let kind = if name.ends_with("_total") { "counter" } else { "gauge" };
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}");
        }
        self.write_requests(&mut text);
        self.write_latencies(&mut text);
        text
    }

    /// The metrics of one value each: name, help, and value.
    fn single(&self, blocks: &Blocks) -> [(&'static str, &'static str, u64); 12] {
        [
            ("anser_probes_total", "Positions looked up.", self.probes.get()),
            ("anser_shed_total", "Requests refused because too many wait.", self.shed.get()),
            ("anser_tasks_total", "Games solved, and whole games looked at.", self.tasks.get()),
            (
                "anser_abandoned_tasks_total",
                "Of these, those that were stopped because nobody waited.",
                self.abandoned.get(),
            ),
            (
                "anser_refused_connections_total",
                "Connections refused because too many are open.",
                self.refused.get(),
            ),
            ("anser_damaged_total", "Answers that a damaged table prevented.", self.damaged.get()),
            (
                "anser_solved_layers_total",
                "Tables of layers that were solved into files.",
                self.solved_layers.get(),
            ),
            (
                "anser_refused_layers_total",
                "Layers that were not solved because they exceed a limit.",
                self.refused_layers.get(),
            ),
            (
                "anser_failed_layers_total",
                "Attempts to solve a layer that failed.",
                self.failed_layers.get(),
            ),
            ("anser_connections", "Open connections.", self.connections.get()),
            (
                "anser_blocks_read_total",
                "Blocks of tables that were decoded or checked because the cache lacked them.",
                blocks.read,
            ),
            (
                "anser_cache_hits_total",
                "Blocks of tables that were in the cache when they were needed.",
                blocks.cached,
            ),
        ]
    }

    fn write_requests(&self, text: &mut String) {
        *text += "# HELP anser_requests_total Requests by endpoint and class of status.\n\
                 # TYPE anser_requests_total counter\n";
        for (name, endpoint) in ENDPOINTS.iter().zip(&self.endpoints) {
            for (class, count) in endpoint.statuses.iter().enumerate() {
                let count = count.load(Relaxed);
                if count > 0 {
                    let _ = writeln!(
                        text,
                        "anser_requests_total{{endpoint=\"{name}\",status=\"{class}xx\"}} {count}"
                    );
                }
            }
        }
    }

    fn write_latencies(&self, text: &mut String) {
        *text += "# HELP anser_request_seconds Time until an answer began.\n\
                 # TYPE anser_request_seconds histogram\n";
        for (name, endpoint) in ENDPOINTS.iter().zip(&self.endpoints) {
            let counts = endpoint.latencies.each_ref().map(|count| count.load(Relaxed));
            let all: u64 = counts.iter().sum();
            if all == 0 {
                continue;
            }
            let mut below = 0;
            for (bound, count) in BOUNDS.iter().zip(counts) {
                below += count;
                let seconds = *bound as f64 / 1e6;
                let _ = writeln!(
                    text,
                    "anser_request_seconds_bucket{{endpoint=\"{name}\",le=\"{seconds}\"}} {below}"
                );
            }
            let seconds = endpoint.micros.load(Relaxed) as f64 / 1e6;
            let _ = writeln!(
                text,
                "anser_request_seconds_bucket{{endpoint=\"{name}\",le=\"+Inf\"}} {all}\n\
                 anser_request_seconds_sum{{endpoint=\"{name}\"}} {seconds}\n\
                 anser_request_seconds_count{{endpoint=\"{name}\"}} {all}"
            );
        }
    }
}
