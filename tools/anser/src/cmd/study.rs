//! `anser study`: what exact values say about the rules of a game.

mod fairest;
mod source;
mod table;
mod text;

use anser_analyse::{ErringPlay, Errs, StudyScope, study};
use anser_core::{BySide, Hunt, Observer, Side};
use anser_games::answers::{
    ChanceRow, ChancesAnswer, EvenChance, SetAnswer, SetError, SetsAnswer, StudiedOpening,
    StudyAnswer,
};
use anser_games::{GameInfo, START, Scope, ValueError, Values, shell_word};
use anser_retrograde::{AnalyseError, Limits, Reachable};
use clap::{Args, ValueEnum};

use crate::args::{AccessArg, AccessMode, GameArg, ResourceArgs, RuleSetsArg, TablesArgs};
use crate::cmd::fuzz::factor;
use crate::failure::Failure;
use crate::games;
use crate::output::{note, print, print_json};
use crate::plot::{Kind, Plot, PlotArgs, Series};
use crate::progress::Progress;
use crate::sets::worst;
use crate::text::{grouped, wins};
use table::{Column, Studied, columns};

/// Plies after which a game with errors is undecided.
const PLIES: u32 = 250;

/// Greatest number of reachable classes for which the chances of random play are shown unasked. A
/// plot asks for them. Ten times as many take ten times as long: some seconds for each rule set.
const UNASKED: u64 = 2_000_000;

/// Greatest number of classes of all rule sets together that are compared unasked: up to half an
/// hour on two cores.
const MOST_COMPARED: u64 = 500_000_000;

/// Greatest number of classes of several rule sets that are compared without a note.
const BRIEF: u64 = 10_000_000;

/// Greatest number of reachable positions for which chances are computed.
const MOST_FOR_CHANCES: u64 = 100_000_000;

const AFTER: &str = "\
Takes the tables of distances of each rule set, or solves it: in memory, or where that is faster \
into tables in a temporary directory. Shows the value of the start and of every named opening, and \
how many first moves keep it; the shares of positions that each side wins; the longest win of each \
side; how often exactly one move keeps the outcome; the chances of random play; and rules without an \
effect. Symmetric positions are counted apart. Several rule sets are compared in a table, of all \
positions, or of the reachable ones with --reachable; the ones that are nearest to even follow. In \
a lost position every move keeps the outcome.

With --fuzz P, a side that errs plays any of its moves with probability P, each equally often, and \
otherwise a best one: of the best outcome, and then the shortest win or the longest loss. The \
chances are exact, from the start and within 250 plies, which are 125 turns of each side. A \
probability is even if both sides win equally often with it. Of each P the table has three pairs of \
columns: one side errs against a perfect opponent, the other one does, and both do.

--sort takes a column by its name in the header of --format csv, where few and many stand for the \
two sides: rules, positions, won_few, random_many. A plot has the chances for each rule set: both \
sides err with the first P of --fuzz, or play at random.

Examples:
  anser study fox-hounds:6
  anser study cercar-la-liebre
  anser study hare-hounds --rules unlimited,budget-60
  anser study my-hunt.toml --sort won_few
  anser study my-hunt.toml --fuzz 0.05,0.2 --format csv
  anser study my-hunt.toml --svg chances.svg
  anser study hexapawn:4x4 --json | jq '.chances.table[0]'";

/// Report what exact values say about the rules of a game, and compare rule sets
#[derive(Args, Debug)]
#[command(after_help = AFTER, mut_arg("rules", |arg| {
    arg.help(
        "Rule sets, separated by commas; `anser rules GAME` explains them [default: all; that of \
         the game with --tables, or if all together have more than 5 x 10^8 positions, symmetric ones \
         counted once]",
    )
}))]
pub(crate) struct StudyArgs {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    rules: RuleSetsArg,
    /// All rule sets that `anser rules GAME` lists, however many positions they have
    #[arg(long, conflicts_with = "rules")]
    all_rules: bool,
    /// Only positions that play can reach from the start
    #[arg(long)]
    reachable: bool,
    /// Probabilities of errors, 0 to 1, separated by commas; for games of up to 10^8 reachable
    /// positions
    #[arg(long = "fuzz", value_name = "P,P,..", value_delimiter = ',', value_parser = factor)]
    errors: Vec<f64>,
    #[command(flatten)]
    order: OrderArgs,
    /// Format of the answer
    #[arg(
        long, value_name = "FORM", default_value = "text",
        conflicts_with_all = ["json", "plot", "svg"]
    )]
    format: Form,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    plot: PlotArgs,
    #[command(flatten)]
    tables: TablesArgs,
    #[command(flatten)]
    access: AccessArg,
    #[command(flatten)]
    resources: ResourceArgs,
}

