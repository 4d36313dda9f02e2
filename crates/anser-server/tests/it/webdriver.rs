//! A browser, driven by the `WebDriver` protocol: `chromedriver` and Chromium of the system.

use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::Reply;

/// Longest wait for something to appear on the page.
const PATIENCE: Duration = Duration::from_mins(3);

/// Chromium of Debian. The one without windows takes half as much processor time; its command is a
/// script, which alone would be ended.
const DEBIAN: [&str; 2] = ["/usr/lib/chromium/chromium-headless-shell", "/usr/bin/chromium"];

/// A browser with one page; closed when it is dropped.
pub(crate) struct Browser {
    driver: Child,
    /// Kept open, because the driver goes on writing.
    _output: BufReader<ChildStdout>,
    port: u16,
    session: String,
}

impl Browser {
    /// Starts a browser. `None` where there is none, with a note; where `CI` is `true` that is an
    /// error.
    pub(crate) fn start() -> Option<Browser> {
        let mut driver = None;
        // A driver ends at once if another program has the port that it chose.
        for _ in 0..5 {
            match start_driver() {
                Ok(started) => {
                    driver = Some(started);
                    break;
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    let why = "the page is not tested: install chromium and chromium-driver";
                    assert!(std::env::var("CI").as_deref() != Ok("true"), "{why}");
                    eprintln!("skipped: {why}");
                    return None;
                }
                Err(error) => eprintln!("chromedriver does not start: {error}"),
            }
        }
        let (driver, output, port) = driver.expect("one of five drivers starts");
        let mut browser = Browser { driver, _output: output, port, session: String::new() };
        let mut chromium = json!({ "args": [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--window-size=1280,860", "--hide-scrollbars", "--disable-background-networking",
            "--disable-component-update", "--no-first-run",
        ] });
        // Elsewhere the driver finds its browser.
        if let Some(binary) = DEBIAN.into_iter().find(|binary| Path::new(binary).exists()) {
            chromium["binary"] = json!(binary);
        }
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
            "goog:chromeOptions": chromium,
        } } });
        let session = browser.call("POST", "/session", &capabilities);
        let id = session["sessionId"].as_str().expect("a session").to_owned();
        browser.session = format!("/session/{id}");
        Some(browser)
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let reply = self.send(method, path, &body).expect("it answers");
        let value = reply.json()["value"].clone();
        assert!(value["error"].is_null(), "{path}: {value}");
        value
    }

    fn send(&self, method: &str, path: &str, body: &str) -> io::Result<Reply> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_mins(1)))?;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all((head + body).as_bytes())?;
        Reply::read(&mut BufReader::new(stream), false)
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.call("POST", &format!("{}{path}", self.session), body)
    }

    /// A command of the browser's own protocol.
    pub(crate) fn command(&self, name: &str, parameters: &Value) -> Value {
        self.post("/goog/cdp/execute", &json!({ "cmd": name, "params": parameters }))
    }

    pub(crate) fn open(&self, url: &str) {
        self.post("/url", &json!({ "url": url }));
    }

    pub(crate) fn back(&self) {
        self.post("/back", &json!({}));
    }

    pub(crate) fn reload(&self) {
        self.post("/refresh", &json!({}));
    }

    /// The value of an expression, or of a promise.
    pub(crate) fn eval(&self, expression: &str) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1]; Promise.resolve({expression}).then(done, \
             (error) => done(String(error)));"
        );
        self.post("/execute/async", &json!({ "script": script, "args": [] }))
    }

    pub(crate) fn text(&self, expression: &str) -> String {
        self.eval(expression).as_str().map_or_else(String::new, str::to_owned)
    }

    /// Waits until an expression, or the value of a promise, is true.
    pub(crate) fn wait(&self, expression: &str) {
        let began = Instant::now();
        while self.eval(&format!("Promise.resolve({expression}).then((it) => !!it)")) != true {
            if began.elapsed() > PATIENCE {
                let shown = self.text("document.body.innerText");
                panic!("{expression} does not become true; the page shows:\n{shown}");
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Clicks on the first element of a selector, as a pointer does.
    pub(crate) fn click(&self, selector: &str) {
        let found = self.post("/element", &json!({ "using": "css selector", "value": selector }));
        let id = found.as_object().and_then(|found| found.values().next()?.as_str());
        let id = id.expect("an element").to_owned();
        self.post(&format!("/element/{id}/click"), &json!({}));
    }

    /// Presses a key and lets go of it.
    pub(crate) fn press(&self, key: &str) {
        let key = match key {
            "Tab" => "\u{e004}",
            "Enter" => "\u{e007}",
            "Escape" => "\u{e00c}",
            "ArrowLeft" => "\u{e012}",
            "ArrowUp" => "\u{e013}",
            "ArrowRight" => "\u{e014}",
            "ArrowDown" => "\u{e015}",
            key => key,
        };
        let press = |kind: &str| json!({ "type": kind, "value": key });
        let actions = [press("keyDown"), press("keyUp")];
        let keyboard = json!({ "type": "key", "id": "keys", "actions": actions });
        self.post("/actions", &json!({ "actions": [keyboard] }));
    }

    /// Returns the warnings and errors that the page wrote to the console.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log = self.post("/se/log", &json!({ "type": "browser" }));
        let entries = log.as_array().expect("a list").iter();
        entries
            .filter(|entry| entry["level"] == "SEVERE" || entry["level"] == "WARNING")
            .map(|entry| entry["message"].to_string())
            .collect()
    }

    /// The addresses that the page asked for.
    pub(crate) fn requests(&self) -> Vec<String> {
        let log = self.post("/se/log", &json!({ "type": "performance" }));
        let entries = log.as_array().expect("a list").iter();
        entries
            .filter_map(|entry| {
                let entry: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
                let message = &entry["message"];
                let is_request = message["method"] == "Network.requestWillBeSent";
                let url = message["params"]["request"]["url"].as_str()?;
                is_request.then(|| url.to_owned())
            })
            .collect()
    }

    /// A picture of the page, as PNG in base64.
    pub(crate) fn picture(&self) -> String {
        let path = format!("{}/screenshot", self.session);
        self.call("GET", &path, &Value::Null).as_str().expect("a picture").to_owned()
    }
}

/// Starts a driver. Returns it with its output and its port.
fn start_driver() -> io::Result<(Child, BufReader<ChildStdout>, u16)> {
    let mut driver = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut output = BufReader::new(driver.stdout.take().expect("it is piped"));
    let mut said = String::new();
    loop {
        let mut line = String::new();
        if output.read_line(&mut line)? == 0 {
            driver.kill()?;
            driver.wait()?;
            return Err(io::Error::other(said));
        }
        let port = line.strip_prefix("ChromeDriver was started successfully on port ");
        if let Some(port) = port.and_then(|port| port.trim().trim_end_matches('.').parse().ok()) {
            return Ok((driver, output, port));
        }
        said += &line;
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Ends the browser, which would outlive its driver; also after a test has failed.
        let _ = self.send("DELETE", &self.session, "");
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
