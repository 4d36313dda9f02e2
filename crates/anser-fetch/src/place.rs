//! Sources of tables: a web server, or a directory of this machine.

use std::error::Error as StdError;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use ureq::http::{HeaderName, Response, StatusCode, header};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body, Timeout};

use crate::error::{FetchError, Problem};

/// Options of fetching.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of requests at a time.
    pub connections: usize,
    /// Longest time in which a host may send nothing.
    pub timeout: Duration,
    /// Number of attempts for a file, if the connection or the host fails. The pause before each
    /// attempt is longer than the one before.
    pub attempts: u32,
    /// The SHA-256 of the manifest in hexadecimal, from a trusted place.
    pub sha256: Option<String>,
}

impl Options {
    /// Fewest bytes per second that a host may send, as a mean over a table or a part of one.
    pub const SLOWEST: u64 = 1 << 10;
}

impl Default for Options {
    fn default() -> Options {
        Options { connections: 8, timeout: Duration::from_secs(30), attempts: 4, sha256: None }
    }
}

/// A web server, or a directory.
#[derive(Debug)]
pub(crate) enum Place {
    Web(Box<Web>),
    Dir(PathBuf),
}

/// A directory of a web server.
#[derive(Debug)]
pub(crate) struct Web {
    agent: Agent,
    /// The address, with a slash at the end.
    base: String,
    timeout: Duration,
}

/// Most redirects that are followed.
const REDIRECTS: usize = 8;

/// Suffix of the names of manifests.
pub(crate) const MANIFEST: &str = ".manifest.json";

/// The page of a site.
pub(crate) const PAGE: &str = "index.html";

impl Place {
    /// Returns the place of an address: `http:`, `https:`, `file:`, or a local path. The address
    /// may be that of the page of a site, or of a manifest, which is returned.
    pub(crate) fn new(
        address: &str,
        options: &Options,
    ) -> Result<(Place, Option<String>), FetchError> {
        let wrong =
            |problem| Err(FetchError::Address { address: without_password(address), problem });
        let (scheme, rest) = match address.split_once("://") {
            Some((scheme, rest)) => (scheme.to_ascii_lowercase(), rest),
            None if address.is_empty() => return wrong("an address or a directory is expected"),
            None => match address.split_at_checked(5) {
                Some((scheme, path)) if scheme.eq_ignore_ascii_case("file:") => {
                    return Ok(local(Path::new(path)));
                }
                _ => return Ok(local(Path::new(address))),
            },
        };
        match &*scheme {
            "http" | "https" => {}
            "file" => {
                let path = rest.strip_prefix("localhost").unwrap_or(rest);
                if !path.starts_with('/') {
                    return wrong("a file: address names no host: file:///directory");
                }
                return match percent_decode_str(path).decode_utf8() {
                    Ok(path) => Ok(local(Path::new(&*path))),
                    Err(_) => wrong("the path is not UTF-8"),
                };
            }
            _ => return wrong("tables are fetched from http:, https:, and file: addresses"),
        }
        // A query or a fragment is for the page of a site, not for the host.
        let path = rest.split(['?', '#']).next().unwrap_or_default();
        if path.split('/').next().is_none_or(str::is_empty) {
            return wrong("the host is missing");
        }
        let (path, file) = match path.rsplit_once('/') {
            Some((directory, PAGE)) => (directory, None),
            Some((directory, name)) if name.ends_with(MANIFEST) => (directory, Some(name)),
            _ => (path, None),
        };
        let base = format!("{scheme}://{}/", path.trim_end_matches('/'));
        let web = Web { agent: agent(&scheme, options), base, timeout: options.timeout };
        Ok((Place::Web(Box::new(web)), file.map(str::to_owned)))
    }

    /// Returns the address of a file, for messages: without a password.
    pub(crate) fn url(&self, name: &str) -> String {
        match self {
            Place::Dir(dir) => dir.join(name).display().to_string(),
            Place::Web(web) => without_password(&format!("{}{name}", web.base)),
        }
    }

    /// For `map_err`: the error about a file.
    pub(crate) fn failed(&self, name: &str) -> impl FnOnce(Problem) -> FetchError {
        let url = self.url(name);
        move |problem| FetchError::Request { url, problem }
    }