/// Arguments that sort the table.
#[derive(Args, Debug)]
struct OrderArgs {
    /// Sort the rule sets by this column of the table, ascending
    #[arg(long, value_name = "COLUMN")]
    sort: Option<String>,
    /// Sort descending
    #[arg(long, requires = "sort")]
    descending: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Text; a table if there are several rule sets
    Text,
    /// The table in Markdown
    Markdown,
    /// The table as comma-separated values with a header line
    Csv,
}

impl StudyArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.resources.on_threads(|| self.answer())
    }

    fn answer(&self) -> Result<(), Failure> {
        let (info, size) = games::find(self.game.name()?)?;
        let games = self.games(info, size)?;
        let columns = columns(&games[0], &self.errors());
        let sort = self.order.sort.as_deref().map(|id| table::find(&columns, id)).transpose()?;
        let progress = Progress::of_answer()?;
        let (mut studied, mut failed, mut failures) = (Vec::new(), Vec::new(), Vec::new());
        for (number, game) in games.iter().enumerate() {
            let what = match games.len() {
                1 => String::new(),
                all => format!("{} ({} of {all}), ", game.rules_id(), number + 1),
            };
            match self.study(game, info, &progress, what) {
                Ok(answer) => studied.push(Studied { game: game.clone(), answer }),
                Err(failure) if games.len() == 1 || failure.ends_work() => return Err(failure),
                Err(failure) => {
                    failed.push(failure.of_set(game.name(), game.rules_id()));
                    failures.push(failure.of_rules(game.rules_id()));
                }
            }
        }
        progress.finish();
        if let Some(column) = sort {
            table::sort(&mut studied, &columns[column], self.order.descending);
        }
        self.show(&studied, failed, &columns, info)?;
        worst(failures, games.len(), "rule sets")
    }

    /// The game under each of the requested rule sets, once.
    fn games(&self, info: &GameInfo, size: &str) -> Result<Vec<Hunt>, Failure> {
        if self.rules.ids.is_empty() {
            // Tables may be those of one rule set.
            let asks_one = !self.all_rules && !self.tables.dirs.is_empty();
            let listed =
                info.rule_sets.iter().filter(|rules| !asks_one || rules.id == info.default_rules);
            let made = listed.map(|rules| info.make(size, &rules.id));
            let mut games = made.collect::<Result<Vec<_>, _>>()?;
            let classes = |game: &Hunt| Scope::Layers(game.layers()).size(game).classes;
            let all = games.iter().map(classes).fold(0, u64::saturating_add);
            if !self.all_rules && all > MOST_COMPARED {
                games.retain(|game| game.rules_id() == info.default_rules);
            } else if games.len() > 1 && all > BRIEF {
                note(format_args!(
                    "comparing {} rule sets, {} positions, symmetric ones counted once; `--rules \
                     {}` studies one",
                    games.len(),
                    grouped(all),
                    info.default_rules
                ));
            }
            return Ok(games);
        }
        let mut seen = std::collections::HashSet::new();
        let ids = self.rules.ids.iter().filter(|id| seen.insert(*id));
        Ok(ids.map(|id| info.make(size, id)).collect::<Result<_, _>>()?)
    }

    /// The requested probabilities of errors, ascending, each once.
    fn errors(&self) -> Vec<f64> {
        let mut errors = self.errors.clone();
        errors.sort_by(f64::total_cmp);
        errors.dedup();
        errors
    }

    /// Prints the answers, or plots them.
    fn show(
        &self,
        studied: &[Studied],
        failed: Vec<SetError>,
        columns: &[Column],
        info: &GameInfo,
    ) -> Result<(), Failure> {
        let single = if failed.is_empty() { studied } else { &[] };
        let requested = studied.len() + failed.len();
        if self.json {
            if let [Studied { answer, .. }] = single {
                return print_json(answer);
            }
            let answers = studied.iter().map(|studied| SetAnswer::Answered(&studied.answer));
            let failed = failed.into_iter().map(SetAnswer::Failed);
            return print_json(&SetsAnswer { sets: answers.chain(failed).collect() });
        }
        if studied.is_empty() {
            return Ok(());
        }
        if self.plot.is_requested() {
            return self.plot.show(&self.plot_of(studied)?);
        }
        print(&match (self.format, single) {
            (Form::Text, [Studied { game, answer }]) => {
                let is_default = !self.all_rules && self.rules.ids.is_empty();
                let unasked = if is_default { info.rule_sets.len().saturating_sub(1) } else { 0 };
                text::of_one(game, answer, &self.name()?, unasked)
            }
            (Form::Text, _) => text::of_several(studied, requested, columns, &self.name()?),
            (Form::Markdown, _) => table::markdown(studied, columns),
            (Form::Csv, _) => table::csv(studied, columns)?,
        })
    }

    /// The game as a word of a command line.
    fn name(&self) -> Result<String, Failure> {
        Ok(shell_word(std::path::Path::new(self.game.name()?)))
    }

    /// Studies a game under one rule set. `what` precedes the name of the work in the progress.
    fn study(
        &self,
        game: &Hunt,
        info: &GameInfo,
        progress: &Progress,
        what: String,
    ) -> Result<StudyAnswer, Failure> {
        let observer = Prefixed { progress, what };
        let limits = Limits { memory: self.resources.memory(), observer: &observer };
        let mode = self.access.mode.unwrap_or(AccessMode::Map);
        let found = self.values(game, mode, progress, limits)?;
        let (values, is_whole) = (&found.values, found.is_whole);
        let reachable = match Reachable::from(game, &game.start(), &limits) {
            Ok(reachable) => Some(reachable),
            Err(error @ AnalyseError::Memory { .. }) if is_whole => {
                note(format_args!(
                    "rules {}: the positions that play can reach are not counted apart, and there \
                     are no chances, because {error}",
                    game.rules_id()
                ));
                None
            }
            Err(error) => return Err(error.into()),
        };
        let scope = match &reachable {
            Some(reachable) if !is_whole => StudyScope::Reachable(reachable),
            reachable => StudyScope::All(reachable.as_ref()),
        };
        let figures = study(game, values, scope, &observer)?;
        let openings = openings(game, info, values)?;
        let chances = match &reachable {
            Some(reachable) => self.chances(game, reachable, values, &limits)?,
            None => None,
        };
        values.check_unchanged()?;
        Ok(StudyAnswer::new(game, &figures, openings, chances))
    }

    /// The chances from the start: of random play, and with the requested probabilities of errors.
    fn chances(
        &self,
        game: &Hunt,
        reachable: &Reachable,
        values: &Values,
        limits: &Limits<'_>,
    ) -> Result<Option<ChancesAnswer>, Failure> {
        let errors = self.errors();
        let why = if reachable.len() > MOST_FOR_CHANCES {
            format!("they are computed for at most {}", grouped(MOST_FOR_CHANCES))
        } else if reachable.classes() > UNASKED && !self.plot.is_requested() {
            "--fuzz P computes them, and so does a plot".into()
        } else {
            String::new()
        };
        if errors.is_empty() && !why.is_empty() {
            note(format_args!(
                "rules {}: the chances of random play are left out, because play can reach {} \
                 positions; {why}",
                game.rules_id(),
                grouped(reachable.len())
            ));
            return Ok(None);
        }
        if reachable.len() > MOST_FOR_CHANCES {
            return Err(Failure::usage(format!(
                "play can reach {} positions of {}, and chances are computed for at most {}",
                grouped(reachable.len()),
                game.name(),
                grouped(MOST_FOR_CHANCES)
            ))
            .advice("leave out --fuzz, or study a smaller game"));
        }
        let play = ErringPlay::new(reachable, &values.exact(), limits)?;
        let by_errors = errors.iter().flat_map(|&p| Errs::ALL.map(|errs| errs.with(p)));
        let rows: Vec<BySide<f64>> = [Errs::Both.with(1.0)].into_iter().chain(by_errors).collect();
        let observer = limits.observer;
        observer.begin("chances", rows.len() as u64 * u64::from(PLIES));
        let row = |&errors: &BySide<f64>| {
            Ok(ChanceRow::new(game, errors, play.chances(errors, PLIES, observer)?))
        };
        let table = rows.iter().map(row).collect::<Result<_, AnalyseError>>()?;
        let mut even = Vec::new();
        if !errors.is_empty() {
            // A bisection takes 14 steps after three of its ends.
            let most = Errs::ALL.len() as u64 * 17 * u64::from(PLIES);
            observer.begin("even probabilities of errors", most);
            // One after the other, as each takes the memory of all chances.
            let found =
                |&errs: &Errs| Ok(EvenChance::new(game, errs, play.even(errs, PLIES, observer)?));
            even = Errs::ALL.iter().map(found).collect::<Result<_, AnalyseError>>()?;
        }
        Ok(Some(ChancesAnswer { plies: PLIES, table, even }))
    }

    /// Plot of the chances of each rule set.
    fn plot_of(&self, studied: &[Studied]) -> Result<Plot, Failure> {
        let first = &studied[0];
        let p = self.errors().first().copied();
        let row = |studied: &Studied| {
            let table = &studied.answer.chances.as_ref()?.table;
            let wanted = p.unwrap_or(1.0).to_bits();
            let of_both = |row: &&ChanceRow| row.errors.iter().all(|(_, p)| p.to_bits() == wanted);
            table.iter().find(of_both).cloned()
        };
        // Some may have none, for lack of memory; a note has said so.
        let rows: Vec<(&Studied, ChanceRow)> =
            studied.iter().filter_map(|studied| Some((studied, row(studied)?))).collect();
        if rows.is_empty() {
            return Err(Failure::usage(
                "a plot has the chances of each rule set, and there are none",
            )
            .advice("raise --memory"));
        }
        let points = |chance: &dyn Fn(&ChanceRow, &Hunt) -> f64| {
            let chances = rows.iter().map(|(studied, row)| chance(row, &studied.game));
            chances.enumerate().map(|(x, chance)| (x as f64, 100.0 * chance)).collect::<Vec<_>>()
        };
        let won = |side: Side| Series {
            name: wins(&first.game, side),
            side: Some(side),
            points: points(&|row: &ChanceRow, game: &Hunt| {
                row.won.get(game.side_name(side)).copied().unwrap_or(0.0)
            }),
        };
        let undecided = Series {
            name: format!("undecided after {PLIES} plies"),
            side: None,
            points: points(&|row: &ChanceRow, _: &Hunt| row.undecided),
        };
        let [few, many] = Side::BOTH.map(won);
        let how = match p {
            Some(p) => format!("both sides err with probability {p}"),
            None => "both sides play at random".into(),
        };
        let title = format!("{}: chances from the start if {how}", first.game.name());
        let series = [few, undecided, many];
        let names = rows.iter().map(|(studied, _)| studied.answer.rules.clone()).collect();
        Ok(Plot { names, ..Plot::new(Kind::Bars, title, ["rules", "chance in percent"], series) })
    }
}

/// The values of the start and of the openings that are positions under these rules and have a
/// value.
fn openings(game: &Hunt, info: &GameInfo, values: &Values) -> Result<Vec<StudiedOpening>, Failure> {
    let mut openings = vec![StudiedOpening::new(game, START, &game.start(), values)?];
    for opening in &info.openings {
        // Other rules may have other positions.
        let Ok(position) = game.parse_position(&opening.position) else { continue };
        match StudiedOpening::new(game, &opening.name, &position, values) {
            Ok(opening) => openings.push(opening),
            // Play from the start does not reach it.
            Err(ValueError::Analyse(
                AnalyseError::Unknown { .. } | AnalyseError::Unsolved { .. },
            )) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(openings)
}

/// The progress of the work on one of several rule sets.
struct Prefixed<'a> {
    progress: &'a Progress,
    what: String,
}

impl Observer for Prefixed<'_> {
    fn begin(&self, what: &str, units: u64) {
        self.progress.begin(&format!("{}{what}", self.what), units);
    }

    fn advance(&self, units: u64) {
        self.progress.advance(units);
    }

    fn interrupted(&self) -> bool {
        self.progress.interrupted()
    }
}
