//! `anser site`: the web page and tables as files for any web host.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anser_games::answers::SiteAnswer;
use anser_server::site::{Decoder, Site, SiteError};
use anser_solve::Bytes;
use clap::{Args, ValueHint};

use crate::args::{SelectionArgs, TablesArgs, memory};
use crate::failure::Failure;
use crate::games::{self, registry};
use crate::output::Form;
use crate::progress::Progress;
use crate::reply::Reply;
use crate::text::{Columns, printable, ranges};

const AFTER: &str = "\
Writes the page of `anser serve` with everything that it asks for: packed tables, cut into parts of \
at most 128 KiB, statistics, and puzzles. The browser reads the tables by itself, so any web host \
will do, also below a path. Without --game and --rules, takes every packed table found. Only the \
moves of levels, and of positions without a table, need `anser serve`.

Browsers decode the tables with fzstd, which npm fetches. Without npm or a network, fetch it \
elsewhere with `npm pack fzstd@0.1.1`, and name the file with --fzstd, or in ANSER_FZSTD.

--out is empty, or has a site that was made before: then files that are the same are kept.

Examples:
  anser site --out site && python3 -m http.server --directory site
  anser site --game fox-geese --rules free --layers 1-13 --metric wdl --tables ship --out site
  anser site --fzstd fzstd-0.1.1.tgz --max-size 25MB --out site";

const FZSTD: &str = "The package fzstd, as `npm pack` writes it, or its directory [env: ANSER_FZSTD] \
    [default: fetched by npm]";

/// Write the web page and tables as files that need no server
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct SiteArgs {
    /// Directory to write the site to; created if missing
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: PathBuf,
    #[command(flatten)]
    selection: SelectionArgs,
    #[command(flatten)]
    tables: TablesArgs,
    /// Size of the largest site that is written. Many hosts allow 1 GB a site and 25 MiB a file
    #[arg(long, value_name = "SIZE", default_value = "1GB", value_parser = memory)]
    max_size: u64,
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath, help = FZSTD)]
    fzstd: Option<PathBuf>,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

impl SiteArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let SelectionArgs { games, rules, layers, metric } = &self.selection;
        let rules = &rules.ids;
        let mut names = Vec::new();
        for game in games {
            let (info, size) = games::find(game)?;
            names.push(info.sized_name(size));
        }
        let decoder = self.decoder()?;
        let metric = metric.name;
        let progress = Progress::of_answer()?;
        let path = self.tables.search_path();
        let site = Site::new(
            registry().clone(),
            &path,
            |game, name| {
                (names.is_empty() || names.iter().any(|wanted| wanted == game))
                    && (rules.is_empty() || rules.contains(&name.rules))
                    && layers.includes(name.layer)
                    && metric.is_none_or(|metric| metric == name.metric)
            },
            &decoder,
            &progress,
        );
        let site = site.map_err(|error| failure(error, &path.names()))?;
        let on_site = |what: &str| {
            site.sets().iter().any(|set| [&set.game, &set.rules].into_iter().any(|it| it == what))
        };
        if let Some(absent) = names.iter().chain(rules).find(|what| !on_site(what)) {
            return Err(Failure::missing(format!(
                "no packed table of {absent} is in {}",
                path.names().join(", ")
            ))
            .advice(PACK_FIRST));
        }
        if site.bytes() > self.max_size {
            let (bytes, files) = (Bytes(site.bytes()), site.files());
            return Err(Failure::usage(format!(
                "the site would have {bytes} in {files} files, more than --max-size {}",
                Bytes(self.max_size)
            ))
            .advice("choose fewer rule sets or layers, or another --max-size"));
        }
        let written = site.write(&self.out, &progress);
        let written = written.map_err(|error| failure(error, &path.names()))?;
        drop(progress);
        let text = text(&written);
        Reply::new(written, text).print(Form::of(self.json))
    }

    /// The decoder of blocks: the package given, or else what npm fetches.
    fn decoder(&self) -> Result<Decoder, Failure> {
        let advice = format!(
            "fetch it where npm and a network are, with `npm pack {}`, and give the file with --fzstd",
            Decoder::PACKAGE
        );
        let given = self.fzstd.clone().or_else(|| {
            std::env::var_os("ANSER_FZSTD").filter(|path| !path.is_empty()).map(PathBuf::from)
        });
        let (module, license) = match &given {
            Some(path) if path.is_dir() => {
                let of = |name: &str| {
                    let file = path.join(name.trim_start_matches("package/"));
                    fs::read_to_string(&file).map_err(|error| {
                        Failure::io(format!("{}: {error}", file.display())).advice(&advice)
                    })
                };
                (of(Decoder::MODULE)?, of(Decoder::LICENSE)?)
            }
            Some(path) => unpacked(path).map_err(|failure| failure.advice(&advice))?,
            None => fetched().map_err(|failure| failure.advice(&advice))?,
        };
        Decoder::new(module, license).ok_or_else(|| {
            Failure::corrupt(format!("these are not the files of {}", Decoder::PACKAGE))
                .advice(&advice)
        })
    }
}