    /// Reads a file of at most `most` bytes; `None` if there is none.
    pub(crate) fn read(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, FetchError> {
        match self.read_whole(name, most) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(problem) if problem.is_absence() => Ok(None),
            Err(problem) => Err(self.failed(name)(problem)),
        }
    }

    fn read_whole(&self, name: &str, most: u64) -> Result<Vec<u8>, Problem> {
        let mut bytes = Vec::new();
        let (stated, reader): (_, Box<dyn Read>) = match self {
            Place::Dir(dir) => {
                let (file, len) = open_file(&dir.join(name))?;
                (Some(len), Box::new(file))
            }
            Place::Web(web) => {
                // The length is not known before, so the time is that of any list.
                let response = web.get(name, 0, None)?;
                let body = response.into_body();
                (body.content_length(), Box::new(body.into_reader()))
            }
        };
        if stated.is_some_and(|stated| stated > most) {
            return Err(Problem::TooLong(most));
        }
        let read = reader.take(most + 1).read_to_end(&mut bytes);
        read.map_err(|error| self.broken(error, None))?;
        if bytes.len() as u64 > most {
            return Err(Problem::TooLong(most));
        }
        Ok(bytes)
    }

    /// Opens a file of `len` bytes at the offset `from`. Returns the offset at which the reader
    /// starts: zero if the host does not send ranges.
    pub(crate) fn open(
        &self,
        name: &str,
        from: u64,
        len: u64,
    ) -> Result<(u64, Box<dyn Read>), Problem> {
        match self {
            Place::Dir(dir) => {
                let (mut file, stated) = open_file(&dir.join(name))?;
                if stated != len {
                    return Err(Problem::Length { stated, expected: len });
                }
                file.seek(SeekFrom::Start(from)).map_err(Problem::File)?;
                Ok((from, Box::new(file)))
            }
            Place::Web(web) => {
                let response = web.get(name, from, Some(len))?;
                let start = if response.status() == StatusCode::PARTIAL_CONTENT { from } else { 0 };
                let body = response.into_body();
                match body.content_length() {
                    Some(stated) if stated != len - start => {
                        Err(Problem::Length { stated, expected: len - start })
                    }
                    _ => Ok((start, Box::new(body.into_reader()))),
                }
            }
        }
    }

    /// The problem of a reader of this place, for a body of `len` bytes if that is known.
    pub(crate) fn broken(&self, error: io::Error, len: Option<u64>) -> Problem {
        match self {
            Place::Dir(_) => Problem::File(error),
            Place::Web(web) => web.problem(error.into(), web.body_time(len)),
        }
    }

    /// Returns the names of the manifests of a directory; `None` if it cannot be listed.
    pub(crate) fn manifests(&self) -> Result<Option<Vec<String>>, FetchError> {
        let Place::Dir(dir) = self else { return Ok(None) };
        let failed = |error| self.failed("")(Problem::File(error));
        let mut names = Vec::new();
        for entry in fs::read_dir(dir).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            names.extend(name.to_str().filter(|name| name.ends_with(MANIFEST)).map(str::to_owned));
        }
        names.sort();
        Ok(Some(names))
    }

    /// Ends all requests, also those in other threads.
    pub(crate) fn stop(&self) {
        if let Place::Web(web) = self {
            web.agent.clone().shutdown();
        }
    }
}

/// The directory of a local path: a directory, the page of a site, or a manifest.
fn local(path: &Path) -> (Place, Option<String>) {
    let parent = || path.parent().filter(|dir| !dir.as_os_str().is_empty());
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let (dir, file) = match name {
        PAGE => (parent().unwrap_or(Path::new(".")), None),
        name if name.ends_with(MANIFEST) => {
            (parent().unwrap_or(Path::new(".")), Some(name.to_owned()))
        }
        _ => (path, None),
    };
    (Place::Dir(dir.to_owned()), file)
}

