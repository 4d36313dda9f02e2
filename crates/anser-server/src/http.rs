//! From requests to answers: routes, bounds, and headers.

use std::any::Any;
use std::fmt::Display;
use std::sync::Arc;
use std::time::Instant;

use anser_games::{GameInfo, NameError};
use axum::Router;
use axum::body::Body;
use axum::extract::rejection::{PathRejection, QueryRejection, RawPathParamsRejection};
use axum::extract::{Extension, MatchedPath, Path, Query, RawPathParams, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{MethodRouter, any, get};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{Any as AnyOrigin, CorsLayer};

use crate::answers::{BatchRequest, Health};
use crate::api;
use crate::app::App;
use crate::assets::Assets;
use crate::batch::{self, StreamQuery};
use crate::clients::Client;
use crate::gate::Lane;
use crate::metrics::ENDPOINTS;
use crate::openapi::{self, escaped};
use crate::options::LogEntry;
use crate::problem::{DESCRIBED, Problem};
use crate::reply::{Keep, Reply, with_tag};
use crate::solving::Solver;

/// Length of the longest query, in bytes.
const LONGEST_QUERY: usize = 4000;

/// Answers a `GET` request with the result for its query.
fn question<Q: DeserializeOwned + Send + Sync + 'static>(
    lane: Lane,
    find: fn(&App, &Q) -> Result<Reply, Problem>,
) -> MethodRouter<Arc<App>> {
    question_with_solving(lane, move |app, _, asked: &Q| find(app, asked))
}

/// Whether a browser sent the request for a page of another site.
fn is_cross_site(headers: &HeaderMap) -> bool {
    headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site")
}

/// Answers a `GET` request with the result for its query, and for the client if it may request that
/// missing layers are solved. A page of another site may not: its visitor did not ask for it.
fn question_with_solving<Q: DeserializeOwned + Send + Sync + 'static>(
    lane: Lane,
    find: impl Fn(&App, Option<Client>, &Q) -> Result<Reply, Problem> + Copy + Send + Sync + 'static,
) -> MethodRouter<Arc<App>> {
    type Asked<Q> = Result<Query<Q>, QueryRejection>;
    let answer = async move |State(app): State<Arc<App>>,
                             Extension(client): Extension<Client>,
                             headers: HeaderMap,
                             asked: Asked<Q>| {
        let Query(asked) = asked?;
        let requester = (!is_cross_site(&headers)).then_some(client);
        let reply = app.work(client, lane, move |app| find(app, requester, &asked)).await?;
        Ok::<_, Problem>(reply.respond(&headers))
    };
    get(answer)
}

/// Answers a batch: one JSON object, or lines of JSON.
async fn answer_batch(
    State(app): State<Arc<App>>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    let mut codings = parts.headers.get_all(header::CONTENT_ENCODING).iter();
    if codings.any(|coding| !coding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(Problem::usage("a compressed body is not read")
            .status(StatusCode::UNSUPPORTED_MEDIA_TYPE)
            .hint("send it without a content-encoding"));
    }
    match &*kind.to_ascii_lowercase() {
        "application/json" => {
            if parts.uri.query().is_some_and(|query| !query.is_empty()) {
                return Err(Problem::usage(
                    "the object in the body has all of the batch, and the query must be empty",
                ));
            }
            let body = read_body(&app, body).await?;
            let wrong = |why: &dyn Display| Problem::usage(format!("this is not a batch: {why}"));
            // Serde would read the fields of an object from a list as well.
            if body.trim_ascii_start().starts_with(b"[") {
                return Err(wrong(&"expected an object with a game and positions, not a list"));
            }
            let asked: BatchRequest =
                serde_json::from_slice(&body).map_err(|error| wrong(&error))?;
            let reply = app.work(client, Lane::Slow, move |app| api::batch(app, &asked)).await?;
            Ok(reply.respond(&parts.headers))
        }
        "application/x-ndjson" => {
            let Query(asked): Query<StreamQuery> = Query::try_from_uri(&parts.uri)?;
            batch::stream(app, client, asked, body).await
        }
        _ => Err(Problem::usage(
            "the body has another type than application/json and application/x-ndjson",
        )
        .status(StatusCode::UNSUPPORTED_MEDIA_TYPE)),
    }
}

