//! Batches of any length: a position per line in, an answer per line out, while both flow.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use anser_games::answers::{BatchError, ErrorKind, ErrorObject, Versioned};
use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use hyper::body::{Frame, SizeHint};
use serde::Deserialize;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

use crate::answers::BatchItem;
use crate::api::answer_many;
use crate::http::App;
use crate::problem::Problem;
use crate::store::Set;

/// Length of the longest line, in bytes.
const LONGEST_LINE: usize = 2000;

/// Number of lines that are answered together: packed tables are decoded block by block.
const TOGETHER: usize = 4096;

/// Number of chunks that wait between two tasks.
const QUEUE: usize = 4;

/// What all lines share.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StreamQuery {
    game: String,
    rules: Option<String>,
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

/// A part of the answer, or its end. A channel that closes without the end was cut off.
enum Part {
    Bytes(Bytes),
    End,
}

/// Answers lines as they come.
pub(crate) async fn stream(
    app: Arc<App>,
    asked: StreamQuery,
    body: Body,
) -> Result<Response, Problem> {
    let deadline = Instant::now() + app.limits.request;
    let Ok(permit) = app.gate.enter().await else {
        app.metrics.shed();
        return Err(Problem::busy("too many requests wait for an answer"));
    };
    let (to_worker, lines) = mpsc::channel(QUEUE);
    let (answers, from_worker) = mpsc::channel(QUEUE);
    tokio::spawn(async move {
        // Answers that nobody waits for end the reading too.
        let _ = timeout_at(deadline, read(body, to_worker)).await;
    });
    let handle = Handle::current();
    // Names are checked before the answer begins.
    let (game, rules) = (asked.game.clone(), asked.rules.clone());
    let (worker_app, moves) = (app.clone(), asked.moves);
    let opened = tokio::task::spawn_blocking(move || app.store.set(&game, rules.as_deref())).await;
    let set = opened.unwrap_or_else(|_| Err(Problem::busy("the tables could not be opened")))?;
    tokio::task::spawn_blocking(move || {
        let _permit = permit;
        let send = |part| handle.block_on(timeout_at(deadline, answers.send(part)));
        let mut worker = Worker { app: &worker_app, set: &set, moves, lines: 0, rest: Vec::new() };
        let is_done = worker
            .run(&handle, deadline, lines, |bytes| matches!(send(Part::Bytes(bytes)), Ok(Ok(()))));
        if is_done {
            let _ = send(Part::End);
        }
    });
    let body = Body::new(Answers { from_worker, is_over: false });
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response())
}

/// Passes a body on, chunk by chunk.
async fn read(mut body: Body, to_worker: mpsc::Sender<Result<Bytes, ()>>) {
    while let Some(frame) = body.frame().await {
        let chunk = match frame {
            Ok(frame) => match frame.into_data() {
                Ok(chunk) => Ok(chunk),
                Err(_) => continue,
            },
            Err(_) => Err(()),
        };
        if to_worker.send(chunk).await.is_err() {
            return;
        }
    }
    // The end of the channel alone might be a deadline.
    let _ = to_worker.send(Ok(Bytes::new())).await;
}

/// Answers the lines of one request.
struct Worker<'a> {
    app: &'a App,
    set: &'a Arc<Set>,
    moves: bool,
    /// Number of lines answered.
    lines: u64,
    /// The beginning of a line.
    rest: Vec<u8>,
}

impl Worker<'_> {
    /// Answers all lines; returns whether it came to their end.
    fn run(
        &mut self,
        handle: &Handle,
        deadline: Instant,
        mut chunks: mpsc::Receiver<Result<Bytes, ()>>,
        mut send: impl FnMut(Bytes) -> bool,
    ) -> bool {
        loop {
            let Ok(Some(Ok(chunk))) = handle.block_on(timeout_at(deadline, chunks.recv())) else {
                return false;
            };
            let is_last = chunk.is_empty();
            self.rest.extend_from_slice(&chunk);
            let end = match self.rest.iter().rposition(|&byte| byte == b'\n') {
                _ if is_last => self.rest.len(),
                Some(end) => end + 1,
                None => 0,
            };
            let text: Vec<u8> = self.rest.drain(..end).collect();
            let lines: Vec<&[u8]> = text
                .split(|&byte| byte == b'\n')
                .filter(|line| !line.trim_ascii().is_empty())
                .collect();
            for lines in lines.chunks(TOGETHER) {
                if self.lines + lines.len() as u64 > self.app.limits.stream {
                    return self.refuse("the batch has too many lines", &mut send);
                }
                if !send(self.answer(lines)) {
                    return false;
                }
            }
            if is_last {
                return true;
            }
            if self.rest.len() > LONGEST_LINE {
                return self.refuse("the line is too long", &mut send);
            }
        }
    }

    /// Ends the answer with an error.
    fn refuse(&self, why: &str, send: &mut impl FnMut(Bytes) -> bool) -> bool {
        let mut bytes = Vec::new();
        write(&mut bytes, &failed(self.lines + 1, why));
        send(bytes.into())
    }

    /// The answers to some lines, as lines.
    fn answer(&mut self, lines: &[&[u8]]) -> Bytes {
        let parsed: Vec<Option<String>> = lines
            .iter()
            .map(|line| match serde_json::from_slice(line.trim_ascii()).ok()? {
                Line::Text(position) | Line::Object { position } => Some(position),
            })
            .collect();
        let texts: Vec<&str> = parsed.iter().map(|text| text.as_deref().unwrap_or("")).collect();
        let answers = answer_many(self.app, self.set, self.lines, &texts, self.moves);
        let mut bytes = Vec::with_capacity(answers.len() * 160);
        for (answer, parsed) in answers.iter().zip(&parsed) {
            self.lines += 1;
            if parsed.is_some() {
                write(&mut bytes, answer);
            } else {
                let why = "this line is neither a JSON string nor an object with \"position\"";
                write(&mut bytes, &failed(self.lines, why));
            }
        }
        bytes.into()
    }
}

/// A line that is no question.
fn failed(line: u64, why: &str) -> BatchItem {
    let error = ErrorObject::new(ErrorKind::Usage, why);
    BatchItem::Failed(BatchError { line, input: String::new(), error })
}

/// Writes one answer as a line.
fn write(bytes: &mut Vec<u8>, item: &BatchItem) {
    // Writing into memory cannot fail, and the answers have no keys that are no strings.
    let _ = serde_json::to_writer(&mut *bytes, &Versioned::new(item));
    bytes.push(b'\n');
}

/// The answers as the body of a response.
struct Answers {
    from_worker: mpsc::Receiver<Part>,
    is_over: bool,
}

impl hyper::body::Body for Answers {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let part = std::task::ready!(self.from_worker.poll_recv(context));
        Poll::Ready(match part {
            Some(Part::Bytes(bytes)) => Some(Ok(Frame::data(bytes))),
            Some(Part::End) => {
                self.is_over = true;
                None
            }
            // The client must not take a part of the answers for all of them.
            None => {
                self.is_over = true;
                Some(Err(io::Error::other("the batch was not finished in time")))
            }
        })
    }

    fn is_end_stream(&self) -> bool {
        self.is_over
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}
