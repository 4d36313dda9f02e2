//! Input of persons: through a line editor on a terminal, else line by line.

use std::io::{self, BufRead, IsTerminal, Read};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};

use crate::failure::Failure;

/// Line of input.
pub(super) enum Line {
    Text(String),
    /// End of input.
    End,
    /// Ctrl-C, or a request to stop.
    Interrupted,
}

/// Source of lines.
pub(super) enum Input {
    /// Line editor on a terminal.
    Editor(Box<Editor<Completions, MemHistory>>),
    /// Any other input, read by a separate thread so that waiting can be interrupted.
    Lines { lines: Receiver<io::Result<String>>, echo: bool },
}

/// Longest line that is read, in bytes. No valid line is longer.
const LONGEST: u64 = 1 << 12;

/// Interval between checks for a request to stop while waiting for a line.
const PAUSE: Duration = Duration::from_millis(50);

impl Input {
    /// Opens standard input; `plain` rules out the line editor.
    pub(super) fn new(plain: bool) -> Result<Input, Failure> {
        if !plain && io::stdin().is_terminal() && io::stdout().is_terminal() {
            let config = Config::builder().auto_add_history(true).build();
            let editor = Editor::with_history(config, MemHistory::new());
            let mut editor = editor
                .map_err(|error| Failure::io(format!("the terminal cannot be used: {error}")))?;
            editor.set_helper(Some(Completions(Vec::new())));
            return Ok(Input::Editor(Box::new(editor)));
        }
        let (sender, lines) = sync_channel(0);
        let read = move || {
            loop {
                let mut line = Vec::new();
                let read = io::stdin().lock().take(LONGEST).read_until(b'\n', &mut line);
                let is_over = line.is_empty();
                let line = read.map(|_| String::from_utf8_lossy(&line).into_owned());
                if sender.send(line).is_err() || is_over {
                    break;
                }
            }
        };
        let started = thread::Builder::new().name("input".into()).spawn(read);
        started.map_err(|error| {
            Failure::io(format!("starting the thread that reads the input failed: {error}"))
        })?;
        Ok(Input::Lines { lines, echo: !io::stdin().is_terminal() })
    }

    /// Whether the lines should be shown, because they are not typed on this terminal.
    pub(super) fn echoes(&self) -> bool {
        matches!(self, Input::Lines { echo: true, .. })
    }

    /// Whether reading shows the prompt.
    pub(super) fn prompts(&self) -> bool {
        matches!(self, Input::Editor(_))
    }

    /// Reads the next line, trimmed and without control characters. The Tab key completes `words`;
    /// `stop` ends the wait.
    pub(super) fn read(
        &mut self,
        prompt: &str,
        words: Vec<String>,
        stop: &AtomicBool,
    ) -> Result<Line, Failure> {
        let failed = |error: &dyn std::fmt::Display| {
            Failure::io(format!("reading the input failed: {error}"))
        };
        let line = match self {
            Input::Editor(editor) => {
                editor.set_helper(Some(Completions(words)));
                match editor.readline(prompt) {
                    Ok(line) => line,
                    Err(ReadlineError::Eof) => return Ok(Line::End),
                    Err(ReadlineError::Interrupted) => return Ok(Line::Interrupted),
                    Err(_) if stop.load(Relaxed) => return Ok(Line::Interrupted),
                    Err(error) => return Err(failed(&error)),
                }
            }
            Input::Lines { lines, .. } => loop {
                match lines.recv_timeout(PAUSE) {
                    Ok(Ok(line)) if line.is_empty() => return Ok(Line::End),
                    Ok(Ok(line)) => break line,
                    Ok(Err(error)) => return Err(failed(&error)),
                    Err(RecvTimeoutError::Timeout) if stop.load(Relaxed) => {
                        return Ok(Line::Interrupted);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Ok(Line::End),
                }
            },
        };
        // Control characters must not be echoed to a terminal.
        Ok(Line::Text(line.trim().chars().filter(|c| !c.is_control()).collect()))
    }
}

/// Completions of the Tab key: legal moves and commands.
pub(super) struct Completions(Vec<String>);

impl Completer for Completions {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..pos).unwrap_or(line).to_ascii_lowercase();
        Ok((0, self.0.iter().filter(|word| word.starts_with(&typed)).cloned().collect()))
    }
}

impl Hinter for Completions {
    type Hint = String;
}

impl Highlighter for Completions {}
impl Validator for Completions {}
impl Helper for Completions {}
