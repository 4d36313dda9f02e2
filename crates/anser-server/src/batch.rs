//! Streamed batches of any length: one position per line of input, one answer per line of output.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use anser_games::answers::{BatchError, ErrorKind, ErrorObject, Versioned};
use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use http_body_util::BodyExt;
use serde::Deserialize;
use tokio::time::{Instant, timeout_at};

use crate::answers::BatchItem;
use crate::api::answer_many;
use crate::app::App;
use crate::clients::Client;
use crate::gate::Lane;
use crate::problem::Problem;
use crate::store::Set;

/// Length of the longest line, in bytes.
const LONGEST_LINE: usize = 2000;

/// Number of lines answered together, because packed tables are decoded by blocks.
const TOGETHER: usize = 4096;

/// Interval between attempts of a batch to get room.
const PATIENCE: Duration = Duration::from_millis(20);

/// Context of all lines.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct StreamQuery {
    /// The game; for application/x-ndjson alone, where it is required.
    game: String,
    /// The rule set; for application/x-ndjson alone.
    rules: Option<String>,
    /// Whether to answer with the moves of each position; for application/x-ndjson alone.
    #[serde(default)]
    moves: bool,
}

/// A line: the position alone, or an object with it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Text(String),
    Object { position: String },
}

/// State of a batch.
struct Batch {
    app: Arc<App>,
    client: Client,
    set: Arc<Set>,
    moves: bool,
    body: Body,
    is_read: bool,
    /// Bytes read and not yet answered. Of a line that is too long, some bytes more than
    /// [`LONGEST_LINE`] are kept.
    rest: Vec<u8>,
    /// Number of lines before the rest.
    lines: u64,
}

/// Answers lines as they arrive. Takes room for some lines at a time, and none while the client
/// sends or reads.
pub(crate) async fn stream(
    app: Arc<App>,
    client: Client,
    asked: StreamQuery,
    body: Body,
) -> Result<Response, Problem> {
    let deadline = Instant::now() + app.store.options.limits.request;
    let StreamQuery { game, rules, moves } = asked;
    // Names are checked before the answer begins.
    let set =
        app.work(client, Lane::Quick, move |app| app.store.set(&game, rules.as_deref())).await?;
    let (is_read, rest, lines) = (false, Vec::new(), 0);
    let batch = Batch { app, client, set, moves, body, is_read, rest, lines };
    let answers = unfold(Some(batch), move |batch| async move {
        let mut batch = batch?;
        // The client must not mistake a part of the answers for all of them.
        let late = || Err(io::Error::other("the batch was not finished in time"));
        match timeout_at(deadline, batch.next()).await.unwrap_or_else(|_| late()) {
            Ok(Some(bytes)) => Some((Ok(bytes), Some(batch))),
            Ok(None) => None,
            Err(error) => Some((Err(error), None)),
        }
    });
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    Ok((kind, Body::from_stream(answers)).into_response())
}

impl Batch {
    /// The next answers; `None` after the last one.
    async fn next(&mut self) -> io::Result<Option<Bytes>> {
        loop {
            if let Some(text) = self.whole_lines() {
                if self.lines + count(&text) > self.app.store.options.limits.stream {
                    return Ok(Some(self.refuse()));
                }
                return self.answer(text).await.map(Some);
            }
            if self.is_read {
                return Ok(None);
            }
            // The rest is one line, without its end, which may have two bytes.
            self.rest.truncate(LONGEST_LINE + 2);
            let is_long = self.rest.len() > LONGEST_LINE + 1;
            match self.body.frame().await {
                Some(frame) => {
                    if let Ok(chunk) = frame.map_err(io::Error::other)?.into_data() {
                        let end = || chunk.iter().position(|&byte| byte == b'\n');
                        let begin = if is_long { end().unwrap_or(chunk.len()) } else { 0 };
                        self.rest.extend_from_slice(&chunk[begin..]);
                    }
                }
                None => self.is_read = true,
            }
        }
    }

    /// Takes the complete lines read so far; `None` if all are empty.
    fn whole_lines(&mut self) -> Option<Arc<[u8]>> {
        loop {
            let ends = self.rest.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
            let end = match ends.take(TOGETHER).last() {
                Some((end, _)) => end + 1,
                // The last line may lack its end.
                None if self.is_read && !self.rest.is_empty() => self.rest.len(),
                None => return None,
            };
            let text: Arc<[u8]> = self.rest.drain(..end).collect();
            if lines(&text, 0).next().is_some() {
                return Some(text);
            }
            self.lines += count(&text);
        }
    }

