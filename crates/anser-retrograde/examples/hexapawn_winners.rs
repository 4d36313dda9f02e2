//! Winners of Hexapawn on all boards.
//!
//! One board, with time and memory:
//!
//! ```text
//! cargo run --release -p anser-retrograde --example hexapawn_winners -- --board 5x5
//! ```
//!
//! All boards, into `data/results/hexapawn.json` and `hexapawn.md`: the winners, and all reachable
//! positions, with less work first. Results in the file are kept, so the same command resumes an
//! earlier run. It stops after the given minutes, and omits what needs more than the given GiB of
//! memory:
//!
//! ```text
//! cargo run --release -p anser-retrograde --example hexapawn_winners -- --all data/results \
//!     --minutes 60 --memory 6
//! ```

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anser_core::Hunt;
use anser_core::hexapawn::BoardSize;
use anser_core::{Dtw, Observer, Outcome, Side};
use anser_retrograde::hexapawn::{HexapawnScope, HexapawnSolver};
use anser_retrograde::{AnalyseError, Bytes, Limits};
use serde_json::{Map, Value, json};

const NAMES: [&str; 2] = ["white", "black"];

/// Interrupts when the time is over.
struct Deadline(Option<Instant>);

impl Observer for Deadline {
    fn interrupted(&self) -> bool {
        self.0.is_some_and(|end| Instant::now() > end)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (mut board, mut dir, mut minutes, mut memory) = (None, None, None, None);
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
        match name.as_str() {
            "--board" => board = Some(value.parse::<BoardSize>()?),
            "--all" => dir = Some(value),
            "--minutes" => minutes = Some(value.parse::<f64>()?),
            "--memory" => memory = Some((value.parse::<f64>()? * (1u64 << 30) as f64) as u64),
            _ => {
                return Err(format!(
                    "there is no {name}; there are --board, --all, --minutes, --memory"
                )
                .into());
            }
        }
    }
    let end = minutes.map(|minutes| Instant::now() + Duration::from_secs_f64(60.0 * minutes));
    let run = Run { deadline: Deadline(end), memory: memory.unwrap_or(u64::MAX) };
    match (board, dir) {
        (Some(board), None) => run.one(board),
        (None, Some(dir)) => run.all(Path::new(&dir)),
        _ => Err("give either --board MxN or --all DIRECTORY".into()),
    }
}

/// Returns the solver of a board.
fn solver(size: BoardSize) -> HexapawnSolver {
    HexapawnSolver::new(&Hunt::hexapawn(size)).expect("every size is a board of Hexapawn")
}

struct Run {
    deadline: Deadline,
    /// In bytes.
    memory: u64,
}

impl Run {
    fn limits(&self) -> Limits<'_> {
        Limits { memory: self.memory, observer: &self.deadline }
    }

    fn one(&self, size: BoardSize) -> Result<(), Box<dyn Error>> {
        println!("{size} winner: {}", self.winner(size)?);
        println!("{size} full: {}", self.full(size)?);
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        if let Some(line) = status.lines().find(|line| line.starts_with("VmHWM")) {
            println!("most memory of the process: {}", line.trim_start_matches("VmHWM:").trim());
        }
        Ok(())
    }

    fn all(&self, dir: &Path) -> Result<(), Box<dyn Error>> {
        let path = dir.join("hexapawn.json");
        let mut boards: Map<String, Value> = match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text)?,
            Err(_) => Map::new(),
        };
        // All positions of a board are about as much work as the winner of a board with five more
        // squares.
        let mut work: Vec<_> =
            BoardSize::all().flat_map(|size| [(size, "winner", 0), (size, "full", 5)]).collect();
        work.sort_by_key(|&(size, _, more)| (size.squares() + more, more, size.columns()));
        for (size, what, _) in work {
            let board = boards.entry(size.to_string()).or_insert_with(|| json!({}));
            if board[what]["positions"].is_u64() {
                continue;
            }
            board[what] = match if what == "winner" { self.winner(size) } else { self.full(size) } {
                Ok(found) => found,
                Err(AnalyseError::Interrupted) if what == "winner" => {
                    json!({ "not_done": "the time was over" })
                }
                Err(AnalyseError::Interrupted) => {
                    let needed = solver(size).memory(HexapawnScope::Games);
                    let why = format!("the time was over; about {} of memory", Bytes(needed));
                    json!({ "not_done": why })
                }
                Err(error) => json!({ "not_done": error.to_string() }),
            };
            println!("{size} {what}: {}", board[what]);
            let text = serde_json::to_string_pretty(&boards)? + "\n";
            fs::write(path.with_extension("part"), text)?;
            fs::rename(path.with_extension("part"), &path)?;
        }
        fs::write(dir.join("hexapawn.md"), report(&boards)?)?;
        Ok(())
    }

    fn winner(&self, size: BoardSize) -> Result<Value, AnalyseError> {
        let clock = Clock::start();
        let found = solver(size).solve(HexapawnScope::Winner, &self.limits())?;
        Ok(json!({
            "winner": winner_name(found.start),
            "plies": found.start.plies(),
            "positions": found.census.positions(),
            "memory": found.peak_memory,
            "seconds": clock.seconds(),
            "cpu_seconds": clock.cpu_seconds(),
        }))
    }

    fn full(&self, size: BoardSize) -> Result<Value, AnalyseError> {
        let clock = Clock::start();
        let found = solver(size).solve(HexapawnScope::Games, &self.limits())?;
        let games = found.games.expect("the games are counted");
        let games_won = Side::BOTH.map(|side| games.won(side).to_string());
        let census = found.census;
        let won = |to_move: Side| {
            let won =
                Side::BOTH.map(|winner| census.to_move(to_move).outcome(Outcome::Win(winner)));
            json!({ NAMES[0]: won[0], NAMES[1]: won[1] })
        };
        Ok(json!({
            "winner": winner_name(found.start),
            "plies": found.start.plies(),
            "positions": census.positions(),
            "won_with_white_to_move": won(Side::First),
            "won_with_black_to_move": won(Side::Second),
            "longest": census.longest(),
            "games": games.games().to_string(),
            "games_won": json!({ NAMES[0]: games_won[0], NAMES[1]: games_won[1] }),
            "memory": found.peak_memory,
            "seconds": clock.seconds(),
            "cpu_seconds": clock.cpu_seconds(),
        }))
    }
}

