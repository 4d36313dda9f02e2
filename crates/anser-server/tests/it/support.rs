//! A server on a free port, and a client that is no library.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::OnceLock;
use std::thread::JoinHandle;
use std::time::Duration;

use anser_games::{Registry, SearchPath};
use anser_server::{Handle, Options, Server};
use serde_json::Value;

/// A server that is stopped when it is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) handle: Handle,
    thread: Option<JoinHandle<io::Result<()>>>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

/// Starts a server.
pub(crate) fn start(options: &Options) -> Running {
    start_at(options, SocketAddr::from(([127, 0, 0, 1], 0)))
}

/// Starts a server at an address.
pub(crate) fn start_at(options: &Options, address: SocketAddr) -> Running {
    let server = Server::new(Registry::standard(), options).expect("the tables can be listed");
    let listener = TcpListener::bind(address).expect("the port is free");
    let address = listener.local_addr().expect("it has an address");
    let handle = server.handle();
    let thread = Some(std::thread::spawn(move || server.run(listener)));
    Running { address, handle, thread }
}

/// The server of embedded tables that tests share.
pub(crate) fn shared() -> &'static Running {
    static SHARED: OnceLock<Running> = OnceLock::new();
    SHARED.get_or_init(|| start(&Options::new(SearchPath::embedded())))
}

impl Running {
    /// Stops the server; returns when it has ended.
    pub(crate) fn stop(&mut self) -> io::Result<()> {
        self.handle.stop();
        self.thread.take().map_or(Ok(()), |thread| thread.join().expect("it does not panic"))
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("it accepts connections");
        stream.set_read_timeout(Some(Duration::from_mins(1))).expect("there are timeouts");
        stream
    }

    /// Sends one request on a connection of its own.
    pub(crate) fn send(&self, method: &str, target: &str, headers: &str, body: &[u8]) -> Reply {
        let mut stream = self.connect();
        let length = if method == "POST" {
            format!("content-length: {}\r\n", body.len())
        } else {
            String::new()
        };
        let head = format!(
            "{method} {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{length}{headers}\r\n"
        );
        stream.write_all(head.as_bytes()).expect("it reads the head");
        // A server that refuses a body need not read it.
        let _ = stream.write_all(body);
        Reply::read(&mut BufReader::new(stream), method == "HEAD").expect("it answers")
    }

    pub(crate) fn get(&self, target: &str) -> Reply {
        self.send("GET", target, "", b"")
    }

    /// Sends a batch as one object; returns the answers.
    pub(crate) fn batch(&self, game: &str, rules: &str, positions: &[String]) -> Vec<Value> {
        let asked = serde_json::json!({
            "game": game, "rules": rules, "positions": positions, "moves": true,
        });
        let headers = "content-type: application/json\r\n";
        let reply = self.send("POST", "/api/v1/probe", headers, asked.to_string().as_bytes());
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.json()["answers"].as_array().expect("a list").clone()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.stop();
    }
}

impl Reply {
    /// Reads an answer; a body that is cut off is an error.
    pub(crate) fn read(stream: &mut impl BufRead, is_head: bool) -> io::Result<Reply> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if stream.read_line(&mut head)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let mut reply = Reply { status: status.unwrap_or(0), head, body: Vec::new() };
        if is_head || reply.status == 304 {
            return Ok(reply);
        }
        if let Some(length) = reply.header("content-length") {
            reply.body = vec![0; length.parse().map_err(io::Error::other)?];
            stream.read_exact(&mut reply.body)?;
        } else if reply.header("transfer-encoding").is_some() {
            loop {
                let mut size = String::new();
                stream.read_line(&mut size)?;
                let size = usize::from_str_radix(size.trim(), 16).map_err(io::Error::other)?;
                let mut chunk = vec![0; size + 2];
                stream.read_exact(&mut chunk)?;
                if size == 0 {
                    break;
                }
                reply.body.extend_from_slice(&chunk[..size]);
            }
        } else {
            stream.read_to_end(&mut reply.body)?;
        }
        Ok(reply)
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(':'));
        let mut found = lines.filter(|(key, _)| key.eq_ignore_ascii_case(name));
        found.next().map(|(_, value)| value.trim())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("the body is text")
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("the body is JSON")
    }

    /// The answers of a streamed batch.
    pub(crate) fn lines(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).expect("each line is JSON");
        self.text().lines().map(parse).collect()
    }

    /// Asserts that this is a problem of a kind, with what to do next.
    pub(crate) fn fails(&self, status: u16, kind: &str, says: &str) {
        let body = self.json();
        assert_eq!(self.status, status, "{body}");
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        assert_eq!(body["error"]["kind"], kind, "{body}");
        assert_eq!(body["status"], status, "{body}");
        assert!(body["detail"].as_str().is_some_and(|detail| detail.contains(says)), "{body}");
        assert!(body["error"]["hint"].is_string(), "{body}");
    }
}
