//! Description of directories of tables.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use anser_core::{Hunt, Side};
use anser_games::answers::{
    DirectoryAnswer, ErrorKind, ErrorObject, LayerBytes, LayerFiles, LooseFile, SetOfTables,
    TotalAnswer,
};
use anser_games::{Audience, SearchPath, TableFile, explain, shell_word, tables_command};
use anser_solve::Bytes;
use anser_table::{ErrorClass, Kind, Metric, TableError, TableName};

use crate::failure::Failure;
use crate::games;
use crate::output::Form;
use crate::reply::Reply;
use crate::tables::repair_commands;
use crate::text::{Columns, counted, grouped, or_dash, printable, ranges};

/// Describes the directories `dirs`, of which there is at least one, together.
pub(super) fn run(dirs: &[PathBuf], json: bool) -> Result<(), Failure> {
    let (mut tables, mut unfinished) = (Vec::new(), Vec::new());
    for found in SearchPath::directories(dirs).list(games::registry())? {
        tables.extend(found.tables);
        unfinished.extend(found.unfinished);
    }
    // A set has one metric here. The sort is stable, so tables of the same name stay in the order
    // of the directories.
    tables.sort_by(|a, b| set_of(&a.name).cmp(&set_of(&b.name)).then_with(|| a.name.cmp(&b.name)));
    let names: Vec<String> = dirs.iter().map(|dir| dir.display().to_string()).collect();
    let mut answer = DirectoryAnswer {
        directory: names[0].clone(),
        directories: if names.len() > 1 { names } else { Vec::new() },
        sets: Vec::new(),
        total: TotalAnswer::default(),
        unfinished: Vec::new(),
        unusable: Vec::new(),
    };
    let mut is_damaged = false;
    for group in tables.chunk_by(|a, b| set_of(&a.name) == set_of(&b.name)) {
        let TableName { game, rules, metric, .. } = &group[0].name;
        let name = games::registry().name_in_files(game);
        match games::open_of_tables(&name, rules, group.iter().map(|found| &*found.path)) {
            Ok((game, _)) => {
                let (set, unusable) = describe(&game, dirs, *metric, group);
                answer.total.add(set.total);
                answer.sets.push(set);
                is_damaged |= unusable.iter().any(|(is_damaged, _)| *is_damaged);
                answer.unusable.extend(unusable.into_iter().map(|(_, file)| file));
            }
            Err(failure) => {
                is_damaged |= failure.kind() != ErrorKind::Io;
                let unusable = group.iter().map(|found| file(found, Some(failure.message())));
                answer.unusable.extend(unusable);
            }
        }
    }
    answer.unfinished.extend(unfinished.iter().map(|found| file(found, None)));
    // Files that cannot be used are a failure in spite of the answer. What cannot be read now may
    // be right.
    let kind = if is_damaged { ErrorKind::Corrupt } else { ErrorKind::Io };
    let failure = answer.unusable.split_first().map(|(first, rest)| {
        let problem = first.problem.as_deref().unwrap_or("it cannot be used");
        let more = match rest.len() {
            0 => String::new(),
            more => format!(" ({more} more cannot be used)"),
        };
        Failure::new(kind, format!("{}: {problem}{more}", first.path))
    });
    let text = text(&answer);
    Reply::new(answer, text).with_failure(failure).print(Form::of(json))
}

fn set_of(name: &TableName) -> (&str, &str, Metric) {
    (&name.game, &name.rules, name.metric)
}

fn file(found: &TableFile, problem: Option<String>) -> LooseFile {
    LooseFile { path: found.path.display().to_string(), bytes: found.bytes, problem, command: None }
}

/// Returns the problem of a table, without its path.
fn problem_of(error: &TableError) -> String {
    let message = format!("{:#}", error.defect());
    ErrorObject { message, ..explain(error, Audience::CommandLine(games::registry())) }.to_string()
}