fn winner_name(value: Dtw) -> &'static str {
    value.winner().map_or("nobody", |side| NAMES[side.index()])
}

/// Wall time, and processor time of all threads.
struct Clock {
    wall: Instant,
    cpu: f64,
}

impl Clock {
    fn start() -> Clock {
        Clock { wall: Instant::now(), cpu: cpu_seconds() }
    }

    fn seconds(&self) -> f64 {
        rounded(self.wall.elapsed().as_secs_f64())
    }

    fn cpu_seconds(&self) -> f64 {
        rounded(cpu_seconds() - self.cpu)
    }
}

fn rounded(seconds: f64) -> f64 {
    (seconds * 100.0).round() / 100.0
}

/// Processor time of this process in seconds, user and system, with a resolution of 0.01 s; 0 where
/// there is no `/proc`.
fn cpu_seconds() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

const HEAD: &str = "\
# Hexapawn: winners on all boards

Boards are columns x rows; White moves first. W and B stand for a win of White or Black in the given
number of plies, where the winner hurries and the loser delays.

| rows \\ columns |";

const REACHABLE: &str = "

## Reachable positions

Mirror images count separately, and the start and terminal positions are included. Games are
sequences of moves from the start to the end. The longest win, in plies, is over all reachable
positions.

| board | positions | longest win | games | won by White | time | processor | memory |
|---|---:|---:|---:|---:|---:|---:|---:|
";

const COST: &str = "
## Cost of the winners

Without the positions in which the side to move can bring a pawn to its far row in one ply.

| board | winner | plies | positions | time | processor | memory |
|---|---|---:|---:|---:|---:|---:|
";

const FOOT: &str = "
Time is wall time, processor the time of all threads together, both on a machine with other
work. Memory is the peak of the lists. This command makes the page, and resumes an earlier run:

```text
cargo run --release -p anser-retrograde --example hexapawn_winners -- --all data/results \
--minutes 60 --memory 6
```
";

/// The results as a page in Markdown.
fn report(boards: &Map<String, Value>) -> Result<String, std::fmt::Error> {
    let mut text = String::from(HEAD);
    let columns = 1..=BoardSize::MOST;
    columns.clone().try_for_each(|column| write!(text, " {column} |"))?;
    text += "\n|---|";
    columns.clone().for_each(|_| text += "---|");
    for rows in BoardSize::FEWEST_ROWS..=BoardSize::MOST {
        write!(text, "\n| {rows} |")?;
        for column in columns.clone() {
            let winner = &boards
                .get(&format!("{column}x{rows}"))
                .map_or(&Value::Null, |board| &board["winner"]);
            match (winner["winner"].as_str(), winner["plies"].as_u64()) {
                (Some(name), Some(plies)) => {
                    write!(text, " {} {plies} |", if name == NAMES[0] { "W" } else { "B" })?;
                }
                _ if BoardSize::new(column, rows).is_ok() => text += " ? |",
                _ => text += " |",
            }
        }
    }
    text += REACHABLE;
    let mut sizes: Vec<BoardSize> = BoardSize::all().collect();
    sizes.sort_by_key(|size| (size.squares(), size.columns()));
    let took = |of: &Value| {
        let bytes = Bytes(of["memory"].as_u64().unwrap_or(0));
        format!("{} s | {} s | {bytes} |", of["seconds"], of["cpu_seconds"])
    };
    for size in &sizes {
        let full = &boards.get(&size.to_string()).map_or(&Value::Null, |board| &board["full"]);
        if let Some(positions) = full["positions"].as_u64() {
            let games = full["games"].as_str().unwrap_or_default();
            let white = full["games_won"][NAMES[0]].as_str().unwrap_or_default();
            let longest = &full["longest"];
            writeln!(
                text,
                "| {size} | {} | {longest} | {games} | {white} | {}",
                grouped(positions),
                took(full)
            )?;
        } else {
            let why = full["not_done"].as_str().unwrap_or("not tried");
            writeln!(text, "| {size} | not done: {why} | | | | | | |")?;
        }
    }
    text += COST;
    for size in &sizes {
        let winner = &boards.get(&size.to_string()).map_or(&Value::Null, |board| &board["winner"]);
        if let (Some(positions), Some(name)) =
            (winner["positions"].as_u64(), winner["winner"].as_str())
        {
            writeln!(
                text,
                "| {size} | {name} | {} | {} | {}",
                winner["plies"],
                grouped(positions),
                took(winner)
            )?;
        } else {
            let why = winner["not_done"].as_str().unwrap_or("not tried");
            writeln!(text, "| {size} | not done: {why} | | | | | |")?;
        }
    }
    text += FOOT;
    Ok(text)
}

/// Formats a number with commas.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
