//! `anser fetch`: tables from a site or a directory behind any web server.

use std::path::PathBuf;

use anser_fetch::{FetchError, Options, Plan, PlannedTable, Problem, Selection, without_password};
use anser_games::answers::{FetchAnswer, FetchState, FetchedTable};
use anser_solve::Bytes;
use clap::{Args, ValueHint};

use crate::args::{SelectionArgs, within};
use crate::failure::Failure;
use crate::games::{self, registry};
use crate::output::Form;
use crate::progress::Progress;
use crate::reply::Reply;
use crate::text::{Columns, printable};

const AFTER: &str = "\
URL is a site that `anser site` made, or a directory of tables with the manifests that `anser pack` \
writes, behind any web server: http:, https:, file:, or a path. A web server does not list a \
directory, so manifests are found by `SHA256SUMS`, if there is one, or by the names of games and \
rule sets; those that this version does not know need --game and --rules.

Every table is compared with the index or the manifest and verified before it gets its name. Tables \
that --out has are kept. The same command resumes after an interruption. That proves that tables \
are undamaged, not who made them: --sha256 compares a manifest with a digest from a trusted place, \
and `anser verify --full` recomputes every value.

Examples:
  anser fetch https://example.org/site --out tables
  anser fetch https://example.org/ship --game fox-geese --rules free --layers 1-13 --out tables
  anser fetch /media/disk/ship --dry-run --out tables";

/// Fetch tables from a site or from a directory of packed tables
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct FetchArgs {
    /// Address of a site or of a directory of tables, or of one of its manifests
    #[arg(value_name = "URL", value_hint = ValueHint::Url)]
    url: String,
    /// Directory to write the tables to; created if missing
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: PathBuf,
    #[command(flatten)]
    selection: SelectionArgs,
    /// SHA-256 that the manifest must have, from a place that you trust
    #[arg(long, value_name = "HEX", value_parser = sha256)]
    sha256: Option<String>,
    /// Number of requests at a time
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = within::<usize>(1..=64))]
    connections: usize,
    /// Show what would be fetched, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// Reads a SHA-256.
fn sha256(text: &str) -> Result<String, String> {
    if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(text.to_owned());
    }
    Err("a SHA-256 has 64 hexadecimal digits, as `sha256sum` writes it".to_owned())
}

impl FetchArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        // A host may have games that this version does not know.
        let sized = |name: &String| {
            games::find(name).map_or_else(|_| name.clone(), |(info, size)| info.sized_name(size))
        };
        let SelectionArgs { games, rules, layers, metric } = &self.selection;
        let rules = &rules.ids;
        let wanted = Selection {
            games: games.iter().map(sized).collect(),
            rules: rules.clone(),
            layers: layers.range.clone(),
            metric: metric.name,
        };
        let options = Options {
            connections: self.connections,
            sha256: self.sha256.clone(),
            ..Options::default()
        };
        let progress = Progress::of_transfer(Plan::FETCHING)?;
        let plan = Plan::new(&self.url, &wanted, registry(), &self.out, &options, &progress);
        let plan = plan.map_err(failure)?;
        let planned = |table: &PlannedTable| FetchedTable {
            game: table.game.clone(),
            rules: table.rules.clone(),
            layer: table.name.layer,
            metric: table.name.metric,
            path: self.out.join(table.name.to_string()).display().to_string(),
            bytes: table.bytes,
            state: if table.left == 0 { FetchState::Kept } else { FetchState::Missing },
        };
        let mut answer = FetchAnswer {
            url: without_password(&self.url),
            origin: plan.origin(),
            out: self.out.display().to_string(),
            bytes: plan.tables().iter().map(|table| table.bytes).fold(0, u64::saturating_add),
            fetched_bytes: plan.left(),
            lists: plan.lists().to_vec(),
            tables: plan.tables().iter().map(planned).collect(),
        };
        let summary = if self.dry_run {
            drop(progress);
            let free = plan.disk_free().map(|free| format!(", {} free", Bytes(free)));
            let lacks = if plan.check_disk().is_err() { ": too little" } else { "" };
            let left = Bytes(plan.left());
            format!("{left} to fetch{}{lacks}\n", free.unwrap_or_default())
        } else {
            let fetched = plan.run(&progress);
            drop(progress);
            let fetched = fetched.map_err(failure)?;
            answer.fetched_bytes = fetched.iter().map(|table| table.fetched).sum();
            for (table, fetched) in answer.tables.iter_mut().zip(&fetched) {
                table.state = if fetched.kept { FetchState::Kept } else { FetchState::Fetched };
            }
            let kept = fetched.iter().filter(|table| table.kept).count();
            format!(
                "{} fetched in {} tables, {kept} kept\n",
                Bytes(answer.fetched_bytes),
                fetched.len() - kept
            )
        };
        let text = text(&answer) + &summary;
        Reply::new(answer, text).print(Form::of(self.json))
    }
}