fn text(site: &SiteAnswer) -> String {
    let mut columns = Columns::new(2, ["game", "rules", "outcomes", "distances", "tables"]);
    for set in &site.sets {
        let layers = |layers: &[u16]| match layers {
            [] => "-".to_owned(),
            layers => ranges(layers.iter().copied()),
        };
        columns.row([
            set.game.clone(),
            set.rules.clone(),
            layers(&set.wdl),
            layers(&set.dtw),
            Bytes(set.bytes).to_string(),
        ]);
    }
    format!(
        "{}{}: {} files, {}, the largest {}; {} written, {} kept, {} removed\n",
        columns.text(),
        printable(&site.out),
        site.files,
        Bytes(site.bytes),
        Bytes(site.largest_bytes),
        site.written,
        site.kept,
        site.removed
    )
}

/// The module and the license in a package of npm.
fn unpacked(package: &Path) -> Result<(String, String), Failure> {
    let of = |name: &str| {
        let tar = Command::new("tar").arg("-xzOf").arg(package).arg(name).output();
        let failed =
            |why: &str| Failure::io(format!("{} cannot be unpacked: {why}", package.display()));
        let tar = tar.map_err(|error| failed(&format!("tar: {error}")))?;
        if !tar.status.success() {
            return Err(failed(String::from_utf8_lossy(&tar.stderr).trim()));
        }
        String::from_utf8(tar.stdout).map_err(|error| failed(&error.to_string()))
    };
    Ok((of(Decoder::MODULE)?, of(Decoder::LICENSE)?))
}

/// Fetches the package with npm.
fn fetched() -> Result<(String, String), Failure> {
    let failed = |why: &str| Failure::io(format!("npm cannot fetch {}: {why}", Decoder::PACKAGE));
    let dir = tempfile::tempdir().map_err(|error| failed(&error.to_string()))?;
    let npm = Command::new("npm")
        .args(["pack", "--silent", Decoder::PACKAGE])
        .current_dir(dir.path())
        .stdin(Stdio::null())
        .output()
        .map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => failed("it is not installed"),
            _ => failed(&error.to_string()),
        })?;
    let name = String::from_utf8_lossy(&npm.stdout).trim().to_owned();
    if !npm.status.success() || name.is_empty() {
        let said = String::from_utf8_lossy(&npm.stderr).trim().to_owned();
        return Err(failed(if said.is_empty() { "is there a network?" } else { &said }));
    }
    unpacked(&dir.path().join(name))
}

/// Advice if a packed table is missing.
const PACK_FIRST: &str =
    "`anser pack --out DIR` packs tables, and --tables DIR names their directory";

/// Adds what to do next to an error.
fn failure(error: SiteError, searched: &[String]) -> Failure {
    match error {
        SiteError::NoTables => Failure::missing(format!(
            "no packed table of these games and rule sets is in {}",
            searched.join(", ")
        ))
        .advice(PACK_FIRST),
        SiteError::Raw(_) => Failure::missing(&error)
            .advice("`anser pack --out DIR` packs it, and --tables DIR names the packed tables"),
        SiteError::NotASite(_) => {
            Failure::usage(&error).advice("name an empty directory, or one with an earlier site")
        }
        SiteError::Table(error) => error.into(),
        SiteError::Game(error) => error.into(),
        SiteError::Answer(object) => object.into(),
        SiteError::Interrupted => Failure::interrupted_with(
            "interrupted; the same command keeps the files that were written",
        ),
        SiteError::Io { error: ref io, .. } => Failure::of_file(&error, io),
        error => Failure::io(error),
    }
}