/// Opens a regular file; returns its length. Opening a pipe would wait for a writer.
fn open_file(path: &Path) -> Result<(File, u64), Problem> {
    let found = fs::metadata(path).map_err(Problem::File)?;
    if !found.is_file() {
        let error = io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file");
        return Err(Problem::File(error));
    }
    Ok((File::open(path).map_err(Problem::File)?, found.len()))
}

/// Returns an address without the name and password of a user.
///
/// ```
/// use anser_fetch::without_password;
/// assert_eq!(without_password("https://me:secret@host/tables"), "https://host/tables");
/// assert_eq!(without_password("tables/a@b"), "tables/a@b");
/// ```
pub fn without_password(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

/// An HTTP client with the limits of the options. It follows no redirects.
fn agent(scheme: &str, options: &Options) -> Agent {
    // Certificates that cannot be read make connections fail, with an error that says so.
    let certificates = rustls_native_certs::load_native_certs().certs;
    let certificates: Vec<_> =
        certificates.iter().map(|it| Certificate::from_der(it).to_owned()).collect();
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::from(certificates))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build();
    let timeout = Some(options.timeout);
    let config = Agent::config_builder()
        .https_only(scheme == "https")
        .tls_config(tls)
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .user_agent(concat!("anser/", env!("CARGO_PKG_VERSION")))
        .max_idle_connections(options.connections)
        .max_idle_connections_per_host(options.connections)
        .timeout_resolve(timeout)
        .timeout_connect(timeout)
        .timeout_recv_response(timeout)
        .timeout_per_read(timeout)
        .timeout_per_write(timeout);
    config.build().new_agent()
}

impl Web {
    /// Longest time for a body of `len` bytes, or for that of a list.
    fn body_time(&self, len: Option<u64>) -> Duration {
        match len {
            Some(len) => self.timeout + Duration::from_secs(len / Options::SLOWEST),
            None => self.timeout * 4,
        }
    }

    /// Requests a file from the offset `from` on. The answer has the whole file (200), or what was
    /// requested (206). The length of the file is `len` bytes, or is not known.
    fn get(&self, name: &str, from: u64, len: Option<u64>) -> Result<Response<Body>, Problem> {
        let time = self.body_time(len.map(|len| len - from));
        // Some hosts read a plus sign in a path as a space.
        let mut url = format!("{}{}", self.base, name.replace('+', "%2B"));
        for _ in 0..=REDIRECTS {
            let mut request = self.agent.get(&url).header(header::ACCEPT_ENCODING, "identity");
            if from > 0 {
                request = request.header(header::RANGE, format!("bytes={from}-"));
            }
            let request = request.config().timeout_recv_body(Some(time)).build();
            let response = request.call().map_err(|error| self.problem(error, time))?;
            if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
                return checked(response, from, len);
            }
            let location = field(&response, &header::LOCATION).unwrap_or_default();
            url = redirected(&url, &location).map_err(Problem::Redirect)?;
        }
        Err(Problem::Redirect(format!("there are more than {REDIRECTS}")))
    }

    /// Returns the problem that an error of the client stands for.
    fn problem(&self, error: ureq::Error, body_time: Duration) -> Problem {
        use ureq::Error;
        match error {
            Error::Io(error)
                if error
                    .get_ref()
                    .is_some_and(<dyn StdError + Send + Sync>::is::<rustls::Error>) =>
            {
                Problem::Tls(error.to_string())
            }
            Error::Io(error) => Problem::Connection(error),
            Error::Timeout(Timeout::RecvBody) => Problem::Slow(body_time),
            Error::Timeout(_) => Problem::Silence(self.timeout),
            Error::HostNotFound => Problem::Host,
            Error::Rustls(error) => Problem::Tls(error.to_string()),
            Error::Tls(error) => Problem::Tls(error.to_owned()),
            error => Problem::Http(error.to_string()),
        }
    }
}

/// Returns a field of the head of an answer.
fn field(response: &Response<Body>, name: &HeaderName) -> Option<String> {
    let value = response.headers().get(name)?;
    Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
}