/// Reads a body of bounded length.
async fn read_body(app: &App, body: Body) -> Result<axum::body::Bytes, Problem> {
    let most = app.store.options.limits.body;
    let read = Limited::new(body, most).collect();
    match tokio::time::timeout(app.store.options.limits.request / 2, read).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            Err(Problem::usage(format!("the body is longer than {most} bytes"))
                .status(StatusCode::PAYLOAD_TOO_LARGE)
                .hint("send several requests, or stream lines as application/x-ndjson"))
        }
        Ok(Err(error)) => Err(Problem::usage(format!("the body could not be read: {error}"))),
        Err(_) => Err(Problem::usage("the body did not arrive in time")
            .status(StatusCode::REQUEST_TIMEOUT)
            .hint("send it faster, or in parts")),
    }
}

/// Names that no game of a server can have, because they begin paths that are not of a game.
pub const RESERVED_NAMES: [&str; 4] = ["api", "assets", "healthz", "metrics"];

/// Rules of crawlers: no positions.
const ROBOTS: &str = "User-agent: *\nAllow: /$\nDisallow: /\n";

/// The routes of the server.
pub(crate) fn router(app: Arc<App>) -> Router {
    let cors = CorsLayer::new()
        .allow_origin(AnyOrigin)
        .allow_methods([Method::GET, Method::HEAD, Method::POST])
        .allow_headers([header::CONTENT_TYPE]);
    let api = Router::new()
        .route("/api/v1/games", question(Lane::Quick, api::games))
        .route("/api/v1/probe", question_with_solving(Lane::Quick, api::probe).post(answer_batch))
        .route("/api/v1/line", question(Lane::Quick, api::line))
        .route("/api/v1/move", question_with_solving(Lane::Slow, api::best_move))
        .route("/api/v1/stats", question_with_solving(Lane::Quick, api::stats))
        .route("/api/v1/census", question(Lane::Quick, api::census))
        .route("/api/v1/hardest", question(Lane::Quick, api::hardest))
        .route("/api/v1/random", question_with_solving(Lane::Slow, api::random))
        .route("/api/v1/solving", question(Lane::Quick, api::solving))
        .route("/openapi.json", get(openapi_document))
        // Before the layer, which answers the preflight requests of browsers.
        .method_not_allowed_fallback(no_such_method)
        .layer(cors);
    Router::new()
        .merge(api)
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
        .route("/robots.txt", get(|| async { ROBOTS }))
        .route("/assets/{version}/{name}", get(asset))
        .route("/api", get(api_page))
        .route("/api/{*rest}", any(no_such_path))
        .route("/", get(home))
        .route("/{game}", get(page))
        .route("/{game}/", get(page))
        .route("/{game}/{rules}", get(page))
        .route("/{game}/{rules}/", get(page))
        .route("/{game}/{rules}/{position}", get(page))
        .route("/{game}/{rules}/{position}/", get(page))
        // Browsers look for the icon here without asking the page.
        .route("/favicon.ico", get(async |headers: HeaderMap| Assets::icon(&headers)))
        .fallback(no_such_path)
        .method_not_allowed_fallback(no_such_method)
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(|_: Box<dyn Any + Send>| Problem::defect().into_response()))
        .layer(from_fn_with_state(app.clone(), around))
        .with_state(app)
}

async fn openapi_document(headers: HeaderMap) -> Response {
    with_tag(&headers, "application/json", "no-cache", openapi::DOCUMENT)
}

/// The page, at the address of a position; the page reads the position itself.
async fn page(
    State(app): State<Arc<App>>,
    names: Result<RawPathParams, RawPathParamsRejection>,
    headers: HeaderMap,
) -> Response {
    let Ok(names) = names else { return nothing(&app, &headers, "the path is not UTF-8") };
    let name = |key| names.iter().find(|(name, _)| *name == key).map(|(_, value)| value);
    match app.store.registry.game(name("game").unwrap_or_default(), name("rules")) {
        Ok(_) => app.assets.page(&headers),
        // The answer has the games as links.
        Err(NameError::Game { name, .. }) => {
            nothing(&app, &headers, &format!("no game is called {name:?}"))
        }
        Err(error) => nothing(&app, &headers, &error.to_string()),
    }
}