/// Describes the tables `group` of one game, rule set, and metric; also returns the unusable ones,
/// and whether each is damaged or foreign, and not only unreadable.
fn describe(
    game: &Hunt,
    dirs: &[PathBuf],
    metric: Metric,
    group: &[TableFile],
) -> (SetOfTables, Vec<(bool, LooseFile)>) {
    let (mut layers, mut unusable) = (Vec::<LayerFiles>::new(), Vec::new());
    let mut total = TotalAnswer::default();
    for found in group {
        let (problem, is_damaged) = if found.is_of(game) {
            let error = found.open_as(game).err();
            let class = error.as_ref().map(TableError::class);
            (error.map(|error| problem_of(&error)), class == Some(ErrorClass::Corrupt))
        } else {
            (Some("the game has no such layer".into()), true)
        };
        if problem.is_some() {
            let TableName { layer, metric, kind, .. } = found.name;
            let is_sound_other = |other: &TableFile| {
                other.name.layer == layer
                    && other.name.kind != kind
                    && other.path.parent() == found.path.parent()
                    && other.open_as(game).is_ok()
            };
            let command = (is_damaged && found.is_of(game)).then(|| {
                let other_is_sound = group.iter().any(is_sound_other);
                repair_commands(game, &found.path, layer, (metric, kind), other_is_sound)
            });
            unusable.push((is_damaged, LooseFile { command, ..file(found, problem) }));
            continue;
        }
        // The positions of a layer with a raw and a packed table count once.
        if layers.last().is_none_or(|last| last.layer != found.name.layer) {
            total.layer_count += 1;
            total.positions +=
                Side::BOTH.map(|side| game.positions(found.name.layer, side)).iter().sum::<u64>();
            layers.push(LayerFiles { layer: found.name.layer, bytes: LayerBytes::default() });
        }
        if let Some(LayerFiles { bytes, .. }) = layers.last_mut() {
            let (bytes, sum) = match found.name.kind {
                Kind::Raw => (&mut bytes.raw, &mut total.bytes.raw),
                Kind::Packed => (&mut bytes.packed, &mut total.bytes.packed),
            };
            // Of a table in several directories the first one counts, as in searches.
            if bytes.is_none() {
                *bytes = Some(found.bytes);
                *sum += found.bytes;
            }
        }
    }
    let missing: Vec<u16> =
        game.layers().filter(|layer| layers.iter().all(|found| found.layer != *layer)).collect();
    let (name, rules) = (game.name(), game.rules_id());
    // Layers are solved into one directory: the first with tables of the set.
    let is_in = |found: &TableFile, dir: &PathBuf| found.path.parent() == Some(dir);
    let has_some = |dir: &&PathBuf| group.iter().any(|found| is_in(found, dir));
    let dir = dirs.iter().find(has_some).unwrap_or(&dirs[0]);
    let has_all = group.iter().all(|found| is_in(found, dir));
    let dir = shell_word(dir);
    let commands = ranges_to_solve(game, &missing, has_all).into_iter().map(|layers| {
        let command = tables_command(games::registry(), "solve", name, rules, layers, metric);
        format!("{command} --tables {dir}")
    });
    let command = (!missing.is_empty()).then(|| commands.collect::<Vec<_>>().join(" && "));
    (
        SetOfTables {
            game: name.into(),
            rules: rules.into(),
            metric,
            layers,
            total,
            missing,
            command,
        },
        unusable,
    )
}

/// Returns the layers that are solved to make the missing ones: one range if the other layers are
/// `together` in one directory, where they are kept. Otherwise a layer in between is solved only if
/// a missing one needs it.
fn ranges_to_solve(game: &Hunt, missing: &[u16], together: bool) -> Vec<RangeInclusive<u16>> {
    if together {
        let ends = missing.first().zip(missing.last());
        return ends.map(|(first, last)| game.first_needed(*first)..=*last).into_iter().collect();
    }
    let mut ranges = Vec::<RangeInclusive<u16>>::new();
    for &layer in missing {
        let mut first = game.first_needed(layer);
        while let Some(range) = ranges.pop_if(|range| first <= *range.end() + 1) {
            first = first.min(*range.start());
        }
        ranges.push(first..=layer);
    }
    ranges
}

/// Sums for people: `7 layers, 1,234 positions, 1.2 MiB raw, 12.3 KiB packed`.
fn total_text(total: &TotalAnswer) -> String {
    let layers = counted(total.layer_count as u64, "layer", "layers");
    let (raw, packed) = (Bytes(total.bytes.raw), Bytes(total.bytes.packed));
    format!("{layers}, {} positions, {raw} raw, {packed} packed", grouped(total.positions))
}

fn text(answer: &DirectoryAnswer) -> String {
    let dirs = match &answer.directories[..] {
        [] => std::slice::from_ref(&answer.directory),
        dirs => dirs,
    };
    let mut text: String = dirs.iter().map(|dir| printable(dir) + "\n").collect();
    if answer.sets.is_empty() {
        text += "\nno tables\n";
    }
    for set in &answer.sets {
        let there = ranges(set.layers.iter().map(|layer| layer.layer));
        text += &format!(
            "\n{}, rules {}{}: {}\n",
            set.game,
            set.rules,
            if set.metric == Metric::Wdl {
                String::new()
            } else {
                format!(", metric {}", set.metric.id())
            },
            if there.is_empty() { "no usable layers".into() } else { format!("layers {there}") }
        );
        if !set.layers.is_empty() {
            let mut columns = Columns::new(0, ["  layer", "raw", "packed"]);
            for layer in &set.layers {
                let bytes = [layer.bytes.raw, layer.bytes.packed];
                let bytes = bytes.map(|bytes| or_dash(bytes.map(Bytes)));
                columns.row([layer.layer.to_string()].into_iter().chain(bytes));
            }
            text += &columns.text();
            text += &format!("  in all {}\n", total_text(&set.total));
        }
        if let Some(command) = &set.command {
            text += &format!("  missing {}\n    {command}\n", ranges(set.missing.iter().copied()));
        }
    }
    if answer.sets.len() > 1 {
        text += &format!("\n{} sets of tables: {}\n", answer.sets.len(), total_text(&answer.total));
    }
    for (title, files) in [("unfinished", &answer.unfinished), ("cannot be used", &answer.unusable)]
    {
        if !files.is_empty() {
            text += &format!("\n{title}:\n");
        }
        for LooseFile { path, bytes, problem, command } in files {
            let problem =
                problem.as_ref().map(|problem| format!(": {problem}")).unwrap_or_default();
            text += &format!("  {} ({}){}\n", printable(path), Bytes(*bytes), printable(&problem));
            if let Some(command) = command {
                text += &format!("    to replace it: {command}\n");
            }
        }
    }
    if !answer.unfinished.is_empty() {
        text += "  the same `anser solve` resumes from them\n";
    }
    text
}