/// Checks the status of an answer, its range, and that its body is not coded.
fn checked(
    response: Response<Body>,
    from: u64,
    len: Option<u64>,
) -> Result<Response<Body>, Problem> {
    match (response.status(), len) {
        (StatusCode::OK, _) => {}
        (StatusCode::PARTIAL_CONTENT, Some(len)) => {
            let expected = format!("bytes {from}-{}/{len}", len.saturating_sub(1));
            let found = field(&response, &header::CONTENT_RANGE).unwrap_or_default();
            if from == 0 || found != expected {
                return Err(Problem::Range { expected, found });
            }
        }
        (status, _) => return Err(Problem::Status(status.as_u16())),
    }
    match field(&response, &header::CONTENT_ENCODING) {
        Some(coding) if coding != "identity" => Err(Problem::Coding(coding)),
        _ => Ok(response),
    }
}

/// Returns the address to which a request for `url` is redirected, or why the redirect is refused.
/// Only `http:` and `https:` are followed, and from `https:` only `https:`.
fn redirected(url: &str, location: &str) -> Result<String, String> {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let (origin, directory) = match rest.find('/') {
        Some(slash) => (&rest[..slash], &rest[..=rest.rfind('/').unwrap_or(slash)]),
        None => (rest, rest),
    };
    let before = location.split(['/', '?', '#']).next().unwrap_or_default();
    let target = match before.split_once(':') {
        Some((named, _)) => match &*named.to_ascii_lowercase() {
            "http" if scheme == "https" => {
                return Err(format!("it leads from https: to {location}"));
            }
            known @ ("http" | "https") => format!("{known}{}", &location[named.len()..]),
            _ => return Err(format!("it leads to {location}")),
        },
        None if location.is_empty() => return Err("it does not say where it leads".to_owned()),
        None if location.starts_with("//") => format!("{scheme}:{location}"),
        None if location.starts_with('/') => format!("{scheme}://{origin}{location}"),
        None => format!("{scheme}://{directory}{location}"),
    };
    let target = target.split('#').next().unwrap_or_default();
    Ok(target.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_lead_to_web_servers_alone_and_never_out_of_tls() {
        for (from, location, expected) in [
            ("http://h/a/b", "http://i/c", Some("http://i/c")),
            ("http://h/a/b", "HTTPS://i/c#d", Some("https://i/c")),
            ("https://h:1/a/b", "//i/c", Some("https://i/c")),
            ("https://h:1/a/b", "/c?d:e", Some("https://h:1/c?d:e")),
            ("https://h:1/a/b", "c", Some("https://h:1/a/c")),
            ("https://h/a/b", "https://i/c", Some("https://i/c")),
            ("https://h/a/b", "http://h/a/b", None),
            ("https://h/a/b", "HTTP://h/a/b", None),
            ("http://h/a/b", "file:///etc/passwd", None),
            ("http://h/a/b", "ftp://h/a", None),
            ("http://h/a/b", "data:text/html,x", None),
            ("http://h/a/b", "", None),
        ] {
            assert_eq!(redirected(from, location).ok().as_deref(), expected, "{from} {location}");
        }
    }

    #[test]
    fn addresses_are_those_of_a_directory() {
        for (address, base, file) in [
            ("http://h", "http://h/", None),
            ("HTTPS://h:8/a//", "https://h:8/a/", None),
            ("https://h/a/index.html", "https://h/a/", None),
            ("https://h/a/?game=x#y", "https://h/a/", None),
            ("https://h/a/g.r.manifest.json", "https://h/a/", Some("g.r.manifest.json")),
        ] {
            let (place, found) = Place::new(address, &Options::default()).expect(address);
            let Place::Web(web) = place else { panic!("{address} is on the web") };
            assert_eq!((&*web.base, found.as_deref()), (base, file));
        }
        for (address, dir, file) in [
            ("a/b", "a/b", None),
            ("file:///a%20b", "/a b", None),
            ("file://localhost/a", "/a", None),
            ("file:a", "a", None),
            ("index.html", ".", None),
            ("/a/g.r.manifest.json", "/a", Some("g.r.manifest.json")),
        ] {
            let (place, found) = Place::new(address, &Options::default()).expect(address);
            let Place::Dir(path) = place else { panic!("{address} is local") };
            assert_eq!((&*path, found.as_deref()), (Path::new(dir), file));
        }
    }
}