fn text(answer: &FetchAnswer) -> String {
    let mut columns = Columns::new(2, ["table", "", "size"]);
    for table in &answer.tables {
        let state = match table.state {
            FetchState::Fetched => "fetched",
            FetchState::Kept => "kept",
            FetchState::Missing => "missing",
        };
        columns.row([printable(&table.path), state.to_owned(), Bytes(table.bytes).to_string()]);
    }
    columns.text()
}

/// Adds what to do next to an error.
fn failure(error: FetchError) -> Failure {
    const RESUMES: &str = "the same command resumes";
    match error {
        FetchError::Interrupted => {
            Failure::interrupted_with(format_args!("interrupted; {RESUMES}"))
        }
        FetchError::Directory(error) => error.into(),
        FetchError::Address { .. } => Failure::usage(&error),
        FetchError::NoTables { ref sought, .. } => {
            let sought = match &sought[..] {
                [] => "no names of manifests are known".to_owned(),
                [first] => format!("no {first}"),
                [first, ..] => format!("no {first}, nor {} other manifests", sought.len() - 1),
            };
            Failure::missing(format_args!("{error}: {sought}")).advice(
                "`anser site` and `anser pack` write what can be fetched; --game and --rules name \
                 the manifest of a game that this version does not know",
            )
        }
        FetchError::NotListed { .. } => {
            Failure::missing(&error).advice("choose others with --game, --rules, --layers, --metric")
        }
        FetchError::Request { problem: Problem::File(_), .. } => {
            Failure::missing(&error).advice("check the path, or whether the copy there is complete")
        }
        FetchError::Request { ref problem, .. } if problem.is_absence() => Failure::missing(&error)
            .advice("the copy on the host is incomplete, or was replaced; try again later"),
        FetchError::Request { ref problem, .. } if problem.is_transient() => {
            Failure::io(&error).advice(RESUMES)
        }
        FetchError::Request { problem: Problem::Tls(_), .. } => Failure::io(&error).advice(
            "install ca-certificates, or set SSL_CERT_FILE to a file with the missing certificates",
        ),
        FetchError::Request { problem: Problem::Redirect(_), .. } => {
            Failure::io(&error).advice("name the address where the files are")
        }
        FetchError::Request { .. } => Failure::io(&error).advice(
            "the host does not send the file as it was written; fetch it from another copy, or by \
             another program, and name the directory",
        ),
        FetchError::Disk { .. } => {
            Failure::io(&error).advice("choose fewer layers with --layers, or another --out")
        }
        FetchError::OtherValues { .. } => Failure::corrupt(&error).advice(
            "choose another --out; `anser verify --full` shows which of the two is wrong",
        ),
        FetchError::Digest { .. } | FetchError::Table { .. } => Failure::corrupt(&error).advice(
            "the file was not kept; the host is damaged, or its files are being replaced: try again \
             later, or another host, or choose other layers with --layers",
        ),
        FetchError::List { .. } => Failure::corrupt(&error)
            .advice("it is damaged, or of another version; try again later, or another host"),
        error => Failure::corrupt(&error),
    }
}