async fn no_such_path(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    nothing(&app, &headers, "there is nothing at this path")
}

async fn no_such_method() -> Problem {
    Problem::usage("this path has no such method").status(StatusCode::METHOD_NOT_ALLOWED)
}

/// The answer 404: a page for browsers, and a problem for programs.
fn nothing(app: &App, headers: &HeaderMap, why: &str) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    if !accepted.is_some_and(|accepted| accepted.contains("text/html")) {
        let problem = Problem::missing(why).hint(DESCRIBED);
        return ([(header::VARY, "accept")], problem).into_response();
    }
    let link = |info: &GameInfo| {
        let (name, rules) = (info.default_name(), &info.default_rules);
        let title = escaped(info.origin.title.as_deref().unwrap_or(&name));
        format!("<li><a href=\"/{name}/{rules}\">{title}</a></li>\n")
    };
    let links = app.store.registry.games().map(link).collect::<Vec<_>>().concat();
    let body = format!(
        "<h1>Not found</h1>\n<p>{}.</p>\n<p><a href=\"/\">To the start</a>, or to a game:</p>\n\
         <ul>\n{links}</ul>\n",
        escaped(&capital(why))
    );
    let page = app.assets.document("Anser: not found", &body);
    (StatusCode::NOT_FOUND, [(header::VARY, "accept")], Html(page)).into_response()
}

/// The text with its first letter in upper case.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

async fn api_page(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    with_tag(&headers, "text/html; charset=utf-8", "no-cache", app.api_page.clone())
}

async fn home(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    app.assets.page(&headers)
}

async fn asset(
    State(app): State<Arc<App>>,
    path: Result<Path<(String, String)>, PathRejection>,
    headers: HeaderMap,
) -> Response {
    let Ok(Path((version, name))) = path else {
        return Problem::missing("the path is not UTF-8").hint(DESCRIBED).into_response();
    };
    app.assets.file(&headers, &version, &name)
}

async fn health() -> Result<Response, Problem> {
    let health = Health { status: "ok".into(), version: env!("CARGO_PKG_VERSION").into() };
    Ok(Reply::new(&health, Keep::Not)?.respond(&HeaderMap::new()))
}

async fn metrics(State(app): State<Arc<App>>) -> Response {
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    let solving = app.solver.as_deref().map(Solver::metrics).unwrap_or_default();
    let text = app.metrics.text(&app.store.blocks()) + &solving;
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// Bounds the time of a request, completes the headers of its answer, and counts it.
async fn around(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let began = Instant::now();
    let named = app
        .store
        .options
        .trusted_header
        .as_ref()
        .and_then(|name| Client::named(request.headers(), name));
    if let Some(client) = named {
        request.extensions_mut().insert(client);
    }
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let method = request.method().clone();
    let query = request.uri().query().map_or(0, str::len);
    let mut response = if query > LONGEST_QUERY {
        Problem::usage(format!("the query is longer than {LONGEST_QUERY} bytes"))
            .status(StatusCode::URI_TOO_LONG)
            .into_response()
    } else {
        match tokio::time::timeout(app.store.options.limits.request, next.run(request)).await {
            Ok(response) => response,
            Err(_) => Problem::busy("the answer was not found in time").into_response(),
        }
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // Answers that the layer for other origins did not see.
    if path.as_deref().is_some_and(|path| path.starts_with("/api/") || path == "/openapi.json") {
        let name = header::ACCESS_CONTROL_ALLOW_ORIGIN;
        headers.entry(name).or_insert(HeaderValue::from_static("*"));
    }
    let known = |name: &&&'static str| path.as_deref() == Some(**name);
    let endpoint = match ENDPOINTS.iter().find(known) {
        Some(endpoint) => endpoint,
        None if path.as_deref().is_some_and(|path| path == "/" || path.starts_with("/{game}")) => {
            "page"
        }
        None => "other",
    };
    let (status, time) = (response.status().as_u16(), began.elapsed());
    app.metrics.answered(endpoint, status, time);
    if let Some(log) = &app.store.options.log {
        log(&LogEntry { method: method.to_string(), endpoint, status, time });
    }
    response
}

/// Headers of every answer: the page loads nothing from elsewhere, and no other page embeds it.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("x-robots-tag"), "noindex, nofollow"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];