    /// Ends the answers, because there are too many lines.
    fn refuse(&mut self) -> Bytes {
        (self.is_read, self.rest) = (true, Vec::new());
        let error = ErrorObject::new(ErrorKind::Usage, "the batch has too many lines")
            .with_hint("send the lines from this one on as another batch");
        let mut bytes = Vec::new();
        write(&mut bytes, &failed(self.lines + 1, b"", error));
        bytes.into()
    }

    /// The answers to some lines, as lines.
    async fn answer(&mut self, text: Arc<[u8]>) -> io::Result<Bytes> {
        let before = self.lines;
        self.lines += count(&text);
        loop {
            let (set, text, moves) = (self.set.clone(), text.clone(), self.moves);
            let work = move |app: &App| {
                answers(app, &set, &lines(&text, before).collect::<Vec<_>>(), moves)
            };
            match self.app.work(self.client, Lane::Slow, work).await {
                Ok(bytes) => return Ok(bytes),
                // A batch that has begun waits, within its time.
                Err(problem) if problem.is_busy() => tokio::time::sleep(PATIENCE).await,
                Err(problem) => return Err(io::Error::other(problem.error.message)),
            }
        }
    }
}

/// The number of lines of a text, of which the last one may lack its end.
fn count(text: &[u8]) -> u64 {
    text.split_inclusive(|&byte| byte == b'\n').count() as u64
}

/// The lines of a text that are not empty, with their numbers after `before` others.
fn lines(text: &[u8], before: u64) -> impl Iterator<Item = (u64, &[u8])> {
    let lines = text.split(|&byte| byte == b'\n');
    let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    // The rest of a long line may have been left out.
    let is_line = |line: &[u8]| line.len() > LONGEST_LINE || !line.trim_ascii().is_empty();
    (before + 1..).zip(lines).filter(move |(_, line)| is_line(line))
}

/// The answers to lines, with their numbers, as lines.
fn answers(
    app: &App,
    set: &Arc<Set>,
    lines: &[(u64, &[u8])],
    moves: bool,
) -> Result<Bytes, Problem> {
    let parsed: Vec<Result<String, ErrorObject>> =
        lines.iter().map(|(_, line)| parse(line)).collect();
    let texts = lines.iter().zip(&parsed);
    let texts: Vec<(u64, &str)> =
        texts.map(|((number, _), text)| (*number, text.as_deref().unwrap_or(""))).collect();
    let answers = answer_many(app, set, &texts, moves)?;
    let mut bytes = Vec::with_capacity(answers.len() * 160);
    for ((number, line), (answer, parsed)) in lines.iter().zip(answers.into_iter().zip(parsed)) {
        let item = parsed.map_or_else(|error| failed(*number, line, error), |_| answer);
        write(&mut bytes, &item);
    }
    Ok(bytes.into())
}

/// Returns the position in a line.
fn parse(line: &[u8]) -> Result<String, ErrorObject> {
    let usage = |message| ErrorObject::new(ErrorKind::Usage, message);
    if line.len() > LONGEST_LINE {
        let hint = format!("a line has at most {LONGEST_LINE} bytes");
        return Err(usage("the line is too long").with_hint(hint));
    }
    let text = line.trim_ascii();
    // Serde would read the fields of an object from a list as well.
    let read = serde_json::from_slice(text).ok().filter(|_| !text.starts_with(b"["));
    match read {
        Some(Line::Text(position) | Line::Object { position }) => Ok(position),
        None => Err(usage("this line is neither a JSON string nor an object with \"position\"")
            .with_hint("write \"POSITION\", or {\"position\":\"POSITION\"}")),
    }
}

/// A line that has no answer.
fn failed(number: u64, line: &[u8], error: ErrorObject) -> BatchItem {
    let beginning = &line[..line.len().min(LONGEST_LINE)];
    let input = String::from_utf8_lossy(beginning).into_owned();
    BatchItem::Failed(BatchError { line: number, input, error })
}

/// Writes one answer as a line.
fn write(bytes: &mut Vec<u8>, item: &BatchItem) {
    // Writing into memory cannot fail, and the answers have no keys that are no strings.
    let _ = serde_json::to_writer(&mut *bytes, &Versioned::new(item));
    bytes.push(b'\n');
}
