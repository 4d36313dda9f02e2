//! A web server whose answers a test writes byte by byte.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// The path without the slash before it.
    pub(crate) path: String,
    /// The offset of a requested range.
    pub(crate) from: Option<u64>,
}

/// A host on a port of this machine, until the process ends.
pub(crate) struct Host {
    /// The address, without a slash at the end.
    pub(crate) address: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Host {
    /// Starts a host. `answer` writes the answer to a request; the connection is closed after it.
    pub(crate) fn new(
        answer: impl Fn(&Request, &mut TcpStream) -> std::io::Result<()> + Send + Sync + 'static,
    ) -> Host {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::<Mutex<Vec<Request>>>::default();
        let (log, answer) = (Arc::clone(&requests), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (Ok(mut stream), log, answer) = (stream, Arc::clone(&log), Arc::clone(&answer))
                else {
                    return;
                };
                thread::spawn(move || {
                    let Some(request) = read(&stream) else { return };
                    log.lock().unwrap().push(request.clone());
                    // Clients may hang up.
                    let _ = answer(&request, &mut stream);
                });
            }
        });
        Host { address, requests }
    }

    /// The requests so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// The requests so far for paths that end like this.
    pub(crate) fn requests_of(&self, end: &str) -> Vec<Request> {
        self.requests().into_iter().filter(|request| request.path.ends_with(end)).collect()
    }
}

/// Reads a request.
fn read(stream: &TcpStream) -> Option<Request> {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let first = lines.next()?;
    let path = first.strip_prefix("GET /")?.split(' ').next()?.to_owned();
    let mut from = None;
    for line in lines.take_while(|line| !line.is_empty()) {
        if let Some(range) = line.to_ascii_lowercase().strip_prefix("range: bytes=") {
            from = range.trim_end_matches('-').parse().ok();
        }
    }
    Some(Request { path, from })
}

/// Writes a head with a line for each field, and the body.
pub(crate) fn write(
    stream: &mut TcpStream,
    status: &str,
    fields: &[String],
    body: &[u8],
) -> std::io::Result<()> {
    let head = [&[format!("HTTP/1.1 {status}"), "Connection: close".to_owned()], fields].concat();
    stream.write_all((head.join("\r\n") + "\r\n\r\n").as_bytes())?;
    stream.write_all(body)
}

/// Answers with a file of a directory, as web servers do.
pub(crate) fn file(
    dir: &Path,
    request: &Request,
    stream: &mut TcpStream,
    ranges: bool,
) -> std::io::Result<()> {
    let Ok(bytes) = fs::read(dir.join(&request.path)) else {
        return write(stream, "404 Not Found", &["Content-Length: 0".to_owned()], b"");
    };
    let length = |bytes: &[u8]| format!("Content-Length: {}", bytes.len());
    match request.from.filter(|_| ranges) {
        None => write(stream, "200 OK", &[length(&bytes)], &bytes),
        Some(from) => {
            let (rest, all) = (&bytes[from as usize..], bytes.len());
            let range = format!("Content-Range: bytes {from}-{}/{all}", all - 1);
            write(stream, "206 Partial Content", &[length(rest), range], rest)
        }
    }
}
